/* sweep.h - many runs from a list of work: each process that asks takes the next one that is free.
 *
 * A run is a line NAME COMMAND OPTION..., its words apart by blanks; # begins a comment.  COMMAND is a command of
 * this program that trains into a folder; its folder is OUT/NAME, and there
 *     done   written whole when the run ended well: its command line.  Such a run is skipped
 *     lock   held by who works at the run; the kernel lets go of it when they die, so that a run that crashed is
 *            taken up again, and goes on from its checkpoint
 *     log    what the run printed
 * So a list can be worked off by one process, by an array of a batch system or under make -j, on one machine or
 * on several that share the folder.                                                                        */
#ifndef SWEEP_H
#define SWEEP_H
#include "src/base.h"

typedef struct {                         /* what a run will cost, all its steps together                */
    double parameters, flops, units;
    long   steps;
    const char *unit;                    /* "tokens", "images", "samples"                               */
} run_cost;

typedef struct {                         /* a command that a list may name                              */
    const char *command;
    run_cost (*cost)(int argc, char **argv);       /* argv[0] is the command; dies on bad options        */
} run_kind;
const run_kind *kind_find(const run_kind *kinds, const char *command);     /* a NULL command ends them  */

typedef struct { char *name, **word; int words; } work;                    /* word[0]: the command      */
typedef struct { work *at; long n; } worklist;

/* Splits a copy of `line` (COMMAND OPTION...).  NULL, or what is wrong (to be freed): no such command, a name
 * that is taken or no name of a folder, --out, or what the command says about its options. */
char *worklist_add(worklist *w, const run_kind *kinds, const char *name, const char *line) MUST_USE;
worklist worklist_read(const char *path, const run_kind *kinds);           /* dies with path:line       */
void worklist_free(worklist *w);

typedef struct {
    const char *out;                     /* folder of folders; made when missing                        */
    const char *program;                 /* NULL: this one                                              */
    long jobs;                           /* runs side by side; they share the cores                     */
    bool quiet;
} sweep_options;
typedef struct { long before, here, elsewhere, failed, stopped; } sweep_result;
/* Tries each run once.  A run that fails leaves the others alone.  Ctrl-C: each run stops after a checkpoint.
 * Dies before anything starts when a folder holds another run. */
sweep_result sweep(const worklist *w, const sweep_options *o);
long cores(void);                        /* that this process may use                                   */
void folder_make(const char *path);      /* unless it is there; dies                                    */
#endif
