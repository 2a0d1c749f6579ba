/* commands.h - what the command of a recorded line says: its options, and whether they are those of its preset. */
#ifndef COMMANDS_H
#define COMMANDS_H
#include "src/experiments/presets.h"

/* The value of --NAME in a command, the last if it is given twice, to be freed; NULL: not given. */
char *command_option(const char *command, const char *name);
/* Whether it trains on made-up data, which are never compared with the papers'. */
bool command_made_up(const char *command);
/* Row k was run as the part says: its options, with those of any one combination of its tuning, its data, its first
 * seed, and nothing after them that changes the model, its text or its steps, or an option that the row has itself.
 * That the combination is the one which the tuning chose is for tuning.h. */
bool command_own(const experiment *e, long k, const char *command);
/* Whether a run that was done by one command is what another asks for: it has the same options, and at most more of
 * those that leave the model, its data and its steps as they are. */
bool command_same_run(const char *done, const char *asked);
#endif
