/* SPDX-License-Identifier: GPL-3.0-or-later
 * proofs.c - reads the lines of proofcheck: see proofs.h. */
#include "src/claim/certificate/proofs.h"
#include "src/base/admitted.h"
#include "src/base/file.h"
#include "src/base/lines.h"
#include "src/base/list.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A line that is being read, and where it stands */
typedef struct {
    const char *path;
    long        number;
    char       *at;
} reader;

_Noreturn static void malformed(const reader *r, const char *what)
{
    die("%s:%ld: %s; run make check again", r->path, r->number, what);
}

/* What comes before `stop`, which is passed. */
static char *until(reader *r, const char *stop, const char *what)
{
    char *from = r->at, *end = strstr(from, stop);
    const size_t n = end ? (size_t)(end - from) : 0;
    if (n == 0) malformed(r, what);
    from[n] = '\0';
    r->at = from + n + strlen(stop);
    return from;
}

static void copied(const reader *r, char *to, size_t size, const char *from, const char *what)
{
    if ((size_t)snprintf(to, size, "%s", from) >= size) malformed(r, what);
}

static long count(const reader *r, const char *text, const char *what)       /* at least 1 */
{
    char *end;
    errno = 0;
    const long n = strtol(text, &end, 10);
    if (errno || *end || *text < '1' || *text > '9') malformed(r, what);
    return n;
}

/* ---- hypotheses ---- */

static const char *const facts[] = { "invertible", "orthogonal", "half-odd", "shift-invariant", "stochastic" };

/* W_Q.0.1 -> W_Q; constant:2 -> constant */
static void drop_numbers(char *name)
{
    for (;;) {
        const size_t n = strlen(name);
        size_t digits = 0;
        while (digits < n && name[n - 1 - digits] >= '0' && name[n - 1 - digits] <= '9') digits++;
        if (digits == 0 || digits + 1 >= n || !strchr(".:", name[n - 1 - digits])) return;
        name[n - 1 - digits] = '\0';
    }
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void require_hypothesis(const reader *r, const char *text)
{
    const char *space = strchr(text, ' ');
    for (size_t k = 0; space && space[1] && !strchr(space + 1, ' ') && k < COUNT(facts); k++) {
        const size_t n = strlen(facts[k]);
        if ((size_t)(space - text) == n && strncmp(text, facts[k], n) == 0) return;
    }
    malformed(r, "no hypothesis that is known");
}

static const hypotheses *read_assumes(const reader *r, const char *list)
{
    char **one = NULL;
    size_t n = 0;
    text_buffer sorted = { 0 };
    if (strcmp(list, "nothing") == 0) return hypotheses_of("");
    for (const char *item; (item = list_next(&list)) != NULL; ) {
        require_hypothesis(r, item);
        one = must_realloc(one, n + 1, sizeof *one);
        one[n] = must_strdup(item);
        drop_numbers(one[n++]);
    }
    if (n) qsort(one, n, sizeof *one, by_text);
    for (size_t k = 0; k < n; k++) {
        list_add(&sorted, one[k]);
        free(one[k]);
    }
    free(one);
    const hypotheses *set = hypotheses_of(sorted.at ? sorted.at : "");
    text_clear(&sorted);
    return set;
}

/* ---- lines ---- */

/* FOLDER/K-T4.4-corrected.cert */
static void read_name(const reader *r, proof *p, char *path)
{
    char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const size_t n = strlen(name);
    if (n <= 5 || strcmp(name + n - 5, ".cert") != 0) malformed(r, "no certificate is named first");
    name[n - 5] = '\0';
    if (!admitted_name(name)) malformed(r, "the certificate is called by no name");
    copied(r, p->certificate, sizeof p->certificate, name, "the name of the certificate is too long");
}

static void read_scope(reader *r, proof *p)
{
    char *depth;
    if (strncmp(r->at, "heads ", 6) != 0) malformed(r, "`heads` is missing");
    r->at += 6;
    p->heads = count(r, until(r, "; depth ", "`depth` is missing"), "heads are no number from 1");
    depth = until(r, "; ", "the line ends after `depth`");
    if (strcmp(depth, "every") == 0) p->depth = -1;
    else if (strcmp(depth, "none") != 0)
        p->depth = count(r, depth, "the depth is neither none, every, nor a number from 1");
}

static proof read_line(reader *r)
{
    static const char assumes[] = "assumes: ";
    proof p = { .id = "" };
    read_name(r, &p, until(r, ": accepted: ", "not accepted"));
    copied(r, p.id, sizeof p.id, until(r, " ", "no claim"), "the claim is too long");
    if (!admitted_name(p.id)) malformed(r, "no claim");
    copied(r, p.part, sizeof p.part, until(r, ", ", "no part"), "the part is too long");
    if (!admitted_name(p.part)) malformed(r, "no part");
    copied(r, p.kind, sizeof p.kind, until(r, ", ", "no kind"), "the kind is too long");
    copied(r, p.proved, sizeof p.proved, until(r, "; ", "what was proved is missing"), "what was proved is too long");
    p.derivation = strcmp(p.kind, "sym") == 0;
    if (p.derivation) read_scope(r, &p);
    if (strncmp(r->at, assumes, strlen(assumes)) != 0) malformed(r, "`assumes` is missing");
    r->at += strlen(assumes);
    p.assumes = read_assumes(r, until(r, "; statement ", "`statement` is missing"));
    if (strlen(r->at) != 64 || strspn(r->at, "0123456789abcdef") != 64)
        malformed(r, "the hash of the statement is no hash");
    copied(r, p.statement, sizeof p.statement, r->at, "");
    return p;
}

void proofs_read(proofs *all, const char *path)
{
    FILE *f = file_open(path);
    if (!f) die("cannot read %s: %s; run make check", path, strerror(errno));
    text_line line = { 0 };
    reader r = { .path = path };
    while (line_next(&line, f, path)) {
        r.number++;
        r.at = line.at;
        if (!line.whole) malformed(&r, "the line has no end");
        if (*line.at == '#') continue;                       /* of src/claim/evidence/evidence_end.h */
        const proof p = read_line(&r);
        for (long k = 0; k < all->n; k++)
            if (strcmp(all->at[k].certificate, p.certificate) == 0)
                malformed(&r, "a duplicate certificate");
        all->at = must_realloc(all->at, (size_t)all->n + 1, sizeof *all->at);
        all->at[all->n++] = p;
    }
    text_line_free(&line);
    fclose(f);
}

void proofs_free(proofs *all)
{
    free(all->at);
    *all = (proofs){ 0 };
}
