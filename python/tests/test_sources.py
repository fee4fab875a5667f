"""Tables that pandas, pyarrow and polars write are read to the cells that they hold, in every codec, encoding and type."""

import decimal
import pathlib

import numpy as np
import pytest

from perpend import _core

pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
feather = pytest.importorskip("pyarrow.feather")
pq = pytest.importorskip("pyarrow.parquet")

ROWS = 2500
CODECS = ["none", "snappy", "gzip", "zstd", "lz4"]


def table(gaps):
    rng = np.random.default_rng(7)
    whole = rng.integers(-100, 100, ROWS)
    moments = rng.integers(-(10**15), 2 * 10**15, ROWS)
    real = rng.normal(size=ROWS)
    real[::17] = np.nan
    words = ["red", "green", "blue, or so", "12", "007", "grün"]

    def column(values, kind):
        return pa.array([None if rng.random() < gaps else value for value in values], kind)

    columns = {"flag": column((whole > 0).tolist(), pa.bool_())}
    for bits in (8, 16, 32, 64):
        columns[f"int{bits}"] = column(whole.tolist(), getattr(pa, f"int{bits}")())
        columns[f"uint{bits}"] = column(np.abs(whole).tolist(), getattr(pa, f"uint{bits}")())
    columns["huge"] = column([2**63 + int(value) for value in np.abs(whole)], pa.uint64())
    columns["float"] = column(real.astype(np.float32).tolist(), pa.float32())
    columns["double"] = column(real.tolist(), pa.float64())
    columns["few"] = column((whole // 10 / 4).tolist(), pa.float64())
    columns["price"] = column([decimal.Decimal(int(value)).scaleb(-2) for value in whole], pa.decimal128(9, 2))
    columns["long"] = column([decimal.Decimal(int(v) * 10**20 + 7).scaleb(-9) for v in moments], pa.decimal128(38, 9))
    columns["word"] = column([words[value % 6] for value in whole], pa.string())
    columns["only"] = column([f"word number {i}" for i in range(ROWS)], pa.string())
    columns["day"] = column(whole.tolist(), pa.int32()).cast(pa.date32())
    for unit, ticks in {"s": 10**6, "ms": 10**3, "us": 1}.items():
        columns[f"at_{unit}"] = column((moments // ticks).tolist(), pa.timestamp(unit))
    columns["at_ns"] = column((moments * 1000 + 7).tolist(), pa.timestamp("ns", tz="UTC"))
    columns["nothing"] = pa.nulls(ROWS)
    return pa.table(columns)


def wanted(column):
    """The cells as perpend should have them: floats, texts, and None where one is missing."""
    kind = column.type
    if pa.types.is_timestamp(kind):
        per_second = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[kind.unit]
        return [None if t is None else moment(t, per_second) for t in column.cast(pa.int64()).to_pylist()]
    if pa.types.is_date(kind):
        return [None if day is None else day.isoformat() for day in column.to_pylist()]
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return [12.0 if text == "12" else text for text in column.to_pylist()]
    cells = [None if cell is None else float(cell) for cell in column.to_pylist()]
    return [None if cell is None or cell != cell else cell for cell in cells]


def moment(ticks, per_second):
    seconds, part = divmod(ticks, per_second)
    text = str(np.datetime64(seconds, "s")).replace("T", " ")
    digits = len(str(per_second)) - 1
    return text + ("." + str(part).rjust(digits, "0").rstrip("0") if part else "")


def check(path, rows):
    read = _core.read_source(str(path), "")
    assert list(read) == rows.column_names
    for name in rows.column_names:
        cells = wanted(rows[name])
        numbers = all(cell is None or isinstance(cell, float) for cell in cells)
        given = [None if numbers and cell == "nan" else cell for cell in list(read[name])]  # a word that means missing
        got = [cell if cell is None or not (numbers or cell == "12") else float(cell) for cell in given]
        assert got == cells, name


@pytest.fixture(scope="module", params=[0, 0.1, 0.9], ids=["whole", "gaps", "mostly gaps"])
def rows(request):
    return table(request.param)


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("codec", CODECS)
def test_parquet_codecs_and_pages(rows, codec, version, tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(rows, path, compression=codec, data_page_version=version)
    check(path, rows)
    pq.write_table(rows, path, compression=codec, data_page_version=version, use_dictionary=False, data_page_size=900)
    check(path, rows)
    pq.write_table(rows, path, compression=codec, row_group_size=700, write_page_checksum=True)
    check(path, rows)
    pq.write_table(rows, path, compression=codec, dictionary_pagesize_limit=200, data_page_size=300)
    check(path, rows)


def encoding(kind, text, whole):
    if pa.types.is_boolean(kind):
        return "RLE"
    if pa.types.is_string(kind):
        return text
    if pa.types.is_decimal(kind):
        return "DELTA_BYTE_ARRAY"
    return "BYTE_STREAM_SPLIT" if pa.types.is_floating(kind) else whole


@pytest.mark.parametrize("text", ["PLAIN", "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"])
@pytest.mark.parametrize("whole", ["PLAIN", "DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT"])
def test_parquet_encodings(rows, text, whole, tmp_path):
    path = tmp_path / "t.parquet"
    encodings = {f.name: encoding(f.type, text, whole) for f in rows.schema if not pa.types.is_null(f.type)}
    pq.write_table(rows, path, use_dictionary=False, column_encoding=encodings)
    check(path, rows)


def test_parquet_old_forms(rows, tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(rows, path, version="1.0", use_deprecated_int96_timestamps=True)
    check(path, rows)
    pq.write_table(rows, path, store_decimal_as_integer=True)
    check(path, rows)


@pytest.mark.parametrize("codec", ["uncompressed", "lz4", "zstd"])
def test_feather(rows, codec, tmp_path):
    path = tmp_path / "t.feather"
    feather.write_feather(rows, path, compression=codec, chunksize=700)
    check(path, rows)


def test_polars_files(rows, tmp_path):
    polars = pytest.importorskip("polars")
    some = rows.select(["flag", "int8", "double", "word", "only", "day", "at_us"])
    frame = polars.from_arrow(some)
    frame.write_parquet(tmp_path / "t.parquet")
    check(tmp_path / "t.parquet", some)
    for codec in ("uncompressed", "lz4", "zstd"):
        frame.write_ipc(tmp_path / "t.arrow", compression=codec)
        check(tmp_path / "t.arrow", some)


def test_pandas_frames_and_their_row_labels(tmp_path):
    frame = pd.DataFrame({"x": [1.5, None, 2.5], "word": ["a", "b", None]}, index=[7, 8, 9])
    frame.to_parquet(tmp_path / "t.parquet")
    read = _core.read_source(str(tmp_path / "t.parquet"), "")
    assert read == {"x": ["1.5", None, "2.5"], "word": ["a", "b", None]}


def test_csv_of_pandas_and_pyarrow(rows, tmp_path):
    csv = pytest.importorskip("pyarrow.csv")
    # CSV has no types: booleans are words, float32 has its shortest decimals, and pandas writes nanoseconds.
    some = rows.select(["int8", "uint64", "huge", "double", "few", "price", "word", "only", "day", "nothing"])
    csv.write_csv(some, tmp_path / "arrow.csv")
    check(tmp_path / "arrow.csv", some)
    some.to_pandas(integer_object_nulls=True).to_csv(tmp_path / "pandas.csv", index=False)
    check(tmp_path / "pandas.csv", some)


def test_numbers_for_people_are_the_same_in_every_file(tmp_path, program):
    prices = ["1.000", "999,50", "2.345.678", "7", None, "1.250"] * 20
    table = pa.table({"price": prices, "y": ["a", "b", "b"] * 40})
    table.to_pandas().to_csv(tmp_path / "t.csv", index=False)
    pq.write_table(table, tmp_path / "t.parquet")
    pq.write_table(table, tmp_path / "plain.parquet", use_dictionary=False)
    feather.write_feather(table, tmp_path / "t.feather")
    models = []
    for name in ["t.csv", "t.parquet", "plain.parquet", "t.feather"]:
        words = ["--target", "y", "-o", tmp_path / "model", "--epochs", "1", "--split", "none", "--force"]
        program("train", tmp_path / name, *words)
        models.append((tmp_path / "model").read_bytes())
    assert models[1:] == models[:-1]


def test_parts_in_several_files(rows, tmp_path):
    pq.write_table(rows[:900], tmp_path / "part-1.parquet")
    pq.write_table(rows[900:], tmp_path / "part-2.parquet")
    check(tmp_path, rows)
    check(tmp_path / "part-*.parquet", rows)


def test_what_is_not_read_is_named(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"x": [1], "items": [[1, 2]]}), path)
    with pytest.raises(ValueError, match="column 'items' is nested"):
        _core.read_source(str(path), "")
    pq.write_table(pa.table({"x": [1], "bytes": pa.array([b"\xff\x00"])}), path)
    with pytest.raises(ValueError, match="column 'bytes': a cell is not text in UTF-8"):
        _core.read_source(str(path), "")
    pq.write_table(pa.table({"x": pa.array([1, 2])}), path, compression="brotli")
    with pytest.raises(ValueError, match="column 'x' is packed by codec brotli"):
        _core.read_source(str(path), "")
    whole = pathlib.Path(path).read_bytes()
    path.write_bytes(whole[:-20])
    with pytest.raises(ValueError, match="cut off or damaged"):
        _core.read_source(str(path), "")
