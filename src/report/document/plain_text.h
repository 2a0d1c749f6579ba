/* SPDX-License-Identifier: GPL-3.0-or-later
 * plain_text.h - lines as they are read on a terminal and in CSV. */
#ifndef PLAIN_TEXT_H
#define PLAIN_TEXT_H
#include "src/base/error.h"
#include "src/report/document/document.h"

/* LaTeX as one would type it: "$W_Q^i \\in \\mathrm{GL}(d)$" -> "W_Q^i in GL(d)", "$\\tilde W^{-1}$" -> "W~^-1",
 * "$\\Theta_{L+1}$" -> "Theta_(L+1)"; to be freed. */
char *latex_as_text(const char *text) MUST_USE;
char *quotation_as_text(const char *text) MUST_USE;                  /* the same of a quotation            */
char *plain_text(const doc_line *l, unsigned writer) MUST_USE;       /* to be freed                        */
#endif
