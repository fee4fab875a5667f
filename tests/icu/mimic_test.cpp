#include "perpend/icu/mimic.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <sstream>

#include "tests/data/tables.h"
#include "tests/icu/mimic_folder.h"

namespace perpend {
namespace {

TEST(MimicTable, HasARowForEachHourBegun) {
  const MimicFolder mimic;
  const MadeTable made = make_table(mimic.write());
  EXPECT_EQ(made.rows_of("7"), 20U);
  EXPECT_EQ(made.rows_of("3"), 30U);
  EXPECT_EQ(made.report.rows, 50U);
  EXPECT_EQ(made.report.columns, made.table.columns.size());
  EXPECT_EQ(made.table.find("subject_id")->text(0), "3") << "patients are ascending, whatever the files' order";
}

TEST(MimicTable, TakesTheMeanOfAnHourAndKeepsTheLastKnown) {
  const MimicFolder mimic;
  const MadeTable made = make_table(mimic.write());
  EXPECT_EQ(made.cell("7", 0, "heart_rate"), "85");  // 80 and 90, 10:30:00 to 11:29:59
  EXPECT_EQ(made.cell("7", 1, "heart_rate"), "85");
  EXPECT_EQ(made.cell("7", 2, "heart_rate"), "100");   // 140 is marked as an error
  EXPECT_EQ(made.cell("7", 19, "heart_rate"), "100");  // 999 is out of range; 06:30:00 is after the stay
  EXPECT_EQ(made.cell("7", 1, "temperature"), "");
  EXPECT_EQ(made.cell("7", 2, "temperature"), "37");
  EXPECT_EQ(made.cell("7", 2, "mean_pressure"), "14");
  EXPECT_EQ(made.cell("7", 5, "cholesterol"), "");
}

TEST(MimicTable, AddsUrineUp) {
  const MimicFolder mimic;
  EXPECT_EQ(make_table(mimic.write()).cell("7", 2, "urine"), "350");
}

TEST(MimicTable, CountsTheSixHoursBeforeInTheFirst) {
  const MimicFolder mimic;
  const MadeTable made = make_table(mimic.write());
  EXPECT_EQ(made.cell("7", 0, "bun"), "25");  // 20 and 30, not 9
  EXPECT_EQ(made.cell("7", 8, "bun"), "25");
  EXPECT_EQ(made.cell("7", 9, "bun"), "40");
}

TEST(MimicTable, EndsWithThePatient) {
  const MimicFolder mimic;
  const MadeTable made = make_table(mimic.write());
  EXPECT_EQ(made.cell("3", 29, "heart_rate"), "30");
  EXPECT_EQ(made.cell("3", 30, "heart_rate"), "no row");
  EXPECT_EQ(made.cell("3", 0, "in_hospital_death"), "1");
  EXPECT_EQ(made.cell("7", 0, "in_hospital_death"), "0");
}

TEST(MimicTable, KnowsThePatient) {
  const MimicFolder mimic;
  const MadeTable made = make_table(mimic.write());
  EXPECT_EQ(made.cell("7", 0, "age"), "49");  // a day before the birthday
  EXPECT_EQ(made.cell("3", 0, "age"), "90");  // 300 years
  EXPECT_EQ(made.cell("7", 0, "gender"), "F");
  EXPECT_EQ(made.cell("7", 0, "admission_type"), "ELECTIVE");
  EXPECT_EQ(made.cell("3", 0, "first_careunit"), "SICU");  // the first of two stays
}

TEST(MimicTable, BeginsAnHourOnTheSecond) {
  MimicFolder mimic;
  mimic.files["chartevents.csv"] += "14,7,700,211,2150-06-01 11:30:00,60,60,bpm,\n";
  const MadeTable made = make_table(mimic.write());
  EXPECT_EQ(made.cell("7", 0, "heart_rate"), "85");
  EXPECT_EQ(made.cell("7", 1, "heart_rate"), "60");
}

TEST(MimicTable, KnowsNothingOfThePatientBefore) {
  MimicFolder mimic;
  mimic.files["chartevents.csv"] += "14,3,300,678,2150-03-01 01:00:00,98.6,98.6,F,\n";
  const MadeTable made = make_table(mimic.write());
  EXPECT_EQ(made.cell("3", 29, "temperature"), "37");
  EXPECT_EQ(made.cell("7", 0, "temperature"), "");
}

// How many rows patient 6 has with another birth, unit and end. The stay begins on 2150-01-01 00:00:00.
std::size_t rows_of_6(const std::string& birth, const std::string& unit, const std::string& end) {
  MimicFolder mimic;
  const auto replace = [&](const std::string& file, const std::string& old, const std::string& by) {
    std::string& text = mimic.files[file];
    text.replace(text.find(old), old.size(), by);
  };
  replace("patients.csv", "6,M,2100-01-01", "6,M," + birth);
  replace("icustays.csv", "CCU,2150-01-01 00:00:00,2150-01-01 02:00:00", unit + ",2150-01-01 00:00:00," + end);
  return make_table(mimic.write()).rows_of("6");
}

TEST(MimicTable, TakesTheLimitsOfTheCohortIn) {
  EXPECT_EQ(rows_of_6("2100-01-01", "CCU", "2150-01-01 12:00:00"), 12U);
  EXPECT_EQ(rows_of_6("2100-01-01", "CCU", "2150-01-01 11:59:59"), 0U);
  EXPECT_EQ(rows_of_6("2100-01-01", "CCU", "2150-01-11 00:00:00"), 240U);
  EXPECT_EQ(rows_of_6("2100-01-01", "CCU", "2150-01-11 00:00:01"), 0U);
  EXPECT_EQ(rows_of_6("2135-01-01", "CCU", "2150-01-02 00:00:00"), 24U);
  EXPECT_EQ(rows_of_6("2135-01-02", "CCU", "2150-01-02 00:00:00"), 0U);
  EXPECT_EQ(rows_of_6("2100-01-01", "NICU", "2150-01-02 00:00:00"), 0U);
}

TEST(MimicTable, CountsEveryStepOfTheCohort) {
  const MimicFolder mimic;
  const auto steps = make_table(mimic.write()).report.cohort;
  ASSERT_EQ(steps.size(), 6U);
  const auto is = [&](std::size_t i, std::size_t patients, std::size_t admissions, std::size_t stays,
                      std::size_t hours) {
    EXPECT_EQ(steps[i].patients, patients) << steps[i].rule;
    EXPECT_EQ(steps[i].admissions, admissions) << steps[i].rule;
    EXPECT_EQ(steps[i].stays, stays) << steps[i].rule;
    EXPECT_EQ(steps[i].hours, hours) << steps[i].rule;
  };
  is(0, 4, 5, 5, 20 + 48 + 40 + 96 + 2);
  is(1, 4, 5, 5, 20 + 48 + 40 + 96 + 2);
  is(2, 4, 5, 5, 20 + 48 + 30 + 96 + 2);
  is(3, 3, 4, 4, 20 + 48 + 30 + 2);
  is(4, 3, 3, 3, 20 + 30 + 2);
  is(5, 2, 2, 2, 20 + 30);
}

TEST(MimicTable, CountsWhereEveryEventWent) {
  const MimicFolder mimic;
  const MadeTable made = make_table(mimic.write());
  const EventCounts& chart = made.report.events[0];
  EXPECT_EQ(chart.read, 13U);
  EXPECT_EQ(chart.other_items, 1U);
  EXPECT_EQ(chart.no_cohort, 3U);  // after the stay, after death, and of the child
  EXPECT_EQ(chart.error, 1U);
  EXPECT_EQ(chart.no_value, 1U);
  EXPECT_EQ(chart.out_of_range, 1U);
  EXPECT_EQ(chart.used, 6U);
  EXPECT_EQ(chart.moved, 1U);
  for (const EventCounts& e : made.report.events) {
    EXPECT_EQ(e.read, e.other_items + e.no_cohort + e.error + e.no_value + e.out_of_range + e.used) << e.table;
  }
}

// The text with all rows except the first in reverse order.
std::string reversed(const std::string& text) {
  std::istringstream lines(text);
  std::vector<std::string> rows;
  for (std::string line; std::getline(lines, line);) rows.push_back(line + "\n");
  std::reverse(rows.begin() + 1, rows.end());
  std::string out;
  for (const std::string& row : rows) out += row;
  return out;
}

std::string in_capitals(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

TEST(MimicTable, DoesNotDependOnTheOrderOfRows) {
  MimicFolder mimic;
  const std::string expected = make_table(mimic.write()).text;
  for (auto& [name, text] : mimic.files) text = reversed(text);
  EXPECT_EQ(make_table(mimic.write()).text, expected);
}

TEST(MimicTable, DoesNotDependOnMemory) {
  const MimicFolder mimic;
  const std::string folder = mimic.write();
  EXPECT_EQ(make_table(folder, {.memory = 1, .scratch = folder, .progress = {}}).text, make_table(folder).text);
}

TEST(MimicTable, ReadsCapitalsAndPackedFilesAsTheFullSetHasThem) {
  MimicFolder mimic;
  const std::string expected = make_table(mimic.write()).text;
  const MimicFolder full;
  for (const auto& [name, text] : mimic.files) {
    const std::size_t header = text.find('\n');
    const std::string path = full.folder().path(in_capitals(name.substr(0, name.size() - 4)) + ".csv.gz");
    const gzFile file = gzopen(path.c_str(), "wb");
    const std::string bytes = in_capitals(text.substr(0, header)) + text.substr(header);
    gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
    gzclose(file);
  }
  EXPECT_EQ(make_table(full.folder().path(".")).text, expected);
}

TEST(MimicTable, TellsItsProgress) {
  const MimicFolder mimic;
  std::vector<std::string> tables;
  IcuOptions options;
  options.progress = [&](const IcuProgress& p) {
    if (p.rows == 0) tables.emplace_back(p.table);
  };
  make_table(mimic.write(), options);
  EXPECT_EQ(tables, (std::vector<std::string>{"patients", "admissions", "icustays", "chartevents", "labevents",
                                              "outputevents"}));
}

TEST(MimicTable, RefusesWhatIsNotMimic) {
  MimicFolder mimic;
  const auto error = [&](const std::string& file, const std::string& from, const std::string& to) {
    const std::string good = mimic.files[file];
    std::string bad = good;
    bad.replace(bad.find(from), from.size(), to);
    mimic.files[file] = bad;
    const std::string message = data_error([&] { make_table(mimic.write()); });
    mimic.files[file] = good;
    return message;
  };
  const std::string folder = mimic.folder().path("./");
  EXPECT_EQ(error("chartevents.csv", "2150-06-01 12:45:00", "01/06/2150"),
            folder + "chartevents.csv:4: column 'charttime' is '01/06/2150', not a time such as 2164-10-23 21:09:00");
  EXPECT_EQ(error("chartevents.csv", "3,7,700,211", "3,7,700,HR"),
            folder + "chartevents.csv:4: column 'itemid' is 'HR', not a whole number");
  EXPECT_EQ(error("labevents.csv", "valuenum", "number"),
            folder + "labevents.csv has no column 'valuenum'; MIMIC-III's labevents has it");
  EXPECT_EQ(error("icustays.csv", "1,7,70,700", "1,,70,700"),
            folder + "icustays.csv:2: column 'subject_id' is empty, not a whole number");
}

TEST(MimicTable, SaysWhatAFolderLacks) {
  MimicFolder mimic;
  mimic.files.erase("labevents.csv");
  const std::string folder = mimic.write();
  EXPECT_EQ(message_of(ErrorKind::io, [&] { make_table(folder); }),
            folder +
                " has no labevents.csv or labevents.csv.gz; the folder must hold MIMIC-III's patients, admissions, "
                "icustays, chartevents, labevents and outputevents");
}

TEST(MimicTable, SaysWhenNobodyIsInTheCohort) {
  MimicFolder mimic;
  mimic.files["icustays.csv"] =
      "subject_id,hadm_id,first_careunit,intime,outtime\n5,50,NICU,2150-01-01 00:00:00,2150-01-05 00:00:00\n";
  EXPECT_EQ(data_error([&] { make_table(mimic.write()); }),
            mimic.folder().path(".") + ": none of 1 ICU stay is in the cohort (aged 15 or more, 12 to 240 hours)");
}

TEST(MimicTime, ReadsWhatDatabasesWrite) {
  EXPECT_EQ(parse_time("1970-01-02 00:00:01"), 86401);
  EXPECT_EQ(parse_time("1970-01-02T00:01"), 86460);
  EXPECT_EQ(parse_time("1970-01-02"), 86400);
  EXPECT_EQ(parse_time("2164-10-23 21:09:00").value() - parse_time("2164-02-28 21:09:00").value(), 238 * 86400);
  for (const char* wrong : {"", "1970-1-2", "1970-02-30", "1970-01-02 24:00:00", "1970-01-02 00:00:0x", "1970/01/02"}) {
    EXPECT_FALSE(parse_time(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace perpend
