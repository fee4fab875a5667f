#include "apps/perpend/command.h"

namespace perpend::app {

void add_model(CLI::App& verb, std::string& path) { verb.add_option("model", path, "Model file")->required(); }

CLI::Option* add_data(CLI::App& verb, std::string& source, const std::string& what) {
  return verb.add_option("data", source,
                         what +
                             ": CSV, Parquet, Arrow, ARFF, X.npy,y.npy, 'part-*.csv', a folder, "
                             "'sqlite:FILE?SELECT ...', builtin:NAME, a public set, or - for stdin");
}

void add_data_dir(CLI::App& verb, std::string& folder) {
  verb.add_option("--data-dir", folder, "Folder of the public data sets")->type_name("DIR");
}

void add_threads(CLI::App& verb, int& threads) {
  verb.add_option("--threads", threads, "Number of threads; 0 uses all cores [0]")
      ->check(whole_between(0, 1024))
      ->option_text("N");
}

CLI::Option* add_json(CLI::App& verb, bool& json, const std::string& help) {
  return verb.add_flag("--json", json, help);
}

void add_force(CLI::App& verb, bool& force, const std::string& what) {
  verb.add_flag("--force", force, "Overwrite " + what);
}

}  // namespace perpend::app
