/* SPDX-License-Identifier: GPL-3.0-or-later
 * sweep.c - executes a list of runs: see sweep.h. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "src/base/shown.h"
#include "src/base/clock.h"
#include "src/base/crew.h"
#include "src/base/file.h"
#include "src/base/lines.h"
#include "src/base/outfile.h"
#include "src/experiments/commands.h"
#include "src/experiments/sweep.h"
#include "src/train/run.h"

typedef struct { const work *w; int lock; time_t since; watched r; } job;
typedef struct {
    const sweep_options *o;
    crew crew;
    job *at;                             /* [jobs]; w NULL: the place is free                           */
    long of, ended;
    watch *watch;                        /* NULL: quiet                                                 */
    sweep_result result;
} sweep;

long machine_cores(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

char *machine_name(void)
{
    static const char cpuinfo[] = "/proc/cpuinfo";
    char *model = NULL;
    text_line line = { 0 };
    FILE *f = fopen(cpuinfo, "r");
    while (f && !model && line_next(&line, f, cpuinfo)) {
        const char *colon = strchr(line.at, ':');
        if (colon && strncmp(line.at, "model name", 10) == 0) model = must_strdup(colon + 1 + strspn(colon + 1, " "));
    }
    if (f) fclose(f);
    const long cores = machine_cores();
    char *text = must_format("%s, %ld core%s", model ? model : "unknown processor", cores, cores == 1 ? "" : "s");
    text_line_free(&line);
    free(model);
    return text;
}

static char *path_of(const sweep_options *o, const work *w, const char *file)
{
    return must_format("%s/%s%s%s", o->out, w->name, *file ? "/" : "", file);
}

static char *command_line(const work *w)
{
    text_buffer all = { 0 };
    text_add(&all, "%s", w->word[0]);
    for (int k = 1; k < w->words; k++) {
        text_add(&all, " %s", w->word[k]);
    }
    return text_take(&all);
}

bool sweep_done(const char *out, const work *w)
{
    char *path = must_format("%s/%s/done", out, w->name), *mine = command_line(w);
    text_line theirs = { 0 };
    FILE *f = file_open(path);
    const bool done = f && line_next(&theirs, f, path);
    if (done && !command_same_run(theirs.at, mine))
        die("%s belongs to a different run (`%s`, now `%s`); give the options and paths of then, remove its folder, or "
            "choose another --out", path, theirs.at, mine);
    if (f) fclose(f);
    text_line_free(&theirs);
    free(mine);
    free(path);
    return done;
}

long sweep_diverged(const char *out, const work *w)
{
    char *path = must_format("%s/%s/done", out, w->name);
    text_line line = { 0 };
    long step = 0;
    FILE *f = file_open(path);
    while (f && !step && line_next(&line, f, path)) sscanf(line.at, "diverged at step %ld", &step);
    if (f) fclose(f);
    text_line_free(&line);
    free(path);
    return step;
}

static void write_done(const sweep_options *o, const work *w, bool diverged)
{
    char *path = path_of(o, w, "done"), *line = command_line(w), *machine = machine_name();
    outfile f = outfile_open(path);
    fprintf(f.f, "%s\n%s\n", line, machine);
    if (diverged) fprintf(f.f, "diverged at step %ld\n", run_folder_step(o->out, w->name));
    outfile_close(&f);
    free(machine);
    free(line);
    free(path);
}

/* ---- one run ------------------------------------------------------------------------------------------- */

/* The open lock, or -1 if another process holds it. */
static int claim(const sweep_options *o, const work *w)
{
    char *folder = path_of(o, w, ""), *path = path_of(o, w, "lock");
    make_folder(folder);
    const int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock < 0) die("cannot write %s: %s", path, strerror(errno));
    const bool mine = flock(lock, LOCK_EX | LOCK_NB) == 0;
    if (!mine && errno != EWOULDBLOCK && errno != EINTR) die("cannot lock %s: %s", path, strerror(errno));
    if (!mine) close(lock);
    free(folder);
    free(path);
    return mine ? lock : -1;
}

typedef struct { const sweep_options *o; const work *w; int lock; const char *threads; } run_start;

/* In the child: the lock stays open, so that a run whose sweep was killed is still held. */
static void become(const void *of)
{
    const run_start *r = of;
    const work *w = r->w;
    char *log = path_of(r->o, w, "log"), *folder = path_of(r->o, w, "");
    char **argv = must_calloc((size_t)w->words + 4, sizeof *argv);
    argv[0] = (char *)(uintptr_t)program_name;
    for (int k = 0; k < w->words; k++) argv[1 + k] = w->word[k];
    argv[1 + w->words] = must_format("--out=%s", folder);
    argv[2 + w->words] = (char *)(uintptr_t)"--quiet";
    const int to = open(log, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (to < 0) die("cannot write %s: %s", log, strerror(errno));
    dup2(to, STDOUT_FILENO);
    dup2(to, STDERR_FILENO);
    fcntl(r->lock, F_SETFD, 0);
    setenv("OMP_NUM_THREADS", r->threads, 1);
    setenv("OPENBLAS_NUM_THREADS", r->threads, 1);
    const char *program = r->o->program ? r->o->program : "/proc/self/exe";
    execv(program, argv);
    die("cannot run %s: %s", program, strerror(errno));
}

/* Updates the steps of the active runs; returns the FLOP that they have made. */
static double made_by_all(sweep *c)
{
    double made = 0;
    for (long k = 0; k < c->o->jobs; k++) if (c->at[k].w) made += watch_made(&c->at[k].r, c->o->out);
    return made;
}

/* Its share of the cores; where the environment says OMP_NUM_THREADS, no more than that. */
static long threads_each(long jobs)
{
    const char *said = getenv("OMP_NUM_THREADS");
    const long most = said ? strtol(said, NULL, 10) : 0, share = machine_cores() / jobs;
    return most > 0 && most < share ? most : share > 1 ? share : 1;
}

static void start(sweep *c, const work *w, int lock)
{
    watched r = { .name = w->name };
    if (c->watch) r = watch_start(c->watch, w, c->o->out, made_by_all(c));
    char *threads = must_format("%ld", threads_each(c->o->jobs));
    const long at = crew_start(&c->crew, become, &(run_start){ c->o, w, lock, threads });
    c->at[at] = (job){ w, lock, time(NULL), r };
    free(threads);
}

/* "finished", "stopped", "FAILED", "diverged at step 31"; to be freed. */
static char *ending(const sweep_options *o, const work *w, int code)
{
    if (code == RUN_DIVERGED) return must_format("diverged at step %ld", sweep_diverged(o->out, w));
    return must_strdup(code == RUN_FINISHED ? "finished" : code == RUN_STOPPED ? "stopped" : "FAILED");
}

/* The last line of the log of the run; to be freed. */
static char *last_line(const sweep_options *o, const work *w)
{
    char *path = path_of(o, w, "log"), *last = must_strdup("");
    text_line line = { 0 };
    FILE *f = file_open(path);
    while (f && line_next(&line, f, path)) {
        if (!*line.at) continue;
        free(last);
        last = must_strdup(line.at);
    }
    if (f) fclose(f);
    text_line_free(&line);
    free(path);
    return last;
}

static void ended(sweep *c, job *j, int status)
{
    /* Ctrl-C before a run can handle it, or twice: it ends there, and its last checkpoint is whole. */
    const bool told = crew_signal() && WIFSIGNALED(status) && WTERMSIG(status) == SIGINT;
    const int code = told ? RUN_STOPPED : WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    const sweep_options *o = c->o;
    const bool diverged = code == RUN_DIVERGED, finished = code == RUN_FINISHED || diverged;
    if (finished) write_done(o, j->w, diverged);
    c->result.here     += finished;
    c->result.diverged += diverged;
    c->result.stopped  += code == RUN_STOPPED;
    c->result.failed   += !finished && code != RUN_STOPPED;
    c->ended++;
    if (c->watch) watch_end(c->watch, &j->r, o->out, finished);
    char *output = finished ? must_strdup("") : last_line(o, j->w), *end = ending(o, j->w, code);
    if (code < 0) {
        char *said = output;
        output = must_format("%s%sended by signal %d (%s)", said, *said ? "; " : "", WTERMSIG(status),
                             strsignal(WTERMSIG(status)));
        free(said);
    } else if (!*output && !finished && code != RUN_STOPPED) {
        free(output);
        output = must_format("exit status %d, and nothing in its log: is the disk full?", code);
    }
    if (!o->quiet || (code != RUN_FINISHED && code != RUN_STOPPED))
        shown_print(stdout, "  [%ld/%ld] %-32s %s after %ld s%s%s\n",
                    c->watch ? j->r.number : c->ended + c->result.before,
               c->watch ? c->watch->runs : c->of, j->w->name, end, (long)(time(NULL) - j->since), *output ? ": " : "",
               output);
    fflush(stdout);
    free(output);
    free(end);
    close(j->lock);
    j->w = NULL;
}

/* ---- all of them --------------------------------------------------------------------------------------- */

static void show(sweep *c)
{
    watched *all = must_calloc((size_t)c->o->jobs, sizeof *all);
    const double made = made_by_all(c);
    long n = 0;
    for (long k = 0; k < c->o->jobs; k++) if (c->at[k].w) all[n++] = c->at[k].r;
    watch_show(c->watch, all, n, made);
    free(all);
}

static void wait_for_one(sweep *c)
{
    int status;
    const long at = crew_wait(&c->crew, &status);
    if (at >= 0) ended(c, &c->at[at], status);
    else if (c->watch && progress_due(&c->watch->line, monotonic_seconds())) show(c);
}

/* Starts the run, or counts the reason why not. */
static void take(sweep *c, const work *w)
{
    if (sweep_done(c->o->out, w)) {
        c->result.before++;
        c->result.diverged += sweep_diverged(c->o->out, w) > 0;
        if (c->watch) watch_skip(c->watch, w, false);
        return;
    }
    const int lock = claim(c->o, w);
    if (lock < 0) {
        c->result.elsewhere++;
        if (c->watch) watch_skip(c->watch, w, true);
        return;
    }
    if (!sweep_done(c->o->out, w)) {                     /* else it was finished in the meantime */
        start(c, w, lock);
        return;
    }
    close(lock);
    c->result.before++;
    c->result.diverged += sweep_diverged(c->o->out, w) > 0;
    if (c->watch) watch_skip(c->watch, w, true);
}

sweep_result sweep_run(const worklist *list, const sweep_options *o)
{
    sweep c = { .o = o, .of = list->n, .watch = o->quiet ? NULL : o->watch };
    make_folder(o->out);
    for (long k = 0; k < list->n; k++) (void)sweep_done(o->out, &list->at[k]);
    c.crew = crew_begin(o->jobs);
    c.at = must_calloc((size_t)o->jobs, sizeof *c.at);
    for (long next = 0; (next < list->n && !crew_signal()) || c.crew.active;) {
        if (next < list->n && !crew_signal() && c.crew.active < o->jobs) take(&c, &list->at[next++]);
        else wait_for_one(&c);
    }
    c.result.stopped += list->n - c.result.before - c.result.elsewhere - c.ended;
    crew_end(&c.crew);
    free(c.at);
    return c.result;
}
