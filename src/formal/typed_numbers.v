(* typed_numbers.v - a certificate of kind `recount` as equations and inequalities between rational numbers, Coq's Q:
   tests/formal_typed_numbers.awk writes it.  A reader has to know Coq's notations: 3 # 20 is 3/20, == is equality of
   fractions (1 # 2 == 2 # 4).  The certificate's own meaning is over every field of numbers; Q goes into MathComp's
   field rat by cval.                                                                                               *)
From Coq Require Import String NArith ZArith QArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import text sym sym_sound numbers formulas typed_formulas.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(* ---- what is stated: names stand for numbers *)
Fixpoint number_of (env : name -> Q) (e : expr) : Q :=
  match e with
  | Name x => env x
  | Number k => Qmake k.1 k.2
  | Mul a b => Qmult (number_of env a) (number_of env b)
  | Add a b => Qplus (number_of env a) (number_of env b)
  | Sub a b => Qminus (number_of env a) (number_of env b)
  | Turn a => number_of env a
  end.
Definition states (env : name -> Q) (f : formula) : Prop :=
  let a := number_of env (left_side f) in
  let b := number_of env (right_side f) in
  match how f with Equal => Qeq a b | Differ => ~ Qeq a b | Less => Qlt a b | AtMost => Qle a b end.
Fixpoint all_stated (env : name -> Q) (fs : seq formula) : Prop :=
  match fs with [::] => True | [:: f] => states env f | f :: fs' => states env f /\ all_stated env fs' end.
(* env says what the certificate shows *)
Definition coef_of (q : Q) : coef := (Qnum q, Qden q).
Definition shown_as (gs : seq given) (env : name -> Q) (x : name) : bool :=
  let g := given_of gs x in [&& height g == 1%N, width g == 1%N & ceq (entry (shown g) 0 0) (coef_of (env x))].
Fixpoint listed (l : seq (name * Q)) (x : name) : Q :=
  if l is y :: l' then if String.eqb y.1 x then y.2 else listed l' x else Qmake Z0 1.

(* the field of rational numbers, found by its carrier: MathComp 1 and 2 write it in different ways *)
Definition field_on (F : numFieldType) (_ : phant F) := F.
Local Set Warnings "-non-reversible-notation".
Local Notation F := ltac:(let Q := eval unfold field_on in (field_on (Phant rat)) in exact Q) (only parsing).

Section Right.
Variables (gs : seq given) (env : name -> Q).
Let r (q : Q) : F := cval F (coef_of q).
Local Notation scalar q := (Mat ((r q)%:M : 'M_1)).
Lemma rM a b : r (Qmult a b) = r a * r b.
Proof. by rewrite /r -cvalM //; apply: good_all. Qed.
Lemma rD a b : r (Qplus a b) = r a + r b.
Proof.
rewrite /r -cvalD ?good_all //; apply: cval_eq; rewrite /ceq /cadd /=; apply/Z.eqb_eq.
by case: Pos.eqb_spec => [->|_] /=; rewrite ?Pos2Z.inj_mul; ring.
Qed.
Lemma rB a b : r (Qminus a b) = r a - r b.
Proof. by rewrite /Qminus rD; congr (_ + _); rewrite /r -cvalN. Qed.
Lemma value_of_number e : all (shown_as gs env) (names_in e) ->
  value_of (given_value F gs) e = scalar (number_of env e).
Proof.
elim: e => [x|[p q]|a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa] //=; rewrite ?all_cat.
- rewrite andbT /given_value /shown_as; case: given_of => y m n T /= /and3P [/eqP e /eqP e']; subst m n.
  by rewrite (ceq_val F) => /eqP e; congr Mat; rewrite one_by_one e.
- by case/andP => /IHa -> /IHb ->; rewrite mulME rM -scalar_mxM.
- by case/andP => /IHa -> /IHb ->; rewrite /= viewE rD raddfD.
- by case/andP => /IHa -> /IHb ->; rewrite /= viewE rB raddfB.
by move=> /IHa ->; rewrite /trM /= tr_scalar_mx.
Qed.
Lemma less a b : r a < r b <-> Qlt a b.
Proof. by rewrite -subr_gt0 -rB cval_gt0 /Qlt; split=> [/Z.ltb_lt /=|e]; last apply/Z.ltb_lt => /=; lia. Qed.
Lemma at_most a b : r a <= r b -> Qle a b.
Proof. by rewrite leNgt => /negP no; apply: Qnot_lt_le => /less. Qed.
Lemma equal a b : r a = r b <-> Qeq a b.
Proof.
rewrite /Qeq; split=> [/eqP|e].
  by rewrite -subr_eq0 -rB cval_eq0 => /Z.eqb_eq /=; lia.
by apply/eqP; rewrite -subr_eq0 -rB cval_eq0; apply/Z.eqb_eq => /=; lia.
Qed.
Lemma number_value e m n (A : 'M[F]_(m, n)) : all (shown_as gs env) (names_in e) ->
  is_value (given_value F gs) e (Mat A) -> Mat A = scalar (number_of env e).
Proof. by move=> s /is_value_of ->; apply: value_of_number. Qed.
Lemma one_number e a : all (shown_as gs env) (names_in e) ->
  is_value (given_value F gs) e (Mat (a%:M : 'M_1)) -> a = r (number_of env e).
Proof. by move=> s /(number_value s) /Mat_inj /matrixP /(_ 0 0); rewrite !mxE. Qed.
Lemma stated f : formula_holds (given_value F gs) f ->
  all (shown_as gs env) (names_in (left_side f) ++ names_in (right_side f)) -> states env f.
Proof.
move=> holds; rewrite all_cat => /andP [sa sb]; case: f holds sa sb => a how_ b /= holds sa sb.
case: how_ holds; rewrite /formula_holds /states /=.
- case=> m [n [A [B [/(number_value sa) ea /(number_value sb) eb e]]]]; apply/equal.
  by move: ea; rewrite e eb => /Mat_inj /matrixP /(_ 0 0); rewrite !mxE.
- case=> m [n [A [B [/(number_value sa) ea /(number_value sb) eb /eqP ne]]]] /equal e.
  by apply/ne/Mat_inj; rewrite ea eb e.
- by case=> x [y [/(one_number sa) -> /(one_number sb) ->]] /less.
by case=> x [y [/(one_number sa) -> /(one_number sb) ->]] /at_most.
Qed.
End Right.
Theorem typed_numbers text c env : accepts_formulas text -> parse_formulas text = Some c ->
  all (fun f => all (shown_as c.1 env) (names_in (left_side f) ++ names_in (right_side f))) c.2 -> all_stated env c.2.
Proof.
case: c => gs fs acc /(typed_formulas F acc) /= {acc}.
by elim: fs => // f [|f' fs] IH /= [holds rest] /andP [/(stated holds) s /(IH rest)].
Qed.
