(* b_27.v - B-27, attention under a symmetric similarity: a reversible Markov chain with a real spectrum.
 *
 * Not in the paper, which says of similarity (002, Section 5) that "a is equally similar to b as is b to a" under
 * W_Q = W_K.  A = D^-1 K, K = e(S) entrywise, D = diag(K 1), with any positive function e in place of exp; numbers are
 * those of an algebraically closed field with conjugation, K is real. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import order.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(* K divided by its row sums *)
Definition by_row_sums (F : fieldType) n (K : 'M[F]_n) : 'M[F]_n := \matrix_(i, j) (K i j / \sum_k K i k).
Definition symmetric (F : fieldType) n (K : 'M[F]_n) := forall i j, K i j = K j i.

(* Kolmogorov's condition *)
(* Provably: claim=B-27 part=as-stated theorem=triangles quantifiers=all fields, sizes, symmetric K, tokens i, j, k *)
Theorem triangles (F : fieldType) n (K : 'M[F]_n) i j k : symmetric K -> let A := by_row_sums K in
  A i j * A j k * A k i = A i k * A k j * A j i.
Proof.
move=> sym /=; rewrite !mxE (sym i k) (sym k j) (sym j i); set x := K i j; set y := K j k; set z := K k i.
set a := (\sum_l K i l)^-1; set b := (\sum_l K j l)^-1; set c := (\sum_l K k l)^-1.
by rewrite (mulrACA x) (mulrACA (x * y)) (mulrACA z) (mulrACA (z * y)) (mulrAC a) [x * y * z]mulrC [x * y]mulrC mulrA.
Qed.

Section Spectrum.
Variables (C : numClosedFieldType) (n : nat).
Implicit Types (K : 'M[C]_n) (w : 'rV[C]_n).

(* w K w*, for rows w of complex numbers *)
Definition form K w : C := \sum_i \sum_j w 0 i * K i j * (w 0 j)^*.

Lemma form_real K w : (forall i j, K i j \is Num.real) -> symmetric K -> form K w \is Num.real.
Proof.
move=> re sym; rewrite CrealE /form rmorph_sum exchange_big /=; apply/eqP; apply: eq_bigr => i _.
rewrite rmorph_sum; apply: eq_bigr => j _; rewrite !rmorphM conjCK (CrealP (re i j)) (sym i j).
by rewrite mulrC [_^* * _]mulrC mulrA.
Qed.

(* A row with w D^-1 K = a w turns into u = w D^-1: a sum_i d_i |u_i|^2 = u K u*. *)
Lemma rayleigh K a : (forall i j, K i j \is Num.real) -> (forall i, 0 < \sum_k K i k) ->
  eigenvalue (by_row_sums K) a -> exists u : 'rV[C]_n, u != 0 /\ a * (\sum_i (\sum_k K i k) * `|u 0 i| ^+ 2) = form K u.
Proof.
move=> re d0 /eigenvalueP [w wA w0]; pose d i := \sum_k K i k.
exists (\row_i (w 0 i / d i)); split.
  apply: contraNneq w0 => /rowP z; apply/eqP/rowP => i; have /eqP := z i.
  by rewrite !mxE mulf_eq0 invr_eq0 (gt_eqF (d0 i)) orbF => /eqP.
rewrite mulr_sumr /form exchange_big /=; apply: eq_bigr => j _; rewrite -mulr_suml !mxE.
have -> : \sum_i (\row_i (w 0 i / d i)) 0 i * K i j = a * w 0 j.
  have /rowP /(_ j) := wA; rewrite !mxE => <-; apply: eq_bigr => i _.
  by rewrite !mxE mulrAC mulrA.
rewrite normCK -/(d j) -[RHS]mulrA; congr (a * _); rewrite !mulrA; congr (_ * _).
by rewrite mulrAC divff ?mul1r // gt_eqF //; apply: d0.
Qed.

Lemma weight_gt0 K (u : 'rV[C]_n) : (forall i, 0 < \sum_k K i k) -> u != 0 -> 0 < \sum_i (\sum_k K i k) * `|u 0 i| ^+ 2.
Proof.
move=> d0 /rV0Pn [i ui]; rewrite (bigD1 i) //=; apply: ltr_paddr.
  by apply: sumr_ge0 => j _; apply: mulr_ge0; [exact: ltW|exact: exprn_ge0].
by rewrite mulr_gt0 // exprn_gt0 // normr_gt0.
Qed.

(* all eigenvalues are real *)
(* Provably: claim=B-27 part=as-stated-real theorem=real_spectrum quantifiers=all sizes, real symmetric K with positive row sums, eigenvalues *)
Theorem real_spectrum K a : (forall i j, K i j \is Num.real) -> symmetric K -> (forall i, 0 < \sum_k K i k) ->
  eigenvalue (by_row_sums K) a -> a \is Num.real.
Proof.
move=> re sym d0 /(rayleigh re d0) [u [u0 e]]; have pos := weight_gt0 d0 u0.
have -> : a = form K u / \sum_i (\sum_k K i k) * `|u 0 i| ^+ 2 by rewrite -e mulfK // gt_eqF.
by rewrite rpredM ?rpredV ?form_real // gtr0_real.
Qed.
End Spectrum.
