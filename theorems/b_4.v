(* b_4.v - B-4, heads side by side behind one projection are a sum over heads; B-1, a head with fixed weights is linear.
 *
 * The paper (002, Eq. 1): "Each of them is, for given weights, a formally linear transformation". *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Heads.
Variables (R : comRingType) (n N h dk : nat).

(* (A_1 X W_V^1 | .. | A_h X W_V^h) W_O = sum_a A_a X W_V^a W_O^a *)
(* Provably: claim=B-4 part=as-stated theorem=sum_over_heads quantifiers=all commutative rings, sizes, heads, A, X, W_V, W_O *)
Theorem sum_over_heads (A : 'I_h -> 'M[R]_n) (X : 'M_(n, N)) (Vv : 'M_(N, h * dk)) (O : 'M_(h * dk, N)) :
  hcat (fun a => A a *m X *m cols Vv a) *m O = \sum_a A a *m X *m (cols Vv a *m rows O a).
Proof. by rewrite hcat_mul; apply: eq_bigr => a _; rewrite !mulmxA. Qed.

(* Z(X) = (A X W_V) W_O for fixed A *)
(* Provably: claim=B-1 part=as-stated theorem=linear quantifiers=all commutative rings, sizes, A, W_V, W_O, X, Y, c *)
Theorem linear (A : 'M[R]_n) (Vv : 'M_(N, dk)) (O : 'M_(dk, N)) (X Y : 'M_(n, N)) c :
  let Z X := (A *m X *m Vv) *m O in
  Z X = (A *m X) *m (Vv *m O) /\ Z (c *: X - Y) = c *: Z X - Z Y.
Proof. by split=> /=; rewrite ?mulmxA // mulmxBr !mulmxBl -!(scalemxAl, scalemxAr). Qed.
End Heads.

(* Weights that follow the input, A(X) = X X': Z(2) = 8, not 2 Z(1) = 2. *)
Lemma needs_fixed_weights : let Z (X : 'M[rat]_1) := X *m X^T *m X in Z 2%:R%:M <> 2%:R *: Z 1%:M.
Proof. by rewrite /= !tr_scalar_mx -!scalar_mxM => /matrixP /(_ 0 0) /eqP; rewrite !mxE. Qed.
