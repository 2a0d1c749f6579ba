/* SPDX-License-Identifier: GPL-3.0-or-later
 * models.c - the models whose counts the papers print, and how formulas name them.
 *
 * MODEL.COUNT is a parameter count, MODEL.loss_100k and MODEL.loss_60k a loss of 003 and of 000; RUN.count is the
 * parameter count of a run of 002, RUN.P the printed one, RUN.acc and the like the columns.  The architecture of 002
 * is inferred from its counts (claim B-P): width 60, 16 patches of 7 x 7 or 8 x 8 x 3, MLP 256, two LayerNorms per
 * encoder, no learned positions; biases everywhere but in W_QK and where W_K = W_Q; one more vector of 60, such as a
 * class token, with 4 heads or symmetry. */
#include <stdlib.h>
#include <string.h>
#include "src/methods/counts/printed.h"

#define GPT_SMALL "layers=12\nwidth=768\nheads=12\nvocabulary=50304\ncontext=1024\npositions=learned\nnorm=layer\n"
#define ENCODER "layers=12\nwidth=768\nheads=12\nmlp=3072\npositions=learned\nnorm=layer\nbiases=yes\ntied=yes\n"
static const struct { const char *name, *text; } models[] = {
    { "gpt",           GPT_SMALL "mlp=3072\ntied=yes\n" },
    { "gpt_mlp3_5",    GPT_SMALL "mlp=2688\ntied=yes\n" },
    { "gpt_d744",      "layers=12\nwidth=744\nheads=12\nmlp=2976\nvocabulary=50304\ncontext=1024\n"
                           "positions=learned\nnorm=layer\ntied=yes\n" },
    { "gpt_noq",       GPT_SMALL "mlp=3072\ntied=yes\nquery=identity\n" },
    { "gpt_noq_mlp4_5", GPT_SMALL "mlp=3456\ntied=yes\nquery=identity\n" },
    { "gpt_untied",    GPT_SMALL "mlp=3072\n" },
    { "gpt_untied_noq", GPT_SMALL "mlp=3072\nquery=identity\n" },
    { "gpt_shared",    GPT_SMALL "mlp=3072\ntied=yes\nshared=yes\n" },             /* as ALBERT shares */
    /* Encoders as published, without the pooler, a d x d matrix and a bias. */
    { "bert_base",     ENCODER "vocabulary=30522\ncontext=512\nextra=2\n" },
    { "xlmr_base",     ENCODER "vocabulary=250002\ncontext=514\nextra=1\n" },
    { "gqa_2",  "layers=1\nwidth=768\nheads=12\nkv_heads=6\nmlp=3072\nvocabulary=50304\ncontext=1024\n" },
    { "gqa_4",  "layers=1\nwidth=768\nheads=12\nkv_heads=3\nmlp=3072\nvocabulary=50304\ncontext=1024\n" },
    { "gqa_8",  "layers=1\nwidth=1024\nheads=16\nkv_heads=2\nmlp=4096\nvocabulary=50304\ncontext=1024\n" },
    { "mqa_12", "layers=1\nwidth=768\nheads=12\nkv_heads=1\nmlp=3072\nvocabulary=50304\ncontext=1024\n" },
};

/* ---- 002: from the name of a run to its description ------------------------------------------------ */

static char *encoder_text(const char *name)
{
    char data[8], mlp[8], variant[8];
    long S, H;
    int end = 0;
    const int read = sscanf(name, "%7[a-z]_%ld_%ld_%7[a-z]_%7[a-z]%n", data, &S, &H, mlp, variant, &end);
    if (read != 5 || name[end]) return NULL;
    const bool mnist = strcmp(data, "mnist") == 0, symmetric = strcmp(variant, "sym") == 0;
    const bool bare = strcmp(variant, "min") == 0, collapsed = bare || strcmp(variant, "wqk") == 0;
    const bool known = (mnist || strcmp(data, "cifar") == 0) && (S == 6 || S == 12) && (H == 1 || H == 4)
                    && (symmetric || collapsed || strcmp(variant, "full") == 0);
    if (!known) return NULL;
    return must_format("layers=%ld\nwidth=60\nheads=%ld\nmlp=%d\npatch=%d\nclasses=10\ncontext=16\nextra=%d\n"
                       "norm=layer\nbiases=yes\nfinal_norm=no\nhead_bias=yes\n%s%s%s",
                       S, H, strcmp(mlp, "mlp") == 0 ? 256 : 0, mnist ? 7 * 7 : 8 * 8 * 3,
                       H == 4 || symmetric,
                       symmetric ? "key=query\nquery_bias=no\nkey_bias=no\nvalue_bias=no\noutput_bias=no\n" : "",
                       collapsed ? "key=identity\nquery_bias=no\nkey_bias=no\n" : "",
                       bare ? "value=identity\noutput=identity\nvalue_bias=no\noutput_bias=no\n" : "");
}

char *printed_model_text(const char *name)
{
    for (size_t k = 0; k < COUNT(models); k++)
        if (strcmp(models[k].name, name) == 0) return must_strdup(models[k].text);
    return encoder_text(name);
}

static description model_named(const char *name, bool *known)
{
    char *text = printed_model_text(name);
    const description m = text ? description_of(text) : (description){ 0 };
    *known = text != NULL;
    free(text);
    return m;
}

/* ---- names in formulas ----------------------------------------------------------------------------- */

static bool printed_cell(mpq_t out, const char *text)
{
    printed_number p;
    if (!*text) return false;
    const char *why = printed_parse(&p, text);
    REQUIRE(!why, "`%s`: %s", text, why);
    mpq_set(out, p.value);
    printed_clear(&p);
    return true;
}

static bool run_cell(mpq_t out, const char *name, const char *column)
{
    for (size_t k = 0; k < printed_runs_count; k++) {
        const printed_run *r = &printed_runs[k];
        if (strcmp(r->name, name) != 0) continue;
        const struct { const char *column, *text; } cell[] = {
            { "P", r->parameters }, { "Q", r->Q }, { "train_loss", r->train_loss }, { "val_loss", r->val_loss },
            { "train_acc", r->train_acc }, { "acc", r->val_acc } };
        for (size_t i = 0; i < COUNT(cell); i++)
            if (strcmp(cell[i].column, column) == 0) return printed_cell(out, cell[i].text);
        if (strcmp(column, "gap") != 0) return false;
        mpq_t train;                                       /* validation loss minus training loss         */
        mpq_init(train);
        const bool both = printed_cell(out, r->val_loss) && printed_cell(train, r->train_loss);
        mpq_sub(out, out, train);
        mpq_clear(train);
        return both;
    }
    return false;
}

/* loss_100k and loss_60k of a model: the validation losses of 003 and 000 Table 2. */
static bool loss_cell(mpq_t out, const char *model, const char *column)
{
    const char *table = strcmp(column, "loss_100k") == 0 ? "003 Table 2"
                      : strcmp(column, "loss_60k") == 0  ? "000 Table 2" : NULL;
    for (size_t k = 0; table && k < printed_gpt_runs_count; k++)
        if (strcmp(printed_gpt_runs[k].table, table) == 0 && strcmp(printed_gpt_runs[k].model, model) == 0)
            return printed_cell(out, printed_gpt_runs[k].loss);
    return false;
}

bool printed_name(mpq_t out, const char *name)
{
    static const struct { const char *name, *text; } cells[] = {         /* 001 Table 2, validation losses */
        { "tied_loss", "2.90" }, { "tied_noq_loss", "2.88" }, { "untied_loss", "2.87" },
        { "untied_noq_loss", "2.86" } };
    for (size_t k = 0; k < COUNT(cells); k++)
        if (strcmp(cells[k].name, name) == 0) return printed_cell(out, cells[k].text);
    char stem[64];
    const char *dot = strrchr(name, '.');
    if (!dot || (size_t)(dot - name) >= sizeof stem) return false;
    snprintf(stem, sizeof stem, "%.*s", (int)(dot - name), name);
    if (run_cell(out, stem, dot + 1) || loss_cell(out, stem, dot + 1)) return true;
    bool known;
    long count;
    const description m = model_named(stem, &known);
    if (!known || !count_named(&m, strcmp(dot + 1, "count") == 0 ? "total" : dot + 1, &count)) return false;
    mpq_set_si(out, count, 1);
    return true;
}

size_t printed_count(void) { return printed_k_count + printed_b_count; }
const printed_value *printed_at(size_t k)
{
    return k < printed_k_count ? &printed_k[k] : &printed_b[k - printed_k_count];
}

bool printed_slips(const printed_value *v)
{
    return strncmp(v->part, "as-stated-", 10) == 0;         /* the plain as-stated is one that agrees       */
}
