(* n5b.v - N5b, the even parts of gated activations at rows w_i != +-w_j, none of them 0, are independent:
 * collinear rows among them, unlike for ReLU.
 *
 * phi(y) = y p(y) with p(y) + p(-y) = 1, as SiLU (p = logistic) and GELU (p = Phi).  Twice the even part is
 *     g(y) = phi(y) + phi(-y) = |y| (1 - 2 p(-|y|)).
 * Along a line x = t v the |w_i v| are different and not 0.  Tails p(-a t) of a larger a are less than any multiple of
 * those of a smaller one, so that the smallest |w_i v| is seen alone. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import order generic.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Independent.
Variables (F : realFieldType) (p : F -> F).

(* p(y) + p(-y) = 1, and for 0 < a < b, 0 < e: p(-b t) <= e p(-a t) where t is large enough; p(-a t) > 0 *)
Definition tails := [/\ forall y, p y + p (- y) = 1, forall y, 0 < p y &
  forall a b e, 0 < a -> a < b -> 0 < e -> exists t0, forall t, t0 <= t -> p (- (b * t)) <= e * p (- (a * t))].
Definition phi (y : F) := y * p y.
Definition even (y : F) := phi y + phi (- y).
Hypothesis tail : tails.

Lemma even_abs y : even y = `|y| * (1 - 2%:R * p (- `|y|)).
Proof.
case: tail => one _ _; have half z : even z = z * (1 - 2%:R * p (- z)).
  have pz : p z = 1 - p (- z) by rewrite -(one z) addrK.
  by rewrite /even /phi pz mulNr -mulrBr mulr_natl mulr2n opprD addrA.
have odd : even (- y) = even y by rewrite /even opprK addrC.
by case: (ger0P y) => _; [exact: half|rewrite -odd; exact: half].
Qed.

Lemma bounded (z K : F) : (forall e, 0 < e -> `|z| <= K * e) -> z = 0.
Proof.
move=> small; apply/eqP; rewrite -normr_le0; have [K0|K0] := leP K 0.
  by apply: le_trans (small 1 ltr01) _; rewrite mulr1.
have [//|z0] := leP `|z| 0; have := small (`|z| / (K + K)) (divr_gt0 z0 (addr_gt0 K0 K0)).
rewrite -mulr2n -mulr_natr invfM mulrCA mulVKf ?gt_eqF // -[X in X <= _]mulr1 ler_pmul2l // => le.
by have := lt_le_trans (_ : 2%:R^-1 < 1 :> F) le; rewrite ltxx invf_lt1 ?ltr0n ?ltr1n //; apply.
Qed.

(* finitely many thresholds have a common one, that is positive *)
Lemma common (I : finType) (P : I -> F -> Prop) : (forall i, exists t0, forall t, t0 <= t -> P i t) ->
  exists2 t, 0 < t & forall i, P i t.
Proof.
move=> each; suff [t0 all_] : exists t0, forall i, i \in enum I -> forall t, t0 <= t -> P i t.
  exists (Num.max 1 t0) => [|i]; first by rewrite lt_maxr ltr01.
  by apply: all_; rewrite ?mem_enum ?le_maxr ?lexx ?orbT.
elim: (enum I) => [|i r [t0 IH]]; first by exists 0.
have [t1 Pi] := each i; exists (Num.max t1 t0) => j; rewrite inE => jr t; rewrite le_maxl => /andP [t1t t0t].
by case/orP: jr => [/eqP ->|jr]; [apply: Pi|apply: IH].
Qed.

(* on one line *)
Lemma on_line (I : finType) (a c : I -> F) : (forall i, 0 < a i) -> injective a ->
  (forall t, 0 < t -> \sum_i c i * even (a i * t) = 0) -> forall i, c i = 0.
Proof.
case: tail => one pos tl a0 inj zero; have le1 y : p y <= 1 by rewrite -(one y) ler_addl ltW.
pose b i := c i * a i; pose K := \sum_i `|b i|.
have tailsum t : 0 < t -> \sum_i b i = 2%:R * \sum_i b i * p (- (a i * t)).
  move=> t0; have /eqP : t * (\sum_i b i - 2%:R * \sum_i b i * p (- (a i * t))) = 0.
    rewrite -[RHS](zero t t0) [2%:R * _]mulr_sumr -sumrB mulr_sumr; apply: eq_bigr => i _.
    rewrite even_abs gtr0_norm ?mulr_gt0 // /b; set q := p _.
    have -> : c i * a i - 2%:R * (c i * a i * q) = c i * a i * (1 - 2%:R * q) by rewrite mulrBr mulr1 mulrCA.
    by rewrite -!mulrA mulrCA; congr (_ * _); rewrite mulrCA.
  by rewrite mulf_eq0 gt_eqF //= subr_eq0 => /eqP.
have small (q : F) (x : I -> F) e : 0 <= q -> (forall i, 0 <= x i <= e * q) -> `|\sum_i b i * x i| <= K * e * q.
  move=> q0 xe; apply: le_trans (ler_norm_sum _ _ _) _; rewrite /K -mulrA mulr_suml; apply: ler_sum => i _.
  by have /andP [x0 xle] := xe i; rewrite normrM (ger0_norm x0) ler_wpmul2l.
have sum0 : \sum_i b i = 0.
  apply: (@bounded _ (2%:R * K)) => e e0.
  have [i|t t0 near] := @common I (fun i t => p (- (a i * t)) <= e * p (- (a i / 2%:R * t))).
    by apply: tl => //; rewrite ?divr_gt0 ?ltr0n // ltr_pdivr_mulr ?ltr0n // ltr_pmulr ?ltr1n.
  rewrite (tailsum t t0) normrM ger0_norm ?ler0n // -mulrA ler_wpmul2l ?ler0n //.
  rewrite -[K * e]mulr1; apply: small => // i; rewrite ltW //= (le_trans (near i)) //.
  by rewrite ler_wpmul2l // ltW.
have tail0 t : 0 < t -> \sum_i b i * p (- (a i * t)) = 0.
  by move/tailsum/eqP; rewrite sum0 eq_sym mulf_eq0 pnatr_eq0 => /eqP.
suff b0 i : b i = 0 by move=> i; apply/eqP; have /eqP := b0 i; rewrite mulf_eq0 [a i == 0]gt_eqF ?orbF.
apply/eqP; apply: contraT => bi; have [k bk least] := @arg_minP _ _ _ i (fun i => b i != 0) a bi.
have /eqP : b k = 0; last by rewrite (negPf bk).
apply: (@bounded _ K) => e e0.
have [j|t t0 near] := @common I (fun j t => a k < a j -> p (- (a j * t)) <= e * p (- (a k * t))).
  have [kj|_] := ltP (a k) (a j); last by exists 0.
  by have [t0 far] := tl _ _ _ (a0 k) kj e0; exists t0 => t /far.
have q0 := pos (- (a k * t)); rewrite -(ler_pmul2r q0) -(gtr0_norm q0) -normrM (gtr0_norm q0).
have := tail0 t t0; rewrite (bigD1 k) //= => /eqP; rewrite addr_eq0 => /eqP ->; rewrite normrN.
have -> : \sum_(j | j != k) b j * p (- (a j * t)) = \sum_j b j * (if a k < a j then p (- (a j * t)) else 0).
  rewrite [RHS](bigD1 k) //= ltxx mulr0 add0r; apply: eq_bigr => j jk; case: ifP => // jle.
  have [->|bj] := eqVneq (b j) 0; first by rewrite !mul0r.
  by have := least j bj; rewrite le_eqVlt jle orbF => /eqP /inj e1; rewrite e1 eqxx in jk.
apply: small => [|j]; first exact: ltW.
by case: ifP => [/near ->|_]; rewrite ?andbT ?lexx ?mulr_ge0 ?ltW.
Qed.

(* a point off finitely many hyperplanes *)
Lemma off_hyperplanes h (I : finType) (u : I -> 'rV[F]_h) : (forall i, u i != 0) ->
  exists v : 'cV_h, forall i, (u i *m v) 0 0 != 0.
Proof.
move=> u0; have [|f [_ [v fv] zero]] := @null_exists F _ I (fun i (v : 'cV[F]_h) => (u i *m v) 0 0 = 0).
  move=> i; exists (fun v => (u i *m v) 0 0); split=> //.
    by apply: Form => a x y; rewrite mulmxDr -scalemxAr !mxE.
  have [j uj] : exists j, u i 0 j != 0.
    apply/existsP; apply: contraNT (u0 i); rewrite negb_exists => /forallP z; apply/eqP/rowP => j; rewrite [RHS]mxE.
    by have := z j; rewrite negbK => /eqP.
  by exists (delta_mx j 0); rewrite -colE mxE.
by exists v => i; apply: contraNneq fv => z; apply/eqP/zero; exists i.
Qed.

(* Provably: claim=N5b part=as-stated-independent-GELU theorem=independent quantifiers=all ordered fields, sizes, rows w_i not 0, w_i != +-w_j, phi(y) = y p(y), p(y) + p(-y) = 1, p > 0, p(-b t) = o(p(-a t)) for 0 < a < b *)
Theorem independent h m (W1 : 'M[F]_(m, h)) (c : 'rV_m) : (forall i, row i W1 != 0) ->
  (forall i j, i != j -> row i W1 != row j W1 /\ row i W1 != - row j W1) ->
  (forall x : 'cV_h, c *m map_mx even (W1 *m x) = 0) -> c = 0.
Proof.
move=> w0 ww zero; pose u (q : 'I_m * 'I_m * bool) : 'rV[F]_h :=
  if q.1.1 == q.1.2 then row q.1.1 W1 else row q.1.1 W1 - (-1) ^+ q.2 *: row q.1.2 W1.
have [|v uv] := @off_hyperplanes h _ u.
  case=> [[i j] s]; rewrite /u /=; have [_|ij] := eqVneq i j; first exact: w0.
  by rewrite subr_eq0; have [] := ww i j ij; case: s; rewrite ?expr1 ?expr0 ?scaleN1r ?scale1r.
pose y i := (row i W1 *m v) 0 0; have y0 i : y i != 0 by have := uv (i, i, false); rewrite /u /= eqxx.
have evenN z : even z = even `|z| by rewrite !even_abs normr_id.
apply/rowP => i; rewrite mxE; apply: (@on_line _ (fun i => `|y i|) (fun i => c 0 i)) => [j|j k /eqP|t t0].
- by rewrite normr_gt0.
- rewrite eqr_norm2; have [//|jk] := eqVneq j k.
  have off (s : bool) : y j != (-1) ^+ s * y k.
    have := uv (j, k, s); rewrite /u /= (negPf jk) mulmxBl -scalemxAl mxE [X in _ + X]mxE [X in _ - X]mxE.
    by rewrite subr_eq0.
  by have := off false; have := off true; rewrite expr1 expr0 mulN1r mul1r => /negPf -> /negPf ->.
have z : (c *m map_mx even (W1 *m (t *: v))) 0 0 = 0 by rewrite zero mxE.
rewrite mxE in z; rewrite -[RHS]z; apply: eq_bigr => j _; have yt : (W1 *m (t *: v)) j 0 = t * y j.
  by rewrite -scalemxAr mxE /y -row_mul [in RHS]mxE.
by rewrite [map_mx _ _ _ _]mxE yt [in RHS]evenN normrM (gtr0_norm t0) [t * _]mulrC.
Qed.
End Independent.

(* ---- SiLU: p is the logistic function, of any e that is like exp ---------------------------------------------- *)

Section Logistic.
Variables (F : realFieldType) (e : F -> F).
Definition like_exp := [/\ forall x y, e (x + y) = e x * e y, forall y, 0 < e y &
  forall K, exists t0, forall t, t0 <= t -> K <= e t].
Definition logistic (y : F) := (1 + e (- y))^-1.

Lemma logistic_tails : like_exp -> tails logistic.
Proof.
case=> add pos large; have e0 : e 0 = 1.
  have n0 : e 0 != 0 by rewrite gt_eqF.
  by apply: (mulIf n0); rewrite -add addr0 mul1r.
have one y : 0 < 1 + e y by rewrite addr_gt0 ?ltr01 ?pos.
split=> [y|y|a b r a0 ab r0]; rewrite /logistic ?invr_gt0 ?one //.
  have eN : e y * e (- y) = 1 by rewrite -add subrr e0.
  have -> : 1 + e (- - y) = (1 + e (- y)) / e (- y).
    by rewrite opprK mulrDl mul1r divff ?gt_eqF // [RHS]addrC; congr (_ + _); rewrite -[RHS]mul1r -eN mulfK ?gt_eqF.
  by rewrite invf_div -[X in X + _]mul1r -mulrDl divff // gt_eqF.
have [t1 l1] := large 1; have [t2 l2] := large (2%:R / r).
exists (Num.max (t1 / a) (t2 / (b - a))) => t; rewrite le_maxl !ler_pdivr_mulr ?subr_gt0 // => /andP [/l1 ge1 /l2 ge2].
rewrite !opprK ler_pdivl_mulr // mulrC ler_pdivr_mulr //.
apply: (@le_trans _ _ (2%:R * e (t * a))).
  by rewrite mulr_natl mulr2n [a * t]mulrC ler_add2r.
rewrite ler_pdivr_mulr // in ge2; apply: (@le_trans _ _ (r * e (b * t))); last by rewrite ler_pmul2l // ler_addr ler01.
have -> : b * t = t * (b - a) + t * a by rewrite -mulrDr subrK mulrC.
by rewrite add mulrA ler_pmul2r // mulrC.
Qed.

(* Provably: claim=N5b part=as-stated-independent-SiLU theorem=independent_silu quantifiers=all ordered fields, sizes, W1 with rows w_i not 0, w_i != +-w_j, any e > 0 with e(x + y) = e(x) e(y) that grows beyond all bounds in place of exp *)
Theorem independent_silu h m (W1 : 'M[F]_(m, h)) (c : 'rV_m) : like_exp -> (forall i, row i W1 != 0) ->
  (forall i j, i != j -> row i W1 != row j W1 /\ row i W1 != - row j W1) ->
  (forall x : 'cV_h, c *m map_mx (even logistic) (W1 *m x) = 0) -> c = 0.
Proof. by move/logistic_tails => tail; apply: independent. Qed.
End Logistic.

(* ---- without a hypothesis: a c that is not 0 and even parts whose sum is 0 everywhere ---------------------------- *)

Section Needed.
Variable F : realFieldType.
Implicit Types (p : F -> F) (x : 'cV[F]_1).
Notation vanishes p c W1 := (forall x, c *m map_mx (even p) (W1 *m x) = 0).
Notation column a b := (\matrix_(i < 2, j < 1) (if (i < 1)%N then a else b) : 'M[F]_(2, 1)).
Notation line a b := (\row_(i < 2) (if (i < 1)%N then a else b) : 'rV[F]_2).

Lemma half_twice : 2%:R^-1 + 2%:R^-1 = 1 :> F.
Proof. by rewrite -[2%:R^-1]mul1r -mulrDl -[1 + 1]/(2%:R) mulfV // pnatr_eq0. Qed.
Lemma even_neg p y : even p (- y) = even p y.
Proof. by rewrite /even opprK addrC. Qed.
Lemma even_flat p y : p (- y) = p y -> even p y = 0.
Proof. by rewrite /even /phi mulNr => ->; rewrite subrr. Qed.
Lemma one_vanishes p (w : F) : (forall y, even p (w * y) = 0) -> vanishes p 1%:M (w%:M : 'M_1).
Proof. by move=> z x; apply/matrixP => i j; rewrite !(mxE, big_ord1, ord1) eqxx !mulr1n z mulr0. Qed.
Lemma two_vanish p a b c e : (forall y, a * even p (c * y) + b * even p (e * y) = 0) ->
  vanishes p (line a b) (column c e).
Proof.
by move=> z x; apply/matrixP => i j; rewrite !(mxE, big_ord_recl, big_ord0, ord1) /= ?addr0 z.
Qed.

(* A row 0, c = 1, whatever p is. *)
(* Needed: theorem=independent,independent_silu hypothesis=no row of W1 is 0 lemma=needs_no_zero_row *)
Lemma needs_no_zero_row p : vanishes p 1%:M (0%:M : 'M_1).
Proof. by apply: one_vanishes => y; rewrite mul0r even_flat ?oppr0. Qed.
(* Rows 1 and 1 or 1 and -1, c = (1, -1), whatever p is. *)
(* Needed: theorem=independent,independent_silu hypothesis=no two rows of W1 are equal or opposite lemma=needs_different_rows *)
Lemma needs_different_rows p : vanishes p (line 1 (- 1)) (column 1 1) /\ vanishes p (line 1 (- 1)) (column 1 (- 1)).
Proof. by split; apply: two_vanish => y; rewrite ?mulN1r ?mul1r ?even_neg ?mul1r subrr. Qed.
(* p = 1/2: p(y) + p(-y) = 1 and p > 0, but its tails do not fall; row 1, c = 1. *)
(* Needed: theorem=independent hypothesis=p(-b t) in o(p(-a t)) for 0 < a < b lemma=needs_falling_tails *)
Lemma needs_falling_tails : let p (y : F) := 2%:R^-1 in
  [/\ forall y, p y + p (- y) = 1, forall y, 0 < p y & vanishes p 1%:M (1%:M : 'M_1)].
Proof.
move=> p; split=> [y|y|]; rewrite /p ?invr_gt0 ?ltr0n //.
  exact: half_twice.
by apply: one_vanishes => y; apply: even_flat.
Qed.
(* p a step from 0 to 1, phi = ReLU: all but p > 0; rows 1 and 2, c = (2, -1). *)
(* Needed: theorem=independent hypothesis=p > 0 lemma=needs_positive *)
Lemma needs_positive : let p (y : F) := if y == 0 then 2%:R^-1 else if 0 < y then 1 else 0 in
  [/\ forall y, p y + p (- y) = 1,
      forall a b e, 0 < a -> a < b -> 0 < e -> exists t0, forall t, t0 <= t -> p (- (b * t)) <= e * p (- (a * t)) &
      vanishes p (line 2%:R (- 1)) (column 1 2%:R)].
Proof.
move=> p; have p0 y : 0 < y -> p (- y) = 0 by move=> y0; rewrite /p oppr_eq0 gt_eqF // oppr_gt0 ltNge ltW.
have p1 y : 0 < y -> p y = 1 by move=> y0; rewrite /p gt_eqF // y0.
have even_is y : even p y = `|y|.
  rewrite /even /phi; case: (ltrgt0P y) => [y0|y0|->]; last by rewrite oppr0 !mul0r addr0.
    by rewrite p0 // p1 // mulr1 mulr0 addr0.
  have y1 : 0 < - y by rewrite oppr_gt0.
  by rewrite -{1 2}[y]opprK p0 // p1 // mulr0 mulr1 add0r.
split=> [y|a b e a0 ab e0|].
- case: (ltrgt0P y) => [y0|y0|->]; last by rewrite oppr0 /p eqxx half_twice.
    by rewrite p0 // p1 // addr0.
  have y1 : 0 < - y by rewrite oppr_gt0.
  by rewrite -{1}[y]opprK p0 // p1 // add0r.
- exists 1 => t t1; have t0 : 0 < t by apply: lt_le_trans t1; rewrite ltr01.
  by rewrite !p0 ?mulr0 // mulr_gt0 // (lt_trans a0).
by apply: two_vanish => y; rewrite !even_is mul1r normrM (ger0_norm (ler0n F 2)) mulN1r subrr.
Qed.
(* p(y) = e(-|y|), e like exp: p(y) = p(-y), so that even parts are 0; all but p(y) + p(-y) = 1; row 1, c = 1. *)
(* Needed: theorem=independent hypothesis=p(y) + p(-y) is 1 lemma=needs_sum_one *)
Lemma needs_sum_one (e : F -> F) : like_exp e -> let p y := e (- `|y|) in
  [/\ forall y, 0 < p y,
      forall a b r, 0 < a -> a < b -> 0 < r -> exists t0, forall t, t0 <= t -> p (- (b * t)) <= r * p (- (a * t)) &
      vanishes p 1%:M (1%:M : 'M_1)].
Proof.
case=> add pos large p; split=> [y|a b r a0 ab r0|]; first exact: pos.
  have [t1 far] := large r^-1; exists (Num.max 0 (t1 / (b - a))) => t.
  rewrite le_maxl ler_pdivr_mulr ?subr_gt0 // => /andP [t0 /far le]; have b0 := lt_trans a0 ab.
  rewrite /p !normrN !ger0_norm ?mulr_ge0 // ?(ltW a0) ?(ltW b0) //.
  have -> : - (a * t) = - (b * t) + t * (b - a) by rewrite mulrBr ![t * _]mulrC addrA addNr add0r.
  rewrite add mulrCA -[X in X <= _]mulr1 ler_pmul2l //.
  by rewrite -(mulfV (negbT (gt_eqF r0))) ler_pmul2l.
by apply: one_vanishes => y; apply: even_flat; rewrite /p normrN.
Qed.
(* e = 1, which does not grow: p = 1/2; row 1, c = 1. *)
(* Needed: theorem=independent_silu hypothesis=e grows beyond all bounds lemma=silu_needs_growth *)
Lemma silu_needs_growth : let e (y : F) : F := 1 in
  [/\ forall y z, e (y + z) = e y * e z, forall y, 0 < e y & vanishes (logistic e) 1%:M (1%:M : 'M_1)].
Proof. by move=> e; split=> [y z|y|]; rewrite /e ?mul1r ?ltr01 //; apply: one_vanishes => y; apply: even_flat. Qed.
(* e(y) = 1 + |y|, no power: row 1, c = 1. *)
(* Needed: theorem=independent_silu hypothesis=e(x + y) is e(x) e(y) lemma=silu_needs_powers *)
(* Needed: theorem=independent_silu hypothesis=e > 0 argued=follows from the other two: e(y) is the square of e(y / 2), and e(0) is 1 where e grows *)
Lemma silu_needs_powers : let e (y : F) := 1 + `|y| in
  [/\ forall y, 0 < e y, forall K, exists t0, forall t, t0 <= t -> K <= e t &
      vanishes (logistic e) 1%:M (1%:M : 'M_1)].
Proof.
move=> e; split=> [y|K|]; rewrite /e; first by rewrite ltr_paddr ?ltr01.
  by exists K => t Kt; apply: le_trans Kt _; rewrite (le_trans (ler_norm t)) // ler_addr ler01.
by apply: one_vanishes => y; apply: even_flat; rewrite /logistic opprK normrN.
Qed.
(* Needed: theorem=independent,independent_silu hypothesis=the sum of even parts is 0 everywhere argued=this is what independence is about *)
End Needed.
