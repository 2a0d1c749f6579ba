(* k_x_tied.v - K-X-tied: models whose head is E'. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Tied.
Variables (R : comUnitRingType) (n h h_kv dk V : nat).
Notation d := (h * dk)%N.
Implicit Types (sh : shape R n d h h_kv dk) (M : model R n d h h_kv dk V) (T : 'M[R]_(n, V)).

(* Theorem 4.4: W_Q = I in all layers, and the head is still the embedding, transposed. *)
(* Provably: claim=K-X-tied part=as-stated theorem=tied_4_4 quantifiers=all sizes, heads, depths, functions *)
(* Provably: claim=K-X-tied part=as-stated-all theorem=tied_4_4 quantifiers=all sizes, heads, depths, biases, gates *)
Theorem tied_4_4 sh M : norm sh = None -> skips_around_attention_only sh -> head M = None ->
  all (fun W => W_Q W \in unitmx) (at_ M) ->
  let M' := gauge_model sh (query_bases (invmx (query_bases 1%:M M 0)^T) M) M in
  [/\ same_function sh M' M, all (fun W => W_Q W == 1%:M) (at_ M') & head M' = None].
Proof.
move=> noN only tied u; have := all_layers_hold noN (attention_only_crosses only) u.
by rewrite tied.
Qed.

(* The model with the head E' of its own: the same function. *)
Definition untied M : model R n d h h_kv dk V := Model (E M) (P M) (Some (E M)^T) (gain_f M) (bias_f M) (at_ M).
Lemma untied_same sh M T : head M = None -> model_forward sh (untied M) T = model_forward sh M T.
Proof. by rewrite /model_forward /model_head /= => ->. Qed.

(* Theorem 4.2: exact with a head of its own, Theta^-1 E'. *)
(* Provably: claim=K-X-tied part=as-stated-theorem-4.2 theorem=tied_4_2 quantifiers=all sizes, heads, depths, functions *)
Theorem tied_4_2 sh M before W after : norm sh = None -> head M = None -> at_ M = before ++ W :: after ->
  W_Q W \in unitmx ->
  let M' := gauge_model sh (fun=> W_Q W) (untied M) in
  [/\ same_function sh M' M, head M' = Some (invmx (W_Q W) *m (E M)^T) &
      exists W' before' after', [/\ at_ M' = before' ++ W' :: after', size before' = size before & W_Q W' = 1%:M]].
Proof.
move=> noN tied layers u.
have own : head (untied M) <> None by [].
have [same gone] := @one_layer_holds _ _ _ _ _ V _ noN (untied M) before W after own layers u.
by split=> // T; rewrite same untied_same.
Qed.

(* Theorem 4.3, likewise. *)
(* Provably: claim=K-X-tied part=as-stated-theorem-4.3 theorem=tied_4_3 quantifiers=all sizes, heads, depths, functions *)
Theorem tied_4_3 sh M L W : norm sh = None -> head M = None -> at_ M = nseq L W -> W_Q W \in unitmx ->
  let M' := gauge_model sh (fun=> W_Q W) (untied M) in
  [/\ same_function sh M' M, head M' = Some (invmx (W_Q W) *m (E M)^T) &
      exists W', at_ M' = nseq L W' /\ W_Q W' = 1%:M].
Proof.
move=> noN tied layers u.
have own : head (untied M) <> None by [].
have [same gone] := @shared_block_holds _ _ _ _ _ V _ noN (untied M) L W own layers u.
by split=> // T; rewrite same untied_same.
Qed.

(* Theorem 4.2 keeps the head tied where W_Q^j is orthogonal. *)
(* Provably: claim=K-X-tied part=as-stated-orthogonal theorem=tied_orthogonal quantifiers=all sizes, heads, depths *)
Theorem tied_orthogonal sh M before W after : norm sh = None -> head M = None -> at_ M = before ++ W :: after ->
  W_Q W *m (W_Q W)^T = 1%:M ->
  let M' := gauge_model sh (fun=> W_Q W) M in
  [/\ same_function sh M' M, head M' = None &
      exists W' before' after', [/\ at_ M' = before' ++ W' :: after', size before' = size before & W_Q W' = 1%:M]].
Proof.
move=> noN tied layers orth M'; have [_ u] := invmx_eq orth; split; last first.
- exists (gauge_layer sh (W_Q W) (W_Q W) W); set g := gauge_layer sh _ _.
  exists (map g before), (map g after); rewrite size_map W_Q_gauge mulVmx //; split=> //.
  by rewrite /M' /= gauge_layers_one layers map_cat.
- by rewrite /M' /= tied.
by move=> T; apply: forward_gauge.
Qed.
End Tied.

(* Needed: theorem=tied_4_4 hypothesis=no normalization lemma=k_x_needed.tied_needs_no_norm_4_4 *)
(* Needed: theorem=tied_4_4 hypothesis=skips around attention only lemma=k_x_needed.tied_needs_no_MLP_skip_4_4 *)
(* Needed: theorem=tied_4_4 hypothesis=tied head argued=selects the case: with a head of its own the last basis is I, k_t4_4.as_stated *)
(* Needed: theorem=tied_4_4 hypothesis=each W_Q in GL(d) lemma=k_x_needed.tied_needs_invertible_4_4 *)
(* Needed: theorem=tied_4_2 hypothesis=no normalization lemma=k_x_needed.tied_needs_no_norm_4_2 *)
(* Needed: theorem=tied_4_2 hypothesis=tied head argued=selects the case: a model with a head of its own needs no other, k_t4_2.one_layer *)
(* Needed: theorem=tied_4_2 hypothesis=layers before, W and after argued=names the layer W that gives the basis, and those before and behind it *)
(* Needed: theorem=tied_4_2 hypothesis=W_Q in GL(d) lemma=k_x_needed.tied_needs_invertible_4_2 *)
(* Needed: theorem=tied_4_3 hypothesis=no normalization lemma=k_x_needed.tied_needs_no_norm_4_3 *)
(* Needed: theorem=tied_4_3 hypothesis=tied head argued=selects the case: a model with a head of its own needs no other, k_t4_3.shared_block *)
(* Needed: theorem=tied_4_3 hypothesis=one block for all layers lemma=k_t4_3.needs_shared_block *)
(* Needed: theorem=tied_4_3 hypothesis=W_Q in GL(d) lemma=k_x_needed.tied_needs_invertible_4_3 *)
(* Needed: theorem=tied_orthogonal hypothesis=no normalization lemma=k_x_needed.tied_needs_no_norm_orthogonal *)
(* Needed: theorem=tied_orthogonal hypothesis=tied head argued=selects the case: with a head of its own any W_Q in GL(d) will do, k_t4_2.one_layer *)
(* Needed: theorem=tied_orthogonal hypothesis=layers before, W and after argued=names the layer W that gives the basis, and those before and behind it *)
(* Needed: theorem=tied_orthogonal hypothesis=orthogonal W_Q lemma=k_x_needed.tied_needs_orthogonal *)
