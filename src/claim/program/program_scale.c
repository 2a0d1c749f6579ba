/* SPDX-License-Identifier: GPL-3.0-or-later
 * program_scale.c - --scale=gpt2-small: models of that size, a layer at a time (src/claim/stream.h); see program.h.
 *
 * Balls grow by about as many bits in every layer.  A pilot (two layers of the same width, a few tokens, few bits) says
 * by how many, so that the precision is chosen once; the widths that it predicts are printed beside those measured.
 * Balls around doubles are boxes and grow faster than those of arb, so they have a pilot of their own. */
#include <math.h>
#include <string.h>
#include "src/base/clock.h"
#include "src/base/progress.h"
#include "src/claim/program/program.h"
#include "src/claim/stream.h"

static const shape gpt2_small = { .n = 64, .d = 768, .h = 12, .m = 3072, .V = 50257, .L = 12, .mask = MASK_CAUSAL };
enum { PILOT_BITS = 96, PILOT_TOKENS = 4, PILOT_LAYERS = 2, ROUND_BITS = 32,
       LEAST_BITS = 128, MOST_BITS = 4096 };
static const double WANTED_LOG2 = -64, SPARE_BITS = 16;   /* arith_arb's default_log2bound, and what a pilot may miss */

/* Widths after the embedding, each layer, and the head: log2, of the original and of the reduced model. */
typedef struct { double original[MAX_LAYERS + 2], reduced[MAX_LAYERS + 2]; } widths;
enum { OF_ROWS, OF_BOXES, METHODS };
static widths pilot[METHODS], predicted[METHODS];
static long   pilot_bits[METHODS];                   /* 0: no pilot yet */
static progress line;                                /* of the trial under way */
static double shown = INFINITY;                      /* its share at the last step */

shape program_stream_sizes(void) { return gpt2_small; }
bool program_streams(void) { return program.scale == SCALE_GPT2_SMALL; }

bool program_streams_part(const part *P)
{
    if (P->kind != PART_IDENTITY || P->run != claim_by_induction || (P->no_large && !program.part)) return false;
    const shape_case full = program_shape_at(0, P);
    return !stream_refuses(&full.sh, P->induction);
}

/* Its twin: the same switches and depth 2, small enough for three trials of the claim and of each control. */
shape_case program_stream_shape(long k)
{
    shape_case s = { .sh = gpt2_small };
    const char *wrong = program.shape ? shape_parse(&s.sh, program.shape) : shape_complete(&s.sh);
    if (wrong) die("--shape: %s", wrong);
    if (k == 0) return s;
    if (s.sh.scale_den == s.sh.dk) s.sh.scale_den = 4;
    s.sh.dk = 4;
    s.sh.d = 4 * s.sh.h;
    s.sh.m = 16 * s.sh.h;
    s.sh.V = s.sh.V < 211 ? s.sh.V : 211;
    s.sh.n = s.sh.n < 8 ? s.sh.n : 8;
    s.sh.L = s.sh.L < 2 ? s.sh.L : 2;
    return s;
}

static bool is_full(const shape *sh)
{
    const shape_case full = program_stream_shape(0);
    return sh->d == full.sh.d && sh->L == full.sh.L && sh->n == full.sh.n && sh->V == full.sh.V;
}

/* ---- progress ------------------------------------------------------------------------------------------------ */

static void show(const shape *sh, double done)
{
    const bool another = done < shown;                   /* of another trial; its first step is not timed */
    shown = done;
    if (another) {
        progress_clear(&line);
        line = progress_begin(is_full(sh) ? PROGRESS_TERMINAL : PROGRESS_NONE, NULL);
        progress_restart(&line, done);
    } else if (progress_due(&line, monotonic_seconds()))
        progress_show(&line, progress_left(&line, done), "%s  %2.0f %% of the work", program.C->id, 100 * done);
}

/* ---- the table ------------------------------------------------------------------------------------------------ */

static void put_step(const shape *sh, long step)
{
    if (step == 0)          printf("  %-10s", "embedding");
    else if (step > sh->L)  printf("  %-10s", "logits");
    else                    printf("  layer %-4ld", step);
}

static void put_width(double log2)
{
    if (isnan(log2))      printf("%10s", "");
    else if (isinf(log2)) printf("%10s", "exact");
    else                  printf("%10.1f", log2);
}

static void put_head(const trial *t, const shape *sh, const stream_step *step)
{
    char text[SHAPE_SIZE];
    shape_print(text, sizeof text, sh);
    printf("%s %s over %s", t->id, t->part, t->s.R->name);
    if (t->s.R->kind == A_ARB) printf(" at %ld bits", t->s.R->bits);
    printf(", %s\n", text);
    if (isnan(step->original)) {
        printf("  %10s%30s\n", "", "seconds");
        return;
    }
    if (t->s.R->kind == A_ARB)
        printf("  log2 of widths       predicted            measured\n  %10s%10s%10s%10s%10s%10s\n", "", "original",
               "reduced", "original", "reduced", "seconds");
    else
        printf("  log2 of error bounds\n  %10s%10s%10s%10s\n", "", "original", "reduced", "seconds");
}

static void after(const trial *t, const shape *sh, const stream_step *step)
{
    if (!is_full(sh)) return;
    progress_clear(&line);
    if (step->layer == 0) put_head(t, sh, step);
    put_step(sh, step->layer);
    if (t->s.R->kind == A_ARB) {
        put_width(predicted[OF_ROWS].original[step->layer]);
        put_width(predicted[OF_ROWS].reduced[step->layer]);
    }
    put_width(step->original);
    put_width(step->reduced);
    printf("%10.1f\n", step->seconds);
    fflush(stdout);
}

const stream_plan *program_stream_plan(void)
{
    static stream_plan plan;
    plan = (stream_plan){ .all_positions = program.all_logits, .at = show, .after = after };
    return program_streams() ? &plan : NULL;
}

/* ---- the pilot --------------------------------------------------------------------------------------------------- */

static void note(const trial *t, const shape *sh, const stream_step *step)
{
    widths *of = &pilot[t->stream->boxes ? OF_BOXES : OF_ROWS];
    (void)sh;
    of->original[step->layer] = step->original;
    of->reduced[step->layer] = step->reduced;
}

static void run_pilot(const part *P, const shape *full, int method)
{
    const stream_plan plan = { .after = note, .boxes = method == OF_BOXES };
    const widths *of = &pilot[method];
    line = progress_begin(PROGRESS_TERMINAL, NULL);
    progress_show(&line, NAN, "%s  a pilot says how fast the widths grow", program.C->id);
    job j = { .claim = program.C, .part = P, .sh = *full, .seed = program.seed, .stream = &plan };
    if (j.sh.L > PILOT_LAYERS) j.sh.L = PILOT_LAYERS;
    if (j.sh.n > PILOT_TOKENS) j.sh.n = PILOT_TOKENS;
    if (j.sh.V > STREAM_BLOCK) j.sh.V = STREAM_BLOCK;
    for (long bits = PILOT_BITS; bits <= MOST_BITS; bits *= 2) {
        j.over = (arith_spec){ .kind = A_ARB, .bits = bits };
        pilot_bits[method] = bits;
        runner_run(&j, NULL, NULL);
        if (fmax(of->original[j.sh.L + 1], of->reduced[j.sh.L + 1]) < -SPARE_BITS) return;
    }
    die("the widths of %s cannot be predicted: balls of %d bits are too wide after %ld layers", P->name, MOST_BITS,
        j.sh.L);
}

/* The widths of `from` with so many bits more: as in the pilot, and beyond its layers the last growth again. */
static void extrapolate(double *to, const double *from, long layers, double more)
{
    const long known = layers < PILOT_LAYERS ? layers : PILOT_LAYERS;
    const double growth = known > 1 ? from[known] - from[known - 1] : 0;
    to[0] = from[0] - more;
    for (long i = 1; i <= layers; i++)
        to[i] = i <= known ? from[i] - more : from[known] + (double)(i - known) * growth - more;
    to[layers + 1] = to[layers] + from[known + 1] - from[known];
}

static double predict(int method, long layers, long bits)       /* the wider one of the logits */
{
    widths *to = &predicted[method];
    const double more = (double)(bits - pilot_bits[method]);
    extrapolate(to->original, pilot[method].original, layers, more);
    extrapolate(to->reduced, pilot[method].reduced, layers, more);
    return fmax(to->original[layers + 1], to->reduced[layers + 1]);
}

static void choose_bits(const part *P, arith_spec *over)
{
    const shape_case full = program_shape_at(0, P);
    const int method = over->kind == A_F64 ? OF_BOXES : OF_ROWS;
    if (!pilot_bits[method]) run_pilot(P, &full.sh, method);
    const double excess = predict(method, full.sh.L, pilot_bits[method]) - WANTED_LOG2 + SPARE_BITS;
    const long least = pilot_bits[method] + (long)ceil(excess),
               wanted = (least + ROUND_BITS - 1) / ROUND_BITS * ROUND_BITS;
    progress_clear(&line);
    if (!over->bits) over->bits = wanted > LEAST_BITS ? wanted : LEAST_BITS;
    const double widest = predict(method, full.sh.L, over->bits);
    printf("Predicted for %s %s%s: logits in balls of %ld bits are 2^%.0f wide%s", program.C->id, P->name,
           over->kind == A_F64 ? " over f64, errors in balls" : "", over->bits, widest,
           widest > WANTED_LOG2 ? ", too wide to decide" : "");
    if (widest > WANTED_LOG2) printf("; %ld bits should do", wanted);
    printf("\n");
    fflush(stdout);
}

void program_prepare_streams(void)
{
    const part *streamed = NULL;
    if (!program_streams()) return;
    for (size_t p = 0; p < program.C->nparts; p++) {
        const part *P = &program.C->parts[p];
        if ((!program.part || strcmp(program.part, P->name) == 0) && program_streams_part(P) && !streamed) streamed = P;
    }
    if (!streamed)
        die("--scale=gpt2-small: %s%s%s cannot be run a layer at a time; K-T4.2, K-T4.3 and K-T4.4 can", program.C->id,
            program.part ? " " : "", program.part ? program.part : "");
    if (program.corner != CORNER_NONE) die("--corner: the weights of --scale=gpt2-small are not sparse or repeated");
    for (int a = 0; a < program.arithmetics; a++) {
        const int kind = program.over[a].kind;
        if (kind != A_ARB && kind != A_FP && kind != A_F64)
            die("--arith=%s: --scale=gpt2-small runs over arb[:bits], fp[:prime] and f64", arith_names[kind]);
    }
    memory_keep();                       /* matrices come and go: this saves a tenth of the time */
    for (int a = 0; a < program.arithmetics; a++)
        if (program.over[a].kind != A_FP) choose_bits(streamed, &program.over[a]);
}
