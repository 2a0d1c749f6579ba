/* verify.c - `provably verify`: whether two files of weights are the same function, and where they part. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/base/file.h"
#include "src/base/screen.h"
#include "src/cli/cli.h"
#include "src/cli/command.h"
#include "src/cli/verify.h"

enum { OPT_UP_TO = 256, OPT_TOKENS, OPT_POSITIONS, OPT_LENGTH, OPT_CERTIFIED, OPT_BITS, OPT_SEED, OPT_BASE,
       OPT_TOLERANCE, OPT_CERTIFICATE, OPT_GRADIENTS, OPT_WIDTH };
static const struct argp_option flags[] = {
    { "up-to", OPT_UP_TO, "WHAT", 0, "what must agree: logits (the default), softmax (the logits up to one constant "
      "per token), argmax (the most likely token)", 0 },
    { "tokens", OPT_TOKENS, "LIST", 0, "compare on these tokens, 1,5,7,...; @FILE: the numbers in FILE", 0 },
    { "positions", OPT_POSITIONS, "LIST", 0, "their positions, increasing (0,1,2,...)", 0 },
    { "length", OPT_LENGTH, "N", 0, "length of drawn token sequences (16)", 0 },
    { "seed", OPT_SEED, "N", 0, "of drawn tokens (1)", 0 },
    { "tolerance", OPT_TOLERANCE, "X", 0, "the largest gap of logits that counts as equal, instead of what rounding to "
      "the files' types explains", 0 },
    { "certified", OPT_CERTIFIED, NULL, 0, "enclose the gap in balls, for those tokens", 0 },
    { "bits", OPT_BITS, "N", 0, "of the balls (256)", 0 },
    { "gradients", OPT_GRADIENTS, NULL, 0, "where B is an image of A: whether the gradients of W_Q, W_K, W_V, W_O "
      "correspond as the chain rule says", 0 },
    { "base", OPT_BASE, "FILE", 0, "the model that B was made from: name tensors that are still its own", 0 },
    { "output", 'o', "FILE", 0, "write a certificate: of the same numbers, or with --certified of the gap", 0 },
    { "certificate", OPT_CERTIFICATE, "FILE", 0, "check a certificate again instead", 0 },
    { "width", OPT_WIDTH, "N", 0, "columns of the output (those of the terminal)", 0 },
    { 0 } };
static const char doc[] =
    "Tells whether two files of weights are the same function, whatever their formats and number types.\v"
    "First the tensors: what is missing, extra, transposed, scaled, permuted, rotated, rounded. Then the streams after "
    "every stage and the logits, on token sequences: one at the first positions, one at positions up to the last, "
    "drawn with --seed, or --tokens. What rounding to the types of the files explains counts as equal; that tolerance "
    "is printed.\n\n"
    "About all inputs only the numbers themselves say something: where all parts hold the same, or where those of B "
    "are, exactly, A's under gauges of heads and in another order of heads and neurons. A gap on token sequences, "
    "certified or not, speaks about those sequences.\n\n"
    "Two such models have the same loss and, by the chain rule, corresponding gradients: --gradients checks that. "
    "Trained further they stay the same function only where the optimizer commutes with the gauge. Gradient descent "
    "and clipping by the norm need orthogonal gauges. AdamW divides each coordinate by its own root mean square, which "
    "commutes with permutations and changes of sign alone: for any other gauge the two runs part at the first step. "
    "Decoupled weight decay multiplies by a number, which commutes with every linear gauge, but only of what both runs "
    "decay: a matrix that has become the identity is not decayed any more, and neither are biases that took up a "
    "shift.\n\n"
    "Exit status: 0 equal within the bound, 1 different, 2 bad input, or a model that is not known.";

typedef struct {
    const char *file[2], *base, *tokens, *positions, *output, *certificate;
    up_to relation;
    bool certified, gradients;
    long length, bits;
    uint64_t seed;
    double tolerance;                    /* negative: derived                                           */
    int width;
} options;

const char *const up_to_name[UP_TOS] = { "logits", "softmax", "argmax" };

static long whole(const char *name, const char *text, long least, long most)
{
    char *end;
    const long n = strtol(text, &end, 10);
    if (end == text || *end || n < least || n > most)
        die("%s must be a whole number from %ld to %ld, not `%s`", name, least, most, text);
    return n;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    options *o = state->input;
    switch (key) {
    case OPT_UP_TO:
        for (int k = 0; k < UP_TOS; k++)
            if (strcmp(arg, up_to_name[k]) == 0) {
                o->relation = (up_to)k;
                return 0;
            }
        die("--up-to must be logits, softmax or argmax, not `%s`", arg);
    case OPT_TOKENS:      o->tokens = arg; return 0;
    case OPT_POSITIONS:   o->positions = arg; return 0;
    case OPT_LENGTH:      o->length = whole("--length", arg, 1, 4096); return 0;
    case OPT_CERTIFIED:   o->certified = true; return 0;
    case OPT_BITS:        o->bits = whole("--bits", arg, 53, 65536); return 0;
    case OPT_SEED:        o->seed = (uint64_t)whole("--seed", arg, 0, INT32_MAX); return 0;
    case OPT_GRADIENTS:   o->gradients = true; return 0;
    case OPT_BASE:        o->base = arg; return 0;
    case OPT_TOLERANCE: {
        char *end;
        o->tolerance = strtod(arg, &end);
        if (end == arg || *end || !(o->tolerance >= 0) || !isfinite(o->tolerance))
            die("--tolerance must be a number that is not negative, not `%s`", arg);
        return 0;
    }
    case 'o':             o->output = arg; return 0;
    case OPT_CERTIFICATE: o->certificate = arg; return 0;
    case OPT_WIDTH:       o->width = (int)whole("--width", arg, SCREEN_LEAST, SCREEN_MOST); return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num < 2) o->file[state->arg_num] = arg;
        else die("verify takes two files or folders, not `%s` as well; see --help", arg);
        return 0;
    case ARGP_KEY_END:
        if (!o->file[1]) die("verify takes two files or folders; see `provably verify --help`");
        if (o->positions && !o->tokens) die("--positions go with --tokens: give the tokens too");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- tokens ------------------------------------------------------------------------------------------------------ */

static long *numbers_of(const char *option, const char *text, long *n, long most)
{
    long room = 16, *x = must_calloc((size_t)room, sizeof *x);
    for (*n = 0; ; ) {
        text += strspn(text, " ,\t\r\n");
        if (!*text) break;
        char *end;
        const long v = strtol(text, &end, 10);
        if (end == text || v < 0 || (*end && !strchr(" ,\t\r\n", *end)))
            die("%s: `%.20s` is not a list of whole numbers", option, text);
        if (*n == most) die("%s has more than %ld numbers", option, most);
        if (*n == room) x = must_realloc(x, (size_t)(room *= 2), sizeof *x);
        x[(*n)++] = v;
        text = end;
    }
    if (!*n) die("%s is an empty list", option);
    return x;
}

static void require_lists(const char *where, const opened m[2], long n, const token_list *lists)
{
    for (long k = 0; k < n; k++)
        for (long i = 0; i < lists[k].n; i++)
            for (int of = 0; of < 2; of++) {
                const transformer *D = &m[of].D;
                const long at = lists[k].position ? lists[k].position[i] : i;
                if (lists[k].token[i] >= D->V)
                    die("%s: token %ld is not in the vocabulary of %ld", where, lists[k].token[i], D->V);
                if (i && lists[k].position && at <= lists[k].position[i - 1])
                    die("%s: positions must increase, and %ld follows %ld", where, at, lists[k].position[i - 1]);
                if (D->T && at >= D->T)
                    die("%s: position %ld is beyond the %ld of %s; take fewer", where, at, D->T, m[of].w.path);
            }
}

static void free_lists(long n, const token_list *lists)
{
    for (long k = 0; k < n; k++) {
        free((void *)(uintptr_t)lists[k].token);
        free((void *)(uintptr_t)lists[k].position);
    }
}

enum { LISTS = 2, LAST_POSITION = 4096 };    /* of models that do not say how many positions they have   */

/* Drawn tokens at positions 0, 1, 2, ...; and half of them there, the others spread up to the last position. */
static void draw_lists(const options *o, const opened m[2], token_list lists[LISTS])
{
    long T = m[0].D.T;
    if (!T || (m[1].D.T && m[1].D.T < T)) T = m[1].D.T;
    if (!T) T = LAST_POSITION;
    const long n = o->length < T ? o->length : T;
    for (int k = 0; k < LISTS; k++) {
        const uint64_t key[2] = { o->seed, (uint64_t)k };
        long *token = must_calloc((size_t)n, sizeof *token), *at = must_calloc((size_t)n, sizeof *at);
        for (long i = 0; i < n; i++) {
            token[i] = (long)random_below(key, (uint64_t)i, (uint64_t)m[0].D.V);
            at[i] = k == 0 || i < n / 2 ? i : n / 2 + (i - n / 2 + 1) * (T - n / 2) / (n - n / 2) - 1;
        }
        lists[k] = (token_list){ n, token, at, 0 };
    }
}

static void given_list(const options *o, const opened m[2], token_list *list)
{
    long n, places;
    char *text = *o->tokens == '@' ? file_read(o->tokens + 1, 10000000, NULL) : must_strdup(o->tokens);
    *list = (token_list){ .token = numbers_of("--tokens", text, &n, 4096) };
    list->n = n;
    free(text);
    if (o->positions) {
        list->position = numbers_of("--positions", o->positions, &places, 4096);
        if (places != n) die("--positions has %ld numbers for %ld tokens", places, n);
    }
    require_lists("--tokens", m, 1, list);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static opened open_model(const char *path)
{
    opened m = { .w = weights_open(path) };
    m.D = transformer_of(&m.w);
    char *why = forward_refuses(&m.D);
    if (why) die("%s: its function is not computed here: %s", path, why);
    return m;
}

static void close_model(opened *m)
{
    transformer_free(&m->D);
    weights_close(&m->w);
}

/* ---- what is printed --------------------------------------------------------------------------------------------- */

static const char *number(double x)      /* valid until the eighth call after it                        */
{
    static char text[8][24];
    static int turn;
    char *to = text[turn = (turn + 1) % 8];
    snprintf(to, sizeof text[0], "%.3g", x);
    return to;
}

static void say(const screen *s, const char *first, int indent, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
static void say(const screen *s, const char *first, int indent, const char *fmt, ...)
{
    char text[2048];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    screen_wrapped(stdout, s->width, first, text, indent, "");
}

static void heading(const screen *s, const char *text)
{
    printf("\n%s%s%s\n", screen_ink(s, INK_STRONG), text, screen_plain(s));
}

static void print_model(const screen *s, const char *which, const opened *m)
{
    say(s, which, 3, "%s: %s, %s, %ld layers, width %ld, %ld heads, %ld key heads, vocabulary %ld", m->w.path,
        m->w.format, m->D.family, m->D.L, m->D.d, m->D.h, m->D.h_kv, m->D.V);
}

static void print_structure(const screen *s, const structure *t)
{
    heading(s, "Tensors");
    say(s, "", 0, "%ld parts compared: %ld hold the same numbers, %ld are equal to rounding, %ld are not", t->compared,
        t->equal, t->rounded, t->compared - t->equal - t->rounded);
    for (long k = 0; k < t->settings; k++) say(s, "  ", 4, "%s", t->setting[k]);
    for (long k = 0; k < t->n; k++) {
        const finding *f = &t->at[k];
        if (f->kind == RELATION_ROUNDED) continue;
        char *where = f->layer >= 0 ? must_format("layer %ld, ", f->layer) : must_strdup("");
        char *gap = isnan(f->gap) ? must_strdup("") : must_format(" (gap %s of the largest)", number(f->gap));
        say(s, "  ", 4, "%s%s, %s: %s%s%s", where, role_name[f->role], f->tensor, f->text, gap,
            f->harmless ? "; the function is the same" : "");
        free(where);
        free(gap);
    }
    for (long k = 0; k < t->remarks; k++) say(s, "  ", 4, "%s.", t->remark[k]);
}

static char *stage_words(const stage_gap *g)
{
    switch (g->stage) {
    case STAGE_EMBED:     return must_strdup("the embedding");
    case STAGE_ATTENTION: return must_format("the attention of layer %ld", g->layer);
    case STAGE_MLP:       return must_format("the MLP of layer %ld", g->layer);
    case STAGE_NORM:      return must_strdup("the final norm");
    default:              return must_strdup("the head");
    }
}

static void print_gaps(const screen *s, const token_gaps *g, long n, const token_list *lists, bool streams)
{
    heading(s, "On token sequences, in doubles");
    long tokens = 0, last = 0;
    for (long k = 0; k < n; k++) {
        tokens += lists[k].n;
        const long at = lists[k].position ? lists[k].position[lists[k].n - 1] : lists[k].n - 1;
        last = at > last ? at : last;
    }
    say(s, "", 0, "%ld sequence%s, %ld tokens, positions up to %ld", n, n == 1 ? "" : "s", tokens, last);
    say(s, "  ", 4, "logits: gap %s, where the largest is %s; rounding explains %s", number(g->logits), number(g->most),
        number(g->logits_tolerance));
    say(s, "  ", 4, "logits up to one constant per token: gap %s; rounding explains %s", number(g->shift),
        number(g->shift_tolerance));
    say(s, "  ", 4, "probabilities: KL divergence %s at most, %s on average", number(g->divergence),
        number(g->mean_divergence));
    say(s, "  ", 4, "most likely token: the same for %ld of %ld; %d most likely: %.1f %% in common", g->same_first,
        g->tokens, COMPARE_TOP, 100 * g->top);
    if (streams) {
        long first = 0;
        while (first < g->stages && g->at[first].gap <= g->at[first].tolerance) first++;
        if (first < g->stages) {
            char *name = stage_words(&g->at[first]);
            say(s, "  ", 4, "the first stage that differs: %s, gap %s of the largest number; rounding explains %s",
                name, number(g->at[first].gap), number(g->at[first].tolerance));
            free(name);
            if (g->logits <= g->logits_tolerance)
                say(s, "  ", 4, "the streams differ and the logits agree: the two do not use the same basis");
        }
    }
    if (g->list >= 0)
        say(s, "  ", 4, "the first logits that differ: sequence %ld, token %ld, position %ld", g->list + 1,
            g->token + 1, g->position);
    say(s, "  ", 4, "(what rounding explains: %d times the largest change when every weight is multiplied by 1 +- u "
        "with drawn signs, %d draws each, u = %s for A and %s for B)", COMPARE_FACTOR, COMPARE_DRAWS,
        number(g->unit[0]), number(g->unit[1]));
}

/* ---- the question ------------------------------------------------------------------------------------------------ */

typedef enum { SAME, NOT_THE_SAME, NOT_KNOWN } answer;

static answer judge(up_to what, const token_gaps *g, double tolerance)
{
    bool same;
    switch (what) {
    case UP_TO_LOGITS:  same = g->logits <= (tolerance >= 0 ? tolerance : g->logits_tolerance); break;
    case UP_TO_SOFTMAX: same = g->shift <= (tolerance >= 0 ? tolerance : g->shift_tolerance); break;
    default:            same = g->same_first + g->near_ties == g->tokens; break;
    }
    return same ? SAME : NOT_THE_SAME;
}

static answer judge_certified(const screen *s, const options *o, const certified_gaps *c, double tolerance)
{
    heading(s, "Certified");
    if (c->why) {
        say(s, "", 0, "nothing could be enclosed: %s", c->why);
        return NOT_KNOWN;
    }
    const bool shift = o->relation == UP_TO_SOFTMAX;
    say(s, "", 0, "for these token sequences, and no others, the largest gap of the logits%s lies between %s and %s",
        shift ? " up to one constant per token" : "", number(shift ? c->shift_low : c->low),
        number(shift ? c->shift_high : c->high));
    say(s, "", 0, "the most likely token certainly is the same for %ld of %ld, certainly another for %ld",
        c->same_first, c->tokens, c->other_first);
    if (o->relation == UP_TO_ARGMAX)
        return c->other_first ? NOT_THE_SAME : c->same_first == c->tokens ? SAME : NOT_KNOWN;
    if ((shift ? c->shift_high : c->high) <= tolerance) return SAME;
    return (shift ? c->shift_low : c->low) > tolerance ? NOT_THE_SAME : NOT_KNOWN;
}

static bool report(const char *path, bool holds, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static bool report(const char *path, bool holds, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    printf("%s: %s: ", path, holds ? "holds" : "not confirmed");
    vprintf(fmt, ap);
    va_end(ap);
    return holds;
}

static bool print_gradients(const screen *s, const options *o, const opened m[2], bool alike, const gauge_found *g,
                            const token_list *t)
{
    heading(s, "Gradients");
    if (!alike && !g->found) {
        say(s, "", 0, "nothing can correspond: B was not found to be an image of A");
        return false;
    }
    gradient_gap gap[GRADIENT_ROLES];
    const long n = gradients_between(&m[0].D, &m[1].D, g, alike, o->bits, t, o->seed, gap);
    bool good = true;
    say(s, "", 0, "for the first token sequence, a drawn combination of the logits and a drawn direction of the "
        "weights in all layers: the derivative in B, and in A along the direction that belongs to it");
    for (long k = 0; k < n; k++) {
        const bool same = fabs(gap[k].of_a - gap[k].of_b) <= gap[k].tolerance;
        good = good && same;
        say(s, "  ", 4, "%s: %.12g in B, %.12g in A: gap %s, rounding explains %s: %s", role_name[gap[k].role],
            gap[k].of_b, gap[k].of_a, number(fabs(gap[k].of_a - gap[k].of_b)), number(gap[k].tolerance),
            same ? "they correspond" : "they do not correspond");
    }
    return good;
}

static int check_certificate(const options *o, const opened m[2])
{
    const char *path = o->certificate;
    const statement s = verify_read(path, &m[0], &m[1]);
    const transformer *A = &m[0].D, *B = &m[1].D;
    bool holds = true;
    if (A->V != B->V || ((s.numbers || s.image) && (A->L != B->L || A->d != B->d)))
        die("%s: the two models have other sizes", path);
    if (s.numbers || s.image) {
        structure t = structure_of(A, B, NULL);
        if (s.numbers) holds = report(path, structure_same(&t), "all parts of the two models hold the same numbers\n");
        gauge_found g = { .why = NULL };
        if (s.image) {
            g = gauge_between(A, B, &t, s.bits);
            const bool near = g.found && g.distance <= s.distance;
            holds = report(path, near, "each number of B is at most %.17g of the largest of its tensor away from an "
                           "image of A, %s\n", g.distance, g.why ? g.why
                           : "which is the same function for all inputs") && holds;
        }
        gauge_found_free(&g);
        structure_free(&t);
    }
    if (s.n) {
        require_lists(path, m, s.n, s.lists);
        const certified_gaps c = compare_certified(A, B, s.bits, s.n, s.lists);
        const double high = c.why ? INFINITY : s.relation == UP_TO_SOFTMAX ? c.shift_high : c.high;
        holds = report(path, high <= s.high, "on its %ld token sequences, and for no others, the gap of the %s is at "
                       "most %.17g; it states %.17g\n", s.n, up_to_name[s.relation], high, s.high) && holds;
        free_lists(s.n, s.lists);
        free((void *)(uintptr_t)s.lists);
    }
    return holds ? 0 : 1;
}

static void print_gauge(const screen *s, const gauge_found *g)
{
    heading(s, "Symmetries of a transformer");
    if (!g->found) {
        say(s, "", 0, "B was not found to be an image of A under gauges of heads and orders of heads and neurons: %s",
            g->why);
        return;
    }
    say(s, "", 0, "A has an exact image, with gauges of %ld key heads and %ld heads or MLPs in another order, that is "
        "the same function for all inputs", g->gauges, g->orders);
    char where[40] = "";
    if (g->layer >= 0) snprintf(where, sizeof where, " of layer %ld", g->layer);
    if (g->distance == 0) say(s, "", 0, "B is that image, number by number");
    else
        say(s, "", 0, "each number of B is at most %s of the largest of its tensor away from that image (farthest: "
            "%s%s; rounding to B's coarsest type alone may move it by %s)", number(g->distance), role_name[g->role],
            where, number(g->unit));
}

static int conclude(const screen *s, const options *o, const char *all, answer is, double gap, double tolerance)
{
    heading(s, "Answer");
    if (all) say(s, "", 0, "the same function for all inputs: %s", all);
    else if (o->relation == UP_TO_ARGMAX)
        say(s, "", 0, "%s on these token sequences: the most likely token%s", is == SAME ? "equal" : is == NOT_KNOWN
            ? "not decided" : "different", is == SAME ? " is the same for all; nothing is said about others" : "");
    else if (is == SAME)
        say(s, "", 0, "equal up to %s on these token sequences: gap %s, bound %s; nothing is said about others",
            up_to_name[o->relation], number(gap), number(tolerance));
    else if (is == NOT_KNOWN) say(s, "", 0, "not decided: take more --bits");
    else say(s, "", 0, "different up to %s: gap %s, bound %s", up_to_name[o->relation], number(gap), number(tolerance));
    return is == SAME ? 0 : 1;
}

static int compare(const options *o, const opened m[2])
{
    const screen s = screen_of(stdout, o->width, COLOUR_AUTO);
    const transformer *A = &m[0].D, *B = &m[1].D;
    if (A->V != B->V)
        die("%s has a vocabulary of %ld and %s one of %ld: their logits cannot be compared; name two files of one "
            "vocabulary", m[0].w.path, A->V, m[1].w.path, B->V);
    token_list lists[LISTS];
    const long n = o->tokens ? 1 : LISTS;
    if (o->tokens) given_list(o, m, lists);
    else draw_lists(o, m, lists);
    opened base = { .D.at = NULL };
    if (o->base) {
        base = open_model(o->base);
        if (base.D.L != A->L || base.D.d != A->d)
            die("%s has other sizes than %s; name the base of B", o->base, m[0].w.path);
    }
    print_model(&s, "A: ", &m[0]);
    print_model(&s, "B: ", &m[1]);
    const bool streams = A->L == B->L && A->d == B->d;
    structure t = { .n = 0 };
    if (streams) {
        t = structure_of(A, B, o->base ? &base.D : NULL);
        print_structure(&s, &t);
    } else say(&s, "", 0, "The sizes differ, so only the logits can be compared.");
    const bool alike = streams && structure_same(&t);
    gauge_found image = { .why = NULL };
    if (streams && !alike) {
        image = gauge_between(A, B, &t, o->bits);
        print_gauge(&s, &image);
    }
    token_gaps g = compare_on_tokens(A, B, alike, n, lists, o->seed);
    print_gaps(&s, &g, n, lists, streams);
    const bool shift = o->relation == UP_TO_SOFTMAX;
    const double tolerance = o->tolerance >= 0 ? o->tolerance : shift ? g.shift_tolerance : g.logits_tolerance;
    answer is = judge(o->relation, &g, o->tolerance);
    certified_gaps c = { .why = "it was not asked for: add --certified" };
    if (o->certified) {
        c = compare_certified(A, B, o->bits, n, lists);
        is = judge_certified(&s, o, &c, tolerance);
    }
    const bool exact = image.found && image.distance == 0;
    const bool corresponds = !o->gradients || print_gradients(&s, o, m, alike, &image, &lists[0]);
    const char *all = alike ? "all parts hold the same numbers and the settings agree"
                    : exact ? "B is an image of A under symmetries, number by number" : NULL;
    int status = conclude(&s, o, all, all ? SAME : is, shift ? g.shift : g.logits, tolerance);
    if (!corresponds) {
        say(&s, "", 0, "the gradients do not correspond");
        status = 1;
    }
    if (o->output) {
        const statement it = { .numbers = alike, .image = image.found, .distance = image.distance, .bits = o->bits,
                               .relation = o->relation, .n = c.why || o->relation == UP_TO_ARGMAX ? 0 : n,
                               .lists = lists, .low = shift ? c.shift_low : c.low,
                               .high = shift ? c.shift_high : c.high };
        if (!it.numbers && !it.image && !it.n)
            die("nothing is certified, so %s is not written: %s", o->output, c.why ? c.why
                : "certificates state gaps: take --up-to=logits or softmax");
        verify_write(o->output, &m[0], &m[1], &it);
    }
    gauge_found_free(&image);
    token_gaps_free(&g);
    structure_free(&t);
    if (o->base) close_model(&base);
    free_lists(n, lists);
    return status;
}

int verify_main(int argc, char **argv)
{
    static const struct argp parser = { flags, parse, "A B", doc, NULL, NULL, NULL };
    options o = { .length = 16, .bits = 256, .seed = 1, .tolerance = -1 };
    command_parse(&parser, argc, argv, 0, &o, NULL);
    opened m[2] = { open_model(o.file[0]), open_model(o.file[1]) };
    const int status = o.certificate ? check_certificate(&o, m) : compare(&o, m);
    close_model(&m[0]);
    close_model(&m[1]);
    return status;
}
