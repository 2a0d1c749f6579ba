(* b_26.v - B-26, what W_Q = W_K says of the similarity of a token to itself.
 *
 * The paper (002, Section 7): "This improvement may be reached by excluding undesirable freedoms, such as a token being
 * dissimilar to itself."  Corrected: the token with the largest |x W| is the most similar to itself; every token is if
 * all |x W| are equal. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import order semidefinite.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(* (x W)(y W)' *)
Definition similar (R : comRingType) N dk (W : 'M[R]_(N, dk)) (x y : 'rV[R]_N) : R := (x *m W *m (y *m W)^T) 0 0.

Section Algebra.
Variables (R : comRingType) (N dk : nat) (W : 'M[R]_(N, dk)).
Implicit Types x y : 'rV[R]_N.
Notation s := (similar W).

Lemma similarC x y : s x y = s y x.
Proof. by rewrite /similar -[in LHS](trmxK (x *m W)) -trmx_mul mxE. Qed.
Lemma similarBl x y z : s (x - y) z = s x z - s y z.
Proof. by rewrite /similar mulmxBl mulmxBl !mxE. Qed.
Lemma similarZl a x z : s (a *: x) z = a * s x z.
Proof. by rewrite /similar -scalemxAl -scalemxAl mxE. Qed.

(* |u W|^2 = s_jj (s_ii s_jj - s_ij^2) for u = s_jj x_i - s_ij x_j *)
(* Provably: claim=B-26 part=corrected theorem=lagrange quantifiers=all commutative rings, sizes, W, x_i, x_j *)
Theorem lagrange x y : let u := s y y *: x - s x y *: y in s u u = s y y * (s x x * s y y - s x y ^+ 2).
Proof.
have half v : s (s y y *: x - s x y *: y) v = s y y * s x v - s x y * s y v.
  by rewrite similarBl !similarZl.
rewrite /= half ![s _ (_ - _)]similarC !half (similarC y x) [s x y * s y y]mulrC subrr mulr0 subr0.
by congr (_ * _); rewrite mulrC expr2.
Qed.
End Algebra.

Section Order.
Variables (F : realFieldType) (N dk n : nat) (W : 'M[F]_(N, dk)) (x : 'I_n -> 'rV[F]_N).
Notation s i j := (similar W (x i) (x j)).

Lemma self_ge0 (v : 'rV[F]_N) : 0 <= similar W v v.
Proof. exact: square_ge0. Qed.

Lemma cauchy i j : s i j ^+ 2 <= s i i * s j j.
Proof.
have [z|nz] := eqVneq (s j j) 0; last first.
  have := self_ge0 (s j j *: x i - s i j *: x j); rewrite lagrange.
  by rewrite pmulr_rge0 ?subr_ge0 // lt_neqAle eq_sym nz self_ge0.
move/eqP: z; rewrite square_eq0 => /eqP z.
by rewrite /similar z trmx0 !mulmx0 !mxE mulr0 expr0n.
Qed.

Lemma own_is_largest i : (forall j, s j j <= s i i) -> forall j, s i j <= s i i.
Proof.
move=> top j; have [neg|/ltW pos] := leP (s i j) 0; first exact: le_trans neg (self_ge0 _).
rewrite -ler_sqr ?nnegrE ?self_ge0 //; apply: le_trans (cauchy i j) _.
by rewrite expr2 ler_wpmul2l ?self_ge0.
Qed.

(* s_ii >= 0, s_ij^2 <= s_ii s_jj, and the token of largest s_ii has s_ii >= s_ij for all j *)
(* Provably: claim=B-26 part=corrected-order theorem=order quantifiers=all ordered fields, sizes, W, tokens *)
Theorem order : [/\ forall i, 0 <= s i i, forall i j, s i j ^+ 2 <= s i i * s j j &
  forall i, (forall j, s j j <= s i i) -> forall j, s i j <= s i i].
Proof. by split=> [i|i j|]; [exact: self_ge0|exact: cauchy|exact: own_is_largest]. Qed.

(* .. so where all s_ii are equal every token has *)
(* Provably: claim=B-26 part=corrected-equal theorem=equal_lengths quantifiers=all ordered fields, sizes, W, tokens *)
Theorem equal_lengths : (forall i j, s i i = s j j) -> forall i j, s i j <= s i i.
Proof. by move=> same i; apply: own_is_largest => j; rewrite (same j i). Qed.
End Order.

(* ---- as stated, and each hypothesis is needed: tokens of one number --------------------------------------------- *)

Section Needed.
Notation num x := (x%:M : 'M[rat]_1).
(* W_Q = W_K = I, tokens (1, 0), (2, 0): s_11 = 1 < s_12 = 2 *)
Definition token (a : rat) : 'rV[rat]_2 := \row_j (if j == 0 then a else 0).
(* W_QK = (1, 2; 2, 1), which is symmetric, and x = (1, -1): x W_QK x' = -2 *)
Definition mirrored : 'M[rat]_2 := \matrix_(i, j) (if i == j then 1 else 2%:R).
Definition opposite : 'rV[rat]_2 := \row_j (if j == 0 then 1 else - 1).
(* Provably: claim=B-26 part=as-stated theorem=two_witnesses quantifiers=this W_QK and x, these two tokens *)
Theorem two_witnesses :
  (mirrored^T = mirrored /\ (opposite *m mirrored *m opposite^T) 0 0 = - 2%:R) /\
  similar 1%:M (token 1) (token 1) = 1 /\ similar 1%:M (token 1) (token 2%:R) = 2%:R.
Proof.
split; split; first by apply/matrixP => i j; rewrite !mxE eq_sym.
- by rewrite !(mxE, big_ord_recl, big_ord0) /=; apply/eqP; vm_compute.
- by rewrite /similar !mulmx1 mxE !big_ord_recl big_ord0 !mxE /=; apply/eqP; vm_compute.
by rewrite /similar !mulmx1 mxE !big_ord_recl big_ord0 !mxE /=; apply/eqP; vm_compute.
Qed.
(* W_K = -W_Q: s_11 = -1 *)
Lemma needs_equal_keys : (num 1 *m num 1 *m (num 1 *m - num 1)^T) 0 0 < 0.
Proof. by rewrite !mul1mx linearN /= tr_scalar_mx !mxE. Qed.
End Needed.

(* Needed: theorem=equal_lengths hypothesis=equal similarities to themselves lemma=two_witnesses *)
