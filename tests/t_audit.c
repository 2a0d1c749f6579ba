/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_audit.c - the numbers audit: counts against real matrices, published totals, formulas, and the table itself. */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/methods/counts/description_shape.h"
#include "src/methods/counts/design.h"
#include "src/methods/counts/postfix.h"
#include "src/methods/counts/recount.h"
#include "src/methods/rank/dimension.h"
#include "src/report/sections/sections.h"
#include "src/claim/judge/verdict.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

/* ---- counts ---------------------------------------------------------------------------------------- */

static long total_of(const description *m)
{
    const counts c = count_parameters(m);
    return count_total(&c);
}

START_TEST(published_totals)
{
    static const struct { const char *path; long total; } known[] = {
        { "reports/models/gpt2-medium.conf", 354823168 }, { "reports/models/gpt2-xl.conf", 1557611200 },
        { "reports/models/llama-3-8b.conf", 8030261248 }, { "reports/models/nanogpt-124m.conf", 124373760 },
        { "reports/models/vit-mnist.conf", 279106 }, { "reports/models/theorem-4.4.conf", 162988032 } };
    for (size_t k = 0; k < COUNT(known); k++) {
        const description m = describe_read(known[k].path);
        ck_assert_msg(total_of(&m) == known[k].total, "%s: %ld", known[k].path, total_of(&m));
    }
}
END_TEST

static long entries(const mat *A) { return A ? A->rows * A->cols : 0; }
static long diagonal(const mat *A) { return A ? A->rows : 0; }

/* Every number that a random model of the theorems holds. */
static long held_by(model *M)
{
    const mat **all[4 + 5 * MAX_LAYERS + 3 * MAX_EXPERTS * MAX_LAYERS];
    const long n = model_weights(M, all, (long)COUNT(all));
    long held = diagonal(M->gain_f) + entries(M->bias_f);
    for (long k = 0; k < n; k++) held += entries(*all[k]);
    for (long i = 0; i < M->s.L; i++) {
        const layer *W = &M->at[i];
        held += entries(W->bQ) + entries(W->bK) + entries(W->bV) + entries(W->bO) + diagonal(W->gain1) + diagonal(W->gain2)
              + entries(W->bias1) + entries(W->bias2) + diagonal(W->gain_q) + diagonal(W->gain_k);
        for (long e = 0; e < (M->s.experts ? M->s.experts : 1); e++)
            held += entries(W->expert[e].b_up) + entries(W->expert[e].b_gate) + entries(W->expert[e].b_down);
    }
    return held;
}

static uint64_t counter;
static long below(uint64_t n)
{
    static const uint64_t key[2] = { 20261121, 77 };
    return (long)random_below(key, counter++, n);
}

START_TEST(counts_are_those_of_matrices)
{
    arith R = arith_f64();
    for (int k = 0; k < 300; k++) {
        static const char *const norms[] = { "none", "layer", "rms" };
        const long kv = 1 + below(3), h = kv * (1 + below(2)), dk = 2 * (1 + below(2)), d = 2 + below(9), m = 1 + below(9);
        const long norm = below(3), biases = below(2), gated = below(2), experts = below(3), tied = below(2), qk = below(2);
        shape sh = { .n = 2 + below(3), .d = d, .h = h, .dk = dk, .h_kv = kv, .m = m, .V = 3 + below(5), .L = 1 + below(3),
                     .attn_skip = true, .mlp_skip = true, .biases = biases, .gated = gated, .experts = experts, .tied = tied,
                     .qk_norm = qk, .norm = norm == 0 ? NORM_NONE : norm == 1 ? NORM_LAYER : NORM_RMS };
        const char *wrong = shape_complete(&sh);
        ck_assert_msg(!wrong, "%s", wrong);
        char *text = temp_format("layers=%ld\nwidth=%ld\nheads=%ld\nkv_heads=%ld\nhead_width=%ld\nmlp=%ld\ngated=%s\n"
            "experts=%ld\nvocabulary=%ld\ncontext=%ld\npositions=learned\ntied=%s\nbiases=%s\nnorm=%s\nqk_norm=%s\n",
            sh.L, d, h, kv, dk, m, gated ? "yes" : "no", experts, sh.V, sh.n, tied ? "yes" : "no", biases ? "yes" : "no",
            norms[norm], qk ? "yes" : "no");
        description D;
        long line;
        char *why = describe_parse(&D, text, &line);
        ck_assert_msg(!why, "line %ld: %s", line, why);
        scope s = scope_open(&R, 1, (uint64_t)k);
        model M = model_random(&s, sh);
        ck_assert_msg(total_of(&D) == held_by(&M), "%ld against %ld of:\n%s", total_of(&D), held_by(&M), text);
        scope_close(&s);
    }
    arith_close(&R);
}
END_TEST

START_TEST(operations_of_a_small_model)
{
    description m;
    long line;
    ck_assert_ptr_null(describe_parse(&m, "layers=3\nwidth=4\nheads=2\nmlp=5\ngated=yes\nexperts=4\nactive=2\nvocabulary=7\n"
                                          "context=6\nkv_heads=1\n", &line));
    /* W_Q, W_O 16; W_K, W_V 8; two experts of three 4 x 5; router 16; head 28 once; scores and mix 2 x 6 x 4 a layer */
    ck_assert_int_eq(count_operations(&m).matrices, 2 * (3 * (16 + 16 + 8 + 8 + 2 * 60 + 16) + 28));
    ck_assert_int_eq(count_operations(&m).context, 2 * 3 * 2 * 6 * 4);
}
END_TEST

/* ---- gauge and removals ---------------------------------------------------------------------------- */

#define SMALL "layers=2\nwidth=4\nheads=2\nmlp=8\nvocabulary=7\ncontext=4\npositions=learned\n"
START_TEST(gauge_dimensions_of_the_ledger)
{
    static const struct { const char *text; long dimension; } known[] = {
        { SMALL, 52 }, { SMALL "mlp_skip=no\n", 84 }, { SMALL "attention_skip=no\nmlp_skip=no\n", 116 },
        { SMALL "attention_skip=no\n", 84 }, { SMALL "mlp_skip=no\ntied=yes\n", 64 }, { SMALL "tied=yes\n", 38 },
        { SMALL "activation=relu\n", 68 }, { SMALL "biases=yes\n", 84 }, { SMALL "shared=yes\n", 36 },
        { SMALL "norm=rms\n", 6 + 32 + 20 + 4 }, { SMALL "qk_norm=yes\n", 16 + 4 + 16 + 4 },
        { SMALL "kv_heads=1\n", 16 + 16 + 4 }, { SMALL "gated=yes\n", 52 + 16 },
        { SMALL "biases=yes\nkv_heads=1\n", 36 + 2 * (2 + 2 + 8) }, { SMALL "norm=rms\nactivation=relu\n", 62 + 16 },
        { SMALL "parallel=yes\n", 52 }, { SMALL "norm=layer\n", 7 + 4 + 2 * 12 + 2 * 20 + 7 + 20 + 3 + 32 + 3 },
        { SMALL "norm=layer\ntied=yes\n", 4 + 2 * 12 + 2 * 20 + 16 + 32 + 1 },
        { SMALL "attention_skip=no\nnorm=layer\ntied=yes\n", -1 }, { SMALL "norm=rms\nexperts=2\n", -1 },
        { SMALL "norm=rms\nfinal_norm=no\n", -1 }, { SMALL "experts=3\nactive=2\n", -1 },
        { "layers=2\nwidth=8\nheads=2\nmlp=9\nvocabulary=9\ncontext=4\npositions=learned\nqk_norm=yes\n",
          64 + 2 * (4 + 2 * 16) + 8 } };
    for (size_t k = 0; k < COUNT(known); k++) {
        description m;
        long line;
        ck_assert_ptr_null(describe_parse(&m, known[k].text, &line));
        const gauge_count g = count_gauge(&m);
        ck_assert_msg(g.dimension == known[k].dimension, "%ld, not %ld of:\n%s", g.dimension, known[k].dimension,
                      known[k].text);
        ck_assert((g.why == NULL) == (g.dimension >= 0));
    }
}
END_TEST

/* What audit says of a model is what the ranks of its Jacobians say. */
#define TINY "width=4\nheads=2\nmlp=6\nvocabulary=6\ncontext=3\n"
static const char *const described[] = {
    TINY "layers=2\npositions=learned\n", TINY "layers=2\npositions=learned\nmlp_skip=no\n",
    TINY "layers=2\npositions=learned\nattention_skip=no\nkv_heads=1\n",
    TINY "layers=2\npositions=learned\nnorm=layer\ntied=yes\n",                                        /* nanoGPT */
    TINY "layers=2\npositions=learned\nnorm=layer\ntied=yes\nbiases=yes\n",                              /* GPT-2 */
    TINY "layers=2\nkv_heads=1\ngated=yes\nactivation=silu\npositions=rope\nnorm=rms\n",                /* Llama */
    TINY "layers=2\nkv_heads=1\ngated=yes\npositions=rope\nnorm=rms\nqk_norm=yes\ntied=yes\n",
    TINY "layers=2\npositions=learned\nnorm=rms\nmlp_skip=no\n", TINY "layers=3\npositions=learned\nnorm=rms\nshared=yes\n",
    TINY "layers=3\npositions=learned\nnorm=layer\nshared=yes\nqk_norm=yes\n",
    TINY "layers=1\npositions=learned\nparallel=yes\nnorm=layer\nnorms=1\nbiases=yes\n",
    TINY "layers=2\npositions=learned\nexperts=2\n", TINY "layers=2\nbiases=yes\nnorm=layer\n",
};

static dimension ranks_of(const shape *sh, bool all_identity)
{
    static const uint64_t key[2] = { 20261121, 78 };
    const dimension_of what = { .sh = *sh, .without_query = all_identity ? ((uint64_t)1 << sh->L) - 1 : 0 };
    arith R = arith_fp(2305843009213693921u, key);
    const dimension D = dimension_find(&R, &what, 5, 3);
    arith_close(&R);
    ck_assert_int_eq(D.is, HOLDS);
    ck_assert(D.null && D.rank + D.gauge == D.parameters);
    return D;
}

START_TEST(counts_are_those_of_ranks)
{
    description m;
    long line;
    shape sh;
    ck_assert_ptr_null(describe_parse(&m, described[_i], &line));
    ck_assert_ptr_null(description_shape(&m, &sh));
    const dimension full = ranks_of(&sh, false), reduced = ranks_of(&sh, true);
    const query_count q = count_query(&m);
    ck_assert_int_eq(full.parameters, total_of(&m));
    ck_assert_int_eq(q.weights, full.parameters - reduced.parameters);
    ck_assert_int_eq(count_gauge(&m).dimension, full.parameters - full.rank);
    ck_assert_msg(q.lost == full.rank - reduced.rank, "%ld lost, not %ld, of:\n%s", full.rank - reduced.rank, q.lost,
                  described[_i]);
}
END_TEST

START_TEST(query_weights_of_known_models)
{
    static const struct { const char *path; long weights, lost; } known[] = {
        { "reports/models/nanogpt-124m.conf", 7077888, 6478848 },      /* L (d(d-1) - h dk^2) */
        { "reports/models/gpt2-medium.conf", 24 * 1048576, 24 * (1024 * 1023 - 16 * 4096) },
        { "reports/models/llama-3-8b.conf", 536870912, 528336896 },    /* L (d^2 - d - h_kv dk/2) - d(d-1)/2 */
        { "reports/models/theorem-4.4.conf", 7077888, 0 } };
    for (size_t k = 0; k < COUNT(known); k++) {
        const description m = describe_read(known[k].path);
        const query_count q = count_query(&m);
        ck_assert_msg(!q.why && q.weights == known[k].weights && q.lost == known[k].lost, "%s: %ld of %ld",
                      known[k].path, q.lost, q.weights);
        ck_assert_int_gt(count_gauge(&m).dimension, 0);
    }
    const description patches = describe_read("reports/models/vit-mnist.conf");
    ck_assert(count_query(&patches).lost == -1 && strstr(count_query(&patches).why, "patches"));
}
END_TEST

static long removed(const char *text, const char *of)
{
    description m;
    long line, sum = 0;
    removal all[COUNT_REMOVALS];
    ck_assert_ptr_null(describe_parse(&m, text, &line));
    count_removals(&m, all);
    for (int k = 0; k < COUNT_REMOVALS; k++) if (strcmp(all[k].claim, of) == 0) sum += all[k].removed;
    return sum;
}

START_TEST(theorems_remove_where_they_apply)
{
    ck_assert_int_eq(removed(SMALL, "K-T4.2"), 16);
    ck_assert_int_eq(removed(SMALL "tied=yes\n", "K-T4.2"), 0);
    ck_assert_int_eq(removed(SMALL "norm=rms\n", "K-T4.2"), 0);
    ck_assert_int_eq(removed(SMALL, "K-T4.4"), 0);
}
END_TEST

START_TEST(theorems_remove_no_more_than_they_say)
{
    ck_assert_int_eq(removed(SMALL "mlp_skip=no\n", "K-T4.4"), 32);
    ck_assert_int_eq(removed(SMALL "mlp_skip=no\ntied=yes\n", "K-T4.4"), 32);
    ck_assert_int_eq(removed(SMALL "attention_skip=no\n", "N2"), 32);
    ck_assert_int_eq(removed(SMALL "mlp_skip=no\n", "N2"), 0);
    ck_assert_int_eq(removed(SMALL "shared=yes\n", "K-T4.3"), 16);
    ck_assert_int_eq(removed(SMALL "shared=yes\n", "K-T4.2"), 0);
    ck_assert_int_eq(removed(SMALL, "K-P4.1"), 0);
    ck_assert_int_eq(removed("layers=2\nwidth=4\nheads=1\nmlp=8\nvocabulary=7\ncontext=4\n", "K-P4.1"), 64);
    ck_assert_int_eq(removed(SMALL, "N1b"), 2 * 16);
    ck_assert_int_eq(removed(SMALL "norm=layer\ntied=yes\nqk_norm=yes\n", "N1b"), 16);
    ck_assert_int_eq(removed(SMALL "kv_heads=1\n", "N4"), 16);
    ck_assert_int_eq(removed(SMALL, "N4"), 0);
    ck_assert_int_eq(removed(SMALL "norm=rms\n", "N7"), 16 - 4);
    ck_assert_int_eq(removed(SMALL "norm=rms\nmlp_skip=no\n", "N7"), 0);
    ck_assert_int_eq(removed(SMALL "norm=rms\nmlp_skip=no\n", "N19"), 2 * (16 - 4 + 2));
    ck_assert_int_eq(removed(SMALL "norm=rms\nshared=yes\n", "N19"), 16 - 4 + 2);
    ck_assert_int_eq(removed(SMALL "norm=rms\n", "N19"), 0);
    ck_assert_int_eq(removed(SMALL "norm=rms\nmlp_skip=no\ntied=yes\n", "N19"), 0);
    ck_assert_int_eq(removed(SMALL "norm=rms\nkv_heads=1\n", "N20"), 6 + 3);
    ck_assert_int_eq(removed("layers=1\nwidth=8\nheads=2\nkv_heads=1\nmlp=9\nvocabulary=9\ncontext=4\npositions=rope\n"
                             "norm=rms\n", "N20"), 28 + 4);
    ck_assert_int_eq(removed(SMALL "norm=rms\n", "N20"), 0);
}
END_TEST

/* ---- the reader ------------------------------------------------------------------------------------ */

START_TEST(descriptions_are_refused_with_line_and_reason)
{
    static const struct { const char *text, *why; long line; } bad[] = {
        { "layers=2\nwidth\n", "name=value", 2 }, { "layers=2\nlayers=2\n", "twice", 2 }, { "\n\ndepth=3\n", "no such name", 3 },
        { "layers=0\n", "from 1 to 4096", 1 }, { "layers=2x\n", "whole number", 1 }, { "layers=+2\n", "whole number", 1 },
        { "layers=99999999999999999999\n", "whole number", 1 }, { "tied=maybe\n", "one of: no yes", 1 },
        { "layers=2\n", "width is missing", 2 }, { SMALL "kv_heads=3\n", "divide", 9 },
        { "layers=1\nwidth=4\nheads=2\nmlp=8\ncontext=4\n", "no input", 6 }, { SMALL "patch=4\n", "not both", 9 },
        { SMALL "classes=4\n", "classes go with patch", 9 }, { SMALL "active=2\n", "more than experts", 9 },
        { "layers=1\nwidth=4\nheads=2\nmlp=0\nexperts=2\nvocabulary=3\ncontext=4\n", "experts without", 8 },
        { SMALL "norms=2\n", "need norm=", 9 }, { SMALL "head_width=3\nquery=identity\n", "heads * head_width", 10 },
        { SMALL "kv_heads=1\nkey=query\n", "kv_heads = heads", 10 },
        { "layers=1\nwidth=4\nheads=8\nmlp=1\nvocabulary=3\ncontext=4\n", "less than 1", 7 },
        { "layers=1\nwidth=4\nheads=2\nmlp=1\npatch=3\ncontext=4\n", "goes with classes", 7 },
        { "layers=1\nwidth=4\nheads=2\nmlp=1\npatch=3\nclasses=2\ntied=yes\ncontext=4\n", "tied needs", 9 } };
    for (size_t k = 0; k < COUNT(bad); k++) {
        description m;
        long line;
        char *why = describe_parse(&m, bad[k].text, &line);
        ck_assert_msg(why && strstr(why, bad[k].why), "`%s` for:\n%s", why ? why : "nothing", bad[k].text);
        ck_assert_msg(line == bad[k].line, "line %ld of:\n%s", line, bad[k].text);
        free(why);
    }
}
END_TEST

START_TEST(what_is_written_reads_back)
{
    static const char *const name[] = { "gpt", "gpt_d744", "gpt_untied_noq", "gqa_8", "mnist_6_4_no_sym", "cifar_12_1_mlp_full",
                                        "mnist_6_1_mlp_min" };
    for (size_t k = 0; k < COUNT(name); k++) {
        description m, again;
        long line;
        char *text = printed_model_text(name[k]), *written = NULL;
        size_t size;
        ck_assert_ptr_nonnull(text);
        ck_assert_ptr_null(describe_parse(&m, text, &line));
        FILE *f = open_memstream(&written, &size);
        describe_write(f, &m);
        fclose(f);
        char *why = describe_parse(&again, written, &line);
        ck_assert_msg(!why, "%s: line %ld: %s", name[k], line, why);
        ck_assert_msg(memcmp(&m, &again, sizeof m) == 0, "%s comes back another:\n%s", name[k], written);
        free(written);
        free(text);
    }
    ck_assert_ptr_null(printed_model_text("gpt5"));
    ck_assert_ptr_null(printed_model_text("mnist_7_1_no_full"));
    ck_assert_ptr_null(printed_model_text("mnist_6_1_no_fullest"));
}
END_TEST

/* ---- formulas -------------------------------------------------------------------------------------- */

static bool two(mpq_t out, const char *name)
{
    mpq_set_ui(out, 2, 1);
    return strcmp(name, "two") == 0;
}

START_TEST(formulas_have_their_value)
{
    static const struct { const char *text; double x; } good[] = {
        { "1 + 2*3", 7 }, { "(1 + 2)*3", 9 }, { "2^10/4", 256 }, { "-two^2", -4 }, { "1 - 2 - 3", -4 }, { "8/2/2", 2 },
        { "0.1 + 0.2", 0.3 }, { "max(1, two, 1.5) - min(3, -1)", 3 }, { "sqrt(2)*sqrt(2)", 2 }, { "acosd(0.5)", 60 },
        { "acosd(-1)", 180 }, { "z(50, 50)", 0 }, { "sqrt(0)", 0 }, { "z(98.38, 97.49)", 4.4275 } };
    static const struct { const char *text, *why; } bad[] = {
        { "", "expected" }, { "1 +", "expected" }, { "1 2", "after the formula" }, { "(1", "`)`" }, { "three", "no such name" },
        { "1/(two - 2)", "zero" }, { "sqrt(-1)", "negative" }, { "acosd(2)", "angle" }, { "f(1)", "unknown function" },
        { "2^65", "powers" }, { "2^x", "powers" }, { "z(1)", "two accuracies" }, { "z(0, 0)", "between 0 and 100" },
        { "max(1,)", "expected" } };
    mpq_t x;
    size_t at;
    mpq_init(x);
    for (size_t k = 0; k < COUNT(good); k++) {
        const char *why = formula_value(x, good[k].text, two, &at);
        ck_assert_msg(!why, "%s: %s", good[k].text, why);
        ck_assert_msg(fabs(mpq_get_d(x) - good[k].x) < 1e-4, "%s is %g", good[k].text, mpq_get_d(x));
    }
    for (size_t k = 0; k < COUNT(bad); k++) {
        const char *why = formula_value(x, bad[k].text, two, &at);
        ck_assert_msg(why && strstr(why, bad[k].why), "%s: %s", bad[k].text, why ? why : "fine");
    }
    ck_assert_ptr_null(formula_value(x, "0.1*3 - 0.3", two, &at));
    ck_assert_int_eq(mpq_sgn(x), 0);                       /* decimals are exact */
    mpq_clear(x);
}
END_TEST

/* Reverse Polish notation over the values of P, by a stack. */
static void postfix_value(mpq_t out, const postfix *P, const char *text)
{
    mpq_t stack[64];
    long top = 0;
    char *copy = must_strdup(text), *save = NULL;
    for (size_t k = 0; k < COUNT(stack); k++) mpq_init(stack[k]);
    for (const char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
        if (strlen(w) == 1 && strchr("*+-", *w)) {
            ck_assert_int_ge(--top, 1);
            (*w == '*' ? mpq_mul : *w == '+' ? mpq_add : mpq_sub)(stack[top - 1], stack[top - 1], stack[top]);
            continue;
        }
        for (long k = 0; k < P->nvalues; k++) if (strcmp(P->value[k].name, w) == 0) w = P->value[k].number;
        ck_assert_int_lt(top, (long)COUNT(stack));
        ck_assert_int_eq(mpq_set_str(stack[top++], w, 10), 0);
    }
    ck_assert_int_eq(top, 1);
    mpq_set(out, stack[0]);
    for (size_t k = 0; k < COUNT(stack); k++) mpq_clear(stack[k]);
    free(copy);
}

static void same_value(const char *text, name_lookup *names, bool exact)
{
    postfix P = { 0 };
    fraction f;
    mpq_t x, y, z;
    size_t at;
    mpq_inits(x, y, z, (mpq_ptr)NULL);
    ck_assert_ptr_null(formula_value(x, text, names, &at));
    ck_assert_msg(postfix_of(&P, &f, text, names) == exact, "%s", text);
    if (exact) {
        postfix_value(y, &P, f.over);
        postfix_value(z, &P, f.under);
        mpq_mul(z, z, x);
        ck_assert_msg(mpq_equal(y, z), "%s is not %s over %s", text, f.over, f.under);
    }
    mpq_clears(x, y, z, (mpq_ptr)NULL);
    postfix_fraction_clear(&f);
    postfix_clear(&P);
}

START_TEST(fractions_have_the_value_of_formulas)
{
    static const struct { const char *text; bool exact; } own[] = {
        { "1 + 2*3", true }, { "(1 + 2)*3", true }, { "2^10/4", true }, { "-two^2", true }, { "1 - 2 - 3", true },
        { "8/2/2", true }, { "0.1 + 1/3 - 1/7", true }, { "max(1, two/3, 1.5) - min(3, -1/two)", true },
        { "(two + 1/two)^3", true }, { "two^0 + 2", true }, { "1/(1/two + 1/3)", true }, { "sqrt(2)", false }, { "1 + acosd(0.5)*2", false },
        { "max(1, z(50, 40))", false } };
    for (size_t k = 0; k < COUNT(own); k++) same_value(own[k].text, two, own[k].exact);
    long fractions = 0;
    for (size_t k = 0; k < printed_count(); k++) {
        const char *text = printed_at(k)->formula;
        const bool exact = !strstr(text, "sqrt(") && !strstr(text, "acosd(") && !strstr(text, "z(");
        same_value(text, printed_name, exact);
        fractions += exact;
    }
    ck_assert_int_ge(fractions, 100);
    postfix P = { 0 };
    fraction f;
    ck_assert(postfix_of(&P, &f, "max(two/3, 1)", two));
    ck_assert_int_eq(P.nfacts, 4);                         /* 3 > 0; two <= 3 M1; 1 <= M1; (two - 3 M1)(1 - M1) = 0 */
    ck_assert_str_eq(P.fact[0], "0 < 3");
    ck_assert_str_eq(P.fact[1], "two <= M1 3 *");
    ck_assert_str_eq(P.fact[2], "1 <= M1");
    ck_assert_str_eq(P.fact[3], "two M1 3 * - 1 M1 - * = 0");
    postfix_fraction_clear(&f);
    postfix_clear(&P);
}
END_TEST

START_TEST(printed_numbers_are_rounded_as_printed)
{
    static const struct { const char *printed, *formula; bool agrees; } cases[] = {
        { "84.95M", "84954999", true }, { "84.95M", "84955001", false }, { "84.95M", "84945000", true }, { "8%", "8.499", true },
        { "8%", "8.51", false }, { "490k", "491520", false }, { "~490k", "491520", true }, { "~490k", "495001", false },
        { "279,106", "279106", true }, { "279,106", "279107", false }, { "2.90", "2.9", true }, { "-0.03", "-0.034", true },
        { "-0.03", "0.03", false }, { "> 3", "3", false }, { ">= 3", "3", true }, { "< 3", "3", false }, { "<= 3", "3", true },
        { "> 3", "3.01", true }, { "29.5B", "29491200000", true }, { "~0.5", "0.52", true }, { "7M", "7077888", true } };
    for (size_t k = 0; k < COUNT(cases); k++) {
        printed_number p;
        mpq_t x;
        size_t at;
        mpq_init(x);
        ck_assert_ptr_null(printed_parse(&p, cases[k].printed));
        ck_assert_ptr_null(formula_value(x, cases[k].formula, two, &at));
        ck_assert_msg(printed_agrees(&p, x) == cases[k].agrees, "%s and %s", cases[k].printed, cases[k].formula);
        printed_clear(&p);
        mpq_clear(x);
    }
    for (size_t k = 0; k < 4; k++) {
        static const char *const bad[] = { "", "M", "12x", "1.5kk" };
        printed_number p;
        ck_assert_msg(printed_parse(&p, bad[k]) != NULL, "`%s`", bad[k]);
        printed_clear(&p);
    }
}
END_TEST

/* ---- the table of printed values ------------------------------------------------------------------- */

START_TEST(every_row_is_as_its_part_says)
{
    claim_index x = index_read("reports/claims.csv");
    for (size_t k = 0; k < printed_count(); k++) {
        const printed_value *v = printed_at(k);
        const claim_entry *e = index_find(&x, v->claim);
        ck_assert_msg(e && *e->program, "%s has printed values and no program", v->claim);
        ck_assert_msg(strlen(v->part) < 16, "part %s", v->part);
        recounted r = recount(v, v->formula);
        ck_assert_msg(r.agrees != printed_slips(v), "%s %s: %s", v->claim, v->says, v->formula);
        recount_clear(&r);
        if (!*v->wrong) continue;
        r = recount(v, v->wrong);
        ck_assert_msg(r.agrees == printed_slips(v), "%s %s: %s", v->claim, v->says, v->wrong);
        recount_clear(&r);
    }
    index_free(&x);
}
END_TEST

static bool same_run(const printed_run *a, const printed_run *b)
{
    return strcmp(a->Q, b->Q) == 0 && strcmp(a->train_loss, b->train_loss) == 0 && strcmp(a->val_loss, b->val_loss) == 0
        && strcmp(a->train_acc, b->train_acc) == 0 && strcmp(a->val_acc, b->val_acc) == 0;
}

START_TEST(tables_agree_where_they_share_a_run)
{
    long shared = 0;
    for (size_t i = 0; i < printed_runs_count; i++)
        for (size_t k = 0; k < i; k++) {
            if (strcmp(printed_runs[i].name, printed_runs[k].name) != 0) continue;
            ck_assert_msg(same_run(&printed_runs[i], &printed_runs[k]), "%s", printed_runs[i].name);
            shared++;
        }
    ck_assert_int_eq(shared, 8);
}
END_TEST

/* Double entry: the losses of 003 and 000 Table 2, added up from the papers' texts apart from runs.c. */
START_TEST(losses_add_up)
{
    static const struct { const char *column; double sum; } books[] = { { "loss_100k", 15.091 }, { "loss_60k", 14.728 } };
    static const char *const models[] = { "gpt_mlp3_5", "gpt_d744", "gpt_noq", "gpt", "gpt_noq_mlp4_5" };
    for (size_t b = 0; b < COUNT(books); b++) {
        mpq_t loss, sum;
        mpq_inits(loss, sum, (mpq_ptr)NULL);
        for (size_t k = 0; k < COUNT(models); k++) {
            char *name = temp_format("%s.%s", models[k], books[b].column);
            ck_assert_msg(printed_name(loss, name), "%s", name);
            mpq_add(sum, sum, loss);
        }
        ck_assert_double_eq_tol(mpq_get_d(sum), books[b].sum, 1e-12);
        mpq_clears(loss, sum, (mpq_ptr)NULL);
    }
    mpq_t none;
    mpq_init(none);
    ck_assert(!printed_name(none, "gpt_untied.loss_100k"));
    ck_assert(!printed_name(none, "gpt.loss_10k"));
    mpq_clear(none);
}
END_TEST

START_TEST(designs_of_the_tables)
{
    enum { BOTH = CHANGE_NO_QUERY | CHANGE_SCALE };
    static const struct { const char *table; changes also, never; } tables[] = {
        { "003 Table 2", CHANGE_DECAY, CHANGE_RATE }, { "000 Table 2", CHANGE_RATE, CHANGE_DECAY } };
    arith Q = arith_q((const uint64_t[]){ 1, 1 });
    scope s = scope_open(&Q, 1, 1);
    for (size_t k = 0; k < COUNT(tables); k++) {
        const unsigned all = BOTH | tables[k].also;
        design D = design_of_table(tables[k].table);
        ck_assert_int_eq(D.n, 5);
        ck_assert_int_eq(design_count(&D, all, all), 2);
        ck_assert_int_eq(design_count(&D, all | tables[k].never, 0), 3);
        const mat *A = design_matrix(&s, &D, all);
        ck_assert_int_eq(A->rows, 5);
        ck_assert_int_eq(A->cols, 4);
        ck_assert_int_eq(mat_rank(&s, A), 2);
        ck_assert_int_eq(mat_compare(design_matrix(&s, &D, 0), mat_ones(&s, 5, 1), 0).is, HOLDS);
        design_add(&D, tables[k].also);
        ck_assert_int_eq(design_count(&D, all, tables[k].also), 1);
        ck_assert_int_eq(mat_rank(&s, design_matrix(&s, &D, all)), 3);
        design_add(&D, CHANGE_SCALE);
        ck_assert_int_eq(mat_rank(&s, design_matrix(&s, &D, all)), 4);
    }
    scope_close(&s);
    arith_close(&Q);
}
END_TEST

/* Double entry: the sums of the columns, added up from the paper's text apart from runs.c. */
START_TEST(columns_add_up)
{
    static const struct { const char *table, *sum[6]; } books[] = {
        { "Table 1", { "0", "45.50", "4.9256", "17.3550", "1416.43", "1191.92" } },
        { "Table 2", { "1468684", "69.93", "0.3043", "0.9243", "990.22", "978.08" } },
        { "Table 3", { "1271238", "48.84", "6.1733", "15.7316", "675.60", "487.59" } } };
    for (size_t b = 0; b < COUNT(books); b++)
        for (int column = 0; column < 6; column++) {
            printed_number want;
            mpq_t sum;
            mpq_init(sum);
            for (size_t k = 0; k < printed_runs_count; k++) {
                const printed_run *r = &printed_runs[k];
                const char *const cell[] = { r->parameters, r->Q, r->train_loss, r->val_loss, r->train_acc, r->val_acc };
                printed_number x;
                if (strcmp(r->table, books[b].table) != 0 || !*cell[column]) continue;
                ck_assert_ptr_null(printed_parse(&x, cell[column]));
                mpq_add(sum, sum, x.value);
                printed_clear(&x);
            }
            ck_assert_ptr_null(printed_parse(&want, books[b].sum[column]));
            ck_assert_msg(mpq_equal(sum, want.value), "%s, column %d: %g", books[b].table, column, mpq_get_d(sum));
            printed_clear(&want);
            mpq_clear(sum);
        }
}
END_TEST

/* B-P by hand: P = patches + head + S (attention + norms + MLP) + 60 c */
START_TEST(counts_of_the_second_paper_by_hand)
{
    static const struct { const char *name; long S, attention, mlp, patch, c; } by_hand[] = {
        { "mnist_6_1_mlp_full", 6, 14640, 31036, 3000, 0 }, { "mnist_6_4_no_full", 6, 14640, 0, 3000, 1 },
        { "mnist_6_1_mlp_wqk", 6, 10920, 31036, 3000, 0 }, { "cifar_6_1_mlp_min", 6, 3600, 31036, 11580, 0 },
        { "cifar_6_4_no_sym", 6, 10800, 0, 11580, 1 }, { "cifar_12_4_mlp_full", 12, 14640, 31036, 11580, 1 } };
    for (size_t k = 0; k < COUNT(by_hand); k++) {
        mpq_t x;
        char *name = temp_format("%s.count", by_hand[k].name);
        const long P = by_hand[k].patch + 610 + by_hand[k].S * (by_hand[k].attention + 240 + by_hand[k].mlp)
                     + 60 * by_hand[k].c;
        mpq_init(x);
        ck_assert(printed_name(x, name));
        ck_assert_msg(mpq_cmp_si(x, P, 1) == 0, "%s: %ld by hand, %ld", name, P, (long)mpq_get_d(x));
        mpq_clear(x);
    }
    mpq_t x;
    mpq_init(x);
    static const char *const none[] = { "gpt", "gpt.none", "mnist_6_1_no_full.none", "cifar_6_1_mlp_wqk.acc", ".total" };
    for (size_t k = 0; k < COUNT(none); k++) ck_assert_msg(!printed_name(x, none[k]), "%s", none[k]);
    mpq_clear(x);
}
END_TEST

START_TEST(statistics_reach_the_table)
{
    char *output = NULL;
    size_t size;
    FILE *f = open_memstream(&output, &size);
    ck_assert(audit_table(f, "B-36") && !audit_table(f, "B-0"));
    fclose(f);
    const double p = 98.38, q = 98.71, z = (q - p) * 100 / sqrt(p * (100 - p) + q * (100 - q));
    char *shown = temp_format("z = %.1f, p = ", z), *at = strstr(output, shown);
    ck_assert_msg(at != NULL, "%s is missing in:\n%.3000s", shown, output);
    const double exact = strtod(at + strlen(shown), NULL), normal = 2 * gsl_cdf_ugaussian_Q(z);
    ck_assert_msg(exact > normal && exact < 1.3 * normal, "exact %g, normal %g", exact, normal);
    free(output);
}
END_TEST

/* ---- claims ---------------------------------------------------------------------------------------- */

/* What a body says over q when it runs for a part: the worst of its checks. */
static truth says(body *says_it, const char *id, const char *part_name)
{
    const uint64_t key[2] = { 1, 2 };
    arith R = arith_q(key);
    trial t = { .s = scope_open(&R, 1, 1), .id = id, .part = part_name };
    truth worst = HOLDS;
    says_it(&t);
    ck_assert_int_gt(t.record.nchecks, 0);
    for (long k = 0; k < t.record.nchecks; k++) if (t.record.checks[k].is.is != HOLDS) worst = t.record.checks[k].is.is;
    free(t.record.checks);
    scope_close(&t.s);
    arith_close(&R);
    return worst;
}

/* Every part leaves one certificate, which the checker accepts; none where a formula has an arc or a z. */
START_TEST(parts_are_certified)
{
    char *folder = temp_folder(), output[4096];
    long written = 0, inexact = 0;
    for (size_t k = 0; k < printed_count(); k++) {
        const printed_value *v = printed_at(k);
        if (k && strcmp(v->claim, printed_at(k - 1)->claim) == 0 && strcmp(v->part, printed_at(k - 1)->part) == 0) continue;
        const part P = { .name = v->part, .run = printed_slips(v) ? recount_slips : recount_agrees };
        certifier c = { .folder = folder, .id = v->claim, .part = &P };
        certify_exact(&c, &P, recount_shapes[0].sh, 1);
        ck_assert_int_le(c.written, 1);
        written += c.written;
        inexact += !c.written;
    }
    ck_assert_int_ge(written, 40);
    ck_assert_int_le(inexact, 5);
    ck_assert_msg(run_command(output, sizeof output, "%s/proofcheck %s/*.cert", build_folder(), folder) == 0, "%s", output);
}
END_TEST

static void unfit_formula(void *unused)
{
    (void)unused;
    postfix P = { 0 };
    fraction f;
    if (postfix_of(&P, &f, "nothing", two)) postfix_fraction_clear(&f);
}

START_TEST(only_formulas_become_fractions)
{
    char output[512];
    ck_assert_int_ne(run_child(unfit_formula, NULL, output, sizeof output), 0);
    ck_assert_msg(strstr(output, "`nothing`: no such name"), "%s", output);
}
END_TEST

/* Each body against a part of the other kind: what agrees does not slip, and what slips does not agree. */
START_TEST(bodies_can_be_refuted)
{
    ck_assert_int_eq(says(recount_agrees, "B-P", "as-stated"), HOLDS);
    ck_assert_int_eq(says(recount_agrees, "B-P", "as-stated-slips"), REFUTED);
    ck_assert_int_eq(says(recount_slips, "B-P", "as-stated"), REFUTED);
    ck_assert_int_eq(says(recount_agrees, "B-36", "as-stated-slips"), REFUTED);      /* bounds */
    ck_assert_int_eq(says(recount_slips, "B-36", "corrected"), REFUTED);
    ck_assert_int_eq(says(recount_term[0].run, "B-P", "as-stated"), REFUTED);
    ck_assert_int_eq(says(recount_term[0].run, "B-P", "as-stated-slips"), HOLDS);
    ck_assert_int_eq(says(recount_explanation[0].run, "B-P", "as-stated-slips"), REFUTED);
    ck_assert_int_eq(says(recount_explanation[0].run, "B-P", "as-stated"), HOLDS);
}
END_TEST

static void no_control(void *unused)
{
    (void)unused;
    contract_set_handler(contract_exits);
    trial t = { .id = "B-P", .part = "as-stated-swap" };
    recount_term[0].run(&t);
}

static void unknown_part(void *unused)
{
    (void)unused;
    contract_set_handler(contract_exits);
    trial t = { .id = "B-P", .part = "as-printed" };
    recount_agrees(&t);
}

static void bad_formula(void *unused)
{
    (void)unused;
    contract_set_handler(contract_exits);
    const printed_value v = { .claim = "B-P", .says = "x", .printed = "1", .formula = "1/0" };
    recounted r = recount(&v, v.formula);
    recount_clear(&r);
}

static void bad_number(void *unused)
{
    (void)unused;
    contract_set_handler(contract_exits);
    const printed_value v = { .claim = "B-P", .says = "x", .printed = "one", .formula = "1" };
    recounted r = recount(&v, v.formula);
    recount_clear(&r);
}

static void too_large(void *unused)
{
    (void)unused;
    contract_set_handler(contract_exits);
    const printed_value v = { .claim = "B-P", .says = "x", .printed = "1", .formula = "10^61" };
    char text[96];
    recounted r = recount(&v, v.formula);
    recount_text(text, sizeof text, &r);
}

static void no_such_table(void *unused)
{
    (void)unused;
    contract_set_handler(contract_exits);
    design_of_table("003 Table 1");
}

static void too_many_runs(void *unused)
{
    (void)unused;
    contract_set_handler(contract_exits);
    design D = { .n = MAX_DESIGN_RUNS };
    design_add(&D, 0);
}

START_TEST(contracts_fire)
{
    void (*const broken[])(void *) = { unknown_part, bad_formula, bad_number, too_large, no_control, no_such_table,
                                       too_many_runs };
    for (size_t k = 0; k < COUNT(broken); k++) {
        char output[2048];
        const int status = run_child(broken[k], NULL, output, sizeof output);
        ck_assert_msg(status == CONTRACT_STATUS && strstr(output, "contract: "), "%zu: %d, %s", k, status, output);
    }
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("audit");
    const TTest *const tests[] = {
        published_totals, counts_are_those_of_matrices, operations_of_a_small_model, gauge_dimensions_of_the_ledger,
        query_weights_of_known_models,
        theorems_remove_where_they_apply, theorems_remove_no_more_than_they_say, descriptions_are_refused_with_line_and_reason,
        what_is_written_reads_back, formulas_have_their_value, parts_are_certified, only_formulas_become_fractions,
        fractions_have_the_value_of_formulas, printed_numbers_are_rounded_as_printed,
        every_row_is_as_its_part_says, tables_agree_where_they_share_a_run, counts_of_the_second_paper_by_hand,
        columns_add_up, losses_add_up, designs_of_the_tables, statistics_reach_the_table, bodies_can_be_refuted, contracts_fire };
    TCase *all = tcase_create("numbers");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 0);
    for (size_t k = 0; k < COUNT(tests); k++) tcase_add_test(all, tests[k]);
    tcase_add_loop_test(all, counts_are_those_of_ranks, 0, COUNT(described));
    return run_suite(suite, argc, argv);
}
