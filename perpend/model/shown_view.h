// The name that users read for a member's view. Where the target is a number, the member that the option calls
// `logistic` is a ridge regression, and is called so.
#pragma once

#include <string_view>

#include "perpend/model/ensemble.h"

namespace perpend {

inline std::string_view shown_view(const Architecture& architecture, std::size_t member) {
  const View view = architecture.view_of(member);
  return view == View::logistic && architecture.quantity ? "ridge" : word_of(view);
}

}  // namespace perpend
