"""Makes training.json: whole trainings in PyTorch double, with which the float32 engine is compared.

    benchmarks/peers/install build/venv-golden torch
    build/venv-golden/bin/python tests/golden/make_training.py             writes training.json beside this script
    build/venv-golden/bin/python tests/golden/make_training.py --float32   prints how far PyTorch's float32 strays
    build/venv-golden/bin/python tests/golden/make_training.py --seeds relu_2   looks for a seed clear of ReLU crossings

This is an independent implementation. The random numbers follow perpend/base/random.h, the gradient of the penalty comes from
automatic differentiation of second order, Adam is PyTorch's. Shapes: X (rows, features), weights (in, out).
With the functions of this script, make_view_training.py makes trainings behind views of columns, and
make_regression_training.py makes those of regressions.
"""

import itertools
import json
import math
import pathlib
import statistics
import struct
import sys

import numpy as np
import torch

# --- random numbers: perpend/base/random.h -------------------------------------------------------------------------

TEST, INIT, DROPOUT, GENERATE = 0, 1, 2, 5  # Purpose


def philox(counter, key):
    """Philox4x32-10 of four uint64 arrays that hold 32-bit words."""
    c, low, mask = list(counter), 32, np.uint64(0xFFFFFFFF)
    k = [np.uint64(key & 0xFFFFFFFF), np.uint64(key >> 32)]
    for _ in range(10):
        a, b = np.uint64(0xD2511F53) * c[0], np.uint64(0xCD9E8D57) * c[2]
        c = [(b >> np.uint64(low)) ^ c[1] ^ k[0], b & mask, (a >> np.uint64(low)) ^ c[3] ^ k[1], a & mask]
        k = [(k[0] + np.uint64(0x9E3779B9)) & mask, (k[1] + np.uint64(0xBB67AE85)) & mask]
    return np.stack(c, axis=-1)


class Stream:
    """Words of the stream {seed, purpose, member, step}; block i holds words 4 i .. 4 i + 3."""

    def __init__(self, seed, purpose, member=0, step=0):
        self.key, self.step, self.tag = seed, step, (purpose << 24) | member

    def blocks(self, index):
        index = np.asarray(index, dtype=np.uint64)
        step, tag = np.full_like(index, self.step), np.full_like(index, self.tag)
        return philox([index & np.uint64(0xFFFFFFFF), index >> np.uint64(32), step, tag], self.key)

    def words(self, count):
        return self.blocks(np.arange((count + 3) // 4)).reshape(-1)[:count]

    def uniform(self, count):
        return (self.words(count) >> np.uint64(8)).astype(np.float32) * np.float32(2.0**-24)

    def uniform_open(self, count):
        words = self.words(2 * count).reshape(-1, 2)
        bits = (words[:, 0] << np.uint64(32)) | words[:, 1]
        return ((bits >> np.uint64(12)) * np.uint64(2) + np.uint64(1)).astype(np.float64) * 2.0**-53

    def normal(self, count):
        quantile = statistics.NormalDist().inv_cdf  # Wichura's AS 241, as in perpend
        return np.array([quantile(u) for u in self.uniform_open(count)])


def mask_words(stream, keep, layer, groups, units):
    """mask_word(stream, keep_planes(keep), layer, group, unit) as uint64, an array (groups, units)."""
    fixed = round(keep * 65536)
    shape = (len(groups), len(units))
    if fixed == 65536:
        return np.full(shape, 0xFFFFFFFFFFFFFFFF, dtype=np.uint64)
    planes = 16 - (fixed & -fixed).bit_length() + 1
    plane, group, unit, half = np.meshgrid(range(planes), groups, units, (0, 1), indexing="ij")
    n = 2 * unit + half
    block = (((layer << 24) | (plane << 16) | group) << 32) | (16 * (n // 64) + n % 16)
    words = np.take_along_axis(stream.blocks(block), (n % 64 // 16)[..., None], axis=-1)[..., 0]
    random = words[..., 0] | (words[..., 1] << np.uint64(32))
    mask = np.zeros(shape, dtype=np.uint64)
    for j in reversed(range(planes)):
        mask = mask | random[j] if (fixed >> (15 - j)) & 1 else mask & random[j]
    return mask


def check_random_numbers():
    """The values pinned in tests/base/random_test.cpp."""
    stream = Stream(42, INIT, 3, 7)
    known = [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    assert Stream(0, TEST).blocks([0])[0].tolist() == known
    assert stream.words(1)[0] == 1377052010
    assert struct.unpack("<I", struct.pack("<f", stream.uniform(6)[5]))[0] == 1054571438
    assert struct.unpack("<Q", struct.pack("<d", stream.uniform_open(2)[1]))[0] == 4605301577125962779
    normal = struct.unpack("<d", struct.pack("<Q", 13831895828822630892))[0]
    assert abs(stream.normal(3)[2] / normal - 1) < 1e-14
    assert mask_words(stream, 0.5, 1, [2], [33])[0, 0] == 9188817546666197911
    assert mask_words(stream, 0.8, 0, [0], [5])[0, 0] == 11348507011508526941


# --- the training --------------------------------------------------------------------------------------------------

ROWS, FEATURES, BATCH, STEPS, MEMBERS, EPSILON = 600, 6, 256, 200, 3, 1e-6
LOGGED = sorted({*range(20), *range(20, STEPS, 10), STEPS - 1})
# A ReLU's input gradient jumps where its unit crosses zero, so a rounding error there separates two
# correct trainings for good. gate_margin is the distance from zero that every kept unit of a ReLU
# case keeps in double. With 0 it promises nothing, and a comparison in float32 must allow for
# crossings (--float32 shows how much). --seeds finds seeds.
SOUGHT_DISTANCE = 1e-4  # from PyTorch's float32


def case(activation, hidden, dropout, lam, reduction, weight_decay, method="lit", seed=7, gate_margin=0.0):
    return {
        "method": method,
        "seed": seed,
        "activation": activation,
        "hidden": hidden,
        "dropout": dropout,
        "lambda": lam,
        "penalty_reduction": reduction,
        "weight_decay": weight_decay,
        "gate_margin": gate_margin,
    }


CASES = {
    "relu_1": case("relu", [24], 0.5, 0.01, "sum", 1e-4, seed=17, gate_margin=1e-6),
    "softplus_1": case("softplus", [24], 0.0, 1.0, "mean", 0.0),
    "relu_2": case("relu", [12, 8], 0.2, 0.1, "mean", 1e-4, seed=50, gate_margin=1e-6),
    "softplus_2": case("softplus", [24, 16], 0.5, 0.05, "sum", 1e-4),
    "tanh_2": case("tanh", [12, 8], 0.0, 1.0, "mean", 0.0),
    "restarts_relu_1": case("relu", [24], 0.5, 0.0, "sum", 1e-4, method="restarts", seed=15, gate_margin=1e-6),
    "ncl_relu_1": case("relu", [24], 0.5, 0.8, "sum", 0.0, method="ncl", seed=28, gate_margin=1e-6),
    "ncl_softplus_2": case("softplus", [24, 16], 0.0, 1.5, "sum", 1e-4, method="ncl"),
    "ace_relu_1": case("relu", [24], 0.5, 0.4, "sum", 1e-4, method="ace", seed=20, gate_margin=1e-6),
    "ace_tanh_2": case("tanh", [12, 8], 0.2, 0.6, "sum", 0.0, method="ace"),
}
ACTIVATIONS = {
    "relu": torch.relu,
    "softplus": lambda z: torch.nn.functional.softplus(z, threshold=700),
    "tanh": torch.tanh,
}


def data(seed):
    x = Stream(seed, GENERATE).normal(ROWS * FEATURES).astype(np.float32).reshape(ROWS, FEATURES)
    x64 = x.astype(np.float64)
    return x, (x64[:, 0] * x64[:, 1] + 0.5 * x64[:, 2] > 0).astype(np.int64)


def first_weights(seed, member, inputs, hidden):
    """[(weight, bias)] per layer; Glorot-uniform weights in float32, zero biases."""
    sizes = [inputs, *hidden, 2]
    layers = []
    for layer, (inputs, outputs) in enumerate(itertools.pairwise(sizes)):
        limit = np.float32(math.sqrt(6 / (inputs + outputs)))
        u = Stream(seed, INIT, member, layer).uniform(inputs * outputs).reshape(inputs, outputs)
        layers.append(((np.float32(2) * u - np.float32(1)) * limit, np.zeros(outputs, dtype=np.float32)))
    return layers


def masks(seed, member, step, rows, hidden, dropout):
    """Per hidden layer a (rows, units) array of 0 and 1 / keep."""
    stream, keep = Stream(seed, DROPOUT, member, step), 1 - dropout
    result = []
    for layer, units in enumerate(hidden):
        words = mask_words(stream, keep, layer, range((rows + 63) // 64), range(units))
        bits = (words[:, None, :] >> np.arange(64, dtype=np.uint64)[:, None]) & np.uint64(1)
        result.append(bits.reshape(-1, units)[:rows].astype(np.float64) / (round(keep * 65536) / 65536))
    return result


class GateTooClose(Exception):
    pass


def logits(x, layers, activation, layer_masks, gate_margin):
    for (weight, bias), mask in zip(layers[:-1], layer_masks, strict=True):
        z = x @ weight + bias
        if gate_margin > 0 and z.dtype == torch.float64 and (z[mask > 0].abs() < gate_margin).any():
            raise GateTooClose
        x = activation(z) * mask
    weight, bias = layers[-1]
    return x @ weight + bias


def penalty(gradients, reduction):
    total = 0.0
    for g, h in itertools.combinations(gradients, 2):
        cos2 = (g * h).sum(1) ** 2 / ((g * g).sum(1) * (h * h).sum(1) + EPSILON)
        total = total + (2 * cos2.mean() if reduction == "mean" else cos2.sum())  # ordered pairs count each pair twice
    return total


def lit(x, y, all_logits, options):
    gradients = [torch.autograd.grad((z[:, 1] - z[:, 0]).sum(), x, create_graph=True)[0] for z in all_logits]
    return restarts(x, y, all_logits, options)[0], penalty(gradients, options["penalty_reduction"])


def restarts(_, y, all_logits, __):
    return [torch.nn.functional.cross_entropy(z, y) for z in all_logits], all_logits[0].sum() * 0


def ncl(_, y, all_logits, __):
    """Negative correlation learning, summed over rows: squared errors less squared distances from the mean."""
    p = [torch.softmax(z, 1) for z in all_logits]
    label, mean = torch.nn.functional.one_hot(y, 2), sum(p) / len(p)
    return [0.5 * ((q - label) ** 2).sum() for q in p], -sum(0.5 * ((q - mean) ** 2).sum() for q in p)


def ace(x, y, all_logits, options):
    """Amended cross-entropy: each member's logits against the probabilities of every other."""
    pairs = sum(
        -(torch.softmax(label, 1) * torch.log_softmax(z, 1)).sum(1).mean()
        for z, label in itertools.permutations(all_logits, 2)
    )
    members = len(all_logits)
    return restarts(x, y, all_logits, options)[0], -pairs / (members * (members - 1) / 2)


METHODS = {"lit": lit, "restarts": restarts, "ncl": ncl, "ace": ace}


def terms(members, x, y, options, member_masks, seen_by=lambda x, member: x, methods=METHODS):
    """Per member the fit (mean cross-entropy but for NCL), then P (0 for restarts), then the decay term. seen_by(x, m)
    is what member m sees of the rows; gradients are by x itself."""
    x = x.clone().requires_grad_()
    activation = ACTIVATIONS[options["activation"]]
    all_logits = [
        logits(seen_by(x, m), layers, activation, layer_masks, options["gate_margin"])
        for m, (layers, layer_masks) in enumerate(zip(members, member_masks, strict=True))
    ]
    squares = sum((p * p).sum() for layers in members for layer in layers for p in layer)
    return *methods[options["method"]](x, y, all_logits, options), options["weight_decay"] / 2 * squares


def train(options, dtype):
    x, y = data(options["seed"])
    x, y = torch.tensor(x, dtype=dtype), torch.tensor(y)
    first = [first_weights(options["seed"], m, FEATURES, options["hidden"]) for m in range(MEMBERS)]
    return take_steps(options, dtype, first, lambda net, rows, drawn: terms(net, x[rows], y[rows], options, drawn))


def take_steps(options, dtype, first, terms_of_rows, rate=1e-3):
    """STEPS steps of Adam from these weights on; terms_of_rows(members, rows, masks) is what terms() gives."""
    members = [[[torch.tensor(p, dtype=dtype, requires_grad=True) for p in layer] for layer in net] for net in first]
    parameters = [p for net in members for layer in net for p in layer]
    adam = torch.optim.Adam(parameters, lr=rate, betas=(0.9, 0.999), eps=1e-8, foreach=False)
    log = {"steps": LOGGED, "fit": [], "penalty": [], "weight_decay": []}
    starts = itertools.cycle(range(0, ROWS, BATCH))
    for step, start in zip(range(STEPS), starts, strict=False):
        rows = slice(start, min(start + BATCH, ROWS))
        count = rows.stop - rows.start
        drawn = [
            masks(options["seed"], m, step, count, options["hidden"], options["dropout"]) for m in range(len(members))
        ]
        step_masks = [[torch.tensor(mask, dtype=dtype) for mask in net] for net in drawn]
        fits, p, decay = terms_of_rows(members, rows, step_masks)
        adam.zero_grad()
        (sum(fits) + options["lambda"] * p + decay).backward()
        adam.step()
        if step in LOGGED:
            log["fit"].append([c.item() for c in fits])
            log["penalty"].append(p.item())
            log["weight_decay"].append(decay.item())
    return log, first, [[[p.detach().numpy() for p in layer] for layer in net] for net in members]


# --- output --------------------------------------------------------------------------------------------------------


def digits(value):
    """Every number to 9 significant digits, which distinguish any two float32."""
    if isinstance(value, dict):
        return {key: digits(v) for key, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [digits(v) for v in value]
    if isinstance(value, np.ndarray):
        return digits(value.tolist())
    if isinstance(value, float):
        return None if math.isnan(value) else float(f"{value:.9g}")
    return value


def weights(net):
    return [{"weight": weight, "bias": bias} for weight, bias in net]


def summary(seed):
    x, y = data(seed)
    return {"first_row": x[0], "last_row": x[-1], "positives": int(y.sum())}


def golden(script, cases, train, summary_of_data, **shared):
    document = {
        "what": f"Trainings in PyTorch double; made by {script}, which says how",
        "options": {
            "rows": ROWS,
            **shared,
            "batch_size": BATCH,
            "steps": STEPS,
            "learning_rate": 1e-3,
            "epsilon": EPSILON,
        },
        "cases": [],
    }
    for name, options in cases.items():
        log, first, final = train(options, torch.float64)
        data_summary = summary_of_data(options["seed"])
        ends = {"first": [weights(net) for net in first], "final": [weights(net) for net in final]}
        document["cases"].append({"name": name, "options": options, "data": data_summary, "terms": log, **ends})
        print(f"{name}: penalty {log['penalty'][0]:.4g} -> {log['penalty'][-1]:.4g}, fit "
              f"{sum(log['fit'][0]):.4g} -> {sum(log['fit'][-1]):.4g}", file=sys.stderr)
    return digits(document)


def write(document, path):
    """One line per entry of a case, so the file is small and a diff shows what changed."""
    cases = [
        "{\n" + ",\n".join(f'"{key}": {json.dumps(value, separators=(",", ":"))}' for key, value in c.items()) + "\n}"
        for c in document["cases"]
    ]
    head = ",\n".join(f'"{key}": {json.dumps(value)}' for key, value in document.items() if key != "cases")
    path.write_text("{\n" + head + ',\n"cases": [\n' + ",\n".join(cases) + "\n]\n}\n")


def flat(nets):
    return np.concatenate([np.ravel(p).astype(np.float64) for net in nets for layer in net for p in layer])


def distance(other, first, final):
    """The distance of other weights from the final ones, as a share of the distance moved."""
    return np.linalg.norm(flat(other) - flat(final)) / np.linalg.norm(flat(final) - flat(first))


def float32_distance(cases, train):
    """Checks PyTorch in float32 as the golden test checks the engine."""
    for name, options in cases.items():
        log64, first, final64 = train(options, torch.float64)
        log32, _, final32 = train(options, torch.float32)
        worst = {
            key: np.max(np.abs(np.array(log32[key]) / np.array(log64[key]) - 1)) if np.any(log64[key]) else 0.0
            for key in ("fit", "penalty", "weight_decay")
        }
        print(f"{name}: weights {distance(final32, first, final64):.2e} of the distance moved;",
              ", ".join(f"{key} {value:.1e}" for key, value in worst.items()))


def clear_seed(options, train):
    """The first seed from 7 on whose units keep the case's margin, and whose weights PyTorch's float32 finds too. The
    search takes minutes of one core."""
    for seed in itertools.count(7):
        try:
            tried = {**options, "seed": seed}
            _, first, final = train(tried, torch.float64)
        except GateTooClose:
            continue
        if distance(train(tried, torch.float32)[2], first, final) < SOUGHT_DISTANCE:
            return seed


def main(file, script, cases, train, summary_of_data, **shared):
    torch.set_num_threads(1)
    check_random_numbers()
    if "--seeds" in sys.argv:
        options = cases[sys.argv[-1]]
        print(f"{sys.argv[-1]}: seed {clear_seed(options, train)} keeps {options['gate_margin']}")
    elif "--float32" in sys.argv:
        float32_distance(cases, train)
    else:
        write(golden(script, cases, train, summary_of_data, **shared), pathlib.Path(__file__).with_name(file))


if __name__ == "__main__":
    main("training.json", "make_training.py", CASES, train, summary, features=FEATURES, members=MEMBERS)
