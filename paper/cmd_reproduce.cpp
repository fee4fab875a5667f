#include <fmt/format.h>

#include <filesystem>

#include "apps/perpend/command.h"
#include "apps/perpend/terminal.h"
#include "paper/reproduce.h"
#include "paper/verbs.h"
#include "perpend/base/durable_file.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/source.h"
#include "perpend/report/assets.h"

namespace perpend::paper {

namespace {

using Arguments = std::shared_ptr<ReproduceArguments>;
using Subject = void (*)(const ReproduceArguments&);

// A subject: its word, what it is, its examples, and the function that makes it.
CLI::App* add_subject(CLI::App& verb, const char* name, const char* help, const char* examples, Subject subject,
                      const Arguments& arguments, app::Action& chosen) {
  auto* word = verb.add_subcommand(name, help);
  word->footer(examples);
  word->add_flag("--quick", arguments->quick, "A smaller version that takes less time");
  word->add_option("-o,--output", arguments->folder, "Folder to write to; it is made if it does not exist [reproduce]")
      ->type_name("DIR")
      ->check(app::not_empty());
  word->add_option("--seed", arguments->seed, "Seed of all random numbers [0]")->type_name("N");
  word->callback([arguments, subject, &chosen] { chosen = [arguments, subject] { subject(*arguments); }; });
  return word;
}

void add_threads(CLI::App* subject, const Arguments& arguments) {
  subject->add_option("--threads", arguments->threads, "Number of trainings that run at once; 0 uses all cores [0]")
      ->type_name("N")
      ->check(app::whole_between(0, 1024));
}

// A figure of a study. The figure runs the study, or the study is given.
void add_study_figure(CLI::App& verb, const char* name, const char* help, Subject subject, const Arguments& arguments,
                      app::Action& chosen) {
  const std::string examples = fmt::format(
      "  perpend reproduce {0} --quick -o figures           public sets, in minutes; again to resume\n"
      "  perpend reproduce {0} --study runs/table1 -o figures    draws results that are there\n"
      "  perpend reproduce {0} --data icu.csv --quick -o figures    on an ICU table\n",
      name);
  auto* word = add_subject(verb, name, help, examples.c_str(), subject, arguments, chosen);
  add_threads(word, arguments);
  auto* study =
      word->add_option("--study", arguments->study, "Folder of a sweep to draw; nothing is trained")->type_name("DIR");
  word->add_option("--data", arguments->data, "Table that perpend data make icu wrote, in place of the public sets")
      ->type_name("FILE.csv")
      ->excludes(study);
  word->add_option("--data-dir", arguments->data_dir, "Folder of the public data sets")->type_name("DIR");
}

}  // namespace

std::vector<std::string> words_again(const std::string& subject, const ReproduceArguments& arguments) {
  std::vector<std::string> words = {"reproduce", subject, "-o", arguments.folder};
  if (arguments.quick) words.emplace_back("--quick");
  if (!arguments.data.empty()) words.insert(words.end(), {"--data", arguments.data});
  if (arguments.seed != 0) words.insert(words.end(), {"--seed", std::to_string(arguments.seed)});
  return words;
}

void make_output_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw IoError(fmt::format("cannot make folder {}: {}", printable(folder), error.message()));
}

void write_figure(const std::string& folder, const std::string& name, const std::string& svg, Page page) {
  const auto base = std::filesystem::path(folder) / name;
  write_file_durably(base.string() + ".svg", svg);
  app::print("\nPicture: {}.svg\n", printable(base.string()));
  if (page_assets().page.empty()) {
    app::print("No page: this perpend was built without npm\n");
    return;
  }
  page.footer.push_back(fmt::format("Made by perpend {}: perpend reproduce {}.", PERPEND_VERSION, name));
  write_file_durably(base.string() + ".html", page_html(page));
  app::print("Page:    {}.html\n", printable(base.string()));
}

void add_reproduce(CLI::App& program, app::Action& chosen) {
  auto* verb = program.add_subcommand("reproduce", "Reproduce the paper's figures and tables");
  verb->footer(
      "  perpend reproduce table1 --quick -o runs/quick   the paper's table in minutes; again to resume\n"
      "  perpend reproduce table2 --data icu.csv --quick -o runs/icu    the paper's ICU tasks on an ICU table\n"
      "  perpend reproduce figure-toy -o figures          decision boundaries on four sets with gaps\n"
      "  perpend reproduce figure-toy --quick             one set, restarts against LIT, in seconds\n"
      "  perpend reproduce figure-lambda --quick          what lambda does to members and their diversity\n"
      "  perpend reproduce figure-size --study runs/table1     AUC by ensemble size, from results that are there\n"
      "  perpend reproduce figure-metrics --quick         similar gradients, similar errors?\n"
      "  perpend reproduce figure-gradients               what restarts and LIT look at\n"
      "  perpend reproduce figure-manifold                independence along a surface\n"
      "  perpend reproduce figure-dpp                     three gradients in a plane, and pairs that look fine\n");
  verb->require_subcommand(1);
  const auto arguments = std::make_shared<ReproduceArguments>();
  auto* table1 =
      add_subject(*verb, "table1", "Five public sets, two splits, six methods: 25,500 ensembles",
                  "  perpend reproduce table1 --quick -o runs/quick     3 restarts, 6 lambdas, M 2 5 13, a quarter "
                  "of the row visits\n"
                  "  perpend reproduce table1 -o runs/table1            all of it; the same command resumes\n"
                  "  mpirun -n 64 perpend reproduce table1 -o runs/table1 --threads 1\n"
                  "  perpend reproduce table1 -o runs/table1 --page table1.md    what is in, beside the paper\n",
                  reproduce_table1, arguments, chosen);
  add_threads(table1, arguments);
  table1->add_option("--data-dir", arguments->data_dir, "Folder of the public data sets")->type_name("DIR");
  table1
      ->add_option("--page", arguments->page, "Write a page of what the folder holds, in Markdown; nothing is trained")
      ->type_name("FILE.md")
      ->check(app::not_empty());
  auto* table2 = add_subject(
      *verb, "table2", "Death in hospital, from all training rows and from 1,000: six methods",
      "  perpend data make icu --from physionet2012 set-a.csv -o icu.csv\n"
      "  perpend reproduce table2 --data icu.csv --quick -o runs/icu    M 5, 6 lambdas, 5 restarts, a "
      "quarter of the row visits\n"
      "  perpend reproduce table2 --data icu.csv -o runs/icu            all of it; the same command resumes\n",
      reproduce_table2, arguments, chosen);
  table2->add_option("--data", arguments->data, "Table that perpend data make icu wrote")
      ->required()
      ->type_name("FILE.csv");
  add_threads(table2, arguments);
  auto* toy = add_subject(*verb, "figure-toy", "Decision boundaries of two members on the paper's four sets with gaps",
                          "  perpend reproduce figure-toy -o figures            minutes\n"
                          "  perpend reproduce figure-toy --seeds 1             drawn alike, measured on one seed\n"
                          "  perpend reproduce figure-toy --quick               one set, two ensembles, one seed\n",
                          reproduce_figure_toy, arguments, chosen);
  toy->add_option("--seeds", arguments->seeds, "Number of seeds to measure, from --seed on; the first one is drawn [5]")
      ->type_name("N")
      ->check(app::whole_between(1, 1000));
  add_study_figure(*verb, "figure-lambda", "Members and their diversity against lambda, ensembles of two",
                   reproduce_figure_lambda, arguments, chosen);
  add_study_figure(*verb, "figure-size", "AUC and accuracy against the number of networks", reproduce_figure_size,
                   arguments, chosen);
  add_study_figure(*verb, "figure-metrics", "Error correlation and Q against the gradients' cos^2",
                   reproduce_figure_metrics, arguments, chosen);
  auto* gradients = add_subject(*verb, "figure-gradients", "Input gradients per feature and member, a panel per method",
                                "  perpend reproduce figure-gradients -o figures\n"
                                "  perpend reproduce figure-gradients --data icu.csv --target in_hospital_death\n",
                                reproduce_figure_gradients, arguments, chosen);
  gradients->add_option("--data", arguments->data, "Labelled table [builtin:shortcut]")->type_name("DATA");
  gradients->add_option("--target", arguments->target, "Column of that table to predict [target]")->type_name("COL");
  gradients->add_option("--data-dir", arguments->data_dir, "Folder of the public data sets")->type_name("DIR");
  add_subject(*verb, "figure-dpp", "What squared cosines of pairs do not see in three gradients",
              "  perpend reproduce figure-dpp -o figures\n", reproduce_figure_dpp, arguments, chosen);
  auto* manifold =
      add_subject(*verb, "figure-manifold", "Restarts, LIT in the input space and LIT along a surface in 3-D",
                  "  perpend reproduce figure-manifold -o figures             minutes on two cores\n"
                  "  perpend reproduce figure-manifold -o figures --quick     under a minute\n"
                  "  perpend reproduce figure-manifold -o figures --quick --surfaces 6    how often it works\n",
                  reproduce_figure_manifold, arguments, chosen);
  add_threads(manifold, arguments);
  manifold
      ->add_option("--surfaces", arguments->surfaces,
                   "Number of surfaces, of seeds from 0 on; it prints how often each way worked")
      ->type_name("N")
      ->check(app::whole_between(1, 1000));
  manifold->add_flag("--json", arguments->json, "One JSON document");
}

}  // namespace perpend::paper
