"""Makes view_training.json: whole trainings behind views of mixed columns, in PyTorch double.

It is used like make_training.py, and shares its random numbers, methods, steps and output. What it adds follows the
definitions in perpend/data/column_table.h and perpend/model/column_view.h, with dense matrices: each column of the
table becomes the inputs of a view, and automatic differentiation gives the gradient by the column's own coordinate.
"""

import math

import numpy as np
import torch

from make_training import GENERATE, ROWS, Stream, case, first_weights, main, take_steps, terms

MEMBERS, VIEWS, BINS, NARROWEST_BIN = 4, ["linear", "piecewise"], 6, 0.02
# The number of levels per column, 0 for numbers: many values, many with gaps, two, five, a third of
# them 0, two with gaps; then three levels, and four with gaps.
LEVELS = [0, 0, 0, 0, 0, 0, 3, 4]
# The engine's 1 - 0.9 and 1 - 0.999 are float32, so its steps are longer by 7e-6. With PyTorch's
# own constants, many units would cross zero in one of the two trainings only.
ONE_LESS_BETA1, ONE_LESS_BETA2 = (float(np.float32(1) - np.float32(beta)) for beta in (0.9, 0.999))
RATE = 1e-3 * (ONE_LESS_BETA1 / 0.1) / math.sqrt(ONE_LESS_BETA2 / 0.001)

CASES = {
    "lit_relu": case("relu", [16], 0.0, 0.1, "mean", 1e-4, seed=15, gate_margin=3e-7),
    # With drop-out, no seed was found for which all gates stay away from zero in float32 for 200
    # steps.
    "restarts_relu": case("relu", [8], 0.0, 0.0, "sum", 1e-4, method="restarts", seed=13, gate_margin=3e-7),
    "ncl_relu": case("relu", [12], 0.2, 0.8, "sum", 0.0, method="ncl", seed=9, gate_margin=3e-7),
    "ace_relu": case("relu", [12], 0.5, 0.4, "sum", 1e-4, method="ace", seed=8, gate_margin=3e-7),
    "lit_softplus_2": case("softplus", [10, 6], 0.2, 1.0, "mean", 1e-4),
}


def data(seed):
    """Cells as the engine gets them: NaN is a missing number, the number of levels a missing category."""
    count = ROWS * len(LEVELS)
    x = Stream(seed, GENERATE).normal(count).astype(np.float32).reshape(ROWS, -1)
    u = Stream(seed, GENERATE, 1).uniform(count).reshape(ROWS, -1)
    a, b, c = (x[:, i].astype(np.float64) for i in range(3))
    labels = (a * b + 0.5 * c + 0.5 * np.floor(3 * u[:, 6]) - 0.5 > 0).astype(np.int64)
    x[:, 1] = np.where(u[:, 1] < 0.2, np.nan, x[:, 1])
    x[:, 2] = np.where(x[:, 2] > 0, 1, -1)
    x[:, 3] = np.clip(np.floor(x[:, 3]), -2, 2)
    x[:, 4] = np.where(u[:, 4] < 0.3, 0, x[:, 4])
    x[:, 5] = np.where(u[:, 5] < 0.1, np.nan, np.where(x[:, 5] > 0, 1, -1))
    x[:, 6] = np.floor(3 * u[:, 6])
    x[:, 7] = np.floor(np.float32(4.5) * u[:, 7])
    return x, labels


# --- columns and views ---------------------------------------------------------------------------------------------


def edges_of(known):
    """Quantiles of the known cells, or all of their values if these are few; without those that are too close to others."""
    wanted = np.unique(known)
    if len(wanted) > BINS + 1:
        wanted = np.sort(known)[[i * (len(known) - 1) // BINS for i in range(BINS + 1)]]
    first, *inner, last = wanted.astype(np.float64)
    edges = [first]
    for edge in inner:
        if edge - edges[-1] >= NARROWEST_BIN and last - edge >= NARROWEST_BIN:
            edges.append(edge)
    return [*edges, last] if len(edges) > 1 else []


def ramps(z, edges):
    """(rows, bins): each is 0 below its bin and 1 above it. A bin contains its lower edge, and the last one both of its
    edges: there the slope is that of the bin."""
    low, high = (torch.tensor(part, dtype=z.dtype) for part in (edges[:-1], edges[1:]))
    z, is_last = z[:, None], torch.arange(len(low)) == len(low) - 1
    inside = (z >= low) & ((z < high) | (is_last & (z <= high)))
    return torch.where(inside, (z - low) / (high - low), (z >= high).to(z.dtype))


def float32(values):
    return [float(np.float32(v)) for v in values]


def column_of(cells, levels):
    """What training learns about a column; every number is kept as float32."""
    if levels > 0:
        shares = float32([np.mean(cells == level) for level in range(levels + 1)])
        return {"missing": shares[-1], "shares": shares[:-1]}
    known = cells[~np.isnan(cells)]
    edges = edges_of(known)
    means = ramps(torch.tensor(known, dtype=torch.float64), edges).mean(0).tolist() if edges else []
    return {"missing": float32([np.mean(np.isnan(cells))])[0], "edges": float32(edges), "means": float32(means)}


def columns_of(x):
    return [column_of(x[:, c], levels) for c, levels in enumerate(LEVELS)]


def start_of(x):
    """The coordinates that gradients are by: a number's z, and for a category the factor of its centred inputs, 1,
    because its entry in a gradient is by how much its level moves the score."""
    return np.where(np.isnan(x) | (np.array(LEVELS) > 0), 1.0, x)


def inputs_of(column, view, cells, at):
    """The inputs of one column, (rows, inputs), centred by their means; `at` has the coordinates of start_of."""
    gap = [column["missing"]] if column["missing"] > 0 else []
    if "shares" in column:
        shares = torch.tensor(column["shares"] + gap, dtype=at.dtype)
        level = torch.arange(len(shares))
        return at[:, None] * ((cells[:, None] == level).to(at.dtype) - shares)
    known = ~torch.isnan(cells)[:, None]
    if view == "piecewise" and column["edges"]:
        inputs = ramps(at, column["edges"]) - torch.tensor(column["means"], dtype=at.dtype)
    else:
        inputs = at[:, None]
    inputs = torch.where(known, inputs, 0.0)  # where the cell is missing, all of them are at their means
    return torch.cat([inputs, (~known).to(at.dtype) - gap[0]], dim=1) if gap else inputs


def view_of(member):
    return VIEWS[member % len(VIEWS)]


def count_inputs(column, view):
    gap = 1 if column["missing"] > 0 else 0
    if "shares" in column:
        return len(column["shares"]) + gap
    return (len(column["means"]) if view == "piecewise" and column["edges"] else 1) + gap


def train(options, dtype):
    x, y = data(options["seed"])
    columns = columns_of(x)
    cells, start, y = torch.tensor(x, dtype=dtype), torch.tensor(start_of(x), dtype=dtype), torch.tensor(y)
    first = []
    for m in range(MEMBERS):
        inputs = sum(count_inputs(column, view_of(m)) for column in columns)
        first.append(first_weights(options["seed"], m, inputs, options["hidden"]))

    def terms_of_rows(members, rows, masks):
        seen = {}  # by view

        def seen_by(at, m):
            if view_of(m) not in seen:
                parts = [inputs_of(c, view_of(m), cells[rows, i], at[:, i]) for i, c in enumerate(columns)]
                seen[view_of(m)] = torch.cat(parts, dim=1)
            return seen[view_of(m)]

        return terms(members, start[rows], y[rows], options, masks, seen_by)

    return take_steps(options, dtype, first, terms_of_rows, RATE)


def summary(seed):
    x, y = data(seed)
    return {"first_row": x[0], "last_row": x[-1], "positives": int(y.sum()), "columns": columns_of(x)}


if __name__ == "__main__":
    shared = {"features": len(LEVELS), "levels": LEVELS, "bins": BINS, "members": MEMBERS, "views": VIEWS}
    main("view_training.json", "make_view_training.py", CASES, train, summary, **shared)
