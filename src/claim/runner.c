/* runner.c - how each arithmetic decides one trial: see runner.h and DESIGN.md 3. */
#include "src/claim/runner.h"
#include <cblas.h>
#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "numerics/flint_compat.h"
#include "numerics/libraries.h"
#include "numerics/random.h"

enum { RUNGS = 5, ARB_MAX_BITS = 4096, F64_MAX_BITS = 512, MIN_BITS = 24, MAX_BITS = 65536, MAX_PRIMES = 8 };
static const double WANTED_LOG2_ERROR = -60, SLOPE_TOLERANCE = 0.02;

const char *arith_spec_parse(arith_spec *out, const char *text)
{
    const char *colon = strchr(text, ':');
    char name[8], *end = NULL;
    const int n = (int)(colon ? colon - text : (long)strnlen(text, sizeof name));
    if (n >= (int)sizeof name || snprintf(name, sizeof name, "%.*s", n, text) != n) name[0] = '\0';
    *out = (arith_spec){ .kind = arith_index(name) };
    if (out->kind < 0) return "no such arithmetic: choose among f64 mpfr[:bits] arb[:bits] fp[:prime] q sym";
    if (!colon) return NULL;
    const unsigned long long value = strtoull(colon + 1, &end, 10);
    if (end == colon + 1 || *end) return "after the colon comes one whole number";
    switch (out->kind) {
    case A_MPFR: case A_ARB:
        if (value < MIN_BITS || value > MAX_BITS) return "precision must be between 24 and 65536 bits";
        out->bits = (long)value;
        return NULL;
    case A_FP:
        if (value < 3 || value >> 62 || !n_is_prime((ulong)value)) return "fp needs an odd prime below 2^62";
        out->prime = value;
        return NULL;
    default:
        return "only mpfr, arb and fp take a number after a colon";
    }
}

const char *runner_case_name(const job *j) { return j->minimal ? "minimal" : j->control ? j->control->name : "claim"; }

/* Pairwise different, also from a d_k for 1 <= a <= 8, so that a wrong shape shows; in different orders, the last
 * ones large; larger than the numbers that bodies use for themselves.  An even d_k is one more. */
static const struct { long n, dk, more, m, V; } sizes[SIZE_VECTORS] = {
    { 11, 7, 5, 17, 23 }, { 20, 25, 5, 47, 60 }, { 19, 11, 4, 56, 23 }, { 45, 27, 9, 21, 18 }, { 39, 9, 5, 7, 38 },
    { 255, 49, 3, 149, 214 },
};

void runner_sym_sizes(shape *sh, int which)
{
    const long between = sh->d - sh->h * sh->dk;          /* its sign stays */
    sh->n = sizes[which].n;
    sh->dk = sizes[which].dk + (sh->rope ? 1 : 0);
    sh->d = sh->h * sh->dk + (between > 0 ? sizes[which].more : between < 0 ? -sizes[which].more : 0);
    sh->m = sizes[which].m;
    sh->V = sizes[which].V;
    sh->scale_num = 1;
    sh->scale_den = sh->dk;
}

bool runner_adapt_shape(int kind, shape *sh)
{
    if (kind == A_SYM) {
        runner_sym_sizes(sh, 0);
        const long L = sh->shared ? 2 * sh->shared : 2;
        if (sh->L > L) sh->L = L;
    }
    if (kind == A_Q) {                         /* exact functions only; sizes keep the bits in bounds */
        if (sh->d > 6) return false;
        sh->act = sh->act == ACT_IDENTITY ? ACT_IDENTITY : ACT_RELU;
        sh->attention = ROWMAP_LINEAR;
        sh->scale_num = sh->scale_den = 1;
        if (sh->n > 3) sh->n = 3;
        if (sh->V > 5) sh->V = 5;
        const long L = sh->shared ? 2 * sh->shared : 2;
        if (sh->L > L) sh->L = L;
    }
    return true;
}

/* ---- one run of the body over one arith --------------------------------------------------- */

static void trial_free(trial *t)
{
    free(t->checks);
    free(t->readings);
    t->readings = NULL;
    t->checks = NULL;
}

/* row.truths of a trial: equal ones are counted first, so that few are written. */
static void note_truths(row *r, const trial *t)
{
    r->truths = NULL;
    for (long k = 0; k < t->nchecks; k++) {
        const check *c = &t->checks[k];
        long times = 0, first = -1;
        for (long i = 0; i < t->nchecks; i++) {
            const check *o = &t->checks[i];
            if (o->is.is != c->is.is || (o->what != c->what && strcmp(o->what, c->what) != 0)) continue;
            if (first < 0) first = i;
            if (first < k) break;
            times++;
        }
        if (first == k) evidence_row_add_truth(r, c->is.is, c->what, times);
    }
}

static trial run_body(const job *j, const arith *R, const shape *sh)
{
    const bool measuring = j->part->kind == PART_MEASURED && j->over.kind == A_F64;
    trial t = { .s = scope_open(R, j->seed, (uint64_t)j->trial), .sh = *sh, .id = j->claim->id,
                .part = j->part->name, .induction = j->part->induction, .seed = j->seed, .number = j->trial,
                .minimal = j->minimal, .log2logit = NAN, .measuring = measuring };
    t.s.gain = j->gain;
    t.s.shape_of_draws = j->corner;
    (j->control ? j->control->run : j->part->run)(&t);
    if (j->part->about == ABOUT_FINITE && t.s.draws)
        scope_undecided(&t.s, "speaks of finitely many cases and draws matrices");
    if (t.minimal && !t.minimal_done) scope_undecided(&t.s, "no reduced matrix with a nonzero entry was named");
    scope_close(&t.s);
    return t;
}

/* The answer of a trial from its checks: refuted beats undecided beats holds. */
static void conclude(row *r, const trial *t)
{
    static const int weight[] = { [HOLDS] = 0, [UNDECIDED] = 1, [REFUTED] = 2 };
    r->whole = false;
    r->checks = t->nchecks;
    note_truths(r, t);
    r->kappa = t->s.kappa;
    r->log2logit = t->log2logit;
    r->depth = !t->stacks ? DEPTH_NONE : t->inductions < t->stacks ? DEPTH_RUN : DEPTH_EVERY;
    r->verdict = HOLDS;
    r->log2gap = -INFINITY;
    for (long k = 0; k < t->nchecks; k++) {
        const check *c = &t->checks[k];
        r->whole |= c->whole && c->is.is == REFUTED;
        if (c->is.is == HOLDS && !c->want_equal) continue;      /* the gap of a difference is no error */
        const double excess = c->is.log2gap - fmax(c->is.log2bound, -1e6);
        if (!r->what[0] || weight[c->is.is] > weight[r->verdict]
            || (c->is.is == r->verdict && excess > r->log2gap - fmax(r->log2bound, -1e6))) {
            r->verdict = c->is.is;
            r->log2gap = c->is.log2gap;
            r->log2bound = c->is.log2bound;
            evidence_row_text(r->what, sizeof r->what, c->what);
        }
    }
    r->skipped = t->s.not_here;
    if (t->s.status != HOLDS || !t->nchecks) {
        r->verdict = UNDECIDED;
        evidence_row_text(r->note, sizeof r->note, t->s.status != HOLDS ? t->s.why : "nothing was compared");
    }
}

/* ---- the arithmetics ----------------------------------------------------------------------- */

static void set_param(row *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void set_param(row *r, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(r->param, sizeof r->param, fmt, ap);
    va_end(ap);
}

/* Figures of a measurement have intervals of their own, so their matrices carry no bounds. */
static void measure(const job *j, const shape *sh, row *r, FILE *figures)
{
    arith R = arith_f64();
    trial t = run_body(j, &R, sh);
    conclude(r, &t);
    for (long k = 0; figures && k < t.nreadings; k++) {
        const reading *is = &t.readings[k];
        REQUIRE(strlen(is->what) < sizeof ((measured *)0)->name, "figure name %s is too long", is->what);
        measured m = { .seed = j->seed, .trial = j->trial, .x = is->x, .value = is->is.value, .low = is->is.low,
                       .high = is->is.high, .predicted = is->predicted };
        memcpy(m.id, r->id, sizeof m.id);
        memcpy(m.part, r->part, sizeof m.part);
        memcpy(m.which, r->which, sizeof m.which);
        memcpy(m.shape, r->shape, sizeof m.shape);
        evidence_row_text(m.name, sizeof m.name, is->what);
        evidence_figure_write(figures, &m);
    }
    trial_free(&t);
}

/* The running error analysis; where its bound is too wide the same doubles with their errors enclosed by balls. */
static void run_f64(const job *j, const shape *sh, row *r)
{
    const row blank = *r;
    for (long bits = 0; bits <= F64_MAX_BITS; bits = bits ? 2 * bits : 256) {
        arith R = bits ? arith_f64_enclosed(bits) : arith_f64_bounded();
        trial t = run_body(j, &R, sh);
        *r = blank;
        conclude(r, &t);
        trial_free(&t);
        arith_close(&R);
        if (bits) set_param(r, "53 bits in arb:%ld", bits);
        else      set_param(r, "53 bits");
        if (r->verdict != UNDECIDED || r->skipped) break;
    }
}

static long ladder_bits(const job *j, int k) { return (j->over.bits ? j->over.bits : 64) << k; }

/* One check along the ladder: equal (slope -1, or exact), different (slope 0), or neither. */
static truth classify(const double gap[RUNGS], const job *j, double *slope)
{
    double x[RUNGS], y[RUNGS], c0, c1, cov00, cov01, cov11, sumsq;
    bool exact = true;
    *slope = NAN;
    for (int k = 0; k < RUNGS; k++) {
        exact &= gap[k] == -INFINITY;
        x[k] = (double)ladder_bits(j, k);
        y[k] = fmax(gap[k], -x[k]);                  /* equal at p bits: a gap of at most 2^-p */
    }
    if (exact) return HOLDS;
    gsl_fit_linear(x, 1, y, 1, RUNGS, &c0, &c1, &cov00, &cov01, &cov11, &sumsq);
    *slope = c1;
    return fabs(c1 + 1) <= SLOPE_TOLERANCE ? HOLDS : fabs(c1) <= SLOPE_TOLERANCE ? REFUTED : UNDECIDED;
}

static void run_mpfr(const job *j, const shape *sh, row *r, FILE *rungs)
{
    trial at[RUNGS];
    for (int k = 0; k < RUNGS; k++) {
        arith R = arith_mpfr(ladder_bits(j, k));
        at[k] = run_body(j, &R, sh);
        if (at[k].nchecks != at[0].nchecks) scope_undecided(&at[0].s, "not the same checks at every precision");
        if (at[k].s.status != HOLDS) scope_undecided(&at[0].s, at[k].s.why);
    }
    const long comparable = at[0].s.status == HOLDS ? at[0].nchecks : 0;
    double widest[RUNGS], *slopes = must_calloc((size_t)at[0].nchecks + 1, sizeof *slopes);
    for (int k = 0; k < RUNGS; k++) widest[k] = -INFINITY;
    r->slope = NAN;
    for (long c = 0; c < comparable; c++) {
        double gap[RUNGS];
        truth is = HOLDS;
        for (int k = 0; k < RUNGS; k++) {
            gap[k] = at[k].checks[c].is.log2gap;
            if (at[k].checks[c].is.is == UNDECIDED) is = UNDECIDED;          /* NaN or infinity */
            if (at[k].checks[c].want_equal) widest[k] = fmax(widest[k], gap[k]);
        }
        if (is == HOLDS) is = classify(gap, j, &slopes[c]);
        const bool equal = at[0].checks[c].want_equal;
        if (!equal && is != UNDECIDED) is = is == HOLDS ? REFUTED : HOLDS;
        at[RUNGS - 1].checks[c].is.is = is;
        const double target = equal && is != REFUTED ? -1 : 0;
        if (isnan(slopes[c]) || (!equal && is != REFUTED)) continue;
        if (!(fabs(slopes[c] - target) <= fabs(r->slope - target))) r->slope = slopes[c];
    }
    at[RUNGS - 1].s.status = at[0].s.status;
    at[RUNGS - 1].s.why = at[0].s.why;
    conclude(r, &at[RUNGS - 1]);
    r->log2bound = -INFINITY;
    for (int k = 0; rungs && comparable && k < RUNGS; k++) {
        rung line = { .seed = j->seed, .trial = j->trial, .bits = ladder_bits(j, k), .log2gap = widest[k] };
        memcpy(line.id, r->id, sizeof line.id);
        memcpy(line.part, r->part, sizeof line.part);
        memcpy(line.which, r->which, sizeof line.which);
        memcpy(line.shape, r->shape, sizeof line.shape);
        evidence_rung_write(rungs, &line);
    }
    set_param(r, "%ld-%ld", ladder_bits(j, 0), ladder_bits(j, RUNGS - 1));
    free(slopes);
    for (int k = 0; k < RUNGS; k++) trial_free(&at[k]);
}

static void run_arb(const job *j, const shape *sh, row *r)
{
    long bits = j->over.bits ? j->over.bits : 256;
    for (;; bits *= 2) {
        arith R = arith_arb(bits);
        trial t = run_body(j, &R, sh);
        conclude(r, &t);
        trial_free(&t);
        if (r->verdict != UNDECIDED || 2 * bits > ARB_MAX_BITS || r->skipped) break;
        r->note[0] = '\0';
    }
    if (r->verdict == UNDECIDED && !r->note[0]) evidence_row_text(r->note, sizeof r->note, "balls still too wide");
    set_param(r, "%ld bits", bits);
}

/* ---- prime fields: the bound is explained in numerics/record/arith_deg.c ------------------------------ */

uint64_t runner_field_prime(uint64_t seed, long number, long k)
{
    uint64_t key[2], found[MAX_PRIMES], counter = 0;
    const uint64_t least = (uint64_t)1 << 60;
    long n = 0;
    REQUIRE(0 <= k && k < MAX_PRIMES, "prime %ld of a trial", k);
    random_key_derive(key, (uint64_t[]){ seed, (uint64_t)number }, "primes");
    while (n <= k) {
        const uint64_t q = least + random_below(key, counter++, least);
        bool known = false;
        for (long i = 0; i < n; i++) known |= found[i] == q;
        if (!known && n_is_prime((ulong)q)) found[n++] = q;
    }
    return found[k];
}

bool runner_decides_over_fp(part_kind kind)
{
    return kind != PART_COUNTEREXAMPLE && kind != PART_SLIP && kind != PART_GAP && kind != PART_UNCHECKABLE;
}

/* The same body on degrees: the checks that it makes, and what could go wrong with them. */
typedef struct { trial run; degree_bound bound; } degree_run;

static degree_run run_degrees(const job *j, const shape *sh)
{
    arith R = arith_deg();
    degree_run d = { .run = run_body(j, &R, sh) };
    d.bound = arith_deg_bound(&R);
    arith_close(&R);
    return d;
}

/* Check by check: is the error of what t found counted by d?  If not, the row's note says why. */
static bool same_checks(row *r, const trial *t, const degree_run *d)
{
    char note[sizeof r->note] = "";
    const trial *of = &d->run;
    for (long k = 0; k < t->nchecks && !note[0]; k++)
        if (t->checks[k].by == BY_SAMPLE)
            snprintf(note, sizeof note, "no error bound: %s was found at a random point", t->checks[k].what);
    if (!note[0] && of->s.status != HOLDS) snprintf(note, sizeof note, "no error bound: on degrees: %s", of->s.why);
    if (!note[0] && t->nchecks != of->nchecks)
        snprintf(note, sizeof note, "the degree run makes other checks: %ld instead of %ld", of->nchecks, t->nchecks);
    for (long k = 0; k < t->nchecks && !note[0]; k++) {
        const check *a = &t->checks[k], *b = &of->checks[k];
        if (strcmp(a->what, b->what) != 0 || a->want_equal != b->want_equal)
            snprintf(note, sizeof note, "the degree run makes other checks: %s instead of %s", b->what, a->what);
        else if (b->by == BY_SAMPLE)
            snprintf(note, sizeof note, "opaque functions differ and the real ones need not: %s", a->what);
        else if (b->by == BY_NOTHING)
            snprintf(note, sizeof note, "no error bound: nothing was counted for %s", a->what);
        else if (b->by == BY_FACT && b->want_equal && b->is.is != HOLDS)
            snprintf(note, sizeof note, "the degree run finds another fact: %s", a->what);
    }
    evidence_row_text(r->note, sizeof r->note, note);
    return !note[0];
}

/* log2 of the error of one prime; not finite: it cannot be told. */
static double log2_error(const job *j, const degree_run *d)
{
    const double log2 = j->over.prime ? degree_bound_log2_at(d->bound, (double)j->over.prime)
                                      : degree_bound_log2(d->bound, PRIMES_61);
    return fmin(0, log2);
}

/* Runs until enough primes agree.  The row's error is that of all its checks together. */
static void run_primes(const job *j, const shape *sh, row *r, const degree_run *d)
{
    const double each = d ? log2_error(j, d) : NAN;
    const bool certain = d && d->bound.polynomials <= 0;     /* all checks are facts, or ranks that are full */
    long k = 0;
    bool counted = true;
    do {
        uint64_t key[2];
        random_key_derive(key, (uint64_t[]){ j->seed, (uint64_t)j->trial }, "functions");
        arith R = arith_fp(j->over.prime ? j->over.prime : runner_field_prime(j->seed, j->trial, k), key);
        trial t = run_body(j, &R, sh);
        conclude(r, &t);
        if (d && r->verdict == HOLDS) counted = same_checks(r, &t, d);
        trial_free(&t);
        k++;
    } while (d && r->verdict == HOLDS && counted && !certain && !j->over.prime && isfinite(each)
             && (double)k * each > WANTED_LOG2_ERROR && k < MAX_PRIMES);
    if (j->over.prime) set_param(r, "q=%llu", (unsigned long long)j->over.prime);
    else               set_param(r, "%ld prime%s", k, k > 1 ? "s" : "");
    r->log2bound = -INFINITY;
    if (!d || r->verdict != HOLDS) return;
    if (counted && certain) {
        set_param(r, PARAM_CERTAIN);
        evidence_row_text(r->scope, sizeof r->scope, "this instance");
        return;
    }
    r->log2bound = counted && isfinite(each) ? (double)k * each : NAN;
    if (counted && isfinite(each)) return;
    r->verdict = UNDECIDED;
    if (counted) evidence_row_text(r->note, sizeof r->note, "no error bound: nothing was counted");
}

static void run_fp(const job *j, const shape *sh, row *r)
{
    if (!runner_decides_over_fp(j->part->kind)) {
        evidence_row_text(r->note, sizeof r->note, "this arithmetic shows no witness: a witness is decided over Q or in balls");
        return;
    }
    if (j->control || j->minimal) {                     /* to be refuted: residues that differ, differ */
        run_primes(j, sh, r, NULL);
        return;
    }
    degree_run d = run_degrees(j, sh);
    run_primes(j, sh, r, &d);
    trial_free(&d.run);
}

static void run_q(const job *j, const shape *sh, row *r)
{
    uint64_t key[2];
    random_key_derive(key, (uint64_t[]){ j->seed, (uint64_t)j->trial }, "functions");
    arith R = arith_q(key);
    trial t = run_body(j, &R, sh);
    conclude(r, &t);
    trial_free(&t);
}

const char *claim_part_assumes(const claim *C, const part *P)
{
    return P->assumes ? P->assumes : C->assumes ? C->assumes : "";
}

/* Is `fact` (n characters) an item of the list "a; b; c"? */
static bool in_list(const char *list, const char *fact, size_t n)
{
    for (const char *at = list; *at; ) {
        const size_t length = strcspn(at, ";");
        if (length == n && strncmp(at, fact, n) == 0) return true;
        at += length;
        at += strspn(at, "; ");
    }
    return false;
}

/* The first hypothesis that was used and is not declared, its length in *n; NULL: all are. */
static const char *first_undeclared(const char *used, const char *declared, size_t *n)
{
    for (const char *at = used; *at; at += *n, at += strspn(at, "; ")) {
        *n = strcspn(at, ";");
        if (!in_list(declared, at, *n)) return at;
    }
    return NULL;
}

/* The bases between fresh layers (src/claim/induction.c) stand for those of the whole model, which count by themselves. */
static void copy_uses(row *r, const char *uses)
{
    size_t used = 0, n;
    for (const char *at = uses; *at; at += n, at += strspn(at, "; ")) {
        n = strcspn(at, ";");
        if (in_list("invertible interface; orthogonal interface", at, n)) continue;
        const int wrote = snprintf(r->uses + used, sizeof r->uses - used, "%s%.*s", used ? "; " : "", (int)n, at);
        REQUIRE(wrote > 0 && (size_t)wrote < sizeof r->uses - used, "make row.uses longer for: %s", uses);
        used += (size_t)wrote;
    }
}

static void note_uses(const job *j, const arith *R, row *r)
{
    size_t n = 0;
    copy_uses(r, arith_sym_uses(R));
    const char *missing = first_undeclared(r->uses, claim_part_assumes(j->claim, j->part), &n);
    if (!missing || j->control) return;
    char text[sizeof r->note];
    snprintf(text, sizeof text, "uses a hypothesis that is not declared: %.*s", (int)n, missing);
    evidence_row_text(r->note, sizeof r->note, text);
    r->undeclared = true;
    r->verdict = UNDECIDED;
}

/* At one vector of sizes; *r becomes what it says. */
static void run_sym_at(const job *j, const shape *sh, row *r)
{
    arith R = arith_sym();
    trial t = run_body(j, &R, sh);
    conclude(r, &t);
    if (r->verdict == REFUTED) r->verdict = UNDECIDED;      /* normal forms that differ prove nothing */
    if (r->verdict == HOLDS) note_uses(j, &R, r);
    trial_free(&t);
    arith_close(&R);
}

/* The claim must be derived at every vector of sizes, with the same checks; elsewhere nothing is proved, and one
 * look is enough. */
static void run_sym(const job *j, const shape *sh, row *r)
{
    const row blank = *r;
    const int vectors = !j->control && !j->minimal ? SIZE_VECTORS : 1;
    run_sym_at(j, sh, r);
    for (int v = 1; v < vectors && r->verdict == HOLDS; v++) {
        shape other = *sh;
        row next = blank;
        runner_sym_sizes(&other, v);
        run_sym_at(j, &other, &next);
        if (next.verdict == HOLDS && next.checks != r->checks) {
            next.verdict = UNDECIDED;
            evidence_row_text(next.note, sizeof next.note, "not the same checks at every size");
        }
        if (next.verdict != HOLDS || next.depth < r->depth) *r = next;
    }
    set_param(r, "%d sizes", vectors);
    evidence_row_text(r->scope, sizeof r->scope, vectors > 1 ? "all sizes" : "this size");
}

const char *part_kind_word(part_kind kind)
{
    static const char *const word[] = { [PART_IDENTITY] = "identity", [PART_COUNTEREXAMPLE] = "counterexample",
                                        [PART_SLIP] = "slip",
                                        [PART_GAP] = "gap", [PART_HYPOTHESIS] = "hypothesis",
                                        [PART_MEASURED] = "measured", [PART_INFORMAL] = "informal",
                                        [PART_UNCHECKABLE] = "uncheckable" };
    return word[kind];
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

row runner_run(const job *j, FILE *rungs, FILE *figures)
{
    row r = { .seed = j->seed, .trial = j->trial, .verdict = UNDECIDED, .log2gap = INFINITY, .log2bound = -INFINITY,
              .slope = NAN, .log2logit = NAN, .threads = openblas_get_num_threads() };
    shape sh = j->sh;
    evidence_row_text(r.id, sizeof r.id, j->claim->id);
    evidence_row_text(r.part, sizeof r.part, j->part->name);
    evidence_row_text(r.kind, sizeof r.kind, part_kind_word(j->part->kind));
    evidence_row_text(r.which, sizeof r.which, runner_case_name(j));
    evidence_row_text(r.arith, sizeof r.arith, arith_names[j->over.kind]);
    evidence_row_text(r.param, sizeof r.param, "-");
    evidence_row_text(r.blas, sizeof r.blas, openblas_get_corename());
    evidence_row_text(r.build, sizeof r.build, build_text());
    evidence_row_text(r.basis, sizeof r.basis, j->part->basis ? j->part->basis : "");
    evidence_row_text(r.by_proof, sizeof r.by_proof, j->part->by_proof ? j->part->by_proof : "");
    r.finite = j->part->about == ABOUT_FINITE;
    evidence_row_text(r.scope, sizeof r.scope, j->over.kind == A_FP ? "this size" : "this instance");
    bool sensible = runner_adapt_shape(j->over.kind, &sh);
    if (j->part->own_row_map) sh.attention = j->sh.attention;
    shape_print(r.shape, sizeof r.shape, &sh);
    if (!sensible) {
        evidence_row_text(r.note, sizeof r.note, "this arithmetic has no room for this shape");
        r.skipped = true;
        return r;
    }
    const double start = now();
    switch (j->over.kind) {
    case A_F64:
        if (j->part->kind == PART_MEASURED) measure(j, &sh, &r, figures);
        else run_f64(j, &sh, &r);
        break;
    case A_MPFR: run_mpfr(j, &sh, &r, rungs); break;
    case A_ARB:  run_arb(j, &sh, &r); break;
    case A_FP:   run_fp(j, &sh, &r); break;
    case A_Q:    run_q(j, &sh, &r); break;
    case A_SYM:  run_sym(j, &sh, &r); break;
    default:     REQUIRE(false, "arithmetic %d", j->over.kind);
    }
    r.seconds = now() - start;
    return r;
}
