/* absorb_out.c - how `provably absorb` prints matrices and certificates, and writes files. */
#include <stdlib.h>
#include <sys/stat.h>
#include "src/base/outfile.h"
#include "src/cli/absorb.h"
#include "src/data/matrix_file.h"

void absorb_print(long n, const named_matrix list[])
{
    for (long k = 0; k < n; k++) {
        printf("%s (%ld x %ld)\n", list[k].name, (long)fmpq_mat_nrows(list[k].A), (long)fmpq_mat_ncols(list[k].A));
        matrix_print(stdout, list[k].A);
    }
}

const wording absorb_plain  = { "W2[:,J] W1[J,:] = -Z", "w2_j w1_j", "Z" };
const wording absorb_lifted = { "W2[:,J] [W1 | b1][J,:] = -[Z | b2]", "w2_j [w1_j | b1_j]", "[Z | b2]" };

void absorb_print_no_J(const subset *S, long m, const wording *w)
{
    if (S->has_y)
        printf("Y with <Y, %s> = 0 for every neuron j and <Y, %s> = -1, so no J has %s; every kink has one "
               "neuron, so V would need such a J\n", w->term, w->skip, w->equation);
    else
        printf("%s: independent equations of the 0/1 system for J, %s, leave %ld free columns of %ld; none of the "
               "2^%ld choices of 0 and 1 for them is a solution over Q\n", S->why, w->equation, S->free, m, S->free);
}

/* ---- files --------------------------------------------------------------------------------------------- */

static char *file_of(const char *prefix, const char *name) { return must_format("%s-%s.csv", prefix, name); }

void absorb_require_new(const char *prefix)
{
    static const char *const names[] = { "V1", "V2", "c1", "c2" };
    for (size_t k = 0; k < COUNT(names); k++) {
        struct stat s;
        char *path = file_of(prefix, names[k]);
        if (stat(path, &s) == 0 && S_ISREG(s.st_mode))
            die("%s is there already; choose another prefix with --out, or remove it", path);
        free(path);
    }
}

/* All are complete on the disk before the first gets its name. */
void absorb_write(const char *prefix, long n, const named_matrix list[])
{
    outfile *all = must_calloc((size_t)n, sizeof *all);
    for (long k = 0; k < n; k++) {
        char *path = file_of(prefix, list[k].name);
        all[k] = outfile_open(path);
        free(path);
    }
    for (long k = 0; k < n; k++) {
        matrix_print(all[k].f, list[k].A);
        outfile_sync(&all[k]);
    }
    for (long k = 0; k < n; k++) {
        outfile_close(&all[k]);
        printf("wrote %s-%s.csv\n", prefix, list[k].name);
    }
    free(all);
}
