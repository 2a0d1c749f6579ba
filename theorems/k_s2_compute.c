/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_s2_compute.c - K-S2-compute, elimination saves computing where sharing saves memory alone.
 *
 * True. A layer whose weights are shared is still run, so sharing changes no product; with W_Q = Id a token needs
 * d^2 products fewer in each layer, and the d^2 weights need not be stored. It is one of twelve equal blocks. */
#include "src/claim/claim.h"
#include "src/methods/counts/recount.h"

static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, RECOUNT_AGREES,
      .statement = "$W_Q = \\mathrm{Id}$ saves parameters and products, $12\\cdot 768^2$ of both; sharing all layers "
                   "saves parameters alone" },
    { .name = "corrected", .kind = PART_IDENTITY, RECOUNT_AGREES,
      .statement = "it is $1/12 = 8.33\\%$ of the products with matrices of the blocks, 4.97\\% of all products of a "
                   "token in a full context" },
};
static const quotation quotes[] = {
    { TEXT_003, "Section 2", "Finally, compared to weight sharing, not only do our methods reduce the memory, but also "
                             "the computational footprint." },
    { TEXT_000, "Section 2", "Finally, compared to weight sharing, our methods not only reduce memory, but also the "
                             "computational footprint." },
};
static const claim K_S2_COMPUTE = {
    .id = "K-S2-compute", .title = "elimination saves computing, too",
    .where = "003 Section 2; 000 Section 2", .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "NanoGPT: $L=12$, $h=12$, $d=768$, $V=50304$, $T=1024$; products of a forward pass for one token",
    .why = "A token takes $12\\cdot 12d^2$ products with the matrices of the blocks, $Vd$ with the head and "
           "$2LTd$ with the other tokens of a full context: $84{,}934{,}656+38{,}633{,}472+18{,}874{,}368$. Without "
           "$W_Q$ it is $12d^2 = 7{,}077{,}888$ less, one in twelve of the first term. Sharing all twelve layers "
           "leaves a twelfth of the matrices, hence 77.9M parameters less and not one product. So the sentence is "
           "right; the two savings are of different size and add up.",
    .shapes = recount_shapes, .nshapes = COUNT(recount_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-N-percent",
};
THEOREM_PROGRAM(K_S2_COMPUTE)
