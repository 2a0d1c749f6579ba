/* SPDX-License-Identifier: GPL-3.0-or-later
 * printed.h - every number of the papers that follows from definitions: where it is printed, and its formula.
 *
 * A row belongs to a part of a claim.  In parts named as-stated or corrected the formula must give what is
 * printed, and `wrong`, the same with one term changed, must not.  In parts named as-stated-slips, -gap or -swap
 * it is the other way round: the formula does not give what is printed, and `wrong` shows how it came about, or
 * where it would be right.  Names in formulas: MODEL.COUNT (models.c, count.h), RUN.COLUMN and MODEL.loss_100k or
 * MODEL.loss_60k (runs.c), and the cells of 001 Table 2. */
#ifndef PRINTED_H
#define PRINTED_H
#include "src/methods/counts/count.h"
#include "src/methods/counts/formula.h"
#include "src/methods/counts/printed_number.h"

typedef struct {
    const char *claim, *part;
    const char *where, *says;            /* "003 Table 2", "total, baseline"                             */
    const char *printed, *formula, *wrong;
    const char *note;                    /* "" or a sentence for the reader                              */
} printed_value;
typedef struct { const printed_value *at; size_t n; } printed_list;
extern const printed_value printed_k[], printed_b[];       /* the two lines of papers                   */
extern const size_t printed_k_count, printed_b_count;
size_t printed_count(void);
const printed_value *printed_at(size_t k);                 /* those of K, then those of B               */
bool printed_slips(const printed_value *v);                /* its part is one of slips                  */

/* One run as Tables 1 to 3 of 002 print it; "" where the table has no such column. */
typedef struct {
    const char *table, *name;            /* "mnist_6_1_mlp_full": data, encoders, heads, MLP, variant   */
    const char *parameters, *Q, *train_loss, *val_loss, *train_acc, *val_acc;
} printed_run;
extern const printed_run printed_runs[];
extern const size_t printed_runs_count;

/* One run of 003 Table 2 (100k steps) or 000 Table 2 (60k), and what tables and text say was changed in it against the
 * baseline; rate: the peak learning rate, "" where our text has lost it. */
typedef struct {
    const char *table, *model;           /* as models.c names it                                            */
    bool no_query, other_scale, lower_decay, higher_rate;
    const char *rate, *loss;
} printed_gpt_run;
extern const printed_gpt_run printed_gpt_runs[];
extern const size_t printed_gpt_runs_count;

/* Models by name: description as text; NULL: no such model. */
char *printed_model_text(const char *name) MUST_USE;               /* to be freed                               */
bool  printed_name(mpq_t out, const char *name);           /* for formula_value                         */
#endif
