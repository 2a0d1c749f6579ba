/* SPDX-License-Identifier: GPL-3.0-or-later
 * workspace.h - large scratch memory that is kept from one product to the next: fresh pages cost more than a small
 * product. */
#ifndef WORKSPACE_H
#define WORKSPACE_H
#include <stddef.h>

/* n doubles of any content, aligned to 64 bytes; may be called by several threads.  Dies where memory runs out. */
double *workspace_take(size_t n);
void    workspace_give(double *x);       /* back; NULL is allowed */
void    workspace_clear(void);           /* frees what is kept; all must have been given back */
#endif
