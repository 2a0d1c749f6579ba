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
rewrite /seen; have -> : c *: X *m M *m (c *: X)^T = c ^+ 2 *: (X *m M *m X^T) by rewrite linearZ /= -scalemxAr -!scalemxAl scalerA.
by rewrite maskedZ -scalemxAr -!scalemxAl scalerA -exprS.
Qed.
Theorem stackZ Ws c X : stack Ws (c *: X) = c ^+ (3 ^ size Ws) *: stack Ws X.
Proof. by elim: Ws c X => [|W r IH] c X /=; rewrite ?expr1 // seenZ IH -exprM expnS. Qed.
End Stack.

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

(* For almost all weights: those outside the zeros of a polynomial that is not 0.  T is the vector space of the weights of
 * all layers, or of more. *)
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
End AlmostAll.
