/* SPDX-License-Identifier: GPL-3.0-or-later
 * words.c - equal normal forms prove two symbolic matrices equal, for all sizes.
 *
 * The form: a rational combination of words in named matrices, blocks E(d,j) of columns of the identity of size
 * d = k_0 + k_1 + .., columns 1_n of ones, values of functions, and the transposes of these.  Sizes are names, and the
 * steps are valid whatever positive numbers they stand for:
 *   1  products distribute over sums
 *   2  (AB)' = B'A' and (A')' = A
 *   3  A B = B A = I and A'B' = B'A' = I where B is declared the inverse of A; B = A' where A is orthogonal
 *   4  E(d,i)' E(d,j) = I where i = j, else 0
 *   5  E(d,z) E(d,z)' = I - sum_{j<z} E(d,j) E(d,j)' for the last block z
 *   6  a function has equal values at arguments of equal shape and equal normal form
 *   7  E(d,j)' 1_d = 1_{k_j}, and 1_1 = I
 *   8  F 1_c = 1_r for a value F (r x c) of a stochastic function
 *   9  f(S + w 1') = f(S) for a shift-invariant function: see sym.c
 *  10  phi(Y) = e(Y) + Y/2 with e(-Y) = e(Y) for a half-odd function: see sym.c
 *  11  a sum whose words all begin with u and end with v is u q v, with one symbol for q; equal q, equal symbols.  It
 *      is used for the factors of a product of more than LONG terms, so that they need not be multiplied out      */
#include "src/proofcheck/words.h"
#include <stdlib.h>
#include <string.h>

const term words_none;

/* ---- equality ---- */

static int compare_words(const void *a, const void *b)
{
    const term *s = a, *t = b;
    if (s->n != t->n) return s->n < t->n ? -1 : 1;
    return s->n ? memcmp(s->w, t->w, (size_t)s->n * sizeof *s->w) : 0;
}

bool words_equal(checker *c, const node *a, const node *b)
{
    if (!text_equal(a->r, b->r) || !text_equal(a->c, b->c) || a->n != b->n) return false;
    check_spend(c, 5 * a->n);
    for (long i = 0; i < a->n; i++)
        if (compare_words(&a->t[i], &b->t[i]) != 0 || !mpq_equal(a->t[i].k, b->t[i].k)) return false;
    return true;
}

/* Step 6 is here: a value is its function and its arguments. */
static bool equal_atoms(checker *c, const atom *a, const atom *b)
{
    if (a->kind != b->kind || !text_equal(a->name, b->name)) return false;
    if (!text_equal(a->r, b->r) || !text_equal(a->c, b->c)) return false;
    if (a->size != b->size || a->part != b->part || a->args != b->args) return false;
    for (int i = 0; i < a->args; i++)
        if (a->arg[i] != b->arg[i] && !words_equal(c, a->arg[i], b->arg[i])) return false;
    return true;
}

static token find_atom(checker *c, const atom *a)    /* 0: there is none */
{
    const symbols *s = c->symbols;
    check_spend(c, s->natoms);
    for (long k = 1; k < s->natoms; k++)
        if (equal_atoms(c, a, &s->atoms[k])) return 2 * (token)k;
    return 0;
}

token words_token(checker *c, const atom *a)
{
    symbols *s = c->symbols;
    const token known = find_atom(c, a);
    if (known) return known;
    check_that(c, s->natoms < NODES, "too many symbols");
    s->atoms[s->natoms] = *a;
    return 2 * (token)s->natoms++;
}

/* ---- two tokens side by side ---- */

typedef enum { STAY, VANISH, CANCEL, BECOME } meeting;

/* u becomes a column of ones of this size, or a row where `turned` is 1; a column of one 1 is I. */
static meeting become_ones(checker *c, char *n, token turned, token *u)
{
    if (text_equal(n, "1")) return CANCEL;
    *u = words_token(c, &(atom){ .kind = ONES, .name = "", .r = n, .c = "1" }) | turned;
    return BECOME;
}

static meeting meet(checker *c, token v, token w, token *u)
{
    const atom *A = &c->symbols->atoms[v / 2], *B = &c->symbols->atoms[w / 2];
    const token v_turned = v & 1, w_turned = w & 1;
    if (A->inverse && w == (A->inverse ^ v_turned)) return CANCEL;                                   /* step 3 */
    if (A->kind == BLOCK && v_turned && B->kind == BLOCK && !w_turned)                               /* step 4 */
        return v / 2 == w / 2 ? CANCEL : VANISH;
    if (B->kind == ONES && !w_turned) {
        if (A->kind == BLOCK && v_turned) return become_ones(c, A->c, 0, u);                         /* step 7 */
        if (A->stochastic && !v_turned) return become_ones(c, A->r, 0, u);                           /* step 8 */
    }
    if (A->kind == ONES && v_turned) {                                               /* the same, transposed */
        if (B->kind == BLOCK && !w_turned) return become_ones(c, B->c, 1, u);
        if (B->stochastic && w_turned) return become_ones(c, B->r, 1, u);
    }
    return STAY;
}

/* The word of n tokens times w; false: it is 0. */
static bool push(checker *c, token *word, long *n, token w)
{
    while (*n > 0) {
        token u = 0;
        switch (meet(c, word[*n - 1], w, &u)) {
        case VANISH: return false;
        case CANCEL: --*n; return true;
        case BECOME: --*n; w = u; continue;
        case STAY:   break;
        }
        break;
    }
    check_that(c, *n < FACTORS, "a word of too many factors");
    word[(*n)++] = w;
    return true;
}

/* ---- sums of words ---- */

static void append(checker *c, node *p, const mpq_t k, const token *word, long n)
{
    if (p->n == p->room) {
        term *old = p->t;
        p->room = 2 * p->room + 1;
        p->t = check_alloc(c, (size_t)p->room * sizeof *p->t);
        if (old) memcpy(p->t, old, (size_t)p->n * sizeof *p->t);
    }
    term *last = &p->t[p->n++];
    *last = (term){ .n = n, .w = word };
    mpq_init(last->k);
    mpq_set(last->k, k);
    check_bits(c, k);
}

/* Step 5 on tokens `at` and at+1 of the word, E and E' of a last block: p += k (what that makes of the word) */
static void split_last(checker *c, node *p, const mpq_t k, token *word, long n, long at)
{
    symbols *s = c->symbols;
    atom E = s->atoms[word[at] / 2];
    const size *d = &s->sizes[E.size];
    mpq_t minus;
    mpq_init(minus);
    mpq_neg(minus, k);
    words_add(c, p, k, &(term){ .n = at, .w = word }, &(term){ .n = n - at - 2, .w = word + at + 2 });
    for (E.part = 0; E.part < d->parts - 1; E.part++) {
        E.c = d->part[E.part];
        word[at] = words_token(c, &E);
        word[at + 1] = word[at] | 1;
        words_add(c, p, minus, &(term){ .n = n, .w = word }, &words_none);
    }
}

static bool is_last_block(const symbols *s, token w)
{
    const atom *E = &s->atoms[w / 2];
    return E->kind == BLOCK && !(w & 1) && E->part == s->sizes[E->size].parts - 1;
}

const term *words_end(const node *a) { return a->n ? a->t + a->n : a->t; }

void words_add(checker *c, node *p, const mpq_t k, const term *a, const term *b)
{
    token *scratch = c->symbols->word;
    long n = 0;
    check_spend(c, 50 + a->n + b->n);
    for (long i = 0; i < a->n; i++)
        if (!push(c, scratch, &n, a->w[i])) return;
    for (long i = 0; i < b->n; i++)
        if (!push(c, scratch, &n, b->w[i])) return;
    token *word = check_alloc(c, (size_t)n * sizeof *word);
    if (n) memcpy(word, scratch, (size_t)n * sizeof *word);
    for (long at = 0; at + 1 < n; at++) {
        if (!is_last_block(c->symbols, word[at]) || word[at + 1] != (word[at] | 1)) continue;
        split_last(c, p, k, word, n, at);
        return;
    }
    append(c, p, k, word, n);
}

void words_normalise(checker *c, node *p)
{
    long n = 0;
    check_spend(c, 100 * p->n);
    if (p->n) qsort(p->t, (size_t)p->n, sizeof *p->t, compare_words);
    for (long k = 0, next; k < p->n; k = next) {
        term sum = p->t[k];
        for (next = k + 1; next < p->n && compare_words(&sum, &p->t[next]) == 0; next++)
            mpq_add(sum.k, sum.k, p->t[next].k);
        check_bits(c, sum.k);
        if (mpq_sgn(sum.k) != 0) p->t[n++] = sum;
    }
    p->n = n;
}

void words_transpose(checker *c, node *p, const node *a)
{
    *p = (node){ .r = a->c, .c = a->r };
    for (const term *t = a->t; t != words_end(a); t++) {
        token *w = check_alloc(c, (size_t)t->n * sizeof *w);
        for (long k = 0; k < t->n; k++) w[k] = t->w[t->n - 1 - k] ^ 1;
        words_add(c, p, t->k, &(term){ .n = t->n, .w = w }, &words_none);
    }
}

/* ---- step 11 ---- */

/* How many factors all words of a have in common at the beginning and, of what is left, at the end; a->n > 0 */
static void common_factors(const node *a, long *begin, long *end)
{
    const term *s = &a->t[0];
    long shortest = s->n;
    *begin = s->n;
    for (const term *t = a->t; t != words_end(a); t++) {
        long n = 0;
        while (n < *begin && n < t->n && t->w[n] == s->w[n]) n++;
        *begin = n;
        if (t->n < shortest) shortest = t->n;
    }
    *end = shortest - *begin;
    for (const term *t = a->t; t != words_end(a); t++) {
        long n = 0;
        while (n < *end && t->w[t->n - 1 - n] == s->w[s->n - 1 - n]) n++;
        *end = n;
    }
}

/* The symbol for q, or the transposed one for q' where that has one already */
static token core_token(checker *c, node *q)
{
    node *turned = check_alloc(c, sizeof *turned);
    words_transpose(c, turned, q);
    words_normalise(c, turned);
    const atom core = { .kind = CORE, .name = "", .r = q->r, .c = q->c, .args = 1, .arg = { q } };
    const atom other = { .kind = CORE, .name = "", .r = q->c, .c = q->r, .args = 1, .arg = { turned } };
    const token known = find_atom(c, &core), known_turned = find_atom(c, &other);
    return known ? known : known_turned ? known_turned | 1 : words_token(c, &core);
}

static char *rows_of(const checker *c, token w)
{
    const atom *A = &c->symbols->atoms[w / 2];
    return w & 1 ? A->c : A->r;
}

const node *words_abbreviated(checker *c, const node *a)
{
    long begin, end;
    common_factors(a, &begin, &end);
    const term *first = &a->t[0];
    node *q = check_alloc(c, sizeof *q), *p = check_alloc(c, sizeof *p);
    q->r = begin ? rows_of(c, first->w[begin - 1] ^ 1) : a->r;
    q->c = end ? rows_of(c, first->w[first->n - end]) : a->c;
    for (const term *t = a->t; t != words_end(a); t++)
        words_add(c, q, t->k, &(term){ .n = t->n - begin - end, .w = t->w + begin }, &words_none);
    words_normalise(c, q);
    token *word = check_alloc(c, (size_t)(begin + 1 + end) * sizeof *word);
    if (begin) memcpy(word, first->w, (size_t)begin * sizeof *word);
    word[begin] = core_token(c, q);
    if (end) memcpy(word + begin + 1, first->w + first->n - end, (size_t)end * sizeof *word);
    *p = (node){ .r = a->r, .c = a->c };
    mpq_set_ui(c->x, 1, 1);
    append(c, p, c->x, word, begin + 1 + end);
    return p;
}
