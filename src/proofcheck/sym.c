/* SPDX-License-Identifier: GPL-3.0-or-later
 * sym.c - kind `sym`: reads sizes, functions, nodes and equations, and compares normal forms (words.c).
 *
 * What is declared must be used, so nothing can be taken out of a certificate that has to do with what stays: a node
 * by a later one or an equation, a size by a block, a function by a value.  Each hypothesis that is declared is hence
 * one of the statement's own, and all are printed. */
#include "src/proofcheck/words.h"

static char *size_at(checker *c, int k)              /* a name, or a number from 1 to 999999 */
{
    char *p = text_line_word(c, k);
    if (*p < '0' || *p > '9') return text_line_name(c, k);
    check_that(c, text_read_whole(c, p, 999999) > 0, "a size of 0");
    return p;
}

static const node *node_at(checker *c, int k)
{
    symbols *s = c->symbols;
    node *p = &s->nodes[text_read_whole(c, text_line_word(c, k), s->nnodes - 1)];
    p->used = true;
    return p;
}

static void assume(checker *c, const char *property, const char *of)
{
    const char *so_far = c->assumes ? check_join(c, c->assumes, "; ", "") : "";
    c->assumes = check_join(c, so_far, property, of);
}

/* ---- declarations ---- */

static void read_size(checker *c)                    /* size d k k: d = k + k; the parts are not declared later */
{
    symbols *s = c->symbols;
    check_that(c, c->words > 2 && s->nsizes < SIZES, "too few words, or too many sizes");
    size *d = &s->sizes[s->nsizes];
    d->name = text_line_name(c, 1);
    d->parts = c->words - 2;
    d->part = check_alloc(c, (size_t)d->parts * sizeof *d->part);
    for (int i = 0; i < d->parts; i++) {
        d->part[i] = size_at(c, 2 + i);
        check_that(c, !text_equal(d->part[i], d->name), "a size that is a part of itself");
    }
    for (long k = 0; k < s->nsizes; k++) {
        check_that(c, !text_equal(s->sizes[k].name, d->name), "a size declared twice");
        for (int i = 0; i < s->sizes[k].parts; i++)
            check_that(c, !text_equal(s->sizes[k].part[i], d->name), "a size declared after it was used as a part");
    }
    s->nsizes++;
}

static void read_property(checker *c, function *f, int k)
{
    static const char *const names[] = { "half-odd", "shift-invariant", "stochastic" };
    bool *const has[] = { &f->half_odd, &f->shift_invariant, &f->stochastic };
    for (int i = 0; i < 3; i++) {
        if (!text_equal(c->word[k], names[i])) continue;
        check_that(c, !*has[i], "a property that is declared twice");
        *has[i] = true;
        assume(c, check_join(c, names[i], " ", ""), f->name);
        return;
    }
    check_reject(c, "unknown property", c->word[k]);
}

static void read_function(checker *c)                /* function f PROPERTY.. */
{
    symbols *s = c->symbols;
    check_that(c, c->words > 2 && s->nfunctions < NAMES, "too few words, or too many functions");
    function *f = &s->functions[s->nfunctions];
    f->name = text_line_name(c, 1);
    for (long k = 0; k < s->nfunctions; k++)
        check_that(c, !text_equal(s->functions[k].name, f->name), "a function declared twice");
    for (int k = 2; k < c->words; k++) read_property(c, f, k);
    check_that(c, !f->half_odd || c->words == 3, "a half-odd function has no other property");
    s->nfunctions++;
}

/* ---- values of functions ---- */

static function *properties_of(checker *c, const char *name)         /* NULL: none is declared */
{
    symbols *s = c->symbols;
    for (long k = 0; k < s->nfunctions; k++)
        if (text_equal(s->functions[k].name, name)) return &s->functions[k];
    return NULL;
}

/* Step 9: S without its terms w 1', which add a constant to each row */
static const node *without_row_constants(checker *c, const node *S)
{
    node *p = check_alloc(c, sizeof *p);
    *p = (node){ .r = S->r, .c = S->c };
    for (const term *t = S->t; t != words_end(S); t++) {
        const token last = t->n ? t->w[t->n - 1] : 0;
        const bool constant = last & 1 && c->symbols->atoms[last / 2].kind == ONES;
        if (!constant) words_add(c, p, t->k, t, &words_none);
    }
    words_normalise(c, p);
    return p;
}

/* Y or -Y: of the two, the one whose first term is positive */
static const node *up_to_sign(checker *c, const node *Y)
{
    if (Y->n == 0 || mpq_sgn(Y->t[0].k) > 0) return Y;
    node *p = check_alloc(c, sizeof *p);
    *p = (node){ .r = Y->r, .c = Y->c };
    for (const term *t = Y->t; t != words_end(Y); t++) {
        mpq_neg(c->x, t->k);
        words_add(c, p, c->x, t, &words_none);
    }
    words_normalise(c, p);
    return p;
}

static void add_multiple(checker *c, node *p, const mpq_t k, const node *a)          /* p += k a */
{
    check_that(c, text_equal(p->r, a->r) && text_equal(p->c, a->c), "a sum of different shapes");
    for (const term *t = a->t; t != words_end(a); t++) {
        mpq_mul(c->x, k, t->k);
        words_add(c, p, c->x, t, &words_none);
    }
}

static void add_atom(checker *c, node *p, const atom *a)
{
    const token w = words_token(c, a);
    p->r = a->r;
    p->c = a->c;
    mpq_set_ui(c->x, 1, 1);
    words_add(c, p, c->x, &(term){ .n = 1, .w = &w }, &words_none);
}

static void read_value(checker *c, node *p)          /* value f R C a [b] */
{
    check_that(c, c->words == 6 || c->words == 7, "a value has one or two operands");
    atom a = { .kind = VALUE, .name = text_line_name(c, 2), .r = size_at(c, 3), .c = size_at(c, 4),
               .args = c->words - 5 };
    const node *Y = node_at(c, 5);
    function *f = properties_of(c, a.name);
    a.arg[0] = Y;
    if (a.args == 2) a.arg[1] = node_at(c, 6);
    if (f) {
        f->used = true;
        check_that(c, a.args == 1, "a function with properties has one operand");
        const bool same_shape = text_equal(a.r, Y->r) && text_equal(a.c, Y->c);
        check_that(c, !f->half_odd || same_shape, "a half-odd function whose operand has another shape");
        if (f->shift_invariant) a.arg[0] = without_row_constants(c, Y);
        if (f->half_odd) a.arg[0] = up_to_sign(c, Y);
        a.stochastic = f->stochastic;
    }
    add_atom(c, p, &a);
    if (f && f->half_odd) {                                                                          /* step 10 */
        mpq_set_ui(c->y, 1, 2);
        add_multiple(c, p, c->y, Y);
    }
}

/* ---- other nodes ---- */

static const char bad_property[] = "expected `orthogonal` or `inverse NAME` after a square shape";

static void read_matrix_node(checker *c, node *p)    /* matrix A R C [orthogonal | inverse B] */
{
    symbols *s = c->symbols;
    const atom a = { .kind = NAMED, .name = text_line_name(c, 2), .r = size_at(c, 3), .c = size_at(c, 4) };
    for (long k = 1; k < s->natoms; k++) {
        const bool taken = s->atoms[k].kind == NAMED && text_equal(s->atoms[k].name, a.name);
        check_that(c, !taken, "two matrices of the same name");
    }
    const token w = words_token(c, &a);
    atom *A = &s->atoms[w / 2];
    A->node = s->nnodes;
    if (c->words > 5) check_that(c, text_equal(a.r, a.c), "not a square matrix");
    if (c->words == 6) {
        check_that(c, text_equal(c->word[5], "orthogonal"), bad_property);
        A->inverse = w ^ 1;
        assume(c, "orthogonal ", A->name);
    } else if (c->words == 7) {
        check_that(c, text_equal(c->word[5], "inverse"), bad_property);
        atom *B = s->atoms + 1;
        while (B < A && (B->kind != NAMED || !text_equal(B->name, c->word[6]))) B++;
        check_that(c, B < A && !B->inverse && text_equal(B->r, a.r) && text_equal(B->c, a.c),
                   "no such matrix to invert");
        A->inverse = 2 * (token)(B - s->atoms);
        B->inverse = w;
        s->nodes[B->node].used = true;
        assume(c, "invertible ", B->name);
    } else {
        check_that(c, c->words == 5, "wrong number of words");
    }
    add_atom(c, p, A);
}

static void read_block(checker *c, node *p)          /* block d 0: E(d,0) */
{
    symbols *s = c->symbols;
    int k = 0;
    text_line_name(c, 2);
    while (k < s->nsizes && !text_equal(s->sizes[k].name, c->word[2])) k++;
    check_that(c, k < s->nsizes, "a block of a size that has no parts");
    size *d = &s->sizes[k];
    const int part = (int)text_read_whole(c, text_line_word(c, 3), d->parts - 1);
    d->used = true;
    const atom E = { .kind = BLOCK, .name = d->name, .r = d->name, .c = d->part[part], .size = k, .part = part };
    add_atom(c, p, &E);
}

static void read_identity(checker *c, node *p, char *n)
{
    p->r = p->c = n;
    mpq_set_ui(c->x, 1, 1);
    words_add(c, p, c->x, &words_none, &words_none);
}

static void read_ones(checker *c, node *p)           /* ones n: n x 1 */
{
    char *n = size_at(c, 2);
    if (text_equal(n, "1")) read_identity(c, p, n);
    else add_atom(c, p, &(atom){ .kind = ONES, .name = "", .r = n, .c = "1" });
}

static void read_product(checker *c, node *p)
{
    const node *a = node_at(c, 2), *b = node_at(c, 3);
    check_that(c, text_equal(a->c, b->r), "a product of shapes that do not fit");
    if (a->n > 1 && b->n > 1 && a->n * b->n > LONG) {                                                /* step 11 */
        a = words_abbreviated(c, a);
        b = words_abbreviated(c, b);
    }
    p->r = a->r;
    p->c = b->c;
    for (const term *s = a->t; s != words_end(a); s++)
        for (const term *t = b->t; t != words_end(b); t++) {
            mpq_mul(c->x, s->k, t->k);
            words_add(c, p, c->x, s, t);
        }
}

static void read_sum(checker *c, node *p)            /* sum k a l b ..: k a + l b + .. */
{
    const node *first = node_at(c, 3);
    p->r = first->r;
    p->c = first->c;
    for (int k = 2; k < c->words; k += 2) {
        text_read_rational(c, c->y, c->word[k]);
        add_multiple(c, p, c->y, node_at(c, k + 1));
    }
}

static void read_node(checker *c)
{
    symbols *s = c->symbols;
    check_that(c, s->nnodes < NODES, "too many nodes");
    check_that(c, text_read_whole(c, c->word[0], NODES) == s->nnodes, "nodes are numbered 0, 1, 2, ..");
    const char *op = text_line_word(c, 1);
    node p = { 0 };
    if (text_equal(op, "matrix")) read_matrix_node(c, &p);
    else if (text_equal(op, "value")) read_value(c, &p);
    else if (text_equal(op, "sum") && c->words >= 4 && c->words % 2 == 0) read_sum(c, &p);
    else if (text_equal(op, "product") && c->words == 4) read_product(c, &p);
    else if (text_equal(op, "transpose") && c->words == 3) words_transpose(c, &p, node_at(c, 2));
    else if (text_equal(op, "identity") && c->words == 3) read_identity(c, &p, size_at(c, 2));
    else if (text_equal(op, "ones") && c->words == 3) read_ones(c, &p);
    else if (text_equal(op, "block") && c->words == 4) read_block(c, &p);
    else check_reject(c, "unknown operation, or wrong number of words", op);
    words_normalise(c, &p);
    s->nodes[s->nnodes++] = p;
}

/* ---- the whole ---- */

static void read_equation(checker *c)                /* equal a b WORDS */
{
    const node *a = node_at(c, 1), *b = node_at(c, 2);
    check_that(c, a != b, "an equation of a matrix with itself says nothing");
    check_that(c, words_equal(c, a, b), "the two normal forms differ");
}

static void require_all_used(checker *c)
{
    const symbols *s = c->symbols;
    char text[32];
    for (long k = 0; k < s->nsizes; k++)
        if (!s->sizes[k].used) check_reject(c, "no block uses the size", s->sizes[k].name);
    for (long k = 0; k < s->nfunctions; k++)
        if (!s->functions[k].used) check_reject(c, "no value uses the function", s->functions[k].name);
    for (long k = 0; k < s->nnodes; k++) {
        snprintf(text, sizeof text, "%ld", k);
        if (!s->nodes[k].used) check_reject(c, "no equation needs the node", text);
    }
}

void check_sym(checker *c)
{
    long equations = 0;
    c->symbols = check_alloc(c, sizeof *c->symbols);
    c->symbols->natoms = 1;                          /* atom 0 is none */
    c->symbols->atoms[0].name = "";
    for (text_next_line(c); text_equal(c->word[0], "size"); text_next_line(c)) read_size(c);
    for (; text_equal(c->word[0], "function"); text_next_line(c)) read_function(c);
    for (; !text_equal(c->word[0], "equal"); text_next_line(c)) read_node(c);
    for (; text_equal(c->word[0], "equal"); text_next_line(c)) {
        read_equation(c);
        equations++;
    }
    check_that(c, text_line_is(c, "end", 1), "expected a line `equal` or `end`");
    require_all_used(c);
    snprintf(c->proved, sizeof c->proved, "%ld equation%s", equations, equations == 1 ? "" : "s");
}
