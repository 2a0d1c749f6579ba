/* book.c - gathers a folder of evidence into chapters: see book.h. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "src/base/outfile.h"
#include "src/report/experiments.h"
#include "src/report/graph.h"

static void add_problem(book *b, char *text)
{
    b->problem = must_realloc(b->problem, (size_t)b->problems + 1, sizeof *b->problem);
    b->problem[b->problems++] = text;
}

/* ---- reading --------------------------------------------------------------------------------- */

static rungs rungs_read(const char *path)
{
    rungs all = { 0 };
    char line[1024];
    FILE *f = fopen(path, "r");
    if (!f) die("cannot read %s: %s", path, strerror(errno));
    for (long number = 1; fgets(line, sizeof line, f); number++) {
        rung r = { 0 };
        int end = 0;
        if (number == 1 && strcmp(line, "id,part,case,shape,seed,trial,bits,log2gap\n") == 0) continue;
        sscanf(line, "%15[^,],%15[^,],%39[^,],%223[^,],%" SCNu64 ",%ld,%ld,%lf%n", r.id, r.part, r.which,
               r.shape, &r.seed, &r.trial, &r.bits, &r.log2gap, &end);
        if (!end || strcmp(line + end, "\n") != 0 || number == 1)
            die("%s:%ld: malformed rung; remove the file and run `make check` again", path, number);
        if ((all.n & (all.n - 1)) == 0) all.at = must_realloc(all.at, all.n ? 2 * (size_t)all.n : 1, sizeof r);
        all.at[all.n++] = r;
    }
    if (ferror(f)) die("cannot read %s: %s", path, strerror(errno));
    fclose(f);
    return all;
}

static chapter *find(book *b, const char *id)
{
    for (long k = 0; k < b->n; k++) if (strcmp(b->at[k].id, id) == 0) return &b->at[k];
    return NULL;
}

const chapter *book_find(const book *b, const char *id)
{
    for (long k = 0; k < b->n; k++) if (strcmp(b->at[k].id, id) == 0) return &b->at[k];
    return NULL;
}

static chapter *add_chapter(book *b, const char *id, const claim_entry *entry)
{
    b->at = must_realloc(b->at, (size_t)b->n + 1, sizeof *b->at);
    chapter *c = &b->at[b->n++];
    *c = (chapter){ .entry = entry };
    evidence_row_text(c->id, sizeof c->id, id);
    return c;
}

/* The claim a file speaks of: its rows say so, or the description beside it; all must agree. */
static const char *claim_of(const rows *own, const claim_text *text, const char *stem, const char *path)
{
    const char *id = own->n ? own->at[0].id : text->id ? text->id : stem;
    for (long k = 0; k < own->n; k++)
        if (strcmp(own->at[k].id, id) != 0)
            die("%s:%ld: a row of %s among rows of %s; remove the file and run `make check` again",
                path, k + 2, own->at[k].id, id);
    if (text->id && strcmp(text->id, id) != 0)
        die("%s: rows of %s beside a description of %s; remove both and run `make check` again",
            path, id, text->id);
    return id;
}

/* STEM.csv and, where they are there, STEM.ladder.csv, STEM.figures.csv and STEM.meta. */
static void read_chapter(book *b, const char *folder, const char *stem)
{
    char *path = must_format("%s/%s.csv", folder, stem);
    char *ladder = must_format("%s/%s.ladder.csv", folder, stem);
    char *figures = must_format("%s/%s.figures.csv", folder, stem);
    char *meta = must_format("%s/%s.meta", folder, stem);
    char *accepted = must_format("%s/%s.accepted", folder, stem);
    rows own = { 0 };
    claim_text text = { 0 };
    evidence_rows_read(&own, path);
    if (access(meta, F_OK) == 0) text = meta_read(meta);
    const char *id = claim_of(&own, &text, stem, path);
    chapter *c = find(b, id);
    if (!c) {
        c = add_chapter(b, id, NULL);
        add_problem(b, must_format("%s has evidence but no row in the index of claims", id));
    }
    if (c->own.n) die("%s: a second file of evidence of %s; remove the stale one", path, id);
    if (!own.n) add_problem(b, must_format("%s: the program wrote no evidence", id));
    c->own = own;
    c->text = text;
    if (access(ladder, F_OK) == 0) c->ladder = rungs_read(ladder);
    if (access(figures, F_OK) == 0) evidence_figures_read(&c->figures, figures);
    if (access(accepted, F_OK) == 0) proofs_read(&b->accepted, accepted);
    free(accepted);
    free(path);
    free(ladder);
    free(figures);
    free(meta);
}

static bool ends(const char *name, const char *with)
{
    const size_t n = strlen(name), m = strlen(with);
    return n > m && strcmp(name + n - m, with) == 0;
}

/* "STEM.csv", but neither "STEM.ladder.csv" nor "STEM.figures.csv" */
static int is_rows(const struct dirent *d)
{
    return ends(d->d_name, ".csv") && !ends(d->d_name, ".ladder.csv") && !ends(d->d_name, ".figures.csv");
}

static void read_folder(book *b, const char *folder)
{
    struct dirent **names;
    const int n = scandir(folder, &names, is_rows, alphasort);
    if (n < 0) die("cannot read %s: %s; run `make check` first, or name the folder with --evidence",
                   folder, strerror(errno));
    for (int k = 0; k < n; k++) {
        char *stem = must_format("%.*s", (int)strlen(names[k]->d_name) - 4, names[k]->d_name);
        read_chapter(b, folder, stem);
        free(stem);
        free(names[k]);
    }
    free(names);
}

/* ---- judging --------------------------------------------------------------------------------- */

/* Where a part stands in the description; parts that it does not know come last, corrected ones after all. */
static long place_of(const chapter *c, const char *part)
{
    for (long k = 0; k < c->text.parts; k++) if (strcmp(c->text.part[k].name, part) == 0) return k;
    return part_is_corrected(part) ? LONG_MAX : LONG_MAX - 1;
}

static void sort_parts(chapter *c)
{
    for (long k = 1; k < c->v.parts; k++)
        for (long i = k; i > 0 && place_of(c, c->v.part[i].name) < place_of(c, c->v.part[i - 1].name); i--) {
            const part_verdict later = c->v.part[i];
            c->v.part[i] = c->v.part[i - 1];
            c->v.part[i - 1] = later;
        }
}

/* The controls that ran, each name once, but for `minimal`, which the runner adds everywhere. */
static char *controls_that_ran(const chapter *c)
{
    char *names = must_strdup("");
    control_count *all;
    const long n = chapter_controls(c, &all);
    for (long k = 0; k < n; k++) {
        bool named = strcmp(all[k].name, "minimal") == 0;
        for (long i = 0; i < k && !named; i++) named = strcmp(all[i].name, all[k].name) == 0;
        if (named) continue;
        char *longer = must_format("%s%s%s", names, names[0] ? ";" : "", all[k].name);
        free(names);
        names = longer;
    }
    free(all);
    return names;
}

static void check_controls(book *b, const chapter *c)
{
    if (!c->own.n || !c->entry) return;
    char *names = controls_that_ran(c);
    if (strcmp(names, c->entry->controls) != 0)
        add_problem(b, must_format("%s: the index should name its controls as %s", c->id, names));
    free(names);
}

/* Every part that the program declares must have been decided, or have said why not. */
static void check_parts(book *b, const chapter *c)
{
    for (long k = 0; k < c->text.parts; k++) {
        bool seen = false;
        for (long p = 0; p < c->v.parts; p++) seen |= strcmp(c->v.part[p].name, c->text.part[k].name) == 0;
        if (!seen) add_problem(b, must_format("%s: the part %s is declared, and no row decides it", c->id,
                                              c->text.part[k].name));
    }
}

/* A claim judges a sentence, and says which; what judges none is ours. */
static void check_quotes(book *b, const chapter *c)
{
    if (!c->text.id || c->text.quotes || !c->entry || strcmp(c->entry->kind, "new") == 0) return;
    add_problem(b, must_format("%s quotes no sentence of a paper: add it to .quotes of its program, or make the claim "
                               "of kind `new` in the index", c->id));
}

static void check_agreed(book *b, const chapter *c)
{
    char *differs = b->agreed.n ? ratchet_differs(&b->agreed, &c->v) : NULL;
    if (differs) add_problem(b, differs);
}

static void judge(book *b, chapter *c)
{
    c->v = judge_claim(&c->own, &b->accepted, c->id);
    sort_parts(c);
    experiments_judge(b, c);
    b->built += c->own.n > 0 || c->v.as_stated != V_PENDING;
    check_quotes(b, c);
    if (b->partial) return;
    check_controls(b, c);
    check_parts(b, c);
    check_agreed(b, c);
    if (c->own.n && (verdict_fails(c->v.as_stated) || verdict_fails(c->v.corrected)))
        add_problem(b, must_format("%s: verdict %s", c->id,
                    verdict_word(verdict_fails(c->v.as_stated) ? c->v.as_stated : c->v.corrected)));
    if (c->v.log2logit > 12)                            /* beyond, softmax saturates and hides errors */
        add_problem(b, must_format("%s: logits reach 2^%.0f; scale the draws down", c->id, c->v.log2logit));
    if (c->v.corrected == V_REFUTED || c->v.corrected == V_CAVEAT)
        add_problem(b, must_format("%s: the corrected statement is refuted", c->id));
}

/* Rows of two builds are two runs: no report may mix them. */
static void check_builds(book *b)
{
    const row *first = NULL;
    for (long k = 0; k < b->n; k++)
        for (long i = 0; i < b->at[k].own.n; i++) {
            const row *r = &b->at[k].own.at[i];
            if (!first) first = r;
            if (strcmp(r->build, first->build) == 0) continue;
            add_problem(b, must_format("evidence of two builds: %s of `%s`, %s of `%s`; run `make check` again",
                                       first->id, first->build, r->id, r->build));
            return;
        }
}

static void check_dependencies(book *b)
{
    for (long k = 0; k < b->n; k++) {
        char *problem = depends_problem(b, &b->at[k]);
        if (problem) add_problem(b, problem);
    }
}

static void check_findings(book *b)
{
    long k = 0;
    for (char *problem; (problem = findings_problem(b, &k)); ) add_problem(b, problem);
}

static void note_missing(book *b)
{
    char *names = NULL;
    for (long k = 0; k < b->index.n; k++) {
        const char *program = b->index.at[k].program;
        if (!program[0] || find(b, b->index.at[k].id)->own.n) continue;
        char *longer = must_format("%s%s%s", names ? names : "", names ? ", " : "", program);
        free(names);
        names = longer;
    }
    if (names) add_problem(b, must_format("the index names programs without evidence: %s", names));
    free(names);
}

/* NAME in the folder of the index, to be freed */
static char *beside_index(const char *index, const char *name)
{
    const char *slash = strrchr(index, '/');
    return must_format("%.*s%s", (int)(slash ? slash + 1 - index : 0), index, name);
}

static results results_beside(const char *folder, const char *index)
{
    char *path = folder ? must_strdup(folder) : beside_index(index, "results");
    results all = results_folder(path);
    free(path);
    return all;
}

static findings findings_beside(const char *index)
{
    char *path = beside_index(index, "findings.csv");
    const findings all = findings_read(path);
    free(path);
    return all;
}

static ratchet agreed_beside(const char *index)
{
    char *path = beside_index(index, "verdicts.csv");
    const ratchet r = ratchet_read(path);
    free(path);
    return r;
}

book book_read(const report_options *o)
{
    book b = { .index = index_read(o->index ? o->index : "reports/claims.csv"), .partial = o->partial,
               .version = o->version ? o->version : "0.1" };
    b.results = results_beside(o->results, o->index ? o->index : "reports/claims.csv");
    for (long k = 0; k < b.index.n; k++) add_chapter(&b, b.index.at[k].id, &b.index.at[k]);
    read_folder(&b, o->evidence ? o->evidence : "build/evidence");
    if (!b.partial && !o->agree) b.agreed = agreed_beside(o->index ? o->index : "reports/claims.csv");
    b.found = findings_beside(o->index ? o->index : "reports/claims.csv");
    for (long k = 0; k < b.n; k++) judge(&b, &b.at[k]);
    check_builds(&b);
    check_dependencies(&b);
    if (!b.partial) note_missing(&b);
    if (!b.partial) check_findings(&b);
    return b;
}

void book_write_agreed(const book *b, const char *path)
{
    outfile o = outfile_open(path);
    ratchet_line(o.f, NULL);
    for (long k = 0; k < b->n; k++) ratchet_line(o.f, &b->at[k].v);
    outfile_close(&o);
}

void book_free(book *b)
{
    for (long k = 0; k < b->n; k++) {
        evidence_rows_free(&b->at[k].own);
        free(b->at[k].ladder.at);
        free(b->at[k].figures.at);
        meta_free(&b->at[k].text);
    }
    for (long k = 0; k < b->problems; k++) free(b->problem[k]);
    free(b->at);
    free(b->problem);
    results_free(&b->results);
    index_free(&b->index);
    proofs_free(&b->accepted);
    ratchet_free(&b->agreed);
    findings_free(&b->found);
    *b = (book){ 0 };
}
