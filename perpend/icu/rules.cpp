#include "perpend/icu/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "perpend/base/error.h"
#include "perpend/data/table.h"

namespace perpend {

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr auto kMean = Fold::mean;
constexpr auto kSum = Fold::sum;

// clang-format off
constexpr Variable kVariables[] = {
  // name, unit, per hour, low, least, most, high, {chart items, lab items, output items}, name in the challenge
  {"heart_rate", "bpm", kMean, 0, 0, 350, 390, {"211 220045", "", ""}, "HR"},
  {"systolic_pressure", "mmHg", kMean, 0, 0, 375, 375, {"51 220050 225309 6701 455 220179 3313 3315 442 3317 3323 3321 224167 227243", "", ""}, "SysABP NISysABP"},
  {"diastolic_pressure", "mmHg", kMean, 0, 0, 375, 375, {"8368 220051 225310 8555 8441 220180 8502 8440 8503 8504 8507 8506 224643", "", ""}, "DiasABP NIDiasABP"},
  {"mean_pressure", "mmHg", kMean, 0, 14, 330, 375, {"52 220052 225312 224 6702 224322 456 220181 3312 3314 3316 3322 3320", "", ""}, "MAP NIMAP"},
  {"respiratory_rate", "per min", kMean, 0, 0, 300, 330, {"618 220210 3603 224689 614 651 224422 615 224690", "", ""}, "RespRate"},
  {"oxygen_saturation", "%", kMean, 0, 0, 100, 150, {"834 8498 220227 646 220277", "50817", ""}, "SaO2"},
  {"temperature", "C", kMean, 14.2, 26, 45, 47, {"3655 677 676 223762 3654 678 223761 679", "", ""}, "Temp"},
  {"gcs_eyes", "points", kMean, 1, 1, 4, 4, {"184 220739", "", ""}, ""},
  {"gcs_verbal", "points", kMean, 1, 1, 5, 5, {"723 223900", "", ""}, ""},
  {"gcs_motor", "points", kMean, 1, 1, 6, 6, {"454 223901", "", ""}, ""},
  {"gcs_total", "points", kMean, 3, 3, 15, 15, {"198", "", ""}, "GCS"},
  {"fio2", "fraction", kMean, 0.2, 0.21, 1, 1.1, {"3420 223835 3422 189 727", "", ""}, "FiO2"},
  {"weight", "kg", kMean, 0, 0, 250, 250, {"763 224639 226512 3580 3693 3581 226531 3582", "", ""}, "Weight"},
  {"height", "cm", kMean, 0, 0, 240, 275, {"226707 226730 1394", "", ""}, "Height"},
  {"urine", "ml", kSum, 0, 0, 1200, 2445, {"", "", "40055 40056 40057 40061 40065 40069 40085 40086 40094 40096 40405 40428 40473 40651 40715 43175 226557 226558 226559 226560 226561 226563 226564 226565 226567 226584 226627"}, ""},
  {"central_venous_pressure", "mmHg", kMean, -kInf, -kInf, kInf, kInf, {"113 220074", "", ""}, ""},
  {"peak_inspiratory_pressure", "cmH2O", kMean, 0, 14, 38, 40, {"535 224695", "", ""}, ""},
  {"peep", "cmH2O", kMean, 0, 0, 25, 30, {"224700", "50819", ""}, ""},
  {"bun", "mg/dL", kMean, 0, 0, 250, 275, {"781 1162 225624 3737", "51006", ""}, "BUN"},
  {"creatinine", "mg/dL", kMean, 0, 0.1, 60, 66, {"791 1525 220615", "50912", ""}, "Creatinine"},
  {"sodium", "mEq/L", kMean, 0, 50, 225, 250, {"837 1536 220645 226534", "50983 50824", ""}, "Na"},
  {"potassium", "mEq/L", kMean, 0, 0, 12, 15, {"829 1535 227464 227442", "50971 50822", ""}, "K"},
  {"chloride", "mEq/L", kMean, 0, 50, 175, 200, {"788 1523 220602 226536", "50902 50806", ""}, ""},
  {"bicarbonate", "mEq/L", kMean, 0, 0, 60, 66, {"227443", "50882 50803", ""}, "HCO3"},
  {"anion_gap", "mEq/L", kMean, 0, 5, 50, 55, {"227073", "50868", ""}, ""},
  {"glucose", "mg/dL", kMean, 0, 33, 2000, 2200, {"807 811 1529 3745 225664 220621 226537", "50931 50809", ""}, "Glucose"},
  {"magnesium", "mg/dL", kMean, 0, 0, 20, 22, {"821 1532 220635", "50960", ""}, "Mg"},
  {"phosphate", "mg/dL", kMean, 0, 0.5, 20, 22, {"827 225677 1534", "50970", ""}, ""},
  {"calcium", "mg/dL", kMean, -kInf, -kInf, kInf, kInf, {"786 1522 225625", "50893", ""}, ""},
  {"ionized_calcium", "mmol/L", kMean, -kInf, -kInf, kInf, kInf, {"816 225667", "50808", ""}, ""},
  {"lactate", "mmol/L", kMean, 0, 0.4, 30, 33, {"818 225668 1531", "50813", ""}, "Lactate"},
  {"ph", "pH", kMean, 6.3, 6.3, 8.4, 10, {"3839 1673 780 1126 223830 4753 4202 860 220274", "50820 50831", ""}, "pH"},
  {"po2", "mmHg", kMean, 0, 32, 700, 770, {"779", "50821", ""}, "PaO2"},
  {"pco2", "mmHg", kMean, 0, 0, 200, 220, {"226062 778 220235", "50818", ""}, "PaCO2"},
  {"hematocrit", "%", kMean, 0, 0, 75, 100, {"813 220545", "51221 50810", ""}, "HCT"},
  {"hemoglobin", "g/dL", kMean, 0, 0, 25, 30, {"814 220228", "51222 50811", ""}, ""},
  {"white_cells", "K/uL", kMean, 0, 0, 1000, 1100, {"861 1127 1542 220546", "51301 51300", ""}, "WBC"},
  {"platelets", "K/uL", kMean, 0, 0, 2000, 2200, {"828 227457", "51265", ""}, "Platelets"},
  {"inr", "ratio", kMean, 0, 0, 50, 50, {"815 1530 227467", "51237", ""}, ""},
  {"pt", "s", kMean, 0, 0, 150, 150, {"1286 824 227465", "51274", ""}, ""},
  {"ptt", "s", kMean, 0, 18.8, 150, 150, {"825 1533 227466", "51275", ""}, ""},
  {"albumin", "g/dL", kMean, 0, 0.6, 6, 60, {"772 1521 227456", "50862", ""}, "Albumin"},
  {"bilirubin", "mg/dL", kMean, 0, 0.1, 60, 66, {"848 1538 225690", "50885", ""}, "Bilirubin"},
  {"alt", "IU/L", kMean, 0, 2, 10000, 11000, {"769 220644", "50861", ""}, "ALT"},
  {"ast", "IU/L", kMean, 0, 6, 20000, 22000, {"770 220587", "50878", ""}, "AST"},
  {"alkaline_phosphatase", "IU/L", kMean, 0, 20, 3625, 4000, {"773 225612", "50863", ""}, "ALP"},
  {"ldh", "IU/L", kMean, 0, 54, 33000, 35000, {"", "50954", ""}, ""},
  {"troponin_i", "ng/mL", kMean, 0, 0.01, 49.6, 575, {"851", "51002", ""}, "TroponinI"},
  {"troponin_t", "ng/mL", kMean, 0, 0.01, 20.85, 24, {"227429", "51003", ""}, "TroponinT"},
  {"cholesterol", "mg/dL", kMean, 0, 32, 600, 660, {"789 1524 220603", "50907", ""}, "Cholesterol"},
};

constexpr double kPound = 0.45359237;
constexpr Conversion kConversions[] = {
  // variable, items (empty for all), above, up to, shift, factor
  {"temperature", "", 79, kInf, 32, 5.0 / 9},            // Fahrenheit, whatever unit the item has
  {"fio2", "", 1, kInf, 0, 0.01},                        // per cent
  {"oxygen_saturation", "", -kInf, 1, 0, 100},           // a fraction
  {"weight", "3581 226531", -kInf, kInf, 0, kPound},
  {"weight", "3582", -kInf, kInf, 0, kPound / 16},       // ounces
  {"height", "226707 1394", -kInf, kInf, 0, 2.54},       // inches
};
// clang-format on

std::vector<std::uint32_t> item_ids(std::string_view text) {
  std::vector<std::uint32_t> ids;
  const char* end = text.data() + text.size();
  for (const char* at = text.data(); at != end;) {
    if (*at == ' ') ++at;
    std::uint32_t id = 0;
    const auto [next, error] = std::from_chars(at, end, id);
    PERPEND_CHECK(error == std::errc());
    ids.push_back(id);
    at = next;
  }
  return ids;
}

bool concerns(const Conversion& conversion, const Variable& variable, std::uint32_t item) {
  if (conversion.variable != variable.name) return false;
  const auto items = item_ids(conversion.items);
  return items.empty() || std::ranges::find(items, item) != items.end();
}

std::string limit_text(double limit) { return std::isinf(limit) ? "" : number_name(limit); }

std::string conversion_text(const Conversion& c) {
  std::string when;
  if (!std::isinf(c.above)) when = fmt::format("x > {}: ", number_name(c.above));
  if (!std::isinf(c.up_to)) when = fmt::format("x <= {}: ", number_name(c.up_to));
  const std::string x = c.shift == 0 ? "x" : fmt::format("(x - {})", number_name(c.shift));
  return when + x + " * " + fmt::format("{:.8g}", c.factor);
}

}  // namespace

std::span<const Variable> icu_variables() { return kVariables; }
std::span<const Conversion> icu_conversions() { return kConversions; }

Limited limited(const Variable& variable, double x) {
  // Some variables have no limits, but every value must be a float.
  if (!(x >= variable.low && x <= variable.high && std::abs(x) < kFloatEnd)) return {};
  const double inside = std::clamp(x, variable.least, variable.most);
  return {inside, inside != x};
}

ItemRules::ItemRules(EventTable table) {
  for (std::size_t v = 0; v < std::size(kVariables); ++v) {
    for (const std::uint32_t item : item_ids(kVariables[v].items[static_cast<std::size_t>(table)])) {
      if (item >= variables_.size()) variables_.resize(item + 1, kNone);
      PERPEND_CHECK(variables_[item] == kNone);
      variables_[item] = v;
      for (const Conversion& conversion : kConversions) {
        if (concerns(conversion, kVariables[v], item)) conversions_.push_back({item, &conversion});
      }
    }
  }
}

double ItemRules::converted(std::uint32_t item, double x) const {
  for (const Applied& applied : conversions_) {
    const Conversion& c = *applied.conversion;
    if (applied.item == item && x > c.above && x <= c.up_to) return (x - c.shift) * c.factor;
  }
  return x;
}

std::string icu_rules_csv() {
  std::string text = "itemid,table,column,unit,per_hour,low,least,most,high,conversion\n";
  for (const Variable& v : kVariables) {
    for (std::size_t t = 0; t < kEventSources.size(); ++t) {
      for (const std::uint32_t item : item_ids(v.items[t])) {
        std::string conversion;
        for (const Conversion& c : kConversions) {
          if (concerns(c, v, item)) conversion = conversion_text(c);
        }
        text += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", item, kEventSources[t].table, v.name, v.unit,
                            v.fold == Fold::mean ? "mean" : "sum", limit_text(v.low), limit_text(v.least),
                            limit_text(v.most), limit_text(v.high), conversion);
      }
    }
  }
  return text;
}

}  // namespace perpend
