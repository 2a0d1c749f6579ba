(* spans.v - one basis for the heads: subspaces of dimension at most d_k, one for each head, that are independent, or
 * mutually orthogonal over a real closed field, lie in the spans of d_k columns each of an invertible, or orthogonal,
 * matrix. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices order semidefinite.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Filling.
Variable F : fieldType.

Lemma rank_one_more d (S : 'M[F]_d) (v : 'rV_d) : ~~ (v <= S)%MS -> \rank (S + v)%MS = (\rank S).+1.
Proof.
move=> out; have v0 : v != 0 by apply: contraNneq out => ->; apply: sub0mx.
have v1 : \rank v = 1%N by rewrite rank_rV v0.
have cap0 : \rank (S :&: v)%MS = 0%N.
  have [le eq] := mxrank_leqif_sup (capmxSr S v); move: le eq; rewrite sub_capmx (negPf out) v1 /=.
  by case: (\rank _) => [|[|]].
by have := mxrank_sum_cap S v; rewrite cap0 addn0 v1 addn1.
Qed.

Variables (h dk : nat).
Notation d := (h * dk)%N.
Implicit Types U : 'I_h -> 'M[F]_d.
(* The row spaces of the U_a are independent: their dimensions add up. *)
Definition independent U := \rank (\sum_a U a)%MS = (\sum_a \rank (U a))%N.

Lemma all_heads : (\sum_(a < h) dk = d)%N.
Proof. by rewrite sum_nat_const card_ord. Qed.

Lemma one_more U : independent U -> (forall a, (\rank (U a) <= dk)%N) -> (\sum_a \rank (U a) < d)%N ->
  exists U', [/\ independent U', forall a, (\rank (U' a) <= dk)%N, forall a, (U a <= U' a)%MS &
                 (\sum_a \rank (U' a) = (\sum_a \rank (U a)).+1)%N].
Proof.
move=> ind small less; have [a low] : exists a, (\rank (U a) < dk)%N.
  apply/existsP; apply: contraTT less => /existsPn full; rewrite -leqNgt.
  apply: (@leq_trans (\sum_(a < h) dk)); first by rewrite all_heads.
  by apply: leq_sum => a _; rewrite leqNgt; apply: full.
pose S := (\sum_a U a)%MS; have /row_subPn [i out] : ~~ (1%:M <= S)%MS.
  by rewrite sub1mx /row_full /S ind neq_ltn less.
set v := row i 1%:M in out; pose U' b := if b == a then (U a + v)%MS else U b.
have outa : ~~ (v <= U a)%MS by apply: contra out => /submx_trans; apply; apply: (sumsmx_sup a).
have ra : \rank (U' a) = (\rank (U a)).+1 by rewrite /U' eqxx rank_one_more.
have rest b : b != a -> U' b = U b by rewrite /U' => /negPf ->.
have sum : (\sum_b \rank (U' b) = (\sum_b \rank (U b)).+1)%N.
  rewrite (bigD1 a) //= [in RHS](bigD1 a) //= ra addSn; congr (_ + _).+1.
  by apply: eq_bigr => b /rest ->.
have both : (\sum_b U' b :=: S + v)%MS.
  apply/eqmxP/andP; split.
    apply/sumsmx_subP => b _; have [->|ba] := eqVneq b a.
      by rewrite /U' eqxx addsmxS // (sumsmx_sup a).
    by rewrite rest // (submx_trans _ (addsmxSl _ _)) // (sumsmx_sup b).
  rewrite addsmx_sub; apply/andP; split; last by rewrite (sumsmx_sup a) // /U' eqxx addsmxSr.
  apply/sumsmx_subP => b _; rewrite (sumsmx_sup b) // /U'.
  by case: eqP => [->|_]; rewrite ?addsmxSl.
exists U'; split=> //; last 1 first.
- by move=> b; rewrite /U'; case: eqP => [->|_]; rewrite ?addsmxSl.
- by rewrite /independent both rank_one_more // ind sum.
by move=> b; have [->|ba] := eqVneq b a; rewrite ?ra // rest.
Qed.

Lemma all_full U : (forall a, (\rank (U a) <= dk)%N) -> (d <= \sum_a \rank (U a))%N -> forall a, \rank (U a) = dk.
Proof.
move=> small more a; apply/eqP; rewrite eqn_leq small /=; move: more; rewrite leqNgt; apply: contraR.
rewrite -ltnNge => low; apply: (@leq_trans (\sum_(a < h) dk)); last by rewrite all_heads.
by rewrite (bigD1 a) //= [X in (_ < X)%N](bigD1 a) //= -addSn leq_add // leq_sum.
Qed.
Lemma filled U : independent U -> (forall a, (\rank (U a) <= dk)%N) ->
  exists U', [/\ independent U', forall a, (U a <= U' a)%MS & forall a, \rank (U' a) = dk].
Proof.
have [k] := ubnP (d - \sum_a \rank (U a)); elim: k U => // k IH U; rewrite ltnS => le ind small.
have [less|more] := ltnP (\sum_a \rank (U a)) d.
  have [U' [ind' small' sub' sum']] := one_more ind small less.
  have [|U2 [ind2 sub2 full2]] := IH U' _ ind' small'.
    by rewrite sum' subnS prednK ?subn_gt0 // (leq_trans _ le) // leq_predL.
  by exists U2; split=> // a; apply: submx_trans (sub' a) (sub2 a).
exists U; split=> // a; exact: all_full small more a.
Qed.

(* A_a = Theta_a C_a for one invertible Theta *)
Lemma common_basis (A : 'I_h -> 'M[F]_d) : independent (fun a => (A a)^T) -> (forall a, (\rank (A a) <= dk)%N) ->
  exists Theta C, Theta \in unitmx /\ forall a, A a = cols Theta a *m C a.
Proof.
move=> ind small; have [a|U [indU sub full]] := filled ind; first by rewrite mxrank_tr.
pose base a : 'M[F]_(dk, d) := castmx (full a, erefl) (row_base (U a)).
have baseE a : (base a :=: U a)%MS := eqmx_trans (eqmx_cast _ _) (eq_row_base _).
pose Theta := hcat (fun a => (base a)^T); exists Theta.
have /fin_all_exists [C CE] : forall a, exists C, A a = cols Theta a *m C.
  move=> a; have : ((A a)^T <= base a)%MS by rewrite baseE.
  case/submxP => D e; exists D^T; by rewrite cols_hcat -trmx_mul -e trmxK.
exists C; split=> //; rewrite -unitmx_tr -row_full_unit /row_full eqn_leq rank_leq_col /=.
apply: (@leq_trans (\rank (\sum_a U a)%MS)).
  by rewrite indU (eq_bigr (fun=> dk)) // all_heads.
apply: mxrankS; apply/sumsmx_subP => a _; rewrite -baseE; apply/row_subP => i.
have -> : row i (base a) = row (in_head a i) Theta^T.
  by apply/rowP => j; rewrite !mxE head_of_in place_of_in.
exact: row_sub.
Qed.
End Filling.

(* ---- orthogonal images ------------------------------------------------------------------------------------------- *)
Section Orthogonal.
Variables (F : rcfType) (h dk : nat).
Notation d := (h * dk)%N.
Implicit Types U : 'I_h -> 'M[F]_d.
(* The row spaces of the U_a are mutually orthogonal. *)
Definition mutually_orthogonal U := forall a b, a != b -> U a *m (U b)^T = 0.

Lemma self_orthogonal p q (A : 'M[F]_(p, q)) : A *m A^T = 0 -> A = 0.
Proof.
move=> /matrixP z; apply/row_matrixP => i; rewrite row0; apply/eqP; rewrite -square_eq0.
have -> : square (row i A) = (A *m A^T) i i by rewrite !mxE; apply: eq_bigr => k _; rewrite !mxE.
by rewrite z mxE.
Qed.
Lemma adds_orthogonal p q r (A : 'M[F]_(p, d)) (v : 'M_(q, d)) (B : 'M_(d, r)) : A *m B = 0 -> v *m B = 0 ->
  (A + v)%MS *m B = 0.
Proof. by move=> /sub_kermxP a /sub_kermxP b; apply/sub_kermxP; rewrite addsmx_sub a b. Qed.

Lemma one_more_orthogonal U : mutually_orthogonal U -> (forall a, (\rank (U a) <= dk)%N) ->
  (\sum_a \rank (U a) < d)%N ->
  exists U', [/\ mutually_orthogonal U', forall a, (\rank (U' a) <= dk)%N, forall a, (U a <= U' a)%MS &
                 (\sum_a \rank (U' a) = (\sum_a \rank (U a)).+1)%N].
Proof.
move=> ort small less; have [a low] : exists a, (\rank (U a) < dk)%N.
  apply/existsP; apply: contraTT less => /existsPn full; rewrite -leqNgt.
  apply: (@leq_trans (\sum_(a < h) dk)); first by rewrite all_heads.
  by apply: leq_sum => a _; rewrite leqNgt; apply: full.
pose S := (\sum_a U a)%MS; have notfull : (\rank S < d)%N.
  apply: leq_ltn_trans less; rewrite /S; elim/big_rec2: _ => [|b B k _ le]; first by rewrite mxrank0.
  by have [le1 _] := mxrank_adds_leqif (U b) B; apply: leq_trans le1 _; rewrite leq_add2l.
have [v v0 vS] : exists2 v : 'rV[F]_d, v != 0 & forall b, U b *m v^T = 0.
  have : kermx S^T != 0 by rewrite -mxrank_eq0 mxrank_ker mxrank_tr subn_eq0 -ltnNge.
  case/rowV0Pn => v /sub_kermxP vS v0; exists v => // b; apply/trmx_inj; rewrite trmx_mul trmxK trmx0.
  have /submxP [D ->] : (U b <= S)%MS by apply: (sumsmx_sup b).
  by rewrite trmx_mul mulmxA vS mul0mx.
have Sv b : v *m (U b)^T = 0 by apply/trmx_inj; rewrite trmx_mul trmxK trmx0.
have out : ~~ (v <= U a)%MS.
  apply: contra v0 => /submxP [D e]; apply/eqP/self_orthogonal; by rewrite {1}e -mulmxA vS mulmx0.
pose U' b := if b == a then (U a + v)%MS else U b.
have ra : \rank (U' a) = (\rank (U a)).+1 by rewrite /U' eqxx rank_one_more.
have rest b : b != a -> U' b = U b by rewrite /U' => /negPf ->.
exists U'; split.
- move=> b c bc; rewrite /U'; have [ba|_] := eqVneq b a; have [ca|_] := eqVneq c a.
  + by rewrite ba ca eqxx in bc.
  + by apply: adds_orthogonal; rewrite ?Sv // ort // -ba.
  + by apply/trmx_inj; rewrite trmx_mul trmxK trmx0; apply: adds_orthogonal; rewrite ?Sv // ort // eq_sym -ca.
  exact: ort.
- by move=> b; have [->|ba] := eqVneq b a; rewrite ?ra // rest.
- by move=> b; rewrite /U'; case: eqP => [->|_]; rewrite ?addsmxSl.
rewrite (bigD1 a) //= [in RHS](bigD1 a) //= ra addSn; congr (_ + _).+1.
by apply: eq_bigr => b /rest ->.
Qed.

Lemma filled_orthogonal U : mutually_orthogonal U -> (forall a, (\rank (U a) <= dk)%N) ->
  exists U', [/\ mutually_orthogonal U', forall a, (U a <= U' a)%MS & forall a, \rank (U' a) = dk].
Proof.
have [k] := ubnP (d - \sum_a \rank (U a)); elim: k U => // k IH U; rewrite ltnS => le ort small.
have [less|more] := ltnP (\sum_a \rank (U a)) d.
  have [U' [ort' small' sub' sum']] := one_more_orthogonal ort small less.
  have [|U2 [ort2 sub2 full2]] := IH U' _ ort' small'.
    by rewrite sum' subnS prednK ?subn_gt0 // (leq_trans _ le) // leq_predL.
  by exists U2; split=> // a; apply: submx_trans (sub' a) (sub2 a).
exists U; split=> // a; exact: all_full small more a.
Qed.

(* A = T B with orthonormal rows B *)
Lemma orthonormal_rows p q (A : 'M[F]_(p, q)) : \rank A = p ->
  exists2 T : 'M[F]_p, T \in unitmx & (invmx T *m A) *m (invmx T *m A)^T = 1%:M.
Proof.
move=> full; have [T [_ _ e]] := cholesky (gram_semidefinite A).
have u : T \in unitmx.
  rewrite -row_free_unit -kermx_eq0; apply/eqP/row_matrixP => i; rewrite row0; set v := row i _.
  have z : v *m T = 0 by apply/sub_kermxP/row_sub.
  have : v *m A = 0 by apply: self_orthogonal; rewrite trmx_mul mulmxA -(mulmxA v) e !mulmxA z !mul0mx.
  have free : row_free A by rewrite /row_free full.
  by move=> vA; apply: (row_free_inj free); rewrite vA mul0mx.
exists T => //; rewrite trmx_mul mulmxA -(mulmxA (invmx T)) e mulKmx // -trmx_mul mulVmx //.
by rewrite trmx1.
Qed.

Lemma orthogonal_basis (A : 'I_h -> 'M[F]_d) : (forall a b, a != b -> (A a)^T *m A b = 0) ->
  (forall a, (\rank (A a) <= dk)%N) ->
  exists (Omega : 'M[F]_d) C, Omega *m Omega^T = 1%:M /\ forall a, A a = cols Omega a *m C a.
Proof.
move=> ort small; have [a b ab|a|U [ortU sub full]] := @filled_orthogonal (fun a => (A a)^T).
- by rewrite trmxK ort.
- by rewrite mxrank_tr.
pose base a : 'M[F]_(dk, d) := castmx (full a, erefl) (row_base (U a)).
have baseE a : (base a :=: U a)%MS := eqmx_trans (eqmx_cast _ _) (eq_row_base _).
have /fin_all_exists2 [T uT one] : forall a, exists2 T : 'M[F]_dk, T \in unitmx &
    (invmx T *m base a) *m (invmx T *m base a)^T = 1%:M.
  by move=> a; apply: orthonormal_rows; rewrite baseE full.
pose rows_ a := invmx (T a) *m base a; pose Omega := hcat (fun a => (rows_ a)^T).
have ortb a b : a != b -> rows_ a *m (rows_ b)^T = 0.
  move=> ab; have [Da ea] : exists D, rows_ a = D *m U a.
    by apply/submxP; rewrite -baseE submxMl.
  have [Db eb] : exists D, rows_ b = D *m U b.
    by apply/submxP; rewrite -baseE submxMl.
  by rewrite ea eb trmx_mul mulmxA -(mulmxA Da) ortU // mulmx0 mul0mx.
have left : Omega^T *m Omega = 1%:M.
  apply: cols_inj => b; rewrite cols_mul cols_hcat; apply/matrixP => k j.
  have -> : (Omega^T *m (rows_ b)^T) k j = (rows_ (head_of k) *m (rows_ b)^T) (place_of k) j.
    by rewrite !mxE; apply: eq_bigr => l _; rewrite !mxE.
  rewrite [RHS]mxE; have [e|ne] := eqVneq (head_of k) b.
    by rewrite /rows_ e one !mxE eq_column head_of_in place_of_in e eqxx.
  by rewrite ortb // !mxE eq_column head_of_in (negPf ne).
have right : Omega *m Omega^T = 1%:M by apply: mulmx1C.
have /fin_all_exists [C CE] : forall a, exists C, A a = cols Omega a *m C.
  move=> a; have : ((A a)^T <= base a)%MS by rewrite baseE.
  case/submxP => D e; exists (D *m T a)^T.
  by rewrite cols_hcat -trmx_mul /rows_ -mulmxA mulKVmx // -e trmxK.
by exists Omega, C.
Qed.
End Orthogonal.
