/* judge_part.c - the verdict and the evidence of one part, from its rows and what proofcheck accepted. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/claim/verdict.h"

static const double WANTED_LOG2_ERROR = -60;                 /* VERIFIED: at most this               */

static bool is(const char *a, const char *b) { return strcmp(a, b) == 0; }
static bool of_part(const row *r, const char *id, const char *name) { return is(r->id, id) && is(r->part, name); }

static bool of_claim(const row *r, const char *id, const char *name)
{
    return of_part(r, id, name) && is(r->which, "claim");
}

/* ---- what each arithmetic says ----------------------------------------------------------------------- */

static void note_answer(answer *a, const row *r, int k)
{
    const bool first = a->holds + a->refuted + a->undecided == 0;
    if (first) *a = (answer){ .worst = -INFINITY, .margin = -INFINITY };
    a->holds     += r->verdict == HOLDS;
    a->refuted   += r->verdict == REFUTED;
    a->undecided += r->verdict == UNDECIDED;
    if (r->verdict == UNDECIDED) return;
    if (k == A_MPFR) {
        if (isnan(r->slope)) a->exact = true;
        else if (isinf(a->worst) || fabs(r->slope + 1) > fabs(a->worst + 1)) a->worst = r->slope;
        return;
    }
    a->worst = fmax(a->worst, k == A_FP ? r->log2bound : r->log2gap);
    if (k == A_F64 && r->log2gap > -INFINITY) a->margin = fmax(a->margin, r->log2gap - r->log2bound);
}

/* What a row that holds is worth by itself; a symbolic run is worth what proofcheck says of it. */
static evidence_kind worth(const row *r)
{
    switch (arith_index(r->arith)) {
    case A_FP:   return r->log2bound <= WANTED_LOG2_ERROR ? E_VERIFIED : E_NONE;
    case A_Q:    return E_EXACT;
    case A_ARB:  return E_ENCLOSED;
    case A_MPFR: return E_CHECKED;
    case A_F64:  return E_MEASURED;
    default:     return E_NONE;
    }
}

/* Does every trial of this arithmetic hold, and at least one?  Trials that do not apply there do not count. */
static bool all_hold(const rows *all, const part_verdict *p, const char *id, int over, evidence_kind at_least)
{
    long holds = 0;
    for (long k = 0; k < all->n; k++) {
        const row *r = &all->at[k];
        if (!of_claim(r, id, p->name) || !is(r->arith, arith_names[over]) || r->skipped) continue;
        if (r->verdict != HOLDS || (over != A_SYM && worth(r) < at_least)) return false;
        holds++;
    }
    return holds > 0;
}

/* Over a prime field, too, some facts need no probability (a minor that is not 0): those are exact. */
static bool all_certain(const rows *all, const part_verdict *p, const char *id)
{
    for (long k = 0; k < all->n; k++) {
        const row *r = &all->at[k];
        if (of_claim(r, id, p->name) && is(r->arith, "fp") && r->verdict == HOLDS && !is(r->param, PARAM_CERTAIN))
            return false;
    }
    return true;
}

/* The strongest arithmetic whose trials all hold, and what they are worth; E_NONE: none. */
typedef struct { int over; evidence_kind is; } voice;
static voice speaking(const rows *all, const part_verdict *p, const char *id)
{
    static const voice order[] = { { A_FP, E_VERIFIED }, { A_Q, E_EXACT }, { A_ARB, E_ENCLOSED }, { A_MPFR, E_CHECKED },
                                   { A_F64, E_MEASURED } };
    if (p->finite && all_hold(all, p, id, A_Q, E_EXACT)) return (voice){ A_Q, E_EXACT };
    for (size_t k = 0; k < COUNT(order); k++)
        if (all_hold(all, p, id, order[k].over, order[k].is))
            return k == 0 && all_certain(all, p, id) ? (voice){ A_FP, E_EXACT } : order[k];
    return (voice){ A_F64, E_NONE };
}

/* Is there a shape that nobody decided?  A trial that holds for its shape decides it, and so does a derivation. */
static bool some_shape_undecided(const rows *all, const char *id, const char *name)
{
    for (long k = 0; k < all->n; k++) {
        const row *r = &all->at[k];
        if (!of_claim(r, id, name) || is(r->arith, "sym") || r->skipped || r->verdict == HOLDS) continue;
        bool decided = false;
        for (long i = 0; i < all->n && !decided; i++) {
            const row *other = &all->at[i];
            decided = of_claim(other, id, name) && is(other->shape, r->shape) && other->verdict == HOLDS
                   && (is(other->arith, "sym") || worth(other) > E_NONE);
        }
        if (!decided) return true;
    }
    return false;
}

/* ---- scopes -------------------------------------------------------------------------------------------- */

/* The number behind NAME= in a shape as text; 0: it is not there. */
static long shape_number(const char *shape, const char *name)
{
    const size_t n = strlen(name);
    for (const char *at = shape; at && *at; at = strchr(at, ' '), at = at ? at + 1 : at)
        if (strncmp(at, name, n) == 0 && at[n] == '=') return strtol(at + n + 1, NULL, 10);
    return 0;
}

static void add_depth(evidence_scope *s, long depth)               /* one shape that was run at its L narrows all */
{
    if (depth > 0) s->depth = depth > s->depth ? depth : s->depth;
    else if (s->depth <= 0 && depth < 0) s->depth = depth;
}

static void scope_of_rows(const rows *all, part_verdict *p, const char *id, int over)
{
    p->scope = (evidence_scope){ .sizes = false };
    for (long k = 0; k < all->n; k++) {
        const row *r = &all->at[k];
        if (!of_claim(r, id, p->name) || !is(r->arith, arith_names[over]) || r->verdict != HOLDS) continue;
        const long h = shape_number(r->shape, "h");
        p->scope.trials++;
        if (h >= 1 && h <= 64) p->scope.heads |= 1UL << (h - 1);
        if (r->depth == DEPTH_RUN) add_depth(&p->scope, shape_number(r->shape, "L"));
        if (r->depth == DEPTH_EVERY) add_depth(&p->scope, -1);
        if (over == A_FP)  p->log2 = fmax(p->log2, r->log2bound);
        if (over == A_ARB) p->log2 = fmax(p->log2, r->log2gap);
    }
}

/* Adds the hypotheses of `more` that `all` lacks: sorted, each once, apart by "; ". */
static void add_hypotheses(char *all, size_t size, const char *more)
{
    char *copy = must_strdup(more), *save = NULL;
    for (char *one = strtok_r(copy, ";", &save); one; one = strtok_r(NULL, ";", &save)) {
        one += strspn(one, " ");
        char *known = must_format("; %s;", all), *wanted = must_format("; %s;", one);
        const size_t used = strlen(all);
        if (*one && !strstr(known, wanted)) snprintf(all + used, size - used, "%s%s", used ? "; " : "", one);
        free(known);
        free(wanted);
    }
    free(copy);
}

static const proof *accepted_for(const proofs *accepted, const char *id, const char *part, long h)
{
    for (long k = 0; accepted && k < accepted->n; k++) {
        const proof *q = &accepted->at[k];
        if (is(q->id, id) && is(q->part, part) && is(q->kind, "sym") && q->heads == h) return q;
    }
    return NULL;
}

/* Each symbolic trial holds, and proofcheck has accepted a derivation: at the numbers of heads that the scope names. */
static bool derived(const rows *all, const proofs *accepted, part_verdict *p, const char *id)
{
    evidence_scope s = { .sizes = true };
    char assumes[sizeof p->assumes] = "";
    if (!all_hold(all, p, id, A_SYM, E_NONE)) return false;
    for (long k = 0; k < all->n; k++) {
        const row *r = &all->at[k];
        if (!of_claim(r, id, p->name) || !is(r->arith, "sym") || r->skipped) continue;
        const long h = shape_number(r->shape, "h");
        const proof *q = h >= 1 && h <= 64 ? accepted_for(accepted, id, p->name, h) : NULL;
        if (!q) continue;
        s.trials++;
        s.heads |= 1UL << (h - 1);
        add_depth(&s, q->depth);
        add_hypotheses(assumes, sizeof assumes, q->assumes);
    }
    if (!s.trials) return false;
    memcpy(p->assumes, assumes, sizeof assumes);
    p->scope = s;
    p->by = E_DERIVED;
    p->log2 = -INFINITY;
    return true;
}

/* ---- identities ------------------------------------------------------------------------------------------ */

static void reason(part_verdict *p, const char *fmt, const char *detail)
{
    snprintf(p->why, sizeof p->why, fmt, detail);
}

static void lacks(part_verdict *p, const char *fmt, const char *detail)
{
    snprintf(p->missing, sizeof p->missing, fmt, detail);
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
        if (of_claim(&all->at[k], id, name) && all->at[k].undeclared) return &all->at[k];
    return NULL;
}

/* Balls that meet prove no equality; facts in balls (signs, ranks, differences) are proofs. */
static bool only_facts_in_balls(const part_verdict *p) { return p->by == E_ENCLOSED && p->log2 == -INFINITY; }

/* Evidence of what holds: PROVED where it covers what the part speaks about. */
static verdict weigh(const rows *all, part_verdict *p, const proofs *accepted, const char *id)
{
    const voice v = speaking(all, p, id);
    if (v.is == E_NONE || some_shape_undecided(all, id, p->name)) {
        reason(p, "%s", v.is == E_NONE ? "no arithmetic decided every trial" : "no arithmetic decided some shape");
        return V_UNDECIDED;
    }
    p->by = v.is;
    scope_of_rows(all, p, id, v.over);
    const bool proof_found = !p->finite && p->by > E_MEASURED && derived(all, accepted, p, id);
    if (p->by <= E_CHECKED) return V_MEASURED;
    if (p->by_proof[0]) lacks(p, "by proof, unchecked: %s", p->by_proof);
    else if (p->finite) {
        if (p->by == E_EXACT || only_facts_in_balls(p)) return V_PROVED;
        lacks(p, "%s", p->by == E_VERIFIED ? "decided modulo primes, not over Q" : "enclosed, not decided exactly");
    } else if (!proof_found) {
        const answer *sym = &p->by_arith[A_SYM];
        lacks(p, "%s", sym->holds && !sym->undecided ? "proofcheck has accepted no certificate of the derivation"
                                                     : "no derivation for all sizes");
    } else if (p->scope.depth > 0) lacks(p, "%s", "no induction on the depth");
    else return V_PROVED;
    return V_SUPPORTED;
}

static verdict judge_identity(const rows *all, part_verdict *p, const proofs *accepted, const char *id)
{
    const row *bad = undeclared_row(all, id, p->name);
    if (contradiction(p)) {
        reason(p, "%s", "some rows hold and others are refuted");
        return V_INCONSISTENT;
    }
    for (int k = 0; k < ARITHS; k++)
        if (p->by_arith[k].refuted) {
            reason(p, "the construction fails over %s; that alone refutes no statement", arith_names[k]);
            return V_FAILED;
        }
    if (bad) {
        reason(p, "%s", bad->note);
        return V_HYPOTHESIS_UNDECLARED;
    }
    return weigh(all, p, accepted, id);
}

/* ---- witnesses, hypotheses, figures ----------------------------------------------------------------------- */

static bool refuted_somewhere(part_verdict *p, const char *fmt)
{
    for (int k = 0; k < ARITHS; k++)
        if (p->by_arith[k].refuted) {
            reason(p, fmt, arith_names[k]);
            return true;
        }
    return false;
}

/* What a witness rests on: Q, else a symbolic derivation (which counts before proofcheck was asked, and afterwards only
 * where it has accepted one), else balls. */
static void witness_evidence(const rows *all, part_verdict *p, const proofs *accepted, const char *id)
{
    if (all_hold(all, p, id, A_Q, E_EXACT)) {
        p->by = E_EXACT;
        scope_of_rows(all, p, id, A_Q);
    } else if (derived(all, accepted, p, id)) {
        p->by = E_DERIVED;
    } else if (!accepted && all_hold(all, p, id, A_SYM, E_NONE)) {
        p->by = E_EXACT;
        scope_of_rows(all, p, id, A_SYM);
    } else if (all_hold(all, p, id, A_ARB, E_ENCLOSED)) {
        p->by = E_ENCLOSED;
        scope_of_rows(all, p, id, A_ARB);
    }
}

/* The body of a counterexample, a slip or a gap shows facts: over Q, by sym, or as facts in balls, where two that meet
 * show no equality; modulo primes nothing is shown of the reals, and a step that no program checks is no witness. */
static verdict judge_witness(const rows *all, part_verdict *p, const proofs *accepted, const char *id, verdict shown)
{
    if (refuted_somewhere(p, "the facts of the witness do not hold over %s")) return V_FAILED;
    witness_evidence(all, p, accepted, id);
    if (p->by == E_NONE || (p->by == E_ENCLOSED && !only_facts_in_balls(p))) {
        reason(p, "%s", all_hold(all, p, id, A_SYM, E_NONE) ? "proofcheck has accepted no certificate of the witness"
                        : p->by == E_ENCLOSED ? "the witness contains an equality that was decided in balls alone"
                                              : "the witness is neither exact nor certified");
        return V_FAILED;
    }
    p->scope.witness = true;
    if (p->by_proof[0]) {
        reason(p, "a witness cannot rest on a step that no program checks: %s", p->by_proof);
        return V_FAILED;
    }
    return shown;
}

/* The construction must be refuted wherever it was decided. */
static verdict judge_hypothesis(part_verdict *p)
{
    long refuted = 0;
    for (int k = 0; k < ARITHS; k++) {
        refuted += p->by_arith[k].refuted;
        if (!p->by_arith[k].holds) continue;
        reason(p, "the construction holds over %s although its hypotheses fail", arith_names[k]);
        return V_INCONSISTENT;
    }
    if (refuted < 3) {
        reason(p, "%s", "the construction was decided fewer than three times");
        return V_UNDECIDED;
    }
    p->by = p->by_arith[A_Q].refuted ? E_EXACT : p->by_arith[A_ARB].refuted ? E_ENCLOSED
          : p->by_arith[A_FP].refuted ? E_VERIFIED : E_MEASURED;
    p->scope = (evidence_scope){ .witness = true, .trials = refuted };
    return V_HYPOTHESIS_FAILED;
}

/* Does some trial hold at every shape, in whatever arithmetic? */
static bool shown_everywhere(const rows *all, const part_verdict *p, const char *id)
{
    bool any = false;
    for (int k = 0; k < ARITHS; k++) any |= p->by_arith[k].holds > 0;
    return any && !some_shape_undecided(all, id, p->name);
}

/* Figures are evidence in doubles, whatever arithmetic a row names: MEASURED.  A prediction that was missed in one
 * trial is missed; it refutes no statement. */
static verdict judge_measured(const rows *all, part_verdict *p, const char *id)
{
    if (refuted_somewhere(p, "a measured figure misses its prediction (%s); that alone refutes no statement"))
        return V_FAILED;
    if (!shown_everywhere(all, p, id)) {
        reason(p, "%s", "the intervals are too wide to decide");
        return V_UNDECIDED;
    }
    scope_of_rows(all, p, id, A_F64);
    p->by = E_MEASURED;
    return V_MEASURED;
}

/* There is nothing to decide, but what is shown beside the words must be so. */
static verdict judge_informal(const rows *all, part_verdict *p, const char *id)
{
    if (refuted_somewhere(p, "the facts shown do not hold over %s")) return V_FAILED;
    if (!shown_everywhere(all, p, id)) {
        reason(p, "%s", "no arithmetic decided the facts shown");
        return V_UNDECIDED;
    }
    const voice v = speaking(all, p, id);
    p->by = v.is;
    if (v.is != E_NONE) scope_of_rows(all, p, id, v.over);
    return V_INFORMAL;
}

/* ---- controls ---------------------------------------------------------------------------------------------- */

/* Does the part itself hold over the reals: over q, or in balls? */
static bool holds_over_reals(const rows *all, const row *like)
{
    for (long k = 0; k < all->n; k++) {
        const row *r = &all->at[k];
        if (of_claim(r, like->id, like->part) && r->verdict == HOLDS && (is(r->arith, "q") || is(r->arith, "arb")))
            return true;
    }
    return false;
}

/* The positive twin of a trial that a control refuted.  NULL: none; *held: the part itself holds there all the same. */
static const row *twin_of(const rows *all, const row *broken, bool *held)
{
    *held = false;
    for (long k = 0; k < all->n; k++) {
        const row *r = &all->at[k];
        if (!of_claim(r, broken->id, broken->part) || !is(r->arith, broken->arith) || !is(r->shape, broken->shape)
            || r->verdict != HOLDS) continue;
        *held = true;
        if (evidence_row_shows(r, broken->what)) return r;
    }
    return NULL;
}

/* What the trials of one control say. */
typedef struct { long refuted, held; bool over_reals; const row *elsewhere; } control_trials;

static void note_refuted(const rows *all, const row *r, control_trials *c, part_verdict *p)
{
    bool held = false;
    const row *twin = is(r->kind, "hypothesis") ? r : twin_of(all, r, &held);     /* that part itself is refuted */
    if (!twin) {
        if (held) c->elsewhere = r;
        return;
    }
    c->refuted++;
    c->over_reals |= is(r->arith, "q") || is(r->arith, "arb");
    if (twin->depth == DEPTH_NONE) return;
    p->broken++;
    p->local += !r->whole;
}

static void uncontrolled(part_verdict *p, const row *like, char *why)          /* frees `why` */
{
    evidence_row_text(p->unrefuted, sizeof p->unrefuted, like->which);
    snprintf(p->uncontrolled, sizeof p->uncontrolled, "%s", why);
    free(why);
}

/* Judges the control that `like` is the first row of. */
static void judge_control(const rows *all, const row *like, part_verdict *p)
{
    control_trials c = { .refuted = 0 };
    for (long k = 0; k < all->n; k++) {
        const row *r = &all->at[k];
        if (!of_part(r, like->id, like->part) || !is(r->which, like->which)) continue;
        c.held += r->verdict == HOLDS;
        if (r->verdict != REFUTED) continue;
        note_refuted(all, r, &c, p);
        if (is(r->arith, "f64")) p->smallest_control = fmin(p->smallest_control, r->log2gap - r->log2bound);
    }
    p->controls++;
    if (c.elsewhere)
        uncontrolled(p, like, must_format("control %s over %s breaks `%s`, which is none of the claim's checks",
                                          like->which, c.elsewhere->arith, c.elsewhere->what));
    else if (c.held || c.refuted < 3)
        uncontrolled(p, like, must_format("control %s was not refuted in every decided trial, or in fewer than three",
                                          like->which));
    else if (!c.over_reals && !is(like->kind, "hypothesis") && holds_over_reals(all, like))
        uncontrolled(p, like, must_format("control %s was refuted over prime fields or doubles alone; break it over q "
                                          "or in balls", like->which));
    else p->refuted++;
}

static bool seen_before(const rows *all, long k)
{
    const row *r = &all->at[k];
    for (long i = 0; i < k; i++)
        if (of_part(&all->at[i], r->id, r->part) && is(all->at[i].which, r->which)) return true;
    return false;
}

/* ---- the part ------------------------------------------------------------------------------------------------ */

static void gather(const rows *all, part_verdict *p, const char *id)
{
    for (long k = 0; k < all->n; k++) {
        const row *r = &all->at[k];
        const int a = arith_index(r->arith);
        if (!of_part(r, id, p->name) || a < 0) continue;
        evidence_row_text(p->kind, sizeof p->kind, r->kind);
        evidence_row_text(p->basis, sizeof p->basis, r->basis);
        evidence_row_text(p->by_proof, sizeof p->by_proof, r->by_proof);
        p->seconds += r->seconds;
        if (!is(r->which, "claim")) {
            if (!seen_before(all, k)) judge_control(all, r, p);
            continue;
        }
        p->finite = r->finite;
        if (!r->skipped) note_answer(&p->by_arith[a], r, a);
        if (r->uses[0]) add_hypotheses(p->assumes, sizeof p->assumes, r->uses);
    }
}

part_verdict judge_part(const rows *all, const proofs *accepted, const char *id, const char *name)
{
    part_verdict p = { .smallest_control = INFINITY, .log2 = -INFINITY };
    evidence_row_text(p.name, sizeof p.name, name);
    gather(all, &p, id);
    p.is = is(p.kind, "counterexample") ? judge_witness(all, &p, accepted, id, V_REFUTED)
         : is(p.kind, "slip")           ? judge_witness(all, &p, accepted, id, V_SLIP)
         : is(p.kind, "gap")            ? judge_witness(all, &p, accepted, id, V_CAVEAT)
         : is(p.kind, "uncheckable")    ? judge_witness(all, &p, accepted, id, V_UNCHECKABLE)
         : is(p.kind, "hypothesis")     ? judge_hypothesis(&p)
         : is(p.kind, "measured")       ? judge_measured(all, &p, id)
         : is(p.kind, "informal")       ? judge_informal(all, &p, id)
                                        : judge_identity(all, &p, accepted, id);
    if (p.refuted < p.controls && !verdict_fails(p.is)) {
        p.is = V_UNCONTROLLED;
        reason(&p, "%s", p.uncontrolled);
    }
    return p;
}
