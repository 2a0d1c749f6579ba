(* sym_worlds.v - the hypotheses of a certificate can be met: whatever positive numbers the undeclared sizes are, there
   is a world with these sizes in which declared inverses are inverses.  So sym_sound.v does not speak of nothing.  *)
From Coq Require Import String NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import sym sym_sound sym_lines.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* the rule of proofcheck: a sum has parts, is declared once, and is no part of itself or of an earlier sum *)
Fixpoint sizes_fit (szs : seq (name * seq name)) : bool :=
  if szs is (d, ks) :: r then
    [&& (0 < size ks)%N, d \notin ks, all (fun x => (x.1 != d) && (x.1 \notin ks)) r & sizes_fit r]
  else true.
Definition set (f : name -> nat) (d : name) (n : nat) : name -> nat := fun x => if x == d then n else f x.
Definition solve (szs : seq (name * seq name)) (f : name -> nat) : name -> nat :=
  foldl (fun f x => set f x.1 (sumn [seq f k | k <- x.2])) f szs.

Lemma solve_other szs f x : all (fun y => y.1 != x) szs -> solve szs f x = f x.
Proof.
elim: szs f => [|[d ks] r IH] f //= /andP [ne al]; rewrite -/(solve _ _) IH // /set eq_sym (negbTE ne) //.
Qed.
Lemma solve_ok szs f : sizes_fit szs -> forall x, x \in szs -> solve szs f x.1 = sumn [seq solve szs f k | k <- x.2].
Proof.
elim: szs f => [|[d ks] r IH] f //= /and4P [_ dk al fit] x.
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
elim: szs f => [|[d ks] r IH] f //= /and4P [pk _ _ fit] pf x; apply: IH => // y; rewrite /set; case: ifP => // _.
by case: ks pk => //= k ks _; rewrite addn_gt0 pf.
Qed.

Theorem world_exists c : check c -> sizes_fit (sizes c) -> forall (R : comUnitRingType) (f : name -> nat),
  (forall x, (0 < f x)%N) -> exists w : world R,
  [/\ hypotheses c w, forall x, (0 < sz w x)%N &
      forall x, all (fun y => y.1 != x) (sizes c) -> sz w x = f x].
Proof.
move=> _ fit R f pf.
exists (World (solve (sizes c) f) (fun _ m n => pid_mx m) (fun _ m n _ => 0)); split=> /=; last 2 first.
- exact: solve_pos.
- by move=> x; apply: solve_other.
split=> [s ls|k lk] /=.
  by rewrite /sum_of /parts (solve_ok f fit (mem_nth _ ls)).
case: line => //= x r _ [|| y] //=; rewrite ?pid_mx_1 ?trmx1 mulmx1 //.
Qed.

(* Over a field of characteristic 0 no denominator matters; without fractions none does over any commutative ring. *)
Corollary golden_field c : check c -> all (fun q => q != 0%N) (denominators c) ->
  forall F : fieldType, [char F] =i pred0 ->
  forall w : world F, hypotheses c w -> forall env, model c w env -> claims c env.
Proof.
move=> ch /allP nz F ch0 w h env m; apply: (@golden c ch F _ w h env m) => q /nz nq.
by rewrite unitfE (charf0P F).1.
Qed.
Corollary golden_whole c : check c -> all (fun q => q == 1%N) (denominators c) ->
  forall R : comUnitRingType, forall w : world R, hypotheses c w -> forall env, model c w env -> claims c env.
Proof. by move=> ch /allP o R w h env m; apply: (@golden c ch R _ w h env m) => q /o /eqP ->; rewrite unitr1. Qed.
