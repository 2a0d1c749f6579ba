/* absorb_out.c - how `provably absorb` prints matrices and certificates, and writes files. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "src/cli/absorb.h"
#include "src/relu/matrix_file.h"

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

typedef struct { char *path, *part; } target;

_Noreturn static void give_up(const target *all, long n, const char *path, int why)
{
    for (long k = 0; k < n; k++) unlink(all[k].part);
    die("cannot write %s: %s; nothing was written, choose another --out", path, strerror(why));
}

static bool write_part(const char *path, const fmpq_mat_t A, int *why)
{
    FILE *f = fopen(path, "w");
    if (!f) { *why = errno; return false; }
    matrix_print(f, A);
    bool bad = ferror(f) != 0;
    bad |= fflush(f) != 0;
    bad |= fsync(fileno(f)) != 0 && errno != EINVAL && errno != EROFS;
    *why = errno;
    bad |= fclose(f) != 0;
    return !bad;
}

/* All are complete on the disk before the first gets its name. */
void absorb_write(const char *prefix, long n, const named_matrix list[])
{
    target *all = must_calloc((size_t)n, sizeof *all);
    int why = 0;
    for (long k = 0; k < n; k++)
        all[k] = (target){ must_format("%s-%s.csv", prefix, list[k].name),
                           must_format("%s-%s.csv.part", prefix, list[k].name) };
    for (long k = 0; k < n; k++) if (!write_part(all[k].part, list[k].A, &why)) give_up(all, n, all[k].path, why);
    for (long k = 0; k < n; k++)
        if (rename(all[k].part, all[k].path) != 0) {
            why = errno;
            for (long done = 0; done < k; done++) unlink(all[done].path);
            give_up(all, n, all[k].path, why);
        }
    for (long k = 0; k < n; k++) {
        printf("wrote %s\n", all[k].path);
        free(all[k].path);
        free(all[k].part);
    }
    free(all);
}
