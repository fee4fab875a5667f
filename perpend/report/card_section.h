// The model card at the end of a model's page.
#pragma once

#include <string>

#include "perpend/records/model_card.h"

namespace perpend {

// Returns HTML that is folded away. All text of the card is escaped.
std::string card_html(const ModelCard& card);

}  // namespace perpend
