#include "perpend/store/model_metadata.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "perpend/base/error.h"
#include "perpend/base/json_text.h"
#include "perpend/base/message.h"
#include "perpend/records/json.h"
#include "perpend/store/model_file.h"

namespace perpend {

namespace {

using Json = nlohmann::json;

Json object_in(const std::string& text) {
  if (const auto problem = json_problem(text, kMaxHeaderBytes)) throw DataError("it has " + *problem);
  Json json = Json::parse(text);
  if (!json.is_object()) throw DataError("it is not a JSON object");
  return json;
}

void want(bool holds, const std::string& key, const std::string& shape) {
  if (!holds) throw DataError("it has " + quote(key) + " which is not " + shape);
}

// Checks that the numbers of members and networks are those of the model. Later readers rely on it.
void check_members(const RunSummary& summary, std::size_t members, std::size_t networks) {
  const std::string model_has = "of " + counted(members, "member");
  const std::pair<const char*, const std::optional<Evaluation>*> parts[] = {
      {"train", &summary.train}, {"validation", &summary.validation}, {"test", &summary.test}};
  for (const auto& [name, part] : parts) {
    want(!*part || (*part)->members.size() == members, name, model_has + ", as the model is");
  }
  // A record belongs to networks that train together, or to one learner of boosting.
  for (const EpochRecord& epoch : summary.log.epochs) {
    want(epoch.fit.size() == (epoch.round > 0 ? 1 : networks), "log", "of " + counted(networks, "network"));
  }
}

bool is_plain(const Json& value) { return !value.is_structured(); }

bool is_option(const Json& value) {
  return is_plain(value) || (value.is_array() && std::all_of(value.begin(), value.end(), is_plain));
}

}  // namespace

void check_options(const std::string& json) try {
  const Json options = object_in(json);
  for (const auto& [key, value] : options.items()) {
    want(is_option(value), key, "a number, a word, true, false, null or a list");
  }
} catch (const DataError& error) {
  throw ModelFileError(std::string("the model's options are damaged: ") + error.what());
}

RunSummary read_summary(const std::string& json, std::size_t members, std::size_t networks) try {
  RunSummary summary = run_summary_from_json(json);
  check_members(summary, members, networks);
  return summary;
} catch (const DataError& error) {
  throw ModelFileError(std::string("the model's summary is damaged: ") + error.what());
}

}  // namespace perpend
