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
#include "src/base/base.h"

typedef struct {                         /* what a run will cost, all its steps together                */
    double parameters, flops, units;
    long   steps;
    const char *unit;                    /* "tokens", "images", "samples"                               */
} run_cost;

typedef struct {                         /* a command that a list may name                              */
    const char *command;
    run_cost (*cost)(int argc, char **argv);       /* argv[0] is the command; dies on bad options        */
} run_kind;
const run_kind *run_kind_find(const run_kind *kinds, const char *command); /* a NULL command ends them  */

typedef struct { char *name, **word; int words; } work;                    /* word[0]: the command      */
typedef struct { work *at; long n; } worklist;

/* Splits a copy of `line` (COMMAND OPTION...).  NULL, or what is wrong (to be freed): no such command, a name
 * that is taken or no name of a folder, --out, or what the command says about its options. */
char *worklist_add(worklist *w, const run_kind *kinds, const char *name, const char *line) MUST_USE;
worklist worklist_read(const char *path, const run_kind *kinds);           /* dies with path:line       */
void worklist_free(worklist *w);

/* What is shown of runs while they run: a line on stdout when one starts, and on stderr how far the runs are, every
 * second on a terminal (one line that changes), else every half a minute.  Lists swept in turn may share it. */
typedef struct {
    const run_kind *kinds;
    double speed;                        /* FLOP a second that are expected; 0: not known               */
    double every;                        /* seconds between two lines; 0: as above                      */
    /* filled as runs come and go: */
    long   runs, before, taken, finished;    /* of all lists; that were done; taken here, and finished here */
    double flops, made;                  /* that are left for the runs not yet ended; of those finished here */
    double begun, last;                  /* when the first run began, and when a line was shown last    */
    bool   shown;                        /* a line stands on the terminal that has no end               */
} watch;
typedef struct { const char *name; long number, first, step; run_cost cost; } watched;        /* one run */

void watch_add(watch *a, const worklist *list, const char *out);           /* before any list is swept  */
/* made: FLOP of the runs that are on their way, each as watch_made says after a look at its folder. */
watched watch_start(watch *a, const work *w, const char *out, double made);
double watch_made(watched *r, const char *out);
void watch_skip(watch *a, const work *w, bool elsewhere);                  /* done, or in other hands   */
bool watch_due(const watch *a);                                            /* is it time to             */
void watch_show(watch *a, const watched *r, long n, double made);   /* say how far they are?     */
void watch_end(watch *a, const watched *r, bool finished);
long run_folder_step(const char *out, const char *name); /* the last step in OUT/NAME/steps.csv; 0: none */
run_cost work_cost(const run_kind *kinds, const work *w);
void duration_text(char *to, size_t size, double seconds); /* "41 s", "12 min", "7.5 h", "3.0 days"      */

typedef struct {
    const char *out;                     /* folder of folders; made when missing                        */
    const char *program;                 /* NULL: this one                                              */
    long jobs;                           /* runs side by side; they share the cores                     */
    bool quiet;
    watch *watch;                        /* NULL: nothing is shown while runs run; the list was added    */
} sweep_options;
typedef struct { long before, here, elsewhere, failed, stopped; } sweep_result;
/* Tries each run once.  A run that fails leaves the others alone.  Ctrl-C: each run stops after a checkpoint.
 * Dies before anything starts when a folder holds another run. */
sweep_result sweep_run(const worklist *w, const sweep_options *o);
/* Has OUT the finished run?  Dies when it was another one that was finished there. */
bool sweep_done(const char *out, const work *w);
long machine_cores(void);                /* that this process may use                                   */
#endif
