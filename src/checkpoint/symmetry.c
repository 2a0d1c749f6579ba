/* SPDX-License-Identifier: GPL-3.0-or-later
 * symmetry.c - see symmetry.h: in each part the factors first, then every number of B against its image. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/experts.h"
#include "src/checkpoint/forward.h"
#include "src/checkpoint/lost.h"
#include "src/checkpoint/symmetry.h"
#include "src/checkpoint/symmetry_parts.h"

typedef struct {
    symmetry_pair  pair;
    symmetry_found found;
    double ratio;                        /* of the factors of the scores, A's / B's                     */
    bool   centres;                      /* all that reads the stream subtracts its mean                */
    bool   sums;                         /* the mean of what attention and MLP add is subtracted        */
    bool   entry;                        /* and that of what is added up in front of the first layer    */
} search;

static bool no_image(search *q, tensor_role role, long layer)
{
    q->found.role = role;
    q->found.layer = layer;
    return false;
}

static bool have(const search *q, tensor_role role, long layer)          /* one of the two */
{
    return tensor_of_part(q->pair.A, role, layer) || tensor_of_part(q->pair.B, role, layer);
}

/* What became of a part, before it counts: another way to write it may be tried. */
typedef struct { bool holds, exact; double units, allowed; long moved; } image_answer;     /* moved: lines */

static bool accept(search *q, const image_answer *x, tensor_role role, long layer)
{
    if (!x->holds) return no_image(q, role, layer);
    q->found.exact = q->found.exact && x->exact;
    if (x->units / x->allowed <= q->found.units / q->found.allowed) return true;
    q->found.units = x->units;
    q->found.allowed = x->allowed;
    return true;
}

static void add_line(image_answer *x, const line_answer *line)
{
    x->holds = x->holds && line->holds;
    x->moved += line->v != 0;
    x->exact = x->exact && line->v == 0;
    if (line->units / line->allowed <= x->units / x->allowed) return;
    x->units = line->units;
    x->allowed = line->allowed;
}

/* ---- every number of a part -------------------------------------------------------------------------------------- */

/* Factors of rows and columns; NULL: 1.  inverse: divide. */
typedef struct {
    const factor *row, *col;
    bool inverse_row, inverse_col;
    bool of_gains;                       /* the columns' factors are a gain's, which is stored rounded  */
    bool constant;                       /* each row may have a constant                                */
    /* B's, of a reader: each column may have a constant / gain; NULL: it may not */
    const double *gain;
} scaling;

/* Roundings that an entry may be off: B's own, that of each factor which is not a power of two (a gain as it is stored
 * is rounded; so is what was scaled before), and of the products here. */
static double allowed_units(const rounding *by, factor row, factor col, bool fitted)
{
    const int rounded = !is_power_of_two(row) + !is_power_of_two(col);
    const int stored = fitted ? rounded == 2 ? 2 : !is_power_of_two(row) : rounded;
    return ROUNDING_UNITS * (1 + stored) + rounded * (double)LDBL_EPSILON / by->unit;
}

static factor scaled(factor a, factor by, bool inverse) { return inverse ? a / by : a * by; }

/* Entry k of a line: whether b is the image of a exactly (a power of two may have lost bits). */
static bool put_entry(line_pair *l, long k, const beside *m, const scaling *f, double a, double b, long r, long c)
{
    const factor row = f->row ? f->row[r] : 1, col = f->col ? f->col[c] : 1;
    const factor image = scaled(scaled(a, row, f->inverse_row), col, f->inverse_col);
    const factor back = scaled(scaled(b, row, !f->inverse_row), col, !f->inverse_col);
    const bool powers = is_power_of_two(row) && is_power_of_two(col);
    l->by[k] = b - image;
    l->image[k] = image;
    l->size[k] = fabs(b);
    l->apart[k] = m->by.least;
    l->allowed[k] = allowed_units(&m->by, row, col, !f->of_gains);
    l->slope[k] = f->gain ? scaled(1, col, f->inverse_col) / f->gain[r] : 1;
    l->before[k] = m->by.unit * (double)fabsl(image)
                 + (is_power_of_two(l->slope[k]) ? 0 : m->by.unit * (double)fabsl(b - image));
    return image == b && powers && back == a;
}

/* A part beside its image, line by line: columns, or rows. */
typedef struct { beside *m; const scaling *f; bool columns; long lines; line_pair l; factor *v; } image_lines;

static bool put_line(image_lines *of, long line)
{
    beside *m = of->m;
    bool exact = true;
    for (long k = 0; k < of->l.n; k++) {
        const long r = of->columns ? k : line, c = of->columns ? line : k;
        const bool is = put_entry(&of->l, k, m, of->f, weight_matrix_at(&m->a, r, c), weight_matrix_at(&m->b, r, c),
                                  r, c);
        exact = exact && is;
    }
    return exact;
}

/* What u |b| does not explain, without the constants.  The entries of a vector are measured as the columns behind them
 * are, whose factors they share. */
static void row_of_image(void *x, long line, double *size, double *lost)
{
    image_lines *of = x;
    const line_pair *l = &of->l;
    const factor v = of->v[line];
    put_line(of, line);
    const factor mean = v != 0 ? line_pair_mean(l) : 0;
    for (long k = 0; k < l->n; k++) {
        const factor c = of->lines == 1 && of->f->col ? scaled(1, of->f->col[k], !of->f->inverse_col) : 1;
        const double moved = v != 0 ? l->before[k] : 0, off = (double)fabsl(l->by[k] - v * l->slope[k]);
        const double rest = v != 0 ? (double)fabsl(l->image[k] - mean * l->slope[k]) : l->size[k];
        size[k] = fmax(rest, off) * (double)fabsl(c);
        lost[k] = lost_of(off, l->allowed[k], 1, of->m->by.unit * l->size[k] + moved) * (double)fabsl(c);
    }
}

/* Some entry is explained only by the least number of the type. */
static bool some_below(const line_pair *l)
{
    for (long k = 0; k < l->n; k++)
        if (fabsl(l->by[k]) > l->allowed[k] * l->u * l->size[k]) return true;
    return false;
}

/* each: its numbers are factors by themselves (gains).  moved: of each line, has it a constant?  NULL: do not say. */
static image_answer image_of_lines(beside *m, const scaling *f, bool each, bool *moved)
{
    const bool columns = m->b.turned || f->gain;
    const long lines = columns ? m->b.cols : m->b.rows, wide = columns ? m->b.rows : m->b.cols;
    image_answer x = { .holds = true, .exact = true, .allowed = ROUNDING_UNITS };
    image_lines of = { m, f, columns, lines, line_pair_new(wide, m->by.unit),
                       must_calloc((size_t)lines, sizeof *of.v) };
    bool below = false;
    for (long line = 0; line < lines && x.holds; line++) {
        const bool exact = put_line(&of, line);
        const line_answer answer = line_pair_answer(&of.l, f->constant || f->gain);
        x.exact = x.exact && exact;
        of.v[line] = answer.v;
        if (moved) moved[line] = answer.v != 0;
        below = below || (!exact && some_below(&of.l));
        add_line(&x, &answer);
    }
    x.holds = x.holds && !(below && numbers_lost(&(lost_numbers){ lines, wide, m->by.unit, each, row_of_image, &of }));
    line_pair_free(&of.l);
    free(of.v);
    return x;
}

static image_answer image_of(beside *m, const scaling *f) { return image_of_lines(m, f, false, NULL); }

/* Of a vector. */
static bool entry_is_image(beside *m, const scaling *f, long i)
{
    line_pair one = line_pair_new(1, m->by.unit);
    put_entry(&one, 0, m, f, weight_matrix_at(&m->a, 0, i), weight_matrix_at(&m->b, 0, i), 0, i);
    const bool holds = line_pair_answer(&one, false).holds;
    line_pair_free(&one);
    return holds;
}

/* A part that no factor of another one is read from; that neither has it is well. */
static bool is_image(search *q, tensor_role role, long layer, const scaling *f)
{
    beside m;
    if (!have(q, role, layer)) return true;
    if (!beside_open(&q->pair, role, layer, &m)) return no_image(q, role, layer);
    const image_answer x = image_of(&m, f);
    beside_free(&m);
    q->found.writers += f->constant && x.holds ? x.moved : 0;
    return accept(q, &x, role, layer);
}

/* Root mean square over the columns of what explains the sum of the terms of each, and of b; NULL: of no more. */
static double usual_sum(const rounding *by, const column_sums *s, const double *b)
{
    double squares = 0;
    long n = 0;
    for (long k = 0; k < s->n; k++) {
        const double more = b ? fabs(b[k]) : 0;
        const double explained = products_explain(by, s->size[k] + more, s->squares[k] + more * more);
        squares += explained * explained;
        n += explained > 0;
    }
    return n ? sqrt(squares / (double)n) : 0;
}

/* All sums together: their roundings are those of the model whose terms are the smaller ones, or what is large in the
 * other, which cancels, would excuse that what is left is lost. */
static bool sums_are_near(const rounding *by, double usual, const line_pair *l, const column_sums *image, factor v)
{
    double squares = 0;
    long n = 0;
    for (long k = 0; k < l->n; k++) {
        const double off = (double)fabsl(l->by[k] - v);
        squares += off * off;
        n += image->squares[k] > 0;
    }
    return n == 0 || sqrt(squares / (double)n) <= ROUNDING_UNITS * times_computed(by->unit) * (usual + by->least);
}

/* Sums of products and B's b; constant: but for one number.  usual: see sums_are_near. */
static image_answer sums_hold(const rounding *by, const column_sums *image, const double *b, double usual,
                              bool constant)
{
    const long n = image->n;
    image_answer x = { .holds = true, .exact = false, .allowed = ROUNDING_UNITS };
    line_pair l = line_pair_new(n, by->unit);
    for (long k = 0; k < n; k++) {
        l.by[k] = b[k] - image->is[k];
        l.image[k] = image->is[k];
        l.size[k] = fabs(b[k]);
        l.apart[k] = by->least + products_explain(by, image->size[k], image->squares[k]);
        l.allowed[k] = ROUNDING_UNITS;
        l.slope[k] = 1;
    }
    const line_answer answer = line_pair_answer(&l, constant);
    add_line(&x, &answer);
    x.holds = x.holds && sums_are_near(by, usual, &l, image, answer.v);
    double *size = must_calloc((size_t)(2 * n), sizeof *size), *lost = size + n;     /* beside the terms */
    const factor mean = answer.v != 0 ? line_pair_mean(&l) : 0;
    for (long k = 0; k < n; k++) {
        const double off = (double)fabsl(l.by[k] - answer.v);
        size[k] = fmax(off, answer.v != 0 ? (double)fabsl(l.image[k] - mean) : fmax(l.size[k], image->size[k]));
        lost[k] = lost_of(off, ROUNDING_UNITS, 1, by->unit * l.size[k] + l.apart[k] - by->least);
    }
    x.holds = x.holds && !numbers_lost_in(1, n, by->unit, size, lost);
    line_pair_free(&l);
    free(size);
    return x;
}

/* a, sums of A, become b and what B has beside it, less; a is changed. */
static image_answer differences_hold(const rounding *by, column_sums *a, const column_sums *less, const double *b,
                                     bool constant)
{
    const double of_a = usual_sum(by, a, NULL), of_b = usual_sum(by, less, b);
    for (long j = 0; j < a->n; j++) {
        a->is[j] -= less->is[j];
        a->size[j] += less->size[j];
        a->squares[j] += less->squares[j];
    }
    return sums_hold(by, a, b, fmin(of_a, of_b), constant);
}

/* ---- norms and what reads behind them ---------------------------------------------------------------------------- */

/* Gains, s = A's gain / B's, and biases of the norm; moved: 0 where B's bias is A's / s.  scaled: that is
 * everywhere. */
typedef struct { factor *s; double *a, *b, *bias_a, *bias_b, *moved_a, *moved_b; bool scaled; } norm_pair;

static bool gains_of(search *q, tensor_role gain, long layer, norm_pair *N)
{
    beside m;
    if (!have(q, gain, layer)) return true;
    if (!beside_open(&q->pair, gain, layer, &m)) return false;
    bool good = m.b.cols == q->pair.A->d;
    for (long i = 0; i < q->pair.A->d && good; i++) {
        const double a = N->a[i] = weight_matrix_at(&m.a, 0, i), b = N->b[i] = weight_matrix_at(&m.b, 0, i);
        if (a != b) N->s[i] = (factor)a / b, q->found.gains++;
        good = a != 0 && b != 0 && isfinite(N->s[i]) && N->s[i] != 0;
    }
    beside_free(&m);
    return good;
}

static bool norm_open(search *q, tensor_role gain, tensor_role bias, long layer, norm_pair *N)
{
    const long d = q->pair.A->d;
    double *x = must_calloc((size_t)(6 * d), sizeof *x);
    *N = (norm_pair){ must_calloc((size_t)d, sizeof *N->s), x, x + d, x + 2 * d, x + 3 * d, x + 4 * d, x + 5 * d,
                      true };
    for (long i = 0; i < d; i++) N->s[i] = N->a[i] = N->b[i] = 1;
    if (!gains_of(q, gain, layer, N)) return no_image(q, gain, layer);
    if (!have(q, bias, layer)) return true;
    beside m;
    if (!beside_open(&q->pair, bias, layer, &m)) return no_image(q, bias, layer);
    const scaling f = { .col = N->s, .inverse_col = true, .of_gains = true };
    bool moved = false;
    for (long i = 0; i < d; i++) {
        N->bias_a[i] = weight_matrix_at(&m.a, 0, i);
        N->bias_b[i] = weight_matrix_at(&m.b, 0, i);
        if (entry_is_image(&m, &f, i)) continue;
        N->moved_a[i] = N->bias_a[i];
        N->moved_b[i] = N->bias_b[i];
        moved = true;
    }
    const image_answer all = image_of(&m, &f);
    N->scaled = all.holds;
    beside_free(&m);
    if (!N->scaled && !moved) return no_image(q, bias, layer);           /* each is near, and together they are lost */
    if (!N->scaled) q->found.norm_biases++, q->found.exact = false;
    else accept(q, &all, bias, layer);
    return true;
}

static void norm_free(norm_pair *N)
{
    free(N->s);
    free(N->a);
}

/* Its columns x col; moved: which of them have a constant. */
static bool reader_is_image(search *q, beside *m, tensor_role role, long layer, const norm_pair *N, const factor *col,
                            bool inverse, bool *moved)
{
    const scaling f = { .row = N->s, .col = col, .inverse_col = inverse, .gain = q->centres ? N->b : NULL };
    const image_answer x = image_of_lines(m, &f, false, q->centres ? moved : NULL);
    q->found.readers += x.holds ? x.moved : 0;
    return accept(q, &x, role, layer);
}

static double *vector_of(weight_matrix *m)
{
    double *x = must_calloc((size_t)m->cols, sizeof *x);
    for (long c = 0; c < m->cols; c++) x[c] = weight_matrix_at(m, 0, c);
    return x;
}

/* Zeros where neither has it. */
static bool bias_open(search *q, tensor_role role, long layer, const beside *behind, beside *b)
{
    if (have(q, role, layer)) return beside_open(&q->pair, role, layer, b) || no_image(q, role, layer);
    *b = beside_zeros(behind);
    return true;
}

/* beta W + b, column by column: of a column that has a constant all of beta meets it, of others what of beta was moved
 * into the bias.  moved NULL: all have one. */
static column_sums sums_of(weight_matrix *W, const double *all, const double *some, const bool *moved, const double *b)
{
    column_sums s = column_sums_of(W, moved ? some : all, b);
    bool any = false;
    for (long j = 0; moved && j < s.n; j++) any = any || moved[j];
    if (!any) return s;
    column_sums of_all = column_sums_of(W, all, b);
    for (long j = 0; j < s.n; j++)
        if (moved[j]) s.is[j] = of_all.is[j], s.size[j] = of_all.size[j], s.squares[j] = of_all.squares[j];
    column_sums_free(&of_all);
    return s;
}

/* beta W + b is the same, times col, and for `constant` but for one number: b' = (beta W + b) c - beta' W'.  kept: b'
 * is b c and not asked about. */
static image_answer sums_behind_norm(beside *W, beside *b, const norm_pair *N, const factor *col, bool inverse,
                                     bool constant, const bool *moved, const bool *kept)
{
    const long n = W->b.cols;
    double *b_a = vector_of(&b->a), *b_b = vector_of(&b->b), *none = must_calloc((size_t)n, sizeof *none);
    column_sums in_a = sums_of(&W->a, N->bias_a, N->moved_a, moved, b_a);
    column_sums in_b = sums_of(&W->b, N->bias_b, N->moved_b, moved, none);
    for (long j = 0; j < n; j++) {
        const factor c = kept && kept[j] ? 0 : col ? scaled(1, col[j], inverse) : 1;
        in_a.is[j] *= c;
        in_a.size[j] *= (double)fabsl(c);
        in_a.squares[j] *= (double)(c * c);
        if (kept && kept[j]) in_b.is[j] = -b_b[j], in_b.size[j] = in_b.squares[j] = 0;
    }
    const image_answer x = differences_hold(&b->by, &in_a, &in_b, b_b, constant);
    free(b_a);
    free(b_b);
    free(none);
    column_sums_free(&in_a);
    column_sums_free(&in_b);
    return x;
}

static bool any_of(const bool *x, long n)
{
    for (long k = 0; k < n; k++) if (x[k]) return true;
    return false;
}

/* The bias of what W reads: as it was, or beta W is in it, of what was moved.  Where W's columns have constants, all of
 * beta meets them. */
static bool reader_bias_is_image(search *q, beside *W, tensor_role role, long layer, const norm_pair *N,
                                 const factor *col, bool inverse, const bool *moved)
{
    beside b;
    const scaling plain = { .col = col, .inverse_col = inverse };
    const long n = W->b.cols;
    if (N->scaled && !any_of(moved, n)) return is_image(q, role, layer, &plain);
    if (!bias_open(q, role, layer, W, &b)) return false;
    bool *kept = must_calloc((size_t)n, sizeof *kept), good = true;
    for (long j = 0; j < n && N->scaled && good; j++)
        if (!moved[j]) good = kept[j] = entry_is_image(&b, &plain, j);
    image_answer x = { .holds = false, .allowed = ROUNDING_UNITS };
    if (good) x = sums_behind_norm(W, &b, N, col, inverse, false, moved, kept);
    free(kept);
    beside_free(&b);
    return accept(q, &x, role, layer);
}

/* bias: ROLE_UNKNOWN: none that matters.  col: factors of its columns; NULL: 1. */
typedef struct { beside *m; tensor_role role, bias; const factor *col; bool inverse; } reader;

static bool reader_and_bias(search *q, const reader *of, long layer, const norm_pair *N)
{
    bool *moved = must_calloc((size_t)of->m->b.cols, sizeof *moved);
    const bool good = reader_is_image(q, of->m, of->role, layer, N, of->col, of->inverse, moved)
        && (of->bias == ROLE_UNKNOWN
            || reader_bias_is_image(q, of->m, of->bias, layer, N, of->col, of->inverse, moved));
    free(moved);
    return good;
}

/* ---- factors ----------------------------------------------------------------------------------------------------- */

/* Columns of a reader, or rows of what writes: which factor is whose (NULL: each its own). */
typedef struct {
    beside *m;
    bool columns, inverse;
    const norm_pair *N;                  /* in front of a reader; NULL: none                            */
    double times;                        /* A's are multiplied by                                       */
    tensor_role bias;                    /* with the same factors; ROLE_UNKNOWN: none                   */
    long layer;
    long dk, group;                      /* columns, rows of heads a share those of head a / group; dk 0: they do not */
} factored;

static long factor_at(const factored *w, long k) { return w->dk ? k / w->dk / w->group * w->dk + k % w->dk : k; }

static double off_of(const factored *w, factor row, double b)
{
    const double units = w->N ? allowed_units(&w->m->by, row, 3, true) : ROUNDING_UNITS;
    return units * (w->m->by.unit * fabs(b) + w->m->by.least);
}

static void narrow(const factored *w, factor_range *c)
{
    for (long r = 0; r < w->m->a.rows; r++)
        for (long j = 0; j < w->m->a.cols; j++) {
            const factor row = w->N ? w->N->s[r] : 1;
            const double b = weight_matrix_at(&w->m->b, r, j);
            factor_narrow(&c[factor_at(w, w->columns ? j : r)], weight_matrix_at(&w->m->a, r, j) * row * w->times, b,
                          off_of(w, row, b), w->inverse);
        }
}

/* The same where each line may have a constant: from differences to the least entry of A. */
static void narrow_apart(const factored *w, factor_range *c)
{
    beside *m = w->m;
    const long lines = w->columns ? m->a.cols : m->a.rows, n = w->columns ? m->a.rows : m->a.cols;
    factor *x = must_calloc((size_t)(2 * n), sizeof *x), *y = x + n;
    double *off = must_calloc((size_t)n, sizeof *off);
    for (long line = 0; line < lines; line++) {
        long low = 0, high = 0;
        for (long k = 0; k < n; k++) {
            const long r = w->columns ? k : line, j = w->columns ? line : k;
            const double b = weight_matrix_at(&m->b, r, j);
            x[k] = (factor)weight_matrix_at(&m->a, r, j) * w->times * (w->N ? w->N->a[r] : 1);
            y[k] = (factor)b * (w->N ? w->N->b[r] : 1);
            off[k] = off_of(w, w->N ? w->N->s[r] : 1, b) * (w->N ? fabs(w->N->b[r]) : 1);
            if (x[k] < x[low]) low = k;
            if (x[k] > x[high]) high = k;
        }
        const factor ratio = x[high] > x[low] ? fabsl(y[high] - y[low]) / (x[high] - x[low]) : 0;
        for (long k = 0; k < n; k++)                     /* before it was centred it was rounded, too */
            factor_narrow(&c[factor_at(w, line)], x[k] - x[low], y[k] - y[low],
                          off[k] + off[low] + m->by.unit * (double)(ratio * (fabsl(x[k]) + fabsl(x[low]))), w->inverse);
    }
    free(x);
    free(off);
}

/* The bias's entries, where nothing was folded into them.  b_V may be in b_O: where the ranges agree, the factor is in
 * both. */
static void narrow_by_bias(search *q, const factored *w, const long *partner, factor_range *c)
{
    beside b;
    if (w->bias == ROLE_UNKNOWN || !w->N->scaled || !beside_open(&q->pair, w->bias, w->layer, &b)) return;
    for (long j = 0; j < b.a.cols; j++) {
        const long k = factor_at(w, j);
        const double x = weight_matrix_at(&b.b, 0, j), off = ROUNDING_UNITS * (b.by.unit * fabs(x) + b.by.least);
        factor_range both = c[k];
        factor_narrow(&both, (factor)weight_matrix_at(&b.a, 0, j) * w->times, x, off, w->inverse);
        if (both.low <= both.high) c[k] = c[partner ? partner[k] : k] = both;
    }
    beside_free(&b);
}

static void narrow_all(search *q, long n, const factored *in, const factored *out, const long *partner, bool apart,
                       factor_range *c)
{
    for (long k = 0; k < n; k++) c[k] = ANY_FACTOR;
    (apart ? narrow_apart : narrow)(in, c);
    (apart ? narrow_apart : narrow)(out, c);
    for (long k = 0; partner && k < n; k++) {
        factor_meet(&c[k], c[partner[k]]);
        c[partner[k]] = c[k];
    }
    if (!apart) narrow_by_bias(q, in, partner, c), narrow_by_bias(q, out, partner, c);
}

typedef enum { FACTOR_ANY, FACTOR_POSITIVE, FACTOR_SIGN } factor_kind;

static factor factor_of(const factor_range *c, factor_kind kind)
{
    if (kind == FACTOR_SIGN) return c->low <= 1 && 1 <= c->high ? 1 : c->low <= -1 && -1 <= c->high ? -1 : 0;
    const factor x = factor_in(c);
    return kind == FACTOR_POSITIVE && x < 0 ? 0 : x;
}

/* The n factors of two parts that are scaled against each other; partner: coordinates with one factor, NULL: none.
 * centred: lines may have constants.  NULL: there are none. */
static factor *factors_of(search *q, long n, factored in, factored out, const long *partner, factor_kind kind,
                          bool centred, long *changed)
{
    factor_range *c = must_calloc((size_t)n, sizeof *c), *apart = centred ? must_calloc((size_t)n, sizeof *apart)
        : NULL;
    factor *to = must_calloc((size_t)n, sizeof *to);
    narrow_all(q, n, &in, &out, partner, false, c);
    if (centred) narrow_all(q, n, &in, &out, partner, true, apart);
    bool good = true;
    for (long k = 0; k < n; k++) {
        to[k] = factor_of(&c[k], kind);
        if (to[k] == 0 && centred) to[k] = factor_of(&apart[k], kind);
        good = good && to[k] != 0;
        *changed += to[k] != 1;
    }
    free(c);
    free(apart);
    if (good) return to;
    free(to);
    return NULL;
}

/* ---- queries and keys -------------------------------------------------------------------------------------------- */

/* b_K is added to all keys: without rotation and norms the scores of a query move together. */
static bool key_bias_matters(const transformer *D) { return D->positions == POSITIONS_ROTARY || D->qk_norm || D->slim; }

/* The other coordinate of each rotary pair of n / dk heads. */
static long *rotary_partners(const search *q, long n)
{
    const transformer *A = q->pair.A;
    const long turning = A->positions == POSITIONS_ROTARY ? A->rotary : 0;
    const bool halves = A->pairs == PAIRS_HALVES || A->pairs != q->pair.B->pairs;
    long *to = must_calloc((size_t)n, sizeof *to);
    for (long k = 0; k < n; k++) {
        const long i = k % A->dk;
        to[k] = i >= turning ? k : !halves ? k - i + (i ^ 1) : i < turning / 2 ? k + turning / 2 : k - turning / 2;
    }
    return to;
}

/* Coordinate k of a query head has what that of its key head has. */
static long key_coordinate(const transformer *A, long k) { return k / A->dk / (A->h / A->h_kv) * A->dk + k % A->dk; }

static factor *for_query_heads(const transformer *A, const factor *of_key_heads)
{
    factor *x = must_calloc((size_t)(A->h * A->dk), sizeof *x);
    for (long k = 0; k < A->h * A->dk; k++) x[k] = of_key_heads[key_coordinate(A, k)];
    return x;
}

/* Q gain x c, K gain / c, of which the scores' factor is part. */
static bool gains_are_image(search *q, long i)
{
    const transformer *A = q->pair.A, *B = q->pair.B;
    const bool both = tensor_of_part(A, ROLE_Q_GAIN, i) && tensor_of_part(B, ROLE_Q_GAIN, i)
                   && tensor_of_part(A, ROLE_K_GAIN, i) && tensor_of_part(B, ROLE_K_GAIN, i);
    if (!A->qk_norm && !B->qk_norm) return true;
    beside Q, K;
    if (!both || !beside_open(&q->pair, ROLE_Q_GAIN, i, &Q)) return no_image(q, ROLE_Q_GAIN, i);
    if (!beside_open(&q->pair, ROLE_K_GAIN, i, &K)) {
        beside_free(&Q);
        return no_image(q, ROLE_K_GAIN, i);
    }
    long *partner = rotary_partners(q, A->dk);
    factor *c = factors_of(q, A->dk, (factored){ .m = &Q, .columns = true, .times = 1 },
                           (factored){ .m = &K, .columns = true, .inverse = true, .times = q->ratio }, partner,
                           FACTOR_ANY, false, &q->found.keys);
    bool good = c || no_image(q, ROLE_Q_GAIN, i);
    if (c) {
        const image_answer x = image_of_lines(&Q, &(scaling){ .col = c }, true, NULL);
        for (long k = 0; k < A->dk; k++) c[k] /= q->ratio;
        const image_answer y = image_of_lines(&K, &(scaling){ .col = c, .inverse_col = true }, true, NULL);
        good = accept(q, &x, ROLE_Q_GAIN, i) && accept(q, &y, ROLE_K_GAIN, i);
    }
    beside_free(&Q);
    beside_free(&K);
    free(partner);
    free(c);
    return good;
}

static bool scores_are_image(search *q, beside *Q, beside *K, long i, const norm_pair *N)
{
    const transformer *A = q->pair.A;
    const long n = A->h_kv * A->dk;
    const bool normed = A->qk_norm || q->pair.B->qk_norm;
    long *partner = rotary_partners(q, n);
    factor *c = factors_of(q, n, (factored){ .m = Q, .columns = true, .N = N, .times = 1, .bias = ROLE_Q_BIAS,
                                             .layer = i,
                                             .dk = A->dk, .group = A->h / A->h_kv },
                           (factored){ .m = K, .columns = true, .inverse = true, .N = N, .times = normed ? 1 : q->ratio,
                                       .bias = key_bias_matters(A) ? ROLE_K_BIAS : ROLE_UNKNOWN, .layer = i },
                           partner, normed ? FACTOR_SIGN : FACTOR_ANY, q->centres, &q->found.keys);
    free(partner);
    if (!c) return no_image(q, ROLE_Q, i);
    factor *of_queries = for_query_heads(A, c);
    for (long k = 0; k < n && !normed; k++) c[k] /= q->ratio;
    const reader query = { Q, ROLE_Q, ROLE_Q_BIAS, of_queries, false };
    const reader key = { K, ROLE_K, key_bias_matters(A) ? ROLE_K_BIAS : ROLE_UNKNOWN, c, true };
    const bool good = reader_and_bias(q, &query, i, N) && reader_and_bias(q, &key, i, N);
    free(of_queries);
    free(c);
    return good && gains_are_image(q, i);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* What b_V and the norm's bias add to the output of the layer: (beta W_V + b_V) W_O + b_O, each head with the values of
 * its key head, without coordinates that are kept.  size and squares: of the terms. */
static column_sums constant_output(const transformer *D, weight_matrix *V, weight_matrix *b_V, weight_matrix *O,
                                   const double *b_O, const double *all, const double *some, const bool *moved,
                                   const bool *kept)
{
    double *own = vector_of(b_V);
    column_sums e = sums_of(V, all, some, moved, own);
    for (long k = 0; k < e.n; k++) {
        if (kept[k]) e.is[k] = e.size[k] = e.squares[k] = 0;
        /* b_V with beta W_V, rounded */
        else if (e.size[k] != fabs(own[k])) e.squares[k] += (double)(e.is[k] * e.is[k]);
    }
    column_sums s = column_sums_new(O->cols, b_O);
    for (long r = 0; r < O->rows; r++)
        for (long j = 0, k = key_coordinate(D, r); j < s.n && e.size[k] != 0; j++) {
            const double w = weight_matrix_at(O, r, j);
            s.is[j] += e.is[k] * w;
            s.size[j] += e.size[k] * fabs(w);
            s.squares[j] += e.squares[k] * w * w;
        }
    column_sums_free(&e);
    free(own);
    return s;
}

/* What the biases of V and O, v and o, add up to. */
static image_answer output_biases(const search *q, beside *V, beside *O, beside *v, beside *o, const norm_pair *N,
                                  const bool *moved, const bool *kept)
{
    const long d = O->b.cols;
    double *o_a = vector_of(&o->a), *o_b = vector_of(&o->b), *none = must_calloc((size_t)d, sizeof *none);
    column_sums in_a = constant_output(q->pair.A, &V->a, &v->a, &O->a, o_a, N->bias_a, N->moved_a, moved, kept);
    column_sums in_b = constant_output(q->pair.B, &V->b, &v->b, &O->b, none, N->bias_b, N->moved_b, moved, kept);
    const image_answer x = differences_hold(&o->by, &in_a, &in_b, o_b, q->sums);
    column_sums_free(&in_a);
    column_sums_free(&in_b);
    free(o_a);
    free(o_b);
    free(none);
    return x;
}

/* The biases as they were; else what those that are not add up to. */
static bool value_biases_are_image(search *q, beside *V, beside *O, long i, const norm_pair *N, const factor *c,
                                   const bool *moved)
{
    beside v, o;
    const scaling by = { .col = c };
    if (!bias_open(q, ROLE_V_BIAS, i, V, &v)) return false;
    if (!bias_open(q, ROLE_O_BIAS, i, O, &o)) {
        beside_free(&v);
        return false;
    }
    const image_answer value = image_of(&v, &by), out = image_of(&o, &(scaling){ .constant = q->sums });
    bool good = N->scaled && !any_of(moved, V->b.cols) && value.holds && out.holds;
    if (good) {
        q->found.writers += out.moved;
        accept(q, &value, ROLE_V_BIAS, i);
        accept(q, &out, ROLE_O_BIAS, i);
    } else {
        bool *kept = must_calloc((size_t)v.b.cols, sizeof *kept);
        for (long k = 0; k < v.b.cols; k++) kept[k] = N->scaled && !moved[k] && entry_is_image(&v, &by, k);
        const image_answer x = output_biases(q, V, O, &v, &o, N, moved, kept);
        good = accept(q, &x, value.holds ? ROLE_O_BIAS : ROLE_V_BIAS, i);
        q->found.value_biases += !value.holds;
        q->found.writers += x.moved;
        free(kept);
    }
    beside_free(&v);
    beside_free(&o);
    return good;
}

static bool values_are_image(search *q, beside *V, beside *O, long i, const norm_pair *N)
{
    const transformer *A = q->pair.A;
    factor *c = factors_of(q, A->h_kv * A->dk, (factored){ .m = V, .columns = true, .N = N, .times = 1,
                                                           .bias = ROLE_V_BIAS,
                                                           .layer = i },
                           (factored){ .m = O, .inverse = true, .times = 1, .dk = A->dk, .group = A->h / A->h_kv },
                           NULL, FACTOR_ANY, q->sums, &q->found.values);
    if (!c) return no_image(q, ROLE_V, i);
    factor *rows = for_query_heads(A, c);
    bool *moved = must_calloc((size_t)V->b.cols, sizeof *moved);
    bool good = reader_is_image(q, V, ROLE_V, i, N, c, false, moved);
    const image_answer out = image_of(O, &(scaling){ .row = rows, .inverse_row = true, .constant = q->sums });
    q->found.writers += out.holds ? out.moved : 0;
    good = good && accept(q, &out, ROLE_O, i) && value_biases_are_image(q, V, O, i, N, c, moved);
    free(rows);
    free(moved);
    free(c);
    return good;
}

/* ---- a layer ----------------------------------------------------------------------------------------------------- */

typedef bool two_parts(search *q, beside *x, beside *y, long layer, const norm_pair *N);

static bool with_two(search *q, tensor_role first, tensor_role second, long layer, const norm_pair *N, two_parts *are)
{
    beside x, y;
    if (!beside_open(&q->pair, first, layer, &x)) return no_image(q, first, layer);
    const bool both = beside_open(&q->pair, second, layer, &y);
    const bool good = both ? are(q, &x, &y, layer, N) : no_image(q, second, layer);
    beside_free(&x);
    if (both) beside_free(&y);
    return good;
}

static bool attention_is_image(search *q, long i)
{
    norm_pair N;
    const bool good = norm_open(q, ROLE_GAIN1, ROLE_BIAS1, i, &N)
        && with_two(q, ROLE_Q, ROLE_K, i, &N, scores_are_image)
        && with_two(q, ROLE_V, ROLE_O, i, &N, values_are_image);
    norm_free(&N);
    return good;
}

static bool up_and_down_are_image(search *q, beside *up, beside *down, long i, const norm_pair *N)
{
    const transformer *A = q->pair.A;
    const bool relu = !A->gated && strcmp(A->activation, "relu") == 0;
    factor *t = NULL;
    if (A->gated || relu) {
        const factored in = { .m = up, .columns = true, .N = N, .times = 1, .bias = ROLE_UP_BIAS, .layer = i };
        t = factors_of(q, place_width(A, i), in, (factored){ .m = down, .inverse = true, .times = 1 }, NULL,
                       relu ? FACTOR_POSITIVE : FACTOR_ANY, q->sums, &q->found.neurons);
        if (!t) return no_image(q, ROLE_UP, i);
    }
    bool good = reader_and_bias(q, &(reader){ up, ROLE_UP, ROLE_UP_BIAS, t, false }, i, N);
    const image_answer out = image_of(down, &(scaling){ .row = t, .inverse_row = true, .constant = q->sums });
    q->found.writers += out.holds ? out.moved : 0;
    good = good && accept(q, &out, ROLE_DOWN, i);
    free(t);
    return good && is_image(q, ROLE_DOWN_BIAS, i, &(scaling){ .constant = q->sums });
}

/* A reader that nothing is scaled against. */
static bool reader_alone(search *q, tensor_role role, tensor_role bias, long layer, const norm_pair *N)
{
    beside m;
    if (!beside_open(&q->pair, role, layer, &m)) return no_image(q, role, layer);
    const bool good = reader_and_bias(q, &(reader){ &m, role, bias, NULL, false }, layer, N);
    beside_free(&m);
    return good;
}

/* Of a layer, or an expert. */
static bool one_mlp_is_image(search *q, long at, const norm_pair *N)
{
    return (!have(q, ROLE_GATE, at) || reader_alone(q, ROLE_GATE, ROLE_GATE_BIAS, at, N))
        && with_two(q, ROLE_UP, ROLE_DOWN, at, N, up_and_down_are_image);
}

/* The softmax, and the order of its entries, do not see what moves all entries of a token: a constant in each row. */
static bool router_is_image(search *q, long i, const norm_pair *N)
{
    beside m;
    if (!beside_open(&q->pair, ROLE_ROUTER, i, &m)) return no_image(q, ROLE_ROUTER, i);
    const image_answer x = image_of(&m, &(scaling){ .row = N->s, .constant = true });
    beside_free(&m);
    q->found.routers += x.holds && x.moved;
    return accept(q, &x, ROLE_ROUTER, i);
}

static bool experts_are_image(search *q, long i, const norm_pair *N)
{
    const transformer *A = q->pair.A;
    bool good = router_is_image(q, i, N)
        && (!A->shared_m || reader_alone(q, ROLE_SHARED_GATE, ROLE_UNKNOWN, i, N));
    for (long e = 0; e < A->experts + (A->shared_m > 0) && good; e++)
        good = one_mlp_is_image(q, experts_place(A, i, e), N);
    return good;
}

static bool mlp_is_image(search *q, long i)
{
    norm_pair N;
    const bool good = norm_open(q, ROLE_GAIN2, ROLE_BIAS2, i, &N)
        && (experts_in_layer(q->pair.A, i) ? experts_are_image(q, i, &N) : one_mlp_is_image(q, i, &N));
    norm_free(&N);
    return good;
}

/* ---- the ends ---------------------------------------------------------------------------------------------------- */

/* The head up to a constant y_r of each of its rows: y_r is the mean of B - s A, size and squares those of its terms;
 * the mean of s A; squares of what is left without. */
typedef struct { column_sums y; factor *mean, *rest, *off; } head_rows;

static head_rows head_rows_new(beside *m, const norm_pair *N)
{
    const long d = m->b.rows, V = m->b.cols;
    double *none = must_calloc((size_t)d, sizeof *none);
    head_rows h = { column_sums_new(d, none), must_calloc((size_t)(3 * d), sizeof *h.mean), NULL, NULL };
    h.rest = h.mean + d;
    h.off = h.rest + d;
    free(none);
    for (long j = 0; j < V; j++)
        for (long r = 0; r < d; r++) {
            const double a = (double)(weight_matrix_at(&m->a, r, j) * N->s[r]) / (double)V;
            const double b = weight_matrix_at(&m->b, r, j) / (double)V;
            h.y.is[r] += b - a;
            h.y.size[r] += fabs(a) + fabs(b);
            h.y.squares[r] += a * a + b * b;
            h.mean[r] += a;
        }
    return h;
}

static void head_rows_free(head_rows *h)
{
    column_sums_free(&h->y);
    free(h->mean);
}

/* As line_pair asks of a line: a constant must not excuse what it hides. */
static bool head_rows_hold(const head_rows *h, const rounding *by, long V)
{
    for (long r = 0; r < h->y.n; r++)
        if (!(sqrtl(h->off[r]) <= by->unit * sqrtl(h->rest[r]) + by->least * sqrt((double)V))) return false;
    return true;
}

static image_answer head_up_to_constants(search *q, beside *m, const norm_pair *N)
{
    const scaling f = { .row = N->s, .gain = q->centres ? N->b : NULL };
    const long d = m->b.rows, V = m->b.cols;
    image_answer x = { .holds = true, .exact = false, .allowed = ROUNDING_UNITS };
    head_rows h = head_rows_new(m, N);
    line_pair l = line_pair_new(d, m->by.unit);
    for (long j = 0; j < V && x.holds; j++) {
        for (long r = 0; r < d; r++) {
            put_entry(&l, r, m, &f, weight_matrix_at(&m->a, r, j), weight_matrix_at(&m->b, r, j), r, j);
            l.apart[r] += l.before[r] + products_explain(&m->by, h.y.size[r], h.y.squares[r]);
            l.before[r] = 0;
            l.by[r] -= h.y.is[r];
        }
        const line_answer answer = line_pair_answer(&l, f.gain);
        add_line(&x, &answer);
        for (long r = 0; r < d; r++) {
            const factor off = (l.by[r] - answer.v * l.slope[r]) / l.allowed[r], rest = l.image[r] - h.mean[r];
            h.off[r] += off * off;
            h.rest[r] += rest * rest;
        }
    }
    x.holds = x.holds && head_rows_hold(&h, &m->by, V);
    line_pair_free(&l);
    head_rows_free(&h);
    return x;
}

/* Not the logits, but all of softmax. */
static bool head_is_image_for_softmax(search *q, const norm_pair *N)
{
    beside m, b;
    if (!beside_open(&q->pair, ROLE_HEAD, -1, &m)) return no_image(q, ROLE_HEAD, -1);
    const image_answer head = head_up_to_constants(q, &m, N);
    bool good = accept(q, &head, ROLE_HEAD, -1) && bias_open(q, ROLE_HEAD_BIAS, -1, &m, &b);
    if (good) {
        const image_answer bias = sums_behind_norm(&m, &b, N, NULL, false, true, NULL, NULL);
        good = accept(q, &bias, ROLE_HEAD_BIAS, -1);
        beside_free(&b);
    }
    beside_free(&m);
    return good;
}

/* Parts that nothing here scales, of encoders: what enters beside tokens, whose mean a norm behind the sum removes,
 * norms in the stream, what stands in front of the head or reads the first token. */
static bool others_are_image(search *q)
{
    static const tensor_role entries[] = { ROLE_TOKEN_TYPE, ROLE_PAD_POSITION };
    static const tensor_role ends[] = { ROLE_BUCKETS, ROLE_EMBED_GAIN, ROLE_EMBED_BIAS, ROLE_DENSE, ROLE_DENSE_BIAS,
        ROLE_POOL, ROLE_POOL_BIAS, ROLE_NEXT, ROLE_NEXT_BIAS };
    static const tensor_role within[] = { ROLE_POST_GAIN1, ROLE_POST_BIAS1, ROLE_POST_GAIN2, ROLE_POST_BIAS2 };
    const scaling as_it_is = { .constant = false }, added = { .constant = q->entry };
    bool good = true;
    for (size_t k = 0; k < COUNT(entries) && good; k++) good = is_image(q, entries[k], -1, &added);
    for (size_t k = 0; k < COUNT(ends) && good; k++) good = is_image(q, ends[k], -1, &as_it_is);
    for (long i = 0; i < q->pair.A->L && good; i++)
        for (size_t k = 0; k < COUNT(within) && good; k++) good = is_image(q, within[k], i, &as_it_is);
    return good;
}

static bool ends_are_image(search *q)
{
    norm_pair N;
    const scaling writer = { .constant = q->entry };
    bool good = is_image(q, ROLE_EMBED, -1, &writer) && is_image(q, ROLE_POSITION, -1, &writer) && others_are_image(q);
    if (!good || q->pair.A->headless) return good;
    const bool dense = have(q, ROLE_DENSE, -1);
    good = norm_open(q, dense ? ROLE_DENSE_GAIN : ROLE_FINAL_GAIN, dense ? ROLE_DENSE_SHIFT : ROLE_FINAL_BIAS, -1, &N);
    if (good) {
        const symmetry_found before = q->found;
        good = reader_alone(q, ROLE_HEAD, ROLE_HEAD_BIAS, -1, &N);
        if (!good && has_token_logits(q->pair.A)) {
            const symmetry_found plain = q->found;
            q->found = before;
            good = q->found.up_to_a_constant = head_is_image_for_softmax(q, &N);
            if (!good) q->found = plain;
        }
    }
    norm_free(&N);
    return good;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

symmetry_found symmetry_between(const transformer *A, const transformer *B, const structure *s)
{
    const bool centred = A->norm == NORM_OF_LAYER && B->norm == NORM_OF_LAYER;
    const bool of_sums = centred && A->norms == NORMS_OF_SUMS && B->norms == NORMS_OF_SUMS;
    search q = { .pair = { A, B }, .ratio = A->factor / B->factor, .centres = centred && norms_in_front(A),
                 .found = { .exact = true, .units = 0, .allowed = ROUNDING_UNITS, .layer = -1 } };
    q.sums = q.centres || of_sums;
    q.entry = q.centres || (of_sums && A->embed_norm && B->embed_norm);
    q.found.factor = A->factor != B->factor;
    bool good = s->settings == q.found.factor && A->m == B->m && !A->slim && !A->value_rows && !B->value_rows;
    for (int k = 0; k < 3; k++) good = good && !A->identity[k] && !B->identity[k];
    good = good && isfinite(q.ratio) && q.ratio > 0 && ends_are_image(&q);
    for (long i = 0; good && i < A->L; i++) good = attention_is_image(&q, i) && mlp_is_image(&q, i);
    for (long k = 0; k < s->n; k++) q.found.key_biases += s->at[k].role == ROLE_K_BIAS && !key_bias_matters(A);
    q.found.found = good && !q.found.up_to_a_constant;
    q.found.up_to_a_constant = good && q.found.up_to_a_constant;
    q.found.exact = q.found.exact && q.found.found;
    return q.found;
}
