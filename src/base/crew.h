/* SPDX-License-Identifier: GPL-3.0-or-later
 * crew.h - processes side by side: so many at a time, which share one Ctrl-C.
 *
 *   crew c = crew_begin(jobs);
 *   while ((there is more && !crew_signal()) || c.active) {
 *       if (there is more && !crew_signal() && c.active < c.jobs) { at = crew_start(&c, become, what); ... continue; }
 *       if ((at = crew_wait(&c, &status)) >= 0) ...            the process of place `at` has ended
 *   }
 *   crew_end(&c);
 *
 * From crew_begin to crew_end, INT, TERM and HUP (unless it is ignored, as under nohup) do not end this program:
 * crew_wait passes them on, as INT, to all processes.  Ctrl-Z stops them with it. */
#ifndef CREW_H
#define CREW_H
#include <signal.h>
#include <sys/types.h>
#include "src/base/base.h"

typedef struct {
    long   jobs, active;                 /* places; processes in them                                   */
    pid_t *pid;                          /* [jobs]; 0: the place is free                                */
    int    told;                         /* signals that were passed on, or came with one that was      */
    double told_at;                      /* when the last of them was passed on                         */
    sigset_t outside;                    /* signals that were blocked before                            */
    struct sigaction before[4];
} crew;

crew crew_begin(long jobs);              /* of this program one at a time                               */
void crew_end(crew *c);                  /* contract: none is active                                    */
/* Starts a process in a free place, whose number is returned.  become(of), in the process, executes a program.  It is
 * in a process group of its own, so that Ctrl-C reaches this program alone, and gets INT where this program is
 * killed. */
long crew_start(crew *c, void (*become)(const void *of), const void *of);
/* The place of a process that has ended, which is free again, and its status, as waitpid says it; -1: none has ended,
 * and a moment has passed, or a signal came. */
long crew_wait(crew *c, int *status);
void crew_tell(const crew *c, int signal_number);      /* to all processes                              */
int  crew_signal(void);                  /* the last signal that came to end this program; 0: none      */
#endif
