(* relu.v - networks x -> W2 phi(W1 x) + Z x, columns x, and which linear skips ReLU networks absorb: Theorem E.1.
 *
 * `turn J W1` is (I - 2 Pi_J) W1, the rows in J turned over; `part J W2 W1` is the paper's W2[:,J] W1[J,:], the sum
 * over j in J of column j of W2 times row j of W1.  Necessity holds over any ordered field. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import order.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Turn.
Variables (R : comRingType) (h k m : nat).
Implicit Types (x : 'cV[R]_h) (J : pred 'I_m).

(* W2 phi(W1 x) *)
Definition mlp_of (phi : R -> R) (W2 : 'M[R]_(k, m)) (W1 : 'M[R]_(m, h)) x : 'cV_k := W2 *m map_mx phi (W1 *m x).
Definition turn J (W1 : 'M[R]_(m, h)) : 'M[R]_(m, h) := \matrix_(i, j) (if J i then - W1 i j else W1 i j).
Definition part J (W2 : 'M[R]_(k, m)) (W1 : 'M[R]_(m, h)) : 'M[R]_(k, h) := \sum_(i | J i) col i W2 *m row i W1.
Definition half_odd (phi : R -> R) := forall y, phi y - phi (- y) = y.
(* w x, w a row *)
Definition dot (w : 'rV[R]_h) x : R := (w *m x) 0 0.

Lemma dot_row (W1 : 'M[R]_(m, h)) i x : (W1 *m x) i 0 = dot (row i W1) x.
Proof. by rewrite /dot -row_mul [RHS]mxE. Qed.
Lemma dotD w x y : dot w (x + y) = dot w x + dot w y.
Proof. by rewrite /dot mulmxDr mxE. Qed.
Lemma dotN w x : dot w (- x) = - dot w x.
Proof. by rewrite /dot mulmxN mxE. Qed.
Lemma dotZ w c x : dot w (c *: x) = c * dot w x.
Proof. by rewrite /dot -scalemxAr mxE. Qed.
Lemma dotZl w c x : dot (c *: w) x = c * dot w x.
Proof. by rewrite /dot -scalemxAl mxE. Qed.

(* the sum over neurons *)
Lemma mlp_sum phi W2 W1 x : mlp_of phi W2 W1 x = \sum_i phi (dot (row i W1) x) *: col i W2.
Proof.
apply/colP => j; rewrite mxE summxE; apply: eq_bigr => i _; rewrite !mxE mulrC; congr (phi _ * _).
by rewrite -dot_row mxE.
Qed.
Lemma part_mul J W2 W1 x : part J W2 W1 *m x = \sum_(i | J i) dot (row i W1) x *: col i W2.
Proof.
rewrite mulmx_suml; apply: eq_bigr => i _; rewrite -mulmxA.
by rewrite [row i W1 *m x]mx11_scalar mul_mx_scalar.
Qed.

(* Turning J over adds the skip W2[:,J] W1[J,:] x: any J, any weights. *)
Lemma turn_over phi W2 W1 J x : half_odd phi ->
  mlp_of phi W2 W1 x = mlp_of phi W2 (turn J W1) x + part J W2 W1 *m x.
Proof.
move=> odd; rewrite !mlp_sum part_mul [X in _ + X]big_mkcond -big_split; apply: eq_bigr => i _ /=.
have -> : dot (row i (turn J W1)) x = if J i then - dot (row i W1) x else dot (row i W1) x.
  rewrite (_ : row i (turn J W1) = if J i then - row i W1 else row i W1).
    by case: (J i) => //; rewrite /dot mulNmx mxE.
  by apply/rowP => j; rewrite !mxE; case: (J i); rewrite !mxE.
case: (J i); rewrite ?addr0 // -scalerDl; congr (_ *: _).
by rewrite -[X in _ + X]odd addrC subrK.
Qed.
End Turn.

Lemma part_rank (F : fieldType) h k m (J : pred 'I_m) (W2 : 'M[F]_(k, m)) (W1 : 'M[F]_(m, h)) :
  (\rank (part J W2 W1) <= m)%N.
Proof.
have -> : part J W2 W1 = (\matrix_(a, i) (if J i then W2 a i else 0)) *m W1.
  apply/matrixP => a b; rewrite summxE [RHS]mxE big_mkcond; apply: eq_bigr => i _.
  by rewrite !mxE; case: (J i); rewrite ?mul0r // big_ord1 !mxE.
by apply: leq_trans (mxrankM_maxr _ _) (rank_leq_row _).
Qed.

Section ReLU.
Variable F : realFieldType.
Definition relu (y : F) : F := Num.max y 0.

Lemma relu_pos y : 0 <= y -> relu y = y.
Proof. by move=> y0; rewrite /relu; apply/max_idPl. Qed.
Lemma relu_neg y : y <= 0 -> relu y = 0.
Proof. by move=> y0; rewrite /relu; apply/max_idPr. Qed.
Lemma relu_half_odd : half_odd relu.
Proof.
move=> y; have [y0|/ltW y0] := leP 0 y.
  by rewrite relu_pos // relu_neg ?subr0 // oppr_le0.
by rewrite relu_neg // relu_pos ?sub0r ?opprK // oppr_ge0.
Qed.
Lemma relu_scale c y : c != 0 -> relu (c * y) = `|c| * (relu y - (if c < 0 then y else 0)).
Proof.
rewrite neq_lt => /orP [c0|c0]; first rewrite c0 ltr0_norm //.
  have -> : relu y - y = relu (- y) by rewrite -[X in _ - X]relu_half_odd opprB addrC subrK.
  have [y0|/ltW y0] := leP 0 y.
    by rewrite relu_neg ?nmulr_rle0 // relu_neg ?mulr0 // oppr_le0.
  by rewrite relu_pos ?nmulr_rge0 // relu_pos ?oppr_ge0 // mulrNN.
rewrite ltNge (ltW c0) /= subr0 gtr0_norm //; have [y0|/ltW y0] := leP 0 y.
  by rewrite !relu_pos // pmulr_rge0.
by rewrite !relu_neg ?mulr0 // pmulr_rle0.
Qed.

(* The second difference of ReLU along a line: |b| at the kink, 0 away from it. *)
Lemma second_difference a b s : 0 <= s -> (a != 0 -> `|b| <= s * `|a|) ->
  relu (s * a + b) + relu (s * a - b) - relu (s * a) *+ 2 = if a == 0 then `|b| else 0.
Proof.
move=> s0; case: eqP => [-> _|/eqP a0 /(_ isT) small].
  rewrite mulr0 add0r sub0r [relu 0]relu_pos // mul0rn subr0.
  have [b0|/ltW b0] := leP 0 b; first by rewrite relu_pos // relu_neg ?addr0 ?ger0_norm ?oppr_le0.
  by rewrite relu_neg // relu_pos ?oppr_ge0 // add0r ler0_norm.
have [lo hi] : - (s * `|a|) <= b /\ b <= s * `|a| by apply/andP; rewrite -ler_norml.
have [p|/ltW p] := leP 0 a.
  move: lo hi; rewrite ger0_norm // => lo hi.
  have up : 0 <= s * a + b by move: lo; rewrite -subr_ge0 opprK addrC.
  have dn : 0 <= s * a - b by rewrite subr_ge0.
  by rewrite !relu_pos ?mulr_ge0 // addrACA subrr addr0 mulr2n subrr.
move: lo hi; rewrite ler0_norm // mulrN opprK => lo hi.
have up : s * a + b <= 0 by rewrite -[s * a]opprK addrC subr_le0.
have dn : s * a - b <= 0 by rewrite subr_le0.
by rewrite !relu_neg ?mulr_ge0_le0 // mul0rn subr0 addr0.
Qed.

Variables (h k : nat).
Implicit Types (w r : 'rV[F]_h) (x p u : 'cV[F]_h).

(* Where a sum of kinks is linear, the kinks through each point cancel. *)
Lemma kinks_cancel (I : finType) (r : I -> 'rV[F]_h) (q : I -> 'cV[F]_k) (A : 'M[F]_(k, h)) :
  (forall x, \sum_i relu (dot (r i) x) *: q i = A *m x) ->
  forall p u, \sum_(i | dot (r i) p == 0) `|dot (r i) u| *: q i = 0.
Proof.
move=> linear p u; pose s := \sum_i `|dot (r i) u| / `|dot (r i) p|.
have term i : 0 <= `|dot (r i) u| / `|dot (r i) p| by rewrite divr_ge0.
have s0 : 0 <= s by apply: sumr_ge0.
have zero : A *m (s *: p + u) + A *m (s *: p - u) - (A *m (s *: p)) *+ 2 = 0.
  by rewrite mulmxDr mulmxBr addrACA subrr addr0 mulr2n subrr.
pose f x i : 'cV[F]_k := relu (dot (r i) x) *: q i.
have sum0 : \sum_i (f (s *: p + u) i + f (s *: p - u) i - f (s *: p) i *+ 2) = 0.
  by rewrite sumrB sumrMnl big_split /= !linear.
rewrite -[RHS]sum0 big_mkcond; apply: eq_bigr => i _; rewrite /f /=.
rewrite !dotD dotN !dotZ -scalerDl scalerMnl -scalerBl second_difference //.
  by case: eqP; rewrite ?scale0r.
move=> ne; have na : `|dot (r i) p| != 0 by rewrite normr_eq0.
rewrite -[X in X <= _](divfK na) ler_wpmul2r // /s (bigD1 i) //= -subr_ge0 addrAC subrr add0r.
by apply: sumr_ge0.
Qed.

(* A direction across r that w does not see. *)
Lemma across w r : (forall c, r <> c *: w) -> exists q, dot w q = 0 /\ dot r q != 0.
Proof.
move=> notw; have unit_dot v l : dot v (delta_mx l 0) = v 0 l by rewrite /dot -colE mxE.
have [w0|/rV0Pn [l wl]] := eqVneq w 0.
  have /rV0Pn [l rl] : r != 0 by apply/eqP => r0; apply: (notw 0); rewrite r0 scale0r.
  by exists (delta_mx l 0); rewrite !unit_dot w0 mxE.
have [/existsP [j ne]|none] := boolP [exists j, r 0 j != r 0 l / w 0 l * w 0 j].
  exists (delta_mx j 0 - (w 0 j / w 0 l) *: delta_mx l 0); rewrite !dotD !dotN !dotZ !unit_dot divfK // subrr.
  by split=> //; rewrite subr_eq0 mulrAC [w 0 j * _]mulrC mulrAC.
case: (notw (r 0 l / w 0 l)); apply/rowP => j; rewrite mxE.
by move: none; rewrite negb_exists => /forallP /(_ j); rewrite negbK => /eqP.
Qed.

(* A point of the hyperplane of w that lies on no other hyperplane of the list. *)
Lemma generic_point w (rs : seq 'rV[F]_h) : (forall r, r \in rs -> forall c, r <> c *: w) ->
  exists p, dot w p = 0 /\ forall r, r \in rs -> dot r p != 0.
Proof.
elim: rs => [_|r rs IH ok]; first by exists 0; rewrite /dot mulmx0 mxE.
have [|p [wp pp]] := IH; first by move=> r' in_; apply: ok; rewrite inE in_ orbT.
have [q [wq rq]] := across (ok r (mem_head _ _)).
pose bad r' := - dot r' p / dot r' q; pose t := 1 + \sum_(r' <- r :: rs) `|bad r'|.
exists (p + t *: q); rewrite dotD dotZ wp wq mulr0 addr0; split=> // r' in_; rewrite dotD dotZ.
have [r'q|r'q] := eqVneq (dot r' q) 0.
  rewrite r'q mulr0 addr0; move: in_; rewrite inE => /orP [/eqP e|/pp //].
  by rewrite -e r'q eqxx in rq.
apply/eqP => e; have tb : t = bad r'.
  by apply: (mulIf r'q); rewrite /bad divfK //; apply/eqP; rewrite -subr_eq0 opprK addrC e.
have : `|bad r'| < t.
  rewrite /t (big_rem r' in_) /= addrCA -subr_gt0 addrAC subrr add0r.
  by rewrite (lt_le_trans ltr01) // -subr_ge0 addrAC subrr add0r sumr_ge0.
by rewrite -tb ger0_norm ?ltxx // /t addr_ge0 ?ler01 // sumr_ge0.
Qed.

(* ---- Theorem E.1 ------------------------------------------------------------------------------------------------ *)

Variable m : nat.

Definition nonzero_rows n (W1 : 'M[F]_(n, h)) := forall i, row i W1 != 0.
Definition noncollinear (W1 : 'M[F]_(m, h)) := forall i j c, i != j -> row i W1 <> c *: row j W1.
Definition nonzero_columns (W2 : 'M[F]_(k, m)) := forall i, col i W2 != 0.
(* (V2, V1) without a skip is (W2, W1) with the skip Z. *)
Definition absorbs n (V2 : 'M[F]_(k, n)) (V1 : 'M_(n, h)) (W2 : 'M_(k, m)) (W1 : 'M_(m, h)) (Z : 'M_(k, h)) :=
  forall x, mlp_of relu V2 V1 x = mlp_of relu W2 W1 x + Z *m x.

Section Necessity.
Variables (W1 : 'M[F]_(m, h)) (W2 : 'M[F]_(k, m)) (Z : 'M[F]_(k, h)).
Hypotheses (rows_W1 : nonzero_rows W1) (apart : noncollinear W1) (columns_W2 : nonzero_columns W2).

(* The kink of neuron i of W stands in V, too: at a point of its hyperplane alone, the kinks of V along it add up to
   it. *)
Lemma kink_of n (V2 : 'M[F]_(k, n)) (V1 : 'M_(n, h)) i : absorbs V2 V1 W2 W1 Z ->
  exists p, [/\ dot (row i W1) p = 0,
    forall j, dot (row j V1) p = 0 -> exists c, row j V1 = c *: row i W1 &
    forall u, `|dot (row i W1) u| *: col i W2 = \sum_(j | dot (row j V1) p == 0) `|dot (row j V1) u| *: col j V2].
Proof.
move=> same; pose others := [seq row j W1 | j <- enum 'I_m & j != i] ++
  [seq r <- [seq row j V1 | j <- enum 'I_n] | ~~ (r <= row i W1)%MS].
have [r|p [wp off]] := @generic_point (row i W1) others.
  rewrite mem_cat => /orP [/mapP [j]|]; first by rewrite mem_filter => /andP [ne _] -> c; apply: apart.
  by rewrite mem_filter => /andP [nr _] c e; move: nr; rewrite e scalemx_sub ?submx_refl.
exists p; split=> // [j jp|u].
  have [/sub_rVP [c e]|n_] := boolP (row j V1 <= row i W1)%MS; first by exists c.
  have /off : row j V1 \in others.
    rewrite mem_cat; apply/orP; right; rewrite mem_filter n_ /=.
    by apply/mapP; exists j; rewrite ?mem_enum.
  by rewrite jp eqxx.
pose r (s : 'I_n + 'I_m) := match s with inl j => row j V1 | inr j => row j W1 end.
pose q (s : 'I_n + 'I_m) := match s with inl j => col j V2 | inr j => - col j W2 end.
have linear x : \sum_s relu (dot (r s) x) *: q s = Z *m x.
  rewrite big_sumType /= -mlp_sum same mlp_sum -addrA [Z *m x + _]addrC addrA -big_split /= big1 ?add0r // => j _.
  by rewrite scalerN subrr.
have := kinks_cancel linear p u; rewrite big_sumType /= [X in _ + X](bigD1 i) ?wp //= [X in _ + (_ + X)]big1.
  by rewrite addr0 scalerN => /eqP; rewrite subr_eq0 => /eqP ->.
move=> j /andP [jp ne]; have /off : row j W1 \in others.
  by rewrite mem_cat; apply/orP; left; apply/mapP; exists j; rewrite // mem_filter ne mem_enum.
by rewrite jp.
Qed.

(* E.1, necessity: at equal width only turning over some J can absorb Z. *)
Theorem absorbed_only_by_turning (V2 : 'M[F]_(k, m)) (V1 : 'M_(m, h)) :
  absorbs V2 V1 W2 W1 Z -> exists J : pred 'I_m, part J W2 W1 = - Z.
Proof.
move=> same.
have partner i : exists jc : 'I_m * F, jc.2 != 0 /\ row jc.1 V1 = jc.2 *: row i W1.
  have [p [wp ones kinks]] := kink_of i same.
  have /rV0Pn [l wl] := rows_W1 i; have := kinks (delta_mx l 0).
  have unit_dot v : dot v (delta_mx l 0) = v 0 l :> F by rewrite /dot -colE mxE.
  rewrite unit_dot => e; have : \sum_(j | dot (row j V1) p == 0) `|dot (row j V1) (delta_mx l 0)| *: col j V2 != 0.
    by rewrite -e scaler_eq0 normr_eq0 negb_or wl columns_W2.
  move=> /eqP nz; have [/existsP [j /andP [/eqP jp ne]]|none] :=
    boolP [exists j, (dot (row j V1) p == 0) && (dot (row j V1) (delta_mx l 0) != 0)].
    have [c ec] := ones j jp; exists (j, c); split=> //=; apply: contraNneq ne => c0.
    by rewrite ec c0 scale0r /dot mul0mx mxE.
  case: nz; apply: big1 => j jp; move: none; rewrite negb_exists => /forallP /(_ j); rewrite jp negbK => /eqP ->.
  by rewrite normr0 scale0r.
have [f ff] := fin_all_exists partner.
pose s i := (f i).1; pose c i := (f i).2.
have c0 i : c i != 0 by have [] := ff i.
have sc i : row (s i) V1 = c i *: row i W1 by have [] := ff i.
have s_inj : injective s.
  move=> i j e; apply/eqP; apply: contraT => ne; case: (apart (c := (c i)^-1 * c j) ne).
  by rewrite -scalerA -sc -e sc scalerA mulVf // scale1r.
have sum_s (G : 'I_m -> 'cV[F]_k) : \sum_j G j = \sum_i G (s i).
  by rewrite (reindex_inj s_inj).
(* the jumps agree *)
have jump i : col i W2 = `|c i| *: col (s i) V2.
  have [p [wp ones kinks]] := kink_of i same.
  have /rV0Pn [l wl] := rows_W1 i; have := kinks (delta_mx l 0).
  rewrite (bigD1 (s i)) /=; last by rewrite sc dotZl wp mulr0.
  rewrite big1 => [|j /andP [/eqP jp ne]].
    rewrite addr0 sc dotZl normrM [`|c i| * _]mulrC -scalerA => e.
    have w0 : `|dot (row i W1) (delta_mx l 0)| != 0 by rewrite normr_eq0 /dot -colE mxE.
    exact: (scalerI w0).
  have [d ed] := ones j jp; have [t st] : exists t, s t = j.
    by have /codomP [t jt] := inj_card_onto s_inj (leqnn _) j; exists t.
  rewrite -st in ed ne *; case: (apart (c := (c t)^-1 * d) (i := t) (j := i)); first by apply: contraNneq ne => ->.
  by rewrite -scalerA -ed sc scalerA mulVf // scale1r.
exists (fun i => c i < 0); apply/matrixP => a b.
suff lin x : part (fun i => c i < 0) W2 W1 *m x = - Z *m x.
  have entry (A : 'M[F]_(k, h)) : (A *m (delta_mx b 0 : 'cV_h)) a 0 = A a b by rewrite -colE mxE.
  by rewrite -(entry (- Z)) -lin entry.
pose y i := dot (row i W1) x; pose turned i := (if c i < 0 then y i else 0).
have neuron i : relu (dot (row (s i) V1) x) *: col (s i) V2 = relu (y i) *: col i W2 - turned i *: col i W2.
  by rewrite sc dotZl relu_scale // mulrC -scalerA -jump scalerBl.
have := same x; rewrite !mlp_sum sum_s (eq_bigr _ (fun i _ => neuron i)) sumrB => /addrI.
rewrite mulNmx => <-; rewrite opprK part_mul big_mkcond; apply: eq_bigr => i _.
by rewrite /turned; case: ifP => //; rewrite scale0r.
Qed.

(* .. and turning it over does. *)
Theorem absorbable_iff :
  (exists (V2 : 'M[F]_(k, m)) (V1 : 'M_(m, h)), absorbs V2 V1 W2 W1 Z) <-> exists J : pred 'I_m, part J W2 W1 = - Z.
Proof.
split=> [[V2 [V1 same]]|[J eJ]]; first exact: absorbed_only_by_turning same.
exists W2, (turn J W1) => x; rewrite [in RHS](turn_over W2 W1 J x relu_half_odd) eJ -addrA mulNmx addNr addr0 //.
Qed.
End Necessity.
End ReLU.
