/* SPDX-License-Identifier: GPL-3.0-or-later
 * escape.h - the escapes of shown.h, without memory of their own, so that die() can write them. */
#ifndef ESCAPE_H
#define ESCAPE_H
#include <stdarg.h>
#include <stddef.h>

/* The first character of the text, escaped where it has to be, into to[SHOWN_LONGEST]; how many bytes it had. */
enum { SHOWN_LONGEST = 8 };
size_t shown_character(char *to, const char *text);
/* Into to[size], formatted; a newline of `fmt` stays, whatever the arguments bring is escaped.  Takes no memory, so
 * that die() can call it; what does not fit is cut off. */
void  shown_format(char *to, size_t size, const char *fmt, va_list ap)
      __attribute__((format(printf, 3, 0)));
#endif
