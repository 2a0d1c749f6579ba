(* n19.v - N19, every query matrix block upper triangular with identity blocks under RMSNorm.
 *
 * W_Q^i = Omega_i U_i, as QR gives it; Theta_i = Omega_i in front of layer i.  Skips around attention only: one Omega_i
 * for each layer; all skips and one shared block: one Omega.  n7.v has the proofs. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads.
From Provably Require Import witness witness_numbers witness_quiet witness_pairs.
From Theorems Require Import k_p3_2 n7.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section AllLayers.
Variables (R : comUnitRingType) (n h dk V : nat).
Notation d := (h * dk)%N.
Notation layer := (layer R n d h h dk).
Implicit Types (sh : shape R n d h h dk) (M : model R n d h h dk V) (W : layer) (Omega U : nat -> 'M[R]_d).

(* The hypotheses on norms and gains, and W_Q^i = Omega_i U_i in every layer *)
Definition rms_model sh M := [/\ commuting_norm sh, own_keys sh,
  forall W, List.In W (at_ M) -> folded W /\ no_qk_norm W, gain_f M = 1%:M & bias_f M = 0].
Definition triangular M Omega U := (forall i, orthogonal (Omega i)) /\
  forall i W, List.nth_error (at_ M) i = Some W ->
    [/\ W_Q W = Omega i *m U i, upper (U i) & forall a, block (U i) a a \in unitmx].
(* M' has this form in all layers. *)
Definition all_normal M := forall W, List.In W (at_ M) -> unit_block_upper (W_Q W).

(* Layer i of M' is layer i of M, read in the basis Omega_i and written in Omega_{i+1}, its heads turned besides. *)
Definition normal_model sh Omega M :=
  let G := gauge_model sh Omega M in with_layers G (map (n7.normal sh) (at_ G)).
Lemma normal_size sh Omega M : size (at_ (normal_model sh Omega M)) = size (at_ M).
Proof. by rewrite /= size_map size_gauge. Qed.

(* Untied: no basis is asked for behind the last layer. *)
(* Provably: claim=N19 part=as-stated theorem=around_attention quantifiers=all sizes, heads, depths, functions, norms that commute with Omega_i, upper triangular U_i, invertible U_aa *)
Theorem around_attention sh M Omega U : skips_around_attention_only sh -> rms_model sh M -> head M <> None ->
  triangular M Omega U -> let M' := normal_model sh Omega M in
  [/\ same_function sh M' M, size (at_ M') = size (at_ M) & all_normal M'].
Proof.
move=> only [cN own ok gf bf] untied [o forms] M'; rewrite normal_size.
have [||same normal] := all_layers cN own ok gf bf o _ _ forms => //.
by rewrite attention_only_crosses.
Qed.

(* Tied, without a gain in front of the head: the last basis is the first, and the head stays tied. *)
(* Provably: claim=N19 part=as-stated-tied theorem=tied_head quantifiers=all sizes, heads, depths, functions, norms that commute with Omega_i, upper triangular U_i, invertible U_aa *)
Theorem tied_head sh M Omega U : skips_around_attention_only sh -> rms_model sh M -> head M = None ->
  triangular M Omega U ->
  let L := size (at_ M) in let Om i := if i == L then Omega 0%N else Omega i in let M' := normal_model sh Om M in
  [/\ same_function sh M' M, size (at_ M') = L, all_normal M', head M' = None & E M' = E M *m Omega 0%N].
Proof.
move=> only [cN own ok gf bf] tied [o forms] L Om M'.
have [||||same normal] := @all_layers _ _ _ _ _ sh M Om U cN own ok gf bf.
- by move=> i; rewrite /Om; case: ifP.
- by rewrite attention_only_crosses.
- by move=> _; rewrite /Om -/L eqxx; case: ifP.
- move=> i W e; have := forms i W e; rewrite /Om; have [iL|//] := eqVneq i L.
  have end_ : List.nth_error (at_ M) L = None by apply/List.nth_error_None.
  by rewrite iL end_ in e.
by split; [exact: same|exact: normal_size|exact: normal|rewrite /= tied|rewrite /= /Om; case: ifP].
Qed.

(* All skips, one block for all layers. *)
(* Provably: claim=N19 part=as-stated-one theorem=shared quantifiers=all sizes, heads, depths, skips, functions, norms that commute with Omega, upper triangular U, invertible U_aa *)
Theorem shared sh M L W (Omega U : 'M[R]_d) : rms_model sh M -> at_ M = nseq L W -> orthogonal Omega ->
  W_Q W = Omega *m U -> upper U -> (forall a, block U a a \in unitmx) ->
  let W' := n7.normal sh (gauge_layer sh Omega Omega W) in
  let M' := with_layers (gauge_model sh (fun=> Omega) M) (nseq L W') in
  same_function sh M' M /\ unit_block_upper (W_Q W').
Proof.
move=> [cN own ok gf bf] layers o e low u W' M'.
have [|||i W0|same _] := @all_layers _ _ _ _ _ sh M (fun=> Omega) (fun=> U) cN own ok gf bf => //.
  move=> at_i; have := List.nth_error_In _ _ at_i; rewrite layers.
  by elim: L {layers M'} => //= L IH [<-|/IH].
split; last by apply: normal_form => //; rewrite (query_turned _ _ o e).
by move: same; rewrite /= gauge_layers_one layers !map_nseq.
Qed.
End AllLayers.

(* ---- without a hypothesis ---------------------------------------------------------------------------------------- *)

(* One layer behind one Omega, as in n7.v, skips around attention only: norms, gains, biases and orthogonality there.
 * Two bases: numbers, W_Q^1 = Omega_1 = 1 or -1. *)
(* Needed: theorem=around_attention,tied_head,shared hypothesis=a norm that commutes with orthogonal matrices lemma=n7.turn_needs_commuting_norm *)
(* Needed: theorem=around_attention,tied_head,shared hypothesis=gains before the MLP folded lemma=n7.turn_needs_no_gain2 *)
(* Needed: theorem=around_attention,tied_head,shared hypothesis=no bias before the MLP lemma=n7.turn_needs_no_bias2 *)
(* Needed: theorem=around_attention,tied_head,shared hypothesis=gain before the head folded lemma=n7.turn_needs_no_last_gain *)
(* Needed: theorem=around_attention,tied_head,shared hypothesis=no bias before the head lemma=n7.turn_needs_no_last_bias *)
(* Needed: theorem=around_attention,tied_head,shared hypothesis=every Omega orthogonal lemma=n7.turn_needs_orthogonal *)
(* Needed: theorem=around_attention,tied_head,shared hypothesis=no norm of queries lemma=n7.blocks_need_no_query_norm *)
(* Needed: theorem=around_attention,tied_head,shared hypothesis=no norm of keys lemma=n7.blocks_need_no_key_norm *)
(* Needed: theorem=around_attention,tied_head,shared hypothesis=no rotations lemma=n7.blocks_need_no_rope *)
(* Needed: theorem=around_attention,tied_head,shared hypothesis=a key head for each head lemma=n7.blocks_need_own_keys *)
(* Needed: theorem=around_attention,tied_head,shared hypothesis=every U upper triangular lemma=n7.blocks_need_upper *)
(* Needed: theorem=around_attention,tied_head,shared hypothesis=every U_aa in GL(d_k) lemma=n7.blocks_need_invertible *)
(* Needed: theorem=around_attention,tied_head,shared hypothesis=gain before attention folded lemma=n7.turn_needs_no_gain1 *)
(* Needed: theorem=around_attention,tied_head,shared hypothesis=no bias before attention lemma=n7.turn_needs_no_bias1 *)
(* Needed: theorem=around_attention,tied_head,shared hypothesis=W_Q is Omega U argued=names U, what the query matrix becomes *)
Section Needed.
Notation turned_by Omega sh M := (gauge_model sh (nth 1%:M [seq num x | x <- Omega]) M).
(* A skip around the MLP as well, Omega_1 = -1, 1 behind the layer: the logit is -1 in place of 1. *)
(* Needed: theorem=around_attention hypothesis=skips around attention only lemma=needs_no_MLP_skip *)
Lemma needs_no_MLP_skip : let sh := world true true false None in
  let M := small_model_of (Some (num 1)) [:: silent 0 (- 1)] in
  logit sh (turned_by [:: -1; 1] sh M) = - 1 /\ logit sh M = 1.
Proof. by split; by_numbers (@id rat) (@id rat) false. Qed.
(* A tied head, Omega_1 = -1, 1 behind the layer: -1 in place of 1. *)
(* Needed: theorem=around_attention hypothesis=untied head lemma=needs_untied *)
Lemma needs_untied : let sh := world true false false None in let M := small_model_of None [:: silent 1 (- 1)] in
  logit sh (turned_by [:: -1; 1] sh M) = - 1 /\ logit sh M = 1.
Proof. by split; by_numbers (@id rat) (@id rat) false. Qed.
(* Two layers, tied, Omega = 1, -1 and 1 in front of the head, skips around MLPs as well: 0 in place of 2. *)
(* Needed: theorem=tied_head hypothesis=skips around attention only lemma=tied_needs_no_MLP_skip *)
Lemma tied_needs_no_MLP_skip : let sh := world true true false None in
  let M := small_model_of None [:: silent 0 1; silent 1 (- 1)] in
  logit sh (turned_by [:: 1; -1; 1] sh M) = 0 /\ logit sh M = 2%:R.
Proof. by split; by_numbers (@id rat) (@id rat) false. Qed.
(* Needed: theorem=tied_head hypothesis=a tied head argued=names the case: it says that the head stays tied; untied is around_attention *)

(* Layers of their own: no Omega makes 1 and the exchange of two numbers upper triangular. *)
(* Needed: theorem=shared hypothesis=one block for all layers lemma=needs_shared_block *)
Lemma needs_shared_block (Omega : 'M[rat]_(2 * 1)) : orthogonal Omega ->
  ~ (@upper _ 2 1 (invmx Omega *m 1%:M) /\ @upper _ 2 1 (invmx Omega *m pair_of 0 1 1 0)).
Proof.
rewrite /upper /orthogonal => o [/(_ 1 0 isT) zero /(_ 1 0 isT)]; have [_ inv] := orthogonal_unit o.
move: zero; rewrite inv mulmx1 !pair_dot !mxE /= mulr0 add0r mulr1 => O01 O11.
have := o => /matrixP o_; have := o_ 0 0; have := o_ 1 1; have := o_ 0 1; rewrite !pair_dot !mxE /=.
rewrite O01 O11 !mulr0 !addr0 => /eqP; rewrite mulf_eq0 => /orP [] /eqP ->; rewrite mulr0.
  by move=> _ /eqP.
by move=> /eqP.
Qed.
End Needed.
