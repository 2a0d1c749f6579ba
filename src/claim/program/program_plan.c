/* SPDX-License-Identifier: GPL-3.0-or-later
 * program_plan.c - which shapes, arithmetics and trials a program runs: see program.h. */
#include <string.h>
#include "src/claim/program/program.h"
#include "src/claim/stream.h"
#include "src/model/shape_keys.h"

static const shape_case standard_shapes[] = {
    { { .n = 4, .d = 4, .h = 2, .m = 8, .V = 7, .L = 2, .mask = MASK_CAUSAL }, false },
    { { .n = 5, .d = 6, .h = 3, .m = 9, .V = 11, .L = 3, .mask = MASK_FULL }, false },
    { { .n = 3, .d = 3, .h = 1, .m = 7, .V = 5, .L = 2, .mask = MASK_CAUSAL }, false },
    { { .n = 6, .d = 16, .h = 4, .m = 32, .V = 13, .L = 3, .mask = MASK_ARBITRARY }, false },
    { { .n = 32, .d = 64, .h = 1, .m = 256, .V = 97, .L = 6, .mask = MASK_CAUSAL }, true },
    { { .n = 32, .d = 64, .h = 2, .m = 256, .V = 97, .L = 6, .mask = MASK_FULL }, true },
    { { .n = 32, .d = 64, .h = 4, .m = 256, .V = 97, .L = 6, .mask = MASK_ARBITRARY }, true },
    { { .n = 32, .d = 64, .h = 8, .m = 256, .V = 97, .L = 6, .mask = MASK_CAUSAL }, true },
};
/* --scale=large adds these. */
static const shape_case larger_shapes[] = {
    { { .n = 64, .d = 128, .h = 8, .m = 512, .V = 211, .L = 8, .mask = MASK_CAUSAL }, true },
    { { .n = 64, .d = 256, .h = 4, .m = 1024, .V = 211, .L = 12, .mask = MASK_CAUSAL }, true },
};

/* The shapes of a part: its own, its claim's, or the standard ones. */
static const shape_case *shapes_of(const part *P, long *n)
{
    const claim *C = program.C;
    *n = P->shapes ? (long)P->nshapes : C->shapes ? (long)C->nshapes : (long)COUNT(standard_shapes);
    return P->shapes ? P->shapes : C->shapes ? C->shapes : standard_shapes;
}

long program_shape_count(const part *P)
{
    long n;
    if (program_streams()) return program.only_trial < 0 ? 2 : 1;
    if (program.shape) return 1;
    return shapes_of(P, &n) == standard_shapes && program.scale == SCALE_LARGE ? n + (long)COUNT(larger_shapes) : n;
}

shape program_plain_shape(const part *P)
{
    long n;
    const shape own = program_streams() ? program_stream_sizes() : shapes_of(P, &n)[0].sh;
    return (shape){ .n = own.n, .d = own.d, .h = own.h, .m = own.m, .V = own.V, .L = own.L };
}

/* Shape k of the plan, or --shape's: sizes come from the first shape then, switches from the text alone. */
static shape_case planned_shape(long k, const part *P)
{
    long n;
    const shape_case *own = shapes_of(P, &n);
    shape_case s = program.shape ? own[0] : k >= n ? larger_shapes[k - n] : own[k];
    if (program.shape) s.sh = program_plain_shape(P);
    const char *wrong = program.shape ? shape_parse(&s.sh, program.shape) : shape_complete(&s.sh);
    if (wrong) die("--shape: %s", wrong);
    return s;
}

/* The same with the hypotheses of the part set, complete. */
shape_case program_shape_at(long k, const part *P)
{
    shape_case s = program_streams() ? program_stream_shape(k) : planned_shape(k, P);
    void (*prepare)(shape *) = P->prepare ? P->prepare : program.C->prepare;
    const bool replayed = program.shape && program_plans(P, &s.sh);         /* its hypotheses are set already */
    if (prepare && !replayed) prepare(&s.sh);
    const char *wrong = shape_complete(&s.sh);
    if (wrong) die("--shape: with the hypotheses of %s set: %s", program.C->id, wrong);
    if (program.shape) s.large = 0;
    return s;
}

bool program_shape_with_heads(const part *P, long h, shape_case *s)
{
    long n;
    const shape_case *own = shapes_of(P, &n);
    void (*prepare)(shape *) = P->prepare ? P->prepare : program.C->prepare;
    if (program.shape || own[0].large || own[0].sh.dk) return false;
    *s = own[0];
    s->sh.h = h;
    s->sh.d = 4 * h;                                      /* d_k = 4: sym takes another one */
    if (shape_complete(&s->sh)) return false;
    if (prepare) prepare(&s->sh);
    return !shape_complete(&s->sh);
}

static bool names(const char *list, const char *name)       /* "q sym" names q */
{
    const size_t n = strlen(name);
    for (const char *at = list; at && (at = strstr(at, name)); at += n)
        if ((at == list || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0')) return true;
    return false;
}

/* The arithmetics a part leaves out; figures are measured in doubles alone, witnesses not over prime fields. */
const char *program_left_out(const part *P)
{
    static char with_fp[32];
    if (part_measures(P->kind)) return "mpfr arb fp q sym";
    if (runner_decides_over_fp(P->kind) || names(P->without, "fp")) return P->without;
    snprintf(with_fp, sizeof with_fp, "%s%sfp", P->without ? P->without : "", P->without ? " " : "");
    return with_fp;
}

const char *program_why_left_out(const part *P)
{
    if (part_measures(P->kind)) return "a measured figure is evidence in doubles, and no more";
    return P->why_without ? P->why_without : "a witness is decided over the rationals or in balls";
}

bool program_runs_over(const part *P, int kind) { return !names(program_left_out(P), arith_names[kind]); }

/* ---- what the plan has ---------------------------------------------------------------------------------------- */

/* What a row over this arithmetic would have of a shape of the plan; false: it has none. */
static bool adapted(int kind, shape *sh, const part *P)
{
    return program_runs_over(P, kind) && (kind == A_F64 || runner_adapt_shape(P, kind, sh));
}

/* Calls `is` with each shape of the part's plan as it is and as q and sym take it, until one is. */
static bool some_planned(const part *P, bool (*is)(const shape *, long, long), long k, long value)
{
    static const int kinds[] = { A_Q, A_SYM };
    const char *asked = program.shape;
    bool found = false;
    program.shape = NULL;                                        /* the plan as it is without --shape */
    const long n = program_shape_count(P);
    for (long i = 0; i < n + MAX_SYM_HEADS && !found; i++) {
        shape_case s = { .large = 0 };
        if (i < n) s = program_shape_at(i, P);
        else if (!program_shape_with_heads(P, i - n + 1, &s)) continue;
        found = i < n && is(&s.sh, k, value);
        for (size_t a = 0; a < COUNT(kinds) && !found; a++) {
            shape sh = s.sh;
            found = adapted(kinds[a], &sh, P) && is(&sh, k, value);
        }
    }
    program.shape = asked;
    return found;
}

static bool has_value(const shape *sh, long k, long value) { return shape_key_get(sh, k) == value; }
bool program_plans_value(const part *P, long k, long value) { return some_planned(P, has_value, k, value); }

static shape wanted;
static bool is_wanted(const shape *sh, long k, long value)
{
    (void)k;
    (void)value;
    for (long i = 0; i < shape_keys(); i++) if (shape_key_get(sh, i) != shape_key_get(&wanted, i)) return false;
    return true;
}
bool program_plans(const part *P, const shape *sh)
{
    wanted = *sh;
    return some_planned(P, is_wanted, 0, 0);
}

/* ---- cases and trials -------------------------------------------------------------------------------------------- */

static bool only_over(const part *P, int kind)
{
    for (int k = 0; k < ARITHS; k++) if (program_runs_over(P, k) != (k == kind)) return false;
    return true;
}

/* How many trials of a case; 0: the plan leaves it out.  What the user asks for by --shape, --trial or
 * --trials is run as asked. */
long program_trials(const part *P, const arith_spec *over, bool is_claim, const shape_case *s, long k)
{
    const bool asked = program.shape || program.only_trial >= 0;
    const long many = program.trials ? program.trials : program.scale == SCALE_QUICK ? 1 : 3;
    if (program_streams() && k == 0 && !is_claim && !program.which) return 0;
    if (program_streams()) return program.trials ? program.trials : k ? 3 : 1;
    if (s->large == ONLY_AT_LARGE && program.scale != SCALE_LARGE && !program.shape) return 0;
    if (asked) return many;
    if (s->large) {
        if (P->no_large || program.scale == SCALE_QUICK || over->kind == A_MPFR || over->kind == A_Q) return 0;
        return is_claim || over->kind == A_FP ? 1 : 0;
    }
    switch (over->kind) {
    case A_SYM:  return 1;
    case A_Q:    return s->sh.d > 6 ? 0 : is_claim || !runner_decides_over_fp(P->kind) ? many : 1;
    case A_MPFR: return k == 0 && is_claim ? many : k == 0 || is_claim;
    case A_ARB:  return is_claim || only_over(P, A_ARB) ? many : s->sh.d <= 8 ? 1 : 0;
    default:     return many;
    }
}

/* A stream has one of its own; those of the part build whole models. */
long program_control_count(const part *P) { return program_streams() ? 1 : (long)P->ncontrols; }
const control *program_control(const part *P, long c)
{
    return program_streams() ? &stream_control : &P->controls[c];
}

/* The minimal control changes an entry by 2^-40: below what doubles resolve. */
bool program_has_case(const part *P, long c, const arith_spec *over)
{
    if (c < 0) return true;                                         /* the claim */
    if (c < program_control_count(P)) return true;
    return !P->no_minimal && over->kind != A_F64;
}

const char *program_case_name(const part *P, long c)
{
    return c < 0 ? "claim" : c < program_control_count(P) ? program_control(P, c)->name : "minimal";
}

bool program_is_partial(void)
{
    if (program_streams()) return program.which || program.only_trial >= 0 || program.gain || program.trials == 1;
    return program.part || program.which || program.shape || program.only_trial >= 0 || program.arithmetics != ARITHS
        || program.scale == SCALE_QUICK || program.corner != CORNER_NONE || program.gain
        || (program.trials && program.trials < 3);
}
