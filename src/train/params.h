/* SPDX-License-Identifier: GPL-3.0-or-later
 * params.h - the one table of a model's weights: names, shapes, decay, initial values, offsets.
 *
 * Weights, gradients and the optimizer's means are flat arrays of the backend with the same layout, so that
 * initial values, decay groups, checkpoints, gradient checks and sums over processes are loops over it.
 * Initial values come from a stream of (seed, name): models that share a name share its values.
 *
 * The rows or columns of a head may be padded in memory: a head of 62 rows takes 64, and the two between are zero.
 * Shape, count, initial values and checkpoints are those of the 62. */
#ifndef TRAIN_PARAMS_H
#define TRAIN_PARAMS_H
#include "src/train/ops.h"

typedef enum { INIT_ZERO, INIT_ONE, INIT_NORMAL, INIT_UNIFORM } init_kind;   /* N(0, x^2); U(-x, x)     */

/* After each `group` rows (columns) pitch - group zeros follow; pitch = group: none do. */
typedef struct { long group, pitch; } heads_pitch;

typedef struct {
    char      name[32];                  /* "h.3.attn.k"                                                */
    long      rows, cols;                /* W (out x in); a vector is 1 x n                             */
    heads_pitch row, col;                /* their layout in memory                                      */
    size_t    room;                      /* numbers that it takes there                                 */
    bool      decay;                     /* takes part in weight decay                                  */
    init_kind init;
    double    x;
    size_t    at;                        /* its first number in the flat arrays                         */
} param;

typedef struct { param *list; long n; size_t size; } param_table;   /* size: numbers in memory          */

enum { LAYER_NAME = 64 };
/* The name of a weight: "h.BLOCK.WHAT", or WHAT where block is negative. */
const char *layer_name(char name[LAYER_NAME], long block, const char *what);

/* Appends W (rows x cols), right after the one before; returns its offset.  Contract: the name is new. */
size_t params_add (param_table *t, const char *name, long rows, long cols, bool decay, init_kind init, double x);
/* The same with padded heads.  Contract: groups divide rows and columns, and are at most their pitch. */
size_t params_add_heads(param_table *t, const char *name, long rows, long cols, heads_pitch row, heads_pitch col,
                        bool decay, init_kind init, double x);
size_t params_count(const param_table *t);                         /* parameters: without the zeros between  */
const param *params_find(const param_table *t, const char *name);  /* NULL: no such weight              */
void   params_free(param_table *t);
/* x[rows, cols] to and from its offset in a flat array; the zeros between are written and skipped. */
void   params_put (const param *p, const ops *o, void *flat, const double *x);
void   params_get (const param *p, const ops *o, const void *flat, double *x);
/* The same for x[rows, cols], rows from ... from + rows - 1 of the weight. */
void   params_put_rows(const param *p, const ops *o, void *flat, long from, long rows, const double *x);
void   params_get_rows(const param *p, const ops *o, const void *flat, long from, long rows, double *x);
/* Writes the initial values of all weights; the same for every backend, up to its rounding. */
void   params_init(const param_table *t, const ops *o, void *w, uint64_t seed);
#endif
