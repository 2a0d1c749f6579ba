/* SPDX-License-Identifier: GPL-3.0-or-later
 * shape_keys.h - the members of a shape one by one, as its text names them: "n", "norm", "tied". */
#ifndef SHAPE_KEYS_H
#define SHAPE_KEYS_H
#include "src/model/shape.h"

long        shape_keys(void);                            /* how many there are; k below counts from 0       */
const char *shape_key_name  (long k);
bool        shape_key_is_size(long k);                   /* a number; else a switch or a word               */
long        shape_key_values(long k);                    /* how many values it may have; 0: any number      */
long        shape_key_get(const shape *sh, long k);
void        shape_key_set(shape *sh, long k, long value);
char       *shape_key_text(const shape *sh, long k) MUST_USE;            /* "norm=layer", to be freed       */
bool        shape_names(const char *text, long k);       /* does a text that shape_set takes give this key? */
#endif
