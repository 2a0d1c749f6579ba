/* SPDX-License-Identifier: GPL-3.0-or-later
 * judge_part.c - the verdict of one part, from its evidence and its controls: see verdict.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/claim/judge/judge.h"

/* ---- identities ------------------------------------------------------------------------------------------ */

static void explain(part_verdict *p, const char *fmt, const char *detail)
{
    snprintf(p->why, sizeof p->why, fmt, detail);
}

static void lacks(part_verdict *p, const char *fmt, const char *detail)
{
    snprintf(p->missing, sizeof p->missing, fmt, detail);
}

/* A derivation at one number of heads is none for the others, unless the part declares that it speaks of no other. */
static bool lacks_heads(const rows *all, part_verdict *p, const char *id)
{
    long h;
    char heads[24];
    const heads_shown at = judge_heads_shown(all, id, p->name, &h);
    snprintf(heads, sizeof heads, "%ld", h);
    if (at == HEADS_ONE) lacks(p, "derived for h = %s alone, no declared hypothesis", heads);
    if (at == HEADS_SKIPPED) lacks(p, "the body skips h = %s", heads);
    return at == HEADS_ONE || at == HEADS_SKIPPED;
}

/* Two answers about one part that cannot both be right. */
static bool contradiction(const part_verdict *p)
{
    bool holds = false, refuted = false;
    for (int k = 0; k < ARITHS; k++) {
        holds   |= p->by_arith[k].holds > 0;
        refuted |= p->by_arith[k].refuted > 0;
    }
    return holds && refuted;
}

static const row *undeclared_row(const rows *all, const char *id, const char *name)
{
    for (long k = 0; k < all->n; k++)
        if (judge_of_claim(&all->at[k], id, name) && all->at[k].undeclared) return &all->at[k];
    return NULL;
}

/* Balls that meet prove no equality; facts in balls (signs, ranks, differences) are proofs. */
static bool only_facts_in_balls(const part_verdict *p) { return p->by == E_ENCLOSED && p->log2 == -INFINITY; }

static const char unread[] = "nobody is on record as having read the body beside the statement";
static const char not_all[] = "its program does not show all of the sentence";

/* What is shown is the verdict only of a body that was read. */
static verdict once_read(part_verdict *p, verdict is)
{
    if (p->shown) return is;
    explain(p, "%s", unread);
    return V_UNDECIDED;
}

/* Evidence of what holds: PROVED where it covers what the part speaks about. */
static verdict weigh(const rows *all, part_verdict *p, const proofs *accepted, const char *id)
{
    const char *check;
    const voice v = judge_speaking(all, p, id);
    if (v.is == E_NONE || judge_shape_undecided(all, id, p->name)) {
        explain(p, "%s", v.is == E_NONE ? "no arithmetic decided every trial" : "no arithmetic decided some shape");
        return V_UNDECIDED;
    }
    p->by = v.is;
    judge_set_scope(all, p, id, v.over);
    const bool proof_found = !p->finite && p->by > E_MEASURED && judge_set_derived(all, accepted, p, id);
    if (p->by <= E_CHECKED) return V_MEASURED;
    if (p->by_proof[0]) lacks(p, "by proof, unchecked: %s", p->by_proof);
    else if (p->finite) {
        const bool exactly = p->by == E_EXACT || only_facts_in_balls(p);
        if (exactly && p->shown && !p->lacks[0]) return V_PROVED;
        const char *undone = p->shown ? not_all : unread;
        lacks(p, "%s", exactly ? undone : p->by == E_VERIFIED ? "decided modulo primes, not over Q"
                     : "enclosed, not decided exactly");
    } else if (!proof_found) {
        const answer *sym = &p->by_arith[A_SYM];
        lacks(p, "%s", sym->holds && !sym->undecided ? "proofcheck has accepted no certificate of the derivation"
                                                     : "no derivation for all sizes");
    } else if (p->scope.depth > 0) lacks(p, "%s", "no induction on the depth");
    else if (lacks_heads(all, p, id)) return V_SUPPORTED;
    else if ((check = judge_left_out(all, p, id)) != NULL) lacks(p, "the derivation leaves out `%s`", check);
    else if (!p->shown || p->lacks[0]) lacks(p, "%s", p->shown ? not_all : unread);
    else return V_PROVED;
    return V_SUPPORTED;
}

static verdict judge_identity(const rows *all, part_verdict *p, const proofs *accepted, const char *id)
{
    const row *bad = undeclared_row(all, id, p->name);
    if (contradiction(p)) {
        explain(p, "%s", "some rows hold and others are refuted");
        return V_INCONSISTENT;
    }
    for (int k = 0; k < ARITHS; k++)
        if (p->by_arith[k].refuted) {
            explain(p, "the construction fails over %s; that alone refutes no statement", arith_names[k]);
            return V_FAILED;
        }
    if (bad) {
        explain(p, "%s", bad->note);
        return V_HYPOTHESIS_UNDECLARED;
    }
    return weigh(all, p, accepted, id);
}

/* ---- witnesses, hypotheses, figures ----------------------------------------------------------------------- */

static bool refuted_somewhere(part_verdict *p, const char *fmt)
{
    for (int k = 0; k < ARITHS; k++)
        if (p->by_arith[k].refuted) {
            explain(p, fmt, arith_names[k]);
            return true;
        }
    return false;
}

/* What a witness rests on: Q, else a symbolic derivation (which counts before proofcheck was asked, and afterwards only
 * where it has accepted one), else balls. */
static void witness_evidence(const rows *all, part_verdict *p, const proofs *accepted, const char *id)
{
    if (judge_all_hold(all, p, id, A_Q, E_EXACT)) {
        p->by = E_EXACT;
        judge_set_scope(all, p, id, A_Q);
    } else if (judge_set_derived(all, accepted, p, id)) {
        p->by = E_DERIVED;
    } else if (!accepted && judge_all_hold(all, p, id, A_SYM, E_NONE)) {
        p->by = E_EXACT;
        judge_set_scope(all, p, id, A_SYM);
    } else if (judge_all_hold(all, p, id, A_ARB, E_ENCLOSED)) {
        p->by = E_ENCLOSED;
        judge_set_scope(all, p, id, A_ARB);
    }
}

/* The body of a counterexample, a slip or a gap shows facts: over Q, by sym, or as facts in balls, where two that meet
 * show no equality; modulo primes nothing is shown of the reals, and a step that no program checks is no witness. */
static verdict judge_witness(const rows *all, part_verdict *p, const proofs *accepted, const char *id, verdict shown)
{
    if (refuted_somewhere(p, "the facts of the witness do not hold over %s")) return V_FAILED;
    witness_evidence(all, p, accepted, id);
    if (p->by == E_NONE || (p->by == E_ENCLOSED && !only_facts_in_balls(p))) {
        explain(p, "%s", judge_all_hold(all, p, id, A_SYM, E_NONE)
                             ? "proofcheck has accepted no certificate of the witness"
                         : p->by == E_ENCLOSED ? "the witness contains an equality that was decided in balls alone"
                                               : "the witness is neither exact nor certified");
        return V_FAILED;
    }
    p->scope.witness = true;
    if (p->by_proof[0]) {
        explain(p, "a witness cannot rest on a step that no program checks: %s", p->by_proof);
        return V_FAILED;
    }
    return once_read(p, shown);
}

/* The construction must be refuted wherever it was decided. */
static verdict judge_hypothesis(part_verdict *p)
{
    long refuted = 0;
    for (int k = 0; k < ARITHS; k++) {
        refuted += p->by_arith[k].refuted;
        if (!p->by_arith[k].holds) continue;
        explain(p, "the construction holds over %s although its hypotheses fail", arith_names[k]);
        return V_INCONSISTENT;
    }
    if (refuted < 3) {
        explain(p, "%s", "the construction was decided fewer than three times");
        return V_UNDECIDED;
    }
    p->by = p->by_arith[A_Q].refuted ? E_EXACT : p->by_arith[A_ARB].refuted ? E_ENCLOSED
          : p->by_arith[A_FP].refuted ? E_VERIFIED : E_MEASURED;
    p->over = p->by_arith[A_Q].refuted ? A_Q : p->by_arith[A_ARB].refuted ? A_ARB
            : p->by_arith[A_FP].refuted ? A_FP : A_F64;
    p->scope = (evidence_scope){ .witness = true, .trials = refuted };
    return once_read(p, V_HYPOTHESIS_FAILED);
}

/* Does some trial hold at every shape, in whatever arithmetic? */
static bool shown_everywhere(const rows *all, const part_verdict *p, const char *id)
{
    bool any = false;
    for (int k = 0; k < ARITHS; k++) any |= p->by_arith[k].holds > 0;
    return any && !judge_shape_undecided(all, id, p->name);
}

typedef struct { bool again, other; } figures_drawn;

/* Do trials of one shape, the n rows at `of`, repeat a figure (`again`), or is some figure another (`other`)?  A fact
 * that was decided of what was drawn has no figure; one that stands before a trial with a figure is another.  Where two
 * trials have figures, all pairs of different trials agree only if all figures are one. */
static figures_drawn figures_at(const row *const *of, long n)
{
    const row *first = NULL, *fact = NULL;
    bool trials = false, facts = false, differ = false;
    for (long k = 0; k < n; k++) {
        const row *r = of[k];
        if (isinf(r->log2gap) && isinf(r->log2bound)) {
            facts |= fact && fact->trial != r->trial;
            if (!fact) fact = r;
            continue;
        }
        if (fact && (facts || fact->trial != r->trial)) return (figures_drawn){ .other = true };
        if (!first) first = r;
        trials |= r->trial != first->trial;
        differ |= r->log2gap != first->log2gap || r->log2bound != first->log2bound;
    }
    return (figures_drawn){ .again = trials && !differ, .other = trials && differ };
}

/* Does some trial have the same gap as another of its shape, and none another one?  Draws of two trials differ, so such
 * figures were not drawn. */
static bool same_in_every_trial(const rows *all, const part_verdict *p, const char *id)
{
    long n;
    const row **of = judge_rows_by_shape(all, id, p->name, &n);
    figures_drawn any = { false, false };
    for (long k = 0, end; k < n && !any.other; k = end) {
        for (end = k; end < n && of[end]->shape == of[k]->shape; end++) ;
        const figures_drawn here = figures_at(of + k, end - k);
        any.again |= here.again;
        any.other |= here.other;
    }
    free(of);
    return any.again && !any.other;
}

/* Figures are evidence in doubles, whatever arithmetic a row names: MEASURED.  A prediction that was missed in one
 * trial is missed; it refutes no statement. */
static verdict judge_measured(const rows *all, part_verdict *p, const char *id)
{
    if (refuted_somewhere(p, "a measured figure misses its prediction (%s); that alone refutes no statement"))
        return V_FAILED;
    if (!shown_everywhere(all, p, id)) {
        explain(p, "%s", "the intervals are too wide to decide");
        return V_UNDECIDED;
    }
    if (same_in_every_trial(all, p, id)) {
        explain(p, "%s", "the figures are the same in every trial: none was drawn");
        return V_FAILED;
    }
    judge_set_scope(all, p, id, A_F64);
    p->by = E_MEASURED;
    return once_read(p, V_MEASURED);
}

/* There is nothing to decide, but what is shown beside the words must be so. */
static verdict judge_informal(const rows *all, part_verdict *p, const char *id)
{
    if (refuted_somewhere(p, "the facts shown do not hold over %s")) return V_FAILED;
    if (!shown_everywhere(all, p, id)) {
        explain(p, "%s", "no arithmetic decided the facts shown");
        return V_UNDECIDED;
    }
    const voice v = judge_speaking(all, p, id);
    p->by = v.is;
    if (v.is != E_NONE) judge_set_scope(all, p, id, v.over);
    return once_read(p, V_INFORMAL);
}

/* ---- the part ------------------------------------------------------------------------------ */

static void gather(const rows *all, part_verdict *p, const char *id)
{
    for (long k = 0; k < all->n; k++) {
        const row *r = &all->at[k];
        if (!judge_of_part(r, id, p->name)) continue;
        p->kind = r->kind;
        cell_copy(p->basis, sizeof p->basis, r->basis);
        cell_copy(p->by_proof, sizeof p->by_proof, r->by_proof);
        p->seconds += r->seconds;
        if (!evidence_row_is_claim(r)) continue;
        p->finite = r->finite;
        if (!r->skipped) judge_note_answer(&p->by_arith[r->over], r);
        p->assumes = hypotheses_join(p->assumes, r->uses);
    }
}

part_verdict judge_part(const rows *all, const proofs *accepted, const formal_list *formal, const readings *read,
                        const char *id, const char *name)
{
    part_verdict p = { .smallest_control = INFINITY, .log2 = -INFINITY, .assumes = hypotheses_of("") };
    cell_copy(p.name, sizeof p.name, name);
    gather(all, &p, id);
    p.role = part_role_of(name, p.kind);
    const body_reading *reading = readings_find(read, id, name);
    p.shown = !read || reading;
    if (reading) cell_copy(p.lacks, sizeof p.lacks, reading->lacks);
    judge_controls(all, read, &p, id);
    switch (p.kind) {
    case PART_COUNTEREXAMPLE: p.is = judge_witness(all, &p, accepted, id, V_REFUTED); break;
    case PART_SLIP:           p.is = judge_witness(all, &p, accepted, id, V_SLIP); break;
    case PART_GAP:            p.is = judge_witness(all, &p, accepted, id, V_CAVEAT); break;
    case PART_UNCHECKABLE:    p.is = judge_witness(all, &p, accepted, id, V_UNCHECKABLE); break;
    case PART_HYPOTHESIS:     p.is = judge_hypothesis(&p); break;
    case PART_MEASURED:       p.is = judge_measured(all, &p, id); break;
    case PART_INFORMAL:       p.is = judge_informal(all, &p, id); break;
    case PART_BESIDE:         p.is = judge_witness(all, &p, accepted, id, V_INFORMAL); break;
    case PART_MEASURED_BESIDE: p.is = judge_measured(all, &p, id); break;
    default:                  p.is = judge_identity(all, &p, accepted, id);
    }
    if (p.by == E_DERIVED || p.over == A_SYM) p.over = judge_speaking(all, &p, id).over;
    judge_formal(&p, formal, id);
    if (p.refuted < p.controls && !verdict_fails(p.is)) {
        p.is = V_UNCONTROLLED;
        explain(&p, "%s", p.uncontrolled);
    }
    return p;
}
