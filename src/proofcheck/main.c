/* SPDX-License-Identifier: GPL-3.0-or-later
 * main.c - proofcheck: re-verifies certificates from their text alone, on GMP alone.
 *
 * reports/CERTIFICATES.md describes the format.  For each file one line is printed, `accepted:` with what was proved
 * under which hypotheses, or `rejected:` with the line and the reason.  An accepted line ends in the SHA-256 hash of
 * the statement, which is the file's own.  With --statements=LIST, a file is accepted only if LIST has its hash for its
 * claim, part and name; there the rows of matrices that LIST calls drawn are left out, and must meet its demands.
 *
 *   text.c     lines and words            words.c    normal forms of symbolic matrices
 *   state.c    limits and memory          sym.c      kind sym
 *   sha256.c   the hash                   matrix.c   matrices of rational numbers
 *   list.c     the list of statements
 *   formula.c  kinds matrix, recount      relu.c     kinds relu-eq, relu-neq, no-j                           */
#include "src/proofcheck/proofcheck.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static void check(checker *c, const char *list, const char *path)
{
    text_next_line_is(c, "provably-certificate", 2);
    check_that(c, text_equal(c->word[1], "2"), "expected version 2");
    c->claim = label(c, "claim");
    c->part = label(c, "part");
    if (list) list_find(c, list, path);
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
    list_demands(c);
}

/* ---- files ---- */

typedef enum { ACCEPTED, REJECTED, UNREADABLE } outcome;

/* At most `size` bytes of a regular file, or -1; a named pipe or a device is not waited for. */
static long contents(const char *path, char *to, size_t size)
{
    struct stat s;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) return -1;
    long n = 0;
    ssize_t more = fstat(fd, &s) == 0 && S_ISREG(s.st_mode) ? 1 : -1;
    while (more > 0 && n < (long)size) if ((more = read(fd, to + n, size - (size_t)n)) > 0) n += more;
    close(fd);
    return more < 0 ? -1 : n;
}

/* How many bytes of UTF-8 begin at p that neither command a terminal nor reorder a line; 0: p[0] is to be escaped. */
static int plain_bytes(const unsigned char *p)
{
    const int n = p[0] < 0x80 ? 1 : p[0] >= 0xc2 && p[0] < 0xe0 ? 2 : p[0] >= 0xe0 && p[0] < 0xf0 ? 3
                : p[0] >= 0xf0 && p[0] < 0xf5 ? 4 : 0;
    for (int k = 1; k < n; k++) if ((p[k] & 0xc0) != 0x80) return 0;
    const bool control = p[0] < 32 || p[0] == 127 || (p[0] == 0xc2 && p[1] < 0xa0) || (p[0] == 0xd8 && p[1] == 0x9c);
    const bool turns = p[0] == 0xe2
        && ((p[1] == 0x80 && (p[2] == 0x8e || p[2] == 0x8f || (p[2] >= 0xa8 && p[2] <= 0xae)))
                                        || (p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9));
    return control || turns ? 0 : n;
}

/* The path, other bytes as \xHH. */
static void put_path(FILE *f, const char *path)
{
    for (const unsigned char *p = (const unsigned char *)path; *p; ) {
        const int n = plain_bytes(p);
        if (n) fwrite(p, 1, (size_t)n, f), p += n;
        else fprintf(f, "\\x%02x", *p++);
    }
}

static void print_accepted(const checker *c, const char *path, const char *hash)
{
    put_path(stdout, path);
    printf(": accepted: %s %s, %s, %s", c->claim, c->part, c->kind, c->proved);
    if (c->heads) printf("; heads %s; depth %s", c->heads, c->depth);
    printf("; assumes: %s; statement %s\n", c->assumes ? c->assumes : "nothing", hash);
}

/* Of a whole file and a zero.  A program that has it from its start on is ended by the system, without a word, where
 * that much is missing. */
static char *file_room(void)
{
    char *text = calloc(FILE_BYTES + 1, 1);
    if (!text) {
        fprintf(stderr, "proofcheck: no memory\n");
        exit(2);
    }
    return text;
}

static outcome check_file(const char *path, const char *list, char *text)
{
    static checker state;
    checker *c = &state;
    char hash[HASH_TEXT];
    const long n = contents(path, text, FILE_BYTES + 1);
    if (n < 0) {
        fprintf(stderr, "proofcheck: cannot read ");
        put_path(stderr, path);
        fprintf(stderr, " as a regular file\n");
        return UNREADABLE;
    }
    checker_open(c);
    c->at = text;
    c->end = text + n;
    volatile outcome is = REJECTED;
    if (setjmp(c->out) == 0) {
        mpq_inits(c->x, c->y, c->z, NULL);
        check_that(c, n <= FILE_BYTES, "a file of too many bytes");
        check(c, list, path);
        sha256_end(&c->statement, hash);
        const bool listed = !list || (c->agreed && text_equal(c->agreed, hash));
        check_that(c, listed, "the list does not have this statement for this claim and name");
        print_accepted(c, path, hash);
        is = ACCEPTED;
    } else {
        put_path(stdout, path);
        printf(": rejected: line %ld: %s\n", c->line, c->why);
    }
    checker_close(c);
    return is;
}

static char *read_list(const char *path)
{
    static const char header[] = "id,part,certificate,drawn,demands,statement\n";
    char *text = file_room();
    const long n = contents(path, text, FILE_BYTES + 1);
    if (n >= 0 && n <= FILE_BYTES && strncmp(text, header, sizeof header - 1) == 0) return text;
    fprintf(stderr, "proofcheck: ");
    put_path(stderr, path);
    fprintf(stderr, " is not a list of statements\n");
    exit(2);
}

static const char usage[] =
    "Usage: proofcheck [--statements=LIST] FILE...\n"
    "Verifies certificates from their text alone: for each FILE one line, `accepted:`\n"
    "with what was proved under which hypotheses, or `rejected:` with the line and the\n"
    "reason.\n\n"
    "      --statements=LIST      accept only what LIST has under that claim, part and\n"
    "                             name with the same SHA-256 hash; numbers that LIST\n"
    "                             calls drawn may be others, and must meet its demands\n"
    "  -h, --help                 Give this help list\n"
    "      --version              Print the version\n\n"
    "Exit status: 0 all are accepted, 1 some are rejected, 2 some cannot be read.\n";

int main(int argc, char **argv)
{
    static const char option[] = "--statements=";
    const size_t n = sizeof option - 1;
    int first = 1, worst = 0;
    char *list = NULL;
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        puts("proofcheck 0.1");
        return fflush(stdout) == 0 ? 0 : 2;
    }
    if (argc > 1 && strncmp(argv[1], option, n) == 0) list = read_list(argv[first++] + n);
    if (first >= argc || argv[first][0] == '-') {
        const bool asked = argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
        fputs(usage, asked ? stdout : stderr);
        return asked && fflush(stdout) == 0 ? 0 : 2;
    }
    char *const text = file_room();
    for (int k = first; k < argc; k++) {
        const outcome is = check_file(argv[k], list, text);
        if ((int)is > worst) worst = (int)is;
    }
    free(text);
    free(list);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fputs("proofcheck: cannot write to standard output\n", stderr);
        return 2;
    }
    return worst;
}
