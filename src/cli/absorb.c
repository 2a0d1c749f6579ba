/* SPDX-License-Identifier: GPL-3.0-or-later
 * absorb.c - `provably absorb`: is W2 ReLU(W1 x) + Z x equal to V2 ReLU(V1 x) for some V of the same width?
 *
 * Reads the matrices exactly (src/data/matrix_file.h), decides over Q (src/methods/relu/relu.h), and prints V or why
 * there is none.  The answer is exact or UNDECIDED, never approximate. */
#include "src/cli/command.h"
#include "src/cli/absorb.h"
#include "numerics/libraries.h"
#include "src/cli/cli.h"
#include "src/data/matrix_file.h"

static const char doc[] =
    "Decides whether a ReLU MLP absorbs its skip connection:\n"
    "  W2 ReLU(W1 x) + Z x = V2 ReLU(V1 x) for all x, with V1, V2 of the same shapes as W1 (m x h), W2 (h x m).\v"
    "Inputs x are columns; the rows of W1 are neurons. With --b1 or --b2 both sides may have biases. Files are "
    "CSV (12, -1.25e-3, 3/7) or NumPy .npy and are read exactly: no number is rounded.\n\n"
    "Absorbable: prints J, if it exists: neurons, counted from 1, with W2[:,J] W1[J,:] = -Z; then V1 is W1 "
    "with the rows in J negated, and V2 is W2. Prints V1 and V2 as exact fractions. "
    "Not absorbable: prints Y with <Y, w2_j w1_j> = 0 for all j and <Y, Z> = -1, or says what was enumerated.\n\n"
    "Exit status: 0 decided, absorbable or not; 1 UNDECIDED, too many cases; 2 bad input.";

enum { OPT_SKIP = 256, OPT_B1, OPT_B2, OPT_NO_C2, OPT_OUT };
static const struct argp_option flags[] = {
    { "skip", OPT_SKIP, "FILE", 0, "matrix Z of the skip connection, outputs x inputs (the identity)", 0 },
    { "b1", OPT_B1, "FILE", 0, "biases of the neurons: W2 ReLU(W1 x + b1) + b2 + Z x = V2 ReLU(V1 x + c1) + c2", 0 },
    { "b2", OPT_B2, "FILE", 0, "biases of the outputs", 0 },
    { "no-output-bias", OPT_NO_C2, NULL, 0, "with --b1 or --b2: require c2 = 0", 0 },
    { "out", OPT_OUT, "PREFIX", 0, "if absorbable, write V1 and V2 (and c1, c2) to PREFIX-V1.csv and so on; refused "
      "where one of these four is there already, unless a call that was interrupted left the same", 0 },
    { 0 } };
static struct { const char *W[2], *skip, *b1, *b2, *out; bool no_output_bias; int given; } ask;

static error_t parse(int key, char *arg, struct argp_state *state)
{
    (void)state;
    switch (key) {
    case OPT_SKIP: ask.skip = arg; return 0;
    case OPT_B1:   ask.b1 = arg; return 0;
    case OPT_B2:   ask.b2 = arg; return 0;
    case OPT_OUT:  ask.out = arg; return 0;
    case OPT_NO_C2: ask.no_output_bias = true; return 0;
    case ARGP_KEY_ARG:
        if (ask.given == 2) die("absorb takes two files, W1 and W2, not `%s`; see `provably absorb --help`", arg);
        ask.W[ask.given++] = arg;
        return 0;
    case ARGP_KEY_END:
        if (ask.given < 2) die("absorb takes two files, W1 and W2; see `provably absorb --help`");
        if (ask.no_output_bias && !ask.b1 && !ask.b2) die("--no-output-bias needs --b1 or --b2");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* The system for J has outputs * inputs equations: beyond this it would not fit into memory. */
enum { MOST_COEFFICIENTS = 1 << 23 };

/* ---- reading ------------------------------------------------------------------------------------------- */

static void fits(const char *file, const fmpq_mat_t A, const char *name, long rows, long cols, const char *hint)
{
    if (fmpq_mat_nrows(A) == rows && fmpq_mat_ncols(A) == cols) return;
    die("%s: %s is %ld x %ld, but must be %ld x %ld%s", file, name, fmpq_mat_nrows(A), fmpq_mat_ncols(A), rows, cols,
        hint);
}

/* A bias of n numbers, as a column or a row; n zeros without a file */
static void read_bias(fmpq_mat_t b, const char *file, const char *name, long n)
{
    if (!file) { fmpq_mat_init(b, n, 1); return; }
    fmpq_mat_t A;
    matrix_read(A, file);
    if (fmpq_mat_nrows(A) == 1 && n > 1) {
        fmpq_mat_init(b, fmpq_mat_ncols(A), 1);
        fmpq_mat_transpose(b, A);
    } else fmpq_mat_init_set(b, A);
    fmpq_mat_clear(A);
    fits(file, b, name, n, 1, ": one number per neuron of W1 (--b1) or per row of W2 (--b2)");
}

static relu_affine read_network(void)
{
    relu_affine f;
    relu_net *n = &f.net;
    matrix_read(n->W1, ask.W[0]);
    matrix_read(n->W2, ask.W[1]);
    const long m = fmpq_mat_nrows(n->W1), in = fmpq_mat_ncols(n->W1), out = fmpq_mat_nrows(n->W2);
    fits(ask.W[1], n->W2, "W2", ask.skip ? out : in, m,
         ": one column per neuron, one neuron per row of W1; is one of the two transposed?");
    if (ask.skip) {
        matrix_read(n->Z, ask.skip);
        fits(ask.skip, n->Z, "the skip", out, in, ": outputs of W2 x inputs of W1");
    } else {
        fmpq_mat_init(n->Z, out, in);
        fmpq_mat_one(n->Z);
    }
    read_bias(f.b1, ask.b1, "b1", m);
    read_bias(f.b2, ask.b2, "b2", out);
    return f;
}

/* ---- printing ------------------------------------------------------------------------------------------ */

static void print_J(const absorption *a)
{
    const char *between = "";
    printf("J = {");
    for (long j = 0; j < fmpq_mat_nrows(a->V1); j++)
        if (a->J[j]) { printf("%s%ld", between, j + 1); between = ", "; }
    printf("}: W2[:,J] W1[J,:] = -Z, so V1 is W1 with rows J times -1, V2 is W2\n");
}

static void print_absorbable(const absorption *a)
{
    const named_matrix V[] = { { "V1", a->V1 }, { "V2", a->V2 } };
    printf("absorbable\n");
    if (a->J) print_J(a);
    else printf("without J: %s\n", a->why);
    absorb_print(2, V);
    printf("checked: the canonical forms of both networks are equal, so they are one function\n");
    if (ask.out) absorb_write(ask.out, 2, V);
}

static void print_refuted(const absorption *a, long m)
{
    printf("not absorbable\ncertificate: ");
    if (a->regular) {
        absorb_print_no_J(&(subset){ .has_y = a->has_y, .why = a->why, .free = a->free }, m, &absorb_plain);
        if (a->has_y) absorb_print(1, &(named_matrix){ "Y", a->y });
    } else
        printf("all choices of signs and spare neurons were looked at: %ld kinks, %ld neurons, %ld choices of kinks "
               "with two neurons\n", a->live, m, a->cases);
}

static int without_biases(const relu_net *f)
{
    absorption a = relu_absorb(f);
    switch (a.is) {
    case HOLDS:   print_absorbable(&a); break;
    case REFUTED: print_refuted(&a, fmpq_mat_nrows(f->W1)); break;
    default:      printf("UNDECIDED: %s\n", a.why);
    }
    const int status = a.is == UNDECIDED;
    absorption_clear(&a);
    return status;
}

int absorb_main(int argc, char **argv)
{
    static const struct argp parser = { flags, parse, "W1 W2", doc, NULL, NULL, NULL };
    command_parse(&parser, argc, argv, 0, NULL, NULL);
    if (ask.out) absorb_require_new(ask.out, !ask.b1 && !ask.b2 ? 2 : ask.no_output_bias ? 3 : 4);
    relu_affine f = read_network();
    const long m = fmpq_mat_nrows(f.net.W1), N = fmpq_mat_nrows(f.net.Z) * (fmpq_mat_ncols(f.net.Z) + 1);
    int status = 1;
    if (N > MOST_COEFFICIENTS / m) printf("UNDECIDED: %ld equations in %ld unknowns are more than is tried\n", N, m);
    else if (ask.b1 || ask.b2)     status = absorb_affine(&f, !ask.no_output_bias, ask.out);
    else                           status = without_biases(&f.net);
    if (ask.out) absorb_finish(ask.out);
    relu_affine_clear(&f);
    libraries_clear();
    return status;
}
