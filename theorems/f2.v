(* f2.v - F2: gated MLPs whose activation vanishes at 0 never absorb a linear skip: SwiGLU, GeGLU, tanh.
 *
 * f(x) = W_d (s(W_g x) . W_u x) with |s(y)| <= C |y| near 0, as where s(0) = 0 and s is differentiable at 0.  Then
 * |f(t x)| <= C' t^2 near t = 0, and so for layers one after the other; Z t x is not so small unless Z x = 0. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import order.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Small.
Variable F : realFieldType.

(* |s(y)| <= C |y| for |y| <= r *)
Definition vanishes (s : F -> F) := exists C r, [/\ 0 <= C, 0 < r & forall y, `|y| <= r -> `|s y| <= C * `|y|].

(* |v(t)| <= C t^k for 0 <= t <= r, entry by entry *)
Definition order_of (k : nat) n (v : F -> 'cV[F]_n) :=
  exists C r, [/\ 0 <= C, 0 < r, r <= 1 & forall t i, 0 <= t <= r -> `|v t i 0| <= C * t ^+ k].

Lemma order_mul k m n (A : 'M[F]_(m, n)) v : order_of k v -> order_of k (fun t => A *m v t).
Proof.
case=> C [r [C0 r0 r1 vC]]; pose S := \sum_i \sum_j `|A i j|.
have S0 : 0 <= S by apply: sumr_ge0 => i _; apply: sumr_ge0.
exists (S * C), r; split=> // [|t i tr]; first exact: mulr_ge0.
rewrite mxE; apply: le_trans (ler_norm_sum _ _ _) _; rewrite -mulrA.
apply: (@le_trans _ _ (\sum_j `|A i j| * (C * t ^+ k))).
  by apply: ler_sum => j _; rewrite normrM ler_wpmul2l // vC.
rewrite -mulr_suml; apply: ler_wpmul2r; first by rewrite mulr_ge0 ?exprn_ge0 //; case/andP: tr.
by rewrite /S (bigD1 i) //= ler_addl; apply: sumr_ge0 => l _; apply: sumr_ge0.
Qed.

Lemma order_act s n (v : F -> 'cV[F]_n) : vanishes s -> order_of 1 v -> order_of 1 (fun t => map_mx s (v t)).
Proof.
case=> C [r [C0 r0 sC]] [D [q [D0 q0 q1 vD]]].
pose p := Num.min q (r / (D + 1)).
have D1 : 0 < D + 1 by apply: ltr_paddl.
have p0 : 0 < p by rewrite lt_minr q0 divr_gt0.
exists (C * D), p; split=> // [||t i /andP [t0 tp]]; first exact: mulr_ge0.
  by rewrite le_minl q1.
move: tp; rewrite le_minr => /andP [tq tr]; rewrite mxE.
have vi : `|v t i 0| <= D * t by have := vD t i; rewrite t0 tq expr1; apply.
rewrite expr1 -mulrA; apply: le_trans (sC _ _) _; last by apply: ler_wpmul2l.
apply: le_trans vi _; move: tr; rewrite ler_pdivl_mulr // => /(le_trans _); apply.
by rewrite mulrC ler_wpmul2l // ler_addl.
Qed.

Lemma order_hadamard n (u v : F -> 'cV[F]_n) : order_of 1 u -> order_of 1 v ->
  order_of 2 (fun t => \col_i (u t i 0 * v t i 0)).
Proof.
case=> C [r [C0 r0 r1 uC]] [D [q [D0 q0 q1 vD]]]; exists (C * D), (Num.min q r).
split=> [||| t i]; [exact: mulr_ge0|by rewrite lt_minr q0|by rewrite le_minl q1|].
rewrite le_minr => /and3P [t0 tq tr]; rewrite mxE normrM expr2 mulrACA.
have := uC t i; have := vD t i; rewrite t0 tq tr expr1 => /(_ isT) hv /(_ isT) hu.
exact: ler_pmul.
Qed.

Lemma order_down n (v : F -> 'cV[F]_n) : order_of 2 v -> order_of 1 v.
Proof.
case=> C [r [C0 r0 r1 vC]]; exists C, r; split=> // t i tr; apply: le_trans (vC t i tr) _.
case/andP: tr => t0 tr; rewrite ler_wpmul2l // expr2 expr1 ler_pimull //; exact: le_trans tr r1.
Qed.

(* W_d (s(W_g x) . W_u x) *)
Definition gated s h m k (W_d : 'M[F]_(k, m)) (W_g W_u : 'M[F]_(m, h)) (x : 'cV[F]_h) : 'cV_k :=
  W_d *m \col_i (map_mx s (W_g *m x) i 0 * (W_u *m x) i 0).

Lemma order_gated s h m k (W_d : 'M[F]_(k, m)) (W_g W_u : 'M[F]_(m, h)) v : vanishes s -> order_of 1 v ->
  order_of 2 (fun t => gated s W_d W_g W_u (v t)).
Proof.
by move=> s0 v1; apply: order_mul; apply: order_hadamard; [apply: order_act => //; apply: order_mul|apply: order_mul].
Qed.

Lemma order_line h (x : 'cV[F]_h) : order_of 1 (fun t => t *: x).
Proof.
exists (\sum_i `|x i 0|), 1; split=> // [|t i /andP [t0 _]]; first by apply: sumr_ge0.
rewrite mxE normrM (ger0_norm t0) expr1 mulrC ler_wpmul2r //.
by rewrite (bigD1 i) //= ler_addl; apply: sumr_ge0.
Qed.

(* layers of any widths and any number, one after the other *)
Inductive layers s h : forall k, ('cV[F]_h -> 'cV[F]_k) -> Prop :=
| One m k (W_d : 'M[F]_(k, m)) W_g W_u : layers s (gated s W_d W_g W_u)
| More m k l (g : 'cV[F]_h -> 'cV[F]_l) (W_d : 'M[F]_(k, m)) W_g W_u : layers s g ->
    layers s (fun x => gated s W_d W_g W_u (g x)).

Lemma order_layers s h k (g : 'cV[F]_h -> 'cV[F]_k) x : vanishes s -> layers s g -> order_of 2 (fun t => g (t *: x)).
Proof.
move=> s0; elim=> {k g} [m k W_d W_g W_u|m k l g W_d W_g W_u _ IH]; apply: order_gated => //; first exact: order_line.
exact: order_down.
Qed.

(* f + Z with Z != 0 is no g of the same kind *)
(* Provably: claim=F2 part=as-stated theorem=no_skip quantifiers=all ordered fields, widths, depths, weights, Z, s with |s(y)| <= C|y| near 0: SiLU *)
(* Provably: claim=F2 part=as-stated-geglu theorem=no_skip quantifiers=all ordered fields, widths, depths, weights, Z, s with |s(y)| <= C|y| near 0: GELU *)
(* Provably: claim=F2 part=as-stated-tanh theorem=no_skip quantifiers=all ordered fields, widths, depths, weights, Z, s with |s(y)| <= C|y| near 0: tanh *)
Theorem no_skip s h m k (W_d : 'M[F]_(k, m)) (W_g W_u : 'M[F]_(m, h)) (Z : 'M[F]_(k, h)) g :
  vanishes s -> layers s g -> (forall x, gated s W_d W_g W_u x + Z *m x = g x) -> Z = 0.
Proof.
move=> s0 g2 same; have zero (x : 'cV[F]_h) : Z *m x = 0.
  have [C [r [C0 r0 r1 fC]]] := order_gated W_d W_g W_u s0 (order_line x).
  have [D [q [D0 q0 q1 gD]]] := order_layers x s0 g2.
  apply/colP => i; rewrite [RHS]mxE; set z := (Z *m x) i 0; apply/eqP; apply: contraT => z0.
  have small t : 0 <= t -> t <= r -> t <= q -> t * `|z| <= (C + D) * t ^+ 2.
    move=> t0 tr tq; have -> : t * `|z| = `|(g (t *: x) - gated s W_d W_g W_u (t *: x)) i 0|.
      have entry (A : 'cV[F]_k) : (t *: A) i 0 = t * A i 0 by rewrite mxE.
      by rewrite -same addrC addKr -scalemxAr entry normrM (ger0_norm t0).
    rewrite mxE [X in _ + X]mxE mulrDl; apply: le_trans (ler_norm_sub _ _) _.
    by rewrite addrC; apply: ler_add; [apply: fC|apply: gD]; rewrite t0.
  pose t := Num.min (Num.min r q) (`|z| / (2%:R * (C + D + 1))).
  have B0 : 0 < 2%:R * (C + D + 1) by rewrite mulr_gt0 ?ltr0n // ltr_paddl ?addr_ge0.
  have tpos : 0 < t by rewrite !lt_minr r0 q0 divr_gt0 ?normr_gt0.
  have := small t (ltW tpos); rewrite !le_minl !lexx /= orbT => /(_ isT isT).
  rewrite expr2 mulrA [_ * t]mulrC ler_pmul2l // => le.
  have : t <= `|z| / (2%:R * (C + D + 1)) by rewrite le_minl lexx orbT.
  rewrite ler_pdivl_mulr // => le2; have : `|z| < `|z|; last by rewrite ltxx.
  apply: le_lt_trans le _; apply: lt_le_trans le2; rewrite mulrC ltr_pmul2l // mulr_natl mulr2n.
  apply: ltr_paddr; last by rewrite ltr_addl.
  by rewrite !addr_ge0.
apply/matrixP => a b; have := zero (delta_mx b 0).
by rewrite -colE => /colP /(_ a); rewrite !mxE.
Qed.
End Small.

(* ---- without a hypothesis: one number ---------------------------------------------------------------------------- *)

Section Needed.
Notation num a := (a%:M : 'M[rat]_1).
Lemma gated_number s (d : rat) (x : 'cV[rat]_1) :
  gated s (num d) (num 1) (num 1) x = num (d * (s (x 0 0) * x 0 0)).
Proof. by apply/colP => i; rewrite /gated !mul1mx !ord1 !(mxE, big_ord1). Qed.
Lemma column (x : 'cV[rat]_1) c : num c *m x = num (c * x 0 0).
Proof. by rewrite mul_scalar_mx; apply/colP => i; rewrite !ord1 !mxE. Qed.

(* s = 1, which is 1 at 0: x + x = 2x, with Z = 1. *)
(* Needed: theorem=no_skip hypothesis=an activation that vanishes at 0 lemma=needs_vanishing *)
Lemma needs_vanishing : let s (y : rat) : rat := 1 in layers s (gated s (num 2%:R) (num 1) (num 1)) /\
  forall x, gated s (num 1) (num 1) (num 1) x + num 1 *m x = gated s (num 2%:R) (num 1) (num 1) x.
Proof.
move=> s; split=> [|x]; first exact: One.
by rewrite !gated_number column -raddfD /=; congr (_%:M); rewrite !mul1r -mulr2n mulr_natl.
Qed.
(* s = 0: 0 + x = x, which no network of these layers is. *)
(* Needed: theorem=no_skip hypothesis=layers of the same kind lemma=needs_layers *)
Lemma needs_layers : let s (y : rat) : rat := 0 in vanishes s /\
  forall x, gated s (num 1) (num 1) (num 1) x + num 1 *m x = x.
Proof.
move=> s; split=> [|x]; first by exists 0, 1; split=> // y _; rewrite normr0 mul0r.
by rewrite gated_number mul0r mulr0 raddf0 add0r mul1mx.
Qed.
(* s(y) = y, at x = 1 alone: 1 + 3 = 4. *)
(* Needed: theorem=no_skip hypothesis=the same value at every x lemma=needs_every_input *)
Lemma needs_every_input : vanishes (fun y : rat => y) /\
  gated id (num 1) (num 1) (num 1) (num 1) + num 3%:R *m num 1 = gated id (num 4%:R) (num 1) (num 1) (num 1).
Proof.
split; first by exists 1, 1; split=> // y _; rewrite mul1r.
by rewrite !gated_number column -raddfD /=; congr (_%:M); rewrite !mxE; apply/eqP; vm_compute.
Qed.
End Needed.
