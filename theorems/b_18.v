(* b_18.v - B-18, the value matrices of multi-head layers cannot be concatenated: dimensions bounded from above.
 *
 * A stack of S layers, X' = [X +] sum_a f_a((X Q_a)(X K_a)') X V_a O_a with H heads of width r, N = H r, has 4 S N^2
 * weights.  Changes of basis leave the function as it is: Q A, -K A' and V B, -B O inside a head, H r^2 = N r = N^2/H
 * each per layer, and without skips O C before and -C Q, -C K, -C V behind each interface, N^2.  These directions are
 * independent where Q, V and O are invertible.  So the rank of any Jacobian is at most
 *     2 S (2 N^2 - N^2/H) - (S - 1) N^2  without skips,    2 S (2 N^2 - N^2/H)  with them.
 * Missing for the parts of the claim: weights where it is as much (b_18.c has them, minors modulo a prime). *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices order tangents stacks.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Stack.
Variables (F : realFieldType) (n H r S : nat) (Y : finType) (skips : bool).
Notation N := (H * r)%N.
(* the four matrices of each layer *)
Inductive which := Q_ | K_ | V_ | O_.
Notation matrices := (('I_S * (bool * bool))%type).
Notation weight := ((matrices * ('I_N * 'I_N))%type).
Variables (f : nat -> 'I_H -> 'M[F]_n -> 'M[F]_n) (input : Y -> 'M[F]_(n, N)) (token : Y -> 'I_n) (place : Y -> 'I_N).
Implicit Types (w : weight -> F) (s : 'I_S) (X : 'M[F]_(n, N)).

Definition name (which : which) : bool * bool :=
  match which with Q_ => (false, false) | K_ => (false, true) | V_ => (true, false) | O_ => (true, true) end.
Definition of_layer w (k : nat) (m : which) : 'M[F]_N := if insub k is Some s then mat w (s, name m) else 0.
Definition layer w k X : 'M_(n, N) :=
  (if skips then X else 0) + heads_of (f k) (of_layer w k Q_) (of_layer w k K_) (of_layer w k V_) (of_layer w k O_) X.
Fixpoint after w X k : 'M_(n, N) := if k is k'.+1 then layer w k' (after w X k') else X.
Definition outputs w y : F := after w (input y) S (token y) (place y).

Lemma outputs_layers w w' : (forall k X, layer w' k X = layer w k X) -> outputs w' =1 outputs w.
Proof. by move=> same y; rewrite /outputs; congr (fun_of_matrix _ _ _); elim: S => //= k ->. Qed.

(* W_Q A, -W_K A' (values = false) or W_V A, -A W_O (values = true) in layer s *)
Definition in_heads w s (values : bool) (A : 'M[F]_N) (e : matrices) : 'M_N :=
  if (e.1 == s) && (e.2.1 == values) then
    if ~~ e.2.2 then mat w e *m A else if values then - (A *m mat w e) else - (mat w e *m A^T)
  else 0.
(* W_O C in front of an interface, -C W_Q, -C W_K, -C W_V behind it *)
Definition between w (i : 'I_S.-1) (C : 'M[F]_N) (e : matrices) : 'M_N :=
  if e.2.1 && e.2.2 then if val e.1 == i then mat w e *m C else 0
  else if val e.1 == i.+1 then - (C *m mat w e) else 0.

Theorem null_in_heads w s values A J : (forall t, keeps_heads (1%:M + t *: A)) -> jacobian outputs w J ->
  forall y, along (put (in_heads w s values A)) J y = 0.
Proof.
move=> keeps dJ; apply: null_direction dJ _; apply: constant_along_put.
have [s0 s00 [B near]] := straight keeps; exists s0 => //; exists (norm1 w * B) => t ts.
have [D [R [R' [uD kD eD eI [bR bR']]]]] := near t ts.
pose rest (e : matrices) := if (e.1 == s) && (e.2.1 == values) then
  if ~~ e.2.2 then mat w e *m R else if values then R' *m mat w e else mat w e *m R'^T else 0.
exists rest => [e|w' moved_w].
  have B0 := le_trans (total_ge0 R) bR; have w0 := norm1_ge0 w; have we := total_mat w e.
  rewrite /rest; case: ifP => _; last by rewrite -(scale0r R) total_scale normr0 mul0r mulr_ge0.
  case: ifP => _; first by apply: le_trans (total_mul _ _) _; apply: ler_pmul; rewrite ?total_ge0.
  case: ifP => _; apply: le_trans (total_mul _ _) _; last by apply: ler_pmul; rewrite ?total_ge0 ?total_tr.
  by rewrite mulrC; apply: ler_pmul; rewrite ?total_ge0.
have now e : mat w' e = if (e.1 == s) && (e.2.1 == values) then
    if ~~ e.2.2 then mat w e *m D else if values then invmx D *m mat w e else mat w e *m (invmx D)^T else mat w e.
  rewrite moved_w /in_heads /rest; case: ifP => _; last by rewrite !scaler0 !addr0.
  case: ifP => _; first by rewrite eD !mulmxDr mulmx1 -!scalemxAr.
  case: ifP => _; first by rewrite eI mulmxDl mulmxBl mul1mx -!scalemxAl scalerN.
  have -> : (invmx D)^T = 1%:M - t *: A^T + t ^+ 2 *: R'^T by rewrite eI linearD linearB /= trmx1 !linearZ.
  by rewrite mulmxDr mulmxBr mulmx1 -!scalemxAr scalerN.
apply: outputs_layers => k X; rewrite /layer; congr (_ + _); rewrite /of_layer; case: insubP => [m _ _|_] //.
have one : keeps_heads (1%:M : 'M[F]_N) by move=> a; rewrite mulmx1 mul1mx.
rewrite !now /=; case: (m == s) => //=; case: (values) => /=.
  by rewrite -[RHS](turned_heads _ _ _ _ _ _ (unitmx1 F N) uD one kD) mulmx1 invmx1 trmx1 mulmx1.
by rewrite -[RHS](turned_heads _ _ _ _ _ _ uD (unitmx1 F N) kD one) mulmx1 invmx1 mul1mx.
Qed.

(* without skips: the stream between layers i and i + 1 in the basis 1 + t C *)
Theorem null_between w (i : 'I_S.-1) (C : 'M[F]_N) J : ~~ skips -> jacobian outputs w J ->
  forall y, along (put (between w i C)) J y = 0.
Proof.
move=> /negbTE no_skip dJ; apply: null_direction dJ _; apply: constant_along_put.
have [s0 s00 [B near]] := @straight F N (fun=> True) C (fun=> I); exists s0 => //; exists (norm1 w * B) => t ts.
have [D [R [R' [uD _ eD eI [bR bR']]]]] := near t ts.
pose rest (e : matrices) := if e.2.1 && e.2.2 then if val e.1 == i then mat w e *m R else 0
  else if val e.1 == i.+1 then R' *m mat w e else 0.
exists rest => [e|w' moved_w].
  have B0 := le_trans (total_ge0 R) bR; have w0 := norm1_ge0 w; have we := total_mat w e.
  have zero : total (0 : 'M[F]_N) <= norm1 w * B by rewrite -(scale0r R) total_scale normr0 mul0r mulr_ge0.
  rewrite /rest; case: ifP => _; case: ifP => _ //; apply: le_trans (total_mul _ _) _.
    by apply: ler_pmul; rewrite ?total_ge0.
  by rewrite mulrC; apply: ler_pmul; rewrite ?total_ge0.
pose basis k : 'M[F]_N := if k == i.+1 then D else 1%:M.
have now e : mat w' e = if e.2.1 && e.2.2 then mat w e *m basis (val e.1).+1 else invmx (basis (val e.1)) *m mat w e.
  rewrite moved_w /between /rest /basis eqSS; case: ifP => _; case: ifP => _.
  - by rewrite eD !mulmxDr mulmx1 -!scalemxAr.
  - by rewrite !scaler0 !addr0 mulmx1.
  - by rewrite eI mulmxDl mulmxBl mul1mx -!scalemxAl scalerN.
  by rewrite !scaler0 !addr0 invmx1 mul1mx.
have u k : basis k \in unitmx by rewrite /basis; case: ifP => // _; apply: unitmx1.
have stream X k : (k <= S)%N -> after w' X k = after w X k *m basis k.
  elim: k => [_|k IH kS] /=; first by rewrite mulmx1.
  have now_k m : of_layer w' k m =
      if (name m).1 && (name m).2 then of_layer w k m *m basis k.+1 else invmx (basis k) *m of_layer w k m.
    by rewrite /of_layer insubT now.
  by rewrite /layer no_skip !add0r (IH (ltnW kS)) !now_k /= other_basis.
move=> y; rewrite /outputs stream // /basis ifN ?mulmx1 //.
by case: i {rest now basis u stream moved_w} => i; case: (S) => //= S' iS; rewrite gtn_eqF.
Qed.

(* ---- how many they are ------------------------------------------------------------------------------------------- *)

Notation head_unit := (in_one_head (@unit_matrix F r)).
Notation inside := (('I_S * (bool * ('I_H * ('I_r * 'I_r))))%type).
Notation behind := (('I_S.-1 * ('I_N * 'I_N))%type).
Definition tangent w (g : inside + behind) : matrices -> 'M[F]_N :=
  match g with inl x => in_heads w x.1 x.2.1 (head_unit x.2.2) | inr x => between w x.1 (unit_matrix F x.2) end.

Section Independent.
Variables (w : weight -> F).
Hypothesis invertible : forall s m, m <> K_ -> mat w (s, name m) \in unitmx.

Lemma sum_inside (c : inside -> F) e : let T s values := \sum_x c (s, (values, x)) *: head_unit x in
  \sum_x c x *: in_heads w x.1 x.2.1 (head_unit x.2.2) e = in_heads w e.1 e.2.1 (T e.1 e.2.1) e.
Proof.
move=> T; rewrite sum_pairs (bigD1 e.1) //= [X in _ + X]big1 => [|s /negPf ne]; last first.
  by apply: big1 => x _; rewrite /in_heads eq_sym ne scaler0.
rewrite addr0 sum_pairs (bigD1 e.2.1) //= [X in _ + X]big1 => [|v /negPf ne]; last first.
  by apply: big1 => x _; rewrite /in_heads eq_sym ne andbF scaler0.
rewrite addr0 /in_heads !eqxx /=; case: e.2.2 => /=.
  case: e.2.1 => /=; rewrite /T.
    by rewrite mulmx_suml -sumrN; apply: eq_bigr => x _; rewrite scalerN -scalemxAl.
  rewrite linear_sum mulmx_sumr -sumrN; apply: eq_bigr => x _ /=; by rewrite linearZ /= scalerN -scalemxAr.
by rewrite /T mulmx_sumr; apply: eq_bigr => x _; rewrite -scalemxAr.
Qed.
Lemma sum_behind (c : behind -> F) e : let C i := \sum_x c (i, x) *: unit_matrix F x in
  \sum_x c x *: between w x.1 (unit_matrix F x.2) e = \sum_i between w i (C i) e.
Proof.
move=> C; rewrite sum_pairs; apply: eq_bigr => i _; rewrite /between; case: ifP => _; case: ifP => _.
- by rewrite mulmx_sumr; apply: eq_bigr => x _; rewrite -scalemxAr.
- by rewrite big1 // => x _; rewrite scaler0.
- by rewrite mulmx_suml -sumrN; apply: eq_bigr => x _; rewrite scalerN -scalemxAl.
by rewrite big1 // => x _; rewrite scaler0.
Qed.

Lemma tangents_independent : independent (fun g => put (tangent w g)).
Proof.
apply: independent_put => c zero.
pose T s values := \sum_x c (inl (s, (values, x))) *: head_unit x.
pose C (i : 'I_S.-1) := \sum_x c (inr (i, x)) *: unit_matrix F x.
have flat e : in_heads w e.1 e.2.1 (T e.1 e.2.1) e + \sum_i between w i (C i) e = 0.
  by rewrite -(sum_inside (c \o inl)) -(sum_behind (c \o inr)) -[RHS](zero e) big_sumType.
have at_heads s values : (forall i : 'I_S.-1, val s = i.+1 -> C i = 0) -> T s values = 0.
  move=> before; have := flat (s, (values, false)); rewrite /in_heads /= !eqxx big1 ?addr0 => [|i _].
    by apply: cancels; have := @invertible s (if values then V_ else Q_); case: values; apply.
  by rewrite /between /= andbF; case: eqP => // /before ->; rewrite mul0mx oppr0.
have at_interface (i : 'I_S.-1) : (forall j : 'I_S.-1, val i = j.+1 -> C j = 0) -> C i = 0.
  move=> before; pose s := Ordinal (leq_trans (ltn_ord i) (leq_pred S)); have := flat (s, (true, true)).
  rewrite /in_heads /= !eqxx (at_heads s true before) mul0mx oppr0 add0r (bigD1 i) //= big1 ?addr0 => [|j /negPf ji].
    by rewrite /between /= eqxx; apply: cancels; apply: (@invertible s O_).
  by rewrite /between /= val_eqE eq_sym ji.
have at_interfaces k (i : 'I_S.-1) : val i = k -> C i = 0.
  elim: k i => [|k IH] i ik; apply: at_interface => j; rewrite ik //.
  by case=> kj; apply: IH.
have Cz i : C i = 0 by apply: (at_interfaces (val i)).
have Tz s values : T s values = 0 by apply: at_heads => i _.
case=> [[s [values x]]|[i x]]; first exact: in_one_head_free (@units_free F r) _ (Tz s values) x.
exact: units_free (Cz i) x.
Qed.
End Independent.

Lemma numbers : [/\ #|{: weight}| = S * (4 * (N * N)), #|{: inside}| = S * (2 * (N * r)) &
  #|{: inside + behind}| = S * (2 * (N * r)) + S.-1 * (N * N)]%N.
Proof. by split; rewrite ?card_sum !card_prod !card_ord !card_bool !mulnA // -(mulnA S 2%N 2%N). Qed.

Theorem rank_skips w J : (forall s m, m <> K_ -> mat w (s, name m) \in unitmx) -> jacobian outputs w J ->
  (\rank (jacobian_matrix J) + S * (2 * (N * r)) <= S * (4 * (N * N)))%N.
Proof.
move=> invertible dJ; have [<- <- _] := numbers.
apply: (rank_at_most (X := fun x : inside => put (tangent w (inl x)))) => [[s [values x]] y|c zero x].
  exact: null_in_heads (fun t => @in_one_head_keeps _ _ _ _ _ t x) dJ y.
pose c' (g : inside + behind) := if g is inl x then c x else 0.
apply: (tangents_independent invertible (c := c') _ (inl x)) => i; rewrite big_sumType /= zero add0r.
by rewrite big1 // => j _; rewrite mul0r.
Qed.
Theorem rank_no_skips w J : ~~ skips -> (forall s m, m <> K_ -> mat w (s, name m) \in unitmx) ->
  jacobian outputs w J ->
  (\rank (jacobian_matrix J) + (S * (2 * (N * r)) + S.-1 * (N * N)) <= S * (4 * (N * N)))%N.
Proof.
move=> no_skip invertible dJ; have [<- _ <-] := numbers.
apply: (rank_at_most (X := fun x => put (tangent w x))) => [[[s [values x]]|[i x]] y|].
- exact: null_in_heads (fun t => @in_one_head_keeps _ _ _ _ _ t x) dJ y.
- exact: null_between no_skip dJ y.
exact: tangents_independent.
Qed.
End Stack.
