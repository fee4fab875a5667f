#include "perpend/store/model_metadata.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "perpend/base/error.h"
#include "perpend/base/json_text.h"
#include "perpend/base/message.h"
#include "perpend/records/json.h"
#include "perpend/store/model_file.h"

namespace perpend {

namespace {

using Json = nlohmann::json;

constexpr std::size_t kPercentiles = 101;

Json object_in(const std::string& text) {
  if (const auto problem = json_problem(text, kMaxHeaderBytes)) throw DataError("has " + *problem);
  Json json = Json::parse(text);
  if (!json.is_object()) throw DataError("is no JSON object");
  return json;
}

void want(bool holds, const std::string& key, const std::string& shape) {
  if (!holds) throw DataError("has " + quote(key) + " which is not " + shape);
}

bool is_count(const Json& value) { return value.is_number_unsigned(); }

// Calls look(value) where the key is there.
template <class Look>
void look_at(const Json& json, const char* key, const Look& look) {
  if (json.contains(key)) look(json[key]);
}

void check_rows(const Json& rows) {
  want(rows.is_object() && std::all_of(rows.begin(), rows.end(), is_count), "rows", "an object of counts");
}

void check_metrics(const Json& metrics, std::size_t members) {
  want(metrics.is_object(), "metrics", "an object");
  for (const auto& [part, figures] : metrics.items()) {
    if (figures.is_null()) continue;
    want(evaluation_from_json(figures.dump()).members.size() == members, part,
         "of " + counted(members, "member") + ", as the model is");
  }
}

void check_percentiles(const Json& shares) {
  if (shares.is_null()) return;
  const auto is_number = [](const Json& share) { return share.is_number(); };
  const bool numbers = shares.is_array() && std::all_of(shares.begin(), shares.end(), is_number);
  const auto ascending = numbers ? shares.get<std::vector<double>>() : std::vector<double>();
  want(ascending.size() == kPercentiles && ascending.front() >= 0 && ascending.back() <= 1 &&
           std::ranges::is_sorted(ascending),
       "disagreement_percentiles", "101 ascending numbers from 0 to 1");
}

// Of members side by side, or of one learner of boosting.
void check_log(const Json& log, std::size_t members) {
  for (const EpochRecord& epoch : train_log_from_json(log.dump()).epochs) {
    want(epoch.fit.size() == (epoch.round > 0 ? 1 : members), "log", "of " + counted(members, "member"));
  }
}

void check_parts(const Json& summary, std::size_t members) {
  look_at(summary, "rows", check_rows);
  look_at(summary, "steps", [](const Json& steps) { want(is_count(steps), "steps", "a count"); });
  look_at(summary, "status", [](const Json& status) { want(status.is_string(), "status", "a word"); });
  look_at(summary, "metrics", [&](const Json& metrics) { check_metrics(metrics, members); });
  look_at(summary, "disagreement_percentiles", check_percentiles);
  look_at(summary, "log", [&](const Json& log) { check_log(log, members); });
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
  throw ModelFileError(std::string("the model's options are damaged: it ") + error.what());
}

void check_summary(const std::string& json, std::size_t members) try {
  check_parts(object_in(json), members);
} catch (const DataError& error) {
  throw ModelFileError(std::string("the model's summary is damaged: it ") + error.what());
}

}  // namespace perpend
