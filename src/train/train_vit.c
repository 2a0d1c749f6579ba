/* SPDX-License-Identifier: GPL-3.0-or-later
 * train_vit.c - see train_vit.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/outfile.h"
#include "src/train/train_vit.h"

typedef struct {
    const vit_training *c;
    const image_sets   *s;
    vit     *M;
    long     epoch, steps_done;          /* `order` is of this epoch                                     */
    int32_t *order;                      /* [images]                                                  */
    unsigned char *image;               /* [micro]                                                     */
    int32_t *label;                      /* [micro]                                                     */
    double  *loss, *top1;               /* [micro]                                                     */
    double   running[3];                 /* over this epoch: losses, right ones, images                 */
} trainer_state;
enum { RUNNING_LOSS, RUNNING_TOP1, RUNNING_IMAGES };

/* The paper names Adam only for another data set; that and its numbers are Keras' defaults, the batch is our choice. */
vit_training vit_training_default(void)
{
    return (vit_training){ .optim = { .peak = 1e-3, .least = 1e-3, .beta1 = 0.9, .beta2 = 0.999, .eps = 1e-7,
                                      .keras = true },
                           .epochs = 10, .batch = 256, .micro = 64, .eval_every = 1, .save_every = 1, .seed = 1,
                           .data_seed = 42 };
}

long vit_micro(const vit_training *c, const ops *o)
{
    enum { CPU = 64, GPU = 4096 };
    return !o->device ? CPU : c->batch < GPU ? c->batch : GPU;
}

static long steps_per_epoch(const vit_training *c, long count) { return (count + c->batch - 1) / c->batch; }
long vit_steps(const vit_training *c, long count) { return c->epochs * steps_per_epoch(c, count); }

static run_config run_of(const vit_training *c, long count)
{
    const long per_epoch = steps_per_epoch(c, count);
    run_config r = { .optim = c->optim, .eval_every = c->eval_every * per_epoch,
                     .save_every = c->save_every * per_epoch, .out = c->out, .quiet = c->quiet };
    r.optim.steps = vit_steps(c, count);
    return r;
}

const char *vit_training_check(const vit_training *c)
{
    const char *wrong = vit_config_check(&c->model);
    if (wrong) return wrong;
    if (c->epochs < 1 || c->batch < 1 || c->micro < 1) return "epochs, batch and micro-batch must be at least 1";
    if (c->epochs > 1 << 20 || c->batch > 1 << 20) return "epochs and batch are at most 2^20";
    if (c->eval_every < 1 || c->save_every < 1 || c->train_eval_every < 0)
        return "evaluations and checkpoints come every 1 or more epochs";
    const run_config r = run_of(c, c->batch);
    return run_config_check(&r);
}

/* Loss and right answer (0 or 1) of each of x->n images. */
static void score_each(vit *M, const images *x, long B, double *loss, double *top1)
{
    int32_t *label = must_calloc((size_t)B, sizeof *label);
    for (long from = 0; from < x->n; from += B) {
        const long n = x->n - from < B ? x->n - from : B;
        for (long i = 0; i < n; i++) label[i] = x->label[from + i];
        vit_loss(M, x->pixel + from * x->side * x->side * x->channels, label, n, loss + from, top1 + from, 0);
    }
    free(label);
}

vit_score vit_evaluate(vit *M, const images *x, long B)
{
    double *loss = must_calloc((size_t)x->n, sizeof *loss), *top1 = must_calloc((size_t)x->n, sizeof *top1);
    vit_score sum = { 0, 0 };
    score_each(M, x, B, loss, top1);
    for (long i = 0; i < x->n; i++) {
        sum.loss += loss[i];
        sum.accuracy += top1[i];
    }
    free(loss);
    free(top1);
    return (vit_score){ sum.loss / (double)x->n, sum.accuracy / (double)x->n };
}

/* losses.csv: what the finished model says of each validation image, for statistics that pair the images of two. */
static void write_losses(const trainer_state *l, const run_config *r)
{
    const images *x = &l->s->val;
    double *loss = must_calloc((size_t)x->n, sizeof *loss), *top1 = must_calloc((size_t)x->n, sizeof *top1);
    char *path = must_format("%s/losses.csv", l->c->out);
    score_each(l->M, x, l->c->micro, loss, top1);
    outfile o = outfile_open(path);
    fprintf(o.f, "# model %s\n# sources %s\nimage,right,loss\n", r->model, r->sources);
    for (long i = 0; i < x->n; i++) fprintf(o.f, "%ld,%.0f,%.6g\n", i, top1[i], loss[i]);
    outfile_close(&o);
    free(path);
    free(loss);
    free(top1);
}

static void evaluate(void *self, double *metric)
{
    const trainer_state *l = self;
    const vit_training *c = l->c;
    const images *train = &l->s->train;
    const long epochs = l->steps_done / steps_per_epoch(c, train->n);
    const bool at_end = epochs == c->epochs, due = c->train_eval_every && epochs % c->train_eval_every == 0;
    const bool whole = l->running[RUNNING_IMAGES] == (double)train->n;
    const vit_score val = vit_evaluate(l->M, &l->s->val, c->micro);
    vit_score all = { NAN, NAN };
    if (at_end || due) all = vit_evaluate(l->M, train, c->micro);
    metric[VIT_VAL_LOSS]         = val.loss;
    metric[VIT_VAL_ACCURACY]     = val.accuracy;
    metric[VIT_RUNNING_LOSS]     = whole ? l->running[RUNNING_LOSS] / (double)train->n : NAN;
    metric[VIT_RUNNING_ACCURACY] = whole ? l->running[RUNNING_TOP1] / (double)train->n : NAN;
    metric[VIT_TRAIN_LOSS]       = all.loss;
    metric[VIT_TRAIN_ACCURACY]   = all.accuracy;
}

static double step(void *self, long step)
{
    trainer_state *l = self;
    const vit_training *c = l->c;
    const images *train = &l->s->train;
    const long per_epoch = steps_per_epoch(c, train->n), epoch = step / per_epoch, from = step % per_epoch * c->batch;
    const long batch = train->n - from < c->batch ? train->n - from : c->batch;
    if (epoch != l->epoch) {
        images_order(l->order, train->n, c->data_seed, epoch);
        l->epoch = epoch;
    }
    if (from == 0) memset(l->running, 0, sizeof l->running);
    double sum = 0;
    for (long k = 0; k < batch; k += c->micro) {
        const long n = batch - k < c->micro ? batch - k : c->micro;
        images_pick(train, l->order + from + k, n, l->image, l->label);
        sum += (double)n * vit_loss(l->M, l->image, l->label, n, l->loss, l->top1, 1.0 / (double)batch);
        for (long i = 0; i < n; i++) l->running[RUNNING_TOP1] += l->top1[i];
    }
    l->running[RUNNING_LOSS] += sum;
    l->running[RUNNING_IMAGES] += (double)batch;
    l->steps_done = step + 1;
    return sum / (double)batch;
}

/* What must agree for a run to resume; run_config_free gives the texts back. */
static run_config describe(const vit_training *c, const image_sets *s)
{
    run_config r = run_of(c, s->train.n);
    r.model = vit_config_print(&c->model);
    r.recipe = must_format("batch=%ld/%ld epochs=%ld", c->batch, c->micro, c->epochs);
    r.sources = must_format("%s val=%s val_n=%ld seed=%llu data_seed=%llu train=%016llx val=%016llx", s->name,
                            s->val_name, s->val.n, (unsigned long long)c->seed, (unsigned long long)c->data_seed,
                            (unsigned long long)s->train.hash, (unsigned long long)s->val.hash);
    return r;
}

/* Room for a step, on the sets s. */
static trainer_state create_trainer(const vit_training *c, const ops *o, const image_sets *s)
{
    const vit_config *m = &c->model;
    const size_t micro = (size_t)c->micro;
    return (trainer_state){ .c = c, .s = s, .M = vit_create(m, o, c->micro, c->seed), .epoch = -1,
                            .order = must_calloc((size_t)s->train.n, sizeof(int32_t)),
                            .image = must_calloc(micro, (size_t)(m->side * m->side * m->channels)),
                            .label = must_calloc(micro, sizeof(int32_t)), .loss = must_calloc(micro, sizeof(double)),
                            .top1 = must_calloc(micro, sizeof(double)) };
}

static void free_trainer(trainer_state *l)
{
    vit_free(l->M);
    free(l->order);
    free(l->image);
    free(l->label);
    free(l->loss);
    free(l->top1);
}

static training_task task_of(trainer_state *l)
{
    static const char *const metric[VIT_METRICS] = { "val_loss", "val_accuracy", "running_loss", "running_accuracy",
                                                     "train_loss", "train_accuracy" };
    static const char *const sum[] = { "epoch_loss", "epoch_right", "epoch_images" };
    const long n = l->s->train.n;
    const double per_step = (double)n / (double)steps_per_epoch(l->c, n);
    return (training_task){ .net = vit_net(l->M), .self = l, .step = step, .evaluate = evaluate, .metric = metric,
                            .metrics = VIT_METRICS, .sums = { sum, l->running, COUNT(sum) },
                            .attention = vit_attention(l->M), .unit = "images", .units_per_step = per_step,
                            .flops_per_step = 3 * per_step * vit_operations(&l->c->model) };
}

/* On one batch of black images. */
tally train_vit_tally(const vit_training *c, const ops *o)
{
    const char *wrong = vit_training_check(c);
    REQUIRE(!wrong, "%s", wrong);
    const vit_config *m = &c->model;
    const size_t n = (size_t)c->batch;
    const images batch = { .pixel = must_calloc(n, (size_t)(m->side * m->side * m->channels)),
                           .label = must_calloc(n, 1), .n = c->batch, .side = m->side, .channels = m->channels,
                           .classes = m->classes };
    const image_sets s = { .train = batch };
    trainer_state l = create_trainer(c, o, &s);
    const training_task t = task_of(&l);
    const tally is = run_tally(&c->optim, &t);
    free_trainer(&l);
    free(batch.pixel);
    free(batch.label);
    return is;
}

run_result train_vit(const vit_training *c, const ops *o, const image_sets *s)
{
    const char *wrong = vit_training_check(c);
    REQUIRE(!wrong, "%s", wrong);
    const vit_config *m = &c->model;
    if (m->side != s->train.side || m->channels != s->train.channels || m->classes != s->train.classes)
        die("the model reads images of %ld x %ld x %ld in %ld classes, %s has %ld x %ld x %ld in %ld", m->side,
            m->side, m->channels, m->classes, s->name, s->train.side, s->train.side, s->train.channels,
            s->train.classes);
    trainer_state l = create_trainer(c, o, s);
    run_config r = describe(c, s);
    const training_task t = task_of(&l);
    const run_result result = run_training(&r, &t);
    if (result.finished && !result.diverged) write_losses(&l, &r);
    free_trainer(&l);
    run_config_free(&r);
    return result;
}
