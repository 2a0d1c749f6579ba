/* SPDX-License-Identifier: GPL-3.0-or-later
 * commands.h - what the command of a recorded line says: its options, and whether they are those of its preset. */
#ifndef COMMANDS_H
#define COMMANDS_H
#include "src/experiments/presets.h"

/* The value of --NAME in a command, the last if it is given twice, to be freed; NULL: not given. */
char *command_option(const char *command, const char *name);
/* Whether it trains on synthetic data, which are never compared with the papers'. */
bool command_made_up(const char *command);
/* Row k was run as the part says: command_same_run of its options, with those of any one combination of its tuning, its
 * data and its first seed.  That the combination is the one which the tuning chose is for tuning.h. */
bool command_own(const experiment *e, long k, const char *command);
/* Whether a run that was done by one command is the run of another, `asked`: it has each of its options, in whatever
 * order, with the same value (4e-3 is 0.004; the last one counts), and otherwise only options that leave the model, its
 * data and its steps as they are. */
bool command_same_run(const char *done, const char *asked);
#endif
