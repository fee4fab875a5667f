// Weights by class, for tables in which a class is rare or an error of one kind costs more.
//
// The option is a list of words. Empty: no weights. "balanced" gives a class the weight rows / (classes times rows of
// the class), where rows count by their own weights. Then all classes count alike (scikit-learn's rule). Otherwise
// there is one word CLASS=WEIGHT per class. Classes that are not named have weight 1.
//
// The weight of a class multiplies that of its rows, in training and where validation rows decide (early stopping,
// lambda, the views' shares). Probabilities follow the weighted classes. Metrics count every row once.
#pragma once

#include <string>
#include <vector>

#include "perpend/run/run.h"

namespace perpend {

// Returns what is wrong with the words, one line each. The classes are not known yet.
std::vector<std::string> class_weight_problems(const std::vector<std::string>& words);

// Multiplies the weights of the training and validation rows. Throws DataError when a class is not in the table.
void weigh_classes(const std::vector<std::string>& words, Prepared& data);

}  // namespace perpend
