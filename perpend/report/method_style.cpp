#include "perpend/report/method_style.h"

#include <fmt/format.h>

#include "perpend/report/spec.h"

namespace perpend {

namespace {

std::string channel(const std::vector<MethodStyle>& methods, std::string_view MethodStyle::*value,
                    std::string_view legend) {
  std::vector<std::string> names, range;
  for (const auto& method : methods) {
    names.emplace_back(method.name);
    range.emplace_back(method.*value);
  }
  return fmt::format(R"spec({{"field":"method","type":"nominal","scale":{{"domain":{},"range":{}}},"legend":{}}})spec",
                     json_strings(names), json_strings(range), legend);
}

}  // namespace

std::string method_colours(const std::vector<MethodStyle>& methods, std::string_view legend) {
  return channel(methods, &MethodStyle::variable, legend);
}

std::string method_shapes(const std::vector<MethodStyle>& methods, std::string_view legend) {
  return channel(methods, &MethodStyle::shape, legend);
}

}  // namespace perpend
