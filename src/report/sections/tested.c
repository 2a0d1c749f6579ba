/* SPDX-License-Identifier: GPL-3.0-or-later
 * tested.c - on the page: how the programs themselves are tested, in recorded figures (results/coverage.csv,
 * fuzz_guided.csv, oom.csv).  What has no record is left out. */
#include <stdlib.h>
#include "src/base/base.h"
#include "src/base/csv.h"
#include "src/base/file.h"
#include "src/report/sections/sections.h"

/* The recorded file, where it is there. */
static bool opened(csv_file *c, char **path, const evidence_set *all, const char *name, const char *header)
{
    *path = must_format("%s/%s", all->results_path, name);
    FILE *f = file_open(*path);
    if (f) *c = csv_from(f, *path, header, "run `make nightly`");
    else free(*path);
    return f != NULL;
}

static void closed(csv_file *c, char *path)
{
    csv_close(c);
    free(path);
}

static void add_share(doc_table *t, long taken, long of)
{
    table_whole(t, of);
    table_format(t, "%.1f %%", of ? 100.0 * (double)taken / (double)of : 100.0);
}

static void add_branches(document *d, const evidence_set *all)
{
    enum { DATE, COMMIT, HARDWARE, COMPILER, TESTS, ROOM, SOURCES, LINES, LINES_RUN, BRANCHES, TAKEN };
    static const char header[] =
        "date,commit,hardware,compiler,tests,room,sources,lines,lines_run,branches,branches_taken";
    static const doc_column columns[] = {
        { .title = "room of the source" },
        { .title = "lines", .kind = COLUMN_NUMBER }, { .title = "run", .kind = COLUMN_NUMBER },
        { .title = "branches", .kind = COLUMN_NUMBER }, { .title = "taken", .kind = COLUMN_NUMBER } };
    csv_file c;
    char *path;
    doc_table *t = NULL;
    if (!opened(&c, &path, all, "coverage.csv", header)) return;
    while (csv_next(&c)) {
        if (!t) {
            doc_block *p = doc_paragraph(d, TO_HTML, NULL);
            line_format(&p->text, SPAN_TEXT, "The tests of the programs themselves take these shares of lines and "
                        "branches, measured by gcov on %s (tests run: %s):", csv_kept(&c, DATE), csv_kept(&c, TESTS));
            t = doc_add_table(d, TO_HTML, TABLE_SCROLLS, columns, COUNT(columns));
        }
        table_row(t);
        table_text(t, csv_kept(&c, ROOM));
        add_share(t, csv_long(&c, LINES_RUN), csv_long(&c, LINES));
        add_share(t, csv_long(&c, TAKEN), csv_long(&c, BRANCHES));
    }
    closed(&c, path);
}

static void add_fuzzing(document *d, const evidence_set *all)
{
    enum { READER = 6, EXECUTIONS };
    csv_file c;
    char *path;
    long readers = 0, executions = 0;
    if (!opened(&c, &path, all, "fuzz_guided.csv",
                "date,commit,sources,hardware,compiler,seconds,reader,executions,edges,corpus")) return;
    for (; csv_next(&c); readers++) executions += csv_long(&c, EXECUTIONS);
    closed(&c, path);
    line_format(&doc_paragraph(d, TO_HTML, NULL)->text, SPAN_TEXT, "%ld readers of files are fuzzed along the branches "
                "that an input takes: %ld executions in the recorded run.", readers, executions);
}

static void add_memory(document *d, const evidence_set *all)
{
    enum { REFUSED = 5 };
    csv_file c;
    char *path;
    long commands = 0, refused = 0;
    if (!opened(&c, &path, all, "oom.csv", "date,commit,hardware,command,allocations,refused,failures")) return;
    for (; csv_next(&c); commands++) refused += csv_long(&c, REFUSED);
    closed(&c, path);
    line_format(&doc_paragraph(d, TO_HTML, NULL)->text, SPAN_TEXT, "Memory is refused to %ld commands, at %ld "
                "allocations: none is ended by a signal, and none leaves a half-written file.", commands, refused);
}

void section_tested(document *d, const evidence_set *all)
{
    add_branches(d, all);
    add_fuzzing(d, all);
    add_memory(d, all);
}
