/* SPDX-License-Identifier: GPL-3.0-or-later
 * n15.c - N15, what weight decay prefers among equivalent pairs (W_Q, W_K): the nuclear norm.
 *
 * Statement.  For one head, A = W_Q D, B = W_K D^-T, D in GL(dk) (Proposition 3.2), and P = A B' = W_Q W_K', the same
 * for all D:
 *     min over D of |A|^2 + |B|^2 = 2 |P|_*,        |.| Frobenius, |.|_* the sum of the singular values,
 * attained where rank W_Q = rank W_K = rank P (an infimum otherwise), exactly at the balanced pairs A'A = B'B, which
 * are one orbit D -> D O, O orthogonal.  A model with h heads: the sum over heads (K-P3.2-wd).
 *
 * The reduced pair of Proposition 4.1, (I, P') with dk = d, is one of them only where every singular value is 1:
 *     |I|^2 + |P|^2 = 2 |P|_* + |S^2 - I|^2.
 *
 * Construction.  The planted pairs of src/model/balanced.h: P = U S^2 V', W_Q = U S T, W_K = V S T^-T.  The minimum
 * is at D = T^-1.
 *
 * Why it works.  For any D of the orbit
 *     |A|^2 + |B|^2 = 2 tr S^2 + |A - U V' B|^2,                                             (*)
 * because U V' B has the length of B (B has its columns in those of V), and tr A' U V' B = tr U V' P' = tr S^2.  The
 * last term is a square: that gives the bound.  It is 0 iff A = U V' B, and then A'A = B'B.  All numbers in (*) are
 * rational when U, V (Cayley), S and T are, so (*) is decided exactly; only "a square is not negative" is left to
 * the reader, and that the singular values of P are S^2.                                                        */
#include "src/claim/shapes.h"
#include "src/model/balanced.h"
#include "src/claim/claim.h"

typedef enum { NOTHING, FROBENIUS, NO_TURN } slip;

/* (*) for a random D; the body of `minimal` strikes at W_Q and W_K. */
static void identity(trial *t, slip how)
{
    scope *s = &t->s;
    balanced_head w = balanced_planted(s, 0, t->sh.d, t->sh.dk);
    claim_reduced(t, 2, (const mat **const[]){ &w.Q, &w.K });
    const mat *D = balanced_weight(s, "D", 0, t->sh.dk, t->sh.dk);
    const mat *A = mat_mul(s, w.Q, D), *B = mat_mul(s, w.K, mat_t(s, mat_inv(s, D)));
    const mat *P = mat_mul(s, A, mat_t(s, B)), *SS = mat_mul(s, w.S, w.S);
    const mat *turned = how == NO_TURN ? B : mat_mul3(s, w.U, mat_t(s, w.V), B);
    const mat *norm = how == FROBENIUS ? mat_add(s, mat_square_sum(s, P), mat_square_sum(s, P)) : w.nuclear;
    claim_equal(t, "P = U S^2 V'", P, mat_mul3(s, w.U, SS, mat_t(s, w.V)));
    const mat *rest = mat_square_sum(s, mat_sub(s, A, turned));
    claim_equal(t, "decay = 2 |P|_* + a square", balanced_decay(s, A, B), mat_add(s, norm, rest));
}

/* The minimum: D = T^-1 O, O orthogonal (or, broken, any; or T^-1 times 2). */
static void attained(trial *t, bool orthogonal, bool doubled)
{
    scope *s = &t->s;
    balanced_head w = balanced_planted(s, 0, t->sh.d, t->sh.dk);
    const long r = t->sh.dk;
    claim_reduced(t, 2, (const mat **const[]){ &w.Q, &w.K });
    const mat *O = orthogonal ? mat_draw_orthogonal(s, "O", r) : balanced_weight(s, "O", 0, r, r);
    const mat *D = mat_mul(s, mat_inv(s, w.T), O);
    if (doubled) D = mat_add(s, D, D);
    const mat *A = mat_mul(s, w.Q, D), *B = mat_mul(s, w.K, mat_t(s, mat_inv(s, D)));
    claim_equal(t, "decay = 2 |P|_*", balanced_decay(s, A, B), w.nuclear);
    claim_equal(t, "A'A = B'B", mat_mul(s, mat_t(s, A), A), mat_mul(s, mat_t(s, B), B));
    claim_equal(t, "A = U V' B", A, mat_mul3(s, w.U, mat_t(s, w.V), B));
}

/* (I, P'), whose decay is d + |P|^2; broken: S for S^2, or nothing more than the least. */
typedef enum { AS_IT_IS, ROOTS, LEAST } excess;
static void reduced_pair(trial *t, excess how)
{
    scope *s = &t->s;
    const long d = t->sh.d;
    balanced_head w = balanced_planted(s, 0, d, d);
    const mat *A = mat_identity(s, d), *B = mat_mul(s, w.K, mat_t(s, w.Q));
    claim_reduced(t, 1, (const mat **const[]){ &B });
    const mat *S = how == ROOTS ? w.S : mat_mul(s, w.S, w.S), *rest = mat_square_sum(s, mat_sub(s, S, A));
    claim_equal(t, "I B' = W_Q W_K'", mat_t(s, B), mat_mul(s, w.Q, mat_t(s, w.K)));
    claim_equal(t, "decay of (I, P') = 2 |P|_* + |S^2 - I|^2", balanced_decay(s, A, B),
                how == LEAST ? w.nuclear : mat_add(s, w.nuclear, rest));
}
static void reduced(trial *t)         { reduced_pair(t, AS_IT_IS); }
static void with_roots(trial *t)      { reduced_pair(t, ROOTS); }
static void least(trial *t)           { reduced_pair(t, LEAST); }
static void square_identity(trial *t) { identity(t, NOTHING); }
static void frobenius(trial *t)       { identity(t, FROBENIUS); }
static void not_turned(trial *t)      { identity(t, NO_TURN); }
static void balanced(trial *t)        { attained(t, true, false); }
static void any_O(trial *t)           { attained(t, false, false); }
static void doubled(trial *t)         { attained(t, true, true); }

static const control of_bound[] = {
    { "frobenius",  frobenius,  "$|P|^2$ in place of $|P|_*$" },
    { "not-turned", not_turned, "$|A - B|^2$ in place of $|A - UV^\\top B|^2$" },
};
static const control of_minimum[] = {
    { "any-O",   any_O,   "$O$ not orthogonal: not balanced" },
    { "doubled", doubled, "$2D$: not balanced" },
};
static const control of_reduced[] = {
    { "roots", with_roots, "$|S - I|^2$: the square roots of the singular values of $P$ in place of these" },
    { "least", least,      "no excess: as if $(I, P^\\top)$ had the least decay" },
};
static const shape_case shapes[] = {
    { .sh = { .n = 1, .d = 4, .h = 2, .m = 1, .V = 1, .L = 1 } },
    { .sh = { .n = 1, .d = 6, .h = 2, .m = 1, .V = 1, .L = 1 } },
    { .sh = { .n = 1, .d = 5, .h = 1, .m = 1, .V = 1, .L = 1 } },
};
#define NOT_SYM NOT_SYMBOLIC("entrywise squares are opaque")
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = square_identity, .no_large = true, NOT_SYM,
      .statement = "$|W_QD|^2 + |W_KD^{-\\top}|^2 = 2|W_QW_K^\\top|_* + |A - UV^\\top B|^2$ for every $D$",
      .basis = "exact identity; that the last term, a square, is not negative gives the bound",
      CONTROLS(of_bound) },
    { .name = "as-stated-bound-attained", .kind = PART_IDENTITY, .run = balanced, .no_large = true, NOT_SYM,
      .statement = "the bound is attained at $D = T^{-1}O$ for every orthogonal $O$, where $A^\\top A = B^\\top B$",
      CONTROLS(of_minimum) },
    { .name = "as-stated-reduced", .kind = PART_IDENTITY, .run = reduced, .no_large = true, NOT_SYM,
      .statement = "one head: the reduced pair $(I, P^\\top)$ has the decay $2|P|_* + |S^2 - I|^2$, the least only "
                   "where all singular values of $P = W_QW_K^\\top$ are 1",
      .basis = "exact identity; that the last term, a square, is 0 only for $S^2 = I$ gives the rest",
      CONTROLS(of_reduced) },
};
static const quotation quotes[] = {
    { TEXT_001, "Section 4.1.1", "Weight decay during training may prevent the optimizer from naturally discovering "
      "this reduced form, as it penalizes rather than ." },
    { TEXT_003, "Section 4.1", "However, weight decay during training penalizes $\\|W_Q\\|^2 + \\|W_K\\|^2 + "
      "\\|W_V\\|^2 + \\|W_O\\|^2$ rather than $\\|W_Q W_K^\\top\\|^2 + \\|W_V W_O\\|^2$, potentially "
      "preventing discovery of this reduced form." },
    { TEXT_000, "Section 4.1.1", "Weight decay during training may prevent the optimizer from naturally discovering "
      "this reduced form, as it penalizes rather than ." },
};
static const claim N15 = {
    .id = "N15", .title = "nuclear-norm identity of the query-key gauge",
    .where = "001 Section 4.1.1; 003 Section 4.1; 000 Section 4.1.1",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "$W_Q^a$, $W_K^a$ and $W_Q^aW_K^{a\\top}$ of one rank (otherwise an infimum)",
    .construction = "$W_QW_K^\\top = US^2V^\\top$, $W_Q = UST$, $W_K = VST^{-\\top}$; minimum at $D = T^{-1}$",
    .why = "$|A|^2 + |B|^2 - 2\\,\\mathrm{tr}\\,S^2 = |A - UV^\\top B|^2 \\ge 0$, since $UV^\\top B$ is as long as "
           "$B$ and $\\mathrm{tr}\\,A^\\top UV^\\top B = \\mathrm{tr}\\,UV^\\top P^\\top = \\mathrm{tr}\\,S^2$.  So "
           "weight decay on the pair is a nuclear norm on $P = W_QW_K^\\top$, and it does not single out one pair but "
           "an orbit of $O(d_k)$.  The reduced form $(I, P^\\top)$ of Proposition 4.1 is on that orbit only where all "
           "singular values of $P$ are 1: elsewhere decay leads away from it, as the texts say.  That half of "
           "$|A|^2 + |B|^2$, least over all factors, is the nuclear norm of "
           "$AB^\\top$ is classical (Srebro and Shraibman 2005, and before).",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "K-P3.2",
};
THEOREM_PROGRAM(N15)
