#include "perpend/objective/assigned.h"

#include <algorithm>
#include <complex>

#include "perpend/base/sum.h"
#include "perpend/objective/cross_entropy.h"

namespace perpend {

template <class T>
void Assigned<T>::evaluate(ObjectiveRows<T>& rows, Terms<T>& terms) const {
  for (std::size_t m = 0; m < rows.members(); ++m) {
    std::vector<T> losses = row_fits(rows, m);
    for (std::size_t r = 0; r < rows.rows; ++r) {
      if (taken_[m * rows_ + rows.indices[r]] != 0) continue;
      losses[r] = T{};
      std::fill_n(rows.d_scores[m].row(r), rows.d_scores[m].cols(), T{});
    }
    terms.fit[m] += ordered_sum(rows.rows, losses.data());
  }
}

template class Assigned<float>;
template class Assigned<double>;
template class Assigned<std::complex<double>>;

}  // namespace perpend
