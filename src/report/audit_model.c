/* SPDX-License-Identifier: GPL-3.0-or-later
 * audit_model.c - what a described model holds, does and could do without: `provably audit --model`. */
#include <stdlib.h>
#include <string.h>
#include "src/methods/counts/printed.h"
#include "src/base/base.h"
#include "src/report/audit.h"
#include "src/report/sections/sections.h"

/* "354,823,168" */
static void thousands(char *to, size_t size, long x)
{
    char digits[32];
    const int n = snprintf(digits, sizeof digits, "%ld", x);
    size_t used = 0;
    for (int k = 0; k < n && used + 2 < size; k++) {
        if (k && (n - k) % 3 == 0) to[used++] = ',';
        to[used++] = digits[k];
    }
    to[used] = '\0';
}

static void line(const char *what, long x, long of)
{
    char number[48];
    thousands(number, sizeof number, x);
    printf("  %-56s %17s", what, number);
    if (of > 0) printf("  %6.2f%%", 100.0 * (double)x / (double)of);
    printf("\n");
}

static void lines(const char *head, const char *const what[], const long x[], size_t n, long of)
{
    printf("%s\n", head);
    for (size_t k = 0; k < n; k++) if (x[k]) line(what[k], x[k], of);
}

static void parameters(const description *m)
{
    const counts c = count_parameters(m);
    const long total = count_total(&c), outside = count_embedding(&c);
    printf("parameters\n");
    line("total", total, total);
    line("without embeddings and head", total - outside, total);
    line("embeddings and head", outside, total);
    lines("of these, in all layers",
          (const char *const[]){ "W_Q", "W_K", "W_V", "W_O", "MLP, up", "MLP, gate", "MLP, down", "router",
                                 "biases of attention", "biases of the MLP" },
          (const long[]){ c.query, c.key, c.value, c.output, c.up, c.gate, c.down, c.router, c.attention_bias,
                          c.mlp_bias }, 10, total);
    lines("and outside of them, norms included", (const char *const[]){ "norms", "token embedding", "patch embedding",
          "positions", "further vectors", "head" }, (const long[]){ c.norm, c.tokens, c.patch, c.positions, c.extra,
          c.head }, 6, total);
}

static void say_work(const description *m)
{
    const operations op = count_operations(m);
    printf("operations per token, forward (a product and a sum count 2)\n");
    line("with weights", op.matrices, 0);
    line("between tokens, full context", op.context, 0);
    line("together", op.matrices + op.context, 0);
    line("together, causal: half of the context", op.matrices + op.context / 2, 0);
}

/* W_Q = I in every layer, as the papers train it from scratch: what is lost. */
static void identity_query(const description *m)
{
    const query_count q = count_query(m);
    printf("W_Q = I in every layer: dimensions of functions that are lost\n");
    line("weights of W_Q", q.weights, q.weights);
    if (q.why) { printf("  no formula of N9: %s\n", q.why); return; }
    line("lost, by N9 and N18 to N20", q.lost, q.weights);
    line("redundant", q.weights - q.lost, q.weights);
    printf(q.lost ? "  no reparametrization: at this width almost no model has an equal one with W_Q = I\n"
                  : "  nothing is lost: K-P4.1, K-T4.2, K-T4.3, K-T4.4 and N2 say how W_Q goes\n");
}

static void redundant(const description *m)
{
    const counts c = count_parameters(m);
    const gauge_count g = count_gauge(m);
    removal all[COUNT_REMOVALS];
    count_removals(m, all);
    printf("dimension of the set of weights with the same function\n");
    if (g.why) {
        line("at least, by K-P3.2 and N1", g.least, count_total(&c));
        printf("  no formula of N8: %s\n", g.why);
    } else line("by N8", g.dimension, count_total(&c));
    printf("what each theorem could remove without changing the function; one at a time, they do not add up\n");
    for (int k = 0; k < COUNT_REMOVALS; k++) {
        char what[72];
        snprintf(what, sizeof what, "%-7s%s", all[k].claim, all[k].what);
        if (!all[k].why_not) { line(what, all[k].removed, count_total(&c)); continue; }
        printf("  %-58s no: %s\n", what, all[k].why_not);
    }
    if (m->query == PROJECTION_OWN) identity_query(m);
}

static description model_given(const char *name)
{
    char *text = printed_model_text(name);
    if (!text) return describe_read(name);
    const description m = description_of(text);
    free(text);
    return m;
}

int audit_print(const audit_options *o)
{
    if (!o->model) {
        if (audit_table(stdout, o->claim)) return 0;
        die("no number of claim `%s` is printed; `provably audit` shows all", o->claim);
    }
    const description m = model_given(o->model);
    if (o->describe) { describe_write(stdout, &m); return 0; }
    printf("%s\n", o->model);
    parameters(&m);
    say_work(&m);
    redundant(&m);
    return 0;
}
