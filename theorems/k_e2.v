(* k_e2.v - K-E2: which skips one ReLU network can trade for another.
 *
 * The corollary (003, E.2) says that no Z' with Z - Z' invertible is reached.  It is refuted: (-W1, W2, Z + W2 W1) is
 * the same function.  What is reached, by networks of the same width, are exactly the Z + W2[:,J] W1[J,:]. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import relu.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Reached.
Variables (F : realFieldType) (h k m : nat).
Notation relu := (@relu F).
Implicit Types (Z : 'M[F]_(k, h)).

(* (W2, W1, Z) and (W2', W1', Z') are the same function *)
Definition same_network n m' (W2 : 'M[F]_(k, n)) (W1 : 'M_(n, h)) Z (W2' : 'M[F]_(k, m')) (W1' : 'M_(m', h)) Z' :=
  forall x, mlp_of relu W2 W1 x + Z *m x = mlp_of relu W2' W1' x + Z' *m x.

(* Turning J over reaches Z + W2[:,J] W1[J,:]: any weights. *)
(* Provably: claim=K-E2 part=corrected-reach theorem=reached quantifiers=all ordered fields, h, m, J, W1, W2, Z *)
Theorem reached (W2 : 'M[F]_(k, m)) (W1 : 'M_(m, h)) Z J :
  same_network W2 W1 Z W2 (turn J W1) (Z + part J W2 W1).
Proof.
move=> x; rewrite (turn_over W2 W1 J x (@relu_half_odd F)) mulmxDl -!addrA; congr (_ + _).
by rewrite addrC.
Qed.

(* W2 ReLU(W1 x) + Zx = W2 ReLU(-W1 x) + (Z + W2 W1) x: the equality of K-E2's counterexample. *)
Theorem all_turned (W2 : 'M[F]_(k, m)) (W1 : 'M_(m, h)) Z : same_network W2 W1 Z W2 (- W1) (Z + W2 *m W1).
Proof.
have := reached W2 W1 Z predT; rewrite (_ : turn predT W1 = - W1); last by apply/matrixP => i j; rewrite !mxE.
rewrite (_ : part predT W2 W1 = W2 *m W1) //; apply/matrixP => i j; rewrite summxE [RHS]mxE.
by apply: eq_bigr => l _; rewrite mxE big_ord1 !mxE.
Qed.

(* .. and under E.1's conditions nothing else is reached at equal width. *)
(* Of K-E2's parts corrected and corrected-4h this is the set; how many of its members are distinct is not formal. *)
Theorem reached_set (W2 : 'M[F]_(k, m)) (W1 : 'M_(m, h)) Z Z' :
  nonzero_rows W1 -> noncollinear W1 -> nonzero_columns W2 ->
  (exists (W2' : 'M[F]_(k, m)) (W1' : 'M_(m, h)), same_network W2 W1 Z W2' W1' Z') <->
  exists J : pred 'I_m, Z' = Z + part J W2 W1.
Proof.
move=> rows apart columns; split=> [[W2' [W1' same]]|[J ->]]; last by exists W2, (turn J W1); apply: reached.
have [|J eJ] := @absorbed_only_by_turning _ _ _ _ W1 W2 (Z - Z') rows apart columns W2' W1'.
  by move=> x; rewrite mulmxBl addrA same addrK.
by exists J; rewrite eJ opprB addrC subrK.
Qed.
End Reached.
