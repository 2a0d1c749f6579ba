/* train.c - see train.h. */
#include <math.h>
#include <stdlib.h>
#include "src/nn/train.h"

typedef struct {
    const train_config *c;
    const tokens *train, *val;
    gpt     *M;
    int32_t *token, *target;             /* [micro T]                                                   */
    double  *loss;
} lesson;

const char *train_config_check(const train_config *c)
{
    const char *wrong = gpt_config_check(&c->model);
    if (wrong) return wrong;
    if (c->batch < 1 || c->micro < 1 || c->batch % c->micro) return "the micro-batch must divide the batch";
    const run_config r = { .optim = c->optim, .eval_every = c->eval_every, .save_every = c->save_every, .out = c->out };
    return run_config_check(&r);
}

static char *identity(const gpt_config *m)
{
    return must_format("L=%ld d=%ld h=%ld m=%ld T=%ld V=%ld query=%d factor=%.17g tied=%d norm=%d skips=%d%d std=%.17g",
                       m->L, m->d, m->h, m->m, m->T, m->V, m->query, m->factor, m->tied, m->norm, m->attn_skip,
                       m->mlp_skip, m->init_std);
}

gpt *train_load(const char *folder, const ops *o, long B, gpt_config *c)
{
    char *path = must_format("%s/last.ckpt", folder);
    checkpoint k = checkpoint_read(path);
    int query, tied, norm, attn_skip, mlp_skip;
    const int n = sscanf(run_text(&k, "model", path), "L=%ld d=%ld h=%ld m=%ld T=%ld V=%ld query=%d factor=%lf tied=%d "
                         "norm=%d skips=%1d%1d std=%lf", &c->L, &c->d, &c->h, &c->m, &c->T, &c->V, &query, &c->factor,
                         &tied, &norm, &attn_skip, &mlp_skip, &c->init_std);
    if (n != 13) die("%s does not describe its model; remove it or train again", path);
    c->query = query;
    c->tied = tied;
    c->norm = norm;
    c->attn_skip = attn_skip;
    c->mlp_skip = mlp_skip;
    const char *wrong = gpt_config_check(c);
    if (wrong) die("%s: %s", path, wrong);
    gpt *M = gpt_create(c, o, B, 0);
    run_restore(&k, gpt_table(M), o, "", gpt_weights(M), path);
    gpt_refresh(M);
    checkpoint_free(&k);
    free(path);
    return M;
}

double gpt_evaluate(gpt *M, const tokens *t, long T, long B, double *loss)
{
    const long windows = (long)((t->n - 1) / (size_t)T);
    REQUIRE(windows > 0, "%zu tokens, windows of %ld", t->n, T);
    const size_t n_tokens = (size_t)(B * T);
    int32_t *token = must_calloc(n_tokens, sizeof *token), *target = must_calloc(n_tokens, sizeof *target);
    double *each = must_calloc(n_tokens, sizeof *each), sum = 0;
    for (long from = 0; from < windows; from += B) {
        const long n = windows - from < B ? windows - from : B;
        for (long b = 0; b < n; b++) tokens_window(t, (size_t)((from + b) * T), T, token + b * T, target + b * T);
        gpt_loss(M, token, target, n, each, 0);
        for (long b = 0; b < n; b++) {
            double window = 0;
            for (long k = 0; k < T; k++) window += each[b * T + k];
            if (loss) loss[from + b] = window / (double)T;
            sum += window / (double)T;
        }
    }
    free(token);
    free(target);
    free(each);
    return sum / (double)windows;
}

static void evaluate(void *self, double *metric)
{
    const lesson *l = self;
    metric[0] = gpt_evaluate(l->M, l->val, l->c->model.T, l->c->micro, NULL);
}

static double step(void *self, long step)
{
    const lesson *l = self;
    const train_config *c = l->c;
    const long T = c->model.T;
    const double factor = 1.0 / (double)(c->batch * T);
    double mean = 0;
    for (long from = 0; from < c->batch; from += c->micro) {
        for (long b = 0; b < c->micro; b++)
            tokens_window(l->train, tokens_place(l->train, c->data_seed, step, from + b, T), T, l->token + b * T,
                          l->target + b * T);
        mean += gpt_loss(l->M, l->token, l->target, c->micro, l->loss, factor) * (double)c->micro / (double)c->batch;
    }
    return mean;
}

static void updated(void *self)
{
    const lesson *l = self;
    gpt_refresh(l->M);
}

run_result train_gpt(const train_config *c, const ops *o, const tokens *train, const tokens *val)
{
    const char *wrong = train_config_check(c);
    REQUIRE(!wrong, "%s", wrong);
    const long T = c->model.T;
    if (train->n <= (size_t)T || val->n <= (size_t)T)
        die("the text is too short: %zu and %zu tokens, windows of %ld; give more text or shorter windows",
            train->n, val->n, T);
    if (train->V > c->model.V || val->V > c->model.V)
        die("the text needs a vocabulary of %ld, the model has %ld", train->V, c->model.V);
    const size_t n = (size_t)(c->micro * T);
    lesson l = { .c = c, .train = train, .val = val, .M = gpt_create(&c->model, o, c->micro, c->seed),
                 .token = must_calloc(n, sizeof *l.token), .target = must_calloc(n, sizeof *l.target),
                 .loss = must_calloc(n, sizeof *l.loss) };
    char *model = identity(&c->model), *batches = must_format("batch=%ld/%ld", c->batch, c->micro);
    char *sources = must_format("seed=%llu data_seed=%llu train=%016llx val=%016llx", (unsigned long long)c->seed,
                                (unsigned long long)c->data_seed, (unsigned long long)train->hash,
                                (unsigned long long)val->hash);
    const run_config r = { .optim = c->optim, .eval_every = c->eval_every, .save_every = c->save_every, .out = c->out,
                           .quiet = c->quiet, .model = model, .sources = sources, .recipe = batches };
    static const char *const metric[] = { "val_loss" };
    const double per_step = (double)(c->batch * T);
    const trainee t = { .o = o, .table = gpt_table(l.M), .w = gpt_weights(l.M), .g = gpt_gradients(l.M), .self = &l,
                        .step = step, .updated = updated, .evaluate = evaluate, .metric = metric, .metrics = 1,
                        .unit = "tokens", .units_per_step = per_step,
                        .flops_per_step = per_step * gpt_flops(&c->model) };
    const run_result result = run_training(&r, &t);
    gpt_free(l.M);
    free(l.token);
    free(l.target);
    free(l.loss);
    free(model);
    free(batches);
    free(sources);
    return result;
}
