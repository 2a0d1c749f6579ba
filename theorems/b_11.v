(* b_11.v - B-11, the recursion of stacked layers, and B-12, single-head stacks with (S + 1) N^2 parameters.
 *
 * The paper (002, Section 3): "When stacking the attention modules, the matrices W_s^VO concatenate to their product".
 * One head, no skip, norm, bias or MLP.  Row s of the tables is layer s + 1 of the paper. *)
From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Stack.
Variables (R : comRingType) (n N : nat).
Implicit Types (A : nat -> 'M[R]_(n, N) -> 'M[R]_n) (f : nat -> 'M[R]_n -> 'M[R]_n) (M O : nat -> 'M[R]_N).

(* Y_s = A_s Y_(s-1) O_s; the weights A_s depend on Y_(s-1) in any way *)
Fixpoint stacked A O (X : 'M[R]_(n, N)) S : 'M_(n, N) :=
  if S is s.+1 then A s (stacked A O X s) *m stacked A O X s *m O s else X.
(* A_S .. A_1 *)
Fixpoint weights A O X S : 'M[R]_n := if S is s.+1 then A s (stacked A O X s) *m weights A O X s else 1%:M.
(* P_S = O_1 .. O_S *)
Fixpoint values O S : 'M[R]_N := if S is s.+1 then values O s *m O s else 1%:M.

(* Y_S = A_S .. A_1 X O_1 .. O_S *)
(* Provably: claim=B-11 part=as-stated theorem=recursion quantifiers=all commutative rings, sizes, depths, weights A that may depend on the input, W_V, W_O, X *)
Theorem recursion A (W_V : nat -> 'M[R]_N) (W_O : nat -> 'M[R]_N) X S : let O s := W_V s *m W_O s in
  stacked A O X S = weights A O X S *m X *m values O S.
Proof. by move=> O; elim: S => [|S IH] /=; rewrite ?mul1mx ?mulmx1 // {2}IH !mulmxA. Qed.

(* attention of scores Z M_s Z' through any row map *)
Definition attends f M s (Z : 'M[R]_(n, N)) : 'M_n := f s (Z *m M s *m Z^T).

(* Stack(M_s, O_s)(X) = Stack(P_(s-1) M_s P_(s-1)', I)(X) P_S *)
(* Provably: claim=B-12 part=corrected theorem=collapsed quantifiers=all commutative rings, sizes, depths, row maps, M, O, X *)
Theorem collapsed f M O X S : let M' s := values O s *m M s *m (values O s)^T in
  stacked (attends f M) O X S = stacked (attends f M') (fun=> 1%:M) X S *m values O S.
Proof.
move=> M'; elim: S => [|S IH] /=; first by rewrite mulmx1.
by rewrite IH /attends /M' mulmx1 trmx_mul !mulmxA.
Qed.
End Stack.

(* The M_s must absorb the values: M, M and O, 1 for M, 1, O .. with M and the product alone it is another function. *)
Lemma needs_new_scores : let f (s : nat) (A : 'M[rat]_1) := A in let M (s : nat) : 'M[rat]_1 := 1%:M in
  let O (s : nat) : 'M[rat]_1 := 2%:R%:M in
  stacked (attends f M) O 1%:M 2 <> stacked (attends f M) (fun=> 1%:M) 1%:M 2 *m values O 2.
Proof.
move=> f M O /matrixP /(_ 0 0) /eqP; rewrite /= /attends /f /M /O !(mulmx1, mul1mx, trmx1).
by rewrite ?tr_scalar_mx -?scalar_mxM !mxE.
Qed.
