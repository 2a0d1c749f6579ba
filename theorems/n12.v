(* n12.v - N12, which singular query matrices can become the identity.
 *
 * Let U_a be the image of the form A_a = W_Q^a W_K^a'.  If U_a lies in the span of Theta_a, d_k columns of an
 * invertible Theta = (Theta_1 | .. | Theta_h) for each layer, so A_a = Theta_a C_a, then W~_Q = I in every layer,
 * skips around attention only: Theorem 4.4 without W_Q in GL(d).  Conversely the forms of a layer with W~_Q = I, in
 * any basis, have independent images. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads forms spans.
From Provably Require Import witness witness_numbers witness_quiet witness_pairs.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Singular.
Variables (R : comUnitRingType) (n h dk V : nat).
Notation d := (h * dk)%N.
Notation layer := (layer R n d h h dk).
Notation bases := ('M[R]_d * ('I_h -> 'M[R]_(dk, d)))%type.
Implicit Types (sh : shape R n d h h dk) (M : model R n d h h dk V) (W : layer) (Theta : 'M[R]_d).

(* p.1 is (Theta, C) of the layer p.2 *)
Definition keyed (b : bases) W : layer := with_queries W b.1 (keys_of b.2).
Definition fits (p : bases * layer) := [/\ plain_layer p.2, p.1.1 \in unitmx & images_within p.2 p.1.1 p.1.2].

(* Theta and C are given; over a field they are there where the images are independent (independent_layers). *)
Theorem every_layer sh M (ps : seq (bases * layer)) :
  norm sh = None -> plain sh -> head M <> None -> skips_around_attention_only sh -> at_ M = unzip2 ps ->
  (forall i p, List.nth_error ps i = Some p -> fits p) ->
  let M' := gauge_model sh (nth 1%:M [seq p.1.1 | p <- ps]) (with_layers M [seq keyed p.1 p.2 | p <- ps]) in
  same_function sh M' M /\ all (fun W => W_Q W == 1%:M) (at_ M').
Proof.
move=> noN pl untied only layers ok M'; split=> [T|].
  rewrite forward_gauge //; last by rewrite attention_only_crosses.
  - apply: same_layers layers _ T => i p /ok [plW _ within] X; apply: block_with_attention => {}X.
    apply: query_key_forms => // a; have [e|de] := within a; [left|by right].
    by rewrite e /score_form cols_hcat trmxK.
  move=> i; elim: ps i ok {layers M'} => [|p ps IH] [|i] ok /=; rewrite ?unitmx1 //.
    by have [] := ok 0%N p erefl.
  by apply: IH => j q; apply: (ok j.+1).
rewrite /M' /=; elim: ps ok {layers M'} => //= p ps IH ok; apply/andP; split; last first.
  by apply: IH => j q; apply: (ok j.+1).
by have [_ u _] := ok 0%N p erefl; rewrite W_Q_gauge /= mulVmx.
Qed.

(* Pi_b = Theta_b (Theta^-1)_b, rows of the inverse, keeps A_b and kills the other forms *)
Definition projector Theta b : 'M[R]_d := cols Theta b *m rows (invmx Theta) b.

(* Provably: claim=N12 part=as-stated-only theorem=independent_images quantifiers=all sizes, heads, invertible Theta, W_K, Z *)
Theorem independent_images Theta (K : 'M[R]_d) p (Z : 'I_h -> 'M[R]_(d, p)) b : Theta \in unitmx ->
  let A := score_form Theta K in
  projector Theta b *m (\sum_a A a *m Z a) = A b *m Z b.
Proof.
move=> u /=; have one a : rows (invmx Theta) b *m cols Theta a = 1%:M *+ (b == a).
  have <- : rows (cols (invmx Theta *m Theta) a) b = rows (invmx Theta) b *m cols Theta a.
    by apply/matrixP => i j; rewrite !mxE; apply: eq_bigr => k _; rewrite !mxE.
  by rewrite mulVmx // -(blockdiag1 h dk R) cols_blockdiag.
have kept a : projector Theta b *m (score_form Theta K a *m Z a) = (score_form Theta K a *m Z a) *+ (b == a).
  rewrite /projector /score_form -!mulmxA (mulmxA (rows _ _)) one.
  by have [->|_] := eqVneq b a; rewrite ?mulr1n ?mul1mx // mulr0n mul0mx mulmx0.
rewrite mulmx_sumr (bigD1 b) //= kept eqxx big1 ?addr0 // => a ab.
by rewrite kept eq_sym (negPf ab).
Qed.

(* .. so two heads that share a direction are no forms of such a layer *)
Corollary no_shared_direction Theta (K : 'M[R]_d) p (Z : 'I_h -> 'M[R]_(d, p)) : Theta \in unitmx ->
  \sum_a score_form Theta K a *m Z a = 0 -> forall b, score_form Theta K b *m Z b = 0.
Proof. by move=> u z b; rewrite -(independent_images K Z b u) z mulmx0. Qed.
End Singular.

Section IndependentLayers.
Variables (F : fieldType) (n h dk V : nat).
Notation d := (h * dk)%N.
Notation layer := (layer F n d h h dk).
Implicit Types (sh : shape F n d h h dk) (M : model F n d h h dk V) (W : layer).

(* the images U_a, as row spaces of the transposed forms *)
Definition independent_images_of W := independent (fun a => (score_form (W_Q W) (W_K W) a)^T).

Lemma basis_of_layer W : independent_images_of W -> exists b : 'M[F]_d * ('I_h -> 'M[F]_(dk, d)),
  b.1 \in unitmx /\ forall a, score_form (W_Q W) (W_K W) a = cols b.1 a *m b.2 a.
Proof.
move=> ind; have [a|Theta [C [u e]]] := common_basis ind; last by exists (Theta, C).
exact: leq_trans (mxrankM_maxl _ _) (rank_leq_col _).
Qed.

(* Conversely images that lie in the spans of such Theta_a are independent, as those of W_Q = diag(1, .., 1, 0). *)
Lemma spans_independent (Theta : 'M[F]_d) (C : 'I_h -> 'M[F]_(dk, d)) : Theta \in unitmx ->
  independent (fun a => (cols Theta a *m C a)^T).
Proof.
move=> u; pose P b := projector Theta b.
have kept a b : P b *m cols Theta a = cols Theta b *+ (b == a).
  have one : rows (invmx Theta) b *m cols Theta a = 1%:M *+ (b == a).
    have <- : rows (cols (invmx Theta *m Theta) a) b = rows (invmx Theta) b *m cols Theta a.
      by apply/matrixP => i j; rewrite !mxE; apply: eq_bigr => k _; rewrite !mxE.
    by rewrite mulVmx // -(blockdiag1 h dk F) cols_blockdiag.
  by rewrite /P /projector -mulmxA one; case: eqP => _; rewrite ?mulr1n ?mulr0n ?mulmx1 ?mulmx0.
apply/mxdirectP/mxdirect_sumsP => b _; apply/eqP/rowV0P => v; rewrite sub_capmx => /andP [/submxP [x e] others].
have : v *m (P b)^T = 0.
  apply/sub_kermxP/(submx_trans others)/sumsmx_subP => a ab; apply/sub_kermxP.
  by rewrite -trmx_mul mulmxA kept eq_sym (negPf ab) mulr0n mul0mx trmx0.
by rewrite e -mulmxA -trmx_mul mulmxA kept eqxx mulr1n.
Qed.
Lemma last_column_gone (K : 'M[F]_d) : independent (fun a => (score_form (pid_mx d.-1 : 'M[F]_d) K a)^T).
Proof.
pose D (a : 'I_h) : 'M[F]_dk := \matrix_(i, j) ((i == j) && (in_head a i < d.-1)%N)%:R.
have e a : score_form (pid_mx d.-1) K a = cols 1%:M a *m (D a *m (cols K a)^T).
  rewrite /score_form mulmxA -cols_mul_blockdiag mul1mx; congr (cols _ a *m _); apply/matrixP => k l.
  rewrite !mxE in_head_of val_eqE (eq_column k l).
  by case: (head_of k == head_of l); case: (place_of k == place_of l).
have := spans_independent (fun a => D a *m (cols K a)^T) (unitmx1 F d).
rewrite /independent; rewrite (eq_bigr (fun a => (score_form (pid_mx d.-1) K a)^T)) => [|a _]; last by rewrite e.
by rewrite (eq_bigr (fun a => \rank (score_form (pid_mx d.-1) K a)^T)) => [|a _]; last by rewrite e.
Qed.

(* W_Q = diag(1, .., 1, 0), of rank d - 1, is among them, with any W_K. *)
(* Provably: claim=N12 part=as-stated-if theorem=independent_layers quantifiers=all fields, sizes, heads, depths, functions, W_Q of any rank whose forms have independent images *)
Theorem independent_layers sh M :
  norm sh = None -> plain sh -> head M <> None -> skips_around_attention_only sh ->
  (forall W, List.In W (at_ M) -> plain_layer W /\ independent_images_of W) ->
  (exists ps : seq (('M[F]_d * ('I_h -> 'M[F]_(dk, d))) * layer), at_ M = unzip2 ps /\
    let M' := gauge_model sh (nth 1%:M [seq p.1.1 | p <- ps]) (with_layers M [seq keyed p.1 p.2 | p <- ps]) in
    [/\ forall p, List.In p ps -> p.1.1 \in unitmx /\
          forall a, score_form (W_Q p.2) (W_K p.2) a = cols p.1.1 a *m p.1.2 a,
        same_function sh M' M & all (fun W => W_Q W == 1%:M) (at_ M')]) /\
  let Q : 'M[F]_d := pid_mx d.-1 in
  \rank Q = d.-1 /\ forall K : 'M[F]_d, independent (fun a => (score_form Q K a)^T).
Proof.
move=> noN pl untied only ok; split; last first.
  by split; [rewrite rank_pid_mx ?leq_pred|exact: last_column_gone].
have [ps [layers fit]] : exists ps : seq (('M[F]_d * ('I_h -> 'M[F]_(dk, d))) * layer), at_ M = unzip2 ps /\
    forall p, List.In p ps -> [/\ plain_layer p.2, p.1.1 \in unitmx &
      forall a, score_form (W_Q p.2) (W_K p.2) a = cols p.1.1 a *m p.1.2 a].
  elim: (at_ M) ok => [|W r IH] ok; first by exists [::].
  have [ps [-> fit]] := IH (fun W' in_ => ok W' (or_intror in_)).
  have [plW /basis_of_layer [b [u e]]] := ok W (or_introl erefl).
  by exists ((b, W) :: ps); split=> // p [<-|/fit].
exists ps; split=> // M'; have [|same ones] := every_layer noN pl untied only layers.
  move=> i p /(@List.nth_error_In _ _ _ _) /fit [plW u e]; split=> // a; left; exact: e.
by split=> // p /fit [].
Qed.
End IndependentLayers.

(* ---- without a hypothesis: models of one layer ------------------------------------------------------------------- *)

Section Needed.
Notation queried sh M W Theta C := (let b := (Theta, C) in
  gauge_model sh (nth 1%:M [seq p.1.1 | p <- [:: (b, W)]]) (with_layers M [seq keyed p.1 p.2 | p <- [:: (b, W)]])).

(* -- numbers, W_Q = Theta *)
Notation model_of W := (small_model_of (Some (num 1)) [:: W]).
Notation none := (fun=> num 0).
(* A norm, Theta = 2: the logit is 1/4 in place of 1/3. *)
(* Needed: theorem=every_layer,independent_layers hypothesis=no normalization lemma=needs_no_norm *)
Lemma needs_no_norm : let sh := world true false false (Some shrunk) in let W := silent 1 2%:R in
  logit sh (queried sh (model_of W) W (num 2%:R) none) = 1 / 4%:R /\ logit sh (model_of W) = 1 / 3%:R.
Proof. by split; by_numbers (@id rat) (@id rat) false. Qed.
(* A tied head: 2 in place of 1. *)
(* Needed: theorem=every_layer,independent_layers hypothesis=untied head lemma=needs_untied *)
Lemma needs_untied : let sh := world true false false None in let W := silent 1 2%:R in
  let M := small_model_of None [:: W] in
  logit sh (queried sh M W (num 2%:R) none) = 2%:R /\ logit sh M = 1.
Proof. by split; by_numbers (@id rat) (@id rat) false. Qed.
(* A skip around the MLP as well: 2 in place of 1. *)
(* Needed: theorem=every_layer,independent_layers hypothesis=skips around attention only lemma=needs_no_MLP_skip *)
Lemma needs_no_MLP_skip : let sh := world true true false None in let W := silent 0 2%:R in
  logit sh (queried sh (model_of W) W (num 2%:R) none) = 2%:R /\ logit sh (model_of W) = 1.
Proof. by split; by_numbers (@id rat) (@id rat) false. Qed.
(* Theta = W_Q = 0 has no inverse (Coq writes 0 for it): 0 in place of 1. *)
(* Needed: theorem=every_layer hypothesis=every Theta in GL(d) lemma=needs_invertible *)
Lemma needs_invertible : let sh := world true false false None in let W := silent 1 0 in
  logit sh (queried sh (model_of W) W (num 0) none) = 0 /\ logit sh (model_of W) = 1.
Proof. by split; by_numbers (@id rat) (@id rat) false. Qed.

(* -- numbers, the score as the weight, Theta = 1, C = W_Q W_K' *)
Notation sh := (world true false false None).
Notation queried_one M W x := (queried sh M W (num 1) (fun=> num x)).
(* A norm x / (|x| + 1) of the queries, W_Q = 2: 2 in place of 5/3; of the keys: 5/3 in place of 2. *)
(* Needed: theorem=every_layer,independent_layers hypothesis=no norm of queries lemma=needs_no_query_norm *)
Lemma needs_no_query_norm : let W := scoring 2%:R 0 1 0 shrunk id 1 in
  logit sh (queried_one (model_of W) W 2%:R) = 2%:R /\ logit sh (model_of W) = 5%:R / 3%:R.
Proof. by split; by_numbers shrunk (@id rat) false. Qed.
(* Needed: theorem=every_layer,independent_layers hypothesis=no norm of keys lemma=needs_no_key_norm *)
Lemma needs_no_key_norm : let W := scoring 2%:R 0 1 0 id shrunk 1 in
  logit sh (queried_one (model_of W) W 2%:R) = 5%:R / 3%:R /\ logit sh (model_of W) = 2%:R.
Proof. by split; by_numbers (@id rat) shrunk false. Qed.
(* A bias of 1 of the queries or the keys: 2 in place of 3. *)
(* Needed: theorem=every_layer,independent_layers hypothesis=no bias of queries lemma=needs_no_query_bias *)
Lemma needs_no_query_bias : let W := scoring 1 1 1 0 id id 1 in
  logit sh (queried_one (model_of W) W 1) = 2%:R /\ logit sh (model_of W) = 3%:R.
Proof. by split; by_numbers (@id rat) (@id rat) false. Qed.
(* Needed: theorem=every_layer,independent_layers hypothesis=no bias of keys lemma=needs_no_key_bias *)
Lemma needs_no_key_bias : let W := scoring 1 0 1 1 id id 1 in
  logit sh (queried_one (model_of W) W 1) = 2%:R /\ logit sh (model_of W) = 3%:R.
Proof. by split; by_numbers (@id rat) (@id rat) false. Qed.

(* -- width 2, Theta = 1: the basis changes nothing *)
Lemma in_basis_1 m h' dk' (sh' : shape rational m (h' * dk') h' h' dk') (e : 'M_(m, h' * dk')) H
  (W : layer rational m (h' * dk') h' h' dk') C T :
  norm sh' = None -> model_forward sh' (queried sh' (model_around e H W) W 1%:M C) T =
  model_forward sh' (model_around e H (with_queries W 1%:M (keys_of C))) T.
Proof.
move=> noN; rewrite forward_gauge //= => [[|[|i]]|_ [|[|i]]|_] //=; rewrite ?unitmx1 ?trmx1 ?mulmx1 //.
Qed.
(* RoPE, a quarter turn at the second token, W_Q = diag(1, 2), W_K = 1: -1 in place of -2. *)
(* Needed: theorem=every_layer,independent_layers hypothesis=no rotations lemma=needs_no_rope *)
Lemma needs_no_rope : let Q := pair_of 1 0 0 2%:R in let W := two_tokens Q one in
  let M := model_around one (Some one) W in
  [/\ images_within W one (fun=> Q), model_forward turning (queried turning M W one (fun=> Q)) one 1 0 = - 1 &
      model_forward turning M one 1 0 = - 2%:R].
Proof.
cbv zeta; split; rewrite ?in_basis_1 //; [|by by_turns false|by by_turns false].
by move=> a; left; rewrite /score_form !one_head_cols trmx1 mulmx1 mul1mx.
Qed.
(* Heads that read each other's keys and values, W_Q = diag(1, 2), W_K = 1, W_V = diag(0, 1): 4 in place of 3. *)
(* Needed: theorem=every_layer,independent_layers hypothesis=a key head for each head lemma=needs_own_keys *)
Lemma needs_own_keys : let Q := pair_of 1 0 0 2%:R in let W := two_heads Q 1%:M (pair_of 0 0 0 1) 1%:M in
  let M := model_around (row_of 1 1) (Some (const_mx 1)) W in let C a := row a Q in
  [/\ images_within W (1%:M : 'M_(2 * 1)) C,
      model_forward (unturned swap) (queried (unturned swap) M W 1%:M C) 1%:M 0 0 = 4%:R &
      model_forward (unturned swap) M 1%:M 0 0 = 3%:R].
Proof.
cbv zeta; split; rewrite ?in_basis_1 //; [|by by_heads|by by_heads].
by move=> a; left; case: (two_heads_only a) => ->; apply: pair_eq; rewrite /= !(mxE, big_ord1); apply/eqP; vm_compute.
Qed.
(* Two heads that both read the first number, with values in the second alone, and the basis 1, where the second head
 * would read the second number: 1 in place of 2, whatever C is. *)
(* Needed: theorem=every_layer hypothesis=the image of A_a in the span of Theta_a lemma=needs_image_within *)
(* Needed: theorem=every_layer hypothesis=the layers are those of ps argued=ps is only the layers, each with (Theta, C) *)
Lemma needs_image_within (C : 'I_2 -> 'M[rat]_(1, 2 * 1)) : let Q := pair_of 1 1 0 0 in
  let W := two_heads Q Q (pair_of 0 1 0 0) (pair_of 0 0 1 0) in
  let M := model_around (row_of 1 0) (Some (row_of 1 0)^T) W in
  model_forward (unturned id) (queried (unturned id) M W 1%:M C) 1%:M 0 0 = 1 /\
  model_forward (unturned id) M 1%:M 0 0 = 2%:R.
Proof.
cbv zeta; split; rewrite ?in_basis_1 //; last by by_heads.
rewrite heads_logit // /head_writes !two_terms /= !pair_dot !mxE /=.
by rewrite !(mulr0, mul0r, addr0, add0r, mulr1).
Qed.

(* -- two heads with W_Q = (1, 1; 0, 0), which has no inverse: A_1 e_1 - A_2 e_2 is 0, A_1 e_1 is not. *)
(* Needed: theorem=independent_images hypothesis=Theta in GL(d) lemma=only_needs_invertible *)
Lemma only_needs_invertible : let Theta := pair_of 1 1 0 0 in let A := score_form (Theta : 'M_(2 * 1)) 1%:M in
  let Z (a : 'I_2) : 'M[rat]_(2 * 1, 1) := if (a < 1)%N then delta_mx 0 0 else - delta_mx 1 0 in
  forall Pi : 'M[rat]_(2 * 1), (Pi *m (\sum_a A a *m Z a)) = 0 /\ (A 0 *m Z 0) 0 0 = 1.
Proof.
cbv zeta => Pi; split; last first.
  by rewrite !pair_dot /score_form !(mxE, big_ord1); apply/eqP; vm_compute.
rewrite [X in _ *m X](_ : _ = 0) ?mulmx0 //; apply/matrixP => i j; rewrite summxE two_terms !pair_dot.
by rewrite /score_form !(mxE, big_ord1); case: (two_heads_only i) => ->; rewrite (ord1 j); apply/eqP; vm_compute.
Qed.
(* These heads share a direction, and there is no invertible Theta with A_a = Theta_a C_a for both. *)
(* Needed: theorem=independent_layers hypothesis=independent images of the forms lemma=needs_independent_images *)
Lemma needs_independent_images (Theta : 'M[rat]_(2 * 1)) (C : 'I_2 -> 'M[rat]_(1, 2 * 1)) :
  let A := score_form (pair_of 1 1 0 0 : 'M_(2 * 1)) 1%:M in
  Theta \in unitmx -> ~ forall a, A a = cols Theta a *m C a.
Proof.
move=> A u e; have [zero one] := only_needs_invertible 1%:M.
have form a : A a = score_form Theta (keys_of C) a by rewrite e /score_form cols_hcat trmxK.
rewrite mul1mx (eq_bigr _ (fun a _ => congr1 (mulmx^~ _) (form a))) in zero.
have /matrixP /(_ 0 0) /eqP := no_shared_direction u zero 0.
by rewrite -form one mxE oner_eq0.
Qed.
End Needed.
