"""Writes tests/golden/tables: one generated table in every form that columnar files have, and the same table as CSV.

    python -m venv /tmp/v && /tmp/v/bin/pip install pyarrow==26.0.1 && /tmp/v/bin/python tests/golden/make_tables.py

Every *.parquet and *.feather file there holds the table of types.csv, apart from bad_* and levels.feather. tests/data reads
them and compares; the CSV is written here from pyarrow's own values, without perpend. The seeds of tests/fuzz are written
too.
"""
import datetime
import decimal
import pathlib

import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq

FOLDER = pathlib.Path(__file__).parent / "tables"
SEEDS = pathlib.Path(__file__).parent.parent / "fuzz" / "seeds"
ROWS = 24
EPOCH = datetime.datetime(1970, 1, 1)


def cells(function, type, gap=5):
    """function(i) for each row, None in every gap-th."""
    return pa.array([None if gap and i % gap == gap - 1 else function(i) for i in range(ROWS)], type)


def moment(i):
    return datetime.datetime(2023, 12, 30, 22, 58, 7) + datetime.timedelta(days=3 * i, seconds=97 * i)


def table():
    words = ["red", "green", "blue, or so", "12", "007", "grün", ""]
    columns = {
        "flag": cells(lambda i: i % 3 == 0, pa.bool_(), 0),
        "gap_flag": cells(lambda i: i % 2 == 0, pa.bool_()),
        "small": cells(lambda i: 3 * i - 20, pa.int8()),
        "byte": cells(lambda i: 10 * i, pa.uint8(), 4),
        "short": cells(lambda i: -1000 * i, pa.int16(), 0),
        "int": cells(lambda i: 100000 * i - 7, pa.int32()),
        "large": cells(lambda i: (i - 3) * 2**55 + 1, pa.int64()),
        "unsigned": cells(lambda i: 2**63 + i * 2**40, pa.uint64(), 7),
        "unsigned_int": cells(lambda i: 2**31 + i, pa.uint32()),
        "half": cells(lambda i: i / 4, pa.float16(), 0),
        "float": cells(lambda i: i / 8 - 1, pa.float32()),
        "double": cells(lambda i: [0.1, float("nan"), float("inf"), -2.5e-300][i % 4] * (i + 1), pa.float64()),
        "steady": cells(lambda i: 1.5, pa.float64(), 0),
        "price": cells(lambda i: decimal.Decimal(7 * i - 30).scaleb(-2), pa.decimal128(7, 2)),
        "long_price": cells(lambda i: decimal.Decimal(10**24 * (i - 9) + 1).scaleb(-9), pa.decimal128(38, 9)),
        "word": cells(lambda i: words[i * i % 7], pa.string()),
        "only": cells(lambda i: f"word number {i}", pa.string(), 0),
        "day": cells(lambda i: datetime.date(1969, 12, 20) + datetime.timedelta(days=11 * i), pa.date32()),
        "second": cells(lambda i: moment(i), pa.timestamp("s"), 0),
        "milli": cells(lambda i: moment(i) + datetime.timedelta(milliseconds=i), pa.timestamp("ms")),
        "micro": cells(lambda i: moment(-i) + datetime.timedelta(microseconds=i), pa.timestamp("us", tz="UTC")),
        "nano": cells(lambda i: int((moment(i) - EPOCH).total_seconds()) * 10**9 + i, pa.timestamp("ns")),
        "time": cells(lambda i: datetime.time(i, 30, 5, 1000 * i), pa.time32("ms")),
        "nothing": pa.nulls(ROWS),
    }
    return pa.table(columns)


def fraction(ticks, digits):
    return "." + str(ticks).rjust(digits, "0").rstrip("0") if ticks else ""


def text(value, type):
    if value is None or (pa.types.is_floating(type) and value != value):
        return ""
    if pa.types.is_boolean(type):
        return str(int(value))
    if pa.types.is_decimal(type):
        return repr(float(value))
    if pa.types.is_time(type):
        return value.strftime("%H:%M:%S") + fraction(value.microsecond, 6)
    if pa.types.is_date(type):
        return value.isoformat()
    if pa.types.is_string(type) and ("," in value):
        return f'"{value}"'
    return str(value)


def moment_text(ticks, unit):
    per_second = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[unit]
    seconds, part = divmod(ticks, per_second)
    when = EPOCH + datetime.timedelta(seconds=seconds)
    return when.strftime("%Y-%m-%d %H:%M:%S") + fraction(part, len(str(per_second)) - 1)


def texts(column):
    if pa.types.is_timestamp(column.type):
        ticks = column.cast(pa.int64()).to_pylist()
        return ["" if t is None else moment_text(t, column.type.unit) for t in ticks]
    return [text(value, column.type) for value in column.to_pylist()]


def write_csv(rows, path):
    columns = [texts(rows[name]) for name in rows.column_names]
    lines = [",".join(rows.column_names)] + [",".join(cells) for cells in zip(*columns)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def encodings(rows):
    first, second = {}, {}
    for field in rows.schema:
        kind = field.type
        if pa.types.is_boolean(kind):
            first[field.name] = second[field.name] = "RLE"
        elif pa.types.is_string(kind):
            first[field.name], second[field.name] = "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"
        elif pa.types.is_decimal(kind):
            first[field.name], second[field.name] = "DELTA_BYTE_ARRAY", "BYTE_STREAM_SPLIT"
        elif pa.types.is_floating(kind):
            first[field.name], second[field.name] = "BYTE_STREAM_SPLIT", "PLAIN"
        elif not pa.types.is_null(kind):
            first[field.name], second[field.name] = "DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT"
    return first, second


def main():
    for folder in (FOLDER, SEEDS / "parquet", SEEDS / "arrow"):
        folder.mkdir(exist_ok=True)
    rows = table()
    write_csv(rows, FOLDER / "types.csv")
    first, second = encodings(rows)
    small = dict(write_statistics=False, store_schema=False)
    forms = {
        "snappy": {},
        "none": dict(compression="none"),
        "gzip": dict(compression="gzip", data_page_version="2.0"),
        "zstd": dict(compression="zstd"),
        "lz4": dict(compression="lz4", data_page_version="2.0"),
        "plain": dict(use_dictionary=False, compression="none", data_page_version="2.0"),
        "encoded": dict(use_dictionary=False, compression="none", column_encoding=first),
        "encoded_2": dict(use_dictionary=False, compression="none", column_encoding=second, data_page_version="2.0"),
        "groups": dict(row_group_size=7, compression="none", write_page_checksum=True),
        "int96": dict(use_deprecated_int96_timestamps=True),
        "integer_decimals": dict(store_decimal_as_integer=True),
    }
    for name, options in forms.items():
        pq.write_table(rows, FOLDER / f"{name}.parquet", **small, **options)
    for name, packed in {"plain": "uncompressed", "lz4": "lz4", "zstd": "zstd"}.items():
        feather.write_feather(rows, FOLDER / f"{name}.feather", compression=packed, chunksize=10)
    levels = pa.table({"level": rows["word"].dictionary_encode(), "x": rows["int"]})
    feather.write_feather(levels, FOLDER / "levels.feather", compression="uncompressed")
    nested = pa.table({"x": [1, 2], "items": [[1], [2, 3]], "pair": [{"a": 1}, {"a": 2}]})
    pq.write_table(nested, FOLDER / "bad_nested.parquet", compression="none", **small)
    pq.write_table(rows.select(["double"]), FOLDER / "bad_codec.parquet", compression="brotli", **small)
    write_seeds(rows, forms, small)


def write_seeds(rows, forms, small):
    """Fewer columns, so that a seed stays below the 4096 bytes of a fuzzer's input."""
    wanted = ["gap_flag", "int", "float", "long_price", "word", "day", "micro", "nothing"]
    for name in ("snappy", "plain", "encoded", "encoded_2", "int96"):
        options = dict(forms[name])
        if "column_encoding" in options:
            options["column_encoding"] = {k: v for k, v in options["column_encoding"].items() if k in wanted}
        pq.write_table(rows.select(wanted), SEEDS / "parquet" / name, **small, **options)
    levels = pa.table({"level": rows["word"].dictionary_encode(), "x": rows["int"]})
    feather.write_feather(levels, SEEDS / "arrow" / "levels", compression="uncompressed")
    views = pa.table({"view": rows["only"].cast(pa.string_view()), "flag": rows["gap_flag"]})
    with pa.OSFile(str(SEEDS / "arrow" / "views"), "wb") as file, pa.ipc.new_file(file, views.schema) as writer:
        writer.write_table(views, 10)
    feather.write_feather(rows.select(wanted), SEEDS / "arrow" / "zstd", compression="zstd")


if __name__ == "__main__":
    main()
