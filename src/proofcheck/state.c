/* SPDX-License-Identifier: GPL-3.0-or-later
 * state.c - the limits of a check, its memory, and the way out. */
#include "src/proofcheck/proofcheck.h"
#include <stdlib.h>
#include <string.h>

static const long WORK = 6000000000;                 /* elementary steps: some seconds */

/* Memory comes in chunks, which are handed out from the front. */
typedef struct chunk {
    struct chunk *next;
    size_t        used, size;
    max_align_t   bytes[];
} chunk;

enum { CHUNK = 1 << 18, ALIGNED = sizeof(max_align_t) };

static checker *current;                             /* GMP's allocators get no argument of ours */

_Noreturn void check_reject(checker *c, const char *reason, const char *what)
{
    snprintf(c->why, sizeof c->why, "%s%s%.40s", reason, *what ? ": " : "", what);
    longjmp(c->out, 1);
}

void check_that(checker *c, bool is_so, const char *otherwise)
{
    if (!is_so) check_reject(c, otherwise, "");
}

void check_spend(checker *c, long steps)
{
    c->work -= steps;
    check_that(c, c->work >= 0, "too much work");
}

static void add_chunk(checker *c, size_t size)
{
    c->memory += (long)size;
    check_that(c, c->memory <= MEMORY, "too much memory");
    chunk *fresh = calloc(1, sizeof *fresh + size);
    if (!fresh) {
        fprintf(stderr, "proofcheck: no memory\n");
        exit(2);
    }
    fresh->next = c->chunks;
    fresh->size = size;
    c->chunks = fresh;
}

void *check_alloc(checker *c, size_t n)
{
    n = (n + ALIGNED - 1) / ALIGNED * ALIGNED;
    if (!c->chunks || c->chunks->size - c->chunks->used < n) add_chunk(c, n > CHUNK ? n : CHUNK);
    void *p = (char *)c->chunks->bytes + c->chunks->used;
    c->chunks->used += n;
    return p;
}

char *check_join(checker *c, const char *a, const char *b, const char *d)
{
    const size_t n = strlen(a) + strlen(b) + strlen(d) + 1;
    char *text = check_alloc(c, n);
    snprintf(text, n, "%s%s%s", a, b, d);
    return text;
}

static void *gmp_new(size_t n)
{
    return check_alloc(current, n);
}

static void *gmp_resized(void *p, size_t old, size_t n)
{
    return n <= old ? p : memcpy(check_alloc(current, n), p, old);
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
    c->agreed = NULL;
    c->drawn = c->demands = "";
    c->drawn_zero = c->drawn_zero_row = c->one_skip = false;
    c->kinks = -1;
    c->neurons = 0;
    sha256_begin(&c->statement);
}

void checker_close(checker *c)
{
    while (c->chunks) {
        chunk *next = c->chunks->next;
        free(c->chunks);
        c->chunks = next;
    }
}
