(* typed_formulas.v - a certificate of kind `matrix` as an ordinary theorem about matrices 'M_(m, n) of the numbers that
   it shows: tests/formal_typed_matrix.awk writes it.  A value is what typed_formula takes it to be.                *)
From Coq Require Import String NArith ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import text sym sym_sound numbers formulas.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* ---- words of the statements: a matrix written out, entries as whole numbers or as numerator and denominator *)
Definition whole_matrix (F : numFieldType) m n (rows : seq (seq Z)) : 'M[F]_(m, n) :=
  mx F m n [seq [seq (z, 1%positive) | z <- r] | r <- rows].
Definition rational_matrix (F : numFieldType) m n (rows : seq (seq (Z * positive))) : 'M[F]_(m, n) := mx F m n rows.
Definition number (F : numFieldType) (p : Z) (q : positive) : 'M[F]_1 := (cval F (p, q))%:M.

Section Typed.
Variables (F : numFieldType) (env : name -> mat F).
Fixpoint value_of (e : expr) : mat F :=
  match e with
  | Name x => env x
  | Number k => Mat ((cval F k)%:M : 'M_1)
  | Mul a b => mulM (value_of a) (value_of b)
  | Add a b => let A := value_of a in Mat (body A + view (rows A) (cols A) (value_of b))
  | Sub a b => let A := value_of a in Mat (body A - view (rows A) (cols A) (value_of b))
  | Turn a => trM (value_of a)
  end.
Lemma is_value_of e A : is_value env e A -> A = value_of e.
Proof.
elim=> {e A} //= [a b m n p A B _ <- _ <-|a b m n A B _ <- _ <-|a b m n A B _ <- _ <-|a m n A _ <-] //.
- by rewrite mulME.
- by rewrite /= viewE.
by rewrite /= viewE.
Qed.
Lemma same_value e m n (A B : 'M[F]_(m, n)) : is_value env e (Mat A) -> is_value env e (Mat B) -> A = B.
Proof. by move=> /is_value_of a /is_value_of b; apply: Mat_inj; rewrite a. Qed.
Theorem typed_equal a b m n (A B : 'M[F]_(m, n)) : formula_holds env (Formula a Equal b) ->
  is_value env a (Mat A) -> is_value env b (Mat B) -> A = B.
Proof.
case=> m' [n' [A' [B' [/= va vb e]]]] /is_value_of ea /is_value_of eb; apply: Mat_inj.
by rewrite ea eb -(is_value_of va) -(is_value_of vb) e.
Qed.
Theorem typed_differ a b m n (A B : 'M[F]_(m, n)) : formula_holds env (Formula a Differ b) ->
  is_value env a (Mat A) -> is_value env b (Mat B) -> A <> B.
Proof.
case=> m' [n' [A' [B' [/= va vb /eqP ne]]]] ea eb e; apply: ne; subst B; apply: Mat_inj.
by rewrite (is_value_of va) (is_value_of vb) -(is_value_of ea) -(is_value_of eb).
Qed.
Theorem typed_less a b (A B : 'M[F]_1) : formula_holds env (Formula a Less b) ->
  is_value env a (Mat A) -> is_value env b (Mat B) -> A 0 0 < B 0 0.
Proof.
case=> x [y [/= va vb lt]] ea eb; rewrite (same_value ea va) (same_value eb vb) !mxE eqxx //.
Qed.
Theorem typed_at_most a b (A B : 'M[F]_1) : formula_holds env (Formula a AtMost b) ->
  is_value env a (Mat A) -> is_value env b (Mat B) -> A 0 0 <= B 0 0.
Proof.
case=> x [y [/= va vb le]] ea eb; rewrite (same_value ea va) (same_value eb vb) !mxE eqxx //.
Qed.
End Typed.
Theorem typed_formulas text gs fs (F : numFieldType) : accepts_formulas text -> parse_formulas text = Some (gs, fs) ->
  foldr (fun f P => formula_holds (given_value F gs) f /\ P) True fs.
Proof. by move=> /golden_formulas [gs' [fs' [-> h]]] [<- <-]; exact: h. Qed.
