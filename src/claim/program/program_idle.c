/* SPDX-License-Identifier: GPL-3.0-or-later
 * program_idle.c - --seed, --trials, --gain and --corner change what some chosen part checks, or they are refused: see
 * program.h.
 *
 * A body that draws nothing checks the same whatever they say, and sym takes symbols for what is drawn.  That is
 * found by running the body as asked and with another value of the option (program_probe.c), in each case that was
 * chosen, until something that is checked differs.  What a body draws, it draws over every arithmetic, so that the
 * first that decides something says; fp draws its primes besides.  Where that takes too long nothing is refused. */
#include <string.h>
#include <sys/resource.h>
#include "src/base/text.h"
#include "src/claim/program/program.h"

typedef enum { SEED, TRIALS, GAIN, CORNER, DRAW_OPTIONS } draw_option;

static const struct { const char *name, *why; } options[] = {
    [SEED]   = { "--seed",   "it draws no numbers" },
    [TRIALS] = { "--trials", "it draws no numbers, so every trial is the same" },
    [GAIN]   = { "--gain",   "it draws no matrices" },
    [CORNER] = { "--corner", "it draws no matrices" },
};
static bool draws;                                       /* some trial that was probed drew a matrix as it is */

/* A row of evidence is replayed with its seed, whether the part draws or not. */
static bool replays_a_row(void)
{
    return program.part && program.which && program.shape && program.only_trial >= 0 && program.arithmetics == 1;
}

static bool given(draw_option o)
{
    switch (o) {
    case SEED:   return program.seed_given && !replays_a_row();
    case TRIALS: return program.trials > 0;
    case GAIN:   return program.gain != 0;
    default:     return program.corner != CORNER_NONE;
    }
}

static job with_another(draw_option o, job j)
{
    switch (o) {
    case SEED:   j.seed++; break;
    case TRIALS: j.trial++; break;
    case GAIN:   j.gain = 0; break;
    default:     j.corner = CORNER_NONE;
    }
    return j;
}

enum { PROBES = 3, MOST_SECONDS = 10 };

/* Of the processor, of all probes: load decides nothing. */
static double probed_seconds(void)
{
    struct rusage of;
    getrusage(RUSAGE_CHILDREN, &of);
    return (double)(of.ru_utime.tv_sec + of.ru_stime.tv_sec);
}

/* Equal in one trial they may be by chance. */
static option_use used_by(draw_option o, const job *j)
{
    const job other = with_another(o, *j);
    bool decided = false;
    for (long trials = 1; trials <= PROBES; trials += PROBES - 1) {
        if (probed_seconds() > MOST_SECONDS) return USED;
        const probe_outcome here = program_probe(j, trials);
        draws |= here.draws > 0;
        if (here.ran && !here.altered && (o == GAIN || o == CORNER)) return UNUSED;
        const probe_outcome there = program_probe(&other, trials);
        if (!here.ran || !there.ran) return UNKNOWN;
        if (here.fingerprint != there.fingerprint) return USED;
        decided = here.decided || there.decided;
    }
    return decided ? UNUSED : UNKNOWN;
}

/* In case c of the part: at the shapes of the plan that are not large, or at all where all are. */
static option_use used_in_case(draw_option o, const part *P, long c, const arith_spec *over)
{
    option_use is = UNKNOWN;
    bool small = false;
    for (long k = 0; k < program_shape_count(P); k++) small |= !program_shape_at(k, P).large;
    for (long k = 0; k < program_shape_count(P) && is != USED; k++) {
        const shape_case s = program_shape_at(k, P);
        const long n = program_trials(P, over, c < 0, &s, k), controls = program_control_count(P);
        if ((small && s.large) || !n || (o == TRIALS && n != program.trials)) continue;
        const job j = { .claim = program.C, .part = P, .sh = s.sh, .over = *over, .seed = program.seed,
                        .trial = program.only_trial >= 0 ? program.only_trial : 0, .gain = program.gain,
                        .corner = program.corner,
                        .control = c >= 0 && c < controls ? program_control(P, c) : NULL, .minimal = c == controls };
        const option_use here = used_by(o, &j);
        if (here != UNKNOWN) is = here;
    }
    return is;
}

/* Certificates of sym have no numbers; those that a body writes are written over q (certify_exact). */
static option_use used_in_certificates(draw_option o, const part *P)
{
    const arith_spec q = { .kind = A_Q };
    return P->certifies ? used_in_case(o, P, -1, &q) : UNUSED;
}

static bool chooses_case(const part *P, long c, const arith_spec *over)
{
    return program_has_case(P, c, over) && (!program.which || strcmp(program.which, program_case_name(P, c)) == 0);
}

/* In the cases of the part, over the arithmetics of this kind that were chosen. */
static option_use used_over(draw_option o, const part *P, int kind)
{
    option_use is = UNKNOWN;
    for (int a = 0; a < program.arithmetics && is != USED; a++) {
        const arith_spec *over = &program.over[a];
        if (over->kind != kind || !program_runs_over(P, kind)) continue;
        for (long c = -1; c <= program_control_count(P) && is != USED; c++) {
            const option_use here = !chooses_case(P, c, over) ? UNKNOWN : kind == A_SYM ? UNUSED
                                  : used_in_case(o, P, c, over);
            if (here != UNKNOWN) is = here;
        }
    }
    return is;
}

static option_use used_by_part(draw_option o, const part *P)
{
    static const int order[] = { A_F64, A_FP, A_Q, A_ARB, A_MPFR, A_SYM };
    option_use is = UNKNOWN;
    if (program_only_certifies()) return used_in_certificates(o, P);
    for (size_t k = 0; k < COUNT(order) && is != USED; k++) {
        const bool primes = order[k] == A_FP && (o == SEED || o == TRIALS);
        if (is == UNKNOWN || primes) {
            const option_use here = used_over(o, P, order[k]);
            if (here != UNKNOWN) is = here;
        }
    }
    return is;
}

static const char *why(draw_option o)
{
    bool symbols = true;
    for (int a = 0; a < program.arithmetics; a++) symbols &= program.over[a].kind == A_SYM;
    if (program_only_certifies()) return "no number of its certificates is drawn";
    if (draws && o == GAIN) return "the matrices that it draws have a size of their own";
    if (draws && o == CORNER) return "the matrices that it draws have a form of their own";
    return symbols ? "sym takes symbols for what is drawn" : options[o].why;
}

void program_refuse_idle_options(void)
{
    if (program.list || program.describe || program.suite || program_streams()) return;
    for (draw_option o = SEED; o < DRAW_OPTIONS; o++) {
        option_use is = UNKNOWN;
        if (!given(o)) continue;
        for (size_t p = 0; p < program.C->nparts && is != USED; p++) {
            const part *P = &program.C->parts[p];
            const option_use here = program_chooses(P) ? used_by_part(o, P) : UNKNOWN;
            if (here != UNKNOWN) is = here;
        }
        if (is == UNUSED)
            die("%s is not used by %s%s%s: %s; leave it out", options[o].name, program.C->id, program.part ? " " : "",
                program.part ? program.part : "", why(o));
    }
}
