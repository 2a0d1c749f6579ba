/* SPDX-License-Identifier: GPL-3.0-or-later
 * architecture.c - names of architectures, as `provably rank --arch=` takes them. */
#include <stdlib.h>
#include <string.h>
#include "src/methods/rank/dimension.h"

const char architecture_words[] = "all-skip attn-skip mlp-skip skipless parallel parallel-skipless, then any of "
    "tied shared relu linear gated biases rope no-positions qk-norm qk-gains gqa mqa moe rms layer-norm full-mask";

/* What a word sets in the shape, and whether the gains of QK-norm are 1. */
typedef enum { GAINS_AS_BEFORE, GAINS_FREE, GAINS_UNIT } gains;
static const struct { const char *word, *sets; gains gains; } meanings[] = {
    { "all-skip",          "attn_skip=1,mlp_skip=1,parallel=0", GAINS_AS_BEFORE },
    { "attn-skip",         "attn_skip=1,mlp_skip=0,parallel=0", GAINS_AS_BEFORE },
    { "mlp-skip",          "attn_skip=0,mlp_skip=1,parallel=0", GAINS_AS_BEFORE },
    { "skipless",          "attn_skip=0,mlp_skip=0,parallel=0", GAINS_AS_BEFORE },
    { "parallel",          "attn_skip=1,mlp_skip=0,parallel=1", GAINS_AS_BEFORE },
    { "parallel-skipless", "attn_skip=0,mlp_skip=0,parallel=1", GAINS_AS_BEFORE },
    { "tied",              "tied=1",                            GAINS_AS_BEFORE },
    { "shared",            "shared=1",                          GAINS_AS_BEFORE },
    { "relu",              "act=relu",                          GAINS_AS_BEFORE },
    { "linear",            "act=identity",                      GAINS_AS_BEFORE },
    { "gated",             "gated=1",                           GAINS_AS_BEFORE },
    { "biases",            "biases=1",                          GAINS_AS_BEFORE },
    { "rope",              "rope=1",                            GAINS_AS_BEFORE },
    { "no-positions",      "no_positions=1",                    GAINS_AS_BEFORE },
    { "qk-norm",           "qk_norm=1",                         GAINS_UNIT },
    { "qk-gains",          "qk_norm=1",                         GAINS_FREE },
    { "gqa",               "h_kv=0",                            GAINS_AS_BEFORE },      /* h / 2, or 1: below */
    { "mqa",               "h_kv=1",                            GAINS_AS_BEFORE },
    { "moe",               "experts=2",                         GAINS_AS_BEFORE },
    { "rms",               "norm=rms",                          GAINS_AS_BEFORE },
    { "layer-norm",        "norm=layer",                        GAINS_AS_BEFORE },
    { "full-mask",         "mask=full",                         GAINS_AS_BEFORE },
};

static bool set_word(shape *sh, bool *unit_gains, const char *word)
{
    for (size_t k = 0; k < COUNT(meanings); k++) {
        if (strcmp(meanings[k].word, word) != 0) continue;
        const char *wrong = shape_set(sh, meanings[k].sets);
        REQUIRE(!wrong, "%s: %s", word, wrong);
        if (strcmp(word, "gqa") == 0) sh->h_kv = sh->h % 2 ? 1 : sh->h / 2;
        if (meanings[k].gains != GAINS_AS_BEFORE) *unit_gains = meanings[k].gains == GAINS_UNIT;
        return true;
    }
    return false;
}

const char *architecture_parse(shape *sh, bool *unit_gains, const char *text)
{
    char *copy = must_strdup(text), *save = NULL;
    bool known = true;
    for (char *word = strtok_r(copy, "+", &save); word && known; word = strtok_r(NULL, "+", &save))
        known = set_word(sh, unit_gains, word);
    free(copy);
    return known ? NULL : architecture_words;
}
