#include "perpend/api/ask.h"

#include <gtest/gtest.h>

#include "perpend/api/adapt.h"
#include "perpend/base/error.h"
#include "perpend/data/source.h"
#include "tests/api/small_fit.h"

namespace perpend {
namespace {

using test::small_options;
using test::small_table;

TEST(Ask, GivesTheChosenRowsAsTheyAreAndAnEmptyColumn) {
  const TrainedModel model = fit(small_table(), small_options()).model;
  const Table rows =
      read_csv(bytes_in_memory("new.csv", "row,a,b,c,note\n1,9.5,1,red,\"x, y\"\n2,8.5,2,blue,\n3,1,7,red,z\n"));
  const AskedRows asked = ask(model, rows, 3);
  const std::string csv = csv_text(table_to_label(model, rows, asked));
  EXPECT_TRUE(csv.starts_with("row_,row,a,b,c,note,y\n")) << csv;
  EXPECT_NE(csv.find("1,1,9.5,1,red,\"x, y\",\n"), std::string::npos) << csv;
  EXPECT_NE(csv.find("3,3,1,7,red,z,\n"), std::string::npos) << csv;
}

TEST(Ask, KeepsLabelsThatAreThereSoAdaptCanReadThem) {
  const TrainedModel model = fit(small_table(), small_options()).model;
  const Table rows = small_table(30);
  const Table chosen = table_to_label(model, rows, ask(model, rows, 8));
  EXPECT_EQ(chosen.rows, 8U);
  EXPECT_EQ(adapt(model, chosen).rows, 8U);
}

TEST(Ask, TheRestIsEveryOtherRowAsItIs) {
  const TrainedModel model = fit(small_table(), small_options()).model;
  const Table rows = read_csv(bytes_in_memory("new.csv", "a,b,c,note\n9.5,1,red,\"x, y\"\n8.5,2,blue,\n1,7,red,z\n"));
  EXPECT_EQ(csv_text(table_of_rest(rows, {.rows = {1}, .warnings = {}, .encoded = {}})),
            "a,b,c,note\n9.5,1,red,\"x, y\"\n1,7,red,z\n");
  const AskedRows asked = ask(model, rows, 3);
  EXPECT_EQ(csv_text(table_of_rest(rows, asked)), "a,b,c,note\n");
}

TEST(Ask, RefusesMoreRowsThanThereAre) {
  const TrainedModel model = fit(small_table(), small_options()).model;
  EXPECT_THROW(ask(model, small_table(5), 6), DataError);
}

}  // namespace
}  // namespace perpend
