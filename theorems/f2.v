(* f2.v - F2: gated MLPs whose activation vanishes at 0 never absorb a linear skip: SwiGLU, GeGLU, tanh.
 *
 * f(x) = W_d (s(W_g x) . W_u x) with |s(y)| <= C |y| near 0, as where s(0) = 0 and s is differentiable at 0.  Then
 * |f(x)| <= C' |x|^2 near 0, and so for layers one after the other; Z x is not so small unless Z = 0. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import order.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Small.
Variable F : realFieldType.

(* |s(y)| <= C |y| for |y| <= r *)
Definition vanishes (s : F -> F) := exists C r, [/\ 0 <= C, 0 < r & forall y, `|y| <= r -> `|s y| <= C * `|y|].

(* |x| = |x_1| + .. + |x_h| *)
Definition size1 h (x : 'cV[F]_h) : F := \sum_i `|x i 0|.
(* |v(x)| <= C |x|^k for |x| <= r, entry by entry; of order 2: v(0) = 0 and Dv(0) = 0 *)
Definition order_of (k : nat) h n (v : 'cV[F]_h -> 'cV[F]_n) :=
  exists C r, [/\ 0 <= C, 0 < r, r <= 1 & forall x i, size1 x <= r -> `|v x i 0| <= C * size1 x ^+ k].

Lemma size1_ge0 h (x : 'cV[F]_h) : 0 <= size1 x.
Proof. exact: sumr_ge0. Qed.
Lemma size1_entry h (x : 'cV[F]_h) i : `|x i 0| <= size1 x.
Proof. by rewrite /size1 (bigD1 i) //= ler_addl; apply: sumr_ge0. Qed.

Lemma order_mul k h m n (A : 'M[F]_(m, n)) (v : 'cV[F]_h -> _) : order_of k v -> order_of k (fun x => A *m v x).
Proof.
case=> C [r [C0 r0 r1 vC]]; pose S := \sum_i \sum_j `|A i j|.
have S0 : 0 <= S by apply: sumr_ge0 => i _; apply: sumr_ge0.
exists (S * C), r; split=> // [|x i xr]; first exact: mulr_ge0.
rewrite mxE; apply: le_trans (ler_norm_sum _ _ _) _; rewrite -mulrA.
apply: (@le_trans _ _ (\sum_j `|A i j| * (C * size1 x ^+ k))).
  by apply: ler_sum => j _; rewrite normrM ler_wpmul2l // vC.
rewrite -mulr_suml; apply: ler_wpmul2r; first by rewrite mulr_ge0 ?exprn_ge0 ?size1_ge0.
by rewrite /S (bigD1 i) //= ler_addl; apply: sumr_ge0 => l _; apply: sumr_ge0.
Qed.

Lemma order_act s h n (v : 'cV[F]_h -> 'cV[F]_n) : vanishes s -> order_of 1 v -> order_of 1 (fun x => map_mx s (v x)).
Proof.
case=> C [r [C0 r0 sC]] [D [q [D0 q0 q1 vD]]].
pose p := Num.min q (r / (D + 1)).
have D1 : 0 < D + 1 by apply: ltr_paddl.
have p0 : 0 < p by rewrite lt_minr q0 divr_gt0.
exists (C * D), p; split=> // [||x i xp]; first exact: mulr_ge0.
  by rewrite le_minl q1.
move: xp; rewrite le_minr => /andP [xq xr]; rewrite mxE; have x0 := size1_ge0 x.
have vi : `|v x i 0| <= D * size1 x by have := vD x i xq; rewrite expr1.
rewrite expr1 -mulrA; apply: le_trans (sC _ _) _; last by apply: ler_wpmul2l.
apply: le_trans vi _; move: xr; rewrite ler_pdivl_mulr // => /(le_trans _); apply.
by rewrite mulrC ler_wpmul2l // ler_addl.
Qed.

Lemma order_hadamard h n (u v : 'cV[F]_h -> 'cV[F]_n) : order_of 1 u -> order_of 1 v ->
  order_of 2 (fun x => \col_i (u x i 0 * v x i 0)).
Proof.
case=> C [r [C0 r0 r1 uC]] [D [q [D0 q0 q1 vD]]]; exists (C * D), (Num.min r q).
split=> [||| x i]; [exact: mulr_ge0|by rewrite lt_minr r0|by rewrite le_minl r1|].
rewrite le_minr => /andP [xr xq]; rewrite mxE normrM expr2 mulrACA.
have := uC x i xr; have := vD x i xq; rewrite !expr1 => hv hu.
exact: ler_pmul.
Qed.

Lemma order_down h n (v : 'cV[F]_h -> 'cV[F]_n) : order_of 2 v -> order_of 1 v.
Proof.
case=> C [r [C0 r0 r1 vC]]; exists C, r; split=> // x i xr; apply: le_trans (vC x i xr) _.
have x0 := size1_ge0 x; rewrite ler_wpmul2l // expr2 expr1 ler_pimull //; exact: le_trans xr r1.
Qed.

(* W_d (s(W_g x) . W_u x) *)
Definition gated s h m k (W_d : 'M[F]_(k, m)) (W_g W_u : 'M[F]_(m, h)) (x : 'cV[F]_h) : 'cV_k :=
  W_d *m \col_i (map_mx s (W_g *m x) i 0 * (W_u *m x) i 0).

Lemma order_gated s d h m k (W_d : 'M[F]_(k, m)) (W_g W_u : 'M[F]_(m, h)) (v : 'cV[F]_d -> _) : vanishes s ->
  order_of 1 v -> order_of 2 (fun x => gated s W_d W_g W_u (v x)).
Proof.
by move=> s0 v1; apply: order_mul; apply: order_hadamard; [apply: order_act => //; apply: order_mul|apply: order_mul].
Qed.

Lemma order_id h : order_of 1 (fun x : 'cV[F]_h => x).
Proof. by exists 1, 1; split=> // x i _; rewrite expr1 mul1r size1_entry. Qed.

(* layers of any widths and any number, one after the other *)
Inductive layers s h : forall k, ('cV[F]_h -> 'cV[F]_k) -> Prop :=
| One m k (W_d : 'M[F]_(k, m)) W_g W_u : layers s (gated s W_d W_g W_u)
| More m k l (g : 'cV[F]_h -> 'cV[F]_l) (W_d : 'M[F]_(k, m)) W_g W_u : layers s g ->
    layers s (fun x => gated s W_d W_g W_u (g x)).

Lemma order_layers s h k (g : 'cV[F]_h -> 'cV[F]_k) : vanishes s -> layers s g -> order_of 2 g.
Proof.
move=> s0; elim=> {k g} [m k W_d W_g W_u|m k l g W_d W_g W_u _ IH]; apply: order_gated => //; first exact: order_id.
exact: order_down.
Qed.

(* Dg(0) = 0, and f + Z with Z != 0 is no such g *)
(* Provably: claim=F2 part=as-stated theorem=no_skip quantifiers=all ordered fields, widths, depths, weights, Z, s with |s(y)| <= C|y| near 0: SiLU *)
(* Provably: claim=F2 part=as-stated-geglu theorem=no_skip quantifiers=all ordered fields, widths, depths, weights, Z, s with |s(y)| <= C|y| near 0: GELU *)
(* Provably: claim=F2 part=as-stated-tanh theorem=no_skip quantifiers=all ordered fields, widths, depths, weights, Z, s with |s(y)| <= C|y| near 0: tanh *)
Theorem no_skip s h k (g : 'cV[F]_h -> 'cV[F]_k) : vanishes s -> layers s g ->
  order_of 2 g /\ forall m (W_d : 'M[F]_(k, m)) (W_g W_u : 'M[F]_(m, h)) (Z : 'M[F]_(k, h)),
    (forall x, gated s W_d W_g W_u x + Z *m x = g x) -> Z = 0.
Proof.
move=> s0 g_; have g2 := order_layers s0 g_; split=> // m W_d W_g W_u Z same.
have [C [r [C0 r0 r1 fC]]] := order_gated W_d W_g W_u s0 (order_id h).
have [D [q [D0 q0 q1 gD]]] := g2.
apply/matrixP => i b; rewrite [RHS]mxE; set z := Z i b; apply/eqP; apply: contraT => z0.
pose e : 'cV[F]_h := delta_mx b 0; have zE : (Z *m e) i 0 = z by rewrite -colE mxE.
have e1 t : 0 <= t -> size1 (t *: e) = t.
  move=> t0; rewrite /size1 (bigD1 b) //= big1 => [|j /negPf jb]; rewrite !mxE ?jb ?mulr0 ?normr0 //.
  by rewrite !eqxx mulr1 addr0 ger0_norm.
have small t : 0 <= t -> t <= r -> t <= q -> t * `|z| <= (C + D) * t ^+ 2.
  move=> t0 tr tq; have -> : t * `|z| = `|(g (t *: e) - gated s W_d W_g W_u (t *: e)) i 0|.
    have entry (A : 'cV[F]_k) : (t *: A) i 0 = t * A i 0 by rewrite mxE.
    by rewrite -same addrC addKr -scalemxAr entry zE normrM (ger0_norm t0).
  rewrite mxE [X in _ + X]mxE mulrDl; apply: le_trans (ler_norm_sub _ _) _.
  have := fC (t *: e) i; have := gD (t *: e) i; rewrite e1 // => /(_ tq) hg /(_ tr) hf.
  by rewrite addrC; apply: ler_add.
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
