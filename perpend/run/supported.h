// Which options go together with which method and penalty: an option that nobody would read is refused, not ignored.
//
//     boosting is "samme", but it is not used by method lit; leave it at "samme-r", or choose method adaboost
//
// This is asked of options that a user has just given: before fit, and before a new study. It is not asked of options
// in a model file or in the folder of a study, which may come from an older program that ignored them; validate()
// (run.h) is for those too.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "perpend/run/run.h"

namespace perpend {

// One line for each option that was given, though none of these methods uses it, nor the penalty that they train with.
// Given means: its value differs from the default.
std::vector<std::string> unsupported(const RunOptions& options, std::span<const Method> methods);

// The same for options that none of these splits uses: split_column, split_quantile, domain and test_domains.
std::vector<std::string> unsupported_by_splits(const RunOptions& options, std::span<const SplitKind> splits);

// Both for one training, whose rows without labels need a penalty that acts.
std::vector<std::string> unsupported_in_training(const RunOptions& options, bool with_unlabeled_rows = false);

// Throws ConfigError with all of these lines, if there are any.
void refuse_unsupported(const std::vector<std::string>& lines);

// "ncl, ace or lit": the methods that use an option.
std::string methods_taking(std::string_view option);

// "adaboost": the methods that train one member after another.
std::string methods_one_after_another();

// "cosine or dpp": the penalties that act along a manifold.
std::string penalties_along_manifolds();

}  // namespace perpend
