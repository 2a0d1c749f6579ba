/* SPDX-License-Identifier: GPL-3.0-or-later
 * fused.h - what one file stores as one tensor and the other as several, one behind the other along a side: queries,
 * keys and values, gate and up, the experts of a layer.  Names say which is which, fused_order.h whether that is the
 * order in which the whole has them. */
#ifndef CHECKPOINT_FUSED_H
#define CHECKPOINT_FUSED_H
#include "src/checkpoint/listing_names.h"
#include "src/checkpoint/weight_matrix.h"

typedef struct {
    const weight_tensor *whole;
    const char *word;                    /* of its name: "qkv_proj"                                     */
    const weight_tensor **part;          /* [experts][kinds]; kinds of an expert in their order in `whole` */
    long experts, kinds;                 /* experts: 1 where the whole has no side of experts           */
    int  side;                           /* of the whole, along which the kinds lie                     */
    bool stacked;                        /* side 0 of the whole are the experts                         */
} fused_tensor;

/* whole: a tensor that the other file does not have by name; others: the tensors that only that file has.  false: by
 * names and shapes it is not what some of these are together. */
bool fused_of(const named_tensor *whole, const named_tensors *others, fused_tensor *to);
void fused_free(fused_tensor *f);
/* Where kind `kind` of an expert lies in the whole, if the kinds lie in that order. */
tensor_lines fused_place(const fused_tensor *f, long expert, const int *order, int kind);
tensor_lines fused_part (const fused_tensor *f, long expert, int kind);  /* and in its own tensor, in as many lines */
#endif
