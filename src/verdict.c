/* verdict.c - the rules of verdict.h over evidence rows. */
#include "src/verdict.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const arith_names[ARITHS] = {
    [A_F64] = "f64", [A_MPFR] = "mpfr", [A_ARB] = "arb", [A_FP] = "fp", [A_Q] = "q", [A_SYM] = "sym" };

int arith_index(const char *name)
{
    for (int k = 0; k < ARITHS; k++) if (strcmp(arith_names[k], name) == 0) return k;
    return -1;
}

const char *verdict_word(verdict v)
{
    static const char *const word[] = {
        [V_NONE] = "", [V_UNDECIDED] = "UNDECIDED", [V_MEASURED] = "MEASURED", [V_CHECKED] = "CHECKED",
        [V_CERTIFIED] = "CERTIFIED", [V_PROVED] = "PROVED", [V_PENDING] = "PENDING", [V_CAVEAT] = "CAVEAT",
        [V_REFUTED] = "REFUTED", [V_HYPOTHESIS_FAILED] = "HYPOTHESIS-FAILED", [V_INFORMAL] = "INFORMAL",
        [V_UNCHECKABLE] = "UNCHECKABLE", [V_UNCONTROLLED] = "UNCONTROLLED", [V_INCONSISTENT] = "INCONSISTENT",
        [V_FAILED] = "FAILED" };
    return word[v];
}

bool verdict_fails(verdict v)
{
    return v == V_UNDECIDED || v == V_UNCONTROLLED || v == V_INCONSISTENT || v == V_FAILED;
}

static bool is(const char *a, const char *b) { return strcmp(a, b) == 0; }

static bool of_part(const row *r, const char *id, const char *name) { return is(r->id, id) && is(r->part, name); }

/* ---- what each arithmetic says --------------------------------------------------------------- */

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

/* The strength of a row that holds. */
static verdict strength(const row *r)
{
    switch (arith_index(r->arith)) {
    case A_SYM: case A_Q: return V_PROVED;
    case A_FP:   return r->log2bound <= -60 ? V_PROVED : V_UNDECIDED;
    case A_ARB:  return V_CERTIFIED;
    case A_MPFR: return V_CHECKED;
    case A_F64:  return V_MEASURED;
    default:     return V_UNDECIDED;
    }
}

/* ---- identities ------------------------------------------------------------------------------- */

/* The strongest verdict over the rows of one shape; a shape that only sym or q has seen is theirs. */
static verdict of_shape(const rows *all, const row *like, char *scope, size_t size)
{
    verdict best = V_UNDECIDED;
    for (long k = 0; k < all->n; k++) {
        const row *r = &all->at[k];
        if (!of_part(r, like->id, like->part) || !is(r->which, "claim") || !is(r->shape, like->shape)) continue;
        if (r->verdict == HOLDS && strength(r) > best) {
            best = strength(r);
            row_text(scope, size, r->scope);
        }
    }
    return best;
}

static bool sym_proved(const rows *all, const char *id, const char *name)
{
    long holds = 0;
    for (long k = 0; k < all->n; k++) {
        const row *r = &all->at[k];
        if (!of_part(r, id, name) || !is(r->which, "claim") || !is(r->arith, "sym")) continue;
        if (r->verdict != HOLDS || !is(r->scope, "all sizes")) return false;
        holds++;
    }
    return holds > 0;
}

static verdict weakest_shape(const rows *all, part_verdict *p, const char *id)
{
    verdict worst = V_NONE;
    if (sym_proved(all, id, p->name)) {
        row_text(p->scope, sizeof p->scope, "all sizes");
        return V_PROVED;
    }
    for (long k = 0; k < all->n; k++) {
        const row *r = &all->at[k];
        char scope[sizeof p->scope] = "";
        if (!of_part(r, id, p->name) || !is(r->which, "claim") || is(r->arith, "sym")) continue;
        if (r->skipped) continue;
        verdict v = of_shape(all, r, scope, sizeof scope);
        if (worst == V_NONE || v < worst) {
            worst = v;
            row_text(p->scope, sizeof p->scope, scope);
        }
    }
    return worst == V_NONE ? V_UNDECIDED : worst;
}

/* ---- controls ---------------------------------------------------------------------------------- */

/* Judges the control that `like` is the first row of. */
static void judge_control(const rows *all, const row *like, part_verdict *p)
{
    long decided = 0, held = 0;
    for (long k = 0; k < all->n; k++) {
        const row *r = &all->at[k];
        if (!of_part(r, like->id, like->part) || !is(r->which, like->which)) continue;
        if (r->verdict == HOLDS) held++;
        decided += r->verdict != UNDECIDED;
        if (is(r->arith, "f64") && r->verdict == REFUTED)
            p->smallest_control = fmin(p->smallest_control, r->log2gap - r->log2bound);
    }
    p->controls++;
    if (held == 0 && decided >= 3) p->refuted++;
    else row_text(p->unrefuted, sizeof p->unrefuted, like->which);
}

static bool seen_before(const rows *all, long k)
{
    const row *r = &all->at[k];
    for (long i = 0; i < k; i++)
        if (of_part(&all->at[i], r->id, r->part) && is(all->at[i].which, r->which)) return true;
    return false;
}

/* ---- parts -------------------------------------------------------------------------------------- */

static void reason(part_verdict *p, const char *fmt, const char *detail)
{
    snprintf(p->why, sizeof p->why, fmt, detail);
}

/* Two answers about one part that cannot both be right. */
static bool contradiction(const part_verdict *p)
{
    bool holds = false, refuted = false;
    for (int k = 0; k < ARITHS; k++) {
        holds   |= p->by[k].holds > 0;
        refuted |= p->by[k].refuted > 0;
    }
    return holds && refuted;
}

static verdict judge_identity(const rows *all, part_verdict *p, const char *id)
{
    if (contradiction(p)) {
        reason(p, "%s", "some rows hold and others are refuted");
        return V_INCONSISTENT;
    }
    for (int k = 0; k < ARITHS; k++)
        if (p->by[k].refuted) {
            reason(p, "the construction fails over %s; that alone refutes no statement", arith_names[k]);
            return V_FAILED;
        }
    verdict v = weakest_shape(all, p, id);
    if (v == V_UNDECIDED) reason(p, "%s", "no arithmetic decided some shape");
    return v;
}

/* The body of a counterexample or a gap shows facts: one instance is enough, exact or in balls. */
static verdict judge_witness(const rows *all, part_verdict *p, const char *id, verdict shown)
{
    verdict best = V_UNDECIDED;
    for (int k = 0; k < ARITHS; k++)
        if (p->by[k].refuted) {
            reason(p, "the facts of the counterexample do not hold over %s", arith_names[k]);
            return V_FAILED;
        }
    for (long k = 0; k < all->n; k++) {
        const row *r = &all->at[k];
        if (!of_part(r, id, p->name) || !is(r->which, "claim") || r->verdict != HOLDS || strength(r) <= best) continue;
        best = strength(r);
        row_text(p->scope, sizeof p->scope, r->scope);
    }
    if (best == V_PROVED || best == V_CERTIFIED) return shown;
    reason(p, "%s", "the counterexample is neither exact nor certified");
    return V_FAILED;
}

/* The construction must be refuted wherever it was decided. */
static verdict judge_hypothesis(part_verdict *p)
{
    long refuted = 0;
    for (int k = 0; k < ARITHS; k++) {
        refuted += p->by[k].refuted;
        if (!p->by[k].holds) continue;
        reason(p, "the construction holds over %s although its hypotheses fail", arith_names[k]);
        return V_INCONSISTENT;
    }
    if (refuted < 3) reason(p, "%s", "the construction was decided fewer than three times");
    return refuted < 3 ? V_UNDECIDED : V_HYPOTHESIS_FAILED;
}

/* Figures are evidence in doubles, whatever arithmetic a row names: MEASURED at most.  A prediction that was
 * missed in one trial is missed; it refutes no statement. */
static verdict judge_measured(const rows *all, part_verdict *p, const char *id)
{
    for (int k = 0; k < ARITHS; k++)
        if (p->by[k].refuted) {
            reason(p, "%s", "a measured figure misses its prediction; that alone refutes no statement");
            return V_FAILED;
        }
    const verdict v = weakest_shape(all, p, id);
    if (v == V_UNDECIDED) reason(p, "%s", "the intervals are too wide to decide");
    return v > V_MEASURED ? V_MEASURED : v;
}

/* There is nothing to decide, but what is shown beside the words must be so. */
static verdict judge_informal(const rows *all, part_verdict *p, const char *id)
{
    for (int k = 0; k < ARITHS; k++)
        if (p->by[k].refuted) {
            reason(p, "the facts shown do not hold over %s", arith_names[k]);
            return V_FAILED;
        }
    const verdict v = weakest_shape(all, p, id);
    if (v == V_UNDECIDED) reason(p, "%s", "no arithmetic decided the facts shown");
    return v == V_UNDECIDED ? v : V_INFORMAL;
}

/* What keeps the statement from being checked must be so, exactly. */
static verdict judge_uncheckable(const rows *all, part_verdict *p, const char *id)
{
    return judge_witness(all, p, id, V_UNCHECKABLE);
}

part_verdict judge_part(const rows *all, const char *id, const char *name)
{
    part_verdict p = { .smallest_control = INFINITY };
    row_text(p.name, sizeof p.name, name);
    for (long k = 0; k < all->n; k++) {
        const row *r = &all->at[k];
        const int a = arith_index(r->arith);
        if (!of_part(r, id, name) || a < 0) continue;
        row_text(p.kind, sizeof p.kind, r->kind);
        row_text(p.basis, sizeof p.basis, r->basis);
        p.seconds += r->seconds;
        if (is(r->which, "claim")) note_answer(&p.by[a], r, a);
        else if (!seen_before(all, k)) judge_control(all, r, &p);
    }
    p.is = is(p.kind, "counterexample") ? judge_witness(all, &p, id, V_REFUTED)
         : is(p.kind, "gap")            ? judge_witness(all, &p, id, V_CAVEAT)
         : is(p.kind, "hypothesis")     ? judge_hypothesis(&p)
         : is(p.kind, "measured")       ? judge_measured(all, &p, id)
         : is(p.kind, "informal")       ? judge_informal(all, &p, id)
         : is(p.kind, "uncheckable")    ? judge_uncheckable(all, &p, id)
                                        : judge_identity(all, &p, id);
    if (p.refuted < p.controls && !verdict_fails(p.is)) {
        p.is = V_UNCONTROLLED;
        reason(&p, "control %s was not refuted in every decided trial, or in fewer than three", p.unrefuted);
    }
    return p;
}

/* ---- claims -------------------------------------------------------------------------------------- */

/* Parts of one group (as-stated..., corrected...) are judged together.  A witness speaks for its
 * group; otherwise the weakest counts; a verdict that fails the run always wins. */
static verdict combine(verdict a, verdict b)
{
    if (a == V_NONE) return b;
    if (b == V_NONE) return a;
    if (verdict_fails(a) || verdict_fails(b)) return verdict_fails(a) ? a : b;
    const bool a_ordered = a <= V_PROVED, b_ordered = b <= V_PROVED;
    if (a_ordered && b_ordered) return a < b ? a : b;
    if (a_ordered || b_ordered) return a_ordered ? b : a;
    return a == V_REFUTED || b == V_REFUTED ? V_REFUTED : a;
}

int scope_width(const char *scope)
{
    if (strncmp(scope, "all sizes", 9) == 0) return scope[9] ? 2 : 3;
    return is(scope, "this size") ? 1 : scope[0] ? 0 : 4;
}

/* Only the rows of one claim, so that judging is quadratic in those alone. */
static rows rows_of(const rows *all, const char *id)
{
    rows own = { .at = must_calloc((size_t)all->n + 1, sizeof *own.at) };
    for (long k = 0; k < all->n; k++) if (is(all->at[k].id, id)) own.at[own.n++] = all->at[k];
    return own;
}

claim_verdict judge_claim(const rows *every, const char *id)
{
    rows own = rows_of(every, id), *all = &own;
    claim_verdict c = { .as_stated = V_NONE, .corrected = V_NONE, .log2logit = -INFINITY };
    row_text(c.id, sizeof c.id, id);
    for (long k = 0; k < all->n; k++) {
        const row *r = &all->at[k];
        bool known = false;
        for (long p = 0; p < c.parts && !known; p++) known = is(c.part[p].name, r->part);
        if (is(r->which, "claim") && r->log2logit > c.log2logit) c.log2logit = r->log2logit;
        if (known || c.parts == MAX_PARTS) continue;
        const part_verdict p = c.part[c.parts++] = judge_part(all, id, r->part);
        verdict *group = strncmp(p.name, "corrected", 9) == 0 ? &c.corrected : &c.as_stated;
        const verdict before = *group;
        *group = combine(before, p.is);
        c.controls += p.controls;
        c.refuted  += p.refuted;
        c.seconds  += p.seconds;
        /* Of parts that weigh the same, the narrower scope speaks: an instance beside a proof for all sizes. */
        const bool narrower = p.is == *group && scope_width(p.scope) < scope_width(c.scope);
        if (before == V_NONE || *group != before || narrower) row_text(c.scope, sizeof c.scope, p.scope);
    }
    if (!c.parts) c.as_stated = V_PENDING;
    /* CAVEAT: an extra hypothesis repairs the statement; that must have been shown. */
    rows_free(&own);
    if (c.as_stated == V_CAVEAT && c.corrected != V_PROVED && c.corrected != V_CERTIFIED) c.as_stated = V_UNDECIDED;
    return c;
}
