#include "perpend/run/option_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "perpend/base/error.h"
#include "perpend/base/json_text.h"
#include "perpend/base/message.h"
#include "perpend/run/supported.h"

namespace perpend {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLargestOptions = std::size_t{1} << 20;  // as text

[[noreturn]] void refuse(const std::string& name, const std::string& text, const std::string& wanted) {
  throw ConfigError(option_mention(name) + " is " + quote(text) + "; it must be " + wanted);
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

// Returns the one text of an option that is not a list.
const std::string& one_text(const std::string& name, const OptionValue& value) {
  if (const auto* list = std::get_if<std::vector<std::string>>(&value)) {
    throw ConfigError(option_mention(name) + " is the list " + quote(joined(*list, ",")) + "; it must be one value");
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

// Returns the field of CSV that begins at `at`, and moves `at` behind it.
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
OptionInfo integer(const char* name, const char* group, const std::string& help, Field at) {
  return {name,
          group,
          "N",
          help,
          {},
          [name, at](RunOptions& o, const OptionValue& value) {
            auto& field = at(o);
            field = parse_number<std::remove_reference_t<decltype(field)>>(name, value, "a whole number");
          },
          [at](const RunOptions& o) { return Json(at(const_cast<RunOptions&>(o))).dump(); },
          {.name = name, .type = "int"}};
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
      [at](const RunOptions& o) { return Json(at(const_cast<RunOptions&>(o))).dump(); },
      {.name = name, .type = "float"}};
}
template <class Field>
OptionInfo yes_no(const char* name, const char* group, const char* help, Field at) {
  return {name,
          group,
          "",
          help,
          {},
          [name, at](RunOptions& o, const OptionValue& value) { at(o) = parse_bool(name, one_text(name, value)); },
          [at](const RunOptions& o) { return Json(at(const_cast<RunOptions&>(o))).dump(); },
          {.name = name, .type = "bool"}};
}
template <class Field>
OptionInfo word(const char* name, const char* group, const char* value_name, const char* help, Field at) {
  return {name,
          group,
          value_name,
          help,
          {},
          [name, at](RunOptions& o, const OptionValue& value) { at(o) = one_text(name, value); },
          [at](const RunOptions& o) { return Json(at(const_cast<RunOptions&>(o))).dump(); },
          {.name = name, .type = "str | None", .default_value = "null"}};
}
template <class Field>
OptionInfo words(const char* name, const char* group, const char* help, Field at,
                 const char* value_name = "COL[,COL]") {
  return {name,
          group,
          value_name,
          help,
          {},
          [name, at](RunOptions& o, const OptionValue& value) { at(o) = list_of(name, value); },
          [at](const RunOptions& o) { return Json(at(const_cast<RunOptions&>(o))).dump(); },
          {.name = name, .type = "Sequence[str]"}};
}
// Literal["mean", "sum"].
std::string literal_type(const std::vector<std::string>& names) {
  return "Literal[\"" + joined(names, "\", \"") + "\"]";
}
template <class Field>
using ValueAt = std::remove_reference_t<std::invoke_result_t<Field, RunOptions&>>;
template <class Value>
using WordedValues = std::vector<std::pair<std::string, Value>>;

// One of a few words, each with its value.
template <class Field>
OptionInfo choice(const char* name, const char* group, const std::string& help,
                  const WordedValues<ValueAt<Field>>& words, Field at) {
  using Worded = typename WordedValues<ValueAt<Field>>::value_type;
  std::vector<std::string> names;
  for (const auto& [word, value] : words) names.push_back(word);
  return {name,
          group,
          "WORD",
          help,
          names,
          [name, words, names, at](RunOptions& o, const OptionValue& value) {
            const std::string& text = one_text(name, value);
            const auto found = std::ranges::find(words, text, &Worded::first);
            if (found == words.end()) refuse_word(name, text, names);
            at(o) = found->second;
          },
          [words, at](const RunOptions& o) {
            const auto found = std::ranges::find(words, at(const_cast<RunOptions&>(o)), &Worded::second);
            PERPEND_CHECK(found != words.end());
            return Json(found->first).dump();
          },
          {.name = name, .type = literal_type(names)}};
}

// An entry of the table of methods or of penalties, chosen by its word.
template <class Infos, class Field>
OptionInfo entry_of(const Infos& infos, const char* name, const char* group, std::string help, Field at) {
  WordedValues<ValueAt<Field>> words;
  for (const auto& info : infos) {
    help += std::string(" ") + info.help;
    words.emplace_back(info.word, info.id);
  }
  return choice(name, group, help, words, at);
}

// Changes a row: what Python spells in another way, and which methods have the option. What is left empty stays.
OptionInfo in_python(OptionInfo option, const PythonParameter& changed) {
  const auto change = [](std::string& to, const std::string& from) {
    if (!from.empty()) to = from;
  };
  change(option.python.name, changed.name);
  change(option.python.type, changed.type);
  change(option.python.default_value, changed.default_value);
  change(option.python.help, changed.help);
  return option;
}
OptionInfo not_in_python(OptionInfo option) {
  option.python = {};
  return option;
}

// "0.5 for ncl, 0.1 for ace and 1 for lit".
std::string lambda_defaults() {
  std::vector<std::string> each;
  for (const auto& info : methods()) {
    if (!info.lambda) continue;
    std::ostringstream text;
    text << *info.lambda << " for " << info.word;
    each.push_back(text.str());
  }
  const std::string last = each.back();
  each.pop_back();
  return joined(each, ", ") + (each.empty() ? "" : " and ") + last;
}

std::string lambda_remarks() {
  std::string text;
  for (const auto& info : methods()) {
    if (*info.lambda_help != '\0') text += std::string(" ") + info.lambda_help;
  }
  return text;
}

OptionInfo lambda_option() {
  return {"lambda",
          "Method",
          "X",
          "Strength of the method's penalty. auto tries 0, 0.03, 0.1, 0.3 and 1 and takes the largest one whose "
          "validation log-loss is within 0.01 of the best. auto is the default of lit, unless views are plain. "
          "Otherwise the default is " +
              lambda_defaults() + "." + lambda_remarks(),
          {},
          [](RunOptions& o, const OptionValue& value) {
            o.lambda_auto = value == OptionValue("auto");
            if (!o.lambda_auto) o.train.lambda = parse_number<double>("lambda", value, "a number or auto");
          },
          [](const RunOptions& o) {
            return chooses_lambda(o) ? std::string("\"auto\"") : Json(lambda_of(with_views(o).train)).dump();
          },
          {.name = "lambda_",
           .type = "float | Literal[\"auto\"] | None",
           .default_value = "null"}};  // lambda is a keyword of Python
}

// "squared", "absolute", or "quantile=0.9".
std::string loss_text(const RegressionLoss& loss) {
  if (loss.kind == RegressionLoss::Kind::squared) return "squared";
  if (loss.kind == RegressionLoss::Kind::absolute) return "absolute";
  return "quantile=" + Json(loss.q).dump();
}

OptionInfo loss_option() {
  return {"loss",
          "Columns",
          "WORD",
          "Loss that a regression minimises. squared predicts the mean of the target, absolute predicts its median, "
          "and quantile=Q predicts its quantile Q, for example quantile=0.9.",
          {},
          [](RunOptions& o, const OptionValue& value) {
            const std::string& text = one_text("loss", value);
            RegressionLoss& loss = o.schema.loss;
            const std::string wanted = "squared, absolute, or quantile=Q with Q above 0 and below 1";
            loss = {};
            if (text == "squared") return;
            if (text == "absolute") {
              loss.kind = RegressionLoss::Kind::absolute;
            } else if (text.starts_with("quantile=")) {
              loss = {RegressionLoss::Kind::quantile, parse_number<double>("loss", text.substr(9), wanted.c_str())};
              if (!(loss.q > 0 && loss.q < 1)) refuse("loss", text, wanted);
            } else {
              refuse("loss", text, wanted);
            }
          },
          [](const RunOptions& o) { return Json(loss_text(o.schema.loss)).dump(); },
          {.name = "loss", .type = "str"}};
}

OptionInfo manifold_option() {
  return {"manifold",
          "Method",
          "SPEC",
          "Directions along which the penalty keeps input gradients apart. none means all directions. auto takes the "
          "principal directions that carry 95 % of the variance, if columns are strongly correlated. pca:K takes the "
          "first K principal directions of all rows, and local-pca:K takes those of the rows nearby. A FILE.npy holds "
          "tangents, and a FILE.json holds an autoencoder. Any of these makes all members plain networks: there are no "
          "trees and no logistic regression among them, and monitor refuses the model.",
          {},
          [](RunOptions& o, const OptionValue& value) {
            const std::string& text = one_text("manifold", value);
            parse_manifold(text);
            o.manifold = text;
          },
          [](const RunOptions& o) { return Json(o.manifold).dump(); },
          {.name = "manifold", .type = "str"}};
}

// " The default of ncl is 0, as published."
std::string other_weight_decays() {
  std::string text;
  for (const auto& info : methods()) {
    if (info.weight_decay == method_info(kDefaultMethod).weight_decay) continue;
    std::ostringstream line;
    line << " The default of " << info.word << " is " << info.weight_decay << ", as published.";
    text += line.str();
  }
  return text;
}

OptionInfo weight_decay_option() {
  return {"weight_decay",
          "Training",
          "X",
          "Strength of the weight decay: this number times half the squared norm of a member's weights is added to its "
          "loss." +
              other_weight_decays(),
          {},
          [](RunOptions& o, const OptionValue& value) {
            o.train.weight_decay = parse_number<double>("weight_decay", value, "a number");
          },
          [](const RunOptions& o) { return Json(weight_decay_of(o.train)).dump(); },
          {.name = "weight_decay", .type = "float"}};
}

OptionInfo hidden_option() {
  return {"hidden",
          "Network",
          "N[,N]",
          "Number of units in each hidden layer, for example 64 or 256,256. auto is one layer of 64 units, of 128 from "
          "2,500 training rows on, and of 256 from 10,000 on.",
          {},
          [](RunOptions& o, const OptionValue& value) {
            o.train.hidden = {0};
            if (value == OptionValue("auto")) return;
            o.train.hidden.clear();
            for (const auto& part : list_of("hidden", value)) {
              o.train.hidden.push_back(
                  parse_number<int>("hidden", part, "whole numbers with commas, such as 256 or 256,256"));
            }
          },
          [](const RunOptions& o) {
            return o.train.hidden == std::vector<int>{0} ? std::string("\"auto\"") : Json(o.train.hidden).dump();
          },
          {.name = "hidden_layer_sizes", .type = "int | Sequence[int] | Literal[\"auto\"]"}};
}

OptionInfo views_option() {
  static constexpr const char* kWords = "auto, plain, or a list of linear, piecewise, logistic and trees";
  return {"views",
          "Network",
          "WORDS",
          "How the columns enter the members. linear and piecewise are for networks, which take them in turn. With "
          "linear, the effect of a number goes on beyond the training rows. With piecewise, it is piecewise linear "
          "between quantiles of the training rows and constant beyond them. logistic and trees add one member each "
          "after the networks: a logistic regression, and boosted decision trees. plain is numbers and one-hot levels, "
          "as in the paper. auto is linear,piecewise,logistic,trees. It leaves out the last two with fewer than 6 "
          "members, and it is plain if another option needs that.",
          {},
          [](RunOptions& o, const OptionValue& value) {
            const auto words = list_of("views", value);
            o.views_auto = words == std::vector<std::string>{"auto"};
            o.train.views.clear();
            if (o.views_auto || words == std::vector<std::string>{"plain"}) return;
            for (const auto& word : words) {
              const View* view = find_view(word);
              if (view == nullptr) refuse("views", word, kWords);
              o.train.views.push_back(*view);
            }
            if (words.empty()) refuse("views", "", kWords);
          },
          [](const RunOptions& o) {
            return Json(o.views_auto ? "auto" : o.train.views.empty() ? "plain" : words_of(o.train.views)).dump();
          },
          {.name = "views", .type = "str | Sequence[str]"}};
}

OptionInfo bins_option() {
  return {"bins",
          "Network",
          "N",
          "Number of bins that the piecewise view cuts a number into. auto is 16, or 8 with fewer than 2,500 training "
          "rows.",
          {},
          [](RunOptions& o, const OptionValue& value) {
            o.bins.reset();
            if (value != OptionValue("auto")) o.bins = parse_number<int>("bins", value, "a whole number or auto");
          },
          [](const RunOptions& o) { return o.bins ? Json(*o.bins).dump() : std::string("\"auto\""); },
          {.name = "bins", .type = "int | Literal[\"auto\"]"}};
}

OptionInfo batch_size_option() {
  return {
      "batch_size",
      "Training",
      "N",
      "Number of rows per training step. auto is a twentieth of the training rows, but at least 16 and at most 256.",
      {},
      [](RunOptions& o, const OptionValue& value) {
        o.train.batch_size = 0;
        if (value == OptionValue("auto")) return;
        o.train.batch_size = parse_number<int>("batch_size", value, "a whole number or auto");
        if (o.train.batch_size < 1) refuse("batch_size", std::get<std::string>(value), "at least 1, or auto");
      },
      [](const RunOptions& o) {
        return o.train.batch_size == 0 ? std::string("\"auto\"") : Json(o.train.batch_size).dump();
      },
      {.name = "batch_size", .type = "int | Literal[\"auto\"]"}};
}

OptionInfo epochs_option() {
  return {"epochs",
          "Training",
          "N",
          "Largest number of passes over the training rows. By default early stopping ends the training. Without early "
          "stopping, training visits 640,000 rows, counting each visit. 0 gives the untrained model.",
          {},
          [](RunOptions& o, const OptionValue& value) {
            if (value == OptionValue("null")) {
              o.train.epochs.reset();
            } else {
              o.train.epochs = parse_number<int>("epochs", value, "a whole number");
            }
          },
          [](const RunOptions& o) { return o.train.epochs ? Json(*o.train.epochs).dump() : std::string("null"); },
          {.name = "epochs", .type = "int | None"}};
}

OptionInfo calibrate_option() {
  OptionInfo option = choice(
      "calibrate", "Answers",
      "How the ensemble's probabilities are fitted to the validation rows after training. temperature raises them to a "
      "power, which makes the ensemble more or less sure. isotonic, for two classes, maps them by a rising curve with "
      "at most 32 knots. none leaves them as they are. The members' own probabilities do not change.",
      {{"none", Calibrator::none}, {"temperature", Calibrator::temperature}, {"isotonic", Calibrator::isotonic}},
      [](RunOptions & o) -> auto& { return o.calibrate; });
  option.written_if_given = true;
  return option;
}

OptionInfo aggregate_option() {
  OptionInfo option = choice(
      "aggregate", "Answers",
      "How the members' answers are averaged. With mean, the members of a view share its weight equally. With stack, "
      "the validation rows decide the weight of each member. With gate, they also decide how the weights change from "
      "row to row, by how sure the members are and how much they differ. stack and gate keep the weights of mean "
      "unless held-out rows gain from the change. Use them only for new rows that are like the training rows: on rows "
      "from elsewhere they lost more than they gained.",
      {{"mean", Aggregate::mean}, {"gate", Aggregate::gate}, {"stack", Aggregate::stack}},
      [](RunOptions & o) -> auto& { return o.aggregate; });
  option.written_if_given = true;
  return option;
}

OptionInfo threshold_option() {
  return {"threshold",
          "Answers",
          "AIM",
          "Probability above which the positive one of two classes is predicted. It is a number, or an aim that "
          "chooses the number on the validation rows: f1 takes the largest F1, recall=0.9 the largest precision with "
          "at least this recall, precision=0.8 the largest recall with at least this precision, and cost=1:5 the least "
          "cost if a false alarm costs 1 and a miss costs 5. By default the more probable class is predicted.",
          {},
          [](RunOptions& o, const OptionValue& value) {
            o.threshold.reset();
            if (value == OptionValue("null")) return;
            const std::string& text = one_text("threshold", value);
            o.threshold = parse_aim(text);
            if (!o.threshold) refuse("threshold", text, aim_forms());
          },
          [](const RunOptions& o) {
            if (!o.threshold) return std::string("null");
            return o.threshold->kind == Aim::Kind::number ? Json(o.threshold->value).dump()
                                                          : Json(text_of(*o.threshold)).dump();
          },
          {.name = "threshold", .type = "float | str | None"},
          true};
}

std::vector<OptionInfo> column_options() {
  const char* const group = "Columns";
  return {
      not_in_python(word(
          "target", group, "COL", "The column to predict.", [](RunOptions & o) -> auto& { return o.schema.target; })),
      not_in_python(choice(
          "task", group,
          "Whether the target is a class (classify) or a number (regress). auto treats it as a number if it has more "
          "than 20 different numbers, or fractions that mostly differ.",
          {{"auto", Task::automatic}, {"classify", Task::classify}, {"regress", Task::regress}},
          [](RunOptions & o) -> auto& { return o.schema.task; })),
      loss_option(),
      in_python(word(
                    "positive", group, "VALUE",
                    "The positive one of two classes, whose probability is predicted. By default it is the second "
                    "class in sorted order.",
                    [](RunOptions & o) -> auto& { return o.schema.positive; }),
                {.name = "pos_label",
                 .type = "Any",
                 .help = "The positive one of two classes, which comes second in classes_. By default it is the second "
                         "class in sorted order."}),
      words(
          "drop", group, "Columns that are not used as inputs.", [](RunOptions & o) -> auto& { return o.schema.drop; }),
      words(
          "keep", group,
          "Columns that stay inputs even if they are constant or look like row ids. They keep their rare levels, too.",
          [](RunOptions & o) -> auto& { return o.schema.keep; }),
      in_python(words(
                    "categorical", group,
                    "Columns whose cells are names of categories, even if they look like numbers or dates.",
                    [](RunOptions & o) -> auto& { return o.schema.categorical; }),
                {.name = "categorical_features"}),
      words(
          "increasing", group,
          "Columns of numbers along which the answer never falls. If such a column rises and all others stay the same, "
          "the score of the positive class, or the predicted number, does not fall. This holds for every member and "
          "every row. It needs two classes, or a number with the squared loss, and networks with one hidden layer.",
          [](RunOptions & o) -> auto& { return o.increasing; }),
      words(
          "decreasing", group,
          "Columns of numbers along which the answer never rises. The conditions are those of increasing.",
          [](RunOptions & o) -> auto& { return o.decreasing; }),
      choice(
          "missing", group,
          "How missing cells are treated. error refuses them. mean replaces them by the mean of the training rows. "
          "indicator does so too, and adds an input that says where cells are missing. auto is indicator, or error "
          "with views plain.",
          {{"auto", Missing::automatic},
           {"error", Missing::error},
           {"mean", Missing::mean},
           {"indicator", Missing::indicator}},
          [](RunOptions & o) -> auto& { return o.schema.missing; }),
      not_in_python(word(
          "sample_weight", group, "COL", "The column that holds the weights of the rows.",
          [](RunOptions & o) -> auto& { return o.schema.sample_weight; })),
      in_python(words(
                    "class_weight", group,
                    "How much the rows of each class count in training: balanced (all classes count alike), or a list "
                    "of CLASS=WEIGHT. Classes that are not listed have weight 1. The predicted probabilities are those "
                    "of the weighted classes.",
                    [](RunOptions & o) -> auto& { return o.class_weight; }, "WORDS"),
                {.type = "dict[Any, float] | Literal[\"balanced\"] | None",
                 .default_value = "null",
                 .help = "How much the rows of each class count in training: \"balanced\" (all classes count alike), "
                         "or a dict from classes to weights. Classes that are not listed have weight 1. The predicted "
                         "probabilities are those of the weighted classes."}),
      yes_no(
          "standardize", group, "Scale numbers to mean 0 and standard deviation 1 over the training rows.",
          [](RunOptions & o) -> auto& { return o.schema.standardize; }),
  };
}

std::vector<OptionInfo> row_options() {
  const char* const group = "Rows";
  const std::string splits =
      "random draws the rows by lot. limited does so too, and keeps only 1,000 training rows. extrapolation trains on "
      "rows near the middle of the table and tests on rows far from it. by-column trains on rows with low values in "
      "split_column. domain tests on whole domains, such as hospitals or years. labels takes the part of each row from "
      "split_column. none trains on all rows.";
  return {
      in_python(choice(
                    "split", group, "How the table is divided into training, validation and test rows. " + splits,
                    {{"random", SplitKind::random},
                     {"extrapolation", SplitKind::extrapolation},
                     {"limited", SplitKind::limited},
                     {"by-column", SplitKind::by_column},
                     {"domain", SplitKind::domain},
                     {"labels", SplitKind::labels},
                     {"none", SplitKind::none}},
                    [](RunOptions & o) -> auto& { return o.split.kind; }),
                {.default_value = "\"none\"",
                 .help = "How the rows given to fit are divided into training, validation and test rows. " + splits +
                         " The default of the command line is random."}),
      word(
          "split_column", group, "COL",
          "With split by-column, the column whose low values mark the training rows. With split labels, the column "
          "that says train, validation or test for each row.",
          [](RunOptions & o) -> auto& { return o.split_column; }),
      real(
          "split_quantile", group, "With split by-column, the share of the rows that train.",
          [](RunOptions & o) -> auto& { return o.split.quantile; }),
      word(
          "domain", group, "COL",
          "With split domain, the column that names the place, time or group that a row comes from. Some domains are "
          "left out of training, and their rows are the test rows. The column is not an input.",
          [](RunOptions & o) -> auto& { return o.domain; }),
      words(
          "test_domains", group,
          "With split domain, the domains whose rows are the test rows. By default one domain is left out, and each "
          "seed takes the next one in sorted order.",
          [](RunOptions & o) -> auto& { return o.split.test_domains; }, "NAME[,NAME]"),
      word(
          "group", group, "COL",
          "The column that says which rows belong together, such as the rows of a patient. Rows with the same value "
          "stay in one part of the split. The column is not an input.",
          [](RunOptions & o) -> auto& { return o.group; }),
  };
}

std::vector<OptionInfo> finite_penalty_options() {
  const char* const group = "Method";
  return {
      real(
          "epsilon", group,
          "Radius around each row in which penalty finite searches, in encoded units (standard deviations of a "
          "number).",
          [](RunOptions & o) -> auto& { return o.train.ascent.epsilon; }),
      choice(
          "ascent_norm", group, "Norm by which penalty finite measures distances.",
          {{"l2", Norm::l2}, {"linf", Norm::linf}}, [](RunOptions & o) -> auto& { return o.train.ascent.norm; }),
      integer(
          "ascent_steps", group, "Number of steps of gradient ascent that penalty finite takes.",
          [](RunOptions & o) -> auto& { return o.train.ascent.steps; }),
  };
}

std::vector<OptionInfo> method_options() {
  const char* const group = "Method";
  std::vector<OptionInfo> options = {
      not_in_python(entry_of(
          methods(), "method", group, "How the members are trained.",
          [](RunOptions & o) -> auto& { return o.train.method; })),
      in_python(integer(
                    "members", group,
                    "Number of members in the ensemble. " + methods_one_after_another() + " may stop with fewer.",
                    [](RunOptions & o) -> auto& { return o.train.members; }),
                {.name = "n_estimators"}),
      choice(
          "boosting", group,
          methods_taking("boosting") +
              " reweights rows and combines members by probabilities (samme-r, as published) or by votes (samme).",
          {{"samme-r", Boosting::samme_r}, {"samme", Boosting::samme}},
          [](RunOptions & o) -> auto& { return o.train.boosting; }),
      lambda_option(),
      choice(
          "penalty_reduction", group,
          "Whether the penalty is the mean over rows and ordered pairs of members (mean, the paper's equation) or the "
          "sum over rows and unordered pairs (sum).",
          {{"mean", PenaltyReduction::mean}, {"sum", PenaltyReduction::sum}},
          [](RunOptions & o) -> auto& { return o.train.penalty_reduction; }),
      manifold_option(),
      entry_of(
          penalties(), "penalty", group, "What the penalty acts on to keep members apart.",
          [](RunOptions & o) -> auto& { return o.train.penalty; }),
  };
  for (auto& option : finite_penalty_options()) options.push_back(std::move(option));
  return options;
}

std::vector<OptionInfo> network_options() {
  const char* const group = "Network";
  return {
      views_option(),
      bins_option(),
      hidden_option(),
      choice(
          "activation", group, "Activation function of the hidden units.",
          {{"relu", Activation::relu},
           {"softplus", Activation::softplus},
           {"tanh", Activation::tanh},
           {"sigmoid", Activation::sigmoid}},
          [](RunOptions & o) -> auto& { return o.train.activation; }),
      real(
          "dropout", group, "Share of the hidden units that each training step leaves out.",
          [](RunOptions & o) -> auto& { return o.train.dropout; }),
  };
}

std::vector<OptionInfo> training_options() {
  const char* const group = "Training";
  return {
      weight_decay_option(),
      real(
          "learning_rate", group, "Step size of Adam, the optimizer.",
          [](RunOptions & o) -> auto& { return o.train.learning_rate; }),
      batch_size_option(),
      epochs_option(),
      yes_no(
          "shuffle", group, "Shuffle the rows again before each epoch.",
          [](RunOptions & o) -> auto& { return o.train.shuffle; }),
      in_python(
          integer(
              "early_stopping", group,
              "Number of measurements without a better validation log-loss after which training goes on from the best "
              "weights with a smaller learning rate (see rate_drops), or stops and keeps these weights. With " +
                  methods_in_turn() +
                  ", each learner stops by itself, without smaller steps. The validation rows are measured every "
                  "epoch, or every 2,000 row visits if that is longer. 0 turns early stopping off.",
              [](RunOptions & o) -> auto& { return o.train.early_stopping; }),
          {.name = "n_iter_no_change",
           .help = "With early_stopping, the number of measurements without a better validation log-loss after which "
                   "training goes on with a smaller learning rate, or stops."}),
      yes_no(
          "refit", group,
          "Train the members again on all rows if some of the training rows were held out only for early stopping. "
          "Training then lasts as long as was found best. This is done for up to 5,000 rows.",
          [](RunOptions & o) -> auto& { return o.refit; }),
      yes_no(
          "remember", group,
          "Keep in the model file a histogram of each column, and the labels and the members' answers of at most 1,000 "
          "validation rows. monitor, sets of classes and bounds on errors need them to compare new rows with the "
          "training rows.",
          [](RunOptions & o) -> auto& { return o.remember; }),
      integer(
          "rate_drops", group,
          "With early_stopping, how often the learning rate falls to three tenths of its value before training stops.",
          [](RunOptions & o) -> auto& { return o.train.rate_drops; }),
      in_python(integer(
                    "seed", group, "Seed of all random numbers. The same seed gives the same model, byte for byte.",
                    [](RunOptions & o) -> auto& { return o.train.seed; }),
                {.name = "random_state",
                 .type = "int | RandomState | Generator | None",
                 .help = "Seed of all random numbers. The same number gives the same model, byte for byte. None and "
                         "generators draw a number."}),
      in_python(
          integer(
              "threads", group, "Number of threads; 0 uses all cores. It never changes a result.",
              [](RunOptions & o) -> auto& { return o.train.threads; }),
          {.name = "n_jobs",
           .type = "int | None",
           .default_value = "null",
           .help = "Number of threads. None and -1 use all cores, -2 uses all but one. It never changes a result."}),
  };
}

// The order is that of the keys in a model file.
std::vector<OptionInfo> make_table() {
  std::vector<OptionInfo> table;
  for (auto options : {column_options(), row_options(), method_options(), network_options(), training_options(),
                       std::vector<OptionInfo>{aggregate_option(), calibrate_option(), threshold_option()}}) {
    for (auto& option : options) table.push_back(std::move(option));
  }
  return table;
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

void refuse_word(const std::string& name, const std::string& word, const std::vector<std::string>& words) {
  const std::string near = nearest_name(word, words);
  refuse(name, word, "one of " + joined(words, ", ") + (near.empty() ? "" : "; did you mean " + near + "?"));
}

const std::vector<OptionInfo>& option_table() {
  static const std::vector<OptionInfo> table = make_table();
  return table;
}

bool OptionInfo::belongs_to(Method method) const { return may_take_option(method, name); }

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
    if (option.written_if_given && option.json(options) == option.json(RunOptions())) continue;
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
  if (!object.is_object()) throw ModelFileError("the options are not a JSON object");
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
  options.train.early_stopping = published.early_stopping;
  options.train.rate_drops = published.rate_drops;
  options.train.members = published.members;
  options.train.published = true;
  options.train.views.clear();
  options.views_auto = false;
}

std::string default_text(const OptionInfo& option) {
  const Json value = Json::parse(option.json(RunOptions()));
  if (value.is_null()) return "";
  if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
  if (value.is_string()) return value.get<std::string>();
  std::vector<std::string> parts;
  for (const auto& part : value.is_array() ? value : Json::array({value})) parts.push_back(part.dump());
  return joined(parts, ",");
}

std::string option_table_json(Method method) {
  Json table = Json::array();
  RunOptions defaults;
  defaults.train.method = method;
  for (const auto& option : option_table()) {
    if (!option.belongs_to(method)) continue;
    const PythonParameter& python = option.python;
    const std::string value = python.default_value.empty() ? option.json(defaults) : python.default_value;
    table.push_back({{"option", option.name},
                     {"name", python.name.empty() ? Json(nullptr) : Json(python.name)},
                     {"type", python.type},
                     {"default", Json::parse(value)},
                     {"help", python.help.empty() ? option.help : python.help},
                     {"group", option.group},
                     {"choices", option.choices}});
  }
  return table.dump();
}

namespace {

std::string python_cell(const OptionInfo& option) {
  if (option.name == "target") return "`y` of `fit`";
  if (option.name == "sample_weight") return "`sample_weight` of `fit`";
  if (option.python.name.empty()) return "the class";
  const std::string& other = option.python.default_value;
  return "`" + option.python.name + (other.empty() || other == "null" ? "" : "=" + other) + "`";
}

}  // namespace

std::string options_markdown() {
  std::string text =
      "# Options of a run\n\n"
      "This page is made from the option table by `perpend train --print-options`. A flag is the option's name with "
      "dashes,\n"
      "`--batch-size 64`; a key in `--config FILE.toml` is the name as it stands, `batch_size = 64`. Python uses "
      "scikit-learn's name\n"
      "where it has one for the same thing ([python-api.md](python-api.md)).\n\n"
      "Several columns are a TOML list in a file, `drop = [\"a,b\", \"c\"]`, and one line of CSV after a flag, `--drop "
      "'\"a,b\",c'`. In CSV, a name with\n"
      "a comma stands in double quotes, and a quote inside it is doubled.\n";
  std::string group;
  const RunOptions defaults;
  for (const auto& option : option_table()) {
    if (option.group != group) {
      group = option.group;
      text += "\n## " + group + "\n\n| option | default | in Python | meaning |\n|---|---|---|---|\n";
    }
    std::string meaning = option.help;
    if (!option.choices.empty()) meaning += " One of `" + joined(option.choices, "`, `") + "`.";
    text +=
        "| `" + option.name + "` | `" + option.json(defaults) + "` | " + python_cell(option) + " | " + meaning + " |\n";
  }
  return text;
}

}  // namespace perpend
