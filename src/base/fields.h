/* SPDX-License-Identifier: GPL-3.0-or-later
 * fields.h - the members of a struct as a table, one row each, which parses, prints and compares them.
 *
 *   static const field fields[] = {
 *       FIELD_NUMBER(gpt_config, L, 1, 1000),
 *       FIELD_REAL(gpt_config, factor),
 *       FIELD_SWITCH(gpt_config, tied),
 *       FIELD_WORD(gpt_config, norm, "none layer rms"),
 *   };                                                  L=12 factor=0.5 tied=1 norm=layer
 *
 * A row without a name continues the value of the row before, after `join`: rows `side`, "x" channels, "/" patch are
 * printed as side=32x3/8, and switches joined by "" as one digit each, biases=1101.  A row that is added to a table
 * later is optional: old texts are read, and records that do not use it have the text that they had. */
#ifndef FIELDS_H
#define FIELDS_H
#include "src/base/text.h"

typedef enum { FIELD_IS_NUMBER, FIELD_IS_SWITCH, FIELD_IS_WORD, FIELD_IS_REAL } field_type;
typedef struct {
    const char *name, *join;         /* one of them is NULL                                              */
    field_type type;
    size_t at, size;                 /* of the member: a long, int, enum or bool; of FIELD_IS_REAL a double */
    const char *words;               /* separated by blanks; the first is 0, the next 1, ...             */
    long least, most;                /* of a number                                                      */
    long fallback;                   /* the value when it is not given: of optional rows, and for the table's owner */
    bool optional;                   /* with this value it is not printed, and a text may leave it out; not for the
                                        first row, reals, and rows without a name                        */
    const char *help;                /* for the table's owner                                            */
} field;
#define FIELD_AT(s, member)          .at = offsetof(s, member), .size = sizeof ((s *)0)->member
#define FIELD_NUMBER(s, member, lo, hi) \
    { .name = #member, .type = FIELD_IS_NUMBER, FIELD_AT(s, member), .least = lo, .most = hi }
#define FIELD_SWITCH(s, member)      { .name = #member, .type = FIELD_IS_SWITCH, FIELD_AT(s, member), .most = 1 }
#define FIELD_WORD(s, member, list)  { .name = #member, .type = FIELD_IS_WORD, FIELD_AT(s, member), .words = list }
#define FIELD_REAL(s, member)        { .name = #member, .type = FIELD_IS_REAL, FIELD_AT(s, member) }

/* ---- one row */

long field_get(const field *f, const void *record);              /* contract: no real                     */
void field_set(const field *f, void *record, long value);
/* The value of the text, in the record.  False: it is none, and nothing is changed. */
bool field_parse(const field *f, void *record, const char *text) MUST_USE;
void field_print(const field *f, const void *record, text_buffer *t);    /* the value alone            */
/* "norm is one of: none layer rms"; "L is a whole number from 1 to 1000".  To be freed. */
char *field_expected(const field *f) MUST_USE;

/* ---- a table of n rows */

const field *field_find(const field *table, size_t n, const char *name);                /* NULL: no such name */
/* name=value of every row but optional ones at their fallback, separated by blanks; reals with 17 digits, so that they
 * are read back as they were. */
void fields_print(const field *table, size_t n, const void *record, text_buffer *t);
/* The inverse: every row of the table but optional ones, in its order.  NULL, or what is wrong (to be freed). */
char *fields_parse(const field *table, size_t n, void *record, const char *text) MUST_USE;
/* The first row in which a and b differ; NULL: they are equal. */
const field *fields_difference(const field *table, size_t n, const void *a, const void *b);
#endif
