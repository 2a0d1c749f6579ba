/* SPDX-License-Identifier: GPL-3.0-or-later
 * train.c - see train.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/train/train.h"
#include "src/base/outfile.h"
#include "src/base/text.h"
#include "src/train/checkpoint_net.h"
#include "src/train/spectra.h"
#include "src/train/world.h"

/* Of a GPU's memory, for what we allocate: the rest is for CUDA itself, its libraries and results of an operation. */
static const double USUAL_SHARE = 0.85;

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

/* The open checkpoint of a run, and the model that it describes. */
static checkpoint_file open_model(const char *folder_or_file, gpt_config *c)
{
    char *path = checkpoint_path(folder_or_file);
    checkpoint_file f = checkpoint_open(path);
    char *wrong = gpt_config_parse(c, run_text(&f.head, "model", path));
    if (wrong)
        die("%s does not describe a language model (%s); name the folder of a run of `provably train`", path, wrong);
    free(path);
    return f;
}

static void take_weights(checkpoint_file *f, net *n)
{
    net_restore(f, &n->table, n->o, 1, (net_array[]){ { "", n->w } });
    net_refresh(n);
    checkpoint_close(f);
}

gpt *train_load(const char *folder_or_file, const ops *o, long B, gpt_config *c)
{
    checkpoint_file f = open_model(folder_or_file, c);
    gpt *M = gpt_create(c, o, B, 0);
    take_weights(&f, gpt_net(M));
    return M;
}

net train_load_weights(const char *folder_or_file, const ops *o, gpt_config *c)
{
    checkpoint_file f = open_model(folder_or_file, c);
    net n = net_of_weights(o, gpt_params(c));
    take_weights(&f, &n);
    return n;
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

/* Whether a validation of n windows in all sees some of them only. */
static bool sees_some(const train_config *c, long n)
{
    return c->eval_windows && (!c->eval_even || c->eval_windows < n);
}

/* Window k of those that a validation sees.  Drawn: steps -1, -2, ... of the windows' stream are the validations', so
 * that they are the same for every model.  Even: every so many of all n. */
static size_t place_of(const trainer_state *l, long k, long n)
{
    const train_config *c = l->c;
    if (!c->eval_even) return tokens_place(l->val, c->data_seed, -1 - l->steps_done, k, c->model.T);
    return (size_t)(k * n / c->eval_windows * c->model.T);
}

/* The windows of the validation after l->steps_done steps: how many, and *places where they begin, to be freed; NULL:
 * all of them, one after the other. */
static long windows_seen(const trainer_state *l, size_t **places)
{
    const train_config *c = l->c;
    const long n = gpt_windows(l->val, c->model.T);
    *places = NULL;
    if (!sees_some(c, n) || (c->whole_at_end && l->steps_done == optim_end(&c->optim))) return n;
    *places = must_calloc((size_t)c->eval_windows, sizeof **places);
    for (long k = 0; k < c->eval_windows; k++) (*places)[k] = place_of(l, k, n);
    return c->eval_windows;
}

static void evaluate(void *self, double *metric)
{
    trainer_state *l = self;
    if (l->c->spectra) evaluate_spectra(l, metric);
    size_t *places;
    const long n = windows_seen(l, &places);
    double *each = must_calloc((size_t)n, sizeof *each);
    metric[0] = window_losses(l->M, l->val, l->c->model.T, l->c->micro, places, each, n);
    free(places);
    free(each);
}

/* losses.csv: the loss of each window of the last validation, whose mean is its metric, for statistics that pair the
 * windows of two models.  A window is called by its number or, where some are seen, by its first token. */
static void write_losses(const trainer_state *l, const run_config *r)
{
    size_t *places;
    const long n = windows_seen(l, &places);
    double *each = must_calloc((size_t)n, sizeof *each);
    window_losses(l->M, l->val, l->c->model.T, l->c->micro, places, each, n);
    if (world_rank() == 0) {
        char *path = must_format("%s/losses.csv", l->c->out);
        outfile o = outfile_open(path);
        fprintf(o.f, "# model %s\n# sources %s\n# steps %ld\n%s,loss\n", r->model, r->sources, l->steps_done,
                places ? "first_token" : "window");
        for (long k = 0; k < n; k++) fprintf(o.f, "%zu,%.17g\n", places ? places[k] : (size_t)k, each[k]);
        outfile_close(&o);
        free(path);
    }
    free(places);
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

/* " eval=N" (drawn) or " eval=even:N/ALL", with " end=all"; nothing when all windows are seen. */
static char *evaluation_text(const train_config *c, long n)
{
    const char *end = c->whole_at_end ? " end=all" : "";
    if (!sees_some(c, n)) return must_strdup("");
    if (c->eval_even) return must_format(" eval=even:%ld/%ld%s", c->eval_windows, n, end);
    return must_format(" eval=%ld%s", c->eval_windows, end);
}

/* What must agree for a run to resume; run_config_free gives the texts back. */
static run_config describe(const train_config *c, const tokens *train, const tokens *val)
{
    run_config r = run_of(c);
    r.model = gpt_config_print(&c->model);
    r.alphabet = train->alphabet;
    char *eval = evaluation_text(c, gpt_windows(val, c->model.T));
    r.recipe = must_format("batch=%ld/%ld%s%s", c->batch, c->micro, eval, c->spectra ? " spectra=1" : "");
    free(eval);
    r.sources = must_format("seed=%llu data_seed=%llu train=%016llx val=%016llx%s", (unsigned long long)c->seed,
                            (unsigned long long)c->data_seed, (unsigned long long)train->hash,
                            (unsigned long long)val->hash, c->torch_order ? " order=torch" : "");
    return r;
}

static trainer_state create_trainer(const train_config *c, const ops *o, const tokens *train, const tokens *val)
{
    const size_t n = (size_t)(c->micro * c->model.T);
    return (trainer_state){ .c = c, .train = train, .val = val,
                            .order = c->torch_order ? tokens_order_torch(c->data_seed, c->batch)
                                                    : tokens_order_counter(c->data_seed),
                            .M = gpt_create(&c->model, o, c->micro, c->seed),
                            .token = must_calloc(n, sizeof(int32_t)), .target = must_calloc(n, sizeof(int32_t)),
                            .loss = must_calloc(n, sizeof(double)) };
}

static void free_trainer(trainer_state *l)
{
    spectra_free(&l->spectra);
    gpt_free(l->M);
    free(l->token);
    free(l->target);
    free(l->loss);
}

static training_task task_of(trainer_state *l)
{
    const train_config *c = l->c;
    const double per_step = (double)(c->batch * c->model.T);
    return (training_task){ .net = gpt_net(l->M), .self = l, .step = step, .split = true, .evaluate = evaluate,
                            .attention = gpt_attention(l->M), .unit = "tokens", .units_per_step = per_step,
                            .flops_per_step = per_step * gpt_flops(&c->model) };
}

/* On a text that says nothing. */
tally train_gpt_tally(const train_config *c, const ops *o)
{
    const char *wrong = train_config_check(c);
    REQUIRE(!wrong, "%s", wrong);
    const size_t n = (size_t)(2 * c->model.T);
    uint16_t *zeros = must_calloc(n, sizeof *zeros);
    const tokens text = { .at = zeros, .n = n, .V = c->model.V };
    train_config any = *c;
    any.torch_order = false;
    trainer_state l = create_trainer(&any, o, &text, &text);
    const training_task t = task_of(&l);
    const tally is = run_tally(&c->optim, &t);
    free_trainer(&l);
    free(zeros);
    return is;
}

/* The largest divisor of the batch of which `most` tokens are not exceeded, and on a GPU its memory is not. */
long train_micro(const train_config *c, const ops *o)
{
    enum { CPU_TOKENS = 1 << 14, GPU_TOKENS = 1 << 16 };
    const long most = o->device ? GPU_TOKENS : CPU_TOKENS;
    const double room = USUAL_SHARE * (double)o->memory;
    for (long micro = c->batch; micro > 1; micro--) {
        if (c->batch % micro || micro * c->model.T > most) continue;
        if (!o->memory || (double)gpt_room(&c->model, o, micro) <= room) return micro;
    }
    return 1;
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
    trainer_state l = create_trainer(c, o, train, val);
    run_config r = describe(c, train, val);
    static const char *const metric[] = { "val_loss", "cond_q" };
    training_task t = task_of(&l);
    t.metric = metric;
    t.metrics = c->spectra ? 2 : 1;
    if (c->spectra) {
        t.log.file = "spectra.csv";
        t.log.columns = SPECTRA_COLUMNS;
        t.log.write_rows = write_spectra;
    }
    const run_result result = run_training(&r, &t);
    l.steps_done = result.steps;
    if (result.finished && !result.diverged && c->losses) write_losses(&l, &r);
    free_trainer(&l);
    run_config_free(&r);
    return result;
}
