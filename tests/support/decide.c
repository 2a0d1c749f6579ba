/* SPDX-License-Identifier: GPL-3.0-or-later
 * decide.c - independent decisions about the statements of certificates: see decide.h. */
#include "tests/support/decide.h"
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/methods/relu/relu.h"

enum { MOST = 2048, LINE = 1 << 14 };

/* ---- reading: lines of words ---- */

typedef struct { const char *at; char line[LINE], *word[MOST]; int n; } reader;

static bool text_next_line(reader *in)
{
    const char *stop = strchr(in->at, '\n');
    if (!stop || stop - in->at >= LINE) return false;
    memcpy(in->line, in->at, (size_t)(stop - in->at));
    in->line[stop - in->at] = '\0';
    in->at = stop + 1;
    in->n = 0;
    char *save = NULL;
    for (char *w = strtok_r(in->line, " ", &save); w && in->n < MOST; w = strtok_r(NULL, " ", &save)) in->word[in->n++] = w;
    return in->n > 0;
}

static bool is(const reader *in, const char *word) { return strcmp(in->word[0], word) == 0; }

/* ---- rational matrices by name ---- */

typedef struct { char name[64]; fmpq_mat_t A; } named;
typedef struct { named at[MOST]; long n; } table;

static fmpq_mat_struct *find(table *t, const char *name)
{
    for (long k = 0; k < t->n; k++) if (strcmp(t->at[k].name, name) == 0) return t->at[k].A;
    return NULL;
}

static bool read_value(reader *in, table *t)         /* `matrix` with its rows, or `value` */
{
    named *x = &t->at[t->n++];
    const bool number = is(in, "value");
    snprintf(x->name, sizeof x->name, "%s", in->word[1]);
    fmpq_mat_init(x->A, number ? 1 : atol(in->word[2]), number ? 1 : atol(in->word[3]));
    if (number) return fmpq_set_str(fmpq_mat_entry(x->A, 0, 0), in->word[2], 10) == 0;
    for (long i = 0; i < fmpq_mat_nrows(x->A); i++) {
        if (!text_next_line(in) || in->n != fmpq_mat_ncols(x->A)) return false;
        for (long j = 0; j < in->n; j++)
            if (fmpq_set_str(fmpq_mat_entry(x->A, i, j), in->word[j], 10) != 0) return false;
    }
    return true;
}

static void clear(table *t)
{
    for (long k = 0; k < t->n; k++) fmpq_mat_clear(t->at[k].A);
}

/* ---- ReLU networks, and sets J ---- */

static relu_net net_of(table *t, const char *W1, const char *W2, const char *Z)
{
    relu_net f;
    const fmpq_mat_struct *A = find(t, W1), *B = find(t, W2);
    relu_net_init(&f, fmpq_mat_ncols(A), fmpq_mat_nrows(A), fmpq_mat_nrows(B));
    fmpq_mat_set(f.W1, A);
    fmpq_mat_set(f.W2, B);
    fmpq_mat_set(f.Z, find(t, Z));
    return f;
}

static bool same_networks(table *t)
{
    relu_net f = net_of(t, "W1", "W2", "Z"), g = net_of(t, "V1", "V2", "Y");
    const bool same = relu_same(&f, &g);
    relu_net_clear(&f);
    relu_net_clear(&g);
    return same;
}

/* Is Z + the sum of some of w2_j w1_j zero, where the first j are chosen already? */
static bool some_J(const relu_net *f, const fmpq_mat_t Z, long j)
{
    if (j == fmpq_mat_nrows(f->W1)) return fmpq_mat_is_zero(Z);
    fmpq_mat_t with;
    fmpq_mat_init_set(with, Z);
    for (long i = 0; i < fmpq_mat_nrows(Z); i++)
        for (long l = 0; l < fmpq_mat_ncols(Z); l++)
            fmpq_addmul(fmpq_mat_entry(with, i, l), fmpq_mat_entry(f->W2, i, j), fmpq_mat_entry(f->W1, j, l));
    const bool found = some_J(f, Z, j + 1) || some_J(f, with, j + 1);
    fmpq_mat_clear(with);
    return found;
}

/* ---- formulas in reverse Polish notation ---- */

static bool evaluate(fmpq_mat_t result, table *t, char **word, int n)
{
    fmpq_mat_t stack[64];
    int top = 0;
    bool good = true;
    for (int k = 0; k < n && good && top < 63; k++) {
        const char *op = strlen(word[k]) == 1 ? word[k] : "";
        const fmpq_mat_struct *A = find(t, word[k]);
        if (*op == '\'' && top >= 1) {
            fmpq_mat_t T;
            fmpq_mat_init(T, fmpq_mat_ncols(stack[top - 1]), fmpq_mat_nrows(stack[top - 1]));
            fmpq_mat_transpose(T, stack[top - 1]);
            fmpq_mat_swap(T, stack[top - 1]);
            fmpq_mat_clear(T);
        } else if (*op && strchr("+-*/", *op) && top >= 2) {
            fmpq_mat_struct *a = stack[top - 2], *b = stack[top - 1];
            const bool sum = *op == '+' || *op == '-';
            const long r = fmpq_mat_nrows(a), c = sum ? fmpq_mat_ncols(a) : fmpq_mat_ncols(b);
            fmpq_mat_t C;
            fmpq_mat_init(C, r, c);
            good = sum ? fmpq_mat_nrows(b) == r && fmpq_mat_ncols(b) == c : fmpq_mat_ncols(a) == fmpq_mat_nrows(b);
            if (good && *op == '/') good = fmpq_mat_nrows(b) == 1 && c == 1 && !fmpq_mat_is_zero(b);
            if (good && *op == '/') fmpq_inv(fmpq_mat_entry(b, 0, 0), fmpq_mat_entry(b, 0, 0));
            if (good && *op == '+') fmpq_mat_add(C, a, b);
            if (good && *op == '-') fmpq_mat_sub(C, a, b);
            if (good && !sum) fmpq_mat_mul(C, a, b);
            fmpq_mat_swap(a, C);
            fmpq_mat_clear(C);
            fmpq_mat_clear(stack[--top]);
        } else if (A) {
            fmpq_mat_init_set(stack[top++], A);
        } else {
            fmpq_mat_init(stack[top++], 1, 1);
            good = fmpq_set_str(fmpq_mat_entry(stack[top - 1], 0, 0), word[k], 10) == 0;
        }
    }
    good = good && top == 1;
    if (good) fmpq_mat_init_set(result, stack[0]);
    while (top > 0) fmpq_mat_clear(stack[--top]);
    return good;
}

static bool formula_holds(table *t, reader *in)
{
    int k = 1;
    while (k < in->n && !strchr("=!<", *in->word[k])) k++;
    fmpq_mat_t a, b;
    if (k == in->n || !evaluate(a, t, in->word + 1, k - 1)) return false;
    bool holds = false;
    if (evaluate(b, t, in->word + k + 1, in->n - k - 1)) {
        const char *op = in->word[k];
        const bool shapes = fmpq_mat_nrows(a) == fmpq_mat_nrows(b) && fmpq_mat_ncols(a) == fmpq_mat_ncols(b);
        const bool scalar = shapes && fmpq_mat_nrows(a) == 1 && fmpq_mat_ncols(a) == 1;
        const int order = scalar ? fmpq_cmp(fmpq_mat_entry(a, 0, 0), fmpq_mat_entry(b, 0, 0)) : 0;
        holds = shapes && (strcmp(op, "=") == 0 ? fmpq_mat_equal(a, b) : strcmp(op, "!=") == 0 ? !fmpq_mat_equal(a, b)
              : strcmp(op, "<") == 0 ? scalar && order < 0 : strcmp(op, "<=") == 0 && scalar && order <= 0);
        fmpq_mat_clear(b);
    }
    fmpq_mat_clear(a);
    return holds;
}

static bool numbers_true(reader *in, const char *kind)
{
    static table t;
    bool good = true, some = false;
    t.n = 0;
    while (good && text_next_line(in) && !is(in, "end")) {
        if (is(in, "matrix") || is(in, "value")) good = read_value(in, &t);
        else if (is(in, "formula")) good = some = formula_holds(&t, in);
        else good = is(in, "enumerate");
    }
    if (good && strcmp(kind, "relu-eq") == 0) good = some = same_networks(&t);
    if (good && strcmp(kind, "relu-neq") == 0) good = some = !same_networks(&t);
    if (good && strcmp(kind, "no-j") == 0) {
        relu_net f = net_of(&t, "W1", "W2", "Z");
        good = some = !some_J(&f, f.Z, 0);
        relu_net_clear(&f);
    }
    clear(&t);
    return good && some;
}

/* ---- symbolic certificates, over F_p ---- */

static const uint64_t Q = ((uint64_t)1 << 61) - 1;
typedef struct { char name[64]; long is; } size_value;
typedef struct { char name[64]; long node; } name_value;
typedef struct { char name[64]; bool half_odd, shift_invariant, stochastic; } property;
typedef struct {
    uint64_t   key[2];
    size_value sizes[64]; long nsizes;
    name_value names[MOST]; long nnames;
    property   of[MOST]; long nfunctions;
    nmod_mat_t node[MOST]; long n;
} model_of;

/* A size is a number, a sum that was declared, or a free name: 2 .. 4, the same each time */
static long size_of(model_of *m, const char *name)
{
    if (*name >= '0' && *name <= '9') return atol(name);
    for (long k = 0; k < m->nsizes; k++) if (strcmp(m->sizes[k].name, name) == 0) return m->sizes[k].is;
    uint64_t key[2];
    random_key_derive(key, m->key, name);
    return 2 + (long)random_below(key, 0, 3);
}

static void fill(nmod_mat_t A, const uint64_t key[2])
{
    for (long i = 0; i < nmod_mat_nrows(A); i++)
        for (long j = 0; j < nmod_mat_ncols(A); j++)
            nmod_mat_entry(A, i, j) = random_below(key, (uint64_t)(i * nmod_mat_ncols(A) + j), Q);
}

static void make_orthogonal(nmod_mat_t A)            /* (I - S)(I + S)^-1, S = A - A' */
{
    const long n = nmod_mat_nrows(A);
    nmod_mat_t S, T, I;
    nmod_mat_init(S, n, n, Q);
    nmod_mat_init(T, n, n, Q);
    nmod_mat_init(I, n, n, Q);
    nmod_mat_one(I);
    nmod_mat_transpose(T, A);
    nmod_mat_sub(S, A, T);
    nmod_mat_add(T, I, S);
    nmod_mat_sub(S, I, S);
    if (nmod_mat_inv(T, T)) nmod_mat_mul(A, S, T);
    nmod_mat_clear(S);
    nmod_mat_clear(T);
    nmod_mat_clear(I);
}

static void declare_function(model_of *m, char **word, int n)
{
    property *f = &m->of[m->nfunctions++];
    *f = (property){ .half_odd = false };
    snprintf(f->name, sizeof f->name, "%s", word[1]);
    for (int k = 2; k < n; k++) {
        f->half_odd |= strcmp(word[k], "half-odd") == 0;
        f->shift_invariant |= strcmp(word[k], "shift-invariant") == 0;
        f->stochastic |= strcmp(word[k], "stochastic") == 0;
    }
}

static property property_of(const model_of *m, const char *name)
{
    for (long k = 0; k < m->nfunctions; k++) if (strcmp(m->of[k].name, name) == 0) return m->of[k];
    return (property){ .half_odd = false };
}

static void less_last_column(nmod_mat_t A)           /* the same for A + c 1' */
{
    const long last = nmod_mat_ncols(A) - 1;
    for (long i = 0; i < nmod_mat_nrows(A); i++) {
        const uint64_t c = nmod_mat_entry(A, i, last);
        for (long j = 0; j <= last; j++) nmod_mat_entry(A, i, j) = n_submod(nmod_mat_entry(A, i, j), c, Q);
    }
}

static void up_to_sign(nmod_mat_t A)                 /* the same for A and -A */
{
    const long cols = nmod_mat_ncols(A), n = nmod_mat_nrows(A) * cols;
    long k = 0;
    while (k < n && nmod_mat_entry(A, k / cols, k % cols) == 0) k++;
    if (k < n && nmod_mat_entry(A, k / cols, k % cols) > Q / 2) nmod_mat_neg(A, A);
}

static void make_rows_sum_to_one(nmod_mat_t A)
{
    const long last = nmod_mat_ncols(A) - 1;
    for (long i = 0; i < nmod_mat_nrows(A); i++) {
        uint64_t rest = 1;
        for (long j = 0; j < last; j++) rest = n_submod(rest, nmod_mat_entry(A, i, j), Q);
        nmod_mat_entry(A, i, last) = rest;
    }
}

/* F(a, b): keyed by the name, the shapes and all entries of the arguments; half-odd: e(a) + a/2 with an even e */
static bool make_value(model_of *m, nmod_mat_t A, char **word, int n)
{
    char text[96];
    uint64_t key[2], hash[2];
    const property f = property_of(m, word[2]);
    snprintf(text, sizeof text, "value:%s", word[2]);
    random_key_derive(key, m->key, text);
    for (int k = 5; k < n; k++) {
        nmod_mat_t B;
        nmod_mat_init_set(B, m->node[atol(word[k])]);
        if (f.shift_invariant) less_last_column(B);
        if (f.half_odd) up_to_sign(B);
        for (long i = 0; i < nmod_mat_nrows(B); i++)
            for (long j = 0; j < nmod_mat_ncols(B); j++) {
                const uint64_t at[] = { key[0], key[1], nmod_mat_entry(B, i, j), (uint64_t)i, (uint64_t)nmod_mat_ncols(B) };
                hash[0] = random_siphash(m->key, at, sizeof at);
                hash[1] = random_siphash(key, at, sizeof at);
                memcpy(key, hash, sizeof key);
            }
        nmod_mat_clear(B);
    }
    fill(A, key);
    if (f.stochastic) make_rows_sum_to_one(A);
    if (!f.half_odd) return true;
    nmod_mat_t half;
    nmod_mat_init_set(half, m->node[atol(word[5])]);
    const bool fits = nmod_mat_nrows(half) == nmod_mat_nrows(A) && nmod_mat_ncols(half) == nmod_mat_ncols(A);
    nmod_mat_scalar_mul(half, half, n_invmod(2, Q));
    if (fits) nmod_mat_add(A, A, half);
    nmod_mat_clear(half);
    return fits;
}

static uint64_t coefficient(const char *text)
{
    fmpq_t x;
    fmpq_init(x);
    fmpq_set_str(x, text, 10);
    const uint64_t num = fmpz_fdiv_ui(fmpq_numref(x), Q), den = fmpz_fdiv_ui(fmpq_denref(x), Q);
    fmpq_clear(x);
    return n_mulmod2(num, n_invmod(den, Q), Q);
}

static bool make_node(model_of *m, char **word, int n)               /* word[1] is the operation */
{
    nmod_mat_struct *A = m->node[m->n];
    const char *op = word[1];
    uint64_t key[2];
    if (strcmp(op, "product") == 0) {
        const nmod_mat_struct *a = m->node[atol(word[2])], *b = m->node[atol(word[3])];
        if (nmod_mat_ncols(a) != nmod_mat_nrows(b)) return false;
        nmod_mat_init(A, nmod_mat_nrows(a), nmod_mat_ncols(b), Q);
        nmod_mat_mul(A, a, b);
    } else if (strcmp(op, "transpose") == 0) {
        const nmod_mat_struct *a = m->node[atol(word[2])];
        nmod_mat_init(A, nmod_mat_ncols(a), nmod_mat_nrows(a), Q);
        nmod_mat_transpose(A, a);
    } else if (strcmp(op, "sum") == 0) {
        const nmod_mat_struct *a = m->node[atol(word[3])];
        nmod_mat_init(A, nmod_mat_nrows(a), nmod_mat_ncols(a), Q);
        for (int k = 2; k + 1 < n; k += 2) {
            nmod_mat_t scaled;
            nmod_mat_init_set(scaled, m->node[atol(word[k + 1])]);
            const bool fits = nmod_mat_nrows(scaled) == nmod_mat_nrows(A) && nmod_mat_ncols(scaled) == nmod_mat_ncols(A);
            if (fits) nmod_mat_scalar_mul(scaled, scaled, coefficient(word[k]));
            if (fits) nmod_mat_add(A, A, scaled);
            nmod_mat_clear(scaled);
            if (!fits) { nmod_mat_clear(A); return false; }
        }
    } else if (strcmp(op, "identity") == 0) {
        nmod_mat_init(A, size_of(m, word[2]), size_of(m, word[2]), Q);
        nmod_mat_one(A);
    } else if (strcmp(op, "ones") == 0) {
        nmod_mat_init(A, size_of(m, word[2]), 1, Q);
        for (long i = 0; i < nmod_mat_nrows(A); i++) nmod_mat_entry(A, i, 0) = 1;
    } else if (strcmp(op, "block") == 0) {
        char part[80];
        long from = 0;
        for (long k = 0; k < atol(word[3]); k++) {
            snprintf(part, sizeof part, "%s/%ld", word[2], k);
            from += size_of(m, part);
        }
        snprintf(part, sizeof part, "%s/%ld", word[2], atol(word[3]));
        nmod_mat_init(A, size_of(m, word[2]), size_of(m, part), Q);
        for (long j = 0; j < nmod_mat_ncols(A); j++) nmod_mat_entry(A, from + j, j) = 1;
    } else {
        nmod_mat_init(A, size_of(m, word[3]), size_of(m, word[4]), Q);
        random_key_derive(key, m->key, word[2]);
        if (strcmp(op, "value") != 0) fill(A, key);
        else if (!make_value(m, A, word, n)) { nmod_mat_clear(A); return false; }
        if (strcmp(op, "matrix") == 0 && n == 6) make_orthogonal(A);
        for (long k = 0; strcmp(op, "matrix") == 0 && n == 7 && k < m->nnames; k++)
            if (strcmp(m->names[k].name, word[6]) == 0 && !nmod_mat_inv(A, m->node[m->names[k].node])) return false;
        if (strcmp(op, "matrix") == 0) {
            name_value *v = &m->names[m->nnames++];
            snprintf(v->name, sizeof v->name, "%s", word[2]);
            v->node = m->n;
        }
    }
    m->n++;
    return true;
}

static bool declare_sum(model_of *m, char **word, int n)
{
    long total = 0;
    if (m->nsizes + n > 64) return false;
    for (int k = 2; k < n; k++) {
        const long is = size_of(m, word[k]);
        size_value *v = &m->sizes[m->nsizes++];
        snprintf(v->name, sizeof v->name, "%.40s/%d", word[1], k - 2);
        v->is = is;
        total += is;
    }
    size_value *v = &m->sizes[m->nsizes++];
    snprintf(v->name, sizeof v->name, "%s", word[1]);
    v->is = total;
    return true;
}

static bool equations_true(reader *in, uint64_t seed)
{
    static model_of m;
    bool good = true, some = false;
    m.key[0] = seed;
    m.key[1] = 1;
    m.n = m.nsizes = m.nnames = m.nfunctions = 0;
    while (good && text_next_line(in) && !is(in, "end")) {
        if (is(in, "size")) good = declare_sum(&m, in->word, in->n);
        else if (is(in, "function")) declare_function(&m, in->word, in->n);
        else if (is(in, "equal")) {
            const nmod_mat_struct *a = m.node[atol(in->word[1])], *b = m.node[atol(in->word[2])];
            good = some = nmod_mat_nrows(a) == nmod_mat_nrows(b) && nmod_mat_ncols(a) == nmod_mat_ncols(b) && nmod_mat_equal(a, b);
        } else good = m.n < MOST - 1 && make_node(&m, in->word, in->n);
    }
    while (m.n > 0) nmod_mat_clear(m.node[--m.n]);
    return good && some;
}

bool statement_is_true(const char *text)
{
    static reader in;
    char kind[32] = "";
    in.at = text;
    do {
        if (!text_next_line(&in)) return false;
        if (is(&in, "kind")) snprintf(kind, sizeof kind, "%s", in.word[1]);
    } while (!is(&in, "says"));
    const char *data = in.at;
    bool is_true = true;
    for (uint64_t seed = 1; strcmp(kind, "sym") == 0 && is_true && seed <= 3; seed++) {
        in.at = data;
        is_true = equations_true(&in, seed);
    }
    return strcmp(kind, "sym") == 0 ? is_true : numbers_true(&in, kind);
}
