/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_46.c - B-46, accuracies follow the losses on the training set, not all of them on the validation set.
 *
 * Exactly so. In the order of its training losses Table 3 has strictly falling training accuracies: all 36 pairs of
 * its nine runs agree. On the validation set 21 of the 36 pairs disagree: the run with the lower loss has the lower
 * accuracy. On MNIST, of which the sentence does not speak, it is 44 pairs and a tie, and 11 of 45. */
#include <string.h>
#include "src/claim/claim.h"
#include "src/methods/counts/recount.h"

typedef struct { long agree, disagree, tie; } pair_count;

/* The sign of x - y, two printed numbers. */
static int printed_order(const char *x, const char *y)
{
    printed_number a, b;
    const char *wrong = printed_parse(&a, x);
    REQUIRE(!wrong, "`%s`: %s", x, wrong);
    wrong = printed_parse(&b, y);
    REQUIRE(!wrong, "`%s`: %s", y, wrong);
    const int c = mpq_cmp(a.value, b.value);
    printed_clear(&a);
    printed_clear(&b);
    return (c > 0) - (c < 0);
}

/* Over all pairs of runs of a table: does the one with the lower loss have the higher accuracy? */
static pair_count pairs_of(const char *table, bool training)
{
    pair_count n = { 0 };
    for (size_t i = 0; i < printed_runs_count; i++)
        for (size_t k = 0; k < i; k++) {
            const printed_run *a = &printed_runs[i], *b = &printed_runs[k];
            if (strcmp(a->table, table) != 0 || strcmp(b->table, table) != 0) continue;
            const int loss = training ? printed_order(a->train_loss, b->train_loss)
                                      : printed_order(a->val_loss, b->val_loss);
            const int accuracy = training ? printed_order(a->train_acc, b->train_acc)
                                          : printed_order(a->val_acc, b->val_acc);
            n.agree    += loss * accuracy < 0;
            n.disagree += loss * accuracy > 0;
            n.tie      += loss * accuracy == 0;
        }
    return n;
}

static void count_is(trial *t, const char *what, pair_count n, pair_count expected)
{
    claim_decided(t, what, n.agree == expected.agree && n.disagree == expected.disagree && n.tie == expected.tie);
}

static void all_pairs(trial *t)
{
    count_is(t, "CIFAR-10, training: 36 of 36 pairs agree",     pairs_of("Table 3", true),  (pair_count){ 36, 0, 0 });
    count_is(t, "CIFAR-10, validation: 21 of 36 disagree",      pairs_of("Table 3", false), (pair_count){ 15, 21, 0 });
    count_is(t, "MNIST, training: 44 of 45 agree, one is a tie", pairs_of("Table 2", true), (pair_count){ 44, 0, 1 });
    count_is(t, "MNIST, validation: 11 of 45 disagree",         pairs_of("Table 2", false), (pair_count){ 34, 11, 0 });
}

static void exchanged(trial *t)
{
    count_is(t, "CIFAR-10, training: 36 of 36 pairs agree", pairs_of("Table 3", false), (pair_count){ 36, 0, 0 });
}

static const control of_pairs[] = { { "exchanged", exchanged, "the validation set for the training set" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, RECOUNT_AGREES,
      .statement = "Table 3 in the order of its training losses has falling training accuracies; on the validation set "
                   "there are runs with more loss and more accuracy than others" },
    { .name = "corrected", .kind = PART_IDENTITY, .about = ABOUT_FINITE, .run = all_pairs,
      CONTROLS(of_pairs), .basis = "recount", RECOUNT_ONLY_Q,
      .statement = "the order is the same for all 36 pairs on the training set, and another one for 21 of 36 on the "
                   "validation set" },
};
static const quotation quotes[] = {
    { TEXT_002, "Section 6.2", "The measured accuracies are roughly consistent with the losses on the training set. On "
                               "the validation set, some of them follow, paradoxically, a different ranking." },
};
static const claim B_46 = {
    .id = "B-46", .title = "accuracies follow the losses on the training set only",
    .where = "002 Section 6.2, Table 3", .quotes = quotes, .nquotes = COUNT(quotes),
    .why = "Training: losses 0.1109, 0.1533, 0.2597, 0.5621, 0.6521, 0.9341, 0.9364, 0.9686, 1.5961 stand beside "
           "accuracies 96.01, 94.63, 90.53, 80.82, 76.10, 66.16, 66.03, 64.80, 40.52. ``Roughly'' is modest, and so is "
           "``some'': on the validation set more than half of the pairs are the other way round, mostly because both "
           "originals have the highest losses and the highest accuracies.",
    .shapes = recount_shapes, .nshapes = COUNT(recount_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "B-41",
};
THEOREM_PROGRAM(B_46)
