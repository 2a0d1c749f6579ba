(* k_r5_small.v - K-R5-small, small inputs.
 *
 * The paper (003, Remark 5): "For small inputs (|y|^2 << d eps), the eps-smoothing forces alpha ~ 1 regardless of
 * M's spectrum".  Corrected: for contractions, alpha(y) = (1 + (|y|^2 - |Sigma y|^2)/(d eps))^(-1/2) is below 1 by less
 * than |y|^2/(2 d eps).  Of |y|^2 < 2 d eps nothing is needed: beyond it the bound is above 1. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import order.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Small.
Variable F : rcfType.

(* 1 - x/2 < (1 + x)^(-1/2) < 1, by 2 - y < 1/y and y - 1 <= x/2 for y = sqrt(1 + x) *)
Lemma root_bounds (x : F) : 0 < x -> 1 - x / 2%:R < (Num.sqrt (1 + x))^-1 < 1.
Proof.
move=> x0; have one : 1 < 1 + x by rewrite ltr_addl.
have pos : 0 < 1 + x by apply: lt_trans one.
set y := Num.sqrt (1 + x); have yy : y ^+ 2 = 1 + x by rewrite sqr_sqrtr ?ltW.
have y1 : 1 < y by rewrite -[X in X < _]sqrtr1 ltr_sqrt.
have y0 : 0 < y by apply: lt_trans y1.
rewrite invf_lt1 // y1 andbT; have square : 0 < (y - 1) ^+ 2 by rewrite exprn_gt0 // subr_gt0.
have two : 2%:R = 1 + 1 :> F by rewrite (natrD _ 1 1).
have e : (y - 1) ^+ 2 = x - (y - 1) *+ 2.
  by rewrite sqrrB1 yy mulrnBl opprB addrA addrAC; congr (_ - _); rewrite mulr2n addrA (addrC 1).
have step : y - 1 <= x / 2%:R by rewrite ler_pdivl_mulr ?ltr0n // mulr_natr -subr_ge0 -e ltW.
have low : 1 - (y - 1) < y^-1.
  rewrite -[y^-1]div1r ltr_pdivl_mulr // -{2}[y](subrK 1) mulrC mulrDl mul1r.
  by rewrite mulrBr mulr1 addrAC addrCA subrr addr0 -expr2 ltr_subl_addl ltr_addr.
by apply: le_lt_trans low; rewrite ler_add2l ler_opp2.
Qed.

(* Provably: claim=K-R5-small part=corrected theorem=small quantifiers=all real closed fields, |y|^2, |Sigma y|^2, d eps *)
Theorem small (y2 Sy2 d_eps : F) : 0 <= Sy2 -> Sy2 < y2 -> 0 < d_eps ->
  let alpha := (Num.sqrt (1 + (y2 - Sy2) / d_eps))^-1 in
  0 < 1 - alpha /\ 1 - alpha < y2 / (2%:R * d_eps).
Proof.
move=> S0 lt e0 alpha; have x0 : 0 < (y2 - Sy2) / d_eps by rewrite divr_gt0 // subr_gt0.
have /andP [low up] := root_bounds x0; split; first by rewrite subr_gt0.
rewrite ltr_subl_addr -ltr_subl_addl; apply: le_lt_trans low; rewrite ler_add2l ler_opp2 (mulrC 2%:R) invfM mulrA.
by rewrite ler_pmul2r ?invr_gt0 ?ltr0n // ler_pmul2r ?invr_gt0 // ler_subl_addr ler_addl.
Qed.

(* |Sigma y| = |y|: alpha = 1, so 1 - alpha is not positive. *)
(* Needed: theorem=small hypothesis=Sigma makes y shorter lemma=needs_contraction *)
Lemma needs_contraction (y2 d_eps : F) : 1 - (Num.sqrt (1 + (y2 - y2) / d_eps))^-1 = 0.
Proof. by rewrite subrr mul0r addr0 sqrtr1 invr1 subrr. Qed.

Lemma root_of_square (x y : F) : 0 <= y -> y ^+ 2 = x -> Num.sqrt x = y.
Proof. by move=> y0 <-; rewrite sqrtr_sqr ger0_norm. Qed.
(* |Sigma y|^2 = -7, |y|^2 = d eps = 1: 1 - alpha = 2/3, not below 1/2. *)
(* Needed: theorem=small hypothesis=|Sigma y|^2 not negative lemma=needs_square *)
Lemma needs_square : 1 - (Num.sqrt (1 + (1 - - 7%:R) / 1) : F)^-1 = 2%:R / 3%:R /\
  1 / (2%:R * 1) <= 2%:R / 3%:R :> F.
Proof.
have three : 3%:R != 0 :> F by rewrite pnatr_eq0.
split; last by rewrite mulr1 ler_pdivl_mulr ?ltr0n // mulrAC ler_pdivr_mulr ?ltr0n // mul1r -natrM ler_nat.
rewrite (@root_of_square _ 3%:R) ?ler0n //; last first.
  by rewrite divr1 opprK -!natrX -(natrD _ 1 7) -(natrD _ 1 8).
by apply: (mulIf three); rewrite mulrBl mul1r mulVf // divfK // -(natrB _ (_ : (1 <= 3)%N)).
Qed.
(* d eps = -4/3, |y|^2 = 1, Sigma = 0: alpha = 2, and 1 - alpha is not positive. *)
(* Needed: theorem=small hypothesis=d eps positive lemma=needs_positive *)
Lemma needs_positive : 1 - (Num.sqrt (1 + (1 - 0) / - (4%:R / 3%:R)) : F)^-1 = - 1.
Proof.
have n0 n : n.+1%:R != 0 :> F by rewrite pnatr_eq0.
rewrite (@root_of_square _ 2%:R^-1) ?invr_ge0 ?ler0n //.
  by rewrite invrK (natrD _ 1 1) opprD addrA subrr add0r.
rewrite subr0 mul1r invrN invf_div exprVn -natrX; apply: (mulIf (n0 3%N)).
by rewrite mulVf ?n0 // mulrBl mul1r divfK // -(natrB _ (_ : (3 <= 4)%N)).
Qed.
End Small.
