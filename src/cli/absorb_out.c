/* SPDX-License-Identifier: GPL-3.0-or-later
 * absorb_out.c - how `provably absorb` prints matrices and certificates, and writes files. */
#include <stdlib.h>
#include <string.h>
#include "src/base/file.h"
#include "src/base/shown.h"
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

_Noreturn static void refuse(const char *path)
{
    die("%s is there already; choose another prefix with --out, or remove it", path);
}

/* In the order in which they get their names: the first of them alone are what a killed call left. */
void absorb_require_new(const char *prefix, long n)
{
    static const char *const plain[] = { "V1", "V2", "c1", "c2" }, *const biased[] = { "V1", "c1", "V2", "c2" };
    long there = 0, first = 0;
    char *path[COUNT(plain)];
    for (size_t k = 0; k < COUNT(plain); k++) {
        path[k] = file_of(prefix, (n > 2 ? biased : plain)[k]);
        if (file_is_regular(path[k])) first += there++ == (long)k;
    }
    for (size_t k = 0; k < COUNT(plain); k++) {
        if (file_is_regular(path[k]) && (first < there || there >= n)) refuse(path[k]);
        free(path[k]);
    }
}

static bool wrote;

void absorb_finish(const char *prefix)
{
    if (!wrote) absorb_require_new(prefix, 0);
}

/* The file has these bytes; false: there is none.  Dies where another one is there. */
static bool has_already(const char *path, const char *text, size_t length)
{
    if (!file_is_regular(path)) return false;
    size_t n;
    FILE *f = file_open(path);
    if (!f) refuse(path);
    char *is = must_calloc(length + 1, 1);
    n = fread(is, 1, length + 1, f);
    if (n != length || memcmp(is, text, length) != 0) refuse(path);
    fclose(f);
    free(is);
    return true;
}

static char *text_of(const fmpq_mat_t A, size_t *length)
{
    char *text;
    FILE *f = open_memstream(&text, length);
    if (!f) die("out of memory");
    matrix_print(f, A);
    if (fclose(f) != 0) die("out of memory");
    return text;
}

/* All are complete on the disk before the first gets its name.  What a killed call has written of the same matrices
 * stays. */
void absorb_write(const char *prefix, long n, const named_matrix list[])
{
    outfile *all = must_calloc((size_t)n, sizeof *all);
    for (long k = 0; k < n; k++) {
        size_t length;
        char *path = file_of(prefix, list[k].name), *text = text_of(list[k].A, &length);
        if (!has_already(path, text, length)) {
            all[k] = outfile_open(path);
            fwrite(text, 1, length, all[k].f);
        }
        free(text);
        free(path);
    }
    for (long k = 0; k < n; k++) if (all[k].f) outfile_sync(&all[k]);
    for (long k = 0; k < n; k++) {
        if (all[k].f) outfile_close(&all[k]);
        shown_print(stdout, "wrote %s-%s.csv\n", prefix, list[k].name);
    }
    free(all);
    wrote = true;
}
