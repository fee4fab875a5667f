// Which options go together with which method and penalty. An option that nothing reads is refused, not ignored.
//
//     boosting is "samme", but it is not used by method lit; leave it at "samme-r", or choose method adaboost
//
// Options that a user has just given are checked: before fit, and before a new study. Options in a model file or in the
// folder of a study are not, because they may come from an older program that ignored them. validate() (run.h) is for
// those too.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "perpend/run/option_table.h"
#include "perpend/run/run.h"

namespace perpend {

// Returns whether the method ignores what the options say here. An option at 0 is off, and that is no value to ignore:
// snapshot has no patience, but it asks whether there is early stopping at all.
bool ignores(Method method, const OptionInfo& option, const RunOptions& options);

// Returns one line for each option that was given but that none of these methods uses, nor the penalty that they train
// with. An option was given if its value differs from the default.
std::vector<std::string> unsupported(const RunOptions& options, std::span<const Method> methods);

// The same for options that none of these splits uses: split_column, split_quantile, domain and test_domains.
std::vector<std::string> unsupported_by_splits(const RunOptions& options, std::span<const SplitKind> splits);

// Returns one line for each of these methods that needs rows without labels when there are none. It says what to do.
std::vector<std::string> unsupported_without_unlabeled(std::span<const Method> methods, const std::string& cure);

// Returns all lines for one training. If it has rows without labels, it needs a penalty that acts on them.
// with_unlabeled_rows: where it is not known yet whether there are any, they are not checked.
std::vector<std::string> unsupported_in_training(const RunOptions& options,
                                                 std::optional<bool> with_unlabeled_rows = std::nullopt);

// Throws ConfigError with all of these lines, if there are any.
void refuse_unsupported(const std::vector<std::string>& lines);

// "ncl, ace or lit": the methods that use an option.
std::string methods_taking(std::string_view option);

// "adaboost or dbat": the methods that train one member after another.
std::string methods_in_turn();

// "lit, divdis or dbat", and "divdis and dbat": the methods that use rows without labels, and those that need them.
std::string methods_using_unlabeled();
std::string methods_needing_unlabeled();

// "adaboost": the methods that may end with fewer members than asked for.
std::string methods_one_after_another();

// "cosine or dpp": the penalties that act along a manifold.
std::string penalties_along_manifolds();

}  // namespace perpend
