(* n4.v - N4: under grouped queries W_K and W_V go together, Theta = (W_K | W_V | C), where 2 h_kv d_k <= d. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads witness witness_numbers witness_quiet.
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
(* Provably: claim=N4 part=as-stated-multi-query theorem=every_layer quantifiers=all sizes, heads, depths, functions, C; h_kv = 1 *)
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

(* ---- without a hypothesis: two query heads of width 1, one key-value head, d = 2, (W_K | W_V) = 2 I, E = (1, 1) -- *)

Section Needed.
Notation d := (1 * 1 + 1 * 1 + 0)%N.
Notation of_number x := (x%:M : 'M[rat]_d).
Definition shape_of (mlp_skip : bool) N : shape rational 1 d 2 1 1 :=
  Shape true mlp_skip false N (fun _ _ => true) 1 (fun=> ord0) (fun=> 1%:M).
(* (W_K | W_V | C) = x I *)
Definition layer_of (mlps : nat) x : layer rational 1 d 2 1 1 :=
  still 1 mlps 0 (lsubmx (lsubmx (of_number x))) (rsubmx (lsubmx (of_number x))).
Definition model_of (H : option 'M[rat]_(d, 1)) mlps x : model rational 1 d 2 1 1 1 :=
  Model (const_mx 1) 0 H 1%:M 0 [:: layer_of mlps x].
Notation untied := (Some (const_mx 1)).
Definition C_of x : 'M[rat]_(d, 0) := rsubmx (of_number x).
Lemma basis_is mlps x : basis_of (layer_of mlps x) (C_of x) = of_number x.
Proof. by rewrite /basis_of /= !hsubmxK. Qed.

Ltac entries by_skips :=
  rewrite ?unchanged by_skips //= /read_out /normalise /= ?basis_is ?mul1mx ?invmx_scalar ?invmx1 ?affine_none;
  rewrite ?mulmx1 ?mul1mx ?mul_mx_scalar ?mul_scalar_mx !(mxE, big_ord_recl, big_ord0) /=; apply/eqP; vm_compute.

(* -- one layer, all skips *)
Notation in_basis sh H x := (gauge_model sh (fun=> basis_of (layer_of 0 x) (C_of x)) (model_of H 0 x)).
(* A norm: the logit is 2/3 in place of 1. *)
(* Needed: theorem=one_layer hypothesis=no normalization lemma=one_needs_no_norm *)
Lemma one_needs_no_norm : let sh := shape_of true (Some (map_mx shrunk)) in
  logit sh (in_basis sh untied 2%:R) = 2%:R / 3%:R /\ logit sh (model_of untied 0 2%:R) = 1.
Proof. by split; entries (@logits_both_skips). Qed.
(* A tied head: 8 in place of 2. *)
(* Needed: theorem=one_layer hypothesis=untied head lemma=one_needs_untied *)
Lemma one_needs_untied : let sh := shape_of true None in
  logit sh (in_basis sh None 2%:R) = 8%:R /\ logit sh (model_of None 0 2%:R) = 2%:R.
Proof. by split; entries (@logits_both_skips). Qed.
(* W_K = W_V = 0: 0 in place of 2 (Coq writes 0 for the inverse of 0). *)
(* Needed: theorem=one_layer hypothesis=(W_K | W_V | C) in GL(d) lemma=one_needs_invertible *)
(* Needed: theorem=one_layer hypothesis=the layers are before, W, after argued=names the layer whose keys and values go *)
Lemma one_needs_invertible : let sh := shape_of true None in
  logit sh (in_basis sh untied 0) = 0 /\ logit sh (model_of untied 0 0) = 2%:R.
Proof. by split; entries (@logits_both_skips). Qed.

(* -- every layer, skips around attention only *)
Notation in_bases sh H mlps x := (gauge_model sh
  (nth 1%:M [seq basis_of p.2 p.1 | p <- [:: (C_of x, layer_of mlps x)]]) (model_of H mlps x)).
(* A norm: 1/2 in place of 2/3. *)
(* Needed: theorem=every_layer hypothesis=no normalization lemma=every_needs_no_norm *)
Lemma every_needs_no_norm : let sh := shape_of false (Some (map_mx shrunk)) in
  logit sh (in_bases sh untied 1 2%:R) = 1 / 2%:R /\ logit sh (model_of untied 1 2%:R) = 2%:R / 3%:R.
Proof. by split; entries (@logits_attention_skip). Qed.
(* A tied head: 4 in place of 2. *)
(* Needed: theorem=every_layer hypothesis=untied head lemma=every_needs_untied *)
Lemma every_needs_untied : let sh := shape_of false None in
  logit sh (in_bases sh None 1 2%:R) = 4%:R /\ logit sh (model_of None 1 2%:R) = 2%:R.
Proof. by split; entries (@logits_attention_skip). Qed.
(* A skip around the MLP as well: 4 in place of 2. *)
(* Needed: theorem=every_layer hypothesis=skips around attention only lemma=every_needs_no_MLP_skip *)
Lemma every_needs_no_MLP_skip : let sh := shape_of true None in
  logit sh (in_bases sh untied 0 2%:R) = 4%:R /\ logit sh (model_of untied 0 2%:R) = 2%:R.
Proof. by split; entries (@logits_both_skips). Qed.
(* W_K = W_V = 0: 0 in place of 2. *)
(* Needed: theorem=every_layer hypothesis=every (W_K | W_V | C) in GL(d) lemma=every_needs_invertible *)
(* Needed: theorem=every_layer hypothesis=the layers are those of ps argued=ps is only the layers, each with its C *)
Lemma every_needs_invertible : let sh := shape_of false None in
  logit sh (in_bases sh untied 1 0) = 0 /\ logit sh (model_of untied 1 0) = 2%:R.
Proof. by split; entries (@logits_attention_skip). Qed.
End Needed.
