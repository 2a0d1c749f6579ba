(* typed_networks.v - a certificate of kind `relu-eq`, `relu-neq` or `no-j` as an ordinary theorem about matrices
   'M_(m, n) of the numbers that it shows, written out: tests/formal_typed_networks.awk writes it.  What a reader has
   to know besides MathComp: relu y is the larger one of y and 0 (relu.v), whole_matrix and rational_matrix
   (typed_formulas.v).                                                                                             *)
From Coq Require Import String NArith ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import text sym sym_sound numbers relu formulas networks networks_text typed_formulas.
From mathcomp Require Import matrix.                      (* its `row`, not that of text.v *)
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* network_holds in MathComp's words alone: J is the set of the neurons that it is true of *)
Definition network_says (c : nat * nat * network_claim) : Prop :=
  let: (h, k, c) := c in
  match c with
  | Same f g => forall (F : realFieldType) (x : 'cV[F]_h),
      mx F k (neurons f) (W2 f) *m map_mx (@relu F) (mx F (neurons f) h (W1 f) *m x) + mx F k h (Z f) *m x =
      mx F k (neurons g) (W2 g) *m map_mx (@relu F) (mx F (neurons g) h (W1 g) *m x) + mx F k h (Z g) *m x
  | DifferAt f g x => forall F : realFieldType, let x := mx F h 1 x in
      mx F k (neurons f) (W2 f) *m map_mx (@relu F) (mx F (neurons f) h (W1 f) *m x) + mx F k h (Z f) *m x <>
      mx F k (neurons g) (W2 g) *m map_mx (@relu F) (mx F (neurons g) h (W1 g) *m x) + mx F k h (Z g) *m x
  | NoJ f _ => forall (F : numFieldType) (J : pred 'I_(neurons f)),
      \sum_(j | J j) col j (mx F k (neurons f) (W2 f)) *m row j (mx F (neurons f) h (W1 f)) + mx F k h (Z f) <> 0
  end.
Theorem typed_network text c : accepts_network text -> parse_network text = Some c -> network_says c.
Proof.
move=> /golden_network [h [k [c' [-> holds]]]] [<-] {c}; case: c' holds => [f g|f g x|f y] holds //= F.
  exact/eqP/holds.
by move=> J; apply/eqP/holds.
Qed.
