/* SPDX-License-Identifier: GPL-3.0-or-later
 * admitted.h - what a text of a file may hold before it becomes a path, a script or a document. */
#ifndef ADMITTED_H
#define ADMITTED_H
#include <stdbool.h>
#include <stddef.h>

/* [a-z0-9_]+: a program of a claim, which is looked for in a folder and started. */
bool admitted_program(const char *name);
/* [A-Za-z0-9][A-Za-z0-9._+=-]* without "..", shorter than 128: an id, a part, a preset, a run; files are named after
 * it. */
bool admitted_name(const char *name);
/* Such names with single slashes between them: a file below a folder. */
bool admitted_path(const char *path);
/* Printable ASCII without quotes, backquotes, backslashes and dollars: a word of a closed list, as a figure's name
 * is. */
bool admitted_label(const char *text);
/* Texts that are LaTeX by design: no character that shown.h escapes, and of the commands of LaTeX those alone that
 * write a sign or set words (\alpha, \frac, \text, ...), so that none reads a file, writes one or defines something.
 * NULL: it may stand; else what may not, in words, in a text of the caller's: the answer is `fault`. */
const char *admitted_latex(const char *text, char *fault, size_t size);
#endif
