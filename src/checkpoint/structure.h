/* SPDX-License-Identifier: GPL-3.0-or-later
 * structure.h - two checkpoints tensor by tensor: what is missing, what is extra, what became of the others. */
#ifndef CHECKPOINT_STRUCTURE_H
#define CHECKPOINT_STRUCTURE_H
#include "src/checkpoint/relation.h"

typedef struct {
    tensor_role   role;
    long          layer;                 /* or the place of an expert; -1: of none                      */
    const char   *tensor;                /* its name in B, or in A where B has none                     */
    relation_kind kind;
    double        gap, units;            /* of relation_of; NAN where there is nothing to compare       */
    const weight_tensor *blocks;         /* B's, where its numbers lie in blocks and A's do not; NULL: it is not so */
    quantised_gap quantised;             /* then                                                        */
    bool          open;                  /* of sums or blocks that decide nothing: relation.h           */
    bool          constants;             /* of a router: a constant for each input may explain it       */
    bool          harmless;              /* the function is the same: a stored identity, a zero bias    */
    char         *text;                  /* what B's is: "A's, transposed"                              */
} finding;

typedef struct {
    finding *at;                         /* what is not equal, in the order in which a token meets it   */
    long     n;
    long     compared, equal, rounded;   /* parts of both; equal number by number; equal to rounding    */
    long     quantised;                  /* RELATION_QUANTISED                                          */
    char   **setting;                    /* "eps is 1e-05 in A and 1e-06 in B"                          */
    long     forms;                      /* of them, how many are sizes and forms that do not decide the function */
    long     settings;
    double   angles_rounded;             /* rope.h: units of ROPE_ROUNDED, which is one of the forms; 0: no such */
    char   **remark;                     /* what the findings mean together                             */
    long     remarks;
    numbers_type coarsest[2];            /* of the numbers in A, in B                                   */
    bool     rms;                        /* RMSNorms, with skips around attention and MLP               */
    long     L, experts;                 /* of A: places behind L are those of experts (experts.h)      */
    uint64_t free_alone;                 /* bits of the roles that a symmetry may change alone          */
} structure;

/* base: the model that B was made from, or NULL.  Contract: all are known and readable, of equal layers and width. */
structure structure_of(const transformer *A, const transformer *B, const transformer *base);
void      structure_free(structure *s);
/* Does every setting that changes the function agree? */
bool      structure_settings_agree(const transformer *A, const transformer *B);
/* Is every part equal number by number, and every setting that matters? */
bool      structure_same(const structure *s);
/* Does every setting agree, and is every part B's rounding of A's?  *units: the largest distance. */
bool      structure_rounded(const structure *s, double *units);
/* Does every setting agree, and is every part that is not equal B's rounding of A's, to its type or, some, to blocks?
 * may: some parts are open, and no other differs. */
bool      structure_quantised(const structure *s, bool *may);
/* Does some part lie in blocks, and is some part certainly neither equal to A's nor its rounding? */
bool      structure_not_quantised(const structure *s);
/* NULL: the part is equal number by number, or neither has it. */
const finding *structure_at(const structure *s, tensor_role role, long layer);
/* Of two models whose files are byte-identical: nothing is decoded. */
structure structure_of_copies(const transformer *A);
/* The part, off by more than rounding, that no symmetry explains because all parts that such a symmetry would change
 * with it are equal number by number; NULL: there is none. */
const finding *structure_alone(const structure *s);
#endif
