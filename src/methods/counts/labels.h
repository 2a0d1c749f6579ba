/* SPDX-License-Identifier: GPL-3.0-or-later
 * labels.h - how many images of each class the two data sets of 002 have.  t_images counts them again in the files. */
#ifndef COUNTS_LABELS_H
#define COUNTS_LABELS_H

enum { LABEL_CLASSES = 10 };
typedef struct { const char *set; long of[LABEL_CLASSES]; } label_counts;
extern const label_counts labels_mnist, labels_mnist_test, labels_cifar10;       /* the first and last: for training */
#endif
