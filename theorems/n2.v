(* n2.v - N2: where skips go around the MLPs only, all W_Q^i (or all W_O^i) go at once, as in Theorem 4.4.
 *
 * The basis changes across the attention, which has no skip: W~_O^i = W_O^i Theta_{i+1}, and the MLP reads and writes
 * in Theta_{i+1}. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction.
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
