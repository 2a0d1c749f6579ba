/* certificate_sym.c - a symbolic certificate from a recorded body: see certificate.h, arith_term.c.
 *
 * The body is recorded several times, each time with one size changed.  The steps must stay the same; what a
 * step's sizes are is then known by how they change, and two sizes are one when they are equal every time.
 * A size gets the name of the parameter it is (n, d, d_k, m, V), its number where it never changes, or s1, s2 ...
 *
 * Columns o .. o+l-1 of the t x t identity become blocks: each size t is cut where some range begins or ends,
 * t = k_0 + k_1 + .., finely enough that a range of a range is made of whole blocks, too, and
 * E(t,o,l) = sum_j E(t,j) E(l,j-j0)' over the blocks j of t in the range; E(t,j) alone if it is one.
 * A recorded inverse becomes the inverse of a named matrix, or the term that is inverse by (AB)^-1 = B^-1 A^-1
 * or block by block, with an equation that says so.                                                       */
#include <gmp.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/record/arith_term.h"
#include "src/claim/certificate.h"
#include "src/claim/certificate_node.h"
#include "src/claim/runner.h"

enum { RUNS = 6 };                                   /* as they are; n, d_k, m, V, d changed */
typedef struct { long v[RUNS]; } tuple;              /* a number in every run */

typedef struct {
    tuple  is;
    char   name[24];
    tuple *cut;                                      /* 0 < cut < is, ascending */
    long   cuts;
} size;

typedef struct { long left, right; const char *what; } line_equal;

typedef struct {
    certifier *c;
    arith      R[RUNS];
    term_list  steps[RUNS];
    equation  *equations[RUNS];
    long       nequations[RUNS];
    size      *sizes;
    long       nsizes, unnamed;
    cert_nodes nodes;
    long      *node_of;                              /* of each step, or -1 */
    line_equal *lines;                               /* the equations of the certificate */
    long       nlines;
    long       decided;                              /* facts that the body decided besides */
    const char *failed;
} work;

void certifier_equation(certifier *c, const char *what, const mat *A, const mat *B)
{
    c->equations = must_realloc(c->equations, (size_t)c->nequations + 1, sizeof *c->equations);
    c->equations[c->nequations++] = (equation){ what, term_of(A), term_of(B) };
}

/* ---- tuples and sizes ---- */

static const char depends_on_sizes[] = "the number of steps depends on the sizes";
static const char order_of_ranges[] = "ranges of columns whose order depends on the sizes";

static tuple plus(tuple a, tuple b, long sign)
{
    for (int r = 0; r < RUNS; r++) a.v[r] += sign * b.v[r];
    return a;
}
static bool same(tuple a, tuple b) { return memcmp(&a, &b, sizeof a) == 0; }

static long size_of(work *w, tuple is)               /* its number */
{
    for (long k = 0; k < w->nsizes; k++) if (same(w->sizes[k].is, is)) return k;
    w->sizes = must_realloc(w->sizes, (size_t)w->nsizes + 1, sizeof *w->sizes);
    w->sizes[w->nsizes] = (size){ .is = is };
    return w->nsizes++;
}

static bool cut_at(work *w, long k, tuple at)        /* true: that is new */
{
    size *s = &w->sizes[k];
    if (at.v[0] <= 0 || at.v[0] >= s->is.v[0]) return false;
    long i = 0;
    while (i < s->cuts && s->cut[i].v[0] < at.v[0]) i++;
    if (i < s->cuts && same(s->cut[i], at)) return false;
    for (int r = 0; r < RUNS; r++) {
        const long below = i ? s->cut[i - 1].v[r] : 0, beyond = i < s->cuts ? s->cut[i].v[r] : s->is.v[r];
        if (at.v[r] <= below || at.v[r] >= beyond) w->failed = order_of_ranges;
    }
    if (w->failed) return false;
    s->cut = must_realloc(s->cut, (size_t)s->cuts + 1, sizeof *s->cut);
    memmove(s->cut + i + 1, s->cut + i, (size_t)(s->cuts - i) * sizeof *s->cut);
    s->cut[i] = at;
    s->cuts++;
    return true;
}

static tuple end_of(const size *s, long p)           /* where part p ends; -1: 0 */
{
    static const tuple zero;
    return p < 0 ? zero : p < s->cuts ? s->cut[p] : s->is;
}

/* Columns `from` .. of size t that are a range of size l: cuts of the one are cuts of the other. */
static bool share_cuts(work *w, long t, tuple from, long l)
{
    const tuple to = plus(from, w->sizes[l].is, 1);
    bool changed = cut_at(w, t, from);
    changed |= cut_at(w, t, to);
    for (long i = 0; i < w->sizes[l].cuts; i++) changed |= cut_at(w, t, plus(from, w->sizes[l].cut[i], 1));
    for (long i = 0; i < w->sizes[t].cuts; i++) {
        const tuple inside = plus(w->sizes[t].cut[i], from, -1);
        if (inside.v[0] > 0 && inside.v[0] < w->sizes[l].is.v[0]) changed |= cut_at(w, l, inside);
    }
    return changed;
}

static tuple tuple_of(const work *w, long k, size_t field)           /* rows, cols or from of step k in every run */
{
    tuple t;
    for (int r = 0; r < RUNS; r++) t.v[r] = *(const long *)((const char *)&w->steps[r].at[k] + field);
    return t;
}
#define ROWS(w, k) tuple_of(w, k, offsetof(term_step, rows))
#define COLS(w, k) tuple_of(w, k, offsetof(term_step, cols))
#define FROM(w, k) tuple_of(w, k, offsetof(term_step, from))

static void cut_all(work *w)
{
    for (long k = 0; k < w->steps[0].n; k++) { size_of(w, ROWS(w, k)); size_of(w, COLS(w, k)); }
    for (bool changed = true; changed && !w->failed; ) {
        changed = false;
        for (long k = 0; k < w->steps[0].n; k++)
            if (w->steps[0].at[k].op == TERM_COLUMNS)
                changed |= share_cuts(w, size_of(w, ROWS(w, k)), FROM(w, k), size_of(w, COLS(w, k)));
        for (long k = 0; k < w->nsizes; k++)
            for (long p = 0; w->sizes[k].cuts && p <= w->sizes[k].cuts; p++) {
                const tuple from = end_of(&w->sizes[k], p - 1), to = end_of(&w->sizes[k], p);
                changed |= share_cuts(w, k, from, size_of(w, plus(to, from, -1)));
            }
    }
}

static void name_sizes(work *w, const shape sh[RUNS])
{
    for (long k = 0; k < w->nsizes; k++) {
        size *s = &w->sizes[k];
        tuple n, d, dk, m, V, constant;
        for (int r = 0; r < RUNS; r++) {
            n.v[r] = sh[r].n;
            d.v[r] = sh[r].d;
            dk.v[r] = sh[r].dk;
            m.v[r] = sh[r].m;
            V.v[r] = sh[r].V;
            constant.v[r] = s->is.v[0];
        }
        const char *known = same(s->is, n) ? "n" : same(s->is, d) ? "d" : same(s->is, dk) ? "d_k" : same(s->is, m) ? "m"
                          : same(s->is, V) ? "V" : NULL;
        if (known) snprintf(s->name, sizeof s->name, "%s", known);
        else if (!same(s->is, constant)) snprintf(s->name, sizeof s->name, "s%ld", ++w->unnamed);
        else snprintf(s->name, sizeof s->name, s->cuts ? "size_%ld" : "%ld", s->is.v[0]);
    }
}

static const char *name_of(work *w, tuple is) { return w->sizes[size_of(w, is)].name; }

/* ---- nodes ---- */

static long node(work *w, char *text) { return node_add(&w->nodes, text, 0, NULL); }
static long transpose(work *w, long a) { return node_add(&w->nodes, must_strdup("transpose #"), 1, &a); }
static long product(work *w, long a, long b)
{
    return node_add(&w->nodes, must_strdup("product # #"), 2, (const long[]){ a, b });
}
static long emit(work *w, long k);

/* A sum with coefficients 1, operand by operand */
typedef struct { char *text; long operand[MOST_OPERANDS], n; } sum_of_nodes;

static void sum_begin(sum_of_nodes *s) { *s = (sum_of_nodes){ .text = must_strdup("sum") }; }
static void sum_more(work *w, sum_of_nodes *s, long k)
{
    if (s->n == MOST_OPERANDS) { w->failed = "a sum of too many blocks"; return; }
    char *longer = must_format("%s 1 #", s->text);
    free(s->text);
    s->text = longer;
    s->operand[s->n++] = k;
}
static long sum_end(work *w, sum_of_nodes *s) { return node_add(&w->nodes, s->text, s->n, s->operand); }

static long one_block(work *w, const size *t, long p)
{
    const long k = node(w, must_format("block %s %ld", t->name, p));
    w->nodes.at[k].block_of = t->name;
    return k;
}

static long columns(work *w, tuple wide, tuple from, tuple cols)     /* E(t,from,l) */
{
    const size *t = &w->sizes[size_of(w, wide)], *l = &w->sizes[size_of(w, cols)];
    long first = 0, last;
    sum_of_nodes all;
    while (!same(end_of(t, first - 1), from)) first++;
    for (last = first; !same(end_of(t, last), plus(from, cols, 1)); last++) {}
    if (first == last) return one_block(w, t, first);
    sum_begin(&all);
    for (long p = first; p <= last; p++) {
        const long back = transpose(w, one_block(w, l, p - first));
        sum_more(w, &all, product(w, one_block(w, t, p), back));
    }
    return sum_end(w, &all);
}

static char *scalar(int64_t c, int64_t below, long e)        /* (c / below) 2^e, below != 0 */
{
    mpq_t x;
    mpq_init(x);
    mpz_set_si(mpq_numref(x), below > 0 ? c : -c);
    mpz_set_si(mpq_denref(x), below > 0 ? below : -below);
    if (e > 0) mpz_mul_2exp(mpq_numref(x), mpq_numref(x), (mp_bitcnt_t)e);
    if (e < 0) mpz_mul_2exp(mpq_denref(x), mpq_denref(x), (mp_bitcnt_t)-e);
    mpq_canonicalize(x);
    char *gmp = mpq_get_str(NULL, 10, x), *text = must_strdup(gmp);
    void (*release)(void *, size_t);
    mp_get_memory_functions(NULL, NULL, &release);
    release(gmp, strlen(gmp) + 1);
    mpq_clear(x);
    return text;
}

/* ---- inverses ---- */

static const char orthogonal[] = "orthogonal:";
static bool is_orthogonal(const char *name) { return strncmp(name, orthogonal, sizeof orthogonal - 1) == 0; }

static bool is_square(const work *w, long k) { return same(ROWS(w, k), COLS(w, k)); }

static long inverse(work *w, long k);

/* E(t,o,l) X E(t,o,l)' with square X: its range, and the inverse of X between the same columns; -1: it is not */
static long inverse_block(work *w, long k, long *from, long *to)
{
    const term_step *at = w->steps[0].at, *s = &at[k];
    if (s->op != TERM_PRODUCT || at[s->b].op != TERM_TRANSPOSE || at[at[s->b].a].op != TERM_COLUMNS) return -1;
    const term_step *left = &at[s->a], *right = &at[at[s->b].a];
    const term_step *E = left->op == TERM_PRODUCT ? &at[left->a] : left;
    if (E->op != TERM_COLUMNS || E->from != right->from || E->cols != right->cols || E->rows != right->rows) return -1;
    const long E_node = emit(w, E - at);
    const long X = left->op == TERM_PRODUCT ? inverse(w, left->b) : -1;
    *from = E->from;
    *to = E->from + E->cols;
    return product(w, X < 0 ? E_node : product(w, E_node, X), transpose(w, E_node));
}

/* sum_a E_a X_a E_a', where the E_a are all columns one after another; the terms come last first */
static long inverse_of_blocks(work *w, long k)
{
    const term_step *at = w->steps[0].at;
    sum_of_nodes all;
    long end = at[k].rows, from = 0, to = 0;
    sum_begin(&all);
    for (long rest = k; rest >= 0 && !w->failed; ) {
        const term_step *s = &at[rest];
        const bool more = s->op == TERM_SUM && s->b >= 0 && s->ca == 1 && s->cb == 1 && !s->e;
        const long N = inverse_block(w, more ? at[rest].b : rest, &from, &to);
        if (N < 0 || to != end) { w->failed = "an inverse that is neither of a product nor of diagonal blocks"; break; }
        sum_more(w, &all, N);
        end = from;
        rest = more ? at[rest].a : -1;
    }
    if (!w->failed && end != 0) w->failed = "an inverse of diagonal blocks that are not all there";
    return sum_end(w, &all);
}

/* (c 2^e A)^-1 = (1/c) 2^-e A^-1 */
static long inverse_of_multiple(work *w, const term_step *s)
{
    const long a = inverse(w, s->a);
    char *c = scalar(1, s->ca, -s->e);
    char *text = must_format("sum %s #", c);
    free(c);
    return node_add(&w->nodes, text, 1, &a);
}

static long inverse(work *w, long k)
{
    const term_step *s = &w->steps[0].at[k];
    switch (s->op) {
    case TERM_IDENTITY:  return emit(w, k);
    case TERM_INVERSE:   return emit(w, s->a);
    case TERM_TRANSPOSE: return transpose(w, inverse(w, s->a));
    case TERM_MATRIX: {
        const char *name = term_name(&w->R[0], TERM_MATRIX, s->name), *d = name_of(w, ROWS(w, k));
        const long A = emit(w, k);
        if (is_orthogonal(name)) return transpose(w, A);
        return node_add(&w->nodes, must_format("matrix %s_inv %s %s inverse %s", name, d, d, name), 1, &A);
    }
    case TERM_SUM:
        if (s->b < 0 && s->ca != 0) return inverse_of_multiple(w, s);
        break;
    case TERM_PRODUCT:
        if (is_square(w, s->a) && is_square(w, s->b)) {
            const long b = inverse(w, s->b), a = inverse(w, s->a);
            return product(w, b, a);
        }
        break;
    default: break;
    }
    return inverse_of_blocks(w, k);
}

static void state_equation(work *w, long left, long right, const char *what)
{
    w->lines = must_realloc(w->lines, (size_t)w->nlines + 1, sizeof *w->lines);
    w->lines[w->nlines++] = (line_equal){ left, right, what };
    node_need(&w->nodes, left);
    node_need(&w->nodes, right);
}

static long emit_inverse(work *w, long k)            /* of step k; stated as an equation where it is no atom */
{
    const long N = inverse(w, k), A = emit(w, k);
    if (w->steps[0].at[k].op == TERM_MATRIX || w->failed) return N;
    state_equation(w, product(w, A, N), node(w, must_format("identity %s", name_of(w, ROWS(w, k)))), "an inverse used");
    return N;
}

/* ---- steps ---- */

static long emit_value(work *w, long k)
{
    const term_step *s = &w->steps[0].at[k];
    const char *f = term_name(&w->R[0], TERM_VALUE, s->name), *r = name_of(w, ROWS(w, k)), *c = name_of(w, COLS(w, k));
    long operand[2] = { emit(w, s->a) };
    if (s->b >= 0) operand[1] = emit(w, s->b);
    const long N = node_add(&w->nodes, must_format("value %s %s %s #%s", f, r, c, s->b < 0 ? "" : " #"),
                            s->b < 0 ? 1 : 2, operand);
    w->nodes.at[N].function = f;
    w->nodes.at[N].facts = term_facts(&w->R[0], s->name);
    return N;
}

static long emit_sum(work *w, const term_step *s)
{
    long operand[2] = { emit(w, s->a) };
    if (s->b >= 0) operand[1] = emit(w, s->b);
    char *ca = scalar(s->ca, 1, s->e), *cb = scalar(s->cb, 1, s->e);
    char *text = s->b < 0 ? must_format("sum %s #", ca) : must_format("sum %s # %s #", ca, cb);
    free(ca);
    free(cb);
    return node_add(&w->nodes, text, s->b < 0 ? 1 : 2, operand);
}

static long emit_new(work *w, long k)
{
    const term_step *s = &w->steps[0].at[k];
    const char *r = name_of(w, ROWS(w, k)), *c = name_of(w, COLS(w, k));
    switch (s->op) {
    case TERM_IDENTITY:  return node(w, must_format("identity %s", r));
    case TERM_ONES:      return node(w, must_format("ones %s", r));
    case TERM_COLUMNS:   return columns(w, ROWS(w, k), FROM(w, k), COLS(w, k));
    case TERM_TRANSPOSE: return transpose(w, emit(w, s->a));
    case TERM_INVERSE:   return emit_inverse(w, s->a);
    case TERM_VALUE:     return emit_value(w, k);
    case TERM_SUM:       return emit_sum(w, s);
    case TERM_PRODUCT: {
        const long a = emit(w, s->a), b = emit(w, s->b);
        return product(w, a, b);
    }
    case TERM_MATRIX: {
        const char *name = term_name(&w->R[0], TERM_MATRIX, s->name);
        return node(w, must_format("matrix %s %s %s%s", name, r, c, is_orthogonal(name) ? " orthogonal" : ""));
    }
    }
    REQUIRE(false, "step of kind %d", (int)s->op);
    return -1;
}

static long emit(work *w, long k)
{
    if (w->node_of[k] < 0) w->node_of[k] = emit_new(w, k);
    return w->node_of[k];
}

/* ---- the whole ---- */

/* How many terms the checker must write out, about: it multiplies sums out, and knows no abbreviations. */
static double terms_of(const work *w, double *each)
{
    double all = 0;
    for (long k = 0; k < w->steps[0].n; k++) {
        const term_step *s = &w->steps[0].at[k];
        each[k] = s->op == TERM_PRODUCT ? each[s->a] * each[s->b]
                : s->op == TERM_SUM ? each[s->a] + (s->b < 0 ? 0 : each[s->b])
                : s->op == TERM_TRANSPOSE || s->op == TERM_INVERSE ? each[s->a] : 1;
        all += each[k];
    }
    return all;
}

static void record(work *w, int run, const part *P, const shape *sh)
{
    w->R[run] = arith_term();
    trial t = { .s = scope_open(&w->R[run], 1, 0), .sh = *sh, .seed = 1, .certifier = w->c,
                .induction = P->induction };
    P->run(&t);
    w->equations[run] = w->c->equations;
    w->nequations[run] = w->c->nequations;
    w->c->equations = NULL;
    w->c->nequations = 0;
    if (!run) {
        w->decided = w->c->decided;
        w->c->heads = sh->h;
        w->c->depth = !t.stacks ? 0 : t.inductions < t.stacks ? sh->L : -1;
    }
    w->c->decided = 0;
    w->steps[run] = term_steps(&w->R[run]);
    if (t.s.status != HOLDS) w->failed = "a step that cannot be recorded";
    if (w->steps[run].failed) w->failed = w->steps[run].failed;
    scope_close(&t.s);
    free(t.checks);
}

static bool alike(const work *w)                     /* the same steps and equations in every run */
{
    for (int r = 1; r < RUNS; r++) {
        if (w->steps[r].n != w->steps[0].n || w->nequations[r] != w->nequations[0]) return false;
        for (long k = 0; k < w->steps[0].n; k++) {
            const term_step *s = &w->steps[0].at[k], *t = &w->steps[r].at[k];
            if (s->op != t->op || s->a != t->a || s->b != t->b || s->name != t->name || s->ca != t->ca || s->cb != t->cb
                || s->e != t->e) return false;
        }
        for (long k = 0; k < w->nequations[0]; k++) {
            const equation *e = &w->equations[0][k], *f = &w->equations[r][k];
            if (e->left != f->left || e->right != f->right) return false;
        }
    }
    return true;
}

/* The sizes of each run: those of sym, with one of them larger by one (by two where d_k must be even). */
static void vary(shape sh[RUNS])
{
    const bool square = sh[0].d == sh[0].h * sh[0].dk;
    for (int r = 1; r < RUNS; r++) sh[r] = sh[0];
    sh[1].n += 1;
    sh[2].dk += sh[0].rope ? 2 : 1;
    if (sh[0].d >= sh[0].h * sh[0].dk) sh[2].d += sh[0].h * (sh[2].dk - sh[0].dk);       /* d - h d_k stays */
    if (sh[0].scale_den == sh[0].dk) sh[2].scale_den = sh[2].dk;
    sh[3].m += 1;
    sh[4].V += 1;
    if (!square) sh[5].d += 1;
}

static void write_all(work *w, draft *d)
{
    for (long k = 0; k < w->nsizes; k++) {
        const size *s = &w->sizes[k];
        if (!nodes_have_block(&w->nodes, s->name)) continue;
        fprintf(d->f, "size %s", s->name);
        for (long p = 0; p <= s->cuts; p++) fprintf(d->f, " %s", name_of(w, plus(end_of(s, p), end_of(s, p - 1), -1)));
        fputc('\n', d->f);
    }
    nodes_number(&w->nodes);
    nodes_print(&w->nodes, d->f);
    for (long k = 0; k < w->nlines; k++) {
        const line_equal *e = &w->lines[k];
        fprintf(d->f, "equal %ld %ld %s\n", w->nodes.at[e->left].number, w->nodes.at[e->right].number, e->what);
    }
}

const char certify_same_steps[] = "both sides of every equation are the same steps";

enum { MOST_TERMS = 1000000000 };

/* An equation of the body; a side that is the zero matrix is 0 times the other.  False: both are the same steps. */
static bool emit_equation(work *w, const equation *e)
{
    if (e->left < 0 && e->right < 0) return false;
    long left = e->left < 0 ? -1 : emit(w, e->left), right = e->right < 0 ? -1 : emit(w, e->right);
    if (left < 0)  left = node_add(&w->nodes, must_strdup("sum 0 #"), 1, &right);
    if (right < 0) right = node_add(&w->nodes, must_strdup("sum 0 #"), 1, &left);
    if (left == right) return false;
    state_equation(w, left, right, e->what);
    return true;
}

static void export(work *w)
{
    double *each = must_calloc((size_t)w->steps[0].n + 1, sizeof *each);
    if (terms_of(w, each) > MOST_TERMS) w->failed = "too many terms when products are multiplied out";
    free(each);
    w->node_of = must_calloc((size_t)w->steps[0].n + 1, sizeof *w->node_of);
    for (long k = 0; k < w->steps[0].n; k++) w->node_of[k] = -1;
    long stated = 0;
    for (long k = 0; k < w->nequations[0] && !w->failed; k++) stated += emit_equation(w, &w->equations[0][k]);
    if (!stated && !w->failed) w->failed = certify_same_steps;
    if (w->failed) return;
    draft d;
    w->c->decided = w->decided;
    draft_open(&d, w->c, "sym");
    write_all(w, &d);
    draft_close(&d, w->c, NULL);
}

static const char *certify_at(certifier *c, const part *P, shape sh)
{
    work w = { .c = c };
    shape all[RUNS] = { sh };
    vary(all);
    for (int r = 0; r < RUNS; r++) record(&w, r, P, &all[r]);
    if (!w.failed && !alike(&w)) w.failed = depends_on_sizes;
    if (!w.failed) cut_all(&w);
    if (!w.failed) {
        name_sizes(&w, all);
        export(&w);
    }
    for (int r = 0; r < RUNS; r++) {
        free(w.equations[r]);
        arith_close(&w.R[r]);
    }
    for (long k = 0; k < w.nsizes; k++) free(w.sizes[k].cut);
    nodes_free(&w.nodes);
    free(w.sizes);
    free(w.lines);
    free(w.node_of);
    return w.failed;
}

/* Half of a head may be one column, which is recorded in another way than several, and narrow ranges may lie in another
 * order than wide ones: then heads wider by two. */
const char *certify_symbolic(certifier *c, const claim *C, const part *P, shape sh)
{
    (void)C;
    if (!runner_adapt_shape(A_SYM, &sh)) return "no such shape over sym";
    const char *failed = certify_at(c, P, sh);
    if (failed != depends_on_sizes && failed != order_of_ranges) return failed;
    if (sh.d >= sh.h * sh.dk) sh.d += 2 * sh.h;
    if (sh.scale_den == sh.dk) sh.scale_den += 2;
    sh.dk += 2;
    return certify_at(c, P, sh);
}
