// The paper's figures and tables, one function per subject. A figure writes NAME.svg and NAME.html into the folder and
// prints what it measured. A table is a sweep: the folder is the sweep's, and its results are printed beside the
// paper's.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "perpend/report/page.h"

namespace perpend::paper {

struct ReproduceArguments {
  std::string folder = "reproduce";
  bool quick = false;
  std::uint64_t seed = 0;
  int threads = 0;           // tables, figure-manifold
  bool json = false;         // figure-manifold
  int seeds = 5;             // figure-toy: how many seeds are measured; the first is drawn
  int surfaces = 0;          // figure-manifold: surfaces of seeds 0 to surfaces - 1; 0: the chosen one
  std::string data_dir;      // figure-gradients, table1
  std::string data, target;  // figure-gradients; table2 and figures of studies: data alone
  std::string study;         // figures of studies: draw this one
  std::string page;          // table1: write this page of the folder, train nothing
};

void reproduce_table1(const ReproduceArguments& arguments);
void reproduce_table2(const ReproduceArguments& arguments);
void reproduce_figure_toy(const ReproduceArguments& arguments);
void reproduce_figure_gradients(const ReproduceArguments& arguments);
// The paper's appendix: restarts, LIT in the input space and LIT along the tangents of a surface in three dimensions,
// with two members each.
void reproduce_figure_manifold(const ReproduceArguments& arguments);
// Two sets of three gradients, one in a plane and one in space, whose pairs all have the same cos².
void reproduce_figure_dpp(const ReproduceArguments& arguments);

// Lambda, ensemble size and measures of diversity. Each runs or resumes its study below the folder. The last two share
// one study.
void reproduce_figure_lambda(const ReproduceArguments& arguments);
void reproduce_figure_size(const ReproduceArguments& arguments);
void reproduce_figure_metrics(const ReproduceArguments& arguments);

// Returns the words of the command that continues a subject: `reproduce SUBJECT` and its options, without those of a
// sweep.
std::vector<std::string> words_again(const std::string& subject, const ReproduceArguments& arguments);

// Writes folder/name.svg and folder/name.html, which shows it, and says where they are.
void write_figure(const std::string& folder, const std::string& name, const std::string& svg, Page page);
// Throws IoError. So a folder that cannot be made is reported before the work.
void make_output_folder(const std::string& folder);

}  // namespace perpend::paper
