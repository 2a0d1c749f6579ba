/* SPDX-License-Identifier: GPL-3.0-or-later
 * relation.c - see relation.h: each relation is tried in turn, on all entries; what is found holds to rounding. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/lost.h"
#include "src/checkpoint/relation.h"

/* What blocks decode to counts as float32, to which programs that decode it round it. */
double unit_roundoff(numbers_type type)
{
    if (type == NUMBERS_QUANTISED) type = NUMBERS_F32;
    return type == NUMBERS_F64 ? 0x1p-53 : type == NUMBERS_F32 ? 0x1p-24 : type == NUMBERS_F16 ? 0x1p-11 : 0x1p-8;
}

double half_least(numbers_type type)
{
    if (type == NUMBERS_QUANTISED) type = NUMBERS_F32;
    return type == NUMBERS_F64 ? 0 : type == NUMBERS_F32 ? 0x1p-150 : type == NUMBERS_F16 ? 0x1p-25 : 0x1p-134;
}

rounding rounding_of(numbers_type a, numbers_type b)
{
    const numbers_type coarser = unit_roundoff(a) > unit_roundoff(b) ? a : b;
    /* The least number of float16 is larger than that of bfloat16, which is coarser. */
    return (rounding){ unit_roundoff(coarser), fmax(half_least(a), half_least(b)) };
}

double rounding_units(const rounding *r, double off, double size)
{
    if (off == 0) return 0;
    const double units = off / (r->unit * size + r->least);
    return isfinite(units) ? units : INFINITY;
}

/* lines, blocks: of B whose numbers lie in blocks; NULL: they do not. */
typedef struct { weight_matrix *A, *B; double u, least; const tensor_lines *lines; block_reader *blocks; } pair;

/* |x - y| is at most `times` roundings of numbers of the size of x, y and z. */
static bool near(const pair *p, double x, double y, double z, double times)
{
    const double size = fmax(fmax(fabs(x), fabs(y)), fabs(z));
    return fabs(x - y) <= times * ROUNDING_UNITS * (p->u * size + p->least);
}

static double a_at(const pair *p, long r, long c) { return weight_matrix_at(p->A, r, c); }
static double b_at(const pair *p, long r, long c) { return weight_matrix_at(p->B, r, c); }

/* May a have become B's entry, by one rounding? */
static bool fits(const pair *p, double a, long r, long c)
{
    if (!p->blocks) return near(p, a, b_at(p, r, c), 0, 1);
    const bool turned = p->lines->turned;
    return quantised_fits(p->blocks, tensor_line(p->lines, turned ? c : r) + (size_t)(turned ? r : c), a);
}

/* Every entry, line by line. */
typedef struct { long row, row_end, col, col_end; } line_of_pair;
static bool next_line(const pair *p, line_of_pair *at)
{
    const bool turned = p->B->turned;
    const long line = turned ? at->col_end : at->row_end;
    *at = turned ? (line_of_pair){ 0, p->B->rows, line, line + 1 } : (line_of_pair){ line, line + 1, 0, p->B->cols };
    return line < (turned ? p->B->cols : p->B->rows);
}
#define EACH(p, r, c) \
    for (line_of_pair line_ = { 0, 0, 0, 0 }; next_line(p, &line_); ) \
        for (long r = line_.row; r < line_.row_end; r++) for (long c = line_.col; c < line_.col_end; c++)

/* B[r][c] = A[row[r]][col[c]]; NULL: the same row, the same column. */
static bool moved(const pair *p, const long *row, const long *col)
{
    EACH(p, r, c) if (!fits(p, a_at(p, row ? row[r] : r, col ? col[c] : c), r, c)) return false;
    return true;
}

/* ---- what a few entries exclude ---------------------------------------------------------------------------------- */

enum { TRIED = 8 };                      /* lines, and entries of each, that are looked at first        */

/* An entry alone, without the lines around it. */
static double alone(weight_matrix *m, long r, long c)
{
    const long line = m->turned ? c : r;
    double x;
    if (!m->from.t || (line >= m->first && line < m->first + m->count)) return weight_matrix_at(m, r, c);
    weight_numbers(m->from.t, tensor_line(&m->from, line) + (size_t)(m->turned ? r : c), 1, &x);
    return x;
}

/* Numbers c with |c a - b| <= times roundings of numbers of the size of c a and b: an interval that holds them all. */
typedef struct { double low, high; } factors;

static void meet(factors *to, const pair *p, double a, double b, double times)
{
    const double t = times * ROUNDING_UNITS * (1 + 0x1p-20), size = (fabs(b) + t * p->least) / (1 - t * p->u);
    const double off = t * (p->u * size + p->least);
    if (!(t * p->u < 1)) return;
    if (a == 0 && fabs(b) > off) *to = (factors){ INFINITY, -INFINITY };
    if (a == 0 || !isfinite(off / a) || !isfinite(b / a)) return;
    const double x = (b - off) / a, y = (b + off) / a;
    to->low = fmax(to->low, fmin(x, y) - 0x1p-50 * fabs(x));
    to->high = fmin(to->high, fmax(x, y) + 0x1p-50 * fabs(y));
}

static long tried(long k, long n) { return n <= TRIED ? k : k * ((n - 1) / (TRIED - 1)); }

/* Do a few lines (rows or columns) exclude that each is A's times a number of its own? */
static bool no_multiples(const pair *p, bool rows)
{
    const long lines = rows ? p->B->rows : p->B->cols, others = rows ? p->B->cols : p->B->rows;
    for (long i = 0; i < lines && i < TRIED; i++) {
        const long line = tried(i, lines);
        factors c = { -INFINITY, INFINITY };
        for (long j = 0; j < others && j < TRIED; j++) {
            const long k = tried(j, others), row = rows ? line : k, col = rows ? k : line;
            meet(&c, p, alone(p->A, row, col), alone(p->B, row, col), 4);
        }
        if (c.low > c.high) return true;
    }
    return false;
}

/* Do a few entries of one row, or column, of B exclude that it is one of A's? */
static bool no_such_line(const pair *p, bool rows)
{
    const long lines = rows ? p->B->rows : p->B->cols, others = rows ? p->B->cols : p->B->rows;
    for (long line = 0; line < lines; line++) {
        bool same = true;
        for (long j = 0; j < others && j < TRIED && same; j++) {
            const long k = tried(j, others);
            same = rows ? alone(p->A, line, k) == alone(p->B, 0, k) : alone(p->A, k, line) == alone(p->B, k, 0);
        }
        if (same) return false;
    }
    return true;
}

/* Do a few entries exclude that each row is A's and a constant?  size: at least |x| of all entries. */
static bool no_constants(const pair *p, double size)
{
    for (long i = 0; i < p->B->rows && i < TRIED; i++)
        for (long j = 1; j < p->B->cols && j < TRIED; j++) {
            const long r = tried(i, p->B->rows), c = tried(j, p->B->cols);
            const double by = alone(p->B, r, 0) - alone(p->A, r, 0);
            if (!near(p, alone(p->B, r, c) - alone(p->A, r, c), by, 2 * size, 4)) return true;
        }
    return false;
}

/* ---- types ------------------------------------------------------------------------------------------------------- */

/* x has at most that many significant bits. */
static bool has_bits(double x, int bits)
{
    int e;
    const double m = ldexp(frexp(x, &e), bits);
    return m == rint(m);
}

static const char *coarser(const pair *p)
{
    static const struct { const char *name; numbers_type type; int bits; } to[] = {
        { "F32", NUMBERS_F32, 24 }, { "F16", NUMBERS_F16, 11 }, { "BF16", NUMBERS_BF16, 8 } };
    for (size_t k = 0; k < COUNT(to); k++) {
        pair q = { p->A, p->B, unit_roundoff(to[k].type), half_least(to[k].type), NULL, NULL };
        if (q.u <= unit_roundoff(p->B->type) || !moved(&q, NULL, NULL)) continue;
        bool all = true;
        EACH(p, r, c) all = all && has_bits(b_at(p, r, c), to[k].bits);
        if (all) return to[k].name;
    }
    return NULL;
}

/* ---- multiples --------------------------------------------------------------------------------------------------- */

static bool scaled(const pair *p, double *factor)
{
    double most = 0;
    long row = 0;                        /* of equal ones the first, row by row */
    if (no_multiples(p, true) || no_multiples(p, false)) return false;
    EACH(p, r, c) {
        const double a = a_at(p, r, c);
        if (!(fabs(a) > most || (fabs(a) == most && most > 0 && r < row))) continue;
        most = fabs(a);
        *factor = b_at(p, r, c) / a;
        row = r;
    }
    if (most == 0 || p->B->rows * p->B->cols < 2 || *factor == 0) return false;
    EACH(p, r, c) if (!near(p, *factor * a_at(p, r, c), b_at(p, r, c), 0, 4)) return false;
    return true;
}

/* v[k] multiplies row k, or column k. */
static bool lines_scaled(const pair *p, bool rows, double *v)
{
    const long lines = rows ? p->B->rows : p->B->cols, others = rows ? p->B->cols : p->B->rows;
    if (others < 2 || no_multiples(p, rows)) return false;
    double *most = must_calloc((size_t)lines, sizeof *most);
    for (long k = 0; k < lines; k++) v[k] = 1;
    EACH(p, r, c) {
        const double a = a_at(p, r, c);
        const long k = rows ? r : c;
        if (fabs(a) > most[k]) most[k] = fabs(a), v[k] = b_at(p, r, c) / a;
    }
    free(most);
    EACH(p, r, c) if (!near(p, v[rows ? r : c] * a_at(p, r, c), b_at(p, r, c), 0, 4)) return false;
    return true;
}

/* "gain 1 of A", "1 / gain 1 of A", "numbers of its own": what v is. */
static char *name_of(const pair *p, const double *v, long n, const relation_hints *h)
{
    for (long k = 0; k < h->vectors; k++) {
        const named_vector *g = &h->vector[k];
        if (g->n != n) continue;
        bool is = true, inverse = true, square = true;
        for (long i = 0; i < n; i++) {
            is = is && near(p, v[i], g->x[i], 0, 8);
            square = square && near(p, v[i], g->x[i] * g->x[i], 0, 8);
            inverse = inverse && near(p, v[i] * g->x[i], 1, 0, 8);
        }
        if (is) return must_format("by %s of A", g->name);
        if (square) return must_format("by %s of A twice", g->name);
        if (inverse) return must_format("by 1 / %s of A", g->name);
    }
    return must_strdup("each by a number of its own");
}

/* Each row of B is that of A and a constant, and without it rounded as if there were none: a large one must not excuse
 * what it hides below its own rounding. */
static bool constants(const pair *p)
{
    const long rows = p->B->rows, cols = p->B->cols;
    double *size = must_calloc((size_t)(3 * rows), sizeof *size), *rest = size + rows, *off = size + 2 * rows;
    long double *a_mean = must_calloc((size_t)(2 * rows), sizeof *a_mean), *by_mean = a_mean + rows;
    bool are = cols > 1;
    EACH(p, r, c) {
        const double a = a_at(p, r, c), b = b_at(p, r, c);
        size[r] = fmax(size[r], fmax(fabs(a), fabs(b)));
        a_mean[r] += (long double)a / (long double)cols;
        by_mean[r] += ((long double)b - a) / (long double)cols;
    }
    EACH(p, r, c) {
        const long double a = a_at(p, r, c), by = b_at(p, r, c) - a;
        const double left = (double)(a - a_mean[r]), apart = (double)(by - by_mean[r]);
        are = are && near(p, apart, 0, size[r], 4);
        off[r] += apart * apart;
        rest[r] += left * left;
    }
    for (long r = 0; r < rows && are; r++)
        are = sqrt(off[r]) <= ROUNDING_UNITS * (p->u * sqrt(rest[r]) + p->least * sqrt((double)cols));
    free(size);
    free(a_mean);
    return are;
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

/* Of the columns of blocks of `size`: place j size/2 + i takes column 2 i + j, or the inverse; the first `turning` of
 * each block, the others stay. */
static void pair_order(long cols, long size, long turning, bool inverse, long *to)
{
    const long half = turning / 2;
    for (long c = 0; c < cols; c++) {
        const long k = c % size, at = c - k;
        to[c] = k >= turning ? c : inverse ? at + k % 2 * half + k / 2 : at + k % half * 2 + k / half;
    }
}

static char *pairs_moved(const pair *p, const relation_hints *h)
{
    const long cols = p->B->cols, heads = cols / h->head;
    long *once = must_calloc((size_t)cols, sizeof *once), *twice = must_calloc((size_t)cols, sizeof *twice);
    char *text = NULL;
    const long as_for[2] = { heads, h->query_heads };
    for (int k = 0; k < 8 && !text; k++) {
        const long blocks = as_for[k / 4], size = blocks && cols % blocks == 0 ? cols / blocks : 0;
        const long turning = size == h->head ? h->rotary : size;
        if (size < 2 || turning % 2 || (k >= 4 && blocks == heads)) continue;
        pair_order(cols, size, turning, k & 1, once);
        for (long c = 0; c < cols; c++) twice[c] = once[once[c]];
        if (!moved(p, NULL, k & 2 ? twice : once)) continue;
        text = must_format("A's with the rotary pairs in another order: %s for %ld head%s of %ld%s%s",
                           k & 1 ? "from halves to neighbours" : "from neighbours to halves", blocks,
                           blocks == 1 ? "" : "s", size,
                           k & 2 ? ", done twice" : "", blocks == heads ? "" : ", which it does not have");
        if (blocks == heads) continue;
        char *full = must_format("%s: it has %ld", text, heads);
        free(text);
        text = full;
    }
    free(once);
    free(twice);
    return text;
}

static char *heads_moved(const pair *p, const relation_hints *h)
{
    const long all = h->heads_are_rows ? p->B->rows : p->B->cols, heads = all / h->head;
    if (heads < 2) return NULL;
    text_buffer order = { 0 };
    bool found = true;
    for (long b = 0; b < heads && found; b++) {
        found = false;
        for (long a = 0; a < heads && !found; a++) {
            found = true;
            for (long i = 0; i < h->head && found; i++)
                for (long k = 0; k < (h->heads_are_rows ? p->B->cols : p->B->rows) && found; k++)
                    found = h->heads_are_rows ? fits(p, a_at(p, a * h->head + i, k), b * h->head + i, k)
                                              : fits(p, a_at(p, k, a * h->head + i), k, b * h->head + i);
            if (found) text_add(&order, "%s%ld", b ? " " : "", a);
        }
    }
    char *text = found ? must_format("A's with the heads in the order %s", order.at) : NULL;
    text_clear(&order);
    return text;
}

/* Rows of B are rows of A, `by` further on. */
static bool shifted(const pair *p, long by)
{
    const long first = by < 0 ? -by : 0, last = by > 0 ? p->B->rows - by : p->B->rows;
    for (long r = first; r < last; r++)
        for (long c = 0; c < p->B->cols; c++) if (!fits(p, a_at(p, r + by, c), r, c)) return false;
    return last - first > 1;
}

typedef struct { uint64_t tag; long at; } line;
static int by_tag(const void *a, const void *b)
{
    const line *s = a, *t = b;
    return s->tag != t->tag ? s->tag < t->tag ? -1 : 1 : (s->at > t->at) - (s->at < t->at);
}

static void tag(uint64_t *of, double x)
{
    const double number = x + 0.0;                       /* 0 and -0 are one number */
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    *of = (*of ^ bits) * 0x9e3779b97f4a7c15;
    *of ^= *of >> 32;
}

/* A tag of each row, or of each column, in the order of the tags. */
static line *tagged(weight_matrix *m, bool rows)
{
    const long lines = rows ? m->rows : m->cols, outer = m->turned ? m->cols : m->rows;
    const long inner = m->turned ? m->rows : m->cols;
    line *of = must_calloc((size_t)lines, sizeof *of);
    for (long k = 0; k < lines; k++) of[k].at = k;
    for (long i = 0; i < outer; i++)
        for (long k = 0; k < inner; k++)
            tag(&of[rows == m->turned ? k : i].tag, weight_matrix_at(m, m->turned ? k : i, m->turned ? i : k));
    qsort(of, (size_t)lines, sizeof *of, by_tag);
    return of;
}

/* The same rows, or columns, in another order: number by number.  Lines of equal tags are tried. */
static bool permuted(const pair *p, bool rows)
{
    const long lines = rows ? p->B->rows : p->B->cols;
    if (lines < 2 || no_such_line(p, rows)) return false;
    line *a = NULL, *b = NULL;
    #pragma omp parallel sections
    {
        #pragma omp section
        a = tagged(p->A, rows);
        #pragma omp section
        b = tagged(p->B, rows);
    }
    long *from = must_calloc((size_t)lines, sizeof *from);
    bool same = true;
    for (long k = 0; k < lines && same; k++) {
        same = a[k].tag == b[k].tag;
        from[b[k].at] = a[k].at;
    }
    if (same) EACH(p, r, c) same = same && a_at(p, rows ? from[r] : r, rows ? c : from[c]) == b_at(p, r, c);
    free(a);
    free(b);
    free(from);
    return same;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static bool offset(const pair *p, double by)
{
    EACH(p, r, c) if (!near(p, a_at(p, r, c) + by, b_at(p, r, c), 1, 2)) return false;
    return true;
}

static relation_kind lines_of(const pair *p, const relation_hints *h, char **text)
{
    const long rows = p->B->rows, cols = p->B->cols;
    double *v = must_calloc((size_t)(rows > cols ? rows : cols), sizeof *v);
    relation_kind kind = RELATION_NONE;
    for (int k = 0; k < 2 && kind == RELATION_NONE; k++) {
        if (!lines_scaled(p, k == 0, v)) continue;
        char *by = name_of(p, v, k == 0 ? rows : cols, h);
        *text = must_format("A's with its %s multiplied %s", k == 0 ? "inputs" : "outputs", by);
        free(by);
        kind = k == 0 ? RELATION_ROWS_SCALED : RELATION_COLUMNS_SCALED;
    }
    free(v);
    return kind;
}

/* B's blocks hold A's rows times a vector of A, or divided by it: a gain that was folded, or kept where it was. */
static char *folded_in_blocks(const pair *p, const relation_hints *h)
{
    for (long k = 0; p->blocks && k < h->vectors; k++)
        for (int inverse = 0; inverse < 2; inverse++) {
            const named_vector *v = &h->vector[k];
            bool is = v->n == p->B->rows;
            if (is) EACH(p, r, c) is = is && fits(p, inverse ? a_at(p, r, c) / v->x[r] : a_at(p, r, c) * v->x[r], r, c);
            if (is) return must_format("A's with its inputs multiplied by %s%s of A", inverse ? "1 / " : "", v->name);
        }
    return NULL;
}

static relation_kind kind_of(const pair *p, const relation_hints *h, double most, char **text)
{
    const long rows = p->B->rows, cols = p->B->cols;
    double c = 0;
    const char *type;
    if (!p->blocks && (type = coarser(p))) {
        *text = must_format("A's rounded to %s, though it is not stored so", type);
        return RELATION_COARSER;
    }
    if (rows == cols && rows > 1) {
        bool is = true;
        EACH(p, i, j) is = is && fits(p, a_at(p, j, i), i, j);
        if (is) {
            *text = must_strdup("A's, transposed");
            return RELATION_TRANSPOSED;
        }
    }
    for (int k = -2; h->gain && k <= 2; k++)
        if (k && offset(p, k)) {
            *text = must_format("A's %c %d: one multiplies by w, the other by 1 + w", k < 0 ? '-' : '+', abs(k));
            return RELATION_OFFSET;
        }
    if (h->head && h->rotary && (*text = pairs_moved(p, h))) return RELATION_PAIRS;
    if (h->head && (*text = heads_moved(p, h))) return RELATION_HEADS;
    for (long by = -2; h->positions && by <= 2; by++)
        if (by && shifted(p, by)) {
            *text = must_format("A's with positions off by %ld: its row t is A's row t %c %ld", labs(by),
                                by < 0 ? '-' : '+', labs(by));
            return RELATION_SHIFTED;
        }
    if ((*text = folded_in_blocks(p, h))) return RELATION_ROWS_SCALED;
    if (scaled(p, &c)) {
        *text = must_format("A's times %.9g", c);
        return RELATION_SCALED;
    }
    const relation_kind lines = lines_of(p, h, text);
    if (lines != RELATION_NONE) return lines;
    if (h->constants && !no_constants(p, most) && constants(p)) {
        *text = must_strdup("A's and a constant for each input: all logits of a token move together");
        return RELATION_CONSTANTS;
    }
    for (int k = 0; k < 2; k++)
        if ((k == 0 ? cols : rows) > 1 && permuted(p, k == 1)) {
            *text = must_format("A's with its %s in another order", k == 0 ? "outputs" : "inputs");
            return RELATION_PERMUTED;
        }
    return RELATION_NONE;
}

/* Bit by bit: 0 is not -0. */
static bool equal(const pair *p)
{
    EACH(p, r, c) if (a_at(p, r, c) != b_at(p, r, c) || signbit(a_at(p, r, c)) != signbit(b_at(p, r, c))) return false;
    return true;
}

/* What roundings of an entry are measured by: B's, or what it is a sum of. */
static double size_at(const pair *p, const relation_hints *h, long r, long c)
{
    double size = 0;
    for (int k = 0; k < 2; k++) size += h->sizes[k] ? h->sizes[k][r * p->B->cols + c] : 0;
    return fmax(fabs(b_at(p, r, c)), size);
}

/* Lines as they lie in memory. */
typedef struct { const pair *p; const relation_hints *h; } hinted;
static void row_of_pair(void *of, long k, double *size, double *lost)
{
    const pair *p = ((const hinted *)of)->p;
    const bool turned = p->B->turned;
    const long n = turned ? p->B->rows : p->B->cols;
    for (long i = 0; i < n; i++) {
        const long r = turned ? i : k, c = turned ? k : i;
        const double off = fabs(a_at(p, r, c) - b_at(p, r, c));
        size[i] = fmax(fabs(b_at(p, r, c)), off);
        lost[i] = lost_of(off, ROUNDING_UNITS, p->u, size_at(p, ((const hinted *)of)->h, r, c));
    }
}

static bool lost_in(const pair *p, const relation_hints *h)
{
    hinted of = { p, h };
    const bool turned = p->B->turned;
    return numbers_lost(&(lost_numbers){ turned ? p->B->cols : p->B->rows, turned ? p->B->rows : p->B->cols,
                                         p->u, h->each, row_of_pair, &of });
}

static related related_by(const pair *p, const relation_hints *h, const known_apart *is)
{
    related r = { .gap = is->off > 0 ? is->off / is->most : 0, .units = is->units };
    const bool rounded = r.units <= ROUNDING_UNITS, lost = rounded && is->lost;
    if (lost) r.text = must_strdup("A's, whose numbers are lost below the least ones of its type");
    r.kind = lost ? RELATION_NONE : rounded ? RELATION_ROUNDED : kind_of(p, h, is->most, &r.text);
    if (!r.text) r.text = must_strdup(r.kind == RELATION_ROUNDED ? "equal to rounding" : "different numbers");
    return r;
}

static double summed_most(const pair *p) { return fmin(SUMMED_MOST, SUMMED_OFF / p->u); }

/* Is that row of A or B a sum of far larger ones? */
static bool *far_smaller(const pair *p, const relation_hints *h)
{
    bool *far = must_calloc((size_t)p->B->rows, sizeof *far);
    double *size = must_calloc((size_t)p->B->rows, sizeof *size), *sum = must_calloc((size_t)p->B->rows, sizeof *sum);
    for (int k = 0; k < 2; k++) {
        if (!h->sizes[k]) continue;
        memset(size, 0, (size_t)p->B->rows * sizeof *size);
        memset(sum, 0, (size_t)p->B->rows * sizeof *sum);
        EACH(p, r, c) {
            size[r] += h->sizes[k][r * p->B->cols + c];
            sum[r] += fabs(k ? b_at(p, r, c) : a_at(p, r, c));
        }
        for (long r = 0; r < p->B->rows; r++) far[r] = far[r] || size[r] > summed_most(p) * sum[r];
    }
    free(size);
    free(sum);
    return far;
}

/* Units of sums: of what they are sums of.  *in_all: also of rows that are far smaller. */
static double units_of_sums(const pair *p, const relation_hints *h, double *in_all)
{
    const rounding by = { p->u, p->least };
    bool *far = far_smaller(p, h);
    double units = 0;
    *in_all = 0;
    EACH(p, r, c) {
        const double b = fabs(b_at(p, r, c)), off = fabs(a_at(p, r, c) - b_at(p, r, c)), size = size_at(p, h, r, c);
        units = fmax(units, rounding_units(&by, off, far[r] ? b : size));
        *in_all = fmax(*in_all, rounding_units(&by, off, size));
    }
    free(far);
    return units;
}

related relation_apart(weight_matrix *A, weight_matrix *B, const relation_hints *h, const known_apart *is)
{
    REQUIRE(A->rows == B->rows && A->cols == B->cols, "%ldx%ld, %ldx%ld", A->rows, A->cols, B->rows, B->cols);
    const rounding by = rounding_of(A->type, B->type);
    block_reader blocks = { .t = h->blocks ? h->blocks->t : NULL };
    return related_by(&(pair){ A, B, by.unit, by.least, h->blocks, h->blocks ? &blocks : NULL }, h, is);
}

related relation_of(weight_matrix *A, weight_matrix *B, const relation_hints *h)
{
    REQUIRE(A->rows == B->rows && A->cols == B->cols, "%ldx%ld, %ldx%ld", A->rows, A->cols, B->rows, B->cols);
    rounding by = rounding_of(A->type, B->type);
    if (h->added > 1) by.least *= (double)h->added;                      /* |sum of b - a| <= u sum |b| + n least */
    block_reader blocks = { .t = h->blocks ? h->blocks->t : NULL };
    const pair p = { A, B, by.unit, by.least, h->blocks, h->blocks ? &blocks : NULL };
    if (equal(&p)) return (related){ .kind = RELATION_EQUAL, .text = must_strdup("equal") };
    known_apart is = { 0, 0, 0, false };
    double in_all;
    bool below = false;
    EACH(&p, r, c) {
        const double a = a_at(&p, r, c), b = b_at(&p, r, c), off = fabs(a - b);
        is.most = fmax(is.most, fmax(fabs(a), fabs(b)));
        is.off = fmax(is.off, off);
        below = below || off > ROUNDING_UNITS * by.unit * size_at(&p, h, r, c);
    }
    is.units = units_of_sums(&p, h, &in_all);
    if (is.units > ROUNDING_UNITS && in_all <= ROUNDING_UNITS)
        return (related){ .kind = RELATION_NONE, .gap = is.off / is.most, .units = is.units, .open = true,
                          .text = must_format("sums of rows that are more than %g times as large, whose rounding would "
                                              "explain other numbers, too", summed_most(&p)) };
    is.lost = below && is.units <= ROUNDING_UNITS && lost_in(&p, h);
    return related_by(&p, h, &is);
}
