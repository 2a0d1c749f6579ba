(* b_25.v - B-25, symmetric scores have N(N+1)/2 parameters: b_25.c for every N.
 *
 * The paper (002, Section 5): "With both methods, the number of parameters is N(N+1)/2 instead of N^2, or even 2N^2 of
 * the original version without collapsing W^Q and W^K."  The methods: a mirrored matrix, and T T', T lower triangular.
 *
 * The derivatives of W W', of T T' and of the mirrored matrix have symmetric values, and reach all symmetric S where W
 * and T are invertible: S = D W' + W D' with D = S W'^-1 / 2, or with D = T K, where K is the lower triangle of
 * T^-1 S T'^-1 with half of its diagonal.  Symmetric matrices have N(N+1)/2 dimensions. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import order tangents.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(* d(W W') = D W' + W D' *)
Definition gram (R : comRingType) N (W D : 'M[R]_N) : 'M_N := D *m W^T + W *m D^T.
(* Provably: claim=B-25 part=as-stated-null theorem=null quantifiers=all commutative rings, N, W, skew A *)
Theorem null (R : comRingType) N (W A : 'M[R]_N) : A^T = - A -> gram W (W *m A) = 0.
Proof. by move=> skew; rewrite /gram trmx_mul skew mulNmx mulmxN mulmxA subrr. Qed.

(* the places on and below the diagonal *)
Definition lower N := {p : 'I_N * 'I_N | (p.2 <= p.1)%N}.
Lemma card_lower N : #|{: lower N}| = ((N * N.+1) %/ 2)%N.
Proof.
have := cardC [pred p : 'I_N * 'I_N | (p.1 < p.2)%N]; rewrite card_prod card_ord.
have -> : #|[predC [pred p : 'I_N * 'I_N | (p.1 < p.2)%N]]| = #|{: lower N}|.
  by rewrite card_sig; apply: eq_card => p; rewrite !inE -leqNgt.
have -> : #|[pred p : 'I_N * 'I_N | (p.1 < p.2)%N]| = #|{: ordered N}|.
  by rewrite card_sig; apply: eq_card => p; rewrite !inE.
move/(congr1 (muln 2)); rewrite mulnDr card_pairs => e.
have -> : (N * N.+1 = 2 * #|{: lower N}|)%N.
  apply/eqP; rewrite -(eqn_add2l (N * N.-1)) e -mulnDr; case: (N) => // l /=.
  by rewrite addnS -addSn addnn -mul2n mulnCA.
by rewrite mulKn.
Qed.

Section Ranks.
Variables (F : realFieldType) (N : nat).
Implicit Types S D T : 'M[F]_N.
Notation outputs := (('I_N * 'I_N)%type).
Definition entry S (y : outputs) : F := S y.1 y.2.

(* The entries of a matrix at the places `at_` are the parameters, the others are 0. *)
Section Places.
Variables (I : finType) (at_ : I -> 'I_N * 'I_N).
Definition unit i : 'M[F]_N := delta_mx (at_ i).1 (at_ i).2.
Definition matrix_of (w : I -> F) : 'M_N := \sum_i w i *: unit i.
Definition square_of (w : I -> F) (y : outputs) : F := entry (matrix_of w *m (matrix_of w)^T) y.
End Places.
(* w_ij at (i, j) and at (j, i) *)
Definition mirror T : 'M[F]_N := \matrix_(i, j) (if (j <= i)%N then T i j else T j i).
Definition mirrored (w : lower N -> F) (y : outputs) : F := entry (mirror (matrix_of val w)) y.
(* The rank of f at w is that of its derivative there (tangents.v): never above r, and r at the w that are `regular`. *)
Definition has_rank (I : finType) (f : (I -> F) -> outputs -> F) (w : I -> F) r (regular : bool) :=
  exists J, [/\ jacobian f w J, (\rank (jacobian_matrix J) <= r)%N & regular -> \rank (jacobian_matrix J) = r].

(* ---- ranks ------------------------------------------------------------------------------------------------------- *)

Definition vec S : 'rV[F]_#|{: outputs}| := \row_y entry S (enum_val y).
Definition values_of (I : finType) (D : I -> 'M[F]_N) := jacobian_matrix (fun i y => entry (D i) y).
Lemma row_values (I : finType) (D : I -> 'M[F]_N) i : row i (values_of D) = vec (D (enum_val i)).
Proof. by apply/rowP => y; rewrite !mxE. Qed.
Lemma combination (I : finType) (D : I -> 'M[F]_N) (c : I -> F) : (vec (\sum_i c i *: D i) <= values_of D)%MS.
Proof.
apply/submxP; exists (\row_i c (enum_val i)); apply/rowP => y; rewrite !mxE /entry summxE.
rewrite (big_enum_val (fun i => (c i *: D i) (enum_val y).1 (enum_val y).2)).
by apply: eq_bigr => i _; rewrite !mxE.
Qed.

Lemma mirror_tr T : (mirror T)^T = mirror T.
Proof.
by apply/matrixP => i j; rewrite !mxE; case: ltngtP => // /val_inj ->.
Qed.
Lemma mirror_units (c : lower N -> F) (i j : 'I_N) (ij : (j <= i)%N) :
  (\sum_p c p *: mirror (unit val p)) i j = c (exist _ (i, j) ij).
Proof.
rewrite summxE (bigD1 (exist _ (i, j) ij)) //= big1 => [|p ne]; first by rewrite !mxE ij !eqxx mulr1 addr0.
rewrite !mxE ij; have [e|_] := eqVneq i (val p).1; last by rewrite mulr0.
have [f|_] := eqVneq j (val p).2; last by rewrite mulr0.
by case/eqP: ne; apply: val_inj; case: (p) e f => -[a b] ab /= -> ->.
Qed.
Lemma symmetric_is_mirror S : S^T = S -> S = \sum_(p : lower N) S (val p).1 (val p).2 *: mirror (unit val p).
Proof.
move=> sym; apply/matrixP => i j; have [ij|/ltnW ji] := leqP j i; first by rewrite (mirror_units _ ij).
have both (A : 'M[F]_N) : A^T = A -> A i j = A j i by move=> {1}<-; rewrite mxE.
rewrite both // [RHS]both ?(mirror_units _ ji) // linear_sum /=.
by apply: eq_bigr => p _; rewrite linearZ /= mirror_tr.
Qed.

Notation units := (fun p : lower N => mirror (unit val p)).
Lemma below_units (I : finType) (D : I -> 'M[F]_N) : (forall i, (D i)^T = D i) -> (values_of D <= values_of units)%MS.
Proof.
by move=> sym; apply/row_subP => i; rewrite row_values (symmetric_is_mirror (sym _)) combination.
Qed.
Lemma rank_units : \rank (values_of units) = ((N * N.+1) %/ 2)%N.
Proof.
rewrite -card_lower; pose U (p : lower N) := mirror (unit val p).
apply/eqP; rewrite -[_ == _]/(row_free _) -kermx_eq0; apply/rowV0P => v /sub_kermxP z; apply/rowP => k.
pose c p := v 0 (enum_rank p); have zero : \sum_p c p *: U p = 0.
  apply/matrixP => i j; have /rowP /(_ (enum_rank (i, j))) := z; rewrite !mxE summxE => e; rewrite -[RHS]e.
  rewrite (big_enum_val (fun p => (c p *: U p) i j)); apply: eq_bigr => p _.
  by rewrite mxE /c enum_valK [in RHS]mxE /entry enum_rankK.
rewrite -[k]enum_valK -/(c _); case: (enum_val k) => -[i j] ij; have := mirror_units c ij.
by rewrite -/(U _) zero !mxE => <-.
Qed.
(* Symmetric values; where all symmetric matrices are combinations of them, the rank is N(N+1)/2. *)
Lemma rank_of (I : finType) (D : I -> 'M[F]_N) (regular : bool) : (forall i, (D i)^T = D i) ->
  (regular -> forall S, S^T = S -> exists c, S = \sum_i c i *: D i) ->
  (\rank (values_of D) <= (N * N.+1) %/ 2)%N /\ (regular -> \rank (values_of D) = ((N * N.+1) %/ 2)%N).
Proof.
move=> sym all_; rewrite -rank_units; split=> [|r]; first exact: mxrankS (below_units sym).
apply: eqmx_rank; rewrite below_units //; apply/row_subP => i; rewrite row_values.
by have [c ->] := all_ r (mirror (unit val (enum_val i))) (mirror_tr _); apply: combination.
Qed.

(* ---- derivatives ------------------------------------------------------------------------------------------------- *)

Section Derivatives.
Variables (I : finType) (at_ : I -> 'I_N * 'I_N).
Implicit Types w v : I -> F.
Lemma total_unit i : total (unit at_ i) = 1.
Proof.
rewrite /total (bigD1 (at_ i).1) //= (bigD1 (at_ i).2) //= !big1 ?addr0 => [|a /negPf na|b /negPf nb].
- by rewrite mxE !eqxx normr1.
- by apply: big1 => b _; rewrite mxE na normr0.
by rewrite mxE nb andbF normr0.
Qed.
Lemma total_matrix v : total (matrix_of at_ v) <= norm1 v.
Proof.
rewrite /matrix_of /norm1; elim/big_rec2: _ => [|i S x _ le].
  by rewrite -(scale0r (0 : 'M[F]_N)) total_scale normr0 mul0r.
apply: le_trans (total_add _ _) _; rewrite total_scale total_unit mulr1.
by apply: ler_add.
Qed.
Lemma entry_total D y : `|entry D y| <= total D.
Proof.
rewrite /total (bigD1 y.1) //= (bigD1 y.2) //= -addrA ler_addl addr_ge0 ?sumr_ge0 // => i _.
exact: sumr_ge0.
Qed.
Lemma matrix_moved w v : matrix_of at_ (moved w v) = matrix_of at_ w + matrix_of at_ v.
Proof. by rewrite /matrix_of -big_split; apply: eq_bigr => i _; rewrite /= -scalerDl. Qed.
Definition gram_of w (i : I) : 'M[F]_N := gram (matrix_of at_ w) (unit at_ i).
Lemma gram_combination W v : gram W (matrix_of at_ v) = \sum_i v i *: gram W (unit at_ i).
Proof.
rewrite /gram /matrix_of mulmx_suml linear_sum /= mulmx_sumr -big_split; apply: eq_bigr => i _ /=.
by rewrite linearZ /= -scalemxAl -scalemxAr scalerDr.
Qed.
Lemma jacobian_square w : jacobian (square_of at_) w (fun i y => entry (gram_of w i) y).
Proof.
move=> y e e0; exists e => // v small; set W := matrix_of at_ w; set D := matrix_of at_ v.
have -> : along v (fun i y => entry (gram_of w i) y) y = entry (gram W D) y.
  by rewrite /along gram_combination /entry summxE; apply: eq_bigr => i _; rewrite [in RHS]mxE.
have -> : square_of at_ (moved w v) y - square_of at_ w y - entry (gram W D) y = entry (D *m D^T) y.
  apply/eqP; rewrite !subr_eq; apply/eqP; rewrite /square_of matrix_moved -/W -/D linearD /= mulmxDl !mulmxDr.
  have sum (A B : 'M[F]_N) i j : (A + B) i j = A i j + B i j by rewrite mxE.
  rewrite /gram /entry -!sum; congr (fun_of_matrix _ _ _).
  by rewrite [RHS]addrC [X in _ = _ + X]addrC [D *m W^T + W *m D^T]addrC !addrA.
apply: le_trans (entry_total _ _) _; apply: le_trans (total_mul _ _) _; rewrite total_tr.
apply: ler_pmul (total_ge0 _) (total_ge0 _) _ (total_matrix v).
exact: le_trans (total_matrix v) (ltW small).
Qed.

(* The rank is N(N+1)/2 where each symmetric S is D W' + W D' for some D with entries at these places. *)
Lemma rank_square w (regular : bool) :
  (regular -> forall S, S^T = S -> exists v, S = gram (matrix_of at_ w) (matrix_of at_ v)) ->
  has_rank (square_of at_) w ((N * N.+1) %/ 2) regular.
Proof.
move=> all_; exists (fun i y => entry (gram_of w i) y); have := jacobian_square w.
have [|r S sym|] := @rank_of _ (gram_of w) regular; last by split.
  by move=> i; rewrite /gram_of /gram linearD /= !trmx_mul !trmxK addrC.
by have [v ->] := all_ r S sym; exists v; apply: gram_combination.
Qed.
End Derivatives.

Lemma two_neq0 : 2%:R != 0 :> F. Proof. by rewrite pnatr_eq0. Qed.
Lemma halves S : S = 2%:R^-1 *: S + 2%:R^-1 *: S.
Proof. by rewrite -scalerDl -mulr2n -[_ *+ 2]mulr_natl mulfV ?two_neq0 // scale1r. Qed.
Lemma any_matrix S : matrix_of id (fun y => entry S y) = S.
Proof. by rewrite [RHS]matrix_sum_delta pair_bigA; apply: eq_bigr => -[]. Qed.
Lemma lower_matrix T : (forall i j : 'I_N, (i < j)%N -> T i j = 0) ->
  matrix_of val (fun p : lower N => entry T (val p)) = T.
Proof.
move=> low; apply/matrixP => i j; rewrite summxE; have [ij|ji] := leqP j i; last first.
  rewrite low // big1 // => -[[a b] ab] _; rewrite !mxE /=; case: eqP => [ia|_]; last by rewrite mulr0.
  by case: eqP => [jb|_]; [move: ji; rewrite ia jb ltnNge ab|rewrite mulr0].
rewrite (bigD1 (exist _ (i, j) ij)) //= big1 => [|p ne]; first by rewrite !mxE !eqxx mulr1 addr0.
rewrite !mxE; have [e|_] := eqVneq i (val p).1; last by rewrite mulr0.
have [f|_] := eqVneq j (val p).2; last by rewrite mulr0.
by case/eqP: ne; apply: val_inj; case: (p) e f => -[a b] ab /= -> ->.
Qed.
Lemma matrix_lower (w : lower N -> F) (i j : 'I_N) : (i < j)%N -> matrix_of val w i j = 0.
Proof.
move=> ij; rewrite summxE big1 // => -[[a b] ab] _; rewrite !mxE /=; case: eqP => [ia|_]; last by rewrite mulr0.
by case: eqP => [jb|_]; [move: ij; rewrite ia jb ltnNge ab|rewrite mulr0].
Qed.

Lemma mirrored_sum w y : mirrored w y = \sum_p w p * entry (mirror (unit val p)) y.
Proof.
by rewrite /mirrored /entry mxE; case: ifP => le; rewrite summxE; apply: eq_bigr => p _; rewrite !mxE le.
Qed.

(* W is any N x N matrix, T any lower triangular one; regular are the invertible ones, which are almost all. *)
(* Provably: claim=B-25 part=as-stated theorem=as_stated quantifiers=all ordered fields, N, W, lower triangular T; no rank is larger, and invertible W and T have it *)
Theorem as_stated : let count := ((N * N.+1) %/ 2)%N in
  [/\ forall w : outputs -> F, has_rank (square_of id) w count (matrix_of id w \in unitmx),
      forall w : lower N -> F, has_rank (square_of val) w count (matrix_of val w \in unitmx),
      forall w : lower N -> F, has_rank mirrored w count true &
      #|{: lower N}| = count].
Proof.
split=> [w|w|w|]; last exact: card_lower.
- apply: rank_square => u S sym; exists (entry (2%:R^-1 *: S *m invmx (matrix_of id w)^T)); rewrite any_matrix.
  have u' : (matrix_of id w)^T \in unitmx by rewrite unitmx_tr.
  by rewrite /gram mulmxKV // trmx_mul trmx_inv trmxK mulKVmx // linearZ /= sym -halves.
- apply: rank_square => u S sym; set T := matrix_of val w in u *.
  pose X := invmx T *m S *m (invmx T)^T; have symX : X^T = X by rewrite /X !trmx_mul trmxK sym mulmxA.
  have eS : S = T *m X *m T^T by rewrite /X -!mulmxA -trmx_mul mulmxV // trmx1 mulmx1 mulKVmx.
  clearbody X; pose K : 'M[F]_N := \matrix_(i, j) (if (j < i)%N then X i j else if i == j then 2%:R^-1 * X i j else 0).
  have eX : X = K + K^T.
    apply/matrixP => i j; rewrite !mxE [j == i]eq_sym; case: ltngtP => [ij|ji|/val_inj ->].
    + by rewrite -val_eqE gtn_eqF // addr0.
    + by rewrite -val_eqE ltn_eqF // add0r -[in LHS]symX mxE.
    by rewrite eqxx -mulrDl -mulr2n -[_ *+ 2]mulr_natl mulfV ?two_neq0 // mul1r.
  exists (fun p => entry (T *m K) (val p)); rewrite lower_matrix => [|i j ij].
    by rewrite /gram trmx_mul [T *m (_ *m _)]mulmxA -mulmxDl -mulmxDr -eX.
  rewrite mxE big1 // => k _; have [ik|ki] := ltnP i k; first by rewrite matrix_lower // mul0r.
  by rewrite !mxE ltnNge (leq_trans ki (ltnW ij)) /= -val_eqE ltn_eqF ?mulr0 // (leq_ltn_trans ki).
exists (fun p y => entry (mirror (unit val p)) y).
have dJ : jacobian mirrored w (fun p y => entry (mirror (unit val p)) y).
  move=> y e e0; exists 1 => [|v _]; first exact: ltr01.
  rewrite /along !mirrored_sum -sumrB -sumrB big1 ?normr0 => [|p _]; first by rewrite mulr_ge0 ?norm1_ge0 ?ltW.
  by rewrite /moved mulrDl addrAC addrK subrr.
by split=> // [|_]; have e := rank_units; rewrite /values_of in e; rewrite e.
Qed.

(* ---- without a hypothesis ---------------------------------------------------------------------------------------- *)

(* W = 0 or T = 0: the derivative of W W' is 0, and so is its rank. *)
(* Needed: theorem=as_stated hypothesis=W or T invertible lemma=needs_invertible *)
Lemma needs_invertible (I : finType) (at_ : I -> 'I_N * 'I_N) :
  exists2 J, jacobian (square_of at_) (fun=> 0) J & \rank (jacobian_matrix J) = 0%N.
Proof.
exists (fun i y => entry (gram_of at_ (fun=> 0) i) y); first exact: jacobian_square.
have zero : matrix_of at_ (fun=> 0) = 0 by rewrite /matrix_of big1 // => i _; rewrite scale0r.
apply/eqP; rewrite mxrank_eq0; apply/eqP/matrixP => i y.
by rewrite mxE /gram_of /gram zero trmx0 mulmx0 mul0mx addr0 /entry !mxE.
Qed.
End Ranks.
(* A = 1 is not skew: with W = 1 the derivative is 2. *)
(* Needed: theorem=null hypothesis=A skew lemma=needs_skew *)
Lemma needs_skew : gram (1%:M : 'M[rat]_1) (1%:M *m 1%:M) 0 0 = 2%:R.
Proof. by rewrite /gram !(mulmx1, mul1mx, trmx1) !mxE. Qed.
