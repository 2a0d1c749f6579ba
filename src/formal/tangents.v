(* tangents.v - directions in which a function of parameters does not change, and what they say of its Jacobian.
 *
 * Parameters are numbers w i, i in a finite set I, outputs f w y, y in a finite set Y.  J is the Jacobian at w where
 *     f (w + v) = f w + v J + o(|v|).
 * If f is constant along w + t v + t^2 r(t), r bounded near t = 0, then v J = 0; and where g independent v have v J = 0
 * the rank of J is at most #|I| - g.  For changes of basis: 1 + t A is invertible for small t, with the inverse
 * 1 - t A + t^2 A^2 (1 + t A)^-1, which is bounded. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import order matrices.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Jacobian.
Variables (F : realFieldType) (I Y : finType).
Implicit Types (w v r : I -> F) (f : (I -> F) -> Y -> F) (J : I -> Y -> F).

Definition norm1 v : F := \sum_i `|v i|.
Definition moved w v : I -> F := fun i => w i + v i.
Definition along v J y : F := \sum_i v i * J i y.
Definition jacobian f w J := forall y e, 0 < e -> exists2 s, 0 < s & forall v, norm1 v < s ->
  `|f (moved w v) y - f w y - along v J y| <= e * norm1 v.
(* f is constant along a curve through w in the direction v. *)
Definition constant_along f w v := exists2 s, 0 < s & exists B, forall t, 0 < t < s ->
  exists2 r, norm1 r <= B & forall y, f (moved w (fun i => t * v i + t ^+ 2 * r i)) y = f w y.

Lemma norm1_ge0 v : 0 <= norm1 v.
Proof. exact: sumr_ge0. Qed.

Lemma norm_of_sum (a b : F) : `|a + b| <= `|a| + `|b|.
Proof. by rewrite -{1}[b]opprK -[`|b|]normrN ler_norm_sub. Qed.
Lemma small_below (a D : F) : 0 <= a -> a < D -> D^-1 * a < 1.
Proof. by move=> a0 aD; have D0 := le_lt_trans a0 aD; rewrite mulrC ltr_pdivr_mulr // mul1r. Qed.

Theorem null_direction f w v J : jacobian f w J -> constant_along f w v -> forall y, along v J y = 0.
Proof.
move=> dJ [s s0 [B steps]] y; apply/eqP; apply: contraT => ne; pose a := `|along v J y|.
have a0 : 0 < a by rewrite normr_gt0.
pose C := \sum_i `|J i y|; have C0 : 0 <= C by apply: sumr_ge0.
pose e := a / (4%:R * (norm1 v + 1)); have v1 : 0 < norm1 v + 1 by rewrite ltr_paddl ?norm1_ge0 ?ltr01.
have e0 : 0 < e by rewrite divr_gt0 // mulr_gt0 ?ltr0n.
have [s' s'0 near] := dJ y e e0.
have B0 : 0 <= B.
  have [|r rB _] := steps (s / 2%:R); last by apply: le_trans (norm1_ge0 r) rB.
  by rewrite divr_gt0 ?ltr0n //= ltr_pdivr_mulr ?ltr0n // ltr_pmulr // ltr1n.
pose K1 := s^-1; pose K2 := (norm1 v + B) / s'; pose K3 := 4%:R * (B * C + e * B) / a.
have K1_0 : 0 <= K1 by rewrite invr_ge0 ltW.
have K2_0 : 0 <= K2 by rewrite divr_ge0 ?addr_ge0 ?norm1_ge0 // ltW.
have BC0 : 0 <= B * C + e * B by apply: addr_ge0; apply: mulr_ge0 => //; apply: ltW.
have K3_0 : 0 <= K3 by apply: divr_ge0 (ltW a0); apply: mulr_ge0 => //; apply: ler0n.
pose D := 1 + (K1 + (K2 + K3)); pose t := D^-1.
have D0 : 0 < D by rewrite ltr_paddr ?ltr01 // !addr_ge0.
have t0 : 0 < t by rewrite invr_gt0.
have below K : K <= K1 + (K2 + K3) -> K < D by move=> le; apply: le_lt_trans le _; rewrite ltr_addr ltr01.
have t1 : t <= 1 by rewrite /t invf_le1 // ler_addl !addr_ge0.
have ts : t < s.
  have : t * K1 < 1 by apply: small_below => //; apply: below; rewrite ler_addl addr_ge0.
  by rewrite ltr_pdivr_mulr // mul1r.
have [|r rB same] := steps t; first by rewrite t0.
pose u i := t * v i + t ^+ 2 * r i; have lu : norm1 u <= t * (norm1 v + t * B).
  apply: le_trans (_ : \sum_i (t * `|v i| + t ^+ 2 * `|r i|) <= _).
    apply: ler_sum => i _; apply: le_trans (norm_of_sum _ _) _.
    by rewrite normrM (normrM (t ^+ 2)) normrX (ger0_norm (ltW t0)).
  rewrite big_split /= -!mulr_sumr mulrDr ler_add2l mulrA -expr2.
  by apply: ler_wpmul2l rB; rewrite exprn_ge0 // ltW.
have close : `|along u J y| <= e * norm1 u.
  rewrite -normrN; have := near u _; rewrite same subrr sub0r; apply.
  apply: le_lt_trans lu _; apply: le_lt_trans (_ : t * (norm1 v + B) < s').
    by rewrite ler_wpmul2l ?(ltW t0) // ler_add2l ler_pimull.
  have : t * K2 < 1 by apply: small_below => //; apply: below; rewrite addrCA ler_addl addr_ge0.
  by rewrite mulrA ltr_pdivr_mulr // mul1r.
have split_u : along u J y = t * (along v J y + t * along r J y).
  rewrite /along mulrDr !mulr_sumr -big_split; apply: eq_bigr => i _ /=.
  by rewrite mulrDl !mulrA expr2.
have rest : `|along r J y| <= B * C.
  apply: le_trans (ler_norm_sum _ _ _) _; apply: le_trans (_ : norm1 r * C <= _); last exact: ler_wpmul2r.
  rewrite mulr_sumr; apply: ler_sum => i _; rewrite normrM ler_wpmul2r // /norm1 (bigD1 i) //= ler_addl.
  exact: sumr_ge0.
have first_part : e * norm1 v <= a / 4%:R.
  rewrite /e invfM mulrA -mulrA; apply: ler_pimulr; first by apply: divr_ge0 (ltW a0) _; apply: ler0n.
  by rewrite mulrC ler_pdivr_mulr // mul1r ler_addl ler01.
have second_part : t * (B * C + e * B) < a / 4%:R.
  have : t * K3 < 1 by apply: small_below => //; apply: below; rewrite addrA ler_addr addr_ge0.
  by rewrite mulrA ltr_pdivr_mulr // mul1r mulrCA ltr_pdivl_mulr ?ltr0n // mulrC.
have : a <= t * (B * C + e * B) + e * norm1 v.
  have le : `|along v J y + t * along r J y| <= e * (norm1 v + t * B).
    rewrite -(ler_pmul2l t0) -{1}(ger0_norm (ltW t0)) -normrM -split_u; apply: le_trans close _.
    by rewrite mulrCA; apply: ler_wpmul2l lu; apply: ltW.
  have tr : `|t * along r J y| <= t * (B * C).
    by rewrite normrM (ger0_norm (ltW t0)); apply: ler_wpmul2l rest; apply: ltW.
  have -> : t * (B * C + e * B) + e * norm1 v = e * (norm1 v + t * B) + t * (B * C).
    rewrite !mulrDr [t * (e * B)]mulrCA addrC -addrA; congr (_ + _); exact: addrC.
  apply: le_trans (ler_add le tr); rewrite /a -{1}[along v J y](addrK (t * along r J y)); exact: ler_norm_sub.
rewrite leNgt => /negP []; apply: lt_le_trans (_ : a / 4%:R + a / 4%:R <= _).
  by rewrite addrC; apply: le_lt_trans (_ : a / 4%:R + t * (B * C + e * B) < _); rewrite ?ler_add2r ?ltr_add2l.
rewrite -mulrDl ler_pdivr_mulr ?ltr0n // [a + a](_ : _ = a * 2%:R); last by rewrite mulr_natr.
by apply: ler_wpmul2l; [exact: ltW | rewrite ler_nat].
Qed.

(* The Jacobian as a matrix, and a bound on its rank *)
Definition jacobian_matrix J : 'M[F]_(#|I|, #|Y|) := \matrix_(i, j) J (enum_val i) (enum_val j).
Definition independent (G : finType) (X : G -> I -> F) :=
  forall c : G -> F, (forall i, \sum_g c g * X g i = 0) -> forall g, c g = 0.

Theorem rank_at_most (G : finType) (X : G -> I -> F) J :
  (forall g y, along (X g) J y = 0) -> independent X -> (\rank (jacobian_matrix J) + #|G| <= #|I|)%N.
Proof.
move=> null ind; pose M : 'M_(#|G|, #|I|) := \matrix_(g, i) X (enum_val g) (enum_val i).
have MJ : M *m jacobian_matrix J = 0.
  apply/matrixP => g y; rewrite !mxE -[RHS](null (enum_val g) (enum_val y)) /along.
  by rewrite (big_enum_val (fun i => X (enum_val g) i * J i (enum_val y))); apply: eq_bigr => i _; rewrite !mxE.
have free : row_free M.
  rewrite -kermx_eq0; apply/rowV0P => v /sub_kermxP vM; apply/rowP => g; rewrite mxE -[g]enum_valK.
  apply: (ind (fun g => v 0 (enum_rank g))) => i; have /rowP/(_ (enum_rank i)) := vM.
  rewrite !mxE (big_enum_val (fun g => v 0 (enum_rank g) * X g i)) => e; rewrite -[RHS]e.
  by apply: eq_bigr => l _; rewrite mxE enum_rankK enum_valK.
by move: (mulmx0_rank_max MJ); rewrite (eqP free) addnC.
Qed.
End Jacobian.

(* ---- matrices near 1 ------------------------------------------------------------------------------------------- *)

Section Near.
Variable F : realFieldType.

Definition total m n (A : 'M[F]_(m, n)) : F := \sum_i \sum_j `|A i j|.
Lemma total_ge0 m n (A : 'M_(m, n)) : 0 <= total A.
Proof. by apply: sumr_ge0 => i _; apply: sumr_ge0. Qed.
Lemma total_add m n (A B : 'M_(m, n)) : total (A + B) <= total A + total B.
Proof.
rewrite /total -big_split; apply: ler_sum => i _; rewrite /= -big_split; apply: ler_sum => j _.
by rewrite mxE norm_of_sum.
Qed.
Lemma total_scale m n c (A : 'M_(m, n)) : total (c *: A) = `|c| * total A.
Proof.
by rewrite mulr_sumr; apply: eq_bigr => i _; rewrite mulr_sumr; apply: eq_bigr => j _; rewrite mxE normrM.
Qed.
Lemma total_tr m n (A : 'M_(m, n)) : total A^T = total A.
Proof. by rewrite /total exchange_big; apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite mxE. Qed.
Lemma total_mul m n q (A : 'M_(m, n)) (B : 'M_(n, q)) : total (A *m B) <= total A * total B.
Proof.
rewrite {1}/total mulr_suml; apply: ler_sum => i _.
apply: le_trans (_ : \sum_k \sum_j `|A i j| * `|B j k| <= _).
  apply: ler_sum => k _; rewrite mxE; apply: le_trans (ler_norm_sum _ _ _) _.
  by apply: ler_sum => j _; rewrite normrM.
rewrite exchange_big mulr_suml; apply: ler_sum => j _; rewrite -mulr_sumr; apply: ler_wpmul2l => //.
rewrite /total (bigD1 j) //= ler_addl; apply: sumr_ge0 => l _; exact: sumr_ge0.
Qed.
Lemma total_one n : total (1%:M : 'M_n) = n%:R.
Proof.
rewrite /total (eq_bigr (fun=> 1)) => [|i _]; first by rewrite sumr_const card_ord.
rewrite (bigD1 i) //= mxE eqxx normr1 big1 ?addr0 // => j ji; by rewrite mxE eq_sym (negPf ji) normr0.
Qed.
Lemma total_zero m n (A : 'M_(m, n)) : total A <= 0 -> A = 0.
Proof.
move=> A0; apply/matrixP => i j; rewrite mxE; apply/eqP; rewrite -normr_le0; apply: le_trans A0.
rewrite /total (bigD1 i) //= (bigD1 j) //= -addrA ler_addl addr_ge0 ?sumr_ge0 // => l _; exact: sumr_ge0.
Qed.

Lemma near_one n (A : 'M[F]_n) t : `|t| * total A <= 2%:R^-1 ->
  [/\ 1%:M + t *: A \in unitmx, total (invmx (1%:M + t *: A)) <= n%:R * 2%:R &
      invmx (1%:M + t *: A) = 1%:M - t *: A + t ^+ 2 *: (A *m A *m invmx (1%:M + t *: A))].
Proof.
move=> small; set B := 1%:M + t *: A.
have half m (X : 'M_(m, n)) : total (t *: (X *m A)) <= total X / 2%:R.
  rewrite total_scale; apply: le_trans (_ : `|t| * (total X * total A) <= _); first by rewrite ler_wpmul2l ?total_mul.
  by rewrite mulrCA ler_wpmul2l ?total_ge0.
have two0 : 0 < 2%:R :> F by rewrite ltr0n.
have halved (x y : F) : x <= y + x / 2%:R -> x <= y * 2%:R.
  rewrite -ler_subl_addr -ler_pdivr_mulr //; have -> // : x - x / 2%:R = x / 2%:R.
  apply: (addIr (x / 2%:R)); rewrite subrK -mulrDl [x + x](_ : _ = x * 2%:R).
    by rewrite mulfK //; exact: lt0r_neq0.
  by rewrite mulr_natr.
have u : B \in unitmx.
  rewrite -row_free_unit -kermx_eq0; apply/rowV0P => v /sub_kermxP; rewrite mulmxDr mulmx1 -scalemxAr => /eqP.
  rewrite addr_eq0 => /eqP e; apply: total_zero; rewrite -(mul0r 2%:R); apply: halved; rewrite add0r {1}e.
  by rewrite -scaleN1r total_scale normrN1 mul1r.
have once : invmx B = 1%:M - t *: (A *m invmx B).
  by rewrite -[X in X - _](mulmxV u) mulmxDl mul1mx -scalemxAl addrK.
split=> //.
  apply: halved; have e : invmx B = 1%:M - t *: (invmx B *m A).
    by rewrite -[X in X - _](mulVmx u) mulmxDr mulmx1 -scalemxAr addrK.
  rewrite {1}e; apply: le_trans (total_add _ _) _; rewrite total_one ler_add2l -scaleN1r total_scale normrN1 mul1r.
  exact: half.
have twice : A *m invmx B = A - t *: (A *m A *m invmx B) by rewrite {1}once mulmxBr mulmx1 -scalemxAr mulmxA.
by rewrite {1}once twice scalerBr opprB scalerA -expr2 addrA addrAC.
Qed.

(* Invertible matrices D(t) = 1 + t A + t^2 R(t) that have a property, and their inverses 1 - t A + t^2 R'(t) *)
Definition curve n (good : 'M[F]_n -> Prop) (A : 'M[F]_n) := exists2 s, 0 < s & exists B, forall t, 0 < t < s ->
  exists D R R', [/\ D \in unitmx, good D, D = 1%:M + t *: A + t ^+ 2 *: R,
                     invmx D = 1%:M - t *: A + t ^+ 2 *: R' & total R <= B /\ total R' <= B].

(* t with |t| |A| <= 1/2 *)
Lemma close_to_0 n (A : 'M[F]_n) : exists2 s, 0 < s & forall t, 0 < t < s -> `|t| * total A <= 2%:R^-1.
Proof.
have two0 : 0 < 2%:R :> F by rewrite ltr0n.
have D0 : 0 < 1 + 2%:R * total A by rewrite ltr_paddr ?ltr01 // mulr_ge0 ?total_ge0 ?ltW.
exists (1 + 2%:R * total A)^-1 => [|t /andP [t0 ts]]; first by rewrite invr_gt0.
rewrite (ger0_norm (ltW t0)) -[X in _ <= X]mul1r ler_pdivl_mulr // -mulrA [total A * _]mulrC.
apply: le_trans (_ : t * (1 + 2%:R * total A) <= 1); first by rewrite ler_wpmul2l ?(ltW t0) // ler_addr ler01.
by rewrite -ler_pdivl_mulr // mul1r ltW.
Qed.

(* 1 + t A *)
Lemma straight n (good : 'M[F]_n -> Prop) A : (forall t, good (1%:M + t *: A)) -> curve good A.
Proof.
move=> ok; have [s s0 small] := close_to_0 A; exists s => //; exists (total A * total A * (n%:R * 2%:R)) => t ts.
have [u bound inv] := near_one (small t ts); exists (1%:M + t *: A), 0, (A *m A *m invmx (1%:M + t *: A)).
have le : total (A *m A *m invmx (1%:M + t *: A)) <= total A * total A * (n%:R * 2%:R).
  apply: le_trans (total_mul _ _) _; apply: ler_pmul bound; rewrite ?total_ge0 ?total_mul //.
split=> //; first by rewrite scaler0 addr0.
split=> //; rewrite [total 0]big1 => [|i _]; last by rewrite big1 // => j _; rewrite mxE normr0.
by rewrite !mulr_ge0 ?total_ge0 ?ler0n.
Qed.

(* 2 (1 - (t/2) A)^-1 - 1 is orthogonal where A' = -A. *)
Lemma turning n (good : 'M[F]_n -> Prop) A : A^T = - A ->
  (forall D, D *m D^T = 1%:M -> (forall P, P *m A = A *m P -> P *m D = D *m P) -> good D) -> curve good A.
Proof.
move=> skew ok; have [s s0 small] := close_to_0 A; exists s => //; exists (total A * total A * (n%:R * 2%:R)) => t ts.
have two0 : 0 < 2%:R :> F by rewrite ltr0n.
have two : 2%:R != 0 :> F by rewrite pnatr_eq0.
have half1 : 2%:R^-1 <= 1 :> F by rewrite invf_le1 // ler1n.
pose e := t / 2%:R; have e_small : `|e| * total A <= 2%:R^-1.
  apply: le_trans (small t ts); apply: ler_wpmul2r (total_ge0 _) _ _ _; rewrite normrM; apply: ler_pimulr => //.
  by rewrite ger0_norm ?half1 // invr_ge0 ltW.
have [uP boundP invP] := near_one e_small.
have [|uN boundN invN] := @near_one n A (- e); first by rewrite normrN.
move: uP boundP invP uN boundN invN; set P := 1%:M + e *: A; set N := 1%:M + (- e) *: A.
move=> uP boundP invP uN boundN invN.
have PN : P + N = 2%:R%:M.
  by rewrite /P /N scaleNr addrACA subrr addr0 -raddfD -mulr2n.
have NT : N^T = P by rewrite /N linearD /= trmx1 linearZ /= skew scalerN scaleNr opprK.
have both : invmx N + invmx P = 2%:R *: (invmx N *m invmx P).
  have -> : 2%:R *: (invmx N *m invmx P) = invmx N *m (P + N) *m invmx P by rewrite PN mul_mx_scalar scalemxAl.
  by rewrite mulmxDr mulmxDl mulmxK // mulVmx // mul1mx.
pose turn X : 'M[F]_n := 2%:R *: X - 1%:M.
have orth : turn (invmx N) *m (turn (invmx N))^T = 1%:M.
  have -> : (turn (invmx N))^T = turn (invmx P) by rewrite /turn linearB /= trmx1 linearZ /= trmx_inv NT.
  rewrite /turn mulmxBl mul1mx mulmxBr mulmx1 -scalemxAl -scalemxAr -both scalerDr.
  by rewrite [2%:R *: invmx N + _]addrC addrK opprB addrCA subrr addr0.
have [inv u] := invmx_eq orth; have expand X c : X = 1%:M - c *: A + c ^+ 2 *: (A *m A *m X) ->
    turn X = 1%:M - (2%:R * c) *: A + (2%:R * c) ^+ 2 *: (2%:R^-1 *: (A *m A *m X)).
  move=> e1; rewrite /turn {1}e1 !scalerDr scalerN !scalerA; apply: (addIr 1%:M); rewrite subrK.
  rewrite [RHS]addrAC [1%:M - _ + _]addrAC -{2 3}[1%:M]scale1r -scalerDl -[1 + 1]mulr2n; congr (_ + _ *: _).
  by rewrite exprMn mulrAC [2%:R ^+ 2]expr2 mulfK.
exists (turn (invmx N)), (2%:R^-1 *: (A *m A *m invmx N)), (2%:R^-1 *: (A *m A *m invmx P)).
have te : t = 2%:R * e by rewrite /e mulrCA mulfV // mulr1.
have le X : total X <= n%:R * 2%:R -> total (2%:R^-1 *: (A *m A *m X)) <= total A * total A * (n%:R * 2%:R).
  move=> bX; rewrite total_scale; apply: le_trans (_ : total (A *m A *m X) <= _).
    by rewrite ger0_norm ?invr_ge0 ?(ltW two0) // ler_pimull ?total_ge0.
  by apply: le_trans (total_mul _ _) _; apply: ler_pmul bX; rewrite ?total_ge0 ?total_mul.
have commutes Q : Q *m A = A *m Q -> Q *m turn (invmx N) = turn (invmx N) *m Q.
  move=> QA; have QN : Q *m N = N *m Q by rewrite mulmxDr mulmxDl mulmx1 mul1mx -scalemxAr -scalemxAl QA.
  rewrite mulmxBr mulmxBl mulmx1 mul1mx -scalemxAr -scalemxAl; congr (_ *: _ - _).
  by apply: (can_inj (mulKmx uN)); rewrite [RHS]mulmxA mulmxV // mul1mx mulmxA -QN -mulmxA mulmxV // mulmx1.
split=> //; [exact: ok | | | by split; apply: le].
  by rewrite (expand _ _ invN) mulrN scaleNr opprK sqrrN -te.
by rewrite inv /turn linearB /= trmx1 linearZ /= trmx_inv NT -/(turn _) (expand _ _ invP) -te.
Qed.
End Near.

(* ---- blocks ------------------------------------------------------------------------------------------------------ *)

Section Blocks.
Variables (F : realFieldType) (h dk : nat).
Lemma blockdiag_expand (A R : 'I_h -> 'M[F]_dk) t s :
  blockdiag (fun a => 1%:M + t *: A a + s *: R a) = 1%:M + t *: blockdiag A + s *: blockdiag R.
Proof. by rewrite -(blockdiag1 h dk F); apply/matrixP => k l; rewrite !mxE !mulrnDl !mulrnAr. Qed.
Lemma blockdiag_entry p (A : 'M[F]_(p, h * dk)) D i j :
  (A *m blockdiag D) i j = (cols A (head_of j) *m D (head_of j)) i (place_of j).
Proof. by rewrite -cols_mul_blockdiag [RHS]mxE in_head_of. Qed.
Lemma blockdiag_opp (D : 'I_h -> 'M[F]_dk) : blockdiag (fun a => - D a) = - blockdiag D.
Proof. by apply/matrixP => k l; rewrite !mxE mulNrn. Qed.
Lemma total_blockdiag (D : 'I_h -> 'M[F]_dk) : total (blockdiag D) = \sum_a total (D a).
Proof.
rewrite /total sum_heads; apply: eq_bigr => a _; apply: eq_bigr => i _.
rewrite sum_heads (bigD1 a) //= [X in _ + X]big1.
  by rewrite addr0; apply: eq_bigr => j _; rewrite mxE !head_of_in !place_of_in eqxx.
by move=> b ba; apply: big1 => j _; rewrite mxE !head_of_in eq_sym (negPf ba) normr0.
Qed.
End Blocks.

(* ---- directions A of changes of basis: all of them, those of the orthogonal group ------------------------------- *)

Section Families.
Variable F : realFieldType.
Definition free_family n (K : finType) (basis : K -> 'M[F]_n) :=
  forall c : K -> F, \sum_k c k *: basis k = 0 -> forall k, c k = 0.

Definition unit_matrix n (p : 'I_n * 'I_n) : 'M[F]_n := delta_mx p.1 p.2.
Lemma units_free n : free_family (@unit_matrix n).
Proof.
move=> c /matrixP zero [i j]; have := zero i j; rewrite summxE (bigD1 (i, j)) //= big1 => [|[a b] ne].
  by rewrite !mxE !eqxx mulr1 addr0.
rewrite !mxE /=; case: eqP => [ia|]; case: eqP => [jb|]; rewrite /= ?mulr0 //.
by case/eqP: ne; rewrite ia jb.
Qed.

(* one for each i < j *)
Definition ordered n := {p : 'I_n * 'I_n | (p.1 < p.2)%N}.
Definition skew_matrix n (p : ordered n) : 'M[F]_n := delta_mx (val p).1 (val p).2 - delta_mx (val p).2 (val p).1.
Lemma skew_tr n (p : ordered n) : (skew_matrix p)^T = - skew_matrix p.
Proof. by rewrite /skew_matrix linearB /= !trmx_delta opprB. Qed.
Lemma skew_entry n (p q : ordered n) : skew_matrix q (val p).1 (val p).2 = (q == p)%:R.
Proof.
rewrite -[q == p]/(val q == val p); case: p q => [[i j] ij] [[a b] ab]; rewrite !mxE /=.
rewrite xpair_eqE [i == a]eq_sym [j == b]eq_sym.
have -> : (i == b) && (j == a) = false; last by rewrite subr0.
by apply/negP => /andP [/eqP ib /eqP ja]; move: ij; rewrite ib ja /= ltnNge ltnW.
Qed.
Lemma skews_free n : free_family (@skew_matrix n).
Proof.
move=> c /matrixP zero p; have := zero (val p).1 (val p).2; rewrite summxE (bigD1 p) //= big1 => [|q /negPf qp].
  by rewrite addr0 mxE skew_entry eqxx mulr1 mxE.
by rewrite mxE skew_entry qp mulr0.
Qed.
Lemma card_pairs n : (2 * #|{: ordered n}| = n * n.-1)%N.
Proof.
pose X := (\sum_(i < n) \sum_(j < n) (i < j))%N.
have -> : #|{: ordered n}| = X.
  rewrite card_sig -sum1_card big_mkcond /X pair_bigA /=; apply: eq_bigr => p _.
  by rewrite inE; case: (_ < _)%N.
have total : (X + X + n = n * n)%N.
  rewrite {2}/X exchange_big /X -big_split -[X in (_ + X)%N](card_ord n) -sum1_card -big_split /=.
  rewrite (eq_bigr (fun=> n)) ?sum_nat_const ?card_ord // => i _.
  have -> : 1%N = (\sum_(j < n) (i == j))%N.
    by rewrite (bigD1 i) //= eqxx big1 // => j /negPf ji; rewrite eq_sym ji.
  rewrite -!big_split /= -[X in _ = X](card_ord n) -sum1_card; apply: eq_bigr => j _.
  by rewrite -val_eqE /=; case: ltngtP.
have e : (n * n.-1 + n = n * n)%N by case: (n) => [//|l]; rewrite [RHS]mulnS addnC.
by apply/eqP; rewrite mul2n -addnn -(eqn_add2r n) total e.
Qed.
End Families.

Lemma sum_pairs (R : zmodType) (I J : finType) (G : I * J -> R) : \sum_p G p = \sum_i \sum_j G (i, j).
Proof. by rewrite pair_bigA; apply: eq_bigr => -[]. Qed.

(* ---- parameters that are the entries of N x N matrices, one for each e ------------------------------------------ *)

Section Weights.
Variables (F : realFieldType) (E Y : finType) (N : nat).
Notation entry := ((E * ('I_N * 'I_N))%type).
Implicit Types (w : entry -> F) (M R : E -> 'M[F]_N) (f : (entry -> F) -> Y -> F).

Definition mat w e : 'M[F]_N := \matrix_(i, j) w (e, (i, j)).
Definition put M (i : entry) : F := M i.1 i.2.1 i.2.2.

Lemma mat_moved w M R t e :
  mat (moved w (fun i => t * put M i + t ^+ 2 * put R i)) e = mat w e + t *: M e + t ^+ 2 *: R e.
Proof. by apply/matrixP => i j; rewrite !mxE /moved /put /= addrA. Qed.
Lemma norm1_put M c : (forall e, total (M e) <= c) -> norm1 (put M) <= c *+ #|E|.
Proof.
move=> le; rewrite /norm1 sum_pairs -sumr_const; apply: ler_sum => e _.
by rewrite sum_pairs; apply: le_trans (le e).
Qed.
Lemma total_mat w e : total (mat w e) <= norm1 w.
Proof.
rewrite /norm1 sum_pairs (bigD1 e) //= sum_pairs.
apply: le_trans (_ : total (mat w e) + 0 <= _); first by rewrite addr0.
apply: ler_add; last by apply: sumr_ge0 => a _; apply: sumr_ge0.
by apply: ler_sum => i _; apply: ler_sum => j _; rewrite mxE.
Qed.

Lemma constant_along_put f w M :
  (exists2 s, 0 < s & exists c, forall t, 0 < t < s -> exists2 R, forall e, total (R e) <= c &
    forall w', (forall e, mat w' e = mat w e + t *: M e + t ^+ 2 *: R e) -> f w' =1 f w) ->
  constant_along f w (put M).
Proof.
case=> s s0 [c near]; exists s => //; exists (c *+ #|E|) => t ts; have [R small same] := near t ts.
by exists (put R); [apply: norm1_put | apply: same => e; apply: mat_moved].
Qed.
Lemma independent_put (G : finType) (M : G -> E -> 'M[F]_N) :
  (forall c : G -> F, (forall e, \sum_g c g *: M g e = 0) -> forall g, c g = 0) -> independent (fun g => put (M g)).
Proof.
move=> ind c zero; apply: ind => e; apply/matrixP => i j; rewrite mxE -[RHS](zero (e, (i, j))) summxE.
by apply: eq_bigr => g _; rewrite mxE.
Qed.
End Weights.
