/* SPDX-License-Identifier: GPL-3.0-or-later
 * mutations.h - deliberate changes of a C source, made from the language alone: what `make mutants` tries on every room.
 *
 * Each replaces `length` bytes at `at`, in one statement, by `text`; what is not in a function's body only has its
 * constants changed. */
#ifndef MUTATIONS_H
#define MUTATIONS_H
#include "tests/support/c_source.h"

typedef struct {
    const char *operator;                /* negate relation logic operand sign constant statement result arguments index */
    size_t at, length;
    long   line, statement;              /* of its first byte                                                     */
    char  *text;
} mutation;

typedef struct { mutation *at; long n, capacity; } mutations;

mutations mutations_of(const c_source *s);               /* in the order of the text; mutations_free frees it      */
void      mutations_free(mutations *m);
char     *mutation_apply(const c_source *s, const mutation *m, size_t *length);       /* the changed text, to be freed */
#endif
