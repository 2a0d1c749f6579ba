/* SPDX-License-Identifier: GPL-3.0-or-later
 * formal_guide.c - see formal_guide.h.  t_page checks that every piece stands in theorems/k_t4_4.v, t_formal that the
 * certificate is written as it stands here. */
#include "src/base/base.h"
#include "src/report/collect/formal_guide.h"

const char formal_guide_claim[] = "K-T4.4", formal_guide_part[] = "as-stated";

const formal_guide_row formal_guide[] = {
    { "Variables (R : comUnitRingType) (n h h_kv dk V : nat).",
      "The theorem holds for every choice of these. $R$ is where numbers live: any commutative ring in which some "
      "elements have inverses, so the real numbers, the rationals, the numbers modulo a prime. `nat' are the numbers "
      "0, 1, 2, ...: $n$ tokens, $h$ heads, h_kv key-value heads, heads of width $d_k$ (dk), $V$ words of the "
      "vocabulary. No size is fixed." },
    { "Notation d := (h * dk)%N.", "$d$ is short for $h \\cdot d_k$, the width of the stream; `%N' says that whole "
                                   "numbers are multiplied." },
    { "(sh : shape R n d h h_kv dk)", "sh is the shape of a model: which skips it has, its norm if there is one, its "
                                      "mask, which key-value head each head reads, RoPE's rotations, the scale of "
                                      "the scores. A colon reads `is a'." },
    { "(M : model)", "M is a model: embedding, positions, head, and a list of layers with all their weights, biases "
                     "and functions. `M' and `sh' come without conditions, so: for every one." },
    { "(T : 'M[R]_(n, V))", "'M[R]_(n, V) are the $n \\times V$ matrices with entries in $R$. T are the tokens, one "
                            "row each, one-hot or not." },
    { "Definition reduced sh last M : model := gauge_model sh (query_bases last M) M.",
      "The modified weights of the paper, named and not only said to exist: gauge_model changes the basis in front "
      "of each layer, query_bases takes $\\Theta_i = W_Q^i$, and `last' is the basis behind the last layer." },
    { "Theorem as_stated sh M :", "Its name, and what it is about: for all sh and M. What follows the colon is the "
      "statement; an arrow `A -> B' reads `if A, then B', and several in a row are several hypotheses." },
    { "norm sh = None ->", "Hypothesis: there is no norm (`without normalization')." },
    { "skips_around_attention_only sh ->", "Hypothesis: there is a skip around attention, none around the MLP, and "
      "the two do not run side by side. Its definition is above the statement: && and & read `and', ~~ reads "
      "`not'." },
    { "head M <> None ->", "Hypothesis: the model has a head of its own; it is not tied to the embedding. (<> reads "
                           "`is not'. The tied case is another theorem, tied_head.)" },
    { "all (fun W => W_Q W \\in unitmx) (at_ M) ->", "Hypothesis: in every layer W of the list at_ M the matrix "
      "$W_Q$ is invertible: $W_Q \\in \\mathrm{GL}(d)$ in Section 3 of the paper. The list may have any length, so "
      "the theorem is about every depth L. `fun W => ..' reads `of a layer W, that ..'." },
    { "let M' := reduced sh 1%:M M in", "M' is the modified model, with the identity matrix, 1%:M, as basis "
      "behind the last "
      "layer." },
    { "[/\\ forall T, model_forward sh M' T = model_forward sh M T,", "[/\\ a, b & c] reads `a and b and c'. First: "
      "for all tokens T both models give the same logits. The sign = is equality of all entries in $R$, exact: no "
      "rounding, no tolerance, no `almost all'." },
    { "all (fun W => W_Q W == 1%:M) (at_ M') &", "Second: in every layer of M' the matrix $W_Q$ is the identity." },
    { "head M' = head M].", "Third: the head is the same matrix as before." } };
const size_t formal_guide_rows = COUNT(formal_guide);

const char formal_guide_certificate[] = "K-P3.2-as-stated-3";
const char formal_guide_typed[] =
    "Theorem K_P3_2_as_stated_3 (R : comUnitRingType) (n d : nat)\n"
    "    (X : 'M[R]_(n, d))\n"
    "    (W_Q_0 W_K_0 W_V_0 D_0_0 D_0_0_inv : 'M[R]_d)\n"
    "    (softmax_attention_0_0 : 'M[R]_n -> 'M[R]_n) :\n"
    "  (0 < n)%N -> (0 < d)%N -> D_0_0_inv *m D_0_0 = 1%:M ->\n"
    "  forall A9 : 'M[R]_(n, d), A9 = X *m W_V_0 ->\n"
    "  forall A21 : 'M[R]_(n, d), A21 = softmax_attention_0_0 (X *m (W_Q_0 *m D_0_0) *m (X *m (W_K_0 *m "
    "D_0_0_inv^T))^T) *m A9 ->\n"
    "  softmax_attention_0_0 (X *m W_Q_0 *m (X *m W_K_0)^T) *m A9 = A21.";
