#include "perpend/run/option_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "perpend/base/error.h"
#include "perpend/base/json_text.h"
#include "perpend/base/message.h"

namespace perpend {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLargestOptions = std::size_t{1} << 20;  // as text

[[noreturn]] void refuse(const std::string& name, const std::string& text, const std::string& wanted) {
  throw ConfigError(name + " is " + quote(text) + "; it must be " + wanted);
}

bool parse_bool(const std::string& name, const std::string& text) {
  if (text == "true") return true;
  if (text == "false") return false;
  refuse(name, text, "true or false");
}

std::string joined(const std::vector<std::string>& words, const std::string& between) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

// JSON has no other text, and no column has another name.
const std::string& checked_utf8(const std::string& name, const std::string& text) {
  if (!is_utf8(text)) refuse(name, text, "UTF-8 text");
  return text;
}

// The one text of an option that is no list.
const std::string& one_text(const std::string& name, const OptionValue& value) {
  if (const auto* list = std::get_if<std::vector<std::string>>(&value)) {
    throw ConfigError(name + " is the list " + quote(joined(*list, ",")) + "; it must be one value");
  }
  return checked_utf8(name, std::get<std::string>(value));
}

template <class Number>
Number parse_number(const std::string& name, const OptionValue& given, const std::string& wanted) {
  const std::string& text = one_text(name, given);
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) refuse(name, text, wanted);
  if constexpr (std::is_floating_point_v<Number>) {
    if (!std::isfinite(value)) refuse(name, text, wanted);
  }
  return value;
}

// The field of CSV that begins at `at`, which moves behind it.
std::string next_field(const std::string& name, const std::string& text, std::size_t& at) {
  const std::size_t start = at;
  if (at == text.size() || text[at] != '"') {
    at = std::min(text.find(',', start), text.size());
    return text.substr(start, at - start);
  }
  std::string field;
  for (++at; at < text.size(); ++at) {
    if (text[at] == '"' && text.compare(at, 2, "\"\"") != 0) break;
    if (text[at] == '"') ++at;
    field += text[at];
  }
  const bool closed = at++ < text.size();
  if (!closed || (at < text.size() && text[at] != ',')) {
    refuse(name, text, "names with commas between them, each plain or whole in double quotes");
  }
  return field;
}

std::vector<std::string> list_of(const std::string& name, const OptionValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  auto parts = text != nullptr ? parse_names(name, *text) : std::get<std::vector<std::string>>(value);
  for (const auto& part : parts) checked_utf8(name, part);
  return parts;
}

// Builders of table rows; `at` names the field.
template <class Field>
OptionInfo integer(const char* name, const char* group, const char* help, Field at) {
  return {name,
          group,
          "N",
          help,
          {},
          [name, at](RunOptions& o, const OptionValue& value) {
            auto& field = at(o);
            field = parse_number<std::remove_reference_t<decltype(field)>>(name, value, "a whole number");
          },
          [at](const RunOptions& o) { return Json(at(const_cast<RunOptions&>(o))).dump(); }};
}
template <class Field>
OptionInfo real(const char* name, const char* group, const char* help, Field at) {
  return {
      name,
      group,
      "X",
      help,
      {},
      [name, at](RunOptions& o, const OptionValue& value) { at(o) = parse_number<double>(name, value, "a number"); },
      [at](const RunOptions& o) { return Json(at(const_cast<RunOptions&>(o))).dump(); }};
}
template <class Field>
OptionInfo yes_no(const char* name, const char* group, const char* help, Field at) {
  return {name,
          group,
          "",
          help,
          {},
          [name, at](RunOptions& o, const OptionValue& value) { at(o) = parse_bool(name, one_text(name, value)); },
          [at](const RunOptions& o) { return Json(at(const_cast<RunOptions&>(o))).dump(); }};
}
template <class Field>
OptionInfo word(const char* name, const char* group, const char* value_name, const char* help, Field at) {
  return {name,
          group,
          value_name,
          help,
          {},
          [name, at](RunOptions& o, const OptionValue& value) { at(o) = one_text(name, value); },
          [at](const RunOptions& o) { return Json(at(const_cast<RunOptions&>(o))).dump(); }};
}
template <class Field>
OptionInfo words(const char* name, const char* group, const char* help, Field at) {
  return {name,
          group,
          "COLS",
          help,
          {},
          [name, at](RunOptions& o, const OptionValue& value) { at(o) = list_of(name, value); },
          [at](const RunOptions& o) { return Json(at(const_cast<RunOptions&>(o))).dump(); }};
}
// An enumeration whose values are 0, 1, ... in the order of the names.
template <class Field>
OptionInfo choice(const char* name, const char* group, const char* help, std::vector<std::string> names, Field at) {
  return {name,
          group,
          "WORD",
          help,
          names,
          [name, names, at](RunOptions& o, const OptionValue& value) {
            const std::string& text = one_text(name, value);
            const auto found = std::find(names.begin(), names.end(), text);
            if (found == names.end()) refuse(name, text, "one of " + joined(names, ", "));
            auto& field = at(o);
            field = static_cast<std::remove_reference_t<decltype(field)>>(found - names.begin());
          },
          [names, at](const RunOptions& o) {
            return Json(names[static_cast<std::size_t>(at(const_cast<RunOptions&>(o)))]).dump();
          }};
}

OptionInfo lambda_option() {
  return {
      "lambda",
      "Method",
      "X",
      "strength of the method's penalty; by default lit 1, ncl 0.5 (1: only the members' mean is fitted), ace 0.1 "
      "(more: members that fit their rows take opposite sides); auto: the most that costs no validation log-loss",
      {},
      [](RunOptions& o, const OptionValue& value) {
        o.lambda_auto = value == OptionValue("auto");
        if (!o.lambda_auto) o.train.lambda = parse_number<double>("lambda", value, "a number or auto");
      },
      [](const RunOptions& o) { return o.lambda_auto ? std::string("\"auto\"") : Json(lambda_of(o.train)).dump(); }};
}

OptionInfo manifold_option() {
  return {"manifold",
          "Method",
          "SPEC",
          "of lit: along which directions input gradients are kept apart: none (all), auto (the principal directions "
          "that carry 95 % of the variance, if columns are strongly correlated), pca:K, local-pca:K, tangents in a "
          "FILE.npy or an autoencoder in a FILE.json; docs/manifolds.md",
          {},
          [](RunOptions& o, const OptionValue& value) {
            const std::string& text = one_text("manifold", value);
            parse_manifold(text);
            o.manifold = text;
          },
          [](const RunOptions& o) { return Json(o.manifold).dump(); }};
}

OptionInfo weight_decay_option() {
  return {"weight_decay",
          "Training",
          "X",
          "wd in wd/2 times the squared norm of the weights; ncl: 0 unless given, as published",
          {},
          [](RunOptions& o, const OptionValue& value) {
            o.train.weight_decay = parse_number<double>("weight_decay", value, "a number");
          },
          [](const RunOptions& o) { return Json(weight_decay_of(o.train)).dump(); }};
}

OptionInfo hidden_option() {
  return {"hidden",
          "Network",
          "N[,N]",
          "units of each hidden layer",
          {},
          [](RunOptions& o, const OptionValue& value) {
            o.train.hidden.clear();
            for (const auto& part : list_of("hidden", value)) {
              o.train.hidden.push_back(
                  parse_number<int>("hidden", part, "whole numbers with commas, such as 256 or 256,256"));
            }
          },
          [](const RunOptions& o) { return Json(o.train.hidden).dump(); }};
}

OptionInfo epochs_option() {
  return {"epochs",
          "Training",
          "N",
          "passes over the training rows (default: 640,000 row visits); 0 writes the untrained model",
          {},
          [](RunOptions& o, const OptionValue& value) {
            if (value == OptionValue("null")) {
              o.train.epochs.reset();
            } else {
              o.train.epochs = parse_number<int>("epochs", value, "a whole number");
            }
          },
          [](const RunOptions& o) { return o.train.epochs ? Json(*o.train.epochs).dump() : std::string("null"); }};
}

std::vector<OptionInfo> make_table() {
  const char* const columns = "Columns";
  const char* const rows = "Rows";
  const char* const method = "Method";
  const char* const network = "Network";
  const char* const training = "Training";
  return {
      word(
          "target", columns, "COL", "the column to predict", [](RunOptions & o) -> auto& { return o.schema.target; }),
      word(
          "positive", columns, "VALUE",
          "of two classes, the one whose probability is given (default: the second by order)",
          [](RunOptions & o) -> auto& { return o.schema.positive; }),
      words(
          "drop", columns, "columns that are no input, with commas between them; a name with a comma in double quotes",
          [](RunOptions & o) -> auto& { return o.schema.drop; }),
      words(
          "keep", columns, "constant or id-like columns that are inputs all the same",
          [](RunOptions & o) -> auto& { return o.schema.keep; }),
      words(
          "categorical", columns, "columns of numbers that are codes",
          [](RunOptions & o) -> auto& { return o.schema.categorical; }),
      choice(
          "missing", columns,
          "what a missing cell becomes: an error, the training mean, or the mean and an indicator column",
          {"error", "mean", "indicator"}, [](RunOptions & o) -> auto& { return o.schema.missing; }),
      word(
          "sample_weight", columns, "COL", "a column of row weights",
          [](RunOptions & o) -> auto& { return o.schema.sample_weight; }),
      yes_no(
          "standardize", columns, "numbers to mean 0 and sd 1 of the training rows",
          [](RunOptions & o) -> auto& { return o.schema.standardize; }),
      choice(
          "split", rows, "which rows train, validate and test",
          {"random", "extrapolation", "limited", "by-column", "labels", "none"},
          [](RunOptions & o) -> auto& { return o.split.kind; }),
      word(
          "split_column", rows, "COL", "by-column: train on its low values; labels: train, validation or test per row",
          [](RunOptions & o) -> auto& { return o.split_column; }),
      real(
          "split_quantile", rows, "by-column: the share of rows that train",
          [](RunOptions & o) -> auto& { return o.split.quantile; }),
      word(
          "group", rows, "COL", "rows with the same value here (a patient's) stay in one part; the column is no input",
          [](RunOptions & o) -> auto& { return o.group; }),
      choice(
          "method", method,
          "how members are trained: independently (restarts; bagging: on bootstrap samples), one after the other's "
          "errors (adaboost), or together, to differ in predictions (ncl: negative correlation; ace: amended "
          "cross-entropy) or in explanations (lit: input gradients of the log-odds; with more than two classes, of the "
          "predicted class against the rest)",
          {"restarts", "bagging", "adaboost", "ncl", "ace", "lit"},
          [](RunOptions & o) -> auto& { return o.train.method; }),
      integer(
          "members", method, "networks in the ensemble; adaboost: at most",
          [](RunOptions & o) -> auto& { return o.train.members; }),
      choice(
          "boosting", method, "adaboost: weigh rows and decide by probabilities (as published) or by votes",
          {"samme-r", "samme"}, [](RunOptions & o) -> auto& { return o.train.boosting; }),
      lambda_option(),
      choice(
          "penalty_reduction", method,
          "of lit: mean: over rows, ordered pairs (the paper's equation); sum: over rows, unordered pairs",
          {"mean", "sum"}, [](RunOptions & o) -> auto& { return o.train.penalty_reduction; }),
      manifold_option(),
      choice(
          "penalty", method,
          "of lit: cosine: cos^2 of input gradients; finite: squared change of a score where another member's is "
          "largest within epsilon, by gradient ascent in each step (two classes, no drop-out, small data)",
          {"cosine", "finite"}, [](RunOptions & o) -> auto& { return o.train.penalty; }),
      real(
          "epsilon", method, "of penalty finite: how far to look, in encoded units",
          [](RunOptions & o) -> auto& { return o.train.ascent.epsilon; }),
      choice(
          "ascent_norm", method, "of penalty finite: the shape of the ball", {"l2", "linf"},
          [](RunOptions & o) -> auto& { return o.train.ascent.norm; }),
      integer(
          "ascent_steps", method, "of penalty finite: steps of gradient ascent",
          [](RunOptions & o) -> auto& { return o.train.ascent.steps; }),
      hidden_option(),
      choice(
          "activation", network, "of hidden units", {"relu", "softplus", "tanh", "sigmoid"},
          [](RunOptions & o) -> auto& { return o.train.activation; }),
      real(
          "dropout", network, "share of hidden units left out in each step",
          [](RunOptions & o) -> auto& { return o.train.dropout; }),
      weight_decay_option(),
      real(
          "learning_rate", training, "of Adam", [](RunOptions & o) -> auto& { return o.train.learning_rate; }),
      integer(
          "batch_size", training, "rows in a step", [](RunOptions & o) -> auto& { return o.train.batch_size; }),
      epochs_option(),
      yes_no(
          "shuffle", training, "reshuffle the rows each epoch",
          [](RunOptions & o) -> auto& { return o.train.shuffle; }),
      integer(
          "early_stopping", training,
          "stop after N epochs without a better validation log-loss and keep the best (adaboost: each learner for "
          "itself); 0: never",
          [](RunOptions & o) -> auto& { return o.train.early_stopping; }),
      integer(
          "seed", training, "same seed, same bytes", [](RunOptions & o) -> auto& { return o.train.seed; }),
      integer(
          "threads", training, "0: all; changes speed, never a result",
          [](RunOptions & o) -> auto& { return o.train.threads; }),
  };
}

}  // namespace

std::vector<std::string> parse_names(const std::string& name, const std::string& text) {
  std::vector<std::string> parts;
  if (text.empty()) return parts;
  std::size_t at = 0;
  parts.push_back(next_field(name, text, at));
  while (at < text.size()) parts.push_back(next_field(name, text, ++at));
  return parts;
}

const std::vector<OptionInfo>& option_table() {
  static const std::vector<OptionInfo> table = make_table();
  return table;
}

bool OptionInfo::is_list() const { return json(RunOptions()).starts_with("["); }

bool OptionInfo::is_text() const {
  const std::string value = json(RunOptions());
  return value == "[]" || value.starts_with("\"") || value.starts_with("[\"");
}

const OptionInfo* option_named(std::string_view name) {
  const auto found = std::ranges::find(option_table(), name, &OptionInfo::name);
  return found == option_table().end() ? nullptr : &*found;
}

const OptionInfo& find_option(const std::string& name) {
  if (const OptionInfo* option = option_named(name)) return *option;
  std::vector<std::string> names;
  for (const auto& option : option_table()) names.push_back(option.name);
  const std::string near = nearest_name(name, names);
  throw ConfigError("there is no option " + quote(name) + (near.empty() ? "" : "; did you mean " + near + "?"));
}

std::string options_to_json(const RunOptions& options) {
  std::string text = "{";
  for (const auto& option : option_table()) {
    if (option.name == "threads") continue;
    text += (text.size() > 1 ? "," : "") + Json(option.name).dump() + ":" + option.json(options);
  }
  return text + "}";
}

namespace {

std::string text_of(const std::string& name, const Json& value) {
  if (value.is_structured()) throw ConfigError(name + " must be one value or a list of values");
  return value.is_string() ? value.get<std::string>() : value.dump();
}

OptionValue option_value(const std::string& name, const Json& value) {
  if (!value.is_array()) return text_of(name, value);
  std::vector<std::string> parts;
  for (const auto& part : value) parts.push_back(text_of(name, part));
  return parts;
}

}  // namespace

void options_from_json(const std::string& text, RunOptions& options) {
  if (const auto problem = json_problem(text, kLargestOptions)) throw ModelFileError("the options have " + *problem);
  const auto object = Json::parse(text);
  if (!object.is_object()) throw ModelFileError("the options are no JSON object");
  for (const auto& [key, value] : object.items()) {
    try {
      find_option(key).set(options, option_value(key, value));
    } catch (const ConfigError& error) {
      throw ModelFileError(std::string("the options cannot be used: ") + error.what());
    }
  }
}

void apply_preset(const std::string& name, RunOptions& options) {
  if (name != "published") throw ConfigError("there is no preset " + quote(name) + "; there is: published");
  const TrainOptions published = published_options();
  options.train.hidden = published.hidden;
  options.train.activation = published.activation;
  options.train.dropout = published.dropout;
  options.train.weight_decay = published.weight_decay;
  options.train.learning_rate = published.learning_rate;
  options.train.batch_size = published.batch_size;
  options.train.epochs = published.epochs;
  options.train.shuffle = published.shuffle;
  options.train.penalty_reduction = published.penalty_reduction;
}

std::string options_markdown() {
  std::string text =
      "# Options of a run\n\nMade from the option table by `perpend train --print-options`; a flag is the name with "
      "dashes, a key in\n"
      "`--config FILE.toml` the name as it stands.\n\n"
      "Several columns are a list in a file, `drop = [\"a,b\", \"c\"]`, and a line of CSV behind a flag, `--drop "
      "'\"a,b\",c'`: a name with\n"
      "a comma stands in double quotes, and a quote inside them is doubled.\n";
  std::string group;
  const RunOptions defaults;
  for (const auto& option : option_table()) {
    if (option.group != group) {
      group = option.group;
      text += "\n## " + group + "\n\n| option | default | meaning |\n|---|---|---|\n";
    }
    std::string meaning = option.help;
    if (!option.choices.empty()) meaning += " (" + joined(option.choices, ", ") + ")";
    text += "| `" + option.name + "` | `" + option.json(defaults) + "` | " + meaning + " |\n";
  }
  return text;
}

}  // namespace perpend
