/* SPDX-License-Identifier: GPL-3.0-or-later
 * formal_text.h - the text of a file of Coq: a theorem's statement, what its section assumes, and all but the
 * proofs. */
#ifndef FORMAL_TEXT_H
#define FORMAL_TEXT_H
#include "src/base/base.h"
#include "src/data/checksum.h"

/* The line `Theorem NAME ..` and those after it up to the line that begins with Proof, without the last newline; to be
 * freed.  NULL: there is none. */
char *formal_statement(const char *text, const char *theorem) MUST_USE;
/* Is this one of its lines, whole? */
bool  formal_has_line(const char *text, const char *line);
/* The sentences of the sections around it that fix symbols or assume something (Variable, Hypothesis, Notation, ..),
 * and the definitions before it whose names the statement has, as lines; "" where there are none.  To be freed. */
char *formal_setting(const char *text, const char *theorem) MUST_USE;
/* The definitions in this text whose names `named` has, as lines.  To be freed. */
char *formal_definitions(const char *text, const char *named) MUST_USE;
/* SHA-256 of the text without its proofs, from each line that begins with Proof to the one that ends with Qed. or
 * Defined.: statements, hypotheses, definitions and comments. */
void  formal_reading(const char *text, char hex[SHA256_HEX]);
#endif
