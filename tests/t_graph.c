/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_graph.c - the graph of claims: what it shows, where it puts it, and what it refuses. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/report/document/html.h"
#include "src/report/document/latex.h"
#include "src/report/sections/sections.h"
#include "tests/support/suite.h"

enum { MOST = 64 };
static claim_record at[MOST];
static char ids[MOST][16], uses[MOST][MOST * 8];
static claim_entry entries[MOST];
static evidence_set made(long n)
{
    for (long k = 0; k < n; k++) {
        at[k] = (claim_record){ .entry = &entries[k], .own = { .n = 1 }, .v = { .as_stated = V_PROVED } };
        at[k].text.depends = uses[k];
        snprintf(at[k].id, sizeof at[k].id, "%s", ids[k]);
        snprintf(entries[k].title, sizeof entries[k].title, "title < %ld", k);
    }
    return (evidence_set){ .at = at, .n = n, .built = n };
}

static void name(long k, const char *id, const char *depends)
{
    snprintf(ids[k], sizeof ids[k], "%s", id);
    snprintf(uses[k], sizeof uses[k], "%s", depends);
}

/* The diagram of the section, which the document owns. */
static diagram graph_in(document *d, const evidence_set *b)
{
    section_graph(d, b);
    for (long k = 0; k < d->n; k++) if (d->at[k]->kind == BLOCK_DIAGRAM) return d->at[k]->diagram;
    ck_abort_msg("no diagram");
    return (diagram){ 0 };
}

static const diagram_node *node_of(const diagram *g, const char *id)
{
    for (long k = 0; k < g->nodes; k++) if (strcmp(g->node[k].label, id) == 0) return &g->node[k];
    return NULL;
}

static bool has_edge(const diagram *g, const char *used, const char *user)
{
    const diagram_node *a = node_of(g, used), *b = node_of(g, user);
    for (long k = 0; k < g->edges; k++) {
        const diagram_edge *e = &g->edge[k];
        if (e->x[0] == a->x && e->y[0] == a->y && e->x[e->n - 1] == b->x && e->y[e->n - 1] == b->y) return true;
    }
    return false;
}

START_TEST(a_small_graph)
{
    name(0, "A", "");
    name(1, "B", "A");
    name(2, "C", "B A");                       /* A follows from B */
    name(3, "D", "");
    name(4, "P", "");                          /* pending and not used */
    name(5, "Q", "");                          /* pending and used */
    name(6, "R", "Q, D");
    name(7, "S", "");
    evidence_set b = made(8);
    at[4].own.n = at[5].own.n = 0;
    document d = { 0 };
    const diagram g = graph_in(&d, &b);
    ck_assert_int_eq(g.nodes, 7);
    ck_assert_ptr_null(node_of(&g, "P"));
    ck_assert(node_of(&g, "A")->x == 0 && node_of(&g, "B")->x == 1 && node_of(&g, "C")->x == 2);
    ck_assert(node_of(&g, "R")->x == 1);
    ck_assert_int_eq(g.edges, 4);
    ck_assert(has_edge(&g, "A", "B") && has_edge(&g, "B", "C") && has_edge(&g, "Q", "R") && has_edge(&g, "D", "R"));
    ck_assert_int_eq(g.alone, 1);
    ck_assert(node_of(&g, "S")->y >= g.alone_from && node_of(&g, "S")->y < g.rows);
    for (long k = 0; k < g.nodes; k++)
        if (strcmp(g.node[k].label, "S") != 0) ck_assert(g.node[k].y >= 0 && g.node[k].y <= g.alone_from - 1);
    doc_free(&d);
}
END_TEST

/* ---- random graphs ---------------------------------------------------------------------------------- */

static bool direct[MOST][MOST], known[MOST][MOST];         /* [user][used]; known: by way of edges drawn */

static void random_uses(long n, uint64_t seed)
{
    const uint64_t key[2] = { seed, 5 };
    memset(direct, 0, sizeof direct);
    for (long user = 0; user < n; user++) {
        char id[16];
        size_t used_up = 0;
        snprintf(id, sizeof id, "N%u", (unsigned)user % 10000u);
        name(user, id, "");
        for (long used = 0; used < user; used++) {
            if (random_below(key, (uint64_t)(user * MOST + used), 12) != 0) continue;
            direct[user][used] = true;
            used_up += (size_t)snprintf(uses[user] + used_up, sizeof uses[user] - used_up, "N%ld ", used);
        }
    }
}

static void closure(bool way[MOST][MOST], long n)
{
    for (long k = 0; k < n; k++)
        for (long i = 0; i < n; i++)
            for (long j = 0; j < n; j++) if (way[i][k] && way[k][j]) way[i][j] = true;
}

static long number_at(const diagram *g, double x, double y)
{
    for (long k = 0; k < g->nodes; k++)
        if (g->node[k].x == x && g->node[k].y == y) return strtol(g->node[k].label + 1, NULL, 10);
    return -1;
}

static void check_boxes(const diagram *g)
{
    for (long i = 0; i < g->nodes; i++)
        for (long k = 0; k < i; k++)
            ck_assert_msg(g->node[i].x != g->node[k].x || fabs(g->node[i].y - g->node[k].y) > 1 - 1e-9, "%s on %s",
                          g->node[i].label, g->node[k].label);
}

START_TEST(random_graphs_keep_every_dependency)
{
    const long n = 40;
    random_uses(n, (uint64_t)_i);
    evidence_set b = made(n);
    document d = { 0 };
    const diagram g = graph_in(&d, &b);
    ck_assert_int_eq(g.nodes, n);
    check_boxes(&g);
    memset(known, 0, sizeof known);
    for (long k = 0; k < g.edges; k++) {
        const diagram_edge *e = &g.edge[k];
        const long used = number_at(&g, e->x[0], e->y[0]), user = number_at(&g, e->x[e->n - 1], e->y[e->n - 1]);
        ck_assert(used >= 0 && user >= 0 && direct[user][used]);
        known[user][used] = true;
        for (long i = 1; i < e->n; i++) ck_assert(e->x[i] == e->x[i - 1] + 1);
    }
    bool drawn[MOST][MOST];
    memcpy(drawn, known, sizeof drawn);
    closure(known, n);
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            ck_assert_msg(!direct[i][j] || known[i][j], "N%ld uses N%ld", i, j);
            bool through = false;
            for (long k = 0; k < n; k++) through |= drawn[i][k] && known[k][j];
            ck_assert_msg(!drawn[i][j] || !through, "N%ld uses N%ld through another", i, j);
        }
    doc_free(&d);
}
END_TEST

/* ---- what is wrong ---------------------------------------------------------------------------------- */

static void problem_is(const evidence_set *b, long k, const char *want)
{
    char *is = record_dependency_problem(b, &b->at[k]);
    ck_assert_msg(want ? is && strstr(is, want) != NULL : !is, "%s: %s", b->at[k].id, is ? is : "fine");
    free(is);
}

START_TEST(cycles_and_unknown_claims)
{
    name(0, "A", "C");
    name(1, "B", "A");
    name(2, "C", "B");
    name(3, "D", "A");
    name(4, "E", "E");
    name(5, "F", "D, Z9");
    name(6, "G", "D");
    evidence_set b = made(7);
    problem_is(&b, 0, "A uses itself through");
    problem_is(&b, 1, "B uses itself through");
    problem_is(&b, 3, NULL);                   /* it uses a cycle and is in none */
    problem_is(&b, 4, "E uses itself");
    problem_is(&b, 5, "uses Z9, which is no claim");
    problem_is(&b, 6, NULL);
    document d = { 0 };
    const diagram g = graph_in(&d, &b);                    /* all the same it ends */
    ck_assert_int_eq(g.nodes, 7);
    check_boxes(&g);
    doc_free(&d);
}
END_TEST

/* ---- the drawings ----------------------------------------------------------------------------------- */

/* The section as a writer gives it, to be freed. */
static char *written(void (*writer)(FILE *, const document *), const evidence_set *b)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    document d = { 0 };
    section_graph(&d, b);
    writer(f, &d);
    fclose(f);
    doc_free(&d);
    return text;
}

static void must_have(const char *text, const char *piece)
{
    ck_assert_msg(strstr(text, piece) != NULL, "`%s` is missing in:\n%.4000s", piece, text);
}

static evidence_set three(void)
{
    name(0, "A", "");
    name(1, "B-2", "A");
    name(2, "C", "B-2");
    evidence_set b = made(3);
    at[1].v.as_stated = V_REFUTED;
    at[1].v.corrected = V_PROVED;
    at[0].own.n = 0;
    at[0].v.as_stated = V_PENDING;
    at[2].v.as_stated = V_FAILED;
    return b;
}

START_TEST(boxes_have_colours_and_lead_to_entries)
{
    evidence_set b = three();
    char *svg = written(html_document, &b), *tikz = written(latex_document, &b);
    must_have(svg, "<a href=\"#B-2\"><g><title>B-2: REFUTED (corrected: PROVED). title &lt; 1</title>");
    must_have(svg, "class=\"bar REFUTED\"");
    must_have(svg, "class=\"bar bad\"");
    must_have(svg, "<g class=\"pending\"><title>A: PENDING");
    must_have(svg, "<div class=\"scroll graph\"");
    ck_assert_ptr_null(strstr(svg, "href=\"#A\""));
    must_have(tikz, "{\\provablylink{B-2}{B-{}2}}");
    must_have(tikz, "\\fill[provablyREFUTED]");
    must_have(tikz, "\\fill[provablybad]");
    must_have(tikz, "\\draw[provably pending]");
    ck_assert_ptr_null(strstr(tikz, "claim:A"));
    ck_assert_ptr_null(strstr(tikz, "nan"));
    free(tikz);
    free(svg);
}
END_TEST

START_TEST(a_partial_run_shows_no_verdict)
{
    evidence_set b = three();
    b.partial = true;
    char *svg = written(html_document, &b), *tikz = written(latex_document, &b);
    must_have(svg, "B-2: PARTIAL");
    ck_assert_ptr_null(strstr(svg, "REFUTED"));
    ck_assert_ptr_null(strstr(svg, "PROVED"));
    ck_assert_ptr_null(strstr(tikz, "REFUTED"));
    free(tikz);
    free(svg);
}
END_TEST

START_TEST(nothing_is_built)
{
    evidence_set b = made(0);
    char *svg = written(html_document, &b), *tikz = written(latex_document, &b);
    must_have(svg, "No claim is built");
    must_have(tikz, "No claim is built");
    free(tikz);
    free(svg);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("graph");
    TCase *all = tcase_create("claims");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 0);
    tcase_add_test(all, a_small_graph);
    tcase_add_loop_test(all, random_graphs_keep_every_dependency, 0, 12);
    tcase_add_test(all, cycles_and_unknown_claims);
    tcase_add_test(all, boxes_have_colours_and_lead_to_entries);
    tcase_add_test(all, a_partial_run_shows_no_verdict);
    tcase_add_test(all, nothing_is_built);
    return run_suite(suite, argc, argv);
}
