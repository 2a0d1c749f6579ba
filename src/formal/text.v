(* text.v - the lines and words of a certificate file, with the rules of src/proofcheck/text.c: printable ASCII, one
   space between words, newlines at the end; names, labels and numbers; the lines before the data. *)
From Coq Require Import String Ascii NArith ZArith.
From mathcomp Require Import all_ssreflect.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Open Scope string_scope.

Definition newline : ascii := "010".
Definition row := seq string.                            (* the words of a line *)

Fixpoint split (at_ : ascii) (s : string) : row :=
  if s is String a s' then
    if Ascii.eqb a at_ then "" :: split at_ s'
    else if split at_ s' is x :: r then String a x :: r else [::]
  else [:: ""].
Fixpoint all_chars (test : ascii -> bool) (s : string) : bool :=
  if s is String a s' then if test a then all_chars test s' else false else true.
Fixpoint short (n : nat) (s : string) : bool :=          (* at most n characters *)
  match s, n with String _ s', n'.+1 => short n' s' | String _ _, 0 => false | EmptyString, _ => true end.
Definition between (from to : N) (a : ascii) : bool :=
  let n := N_of_ascii a in if N.leb from n then N.leb n to else false.
Definition digit := between 48 57.
Definition letter (a : ascii) : bool := if between 65 90 a then true else between 97 122 a.

(* the file's lines, or None: a byte that is not printable ASCII, an empty word, no newline at the end *)
Definition words_of (line : string) : option row :=
  let ws := split " " line in
  if all_chars (between 32 126) line then
    if all (fun w => ~~ String.eqb w "") ws then if (size ws <= 4096)%N then Some ws else None else None
  else None.
Fixpoint rows_of (lines : seq string) : option (seq row) :=
  match lines with
  | [:: ""] => Some [::]
  | [::] => None
  | l :: ls => if words_of l is Some ws then omap (cons ws) (rows_of ls) else None
  end.
Definition read_rows (text : string) : option (seq row) := rows_of (split newline text).

(* numbers in shortest form *)
Fixpoint digits (n : N) (s : string) : option N :=
  if s is String a s' then if digit a then digits (N.add (N.mul n 10) (N.sub (N_of_ascii a) 48)) s' else None
  else Some n.
Definition number (s : string) : option N :=
  match s with
  | "" | String "0" (String _ _) => None
  | _ => if short 4096 s then digits 0 s else None
  end.
Definition whole (most : N) (s : string) : option N :=
  if short 9 s then if number s is Some n then if N.leb n most then Some n else None else None else None.
Fixpoint all_some T (s : seq (option T)) : option (seq T) :=
  if s is x :: s' then if x is Some y then omap (cons y) (all_some s') else None else Some [::].
Definition fraction (s : string) : option (Z * positive) :=                        (* 0, -12 or 3/4 *)
  let (minus, t) := if s is String "-" t then (true, t) else (false, s) in
  let signed p := if minus then Z.opp (Z.of_N p) else Z.of_N p in
  match split "/" t with
  | [:: p] => if number p is Some p then Some (signed p, 1%positive) else None
  | [:: p; q] => if (number p, number q) is (Some p, Some (Npos q)) then Some (signed p, q) else None
  | _ => None
  end.

(* names, and labels of the lines before the data *)
Definition name_char (a : ascii) : bool :=
  if letter a then true else if digit a then true else if Ascii.eqb a "_" then true
  else if Ascii.eqb a "." then true else Ascii.eqb a ":".
Definition is_name (s : string) : bool :=
  if s is String a s' then if letter a then if all_chars name_char s' then short 40 s else false else false else false.
Definition is_size (s : string) : bool :=                (* a name, or a number from 1 to 999999 *)
  if s is String a _ then
    if digit a then if whole 999999 s is Some (Npos _) then true else false else is_name s
  else false.
Definition is_label (s : string) : bool :=
  let plain a := if Ascii.eqb a "," then false else if Ascii.eqb a ";" then false
                 else if Ascii.eqb a ":" then false else negb (N.eqb (N_of_ascii a) 34) in
  if short 40 s then all_chars plain s else false.

(* the kind, and the lines after the line `says` *)
Definition is_count (s : string) : bool := if whole 999999 s is Some (Npos _) then true else false.
Definition body_of (rows : seq row) : option (string * seq row) :=
  match rows with
  | [:: "provably-certificate"; "2"] :: [:: "claim"; claim] :: [:: "part"; part] :: [:: "kind"; kind] :: r =>
    if [&& is_label claim, is_label part & is_label kind] then
      match r with
      | [:: "heads"; h] :: [:: "depth"; l] :: ("says" :: _ :: _) :: r' =>
        if [&& String.eqb kind "sym", is_count h, is_label h, is_label l &
              [|| String.eqb l "none", String.eqb l "every" | is_count l]]
        then Some (kind, r') else None
      | ("says" :: _ :: _) :: r' => if String.eqb kind "sym" then None else Some (kind, r')
      | _ => None
      end
    else None
  | _ => None
  end.
