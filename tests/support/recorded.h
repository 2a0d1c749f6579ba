/* SPDX-License-Identifier: GPL-3.0-or-later
 * recorded.h - for tests: lines of results as a preset's runs would have left them, made from figures. */
#ifndef RECORDED_H
#define RECORDED_H
#include "src/experiments/results.h"

typedef struct {
    long   seeds;
    double spread;                       /* of a row's seeds around the printed figure, 1 to 3 times this */
    long   row;                          /* moved by `shift`; -1: none                                    */
    double shift;
    const char *only;                    /* finished are the rows whose names contain this; NULL: all     */
    long   images;                       /* test images of accuracies; 0: not known                       */
    const char *more;                    /* options that each command has beyond its own; NULL: none      */
} recorded_runs;
/* Every part of a preset that gave the printed figures, or 1 where nothing is printed. */
void add_recorded(results *all, const char *preset_name, recorded_runs of);
/* Replaces a cell of line k, as if the list had been read with it. */
void set_recorded(results *all, long k, result_cell c, const char *text);
#endif
