(* b_8.v - B-8: the polynomial order of a stack of S attention layers without softmax is 3^S, not 3S.
 *
 * The paper (002, Section 2): "So, a stack of S transformers is a chain of S at least cubic functions of the input,
 * resulting in a function of polynomial order of at least 3S."  One head, the masked scores in place of their softmax:
 *     Z(X) = s(X) X O,   s(X) = X M X' where row i sees row j, else 0,   M = W_Q W_K', O = W_V W_O.
 * Degrees multiply: along the ray c X a stack without skips is c^(3^S) times itself, with skips a polynomial in c whose
 * highest part is that of the stack without and whose lowest is X c. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads generic.
From Theorems Require Import k_p4_1 b_7.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Stack.
Variables (R : comRingType) (n d : nat) (v : 'I_n -> 'I_n -> bool).
Implicit Types (M O : 'M[R]_d) (X : 'M[R]_(n, d)) (Ws : seq ('M[R]_d * 'M[R]_d)).

Definition masked (S : 'M[R]_n) : 'M_n := \matrix_(i, j) (if v i j then S i j else 0).
Definition seen M O X : 'M_(n, d) := masked (X *m M *m X^T) *m X *m O.
(* S layers, each its M and O: without skips, and with *)
Definition stack Ws X := foldl (fun X W => seen W.1 W.2 X) X Ws.
Definition stack_skips Ws X := foldl (fun X W => X + seen W.1 W.2 X) X Ws.

Lemma maskedZ c S : masked (c *: S) = c *: masked S.
Proof. by apply/matrixP => i j; rewrite !mxE; case: ifP => //; rewrite mulr0. Qed.
Lemma seenZ M O c X : seen M O (c *: X) = c ^+ 3 *: seen M O X.
Proof.
rewrite /seen; have -> : c *: X *m M *m (c *: X)^T = c ^+ 2 *: (X *m M *m X^T).
  by rewrite linearZ /= -scalemxAr -!scalemxAl scalerA.
by rewrite maskedZ -scalemxAr -!scalemxAl scalerA -exprS.
Qed.
Theorem stackZ Ws c X : stack Ws (c *: X) = c ^+ (3 ^ size Ws) *: stack Ws X.
Proof. by elim: Ws c X => [|W r IH] c X /=; rewrite ?expr1 // seenZ IH -exprM expnS. Qed.
End Stack.

(* ---- with skips: the ray c X as polynomials in c ----------------------------------------------------------------- *)
Section Ray.
Variables (R : comRingType) (n d : nat) (v : 'I_n -> 'I_n -> bool).

(* coefficient k of each entry; every entry has degree at most D *)
Definition coefs k p q (P : 'M[{poly R}]_(p, q)) : 'M[R]_(p, q) := map_mx (fun f : {poly R} => f`_k) P.
Definition degree_at_most D p q (P : 'M[{poly R}]_(p, q)) := forall i j, (size (P i j) <= D.+1)%N.

Lemma top_coef (f g : {poly R}) a b : (size f <= a.+1)%N -> (size g <= b.+1)%N -> (f * g)`_(a + b) = f`_a * g`_b.
Proof.
move=> sf sg; have le : (a < (a + b).+1)%N by rewrite ltnS leq_addr.
rewrite coefM (bigD1 (Ordinal le)) //= addKn big1 ?addr0 // => i ne.
case: (ltngtP i a) => [lt|gt|e]; last by case/eqP: ne; apply: val_inj.
  by rewrite [g`_ _]nth_default ?mulr0 // (leq_trans sg) // ltn_subRL ltn_add2r.
by rewrite nth_default ?mul0r // (leq_trans sf).
Qed.
Lemma top_mul a b p q r (A : 'M_(p, q)) (B : 'M_(q, r)) : degree_at_most a A -> degree_at_most b B ->
  degree_at_most (a + b) (A *m B) /\ coefs (a + b) (A *m B) = coefs a A *m coefs b B.
Proof.
move=> sA sB; split=> [i j|].
  rewrite mxE; elim/big_ind: _ => [|f g sf sg|k _]; first by rewrite size_poly0.
    by rewrite (leq_trans (size_add _ _)) // geq_max sf.
  rewrite (leq_trans (size_mul_leq _ _)) // -subn1 leq_subLR add1n.
  by apply: leq_trans (leq_add (sA i k) (sB k j)) _; rewrite addSn addnS.
apply/matrixP => i j; rewrite !mxE coef_sum; apply: eq_bigr => k _; by rewrite top_coef // !mxE.
Qed.
Lemma low_mul p q r (A : 'M_(p, q)) (B : 'M_(q, r)) : coefs 0 A = 0 ->
  coefs 0 (A *m B) = 0 /\ coefs 1 (A *m B) = coefs 1 A *m coefs 0 B.
Proof.
move=> A0; have a0 i k : (A i k)`_0 = 0 by have /matrixP/(_ i k) := A0; rewrite !mxE.
split; apply/matrixP => i j; rewrite !mxE coef_sum; first by rewrite big1 // => k _; rewrite coefM big_ord1 a0 mul0r.
by apply: eq_bigr => k _; rewrite coefM big_ord_recl big_ord1 /= a0 mul0r add0r !mxE.
Qed.
Lemma coefsD k p q (A B : 'M_(p, q)) : coefs k (A + B) = coefs k A + coefs k B.
Proof. by apply/matrixP => i j; rewrite !mxE coefD. Qed.
Lemma coefs_tr k p q (A : 'M_(p, q)) : coefs k A^T = (coefs k A)^T.
Proof. by apply/matrixP => i j; rewrite !mxE. Qed.
Lemma coefs_masked k (A : 'M_n) : coefs k (masked v A) = masked v (coefs k A).
Proof. by apply/matrixP => i j; rewrite !mxE; case: ifP => // _; rewrite coef0. Qed.
Lemma constant p q (A : 'M[R]_(p, q)) : degree_at_most 0 (map_mx polyC A) /\ coefs 0 (map_mx polyC A) = A.
Proof. by split=> [i j|]; [rewrite mxE size_polyC_leq1|apply/matrixP => i j; rewrite !mxE coefC]. Qed.

(* a layer: degree 3 D, its highest part is the layer of the highest part; nothing of degree 0 or 1 *)
Lemma seen_parts D (M O : 'M[R]_d) (P : 'M_(n, d)) : degree_at_most D P ->
  let Q := seen v (map_mx polyC M) (map_mx polyC O) P in
  [/\ degree_at_most (3 * D) Q, coefs (3 * D) Q = seen v M O (coefs D P) &
      coefs 0 P = 0 -> coefs 0 Q = 0 /\ coefs 1 Q = 0].
Proof.
move=> sP Q; have [sM cM] := constant M; have [sO cO] := constant O.
have sPt : degree_at_most D P^T by move=> i j; rewrite mxE.
have [s1 c1] := top_mul sP sM; have [s2 c2] := top_mul s1 sPt.
have s3 : degree_at_most (D + 0 + D) (masked v (P *m map_mx polyC M *m P^T)).
  by move=> i j; rewrite mxE; case: ifP => // _; rewrite size_poly0.
have [s4 c4] := top_mul s3 sP; have [s5 c5] := top_mul s4 sO.
have e : (D + 0 + D + D + 0 = 3 * D)%N by rewrite !addn0 !mulSn mul0n addn0 addnA.
rewrite -e; split=> // [|P0]; first by rewrite c5 cO c4 coefs_masked c2 c1 cM coefs_tr.
have [l1 l1'] := low_mul (map_mx polyC M) P0; have [l2 l2'] := low_mul P^T l1.
have m0 : coefs 0 (masked v (P *m map_mx polyC M *m P^T)) = 0.
  by rewrite coefs_masked l2; apply/matrixP => i j; rewrite !mxE if_same.
have [l3 l3'] := low_mul P m0; have [l4 l4'] := low_mul (map_mx polyC O) l3.
by split=> //; rewrite /Q /seen l4' l3' P0 mulmx0 mul0mx.
Qed.

Definition constants (Ws : seq ('M[R]_d * 'M[R]_d)) := [seq (map_mx polyC W.1, map_mx polyC W.2) | W <- Ws].
Definition on_ray Ws (X : 'M[R]_(n, d)) := stack_skips v (constants Ws) ('X *: map_mx polyC X).

(* The entries of on_ray are those of the stack on c X, as polynomials in c. *)
Theorem on_ray_at Ws X c : map_mx (horner_eval c) (on_ray Ws X) = stack_skips v Ws (c *: X).
Proof.
have value p q (A : 'M[R]_(p, q)) : map_mx (horner_eval c) (map_mx polyC A) = A.
  by apply/matrixP => i j; rewrite !mxE /horner_eval hornerC.
rewrite /on_ray; have : map_mx (horner_eval c) ('X *: map_mx polyC X) = c *: X.
  by apply/matrixP => i j; rewrite !mxE /horner_eval hornerM hornerX hornerC.
elim: Ws ('X *: _) (c *: X) => //= W r IH P Y e; apply: IH; rewrite map_mxD e; congr (_ + _).
rewrite /seen !map_mxM !value; congr (_ *m _ *m _); last exact: e.
have -> : map_mx (horner_eval c) (masked v (P *m map_mx polyC W.1 *m P^T)) =
    masked v (map_mx (horner_eval c) (P *m map_mx polyC W.1 *m P^T)).
  by apply/matrixP => i j; rewrite !mxE; case: ifP => // _; rewrite /horner_eval horner0.
by rewrite !map_mxM value -map_trmx e.
Qed.
(* Degree at most 3^S; the highest part is the stack without skips, the lowest is X c. *)
Theorem on_ray_parts Ws X : [/\ degree_at_most (3 ^ size Ws) (on_ray Ws X),
  coefs (3 ^ size Ws) (on_ray Ws X) = stack v Ws X, coefs 0 (on_ray Ws X) = 0 & coefs 1 (on_ray Ws X) = X].
Proof.
rewrite /on_ray; pose P0 := 'X *: map_mx polyC X.
have start k i j : (P0 i j)`_k = if k == 1%N then X i j else 0.
  by rewrite !mxE coefXM coefC; case: k => [|[|k]].
suff parts D (P : 'M_(n, d)) Y : (0 < D)%N -> degree_at_most D P -> coefs D P = Y -> coefs 0 P = 0 -> coefs 1 P = X ->
    let Q := stack_skips v (constants Ws) P in [/\ degree_at_most (D * 3 ^ size Ws) Q,
      coefs (D * 3 ^ size Ws) Q = stack v Ws Y, coefs 0 Q = 0 & coefs 1 Q = X].
  have := parts 1%N P0 X isT; rewrite mul1n; apply.
  - by move=> i j; apply/leq_sizeP => k; rewrite start; case: k => [|[|k]].
  - by apply/matrixP => i j; rewrite mxE start.
  - by apply/matrixP => i j; rewrite mxE start mxE.
  - by apply/matrixP => i j; rewrite mxE start.
elim: Ws D P Y {P0 start} => [|W r IH] D P Y D0 sP cP P0 P1 /=; first by rewrite muln1.
have [sQ cQ low] := seen_parts W.1 W.2 sP; have [Q0 Q1] := low P0.
have lt : (D < 3 * D)%N by rewrite -[X in (X < _)%N]mul1n ltn_mul2r D0.
rewrite expnS mulnA [(D * 3)%N]mulnC; apply: IH; rewrite ?coefsD ?Q0 ?Q1 ?P0 ?P1 ?addr0 ?muln_gt0 //.
  by move=> i j; rewrite mxE (leq_trans (size_add _ _)) // geq_max sQ andbT (leq_trans (sP i j)) // ltnW.
rewrite cQ cP (_ : coefs (3 * D) P = 0) ?add0r //.
by apply/matrixP => i j; rewrite !mxE nth_default // (leq_trans (sP i j)).
Qed.
End Ray.

(* Attention of transformer.v is that: no biases, norms of queries and keys or rotations, scale 1. *)
Lemma attention_seen (R : comUnitRingType) n dk (sh : shape R n (1 * dk) 1 1 dk) W X :
  plain W -> b_O W = 0 -> no_qk_norm W -> (forall t, rotation sh t = 1%:M) -> scale sh = 1 ->
  (forall S, rowmap W ord0 (visible sh) S = masked (visible sh) S) ->
  model_attention sh W X = seen (visible sh) (W_Q W *m (W_K W)^T) (W_V W *m W_O W) X.
Proof.
move=> pl o0 nn rope one linear; rewrite -(single_head _ pl nn rope).
rewrite /model_attention /model_self_attention /model_attention_of /head_attention /=; have [nq nk] := nn.
rewrite one_head !affine0 !nq !nk !rotate1 // one_head_scores linear one scale1r !trmx_mul trmxK !mulmx1.
by rewrite /seen o0 affine0 mulmx1 !mulmxA.
Qed.

Lemma more_than_3S S : (1 < S)%N -> (3 * S < 3 ^ S)%N.
Proof.
case: S => [|[|S]] // _; elim: S => // S IH; rewrite expnS ltn_mul2l /=; apply: leq_ltn_trans IH.
by rewrite mulnS (leq_add2l 3 S) (leq_trans (leqnSn S)) // leq_pmull.
Qed.

(* For almost all weights: those outside the zeros of a polynomial that is not 0.  T is the vector space of the weights
 * of all layers, or of more. *)
Section AlmostAll.
Variables (F : numFieldType) (n dk S : nat) (v : 'I_n -> 'I_n -> bool) (T : lmodType F).
Notation d := (1 * dk)%N.
Variables (WQ WK WV WO : nat -> T -> 'M[F]_d).
Hypotheses (linQ : forall i, linear (WQ i)) (linK : forall i, linear (WK i)).
Hypotheses (linV : forall i, linear (WV i)) (linO : forall i, linear (WO i)).
Hypothesis independent : forall Q K Vv O : nat -> 'M_d, exists w, forall i, (i < S)%N ->
  [/\ WQ i w = Q i, WK i w = K i, WV i w = Vv i & WO i w = O i].
Definition weights w : seq ('M[F]_d * 'M[F]_d) := [seq (WQ i w *m (WK i w)^T, WV i w *m WO i w) | i <- iota 0 S].

Lemma polynomials_stack (f : T -> 'M[F]_(n, d)) (is_ : seq nat) : polynomials f ->
  polynomials (fun w => stack v [seq (WQ i w *m (WK i w)^T, WV i w *m WO i w) | i <- is_] (f w)).
Proof.
elim: is_ f => //= i r IH f pf; apply: IH.
have weight := polynomials_mul (polynomials_linear (linV i)) (polynomials_linear (linO i)).
apply: polynomials_mul weight; apply: (polynomials_mul _ pf).
have scores : polynomials (fun w => f w *m (WQ i w *m (WK i w)^T) *m (f w)^T).
  apply: (polynomials_mul _ (polynomials_tr pf)); apply: (polynomials_mul pf).
  exact: polynomials_mul (polynomials_linear (linQ i)) (polynomials_tr (polynomials_linear (linK i))).
move=> k l; have [vis|hid] := boolP (v k l).
  by apply: Same (scores k l) _ => w; rewrite [RHS]mxE vis.
by apply: Same (Constant _ 0) _ => w; rewrite [RHS]mxE (negPf hid).
Qed.

Lemma not_zero : (exists i, v i i) -> (0 < dk)%N -> null (fun w => forall X, stack v (weights w) X = 0).
Proof.
case=> i vi dk0; have d0 : (0 < d)%N by rewrite mul1n.
pose j := Ordinal d0; pose X0 : 'M[F]_(n, d) := delta_mx i j.
exists (fun w => stack v (weights w) X0 i j); split=> [||w ->]; last by rewrite mxE.
  exact: (polynomials_stack (iota 0 S) (polynomials_const T X0)).
have [w ones] := independent (fun=> 1%:M) (fun=> 1%:M) (fun=> 1%:M) (fun=> 1%:M); exists w.
have -> : weights w = [seq (1%:M, 1%:M) | i <- iota 0 S].
  apply/eq_in_map => k; rewrite mem_iota /= => /ones [-> -> -> ->]; by rewrite trmx1 !mulmx1.
suff -> : stack v [seq (1%:M, 1%:M) | i <- iota 0 S] X0 = X0 by rewrite mxE !eqxx oner_eq0.
have step : seen v 1%:M 1%:M X0 = X0.
  rewrite /seen !mulmx1 /X0 trmx_delta mul_delta_mx -[RHS](mul_delta_mx i); congr (_ *m _).
  apply/matrixP => a b; rewrite !mxE; case: ifP => // hid; case: eqP => [ea|//]; case: eqP => [eb|//].
  by rewrite ea eb vi in hid.
by elim: (iota 0 S) => //= _ r IH; rewrite step.
Qed.

(* Without skips: homogeneous of degree 3^S > 3S, and not 0. *)
(* Provably: claim=B-8 part=corrected theorem=order quantifiers=all number fields, sizes, depths, masks with a row that sees itself, weights, X, c; not 0 outside the zeros of a polynomial that is not 0 *)
Theorem order : (1 < S)%N -> (exists i, v i i) -> (0 < dk)%N ->
  [/\ forall w c X, stack v (weights w) (c *: X) = c ^+ (3 ^ S) *: stack v (weights w) X,
      null (fun w => forall X, stack v (weights w) X = 0) & (3 * S < 3 ^ S)%N].
Proof.
move=> S2 vi dk0; split; [|exact: not_zero|exact: more_than_3S].
by move=> w c X; rewrite stackZ size_map size_iota.
Qed.

(* With skips: polynomials in c, of degree 3^S with a highest part that is not 0, and of lowest degree 1. *)
(* Provably: claim=B-8 part=corrected-skip theorem=order_skips quantifiers=all number fields, sizes, depths, masks with a row that sees itself, weights, X, c; highest part not 0 outside the zeros of a polynomial that is not 0 *)
Theorem order_skips : (exists i, v i i) -> (0 < dk)%N ->
  (forall w X, let P := on_ray v (weights w) X in
    [/\ forall c, map_mx (horner_eval c) P = stack_skips v (weights w) (c *: X), degree_at_most (3 ^ S) P,
        coefs (3 ^ S) P = stack v (weights w) X, coefs 0 P = 0 & coefs 1 P = X]) /\
  null (fun w => forall X, coefs (3 ^ S) (on_ray v (weights w) X) = 0).
Proof.
move=> vi dk0; have size_w w : size (weights w) = S by rewrite size_map size_iota.
split=> [w X P|]; last first.
  apply: sub_null (not_zero vi dk0) => w zero X; have := zero X.
  by have [_ <- _ _] := on_ray_parts v (weights w) X; rewrite size_w.
by have [] := on_ray_parts v (weights w) X; rewrite size_w => *; split=> // c; apply: on_ray_at.
Qed.
End AlmostAll.

(* A mask that hides every row from itself and all others: nothing is left. *)
Lemma needs_a_visible_row (R : comRingType) n d (M O : 'M[R]_d) (X : 'M_(n, d)) : seen (fun _ _ => false) M O X = 0.
Proof. by rewrite /seen (_ : masked _ _ = 0) ?mul0mx //; apply/matrixP => i j; rewrite !mxE. Qed.
(* One layer has order 3 = 3 * 1, and two have 9: 2^9 in place of 2^6. *)
(* Needed: theorem=order hypothesis=two layers or more lemma=needs_two_layers *)
Lemma needs_two_layers : (3 ^ 1 = 3 * 1)%N. Proof. by []. Qed.

(* ---- without a hypothesis of `order` or `order_skips` ------------------------------------------------------------ *)

(* Where the stack is 0 for all weights, or for all off one point of each line in one direction, those are not almost
 * none; with skips likewise, where the stack is the highest part. *)
Lemma not_almost_none (F : numFieldType) n dk S v (T : lmodType F) (WQ WK WV WO : nat -> T -> 'M[F]_(1 * dk)) u :
  (forall w t, ~ (forall X, stack v (weights S WQ WK WV WO w) X = 0 :> 'M_(n, _)) -> t != 0 ->
     forall X, stack v (weights S WQ WK WV WO (w + t *: u)) X = 0 :> 'M_(n, _)) ->
  ~ null (fun w => forall X : 'M_(n, _), stack v (weights S WQ WK WV WO w) X = 0) /\
  ~ null (fun w => forall X : 'M_(n, _), coefs (3 ^ S) (on_ray v (weights S WQ WK WV WO w) X) = 0).
Proof.
move=> off; have none := not_null off; split=> //; apply: contra_not none; apply: sub_null => w zero X.
by have [_ + _ _] := on_ray_parts v (weights S WQ WK WV WO w) X; rewrite size_map size_iota zero.
Qed.
Notation almost_none n S v WQ WK WV WO :=
  (null (fun w => forall X : 'M_(n, _), stack v (weights S WQ WK WV WO w) X = 0) \/
   null (fun w => forall X : 'M_(n, _), coefs (3 ^ S) (on_ray v (weights S WQ WK WV WO w) X) = 0)).
Lemma zero_everywhere (F : numFieldType) n dk S v (T : lmodType F) (WQ WK WV WO : nat -> T -> 'M[F]_(1 * dk)) :
  (forall w X, stack v (weights S WQ WK WV WO w) X = 0 :> 'M_(n, _)) -> ~ almost_none n S v WQ WK WV WO.
Proof. by move=> zero; have [|no1 no2] := @not_almost_none F n dk S v T WQ WK WV WO 0 => // -[]. Qed.

(* Two layers: a mask that hides every row from itself and all others, heads of width 0, or W_Q = 0 for all weights. *)
Lemma stack_2 (R : comRingType) n d v (M M' O O' : 'M[R]_d) (X : 'M_(n, d)) :
  stack v [:: (M, O); (M', O')] X = seen v M' O' (seen v M O X).
Proof. by []. Qed.
Lemma masked_0 (R : comRingType) n v : masked v (0 : 'M[R]_n) = 0.
Proof. by apply/matrixP => i j; rewrite !mxE if_same. Qed.
(* Needed: theorem=order,order_skips hypothesis=a row that sees itself lemma=needs_a_row_that_sees *)
Lemma needs_a_row_that_sees (F : numFieldType) n dk (T : lmodType F) (WQ WK WV WO : nat -> T -> 'M[F]_(1 * dk)) :
  ~ almost_none n 2 (fun _ _ => false) WQ WK WV WO.
Proof. by apply: zero_everywhere => w X; rewrite stack_2 !needs_a_visible_row. Qed.
(* Needed: theorem=order,order_skips hypothesis=heads of width dk > 0 lemma=needs_a_width *)
Lemma needs_a_width (F : numFieldType) n v (T : lmodType F) (WQ WK WV WO : nat -> T -> 'M[F]_(1 * 0)) :
  ~ almost_none n 2 v WQ WK WV WO.
Proof. by apply: zero_everywhere => w X; apply/matrixP => i []. Qed.
(* Needed: theorem=order,order_skips hypothesis=independent weights lemma=needs_independent *)
Lemma needs_independent (F : numFieldType) n dk v (T : lmodType F) (WK WV WO : nat -> T -> 'M[F]_(1 * dk)) :
  linear (fun _ : T => 0 : 'M[F]_(1 * dk)) /\ ~ almost_none n 2 v (fun _ _ => 0) WK WV WO.
Proof.
split=> [a x y|]; first by rewrite scaler0 addr0.
by apply: zero_everywhere => w X; rewrite stack_2 mul0mx /seen !(mul0mx, mulmx0, masked_0).
Qed.

(* One number wide, two layers, the weights are entries of w; but those of one kind are 0 where w_8 is not. *)
Section NotLinear.
Definition weight (k kind i : nat) (w : 'rV[rat]_9) : 'M[rat]_(1 * 1) :=
  if (kind == k) && (w 0 (inord 8) != 0) then 0 else (w 0 (inord (4 * i + kind)))%:M.
(* Needed: theorem=order,order_skips hypothesis=W_Q linear in the weights lemma=needs_linear *)
(* Needed: theorem=order,order_skips hypothesis=W_K linear in the weights lemma=needs_linear *)
(* Needed: theorem=order,order_skips hypothesis=W_V linear in the weights lemma=needs_linear *)
(* Needed: theorem=order,order_skips hypothesis=W_O linear in the weights lemma=needs_linear *)
Lemma needs_linear n v k : (k < 4)%N -> [/\ forall kind i, kind != k -> linear (weight k kind i),
  forall Q K Vv O : nat -> 'M_(1 * 1), exists w, forall i, (i < 2)%N ->
    [/\ weight k 0 i w = Q i, weight k 1 i w = K i, weight k 2 i w = Vv i & weight k 3 i w = O i] &
  ~ almost_none n 2 v (weight k 0) (weight k 1) (weight k 2) (weight k 3)].
Proof.
move=> k4; split=> [kind i /negPf ne a x y|Q K Vv O|].
- by rewrite /weight ne /= scale_scalar_mx -raddfD !mxE.
- exists (\row_j nth 0 [:: Q 0%N 0 0; K 0%N 0 0; Vv 0%N 0 0; O 0%N 0 0;
      Q 1%N 0 0; K 1%N 0 0; Vv 1%N 0 0; O 1%N 0 0; 0] j).
  by case=> [|[|//]] _; split; rewrite /weight !mxE !inordK //= ?eqxx ?andbF [RHS]mx11_scalar.
have zero (w : 'rV[rat]_9) (X : 'M_(n, 1 * 1)) : w 0 (inord 8) != 0 ->
    stack v (weights 2 (weight k 0) (weight k 1) (weight k 2) (weight k 3) w) X = 0.
  move=> w8; have none i : weight k k i w = 0 by rewrite /weight eqxx w8.
  rewrite stack_2; case: k k4 none => [|[|[|[|//]]]] _ none; by
    rewrite /seen !none !(mul0mx, mulmx0, trmx0, masked_0).
set u : 'rV[rat]_9 := delta_mx 0 (inord 8).
have [|no1 no2] := @not_almost_none _ n 1 2 v _ (weight k 0) (weight k 1) (weight k 2) (weight k 3) u.
  move=> w t nz t0 X; have [w8|w8] := eqVneq (w 0 (inord 8)) 0; last by case: nz => Y; apply: zero.
  by rewrite zero // !mxE w8 add0r !eqxx mulr1.
by case.
Qed.
End NotLinear.
