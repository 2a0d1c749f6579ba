(* b_22.v - B-22, W_Q = W_K: a similarity that is symmetric and positive semidefinite.
 *
 * The paper (002, Section 5): "The symmetry can be guaranteed by simply setting W_sh^Q = W_sh^K." *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer semidefinite.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Symmetric.
Variables (R : comRingType) (n N dk : nat) (X : 'M[R]_(n, N)) (W : 'M[R]_(N, dk)) (b : 'rV[R]_dk).
(* queries and keys are X W + 1 b *)
Definition similarity : 'M_n := affine X W b *m (affine X W b)^T.

(* Provably: claim=B-22 part=as-stated theorem=symmetric quantifiers=all commutative rings, sizes, X, W, b, v *)
Theorem symmetric : similarity^T = similarity /\
  forall v : 'rV_n, (v *m similarity *m v^T) 0 0 = square (v *m affine X W b).
Proof. by split=> [|v]; rewrite /similarity trmx_mul ?trmxK // !mulmxA. Qed.
End Symmetric.

Section Sign.
Variables (F : realFieldType) (n N dk : nat).
(* Provably: claim=B-22 part=as-stated-sign theorem=semidefinite quantifiers=all ordered fields, sizes, X, W, b, v *)
Theorem semidefinite (X : 'M[F]_(n, N)) (W : 'M[F]_(N, dk)) b (v : 'rV_n) : 0 <= (v *m similarity X W b *m v^T) 0 0.
Proof. by have [_ ->] := symmetric X W b; apply: square_ge0. Qed.

(* With h > 1 heads of width dk the W of a head is N x dk, N = h dk: some token has similarity 0 to every token. *)
(* Provably: claim=B-22 part=as-stated-null theorem=null_token quantifiers=all ordered fields, sizes, h > 1, X, W *)
Theorem null_token h (X : 'M[F]_(n, h * dk)) (W : 'M[F]_(h * dk, dk)) : (1 < h)%N -> (0 < dk)%N ->
  exists x : 'rV[F]_(h * dk), x != 0 /\ x *m W *m (X *m W)^T = 0.
Proof.
move=> h1 dk0; have : kermx W != 0.
  rewrite -mxrank_eq0 mxrank_ker -lt0n subn_gt0; apply: leq_ltn_trans (rank_leq_col _) _.
  by rewrite -{1}[dk]mul1n ltn_mul2r dk0.
case/rowV0Pn => x /sub_kermxP xW x0.
by exists x; rewrite xW mul0mx.
Qed.
End Sign.

(* ---- each hypothesis is needed: tokens and weights of one number ------------------------------------------------ *)

Section Needed.
Notation num x := (x%:M : 'M[rat]_1).
(* W_K = -W_Q: symmetric, but the similarity of a token to itself is -1 *)
Lemma needs_equal_keys : (num 1 *m num 1 *m (num 1 *m - num 1)^T) 0 0 = - 1.
Proof. by rewrite !mul1mx linearN /= tr_scalar_mx !mxE. Qed.
(* One head, M = 1: no token but 0 has the similarity 0 to itself. *)
(* Needed: theorem=null_token hypothesis=more than one head lemma=needs_two_heads *)
Lemma needs_two_heads (x : 'rV[rat]_1) : x *m num 1 *m (num 1 *m num 1)^T = 0 -> x = 0.
Proof. by rewrite mul1mx tr_scalar_mx !mulmx1. Qed.
(* Heads of width 0, N = 0: there is no token but 0. *)
(* Needed: theorem=null_token hypothesis=heads of width dk > 0 lemma=needs_a_width *)
Lemma needs_a_width (x : 'rV[rat]_(2 * 0)) : x = 0.
Proof. by apply/rowP => -[]. Qed.
(* b_K = 1, b_Q = 0, W = 1 and tokens 0, 1: not symmetric *)
Definition tokens : 'cV[rat]_2 := \col_i (val i)%:R.
Lemma needs_equal_biases : let S := affine tokens (num 1) 0 *m (affine tokens (num 1) (num 1))^T in S 0 1 <> S 1 0.
Proof. by rewrite /affine !mulmx1 /= !(mxE, big_ord1) /=; apply/eqP. Qed.
End Needed.
