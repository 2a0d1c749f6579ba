/* SPDX-License-Identifier: GPL-3.0-or-later
 * cost.h - what a command costs: seconds, those of all its threads together, and memory. */
#ifndef COST_H
#define COST_H
#include <stdbool.h>

/* MB of 10^6 bytes: memory of its own and pages of mapped files, the most of each as looked at every 5 ms; the most of
 * both together as the system counts it. */
typedef struct { double seconds, cpu; long own, mapped, megabytes; int status; } cost;

/* A folder for the files of a bench: `given`, made where it is not there, which stays; or, where that is NULL, a new one in
 * TMPDIR, or in /tmp where that is not set or empty.  cost_folder_leave frees it, and removes the new one. */
typedef struct { char *path; bool stays; } cost_folder;
cost_folder cost_folder_enter(const char *given);
void        cost_folder_leave(cost_folder *folder);
bool        cost_is_there(const char *path);
/* BUILD/provably, seen from BUILD/tests/PROGRAM; to be freed. */
char       *cost_provably(const char *program);

/* Runs it; what it prints goes to the file `out`. */
cost cost_of(const char *out, char *const command[]);
#endif
