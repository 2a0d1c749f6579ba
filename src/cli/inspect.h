/* SPDX-License-Identifier: GPL-3.0-or-later
 * inspect.h - what the two forms of `provably inspect` show: tables for people (inspect.c), JSON (inspect_json.c); the
 * condition numbers are those that `provably reduce` needs, too. */
#ifndef CLI_INSPECT_H
#define CLI_INSPECT_H
#include "src/checkpoint/reductions.h"

typedef struct {
    const weights         *w;
    const transformer     *D;
    const layer_condition *c;            /* of all layers, or NULL: not computed                        */
    const reduction_list  *r;
} inspection;
/* Of all layers, to be freed one by one; live: the terminal shows which layer is at work. */
layer_condition *inspect_conditions(const transformer *D, bool live);
void inspect_print_json(FILE *f, const inspection *x);
json_t *inspect_architecture(const transformer *D);      /* sizes and switches */
extern const char *const inspect_norm_name[], *const inspect_positions_name[], *const inspect_pairs_name[];
#endif
