/* SPDX-License-Identifier: GPL-3.0-or-later
 * relu_criterion.h - what the files of absorption share: relu_absorb.c, relu_criterion.c, relu_criterion_build.c. */
#ifndef RELU_CRITERION_H
#define RELU_CRITERION_H
#include "src/methods/relu/relu.h"

/* Decides a->is by the general criterion, spending *work. */
void relu_criterion(absorption *a, const relu_net *f, const relu_form *F, int64_t *work);

typedef struct {
    const relu_net  *f;
    const relu_form *F;
    const long *K;                       /* kinks with a second neuron, ascending                         */
    long  nK, r;
    long *rest, n;                       /* the other kinks                                               */
    fmpq_mat_t N;                        /* in x q: v N = 0 if and only if v lies in span(u_K)            */
    fmpq_mat_t LN;                       /* out x q: L N                                                  */
    unsigned char *minus;                /* s_k = -1 for k = rest[i]                                      */
    int64_t *work;
} relu_choice;
void relu_criterion_build(absorption *a, const relu_choice *c);       /* V of a choice that holds */

void absorption_begin (absorption *a, const relu_net *f);             /* V1 and V2 of f's shapes, zero            */
void absorption_verify(const absorption *a, const relu_net *f);       /* contract: V has the canonical form of f  */
#endif
