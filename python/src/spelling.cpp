#include "spelling.h"

#include <cctype>
#include <map>

#include "perpend/data/table.h"
#include "perpend/run/option_table.h"

namespace perpend::python {

namespace {

// What is no parameter of an estimator: arguments of functions.
const std::map<std::string, std::string>& other_arguments() {
  static const std::map<std::string, std::string> arguments = {{"force", "overwrite=True"}, {"data_dir", "folder"}};
  return arguments;
}

// A literal that Python reads back as the text: "mean", "a \"b\"", "a\x1b".
std::string text_literal(const std::string& text) {
  std::string literal = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') literal += '\\';
    literal += c;
  }
  return literal + "\"";
}

std::string literal(const OptionInfo* option, const std::string& value) {
  if (option != nullptr && option->yes_no()) return value == "true" ? "True" : "False";
  if (option != nullptr && !option->is_text() && as_number(value)) return value;
  return text_literal(value);
}

// random_walk -> RandomWalk
std::string in_capitals(const std::string& word) {
  std::string out;
  bool begins = true;
  for (const char c : word) {
    const bool is_letter = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (is_letter) out += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    begins = !is_letter;
  }
  return out;
}

}  // namespace

std::string class_of_method(const std::string& word) {
  static const std::map<std::string, std::string> listed = {
      {"lit", "LIT"}, {"restarts", "Restart"}, {"bagging", "BaggingNet"}, {"adaboost", "AdaBoostNet"},
      {"ncl", "NCL"}, {"ace", "ACE"},          {"divdis", "DivDis"},      {"dbat", "DBAT"},
      {"adp", "ADP"}, {"forde", "FoRDE"},      {"subspaces", "Subspace"}, {"dive", "DivE2"}};
  const auto found = listed.find(word);
  return (found == listed.end() ? in_capitals(word) : found->second) + "Classifier";
}

std::string keyword_spelling(const OptionMention& mention) {
  if (mention.name == "method") return mention.value ? class_of_method(*mention.value) : "the class of the estimator";
  if (const auto found = other_arguments().find(mention.name); found != other_arguments().end()) return found->second;
  const OptionInfo* option = option_named(mention.name);
  const std::string keyword = option == nullptr || option->python.name.empty() ? mention.name : option->python.name;
  if (!mention.value) return keyword;
  const std::string value = literal(option, *mention.value);
  return keyword + "=" + (option != nullptr && option->is_list() ? "[" + value + "]" : value);
}

std::vector<std::string> spelled(std::vector<std::string> warnings) {
  for (std::string& line : warnings) line = perpend::spelled(line, keyword_spelling);
  return warnings;
}

}  // namespace perpend::python
