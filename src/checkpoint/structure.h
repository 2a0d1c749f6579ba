/* structure.h - two checkpoints tensor by tensor: what is missing, what is extra, what became of the others. */
#ifndef CHECKPOINT_STRUCTURE_H
#define CHECKPOINT_STRUCTURE_H
#include "src/checkpoint/relation.h"

typedef struct {
    tensor_role   role;
    long          layer;                 /* -1: of none                                                 */
    const char   *tensor;                /* its name in B, or in A where B has none                     */
    relation_kind kind;
    double        gap;                   /* of relation_of; NAN where there is nothing to compare       */
    bool          harmless;              /* the function is the same: a stored identity, a zero bias    */
    char         *text;                  /* what B's is: "A's, transposed"                              */
} finding;

typedef struct {
    finding *at;                         /* what is not equal, in the order in which a token meets it   */
    long     n;
    long     compared, equal, rounded;   /* parts of both; equal number by number; equal to rounding    */
    char   **setting;                    /* "eps is 1e-05 in A and 1e-06 in B"                          */
    long     settings;
    char   **remark;                     /* what the findings mean together                             */
    long     remarks;
    numbers_type coarsest[2];            /* of the numbers in A, in B                                   */
} structure;

/* base: the model that B was made from, or NULL.  Contract: all are known and readable, of equal layers and width. */
structure structure_of(const transformer *A, const transformer *B, const transformer *base);
void      structure_free(structure *s);
/* Is every part equal number by number, and every setting that matters? */
bool      structure_same(const structure *s);
#endif
