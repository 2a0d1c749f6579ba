(* n1.v - N1, block-diagonal invariance of values and outputs: W_V D, D^-1 W_O, D = diag(D_1, .., D_h), b_V D.
 *
 * Nothing else is asked: any norms, skips, rotations, norms of queries and keys, gates, experts, tied or not.  Grouped
 * heads have one D_g for each value head. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads witness witness_numbers.
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

(* One number, W_V = W_O = 1; D = 0 has no inverse (Coq writes 0 for it): the logit is 0 in place of 1. *)
(* Needed: theorem=models hypothesis=every D_a in GL(d_k) lemma=needs_invertible *)
(* Needed: theorem=models hypothesis=the layers are those of ps argued=ps is only the layers, each with its D *)
Lemma needs_invertible : let sh := world false true false None in let W := speaking 1 1 1 0 0 in
  let M := small_model_of (Some (num 1)) [:: W] in
  logit sh (with_layers M [:: turn_value_output sh (fun=> 0) W]) = 0 /\ logit sh M = 1.
Proof. by split; by_numbers (@id rat) (@id rat) true. Qed.
