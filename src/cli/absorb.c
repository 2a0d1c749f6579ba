/* absorb.c - `provably absorb`: is W2 ReLU(W1 x) + Z x equal to V2 ReLU(V1 x) for some V of the same width?
 *
 * Reads the matrices exactly (src/matrix_file.h), decides over Q (src/relu.h), and prints V or why there is
 * none.  The answer is exact or UNDECIDED, never approximate.                                                */
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "src/cli/cli.h"
#include "src/matrix_file.h"
#include "src/relu.h"

static const char doc[] =
    "Decides whether a ReLU MLP absorbs its skip connection:\n"
    "  W2 ReLU(W1 x) + Z x = V2 ReLU(V1 x) for all x, with V1, V2 of the same shapes as W1 (m x h), W2 (h x m).\v"
    "Columns x; the rows of W1 are neurons. Files are CSV (12, -1.25e-3, 3/7) or NumPy .npy, read exactly: no "
    "number is rounded.\n\n"
    "Absorbable: prints J, where there is one: neurons, counted from 1, with W2[:,J] W1[J,:] = -Z; then V1 is W1 "
    "with the rows J times -1, and V2 is W2. Prints V1 and V2 as exact fractions. "
    "Not absorbable: prints Y with <Y, w2_j w1_j> = 0 for all j and <Y, Z> = -1, or says what was enumerated.\n\n"
    "Exit status: 0 decided, absorbable or not; 1 UNDECIDED, too many cases; 2 bad input.";

enum { OPT_SKIP = 256, OPT_OUT };
static const struct argp_option flags[] = {
    { "skip", OPT_SKIP, "FILE", 0, "the skip Z (outputs x inputs); the identity without it", 0 },
    { "out", OPT_OUT, "PREFIX", 0, "write V1 and V2 to PREFIX-V1.csv and PREFIX-V2.csv, if there are such", 0 },
    { 0 } };
static struct { const char *W[2], *skip, *out; int given; } ask;

static error_t parse(int key, char *arg, struct argp_state *state)
{
    (void)state;
    switch (key) {
    case OPT_SKIP: ask.skip = arg; return 0;
    case OPT_OUT:  ask.out = arg; return 0;
    case ARGP_KEY_ARG:
        if (ask.given == 2) die("absorb takes two files, W1 and W2, not `%s`; see `provably absorb --help`", arg);
        ask.W[ask.given++] = arg;
        return 0;
    case ARGP_KEY_END:
        if (ask.given < 2) die("absorb takes two files, W1 and W2; see `provably absorb --help`");
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

static relu_net read_network(void)
{
    relu_net f;
    matrix_read(f.W1, ask.W[0]);
    matrix_read(f.W2, ask.W[1]);
    const long m = fmpq_mat_nrows(f.W1), in = fmpq_mat_ncols(f.W1), out = fmpq_mat_nrows(f.W2);
    fits(ask.W[1], f.W2, "W2", ask.skip ? out : in, m,
         ": one column per neuron, one neuron per row of W1; is one of the two transposed?");
    if (ask.skip) {
        matrix_read(f.Z, ask.skip);
        fits(ask.skip, f.Z, "the skip", out, in, ": outputs of W2 x inputs of W1");
    } else {
        fmpq_mat_init(f.Z, out, in);
        fmpq_mat_one(f.Z);
    }
    return f;
}

/* ---- printing ------------------------------------------------------------------------------------------ */

static void print_matrix(const char *name, const fmpq_mat_t A)
{
    printf("%s (%ld x %ld)\n", name, fmpq_mat_nrows(A), fmpq_mat_ncols(A));
    matrix_print(stdout, A);
}

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
    printf("absorbable\n");
    if (a->J) print_J(a);
    else printf("without J: %s\n", a->why);
    print_matrix("V1", a->V1);
    print_matrix("V2", a->V2);
    printf("checked: the canonical forms of both networks are equal, so they are one function\n");
}

static void print_refuted(const absorption *a, long m)
{
    printf("not absorbable\ncertificate: ");
    if (!a->regular)
        printf("all choices of signs and spare neurons were looked at: %ld kinks, %ld neurons, %ld choices of kinks "
               "with two neurons\n", a->live, m, a->cases);
    else if (a->has_y) {
        printf("Y with <Y, w2_j w1_j> = 0 for every neuron j and <Y, Z> = -1, so no J has W2[:,J] W1[J,:] = -Z; "
               "every kink has one neuron, so V would need such a J\n");
        print_matrix("Y", a->y);
    } else
        printf("%s: the system sum_j x_j w2_j w1_j = -Z, taken modulo %llu, has %ld free columns of %ld; none of the "
               "2^%ld choices of 0 and 1 for them leads to a solution with all x_j 0 or 1\n", a->why,
               (unsigned long long)a->prime, a->free, m, a->free);
}

/* ---- writing ------------------------------------------------------------------------------------------- */

typedef struct { char *path, *part; const fmpq_mat_struct *A; } target;

_Noreturn static void give_up(const target *both, const char *path, int why)
{
    for (int k = 0; k < 2; k++) unlink(both[k].part);
    die("cannot write %s: %s; nothing was written, choose another --out", path, strerror(why));
}

/* Both files or none: they are complete on the disk before the first gets its name. */
static void write_both(const absorption *a)
{
    target both[2] = { { must_format("%s-V1.csv", ask.out), must_format("%s-V1.csv.part", ask.out), a->V1 },
                       { must_format("%s-V2.csv", ask.out), must_format("%s-V2.csv.part", ask.out), a->V2 } };
    for (int k = 0; k < 2; k++) {
        FILE *f = fopen(both[k].part, "w");
        if (!f) give_up(both, both[k].path, errno);
        matrix_print(f, both[k].A);
        bool bad = ferror(f) != 0;
        bad |= fflush(f) != 0;
        bad |= fsync(fileno(f)) != 0 && errno != EINVAL && errno != EROFS;
        const int why = errno;
        bad |= fclose(f) != 0;
        if (bad) give_up(both, both[k].path, why);
    }
    for (int k = 0; k < 2; k++)
        if (rename(both[k].part, both[k].path) != 0) {
            const int why = errno;
            if (k == 1) unlink(both[0].path);
            give_up(both, both[k].path, why);
        }
    printf("wrote %s and %s\n", both[0].path, both[1].path);
    for (int k = 0; k < 2; k++) { free(both[k].path); free(both[k].part); }
}

int absorb_main(int argc, char **argv)
{
    static const struct argp parser = { flags, parse, "W1 W2", doc, NULL, NULL, NULL };
    argp_parse(&parser, argc, argv, 0, NULL, NULL);
    relu_net f = read_network();
    const long m = fmpq_mat_nrows(f.W1), N = fmpq_mat_nrows(f.Z) * fmpq_mat_ncols(f.Z);
    if (N > MOST_COEFFICIENTS / m) {
        printf("UNDECIDED: %ld equations in %ld unknowns are more than is tried\n", N, m);
        relu_net_clear(&f);
        return 1;
    }
    absorption a = relu_absorb(&f);
    switch (a.is) {
    case HOLDS:   print_absorbable(&a); break;
    case REFUTED: print_refuted(&a, m); break;
    default:      printf("UNDECIDED: %s\n", a.why);
    }
    if (ask.out && a.is == HOLDS) write_both(&a);
    const int status = a.is == UNDECIDED;
    absorption_clear(&a);
    relu_net_clear(&f);
    flint_cleanup();
    return status;
}
