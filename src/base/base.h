/* SPDX-License-Identifier: GPL-3.0-or-later
 * base.h - what every file needs: contracts, memory, texts, and the start of a program. */
#ifndef BASE_H
#define BASE_H
#include "src/base/error.h"
#include "src/base/memory.h"
#include "src/base/text.h"

/* Call first in main: sets program_name from argv[0], and checks at exit that everything printed was written: else one
 * message, exit status 2.  Dies where the processor does not round to nearest or drops subnormal numbers
 * (float_mode.h). */
void base_init(int argc, char **argv);

/* For a program that answers by its status.  A library that ends it by exit(1), as OpenMP does where the system starts
 * no thread, has not answered: after base_guard_end that is one message and status 2.  main returns base_end(1). */
void base_guard_end(void);
int  base_end(int status);               /* the status */
#endif
