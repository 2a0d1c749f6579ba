(* k_linear.v - K-linear: with W_Q = I the scores are linear in the learned weights, with both learned quadratic.
 *
 * l(Q, K) = (X Q)(X K)' is one head's scores for a fixed input X; Q and K are that head's columns of W_Q and W_K. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Linear.
Variables (R : comUnitRingType) (n d dk : nat) (X : 'M[R]_(n, d)).
Definition scores (Q K : 'M[R]_(d, dk)) : 'M[R]_n := (X *m Q) *m (X *m K)^T.

(* W_Q = I, or any other fixed query matrix *)
(* Provably: claim=K-linear part=as-stated theorem=linear_in_keys quantifiers=all sizes, X, K, L, numbers *)
Theorem linear_in_keys Q K L c : scores Q (c *: K + L) = c *: scores Q K + scores Q L.
Proof. by rewrite /scores mulmxDr -scalemxAr linearD linearZ /= mulmxDr -scalemxAr. Qed.
(* Provably: claim=K-linear part=as-stated-key theorem=linear_in_queries quantifiers=all sizes, X, Q, L, numbers *)
Theorem linear_in_queries Q K L c : scores (c *: Q + L) K = c *: scores Q K + scores L K.
Proof. by rewrite /scores mulmxDr -scalemxAr mulmxDl -scalemxAl. Qed.

(* l(cW) = c^2 l(W), and l(W + D) - 2 l(W) + l(W - D) = 2 l(D) *)
(* Provably: claim=K-linear part=as-stated-both theorem=quadratic quantifiers=all sizes, X, W, D, numbers *)
Theorem quadratic Q K DQ DK c : scores (c *: Q) (c *: K) = (c * c) *: scores Q K /\
  scores (Q + DQ) (K + DK) - (scores Q K) *+ 2 + scores (Q - DQ) (K - DK) = (scores DQ DK) *+ 2.
Proof.
split; first by rewrite /scores -!scalemxAr linearZ /= -scalemxAl -scalemxAr scalerA.
have linear_r Q' K' L : scores Q' (K' + L) = scores Q' K' + scores Q' L.
  by rewrite /scores mulmxDr linearD mulmxDr.
have linear_l Q' L K' : scores (Q' + L) K' = scores Q' K' + scores L K'.
  by rewrite /scores mulmxDr mulmxDl.
have minus_r Q' L : scores Q' (- L) = - scores Q' L by rewrite /scores mulmxN linearN mulmxN.
have minus_l L K' : scores (- L) K' = - scores L K' by rewrite /scores mulmxN mulNmx.
rewrite !linear_l !linear_r !minus_l !minus_r opprK.
set a := scores Q K; set b := scores Q DK; set e := scores DQ K; set f := scores DQ DK.
rewrite addrAC addrACA (addrACA a) subrr addr0 (addrACA e) subrr add0r.
by rewrite -(mulr2n a) -(mulr2n f) addrAC subrr add0r.
Qed.
End Linear.
