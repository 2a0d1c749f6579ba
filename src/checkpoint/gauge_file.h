/* SPDX-License-Identifier: GPL-3.0-or-later
 * gauge_file.h - the gauges by which B was made of A, in a file beside B: what would have to be searched for otherwise.
 *
 * safetensors, in F64, with the gauges of rewrite.h as gauge_found.h has them:
 *     stream.I.basis    [d, d]          Theta_I, in front of layer I; I = L: of the head; where the MLPs have skips
 *                                       stream.0 alone, which is then all of them
 *     stream.I.shift    [d]             c_I, which positions (else the embedding; I > 0: b_down) take up
 *     layers.I.values   [h_kv, dk, dk]  H of each key head: W_V^g H, H^-1 W_O^a
 *     layers.I.queries  [h_kv, dk, dk]  G of each key head: W_K^g G, W_Q^a G^-T, rotary pairs in the order of halves
 * A tensor that is not there is the identity, or no shift.  __metadata__: provably.gauges "1"; original.sha256 and
 * image.sha256, of the files of A and of B.
 * Nothing is proved by the file: wrong gauges find an image of A from which B is far.  What would make that image
 * another function is refused here: numbers that are not finite, a G that does not commute with the rotations of the
 * positions or changes normalised queries, a shift behind a norm. */
#ifndef CHECKPOINT_GAUGE_FILE_H
#define CHECKPOINT_GAUGE_FILE_H
#include "numerics/mat.h"
#include "src/base/outfile.h"
#include "src/checkpoint/transformer.h"

#define GAUGE_FILE "gauges.safetensors"

typedef struct {
    char    *path;                       /* of the file that was read; NULL: none was                   */
    long     L, d, h_kv, dk;
    double **basis, **shift;             /* [L + 1], of d x d and of d numbers                          */
    double **values, **queries;          /* [L], of h_kv x dk x dk                                      */
} gauge_file;

gauge_file gauge_file_none(const transformer *D);        /* identities; no shift                         */
void       gauge_file_free(gauge_file *g);
bool       gauge_file_has_stream(const gauge_file *g);   /* any basis or shift                           */
/* The midpoints.  NULL: the identity, no shift. */
void       gauge_file_take_basis(gauge_file *g, long layer, const mat *Theta, const mat *c);
/* D: in whose order of rotary pairs G is. */
void       gauge_file_take_heads(const transformer *D, double **to, const mat *const G[], bool turns);

/* SHA-256 of the weight files, in their order, with blanks between; to be freed. */
char      *gauge_file_sums(const weights *w);
/* Whole on the disk, not yet under its name: GAUGE_FILE in that folder. */
outfile    gauge_file_put(const gauge_file *g, const char *folder, const char *original, const char *image);
/* The path of GAUGE_FILE beside B's files, to be freed; NULL: it is not there. */
char      *gauge_file_beside(const weights *B);
/* Dies, naming what does not fit, where it is no such file, or not one for A.  *others: NULL, or why it is about other
 * files than A and B: then nothing else was read, and path is NULL. */
gauge_file gauge_file_read(const char *path, const weights *wA, const transformer *A, const weights *wB,
                           const char **others);
#endif
