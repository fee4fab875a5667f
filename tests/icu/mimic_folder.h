// A small MIMIC-III in a folder, and the table that is made of it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "perpend/data/read_csv.h"
#include "perpend/icu/mimic.h"
#include "tests/data/temp_folder.h"

namespace perpend {

struct MadeTable {
  IcuReport report;
  std::string text;
  Table table;

  // The cell of a patient's hour, or "no row" if there is none.
  std::string cell(const std::string& subject, std::size_t hour, const std::string& column) const {
    for (std::size_t r = 0; r < table.rows; ++r) {
      if (table.find("subject_id")->text(r) == subject && table.find("hour")->text(r) == std::to_string(hour)) {
        return table.find(column)->text(r);
      }
    }
    return "no row";
  }
  std::size_t rows_of(const std::string& subject) const {
    std::size_t rows = 0;
    for (std::size_t r = 0; r < table.rows; ++r) rows += table.find("subject_id")->text(r) == subject ? 1 : 0;
    return rows;
  }
};

inline MadeTable make_table(const std::string& folder, IcuOptions options = {}) {
  MadeTable made;
  made.report = make_mimic_table(
      folder, [&](std::string_view text) { made.text += text; }, options);
  made.table = read_csv(bytes_in_memory("icu.csv", made.text));
  return made;
}

// Patient 7 has one stay of 20 hours from 10:30 on. Patient 3 has two stays, and dies in the second, 30 hours into 40.
// Patient 5 is a child. Patient 6 has a stay of two hours.
class MimicFolder {
 public:
  std::map<std::string, std::string> files = {
      {"patients.csv",
       "row_id,subject_id,gender,dob\n"
       "1,7,F,2100-06-02 00:00:00\n"
       "2,3,M,1850-01-01 00:00:00\n"
       "3,5,F,2140-01-01 00:00:00\n"
       "4,6,M,2100-01-01 00:00:00\n"},
      {"admissions.csv",
       "row_id,subject_id,hadm_id,deathtime,admission_type,hospital_expire_flag,diagnosis\n"
       "1,7,70,,ELECTIVE,0,\"A, B\"\n"
       "2,3,30,2150-03-02 06:00:00,EMERGENCY,1,\"\"\"C\"\"\"\n"
       "3,3,31,,URGENT,0,\n"
       "4,5,50,,NEWBORN,0,\n"
       "5,6,60,,URGENT,0,\n"},
      {"icustays.csv",
       "row_id,subject_id,hadm_id,icustay_id,first_careunit,intime,outtime\n"
       "1,7,70,700,MICU,2150-06-01 10:30:00,2150-06-02 06:30:00\n"
       "2,3,31,301,CCU,2150-05-01 00:00:00,2150-05-03 00:00:00\n"
       "3,3,30,300,SICU,2150-03-01 00:00:00,2150-03-02 16:00:00\n"
       "4,5,50,500,NICU,2150-01-01 00:00:00,2150-01-05 00:00:00\n"
       "5,6,60,600,CCU,2150-01-01 00:00:00,2150-01-01 02:00:00\n"},
      {"chartevents.csv",
       "row_id,subject_id,icustay_id,itemid,charttime,value,valuenum,valueuom,error\n"
       "1,7,700,211,2150-06-01 10:30:00,80,80,bpm,\n"
       "2,7,700,220045,2150-06-01 11:29:59,90,90,bpm,0\n"
       "3,7,700,211,2150-06-01 12:45:00,100,100,bpm,\n"
       "4,7,700,211,2150-06-01 12:50:00,140,140,bpm,1\n"
       "5,7,700,678,2150-06-01 12:50:00,98.6,98.6,F,\n"
       "6,7,700,52,2150-06-01 12:50:00,5,5,mmHg,\n"
       "7,7,700,211,2150-06-01 14:50:00,999,999,bpm,\n"
       "8,7,700,211,2150-06-01 14:51:00,\"not, known\",,bpm,\n"
       "9,7,700,999,2150-06-01 14:50:00,1,1,,\n"
       "10,7,700,211,2150-06-02 06:30:00,70,70,bpm,\n"
       "11,3,300,211,2150-03-02 05:59:00,30,30,bpm,\n"
       "12,3,300,211,2150-03-02 06:00:00,0,0,bpm,\n"
       "13,5,500,211,2150-01-01 06:00:00,150,150,bpm,\n"},
      {"labevents.csv",
       "row_id,subject_id,hadm_id,itemid,charttime,value,valuenum,flag\n"
       "1,7,70,51006,2150-06-01 04:29:59,9,9,\n"
       "2,7,,51006,2150-06-01 04:30:00,20,20,abnormal\n"
       "3,7,70,51006,2150-06-01 10:29:00,30,30,\n"
       "4,7,70,51006,2150-06-01 20:00:00,40,40,\n"},
      {"outputevents.csv",
       "row_id,subject_id,icustay_id,charttime,itemid,value,iserror\n"
       "1,7,700,2150-06-01 13:00:00,40055,100,\n"
       "2,7,700,2150-06-01 13:10:00,226560,250,\n"}};

  std::string write() const {
    for (const auto& [name, text] : files) folder_.write(name, text);
    return folder_.path(".");
  }
  const TempFolder& folder() const { return folder_; }

 private:
  TempFolder folder_;
};

}  // namespace perpend
