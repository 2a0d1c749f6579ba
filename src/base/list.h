/* SPDX-License-Identifier: GPL-3.0-or-later
 * list.h - several texts in one cell of a file: "a; b; c".
 *
 * A semicolon in an item is written twice, so that any text is an item; empty items are none. */
#ifndef LIST_H
#define LIST_H
#include "src/base/text.h"

void        list_add (text_buffer *to, const char *item);        /* behind the items that are there already    */
/* The next item of the list at *at, interned; *at moves behind it.  NULL: there is no other. */
const char *list_next(const char **at);
#endif
