/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_la_1.c - K-LA.1, head weights interchange.
 *
 * Statement.  The block of columns of X W that belongs to head a is X times the block of W that
 * belongs to head a:  (X W)^a = X W^a.
 *
 * Construction.  P_a has as columns the unit vectors (a-1) dk + 1, .., a dk, so that W^a = W P_a.
 *
 * Why it works.  Taking columns is a product with P_a from the right and X acts from the left:
 * (X W) P_a = X (W P_a).  W need not be square, so the lemma serves the shared keys and values of
 * grouped heads and heads of any width.                                                            */
#include "src/claim/claim.h"

static void products_only(shape *sh)
{
    sh->L = sh->m = sh->V = 1;
}

/* d < h dk */
static void wider_heads(shape *sh)
{
    products_only(sh);
    sh->scale_den = ++sh->dk;
}

/* P_a, cols x dk, for a = 0, .., h - 1 */
static const mat *slice(scope *s, long cols, long a, long dk)
{
    long *m = scope_alloc(s, (size_t)(cols * dk) * sizeof *m);
    for (long j = 0; j < dk; j++) m[(a * dk + j) * dk + j] = 1;
    return mat_from_si(s, cols, dk, m);
}

/* The block of head a of X W against X times the block of head a + shift; own: against the columns of X that stand at
 * the coordinates of head a, which meet the rows of W there. */
static void interchange(trial *t, const shape *sh, long shift, bool own)
{
    scope *s = &t->s;
    const mat *X = mat_draw(s, "X", sh->n, sh->d, 0);
    const mat *W = mat_draw_weight(s, "W", sh->d, sh->h * sh->dk), *XW = mat_mul(s, X, W);
    claim_reduced(t, 1, (const mat **[]){ &W });
    for (long a = 0; a < sh->h; a++) {
        const long b = (a + shift) % sh->h, from = a * sh->dk;
        const mat *Wa = mat_cols(s, W, b * sh->dk, sh->dk), *WP = mat_mul(s, W, slice(s, W->cols, b, sh->dk));
        claim_reduced(t, 1, (const mat **[]){ &WP });
        const mat *read = own ? mat_cols(s, X, from, sh->dk) : X;
        claim_equal(t, "W P_a = W^a", WP, Wa);
        claim_equal(t, "(X W)^a = X W^a", mat_cols(s, XW, from, sh->dk),
                    mat_mul(s, read, own ? mat_rows(s, Wa, from, sh->dk) : Wa));
        const mat *XWP = mat_mul(s, XW, slice(s, W->cols, a, sh->dk));
        claim_equal(t, "(X W) P_a = X (W P_a)", XWP, mat_mul(s, read, own ? mat_rows(s, WP, from, sh->dk) : WP));
    }
}

static void every_head(trial *t) { interchange(t, &t->sh, 0, false); }

static void two_heads_at_least(trial *t, long shift, bool own)
{
    shape sh = t->sh;
    if (sh.h == 1) {
        if (sh.d == sh.dk) sh.d = 2 * sh.dk;             /* a W that is square stays so */
        sh.h = sh.h_kv = 2;
    }
    interchange(t, &sh, shift, own);
}

static void next_head(trial *t)      { two_heads_at_least(t, 1, false); }
static void diagonal_block(trial *t) { two_heads_at_least(t, 0, true); }

static const control misread[] = {
    { "next-head",      next_head,      "head a of $XW$ against $X$ times the weights of head a + 1" },
    { "diagonal-block", diagonal_block, "the head block of X as well: heads read all of X" },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = every_head,
      .statement = "$(XW)^a = XW^a$ for every head $a$ and every $X$ and $W$",
      CONTROLS(misread) },
    { .name = "as-stated-wide", .kind = PART_IDENTITY, .run = every_head, .no_large = true,
      .statement = "the same for $W$ that is not square, $h\\,d_k \\neq d$", .prepare = wider_heads,
      .controls = misread, .ncontrols = 1 },
};
static const quotation quotes[] = {
    { TEXT_003, "Lemma A.1", "For any $X \\in \\mathbb{R}^{n \\times d_{\\text{model}}}$ and $W \\in "
      "\\mathbb{R}^{d_{\\text{model}} \\times d_{\\text{model}}}$, the i -th head block of the product equals "
      "the product with the i -th head block:" },
    { TEXT_003, "Lemma A.1", "In particular, this applies to $W = W_Q, W_K$, and W_V , giving $(XW_Q)^i = "
      "XW_Q^i$ and analogously for the Key and Value projections." },
    { TEXT_000, "Lemma 8.1", "For any and , the -th head block of the product equals the product with the -th "
      "head block:" },
};
static const claim K_LA_1 = {
    .id = "K-LA.1", .title = "head weights interchange",
    .where = "003 Lemma A.1; 000 Lemma 8.1",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "none",
    .construction = "$W^a = WP_a$, where $P_a$ has the unit vectors $(a-1)d_k+1, \\ldots, ad_k$ as columns",
    .why = "Columns are taken by a product from the right and $X$ acts from the left: $(XW)P_a = X(WP_a)$.",
    .prepare = products_only, .parts = parts, .nparts = COUNT(parts), .depends = "",
};
THEOREM_PROGRAM(K_LA_1)
