(* networks.v - certificates of kinds `relu-eq`, `relu-neq` and `no-j`: networks x -> W2 relu(W1 x) + Z x of numbers
   that are written out.  Meaning, the program that checks them, and that it is right.                               *)
From Coq Require Import NArith ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import sym sym_sound numbers relu.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(* h inputs, k outputs, m neurons: W1 is m x h, W2 is k x m, Z is k x h *)
Record net := Net { neurons : nat; W1 : table; W2 : table; Z : table }.
Variant network_claim :=
| Same of net & net
| DifferAt of net & net & table
| NoJ of net & option table.                           (* y, or all J are tried: a witness, no part of the claim *)

(* ---- meaning *)
Definition value (F : realFieldType) h k (f : net) (x : 'cV[F]_h) : 'cV_k :=
  mlp_of (@relu F) (mx F k (neurons f) (W2 f)) (mx F (neurons f) h (W1 f)) x + mx F k h (Z f) *m x.
Definition network_holds h k (c : network_claim) : Prop :=
  match c with
  | Same f g => forall (F : realFieldType) (x : 'cV[F]_h), value k f x = value k g x
  | DifferAt f g x => forall F : realFieldType, value k f (mx F h 1 x) != value k g (mx F h 1 x)
  | NoJ f _ => forall (F : numFieldType) (J : pred 'I_(neurons f)),
      part J (mx F k (neurons f) (W2 f)) (mx F (neurons f) h (W1 f)) + mx F k h (Z f) != 0
  end.

(* ---- the checker: two networks are the same.
   relu(y) = (|y| + y) / 2, so twice a network is the sum of |w1_j x| w2_j and of (W2 W1 + 2 Z) x.  A neuron is the pair
   (w1_j, w2_j); where w1_j = s u, |w1_j x| w2_j = |u x| (|s| w2_j), and neurons of the same u are added.            *)
Definition neuron := (seq coef * seq coef)%type.
Definition neurons_of h k m (A B : table) : seq neuron :=
  [seq ([seq entry A i j | j <- iota 0 h], [seq entry B j i | j <- iota 0 k]) | i <- iota 0 m].
Definition opposed (n : neuron) : neuron := (n.1, map copp n.2).
Definition directed (n : neuron) : neuron :=
  let s := nth nought n.1 (find (fun a => ~~ czero a) n.1) in
  if czero s then n else ([seq times a (inverted s) | a <- n.1], [seq times (absolute s) a | a <- n.2]).
Definition equal_rows (h : nat) (a b : seq coef) : bool :=
  all (fun j => ceq (nth nought a j) (nth nought b j)) (iota 0 h).
Fixpoint cancel (fuel h k : nat) (ns : seq neuron) : bool :=
  match fuel, ns with
  | _, [::] => true
  | f.+1, n :: ns' =>
    let same := [seq n' <- ns' | equal_rows h n'.1 n.1] in
    if all (fun a => czero a) n.1
       || all (fun j => czero (total [seq nth nought n'.2 j | n' <- n :: same])) (iota 0 k)
    then cancel f h k [seq n' <- ns' | ~~ equal_rows h n'.1 n.1] else false
  | _, _ => false
  end.
Definition linear_part h k (f : net) : table :=
  tplus k h (tmul k (neurons f) h (W2 f) (W1 f)) (tplus k h (Z f) (Z f)).
Definition same_ok h k (f g : net) : bool :=
  if tequal k h (linear_part h k f) (linear_part h k g) then
    let ns := neurons_of h k (neurons f) (W1 f) (W2 f) ++ map opposed (neurons_of h k (neurons g) (W1 g) (W2 g)) in
    cancel (size ns) h k (map directed ns)
  else false.

(* ... differ at x: both are computed there *)
Definition value_at h k (f : net) (x : table) : table :=
  let y := tmul (neurons f) h 1 (W1 f) x in
  tplus k 1 (tmul k (neurons f) 1 (W2 f) (build (neurons f) 1 (fun i j => positive_part (entry y i j))))
    (tmul k h 1 (Z f) x).
Definition differ_ok h k (f g : net) (x : table) : bool := ~~ tequal k 1 (value_at h k f x) (value_at h k g x).

(* ... no J: with a matrix y of the shape of Z, the traces of y'(W2[:,J] W1[J,:] + Z) are not 0, where that of y' times
   column j of W2 times row j of W1 is entry j, j of W1 y' W2.  So no sum of some of these and of the trace of y'Z
   is 0.                                                                                                             *)
Fixpoint some_sum (z : coef) (ps : seq coef) : bool :=
  if ps is p :: ps' then
    if czero p then some_sum z ps' else if some_sum z ps' then true else some_sum (cadd z p) ps'
  else czero z.
Definition weights h k (f : net) (y : table) : seq coef :=
  let P := tmul (neurons f) h k (W1 f) (tturn k h y) in
  [seq inner (aligned [seq entry P j i | i <- iota 0 k]) (aligned [seq entry (W2 f) i j | i <- iota 0 k])
  | j <- iota 0 (neurons f)].
Definition trace_of h k (f : net) (y : table) : coef :=
  let T := tmul h k h (tturn k h y) (Z f) in total [seq entry T i i | i <- iota 0 h].
Definition no_j_ok h k (f : net) (y : table) : bool := ~~ some_sum (trace_of h k f y) (weights h k f y).

Section Right.
Variables (F : realFieldType) (h k : nat).
Local Notation cval := (cval F).
Definition rowv (a : seq coef) : 'rV[F]_h := \row_j cval (nth nought a j).
Definition colv (a : seq coef) : 'cV[F]_k := \col_i cval (nth nought a i).
Definition bend (n : neuron) (x : 'cV[F]_h) : 'cV_k := `|dot (rowv n.1) x| *: colv n.2.
Definition bends (ns : seq neuron) x := \sum_(n <- ns) bend n x.

Lemma directed_ok n x : bend (directed n) x = bend n x.
Proof.
rewrite /directed; set s := nth _ _ _; case: ifP => // s0; rewrite -(cval_eq0 F) in s0; rewrite /bend /=.
have -> : colv [seq times (absolute s) a | a <- n.2] = `|cval s| *: colv n.2.
  apply/colP => i; rewrite !mxE -absolute_val; have [li|ge] := ltnP i (size n.2).
    by rewrite (nth_map nought) // times_val.
  by rewrite !nth_default ?size_map // cval_nought mulr0.
rewrite scalerA -normrM; congr (`| _ | *: _); rewrite mulrC -dotZl; congr dot.
apply/rowP => j; rewrite !mxE; have [lj|ge] := ltnP j (size n.1).
  by rewrite (nth_map nought) // times_val inverted_val mulrCA mulfV ?mulr1 // s0.
by rewrite !nth_default ?size_map // cval_nought mulr0.
Qed.
Lemma opposed_ok n x : bend (opposed n) x = - bend n x.
Proof.
rewrite /bend /= -scalerN; congr (_ *: _); apply/colP => i; rewrite !mxE; have [li|ge] := ltnP i (size n.2).
  by rewrite (nth_map nought) // cvalN.
by rewrite !nth_default ?size_map // cval_nought oppr0.
Qed.
Lemma equal_rowsE a b : equal_rows h a b -> rowv a = rowv b.
Proof.
move=> /allP e; apply/rowP => j; rewrite !mxE; have := e (val j); rewrite mem_iota ltn_ord => /(_ isT).
by rewrite (ceq_val F) => /eqP.
Qed.
Lemma bends_filter ns (t : pred neuron) x : bends ns x = bends (filter t ns) x + bends [seq n <- ns | ~~ t n] x.
Proof. by rewrite /bends !big_filter (bigID t). Qed.
Lemma cancel_ok fuel ns x : cancel fuel h k ns -> bends ns x = 0.
Proof.
have nil : bends [::] x = 0 by exact: big_nil.
elim: fuel ns => [|f IH] [|n ns] //=; case: ifP => // z /IH rest.
rewrite [bends _ _]big_cons -/(bends ns x) (bends_filter ns (fun n' => equal_rows h n'.1 n.1)) rest addr0.
have -> : bend n x + bends [seq n' <- ns | equal_rows h n'.1 n.1] x =
    `|dot (rowv n.1) x| *: \sum_(n' <- n :: [seq n' <- ns | equal_rows h n'.1 n.1]) colv n'.2.
  rewrite big_cons scalerDr; congr (_ + _); rewrite scaler_sumr; apply: eq_big_seq => n'.
  by rewrite mem_filter /bend => /andP [/equal_rowsE -> _].
case/orP: z => [/allP z|/allP z].
  have -> : rowv n.1 = 0.
    apply/rowP => j; rewrite !mxE; have [lj|ge] := ltnP j (size n.1); last by rewrite nth_default ?cval_nought.
    by apply/eqP; rewrite cval_eq0; apply/z/mem_nth.
  by rewrite /dot mul0mx mxE normr0 scale0r.
have -> : \sum_(n' <- n :: [seq n' <- ns | equal_rows h n'.1 n.1]) colv n'.2 = 0; last by rewrite scaler0.
apply/colP => i; rewrite summxE !mxE.
have : cval (total [seq nth nought n'.2 i | n' <- n :: [seq n' <- ns | equal_rows h n'.1 n.1]]) = 0.
  by apply/eqP; rewrite cval_eq0; apply: z; rewrite mem_iota ltn_ord.
rewrite total_val big_map => e; rewrite -[RHS]e.
by apply: eq_bigr => n' _; rewrite mxE.
Qed.

Lemma relu2 (y : F) : relu y *+ 2 = `|y| + y.
Proof.
have [y0|/ltW y0] := leP 0 y; first by rewrite relu_pos // ger0_norm.
by rewrite relu_neg // ler0_norm // mul0rn addNr.
Qed.
Lemma mul_cols m (A : 'M[F]_(k, m)) (v : 'cV_m) : A *m v = \sum_i v i 0 *: col i A.
Proof. by apply/colP => j; rewrite mxE summxE; apply: eq_bigr => i _; rewrite !mxE mulrC. Qed.
Lemma iota_ord (V : zmodType) m (f : nat -> V) : \sum_(i <- iota 0 m) f i = \sum_(i < m) f i.
Proof. by rewrite -(big_mkord xpredT) /index_iota subn0. Qed.
Lemma bends_neurons m A B x : bends (neurons_of h k m A B) x =
  \sum_(i < m) `|dot (row i (mx F m h A)) x| *: col i (mx F k m B).
Proof.
rewrite /bends /neurons_of big_map iota_ord; apply: eq_bigr => i _; rewrite /bend /=; congr (`|dot _ x| *: _).
  by apply/rowP => j; rewrite !mxE (nth_map 0%N) ?size_iota // nth_iota.
by apply/colP => j; rewrite !mxE (nth_map 0%N) ?size_iota // nth_iota.
Qed.
Lemma twice (f : net) x :
  value k f x *+ 2 = bends (neurons_of h k (neurons f) (W1 f) (W2 f)) x + mx F k h (linear_part h k f) *m x.
Proof.
rewrite /value /linear_part !mx_plus mx_mul !mulmxDl bends_neurons mulrnDl -mulr2n [RHS]addrA; congr (_ + _).
rewrite -mulmxA mul_cols mlp_sum -sumrMnl -big_split; apply: eq_bigr => i _ /=.
by rewrite dot_row -scalerDl -relu2 scalerMnl.
Qed.
Lemma half (u v : 'cV[F]_k) : u *+ 2 = v *+ 2 -> u = v.
Proof.
move=> e; apply/colP => i; have two : 2%:R != 0 :> F by rewrite pnatr_eq0.
by apply: (mulIf two); have := congr1 (fun M : 'cV_k => M i 0) e; rewrite !mulmxnE !mulr_natr.
Qed.
Lemma bends_directed ns x : bends (map directed ns) x = bends ns x.
Proof. by rewrite /bends big_map; apply: eq_bigr => n _; apply: directed_ok. Qed.
Lemma bends_opposed ns x : bends (map opposed ns) x = - bends ns x.
Proof. by rewrite /bends big_map -sumrN; apply: eq_bigr => n _; apply: opposed_ok. Qed.
Lemma same_right f g (x : 'cV[F]_h) : same_ok h k f g -> value k f x = value k g x.
Proof.
rewrite /same_ok; case e: tequal => // /cancel_ok z; apply: half; rewrite !twice.
move: e; rewrite -(mx_equal F) => /eqP ->; congr (_ + _); apply/eqP; rewrite -subr_eq0.
by have := z x; rewrite bends_directed /bends big_cat -!/(bends _ _) bends_opposed => ->.
Qed.

Lemma positive_part_val a : cval (positive_part a) = relu (cval a).
Proof.
rewrite /positive_part -(cval_gt0 F); case: ltP => [a0|a0]; first by rewrite relu_pos // ltW.
by rewrite cval_nought relu_neg.
Qed.
Lemma value_at_ok f x : mx F k 1 (value_at h k f x) = value k f (mx F h 1 x).
Proof.
rewrite /value_at mx_plus !mx_mul /value /mlp_of; congr (_ *m _ + _); apply/matrixP => i j.
by rewrite mxE entry_build // positive_part_val [RHS]mxE -mx_mul [in RHS]mxE.
Qed.
Lemma differ_right f g x : differ_ok h k f g x -> value k f (mx F h 1 x) != value k g (mx F h 1 x).
Proof. by rewrite -!value_at_ok mx_equal. Qed.
End Right.

Section NoJ.
Variables (F : numFieldType) (h k : nat).
Local Notation cval := (cval F).
Lemma some_sum_ok z ps (J : nat -> bool) : ~~ some_sum z ps ->
  cval z + \sum_(j < size ps) (if J j then cval (nth nought ps j) else 0) != 0.
Proof.
elim: ps z J => [|p ps IH] z J /=; first by rewrite big_ord0 addr0 cval_eq0.
have e : \sum_(i < size ps) (if J (lift ord0 i) then cval (nth nought (p :: ps) (lift ord0 i)) else 0) =
    \sum_(i < size ps) (if J i.+1 then cval (nth nought ps i) else 0) by apply: eq_bigr => i _; rewrite lift0.
rewrite big_ord_recl e /=; case: ifP => [p0|_].
  by rewrite (cval0 F p0) if_same add0r; apply: (IH z (fun j => J j.+1)).
case e1: (some_sum z ps) => // no2; case: ifP => _; last by rewrite add0r; apply: (IH z (fun j => J j.+1)); rewrite e1.
by rewrite addrA -(cvalD (good_all F z) (good_all F p)); apply: (IH _ (fun j => J j.+1)).
Qed.
Lemma no_j_right f y (J : pred 'I_(neurons f)) : no_j_ok h k f y ->
  part J (mx F k (neurons f) (W2 f)) (mx F (neurons f) h (W1 f)) + mx F k h (Z f) != 0.
Proof.
set A := mx F k _ _; set B := mx F _ h _; set C := mx F k h _; pose Y := mx F k h y; move=> no.
pose J' (j : nat) := if insub j is Some i then J i else false.
have := some_sum_ok J' no; apply: contraNneq => e.
have {e} : \tr (Y^T *m (part J A B + C)) = 0 by rewrite e mulmx0 mxtrace0.
rewrite mulmxDr mxtraceD /part mulmx_sumr (big_morph (@mxtrace F h) (@mxtraceD F h) (mxtrace0 F h)).
have -> : \tr (Y^T *m C) = cval (trace_of h k f y).
  rewrite /trace_of total_iota /mxtrace; apply: eq_bigr => i _; rewrite -/Y -mx_turn -mx_mul mxE.
  by [].
rewrite addrC => e; apply/eqP; rewrite -[RHS]e {e}; congr (_ + _); rewrite size_map size_iota [RHS]big_mkcond.
apply: eq_bigr => j _ /=.
have -> : J' j = J j by rewrite /J' valK.
case: (J j) => //; rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n inner_val sum_iota.
rewrite mulmxA mxtrace_mulC mulmxA /mxtrace big_ord1 mxE; apply: eq_bigr => i _.
by rewrite -mx_turn -row_mul -mx_mul !mxE.
Qed.
End NoJ.

(* where all J are tried: y is a row of powers, D B^0, D B^1, .., such that different matrices have different sums *)
Definition denominator (A : table) : Z.t := foldr (fun a s => Z.lcm (Zpos a.2) s) Z.one (flatten A).
Definition magnitude (A : table) : coef := total (map absolute (flatten A)).
Definition powers h k (D B : Z.t) : table :=
  build k h (fun i j => (Z.mul D (Z.pow B (Z.of_nat (i * h + j))), 1%positive)).
Definition all_j_ok h k (f : net) : bool :=
  let D := Z.mul (Z.mul (denominator (W1 f)) (denominator (W2 f))) (denominator (Z f)) in
  let M := times (D, 1%positive) (plus (times (magnitude (W1 f)) (magnitude (W2 f))) (magnitude (Z f))) in
  if no_j_ok h k f (powers h k D (Zpos 2)) then true                                 (* small numbers first *)
  else no_j_ok h k f (powers h k D (Z.add (Z.mul (Zpos 2) (Z.abs M.1)) (Zpos 3))).
Lemma all_j_right (F : numFieldType) h k f (J : pred 'I_(neurons f)) : all_j_ok h k f ->
  part J (mx F k (neurons f) (W2 f)) (mx F (neurons f) h (W1 f)) + mx F k h (Z f) != 0.
Proof. by rewrite /all_j_ok; case e: no_j_ok; [move=> _; apply: no_j_right e | apply: no_j_right]. Qed.
