(* generic.v - "almost all weights", "with probability 1", "of measure zero": outside the zeros of a polynomial that is
 * not 0.
 *
 * Weights are a vector space T; a polynomial is what constants and linear forms (the entries among them) give by sums
 * and products.  `null A`: some polynomial that is not 0 everywhere is 0 on all of A.  Such sets are null sets of any
 * measure with a density, by Fubini's theorem, which is not formal here; what it needs of them is `few_on_lines`. *)
From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Polynomials.
Variables (F : fieldType) (T : lmodType F).

Inductive polynomial : (T -> F) -> Prop :=
| Constant c : polynomial (fun=> c)
| Form f : (forall a x y, f (a *: x + y) = a * f x + f y) -> polynomial f
| Sum f g : polynomial f -> polynomial g -> polynomial (fun w => f w + g w)
| Product f g : polynomial f -> polynomial g -> polynomial (fun w => f w * g w)
| Same f g : polynomial f -> f =1 g -> polynomial g.

Definition null (A : T -> Prop) := exists f, [/\ polynomial f, exists w, f w != 0 & forall w, A w -> f w = 0].

Lemma sub_null (A B : T -> Prop) : (forall w, A w -> B w) -> null B -> null A.
Proof. by move=> AB [f [pf f0 fB]]; exists f; split=> // w /AB /fB. Qed.

Lemma null_none : null (fun=> False).
Proof. by exists (fun=> 1); split=> //; [apply: Constant | exists 0; rewrite oner_eq0]. Qed.

Lemma polynomial_sum (I : Type) (r : seq I) (P : pred I) (f : I -> T -> F) :
  (forall i, polynomial (f i)) -> polynomial (fun w => \sum_(i <- r | P i) f i w).
Proof.
move=> pf; elim: r => [|i r IH].
  by apply: Same (Constant 0) _ => w; rewrite big_nil.
have [Pi|Pi] := boolP (P i); last by apply: Same IH _ => w; rewrite big_cons (negPf Pi).
by apply: Same (Sum (pf i) IH) _ => w; rewrite big_cons Pi.
Qed.
Lemma polynomial_prod (I : Type) (r : seq I) (f : I -> T -> F) :
  (forall i, polynomial (f i)) -> polynomial (fun w => \prod_(i <- r) f i w).
Proof.
move=> pf; elim: r => [|i r IH]; first by apply: Same (Constant 1) _ => w; rewrite big_nil.
by apply: Same (Product (pf i) IH) _ => w; rewrite big_cons.
Qed.
Lemma polynomial_sub f g : polynomial f -> polynomial g -> polynomial (fun w => f w - g w).
Proof. by move=> pf pg; apply: Same (Sum pf (Product (Constant (-1)) pg)) _ => w; rewrite mulN1r. Qed.

(* ---- matrices whose entries are polynomials -------------------------------------------------------------------- *)

Definition polynomials p q (f : T -> 'M[F]_(p, q)) := forall i j, polynomial (fun w => f w i j).

Lemma polynomials_const p q (A : 'M_(p, q)) : polynomials (fun=> A).
Proof. by move=> i j; apply: Constant. Qed.
Lemma polynomials_linear p q (f : T -> 'M_(p, q)) : (forall a x y, f (a *: x + y) = a *: f x + f y) -> polynomials f.
Proof. by move=> lin i j; apply: Form => a x y; rewrite lin !mxE. Qed.
Lemma polynomials_tr p q (f : T -> 'M_(p, q)) : polynomials f -> polynomials (fun w => (f w)^T).
Proof. by move=> pf i j; apply: Same (pf j i) _ => w; rewrite mxE. Qed.
Lemma polynomials_mul p q r (f : T -> 'M_(p, q)) (g : T -> 'M_(q, r)) :
  polynomials f -> polynomials g -> polynomials (fun w => f w *m g w).
Proof.
move=> pf pg i j; apply: Same (_ : polynomial (fun w => \sum_k f w i k * g w k j)) _ => [|w]; last by rewrite mxE.
by apply: polynomial_sum => k; apply: Product.
Qed.
Lemma polynomials_sub p q (f g : T -> 'M_(p, q)) :
  polynomials f -> polynomials g -> polynomials (fun w => f w - g w).
Proof. by move=> pf pg i j; apply: Same (polynomial_sub (pf i j) (pg i j)) _ => w; rewrite !mxE. Qed.
Lemma polynomial_det p (f : T -> 'M_p) : polynomials f -> polynomial (fun w => \det (f w)).
Proof.
move=> pf; apply: polynomial_sum => s; apply: Product; first exact: Constant.
by apply: polynomial_prod => i; apply: pf.
Qed.

(* ---- lines ----------------------------------------------------------------------------------------------------- *)

(* on each line a polynomial is one in the parameter, of bounded degree *)
Lemma on_lines f : polynomial f ->
  exists D, forall x v, exists p : {poly F}, (size p <= D)%N /\ forall t, f (x + t *: v) = p.[t].
Proof.
elim=> [c|g lin|g1 g2 _ [D1 h1] _ [D2 h2]|g1 g2 _ [D1 h1] _ [D2 h2]|g1 g2 _ [D hD] e].
- exists 1%N => x v; exists c%:P; split=> [|t]; first exact: size_polyC_leq1.
  by rewrite hornerC.
- exists 2%N => x v; exists (g v *: 'X + (g x)%:P); split=> [|t].
    rewrite (leq_trans (size_add _ _)) // geq_max (leq_trans (size_scale_leq _ _)) ?size_polyX //.
    by rewrite (leq_trans (size_polyC_leq1 _)).
  by rewrite addrC lin !hornerE mulrC.
- exists (maxn D1 D2) => x v; have [p [sp hp]] := h1 x v; have [q [sq hq]] := h2 x v; exists (p + q).
  by split=> [|t]; rewrite ?hornerD -?hp -?hq // (leq_trans (size_add _ _)) // geq_max !leq_max sp sq orbT.
- exists (D1 + D2)%N => x v; have [p [sp hp]] := h1 x v; have [q [sq hq]] := h2 x v; exists (p * q).
  split=> [|t]; rewrite ?hornerM -?hp -?hq // (leq_trans (size_mul_leq _ _)) //.
  by rewrite (leq_trans (leq_pred _)) // leq_add.
by exists D => x v; have [p [sp hp]] := hD x v; exists p; split=> // t; rewrite -e.
Qed.

(* A null set misses a point, and meets each line through it in at most D points, D the same for all. *)
Theorem few_on_lines A : null A -> exists w D, ~ A w /\
  forall v (ts : seq F), uniq ts -> (forall t, t \in ts -> A (w + t *: v)) -> (size ts <= D)%N.
Proof.
move=> [f [/on_lines [D few] [w fw] fA]]; exists w, D; split=> [/fA/eqP|v ts distinct inA]; first by apply/negP.
have [p [sp hp]] := few w v; have p0 : p != 0.
  by apply: contraNneq fw => p0; have := hp 0; rewrite scale0r addr0 p0 horner0 => ->.
rewrite ltnW // (leq_trans _ sp) //; apply: max_poly_roots p0 _ distinct.
by apply/allP => t /inA /fA; rewrite hp => /eqP.
Qed.
End Polynomials.

(* ---- unions ------------------------------------------------------------------------------------------------------ *)

Section Unions.
Variables (F : numFieldType) (T : lmodType F).
Implicit Types A B : T -> Prop.

(* the natural numbers are too many for roots *)
Lemma not_a_root (p : {poly F}) : p != 0 -> exists t, p.[t] != 0.
Proof.
move=> p0; pose ts := [seq i%:R | i <- iota 0 (size p)] : seq F.
have distinct : uniq ts by rewrite map_inj_uniq ?iota_uniq // => i j /eqP; rewrite eqr_nat => /eqP.
have : ~~ all (root p) ts.
  by apply/negP => roots; have := max_poly_roots p0 roots distinct; rewrite size_map size_iota ltnn.
by case/allPn => t _ nr; exists t.
Qed.

Theorem null_or A B : null A -> null B -> null (fun w => A w \/ B w).
Proof.
move=> [f [pf [x fx] fA]] [g [pg [y gy] gB]]; exists (fun w => f w * g w); split; first exact: Product.
  have [_ /(_ x (y - x)) [p [_ hp]]] := on_lines pf; have [_ /(_ x (y - x)) [q [_ hq]]] := on_lines pg.
  have p0 : p != 0 by apply: contraNneq fx => p0; have := hp 0; rewrite scale0r addr0 p0 horner0 => ->.
  have q0 : q != 0 by apply: contraNneq gy => q0; have := hq 1; rewrite scale1r addrC subrK q0 horner0 => ->.
  have [|t] := @not_a_root (p * q); first by rewrite mulf_neq0.
  by rewrite hornerM -hp -hq; exists (x + t *: (y - x)).
by move=> w [/fA ->|/gB ->]; rewrite ?mul0r ?mulr0.
Qed.

(* finitely many *)
Theorem null_exists (I : finType) (A : I -> T -> Prop) : (forall i, null (A i)) -> null (fun w => exists i, A i w).
Proof.
move=> nA; apply: sub_null (_ : null (fun w => exists2 i, i \in enum I & A i w)) => [w [i Ai]|].
  by exists i; rewrite ?mem_enum.
elim: (enum I) => [|i r IH].
  by apply: sub_null (null_none T) => w [].
apply: sub_null (null_or (nA i) IH) => w [j]; rewrite inE => /orP [/eqP ->|jr Aj]; first by left.
by right; exists j.
Qed.
End Unions.
