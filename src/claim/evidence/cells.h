/* SPDX-License-Identifier: GPL-3.0-or-later
 * cells.h - texts of evidence files, whose cells have no quotes: src/base/csv.h reads them. */
#ifndef CELLS_H
#define CELLS_H
#include <stddef.h>

/* The text without commas, quotes and line ends, cut off where it is too long. */
void  cell_copy(char *to, size_t size, const char *from);
/* The same, interned and whole; NULL is "". */
const char *cell_keep(const char *from);
/* What to do where an evidence file is not as it was written, for csv_open. */
#define EVIDENCE_REPAIR "remove the file and run `make check` again"
#endif
