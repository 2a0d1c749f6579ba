/* SPDX-License-Identifier: GPL-3.0-or-later
 * program_files.c - the files of a run: rows, and beside them rungs and figures; see program.h.
 *
 * With --out they are collected beside the final files, which appear whole or not at all.  What is not kept, and the
 * rows for a pipe, are collected in memory: a file without a name, which forked tests share and nothing leaves
 * behind. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "src/base/file.h"
#include "src/base/outfile.h"
#include "src/claim/certificate/written.h"
#include "src/claim/evidence/evidence_end.h"
#include "src/claim/evidence/evidence_figures.h"
#include "src/claim/program/program.h"

static char *rows_path;
static outfile kept_rows, kept_rungs, kept_figures;            /* of --out */
static program_output to;

static FILE *in_memory(const char *name)
{
    const int fd = memfd_create(name, MFD_CLOEXEC);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    if (!f) die("cannot make a file in memory for the %s: %s", name, strerror(errno));
    return f;
}

static void check_file(FILE *f, const char *what, const outfile *kept)
{
    errno = 0;
    if (fflush(f) == 0 && !ferror(f)) return;
    const int why = errno ? errno : EIO;                         /* of an earlier write it is lost */
    if (kept_rows.part) unlink(kept_rows.part);                  /* also from a forked test, which owns none of them */
    if (kept_rungs.part) unlink(kept_rungs.part);
    if (kept_figures.part) unlink(kept_figures.part);
    if (kept->part) die("cannot write %s: %s; %s", kept->part, strerror(why), file_advice(why));
    die("cannot keep the %s in memory: %s", what, strerror(why));
}

void program_check_written(void)
{
    check_file(to.rows, "rows", &kept_rows);
    check_file(to.rungs, "rungs", &kept_rungs);
    check_file(to.figures, "figures", &kept_figures);
}

/* NAME.csv -> NAME.KIND.csv */
static char *beside(const char *path, const char *kind)
{
    const size_t n = strlen(path);
    const bool csv = n > 4 && strcmp(path + n - 4, ".csv") == 0;
    return must_format("%.*s.%s.csv", (int)(csv ? n - 4 : n), path, kind);
}

static bool measures_anything(void)
{
    for (size_t p = 0; p < program.C->nparts; p++) if (part_measures(program.C->parts[p].kind)) return true;
    return false;
}

/* The part beside --out, or memory where this kind of file is not kept. */
static FILE *collect_in(outfile *kept, const char *kind, bool keep)
{
    if (!keep) return in_memory(kind);
    char *path = beside(program.out, kind);
    *kept = outfile_open(path);
    if (!kept->part) die("cannot write %s: it is not a regular file; choose another --out", path);
    free(path);
    return kept->f;
}

const program_output *program_open_files(void)
{
    if (program.out && strcmp(program.out, "-") != 0) kept_rows = outfile_open(program.out);
    const bool kept = kept_rows.part != NULL;
    to.rows = kept ? kept_rows.f : in_memory("rows");
    rows_path = kept ? must_strdup(kept_rows.part) : must_format("/proc/self/fd/%d", fileno(to.rows));
    to.rungs = collect_in(&kept_rungs, "ladder", kept);
    to.figures = collect_in(&kept_figures, "figures", kept && measures_anything());
    evidence_row_header(to.rows);
    evidence_rung_header(to.rungs);
    evidence_figure_header(to.figures);
    program_check_written();                    /* nothing is buffered that a forked test could write again */
    return &to;
}

const char *program_rows_path(void) { return rows_path; }

static void print_rows(FILE *f)
{
    char piece[1 << 14];
    size_t n;
    FILE *from = file_open(rows_path);
    if (!from) die("cannot read %s: %s", rows_path, strerror(errno));
    while ((n = fread(piece, 1, sizeof piece, from)) > 0) fwrite(piece, 1, n, f);
    if (ferror(from)) die("cannot read %s: %s", rows_path, strerror(errno));
    fclose(from);
}

/* What is kept ends and gets its name; what was in memory is freed.  The rows, which come last, name it. */
static void finish(FILE *f, outfile *kept, const char *kind)
{
    if (kept->f != f) {
        fclose(f);
        return;
    }
    evidence_end_write(f, kept->part);
    if (kind && fflush(f) == 0) evidence_end_name(to.rows, kind, kept->part);
    outfile_close(kept);
}

/* The description, which `--describe` prints, and the certificates of this run. */
static void name_what_is_described(void)
{
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    if (!f) die("no memory for a description");
    program_describe(f);
    if (fclose(f) != 0) die("no memory for a description");
    evidence_end_name_text(to.rows, "description", text, n);
    free(text);
    if (program.certificates) certificates_name(to.rows);
}

void program_keep_files(void)
{
    program_check_written();
    if (program.out && !kept_rows.part) evidence_end_write(to.rows, rows_path);
    program_check_written();
    if (program.out && !kept_rows.part) print_rows(kept_rows.f ? kept_rows.f : stdout);
    if (program.out && kept_rows.part && !kept_figures.f) {
        char *figures = beside(program.out, "figures");
        unlink(figures);                                    /* none may outlive its program's figures */
        free(figures);
    }
    finish(to.figures, &kept_figures, "figures");
    finish(to.rungs, &kept_rungs, "ladder");
    if (kept_rows.part) name_what_is_described();
    finish(to.rows, &kept_rows, NULL);
    if (kept_rows.f) outfile_close(&kept_rows);             /* a pipe */
    free(rows_path);
}
