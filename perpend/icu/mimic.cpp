#include "perpend/icu/mimic.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_map>

#include "perpend/data/source.h"
#include "perpend/icu/hourly.h"
#include "perpend/icu/rules.h"

namespace perpend {

namespace {

constexpr std::size_t kWriteBytes = std::size_t{1} << 20;

// The cohort by patient, and the first row of each stay.
class Stays {
 public:
  explicit Stays(const std::vector<IcuStay>& stays) : stays_(stays) {
    for (std::size_t s = 0; s < stays.size(); ++s) {
      by_subject_.emplace(stays[s].subject, s);
      first_rows_.push_back(rows_);
      rows_ += stays[s].hours();
    }
  }

  std::size_t rows() const { return rows_; }
  std::size_t first_row(std::size_t stay) const { return first_rows_[stay]; }

  const IcuStay* find(std::uint32_t subject) const {
    const auto found = by_subject_.find(subject);
    return found == by_subject_.end() ? nullptr : &stays_[found->second];
  }
  // The row of an event at that time. Nothing if the time is outside the stay.
  std::optional<std::size_t> row(const IcuStay& stay, std::int64_t time) const {
    constexpr auto kBefore = static_cast<std::int64_t>(kCohortRules.hours_before * 3600);
    if (time < stay.start - kBefore || time >= stay.end) return std::nullopt;
    const auto hour = static_cast<std::size_t>(std::max<std::int64_t>(time - stay.start, 0) / 3600);
    return first_rows_[static_cast<std::size_t>(&stay - stays_.data())] + hour;
  }

 private:
  const std::vector<IcuStay>& stays_;
  std::unordered_map<std::uint32_t, std::size_t> by_subject_;
  std::vector<std::size_t> first_rows_;
  std::size_t rows_ = 0;
};

// One pass over an event table.
class EventPass {
 public:
  EventPass(EventTable table, const Stays& stays, HourlyCells& cells)
      : source_(kEventSources[static_cast<std::size_t>(table)]), rules_(table), stays_(stays), cells_(cells) {}

  EventCounts run(const std::string& folder, const IcuCallback& progress) {
    std::vector<std::string_view> columns = {"itemid", "subject_id", "charttime", source_.value};
    if (!source_.error.empty()) columns.push_back(source_.error);
    MimicRows rows(folder, source_.table, columns, progress);
    while (rows.next()) ++(counts_.*take(rows));
    counts_.table = source_.table;
    counts_.read = rows.rows();
    counts_.bytes = rows.bytes();
    return counts_;
  }

 private:
  enum Column : std::size_t { kItem, kSubject, kTime, kValue, kError };

  // Uses the row, and returns the count to which it belongs.
  std::uint64_t EventCounts::*take(const MimicRows& rows) {
    const std::uint32_t item = rows.id(kItem);
    const std::size_t variable = rules_.variable(item);
    if (variable == ItemRules::kNone) return &EventCounts::other_items;
    const IcuStay* stay = stays_.find(rows.id(kSubject));
    const auto time = stay == nullptr ? std::nullopt : rows.time(kTime);
    const auto row = time ? stays_.row(*stay, *time) : std::nullopt;
    if (!row) return &EventCounts::no_cohort;
    if (!source_.error.empty() && rows.text(kError) == "1") return &EventCounts::error;
    const auto number = as_number(rows.text(kValue));
    if (!number) return &EventCounts::no_value;
    const Limited kept = limited(icu_variables()[variable], rules_.converted(item, *number));
    if (!kept.value) return &EventCounts::out_of_range;
    counts_.moved += kept.moved ? 1 : 0;
    cells_.add(*row, variable, *kept.value);
    return &EventCounts::used;
  }

  const EventSource& source_;
  ItemRules rules_;
  const Stays& stays_;
  HourlyCells& cells_;
  EventCounts counts_;
};

// Writes six significant digits. No instrument has more, and every cell stays short.
class CellText {
 public:
  void set(double x) {
    size_ = static_cast<std::size_t>(std::to_chars(text_.begin(), text_.end(), x, std::chars_format::general, 6).ptr -
                                     text_.begin());
  }
  void clear() { size_ = 0; }
  std::string_view view() const { return {text_.data(), size_}; }

 private:
  std::array<char, 16> text_{};
  std::size_t size_ = 0;
};

class TableText {
 public:
  TableText(const std::vector<IcuStay>& stays, const Stays& rows, const std::function<void(std::string_view)>& write)
      : stays_(stays), rows_(rows), write_(write), last_(icu_variables().size()) {
    text_ = "subject_id,hour,age,gender,admission_type,first_careunit";
    for (const Variable& variable : icu_variables()) (text_ += ',') += variable.name;
    ((text_ += ',') += kIcuTarget) += '\n';
  }

  void add(std::size_t row, std::span<const HourCell> cells) {
    if (stay_ + 1 < stays_.size() && row == rows_.first_row(stay_ + 1)) begin(stay_ + 1);
    if (row == 0) begin(0);
    text_ += subject_;
    text_ += std::to_string(row - rows_.first_row(stay_));
    text_ += statics_;
    for (std::size_t v = 0; v < cells.size(); ++v) {
      const Fold fold = icu_variables()[v].fold;
      if (!cells[v].empty()) last_[v].set(fold == Fold::mean ? cells[v].mean() : cells[v].sum());
      text_ += ',';
      text_ += last_[v].view();
    }
    text_ += stays_[stay_].died ? ",1\n" : ",0\n";
    if (text_.size() > kWriteBytes) flush();
  }

  void flush() {
    write_(text_);
    text_.clear();
  }

 private:
  void begin(std::size_t stay) {
    stay_ = stay;
    const IcuStay& s = stays_[stay];
    subject_ = std::to_string(s.subject) + ',';
    statics_ = ',' + std::to_string(s.age) + ',' + csv_cell(s.gender) + ',' + csv_cell(s.admission_type) + ',' +
               csv_cell(s.care_unit);
    for (CellText& cell : last_) cell.clear();
  }

  const std::vector<IcuStay>& stays_;
  const Stays& rows_;
  const std::function<void(std::string_view)>& write_;
  std::vector<CellText> last_;
  std::string text_;
  std::size_t stay_ = 0;
  std::string subject_;  // the beginning of all rows of the stay
  std::string statics_;
};

}  // namespace

IcuReport make_mimic_table(const std::string& folder, const std::function<void(std::string_view)>& write,
                           const IcuOptions& options) {
  for (const EventSource& source : kEventSources) mimic_file(folder, source.table);
  Cohort cohort = find_cohort(folder, options.progress);
  const Stays stays(cohort.stays);
  HourlyCells cells(stays.rows(), icu_variables().size(), options.memory, options.scratch);
  IcuReport report;
  for (const EventTable table : {EventTable::chart, EventTable::lab, EventTable::output}) {
    report.events.push_back(EventPass(table, stays, cells).run(folder, options.progress));
  }
  TableText text(cohort.stays, stays, write);
  cells.finish([&](std::size_t row, std::span<const HourCell> values) { text.add(row, values); });
  text.flush();
  report.cohort = std::move(cohort.steps);
  report.rows = stays.rows();
  report.columns = icu_variables().size() + 7;
  report.patients = cohort.stays.size();
  report.deaths = static_cast<std::size_t>(std::ranges::count(cohort.stays, true, &IcuStay::died));
  return report;
}

}  // namespace perpend
