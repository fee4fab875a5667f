// What a model remembers of its rows (records/home.h), as the tensors of a model file (store/model_file.h). Every
// number takes four bytes:
//   home.scores    (rows, values)
//   home.targets   per row
//   home.marks     (rows, words): kMarkWords words, or none if there are no columns
//   home.edge_counts, home.place_counts   per column: how many edges and how many counts it has
//   home.edges     the edges of all columns, one column after the other
//   home.counts    the counts of all columns, in the same way
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "perpend/records/home.h"

namespace perpend {

// The numbers that determine the sizes of all lists. Without rows the model remembers nothing and has no such tensors.
struct HomeSizes {
  std::size_t rows = 0, values = 0, columns = 0, edges = 0, counts = 0;
};
HomeSizes sizes_of(const Home& home);

struct HomeTensor {
  std::string_view name;
  std::string_view dtype;  // F32, I32 or U32
  std::vector<std::size_t> shape;
};
constexpr std::size_t kHomeTensors = 7;
// The tensors in the order of the file.
std::array<HomeTensor, kHomeTensors> home_tensors(const HomeSizes& sizes);

// The bytes of all lists.
std::size_t bytes_of(const HomeSizes& sizes);

// All lists, in the order of the file.
std::string home_bytes(const Home& home);

// `bytes` must have as many bytes as the sizes say. If something is impossible, `problem` gets a few words about it.
Home home_from_bytes(std::string_view bytes, const HomeSizes& sizes, std::string& problem);

}  // namespace perpend
