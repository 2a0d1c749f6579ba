/* SPDX-License-Identifier: GPL-3.0-or-later
 * labels.c - see labels.h. */
#include "src/methods/counts/labels.h"

const label_counts labels_mnist =
    { "MNIST, training", { 5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949 } };
const label_counts labels_mnist_test =
    { "MNIST, test", { 980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009 } };
const label_counts labels_cifar10 =
    { "CIFAR-10, training", { 5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000 } };
