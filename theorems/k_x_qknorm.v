(* k_x_qknorm.v - K-X-qknorm: normed queries and keys.  Any function of the queries of a head and of its keys, gains
 * included, stands between the weights and the scores (norm_q, norm_k). *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads forms witness witness_linear.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Normed.
Variables (R : comUnitRingType) (n h h_kv dk V : nat) (sh : shape R n (h * dk) h h_kv dk).
Hypothesis no_norm : norm sh = None.
(* Provably: claim=K-X-qknorm part=as-stated theorem=qk_norm_4_2 quantifiers=all sizes, heads, depths, functions *)
Theorem qk_norm_4_2 : one_layer_eliminated V sh.
Proof. exact: one_layer_holds. Qed.
(* Provably: claim=K-X-qknorm part=as-stated-theorem-4.3 theorem=qk_norm_4_3 quantifiers=all sizes, heads, depths, functions *)
Theorem qk_norm_4_3 : shared_block_eliminated V sh.
Proof. exact: shared_block_holds. Qed.
(* Provably: claim=K-X-qknorm part=as-stated-theorem-4.4 theorem=qk_norm_4_4 quantifiers=all sizes, heads, depths, functions *)
Theorem qk_norm_4_4 : skips_around_attention_only sh -> all_layers_eliminated V sh.
Proof. by move=> only; apply: all_layers_hold => //; apply: attention_only_crosses. Qed.
End Normed.

Section Orthogonal.
Variables (R : comUnitRingType) (n d h h_kv dk : nat).
(* A norm rho(|v|^2) v of each row, then gains. *)
Definition radial (rho : R -> R) (gain : 'M[R]_dk) (A : 'M[R]_(n, dk)) : 'M_(n, dk) :=
  scale_rows (\col_t rho ((row t A *m (row t A)^T) 0 0)) A *m gain.

Lemma radial_turn rho gain A (D : 'M_dk) : D *m D^T = 1%:M -> gain *m D = D *m gain ->
  radial rho gain (A *m D) = radial rho gain A *m D.
Proof.
move=> orth comm; rewrite /radial -[RHS]mulmxA comm mulmxA; congr (_ *m gain).
rewrite -scale_rows_mul; congr scale_rows.
apply/colP => t; rewrite [LHS]mxE [RHS]mxE; congr (rho (fun_of_matrix _ 0 0)).
by rewrite row_mul trmx_mul mulmxA -(mulmxA (row t A)) orth mulmx1.
Qed.

(* Proposition 3.2 for orthogonal D_g that commute with the gains of queries and keys. *)
(* Provably: claim=K-X-qknorm part=as-stated-proposition-3.2 theorem=orthogonal_turn quantifiers=all sizes, heads, norms, X, D *)
(* Provably: claim=K-X-qknorm part=as-stated-gain theorem=orthogonal_turn quantifiers=all sizes, heads, norms, D *)
Theorem orthogonal_turn (sh : shape R n d h h_kv dk) (D : 'I_h_kv -> 'M[R]_dk) W rho_q rho_k gain_q gain_k X :
  (forall t, rotation sh t = 1%:M) -> (forall g, D g *m (D g)^T = 1%:M) ->
  (forall a A, norm_q W a A = radial rho_q gain_q A) -> (forall g A, norm_k W g A = radial rho_k gain_k A) ->
  (forall g, gain_q *m D g = D g *m gain_q) -> (forall g, gain_k *m D g = D g *m gain_k) ->
  model_self_attention sh (turn_query_key sh D W) X = model_self_attention sh W X.
Proof.
move=> rope orth nq nk cq ck; have inv g : (invmx (D g))^T = D g by have [-> _] := invmx_eq (orth g); rewrite trmxK.
apply: turn_query_key_attention => [g|t g|]; first by have [] := invmx_eq (orth g).
  by rewrite rope trmx1 !(mulmx1, mul1mx).
by split=> [a A|g A]; rewrite ?nq ?nk ?inv radial_turn.
Qed.
End Orthogonal.

(* ---- without a hypothesis of orthogonal_turn: two tokens X = I, one head of width 2, its scores themselves ------- *)

Section Needed.
Definition normed_pair (norm_q norm_k : 'M[rat]_2 -> 'M[rat]_2) :=
  @linear_layer 2 1 2 1%:M 1%:M 1%:M 1%:M 0 0 0 norm_q norm_k.
Notation S rot W := (model_self_attention (@reading 2 1 2 id rot) W (1%:M : 'M[rat]_(2, 1 * 2))).
Notation turned rot D W := (turn_query_key (@reading 2 1 2 id rot) (fun=> D : 'M[rat]_2) W).
Notation straight := (fun=> 1%:M : 'M[rat]_2).
Notation plain := (radial (fun=> 1) 1%:M).

Lemma one_block (A : 'M[rat]_(2, 1 * 2)) a : cols A a = A.
Proof. by apply/matrixP => i j; rewrite mxE; congr (A _ _); apply: val_inj; rewrite /= ord1. Qed.
(* q_i k_j' of the turned rows of N_q(D) and N_k(D^-T) *)
Definition score (rot : 'I_2 -> 'M[rat]_2) (q k : 'M[rat]_2) (i j : 'I_2) : rat :=
  let turn (A : 'M[rat]_2) t l := A t 0 * rot t 0 l + A t 1 * rot t 1 l in
  turn q i 0 * turn k j 0 + turn q i 1 * turn k j 1.
Lemma rotate_at (rot : 'I_2 -> 'M[rat]_2) (A : 'M[rat]_2) i j :
  rotate (@reading 2 1 2 id rot) A i j = A i 0 * rot i 0 j + A i 1 * rot i 1 j.
Proof. by rewrite [LHS]mxE [LHS]mxE two_terms !mxE. Qed.
Lemma scores rot nq nk i j : S rot (normed_pair nq nk) i j = score rot (nq 1%:M) (nk 1%:M) i j.
Proof.
have -> : S rot (normed_pair nq nk) =
    rotate (@reading 2 1 2 id rot) (nq 1%:M) *m (rotate (@reading 2 1 2 id rot) (nk 1%:M))^T.
  apply: (@cols_inj 1 2) => a; rewrite [LHS]cols_hcat /head_attention /= !one_block !affine_no_bias !mul1mx scale1r.
  by rewrite mulmx1.
by rewrite [LHS]pair_dot ![_^T _ _]mxE !rotate_at.
Qed.
Lemma scores_turned rot D nq nk i j :
  S rot (turned rot D (normed_pair nq nk)) i j = score rot (nq D) (nk (invmx D)^T) i j.
Proof.
have -> : S rot (turned rot D (normed_pair nq nk)) =
    rotate (@reading 2 1 2 id rot) (nq D) *m (rotate (@reading 2 1 2 id rot) (nk (invmx D)^T))^T.
  apply: (@cols_inj 1 2) => a; rewrite [LHS]cols_hcat /head_attention /= !affine_cols !one_block.
  by rewrite !affine_no_bias !mul1mx scale1r mulmx1.
by rewrite [LHS]pair_dot ![_^T _ _]mxE !rotate_at.
Qed.

Definition swap : 'M[rat]_2 := pair_of 0 1 1 0.
Lemma swap_orthogonal : swap *m swap^T = 1%:M.
Proof. by apply/matrixP => -[[|[|//]] ?] [[|[|//]] ?]; rewrite pair_dot !mxE; apply/eqP; vm_compute. Qed.
Lemma swap_inverse : (invmx swap)^T = swap.
Proof. by have [-> _] := invmx_eq swap_orthogonal; rewrite trmxK. Qed.
Lemma minus_inverse : (invmx (- 1)%:M : 'M[rat]_2)^T = (- 1)%:M.
Proof. by rewrite invmx_scalar tr_scalar_mx invrN invr1. Qed.
Lemma half_inverse : (invmx 2%:R%:M : 'M[rat]_2)^T = (1 / 2%:R)%:M.
Proof. by rewrite invmx_scalar tr_scalar_mx mul1r. Qed.
Ltac entries := split; rewrite ?scores_turned ?scores ?swap_inverse ?minus_inverse ?half_inverse /score;
  rewrite !(mxE, big_ord_recl, big_ord0); apply/eqP; vm_compute; reflexivity.

(* A quarter turn at the second token and D = (0, 1; 1, 0), which does not commute with it: 1 in place of -1. *)
(* Needed: theorem=orthogonal_turn hypothesis=no rotations lemma=needs_no_rope *)
Lemma needs_no_rope : let W := normed_pair plain plain in
  S quarter (turned quarter swap W) 1 0 = 1 /\ S quarter W 1 0 = - 1.
Proof. by entries. Qed.
(* D = 2, which is not orthogonal, and the norm v / (|v|^2 + 1): 4/25 in place of 1/4. *)
(* Needed: theorem=orthogonal_turn hypothesis=orthogonal D lemma=needs_orthogonal *)
Lemma needs_orthogonal : let norm := radial (fun y => 1 / (y + 1)) 1%:M in let W := normed_pair norm norm in
  S straight (turned straight 2%:R%:M W) 0 0 = 4%:R / 25%:R /\ S straight W 0 0 = 1 / 4%:R.
Proof. by entries. Qed.
(* D = -1 and v + (1, 1), which turns with no v, in place of a norm of the queries, or of the keys: 0 in place of 2. *)
(* Needed: theorem=orthogonal_turn hypothesis=queries by a norm rho(|v|^2) v with gains lemma=needs_radial_queries *)
Lemma needs_radial_queries : let W := normed_pair (fun A => A + const_mx 1) plain in
  S straight (turned straight (- 1)%:M W) 0 0 = 0 /\ S straight W 0 0 = 2%:R.
Proof. by entries. Qed.
(* Needed: theorem=orthogonal_turn hypothesis=keys by a norm rho(|v|^2) v with gains lemma=needs_radial_keys *)
Lemma needs_radial_keys : let W := normed_pair plain (fun A => A + const_mx 1) in
  S straight (turned straight (- 1)%:M W) 0 0 = 0 /\ S straight W 0 0 = 2%:R.
Proof. by entries. Qed.
(* Gains 1 and 2 of the queries, or of the keys, and D = (0, 1; 1, 0), which mixes them: 2 in place of 1. *)
(* Needed: theorem=orthogonal_turn hypothesis=gains of the queries commute with D lemma=needs_query_gain *)
Lemma needs_query_gain : let W := normed_pair (radial (fun=> 1) (pair_of 1 0 0 2%:R)) plain in
  S straight (turned straight swap W) 0 0 = 2%:R /\ S straight W 0 0 = 1.
Proof. by entries. Qed.
(* Needed: theorem=orthogonal_turn hypothesis=gains of the keys commute with D lemma=needs_key_gain *)
Lemma needs_key_gain : let W := normed_pair plain (radial (fun=> 1) (pair_of 1 0 0 2%:R)) in
  S straight (turned straight swap W) 0 0 = 2%:R /\ S straight W 0 0 = 1.
Proof. by entries. Qed.
End Needed.

(* Needed: theorem=qk_norm_4_2 hypothesis=no normalization lemma=k_x_needed.needs_no_norm_4_2 *)
(* Needed: theorem=qk_norm_4_2 hypothesis=head of its own lemma=k_x_needed.needs_untied_4_2 *)
(* Needed: theorem=qk_norm_4_2 hypothesis=layers before, W and after argued=names the layer W that gives the basis, and those before and behind it *)
(* Needed: theorem=qk_norm_4_2 hypothesis=W_Q in GL(d) lemma=k_x_needed.needs_invertible_4_2 *)
(* Needed: theorem=qk_norm_4_3 hypothesis=no normalization lemma=k_x_needed.needs_no_norm_4_3 *)
(* Needed: theorem=qk_norm_4_3 hypothesis=head of its own lemma=k_x_needed.needs_untied_4_3 *)
(* Needed: theorem=qk_norm_4_3 hypothesis=one block for all layers lemma=k_t4_3.needs_shared_block *)
(* Needed: theorem=qk_norm_4_3 hypothesis=W_Q in GL(d) lemma=k_x_needed.needs_invertible_4_3 *)
(* Needed: theorem=qk_norm_4_4 hypothesis=no normalization lemma=k_x_needed.needs_no_norm_4_4 *)
(* Needed: theorem=qk_norm_4_4 hypothesis=skips around attention only lemma=k_x_needed.needs_no_MLP_skip_4_4 *)
(* Needed: theorem=qk_norm_4_4 hypothesis=each W_Q in GL(d) lemma=k_x_needed.needs_invertible_4_4 *)
