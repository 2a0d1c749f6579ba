(* b_27_unit.v - B-27, W_Q = W_K and all tokens visible: the spectrum of attention lies in [0, 1].
 *
 * e(S) is positive semidefinite for every S = Q Q' and every limit e of power series with coefficients >= 0, exp among
 * them, by Schur's product theorem; the rest is b_27.v. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import order.
From Theorems Require Import b_27.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Unit.
Variables (C : numClosedFieldType) (n : nat).
Implicit Types (K S : 'M[C]_n) (u : 'rV[C]_n).

(* K_ij is the sum of c_k f_k(i) f_k(j) with c_k >= 0 and real f_k: the positive semidefinite matrices of the proof *)
Definition gram K := exists (I : finType) (c : I -> C) (f : I -> 'I_n -> C),
  [/\ forall k, 0 <= c k, forall k i, f k i \is Num.real & forall i j, K i j = \sum_k c k * (f k i * f k j)].

Lemma gram_real K i j : gram K -> K i j \is Num.real.
Proof.
case=> I [c [f [c0 re ->]]]; apply: rpred_sum => k _.
by apply: rpredM; [exact: ger0_real|exact: rpredM].
Qed.
Lemma gram_symmetric K : gram K -> symmetric K.
Proof. by case=> I [c [f [_ _ e]]] i j; rewrite !e; apply: eq_bigr => k _; rewrite [f k i * _]mulrC. Qed.

Lemma gram_form K u : gram K -> 0 <= form K u.
Proof.
case=> I [c [f [c0 re e]]].
have -> : form K u = \sum_k c k * `|\sum_i u 0 i * f k i| ^+ 2.
  rewrite /form; under eq_bigr do under eq_bigr do rewrite e mulr_sumr mulr_suml.
  under eq_bigr do rewrite exchange_big /=.
  rewrite exchange_big /=; apply: eq_bigr => k _; rewrite normCK rmorph_sum mulr_suml mulr_sumr.
  apply: eq_bigr => i _; rewrite mulr_sumr mulr_sumr; apply: eq_bigr => j _.
  by rewrite rmorphM (CrealP (re k j)) mulrCA -!mulrA [f k j * _]mulrC.
by apply: sumr_ge0 => k _; rewrite mulr_ge0 ?exprn_ge0.
Qed.

(* Schur's product theorem *)
Lemma gram_hadamard K S : gram K -> gram S -> gram (\matrix_(i, j) (K i j * S i j)).
Proof.
case=> I [c [f [c0 fr fe]]] [J [b [g [b0 gr ge]]]].
exists [the finType of (I * J)%type], (fun p => c p.1 * b p.2), (fun p i => f p.1 i * g p.2 i); split=> [p|p i|i j].
- exact: mulr_ge0.
- exact: rpredM.
rewrite mxE fe ge big_distrlr pair_bigA /=; apply: eq_bigr => p _.
by rewrite mulrACA; congr (_ * _); rewrite mulrACA.
Qed.
Lemma gram_add_const K c : 0 <= c -> gram K -> gram (\matrix_(i, j) (c + K i j)).
Proof.
move=> c0 [I [b [f [b0 fr fe]]]].
exists [the finType of option I], (fun o => if o is Some k then b k else c),
  (fun o i => if o is Some k then f k i else 1).
split=> [[k|]|[k|] i|i j]; rewrite ?real1 //.
rewrite mxE fe (bigD1 None) //= !mulr1; congr (_ + _).
rewrite (reindex_omap Some id) => [|[k|]] //=; by apply: eq_big => [k|k _]; rewrite ?eqxx.
Qed.

(* c_0 + c_1 x + c_2 x^2 + .. *)
Fixpoint series (cs : seq C) (x : C) : C := if cs is c :: r then c + x * series r x else 0.
Lemma gram_series S cs : gram S -> all (fun c => 0 <= c) cs -> gram (\matrix_(i, j) series cs (S i j)).
Proof.
move=> gS; elim: cs => [_|c r IH /= /andP [c0 /IH gr]].
  by exists [the finType of 'I_0], (fun=> 0), (fun _ _ => 0);
    split=> [[m //]|[m //]|i j] //; rewrite mxE big1 // => -[].
have := gram_add_const c0 (gram_hadamard gS gr); congr gram.
by apply/matrixP => i j; rewrite !mxE.
Qed.

(* e is a limit of polynomials with coefficients >= 0, as exp is: 1 + x + x^2/2 + .. *)
Definition limit_of_series (e : C -> C) S := forall eps, 0 < eps -> exists cs, all (fun c => 0 <= c) cs /\
  forall i j, `|e (S i j) - series cs (S i j)| <= eps.

Lemma limit_form e S u : (forall i j, e (S i j) \is Num.real) -> gram S -> limit_of_series e S ->
  0 <= form (map_mx e S) u.
Proof.
move=> re gS lim; pose w := \sum_i \sum_j `|u 0 i| * `|u 0 j|.
have w0 : 0 <= w by apply: sumr_ge0 => i _; apply: sumr_ge0 => j _; apply: mulr_ge0.
have fr : form (map_mx e S) u \is Num.real.
  by apply: form_real => i j; rewrite !mxE // (gram_symmetric gS).
rewrite real_leNgt ?rpred0 //; apply/negP => neg.
pose eps := - form (map_mx e S) u / (w + 1).
have w1 : 0 < w + 1 by apply: ltr_paddl.
have eps0 : 0 < eps by rewrite divr_gt0 // oppr_gt0.
have [cs [pos near]] := lim _ eps0; have ge0 := gram_form u (gram_series gS pos).
have : `|form (map_mx e S) u - form (\matrix_(i, j) series cs (S i j)) u| <= eps * w.
  rewrite /form -sumrB mulr_sumr; apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => i _.
  rewrite -sumrB mulr_sumr; apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => j _.
  rewrite !mxE -mulrBl -mulrBr !normrM norm_conjC mulrAC [eps * _]mulrC.
  exact: ler_wpmul2l (mulr_ge0 _ _) _ _ (near i j).
move=> le; have : - form (map_mx e S) u <= eps * w.
  apply: le_trans le; rewrite distrC; apply: le_trans (real_ler_norm _); last by rewrite rpredB // ger0_real.
  by rewrite ler_addr.
rewrite /eps mulrAC -mulrA -subr_ge0 => le2.
have : - form (map_mx e S) u * (w / (w + 1)) < - form (map_mx e S) u.
  by rewrite gtr_pmulr ?oppr_gt0 // ltr_pdivr_mulr // mul1r ltr_addl.
by rewrite -subr_gt0 -opprB oppr_gt0 => /(le_lt_trans le2); rewrite ltxx.
Qed.

(* the sum of d_i |u_i|^2, less the form, twice: sum_ij K_ij |u_i - u_j|^2 *)
Lemma gap K u : symmetric K ->
  (\sum_i (\sum_k K i k) * `|u 0 i| ^+ 2 - form K u) *+ 2 = \sum_i \sum_j K i j * `|u 0 i - u 0 j| ^+ 2.
Proof.
move=> sym; pose A i j := K i j * `|u 0 i| ^+ 2 - u 0 i * K i j * (u 0 j)^*.
have -> : \sum_i (\sum_k K i k) * `|u 0 i| ^+ 2 - form K u = \sum_i \sum_j A i j.
  by rewrite /form -sumrB; apply: eq_bigr => i _; rewrite mulr_suml -sumrB.
rewrite mulr2n {2}exchange_big /= -big_split; apply: eq_bigr => i _; rewrite -big_split; apply: eq_bigr => j _ /=.
rewrite /A (sym j i) !normCK rmorphB mulrBl !mulrBr opprB.
by rewrite [u 0 i * K i j]mulrC [u 0 j * K i j]mulrC -!mulrA.
Qed.

(* Provably: claim=B-27 part=as-stated-unit theorem=unit_spectrum quantifiers=all sizes, real queries = keys, positive limits of power series with coefficients >= 0 in place of exp, eigenvalues *)
Theorem unit_spectrum dk (Q : 'M[C]_(n, dk)) e a : (forall i j, Q i j \is Num.real) ->
  let S := Q *m Q^T in (forall i j, 0 < e (S i j)) -> limit_of_series e S -> eigenvalue (by_row_sums (map_mx e S)) a ->
  0 <= a <= 1.
Proof.
move=> re S e0 lim; have gS : gram S.
  exists [the finType of 'I_dk], (fun=> 1), (fun k i => Q i k); split=> [k|k i|i j]; [exact: ler01|exact: re|].
  by rewrite mxE; apply: eq_bigr => k _; rewrite mxE mul1r.
set K := map_mx e S; have K0 i j : 0 < K i j by rewrite mxE.
have sym : symmetric K by move=> i j; rewrite [LHS]mxE [RHS]mxE (gram_symmetric gS).
have reK i j : K i j \is Num.real by apply: gtr0_real.
have d0 i : 0 < \sum_k K i k.
  by rewrite (bigD1 i) //=; apply: ltr_paddr (K0 i i); apply: sumr_ge0 => k _; apply: ltW.
move=> /(rayleigh reK d0) [u [u0 ae]]; have D0 := weight_gt0 d0 u0; apply/andP; split.
  rewrite -(pmulr_lge0 _ D0) ae; apply: limit_form gS lim => i j; exact: gtr0_real.
rewrite -(ler_pmul2r D0) mul1r ae -subr_ge0 -(pmulrn_lge0 _ (ltn0Sn 1)) gap //.
apply: sumr_ge0 => i _; apply: sumr_ge0 => j _; apply: mulr_ge0; [exact: ltW|exact: exprn_ge0].
Qed.
End Unit.

(* ---- without a hypothesis: two tokens ---------------------------------------------------------------------------- *)

Section Needed.
Variable C : numClosedFieldType.
Notation over A := (over C A).
Definition two (a b c e : rat) : 'M[rat]_2 := \matrix_(i, j) nth 0 (nth [::] [:: [:: a; b]; [:: c; e]] i) j.
Definition outside (K : 'M[C]_2) := exists a, eigenvalue (by_row_sums K) a /\ ~ (0 <= a <= 1).

(* the eigenvector (1, -1) *)
Lemma outside_of (K : 'M[C]_2) a b c e l : K = over (two a b c e) ->
  let A := by_row_sums (two a b c e) in A 0 0 - A 1 0 = l -> A 0 1 - A 1 1 = - l -> ~~ (0 <= l <= 1) -> outside K.
Proof.
move=> -> A first second out; pose v : 'rV[rat]_2 := \row_j (if j == 0 then 1 else - 1).
have one : ratr 1 = 1 :> C by rewrite rmorph1.
exists (ratr l); split; last by rewrite ler0q -[X in _ && (_ <= X)]one ler_rat; apply/negP.
have := @gaussian C 2 (two a b c e) v 0 l 0 0; rewrite rmorph0 mulr0 addr0; apply; rewrite ?mxE //.
  have last (j : 'I_2) : j != 0 -> j = 1 by case: j => [[|[|//]] ?] // _; apply: val_inj.
  rewrite scale0r subr0; apply/rowP => j; rewrite [LHS]mxE big_ord_recl big_ord1 (last (lift _ _)) // -/A.
  rewrite [RHS]mxE ![v 0 _]mxE /= mul1r mulN1r.
  by have [->|/last ->] := eqVneq j 0; rewrite ?mulr1 ?mulrN1.
by rewrite mul0mx scale0r scaler0 addr0.
Qed.
Lemma is_series cs (e : C -> C) n (S : 'M[C]_n) : all (fun c => 0 <= c) cs -> e =1 series cs -> limit_of_series e S.
Proof. by move=> pos same eps eps0; exists cs; split=> // i j; rewrite same subrr normr0 ltW. Qed.
Lemma line_series c n (S : 'M[C]_n) : 0 <= c -> limit_of_series (fun x => c + x) S.
Proof.
move=> c0; apply: (@is_series [:: c; 1]) => [|x]; first by rewrite /= c0 ler01.
by rewrite /= mulr0 addr0 mulr1.
Qed.
Ltac entry := rewrite !(mxE, big_ord_recl, big_ord0); apply/eqP; vm_compute; reflexivity.

(* Q = (i; 0), which is not real, and e(x) = 2 + x: K = (1, 2; 2, 2), the eigenvalue -1/6. *)
(* Needed: theorem=unit_spectrum hypothesis=real queries lemma=needs_real *)
Lemma needs_real : let Q : 'M[C]_(2, 1) := \col_i (if i == 0 then 'i else 0) in let S := Q *m Q^T in
  let e x := 2%:R + x in
  [/\ forall i j, 0 < e (S i j), limit_of_series e S & outside (map_mx e S)].
Proof.
move=> Q S e; have K : map_mx e S = over (two 1 2%:R 2%:R 2%:R).
  apply/matrixP; do 2 case=> [[|[|//]] ?]; rewrite !(mxE, big_ord1) /e /= ?mulr0 ?mul0r ?addr0 ?rmorph_nat ?rmorph1 //.
  by rewrite -expr2 sqrCi mulrSr addrK.
split=> [i j||]; last 1 first.
- apply: (outside_of (l := - (1 / 6%:R)) K); [entry|entry|by vm_compute].
- have /matrixP /(_ i j) := K; rewrite [LHS]mxE => ->; rewrite mxE ltr0q.
  by case: i j => [[|[|//]] ?] [[|[|//]] ?]; rewrite mxE.
by apply: line_series; rewrite ler0n.
Qed.
Lemma over_map dk (Q : 'M[rat]_(2, dk)) (e : C -> C) e0 : (forall x, e (ratr x) = ratr (e0 x)) ->
  map_mx e (over Q *m (over Q)^T) = over (map_mx e0 (Q *m Q^T)).
Proof. by move=> same; rewrite /b_27.over map_trmx -map_mxM; apply/matrixP => i j; rewrite !mxE same. Qed.
(* Q = (1; -1) and e(x) = 1/2 + x, which is negative at -1: K = (3/2, -1/2; -1/2, 3/2), the eigenvalue 2. *)
(* Needed: theorem=unit_spectrum hypothesis=a positive function in place of exp lemma=needs_positive *)
Lemma needs_positive : let Q := over (\col_(i < 2) (if i == 0 then 1 else - 1)) in let S := Q *m Q^T in
  let e x := ratr (1 / 2%:R) + x in
  [/\ forall i j, Q i j \is Num.real, limit_of_series e S & outside (map_mx e S)].
Proof.
move=> Q S e; split=> [i j||]; [exact: over_real|by apply: line_series; rewrite ler0q|].
rewrite (over_map _ (e0 := fun x => 1 / 2%:R + x)) => [|x]; last by rewrite /e rmorphD.
apply: (@outside_of _ (3%:R / 2%:R) (- (1 / 2%:R)) (- (1 / 2%:R)) (3%:R / 2%:R) 2%:R).
- by congr (over _); apply/matrixP; do 2 case=> [[|[|//]] ?]; entry.
- by entry.
- by entry.
by vm_compute.
Qed.
(* Q = I and e(x) = 2 - x, no limit of series with coefficients >= 0: K = (1, 2; 2, 1), the eigenvalue -1/3. *)
(* Needed: theorem=unit_spectrum hypothesis=a limit of power series with coefficients not below 0 lemma=needs_series *)
Lemma needs_series : let Q := over (1%:M : 'M_2) in let S := Q *m Q^T in let e x := ratr 2%:R - x in
  [/\ forall i j, Q i j \is Num.real, forall i j, 0 < e (S i j) & outside (map_mx e S)].
Proof.
move=> Q S e; have K : map_mx e S = over (two 1 2%:R 2%:R 1).
  rewrite (over_map _ (e0 := fun x => 2%:R - x)) => [|x]; last by rewrite /e rmorphB.
  by congr (over _); apply/matrixP; do 2 case=> [[|[|//]] ?]; entry.
split=> [i j|i j|]; first exact: over_real.
- have /matrixP /(_ i j) := K; rewrite [LHS]mxE => ->; rewrite mxE ltr0q.
  by case: i j => [[|[|//]] ?] [[|[|//]] ?]; rewrite mxE.
by apply: (outside_of (l := - (1 / 3%:R)) K); [entry|entry|vm_compute].
Qed.
End Needed.

(* Needed: theorem=unit_spectrum hypothesis=an eigenvalue argued=says what the number a is, of which the theorem speaks *)
