/* arith_sym.c - linear combinations of words in named matrices: a proof, for all sizes.
 *
 * A matrix is  sum_i c_i w_i,  c_i rational and w_i a word: a product of tokens, each an atom
 * (a named matrix), its transpose, its inverse, or both.  The empty word is the identity.  Atoms:
 *
 *   NAMED     a drawn matrix.  Drawn SQUARE matrices are invertible: the hypothesis of every proof
 *             made here is "for all weights for which the inverses taken exist"
 *   CONSTANT  an integer matrix times a power of two, known by its contents; nothing else is used
 *   ONES      1_n, the n x 1 matrix of ones, n > 1 (1_1 is the identity); all-ones is 1_r 1_c'
 *   SELECT    E(t,o,l), columns o .. o+l-1 of the identity of size t, l < t
 *   DIAGONAL  diag(g) or diag(rho(X X')), by the normal form of the argument; symmetric
 *   others    values of opaque functions: one atom per (function, its parameters, normal form of
 *             the argument, shape), so equal arguments give equal values and nothing more is known
 *   CORE      a long combination, by its normal form; see below
 *   UNKNOWN   a result whose coefficients or length did not fit: some matrix of that shape.  It is
 *             fresh each time, so it can equal nothing but itself
 *
 * Every operation keeps the combination in normal form.  Words are rewritten by
 *
 *   A A^-1 -> I                A^-1 A -> I         with (A^-1)' = (A')^-1;  D' = D for diagonals
 *   E(t,o,l)' E(t,p,m)   -> I if both ranges are the same, 0 if they are disjoint,
 *                           E(l,p-o,m) if the second lies in the first, E(m,o-p,l)' if the
 *                           first lies in the second; nothing if they overlap otherwise
 *   E(t,o,l) E(l,p,m)    -> E(t,o+p,m)             and the transpose of this rule
 *   E(t,o,l)' 1_t        -> 1_l                    and the transpose
 *   S 1_c                -> 1_r                    and the transpose; S a value of ROWMAP_STOCHASTIC
 *   U^-1                 -> U'                     for drawn square U named "orthogonal:..."; no
 *                                                  other backend draws such matrices yet
 *
 * equal words are collected, and adjacent ranges are joined, the one rule that sees several terms:
 *
 *   c u E(t,o,l) E(n,p,l)' v + c u E(t,o+l,m) E(n,p+l,m)' v -> c u E(t,o,l+m) E(n,p,l+m)' v,
 *
 * where E(t,0,t) = I: so the blocks of a matrix, put together again, are the matrix.
 *
 * Long combinations.  Scores (X Q)(X K)' square the number of terms, which skip connections make grow
 * with every layer.  Where there would be more than LONG terms, factors are abbreviated: the words of
 * p have a longest common beginning u and end v, so p = u q v, and q becomes one atom, known by its
 * normal form.  So p and p T keep the same core q, and the product cancels as if written out.
 *
 * What answers mean.  Each rule is an equation between matrices, so equal normal forms prove
 * equality: HOLDS.  Unequal ones prove nothing, for the rules are not complete (overlapping ranges,
 * 1_n' 1_n = n, commuting diagonals ... are left alone): UNDECIDED, never REFUTED.  Sizes stand for
 * themselves up to coincidence: no rule looks at a number except to see that it is 1, that two are
 * equal, or how ranges lie.  Callers must hence choose representative sizes that are > 1 and
 * differ wherever the symbolic ones may. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/arith.h"
#include "numerics/random.h"

/* ---- rational coefficients: lowest terms, den > 0, |num| <= INT64_MAX; false = does not fit ---- */

typedef struct { int64_t num, den; } ratio;

static const ratio one = { 1, 1 }, minus_one = { -1, 1 };

static bool ratio_reduced(ratio *c, __int128 num, __int128 den)
{
    if (den == 0) return false;
    __int128 a = num < 0 ? -num : num, b = den;
    while (b) {                                            /* Euclid: a = gcd(|num|, den) at the end */
        __int128 r = a % b;
        a = b;
        b = r;
    }
    num /= a;
    den /= a;
    if (num > INT64_MAX || num < -INT64_MAX || den > INT64_MAX) return false;
    *c = (ratio){ (int64_t)num, (int64_t)den };
    return true;
}

static bool ratio_add(ratio *c, ratio a, ratio b)
{
    return ratio_reduced(c, (__int128)a.num * b.den + (__int128)b.num * a.den, (__int128)a.den * b.den);
}

static bool ratio_mul(ratio *c, ratio a, ratio b)
{
    return ratio_reduced(c, (__int128)a.num * b.num, (__int128)a.den * b.den);
}

static ratio ratio_inverse(ratio a)                        /* a != 0 */
{
    return a.num > 0 ? (ratio){ a.den, a.num } : (ratio){ -a.den, -a.num };
}

/* c = m 2^e */
static bool ratio_dyadic(ratio *c, int64_t m, long e)
{
    if (e > 62 || e < -62) return false;
    __int128 power = (__int128)1 << (e < 0 ? -e : e);
    return e < 0 ? ratio_reduced(c, m, power) : ratio_reduced(c, m * power, 1);
}

/* ---- registry: byte strings, numbered from 0 in order of arrival ---- */

typedef struct { unsigned char *bytes; size_t n; uint64_t hash; } entry;
typedef struct {
    entry  *entries;
    size_t  n, room;
    size_t *slot;                        /* open addressing; number + 1, or 0 = free             */
    size_t  slots;                       /* a power of 2, at least 2 n                           */
} registry;

static void registry_place(registry *r, size_t number)
{
    size_t i = r->entries[number].hash & (r->slots - 1);
    while (r->slot[i]) i = (i + 1) & (r->slots - 1);
    r->slot[i] = number + 1;
}

static void registry_grow(registry *r)
{
    r->room = r->room ? 2 * r->room : 64;
    r->entries = must_realloc(r->entries, r->room, sizeof *r->entries);
    free(r->slot);
    r->slots = 2 * r->room;
    r->slot = must_calloc(r->slots, sizeof *r->slot);
    for (size_t i = 0; i < r->n; i++) registry_place(r, i);
}

/* The number of this string.  A hash only says where to look: equality is of the bytes. */
static size_t registry_number(registry *r, const void *bytes, size_t n)
{
    static const uint64_t key[2] = { 0, 0 };
    uint64_t hash = random_siphash(key, bytes, n);
    if (r->n == r->room) registry_grow(r);
    for (size_t i = hash & (r->slots - 1); r->slot[i]; i = (i + 1) & (r->slots - 1)) {
        const entry *e = &r->entries[r->slot[i] - 1];
        if (e->hash == hash && e->n == n && memcmp(e->bytes, bytes, n) == 0) return r->slot[i] - 1;
    }
    entry *fresh = &r->entries[r->n];
    *fresh = (entry){ .bytes = must_calloc(n + 1, 1), .n = n, .hash = hash };
    memcpy(fresh->bytes, bytes, n);
    registry_place(r, r->n);
    return r->n++;
}

static void registry_free(registry *r)
{
    for (size_t i = 0; i < r->n; i++) free(r->entries[i].bytes);
    free(r->entries);
    free(r->slot);
}

/* ---- atoms ---- */

typedef enum { NAMED, CONSTANT, ONES, SELECT, CORE, UNKNOWN, DIAGONAL, RADIAL, PHI, EVEN_PART, ROWMAP,
               NORM, ROTATE, HADAMARD } atom_kind;

enum { INVERTIBLE = 1, SYMMETRIC = 2, ORTHOGONAL = 4, STOCHASTIC = 8 };

/* Of E(t,o,l): rows = t, cols = l, from = o.  All fields but `used` follow from the atom's key. */
typedef struct {
    atom_kind kind;
    unsigned  facts;
    unsigned  used;                      /* of its facts, those that some rule has used          */
    long      rows, cols, from;
} atom;

/* What an atom is; two atoms are the same when all of this is.  The tail has a fixed format per kind. */
enum { PARAMS = 8 };
typedef struct {
    atom_kind   kind;
    long        rows, cols;
    int64_t     param[PARAMS];
    const void *tail;
    size_t      n_tail;
} description;

typedef struct {
    registry atom_keys, arguments;       /* arguments: normal forms that opaque functions were given */
    atom    *atoms;
    size_t   atoms_room;
    int64_t  unknowns;
    bool     half_odd, shift_invariant;  /* hypotheses about functions that were used            */
    char    *uses;                       /* of arith_sym_uses                                    */
} sym;

typedef uint32_t token;                  /* 4 atom + INVERSE + TRANSPOSED */
enum { TRANSPOSED = 1, INVERSE = 2 };

static sym *state(const mat *A) { return A->R->state; }

static const atom *atom_of(const sym *s, token w) { return &s->atoms[w >> 2]; }

static token atom_token(sym *s, const description *d, unsigned facts)
{
    int64_t head[3 + PARAMS] = { d->kind, d->rows, d->cols };
    memcpy(head + 3, d->param, sizeof d->param);
    unsigned char *key = must_calloc(sizeof head + d->n_tail, 1);
    memcpy(key, head, sizeof head);
    if (d->n_tail) memcpy(key + sizeof head, d->tail, d->n_tail);
    size_t before = s->atom_keys.n, number = registry_number(&s->atom_keys, key, sizeof head + d->n_tail);
    free(key);
    REQUIRE(number < UINT32_MAX >> 2, "%zu atoms", number);
    if (number == before) {
        if (s->atoms_room <= number) {
            s->atoms_room = 2 * number + 64;
            s->atoms = must_realloc(s->atoms, s->atoms_room, sizeof *s->atoms);
        }
        long from = d->kind == SELECT ? (long)d->param[0] : 0;
        s->atoms[number] = (atom){ .kind = d->kind, .facts = facts, .rows = d->rows, .cols = d->cols, .from = from };
    }
    return (token)(number << 2);
}

static token transposed(const sym *s, token w)
{
    return atom_of(s, w)->facts & SYMMETRIC ? w : w ^ TRANSPOSED;
}

static token inverted(const sym *s, token w)               /* of an INVERTIBLE atom */
{
    return atom_of(s, w)->facts & ORTHOGONAL ? w ^ TRANSPOSED : w ^ INVERSE;
}

static void use(sym *s, token w, unsigned fact) { s->atoms[w >> 2].used |= fact; }

/* An inverse was taken, or cancelled: it exists by hypothesis. */
static void use_inverse(sym *s, token w)
{
    use(s, w, atom_of(s, w)->facts & ORTHOGONAL ? ORTHOGONAL : INVERTIBLE);
}

static token ones_token(sym *s, long n)                    /* 1_n, n > 1 */
{
    return atom_token(s, &(description){ .kind = ONES, .rows = n, .cols = 1 }, 0);
}

static token select_token(sym *s, long t, long o, long l)  /* E(t,o,l), l < t */
{
    return atom_token(s, &(description){ .kind = SELECT, .rows = t, .cols = l, .param = { o } }, 0);
}

/* ---- two adjacent tokens x y ---- */

typedef enum { STUCK, TO_ZERO, TO_IDENTITY, TO_TOKEN } reduction;

static bool is_select(const sym *s, token w, unsigned flags)
{
    return atom_of(s, w)->kind == SELECT && (w & 3) == flags;
}

/* E(t,o,l)' E(t,p,m) */
static reduction reduce_ranges(sym *s, token x, token y, token *z)
{
    atom a = *atom_of(s, x), b = *atom_of(s, y);
    long a_end = a.from + a.cols, b_end = b.from + b.cols;
    if (a.rows != b.rows) return STUCK;
    if (a_end <= b.from || b_end <= a.from) return TO_ZERO;
    if (a.from == b.from && a_end == b_end) return TO_IDENTITY;
    if (a.from <= b.from && b_end <= a_end) {
        *z = select_token(s, a.cols, b.from - a.from, b.cols);
        return TO_TOKEN;
    }
    if (b.from <= a.from && a_end <= b_end) {
        *z = select_token(s, b.cols, a.from - b.from, a.cols) | TRANSPOSED;
        return TO_TOKEN;
    }
    return STUCK;
}

/* E(t,o,l) E(l,p,m) = E(t,o+p,m);  the token of the result, untransposed */
static token nested_select(sym *s, token outer, token inner)
{
    atom a = *atom_of(s, outer), b = *atom_of(s, inner);
    return select_token(s, a.rows, a.from + b.from, b.cols);
}

/* M 1, where M = E' (whose result has l entries) or M = S, is 1 again. */
static reduction reduce_ones(sym *s, long entries, unsigned flags, token *z)
{
    if (entries == 1) return TO_IDENTITY;
    *z = ones_token(s, entries) | flags;
    return TO_TOKEN;
}

static reduction reduce_pair(sym *s, token x, token y, token *z)
{
    const atom *a = atom_of(s, x), *b = atom_of(s, y);
    if ((a->facts & INVERTIBLE) && y == inverted(s, x)) {
        use_inverse(s, x);
        return TO_IDENTITY;
    }

    bool x_turned = x & TRANSPOSED, y_turned = y & TRANSPOSED;
    if (a->kind == SELECT && b->kind == SELECT) {
        if (x_turned && !y_turned) return reduce_ranges(s, x, y, z);
        if (x_turned != y_turned) return STUCK;                       /* E E' */
        if (x_turned ? b->cols != a->rows : a->cols != b->rows) return STUCK;
        *z = x_turned ? nested_select(s, y, x) | TRANSPOSED : nested_select(s, x, y);
        return TO_TOKEN;
    }
    if (b->kind == ONES && !y_turned) {
        if (a->kind == SELECT && x_turned) return reduce_ones(s, a->cols, 0, z);
        if ((a->facts & STOCHASTIC) && !x_turned) {
            use(s, x, STOCHASTIC);
            return reduce_ones(s, a->rows, 0, z);
        }
    }
    if (a->kind == ONES && x_turned) {
        if (b->kind == SELECT && !y_turned) return reduce_ones(s, b->cols, TRANSPOSED, z);
        if ((b->facts & STOCHASTIC) && y_turned) {
            use(s, y, STOCHASTIC);
            return reduce_ones(s, b->rows, TRANSPOSED, z);
        }
    }
    return STUCK;
}

/* ---- linear combinations ---- */

/* In normal form terms are sorted by word, words are reduced and distinct, no coefficient is 0. */
typedef struct { ratio c; size_t at, len; } term;          /* word: pool[at .. at+len-1] */
typedef struct {
    term   *terms;
    size_t  n, terms_room;
    token  *pool;
    size_t  used, pool_room;
} poly;

/* Beyond LONG terms we abbreviate.  Results of more tokens than TOKENS_MAX become UNKNOWN: a proof that
 * needs them is not one we want to wait for. */
enum { LONG = 1 << 14, TOKENS_MAX = 1 << 23 };

static void poly_free(poly *p)
{
    free(p->terms);
    free(p->pool);
    *p = (poly){ 0 };
}

static const token *word(const poly *p, const term *t) { return p->pool + t->at; }

/* The last word of p, begun at `at`, times w; false = the word is zero. */
static bool push(sym *s, poly *p, size_t at, token w)
{
    while (p->used > at) {
        token z = 0;
        reduction r = reduce_pair(s, p->pool[p->used - 1], w, &z);
        if (r == STUCK) break;
        if (r == TO_ZERO) return false;
        p->used--;
        if (r == TO_IDENTITY) return true;
        w = z;                                             /* it may reduce with what is before it */
    }
    if (p->used == p->pool_room) {
        p->pool_room = 2 * p->pool_room + 16;
        p->pool = must_realloc(p->pool, p->pool_room, sizeof *p->pool);
    }
    p->pool[p->used++] = w;
    return true;
}

static bool push_word(sym *s, poly *p, size_t at, const token *w, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!push(s, p, at, w[i])) return false;
    return true;
}

static bool push_transposed(sym *s, poly *p, size_t at, const token *w, size_t n)
{
    for (size_t i = n; i-- > 0; )
        if (!push(s, p, at, transposed(s, w[i]))) return false;
    return true;
}

static bool push_inverse(sym *s, poly *p, size_t at, const token *w, size_t n)
{
    for (size_t i = n; i-- > 0; ) {
        use_inverse(s, w[i]);
        if (!push(s, p, at, inverted(s, w[i]))) return false;
    }
    return true;
}

/* The word begun at `at` becomes a term of coefficient c, or is dropped when it is zero.
 * False = the combination is too long. */
static bool poly_end(poly *p, size_t at, ratio c, bool nonzero)
{
    if (!nonzero) {
        p->used = at;
        return true;
    }
    if (p->used > TOKENS_MAX) return false;
    if (p->n == p->terms_room) {
        p->terms_room = 2 * p->terms_room + 4;
        p->terms = must_realloc(p->terms, p->terms_room, sizeof *p->terms);
    }
    p->terms[p->n++] = (term){ c, at, p->used - at };
    return true;
}

/* p += c left a right, not yet in normal form; false = does not fit */
static bool add_multiple(sym *s, poly *p, ratio c, const token *left, size_t n_left, const poly *a,
                         const token *right, size_t n_right)
{
    for (size_t i = 0; i < a->n; i++) {
        const term *t = &a->terms[i];
        size_t at = p->used;
        bool nonzero = push_word(s, p, at, left, n_left) && push_word(s, p, at, word(a, t), t->len)
                    && push_word(s, p, at, right, n_right);
        ratio product;
        if (!ratio_mul(&product, c, t->c) || !poly_end(p, at, product, nonzero)) return false;
    }
    return true;
}

static bool add_copy(sym *s, poly *p, ratio c, const poly *a)
{
    return add_multiple(s, p, c, NULL, 0, a, NULL, 0);
}

static int compare_words(const token *v, size_t n_v, const token *w, size_t n_w)
{
    for (size_t i = 0; i < n_v && i < n_w; i++)
        if (v[i] != w[i]) return v[i] < w[i] ? -1 : 1;
    return (n_v > n_w) - (n_v < n_w);
}

static int compare_terms(const void *x, const void *y, void *context)
{
    const poly *p = context;
    const term *t = x, *u = y;
    return compare_words(word(p, t), t->len, word(p, u), u->len);
}

/* Sort, add the coefficients of equal words, drop zeros; false = does not fit. */
static bool collect(poly *p)
{
    if (p->n > 1) qsort_r(p->terms, p->n, sizeof *p->terms, compare_terms, p);
    size_t kept = 0;
    for (size_t i = 0, next; i < p->n; i = next) {
        term sum = p->terms[i];
        for (next = i + 1; next < p->n && compare_terms(&sum, &p->terms[next], p) == 0; next++)
            if (!ratio_add(&sum.c, sum.c, p->terms[next].c)) return false;
        if (sum.c.num) p->terms[kept++] = sum;
    }
    p->n = kept;
    return true;
}

/* ---- joining adjacent ranges ---- */

/* A place where the word of a term reads u E F' v: E is token number `at` of that word. */
typedef struct { size_t term, at; } site;
typedef struct { const sym *s; const poly *p; } site_context;

static const atom *site_left(const sym *s, const poly *p, site x)
{
    return atom_of(s, word(p, &p->terms[x.term])[x.at]);
}

static const atom *site_right(const sym *s, const poly *p, site x)
{
    return atom_of(s, word(p, &p->terms[x.term])[x.at + 1]);
}

static int compare_numbers(int64_t a, int64_t b) { return (a > b) - (a < b); }

/* 0 when both sites have the same c, u, v and p - o, else an order.  Their t and n are then the same
 * too: they are sizes of u and v, or, where u or v is empty, of the whole. */
static int compare_frames(const sym *s, const poly *p, site x, site y)
{
    const term *a = &p->terms[x.term], *b = &p->terms[y.term];
    const token *v = word(p, a), *w = word(p, b);
    const atom *xl = site_left(s, p, x), *xr = site_right(s, p, x);
    const atom *yl = site_left(s, p, y), *yr = site_right(s, p, y);
    int order = compare_numbers(a->c.num, b->c.num);
    if (!order) order = compare_numbers(a->c.den, b->c.den);
    if (!order) order = compare_numbers(xr->from - xl->from, yr->from - yl->from);
    if (!order) order = compare_words(v, x.at, w, y.at);
    if (!order) order = compare_words(v + x.at + 2, a->len - x.at - 2, w + y.at + 2, b->len - y.at - 2);
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

static size_t find_sites(const sym *s, const poly *p, site **sites)
{
    size_t n = 0, room = 0;
    *sites = NULL;
    for (size_t k = 0; k < p->n; k++) {
        const token *w = word(p, &p->terms[k]);
        for (size_t i = 0; i + 1 < p->terms[k].len; i++) {
            if (!is_select(s, w[i], 0) || !is_select(s, w[i + 1], TRANSPOSED)) continue;
            if (n == room) {
                room = 2 * room + 16;
                *sites = must_realloc(*sites, room, sizeof **sites);
            }
            (*sites)[n++] = (site){ k, i };
        }
    }
    return n;
}

/* q * E(t,o,l), or its transpose */
static bool push_select(sym *s, poly *q, size_t at, long t, long o, long l, unsigned flags)
{
    return l == t || push(s, q, at, select_token(s, t, o, l) | flags);
}

/* Append c u E(t,o,l) E(n,p,l)' v to q, for these l columns and what else is said by site x of p. */
static bool append_joined(sym *s, poly *q, const poly *p, site x, long l)
{
    const term *t = &p->terms[x.term];
    const token *w = word(p, t);
    atom left = *site_left(s, p, x), right = *site_right(s, p, x);
    size_t at = q->used;
    bool nonzero = push_word(s, q, at, w, x.at)
                && push_select(s, q, at, left.rows, left.from, l, 0)
                && push_select(s, q, at, right.rows, right.from, l, TRANSPOSED)
                && push_word(s, q, at, w + x.at + 2, t->len - x.at - 2);
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
        fits = poly_end(&q, at, p->terms[k].c, push_word(s, &q, at, word(p, &p->terms[k]), p->terms[k].len));
    }
    fits = fits && (!*changed || collect(&q));
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

/* Bring p into normal form.  Ends, for each pass that changes p makes it shorter. */
static bool normalise(sym *s, poly *p)
{
    bool changed = true, fits = collect(p);
    while (fits && changed) fits = join_pass(s, p, &changed);
    return fits;
}

/* ---- normal forms as arguments, and abbreviations ---- */

/* A number for this normal form: equal numbers, equal combinations. */
static int64_t argument(sym *s, const poly *p)
{
    size_t n = 0, size = p->n * 3 * sizeof(int64_t) + p->used * sizeof(token);
    unsigned char *bytes = must_calloc(size + 1, 1);
    for (size_t k = 0; k < p->n; k++) {
        const term *t = &p->terms[k];
        int64_t head[3] = { t->c.num, t->c.den, (int64_t)t->len };
        memcpy(bytes + n, head, sizeof head);
        n += sizeof head;
        if (t->len) memcpy(bytes + n, word(p, t), t->len * sizeof(token));
        n += t->len * sizeof(token);
    }
    size_t number = registry_number(&s->arguments, bytes, n);
    free(bytes);
    return (int64_t)number;
}

static bool add_transpose(sym *s, poly *p, const poly *a)
{
    for (size_t i = 0; i < a->n; i++) {
        const term *t = &a->terms[i];
        size_t at = p->used;
        if (!poly_end(p, at, t->c, push_transposed(s, p, at, word(a, t), t->len))) return false;
    }
    return true;
}

/* Lengths of the longest common beginning and, in what is left of the words, end. */
static void common_ends(const poly *p, size_t *begin, size_t *end)
{
    const term *t = &p->terms[0];
    const token *v = word(p, t);
    size_t shortest = t->len;
    *begin = t->len;
    for (size_t k = 1; k < p->n; k++) {
        const token *w = word(p, &p->terms[k]);
        size_t n = 0;
        while (n < *begin && n < p->terms[k].len && v[n] == w[n]) n++;
        *begin = n;
        if (p->terms[k].len < shortest) shortest = p->terms[k].len;
    }
    *end = shortest - *begin;
    for (size_t k = 1; k < p->n; k++) {
        const term *u = &p->terms[k];
        size_t n = 0;
        while (n < *end && v[t->len - 1 - n] == word(p, u)[u->len - 1 - n]) n++;
        *end = n;
    }
}

/* The atom of a core (rows x cols), or the transpose of the atom of its transpose: whichever has the
 * smaller number, so that X X' is a word in one atom. */
static token core_token(sym *s, const poly *core, long rows, long cols)
{
    poly turned = { 0 };
    int64_t here = argument(s, core), there = here;
    if (add_transpose(s, &turned, core) && normalise(s, &turned)) there = argument(s, &turned);
    poly_free(&turned);
    description d = { .kind = CORE, .rows = rows, .cols = cols, .param = { here } };
    if (there < here) d = (description){ .kind = CORE, .rows = cols, .cols = rows, .param = { there } };
    return atom_token(s, &d, 0) | (there < here ? TRANSPOSED : 0);
}

static long token_rows(const sym *s, token w)
{
    return w & TRANSPOSED ? atom_of(s, w)->cols : atom_of(s, w)->rows;
}

static long token_cols(const sym *s, token w) { return token_rows(s, w ^ TRANSPOSED); }

/* q = u core v, one word, for a normal form p (rows x cols) of two terms or more; false = does not fit */
static bool abbreviate(sym *s, poly *q, const poly *p, long rows, long cols)
{
    poly core = { 0 };
    size_t begin, end, len = p->terms[0].len;
    const token *w = word(p, &p->terms[0]);
    common_ends(p, &begin, &end);
    bool fits = true;
    for (size_t k = 0; k < p->n && fits; k++) {
        const term *t = &p->terms[k];
        size_t at = core.used;
        fits = poly_end(&core, at, t->c, push_word(s, &core, at, word(p, t) + begin, t->len - begin - end));
    }
    fits = fits && normalise(s, &core);
    if (fits) {
        long core_rows = begin ? token_cols(s, w[begin - 1]) : rows;
        long core_cols = end ? token_rows(s, w[len - end]) : cols;
        token q_core = core_token(s, &core, core_rows, core_cols);
        bool nonzero = push_word(s, q, 0, w, begin) && push(s, q, 0, q_core)
                    && push_word(s, q, 0, w + len - end, end);
        fits = poly_end(q, 0, one, nonzero);
    }
    poly_free(&core);
    return fits;
}

/* p += a b, (rows x middle)(middle x cols), not yet in normal form; false = does not fit */
static bool add_product(sym *s, poly *p, const poly *a, const poly *b, long rows, long middle, long cols)
{
    poly short_a = { 0 }, short_b = { 0 };
    bool fits = true;
    if (a->n > 1 && b->n > 1 && a->n * b->n > LONG) {
        fits = abbreviate(s, &short_a, a, rows, middle) && abbreviate(s, &short_b, b, middle, cols);
        a = &short_a;
        b = &short_b;
    }
    for (size_t i = 0; fits && i < a->n; i++)
        fits = add_multiple(s, p, a->terms[i].c, word(a, &a->terms[i]), a->terms[i].len, b, NULL, 0);
    poly_free(&short_a);
    poly_free(&short_b);
    return fits;
}

/* ---- results ---- */

static const poly *poly_of(const mat *A) { return A->rep; }

static void set_poly(mat *C, poly *p)                      /* takes p over */
{
    poly *old = C->rep;
    poly_free(old);
    *old = *p;
    *p = (poly){ 0 };
}

/* C = c w, a reduced word */
static void set_word(mat *C, ratio c, const token *w, size_t n)
{
    poly p = { 0 };
    push_word(state(C), &p, 0, w, n);
    poly_end(&p, 0, c, true);
    set_poly(C, &p);
}

static void set_unknown(mat *C)
{
    sym *s = state(C);
    description d = { .kind = UNKNOWN, .rows = C->rows, .cols = C->cols, .param = { s->unknowns++ } };
    set_word(C, one, (token[]){ atom_token(s, &d, 0) }, 1);
}

/* C = p, normalised and if need be abbreviated, where all that made p did fit; takes p over */
static void set_result(mat *C, poly *p, bool fits)
{
    poly q = { 0 };
    fits = fits && normalise(state(C), p);
    if (fits && p->n > LONG) {
        fits = abbreviate(state(C), &q, p, C->rows, C->cols);
        poly_free(p);
        *p = q;
    }
    if (fits) {
        set_poly(C, p);
    } else {
        poly_free(p);
        set_unknown(C);
    }
}

static void set_multiple(mat *C, ratio c, const mat *A)
{
    poly p = { 0 };
    bool fits = add_copy(state(C), &p, c, poly_of(A));
    set_result(C, &p, fits);
}

/* The word of the all-ones matrix of this shape; returns its length. */
static size_t ones_word(sym *s, long rows, long cols, token w[2])
{
    size_t n = 0;
    if (rows > 1) w[n++] = ones_token(s, rows);
    if (cols > 1) w[n++] = ones_token(s, cols) | TRANSPOSED;
    return n;
}

/* Is A = c times all-ones? */
static bool is_constant_ones(const mat *A, ratio *c)
{
    const poly *p = poly_of(A);
    token w[2];
    size_t n = ones_word(state(A), A->rows, A->cols, w);
    if (p->n != 1 || compare_words(word(p, &p->terms[0]), p->terms[0].len, w, n) != 0) return false;
    *c = p->terms[0].c;
    return true;
}

/* ---- slots: life, drawing, constants ---- */

static void sym_init(mat *A) { A->rep = must_calloc(1, sizeof(poly)); }

static void sym_clear(mat *A)
{
    poly_free(A->rep);
    free(A->rep);
    A->rep = NULL;
}

/* One atom per drawn matrix: name and shape, and whatever else makes other backends draw other
 * numbers under this name.  Scale is not a coefficient: powers of two would soon overflow. */
static void sym_draw(mat *C, const drawing *how)
{
    static const char prefix[] = "orthogonal:";
    description d = { .kind = NAMED, .rows = C->rows, .cols = C->cols,
                      .param = { (int64_t)how->key[0], (int64_t)how->key[1], how->log2scale, how->shape },
                      .tail = how->name, .n_tail = strlen(how->name) };
    unsigned facts = C->rows == C->cols ? INVERTIBLE : 0;
    if (facts && strncmp(how->name, prefix, sizeof prefix - 1) == 0) facts |= ORTHOGONAL;
    set_word(C, one, (token[]){ atom_token(state(C), &d, facts) }, 1);
}

/* Is the matrix x [i = j + o] for some o >= 0, with x != 0 in every column?  (i, j) is at
 * m[i down + j right].  Identities are the case o = 0, rows = cols. */
static bool is_selection(const int64_t *m, long rows, long cols, long down, long right, int64_t *x, long *o)
{
    for (*o = 0; *o < rows && m[*o * down] == 0; ++*o) {}
    if (*o + cols > rows) return false;
    *x = m[*o * down];
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < cols; j++)
            if (m[i * down + j * right] != (i == j + *o ? *x : 0)) return false;
    return true;
}

static bool is_uniform(const int64_t *m, long n)
{
    for (long k = 1; k < n; k++)
        if (m[k] != m[0]) return false;
    return true;
}

/* Constants with a known structure: their word, and x such that the matrix is x 2^e times it. */
static bool structured(sym *s, const int64_t *m, long rows, long cols, int64_t *x, token w[2], size_t *n)
{
    long o;
    *n = 0;
    if (is_uniform(m, rows * cols)) {
        *x = m[0];
        *n = ones_word(s, rows, cols, w);
    } else if (rows >= cols && is_selection(m, rows, cols, cols, 1, x, &o)) {
        if (rows > cols) w[(*n)++] = select_token(s, rows, o, cols);
    } else if (rows < cols && is_selection(m, cols, rows, 1, cols, x, &o)) {
        w[(*n)++] = select_token(s, cols, o, rows) | TRANSPOSED;
    } else {
        return false;
    }
    return true;
}

static int trailing_zeros(const int64_t *m, long n)        /* common to all entries; 64 = all are 0 */
{
    uint64_t bits = 0;
    for (long k = 0; k < n; k++) bits |= (uint64_t)m[k];
    return bits ? __builtin_ctzll(bits) : 64;
}

static void sym_set_dyadic(mat *C, const int64_t *m, long e)
{
    sym *s = state(C);
    long n = C->rows * C->cols;
    int zeros = trailing_zeros(m, n);
    if (zeros == 64) {
        set_poly(C, &(poly){ 0 });
        return;
    }
    int64_t *odd = must_calloc((size_t)n, sizeof *odd), x;  /* some entry is odd: one m and e per matrix */
    for (long k = 0; k < n; k++) odd[k] = m[k] >> zeros;
    e += zeros;
    token w[2];
    size_t len;
    ratio c = one;
    if (!structured(s, odd, C->rows, C->cols, &x, w, &len) || !ratio_dyadic(&c, x, e)) {
        description d = { .kind = CONSTANT, .rows = C->rows, .cols = C->cols, .param = { e },
                          .tail = odd, .n_tail = (size_t)n * sizeof *odd };
        w[0] = atom_token(s, &d, 0);
        len = 1;
        c = one;
    }
    set_word(C, c, w, len);
    free(odd);
}

static bool sym_get_exact(mpq_t x, const mat *A, long i, long j)
{
    (void)x, (void)A, (void)i, (void)j;
    return false;
}

static double sym_get_d(const mat *A, long i, long j)
{
    (void)A, (void)i, (void)j;
    return NAN;
}

static double sym_log2max(const mat *A)
{
    (void)A;
    return NAN;
}

/* ---- slots: algebra ---- */

/* Append E(t,o,l), or nothing for the identity; returns the new length. */
static size_t append_select(sym *s, token *w, size_t n, long t, long o, long l, unsigned flags)
{
    if (l == t) return n;
    w[n] = select_token(s, t, o, l) | flags;
    return n + 1;
}

/* C += E(C.rows,ci,r) E(A.rows,ai,r)' A E(A.cols,aj,c) E(C.cols,cj,c)' */
static void sym_copy(mat *C, long ci, long cj, const mat *A, long ai, long aj, long r, long c)
{
    sym *s = state(C);
    token left[2], right[2];
    size_t n_left  = append_select(s, left,  0,       C->rows, ci, r, 0);
    n_left         = append_select(s, left,  n_left,  A->rows, ai, r, TRANSPOSED);
    size_t n_right = append_select(s, right, 0,       A->cols, aj, c, 0);
    n_right        = append_select(s, right, n_right, C->cols, cj, c, TRANSPOSED);
    poly p = { 0 };
    bool fits = add_copy(s, &p, one, poly_of(C))
             && add_multiple(s, &p, one, left, n_left, poly_of(A), right, n_right);
    set_result(C, &p, fits);
}

static void sym_add(mat *C, const mat *A, const mat *B)
{
    poly p = { 0 };
    bool fits = add_copy(state(C), &p, one, poly_of(A)) && add_copy(state(C), &p, one, poly_of(B));
    set_result(C, &p, fits);
}

static void sym_sub(mat *C, const mat *A, const mat *B)
{
    poly p = { 0 };
    bool fits = add_copy(state(C), &p, one, poly_of(A)) && add_copy(state(C), &p, minus_one, poly_of(B));
    set_result(C, &p, fits);
}

static void sym_mul(mat *C, const mat *A, const mat *B)
{
    poly p = { 0 };
    bool fits = add_product(state(C), &p, poly_of(A), poly_of(B), A->rows, A->cols, B->cols);
    set_result(C, &p, fits);
}

static void sym_transpose(mat *C, const mat *A)
{
    poly p = { 0 };
    bool fits = add_transpose(state(C), &p, poly_of(A));
    set_result(C, &p, fits);
}

/* ---- inverses ---- */

/* A word  u E W E' v  with u, W, v products of invertible tokens: u is w[0 .. first-1], E is w[first],
 * E' is w[last].  No E: first = last = len. */
typedef struct { size_t first, last; } block;

static bool is_invertible(const sym *s, token w) { return atom_of(s, w)->facts & INVERTIBLE; }

static bool find_block(const sym *s, const token *w, size_t len, block *b)
{
    *b = (block){ 0, len };
    while (b->first < len && is_invertible(s, w[b->first])) b->first++;
    if (b->first == len) return true;
    while (is_invertible(s, w[--b->last])) {}              /* stops at first, the latest */
    for (size_t i = b->first + 1; i < b->last; i++)
        if (!is_invertible(s, w[i])) return false;
    return is_select(s, w[b->first], 0) && w[b->last] == (w[b->first] | TRANSPOSED);
}

static int compare_ranges(const void *x, const void *y)
{
    const atom *a = x, *b = y;
    return (a->from > b->from) - (a->from < b->from);
}

/* Do the ranges cover 0 .. t-1, each number once?  Sorts them. */
static bool is_partition(atom *ranges, size_t n)
{
    long end = 0;
    qsort(ranges, n, sizeof *ranges, compare_ranges);
    for (size_t i = 0; i < n; i++) {
        if (ranges[i].from != end || ranges[i].rows != ranges[0].rows) return false;
        end += ranges[i].cols;
    }
    return end == ranges[0].rows;
}

/* Is p = sum_a c_a u E_a W_a E_a' v, with the same u and v in all terms and a partition E_a? */
static bool is_block_diagonal(const sym *s, const poly *p, block *blocks, atom *ranges)
{
    const token *w0 = word(p, &p->terms[0]);
    for (size_t k = 0; k < p->n; k++) {
        const term *t = &p->terms[k];
        const token *w = word(p, t);
        block *b = &blocks[k];
        if (!find_block(s, w, t->len, b) || b->first == t->len) return false;
        if (compare_words(w0, blocks[0].first, w, b->first) != 0) return false;
        size_t v0 = blocks[0].last + 1, v = b->last + 1;
        if (compare_words(w0 + v0, p->terms[0].len - v0, w + v, t->len - v) != 0) return false;
        ranges[k] = *atom_of(s, w[b->first]);
    }
    return is_partition(ranges, p->n);
}

/* q = sum_a (1/c_a) v^-1 E_a W_a^-1 E_a' u^-1, and without the E where there is none */
static bool add_inverse(sym *s, poly *q, const poly *p, const block *blocks)
{
    for (size_t k = 0; k < p->n; k++) {
        const term *t = &p->terms[k];
        const token *w = word(p, t);
        size_t at = q->used, first = blocks[k].first, last = blocks[k].last;
        bool nonzero = true;
        if (first < t->len)
            nonzero = push_inverse(s, q, at, w + last + 1, t->len - last - 1) && push(s, q, at, w[first])
                   && push_inverse(s, q, at, w + first + 1, last - first - 1) && push(s, q, at, w[last]);
        nonzero = nonzero && push_inverse(s, q, at, w, first);
        if (!poly_end(q, at, ratio_inverse(t->c), nonzero)) return false;
    }
    return true;
}

static truth sym_inv(mat *C, const mat *A)
{
    sym *s = state(C);
    const poly *a = poly_of(A);
    if (a->n == 0) return UNDECIDED;
    block *blocks = must_calloc(a->n, sizeof *blocks);
    atom *ranges = must_calloc(a->n, sizeof *ranges);
    bool one_word = a->n == 1 && find_block(s, word(a, a->terms), a->terms[0].len, blocks)
                 && blocks[0].first == a->terms[0].len;
    bool found = one_word || is_block_diagonal(s, a, blocks, ranges);
    if (found) {
        poly p = { 0 };
        bool fits = add_inverse(s, &p, a, blocks);
        set_result(C, &p, fits);
    }
    free(blocks);
    free(ranges);
    return found ? HOLDS : UNDECIDED;
}

/* ---- opaque functions ---- */

static void set_atom(mat *C, const description *d, unsigned facts)
{
    set_word(C, one, (token[]){ atom_token(state(C), d, facts) }, 1);
}

/* C = D A, D a token */
static void set_scaled(mat *C, token D, const mat *A)
{
    poly p = { 0 };
    bool fits = add_multiple(state(C), &p, one, &D, 1, poly_of(A), NULL, 0);
    set_result(C, &p, fits);
}

/* Entrywise product: commutative, and all-ones is its unit. */
static void sym_hadamard(mat *C, const mat *A, const mat *B)
{
    ratio c;
    if (poly_of(A)->n == 0 || poly_of(B)->n == 0) { set_poly(C, &(poly){ 0 }); return; }
    if (is_constant_ones(A, &c)) { set_multiple(C, c, B); return; }
    if (is_constant_ones(B, &c)) { set_multiple(C, c, A); return; }
    int64_t a = argument(state(A), poly_of(A)), b = argument(state(B), poly_of(B));
    set_atom(C, &(description){ .kind = HADAMARD, .rows = C->rows, .cols = C->cols,
                                .param = { a < b ? a : b, a < b ? b : a } }, 0);
}

/* diag(g) is invertible by hypothesis, like a drawn square matrix, when g is drawn itself */
static bool is_drawn(const mat *g)
{
    const poly *p = poly_of(g);
    return p->n == 1 && p->terms[0].len == 1 && atom_of(state(g), word(p, p->terms)[0])->kind == NAMED;
}

static void sym_scale_rows(mat *C, const mat *g, const mat *A)
{
    sym *s = state(C);
    ratio c;
    if (poly_of(g)->n == 0) { set_poly(C, &(poly){ 0 }); return; }
    if (is_constant_ones(g, &c)) { set_multiple(C, c, A); return; }
    description d = { .kind = DIAGONAL, .rows = g->rows, .cols = g->rows,
                      .param = { argument(s, poly_of(g)) } };
    set_scaled(C, atom_token(s, &d, SYMMETRIC | (is_drawn(g) ? INVERTIBLE : 0)), A);
}

/* phi(X) = e(X) + X/2 with e(-X) = e(X), so e is known by X up to sign */
static void set_half_odd(mat *C, const mat *A, place at)
{
    sym *s = state(C);
    const poly *a = poly_of(A);
    poly positive = { 0 }, p = { 0 };
    bool flip = a->n && a->terms[0].c.num < 0;
    bool fits = add_copy(s, &positive, flip ? minus_one : one, a);   /* stays in normal form */
    description d = { .kind = EVEN_PART, .rows = C->rows, .cols = C->cols,
                      .param = { at.layer, at.sublayer, at.head, fits ? argument(s, &positive) : -1 } };
    token e = atom_token(s, &d, 0);
    fits = fits && push(s, &p, 0, e) && poly_end(&p, 0, one, true) && add_copy(s, &p, (ratio){ 1, 2 }, a);
    set_result(C, &p, fits);
    poly_free(&positive);
}

static truth sym_phi(mat *C, const mat *A, activation kind, place at)
{
    if (kind == ACT_IDENTITY)
        set_multiple(C, one, A);
    else if (kind == ACT_HALF_ODD) {
        state(C)->half_odd = true;
        set_half_odd(C, A, at);
    } else
        set_atom(C, &(description){ .kind = PHI, .rows = C->rows, .cols = C->cols,
                 .param = { kind, at.layer, at.sublayer, at.head, argument(state(A), poly_of(A)) } }, 0);
    return HOLDS;
}

/* Number of visible entries of a row; *all is cleared when one is hidden. */
static long count_visible(const unsigned char *row, long cols, bool *all)
{
    long n = 0;
    for (long j = 0; j < cols; j++) n += row[j] != 0;
    if (n < cols) *all = false;
    return n;
}

/* Scores without the terms w 1': they add a constant to each row.  Stays in normal form. */
static void without_row_constants(sym *s, poly *p, const poly *a)
{
    for (size_t k = 0; k < a->n; k++) {
        const term *t = &a->terms[k];
        const token *w = word(a, t);
        bool constant = t->len && atom_of(s, w[t->len - 1])->kind == ONES && (w[t->len - 1] & TRANSPOSED);
        if (constant) {
            s->shift_invariant = true;
            continue;
        }
        size_t at = p->used;
        poly_end(p, at, t->c, push_word(s, p, at, w, t->len));       /* no longer than a, so it fits */
    }
}

static int64_t gcd(int64_t a, int64_t b)
{
    while (b) {
        int64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

static truth sym_rowmap(mat *C, const mat *A, const rowmap *how, place at)
{
    sym *s = state(C);
    bool all = true, some = true;                          /* all entries visible; some in each row */
    size_t n = (size_t)(C->rows * C->cols);
    for (long i = 0; how->visible && i < C->rows; i++)
        if (count_visible(how->visible + i * C->cols, C->cols, &all) == 0) some = false;
    if (how->kind == ROWMAP_LINEAR && all && how->scale_num == how->scale_den) {
        set_multiple(C, one, A);
        return HOLDS;
    }
    unsigned char *mask = must_calloc(n, 1);
    for (size_t k = 0; !all && k < n; k++) mask[k] = how->visible[k] != 0;
    poly scores = { 0 };
    if (how->kind == ROWMAP_SHIFT || how->kind == ROWMAP_STOCHASTIC)
        without_row_constants(s, &scores, poly_of(A));
    else
        add_copy(s, &scores, one, poly_of(A));
    int64_t common = gcd(how->scale_num, how->scale_den);
    description d = { .kind = ROWMAP, .rows = C->rows, .cols = C->cols,
                      .param = { how->kind, how->scale_num / common, how->scale_den / common,
                                 at.layer, at.sublayer, at.head, argument(s, &scores) },
                      .tail = mask, .n_tail = all ? 0 : n };
    set_atom(C, &d, how->kind == ROWMAP_STOCHASTIC && some ? STOCHASTIC : 0);
    poly_free(&scores);
    free(mask);
    return HOLDS;
}

/* rho_i(|x_i|^2) x_i for every row x_i: diag(rho(X X')) X, where rho sees the diagonal of X X' */
static void set_radial(mat *C, const mat *A, long log2eps, place at)
{
    sym *s = state(C);
    poly turned = { 0 }, gram = { 0 };
    bool fits = add_transpose(s, &turned, poly_of(A)) && normalise(s, &turned)
             && add_product(s, &gram, poly_of(A), &turned, A->rows, A->cols, A->rows) && normalise(s, &gram);
    if (fits) {
        description d = { .kind = RADIAL, .rows = C->rows, .cols = C->rows,
                          .param = { log2eps, at.layer, at.sublayer, at.head, argument(s, &gram) } };
        set_scaled(C, atom_token(s, &d, SYMMETRIC), A);
    } else {
        set_unknown(C);
    }
    poly_free(&turned);
    poly_free(&gram);
}

static truth sym_norm(mat *C, const mat *A, norm_kind kind, long log2eps, place at)
{
    if (kind == NORM_NONE)
        set_multiple(C, one, A);
    else if (kind == NORM_RADIAL)
        set_radial(C, A, log2eps, at);
    else
        set_atom(C, &(description){ .kind = NORM, .rows = C->rows, .cols = C->cols,
                 .param = { kind, log2eps, at.layer, at.sublayer, at.head,
                            argument(state(A), poly_of(A)) } }, 0);
    return HOLDS;
}

static truth sym_rotate(mat *C, const mat *A)
{
    set_atom(C, &(description){ .kind = ROTATE, .rows = C->rows, .cols = C->cols,
                                .param = { argument(state(A), poly_of(A)) } }, 0);
    return HOLDS;
}

/* ---- the answer ---- */

static bool poly_equal(const poly *a, const poly *b)
{
    if (a->n != b->n) return false;
    for (size_t k = 0; k < a->n; k++) {
        const term *t = &a->terms[k], *u = &b->terms[k];
        if (t->c.num != u->c.num || t->c.den != u->c.den) return false;
        if (compare_words(word(a, t), t->len, word(b, u), u->len) != 0) return false;
    }
    return true;
}

static comparison sym_compare(const mat *A, const mat *B, double log2bound)
{
    (void)log2bound;
    if (poly_equal(poly_of(A), poly_of(B))) return (comparison){ HOLDS, -INFINITY, -INFINITY };
    return (comparison){ UNDECIDED, INFINITY, -INFINITY };
}

/* ---- the hypotheses that were used ---- */

/* The name that atom `number` was drawn under, which is in its key behind the head; of diag(g) the name of g. */
static const char *drawn_name(const sym *s, size_t number, bool *diagonal)
{
    const unsigned char *key = s->atom_keys.entries[number].bytes;
    int64_t head[3 + PARAMS];
    token w;
    *diagonal = s->atoms[number].kind == DIAGONAL;
    if (*diagonal) {                                       /* its argument is one term of one token, g */
        memcpy(head, key, sizeof head);
        memcpy(&w, s->arguments.entries[head[3]].bytes + 3 * sizeof(int64_t), sizeof w);
        key = s->atom_keys.entries[w >> 2].bytes;
    }
    return (const char *)key + sizeof head;                /* entries end in a 0 */
}

/* "invertible W_Q" of W_Q.0: places and layers have no part in a hypothesis. */
static char *fact_text(const sym *s, size_t number, const char *word)
{
    static const char prefix[] = "orthogonal:";
    bool diagonal;
    const char *name = drawn_name(s, number, &diagonal);
    if (strncmp(name, prefix, sizeof prefix - 1) == 0) name += sizeof prefix - 1;
    size_t n = 0;
    while (name[n] && !(name[n] == '.' && '0' <= name[n + 1] && name[n + 1] <= '9')) n++;
    return diagonal ? must_format("%s diag(%.*s)", word, (int)n, name) : must_format("%s %.*s", word, (int)n, name);
}

static int compare_texts(const void *x, const void *y) { return strcmp(*(char *const *)x, *(char *const *)y); }

const char *arith_sym_uses(const arith *R)
{
    sym *s = R->state;
    char **fact = must_calloc(2 * s->atom_keys.n + 3, sizeof *fact);
    size_t n = 0, length = 1;
    bool stochastic = false;
    for (size_t k = 0; k < s->atom_keys.n; k++) {
        if (s->atoms[k].used & INVERTIBLE) fact[n++] = fact_text(s, k, "invertible");
        if (s->atoms[k].used & ORTHOGONAL) fact[n++] = fact_text(s, k, "orthogonal");
        stochastic |= s->atoms[k].used & STOCHASTIC;
    }
    if (s->half_odd)        fact[n++] = must_strdup("half-odd activation");
    if (s->shift_invariant) fact[n++] = must_strdup("shift-invariant row map");
    if (stochastic)         fact[n++] = must_strdup("rows sum to 1");
    qsort(fact, n, sizeof *fact, compare_texts);
    for (size_t k = 0; k < n; k++) length += strlen(fact[k]) + 2;
    free(s->uses);
    s->uses = must_calloc(length, 1);
    for (size_t k = 0, used = 0; k < n; k++) {
        if (k && strcmp(fact[k], fact[k - 1]) == 0) continue;
        used += (size_t)snprintf(s->uses + used, length - used, "%s%s", k ? "; " : "", fact[k]);
    }
    for (size_t k = 0; k < n; k++) free(fact[k]);
    free(fact);
    return s->uses;
}

static void sym_close(arith *R)
{
    sym *s = R->state;
    if (!s) return;
    free(s->uses);
    registry_free(&s->atom_keys);
    registry_free(&s->arguments);
    free(s->atoms);
    free(s);
}

arith arith_sym(void)
{
    return (arith){
        .name = "sym", .traits = SYMBOLIC | OPAQUE, .state = must_calloc(1, sizeof(sym)), .close = sym_close,
        .init = sym_init, .clear = sym_clear, .draw = sym_draw, .set_dyadic = sym_set_dyadic,
        .get_exact = sym_get_exact, .get_d = sym_get_d, .copy = sym_copy, .add = sym_add, .sub = sym_sub,
        .mul = sym_mul, .hadamard = sym_hadamard, .scale_rows = sym_scale_rows, .transpose = sym_transpose,
        .inv = sym_inv, .phi = sym_phi, .rowmap = sym_rowmap, .norm = sym_norm, .rotate = sym_rotate,
        .compare = sym_compare, .log2max = sym_log2max,
    };
}
