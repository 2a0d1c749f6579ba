/* train_vit.c - see train_vit.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/train/train_vit.h"

typedef struct {
    const vit_training *c;
    const image_sets   *s;
    vit     *M;
    long     epoch, done;                /* that `order` is of; steps made                              */
    int32_t *order;                      /* [pictures]                                                  */
    unsigned char *picture;              /* [micro]                                                     */
    int32_t *label;                      /* [micro]                                                     */
    double  *loss, *right;               /* [micro]                                                     */
    double   running_loss, running_right;
    long     seen;                       /* pictures of this epoch in these sums                        */
} lesson;

/* The paper names Adam only for another data set; that and the rest are what Keras does unasked, our choice. */
vit_training vit_training_default(void)
{
    return (vit_training){ .optim = { .peak = 1e-3, .least = 1e-3, .beta1 = 0.9, .beta2 = 0.999, .eps = 1e-7,
                                      .keras = true },
                           .epochs = 10, .batch = 256, .micro = 64, .eval_every = 1, .save_every = 1, .seed = 1,
                           .data_seed = 42 };
}

const char *vit_training_check(const vit_training *c)
{
    const char *wrong = vit_config_check(&c->model);
    if (wrong) return wrong;
    if (c->epochs < 1 || c->batch < 1 || c->micro < 1) return "epochs, batch and micro-batch must be at least 1";
    if (c->epochs > 1 << 20 || c->batch > 1 << 20) return "epochs and batch are at most 2^20";
    if (c->eval_every < 1 || c->save_every < 1 || c->train_eval_every < 0)
        return "evaluations and checkpoints come every 1 or more epochs";
    run_config r = { .optim = c->optim, .eval_every = 1, .save_every = 1, .out = c->out };
    r.optim.steps = 1;
    return run_config_check(&r);
}

static long steps_per_epoch(const vit_training *c, long pictures) { return (pictures + c->batch - 1) / c->batch; }
long vit_steps(const vit_training *c, long pictures) { return c->epochs * steps_per_epoch(c, pictures); }

vit_score vit_evaluate(vit *M, const images *x, long B)
{
    int32_t *label = must_calloc((size_t)B, sizeof *label);
    double *loss = must_calloc((size_t)B, sizeof *loss), *right = must_calloc((size_t)B, sizeof *right);
    vit_score sum = { 0, 0 };
    for (long from = 0; from < x->n; from += B) {
        const long n = x->n - from < B ? x->n - from : B;
        for (long i = 0; i < n; i++) label[i] = x->label[from + i];
        vit_loss(M, x->pixel + from * x->side * x->side * x->channels, label, n, loss, right, 0);
        for (long i = 0; i < n; i++) {
            sum.loss += loss[i];
            sum.accuracy += right[i];
        }
    }
    free(label);
    free(loss);
    free(right);
    return (vit_score){ sum.loss / (double)x->n, sum.accuracy / (double)x->n };
}

static void evaluate(void *self, double *metric)
{
    const lesson *l = self;
    const vit_training *c = l->c;
    const images *train = &l->s->train;
    const long epochs = l->done / steps_per_epoch(c, train->n);
    const bool at_end = epochs == c->epochs, due = c->train_eval_every && epochs % c->train_eval_every == 0;
    const bool whole = l->seen == train->n;
    const vit_score val = vit_evaluate(l->M, &l->s->val, c->micro);
    vit_score all = { NAN, NAN };
    if (at_end || due) all = vit_evaluate(l->M, train, c->micro);
    metric[VIT_VAL_LOSS]         = val.loss;
    metric[VIT_VAL_ACCURACY]     = val.accuracy;
    metric[VIT_RUNNING_LOSS]     = whole ? l->running_loss / (double)l->seen : NAN;
    metric[VIT_RUNNING_ACCURACY] = whole ? l->running_right / (double)l->seen : NAN;
    metric[VIT_TRAIN_LOSS]       = all.loss;
    metric[VIT_TRAIN_ACCURACY]   = all.accuracy;
}

static double step(void *self, long step)
{
    lesson *l = self;
    const vit_training *c = l->c;
    const images *train = &l->s->train;
    const long per_epoch = steps_per_epoch(c, train->n), epoch = step / per_epoch, from = step % per_epoch * c->batch;
    const long batch = train->n - from < c->batch ? train->n - from : c->batch;
    if (epoch != l->epoch) {
        images_order(l->order, train->n, c->data_seed, epoch);
        l->epoch = epoch;
    }
    if (from == 0) {
        l->running_loss = l->running_right = 0;
        l->seen = 0;
    }
    double sum = 0;
    for (long k = 0; k < batch; k += c->micro) {
        const long n = batch - k < c->micro ? batch - k : c->micro;
        images_pick(train, l->order + from + k, n, l->picture, l->label);
        sum += (double)n * vit_loss(l->M, l->picture, l->label, n, l->loss, l->right, 1.0 / (double)batch);
        for (long i = 0; i < n; i++) l->running_right += l->right[i];
    }
    l->running_loss += sum;
    l->seen += batch;
    l->done = step + 1;
    return sum / (double)batch;
}

static void updated(void *self)
{
    const lesson *l = self;
    net_refresh(vit_net(l->M));
}

static char *identity(const vit_config *m)
{
    return must_format("vit S=%ld d=%ld h=%ld m=%ld pictures=%ldx%ldx%ld/%ld classes=%ld key=%d value=%d output=%d "
                       "biases=%d%d%d%d token=%d positions=%d skip=%d norm=%d",
                       m->S, m->d, m->h, m->m, m->side, m->side, m->channels, m->patch, m->classes, m->key, m->value,
                       m->output, m->query_bias, m->key_bias, m->value_bias, m->output_bias, m->token, m->positions,
                       m->skip, m->norm);
}

static char *sources(const vit_training *c, const image_sets *s)
{
    return must_format("%s val=%s seed=%llu data_seed=%llu train=%016llx val=%016llx", s->name, s->val_name,
                       (unsigned long long)c->seed, (unsigned long long)c->data_seed,
                       (unsigned long long)s->train.hash, (unsigned long long)s->val.hash);
}

run_result train_vit(const vit_training *c, const ops *o, const image_sets *s)
{
    static const char *const metric[VIT_METRICS] = { "val_loss", "val_accuracy", "running_loss", "running_accuracy",
                                                     "train_loss", "train_accuracy" };
    const char *wrong = vit_training_check(c);
    REQUIRE(!wrong, "%s", wrong);
    const vit_config *m = &c->model;
    if (m->side != s->train.side || m->channels != s->train.channels || m->classes != s->train.classes)
        die("the model reads pictures of %ld x %ld x %ld in %ld classes, %s has %ld x %ld x %ld in %ld", m->side,
            m->side, m->channels, m->classes, s->name, s->train.side, s->train.side, s->train.channels,
            s->train.classes);
    const size_t micro = (size_t)c->micro;
    const long per_epoch = steps_per_epoch(c, s->train.n);
    lesson l = { .c = c, .s = s, .M = vit_create(m, o, c->micro, c->seed), .epoch = -1,
                 .order = must_calloc((size_t)s->train.n, sizeof *l.order),
                 .picture = must_calloc(micro, (size_t)(m->side * m->side * m->channels)),
                 .label = must_calloc(micro, sizeof *l.label), .loss = must_calloc(micro, sizeof *l.loss),
                 .right = must_calloc(micro, sizeof *l.right) };
    char *model = identity(m), *from = sources(c, s), *batches = must_format("batch=%ld/%ld epochs=%ld", c->batch,
                                                                             c->micro, c->epochs);
    run_config r = { .optim = c->optim, .eval_every = c->eval_every * per_epoch,
                     .save_every = c->save_every * per_epoch, .out = c->out, .quiet = c->quiet, .model = model,
                     .sources = from, .recipe = batches };
    r.optim.steps = vit_steps(c, s->train.n);
    const double per_step = (double)s->train.n / (double)per_epoch;
    const training_task t = { .o = o, .table = &vit_net(l.M)->table, .w = vit_net(l.M)->w, .g = vit_net(l.M)->g, .self = &l,
                        .step = step, .updated = updated, .evaluate = evaluate, .metric = metric,
                        .metrics = VIT_METRICS, .unit = "pictures", .units_per_step = per_step,
                        .flops_per_step = 3 * per_step * vit_operations(m) };
    const run_result result = run_training(&r, &t);
    vit_free(l.M);
    free(l.order);
    free(l.picture);
    free(l.label);
    free(l.loss);
    free(l.right);
    free(model);
    free(from);
    free(batches);
    return result;
}
