/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_s5_kaplan.c - K-S5-kaplan, whose convention it is to count without embeddings.
 *
 * To report parameters without embeddings is a convention of scaling laws: that of Kaplan et al. (2020,
 * arXiv:2001.08361), whose N leaves out vocabulary and positions.  Hoffmann et al. (2022, arXiv:2203.15556), whom the
 * sentence cites, count everything, as the sizes of their Table A9 show; Pearce and Song (2024, arXiv:2406.12907)
 * explain most of the difference between the two laws by that.  Only the name in the citation changes: the counts of
 * the papers are right (K-N-params).
 *
 * Table A9 gives layers, widths and sizes.  A layer has 12 d^2 weights of attention and MLP and, for relative
 * positions, d^2 more; 32,000 tokens are embedded once. */
#include "src/claim/claim.h"
#include "src/methods/counts/recount.h"

static const part parts[] = {
    { .name = "as-stated-slips", .kind = PART_SLIP, RECOUNT_SLIPS,
      .quantity = "four sizes", .shown_by = "8 layers of 512, non-embedding",
      .statement = "four sizes that Hoffmann et al. report are not those of their models without the embedding" },
    { .name = "corrected", .kind = PART_IDENTITY, RECOUNT_AGREES,
      .statement = "four sizes of their Table A9 (widths 512, 576, 640, 768) are $13Ld^2 + 32{,}000\\,d$, the "
                   "embedding included" },
};
static const quotation quotes[] = {
    { TEXT_003, "Section 5.1", "Following scaling law conventions (Hoffmann et al., 2022), Table 2 and Figure 1 report "
                               "non-embedding parameters." },
    { TEXT_000, "Section 5.1", "Following scaling law conventions [hoffmann2022training], Table 2 and Figure 1 report "
                               "non-embedding parameters." },
};
static const claim K_S5_KAPLAN = {
    .id = "K-S5-kaplan", .title = "the convention of counting without embeddings",
    .where = "003 Section 5.1; 000 Section 5.1", .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "Hoffmann et al. (2022), Table A9, at 512, 576, 640 and 768; $12d^2$ weights of attention and MLP "
                  "and $d^2$ of relative positions a layer, 32,000 tokens, no gains or biases",
    .why = "There is such a convention, that of Kaplan et al. (2020). Hoffmann et al. count all parameters: $13\\cdot "
           "12\\cdot 768^2 = 92.0$M, with $32{,}000\\cdot 768$ of the embedding 116.6M, and their table says 117M; so "
           "with 44M, 57M and 74M. The citation names the wrong one of two papers; no number of this paper depends on "
           "it.",
    .shapes = recount_shapes, .nshapes = COUNT(recount_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-N-params",
};
THEOREM_PROGRAM(K_S5_KAPLAN)
