/* architecture.c - names of architectures, as `provably rank --arch=` takes them. */
#include <stdlib.h>
#include <string.h>
#include "src/methods/rank/dimension.h"

const char architecture_words[] = "all-skip attn-skip mlp-skip skipless parallel parallel-skipless, then any of "
    "tied shared relu linear gated biases rope no-positions qk-norm qk-gains gqa mqa moe rms layer-norm full-mask";

typedef struct { const char *word; void (*set)(shape *sh, bool *unit_gains); } meaning;

static void skips(shape *sh, bool around_attn, bool around_mlp, bool side_by_side)
{
    sh->attn_skip = around_attn;
    sh->mlp_skip = around_mlp;
    sh->parallel = side_by_side;
}
static void all_skip(shape *sh, bool *u)          { (void)u; skips(sh, true, true, false); }
static void attn_skip(shape *sh, bool *u)         { (void)u; skips(sh, true, false, false); }
static void mlp_skip(shape *sh, bool *u)          { (void)u; skips(sh, false, true, false); }
static void skipless(shape *sh, bool *u)          { (void)u; skips(sh, false, false, false); }
static void parallel(shape *sh, bool *u)          { (void)u; skips(sh, true, false, true); }
static void parallel_skipless(shape *sh, bool *u) { (void)u; skips(sh, false, false, true); }
static void tied(shape *sh, bool *u)              { (void)u; sh->tied = true; }
static void shared(shape *sh, bool *u)            { (void)u; sh->shared = 1; }
static void relu(shape *sh, bool *u)              { (void)u; sh->act = ACT_RELU; }
static void linear(shape *sh, bool *u)            { (void)u; sh->act = ACT_IDENTITY; }
static void gated(shape *sh, bool *u)             { (void)u; sh->gated = true; }
static void biases(shape *sh, bool *u)            { (void)u; sh->biases = true; }
static void rope(shape *sh, bool *u)              { (void)u; sh->rope = true; }
static void no_positions(shape *sh, bool *u)      { (void)u; sh->no_positions = true; }
static void qk_norm(shape *sh, bool *u)           { sh->qk_norm = true; *u = true; }
static void qk_gains(shape *sh, bool *u)          { sh->qk_norm = true; *u = false; }
static void gqa(shape *sh, bool *u)               { (void)u; sh->h_kv = sh->h % 2 ? 1 : sh->h / 2; }
static void mqa(shape *sh, bool *u)               { (void)u; sh->h_kv = 1; }
static void moe(shape *sh, bool *u)               { (void)u; sh->experts = 2; }
static void rms(shape *sh, bool *u)               { (void)u; sh->norm = NORM_RMS; }
static void layer_norm(shape *sh, bool *u)        { (void)u; sh->norm = NORM_LAYER; }
static void full_mask(shape *sh, bool *u)         { (void)u; sh->mask = MASK_FULL; }

static const meaning meanings[] = {
    { "all-skip", all_skip }, { "attn-skip", attn_skip }, { "mlp-skip", mlp_skip }, { "skipless", skipless },
    { "parallel", parallel }, { "parallel-skipless", parallel_skipless }, { "tied", tied }, { "shared", shared },
    { "relu", relu }, { "linear", linear }, { "gated", gated }, { "biases", biases }, { "rope", rope },
    { "no-positions", no_positions },
    { "qk-norm", qk_norm }, { "qk-gains", qk_gains }, { "gqa", gqa }, { "mqa", mqa }, { "moe", moe }, { "rms", rms },
    { "layer-norm", layer_norm }, { "full-mask", full_mask },
};

const char *architecture_parse(shape *sh, bool *unit_gains, const char *text)
{
    char *copy = must_strdup(text), *save = NULL;
    bool known = true;
    for (char *word = strtok_r(copy, "+", &save); word && known; word = strtok_r(NULL, "+", &save)) {
        known = false;
        for (size_t k = 0; k < COUNT(meanings) && !known; k++) {
            if (strcmp(meanings[k].word, word) != 0) continue;
            meanings[k].set(sh, unit_gains);
            known = true;
        }
    }
    free(copy);
    return known ? NULL : architecture_words;
}
