(* numbers.v - matrices of rational numbers, written out: sums and products by a program, and that it is right over
   every field with an absolute value (numFieldType: the rationals, the reals, the complex numbers).  For the
   certificates that are about given numbers: formulas.v, networks.v.                                                *)
From Coq Require Import NArith ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import sym sym_sound sym_worlds.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(* ---- a number is a numerator and a denominator (sym.v) ------------------------------------------------- *)
Definition nought : coef := (Z0, 1%positive).
Definition reduced (a : coef) : coef :=                  (* where that is right; that it is least is not needed *)
  if Z.ggcd a.1 (Zpos a.2) is (_, (n, Zpos d)) then if ceq a (n, d) then (n, d) else a else a.
Definition plus (a b : coef) : coef :=
  if czero a then b else if czero b then a else if Pos.eqb a.2 b.2 then cadd a b else reduced (cadd a b).
Definition times (a b : coef) : coef := if czero a then nought else if czero b then nought else reduced (cmul a b).
Definition minus (a b : coef) : coef := plus a (copp b).
Definition inverted (a : coef) : coef :=
  match a.1 with Z0 => nought | Zpos p => (Zpos a.2, p) | Zneg p => (Zneg a.2, p) end.
Definition absolute (a : coef) : coef := (Z.abs a.1, a.2).
Definition positive_part (a : coef) : coef := if Z.ltb 0 a.1 then a else nought.
Definition total (s : seq coef) : coef := foldr plus nought s.

(* a sum of products: each factor's numbers over one denominator, so that no fraction is made smaller on the way *)
Definition common (s : seq coef) : positive :=
  foldr (fun a q => if Pos.eqb a.2 q then q else if Z.lcm (Zpos a.2) (Zpos q) is Zpos r then r else q) 1%positive s.
Definition over (q : positive) (a : coef) : Z :=
  if Pos.eqb a.2 q then a.1 else Z.mul a.1 (Z.div (Zpos q) (Zpos a.2)).
Definition aligned (s : seq coef) : seq Z * positive := let q := common s in (map (over q) s, q).
Fixpoint zdot (a b : seq Z) : Z :=
  match a, b with x :: a', y :: b' => Z.add (Z.mul x y) (zdot a' b') | _, _ => Z0 end.
Definition inner (a b : seq Z * positive) : coef := (zdot a.1 b.1, Pos.mul a.2 b.2).

(* ---- a table: row after row ---------------------------------------------------------------------------- *)
Definition table := seq (seq coef).
Definition entry (A : table) (i j : nat) : coef := nth nought (nth [::] A i) j.
Definition build (m n : nat) (f : nat -> nat -> coef) : table := [seq [seq f i j | j <- iota 0 n] | i <- iota 0 m].
Definition tplus m n (A B : table) : table := build m n (fun i j => plus (entry A i j) (entry B i j)).
Definition tminus m n (A B : table) : table := build m n (fun i j => minus (entry A i j) (entry B i j)).
Definition tmul m n p (A B : table) : table :=
  let cols := [seq aligned [seq entry B k j | k <- iota 0 n] | j <- iota 0 p] in
  [seq (let r := aligned [seq entry A i k | k <- iota 0 n] in map (inner r) cols) | i <- iota 0 m].
Definition tturn m n (A : table) : table := build n m (fun i j => entry A j i).         (* of an m x n table *)
Definition tequal m n (A B : table) : bool :=
  all (fun i => all (fun j => ceq (entry A i j) (entry B i j)) (iota 0 n)) (iota 0 m).

Section Values.
Variable F : numFieldType.
Local Notation cval := (cval F).
(* the matrix that a table shows *)
Definition mx m n (A : table) : 'M[F]_(m, n) := \matrix_(i, j) cval (entry A i j).

Lemma den_neq0 (p : positive) : (nat_of_pos p)%:R != 0 :> F.
Proof. by rewrite pnatr_eq0 -lt0n nat_of_pos_gt0. Qed.
Lemma good_all k : good F k. Proof. by rewrite /good unitfE den_neq0. Qed.
Lemma cval_eq a b : ceq a b -> cval a = cval b. Proof. by apply: ceqP; apply: good_all. Qed.
Lemma cval_nought : cval nought = 0. Proof. exact: cval0. Qed.
Lemma reduced_val a : cval (reduced a) = cval a.
Proof.
rewrite /reduced; case: Z.ggcd => g [n [|d|d]] //; case e: ceq => //; exact/esym/cval_eq.
Qed.
Lemma plus_val a b : cval (plus a b) = cval a + cval b.
Proof.
rewrite /plus; case e: (czero a); first by rewrite (cval0 F e) add0r.
case e': (czero b); first by rewrite (cval0 F e') addr0.
by case: ifP => _; rewrite ?reduced_val cvalD //; apply: good_all.
Qed.
Lemma times_val a b : cval (times a b) = cval a * cval b.
Proof.
rewrite /times; case e: (czero a); first by rewrite (cval0 F e) mul0r cval_nought.
case e': (czero b); first by rewrite (cval0 F e') mulr0 cval_nought.
by rewrite reduced_val cvalM //; apply: good_all.
Qed.
Lemma minus_val a b : cval (minus a b) = cval a - cval b.
Proof. by rewrite /minus plus_val cvalN. Qed.
Lemma inverted_val a : cval (inverted a) = (cval a)^-1.
Proof.
rewrite /inverted /sym.cval; case: a => [[|p|p] q] /=; first by rewrite !mul0r invr0.
  by rewrite invf_div.
by rewrite !mulNr invrN invf_div.
Qed.
Lemma zval_gt0 z : (0 < zval F z) = Z.ltb 0 z.
Proof.
case: z => [|p|p] /=; first by rewrite ltxx.
  by rewrite ltr0n nat_of_pos_gt0.
by rewrite oppr_gt0 ltrn0.
Qed.
Lemma cval_gt0 a : (0 < cval a) = Z.ltb 0 a.1.
Proof. by rewrite /sym.cval pmulr_lgt0 ?zval_gt0 // invr_gt0 ltr0n nat_of_pos_gt0. Qed.
Lemma cval_eq0 a : (cval a == 0) = czero a.
Proof.
rewrite /sym.cval mulf_eq0 invr_eq0 (negbTE (den_neq0 _)) orbF /czero.
by case: a.1 => [|p|p] /=; rewrite ?eqxx ?oppr_eq0 ?(negbTE (den_neq0 _)).
Qed.
Lemma ceq_val a b : ceq a b = (cval a == cval b).
Proof.
apply/idP/eqP => [/cval_eq|e] //; rewrite /ceq; apply/Z.eqb_spec/Z.sub_move_0_r/Z.eqb_eq.
have := cval_eq0 (Z.sub (Z.mul a.1 (Zpos b.2)) (Z.mul b.1 (Zpos a.2)), 1%positive); rewrite /czero /= => <-.
rewrite /sym.cval /= divr1 -Z.add_opp_r zvalD zvalN !zvalM subr_eq0 /=; move: e; rewrite /sym.cval => e.
by rewrite -(eqr_div _ _ (den_neq0 _) (den_neq0 _)); apply/eqP.
Qed.
Lemma absolute_val a : cval (absolute a) = `|cval a|.
Proof.
rewrite /sym.cval /absolute /= normrM [X in _ = _ * X]ger0_norm ?invr_ge0 ?ler0n //; congr (_ * _).
by case: a.1 => [|p|p] /=; [rewrite normr0 | rewrite normr_nat | rewrite normrN normr_nat].
Qed.
Lemma total_val s : cval (total s) = \sum_(x <- s) cval x.
Proof. by elim: s => [|x s IH] /=; rewrite ?big_nil ?cval_nought // plus_val big_cons IH. Qed.
Lemma sum_iota n (f : nat -> F) : \sum_(i <- iota 0 n) f i = \sum_(i < n) f i.
Proof. by rewrite -{1}[n]subn0 -/(index_iota 0 n) big_mkord. Qed.
Lemma total_iota n f : cval (total [seq f i | i <- iota 0 n]) = \sum_(i < n) cval (f i).
Proof. by rewrite total_val big_map sum_iota. Qed.

Lemma common_divides s a : a \in s -> Z.divide (Zpos a.2) (Zpos (common s)).
Proof.
elim: s => //= b s IH; rewrite inE; case: Pos.eqb_spec => [e|_].
  by case/predU1P => [->|/IH //]; rewrite e; exact: Z.divide_refl.
have := Z.divide_lcm_l (Zpos b.2) (Zpos (common s)); have := Z.divide_lcm_r (Zpos b.2) (Zpos (common s)).
case e: Z.lcm => [|r|r] dr dl; first by case/Z.lcm_eq_0: e.
  by case/predU1P => [-> //|/IH d]; exact: Z.divide_trans d dr.
by have := Z.lcm_nonneg (Zpos b.2) (Zpos (common s)); rewrite e.
Qed.
Lemma over_val q a : Z.divide (Zpos a.2) (Zpos q) -> zval F (over q a) = cval a * (nat_of_pos q)%:R.
Proof.
rewrite /over /sym.cval; case: Pos.eqb_spec => [-> _|_ [k e]]; first by rewrite mulfVK ?den_neq0.
rewrite -[(nat_of_pos q)%:R]/(zval F (Zpos q)) e Z.div_mul // !zvalM.
by rewrite [X in _ = _ * X]mulrC mulrA /= mulfVK ?den_neq0.
Qed.
Lemma inner_val (T : Type) (s : seq T) (f g : T -> coef) :
  cval (inner (aligned (map f s)) (aligned (map g s))) = \sum_(k <- s) cval (f k) * cval (g k).
Proof.
rewrite /inner /aligned /=; have := @common_divides (map f s); have := @common_divides (map g s).
move: (common _) (common _) => r q dr dq; rewrite /sym.cval /= nat_of_mul_pos natrM.
apply: (canLR (mulfK _)); first by rewrite mulf_neq0 ?den_neq0.
elim: s dr dq => [|k s IH] dr dq; first by rewrite big_nil mul0r.
rewrite big_cons mulrDl /= zvalD zvalM !over_val; try by [apply: dq; exact: mem_head | apply: dr; exact: mem_head].
by rewrite mulrACA IH // => a ia; [apply: dr | apply: dq]; rewrite inE ia orbT.
Qed.

Lemma entry_build m n f i j : (i < m)%N -> (j < n)%N -> entry (build m n f) i j = f i j.
Proof.
move=> li lj; rewrite /entry /build (nth_map 0%N) ?size_iota // (nth_map 0%N) ?size_iota //.
by rewrite !nth_iota.
Qed.
Lemma mx_plus m n A B : mx m n (tplus m n A B) = mx m n A + mx m n B.
Proof. by apply/matrixP => i j; rewrite !mxE entry_build // plus_val. Qed.
Lemma mx_minus m n A B : mx m n (tminus m n A B) = mx m n A - mx m n B.
Proof. by apply/matrixP => i j; rewrite !mxE entry_build // minus_val. Qed.
Lemma mx_mul m n p A B : mx m p (tmul m n p A B) = mx m n A *m mx n p B.
Proof.
apply/matrixP => i j; rewrite !mxE /entry /tmul (nth_map 0%N) ?size_iota //
  (nth_map ([::], 1%positive)) ?size_map ?size_iota //.
rewrite (nth_map 0%N) ?size_iota // !nth_iota // !add0n inner_val sum_iota; apply: eq_bigr => k _.
by rewrite !mxE.
Qed.
Lemma mx_turn m n A : mx n m (tturn m n A) = (mx m n A)^T.
Proof. by apply/matrixP => i j; rewrite !mxE entry_build. Qed.
Lemma mx_equal m n A B : (mx m n A == mx m n B) = tequal m n A B.
Proof.
apply/eqP/allP => [e i ii|e]; last apply/matrixP => i j.
  apply/allP => j ij; rewrite !mem_iota in ii ij; have := congr1 (fun M : 'M_(m, n) => M (Ordinal ii) (Ordinal ij)) e.
  by rewrite !mxE /= (ceq_val (entry A i j)) => ->.
have := e (val i); rewrite mem_iota ltn_ord => /(_ isT) /allP /(_ (val j)); rewrite mem_iota ltn_ord => /(_ isT).
by rewrite ceq_val => /eqP; rewrite !mxE.
Qed.
End Values.
