/* SPDX-License-Identifier: GPL-3.0-or-later
 * fingerprint.h - one number for all that a run of a body asks of its matrices: do two runs differ in anything that is
 * checked?
 *
 * Between begin and end, mat.c notes the operands of every question (are they equal, what is the rank, an entry as a
 * number), and all matrices of a scope that is closed: those of a computation inside the body.  What a body draws and
 * then asks nothing about does not count.  One record for the process, which runs one body at a time. */
#ifndef FINGERPRINT_H
#define FINGERPRINT_H
#include "numerics/ring.h"

void     fingerprint_begin(void);
uint64_t fingerprint_end(void);
/* How many matrices were drawn since it began: altered by a gain or a corner, or as they are. */
long     fingerprint_draws(bool altered);
bool     fingerprint_pause(void);                        /* was one being taken?                            */
void     fingerprint_resume(bool was);
void     fingerprint_draw(bool altered);                 /* one was drawn                                   */
/* The rest note something while a fingerprint is taken, and do nothing otherwise. */
void     fingerprint_word(uint64_t x);
void     fingerprint_real(double x);
void     fingerprint_text(const char *x);
void     fingerprint_matrix(const mat *A);               /* its size and its entries, as doubles            */
/* Of the size and the entries of A alone, exact or else as doubles, whether one is taken or not; not 0. */
uint64_t fingerprint_of(const mat *A);
#endif
