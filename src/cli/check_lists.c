/* SPDX-License-Identifier: GPL-3.0-or-later
 * check_lists.c - the lists that are made from the programs, and whether they say what the programs do: the columns
 * `certificate` and `controls` of claims.csv, and the certificates of formal.csv.  See check.h. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "src/base/csv.h"
#include "src/base/file.h"
#include "src/base/outfile.h"
#include "src/base/places.h"
#include "src/claim/certificate/proofs.h"
#include "src/claim/claim.h"
#include "src/cli/check.h"
#include "src/data/checksum.h"

/* ---- words, each once ------------------------------------------------------------------------------------ */

typedef struct { const char **at; long *times, n; } words;

static void words_add(words *w, const char *word)
{
    for (long k = 0; k < w->n; k++)
        if (strcmp(w->at[k], word) == 0) {
            w->times[k]++;
            return;
        }
    w->at = must_realloc(w->at, (size_t)w->n + 1, sizeof *w->at);
    w->times = must_realloc(w->times, (size_t)w->n + 1, sizeof *w->times);
    w->at[w->n] = word;
    w->times[w->n++] = 1;
}

/* In the order of the alphabet. */
static void words_sort(words *w)
{
    for (long k = 1; k < w->n; k++)
        for (long i = k; i && strcmp(w->at[i - 1], w->at[i]) > 0; i--) {
            const char *word = w->at[i];
            const long times = w->times[i];
            w->at[i] = w->at[i - 1];
            w->times[i] = w->times[i - 1];
            w->at[i - 1] = word;
            w->times[i - 1] = times;
        }
}

static void words_print(const words *w, text_buffer *t)
{
    for (long k = 0; k < w->n; k++) text_add(t, "%s%s", k ? ";" : "", w->at[k]);
}

static void words_free(words *w)
{
    free(w->at);
    free(w->times);
    *w = (words){ 0 };
}

/* ---- the index ------------------------------------------------------------------------------------------- */

enum { ID = 0, PROGRAM = 9, CERTIFICATE = 10 };

/* How many bytes the first n cells of a line take, with the comma behind them. */
static size_t cells(const char *line, int n)
{
    bool quoted = false;
    size_t k = 0;
    for (; line[k] && n; k++) {
        if (line[k] == '"') quoted = !quoted;
        n -= line[k] == ',' && !quoted;
    }
    return k;
}

static char *cell(const char *line, int k)
{
    const size_t from = cells(line, k), to = cells(line, k + 1);
    return must_format("%.*s", (int)(to - from) - (line[to - 1] == ','), line + from);
}

/* Those that the program declares, without `minimal`, in its order. */
static void add_controls(text_buffer *t, const claim *C)
{
    words names = { 0 };
    for (size_t p = 0; p < C->nparts; p++)
        for (size_t k = 0; k < C->parts[p].ncontrols; k++)
            if (strcmp(C->parts[p].controls[k].name, "minimal") != 0) words_add(&names, C->parts[p].controls[k].name);
    words_print(&names, t);
    words_free(&names);
}

/* The kinds of certificates of the claim that proofcheck has accepted; without one what the index says in their place,
 * `none: ` and why. */
static void add_kinds(text_buffer *t, const check_suite *s, const char *id, const char *program, const char *old)
{
    char *path = evidence_path(s, program, "accepted");
    proofs all = { 0 };
    words kinds = { 0 };
    if (access(path, F_OK) == 0) proofs_read(&all, path);
    for (long k = 0; k < all.n; k++) if (strcmp(all.at[k].id, id) == 0) words_add(&kinds, all.at[k].kind);
    words_sort(&kinds);
    if (kinds.n) words_print(&kinds, t);
    else text_add(t, "%s", strncmp(old + (*old == '"'), "none: ", 6) == 0 ? old : "none: give a reason here");
    words_free(&kinds);
    proofs_free(&all);
    free(path);
}

static const claim *known_claim(const char *program, const char *id)
{
    const claim *C = claim_of_program(program);
    if (!C) die("the program %s of claim %s is not part of this provably", program, id);
    return C;
}

/* The line as it should be; to be freed. */
static char *line_of_index(const check_suite *s, const char *line)
{
    char *id = cell(line, ID), *program = cell(line, PROGRAM), *old = cell(line, CERTIFICATE);
    text_buffer t = { 0 };
    if (!*program) text_add(&t, "%s", line);
    else {
        const claim *C = known_claim(program, id);
        text_bytes(&t, line, cells(line, CERTIFICATE));
        add_kinds(&t, s, id, program, old);
        text_add(&t, ",");
        add_controls(&t, C);
    }
    free(old);
    free(program);
    free(id);
    return text_take(&t);
}

bool lists_index(const check_suite *s, bool write)
{
    char *path = data_place(NULL, "claims.csv");
    outfile to = { 0 };
    text_line line = { 0 };
    bool same = true, head = true;
    FILE *f = file_open(path);
    if (!f) die("cannot read %s: %s", path, strerror(errno));
    if (write) to = outfile_open(path);
    for (; line_next(&line, f, path); head = false) {
        char *is = head ? must_strdup(line.at) : line_of_index(s, line.at);
        if (write) fprintf(to.f, "%s\n", is);
        else if (strcmp(is, line.at) != 0) {
            printf("the index should say: %s\n", is);
            same = false;
        }
        free(is);
    }
    if (write) outfile_close(&to);
    if (!same) printf("%s: its columns certificate and controls are generated: run make index\n", path);
    fclose(f);
    text_line_free(&line);
    free(path);
    return same;
}

/* ---- what Coq's kernel has accepted ---------------------------------------------------------------------- */

typedef struct { char *file, *sha256; } accepted_file;
typedef struct { accepted_file *at; long n; } accepted_files;

static accepted_files read_formal(const char *path)
{
    accepted_files all = { 0 };
    FILE *f = file_open(path);
    if (!f) return all;
    csv_file c = csv_from_named(f, path, "run `make formal`");
    const long kind = csv_column(&c, "kind"), file = csv_column(&c, "file"), sha256 = csv_column(&c, "sha256");
    while (csv_next(&c)) {
        if (kind < 0 || file < 0 || sha256 < 0) csv_wrong(&c, "no column kind, file or sha256");
        if (strcmp(c.cell[kind], "certificate") != 0) continue;
        all.at = must_realloc(all.at, (size_t)all.n + 1, sizeof *all.at);
        all.at[all.n++] = (accepted_file){ must_strdup(c.cell[file]), must_strdup(c.cell[sha256]) };
    }
    csv_close(&c);
    return all;
}

static bool has(const accepted_files *all, const char *file, const char *sha256)
{
    for (long k = 0; k < all->n; k++)
        if (strcmp(all->at[k].file, file) == 0 && strcmp(all->at[k].sha256, sha256) == 0) return true;
    return false;
}

bool lists_formal(const check_suite *s)
{
    char *path = data_place(NULL, "formal.csv"), sha256[SHA256_HEX];
    accepted_files all = read_formal(path);
    bool same = true;
    for (long k = 0; k < s->n; k++) {
        int n;
        char **file = suite_certificate_files(s, s->at[k].name, 0, &n);
        for (int i = 0; i < n; i++) {
            const char *name = strrchr(file[i], '/') + 1;
            if (!checksum_sha256(file[i], sha256)) die("cannot read %s: %s", file[i], strerror(errno));
            if (!has(&all, name, sha256)) {
                fprintf(stderr, "%s: not the certificate that Coq's kernel has accepted: %s\n", path, name);
                same = false;
            }
            free(file[i]);
        }
        free(file);
    }
    if (!same) fprintf(stderr, "run `make deps-formal formal` (minutes) and read the difference of %s\n", path);
    for (long k = 0; k < all.n; k++) {
        free(all.at[k].file);
        free(all.at[k].sha256);
    }
    free(all.at);
    free(path);
    return same;
}

void lists_count(const check_suite *s)
{
    proofs all = { 0 };
    words kinds = { 0 };
    for (long k = 0; k < s->n; k++) {
        char *path = evidence_path(s, s->at[k].name, "accepted");
        if (access(path, F_OK) == 0) proofs_read(&all, path);
        free(path);
    }
    for (long k = 0; k < all.n; k++) words_add(&kinds, all.at[k].kind);
    words_sort(&kinds);
    printf("certificates: %ld accepted:", all.n);
    for (long k = 0; k < kinds.n; k++) printf("%s %ld %s", k ? "," : "", kinds.times[k], kinds.at[k]);
    putchar('\n');
    words_free(&kinds);
    proofs_free(&all);
}
