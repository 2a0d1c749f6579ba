(* n6.v - N6: every W_Q becomes the identity although all skips stay; each MLP but the last gets d neurons more.
 *
 * Theta_i = W_Q^i as in Theorem 4.4.  The skip around the MLP of layer i carries Y Theta_i, not Y Theta_{i+1}.
 * K are d neurons of it with U = W_up[:,K] invertible, phi(y) - phi(-y) = y, and U C = Theta_{i+1} - Theta_i:
 *     W~_down[K] = W_down[K] Theta_{i+1} + C,    new neurons: W_up = -Theta_i^-1 U, W_down = -C.
 * The MLP is written as parts whose outputs are added, as in n6.c: K is one of them, the new neurons are one more. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads relu witness witness_numbers.
From Theorems Require Import k_p3_2.
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
(* no gate, phi(y) - phi(-y) = y *)
Definition half_odd_K (p : choice) : Prop := let K := expert (layer_of p) (part_K p) in
  [/\ router (layer_of p) = None, W_gate K = None & half_odd (phi K)].
(* U C = A for C = V A *)
Definition reaches (p : choice) A := W_up (expert (layer_of p) (part_K p)) *m (V_of p *m A) = A.
(* d neurons, U invertible *)
Definition has_K (p : choice) : Prop := let K := expert (layer_of p) (part_K p) in
  [/\ half_odd_K p, m K = d & W_up K *m V_of p = 1%:M].
Lemma K_reaches p A : has_K p -> reaches p A.
Proof. by case=> _ _ e; rewrite /reaches mulmxA e mul1mx. Qed.
Definition neurons W : nat := (\sum_(e < experts W) m (expert W e))%N.

Lemma wide_neurons Theta Theta' p :
  neurons (wide Theta Theta' p) = (m (expert (layer_of p) (part_K p)) + neurons (layer_of p))%N.
Proof.
rewrite /neurons /= big_ord_recl unlift_none /=; congr (_ + _)%N.
by apply: eq_bigr => l _; rewrite liftK; case: eqP => [->|].
Qed.
Lemma gauge_neurons sh A D W : neurons (gauge_layer sh A D W) = neurons W.
Proof. by rewrite /gauge_layer; case: parallel. Qed.

Fixpoint wide_layers sh (Theta : nat -> 'M[R]_d) (ps : seq choice) (rest : seq layer) : seq layer :=
  if ps is p :: r then wide (Theta 0%N) (Theta 1%N) p :: wide_layers sh (Theta \o succn) r rest
  else [seq gauge_layer sh (Theta 0%N) (Theta 0%N) W | W <- rest].
Definition wide_model sh Theta ps rest M : model :=
  Model (E M *m Theta 0%N) (P M *m Theta 0%N) (omap (mulmx (invmx (Theta (size ps)))) (head M)) (gain_f M) (bias_f M)
        (wide_layers sh Theta ps rest).

(* Layer i can carry Y (Theta_{i+1} - Theta_i). *)
Definition each_reaches (Theta : nat -> 'M[R]_d) ps := forall i p, List.nth_error ps i = Some p ->
  half_odd_K p /\ reaches p (Theta i.+1 - Theta i).
Lemma all_reach Theta ps : (forall p, List.In p ps -> has_K p) -> each_reaches Theta ps.
Proof. by move=> ok i p /(@List.nth_error_In _ _ _ _) in_; have K := ok p in_; split; [case: K|apply: K_reaches]. Qed.

Lemma wide_layers_neurons sh Theta ps rest : map neurons (wide_layers sh Theta ps rest) =
  [seq (m (expert (layer_of p) (part_K p)) + neurons (layer_of p))%N | p <- ps] ++ map neurons rest.
Proof.
elim: ps Theta => [|p r IH] Theta /=; last by rewrite wide_neurons IH.
by rewrite -map_comp; apply: eq_map => W; apply: gauge_neurons.
Qed.

Lemma wide_stack sh Theta ps rest X : norm sh = None -> all_skips sh -> (forall i, Theta i \in unitmx) ->
  each_reaches Theta ps -> model_stack sh (wide_layers sh Theta ps rest) (X *m Theta 0%N) =
  model_stack sh (map layer_of ps ++ rest) X *m Theta (size ps).
Proof.
move=> noN skips; elim: ps Theta X => [|p r IH] Theta X u ok /=.
  have := @stack_gauge R n d h h_kv dk sh (fun=> Theta 0%N) rest X noN (fun=> u 0%N) (fun _ _ => erefl).
  by rewrite gauge_layers_one.
have [[nr ng odd] UC] := ok 0%N p erefl; rewrite (widened_block _ noN skips (u 0%N) nr ng odd) //.
exact: (IH (Theta \o succn) _ (fun i => u i.+1) (fun i => ok i.+1)).
Qed.

Lemma wide_forward sh Theta ps rest M : norm sh = None -> all_skips sh -> (forall i, Theta i \in unitmx) ->
  each_reaches Theta ps -> at_ M = map layer_of ps ++ rest ->
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
Arguments neurons {R n d h h_kv dk} _.

Section Queries.
Variables (R : comUnitRingType) (n h h_kv dk V : nat).
Notation d := (h * dk)%N.
Notation layer := (layer R n d h h_kv dk).
Implicit Types (sh : shape R n d h h_kv dk) (M : model R n d h h_kv dk V) (ps : seq (choice R n d h h_kv dk)).

(* Theta_i = W_Q^i, and `last` behind the layers that become wider *)
Definition bases last ps i : 'M[R]_d := nth last [seq W_Q (layer_of p) | p <- ps] i.
Lemma bases_cat last ps q i : (i <= size ps)%N -> bases last (ps ++ [:: q]) i = bases (W_Q (layer_of q)) ps i.
Proof.
rewrite /bases map_cat nth_cat size_map leq_eqVlt => /orP [/eqP ->|lt].
  by rewrite ltnn subnn [RHS]nth_default ?size_map.
by rewrite lt; apply: set_nth_default; rewrite size_map.
Qed.
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
- by apply: wide_forward => // [i|]; [apply: bases_unit|apply: all_reach].
- by apply: wide_queries => // W0 [<-|//]; rewrite mulVmx.
by have [_ e _] := ok p in_; rewrite wide_neurons e.
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
- apply: wide_forward => // [i|||_]; first by apply: bases_unit => //; rewrite unitmx_inv unitmx_tr.
  + exact: all_reach.
  + by rewrite cats0.
  by rewrite bases_end /bases /= mulVmx // unitmx_tr.
- by apply: wide_queries.
- by rewrite /M' /= un.
by have [_ e _] := ok p in_; rewrite wide_neurons e.
Qed.
End Queries.

(* ---- d - d_k neurons -------------------------------------------------------------------------------------------- *)

(* W_Q D and W_K D^-T are as good as W_Q and W_K (K-P3.2: no RoPE, no QK-norm), D = diag(D_1, .., D_h).  Let U have
 * d - d_k columns, and N the d_k rows with N U = 0.  With D_a = (N W_Q'^a)^-1 N Theta^a for the next layer's W_Q', N
 * sees no difference between Theta' = W_Q' D and Theta, so Theta' - Theta = U C. *)
Section Fewer.
Variables (R : comUnitRingType) (n h dk V : nat).
Notation d := (h * dk)%N.
Notation layer := (layer R n d h h dk).
Notation choice := (choice R n d h h dk).
Implicit Types (sh : shape R n d h h dk) (M : model R n d h h dk V) (W : layer) (N : 'M[R]_(dk, d)) (Q Theta : 'M[R]_d).

(* A layer with its K, and N *)
Notation kept := (choice * 'M[R]_(dk, d))%type.
(* d - d_k neurons; (U | S) is invertible, its inverse is V above N.  In a field: U has full rank, N spans what is
   orthogonal to it (`full_rank`). *)
Definition has_fewer (p : kept) : Prop := let U := W_up (expert (layer_of p.1) (part_K p.1)) in
  [/\ half_odd_K p.1, (m (expert (layer_of p.1) (part_K p.1)) + dk = d)%N & exists S, U *m V_of p.1 + S *m p.2 = 1%:M].
Lemma fewer_reaches (p : kept) A : has_fewer p -> p.2 *m A = 0 -> reaches p.1 A.
Proof.
by case=> _ _ [S e] z; rewrite /reaches mulmxA -[RHS]mul1mx -e mulmxDl -(mulmxA S) z mulmx0 addr0.
Qed.

(* N W_Q^a is invertible, d_k x d_k, for every head a. *)
Definition meets N Q := forall a, N *m cols Q a \in unitmx.
(* N of each layer meets the queries of that layer and of the next. *)
Fixpoint neighbours_meet N (ps : seq kept) W : Prop :=
  if ps is p :: r then [/\ meets N (W_Q (layer_of p.1)), meets p.2 (W_Q (layer_of p.1)) & neighbours_meet p.2 r W]
  else meets N (W_Q W).

Definition aligned N Theta Q : 'I_h -> 'M[R]_dk := fun a => invmx (N *m cols Q a) *m (N *m cols Theta a).
Lemma aligned_unit N Theta Q a : meets N Theta -> meets N Q -> aligned N Theta Q a \in unitmx.
Proof. by move=> uT uQ; rewrite unitmx_mul unitmx_inv uT uQ. Qed.
Lemma aligned_agrees N Theta Q : meets N Q -> N *m (Q *m blockdiag (aligned N Theta Q)) = N *m Theta.
Proof. by move=> uQ; apply: cols_inj => a; rewrite 2!(cols_mul N) cols_mul_blockdiag mulmxA mulKVmx. Qed.
Lemma meets_turned N Q D : meets N Q -> (forall a, D a \in unitmx) -> meets N (Q *m blockdiag D).
Proof. by move=> uQ uD a; rewrite cols_mul_blockdiag mulmxA unitmx_mul uQ uD. Qed.

Definition own sh := no_rope sh /\ forall a, group sh a = a.
Lemma turned_query sh D W : own sh -> W_Q (turn_query_key sh D W) = W_Q W *m blockdiag D.
Proof. by case=> _ own /=; congr (_ *m _); apply: eq_blockdiag => a; rewrite own. Qed.
Lemma turned_unit sh D W : own sh -> (forall a, D a \in unitmx) -> W_Q W \in unitmx ->
  W_Q (turn_query_key sh D W) \in unitmx.
Proof. by move=> o uD uW; rewrite turned_query // unitmx_mul uW; have [_ ->] := blockdiag_unit uD. Qed.
Lemma turned_block sh D W X : own sh -> no_qk_norm W -> (forall a, D a \in unitmx) ->
  model_block sh (turn_query_key sh D W) X = model_block sh W X.
Proof.
case=> rope _ nn uD; apply: block_with_attention => {}X.
by rewrite /model_attention -/(turn_query_key sh D W) attention.
Qed.

(* The heads of each layer behind the basis Theta turned, one layer after the other: N W_Q^i D = N Theta for the turned
 * queries Theta of the layer before, with that layer's N. *)
Definition turn_kept sh D (p : kept) : kept :=
  (@Choice R n d h h dk (turn_query_key sh D (layer_of p.1)) (part_K p.1) (V_of p.1), p.2).
Definition layers_of (ps : seq kept) : seq layer := [seq layer_of p.1 | p <- ps].
Definition bases_of last (ps : seq kept) := bases last (unzip1 ps).
Fixpoint turn_layers sh N Theta (ps : seq kept) W : seq kept * ('I_h -> 'M[R]_dk) :=
  if ps is p :: r then
    let D := aligned N Theta (W_Q (layer_of p.1)) in
    let rest := turn_layers sh p.2 (W_Q (layer_of p.1) *m blockdiag D) r W in (turn_kept sh D p :: rest.1, rest.2)
  else ([::], aligned N Theta (W_Q W)).
Lemma align sh N Theta ps W : own sh ->
  (forall W', List.In W' (layers_of ps ++ [:: W]) -> no_qk_norm W' /\ W_Q W' \in unitmx) ->
  (forall p, List.In p ps -> has_fewer p) -> meets N Theta -> neighbours_meet N ps W ->
  let ps' := (turn_layers sh N Theta ps W).1 in let D := (turn_layers sh N Theta ps W).2 in
  let W' := turn_query_key sh D W in let Th := bases_of (W_Q W') ps' in
    [/\ forall X, model_stack sh (layers_of ps' ++ [:: W']) X = model_stack sh (layers_of ps ++ [:: W]) X,
        queries_unit (unzip1 ps') /\ W_Q W' \in unitmx,
        forall p, List.In p ps' -> has_fewer p,
        [seq neurons (layer_of p.1) | p <- ps'] = [seq neurons (layer_of p.1) | p <- ps] &
        N *m Th 0%N = N *m Theta /\ forall i p, List.nth_error ps' i = Some p -> p.2 *m (Th i.+1 - Th i) = 0].
Proof.
move=> o; elim: ps N Theta => [|p r IH] N Theta ok fewer uT.
  move=> uW ps' D W' Th; have uD a := aligned_unit a uT uW.
  have [nn uQ] := ok W (or_introl erefl); split=> [X|||//|].
  - exact: turned_block.
  - by split=> //; apply: turned_unit.
  - by [].
  split=> [|[]//]; rewrite [Th 0%N](_ : _ = W_Q W') //.
  by rewrite /W' turned_query // aligned_agrees.
case=> uW uP next; have [nn uQ] := ok _ (or_introl erefl).
pose D0 := aligned N Theta (W_Q (layer_of p.1)); have uD a : D0 a \in unitmx := aligned_unit a uT uW.
have uT' := meets_turned uP uD.
have [|q in_|same [units uLast] fewer' sizes [first steps]] := IH p.2 _ _ _ uT' next.
- by move=> W' in_; apply: ok; right.
- by apply: fewer; right.
move=> ps' D W' Th; split.
- by move=> X; rewrite /= turned_block //; apply: same.
- by split=> // q [<-|/units //]; apply: turned_unit.
- by move=> q [<-|/fewer' //]; have := fewer p (or_introl erefl).
- by rewrite /= sizes.
split; first by rewrite [Th 0%N](_ : _ = W_Q (turn_query_key sh D0 (layer_of p.1))) // turned_query // aligned_agrees.
case=> [|i] q /=; last exact: steps.
case=> <-; rewrite mulmxBr; apply/eqP; rewrite subr_eq0; apply/eqP; apply: etrans first _.
by rewrite [Th 0%N](_ : _ = W_Q (turn_query_key sh D0 (layer_of p.1))) // turned_query.
Qed.

Lemma nth_unzip1 (ps : seq kept) i c : List.nth_error (unzip1 ps) i = Some c ->
  exists p, List.nth_error ps i = Some p /\ p.1 = c.
Proof. by elim: ps i => [|p r IH] [|i] //= => [[<-]|/IH]; first by exists p. Qed.
Lemma nth_last (T : Type) (s : seq T) x i c : List.nth_error (s ++ [:: x]) i = Some c ->
  (List.nth_error s i = Some c /\ (i < size s)%N) \/ (i = size s /\ c = x).
Proof.
elim: s i => [|y s IH] [|i] //=; first by case=> <-; right.
- by case: i.
- by case=> <-; left.
by move=> /IH [[-> lt]|[-> ->]]; [left|right].
Qed.
Lemma fewer_neurons (ps : seq kept) : (forall p, List.In p ps -> has_fewer p) ->
  [seq (m (expert (layer_of c) (part_K c)) + neurons (layer_of c))%N | c <- unzip1 ps] =
  [seq (d - dk + k)%N | k <- [seq neurons (layer_of p.1) | p <- ps]].
Proof.
elim: ps => //= p r IH ok; rewrite IH => [|q in_]; last by apply: ok; right.
by have [_ /(canRL (addnK dk)) e _] := ok p (or_introl erefl); rewrite e.
Qed.

(* Untied: d - d_k neurons more in each MLP but the last. *)
(* Provably: claim=N6 part=as-stated-fewer-neurons theorem=untied_fewer quantifiers=all commutative rings, sizes, heads, depths >= 2, masks, row maps, half-odd phi; K of d - d_k neurons, N_i W_Q^{i,a} and N_i W_Q^{i+1,a} invertible *)
Theorem untied_fewer sh M p0 ps W : norm sh = None -> all_skips sh -> own sh -> head M <> None ->
  at_ M = layers_of (p0 :: ps) ++ [:: W] ->
  (forall W, List.In W (at_ M) -> no_qk_norm W /\ W_Q W \in unitmx) ->
  (forall p, List.In p (p0 :: ps) -> has_fewer p) -> neighbours_meet p0.2 (p0 :: ps) W ->
  let turned := turn_layers sh p0.2 (W_Q (layer_of p0.1)) (p0 :: ps) W in let ps' := turned.1 in
  let W' := turn_query_key sh turned.2 W in
  let M' := wide_model sh (bases_of (W_Q W') ps') (unzip1 ps') [:: W'] M in
  [/\ same_function sh M' M, forall W', List.In W' (at_ M') -> W_Q W' = 1%:M &
    map neurons (at_ M') = [seq (d - dk + neurons W)%N | W <- layers_of (p0 :: ps)] ++ [:: neurons W]].
Proof.
move=> noN skips o un layers ok fewer meet turned ps' W' M'; rewrite layers in ok.
have [uT _ _] := meet; have [same [units uL] fewer' sizes [_ steps]] := align o ok fewer uT meet.
rewrite -/turned -/ps' -/W' in same units uL fewer' sizes steps.
pose M1 := with_layers M (layers_of ps' ++ [:: W']).
split=> [T|W1|].
- rewrite -[M']/(wide_model sh _ _ _ M1) wide_forward //; first by rewrite /model_forward [at_ M1]/= same -layers.
  + by move=> i; apply: bases_unit.
  + move=> i c /nth_unzip1 [p [e <-]]; have F := fewer' p (List.nth_error_In _ _ e).
    by split; [case: F|apply: fewer_reaches F (steps i p e)].
  + by rewrite /= -map_comp.
- by apply: wide_queries => // W0 [<-|//]; rewrite mulVmx.
by rewrite wide_layers_neurons fewer_neurons // sizes /layers_of -!map_comp.
Qed.

(* Tied: d - d_k neurons more in each MLP, d in the last, and the head stays tied. *)
(* Provably: claim=N6 part=as-stated-fewer-tied-neurons theorem=tied_fewer quantifiers=all commutative rings, sizes, heads, depths >= 2, masks, row maps, half-odd phi; K of d - d_k neurons, N_i W_Q^{i,a} and N_i W_Q^{i+1,a} invertible *)
Theorem tied_fewer sh M p0 ps q : norm sh = None -> all_skips sh -> own sh -> head M = None ->
  at_ M = layers_of (p0 :: ps) ++ [:: layer_of q] ->
  (forall W, List.In W (at_ M) -> no_qk_norm W /\ W_Q W \in unitmx) ->
  (forall p, List.In p (p0 :: ps) -> has_fewer p) -> neighbours_meet p0.2 (p0 :: ps) (layer_of q) -> has_K q ->
  let turned := turn_layers sh p0.2 (W_Q (layer_of p0.1)) (p0 :: ps) (layer_of q) in let ps' := turned.1 in
  let q' := @Choice R n d h h dk (turn_query_key sh turned.2 (layer_of q)) (part_K q) (V_of q) in
  let cs := unzip1 ps' ++ [:: q'] in let last := invmx (bases_of (W_Q (layer_of q')) ps' 0%N)^T in
  let M' := wide_model sh (bases last cs) cs [::] M in
  [/\ same_function sh M' M, forall W', List.In W' (at_ M') -> W_Q W' = 1%:M, head M' = None &
    map neurons (at_ M') =
      [seq (d - dk + neurons W)%N | W <- layers_of (p0 :: ps)] ++ [:: (d + neurons (layer_of q))%N]].
Proof.
move=> noN skips o un layers ok fewer meet Kq turned ps' q' cs last M'; rewrite layers in ok.
have [uT _ _] := meet; have [same [units uL] fewer' sizes [_ steps]] := align o ok fewer uT meet.
rewrite -/turned -/ps' in same units uL fewer' sizes steps.
have Kq' : has_K q' := Kq.
pose first := bases_of (W_Q (layer_of q')) ps' 0%N.
have u0 : first \in unitmx by apply: bases_unit.
have ul : last \in unitmx by rewrite unitmx_inv unitmx_tr.
have uc : queries_unit cs.
  move=> c in_c; have [/(_ in_c) [in1|[e|[]]] _] := @List.in_app_iff _ (unzip1 ps') [:: q'] c.
    exact: (units c in1).
  by rewrite -e; exact: uL.
pose M1 := with_layers M (layers_of ps' ++ [:: layer_of q']).
split=> [T|W1||].
- rewrite -[M']/(wide_model sh _ _ _ M1) wide_forward //; first by rewrite /model_forward [at_ M1]/= same -layers.
  + by move=> i; apply: bases_unit.
  + move=> i c in_; have [[in1 lt]|[_ ->]] := nth_last in_; last by split; [case: Kq'|apply: K_reaches].
    have [p [e <-]] := nth_unzip1 in1.
    have F := fewer' p (List.nth_error_In _ _ e); split; first by case: F.
    by apply: (fewer_reaches F); rewrite !bases_cat ?(ltnW lt) //; apply: steps.
  + by rewrite /= cats0 /cs map_cat -map_comp.
  + by move=> _; rewrite bases_end (bases_cat _ _ (leq0n _)) -/first /last mulVmx ?unitmx_tr.
- exact: (@wide_queries R n h h dk sh last cs [::]).
- by rewrite /= un.
rewrite wide_layers_neurons /cs map_cat fewer_neurons // sizes /layers_of -!map_comp cats0.
by have [_ e _] := Kq; rewrite /= -/(neurons (layer_of q)) e.
Qed.
End Fewer.

(* In a field it is enough that U has full rank d - d_k and N full rank d_k, N U = 0: then some V and S are there. *)
Lemma full_rank (F : fieldType) d k dk (U : 'M[F]_(d, k)) (N : 'M[F]_(dk, d)) : (k + dk = d)%N ->
  \rank U = k -> \rank N = dk -> N *m U = 0 -> exists (V : 'M_(k, d)) (S : 'M_(d, dk)), U *m V + S *m N = 1%:M.
Proof.
move=> sum rU rN z; exists (pinvmx U), ((1%:M - U *m pinvmx U) *m pinvmx N).
have left_inverse : pinvmx U *m U = 1%:M.
  have : (1%:M <= U)%MS by rewrite sub1mx /row_full rU.
  by move/mulmxKpV; rewrite mul1mx.
rewrite -mulmxA; suff -> : (1%:M - U *m pinvmx U) *m (pinvmx N *m N) = 1%:M - U *m pinvmx U by rewrite addrC subrK.
rewrite mulmxA mulmxKpV //; apply: (@submx_trans _ _ _ _ _ _ (kermx U)).
  by apply/sub_kermxP; rewrite mulmxBl mul1mx -mulmxA left_inverse mulmx1 subrr.
have within : (N <= kermx U)%MS by apply/sub_kermxP.
by rewrite -(geq_leqif (mxrank_leqif_sup within)) mxrank_ker rU rN -sum addKn.
Qed.

(* K has at least as many neurons as Theta' - Theta has rank: one less than d, or d - d_k where Theta' was not turned to
 * agree with Theta, does not do. *)
(* Needed: theorem=untied,tied hypothesis=K of d neurons lemma=needs_neurons *)
(* Needed: theorem=untied_fewer,tied_fewer hypothesis=K of d - d_k neurons lemma=needs_neurons *)
(* Needed: theorem=tied_fewer hypothesis=K of d neurons in the last layer lemma=needs_neurons *)
Lemma needs_neurons (F : fieldType) n d h h_kv dk (p : choice F n d h h_kv dk) A : reaches p A ->
  (\rank A <= m (expert (layer_of p) (part_K p)))%N.
Proof. by move=> <-; apply: leq_trans (mxrankM_maxl _ _) (rank_leq_col _). Qed.

(* Where N does not see the next W_Q^a, but sees Theta^a, no D makes them agree. *)
(* Needed: theorem=untied_fewer,tied_fewer hypothesis=N_i meets the W_Q of its layer and of the next lemma=needs_meeting *)
Lemma needs_meeting (R : comUnitRingType) h dk (N : 'M[R]_(dk, h * dk)) (Q Theta : 'M[R]_(h * dk)) a :
  N *m cols Q a = 0 -> N *m cols Theta a <> 0 -> forall D, N *m (Q *m blockdiag D) <> N *m Theta.
Proof.
move=> blind sees D /(congr1 (fun A => cols A a)); rewrite 2!(cols_mul N) cols_mul_blockdiag mulmxA blind mul0mx.
by move/esym/sees.
Qed.

(* ---- without a hypothesis: numbers, E = 1, an attention that writes nothing, phi(y) = y / 2, which is half-odd --- *)

Section Needed.
Definition half_of (y : rat) := y / 2%:R.
Lemma half_of_odd : half_odd half_of.
Proof. by move=> y; rewrite /half_of mulNr opprK -mulrDl -mulr2n -(mulr_natr y 2) mulfK. Qed.
(* W_Q = q, W_V = 1, W_O = o; K has W_up = 1 and W_down = c *)
Definition with_K (q o c : rat) gate router phi : small_layer :=
  @Layer _ 1 (1 * 1) 1 1 1 (num q) 0 0 0 1%:M 0 (num o) 0 1%:M 0 1%:M 0 (fun _ A => A) (fun _ A => A)
         (fun=> softmax_of_one) 1 router (fun=> @Mlp _ (1 * 1) (1 * 1) 1%:M 0 gate (num c) 0 phi).
(* V = v *)
Definition chosen q o c gate router phi (v : rat) : choice rational 1 (1 * 1) 1 1 1 :=
  @Choice _ 1 (1 * 1) 1 1 1 (with_K q o c gate router phi) ord0 (num v).
(* what K and the new neurons write, with C = v (t - s) *)
Lemma wide_writes s t q o c gate router phi v x :
  mlps_number (wide (num s) (num t) (chosen q o c gate router phi v)) x =
  phi (- (x / s)) * - (v * (t - s)) + phi (x / s) * (c * t + v * (t - s)).
Proof.
rewrite /mlps_number big_ord_recl big_ord1 /= unlift_none liftK !mul1r /mlp_number /= !big_ord1.
by rewrite !(mxE, big_ord1, inverse_of_one) /= !(mul0r, oppr0, addr0, mulr1, mulr1n, mulrN).
Qed.

(* K, then a layer with W_Q = q and `mlps` MLPs that hand on what they read; or K alone, tied *)
Notation two p mlps q H := (small_model_of H [:: layer_of p; speaking q 0 0 0 mlps]).
Notation untied_of sh p mlps q H :=
  (wide_model sh (bases (num q) [:: p]) [:: p] [:: speaking q 0 0 0 mlps] (two p mlps q H)).
Notation one p := (small_model_of None [:: layer_of p]).
Notation tied_of sh p := (wide_model sh (bases (invmx (W_Q (layer_of p))^T) [:: p]) [:: p] [::] (one p)).
Notation plain_K q o := (chosen q o 0 None None half_of 1).
Notation H1 := (Some (num 1)).
Ltac by_wide := rewrite (@logit_is _ _ _ _ id id true); [|by do ?[split] => *; rewrite ?mxE];
  rewrite /= /block_number /bases /= ?tr_scalar_mx ?invmx_scalar ?wide_writes /attention_number /mlps_number;
  rewrite /mlp_number /normed /= ?(big_ord0, big_ord1) !(mxE, big_ord1, inverse_of_one) /=; apply/eqP; vm_compute.

(* A norm: the logit is 3/10 in place of 1/2; tied, W_Q = 2: 6/5 in place of 1/2. *)
(* Needed: theorem=untied,tied hypothesis=no normalization lemma=needs_no_norm *)
Lemma needs_no_norm : let sh := world true true false (Some shrunk) in
  [/\ logit sh (untied_of sh (plain_K 1 0) 0 2%:R H1) = 3%:R / 10%:R,
      logit sh (two (plain_K 1 0) 0 2%:R H1) = 1 / 2%:R,
      logit sh (tied_of sh (plain_K 2%:R 0)) = 6%:R / 5%:R & logit sh (one (plain_K 2%:R 0)) = 1 / 2%:R].
Proof. by split; by_wide. Qed.
(* No skip around the MLP, the second layer hands on: 1/2 in place of 0; tied: -3 in place of 0. *)
(* Needed: theorem=untied,tied hypothesis=a skip around the MLP lemma=needs_MLP_skip *)
(* Needed: theorem=untied,tied hypothesis=a skip around the attention argued=nothing goes wrong without it: W_O then writes in the basis in which the MLP's skip starts *)
Lemma needs_MLP_skip : let sh := world true false false None in
  [/\ logit sh (untied_of sh (plain_K 1 0) 1 2%:R H1) = 1 / 2%:R, logit sh (two (plain_K 1 0) 1 2%:R H1) = 0,
      logit sh (tied_of sh (plain_K 2%:R 0)) = - 3%:R & logit sh (one (plain_K 2%:R 0)) = 0].
Proof. by split; by_wide. Qed.
(* An attention that writes, W_V = W_O = 1, beside the MLP: 3/2 in place of 2; tied: 5 in place of 2. *)
(* Needed: theorem=untied,tied hypothesis=the MLP behind the attention, not beside it lemma=needs_no_parallel *)
Lemma needs_no_parallel : let sh := world true true true None in
  [/\ logit sh (untied_of sh (plain_K 1 1) 0 2%:R H1) = 3%:R / 2%:R, logit sh (two (plain_K 1 1) 0 2%:R H1) = 2%:R,
      logit sh (tied_of sh (plain_K 2%:R 1)) = 5%:R & logit sh (one (plain_K 2%:R 1)) = 2%:R].
Proof. by split; by_wide. Qed.

Notation sh := (world true true false None).
(* A tied head: 2 in place of 1. *)
(* Needed: theorem=untied hypothesis=untied head lemma=needs_untied *)
(* Needed: theorem=tied hypothesis=a tied head argued=names the case: it says that the head stays tied; untied is the theorem before *)
(* Needed: theorem=untied,tied hypothesis=the layers are those of ps argued=ps is only the layers, each with its K *)
Lemma needs_untied : logit sh (untied_of sh (plain_K 1 0) 0 2%:R None) = 2%:R /\
  logit sh (two (plain_K 1 0) 0 2%:R None) = 1.
Proof. by split; by_wide. Qed.
(* W_Q = 0 has no inverse (Coq writes 0 for it), in the layer with K or in the last: 0 in place of 1. *)
(* Needed: theorem=untied,tied hypothesis=every W_Q of a layer with K in GL(d) lemma=needs_invertible *)
(* Needed: theorem=untied hypothesis=W_Q of the last layer in GL(d) lemma=needs_invertible *)
Lemma needs_invertible :
  [/\ logit sh (untied_of sh (plain_K 0 0) 0 2%:R H1) = 0, logit sh (two (plain_K 0 0) 0 2%:R H1) = 1,
      logit sh (untied_of sh (plain_K 1 0) 0 0 H1) = 0 & logit sh (two (plain_K 1 0) 0 0 H1) = 1] /\
  logit sh (tied_of sh (plain_K 0 0)) = 0 /\ logit sh (one (plain_K 0 0)) = 1.
Proof. by split; split; by_wide. Qed.
(* phi = 0, which is not half-odd: 1/2 in place of 1; tied: 4 in place of 1. *)
(* Needed: theorem=untied,tied hypothesis=phi half-odd lemma=needs_half_odd *)
Lemma needs_half_odd : let zero_K q := chosen q 0 0 None None (fun=> 0) 1 in
  [/\ logit sh (untied_of sh (zero_K 1) 0 2%:R H1) = 1 / 2%:R, logit sh (two (zero_K 1) 0 2%:R H1) = 1,
      logit sh (tied_of sh (zero_K 2%:R)) = 4%:R & logit sh (one (zero_K 2%:R)) = 1].
Proof. by split; by_wide. Qed.
(* V = 0 in place of the inverse of W_up: 1/2 in place of 1; tied: 4 in place of 1. *)
(* Needed: theorem=untied,tied hypothesis=W_up V is 1 lemma=needs_inverse_of_up *)
Lemma needs_inverse_of_up : let lame_K q := chosen q 0 0 None None half_of 0 in
  [/\ logit sh (untied_of sh (lame_K 1) 0 2%:R H1) = 1 / 2%:R, logit sh (two (lame_K 1) 0 2%:R H1) = 1,
      logit sh (tied_of sh (lame_K 2%:R)) = 4%:R & logit sh (one (lame_K 2%:R)) = 1].
Proof. by split; by_wide. Qed.
(* A gate 2, W_down = 1: 3/2 in place of 2, tied or not. *)
(* Needed: theorem=untied,tied hypothesis=no gate in K lemma=needs_no_gate *)
Lemma needs_no_gate : let gated_K q := chosen q 0 1 (Some (num 2%:R, 0)) None half_of 1 in
  [/\ logit sh (untied_of sh (gated_K 1) 0 2%:R H1) = 3%:R / 2%:R, logit sh (two (gated_K 1) 0 2%:R H1) = 2%:R,
      logit sh (tied_of sh (gated_K 2%:R)) = 3%:R / 2%:R & logit sh (one (gated_K 2%:R)) = 2%:R].
Proof. by split; by_wide. Qed.
(* A router that weighs K with 0, W_down = 1: 3/2 in place of 1, tied or not. *)
(* Needed: theorem=untied,tied hypothesis=no router lemma=needs_no_router *)
Lemma needs_no_router : let routed_K q := chosen q 0 1 None (Some (0, fun w => w)) half_of 1 in
  [/\ logit sh (untied_of sh (routed_K 1) 0 2%:R H1) = 3%:R / 2%:R, logit sh (two (routed_K 1) 0 2%:R H1) = 1,
      logit sh (tied_of sh (routed_K 2%:R)) = 3%:R / 2%:R & logit sh (one (routed_K 2%:R)) = 1].
Proof. by split; by_wide. Qed.
End Needed.

(* With d - d_k neurons.  In numbers, where d = d_k, K has none, and every basis is the first W_Q: Theorem 4.2's. *)
(* Needed: theorem=untied_fewer hypothesis=no normalization lemma=k_t4_2.needs_no_norm *)
(* Needed: theorem=untied_fewer hypothesis=untied head lemma=k_t4_2.needs_untied *)
(* Needed: theorem=untied_fewer,tied_fewer hypothesis=every W_Q in GL(d) lemma=k_t4_2.needs_invertible *)
(* What parts of an MLP write is asked as above. *)
(* Needed: theorem=tied_fewer hypothesis=no normalization lemma=needs_no_norm *)
(* Needed: theorem=untied_fewer,tied_fewer hypothesis=a skip around the MLP lemma=needs_MLP_skip *)
(* Needed: theorem=untied_fewer,tied_fewer hypothesis=the MLP behind the attention, not beside it lemma=needs_no_parallel *)
(* Needed: theorem=untied_fewer,tied_fewer hypothesis=phi half-odd lemma=needs_half_odd *)
(* Needed: theorem=untied_fewer,tied_fewer hypothesis=no gate in K lemma=needs_no_gate *)
(* Needed: theorem=untied_fewer,tied_fewer hypothesis=no router lemma=needs_no_router *)
(* Needed: theorem=untied_fewer,tied_fewer hypothesis=(W_up | S) invertible, its inverse V above N lemma=needs_inverse_of_up *)
(* The next layer's queries and keys are turned by D = W_Q^-1 where the basis before is 1: as in N7. *)
(* Needed: theorem=untied_fewer,tied_fewer hypothesis=no rotations lemma=n7.blocks_need_no_rope *)
(* Needed: theorem=untied_fewer,tied_fewer hypothesis=a key head for each head lemma=n7.blocks_need_own_keys *)
(* Needed: theorem=untied_fewer,tied_fewer hypothesis=no norm of queries lemma=n7.blocks_need_no_query_norm *)
(* Needed: theorem=untied_fewer,tied_fewer hypothesis=no norm of keys lemma=n7.blocks_need_no_key_norm *)
(* Needed: theorem=tied_fewer hypothesis=a tied head argued=names the case: it says that the head stays tied; untied is the theorem before *)
(* Needed: theorem=untied_fewer,tied_fewer hypothesis=the layers are those of ps argued=ps is only the layers, each with its K and N *)
