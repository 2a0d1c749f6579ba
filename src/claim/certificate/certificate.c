/* SPDX-License-Identifier: GPL-3.0-or-later
 * certificate.c - certificates over q, and how any certificate becomes a file: see certificate.h. */
#include <stdio.h>                                              /* before gmp.h, which has mpq_out_str then */
#include "src/claim/certificate/certificate.h"
#include <stdlib.h>
#include <string.h>
#include "src/base/outfile.h"
#include "src/base/text.h"
#include "src/claim/certificate/written.h"
#include "src/claim/evidence/evidence_end.h"

/* ---- files ---- */

typedef struct { char *path, *text; } written_file;
static written_file *files;                                     /* of this program */
static size_t nfiles;

static void print_line(FILE *f, const char *text)               /* words separated by one space, ASCII */
{
    bool space = true;
    for (; *text; text++) {
        const bool blank = *text == ' ' || *text == '\n';
        if (blank && space) continue;
        fputc(blank ? ' ' : *text > 32 && *text < 127 ? *text : '?', f);
        space = blank;
    }
    fputc('\n', f);
}

/* " (models with constrained W_V = 0, n >= 2, d_k = d)": weights that are set, not drawn, sizes that are left out, and
 * settings of the body's own, which no equation shows; "": there are none. */
static char *restrictions(const certifier *c)
{
    text_buffer to = { 0 };
    char heads[32];                                                          /* these have a line of their own */
    snprintf(heads, sizeof heads, "h = %ld", c->heads);
    for (long k = 0; c->uses && k < c->uses->n; k++) {
        const hypothesis *h = &c->uses->at[k];
        if (h->kind == HYPOTHESIS_OF_NAME || strcmp(h->text, heads) == 0) continue;
        text_add(&to, "%s%s", to.length ? ", " : " (models with ", h->text);
    }
    if (to.length) text_add(&to, ")");
    return text_take(&to);
}

void draft_open(draft *d, const certifier *c, const char *kind)
{
    *d = (draft){ 0 };
    d->f = open_memstream(&d->text, &d->n);
    if (!d->f) die("no memory for a certificate");
    fprintf(d->f, "provably-certificate 2\nclaim %s\npart %s\nkind %s\n", c->id, c->part->name, kind);
    if (strcmp(kind, "sym") == 0) {
        fprintf(d->f, "heads %ld\n", c->heads);
        if (c->depth > 0) fprintf(d->f, "depth %ld\n", c->depth);
        else              fprintf(d->f, "depth %s\n", c->depth ? "every" : "none");
    }
    fputs("says ", d->f);
    const bool derived = strcmp(kind, "sym") == 0;
    char *besides = derived && c->decided
                  ? must_format(" (%ld facts that the program decides are not part of this)", c->decided)
                  : must_strdup("");
    char *with = derived ? restrictions(c) : must_strdup("");
    char *text = must_format("%s%s%s", c->part->statement ? c->part->statement : "-", with, besides);
    print_line(d->f, text);
    free(with);
    free(besides);
    free(text);
}

/* The path for this text; NULL if a file with the same text has been written. */
static char *path_for(const char *stem, const char *text)
{
    for (long number = 1; ; number++) {
        char *path = number == 1 ? must_format("%s.cert", stem) : must_format("%s-%ld.cert", stem, number);
        const written_file *same = NULL;
        for (size_t k = 0; k < nfiles && !same; k++) if (strcmp(files[k].path, path) == 0) same = &files[k];
        if (!same) return path;
        free(path);
        if (strcmp(same->text, text) == 0) return NULL;
    }
}

void draft_close(draft *d, certifier *c, const char *name)
{
    fputs("end\n", d->f);
    if (fclose(d->f) != 0) die("no memory for a certificate");
    char *stem = must_format("%s/%s-%s%s%s", c->folder, c->id, c->part->name, name ? "-" : "", name ? name : "");
    for (char *p = stem + strlen(c->folder); *p; p++) if (strchr("<>*?|", *p)) *p = '_';
    char *path = path_for(stem, d->text);
    free(stem);
    c->written++;
    if (!path) { free(d->text); return; }
    outfile o = outfile_open(path);
    fputs(d->text, o.f);
    outfile_close(&o);
    files = must_realloc(files, nfiles + 1, sizeof *files);
    files[nfiles++] = (written_file){ path, d->text };
}

void certificates_name(FILE *f)
{
    for (size_t k = 0; k < nfiles; k++) {
        char *kind = must_format("%s%s", CERTIFICATE_KIND, strrchr(files[k].path, '/') + 1);
        evidence_end_name_text(f, kind, files[k].text, strlen(files[k].text));
        free(kind);
    }
}

void certificates_forget(void)
{
    for (size_t k = 0; k < nfiles; k++) {
        free(files[k].path);
        free(files[k].text);
    }
    free(files);
    files = NULL;
    nfiles = 0;
}

void certifier_clear(certifier *c)
{
    free(c->equations);
    c->equations = NULL;
    c->nequations = c->decided = 0;
}

/* ---- matrices ---- */

bool certify_wanted(const trial *t)
{
    return t->record.certifier && t->s.R->kind == A_Q;
}

void draft_matrix(draft *d, const char *name, const mat *A)
{
    mpq_t x;
    mpq_init(x);
    fprintf(d->f, "matrix %s %ld %ld\n", name, A->rows, A->cols);
    for (long i = 0; i < A->rows; i++)
        for (long j = 0; j < A->cols; j++) {
            const bool known = mat_get_exact(x, A, i, j);
            REQUIRE(known, "entry (%ld, %ld) of %s has no exact value", i, j, name);
            if (j) fputc(' ', d->f);
            mpq_out_str(d->f, 10, x);
            if (j == A->cols - 1) fputc('\n', d->f);
        }
    mpq_clear(x);
}

/* ---- formulas ---- */

static void print_formulas(draft *d, long nf, const char *const formulas[])
{
    for (long k = 0; k < nf; k++) fprintf(d->f, "formula %s\n", formulas[k]);
}

void certify_matrix(trial *t, const char *name, long n, const given matrices[], long nf, const char *const formulas[])
{
    if (!certify_wanted(t)) return;
    draft d;
    draft_open(&d, t->record.certifier, "matrix");
    for (long k = 0; k < n; k++) draft_matrix(&d, matrices[k].name, matrices[k].A);
    print_formulas(&d, nf, formulas);
    draft_close(&d, t->record.certifier, name);
}

void certify_recount(trial *t, const char *name, long n, const count_of values[], long nf, const char *const formulas[])
{
    if (!certify_wanted(t)) return;
    draft d;
    draft_open(&d, t->record.certifier, "recount");
    for (long k = 0; k < n; k++) fprintf(d.f, "value %s %s\n", values[k].name, values[k].number);
    print_formulas(&d, nf, formulas);
    draft_close(&d, t->record.certifier, name);
}

void certify_exact(certifier *c, const part *P, shape sh, uint64_t seed)
{
    uint64_t key[2] = { seed, 0 };
    arith R = arith_q(key);
    trial t = { .s = scope_open(&R, seed, 0), .sh = sh, .id = c->id, .part = P->name, .seed = seed,
                .induction = P->induction, .record = { .mode = TRIAL_CERTIFIES, .certifier = c } };
    P->run(&t);
    scope_close(&t.s);
    free(t.record.checks);
}
