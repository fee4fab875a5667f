#include "perpend/data/public.h"

#include <algorithm>

#include "perpend/base/error.h"
#include "perpend/data/trimmed.h"

namespace perpend {
namespace {

constexpr const char* kCcBy = "CC BY 4.0";

std::string uci(const std::string& path) { return "https://archive.ics.uci.edu/ml/machine-learning-databases/" + path; }

std::vector<std::string> numbered(const std::string& stem, int count) {
  std::vector<std::string> names;
  for (int i = 1; i <= count; ++i) names.push_back(stem + (i < 10 ? "0" : "") + std::to_string(i));
  return names;
}

// Regions of interest 1 .. 22, at rest and under stress.
std::vector<std::string> spectf_columns() {
  std::vector<std::string> names;
  for (int i = 1; i <= 22; ++i) {
    for (const char* state : {"R", "S"}) names.push_back("F" + std::to_string(i) + state);
  }
  return names;
}

PublicSet electricity() {
  return {.name = "electricity",
          .title = "Electricity prices of New South Wales going up or down",
          .page = "https://moa.cms.waikato.ac.nz/datasets/",
          .downloads = {"https://sourceforge.net/projects/moa-datastream/files/Datasets/Classification/"
                        "elecNormNew.arff.zip/download"},
          .layout = RawLayout::arff,
          .columns = {"date", "day", "period", "nswprice", "nswdemand", "vicprice", "vicdemand", "transfer"},
          .target = "target",
          .positive = "UP",
          .categorical = false,
          .dropped = {},
          .statistics_rows = 45312,
          .rows = 45312,
          .encoded_columns = 8,
          .bytes = 3091691,
          .sha256 = "fbde06989e7a8df2b7cfe3fb50989b2e50c893d7dd1944ce963425d00651afb5",
          .licence = "none stated",
          .citation = "M. Harries, Splice-2 comparative evaluation: electricity pricing, UNSW 1999; spread by MOA"};
}

PublicSet ionosphere() {
  return {.name = "ionosphere",
          .title = "Radar returns that show structure in the ionosphere, or do not",
          .page = "https://archive.ics.uci.edu/dataset/52/ionosphere",
          .downloads = {uci("ionosphere/ionosphere.data")},
          .layout = RawLayout::target_last,
          .columns = numbered("a", 34),
          .target = "target",
          .positive = "g",
          .categorical = false,
          .dropped = {"a02"},
          .statistics_rows = 351,
          .rows = 351,
          .encoded_columns = 33,
          .bytes = 76610,
          .sha256 = "a9aadeed0d8bfcbbe3738de17771a11f13722a92a13c8ab12d446670a156903b",
          .licence = kCcBy,
          .citation = "V. Sigillito, S. Wing, L. Hutton, K. Baker, Ionosphere, UCI 1989"};
}

PublicSet mushroom() {
  return {.name = "mushroom",
          .title = "Mushrooms edible or poisonous",
          .page = "https://archive.ics.uci.edu/dataset/73/mushroom",
          .downloads = {uci("mushroom/agaricus-lepiota.data")},
          .layout = RawLayout::target_first,
          .columns = {"cap-shape",
                      "cap-surface",
                      "cap-color",
                      "bruises",
                      "odor",
                      "gill-attachment",
                      "gill-spacing",
                      "gill-size",
                      "gill-color",
                      "stalk-shape",
                      "stalk-root",
                      "stalk-surface-above-ring",
                      "stalk-surface-below-ring",
                      "stalk-color-above-ring",
                      "stalk-color-below-ring",
                      "veil-type",
                      "veil-color",
                      "ring-number",
                      "ring-type",
                      "spore-print-color",
                      "population",
                      "habitat"},
          .target = "target",
          .positive = "p",
          .categorical = true,
          .dropped = {"veil-type"},
          .statistics_rows = 8124,
          .rows = 8124,
          .encoded_columns = 111,
          .bytes = 374005,
          .sha256 = "d685896eff743136b1c4a251e3116710834754e8e984200a755f8206fcc83427",
          .licence = kCcBy,
          .citation = "J. Schlimmer, Mushroom, UCI 1987"};
}

PublicSet sonar() {
  return {.name = "sonar",
          .title = "Sonar returns from mines or rocks",
          .page = "https://archive.ics.uci.edu/dataset/151/connectionist+bench+sonar+mines+vs+rocks",
          .downloads = {uci("undocumented/connectionist-bench/sonar/sonar.all-data")},
          .layout = RawLayout::target_last,
          .columns = numbered("band", 60),
          .target = "target",
          .positive = "M",
          .categorical = false,
          .dropped = {},
          .statistics_rows = 208,
          .rows = 208,
          .encoded_columns = 60,
          .bytes = 88203,
          .sha256 = "b209f56961e57825dc05e324239c3054d5350d41467bb3068d10c3446ddace6d",
          .licence = kCcBy,
          .citation = "T. Sejnowski, R. Gorman, Connectionist Bench (Sonar, Mines vs. Rocks), UCI 1988"};
}

PublicSet spectf() {
  return {.name = "spectf",
          .title = "Heart scans normal or abnormal",
          .page = "https://archive.ics.uci.edu/dataset/96/spectf+heart",
          .downloads = {uci("spect/SPECTF.train"), uci("spect/SPECTF.test")},
          .layout = RawLayout::target_first,
          .columns = spectf_columns(),
          .target = "target",
          .positive = "1",
          .categorical = false,
          .dropped = {},
          .statistics_rows = 80,
          .rows = 267,
          .encoded_columns = 44,
          .bytes = 35974,
          .sha256 = "06b0385ec3a5e5bad6a8bdde4af94a62529f7f0d1a9e6ebc9e5fdfcf970c6535",
          .licence = kCcBy,
          .citation = "K. Cios, L. Kurgan, L. Goodenday, SPECTF Heart, UCI 2001"};
}

// Returns the text of `rest` up to the mark, and removes it and the mark.
std::string_view next_piece(std::string_view& rest, char mark) {
  const std::size_t end = std::min(rest.find(mark), rest.size());
  const std::string_view piece = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return trimmed(piece);
}

void append_row(std::string& csv, RawLayout layout, std::string_view line) {
  std::string_view target = layout == RawLayout::target_first ? next_piece(line, ',') : std::string_view();
  while (!line.empty()) {
    csv += next_piece(line, ',');
    if (!line.empty()) csv += ',';
  }
  if (layout == RawLayout::target_first) (csv += ',') += target;
  csv += '\n';
}

}  // namespace

std::span<const PublicSet> public_sets() {
  static const std::vector<PublicSet> sets = {electricity(), ionosphere(), mushroom(), sonar(), spectf()};
  return sets;
}

const PublicSet* find_public_set(std::string_view name) {
  const auto sets = public_sets();
  const auto found = std::ranges::find(sets, name, &PublicSet::name);
  return found == sets.end() ? nullptr : &*found;
}

std::string public_csv(const PublicSet& set, std::span<const std::string> downloads) {
  PERPEND_CHECK(downloads.size() == set.downloads.size());
  std::string csv;
  for (const std::string& column : set.columns) csv += column + ",";
  csv += set.target + "\n";
  for (std::string_view text : downloads) {
    bool in_data = set.layout != RawLayout::arff;
    while (!text.empty()) {
      const std::string_view line = next_piece(text, '\n');
      if (line.empty() || line[0] == '%') continue;
      if (in_data) append_row(csv, set.layout, line);
      in_data = in_data || line == "@data" || line == "@DATA";
    }
  }
  return csv;
}

}  // namespace perpend
