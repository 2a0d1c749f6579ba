/* SPDX-License-Identifier: GPL-3.0-or-later
 * formal_guide.h - Theorem 4.4's formal statement, piece by piece, for somebody who knows no Coq. */
#ifndef REPORT_FORMAL_GUIDE_H
#define REPORT_FORMAL_GUIDE_H
#include <stddef.h>

/* A piece of the statement or of what stands around it, word for word but for blanks, and what it says (SPAN_MIXED). */
typedef struct { const char *piece, *says; } formal_guide_row;
extern const formal_guide_row formal_guide[];
extern const size_t formal_guide_rows;
extern const char formal_guide_claim[], formal_guide_part[];     /* the theorem is the one of this part      */
/* A certificate as an ordinary theorem, as `make formal-typed` writes it (tests/formal_typed.awk), and its name. */
extern const char formal_guide_typed[], formal_guide_certificate[];
#endif
