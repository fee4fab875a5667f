#include "perpend/objective/experts.h"

#include <algorithm>
#include <complex>

#include "perpend/base/sum.h"
#include "perpend/kernels/reference.h"
#include "perpend/objective/cross_entropy.h"

namespace perpend {

template <class T>
std::vector<std::vector<std::size_t>> places(std::size_t rows, const std::vector<std::vector<T>>& losses) {
  using kernels::reference::real_part;
  std::vector<std::vector<std::size_t>> found(losses.size(), std::vector<std::size_t>(rows, 0));
  for (std::size_t m = 0; m < losses.size(); ++m) {
    for (std::size_t other = 0; other < m; ++other) {
      for (std::size_t r = 0; r < rows; ++r) {
        const bool is_better = real_part(losses[m][r]) < real_part(losses[other][r]);
        ++found[is_better ? other : m][r];
      }
    }
  }
  return found;
}

template <class T>
void Experts<T>::evaluate(ObjectiveRows<T>& rows, Terms<T>& terms) const {
  std::vector<std::vector<T>> losses;
  for (std::size_t m = 0; m < rows.members(); ++m) losses.push_back(row_fits(rows, m));
  const auto place = places(rows.rows, losses);
  for (std::size_t m = 0; m < rows.members(); ++m) {
    for (std::size_t r = 0; r < rows.rows; ++r) {
      if (place[m][r] < k_) continue;
      losses[m][r] = T{};
      std::fill_n(rows.d_scores[m].row(r), rows.d_scores[m].cols(), T{});
    }
    terms.fit[m] += ordered_sum(rows.rows, losses[m].data());
  }
}

template std::vector<std::vector<std::size_t>> places(std::size_t, const std::vector<std::vector<double>>&);
template class Experts<float>;
template class Experts<double>;
template class Experts<std::complex<double>>;

}  // namespace perpend
