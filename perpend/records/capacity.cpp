#include "perpend/records/capacity.h"

namespace perpend {

std::optional<double> best_lambda(const Capacity& capacity, int members) {
  const CapacityCell* best = nullptr;
  for (const auto& cell : capacity.ridge) {
    if (cell.members == members && (best == nullptr || cell.loss < best->loss)) best = &cell;
  }
  if (best == nullptr) return std::nullopt;
  return best->lambda;
}

}  // namespace perpend
