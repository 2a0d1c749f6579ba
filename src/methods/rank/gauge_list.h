/* SPDX-License-Identifier: GPL-3.0-or-later
 * gauge_list.h - how the files gauge_*.c list tangents; for them alone (gauge_tangents.h is the interface).
 *
 * A generator is a list of (weight, change): tangent_next begins a row, tangent_put writes a change into the columns of
 * its weight.  Stage s = 0 .. 2L of the stream: 2i is the input of block i, 2i + 1 lies between its attention and its
 * MLP (not used by parallel blocks), 2L is what the head reads. */
#ifndef GAUGE_LIST_H
#define GAUGE_LIST_H
#include "src/methods/rank/gauge_tangents.h"

typedef struct {
    scope *s;                            /* over the base                                                        */
    const model *M;                      /* over the tape                                                        */
    const parameters *P;
    mat **row;
    long n, capacity;
    long klass[2 * MAX_LAYERS + 1];      /* of the stages: equal where the bases must be equal                    */
    bool unit_gains;
} tangents;

void tangent_next(tangents *g);
void tangent_put(tangents *g, const mat *W, const mat *D);             /* W over the tape, or NULL: nothing      */
void tangent_put_at(tangents *g, const mat *W, const mat *D, long i, long j);    /* D at entry (i, j) of W       */

const mat *tangent_value(const mat *W);                                /* over the base; NULL for NULL           */
const mat *tangent_skew (scope *s, long n, long i, long j);                      /* E_ij - E_ji                  */
const mat *tangent_row  (scope *s, long d, long c);                              /* e_c', 1 x d                  */
long tangent_blocks (const shape *sh);                                 /* different blocks                       */
long tangent_experts(const shape *sh);                                 /* MLPs in a block                        */

/* Fills g->klass: stages that share a block are one, with `skips` also those that a skip joins. */
void tangent_classes(tangents *g, bool skips);
/* Calls f for every weight that writes to (reads from) stage s; gain is that of the norm before a reader, or NULL.
 * A shared block is visited where it stands first.  W may be NULL. */
typedef void tangent_visit(tangents *g, const mat *W, const mat *gain, const mat *with);
void tangent_each_writer(tangents *g, long s, tangent_visit *f, const mat *with);
void tangent_each_reader(tangents *g, long s, tangent_visit *f, const mat *with);
void tangent_norm_at(const model *M, long s, const mat **gain, const mat **bias);   /* NULL where there is none */
/* b - c W, for one reader and for those of the MLPs of W. */
void tangent_absorb(tangents *g, const mat *W, const mat *b, const mat *c);
void tangent_absorb_mlp(tangents *g, const layer *W, const mat *c);

/* The factors: each appends its tangents. */
void gauge_stream_tangents(tangents *g);
void gauge_query_key_tangents(tangents *g);
void gauge_value_output_tangents(tangents *g);
void gauge_position_tangents(tangents *g);
void gauge_unit_tangents(tangents *g);
void gauge_router_tangents(tangents *g);
void gauge_bias_tangents(tangents *g);
void gauge_norm_tangents(tangents *g);
#endif
