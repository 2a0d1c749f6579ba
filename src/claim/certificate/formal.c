/* SPDX-License-Identifier: GPL-3.0-or-later
 * formal.c - see formal.h. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "src/base/admitted.h"
#include "src/base/csv.h"
#include "src/base/file.h"
#include "src/base/text.h"
#include "src/data/checksum.h"
#include "src/claim/certificate/formal.h"
#include "src/claim/certificate/formal_text.h"

static const char header[] = "kind,claim,part,theorem,quantifiers,file,sha256,needs,needs_sha256,axioms,log_sha256";
enum { KIND, CLAIM, PART, THEOREM, QUANTIFIERS, FILE_NAME, SHA256, NEEDS, NEEDS_SHA256, AXIOMS, LOG_SHA256 };
enum { SOURCE = 1 << 22, FILES = 64 };               /* bytes of a .v file or a log; files that one needs */

/* Have the files at these paths, separated by blanks, this hash?  No files: is it empty? */
static bool has_hash(const csv_file *c, const char *root, const char *paths, const char *hash)
{
    char *path[FILES], hex[SHA256_HEX] = "";
    char *copy = must_strdup(paths);
    long n = 0;
    for (char *rest = copy, *word; (word = strtok_r(rest, " ", &rest)) != NULL; n++) {
        if (!admitted_path(word)) csv_wrong(c, "`%s` is not a file below the folder of the theorems", word);
        if (n < FILES) path[n] = must_format("%s/%s", root, word);
        else csv_wrong(c, "more than %d files", FILES);
    }
    const bool same = (n == 0 || checksum_sha256_of((const char *const *)path, n, hex)) && strcmp(hex, hash) == 0;
    for (long k = 0; k < n; k++) free(path[k]);
    free(copy);
    return same;
}

/* ---- the log of the kernel --------------------------------------------------------------------------------- */

/* Beside the list: formal_log.txt of formal.csv for "_log.txt"; to be freed. */
static char *beside(const char *list, const char *ending)
{
    const size_t n = strlen(list), end = n > 4 && strcmp(list + n - 4, ".csv") == 0 ? n - 4 : n;
    return must_format("%.*s%s", (int)end, list, ending);
}

/* To be freed; "": there is none. */
static char *log_of(const char *list)
{
    char *path = beside(list, "_log.txt");
    char *text = access(path, F_OK) == 0 ? file_read(path, SOURCE, NULL) : must_strdup("");
    free(path);
    return text;
}

/* The line of the log after those that begin with `coqchk: ` and that says of this theorem what the row says of its
 * axioms; both together have the hash of the row.  tests/formal.sh writes them. */
static bool logged(const csv_file *c, const char *text)
{
    const bool none = strcmp(c->cell[AXIOMS], "none") == 0;
    char *own = must_format("%s %s %s %s: %s%s\n", c->cell[FILE_NAME], c->cell[SHA256],
                            c->cell[NEEDS_SHA256][0] ? c->cell[NEEDS_SHA256] : "-", c->cell[THEOREM],
                            none ? "Closed under the global context" : "Axioms: ", none ? "" : c->cell[AXIOMS]);
    text_buffer said = { 0 };
    bool found = false;
    for (const char *line = text; *line; ) {
        const size_t n = strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n');
        const bool is_own = n == strlen(own) && strncmp(line, own, n) == 0;
        if (strncmp(line, "coqchk: ", strlen("coqchk: ")) == 0 || (is_own && !found)) text_bytes(&said, line, n);
        found |= is_own;
        line += n;
    }
    char hex[SHA256_HEX], *all = text_take(&said);
    checksum_sha256_bytes(all, strlen(all), hex);
    free(all);
    free(own);
    return found && strcmp(hex, c->cell[LOG_SHA256]) == 0;
}

/* The text of a file of the tree, to be freed. */
static char *text_of(const char *root, const char *file)
{
    char *path = must_format("%s/%s", root, file), *text = file_read(path, SOURCE, NULL);
    free(path);
    return text;
}

/* Of the files that it needs; the model and its matrices are read beside src/model/model.h. */
static char *definitions_of(const formal_theorem *t, const char *needs, const char *root)
{
    char *named = must_format("%s\n%s", t->setting, t->statement), *copy = must_strdup(needs), *rest = copy;
    text_buffer found = { 0 };
    for (char *file; (file = strtok_r(rest, " ", &rest)) != NULL; ) {
        if (strstr(file, "transformer.v") || strstr(file, "matrices.v")) continue;
        char *text = text_of(root, file), *own = formal_definitions(text, named);
        if (*own) text_add(&found, "%s(* %s *)\n%s", found.length ? "\n" : "", file, own);
        free(own);
        free(text);
    }
    free(copy);
    free(named);
    return text_take(&found);
}

static void read_statement(formal_theorem *t, const csv_file *c, const char *root)
{
    char *text = text_of(root, t->file);
    t->statement = formal_statement(text, t->theorem);
    if (!t->statement) csv_wrong(c, "%s states no theorem %s", t->file, t->theorem);
    char *comment = must_format("(* Provably: claim=%s part=%s theorem=%s quantifiers=%s *)", t->claim, t->part,
                                t->theorem, t->quantifiers);
    if (!formal_has_line(text, comment)) csv_wrong(c, "%s has no line `%s`", t->file, comment);
    free(comment);
    t->setting = formal_setting(text, t->theorem);
    t->defined = definitions_of(t, c->cell[NEEDS], root);
    free(text);
}

static void take_theorem(formal_list *l, const csv_file *c, const char *root, const char *log)
{
    const bool file = has_hash(c, root, c->cell[FILE_NAME], c->cell[SHA256]);
    const bool needs = has_hash(c, root, c->cell[NEEDS], c->cell[NEEDS_SHA256]);
    formal_theorem t = { .current = file && needs };
    csv_name(c, CLAIM, t.claim, sizeof t.claim);
    csv_name(c, PART, t.part, sizeof t.part);
    csv_text(c, THEOREM, t.theorem, sizeof t.theorem);
    csv_text(c, QUANTIFIERS, t.quantifiers, sizeof t.quantifiers);
    csv_text(c, FILE_NAME, t.file, sizeof t.file);
    csv_text(c, AXIOMS, t.axioms, sizeof t.axioms);
    snprintf(t.states, sizeof t.states, "%s %s", t.file, t.theorem);
    if (t.current) read_statement(&t, c, root);
    else l->stale++;
    if (t.current && !logged(c, log))
        csv_wrong(c, "the log of the kernel does not say this of theorem %s of %s", t.theorem, t.file);
    l->at = must_realloc(l->at, (size_t)l->n + 1, sizeof *l->at);
    l->at[l->n++] = t;
}

/* ---- what has been read ------------------------------------------------------------------------------------ */

static const char read_header[] = "claim,part,theorem,reading,sentence,again,lacks";
enum { READ_CLAIM, READ_PART, READ_THEOREM, READING, SENTENCE, AGAIN, LACKS };

static formal_theorem *theorem_of_line(const formal_list *l, const csv_file *c)
{
    for (long k = 0; k < l->n; k++) {
        formal_theorem *t = &l->at[k];
        if (strcmp(t->claim, c->cell[READ_CLAIM]) == 0 && strcmp(t->part, c->cell[READ_PART]) == 0 &&
            strcmp(t->theorem, c->cell[READ_THEOREM]) == 0) return t;
    }
    return NULL;
}

static void must_be_reread(formal_list *l, char *why)                             /* takes the text */
{
    l->reread = must_realloc(l->reread, (size_t)l->rereads + 1, sizeof *l->reread);
    l->reread[l->rereads++] = why;
}

static void take_reading(formal_list *l, const csv_file *c, const char *root)
{
    formal_theorem *t = theorem_of_line(l, c);
    char hex[SHA256_HEX];
    if (!t) {
        must_be_reread(l, must_format("%s:%ld: formal.csv has no theorem %s of %s %s; take the line out", c->path,
                                      c->number, c->cell[READ_THEOREM], c->cell[READ_CLAIM], c->cell[READ_PART]));
        return;
    }
    if (!t->current) return;                                   /* it does not count anyway */
    char *text = text_of(root, t->file);
    formal_reading(text, hex);
    free(text);
    const bool same = strcmp(hex, c->cell[READING]) == 0;
    t->whole = same && !c->cell[LACKS][0];
    t->twice = same && strcmp(hex, c->cell[AGAIN]) == 0;
    if (same && c->cell[LACKS][0]) t->lacks = must_strdup(c->cell[LACKS]);
    csv_text(c, SENTENCE, t->sentence, sizeof t->sentence);
    if (!same)
        must_be_reread(l, must_format("%s:%ld: what %s states has changed since somebody compared theorem %s with the "
                                      "sentence of %s %s; read both again, and if the theorem says all of it, write %s",
                                      c->path, c->number, t->file, t->theorem, t->claim, t->part, hex));
}

static void read_readings(formal_list *l, const char *path, const char *root)
{
    if (!path || access(path, F_OK) != 0) return;
    csv_file c = csv_open(path, read_header, "see src/claim/certificate/formal.h");
    while (csv_next(&c)) take_reading(l, &c, root);
    csv_close(&c);
}

/* ---- what goes wrong without a hypothesis ------------------------------------------------------------------- */

static const char needed_header[] = "file,theorem,hypothesis,lemma,lemma_file,sha256,says";
enum { OF_FILE, OF_THEOREM, HYPOTHESIS, LEMMA, LEMMA_FILE, LEMMA_SHA256, SAYS };

static void add_need(formal_theorem *t, const csv_file *c)
{
    formal_need n = { .says = must_strdup(c->cell[SAYS]) };
    csv_text(c, HYPOTHESIS, n.hypothesis, sizeof n.hypothesis);
    csv_text(c, LEMMA, n.lemma, sizeof n.lemma);
    csv_text(c, LEMMA_FILE, n.file, sizeof n.file);
    t->need = must_realloc(t->need, (size_t)t->needs + 1, sizeof *t->need);
    t->need[t->needs++] = n;
}

/* A theorem may be that of several parts; a lemma whose file has changed since is left out. */
static void read_needed(formal_list *l, const char *path, const char *root)
{
    if (!path || access(path, F_OK) != 0) return;
    csv_file c = csv_open(path, needed_header, "run `make formal`");
    while (csv_next(&c)) {
        if (c.cell[LEMMA][0] && !has_hash(&c, root, c.cell[LEMMA_FILE], c.cell[LEMMA_SHA256])) continue;
        for (long k = 0; k < l->n; k++) {
            formal_theorem *t = &l->at[k];
            if (t->current && strcmp(t->file, c.cell[OF_FILE]) == 0 && strcmp(t->theorem, c.cell[OF_THEOREM]) == 0)
                add_need(t, &c);
        }
    }
    csv_close(&c);
}

/* ---- which theorems are one statement ----------------------------------------------------------------------- */

static const char cases_header[] = "file,theorem,of_file,of_theorem";
enum { CASE_FILE, CASE_THEOREM, GENERAL_FILE, GENERAL_THEOREM };

static void take_case(formal_list *l, const csv_file *c)
{
    for (long k = 0; k < l->n; k++) {
        formal_theorem *t = &l->at[k];
        if (strcmp(t->file, c->cell[CASE_FILE]) == 0 && strcmp(t->theorem, c->cell[CASE_THEOREM]) == 0)
            snprintf(t->states, sizeof t->states, "%s %s", c->cell[GENERAL_FILE], c->cell[GENERAL_THEOREM]);
    }
}

static void read_cases(formal_list *l, const char *list)
{
    char *path = beside(list, "_cases.csv");
    if (access(path, F_OK) == 0) {
        csv_file c = csv_open(path, cases_header, "run `make formal`");
        while (csv_next(&c)) take_case(l, &c);
        csv_close(&c);
    }
    free(path);
}

formal_list formal_list_read(const char *path, const char *read, const char *needed, const char *root)
{
    formal_list l = { 0 };
    if (access(path, F_OK) != 0) return l;
    char *log = log_of(path);
    csv_file c = csv_open(path, header, "run `make formal`");
    while (csv_next(&c)) {
        if (strcmp(c.cell[KIND], "theorem") == 0) take_theorem(&l, &c, root, log);
        else if (strcmp(c.cell[KIND], "certificate") != 0) csv_wrong(&c, "unknown kind `%s`", c.cell[KIND]);
    }
    csv_close(&c);
    free(log);
    read_readings(&l, read, root);
    read_needed(&l, needed, root);
    read_cases(&l, path);
    return l;
}

void formal_list_free(formal_list *l)
{
    for (long k = 0; k < l->n; k++) {
        free(l->at[k].setting);
        free(l->at[k].defined);
        free(l->at[k].statement);
        free(l->at[k].lacks);
        for (long i = 0; i < l->at[k].needs; i++) free(l->at[k].need[i].says);
        free(l->at[k].need);
    }
    for (long k = 0; k < l->rereads; k++) free(l->reread[k]);
    free(l->reread);
    free(l->at);
    *l = (formal_list){ 0 };
}
