/* SPDX-License-Identifier: GPL-3.0-or-later
 * run.c - see run.h. */
#include <cblas.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "src/base/clock.h"
#include "src/base/file.h"
#include "src/base/lines.h"
#include "src/base/outfile.h"
#include "src/base/shown.h"
#include "src/base/text.h"
#include "src/base/version.h"
#include "src/train/checkpoint_net.h"
#include "src/train/run_line.h"
#include "src/train/run.h"
#include "src/train/world.h"

extern char *openblas_get_corename(void);

static volatile sig_atomic_t stop;
/* The second one ends the program at once. */
static void on_interrupt(int signal_number) { (void)signal_number; stop = 1; }

enum { TEXTS = 4 };
typedef struct { const char *name; char *value; } header_field;

typedef struct {
    const run_config *c;
    const training_task *t;
    optim  s;
    header_field text[TEXTS];            /* model, recipe, sources, machine                             */
    char  *commit;                       /* what the run was trained with                               */
    FILE  *steps, *evals, *own;          /* own: of the trainer, or NULL                                */
    double metric[METRICS];
    bool   resumed;                      /* the folder held a checkpoint of this run                    */
    bool   stop;                         /* one of the processes was told to                            */
    long   diverged;                     /* the step whose loss is not finite; 0: none                  */
} run;

const char *run_config_check(const run_config *c)
{
    const char *wrong = optim_config_check(&c->optim);
    if (wrong) return wrong;
    if (c->eval_every < 1 || c->save_every < 1) return "evaluations and checkpoints come every 1 or more steps";
    if (!c->out || !c->out[0]) return "the run needs a folder";
    return NULL;
}

void run_config_free(run_config *c)
{
    free(c->model);
    free(c->sources);
    free(c->recipe);
}

static char *recipe(const run_config *c)
{
    const optim_config *p = &c->optim;
    return must_format("lr=%.9g-%.9g warmup=%ld steps=%ld betas=%.9g,%.9g eps=%.9g wd=%.9g clip=%.9g keras=%d %s",
                       p->peak, p->least, p->warmup, p->steps, p->beta1, p->beta2, p->eps, p->decay, p->clip, p->keras,
                       c->recipe);
}

/* How the backend does the task's attention, and why not as was asked; NULL: there is none, or one way only. */
static const char *attention_method(const training_task *t, char **why)
{
    const ops *o = t->net->o;
    *why = NULL;
    return o->attn_method && t->attention.B ? o->attn_method(&t->attention, why) : NULL;
}

/* What the last bits depend on: "cuda-bf16 on NVIDIA H200, sm_90, driver 13.0, runtime 13.0, attention=flash ..." */
static char *machine(const training_task *t)
{
    const ops *o = t->net->o;
    const char *asked = getenv("OMP_NUM_THREADS"), *threads = asked ? asked : "all";
    if (strlen(threads) > 64 || (asked && asked[strspn(asked, "0123456789,")])) threads = "other";
    text_buffer text = { 0 };
    char *why;
    const char *method = attention_method(t, &why);
    free(why);
    text_add(&text, "%s", o->name);
    if (o->device) text_add(&text, " on %s", o->device);
    if (method)    text_add(&text, ", attention=%s", method);
    text_add(&text, " %s threads=%s", openblas_get_corename(), threads);
    if (world_size() > 1) text_add(&text, " processes=%ld", world_size());
    return text_take(&text);
}

/* One line, also where there is no progress: what a run's speed and last bits depend on. */
static void say_device(const training_task *t)
{
    const ops *o = t->net->o;
    if (!o->device || world_rank() != 0) return;
    char *why;
    const char *method = attention_method(t, &why);
    shown_print(stderr, "%s: %s on %s%s%s%s%s%s\n", program_name, o->name, o->device, method ? ", attention: " : "",
            method ? method : "", why ? " (" : "", why ? why : "", why ? ")" : "");
    free(why);
}

static char *file_in(const run *r, const char *name) { return must_format("%s/%s", r->c->out, name); }

/* ---- checkpoints ------------------------------------------------------------------------------------------ */

enum { ARRAYS = 3 };
static void arrays_of(const run *r, net_array a[ARRAYS])
{
    a[0] = (net_array){ "", r->t->net->w };
    a[1] = (net_array){ "m:", r->s.m };
    a[2] = (net_array){ "v:", r->s.v };
}

/* Rows are on the disk before the checkpoint that counts on them. */
static void sync_log(FILE *f, const run *r)
{
    if (fsync(fileno(f)) != 0 && errno != EINVAL && errno != EROFS)
        die("cannot write the log in %s: %s; run the same command again, it resumes from the last checkpoint",
            r->c->out,
            strerror(errno));
}

static void save(run *r, bool finished)
{
    if (world_rank() != 0) return;
    sync_log(r->steps, r);
    sync_log(r->evals, r);
    if (r->own) sync_log(r->own, r);
    checkpoint k = { .tensor = NULL };
    for (long i = 0; i < TEXTS; i++)
        checkpoint_text(&k, r->text[i].name, strcmp(r->text[i].name, "machine") ? "%s" : "%.400s", r->text[i].value);
    checkpoint_text(&k, "commit", "%.400s", r->commit);
    checkpoint_text(&k, "step", "%ld", r->s.step);
    if (r->c->alphabet) checkpoint_text(&k, "alphabet", "%016jx", (uintmax_t)r->c->alphabet);
    for (long i = 0; i < r->t->metrics; i++) checkpoint_text(&k, r->t->metric[i], "%.17g", r->metric[i]);
    for (long i = 0; i < r->t->sums.n; i++)
        checkpoint_text(&k, r->t->sums.name[i], "%.17g", r->t->sums.value[i]);
    checkpoint_text(&k, "finished", "%d", finished);
    if (r->diverged) checkpoint_text(&k, "diverged", "%ld", r->diverged);
    net_array a[ARRAYS];
    arrays_of(r, a);
    char *path = file_in(r, "last.ckpt");
    net_store(&k, path, &r->t->net->table, r->t->net->o, ARRAYS, a);
    free(path);
    checkpoint_free(&k);
}

const char *run_text(const checkpoint *k, const char *name, const char *path)
{
    const char *value = checkpoint_value(k, name);
    if (!value) die("%s does not say `%s`; it is of another version: remove it or choose another folder", path, name);
    return value;
}

/* Whether there is a checkpoint: what is there and cannot be looked at is not taken for a new run. */
static bool is_there(const char *path)
{
    struct stat s;
    if (lstat(path, &s) == 0) return true;
    if (errno != ENOENT && errno != ENOTDIR) die("cannot read %s: %s", path, strerror(errno));
    return false;
}

char *run_folder_header(const char *folder, const char *file, const char *name)
{
    char *path = must_format("%s/%s", folder, file), *text = NULL;
    text_line line = { 0 };
    const size_t n = strlen(name);
    FILE *f = file_open(path);
    if (!f && errno != ENOENT && errno != ENOTDIR) die("cannot read %s: %s", path, strerror(errno));
    while (f && !text && line_next(&line, f, path) && *line.at == '#')
        if (strncmp(line.at, "# ", 2) == 0 && strncmp(line.at + 2, name, n) == 0 && line.at[2 + n] == ' ')
            text = must_strdup(line.at + 3 + n);
    if (f) fclose(f);
    if (text && !shown_as_is(text))
        die("%s: its `# %s` has characters that command a terminal: `%s`; it was not written by this suite", path, name,
            text);
    text_line_free(&line);
    free(path);
    return text ? text : must_strdup("");
}

long run_micro(const char *out, long batch)
{
    char *path = must_format("%s/last.ckpt", out), *recipe = NULL, whole[64];
    if (is_there(path)) {
        checkpoint_file f = checkpoint_open(path);
        const char *text = checkpoint_value(&f.head, "recipe");
        recipe = must_strdup(text ? text : "");
        checkpoint_close(&f);
    }
    if (!recipe) recipe = run_folder_header(out, "evals.csv", "recipe");  /* killed before the first checkpoint */
    const size_t n = (size_t)snprintf(whole, sizeof whole, " batch=%ld/", batch);
    const char *at = strstr(recipe, whole);
    long micro = 0;
    if (at) micro = strtol(at + n, NULL, 10);
    free(recipe);
    free(path);
    return micro > 0 ? micro : 0;
}

/* The name after the last ", from step N on " of a text, or all of it. */
static const char *last_name(const char *text)
{
    static const char from[] = ", from step ";
    const char *last = text;
    for (const char *at = text; (at = strstr(at, from)); ) {
        at += strlen(from);
        const char *on = at + strspn(at, "0123456789");
        if (on > at && strncmp(on, " on ", 4) == 0) last = on + 4;
    }
    return last;
}

/* Who made a run, THEIRS until STEP and MINE after it: "A, from step 40 on B"; as it is where B made the last steps. */
static char *and_from(const char *theirs, long step, const char *mine)
{
    if (strcmp(last_name(theirs), mine) == 0) return must_strdup(theirs);
    return must_format("%.400s, from step %ld on %s", theirs, step, mine);
}

/* Without a checkpoint a run begins at step 0 and writes the logs anew: not over those of a finished run, which cannot
 * be had again without its weights, nor over those of another one.  Its own logs are those of a run that was killed
 * before its first checkpoint. */
static void need_new_folder(const run *r)
{
    char *done = file_in(r, "done"), *evals = file_in(r, "evals.csv");
    struct stat s;
    if (stat(done, &s) == 0 && s.st_size > 0)
        die("%s holds a finished run whose last.ckpt is gone; remove the folder or choose another", r->c->out);
    for (long i = 0; i < TEXTS && is_there(evals); i++) {
        if (strcmp(r->text[i].name, "machine") == 0) continue;
        char *theirs = run_folder_header(r->c->out, "evals.csv", r->text[i].name);
        if (strcmp(theirs, r->text[i].value) != 0)
            die("%s is of another run, whose last.ckpt is gone (%s: `%s`, now `%s`); remove its folder or choose "
                "another", evals, r->text[i].name, theirs, r->text[i].value);
        free(theirs);
    }
    free(done);
    free(evals);
}

/* Returns whether the folder's run is finished. */
static bool resume(run *r)
{
    char *path = file_in(r, "last.ckpt");
    if (!is_there(path)) {
        need_new_folder(r);
        free(path);
        return false;
    }
    checkpoint_file f = checkpoint_open(path);
    const checkpoint *k = &f.head;
    r->s.step = strtol(run_text(k, "step", path), NULL, 10);
    for (long i = 0; i < TEXTS; i++) {
        const char *name = r->text[i].name, *theirs = run_text(k, name, path), *mine = r->text[i].value;
        if (strcmp(theirs, mine) == 0) continue;
        if (strcmp(name, "machine") != 0)
            die("%s is another run (%s: `%s`, now `%s`); remove its folder or choose another", path, name, theirs,
                mine);
        char *both = and_from(theirs, r->s.step, mine);
        if (world_rank() == 0)
            shown_print(stderr, "%s: %s was written on `%s`, this is `%s`: the last bits may differ from an "
                    "uninterrupted run\n", program_name, path, theirs, mine);
        free(r->text[i].value);
        r->text[i].value = both;
    }
    const char *commits = run_text(k, "commit", path);
    char *all = and_from(commits, r->s.step, r->commit);
    if (strcmp(all, commits) != 0 && world_rank() == 0)
        shown_print(stderr, "%s: %s was written by commit %s, this is %s\n", program_name, path, commits, r->commit);
    free(r->commit);
    r->commit = all;
    for (long i = 0; i < r->t->metrics; i++) r->metric[i] = strtod(run_text(k, r->t->metric[i], path), NULL);
    for (long i = 0; i < r->t->sums.n; i++) {               /* which earlier versions do not have: they begin anew */
        const char *sum = checkpoint_value(k, r->t->sums.name[i]);
        r->t->sums.value[i] = sum ? strtod(sum, NULL) : 0;
    }
    const char *diverged = checkpoint_value(k, "diverged");
    if (diverged) r->diverged = strtol(diverged, NULL, 10);
    if (r->s.step > optim_end(&r->c->optim))                /* its losses would be those of other windows      */
        die("%s has %ld steps already; leave --until=%ld out, or choose another folder", path, r->s.step,
            r->c->optim.until);
    const bool finished = diverged || r->s.step >= optim_end(&r->c->optim);
    net *n = r->t->net;
    net_array a[ARRAYS];
    arrays_of(r, a);
    net_restore(&f, &n->table, n->o, ARRAYS, a);
    net_refresh(n);
    r->resumed = true;
    checkpoint_close(&f);
    free(path);
    return finished;
}

/* ---- logs: rows up to the checkpoint's step stay, later ones are written again ------------------------------ */

static FILE *open_log(const run *r, const char *name, const char *columns)
{
    char *path = file_in(r, name);
    text_line line = { 0 };
    FILE *old = file_open(path);
    if (!old && errno != ENOENT) die("cannot read %s: %s; its rows would be lost", path, strerror(errno));
    outfile log = outfile_open(path);
    for (long i = 0; i < TEXTS; i++) fprintf(log.f, "# %s %s\n", r->text[i].name, r->text[i].value);
    fprintf(log.f, "# commit %s\n%s\n", r->commit, columns);
    while (old && line_next(&line, old, path))
        if (r->resumed && *line.at >= '0' && *line.at <= '9' && line.whole && strtol(line.at, NULL, 10) <= r->s.step)
            fprintf(log.f, "%s\n", line.at);
    if (old) fclose(old);
    text_line_free(&line);
    /* behind the user's links; one put there since is refused */
    char *written = must_strdup(log.path);
    outfile_close(&log);
    const int fd = open(written, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "a");
    if (!f) die("cannot write %s: %s", path, strerror(errno));
    free(written);
    free(path);
    return f;
}

static void flush_log(FILE *f, const run *r)
{
    if (fflush(f) != 0 || ferror(f))
        die("cannot write the log in %s: %s; free some space and run the same command again, it resumes from the last "
            "checkpoint",
            r->c->out, strerror(errno));
}

static void log_row(FILE *f, const run *r, const char *row)
{
    if (world_rank() != 0) return;
    fprintf(f, "%s\n", row);
    flush_log(f, r);
}

static void open_logs(run *r)
{
    if (world_rank() != 0) return;
    char columns[64 + 32 * METRICS] = "step";
    for (long i = 0; i < r->t->metrics; i++) {
        const size_t n = strlen(columns);
        snprintf(columns + n, sizeof columns - n, ",%s", r->t->metric[i]);
    }
    r->steps = open_log(r, "steps.csv", "step,rate,loss,norm");
    r->evals = open_log(r, "evals.csv", columns);
    if (r->t->log.file) r->own = open_log(r, r->t->log.file, r->t->log.columns);
}

/* ---- steps --------------------------------------------------------------------------------------------------- */

/* A row of evals.csv. */
static void log_metrics(const run *r, long step)
{
    char row[32 + 32 * METRICS];
    int n = snprintf(row, sizeof row, "%ld", step);
    for (long i = 0; i < r->t->metrics; i++)
        n += snprintf(row + n, sizeof row - (size_t)n, ",%.9g", r->metric[i]);
    log_row(r->evals, r, row);
}

static void evaluate(run *r)
{
    r->t->evaluate(r->t->self, r->metric);
    log_metrics(r, r->s.step);
    if (!r->own) return;
    r->t->log.write_rows(r->t->self, r->own, r->s.step);
    flush_log(r->own, r);
}

/* The weights stay as they are. */
static void diverge(run *r, double rate, double mean, double norm)
{
    char row[128];
    r->diverged = r->s.step + 1;
    for (long i = 0; i < r->t->metrics; i++) r->metric[i] = i ? NAN : INFINITY;
    snprintf(row, sizeof row, "%ld,%.9g,%.9g,%.9g", r->diverged, rate, mean, norm);
    log_row(r->steps, r, row);
    log_metrics(r, r->diverged);
    save(r, true);
}

static void say_diverged(const run *r)
{
    if (world_rank() == 0) {
        shown_print(stderr, "%s: diverged at step %ld: the loss or the gradient is not finite; %s/last.ckpt holds the "
                    "weights of before.  Try a lower rate, a longer warm-up or a smaller clip\n", program_name,
                    r->diverged, r->c->out);
    }
}

static double step(run *r)
{
    const double rate = optim_rate(&r->c->optim, r->s.step);
    const training_step is = run_step(&r->c->optim, r->t, &r->s, stop);
    r->stop = is.stopped;
    if (!isfinite(is.mean) || !isfinite(is.norm)) {
        diverge(r, rate, is.mean, is.norm);
        return is.mean;
    }
    char row[128];
    snprintf(row, sizeof row, "%ld,%.9g,%.9g,%.9g", r->s.step, rate, is.mean, is.norm);
    log_row(r->steps, r, row);
    return is.mean;
}

/* Steps until the last one or a signal that asks to stop; returns whether the run is finished, and the seconds in
 * steps. */
static bool train_loop(run *r, double *step_seconds)
{
    const run_config *c = r->c;
    const long first = r->s.step, end = optim_end(&c->optim);
    bool finished = false;
    if (world_rank() == 0) {                                /* of weights that are about to change              */
        char *losses = file_in(r, "losses.csv");
        if (unlink(losses) != 0 && errno != ENOENT) die("cannot remove %s: %s", losses, strerror(errno));
        free(losses);
    }
    stop = 0;
    const struct sigaction act = { .sa_handler = on_interrupt, .sa_flags = SA_RESTART | SA_RESETHAND };
    struct sigaction interrupt, terminate, hang_up;
    sigaction(SIGINT, &act, &interrupt);
    sigaction(SIGTERM, &act, &terminate);
    sigaction(SIGHUP, NULL, &hang_up);
    if (hang_up.sa_handler != SIG_IGN) sigaction(SIGHUP, &act, NULL);          /* ignored under nohup */
    open_logs(r);
    run_line line = run_line_begin(r->t, c->quiet, first, end);
    if (!r->resumed) evaluate(r);
    progress_restart(&line.line, 0);                         /* the time left is counted from here            */
    while (r->s.step < end && !r->stop) {
        const double start = monotonic_seconds(), mean = step(r);
        *step_seconds += monotonic_seconds() - start;
        finished = r->diverged || r->s.step == end;
        if (r->diverged) break;
        if (finished || r->s.step % c->eval_every == 0) evaluate(r);
        if (finished || r->s.step % c->save_every == 0) save(r, finished);
        run_line_show(&line, r->t, r->s.step, mean, r->metric[0], *step_seconds);
    }
    progress_keep(&line.line);
    if (!finished) {
        save(r, false);
        if (world_rank() == 0)
            fprintf(stderr, "%s: stopped at step %ld; the same command resumes from there\n", program_name,
                    r->s.step);
    }
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGTERM, &terminate, NULL);
    sigaction(SIGHUP, &hang_up, NULL);
    if (r->steps) fclose(r->steps);
    if (r->evals) fclose(r->evals);
    if (r->own) fclose(r->own);
    return finished;
}

/* Two processes in one folder would write each other's logs and checkpoint.  The kernel holds the lock, on the folder
 * itself, until the file is closed; where folders cannot be locked there is none. */
static int lock_folder(const char *out)
{
    if (world_rank() != 0) return -1;
    const int lock = open(out, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        die("another process trains in %s; wait until it has ended, or choose another folder", out);
    return lock;
}

run_result run_training(const run_config *c, const training_task *t)
{
    const char *wrong = run_config_check(c);
    REQUIRE(!wrong, "%s", wrong);
    REQUIRE(0 < t->metrics && t->metrics <= METRICS, "%ld metrics", t->metrics);
    make_folder(c->out);
    const int lock = lock_folder(c->out);
    run_require_folder(c->out);
    const char *const read_again[] = { "last.ckpt", "steps.csv", "evals.csv", t->log.file };
    for (size_t k = 0; k < COUNT(read_again) && read_again[k]; k++) {
        char *path = must_format("%s/%s", c->out, read_again[k]);
        file_require(path);
        free(path);
    }
    run r = { .c = c, .t = t, .s = optim_create(&t->net->table, t->net->o), .commit = must_strdup(version_commit()),
              .text = { { "model", must_strdup(c->model) }, { "recipe", recipe(c) },
                        { "sources", must_strdup(c->sources) }, { "machine", machine(t) } } };
    for (long i = 0; i < METRICS; i++) r.metric[i] = NAN;
    bool finished = resume(&r);
    if (world_size() > 1 && !t->split) die("this training runs in one process: start it without mpirun");
    double begin = (double)r.s.step;
    world_sum_doubles(&begin, 1);
    if (begin != (double)(r.s.step * world_size()))
        die("the processes see different folders %s: it must be on a disk that all of them share", c->out);
    const long first = r.s.step;
    double step_seconds = 0;
    if (!finished) say_device(t);
    if (!finished) finished = train_loop(&r, &step_seconds);
    if (r.diverged) say_diverged(&r);
    run_result result = { .finished = finished, .steps = r.s.step, .diverged = r.diverged };
    memcpy(result.metric, r.metric, sizeof r.metric);
    if (r.s.step > first) result.units_per_second = (double)(r.s.step - first) * t->units_per_step / step_seconds;
    for (long i = 0; i < TEXTS; i++) free(r.text[i].value);
    free(r.commit);
    optim_free(&r.s, t->net->o);
    if (lock >= 0) close(lock);
    return result;
}

const char *run_ended(const run_result *r) { return !r->finished ? "stopped" : r->diverged ? "diverged" : "finished"; }

int run_status(const run_result *r) { return !r->finished ? RUN_STOPPED : r->diverged ? RUN_DIVERGED : RUN_FINISHED; }
