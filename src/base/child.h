/* SPDX-License-Identifier: GPL-3.0-or-later
 * child.h - what another program says, read through a pipe.  No shell is between: a name may have quotes and blanks. */
#ifndef CHILD_H
#define CHILD_H
#include <sys/types.h>
#include "src/base/base.h"

typedef struct { FILE *f; pid_t pid; const char *program; } child;

/* argv: NULL-terminated; argv[0] is the path of the program, or, without a slash, a name that is looked for in PATH.
 * quiet: what it writes to standard error is lost.  Dies where the system starts no process. */
child child_begin(const char *const argv[], bool quiet);
/* Waits for it, when f was read to its end; its exit status, or 128 and the signal; 127: it cannot be executed. */
int   child_end(child *c);
/* Runs it to its end; what it says goes where this program's does.  Its exit status, as above. */
int   child_run(const char *const argv[]);
#endif
