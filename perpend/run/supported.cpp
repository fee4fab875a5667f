#include "perpend/run/supported.h"

#include <algorithm>

#include "perpend/base/error.h"
#include "perpend/base/option_mention.h"
#include "perpend/run/option_table.h"

namespace perpend {

namespace {

std::string listed(const std::vector<std::string>& words, const std::string& last = " or ") {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += (i == 0 ? "" : i + 1 < words.size() ? ", " : last) + words[i];
  }
  return text;
}

template <class Infos, class Holds>
std::string words_where(const Infos& infos, const Holds& holds, const std::string& last = " or ") {
  std::vector<std::string> words;
  for (const auto& info : infos) {
    if (holds(info)) words.emplace_back(info.word);
  }
  return listed(words, last);
}

std::string penalties_taking(std::string_view option) {
  return words_where(penalties(), [&](const PenaltyInfo& info) {
    return std::ranges::find(info.options, option) != info.options.end();
  });
}

// Returns what the options would be if the user had chosen only a method and a penalty.
RunOptions defaults_beside(const RunOptions& options) {
  RunOptions defaults;
  defaults.train.method = options.train.method;
  defaults.train.penalty = options.train.penalty;
  return defaults;
}

bool is_given(const OptionInfo& option, const RunOptions& options) {
  if (option.name == "lambda") return options.train.lambda.has_value();
  if (option.name == "penalty") return options.train.penalty != kDefaultPenalty;
  if (option.name == "manifold") return false;  // every method measures cos^2 along it
  return option.json(options) != option.json(defaults_beside(options));
}

// "leave it at 0.1, or choose method lit with penalty finite".
std::string cure(const OptionInfo& option, bool method_has_penalties) {
  const std::string fallback = option.name == "lambda" ? "leave it out" : "leave it at " + option.json(RunOptions());
  const std::string by_method = methods_taking(option.name);
  if (!by_method.empty()) return fallback + ", or choose method " + by_method;
  const std::string by_penalty = option_mention("penalty") + " " + penalties_taking(option.name);
  return fallback + ", or choose " + (method_has_penalties ? "" : "method " + methods_taking("penalty") + " with ") +
         by_penalty;
}

// The published recipe is one for all methods, so with it a method without penalties does not read penalty_reduction.
bool is_of_the_recipe(const OptionInfo& option, const RunOptions& options) {
  RunOptions recipe = defaults_beside(options);
  apply_preset("published", recipe);
  return options.train.published && option.json(options) == option.json(recipe);
}

}  // namespace

std::string methods_taking(std::string_view option) {
  return words_where(methods(), [&](const MethodInfo& info) { return info.takes(option); });
}

std::string methods_in_turn() {
  return words_where(methods(), [](const MethodInfo& info) { return info.one_after_another || info.in_turn; });
}

std::string methods_using_unlabeled() {
  return words_where(methods(), [](const MethodInfo& info) {
    TrainOptions options;
    options.method = info.id;
    return support_of(options).unlabeled;
  });
}

std::string methods_needing_unlabeled() {
  return words_where(
      methods(), [](const MethodInfo& info) { return info.needs_unlabeled; }, " and ");
}

std::string methods_one_after_another() {
  return words_where(methods(), [](const MethodInfo& info) { return info.one_after_another; });
}

std::string penalties_along_manifolds() {
  return words_where(penalties(), [](const PenaltyInfo& info) { return info.make<float>({})->supports().tangents; });
}

bool ignores(Method method, const OptionInfo& option, const RunOptions& options) {
  const auto& ignored = method_info(method).ignores;
  return std::ranges::find(ignored, option.name) != ignored.end() && option.json(options) != "0";
}

std::vector<std::string> unsupported(const RunOptions& options, std::span<const Method> methods) {
  const bool has_penalties =
      std::ranges::any_of(methods, [](Method method) { return method_info(method).takes("penalty"); });
  const auto who = [&](bool by_method) -> std::string {
    if (has_penalties && !by_method) return std::string("penalty ") + penalty_info(options.train.penalty).word;
    return methods.size() == 1 ? std::string("method ") + method_info(methods[0]).word : "any method here";
  };
  std::vector<std::string> problems;
  for (const auto& option : option_table()) {
    const bool by_method = !methods_taking(option.name).empty();
    if (!by_method && penalties_taking(option.name).empty()) {  // most methods use it
      const auto ignore = [&](Method method) { return ignores(method, option, options); };
      if (std::ranges::all_of(methods, ignore) && is_given(option, options)) {
        problems.push_back(option_mention(option.name) + " is " + option.json(options) + ", but it is not used by " +
                           who(true) + "; leave it at " + option.json(RunOptions()) + ", or choose another method");
      }
      continue;
    }
    const bool used = std::ranges::any_of(
        methods, [&](Method method) { return takes_option(method, options.train.penalty, option.name); });
    if (used || !is_given(option, options) || (!has_penalties && is_of_the_recipe(option, options))) continue;
    problems.push_back(option_mention(option.name) + " is " + option.json(options) + ", but it is not used by " +
                       who(by_method) + "; " + cure(option, has_penalties));
  }
  return problems;
}

std::vector<std::string> unsupported_by_splits(const RunOptions& options, std::span<const SplitKind> splits) {
  const auto has = [&](SplitKind kind) { return std::ranges::find(splits, kind) != splits.end(); };
  const auto problem = [&](const char* name, const std::string& cure) {
    return option_mention(name) + " is " + find_option(name).json(options) + ", but it is not used by this " +
           option_mention("split") + "; leave it out, or choose " + cure;
  };
  const std::string by_column = option_mention("split", "by-column");
  std::vector<std::string> problems;
  if (!options.split_column.empty() && !has(SplitKind::by_column) && !has(SplitKind::labels)) {
    problems.push_back(problem("split_column", by_column + " or " + option_mention("split", "labels")));
  }
  if (options.split.quantile != SplitOptions().quantile && !has(SplitKind::by_column)) {
    problems.push_back(problem("split_quantile", by_column));
  }
  if (has(SplitKind::domain)) return problems;
  const std::string domain = option_mention("split", "domain");
  if (!options.domain.empty()) problems.push_back(problem("domain", domain));
  if (!options.split.test_domains.empty()) problems.push_back(problem("test_domains", domain));
  return problems;
}

std::vector<std::string> unsupported_without_unlabeled(std::span<const Method> methods, const std::string& cure) {
  std::vector<std::string> problems;
  for (const Method method : methods) {
    if (!method_info(method).needs_unlabeled) continue;
    problems.push_back(std::string("method ") + method_info(method).word + " needs rows without labels; " + cure);
  }
  return problems;
}

std::vector<std::string> unsupported_in_training(const RunOptions& options, std::optional<bool> with_unlabeled_rows) {
  const Method method[] = {options.train.method};
  auto problems = unsupported(options, method);
  const SplitKind split[] = {options.split.kind};
  for (auto& problem : unsupported_by_splits(options, split)) problems.push_back(std::move(problem));
  if (!with_unlabeled_rows) return problems;
  if (!*with_unlabeled_rows) {
    const std::string cure = "give " + option_mention("unlabeled") + ", or choose another method";
    for (auto& problem : unsupported_without_unlabeled(method, cure)) problems.push_back(std::move(problem));
  } else if (!support_of(options.train).unlabeled) {
    problems.push_back(std::string("rows without labels are given, but they are not used by method ") +
                       method_info(options.train.method).word + "; leave them out, or choose method " +
                       methods_using_unlabeled());
  } else if (options.train.members == 1 || (!options.lambda_auto && lambda_of(options.train) == 0)) {
    problems.push_back("rows without labels are given, but no penalty acts on them; leave them out, or give " +
                       option_mention("lambda") + " above 0 and " + option_mention("members") + " of at least 2");
  }
  return problems;
}

void refuse_unsupported(const std::vector<std::string>& lines) {
  std::string problems;
  for (const auto& line : lines) problems += (problems.empty() ? "" : "; ") + line;
  if (!problems.empty()) throw ConfigError(problems);
}

}  // namespace perpend
