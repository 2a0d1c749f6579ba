/* SPDX-License-Identifier: GPL-3.0-or-later
 * intern.h - texts that many records share: one copy of each, which lives as long as the program. */
#ifndef INTERN_H
#define INTERN_H
#include <stddef.h>

/* The copy; equal texts have the same one, so that `==` compares what intern returned. */
const char *intern(const char *text);
const char *intern_bytes(const char *text, size_t n);    /* of the n bytes at `text`, none of them 0 */
#endif
