/* Trains three networks on an array, saves them for `perpend predict`, and asks them about two new rows. The second row
 * has a large income and a large debt, which no row of training has, so the members disagree about it. */
#include <perpend/c.h>
#include <stdio.h>

enum { ROWS = 400, COLUMNS = 2 };

static double values[ROWS][COLUMNS];
static const char* paid[ROWS];
static const char* const names[COLUMNS] = {"income", "debt"};
static const double unseen[] = {55, 25, 55, 55};
static double probabilities[2 * 2], disagreement[2]; /* two rows of two classes */

/* Returns a number from 0 to 15, the same in every run. */
static double some(void) {
  static unsigned state = 1;
  state = state * 1664525U + 1013904223U;
  return (state >> 16) % 1500 / 100.0;
}

/* A large income comes with a small debt, so either column alone tells who pays. */
static void make_loans(void) {
  for (int r = 0; r < ROWS; ++r) {
    const int pays = r % 2;
    values[r][0] = (pays ? 45 : 20) + some();
    values[r][1] = (pays ? 20 : 45) + some();
    paid[r] = pays ? "yes" : "no";
  }
}

static int train_and_ask(void) {
  perpend_table *loans = NULL, *new_loans = NULL;
  perpend_options *options = NULL;
  perpend_model *model = NULL;
  int status = perpend_table_new(&loans);
  if (!status) status = perpend_table_add_matrix(loans, names, &values[0][0], ROWS, COLUMNS, COLUMNS, 1);
  if (!status) status = perpend_table_add_words(loans, "paid", paid, ROWS);
  if (!status) status = perpend_options_new(&options);
  if (!status) status = perpend_options_set(options, "target", "paid");
  if (!status) status = perpend_options_set(options, "members", "3");
  if (!status) status = perpend_train(loans, options, NULL, NULL, &model);
  if (!status) status = perpend_save(model, "loans.safetensors", 1);
  if (!status) status = perpend_table_new(&new_loans);
  if (!status) status = perpend_table_add_matrix(new_loans, names, unseen, 2, COLUMNS, COLUMNS, 1);
  if (!status) status = perpend_predict(model, new_loans, 0, 2, probabilities, disagreement, NULL, NULL);
  if (status) fprintf(stderr, "%s\n", perpend_last_error());
  for (int r = 0; !status && r < 2; ++r) {
    printf("P(%s) = %.2f, disagreement %.2f\n", perpend_class(model, 1), probabilities[2 * r + 1], disagreement[r]);
  }
  perpend_model_free(model);
  perpend_options_free(options);
  perpend_table_free(new_loans);
  perpend_table_free(loans);
  return status;
}

int main(void) {
  if (perpend_c_version() < PERPEND_C_VERSION) return PERPEND_USAGE; /* an older library is loaded */
  make_loans();
  return train_and_ask();
}
