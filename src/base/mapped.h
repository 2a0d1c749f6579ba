/* SPDX-License-Identifier: GPL-3.0-or-later
 * mapped.h - files that are read where the kernel maps them.
 *
 * A mapped file that another program cuts short, or whose disk fails, ends the program that reads it with SIGBUS: here
 * with one message that names the file, and status 2. */
#ifndef MAPPED_H
#define MAPPED_H
#include "src/base/base.h"

/* The bytes of a regular file that is not empty, to be given back with mapped_close; dies where it cannot be read.
 * advice: a text that stays, for the message where the file is cut while it is mapped. */
unsigned char *mapped_open(const char *path, size_t *bytes, const char *advice) MUST_USE;
void           mapped_close(unsigned char *at, size_t bytes);
#endif
