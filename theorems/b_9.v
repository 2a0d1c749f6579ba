(* b_9.v - B-9, attention without MLPs is linear on equal tokens.
 *
 * A layer is Z -> [Z +] sum_a A_a(Z) Z W_V^a W_O^a, no norm and no bias; its weights A_a(Z) depend on Z in any way, and
 * each row of them sums to 1. *)
From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section EqualTokens.
Variables (R : comRingType) (n N h : nat).
Notation ones := (const_mx 1 : 'cV[R]_n).
Variables (skip : bool) (A : nat -> 'I_h -> 'M[R]_(n, N) -> 'M[R]_n) (VO : nat -> 'I_h -> 'M[R]_N).
Hypothesis sums : forall s a Z, A s a Z *m ones = ones.

Fixpoint outputs (X : 'M[R]_(n, N)) S : 'M_(n, N) :=
  if S is s.+1 then (if skip then outputs X s else 0) + \sum_a A s a (outputs X s) *m outputs X s *m VO s a else X.
(* (I +) W_V W_O of each layer, multiplied; W_V W_O is the sum of W_V^a W_O^a over the heads (B-4) *)
Fixpoint product S : 'M[R]_N := if S is s.+1 then product s *m ((if skip then 1%:M else 0) + \sum_a VO s a) else 1%:M.

(* X = 1 x gives 1 x prod: linear in x *)
Theorem equal_tokens (x : 'rV[R]_N) S : outputs (ones *m x) S = ones *m (x *m product S).
Proof.
elim: S => [|S IH] /=; first by rewrite mulmx1.
rewrite {}IH !mulmxDr; congr (_ + _); first by case: skip; rewrite ?mulmx1 // !mulmx0.
by rewrite !mulmx_sumr; apply: eq_bigr => a _; rewrite !mulmxA sums.
Qed.
End EqualTokens.

(* Provably: claim=B-9 part=corrected theorem=plain quantifiers=all commutative rings, sizes, depths, heads, masks, weights that sum to 1, W_V, W_O, x *)
Corollary plain (R : comRingType) n N h (A : nat -> 'I_h -> 'M[R]_(n, N) -> 'M[R]_n) (VO : nat -> 'I_h -> 'M[R]_N) :
  (forall s a Z, A s a Z *m (const_mx 1 : 'cV_n) = const_mx 1) -> forall (x : 'rV_N) S,
  outputs false A VO (const_mx 1 *m x) S = const_mx 1 *m (x *m product false VO S).
Proof. exact: equal_tokens. Qed.
(* Provably: claim=B-9 part=corrected-skip theorem=with_skips quantifiers=all commutative rings, sizes, depths, heads, masks, weights that sum to 1, W_V, W_O, x *)
Corollary with_skips (R : comRingType) n N h (A : nat -> 'I_h -> 'M[R]_(n, N) -> 'M[R]_n) (VO : nat -> 'I_h -> 'M_N) :
  (forall s a Z, A s a Z *m (const_mx 1 : 'cV_n) = const_mx 1) -> forall (x : 'rV_N) S,
  outputs true A VO (const_mx 1 *m x) S = const_mx 1 *m (x *m product true VO S).
Proof. exact: equal_tokens. Qed.

(* Weights of sum 2, one token and one layer, x = 1, W_V W_O = 1: 2 in place of 1, and 3 in place of 2 with a skip. *)
(* Needed: theorem=plain,with_skips hypothesis=weights that sum to 1 lemma=needs_sums *)
Lemma needs_sums : let num x := x%:M : 'M[rat]_1 in
  let A (s : nat) (a : 'I_1) (Z : 'M[rat]_1) := num 2%:R in let VO (s : nat) (a : 'I_1) := num 1 in
  [/\ outputs false A VO (const_mx 1 *m num 1) 1 = num 2%:R, const_mx 1 *m (num 1 *m product false VO 1) = num 1,
      outputs true A VO (const_mx 1 *m num 1) 1 = num 3%:R & const_mx 1 *m (num 1 *m product true VO 1) = num 2%:R].
Proof.
move=> num A VO; have -> : const_mx 1 = num 1 by apply/matrixP => i j; rewrite !ord1 !mxE.
rewrite /= !big_ord1 /A /VO /num !(mul1mx, mulmx1) add0r -!raddfD /= add0r.
by split=> //; congr (_%:M); apply/eqP; vm_compute.
Qed.
