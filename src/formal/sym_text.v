(* sym_text.v - from the text of a certificate file to its data, so that nothing outside the kernel is trusted to
   read it.  Strict where it matters for the meaning; the limits on lengths are left to proofcheck.          *)
From Coq Require Import String Ascii NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import sym sym_sound sym_lines sym_worlds.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Open Scope string_scope.

Fixpoint split (at_ : ascii) (s : string) : seq string :=
  if s is String a s' then
    if Ascii.eqb a at_ then "" :: split at_ s'
    else if split at_ s' is x :: r then String a x :: r else [::]
  else [:: ""].
Fixpoint digits (n : N) (s : string) : option N :=
  if s is String a s' then
    let d := N_of_ascii a in
    if (N.leb 48 d && N.leb d 57)%bool then digits (N.add (N.mul n 10) (N.sub d 48)) s' else None
  else Some n.
Definition number (s : string) : option N := if s is "" then None else digits 0 s.
Fixpoint all_some T (s : seq (option T)) : option (seq T) :=
  if s is x :: s' then if (x, all_some s') is (Some y, Some r) then Some (y :: r) else None else Some [::].
Definition numbers (s : seq string) : option (seq N) := all_some (map number s).

Definition fraction (s : string) : option coef :=       (* 0, -12 or 3/4 *)
  let (minus, t) := if s is String "-" t then (true, t) else (false, s) in
  let signed p := if minus then GRing.opp (Posz p) else Posz p in
  match split "/" t with
  | [:: p] => if number p is Some p then Some (signed (nat_of_bin p), 1) else None
  | [:: p; q] =>
    if (number p, number q) is (Some p, Some (Npos q)) then Some (signed (nat_of_bin p), nat_of_pos q) else None
  | _ => None
  end.
Fixpoint terms (s : seq string) : option (seq (coef * N)) :=
  match s with
  | [::] => Some [::]
  | k :: a :: s' => if (fraction k, number a, terms s') is (Some k, Some a, Some r) then Some ((k, a) :: r) else None
  | _ => None
  end.
Definition read_op (ws : seq string) : option op :=
  match ws with
  | [:: "matrix"; x; r; c] => Some (Matrix x r c Any)
  | [:: "matrix"; x; r; c; "orthogonal"] => Some (Matrix x r c Orthogonal)
  | [:: "matrix"; x; r; c; "inverse"; y] => Some (Matrix x r c (Inverse y))
  | "value" :: f :: r :: c :: ks => omap (Value f r c) (numbers ks)
  | [:: "block"; d; i] => omap (Block d) (number i)
  | [:: "identity"; d] => Some (Identity d)
  | "sum" :: ks => omap Sum (terms ks)
  | [:: "product"; a; b] => if (number a, number b) is (Some a, Some b) then Some (Product a b) else None
  | [:: "transpose"; a] => omap Transpose (number a)
  | _ => None
  end.

(* the lines after the head: sizes, then nodes 0, 1, 2, .., then equations, then `end` *)
Fixpoint body (n : N) (stage : nat) (ls : seq (seq string)) : option certificate :=
  match ls with
  | [:: [:: "end"]; [:: ""]] => Some (Certificate [::] [::] [::])
  | ("size" :: d :: ks) :: r =>
    if stage is 0 then omap (fun c => Certificate ((d, ks) :: sizes c) (lines c) (equations c)) (body n 0 r) else None
  | ("equal" :: a :: b :: _) :: r =>
    if (number a, number b, body n 2 r) is (Some a, Some b, Some c)
    then Some (Certificate (sizes c) (lines c) ((a, b) :: equations c)) else None
  | (k :: ws) :: r =>
    if (stage <= 1)%N && (if number k is Some k then N.eqb k n else false) then
      if (read_op ws, body (N.succ n) 1 r) is (Some o, Some c)
      then Some (Certificate (sizes c) (o :: lines c) (equations c)) else None
    else None
  | _ => None
  end.
Definition newline : ascii := "010".
Definition parse (text : string) : option certificate :=
  match map (split " ") (split newline text) with
  | [:: "provably-certificate"; "1"] :: ("claim" :: _) :: ("part" :: _) :: [:: "kind"; "sym"]
    :: ("says" :: _) :: r => body 0 0 r
  | _ => None
  end.

(* The golden theorem for a text.  Besides `check`, as in proofcheck: the sizes can be met, and something is claimed. *)
Definition accepts (text : string) : bool :=
  if parse text is Some c then
    [&& check c, sizes_fit (sizes c), (0 < size (equations c))%N & all (fun e => ~~ N.eqb e.1 e.2) (equations c)]
  else false.
Record proved (c : certificate) : Prop := Proved {
  holds : forall R : comUnitRingType,
    (forall q, q \in denominators c -> GRing.natmul (GRing.one R) q \is a GRing.unit) ->
    forall w : world R, hypotheses c w -> forall env, model c w env -> claims c env;
  has_value : forall (R : comUnitRingType) (w : world R), exists env, model c w env;
  has_world : forall (R : comUnitRingType) (f : name -> nat), (forall x, 0 < f x)%N -> exists w : world R,
    [/\ hypotheses c w, forall x, (0 < sz w x)%N & forall x, all (fun y => y.1 != x) (sizes c) -> sz w x = f x] }.
Theorem golden_text text : accepts text -> exists2 c, parse text = Some c & proved c.
Proof.
rewrite /accepts; case: parse => [c|] // /and4P [ch fit _ _]; exists c => //; split.
- by move=> R den w h env m; exact: golden ch R den w h env m.
- by move=> R w; apply: model_exists.
by move=> R f; apply: world_exists.
Qed.
