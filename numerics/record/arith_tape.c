/* arith_tape.c - reverse mode over matrices: each slot computes by the base and records one step; tape_backward
 * walks the steps from the last to the first.  With G = dY/dC the rules are
 *     C = A B      dA += G B'      dB += A' G            C = A o B      dA += G o B, dB += G o A
 *     C = S(A)     dA += S o (G - (S o G) 1 1')          softmax by rows
 *     C = rho(|z|^2) z by rows: dz += rho G + 2 rho' (G.z) z, z = x or x - mean(x)                             */
#include <math.h>
#include <stdlib.h>
#include "numerics/random.h"
#include "numerics/record/tape.h"

typedef struct { mat value, grad; bool has_grad; uint64_t pass; } node;     /* grad counts if pass is the tape's */

typedef enum { COPY, ADD, SUB, MUL, HADAMARD, SCALE_ROWS, TRANSPOSE, PHI, SOFTMAX, RADIAL, ROTATE } operation;
typedef struct {
    operation op;
    mat *C;
    const mat *A, *B;
    long ci, cj, ai, aj, r, c;           /* COPY: a block of A into a block of C                                  */
    mat saved[3];                        /* PHI: slope; RADIAL: z, rho, rho'                                      */
    int nsaved;
    bool centred;                        /* RADIAL: z = x - mean(x)                                               */
} step;

typedef struct {
    const arith *base;
    const tape_functions *f;
    tape_rules how;
    step *at;
    long  n, capacity;
    uint64_t pass;
} tape;

static tape *of(const arith *R)             { return R->state; }
static node *node_of(const mat *A)          { return A->rep; }
static const mat *val(const mat *A)         { return &node_of(A)->value; }
static mat *value(mat *A)                   { return &node_of(A)->value; }

static mat base_mat(const arith *base, long rows, long cols)
{
    mat A = { .R = base, .rows = rows, .cols = cols };
    base->init(&A);
    return A;
}

static void drop(mat *A) { A->R->clear(A); }
static void drop_all(long n, mat *const A[]) { for (long k = 0; k < n; k++) drop(A[k]); }

static step *record(operation op, mat *C, const mat *A, const mat *B)
{
    tape *T = of(C->R);
    if (T->n == T->capacity) {
        T->capacity = T->capacity ? 2 * T->capacity : 256;
        T->at = must_realloc(T->at, (size_t)T->capacity, sizeof *T->at);
    }
    T->at[T->n] = (step){ .op = op, .C = C, .A = A, .B = B };
    return &T->at[T->n++];
}

/* ---- forward: the slots --------------------------------------------------------------------------------------- */

static void init(mat *A)
{
    A->rep = must_calloc(1, sizeof(node));
    *value(A) = base_mat(of(A->R)->base, A->rows, A->cols);
}

static void clear(mat *A)
{
    if (node_of(A)->has_grad) drop(&node_of(A)->grad);
    drop(value(A));
    free(A->rep);
}

static void draw(mat *C, const drawing *how)                    { of(C->R)->f->draw(&of(C->R)->how, value(C), how); }
static void set_dyadic(mat *C, const int64_t *m, long e)        { value(C)->R->set_dyadic(value(C), m, e); }
static bool get_exact(mpq_t x, const mat *A, long i, long j)    { return val(A)->R->get_exact(x, val(A), i, j); }
static double get_d(const mat *A, long i, long j)               { return val(A)->R->get_d(val(A), i, j); }
static double log2max(const mat *A)                             { return val(A)->R->log2max(val(A)); }
static comparison compare(const mat *A, const mat *B, double log2bound)
{
    return val(A)->R->compare(val(A), val(B), log2bound);
}

static void copy(mat *C, long ci, long cj, const mat *A, long ai, long aj, long r, long c)
{
    step *s = record(COPY, C, A, NULL);
    s->ci = ci; s->cj = cj; s->ai = ai; s->aj = aj; s->r = r; s->c = c;
    value(C)->R->copy(value(C), ci, cj, val(A), ai, aj, r, c);
}

static void add(mat *C, const mat *A, const mat *B)
{
    record(ADD, C, A, B);
    value(C)->R->add(value(C), val(A), val(B));
}
static void sub(mat *C, const mat *A, const mat *B)
{
    record(SUB, C, A, B);
    value(C)->R->sub(value(C), val(A), val(B));
}
static void mul(mat *C, const mat *A, const mat *B)
{
    record(MUL, C, A, B);
    value(C)->R->mul(value(C), val(A), val(B));
}
static void hadamard(mat *C, const mat *A, const mat *B)
{
    record(HADAMARD, C, A, B);
    value(C)->R->hadamard(value(C), val(A), val(B));
}
static void scale_rows(mat *C, const mat *g, const mat *A)
{
    record(SCALE_ROWS, C, A, g);
    value(C)->R->scale_rows(value(C), val(g), val(A));
}
static void transpose(mat *C, const mat *A)
{
    record(TRANSPOSE, C, A, NULL);
    value(C)->R->transpose(value(C), val(A));
}

static truth inv(mat *C, const mat *A) { (void)C; (void)A; return UNDECIDED; }

/* The rules of this call: where functions answer afresh, each step has a key of its own. */
static tape_rules rules(const tape *T)
{
    tape_rules how = T->how;
    const uint64_t salt = (uint64_t)T->n;
    if (how.afresh) random_key_salt(how.key, T->how.key, 1, &salt);
    return how;
}

static truth phi(mat *C, const mat *A, activation kind, place at)
{
    (void)at;
    tape *T = of(C->R);
    step *s = record(PHI, C, A, NULL);
    const tape_rules how = rules(T);
    s->saved[s->nsaved++] = base_mat(T->base, A->rows, A->cols);
    return T->f->phi(&how, value(C), &s->saved[0], val(A), kind);
}

static truth row_map(mat *C, const mat *A, const rowmap *how, place at)
{
    (void)at;
    tape *T = of(C->R);
    if (how->kind != ROWMAP_SOFTMAX) return UNDECIDED;
    record(SOFTMAX, C, A, NULL);
    const tape_rules rule = rules(T);
    return T->f->softmax(&rule, value(C), val(A), how->visible);
}

static mat ones(const arith *base, long rows, long cols)
{
    mat A = base_mat(base, rows, cols);
    int64_t *m = must_calloc((size_t)(rows * cols), sizeof *m);
    for (long k = 0; k < rows * cols; k++) m[k] = 1;
    base->set_dyadic(&A, m, 0);
    free(m);
    return A;
}

/* A - A J, J = ones/cols: rows without their means. */
static mat centre(const arith *base, const mat *A)
{
    mat mean = base_mat(base, A->rows, A->cols), C = base_mat(base, A->rows, A->cols);
    mat sum = base_mat(base, A->rows, 1), column = ones(base, A->cols, 1), row = ones(base, 1, A->cols);
    mat width = base_mat(base, 1, 1), inverse = base_mat(base, 1, 1), scaled = base_mat(base, 1, A->cols);
    base->set_dyadic(&width, (const int64_t[]){ A->cols }, 0);
    (void)base->inv(&inverse, &width);
    base->mul(&scaled, &inverse, &row);
    base->mul(&sum, A, &column);
    base->mul(&mean, &sum, &scaled);
    base->sub(&C, A, &mean);
    drop_all(7, (mat *[]){ &mean, &sum, &column, &row, &width, &inverse, &scaled });
    return C;
}

/* The rows' sums of A o B, rows x 1. */
static mat row_products(const arith *base, const mat *A, const mat *B)
{
    mat AB = base_mat(base, A->rows, A->cols), column = ones(base, A->cols, 1), s = base_mat(base, A->rows, 1);
    base->hadamard(&AB, A, B);
    base->mul(&s, &AB, &column);
    drop(&AB);
    drop(&column);
    return s;
}

static truth norm(mat *C, const mat *A, norm_kind kind, long log2eps, place at)
{
    (void)at;
    tape *T = of(C->R);
    const arith *base = T->base;
    if (kind != NORM_RMS && kind != NORM_LAYER) return UNDECIDED;
    step *s = record(RADIAL, C, A, NULL);
    s->centred = kind == NORM_LAYER;
    s->nsaved = 3;
    mat *z = &s->saved[0], *rho = &s->saved[1], *slope = &s->saved[2];
    if (s->centred) *z = centre(base, val(A));
    else base->copy((*z = base_mat(base, A->rows, A->cols), z), 0, 0, val(A), 0, 0, A->rows, A->cols);
    *rho = base_mat(base, A->rows, 1);
    *slope = base_mat(base, A->rows, 1);
    mat square = row_products(base, z, z);
    const tape_rules how = rules(T);
    const truth is = T->f->radial(&how, rho, slope, &square, kind, A->cols, log2eps);
    base->scale_rows(value(C), rho, z);
    drop(&square);
    return is;
}

static truth rotate(mat *C, const mat *A)
{
    record(ROTATE, C, A, NULL);
    return of(C->R)->f->rotate(value(C), val(A), false);
}

/* ---- backward ------------------------------------------------------------------------------------------------- */

/* dA += D, and D is done with. */
static void gather(const tape *T, const mat *A, mat D)
{
    node *a = node_of(A);
    if (a->has_grad && a->pass == T->pass) {
        mat sum = base_mat(T->base, A->rows, A->cols);
        T->base->add(&sum, &a->grad, &D);
        drop(&D);
        D = sum;
    }
    if (a->has_grad) drop(&a->grad);
    a->grad = D;
    a->has_grad = true;
    a->pass = T->pass;
}

static mat product(const arith *base, const mat *A, const mat *B)
{
    mat C = base_mat(base, A->rows, B->cols);
    base->mul(&C, A, B);
    return C;
}

static mat transposed(const arith *base, const mat *A)
{
    mat C = base_mat(base, A->cols, A->rows);
    base->transpose(&C, A);
    return C;
}

static mat entrywise(const arith *base, const mat *A, const mat *B)
{
    mat C = base_mat(base, A->rows, A->cols);
    base->hadamard(&C, A, B);
    return C;
}

static mat scaled(const arith *base, const mat *g, const mat *A)
{
    mat C = base_mat(base, A->rows, A->cols);
    base->scale_rows(&C, g, A);
    return C;
}

static mat same(const arith *base, const mat *A)
{
    mat C = base_mat(base, A->rows, A->cols);
    base->copy(&C, 0, 0, A, 0, 0, A->rows, A->cols);
    return C;
}

static mat minus(const arith *base, const mat *A, const mat *B)
{
    mat C = base_mat(base, A->rows, A->cols);
    base->sub(&C, A, B);
    return C;
}

static mat plus(const arith *base, const mat *A, const mat *B)
{
    mat C = base_mat(base, A->rows, A->cols);
    base->add(&C, A, B);
    return C;
}

static void back_product(const tape *T, const step *s, const mat *G)
{
    mat Bt = transposed(T->base, val(s->B)), At = transposed(T->base, val(s->A));
    gather(T, s->A, product(T->base, G, &Bt));
    gather(T, s->B, product(T->base, &At, G));
    drop(&Bt);
    drop(&At);
}

static void back_softmax(const tape *T, const step *s, const mat *G)
{
    const mat *S = val(s->C);
    mat mean = row_products(T->base, S, G), spread = scaled(T->base, &mean, S), own = entrywise(T->base, S, G);
    gather(T, s->A, minus(T->base, &own, &spread));          /* S o G - diag((S o G) 1) S                          */
    drop(&mean);
    drop(&spread);
    drop(&own);
}

static void back_radial(const tape *T, const step *s, const mat *G)
{
    const arith *base = T->base;
    const mat *z = &s->saved[0], *rho = &s->saved[1], *slope = &s->saved[2];
    mat along = row_products(base, G, z), bent = entrywise(base, &along, slope), twice = plus(base, &bent, &bent);
    mat straight = scaled(base, rho, G), turn = scaled(base, &twice, z), D = plus(base, &straight, &turn);
    gather(T, s->A, s->centred ? centre(base, &D) : same(base, &D));
    drop_all(6, (mat *[]){ &along, &bent, &twice, &straight, &turn, &D });
}

static void back_step(const tape *T, const step *s)
{
    const node *c = node_of(s->C);
    const arith *base = T->base;
    if (!c->has_grad || c->pass != T->pass) return;          /* Y does not depend on it                            */
    const mat *G = &c->grad;
    mat D, column;
    switch (s->op) {
    case COPY:
        D = base_mat(base, s->A->rows, s->A->cols);
        base->copy(&D, s->ai, s->aj, G, s->ci, s->cj, s->r, s->c);
        gather(T, s->A, D);
        break;
    case ADD:
        gather(T, s->A, same(base, G));
        gather(T, s->B, same(base, G));
        break;
    case SUB:
        D = base_mat(base, G->rows, G->cols);
        gather(T, s->B, minus(base, &D, G));
        drop(&D);
        gather(T, s->A, same(base, G));
        break;
    case MUL:        back_product(T, s, G); break;
    case HADAMARD:
        gather(T, s->A, entrywise(base, G, val(s->B)));
        gather(T, s->B, entrywise(base, G, val(s->A)));
        break;
    case SCALE_ROWS:                                         /* C = diag(B) A                                      */
        column = row_products(base, G, val(s->A));
        gather(T, s->A, scaled(base, val(s->B), G));
        gather(T, s->B, column);
        break;
    case TRANSPOSE:  gather(T, s->A, transposed(base, G)); break;
    case PHI:        gather(T, s->A, entrywise(base, G, &s->saved[0])); break;
    case SOFTMAX:    back_softmax(T, s, G); break;
    case RADIAL:     back_radial(T, s, G); break;
    case ROTATE:
        D = base_mat(base, G->rows, G->cols);
        (void)T->f->rotate(&D, G, true);
        gather(T, s->A, D);
        break;
    }
}

void tape_backward(const arith *R, const mat *Y, const mat *seed)
{
    tape *T = of(R);
    REQUIRE(Y->R == R && seed->R == T->base, "Y over %s, its seed over %s", Y->R->name, seed->R->name);
    REQUIRE(Y->rows == seed->rows && Y->cols == seed->cols, "%ldx%ld seeded by %ldx%ld", Y->rows, Y->cols, seed->rows,
            seed->cols);
    T->pass++;
    gather(T, Y, same(T->base, seed));
    for (long k = T->n - 1; k >= 0; k--) back_step(T, &T->at[k]);
}

const mat *tape_gradient(const mat *A)
{
    const node *a = node_of(A);
    return a->has_grad && a->pass == of(A->R)->pass ? &a->grad : NULL;
}

const mat *tape_value(const mat *A) { return val(A); }
long tape_mark(const arith *R)      { return of(R)->n; }

void tape_forget(const arith *R, long mark)
{
    tape *T = of(R);
    REQUIRE(mark >= 0 && mark <= T->n, "mark %ld of %ld steps", mark, T->n);
    while (T->n > mark) {
        step *s = &T->at[--T->n];
        for (int k = 0; k < s->nsaved; k++) drop(&s->saved[k]);
    }
}

static void close_tape(arith *R)
{
    tape_forget(R, 0);
    free(of(R)->at);
    free(R->state);
}

arith tape_over(const arith *base, tape_rules how)
{
    const bool field = base->prime != 0, balls = base->traits & RIGOROUS && base->traits & HAS_EXP;
    const bool degrees = base->traits & DEGREES && how.afresh;
    REQUIRE(field || degrees || balls, "a tape over %s", base->name);
    REQUIRE(how.range >= 1 && how.kappa >= 1, "range %lld, kappa %lld", (long long)how.range, (long long)how.kappa);
    tape *T = must_calloc(1, sizeof *T);
    *T = (tape){ .base = base, .f = field ? &tape_fp : degrees ? &tape_deg : &tape_arb, .how = how };
    return (arith){
        .name = "tape", .traits = base->traits, .bits = base->bits, .prime = base->prime,
        .key = { how.key[0], how.key[1] }, .state = T, .close = close_tape,
        .init = init, .clear = clear, .draw = draw, .set_dyadic = set_dyadic,
        .get_exact = get_exact, .get_d = get_d, .copy = copy, .add = add, .sub = sub, .mul = mul,
        .hadamard = hadamard, .scale_rows = scale_rows, .transpose = transpose, .inv = inv,
        .phi = phi, .rowmap = row_map, .norm = norm, .rotate = rotate,
        .compare = compare, .log2max = log2max };
}
