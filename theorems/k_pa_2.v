(* k_pa_2.v - K-PA.2, the block Hadamard form of multi-head attention.
 *
 * The paper (003, Proposition A.2): with F [x]^t G = (F_1 G_1 | .. | F_h G_h) and A [x] F = (A_1 F_1 | .. | A_h F_h),
 *     Softmax_M(dk^-1/2 (X W_Q) [x]^t (X W_K)') [x] (X W_V) = (head_1 | .. | head_h),
 * each head computed from its own columns of the weights.  Any row map in place of the softmax. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section BlockHadamard.
Variables (R : comUnitRingType) (n d h dk : nat).

Definition times_transposed (F : 'M[R]_(n, h * dk)) (G : 'M[R]_(h * dk, n)) : 'M_(n, h * n) :=
  hcat (fun a => cols F a *m rows G a).
Definition times (A : 'M[R]_(n, h * n)) (F : 'M[R]_(n, h * dk)) : 'M_(n, h * dk) :=
  hcat (fun a => cols A a *m cols F a).
Definition blockwise (f : 'I_h -> 'M[R]_n -> 'M[R]_n) (A : 'M[R]_(n, h * n)) : 'M_(n, h * n) :=
  hcat (fun a => f a (cols A a)).
(* One head from its own weights. *)
Definition one_head (f : 'M[R]_n -> 'M[R]_n) c (X : 'M[R]_(n, d)) (Q K V : 'M[R]_(d, dk)) : 'M_(n, dk) :=
  f (c *: ((X *m Q) *m (X *m K)^T)) *m (X *m V).

(* Provably: claim=K-PA.2 part=as-stated theorem=block_hadamard quantifiers=all sizes, heads, row maps, weights *)
Theorem block_hadamard (softmax : 'I_h -> 'M[R]_n -> 'M[R]_n) c (X : 'M[R]_(n, d)) (W_Q W_K W_V : 'M_(d, h * dk)) :
  times (blockwise softmax (c *: times_transposed (X *m W_Q) (X *m W_K)^T)) (X *m W_V) =
  hcat (fun a => one_head (softmax a) c X (cols W_Q a) (cols W_K a) (cols W_V a)).
Proof.
apply: eq_hcat => a; rewrite /blockwise cols_hcat cols_scale cols_hcat rows_tr /one_head.
by rewrite !cols_mul.
Qed.
End BlockHadamard.
