// The model card of a trained model (records/model_card.h).
#pragma once

#include <string>

#include "perpend/records/model_card.h"
#include "perpend/store/trained_model.h"

namespace perpend {

// sha256: of the model file's bytes.
ModelCard model_card(const TrainedModel& model, const std::string& sha256);

// Returns the card as Markdown. Names of columns and classes cannot become markup: every character that Markdown or
// HTML could read as such is escaped, and text stays on its line.
std::string card_markdown(const ModelCard& card);

}  // namespace perpend
