(* typed.v - a certificate of kind `sym` as an ordinary theorem about matrices 'M_(m, n): its sizes are variables
   n, d, .., its matrices variables of these shapes, its functions functions of matrices.  tests/formal_typed.awk
   writes one for each certificate; typed_golden proves them all.  What a reader of one has to know besides
   MathComp is part 1.                                                                                       *)
From Coq Require Import String NArith ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import text sym sym_sound sym_lines sym_worlds sym_text.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* ---- 1. Words of the statements ------------------------------------------------------------------------ *)
Section Words.
Variable R : comUnitRingType.
(* the columns from, from + 1, .., from + k - 1 of the identity of size d *)
Definition columns d k (from : nat) : 'M[R]_(d, k) := \matrix_(i, j) (i == (from + j)%N :> nat)%:R.
(* each row of what f returns sums to 1 *)
Definition stochastic_rows m n p q (f : 'M[R]_(p, q) -> 'M[R]_(m, n)) :=
  forall S, f S *m const_mx 1 = const_mx 1 :> 'cV_m.
(* f does not see what is added to all entries of a row *)
Definition blind_to_shifts m n p q (f : 'M[R]_(p, q) -> 'M[R]_(m, n)) :=
  forall S (c : 'cV_p), f (S + c *m const_mx 1) = f S.
(* as ReLU and GELU *)
Definition half_odd_function (f : forall m n, 'M[R]_(m, n) -> 'M[R]_(m, n)) :=
  forall m n (Y : 'M_(m, n)), f m n Y - f m n (- Y) = Y.
End Words.
Arguments columns {R d k} from.

(* ---- 2. The world of such a theorem: what it calls n, X, softmax -------------------------------------- *)
Section Typed.
Variable R : comUnitRingType.
Definition family_of_values := forall m n, seq (mat R) -> 'M[R]_(m, n).
Fixpoint look T (none : T) (l : seq (name * T)) (x : name) : T :=
  if l is y :: l' then if String.eqb y.1 x then y.2 else look none l' x else none.
Definition first_column m n : 'M[R]_(m, n) := \matrix_(i, j) (val j == 0%N)%:R.
Definition nothing : family_of_values := fun m n _ => first_column m n.
(* functions at one shape, of one or two matrices, and at all shapes *)
Definition of_one m n p q (f : 'M[R]_(p, q) -> 'M[R]_(m, n)) : family_of_values := fun m' n' l =>
  if l is [:: A] then
    if [&& m' == m, n' == n, rows A == p & cols A == q] then view m' n' (Mat (f (view p q A))) else first_column m' n'
  else first_column m' n'.
Definition of_two m n p q p' q' (f : 'M[R]_(p, q) -> 'M[R]_(p', q') -> 'M[R]_(m, n)) : family_of_values :=
  fun m' n' l => if l is [:: A; B] then view m' n' (Mat (f (view p q A) (view p' q' B))) else 0.
Definition at_all_shapes (f : forall m n, 'M[R]_(m, n) -> 'M[R]_(m, n)) : family_of_values := fun m n l =>
  if l is [:: A] then f m n (view m n A) else 0.
Definition of_two_at_all_shapes (f : forall m n, 'M[R]_(m, n) -> 'M[R]_(m, n) -> 'M[R]_(m, n)) : family_of_values :=
  fun m n l => if l is [:: A; B] then f m n (view m n A) (view m n B) else 0.

Variables (ns : seq (name * nat)) (ms : seq (name * mat R)) (fs : seq (name * family_of_values)).
Definition typed_world : world R :=
  World (look 1%N ns) (fun x m n => view m n (look (Mat (0 : 'M_0)) ms x)) (look nothing fs).
Local Notation w := typed_world.
Local Notation size_of := (sz w).
Local Notation matrix_of := (look (Mat (0 : 'M_0)) ms).
Local Notation function_of := (look nothing fs).

(* ---- its hypotheses *)
Lemma look_all (P : nat -> bool) l x : P 1%N -> all (fun y => P y.2) l -> P (look 1%N l x).
Proof. by move=> p; elim: l => //= y l IH /andP [py /IH]; case: ifP. Qed.
Fixpoint all_true T (P : T -> Prop) (l : seq T) : Prop := if l is x :: l' then P x /\ all_true P l' else True.
Lemma all_trueP T (P : T -> Prop) l x0 : all_true P l -> forall k, (k < size l)%N -> P (nth x0 l k).
Proof. by elim: l => // x l IH [px pl] [|k] //= lk; apply: IH. Qed.
Definition sum_holds (x : name * seq name) := size_of x.1 = sumn [seq size_of k | k <- x.2].
Definition supposes (o : op) : bool := if o is Matrix _ _ _ h then if h is Any then false else true else false.
Lemma typed_hypotheses c : size_of unit_size = 1%N -> all (fun y => 0 < y.2)%N ns -> all_true sum_holds (sizes c) ->
  all_true (assumed w) [seq o <- lines c | supposes o] -> all_true (function_assumed w) (functions c) ->
  hypotheses c w.
Proof.
move=> u p s a f; split=> [|k lk|k lk]; last exact: all_trueP.
  split=> // [x|k lk]; first exact: (@look_all (fun n => 0 < n)%N).
  exact: (all_trueP (EmptyString, [::]) s).
rewrite /line; move: (lines c) k lk a => os k lk a.
elim: os k lk a => //= o os IH [|k] lk; case e: (supposes o) => /=.
- by case.
- by move=> _; case: o e => // x r d [].
- by case=> _; exact: IH.
exact: IH.
Qed.
Lemma assumed_inverse x r c y (A B : 'M[R]_(size_of r)) : matrix_of x = Mat A -> matrix_of y = Mat B ->
  A *m B = 1%:M -> assumed w (Matrix x r c (Inverse y)).
Proof. by rewrite /= => -> ->; rewrite !viewE. Qed.
Lemma assumed_orthogonal x r c (A : 'M[R]_(size_of r)) : matrix_of x = Mat A -> A *m A^T = 1%:M ->
  assumed w (Matrix x r c Orthogonal).
Proof. by rewrite /= => ->; rewrite viewE. Qed.
Lemma assumed_half_odd f g : function_of f = at_all_shapes g -> half_odd_function g ->
  function_assumed w (f, Properties true false false).
Proof. by move=> e odd; split=> [_ m n Y||] //; rewrite /= e /= !viewE; exact: odd. Qed.
Lemma shifts_ok f m n p q (g : 'M[R]_(p, q) -> 'M[R]_(m, n)) : function_of f = of_one g -> blind_to_shifts g ->
  is_shift_invariant w f.
Proof.
move=> e blind m' n' p' q' S c; rewrite /= e /=; case: and4P => // [[/eqP e1 /eqP e2 /eqP e3 /eqP e4]].
by subst m' n' p' q'; rewrite !viewE blind.
Qed.
Lemma stochastic_ok f m n p q (g : 'M[R]_(p, q) -> 'M[R]_(m, n)) : function_of f = of_one g -> stochastic_rows g ->
  is_stochastic w f.
Proof.
move=> e sums m' n' p' q' S pos; rewrite /= e /=; case: and4P => [[/eqP e1 /eqP e2 /eqP e3 /eqP e4]|_].
  by subst m' n' p' q'; rewrite !viewE sums.
case: n' pos => // n' _; apply/matrixP => i j.
by rewrite !mxE big_ord_recl big1 => [|a _]; rewrite !mxE ?mulr1 ?addr0.
Qed.
Lemma assumed_shifts f m n p q (g : 'M[R]_(p, q) -> 'M[R]_(m, n)) : function_of f = of_one g -> blind_to_shifts g ->
  function_assumed w (f, Properties false true false).
Proof. by move=> e b; split=> [|_|] //; exact: shifts_ok e b. Qed.
Lemma assumed_stochastic f m n p q (g : 'M[R]_(p, q) -> 'M[R]_(m, n)) : function_of f = of_one g -> stochastic_rows g ->
  function_assumed w (f, Properties false false true).
Proof. by move=> e s; split=> [||_] //; exact: stochastic_ok e s. Qed.
Lemma assumed_both f m n p q (g : 'M[R]_(p, q) -> 'M[R]_(m, n)) : function_of f = of_one g -> blind_to_shifts g ->
  stochastic_rows g -> function_assumed w (f, Properties false true true).
Proof. by move=> e b s; split=> [|_|_] //; [exact: shifts_ok e b | exact: stochastic_ok e s]. Qed.
Lemma units_ok c (qs : seq nat) : all (fun q => q \in 1%N :: qs) (denominators c) ->
  all_true (fun q => (q%:R : R) \is a GRing.unit) qs -> forall q, q \in denominators c -> (q%:R : R) \is a GRing.unit.
Proof.
move=> /allP sub us q /sub; rewrite inE => /predU1P [->|]; first exact: unitr1.
by case/(nthP 0%N) => k lk <-; apply: (all_trueP 0%N us).
Qed.

(* ---- its lines: vs has their matrices *)
Variables (szs : seq (name * seq name)) (vs : seq (mat R)).
Local Notation env := (nth (Mat (0 : 'M[R]_0)) vs).
Local Notation means := (means szs w env).
Lemma line_matrix x r c h (A : 'M_(size_of r, size_of c)) : matrix_of x = Mat A -> means (Matrix x r c h) (Mat A).
Proof.
move=> e; have -> : A = V w x (size_of r) (size_of c) by rewrite /= e viewE.
exact: MMatrix.
Qed.
Lemma line_one f r c (k : N) p q (g : 'M_(p, q) -> 'M_(size_of r, size_of c)) (A : 'M_(p, q)) :
  function_of f = of_one g -> env k = Mat A -> means (Value f r c [:: k]) (Mat (g A)).
Proof.
move=> e ek; have -> : g A = Phi w f (size_of r) (size_of c) [seq env (nat_of_bin k) | k <- [:: k]].
  by rewrite /= e ek /= !eqxx !viewE.
exact: MValue.
Qed.
Lemma line_two f r c (k l : N) p q p' q' (g : 'M_(p, q) -> 'M_(p', q') -> 'M_(size_of r, size_of c)) A B :
  function_of f = of_two g -> env k = Mat A -> env l = Mat B -> means (Value f r c [:: k; l]) (Mat (g A B)).
Proof.
move=> e ek el; have -> : g A B = Phi w f (size_of r) (size_of c) [seq env (nat_of_bin k) | k <- [:: k; l]].
  by rewrite /= e ek el /= !viewE.
exact: MValue.
Qed.
Lemma line_shapes f r c (k : N) g (A : 'M_(size_of r, size_of c)) :
  function_of f = at_all_shapes g -> env k = Mat A -> means (Value f r c [:: k]) (Mat (g _ _ A)).
Proof.
move=> e ek; have -> : g _ _ A = Phi w f (size_of r) (size_of c) [seq env (nat_of_bin k) | k <- [:: k]].
  by rewrite /= e ek /= viewE.
exact: MValue.
Qed.
Lemma line_two_shapes f r c (k l : N) g (A B : 'M_(size_of r, size_of c)) :
  function_of f = of_two_at_all_shapes g -> env k = Mat A -> env l = Mat B ->
  means (Value f r c [:: k; l]) (Mat (g _ _ A B)).
Proof.
move=> e ek el; have -> : g _ _ A B = Phi w f (size_of r) (size_of c) [seq env (nat_of_bin k) | k <- [:: k; l]].
  by rewrite /= e ek el /= !viewE.
exact: MValue.
Qed.
Lemma line_block d (i : N) from : offset szs w (size_index szs d) i = from ->
  let s := size_index szs d in
  means (Block d i) (Mat (columns from : 'M_(size_of (sum_of szs s), size_of (part szs s i)))).
Proof. by move=> <- s; exact: MBlock. Qed.
(* what has a name of its own *)
Lemma line_named m n (A B : 'M[R]_(m, n)) o : A = B -> means o (Mat B) -> means o (Mat A).
Proof. by move=> ->. Qed.
(* a sum as one writes it: A - B + 2 C / 3 *)
Definition multiple m n (p q : positive) (A : 'M[R]_(m, n)) : 'M_(m, n) :=
  match p, q with
  | 1%positive, 1%positive => A
  | _, 1%positive => (nat_of_pos p)%:R *: A
  | _, _ => ((nat_of_pos p)%:R / (nat_of_pos q)%:R) *: A
  end.
Definition first_term m n (k : coef) (A : 'M[R]_(m, n)) : 'M_(m, n) :=
  match k.1 with Z0 => 0 *: A | Zpos p => multiple p k.2 A | Zneg p => - multiple p k.2 A end.
Definition and_term m n (S : 'M[R]_(m, n)) (x : coef * N * 'M[R]_(m, n)) : 'M_(m, n) :=
  match x.1.1.1 with
  | Z0 => S + 0 *: x.2 | Zpos p => S + multiple p x.1.1.2 x.2 | Zneg p => S - multiple p x.1.1.2 x.2
  end.
Lemma multiple_ok m n p q (A : 'M[R]_(m, n)) : multiple p q A = cval R (Zpos p, q) *: A.
Proof.
rewrite /multiple /cval /=; case: p => [p|p|]; case: q => [q|q|] //=; rewrite ?divr1 ?scale1r //.
Qed.
Lemma first_term_ok m n k (A : 'M[R]_(m, n)) : first_term k A = cval R k *: A.
Proof.
case: k => [[|p|p] q]; rewrite /first_term /= ?multiple_ok //; rewrite /cval /= ?mul0r //.
by rewrite mulNr scaleNr.
Qed.
Lemma and_term_ok m n (S : 'M[R]_(m, n)) x : and_term S x = S + cval R x.1.1 *: x.2.
Proof.
rewrite /and_term -first_term_ok /first_term; by case: x.1.1.1.
Qed.
Definition term m n (k : coef) (a : N) (A : 'M[R]_(m, n)) := (k, a, A).
Definition sum_of_terms m n (k : coef) (A : 'M[R]_(m, n)) l : 'M_(m, n) := foldl (@and_term m n) (first_term k A) l.
Lemma line_sum m n (k : coef) (a : N) (A : 'M[R]_(m, n)) (l : seq (coef * N * 'M[R]_(m, n))) : env a = Mat A ->
  [seq env (nat_of_bin x.1.2) | x <- l] = [seq Mat x.2 | x <- l] ->
  means (Sum ((k, a) :: [seq x.1 | x <- l])) (Mat (sum_of_terms k A l)).
Proof.
move=> ea el; have -> : sum_of_terms k A l =
    \sum_(y <- (k, a) :: [seq x.1 | x <- l]) cval R y.1 *: view m n (env y.2).
  rewrite big_cons /sum_of_terms /= ea viewE first_term_ok; move: (_ *: A) => S {ea}.
  elim: l S el => [|x l IH] S /=; first by rewrite big_nil addr0.
  by case=> ex el; rewrite big_cons ex viewE IH // and_term_ok addrA.
apply: (@MSum _ _ _ _ ((k, a) :: [seq x.1 | x <- l]) _ _ (fun j => view m n (env j))) => y; rewrite inE.
case/predU1P => [->|]; first by rewrite ea viewE.
elim: l el => //= x l IH [ex el]; rewrite inE => /predU1P [->|]; last exact: IH.
by rewrite ex viewE.
Qed.
End Typed.

(* ---- 3. The theorem ------------------------------------------------------------------------------------- *)
Definition line_means (R : comUnitRingType) szs (w : world R) (vs : seq (mat R)) (os : seq op) (k : nat) : Prop :=
  means szs w (nth (Mat (0 : 'M[R]_0)) vs) (nth (Identity EmptyString) os k) (nth (Mat (0 : 'M[R]_0)) vs k).
Fixpoint below (P : nat -> Prop) (n : nat) : Prop := if n is n'.+1 then below P n' /\ P n' else True.
Lemma belowP P n : below P n -> forall k, (k < n)%N -> P k.
Proof. by elim: n => // n IH [lo hi] k; rewrite ltnS leq_eqVlt => /predU1P [->|/(IH lo)]. Qed.
(* the lines are counted in parts of 32, so that no large number is written out in a proof *)
Definition line_ok (R : comUnitRingType) szs (w : world R) (vs : seq (mat R)) (os : seq op) (part place : nat) : Prop :=
  if (part * 32 + place < size os)%N then line_means szs w vs os (part * 32 + place) else True.
Definition all_lines_ok (R : comUnitRingType) szs (w : world R) (vs : seq (mat R)) (os : seq op) (parts : nat) : Prop :=
  below (fun part => below (line_ok szs w vs os part) 32) parts.
Theorem typed_golden text c (R : comUnitRingType) (w : world R) (vs : seq (mat R)) (parts : nat) :
  accepts_sym text -> parse_sym text = Some c -> (forall q, q \in denominators c -> (q%:R : R) \is a GRing.unit) ->
  hypotheses c w -> (size (lines c) <= parts * 32)%N -> all_lines_ok (sizes c) w vs (lines c) parts ->
  all_true (fun e => nth (Mat (0 : 'M[R]_0)) vs (nat_of_bin e.1) = nth (Mat (0 : 'M[R]_0)) vs (nat_of_bin e.2))
    (equations c).
Proof.
move=> acc e den h enough /belowP m; have [c'] := golden_text acc; rewrite e => -[<-] [holds _ _] {e acc}.
have {}m k : (k < size (lines c))%N -> line_means (sizes c) w vs (lines c) k.
  move=> lk; have lp : (k %/ 32 < parts)%N by rewrite ltn_divLR // (leq_trans lk).
  by have := belowP (m _ lp) (ltn_pmod k (isT : 0 < 32)%N); rewrite /line_ok -divn_eq lk.
have := holds R den w h (nth (Mat (0 : 'M[R]_0)) vs) m.
rewrite /claims; elim: (equations c) => //= x es IH cl; split; first by apply: cl; rewrite inE eqxx.
by apply: IH => y iy; apply: cl; rewrite inE iy orbT.
Qed.
