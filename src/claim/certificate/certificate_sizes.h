/* SPDX-License-Identifier: GPL-3.0-or-later
 * certificate_sizes.h - the sizes of a symbolic certificate, and the blocks they are cut into: see certificate_sym.c.
 *
 * A number is known in several recordings, in each of which another size of the model is larger; two sizes are one when
 * they are equal in all of them. */
#ifndef CERTIFICATE_SIZES_H
#define CERTIFICATE_SIZES_H
#include "src/model/model.h"

enum { EXPORT_RUNS = 6 };                               /* as they are; n, d_k, m, V, d changed */
typedef struct { long v[EXPORT_RUNS]; } size_tuple;     /* a number in every run */
size_tuple tuple_add  (size_tuple a, size_tuple b, long sign);        /* a + sign b */
bool       tuple_equal(size_tuple a, size_tuple b);

typedef struct {
    size_tuple  is;
    char        name[24];
    size_tuple *cut;                                 /* 0 < cut < is, ascending */
    long        cuts;
} cert_size;
size_tuple cert_size_end(const cert_size *s, long p);    /* where block p ends; -1: 0 */

typedef struct {
    cert_size  *at;
    long        n, unnamed;
    const char *failed;                              /* NULL, or sizes_disordered */
} size_table;
extern const char sizes_disordered[];
long sizes_find(size_table *all, size_tuple is);     /* its number; a new size if it is not there */
/* Columns `from` .. of size t are a range of size l: cuts of the one become cuts of the other.  True: some are new. */
bool sizes_share_cuts(size_table *all, long t, size_tuple from, long l);
/* Every block of a size is a size, whose cuts are shared.  True: some are new. */
bool sizes_close(size_table *all);
/* The parameter of the model that it is (n, d, d_k, m, V), its number where it never changes, or s1, s2 ... */
void sizes_name(size_table *all, const shape sh[EXPORT_RUNS]);
void sizes_free(size_table *all);
#endif
