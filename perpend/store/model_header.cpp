#include "perpend/store/model_header.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "perpend/base/checked_size.h"
#include "perpend/base/contract.h"
#include "perpend/base/error.h"
#include "perpend/base/json_text.h"
#include "perpend/base/message.h"
#include "perpend/store/decision_text.h"
#include "perpend/store/model_file.h"

namespace perpend {

namespace {

using Json = nlohmann::json;

constexpr const char* kFormat = "perpend";
constexpr const char* kBasis = "manifold.basis";
constexpr std::size_t kNumberBytes = 4;  // size of every number in a tensor
constexpr std::array<std::string_view, 11> kOwnKeys = {
    "sha256", "format",      "format_version", "contract_version", "architecture", "member_weights",
    "rule",   "calibration", "threshold",      "correction",       "gate"};
constexpr std::array<std::pair<Activation, std::string_view>, 4> kActivations = {{{Activation::relu, "relu"},
                                                                                  {Activation::softplus, "softplus"},
                                                                                  {Activation::tanh, "tanh"},
                                                                                  {Activation::sigmoid, "sigmoid"}}};
constexpr std::array<std::pair<Rule, std::string_view>, 3> kRules = {
    {{Rule::samme_r, "samme_r"},
     {Rule::samme, "samme"},
     {Rule::median, "median"}}};  // without a rule in the file it is the mean

int version_of(const ModelHeader& header) {
  if (header.home.rows > 0) return kFormatVersionOfHome;
  return header.architecture.has_trees() ? kFormatVersionOfTrees : kFormatVersion;
}

bool is_json(std::string_view text) { return !json_problem(text, text.size()); }

bool is_key(std::string_view key) {
  return key.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos &&
         std::find(kOwnKeys.begin(), kOwnKeys.end(), key) == kOwnKeys.end();
}

struct Tensor {
  std::string name;
  std::string dtype;
  std::vector<std::size_t> shape;
  std::size_t begin = 0;  // byte offsets into the data
  std::size_t end = 0;
};

// The tensors in the order of the file. Nothing if a size overflows.
std::optional<std::vector<Tensor>> tensors_of(const ModelHeader& header) {
  const Architecture& architecture = header.architecture;
  std::vector<Tensor> tensors;
  std::size_t end = 0;
  const auto add = [&](std::string name, std::vector<std::size_t> shape, std::string_view dtype = "F32") {
    const auto count = checked_size(shape.front(), shape.size() == 2 ? shape.back() : 1);
    const auto next = count ? checked_size(*count, kNumberBytes, end) : std::nullopt;
    if (next) tensors.push_back({std::move(name), std::string(dtype), std::move(shape), end, *next});
    end = next.value_or(end);
    return next.has_value();
  };
  for (std::size_t m = 0; m < header.networks(); ++m) {
    for (std::size_t l = 0; l < architecture.layers(); ++l) {
      const std::string layer = "member." + std::to_string(m) + ".layer." + std::to_string(l);
      if (!add(layer + ".weight", {architecture.in(l, m), architecture.out(l)})) return std::nullopt;
      if (!add(layer + ".bias", {architecture.out(l)})) return std::nullopt;
    }
  }
  if (header.directions > 0 && !add(kBasis, {header.directions, architecture.features})) return std::nullopt;
  if (architecture.has_trees()) {
    for (const TreeTensor& list : tree_tensors(header.trees)) {
      if (!add(std::string(list.name), {list.count}, list.dtype)) return std::nullopt;
    }
  }
  if (header.home.rows == 0) return tensors;
  for (const HomeTensor& list : home_tensors(header.home)) {
    if (!add(std::string(list.name), list.shape, list.dtype)) return std::nullopt;
  }
  return tensors;
}

std::string entry_of(const Tensor& tensor) {
  return Json{{"dtype", tensor.dtype}, {"shape", tensor.shape}, {"data_offsets", {tensor.begin, tensor.end}}}.dump();
}

// The double with the same shortest decimals as the float: 0.1 for 0.1F, and not 0.10000000149011612.
double shortest(float x) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), x).ptr;
  double value = 0;
  std::from_chars(text.data(), end, value);
  return value;
}
Json shortest(const std::vector<float>& numbers) {
  Json list = Json::array();
  for (const float x : numbers) list.push_back(shortest(x));
  return list;
}

Json column_to_json(const ColumnTable& column) {
  Json json = {{"missing", shortest(column.missing)}};
  if (column.is_category) {
    json["shares"] = shortest(column.means);
  } else {
    json["edges"] = shortest(column.edges);
    json["means"] = shortest(column.means);
  }
  return json;
}

std::string architecture_to_json(const Architecture& a) {
  const auto* activation = std::find_if(kActivations.begin(), kActivations.end(),
                                        [&](const auto& known) { return known.first == a.activation; });
  PERPEND_CHECK(activation != kActivations.end());
  Json json = {
      {"features", a.features}, {"hidden", a.hidden}, {"classes", a.classes}, {"activation", activation->second}};
  if (!a.has_views()) return json.dump();
  json["views"] = Json::array();
  for (const View view : a.views) json["views"].push_back(word_of(view));
  json["columns"] = Json::array();
  for (const ColumnTable& column : a.columns) json["columns"].push_back(column_to_json(column));
  return json.dump();
}

class HeaderReader {
 public:
  HeaderReader(std::string_view json, const std::string& name) : name_(name), root_(parse(json, "the header")) {}

  ModelHeader read(std::size_t data_bytes) {
    take_metadata();
    check_versions();
    header_.sha256 = take("sha256");
    header_.architecture = read_architecture(parse(take("architecture"), "architecture"));
    header_.decision.weights = read_weights(parse(take("member_weights"), "member_weights"));
    if (metadata_.contains("rule")) header_.decision.rule = read_rule(take("rule"));
    read_answers();
    if (has_view(header_.architecture.views, View::trees)) read_trees(data_bytes);
    if (root_.contains("home.scores")) read_home(data_bytes);
    check_version();
    for (const auto& [key, text] : metadata_) {
      if (!is_key(key)) damaged("metadata has the unknown key " + quote(key));
      parse(text, "metadata " + quote(key));
    }
    header_.metadata = std::move(metadata_);
    if (root_.contains(kBasis)) header_.directions = read_directions(root_[kBasis]);
    check_tensors(data_bytes);
    return std::move(header_);
  }

 private:
  [[noreturn]] void damaged(const std::string& found) const { throw_damaged(name_, found); }

  Json parse(std::string_view text, const std::string& where) const {
    if (const auto problem = json_problem(text, kMaxHeaderBytes)) damaged(where + " has " + *problem);
    return Json::parse(text);
  }

  void take_metadata() {
    if (!root_.is_object() || !root_.contains("__metadata__") || !root_["__metadata__"].is_object()) {
      throw_foreign(name_, "no '__metadata__' in the header");
    }
    for (const auto& [key, value] : root_["__metadata__"].items()) {
      if (!value.is_string()) damaged("metadata " + quote(key) + " is not a string");
      metadata_[key] = value.get<std::string>();
    }
    root_.erase("__metadata__");
    if (!metadata_.contains("format") || metadata_["format"] != kFormat) {
      throw_foreign(name_, "format is " + (metadata_.contains("format") ? quote(metadata_["format"]) : "not given") +
                               ", not 'perpend'");
    }
    metadata_.erase("format");
  }

  std::string take(const std::string& key) {
    const auto found = metadata_.extract(key);
    if (found.empty()) damaged("metadata has no " + quote(key));
    return found.mapped();
  }

  void check_versions() {
    version_ = checked_version("format_version", {kFormatVersion, kFormatVersionOfTrees, kFormatVersionOfHome});
    checked_version("contract_version", {kPredictionContract});
  }

  int checked_version(const std::string& key, std::initializer_list<int> known) {
    const std::string found = take(key);
    std::string readable;
    for (const int version : known) {
      if (found == std::to_string(version)) return version;
      readable += (readable.empty() ? "'" : " or '") + std::to_string(version) + "'";
    }
    throw ModelFileError(name_ + ": " + key + " is " + quote(found) + " where this perpend reads " + readable +
                         "; use the version of perpend that wrote the file, or a newer one");
  }

  void check_version() const {
    if (version_ == version_of(header_)) return;
    damaged("format_version is " + std::to_string(version_) + " of a model with" +
            (header_.architecture.has_trees() ? "" : "out") + " trees and with" + (header_.home.rows > 0 ? "" : "out") +
            " rows at home");
  }

  // The sizes of a tensor's shape, which has `sides` numbers.
  std::vector<std::size_t> shape_of(const char* tensor, std::size_t sides, std::size_t data_bytes) const {
    const bool whole =
        root_.contains(tensor) && root_[tensor].is_object() && root_[tensor].contains("shape") &&
        root_[tensor]["shape"].is_array() && root_[tensor]["shape"].size() == sides &&
        std::ranges::all_of(root_[tensor]["shape"], [](const Json& n) { return n.is_number_unsigned(); });
    if (!whole) {
      damaged(std::string("tensor ") + quote(tensor) + " does not have a shape of " +
              (sides == 1 ? "one number" : "two numbers"));
    }
    std::vector<std::size_t> shape;
    for (const Json& side : root_[tensor]["shape"]) {
      const auto length = side.get<std::uint64_t>();
      if (length > data_bytes / kNumberBytes) damaged(std::string("tensor ") + quote(tensor) + " is too long");
      shape.push_back(static_cast<std::size_t>(length));
    }
    return shape;
  }

  void read_home(std::size_t data_bytes) {
    const auto scores = shape_of("home.scores", 2, data_bytes);
    header_.home = {.rows = scores[0],
                    .values = scores[1],
                    .columns = shape_of("home.edge_counts", 1, data_bytes)[0],
                    .edges = shape_of("home.edges", 1, data_bytes)[0],
                    .counts = shape_of("home.counts", 1, data_bytes)[0]};
    if (header_.home.rows == 0 || header_.home.rows > kMostHomeRows) {
      damaged("it remembers " + counted(header_.home.rows, "row") + " where 1 to " + thousands(kMostHomeRows) +
              " are expected");
    }
    if (header_.home.values != header_.members() * header_.architecture.scores()) {
      damaged("its rows at home have " + counted(header_.home.values, "score") + " each, of " +
              counted(header_.members(), "member"));
    }
    if (header_.home.columns != 0 && header_.home.columns != header_.architecture.columns.size()) {
      damaged("it remembers " + counted(header_.home.columns, "column") + " of " +
              thousands(header_.architecture.columns.size()));
    }
  }

  // Trees are one member, the last one. The shapes of three tensors give their sizes.
  void read_trees(std::size_t data_bytes) {
    const auto& views = header_.architecture.views;
    if (views.size() != header_.members() || std::ranges::count(views, View::trees) != 1 ||
        !header_.architecture.has_trees()) {
      damaged("trees is the view of another member than the last");
    }
    const auto length_of = [&](const char* tensor) { return shape_of(tensor, 1, data_bytes)[0]; };
    header_.trees = {.outputs = header_.architecture.scores(),
                     .trees = length_of("trees.nodes"),
                     .nodes = length_of("trees.column"),
                     .words = length_of("trees.words")};
    if (header_.trees.trees / header_.trees.outputs > kMostTreeRounds) {
      damaged("it has more than " + thousands(kMostTreeRounds) + " rounds of trees");
    }
  }

  std::size_t positive(const Json& number, const std::string& what) const {
    if (!number.is_number_unsigned() || number.get<std::uint64_t>() == 0) damaged(what + " is not a positive number");
    return number.get<std::size_t>();
  }

  Architecture read_architecture(const Json& json) const {
    const bool views = json.is_object() && json.contains("views") && json.contains("columns");
    if (!json.is_object() || json.size() != (views ? 6 : 4) || !json.contains("features") || !json.contains("hidden") ||
        !json.contains("classes") || !json.contains("activation") || !json["hidden"].is_array()) {
      damaged(
          "architecture does not have exactly features, hidden, classes and activation, or these with views and "
          "columns");
    }
    Architecture a;
    a.features = positive(json["features"], "features");
    a.hidden.clear();
    for (const Json& units : json["hidden"]) a.hidden.push_back(positive(units, "hidden"));
    const bool wide = std::ranges::any_of(a.hidden, [](std::size_t units) { return units > kMostUnits; });
    if (wide || a.hidden.size() > kMostLayers) damaged("its networks are larger than any that perpend trains");
    a.classes = positive(json["classes"], "classes");
    if (a.classes < 2) damaged("classes is 1 where at least 2 are expected");
    const auto* activation = std::find_if(kActivations.begin(), kActivations.end(),
                                          [&](const auto& known) { return json["activation"] == known.second; });
    if (activation == kActivations.end()) damaged("activation is not one of relu, softplus, tanh and sigmoid");
    a.activation = activation->first;
    if (views) read_views(json, a);
    return a;
  }

  void read_views(const Json& json, Architecture& a) const {
    if (!json["views"].is_array() || json["views"].empty() || json["views"].size() > kMostMembers) {
      damaged("views is not a list of views");
    }
    for (const Json& word : json["views"]) {
      const View* view = word.is_string() ? find_view(word.get<std::string>()) : nullptr;
      if (view == nullptr) damaged("views has one that is none of linear, piecewise, logistic and trees");
      a.views.push_back(*view);
    }
    if (!json["columns"].is_array() || json["columns"].size() != a.features) {
      damaged("columns is not a list of as many columns as there are features");
    }
    for (const Json& column : json["columns"]) a.columns.push_back(read_column(column));
  }

  // Accepts only what fit_columns can have found: ascending edges with bins that are not too narrow, and shares.
  ColumnTable read_column(const Json& json) const {
    ColumnTable column;
    column.is_category = json.is_object() && json.contains("shares");
    const bool whole =
        json.is_object() && json.contains("missing") &&
        (column.is_category ? json.size() == 2 : json.size() == 3 && json.contains("edges") && json.contains("means"));
    if (!whole) damaged("a column does not have exactly missing and shares, or missing, edges and means");
    column.missing = read_number(json["missing"]);
    column.means = read_numbers(json[column.is_category ? "shares" : "means"]);
    if (!column.is_category) column.edges = read_numbers(json["edges"]);
    const auto is_share = [](float x) { return x >= 0 && x <= 1; };
    const auto too_near = [](float low, float high) { return !(high - low >= kNarrowestBin); };
    if (!is_share(column.missing) || !std::ranges::all_of(column.means, is_share)) {
      damaged("a column has a share that is not between 0 and 1");
    }
    if (std::ranges::adjacent_find(column.edges, too_near) != column.edges.end()) {
      damaged("a column has edges that do not ascend in steps of at least 0.02");
    }
    if (!has_all_parts(column)) damaged("a column has another number of edges, means or shares than a table has");
    return column;
  }

  static bool has_all_parts(const ColumnTable& column) {
    if (column.is_category) return !column.means.empty() || column.missing > 0;
    if (column.edges.empty()) return column.means.empty();
    return column.has_ramps() && column.edges.size() <= kMostBins + 1 && column.means.size() + 1 == column.edges.size();
  }

  std::vector<float> read_numbers(const Json& json) const {
    if (!json.is_array()) damaged("a column has something else where a list of numbers is expected");
    std::vector<float> numbers;
    for (const Json& number : json) numbers.push_back(read_number(number));
    return numbers;
  }

  float read_number(const Json& json) const {
    if (!json.is_number() || !(std::abs(json.get<double>()) <= 1e15)) {
      damaged("a column has something else where a number is expected");
    }
    return json.get<float>();
  }

  // Later the other numbers of this entry are compared together with those of all tensors.
  std::size_t read_directions(const Json& json) const {
    if (!json.is_object() || !json.contains("shape") || !json["shape"].is_array() || json["shape"].size() != 2) {
      damaged(std::string("tensor ") + quote(kBasis) + " does not have a shape of two numbers");
    }
    return positive(json["shape"][0], "the number of directions");
  }

  std::vector<double> read_weights(const Json& json) const {
    std::vector<double> weights;
    if (json.is_array()) {
      for (const Json& weight : json) weights.push_back(weight.is_number() ? weight.get<double>() : -1);
    }
    if (weights.size() > kMostMembers) damaged("it has more than " + thousands(kMostMembers) + " members");
    if (!are_member_weights(weights)) damaged("member_weights are not numbers of at least 0 with sum 1");
    return weights;
  }

  Rule read_rule(const std::string& word) const {
    for (const auto& [rule, name] : kRules) {
      if (word == name) return rule;
    }
    throw ModelFileError(
        name_ + ": rule is " + quote(word) +
        " where this perpend knows samme_r, samme and median; use the version of perpend that wrote the file, "
        "or a newer one");
  }

  void read_answers() {
    const std::size_t classes = header_.architecture.classes;
    if (metadata_.contains("calibration")) {
      const std::string text = take("calibration");
      const auto map = map_from_text(text);
      if (!map) damaged("calibration is " + quote(text) + ", which is no map of probabilities");
      if (const std::string problem = problem_of(*map, classes); !problem.empty()) damaged("calibration: " + problem);
      header_.decision.map = *map;
    }
    if (metadata_.contains("threshold")) {
      const std::string text = take("threshold");
      header_.decision.threshold = threshold_from_text(text);
      if (!header_.decision.threshold) damaged("threshold is " + quote(text) + ", which is not above a number");
      if (!is_threshold(*header_.decision.threshold)) damaged("threshold is not above 0 and below 1");
      if (classes != 2) damaged("it has a threshold and " + std::to_string(classes) + " classes");
    }
    if (metadata_.contains("correction")) {
      const auto correction = correction_from_text(take("correction"));
      if (!correction) damaged("correction is not a list of biases and one of pulls");
      const std::size_t biases = correction->bias.size() == 1 ? 1 : classes;  // 1 for a regression
      if (const auto problem = problem_of(*correction, biases, header_.members()); !problem.empty()) {
        damaged("correction: " + problem);
      }
      header_.decision.correction = correction;
    }
    if (metadata_.contains("gate")) {
      header_.decision.gate = gate_from_text(take("gate"));
      if (!header_.decision.gate) damaged("gate is not a centre, a scale and a list of numbers");
      if (const auto problem = problem_of(*header_.decision.gate, header_.members()); !problem.empty()) {
        damaged("gate: " + problem);
      }
      if (header_.decision.rule != Rule::mean) damaged("it has a gate, and its rule is not the mean");
    }
  }

  // The number of tensors is compared before their table is made, so that a small header cannot ask for a large table.
  void check_tensors(std::size_t data_bytes) const {
    const bool with_trees = header_.architecture.has_trees();
    const auto per_member = checked_size(header_.architecture.layers(), 2);
    const std::size_t others =
        (header_.directions > 0 ? 1 : 0) + (with_trees ? kTreeTensors : 0) + (header_.home.rows > 0 ? kHomeTensors : 0);
    const auto count = per_member ? checked_size(*per_member, header_.networks(), others) : std::nullopt;
    if (!count || *count != root_.size()) {
      damaged("the header has " + counted(root_.size(), "tensor") + " where " + counted(header_.networks(), "member") +
              " of " + counted(header_.architecture.layers(), "layer") + (with_trees ? " and trees" : "") +
              " are expected");
    }
    const auto tensors = tensors_of(header_);
    if (!tensors) damaged("the architecture is larger than any file");
    if (tensors->back().end != data_bytes) {
      damaged("tensors take " + counted(data_bytes, "byte") + " where the architecture needs " +
              thousands(tensors->back().end));
    }
    for (const Tensor& tensor : *tensors) {
      if (!root_.contains(tensor.name)) damaged("tensor " + quote(tensor.name) + " is missing");
      const std::string entry = root_[tensor.name].dump();  // its keys are sorted
      const std::string expected = entry_of(tensor);
      if (entry != expected) {
        damaged("tensor " + quote(tensor.name) + " is " + printable(entry.substr(0, 200)) + " where " + expected +
                " is expected");
      }
    }
  }

  const std::string& name_;
  Json root_;
  std::map<std::string, std::string> metadata_;
  ModelHeader header_;
  int version_ = 0;
};

}  // namespace

std::string header_to_json(const ModelHeader& header) {
  std::string text = std::string(kHeaderStart) + header.sha256 + '"';
  const auto add = [&](const std::string& key, const std::string& value) {
    text += ",\"" + key + "\":" + Json(value).dump();
  };
  add("format", kFormat);
  add("format_version", std::to_string(version_of(header)));
  add("contract_version", std::to_string(kPredictionContract));
  add("architecture", architecture_to_json(header.architecture));
  add("member_weights", Json(header.decision.weights).dump());
  for (const auto& [rule, name] : kRules) {
    if (rule == header.decision.rule) add("rule", std::string(name));
  }
  if (header.decision.map.kind != Calibrator::none) add("calibration", text_of(header.decision.map));
  if (header.decision.threshold) add("threshold", threshold_text(*header.decision.threshold));
  if (header.decision.correction) add("correction", text_of(*header.decision.correction));
  if (header.decision.gate) add("gate", text_of(*header.decision.gate));
  for (const auto& [key, value] : header.metadata) {
    PERPEND_CHECK(is_key(key) && is_json(value));
    add(key, value);
  }
  text += '}';
  const auto tensors = tensors_of(header);
  PERPEND_CHECK(tensors.has_value());
  for (const Tensor& tensor : *tensors) text += ",\"" + tensor.name + "\":" + entry_of(tensor);
  return text + '}';
}

ModelHeader header_from_json(std::string_view json, std::size_t data_bytes, const std::string& name) {
  return HeaderReader(json, name).read(data_bytes);
}

void throw_damaged(const std::string& name, const std::string& found) {
  throw ModelFileError(name + ": " + found + "; the file is damaged: copy it again or train again");
}

void throw_foreign(const std::string& name, const std::string& found) {
  throw ModelFileError(name + ": " + found +
                       "; this is not a model file of perpend; give one that `perpend train` wrote");
}

}  // namespace perpend
