/* SPDX-License-Identifier: GPL-3.0-or-later
 * count_gauge.c - how many weights of a described model are redundant: closed formulas of src/methods/rank.
 *
 * The dimension of the weights with the same function (N8), and what is lost with W_Q = I (N9, N18, N19, N20), where
 * the description says no more than a shape can.  tests/t_audit.c compares both with ranks. */
#include "src/methods/counts/count.h"
#include "src/methods/counts/description_shape.h"
#include "src/methods/rank/dimension.h"

static long pairs(const description *m)                    /* G of one layer                             */
{
    const long dk = m->head_width;
    const bool turned = m->positions == POSITIONS_ROPE;
    const long first = m->qk_norm ? (turned ? dk / 2 : dk) : m->kv_heads * (turned ? dk : dk * dk);    /* N8 */
    return first + m->kv_heads * dk * dk;
}

/* Why the formulas, which answered -1, do not cover the shape. */
static const char *no_formula(const shape *sh)
{
    const bool normed = sh->norm != NORM_NONE;
    if (sh->n < 2 || sh->V <= sh->d || sh->m <= sh->d) return "V > d, m > d and two tokens are assumed";
    if (sh->rope && sh->dk % 2) return "RoPE needs an even d_k";
    if (normed && sh->experts) return "norms together with experts are not covered";
    if (sh->biases && sh->experts) return "biases together with experts are not covered";
    if (sh->shared) return "shared layers are covered untied, norms or biases (not both) with attention skips";
    if (normed && sh->no_positions) return "norms without learned positions are covered with a skip around attention";
    if (sh->biases && sh->no_positions) return "a tied head with biases is covered with learned positions";
    return "a tied head behind a norm is covered with all skips";
}

gauge_count count_gauge(const description *m)
{
    const long layers = m->shared ? 1 : m->layers, least = description_full_matrices(m) ? layers * pairs(m) : 0;
    shape sh;
    gauge_count g = { .dimension = -1, .least = least, .why = description_shape(m, &sh) };
    if (g.why) return g;
    if (!(sh.rope && sh.dk % 2)) g.dimension = nullity_predicted(&sh, false);
    if (g.dimension < 0) g.why = no_formula(&sh);
    return g;
}

query_count count_query(const description *m)
{
    shape sh;
    query_count q = { .weights = count_parameters(m).query, .lost = -1, .why = description_shape(m, &sh) };
    if (q.why) return q;
    if (!(sh.rope && sh.dk % 2)) q.lost = deficit_predicted(&sh, false, m->layers);
    if (q.lost < 0) q.why = no_formula(&sh);
    return q;
}
