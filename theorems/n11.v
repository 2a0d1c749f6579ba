(* n11.v - N11: values computed from keys, V = K (W_K^-1 W_V) (slim attention). *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Values.
Variables (R : comUnitRingType) (n d : nat).
Implicit Types (X : 'M[R]_(n, d)) (W_K W_V : 'M[R]_d) (b_K b_V : 'rV[R]_d).

(* Provably: claim=N11 part=as-stated theorem=values_from_keys quantifiers=all sizes, X, W_V, W_K in GL(d) *)
Theorem values_from_keys X W_K W_V : W_K \in unitmx -> X *m W_V = X *m W_K *m (invmx W_K *m W_V).
Proof. by move=> u; rewrite read_back. Qed.

(* V = (K - 1 b_K)(W_K^-1 W_V) + 1 b_V *)
(* Provably: claim=N11 part=as-stated-bias theorem=values_from_keys_bias quantifiers=all sizes, X, biases, W_V *)
Theorem values_from_keys_bias X W_K W_V b_K b_V : W_K \in unitmx ->
  affine X W_V b_V = affine (affine X W_K b_K - \matrix_(i, j) b_K 0 j) (invmx W_K *m W_V) b_V.
Proof. by move=> u; rewrite {2}/affine addrK /affine read_back. Qed.
End Values.

(* The layer whose queries and keys are rotated, its values from the keys K before their rotation; with any biases. *)
(* Provably: claim=N11 part=as-stated-rope theorem=rotary_values_from_keys quantifiers=all sizes, heads, groups, rotations, functions, X, biases, W_K in GL(d) *)
Theorem rotary_values_from_keys (R : comUnitRingType) n h h_kv dk (sh : shape R n (h_kv * dk) h h_kv dk)
    (W : layer R n (h_kv * dk) h h_kv dk) X : W_K W \in unitmx ->
  let Q := affine X (W_Q W) (b_Q W) in let K := affine X (W_K W) (b_K W) in
  let from_keys := affine (K - \matrix_(i, j) b_K W 0 j) (invmx (W_K W) *m W_V W) (b_V W) in
  model_self_attention sh W X = model_attention_of sh W Q K from_keys /\
  (b_K W = 0 -> b_V W = 0 -> from_keys = K *m (invmx (W_K W) *m W_V W)).
Proof.
move=> u Q K from_keys; split=> [|bk bv].
  by rewrite /from_keys /K -values_from_keys_bias.
have none p (b : 'rV[R]_p) : b = 0 -> \matrix_(i < n, j < p) b 0 j = 0.
  by move=> ->; apply/matrixP => i j; rewrite !mxE.
by rewrite /from_keys (none _ _ bk) subr0 /affine (none _ _ bv) addr0.
Qed.

(* Numbers, X = W_V = 1: W_K = 0 has no inverse (Coq writes 0 for it): 0 in place of 1, with any biases. *)
(* Needed: theorem=values_from_keys hypothesis=W_K in GL(d) lemma=needs_invertible *)
(* Needed: theorem=values_from_keys_bias,rotary_values_from_keys hypothesis=W_K in GL(d) lemma=needs_invertible *)
Lemma needs_invertible (b_K : 'rV[rat]_1) : let X : 'M[rat]_1 := 1%:M in let W_V : 'M[rat]_1 := 1%:M in
  [/\ X *m 0 *m (invmx 0 *m W_V) = 0, affine (affine X 0 b_K - \matrix_(i, j) b_K 0 j) (invmx 0 *m W_V) 0 = 0,
      X *m W_V = 1 & affine X W_V 0 = 1].
Proof.
move=> X W_V; have no_bias : \matrix_(i < 1, j < 1) (0 : 'rV[rat]_1) 0 j = 0 by apply/matrixP => i j; rewrite !mxE.
by split; rewrite /affine ?mulmx0 ?add0r ?subrr ?mul0mx ?no_bias ?addr0 ?mulmx1.
Qed.
