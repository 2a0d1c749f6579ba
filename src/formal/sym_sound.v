(* sym_sound.v - the checker of sym.v is right: what it accepts holds for all sizes, matrices and functions. *)
From Coq Require Import String NArith ZArith.
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
Definition good (k : coef) := ((nat_of_pos k.2)%:R : R) \is a GRing.unit.
Local Notation zval := (zval R).
Local Notation cval := (cval R).

Lemma nat_sub p q : Pos.lt q p -> (nat_of_pos (Pos.sub p q))%:R = (nat_of_pos p)%:R - (nat_of_pos q)%:R :> R.
Proof. by move=> lt; rewrite -{2}(Pos.sub_add p q lt) nat_of_add_pos natrD addrK. Qed.
Lemma zval_sub p q : zval (Z.pos_sub p q) = (nat_of_pos p)%:R - (nat_of_pos q)%:R.
Proof.
rewrite Z.pos_sub_spec; case: (Pos.compare_spec p q) => [->|lt|lt] /=.
- by rewrite subrr.
- by rewrite nat_sub // opprB.
by rewrite nat_sub.
Qed.
Lemma zvalD a b : zval (Z.add a b) = zval a + zval b.
Proof.
by case: a b => [|p|p] [|q|q]; rewrite ?addr0 ?add0r //=;
   rewrite ?zval_sub ?nat_of_add_pos ?natrD ?opprD // addrC.
Qed.
Lemma zvalM a b : zval (Z.mul a b) = zval a * zval b.
Proof.
by case: a b => [|p|p] [|q|q]; rewrite ?mulr0 ?mul0r //=;
   rewrite nat_of_mul_pos natrM ?mulrN ?mulNr ?opprK.
Qed.
Lemma zvalN a : zval (Z.opp a) = - zval a.
Proof. by case: a => [|p|p] /=; rewrite ?oppr0 ?opprK. Qed.

Lemma good_mul a b : good a -> good b -> good (cmul a b).
Proof. by rewrite /good /= nat_of_mul_pos natrM => u v; rewrite unitrM u. Qed.
Lemma good_add a b : good a -> good b -> good (cadd a b).
Proof. by rewrite /cadd; case: Pos.eqb; [move=> u _ | exact: good_mul]. Qed.
Lemma cvalM a b : good a -> good b -> cval (cmul a b) = cval a * cval b.
Proof.
by move=> u v; rewrite /sym.cval /= zvalM nat_of_mul_pos natrM invrM // [X in _ * X = _]mulrC mulrACA.
Qed.
Lemma cvalN a : cval (copp a) = - cval a.
Proof. by rewrite /sym.cval /= zvalN mulNr. Qed.
Lemma cvalD a b : good a -> good b -> cval (cadd a b) = cval a + cval b.
Proof.
rewrite /cadd /good; case: Pos.eqb_spec => [e|_] u v; first by rewrite /sym.cval /= e zvalD mulrDl.
rewrite /sym.cval /= zvalD !zvalM /= nat_of_mul_pos natrM invrM // mulrDl mulrA mulrK //.
by rewrite [X in _ + _ * X]mulrC mulrA mulrK.
Qed.
Lemma cval1 : cval one = 1. Proof. by rewrite /sym.cval /= divr1. Qed.
Lemma cval0 a : czero a -> cval a = 0. Proof. by rewrite /czero /sym.cval => /Z.eqb_eq ->; rewrite mul0r. Qed.
Lemma good1 : good one. Proof. exact: unitr1. Qed.
Lemma ceqP a b : good a -> good b -> ceq a b -> cval a = cval b.
Proof.
rewrite /good /ceq => u v /Z.eqb_eq e; rewrite /sym.cval.
apply: (canLR (mulrK u)); rewrite mulrAC; apply: (canRL (mulrK v)).
by have := congr1 zval e; rewrite !zvalM.
Qed.
End Coefficients.

(* ---- words: equality *)
Lemma teqP a b : teq a b -> a = b.
Proof.
case: a b => [[s i] f] [[s' i'] f']; rewrite /teq /=.
by case: N.eqb_spec => // ->; case: N.eqb_spec => // -> /Bool.eqb_prop ->.
Qed.
Lemma weqP a b : weq a b -> a = b.
Proof. by elim: a b => [|x a IH] [|y b] //=; case e: teq => // /IH ->; rewrite (teqP e). Qed.

(* From here on one model is fixed: sizes, matrices, functions (the world w), and env, the matrix of each line; and
   cenv, the matrices of the cores so far (rule 11). *)
(* ---- words and polynomials in one model --------------------------------------------------------------- *)
Section Words.
Variables (R : comUnitRingType) (szs : seq (name * seq name)) (dims : seq name).
Variables (w : world R) (env : nat -> mat R) (cenv : seq (mat R)).
Hypothesis sizes_ok : sizes_hold szs w.
Local Notation u1 := (sz w unit_size).
Local Notation good := (@good R).
Local Notation cval := (cval R).
Local Notation E := (block szs w).
Local Notation off := (offset szs w).

(* rules 4 and 5: the blocks of one size stand side by side *)
Lemma offS s i : (i < size (parts szs s))%N -> off s i.+1 = (off s i + sz w (part szs s i))%N.
Proof. by move=> lt; rewrite /offset (take_nth EmptyString lt) map_rcons sumn_rcons. Qed.
Lemma off_all s : (s < size szs)%N -> off s (size (parts szs s)) = sz w (sum_of szs s).
Proof. by case: sizes_ok => _ _ ok lt; rewrite /offset take_size ok. Qed.
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
Lemma block_ones s i q : (s < size szs)%N -> (i < size (parts szs s))%N ->
  (E s i)^T *m const_mx 1 = const_mx 1 :> 'M_(_, q).
Proof.
move=> ls li; apply/matrixP => b b'; rewrite !mxE.
have lt : (off s i + b < sz w (sum_of szs s))%N.
  rewrite -off_all //; apply: leq_trans (off_mono li (leqnn _)).
  by rewrite offS // ltn_add2l.
rewrite (bigD1 (Ordinal lt)) //= big1 ?addr0 => [|a ne]; rewrite !mxE /= ?mulr1 ?eqxx //.
by case: eqP => [e|_] //; case/negP: ne; apply/eqP/val_inj.
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
Definition onesM m n : mat R := Mat (const_mx 1 : 'M_(m, n)).
Definition blockM (t : token) : mat R := Mat (E (size_no t) (nat_of_bin t.1.2)).
Definition tenv (n : nat) : mat R := if odd n then nth (idM R 0) cenv n./2 else env n./2.
Definition tmat (t : token) : mat R :=
  let A := match t.1.1 with
           | 0%num => tenv (nat_of_bin t.1.2)
           | 1%num => onesM (sz w (nth EmptyString dims (nat_of_bin t.1.2))) u1
           | _ => blockM t
           end in
  if t.2 then trM A else A.
Arguments tmat : simpl never.
Definition is_block (t : token) : bool := match t.1.1 with 0%num | 1%num => false | _ => true end.
Definition is_core (t : token) : bool := if t.1.1 is 0%num then odd (nat_of_bin t.1.2) else false.
Definition tok_ok (t : token) : bool :=
  if is_block t then ((size_no t < size szs) && (nat_of_bin t.1.2 < size (parts szs (size_no t))))%N
  else is_core t ==> ((nat_of_bin t.1.2)./2 < size cenv)%N.
Lemma tenv_line k : tenv k.*2 = env k. Proof. by rewrite /tenv odd_double doubleK. Qed.
Lemma tmatB t : is_block t -> tmat t = if t.2 then trM (blockM t) else blockM t.
Proof. by case: t => [[[|[]] k] b]. Qed.
Lemma size_no_ok s i b : size_no (bin_of_nat s.+2, i, b) = s.
Proof. exact: (congr1 (fun n => n.-2) (bin_of_natK s.+2)). Qed.
Lemma is_block_ok s i b : is_block (bin_of_nat s.+2, i, b).
Proof.
by rewrite /is_block -[(_, _, _).1.1]/(bin_of_nat s.+2); have := bin_of_natK s.+2; case: (bin_of_nat _) => [|[]].
Qed.
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

(* rules 3, 4, 7 and 8: two tokens side by side *)
Definition inverses_ok (v : facts) := forall a b e, known (inverses v) a = Some (b, e) ->
  exists i j, [/\ nat_of_bin a = i.*2, nat_of_bin b = j.*2 & exists n (A B : 'M[R]_n),
    [/\ env i = Mat A, (if e then trM (env j) else env j) = Mat B & A *m B = 1%:M]].
Definition row_sums_ok (v : facts) := forall a r, known (row_sums v) a = Some r ->
  exists i, [/\ nat_of_bin a = i.*2, rows (env i) = sz w r &
                mulM (env i) (onesM (cols (env i)) u1) = onesM (rows (env i)) u1].
Definition facts_ok v := inverses_ok v /\ row_sums_ok v.
Definition gone (x t : token) := mulM (tmat x) (tmat t) = idM R (rows (tmat x)) /\ cols (tmat t) = rows (tmat x).

Lemma become_ok n turned : match become dims n turned with
  | Cancel => sz w n = u1
  | Become t => tok_ok t /\ tmat t = if turned then trM (onesM (sz w n) u1) else onesM (sz w n) u1
  | Stay => True | Vanish => False end.
Proof.
rewrite /become; case: eqP => [-> //|_]; case: ifP => // lt; split=> //.
by rewrite /tmat /= bin_of_natK nth_index // -index_mem.
Qed.
Lemma with_ones_ok v a turned : facts_ok v -> tok_ok a -> match with_ones szs dims v a turned with
  | Cancel => mulM (tmat a) (onesM (cols (tmat a)) u1) = onesM (rows (tmat a)) u1 /\ rows (tmat a) = u1
  | Become t => [/\ tok_ok t, mulM (tmat a) (onesM (cols (tmat a)) u1) = onesM (rows (tmat a)) u1 &
                    tmat t = if turned then trM (onesM (rows (tmat a)) u1) else onesM (rows (tmat a)) u1]
  | Stay => True | Vanish => False end.
Proof.
move=> [_ ok] oka; case ba: (is_block a); last first.
  case: a ba {oka} => [[[|[]] k] [|]] // _.
  rewrite -[with_ones _ _ _ _ _]/(if known (row_sums v) k is Some r then become dims r turned else Stay).
  case e: (known (row_sums v) k) => [r|] //; have [i [ei er em]] := ok _ _ e; have := become_ok r turned.
  rewrite -[tmat _]/(tenv (nat_of_bin k)) ei tenv_line em er.
  by case: become => // t [].
have -> : with_ones szs dims v a turned = if a.2 then become dims (part_name szs a) turned else Stay.
  by case: a ba {oka} => [[[|[]] k] b].
case ta: a.2 => //; move: oka; rewrite /tok_ok ba => /andP [ls li].
have e : mulM (tmat a) (onesM (cols (tmat a)) u1) = onesM (rows (tmat a)) u1.
  by rewrite tmatB // ta /trM /blockM /= mulME block_ones.
have er : rows (tmat a) = sz w (part_name szs a) by rewrite tmatB // ta.
by have := become_ok (part_name szs a) turned; case: become => //; rewrite -er; [|move=> t [? ?]].
Qed.
Lemma tok_ok_flip t : tok_ok (flip t) = tok_ok t. Proof. by []. Qed.
Lemma onesT m n : trM (onesM m n) = onesM n m. Proof. by rewrite /trM /= trmx_const. Qed.
Lemma ones1 : onesM u1 u1 = idM R u1.
Proof.
case: sizes_ok => -> _ _; congr Mat; apply/matrixP => i j; rewrite !mxE.
by rewrite !ord1.
Qed.
Lemma meet_ok v x t : facts_ok v -> tok_ok x -> tok_ok t -> cols (tmat x) = rows (tmat t) ->
  match meet szs dims v x t with
  | Stay => True
  | Cancel => gone x t
  | Vanish => mulM (tmat x) (tmat t) = zeroM R (rows (tmat x)) (cols (tmat t))
  | Become u => tok_ok u /\ mulM (tmat x) (tmat t) = tmat u end.
Proof.
move=> okv okx okt fit; have [oki _] := okv.
have right : t.1.1 = 1%num -> t.2 = false -> match with_ones szs dims v x false with
  | Stay => True | Cancel => gone x t | Vanish => False
  | Become u => tok_ok u /\ mulM (tmat x) (tmat t) = tmat u end.
  move=> kt nt; have et : tmat t = onesM (cols (tmat x)) u1.
    by rewrite fit /tmat kt nt.
  have := with_ones_ok false okv okx; rewrite /gone et.
  case: with_ones => [||[-> e]|u [? -> ->]] //=.
  by rewrite e ones1.
have left : x.1.1 = 1%num -> x.2 = true -> match with_ones szs dims v (flip t) true with
  | Stay => True | Cancel => gone x t | Vanish => False
  | Become u => tok_ok u /\ mulM (tmat x) (tmat t) = tmat u end.
  move=> kx tx; have ex : tmat x = trM (onesM (cols (tmat (flip t))) u1).
    by rewrite tmat_flip /= -fit /tmat kx tx /= onesT.
  have turn : mulM (tmat x) (tmat t) = trM (mulM (tmat (flip t)) (onesM (cols (tmat (flip t))) u1)).
    rewrite [in LHS]ex trM_mul //; congr mulM.
    by rewrite tmat_flip trMK.
  have okf : tok_ok (flip t) by rewrite tok_ok_flip.
  have := with_ones_ok true okv okf; rewrite /gone turn ex /= -/(flip t).
  have -> : cols (tmat t) = rows (tmat (flip t)) by rewrite tmat_flip.
  case: with_ones => [||[-> e]|u [? -> ->]] //=.
  by rewrite e onesT ones1.
have blocks : is_block x -> is_block t -> x.2 -> ~~ t.2 -> N.eqb x.1.1 t.1.1 ->
  if N.eqb x.1.2 t.1.2 then gone x t else mulM (tmat x) (tmat t) = zeroM R (rows (tmat x)) (cols (tmat t)).
  move=> bx bt tx nt /N.eqb_spec es; rewrite /gone !tmatB // tx (negbTE nt); move: okx okt.
  rewrite /tok_ok bx bt /blockM /trM; have -> : size_no t = size_no x by rewrite /size_no es.
  case/andP=> ls lx /andP [_ lt]; case: N.eqb_spec => [<-|ne] /=; rewrite mulME.
    by rewrite blocks_same.
  by rewrite blocks_differ //; apply/eqP => /(can_inj nat_of_binK).
have {}blocks : is_block x -> is_block t -> x.2 -> ~~ t.2 ->
  match (if N.eqb x.1.1 t.1.1 then if N.eqb x.1.2 t.1.2 then Cancel else Vanish else Stay) with
  | Stay => True | Cancel => gone x t
  | Vanish => mulM (tmat x) (tmat t) = zeroM R (rows (tmat x)) (cols (tmat t))
  | Become u => tok_ok u /\ mulM (tmat x) (tmat t) = tmat u end.
  move=> bx bt tx nt; case e: (N.eqb x.1.1 t.1.1) => //; have := blocks bx bt tx nt e.
  by case: (N.eqb x.1.2 t.1.2).
case: x t okx okt fit right left blocks => [[s i] f] [[s' j] g] okx okt fit right left blocks.
rewrite /meet; case: s okx okt fit right left blocks => [|[p|p|]] okx okt fit right left blocks; first last.
- case: s' okt fit right left blocks => [|[p'|p'|]] okt fit right left blocks //;
    by case: f okx fit right left blocks => okx fit right left blocks //; have := left erefl erefl; case: with_ones.
- case: s' okt fit right left blocks => [|[p'|p'|]] okt fit right left blocks //.
  + case: f okx fit right left blocks => okx fit right left blocks //.
    by case: g okt fit right left blocks => okt fit right left blocks //; apply: (blocks isT isT isT isT).
  + case: f okx fit right left blocks => okx fit right left blocks //.
    by case: g okt fit right left blocks => okt fit right left blocks //; apply: (blocks isT isT isT isT).
  by case: g okt fit right left blocks => okt fit right left blocks //; have := right erefl erefl; case: with_ones.
- case: s' okt fit right left blocks => [|[p'|p'|]] okt fit right left blocks //.
  + case: f okx fit right left blocks => okx fit right left blocks //.
    by case: g okt fit right left blocks => okt fit right left blocks //; apply: (blocks isT isT isT isT).
  + case: f okx fit right left blocks => okx fit right left blocks //.
    by case: g okt fit right left blocks => okt fit right left blocks //; apply: (blocks isT isT isT isT).
  by case: g okt fit right left blocks => okt fit right left blocks //; have := right erefl erefl; case: with_ones.
case: s' okt fit right left blocks => [|[p'|p'|]] okt fit right left blocks //; last first.
  by case: g okt fit right left blocks => okt fit right left blocks //; have := right erefl erefl; case: with_ones.
case e: (known (inverses v) i) => [[b' h]|] //=; case: N.eqb_spec => // eb; case eg: Bool.eqb => //.
move/Bool.eqb_prop: eg => eg; subst b' g.
have [i' [j' [ei ej [n [A [B [eA eB AB]]]]]]] := oki _ _ _ e; have BA := mulmx1C AB.
rewrite /gone /tmat /= ei ej !tenv_line eA; case: (f) => /=; last by rewrite addbF eB mulME AB.
have -> : (if h (+) true then trM (env j') else env j') = trM (Mat B).
  by rewrite -eB; case: (h) => //=; rewrite trMK.
by rewrite /trM mulME /= -trmx_mul BA trmx1.
Qed.

Lemma wval2 x t : cols (tmat x) = rows (tmat t) -> wval (cols (tmat t)) [:: x; t] = mulM (tmat x) (tmat t).
Proof. by move=> e; rewrite /= [mulM (tmat t) _]mulM1. Qed.
Lemma set_down_ok v st t r m : facts_ok v -> chain r (rev st) m -> tok_ok t -> rows (tmat t) = m ->
  if set_down szs dims v st t is Some st'
  then chain r (rev st') (cols (tmat t)) /\ wval (cols (tmat t)) (rev st') = wval (cols (tmat t)) (rev (t :: st))
  else wval (cols (tmat t)) (rev (t :: st)) = zeroM R r (cols (tmat t)).
Proof.
move=> okv; elim: st t m => [|x st IH] t m hs okt et /=; first by rewrite /= et -hs; split.
have hxs := hs; move: hs; rewrite rev_cons -cats1 => /chain_cat [m' hs /= [okx ex em]].
have fit : cols (tmat x) = rows (tmat t) by rewrite em.
have two : chain m' [:: x; t] (cols (tmat t)) by split=> //; split.
have e2 : wval (cols (tmat t)) (rev [:: t, x & st]) = mulM (wval m' (rev st)) (mulM (tmat x) (tmat t)).
  by rewrite !rev_cons -!cats1 -catA (wval_cat hs two) -wval2.
have := meet_ok okv okx okt fit; case: meet => [_|z|[e ec]|u [oku eu]].
- split=> //; rewrite [rev _]rev_cons -cats1; apply/chain_cat; exists m => //=.
- by rewrite e2 z mulM0 ?wval_cols ?(wval_rows hs) // ex wval_cols.
- by rewrite e2 e ec ex mulM1 ?wval_cols //; split.
have eru : rows (tmat u) = m' by rewrite -eu.
have ecu : cols (tmat u) = cols (tmat t) by rewrite -eu.
have := IH u m' hs oku eru; rewrite ecu e2 eu.
have -> : wval (cols (tmat t)) (rev (u :: st)) = mulM (wval m' (rev st)) (tmat u).
  have hu1 : chain m' [:: u] (cols (tmat t)) by rewrite -ecu; split.
  by rewrite rev_cons -cats1 (wval_cat hs hu1) /= [mulM (tmat u) _]mulM1.
by [].
Qed.
Lemma push_ok v u st r m c : facts_ok v -> chain r (rev st) m -> chain m u c ->
  if push szs dims v st u is Some u' then chain r u' c /\ wval c u' = wval c (rev st ++ u)
  else wval c (rev st ++ u) = zeroM R r c.
Proof.
move=> ok; elim: u st m => [|t u IH] st m hs /= => [<-|[okt er hu]]; first by rewrite cats0.
case: ifP => _; first by rewrite catrevE; split=> //; apply/chain_cat; exists m => //=; split.
have one_ : chain r (rev (t :: st)) (cols (tmat t)).
  by rewrite rev_cons -cats1; apply/chain_cat; exists m => //=; split.
have -> : rev st ++ t :: u = rev (t :: st) ++ u by rewrite rev_cons cat_rcons.
have := set_down_ok ok hs okt er; case: set_down => [st' [hs' e']|z].
  by have := IH st' _ hs' hu; rewrite (wval_cat hs' hu) (wval_cat one_ hu) e'.
by rewrite (wval_cat one_ hu) z mul0M ?wval_cols // (wval_rows hu).
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
case: ifP => [e|_]; first by rewrite (cval0 _ e) scale0r add0r.
case: q okq => [|y q] okq; first by rewrite pval_cons; split=> //; apply/okp_cons.
move/okp_cons: (okq) => [gy hy okq']; rewrite pval_cons.
have g := good_add gx gy; have e := cvalD gx gy.
case exy: weq; last by rewrite !pval_cons; split=> //; apply/okp_cons.
rewrite (weqP exy) addrA -scalerDl -e; case: ifP => [z|_].
  by rewrite (cval0 _ z) scale0r add0r.
by rewrite pval_cons; split=> //; apply/okp_cons.
Qed.
Lemma by_twos_perm ps : perm_eq (flatten (by_twos ps)) (flatten ps).
Proof.
have [n] := ubnP (size ps); elim: n ps => // n IH [|a [|b ps]] //= lt; rewrite catA.
by apply: perm_cat (IH _ _); [apply/permPl/perm_merge | exact: ltnW lt].
Qed.
Lemma ordered_perm p : perm_eq (ordered p) p.
Proof.
rewrite /ordered; move: (size _) => n.
have all_of r : flatten (runs r p) = rev r ++ p.
  elim: p r => [|y p IH] [|x r] //=; rewrite ?cats0 ?IH //.
  by case: ifP => _; rewrite /= IH // !rev_cons -!cats1 -!catA.
rewrite -[X in perm_eq _ X]/(rev [::] ++ p) -all_of; elim: n {all_of} (runs _ _) => [|n IH] [|a [|b ps]] //.
exact: perm_trans (IH _) (by_twos_perm _).
Qed.
Lemma normal_ok r c p : okp r c p -> okp r c (normal p) /\ pval r c (normal p) = pval r c p.
Proof.
rewrite /normal; set s := ordered p => ok; have ps : perm_eq s p by exact: ordered_perm.
have -> : pval r c p = pval r c s by rewrite /pval (perm_big _ ps).
have {ok}: okp r c s by move=> x; rewrite (perm_mem ps); apply: ok.
elim: s {ps} => [|x s IH] //= /okp_cons [gx hx oks]; have [ok e] := IH oks.
have okx : okp r c (x :: foldr put [::] s) by apply/okp_cons.
by have [ok' e'] := put_ok okx; rewrite e' !pval_cons e.
Qed.

(* rule 5 *)
Lemma closesE x y : closes szs x y -> [/\ y = flip x, ~~ x.2, is_last szs x & is_block x].
Proof.
rewrite /closes /is_block; case: x => [[[|[p|p|]] k] [|]] //=; case e: teq => // l; by rewrite (teqP e).
Qed.
Lemma find_lastE before u b x a : find_last szs before u = Some (b, x, a) ->
  [/\ rev before ++ u = rev b ++ [:: x, flip x & a], ~~ x.2, is_last szs x & is_block x].
Proof.
elim: u before => [|y [|z u] IH] before //=.
case: ifP => [/closesE [-> n l bl] [<- <- <-]|_ /IH [<- n l bl]]; first by split.
by rewrite rev_cons cat_rcons.
Qed.
Lemma expand_ok f v k u r c : facts_ok v -> good k -> chain r u c ->
  okp r c (expand szs dims f v k u) /\ pval r c (expand szs dims f v k u) = cval k *: view r c (wval c u).
Proof.
move=> okv; elim: f k u => [|f IH] k u gk hu /=; first by rewrite pval_1; split=> //; apply/okp_cons.
case e: find_last => [[[b x] a]|]; last by rewrite pval_1; split=> //; apply/okp_cons.
have [/= eu nx lx bx] := find_lastE e; rewrite {e u}eu in hu *.
have [m hb [okx em [okfx efx ha]]] := (chain_cat _ _ _ _).1 hu; move: ha; rewrite tmat_flip => ha.
case: x nx lx bx okx em okfx efx ha hu => [[s i] g] /= ng; rewrite (negbTE ng) {g ng}.
pose s' := (nat_of_bin s).-2; rewrite /is_last /size_no /= -/s' => /eqP ei bx okx.
have bxy y f0 : is_block (s, y, f0) by exact: bx.
have eT y f0 : tmat (s, y, f0) = if f0 then trM (Mat (E s' (nat_of_bin y))) else Mat (E s' (nat_of_bin y)).
  exact: (tmatB (t := (s, y, f0)) bx).
rewrite !eT => em _ _ ha hu.
move: okx; rewrite /tok_ok bx /size_no /= -/s' => /andP [ls li]; subst m.
pose d := sz w (sum_of szs s'); rewrite -/d in hb ha.
have cut y : tok_ok (s, y, false) -> let u := rev b ++ [:: (s, y, false), (s, y, true) & a] in
    chain r u c /\ view r c (wval c u) =
    view r d (wval d (rev b)) *m (E s' (nat_of_bin y) *m (E s' (nat_of_bin y))^T) *m view d c (wval c a).
  move=> oky /=; have hy : chain d [:: (s, y, false), (s, y, true) & a] c.
    split; [exact: oky | by rewrite eT | rewrite eT].
    by split; [exact: oky | rewrite eT | rewrite eT].
  split; first by apply/chain_cat; exists d.
  rewrite (wval_cat hb hy) (view_mul (n := d)) ?wval_cols ?(wval_rows hb) ?(wval_rows hy) // -mulmxA; congr (_ *m _).
  rewrite -[wval c _]/(mulM (tmat (s, y, false)) (mulM (tmat (s, y, true)) (wval c a))) !eT.
  rewrite mulMA ?(wval_rows ha) // mulME (view_mul (n := d)) ?wval_cols ?(wval_rows ha) //.
  by rewrite viewE.
have pushed : let p := if push szs dims v b a is Some u' then expand szs dims f v k u' else [::] in
    okp r c p /\ pval r c p = cval k *: (view r d (wval d (rev b)) *m view d c (wval c a)).
  have := push_ok okv hb ha; rewrite (wval_cat hb ha).
  have := view_mul (wval_rows hb) (wval_cols _ _) (wval_rows ha) (wval_cols _ _).
  case: push => [u'|] /= <-.
    by case=> hu' <-; apply: IH.
  by move=> ->; rewrite pval_nil view0 scaler0.
pose between j := view r d (wval d (rev b)) *m (E s' j *m (E s' j)^T) *m view d c (wval c a).
have others j : j \in iota 0 (nat_of_bin i) ->
    let p := (let y := (s, bin_of_nat j, false) in expand szs dims f v (copp k) (catrev b [:: y, flip y & a])) in
    okp r c p /\ pval r c p = - (cval k *: between j).
  rewrite mem_iota /= add0n => lj; rewrite catrevE /flip /=.
  have okj : tok_ok (s, bin_of_nat j, false).
    by rewrite /tok_ok bxy /size_no /= bin_of_natK -/s' ls (ltn_trans lj li).
  have [hj ej] := cut _ okj; have [ok ->] := IH (copp k) _ gk hj; split=> //.
  by rewrite ej bin_of_natK cvalN scaleNr.
split; first apply: okp_cat.
- by case: pushed.
- by apply: okp_flatten => p /mapP [j ij ->]; case: (others j ij).
have oki : tok_ok (s, i, false) by rewrite /tok_ok bxy /size_no /= -/s' ls li.
have [_ ->] := cut i oki; rewrite pval_cat pushed.2 pval_flatten big_map (last_block ls ei).
rewrite mulmxBr mulmx1 mulmxBl scalerBr; congr (_ + _).
rewrite mulmx_sumr mulmx_suml scaler_sumr -sumrN -(big_mkord xpredT (fun j => - (cval k *: between j))).
by rewrite /index_iota subn0; apply: eq_big_seq => j ij; case: (others j ij).
Qed.

(* products and transposes of sums of words: rules 1 and 2 *)
Lemma times_ok v k a b r m c : facts_ok v -> good k -> chain r (rev a) m -> chain m b c ->
  okp r c (times szs dims v k a b) /\ pval r c (times szs dims v k a b) = cval k *: view r c (wval c (rev a ++ b)).
Proof.
move=> okv gk ha hb; rewrite /times.
have := push_ok okv ha hb; case: push => [u|->]; last by rewrite pval_nil view0 scaler0.
by case=> hu <-; apply: expand_ok.
Qed.
Lemma pmul_ok v p q r m c : facts_ok v -> okp r m p -> okp m c q ->
  okp r c (pmul szs dims v p q) /\ pval r c (pmul szs dims v p q) = pval r m p *m pval m c q.
Proof.
move=> okv okP okQ.
have each a b : a \in p -> b \in q -> let t := times szs dims v (cmul a.1 b.1) (rev a.2) b.2 in okp r c t /\
    pval r c t = (cval a.1 *: view r m (wval m a.2)) *m (cval b.1 *: view m c (wval c b.2)).
  move=> /okP [ga ha] /okQ [gb hb] /=.
  have [|ok ->] := @times_ok v _ (rev a.2) b.2 r m c okv (good_mul ga gb) _ hb; first by rewrite revK.
  split=> //; rewrite revK.
  rewrite (wval_cat ha hb) (view_mul (n := m)) ?wval_cols ?(wval_rows ha) ?(wval_rows hb) // cvalM //.
  by rewrite -scalemxAl -scalemxAr scalerA.
have [|ok ->] := @normal_ok r c
  (flatten [seq flatten [seq times szs dims v (cmul a.1 b.1) (rev a.2) b.2 | b <- q] | a <- p]).
  apply: okp_flatten => t /mapP [a ia ->]; apply: okp_flatten => t' /mapP [b ib ->].
  by case: (each a b ia ib).
split=> //; rewrite pval_flatten big_map mulmx_suml; apply: eq_big_seq => a ia.
rewrite pval_flatten big_map mulmx_sumr; apply: eq_big_seq => b ib; by case: (each a b ia ib).
Qed.
Lemma ptr_ok v p r c : facts_ok v -> okp r c p ->
  okp c r (ptr szs dims v p) /\ pval c r (ptr szs dims v p) = (pval r c p)^T.
Proof.
move=> okv okP.
have each a : a \in p -> let t := times szs dims v a.1 [::] (rev (map flip a.2)) in okp c r t /\
    pval c r t = (cval a.1 *: view r c (wval c a.2))^T.
  move=> /okP [ga ha] /=; have [|ok ->] := @times_ok v a.1 [::] _ c c r okv ga _ (chain_rev ha); first by [].
  by split; rewrite //= (wval_rev ha) (view_tr (m := r)) ?wval_cols ?(wval_rows ha) // linearZ.
have [|ok ->] := @normal_ok c r (flatten [seq times szs dims v a.1 [::] (rev (map flip a.2)) | a <- p]).
  by apply: okp_flatten => t /mapP [a ia ->]; case: (each a ia).
split=> //; rewrite pval_flatten big_map linear_sum; apply: eq_big_seq => a ia.
by case: (each a ia).
Qed.
Lemma peq_ok r c p q : okp r c p -> okp r c q -> peq p q -> pval r c p = pval r c q.
Proof.
elim: p q => [|x p IH] [|y q] //= /okp_cons [gx _ okP] /okp_cons [gy _ okQ].
case ew: weq => //; case ek: ceq => // h.
by rewrite !pval_cons (weqP ew) (ceqP gx gy ek) (IH q).
Qed.
Lemma pscale_ok r c k p : good k -> okp r c p -> okp r c (pscale k p) /\ pval r c (pscale k p) = cval k *: pval r c p.
Proof.
move=> gk okP; split=> [x /mapP [y /okP [gy hy] ->]|]; first by split=> //; apply: good_mul.
rewrite /pval big_map scaler_sumr; apply: eq_big_seq => y /okP [gy _].
by rewrite cvalM // scalerA.
Qed.

(* rule 11: words with the same beginning and end *)
Lemma stripE u x y : strip u x = Some y -> x = u ++ y.
Proof.
elim: u x => [|a u IH] x /=; first by case=> ->.
case: x => [|b x] //=.
by case e: teq => // /IH ->; rewrite (teqP e).
Qed.
Lemma strippedE u p q : stripped u p = Some q -> p = [seq (x.1, u ++ x.2) | x <- q].
Proof.
elim: p q => [|[k x] p IH] q /=; first by case=> <-.
case e: strip => [y|] //; case ep: stripped => [q'|] //= [<-] /=.
by rewrite -(IH _ ep) (stripE e).
Qed.
Lemma factorsE p u q u' : factors p = Some (u, q, u') -> exists q0, [/\ q = normal q0, q0 != [::] &
  p = [seq (x.1, u ++ x.2 ++ u') | x <- q0]].
Proof.
rewrite /factors; move: (shared p) => u0; case e1: stripped => [p1|] //; move: (shared (backwards p1)) => v.
case e2: stripped => [[|y0 p2]|] // [<- <- <-]; exists (backwards (y0 :: p2)); split=> //.
have e : p1 = [seq (x.1, rev (v ++ x.2)) | x <- y0 :: p2].
  transitivity (backwards (backwards p1)); last by rewrite (strippedE e2) /backwards -!map_comp.
  by rewrite /backwards -map_comp -[LHS]map_id; apply: eq_map => -[k y] /=; rewrite revK.
rewrite (strippedE e1) e /backwards -!map_comp; apply: eq_map => -[k y] /=.
by rewrite rev_cat.
Qed.
(* what stands between has one shape *)
Lemma middle_ok p u q0 u' r c : okp r c p -> p = [seq (x.1, u ++ x.2 ++ u') | x <- q0] -> q0 != [::] ->
  exists r' c', [/\ okp r' c' q0, chain r u r', chain c' u' c &
    pval r c p = view r r' (wval r' u) *m pval r' c' q0 *m view c' c (wval c u')].
Proof.
move=> ok ep; have each x : x \in q0 -> good x.1 /\ chain r (u ++ x.2 ++ u') c.
  by move=> ix; apply: (ok (x.1, u ++ x.2 ++ u')); rewrite ep; apply: (map_f (fun x => (x.1, u ++ x.2 ++ u'))).
have shape r1 r2 y : chain r y r1 -> chain r y r2 -> r1 = r2.
  by elim: y (r) => [|t y IH] r0 /= => [<- <-|[_ _ h] [_ _ /(IH _ h)]].
have start r1 r2 y : chain r1 y c -> chain r2 y c -> size y != 0%N -> r1 = r2.
  by case: y => // t y [_ <- _] [_ <- _].
case: q0 ep each => [|x0 q0] // ep each _.
have [_ /chain_cat [r' hu /chain_cat [c' hx hu']]] := each _ (mem_head _ _); exists r'.
have [] : exists c', chain c' u' c /\ forall x, x \in x0 :: q0 -> chain r' x.2 c'.
  case: u' {ep} each hu' => [|t u'] each hu'.
    exists c; split=> // x /each [_ /chain_cat [r2 hu2]]; rewrite cats0 (shape _ _ _ hu hu2).
    by [].
  exists c'; split=> // x /each [_ /chain_cat [r2 hu2 /chain_cat [c2 hx2 hu2']]].
  by rewrite (start _ _ _ hu' hu2' isT) (shape _ _ _ hu hu2).
move=> c1 [h1 hall]; exists c1.
have okq : okp r' c1 (x0 :: q0) by move=> x ix; split; [case: (each x ix) | apply: hall].
split=> //; rewrite ep /pval big_map mulmx_sumr mulmx_suml; apply: eq_big_seq => x ix /=.
have hx' := hall x ix; have hxu : chain r' (x.2 ++ u') c by apply/chain_cat; exists c1.
rewrite (wval_cat hu hxu) (wval_cat hx' h1).
rewrite (view_mul (n := r')) ?wval_cols ?(wval_rows hu) //; last 1 first.
- by rewrite /= (wval_rows hx').
rewrite (view_mul (n := c1)) ?wval_cols ?(wval_rows hx') ?(wval_rows h1) //.
by rewrite -scalemxAr -scalemxAl mulmxA.
Qed.

(* a core: its matrix is that of its sum, which has a token, and so one shape *)
Definition core_ok (A : mat R) (q : poly) := exists r c,
  [/\ A = Mat (pval r c q), okp r c q & has (fun x => 0 < size x.2)%N q].
Definition cores_ok (cs : seq poly) :=
  size cenv = size cs /\ forall k, (k < size cs)%N -> core_ok (nth (idM R 0) cenv k) (nth [::] cs k).
Lemma peqP p q : peq p q -> [seq x.2 | x <- p] = [seq x.2 | x <- q].
Proof. by elim: p q => [|x p IH] [|y q] //=; case ew: weq => //; case: ceq => // /IH ->; rewrite (weqP ew). Qed.
Lemma one_shape r c r' c' p q : okp r c p -> okp r' c' q -> peq p q -> has (fun x => 0 < size x.2)%N q ->
  r = r' /\ c = c'.
Proof.
move=> okP okQ /peqP e /hasP [x ix nx]; have : x.2 \in [seq y.2 | y <- p] by rewrite e map_f.
case/mapP => y /okP [_ hy] exy; have [_ hx] := okQ x ix; rewrite exy in hx nx.
by elim: y.2 nx (r) (r') hy hx => // t [|t' u] IH _ r1 r2 [_ <- h1] [_ <- h2];
  [rewrite /= in h1 h2; subst | case: (IH isT _ _ h1 h2)].
Qed.
Lemma core_tok k b : (k < size cenv)%N -> tok_ok (0%num, bin_of_nat k.*2.+1, b) /\
  tmat (0%num, bin_of_nat k.*2.+1, b) = if b then trM (nth (idM R 0) cenv k) else nth (idM R 0) cenv k.
Proof.
have := bin_of_natK k.*2.+1; move: (bin_of_nat _) => n e lk.
by rewrite /tok_ok /is_core /tmat /tenv /= e /= odd_double /= uphalf_double lk.
Qed.
Lemma core_token_ok cs v r c q t : facts_ok v -> cores_ok cs -> okp r c q -> core_token szs dims cs v q = Some t ->
  tok_ok t /\ tmat t = Mat (pval r c q).
Proof.
move=> okv [es okc] okq; rewrite /core_token; case: ifP => [lk [<-]|_].
  have := nth_find [::] (_ : has (peq q) cs); rewrite has_find => /(_ lk) pe.
  rewrite -es in lk; have [okt ->] := core_tok false lk; split=> //; rewrite es in lk.
  have [r' [c' [-> okq' h]]] := okc _ lk; have [er ec] := one_shape okq okq' pe h; subst r' c'.
  by rewrite (peq_ok okq okq' pe).
case: ifP => // lk [<-]; have := nth_find [::] (_ : has (peq (ptr szs dims v q)) cs); rewrite has_find => /(_ lk) pe.
rewrite -es in lk; have [okt0 ->] := core_tok true lk; split=> //; rewrite es in lk.
have [r' [c' [-> okq' h]]] := okc _ lk; have [okt et] := ptr_ok okv okq.
have [er ec] := one_shape okt okq' pe h; subst r' c'.
by rewrite -(peq_ok okt okq' pe) et /trM /= trmxK.
Qed.
Lemma abbreviated_ok cs v r c p : facts_ok v -> cores_ok cs -> okp r c p ->
  okp r c (abbreviated szs dims cs v p) /\ pval r c (abbreviated szs dims cs v p) = pval r c p.
Proof.
move=> okv okc okP; rewrite /abbreviated; case e: factors => [[[u q] u']|] //; case et: core_token => [t|] //.
have [q0 [eq ne ep]] := factorsE e.
have [r' [c' [okq hu hu' ->]]] := middle_ok okP ep ne; have [okn en] := normal_ok okq; rewrite -eq in okn en.
have [okt mt] := core_token_ok okv okc okn et; rewrite en in mt.
have ht : chain r' (t :: u') c by split; rewrite ?mt.
rewrite pval_1 cval1 scale1r; split.
  by apply/okp_cons; split=> //=; [exact: good1 | apply/chain_cat; exists r'].
rewrite (wval_cat hu ht) (view_mul (n := r')) ?wval_cols ?(wval_rows hu) ?(wval_rows ht) // -mulmxA; congr (_ *m _).
rewrite -[wval c (t :: u')]/(mulM (tmat t) (wval c u')) mt.
by rewrite (view_mul (n := c')) ?wval_cols ?(wval_rows hu') // viewE.
Qed.
Lemma product_ok cs v p q r m c : facts_ok v -> cores_ok cs -> okp r m p -> okp m c q ->
  okp r c (product szs dims cs v p q) /\ pval r c (product szs dims cs v p q) = pval r m p *m pval m c q.
Proof.
move=> okv okc okP okQ; rewrite /product; case: ifP => _; last exact: pmul_ok.
have [ok1 <-] := abbreviated_ok okv okc okP; have [ok2 <-] := abbreviated_ok okv okc okQ; exact: pmul_ok.
Qed.
End Words.

(* a core more: what had a meaning keeps it *)
Section OneMore.
Variables (R : comUnitRingType) (szs : seq (name * seq name)) (dims : seq name).
Variables (w : world R) (env : nat -> mat R) (cenv : seq (mat R)) (A : mat R).
Hypothesis sizes_ok : sizes_hold szs w.
Local Notation more := (rcons cenv A).
Lemma more_token t : tok_ok szs cenv t -> tok_ok szs more t /\ tmat szs dims w env more t = tmat szs dims w env cenv t.
Proof.
rewrite /tok_ok /tmat /tenv /is_core /is_block; case: t => [[[|[p|p|]] i] b] //=; rewrite size_rcons.
by case: (odd i) => //= lt; rewrite nth_rcons lt ltnS ltnW.
Qed.
Lemma more_chain r u c : chain szs dims w env cenv r u c ->
  chain szs dims w env more r u c /\ wval szs dims w env more c u = wval szs dims w env cenv c u.
Proof.
elim: u r => [|t u IH] r //= [okt er /IH [h e]]; have [okt' et] := more_token okt.
by rewrite et er e.
Qed.
Lemma more_okp r c p : okp szs dims w env cenv r c p ->
  okp szs dims w env more r c p /\ pval szs dims w env more r c p = pval szs dims w env cenv r c p.
Proof.
move=> ok; split=> [x /ok [gx /more_chain [h _]] //|].
by apply: eq_big_seq => x /ok [_ /more_chain [_ ->]].
Qed.
Lemma more_core B q : core_ok szs dims w env cenv B q -> core_ok szs dims w env more B q.
Proof. by move=> [r [c [-> /more_okp [ok e] h]]]; exists r, c; rewrite e. Qed.
End OneMore.

Section Lines.
Variables (R : comUnitRingType) (szs : seq (name * seq name)) (dims : seq name) (funs : seq (name * properties)).
Variables (w : world R) (env : nat -> mat R).
Hypothesis sizes_ok : sizes_hold szs w.
Local Notation u1 := (sz w unit_size).
Local Notation good := (@good R).
Local Notation cval := (cval R).
Local Notation E := (block szs w).
Local Notation onesM := (onesM R).
Local Notation facts_ok := (facts_ok w env).

(* ---- lines: after each, every normal form so far is the matrix of its line (state_ok) ---- *)
Variable c : certificate.
Hypothesis c_sizes : sizes c = szs.
Hypothesis c_dims : dims_of c = dims.
Hypothesis c_functions : functions c = funs.
Hypothesis is_model : forall k, (k < size (lines c))%N -> means szs w env (line c k) (env k).
Hypothesis is_assumed : forall k, (k < size (lines c))%N -> assumed w (line c k).
Hypothesis is_function : forall k, (k < size (functions c))%N -> function_assumed w (nth no_function (functions c) k).
Hypothesis denoms_ok : forall q, q \in denominators c -> (q%:R : R) \is a GRing.unit.

Section OneLine.
Variable cenv : seq (mat R).
Local Notation tmat := (tmat szs dims w env cenv).
Local Notation tok_ok := (tok_ok szs cenv).
Local Notation wval := (wval szs dims w env cenv).
Local Notation chain := (chain szs dims w env cenv).
Local Notation pval := (pval szs dims w env cenv).
Local Notation okp := (okp szs dims w env cenv).
Definition node_ok (A : mat R) (n : node) :=
  A = Mat (pval (sz w n.1.1) (sz w n.1.2) n.2) /\ okp (sz w n.1.1) (sz w n.1.2) n.2.
Definition state_ok (st : state) :=
  [/\ [/\ size (nodes st) = size (past st) & past st = take (size (past st)) (lines c)],
      forall k d, (k < size (nodes st))%N -> node_ok (env k) (nth d (nodes st) k), facts_ok (fact st) &
      cores_ok szs dims w env cenv (cores st)].

(* what a line says, read backwards *)
Lemma meansE o A : means szs w env o A -> match o with
  | Matrix x r c _ => A = Mat (V w x (sz w r) (sz w c))
  | Value f r c ks => A = Mat (Phi w f (sz w r) (sz w c) [seq env (nat_of_bin k) | k <- ks])
  | Block d i => A = Mat (E (size_index szs d) (nat_of_bin i))
  | Identity d => A = idM R (sz w d)
  | Ones d => A = onesM (sz w d) u1
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
move=> [_ ok _ _]; rewrite /at_line; case: (ltnP k (size (nodes st))) => [lt|ge].
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
Proof.
move=> er es; rewrite /itself /token_no; have := bin_of_natK (size (nodes st)).*2; move: (bin_of_nat _) => n e.
apply: token_ok => //; first by rewrite /sym_sound.tok_ok /is_core /= e odd_double.
by rewrite /sym_sound.tmat /= e tenv_line.
Qed.
Lemma known_cons (T : Type) a (x : T) v a' : known ((a, x) :: v) a' = if N.eqb a a' then Some x else known v a'.
Proof. by []. Qed.

(* values of functions *)
Lemma properties_ok f : function_assumed w (f, properties_of funs f).
Proof.
rewrite /properties_of; set j := find _ _; case: (ltnP j (size funs)) => [lj|ge]; last by rewrite nth_default.
have lj' := lj; rewrite -c_functions in lj'; have := is_function lj'; rewrite c_functions.
have := nth_find no_function (_ : has (fun x => x.1 == f) funs); rewrite has_find -/j => /(_ lj) /eqP e.
by rewrite /function_assumed /= e.
Qed.
Lemma ends_in_rowE u : ends_in_row u -> exists u' k, u = rcons u' (1%num, k, true).
Proof.
case/lastP: u => [|u [[[|[p|p|]] k] [|]]] //; rewrite /ends_in_row last_rcons // => _; by exists u, k.
Qed.
Lemma rows_left r n p : okp r n p -> exists C : 'M_(r, u1),
  pval r n p = pval r n [seq x <- p | ~~ ends_in_row x.2] + C *m const_mx 1.
Proof.
elim: p => [|[k u] p IH]; first by exists 0; rewrite /= mul0mx addr0.
move=> /okp_cons [gk hu okP]; have [C e] := IH okP; rewrite pval_cons e /=; case er: ends_in_row; last first.
  by exists C; rewrite pval_cons addrA.
have [u' [i eu]] := ends_in_rowE er; rewrite /= in hu.
move: hu; rewrite eu -cats1 => /chain_cat [m hu' hone]; have [_ em en] := hone.
exists (cval k *: view r u1 (wval u1 u') + C); rewrite /= mulmxDl addrCA; congr (_ + (_ + _)).
  have et : tmat (1%num, i, true) = onesM u1 (sz w (nth EmptyString dims (nat_of_bin i))).
    by rewrite -[LHS]/(trM (onesM (sz w (nth EmptyString dims (nat_of_bin i))) u1)) onesT.
  rewrite et /= in em en; subst m n.
  rewrite (wval_cat hu' hone) -scalemxAl (view_mul (n := u1)) ?wval_cols ?(wval_rows hu') ?(wval_rows hone) //.
  by rewrite -[wval _ [:: _]]/(mulM (tmat (1%num, i, true)) (idM R _)) et mulM1 // viewE.
Qed.

Lemma result_ok st o rest n v : state_ok st -> lines c = past st ++ o :: rest ->
  result szs dims funs st o = Some (n, v) -> node_ok (env (size (nodes st))) n /\ facts_ok v.
Proof.
move=> ok el; have [[es ep] okn okv okc] := ok; have [oki okr] := okv.
have lt : (size (nodes st) < size (lines c))%N by rewrite el size_cat es /= addnS ltnS leq_addr.
have eo : line c (size (nodes st)) = o by rewrite /line el nth_cat es ltnn subnn.
have pastE j : (j < size (past st))%N -> line c j = nth (Identity EmptyString) (past st) j.
  by move=> lj; rewrite /line el nth_cat lj.
have lts j : (j < size (past st))%N -> (j < size (lines c))%N by rewrite -es => lj; apply: ltn_trans lj lt.
have := meansE (is_model lt); have := is_assumed lt; rewrite eo.
have den : forall k q, Sum k = o -> q \in k -> good q.1.
  move=> k q e iq; apply: denoms_ok; apply/flattenP; exists [seq nat_of_pos x.1.2 | x <- k].
    have -> : [seq nat_of_pos x.1.2 | x <- k] =
      nth [::] [seq if o is Sum ks then [seq nat_of_pos k.1.2 | k <- ks] else [::] | o <- lines c] (size (nodes st)).
      by rewrite (nth_map (Identity EmptyString)) // -/(line c _) eo -e.
    by apply: mem_nth; rewrite size_map.
  exact: (map_f (fun x : coef * N => nat_of_pos x.1.2) iq).
have mine r s := @itself_ok st r s.
case: o el eo den => [x r s h|f r s ks|d i|d|d|ks|a b|a] el eo den as_ mn.
- case: h el eo as_ den => [|| y] el eo as_ den /=.
  + by case=> <- <-; split=> //; apply: mine; rewrite mn.
  + case: eqP => // e [<- <-]; subst s; split; first by apply: mine; rewrite mn.
    split=> [a b e /=|//]; case: N.eqb_spec => [<- [<- <-]|_ /oki //].
    exists (size (nodes st)), (size (nodes st)); rewrite bin_of_natK mn; split=> //.
    by exists (sz w r), (V w x (sz w r) (sz w r)), (V w x (sz w r) (sz w r))^T; split.
  + case: andP => // [[/eqP e lj]] [<- <-]; subst s; split; first by apply: mine; rewrite mn.
    move: lj; set j := find _ _ => lj.
    have ej : env j = Mat (V w y (sz w r) (sz w r)).
      have := meansE (is_model (lts _ lj)); rewrite pastE //.
      have := nth_find (Identity EmptyString) (_ : has (is_matrix y r) (past st)); rewrite has_find -/j => /(_ lj).
      by case: nth => // y' r' s' h' /= /and3P [/eqP -> /eqP -> /eqP ->].
    split=> [a b e /=|//]; case: N.eqb_spec => [<- [<- <-]|_].
      exists (size (nodes st)), j; rewrite !bin_of_natK mn ej; split=> //.
      by exists (sz w r), (V w x (sz w r) (sz w r)), (V w y (sz w r) (sz w r)); split.
    case: N.eqb_spec => [<- [<- <-]|_ /oki //].
    exists j, (size (nodes st)); rewrite !bin_of_natK mn ej; split=> //.
    exists (sz w r), (V w y (sz w r) (sz w r)), (V w x (sz w r) (sz w r)).
    by split=> //; apply: mulmx1C.
- rewrite /=; case ea: at_all => [l|] //; case ev: value_node => [[p new]|] // [<- <-].
  have [sl nl] := at_all_ok ok ea; have [ph psh pst] := properties_ok f; rewrite /= in ph psh pst.
  have found test j : (j < size (past st))%N -> j = find (same_value st test f r s l) (past st) ->
      exists ks' l', [/\ env j = Mat (Phi w f (sz w r) (sz w s) [seq env (nat_of_bin k) | k <- ks']),
        at_all st ks' = Some l' & test l l'].
    move=> lj ej; have := meansE (is_model (lts _ lj)); rewrite pastE //.
    have := nth_find (Identity EmptyString) (_ : has (same_value st test f r s l) (past st)).
    rewrite has_find -ej => /(_ lj); case: nth => // f' r' s' ks' /=.
    case: eqP => // <-; case: andP => // [[/eqP <- /eqP <-]]; case ea': at_all => [l'|] // t' e'.
    by exists ks', l'.
  move: ev; rewrite /value_node; case: ifP => // arity; case: ifP => // shape.
  have single : [|| half_odd (properties_of funs f), shift_invariant (properties_of funs f) |
      stochastic (properties_of funs f)] ->
      exists k0 n0, [/\ ks = [:: k0], l = [:: n0] & node_ok (env (nat_of_bin k0)) n0].
    move=> has_one; move: arity; rewrite has_one /= => /negbT; rewrite negbK => /eqP s1.
    case: l s1 sl nl {ea shape found} => [|n0 [|]] // _; case: ks {el eo as_ mn den} => [|k0 [|]] // _ nl.
    by exists k0, n0; split=> //; have := nl 0%num n0 0%N isT.
  case: ifP => [lj|_].
  + case=> <- <-; split; last by [].
    have [ks' [l' [ej ea' te]]] := found _ _ lj erefl.
    suff <- : env (find (same_value st (same_args (properties_of funs f)) f r s l) (past st)) = env (size (nodes st)).
      by apply: okn; rewrite es.
    rewrite ej mn; congr Mat.
    have [sl' nl'] := at_all_ok ok ea'; move: te; rewrite /same_args; case: eqP => // el' al.
    case psi: (shift_invariant (properties_of funs f)); last first.
      congr Phi; apply/esym; apply: (@eq_from_nth _ (env 0)); first by rewrite !size_map -sl -sl' el'.
      move=> i; rewrite size_map => li; have li' : (i < size ks')%N by rewrite -sl' -el' sl.
      rewrite !(nth_map 0%num) //; apply: node_same (nl _ (r, s, [::]) _ li) (nl' _ (r, s, [::]) _ li') _.
      have /(all_nthP ((r, s, [::]), (r, s, [::]))) /(_ i) := al.
      by rewrite size_zip el' minnn sl' nth_zip //= /seen psi; apply.
    have [|k0 [n0 [ek en ok0]]] := single; first by rewrite psi orbT.
    subst ks l; case: l' el' sl' nl' al {ea'} => [|n1 [|]] // _ sl' nl' /=; rewrite andbT /seen psi /node_eq /=.
    case: ks' ej sl' nl' => [|k1 [|]] // ej _ nl'; have ok1 : node_ok (env (nat_of_bin k1)) n1.
      by have := nl' 0%num n1 0%N isT.
    have [e0 okp0] := ok0; have [e1 okp1] := ok1; case: eqP => // er pe; rewrite -er in e1 okp1; rewrite /= e0 e1.
    have [C0 d0] := rows_left okp0; have [C1 d1] := rows_left okp1.
    have sub r0 s0 q : okp r0 s0 q -> okp r0 s0 [seq x <- q | ~~ ends_in_row x.2].
      by move=> okq x; rewrite mem_filter => /andP [_ /okq].
    have {}pe := peq_ok (sub _ _ _ okp0) (sub _ _ _ okp1) pe; rewrite d0 d1 -pe.
    have drop r0 s0 (A : 'M_(r0, s0)) (C : 'M_(r0, u1)) :
        Phi w f (sz w r) (sz w s) [:: Mat (A + C *m const_mx 1)] = Phi w f (sz w r) (sz w s) [:: Mat A].
      have one_ : u1 = 1%N by case: sizes_ok.
      by move: C; rewrite one_ => C; apply: (psh psi).
    by rewrite !drop.
  have stoch : facts_ok (if stochastic (properties_of funs f)
      then Facts (inverses (fact st)) ((token_no (size (nodes st)), r) :: row_sums (fact st)) else fact st).
    case pss: (stochastic _) => //; split=> //= a r' /=; case: N.eqb_spec => [<- [<-]|_ /okr //].
    have [|k0 [n0 [ek en ok0]]] := single; first by rewrite pss !orbT.
    exists (size (nodes st)); rewrite bin_of_natK mn /=; split=> //; rewrite /sym_sound.onesM mulME ek /=.
    case e0: (env k0) => [p0 q0 A0];
    have st_u q : q = 1%N -> Phi w f (sz w r) (sz w s) [:: Mat A0] *m const_mx 1 = const_mx 1 :> 'M_(_, q).
      by move=> ->; apply: (pst pss); case: sizes_ok.
    by rewrite st_u //; case: sizes_ok.
  case ph1: half_odd; last by case=> <- <-; split=> //; apply: mine; rewrite mn.
  case: ifP => [li|_]; last by case=> <- <-; split=> //; apply: mine; rewrite mn.
  case: ifP => // /eqP eshape [<- <-]; split=> //.
  have [ks' [l' [ej ea' te]]] := found _ _ li erefl.
  have [|k0 [n0 [ek en ok0]]] := single; first by rewrite ph1.
  have [sl' nl'] := at_all_ok ok ea'; subst ks l; move: te; rewrite /opposite.
  case: l' sl' nl' {ea'} => [|n1 [|]] // sl' nl'; case: ks' ej sl' nl' => [|k1 [|]] // ej _ nl'.
  have ok1 : node_ok (env (nat_of_bin k1)) n1 by have := nl' 0%num n1 0%N isT.
  rewrite /node_eq /=; case: eqP => // en01; move: shape; rewrite ph1 /= andbT => /negbT; rewrite negbK => /eqP en0.
  set j := find _ _ in li eshape ej *; have lj : (j < size (nodes st))%N by rewrite es.
  have := okn j (r, s, [::]) lj; case: (nth _ _ _) eshape => [rs pj] /= -> [ej' okj] pe.
  have [e0 okp0] := ok0; have [e1 okp1] := ok1; rewrite -en01 en0 /= in e1 okp1; rewrite en0 /= in e0 okp0.
  have gm : good (Zneg 1, 1%positive) by exact: unitr1.
  have [okm em] := pscale_ok gm okp1; have := peq_ok okp0 okm pe; rewrite em.
  have -> : cval (Zneg 1, 1%positive) = -1 by rewrite /sym.cval /= divr1.
  rewrite scaleN1r => opp; rewrite cats0.
  have okb : okp (sz w r) (sz w s) (pj ++ n0.2) by apply: okp_cat.
  have [okn' en'] := normal_ok okb; split=> //=; rewrite en' pval_cat mn /= e0; congr Mat.
  have := ph ph1 _ _ (pval (sz w r) (sz w s) n1.2); move: ej; rewrite /= e1 ej' => /Mat_inj <-; rewrite -opp.
  by move/eqP; rewrite subr_eq => /eqP ->; rewrite opp addrC addrA addNr add0r.
- rewrite /=; case: andP => // [[ls li]] [<- <-]; split=> //.
  have es' : sum_of szs (size_index szs d) = d.
    have := nth_find (EmptyString, [::]) (_ : has (fun x => x.1 == d) szs); rewrite has_find => /(_ ls) /eqP; exact.
  rewrite mn; apply: token_ok.
  + by rewrite /tok_ok is_block_ok size_no_ok ls.
  + by rewrite tmatB ?is_block_ok // /blockM size_no_ok.
  + by rewrite /= es'.
  by [].
- move=> /= [<- <-]; split=> //; rewrite mn /node_ok /= pval_1 cval1 scale1r view1; split=> //.
  by apply/okp_cons; split=> //; apply: good1.
- rewrite /=; case: eqP => [e|_].
    case=> <- <-; split=> //; rewrite mn e (ones1 sizes_ok) /node_ok /= pval_1 cval1 scale1r view1; split=> //.
    by apply/okp_cons; split=> //; apply: good1.
  case: ifP => // lk [<- <-]; split=> //; rewrite mn; apply: token_ok => //.
  by rewrite /tmat /= bin_of_natK nth_index // -index_mem.
- rewrite /=; case ea: at_all => [[|x l]|] //; case: ifP => // same [<- <-]; split=> //.
  have [sl nl] := at_all_ok ok ea; case: ks sl nl el eo den as_ mn ea => [|k ks] // sl nl el eo den as_ mn ea.
  have {mn} [m [n0 [sh ->]]] := mn.
  have [e0 ok0] := nl 0%num x 0%N (ltn0Sn _).
  have [em en] := sh k (mem_head _ _).
  move: e0 => /= e0; rewrite e0 /= in em en; subst m n0.
  have sk : size (x :: l) = size (k :: ks) by rewrite sl size_map.
  set F := fun y : coef * N * node => pscale y.1.1 y.2.2.
  have each y : y \in zip (k :: ks) (x :: l) ->
    okp (sz w x.1.1) (sz w x.1.2) (F y) /\ pval (sz w x.1.1) (sz w x.1.2) (F y) =
    cval y.1.1 *: view (sz w x.1.1) (sz w x.1.2) (env y.1.2).
    move=> iy; have := iy; case/(nthP (k, x)) => i; rewrite size_zip sk minnn => li ey.
    rewrite nth_zip ?sk // in ey; subst y; rewrite /F /=.
    have [] := nl 0%num x i; first by rewrite size_map.
    rewrite (nth_map k) // => ei okj.
    have ex : (nth x (x :: l) i).1 = x.1.
      case: i li {ei okj iy} => //= i li; have /(all_nthP x) /(_ i) := same.
      by move=> h; apply/eqP/h; case: sk => ->.
    rewrite ex in ei okj; have gk := den _ _ (erefl _) (mem_nth k li).
    by have [ok1 ->] := pscale_ok gk okj; split=> //; rewrite ei viewE.
  have [|okn' en'] := @normal_ok _ szs dims w env cenv (sz w x.1.1) (sz w x.1.2)
    (flatten [seq F y | y <- zip (k :: ks) (x :: l)]).
    by apply: okp_flatten => p /mapP [y iy ->]; case: (each y iy).
  split; last exact: okn'.
  congr Mat; apply: etrans (esym en'); rewrite pval_flatten big_map.
  rewrite (eq_big_seq (fun y : coef * N * node =>
    cval y.1.1 *: view (sz w x.1.1) (sz w x.1.2) (env y.1.2))); last first.
    by move=> y iy; case: (each y iy).
  rewrite -(big_map fst xpredT (fun k : coef * N => cval k.1 *: view (sz w x.1.1) (sz w x.1.2) (env k.2))).
  by rewrite -/(unzip1 _) unzip1_zip // sk.
- rewrite /=; case ea: at_line => [[[r m] p]|] //; case eb: at_line => [[[m' s] q]|] //=.
  case: eqP => // e [<- <-]; subst m'.
  have [[ea' oka] _] := at_ok ok ea; have [[eb' okb] _] := at_ok ok eb; split=> //.
  rewrite /= in oka okb; have [okpq epq] := product_ok sizes_ok okv okc oka okb.
  by rewrite /node_ok mn ea' eb' mulME /= epq.
- rewrite /=; case ea: at_line => [[[r s] p]|] // [<- <-]; have [[ea' oka] _] := at_ok ok ea; split=> //.
  rewrite /= in oka; have [okt et] := ptr_ok sizes_ok okv oka.
  by rewrite /node_ok mn ea' /trM /= et.
Qed.

End OneLine.

(* a core more *)
Lemma more_state cenv st v p n : state_ok cenv st -> node_ok cenv (env n) p -> facts_ok v ->
  exists cenv', state_ok cenv' (State (nodes st) (past st) (fact st) (with_core szs dims (cores st) v p.2)) /\
  forall A q, node_ok cenv A q -> node_ok cenv' A q.
Proof.
move=> ok okp okv; have [e okn okf [es okc]] := ok; rewrite /with_core.
case ef: factors => [[[u q] u']|]; last by exists cenv; case: (st) ok.
case: core_token => [_|]; first by exists cenv; case: (st) ok.
case: ifP => [hq|_]; last by exists cenv; case: (st) ok.
have [q0 [eq ne ep]] := factorsE ef; have [_ okp2] := okp.
have [r [s [okq _ _ _]]] := middle_ok okp2 ep ne; have [{}okq _] := normal_ok okq; rewrite -eq in okq.
set A := Mat (pval szs dims w env cenv r s q).
have grow B m : node_ok cenv B m -> node_ok (rcons cenv A) B m.
  by move=> [-> /(more_okp A) [ok' e']]; split; rewrite ?e'.
exists (rcons cenv A); split=> //; split=> //=; first by move=> k d lk; apply/grow/okn.
rewrite /cores_ok !size_rcons es; split=> // k; rewrite ltnS leq_eqVlt => /predU1P [->|lk].
  rewrite !nth_rcons es ltnn eqxx; apply: more_core.
  by exists r, s.
by rewrite !nth_rcons es lk; apply/more_core/okc.
Qed.
Lemma prepared_ok cenv st o : state_ok cenv st -> exists cenv', state_ok cenv' (prepared szs dims st o).
Proof.
move=> ok; rewrite /prepared; case: o => *; try by exists cenv.
case ea: at_line => [x|]; last by exists cenv.
case eb: at_line => [y|]; last by exists cenv.
case: ifP => _; last by exists cenv.
have [okx _] := at_ok ok ea; have [oky _] := at_ok ok eb; have okv : facts_ok (fact st) by case: ok.
have [cenv1 [ok1 grow]] := more_state ok okx okv.
by have [cenv2 [ok2 _]] := more_state ok1 (grow _ _ oky) okv; exists cenv2.
Qed.

(* all lines *)
Lemma prepared_same st o : nodes (prepared szs dims st o) = nodes st /\ past (prepared szs dims st o) = past st.
Proof.
by rewrite /prepared; case: o => // a b; case: at_line => // x; case: at_line => // y; case: long.
Qed.
Lemma step_ok cenv st o rest st' : state_ok cenv st -> lines c = past st ++ o :: rest ->
  step szs dims funs (Some st) o = Some st' ->
  (exists cenv', state_ok cenv' st') /\ lines c = past st' ++ rest.
Proof.
move=> ok0 el0 /=; have [cenv' ok] := prepared_ok o ok0; have [_ epast] := prepared_same st o.
move: (prepared szs dims st o) epast ok => st1 epast ok; have el : lines c = past st1 ++ o :: rest by rewrite epast.
case er: result => [[n v]|] // [<-] /=; have [okn okv] := result_ok ok el er.
have [[es ep] okns _ okc] := ok; rewrite cat_rcons el; split=> //; exists cenv'; split=> //=.
- by rewrite !size_rcons es; split=> //; rewrite el -cat_rcons take_size_cat // size_rcons.
move=> k d; rewrite size_rcons ltnS nth_rcons; case: ltngtP => // [lt _|-> _] //; exact: okns.
Qed.
Lemma steps_ok cenv st os st' : state_ok cenv st -> lines c = past st ++ os ->
  foldl (step szs dims funs) (Some st) os = Some st' ->
  exists cenv', state_ok cenv' st'.
Proof.
elim: os cenv st => [|o os IH] cenv st ok el; first by case=> <-; exists cenv.
rewrite -[foldl _ _ _]/(foldl (step szs dims funs) (step szs dims funs (Some st) o) os).
case e: (step _ _ _ (Some st) o) => [st1|]; last by elim: (os).
have [[cenv1 ok1] el1] := step_ok ok el e; exact: IH ok1 el1.
Qed.
Lemma claims_hold : check c -> claims c env.
Proof.
rewrite /check /run c_sizes c_dims c_functions; case e: foldl => [st|] // /allP al [a b] /al /=.
have ok0 : state_ok [::] start by do ?split=> //=; rewrite ?take0.
have [cenv ok] := @steps_ok [::] start (lines c) st ok0 erefl e.
case ea: at_line => [x|] //; case eb: at_line => [y|] //.
have [oka _] := at_ok ok ea; have [okb _] := at_ok ok eb; exact: (node_same oka okb).
Qed.
End Lines.

(* ---- the theorem -------------------------------------------------------------------------------------- *)
(* If the checker accepts a certificate, then over every commutative ring in which its denominators are units, for all
   sizes, all matrices and all functions with its hypotheses, its lines being what they say, its equations hold. *)
Theorem golden (c : certificate) : check c ->
  forall R : comUnitRingType, (forall q, q \in denominators c -> (q%:R : R) \is a GRing.unit) ->
  forall w : world R, hypotheses c w -> forall env : nat -> mat R, model c w env -> claims c env.
Proof. by move=> ch R den w [hs ha hf] env m; apply: (claims_hold hs erefl erefl erefl m ha hf den ch). Qed.
