(* evaluate.v - the transformer of transformer.v by computation: what its logits are for given numbers.
 *
 * MathComp's matrices do not compute.  Here a matrix is a table of numbers of a type T that does, each function of
 * transformer.v has a twin on tables (its name with e before it), and `evaluates` says that both agree, for every size,
 * every ring and every T whose numbers stand for elements of that ring.  With Coq's binary rationals it shows that the
 * logits that src/model/model.c computes over Q are those of the formal model (tests/formal_model.sh). *)
From Coq Require Import ZArith QArith Qreduction Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope nat_scope.
Local Open Scope ring_scope.

Section Tables.
Variables (R : comUnitRingType) (T : Type) (zero : T) (add mul : T -> T -> T) (val : T -> R).
Hypotheses (val0 : val zero = 0) (valD : forall a b, val (add a b) = val a + val b)
           (valM : forall a b, val (mul a b) = val a * val b).

Definition table := nat -> nat -> T.
(* the m x n matrix of a table *)
Definition mx m n (f : table) : 'M[R]_(m, n) := \matrix_(i, j) val (f i j).
(* the same table, each entry computed once *)
Definition memo m n (f : table) : table :=
  let l := mkseq (fun i => mkseq (f i) n) m in fun i j => nth zero (nth [::] l i) j.
Lemma mx_memo m n f : mx m n (memo m n f) = mx m n f.
Proof. by apply/matrixP => i j; rewrite !mxE /memo !nth_mkseq. Qed.

Fixpoint sum n (F : nat -> T) : T := if n is k.+1 then add (sum k F) (F k) else zero.
Lemma sumE n F : val (sum n F) = \sum_(k < n) val (F k).
Proof. by elim: n => [|n IH]; rewrite ?big_ord0 // big_ord_recr /= valD IH. Qed.

Definition emul p (f g : table) : table := fun i j => sum p (fun k => mul (f i k) (g k j)).
Definition eadd (f g : table) : table := fun i j => add (f i j) (g i j).
Definition etr (f : table) : table := fun i j => f j i.
Lemma mx_mul m p n f g : mx m p f *m mx p n g = mx m n (emul p f g).
Proof. by apply/matrixP => i j; rewrite !mxE sumE; apply: eq_bigr => k _; rewrite !mxE valM. Qed.
Lemma mx_add m n f g : mx m n f + mx m n g = mx m n (eadd f g).
Proof. by apply/matrixP => i j; rewrite !mxE valD. Qed.
Lemma mx_tr m n f : (mx m n f)^T = mx n m (etr f).
Proof. by apply/matrixP => i j; rewrite !mxE. Qed.

Definition eaffine p (X W b : table) : table := eadd (emul p X W) (fun _ j => b 0%N j).
Lemma mx_affine n p q X W b : affine (mx n p X) (mx p q W) (mx 1 q b) = mx n q (eaffine p X W b).
Proof.
rewrite /affine mx_mul (_ : \matrix_(_, j) _ = mx n q (fun _ j => b 0%N j)) ?mx_add //.
by apply/matrixP => i j; rewrite !mxE.
Qed.

(* ---- a model in tables ------------------------------------------------------------------------------------- *)

Record emlp := EMlp { em : nat; eW_up : table; eb_up : table; eW_gate : option (table * table);
                      eW_down : table; eb_down : table }.
Record elayer := ELayer { eW_Q : table; eb_Q : table; eW_K : table; eb_K : table; eW_V : table; eb_V : table;
                          eW_O : table; eb_O : table; erouter : option table; eexperts : seq emlp }.

Variables (n d h h_kv dk V r : nat).                       (* r heads read one key-value head *)
Variables (skip1 skip2 side : bool) (vis : nat -> nat -> bool) (escale : T) (erot : nat -> table).
Variables (ephi : T -> T) (phi_ : R -> R) (grp : 'I_h -> 'I_h_kv).
Hypotheses (val_phi : forall t, val (ephi t) = phi_ (val t)) (grpE : forall a, grp a = (a %/ r)%N :> nat).

Definition shape_of : shape R n d h h_kv dk :=
  Shape skip1 skip2 side None (fun i j => vis i j) (val escale) grp (fun t => mx dk dk (erot t)).
(* the masked scores themselves: ROWMAP_LINEAR of functions.h *)
Definition linear_rows (see : 'I_n -> 'I_n -> bool) (S : 'M[R]_n) : 'M[R]_n := \matrix_(i, j) (S i j *+ see i j).
Definition mlp_of (F : emlp) : mlp R d :=
  Mlp (mx d (em F) (eW_up F)) (mx 1 (em F) (eb_up F))
      (omap (fun G => (mx d (em F) G.1, mx 1 (em F) G.2)) (eW_gate F))
      (mx (em F) d (eW_down F)) (mx 1 d (eb_down F)) phi_.
Definition no_mlp : emlp := EMlp 0 (fun _ _ => zero) (fun _ _ => zero) None (fun _ _ => zero) (fun _ _ => zero).
Definition layer_of (W : elayer) : layer R n d h h_kv dk :=
  Layer (mx d (h * dk) (eW_Q W)) (mx 1 (h * dk) (eb_Q W)) (mx d (h_kv * dk) (eW_K W)) (mx 1 (h_kv * dk) (eb_K W))
        (mx d (h_kv * dk) (eW_V W)) (mx 1 (h_kv * dk) (eb_V W)) (mx (h * dk) d (eW_O W)) (mx 1 d (eb_O W))
        1%:M 0 1%:M 0 (fun _ A => A) (fun _ A => A) (fun _ => linear_rows)
        (omap (fun w => (mx d (size (eexperts W)) w, id)) (erouter W))
        (fun e : 'I_(size (eexperts W)) => mlp_of (nth no_mlp (eexperts W) e)).

(* ---- attention --------------------------------------------------------------------------------------------- *)

Definition ecols (A : table) (a : nat) : table := fun i j => A i (a * dk + j)%N.
Definition erotate (A : table) : table := fun t j => sum dk (fun k => mul (A t k) (erot t k j)).
Definition ehead_attention (Q K X : table) (a : nat) : table :=
  let g := (a %/ r)%N in
  let q := memo n dk (erotate (ecols Q a)) in
  let k := memo n dk (erotate (ecols K g)) in
  let S := memo n n (fun i j => if vis i j then mul escale (emul dk q (etr k) i j) else zero) in
  memo n dk (emul n S (ecols X g)).
Definition emodel_attention (W : elayer) (X : table) : table :=
  let Q := memo n (h * dk) (eaffine d X (eW_Q W) (eb_Q W)) in
  let K := memo n (h_kv * dk) (eaffine d X (eW_K W) (eb_K W)) in
  let Y := memo n (h_kv * dk) (eaffine d X (eW_V W) (eb_V W)) in
  let l := mkseq (ehead_attention Q K Y) h in
  let S := memo n (h * dk) (fun i k => nth (fun _ _ => zero) l (k %/ dk) i (k %% dk)%N) in
  memo n d (eaffine (h * dk) S (eW_O W) (eb_O W)).

Lemma cols_mx (h' : nat) A (a : 'I_h') : cols (mx n (h' * dk) A) a = mx n dk (ecols A a).
Proof. by apply/matrixP => i j; rewrite !mxE. Qed.
Lemma rotate_mx A : rotate shape_of (mx n dk A) = mx n dk (erotate A).
Proof. by apply/matrixP => t j; rewrite !mxE sumE; apply: eq_bigr => k _; rewrite !mxE valM. Qed.
Lemma head_attention_mx W Q K X (a : 'I_h) :
  head_attention shape_of (layer_of W) (mx n dk (ecols Q a)) (mx n dk (ecols K (grp a))) (mx n dk (ecols X (grp a))) a
  = mx n dk (ehead_attention Q K X a).
Proof.
rewrite /head_attention /ehead_attention -grpE !mx_memo /= !rotate_mx -mx_mul mx_memo; congr (_ *m _).
apply/matrixP => i j; rewrite mx_tr mx_mul [in RHS]mxE; case: ifP => see; last by rewrite !mxE see val0.
rewrite !mxE see valM; congr (_ * _); rewrite !sumE; apply: eq_bigr => k _; rewrite !valM /etr.
by rewrite /memo !nth_mkseq.
Qed.
Lemma model_attention_mx W X : model_attention shape_of (layer_of W) (mx n d X) = mx n d (emodel_attention W X).
Proof.
rewrite /model_attention /model_self_attention /model_attention_of /emodel_attention !mx_memo -mx_affine /=.
congr affine; rewrite !mx_affine mx_memo.
apply/matrixP => i k; rewrite [LHS]mxE [RHS]mxE nth_mkseq ?ltn_divLR ?(dk_gt0 k) //.
rewrite -!(mx_memo n _ (eaffine _ _ _ _)) !cols_mx head_attention_mx [LHS]mxE; by [].
Qed.

(* ---- MLPs, layers, models ---------------------------------------------------------------------------------- *)

Definition eexpert_of (F : emlp) (Y : table) : table :=
  let H := memo n (em F) (eaffine d Y (eW_up F) (eb_up F)) in
  let H := if eW_gate F is Some G
           then let A := memo n (em F) (eaffine d Y G.1 G.2) in memo n (em F) (fun i j => mul (ephi (A i j)) (H i j))
           else memo n (em F) (fun i j => ephi (H i j)) in
  memo n d (eaffine (em F) H (eW_down F) (eb_down F)).
Lemma expert_of_mx F Y : expert_of (mlp_of F) (mx n d Y) = mx n d (eexpert_of F Y).
Proof.
rewrite /expert_of /eexpert_of mx_memo -mx_affine /=; congr affine; case: (eW_gate F) => [G|] /=.
  rewrite mx_memo; apply/matrixP => i j; rewrite !mx_affine !mxE valM val_phi.
  by rewrite /memo !nth_mkseq.
by rewrite mx_memo; apply/matrixP => i j; rewrite mx_affine !mxE val_phi /memo !nth_mkseq.
Qed.

Definition emodel_mlp (W : elayer) (Y : table) : table :=
  let l := [seq eexpert_of F Y | F <- eexperts W] in
  let w := if erouter W is Some w then Some (memo n (size l) (emul d Y w)) else None in
  memo n d (fun i j => sum (size l) (fun e => let x := nth (fun _ _ => zero) l e i j in
                                              if w is Some w then mul (w i e) x else x)).
Lemma model_mlp_mx W Y : model_mlp (layer_of W) (mx n d Y) = mx n d (emodel_mlp W Y).
Proof.
rewrite /model_mlp /emodel_mlp mx_memo size_map /=; case: (erouter W) => [w|] /=; apply/matrixP => i j.
  rewrite summxE [RHS]mxE sumE; apply: eq_bigr => e _; rewrite expert_of_mx (nth_map no_mlp) // valM /= mx_mul !mxE.
  by rewrite /memo !nth_mkseq.
by rewrite summxE [RHS]mxE sumE; apply: eq_bigr => e _; rewrite expert_of_mx (nth_map no_mlp) // !mxE.
Qed.

Definition eskip (there : bool) (X F : table) : table := if there then memo n d (eadd X F) else F.
Lemma skip_mx there X F : skip there (mx n d X) (mx n d F) = mx n d (eskip there X F).
Proof. by case: there; rewrite //= mx_memo mx_add. Qed.

Definition emodel_block (X : table) (W : elayer) : table :=
  if side then eskip skip1 X (memo n d (eadd (emodel_attention W X) (emodel_mlp W X)))
  else let Y := eskip skip1 X (emodel_attention W X) in eskip skip2 Y (emodel_mlp W Y).
Lemma model_block_mx W X : model_block shape_of (layer_of W) (mx n d X) = mx n d (emodel_block X W).
Proof.
rewrite /model_block /emodel_block /= /normalise /= model_attention_mx; case: side.
  by rewrite model_mlp_mx mx_add -skip_mx mx_memo.
by rewrite skip_mx model_mlp_mx skip_mx.
Qed.

Definition model_of (eE eP : table) (ehead : option table) (Ws : seq elayer) : model R n d h h_kv dk V :=
  Model (mx V d eE) (mx n d eP) (omap (mx d V) ehead) 1%:M 0 [seq layer_of W | W <- Ws].
Definition emodel_forward (eE eP : table) (ehead : option table) (Ws : seq elayer) (tokens : table) : table :=
  let X := memo n d (eadd (emul V tokens eE) eP) in
  emul d (foldl emodel_block X Ws) (if ehead is Some H then H else etr eE).

(* The formal model's logits are those of the tables. *)
Theorem evaluates eE eP ehead Ws tokens :
  model_forward shape_of (model_of eE eP ehead Ws) (mx n V tokens) = mx n V (emodel_forward eE eP ehead Ws tokens).
Proof.
rewrite /model_forward /model_embed /emodel_forward /= mx_mul mx_add -mx_memo.
have stack X : model_stack shape_of [seq layer_of W | W <- Ws] (mx n d X) = mx n d (foldl emodel_block X Ws).
  by rewrite /model_stack; elim: Ws X => [|W Ws' IH] X //=; rewrite model_block_mx IH.
by rewrite stack /model_head /normalise /= -mx_mul; case: ehead => [H|] //=; rewrite mx_tr.
Qed.
End Tables.

(* ---- the rationals ----------------------------------------------------------------------------------------- *)

Section Rationals.
Definition int_of (z : Z) : int :=
  match z with Z0 => Posz 0 | Zpos p => Posz (Pos.to_nat p) | Zneg p => - Posz (Pos.to_nat p) end.
Lemma int_succ z : int_of (Z.succ z) = int_of z + 1.
Proof.
case: z => [|p|p]; [by []| |].
  by rewrite -Pos2Z.inj_succ /= Pos2Nat.inj_succ -addn1.
case: (Pos.succ_pred_or p) => [->|<-]; first by [].
move: (Pos.pred p) => q.
have -> : Z.succ (Z.neg (Pos.succ q)) = Z.neg q by lia.
rewrite /int_of Pos2Nat.inj_succ -addn1 PoszD opprD addrNK.
by [].
Qed.
Lemma int_pred z : int_of (Z.pred z) = int_of z - 1.
Proof. by rewrite -{2}(Z.succ_pred z) int_succ addrK. Qed.
Lemma int_add a b : int_of (a + b) = int_of a + int_of b.
Proof.
elim/Z.peano_ind: b => [|b IH|b IH]; first by rewrite Z.add_0_r addr0.
  by rewrite Z.add_succ_r !int_succ IH addrA.
by rewrite Z.add_pred_r !int_pred IH addrA.
Qed.
Lemma int_mul a b : int_of (a * b) = int_of a * int_of b.
Proof.
elim/Z.peano_ind: b => [|b IH|b IH]; first by rewrite Z.mul_0_r mulr0.
  by rewrite Z.mul_succ_r int_add int_succ IH mulrDr mulr1.
by rewrite Z.mul_pred_r -Z.add_opp_r int_add int_pred IH mulrBr mulr1; congr (_ + _); case: (a) => //= p; rewrite opprK.
Qed.
Lemma int_pos_gt0 p : 0 < int_of (Zpos p).
Proof. by rewrite ltz_nat; apply/ssrnat.ltP; apply: Pos2Nat.is_pos. Qed.
Lemma int_ge0 z : (0 <= int_of z) = Z.leb 0 z.
Proof. by case: z => //= p; rewrite oppr_ge0; apply/negbTE; rewrite -ltNge; apply: (int_pos_gt0 p). Qed.

(* The rational number of MathComp that a rational number of Coq is. *)
Definition rat_of (q : Q) : rat := (int_of (Qnum q))%:~R / (int_of (Zpos (Qden q)))%:~R.
Lemma den_neq0 q : (int_of (Zpos (Qden q)))%:~R != 0 :> rat.
Proof. by rewrite intr_eq0 gt_eqF ?int_pos_gt0. Qed.
Lemma rat_of_eq a b : Qeq a b -> rat_of a = rat_of b.
Proof.
move=> e; apply/eqP; rewrite eqr_div ?den_neq0 // -!intrM -!int_mul.
by apply/eqP; congr (_%:~R); congr int_of; exact: e.
Qed.
Definition Q0 : Q := Qmake 0 1.
Definition Qadd (a b : Q) : Q := Qred (Qplus a b).
Definition Qprod (a b : Q) : Q := Qred (Qmult a b).
Lemma rat_add a b : rat_of (Qadd a b) = rat_of a + rat_of b.
Proof.
rewrite /Qadd (rat_of_eq (Qred_correct _)) /rat_of addf_div ?den_neq0 // -!intrM -intrD -!int_mul -int_add.
by [].
Qed.
Lemma rat_mul a b : rat_of (Qprod a b) = rat_of a * rat_of b.
Proof. by rewrite /Qprod (rat_of_eq (Qred_correct _)) /rat_of mulf_div -!intrM -!int_mul. Qed.
Lemma rat_zero : rat_of Q0 = 0.
Proof. by rewrite /rat_of mul0r. Qed.

Definition relu (x : rat) : rat := if 0 <= x then x else 0.
Definition Qrelu (q : Q) : Q := if Z.leb 0 (Qnum q) then q else Q0.
Lemma rat_relu q : rat_of (Qrelu q) = relu (rat_of q).
Proof.
rewrite /relu /Qrelu -int_ge0 /rat_of pmulr_lge0 ?invr_gt0 ?ltr0z ?int_pos_gt0 // ler0z.
by case: ifP => //; rewrite mul0r.
Qed.

(* Tables of equal numbers are equal matrices; this computes. *)
Definition same_table m n (f g : nat -> nat -> Q) : bool :=
  all (fun i => all (fun j => Qeq_bool (f i j) (g i j)) (iota 0 n)) (iota 0 m).
Lemma mx_same m n f g : same_table m n f g -> mx rat_of m n f = mx rat_of m n g :> 'M_(m, n).
Proof.
move=> /allP same; apply/matrixP => i j; rewrite !mxE.
have /allP same_i : all (fun j => Qeq_bool (f i j) (g i j)) (iota 0 n) by apply: same; rewrite mem_iota ltn_ord.
by apply: rat_of_eq; apply: Qeq_bool_eq; apply: same_i; rewrite mem_iota ltn_ord.
Qed.

(* A table from the list of its rows; rows of zeros where there is none. *)
Definition of_rows (l : seq (seq Q)) : nat -> nat -> Q := fun i j => nth Q0 (nth [::] l i) j.
End Rationals.
