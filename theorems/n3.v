(* n3.v - N3: any d independent read columns become unit vectors, and any one invertible W_O becomes the identity.
 *
 * The columns that the stream is read through are those of all W_Q^a, W_K^g, W_V^g and W_up.  Theta is made of d of
 * them; Theta^-1 turns the k-th of them into the unit vector e_k. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads witness witness_numbers.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Columns.
Variables (R : comUnitRingType) (n d h h_kv dk V : nat).
Implicit Types (sh : shape R n d h h_kv dk) (M : model R n d h h_kv dk V) (W : layer R n d h h_kv dk).

(* If column j of a weight A is column k of Theta, it becomes e_k in the basis Theta. *)
Lemma column_becomes_unit q (Theta : 'M[R]_d) (A : 'M_(d, q)) j k : Theta \in unitmx -> col j A = col k Theta ->
  col j (invmx Theta *m A) = delta_mx k 0.
Proof. by move=> u e; rewrite colE -mulmxA -colE e colE mulmxA mulVmx // mul1mx. Qed.

(* Provably: claim=N3 part=as-stated theorem=query_columns quantifiers=all sizes, heads, depths, functions, columns *)
(* Provably: claim=N3 part=as-stated-first-mlp-matrix theorem=query_columns quantifiers=all sizes, heads, depths, columns *)
Theorem query_columns sh M (Theta : 'M[R]_d) : norm sh = None -> head M <> None -> Theta \in unitmx ->
  let g := gauge_layer sh Theta Theta in
  [/\ same_function sh (gauge_model sh (fun=> Theta) M) M, at_ (gauge_model sh (fun=> Theta) M) = map g (at_ M),
      (forall W j k, col j (W_Q W) = col k Theta -> col j (W_Q (g W)) = delta_mx k 0) &
      (forall (F : mlp R d) j k, col j (W_up F) = col k Theta ->
         col j (W_up (rewrite_mlp Theta Theta F)) = delta_mx k 0)].
Proof.
move=> noN untied u g; split=> [T||W j k e|F j k e]; first exact: forward_gauge_one.
- exact: gauge_layers_one.
- by rewrite W_Q_gauge; apply: column_becomes_unit.
exact: column_becomes_unit.
Qed.
End Columns.

Section Output.
Variables (R : comUnitRingType) (n h h_kv dk V : nat).
Notation d := (h * dk)%N.
Implicit Types (sh : shape R n d h h_kv dk) (M : model R n d h h_kv dk V).
(* W_O^j = I by Theta = (W_O^j)^-1 *)
(* Provably: claim=N3 part=as-stated-output-weights theorem=one_output quantifiers=all sizes, heads, depths, functions *)
Theorem one_output sh M before W after :
  norm sh = None -> head M <> None -> at_ M = before ++ W :: after -> W_O W \in unitmx ->
  let M' := gauge_model sh (fun=> invmx (W_O W)) M in
  same_function sh M' M /\
  (exists W' before' after', [/\ at_ M' = before' ++ W' :: after', size before' = size before & W_O W' = 1%:M]).
Proof.
move=> noN untied layers u M'; have ui : invmx (W_O W) \in unitmx by rewrite unitmx_inv.
split=> [T|]; first exact: forward_gauge_one.
exists (gauge_layer sh (invmx (W_O W)) (invmx (W_O W)) W); set g := gauge_layer sh _ _.
exists (map g before), (map g after); rewrite size_map /g gauge_layer_one /= mulmxV //; split=> //.
by rewrite /M' /= gauge_layers_one layers map_cat /= gauge_layer_one.
Qed.
End Output.

(* ---- without a hypothesis ---------------------------------------------------------------------------------------- *)

(* Query columns, models of one number, Theta = W_Q: as in Theorem 4.2. *)
(* Needed: theorem=query_columns hypothesis=no normalization lemma=k_t4_2.needs_no_norm *)
(* Needed: theorem=query_columns hypothesis=untied head lemma=k_t4_2.needs_untied *)
(* Needed: theorem=query_columns hypothesis=Theta in GL(d) lemma=k_t4_2.needs_invertible *)
(* Needed: theorem=query_columns hypothesis=no more than the d columns of Theta lemma=k_t4_2.needs_one_layer *)

(* One output, Theta = W_O^-1: one layer without MLP, skips around MLPs only, W_O = 2. *)
Section Needed.
Notation sh N := (world false true false N).
Notation in_basis N M o := (gauge_model (sh N) (fun=> invmx (num o)) M).
Notation model_of o bias head := (small_model_of head [:: speaking 1 1 o bias 0]).
Notation untied := (Some (num 1)).
Ltac numbers := by_numbers (@id rat) (@id rat) true.

(* A norm: the logit is 4/5 in place of 1/2. *)
(* Needed: theorem=one_output hypothesis=no normalization lemma=output_needs_no_norm *)
Lemma output_needs_no_norm : let N := Some shrunk in let M := model_of 2%:R 0 untied in
  logit (sh N) (in_basis N M 2%:R) = 4%:R / 5%:R /\ logit (sh N) M = 1 / 2%:R.
Proof. by split; numbers. Qed.
(* A tied head: 1/2 in place of 2. *)
(* Needed: theorem=one_output hypothesis=untied head lemma=output_needs_untied *)
Lemma output_needs_untied : let M := model_of 2%:R 0 None in
  logit (sh None) (in_basis None M 2%:R) = 1 / 2%:R /\ logit (sh None) M = 2%:R.
Proof. by split; numbers. Qed.
(* W_O = 0 behind an output bias 1 (Coq writes 0 for its inverse): 0 in place of 1. *)
(* Needed: theorem=one_output hypothesis=W_O in GL(d) lemma=output_needs_invertible *)
(* Needed: theorem=one_output hypothesis=the layers are before, W, after argued=names the layer whose output weight goes *)
Lemma output_needs_invertible : let M := model_of 0 1 untied in
  logit (sh None) (in_basis None M 0) = 0 /\ logit (sh None) M = 1.
Proof. by split; numbers. Qed.
End Needed.
