/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_50.c - B-50, how evenly the classes of the two data sets are distributed.
 *
 * Statement (Section 6).  "While CIFAR-10 is evenly distributed among all classes, MNIST can be considered almost
 * equally distributed."
 *
 * True of CIFAR-10: its 50,000 training images are 5,000 of each class.  MNIST's 60,000 are between 5,421 (the digit
 * 5) and 6,742 (the digit 1), from 9.0 to 11.2 per cent; of its 10,000 test images 8.9 to 11.4 per cent.  Whether that
 * is "almost equally" has no measure; for accuracies it means that always answering 1 is right of 11.35 per cent. */
#include "src/claim/claim.h"
#include "src/methods/counts/labels.h"
#include "src/methods/counts/recount.h"

typedef struct { long images, fewest, largest; } spread;

static spread spread_of(const label_counts *c)
{
    spread s = { .fewest = c->of[0], .largest = c->of[0] };
    for (long k = 0; k < LABEL_CLASSES; k++) {
        s.images += c->of[k];
        if (c->of[k] < s.fewest)  s.fewest  = c->of[k];
        if (c->of[k] > s.largest) s.largest = c->of[k];
    }
    return s;
}

static void are(trial *t, const char *what, const label_counts *c, spread said)
{
    const spread s = spread_of(c);
    claim_equal(t, what, mat_from_si(&t->s, 1, 3, (long[]){ s.images, s.fewest, s.largest }),
                mat_given(&t->s, mat_from_si(&t->s, 1, 3, (long[]){ said.images, said.fewest, said.largest })));
}

static void even(trial *t, const label_counts *c)
{
    are(t, "50,000 images, 5,000 of each class", c, (spread){ 50000, 5000, 5000 });
}
static void cifar10(trial *t)   { even(t, &labels_cifar10); }
static void other_set(trial *t) { even(t, &labels_mnist); }

static void almost(trial *t, const label_counts *training, const label_counts *test)
{
    are(t, "60,000 images, 5,421 to 6,742 of a class", training, (spread){ 60000, 5421, 6742 });
    are(t, "10,000 images, 892 to 1,135 of a class", test, (spread){ 10000, 892, 1135 });
}
static void mnist(trial *t)     { almost(t, &labels_mnist, &labels_mnist_test); }
static void exchanged(trial *t) { almost(t, &labels_mnist_test, &labels_mnist); }

static const control of_even[]   = { { "MNIST", other_set, "the labels of MNIST" } };
static const control of_almost[] = { { "exchanged", exchanged, "training set and test set exchanged" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .about = ABOUT_FINITE, .run = cifar10, CONTROLS(of_even),
      .basis = "counts of labels", RECOUNT_ONLY_Q,
      .statement = "the training set of CIFAR-10 has 5,000 images of each class" },
    { .name = "as-stated-almost", .kind = PART_INFORMAL, .run = mnist, CONTROLS(of_almost),
      .quantity = "MNIST", .shown_by = "60,000 images, 5,421 to 6,742 of a class",
      .basis = "counts of labels; ``almost'' has no measure", RECOUNT_ONLY_Q,
      .statement = "MNIST has 5,421 to 6,742 images of a class for training, 9.0 to 11.2\\%, and 892 to 1,135 for "
                   "testing, 8.9 to 11.4\\%" },
};
static const quotation quotes[] = {
    { TEXT_002, "Section 6", "While CIFAR-10 is evenly distributed among all classes, MNIST can be considered almost "
      "equally distributed." },
};
static const claim B_50 = {
    .id = "B-50", .title = "how evenly the classes are distributed", .where = "002 Section 6",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .why = "The labels of the files were counted: CIFAR-10 is even; of MNIST the digit 5 is 9.7\\% below a tenth of "
           "the training images and the digit 1 12.4\\% above. For accuracies of 95\\% and more, as they are printed, "
           "that is even enough: always to answer 1 is right of 11.35\\% of the test images.",
    .shapes = recount_shapes, .nshapes = COUNT(recount_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "",
};
THEOREM_PROGRAM(B_50)
