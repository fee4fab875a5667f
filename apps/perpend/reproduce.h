// The paper's figures and tables, one function a subject. Each writes NAME.svg and NAME.html into the folder and prints
// what it measured.
#pragma once

#include <cstdint>
#include <string>

#include "perpend/report/page.h"

namespace perpend::app {

struct ReproduceArguments {
  std::string folder = "reproduce";
  bool quick = false;
  std::uint64_t seed = 0;
  std::string data, target, data_dir;  // figure-gradients
};

void reproduce_figure_toy(const ReproduceArguments& arguments);
void reproduce_figure_gradients(const ReproduceArguments& arguments);

// Writes folder/name.svg and folder/name.html, which shows it, and says where they are.
void write_figure(const std::string& folder, const std::string& name, const std::string& svg, Page page);
// Throws IoError, so that a folder that cannot be is named before the work.
void make_output_folder(const std::string& folder);

}  // namespace perpend::app
