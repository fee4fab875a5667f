"""The safetensors package reads what perpend wrote: names, shapes and every bit; and the weights, put through a network
written here in numpy, give the scores that perpend gives."""

import hashlib
import json
import pathlib
import sys
import unittest

import numpy as np
from safetensors import safe_open

GOLDEN = pathlib.Path(__file__).parent.parent / "golden"
ACTIVATIONS = {"relu": lambda x: np.maximum(x, 0), "softplus": lambda x: np.logaddexp(x, 0)}


def read(path):
    with safe_open(path, framework="numpy") as file:
        return {name: file.get_tensor(name) for name in file.keys()}, file.metadata()


def column_inputs(column, view, cells):
    """What a view makes of one column, as perpend/data/column_table.h defines it: (rows, inputs)."""
    gap = [column["missing"]] if column["missing"] > 0 else []
    if "shares" in column:
        shares = np.array(column["shares"] + gap)
        inputs = (cells[:, None] == np.arange(len(shares))) - shares
        unseen = (cells < 0) | (cells >= len(shares))
        return np.where(unseen[:, None], 0, inputs)
    known, inputs = ~np.isnan(cells), cells[:, None]
    if view == "piecewise" and column["edges"]:
        low, high = np.array(column["edges"][:-1]), np.array(column["edges"][1:])
        inputs = np.clip((inputs - low) / (high - low), 0, 1) - column["means"]
    inputs = np.where(known[:, None], inputs, 0)
    return np.concatenate([inputs, (~known)[:, None] - np.array([gap])], axis=1) if gap else inputs


def seen_by(member, architecture, rows):
    if "views" not in architecture:
        return rows
    view = architecture["views"][member % len(architecture["views"])]
    columns = zip(architecture["columns"], rows.T, strict=True)
    return np.concatenate([column_inputs(column, view, cells) for column, cells in columns], axis=1)


def scores(tensors, architecture, member, rows):
    values = seen_by(member, architecture, np.asarray(rows, dtype=np.float64))
    activation = ACTIVATIONS[architecture["activation"]]
    layers = len(architecture["hidden"]) + 1
    for layer in range(layers):
        name = f"member.{member}.layer.{layer}"
        values = values @ tensors[name + ".weight"].astype(np.float64) + tensors[name + ".bias"]
        if layer + 1 < layers:
            values = activation(values)
    return values[:, 1:] - values[:, :1] if architecture["classes"] == 2 else values


class Safetensors(unittest.TestCase):
    def each(self):
        for golden in json.loads((GOLDEN / "model_v1.json").read_text()):
            path = GOLDEN / golden["file"]
            yield golden, path, *read(path)

    def test_tensors_are_those_that_were_written(self):
        for golden, _, tensors, _ in self.each():
            self.assertEqual(sorted(tensors), sorted(golden["tensors"]))
            for name, tensor in tensors.items():
                expected = np.asarray(golden["tensors"][name], dtype=np.float32)
                self.assertEqual(tensor.dtype, np.float32)
                self.assertEqual(tensor.shape, expected.shape)
                self.assertEqual(tensor.tobytes(), expected.tobytes())

    def test_metadata_is_json_in_strings(self):
        for golden, _, _, metadata in self.each():
            self.assertEqual((metadata["format"], metadata["format_version"]), ("perpend", "1"))
            self.assertEqual(json.loads(metadata["member_weights"]), golden["member_weights"])
            for key, text in golden["metadata"].items():
                self.assertEqual(metadata[key], text)
                json.loads(text)

    def test_sha256_is_of_the_file_with_its_digits_as_zeros(self):
        for _, path, _, metadata in self.each():
            digits = metadata["sha256"].encode()
            content = path.read_bytes()
            self.assertEqual(content.count(digits), 1)
            self.assertEqual(hashlib.sha256(content.replace(digits, b"0" * 64)).hexdigest().encode(), digits)

    def test_weights_give_the_scores(self):
        for golden, _, tensors, metadata in self.each():
            architecture = json.loads(metadata["architecture"])
            for member, expected in enumerate(golden["scores"]):
                found = scores(tensors, architecture, member, golden["rows"])
                np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


if __name__ == "__main__":
    sys.exit(unittest.main())
