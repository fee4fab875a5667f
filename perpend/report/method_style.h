// The looks of methods (records/method_style.h) as channels of Vega-Lite, by column "method".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "perpend/records/method_style.h"

namespace perpend {

// `legend`: JSON.
std::string method_colours(const std::vector<MethodStyle>& methods, std::string_view legend);
std::string method_shapes(const std::vector<MethodStyle>& methods, std::string_view legend);

}  // namespace perpend
