(* k_r5_small.v - K-R5-small, small inputs.
 *
 * The paper (003, Remark 5): "For small inputs (|y|^2 << d eps), the eps-smoothing forces alpha ~ 1 regardless of M's
 * spectrum".  Corrected: for contractions, alpha(y) = (1 + (|y|^2 - |Sigma y|^2)/(d eps))^(-1/2) is below 1 by less than
 * |y|^2/(2 d eps).  Of |y|^2 < 2 d eps nothing is needed. *)
From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Small.
Variable F : rcfType.

(* 1 - x/2 < (1 + x)^(-1/2) < 1 *)
Lemma root_bounds (x : F) : 0 < x -> 1 - x / 2%:R < (Num.sqrt (1 + x))^-1 < 1.
Proof.
move=> x0; have one : 1 < 1 + x by rewrite ltr_addl.
have pos : 0 < 1 + x by apply: lt_trans one.
have root : 1 < Num.sqrt (1 + x) by rewrite -[X in X < _]sqrtr1 ltr_sqrt.
have root0 : 0 < Num.sqrt (1 + x) by apply: lt_trans root.
rewrite invf_lt1 // root andbT -div1r ltr_pdivl_mulr //; set y := Num.sqrt (1 + x) in root root0 *.
have xy : x = (y - 1) * (y + 1) by rewrite -subr_sqr expr1n sqr_sqrtr ?ltW // addrC addKr.
(* 1 - (1 - x/2) y = (y - 1)^2 (y + 2) / 2 *)
have e : 1 - (1 - x / 2%:R) * y = (y - 1) ^+ 2 * (y + 2%:R) / 2%:R.
  have two : 2%:R != 0 :> F by rewrite pnatr_eq0.
  apply: (mulIf two); rewrite divfK // mulrBl mul1r mulrAC mulrBl mul1r divfK // xy expr2 -mulrA.
  have -> : 2%:R = 1 + 1 :> F by rewrite -natr1.
  rewrite !(mulrDl, mulrDr, mulrBl, mulrBr, mulNr, mulrN, opprK, mul1r, mulr1, opprD) !mulrA.
Abort.
End Small.
