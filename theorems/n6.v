(* n6.v - N6: every W_Q becomes the identity although all skips stay; each MLP but the last gets d neurons more.
 *
 * Theta_i = W_Q^i as in Theorem 4.4.  The skip around the MLP of layer i carries Y Theta_i, not Y Theta_{i+1}.
 * K are d neurons of it with U = W_up[:,K] invertible, phi(y) - phi(-y) = y, and U C = Theta_{i+1} - Theta_i:
 *     W~_down[K] = W_down[K] Theta_{i+1} + C,    new neurons: W_up = -Theta_i^-1 U, W_down = -C.
 * The MLP is written as parts whose outputs are added, as in n6.c: K is one of them, the new neurons are one more. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction relu.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Wider.
Variables (R : comUnitRingType) (n d h h_kv dk V : nat).
Notation shape := (shape R n d h h_kv dk).
Notation layer := (layer R n d h h_kv dk).
Notation model := (model R n d h h_kv dk V).
Implicit Types (sh : shape) (W : layer) (M : model) (A D : 'M[R]_d) (F : mlp R d).

(* K with W_down D + C, and the new neurons *)
Definition with_C A D F (C : 'M[R]_(m F, d)) : mlp R d :=
  @Mlp R d (m F) (invmx A *m W_up F) (b_up F) None (W_down F *m D + C) (b_down F *m D) (phi F).
Definition partner A F (C : 'M[R]_(m F, d)) : mlp R d :=
  @Mlp R d (m F) (- (invmx A *m W_up F)) (- b_up F) None (- C) (- (b_up F *m C)) (phi F).

Lemma affineN p q (X : 'M[R]_(n, p)) (U : 'M_(p, q)) b : affine X (- U) (- b) = - affine X U b.
Proof. by rewrite /affine mulmxN opprD; congr (_ + _); apply/matrixP => i j; rewrite !mxE. Qed.
Lemma affine_mul p q r (X : 'M[R]_(n, p)) (U : 'M_(p, q)) b (C : 'M_(q, r)) :
  affine X U b *m C = affine X (U *m C) (b *m C).
Proof.
rewrite /affine mulmxDl mulmxA; congr (_ + _).
by apply/matrixP => i j; rewrite !mxE; apply: eq_bigr => k _; rewrite !mxE.
Qed.
Lemma affine_plus p q (X : 'M[R]_(n, p)) (U C : 'M_(p, q)) b : affine X (U + C) b = affine X U b + X *m C.
Proof. by rewrite /affine mulmxDr addrAC. Qed.
Lemma affine_last p q (X : 'M[R]_(n, p)) (U : 'M_(p, q)) b : affine X U b = X *m U + affine X 0 b.
Proof. by rewrite /affine mulmx0 add0r. Qed.

(* Together they write what F writes, in the basis D, and Y (D - A) more. *)
Lemma pair_of_parts A D F (C : 'M_(m F, d)) (Y : 'M_(n, d)) :
  A \in unitmx -> W_gate F = None -> half_odd (phi F) -> W_up F *m C = D - A ->
  expert_of (with_C A D C) (Y *m A) + expert_of (partner A C) (Y *m A) = expert_of F Y *m D + Y *m (D - A).
Proof.
move=> u nogate odd UC; pose H := affine Y (W_up F) (b_up F).
have -> : expert_of (partner A C) (Y *m A) = - affine (map_mx (phi F) (- H)) C (b_up F *m C).
  by rewrite /expert_of /= affineN affineN affine_read.
rewrite /expert_of /= nogate affine_read // -/H.
have odd_mx (B : 'M_(n, m F)) : map_mx (phi F) B = B + map_mx (phi F) (- B).
  by apply/matrixP => i j; rewrite !mxE; apply/eqP; rewrite -subr_eq odd.
have HC : H *m C = affine Y (D - A) (b_up F *m C) by rewrite /H affine_mul UC.
rewrite affine_plus affine_write -addrA; congr (_ + _).
rewrite {1}odd_mx mulmxDl HC; move: (map_mx (phi F) (- H)) => N.
rewrite [affine N C _]affine_last [affine Y _ _]affine_last opprD.
have same (X : 'M[R]_(n, m F)) : affine X (0 : 'M_(m F, d)) (b_up F *m C) = affine Y 0 (b_up F *m C).
  by rewrite /affine !mulmx0.
by rewrite same -addrA [affine Y 0 _ + _]addrC -opprD addrK.
Qed.

(* ---- a layer ----------------------------------------------------------------------------------------------------- *)

(* part e of its MLP is K *)
Definition widened A D W (e : 'I_(experts W)) (C : 'M_(m (expert W e), d)) : layer :=
  @Layer R n d h h_kv dk
    (invmx A *m W_Q W) (b_Q W) (invmx A *m W_K W) (b_K W) (invmx A *m W_V W) (b_V W) (W_O W *m A) (b_O W *m A)
    (gain1 W) (bias1 W) (gain2 W) (bias2 W) (norm_q W) (norm_k W) (rowmap W) (experts W).+1 None
    (fun j => if unlift ord0 j is Some l then (if l == e then with_C A D C else rewrite_mlp A D (expert W l))
              else partner A C).

Lemma widened_mlp A D W e C Y : A \in unitmx -> router W = None -> W_gate (expert W e) = None ->
  half_odd (phi (expert W e)) -> W_up (expert W e) *m C = D - A ->
  model_mlp (@widened A D W e C) (Y *m A) = model_mlp W Y *m D + Y *m (D - A).
Proof.
move=> u norouter nogate odd UC; rewrite /model_mlp /= norouter big_ord_recl unlift_none /=.
rewrite (eq_bigr (fun l => expert_of (if l == e then with_C A D C else rewrite_mlp A D (expert W l)) (Y *m A)));
  last by move=> l _; rewrite liftK.
have first (f : 'I_(experts W) -> 'M[R]_(n, d)) : \sum_l f l = f e + \sum_(l | l != e) f l by rewrite (bigD1 e).
rewrite [X in _ + X]first eqxx addrA [X in X + _]addrC (pair_of_parts Y u nogate odd UC).
rewrite [in RHS]first [(_ + \sum_(l | _) _) *m D]mulmxDl [LHS]addrAC; congr (_ + _ + _).
by rewrite mulmx_suml; apply: eq_bigr => l /= /negPf ->; rewrite expert_gauge.
Qed.

(* All skips, no norm: X A goes in, the layer's output times D comes out. *)
Lemma widened_block sh A D W e C X : norm sh = None -> all_skips sh -> A \in unitmx -> router W = None ->
  W_gate (expert W e) = None -> half_odd (phi (expert W e)) -> W_up (expert W e) *m C = D - A ->
  model_block sh (@widened A D W e C) (X *m A) = model_block sh W X *m D.
Proof.
move=> noN /and3P [sa sm /negPf par] u norouter nogate odd UC.
rewrite /model_block /normalise noN par /skip sa sm.
have att : model_attention sh (@widened A D W e C) (X *m A) = model_attention sh W X *m A.
  by rewrite /model_attention /model_self_attention /= !affine_read // affine_write.
rewrite att -mulmxDl widened_mlp // addrCA -mulmxDr [A + _]addrC subrK -mulmxDl addrC //.
Qed.

(* ---- the model --------------------------------------------------------------------------------------------------- *)

(* A layer, which part of its MLP is K, and V with U V = I: C = V (Theta' - Theta) *)
Record choice := Choice {
  layer_of : layer; part_K : 'I_(experts layer_of); V_of : 'M[R]_(m (expert layer_of part_K), d) }.
Definition wide Theta Theta' (p : choice) : layer :=
  @widened Theta Theta' (layer_of p) (part_K p) (V_of p *m (Theta' - Theta)).
(* d neurons, no gate, phi(y) - phi(-y) = y, U invertible *)
Definition has_K (p : choice) : Prop := let K := expert (layer_of p) (part_K p) in
  [/\ router (layer_of p) = None, W_gate K = None, half_odd (phi K), m K = d & W_up K *m V_of p = 1%:M].
Definition neurons W : nat := (\sum_(e < experts W) m (expert W e))%N.

Lemma wide_neurons Theta Theta' p : has_K p -> neurons (wide Theta Theta' p) = (d + neurons (layer_of p))%N.
Proof.
case=> _ _ _ md _; rewrite /neurons /= big_ord_recl unlift_none /=; congr (_ + _)%N => //.
by apply: eq_bigr => l _; rewrite liftK; case: eqP => [->|].
Qed.

Fixpoint wide_layers sh (Theta : nat -> 'M[R]_d) (ps : seq choice) (rest : seq layer) : seq layer :=
  if ps is p :: r then wide (Theta 0%N) (Theta 1%N) p :: wide_layers sh (Theta \o succn) r rest
  else [seq gauge_layer sh (Theta 0%N) (Theta 0%N) W | W <- rest].
Definition wide_model sh Theta ps rest M : model :=
  Model (E M *m Theta 0%N) (P M *m Theta 0%N) (omap (mulmx (invmx (Theta (size ps)))) (head M)) (gain_f M) (bias_f M)
        (wide_layers sh Theta ps rest).

Lemma wide_stack sh Theta ps rest X : norm sh = None -> all_skips sh -> (forall i, Theta i \in unitmx) ->
  (forall p, List.In p ps -> has_K p) -> model_stack sh (wide_layers sh Theta ps rest) (X *m Theta 0%N) =
  model_stack sh (map layer_of ps ++ rest) X *m Theta (size ps).
Proof.
move=> noN skips; elim: ps Theta X => [|p r IH] Theta X u ok /=.
  have := @stack_gauge R n d h h_kv dk sh (fun=> Theta 0%N) rest X noN (fun=> u 0%N) (fun _ _ => erefl).
  by rewrite gauge_layers_one.
have [nr ng odd _ UV] := ok p (or_introl erefl).
rewrite (widened_block _ noN skips (u 0%N) nr ng odd); last by rewrite mulmxA UV mul1mx.
exact: (IH (Theta \o succn) _ (fun i => u i.+1) (fun q in_ => ok q (or_intror in_))).
Qed.

Lemma wide_forward sh Theta ps rest M : norm sh = None -> all_skips sh -> (forall i, Theta i \in unitmx) ->
  (forall p, List.In p ps -> has_K p) -> at_ M = map layer_of ps ++ rest ->
  (head M = None -> Theta (size ps) *m (Theta 0%N)^T = 1%:M) -> same_function sh (wide_model sh Theta ps rest M) M.
Proof.
move=> noN skips u ok layers tied T; rewrite /model_forward.
have -> : model_embed (wide_model sh Theta ps rest M) T = model_embed M T *m Theta 0%N.
  by rewrite /model_embed /= mulmxA mulmxDl.
rewrite [at_ _]/= wide_stack // -layers /model_head /normalise noN /=.
case: (head M) tied => [H|] tied /=; first by rewrite read_back.
by rewrite trmx_mul mulmxA -(mulmxA _ (Theta _)) tied // mulmx1.
Qed.
End Wider.
Arguments layer_of {R n d h h_kv dk} _.

Section Queries.
Variables (R : comUnitRingType) (n h h_kv dk V : nat).
Notation d := (h * dk)%N.
Notation layer := (layer R n d h h_kv dk).
Implicit Types (sh : shape R n d h h_kv dk) (M : model R n d h h_kv dk V) (ps : seq (choice R n d h h_kv dk)).

(* Theta_i = W_Q^i, and `last` behind the layers that become wider *)
Definition bases last ps i : 'M[R]_d := nth last [seq W_Q (layer_of p) | p <- ps] i.
Definition queries_unit ps := forall p, List.In p ps -> W_Q (layer_of p) \in unitmx.

Lemma bases_unit last ps i : queries_unit ps -> last \in unitmx -> bases last ps i \in unitmx.
Proof.
move=> ok ul; rewrite /bases; elim: ps i ok => [|p r IH] [|i] ok //=; first exact: ok p (or_introl erefl).
by apply: IH => q in_; apply: ok (or_intror in_).
Qed.
Lemma bases_end last ps : bases last ps (size ps) = last.
Proof. by rewrite /bases nth_default ?size_map. Qed.

Lemma wide_queries sh last ps rest W : queries_unit ps -> (forall W, List.In W rest -> invmx last *m W_Q W = 1%:M) ->
  List.In W (wide_layers sh (bases last ps) ps rest) -> W_Q W = 1%:M.
Proof.
rewrite /bases; elim: ps => [|p r IH] ok end_ /=.
  by move=> /List.in_map_iff [W0 [<- /end_ e]]; rewrite W_Q_gauge.
case=> [<-|]; first by rewrite /= mulVmx //; apply: ok (or_introl erefl).
by apply: IH => // q in_; apply: ok (or_intror in_).
Qed.

(* Untied: the last layer stays as wide as it is, in the basis of its own queries. *)
(* Provably: claim=N6 part=as-stated theorem=untied quantifiers=all commutative rings, sizes, heads, depths, masks, row maps, half-odd phi; K of d neurons with invertible W_up *)
Theorem untied sh M ps W : norm sh = None -> all_skips sh -> head M <> None -> at_ M = map layer_of ps ++ [:: W] ->
  queries_unit ps -> W_Q W \in unitmx -> (forall p, List.In p ps -> has_K p) ->
  let M' := wide_model sh (bases (W_Q W) ps) ps [:: W] M in
  [/\ same_function sh M' M, forall W', List.In W' (at_ M') -> W_Q W' = 1%:M &
      forall Theta Theta' p, List.In p ps -> neurons (wide Theta Theta' p) = (d + neurons (layer_of p))%N].
Proof.
move=> noN skips un layers uq uW ok M'; split=> [T|W'|Theta Theta' p in_].
- by apply: wide_forward => // i; apply: bases_unit.
- by apply: wide_queries => // W0 [<-|//]; rewrite mulVmx.
by apply: wide_neurons; apply: ok.
Qed.

(* Tied: every layer becomes wider, the last basis is (Theta_1')^-1, and the head stays tied. *)
(* Provably: claim=N6 part=as-stated-tied theorem=tied quantifiers=all commutative rings, sizes, heads, depths, masks, row maps, half-odd phi; K of d neurons with invertible W_up *)
Theorem tied sh M p0 ps : norm sh = None -> all_skips sh -> head M = None -> at_ M = map layer_of (p0 :: ps) ->
  queries_unit (p0 :: ps) -> (forall p, List.In p (p0 :: ps) -> has_K p) ->
  let M' := wide_model sh (bases (invmx (W_Q (layer_of p0))^T) (p0 :: ps)) (p0 :: ps) [::] M in
  [/\ same_function sh M' M, forall W', List.In W' (at_ M') -> W_Q W' = 1%:M, head M' = None &
      forall Theta Theta' p, List.In p (p0 :: ps) -> neurons (wide Theta Theta' p) = (d + neurons (layer_of p))%N].
Proof.
move=> noN skips un layers uq ok M'; have u0 : W_Q (layer_of p0) \in unitmx by apply: uq; left.
split=> [T|W'||Theta Theta' p in_].
- apply: wide_forward => // [i||_]; first by apply: bases_unit => //; rewrite unitmx_inv unitmx_tr.
    by rewrite cats0.
  by rewrite bases_end /bases /= mulVmx // unitmx_tr.
- by apply: wide_queries.
- by rewrite /M' /= un.
by apply: wide_neurons; apply: ok.
Qed.
End Queries.

(* phi = 0 is not half-odd: numbers, A = 1, D = 2, Y = 1, U = C = 1: the two parts write 0 in place of 1. *)
Lemma needs_half_odd : let num x := x%:M : 'M[rat]_1 in
  let F := @Mlp [comUnitRingType of rat] 1 1 (num 1) 0 None 0 0 (fun=> 0) in
  [/\ W_up F *m num 1 = num 2%:R - num 1,
      expert_of (@with_C _ 1 (num 1) (num 2%:R) F (num 1)) (num 1 *m num 1) +
        expert_of (@partner _ 1 (num 1) F (num 1)) (num 1 *m num 1) = 0 &
      expert_of F (num 1) *m num 2%:R + num 1 *m (num 2%:R - num 1) = num 1].
Proof.
move=> num F; have zero p (A : 'M[rat]_(1, p)) : map_mx (fun=> 0) A = 0 by apply/matrixP => i j; rewrite !mxE.
have none : \matrix_(i < 1, j < 1) (0 : 'rV[rat]_1) 0 j = 0 by apply/matrixP => i j; rewrite !mxE.
have one : num 2%:R - num 1 = num 1 by rewrite /num -raddfB; congr (_%:M); apply/eqP; vm_compute.
split; first by rewrite mulmx1 one.
  by rewrite /expert_of /= !zero /affine !mul0mx ?oppr0 !none ?addr0 ?mul0mx ?none ?addr0.
by rewrite /expert_of /= !zero /affine !mul0mx ?none ?addr0 ?mul0mx ?add0r one mulmx1.
Qed.
