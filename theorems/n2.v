(* n2.v - N2: where skips go around the MLPs only, all W_Q^i (or all W_O^i) go at once, as in Theorem 4.4.
 *
 * The basis changes across the attention, which has no skip: W~_O^i = W_O^i Theta_{i+1}, and the MLP reads and writes
 * in Theta_{i+1}. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction witness witness_numbers.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section MLPSkips.
Variables (R : comUnitRingType) (n h h_kv dk V : nat).
Notation d := (h * dk)%N.
Notation layer := (layer R n d h h_kv dk).
Notation model := (model R n d h h_kv dk V).
Implicit Types (sh : shape R n d h h_kv dk) (M : model) (W : layer).

(* Provably: claim=N2 part=as-stated theorem=all_queries quantifiers=all sizes, heads, depths, functions *)
(* Provably: claim=N2 part=as-stated-tied theorem=all_queries quantifiers=all sizes, heads, depths, functions *)
(* Provably: claim=N2 part=as-stated-all theorem=all_queries quantifiers=all sizes, heads, depths, gates *)
Theorem all_queries sh : norm sh = None -> skips_around_MLPs_only sh -> all_layers_eliminated V sh.
Proof. by move=> noN only; apply: all_layers_hold => //; apply: MLPs_only_crosses. Qed.

(* Theta_{i+1} = (W_O^i)^-1, and I in front of the first layer *)
Definition output_bases M (i : nat) : 'M[R]_d := nth 1%:M (1%:M :: [seq invmx (W_O W) | W <- at_ M]) i.

Lemma W_O_gauge sh A D W : skips_around_MLPs_only sh -> W_O (gauge_layer sh A D W) = W_O W *m D.
Proof. by rewrite /gauge_layer => /and3P [/negPf-> -> /negPf->]. Qed.

Lemma outputs_gone sh first last Ws : skips_around_MLPs_only sh -> all (fun W => W_O W \in unitmx) Ws ->
  all (fun W => W_O W == 1%:M) (gauge_layers sh (nth last (first :: [seq invmx (W_O W) | W <- Ws])) Ws).
Proof.
move=> only; elim: Ws first => //= W r IH first /andP [uW ur].
by rewrite W_O_gauge //= mulmxV // eqxx; apply: (IH (invmx (W_O W))).
Qed.

(* Provably: claim=N2 part=as-stated-output-weights theorem=all_outputs quantifiers=all sizes, heads, depths, functions *)
Theorem all_outputs sh M : norm sh = None -> skips_around_MLPs_only sh -> head M <> None ->
  all (fun W => W_O W \in unitmx) (at_ M) ->
  let M' := gauge_model sh (output_bases M) M in
  same_function sh M' M /\ all (fun W => W_O W == 1%:M) (at_ M').
Proof.
move=> noN only untied u M'; split=> [T|].
  apply: forward_gauge => //; last by rewrite MLPs_only_crosses.
  rewrite /output_bases => -[|i] /=; first exact: unitmx1.
  by elim: (at_ M) i u => [|W r IH] [|i] //= => [_|_|/andP []|/andP [_ /IH]] //; rewrite ?unitmx1 ?unitmx_inv.
exact: outputs_gone.
Qed.
End MLPSkips.

(* ---- without a hypothesis: models of one number, one layer without MLP, W_V = 1 ---------------------------------- *)

Section Needed.
Notation model_of q o bias head := (small_model_of head [:: speaking q 1 o bias 0]).
Notation untied := (Some (num 1)).
Ltac numbers := by_numbers (@id rat) (@id rat) true.

(* -- all queries: W_Q = 2 *)
Notation without_queries sh M := (gauge_model sh (query_bases 1%:M M) M).
(* A norm: the logit is 1/4 in place of 1/3. *)
(* Needed: theorem=all_queries hypothesis=no normalization lemma=queries_need_no_norm *)
Lemma queries_need_no_norm : let sh := world false true false (Some shrunk) in let M := model_of 2%:R 1 0 untied in
  logit sh (without_queries sh M) = 1 / 4%:R /\ logit sh M = 1 / 3%:R.
Proof. by split; numbers. Qed.
(* A skip around the attention as well: 4 in place of 2. *)
(* Needed: theorem=all_queries hypothesis=no skip around the attention lemma=queries_need_no_attention_skip *)
(* Needed: theorem=all_queries hypothesis=a skip around the MLP argued=names the case: nothing goes wrong without it, all_layers_hold (reduction.v) does not ask for it *)
Lemma queries_need_no_attention_skip : let sh := world true true false None in let M := model_of 2%:R 1 0 untied in
  logit sh (without_queries sh M) = 4%:R /\ logit sh M = 2%:R.
Proof. by split; numbers. Qed.
(* W_Q = 0 has no inverse (Coq writes 0 for it): 0 in place of 1. *)
(* Needed: theorem=all_queries hypothesis=every W_Q in GL(d) lemma=queries_need_invertible *)
Lemma queries_need_invertible : let sh := world false true false None in let M := model_of 0 1 0 untied in
  logit sh (without_queries sh M) = 0 /\ logit sh M = 1.
Proof. by split; numbers. Qed.

(* -- all outputs: W_O = 2 *)
Notation without_outputs sh M := (gauge_model sh (output_bases M) M).
(* A norm: 2/3 in place of 1/2. *)
(* Needed: theorem=all_outputs hypothesis=no normalization lemma=outputs_need_no_norm *)
Lemma outputs_need_no_norm : let sh := world false true false (Some shrunk) in let M := model_of 1 2%:R 0 untied in
  logit sh (without_outputs sh M) = 2%:R / 3%:R /\ logit sh M = 1 / 2%:R.
Proof. by split; numbers. Qed.
(* A skip around the attention as well: 6 in place of 3. *)
(* Needed: theorem=all_outputs hypothesis=no skip around the attention lemma=outputs_need_no_attention_skip *)
Lemma outputs_need_no_attention_skip : let sh := world true true false None in let M := model_of 1 2%:R 0 untied in
  logit sh (without_outputs sh M) = 6%:R /\ logit sh M = 3%:R.
Proof. by split; numbers. Qed.
(* A tied head: 1 in place of 2. *)
(* Needed: theorem=all_outputs hypothesis=untied head lemma=outputs_need_untied *)
Lemma outputs_need_untied : let sh := world false true false None in let M := model_of 1 2%:R 0 None in
  logit sh (without_outputs sh M) = 1 /\ logit sh M = 2%:R.
Proof. by split; numbers. Qed.
(* W_O = 0 behind an output bias 1: 0 in place of 1. *)
(* Needed: theorem=all_outputs hypothesis=every W_O in GL(d) lemma=outputs_need_invertible *)
Lemma outputs_need_invertible : let sh := world false true false None in let M := model_of 1 0 1 untied in
  logit sh (without_outputs sh M) = 0 /\ logit sh M = 1.
Proof. by split; numbers. Qed.
End Needed.
