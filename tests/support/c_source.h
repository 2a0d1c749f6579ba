/* SPDX-License-Identifier: GPL-3.0-or-later
 * c_source.h - a C source as tokens and statements, for what breaks sources on purpose (mutations.h).
 *
 * Comments and blanks belong to no token; a preprocessor line is one.  A statement ends at its `;`; the head of an
 * if, for, while or switch is a statement of its own, and so is a label.  Outside of functions a declaration ends at
 * its `;`.  Text of no well-formed source gives tokens and statements, too: nothing here refuses it. */
#ifndef C_SOURCE_H
#define C_SOURCE_H
#include <stdbool.h>
#include <stddef.h>

typedef enum { T_WORD, T_NUMBER, T_CHARACTER, T_STRING, T_SIGN, T_DIRECTIVE } token_kind;

typedef struct {
    token_kind kind;
    size_t at, length;                   /* bytes of the text                                                     */
    long   line;                         /* from 1                                                                */
    long   match;                        /* of a bracket: its partner's index, or -1; of others -1                */
    long   statement;                    /* from 0, in the order of the text                                      */
    bool   in_function, declares;        /* inside a function's body; in a declaration, before its first `=`      */
} token;

typedef struct { const char *text; size_t length; token *at; long n; } c_source;

/* The tokens of a text of so many bytes, which must live as long.  c_source_free frees what it took. */
c_source c_source_of(const char *text, size_t length);
void     c_source_free(c_source *s);

bool token_is(const c_source *s, long i, const char *word);     /* false where there is no token i                   */
bool token_in(const c_source *s, long i, const char *words);    /* whether it is one of the words between the blanks */
/* The text of tokens i to j as one line: comments gone, one blank where there was any; to be freed. */
char *tokens_text(const c_source *s, long i, long j);

/* Whether two sources are the same program, as far as tokens tell: true is 1, false is 0; an `if (0)` without else and
 * what it guards, an empty statement behind another one, and parentheses round a single operand are nothing. */
bool c_source_same(const c_source *a, const c_source *b);
#endif
