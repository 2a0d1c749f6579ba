/* SPDX-License-Identifier: GPL-3.0-or-later
 * induction.h - a reduction stated layer by layer, so that one layer proves it for every depth.
 *
 * A theorem about models of any depth is a table: which kinds of layers there are, in which basis each reads the
 * stream, and how its weights are rewritten.  From the table the whole reduced model is built, at any depth, and
 * its logits are compared with the original's.  Over sym the same table is proved for every depth:
 *
 *   layer       for each kind, a layer of fresh weights on a free input X, with its functions at a place of their
 *               own and any bases `in` and `out`:  block_R(X in) = block_M(X) out;
 *   embedding   X_0 becomes X_0 `first`, for any basis `first`;
 *   head        head_R(X `last`) = head_M(X) for a free X.
 *
 * Every layer of every model is a layer of some kind, between the bases that its neighbours have: what holds for
 * fresh symbols holds for these.  The functions of a table know neither the number of their layer nor the depth, so
 * nothing can be broken in one layer alone.  Where all skips stay there is one basis for the whole stream, which
 * one layer may choose, and the other layers are proved under any basis.                                        */
#ifndef INDUCTION_H
#define INDUCTION_H
#include "src/claim/check.h"

/* What a layer knows of where it stands.  Its number is known to induction_layer_draw alone. */
typedef struct layer_number layer_number;
typedef struct {
    scope *s;
    shape  sh;                           /* the model's, as if it had one layer of its own              */
    basis  in, out;                      /* of the stream in front of the layer and behind it           */
    long   kind;                         /* which of the table's                                        */
    const layer_number *number;          /* in the names of its draws; NULL: a layer of no model        */
} layer_site;

/* A random matrix (rows x cols) of this layer; the same name and number give the same matrix. */
const mat *induction_layer_draw(const layer_site *at, const char *what, long which, long rows, long cols);

typedef struct {
    const char *name;                                            /* static text: "layer with W_Q in GL(d)"   */
    /* The original's weights as the hypotheses have them; it may use at->in unless the kind chooses that. NULL: any. */
    void (*plant)(const layer_site *at, layer *W);
    /* The basis it reads in, or writes in, from its own weights (d x d); NULL: not its choice. */
    const mat *(*chooses)(const layer_site *at, const layer *W);
    const mat *(*chooses_out)(const layer_site *at, const layer *W);
    /* The reduced layer: R comes as W rewritten in the bases; NULL: that is all. */
    void (*reduce)(const layer_site *at, const layer *W, layer *R);
    /* What else is claimed of the reduced layer: "W_Q = I"; NULL: nothing. */
    void (*facts)(trial *t, const layer_site *at, const layer *R);
} layer_kind;

typedef enum {
    BASIS_EACH,                          /* every layer reads in a basis of its own                      */
    BASIS_ONE,                           /* one basis everywhere, as all skips force it                  */
    BASIS_NONE,                          /* the stream keeps its basis: nothing is rewritten             */
} basis_plan;
typedef enum { FREE_ANY, FREE_ORTHOGONAL, FREE_IDENTITY } free_basis;    /* where no layer chooses       */
typedef enum { LAYER_FIRST, LAYER_MIDDLE, LAYER_ANY } which_layer;       /* ANY: each in turn            */

typedef struct induction {
    const layer_kind *kinds;
    long        nkinds;
    long      (*count)(const shape *sh);             /* how many of them models of this shape have; NULL: all  */
    basis_plan  bases;
    free_basis  free;
    bool        attention_only;          /* stacks of src/model/stack.h: no MLPs, no embedding, no head        */
    which_layer which;                   /* of two kinds: the layer of kind 0, all others are of kind 1  */
    long      (*kind_of)(const shape *sh, long i);   /* of layer i < L; NULL: `which`.  Layers that share weights
                                                        are asked about once, as layer i mod shared      */
    /* The functions below see models and shapes without their layers: L = 1. */
    void      (*plant_ends)(scope *s, model *M);                 /* embedding, positions, head, final gain  */
    /* What the head reads in, d x d (BASIS_EACH); NULL: I, or first'^-1 where the head is tied. */
    const mat *(*last)(scope *s, const shape *sh, basis first);
    void      (*reshape)(shape *sh);                             /* switches of the reduced model; NULL: the same  */
    /* Embedding, positions and head of R come rewritten in `first` and `last`; NULL: that is all. */
    void      (*ends)(scope *s, const model *M, model *R, basis first, basis last);
} induction;

/* A model, its reduction, and the bases: at[i] in front of layer i, at[L] in front of the head. */
typedef struct { model M, R; basis at[MAX_LAYERS + 1]; } model_pair;

/* Layer j (of LAYER_ANY) of a drawn model; r.M is the drawn model with what the table plants. */
model_pair induction_build(scope *s, const model *drawn, const induction *how, long j);
/* A check of one layer beside claim_by_induction: the self-attention of the layer that the part's table chooses, of
 * both models, on a free input.  The table knows neither its number nor the depth, so it is that of any depth. */
void    claim_chosen_attention(trial *t);
/* Of every depth up to MAX_LAYERS: are all layers of a declared kind, has no interface two masters, and are the fresh
 * bases as general as the chosen ones? */
bool    induction_fits(const shape *sh, const induction *how);
#endif
