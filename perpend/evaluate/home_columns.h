// Makes histograms of columns, which a model remembers (records/home.h), and finds where the cells of later rows fall.
//
// Rows are encoded by column (data/schema.h). A number is standardised, and NaN where it is missing. A category is the
// index of its level. The number of levels stands for a missing cell, and -1 for a level that training never saw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/data/schema.h"
#include "perpend/records/home.h"

namespace perpend {

// Numbers are cut at quantiles into this many bins of about equal size; fewer where a column has few values.
constexpr std::size_t kHomeBins = 32;

// Returns the histograms of the rows of all parts. levels: per column its number of levels, 0 for numbers.
std::vector<HomeColumn> home_columns(std::span<const InputsView> parts, std::span<const std::size_t> levels);

// Returns which of `counts` a cell belongs to.
std::size_t place_of(const HomeColumn& column, std::size_t levels, float cell);

// Returns the same histogram of other rows, as counts of the column's places.
std::vector<std::uint32_t> count_places(const HomeColumn& column, std::size_t levels, InputsView rows,
                                        std::size_t index);

}  // namespace perpend
