/* perpend for C, and for every language that can call C (docs/c.md): train, save, load, predict.
 *
 *     perpend_table *loans = NULL, *new_loans = NULL;
 *     perpend_options *options = NULL;
 *     perpend_model *model = NULL;
 *     int status = perpend_table_new(&loans);
 *     if (!status) status = perpend_table_add_matrix(loans, names, &values[0][0], ROWS, COLUMNS, COLUMNS, 1);
 *     if (!status) status = perpend_table_add_words(loans, "paid", paid, ROWS);
 *     if (!status) status = perpend_options_new(&options);
 *     if (!status) status = perpend_options_set(options, "target", "paid");
 *     if (!status) status = perpend_options_set(options, "members", "3");
 *     if (!status) status = perpend_train(loans, options, NULL, NULL, &model);
 *     if (!status) status = perpend_save(model, "loans.safetensors", 1);
 *     if (!status) status = perpend_table_new(&new_loans);
 *     if (!status) status = perpend_table_add_matrix(new_loans, names, unseen, 2, COLUMNS, COLUMNS, 1);
 *     if (!status) status = perpend_predict(model, new_loans, 0, 2, probabilities, disagreement, NULL, NULL);
 *     if (status) fprintf(stderr, "%s\n", perpend_last_error());
 *     perpend_model_free(model);
 *     perpend_options_free(options);
 *     perpend_table_free(new_loans);
 *     perpend_table_free(loans);
 *     return status;
 *
 * A program links with -lperpend_c, or by `pkg-config --cflags --libs perpend-c`, or to perpend::c of
 * find_package(perpend COMPONENTS c). It needs no C++ compiler.
 *
 * Errors. Each function that can fail returns PERPEND_OK or another code below; perpend_last_error() is then one line
 * that says what was wrong, where, and what to do. A function that fails leaves its outputs as they were. A NULL where
 * an object or array is needed gives PERPEND_USAGE, never a crash. No C++ exception leaves the library, and it prints
 * nothing.
 *
 * Objects. perpend_table, perpend_options and perpend_model belong to the caller, who frees each of them once. Freeing
 * NULL does nothing. Functions copy what they are given, so the caller may free arrays when a function returns. Several
 * threads may read one object at the same time. A thread that changes an object must be the only one that uses it.
 *
 * Text is UTF-8 and ends with a zero byte.
 *
 * The same table, options and seed give the same model, to the last byte, as `perpend train` and as any other machine
 * (docs/contract.md). */
#ifndef PERPEND_C_H_
#define PERPEND_C_H_

#include <stddef.h>
#include <stdint.h>

/* The version of this interface. It grows by one when something is added. Nothing is ever changed or taken away within
 * one major version, which is the 1 of libperpend_c.so.1, so a program runs with every library whose
 * perpend_c_version() is at least the PERPEND_C_VERSION that it was compiled with. */
#define PERPEND_C_VERSION 1

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define PERPEND_C_API __attribute__((visibility("default")))
#else
#define PERPEND_C_API
#endif

/* What went wrong. The codes up to 7 are the exit codes of the command line. */
enum {
  PERPEND_OK = 0,
  PERPEND_BUG = 1,      /* a broken promise inside perpend: please report it */
  PERPEND_USAGE = 2,    /* an argument that no caller may give: NULL, a wrong length */
  PERPEND_CONFIG = 3,   /* an option that does not exist, or with a wrong value */
  PERPEND_DATA = 4,     /* a table that cannot be used as asked */
  PERPEND_MODEL = 5,    /* a model file that is damaged, foreign or too new */
  PERPEND_IO = 6,       /* a file could not be read or written */
  PERPEND_DIVERGED = 7, /* a loss or weight was no longer finite */
  PERPEND_MEMORY = 10   /* there was not enough memory */
};

typedef struct perpend_table perpend_table;
typedef struct perpend_options perpend_options;
typedef struct perpend_model perpend_model;

/* The version of the interface of the running library, and the version of the library itself, such as "0.1.0". */
PERPEND_C_API int perpend_c_version(void);
PERPEND_C_API const char* perpend_version(void);

/* Why the last function that failed in this thread did so; "" if none has failed. It stays until the next one fails. */
PERPEND_C_API const char* perpend_last_error(void);

/* ---- tables: named columns of numbers or of words, all of one length */

PERPEND_C_API int perpend_table_new(perpend_table** table);

/* Reads what `perpend train` reads: a CSV, Parquet, Arrow or ARFF file, X.npy,y.npy, or builtin:NAME. */
PERPEND_C_API int perpend_table_read(const char* source, perpend_table** table);

/* Adds a column of numbers; NaN is a missing cell. values[i * step] is the number of row i. Classes may be numbers. */
PERPEND_C_API int perpend_table_add_numbers(perpend_table* table, const char* name, const double* values, size_t rows,
                                            ptrdiff_t step);

/* Adds each column of a matrix; values[r * row_step + c * column_step] is the number in row r of column c. Rows
 * that follow one another (C, numpy) have row_step = columns and column_step = 1. Columns that follow one another (R,
 * Julia) have row_step = 1 and column_step = rows. names: one per column. NULL calls them x0, x1, ... */
PERPEND_C_API int perpend_table_add_matrix(perpend_table* table, const char* const* names, const double* values,
                                           size_t rows, size_t columns, ptrdiff_t row_step, ptrdiff_t column_step);

/* Adds a column of words, such as levels or names of classes. NULL is a missing cell. */
PERPEND_C_API int perpend_table_add_words(perpend_table* table, const char* name, const char* const* words,
                                          size_t rows);

PERPEND_C_API size_t perpend_table_rows(const perpend_table* table); /* 0 for NULL */
PERPEND_C_API void perpend_table_free(perpend_table* table);

/* ---- options: those of `perpend train` (docs/options.md), with underscores: learning_rate, early_stopping */

PERPEND_C_API int perpend_options_new(perpend_options** options); /* every option at its default */
PERPEND_C_API int perpend_options_set(perpend_options* options, const char* name, const char* value);
PERPEND_C_API void perpend_options_free(perpend_options* options);

/* ---- models */

/* perpend_train calls it once per epoch. There is one call at a time, but perhaps in a thread of perpend's own. A model
 * may take several rounds, each of which begins at epoch 1: lambda auto tries some values, and boosting trains one
 * member after the other. An answer other than 0 ends the training and keeps what is trained so far. */
typedef int (*perpend_on_epoch)(void* context, int epoch, int epochs);

/* The option target names the column of the answers. on_epoch may be NULL; context is handed to it. */
PERPEND_C_API int perpend_train(const perpend_table* table, const perpend_options* options, perpend_on_epoch on_epoch,
                                void* context, perpend_model** model);

PERPEND_C_API int perpend_load(const char* path, perpend_model** model);
PERPEND_C_API int perpend_load_bytes(const void* bytes, size_t size, perpend_model** model); /* a model file */
PERPEND_C_API int perpend_save(const perpend_model* model, const char* path, int overwrite);
PERPEND_C_API void perpend_model_free(perpend_model* model);

/* Facts about a model. For NULL, and for an index that is too large, the answer is 0 or NULL. Names live as long as the
 * model. */
PERPEND_C_API size_t perpend_members(const perpend_model* model);
PERPEND_C_API size_t perpend_columns(const perpend_model* model); /* columns that predict needs, in any order */
PERPEND_C_API const char* perpend_column(const perpend_model* model, size_t index);
PERPEND_C_API size_t perpend_classes(const perpend_model* model); /* 0 if the model answers with a number */
PERPEND_C_API const char* perpend_class(const perpend_model* model, size_t index);

/* Options, schema, metrics and training of the model, as one JSON object that perpend_text_free frees. */
PERPEND_C_API int perpend_describe(const perpend_model* model, char** json);
PERPEND_C_API void perpend_text_free(char* text);

/* Writes the model's answers for each row of the table. rows must be perpend_table_rows(table). K is perpend_classes,
 * or 1 if the model answers with a number. Each of these arrays may be NULL if it is not wanted:
 *
 *   answers       (rows, K)           probabilities of the classes, or the number
 *   disagreement  (rows)              standard deviation over the members; large on rows unlike those of training
 *   classes       (rows)              index of the answered class; must be NULL if the answer is a number
 *   members       (members, rows, K)  the answers of each member
 *
 * threads: 0 takes all cores. The number of threads changes no bit of an answer. */
PERPEND_C_API int perpend_predict(const perpend_model* model, const perpend_table* table, int threads, size_t rows,
                                  double* answers, double* disagreement, int32_t* classes, double* members);

#ifdef __cplusplus
}
#endif

#endif
