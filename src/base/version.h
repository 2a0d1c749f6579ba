/* SPDX-License-Identifier: GPL-3.0-or-later
 * version.h - which source the program was built from. */
#ifndef VERSION_H
#define VERSION_H
const char *version_number(void);         /* "0.1"                                                                  */
/* "1a2b3c4d5e6f", with "-dirty" where the source had been changed; or "unknown".  Read, once, from the file `commit`
 * that the Makefile keeps in the build folder, and `make install` in PREFIX/share/provably: so a commit that changes
 * nothing of a program does not link it again.  It is the commit at the last `make`; a program that was not made then
 * is of an earlier one. */
const char *version_commit(void);
#endif
