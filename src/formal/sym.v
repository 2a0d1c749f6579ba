(* sym.v - the certificate language `sym`, its meaning, and its checker.

   Part 1 is the syntax: one constructor for each kind of line.
   Part 2 is the meaning: what a reader has to believe.  It is stated with MathComp's matrices 'M_(m, n) over any
          commutative ring with units (every field is one), and mentions no normal form and no checker.
   Part 3 is the checker: a program, run by the kernel (vm_compute) or extracted.
   That the checker is right is proved in sym_sound.v.                                                          *)
From Coq Require Import String NArith.
From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* ---- 1. Syntax ---------------------------------------------------------------------------------------- *)
Definition name := string.
Definition string_eqMixin := EqMixin String.eqb_spec.
Canonical string_eqType := EqType string string_eqMixin.

Definition coef := (int * nat)%type.                    (* numerator and denominator *)
Inductive hyp := Any | Orthogonal | Inverse of name.
Inductive op :=                                         (* N: the number of an earlier line *)
| Matrix of name & name & name & hyp                    (* name, rows, columns, hypothesis *)
| Value of name & name & name & seq N                   (* function, rows, columns, arguments *)
| Block of name & N                                     (* E(d, i): columns of the identity of size d *)
| Identity of name
| Sum of seq (coef * N)
| Product of N & N
| Transpose of N.
Record certificate := Certificate {
  sizes : seq (name * seq name);                        (* d = k_0 + k_1 + .. *)
  lines : seq op;
  equations : seq (N * N) }.

(* ---- 2. Meaning --------------------------------------------------------------------------------------- *)
Section Meaning.
Variable R : comUnitRingType.

(* a matrix together with its shape *)
Record mat := Mat { rows : nat; cols : nat; body : 'M[R]_(rows, cols) }.
Arguments Mat {rows cols} body.

(* the world: the size of each name, a matrix for each name and shape, a function for each name and shape of its
   value.  All three are arbitrary; a number that stands as a size is a name, too. *)
Record world := World {
  sz : name -> nat;
  V : name -> forall m n, 'M[R]_(m, n);
  Phi : name -> forall m n, seq mat -> 'M[R]_(m, n) }.
Variables (szs : seq (name * seq name)) (w : world).

Definition cval (k : coef) : R := k.1%:~R / k.2%:R.
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
| MSum (ks : seq (coef * N)) m n (A : nat -> 'M[R]_(m, n)) : (forall k, k \in ks -> env k.2 = Mat (A k.2)) ->
    means env (Sum ks) (Mat (\sum_(k <- ks) cval k.1 *: A k.2))
| MProduct (a b : N) m n p (A : 'M[R]_(m, n)) (B : 'M[R]_(n, p)) : env a = Mat A -> env b = Mat B ->
    means env (Product a b) (Mat (A *m B))
| MTranspose (a : N) m n (A : 'M[R]_(m, n)) : env a = Mat A -> means env (Transpose a) (Mat A^T).

(* the hypotheses: sums of sizes, inverses, orthogonality *)
Definition sizes_hold := forall s, (s < size szs)%N -> sz w (sum_of s) = sumn [seq sz w k | k <- parts s].
Definition assumed (o : op) : Prop :=
  match o with
  | Matrix x r _ Orthogonal => let A := V w x (sz w r) (sz w r) in A *m A^T = 1%:M
  | Matrix x r _ (Inverse y) => V w x (sz w r) (sz w r) *m V w y (sz w r) (sz w r) = 1%:M
  | _ => True
  end.
End Meaning.
Arguments Mat {R rows cols} body.

Definition denominators (c : certificate) : seq nat :=
  flatten [seq if o is Sum ks then [seq k.1.2 | k <- ks] else [::] | o <- lines c].
Definition line (c : certificate) (k : nat) : op := nth (Identity EmptyString) (lines c) k.

Section Statement.
Variables (R : comUnitRingType) (c : certificate) (w : world R).
Definition hypotheses :=
  sizes_hold (sizes c) w /\ forall k, (k < size (lines c))%N -> assumed w (line c k).
Definition model (env : nat -> mat R) :=
  forall k, (k < size (lines c))%N -> means (sizes c) w env (line c k) (env k).
Definition claims (env : nat -> mat R) := forall e, e \in equations c -> env (nat_of_bin e.1) = env (nat_of_bin e.2).
End Statement.

(* ---- 3. The checker ----------------------------------------------------------------------------------- *)
(* The idea: the matrix of each line is written as a sum of words in tokens, the normal form.  A token is a line:
   there is no table of symbols.  A line `matrix` is a token itself; a line `value` is the token of the first line
   with the same function at equal arguments (rule 6).  So a token denotes the matrix of its line, in every model.
   `if a then b else false` stands for a && b where b is costly: vm_compute evaluates both sides of &&.         *)
(* (0, k, t): the matrix of line k; (s+1, i, t): the block E(s, i); t: transposed *)
Definition token := (N * N * bool)%type.
Definition word := seq token.
Definition poly := seq (coef * word).                  (* a sum of coefficients times words: the normal form *)

(* coefficients *)
Definition cadd (a b : coef) : coef :=
  if a.2 == b.2 then (a.1 + b.1, a.2) else (a.1 * b.2%:Z + b.1 * a.2%:Z, (a.2 * b.2)%N).
Definition cmul (a b : coef) : coef := (a.1 * b.1, (a.2 * b.2)%N).
Definition copp (a : coef) : coef := (- a.1, a.2).
Definition ceq (a b : coef) : bool := a.1 * b.2%:Z == b.1 * a.2%:Z.

(* an order of words, to sort by; that it is one is not needed *)
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
  if x.1.1 == 0 then q else
  if q is y :: q' then
    if x.2 == y.2 then let k := cadd x.1 y.1 in if k.1 == 0 then q' else (k, y.2) :: q' else x :: q
  else [:: x].
Definition normal (p : poly) : poly := foldr put [::] (sort (fun a b => wle a.2 b.2) p).

Section Check.
Variable szs : seq (name * seq name).
Definition flip (t : token) : token := (t.1, ~~ t.2).

(* rules 3 and 4: what becomes of two neighbours?  invs: (a, (b, t)) where b, transposed if t, is the inverse of a *)
Definition invs := seq (N * (N * bool)).
Definition inverse_of (v : invs) (a : N) : option (N * bool) :=
  if [seq x.2 | x <- v & x.1 == a] is x :: _ then Some x else None.
Definition cancels (v : invs) (a b : token) : bool :=
  if (a.1.1 == 0%num) && (b.1.1 == 0%num) then
  (if inverse_of v a.1.2 is Some x then (x.1 == b.1.2) && (x.2 (+) a.2 == b.2) else false) else false.
Definition blocks_meet (a b : token) : bool := [&& a.1.1 != 0%num, a.1.1 == b.1.1, a.2 & ~~ b.2].

(* the word rev st ++ w; None: it is 0 *)
Fixpoint push (v : invs) (st : word) (w : word) : option word :=
  match w with
  | [::] => Some (rev st)
  | t :: w' =>
    if st is x :: st' then
      if blocks_meet x t then if x.1.2 == t.1.2 then push v st' w' else None
      else if cancels v x t then push v st' w'
      else push v (t :: st) w'
    else push v [:: t] w'
  end.

(* rule 5: the first E(s, z) E(s, z)', z the last; the word before it is reversed *)
Definition is_last (t : token) : bool :=
  (t.1.1 != 0%num) && ((nat_of_bin t.1.2).+1 == size (parts szs (nat_of_bin t.1.1).-1)).
Definition closes (x y : token) : bool :=
  if x.2 then false else if x.1.1 == 0%num then false else if y == flip x then is_last x else false.
Fixpoint find_last (before : word) (w : word) : option (word * token * word) :=
  match w with
  | x :: ((y :: w') as w1) =>
    if closes x y then Some (before, x, w') else find_last (x :: before) w1
  | _ => None
  end.
Fixpoint expand (fuel : nat) (v : invs) (k : coef) (w : word) : poly :=
  if fuel is f.+1 then
    if find_last [::] w is Some (before, x, after) then
      (if push v before after is Some w' then expand f v k w' else [::]) ++
      flatten [seq (let y := (x.1.1, bin_of_nat j, false) in expand f v (copp k) (catrev before (y :: flip y :: after)))
              | j <- iota 0 (nat_of_bin x.1.2)]
    else [:: (k, w)]
  else [:: (k, w)].
Definition times (v : invs) (k : coef) (a b : word) : poly :=
  if push v (rev a) b is Some w then expand (size w).+1 v k w else [::].

(* rules 1 and 2 *)
Definition pmul (v : invs) (p q : poly) : poly :=
  normal (flatten [seq times v (cmul a.1 b.1) a.2 b.2 | a <- p, b <- q]).
Definition ptr (v : invs) (p : poly) : poly := normal (flatten [seq times v a.1 [::] (rev (map flip a.2)) | a <- p]).
Definition peq (p q : poly) : bool :=
  if size p == size q then all (fun x => (x.1.2 == x.2.2) && ceq x.1.1 x.2.1) (zip p q) else false.

(* lines *)
Definition node := (name * name * poly)%type.
Definition node_eq (a b : node) : bool := if a.1 == b.1 then peq a.2 b.2 else false.
Record state := State { nodes : seq node; past : seq op; inv : invs }.
Definition start := State [::] [::] [::].
Definition at_line (st : state) (k : N) : option node := nth None (map Some (nodes st)) k.
Definition at_all (st : state) (ks : seq N) : option (seq node) :=
  foldr (fun k r => if (at_line st k, r) is (Some x, Some y) then Some (x :: y) else None) (Some [::]) ks.
Definition one : coef := (1, 1%N).
Definition itself (st : state) : poly := [:: (one, [:: (0%num, bin_of_nat (size (nodes st)), false)])].

(* rule 6: an earlier line with the same function at equal arguments *)
Definition same_value (st : state) (f r c : name) (args : seq node) (o : op) : bool :=
  if o is Value f' r' c' ks then
    if f == f' then if (r == r') && (c == c') then
      if at_all st ks is Some args' then
        if size args == size args' then all (fun x => node_eq x.1 x.2) (zip args args') else false
      else false
    else false else false
  else false.
Definition is_matrix (x d : name) (o : op) : bool :=
  if o is Matrix y r c _ then [&& x == y, r == d & c == d] else false.

Definition result (st : state) (o : op) : option (node * invs) :=
  let me := bin_of_nat (size (nodes st)) in
  match o with
  | Matrix x r c Any => Some ((r, c, itself st), inv st)
  | Matrix x r c Orthogonal => if r == c then Some ((r, c, itself st), (me, (me, true)) :: inv st) else None
  | Matrix x r c (Inverse y) =>
    let j := find (is_matrix y r) (past st) in
    if (r == c) && (j < size (past st))%N
    then Some ((r, c, itself st), [:: (me, (bin_of_nat j, false)), (bin_of_nat j, (me, false)) & inv st]) else None
  | Value f r c ks =>
    if at_all st ks is Some args then
      let j := find (same_value st f r c args) (past st) in
      Some (if (j < size (past st))%N then nth (r, c, [::]) (nodes st) j else (r, c, itself st), inv st)
    else None
  | Block d i =>
    let s := size_index szs d in
    if ((s < size szs) && (nat_of_bin i < size (parts szs s)))%N
    then Some ((d, part szs s i, [:: (one, [:: (bin_of_nat s.+1, i, false)])]), inv st) else None
  | Identity d => Some ((d, d, [:: (one, [::])]), inv st)
  | Sum ks =>
    if at_all st [seq k.2 | k <- ks] is Some (a :: l) then
      if all (fun b => b.1 == a.1) l
      then Some ((a.1, normal (flatten [seq [seq (cmul x.1.1 y.1, y.2) | y <- x.2.2] | x <- zip ks (a :: l)])), inv st)
      else None
    else None
  | Product a b =>
    if (at_line st a, at_line st b) is (Some x, Some y) then
      if x.1.2 == y.1.1 then Some ((x.1.1, y.1.2, pmul (inv st) x.2 y.2), inv st) else None
    else None
  | Transpose a => if at_line st a is Some x then Some ((x.1.2, x.1.1, ptr (inv st) x.2), inv st) else None
  end.
Definition step (st : option state) (o : op) : option state :=
  if st is Some st then
    if result st o is Some (x, v) then Some (State (rcons (nodes st) x) (rcons (past st) o) v) else None
  else None.
End Check.

Definition run (c : certificate) : option state := foldl (step (sizes c)) (Some start) (lines c).
Definition check (c : certificate) : bool :=
  if run c is Some st then
    all (fun e => if (at_line st e.1, at_line st e.2) is (Some x, Some y) then node_eq x y else false) (equations c)
  else false.
