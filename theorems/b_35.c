/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_35.c - B-35, which two matrices can be collapsed.
 *
 * Statement (Section 7).  "Collapsing the value and the key matrix into one is another possibility of reducing the
 * parameter set of these matrices by 50 %."
 *
 * A slip of the pen.  The words: Section 3 collapses query and key, and value and projection.  Value and key have no
 * product to be collapsed to.  If the layer were a function of W_V W_K' (and the rest), then (W_V G, W_K G^-T),
 * with the same product, would be the same layer for every invertible G.  It is another one, already on one token:
 * x W_V G W_O in place of x W_V W_O.  The same change of query and key leaves the layer unchanged, as expected: the
 * layer sees only W_Q W_K'.  So read "query" for "value". */
#include "src/claim/claim.h"
#include "src/model/stack.h"

typedef enum { QUERY_KEY, VALUE_PROJECTION, VALUE_KEY } pair;

/* The layer with one pair of matrices changed, their product kept. */
static const mat *changed(scope *s, const model *M, const mat *X, pair which, model *R)
{
    const long N = M->s.d;
    const mat *G = mat_draw_weight(s, "G", N, N), *back = mat_inv(s, G);
    const layer *W = &M->at[0];
    layer *C = &R->at[0];
    *R = *M;
    if (which == QUERY_KEY) C->Q = mat_mul(s, W->Q, G);
    else                    C->V = mat_mul(s, W->V, G);
    if (which == VALUE_PROJECTION) C->O = mat_mul(s, back, W->O);
    else                           C->K = mat_mul(s, W->K, mat_t(s, back));
    return model_attention(s, R, 0, X);
}

/* One token, whose weight is 1: the layer is x W_V W_O. */
static void as_printed(trial *t)
{
    scope *s = &t->s;
    t->sh.n = 1;
    model M = model_random(s, t->sh), R;
    const mat *X = mat_draw(s, "X", M.s.n, M.s.d, 0), *Z = changed(s, &M, X, VALUE_KEY, &R);
    const mat *before = mat_mul(s, M.at[0].V, mat_t(s, M.at[0].K));
    claim_equal(t, "the same W_V W_K'", before, mat_mul(s, R.at[0].V, mat_t(s, R.at[0].K)));
    claim_differs(t, "another layer", model_attention(s, &M, 0, X), Z);
}

static void same_layer(trial *t, pair which)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh), R;
    const mat *X = mat_draw(s, "X", M.s.n, M.s.d, 0);
    changed(s, &M, X, which, &R);
    claim_reduced(t, 1, (const mat **[]){ which == VALUE_PROJECTION ? &R.at[0].V : &R.at[0].Q });
    claim_equal(t, "the same layer", model_attention(s, &M, 0, X), model_attention(s, &R, 0, X));
}

static void query_key(trial *t)        { same_layer(t, QUERY_KEY); }
static void value_projection(trial *t) { same_layer(t, VALUE_PROJECTION); }
static void value_key(trial *t)        { same_layer(t, VALUE_KEY); }

static const control controls[] = { { "value-key", value_key, "value and key, as Section 7 prints it" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_SLIP, .run = as_printed, .no_large = true, .no_minimal = true,
      .quantity = "W_VW_K^\\top", .shown_by = "another layer",
      .own_row_map = true,
      .statement = "$(W_VG, W_KG^{-\\top})$ has the same $W_VW_K^\\top$ and is another layer: the layer is no function "
                   "of $W_VW_K^\\top$",
      .basis = "text: Section 3 collapses query and key; witness: a layer on one token",
      .without = "fp sym", .why_without = "the witness is one of softmax itself" },
    { .name = "corrected",
      .models = "d = h d_k; biases = 0; rope = 0; qk_norm = 0",
      .kind = PART_IDENTITY, .run = query_key, .no_large = true,
      .assumes = "h = 1; invertible G",
      .statement = "query and key: $(W_QG, W_KG^{-\\top})$ is the same layer for every $G \\in \\mathrm{GL}(N)$",
      CONTROLS(controls) },
    { .name = "corrected-value-and-output",
      .models = "d = h d_k; biases = 0", .kind = PART_IDENTITY, .run = value_projection, .no_large = true,
      .assumes = "h = 1; invertible G",
      .statement = "value and projection: so is $(W_VG, G^{-1}W_O)$",
      CONTROLS(controls) },
};
static const quotation quotes[] = {
    { TEXT_002, "Section 7", "Collapsing the value and the key matrix into one is another possibility of "
      "reducing the parameter set of these matrices by 50 %." },
};
static const claim B_35 = {
    .id = "B-35", .title = "which two matrices can be collapsed", .where = "002 Section 7",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "one head",
    .construction = "$G \\in \\mathrm{GL}(N)$ inserted between two matrices",
    .why = "Section 7 writes ``the value and the key matrix''; Section 3 and the experiments collapse the query and "
           "the key matrix. A slip on which nothing depends. It shows in the layer: value and key never "
           "meet in a product. Insert $G$ and $G^{-\\top}$, which leaves $W_VW_K^\\top$ as it is, and the layer "
           "changes. Between query and key, or value and projection, the same insertion changes nothing.",
    .prepare = stack_single_head, .parts = parts, .nparts = COUNT(parts), .depends = "B-10",
};
THEOREM_PROGRAM(B_35)
