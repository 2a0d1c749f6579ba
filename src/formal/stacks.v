(* stacks.v - attention stacks of the second paper as functions of their weights, src/methods/rank/stack_family.h.
 *
 *     X' = [X +] sum_a f_a((X Q_a)(X K_a)') X V_a O_a,    H heads a of width r, N = H r, any row maps f
 * Q D, K D^-T, V E, E^-1 O are the same layer where D and E keep the heads apart; without skips the stream between two
 * layers may be written in any basis. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices order tangents.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Layer.
Variables (F : fieldType) (n H r : nat).
Notation N := (H * r)%N.
Implicit Types (Q K V O : 'M[F]_N) (X : 'M[F]_(n, N)) (f : 'I_H -> 'M[F]_n -> 'M[F]_n).

Definition heads_of f Q K V O X : 'M_(n, N) :=
  \sum_a f a (X *m cols Q a *m (X *m cols K a)^T) *m (X *m cols V a *m rows O a).

(* 1 on the coordinates of head a, 0 on the others; block-diagonal matrices commute with it. *)
Definition only a : 'M[F]_N := blockdiag (fun b => if b == a then 1%:M else 0).
Definition keeps_heads (D : 'M[F]_N) := forall a, only a *m D = D *m only a.
Lemma through_head p q (A : 'M_(p, N)) (B : 'M_(N, q)) a : cols A a *m rows B a = A *m only a *m B.
Proof.
rewrite mul_cols_rows (bigD1 a) //= cols_mul_blockdiag eqxx mulmx1 big1 ?addr0 // => b /negPf ba.
by rewrite cols_mul_blockdiag ba mulmx0 mul0mx.
Qed.
Lemma heads_by_blocks f Q K V O X :
  heads_of f Q K V O X = \sum_a f a (X *m (Q *m only a *m K^T) *m X^T) *m (X *m (V *m only a *m O)).
Proof.
apply: eq_bigr => a _; congr (f a _ *m _); last by rewrite -mulmxA through_head.
have -> : Q *m only a *m K^T = cols Q a *m (cols K a)^T.
  by rewrite -through_head; congr (_ *m _); apply/matrixP => i j; rewrite !mxE.
by rewrite trmx_mul !mulmxA.
Qed.

Lemma turned_heads f Q K V O D E X : D \in unitmx -> E \in unitmx -> keeps_heads D -> keeps_heads E ->
  heads_of f (Q *m D) (K *m (invmx D)^T) (V *m E) (invmx E *m O) X = heads_of f Q K V O X.
Proof.
move=> uD uE kD kE; rewrite !heads_by_blocks; apply: eq_bigr => a _; congr (f a _ *m _).
  by rewrite trmx_mul trmxK -(mulmxA Q) -kD !mulmxA mulmxK.
by rewrite -(mulmxA V) -kE !mulmxA mulmxK.
Qed.
Lemma other_basis f Q K V O A B X : A \in unitmx ->
  heads_of f (invmx A *m Q) (invmx A *m K) (invmx A *m V) (O *m B) (X *m A) = heads_of f Q K V O X *m B.
Proof.
move=> uA; rewrite !heads_by_blocks mulmx_suml; apply: eq_bigr => a _; rewrite -[RHS]mulmxA; congr (f a _ *m _).
  rewrite !trmx_mul -!mulmxA (mulmxA A) mulmxV // mul1mx; do 4! congr (_ *m _).
  by rewrite mulmxA -trmx_mul mulmxV // trmx1 mul1mx.
by rewrite -!mulmxA (mulmxA A) mulmxV // mul1mx.
Qed.
End Layer.

Section Directions.
Variables (F : realFieldType) (H r : nat) (K : finType) (basis : K -> 'M[F]_r).
Notation N := (H * r)%N.

(* an element of the basis in one head *)
Definition in_one_head (x : 'I_H * K) : 'M[F]_N := blockdiag (fun b => if b == x.1 then basis x.2 else 0).
Lemma only_commutes a x : only F r a *m in_one_head x = in_one_head x *m only F r a.
Proof.
rewrite !mul_blockdiag; apply: eq_blockdiag => b; case: (b == a); case: (b == x.1);
  by rewrite ?mulmx1 ?mul1mx ?mulmx0 ?mul0mx.
Qed.
Lemma in_one_head_keeps t x : keeps_heads (1%:M + t *: in_one_head x).
Proof.
by move=> a; rewrite mulmxDr mulmxDl mulmx1 mul1mx -scalemxAr -scalemxAl only_commutes.
Qed.
Lemma in_one_head_free : free_family basis -> free_family in_one_head.
Proof.
move=> free c /matrixP zero [a k]; apply: (free (fun k => c (a, k))); apply/matrixP => i j.
have e : (\sum_x c x *: in_one_head x) (in_head a i) (in_head a j) = 0 by rewrite zero mxE.
rewrite [RHS]mxE -[RHS]e !summxE sum_pairs (bigD1 a) //= [X in _ + X]big1 ?addr0 => [|b /negPf ba].
  by apply: eq_bigr => l _; rewrite !mxE !head_of_in !place_of_in !eqxx mulr1n.
by apply: big1 => l _; rewrite !mxE !head_of_in !place_of_in eqxx eq_sym ba mxE mulr0.
Qed.
End Directions.

Lemma cancels (F : fieldType) N (A W : 'M[F]_N) : W \in unitmx -> W *m A = 0 -> A = 0.
Proof. by move=> u e; apply: (can_inj (mulKmx u)); rewrite e mulmx0. Qed.
