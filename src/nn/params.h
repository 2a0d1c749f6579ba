/* params.h - the one table of a model's weights: names, shapes, decay, initial values, place.
 *
 * Weights, gradients and the optimizer's means are flat arrays of the backend with the same layout, so that
 * initial values, decay groups, checkpoints, gradient checks and sums over processes are loops over it.
 * Initial values come from a stream of (seed, name): models that share a name share its values.        */
#ifndef NN_PARAMS_H
#define NN_PARAMS_H
#include "src/nn/ops.h"

typedef enum { INIT_ZERO, INIT_ONE, INIT_NORMAL, INIT_UNIFORM } init_kind;   /* N(0, x^2); U(-x, x)     */

typedef struct {
    char      name[32];                  /* "h.3.attn.k"                                                */
    long      rows, cols;                /* W (out x in); a vector is 1 x n                             */
    bool      decay;                     /* takes part in weight decay                                  */
    init_kind init;
    double    x;
    size_t    at;                        /* its first number in the flat arrays                         */
} param;

typedef struct { param *list; long n; size_t size; } param_table;   /* size: numbers in all             */

/* Appends W (rows x cols), right after the one before; returns its place.  Contract: the name is new. */
size_t params_add (param_table *t, const char *name, long rows, long cols, bool decay, init_kind init, double x);
const param *params_find(const param_table *t, const char *name);  /* NULL: no such weight              */
void   params_free(param_table *t);
/* Writes the initial values of all weights; the same for every backend, up to its rounding. */
void   params_init(const param_table *t, const ops *o, void *w, uint64_t seed);
#endif
