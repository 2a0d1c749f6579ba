/* SPDX-License-Identifier: GPL-3.0-or-later
 * sequence.c - see sequence.h. */
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/sequence.h"

void sequence_next(tensor_sequence *s, const char *name, int rank, long rows, long cols)
{
    const size_t bytes = (size_t)rows * (size_t)cols * (strcmp(s->type, "BF16") == 0 ? 2 : 4);
    if (s->listing)
        weights_add(s->w, name, s->type, rank, rank == 1 ? &cols : (long[]){ rows, cols }, 0, s->at, bytes);
    s->at += bytes;
}

void sequence_layers(tensor_sequence *s, long L, const char *name, int rank, long rows, long cols)
{
    const char *number = strstr(name, "%ld");
    REQUIRE(number, "%s has no place for a number", name);
    for (long i = 0; i < L; i++) {
        char *full = must_format("%.*s%ld%s", (int)(number - name), name, i, number + 3);
        sequence_next(s, full, rank, rows, cols);
        free(full);
    }
}
