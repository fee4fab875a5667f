#include "perpend/store/home_tensors.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <utility>

namespace perpend {

namespace {

// The lists of the file in memory.
struct FlatHome {
  std::vector<float> scores = {}, targets = {};
  std::vector<std::uint32_t> marks = {};
  std::vector<std::int32_t> edge_counts = {}, place_counts = {};
  std::vector<float> edges = {};
  std::vector<std::uint32_t> counts = {};

  // Calls use for each list, in the order of the file.
  template <class Use>
  void for_each(const Use& use) {
    use(scores);
    use(targets);
    use(marks);
    use(edge_counts);
    use(place_counts);
    use(edges);
    use(counts);
  }
};

FlatHome flat(const Home& home) {
  FlatHome all{.scores = home.scores, .targets = home.targets, .marks = home.marks};
  for (const HomeColumn& column : home.columns) {
    all.edge_counts.push_back(static_cast<std::int32_t>(column.edges.size()));
    all.place_counts.push_back(static_cast<std::int32_t>(column.counts.size()));
    all.edges.insert(all.edges.end(), column.edges.begin(), column.edges.end());
    all.counts.insert(all.counts.end(), column.counts.begin(), column.counts.end());
  }
  return all;
}

std::size_t numbers_in(const HomeTensor& list) {
  std::size_t count = 1;
  for (const std::size_t side : list.shape) count *= side;
  return count;
}

bool sum_to(const std::vector<std::int32_t>& counts, std::size_t wanted) {
  std::size_t sum = 0;
  for (const std::int32_t count : counts) {
    if (count < 0) return false;
    sum += static_cast<std::size_t>(count);
  }
  return sum == wanted;
}

bool all_finite(const std::vector<float>& numbers) {
  return std::ranges::all_of(numbers, [](float x) { return std::isfinite(x); });
}

}  // namespace

HomeSizes sizes_of(const Home& home) {
  HomeSizes sizes{.rows = home.rows(), .values = home.values, .columns = home.columns.size()};
  for (const HomeColumn& column : home.columns) {
    sizes.edges += column.edges.size();
    sizes.counts += column.counts.size();
  }
  return sizes;
}

std::array<HomeTensor, kHomeTensors> home_tensors(const HomeSizes& sizes) {
  return {{{"home.scores", "F32", {sizes.rows, sizes.values}},
           {"home.targets", "F32", {sizes.rows}},
           {"home.marks", "U32", {sizes.rows, sizes.columns > 0 ? kMarkWords : 0}},
           {"home.edge_counts", "I32", {sizes.columns}},
           {"home.place_counts", "I32", {sizes.columns}},
           {"home.edges", "F32", {sizes.edges}},
           {"home.counts", "U32", {sizes.counts}}}};
}

std::size_t bytes_of(const HomeSizes& sizes) {
  if (sizes.rows == 0) return 0;
  std::size_t bytes = 0;
  for (const HomeTensor& list : home_tensors(sizes)) bytes += numbers_in(list) * sizeof(float);
  return bytes;
}

std::string home_bytes(const Home& home) {
  std::string bytes;
  flat(home).for_each([&](const auto& list) {
    if (!list.empty()) bytes.append(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(list[0]));
  });
  return bytes;
}

Home home_from_bytes(std::string_view bytes, const HomeSizes& sizes, std::string& problem) {
  FlatHome all;
  const auto tensors = home_tensors(sizes);
  std::size_t i = 0;
  all.for_each([&](auto& list) {
    const std::size_t count = numbers_in(tensors[i++]);
    list.resize(count);
    if (count > 0) std::memcpy(list.data(), bytes.data(), count * sizeof(list[0]));
    bytes.remove_prefix(count * sizeof(list[0]));
  });
  if (!sum_to(all.edge_counts, sizes.edges) || !sum_to(all.place_counts, sizes.counts)) {
    problem = "the counts of the columns at home do not add up";
    return {};
  }
  if (!all_finite(all.scores) || !all_finite(all.targets) || !all_finite(all.edges)) {
    problem = "a number of the rows at home is not finite";
    return {};
  }
  Home home{.columns = {},
            .values = sizes.values,
            .scores = std::move(all.scores),
            .targets = std::move(all.targets),
            .marks = std::move(all.marks)};
  auto edge = all.edges.begin();
  auto count = all.counts.begin();
  for (std::size_t c = 0; c < sizes.columns; ++c) {
    HomeColumn& column = home.columns.emplace_back();
    column.edges.assign(edge, edge + all.edge_counts[c]);
    column.counts.assign(count, count + all.place_counts[c]);
    edge += all.edge_counts[c];
    count += all.place_counts[c];
    if (std::ranges::adjacent_find(column.edges, std::greater_equal<>()) != column.edges.end()) {
      problem = "the edges of a column at home do not ascend";
    }
  }
  return home;
}

}  // namespace perpend
