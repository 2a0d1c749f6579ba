(* k_e1_001.v - K-E1-001, which skips a ReLU network absorbs when nothing is asked of its weights.
 *
 * Every W2 ReLU(W1 x) + Z x is sum_k c_k |u_k x| + L x, k = 1..p, with u_k not 0 and pairwise not collinear and c_k not
 * 0: its canonical form.  Some V2 ReLU(V1 x) of width n is the same function if and only if for some set K of kinks and
 * signs s_k
 *     p + |K| + 2 rank (L - sum_{k not in K} s_k c_k u_k  modulo  span u_K) <= n.
 * Over every ordered field; W may have any width, and n = m is that of W. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import order relu kinks.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Criterion.
Variables (F : realFieldType) (h k : nat).
Notation relu := (@relu F).
Implicit Types x : 'cV[F]_h.

(* m neurons, written as a sum over any finite set of at most m *)
Lemma network_of (I : finType) m (r : I -> 'rV[F]_h) (q : I -> 'cV[F]_k) : (#|I| <= m)%N ->
  exists (V2 : 'M_(k, m)) (V1 : 'M_(m, h)), forall x, mlp_of relu V2 V1 x = \sum_i relu (dot (r i) x) *: q i.
Proof.
move/subnKC <-; exists (row_mx (\matrix_(a, i) q (enum_val i) a 0) 0), (col_mx (\matrix_(i, b) r (enum_val i) 0 b) 0).
move=> x; rewrite /mlp_of mul_col_mx map_col_mx mul_row_col mul0mx addr0 -[_ *m _]/(mlp_of relu _ _ x) mlp_sum.
rewrite [RHS](reindex (@enum_val I predT)); last by apply: onW_bij; apply: enum_val_bij.
by apply: eq_bigr => i _; congr (relu (dot _ x) *: _); [apply/rowP | apply/colP] => b; rewrite !mxE.
Qed.

Section Form.
Variables (p : nat) (u : 'M[F]_(p, h)) (c : 'M[F]_(k, p)) (L : 'M[F]_(k, h)).

Definition sign (s : bool) : F := (-1) ^+ s.
(* the u_k of K; L without the kinks outside K, each turned one way; the rank of that modulo span u_K *)
Definition of_K (K : {set 'I_p}) : 'M[F]_(p, h) := \matrix_(i, j) (if i \in K then u i j else 0).
Definition left_over (K : {set 'I_p}) (s : 'I_p -> bool) :=
  L - \sum_(i | i \notin K) sign (s i) *: (col i c *m row i u).
Definition rank_modulo q (U : 'M[F]_(q, h)) (A : 'M[F]_(k, h)) := (\rank (U + A)%MS - \rank U)%N.
Definition width_needed (K : {set 'I_p}) s := (p + #|K| + 2 * rank_modulo (of_K K) (left_over K s))%N.

Lemma row_of_K (K : {set 'I_p}) i : row i (of_K K) = if i \in K then row i u else 0.
Proof. by apply/rowP => j; rewrite !mxE; case: ifP; rewrite !mxE. Qed.

(* L = A u_K + B C, C of as many rows as the rank modulo span u_K *)
Lemma split_modulo q (U : 'M[F]_(q, h)) (A : 'M[F]_(k, h)) :
  exists X (B : 'M_(k, rank_modulo U A)) C, A = X *m U + B *m C.
Proof.
have rk : \rank (A :\: U)%MS = rank_modulo U A.
  suff e : \rank (A + U)%MS = (\rank U + \rank (A :\: U)%MS)%N by rewrite /rank_modulo addsmxC e addKn.
  apply/eqP; rewrite -(eqn_add2r (\rank (A :&: U)%MS)) mxrank_sum_cap -[X in (X + _)%N == _](mxrank_cap_compl A U).
  by rewrite addnC [(\rank (_ :&: _)%MS + _)%N]addnC addnA.
have : (A <= U + (A :\: U))%MS.
  apply: submx_trans (_ : _ <= (A :\: U) + (A :&: U))%MS _; first by rewrite addsmx_diff_cap_eq.
  by rewrite addsmxC addsmxS ?capmxSr.
case/sub_addsmxP => -[X Y] /= e; exists X; rewrite -rk.
by exists (Y *m col_base (A :\: U)%MS), (row_base (A :\: U)%MS); rewrite -mulmxA mulmx_base.
Qed.

Lemma enough K s m : (width_needed K s <= m)%N ->
  exists (V2 : 'M_(k, m)) (V1 : 'M_(m, h)), forall x, mlp_of relu V2 V1 x = kinked u c L x.
Proof.
rewrite /width_needed; have [X [B [C e]]] := split_modulo (of_K K) (left_over K s); move: B C e.
set t := rank_modulo _ _ => B C e wide; pose I := (('I_p + 'I_#|K|) + ('I_t + 'I_t))%type.
have card : (#|{: I}| <= m)%N by rewrite !card_sum !card_ord addnn -mul2n.
pose r (i : I) := match i with
  | inl (inl i) => if i \in K then row i u else sign (s i) *: row i u
  | inl (inr i) => - row (enum_val i) u | inr (inl i) => row i C | inr (inr i) => - row i C end.
pose q (i : I) := match i with
  | inl (inl i) => if i \in K then col i c + col i X else col i c *+ 2
  | inl (inr i) => col (enum_val i) c - col (enum_val i) X | inr (inl i) => col i B | inr (inr i) => - col i B end.
have [V2 [V1 eV]] := network_of r q card; exists V2, V1 => x; rewrite eV !big_sumType /=.
pose y i := dot (row i u) x.
rewrite -(big_enum_val (fun i => relu (dot (- row i u) x) *: (col i c - col i X))) /=.
have -> : \sum_i relu (dot (row i C) x) *: col i B + \sum_i relu (dot (- row i C) x) *: - col i B = B *m C *m x.
  by rewrite -big_split mul_sum /=; apply: eq_bigr => i _; rewrite dotNl scalerN -scalerBl relu_half_odd.
rewrite [X in _ + X + _]big_mkcond -big_split /=.
have -> : kinked u c L x =
    \sum_i (`|y i| *: col i c + (if i \in K then y i *: col i X else sign (s i) * y i *: col i c)) + B *m C *m x.
  rewrite /kinked -[L](subrK (\sum_(i | i \notin K) sign (s i) *: (col i c *m row i u))) -/(left_over K s) e.
  rewrite !mulmxDl big_split /= -!addrA; congr (_ + _); rewrite addrCA addrC; congr (_ + _).
  rewrite mul_sum mulmx_suml [X in _ + X]big_mkcond -big_split; apply: eq_bigr => i _ /=.
  by rewrite row_of_K; case: (i \in K); rewrite ?addr0 // dot0l scale0r add0r -scalemxAl mul_dot scalerA.
congr (_ + _); apply: eq_bigr => i _; case: ifP => Ki.
  rewrite dotNl scalerDr scalerBr addrACA -scalerDl relu_and_turned -scalerBl relu_half_odd //.
rewrite addr0 dotZl -scalerMnr scalerMnl twice_relu scalerDl; congr (_ *: _ + _).
by rewrite normrM normr_sign mul1r.
Qed.

(* Neurons v_i with columns q_i, kinks w_j; `forget` leaves of both what the linear part sees: all, or all but biases.
 * If the neurons on each line have the kink that is there, and L is their linear part, they are as many as said. *)
Lemma neurons_needed n m (forget : 'M[F]_(n, h)) (v : 'I_m -> 'rV[F]_n) (q : 'I_m -> 'cV[F]_k) (w : 'I_p -> 'rV[F]_n) :
  let r i := v i *m forget in
  (forall j, w j *m forget = row j u) -> nonzero_rows u -> (forall i j a, i != j -> w i <> a *: w j) ->
  nonzero_columns c -> \sum_i q i *m r i = L *+ 2 ->
  (forall (z : 'rV_n) x, z *m forget != 0 -> \sum_(i | (v i <= z)%MS) `|dot (r i) x| *: q i =
    (\sum_(j | (w j <= z)%MS) `|dot (row j u) x| *: col j c) *+ 2) ->
  exists K s, (width_needed K s <= m)%N.
Proof.
move=> r wu rows apart columns linear line; have vr i : v i *m forget = r i by [].
pose on j i := (r i != 0) && (v i <= w j)%MS; pose off i := (r i != 0) && [forall j, ~~ (v i <= w j)%MS].
have v0 i : r i != 0 -> v i != 0 by apply: contraNneq => e; rewrite -vr e mul0mx.
have w0 j : w j != 0 by apply: contraNneq (rows j) => e; rewrite -wu e mul0mx.
have scaled i z a : v i = a *: z -> r i = a *: (z *m forget) by move=> e; rewrite -vr e scalemxAl.
have one_line i j l : on j i -> on l i -> j = l.
  case/andP=> /v0 vi ij /andP [_ il]; apply/eqP; apply: contraT => jl.
  by have /sub_rVP [a e] := submx_trans (parallel_sym vi ij) il; case: (apart j l a jl).
have some_line i : [\/ r i = 0, exists j, [/\ on j i, forall l, l != j -> on l i = false & off i = false] |
                      off i /\ forall j, on j i = false].
  have [->|r0] := eqVneq (r i) 0; first by constructor 1.
  have [/existsP [j ij]|none] := boolP [exists j, (v i <= w j)%MS].
    constructor 2; exists j; rewrite /on /off r0 ij /=; split=> // [l lj|].
      by apply: contraNF lj => il; apply/eqP; apply: (one_line i); rewrite /on r0.
    by apply/forallP => /(_ j); rewrite ij.
  constructor 3; rewrite negb_exists in none; rewrite /off r0 none; split=> // j.
  by rewrite /on r0 (negPf (forallP none j)).
have count : (\sum_j #|on j| + #|off| <= m)%N.
  have -> : (\sum_j #|on j| = \sum_i \sum_(j | on j i) 1)%N.
    by rewrite (exchange_big_dep predT) //=; apply: eq_bigr => j _; rewrite sum1_card.
  rewrite -[X in (_ + X)%N]sum1_card [X in (_ + X)%N]big_mkcond -big_split /= -[X in (_ <= X)%N]card_ord -sum1_card.
  apply: leq_sum => i _; rewrite unfold_in -/(off i); have [e|[j [ji only ->]]|[-> none]] := some_line i.
  - by rewrite big_pred0 /off /on ?e ?eqxx // => j; rewrite e eqxx.
  - by rewrite (bigD1 j) //= big1 // => l /andP [li /only]; rewrite li.
  by rewrite big_pred0.
have by_lines : \sum_i q i *m r i = \sum_j \sum_(i | on j i) q i *m r i + \sum_(i | off i) q i *m r i.
  rewrite [X in _ = X + _](exchange_big_dep predT) //= [X in _ = _ + X]big_mkcond -big_split /=.
  apply: eq_bigr => i _; have [e|[j [ji only ->]]|[-> none]] := some_line i.
  - by rewrite e mulmx0 big1 // if_same addr0.
  - by rewrite (bigD1 j) //= big1 ?addr0 // => l /andP [li /only]; rewrite li.
  by rewrite big_pred0 // add0r.
have without_zero (A B : pred 'I_m) x : (forall i, r i != 0 -> A i = B i) ->
    \sum_(i | A i) `|dot (r i) x| *: q i = \sum_(i | B i) `|dot (r i) x| *: q i.
  move=> AB; rewrite big_mkcond [RHS]big_mkcond; apply: eq_bigr => i _.
  by have [->|/AB ->//] := eqVneq (r i) 0; rewrite dot0l normr0 scale0r !if_same.
have kink j x : \sum_(i | on j i) `|dot (r i) x| *: q i = `|dot (row j u) x| *: col j c *+ 2.
  rewrite (without_zero _ (fun i => v i <= w j)%MS) => [|i r0]; last by rewrite /on r0.
  rewrite line ?wu // (big_pred1 j) // => l; apply/idP/eqP => [le|->]; last exact: submx_refl.
  by apply/eqP; apply: contraT => lj; case/sub_rVP: le => a e; case: (apart l j a lj).
have silent i x : off i -> \sum_(l | off l && (v l <= v i)%MS) `|dot (r l) x| *: q l = 0.
  case/andP=> ri0 /forallP none; rewrite (without_zero _ (fun l => v l <= v i)%MS) => [|l rl0].
    rewrite line ?vr // big_pred0 ?mul0rn // => j; apply: contraNF (none j).
    exact: parallel_sym (w0 j).
  rewrite /off rl0 /=; have [le|] := boolP (v l <= v i)%MS; rewrite ?andbF // andbT; apply/forallP => j.
  by apply: contra (none j); apply: submx_trans; apply: parallel_sym (v0 l rl0) _.
have there j : (0 < #|on j|)%N.
  apply/card_gt0P; have [x jx] := seen (rows j); have [/existsP //|/existsPn none] := boolP [exists i, on j i].
  have := kink j x; rewrite big_pred0 => [/eqP|i]; last exact/negbTE/none.
  by rewrite eq_sym -scaler_nat scaler_eq0 pnatr_eq0 /= scaler_eq0 normr_eq0 (negPf jx) (negPf (columns j)).
pose K := [set j | 1 < #|on j|]%N; pose half (A : 'M[F]_(k, h)) := 2%:R^-1 *: A.
have turned j : exists s : bool, j \notin K ->
    half (\sum_(i | on j i) q i *m r i) = sign s *: (col j c *m row j u).
  have [jK|jK] := boolP (j \in K); first by exists false.
  have one : #|on j| = 1%N by apply/eqP; rewrite eqn_leq there andbT leqNgt; rewrite inE in jK.
  have [i only] := mem_card1 one; have /andP [r0 /sub_rVP [a e']] : on j i by have := only i; rewrite !inE eqxx.
  have e : r i = a *: row j u by rewrite (scaled _ _ _ e') wu.
  exists (a < 0) => _; have [x jx] := seen (rows j); have := kink j x.
  rewrite (big_pred1 i) // e dotZl normrM mulrC -scalerA scalerMnr => /scalerI jump.
  rewrite /half (big_pred1 i) // e -scalemxAr {1}[a]realEsign ?num_real // -scalerA scalemxAl.
  by rewrite jump ?normr_eq0 // -scaler_nat -scalemxAl !scalerA mulrCA mulVf ?mulr1 ?pnatr_eq0.
have [s halves] := fin_all_exists turned; exists K, s.
pose R := half (\sum_(i | off i) q i *m r i).
have two : 2%:R != 0 :> F by rewrite pnatr_eq0.
have left : left_over K s = \sum_(j in K) half (\sum_(i | on j i) q i *m r i) + R.
  have -> : left_over K s = half (L *+ 2) - \sum_(j | j \notin K) half (\sum_(i | on j i) q i *m r i).
    rewrite /half -scaler_nat scalerA mulVf // scale1r; congr (_ - _); apply: eq_bigr => j nK.
    by rewrite -(halves j nK).
  rewrite -linear by_lines /half scalerDr addrAC; congr (_ + _).
  by rewrite scaler_sumr (bigID (fun j => j \in K)) /= addrK.
have small : (2 * rank_modulo (of_K K) (left_over K s) <= #|off|)%N.
  apply: leq_trans (cancelling_rank (P := off) (r := v) (q := q) _ _) => [|i|i z offi]; last first.
  - have /andP [/seen [x ix] _] := offi; have := silent i x offi.
    move/(congr1 (fun y => (`|dot (v i) z| / `|dot (r i) x|) *: y)); rewrite scaler0 scaler_sumr => e; rewrite -[RHS]e.
    apply: eq_bigr => l /andP [_ /sub_rVP [a el]]; rewrite scalerA (scaled _ _ _ el) vr el !dotZl !normrM.
    by rewrite mulrCA -mulrA mulVf ?mulr1 ?normr_eq0.
  - by case/andP => /v0.
  rewrite leq_mul2l /= leq_subLR left; apply: leq_trans (_ : \rank (of_K K + R)%MS <= _)%N.
    apply: mxrankS; rewrite addsmx_sub addsmxSl addmx_sub_adds ?submx_refl //; apply: summx_sub => j jK.
    apply: scalemx_sub; apply: summx_sub => i /andP [_ /sub_rVP [a el]]; apply: submx_trans (submxMl _ _) _.
    by rewrite (scaled _ _ _ el) wu scalemx_sub //; have := row_sub j (of_K K); rewrite row_of_K jK.
  apply: leq_trans (mxrank_adds_leqif _ _) _; rewrite leq_add2l; apply: leq_trans (mxrank_scale _ _) _.
  have -> : \sum_(i | off i) q i *m r i = (\sum_(i | off i) q i *m v i) *m forget.
    by rewrite mulmx_suml; apply: eq_bigr => i _; rewrite -mulmxA vr.
  exact: mxrankM_maxl.
have lines : (p + #|K| <= \sum_j #|on j|)%N.
  rewrite -[X in (X + _)%N]card_ord -sum1_card -sum1_card [X in (_ + X)%N]big_mkcond -big_split /=.
  by apply: leq_sum => j _; have := there j; rewrite inE; case: (ltnP 1 #|on j|).
exact: leq_trans (leq_add lines small) count.
Qed.

Lemma necessary m (V2 : 'M[F]_(k, m)) (V1 : 'M_(m, h)) : regular_kinks u c ->
  (forall x, mlp_of relu V2 V1 x = kinked u c L x) -> exists K s, (width_needed K s <= m)%N.
Proof.
case=> rows apart columns same.
have form x : \sum_i relu (dot (row i V1) x) *: col i V2 = \sum_j `|dot (row j u) x| *: col j c + L *m x.
  by rewrite -mlp_sum same.
apply: (@neurons_needed h m 1%:M (fun i => row i V1) (fun i => col i V2) (fun j => row j u)) => // [j||z x _].
- by rewrite mulmx1.
- by rewrite -(linear_part form); apply: eq_bigr => i _; rewrite mulmx1.
by rewrite -(line_kinks form); apply: eq_bigr => i _; rewrite mulmx1.
Qed.
End Form.

(* u, c, L is a canonical form of W2 ReLU(W1 x) + Z x. *)
Definition form_of m (W1 : 'M[F]_(m, h)) (W2 : 'M[F]_(k, m)) (Z : 'M[F]_(k, h)) p (u : 'M[F]_(p, h)) c L :=
  regular_kinks u c /\ forall x, mlp_of relu W2 W1 x + Z *m x = kinked u c L x.

(* Every network with a skip has a canonical form, and each says which widths absorb the skip. *)
(* Provably: claim=K-E1-001 part=corrected theorem=corrected quantifiers=all ordered fields, sizes, widths, W1, W2, Z, canonical forms *)
Theorem corrected m n (W1 : 'M[F]_(m, h)) (W2 : 'M[F]_(k, m)) (Z : 'M[F]_(k, h)) :
  (exists p (u : 'M_(p, h)) c L, form_of W1 W2 Z u c L) /\
  forall p (u : 'M_(p, h)) c L, form_of W1 W2 Z u c L ->
    (exists (V2 : 'M_(k, n)) (V1 : 'M_(n, h)), absorbs V2 V1 W2 W1 Z) <->
    exists (K : {set 'I_p}) (s : 'I_p -> bool), (p + #|K| + 2 * rank_modulo (of_K u K) (left_over u c L K s) <= n)%N.
Proof.
split=> [|p u c L [regular form]].
  have [p [u [c [L [regular form]]]]] := canonical_form (fun i => row i W1) (fun i => col i W2) Z.
  by exists p, u, c, L; split=> // x; rewrite mlp_sum form.
split=> [[V2 [V1 same]]|[K [s wide]]].
  by apply: (necessary regular (V2 := V2) (V1 := V1)) => x; rewrite same form.
by have [V2 [V1 same]] := enough wide; exists V2, V1 => x; rewrite same form.
Qed.
End Criterion.

(* ---- each condition on the kinks is needed: one input and one output over the rationals ------------------------- *)

Section Needed.
Notation relu := (@relu _ : rat -> rat).
Notation one := (1%:M : 'M[rat]_1).
Notation nothing := (0 : 'M[rat]_(_, _)).

(* W absorbs the skip 0 at the width n, as itself; by the criterion it would not. *)
Definition breaks_criterion n (W1 : 'M[rat]_(n, 1)) (W2 : 'M[rat]_(1, n)) p (u : 'M[rat]_(p, 1)) c L :=
  [/\ forall x, mlp_of relu W2 W1 x + 0 *m x = kinked u c L x, absorbs W2 W1 W2 W1 0 &
      forall (K : {set 'I_p}) s, ~~ (p + #|K| + 2 * rank_modulo (of_K u K) (left_over u c L K s) <= n)%N].
Lemma breaks n (W1 : 'M[rat]_(n, 1)) (W2 : 'M[rat]_(1, n)) p (u : 'M[rat]_(p, 1)) (c : 'M[rat]_(1, p)) L :
  (n < p)%N -> (forall x, mlp_of relu W2 W1 x = kinked u c L x) -> breaks_criterion W1 W2 u c L.
Proof.
move=> np form; split=> [x|x|K s]; rewrite ?mul0mx ?addr0 //.
by rewrite -ltnNge (leq_trans np) // -addnA leq_addr.
Qed.

(* 0 = 1 |0 x| has no neuron; counted as a kink, u_1 = 0 asks for one. *)
(* Needed: theorem=corrected hypothesis=no kink has the row 0 lemma=needs_rows *)
Lemma needs_rows : [/\ noncollinear (0 : 'M[rat]_1), nonzero_columns one &
  @breaks_criterion 0 nothing nothing 1 0 one 0].
Proof.
split=> [i j a|i|]; rewrite ?(ord1 i) ?(ord1 j) ?eqxx //; first by apply/cV0Pn; exists 0; rewrite !mxE eqxx.
by apply: breaks => // x; rewrite mlp_sum /kinked big_ord0 big_ord1 mul0mx row0 dot0l normr0 scale0r addr0.
Qed.

(* 0 = 0 |x| has no neuron; counted as a kink, c_1 = 0 asks for one. *)
(* Needed: theorem=corrected hypothesis=no kink has the column 0 lemma=needs_columns *)
Lemma needs_columns : [/\ nonzero_rows one, noncollinear one & @breaks_criterion 0 nothing nothing 1 one 0 0].
Proof.
split=> [i|i j a|]; rewrite ?(ord1 i) ?(ord1 j) ?eqxx //; first by apply/rV0Pn; exists 0; rewrite !mxE eqxx.
by apply: breaks => // x; rewrite mlp_sum /kinked big_ord0 big_ord1 mul0mx col0 scaler0 addr0.
Qed.

(* 4 ReLU(x) = |x| + |x| + 2 x has one neuron; counted twice, its kink asks for two. *)
(* Needed: theorem=corrected hypothesis=no two kinks on one line lemma=needs_apart *)
(* Needed: theorem=corrected hypothesis=u, c and L are a form of the network argued=only says which numbers the criterion is about; the theorem's first half finds them for every network *)
Lemma needs_apart : [/\ nonzero_rows (const_mx 1 : 'M[rat]_(2, 1)), nonzero_columns (const_mx 1 : 'M[rat]_(1, 2)) &
  @breaks_criterion 1 one 4%:R%:M 2 (const_mx 1) (const_mx 1) 2%:R%:M].
Proof.
split=> [i|i|]; first by apply/rV0Pn; exists 0; rewrite !mxE oner_eq0.
  by apply/cV0Pn; exists 0; rewrite !mxE oner_eq0.
apply: breaks => // x; rewrite mlp_sum /kinked !big_ord_recl !big_ord0 !addr0 mul_scalar_mx.
have -> : row 0 one = 1%:M by apply/rowP => j; rewrite !mxE !ord1.
rewrite !row_const !col_const; apply/colP => j; rewrite (ord1 j) !mxE.
have -> : dot (const_mx 1 : 'rV_1) x = x 0 0 by rewrite /dot mxE big_ord1 !mxE mul1r.
have -> : dot (1%:M : 'rV_1) x = x 0 0 by rewrite /dot mul1mx.
by rewrite eqxx !mulr1 -mulr2n -[4%:R]/(2 * 2)%:R natrM mulrA !mulr_natr twice_relu mulrnDl mulr_natl.
Qed.
End Needed.
