(* k_r5_alpha.v - K-R5-alpha, the factor of f_Sigma: k_r5_alpha.c for every d, Sigma, y and eps.
 *
 * The paper (003, Remark 5): f_M reduces to "f_Sigma(y) = alpha(y) Sigma y, where alpha(y) =
 * (1 + Delta(y)/(d eps))^(-1/2) and Delta(y) = |y|^2 - |Sigma y|^2 is the metric defect.  The scalar alpha equals 1
 * exactly when Sigma is an isometry."  LayerNorm L, its inverse `back`, H and |.|^2 = `square` are those of k_c1.v. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import order.
From Theorems Require Import k_c1.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Alpha.
Variables (F : rcfType) (d : nat) (eps : F) (Sigma : 'M[F]_d).
Implicit Types y z : 'cV[F]_d.
Definition Delta y : F := square y - square (Sigma *m y).
Definition alpha y : F := (Num.sqrt (1 + Delta y / (d%:R * eps)))^-1.

(* Sigma L(y) = r^(-1/2) Sigma y, r = |y|^2/d + eps, and d - |Sigma y|^2/r = d eps (1 + Delta/(d eps))/r *)
Lemma room y : (0 < d)%N -> 0 < eps -> in_H y -> let r := d%:R^-1 * square y + eps in
  [/\ 0 < r, Sigma *m L eps y = (Num.sqrt r)^-1 *: (Sigma *m y) &
      d%:R - square (Sigma *m L eps y) = d%:R * eps * (1 + Delta y / (d%:R * eps)) / r].
Proof.
move=> d0 e0 yH r; have dp : 0 < d%:R :> F by rewrite ltr0n.
have r0 : 0 < r by apply: ltr_paddl => //; rewrite mulr_ge0 ?invr_ge0 ?ler0n ?square_ge0.
have rn : r != 0 by rewrite gt_eqF.
have e : Sigma *m L eps y = (Num.sqrt r)^-1 *: (Sigma *m y).
  by rewrite /L -/(square (centred y)) centred_H // -scalemxAr.
split=> //; rewrite e squareZ exprVn sqr_sqrtr ?ltW //; apply: (mulIf rn); rewrite divfK // mulrBl.
rewrite [X in _ - X]mulrAC mulVf // mul1r mulrDr mulr1 [_ * (Delta y / _)]mulrC divfK ?mulf_neq0 ?gt_eqF //.
by rewrite /r mulrDr mulVKf ?gt_eqF // addrAC addrC.
Qed.

(* f_Sigma(y) = back (Sigma L(y)) is alpha(y) Sigma y, and solves L(f_Sigma(y)) = Sigma L(y). *)
(* Provably: claim=K-R5-alpha part=as-stated theorem=factor quantifiers=all real closed fields, d, eps > 0, Sigma that keeps H, y in H with 1 + Delta/(d eps) > 0 *)
Theorem factor y : 0 < eps -> (forall z, in_H z -> in_H (Sigma *m z)) -> in_H y -> 0 < 1 + Delta y / (d%:R * eps) ->
  let f := back eps (Sigma *m L eps y) in f = alpha y *: (Sigma *m y) /\ L eps f = Sigma *m L eps y.
Proof.
move=> e0 keeps yH pos f; have [z0|d0] := posnP d.
  have one (u v : 'cV[F]_d) : u = v by apply/colP => -[i lt]; exfalso; rewrite z0 in lt.
  by split; apply: one.
have [r0 e out] := room d0 e0 yH; set r := _ + eps in r0 e out.
have de0 : 0 < d%:R * eps by rewrite mulr_gt0 ?ltr0n.
set x := 1 + _ in pos out; have s0 : Num.sqrt r != 0 by rewrite gt_eqF ?sqrtr_gt0.
split; last first.
  apply: L_back => //; first exact/keeps/L_in_H.
  by rewrite -subr_gt0 out divr_gt0 // mulr_gt0.
rewrite /f /back out e scalerA /alpha -/x; congr (_ *: _).
have -> : d%:R * eps / (d%:R * eps * x / r) = r / x.
  by rewrite invf_div mulrA mulrAC invfM mulrA divff ?gt_eqF // mul1r mulrC.
rewrite sqrtrM ?ltW // mulrAC divff // mul1r; apply: (mulIf (_ : Num.sqrt x != 0)); first by rewrite gt_eqF ?sqrtr_gt0.
by rewrite -sqrtrM ?invr_ge0 ?ltW // mulVf ?gt_eqF // sqrtr1 mulVf // gt_eqF // sqrtr_gt0.
Qed.

Lemma one_where y : 0 < eps -> alpha y = 1 <-> square (Sigma *m y) = square y.
Proof.
move=> e0; have [z0|d0] := posnP d.
  have e : Sigma *m y = y by apply/colP => -[i lt]; exfalso; rewrite z0 in lt.
  by rewrite /alpha /Delta e subrr mul0r addr0 sqrtr1 invr1.
have de0 : d%:R * eps != 0 by rewrite mulf_neq0 ?pnatr_eq0 -?lt0n ?gt_eqF.
rewrite /alpha; split=> [/(congr1 GRing.inv)|e]; last by rewrite /Delta e subrr mul0r addr0 sqrtr1 invr1.
rewrite invrK invr1 => one; have x0 : 0 <= 1 + Delta y / (d%:R * eps).
  by rewrite leNgt; apply/negP => /ltW /ler0_sqrtr z; move: one; rewrite z => /eqP; rewrite eq_sym oner_eq0.
have := sqr_sqrtr x0; rewrite one expr1n => /eqP; rewrite eq_sym -subr_eq0 addrAC subrr add0r mulf_eq0 invr_eq0.
by rewrite (negPf de0) orbF subr_eq0 eq_sym => /eqP.
Qed.

(* At one y: alpha(y) = 1 exactly where |Sigma y| = |y|.  On H: alpha is 1 exactly when Sigma is an isometry of H, and
 * then f_Sigma is Sigma. *)
(* Provably: claim=K-R5-alpha part=as-stated-isometry theorem=isometry quantifiers=all real closed fields, d, eps > 0, Sigma *)
Theorem isometry : 0 < eps -> let isometric := forall y, in_H y -> square (Sigma *m y) = square y in
  [/\ forall y, alpha y = 1 <-> square (Sigma *m y) = square y,
      (forall y, in_H y -> alpha y = 1) <-> isometric &
      isometric -> (forall z, in_H z -> in_H (Sigma *m z)) ->
        forall y, in_H y -> back eps (Sigma *m L eps y) = Sigma *m y].
Proof.
move=> e0 isometric; split=> [y||same keeps y yH]; first exact: one_where.
  by split=> [one y yH|same y yH]; apply/(one_where y e0); [apply: one|apply: same].
have one : alpha y = 1 by apply/(one_where y e0)/same.
have pos : 0 < 1 + Delta y / (d%:R * eps) by rewrite /Delta same // subrr mul0r addr0 ltr01.
by have [-> _] := factor e0 keeps yH pos; rewrite one scale1r.
Qed.
End Alpha.

(* ---- one y is not enough: y = (1, 2, -3), Sigma y = (2, 1, -3), z = (1, -1, 0), Sigma z = z/2 -------------------- *)

Section Point.
Variables (F : rcfType) (eps : F).
(* 2 Sigma, and a column *)
Definition doubled : 'M[int]_3 :=
  \matrix_(i, j) nth 0 (nth [::] [:: [:: 2%:Z; 1; 0]; [:: 0; 1; 0]; [:: - 2%:Z; - 2%:Z; 0]] i) j.
Definition column (a b c : int) : 'cV[int]_3 := \col_i nth 0 [:: a; b; c] i.
Definition halved : 'M[F]_3 := 2%:R^-1 *: map_mx intr doubled.
Notation real v := (map_mx intr v : 'cV[F]_3).

Lemma doubled_column a b c : doubled *m column a b c = column (2%:Z * a + b) b (- 2%:Z * a - 2%:Z * b).
Proof.
apply/colP => i; rewrite !mxE !big_ord_recl big_ord0 !mxE.
by case: i => -[|[|[|//]]] ? /=; rewrite !(mul0r, mul1r, add0r, addr0, mulNr).
Qed.
Lemma square_real (v : 'cV[int]_3) : square (real v) = (\sum_i v i 0 ^+ 2)%:~R.
Proof. by rewrite /square rmorph_sum; apply: eq_bigr => i _; rewrite mxE /= !expr2 intrM. Qed.
Lemma in_H_real (v : 'cV[int]_3) : \sum_i v i 0 = 0 -> in_H (real v).
Proof.
move=> z; apply/matrixP => i j; rewrite !mxE !ord1 -[RHS](mulr0z 1) -z rmorph_sum.
by apply: eq_bigr => k _; rewrite !mxE mul1r.
Qed.
Lemma sum_squares a b c : \sum_i column a b c i 0 ^+ 2 = a ^+ 2 + b ^+ 2 + c ^+ 2.
Proof. by rewrite !big_ord_recl big_ord0 !mxE /= addr0 addrA. Qed.
Lemma sum_column a b c : \sum_i column a b c i 0 = a + b + c.
Proof. by rewrite !big_ord_recl big_ord0 !mxE /= addr0 addrA. Qed.
Lemma halved_in_H x : in_H (halved *m x).
Proof.
have z : (ones : 'rV[F]_3) *m map_mx intr doubled = 0.
  apply/matrixP => i j; rewrite !mxE -[RHS](mulr0z 1) (_ : 0 = \sum_k doubled k j); last first.
    by rewrite !big_ord_recl big_ord0 !mxE; case: j => -[|[|[|//]]] ?.
  by rewrite rmorph_sum; apply: eq_bigr => k _; rewrite !mxE mul1r.
by rewrite /in_H /halved mulmxA -scalemxAr z scaler0 mul0mx.
Qed.
Lemma halved_square v : square (halved *m real v) = 4%:R^-1 * square (real (doubled *m v)).
Proof.
by rewrite /halved -scalemxAl -map_mxM squareZ exprVn -natrX.
Qed.

(* Provably: claim=K-R5-alpha part=as-stated-point theorem=one_point quantifiers=this Sigma and these y and z, all real closed fields, eps *)
Theorem one_point : let y := real (column 1 2%:Z (- 3%:Z)) in let z := real (column 1 (- 1) 0) in
  [/\ forall x, in_H (halved *m x), in_H y, square (halved *m y) = square y, alpha eps halved y = 1 &
      in_H z /\ square (halved *m z) <> square z].
Proof.
have four : 4%:R != 0 :> F by rewrite pnatr_eq0.
move=> y z; have same : square (halved *m y) = square y.
  rewrite halved_square doubled_column !square_real !sum_squares.
  by apply: (mulfI four); rewrite mulVKf // -[4%:R]/(4%:~R) -intrM.
split=> //; [exact: halved_in_H|by apply: in_H_real; rewrite sum_column| |].
  by rewrite /alpha /Delta same subrr mul0r addr0 sqrtr1 invr1.
split; first by apply: in_H_real; rewrite sum_column.
rewrite halved_square doubled_column !square_real !sum_squares => /(congr1 ( *%R 4%:R)).
by rewrite mulVKf // -[4%:R]/(4%:~R) -intrM => /eqP; rewrite eqr_int.
Qed.
End Point.

(* ---- without a hypothesis --------------------------------------------------------------------------------------- *)

Section Needed.
Variables (F : rcfType) (d : nat).
Implicit Types (eps : F) (Sigma : 'M[F]_d) (y : 'cV[F]_d).

(* eps = 0, where Coq writes 0 for Delta/0: Sigma = I gives 0 in place of y, and alpha is 1 for Sigma = 0. *)
(* Needed: theorem=factor,isometry hypothesis=eps > 0 lemma=needs_eps *)
Lemma needs_eps y : back 0 (1%:M *m L 0 y) = 0 /\ alpha 0 1%:M y *: (1%:M *m y) = y /\ alpha 0 (0 : 'M_d) y = 1.
Proof.
by rewrite /back /alpha /Delta !mulr0 mul0r sqrtr0 scale0r invr0 !mulr0 addr0 sqrtr1 invr1 scale1r mul1mx.
Qed.
(* Sigma takes L(y) out of H, where all values of L are. *)
(* Needed: theorem=factor hypothesis=Sigma keeps H lemma=needs_plane *)
Lemma needs_plane eps Sigma y : (0 < d)%N -> ~ in_H (Sigma *m L eps y) -> forall f, L eps f <> Sigma *m L eps y.
Proof. by move=> d0 out f e; apply: out; rewrite -e; apply: L_in_H. Qed.
(* 1 + Delta/(d eps) <= 0: Sigma L(y) is as long as sqrt d or longer, and L(f) is shorter for every f. *)
(* Needed: theorem=factor hypothesis=1 + Delta/(d eps) > 0 lemma=needs_room *)
Lemma needs_room eps Sigma y : (0 < d)%N -> 0 < eps -> in_H y -> 1 + Delta Sigma y / (d%:R * eps) <= 0 ->
  forall f, L eps f <> Sigma *m L eps y.
Proof.
move=> d0 e0 yH low; have [r0 _ out] := room Sigma d0 e0 yH; apply: too_long => //.
by rewrite -subr_le0 out pmulr_lle0 ?invr_gt0 // pmulr_rle0 // mulr_gt0 // ltr0n.
Qed.
End Needed.
(* d = 1 and y = 1, which is not in H = {0}: L(y) = 0, so the inverse gives 0 in place of y, Sigma = I. *)
(* Needed: theorem=factor hypothesis=y in H lemma=needs_y_in_H *)
Lemma needs_y_in_H (F : rcfType) (eps : F) : let y : 'cV[F]_1 := 1%:M in
  back eps (1%:M *m L eps y) = 0 /\ alpha eps 1%:M y *: (1%:M *m y) = y.
Proof.
move=> y; have [-> _] := dimension_one eps 1%:M 0 id y; split; first by rewrite /back mulmx0 scaler0.
by rewrite /alpha /Delta mul1mx subrr mul0r addr0 sqrtr1 invr1 scale1r.
Qed.
