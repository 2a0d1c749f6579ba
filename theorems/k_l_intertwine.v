(* k_l_intertwine.v - K-L-intertwine: B(X) = B~(X Theta) Theta'^-1 for a block with a skip around attention only. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Intertwine.
Variables (R : comUnitRingType) (n h h_kv dk : nat).
Notation d := (h * dk)%N.
Variable sh : shape R n d h h_kv dk.
Hypotheses (no_norm : norm sh = None) (only : skips_around_attention_only sh).
Implicit Types (W : layer R n d h h_kv dk) (X : 'M[R]_(n, d)) (Theta : 'M[R]_d).

(* any pair of bases *)
(* Provably: claim=K-L-intertwine part=as-stated-any theorem=any_bases quantifiers=all sizes, heads, functions, X *)
Theorem any_bases W X Theta Theta' : Theta \in unitmx -> Theta' \in unitmx ->
  model_block sh W X = model_block sh (gauge_layer sh Theta Theta' W) (X *m Theta) *m invmx Theta'.
Proof. by move=> u u'; rewrite block_gauge ?mulmxK // attention_only_crosses. Qed.

(* Theta = W_Q: the new query matrix is I *)
(* Provably: claim=K-L-intertwine part=as-stated theorem=query_basis quantifiers=all sizes, heads, functions, X *)
Theorem query_basis W X Theta' : W_Q W \in unitmx -> Theta' \in unitmx ->
  let W' := gauge_layer sh (W_Q W) Theta' W in
  model_block sh W X = model_block sh W' (X *m W_Q W) *m invmx Theta' /\ W_Q W' = 1%:M.
Proof. by move=> u u' W'; split; [exact: any_bases|rewrite W_Q_gauge mulVmx]. Qed.
End Intertwine.
