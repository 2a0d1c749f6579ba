(* k_la_1.v - K-LA.1, head weights interchange: (X W)^a = X W^a. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* W need not be square. *)
(* Provably: claim=K-LA.1 part=as-stated theorem=interchange quantifiers=all sizes, heads, X, W *)
(* Provably: claim=K-LA.1 part=as-stated-wide theorem=interchange quantifiers=all sizes, heads, X, W *)
Theorem interchange (R : comUnitRingType) n d h dk (X : 'M[R]_(n, d)) (W : 'M_(d, h * dk)) (a : 'I_h) :
  cols (X *m W) a = X *m cols W a.
Proof. exact: cols_mul. Qed.

(* W^a = W P_a, where P_a has the unit vectors of head a as columns *)
Lemma cols_by_units (R : comUnitRingType) d h dk (W : 'M[R]_(d, h * dk)) (a : 'I_h) :
  cols W a = W *m \matrix_(k, j) (k == in_head a j)%:R.
Proof.
apply/matrixP => i j; rewrite !mxE (bigD1 (in_head a j)) //= big1 => [|k ne]; rewrite !mxE ?eqxx ?mulr1 ?addr0 //.
by rewrite (negPf ne) mulr0.
Qed.
