(* n21.v - N21, what is redundant in multi-head latent attention (DeepSeek-V2): the four changes of basis that leave its
 * function.  That there are no others, the counts of N21, is not here.
 *
 *   C = N_q(X W_DQ), Z = N(X W_DKV)                       latents, n x r_q and n x r
 *   head a: rowmap(C W_UQ^a (Z W_UK^a)' + rotated(C W_QR^a) rotated(X W_KR)') Z W_UV^a
 * N_q and N are any functions, the identity where there are no norms; so is the row map, of its own in each head, with
 * mask and scale in it. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge heads witness witness_pairs.
From Theorems Require Import k_p3_2 n7.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Latent.
Variables (R : comUnitRingType) (n d h dk dv dr r_q r : nat).
Record latent := Latent {
  W_DQ : 'M[R]_(d, r_q); W_DKV : 'M[R]_(d, r);
  W_UQ : 'M[R]_(r_q, h * dk); W_QR : 'M[R]_(r_q, h * dr);
  W_UK : 'M[R]_(r, h * dk); W_UV : 'M[R]_(r, h * dv);
  W_KR : 'M[R]_(d, dr); W_O : 'M[R]_(h * dv, d) }.
Record functions := Functions {
  norm_q : 'M[R]_(n, r_q) -> 'M[R]_(n, r_q); norm_kv : 'M[R]_(n, r) -> 'M[R]_(n, r);
  rotation : 'I_n -> 'M[R]_dr; rowmap : 'I_h -> 'M[R]_n -> 'M[R]_n }.
Implicit Types (F : functions) (W : latent) (X : 'M[R]_(n, d)).

(* row t of A times the rotation of position t *)
Definition rotated F (A : 'M[R]_(n, dr)) : 'M_(n, dr) := \matrix_(t, j) (row t A *m rotation F t) 0 j.
Definition latent_attention F W X : 'M_(n, d) :=
  let C := norm_q F (X *m W_DQ W) in
  let Z := norm_kv F (X *m W_DKV W) in
  let KR := rotated F (X *m W_KR W) in
  let score a := cols (C *m W_UQ W) a *m (cols (Z *m W_UK W) a)^T + rotated F (cols (C *m W_QR W) a) *m KR^T in
  hcat (fun a => rowmap F a (score a) *m cols (Z *m W_UV W) a) *m W_O W.

(* W_DQ M_q, M_q^-1 (W_UQ | W_QR) and W_DKV M, M^-1 (W_UK | W_UV) *)
Definition turn_latents (M_q : 'M_r_q) (M : 'M_r) W : latent :=
  Latent (W_DQ W *m M_q) (W_DKV W *m M) (invmx M_q *m W_UQ W) (invmx M_q *m W_QR W)
         (invmx M *m W_UK W) (invmx M *m W_UV W) (W_KR W) (W_O W).

Lemma turned_latents F W M_q M X : M_q \in unitmx -> M \in unitmx ->
  (forall C, norm_q F (C *m M_q) = norm_q F C *m M_q) -> (forall Z, norm_kv F (Z *m M) = norm_kv F Z *m M) ->
  latent_attention F (turn_latents M_q M W) X = latent_attention F W X.
Proof.
move=> uq u cq c; rewrite /latent_attention /= !(mulmxA X) cq c; congr (_ *m _).
by apply: eq_hcat => a; rewrite !read_back.
Qed.

(* Provably: claim=N21 part=as-stated theorem=no_norms quantifiers=all commutative rings, sizes, heads, weights, X, row maps, rotations, invertible M_q and M *)
Theorem no_norms F W M_q M X : (forall C, norm_q F C = C) -> (forall Z, norm_kv F Z = Z) ->
  M_q \in unitmx -> M \in unitmx -> latent_attention F (turn_latents M_q M W) X = latent_attention F W X.
Proof. by move=> nq nkv uq u; apply: turned_latents => // A; rewrite ?nq ?nkv. Qed.

(* Norms that commute with orthogonal matrices *)
Theorem behind_norms F W M_q M X : commutes (norm_q F) -> commutes (norm_kv F) -> orthogonal M_q -> orthogonal M ->
  latent_attention F (turn_latents M_q M W) X = latent_attention F W X.
Proof.
move=> cq c oq o; have [uq _] := orthogonal_unit oq; have [u _] := orthogonal_unit o.
by apply: turned_latents => // A; [apply: cq | apply: c].
Qed.

(* RMSNorm without gain, x -> rho(|x|^2) x in each row: rho(y) = 1 / sqrt(y / r + eps) *)
Definition radial p (rho : R -> R) (X : 'M[R]_(n, p)) : 'M_(n, p) :=
  \matrix_(i, j) (rho ((row i X *m (row i X)^T) 0 0) * X i j).
(* Provably: claim=N21 part=as-stated-norm theorem=behind_rms quantifiers=all commutative rings, sizes, heads, weights, X, norms rho(|x|^2) x with any rho, as RMSNorm, orthogonal M_q and M *)
Theorem behind_rms F W M_q M X rho_q rho : (forall C, norm_q F C = radial rho_q C) ->
  (forall Z, norm_kv F Z = radial rho Z) -> orthogonal M_q -> orthogonal M ->
  latent_attention F (turn_latents M_q M W) X = latent_attention F W X.
Proof.
move=> nq nkv; apply: behind_norms => Omega A o; first by rewrite !nq; exact: radial_commutes.
by rewrite !nkv; exact: radial_commutes.
Qed.

(* W_UQ^a A_a, W_UK^a A_a^-T and W_UV^a B_a, B_a^-1 W_O^a *)
Definition turn_heads (A : 'I_h -> 'M_dk) (B : 'I_h -> 'M_dv) W : latent :=
  Latent (W_DQ W) (W_DKV W) (W_UQ W *m blockdiag A) (W_QR W) (W_UK W *m blockdiag (fun a => (invmx (A a))^T))
         (W_UV W *m blockdiag B) (W_KR W) (blockdiag (fun a => invmx (B a)) *m W_O W).

(* Provably: claim=N21 part=as-stated-heads theorem=within_heads quantifiers=all commutative rings, sizes, heads, weights, X, norms, row maps, rotations, invertible A_a and B_a *)
Theorem within_heads F W A B X : (forall a, A a \in unitmx) -> (forall a, B a \in unitmx) ->
  latent_attention F (turn_heads A B W) X = latent_attention F W X.
Proof.
move=> uA uB; rewrite /latent_attention /= !hcat_mul; apply: eq_bigr => a _.
rewrite rows_blockdiag_mul !(mulmxA (norm_q F _)) !(mulmxA (norm_kv F _)) !cols_mul_blockdiag trmx_mul trmxK.
rewrite read_back //; by rewrite (mulmxA _ (cols _ _)) read_back.
Qed.

(* W_QR^a D, W_KR D^-T, one D for all heads *)
Definition turn_rotated (D : 'M_dr) W : latent :=
  Latent (W_DQ W) (W_DKV W) (W_UQ W) (W_QR W *m blockdiag (fun=> D)) (W_UK W) (W_UV W) (W_KR W *m (invmx D)^T) (W_O W).

Lemma rotated_mul F A (D : 'M_dr) : (forall t, rotation F t *m D = D *m rotation F t) ->
  rotated F (A *m D) = rotated F A *m D.
Proof.
have row_rotated B t : row t (rotated F B) = row t B *m rotation F t by apply/rowP => j; rewrite [LHS]mxE [LHS]mxE.
by move=> RD; apply/row_matrixP => t; rewrite row_mul !row_rotated row_mul -!mulmxA RD.
Qed.

Lemma turned_rotated F W D X : D \in unitmx ->
  (forall t, rotation F t *m (rotation F t)^T = 1%:M /\ rotation F t *m D = D *m rotation F t) ->
  latent_attention F (turn_rotated D W) X = latent_attention F W X.
Proof.
move=> u rot; rewrite /latent_attention /= (mulmxA X); congr (_ *m _); apply: eq_hcat => a.
rewrite (mulmxA (norm_q F _)) cols_mul_blockdiag.
rewrite [rotated F (_ *m D)]rotated_mul => [|t]; last by have [] := rot t.
rewrite [rotated F (_ *m (invmx D)^T)]rotated_mul => [|t]; last by have [o c] := rot t; apply: commute_inverse_tr.
by rewrite trmx_mul trmxK read_back.
Qed.
End Latent.

(* Rotations by pairs of columns, as RoPE's, of cosine c and sine s; D of blocks (a, b; -b, a). *)
(* Provably: claim=N21 part=as-stated-rope theorem=one_for_all_heads quantifiers=all commutative rings, sizes, heads, weights, X, norms, row maps, angles, a and b with D invertible *)
Theorem one_for_all_heads (R : comUnitRingType) n d h dk dv p r_q r (F : functions R n h (p * 2) r_q r)
    (W : latent R d h dk dv (p * 2) r_q r) (c s : 'I_n -> 'I_p -> R) (a b : 'I_p -> R) X :
  (forall t f, c t f * c t f + s t f * s t f = 1) ->
  (forall t, rotation F t = blockdiag (fun f => pair (c t f) (s t f))) ->
  let D := blockdiag (fun f => pair (a f) (b f)) in D \in unitmx ->
  latent_attention F (turn_rotated D W) X = latent_attention F W X.
Proof.
move=> unit rot D u; apply: turned_rotated => // t.
rewrite rot /D tr_blockdiag !mul_blockdiag -(blockdiag1 p 2 R); split; apply: eq_blockdiag => f.
  by rewrite pair_tr pair_mul mulrN opprK unit mulrN [s t f * _]mulrC addNr pair1.
rewrite !pair_mul; congr pair; first by rewrite (mulrC (c t f)) (mulrC (s t f)).
by rewrite addrC (mulrC (c t f)) (mulrC (s t f)).
Qed.

(* ---- without a hypothesis: one number everywhere, the row map the score itself ----------------------------------- *)

Section Needed.
Notation num x := (x%:M : 'M[rat]_1).
Definition units : latent rational 1 1 1 1 1 1 1 :=
  Latent (num 1) (num 1) (const_mx 1) (const_mx 1) (const_mx 1) (const_mx 1) (num 1) (const_mx 1).
(* norms of the two latents *)
Definition of_norms (f g : rat -> rat) : functions rational 1 1 1 1 1 :=
  Functions (map_mx f) (map_mx g) (fun=> 1%:M) (fun=> id).
Notation attended f g W := (latent_attention (of_norms f g) W (num 1) 0 0).
Notation latents M_q M := (turn_latents (num M_q) (num M) units).

Lemma of_one f g (W : latent rational 1 1 1 1 1 1 1) : let c := f (W_DQ W 0 0) in let z := g (W_DKV W 0 0) in
  attended f g W = (c * W_UQ W 0 0 * (z * W_UK W 0 0) + c * W_QR W 0 0 * W_KR W 0 0) * (z * W_UV W 0 0) * W_O W 0 0.
Proof. by rewrite /latent_attention /rotated /= !(mxE, big_ord1) /= !ord1 !mul1r !mulr1. Qed.
Ltac by_numbers := rewrite of_one /= ?invmx_scalar ?(mxE, big_ord1) ?ord1 ?eqxx; apply/eqP; vm_compute.

(* A norm x / (|x| + 1) of the queries' latent, M_q = 2: 2/3 in place of 1. *)
(* Needed: theorem=no_norms hypothesis=no norm of the queries' latent lemma=needs_no_norm *)
Lemma needs_no_norm : attended shrunk id (latents 2%:R 1) = 2%:R / 3%:R /\ attended shrunk id units = 1.
Proof. by split; by_numbers. Qed.
(* Of the latent of keys and values, M = 2: 4/9 in place of 3/4. *)
(* Needed: theorem=no_norms hypothesis=no norm of the latent of keys and values lemma=needs_no_key_norm *)
Lemma needs_no_key_norm : attended id shrunk (latents 1 2%:R) = 4%:R / 9%:R /\ attended id shrunk units = 3%:R / 4%:R.
Proof. by split; by_numbers. Qed.
(* The norm x + 1, which does not commute with -1: M_q = -1, 0 in place of 4; M = -1, 0 in place of 6. *)
(* Needed: theorem=behind_norms,behind_rms hypothesis=a norm of the queries' latent that commutes lemma=needs_commuting_norms *)
(* Needed: theorem=behind_norms,behind_rms hypothesis=a norm of the latent of keys and values that commutes lemma=needs_commuting_norms *)
Lemma needs_commuting_norms : let next (x : rat) := x + 1 in
  [/\ attended next id (latents (- 1) 1) = 0, attended next id units = 4%:R,
      attended id next (latents 1 (- 1)) = 0 & attended id next units = 6%:R].
Proof. by split; by_numbers. Qed.
(* The sign, which commutes with orthogonal numbers as RMSNorm does, M_q = 2 or M = 2: 1 or 3/4 in place of 2. *)
(* Needed: theorem=behind_norms hypothesis=M_q orthogonal lemma=needs_orthogonal *)
(* Needed: theorem=behind_norms hypothesis=M orthogonal lemma=needs_orthogonal *)
Lemma needs_orthogonal : let sign (x : rat) := Num.sg x in commutes (map_mx sign : 'M[rat]_1 -> 'M_1) /\
  [/\ attended sign id (latents 2%:R 1) = 1, attended id sign (latents 1 2%:R) = 3%:R / 4%:R,
      attended sign id units = 2%:R & attended id sign units = 2%:R].
Proof. by move=> sign; split; first exact: sign_commutes; split; by_numbers. Qed.
(* x^3, rho(y) = y, M_q = 2 or M = 2: 8 or 20 in place of 2. *)
(* Needed: theorem=behind_rms hypothesis=M_q orthogonal lemma=rms_needs_orthogonal *)
(* Needed: theorem=behind_rms hypothesis=M orthogonal lemma=rms_needs_orthogonal *)
Lemma rms_needs_orthogonal : let cube (x : rat) := x * x * x in
  (forall C : 'M[rat]_1, map_mx cube C = radial id C) /\
  [/\ attended cube id (latents 2%:R 1) = 8%:R, attended id cube (latents 1 2%:R) = 20%:R,
      attended cube id units = 2%:R & attended id cube units = 2%:R].
Proof.
move=> cube; split; last by split; by_numbers.
by move=> C; apply/matrixP => i j; rewrite !ord1 !(mxE, big_ord1).
Qed.
(* M_q, M, A, B or D is 0, which has no inverse (Coq writes 0 for it): 0, 0, 1, 0 and 1 in place of 2. *)
(* Needed: theorem=no_norms hypothesis=M_q in GL(r_q) lemma=needs_invertible *)
(* Needed: theorem=no_norms hypothesis=M in GL(r) lemma=needs_invertible *)
(* Needed: theorem=within_heads hypothesis=every A_a in GL(d_k) lemma=needs_invertible *)
(* Needed: theorem=within_heads hypothesis=every B_a in GL(d_v) lemma=needs_invertible *)
Lemma needs_invertible :
  [/\ attended id id (latents 0 1) = 0, attended id id (latents 1 0) = 0,
      attended id id (turn_heads (fun=> num 0) (fun=> 1%:M) units) = 1,
      attended id id (turn_heads (fun=> 1%:M) (fun=> num 0) units) = 0 & attended id id units = 2%:R] /\
  attended id id (turn_rotated (num 0) units) = 1.
Proof. by split; [split|]; by_numbers. Qed.

(* -- two tokens 1, one rotated part of width 2: all that is attended is the sum of the scores *)
Definition only_rotated (QR KR : 'M[rat]_(1, 1 * 2)) : latent rational 1 1 1 1 2 1 1 :=
  @Latent _ 1 1 1 1 (1 * 2) 1 1 1%:M 1%:M 0 QR 0 1%:M KR 1%:M.
Definition turned_by (rot : 'I_2 -> 'M[rat]_2) : functions rational 2 1 2 1 1 := Functions id id rot (fun=> id).
Lemma of_two rot QR KR : latent_attention (turned_by rot) (only_rotated QR KR) (const_mx 1) 1 0 =
  \sum_(j < 2) ((QR *m rot 1) *m (KR *m rot j)^T) 0 0.
Proof.
have same (A : 'M[rat]_(1, 1 * 2)) t : row t (const_mx 1 *m A : 'M_(2, 1 * 2)) = A.
  by apply/rowP => k; rewrite !mxE big_ord1 mxE mul1r.
have head (A : 'M[rat]_(2, 1 * 2)) (a : 'I_1) : cols A a = A.
  by apply/matrixP => t k; rewrite mxE; congr (A _ _); apply: val_inj; rewrite /= ord1.
rewrite /latent_attention /= !mulmx1 mxE mxE; apply: eq_bigr => j _.
rewrite [cols (const_mx 1) _ _ _]mxE [const_mx _ _ _]mxE mulr1 mxE [X in X + _](_ : _ = 0); last first.
  by rewrite !mulmx0 mxE big_ord1 !mxE mul0r.
rewrite add0r head mxE [RHS]mxE; apply: eq_bigr => k _.
by rewrite [rotated _ _ _ _]mxE [X in _ * X]mxE [rotated _ _ _ _]mxE [X in _ = _ * X]mxE /= !same.
Qed.
(* D a quarter turn.  Rotations are 1 and diag(1, -1), which are not of pairs: 0 in place of 2. *)
(* Needed: theorem=one_for_all_heads hypothesis=rotations by pairs of columns lemma=needs_rotations_by_pairs *)
(* Needed: theorem=one_for_all_heads hypothesis=c c and s s are 1 in sum argued=makes them rotations; nothing goes wrong without it, as a pair times its transposed is c c and s s in sum times 1 *)
Lemma needs_rotations_by_pairs :
  let rot (t : 'I_2) : 'M[rat]_2 := if (t < 1)%N then 1%:M else pair_of 1 0 0 (- 1) in
  let W := only_rotated (row_of 1 0) (row_of 1 0) in let D : 'M_(1 * 2) := blockdiag (fun=> pair 0 1) in
  latent_attention (turned_by rot) (turn_rotated D W) (const_mx 1) 1 0 = 0 /\
  latent_attention (turned_by rot) W (const_mx 1) 1 0 = 2%:R.
Proof.
have D_is : blockdiag (fun _ : 'I_1 => pair 0 1) = pair_of 0 1 (- 1) 0 :> 'M[rat]_2.
  by rewrite one_block; apply: pair_eq; rewrite !mxE.
have [inverse _] : invmx (pair_of 0 1 (- 1) 0) = pair_of 0 (- 1) 1 0 /\ pair_of 0 1 (- 1) 0 \in unitmx.
  by apply: invmx_eq; apply: pair_eq; rewrite pair_dot !mxE; apply/eqP; vm_compute.
cbv zeta; split; last by rewrite of_two two_terms /= !mulmx1 !row_pair !row_dot; apply/eqP; vm_compute.
rewrite D_is -[turn_rotated _ _]/(only_rotated (_ *m blockdiag (fun=> _)) (_ *m (invmx _)^T)) of_two two_terms /=.
by rewrite one_block inverse pair_of_tr !mulmx1 !row_pair !row_dot; apply/eqP; vm_compute.
Qed.
(* D = 0 has no inverse, rotations are 1: 0 in place of 2. *)
(* Needed: theorem=one_for_all_heads hypothesis=D in GL(d_r) lemma=one_needs_invertible *)
Lemma one_needs_invertible : let W := only_rotated (row_of 1 0) (row_of 1 0) in let rot := fun=> 1%:M in
  latent_attention (turned_by rot) (turn_rotated 0 W) (const_mx 1) 1 0 = 0 /\
  latent_attention (turned_by rot) W (const_mx 1) 1 0 = 2%:R.
Proof.
cbv zeta; split; rewrite -?[turn_rotated _ _]/(only_rotated _ _) of_two two_terms /= !mulmx1.
  by rewrite !one_block !mulmx0 !mul0mx !mxE addr0.
by rewrite !row_dot; apply/eqP; vm_compute.
Qed.
End Needed.
