/* program_files.c - the files of a run: rows, and beside them rungs and figures; see program.h.
 *
 * All are collected beside the final file, which appears whole or not at all; for a pipe, in a file of our own. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "src/base/file.h"
#include "src/base/outfile.h"
#include "src/claim/evidence/evidence_figures.h"
#include "src/claim/program/program.h"

static char *rows_path, *rungs_path, *figures_path;
static outfile kept_rows, kept_rungs, kept_figures;            /* of --out: what the paths above become        */
static program_output to;

static FILE *start_file(const char *path, void (*header)(FILE *))
{
    FILE *f = fopen(path, "w");
    if (!f) die("cannot write %s: %s; %s", path, strerror(errno), file_advice(errno));
    header(f);
    return f;
}

static void check_file(FILE *f, const char *path)
{
    errno = 0;
    if (fflush(f) == 0 && !ferror(f)) return;
    const int why = errno ? errno : EIO;                         /* of an earlier write it is lost */
    unlink(rows_path);
    unlink(rungs_path);
    unlink(figures_path);
    die("cannot write %s: %s; %s", path, strerror(why), file_advice(why));
}

void program_check_written(void)
{
    check_file(to.rows, rows_path);
    check_file(to.rungs, rungs_path);
    check_file(to.figures, figures_path);
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
    for (size_t p = 0; p < program.C->nparts; p++) if (program.C->parts[p].kind == PART_MEASURED) return true;
    return false;
}

/* The part file beside --out, or a temporary file where this kind of file is not kept. */
static char *collect_in(outfile *kept, const char *kind, bool keep)
{
    if (!keep) return must_format("%s.%s", rows_path, kind);
    char *path = beside(program.out, kind);
    *kept = outfile_open(path);
    if (!kept->part) die("cannot write %s: it is not a regular file; choose another --out", path);
    free(path);
    return must_strdup(kept->part);
}

const program_output *program_open_files(void)
{
    const char *folder = getenv("TMPDIR");
    if (program.out && strcmp(program.out, "-") != 0) kept_rows = outfile_open(program.out);
    const bool kept = kept_rows.part != NULL;
    rows_path = kept ? must_strdup(kept_rows.part)
                     : must_format("%s/provably-%ld.csv", folder ? folder : "/tmp", (long)getpid());
    rungs_path = collect_in(&kept_rungs, "ladder", kept);
    figures_path = collect_in(&kept_figures, "figures", kept && measures_anything());
    to.rows = start_file(rows_path, evidence_row_header);
    to.rungs = start_file(rungs_path, evidence_rung_header);
    to.figures = start_file(figures_path, evidence_figure_header);
    program_check_written();                    /* nothing is buffered that a forked test could write again */
    return &to;
}

const char *program_rows_path(void) { return rows_path; }

static void print_rows(FILE *f)
{
    char line[16384];
    FILE *from = fopen(rows_path, "r");
    if (!from) die("cannot read %s: %s", rows_path, strerror(errno));
    while (fgets(line, sizeof line, from)) fputs(line, f);
    fclose(from);
}

void program_keep_files(void)
{
    program_check_written();
    fclose(to.rows);
    fclose(to.rungs);
    fclose(to.figures);
    const bool kept = program.out && kept_rows.part;
    if (program.out && !kept) print_rows(kept_rows.f ? kept_rows.f : stdout);
    if (kept) {
        char *figures = beside(program.out, "figures");
        if (kept_figures.f) outfile_close(&kept_figures);
        else unlink(figures);                               /* none may outlive its program's figures */
        outfile_close(&kept_rungs);
        free(figures);
    } else {
        unlink(rows_path);
        unlink(rungs_path);
    }
    if (kept_rows.f) outfile_close(&kept_rows);
    unlink(figures_path);
    free(rows_path);
    free(rungs_path);
    free(figures_path);
}
