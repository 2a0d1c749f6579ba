/* SPDX-License-Identifier: GPL-3.0-or-later
 * answered.h - calls of a child, and of all that it starts, that stop in the kernel until this process has answered
 * (seccomp's notifications). */
#ifndef ANSWERED_H
#define ANSWERED_H
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>

enum { ANSWERED_NOT_HERE = 77 };         /* the child's exit status where the kernel has none of it */
typedef struct answered {
    const int *call;                     /* numbers of calls */
    size_t calls;
    /* What becomes of one: r is set to let it through.  Runs in a thread of its own, until the child has ended. */
    void (*answer)(void *with, const struct seccomp_notif *n, struct seccomp_notif_resp *r);
    void *with;
    int ends[2];                         /* the listener's way from the child to this process */
    pthread_t thread;
} answered;

void answered_begin(answered *a);        /* before the child is forked */
void answered_child(void *a);            /* in the child: from here on its calls stop and are answered */
void answered_end(answered *a);          /* when it has ended */
#endif
