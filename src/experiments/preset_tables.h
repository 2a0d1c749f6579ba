/* SPDX-License-Identifier: GPL-3.0-or-later
 * preset_tables.h - for the files of presets alone: what their tables share. */
#ifndef PRESET_TABLES_H
#define PRESET_TABLES_H
#include "src/experiments/presets.h"

#define ROWS(table) .row = table, .rows = COUNT(table)
#define PLAN(table) .plan = table, .plans = COUNT(table)
#define GRID(table) .grid = table, .axes = COUNT(table)
#define PARTS(list) .part = list, .parts = COUNT(list)
#define MEMBERS(list) .member = list, .members = COUNT(list)
#define ROW(its_name, its_options) { .name = its_name, .options = its_options }

/* ---- planned comparisons: of the first metric, or of metric m for claim `about` ------------------------- */

#define LOWER(a, b)                       { .kind = BELOW, .first = a, .second = b }
#define EQUAL(a, b, within)               { .kind = SAME, .first = a, .second = b, .margin = within }
#define LOWER_IN(about, m, a, b)          { .kind = BELOW, .first = a, .second = b, .metric = m, .claim = about }
#define EQUAL_IN(about, m, a, b, within, says)  { .kind = SAME, .first = a, .second = b, .margin = within, \
                                                  .metric = m, .claim = about, .note = says }

/* What the papers' reduced models need, in nats a token, or a byte where the text is bytes. */
#define REDUCED_MODELS_PLAN LOWER("reduced-larger-mlp", "baseline"), LOWER("reduced", "smaller-mlp"), \
                            LOWER("reduced", "smaller-d"), EQUAL("reduced", "baseline", 0.005)

/* ---- figures -------------------------------------------------------------------------------------------- */

#define VALIDATION_LOSS { { .name = "val_loss", .shown = "validation loss", .times = 1 } }
#define TRANSFER_METRICS { \
    { .name = "error", .shown = "relative error, %", .times = 100 }, \
    { .name = "error", .shown = "relative error of the best linear map, %", .times = 100, .model = "linear" }, \
    { .name = "error", .shown = "relative error of the untrained closed form, %", .times = 100, \
      .model = "untrained" }, \
    { .name = "cosine_distance", .shown = "cosine distance", .times = 1 }, \
    { .name = "cosine_distance", .shown = "cosine distance of the best linear map", .times = 1, .model = "linear" } }
#define IN_003 { "4 to 6", "11 to 14", NULL, "0.002", "above 0.009" }          /* target W2 GELU(W1 x) + Z x     */
#define IN_001 { "4 to 5", "9 to 10" }                                         /* target W2 GELU(W1 x) + Z x - x */
#define TRANSFER_ROW(its_name, its_options, printed) { .name = its_name, .options = its_options, .paper = printed }

/* The training columns of 002 are running means over the last epoch, as Keras prints them. */
enum { ACCURACY, LOSS, GAP = 4 };
#define VISION_METRICS { \
    { .name = "val_accuracy", .shown = "validation accuracy, %", .times = 100, .share = true, .printed = "val_acc" }, \
    { .name = "val_loss", .shown = "validation loss", .times = 1, .printed = "val_loss", .over_images = true }, \
    { .name = "running_accuracy", .shown = "training accuracy, %", .times = 100, .printed = "train_acc" }, \
    { .name = "running_loss", .shown = "training loss", .times = 1, .printed = "train_loss" }, \
    { .name = "val_loss", .shown = "validation loss - training loss", .times = 1, .minus = "running_loss", \
      .over_images = true } }
#define MNIST   .data = "--data=mnist:DATA/mnist", .get = "provably data get mnist --to=DATA/mnist"
#define CIFAR10 .data = "--data=cifar10:DATA/cifar10", .get = "provably data get cifar10 --to=DATA/cifar10"
#define ENCODER(its_name) { .name = #its_name, .options = "--row=" #its_name, .run = #its_name }
#define ENCODER_RATE(its_name, rate) { .name = #its_name "-" rate, .options = "--row=" #its_name " --rate=" rate, \
                                       .run = #its_name }
#define ENCODER_ONCE(its_name) { .name = #its_name, .options = "--row=" #its_name, .run = #its_name, .seeds = 1 }

/* ---- the parts of presets_small.c and the lists of other presets ------------------------------------------ */

extern const experiment d128_tune_part[1], d128_parts[3], d192_tune_part[1], d192_parts[2], basis_batch_part[1],
    basis_precision_part[1], basis_rate_part[1], basis_256_part[1], basis_512_part[1], basis_768_part[1],
    vit_mnist_50_part[1], vit_cifar10_50_part[1], vit_mnist_rates_part[1], vit_cifar10_rates_part[1];
extern const preset_member hour_members[4], night_members[6], weekend_members[12];
#endif
