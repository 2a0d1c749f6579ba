/* SPDX-License-Identifier: GPL-3.0-or-later
 * workspace.c - see workspace.h. */
#include "numerics/product/workspace.h"
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include "src/base/base.h"

enum { KEPT = 16 };
static const size_t MOST_KEPT = (size_t)1 << 24;         /* doubles in one buffer: 128 MiB */

typedef struct { double *x; void *owner; size_t n; bool taken; } buffer;
static buffer pool[KEPT];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Large pages where the system has them for the asking: a large buffer is touched but once or twice, and one fault for
 * each small page would take as long as that. */
static void ask_for_large_pages(void *x, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    const uintptr_t LARGE = 1 << 21, first = ((uintptr_t)x + LARGE - 1) & ~(LARGE - 1);
    const uintptr_t last = ((uintptr_t)x + bytes) & ~(LARGE - 1);
    if (first < last) (void)madvise((void *)first, last - first, MADV_HUGEPAGE);   /* a wish: refusal changes nothing */
#else
    (void)x, (void)bytes;
#endif
}

static buffer fresh(size_t n)
{
    buffer b = { .n = n, .owner = must_realloc(NULL, n + 8, sizeof(double)) };
    ask_for_large_pages(b.owner, (n + 8) * sizeof(double));
    b.x = (double *)(((uintptr_t)b.owner + 63) & ~(uintptr_t)63);
    return b;
}

/* The smallest free buffer that is large enough; else one that is free, to be replaced; NULL: all are taken. */
static buffer *choose(size_t n)
{
    buffer *best = NULL;
    for (buffer *b = pool; b < pool + KEPT; b++) {
        if (b->taken) continue;
        const bool fits = b->n >= n, best_fits = best && best->n >= n;
        if (!best || (fits && !best_fits) || (fits == best_fits && b->n < best->n)) best = b;
    }
    return best;
}

static double *unkept(size_t n)                          /* headed by its owner */
{
    buffer b = fresh(n + 8);
    *(void **)b.x = b.owner;
    return b.x + 8;
}

double *workspace_take(size_t n)
{
    if (n > MOST_KEPT) return unkept(n);
    pthread_mutex_lock(&lock);
    buffer *b = choose(n);
    if (!b) {                                            /* all are taken, as by many threads */
        pthread_mutex_unlock(&lock);
        return unkept(n);
    }
    if (b->n < n) {
        free(b->owner);
        *b = (buffer){ 0 };
        *b = fresh(n);
    }
    b->taken = true;
    double *x = b->x;
    pthread_mutex_unlock(&lock);
    return x;
}

void workspace_give(double *x)
{
    if (!x) return;
    pthread_mutex_lock(&lock);
    buffer *b = pool;
    while (b < pool + KEPT && b->x != x) b++;
    if (b < pool + KEPT) b->taken = false;
    else free(*(void **)(x - 8));
    pthread_mutex_unlock(&lock);
}

void workspace_clear(void)
{
    for (buffer *b = pool; b < pool + KEPT; b++) {
        free(b->owner);
        *b = (buffer){ 0 };
    }
}
