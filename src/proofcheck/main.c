/* main.c - proofcheck: re-verifies certificates from their text alone, on GMP alone.
 *
 * reports/CERTIFICATES.md describes the format.  For each file one line is printed, `accepted:` with what was proved
 * under which hypotheses, or `rejected:` with the line and the reason.  An accepted line ends in the SHA-256 hash of
 * the statement: of all lines but the one that begins with `says`, and of matrices of numbers no rows.  With
 * --statements=LIST, a file is accepted only if LIST has that hash for its claim, part and name.
 *
 *   text.c     lines and words            words.c    normal forms of symbolic matrices
 *   state.c    limits and memory          sym.c      kind sym
 *   sha256.c   the hash                   matrix.c   matrices of rational numbers
 *   formula.c  kinds matrix, recount      relu.c     kinds relu-eq, relu-neq, no-j                           */
#include "src/proofcheck/proofcheck.h"
#include <stdlib.h>
#include <string.h>

/* ---- the lines before the data ---- */

static char *label(checker *c, const char *word)     /* without what separates the words of an accepted line */
{
    text_next_line_is(c, word, 2);
    if (strlen(c->word[1]) > 40 || strpbrk(c->word[1], ",;:\""))
        check_reject(c, "not a label (at most 40 characters, none of , ; : and quotes)", c->word[1]);
    return c->word[1];
}

/* Which models the body was recorded for; depth `none`: it compares no whole models, `every`: an induction holds. */
static void read_scope(checker *c)
{
    c->heads = label(c, "heads");
    c->depth = label(c, "depth");
    check_that(c, text_read_whole(c, c->heads, 999999) > 0, "heads must be at least 1");
    if (text_equal(c->depth, "none") || text_equal(c->depth, "every")) return;
    check_that(c, text_read_whole(c, c->depth, 999999) > 0, "depth must be `none`, `every` or at least 1");
}

static void check(checker *c)
{
    text_next_line_is(c, "provably-certificate", 2);
    check_that(c, text_equal(c->word[1], "2"), "expected version 2");
    c->claim = label(c, "claim");
    c->part = label(c, "part");
    c->kind = label(c, "kind");
    if (text_equal(c->kind, "sym")) read_scope(c);
    text_next_line(c);
    check_that(c, text_equal(c->word[0], "says") && c->words > 1, "expected a line: says");
    if (text_equal(c->kind, "sym")) check_sym(c);
    else if (text_equal(c->kind, "relu-eq")) check_relu(c, true);
    else if (text_equal(c->kind, "relu-neq")) check_relu(c, false);
    else if (text_equal(c->kind, "no-j")) check_no_j(c);
    else if (text_equal(c->kind, "matrix") || text_equal(c->kind, "recount")) check_formulas(c);
    else check_reject(c, "unknown kind", c->kind);
    check_that(c, c->at == c->end, "bytes after `end`");
}

/* ---- the list of statements ---- */

/* Has the list the line CLAIM,PART,NAME,HASH, where the file is FOLDER/NAME.cert? */
static bool is_listed(checker *c, const char *list, const char *path, const char *hash)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const size_t n = strlen(name);
    if (n <= 5 || !text_equal(name + n - 5, ".cert")) return false;
    char *stem = check_join(c, name, "", "");
    stem[n - 5] = '\0';
    const char *key = check_join(c, check_join(c, "\n", c->claim, ","), check_join(c, c->part, ",", stem), ",");
    return strstr(list, check_join(c, key, hash, "\n")) != NULL;
}

/* ---- files ---- */

typedef enum { ACCEPTED, REJECTED, UNREADABLE } outcome;

/* At most `size` bytes of a file, or -1 */
static long contents(const char *path, char *to, size_t size)
{
    FILE *f = fopen(path, "rb");
    if (!f) return -1;
    const size_t n = fread(to, 1, size, f);
    const bool bad = ferror(f);
    fclose(f);
    return bad ? -1 : (long)n;
}

static void print_accepted(const checker *c, const char *path, const char *hash)
{
    printf("%s: accepted: %s %s, %s, %s", path, c->claim, c->part, c->kind, c->proved);
    if (c->heads) printf("; heads %s; depth %s", c->heads, c->depth);
    printf("; assumes: %s; statement %s\n", c->assumes ? c->assumes : "nothing", hash);
}

static outcome check_file(const char *path, const char *list)
{
    static char text[FILE_BYTES + 1];
    static checker state;
    checker *c = &state;
    char hash[HASH_TEXT];
    const long n = contents(path, text, sizeof text);
    if (n < 0) {
        fprintf(stderr, "proofcheck: cannot read %s\n", path);
        return UNREADABLE;
    }
    checker_open(c);
    c->at = text;
    c->end = text + n;
    volatile outcome is = REJECTED;
    if (setjmp(c->out) == 0) {
        mpq_inits(c->x, c->y, c->z, NULL);
        check_that(c, n <= FILE_BYTES, "a file of too many bytes");
        check(c);
        sha256_end(&c->statement, hash);
        const bool listed = !list || is_listed(c, list, path, hash);
        check_that(c, listed, "the list does not have this statement for this claim and name");
        print_accepted(c, path, hash);
        is = ACCEPTED;
    } else {
        printf("%s: rejected: line %ld: %s\n", path, c->line, c->why);
    }
    checker_close(c);
    return is;
}

static const char *read_list(const char *path)
{
    static char text[FILE_BYTES + 1];
    const long n = contents(path, text, sizeof text);
    if (n >= 0 && n < (long)sizeof text && strncmp(text, "id,part,certificate,statement\n", 30) == 0) return text;
    fprintf(stderr, "proofcheck: %s is not a list of statements\n", path);
    exit(2);
}

static const char usage[] =
    "Usage: proofcheck [--statements=LIST] FILE...\n"
    "Verifies certificates from their text alone: for each FILE one line, `accepted:`\n"
    "with what was proved under which hypotheses, or `rejected:` with the line and the\n"
    "reason.\n\n"
    "      --statements=LIST      accept only what LIST has under that claim, part and\n"
    "                             name with the same SHA-256 hash\n"
    "  -h, --help                 Give this help list\n\n"
    "Exit status: 0 all are accepted, 1 some are rejected, 2 some cannot be read.\n";

int main(int argc, char **argv)
{
    static const char option[] = "--statements=";
    const size_t n = sizeof option - 1;
    int first = 1, worst = 0;
    const char *list = NULL;
    if (argc > 1 && strncmp(argv[1], option, n) == 0) list = read_list(argv[first++] + n);
    if (first >= argc || argv[first][0] == '-') {
        const bool asked = argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
        fputs(usage, asked ? stdout : stderr);
        return asked && fflush(stdout) == 0 ? 0 : 2;
    }
    for (int k = first; k < argc; k++) {
        const outcome is = check_file(argv[k], list);
        if ((int)is > worst) worst = (int)is;
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fputs("proofcheck: cannot write to standard output\n", stderr);
        return 2;
    }
    return worst;
}
