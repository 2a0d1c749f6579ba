(* f4_least.v - F4, the least width of a ReLU network with biases that absorbs a skip.
 *
 * Let W2 ReLU(W1 x + b1) + b2 + Z x = sum_k c_k |u_k x + beta_k| + L x + d, k = 1..p, no u_k and no c_k zero, the
 * hyperplanes u_k x + beta_k = 0 different.  Some V2 ReLU(V1 x + c1) + c2 of width m is the same function if and only
 * if for some set K of kinks and signs s_k
 *     p + |K| + 2 rank (L - sum_{k not in K} s_k c_k u_k  modulo  span u_K) <= m. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import order relu kinks.
From Theorems Require Import k_e1_001 f4.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Least.
Variables (F : realFieldType) (h k : nat).
Notation relu := (@relu F).
Implicit Types x : 'cV[F]_h.

(* Far out along a line a neuron and its opposite differ by what is linear and a constant. *)
Definition offset (a b : F) : F := if 0 < a then b else if a < 0 then - b else 0.
Lemma far_out a b t : (a != 0 -> `|b| <= t * `|a|) -> relu (t * a + b) - relu ((- t) * a + b) = t * a + offset a b.
Proof.
rewrite /offset; have [a0|a0|->] := ltgtP a 0; last by rewrite !mulr0 !add0r subrr.
- move=> /(_ isT); rewrite (ltr0_norm a0) mulrN ler_norml opprK => /andP [lo hi].
  have p1 : t * a + b <= 0 by rewrite addrC -ler_subr_addr sub0r.
  have p2 : 0 <= (- t) * a + b by rewrite mulNr addrC subr_ge0.
  by rewrite (relu_neg p1) (relu_pos p2) sub0r opprD mulNr opprK.
- move=> /(_ isT); rewrite (gtr0_norm a0) ler_norml => /andP [lo hi].
  have p1 : (- t) * a + b <= 0 by rewrite mulNr addrC subr_le0.
  have p2 : 0 <= t * a + b by rewrite addrC -ler_subl_addr sub0r.
  by rewrite (relu_neg p1) (relu_pos p2) subr0.
Qed.
Lemma dot_at (r : 'rV[F]_(h + 1)) x t : dot r (point (t *: x)) = t * dot (lsubmx r) x + r 0 (rshift h 0).
Proof.
rewrite -{1}[r]hsubmxK /dot mul_row_col mulmx1 -scalemxAr !mxE; congr (_ + _).
Qed.

Lemma affine_linear_part (I : finType) (r : I -> 'rV[F]_(h + 1)) (q : I -> 'cV[F]_k) (A : 'M[F]_(k, h)) a :
  (forall x, \sum_i relu (dot (r i) (point x)) *: q i = A *m x + a) -> \sum_i q i *m lsubmx (r i) = A *+ 2.
Proof.
move=> affine; apply: same_matrix => x; pose y i := dot (lsubmx (r i)) x; pose b i := r i 0 (rshift h 0).
pose T := \sum_i `|b i| / `|y i|; have term i : 0 <= `|b i| / `|y i| by rewrite divr_ge0.
have far t : T <= t -> t *: (\sum_i y i *: q i) + \sum_i offset (y i) (b i) *: q i = t *: (A *m x *+ 2).
  move=> Tt; have := affine (t *: x); have := affine ((- t) *: x) => e1 e2.
  pose f e i := relu (dot (r i) (point (e *: x))) *: q i.
  have : \sum_i (f t i - f (- t) i) = t *: (A *m x *+ 2).
    rewrite sumrB /f e1 e2 -!scalemxAr scaleNr opprD addrACA subrr addr0 opprK mulr2n scalerDr //.
  move <-; rewrite scaler_sumr -big_split; apply: eq_bigr => i _ /=.
  rewrite /f -scalerBl !dot_at far_out ?scalerA ?scalerDl //.
  move=> yi; have ni : `|y i| != 0 by rewrite normr_eq0.
  rewrite -[X in X <= _](divfK ni) ler_wpmul2r //; apply: le_trans Tt; rewrite /T (bigD1 i) //= ler_addl.
  exact: sumr_ge0.
have := far T (lexx _); have := far (T + 1); rewrite ler_addl ler01 => /(_ isT); rewrite !scalerDl !scale1r => e1 e0.
rewrite mulmx_suml (eq_bigr _ (fun i _ => mul_dot _ _ _)) mulr2n mulmxDl -mulr2n.
move: e1; rewrite addrAC e0 => /addrI //.
Qed.

Section Form.
Variables (p : nat) (u : 'M[F]_(p, h)) (beta : 'cV[F]_p) (c : 'M[F]_(k, p)) (L : 'M[F]_(k, h)) (d : 'cV[F]_k).

(* sum_k c_k |u_k x + beta_k| + L x + d *)
Definition kinked_affine x : 'cV_k := \sum_i `|dot (row i u) x + beta i 0| *: col i c + L *m x + d.
Definition regular_affine := [/\ nonzero_rows u, different_hyperplanes u beta & nonzero_columns c].

Lemma necessary_affine m (V2 : 'M[F]_(k, m)) (V1 : 'M_(m, h)) c1 c2 : regular_affine ->
  (forall x, affine_mlp relu V2 V1 c1 c2 x = kinked_affine x) -> exists K s, (width_needed u c L K s <= m)%N.
Proof.
case=> rows different columns same; pose w j := row j (row_mx u beta).
have apart i j a := different_rows (a := a) (i := i) (j := j) rows different.
pose v i := row i (row_mx V1 c1); pose q i := col i V2; pose r i := row i V1.
pose forget : 'M[F]_(h + 1, h) := col_mx 1%:M 0.
have vr i : v i *m forget = r i by rewrite -row_mul mul_row_col mulmx1 mulmx0 addr0.
have wu j : w j *m forget = row j u by rewrite -row_mul mul_row_col mulmx1 mulmx0 addr0.
have left_part (z : 'rV_(h + 1)) : lsubmx z = z *m forget.
  by rewrite -[z in RHS]hsubmxK mul_row_col mulmx1 mulmx0 addr0.
have form x : \sum_i relu (dot (v i) (point x)) *: q i = \sum_j `|dot (w j) (point x)| *: col j c + L *m x + (d - c2).
  have := same x; rewrite lifted mlp_sum /kinked_affine => e.
  rewrite (eq_bigr _ (fun j _ => congr1 (fun y => `|y| *: col j c) (dot_point u beta j x))) addrA -e addrK.
  by apply: eq_bigr.
pose r' (s : 'I_m + ('I_p + 'I_p)) := match s with inl i => v i | inr (inl j) => w j | inr (inr j) => - w j end.
pose q' (s : 'I_m + ('I_p + 'I_p)) := match s with inl i => q i | inr (inl j) | inr (inr j) => - col j c end.
have affine x : \sum_s relu (dot (r' s) (point x)) *: q' s = L *m x + (d - c2).
  rewrite !big_sumType /= form -addrA addrAC -[RHS]add0r; congr (_ + _); rewrite -!big_split big1 //= => j _.
  by rewrite dotNl -scalerDl relu_and_turned scalerN subrr.
have linear : \sum_i q i *m r i = L *+ 2.
  rewrite -(affine_linear_part affine) !big_sumType /= (eq_bigr (fun i => q i *m lsubmx (v i))) => [|i _].
    rewrite -[LHS]addr0; congr (_ + _); rewrite -big_split big1 //= => j _.
    by rewrite !left_part [- w j *m _]mulNmx mulmxN subrr.
  by rewrite left_part vr.
have line (z : 'rV_(h + 1)) x : lsubmx z != 0 -> \sum_(i | (v i <= z)%MS) `|dot (r i) x| *: q i =
    (\sum_(j | (w j <= z)%MS) `|dot (row j u) x| *: col j c) *+ 2.
  move=> z0; have := hyperplane_cancels affine z0 x; rewrite !big_sumType /= => /eqP; rewrite addr_eq0 => /eqP e.
  rewrite (eq_bigr (fun i => `|dot (v i) (direction x)| *: q i)) ?e => [|i _]; last by rewrite dot_direction.
  rewrite opprD mulr2n -!sumrN; congr (_ + _).
    by apply: eq_bigr => j _; rewrite dot_direction scalerN opprK.
  apply: eq_big => [j|j _]; first by rewrite (eqmx_opp (w j)).
  by rewrite dotNl dot_direction normrN scalerN opprK.
apply: (@neurons_needed F h k p u c L (h + 1) m forget v q w) => // [|z x z0].
  by rewrite -linear; apply: eq_bigr => i _; rewrite vr.
rewrite -line ?left_part //; apply: eq_bigr => i _; by rewrite vr.
Qed.

Lemma of_K_mul n q (U : 'M[F]_(p, n)) (P : 'M_(n, q)) K : of_K U K *m P = of_K (U *m P) K.
Proof. by apply/row_matrixP => i; rewrite row_mul !row_of_K; case: ifP; rewrite ?row_mul ?mul0mx. Qed.
Lemma left_over_mul n q (U : 'M[F]_(p, n)) A (P : 'M_(n, q)) K s :
  left_over U c A K s *m P = left_over (U *m P) c (A *m P) K s.
Proof.
rewrite mulmxBl mulmx_suml; congr (_ - _); apply: eq_bigr => i _.
by rewrite -scalemxAl -mulmxA row_mul.
Qed.

(* The biases can be chosen so that they cost nothing: a network without biases in one more coordinate. *)
Lemma enough_affine K s m : (width_needed u c L K s <= m)%N ->
  exists (V2 : 'M_(k, m)) (V1 : 'M_(m, h)) c1 c2, forall x, affine_mlp relu V2 V1 c1 c2 x = kinked_affine x.
Proof.
move=> wide; have [X [B [C e]]] := split_modulo (of_K u K) (left_over u c L K s).
pose e0 := X *m of_K beta K + \sum_(i | i \notin K) sign F (s i) *: (col i c *m row i beta).
pose U := row_mx u beta; pose A := row_mx L e0.
pose forget : 'M[F]_(h + 1, h) := col_mx 1%:M 0; pose last : 'M[F]_(h + 1, 1) := col_mx 0 1%:M.
have whole n (M N : 'M[F]_(n, h + 1)) : M *m forget = N *m forget -> M *m last = N *m last -> M = N.
  move=> ef el; have one : 1%:M = row_mx forget last by rewrite scalar_mx_block block_mxEh.
  by rewrite -[M]mulmx1 -[N]mulmx1 one !mul_mx_row ef el.
have parts n (M : 'M[F]_(n, h)) (N : 'M_(n, 1)) : row_mx M N *m forget = M /\ row_mx M N *m last = N.
  by rewrite !mul_row_col !mulmx1 !mulmx0 addr0 add0r.
have eA : left_over U c A K s = X *m of_K U K + B *m row_mx C 0.
  apply: whole; rewrite left_over_mul mulmxDl -!mulmxA of_K_mul.
    rewrite !(proj1 (parts _ _ _)); exact: e.
  by rewrite !(proj2 (parts _ _ _)) mulmx0 addr0 /left_over addrK.
have small : (rank_modulo (of_K U K) (left_over U c A K s) <= rank_modulo (of_K u K) (left_over u c L K s))%N.
  rewrite {1}/rank_modulo leq_subLR eA; apply: leq_trans (_ : \rank (of_K U K + B *m row_mx C 0)%MS <= _)%N.
    by apply: mxrankS; rewrite addsmx_sub addsmxSl addmx_sub_adds ?submx_refl ?submxMl.
  apply: leq_trans (mxrank_adds_leqif _ _) _; rewrite leq_add2l.
  exact: leq_trans (mxrankM_maxr _ _) (rank_leq_row _).
have wide' := leq_trans (leq_add (leqnn (p + #|K|)) (leq_mul (leqnn 2) small)) wide.
have [V2 [V same]] := enough wide'; clearbody e0.
exists V2, (lsubmx V), (rsubmx V), (d - e0) => x; rewrite lifted hsubmxK same /kinked /kinked_affine mul_row_col mulmx1.
rewrite -[LHS]addrA -(addrA _ e0) (addrC e0) subrK -[RHS]addrA; congr (_ + _); apply: eq_bigr => i _.
by rewrite -dot_point.
Qed.
End Form.

(* The canonical form of W2 ReLU(W1 x + b1) + b2 + Z x *)
Definition affine_form_of m (W1 : 'M[F]_(m, h)) (W2 : 'M[F]_(k, m)) b1 b2 (Z : 'M[F]_(k, h))
    p (u : 'M[F]_(p, h)) beta c L d :=
  regular_affine u beta c /\ forall x, affine_mlp relu W2 W1 b1 b2 x + Z *m x = kinked_affine u beta c L d x.

Lemma affine_form m (W1 : 'M[F]_(m, h)) (W2 : 'M[F]_(k, m)) b1 b2 (Z : 'M[F]_(k, h)) :
  exists p (u : 'M[F]_(p, h)) beta c L d, affine_form_of W1 W2 b1 b2 Z u beta c L d.
Proof.
have [p [U [c0 [A [[rows apart columns] form]]]]] :=
  canonical_form (fun i => row i (row_mx W1 b1)) (fun i => col i W2) (row_mx Z 0).
pose J := [set j | lsubmx (row j U) != 0]; pose V := \matrix_(a < #|J|, b < h + 1) U (enum_val a) b.
pose c := \matrix_(b < k, a < #|J|) c0 b (enum_val a).
have rowV a : row a V = row (enum_val a) U by apply/rowP => b; rewrite !mxE.
have colc a : col a c = col (enum_val a) c0 by apply/colP => b; rewrite !mxE.
have leftV a : row a (lsubmx V) = lsubmx (row (enum_val a) U) by rewrite -rowV; apply/rowP => b; rewrite !mxE.
exists #|J|, (lsubmx V), (rsubmx V), c, (lsubmx A).
exists (rsubmx A + \sum_(j | j \notin J) `|U j (rshift h 0)| *: col j c0 + b2); split.
  split=> [a|a b ab same|a]; last by rewrite colc.
    by rewrite leftV; have := enum_valP a; rewrite inE.
  have a0 : lsubmx (row (enum_val a) U) != 0 by have := enum_valP a; rewrite inE.
  have [r|x [on off]] := hyperplane_point a0 (rs := [:: row (enum_val b) U]).
    by rewrite inE => /eqP -> e; apply: apart; by apply: contraNneq ab => /enum_val_inj ->.
  have := off _ (mem_head _ _); rewrite -rowV -[V in row b V]hsubmxK dot_point.
  have := proj1 (same x); rewrite /on_hyperplane => imp; rewrite imp ?eqxx //.
  by rewrite -dot_point hsubmxK rowV.
move=> x; have := form (point x); rewrite -mlp_sum /kinked /kinked_affine mul_row_col mul0mx addr0 => e.
rewrite lifted addrAC e.
have -> : A *m point x = lsubmx A *m x + rsubmx A by rewrite -{1}[A]hsubmxK mul_row_col mulmx1.
have out : \sum_(j | j \notin J) `|dot (row j U) (point x)| *: col j c0 =
    \sum_(j | j \notin J) `|U j (rshift h 0)| *: col j c0.
  apply: eq_bigr => j; rewrite inE negbK => /eqP j0; congr (`|_| *: _).
  by rewrite -[row j U]hsubmxK j0 /dot mul_row_col mul0mx add0r mulmx1 !mxE.
have within : \sum_(j in J) `|dot (row j U) (point x)| *: col j c0 =
    \sum_a `|dot (row a (lsubmx V)) x + rsubmx V a 0| *: col a c.
  by rewrite big_enum_val; apply: eq_bigr => a _; rewrite -dot_point hsubmxK rowV colc.
rewrite (bigID (fun j => j \in J)) /= out within -!addrA; congr (_ + _).
by rewrite addrCA; congr (_ + _); rewrite addrCA.
Qed.

(* Every network with biases and a skip has a canonical form, and each says which widths absorb the skip. *)
(* Provably: claim=F4 part=as-stated-least theorem=least_width quantifiers=all ordered fields, sizes, widths, weights, biases, Z, canonical forms *)
Theorem least_width m n (W1 : 'M[F]_(m, h)) (W2 : 'M[F]_(k, m)) b1 b2 (Z : 'M[F]_(k, h)) :
  (exists p (u : 'M_(p, h)) beta c L d, affine_form_of W1 W2 b1 b2 Z u beta c L d) /\
  forall p (u : 'M_(p, h)) beta c L d, affine_form_of W1 W2 b1 b2 Z u beta c L d ->
    (exists (V2 : 'M_(k, n)) (V1 : 'M_(n, h)) c1 c2,
      forall x, affine_mlp relu V2 V1 c1 c2 x = affine_mlp relu W2 W1 b1 b2 x + Z *m x) <->
    exists (K : {set 'I_p}) (s : 'I_p -> bool), (p + #|K| + 2 * rank_modulo (of_K u K) (left_over u c L K s) <= n)%N.
Proof.
split=> [|p u beta c L d [regular form]]; first exact: affine_form.
split=> [[V2 [V1 [c1 [c2 same]]]]|[K [s wide]]].
  apply: (necessary_affine regular (V2 := V2) (V1 := V1) (c1 := c1) (c2 := c2) (L := L) (d := d)) => x.
  by rewrite same form.
have [V2 [V1 [c1 [c2 same]]]] := enough_affine beta d wide; exists V2, V1, c1, c2 => x; by rewrite same form.
Qed.
End Least.

(* ---- each condition on the kinks is needed: the examples of K-E1-001 with all biases 0 ------------------------- *)

Section Needed.
Notation relu := (@relu _ : rat -> rat).
Definition breaks_with_biases n (W1 : 'M[rat]_(n, 1)) (W2 : 'M[rat]_(1, n)) p (u : 'M[rat]_(p, 1)) c L :=
  [/\ forall x, affine_mlp relu W2 W1 0 0 x + 0 *m x = kinked_affine u 0 c L 0 x,
      exists (V2 : 'M_(1, n)) V1 c1 c2, forall x, affine_mlp relu V2 V1 c1 c2 x = affine_mlp relu W2 W1 0 0 x + 0 *m x &
      forall (K : {set 'I_p}) s, ~~ (p + #|K| + 2 * rank_modulo (of_K u K) (left_over u c L K s) <= n)%N].
Lemma without_biases n (W1 : 'M[rat]_(n, 1)) (W2 : 'M[rat]_(1, n)) p (u : 'M[rat]_(p, 1)) c L :
  breaks_criterion W1 W2 u c L -> breaks_with_biases W1 W2 u c L.
Proof.
case=> form _ wide; split=> // [x|]; last by exists W2, W1, 0, 0 => x; rewrite mul0mx addr0.
rewrite /affine_mlp /kinked_affine !addr0; have := form x; rewrite /mlp_of /kinked => ->; congr (_ + _).
by apply: eq_bigr => i _; rewrite mxE addr0.
Qed.

(* 0 = 1 |0 x + 0| has no neuron; counted as a kink, u_1 = 0 asks for one. *)
(* Needed: theorem=least_width hypothesis=no kink has the row 0 lemma=needs_rows *)
Lemma needs_rows : [/\ different_hyperplanes (0 : 'M[rat]_1) 0, nonzero_columns (1%:M : 'M[rat]_1) &
  @breaks_with_biases 0 0 0 1 0 1%:M 0].
Proof.
have [_ columns breaks] := k_e1_001.needs_rows; split=> // [i j|]; last exact: without_biases.
by rewrite (ord1 i) (ord1 j) eqxx.
Qed.
(* 0 = 0 |x| has no neuron; counted as a kink, c_1 = 0 asks for one. *)
(* Needed: theorem=least_width hypothesis=no kink has the column 0 lemma=needs_columns *)
Lemma needs_columns : [/\ nonzero_rows (1%:M : 'M[rat]_1), different_hyperplanes (1%:M : 'M[rat]_1) 0 &
  @breaks_with_biases 0 0 0 1 1%:M 0 0].
Proof.
have [rows _ breaks] := k_e1_001.needs_columns; split=> // [i j|]; last exact: without_biases.
by rewrite (ord1 i) (ord1 j) eqxx.
Qed.
(* 4 ReLU(x) = |x| + |x| + 2 x has one neuron; counted twice, its kink asks for two. *)
(* Needed: theorem=least_width hypothesis=no two kinks on one hyperplane lemma=needs_apart *)
(* Needed: theorem=least_width hypothesis=u, beta, c, L and d are a form of the network argued=only says which numbers the criterion is about; the theorem's first half finds them for every network *)
Lemma needs_apart : [/\ nonzero_rows (const_mx 1 : 'M[rat]_(2, 1)), nonzero_columns (const_mx 1 : 'M[rat]_(1, 2)) &
  @breaks_with_biases 1 1%:M 4%:R%:M 2 (const_mx 1) (const_mx 1) 2%:R%:M].
Proof. by have [rows columns breaks] := k_e1_001.needs_apart; split=> //; apply: without_biases. Qed.
End Needed.
