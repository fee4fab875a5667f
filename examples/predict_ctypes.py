"""Asks a model about rows of numbers from Python without the package: ctypes calls libperpend_c.so.

    python3 predict_ctypes.py /usr/local/lib/libperpend_c.so loans.safetensors 55 25

It prints what the model of examples/train_c.c answers for income 55 and debt 25.
"""

import ctypes
import sys


def load_library(path):
    """The library, with the types of the functions that are called here."""
    c = ctypes.CDLL(path)
    doubles, size, pointer = ctypes.POINTER(ctypes.c_double), ctypes.c_size_t, ctypes.c_void_p
    steps = [ctypes.c_ssize_t, ctypes.c_ssize_t]
    texts = ctypes.POINTER(ctypes.c_char_p)
    c.perpend_last_error.restype = ctypes.c_char_p
    c.perpend_load.argtypes = [ctypes.c_char_p, ctypes.POINTER(pointer)]
    c.perpend_table_new.argtypes = [ctypes.POINTER(pointer)]
    c.perpend_table_add_matrix.argtypes = [pointer, texts, doubles, size, size, *steps]
    c.perpend_columns.argtypes, c.perpend_columns.restype = [pointer], size
    c.perpend_column.argtypes, c.perpend_column.restype = [pointer, size], ctypes.c_char_p
    c.perpend_classes.argtypes, c.perpend_classes.restype = [pointer], size
    c.perpend_class.argtypes, c.perpend_class.restype = [pointer, size], ctypes.c_char_p
    c.perpend_predict.argtypes = [pointer, pointer, ctypes.c_int, size, doubles, doubles, pointer, doubles]
    c.perpend_model_free.argtypes = c.perpend_table_free.argtypes = [pointer]
    return c


def main(library, path, *cells):
    c = load_library(library)

    def check(status):
        if status != 0:
            sys.exit(c.perpend_last_error().decode())

    model, table = ctypes.c_void_p(), ctypes.c_void_p()
    check(c.perpend_load(path.encode(), ctypes.byref(model)))
    columns, classes = c.perpend_columns(model), max(c.perpend_classes(model), 1)
    if len(cells) % columns != 0:
        sys.exit(f"a row has {columns} numbers")
    rows = len(cells) // columns
    names = (ctypes.c_char_p * columns)(*[c.perpend_column(model, i) for i in range(columns)])
    values = (ctypes.c_double * len(cells))(*map(float, cells))
    answers = (ctypes.c_double * (rows * classes))()
    disagreement = (ctypes.c_double * rows)()
    check(c.perpend_table_new(ctypes.byref(table)))
    check(c.perpend_table_add_matrix(table, names, values, rows, columns, columns, 1))
    check(c.perpend_predict(model, table, 0, rows, answers, disagreement, None, None))
    for row in range(rows):
        of_row = answers[row * classes:(row + 1) * classes]
        named = [(c.perpend_class(model, k) or b"answer").decode() for k in range(classes)]
        print(", ".join(f"{n} {p:.2f}" for n, p in zip(named, of_row)), f"disagreement {disagreement[row]:.2f}")
    c.perpend_table_free(table)
    c.perpend_model_free(model)


if __name__ == "__main__":
    main(*sys.argv[1:])
