/* state.c - the limits of a check, its memory, and the way out. */
#include "src/proofcheck/proofcheck.h"
#include <stdlib.h>
#include <string.h>

static const long WORK = 6000000000;                 /* elementary steps: some seconds */

union chunk {
    union chunk *next;
    max_align_t  aligned;
};

static checker *current;                             /* GMP's allocators get no argument of ours */

_Noreturn void reject(checker *c, const char *reason, const char *what)
{
    snprintf(c->why, sizeof c->why, "%s%s%.40s", reason, *what ? ": " : "", what);
    longjmp(c->out, 1);
}

void require(checker *c, bool is_so, const char *otherwise)
{
    if (!is_so) reject(c, otherwise, "");
}

void spend(checker *c, long steps)
{
    c->work -= steps;
    require(c, c->work >= 0, "too much work");
}

void *new_bytes(checker *c, size_t n)
{
    c->memory += (long)(n + sizeof(union chunk));
    require(c, c->memory <= MEMORY, "too much memory");
    union chunk *fresh = calloc(1, sizeof *fresh + n);
    if (!fresh) {
        fprintf(stderr, "proofcheck: no memory\n");
        exit(2);
    }
    fresh->next = c->chunks;
    c->chunks = fresh;
    return fresh + 1;
}

char *new_text(checker *c, const char *a, const char *b, const char *d)
{
    const size_t n = strlen(a) + strlen(b) + strlen(d) + 1;
    char *text = new_bytes(c, n);
    snprintf(text, n, "%s%s%s", a, b, d);
    return text;
}

static void *gmp_new(size_t n)
{
    return new_bytes(current, n);
}

static void *gmp_resized(void *p, size_t old, size_t n)
{
    return n <= old ? p : memcpy(new_bytes(current, n), p, old);
}

static void gmp_released(void *p, size_t n)          /* with the file's other memory */
{
    (void)p;
    (void)n;
}

void checker_open(checker *c)
{
    current = c;
    mp_set_memory_functions(gmp_new, gmp_resized, gmp_released);
    c->work = WORK;
    c->memory = c->line = 0;
    c->chunks = NULL;
    c->heads = c->depth = c->assumes = NULL;
    sha256_begin(&c->statement);
}

void checker_close(checker *c)
{
    while (c->chunks) {
        union chunk *next = c->chunks->next;
        free(c->chunks);
        c->chunks = next;
    }
}
