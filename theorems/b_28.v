(* b_28.v - B-28, symmetric scores and the collapse of a stack are compatible.
 *
 * M_s = B_s B_s' collapses (B-12) to P M_s P' = (P B_s)(P B_s)', P = O_1 .. O_(s-1): again symmetric and positive
 * semidefinite. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import semidefinite.
From Theorems Require Import b_11.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* Provably: claim=B-28 part=as-stated theorem=compatible quantifiers=all real closed fields, sizes, depths, row maps, B, O, X *)
Theorem compatible (F : rcfType) n N (f : nat -> 'M[F]_n -> 'M[F]_n) (B O : nat -> 'M[F]_N) (X : 'M[F]_(n, N)) S :
  let M s := B s *m (B s)^T in let M' s := (values O s *m B s) *m (values O s *m B s)^T in
  stacked (attends f M) O X S = stacked (attends f M') (fun=> 1%:M) X S *m values O S /\ forall s, semidefinite (M' s).
Proof.
move=> M M'; split=> [|s]; last exact: gram_semidefinite.
rewrite collapsed; congr (_ *m _); elim: S => //= S ->; congr (_ *m _ *m _).
by rewrite /attends /M /M' trmx_mul !mulmxA.
Qed.
