/* train.c - see train.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/train/train.h"
#include "src/base/outfile.h"
#include "src/base/text.h"
#include "src/train/spectra.h"
#include "src/train/world.h"

typedef struct {
    const train_config *c;
    const tokens *train, *val;
    tokens_order order;
    gpt     *M;
    int32_t *token, *target;             /* [micro T]                                                   */
    double  *loss;
    long     steps_done;
    spectra  spectra;                    /* of the last evaluation                                      */
} trainer_state;

static run_config run_of(const train_config *c)
{
    return (run_config){ .optim = c->optim, .eval_every = c->eval_every, .save_every = c->save_every, .out = c->out,
                         .quiet = c->quiet };
}

const char *train_config_check(const train_config *c)
{
    const char *wrong = gpt_config_check(&c->model);
    if (wrong) return wrong;
    if (c->batch < 1 || c->micro < 1 || c->batch % c->micro) return "the micro-batch must divide the batch";
    if (c->eval_windows < 0) return "a validation takes at least one window";
    const run_config r = run_of(c);
    return run_config_check(&r);
}

gpt *train_load(const char *folder, const ops *o, long B, gpt_config *c)
{
    char *path = must_format("%s/last.ckpt", folder);
    checkpoint k = checkpoint_read(path);
    char *wrong = gpt_config_parse(c, run_text(&k, "model", path));
    if (wrong) die("%s does not describe its model (%s); remove it or train again", path, wrong);
    gpt *M = gpt_create(c, o, B, 0);
    run_restore(&k, &gpt_net(M)->table, o, "", gpt_net(M)->w, path);
    net_refresh(gpt_net(M));
    checkpoint_free(&k);
    free(path);
    return M;
}

/* Mean of the losses of n windows, at places[k] or one after the other when NULL; each[n] gets them. */
static double window_losses(gpt *M, const tokens *t, long T, long B, const size_t *places, double *each, long n)
{
    const size_t room = (size_t)(B * T);
    int32_t *token = must_calloc(room, sizeof *token), *target = must_calloc(room, sizeof *target);
    double *loss = must_calloc(room, sizeof *loss), sum = 0;
    const long rank = world_rank(), size = world_size();
    memset(each, 0, (size_t)n * sizeof *each);
    for (long from = rank; from < n; from += B * size) {           /* windows from, from + size, ... */
        const long left = (n - 1 - from) / size + 1, rows = left < B ? left : B;
        for (long b = 0; b < rows; b++) {
            const long k = from + b * size;
            tokens_window(t, places ? places[k] : (size_t)(k * T), T, token + b * T, target + b * T);
        }
        gpt_loss(M, token, target, rows, loss, 0);
        for (long b = 0; b < rows; b++) {
            double window = 0;
            for (long k = 0; k < T; k++) window += loss[b * T + k];
            each[from + b * size] = window / (double)T;
        }
    }
    world_sum_doubles(each, (size_t)n);
    for (long k = 0; k < n; k++) sum += each[k];
    free(token);
    free(target);
    free(loss);
    return sum / (double)n;
}

long gpt_windows(const tokens *t, long T)
{
    REQUIRE(t->n > (size_t)T, "%zu tokens, windows of %ld", t->n, T);
    return (long)((t->n - 1) / (size_t)T);
}

double gpt_evaluate(gpt *M, const tokens *t, long T, long B, double *loss)
{
    const long n = gpt_windows(t, T);
    double *each = loss ? loss : must_calloc((size_t)n, sizeof *each);
    const double mean = window_losses(M, t, T, B, NULL, each, n);
    if (!loss) free(each);
    return mean;
}

/* spectra.csv, and the metric after the loss. */
static void evaluate_spectra(trainer_state *l, double *metric)
{
    spectra_free(&l->spectra);
    l->spectra = spectra_of(l->M, &l->c->model);
    metric[1] = spectra_query_condition(&l->spectra);
}
static void write_spectra(void *self, FILE *f, long step)
{
    const trainer_state *l = self;
    spectra_write(f, &l->spectra, step);
}

/* The whole validation split, or, as in the papers, windows drawn anew for each validation, the same for every model.
 * Steps -1, -2, ... of the windows' stream are the validations'. */
static void evaluate(void *self, double *metric)
{
    trainer_state *l = self;
    if (l->c->spectra) evaluate_spectra(l, metric);
    const long n = l->c->eval_windows, T = l->c->model.T;
    if (!n) {
        metric[0] = gpt_evaluate(l->M, l->val, T, l->c->micro, NULL);
        return;
    }
    size_t *places = must_calloc((size_t)n, sizeof *places);
    double *each = must_calloc((size_t)n, sizeof *each);
    for (long k = 0; k < n; k++) places[k] = tokens_place(l->val, l->c->data_seed, -1 - l->steps_done, k, T);
    metric[0] = window_losses(l->M, l->val, T, l->c->micro, places, each, n);
    free(places);
    free(each);
}

/* losses.csv: each window's loss under the finished model, for statistics that pair the windows of two models. */
static void write_losses(const trainer_state *l, const run_config *r, long steps)
{
    const long n = gpt_windows(l->val, l->c->model.T);
    double *each = must_calloc((size_t)n, sizeof *each);
    gpt_evaluate(l->M, l->val, l->c->model.T, l->c->micro, each);
    if (world_rank() == 0) {
        char *path = must_format("%s/losses.csv", l->c->out);
        outfile o = outfile_open(path);
        fprintf(o.f, "# model %s\n# sources %s\n# steps %ld\nwindow,loss\n", r->model, r->sources, steps);
        for (long k = 0; k < n; k++) fprintf(o.f, "%ld,%.17g\n", k, each[k]);
        outfile_close(&o);
        free(path);
    }
    free(each);
}

/* Rows world_rank() mod world_size() of the batch. */
static double step(void *self, long step)
{
    trainer_state *l = self;
    const train_config *c = l->c;
    const long T = c->model.T;
    const double factor = 1.0 / (double)(c->batch * T);
    const long rank = world_rank(), size = world_size();
    double mean = 0;
    for (long from = rank; from < c->batch; from += c->micro * size) {
        const long left = (c->batch - 1 - from) / size + 1, rows = left < c->micro ? left : c->micro;
        for (long b = 0; b < rows; b++)
            tokens_window(l->train, tokens_order_at(&l->order, l->train, step, from + b * size, T), T, l->token + b * T,
                          l->target + b * T);
        mean += gpt_loss(l->M, l->token, l->target, rows, l->loss, factor) * (double)rows / (double)c->batch;
    }
    l->steps_done = step + 1;
    return mean;
}

/* What must agree for a run to resume; run_config_free gives the texts back. */
static run_config describe(const train_config *c, const tokens *train, const tokens *val)
{
    run_config r = run_of(c);
    r.model = gpt_config_print(&c->model);
    text_buffer recipe = { 0 };
    text_add(&recipe, "batch=%ld/%ld", c->batch, c->micro);
    if (c->eval_windows) text_add(&recipe, " eval=%ld", c->eval_windows);
    if (c->spectra) text_add(&recipe, " spectra=1");
    r.recipe = text_take(&recipe);
    r.sources = must_format("seed=%llu data_seed=%llu train=%016llx val=%016llx%s", (unsigned long long)c->seed,
                            (unsigned long long)c->data_seed, (unsigned long long)train->hash,
                            (unsigned long long)val->hash, c->torch_order ? " order=torch" : "");
    return r;
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
    trainer_state l = { .c = c, .train = train, .val = val,
                        .order = c->torch_order ? tokens_order_torch(c->data_seed, c->batch)
                                                : tokens_order_counter(c->data_seed),
                        .M = gpt_create(&c->model, o, c->micro, c->seed),
                        .token = must_calloc(n, sizeof *l.token), .target = must_calloc(n, sizeof *l.target),
                        .loss = must_calloc(n, sizeof *l.loss) };
    run_config r = describe(c, train, val);
    static const char *const metric[] = { "val_loss", "cond_q" };
    const double per_step = (double)(c->batch * T);
    training_task t = { .net = gpt_net(l.M), .self = &l, .step = step, .split = true, .evaluate = evaluate,
                        .metric = metric, .metrics = c->spectra ? 2 : 1, .unit = "tokens", .units_per_step = per_step,
                        .flops_per_step = per_step * gpt_flops(&c->model) };
    if (c->spectra) {
        t.log.file = "spectra.csv";
        t.log.columns = SPECTRA_COLUMNS;
        t.log.write_rows = write_spectra;
    }
    const run_result result = run_training(&r, &t);
    if (result.finished && c->losses) write_losses(&l, &r, result.steps);
    spectra_free(&l.spectra);
    gpt_free(l.M);
    free(l.token);
    free(l.target);
    free(l.loss);
    run_config_free(&r);
    return result;
}
