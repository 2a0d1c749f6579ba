/* relation.c - see relation.h: each relation is tried in turn, on all entries; what is found holds to rounding. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/relation.h"

double unit_roundoff(numbers_type type)
{
    return type == NUMBERS_F64 ? 0x1p-53 : type == NUMBERS_F32 ? 0x1p-24 : type == NUMBERS_F16 ? 0x1p-11 : 0x1p-8;
}

double half_least(numbers_type type)
{
    return type == NUMBERS_F64 ? 0 : type == NUMBERS_F32 ? 0x1p-150 : type == NUMBERS_F16 ? 0x1p-25 : 0x1p-134;
}

typedef struct { weight_matrix *A, *B; double u, least; } pair;

/* |x - y| is at most `times` roundings of numbers of the size of x, y and z. */
static bool near(const pair *p, double x, double y, double z, double times)
{
    const double size = fmax(fmax(fabs(x), fabs(y)), fabs(z));
    return fabs(x - y) <= times * (1.001 * p->u * size + p->least);
}

static double a_at(const pair *p, long r, long c) { return weight_matrix_at(p->A, r, c); }
static double b_at(const pair *p, long r, long c) { return weight_matrix_at(p->B, r, c); }

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
    EACH(p, r, c) if (!near(p, a_at(p, row ? row[r] : r, col ? col[c] : c), b_at(p, r, c), 0, 1)) return false;
    return true;
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
        pair q = { p->A, p->B, unit_roundoff(to[k].type), half_least(to[k].type) };
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
    if (others < 2) return false;
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

/* Each row of B is that of A and a constant. */
static bool constants(const pair *p)
{
    double *size = must_calloc((size_t)p->B->rows, sizeof *size), *by = must_calloc((size_t)p->B->rows, sizeof *by);
    bool are = p->B->cols > 1;
    EACH(p, r, c) {
        const double a = a_at(p, r, c), b = b_at(p, r, c);
        size[r] = fmax(size[r], fmax(fabs(a), fabs(b)));
        if (c == 0) by[r] = b - a;
    }
    EACH(p, r, c) are = are && near(p, b_at(p, r, c) - a_at(p, r, c), by[r], size[r], 4);
    free(size);
    free(by);
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
                    found = h->heads_are_rows ? near(p, a_at(p, a * h->head + i, k), b_at(p, b * h->head + i, k), 0, 1)
                                              : near(p, a_at(p, k, a * h->head + i), b_at(p, k, b * h->head + i), 0, 1);
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
        for (long c = 0; c < p->B->cols; c++) if (!near(p, a_at(p, r + by, c), b_at(p, r, c), 0, 1)) return false;
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

/* The same rows, or columns, in another order: number by number.  Lines of equal tags are tried. */
static bool permuted(const pair *p, bool rows)
{
    const long lines = rows ? p->B->rows : p->B->cols;
    line *a = must_calloc((size_t)lines, sizeof *a), *b = must_calloc((size_t)lines, sizeof *b);
    long *from = must_calloc((size_t)lines, sizeof *from);
    for (long k = 0; k < lines; k++) a[k].at = b[k].at = k;
    EACH(p, r, c) {
        tag(&a[rows ? r : c].tag, a_at(p, r, c));
        tag(&b[rows ? r : c].tag, b_at(p, r, c));
    }
    qsort(a, (size_t)lines, sizeof *a, by_tag);
    qsort(b, (size_t)lines, sizeof *b, by_tag);
    bool same = lines > 1;
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

static relation_kind kind_of(const pair *p, const relation_hints *h, char **text)
{
    const long rows = p->B->rows, cols = p->B->cols;
    double c = 0;
    const char *type;
    if (moved(p, NULL, NULL)) return RELATION_ROUNDED;
    if ((type = coarser(p))) {
        *text = must_format("A's rounded to %s, though it is not stored so", type);
        return RELATION_COARSER;
    }
    if (rows == cols && rows > 1) {
        bool is = true;
        EACH(p, i, j) is = is && near(p, a_at(p, j, i), b_at(p, i, j), 0, 1);
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
    if (scaled(p, &c)) {
        *text = must_format("A's times %.9g", c);
        return RELATION_SCALED;
    }
    const relation_kind lines = lines_of(p, h, text);
    if (lines != RELATION_NONE) return lines;
    if (h->constants && constants(p)) {
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

static double gap_of(const pair *p)
{
    double most = 0, off = 0;
    EACH(p, r, c) {
        const double a = a_at(p, r, c), b = b_at(p, r, c);
        most = fmax(most, fmax(fabs(a), fabs(b)));
        off = fmax(off, fabs(a - b));
    }
    return off > 0 ? off / most : 0;
}

related relation_of(weight_matrix *A, weight_matrix *B, const relation_hints *h)
{
    REQUIRE(A->rows == B->rows && A->cols == B->cols, "%ldx%ld, %ldx%ld", A->rows, A->cols, B->rows, B->cols);
    const pair p = { A, B, unit_roundoff(A->type) + unit_roundoff(B->type), half_least(A->type) + half_least(B->type) };
    if (equal(&p)) return (related){ RELATION_EQUAL, 0, must_strdup("equal") };
    related r = { .gap = gap_of(&p) };
    r.kind = kind_of(&p, h, &r.text);
    if (!r.text) r.text = must_strdup(r.kind == RELATION_ROUNDED ? "equal to rounding" : "different numbers");
    return r;
}
