(* sym_worlds.v - the hypotheses of a certificate can be met: whatever positive numbers the undeclared sizes are, there
   is a world with these sizes in which declared inverses are inverses and functions have their declared properties.
   So sym_sound.v does not speak of nothing.                                                                        *)
From Coq Require Import String NArith ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import sym sym_sound sym_lines.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* the rule of proofcheck: a sum has parts, is declared once, and is no part of itself or of an earlier sum *)
Fixpoint sizes_fit (szs : seq (name * seq name)) : bool :=
  if szs is (d, ks) :: r then
    [&& (0 < size ks)%N, d != unit_size, d \notin ks, all (fun x => (x.1 != d) && (x.1 \notin ks)) r & sizes_fit r]
  else true.
(* a function is declared once, and a half-odd one has no other property *)
Definition functions_fit (fs : seq (name * properties)) : bool :=
  uniq [seq x.1 | x <- fs] && all (fun x => half_odd x.2 ==> ~~ (shift_invariant x.2 || stochastic x.2)) fs.
Definition set (f : name -> nat) (d : name) (n : nat) : name -> nat := fun x => if x == d then n else f x.
Definition solve (szs : seq (name * seq name)) (f : name -> nat) : name -> nat :=
  foldl (fun f x => set f x.1 (sumn [seq f k | k <- x.2])) f szs.

Lemma solve_other szs f x : all (fun y => y.1 != x) szs -> solve szs f x = f x.
Proof.
elim: szs f => [|[d ks] r IH] f //= /andP [ne al]; rewrite -/(solve _ _) IH // /set eq_sym (negbTE ne) //.
Qed.
Lemma solve_ok szs f : sizes_fit szs -> forall x, x \in szs -> solve szs f x.1 = sumn [seq solve szs f k | k <- x.2].
Proof.
elim: szs f => [|[d ks] r IH] f //= /and5P [_ _ dk al fit] x.
rewrite inE -/(solve _ _) => /predU1P [-> /=|ix]; last exact: IH.
have same k : (k == d) || (k \in ks) -> all (fun y => y.1 != k) r.
  move=> h; apply: sub_all al => y /andP [nd nk]; case/orP: h => [/eqP -> //|ik].
  by apply: contraNneq nk => ->.
rewrite solve_other ?same ?eqxx // /set eqxx; congr sumn; apply/eq_in_map => k ik.
rewrite solve_other ?same ?ik ?orbT //; case: eqP => // e.
by rewrite -e ik in dk.
Qed.
Lemma solve_pos szs f : sizes_fit szs -> (forall x, (0 < f x)%N) -> forall x, (0 < solve szs f x)%N.
Proof.
elim: szs f => [|[d ks] r IH] f //= /and5P [pk _ _ _ fit] pf x; apply: IH => // y; rewrite /set; case: ifP => // _.
by case: ks pk => //= k ks _; rewrite addn_gt0 pf.
Qed.

Lemma unit_other szs : sizes_fit szs -> all (fun y => y.1 != unit_size) szs.
Proof. by elim: szs => [|[d ks] r IH] //= /and5P [_ -> _ _ /IH]. Qed.

(* functions with the properties: Y/2 is half-odd; ones in the first column are the same for all arguments *)
Definition simple_function (R : comUnitRingType) (fs : seq (name * properties)) (f : name) m n (args : seq (mat R))
    : 'M[R]_(m, n) :=
  if half_odd (properties_of fs f) then (if args is [:: A] then (2%:R)^-1 *: view m n A else 0)
  else \matrix_(i, j) (val j == 0%N)%:R.
Lemma properties_nth fs k : uniq [seq x.1 | x <- fs] -> (k < size fs)%N ->
  properties_of fs (nth no_function fs k).1 = (nth no_function fs k).2.
Proof.
move=> un lk; rewrite /properties_of; set f := (nth _ _ k).1; set j := find _ _.
have hf : has (fun x => x.1 == f) fs by apply/(has_nthP no_function); exists k.
have lj : (j < size fs)%N by rewrite -has_find.
have ej : (nth no_function fs j).1 = f by apply/eqP; apply: (nth_find no_function hf).
suff -> : j = k by [].
apply/eqP; rewrite -(nth_uniq EmptyString _ _ un) ?size_map //.
by rewrite !(nth_map no_function) // ej.
Qed.

Theorem world_exists c : sizes_fit (sizes c) -> functions_fit (functions c) ->
  forall (R : comUnitRingType) (f : name -> nat), (2%:R : R) \is a GRing.unit ->
  f unit_size = 1%N -> (forall x, (0 < f x)%N) -> exists w : world R,
  hypotheses c w /\ forall x, all (fun y => y.1 != x) (sizes c) -> sz w x = f x.
Proof.
move=> fit /andP [un odd] R f two f1 pf.
exists (World (solve (sizes c) f) (fun _ m n => pid_mx m) (@simple_function R (functions c))); split=> /=; last first.
  by move=> x; apply: solve_other.
split=> [|k lk|k lk].
- split=> /= [||s ls]; [by rewrite solve_other ?unit_other | exact: solve_pos |].
  by rewrite /sum_of /parts (solve_ok f fit (mem_nth _ ls)).
- by case: line => //= x r _ [|| y] //=; rewrite ?pid_mx_1 ?trmx1 mulmx1 //.
have := all_nthP no_function odd k lk; have := properties_nth un lk; set x := nth _ _ k => ex /implyP ho.
split=> h /=; rewrite /is_half_odd /is_shift_invariant /is_stochastic /= /simple_function ex.
- move=> m n Y; rewrite h !viewE -scalerBr opprK -[X in X + X]scale1r -scalerDl scalerA -(natrD _ 1 1).
  by rewrite mulVr // scale1r.
- by move=> m n p q S C; case ho' : half_odd => //; move: (ho ho'); rewrite h.
move=> m [|n] p q S // _; case ho' : half_odd; first by move: (ho ho'); rewrite h orbT.
apply/matrixP => i j; rewrite !mxE big_ord_recl big1 => [|a _]; rewrite !mxE ?mulr1 ?addr0 //=.
Qed.

Lemma nat_of_pos_gt0 p : (0 < nat_of_pos p)%N.
Proof. by elim: p => //= p; rewrite ?NatTrec.doubleE; case: nat_of_pos. Qed.

Lemma denominators_gt0 c : all (fun q => 0 < q)%N (denominators c).
Proof.
rewrite /denominators; elim: (lines c) => //= o os IH; rewrite all_cat IH andbT; case: o => //= ks.
by elim: ks => //= k ks ->; rewrite nat_of_pos_gt0.
Qed.

(* Over a field of characteristic 0 no denominator matters; without fractions none does over any commutative ring. *)
Corollary golden_field c : check c ->
  forall F : fieldType, [char F] =i pred0 ->
  forall w : world F, hypotheses c w -> forall env, model c w env -> claims c env.
Proof.
move=> ch F ch0 w h env m; apply: (@golden c ch F _ w h env m) => q.
by move/(allP (denominators_gt0 c)); rewrite unitfE (charf0P F).1 // -lt0n.
Qed.
Corollary golden_whole c : check c -> all (fun q => q == 1%N) (denominators c) ->
  forall R : comUnitRingType, forall w : world R, hypotheses c w -> forall env, model c w env -> claims c env.
Proof. by move=> ch /allP o R w h env m; apply: (@golden c ch R _ w h env m) => q /o /eqP ->; rewrite unitr1. Qed.
