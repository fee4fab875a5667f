#include "apps/perpend/flag_spelling.h"

#include <algorithm>

#include "perpend/base/message.h"
#include "perpend/data/source.h"
#include "perpend/run/option_table.h"

namespace perpend::app {

std::string flag_spelling(const OptionMention& mention) {
  std::string flag = mention.name;
  std::replace(flag.begin(), flag.end(), '_', '-');
  if (!mention.value) return "--" + flag;
  const OptionInfo* option = option_named(mention.name);
  if (option != nullptr && option->yes_no()) return (*mention.value == "false" ? "--no-" : "--") + flag;
  const std::string word =
      shell_word(option != nullptr && option->is_list() ? csv_cell(*mention.value) : *mention.value);
  // A separate word that begins with a dash would be read as another flag.
  return "--" + flag + (mention.value->starts_with("-") ? "=" : " ") + word;
}

}  // namespace perpend::app
