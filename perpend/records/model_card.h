// A model card: what a reader should know before trusting a model, in sections of plain sentences and tables.
//
// `inspect --card` writes it as Markdown, a report shows it, and Python's card() returns it. run/card.h makes it from a
// model. Each sentence follows from what the model file holds. What the file does not know is left out.
#pragma once

#include <string>
#include <vector>

namespace perpend {

struct CardSection {
  std::string heading;
  std::vector<std::string> sentences = {};  // plain text, in which names of columns and classes are as users wrote them
  std::vector<std::vector<std::string>> table = {};  // the first row is its head; empty: none
  std::vector<std::string> commands = {};            // lines for a shell
};

using ModelCard = std::vector<CardSection>;

}  // namespace perpend
