/* formal.c - see formal.h. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "src/base/csv.h"
#include "src/base/file.h"
#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/data/checksum.h"
#include "src/report/collect/formal.h"

static const char header[] = "kind,claim,part,theorem,quantifiers,file,sha256,needs,needs_sha256,axioms";
enum { KIND, CLAIM, PART, THEOREM, QUANTIFIERS, FILE_NAME, SHA256, NEEDS, NEEDS_SHA256, AXIOMS };
enum { SOURCE = 1 << 22, FILES = 64 };               /* bytes of a .v file; files that one needs */

/* Have the files at these paths, separated by blanks, this hash?  No files: is it empty? */
static bool has_hash(const csv_file *c, const char *root, const char *paths, const char *hash)
{
    char *path[FILES], hex[SHA256_HEX] = "";
    char *copy = must_strdup(paths);
    long n = 0;
    for (char *rest = copy, *word; (word = strtok_r(rest, " ", &rest)) != NULL; n++) {
        if (n < FILES) path[n] = must_format("%s/%s", root, word);
        else csv_wrong(c, "more than %d files", FILES);
    }
    const bool same = (n == 0 || checksum_sha256_of((const char *const *)path, n, hex)) && strcmp(hex, hash) == 0;
    for (long k = 0; k < n; k++) free(path[k]);
    free(copy);
    return same;
}

/* The line `Theorem NAME ..` and those after it up to the line that begins with Proof, without the last newline; to be
 * freed.  NULL: there is none. */
static char *statement_of(const char *text, const char *theorem)
{
    static const char *const words[] = { "Theorem", "Corollary", "Lemma", "Proposition" };
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        char *begin = must_format("\n%s %s", words[k], theorem);
        const size_t length = strlen(begin);
        const char *at = strstr(text, begin);
        while (at && (strchr("_'", at[length]) != NULL || (at[length] >= '0' && at[length] <= '9') ||
                      (at[length] >= 'A' && at[length] <= 'Z') || (at[length] >= 'a' && at[length] <= 'z')))
            at = strstr(at + 1, begin);
        free(begin);
        const char *end = at ? strstr(at, "\nProof") : NULL;
        if (end) return must_format("%.*s", (int)(end - at - 1), at + 1);
    }
    return NULL;
}

static void take_theorem(formal_list *l, const csv_file *c, const char *root)
{
    if (!has_hash(c, root, c->cell[FILE_NAME], c->cell[SHA256]) ||
        !has_hash(c, root, c->cell[NEEDS], c->cell[NEEDS_SHA256])) {
        l->stale++;
        return;
    }
    formal_theorem t = { 0 };
    csv_text(c, CLAIM, t.claim, sizeof t.claim);
    csv_text(c, PART, t.part, sizeof t.part);
    csv_text(c, THEOREM, t.theorem, sizeof t.theorem);
    csv_text(c, QUANTIFIERS, t.quantifiers, sizeof t.quantifiers);
    csv_text(c, FILE_NAME, t.file, sizeof t.file);
    csv_text(c, AXIOMS, t.axioms, sizeof t.axioms);
    char *path = must_format("%s/%s", root, t.file), *text = file_read(path, SOURCE, NULL);
    t.statement = statement_of(text, t.theorem);
    if (!t.statement) csv_wrong(c, "%s states no theorem %s", t.file, t.theorem);
    free(text);
    free(path);
    l->at = must_realloc(l->at, (size_t)l->n + 1, sizeof *l->at);
    l->at[l->n++] = t;
}

formal_list formal_read(const char *path, const char *root)
{
    formal_list l = { 0 };
    if (access(path, F_OK) != 0) return l;
    csv_file c = csv_open(path, header, "run `make formal`");
    while (csv_next(&c)) {
        if (strcmp(c.cell[KIND], "theorem") == 0) take_theorem(&l, &c, root);
        else if (strcmp(c.cell[KIND], "certificate") != 0) csv_wrong(&c, "unknown kind `%s`", c.cell[KIND]);
    }
    csv_close(&c);
    return l;
}

void formal_free(formal_list *l)
{
    for (long k = 0; k < l->n; k++) free(l->at[k].statement);
    free(l->at);
    *l = (formal_list){ 0 };
}
