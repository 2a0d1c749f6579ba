(* k_e1_r8.v - K-E1-R8, corrected: Theorem E.1 does not ask for m = 4h; below h neurons nothing is absorbable. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import relu.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section EveryWidth.
Variables (F : realFieldType) (h m : nat) (W1 : 'M[F]_(m, h)) (W2 : 'M[F]_(h, m)).
Hypotheses (rows : nonzero_rows W1) (apart : noncollinear W1) (columns : nonzero_columns W2).
Definition absorbable := exists (V2 : 'M[F]_(h, m)) (V1 : 'M[F]_(m, h)), absorbs V2 V1 W2 W1 1%:M.

(* Provably: claim=K-E1-R8 part=corrected theorem=every_width quantifiers=all ordered fields, h, m, W1, W2 *)
Theorem every_width : absorbable <-> exists J : pred 'I_m, part J W2 W1 = - 1%:M.
Proof. exact: absorbable_iff. Qed.

(* Provably: claim=K-E1-R8 part=corrected-m-below-h theorem=below_h quantifiers=all ordered fields, h, m < h, W1, W2 *)
Theorem below_h : (m < h)%N -> ~ absorbable.
Proof.
move=> small /every_width [J eJ]; have := part_rank J W2 W1.
by rewrite eJ mxrank_opp mxrank1 leqNgt small.
Qed.
End EveryWidth.

(* below_h needs none of the conditions on W1 and W2: where 2m neurons add up to x, at least two of them have their kink
 * on each hyperplane that has one, so that it cancels, and I takes h hyperplanes. *)
Lemma any_weights (F : realFieldType) h m (V2 W2 : 'M[F]_(h, m)) (V1 W1 : 'M_(m, h)) :
  absorbs V2 V1 W2 W1 1%:M -> (h <= m)%N.
Proof.
move=> same; pose r (s : 'I_m + 'I_m) := match s with inl j => row j V1 | inr j => row j W1 end.
pose q (s : 'I_m + 'I_m) := match s with inl j => col j V2 | inr j => - col j W2 end.
have linear x : \sum_s relu (dot (r s) x) *: q s = 1%:M *m x.
  rewrite big_sumType /= -mlp_sum same mlp_sum -addrA [1%:M *m x + _]addrC addrA -big_split /= big1 ?add0r // => j _.
  by rewrite scalerN subrr.
pose busy s := (r s != 0) && (q s != 0); pose like s t := (r t <= r s)%MS.
have like_sym s t : busy t -> like s t -> like t s.
  move=> /andP [rt _] /sub_rVP [c e]; apply/sub_rVP; exists c^-1.
  have c0 : c != 0 by apply: contraNneq rt => c0; rewrite e c0 scale0r.
  by rewrite e scalerA mulVf // scale1r.
have partner s : busy s -> exists t, [&& busy t, t != s & like s t].
  move=> /andP [rs qs]; apply/existsP; apply: contraT; rewrite negb_exists => /forallP alone.
  have [w|p [sp off]] := @generic_point F h (r s) [seq w <- codom r | ~~ (w <= r s)%MS].
    by rewrite mem_filter => /andP [nw _] c e; move: nw; rewrite e scalemx_sub ?submx_refl.
  have /rV0Pn [l wl] := rs; have := kinks_cancel linear p (delta_mx l 0).
  rewrite (bigD1 s) ?sp //= big1 => [|t /andP [tp ts]].
    by rewrite addr0 => /eqP; rewrite scaler_eq0 normr_eq0 /dot -colE mxE (negPf wl) (negPf qs).
  have on_line : like s t.
    by apply: contraLR tp => nt; apply: off; rewrite mem_filter nt codom_f.
  have := alone t; rewrite ts on_line !andbT negb_and !negbK => /orP [/eqP -> |/eqP ->]; last by rewrite scaler0.
  by rewrite /dot mul0mx mxE normr0 scale0r.
pose rep s := odflt s [pick t | busy t && like s t].
have repP s : busy s -> busy (rep s) && like s (rep s).
  by move=> bs; rewrite /rep; case: pickP => //= none; have := none s; rewrite bs /like submx_refl.
have rep_eq s t : busy s -> busy t -> like s t -> rep s = rep t.
  move=> bs bt st; have e : (fun u => busy u && like s u) =1 (fun u => busy u && like t u).
    move=> u; have [bu|] //= := boolP (busy u); apply/idP/idP => [su|tu].
      exact: submx_trans su (like_sym _ _ bt st).
    exact: submx_trans tu st.
  by rewrite /rep (eq_pick e); case: pickP => //= none; have := none t; rewrite bt /like submx_refl.
pose C := [set rep s | s in busy].
have inC c : c \in C -> busy c /\ rep c = c.
  case/imsetP => s bs ->; have /andP [br sr] := repP s bs; split=> //.
  by rewrite -(rep_eq s (rep s)).
pose pair c := odflt c [pick t | [&& busy t, t != c & like c t]].
have pairP c : busy c -> [&& busy (pair c), pair c != c & like c (pair c)].
  move=> bc; rewrite /pair; case: pickP => [t ok|none]; first exact: ok.
  by have [t] := partner c bc; rewrite (none t).
have rep_pair c : c \in C -> rep (pair c) = c.
  move=> /inC [bc rc]; have /and3P [bp _ cp] := pairP c bc; by rewrite -(rep_eq c).
have twice : (#|C| + #|C| <= m + m)%N.
  have size_C : #|pair @: C| = #|C|.
    by apply: card_in_imset => c c' /rep_pair e /rep_pair e' ee; rewrite -e ee.
  rewrite -{2}size_C -cardsUI (_ : C :&: _ = set0) ?cards0 ?addn0; last first.
    apply/setP => t; rewrite !inE; apply/negP => /andP [/inC [_ rt] /imsetP [c cC e]].
    have [bc _] := inC c cC; have /and3P [_ + _] := pairP c bc; by rewrite -e -rt e rep_pair ?eqxx.
  by apply: leq_trans (max_card _) _; rewrite card_sum !card_ord.
have lines : (h <= #|C|)%N.
  pose N := \matrix_(i < #|C|) r (enum_val i).
  suff /mxrankS : (2%:R%:M <= N)%MS.
    move=> le; have : (h <= \rank N)%N.
      by apply: leq_trans le; rewrite mxrank_unit // unitmxE det_scalar unitrX // unitfE pnatr_eq0.
    by move/leq_trans; apply; apply: rank_leq_row.
  have -> : 2%:R%:M = \sum_s q s *m r s.
    apply/matrixP => a b; have entry (A : 'M[F]_h) : A a b = (A *m (delta_mx b 0 : 'cV_h)) a 0 by rewrite -colE mxE.
    rewrite entry [RHS]entry mulmx_suml; congr (_ a 0); move: (delta_mx b 0) => x.
    have -> : 2%:R%:M *m x = 1%:M *m x - 1%:M *m (- x).
      by rewrite [LHS]mul_scalar_mx !mul1mx opprK scaler_nat mulr2n.
    rewrite -!linear -sumrB (eq_bigr (fun s => q s *m r s *m x)) // => s _.
    by rewrite dotN -scalerBl relu_half_odd -mulmxA [r s *m x]mx11_scalar mul_mx_scalar.
  apply: summx_sub => s _; have [bs|] := boolP (busy s); last first.
    by rewrite /busy negb_and !negbK => /orP [] /eqP ->; rewrite ?mulmx0 ?mul0mx sub0mx.
  have /andP [br sr] := repP s bs; have cC : rep s \in C by apply/imsetP; exists s.
  apply: submx_trans (submxMl _ _) _; apply: submx_trans (like_sym _ _ br sr) _.
  by have := row_sub (enum_rank_in cC (rep s)) N; rewrite rowK enum_rankK_in.
by rewrite -leq_double -!addnn; apply: leq_trans (leq_add lines lines) twice.
Qed.
(* Without a hypothesis of every_width: the weights of k_e1_nec.v. *)
(* Needed: theorem=every_width hypothesis=no row of W1 zero lemma=k_e1_nec.needs_nonzero_rows *)
(* Needed: theorem=every_width hypothesis=no two rows of W1 collinear lemma=k_e1_nec.needs_noncollinear *)
(* Needed: theorem=every_width hypothesis=no column of W2 zero lemma=k_e1_nec.needs_nonzero_columns *)
(* Needed: theorem=below_h hypothesis=no row of W1 zero argued=not needed: any_weights proves below_h without it *)
(* Needed: theorem=below_h hypothesis=no two rows of W1 collinear argued=not needed: any_weights proves below_h without it *)
(* Needed: theorem=below_h hypothesis=no column of W2 zero argued=not needed: any_weights proves below_h without it *)
(* m = h = 1: -ReLU(x) + x = -ReLU(-x). *)
(* Needed: theorem=below_h hypothesis=m below h lemma=needs_few_neurons *)
Lemma needs_few_neurons (F : realFieldType) : let W1 : 'M[F]_1 := 1%:M in let W2 : 'M[F]_1 := - 1%:M in
  [/\ nonzero_rows W1, noncollinear W1, nonzero_columns W2 & absorbable W1 W2].
Proof.
move=> W1 W2; have [rows apart columns] : [/\ nonzero_rows W1, noncollinear W1 & nonzero_columns W2].
  split=> [i|i j c|i]; [|by rewrite !ord1|].
    by apply/rV0Pn; exists 0; rewrite !mxE !ord1 oner_eq0.
  by apply/cV0Pn; exists 0; rewrite !mxE !ord1 oppr_eq0 oner_eq0.
split=> //; apply/(every_width rows apart columns); exists predT.
by rewrite /part big_ord1; apply/matrixP => i j; rewrite !mxE big_ord1 !mxE !ord1 eqxx mulr1.
Qed.
