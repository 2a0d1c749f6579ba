/* verify.c - `provably verify`: whether two files of weights are the same function, and where they part. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/share.h"
#include "src/cli/cli.h"
#include "src/cli/command.h"
#include "src/cli/verify.h"

enum { OPT_UP_TO = 256, OPT_TOKENS, OPT_POSITIONS, OPT_LENGTH, OPT_CERTIFIED, OPT_BITS, OPT_SEED, OPT_BASE,
       OPT_TOLERANCE, OPT_CERTIFICATE, OPT_GRADIENTS, OPT_WIDTH, OPT_TEXT, OPT_BPE, OPT_CHARS, OPT_JSON, OPT_ALL };
static const struct argp_option flags[] = {
    { "up-to", OPT_UP_TO, "WHAT", 0, "what must agree: logits (the default), softmax (the logits up to one constant "
      "per token), argmax (the most likely token)", 0 },
    { "tokens", OPT_TOKENS, "LIST", 0, "compare on these tokens, 1,5,7,...; @FILE: the numbers in FILE", 0 },
    { "positions", OPT_POSITIONS, "LIST", 0, "their positions, increasing (0,1,2,...)", 0 },
    { "text", OPT_TEXT, "FILE", 0, "compare on the beginning of this text, in sequences as long as both models allow, "
      "or of --length; its bytes are the tokens", 0 },
    { "bpe", OPT_BPE, "FILE", 0, "with --text: GPT-2's merges, if the tokens are byte pairs", 0 },
    { "chars", OPT_CHARS, "FILE", 0, "with --text: the training text, if the tokens are its characters", 0 },
    { "length", OPT_LENGTH, "N", 0, "length of drawn token sequences (16), or of those of the text", 0 },
    { "seed", OPT_SEED, "N", 0, "of drawn tokens (1)", 0 },
    { "tolerance", OPT_TOLERANCE, "X", 0, "the largest gap of logits that counts as equal, instead of what rounding to "
      "the files' types explains", 0 },
    { "certified", OPT_CERTIFIED, NULL, 0, "enclose the gap in balls, for those tokens", 0 },
    { "bits", OPT_BITS, "N", 0, "of the balls (256); twice as many, up to 4096, where they become infinitely wide", 0 },
    { "gradients", OPT_GRADIENTS, NULL, 0, "where B is an image of A, in another basis of the residual stream, too: "
      "whether the gradients of all tensors correspond as the chain rule says", 0 },
    { "base", OPT_BASE, "FILE", 0, "the model that B was made from: name tensors that are still its own", 0 },
    { "output", 'o', "FILE", 0, "write a certificate: of the same numbers, or with --certified of the gap", 0 },
    { "certificate", OPT_CERTIFICATE, "FILE", 0, "check a certificate again instead", 0 },
    { "json", OPT_JSON, NULL, 0, "print one JSON object instead of the table", 0 },
    { "all", OPT_ALL, NULL, 0, "list all tensors that differ, not just five of each kind", 0 },
    { "width", OPT_WIDTH, "N", 0, "columns of the output (those of the terminal)", 0 },
    { 0 } };
static const char doc[] =
    "Tells whether two files of weights are the same function, whatever their formats and number types.\v"
    "First the tensors: what is missing, extra, transposed, scaled, permuted, rotated, rounded. Then the streams after "
    "every stage and the logits, on token sequences: one at the first positions, one at positions up to the last, "
    "drawn with --seed, or --tokens, or --text: at most 4096 tokens of it, and 2^26 logits. What rounding to the types "
    "of the files explains counts as equal; that tolerance is printed.\n\n"
    "The files are mapped. Of their numbers no more than a layer's matrices of both, some rows of the embeddings and "
    "some columns of the heads are in memory at a time, and the stream of one token sequence: that grows with "
    "--length and with the sequences of --text.\n\n"
    "About all inputs only the numbers themselves say something: where all parts hold the same, or where those of B "
    "are, exactly, A's under gauges of heads, in another order of heads and neurons, in another basis of the residual "
    "stream (without norms, or a rotation behind RMSNorms). Where B was rounded, its distance from such an image of A "
    "is enclosed and printed beside what rounding explains. A gap on token sequences, certified or not, speaks about "
    "those sequences.\n\n"
    "Two such models have the same loss and, by the chain rule, corresponding gradients: --gradients checks that. "
    "Trained further they stay the same function only where the optimizer commutes with the gauge, or with the change "
    "of basis. Gradient descent and clipping by the norm need orthogonal ones. AdamW divides each coordinate by its "
    "own root mean square, which commutes with permutations and changes of sign alone: for any other gauge the two "
    "runs part at the first step. Decoupled weight decay multiplies by a number, which commutes with every linear "
    "gauge, but only of what both runs decay: a matrix that has become the identity is not decayed any more, and "
    "neither are biases that took up a shift.\n\n"
    "Exit status: 0 equal within the bound, 1 different, 2 bad input, or a model that is not known.";

typedef struct {
    const char *file[2], *base, *tokens, *positions, *text, *bpe, *chars, *output, *certificate;
    up_to relation;
    bool certified, gradients, json, all;
    long length, bits;
    uint64_t seed;
    double tolerance;                    /* negative: derived                                           */
    int width;
} options;

enum { DRAWN_LENGTH = 16, MOST_BITS = 4096 };

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
    case OPT_TEXT:        o->text = arg; return 0;
    case OPT_BPE:         o->bpe = arg; return 0;
    case OPT_CHARS:       o->chars = arg; return 0;
    case OPT_JSON:        o->json = true; return 0;
    case OPT_ALL:         o->all = true; return 0;
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
        if (o->text && o->tokens) die("--text and --tokens exclude each other");
        if ((o->bpe || o->chars) && !o->text) die("--bpe and --chars go with --text: give the text too");
        if (o->json && o->certificate) die("--json is about two files; checking a --certificate says `holds` or not");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
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

/* ---- the question ------------------------------------------------------------------------------------------------ */

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

static answer judge_certified(up_to what, const certified_gaps *c, double tolerance)
{
    if (c->why) return NOT_KNOWN;
    const bool shift = what == UP_TO_SOFTMAX;
    if (what == UP_TO_ARGMAX) return c->other_first ? NOT_THE_SAME : c->same_first == c->tokens ? SAME : NOT_KNOWN;
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
        verify_require(path, m, s.n, s.lists);
        share_line line = share_begin("enclosing the gap");
        const certified_gaps c = compare_certified(A, B, s.bits, s.n, s.lists, (compare_watch){ share_tell, &line, 0 });
        share_end(&line);
        const double high = c.why ? INFINITY : s.relation == UP_TO_SOFTMAX ? c.shift_high : c.high;
        holds = report(path, high <= s.high, "on its %ld token sequences, and for no others, the gap of the %s is at "
                       "most %.17g; it states %.17g\n", s.n, up_to_name[s.relation], high, s.high) && holds;
        verify_free_lists(s.n, s.lists);
        free((void *)(uintptr_t)s.lists);
    }
    return holds ? 0 : 1;
}

static long choose_tokens(const options *o, const opened m[2], token_list **lists)
{
    if (o->text) return verify_text(m, o->text, o->bpe, o->chars, o->length, lists);
    *lists = must_calloc(VERIFY_LISTS, sizeof **lists);
    if (!o->tokens) {
        verify_draw(m, o->length ? o->length : DRAWN_LENGTH, o->seed, *lists);
        return VERIFY_LISTS;
    }
    verify_given(m, o->tokens, o->positions, *lists);
    return 1;
}

/* With twice as many bits as long as nothing can be enclosed for want of them; *bits: those of the answer. */
static certified_gaps enclosed(const verified *v, long *bits)
{
    for (;; *bits *= 2) {
        share_line line = share_begin("enclosing the gap");
        const certified_gaps c = compare_certified(&v->m[0].D, &v->m[1].D, *bits, v->n, v->lists,
                                                   (compare_watch){ share_tell, &line, 0 });
        share_end(&line);
        if (!c.why || !c.wide || 2 * *bits > MOST_BITS) return c;
    }
}

/* The tensors, and whether B is an image of A. */
static void compare_tensors(verified *v, const options *o, const screen *s)
{
    const transformer *A = &v->m[0].D, *B = &v->m[1].D;
    opened base = { .D.at = NULL };
    if (o->base) {
        base = open_model(o->base);
        if (base.D.L != A->L || base.D.d != A->d)
            die("%s has other sizes than %s; name the base of B", o->base, v->m[0].w.path);
    }
    share_line line = share_begin("comparing tensors");
    if (v->sizes) v->t = structure_of(A, B, o->base ? &base.D : NULL);
    share_end(&line);
    v->alike = v->sizes && structure_same(&v->t);
    if (s) verify_print_structure(s, v, o->all);
    if (o->base) close_model(&base);
    if (!v->sizes || v->alike) return;
    line = share_begin("looking for symmetries");
    v->image = gauge_between(A, B, &v->t, o->bits);
    share_end(&line);
    if (s) verify_print_image(s, v);
}

static void compare_gaps(verified *v, const options *o, const screen *s)
{
    const transformer *A = &v->m[0].D, *B = &v->m[1].D;
    share_line line = share_begin("comparing on tokens");
    v->g = compare_on_tokens(A, B, v->alike, v->n, v->lists, o->seed, (compare_watch){ share_tell, &line, 0 });
    share_end(&line);
    if (s) verify_print_gaps(s, v);
    const bool shift = o->relation == UP_TO_SOFTMAX;
    v->gap = shift ? v->g.shift : v->g.logits;
    v->tolerance = o->tolerance >= 0 ? o->tolerance : shift ? v->g.shift_tolerance : v->g.logits_tolerance;
    v->is = judge(o->relation, &v->g, o->tolerance);
    if (!o->certified) return;
    v->c = enclosed(v, &v->bits);
    v->is = judge_certified(o->relation, &v->c, v->tolerance);
    if (s) verify_print_certified(s, v);
}

static void compare_gradients(verified *v, const options *o, const screen *s)
{
    share_line line = share_begin("comparing gradients");
    if (v->alike || v->image.found)
        v->gradients = gradients_between(&v->m[0].D, &v->m[1].D, &v->image, v->alike, o->bits, &v->lists[0], o->seed,
                                         v->gradient);
    share_end(&line);
    v->corresponds = v->gradients > 0;
    for (long k = 0; k < v->gradients; k++) v->corresponds = v->corresponds && verify_same_gradient(&v->gradient[k]);
    if (s) verify_print_gradients(s, v);
}

static void write_certificate(const verified *v, const char *path)
{
    const bool shift = v->relation == UP_TO_SOFTMAX;
    const statement it = { .numbers = v->alike, .image = v->image.found, .distance = v->image.distance,
                           .bits = v->bits, .relation = v->relation,
                           .n = v->c.why || v->relation == UP_TO_ARGMAX ? 0 : v->n, .lists = v->lists,
                           .low = shift ? v->c.shift_low : v->c.low, .high = shift ? v->c.shift_high : v->c.high };
    if (!it.numbers && !it.image && !it.n)
        die("nothing is certified, so %s is not written: %s", path, v->c.why ? v->c.why
            : "certificates state gaps: take --up-to=logits or softmax");
    verify_write(path, &v->m[0], &v->m[1], &it);
}

static int compare(const options *o, const opened m[2])
{
    const screen printed = screen_of(stdout, o->width, COLOUR_AUTO), *s = o->json ? NULL : &printed;
    const transformer *A = &m[0].D, *B = &m[1].D;
    if (A->V != B->V)
        die("%s has a vocabulary of %ld and %s one of %ld: their logits cannot be compared; name two files of one "
            "vocabulary", m[0].w.path, A->V, m[1].w.path, B->V);
    token_list *lists;
    verified v = { .m = m, .base = o->base, .relation = o->relation, .seed = o->seed, .bits = o->bits,
                   .tokens = o->text ? "of the text" : o->tokens ? "given" : "drawn", .certified = o->certified,
                   .c.why = "it was not asked for: add --certified", .differentiated = o->gradients,
                   .sizes = A->L == B->L && A->d == B->d };
    v.n = choose_tokens(o, m, &lists);
    v.lists = lists;
    if (s) verify_print_models(s, &v);
    compare_tensors(&v, o, s);
    compare_gaps(&v, o, s);
    if (o->gradients) compare_gradients(&v, o, s);
    const bool exact = v.image.found && v.image.distance == 0;
    v.all = v.alike ? "all parts hold the same numbers and the settings agree"
          : exact ? "B is an image of A under symmetries, number by number" : NULL;
    if (v.all) v.is = SAME;
    v.status = v.is != SAME || (o->gradients && !v.corresponds);
    if (s) verify_print_answer(s, &v);
    else verify_print_json(stdout, &v);
    if (o->output) write_certificate(&v, o->output);
    gauge_found_free(&v.image);
    token_gaps_free(&v.g);
    structure_free(&v.t);
    verify_free_lists(v.n, v.lists);
    free(lists);
    return v.status;
}

int verify_main(int argc, char **argv)
{
    static const struct argp parser = { flags, parse, "A B", doc, NULL, NULL, NULL };
    options o = { .bits = 256, .seed = 1, .tolerance = -1 };
    command_parse(&parser, argc, argv, 0, &o, NULL);
    memory_keep();
    opened m[2] = { open_model(o.file[0]), open_model(o.file[1]) };
    const int status = o.certificate ? check_certificate(&o, m) : compare(&o, m);
    close_model(&m[0]);
    close_model(&m[1]);
    return status;
}
