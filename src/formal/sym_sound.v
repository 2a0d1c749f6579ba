(* sym_sound.v - the checker of sym.v is right: what it accepts holds for all sizes, matrices and functions.   *)
From Coq Require Import String NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import sym.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* ---- matrices with their shapes ----------------------------------------------------------------------- *)
(* `view m n A` is A seen as an m x n matrix (cut, or filled with zeros); where the shape fits it is A itself.
   It keeps dependent types away: products and sums of any two matrices make sense, and once the shapes are known
   to fit, `view` disappears (viewE).                                                                        *)
Section Shapes.
Variable R : comUnitRingType.
Implicit Types A B C : mat R.

Definition view m n A : 'M[R]_(m, n) := pid_mx m *m body A *m (pid_mx n : 'M_(_, n)).
Lemma viewE m n (A : 'M[R]_(m, n)) : view m n (Mat A) = A.
Proof. by rewrite /view /= !pid_mx_1 mul1mx mulmx1. Qed.
Lemma Mat_inj m n (A B : 'M[R]_(m, n)) : Mat A = Mat B -> A = B.
Proof. by move=> e; rewrite -(viewE A) e viewE. Qed.
Lemma MatK m n A : rows A = m -> cols A = n -> Mat (view m n A) = A.
Proof. by case: A => p q A /= <- <-; rewrite viewE. Qed.

Definition mulM A B : mat R := Mat (body A *m view (cols A) (cols B) B).
Definition idM n : mat R := Mat (1%:M : 'M_n).
Definition trM A : mat R := Mat (body A)^T.
Definition zeroM m n : mat R := Mat (0 : 'M_(m, n)).

Lemma mulME m n p (A : 'M[R]_(m, n)) (B : 'M_(n, p)) : mulM (Mat A) (Mat B) = Mat (A *m B).
Proof. by rewrite /mulM /= viewE. Qed.
Lemma mulMA A B C : cols A = rows B -> cols B = rows C -> mulM A (mulM B C) = mulM (mulM A B) C.
Proof.
by case: A B C => m n A [p q B] [r s C] /= e f; subst; rewrite !mulME mulmxA.
Qed.
Lemma mul1M n A : rows A = n -> mulM (idM n) A = A.
Proof. by case: A => p q A /= <-; rewrite mulME mul1mx. Qed.
Lemma mulM1 n A : cols A = n -> mulM A (idM n) = A.
Proof. by case: A => p q A /= <-; rewrite mulME mulmx1. Qed.
Lemma mul0M n A m : rows A = n -> mulM (zeroM m n) A = zeroM m (cols A).
Proof. by case: A => p q A /= <-; rewrite mulME mul0mx. Qed.
Lemma mulM0 n A m : cols A = n -> mulM A (zeroM n m) = zeroM (rows A) m.
Proof. by case: A => p q A /= <-; rewrite mulME mulmx0. Qed.
Lemma trMK A : trM (trM A) = A.
Proof. by case: A => m n A; rewrite /trM /= trmxK. Qed.
Lemma trM_mul A B : cols A = rows B -> trM (mulM A B) = mulM (trM B) (trM A).
Proof. by case: A B => m n A [p q B] /= e; subst; rewrite /trM mulME mulME /= trmx_mul. Qed.
Lemma trM1 n : trM (idM n) = idM n. Proof. by rewrite /trM /= trmx1. Qed.
Lemma view_mul m n p A B : rows A = m -> cols A = n -> rows B = n -> cols B = p ->
  view m p (mulM A B) = view m n A *m view n p B.
Proof. by case: A B => r s A [t u B] /= *; subst; rewrite mulME !viewE. Qed.
Lemma view_tr m n A : rows A = m -> cols A = n -> view n m (trM A) = (view m n A)^T.
Proof. by case: A => r s A /= *; subst; rewrite !viewE. Qed.
Lemma view0 m n : view m n (zeroM m n) = 0. Proof. exact: viewE. Qed.
Lemma view1 n : view n n (idM n) = 1%:M. Proof. exact: viewE. Qed.
End Shapes.

(* ---- coefficients ------------------------------------------------------------------------------------- *)
Section Coefficients.
Variable R : comUnitRingType.
Definition good (k : coef) := (k.2%:R : R) \is a GRing.unit.
Local Notation cval := (cval R).

Lemma good_mul a b : good a -> good b -> good (cmul a b).
Proof. by rewrite /good /= natrM => u v; rewrite unitrM u. Qed.
Lemma good_add a b : good a -> good b -> good (cadd a b).
Proof. by rewrite /cadd; case: eqP => // _; exact: good_mul. Qed.
Lemma cvalM a b : good a -> good b -> cval (cmul a b) = cval a * cval b.
Proof. by move=> u v; rewrite /sym.cval /= intrM natrM invrM // [X in _ * X = _]mulrC mulrACA. Qed.
Lemma cvalN a : cval (copp a) = - cval a.
Proof. by rewrite /sym.cval /= mulrNz mulNr. Qed.
Lemma cvalD a b : good a -> good b -> cval (cadd a b) = cval a + cval b.
Proof.
rewrite /cadd /good; case: eqP => [e|_] u v; first by rewrite /sym.cval /= e intrD mulrDl.
rewrite /sym.cval /= intrD !intrM -!pmulrn natrM invrM // mulrDl mulrA mulrK //.
by rewrite [X in _ + _ * X]mulrC mulrA mulrK.
Qed.
Lemma cval1 : cval one = 1. Proof. by rewrite /sym.cval /= divr1. Qed.
Lemma cval0 a : a.1 = 0 -> cval a = 0. Proof. by rewrite /sym.cval => ->; rewrite mul0r. Qed.
Lemma good1 : good one. Proof. exact: unitr1. Qed.
Lemma ceqP a b : good a -> good b -> ceq a b -> cval a = cval b.
Proof.
rewrite /good /ceq => u v /eqP e; rewrite /sym.cval.
apply: (canLR (mulrK u)); rewrite mulrAC; apply: (canRL (mulrK v)).
by rewrite !pmulrn -!intrM e.
Qed.
End Coefficients.

(* From here on one model is fixed: sizes, matrices, functions (the world w), and env, the matrix of each line. *)
(* ---- words and polynomials in one model --------------------------------------------------------------- *)
Section Soundness.
Variables (R : comUnitRingType) (szs : seq (name * seq name)) (w : world R) (env : nat -> mat R).
Hypothesis sizes_ok : sizes_hold szs w.
Local Notation good := (@good R).
Local Notation cval := (cval R).
Local Notation E := (block szs w).
Local Notation off := (offset szs w).

(* rules 4 and 5: the blocks of one size stand side by side *)
Lemma offS s i : (i < size (parts szs s))%N -> off s i.+1 = (off s i + sz w (part szs s i))%N.
Proof. by move=> lt; rewrite /offset (take_nth EmptyString lt) map_rcons sumn_rcons. Qed.
Lemma off_all s : (s < size szs)%N -> off s (size (parts szs s)) = sz w (sum_of szs s).
Proof. by move=> lt; rewrite /offset take_size sizes_ok. Qed.
Lemma off_mono s i j : (i <= j)%N -> (j <= size (parts szs s))%N -> (off s i <= off s j)%N.
Proof.
move=> /subnK <-; elim: (j - i)%N => // n IH lt; rewrite addSn offS //.
by apply: leq_trans (leq_addr _ _); apply: IH; apply: ltnW.
Qed.
Lemma blocks_same s i : (s < size szs)%N -> (i < size (parts szs s))%N -> (E s i)^T *m E s i = 1%:M.
Proof.
move=> ls li; apply/matrixP => b b'; rewrite !mxE.
have lt : (off s i + b < sz w (sum_of szs s))%N.
  rewrite -off_all //; apply: leq_trans (off_mono li (leqnn _)).
  by rewrite offS // ltn_add2l.
rewrite (bigD1 (Ordinal lt)) //= big1 ?addr0 => [|a ne]; rewrite !mxE /=.
  by rewrite eqxx mul1r eqn_add2l.
by case: eqP => [e|_]; rewrite ?mul0r //; case/negP: ne; apply/eqP/val_inj.
Qed.
Lemma blocks_differ s i j : (i < size (parts szs s))%N -> (j < size (parts szs s))%N -> i != j ->
  (E s i)^T *m E s j = 0.
Proof.
move=> li lj ne; apply/matrixP => b b'; rewrite !mxE big1 // => a _; rewrite !mxE.
case: eqP => [->|_]; rewrite ?mul0r // mul1r; case: eqP => // e; exfalso.
have far k l (x : 'I_(sz w (part szs s k))) y : (k < l)%N -> (l < size (parts szs s))%N ->
  (off s k + x)%N = (off s l + y)%N -> False.
  move=> kl ll eq; have := off_mono kl (ltnW ll); rewrite offS ?(ltn_trans kl) // leqNgt => /negP [].
  by apply: leq_ltn_trans (leq_addr y _) _; rewrite -eq ltn_add2l.
by case: (ltngtP i j) ne => // lt _; [apply: far e | apply: far (esym e)].
Qed.
Lemma blocks_sum s n : (n <= size (parts szs s))%N ->
  \sum_(j < n) E s j *m (E s j)^T = \matrix_(a, b) ((a == b) && (a < off s n)%N)%:R.
Proof.
elim: n => [|n IH] lt.
  by rewrite big_ord0; apply/matrixP => a b; rewrite !mxE /offset take0 andbF.
rewrite big_ord_recr IH ?(ltnW lt) //=; apply/matrixP => a b; rewrite !mxE offS //.
case: (ltnP a (off s n)) => [la|ge].
  rewrite (leq_trans la (leq_addr _ _)) big1 ?addr0 // => k _; rewrite !mxE.
  by case: eqP => [e|_]; rewrite ?mul0r //; move: la; rewrite e ltnNge leq_addr.
rewrite andbF add0r; case: (ltnP a _) => [la|ge2]; last first.
  rewrite andbF big1 // => k _; rewrite !mxE.
  by case: eqP => [e|_]; rewrite ?mul0r //; move: ge2; rewrite e leq_add2l leqNgt ltn_ord.
have lk : (a - off s n < sz w (part szs s n))%N by rewrite ltn_subLR.
rewrite andbT (bigD1 (Ordinal lk)) //= big1 ?addr0 => [|k ne]; rewrite !mxE /= ?subnKC //.
  by rewrite eqxx mul1r eq_sym -val_eqE.
case: eqP => [e|_]; rewrite ?mul0r //; case/negP: ne; apply/eqP/val_inj => /=.
by rewrite e addKn.
Qed.
Lemma last_block s z : (s < size szs)%N -> z.+1 = size (parts szs s) ->
  E s z *m (E s z)^T = 1%:M - \sum_(j < z) E s j *m (E s j)^T.
Proof.
move=> ls e; apply/eqP; rewrite eq_sym subr_eq addrC -(big_ord_recr z (fun j => E s j *m (E s j)^T)) /= e.
rewrite blocks_sum // off_all //; apply/eqP/matrixP => a b; rewrite !mxE ltn_ord andbT //.
Qed.

(* What words mean: the product of the matrices of their tokens, the empty one the identity.  A step of the checker
   takes a word whose shapes fit to such a word (`chain`), and leaves its product what it was.
   words: tokens in a row; `chain r u c`: the shapes fit, from r rows to c columns *)
Definition tmat (t : token) : mat R :=
  let A := if t.1.1 == 0%num then env (nat_of_bin t.1.2)
           else Mat (E (nat_of_bin t.1.1).-1 (nat_of_bin t.1.2)) in
  if t.2 then trM A else A.
Definition tok_ok (t : token) : bool :=
  let s := (nat_of_bin t.1.1).-1 in
  (t.1.1 == 0%num) || ((s < size szs) && (nat_of_bin t.1.2 < size (parts szs s)))%N.
Definition wval (c : nat) (u : sym.word) : mat R := foldr (fun t A => mulM (tmat t) A) (idM R c) u.
Fixpoint chain (r : nat) (u : sym.word) (c : nat) : Prop :=
  if u is t :: u' then [/\ tok_ok t, rows (tmat t) = r & chain (cols (tmat t)) u' c] else r = c.

Lemma wval_cols c u : cols (wval c u) = c.
Proof. by elim: u => //= t u ->. Qed.
Lemma wval_rows r c u : chain r u c -> rows (wval c u) = r.
Proof. by case: u => [/= ->|t u []]. Qed.
Lemma chain_cat r u v c : chain r (u ++ v) c <-> exists2 m, chain r u m & chain m v c.
Proof.
elim: u r => [|t u IH] r /=.
  by split=> [h|[m -> //]]; first by exists r.
split=> [[a b /IH [m h h']]|[m [a b h] h']]; first by exists m.
by split=> //; apply/IH; exists m.
Qed.
Lemma wval_cat r m c u v : chain r u m -> chain m v c -> wval c (u ++ v) = mulM (wval m u) (wval c v).
Proof.
move=> hu hv; elim: u r hu => [|t u IH] r /= => [e|[_ er hu]].
  by rewrite mul1M // (wval_rows hv).
by rewrite (IH _ hu) mulMA ?(wval_rows hu) ?(wval_rows hv) ?wval_cols.
Qed.
Lemma tmat_flip t : tmat (flip t) = trM (tmat t).
Proof. by case: t => a [] /=; rewrite /tmat //= ?trMK. Qed.
Lemma chain_rev r u c : chain r u c -> chain c (rev (map flip u)) r.
Proof.
elim: u r => [|t u IH] r //= [ok er hu]; rewrite rev_cons -cats1; apply/chain_cat.
by exists (cols (tmat t)); [apply: IH | split; rewrite // tmat_flip].
Qed.
Lemma wval_rev r u c : chain r u c -> wval r (rev (map flip u)) = trM (wval c u).
Proof.
elim: u r => [|t u IH] r /= => [->|[ok er hu]]; first by rewrite trM1.
rewrite rev_cons -cats1 (wval_cat (chain_rev hu)); last by split; rewrite // tmat_flip.
rewrite (IH _ hu) trM_mul ?(wval_rows hu) // /= tmat_flip; congr mulM.
by rewrite mulM1.
Qed.

(* rule 3 *)
Definition invs_ok (v : invs) := forall a b e, inverse_of v a = Some (b, e) ->
  exists n (A B : 'M[R]_n), [/\ env (nat_of_bin a) = Mat A,
                                (if e then trM (env (nat_of_bin b)) else env (nat_of_bin b)) = Mat B & A *m B = 1%:M].
Definition gone (x t : token) := mulM (tmat x) (tmat t) = idM R (rows (tmat x)) /\ cols (tmat t) = rows (tmat x).
Lemma cancels_gone v x t : invs_ok v -> cancels v x t -> gone x t.
Proof.
case: x t => [[x0 a] f] [[t0 b] g] ok; rewrite /cancels /=; case: andP => // [[/eqP -> /eqP ->]].
case e: inverse_of => [[b' h]|] //= /andP [/eqP eb /eqP eg]; subst b' g.
have [n [A [B [eA eB AB]]]] := ok _ _ _ e; have BA := mulmx1C AB.
rewrite /gone /tmat /= eA; case: f => /=; last by rewrite addbF eB mulME AB.
have -> : (if h (+) true then trM (env b) else env b) = trM (Mat B).
  by rewrite -eB; case: (h) => //=; rewrite trMK.
by rewrite /trM mulME /= -trmx_mul BA trmx1.
Qed.
(* rule 4 *)
Lemma meet_gone x t : tok_ok x -> tok_ok t -> blocks_meet x t ->
  if x.1.2 == t.1.2 then gone x t else mulM (tmat x) (tmat t) = zeroM R (rows (tmat x)) (cols (tmat t)).
Proof.
case: x t => [[s i] f] [[s' j] g]; rewrite /tok_ok /blocks_meet /gone /tmat /=.
case: (s =P 0%num) => //= ns /andP [ls li] okj /and3P [/eqP es fT gF]; move: okj; rewrite -{s'}es fT (negbTE gF).
move/eqP/negbTE: ns => -> /andP [_ lj]; case: (i =P j) => [<-|ne] /=; rewrite mulME.
  by rewrite blocks_same.
by rewrite blocks_differ //; apply/eqP => /(can_inj nat_of_binK).
Qed.

Lemma push_ok v u st r m c : invs_ok v -> chain r (rev st) m -> chain m u c ->
  if push v st u is Some u' then chain r u' c /\ wval c u' = wval c (rev st ++ u)
  else wval c (rev st ++ u) = zeroM R r c.
Proof.
move=> ok; elim: u st m => [|t u IH] st m hs /= => [<-|[okt er hu]]; first by rewrite cats0.
case: st hs => [/= e|x st]; first by apply: (IH [:: t] _ _ hu); rewrite /= e.
rewrite rev_cons -cats1 => /chain_cat [m' hs /= [okx ex em]].
have hxt : chain m' (x :: t :: u) c by rewrite /= em.
have drop : gone x t -> wval c ((rev st ++ [:: x]) ++ t :: u) = wval c (rev st ++ u) /\ chain m' u c.
  move=> [e e']; have hu' : chain m' u c by rewrite -ex -e'.
  split=> //; rewrite -catA (wval_cat hs) //= [mulM (tmat x) _]mulMA ?(wval_rows hu) ?em // e ex.
  rewrite mul1M ?(wval_rows hu') //.
  by rewrite -(wval_cat hs).
case: ifP => [mt|_]; last case: ifP => [ct|_].
- move: (meet_gone okx okt mt); case: ifP => _; first by case/drop => -> h; apply: IH hs h.
  move=> z; rewrite -catA (wval_cat hs) //= [mulM (tmat x) _]mulMA ?(wval_rows hu) ?em // z mul0M ?(wval_rows hu) //.
  by rewrite mulM0 ?wval_cols // (wval_rows hs).
- by have [-> h] := drop (cancels_gone ok ct); apply: IH hs h.
have -> : (rev st ++ [:: x]) ++ t :: u = rev [:: t, x & st] ++ u by rewrite !rev_cons -!cats1 -!catA.
apply: IH hu; rewrite rev_cons rev_cons -!cats1; apply/chain_cat; exists m => //.
by apply/chain_cat; exists m'.
Qed.

(* sums of words: what they mean (pval), and that their shapes fit and no denominator is a zero divisor (okp) *)
Definition pval r c (p : poly) : 'M[R]_(r, c) := \sum_(x <- p) cval x.1 *: view r c (wval c x.2).
Definition okp r c (p : poly) := forall x, x \in p -> good x.1 /\ chain r x.2 c.

Lemma okp_nil r c : okp r c [::]. Proof. by []. Qed.
Lemma okp_cons r c x p : okp r c (x :: p) <-> [/\ good x.1, chain r x.2 c & okp r c p].
Proof.
split=> [ok|[g h ok] y]; last by rewrite inE => /predU1P [->|/ok].
by have [] := ok x (mem_head _ _); split=> // y iy; apply: ok; rewrite inE iy orbT.
Qed.
Lemma okp_cat r c p q : okp r c p -> okp r c q -> okp r c (p ++ q).
Proof. by move=> ok1 ok2 x; rewrite mem_cat => /orP [/ok1|/ok2]. Qed.
Lemma okp_flatten r c (ps : seq poly) : (forall p, p \in ps -> okp r c p) -> okp r c (flatten ps).
Proof. by move=> ok x /flattenP [p ip ix]; apply: (ok p). Qed.
Lemma pval_cons r c x p : pval r c (x :: p) = cval x.1 *: view r c (wval c x.2) + pval r c p.
Proof. exact: big_cons. Qed.
Lemma pval_nil r c : pval r c [::] = 0. Proof. exact: big_nil. Qed.
Lemma pval_cat r c p q : pval r c (p ++ q) = pval r c p + pval r c q. Proof. exact: big_cat. Qed.
Lemma pval_flatten r c ps : pval r c (flatten ps) = \sum_(p <- ps) pval r c p. Proof. exact: big_flatten. Qed.
Lemma pval_1 r c k u : pval r c [:: (k, u)] = cval k *: view r c (wval c u). Proof. exact: big_seq1. Qed.

(* rule 1: collecting *)
Lemma put_ok r c x q : okp r c (x :: q) -> okp r c (put x q) /\ pval r c (put x q) = pval r c (x :: q).
Proof.
move=> /okp_cons [gx hx okq]; rewrite pval_cons /put.
case: eqP => [e|_]; first by rewrite (cval0 _ e) scale0r add0r.
case: q okq => [|y q] okq; first by rewrite pval_cons; split=> //; apply/okp_cons.
move/okp_cons: (okq) => [gy hy okq']; rewrite pval_cons.
have g := good_add gx gy; have e := cvalD gx gy.
case: eqP => [exy|_]; last by rewrite !pval_cons; split=> //; apply/okp_cons.
rewrite exy addrA -scalerDl -e; case: eqP => [z|_].
  by rewrite (cval0 _ z) scale0r add0r.
by rewrite pval_cons; split=> //; apply/okp_cons.
Qed.
Lemma normal_ok r c p : okp r c p -> okp r c (normal p) /\ pval r c (normal p) = pval r c p.
Proof.
rewrite /normal; set s := sort _ p => ok.
have ps : perm_eq s p by rewrite perm_sort.
have -> : pval r c p = pval r c s by rewrite /pval (perm_big _ ps).
have {ok}: okp r c s by move=> x; rewrite (perm_mem ps); apply: ok.
elim: s {ps} => [|x s IH] //= /okp_cons [gx hx oks]; have [ok e] := IH oks.
have okx : okp r c (x :: foldr put [::] s) by apply/okp_cons.
by have [ok' e'] := put_ok okx; rewrite e' !pval_cons e.
Qed.

(* rule 5 *)
Lemma find_lastE before u b x a : find_last szs before u = Some (b, x, a) ->
  [/\ rev before ++ u = rev b ++ [:: x, flip x & a], ~~ x.2 & is_last szs x].
Proof.
elim: u before => [|y [|z u] IH] before //=; rewrite /closes.
case: ifP => [|_ /IH [<- n l]]; last by rewrite rev_cons cat_rcons.
by case ey: y.2 => //; case: ifP => // _; case: eqP => // -> l [<- <- <-]; rewrite ey.
Qed.
Lemma expand_ok f v k u r c : invs_ok v -> good k -> chain r u c ->
  okp r c (expand szs f v k u) /\ pval r c (expand szs f v k u) = cval k *: view r c (wval c u).
Proof.
move=> okv; elim: f k u => [|f IH] k u gk hu /=; first by rewrite pval_1; split=> //; apply/okp_cons.
case e: find_last => [[[b x] a]|]; last by rewrite pval_1; split=> //; apply/okp_cons.
have [/= eu nx lx] := find_lastE e; rewrite {e u}eu in hu *.
have [m hb /= [okx em hfa]] := (chain_cat _ _ _ _).1 hu; have [okfx efx ha] := hfa.
case: x nx lx okx em hfa okfx efx ha hu => [[s i] g] /= ng; rewrite (negbTE ng) {g ng}.
rewrite /is_last /tok_ok /tmat /=; case: (s =P 0%num) => //= ns; set s' := (nat_of_bin s).-1.
move=> /eqP ei /andP [ls li] em _ _ _ ha hu; subst m.
pose d := sz w (sum_of szs s'); rewrite -/d in hb ha.
have cut y : tok_ok (s, y, false) -> let u := rev b ++ [:: (s, y, false), (s, y, true) & a] in
    chain r u c /\ view r c (wval c u) =
    view r d (wval d (rev b)) *m (E s' (nat_of_bin y) *m (E s' (nat_of_bin y))^T) *m view d c (wval c a).
  move=> oky /=; have hy : chain d [:: (s, y, false), (s, y, true) & a] c.
    by rewrite /= /tmat /=; case: (s =P 0%num).
  split; first by apply/chain_cat; exists d.
  rewrite (wval_cat hb hy) (view_mul (n := d)) ?wval_cols ?(wval_rows hb) ?(wval_rows hy) // -mulmxA; congr (_ *m _).
  rewrite /= /tmat /=; case: (s =P 0%num) => // _.
  rewrite mulMA ?(wval_rows ha) // mulME (view_mul (n := d)) ?wval_cols ?(wval_rows ha) //.
  by rewrite viewE.
have pushed : let p := if push v b a is Some u' then expand szs f v k u' else [::] in
    okp r c p /\ pval r c p = cval k *: (view r d (wval d (rev b)) *m view d c (wval c a)).
  have := push_ok okv hb ha; rewrite (wval_cat hb ha).
  have := view_mul (wval_rows hb) (wval_cols _ _) (wval_rows ha) (wval_cols _ _).
  case: push => [u'|] /= <-.
    by case=> hu' <-; apply: IH.
  by move=> ->; rewrite pval_nil view0 scaler0.
pose between j := view r d (wval d (rev b)) *m (E s' j *m (E s' j)^T) *m view d c (wval c a).
have others j : j \in iota 0 (nat_of_bin i) ->
    let p := (let y := (s, bin_of_nat j, false) in expand szs f v (copp k) (catrev b [:: y, flip y & a])) in
    okp r c p /\ pval r c p = - (cval k *: between j).
  rewrite mem_iota /= add0n => lj; rewrite catrevE /flip /=.
  have okj : tok_ok (s, bin_of_nat j, false).
    by rewrite /tok_ok /= bin_of_natK -/s' ls (ltn_trans lj li) orbT.
  have [hj ej] := cut _ okj; have [ok ->] := IH (copp k) _ gk hj; split=> //.
  by rewrite ej bin_of_natK cvalN scaleNr.
split; first apply: okp_cat.
- by case: pushed.
- by apply: okp_flatten => p /mapP [j ij ->]; case: (others j ij).
have oki : tok_ok (s, i, false) by rewrite /tok_ok /= -/s' ls li orbT.
have [_ ->] := cut i oki; rewrite pval_cat pushed.2 pval_flatten big_map (last_block ls ei).
rewrite mulmxBr mulmx1 mulmxBl scalerBr; congr (_ + _).
rewrite mulmx_sumr mulmx_suml scaler_sumr -sumrN -(big_mkord xpredT (fun j => - (cval k *: between j))).
by rewrite /index_iota subn0; apply: eq_big_seq => j ij; case: (others j ij).
Qed.

(* products and transposes of sums of words: rules 1 and 2 *)
Lemma times_ok v k a b r m c : invs_ok v -> good k -> chain r a m -> chain m b c ->
  okp r c (times szs v k a b) /\ pval r c (times szs v k a b) = cval k *: view r c (wval c (a ++ b)).
Proof.
move=> okv gk ha hb; rewrite /times.
have := @push_ok v b (rev a) r m c okv; rewrite revK => /(_ ha hb).
case: push => [u|->]; last by rewrite pval_nil view0 scaler0.
by case=> hu <-; apply: expand_ok.
Qed.
Lemma pmul_ok v p q r m c : invs_ok v -> okp r m p -> okp m c q ->
  okp r c (pmul szs v p q) /\ pval r c (pmul szs v p q) = pval r m p *m pval m c q.
Proof.
move=> okv okP okQ.
have each a b : a \in p -> b \in q -> let t := times szs v (cmul a.1 b.1) a.2 b.2 in okp r c t /\
    pval r c t = (cval a.1 *: view r m (wval m a.2)) *m (cval b.1 *: view m c (wval c b.2)).
  move=> /okP [ga ha] /okQ [gb hb] /=; have [ok ->] := times_ok okv (good_mul ga gb) ha hb; split=> //.
  rewrite (wval_cat ha hb) (view_mul (n := m)) ?wval_cols ?(wval_rows ha) ?(wval_rows hb) // cvalM //.
  by rewrite -scalemxAl -scalemxAr scalerA.
have [|ok ->] := @normal_ok r c (flatten [seq times szs v (cmul a.1 b.1) a.2 b.2 | a <- p, b <- q]).
  by apply: okp_flatten => t /allpairsP [[a b] [/= ia ib ->]]; case: (each a b ia ib).
split=> //; rewrite pval_flatten big_allpairs_dep mulmx_suml; apply: eq_big_seq => a ia.
by rewrite mulmx_sumr; apply: eq_big_seq => b ib; case: (each a b ia ib).
Qed.
Lemma ptr_ok v p r c : invs_ok v -> okp r c p -> okp c r (ptr szs v p) /\ pval c r (ptr szs v p) = (pval r c p)^T.
Proof.
move=> okv okP.
have each a : a \in p -> let t := times szs v a.1 [::] (rev (map flip a.2)) in okp c r t /\
    pval c r t = (cval a.1 *: view r c (wval c a.2))^T.
  move=> /okP [ga ha] /=; have [|ok ->] := times_ok okv ga (_ : chain c [::] c) (chain_rev ha); first by [].
  by split; rewrite //= (wval_rev ha) (view_tr (m := r)) ?wval_cols ?(wval_rows ha) // linearZ.
have [|ok ->] := @normal_ok c r (flatten [seq times szs v a.1 [::] (rev (map flip a.2)) | a <- p]).
  by apply: okp_flatten => t /mapP [a ia ->]; case: (each a ia).
split=> //; rewrite pval_flatten big_map linear_sum; apply: eq_big_seq => a ia.
by case: (each a ia).
Qed.
Lemma peq_ok r c p q : okp r c p -> okp r c q -> peq p q -> pval r c p = pval r c q.
Proof.
rewrite /peq => + +; case: eqP => //; elim: p q => [|x p IH] [|y q] //= [es] /okp_cons [gx _ okP] /okp_cons [gy _ okQ].
by case/andP=> /andP [/eqP e /(ceqP gx gy) e'] h; rewrite !pval_cons e e' (IH q).
Qed.
Definition scaled (k : coef) (p : poly) : poly := [seq (cmul k y.1, y.2) | y <- p].
Lemma scaled_ok r c k p : good k -> okp r c p -> okp r c (scaled k p) /\ pval r c (scaled k p) = cval k *: pval r c p.
Proof.
move=> gk okP; split=> [x /mapP [y /okP [gy hy] ->]|]; first by split=> //; apply: good_mul.
rewrite /pval big_map scaler_sumr; apply: eq_big_seq => y /okP [gy _].
by rewrite cvalM // scalerA.
Qed.

(* ---- lines: after each, every normal form so far is the matrix of its line (state_ok) ---- *)
Variable c : certificate.
Hypothesis c_sizes : sizes c = szs.
Hypothesis is_model : forall k, (k < size (lines c))%N -> means szs w env (line c k) (env k).
Hypothesis is_assumed : forall k, (k < size (lines c))%N -> assumed w (line c k).
Hypothesis denoms_ok : forall q, q \in denominators c -> (q%:R : R) \is a GRing.unit.

Definition node_ok (A : mat R) (n : node) :=
  A = Mat (pval (sz w n.1.1) (sz w n.1.2) n.2) /\ okp (sz w n.1.1) (sz w n.1.2) n.2.
Definition state_ok (st : state) :=
  [/\ size (nodes st) = size (past st), past st = take (size (past st)) (lines c),
      forall k d, (k < size (nodes st))%N -> node_ok (env k) (nth d (nodes st) k) & invs_ok (inv st)].

(* what a line says, read backwards *)
Lemma meansE o A : means szs w env o A -> match o with
  | Matrix x r c _ => A = Mat (V w x (sz w r) (sz w c))
  | Value f r c ks => A = Mat (Phi w f (sz w r) (sz w c) [seq env (nat_of_bin k) | k <- ks])
  | Block d i => A = Mat (E (size_index szs d) (nat_of_bin i))
  | Identity d => A = idM R (sz w d)
  | Sum ks => exists m n, (forall k, k \in ks -> rows (env k.2) = m /\ cols (env k.2) = n) /\
                          A = Mat (\sum_(k <- ks) cval k.1 *: view m n (env k.2))
  | Product a b => A = mulM (env a) (env b)
  | Transpose a => A = trM (env a)
  end.
Proof.
case=> //.
- move=> ks m n F eF; exists m, n; split=> [k /eF -> //|]; congr Mat.
  by apply: eq_big_seq => k /eF ->; rewrite viewE.
- by move=> a b m n p A0 B0 -> ->; rewrite mulME.
- by move=> a m n A0 ->.
Qed.

Lemma node_same A B n n' : node_ok A n -> node_ok B n' -> node_eq n n' -> A = B.
Proof.
case: n n' => [[r s] p] [[r' s'] p'] [eA okA] [eB okB]; rewrite /node_eq /=; case: eqP => // [[er es]] e.
by subst r' s'; rewrite eA eB (peq_ok okA okB e).
Qed.
Lemma at_ok st k n : state_ok st -> at_line st k = Some n -> node_ok (env k) n /\ (k < size (nodes st))%N.
Proof.
move=> [_ _ ok _]; rewrite /at_line; case: (ltnP k (size (nodes st))) => [lt|ge].
  by rewrite (nth_map n) // => [[<-]]; split=> //; apply: ok.
by rewrite nth_default // size_map.
Qed.
Lemma at_all_ok st ks l : state_ok st -> at_all st ks = Some l ->
  size l = size ks /\ forall d d' k, (k < size ks)%N -> node_ok (env (nth d ks k)) (nth d' l k).
Proof.
move=> ok; elim: ks l => [|k ks IH] l /=; first by case=> <-.
case ek: at_line => [x|] //; case el: at_all => [y|] // [<-]; have [es en] := IH _ el; have [okx _] := at_ok ok ek.
by split=> [|d d' [|i] /= li] //=; [rewrite es | apply: en].
Qed.
Lemma token_ok A t r s : tok_ok t -> tmat t = A -> rows A = sz w r -> cols A = sz w s ->
  node_ok A (r, s, [:: (one, [:: t])]).
Proof.
move=> okt et er es; rewrite /node_ok /= pval_1 /= et cval1 scale1r mulM1 // MatK //; split=> //.
by apply/okp_cons; split; rewrite //= ?et //; apply: good1.
Qed.
Lemma itself_ok st r s : rows (env (size (nodes st))) = sz w r -> cols (env (size (nodes st))) = sz w s ->
  node_ok (env (size (nodes st))) (r, s, itself st).
Proof. by move=> er es; apply: token_ok => //; rewrite /tmat /= bin_of_natK. Qed.
Lemma inverse_cons a x v a' : inverse_of ((a, x) :: v) a' = if a == a' then Some x else inverse_of v a'.
Proof. by rewrite /inverse_of /=; case: ifP. Qed.

Lemma result_ok st o rest n v : state_ok st -> lines c = past st ++ o :: rest -> result szs st o = Some (n, v) ->
  node_ok (env (size (nodes st))) n /\ invs_ok v.
Proof.
move=> ok el; have [es ep okn okv] := ok.
have lt : (size (nodes st) < size (lines c))%N by rewrite el size_cat es /= addnS ltnS leq_addr.
have eo : line c (size (nodes st)) = o by rewrite /line el nth_cat es ltnn subnn.
have pastE j : (j < size (past st))%N -> line c j = nth (Identity EmptyString) (past st) j.
  by move=> lj; rewrite /line el nth_cat lj.
have lts j : (j < size (past st))%N -> (j < size (lines c))%N by rewrite -es => lj; apply: ltn_trans lj lt.
have := meansE (is_model lt); have := is_assumed lt; rewrite eo.
have den : forall k q, Sum k = o -> q \in k -> good q.1.
  move=> k q e iq; apply: denoms_ok; apply/flattenP; exists [seq x.1.2 | x <- k].
    have -> : [seq x.1.2 | x <- k] = nth [::] [seq if o is Sum ks then [seq k.1.2 | k <- ks] else [::] | o <- lines c]
      (size (nodes st)) by rewrite (nth_map (Identity EmptyString)) // -/(line c _) eo -e.
    by apply: mem_nth; rewrite size_map.
  exact: map_f.
have mine r s := @itself_ok st r s.
case: o el eo den => [x r s h|f r s ks|d i|d|ks|a b|a] el eo den as_ mn /=.
- case: h el eo as_ den => [|| y] el eo as_ den.
  + by case=> <- <-; split=> //; apply: mine; rewrite mn.
  + case: eqP => // e [<- <-]; subst s; split; first by apply: mine; rewrite mn.
    move=> a b e; rewrite inverse_cons; case: eqP => [<- [<- <-]|_ /okv //].
    rewrite bin_of_natK mn; exists (sz w r), (V w x (sz w r) (sz w r)), (V w x (sz w r) (sz w r))^T.
    by split.
  + case: andP => // [[/eqP e lj]] [<- <-]; subst s; split; first by apply: mine; rewrite mn.
    move: lj; set j := find _ _ => lj.
    have ej : env j = Mat (V w y (sz w r) (sz w r)).
      have := meansE (is_model (lts _ lj)); rewrite pastE //.
      have := nth_find (Identity EmptyString) (_ : has (is_matrix y r) (past st)); rewrite has_find -/j => /(_ lj).
      by case: nth => // y' r' s' h' /= /and3P [/eqP -> /eqP -> /eqP ->].
    move=> a b e; rewrite !inverse_cons; case: eqP => [<- [<- <-]|_].
      by rewrite !bin_of_natK mn ej; exists (sz w r), (V w x (sz w r) (sz w r)), (V w y (sz w r) (sz w r)); split.
    case: eqP => [<- [<- <-]|_ /okv //].
    rewrite !bin_of_natK mn ej; exists (sz w r), (V w y (sz w r) (sz w r)), (V w x (sz w r) (sz w r)).
    by split=> //; apply: mulmx1C.
- case ea: at_all => [l|] // [<- <-]; split=> //.
  case: ifP => lj; last by apply: mine; rewrite mn.
  move: lj; set j := find _ _ => lj.
  suff <- : env j = env (size (nodes st)) by apply: okn; rewrite es.
  have := meansE (is_model (lts _ lj)); rewrite pastE //.
  have := nth_find (Identity EmptyString) (_ : has (same_value st f r s l) (past st)); rewrite has_find -/j => /(_ lj).
  case: nth => // f' r' s' ks' /=; case: eqP => // <-; case: andP => // [[/eqP <- /eqP <-]].
  case ea': at_all => [l'|] //; case: eqP => // el' al ->; rewrite mn.
  suff -> : [seq env (nat_of_bin k) | k <- ks] = [seq env (nat_of_bin k) | k <- ks'] by [].
  have [sl nl] := at_all_ok ok ea; have [sl' nl'] := at_all_ok ok ea'.
  apply: (@eq_from_nth _ (env 0)); first by rewrite !size_map -sl -sl' el'.
  move=> i; rewrite size_map => li; have li' : (i < size ks')%N by rewrite -sl' -el' sl.
  rewrite !(nth_map 0%num) //; apply: node_same (nl _ (r, s, [::]) _ li) (nl' _ (r, s, [::]) _ li') _.
  have /(all_nthP ((r, s, [::]), (r, s, [::]))) /(_ i) := al.
  by rewrite size_zip el' minnn sl' nth_zip //=; apply.
- case: andP => // [[ls li]] [<- <-]; split=> //.
  have es' : sum_of szs (size_index szs d) = d.
    have := nth_find (EmptyString, [::]) (_ : has (fun x => x.1 == d) szs); rewrite has_find => /(_ ls) /eqP; exact.
  have eK : nat_of_bin (N.pos (pos_of_nat (size_index szs d) (size_index szs d))) = (size_index szs d).+1.
    exact: bin_of_natK _.+1.
  rewrite mn; apply: token_ok; first by rewrite /tok_ok eK /= ls.
  + by rewrite /tmat eK.
  + by rewrite /= es'.
  by [].
- move=> [<- <-]; split=> //; rewrite mn /node_ok /= pval_1 cval1 scale1r view1; split=> //.
  by apply/okp_cons; split=> //; apply: good1.
- case ea: at_all => [[|x l]|] //; case: ifP => // same [<- <-]; split=> //.
  have [sl nl] := at_all_ok ok ea; case: ks sl nl el eo den as_ mn ea => [|k ks] // sl nl el eo den as_ mn ea.
  have {mn} [m [n0 [sh ->]]] := mn.
  have [e0 ok0] := nl 0%num x 0%N (ltn0Sn _).
  have [em en] := sh k (mem_head _ _).
  move: e0 => /= e0; rewrite e0 /= in em en; subst m n0.
  have sk : size (x :: l) = size (k :: ks) by rewrite sl size_map.
  set F := fun y : coef * N * node => scaled y.1.1 y.2.2.
  have each y : y \in zip (k :: ks) (x :: l) ->
    okp (sz w x.1.1) (sz w x.1.2) (F y) /\ pval (sz w x.1.1) (sz w x.1.2) (F y) =
    cval y.1.1 *: view (sz w x.1.1) (sz w x.1.2) (env y.1.2).
    move=> iy; have := iy; case/(nthP (k, x)) => i; rewrite size_zip sk minnn => li ey.
    rewrite nth_zip ?sk // in ey; subst y; rewrite /F /=.
    have [] := nl 0%num x i; first by rewrite size_map.
    rewrite (nth_map k) // => ei oki.
    have ex : (nth x (x :: l) i).1 = x.1.
      case: i li {ei oki iy} => //= i li; have /(all_nthP x) /(_ i) := same.
      by move=> h; apply/eqP/h; case: sk => ->.
    rewrite ex in ei oki; have gk := den _ _ (erefl _) (mem_nth k li).
    by have [ok1 ->] := scaled_ok gk oki; split=> //; rewrite ei viewE.
  have [|okn' en'] := @normal_ok (sz w x.1.1) (sz w x.1.2) (flatten [seq F y | y <- zip (k :: ks) (x :: l)]).
    by apply: okp_flatten => p /mapP [y iy ->]; case: (each y iy).
  split; last exact: okn'.
  congr Mat; apply: etrans (esym en'); rewrite pval_flatten big_map.
  rewrite (eq_big_seq (fun y : coef * N * node =>
    cval y.1.1 *: view (sz w x.1.1) (sz w x.1.2) (env y.1.2))); last first.
    by move=> y iy; case: (each y iy).
  rewrite -(big_map fst xpredT (fun k : coef * N => cval k.1 *: view (sz w x.1.1) (sz w x.1.2) (env k.2))).
  by rewrite -/(unzip1 _) unzip1_zip // sk.
- case ea: at_line => [[[r m] p]|] //; case eb: at_line => [[[m' s] q]|] //=; case: eqP => // e [<- <-]; subst m'.
  have [[ea' oka] _] := at_ok ok ea; have [[eb' okb] _] := at_ok ok eb; split=> //.
  rewrite /= in oka okb; have [okpq epq] := pmul_ok okv oka okb.
  by rewrite /node_ok mn ea' eb' mulME /= epq.
- case ea: at_line => [[[r s] p]|] // [<- <-]; have [[ea' oka] _] := at_ok ok ea; split=> //.
  rewrite /= in oka; have [okt et] := ptr_ok okv oka.
  by rewrite /node_ok mn ea' /trM /= et.
Qed.

(* all lines *)
Lemma step_ok st o rest st' : state_ok st -> lines c = past st ++ o :: rest -> step szs (Some st) o = Some st' ->
  state_ok st' /\ lines c = past st' ++ rest.
Proof.
move=> ok el /=; case er: result => [[n v]|] // [<-] /=; have [okn okv] := result_ok ok el er.
have [es ep okns _] := ok; rewrite cat_rcons el; split=> //; split=> //=.
- by rewrite !size_rcons es.
- by rewrite size_rcons el -cat_rcons take_size_cat // size_rcons.
move=> k d; rewrite size_rcons ltnS nth_rcons; case: ltngtP => // [lt _|-> _] //; exact: okns.
Qed.
Lemma steps_ok st os st' : state_ok st -> lines c = past st ++ os -> foldl (step szs) (Some st) os = Some st' ->
  state_ok st'.
Proof.
elim: os st => [|o os IH] st ok el /= => [[<-]|] //.
case e: result => [[n v]|]; last by elim: (os).
have [|ok' el'] := @step_ok st o os (State (rcons (nodes st) n) (rcons (past st) o) v) ok el; first by rewrite /= e.
exact: IH.
Qed.
Lemma claims_hold : check c -> claims c env.
Proof.
rewrite /check /run c_sizes; case e: foldl => [st|] // /allP al [a b] /al /=.
have ok0 : state_ok start by split=> //=; rewrite take0.
have ok : state_ok st by apply: steps_ok ok0 _ e.
case ea: at_line => [x|] //; case eb: at_line => [y|] //.
have [oka _] := at_ok ok ea; have [okb _] := at_ok ok eb; exact: node_same.
Qed.
End Soundness.

(* ---- the theorem -------------------------------------------------------------------------------------- *)
(* If the checker accepts a certificate, then over every commutative ring in which its denominators are units, for all
   sizes, all matrices and all functions with its hypotheses, its lines being what they say, its equations hold. *)
Theorem golden (c : certificate) : check c ->
  forall R : comUnitRingType, (forall q, q \in denominators c -> (q%:R : R) \is a GRing.unit) ->
  forall w : world R, hypotheses c w -> forall env : nat -> mat R, model c w env -> claims c env.
Proof. by move=> ch R den w [hs ha] env m; apply: (claims_hold hs erefl m ha den ch). Qed.
