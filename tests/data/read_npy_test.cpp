#include "perpend/data/read_npy.h"

#include <gtest/gtest.h>

#include <cmath>

#include "perpend/data/read_table.h"
#include "tests/data/npy_bytes.h"
#include "tests/data/tables.h"
#include "tests/data/temp_folder.h"

namespace perpend {
namespace {

Table npy(const std::string& bytes) { return read_npy(bytes_in_memory("X.npy", bytes)); }

template <class T>
void expect_round_trip(const std::string& dtype, const std::vector<T>& values) {
  const Table table = npy(npy_bytes(npy_header(dtype, "(" + std::to_string(values.size()) + ",)"), raw_bytes(values)));
  ASSERT_EQ(table.rows, values.size()) << dtype;
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(table.columns[0].numbers[i], static_cast<double>(values[i])) << dtype;
  }
}

TEST(ReadNpy, EveryNumberType) {
  expect_round_trip<std::int8_t>("|i1", {-128, 0, 127});
  expect_round_trip<std::uint8_t>("|u1", {0, 255});
  expect_round_trip<std::uint8_t>("|b1", {0, 1});
  expect_round_trip<std::int16_t>("<i2", {-32768, 32767});
  expect_round_trip<std::uint16_t>("<u2", {0, 65535});
  expect_round_trip<std::int32_t>("<i4", {INT32_MIN, INT32_MAX});
  expect_round_trip<std::uint32_t>("<u4", {0, UINT32_MAX});
  expect_round_trip<std::int64_t>("<i8", {-(std::int64_t{1} << 53), std::int64_t{1} << 53});
  expect_round_trip<std::uint64_t>("<u8", {0, std::uint64_t{1} << 53});
  expect_round_trip<float>("<f4", {-0.1F, 3e38F});
  expect_round_trip<double>("<f8", {-0.1, 1e-300});
}

TEST(ReadNpy, BothOrdersAndEveryVersion) {
  const std::vector<float> c_order = {1, 2, 3, 4, 5, 6};
  const std::vector<float> fortran_order = {1, 4, 2, 5, 3, 6};
  for (const int version : {1, 2, 3}) {
    for (const bool fortran : {false, true}) {
      const Table table =
          npy(npy_bytes(npy_header("<f4", "(2, 3)", fortran), raw_bytes(fortran ? fortran_order : c_order), version));
      ASSERT_EQ(table.rows, 2U);
      ASSERT_EQ(table.names(), (std::vector<std::string>{"x0", "x1", "x2"}));
      EXPECT_EQ(table.columns[1].numbers, (std::vector<double>{2, 5}));
      EXPECT_EQ(table.columns[2].numbers, (std::vector<double>{3, 6}));
    }
  }
}

TEST(ReadNpy, APairGivesATargetAndNanIsMissing) {
  const TempFolder folder;
  const std::string x = folder.write("X.npy", npy_bytes(npy_header("<f8", "(2, 1)"), raw_bytes<double>({NAN, 2})));
  const std::string y = folder.write("y.npy", npy_bytes(npy_header("<i8", "(2,)"), raw_bytes<std::int64_t>({1, 0})));
  const Table table = read_table(x + "," + y);
  EXPECT_EQ(table.names(), (std::vector<std::string>{"x0", "target"}));
  EXPECT_TRUE(table.columns[0].is_missing(0));
  EXPECT_EQ(table.columns[1].text(0), "1");
  EXPECT_EQ(table.place(1), x + "," + y + "[1]");
  EXPECT_EQ(read_table(x).columns.size(), 1U);
}

TEST(ReadNpy, RowsOfBothFilesMustAgree) {
  const std::string x = npy_bytes(npy_header("|i1", "(2, 1)"), "\1\2");
  const std::string y = npy_bytes(npy_header("|i1", "(3,)"), "\1\2\3");
  const std::string message = data_error([&] { read_npy(bytes_in_memory("X.npy", x), bytes_in_memory("y.npy", y)); });
  EXPECT_EQ(message, "X.npy has 2 rows and y.npy has 3 rows; they must be the same");
}

TEST(ReadNpy, NothingIsAllocatedForAFalsePromise) {
  const std::string huge = npy_bytes(npy_header("<f8", "(1000000000000, 1000)"), "");
  EXPECT_NE(data_error([&] { npy(huge); }).find("needs 8,000,000,000,000,000 bytes, but the file has 0"),
            std::string::npos);
  const std::string overflow = npy_bytes(npy_header("<f8", "(100000000000000000, 100000000000000000)"), "");
  EXPECT_NE(data_error([&] { npy(overflow); }).find("more than 2^64"), std::string::npos);
}

TEST(NpyPair, IsOneFileWhereThereIsOneOfThatName) {
  const TempFolder folder;
  const std::string both = folder.path("X.npy,y.npy");
  EXPECT_EQ(files_of(both), (std::vector{folder.path("X.npy"), std::string("y.npy")}));
  folder.write("X.npy,y.npy", "");
  EXPECT_EQ(files_of(both), std::vector{both});
}

}  // namespace
}  // namespace perpend
