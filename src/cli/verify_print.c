/* SPDX-License-Identifier: GPL-3.0-or-later
 * verify_print.c - what `provably verify` finds, as a text for people. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/shown.h"
#include "src/checkpoint/architecture.h"
#include "src/checkpoint/experts.h"
#include "src/cli/verify.h"

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
    shown_format(text, sizeof text, fmt, ap);
    va_end(ap);
    screen_wrapped(stdout, s->width, first, text, indent, "");
}

static void heading(const screen *s, const char *text)
{
    printf("\n%s%s%s\n", screen_ink(s, INK_STRONG), text, screen_plain(s));
}

/* What is compared on tokens, in a sentence. */
static const char *outputs_in(const verified *v) { return v->m[0].D.headless ? "last stream" : "logits"; }

static void print_model(const screen *s, const char *which, const opened *m)
{
    const char *described = architecture_of_user(&m->D);
    say(s, which, 3, "%s: %s, %s%s%s, %ld layers, width %ld, %ld heads, %ld key heads, vocabulary %ld", m->w.path,
        m->w.format, m->D.family, described ? " as described by " : "", described ? described : "", m->D.L, m->D.d,
        m->D.h, m->D.h_kv, m->D.V);
    if (m->D.headless) say(s, "   ", 3, "it has no head: its last stream is compared");
    for (long k = 0; k < m->w.notes; k++) say(s, "   ", 3, "%s", m->w.note[k]);
}

void verify_print_models(const screen *s, const verified *v)
{
    print_model(s, "A: ", &v->m[0]);
    print_model(s, "B: ", &v->m[1]);
}

static void print_undone(const screen *s, const char *which, const contracted *c)
{
    for (long k = 0; k < c->n; k++) {
        char *words = undone_words(&c->at[k]);
        say(s, "  ", 4, "%s: %s", which, words);
        free(words);
    }
}

void verify_print_undone(const screen *s, const verified *v)
{
    heading(s, "Left out of the comparison");
    for (int k = 0; k < 2; k++) {
        print_undone(s, k ? "B" : "A", &v->common[k]);
        print_undone(s, k ? "B" : "A", &v->left[k]);
    }
    const transformer *A = v->of[0], *B = v->of[1];
    say(s, "", 0, "What is left: %ld layers, %ld heads, %ld key heads, MLP %ld, %ld tokens%s", A->L, A->h, A->h_kv,
        A->m, A->V, A->L != B->L || A->h != B->h || A->h_kv != B->h_kv || A->m != B->m ? "; of B other sizes" : "");
}

void verify_print_order(const screen *s, const verified *v)
{
    heading(s, "A in the order of B");
    print_undone(s, "A", &v->ordered);
    say(s, "", 0, "In that order A is the same function; it is what B is compared with from here on.");
}

/* ---- tensors ----------------------------------------------------------------------------------------------------- */

enum { ALIKE = 5 };                      /* lines that say the same of tensors, without --all           */

static bool is_printed(const finding *f) { return f->kind != RELATION_ROUNDED && f->kind != RELATION_QUANTISED; }

/* How many of the findings in front of f, or after it, say the same. */
static long saying_the_same(const structure *t, long first, long last, const finding *f)
{
    long n = 0;
    for (long k = first; k < last; k++) n += is_printed(&t->at[k]) && strcmp(t->at[k].text, f->text) == 0;
    return n;
}

static void print_finding(const screen *s, const transformer *D, const finding *f)
{
    char *where = place_words(D, f->layer);
    char *gap = isnan(f->gap) ? must_strdup("") : must_format(" (gap %s of the largest)", number(f->gap));
    say(s, "  ", 4, "%s%s%s, %s: %s%s%s", where, *where ? ", " : "", role_name[f->role], f->tensor, f->text, gap,
        f->harmless ? "; the function is the same" : "");
    free(where);
    free(gap);
}

void verify_print_structure(const screen *s, const verified *v, bool all)
{
    const structure *t = &v->t;
    if (!v->sizes) {
        say(s, "", 0, "The sizes differ, so only the %s can be compared.", outputs_in(v));
        return;
    }
    heading(s, "Tensors");
    char *blocks = t->quantised ? must_format("%ld are A's rounded to blocks, ", t->quantised) : must_strdup("");
    say(s, "", 0, "%ld parts compared: %ld hold the same numbers, %ld are equal to rounding, %s%ld are not",
        t->compared, t->equal, t->rounded, blocks, t->compared - t->equal - t->rounded - t->quantised);
    free(blocks);
    for (long k = 0; k < t->settings; k++) say(s, "  ", 4, "%s", t->setting[k]);
    for (long k = 0; k < t->n; k++) {
        const finding *f = &t->at[k];
        if (!is_printed(f) && !(all && f->kind == RELATION_QUANTISED)) continue;
        const long before = all ? 0 : saying_the_same(t, 0, k, f);
        if (before < ALIKE) print_finding(s, v->of[0], f);
        if (all || before != ALIKE - 1) continue;
        const long more = saying_the_same(t, k + 1, t->n, f);
        if (more) say(s, "  ", 4, "and %ld more: %s (--all lists them)", more, f->text);
    }
    for (long k = 0; k < t->remarks; k++) say(s, "  ", 4, "%s.", t->remark[k]);
}

/* ---- tokens ------------------------------------------------------------------------------------------------------ */

static char *stage_words(const verified *v, const stage_gap *g)
{
    switch (g->stage) {
    case STAGE_EMBED:     return must_strdup("the embedding");
    case STAGE_ATTENTION: return must_format("the attention of layer %ld", g->layer);
    case STAGE_MLP:       return must_format("the MLP of layer %ld", g->layer);
    case STAGE_NORM:      return must_strdup(tensor_of(&v->m[0].D, ROLE_DENSE, -1) ? "the layer in front of the head"
                                             : "the final norm");
    default:              return must_strdup("the head");
    }
}

static void print_as_probabilities(const screen *s, const token_gaps *g)
{
    say(s, "  ", 4, "logits up to one constant per token: gap %s; rounding explains %s", number(g->shift),
        number(g->shift_tolerance));
    say(s, "  ", 4, "probabilities: KL divergence %s at most, %s on average", number(g->divergence),
        number(g->mean_divergence));
    say(s, "  ", 4, "most likely token: the same for %ld of %ld; %d most likely: %.1f %% in common", g->same_first,
        g->tokens, COMPARE_TOP, 100 * g->top);
}

void verify_print_gaps(const screen *s, const verified *v)
{
    const token_gaps *g = &v->g;
    heading(s, "On token sequences, in doubles");
    long tokens = 0, last = 0;
    for (long k = 0; k < v->n; k++) {
        const token_list *t = &v->lists[k];
        const long at = t->position ? t->position[t->n - 1] : t->n - 1;
        tokens += t->n;
        last = at > last ? at : last;
    }
    say(s, "", 0, "%ld sequence%s (%s), %ld tokens, positions up to %ld", v->n, v->n == 1 ? "" : "s", v->tokens, tokens,
        last);
    say(s, "  ", 4, "%s: gap %s, where the largest is %s; rounding of the parts that differ explains %s",
        outputs_in(v), number(g->logits), number(g->most), number(g->logits_tolerance));
    if (has_token_logits(&v->m[0].D)) print_as_probabilities(s, g);
    if (v->sizes && v->t.quantised) say(s, "  ", 4, "(rounding to blocks is none of these: B's logits are its own)");
    const stage_gap *first = verify_first_stage(v);
    if (first) {
        char *name = stage_words(v, first);
        say(s, "  ", 4, "the first stage that differs: %s, gap %s of the largest number; rounding explains %s", name,
            number(first->gap), number(first->tolerance));
        free(name);
        if (g->logits <= g->logits_tolerance && !(v->sizes && v->t.quantised))
            say(s, "  ", 4, "the streams differ and the %s: the two do not use the same basis",
                v->m[0].D.headless ? "last one agrees" : "logits agree");
    }
    if (g->list >= 0)
        say(s, "  ", 4, "the first %s: sequence %ld, token %ld, position %ld", v->m[0].D.headless
            ? "row of it that differs" : "logits that differ", g->list + 1, g->token + 1, g->position);
    say(s, "  ", 4, "(what rounding explains: %d times the largest change when every weight is multiplied by 1 +- u "
        "with drawn signs, %d draws each, u at most %s for A and %s for B, and that of doubles for parts that are "
        "equal; a figure, which excuses no part)", COMPARE_FACTOR, COMPARE_DRAWS, number(g->unit[0]),
            number(g->unit[1]));
}

void verify_print_certified(const screen *s, const verified *v)
{
    const certified_gaps *c = &v->c;
    heading(s, "Certified");
    if (c->why) {
        say(s, "", 0, "nothing could be enclosed: %s", c->why);
        return;
    }
    const bool shift = v->relation == UP_TO_SOFTMAX;
    say(s, "", 0, "for these token sequences, and no others, the largest gap of the %s%s lies between %s and %s "
        "(in balls of %ld bits)", outputs_in(v), shift ? " up to one constant per token" : "",
        number(shift ? c->shift_low : c->low), number(shift ? c->shift_high : c->high), v->bits);
    if (has_token_logits(&v->m[0].D))
        say(s, "", 0, "the most likely token certainly is the same for %ld of %ld, certainly another for %ld",
        c->same_first, c->tokens, c->other_first);
}

void verify_print_gradients(const screen *s, const verified *v)
{
    heading(s, "Gradients");
    if (!v->gradients) {
        const bool other = v->scaled.found || v->replay.found;
        say(s, "", 0, "%s", v->image.zero_rows
            ? "not compared: a row of W_Q became 0, which the directions here do not follow"
            : other ? "not compared: the directions here follow changes of basis, orders and folded gains, and not the "
                      "scalings, sums and constructions that make B of A"
            : "nothing can correspond: B was not found to be an image of A");
        return;
    }
    say(s, "", 0, "for the first token sequence, a drawn combination of the logits and a drawn direction of A's "
        "weights in all layers: the derivative in A, and in B along the direction that belongs to it");
    for (long k = 0; k < v->gradients; k++) {
        const gradient_gap *g = &v->gradient[k];
        say(s, "  ", 4, "%s: %.12g in B, %.12g in A: gap %s, rounding explains %s: %s", role_name[g->role], g->of_b,
            g->of_a, number(fabs(g->of_a - g->of_b)), number(g->tolerance),
            verify_same_gradient(g) ? "they correspond" : "they do not correspond");
    }
}

void verify_print_gauges(const screen *s, const verified *v)
{
    const gauge_file *g = &v->gauges;
    if (!g->path && !v->passed) return;
    heading(s, "Gauges that came with B");
    if (v->passed) say(s, "", 0, "%s", v->passed);
    else if (v->alike) say(s, "", 0, "%s is not needed: all parts hold the same numbers", g->path);
    else if (v->gauges_why)
        say(s, "", 0, "the gauges of %s do not make B of A: %s; so gauges are searched for", g->path, v->gauges_why);
    else if (v->image.given)
        say(s, "", 0, "nothing was searched for: the changes of basis are those of %s, and how far B is from A's image "
            "under them was computed", g->path);
    else say(s, "", 0, "%s is not used: parts were left out, or the sizes differ", g->path);
}

void verify_print_image(const screen *s, const verified *v)
{
    const gauge_found *g = &v->image;
    heading(s, "Symmetries of a transformer");
    if (!g->found) {
        say(s, "", 0, "B was not found to be an image of A under gauges of heads and orders of heads and neurons: %s",
            g->why);
        return;
    }
    char *basis = g->bases ? must_format(g->bases > 1 ? "in %ld other bases of the residual stream, "
                                                      : "in another basis of the residual stream, ", g->bases)
                           : must_strdup("");
    say(s, "", 0, "A has an exact image, %s%swith gauges of %ld key heads and %ld heads or MLPs in another order, that "
        "is the same function for all inputs", basis, g->folded
        ? "with the gains of the norms multiplied into the matrices behind them, " : "", g->gauges, g->orders);
    free(basis);
    if (g->zero_rows)
        say(s, "", 0, "in %ld layers a row of W_Q became 0 that nothing reaches behind LayerNorm (N18)", g->zero_rows);
    char *at = place_words(v->of[0], g->layer), *where = must_format("%s%s", *at ? " of " : "", at);
    if (g->distance == 0) say(s, "", 0, "B is that image, number by number");
    else
        say(s, "", 0, "each number of B%s is at most %s of the largest of its tensor away from that image (farthest: "
            "%s%s; rounding to B's coarsest type alone may move it by %s), and at most %.3g units of its type, of %.3g "
            "that are allowed", g->folded ? ", with its gains multiplied in," : "", number(g->distance),
            role_name[g->role], where, number(g->unit), g->units, g->allowed);
    free(at);
    free(where);
}

void verify_print_replay(const screen *s, const verified *v)
{
    const replayed *r = &v->replay;
    if (!r->words) return;
    if (!r->found) say(s, "", 0, "B says that `provably reduce` wrote it with %s, and it is not what that makes of A: "
                                 "%s", r->words, r->why);
    else say(s, "", 0, "B is what `provably reduce` makes of A with %s, which is the same function for all inputs: "
                       "each number of B is at most %.3g roundings to its type away from it, of %.3g that are allowed",
                           r->words, r->units, ROUNDING_UNITS);
}

/* ", 3 neurons"; nothing for 0. */
static void add_count(text_buffer *to, long n, const char *what)
{
    if (n) text_add(to, "%s%ld %s", to->length ? ", " : "", n, what);
}

void verify_print_scaled(const screen *s, const verified *v)
{
    const symmetry_found *g = &v->scaled;
    text_buffer t = { 0 };
    add_count(&t, g->gains, "coordinates of norms and what reads them are scaled");
    add_count(&t, g->neurons, "neurons are scaled");
    add_count(&t, g->values, "coordinates of values are scaled");
    add_count(&t, g->keys, "coordinates of queries and keys are scaled");
    add_count(&t, g->norm_biases, "biases of norms are in the biases of what reads them");
    add_count(&t, g->value_biases, "biases of values are in b_O (N16: rows of softmax sum to 1)");
    add_count(&t, g->key_biases, "biases of keys do not matter (N16)");
    add_count(&t, g->readers, "columns that read behind LayerNorm have another mean, which it removes");
    add_count(&t, g->writers, "rows that write to the stream have another mean, which LayerNorm removes");
    add_count(&t, g->routers, "routers move all entries of a token together, which softmax does not see");
    if (g->factor) text_add(&t, "%sthe factor of the scores is in queries and keys", t.length ? ", " : "");
    if (g->up_to_a_constant) text_add(&t, "%seach row of the head has a constant more", t.length ? ", " : "");
    say(s, "", 0, "A has an exact image%s under symmetries that need no search: %s%s",
        g->up_to_a_constant ? ", up to softmax," : "", t.length ? t.at : "none is needed", g->exact
            ? "; B is that image, number by number" : "");
    text_clear(&t);
    if (!g->exact)
        say(s, "", 0, "each number of B is at most %.3g units of its type away from it, of %.3g that are allowed "
            "there, where sums of products count as one number of the size that their terms' roundings add up to",
                g->units, g->allowed);
}

/* ---- by name ----------------------------------------------------------------------------------------------------- */

static void print_files(const screen *s, const char *which, const opened *m)
{
    say(s, which, 3, "%s: %s, %ld tensors, %zu numbers%s%s", m->w.path, m->w.format, m->w.tensors, m->D.parameters,
        m->why ? "; its function is not computed here: " : "", m->why ? m->why : "");
}

char *verify_fused_words(const listing *l)
{
    return l->fused ? must_format("%ld tensor%s of one of the two %s several in the other: by their names and shapes, "
                                  "one behind the other", l->fused, l->fused == 1 ? "" : "s", l->fused == 1 ? "is"
                                      : "are") : NULL;
}

void verify_print_listing(const screen *s, const verified *v, bool all)
{
    const listing *l = &v->listed;
    print_files(s, "A: ", &v->m[0]);
    print_files(s, "B: ", &v->m[1]);
    heading(s, "Tensors, by name");
    say(s, "", 0, "%ld tensors compared: %ld hold the same numbers, %ld are equal to rounding, %ld are not",
        l->compared, l->equal, l->rounded, l->compared - l->equal - l->rounded - l->quantised - l->open_parts);
    if (l->quantised) say(s, "  ", 4, "%ld others are A's rounded to blocks", l->quantised);
    if (l->open_parts) say(s, "  ", 4, "%ld of them are undecided", l->open_parts);
    if (l->renamed) say(s, "  ", 4, "%ld of them have another prefix in B", l->renamed);
    char *fused = verify_fused_words(l);
    if (fused) say(s, "  ", 4, "%s", fused);
    free(fused);
    if (l->tied) say(s, "  ", 4, "%s", l->tied);
    for (long k = 0; k < l->settings; k++) say(s, "  ", 4, "%s", l->setting[k]);
    for (long k = 0; k < l->n; k++) {
        const listed *f = &l->at[k];
        long before = 0, more = 0;
        if (f->kind == LISTED_QUANTISED && !all) continue;
        for (long i = 0; i < l->n && !all; i++)
            if (strcmp(l->at[i].text, f->text) == 0) *(i < k ? &before : &more) += i != k;
        if (before < ALIKE) {
            char *gap = isnan(f->gap) ? must_strdup("") : must_format(" (gap %s of the largest, %.3g units of its "
                                                                      "type)",
                                                                      number(f->gap), f->units);
            say(s, "  ", 4, "%s: %s%s", f->tensor, f->text, gap);
            free(gap);
        }
        if (!all && before == ALIKE - 1 && more) say(s, "  ", 4, "and %ld more: %s (--all lists them)", more, f->text);
    }
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

void verify_print_answer(const screen *s, const verified *v)
{
    static const char *const words[ANSWERS] = {
        [ANSWER_SAME] = "the same function for all inputs",
        [ANSWER_ROUNDED] = "the same up to rounding, for all inputs",
        [ANSWER_QUANTISED] = "B is A rounded to blocks",
        [ANSWER_NUMBERS] = "the same numbers and settings", [ANSWER_AS_ASKED] = "as asked, on these token sequences",
        [ANSWER_DIFFERENT] = "different", [ANSWER_UNDECIDED] = "undecided" };
    const char *common = v->m[0].D.V != v->m[1].D.V ? "of the tokens that both have, for all inputs of these"
                       : "at the positions that both have, for all inputs of these";
    const bool sequences = v->is == ANSWER_DIFFERENT && !v->by_name && verify_asked(v);
    heading(s, "Answer");
    const bool coarse = v->is == ANSWER_ROUNDED && v->of_numbers;
    if (verify_in_common(v))
        say(s, "", 0, "the same logits %s%s: %s", common, v->is == ANSWER_ROUNDED ? ", up to rounding" : "",
            v->because);
    else if (v->is == ANSWER_QUANTISED && !v->by_name) {
        quantised_parts q = verify_quantised_parts(&v->t);
        say(s, "", 0, "B is A rounded to %s: %s", q.types, v->because);
        free(q.types);
    } else say(s, "", 0, "%s%s: %s%s", coarse ? "the same numbers and settings up to rounding" : words[v->is],
             sequences ? " on these token sequences" : "", v->because,
        v->is == ANSWER_AS_ASKED ? "; nothing is said about others" : "");
    if (v->figures && v->is == ANSWER_UNDECIDED) {
        char *first = has_token_logits(&v->m[0].D) ? must_format("; the most likely token is the same for %ld of %ld",
                                                                 v->g.same_first, v->g.tokens) : must_strdup("");
        say(s, "", 0, "on these token sequences: gap of the %s %s, where rounding of the parts that differ explains "
            "%s%s", outputs_in(v), number(v->g.logits), number(v->g.logits_tolerance), first);
        free(first);
    }
    if (v->figures && v->is == ANSWER_QUANTISED) {
        char *more = has_token_logits(&v->m[0].D) ? must_format("; KL divergence %s at most; the most likely token is "
                                                                "the same for %ld of %ld", number(v->g.divergence),
                                                                v->g.same_first, v->g.tokens) : must_strdup("");
        say(s, "", 0, "on these token sequences: gap of the %s %s, where the largest is %s%s", outputs_in(v),
            number(v->g.logits), number(v->g.most), more);
        free(more);
    }
    if (v->differentiated && !v->corresponds)
        say(s, "", 0, v->gradients ? "the gradients do not correspond" : "the gradients were not compared");
    if (v->arounds)
        say(s, "", 0, "But what surrounds the weights differs, and even the same function is a broken model with "
            "another vocabulary:");
    for (long k = 0; k < v->arounds; k++) say(s, "  ", 4, "%s", v->around[k]);
}
