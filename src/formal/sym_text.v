(* sym_text.v - from the text of a certificate of kind `sym` to its data, with the rules of src/proofcheck/sym.c, so
   that nothing outside the kernel is trusted to read it; and the golden theorem about the text.                     *)
From Coq Require Import String Ascii NArith ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import text sym sym_sound sym_lines sym_worlds.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Open Scope string_scope.

Definition guard (b : bool) T (x : T) : option T := if b then Some x else None.
Definition node_no := whole 16383.
Definition numbers (s : row) : option (seq N) := all_some (map node_no s).
Fixpoint terms (s : row) : option (seq (coef * N)) :=
  match s with
  | [::] => Some [::]
  | k :: a :: s' =>
    if (fraction k, node_no a) is (Some k, Some a) then omap (cons (k, a)) (terms s') else None
  | _ => None
  end.
Definition read_op (ws : row) : option op :=
  match ws with
  | [:: "matrix"; x; r; c] => guard [&& is_name x, is_size r & is_size c] (Matrix x r c Any)
  | [:: "matrix"; x; r; c; "orthogonal"] =>
    guard [&& is_name x, is_size r, is_size c & String.eqb r c] (Matrix x r c Orthogonal)
  | [:: "matrix"; x; r; c; "inverse"; y] =>
    guard [&& is_name x, is_size r, is_size c & String.eqb r c] (Matrix x r c (Inverse y))
  | [:: "value", f, r, c & ks] =>
    if numbers ks is Some ks then
      guard [&& is_name f, is_size r, is_size c & (size ks == 1%N) || (size ks == 2)] (Value f r c ks)
    else None
  | [:: "block"; d; i] => if is_name d then omap (Block d) (whole 4096 i) else None
  | [:: "identity"; d] => guard (is_size d) (Identity d)
  | [:: "ones"; d] => guard (is_size d) (Ones d)
  | [:: "sum", k, a & ks] => omap Sum (terms [:: k, a & ks])
  | [:: "product"; a; b] => if (node_no a, node_no b) is (Some a, Some b) then Some (Product a b) else None
  | [:: "transpose"; a] => omap Transpose (node_no a)
  | _ => None
  end.
Fixpoint read_properties (p : properties) (ws : row) : option properties :=
  match ws with
  | [::] => Some p
  | "half-odd" :: r =>
    if half_odd p then None else read_properties (Properties true (shift_invariant p) (stochastic p)) r
  | "shift-invariant" :: r =>
    if shift_invariant p then None else read_properties (Properties (half_odd p) true (stochastic p)) r
  | "stochastic" :: r =>
    if stochastic p then None else read_properties (Properties (half_odd p) (shift_invariant p) true) r
  | _ => None
  end.

(* sizes, then functions, then nodes 0, 1, 2, .., then equations, then `end` *)
Fixpoint body (n : N) (stage : nat) (ls : seq row) : option certificate :=
  match ls with
  | [:: [:: "end"]] => if stage is 3 then Some (Certificate [::] [::] [::] [::]) else None
  | [:: "size", d, k & ks] :: r =>
    if [&& stage == 0%N, is_name d & all is_size (k :: ks)] then
      omap (fun c => Certificate ((d, k :: ks) :: sizes c) (functions c) (lines c) (equations c)) (body n 0 r)
    else None
  | [:: "function", f, p & ps] :: r =>
    if (stage <= 1)%N && is_name f then
      if read_properties (Properties false false false) (p :: ps) is Some q then
        if half_odd q && (0 < size ps)%N then None else
        omap (fun c => Certificate (sizes c) ((f, q) :: functions c) (lines c) (equations c)) (body n 1 r)
      else None
    else None
  | [:: "equal", a, b & _] :: r =>
    if (stage >= 2)%N then
      if (node_no a, node_no b) is (Some a, Some b) then
        if N.eqb a b then None else
        omap (fun c => Certificate (sizes c) (functions c) (lines c) ((a, b) :: equations c)) (body n 3 r)
      else None
    else None
  | (k :: ws) :: r =>
    if (stage <= 2)%N && (if node_no k is Some k then N.eqb k n else false) then
      if read_op ws is Some o then
        omap (fun c => Certificate (sizes c) (functions c) (o :: lines c) (equations c)) (body (N.succ n) 2 r)
      else None
    else None
  | _ => None
  end.
Definition parse_sym (text : string) : option certificate :=
  if read_rows text is Some rows then
    if body_of rows is Some (kind, r) then if String.eqb kind "sym" then body 0 0 r else None else None
  else None.

(* What proofcheck demands besides: sums of sizes that can be met, names that are declared once, one inverse for a
   matrix, and no declaration that nothing uses. *)
Fixpoint inverses_once (taken : seq name) (os : seq op) : bool :=
  match os with
  | Matrix x _ _ Orthogonal :: r => inverses_once (x :: taken) r
  | Matrix x _ _ (Inverse y) :: r => if y \in taken then false else inverses_once [:: x, y & taken] r
  | _ :: r => inverses_once taken r
  | [::] => true
  end.
Definition line_refs (o : op) : seq N :=
  match o with
  | Value _ _ _ ks => ks | Sum ks => [seq k.2 | k <- ks] | Product a b => [:: a; b] | Transpose a => [:: a] | _ => [::]
  end.
Definition declared_once (c : certificate) : bool :=
  [&& uniq (flatten [seq if o is Matrix x _ _ _ then [:: x] else [::] | o <- lines c]) & inverses_once [::] (lines c)].
Fixpoint all_lines_used (names : seq name) (used : seq N) (n : N) (os : seq op) : bool :=
  if os is o :: r then
    if (if o is Matrix x _ _ _ then x \in names else false) || (n \in used)
    then all_lines_used names used (N.succ n) r else false
  else true.
Definition all_used (c : certificate) : bool :=
  [&& all (fun x => has (fun o => if o is Block d _ then d == x.1 else false) (lines c)) (sizes c),
      all (fun x => has (fun o => if o is Value f _ _ _ then f == x.1 else false) (lines c)) (functions c) &
      all_lines_used (flatten [seq if o is Matrix _ _ _ (Inverse y) then [:: y] else [::] | o <- lines c])
        (flatten [seq line_refs o | o <- lines c] ++ flatten [seq [:: e.1; e.2] | e <- equations c]) 0 (lines c)].
Definition limits (c : certificate) : bool := (size (sizes c) <= 64)%N && (size (functions c) <= 1024)%N.
Definition accepts_sym (text : string) : bool :=
  if parse_sym text is Some c
  then [&& sizes_fit (sizes c), functions_fit (functions c), declared_once c, all_used c, limits c & check c]
  else false.

(* The golden theorem for a text: its equations hold over every commutative ring in which its denominators are units,
   whatever the sizes, matrices and functions are that meet its hypotheses; its lines have values there; and its
   hypotheses can be met, for any positive sizes. *)
Record proved_sym (c : certificate) : Prop := ProvedSym {
  holds : forall R : comUnitRingType,
    (forall q, q \in denominators c -> GRing.natmul (GRing.one R) q \is a GRing.unit) ->
    forall w : world R, hypotheses c w -> forall env, model c w env -> claims c env;
  has_value : forall (R : comUnitRingType) (w : world R), exists env, model c w env;
  has_world : forall (R : comUnitRingType) (f : name -> nat), GRing.natmul (GRing.one R) 2 \is a GRing.unit ->
    f unit_size = 1%N -> (forall x, (0 < f x)%N) ->
    exists w : world R, hypotheses c w /\ forall x, all (fun y => y.1 != x) (sizes c) -> sz w x = f x }.
Theorem golden_text text : accepts_sym text -> exists2 c, parse_sym text = Some c & proved_sym c.
Proof.
rewrite /accepts_sym; case: parse_sym => [c|] // /and5P [fit ff _ _ /andP [_ ch]]; exists c => //; split.
- by move=> R den w h env m; exact: golden ch R den w h env m.
- by move=> R w; apply: model_exists.
by move=> R f; apply: world_exists.
Qed.
