/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_12.c - B-12, (S+1) N^2 parameters for a stack of S single-head attention layers.
 *
 * Statement.  The value matrices of a stack of attention layers can be concatenated, so that (S+1) N^2
 * parameters suffice "without losing any expressive power".
 *
 * What is true.  One head, no skip, no norm, no bias, no MLP; M_s = W_Q W_K', O_s = W_V W_O, P_s = O_1 ..
 * O_s, P_0 = I:
 *     Stack(M_s, O_s)(X) = Stack(P_{s-1} M_s P_{s-1}', I)(X) P_S.
 * Induction: if the collapsed stream is Y with X = Y P_{s-1}, then X M_s X' = Y (P_{s-1} M_s P_{s-1}') Y',
 * the same attention A, and A X O_s = (A Y) P_s.  And (S+1) N^2 is minimal: it is the dimension of the
 * family.
 *
 * What is missing.  The later M_s must absorb the earlier values; keeping M_s and replacing only the O_s by their
 * product is another function.
 *
 * Beyond the recursion, which is printed without skip and norm.  With a skip the family has 2 S N^2 dimensions, more
 * than (S+1) N^2 parameters can reach.  Behind LayerNorm the collapsed family has S(N-1)^2 + N(N-1) dimensions,
 * S(N-1)^2 + N^2 with a skip as well, fewer than the full one.  */
#include "src/claim/shapes.h"
#include "src/methods/rank/stack_family.h"

static stack_shape shape_of(const trial *t, stack_form form)
{
    const shape *sh = &t->sh;
    return (stack_shape){ .S = sh->L, .N = sh->d, .H = 1, .T = sh->n, .form = form, .attention = sh->attention };
}

typedef enum { ABSORBED, PLAIN, TRANSPOSED } collapse;

static void compare(trial *t, stack_shape sh, collapse how, bool want_equal)
{
    scope *s = &t->s;
    const stack A = stack_random(s, sh);
    stack R = stack_collapse(s, &A);
    for (long i = 1; i < sh.S && how == PLAIN; i++) R.at[i].Q = A.at[i].Q;
    for (long i = 1; i < sh.S && how == TRANSPOSED; i++) R.at[i].Q = mat_t(s, R.at[i].Q);
    if (want_equal) claim_reduced(t, 2, (const mat **const[]){ &R.at[sh.S - 1].Q, &R.W });
    const mat *X = mat_draw(s, "X", sh.T, sh.N, 0), *Y = stack_forward(s, &A, X), *Z = stack_forward(s, &R, X);
    if (want_equal) claim_whole(t, "the collapsed stack", Y, Z);
    else            claim_differs(t, "the same M_s, O_s concatenated", Y, Z);
}

static stack_shape with(stack_shape sh, bool skip, bool norm)
{
    sh.skip = skip;
    sh.norm = norm;
    return sh;
}

static void collapsed(trial *t)  { compare(t, shape_of(t, STACK_PRODUCTS), ABSORBED, true); }
static void unabsorbed(trial *t) { compare(t, shape_of(t, STACK_PRODUCTS), PLAIN, true); }
static void transposed(trial *t) { compare(t, shape_of(t, STACK_PRODUCTS), TRANSPOSED, true); }
static void skipped(trial *t)    { compare(t, with(shape_of(t, STACK_PRODUCTS), true, false), ABSORBED, true); }
static void normed(trial *t)     { compare(t, with(shape_of(t, STACK_PRODUCTS), false, true), ABSORBED, true); }

static long all_kept(const stack_shape *sh) { return (sh->S + 1) * sh->N * sh->N; }

static void missing(trial *t) { compare(t, shape_of(t, STACK_PRODUCTS), PLAIN, false); }

static void minimal(trial *t, long error)
{
    const stack_shape full = shape_of(t, STACK_PRODUCTS), reduced = shape_of(t, STACK_COLLAPSED);
    claim_stack_rank(t, "rank of the full family", &full, all_kept(&full) + error);
    claim_stack_rank(t, "rank of the collapsed family", &reduced, all_kept(&full) + error);
}
static void exact(trial *t)    { minimal(t, 0); }
static void one_less(trial *t) { minimal(t, -1); }
static void one_more(trial *t) { minimal(t, 1); }

static void nothing_else(trial *t, long expected)
{
    const stack_shape skip = with(shape_of(t, STACK_PRODUCTS), true, false);
    claim_stack_rank(t, "with a skip: 2 S N^2", &skip, expected);
}
static void skip_exact(trial *t)     { nothing_else(t, 2 * t->sh.L * t->sh.d * t->sh.d); }
static void skip_collapses(trial *t) { nothing_else(t, (t->sh.L + 1) * t->sh.d * t->sh.d); }

static void behind_norm(trial *t, long error)
{
    const stack_shape sh = shape_of(t, STACK_PRODUCTS), end = shape_of(t, STACK_COLLAPSED);
    const stack_shape norm = with(sh, false, true), collapsed_norm = with(end, false, true);
    const stack_shape both = with(sh, true, true), collapsed_both = with(end, true, true);
    const long N = sh.N, left = sh.S * (N - 1) * (N - 1) + N * (N - 1);
    claim_stack_exceeds(t, "LayerNorm: more than its collapse", &norm, left);
    claim_stack_rank(t, "LayerNorm: rank of the collapse", &collapsed_norm, left + error);
    claim_stack_exceeds(t, "LayerNorm and skip: more than its collapse", &both, left + N);
    claim_stack_rank(t, "LayerNorm and skip: rank of the collapse", &collapsed_both, left + N + error);
}
static void norm_exact(trial *t)    { behind_norm(t, 0); }
static void norm_one_less(trial *t) { behind_norm(t, -1); }
static void norm_one_more(trial *t) { behind_norm(t, 1); }

static const control of_identity[] = {
    { "M-unabsorbed", unabsorbed, "the same $M_s$, only the $O_s$ replaced by their product" },
    { "M-transposed", transposed, "$(P_{s-1}M_sP_{s-1}^\\top)^\\top$" },
    { "skip",         skipped,    "a skip around every layer" },
    { "norm",         normed,     "LayerNorm before every layer" },
};
static const control of_rank[] = {
    { "one-less", one_less, "$(S+1)N^2 - 1$" },
    { "one-more", one_more, "$(S+1)N^2 + 1$" },
};
static const control of_norm[] = {
    { "norm-one-less", norm_one_less, "one dimension less" }, { "norm-one-more", norm_one_more, "one more" },
};
static const control of_skip[] = { { "S+1", skip_collapses, "$(S+1)N^2$ in spite of the skip" } };
static const shape_case shapes[] = {
    { .sh = ATTENTION_SHAPE(4, 3, 1, 2, MASK_FULL) }, { .sh = ATTENTION_SHAPE(3, 4, 1, 2, MASK_FULL) },
    { .sh = ATTENTION_SHAPE(4, 3, 1, 3, MASK_FULL) },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_BESIDE, .run = missing, .no_minimal = true, .without = "q sym",
      .quantity = "O_s", .shown_by = "the same M_s, O_s concatenated",
      .why_without = "q puts another row map for softmax; sym never says that two matrices differ",
      .statement = "the same $M_s$, only the $O_s$ replaced by their product: another function",
      .basis = "witness: outputs differ" },
    { .name = "corrected", .kind = PART_IDENTITY, .run = collapsed,
      .statement = "one head, no skip, no norm: $\\mathrm{Stack}(M_s,O_s)(X) = "
                   "\\mathrm{Stack}(P_{s-1}M_sP_{s-1}^\\top, I)(X)\\,P_S$",
      CONTROLS(of_identity) },
    { .name = "corrected-minimal-count", .kind = PART_IDENTITY, .run = exact, .no_minimal = true,
      .without = "f64 mpfr q sym",
      .why_without = "ranks over F_p, where exponentials are formal, and in balls",
      .statement = "both families have $(S+1)N^2$ dimensions: no fewer parameters suffice",
      .basis = "a minor not 0 modulo a prime (certain) meets independent null vectors",
      CONTROLS(of_rank) },
    { .name = "corrected-skip", .kind = PART_IDENTITY, .run = skip_exact, .no_minimal = true,
      .without = "f64 mpfr q sym", .why_without = "ranks over F_p, where exponentials are formal, and in balls",
      .statement = "with a skip: $2SN^2$, nothing beyond $M_s$ and $O_s$ is redundant",
      .basis = "a minor not 0 modulo a prime", CONTROLS(of_skip) },
    { .name = "corrected-norm", .kind = PART_IDENTITY, .run = norm_exact, .no_minimal = true,
      .without = "f64 mpfr q sym", .why_without = "ranks over F_p, where exponentials are formal, and in balls",
      .statement = "behind LayerNorm the collapsed family has $S(N-1)^2+N(N-1)$ dimensions, with a skip as well "
                   "$S(N-1)^2+N^2$: fewer than the full one",
      .basis = "a minor not 0 modulo a prime meets independent null vectors", CONTROLS(of_norm) },
};
static const quotation quotes[] = {
    { TEXT_002, "Section 3", "The total number of parameters with *S* matrices $W_s^{QK}$ and a single matrix "
      "$W^{VO}$ is $(S + 1)N^2$ , only slightly more than 25 % of the original size without MLP. So far, all "
      "this is possible without losing any expressive power of the single-head transformer without MLP — only "
      "obsolete parameters are deleted." },
};
static const quotation standing[] = {
    { TEXT_002, "Section 3", "in the case of a single head, these matrices are square" },
};
static const claim B_12 = {
    .id = "B-12", .title = "a stack of attention layers with (S+1)N^2 parameters",
    .where = "002 Section 3, Eq. (9)",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "no MLP, no biases, no mask; as corrected: one head, no skip, no norm, the $M_s$ free",
    .construction = "$P_s = O_1\\cdots O_s$, $\\tilde M_s = P_{s-1}M_sP_{s-1}^\\top$, $\\tilde O_s = I$, $\\tilde "
                    "W = P_S$",
    .why = "With $X = YP_{s-1}$ the scores are $XM_sX^\\top = Y\\tilde M_sY^\\top$ and the output is $AXO_s = "
           "(AY)P_s$, so that the values move to the end, where $M_s$ takes them in: no expressive power is lost.  "
           "This needs $M_s$ to be rewritten, not only $O_s$ left out, and no skip, as the recursion is printed: a "
           "skip adds $X$ in the old basis to $AXO_s$ in the new one.  For $S=2$, $N=3$ the families have $27 = "
           "(S+1)N^2$ dimensions, with a skip $36$.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "",
};
THEOREM_PROGRAM(B_12)
