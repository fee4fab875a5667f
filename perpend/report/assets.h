// The page's fixed parts, made from web/ when perpend is built: a template, one script that includes Vega, and one
// style sheet.
#pragma once

#include <string_view>

namespace perpend {

struct Assets {
  std::string_view page, script, style;  // empty when perpend was built without npm
};
Assets page_assets();

}  // namespace perpend
