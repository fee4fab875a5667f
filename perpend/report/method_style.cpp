#include "perpend/report/method_style.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "perpend/base/error.h"
#include "perpend/report/spec.h"

namespace perpend {

namespace {

constexpr MethodStyle kStyles[] = {
    {"Restarts", "var(--m7)", "#6b6f76", "7 4", "circle"},      {"Bagging", "var(--m5)", "#8a6d00", "2 3", "square"},
    {"AdaBoost", "var(--m4)", "#b0478f", "9 3 2 3", "diamond"}, {"NCL", "var(--m1)", "#0072b2", "", "triangle-up"},
    {"ACE", "var(--m2)", "#d55e00", "", "triangle-down"},       {"LIT", "var(--m3)", "#00855f", "", "circle"}};

std::string channel(const std::vector<std::string>& methods, std::string_view MethodStyle::*value,
                    std::string_view legend) {
  std::vector<std::string> range;
  for (const auto& name : methods) range.emplace_back(method_style(name).*value);
  return fmt::format(R"spec({{"field":"method","type":"nominal","scale":{{"domain":{},"range":{}}},"legend":{}}})spec",
                     json_strings(methods), json_strings(range), legend);
}

}  // namespace

const MethodStyle& method_style(std::string_view name) {
  const auto* found = std::ranges::find(kStyles, name, &MethodStyle::name);
  PERPEND_CHECK(found != std::end(kStyles));
  return *found;
}

std::string method_colours(const std::vector<std::string>& methods, std::string_view legend) {
  return channel(methods, &MethodStyle::variable, legend);
}

std::string method_shapes(const std::vector<std::string>& methods, std::string_view legend) {
  return channel(methods, &MethodStyle::shape, legend);
}

}  // namespace perpend
