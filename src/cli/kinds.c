/* SPDX-License-Identifier: GPL-3.0-or-later
 * kinds.c - the commands that presets and lists of work may name: one line each, with how their cost is counted. */
#include "src/cli/cli.h"

const run_kind run_kinds[] = {
    { "train",          train_cost },
    { "basis-transfer", basis_cost },
    { "train-vision",   train_vision_cost },
    { NULL, NULL },
};
