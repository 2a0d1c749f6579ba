/* SPDX-License-Identifier: GPL-3.0-or-later
 * induction_layer.h - one layer of a table (induction.h): for whole models in induction.c, alone in stream.c. */
#ifndef INDUCTION_LAYER_H
#define INDUCTION_LAYER_H
#include "src/claim/induction.h"

struct layer_number { long is; };

shape induction_flat(const shape *sh);   /* as functions of a table see it: without the depth            */
/* The kind of layer i where layer j is the chosen one. */
long  induction_kind_at(const induction *how, const shape *sh, long i, long j);
layer_site induction_site(scope *s, const shape *sh, long kind, long number);
/* A fresh basis of this name, as general as the table asks. */
basis induction_any_basis(scope *s, const induction *how, const char *name, long d);
/* W rewritten in at->in and at->out, and reduced as its kind says. */
layer induction_reduced_layer(const layer_site *at, const induction *how, const layer *W);
#endif
