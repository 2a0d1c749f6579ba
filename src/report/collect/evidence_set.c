/* SPDX-License-Identifier: GPL-3.0-or-later
 * evidence_set.c - reads a folder of evidence: see evidence_set.h. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "src/base/outfile.h"
#include "src/base/places.h"
#include "src/base/version.h"
#include "src/claim/certificate/written.h"
#include "src/claim/evidence/evidence_end.h"
#include "src/data/checksum.h"
#include "src/report/collect/checks.h"

/* ---- reading --------------------------------------------------------------------------------- */

static claim_record *find_record(evidence_set *all, const char *id)
{
    for (long k = 0; k < all->n; k++) if (strcmp(all->at[k].id, id) == 0) return &all->at[k];
    return NULL;
}

static claim_record *add_record(evidence_set *all, const char *id, const claim_entry *entry)
{
    all->at = must_realloc(all->at, (size_t)all->n + 1, sizeof *all->at);
    claim_record *c = &all->at[all->n++];
    *c = (claim_record){ .entry = entry };
    cell_copy(c->id, sizeof c->id, id);
    return c;
}

/* The id of the claim that a file is about: that of its rows, or of the description beside it; all must agree. */
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

/* A link could be to another folder's file, which somebody changes there. */
static void refuse_links(const char *const paths[], size_t n)
{
    struct stat is;
    for (size_t k = 0; k < n; k++)
        if (lstat(paths[k], &is) == 0 && (S_ISLNK(is.st_mode) || S_ISDIR(is.st_mode)))
            die("%s: evidence is a file, not a link or a folder; " EVIDENCE_REPAIR, paths[k]);
}

/* The rows name the description of their program: another one beside them is not theirs. */
static void require_description(const char *path, const char *meta)
{
    char named[SHA256_HEX], is[SHA256_HEX];
    if (!evidence_end_names(path, "description", named)) return;
    if (!checksum_sha256(meta, is)) die("cannot read %s: %s", meta, strerror(errno));
    if (strcmp(named, is) != 0)
        die("%s: it is not the description of the run that wrote %s; " EVIDENCE_REPAIR, meta, path);
}

/* Does some trial over symbols hold of this part, at the certificate's number of heads, and show its depth?  Where one
 * does not hold, certificates of the part count for nothing. */
static bool is_of_a_row(const rows *own, const proof *q)
{
    for (long k = 0; k < own->n; k++) {
        const row *r = &own->at[k];
        if (r->over != A_SYM || r->skipped || !evidence_row_is_claim(r) || strcmp(r->part, q->part) != 0) continue;
        if (r->verdict != HOLDS) return true;
        /* The layers of a body that puts one behind the other are among the sizes that it drew. */
        const long layers = r->shape->size[DRAWN_L].most, drawn = r->drawn->size[DRAWN_L].most;
        const bool shown = r->depth == DEPTH_EVERY ? q->depth == -1 : r->depth == DEPTH_NONE ? q->depth == 0
                         : q->depth == layers || (drawn > layers && q->depth == drawn);
        if (r->shape->size[DRAWN_H].most == q->heads && shown) return true;
    }
    return false;
}

/* A certificate that proofcheck has accepted is one that the run of the rows has written, and speaks of what they
 * speak of. */
static void require_certificate(const char *path, const char *accepted, const rows *own, const proof *q)
{
    char written[SHA256_HEX], read[SHA256_HEX];
    if (q->derivation && !is_of_a_row(own, q))
        die("%s: %s is of %ld heads and a depth that no row of %s shows; " EVIDENCE_REPAIR, accepted, q->certificate,
            q->heads, path);
    char *kind = must_format("%s%s.cert", CERTIFICATE_KIND, q->certificate);
    const bool some = evidence_end_names(path, CERTIFICATE_KIND, written);
    evidence_end_names(path, kind, written);
    if (some) {
        if (!*written || !evidence_end_names(accepted, kind, read) || strcmp(written, read) != 0)
            die("%s: %s is not the certificate that the run of %s wrote; " EVIDENCE_REPAIR, accepted,
                q->certificate, path);
    }
    free(kind);
}

/* STEM.csv and, where they exist, STEM.ladder.csv and STEM.figures.csv; of a program that is not linked into this one
 * also STEM.meta. */
static void read_record(evidence_set *all, const char *folder, const char *stem)
{
    char *path = must_format("%s/%s.csv", folder, stem);
    char *ladder = must_format("%s/%s.ladder.csv", folder, stem);
    char *figures = must_format("%s/%s.figures.csv", folder, stem);
    char *meta = must_format("%s/%s.meta", folder, stem);
    char *accepted = must_format("%s/%s.accepted", folder, stem);
    rows own = { 0 };
    claim_text text = { 0 };
    struct stat is;
    refuse_links((const char *const[]){ path, ladder, figures, meta, accepted }, 5);
    evidence_rows_read(&own, path);
    evidence_end_require(path);
    if (!claim_text_linked(&text, stem) && access(meta, F_OK) == 0) {
        text = claim_text_read(meta);
        require_description(path, meta);
    }
    const char *id = claim_of(&own, &text, stem, path);
    claim_record *c = find_record(all, id);
    if (!c) {
        c = add_record(all, id, NULL);
        evidence_set_add_problem(all, must_format("%s has evidence but no row in the index of claims", id));
    }
    if (c->entry && c->entry->program[0] && strcmp(c->entry->program, stem) != 0)
        evidence_set_add_problem(all, must_format("%s: its evidence is of the program %s, and the index names %s", id,
                                                  stem, c->entry->program));
    if (c->own.n) die("%s: a second file of evidence of %s; remove the stale one", path, id);
    if (!own.n) evidence_set_add_problem(all, must_format("%s: the program wrote no evidence", id));
    c->own = own;
    c->text = text;
    if (evidence_end_has(path, "ladder", ladder)) {
        evidence_rungs_read(&c->ladder, ladder);
        evidence_end_require(ladder);
    }
    if (evidence_end_has(path, "figures", figures)) {
        evidence_figures_read(&c->figures, figures);
        evidence_end_require(figures);
    }
    if (lstat(accepted, &is) == 0) {
        const long before = all->accepted.n;
        proofs_read(&all->accepted, accepted);
        evidence_end_require(accepted);
        for (long k = before; k < all->accepted.n; k++) {
            if (strcmp(all->accepted.at[k].id, id) != 0)
                die("%s: a certificate of %s beside rows of %s; remove the file and run `make check` again", accepted,
                    all->accepted.at[k].id, id);
            require_certificate(path, accepted, &c->own, &all->accepted.at[k]);
        }
    }
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

static void read_folder(evidence_set *all, const char *folder)
{
    struct dirent **names;
    const int n = scandir(folder, &names, is_rows, alphasort);
    if (n < 0) die("cannot read %s: %s; run `make check` first, or name the folder with --evidence",
                   folder, strerror(errno));
    for (int k = 0; k < n; k++) {
        char *stem = must_format("%.*s", (int)strlen(names[k]->d_name) - 4, names[k]->d_name);
        read_record(all, folder, stem);
        free(stem);
        free(names[k]);
    }
    free(names);
}

/* NAME in the folder of the index, to be freed */
static char *beside_index(const char *index, const char *name)
{
    const char *slash = strrchr(index, '/');
    return must_format("%.*s%s", (int)(slash ? slash + 1 - index : 0), index, name);
}

static gap_curves gaps_in(const char *folder)
{
    char *path = must_format("%s/trained-theorems-gaps.csv", folder);
    const gap_curves all = trained_gap_read(path);
    free(path);
    return all;
}

static reduction_findings reductions_in(const char *folder)
{
    char *path = must_format("%s/trained-theorems-reductions.csv", folder);
    const reduction_findings all = trained_reductions_read(path);
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

static bearings bearings_beside(const char *index)
{
    char *path = beside_index(index, "bearing.csv");
    const bearings all = bearings_read(path);
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

/* Where the paths of lists begin: above the folder of the index; where the suite is installed, in it. */
static char *root_of(const char *index)
{
    char *installed = beside_index(index, "src/formal");
    char *root = beside_index(index, access(installed, F_OK) ? ".." : ".");
    free(installed);
    return root;
}

static formal_list formal_beside(const char *index)
{
    char *path = beside_index(index, "formal.csv"), *read = beside_index(index, "formal_read.csv");
    char *needed = beside_index(index, "formal_needed.csv"), *root = root_of(index);
    const formal_list all = formal_list_read(path, read, needed, root);
    free(path);
    free(needed);
    free(read);
    free(root);
    return all;
}

static readings readings_beside(const char *index)
{
    char *path = beside_index(index, "body_read.csv"), *root = root_of(index);
    const readings all = readings_read(path, root);
    free(path);
    free(root);
    return all;
}

/* Where `make reproduce` writes: "build/reproduce/results" for the evidence in build/evidence; to be freed. */
static char *own_results_path(const char *given)
{
    char *evidence = evidence_place(given);
    size_t n = strlen(evidence);
    while (n && evidence[n - 1] == '/') n--;
    while (n && evidence[n - 1] != '/') n--;
    char *path = must_format("%.*sreproduce/results", (int)n, evidence);
    free(evidence);
    return path;
}

/* Everything but the evidence. */
static evidence_set begin_set(const report_options *o)
{
    char *index = data_place(o->index, "claims.csv");
    evidence_set all = { .index = index_read(index), .partial = o->partial,
                         .version = o->version ? o->version : version_number(),
                         .program = o->program ? o->program : "provably" };
    all.results_path = o->results ? must_strdup(o->results) : beside_index(index, "results");
    all.results = results_folder(all.results_path);
    all.own_path = own_results_path(o->evidence);
    all.own = results_folder_own(all.own_path, &all.results);
    all.gaps = gaps_in(all.results_path);
    all.reductions = reductions_in(all.results_path);
    all.kinds = o->kinds;
    for (long k = 0; k < all.index.n; k++) add_record(&all, all.index.at[k].id, &all.index.at[k]);
    if (!all.partial && !o->agree) all.agreed = agreed_beside(index);
    all.found = findings_beside(index);
    all.bearing = bearings_beside(index);
    all.formal = formal_beside(index);
    all.read = readings_beside(index);
    free(index);
    return all;
}

evidence_set evidence_set_read(const report_options *o)
{
    evidence_set all = begin_set(o);
    all.evidence = evidence_place(o->evidence);
    read_folder(&all, all.evidence);
    evidence_set_judge(&all);
    return all;
}

evidence_set evidence_set_read_one(const report_options *o, const char *program)
{
    evidence_set all = begin_set(o);
    char *folder = evidence_place(o->evidence), *path = must_format("%s/%s.csv", folder, program);
    if (access(path, F_OK) == 0) read_record(&all, folder, program);
    else {
        claim_text text = { 0 };
        claim_record *c = claim_text_linked(&text, program) ? find_record(&all, text.id) : NULL;
        if (c) c->text = text;
        else claim_text_free(&text);
    }
    free(folder);
    free(path);
    evidence_set_judge(&all);
    return all;
}

void evidence_set_write_agreed(const evidence_set *all, const char *path)
{
    outfile o = outfile_open(path);
    ratchet_line(o.f, NULL);
    for (long k = 0; k < all->n; k++) ratchet_line(o.f, &all->at[k].v);
    outfile_close(&o);
}

void evidence_set_free(evidence_set *all)
{
    for (long k = 0; k < all->n; k++) {
        evidence_rows_free(&all->at[k].own);
        free(all->at[k].ladder.at);
        free(all->at[k].figures.at);
        claim_text_free(&all->at[k].text);
    }
    for (long k = 0; k < all->problems; k++) free(all->problem[k]);
    free(all->at);
    free(all->problem);
    results_free(&all->results);
    trained_gap_free(&all->gaps);
    trained_reductions_free(&all->reductions);
    free(all->results_path);
    results_free(&all->own);
    free(all->own_path);
    free(all->evidence);
    index_free(&all->index);
    proofs_free(&all->accepted);
    ratchet_free(&all->agreed);
    findings_free(&all->found);
    bearings_free(&all->bearing);
    formal_list_free(&all->formal);
    readings_free(&all->read);
    *all = (evidence_set){ 0 };
}
