(* k_x_sinus.v - K-X-sinus: fixed positions of the original become free positions P~ = P Theta of the reduced
 * model.  The theorem holds for every P, sinusoids among them. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* Provably: claim=K-X-sinus part=as-stated theorem=free_positions quantifiers=all sizes, heads, depths, positions P *)
Theorem free_positions (R : comUnitRingType) n h h_kv dk V (sh : shape R n (h * dk) h h_kv dk)
    (M : model R n (h * dk) h h_kv dk V) before W after :
  norm sh = None -> head M <> None -> at_ M = before ++ W :: after -> W_Q W \in unitmx ->
  let M' := gauge_model sh (fun=> W_Q W) M in
  [/\ same_function sh M' M, P M' = P M *m W_Q W &
      exists W' before' after', [/\ at_ M' = before' ++ W' :: after', size before' = size before & W_Q W' = 1%:M]].
Proof. by move=> noN untied layers u; have [] := one_layer_holds noN untied layers u. Qed.

(* Needed: theorem=free_positions hypothesis=no normalization lemma=k_x_needed.needs_no_norm_4_2 *)
(* Needed: theorem=free_positions hypothesis=head of its own lemma=k_x_needed.needs_untied_4_2 *)
(* Needed: theorem=free_positions hypothesis=layers before, W and after argued=names the layer W that gives the basis, and those before and behind it *)
(* Needed: theorem=free_positions hypothesis=W_Q in GL(d) lemma=k_x_needed.needs_invertible_4_2 *)
