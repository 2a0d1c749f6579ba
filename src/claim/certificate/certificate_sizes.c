/* SPDX-License-Identifier: GPL-3.0-or-later
 * certificate_sizes.c - see certificate_sizes.h. */
#include "src/claim/certificate/certificate_sizes.h"
#include <stdlib.h>
#include <string.h>

const char sizes_disordered[] = "ranges of columns whose order depends on the sizes";

size_tuple tuple_add(size_tuple a, size_tuple b, long sign)
{
    for (int r = 0; r < EXPORT_RUNS; r++) a.v[r] += sign * b.v[r];
    return a;
}

bool tuple_equal(size_tuple a, size_tuple b) { return memcmp(&a, &b, sizeof a) == 0; }

long sizes_find(size_table *all, size_tuple is)
{
    for (long k = 0; k < all->n; k++) if (tuple_equal(all->at[k].is, is)) return k;
    all->at = must_realloc(all->at, (size_t)all->n + 1, sizeof *all->at);
    all->at[all->n] = (cert_size){ .is = is };
    return all->n++;
}

static bool sizes_cut(size_table *all, long k, size_tuple at)        /* true: that is new */
{
    cert_size *s = &all->at[k];
    if (at.v[0] <= 0 || at.v[0] >= s->is.v[0]) return false;
    long i = 0;
    while (i < s->cuts && s->cut[i].v[0] < at.v[0]) i++;
    if (i < s->cuts && tuple_equal(s->cut[i], at)) return false;
    for (int r = 0; r < EXPORT_RUNS; r++) {
        const long below = i ? s->cut[i - 1].v[r] : 0, beyond = i < s->cuts ? s->cut[i].v[r] : s->is.v[r];
        if (at.v[r] <= below || at.v[r] >= beyond) all->failed = sizes_disordered;
    }
    if (all->failed) return false;
    s->cut = must_realloc(s->cut, (size_t)s->cuts + 1, sizeof *s->cut);
    memmove(s->cut + i + 1, s->cut + i, (size_t)(s->cuts - i) * sizeof *s->cut);
    s->cut[i] = at;
    s->cuts++;
    return true;
}

size_tuple cert_size_end(const cert_size *s, long p)
{
    static const size_tuple zero;
    return p < 0 ? zero : p < s->cuts ? s->cut[p] : s->is;
}

bool sizes_share_cuts(size_table *all, long t, size_tuple from, long l)
{
    const size_tuple to = tuple_add(from, all->at[l].is, 1);
    bool changed = sizes_cut(all, t, from);
    changed |= sizes_cut(all, t, to);
    for (long i = 0; i < all->at[l].cuts; i++) changed |= sizes_cut(all, t, tuple_add(from, all->at[l].cut[i], 1));
    for (long i = 0; i < all->at[t].cuts; i++) {
        const size_tuple inside = tuple_add(all->at[t].cut[i], from, -1);
        if (inside.v[0] > 0 && inside.v[0] < all->at[l].is.v[0]) changed |= sizes_cut(all, l, inside);
    }
    return changed;
}

bool sizes_close(size_table *all)
{
    bool changed = false;
    for (long k = 0; k < all->n; k++)
        for (long p = 0; all->at[k].cuts && p <= all->at[k].cuts; p++) {
            const size_tuple from = cert_size_end(&all->at[k], p - 1), to = cert_size_end(&all->at[k], p);
            changed |= sizes_share_cuts(all, k, from, sizes_find(all, tuple_add(to, from, -1)));
        }
    return changed;
}

void sizes_name(size_table *all, const shape sh[EXPORT_RUNS])
{
    for (long k = 0; k < all->n; k++) {
        cert_size *s = &all->at[k];
        size_tuple n, d, dk, m, V, constant;
        for (int r = 0; r < EXPORT_RUNS; r++) {
            n.v[r] = sh[r].n;
            d.v[r] = sh[r].d;
            dk.v[r] = sh[r].dk;
            m.v[r] = sh[r].m;
            V.v[r] = sh[r].V;
            constant.v[r] = s->is.v[0];
        }
        const struct { size_tuple is; const char *name; } known[] = {
            { n, "n" }, { d, "d" }, { dk, "d_k" }, { m, "m" }, { V, "V" } };
        const char *name = NULL;
        for (size_t i = 0; i < COUNT(known) && !name; i++) if (tuple_equal(s->is, known[i].is)) name = known[i].name;
        if (name) snprintf(s->name, sizeof s->name, "%s", name);
        else if (!tuple_equal(s->is, constant)) snprintf(s->name, sizeof s->name, "s%ld", ++all->unnamed);
        else snprintf(s->name, sizeof s->name, s->cuts ? "size_%ld" : "%ld", s->is.v[0]);
    }
}

void sizes_free(size_table *all)
{
    for (long k = 0; k < all->n; k++) free(all->at[k].cut);
    free(all->at);
    *all = (size_table){ 0 };
}
