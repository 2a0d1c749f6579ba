(* b_3.v - B-3, similarity without the factor c = 1/sqrt(d): a factor of the scores is a factor of W_Q.
 *
 * Whole layers as in transformer.v, with any heads, groups, masks, row maps, skips, norms of the stream and MLPs; no
 * norm of queries. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads witness witness_attention.
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

(* ---- without its hypothesis: one number, all weights 1, X = 1 ---------------------------------------------------- *)

Section Needed.
Definition numbers_of (q : rat * rat) : numbers :=
  Numbers q (1, 0) (1, 0) (1, 0) (fun x => x / (`|x| + 1)) id id false [::] 0 0.
Notation scaled c :=
  (with_scale (shape_of (fun _ _ => true) (id : 'I_1 -> 'I_1) (Switches false true false None 1 1)) c).
Notation W := (@layer_of 0 1 (numbers_of (1, 0))).
Lemma scaled_number : scaled_queries 2%:R W = @layer_of 0 1 (numbers_of (2%:R, 0)).
Proof.
rewrite /scaled_queries /with_attention /= scale_scalar_mx mulr1.
by have -> : 2%:R *: const_mx 0 = const_mx 0 :> 'rV[rat]_(1 * 1) by apply/rowP => j; rewrite !mxE mulr0.
Qed.
(* A norm x / (|x| + 1) of the queries, c = 2: 2/3 in place of 1. *)
(* Needed: theorem=as_stated hypothesis=no norm of the queries lemma=needs_no_query_norm *)
Lemma needs_no_query_norm :
  model_block (scaled 1) (scaled_queries 2%:R W) (const_mx 1) = const_mx (2%:R / 3%:R) /\
  model_block (scaled 2%:R) W (const_mx 1) = const_mx 1.
Proof.
have same (x y : rat) : x = y -> const_mx x = const_mx y :> 'M[rat]_(1, 1 * 1) by move=> ->.
split; first rewrite scaled_number; rewrite -block_plain.
  rewrite (@block_turned 0 1 (fun _ _ => true) id (Switches false true false None 1 1)).
  by apply: same; apply/eqP; vm_compute.
rewrite (@block_turned 0 1 (fun _ _ => true) id (Switches false true false None 2%:R 1)).
by apply: same; apply/eqP; vm_compute.
Qed.
End Needed.
