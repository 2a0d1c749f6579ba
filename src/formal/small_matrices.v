(* small_matrices.v - rational matrices of two rows and columns, by their entries, and a norm of one number: what the
 * models of witness_*.v are made of. *)
From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* x / (|x| + 1), the norm of one number with epsilon 1 *)
Definition shrunk (x : rat) := x / (`|x| + 1).

(* (a, b; c, e) *)
Definition pair_of (a b c e : rat) : 'M[rat]_2 :=
  \matrix_(i, j) if (i < 1)%N then if (j < 1)%N then a else b else if (j < 1)%N then c else e.
(* a quarter turn at the second of two tokens *)
Definition quarter (t : 'I_2) : 'M[rat]_2 := if (t < 1)%N then 1%:M else pair_of 0 1 (- 1) 0.

Lemma two_terms (F : 'I_2 -> rat) : \sum_k F k = F 0 + F 1.
Proof. by rewrite !big_ord_recl big_ord0 addr0; congr (_ + F _); apply: val_inj. Qed.
Lemma pair_dot m n (A : 'M[rat]_(m, 2)) (B : 'M[rat]_(2, n)) i j : (A *m B) i j = A i 0 * B 0 j + A i 1 * B 1 j.
Proof. by rewrite mxE two_terms. Qed.
Lemma two_heads_only (k : 'I_2) : k = 0 \/ k = 1.
Proof. by case: k => [[|[|//]] ?]; [left|right]; apply: val_inj. Qed.
Lemma pair_eq (A B : 'M[rat]_2) : A 0 0 = B 0 0 -> A 0 1 = B 0 1 -> A 1 0 = B 1 0 -> A 1 1 = B 1 1 -> A = B.
Proof.
by move=> e00 e01 e10 e11; apply/matrixP => i j; case: (two_heads_only i) => ->; case: (two_heads_only j) => ->.
Qed.
