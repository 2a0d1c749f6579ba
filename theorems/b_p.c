/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_p.c - B-P, the 21 printed parameter counts.
 *
 * One architecture gives 17 of the 21 counts exactly: width 60, 16 patches of 7 x 7 or 8 x 8 x 3, MLP 256, two
 * LayerNorms per encoder (without MLP, too), no learned positions, biases but for W_QK and symmetric attention,
 * and one vector of 60 more with 4 heads or symmetry. The other four are slips: CIFAR-10's count printed for MNIST
 * twice, biases of W_Q and W_K counted in one row only, and digits exchanged in 198,100. */
#include "src/claim/claim.h"
#include "src/methods/counts/recount.h"

/* Without MLP every matrix and every vector has a side of 60 but the 10 biases of the head: P = 10 modulo 60. */
static bool possible(long P) { return P % 60 == 10; }

/* Do they have the same digits, in any order? */
static bool same_digits(long a, long b)
{
    int surplus[10] = { 0 };
    for (; a; a /= 10) surplus[a % 10]++;
    for (; b; b /= 10) surplus[b % 10]--;
    for (int k = 0; k < 10; k++) if (surplus[k]) return false;
    return true;
}

static void misprint(trial *t, long printed)
{
    claim_decided(t, "198,100 fits no network of width 60", !possible(printed));
    claim_decided(t, "190,810 has its digits", same_digits(printed, 190810));
}

static void swapped(trial *t)
{
    recount_slips(t);
    misprint(t, 198100);
}
static void not_swapped(trial *t) { misprint(t, 190810); }
static const control digits[] = { { "not-swapped", not_swapped, "the recount itself fits" } };

static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, RECOUNT_AGREES,
      .statement = "17 of the 21 counts are those of one description: one vector of 60 more with 4 heads or "
                   "symmetry, no attention biases with symmetry, 563,242 taken as 4 heads" },
    { .name = "as-stated-slips", .kind = PART_SLIP, RECOUNT_SLIPS,
      .quantity = "287,746", .shown_by = "MNIST 6-4 MLP",
      .statement = "three more are not: MNIST 287,746, 101,530 and 257,506" },
    { .name = "corrected", .kind = PART_IDENTITY, RECOUNT_AGREES,
      .statement = "that architecture has 279,166, 92,950, 256,786 and 190,810" },
    { .name = "as-stated-swap", .kind = PART_SLIP, .run = swapped, .controls = digits, .ncontrols = 1,
      .quantity = "198,100", .shown_by = "CIFAR-10 12-4 no MLP",
      .statement = "nor is the last: CIFAR-10 with 12 encoders and no MLP, 198,100",
      .basis = "recount", RECOUNT_ONLY_Q },
};
static const quotation quotes[] = {
    { TEXT_002, "Section 6", "The parameter set sizes with 12 encoders have been 563,242 with MLP and 198,100 "
      "without MLP. This is substantially more than 287,686 and 101,470, respectively, with 6 encoders." },
    { TEXT_002, "Table 2", "1 yes unchanged 279,106 2.15" },
    { TEXT_002, "Table 2", "4 yes unchanged 287,746 2.09" },
    { TEXT_002, "Table 2", "1 yes Wqk 257,506 2.33" },
    { TEXT_002, "Table 2", "1 yes Wqk+noWv,Vo 212,866 2.82" },
    { TEXT_002, "Table 3", "1 yes unchanged 287,686 1.74" },
    { TEXT_002, "Table 3", "4 yes unchanged 287,746 1.74" },
    { TEXT_002, "Table 3", "1 no symmetry 78,490 6.37" },
};
static const claim B_P = {
    .id = "B-P", .title = "the 21 printed parameter counts",
    .where = "002 Tables 2 and 3, Section 6",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .why = "$P=p+610+S(a+240\\,[+31{,}036])+60c$ with $p=49\\cdot 60+60$ or $192\\cdot 60+60$, head $60\\cdot "
           "10+10$, attention $a=4\\cdot 3660$ unchanged, $3600+2\\cdot 3660$ collapsed, $3600$ minimum, $3\\cdot "
           "3600$ symmetric; 240 two LayerNorms, $31{,}036=2\\cdot 60\\cdot 256+256+60$. From one to four heads "
           "nothing changes but $c$: CIFAR-10 adds 60, MNIST is printed with 8,640 more, $60$ and the 8,580 by "
           "which the patches differ. 257,506 is 256,786 and 120 biases for each of 6 encoders, which no other "
           "collapsed row has. 198,100: without MLP every count is 10 more than a multiple of 60, and "
           "$198{,}090/60$ is not whole; 190,810 has the same digits. The architecture is inferred, not quoted: "
           "norms may be placed otherwise, but not counted otherwise.  "
           "The printed $Q$ follow from the printed counts, slips included (B-Q): 2.09 and 5.91 in two tables "
           "and 2.52 twice, where the right counts give 2.15, 6.46 and 2.62; no conclusion of the text does.",
    .shapes = recount_shapes, .nshapes = COUNT(recount_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "",
};
THEOREM_PROGRAM(B_P)
