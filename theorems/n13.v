(* n13.v - N13, a sufficient condition for a tied head although a query matrix becomes the identity.
 *
 * Let U_a be the image of the form A_a = W_Q^a W_K^a'.  If U_a lies in the span of Omega_a, Omega orthogonal (A_a =
 * Omega_a C_a), for each head a that has values, then Theta = Omega and W~_K^a = Omega^-1 C_a' make W~_Q = I, and the
 * head stays tied.  W_Q need not be invertible, nor W_K. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads forms spans.
From Provably Require Import witness witness_numbers witness_quiet witness_pairs.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Tied.
Variables (R : comUnitRingType) (n h dk V : nat).
Notation d := (h * dk)%N.
Implicit Types (sh : shape R n d h h dk) (M : model R n d h h dk V) (W : layer R n d h h dk) (Omega : 'M[R]_d).

(* heads without values (W_V^a = 0, b_V^a = 0) are free *)
(* Provably: claim=N13 part=as-stated-if theorem=stays_tied quantifiers=all sizes, heads, depths, skips, functions, orthogonal Omega *)
(* Provably: claim=N13 part=as-stated-deficient-rank theorem=stays_tied quantifiers=all sizes, heads, depths, skips, functions, any ranks *)
Theorem stays_tied sh M before W after Omega C :
  norm sh = None -> plain sh -> plain_layer W -> head M = None -> at_ M = before ++ W :: after ->
  Omega *m Omega^T = 1%:M -> images_within W Omega C ->
  let M' := in_basis sh M Omega before (with_queries W Omega (keys_of C)) after in
  [/\ same_function sh M' M, head M' = None &
      exists W' before' after', [/\ at_ M' = before' ++ W' :: after', size before' = size before & W_Q W' = 1%:M]].
Proof.
move=> noN pl plW tied layers orth within; have [_ u] := invmx_eq orth.
by have := queries_into_keys noN pl plW layers u within (fun=> orth); rewrite tied.
Qed.

(* What an orthogonal basis makes of a tied model with W_Q = I: the same function, tied, A_a' A_b = 0 for a != b. *)
(* Provably: claim=N13 part=as-stated-only theorem=orthogonal_forms quantifiers=all sizes, heads, depths, skips, functions, orthogonal Omega *)
Theorem orthogonal_forms sh M Omega : norm sh = None -> head M = None -> Omega *m Omega^T = 1%:M ->
  let M' := gauge_model sh (fun=> Omega) M in
  [/\ same_function sh M' M, head M' = None &
      forall W a b, W_Q W = 1%:M -> a != b ->
      let W' := gauge_layer sh Omega Omega W in
      (score_form (W_Q W') (W_K W') a)^T *m score_form (W_Q W') (W_K W') b = 0].
Proof.
move=> noN tied orth; have [inv u] := invmx_eq orth; split=> [T||W a b Q1 ab /=].
- exact: forward_gauge.
- by rewrite /= tied.
rewrite W_Q_gauge Q1 mulmx1 inv /score_form trmx_mul trmxK mulmxA -(mulmxA (cols (W_K _) a)).
rewrite (_ : (cols Omega^T a)^T *m cols Omega^T b = 0) ?mulmx0 ?mul0mx //.
rewrite -rows_tr trmxK; have <- : rows (cols (Omega *m Omega^T) b) a = rows Omega a *m cols Omega^T b.
  by apply/matrixP => i j; rewrite !mxE; apply: eq_bigr => k _; rewrite !mxE.
by rewrite orth -(blockdiag1 h dk R) cols_blockdiag (negPf ab).
Qed.
End Tied.

Section OrthogonalImages.
Variables (F : rcfType) (n h dk V : nat).
Notation d := (h * dk)%N.
Implicit Types (sh : shape F n d h h dk) (M : model F n d h h dk V) (W : layer F n d h h dk).
Notation form W a := (score_form (W_Q W) (W_K W) a).

(* The images of the heads that have values are mutually orthogonal; the others have any W_Q^a and W_K^a.  Then there is
 * an orthogonal Omega as above. *)
(* Provably: claim=N13 part=as-stated-zero-value-head theorem=orthogonal_images quantifiers=all real closed fields, sizes, heads, depths, skips, functions, any W_Q^a and W_K^a of heads without values *)
Theorem orthogonal_images sh M before W after :
  norm sh = None -> plain sh -> plain_layer W -> head M = None -> at_ M = before ++ W :: after ->
  (forall a b, a != b -> ~ dead W a -> ~ dead W b -> (form W a)^T *m form W b = 0) ->
  exists (Omega : 'M[F]_d) C, [/\ Omega *m Omega^T = 1%:M, images_within W Omega C &
    let M' := in_basis sh M Omega before (with_queries W Omega (keys_of C)) after in
    [/\ same_function sh M' M, head M' = None &
        exists W' before' after', [/\ at_ M' = before' ++ W' :: after', size before' = size before & W_Q W' = 1%:M]]].
Proof.
move=> noN pl plW tied layers ort; pose mute a := (cols (W_V W) a == 0) && (cols (b_V W) a == 0).
have muteP a : reflect (dead W a) (mute a) by apply: (iffP andP) => -[/eqP ? /eqP].
have [a b ab|a|Omega [C [o e]]] := @orthogonal_basis F h dk (fun a => if mute a then 0 else form W a).
- case: (muteP a) => [_|la]; first by rewrite trmx0 mul0mx.
  by case: (muteP b) => [_|lb]; [rewrite mulmx0|apply: ort].
- case: (mute a); first by rewrite mxrank0.
  exact: leq_trans (mxrankM_maxl _ _) (rank_leq_col _).
have within : images_within W Omega C.
  by move=> a; have := e a; case: (muteP a) => [de _|_ ->]; [right|left].
by exists Omega, C; split=> //; apply: stays_tied.
Qed.
End OrthogonalImages.

(* ---- without a hypothesis: tied models of one layer -------------------------------------------------------------- *)

Section Needed.
Notation queried sh M W Omega C := (in_basis sh M Omega [::] (with_queries W Omega (keys_of C)) [::]).

(* -- numbers, Omega = -1 or 2, no keys *)
Notation model_of W := (small_model_of None [:: W]).
Notation none := (fun=> num 0).
(* A norm with a bias, x / (|x| + 1) + 1, Omega = -1: the logit is -1/2 in place of 3/2. *)
(* Needed: theorem=stays_tied,orthogonal_images,orthogonal_forms hypothesis=no normalization lemma=needs_no_norm *)
Lemma needs_no_norm : let sh := world true true false (Some shrunk) in let W := silent 0 1 in
  let M := Model 1%:M 0 None 1%:M 1%:M [:: W] in
  [/\ logit sh (queried sh M W (num (- 1)) none) = - (1 / 2%:R),
      logit sh (gauge_model sh (fun=> num (- 1)) M) = - (1 / 2%:R) & logit sh M = 3%:R / 2%:R].
Proof. by split; by_numbers (@id rat) (@id rat) false. Qed.
(* Omega = 2: 4 in place of 1. *)
(* Needed: theorem=stays_tied,orthogonal_forms hypothesis=Omega orthogonal lemma=needs_orthogonal *)
Lemma needs_orthogonal : let sh := world true true false None in let W := silent 0 1 in
  [/\ logit sh (queried sh (model_of W) W (num 2%:R) none) = 4%:R,
      logit sh (gauge_model sh (fun=> num 2%:R) (model_of W)) = 4%:R & logit sh (model_of W) = 1].
Proof. by split; by_numbers (@id rat) (@id rat) false. Qed.

(* -- numbers, the score as the weight, Omega = 1, C = W_Q W_K' *)
Notation sh := (world true true false None).
Notation queried_one W x := (queried sh (model_of W) W (num 1) (fun=> num x)).
(* A norm x / (|x| + 1) of the queries, W_Q = 2: 2 in place of 5/3; of the keys: 5/3 in place of 2. *)
(* Needed: theorem=stays_tied,orthogonal_images hypothesis=no norm of queries lemma=needs_no_query_norm *)
Lemma needs_no_query_norm : let W := scoring 2%:R 0 1 0 shrunk id 0 in
  logit sh (queried_one W 2%:R) = 2%:R /\ logit sh (model_of W) = 5%:R / 3%:R.
Proof. by split; by_numbers shrunk (@id rat) false. Qed.
(* Needed: theorem=stays_tied,orthogonal_images hypothesis=no norm of keys lemma=needs_no_key_norm *)
Lemma needs_no_key_norm : let W := scoring 2%:R 0 1 0 id shrunk 0 in
  logit sh (queried_one W 2%:R) = 5%:R / 3%:R /\ logit sh (model_of W) = 2%:R.
Proof. by split; by_numbers (@id rat) shrunk false. Qed.
(* A bias of 1 of the queries or the keys: 2 in place of 3. *)
(* Needed: theorem=stays_tied,orthogonal_images hypothesis=no bias of queries lemma=needs_no_query_bias *)
Lemma needs_no_query_bias : let W := scoring 1 1 1 0 id id 0 in
  logit sh (queried_one W 1) = 2%:R /\ logit sh (model_of W) = 3%:R.
Proof. by split; by_numbers (@id rat) (@id rat) false. Qed.
(* Needed: theorem=stays_tied,orthogonal_images hypothesis=no bias of keys lemma=needs_no_key_bias *)
Lemma needs_no_key_bias : let W := scoring 1 0 1 1 id id 0 in
  logit sh (queried_one W 1) = 2%:R /\ logit sh (model_of W) = 3%:R.
Proof. by split; by_numbers (@id rat) (@id rat) false. Qed.

(* -- width 2, Omega = 1: the basis changes nothing *)
Lemma in_basis_1 m h' dk' (sh' : shape rational m (h' * dk') h' h' dk') (e : 'M_(m, h' * dk')) H
  (W : layer rational m (h' * dk') h' h' dk') C T :
  norm sh' = None -> model_forward sh' (queried sh' (model_around e H W) W 1%:M C) T =
  model_forward sh' (model_around e H (with_queries W 1%:M (keys_of C))) T.
Proof. by move=> noN; rewrite /in_basis forward_gauge //= => [_|]; rewrite ?unitmx1 ?trmx1 ?mulmx1. Qed.
(* RoPE, a quarter turn at the second token, W_Q = diag(1, 2), W_K = 1: -1 in place of -2. *)
(* Needed: theorem=stays_tied,orthogonal_images hypothesis=no rotations lemma=needs_no_rope *)
Lemma needs_no_rope : let Q := pair_of 1 0 0 2%:R in let W := two_tokens Q one in let M := model_around one None W in
  let C : 'I_1 -> 'M_(2, 1 * 2) := fun=> Q in
  [/\ images_within W one C, model_forward turning (queried turning M W one C) one 1 0 = - 1 &
      model_forward turning M one 1 0 = - 2%:R].
Proof.
cbv zeta; split; rewrite ?in_basis_1 //; [|by by_turns true|by by_turns true].
by move=> a; left; rewrite /score_form !one_head_cols trmx1 mulmx1 mul1mx.
Qed.
(* Heads that read each other's keys and values, W_Q = diag(1, 2), W_K = 1, W_V = diag(0, 1): 4 in place of 3. *)
(* Needed: theorem=stays_tied,orthogonal_images hypothesis=a key head for each head lemma=needs_own_keys *)
Lemma needs_own_keys : let Q := pair_of 1 0 0 2%:R in let W := two_heads Q 1%:M (pair_of 0 0 0 1) 1%:M in
  let M := model_around (row_of 1 1) None W in let C a := row a Q in
  [/\ images_within W (1%:M : 'M_(2 * 1)) C,
      model_forward (unturned swap) (queried (unturned swap) M W 1%:M C) 1%:M 0 0 = 4%:R &
      model_forward (unturned swap) M 1%:M 0 0 = 3%:R].
Proof.
cbv zeta; split; rewrite ?in_basis_1 //; [|by by_heads|by by_heads].
by move=> a; left; case: (two_heads_only a) => ->; apply: pair_eq; rewrite /= !(mxE, big_ord1); apply/eqP; vm_compute.
Qed.
(* Two heads that both read the first number, with values in the second alone, and the basis 1, where the second head
 * would read the second number: 1 in place of 2, whatever C is. *)
(* Needed: theorem=stays_tied hypothesis=the image of A_a in the span of Omega_a lemma=needs_image_within *)
Lemma needs_image_within (C : 'I_2 -> 'M[rat]_(1, 2 * 1)) : let Q := pair_of 1 1 0 0 in
  let W := two_heads Q Q (pair_of 0 1 0 0) (pair_of 0 0 1 0) in let M := model_around (row_of 1 0) None W in
  model_forward (unturned id) (queried (unturned id) M W 1%:M C) 1%:M 0 0 = 1 /\
  model_forward (unturned id) M 1%:M 0 0 = 2%:R.
Proof.
cbv zeta; split; rewrite ?in_basis_1 //; last by by_heads.
rewrite heads_logit // /head_writes !two_terms /= !pair_dot !mxE /=.
by rewrite !(mulr0, mul0r, addr0, add0r, mulr1).
Qed.

(* -- W_Q = (1, 1; 0, 0) in place of 1, W_K = 1: A_1' A_2 is not 0; nor is A_1' A_1 where W_Q = 1. *)
(* Needed: theorem=orthogonal_forms hypothesis=W_Q is 1, and two heads lemma=only_needs_identity *)
Lemma only_needs_identity : let A := score_form (pair_of 1 1 0 0 : 'M_(2 * 1)) 1%:M in
  let B := score_form (1%:M : 'M[rat]_(2 * 1)) 1%:M in
  ((A 0)^T *m A 1) 0 1 = 1 /\ ((B 0)^T *m B 0) 0 0 = 1.
Proof. by cbv zeta; split; rewrite pair_dot /score_form !(mxE, big_ord1); apply/eqP; vm_compute. Qed.
(* Both heads of needs_image_within read the first number: no orthogonal Omega has A_a = Omega_a C_a for both. *)
(* Needed: theorem=orthogonal_images hypothesis=mutually orthogonal images of the heads that have values lemma=needs_orthogonal_images *)
Lemma needs_orthogonal_images (Omega : 'M[rat]_(2 * 1)) (C : 'I_2 -> 'M[rat]_(1, 2 * 1)) :
  let Q : 'M_(2 * 1) := pair_of 1 1 0 0 in let A := score_form Q Q in
  Omega *m Omega^T = 1%:M -> ~ forall a, A a = cols Omega a *m C a.
Proof.
move=> Q A o e; have one : ((A 0)^T *m A 1) 0 0 = 1.
  by rewrite pair_dot /A /Q /score_form !(mxE, big_ord1); apply/eqP; vm_compute.
have z : (cols Omega 0)^T *m cols Omega 1 = 0.
  rewrite -rows_tr; have <- : rows (cols (Omega^T *m Omega) 1) 0 = rows Omega^T 0 *m cols Omega 1.
    by apply/matrixP => i j; rewrite !mxE; apply: eq_bigr => k _; rewrite !mxE.
  by rewrite (mulmx1C o) -(blockdiag1 2 1 _) cols_blockdiag.
move: one; rewrite !e trmx_mul mulmxA -(mulmxA (C 0)^T) z mulmx0 mul0mx mxE => /eqP.
by rewrite eq_sym oner_eq0.
Qed.
(* Needed: theorem=stays_tied,orthogonal_images,orthogonal_forms hypothesis=a tied head argued=the conclusion says that the head stays tied, which only a tied one can; untied is n12.v *)
(* Needed: theorem=stays_tied,orthogonal_images hypothesis=the layers are before, W, after argued=names the layer whose queries go *)
End Needed.
