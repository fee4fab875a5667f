// The numeric contract of trees (docs/contract.md): one hash over trained trees, their scores and contributions, for
// any number of threads, every instruction set, and every compiler (tools/check_contract).
#include <gtest/gtest.h>

#include "perpend/base/sha256.h"
#include "perpend/trees/contributions.h"
#include "tests/support/targets.h"
#include "tests/trees/made_rows.h"

namespace perpend {
namespace {

template <class T>
void update(Sha256& hash, const std::vector<T>& numbers) {
  hash.update(std::as_bytes(std::span(numbers)));
}

template <class Rows>
void update_rows(Sha256& hash, const Rows& rows) {
  for (std::size_t r = 0; r < rows.rows(); ++r) hash.update(std::as_bytes(std::span(rows.row(r), rows.cols())));
}

void add_training(Sha256& hash, TreeLoss loss, std::int32_t classes, const Threads& threads) {
  auto made = test::made_rows(5000, 1, classes);
  for (std::size_t r = 0; r < made.inputs.rows(); ++r) made.weights.push_back(static_cast<float>(r % 5) / 3);
  const auto validation = test::made_rows(300, 2, classes);
  const auto tables = test::made_tables();
  const BoostTask task{.loss = loss,
                       .classes = static_cast<std::size_t>(classes),
                       .columns = tables,
                       .training = made.view(),
                       .validation = validation.view()};
  const BoostOptions options{.rounds = 12, .row_share = 0.9, .column_share = 0.8, .seed = 3};
  const BoostResult result = boost(task, options, threads);
  update(hash, result.validation_loss);
  for (const Tree& tree : result.trees.trees) {
    update(hash, tree.column);
    update(hash, tree.threshold);
    update(hash, tree.missing_left);
    update(hash, tree.left);
    update(hash, tree.right);
    update(hash, tree.words);
    update(hash, tree.value);
    update(hash, tree.weight);
  }
  update_rows(hash, score(result.trees, validation.inputs.view(), threads));
  update_rows(hash, contributions(result.trees, 0, validation.inputs.view().middle_rows(0, 20), threads));
}

std::string hash_of_all(const Threads& threads) {
  Sha256 hash;
  add_training(hash, TreeLoss::log_loss, 2, threads);
  add_training(hash, TreeLoss::log_loss, 3, threads);
  add_training(hash, TreeLoss::regression, 2, threads);
  return hash.hex();
}

constexpr const char* kHash = "8936e0b25e54259524d6cdf0032a7a693eb185b75be800729154076f64476e0c";

TEST(TreesContract, SameBytesOnAnyNumberOfThreads) {
  for (const int threads : {1, 2, 3, 8}) EXPECT_EQ(hash_of_all(Threads(threads)), kHash) << threads;
}

TEST(TreesContract, SameBytesOnEveryTarget) {
  test::on_every_target([] { EXPECT_EQ(hash_of_all(Threads(2)), kHash); });
}

}  // namespace
}  // namespace perpend
