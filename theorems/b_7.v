(* b_7.v - B-7: attention without softmax is cubic.
 *
 * The paper (002, Section 2): "Even if the Softmax() were linear, the multiplication of input tokens by the weights
 * (which are quadratic in these tokens) would result in a cubic function of input tokens."  One head, scores in place
 * of their softmax: s(X) = X M X', Z(X) = s(X) X O, M = W_Q W_K', O = W_V W_O. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads generic.
From Theorems Require Import k_p4_1.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Cubic.
Variables (R : comUnitRingType) (n dk : nat).
Notation d := (1 * dk)%N.
Notation layer := (layer R n d 1 1 dk).
Implicit Types (sh : shape R n d 1 1 dk) (W : layer) (X : 'M[R]_(n, d)).

Definition scores (M : 'M[R]_d) X : 'M_n := X *m M *m X^T.
Definition attended (M O : 'M[R]_d) X : 'M_(n, d) := scores M X *m X *m O.

(* Attention of transformer.v is that where the row map gives the scores themselves and the scale is 1: no biases, no
 * norms of queries and keys, no rotations. *)
Lemma no_softmax sh W X : plain W -> b_O W = 0 -> no_qk_norm W -> (forall t, rotation sh t = 1%:M) -> scale sh = 1 ->
  (forall S, rowmap W ord0 (visible sh) S = S) ->
  model_attention sh W X = attended (W_Q W *m (W_K W)^T) (W_V W *m W_O W) X.
Proof.
move=> pl o0 nn rope one linear; rewrite -(single_head _ pl nn rope).
rewrite /model_attention /model_self_attention /model_attention_of /head_attention /=; have [nq nk] := nn.
rewrite one_head !affine0 !nq !nk !rotate1 // one_head_scores linear one scale1r !trmx_mul trmxK !mulmx1.
by rewrite /attended /scores o0 affine0 mulmx1 !mulmxA.
Qed.

(* s(c X) = c^2 s(X) and Z(c X) = c^3 Z(X) for every c: homogeneous of degree 2 and 3 *)
Theorem homogeneous (M O : 'M[R]_d) X c :
  scores M (c *: X) = c ^+ 2 *: scores M X /\ attended M O (c *: X) = c ^+ 3 *: attended M O X.
Proof.
have s2 : scores M (c *: X) = c ^+ 2 *: scores M X.
  by rewrite /scores linearZ /= -scalemxAr -!scalemxAl scalerA.
by split=> //; rewrite /attended s2 -scalemxAr -!scalemxAl scalerA exprS.
Qed.
End Cubic.

(* "Z is not 0": for almost all W_Q, W_K, W_V, W_O and X, those outside the zeros of a polynomial that is not 0.  T is
 * the vector space of all five, or of more. *)
Section NotZero.
Variables (F : numFieldType) (n dk : nat) (T : lmodType F).
Notation d := (1 * dk)%N.
Variables (WQ WK WV WO : T -> 'M[F]_d) (X : T -> 'M[F]_(n, d)).
Definition linear p q (f : T -> 'M[F]_(p, q)) := forall a x y, f (a *: x + y) = a *: f x + f y.
Hypotheses (linQ : linear WQ) (linK : linear WK) (linV : linear WV) (linO : linear WO) (linX : linear X).
Hypothesis independent : forall Q K Vv O Y, exists w, [/\ WQ w = Q, WK w = K, WV w = Vv, WO w = O & X w = Y].

(* Provably: claim=B-7 part=as-stated theorem=cubic quantifiers=all number fields, sizes, weights, X, c; Z not 0 outside the zeros of a polynomial that is not 0 *)
Theorem cubic : (0 < n)%N -> (0 < dk)%N ->
  (forall w c, let M := WQ w *m (WK w)^T in let O := WV w *m WO w in
     scores M (c *: X w) = c ^+ 2 *: scores M (X w) /\ attended M O (c *: X w) = c ^+ 3 *: attended M O (X w)) /\
  null (fun w => attended (WQ w *m (WK w)^T) (WV w *m WO w) (X w) = 0).
Proof.
move=> n0 dk0; split=> [w c M O|]; first exact: homogeneous.
have d0 : (0 < d)%N by rewrite mul1n.
pose i := Ordinal n0; pose j := Ordinal d0.
exists (fun w => attended (WQ w *m (WK w)^T) (WV w *m WO w) (X w) i j); split=> [||w ->]; last by rewrite mxE.
  have pX := polynomials_linear linX.
  apply: (polynomials_mul (polynomials_mul (polynomials_mul (polynomials_mul pX _) _) _) _) => //.
  - by apply: polynomials_mul; [|apply: polynomials_tr]; apply: polynomials_linear.
  - exact: polynomials_tr.
  - by apply: polynomials_mul; apply: polynomials_linear.
have [w [eQ eK eV eO eX]] := independent 1%:M 1%:M 1%:M 1%:M (delta_mx i j); exists w; rewrite eQ eK eV eO eX.
rewrite /attended /scores trmx1 !mulmx1 trmx_delta !mul_delta_mx mxE !eqxx oner_eq0 //.
Qed.
End NotZero.

(* Scores that do not see the new input, s(X) for s(2 X), and values that do not: 2 and 4 in place of 8. *)
Lemma needs_both : let num x := x%:M : 'M[rat]_(1 * 1) in let X := num 1 in
  [/\ attended (num 1) (num 1) (2%:R *: X) 0 0 = 8%:R, (scores (num 1) X *m (2%:R *: X) *m num 1) 0 0 = 2%:R &
      (scores (num 1) (2%:R *: X) *m X *m num 1) 0 0 = 4%:R].
Proof.
move=> num X; rewrite /attended /scores /X /num !scalemx1 !tr_scalar_mx -!scalar_mxM !mxE eqxx.
by split; apply/eqP; vm_compute.
Qed.

(* ---- without a hypothesis of `cubic` ---------------------------------------------------------------------------- *)

(* What holds everywhere, or off one point of each line in one direction, is no null set. *)
Lemma not_null (F : numFieldType) (T : lmodType F) (A : T -> Prop) v :
  (forall w t, ~ A w -> t != 0 -> A (w + t *: v)) -> ~ null A.
Proof.
move=> off /few_on_lines [w [D [nA few]]].
have := few v [seq i.+1%:R | i <- iota 0 D.+1]; rewrite size_map size_iota ltnn => /(_ _ _)/negP; apply=> //.
  by rewrite map_inj_uniq ?iota_uniq // => i j /eqP; rewrite eqr_nat => /eqP [].
by move=> t /mapP [i _ ->]; apply: off => //; rewrite pnatr_eq0.
Qed.

(* No tokens, heads of width 0, or W_Q = 0 for all weights: Z is 0 everywhere. *)
Lemma everywhere (F : numFieldType) (T : lmodType F) (A : T -> Prop) : (forall w, A w) -> ~ null A.
Proof. by move=> all_A; apply: (@not_null _ _ _ 0). Qed.
(* Needed: theorem=cubic hypothesis=a token lemma=needs_a_token *)
Lemma needs_a_token (F : numFieldType) dk (T : lmodType F) (WQ WK WV WO : T -> 'M[F]_(1 * dk))
    (X : T -> 'M[F]_(0, 1 * dk)) :
  ~ null (fun w => attended (WQ w *m (WK w)^T) (WV w *m WO w) (X w) = 0).
Proof. by apply: everywhere => w; apply/matrixP => -[]. Qed.
(* Needed: theorem=cubic hypothesis=heads of width dk > 0 lemma=needs_a_width *)
Lemma needs_a_width (F : numFieldType) n (T : lmodType F) (WQ WK WV WO : T -> 'M[F]_(1 * 0))
    (X : T -> 'M[F]_(n, 1 * 0)) :
  ~ null (fun w => attended (WQ w *m (WK w)^T) (WV w *m WO w) (X w) = 0).
Proof. by apply: everywhere => w; apply/matrixP => i []. Qed.
(* Needed: theorem=cubic hypothesis=independent weights lemma=needs_independent *)
Lemma needs_independent (F : numFieldType) n dk (T : lmodType F) (WK WV WO : T -> 'M[F]_(1 * dk))
    (X : T -> 'M[F]_(n, 1 * dk)) :
  linear (fun _ : T => 0 : 'M[F]_(1 * dk)) /\ ~ null (fun w => attended (0 *m (WK w)^T) (WV w *m WO w) (X w) = 0).
Proof.
split=> [a x y|]; first by rewrite scaler0 addr0.
by apply: everywhere => w; rewrite /attended /scores !(mul0mx, mulmx0).
Qed.

(* One number wide, the weights are entries of w; but one of them, W_Q, .. or X, is 0 where w_5 is not: Z is, too. *)
Section NotLinear.
Notation entry i w := (((w : 'rV[rat]_6) 0 (inord i))%:M : 'M[rat]_(1 * 1)).
Definition weight (k i : nat) (w : 'rV[rat]_6) : 'M[rat]_(1 * 1) :=
  if (i == k) && (w 0 (inord 5) != 0) then 0 else entry i w.
Notation Z k w := (attended (weight k 0 w *m (weight k 1 w)^T) (weight k 2 w *m weight k 3 w) (weight k 4 w)).
(* Needed: theorem=cubic hypothesis=W_Q linear in the weights lemma=needs_linear *)
(* Needed: theorem=cubic hypothesis=W_K linear in the weights lemma=needs_linear *)
(* Needed: theorem=cubic hypothesis=W_V linear in the weights lemma=needs_linear *)
(* Needed: theorem=cubic hypothesis=W_O linear in the weights lemma=needs_linear *)
(* Needed: theorem=cubic hypothesis=X linear in the weights lemma=needs_linear *)
Lemma needs_linear k : (k < 5)%N -> [/\ forall i, i != k -> linear (weight k i),
  forall Q K Vv O Y, exists w,
    [/\ weight k 0 w = Q, weight k 1 w = K, weight k 2 w = Vv, weight k 3 w = O & weight k 4 w = Y] &
  ~ null (fun w => Z k w = 0)].
Proof.
move=> k5; split=> [i /negPf ne a x y|Q K Vv O Y|].
- by rewrite /weight ne /= scale_scalar_mx -raddfD !mxE.
- exists (\row_j nth 0 [:: Q 0 0; K 0 0; Vv 0 0; O 0 0; Y 0 0; 0] j).
  by split; rewrite /weight !mxE !inordK //= ?eqxx ?andbF [RHS]mx11_scalar.
have zero (w : 'rV[rat]_6) : w 0 (inord 5) != 0 -> Z k w = 0.
  move=> w5; have none : weight k k w = 0 by rewrite /weight eqxx w5.
  by case: k k5 none => [|[|[|[|[|//]]]]] _ none; rewrite /attended /scores none !(mul0mx, mulmx0, trmx0).
apply: (@not_null _ _ _ (delta_mx 0 (inord 5))) => w t nz t0.
have [w5|w5] := eqVneq (w 0 (inord 5)) 0; last by case: nz; apply: zero.
by rewrite zero // !mxE w5 add0r !eqxx mulr1.
Qed.
End NotLinear.
