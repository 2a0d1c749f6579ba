(* n3.v - N3: any d independent read columns become unit vectors, and any one invertible W_O becomes the identity.
 *
 * The columns that the stream is read through are those of all W_Q^a, W_K^g, W_V^g and W_up.  Theta is made of d of
 * them; Theta^-1 turns the k-th of them into the unit vector e_k. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads.
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
