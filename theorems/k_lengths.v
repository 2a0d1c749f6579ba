(* k_lengths.v - K-T4.2, K-T4.3, K-T4.4, K-R1, K-P4.1 and N2 at all lengths: one set of weights for all n <= T.
 *
 * The paper (001, Theorem 4.1): there exist modified weights "such that for all token sequences of permissible length"
 * the logits are equal.  The claims' own files (k_t4_2.v, ..) take n tokens and give weights for that n.  Here M n is
 * one model at n tokens, for each n <= T (lengths.v), and so is the reduced model M' n: its weights are the same at all
 * n, and the function stays at each.  Masks, rotations, row maps and norms of queries and keys may differ with n. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction lengths heads.
From Theorems Require Import k_p4_1.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section OneBasis.
Variables (R : comUnitRingType) (h h_kv dk d V T : nat).
Variables (sh : forall n, shape R n d h h_kv dk) (M : forall n, model R n d h h_kv dk V) (Theta : 'M[R]_d).

(* One basis everywhere: any matrix `f` that a layer reads the stream through becomes Theta^-1 f. *)
Lemma one_basis (X : Type) (f : forall n, layer R n d h h_kv dk -> X) (g : X -> X) before W after :
  (forall n sh A D (W : layer R n d h h_kv dk), A = Theta -> f n (gauge_layer sh A D W) = g (f n W)) ->
  (forall n n' W (W' : layer R n' d h h_kv dk), weights W = weights W' -> f n W = f n' W') ->
  one_set_of_weights T M -> (forall n, (n <= T)%N -> norm (sh n) = None) -> head (M T) <> None ->
  at_ (M T) = before ++ W :: after -> Theta \in unitmx ->
  let M' n := gauge_model (sh n) (fun=> Theta) (M n) in
  one_set_of_weights T M' /\ forall n, (n <= T)%N -> same_function (sh n) (M' n) (M n) /\
    exists before' W' after',
      [/\ at_ (M' n) = before' ++ W' :: after', size before' = size before & f n W' = g (f T W)].
Proof.
move=> reads same one noN untied layers u M'; split=> [|n le].
  by apply: gauge_one_set => // n le; right.
have [_ _ eH _ eW] := one n le; split=> [X0|].
  by apply: forward_gauge_one; rewrite ?eH //; apply: noN.
rewrite layers in eW; have [b [W1 [a [e sb eW1]]]] := layer_at eW.
exists (map (gauge_layer (sh n) Theta Theta) b), (gauge_layer (sh n) Theta Theta W1).
exists (map (gauge_layer (sh n) Theta Theta) a); rewrite size_map reads // (same _ _ _ _ eW1).
by split=> //; rewrite /M' /= gauge_layers_one e map_cat.
Qed.
End OneBasis.

Section Lengths.
Variables (R : comUnitRingType) (h h_kv dk V T : nat).
Notation d := (h * dk)%N.
Variables (sh : forall n, shape R n d h h_kv dk) (M : forall n, model R n d h h_kv dk V).
Hypotheses (one : one_set_of_weights T M) (no_norm : forall n, (n <= T)%N -> norm (sh n) = None).

(* Provably: claim=K-T4.2 part=as-stated theorem=all_lengths_one_layer quantifiers=all sizes, heads, depths, functions; one set of weights for all lengths up to T *)
Theorem all_lengths_one_layer before W after :
  head (M T) <> None -> at_ (M T) = before ++ W :: after -> W_Q W \in unitmx ->
  let M' n := gauge_model (sh n) (fun=> W_Q W) (M n) in
  one_set_of_weights T M' /\ forall n, (n <= T)%N -> same_function (sh n) (M' n) (M n) /\
    exists before' W' after', [/\ at_ (M' n) = before' ++ W' :: after', size before' = size before & W_Q W' = 1%:M].
Proof.
move=> untied layers u; rewrite -(mulVmx u).
by apply: (one_basis (f := fun n => @W_Q _ n _ _ _ _) (g := mulmx (invmx (W_Q W)))) layers u => //
  [n s A D W' ->|n n' W1 W2 /(congr1 (fun W => W_Q W))//]; rewrite W_Q_gauge.
Qed.

(* L times the layer W; L times the layer W' at all lengths (its functions of n tokens are those of M n) *)
(* Provably: claim=K-T4.3 part=as-stated theorem=all_lengths_shared_block quantifiers=all sizes, heads, depths, functions; one set of weights for all lengths up to T *)
Theorem all_lengths_shared_block L W : head (M T) <> None -> at_ (M T) = nseq L W -> W_Q W \in unitmx ->
  let M' n := gauge_model (sh n) (fun=> W_Q W) (M n) in
  [/\ one_set_of_weights T M', forall n, (n <= T)%N -> same_function (sh n) (M' n) (M n) &
      exists2 W', W_Q W' = 1%:M & forall n, (n <= T)%N -> [seq weights W | W <- at_ (M' n)] = nseq L W'].
Proof.
move=> untied layers u M'; split=> [|n le X|].
- by apply: gauge_one_set => // n le; right.
- by have [_ _ eH _ _] := one le; apply: forward_gauge_one; rewrite ?eH //; apply: no_norm.
exists (rewrite_layer (W_Q W) (W_Q W) (W_Q W) (W_Q W) (weights W)) => [|n le]; first exact: mulVmx.
have [_ _ _ _] := one le; rewrite layers map_nseq /= gauge_layers_one -map_comp => e.
rewrite -map_nseq -e -map_comp; apply: eq_map => W1 /=.
by rewrite gauge_layer_one weights_rewrite.
Qed.

(* Theta_i = W_Q^i, all layers at once; a tied head stays tied. *)
Definition last_basis n : 'M[R]_d := if head (M n) is Some _ then 1%:M else invmx (query_bases 1%:M (M n) 0)^T.
Lemma every_layer : (forall n, (n <= T)%N -> crosses (sh n) = false /\ same_switches (sh n) (sh T)) ->
  all (fun W => W_Q W \in unitmx) (at_ (M T)) ->
  let M' n := gauge_model (sh n) (query_bases (last_basis n) (M n)) (M n) in
  one_set_of_weights T M' /\ forall n, (n <= T)%N ->
    [/\ same_function (sh n) (M' n) (M n), all (fun W => W_Q W == 1%:M) (at_ (M' n)) & head (M' n) = head (M n)].
Proof.
move=> skips u M'; pose WQ n (W : layer R n d h h_kv dk) := W_Q W.
have queries n (le : (n <= T)%N) : [seq W_Q W | W <- at_ (M n)] = [seq W_Q W | W <- at_ (M T)].
  by have [_ _ _ _ eW] := one le; apply: (@same_layers_at R d h h_kv dk _ WQ (WQ 0%N) n T _ _ _ eW).
split=> [|n le]; last first.
  apply: all_layers_hold; [exact: no_norm|by have [] := skips n le|].
  by rewrite -(all_map (fun W => W_Q W) (fun Q => Q \in unitmx)) queries // all_map.
apply: gauge_one_set => // n le; first by left; have [_] := skips n le.
by have [_ _ eH _ _] := one le; move=> i; rewrite /query_bases /last_basis eH /query_bases !queries.
Qed.

(* Provably: claim=K-T4.4 part=as-stated theorem=all_lengths_all_layers quantifiers=all sizes, heads, depths, functions; one set of weights for all lengths up to T *)
(* Provably: claim=K-T4.4 part=as-stated-tied theorem=all_lengths_all_layers quantifiers=all sizes, heads, depths, functions; one set of weights for all lengths up to T *)
Theorem all_lengths_all_layers : (forall n, (n <= T)%N -> skips_around_attention_only (sh n)) ->
  all (fun W => W_Q W \in unitmx) (at_ (M T)) ->
  let M' n := gauge_model (sh n) (query_bases (last_basis n) (M n)) (M n) in
  one_set_of_weights T M' /\ forall n, (n <= T)%N ->
    [/\ same_function (sh n) (M' n) (M n), all (fun W => W_Q W == 1%:M) (at_ (M' n)) & head (M' n) = head (M n)].
Proof.
move=> only; apply: every_layer => n le; split; first exact/attention_only_crosses/only.
have /and3P [a m p] := only n le; have /and3P [a' m' p'] := only T (leqnn T).
by split; [rewrite a a'|rewrite (negPf m) (negPf m')|rewrite (negPf p) (negPf p')].
Qed.

(* Provably: claim=N2 part=as-stated theorem=all_lengths_all_queries quantifiers=all sizes, heads, depths, functions; one set of weights for all lengths up to T *)
Theorem all_lengths_all_queries : (forall n, (n <= T)%N -> skips_around_MLPs_only (sh n)) ->
  all (fun W => W_Q W \in unitmx) (at_ (M T)) ->
  let M' n := gauge_model (sh n) (query_bases (last_basis n) (M n)) (M n) in
  one_set_of_weights T M' /\ forall n, (n <= T)%N ->
    [/\ same_function (sh n) (M' n) (M n), all (fun W => W_Q W == 1%:M) (at_ (M' n)) & head (M' n) = head (M n)].
Proof.
move=> only; apply: every_layer => n le; split; first exact/MLPs_only_crosses/only.
have /and3P [a m p] := only n le; have /and3P [a' m' p'] := only T (leqnn T).
by split; [rewrite (negPf a) (negPf a')|rewrite m m'|rewrite (negPf p) (negPf p')].
Qed.
End Lengths.

(* ---- keys or values in place of queries: d = h_kv dk ------------------------------------------------------------- *)

Section KeyOrValue.
Variables (R : comUnitRingType) (h h_kv dk V T : nat).
Notation d := (h_kv * dk)%N.
Variables (sh : forall n, shape R n d h h_kv dk) (M : forall n, model R n d h h_kv dk V).
Hypotheses (one : one_set_of_weights T M) (no_norm : forall n, (n <= T)%N -> norm (sh n) = None).

(* Provably: claim=K-R1 part=as-stated theorem=all_lengths_one_key quantifiers=all sizes, heads, depths, functions; one set of weights for all lengths up to T *)
Theorem all_lengths_one_key before W after :
  head (M T) <> None -> at_ (M T) = before ++ W :: after -> W_K W \in unitmx ->
  let M' n := gauge_model (sh n) (fun=> W_K W) (M n) in
  one_set_of_weights T M' /\ forall n, (n <= T)%N -> same_function (sh n) (M' n) (M n) /\
    exists before' W' after', [/\ at_ (M' n) = before' ++ W' :: after', size before' = size before & W_K W' = 1%:M].
Proof.
move=> untied layers u; rewrite -(mulVmx u).
by apply: (one_basis (f := fun n => @W_K _ n _ _ _ _) (g := mulmx (invmx (W_K W)))) layers u => //
  [n s A D W' ->|n n' W1 W2 /(congr1 (fun W => W_K W))//]; rewrite W_K_gauge.
Qed.
(* Provably: claim=K-R1 part=as-stated-value-basis theorem=all_lengths_one_value quantifiers=all sizes, heads, depths, functions; one set of weights for all lengths up to T *)
Theorem all_lengths_one_value before W after :
  head (M T) <> None -> at_ (M T) = before ++ W :: after -> W_V W \in unitmx ->
  let M' n := gauge_model (sh n) (fun=> W_V W) (M n) in
  one_set_of_weights T M' /\ forall n, (n <= T)%N -> same_function (sh n) (M' n) (M n) /\
    exists before' W' after', [/\ at_ (M' n) = before' ++ W' :: after', size before' = size before & W_V W' = 1%:M].
Proof.
move=> untied layers u; rewrite -(mulVmx u).
by apply: (one_basis (f := fun n => @W_V _ n _ _ _ _) (g := mulmx (invmx (W_V W)))) layers u => //
  [n s A D W' ->|n n' W1 W2 /(congr1 (fun W => W_V W))//]; rewrite W_V_gauge.
Qed.
End KeyOrValue.

(* ---- one head, two weights a layer, whatever the norms, skips and head ------------------------------------------- *)

Section OneHead.
Variables (R : comUnitRingType) (dk V T : nat).
Notation d := (1 * dk)%N.
Variables (sh : forall n, shape R n d 1 1 dk) (M : forall n, model R n d 1 1 dk V).

(* Provably: claim=K-P4.1 part=as-stated-none theorem=all_lengths_models quantifiers=all sizes, depths, functions; one set of weights for all lengths up to T *)
(* Provably: claim=K-P4.1 part=as-stated-all theorem=all_lengths_models quantifiers=all sizes, depths, norms, skips, heads; one set of weights for all lengths up to T *)
Theorem all_lengths_models : one_set_of_weights T M -> (forall n, (n <= T)%N -> forall t, rotation (sh n) t = 1%:M) ->
  (forall n, (n <= T)%N -> forall W, List.In W (at_ (M n)) -> plain W /\ no_qk_norm W) ->
  let M' n := with_layers (M n) [seq four_to_two W | W <- at_ (M n)] in
  one_set_of_weights T M' /\ forall n, (n <= T)%N ->
    same_function (sh n) (M' n) (M n) /\ forall W, List.In W (at_ (M' n)) -> W_Q W = 1%:M /\ W_O W = 1%:M.
Proof.
move=> one rope ok M'; split=> n le; last exact: models (rope n le) (ok n le).
have [eE eP eH eg eW] := one n le; split=> //=; rewrite -!map_comp.
rewrite (eq_map (_ : @weights _ _ _ _ _ n \o @four_to_two _ n _ =1 @four_to_two _ 0 _ \o @weights _ _ _ _ _ n)) //.
by rewrite map_comp eW -map_comp; apply: eq_map.
Qed.
End OneHead.

(* ---- without a hypothesis: what goes wrong at one length, by the files of these claims --------------------------- *)

(* Needed: theorem=all_lengths_one_layer,all_lengths_shared_block,all_lengths_all_layers hypothesis=one set of weights argued=says what the family is: one model, read at each length *)
(* Needed: theorem=all_lengths_all_queries,all_lengths_one_key,all_lengths_one_value,all_lengths_models hypothesis=one set of weights argued=says what the family is: one model, read at each length *)
(* Needed: theorem=all_lengths_one_layer hypothesis=no normalization lemma=k_t4_2.needs_no_norm *)
(* Needed: theorem=all_lengths_one_layer hypothesis=untied head lemma=k_t4_2.needs_untied *)
(* Needed: theorem=all_lengths_one_layer hypothesis=W_Q in GL(d) lemma=k_t4_2.needs_invertible *)
(* Needed: theorem=all_lengths_one_layer hypothesis=W is a layer of the model lemma=k_t4_2.needs_own_layer *)
(* Needed: theorem=all_lengths_shared_block hypothesis=no normalization lemma=k_t4_3.needs_no_norm *)
(* Needed: theorem=all_lengths_shared_block hypothesis=untied head lemma=k_t4_3.needs_untied *)
(* Needed: theorem=all_lengths_shared_block hypothesis=W_Q in GL(d) lemma=k_t4_3.needs_invertible *)
(* Needed: theorem=all_lengths_shared_block hypothesis=all layers share one block lemma=k_t4_3.needs_shared_block *)
(* Needed: theorem=all_lengths_all_layers hypothesis=no normalization lemma=k_t4_4.needs_no_norm *)
(* Needed: theorem=all_lengths_all_layers hypothesis=skips around attention only lemma=k_t4_4.needs_no_MLP_skip *)
(* Needed: theorem=all_lengths_all_layers hypothesis=W_Q in GL(d) lemma=k_t4_4.needs_invertible *)
(* Needed: theorem=all_lengths_all_queries hypothesis=no normalization lemma=n2.queries_need_no_norm *)
(* Needed: theorem=all_lengths_all_queries hypothesis=skips around the MLPs only lemma=n2.queries_need_no_attention_skip *)
(* Needed: theorem=all_lengths_all_queries hypothesis=every W_Q in GL(d) lemma=n2.queries_need_invertible *)
(* Needed: theorem=all_lengths_one_key,all_lengths_one_value hypothesis=no normalization lemma=k_r1.needs_no_norm *)
(* Needed: theorem=all_lengths_one_key,all_lengths_one_value hypothesis=untied head lemma=k_r1.needs_untied *)
(* Needed: theorem=all_lengths_one_key,all_lengths_one_value hypothesis=W_K or W_V in GL(d) lemma=k_r1.needs_invertible *)
(* Needed: theorem=all_lengths_one_key,all_lengths_one_value hypothesis=W is a layer of the model lemma=k_r1.needs_own_layer *)
(* Needed: theorem=all_lengths_models hypothesis=no RoPE lemma=k_p4_1.needs_no_rope *)
(* Needed: theorem=all_lengths_models hypothesis=no biases of queries and keys lemma=k_p4_1.needs_no_query_bias *)
(* Needed: theorem=all_lengths_models hypothesis=no biases of values lemma=k_p4_1.needs_no_value_bias *)
(* Needed: theorem=all_lengths_models hypothesis=no norms of queries and keys lemma=k_p4_1.needs_no_query_norm *)
