(* formulas.v - certificates of kinds `matrix` and `recount`: equations and inequalities between sums and products of
   matrices and numbers that are written out.  Syntax, meaning, the program that checks them, and that it is right.   *)
From Coq Require Import String Ascii NArith ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import text sym sym_sound numbers.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(* ---- syntax *)
Record given := Given { called : name; height : nat; width : nat; shown : table }.
Inductive expr := Name of name | Number of coef | Mul of expr & expr | Add of expr & expr | Sub of expr & expr
| Turn of expr.
Variant relation := Equal | Differ | Less | AtMost.
Record formula := Formula { left_side : expr; how : relation; right_side : expr }.

(* ---- meaning: in an ordered field - the rationals, the reals - or in the complex numbers *)
Section Meaning.
Variables (F : numFieldType) (env : name -> mat F).
Inductive is_value : expr -> mat F -> Prop :=
| VName x : is_value (Name x) (env x)
| VNumber k : is_value (Number k) (Mat ((cval F k)%:M : 'M_1))
| VMul a b m n p (A : 'M[F]_(m, n)) (B : 'M[F]_(n, p)) : is_value a (Mat A) -> is_value b (Mat B) ->
    is_value (Mul a b) (Mat (A *m B))
| VAdd a b m n (A B : 'M[F]_(m, n)) : is_value a (Mat A) -> is_value b (Mat B) -> is_value (Add a b) (Mat (A + B))
| VSub a b m n (A B : 'M[F]_(m, n)) : is_value a (Mat A) -> is_value b (Mat B) -> is_value (Sub a b) (Mat (A - B))
| VTurn a m n (A : 'M[F]_(m, n)) : is_value a (Mat A) -> is_value (Turn a) (Mat A^T).
Definition formula_holds (f : formula) : Prop :=
  match how f with
  | Equal =>
    exists m n (A B : 'M[F]_(m, n)), [/\ is_value (left_side f) (Mat A), is_value (right_side f) (Mat B) & A = B]
  | Differ =>
    exists m n (A B : 'M[F]_(m, n)), [/\ is_value (left_side f) (Mat A), is_value (right_side f) (Mat B) & A != B]
  | Less => exists a b : F,
    [/\ is_value (left_side f) (Mat (a%:M : 'M_1)), is_value (right_side f) (Mat (b%:M : 'M_1)) & a < b]
  | AtMost => exists a b : F,
    [/\ is_value (left_side f) (Mat (a%:M : 'M_1)), is_value (right_side f) (Mat (b%:M : 'M_1)) & a <= b]
  end.
End Meaning.
Definition no_given := Given EmptyString 0 0 [::].
Definition given_of (gs : seq given) (x : name) : given := nth no_given gs (find (fun g => called g == x) gs).
(* a name is the matrix that is written out under it *)
Definition given_value (F : numFieldType) (gs : seq given) (x : name) : mat F :=
  let g := given_of gs x in Mat (mx F (height g) (width g) (shown g)).
Definition formulas_hold (gs : seq given) (fs : seq formula) : Prop :=
  forall F : numFieldType, foldr (fun f P => formula_holds (given_value F gs) f /\ P) True fs.

(* ---- the checker *)
Fixpoint eval (gs : seq given) (e : expr) : option given :=
  match e with
  | Name x => Some (given_of gs x)
  | Number k => Some (Given EmptyString 1 1 [:: [:: k]])
  | Mul a b =>
    if (eval gs a, eval gs b) is (Some A, Some B) then
      if width A == height B then
        Some (Given EmptyString (height A) (width B) (tmul (height A) (width A) (width B) (shown A) (shown B)))
      else None
    else None
  | Add a b =>
    if (eval gs a, eval gs b) is (Some A, Some B) then
      if (height A == height B) && (width A == width B) then
        Some (Given EmptyString (height A) (width A) (tplus (height A) (width A) (shown A) (shown B)))
      else None
    else None
  | Sub a b =>
    if (eval gs a, eval gs b) is (Some A, Some B) then
      if (height A == height B) && (width A == width B) then
        Some (Given EmptyString (height A) (width A) (tminus (height A) (width A) (shown A) (shown B)))
      else None
    else None
  | Turn a =>
    if eval gs a is Some A then Some (Given EmptyString (width A) (height A) (tturn (height A) (width A) (shown A)))
    else None
  end.
Definition formula_ok (gs : seq given) (f : formula) : bool :=
  if (eval gs (left_side f), eval gs (right_side f)) is (Some A, Some B) then
    if (height A == height B) && (width A == width B) then
      let d := minus (entry (shown B) 0 0) (entry (shown A) 0 0) in
      match how f with
      | Equal => tequal (height A) (width A) (shown A) (shown B)
      | Differ => ~~ tequal (height A) (width A) (shown A) (shown B)
      | Less => if (height A == 1%N) && (width A == 1%N) then Z.ltb 0 d.1 else false
      | AtMost => if (height A == 1%N) && (width A == 1%N) then Z.leb 0 d.1 else false
      end
    else false
  else false.

(* ---- it is right *)
Section Right.
Variables (F : numFieldType) (gs : seq given).
Local Notation of_given A := (Mat (mx F (height A) (width A) (shown A))).
Lemma eval_ok e A : eval gs e = Some A -> is_value (given_value F gs) e (of_given A).
Proof.
elim: e A => [x|k|a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa] A /=.
- by case=> <-; exact: (VName (given_value F gs) x).
- case=> <- /=; have -> : mx F 1 1 [:: [:: k]] = (cval F k)%:M.
    by apply/matrixP => i j; rewrite !mxE !ord1 eqxx mulr1n.
  exact: VNumber.
- case ea: eval => [[x m n T]|] //; case eb: eval => [[y n' p U]|] //=; case: eqP => // e [<-] /=.
  by subst n'; rewrite mx_mul; apply: VMul; [apply: (IHa _ ea) | apply: (IHb _ eb)].
- case ea: eval => [[x m n T]|] //; case eb: eval => [[y m' n' U]|] //=; case: andP => // [[/eqP e /eqP e']] [<-] /=.
  by subst m' n'; rewrite mx_plus; apply: VAdd; [apply: (IHa _ ea) | apply: (IHb _ eb)].
- case ea: eval => [[x m n T]|] //; case eb: eval => [[y m' n' U]|] //=; case: andP => // [[/eqP e /eqP e']] [<-] /=.
  by subst m' n'; rewrite mx_minus; apply: VSub; [apply: (IHa _ ea) | apply: (IHb _ eb)].
case ea: eval => [[x m n T]|] // [<-] /=; rewrite mx_turn; apply: VTurn; exact: (IHa _ ea).
Qed.
Lemma one_by_one T : mx F 1 1 T = (cval F (entry T 0 0))%:M.
Proof. by apply/matrixP => i j; rewrite !mxE !ord1 eqxx mulr1n. Qed.
Lemma formula_right f : formula_ok gs f -> formula_holds (given_value F gs) f.
Proof.
rewrite /formula_ok /formula_holds.
case ea: eval => [A|] //; case eb: eval => [B|] //; have va := eval_ok ea; have vb := eval_ok eb.
case: A B va vb {ea eb} => [x m n T] [y m' n' U] /= va vb; case: andP => // [[/eqP e /eqP e']]; subst m' n'.
case: (how f) => [eq|ne||].
- by exists m, n, (mx F m n T), (mx F m n U); split=> //; apply/eqP; rewrite mx_equal.
- by exists m, n, (mx F m n T), (mx F m n U); split=> //; rewrite mx_equal.
- case: andP => // [[/eqP e /eqP e']]; subst m n; rewrite !one_by_one in va vb => lt.
  exists (cval F (entry T 0 0)), (cval F (entry U 0 0)); split=> //.
  by rewrite -subr_gt0 -minus_val cval_gt0.
case: andP => // [[/eqP e /eqP e']]; subst m n; rewrite !one_by_one in va vb => le.
exists (cval F (entry T 0 0)), (cval F (entry U 0 0)); split=> //.
rewrite -subr_ge0 -minus_val; move: le; rewrite le_eqVlt cval_gt0 eq_sym cval_eq0 /czero.
by case: (minus _ _).1.
Qed.
End Right.
Lemma formulas_right gs fs : all (formula_ok gs) fs -> formulas_hold gs fs.
Proof.
move=> ok F; elim: fs ok => //= f fs IH /andP [okf /IH h]; split=> //; exact: formula_right.
Qed.

(* ---- the text, with the rules of src/proofcheck/formula.c and matrix.c *)
Local Open Scope string_scope.
Definition side (n : N) : option nat := if n is Npos p then Some (nat_of_pos p) else None.
Definition read_shape (r c : string) : option (nat * nat) :=
  if (whole 256 r, whole 256 c) is (Some r, Some c) then
    if (side r, side c) is (Some m, Some n) then Some (m, n) else None
  else None.
Definition read_row (n : nat) (ws : row) : option (seq coef) :=
  if size ws == n then all_some (map fraction ws) else None.
(* the matrix that begins in this line, and the lines after it *)
Definition read_matrix (ls : seq row) : option (given * seq row) :=
  match ls with
  | [:: "matrix"; x; r; c] :: ls' =>
    if is_name x then
      if read_shape r c is Some (m, n) then
        if (m <= size ls')%N then
          omap (fun T => (Given x m n T, drop m ls')) (all_some (map (read_row n) (take m ls')))
        else None
      else None
    else None
  | _ => None
  end.
Fixpoint read_givens (fuel : nat) (ls : seq row) : option (seq given * seq row) :=
  if fuel is f.+1 then
    match ls with
    | ("matrix" :: _) :: _ =>
      if read_matrix ls is Some (g, ls') then omap (fun x => (g :: x.1, x.2)) (read_givens f ls') else None
    | [:: "value"; x; k] :: ls' =>
      if is_name x then
        if fraction k is Some k then
          omap (fun y => (Given x 1 1 [:: [:: k]] :: y.1, y.2)) (read_givens f ls')
        else None
      else None
    | _ => Some ([::], ls)
    end
  else None.
(* reverse Polish notation *)
Fixpoint read_expr (names : seq name) (stack : seq expr) (ws : row) : option expr :=
  match ws with
  | [::] => if stack is [:: e] then Some e else None
  | "'" :: r => if stack is a :: s then read_expr names (Turn a :: s) r else None
  | "*" :: r => if stack is b :: a :: s then read_expr names (Mul a b :: s) r else None
  | "+" :: r => if stack is b :: a :: s then read_expr names (Add a b :: s) r else None
  | "-" :: r => if stack is b :: a :: s then read_expr names (Sub a b :: s) r else None
  | w :: r =>
    if w \in names then read_expr names (Name w :: stack) r else
    if fraction w is Some k then read_expr names (Number k :: stack) r else None
  end.
Definition relates (w : string) : bool :=
  if w is String a _ then [|| Ascii.eqb a "=", Ascii.eqb a "!" | Ascii.eqb a "<"] else false.
Definition read_relation (w : string) : option relation :=
  match w with "=" => Some Equal | "!=" => Some Differ | "<" => Some Less | "<=" => Some AtMost | _ => None end.
Definition read_formula (names : seq name) (ws : row) : option formula :=
  let k := find relates ws in
  if drop k ws is w :: r then
    if (read_expr names [::] (take k ws), read_relation w, read_expr names [::] r) is (Some a, Some o, Some b)
    then Some (Formula a o b) else None
  else None.
Fixpoint read_formulas (names : seq name) (ls : seq row) : option (seq formula) :=
  match ls with
  | [:: [:: "end"]] => Some [::]
  | ("formula" :: ws) :: r => if read_formula names ws is Some f then omap (cons f) (read_formulas names r) else None
  | _ => None
  end.
Fixpoint names_in (e : expr) : seq name :=
  match e with
  | Name x => [:: x] | Number _ => [::] | Turn a => names_in a
  | Mul a b | Add a b | Sub a b => cat (names_in a) (names_in b)
  end.
Definition parse_formulas (text : string) : option (seq given * seq formula) :=
  if read_rows text is Some rows then
    if body_of rows is Some (kind, r) then
      if String.eqb kind "matrix" || String.eqb kind "recount" then
        if read_givens (size r).+1 r is Some (gs, r') then
          let names := map called gs in
          if read_formulas names r' is Some fs then
            let used := flatten [seq cat (names_in (left_side f)) (names_in (right_side f)) | f <- fs] in
            if [&& (0 < size fs)%N, (size gs <= 1024)%N, uniq names & all (fun x => x \in used) names]
            then Some (gs, fs) else None
          else None
        else None
      else None
    else None
  else None.
Definition accepts_formulas (text : string) : bool :=
  if parse_formulas text is Some (gs, fs) then all (formula_ok gs) fs else false.

Theorem golden_formulas text : accepts_formulas text ->
  exists gs fs, parse_formulas text = Some (gs, fs) /\ formulas_hold gs fs.
Proof.
rewrite /accepts_formulas; case: parse_formulas => [[gs fs]|] // ok; exists gs, fs; split=> //; exact: formulas_right.
Qed.
