(* k_r5_radial.v - K-R5-radial, LayerNorm is radial on H and commutes with the orthogonal maps that keep H:
 * k_r5_radial.c for every d, U, x and eps.
 *
 * The paper (003, Remark 5): "On the zero-mean subspace H, the normalization L_eps is a radial map of the form
 * x -> phi(|x|) x.  Since the scaling depends only on |x|, it commutes with any orthogonal transformation that
 * preserves H."  LayerNorm L, H and |.|^2 = `square` are those of k_c1.v. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import order.
From Theorems Require Import k_c1.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Radial.
Variables (F : rcfType) (d : nat) (eps : F).
Implicit Types (x z : 'cV[F]_d) (U : 'M[F]_d).

Lemma square_sum z : square z = (z^T *m z) 0 0.
Proof. by rewrite mxE; apply: eq_bigr => i _; rewrite mxE expr2. Qed.
Lemma square_orthogonal U z : U^T *m U = 1%:M -> square (U *m z) = square z.
Proof. by move=> orth; rewrite !square_sum trmx_mul mulmxA -(mulmxA z^T) orth mulmx1. Qed.
Lemma sum_ones x : \sum_i x i 0 = ((ones : 'rV_d) *m x) 0 0.
Proof. by rewrite mxE; apply: eq_bigr => i _; rewrite mxE mul1r. Qed.
Lemma L_centred x : L eps x = (Num.sqrt (d%:R^-1 * square (centred x) + eps))^-1 *: centred x.
Proof. by []. Qed.
Lemma centred_in_H z : in_H z -> centred z = z.
Proof. by move=> z0; rewrite /centred sum_ones z0 mxE mulr0 scale0r subr0. Qed.

(* What commutes with the projector to H and keeps lengths commutes with L. *)
Lemma commutes U x : U^T *m U = 1%:M -> centred (U *m x) = U *m centred x -> L eps (U *m x) = U *m L eps x.
Proof. by move=> orth e; rewrite !L_centred e square_orthogonal // scalemxAr. Qed.

(* L(x) = phi(|x|) x on H, so L(U x) = U L(x) there. *)
(* Provably: claim=K-R5-radial part=as-stated theorem=on_plane quantifiers=all real closed fields, d, eps, orthogonal U that keep H, x in H *)
Theorem on_plane U : U^T *m U = 1%:M -> (forall z, in_H z -> in_H (U *m z)) ->
  (exists phi : F -> F, forall x, in_H x -> L eps x = phi (Num.sqrt (square x)) *: x) /\
  forall x, in_H x -> L eps (U *m x) = U *m L eps x.
Proof.
move=> orth keeps; split=> [|x xH]; last by apply: commutes; rewrite // !centred_in_H //; apply: keeps.
exists (fun r => (Num.sqrt (d%:R^-1 * r ^+ 2 + eps))^-1) => x xH.
by rewrite L_centred centred_in_H // sqr_sqrtr ?square_ge0.
Qed.

(* An orthogonal U with U 1 = c 1, c = 1 or -1, commutes with the projector to H. *)
Lemma centred_turned U x c : c ^+ 2 = 1 -> U^T *m U = 1%:M -> U *m ones = c *: (ones : 'cV_d) ->
  centred (U *m x) = U *m centred x.
Proof.
move=> c2 orth Uo; have oU : (ones : 'rV_d) *m U = c *: ones.
  have e : U^T *m (U *m ones) = c *: (U^T *m ones) :> 'cV_d by rewrite Uo -scalemxAr.
  rewrite mulmxA orth mul1mx in e; apply: trmx_inj; rewrite trmx_mul trmx_const linearZ /= trmx_const.
  by rewrite [in RHS]e scalerA -expr2 c2 scale1r.
rewrite /centred !sum_ones mulmxA oU -scalemxAl [X in _ * X]mxE mulmxBr -scalemxAr Uo scalerA.
by congr (_ - _ *: _); rewrite -!mulrA; congr (_ * _); rewrite mulrC.
Qed.

(* Provably: claim=K-R5-radial part=as-stated-all theorem=fixes_ones quantifiers=all real closed fields, d, eps, orthogonal U with U 1 = 1, all x *)
Theorem fixes_ones U : U^T *m U = 1%:M -> U *m ones = (ones : 'cV_d) -> forall x, L eps (U *m x) = U *m L eps x.
Proof.
by move=> orth Uo x; apply: commutes (centred_turned (c := 1) _ _ orth _); rewrite ?expr1n ?scale1r.
Qed.
(* Provably: claim=K-R5-radial part=as-stated-negative-ones theorem=turns_ones quantifiers=all real closed fields, d, eps, orthogonal U with U 1 = -1, all x *)
Theorem turns_ones U : U^T *m U = 1%:M -> U *m ones = - (ones : 'cV_d) -> forall x, L eps (U *m x) = U *m L eps x.
Proof.
by move=> orth Uo x; apply: commutes (centred_turned (c := -1) _ _ orth _); rewrite ?sqrrN ?expr1n ?scaleN1r.
Qed.

(* ---- without a hypothesis ---------------------------------------------------------------------------------------- *)

Hypotheses (d0 : (0 < d)%N) (eps0 : 0 < eps).
Lemma root_neq0 x : (Num.sqrt (d%:R^-1 * square (centred x) + eps))^-1 != 0.
Proof. by rewrite invr_eq0 gt_eqF // sqrtr_gt0 variance_gt0. Qed.
Lemma in_H_scale (c : F) z : c != 0 -> in_H (c *: z) -> in_H z.
Proof. by move=> c0; rewrite /in_H -scalemxAr => /eqP; rewrite scaler_eq0 (negPf c0) => /eqP. Qed.
Lemma centred_L x : in_H (centred x).
Proof. exact: in_H_scale (root_neq0 x) (L_in_H eps d0 x). Qed.

(* U takes some x of H out of H: L(U x) is in H and U L(x) is not. *)
(* Needed: theorem=on_plane,fixes_ones,turns_ones hypothesis=U keeps H, where U 1 is 1 or -1 lemma=needs_plane *)
Lemma needs_plane U x : in_H x -> ~ in_H (U *m x) -> L eps (U *m x) <> U *m L eps x.
Proof.
move=> xH out e; apply: out; apply: in_H_scale (root_neq0 x) _.
by have := L_in_H eps d0 (U *m x); rewrite e L_centred centred_in_H // scalemxAr.
Qed.
(* U makes some z of H longer: then L(U x) = U L(x) fails at some x of H. *)
(* Needed: theorem=on_plane,fixes_ones,turns_ones hypothesis=U orthogonal lemma=needs_orthogonal *)
Lemma needs_orthogonal U z : in_H z -> square z < square (U *m z) ->
  ~ forall x, in_H x -> L eps (U *m x) = U *m L eps x.
Proof.
move=> zH longer same; apply: (needs_contraction eps0 d0 zH longer (f := fun x => U *m centred x)) => x.
by rewrite same; [rewrite !L_centred (centred_in_H (centred_L x))|exact: centred_L].
Qed.
End Radial.
