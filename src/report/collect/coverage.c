/* SPDX-License-Identifier: GPL-3.0-or-later
 * coverage.c - see coverage.h. */
#include <ctype.h>
#include <string.h>
#include "src/base/outfile.h"
#include "src/model/model.h"
#include "src/report/collect/coverage.h"

const char *const coverage_switch_names[SWITCHES] = {
    "causal mask", "full mask", "arbitrary mask", "attention skip", "MLP skip", "no skip", "parallel",
    "no norm", "LayerNorm", "RMSNorm", "opaque norm", "radial norm",
    "GELU", "ReLU", "SiLU", "tanh", "identity", "opaque phi", "half-odd phi",
    "softmax", "linear attention", "opaque row map", "shift-invariant", "stochastic",
    "one head", "MHA", "GQA", "MQA", "tied head", "biases", "RoPE", "QK-norm", "gated MLP", "MoE",
    "shared layers", "no positions" };
enum { MASKS = 0, SKIPS = 3, NORMS = 7, ACTS = 12, MAPS = 19, HEADS = 24, FLAGS = 28 };

void coverage_switch_column(char *to, size_t size, int which)
{
    cell_copy(to, size, coverage_switch_names[which]);
    for (char *p = to; *p; p++) *p = isalnum((unsigned char)*p) ? (char)tolower((unsigned char)*p) : '_';
}

static bool opaque_functions(const row *r)
{
    return r->over == A_FP || r->over == A_SYM;
}

static int norm_of(const shape *sh, bool opaque)
{
    return opaque && (sh->norm == NORM_LAYER || sh->norm == NORM_RMS) ? NORM_OPAQUE : (int)sh->norm;
}

static int activation_of(const shape *sh, bool opaque)
{
    return opaque && sh->act != ACT_IDENTITY && sh->act != ACT_HALF_ODD ? ACT_OPAQUE : (int)sh->act;
}

static int rowmap_of(const shape *sh, bool opaque)
{
    return opaque && sh->attention == ROWMAP_SOFTMAX ? ROWMAP_OPAQUE : (int)sh->attention;
}

static void count_all(long *count, const bool *has, size_t n)
{
    for (size_t k = 0; k < n; k++) count[k] += has[k];
}

static void count_switches(long count[SWITCHES], const shape *sh, bool opaque)
{
    const long kv = sh->h_kv ? sh->h_kv : sh->h;
    const bool skip[] = { sh->attn_skip, sh->mlp_skip, !sh->attn_skip && !sh->mlp_skip, sh->parallel };
    const bool head[] = { sh->h == 1, sh->h > 1 && kv == sh->h, kv > 1 && kv < sh->h, sh->h > 1 && kv == 1 };
    const bool flag[] = { sh->tied, sh->biases, sh->rope, sh->qk_norm, sh->gated, sh->experts > 0,
                          sh->shared > 0, sh->no_positions };
    count[MASKS + sh->mask]++;
    count_all(count + SKIPS, skip, COUNT(skip));
    count[NORMS + norm_of(sh, opaque)]++;
    count[ACTS + activation_of(sh, opaque)]++;
    count[MAPS + rowmap_of(sh, opaque)]++;
    count_all(count + HEADS, head, COUNT(head));
    count_all(count + FLAGS, flag, COUNT(flag));
}

void coverage_count(claim_record *c)
{
    for (int k = 0; k < SWITCHES; k++) c->tried[k] = 0;
    for (const row *r = c->own.at; r < c->own.at + c->own.n; r++)
        if (r->verdict != UNDECIDED && evidence_row_is_claim(r) && !r->recount && r->shape->is_model)
            count_switches(c->tried, &r->shape->model, opaque_functions(r));
}

enum { OVER_REALS_ALONE = 1 << A_F64 | 1 << A_MPFR | 1 << A_ARB, OVER_FORMAL_ALONE = 1 << A_FP | 1 << A_SYM };
/* The arithmetics, a bit each, that have the function itself, or its opaque stand-in; 0: all have the switch. */
static int needed(int which)
{
    if (which == ACTS + ACT_RELU) return OVER_REALS_ALONE | 1 << A_Q;
    if (which >= ACTS && which < ACTS + ACT_IDENTITY) return OVER_REALS_ALONE;
    switch (which) {
    case MAPS + ROWMAP_SOFTMAX: case NORMS + NORM_LAYER: case NORMS + NORM_RMS:   return OVER_REALS_ALONE;
    case ACTS + ACT_OPAQUE: case MAPS + ROWMAP_OPAQUE: case NORMS + NORM_OPAQUE: return OVER_FORMAL_ALONE;
    default: return 0;
    }
}

static bool ran_over(const claim_record *c, int arithmetics)
{
    for (long k = 0; k < c->own.n; k++)
        if (evidence_row_is_claim(&c->own.at[k]) && (arithmetics >> c->own.at[k].over & 1)) return true;
    return false;
}

static bool all_recounted(const claim_record *c)
{
    for (long k = 0; k < c->own.n; k++) if (!c->own.at[k].recount) return false;
    return true;
}

/* Why no decided row has the switch. */
static coverage_kind without_rows(const claim_record *c, int which, const char **why)
{
    const int arithmetics = needed(which);
    *why = "program pending";
    if (!c->own.n) return COVERAGE_PENDING;
    *why = "not a switch of this claim: a recount has no model";
    if (all_recounted(c)) return COVERAGE_NO_SWITCH;
    *why = "not a switch of this claim";
    if (!arithmetics || ran_over(c, arithmetics)) return COVERAGE_NO_SWITCH;
    *why = "not run over an arithmetic that has it";
    for (long k = 0; k < c->text.parts; k++)
        if (c->text.part[k].why_without) { *why = c->text.part[k].why_without; break; }
    return COVERAGE_CANNOT;
}

coverage_kind coverage_of(const claim_record *c, int which, long *count, const char **why)
{
    *count = c->tried[which];
    return *count ? COVERAGE_TRIED : without_rows(c, which, why);
}
