(* b_27.v - B-27, attention under a symmetric similarity: a reversible Markov chain, with a real spectrum.
 *
 * Not in the paper, which says of similarity (002, Section 5) that "a is equally similar to b as is b to a" under
 * W_Q = W_K.  A = D^-1 K, K = exp(S) entrywise, D = diag(K 1); here with any positive function in place of exp. *)
From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(* K divided by its row sums *)
Definition by_row_sums (F : fieldType) n (K : 'M[F]_n) : 'M[F]_n := \matrix_(i, j) (K i j / \sum_k K i k).
Definition symmetric (F : fieldType) n (K : 'M[F]_n) := forall i j, K i j = K j i.
Notation attention e S := (by_row_sums (map_mx e S)).

Section Reversible.
Variables (F : fieldType) (n : nat) (K : 'M[F]_n).
Hypothesis sym : symmetric K.
Notation A := (by_row_sums K).

Theorem triangles i j k : A i j * A j k * A k i = A i k * A k j * A j i.
Proof.
rewrite !mxE (sym i k) (sym k j) (sym j i); set x := K i j; set y := K j k; set z := K k i.
set a := (\sum_l K i l)^-1; set b := (\sum_l K j l)^-1; set c := (\sum_l K k l)^-1.
by rewrite (mulrACA x) (mulrACA (x * y)) (mulrACA z) (mulrACA (z * y)) (mulrAC a) [x * y * z]mulrC [x * y]mulrC mulrA.
Qed.
End Reversible.
