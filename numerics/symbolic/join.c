/* SPDX-License-Identifier: GPL-3.0-or-later
 * join.c - adjacent ranges are joined: the rule that sees several terms, and with it the normal form.
 *
 *   c u E(t,o,l) E(n,p,l)' v + c u E(t,o+l,m) E(n,p+l,m)' v  ->  c u E(t,o,l+m) E(n,p,l+m)' v,
 *
 * where E(t,0,t) = I: so the blocks of a matrix, put together again, are the matrix. */
#include <stdlib.h>
#include "numerics/symbolic/sym.h"

/* A place where the word of a term reads u E F' v: E is token number `at` of that word.  Sites of one frame (see
 * compare_frames) have the same hash. */
typedef struct { size_t term, at; uint64_t hash; } site;
typedef struct { const sym *s; const poly *p; } site_context;

static const atom *site_left(const sym *s, const poly *p, site x)
{
    return atom_of(s, poly_word(p, &p->terms[x.term])[x.at]);
}

static const atom *site_right(const sym *s, const poly *p, site x)
{
    return atom_of(s, poly_word(p, &p->terms[x.term])[x.at + 1]);
}

static int compare_numbers(int64_t a, int64_t b) { return (a > b) - (a < b); }

/* 0 when both sites have the same c, u, v and p - o, else an order.  Their t and n are then the same
 * too: they are sizes of u and v, or, where u or v is empty, of the whole. */
static int compare_frames(const sym *s, const poly *p, site x, site y)
{
    const term *a = &p->terms[x.term], *b = &p->terms[y.term];
    const token *v = poly_word(p, a), *w = poly_word(p, b);
    const atom *xl = site_left(s, p, x), *xr = site_right(s, p, x);
    const atom *yl = site_left(s, p, y), *yr = site_right(s, p, y);
    int order = compare_numbers(a->c.num, b->c.num);
    if (!order) order = compare_numbers(a->c.den, b->c.den);
    if (!order) order = compare_numbers(xr->from - xl->from, yr->from - yl->from);
    if (!order) order = word_compare(v, x.at, w, y.at);
    if (!order) order = word_compare(v + x.at + 2, a->len - x.at - 2, w + y.at + 2, b->len - y.at - 2);
    return order;
}

static int compare_sites(const void *x, const void *y, void *context)
{
    const site_context *in = context;
    const site *a = x, *b = y;
    int frames = compare_frames(in->s, in->p, *a, *b);
    if (frames) return frames;
    const atom *e = site_left(in->s, in->p, *a), *f = site_left(in->s, in->p, *b);
    return e->from != f->from ? compare_numbers(e->from, f->from) : compare_numbers(e->cols, f->cols);
}

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
    return x ^ x >> 32;
}

/* Token w at position i of a word; the hash of a word, or of a part of it, is the sum of these. */
static uint64_t hash_token(token w, size_t i) { return mix(w + ((uint64_t)i << 32) + 1); }

/* Of a frame: c, where E stands, p - o, and the word without E and F'. */
static uint64_t hash_frame(const sym *s, const poly *p, site x, uint64_t word)
{
    const term *t = &p->terms[x.term];
    const token *w = poly_word(p, t) + x.at;
    const int64_t apart = site_right(s, p, x)->from - site_left(s, p, x)->from;
    word -= hash_token(w[0], x.at) + hash_token(w[1], x.at + 1);
    return mix(mix(mix(mix(word + x.at) + (uint64_t)t->c.num) + (uint64_t)t->c.den) + (uint64_t)apart);
}

static size_t find_sites(const sym *s, const poly *p, site **sites)
{
    size_t n = 0, room = 0;
    *sites = NULL;
    for (size_t k = 0; k < p->n; k++) {
        const token *w = poly_word(p, &p->terms[k]);
        const size_t before = n;
        uint64_t word = 0;
        for (size_t i = 0; i < p->terms[k].len; i++) {
            word += hash_token(w[i], i);
            if (i + 1 == p->terms[k].len || !token_is_select(s, w[i], 0)
                || !token_is_select(s, w[i + 1], TOKEN_TRANSPOSED)) continue;
            if (n == room) {
                room = 2 * room + 16;
                *sites = must_realloc(*sites, room, sizeof **sites);
            }
            (*sites)[n++] = (site){ k, i, 0 };
        }
        for (size_t i = before; i < n; i++) (*sites)[i].hash = hash_frame(s, p, (*sites)[i], word);
    }
    return n;
}

/* Keeps the sites whose frame may have another one: most frames of a long combination have one site only, and then
 * nothing is left to sort.  Returns how many.  A table of how often the last bits of a hash were met. */
static size_t keep_shared_frames(site *sites, size_t n)
{
    size_t room = 16, kept = 0;
    while (room < 4 * n) room *= 2;
    bool *once = must_calloc(room, sizeof *once), *twice = must_calloc(room, sizeof *twice);
    for (size_t k = 0; k < n; k++) {
        bool *met = &once[sites[k].hash & (room - 1)];
        if (*met) twice[sites[k].hash & (room - 1)] = true;
        *met = true;
    }
    for (size_t k = 0; k < n; k++)
        if (twice[sites[k].hash & (room - 1)]) sites[kept++] = sites[k];
    free(once);
    free(twice);
    return kept;
}

/* q * E(t,o,l), or its transpose */
static bool push_select(sym *s, poly *q, size_t at, long t, long o, long l, unsigned flags)
{
    return l == t || poly_push(s, q, at, token_select(s, t, o, l) | flags);
}

/* Append c u E(t,o,l) E(n,p,l)' v to q: site x of p with l columns. */
static bool append_joined(sym *s, poly *q, const poly *p, site x, long l)
{
    const term *t = &p->terms[x.term];
    const token *w = poly_word(p, t);
    atom left = *site_left(s, p, x), right = *site_right(s, p, x);
    size_t at = q->used;
    bool nonzero = poly_push_word(s, q, at, w, x.at)
                && push_select(s, q, at, left.rows, left.from, l, 0)
                && push_select(s, q, at, right.rows, right.from, l, TOKEN_TRANSPOSED)
                && poly_push_word(s, q, at, w + x.at + 2, t->len - x.at - 2);
    return poly_end(q, at, t->c, nonzero);
}

/* Follow site[0] through the n sites of its frame, sorted by range, as long as the next range begins
 * where the last ends.  Append what a chain of two or more joins to, and mark its terms as gone. */
static bool join_chain(sym *s, poly *q, const poly *p, const site *sites, size_t n, bool *gone)
{
    const atom *first = site_left(s, p, sites[0]);
    long o = first->from, end = o + first->cols;
    bool joined = false;
    for (size_t i = 1; i < n; i++) {
        const atom *e = site_left(s, p, sites[i]);
        if (e->from != end || gone[sites[i].term]) continue;
        end += e->cols;
        joined = gone[sites[i].term] = true;
    }
    if (!joined) return true;
    gone[sites[0].term] = true;
    return append_joined(s, q, p, sites[0], end - o);
}

/* Put into q what the chains of p join to; false = does not fit. */
static bool join_all(sym *s, poly *q, const poly *p, site *sites, size_t n, bool *gone)
{
    qsort_r(sites, n, sizeof *sites, compare_sites, &(site_context){ s, p });
    for (size_t i = 0, next; i < n; i = next) {
        for (next = i + 1; next < n && compare_frames(s, p, sites[i], sites[next]) == 0; next++) {}
        for (size_t k = i; k + 1 < next; k++)
            if (!gone[sites[k].term] && !join_chain(s, q, p, sites + k, next - k, gone)) return false;
    }
    return true;
}

/* One pass over all frames; *changed when it joined something.  A term is used at most once in a pass. */
static bool join_pass(sym *s, poly *p, bool *changed)
{
    site *sites;
    size_t n = find_sites(s, p, &sites);
    if (n > 1) n = keep_shared_frames(sites, n);
    *changed = false;
    if (n < 2) {
        free(sites);
        return true;
    }
    bool *gone = must_calloc(p->n, sizeof *gone);
    poly q = { 0 };
    bool fits = join_all(s, &q, p, sites, n, gone);
    *changed = q.n > 0;
    for (size_t k = 0; k < p->n; k++) *changed = *changed || gone[k];
    for (size_t k = 0; *changed && fits && k < p->n; k++) {
        if (gone[k]) continue;
        size_t at = q.used;
        fits = poly_end(&q, at, p->terms[k].c, poly_push_word(s, &q, at, poly_word(p, &p->terms[k]), p->terms[k].len));
    }
    fits = fits && (!*changed || poly_collect(&q));
    if (*changed && fits) {
        poly old = *p;
        *p = q;
        q = old;
    }
    poly_free(&q);
    free(gone);
    free(sites);
    return fits;
}

/* It ends because each pass that changes p makes it shorter. */
bool poly_normalise(sym *s, poly *p)
{
    bool changed = true, fits = poly_collect(p);
    while (fits && changed) fits = join_pass(s, p, &changed);
    return fits;
}
