(* n4.v - N4: under grouped queries W_K and W_V go together, Theta = (W_K | W_V | C), where 2 h_kv d_k <= d. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Together.
Variables (R : comUnitRingType) (n h h_kv dk r V : nat).
Notation kv := (h_kv * dk)%N.
Notation d := (kv + kv + r)%N.
Notation layer := (layer R n d h h_kv dk).
Implicit Types (sh : shape R n d h h_kv dk) (M : model R n d h h_kv dk V) (W : layer).

Definition basis_of W (C : 'M[R]_(d, r)) : 'M[R]_d := row_mx (row_mx (W_K W) (W_V W)) C.
Definition key_first : 'M[R]_(d, kv) := col_mx (col_mx 1%:M 0) 0.
Definition value_second : 'M[R]_(d, kv) := col_mx (col_mx 0 1%:M) 0.

Lemma keys_and_values W C : basis_of W C \in unitmx ->
  invmx (basis_of W C) *m W_K W = key_first /\ invmx (basis_of W C) *m W_V W = value_second.
Proof.
move=> u; have := read_first u; rewrite mul_mx_row.
rewrite [col_mx 1%:M 0](_ : _ = row_mx key_first value_second) => [/eq_row_mx [] //|].
by rewrite /key_first /value_second -block_mxEh block_mxEv -block_mxEh -scalar_mx_block row_mx0.
Qed.

(* one layer, any skips *)
(* Provably: claim=N4 part=as-stated theorem=one_layer quantifiers=all sizes, heads, depths, functions, C *)
(* Provably: claim=N4 part=as-stated-multi-query theorem=one_layer quantifiers=all sizes, heads, depths, functions, C *)
Theorem one_layer sh M before W after C :
  norm sh = None -> head M <> None -> at_ M = before ++ W :: after -> basis_of W C \in unitmx ->
  let M' := gauge_model sh (fun=> basis_of W C) M in
  same_function sh M' M /\
  (exists W' before' after', [/\ at_ M' = before' ++ W' :: after', size before' = size before,
     W_K W' = key_first & W_V W' = value_second]).
Proof.
move=> noN untied layers u M'; split=> [T|]; first exact: forward_gauge_one.
have [k v] := keys_and_values u.
set Theta := basis_of W C in M' u k v *; exists (gauge_layer sh Theta Theta W); set g := gauge_layer sh _ _.
exists (map g before), (map g after); rewrite size_map W_K_gauge W_V_gauge; split=> //.
by rewrite /M' /= gauge_layers_one layers map_cat.
Qed.

(* every layer, skips around attention only: ps are the layers, each with its C *)
(* Provably: claim=N4 part=as-stated-skip theorem=every_layer quantifiers=all sizes, heads, depths, functions, C *)
Theorem every_layer sh M (ps : seq ('M[R]_(d, r) * layer)) :
  norm sh = None -> head M <> None -> skips_around_attention_only sh -> at_ M = unzip2 ps ->
  all (fun p => basis_of p.2 p.1 \in unitmx) ps ->
  let M' := gauge_model sh (nth 1%:M [seq basis_of p.2 p.1 | p <- ps]) M in
  same_function sh M' M /\ all (fun W => (W_K W == key_first) && (W_V W == value_second)) (at_ M').
Proof.
move=> noN untied only layers u M'; split=> [T|].
  apply: forward_gauge => //; last by rewrite attention_only_crosses.
  elim: ps {layers M'} u => [|p ps IH] /= => [_|/andP [up ur]] [|i] //; rewrite ?unitmx1 //; exact: IH.
rewrite /M' /= layers; elim: ps {layers M'} u => //= p ps IH /andP [up ur].
by have [k v] := keys_and_values up; rewrite W_K_gauge W_V_gauge k v !eqxx; apply: IH.
Qed.
End Together.
