/* SPDX-License-Identifier: GPL-3.0-or-later
 * every_command.h - a call of every command of `provably help`, of a claim's program and of proofcheck, on small inputs,
 * for tests of what all of them do where the machine says no. */
#ifndef EVERY_COMMAND_H
#define EVERY_COMMAND_H
#include <stdbool.h>
#include <stddef.h>

/* MANY: of its files those that are finished may stay, and its runs may say something, too.  GOES_ON: it has no malloc of ours; what the C library asks for in
 * vain it may do without, and then all must be said. */
typedef enum { WHOLE, MANY, GOES_ON } manner;
/* status: where nothing is in the way.  %1$s in the command: the folder of the test, %2$s: that of the programs. */
typedef struct { const char *command, *name; int status; manner is; } every_command;
extern const every_command every_commands[];
extern const int every_commands_n;

/* Makes the folder with the inputs; its path, which lives as long as the test.  What commands write goes to FOLDER/out. */
const char *every_command_folder(void);
const char *every_command_renamed(const char *name);         /* the folder from now on: one of that name */

/* tests/faults/NAME.c in that folder, as a library that a command loads before all others; its path.  From now on commands
 * have one thread, so that their calls come in one order. */
const char *every_command_library(const char *name);

typedef struct { int status; double seconds; char *output, errors[2048]; } command_end;
/* Runs it; `before`, in the child, right before it is executed.  What it prints is a string of the test's.  A command that
 * has not ended after a minute is ended by SIGALRM: status 142. */
command_end every_command_run(const every_command *c, void (*before)(void *), void *with);

/* Fails where a file is left in FOLDER/out that must not be after a failure; the folder is empty then. */
void every_command_nothing_left(const every_command *c, const char *where);
void every_command_empty(void);          /* FOLDER/out */
#endif
