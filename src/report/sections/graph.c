/* SPDX-License-Identifier: GPL-3.0-or-later
 * graph.c - which claim uses which, by the descriptions: every built claim, and those that these use. */
#include <stdlib.h>
#include "src/base/base.h"
#include "src/report/sections/sections.h"

/* Two letters for a verdict, beside its colour. */
static const char *graph_mark(verdict v)
{
    static const char *const mark[] = {
        [V_NONE] = "", [V_UNDECIDED] = "??", [V_MEASURED] = "ME", [V_SUPPORTED] = "SU", [V_SLIP] = "SL",
        [V_PROVED] = "PR", [V_PENDING] = "--", [V_CAVEAT] = "CA", [V_REFUTED] = "RE", [V_HYPOTHESIS_FAILED] = "HF",
        [V_INFORMAL] = "IN", [V_UNCHECKABLE] = "UN", [V_UNCONTROLLED] = "!!", [V_INCONSISTENT] = "!!",
        [V_HYPOTHESIS_UNDECLARED] = "!!", [V_FAILED] = "!!" };
    return mark[v];
}

/* The colours of reports/report.tex and of the page's style sheet. */
static const char *graph_colour(verdict v)
{
    if (verdict_fails(v)) return "bad";
    return v == V_PENDING || v == V_INFORMAL || v == V_UNCHECKABLE ? "other" : verdict_word(v);
}

static void describe_node(diagram_node *n, const evidence_set *all)
{
    const claim_record *c = &all->at[n->at];
    const verdict stated = all->partial ? V_NONE : c->v.as_stated, corrected = all->partial ? V_NONE : c->v.corrected;
    snprintf(n->label, sizeof n->label, "%s", c->id);
    n->linked = record_is_built(c);
    n->mark = graph_mark(stated);
    n->left = graph_colour(stated);
    n->right = graph_colour(corrected);
    n->title = must_format("%s: %s%s%s%s. %s", c->id, verdict_shown(all, c->v.as_stated),
                           corrected != V_NONE ? " (corrected: " : "", verdict_word(corrected),
                           corrected != V_NONE ? ")" : "", record_title(c));
}

static diagram graph_of(const evidence_set *all)
{
    const size_t n = (size_t)all->n;
    bool *edge = must_calloc(n * n + 1, sizeof *edge), *shown = must_calloc(n + 1, sizeof *shown);
    for (long k = 0; k < all->n; k++) {
        long *used;
        const long uses = record_uses(all, &all->at[k], &used);
        shown[k] |= record_is_built(&all->at[k]);
        for (long i = 0; i < uses; i++) edge[k * all->n + used[i]] = shown[used[i]] = true;
        free(used);
    }
    diagram g = diagram_layout(all->n, edge, shown);
    g.name = "Dependencies of the claims";
    g.alone_title = "used by none and using none:";
    for (long k = 0; k < g.nodes; k++) describe_node(&g.node[k], all);
    free(edge);
    free(shown);
    return g;
}

static void add_legend(document *d, const evidence_set *all, const diagram *g)
{
    bool seen[VERDICTS] = { false };
    doc_block *legend = doc_paragraph(d, TO_HTML, NULL);
    for (long k = 0; k < g->nodes; k++) {
        const claim_verdict *v = &all->at[g->node[k].at].v;
        seen[v->as_stated] = seen[v->corrected] = true;
    }
    for (int v = V_NONE + 1; v < VERDICTS; v++) {
        if (!seen[v]) continue;
        char *text = must_format("%s\u00a0%s", graph_mark((verdict)v), verdict_word((verdict)v));
        line_badge(&legend->text, text, graph_colour((verdict)v));
        line_add(&legend->text, SPAN_TEXT, " ");
        free(text);
    }
}

void section_graph(document *d, const evidence_set *all)
{
    doc_section(d, TO_HTML, "graph", "The map of claims", "Map");
    diagram g = graph_of(all);
    if (!g.nodes) {
        doc_paragraph(d, 0, "No claim is built.");
        diagram_free(&g);
        return;
    }
    doc_paragraph(d, TO_HTML, "A line leads from a claim to those that use it, from left to right; what follows "
                  "from other lines is left out. Left bar: the statement as printed; right bar: the corrected one. "
                  "Every box leads to its entry.");
    if (!all->partial) add_legend(d, all, &g);
    doc_add(d, BLOCK_DIAGRAM, 0)->diagram = g;
}
