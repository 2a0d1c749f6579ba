(* b_3.v - B-3, similarity without the factor c = 1/sqrt(d): a factor of the scores is a factor of W_Q.
 *
 * Whole layers as in transformer.v, with any heads, groups, masks, row maps, skips, norms of the stream and MLPs; no
 * norm of queries. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Factor.
Variables (R : comUnitRingType) (n d h h_kv dk : nat).
Implicit Types (sh : shape R n d h h_kv dk) (W : layer R n d h h_kv dk).

Definition with_scale sh c : shape R n d h h_kv dk :=
  Shape (attn_skip sh) (mlp_skip sh) (parallel sh) (norm sh) (visible sh) c (group sh) (rotation sh).
(* c W_Q, and c b_Q *)
Definition scaled_queries c W :=
  with_attention W (c *: W_Q W) (c *: b_Q W) (W_K W) (b_K W) (W_V W) (b_V W) (W_O W) (b_O W).

Lemma affine_scale p q c (X : 'M[R]_(n, p)) (A : 'M_(p, q)) b : affine X (c *: A) (c *: b) = c *: affine X A b.
Proof.
rewrite /affine scalerDr -scalemxAr; congr (_ + _).
by apply/matrixP => i j; rewrite [LHS]mxE [RHS]mxE [X in _ = _ * X]mxE [LHS]mxE.
Qed.
Lemma rotate_scale sh c (A : 'M[R]_(n, dk)) : rotate sh (c *: A) = c *: rotate sh A.
Proof. by apply/row_matrixP => t; rewrite row_rotate !linearZ /= row_rotate -scalemxAl. Qed.

(* The layer with scores c q k' is the layer with scores q k' that has c W_Q. *)
(* Provably: claim=B-3 part=as-stated theorem=as_stated quantifiers=all sizes, heads, row maps, masks, skips, c, X *)
Theorem as_stated sh W c X : (forall a A, norm_q W a A = A) ->
  model_block (with_scale sh 1) (scaled_queries c W) X = model_block (with_scale sh c) W X.
Proof.
move=> nq; have self Y :
    model_self_attention (with_scale sh 1) (scaled_queries c W) Y = model_self_attention (with_scale sh c) W Y.
  rewrite /model_self_attention /model_attention_of; apply: eq_hcat => a.
  by rewrite /head_attention /= !nq scale1r affine_scale cols_scale rotate_scale -scalemxAl.
have att Y : model_attention (with_scale sh 1) (scaled_queries c W) Y = model_attention (with_scale sh c) W Y.
  by rewrite /model_attention self.
by rewrite /model_block /= !att.
Qed.
End Factor.
