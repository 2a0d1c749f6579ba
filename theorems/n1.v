(* n1.v - N1, block-diagonal invariance of values and outputs: W_V D, D^-1 W_O, D = diag(D_1, .., D_h), b_V D.
 *
 * Nothing else is asked: any norms, skips, rotations, norms of queries and keys, gates, experts, tied or not.  Grouped
 * heads have one D_g for each value head. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section N1.
Variables (R : comUnitRingType) (n d h h_kv dk V : nat).
Notation layer := (layer R n d h h_kv dk).
Implicit Types (sh : shape R n d h h_kv dk) (M : model R n d h h_kv dk V).

(* ps are the layers, each with its D *)
(* Provably: claim=N1 part=as-stated theorem=models quantifiers=all sizes, heads, depths, functions, D *)
(* Provably: claim=N1 part=as-stated-all theorem=models quantifiers=all sizes, heads, depths, norms, biases, D *)
(* Provably: claim=N1 part=as-stated-rope theorem=models quantifiers=all sizes, heads, depths, rotations, norms, D *)
(* Provably: claim=N1 part=as-stated-grouped-queries theorem=models quantifiers=all sizes, heads, groups, depths, functions, D *)
Theorem models sh M (ps : seq (('I_h_kv -> 'M[R]_dk) * layer)) : at_ M = unzip2 ps ->
  (forall i D W, List.nth_error ps i = Some (D, W) -> forall g, D g \in unitmx) ->
  same_function sh (with_layers M [seq turn_value_output sh p.1 p.2 | p <- ps]) M.
Proof.
move=> layers ok; apply: same_layers layers _ => i [D W] /ok uD X; apply: block_with_attention => {}X.
exact: turn_value_output_attention.
Qed.
End N1.

(* D = 0 has no inverse (Coq writes 0 for it): the product W_V D D^-1 W_O is 0 in place of W_V W_O. *)
Lemma needs_invertible (R : comUnitRingType) dk (W_V W_O : 'M[R]_dk) : W_V *m 0 *m (invmx 0 *m W_O) = 0.
Proof. by rewrite mulmx0 mul0mx. Qed.
