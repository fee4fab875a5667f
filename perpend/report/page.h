// One self-contained page. It opens by double click, asks the network for nothing and runs no string from data.
//
// A page is plain values. Every string in them is text, which is escaped when the page is written. The exception is
// Markup, which is HTML that this module makes, with html_text around everything that comes from data. Charts are
// Vega-Lite specifications over the data set `table`. The same data are the table behind the chart and its CSV.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace perpend {

using Cell = std::variant<std::monostate, double, std::string>;  // nothing: an empty cell
struct DataTable {
  std::vector<std::string> columns;  // fixed words, never names from data
  std::vector<std::vector<Cell>> rows;
};

struct Chart {
  std::string id = {};       // of the element, and the name of saved files
  std::string title = {};    // what a reader sees in it
  std::string reading = {};  // how to read it
  std::string alt = {};      // the same for those who cannot see it
  std::string spec = {};     // Vega-Lite, JSON
  DataTable data = {};
  std::string data_of = {};  // the id of another chart of the page whose data this one draws
  bool full = false;         // takes the whole width
};

// A picture drawn by C++.
struct Drawing {
  std::string id, title, reading, alt;
  std::string svg;
};

struct Markup {
  std::string html;
};

using Block = std::variant<Chart, Drawing, Markup>;

struct Section {
  std::string id;
  std::string name;     // in the list of contents
  std::string heading;  // a sentence
  std::vector<std::string> text;
  std::vector<Block> blocks;
  std::string folded_name = {};  // what readers rarely need: drawn when it is opened
  std::vector<Block> folded = {};
  std::string conclusion = {};  // what to do, set apart as the last line

  // Returns the charts that are seen at once, then those that are folded away.
  std::vector<const Chart*> charts() const;
};

struct Fact {
  std::string name, value, remark;
};

// What a reader wants to know first, with commands to paste below it.
struct TopAnswer {
  std::string question, text;
  std::vector<std::string> commands = {};
};

struct Page {
  std::string title;   // of the window
  std::string kicker;  // what this page is, above the headline
  std::string headline;
  std::vector<TopAnswer> answers;
  std::vector<std::string> lede;
  std::vector<Fact> facts;
  std::vector<Section> sections;
  std::vector<std::string> footer;
};

// Throws Error(config) when perpend was built without its page.
std::string page_html(const Page& page);

}  // namespace perpend
