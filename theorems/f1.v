(* f1.v - F1: squared ReLU, ReGLU and bilinear MLPs never absorb a linear skip Z, whatever the width of the other one.
 *
 * All are homogeneous of degree 2, f(2x) = 4 f(x): f + Z = g would give 2Zx = 4Zx, with any weights and widths. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import relu.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Homogeneous.
Variables (F : realFieldType) (h k : nat).
Definition degree_two (f : 'cV[F]_h -> 'cV[F]_k) := forall x, f (2%:R *: x) = 4%:R *: f x.

Lemma no_skip f g (Z : 'M[F]_(k, h)) : degree_two f -> degree_two g -> (forall x, f x + Z *m x = g x) -> Z = 0.
Proof.
move=> f2 g2 same; have zero (x : 'cV[F]_h) : Z *m x = 0.
  have := same (2%:R *: x); rewrite f2 g2 -same scalerDr => /addrI; rewrite -scalemxAr => e.
  have : (4%:R - 2%:R) *: (Z *m x) = 0 by rewrite scalerBl -e subrr.
  by move=> /eqP; rewrite -natrB // scaler_eq0 pnatr_eq0 => /eqP.
apply/matrixP => a b; have := zero (delta_mx b 0).
by rewrite -colE => /colP /(_ a); rewrite !mxE.
Qed.

Definition squared_relu (y : F) : F := relu y * relu y.
(* W2 ReLU(W1 x)^2, W_d (ReLU(W_g x) . W_u x), W_d (W_g x . W_u x) *)
Definition gated (phi : F -> F) m (W_d : 'M[F]_(k, m)) (W_g W_u : 'M[F]_(m, h)) (x : 'cV[F]_h) : 'cV_k :=
  W_d *m \col_i (phi ((W_g *m x) i 0) * (W_u *m x) i 0).

Lemma gated_degree_two phi m (W_d : 'M[F]_(k, m)) W_g W_u :
  (forall y, phi (2%:R * y) = 2%:R * phi y) -> degree_two (gated phi W_d W_g W_u).
Proof.
move=> hom x; have two (v : 'cV[F]_m) i : (2%:R *: v) i 0 = 2%:R * v i 0 by rewrite mxE.
rewrite /gated [RHS]scalemxAr; congr (W_d *m _); apply/colP => i.
by rewrite -!scalemxAr [LHS]mxE [RHS]mxE [in RHS]mxE !two hom mulrACA -natrM.
Qed.
Lemma squared_degree_two m (W2 : 'M[F]_(k, m)) (W1 : 'M[F]_(m, h)) : degree_two (mlp_of squared_relu W2 W1).
Proof.
move=> x; have two (v : 'cV[F]_m) i : (2%:R *: v) i 0 = 2%:R * v i 0 by rewrite mxE.
rewrite /mlp_of [RHS]scalemxAr; congr (W2 *m _); apply/colP => i.
rewrite -scalemxAr [LHS]mxE [RHS]mxE [in RHS]mxE !two /squared_relu.
by rewrite relu_scale ?pnatr_eq0 // ltrn0 subr0 normr_nat mulrACA -natrM.
Qed.

(* Provably: claim=F1 part=as-stated theorem=squared quantifiers=all ordered fields, h, m, m', W1, W2, V1, V2, Z *)
Theorem squared m m' (W2 : 'M[F]_(k, m)) (W1 : 'M_(m, h)) (V2 : 'M[F]_(k, m')) (V1 : 'M_(m', h)) Z :
  (forall x, mlp_of squared_relu W2 W1 x + Z *m x = mlp_of squared_relu V2 V1 x) -> Z = 0.
Proof. exact: no_skip (squared_degree_two _ _) (squared_degree_two _ _). Qed.

(* Provably: claim=F1 part=as-stated-reglu theorem=reglu quantifiers=all ordered fields, h, m, m', all weights, Z *)
Theorem reglu m m' (W_d : 'M[F]_(k, m)) (W_g W_u : 'M_(m, h)) (V_d : 'M_(k, m')) (V_g V_u : 'M_(m', h)) Z :
  (forall x, gated (@relu F) W_d W_g W_u x + Z *m x = gated (@relu F) V_d V_g V_u x) -> Z = 0.
Proof.
have hom y : @relu F (2%:R * y) = 2%:R * relu y by rewrite relu_scale ?pnatr_eq0 // ltrn0 subr0 normr_nat.
by apply: no_skip; apply: gated_degree_two.
Qed.

(* Provably: claim=F1 part=as-stated-bilinear theorem=bilinear quantifiers=all ordered fields, h, m, m', all weights, Z *)
Theorem bilinear m m' (W_d : 'M[F]_(k, m)) (W_g W_u : 'M_(m, h)) (V_d : 'M_(k, m')) (V_g V_u : 'M_(m', h)) Z :
  (forall x, gated id W_d W_g W_u x + Z *m x = gated id V_d V_g V_u x) -> Z = 0.
Proof. by apply: no_skip; apply: gated_degree_two. Qed.
End Homogeneous.

(* ---- without a hypothesis: MLPs of one number, all weights 1 ---------------------------------------------------- *)

Section Needed.
Notation num a := (a%:M : 'M[rat]_1).
Lemma squared_number (a x : rat) : mlp_of (@squared_relu _) (num 1) (num a) (num x) = num (squared_relu (a * x)).
Proof. by apply/colP => i; rewrite /mlp_of -scalar_mxM mul1mx !ord1 !mxE. Qed.
Lemma gated_number phi (d x : rat) : gated phi (num d) (num 1) (num 1) (num x) = num (d * (phi x * x)).
Proof. by apply/colP => i; rewrite /gated !mul1mx !ord1 !(mxE, big_ord1). Qed.

(* At x = 1 alone 1 + 3 = 4, the value of an MLP with W1 = 2, or W_d = 4: Z = 3. *)
(* Needed: theorem=squared,reglu,bilinear hypothesis=the same value at every x lemma=needs_every_input *)
Lemma needs_every_input :
  [/\ mlp_of (@squared_relu _) (num 1) (num 1) (num 1) + num 3%:R *m num 1 =
        mlp_of (@squared_relu _) (num 1) (num 2%:R) (num 1),
      gated (@relu _) (num 1) (num 1) (num 1) (num 1) + num 3%:R *m num 1 =
        gated (@relu _) (num 4%:R) (num 1) (num 1) (num 1) &
      gated id (num 1) (num 1) (num 1) (num 1) + num 3%:R *m num 1 = gated id (num 4%:R) (num 1) (num 1) (num 1)].
Proof.
rewrite !squared_number !gated_number -!scalar_mxM -!raddfD /=.
by split; congr (_%:M); apply/eqP; vm_compute.
Qed.
(* ReLU, of degree 1: ReLU(x) - x = ReLU(-x). *)
Lemma needs_degree_two (x : 'M[rat]_1) : mlp_of (@relu _) (num 1) (num 1) x + num (- 1) *m x =
  mlp_of (@relu _) (num 1) (num (- 1)) x.
Proof.
rewrite /mlp_of !mul1mx !mul_scalar_mx scaleN1r; apply/matrixP => i j; rewrite !mxE !ord1.
by rewrite -{2}[x 0 0]relu_half_odd opprB addrC subrK.
Qed.
End Needed.
