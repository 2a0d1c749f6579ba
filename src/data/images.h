/* SPDX-License-Identifier: GPL-3.0-or-later
 * images.h - images with labels, their files, and the order of the images in an epoch.
 *
 * An image is side x side x channels bytes, rows from the top, the channels of a pixel together.  An epoch visits each
 * image once, in an order that is a hash of (seed, epoch): it needs no state, is the same for every model, and a
 * resumed run continues where it stopped. */
#ifndef DATA_IMAGES_H
#define DATA_IMAGES_H
#include "src/base/base.h"

typedef struct {
    unsigned char *pixel;                /* n images                                                    */
    unsigned char *label;                /* n, below `classes`                                          */
    long     n, side, channels, classes;
    uint64_t hash;                       /* of all of them; recorded with every result                  */
} images;

/* MNIST's IDX: big-endian 2051, count, rows, columns and bytes; 2049, count and labels.  Compressed or not. */
images images_idx(const char *image_path, const char *label_path);
/* CIFAR-10's binary files, one after the other: a label, 1024 bytes of red, of green, of blue.  Compressed or not. */
images images_cifar(char *const path[], long files);
/* Synthetic digits first .. first + n - 1 of a seed: strokes of ten glyphs, turned, bent, thick or thin, with noise.
 * 28 x 28, the same on every machine. */
images images_digits(uint64_t seed, long first, long n);
void   images_free(images *x);
images images_hashed(images x);                            /* x with its hash                         */
/* Permutes the labels at random: the control in which there is nothing to learn. */
void   images_permute_labels(images *x, uint64_t seed);

/* A training and a validation set and their names: "mnist:DIR" (60,000 and 10,000), "cifar10:DIR" (as
 * many of the 10,000 as DIR has) or "digits", "digits:SEED" (10,000 and 2,000).  held_out: of CIFAR-10, validate on
 * data_batch_5 and train without it.  Dies with the reason. */
typedef struct { images train, val; char name[64], val_name[64]; } image_sets;
image_sets image_sets_open(const char *what, bool held_out);
void       image_sets_free(image_sets *s);

/* order[0..n-1] = a permutation of 0..n-1 from (seed, epoch). */
void images_order(int32_t *order, long n, uint64_t seed, long epoch);
/* Copies images and labels order[0..n-1] of x. */
void images_pick(const images *x, const int32_t *order, long n, unsigned char *image, int32_t *label);
#endif
