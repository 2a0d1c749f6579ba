(* f4.v - F4, when a ReLU MLP with biases absorbs its skip.
 *
 * f(x) = W2 phi(W1 x + b1) + b2 + Z x with Z = -W2[:,J] W1[J,:] is V2 phi(V1 x + c1) + c2 at the same width, where
 * V1 = D W1, c1 = D b1, D = I - 2 Pi_J, V2 = W2 and c2 = b2 + W2[:,J] b1[J].  phi(y) - phi(-y) = y, as ReLU.
 *
 * ReLU, no row of W1 and no column of W2 zero, the hyperplanes w_i x + b_i = 0 pairwise different: there is no other
 * way.  Each hyperplane of W has a point that lies on no other of W or V, and there the kinks of V add up to that of W;
 * at width m each neuron of V is one of W, turned over or not. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import order relu kinks.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Biases.
Variables (R : comRingType) (h k m : nat) (phi : R -> R).
Implicit Types (x : 'cV[R]_h) (J : pred 'I_m).

Definition affine_mlp (W2 : 'M[R]_(k, m)) (W1 : 'M[R]_(m, h)) (b1 : 'cV[R]_m) (b2 : 'cV[R]_k) x : 'cV_k :=
  W2 *m map_mx phi (W1 *m x + b1) + b2.

(* A bias multiplies a coordinate more, which is 1. *)
Lemma lifted W2 (W1 : 'M[R]_(m, h)) b1 b2 x :
  affine_mlp W2 W1 b1 b2 x = mlp_of phi W2 (row_mx W1 b1) (col_mx x 1%:M) + b2.
Proof. by rewrite /mlp_of mul_row_col mulmx1. Qed.

Lemma part_row J (W2 : 'M[R]_(k, m)) (W1 : 'M[R]_(m, h)) (b1 : 'cV_m) :
  part J W2 (row_mx W1 b1) = row_mx (part J W2 W1) (part J W2 b1).
Proof.
apply/matrixP => i j; rewrite summxE [RHS]mxE; case: split_ordP => l ->; rewrite summxE; apply: eq_bigr => a _.
  by rewrite !mxE !big_ord1 [row a (row_mx _ _) _ _]mxE row_mxEl !mxE.
by rewrite !mxE !big_ord1 [row a (row_mx _ _) _ _]mxE row_mxEr !mxE.
Qed.

(* Provably: claim=F4 part=as-stated-turn theorem=turning_absorbs quantifiers=all commutative rings, h, m, J, weights, biases, x, half-odd phi *)
Theorem turning_absorbs (W2 : 'M[R]_(k, m)) (W1 : 'M[R]_(m, h)) b1 b2 (Z : 'M[R]_(k, h)) J x :
  half_odd phi -> Z = - part J W2 W1 ->
  affine_mlp W2 W1 b1 b2 x + Z *m x = affine_mlp W2 (turn J W1) (turn J b1) (b2 + part J W2 b1) x.
Proof.
move=> odd ->; rewrite !lifted (turn_over W2 (row_mx W1 b1) J _ odd).
have -> : turn J (row_mx W1 b1) = row_mx (turn J W1) (turn J b1).
  apply/matrixP => i j; rewrite mxE !mxE; case: split_ordP => l _; rewrite !mxE; by case: (J i).
rewrite part_row mul_row_col mulmx1 mulNmx -!addrA; congr (_ + _).
by rewrite addrCA [X in _ + X]addrC subrK addrC.
Qed.
End Biases.

(* ReLU is half-odd over every ordered field. *)
Corollary relu_absorbs (F : realFieldType) h k m (W2 : 'M[F]_(k, m)) (W1 : 'M[F]_(m, h)) b1 b2 J x :
  affine_mlp (@relu F) W2 W1 b1 b2 x - part J W2 W1 *m x =
  affine_mlp (@relu F) W2 (turn J W1) (turn J b1) (b2 + part J W2 b1) x.
Proof. by rewrite -mulNmx; apply: turning_absorbs; first exact: relu_half_odd. Qed.

Section OnlyByTurning.
Variables (F : realFieldType) (h k : nat).
Notation relu := (@relu F).
Implicit Types (x u : 'cV[F]_h).

(* (r | b) sees (x; 1) as r x + b, and the direction (u; 0) as r u. *)
Definition point x : 'cV[F]_(h + 1) := col_mx x 1%:M.
Definition direction u : 'cV[F]_(h + 1) := col_mx u 0.

Lemma relu_positive (c y : F) : 0 < c -> relu (c * y) = c * relu y.
Proof. by move=> c0; rewrite relu_scale ?gt_eqF // ltNge (ltW c0) subr0 gtr0_norm. Qed.

(* A hyperplane has a point that lies on no other of finitely many. *)
Lemma hyperplane_point w (rs : seq 'rV[F]_(h + 1)) : lsubmx w != 0 -> (forall r, r \in rs -> forall c, r <> c *: w) ->
  exists x, dot w (point x) = 0 /\ forall r, r \in rs -> dot r (point x) != 0.
Proof.
move=> w0 apart; have [v|z [wz off]] := @generic_point F (h + 1) w (row_mx 0 1%:M :: rs).
  rewrite inE => /orP [/eqP -> c|]; last exact: apart.
  rewrite -[w]hsubmxK scale_row_mx => /eq_row_mx [/esym/eqP]; rewrite scaler_eq0 (negPf w0) orbF => /eqP -> /eqP.
  by rewrite scale0r -[_ == 0]/(1%:M == 0 :> 'M[F]_1) oner_eq0.
pose z0 := z (rshift h 0) 0; have z00 : z0 != 0.
  have := off _ (mem_head _ _); rewrite -[in dot _ z](vsubmxK z) /dot mul_row_col mul0mx add0r mul1mx !mxE.
  by rewrite -[X in X != 0]/z0.
exists (z0^-1 *: usubmx z); have -> : point (z0^-1 *: usubmx z) = z0^-1 *: z.
  rewrite -[z in RHS]vsubmxK scale_col_mx /point; congr col_mx; apply/colP => j; rewrite (ord1 j) !mxE eqxx.
  by rewrite -[z _ _]/z0 mulVf.
split=> [|r rin]; first by rewrite dotZ wz mulr0.
by rewrite dotZ mulf_neq0 ?invr_eq0 // off // inE rin orbT.
Qed.

(* Where a sum of neurons with biases is affine, its kinks on each hyperplane cancel. *)
Lemma hyperplane_cancels (I : finType) (r : I -> 'rV[F]_(h + 1)) (q : I -> 'cV[F]_k) (A : 'M[F]_(k, h)) a :
  (forall x, \sum_i relu (dot (r i) (point x)) *: q i = A *m x + a) ->
  forall w : 'rV_(h + 1), lsubmx w != 0 -> forall u, \sum_(i | (r i <= w)%MS) `|dot (r i) (direction u)| *: q i = 0.
Proof.
move=> affine w w0 u; pose others := [seq r i | i <- enum I & ~~ (r i <= w)%MS].
have [v /mapP [i]|p [wp off]] := hyperplane_point w0 (rs := others).
  by rewrite mem_filter => /andP [apart _] -> c e; rewrite e scalemx_sub ?submx_refl in apart.
pose b i := dot (r i) (direction u); pose y i := dot (r i) (point p).
pose s := 1 + \sum_i `|b i| / `|y i|.
have term i : 0 <= `|b i| / `|y i| by rewrite divr_ge0.
have s0 : 0 < s by rewrite ltr_paddr ?ltr01 // sumr_ge0.
have s1 : s != 0 by rewrite gt_eqF.
have moved e i : dot (r i) (point (p + e *: u)) = y i + e * b i.
  by rewrite -dotZ -dotD scale_col_mx add_col_mx scaler0 addr0.
have second i : s * (relu (y i + s^-1 * b i) + relu (y i + (- s^-1) * b i) - relu (y i) *+ 2) =
    if y i == 0 then `|b i| else 0.
  rewrite mulrBr mulrDr mulrnAr -!relu_positive // !mulrDr mulNr mulrN mulVKf //.
  rewrite second_difference ?(ltW s0) // => yi; have ni : `|y i| != 0 by rewrite normr_eq0.
  rewrite -[X in X <= _](divfK ni) ler_wpmul2r // /s (bigD1 i) //= addrCA ler_addl addr_ge0 ?ler01 ?sumr_ge0 //.
pose f x i := relu (dot (r i) (point x)) *: q i.
have zero : \sum_i (f (p + s^-1 *: u) i + f (p + (- s^-1) *: u) i - f (p + 0 *: u) i *+ 2) = 0.
  have no_bend (P D : 'cV[F]_k) : P + D + a + (P - D + a) - (P + a) *+ 2 = 0.
    by rewrite addrACA [P + D + _]addrACA subrr addr0 addrACA -mulr2n subrr.
  by rewrite sumrB sumrMnl big_split /= !affine scale0r addr0 !mulmxDr scaleNr mulmxN no_bend.
rewrite -[RHS](scaler0 _ s) -[in RHS]zero scaler_sumr big_mkcond; apply: eq_bigr => i _.
rewrite /f !moved mul0r addr0 -scalerDl scalerMnl -scalerBl scalerA second.
rewrite (_ : (r i <= w)%MS = (y i == 0)); first by case: eqP; rewrite ?scale0r.
apply/idP/eqP => [/sub_rVP [c]|iz]; first by rewrite /y => ->; rewrite dotZl wp mulr0.
apply: contraT => apart; have /off : r i \in others by apply/mapP; exists i; rewrite // mem_filter apart mem_enum.
by rewrite -/(y i) iz eqxx.
Qed.

Variables (m : nat) (W1 : 'M[F]_(m, h)) (W2 : 'M[F]_(k, m)) (b1 : 'cV[F]_m) (b2 : 'cV[F]_k) (Z : 'M[F]_(k, h)).

(* The hyperplanes w_i x + b_i = 0 are pairwise different. *)
Definition on_hyperplane i x := dot (row i W1) x + b1 i 0 = 0.
Definition different_hyperplanes := forall i j, i != j -> ~ (forall x, on_hyperplane i x <-> on_hyperplane j x).

Lemma dot_point i x : dot (row i (row_mx W1 b1)) (point x) = dot (row i W1) x + b1 i 0.
Proof. by rewrite -!dot_row mul_row_col mulmx1 mxE. Qed.
Lemma dot_direction i u : dot (row i (row_mx W1 b1)) (direction u) = dot (row i W1) u.
Proof. by rewrite -!dot_row mul_row_col mulmx0 addr0. Qed.

Lemma different_rows i j a : nonzero_rows W1 -> different_hyperplanes -> i != j ->
  row i (row_mx W1 b1) <> a *: row j (row_mx W1 b1).
Proof.
move=> rows different ij e; apply: (different i j ij) => x; rewrite /on_hyperplane -!dot_point e dotZl.
have a0 : a != 0.
  apply: contraNneq (rows i) => a0; apply/eqP/rowP => l; move: e; rewrite a0 scale0r => /rowP /(_ (lshift 1 l)).
  by rewrite [row i (row_mx _ _) _ _]mxE row_mxEl !mxE.
by split=> [/eqP|->]; rewrite ?mulr0 // mulf_eq0 (negPf a0) => /eqP.
Qed.

(* At equal width only turning some J over absorbs Z; the output bias takes the constants. *)
Lemma only_by_turning (V2 : 'M[F]_(k, m)) (V1 : 'M[F]_(m, h)) c1 c2 :
  nonzero_rows W1 -> nonzero_columns W2 -> different_hyperplanes ->
  (forall x, affine_mlp relu V2 V1 c1 c2 x = affine_mlp relu W2 W1 b1 b2 x + Z *m x) ->
  exists J : pred 'I_m, part J W2 W1 = - Z /\ c2 = b2 + part J W2 b1.
Proof.
move=> rows columns different same.
have apart i j a := different_rows (a := a) (i := i) (j := j) rows different.
pose v i := row i (row_mx V1 c1); pose w i := row i (row_mx W1 b1).
have sums x : \sum_i relu (dot (v i) (point x)) *: col i V2 + c2 =
    \sum_i relu (dot (w i) (point x)) *: col i W2 + b2 + Z *m x.
  by rewrite -!mlp_sum -!lifted same.
have kinks j u : \sum_(i | (v i <= w j)%MS) `|dot (v i) (direction u)| *: col i V2 =
    `|dot (row j W1) u| *: col j W2.
  pose r (s : 'I_m + 'I_m) := match s with inl i => v i | inr i => w i end.
  pose q (s : 'I_m + 'I_m) := match s with inl i => col i V2 | inr i => - col i W2 end.
  have affine x : \sum_s relu (dot (r s) (point x)) *: q s = Z *m x + (b2 - c2).
    rewrite big_sumType /= (eq_bigr _ (fun i _ => scalerN _ _)) sumrN; apply: (addIr c2).
    by rewrite addrAC sums -[RHS]addrA subrK -addrA addrC addKr addrC.
  have w0 : lsubmx (w j) != 0.
    suff -> : lsubmx (w j) = row j W1 by [].
    by apply/rowP => l; rewrite mxE [w j _ _]mxE row_mxEl mxE.
  have := hyperplane_cancels affine w0 u; rewrite big_sumType /= [X in _ + X](big_pred1 j) => [|i].
    by rewrite scalerN dot_direction => /eqP; rewrite subr_eq0 => /eqP.
  apply/idP/eqP => [/sub_rVP [a e]|->]; last exact: submx_refl.
  by apply/eqP; apply: contraT => ij; case: (apart i j a ij).
have partner j : exists ic : 'I_m * F, ic.2 != 0 /\ v ic.1 = ic.2 *: w j.
  have [u ju] := seen (rows j); have := kinks j u.
  have [/existsP [i /andP [/sub_rVP [a e] ne]]|/existsPn none] :=
    boolP [exists i, (v i <= w j)%MS && (dot (v i) (direction u) != 0)].
    by move=> _; exists (i, a); split=> //=; apply: contraNneq ne => a0; rewrite e a0 scale0r dot0l.
  rewrite big1 => [/esym/eqP|i le]; first by rewrite scaler_eq0 normr_eq0 (negPf ju) (negPf (columns j)).
  by have := none i; rewrite le negbK => /eqP ->; rewrite normr0 scale0r.
have [f ff] := fin_all_exists partner; pose s j := (f j).1; pose c j := (f j).2.
have c0 j : c j != 0 by have [] := ff j.
have sc j : v (s j) = c j *: w j by have [] := ff j.
have s_inj : injective s.
  move=> i j e; apply/eqP; apply: contraT => ne; case: (apart i j ((c i)^-1 * c j) ne).
  by rewrite -scalerA -sc -e sc scalerA mulVf // scale1r.
(* the jumps agree *)
have jump j : col j W2 = `|c j| *: col (s j) V2.
  have [u ju] := seen (rows j); have := kinks j u; rewrite (bigD1 (s j)) /=; last by rewrite sc scalemx_sub ?submx_refl.
  rewrite big1 ?addr0 => [|i /andP [/sub_rVP [a e] ne]].
    rewrite sc dotZl dot_direction normrM mulrC -scalerA => /scalerI <- //; by rewrite normr_eq0.
  have /codomP [t it] := inj_card_onto s_inj (leqnn _) i; rewrite it in e ne.
  case: (apart t j ((c t)^-1 * a)); first by apply: contraNneq ne => ->.
  by rewrite -scalerA -e sc scalerA mulVf // scale1r.
exists (fun j => c j < 0); pose J j := c j < 0; pose y j x := dot (w j) (point x).
have neuron j x : relu (dot (v (s j)) (point x)) *: col (s j) V2 =
    relu (y j x) *: col j W2 - (if J j then y j x else 0) *: col j W2.
  by rewrite sc dotZl relu_scale // mulrC -scalerA -jump scalerBl.
have affine x : part J W2 W1 *m x + (part J W2 b1 - c2 + b2) = - (Z *m x).
  have e : - (\sum_i (if J i then y i x else 0) *: col i W2) + c2 = b2 + Z *m x.
    have := sums x; rewrite (reindex_inj s_inj) (eq_bigr _ (fun j _ => neuron j x)) sumrB -!addrA; exact: addrI.
  have -> : part J W2 W1 *m x + (part J W2 b1 - c2 + b2) = part J W2 (row_mx W1 b1) *m point x + (b2 - c2).
    by rewrite part_row mul_row_col mulmx1 -!addrA [- c2 + _]addrC.
  rewrite part_mul big_mkcond.
  have -> : \sum_i (if J i then dot (row i (row_mx W1 b1)) (point x) *: col i W2 else 0) =
      \sum_i (if J i then y i x else 0) *: col i W2.
    by apply: eq_bigr => i _; case: (J i); rewrite ?scale0r.
  by rewrite -[Z *m x](addKr b2) -e !opprD !opprK addrCA.
have const : part J W2 b1 - c2 + b2 = 0 by have := affine 0; rewrite !mulmx0 add0r oppr0.
split; first by apply: same_matrix => x; rewrite mulNmx -affine const addr0.
by move/eqP: const; rewrite addrAC subr_eq0 addrC => /eqP.
Qed.

(* Provably: claim=F4 part=as-stated theorem=absorbed_iff quantifiers=all ordered fields, sizes, weights, biases, Z *)
Theorem absorbed_iff : nonzero_rows W1 -> nonzero_columns W2 -> different_hyperplanes ->
  (exists (V2 : 'M[F]_(k, m)) (V1 : 'M[F]_(m, h)) c1 c2,
    forall x, affine_mlp relu V2 V1 c1 c2 x = affine_mlp relu W2 W1 b1 b2 x + Z *m x) <->
  exists J : pred 'I_m, part J W2 W1 = - Z.
Proof.
move=> rows columns different; split=> [[V2 [V1 [c1 [c2 same]]]]|[J eJ]]; last first.
  exists W2, (turn J W1), (turn J b1), (b2 + part J W2 b1) => x.
  by rewrite -relu_absorbs eJ mulNmx opprK.
by have [J [eJ _]] := only_by_turning rows columns different same; exists J.
Qed.

(* neurons that do nothing *)
Lemma widened n l (f : 'cV[F]_h -> 'cV[F]_k) c2 : (n <= l)%N ->
  (exists (V2 : 'M[F]_(k, n)) (V1 : 'M[F]_(n, h)) c1, forall x, affine_mlp relu V2 V1 c1 c2 x = f x) ->
  exists (V2 : 'M[F]_(k, l)) (V1 : 'M[F]_(l, h)) c1, forall x, affine_mlp relu V2 V1 c1 c2 x = f x.
Proof.
move/subnKC <- => -[V2 [V1 [c1 same]]]; exists (row_mx V2 0), (col_mx V1 0), (col_mx c1 0) => x.
by rewrite -same /affine_mlp mul_col_mx add_col_mx map_col_mx mul_row_col mul0mx addr0.
Qed.

(* Without an output bias: the constants must agree, too, or cost one neuron that sees no x. *)
(* Provably: claim=F4 part=as-stated-no-output-bias theorem=no_output_bias quantifiers=all ordered fields, sizes, weights, biases, Z *)
Theorem no_output_bias : nonzero_rows W1 -> nonzero_columns W2 -> different_hyperplanes ->
  let absorbed n := exists (V2 : 'M[F]_(k, n)) (V1 : 'M[F]_(n, h)) c1,
    forall x, affine_mlp relu V2 V1 c1 0 x = affine_mlp relu W2 W1 b1 b2 x + Z *m x in
  ((exists n, (n <= m)%N /\ absorbed n) <-> exists J : pred 'I_m, part J W2 W1 = - Z /\ b2 + part J W2 b1 = 0) /\
  ((exists J : pred 'I_m, part J W2 W1 = - Z) -> absorbed (m + 1)%N).
Proof.
move=> rows columns different absorbed; split=> [|[J eJ]].
  split=> [[n [nm /(widened nm) [V2 [V1 [c1 same]]]]]|[J [eJ e0]]].
    by have [J [eJ ec]] := only_by_turning rows columns different same; exists J.
  by exists m; split=> //; exists W2, (turn J W1), (turn J b1) => x; rewrite -e0 -relu_absorbs eJ mulNmx opprK.
exists (row_mx W2 (b2 + part J W2 b1)), (col_mx (turn J W1) 0), (col_mx (turn J b1) 1%:M) => x.
rewrite -[Z]opprK -eJ mulNmx relu_absorbs /affine_mlp addr0 mul_col_mx mul0mx add_col_mx add0r map_col_mx mul_row_col.
congr (_ + _); rewrite [map_mx _ _](_ : _ = 1%:M) ?mulmx1 //.
by apply/matrixP => i j; rewrite !mxE !ord1 relu_pos ?ler01.
Qed.
End OnlyByTurning.

(* ---- each hypothesis is needed ---------------------------------------------------------------------------------- *)

(* phi = 0 is not half-odd: one neuron, all weights 1, no biases, J = {1}: 0 in place of -1. *)
(* Needed: theorem=turning_absorbs hypothesis=phi(y) - phi(-y) equals y lemma=needs_half_odd *)
Lemma needs_half_odd : let one := 1%:M : 'M[rat]_1 in
  affine_mlp (fun=> 0) one (turn predT one) (turn predT 0) (0 + part predT one 0) one = 0 /\
  affine_mlp (fun=> 0) one one 0 0 one - part predT one one *m one = - 1%:M.
Proof.
have zero (A B : 'M[rat]_1) : B *m map_mx (fun=> 0) A = 0.
  by apply/matrixP => i j; rewrite !mxE big1 // => l _; rewrite !mxE mulr0.
rewrite /affine_mlp !zero !add0r; split.
  by rewrite /part big1 // => i _; rewrite row0 mulmx0.
by rewrite mulmx1 /part big_ord1 row1 col1; apply/matrixP => i j; rewrite !mxE big_ord1 !mxE !ord1 !eqxx mulr1.
Qed.

(* One neuron, all weights 1, no biases, J = {1}, the skip 0 in place of -1: at x = 1 they are 1 and 0. *)
(* Needed: theorem=turning_absorbs hypothesis=Z is the sum over J with its sign changed lemma=needs_this_skip *)
Lemma needs_this_skip : let one := 1%:M : 'M[rat]_1 in let relu := @relu _ : rat -> rat in
  affine_mlp relu one one 0 0 one + 0 *m one = 1%:M /\
  affine_mlp relu one (turn predT one) (turn predT 0) (0 + part predT one 0) one = 0.
Proof.
have turned : turn predT (0 : 'M[rat]_1) = 0 by apply/matrixP => i j; rewrite !mxE oppr0.
move=> /=; rewrite turned [part _ _ _](_ : _ = 0); last by rewrite /part big1 // => i _; rewrite row0 mulmx0.
rewrite /affine_mlp !addr0 !mul1mx mul0mx mulmx1 !addr0; split.
  by apply/matrixP => i j; rewrite !mxE !ord1 eqxx relu_pos ?ler01.
by apply/matrixP => i j; rewrite !mxE !ord1 eqxx relu_neg ?lerN10.
Qed.

(* Two neurons, one input, one output: W absorbs the skip x, and no J has the sum -1. *)
Section Needed.
Notation relu := (@relu _ : rat -> rat).
Definition beside (a b : rat) : 'M[rat]_(2, 1) := \matrix_(i, j) (if i == 0 then a else b).
Definition absorbs_without_J (W1 b1 : 'M[rat]_(2, 1)) (W2 : 'M[rat]_(1, 2)) (b2 : 'cV[rat]_1) :=
  (exists (V2 : 'M_(1, 2)) V1 c1, forall x, affine_mlp relu V2 V1 c1 0 x = affine_mlp relu W2 W1 b1 b2 x + 1%:M *m x) /\
  forall J : pred 'I_2, part J W2 W1 <> - 1%:M.

Lemma two_neurons a0 a1 d0 d1 c0 c1 e (x : 'cV[rat]_1) :
  affine_mlp relu (beside c0 c1)^T (beside a0 a1) (beside d0 d1) e%:M x =
  (c0 * relu (a0 * x 0 0 + d0) + c1 * relu (a1 * x 0 0 + d1) + e)%:M.
Proof.
by apply/matrixP => i j; rewrite !ord1 !mxE !big_ord_recl big_ord0 !mxE !big_ord1 !mxE /= !mulr1n addr0.
Qed.
Lemma sum_of_two (J : pred 'I_2) a0 a1 c0 c1 :
  part J (beside c0 c1)^T (beside a0 a1) = ((if J 0 then c0 * a0 else 0) + (if J 1 then c1 * a1 else 0))%:M.
Proof.
rewrite /part big_mkcond !big_ord_recl big_ord0 /= addr0; apply/matrixP => i j; rewrite !ord1 mxE [RHS]mxE eqxx mulr1n.
rewrite [lift _ _](_ : _ = 1); last exact: val_inj.
by congr (_ + _); case: (J _); rewrite !mxE ?big_ord1 ?mxE.
Qed.
(* c ReLU(x) + x = (c + 1) ReLU(x) - ReLU(-x), and no sum of these products is negative *)
Lemma example c a0 a1 d0 d1 c0 c1 e : 0 <= c0 * a0 -> 0 <= c1 * a1 ->
  (forall y, c0 * relu (a0 * y + d0) + c1 * relu (a1 * y + d1) + e = c * relu y) ->
  absorbs_without_J (beside a0 a1) (beside d0 d1) (beside c0 c1)^T e%:M.
Proof.
move=> p0 p1 form; split=> [|J].
  exists (beside (c + 1) (-1))^T, (beside 1 (-1)), (beside 0 0) => x; rewrite two_neurons form.
  have -> : (0 : 'cV[rat]_1) = 0%:M by apply/matrixP => i j; rewrite !mxE mul0rn.
  rewrite two_neurons !addr0 mul1r !mulN1r mulrDl mul1r -addrA relu_half_odd mul1mx.
  by apply/matrixP => i j; rewrite !ord1 !mxE eqxx !mulr1n.
rewrite sum_of_two => /matrixP /(_ 0 0); rewrite !mxE eqxx !mulr1n => e1.
suff : 0 <= -1 :> rat by rewrite ler0N1.
by rewrite -e1 addr_ge0 //; case: ifP.
Qed.
Lemma rows_beside a b : a != 0 -> b != 0 -> nonzero_rows (beside a b).
Proof. by move=> a0 b0 i; apply/rV0Pn; exists 0; rewrite !mxE; case: ifP. Qed.
Lemma columns_beside a b : a != 0 -> b != 0 -> nonzero_columns (beside a b)^T.
Proof. by move=> a0 b0 i; apply/cV0Pn; exists 0; rewrite !mxE; case: ifP. Qed.
(* x = 0 lies on the first hyperplane alone *)
Lemma different_beside a b : different_hyperplanes (beside a b) (beside 0 1).
Proof.
have at0 i : on_hyperplane (beside a b) (beside 0 1) i 0 <-> i = 0.
  rewrite /on_hyperplane /dot mulmx0 !mxE add0r; case: eqP => [->|ne]; first by split.
  by split=> // /eqP; rewrite oner_eq0.
move=> i j ij /(_ 0) same; have /eqP [] := ij.
have [i0|i1] := eqVneq i 0; first by rewrite i0; apply/esym/at0/same/at0.
have [j0|j1] := eqVneq j 0; first by rewrite j0; apply/at0/same/at0.
by apply: val_inj; move: i1 j1; clear; case: i => -[|[|]] //; case: j => -[|[|]].
Qed.

(* ReLU(x) + ReLU(1) - 1 + x = 2 ReLU(x) - ReLU(-x): the second row is 0, its hyperplane empty. *)
(* Needed: theorem=absorbed_iff,no_output_bias hypothesis=no row of W1 is 0 lemma=needs_rows *)
Lemma needs_rows : [/\ nonzero_columns (beside 1 1)^T, different_hyperplanes (beside 1 0) (beside 0 1) &
  absorbs_without_J (beside 1 0) (beside 0 1) (beside 1 1)^T (-1)%:M].
Proof.
split; [exact: columns_beside | exact: different_beside | apply: (@example 1)] => // y.
by rewrite mul0r add0r (relu_pos ler01) addr0 !mul1r addrK.
Qed.

(* ReLU(x) + 0 ReLU(x + 1) + x = 2 ReLU(x) - ReLU(-x) *)
(* Needed: theorem=absorbed_iff,no_output_bias hypothesis=no column of W2 is 0 lemma=needs_columns *)
Lemma needs_columns : [/\ nonzero_rows (beside 1 1), different_hyperplanes (beside 1 1) (beside 0 1) &
  absorbs_without_J (beside 1 1) (beside 0 1) (beside 1 0)^T 0%:M].
Proof.
split; [exact: rows_beside | exact: different_beside | apply: (@example 1)] => // y.
by rewrite mul0r !addr0 !mul1r.
Qed.

(* ReLU(x) + ReLU(x) + x = 3 ReLU(x) - ReLU(-x) *)
(* Needed: theorem=absorbed_iff,no_output_bias hypothesis=no two hyperplanes are the same lemma=needs_different *)
Lemma needs_different : [/\ nonzero_rows (beside 1 1), nonzero_columns (beside 1 1)^T &
  absorbs_without_J (beside 1 1) (beside 0 0) (beside 1 1)^T 0%:M].
Proof.
split; [exact: rows_beside | exact: columns_beside | apply: (@example 2%:R)] => // y.
by rewrite !addr0 !mul1r mulr_natl mulr2n.
Qed.
End Needed.
