(* sym.v - certificates of kind `sym`: what their lines say, and the program that checks them.

   Part 1 is the syntax: one constructor for each kind of line.
   Part 2 is the meaning: what a reader has to believe.  It is stated with MathComp's matrices 'M_(m, n) over any
          commutative ring with units (every field is one), and mentions no normal form and no checker.
   Part 3 is the checker: a program, run by the kernel (vm_compute) or extracted.
   That the checker is right is proved in sym_sound.v.  reports/CERTIFICATES.md numbers the same rules.              *)
From Coq Require Import String NArith ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* ---- 1. Syntax ---------------------------------------------------------------------------------------- *)
Definition name := string.
(* == of these is eqb; a record inside another in MathComp 1, two in MathComp 2 *)
Definition string_eqType : eqType.
Proof. refine (@Equality.Pack string _); repeat first [exact String.eqb_spec | econstructor]. Defined.
Canonical string_eqType.
Definition positive_eqType : eqType.
Proof. refine (@Equality.Pack positive _); repeat first [exact Pos.eqb_spec | econstructor]. Defined.
Canonical positive_eqType.
Definition Z_eqType : eqType.
Proof. refine (@Equality.Pack Z _); repeat first [exact Z.eqb_spec | econstructor]. Defined.
Canonical Z_eqType.

Definition coef := (Z * positive)%type.                 (* numerator and denominator *)
Inductive hyp := Any | Orthogonal | Inverse of name.
Record properties := Properties { half_odd : bool; shift_invariant : bool; stochastic : bool }.
Inductive op :=                                         (* N: the number of an earlier line *)
| Matrix of name & name & name & hyp                    (* name, rows, columns, hypothesis *)
| Value of name & name & name & seq N                   (* function, rows, columns, arguments *)
| Block of name & N                                     (* E(d, i): columns of the identity of size d *)
| Identity of name
| Ones of name                                          (* a column of ones *)
| Sum of seq (coef * N)
| Product of N & N
| Transpose of N.
Record certificate := Certificate {
  sizes : seq (name * seq name);                        (* d = k_0 + k_1 + .. *)
  functions : seq (name * properties);
  lines : seq op;
  equations : seq (N * N) }.

(* ---- 2. Meaning --------------------------------------------------------------------------------------- *)
Definition unit_size : name := String (Ascii.ascii_of_nat 49) EmptyString.       (* the size that is written 1 *)
Section Meaning.
Variable R : comUnitRingType.

(* numbers: a whole one, and a fraction *)
Definition zval (z : Z) : R :=
  match z with Z0 => 0 | Zpos p => (nat_of_pos p)%:R | Zneg p => - (nat_of_pos p)%:R end.
Definition cval (k : coef) : R := zval k.1 / (nat_of_pos k.2)%:R.

(* a matrix together with its shape *)
Record mat := Mat { rows : nat; cols : nat; body : 'M[R]_(rows, cols) }.
Arguments Mat {rows cols} body.

(* the world: the size of each name, a matrix for each name and shape, a function for each name and shape of its
   value.  All three are arbitrary; a number that stands as a size is a name, too, and only 1 has to be 1.          *)
Record world := World {
  sz : name -> nat;
  V : name -> forall m n, 'M[R]_(m, n);
  Phi : name -> forall m n, seq mat -> 'M[R]_(m, n) }.
Variables (szs : seq (name * seq name)) (w : world).

Definition parts (s : nat) : seq name := (nth (EmptyString, [::]) szs s).2.
Definition sum_of (s : nat) : name := (nth (EmptyString, [::]) szs s).1.
Definition size_index (d : name) : nat := find (fun x => x.1 == d) szs.
(* part i of the sum s begins at .. *)
Definition offset (s i : nat) : nat := sumn [seq sz w k | k <- take i (parts s)].
Definition part (s i : nat) : name := nth EmptyString (parts s) i.
Definition block (s i : nat) : 'M[R]_(sz w (sum_of s), sz w (part s i)) :=
  \matrix_(a, b) (a == (offset s i + b)%N :> nat)%:R.

(* what a line says, where env k is the matrix of line k *)
Variant means (env : nat -> mat) : op -> mat -> Prop :=
| MMatrix x r c h : means env (Matrix x r c h) (Mat (V w x (sz w r) (sz w c)))
| MValue f r c ks : means env (Value f r c ks) (Mat (Phi w f (sz w r) (sz w c) [seq env (nat_of_bin k) | k <- ks]))
| MBlock d i : means env (Block d i) (Mat (block (size_index d) i))
| MIdentity d : means env (Identity d) (Mat (1%:M : 'M_(sz w d)))
| MOnes d : means env (Ones d) (Mat (const_mx 1 : 'M_(sz w d, sz w unit_size)))
| MSum (ks : seq (coef * N)) m n (A : nat -> 'M[R]_(m, n)) : (forall k, k \in ks -> env k.2 = Mat (A k.2)) ->
    means env (Sum ks) (Mat (\sum_(k <- ks) cval k.1 *: A k.2))
| MProduct (a b : N) m n p (A : 'M[R]_(m, n)) (B : 'M[R]_(n, p)) : env a = Mat A -> env b = Mat B ->
    means env (Product a b) (Mat (A *m B))
| MTranspose (a : N) m n (A : 'M[R]_(m, n)) : env a = Mat A -> means env (Transpose a) (Mat A^T).

(* the hypotheses: sums of sizes, inverses, orthogonality, and what is declared of functions *)
Definition sizes_hold := [/\ sz w unit_size = 1%N, forall x, (0 < sz w x)%N &
  forall s, (s < size szs)%N -> sz w (sum_of s) = sumn [seq sz w k | k <- parts s]].
Definition assumed (o : op) : Prop :=
  match o with
  | Matrix x r _ Orthogonal => let A := V w x (sz w r) (sz w r) in A *m A^T = 1%:M
  | Matrix x r _ (Inverse y) => V w x (sz w r) (sz w r) *m V w y (sz w r) (sz w r) = 1%:M
  | _ => True
  end.
Definition is_half_odd (f : name) := forall m n (Y : 'M[R]_(m, n)),
  Phi w f m n [:: Mat Y] - Phi w f m n [:: Mat (- Y)] = Y.
Definition is_shift_invariant (f : name) := forall m n p q (S : 'M[R]_(p, q)) (c : 'M[R]_(p, 1)),
  Phi w f m n [:: Mat (S + c *m const_mx 1)] = Phi w f m n [:: Mat S].
Definition is_stochastic (f : name) := forall m n p q (S : 'M[R]_(p, q)), (0 < n)%N ->
  Phi w f m n [:: Mat S] *m const_mx 1 = const_mx 1 :> 'M[R]_(m, 1).
Definition function_assumed (x : name * properties) : Prop :=
  [/\ half_odd x.2 -> is_half_odd x.1, shift_invariant x.2 -> is_shift_invariant x.1 &
      stochastic x.2 -> is_stochastic x.1].
End Meaning.
Arguments Mat {R rows cols} body.

Definition denominators (c : certificate) : seq nat :=
  flatten [seq if o is Sum ks then [seq nat_of_pos k.1.2 | k <- ks] else [::] | o <- lines c].
Definition line (c : certificate) (k : nat) : op := nth (Identity EmptyString) (lines c) k.
Definition no_function : name * properties := (EmptyString, Properties false false false).

Section Statement.
Variables (R : comUnitRingType) (c : certificate) (w : world R).
Definition hypotheses :=
  [/\ sizes_hold (sizes c) w, forall k, (k < size (lines c))%N -> assumed w (line c k) &
      forall k, (k < size (functions c))%N -> function_assumed w (nth no_function (functions c) k)].
Definition model (env : nat -> mat R) :=
  forall k, (k < size (lines c))%N -> means (sizes c) w env (line c k) (env k).
Definition claims (env : nat -> mat R) := forall e, e \in equations c -> env (nat_of_bin e.1) = env (nat_of_bin e.2).
End Statement.

(* ---- 3. The checker ----------------------------------------------------------------------------------- *)
(* The idea: the matrix of each line is written as a sum of words in tokens, the normal form.  A token is a line:
   a line `matrix` is a token itself; a line `value` is the token of the first line with the same function at equal
   arguments (rule 6).  So a token denotes the matrix of its line, in every model.  Besides, a sum that stands between
   the same words in a long product has a token of its own, a core (rule 11), which denotes that sum.
   `if a then b else false` stands for a && b where b is costly: vm_compute evaluates both sides of &&.         *)
(* (0, 2k, t): the matrix of line k; (0, 2k+1, t): core k; (1, k, t): the ones of dimension k; (s+2, i, t): the block
   E(s, i); t: transposed *)
Definition token := (N * N * bool)%type.
Definition word := seq token.
Definition poly := seq (coef * word).                  (* a sum of coefficients times words: the normal form *)

(* coefficients *)
Definition cadd (a b : coef) : coef :=
  if Pos.eqb a.2 b.2 then (Z.add a.1 b.1, a.2)
  else (Z.add (Z.mul a.1 (Zpos b.2)) (Z.mul b.1 (Zpos a.2)), Pos.mul a.2 b.2).
Definition cmul (a b : coef) : coef := (Z.mul a.1 b.1, Pos.mul a.2 b.2).
Definition copp (a : coef) : coef := (Z.opp a.1, a.2).
Definition ceq (a b : coef) : bool := Z.eqb (Z.mul a.1 (Zpos b.2)) (Z.mul b.1 (Zpos a.2)).
Definition czero (a : coef) : bool := Z.eqb a.1 Z0.
Definition one : coef := (Zpos 1, 1%positive).

(* tokens and words: equality, and an order to sort by; that it is one is not needed *)
Definition teq (a b : token) : bool :=
  if N.eqb a.1.2 b.1.2 then if N.eqb a.1.1 b.1.1 then Bool.eqb a.2 b.2 else false else false.
Fixpoint weq (a b : word) : bool :=
  match a, b with
  | x :: a', y :: b' => if teq x y then weq a' b' else false
  | [::], [::] => true
  | _, _ => false end.
Definition tcmp (a b : token) : comparison :=
  match N.compare a.1.2 b.1.2 with
  | Eq => match N.compare a.1.1 b.1.1 with
          | Eq => match a.2, b.2 with false, true => Lt | true, false => Gt | _, _ => Eq end
          | x => x end
  | x => x end.
Fixpoint wle (a b : word) : bool :=
  match a, b with
  | x :: a', y :: b' => match tcmp x y with Eq => wle a' b' | Lt => true | Gt => false end
  | [::], _ => true
  | _, _ => false end.

(* sorted, equal words collected *)
Definition put (x : coef * word) (q : poly) : poly :=
  if czero x.1 then q else
  if q is y :: q' then
    if weq x.2 y.2 then let k := cadd x.1 y.1 in if czero k then q' else (k, y.2) :: q' else x :: q
  else [:: x].
(* a product of two sorted sums, and a sum of sorted ones, has long ascending runs: they are merged, two by two *)
Definition before (a b : coef * word) : bool := wle a.2 b.2.
Fixpoint runs (r p : poly) : seq poly :=                 (* r: the run so far, backwards *)
  match p, r with
  | [::], _ => [:: rev r]
  | y :: p', x :: _ => if before x y then runs (y :: r) p' else rev r :: runs [:: y] p'
  | y :: p', [::] => runs [:: y] p'
  end.
Fixpoint by_twos (ps : seq poly) : seq poly :=
  match ps with a :: b :: ps' => merge before a b :: by_twos ps' | _ => ps end.
Fixpoint merged (fuel : nat) (ps : seq poly) : poly :=
  match fuel, ps with f.+1, _ :: _ :: _ => merged f (by_twos ps) | _, _ => flatten ps end.
Definition ordered (p : poly) : poly := let ps := runs [::] p in merged (size ps) ps.
Definition normal (p : poly) : poly := foldr put [::] (ordered p).

(* What is known of tokens: (a, (b, t)), where b, transposed if t, is the inverse of a; and (k, r), where line k is the
   value of a stochastic function, with r rows *)
Record facts := Facts { inverses : seq (N * (N * bool)); row_sums : seq (N * name) }.
Fixpoint known (T : Type) (v : seq (N * T)) (a : N) : option T :=
  if v is x :: v' then if N.eqb x.1 a then Some x.2 else known v' a else None.

Section Check.
Variables (szs : seq (name * seq name)) (dims : seq name).
Definition flip (t : token) : token := (t.1, ~~ t.2).
Definition size_no (t : token) : nat := (nat_of_bin t.1.1).-2.
Definition part_name (t : token) : name := part szs (size_no t) (nat_of_bin t.1.2).

(* ---- two tokens side by side: rules 3, 4, 7 and 8 *)
Inductive meeting := Stay | Vanish | Cancel | Become of token.
Definition become (n : name) (turned : bool) : meeting :=
  if n == unit_size then Cancel else
  let k := index n dims in if (k < size dims)%N then Become (1%num, bin_of_nat k, turned) else Stay.
(* a and a column of ones; the row of ones and b, transposed, is the same *)
Definition with_ones (v : facts) (a : token) (turned : bool) : meeting :=
  match a.1.1 with
  | 0%num => if a.2 then Stay else if known (row_sums v) a.1.2 is Some r then become r turned else Stay
  | 1%num => Stay
  | _ => if a.2 then become (part_name a) turned else Stay
  end.
Definition meet (v : facts) (a b : token) : meeting :=
  match a.1.1, b.1.1 with
  | 0%num, 0%num =>
    if known (inverses v) a.1.2 is Some x then
      if N.eqb x.1 b.1.2 then if Bool.eqb (x.2 (+) a.2) b.2 then Cancel else Stay else Stay
    else Stay
  | 1%num, 1%num => Stay
  | _, 1%num => if b.2 then Stay else with_ones v a false
  | 1%num, _ => if a.2 then with_ones v (flip b) true else Stay
  | 0%num, _ | _, 0%num => Stay
  | s, s' =>
    if a.2 then if b.2 then Stay else
      if N.eqb s s' then if N.eqb a.1.2 b.1.2 then Cancel else Vanish else Stay
    else Stay
  end.
(* the word rev st, times t, reversed; None: it is 0 *)
Fixpoint set_down (v : facts) (st : word) (t : token) : option word :=
  if st is x :: st' then
    match meet v x t with
    | Stay => Some (t :: st) | Vanish => None | Cancel => Some st' | Become u => set_down v st' u
    end
  else Some [:: t].
Definition stays (v : facts) (st : word) (t : token) : bool :=
  if st is x :: _ then if meet v x t is Stay then true else false else false.
(* the word rev st ++ w; the tokens within w have met before, so where one stays, all after it do *)
Fixpoint push (v : facts) (st : word) (w : word) : option word :=
  if w is t :: w' then
    if stays v st t then Some (catrev st w) else if set_down v st t is Some st' then push v st' w' else None
  else Some (rev st).

(* rule 5: the first E(s, z) E(s, z)', z the last; the word before it is reversed *)
Definition is_last (t : token) : bool := (nat_of_bin t.1.2).+1 == size (parts szs (size_no t)).
Definition closes (x y : token) : bool :=
  match x.1.1 with
  | 0%num | 1%num => false
  | _ => if x.2 then false else if teq y (flip x) then is_last x else false
  end.
Fixpoint find_last (before : word) (w : word) : option (word * token * word) :=
  match w with
  | x :: ((y :: w') as w1) =>
    if closes x y then Some (before, x, w') else find_last (x :: before) w1
  | _ => None
  end.
Fixpoint expand (fuel : nat) (v : facts) (k : coef) (w : word) : poly :=
  if fuel is f.+1 then
    if find_last [::] w is Some (before, x, after) then
      (if push v before after is Some w' then expand f v k w' else [::]) ++
      flatten [seq (let y := (x.1.1, bin_of_nat j, false) in expand f v (copp k) (catrev before (y :: flip y :: after)))
              | j <- iota 0 (nat_of_bin x.1.2)]
    else [:: (k, w)]
  else [:: (k, w)].
Definition times (v : facts) (k : coef) (a b : word) : poly :=       (* the first word is reversed *)
  if push v a b is Some w then expand (size w).+1 v k w else [::].

(* rules 1 and 2 *)
Definition pmul (v : facts) (p q : poly) : poly :=
  normal (flatten [seq (let u := rev a.2 in flatten [seq times v (cmul a.1 b.1) u b.2 | b <- q]) | a <- p]).
Definition ptr (v : facts) (p : poly) : poly := normal (flatten [seq times v a.1 [::] (rev (map flip a.2)) | a <- p]).
Fixpoint peq (p q : poly) : bool :=
  match p, q with
  | x :: p', y :: q' => if weq x.2 y.2 then if ceq x.1 y.1 then peq p' q' else false else false
  | [::], [::] => true
  | _, _ => false end.
Definition pscale (k : coef) (p : poly) : poly := [seq (cmul k y.1, y.2) | y <- p].

(* rule 11: a sum whose words all begin with u and end with v is u q v, and q has one token, or one transposed *)
Fixpoint strip (u w : word) : option word :=             (* what w has after u *)
  match u, w with
  | [::], _ => Some w
  | x :: u', y :: w' => if teq x y then strip u' w' else None
  | _, _ => None end.
Fixpoint stripped (u : word) (p : poly) : option poly :=
  if p is x :: p' then if strip u x.2 is Some w then omap (cons (x.1, w)) (stripped u p') else None else Some [::].
Fixpoint common (a b : word) : word :=
  match a, b with
  | x :: a', y :: b' => if teq x y then x :: common a' b' else [::]
  | _, _ => [::] end.
Definition shared (p : poly) : word := if p is x :: p' then foldl (fun u y => common u y.2) x.2 p' else [::].
Definition backwards (p : poly) : poly := [seq (x.1, rev x.2) | x <- p].
Definition factors (p : poly) : option (word * poly * word) :=
  let u := shared p in
  if stripped u p is Some p1 then
    let p2 := backwards p1 in let v := shared p2 in
    if stripped v p2 is Some (x :: q) then Some (u, normal (backwards (x :: q)), rev v) else None
  else None.
Definition core_token (cs : seq poly) (v : facts) (q : poly) : option token :=
  let k := find (peq q) cs in
  if (k < size cs)%N then Some (0%num, bin_of_nat k.*2.+1, false) else
  let k' := find (peq (ptr v q)) cs in
  if (k' < size cs)%N then Some (0%num, bin_of_nat k'.*2.+1, true) else None.
Definition abbreviated (cs : seq poly) (v : facts) (p : poly) : poly :=
  if factors p is Some (u, q, u') then
    if core_token cs v q is Some t then [:: (one, u ++ t :: u')] else p
  else p.
Definition with_core (cs : seq poly) (v : facts) (p : poly) : seq poly :=
  if factors p is Some (_, q, _) then
    if core_token cs v q is Some _ then cs else if has (fun x => 0 < size x.2)%N q then rcons cs q else cs
  else cs.
Definition long (p q : poly) : bool :=                   (* more than 2^14 terms *)
  if (1 < size p)%N then if (1 < size q)%N then N.ltb 16384 (N.mul (bin_of_nat (size p)) (bin_of_nat (size q)))
  else false else false.
Definition product (cs : seq poly) (v : facts) (p q : poly) : poly :=
  if long p q then pmul v (abbreviated cs v p) (abbreviated cs v q) else pmul v p q.

(* lines *)
Definition node := (name * name * poly)%type.
Definition node_eq (a b : node) : bool := if a.1 == b.1 then peq a.2 b.2 else false.
Record state := State { nodes : seq node; past : seq op; fact : facts; cores : seq poly }.
Definition start := State [::] [::] (Facts [::] [::]) [::].
Definition at_line (st : state) (k : N) : option node := nth None (map Some (nodes st)) k.
Definition at_all (st : state) (ks : seq N) : option (seq node) :=
  foldr (fun k r => if (at_line st k, r) is (Some x, Some y) then Some (x :: y) else None) (Some [::]) ks.
Definition token_no (k : nat) : N := bin_of_nat k.*2.      (* of line k *)
Definition itself (st : state) : poly := [:: (one, [:: (0%num, token_no (size (nodes st)), false)])].

(* rule 6: an earlier line with the same function at equal arguments; rule 9: words that end in 1' do not count *)
Definition ends_in_row (w : word) : bool :=
  if last (0%num, 0%num, false) w is (1%num, _, true) then true else false.
Definition seen (fs : properties) (a : node) : node :=
  if shift_invariant fs then (a.1, [seq x <- a.2 | ~~ ends_in_row x.2]) else a.
Definition same_args (fs : properties) (args args' : seq node) : bool :=
  if size args == size args' then all (fun x => node_eq (seen fs x.1) (seen fs x.2)) (zip args args') else false.
Definition opposite (args args' : seq node) : bool :=
  if (args, args') is ([:: a], [:: a']) then node_eq a (a'.1, pscale (Zneg 1, 1%positive) a'.2) else false.
Definition same_value (st : state) (test : seq node -> seq node -> bool) (f r c : name) (args : seq node) (o : op)
    : bool :=
  if o is Value f' r' c' ks then
    if f == f' then if (r == r') && (c == c') then
      if at_all st ks is Some args' then test args args' else false
    else false else false
  else false.
Definition is_matrix (x d : name) (o : op) : bool :=
  if o is Matrix y r c _ then [&& x == y, r == d & c == d] else false.

Variable funs : seq (name * properties).
Definition properties_of (f : name) : properties := (nth no_function funs (find (fun x => x.1 == f) funs)).2.
Definition value_node (st : state) (f r c : name) (args : seq node) : option (node * bool) :=     (* true: itself *)
  let fs := properties_of f in
  let j := find (same_value st (same_args fs) f r c args) (past st) in
  if [|| half_odd fs, shift_invariant fs | stochastic fs] && (size args != 1%N) then None else
  if half_odd fs && ~~ all (fun a => a.1 == (r, c)) args then None else
  if (j < size (past st))%N then Some (nth (r, c, [::]) (nodes st) j, false) else
  if half_odd fs then                                                                          (* rule 10 *)
    let i := find (same_value st opposite f r c args) (past st) in
    if (i < size (past st))%N then
      let e := nth (r, c, [::]) (nodes st) i in
      if e.1 == (r, c) then Some ((r, c, normal (e.2 ++ flatten [seq a.2 | a <- args])), false) else None
    else Some ((r, c, itself st), true)
  else Some ((r, c, itself st), true).

Definition result (st : state) (o : op) : option (node * facts) :=
  let me := token_no (size (nodes st)) in
  let v := fact st in
  match o with
  | Matrix x r c Any => Some ((r, c, itself st), v)
  | Matrix x r c Orthogonal =>
    if r == c then Some ((r, c, itself st), Facts ((me, (me, true)) :: inverses v) (row_sums v)) else None
  | Matrix x r c (Inverse y) =>
    let j := find (is_matrix y r) (past st) in
    if (r == c) && (j < size (past st))%N then
      let b := token_no j in
      Some ((r, c, itself st), Facts [:: (me, (b, false)), (b, (me, false)) & inverses v] (row_sums v))
    else None
  | Value f r c ks =>
    if at_all st ks is Some args then
      if value_node st f r c args is Some (p, new) then
        Some (p, if new && stochastic (properties_of f) then Facts (inverses v) ((me, r) :: row_sums v) else v)
      else None
    else None
  | Block d i =>
    let s := size_index szs d in
    if ((s < size szs) && (nat_of_bin i < size (parts szs s)))%N
    then Some ((d, part szs s i, [:: (one, [:: (bin_of_nat s.+2, i, false)])]), v) else None
  | Identity d => Some ((d, d, [:: (one, [::])]), v)
  | Ones d =>
    if d == unit_size then Some ((d, d, [:: (one, [::])]), v) else
    let k := index d dims in
    if (k < size dims)%N then Some ((d, unit_size, [:: (one, [:: (1%num, bin_of_nat k, false)])]), v) else None
  | Sum ks =>
    if at_all st [seq k.2 | k <- ks] is Some (a :: l) then
      if all (fun b => b.1 == a.1) l
      then Some ((a.1, normal (flatten [seq pscale x.1.1 x.2.2 | x <- zip ks (a :: l)])), v)
      else None
    else None
  | Product a b =>
    if (at_line st a, at_line st b) is (Some x, Some y) then
      if x.1.2 == y.1.1 then Some ((x.1.1, y.1.2, product (cores st) v x.2 y.2), v) else None
    else None
  | Transpose a => if at_line st a is Some x then Some ((x.1.2, x.1.1, ptr v x.2), v) else None
  end.
(* the cores that the two sums of a long product need *)
Definition prepared (st : state) (o : op) : state :=
  if o is Product a b then
    if (at_line st a, at_line st b) is (Some x, Some y) then
      if long x.2 y.2 then
        let v := fact st in State (nodes st) (past st) v (with_core (with_core (cores st) v x.2) v y.2)
      else st
    else st
  else st.
Definition step (st : option state) (o : op) : option state :=
  if st is Some st0 then
    let st := prepared st0 o in
    if result st o is Some (x, v) then Some (State (rcons (nodes st) x) (rcons (past st) o) v (cores st)) else None
  else None.
End Check.

(* the dimensions that a column of ones can have *)
Definition dims_of (c : certificate) : seq name :=
  flatten [seq x.2 | x <- sizes c] ++
  flatten [seq match o with Value _ r _ _ | Ones r => [:: r] | _ => [::] end | o <- lines c].
Definition run (c : certificate) : option state :=
  foldl (step (sizes c) (dims_of c) (functions c)) (Some start) (lines c).
Definition check (c : certificate) : bool :=
  if run c is Some st then
    all (fun e => if (at_line st e.1, at_line st e.2) is (Some x, Some y) then node_eq x y else false) (equations c)
  else false.
