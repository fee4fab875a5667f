#include "perpend/study/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <limits>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <utility>

#include "perpend/base/durable_file.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/base/thread_clock.h"
#include "perpend/data/source.h"
#include "perpend/run/row_groups.h"
#include "perpend/run/saved_model.h"
#include "perpend/study/select.h"

namespace perpend {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point start, Clock::time_point end) {
  return std::chrono::duration<double>(end - start).count();
}

double seconds_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// Trials with equal values share rows.
auto group_of(const StudyTrial& trial) { return std::tuple(trial.dataset, trial.trial.split, trial.trial.restart); }
using Group = decltype(group_of(std::declval<StudyTrial>()));

// The approximate number of inputs of the networks: a column of words gives one for each of its words.
std::size_t width_of(const Table& table) {
  std::size_t width = 0;
  for (const auto& column : table.columns) width += std::max<std::size_t>(1, column.words.size());
  return width;
}

double expected_cost(const Study& study, const StudyTables& tables, const StudyTrial& trial) {
  const Table& table = tables[trial.dataset];
  const auto rows = static_cast<double>(table.rows);
  double visits = static_cast<double>(study.row_visits.value_or(kRowVisits));
  if (study.options.train.epochs) visits = *study.options.train.epochs * rows;
  return cost_of(trial.trial) * visits * static_cast<double>(width_of(table));
}

// Returns the places of the trials in the order in which they run.
std::vector<std::size_t> running_order(const Study& study, const StudyTables& tables,
                                       const std::vector<StudyTrial>& trials) {
  std::vector<double> costs;
  std::map<Group, double> longest;
  for (const auto& trial : trials) {
    costs.push_back(expected_cost(study, tables, trial));
    longest[group_of(trial)] = std::max(longest[group_of(trial)], costs.back());
  }
  std::vector<std::size_t> order(trials.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) {
    return std::tuple(-longest[group_of(trials[i])], group_of(trials[i]), -costs[i]);
  });
  return order;
}

// ceil(row_visits / rows).
int epochs_of(std::int64_t row_visits, std::int64_t rows) {
  const std::int64_t epochs = row_visits / rows + (row_visits % rows == 0 ? 0 : 1);
  if (std::in_range<int>(epochs)) return static_cast<int>(epochs);
  throw ConfigError(
      fmt::format("row_visits is {}, which is {} epochs of {} training rows; at most {} epochs are possible",
                  row_visits, epochs, rows, std::numeric_limits<int>::max()));
}

// The rows of each group, prepared once for all trials that use them at about the same time.
class SharedRows {
 public:
  SharedRows(const Study& study, const StudyTables& tables) : study_(study), tables_(tables) {
    for (std::size_t d = 0; d < tables.size(); ++d) {
      schemas_.push_back(study.published ? published_schema(study.datasets[d].source, tables[d], options(d).schema)
                                         : std::nullopt);
    }
  }

  std::shared_ptr<const TrialData> of(const StudyTrial& trial) {
    const std::scoped_lock lock(mutex_);
    for (const auto& [group, data] : kept_) {
      if (group == group_of(trial)) return data;
    }
    // Threads go from one group to the next at about the same time, so two groups are enough.
    if (kept_.size() == 2) kept_.erase(kept_.begin());
    kept_.emplace_back(group_of(trial), std::make_shared<const TrialData>(prepared(trial)));
    return kept_.back().second;
  }

  TrialData prepared(const StudyTrial& trial) const {
    const auto& schema = schemas_[trial.dataset];
    TrialData data = prepare_trials(tables_[trial.dataset], options(trial.dataset), trial.trial.split,
                                    trial.trial.restart, {.encoding = schema ? &*schema : nullptr});
    if (study_.row_visits) {
      data.epochs = epochs_of(*study_.row_visits, static_cast<std::int64_t>(data.prepared.train.rows()));
    }
    return data;
  }

 private:
  RunOptions options(std::size_t dataset) const {
    RunOptions options = study_.options;
    options.schema.target = study_.datasets[dataset].target;
    return options;
  }

  const Study& study_;
  const StudyTables& tables_;
  std::vector<std::optional<Schema>> schemas_;
  std::mutex mutex_;
  std::vector<std::pair<Group, std::shared_ptr<const TrialData>>> kept_;
};

// What is checked before a sweep: whether every method accepts its rows, and whether its models fit into a file.
struct Checks {
  bool training = true;
  bool models = false;
};

// Prepares the rows of every group, one after the other, and trains each method on them for no epoch. So whatever a
// sweep can refuse is refused here. Returns false when it was stopped before the end.
bool check_trials(const Study& study, const std::vector<StudyTrial>& trials, const SharedRows& rows,
                  const Checks& checks, const std::function<bool()>& stop_requested) {
  std::optional<Group> group;
  std::set<Method> methods;
  std::set<int> members;
  TrialData data;
  RunOptions saved;  // with the epochs that the models will have
  for (const auto& trial : trials) {
    if (group != group_of(trial)) {
      if (stop_requested()) return false;
      group = group_of(trial);
      methods.clear();
      members.clear();
      data = rows.prepared(trial);
      saved = options_of(study, trial);
      saved.train.epochs = data.epochs_of(study.options.train);
      data.epochs = 0;
    }
    saved.train.members = trial.trial.members;
    if (checks.models && members.insert(trial.trial.members).second) check_savable(data.prepared, saved);
    if (checks.training && methods.insert(trial.trial.method).second) train_trial(data, study.options, trial.trial);
  }
  return true;
}

// The id makes the name unique. The rest is for readers, and short enough for any file system.
std::string model_name(const Study& study, const StudyTrial& trial) {
  constexpr std::size_t kLongest = 100;
  std::string data = std::filesystem::path(study.datasets[trial.dataset].source).stem().string().substr(0, kLongest);
  for (char& c : data) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return fmt::format("{}-{}-{}-{}.safetensors", data, name_of(trial.trial.split), name_of(trial.trial.method),
                     trial.id.substr(0, 8));
}

TrialResult result_of(const RunResult& run, const Trial& trial) {
  TrialResult result{.trial = trial,
                     .status = TrialStatus::ok,
                     .validation_merit = {},
                     .test = {},
                     .divergence = run.trained.divergence};
  if (run.trained.status == TrainStatus::diverged) result.status = TrialStatus::diverged;
  if (run.trained.status == TrainStatus::stopped) result.status = TrialStatus::stopped;
  if (result.status != TrialStatus::ok) return result;
  if (run.validation) result.validation_merit = run.validation->merit();
  if (run.test) result.test = *run.test;
  return result;
}

class StopCallback : public TrainCallback {
 public:
  explicit StopCallback(std::function<bool()> stop) : stop_(std::move(stop)) {}
  bool stop_requested() override { return stop_(); }

 private:
  std::function<bool()> stop_;
};

// Returns at most as many threads as there are trials.
int threads_for(int asked, std::size_t trials) {
  const int threads = asked > 0 ? asked : Threads(0).count();
  return static_cast<int>(std::clamp<std::size_t>(trials, 1, static_cast<std::size_t>(threads)));
}

class Sweep {
 public:
  Sweep(const Study& study, const StudyTables& tables, std::filesystem::path folder, const SweepOptions& options,
        Comm& comm, const SweepCallback& callback, FileSystem& files)
      : study_(study),
        tables_(tables),
        folder_(std::move(folder)),
        options_(options),
        comm_(comm),
        callback_(callback),
        files_(files),
        trials_(trials_of(study)),
        order_(running_order(study, tables, trials_)),
        rows_(study, tables),
        threads_(threads_for(options.threads, trials_.size())) {}

  SweepOutcome run() {
    if (!opened()) return {.before = 0, .added = 0, .stopped = true};
    if (comm_.rank() == 0) {
      if (keeps_models()) make_models_folder();
      remove_leftovers(folder_ / "models", files_);
    }
    const auto missing = missing_trials();
    SweepOutcome outcome{.before = trials_.size() - missing_count_, .added = 0, .stopped = false};
    outcome.added = run_missing(missing);
    outcome.stopped = comm_.any(stopping());
    comm_.barrier();
    if (!outcome.stopped && keeps_models()) outcome.stopped = keep_models();
    return outcome;
  }

 private:
  bool keeps_models() const { return options_.keep_models != KeepModels::none; }
  bool stopping() const { return failed_ || (callback_.stop_requested && callback_.stop_requested()); }

  // Rank 0 calls it for all. A new folder is made after everything was checked, and not when a stop comes before that.
  bool opened() {
    std::string answer = "stopped";
    if (comm_.rank() == 0 && checked()) {
      open_study_folder(folder_, study_, files_);
      answer = "opened";
    }
    return comm_.broadcast(answer) == "opened";
  }

  // The process that made the folder has checked what it holds, except for models if it was not asked for any.
  bool checked() {
    const Checks checks{.training = !holds_study(folder_, files_), .models = keeps_models()};
    if (!checks.training && !checks.models) return true;
    return check_trials(study_, trials_, rows_, checks, [this] { return stopping(); });
  }

  // Only rank 0 looks, so that all ranks have the same list.
  std::vector<std::size_t> missing_trials() {
    std::string done(trials_.size(), '0');
    if (comm_.rank() == 0) {
      for (const auto& stored : read_study_folder(folder_, files_).results) done[stored.trial] = '1';
    }
    done = comm_.broadcast(done);
    missing_count_ = static_cast<std::size_t>(std::ranges::count(done, '0'));
    std::vector<std::size_t> missing;
    for (std::size_t place = 0; place < order_.size(); ++place) {
      const bool ours = place % options_.shard.count == options_.shard.index;
      if (ours && done[order_[place]] == '0') missing.push_back(order_[place]);
    }
    return missing;
  }

  // Every thread of every rank takes the next trial of the list until none is left.
  void for_each_taken(const std::vector<std::size_t>& list, const std::function<void(const StudyTrial&)>& work) {
    threads_.for_each(static_cast<std::size_t>(threads_.count()), [&](std::size_t) {
      while (!stopping()) {
        const std::size_t next = comm_.take();
        if (next >= list.size()) return;
        try {
          work(trials_[list[next]]);
        } catch (...) {
          failed_ = true;
          throw;
        }
      }
    });
  }

  std::size_t run_missing(const std::vector<std::size_t>& missing) {
    if (callback_.on_start) callback_.on_start(missing.size());
    const auto shares = shares_before(missing);
    struct Running {
      StudyTrial trial;
      TrialResult result;
    };
    std::size_t saved = 0;
    std::mutex mutex;
    std::map<std::string, Running> unsaved;
    ResultLog log(
        folder_ / "results",
        [&](const ResultRecord& record) {
          ++saved;
          const std::scoped_lock lock(mutex);
          const auto found = unsaved.extract(record.id);
          const auto& [trial, result] = found.mapped();
          if (callback_.on_saved) callback_.on_saved({trial, result, shares.at(trial.id)});
        },
        files_);
    for_each_taken(missing, [&](const StudyTrial& trial) {
      const auto start = Clock::now();
      const double processor = thread_seconds();  // a trial runs on the thread that takes it
      const TrialResult result = run_one(trial);
      if (result.status == TrialStatus::stopped) return;
      {
        const std::scoped_lock lock(mutex);
        unsaved.emplace(trial.id, Running{trial, result});
      }
      log.add({.id = trial.id,
               .result = to_json(study_, trial, result),
               .seconds = seconds_between(start, Clock::now()),
               .processor = thread_seconds() - processor,
               .finished = seconds_since_1970()});
    });
    log.close();
    return saved;
  }

  std::map<std::string, double> shares_before(const std::vector<std::size_t>& list) const {
    double total = 0;
    for (const auto i : list) total += expected_cost(study_, tables_, trials_[i]);
    std::map<std::string, double> shares;
    double before = 0;
    for (const auto i : list) {
      shares[trials_[i].id] = before / total;
      before += expected_cost(study_, tables_, trials_[i]);
    }
    return shares;
  }

  TrialResult run_one(const StudyTrial& trial) {
    const auto data = rows_.of(trial);
    if (options_.keep_models == KeepModels::all) return run_and_save(trial, *data);
    return run_trial(*data, study_.options, trial.trial,
                     {.stop_requested = [this] { return stopping(); }, .on_finish = {}});
  }

  // The model is saved first, so that a result implies its model.
  TrialResult run_and_save(const StudyTrial& trial, const TrialData& data) {
    RunOptions options = options_of(study_, trial);
    options.train.epochs = data.epochs_of(study_.options.train);
    options.train.threads = 1;
    StopCallback stop([this] { return stopping(); });
    const RunResult run = perpend::run(data.prepared, options, nullptr, &stop);
    TrialResult result = result_of(run, trial.trial);
    if (result.status == TrialStatus::ok) {
      write_file_durably(model_path(trial), to_bytes(model_of(data.prepared, options, run)), true, files_);
    }
    return result;
  }

  std::filesystem::path model_path(const StudyTrial& trial) const {
    return folder_ / "models" / model_name(study_, trial);
  }

  bool has_model(const StudyTrial& trial) const {
    const std::string path = model_path(trial).string();
    const int found = files_.exists(path);
    return found != -ENOENT && checked_call(found, "cannot look for " + printable(path)) == 0;
  }

  void make_models_folder() {
    const auto models = (folder_ / "models").string();
    checked_call(files_.make_folder(models), "cannot make " + printable(models));
  }

  // Trains missing models again if they are wanted, which gives the same bytes as the first time.
  bool keep_models() {
    std::string wanted(trials_.size(), '0');
    if (comm_.rank() == 0) {
      for (const auto trial : models_wanted(read_study_folder(folder_, files_))) {
        if (!has_model(trials_[trial])) wanted[trial] = '1';
      }
    }
    wanted = comm_.broadcast(wanted);
    std::vector<std::size_t> list;
    for (const auto trial : order_) {
      if (wanted[trial] == '1') list.push_back(trial);
    }
    for_each_taken(list, [&](const StudyTrial& trial) { run_and_save(trial, *rows_.of(trial)); });
    const bool stopped = comm_.any(stopping());
    comm_.barrier();
    return stopped;
  }

  // best: for each data set, split and method whose trials are all finished, the best by validation AUC, or the first
  // of equal ones.
  std::vector<std::size_t> models_wanted(const StudyFolder& folder) const {
    std::vector<std::size_t> wanted;
    using Key = std::tuple<std::size_t, SplitKind, Method>;
    std::map<Key, std::size_t> left;
    std::map<Key, const StudyResult*> best;
    const auto key = [&](std::size_t i) {
      return Key(trials_[i].dataset, trials_[i].trial.split, trials_[i].trial.method);
    };
    for (std::size_t i = 0; i < trials_.size(); ++i) ++left[key(i)];
    for (const auto& stored : folder.results) {
      --left[key(stored.trial)];
      if (stored.result.status != TrialStatus::ok) continue;
      if (options_.keep_models == KeepModels::all) wanted.push_back(stored.trial);
      const StudyResult*& so_far = best[key(stored.trial)];
      if (so_far == nullptr || better(stored.result, so_far->result)) so_far = &stored;
    }
    if (options_.keep_models == KeepModels::all) return wanted;
    for (const auto& [place, stored] : best) {
      if (left[place] == 0) wanted.push_back(stored->trial);
    }
    return wanted;
  }

  const Study& study_;
  const StudyTables& tables_;
  std::filesystem::path folder_;
  SweepOptions options_;
  Comm& comm_;
  const SweepCallback& callback_;
  FileSystem& files_;
  std::vector<StudyTrial> trials_;
  std::vector<std::size_t> order_;
  SharedRows rows_;
  Threads threads_;
  std::size_t missing_count_ = 0;
  std::atomic<bool> failed_ = false;
};

}  // namespace

StudyTables read_study_tables(Study& study, const std::string& data_dir) {
  StudyTables tables;
  for (auto& dataset : study.datasets) {
    // It is read first. What is not a table may have no end, and is refused at its first rows.
    refuse_read_once(dataset.source, data_dir);
    tables.push_back(read_source(dataset.source, data_dir));
    const std::string sha256 = source_sha256(dataset.source, data_dir);
    if (!dataset.sha256.empty() && dataset.sha256 != sha256) {
      throw MismatchError(printable(dataset.source) + " has changed: its sha256 is " + sha256 +
                          " where the study has " + dataset.sha256);
    }
    dataset.sha256 = sha256;
    for (const auto& earlier : study.datasets) {
      if (&earlier == &dataset) break;
      if (earlier.sha256 == sha256 && earlier.target == dataset.target) {
        throw ConfigError("data sets " + quote(earlier.source) + " and " + quote(dataset.source) +
                          " have the same bytes; a study takes each data set once");
      }
    }
  }
  return tables;
}

void check_study(const Study& study, const StudyTables& tables, KeepModels keep) {
  const Checks checks{.training = true, .models = keep != KeepModels::none};
  check_trials(study, trials_of(study), SharedRows(study, tables), checks, [] { return false; });
}

std::vector<std::string> left_out_lines(const Study& study, const StudyTables& tables) {
  std::vector<std::string> lines;
  if (std::ranges::find(study.splits, SplitKind::domain) == study.splits.end()) return lines;
  for (std::size_t d = 0; d < tables.size(); ++d) {
    const RowGroups domains = domains_in(tables[d], study.options.domain);
    SplitOptions split = study.options.split;
    split.seed = study.options.train.seed;
    std::vector<LeftOut> restarts;
    for (int restart = 0; restart < study.restarts; ++restart, ++split.seed) {
      restarts.push_back(left_out_of(domains, split));
    }
    lines.push_back(printable(study.datasets[d].source) + ": " + left_out_line(restarts));
  }
  return lines;
}

SweepOutcome sweep(const Study& study, const StudyTables& tables, const std::filesystem::path& folder,
                   const SweepOptions& options, Comm& comm, const SweepCallback& callback, FileSystem& files) {
  return Sweep(study, tables, folder, options, comm, callback, files).run();
}

}  // namespace perpend
