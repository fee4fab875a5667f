// The five public data sets of the paper's Table 1: where they come from, how they look, how the paper encodes them.
//
// Each is kept as NAME.csv. It has a header, then the values as published and in their published order, and `target` is
// its last column. The sha256 is that of this file, so it confirms both the download and the conversion. The encoding:
//   numbers     stay as they are
//   letters     become one-hot columns, levels in alphabetical order; a two-level column becomes its second level
//   missing     `?` is a level like any other (mushroom; no other set has gaps)
//   constants   columns with one value only are dropped (`dropped`)
//   scale       each encoded column becomes (x - mean) / sd, where sd divides by n, over the first `statistics_rows`
//               rows. These are all rows, test rows too, except for spectf, where they are its own training file. This
//               is the paper's convention, kept to compare with its table. For your own data perpend uses the training
//               rows only.
// The encoding of mushroom is not published. 111 columns is one reading of "categorical features one-hot encoded".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perpend {

enum class RawLayout : std::uint8_t { target_first, target_last, arff };

struct PublicSet {
  std::string name;
  std::string title;
  std::string page;                    // for people
  std::vector<std::string> downloads;  // official files, to be read one after the other; *.zip holds one file
  RawLayout layout;                    // the layout of those files; target_first and target_last have no header
  std::vector<std::string> columns;    // the columns of NAME.csv without the target
  std::string target;
  std::string positive;  // the class coded 1
  bool categorical;      // every column holds letters; else every column holds numbers
  std::vector<std::string> dropped;
  std::size_t statistics_rows;
  std::size_t rows;
  std::size_t encoded_columns;
  std::size_t bytes;  // the size of NAME.csv
  std::string sha256;
  std::string licence;
  std::string citation;
};

std::span<const PublicSet> public_sets();                 // sorted by name
const PublicSet* find_public_set(std::string_view name);  // nullptr if there is none

// Makes NAME.csv from the text of its downloads (unzipped). It accepts \n and \r\n, blanks around values and empty
// lines, because the copies of these files differ in them. Any other difference changes the sha256, which the caller
// compares.
std::string public_csv(const PublicSet& set, std::span<const std::string> downloads);

}  // namespace perpend
