(* k_r6_dyt.v - K-R6-dyt, Dynamic Tanh: T(x) = gamma o tanh(alpha o x) + beta, entry by entry.
 *
 * The paper (003, Remark 6): "This transformation is bijective onto its image whenever gamma_i != 0 and alpha_i != 0
 * for all i, a condition that is reasonable due to the stochasticity of optimization. Hence, the structural result
 * established above extends beyond LayerNorm to both RMSNorm and Dynamic Tanh."
 * What it takes is that Theta maps the image of T, an open box, into that of T'.
 *
 * tanh is any odd increasing bijection of an ordered field onto its numbers between -1 and 1; no more is used of it. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import order.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Tanh.
Variable F : realFieldType.

Definition like_tanh (s : F -> F) :=
  [/\ forall x, s (- x) = - s x, forall x y, x < y -> s x < s y & forall y, `|y| < 1 <-> exists x, s x = y].

Variables (s : F -> F).
Hypothesis tanh : like_tanh s.

Lemma s_odd x : s (- x) = - s x. Proof. by case: tanh. Qed.
Lemma s_lt x y : x < y -> s x < s y. Proof. by case: tanh => _ /(_ x y). Qed.
Lemma s_inj : injective s.
Proof. by move=> x y e; case: (ltgtP x y) => // /s_lt; rewrite e ltxx. Qed.
Lemma s_small x : `|s x| < 1. Proof. by case: tanh => _ _ onto; apply/onto; exists x. Qed.
Lemma s_lt1 x : s x < 1. Proof. exact: le_lt_trans (ler_norm _) (s_small x). Qed.
Lemma s0 : s 0 = 0.
Proof. by apply/eqP; have /eqP := s_odd 0; rewrite oppr0 -addr_eq0 -mulr2n mulrn_eq0. Qed.
Lemma s_sign (b : bool) x : s ((-1) ^+ b * x) = (-1) ^+ b * s x.
Proof. by case: b; rewrite ?expr1 ?expr0 ?mulN1r ?mul1r ?s_odd. Qed.
Lemma s_near e : 0 < e -> exists x0, forall x, x0 <= x -> 1 - e < s x.
Proof.
move=> e0; case: tanh => _ _ onto; have [|x sx] := (onto (1 - Num.min e 1)).1.
  rewrite ger0_norm; last by rewrite subr_ge0 le_minl lexx orbT.
  by rewrite ltr_subl_addl ltr_addr lt_minr e0 ltr01.
exists (x + 1) => y xy; have /s_lt : x < y by apply: lt_le_trans xy; rewrite ltr_addl ltr01.
by apply: le_lt_trans; rewrite sx ler_add2l ler_opp2 le_minl lexx.
Qed.

(* two arguments at once, the first a rising line *)
Lemma both_near a b e : 0 < a -> 0 < e -> exists t, [/\ 0 < t, 1 - e < s (a * t + b) & 1 - e < s t].
Proof.
move=> a0 e0; have [x0 near] := s_near e0; pose t := Num.max 1 (Num.max x0 ((x0 - b) / a)).
exists t; split; first by rewrite lt_maxr ltr01.
  by apply: near; rewrite -ler_subl_addr mulrC -ler_pdivr_mulr // !le_maxr lexx !orbT.
by apply: near; rewrite !le_maxr lexx !orbT.
Qed.

Lemma small_is_0 (z K : F) : (forall e, 0 < e -> `|z| <= K * e) -> z = 0.
Proof.
move=> small; apply/eqP; rewrite -normr_le0; have [K0|K0] := leP K 0.
  by apply: le_trans (small 1 ltr01) _; rewrite mulr1.
have [//|z0] := leP `|z| 0; have := small (`|z| / (K + K)) (divr_gt0 z0 (addr_gt0 K0 K0)).
rewrite -mulr2n -mulr_natr invfM mulrCA mulVKf ?gt_eqF // -[X in X <= _]mulr1 ler_pmul2l // => le.
by have := lt_le_trans (_ : 2%:R^-1 < 1 :> F) le; rewrite ltxx invf_lt1 ?ltr0n ?ltr1n //; apply.
Qed.

(* g s(a t + b) + k = c s(t) + l: the limits of both sides *)
Lemma limit g a b k c l : 0 < a -> (forall t, g * s (a * t + b) + k = c * s t + l) -> g + k = c + l.
Proof.
move=> a0 same; apply/eqP; rewrite -subr_eq0; apply/eqP; apply: (@small_is_0 _ (`|g| + `|c|)) => e e0.
have [t [_ n1 n2]] := both_near b a0 e0; have close y : 1 - e < s y -> `|1 - s y| <= e.
  by move=> n; rewrite ger0_norm ?subr_ge0 ?ltW ?s_lt1 // ltr_subl_addr addrC -ltr_subl_addr.
have -> : g + k - (c + l) = g * (1 - s (a * t + b)) - c * (1 - s t).
  have split (x y z : F) : x * (1 - y) = x + z - (x * y + z) by rewrite opprD addrACA subrr addr0 mulrBr mulr1.
  by rewrite (split g _ k) (split c _ l) same opprB addrA subrK.
apply: le_trans (ler_norm_sub _ _) _; rewrite !normrM mulrDl.
by apply: ler_add; apply: ler_wpmul2l => //; apply: close.
Qed.

Lemma line g a b k c l : c != 0 -> (forall t, g * s (a * t + b) + k = c * s t + l) -> k = l /\ `|g| = `|c|.
Proof.
move=> c0 same; have rising a' b' g' : 0 < a' -> (forall t, g' * s (a' * t + b') + k = c * s t + l) -> k = l /\ g' = c.
  move=> a0 same'; have up := limit a0 same'.
  have down : - g' + k = - c + l.
    apply: (@limit _ a' (- b') _ _ _ a0) => t; rewrite !mulNr -!mulrN -!s_odd opprD opprK -mulrN.
    exact: same'.
  have kl : k = l.
    have := congr2 +%R up down; rewrite addrACA [RHS]addrACA !subrr !add0r -!mulr2n => /eqP.
    by rewrite eqr_muln2r => /eqP.
  by split=> //; move: up; rewrite kl => /addIr.
have [a0|a0|a0] := ltgtP 0 a.
- by have [-> ->] := rising _ _ _ a0 same.
- have [|t|kl <-] := rising (- a) (- b) (- g); [by rewrite oppr_gt0| |by rewrite normrN].
  by rewrite (mulNr a) -opprD s_odd mulrNN.
have := same 0; rewrite -a0 mul0r; have := same 1; rewrite -a0 mul0r => -> /addIr/(mulfI c0)/s_inj/eqP.
by rewrite oner_eq0.
Qed.

(* ---- the box condition ----------------------------------------------------------------------------------------- *)

Variable d : nat.
Record dyt := Dyt { gamma : 'cV[F]_d; alpha : 'cV[F]_d; beta : 'cV[F]_d }.
Implicit Types (T : dyt) (Theta A : 'M[F]_d) (x : 'cV[F]_d) (c : 'I_d -> bool).

Definition apply T x : 'cV_d := \col_i (gamma T i 0 * s (alpha T i 0 * x i 0) + beta T i 0).
Definition regular T := forall i, gamma T i 0 != 0 /\ alpha T i 0 != 0.
(* entry i of Theta T(x) lies within `half` of (Theta beta)_i; `shift` = beta' - Theta beta *)
Definition half Theta T i := \sum_j `|Theta i j * gamma T j 0|.
Definition shift Theta T T' i := beta T' i 0 - (Theta *m beta T) i 0.
Definition box Theta T T' i := `|shift Theta T T' i| + half Theta T i <= `|gamma T' i 0|.
(* beta_j + gamma_j or beta_j - gamma_j in entry j: a corner of the image of T *)
Definition corner T c : 'cV_d := \col_j ((-1) ^+ c j * gamma T j 0 + beta T j 0).
(* entry i of Theta (corner) - beta' *)
Definition reach Theta T T' c i := (Theta *m corner T c) i 0 - beta T' i 0.
Definition monomial Theta (p : 'I_d -> 'I_d) := injective p /\ forall i j, (Theta i j != 0) = (j == p i).

Lemma half_ge0 Theta T i : 0 <= half Theta T i. Proof. exact: sumr_ge0. Qed.
Lemma unit_row Theta i : Theta \in unitmx -> exists j, Theta i j != 0.
Proof.
move=> u; apply/existsP; apply: contraT; rewrite negb_exists => /forallP zero; have := mulmxV u.
move=> /matrixP /(_ i i) /eqP; rewrite !mxE eqxx eq_sym big1 ?oner_eq0 // => j _.
by have := zero j; rewrite negbK => /eqP ->; rewrite mul0r.
Qed.
Lemma half_gt0 Theta T i : Theta \in unitmx -> regular T -> 0 < half Theta T i.
Proof.
move=> u ok; have [j ij] := unit_row i u; rewrite /half (bigD1 j) //=; apply: ltr_paddr; first exact: sumr_ge0.
by rewrite normr_gt0 mulf_neq0 //; case: (ok j).
Qed.

Lemma reach_sum Theta T T' c i :
  reach Theta T T' c i = \sum_j (-1) ^+ c j * (Theta i j * gamma T j 0) - shift Theta T T' i.
Proof.
rewrite /reach /shift !mxE opprB addrA -big_split /=; congr (_ - _); apply: eq_bigr => j _.
by rewrite mxE mulrDr mulrCA.
Qed.
Lemma signed_sum Theta T c i : `|\sum_j (-1) ^+ c j * (Theta i j * gamma T j 0)| <= half Theta T i.
Proof. by apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => j _; rewrite normrMsign. Qed.
(* the corner that lies farthest on the side that b says *)
Definition farthest (b : bool) Theta T i j := b (+) (Theta i j * gamma T j 0 < 0).
Lemma farthest_sum b Theta T i :
  \sum_j (-1) ^+ farthest b Theta T i j * (Theta i j * gamma T j 0) = (-1) ^+ b * half Theta T i.
Proof. by rewrite /half mulr_sumr; apply: eq_bigr => j _; rewrite signr_addb -mulrA -normrEsign. Qed.
Lemma farthest_reach Theta T T' i :
  `|reach Theta T T' (farthest (0 < shift Theta T T' i) Theta T i) i| = `|shift Theta T T' i| + half Theta T i.
Proof.
rewrite reach_sum farthest_sum; set o := shift _ _ _ _; have h0 := half_ge0 Theta T i.
case: ltP => o0 /=; rewrite ?expr1 ?expr0 ?mulN1r ?mul1r.
  by rewrite -opprD normrN (gtr0_norm o0) ger0_norm 1?addrC // addr_ge0 // ltW.
by rewrite (ler0_norm o0) ger0_norm 1?addrC // addr_ge0 ?oppr_ge0.
Qed.

(* The smallest gamma' that the condition allows is sharp: no corner leaves the box of T', and every row has a corner
 * that reaches its side. *)
(* Provably: claim=K-R6-dyt part=corrected-sharp-box theorem=sharp quantifiers=all ordered fields, sizes, Theta, T, T' with the smallest gamma' *)
Theorem sharp Theta T T' i : `|gamma T' i 0| = `|shift Theta T T' i| + half Theta T i ->
  (forall c, `|reach Theta T T' c i| <= `|gamma T' i 0|) /\ exists c, `|reach Theta T T' c i| = `|gamma T' i 0|.
Proof.
move=> ->; split=> [c|]; last by eexists; exact: farthest_reach.
by rewrite reach_sum [X in _ <= X]addrC; apply: le_trans (ler_norm_sub _ _) _; rewrite ler_add2r signed_sum.
Qed.

(* Theta T(x) - beta', entry by entry *)
Lemma image Theta T T' x i : (Theta *m apply T x) i 0 - beta T' i 0 =
  \sum_j Theta i j * gamma T j 0 * s (alpha T j 0 * x j 0) - shift Theta T T' i.
Proof.
rewrite /shift !mxE opprB addrA -big_split /=; congr (_ - _); apply: eq_bigr => j _.
by rewrite mxE mulrDr mulrA.
Qed.
(* x(t) moves the arguments alpha_j x_j by t v_j, v_j one of 1, -1, 0 *)
Definition ray T c (P : pred 'I_d) t : 'cV[F]_d := \col_j (if P j then (alpha T j 0)^-1 * ((-1) ^+ c j * t) else 0).
Lemma image_ray Theta T T' c (P : pred 'I_d) t i : regular T -> (Theta *m apply T (ray T c P t)) i 0 - beta T' i 0 =
  (\sum_(j | P j) (-1) ^+ c j * (Theta i j * gamma T j 0)) * s t - shift Theta T T' i.
Proof.
move=> ok; rewrite image; congr (_ - _); rewrite mulr_suml [RHS]big_mkcond; apply: eq_bigr => j _; rewrite mxE.
case: ifP => _; last by rewrite mulr0 s0 mulr0.
by rewrite mulVKf ?s_sign 1?mulrCA ?mulrA //; case: (ok j).
Qed.

Lemma entry T x i : apply T x i 0 = gamma T i 0 * s (alpha T i 0 * x i 0) + beta T i 0. Proof. by rewrite mxE. Qed.

(* T'(f(x)) = Theta T(x) has a solution f exactly if the box condition holds; f is unique. *)
(* Provably: claim=K-R6-dyt part=corrected theorem=condition quantifiers=all ordered fields, sizes, odd increasing bijections onto ]-1, 1[ in place of tanh, invertible Theta, T, T' *)
Theorem condition Theta T T' : Theta \in unitmx -> regular T -> regular T' ->
  (exists f, forall x, apply T' (f x) = Theta *m apply T x) <-> (forall i, box Theta T T' i).
Proof.
move=> u ok ok'; split=> [[f same] i|inside].
  rewrite /box; set o := shift _ _ _ _; set h := half _ _ _; have [h0 g0] : 0 <= h /\ 0 <= `|gamma T' i 0|.
    by rewrite half_ge0.
  rewrite leNgt; apply/negP => out; have h1 : 0 < h by apply: half_gt0.
  have e0 : 0 < (`|o| + h - `|gamma T' i 0|) / h by rewrite divr_gt0 ?subr_gt0.
  have [t [t0 _ near]] := both_near 0 ltr01 e0.
  have := image_ray Theta T' (farthest (0 < o) Theta T i) predT t i ok; rewrite farthest_sum -/h -/o -same entry.
  rewrite addrK => /(congr1 Num.norm); rewrite normrM => e.
  have : `|gamma T' i 0| * `|s (alpha T' i 0 * f (ray T (farthest (0 < o) Theta T i) predT t) i 0)| <= `|gamma T' i 0|.
    by rewrite ler_pimulr // ltW // s_small.
  rewrite e; apply/negP; rewrite -ltNge; have st : 0 <= s t by rewrite -s0 ltW ?s_lt.
  have -> : `|(-1) ^+ (0 < o)%R * h * s t - o| = h * s t + `|o|.
    case: ltP => o0 /=; rewrite ?expr1 ?expr0 ?mulN1r ?mul1r.
      by rewrite mulNr -opprD normrN (gtr0_norm o0) ger0_norm // addr_ge0 ?mulr_ge0 // ltW.
    by rewrite (ler0_norm o0) ger0_norm // addr_ge0 ?oppr_ge0 // mulr_ge0.
  move: near; rewrite -(ltr_pmul2l h1) mulrBr mulr1 [h * (_ / _)]mulrC divfK ?gt_eqF // opprB addrCA.
  by rewrite [`|o| + h]addrC opprD addNKr ltr_subl_addr.
have small x i : `|((Theta *m apply T x) i 0 - beta T' i 0) / gamma T' i 0| < 1.
  rewrite normrM normfV ltr_pdivr_mulr ?normr_gt0 ?mul1r; last by case: (ok' i).
  apply: lt_le_trans (inside i); rewrite image [X in _ < X]addrC.
  apply: le_lt_trans (ler_norm_sub _ _) _; rewrite ltr_add2r.
  apply: le_lt_trans (ler_norm_sum _ _ _) _; have [j ij] := unit_row i u; rewrite /half.
  rewrite (bigD1 j) //= [X in _ < X](bigD1 j) //=.
  apply: ltr_le_add; last by apply: ler_sum => l _; rewrite normrM ler_pimulr // ltW // s_small.
  rewrite normrM -[X in _ < X]mulr1 ltr_pmul2l ?s_small // normr_gt0 mulf_neq0 //; by case: (ok j).
have preimage x i : exists y, s y == ((Theta *m apply T x) i 0 - beta T' i 0) / gamma T' i 0.
  by case: tanh => _ _ onto; have [y /eqP e] := (onto _).1 (small x i); exists y.
exists (fun x => \col_i ((alpha T' i 0)^-1 * sval (sigW (preimage x i)))) => x; apply/colP => i.
have [g0 a0] := ok' i; rewrite entry mxE mulVKf //; case: (sigW _) => y /= /eqP ->.
by rewrite mulrC divfK // subrK.
Qed.
Lemma unique T x y : regular T -> apply T x = apply T y -> x = y.
Proof.
move=> ok /colP e; apply/colP => i; have [g0 a0] := ok i; have := e i; rewrite !entry => /addIr /(mulfI g0).
by move/s_inj/(mulfI a0).
Qed.

(* A gamma' that is too small: for monomial Theta and beta' = Theta beta every corner leaves the box of T'. *)
(* Provably: claim=K-R6-dyt part=corrected-leave theorem=all_leave quantifiers=all ordered fields, sizes, monomial Theta, T, gamma' smaller than the condition allows *)
Theorem all_leave Theta p T T' : monomial Theta p -> beta T' = Theta *m beta T ->
  (forall i, `|gamma T' i 0| < half Theta T i) -> forall c i, `|gamma T' i 0| < `|reach Theta T T' c i|.
Proof.
move=> [_ mono] eb small c i; apply: lt_le_trans (small i) _.
have o0 : shift Theta T T' i = 0 by rewrite /shift eb subrr.
have one j : j != p i -> Theta i j = 0 by rewrite -mono negbK => /eqP.
rewrite reach_sum o0 subr0 /half (bigD1 (p i)) //= [X in _ <= `|X|](bigD1 (p i)) //=.
by rewrite !big1 ?addr0 ?normrMsign // => j /one ->; rewrite ?mul0r ?mulr0 ?normr0.
Qed.

(* f is affine exactly if Theta is monomial, beta' = Theta beta and |gamma'_i| = |Theta_ip(i) gamma_p(i)|. *)
Definition onto_box Theta T T' p :=
  [/\ monomial Theta p, beta T' = Theta *m beta T & forall i, `|gamma T' i 0| = `|Theta i (p i) * gamma T (p i) 0|].

(* Provably: claim=K-R6-dyt part=corrected-onto theorem=affine quantifiers=all ordered fields, sizes, odd increasing bijections onto ]-1, 1[ in place of tanh, monomial Theta, T, T' *)
Theorem affine Theta p T T' : regular T -> regular T' -> onto_box Theta T T' p ->
  exists A, forall x, apply T' (A *m x) = Theta *m apply T x.
Proof.
move=> ok ok' [[inj mono] eb eg].
have [e eE] : exists e, forall i, e i = Theta i (p i) * gamma T (p i) 0 / gamma T' i 0 by eexists.
exists (\matrix_(i, j) ((alpha T' i 0)^-1 * (e i * alpha T j 0) *+ (j == p i))) => x; apply/colP => i.
have [g0 a0] := ok' i; have one j : j != p i -> Theta i j = 0 by rewrite -mono negbK => /eqP.
have o0 : shift Theta T T' i = 0 by rewrite /shift eb subrr.
apply: (addIr (- beta T' i 0)); rewrite image o0 subr0 entry addrK.
rewrite (bigD1 (p i)) //= big1 => [|j /one ->]; last by rewrite !mul0r.
rewrite addr0 mxE (bigD1 (p i)) //= big1 => [|j /negPf ne]; last by rewrite mxE ne mulr0n mul0r.
have -> : Theta i (p i) * gamma T (p i) 0 = gamma T' i 0 * e i by rewrite eE [RHS]mulrC divfK.
rewrite addr0 mxE eqxx mulr1n -!mulrA mulVKf //.
have -> : e i = (-1) ^+ (e i < 0)%R.
  by rewrite [LHS]numEsign {2}eE normrM normfV -eg divff ?mulr1 // normr_eq0.
by rewrite s_sign.
Qed.

(* The converse: any affine f asks for all three. *)
(* Provably: claim=K-R6-dyt part=corrected-conditions-needed theorem=affine_only quantifiers=all ordered fields, sizes, odd increasing bijections onto ]-1, 1[ in place of tanh, invertible Theta, T, T', affine f *)
Theorem affine_only Theta T T' f A b : Theta \in unitmx -> regular T -> regular T' ->
  (forall x, apply T' (f x) = Theta *m apply T x) -> (forall x, f x = A *m x + b) -> exists p, onto_box Theta T T' p.
Proof.
move=> u ok ok' same flat.
have key c (P : pred 'I_d) i C : \sum_(j | P j) (-1) ^+ c j * (Theta i j * gamma T j 0) = C ->
    C != 0 -> shift Theta T T' i = 0 /\ `|gamma T' i 0| = `|C|.
  move=> sum C0; pose a := alpha T' i 0 * (A *m ray T c P 1) i 0.
  have ray1 t : ray T c P t = t *: ray T c P 1.
    by apply/colP => j; rewrite !mxE; case: ifP => _; rewrite ?mulr0 // mulr1 mulrA mulrC.
  have /(line C0) [/esym/eqP + ->] :
    forall t, gamma T' i 0 * s (a * t + alpha T' i 0 * b i 0) + 0 = C * s t + - shift Theta T T' i.
    move=> t; rewrite -sum -(image_ray _ _ _ _ _ _ ok) -same entry addrK addr0 flat ray1 -scalemxAr /a.
    by move: (A *m _) => z; rewrite !mxE mulrDr mulrCA [t * _]mulrC.
  by rewrite oppr_eq0 => /eqP.
have full i : shift Theta T T' i = 0 /\ `|gamma T' i 0| = half Theta T i.
  have h0 := half_gt0 i u ok; have [|-> ->] := key _ predT i _ (farthest_sum false Theta T i).
  - by rewrite mul1r gt_eqF.
  - by rewrite expr0 mul1r gtr0_norm.
have one i j : Theta i j != 0 -> `|gamma T' i 0| = `|Theta i j * gamma T j 0|.
  move=> ij; have [||_ ->//] := key (fun=> false) (pred1 j) i (Theta i j * gamma T j 0).
    by rewrite big_pred1_eq expr0 mul1r.
  by rewrite mulf_neq0 //; case: (ok j).
pose p i := xchoose (unit_row i u); have pi i : Theta i (p i) != 0 := xchooseP (unit_row i u).
have alone i j : (Theta i j != 0) = (j == p i).
  apply/idP/eqP => [ij|->//]; apply/eqP; apply: contraT => jp.
  have [_ half_i] := full i; have := one i _ (pi i); rewrite half_i /half (bigD1 (p i)) //= -[RHS]addr0 => /addrI.
  move=> /psumr_eq0P zero; have /eqP := zero (fun _ _ => normr_ge0 _) j jp; rewrite normr_eq0 mulf_eq0 (negPf ij) /=.
  by case: (ok j) => /negPf ->.
exists p; split=> [|| i]; last exact: one.
  split=> // i k same_p; apply/eqP; apply: contraT => ik.
  pose v : 'rV_d := Theta k (p i) *: delta_mx 0 i - Theta i (p i) *: delta_mx 0 k.
  have vT : v *m Theta = 0.
    apply/rowP => j; rewrite mulmxBl -!scalemxAl -!rowE !mxE; have [->|jp] := eqVneq j (p i).
      by rewrite mulrC subrr.
    have := alone i j; have := alone k j; rewrite -same_p (negPf jp) => /eqP -> /eqP ->; by rewrite !mulr0 subrr.
  have := mulmxK u v; rewrite vT mul0mx => /rowP /(_ i) /eqP; rewrite !mxE !eqxx (negPf ik) mulr1 mulr0 subr0 eq_sym.
  by rewrite same_p (negPf (pi k)).
by apply/colP => i; have [/eqP + _] := full i; rewrite /shift subr_eq0 => /eqP.
Qed.
End Tanh.

(* ---- without a hypothesis: s(x) = x / (|x| + 1) for tanh; alpha = 1 and beta = 0 where nothing is said --------- *)

Section Needed.
Variable F : realFieldType.
Definition shrunk (x : F) := x / (`|x| + 1).
Lemma shrunk_below (x : F) : 0 < `|x| + 1. Proof. by rewrite ltr_paddl. Qed.
Lemma shrunk_increasing (x y : F) : x < y -> shrunk x < shrunk y.
Proof.
move=> xy; rewrite /shrunk ltr_pdivr_mulr ?shrunk_below // mulrAC ltr_pdivl_mulr ?shrunk_below // !mulrDr !mulr1.
have le : x * `|y| <= y * `|x|.
  have [x0|x0] := leP 0 x; first by rewrite !ger0_norm ?(le_trans x0 (ltW xy)) // mulrC.
  have [y0|y0] := leP 0 y; last by rewrite !ltr0_norm // !mulrN mulrC.
  by apply: (@le_trans _ _ 0); rewrite ?mulr_ge0 // mulr_le0_ge0 // ltW.
by rewrite addrC [X in _ < X]addrC; apply: ltr_le_add.
Qed.
Lemma shrunk_onto (y : F) : `|y| < 1 <-> exists x, shrunk x = y.
Proof.
split=> [small|[x <-]]; last first.
  by rewrite normrM normfV (gtr0_norm (shrunk_below x)) ltr_pdivr_mulr ?shrunk_below // mul1r ltr_addl ltr01.
have pos : 0 < 1 - `|y| by rewrite subr_gt0.
have e : `|y / (1 - `|y|)| + 1 = (1 - `|y|)^-1.
  rewrite normrM normfV (gtr0_norm pos); apply: (mulIf (lt0r_neq0 pos)).
  by rewrite mulrDl divfK ?lt0r_neq0 // mul1r mulVf ?lt0r_neq0 // addrC subrK.
by exists (y / (1 - `|y|)); rewrite /shrunk e invrK divfK ?lt0r_neq0.
Qed.
Lemma shrunk_like_tanh : like_tanh shrunk.
Proof. by split; [move=> x; rewrite /shrunk normrN mulNr|exact: shrunk_increasing|exact: shrunk_onto]. Qed.
Notation tanh := shrunk_like_tanh.

(* T(x) = g s(a x) + b, Theta = t *)
Definition number g a b : dyt F 1 := Dyt (const_mx g) (const_mx a) (const_mx b).
Notation num t := (t%:M : 'M[F]_1).
Notation solves s Theta T T' f := (forall x, apply s T' (f x) = Theta *m apply s T x).
Lemma of_number s g a b x : apply s (number g a b) x = const_mx (g * s (a * x 0 0) + b).
Proof. by apply/colP => i; rewrite !mxE !ord1. Qed.
Lemma times_number t y : num t *m const_mx y = const_mx (t * y) :> 'cV_1.
Proof. by rewrite mul_scalar_mx; apply/colP => i; rewrite !mxE. Qed.
Lemma same_number (x y : F) : (const_mx x = const_mx y :> 'cV_1) <-> x = y.
Proof. by split=> [/colP /(_ 0)|->//]; rewrite !mxE. Qed.
Lemma box_number t g a b g' a' b' i :
  box (num t) (number g a b) (number g' a' b') i = (`|b' - t * b| + `|t * g| <= `|g'|).
Proof. by rewrite /box /shift /half big_ord1 !mxE big_ord1 !mxE !ord1 eqxx. Qed.
Lemma onto_number t g a b g' a' b' : t != 0 ->
  (exists p, onto_box (num t) (number g a b) (number g' a' b') p) <-> b' = t * b /\ `|g'| = `|t * g|.
Proof.
move=> t0; split=> [[p [_ eb eg]]|[eb eg]].
  split; first by apply/same_number; rewrite -times_number; exact: eb.
  by have := eg 0; rewrite !mxE !ord1 eqxx.
exists id; split=> [||i]; last by rewrite !mxE !ord1 eqxx.
  by split=> // i j; rewrite mxE !ord1 eqxx t0.
by rewrite [RHS]times_number eb.
Qed.
Lemma regular_number g a b : g != 0 -> a != 0 -> regular (number g a b).
Proof. by move=> g0 a0 i; rewrite !mxE. Qed.
Lemma two0 : 2%:R != 0 :> F. Proof. by rewrite pnatr_eq0. Qed.
Lemma two_large : (`|2%:R| <= `|1| :> F) = false.
Proof. by rewrite normr1 normr_nat lern1. Qed.
Lemma shrunk_1 : shrunk 1 = 2%:R^-1.
Proof. by rewrite /shrunk normr1 mul1r -(natrD _ 1 1). Qed.
Lemma zero_out : num 0 = 0 :> 'M_1. Proof. by apply/matrixP => i j; rewrite !mxE mul0rn. Qed.

(* s(x) = x, not bounded by 1, gamma = 2 and gamma' = 1: f(x) = 2 x solves and is affine, but the box is too small. *)
(* Needed: theorem=condition hypothesis=s onto the numbers between -1 and 1 lemma=needs_bounded *)
(* Needed: theorem=affine_only hypothesis=s onto the numbers between -1 and 1 lemma=needs_bounded *)
Lemma needs_bounded : let T := number 2%:R 1 0 in let T' := number 1 1 0 in
  [/\ solves id (num 1) T T' (fun x => 2%:R *: x), ~ box (num 1) T T' 0 & ~ exists p, onto_box (num 1) T T' p].
Proof.
move=> T T'; split=> [x||/(onto_number _ _ _ _ _ _ (oner_neq0 F)) [_ /eqP]].
- by rewrite !of_number times_number !mxE !mul1r !addr0.
- by rewrite box_number !mul1r subr0 normr0 add0r two_large.
by rewrite mul1r eq_le two_large andbF.
Qed.
(* s(x) = shrunk(x + 1), not odd, Theta = -1: -s(0) = -1/2 is not s(A 0) = 1/2. *)
(* Needed: theorem=affine hypothesis=s odd lemma=needs_odd *)
Lemma needs_odd : let s x := shrunk (x + 1) in let T := number 1 1 0 in
  [/\ forall x y, x < y -> s x < s y, forall y, `|y| < 1 <-> exists x, s x = y, onto_box (num (- 1)) T T id &
      ~ exists A, solves s (num (- 1)) T T (mulmx A)].
Proof.
move=> s T; split=> [x y xy|y||[A /(_ 0)]].
- by apply: shrunk_increasing; rewrite ltr_add2r.
- split=> [/shrunk_onto [x e]|[x e]]; last by apply/shrunk_onto; exists (x + 1).
  by exists (x - 1); rewrite /s subrK.
- split=> [|//|i]; last by rewrite !mxE !ord1 eqxx mulr1 normrN.
    by split=> // i j; rewrite mxE !ord1 eqxx oppr_eq0 oner_eq0.
  by rewrite [RHS]times_number mulr0.
rewrite mulmx0 of_number times_number => /same_number /eqP.
rewrite !mxE mulr0 /s add0r shrunk_1 !mul1r !addr0 mulN1r -addr_eq0 -mulr2n mulrn_eq0 invr_eq0 /=.
by rewrite (negPf two0).
Qed.

(* T'(y) = s(y) + 1 is not 0: Theta = 0, or gamma = 0, and beta' = 1 is no target although the box holds. *)
Lemma not_zero t g a f : ~ solves shrunk (num t) (number g a 0) (number 1 1 1) f \/ t * g != 0.
Proof.
have [e|] := eqVneq (t * g) 0; [left=> /(_ 0)|by right].
rewrite !of_number times_number => /same_number /eqP; rewrite !mul1r addr0 mulrA e mul0r addr_eq0 => /eqP e'.
have := s_small tanh (f 0 0 0); by rewrite e' normrN normr1 ltxx.
Qed.
(* Theta = 0: with beta' = 1 the box holds and there is no f; with beta' = 0, f = 0 solves, but 0 is not monomial. *)
(* Needed: theorem=condition hypothesis=Theta invertible lemma=needs_invertible *)
(* Needed: theorem=affine_only hypothesis=Theta invertible lemma=needs_invertible *)
Lemma needs_invertible : let T := number 1 1 0 in
  [/\ box (num 0) T (number 1 1 1) 0, ~ exists f, solves shrunk (num 0) T (number 1 1 1) f,
      solves shrunk (num 0) T T (fun=> 0) & ~ exists p, onto_box (num 0) T T p].
Proof.
move=> T; split=> [|[f same]|x|[p [[_ mono] _ _]]].
- by rewrite box_number !mul0r subr0 normr0 addr0 lexx.
- by case: (not_zero 0 1 1 f) => [/(_ same)|]; rewrite ?mul0r ?eqxx.
- by rewrite !of_number times_number mxE mul0r !mulr0 /shrunk mul0r mulr0 addr0.
by have := mono 0 (p 0); rewrite mxE mul0rn !eqxx.
Qed.
(* T is constant: gamma = 0 and beta' = 1, as before; alpha = 0 and gamma = 2: f = 0 solves, outside the box. *)
(* Needed: theorem=condition hypothesis=gamma and alpha of T not 0 lemma=needs_regular *)
(* Needed: theorem=affine_only hypothesis=gamma and alpha of T not 0 lemma=needs_regular *)
Lemma needs_regular : let T := number 2%:R 0 0 in let T' := number 1 1 0 in
  [/\ box (num 1) (number 0 1 0) (number 1 1 1) 0,
      ~ exists f, solves shrunk (num 1) (number 0 1 0) (number 1 1 1) f,
      solves shrunk (num 1) T T' (fun=> 0), ~ box (num 1) T T' 0 & ~ exists p, onto_box (num 1) T T' p].
Proof.
move=> T T'; split=> [|[f same]|x||/(onto_number _ _ _ _ _ _ (oner_neq0 F)) [_ /eqP]].
- by rewrite box_number !mulr0 subr0 normr0 addr0 lexx.
- by case: (not_zero 1 0 1 f) => [/(_ same)|]; rewrite ?mulr0 ?eqxx.
- by rewrite !of_number times_number mxE mul0r !mulr0 /shrunk mul0r !mulr0 addr0 mulr0.
- by rewrite box_number !mul1r subr0 normr0 add0r two_large.
by rewrite mul1r eq_le two_large andbF.
Qed.
(* alpha' = 0: T' is the constant 0, T(1) = 1/2, and the box holds, onto it. *)
(* Needed: theorem=condition,affine hypothesis=gamma and alpha of T' not 0 lemma=needs_regular_image *)
Lemma needs_regular_image : let T := number 1 1 0 in let T' := number 1 0 0 in
  [/\ box (num 1) T T' 0, exists p, onto_box (num 1) T T' p & ~ exists f, solves shrunk (num 1) T T' f].
Proof.
move=> T T'; split=> [||[f /(_ (const_mx 1))]].
- by rewrite box_number !mul1r subr0 normr0 add0r lexx.
- by apply/(onto_number _ _ _ _ _ _ (oner_neq0 F)); rewrite mulr0 mul1r.
rewrite !of_number times_number => /same_number /eqP; rewrite !mxE !mul1r !addr0 mul0r shrunk_1 /shrunk mul0r eq_sym.
by rewrite invr_eq0 (negPf two0).
Qed.
(* Needed: theorem=affine_only hypothesis=gamma and alpha of T' not 0 argued=follows: no row of Theta T(x) is constant, so no row of T' is *)
(* Needed: theorem=affine hypothesis=gamma and alpha of T not 0 argued=not used: gamma is not 0 since gamma' is not, and where alpha is 0 A has a column 0 *)

(* gamma' = 2 in place of 1, or beta' = 1 in place of 0: the first has a solution, and none is affine. *)
(* Needed: theorem=affine_only hypothesis=f affine lemma=needs_affine *)
(* Needed: theorem=affine hypothesis=gamma' is |Theta gamma| lemma=needs_affine *)
(* Needed: theorem=affine hypothesis=beta' is Theta beta lemma=needs_affine *)
Lemma needs_affine : let T := number 1 1 0 in
  [/\ exists f, solves shrunk (num 1) T (number 2%:R 1 0) f, ~ exists p, onto_box (num 1) T (number 2%:R 1 0) p,
      ~ exists A, solves shrunk (num 1) T (number 2%:R 1 0) (mulmx A) &
      ~ exists A, solves shrunk (num 1) T (number 1 1 1) (mulmx A)].
Proof.
have ok g : g != 0 -> regular (number g 1 0) by move=> g0; apply: regular_number; rewrite ?oner_eq0.
have ok1 : regular (number 1 1 1) by apply: regular_number; rewrite oner_eq0.
have flat T' A : regular T' -> solves shrunk (num 1) (number 1 1 0) T' (mulmx A) ->
    exists p, onto_box (num 1) (number 1 1 0) T' p.
  move=> ok' same; apply: (affine_only tanh (A := A) (b := 0) (unitmx1 F 1) (ok _ (oner_neq0 F)) ok' same) => x.
  by rewrite addr0.
have none : ~ exists p, onto_box (num 1) (number 1 1 0) (number 2%:R 1 0) p.
  by move=> /(onto_number _ _ _ _ _ _ (oner_neq0 F)) [_ /eqP]; rewrite mul1r eq_le two_large.
split=> [|//|[A same]|[A same]].
- apply/(condition tanh (unitmx1 F 1) (ok _ (oner_neq0 F)) (ok _ two0)) => i.
  by rewrite box_number mulr0 subr0 normr0 add0r mul1r normr1 normr_nat ler1n.
- by apply: none; apply: flat same; apply: ok two0.
have [p] := flat _ _ ok1 same; move=> o; have [] := (onto_number _ _ _ _ _ _ (oner_neq0 F)).1 (ex_intro _ p o).
by move=> /eqP; rewrite mulr0 oner_eq0.
Qed.
(* Needed: theorem=affine_only hypothesis=f solves the equation argued=it is what f is: without it f has nothing to do with T and T' *)

(* gamma' = 2 or 1/2 in place of 1: no corner reaches the side, or one lies beyond it. *)
Lemma reach_number t g a b g' a' b' c i :
  reach (num t) (number g a b) (number g' a' b') c i = t * ((-1) ^+ c 0 * g + b) - b'.
Proof. by rewrite /reach !mxE big_ord1 !mxE !ord1 eqxx. Qed.
(* Needed: theorem=sharp hypothesis=gamma' is the smallest that the condition allows lemma=needs_smallest *)
Lemma needs_smallest : let T := number 1 1 0 in
  (forall c i, `|reach (num 1) T (number 2%:R 1 0) c i| <> `|gamma (number 2%:R 1 0) i 0|) /\
  forall c i, `|gamma (number 2%:R^-1 1 0) i 0| < `|reach (num 1) T (number 2%:R^-1 1 0) c i|.
Proof.
have side g' c i : `|reach (num 1) (number 1 1 0) (number g' 1 0) c i| = 1.
  by rewrite reach_number mul1r mulr1 addr0 subr0 normrX normrN1 expr1n.
split=> c i; rewrite side mxE; last by rewrite normfV normr_nat invf_lt1 ?ltr0n // ltr1n.
by move=> /eqP; rewrite eq_sym eq_le -[X in _ <= X]normr1 two_large.
Qed.

(* all_leave: gamma' = 1 = |Theta gamma|, where no corner leaves; beta' = 1 and gamma' = 1/2, where one is at 0. *)
(* Needed: theorem=all_leave hypothesis=gamma' smaller than the condition allows lemma=needs_leaving *)
(* Needed: theorem=all_leave hypothesis=beta' is Theta beta lemma=needs_leaving *)
Lemma needs_leaving : let T := number 1 1 0 in
  (forall c i, `|reach (num 1) T (number 1 1 0) c i| = `|gamma (number 1 1 0) i 0|) /\
  let T' := number 2%:R^-1 1 1 in `|gamma T' 0 0| < half (num 1) T 0 /\ reach (num 1) T T' (fun=> false) 0 = 0.
Proof.
split=> [c i|]; first by rewrite reach_number mul1r mulr1 addr0 subr0 mxE normrX normrN1 expr1n normr1.
split; last by rewrite reach_number expr0 !mul1r addr0 subrr.
by rewrite /half big_ord1 !mxE mulr1 eqxx normr1 normfV normr_nat invf_lt1 ?ltr0n // ltr1n.
Qed.
(* Two numbers, Theta = (1, 1; 0, 1), which is not monomial, gamma = 1 and gamma' = 1/2: the corner (1, -1) comes to 0;
 * with gamma' = 1, no solution is affine. *)
Definition shear : 'M[F]_2 := 1%:M + delta_mx 0 1.
Definition both g : dyt F 2 := Dyt (const_mx g) (const_mx 1) 0.
(* Needed: theorem=all_leave hypothesis=Theta monomial lemma=needs_monomial *)
(* Needed: theorem=affine hypothesis=Theta monomial lemma=needs_monomial *)
Lemma needs_monomial :
  [/\ forall i, `|gamma (both 2%:R^-1) i 0| < half shear (both 1) i,
      reach shear (both 1) (both 2%:R^-1) (fun j => j != 0) 0 = 0 &
      ~ exists A, solves shrunk shear (both 1) (both 1) (mulmx A)].
Proof.
have u : shear \in unitmx.
  suff /mulmx1_unit [] : shear *m (1%:M - delta_mx 0 1) = 1%:M by [].
  by rewrite mulmxDl !mulmxBr !mul1mx mulmx1 mul_delta_mx_0 // subr0 subrK.
have small : 2%:R^-1 < 1 :> F by rewrite invf_lt1 ?ltr0n // ltr1n.
split=> [i||[A same]].
- rewrite mxE normfV normr_nat /half (bigD1 i) //=; apply: ltr_paddr; first exact: sumr_ge0.
  by rewrite !mxE eqxx mulr1; case: i => -[|[|//]] ? /=; rewrite ?addr0 normr1.
- by rewrite reach_sum /shift !big_ord_recl big_ord0 !mxE !big_ord_recl big_ord0 !mxE /=
    !(mulr0, mulr1, addr0, mul0r, subr0, add0r, expr0, expr1, subrr, oppr0).
have ok : regular (both 1) by move=> i; rewrite !mxE oner_eq0.
have [x|p [[_ mono] _ _]] := affine_only tanh (A := A) (b := 0) u ok ok same; first by rewrite addr0.
have := mono 0 0; have := mono 0 1; rewrite !mxE /= !(addr0, add0r) oner_eq0.
by move=> /esym/eqP <- /esym/eqP.
Qed.
End Needed.
