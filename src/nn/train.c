/* train.c - see train.h. */
#include <cblas.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "src/nn/checkpoint.h"
#include "src/nn/train.h"

extern char *openblas_get_corename(void);

static volatile sig_atomic_t stop;
static void on_interrupt(int signal_number) { (void)signal_number; stop = 1; }

typedef struct {
    const train_config *c;
    const ops *o;
    const tokens *train, *val;
    gpt  *M;
    optim s;
    FILE *steps, *evals;
    double val_loss;
    bool   resumed;                      /* the folder held a checkpoint of this run                    */
} run;

const char *train_config_check(const train_config *c)
{
    const char *wrong = gpt_config_check(&c->model);
    if (!wrong) wrong = optim_config_check(&c->optim);
    if (wrong) return wrong;
    if (c->batch < 1 || c->micro < 1 || c->batch % c->micro) return "the micro-batch must divide the batch";
    if (c->eval_every < 1 || c->save_every < 1) return "evaluations and checkpoints come every 1 or more steps";
    if (!c->out || !c->out[0]) return "the run needs a folder";
    return NULL;
}

/* What must agree for a run to go on. */
static char *identity(const run *r)
{
    const gpt_config *m = &r->c->model;
    return must_format("L=%ld d=%ld h=%ld m=%ld T=%ld V=%ld query=%d factor=%.17g tied=%d norm=%d skips=%d%d std=%.17g",
                       m->L, m->d, m->h, m->m, m->T, m->V, m->query, m->factor, m->tied, m->norm, m->attn_skip,
                       m->mlp_skip, m->init_std);
}

static char *recipe(const run *r)
{
    const optim_config *p = &r->c->optim;
    return must_format("lr=%.9g-%.9g warmup=%ld steps=%ld betas=%.9g,%.9g eps=%.9g wd=%.9g clip=%.9g keras=%d "
                       "batch=%ld/%ld",
                       p->peak, p->least, p->warmup, p->steps, p->beta1, p->beta2, p->eps, p->decay, p->clip, p->keras,
                       r->c->batch, r->c->micro);
}

static char *sources(const run *r)
{
    return must_format("seed=%llu data_seed=%llu train=%016llx val=%016llx", (unsigned long long)r->c->seed,
                       (unsigned long long)r->c->data_seed, (unsigned long long)r->train->hash,
                       (unsigned long long)r->val->hash);
}

static char *machine(const run *r)
{
    const char *threads = getenv("OMP_NUM_THREADS");
    return must_format("%s %s threads=%s", r->o->name, openblas_get_corename(), threads ? threads : "all");
}

static char *file_in(const run *r, const char *name) { return must_format("%s/%s", r->c->out, name); }

/* ---- checkpoints ------------------------------------------------------------------------------------------ */

static void store(checkpoint *k, const run *r, const char *prefix, const void *flat)
{
    const param_table *t = gpt_table(r->M);
    for (long i = 0; i < t->n; i++) {
        const param *p = &t->list[i];
        const size_t n = (size_t)(p->rows * p->cols);
        double *x = must_calloc(n, sizeof *x);
        float *y = must_calloc(n, sizeof *y);
        char *name = must_format("%s%s", prefix, p->name);
        r->o->get(x, at(r->o, flat, p->at), n);
        for (size_t j = 0; j < n; j++) y[j] = (float)x[j];
        checkpoint_tensor(k, name, p->rows, p->cols, y);
        free(name);
        free(x);
        free(y);
    }
}

static void restore(const checkpoint *k, const param_table *t, const ops *o, const char *prefix, void *flat,
                    const char *path)
{
    for (long i = 0; i < t->n; i++) {
        const param *p = &t->list[i];
        char *name = must_format("%s%s", prefix, p->name);
        const stored *s = checkpoint_find(k, name);
        if (!s || s->rows != p->rows || s->cols != p->cols)
            die("%s has no tensor %s of %ld x %ld; it is of another model", path, name, p->rows, p->cols);
        const size_t n = (size_t)(p->rows * p->cols);
        double *x = must_calloc(n, sizeof *x);
        for (size_t j = 0; j < n; j++) x[j] = (double)s->x[j];
        o->put(at(o, flat, p->at), x, n);
        free(x);
        free(name);
    }
}

static void save(run *r, bool finished)
{
    checkpoint k = { .tensor = NULL };
    char *text[] = { identity(r), recipe(r), sources(r), machine(r) };
    static const char *const name[] = { "model", "recipe", "sources", "machine" };
    for (size_t i = 0; i < COUNT(name); i++) {
        checkpoint_text(&k, name[i], "%s", text[i]);
        free(text[i]);
    }
    checkpoint_text(&k, "step", "%ld", r->s.step);
    checkpoint_text(&k, "val_loss", "%.17g", r->val_loss);
    checkpoint_text(&k, "finished", "%d", finished);
    store(&k, r, "", gpt_weights(r->M));
    store(&k, r, "m:", r->s.m);
    store(&k, r, "v:", r->s.v);
    char *path = file_in(r, "last.ckpt");
    checkpoint_write(&k, path);
    free(path);
    checkpoint_free(&k);
}

static const char *value_of(const checkpoint *k, const char *name, const char *path)
{
    const char *value = checkpoint_value(k, name);
    if (!value) die("%s does not say `%s`; it is of another version: remove it or choose another folder", path, name);
    return value;
}

static void must_agree(const checkpoint *k, const char *name, char *mine, const char *path)
{
    const char *theirs = value_of(k, name, path);
    if (strcmp(theirs, mine) != 0)
        die("%s is another run (%s: `%s`, now `%s`); remove its folder or choose another", path, name, theirs, mine);
    free(mine);
}

/* Returns whether the folder's run is finished. */
static bool resume(run *r)
{
    char *path = file_in(r, "last.ckpt");
    if (access(path, F_OK) != 0) {
        free(path);
        return false;
    }
    checkpoint k = checkpoint_read(path);
    must_agree(&k, "model", identity(r), path);
    must_agree(&k, "recipe", recipe(r), path);
    must_agree(&k, "sources", sources(r), path);
    char *here = machine(r);
    if (strcmp(here, value_of(&k, "machine", path)) != 0)
        fprintf(stderr, "%s: %s was written on `%s`, this is `%s`: the last bits may differ from an uninterrupted "
                "run\n",
                program_name, path, value_of(&k, "machine", path), here);
    free(here);
    r->s.step = strtol(value_of(&k, "step", path), NULL, 10);
    r->val_loss = strtod(value_of(&k, "val_loss", path), NULL);
    const bool finished = strcmp(value_of(&k, "finished", path), "1") == 0;
    restore(&k, gpt_table(r->M), r->o, "", gpt_weights(r->M), path);
    restore(&k, gpt_table(r->M), r->o, "m:", r->s.m, path);
    restore(&k, gpt_table(r->M), r->o, "v:", r->s.v, path);
    r->resumed = true;
    checkpoint_free(&k);
    free(path);
    return finished;
}

gpt *train_load(const char *folder, const ops *o, long B, gpt_config *c)
{
    char *path = must_format("%s/last.ckpt", folder);
    checkpoint k = checkpoint_read(path);
    int query, tied, norm, attn_skip, mlp_skip;
    const int n = sscanf(value_of(&k, "model", path), "L=%ld d=%ld h=%ld m=%ld T=%ld V=%ld query=%d factor=%lf tied=%d "
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
    restore(&k, gpt_table(M), o, "", gpt_weights(M), path);
    checkpoint_free(&k);
    free(path);
    return M;
}

/* ---- logs: rows up to the checkpoint's step stay, later ones are written again ------------------------------ */

static FILE *open_log(const run *r, const char *name, const char *header)
{
    char *path = file_in(r, name), line[256];
    FILE *old = fopen(path, "r");
    outfile kept = outfile_open(path);
    fprintf(kept.f, "%s\n", header);
    for (bool first = true; old && fgets(line, sizeof line, old); first = false)
        if (r->resumed && !first && strchr(line, '\n') && strtol(line, NULL, 10) <= r->s.step) fputs(line, kept.f);
    if (old) fclose(old);
    outfile_close(&kept);
    FILE *f = fopen(path, "a");
    if (!f) die("cannot write %s: %s", path, strerror(errno));
    free(path);
    return f;
}

static void log_row(FILE *f, const run *r, const char *row)
{
    if (fprintf(f, "%s\n", row) < 0 || fflush(f) != 0)
        die("cannot write the log in %s: %s; free some space and start again, it goes on from the last checkpoint",
            r->c->out, strerror(errno));
}

/* ---- steps --------------------------------------------------------------------------------------------------- */

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

static void evaluate(run *r)
{
    char row[64];
    r->val_loss = gpt_evaluate(r->M, r->val, r->c->model.T, r->c->micro, NULL);
    snprintf(row, sizeof row, "%ld,%.9g", r->s.step, r->val_loss);
    log_row(r->evals, r, row);
}

static double step(run *r, int32_t *token, int32_t *target, double *loss)
{
    const train_config *c = r->c;
    const long T = c->model.T;
    const double factor = 1.0 / (double)(c->batch * T);
    double mean = 0;
    r->o->zero(gpt_gradients(r->M), gpt_table(r->M)->size);
    for (long from = 0; from < c->batch; from += c->micro) {
        for (long b = 0; b < c->micro; b++)
            tokens_window(r->train, tokens_place(r->train, c->data_seed, r->s.step, from + b, T), T, token + b * T,
                          target + b * T);
        mean += gpt_loss(r->M, token, target, c->micro, loss, factor) * (double)c->micro / (double)c->batch;
    }
    const double rate = optim_rate(&c->optim, r->s.step);
    const double norm = optim_update(&r->s, &c->optim, gpt_table(r->M), r->o, gpt_weights(r->M), gpt_gradients(r->M));
    if (!isfinite(mean) || !isfinite(norm))
        die("step %ld: the loss is not finite; the last checkpoint in %s is from before.  Try a lower rate, a longer "
            "warm-up or a smaller clip", r->s.step, c->out);
    char row[128];
    snprintf(row, sizeof row, "%ld,%.9g,%.9g,%.9g", r->s.step, rate, mean, norm);
    log_row(r->steps, r, row);
    return mean;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void progress(const run *r, double loss, double rate, bool last)
{
    const long left = r->c->optim.steps - r->s.step;
    const double per_step = (double)(r->c->batch * r->c->model.T) / rate;
    fprintf(stderr, "\rstep %ld/%ld  loss %.4f  val %.4f  %.0f tokens/s  %ld s left   %s", r->s.step, r->c->optim.steps,
            loss, r->val_loss, rate, (long)((double)left * per_step), last ? "\n" : "");
}

static void make_folder(const char *path)
{
    if (mkdir(path, 0777) != 0 && errno != EEXIST) die("cannot make the folder %s: %s", path, strerror(errno));
}

train_result train_gpt(const train_config *c, const ops *o, const tokens *train, const tokens *val)
{
    const char *wrong = train_config_check(c);
    REQUIRE(!wrong, "%s", wrong);
    const long T = c->model.T;
    if (train->n <= (size_t)T || val->n <= (size_t)T)
        die("the text is too short: %zu and %zu tokens, windows of %ld; give more text or shorter windows",
            train->n, val->n, T);
    if (train->V > c->model.V || val->V > c->model.V)
        die("the text needs a vocabulary of %ld, the model has %ld", train->V, c->model.V);
    make_folder(c->out);
    run r = { .c = c, .o = o, .train = train, .val = val, .val_loss = NAN,
              .M = gpt_create(&c->model, o, c->micro, c->seed) };
    r.s = optim_create(gpt_table(r.M), o);
    bool finished = resume(&r);
    const long first = r.s.step;
    double busy = 0;                                        /* seconds in steps, without validations */
    if (!finished) {
        const size_t n = (size_t)(c->micro * T);
        int32_t *token = must_calloc(n, sizeof *token), *target = must_calloc(n, sizeof *target);
        double *loss = must_calloc(n, sizeof *loss), mean = NAN;
        stop = 0;
        const struct sigaction act = { .sa_handler = on_interrupt };
        struct sigaction before;
        sigaction(SIGINT, &act, &before);
        r.steps = open_log(&r, "steps.csv", "step,rate,loss,norm");
        r.evals = open_log(&r, "evals.csv", "step,val_loss");
        if (!r.resumed) evaluate(&r);
        while (r.s.step < c->optim.steps && !stop) {
            const double start = now();
            mean = step(&r, token, target, loss);
            busy += now() - start;
            if (r.s.step % c->eval_every == 0 || r.s.step == c->optim.steps) evaluate(&r);
            finished = r.s.step == c->optim.steps;
            if (finished || r.s.step % c->save_every == 0) save(&r, finished);
            const double rate = (double)((r.s.step - first) * c->batch * T) / busy;
            if (!c->quiet && (r.s.step % 10 == 0 || finished)) progress(&r, mean, rate, finished);
        }
        if (!finished) {
            save(&r, false);
            fprintf(stderr, "\n%s: stopped at step %ld; the same command goes on from there\n", program_name, r.s.step);
        }
        sigaction(SIGINT, &before, NULL);
        fclose(r.steps);
        fclose(r.evals);
        free(token);
        free(target);
        free(loss);
    }
    const train_result result = { finished, r.s.step, r.val_loss,
                                  r.s.step > first ? (double)((r.s.step - first) * c->batch * T) / busy : 0 };
    gpt_free(r.M);
    optim_free(&r.s, o);
    return result;
}
