#include "perpend/api/model.h"

#include "perpend/base/sha256.h"
#include "perpend/store/model_file.h"

namespace perpend {

namespace {

std::string layers_of(const Architecture& architecture) {
  std::string layers = std::to_string(architecture.features);
  for (const auto units : architecture.hidden) layers += "-" + std::to_string(units);
  return layers + "-" + std::to_string(architecture.classes);
}

const char* word_of(Rule rule) {
  switch (rule) {
    case Rule::mean:
      return "mean";
    case Rule::samme_r:
      return "samme_r";
    case Rule::samme:
      return "samme";
    case Rule::median:
      return "median";
  }
  return "";
}

}  // namespace

ModelFacts inspect(const TrainedModel& model) {
  const std::string bytes = to_bytes(model);
  return {bytes.size(),
          sha256_hex(bytes),
          model.ensemble.members.size(),
          layers_of(model.ensemble.architecture),
          model.ensemble.has_trees(),
          word_of(model.decision.rule)};
}

std::string ModelFacts::members_text() const {
  const std::size_t networks = members - (trees ? 1 : 0);
  const std::string text = counted(networks, "network") + " of " + layers;
  if (!trees) return text;
  return networks == 0 ? "boosted trees" : text + ", and boosted trees";
}

int model_format_version() { return kFormatVersion; }

}  // namespace perpend
