/* SPDX-License-Identifier: GPL-3.0-or-later
 * check_run.c - runs what has to run, as a crew: see check.h.
 *
 * A program writes rows and certificates in one run; then proofcheck, a program that shares nothing with it, reads the
 * certificates from their files.  Each is a process of its own: one that crashes or hangs fails itself alone. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "src/base/child.h"
#include "src/base/clock.h"
#include "src/base/crew.h"
#include "src/base/csv.h"
#include "src/base/file.h"
#include "src/base/progress.h"
#include "src/claim/certificate/written.h"
#include "src/claim/claim.h"
#include "src/claim/evidence/evidence_end.h"
#include "src/data/checksum.h"
#include "src/cli/check.h"

/* Seconds from the signal that tells a program to end to the one that ends it; the status of one that was told. */
enum { GRACE = 10, STATUS_LATE = 124 };

typedef enum { STAGE_RUN, STAGE_CERTIFY, STAGE_PROVE } stage;
typedef struct {
    check_program *p;                    /* NULL: the seat is free */
    stage  is;
    double since;
    bool   late;                         /* it was told to end */
} seat;

typedef struct {
    check_suite *s;
    crew     crew;
    seat    *at;                         /* [jobs] */
    progress line;
    bool     live;                       /* one line that is rewritten, else a line for each run */
    long     runs, ran;                  /* programs to run, and that have run */
    double   begun, usual, left;         /* usual: seconds that those that have run took last time; left: of others */
    bool     unknown;                    /* some that are left have never run */
} work;

/* ---- what processes become ------------------------------------------------------------------------------- */

typedef struct { const check_suite *s; const check_program *p; stage is; } start;

static void write_to(const char *path, const int descriptors[], int n)
{
    const int to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0666);
    if (to < 0) die("cannot write %s: %s", path, strerror(errno));
    for (int k = 0; k < n; k++) dup2(to, descriptors[k]);
    close(to);
}

static _Noreturn void execute(char **argv)
{
    execv(argv[0], argv);
    die("cannot run %s: %s", argv[0], strerror(errno));
}

/* One thread each: they run side by side, and rows say how many there were. */
static void become_program(const void *of)
{
    const start *r = of;
    const check_options *o = r->s->o;
    const bool whole = r->is == STAGE_RUN;
    char *folder = suite_certificates(r->s, r->p->name), *rows = evidence_path(r->s, r->p->name, "csv");
    char *argv[8] = { must_format("%s/%s", o->programs, r->p->name), must_strdup("--suite"),
                      must_format("--seed=%" PRIu64, o->seed), must_format("--certificates=%s", folder) };
    int n = 4;
    if (whole) argv[n++] = must_format("--out=%s", rows);
    if (whole) argv[n++] = must_format("--scale=%s", o->scale);
    if (whole && o->trials) argv[n++] = must_format("--trials=%ld", o->trials);
    write_to(evidence_path(r->s, r->p->name, whole ? "log" : "certificates"), (const int[]){ 1, 2 }, 2);
    setenv("OMP_NUM_THREADS", "1", 1);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    execute(argv);
}

static void become_proofcheck(const void *of)
{
    const start *r = of;
    int n;
    char **argv = suite_certificate_files(r->s, r->p->name, 2, &n);
    write_to(evidence_path(r->s, r->p->name, "proofcheck"), (const int[]){ 1 }, 1);
    if (!n) _exit(0);                                  /* a program need not have any */
    argv[0] = r->s->proofcheck;
    argv[1] = must_format("--statements=%s", r->s->statements);
    execute(argv);
}

/* ---- what is shown --------------------------------------------------------------------------------------- */

/* The rest takes as long as last time, at the pace of this time. */
static double seconds_left(const work *w)
{
    enum { LEAST = 5 };
    if (w->unknown || w->usual < LEAST) return NAN;
    return (monotonic_seconds() - w->begun) / w->usual * w->left;
}

static void show(work *w)
{
    text_buffer names = { 0 };
    bool proofs = true;
    for (long k = 0; k < w->crew.jobs; k++) {
        if (!w->at[k].p) continue;
        text_add(&names, "%s%s", names.length ? ", " : "", w->at[k].p->name);
        proofs &= w->at[k].is != STAGE_RUN;
    }
    if (names.length && proofs && w->ran == w->runs) progress_show(&w->line, NAN, "certificates of %s", names.at);
    else if (names.length) progress_show(&w->line, seconds_left(w), "[%ld/%ld] %s", w->ran, w->runs, names.at);
    text_clear(&names);
}

/* Standard output is for what has run, standard error for what is wrong, whole and at the beginning of a line. */
static void complain(work *w, const char *text)
{
    progress_clear(&w->line);
    fflush(stdout);
    fputs(text, stderr);
}

static void say_run(work *w, const check_program *p)
{
    if (!w->live && !w->s->o->quiet) printf("[%3ld/%ld] %s\n", w->ran, w->runs, p->id);
    fflush(stdout);
}

/* ---- one process begins, or has ended -------------------------------------------------------------------- */

static void begin(work *w, check_program *p, stage is)
{
    const start r = { w->s, p, is };
    char *folder = suite_certificates(w->s, p->name);
    make_folder(folder);
    free(folder);
    const long at = crew_start(&w->crew, is == STAGE_PROVE ? become_proofcheck : become_program, &r);
    w->at[at] = (seat){ p, is, monotonic_seconds(), false };
    if (w->live) show(w);
}

static void write_status(const check_suite *s, const check_program *p, const char *kind, int status)
{
    char *text = must_format("%d\n", status);
    record_write(s, p, kind, text);
    free(text);
}

/* Of a program that is not linked into this one; whether it had one. */
static bool keep_description(const check_suite *s, const check_program *p)
{
    if (claim_of_program(p->name)) return true;
    char *path = must_format("%s/%s", s->o->programs, p->name);
    text_buffer all = { 0 };
    text_line line = { 0 };
    child from = child_begin((const char *const[]){ path, "--describe", NULL }, false);
    while (line_next(&line, from.f, path)) text_add(&all, "%s\n", line.at);
    const bool good = child_end(&from) == 0;
    char *text = text_take(&all);
    record_write(s, p, "meta", text);
    free(text);
    text_line_free(&line);
    free(path);
    return good;
}

/* The whole output of a program that failed, and with what. */
static void print_log(work *w, const check_program *p, const char *kind, int status)
{
    char *path = evidence_path(w->s, p->name, kind), *log = file_read(path, 1 << 26, NULL);
    const size_t n = strlen(log);
    char *late = must_format(": more than %ld s, see --limit", w->s->o->limit);
    char *text = must_format("%s%s%s: exit status %d%s\n", log, n && log[n - 1] != '\n' ? "\n" : "", p->name, status,
                             status == STATUS_LATE ? late : "");
    complain(w, text);
    free(text);
    free(late);
    free(log);
    free(path);
}

static void run_ended(work *w, const seat *j, int status)
{
    check_program *p = j->p;
    const double before = p->took;
    const bool described = keep_description(w->s, p);
    w->ran++;
    w->usual += isnan(before) ? 0 : before;
    w->left -= isnan(before) ? 0 : before;
    p->took = monotonic_seconds() - j->since;
    if (status) print_log(w, p, "log", status);
    if (status || !described) write_status(w->s, p, "failed", status ? status : 1);
    else record_write(w->s, p, "done", p->run);
    say_run(w, p);
}

/* Prints what proofcheck has not accepted; its lines in *accepted. */
static void read_proofcheck(work *w, const char *path, text_buffer *accepted)
{
    text_line line = { 0 };
    FILE *f = file_open(path);
    if (!f) die("cannot read %s: %s", path, strerror(errno));
    while (line_next(&line, f, path)) {
        char *whole = must_format("%s\n", line.at);
        if (strstr(line.at, ": accepted: ")) text_add(accepted, "%s", whole);
        else complain(w, whole);
        free(whole);
    }
    fclose(f);
    text_line_free(&line);
}

/* Whether each certificate that the list has of the claim is there and accepted; says which is not. */
static bool has_all(work *w, const check_program *p, const char *accepted)
{
    static const char header[] = "id,part,certificate,drawn,demands,statement";
    bool all = true;
    csv_file c = csv_open(w->s->statements, header, "run `make statements`");
    while (csv_next(&c)) {
        if (strcmp(c.cell[0], p->id) != 0) continue;
        char *is = must_format("/%s.cert: accepted: ", c.cell[2]);
        if (!strstr(accepted, is)) {
            char *text = must_format("%s: %s has a statement of %s, but there is no such certificate\n", p->name,
                                     w->s->statements, c.cell[2]);
            complain(w, text);
            free(text);
            all = false;
        }
        free(is);
    }
    csv_close(&c);
    return all;
}

/* proofcheck's lines, the hashes of the files that it has read, and the last line. */
static void keep_accepted(const check_suite *s, const check_program *p, const char *lines)
{
    text_buffer all = { 0 };
    char hex[SHA256_HEX];
    int n;
    char **file = suite_certificate_files(s, p->name, 0, &n);
    text_add(&all, "%s", lines);
    for (int k = 0; k < n; k++) {
        if (!checksum_sha256(file[k], hex)) die("cannot read %s: %s", file[k], strerror(errno));
        text_add(&all, "# " CERTIFICATE_KIND "%s with SHA-256 %s\n", strrchr(file[k], '/') + 1, hex);
        free(file[k]);
    }
    free(file);
    char *end = evidence_end_of(all.at ? all.at : "", all.length);
    text_add(&all, "%s", end);
    record_write(s, p, "accepted", all.at);
    text_clear(&all);
    free(end);
}

static void proved(work *w, const check_program *p, int status)
{
    char *said = evidence_path(w->s, p->name, "proofcheck");
    text_buffer accepted = { 0 };
    read_proofcheck(w, said, &accepted);
    if (status <= 1 && !has_all(w, p, accepted.at ? accepted.at : "")) status = 1;
    if (status) {
        char *text = must_format(status == 1 ? "%s: if the new statements are meant, run make statements and read the "
                                 "difference\n" : "%s: proofcheck has ended with exit status %d\n", p->name, status);
        complain(w, text);
        free(text);
        write_status(w->s, p, "unproved", status);
    } else {
        keep_accepted(w->s, p, accepted.at ? accepted.at : "");
        if (unlink(said) != 0) die("cannot remove %s: %s", said, strerror(errno));
        record_write(w->s, p, "proved", p->proved);
    }
    text_clear(&accepted);
    free(said);
}

static void ended(work *w, long at, int status)
{
    const seat j = w->at[at];
    const check_suite *s = w->s;
    const int code = j.late ? STATUS_LATE : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    w->at[at].p = NULL;
    if (crew_signal()) {                               /* nothing of what was under way */
        if (j.is == STAGE_RUN) suite_forget_run(s, j.p->name);
        if (j.is != STAGE_PROVE) suite_forget_certificates(s, j.p->name);
        return;
    }
    if (j.is == STAGE_PROVE) {
        proved(w, j.p, code);
        return;
    }
    if (j.is == STAGE_RUN) run_ended(w, &j, code);
    else if (code) print_log(w, j.p, "certificates", code);
    if (code > 1) return;                              /* 1: the claim fails, and its certificates are whole */
    record_write(s, j.p, "certified", j.p->certified);
    begin(w, j.p, STAGE_PROVE);
}

/* A program that takes too long is told to end, and one that was told is ended, whoever told it. */
static void end_late_ones(work *w)
{
    const double now = monotonic_seconds(), limit = (double)w->s->o->limit;
    const bool killed = crew_signal() && w->crew.told && now > w->crew.told_at + GRACE;
    for (long k = 0; k < w->crew.jobs; k++) {
        seat *j = &w->at[k];
        if (!j->p) continue;
        if (!j->late && now > j->since + limit) {
            j->late = true;
            kill(w->crew.pid[k], SIGTERM);
        }
        if (killed || now > j->since + limit + GRACE) kill(w->crew.pid[k], SIGKILL);
    }
}

/* ---- all of them ----------------------------------------------------------------------------------------- */

/* Seconds of earlier runs, NAME SECONDS a line. */
static char *took_path(const check_suite *s) { return must_format("%s/took", s->o->evidence); }

static void read_took(const check_suite *s)
{
    char *path = took_path(s), name[128];
    text_line line = { 0 };
    double seconds;
    FILE *f = file_open(path);
    while (f && line_next(&line, f, path))
        for (long k = 0; sscanf(line.at, "%127s %lf", name, &seconds) == 2 && k < s->n; k++)
            if (strcmp(s->at[k].name, name) == 0 && seconds >= 0) s->at[k].took = seconds;
    if (f) fclose(f);
    text_line_free(&line);
    free(path);
}

static void write_took(const check_suite *s)
{
    char *path = took_path(s);
    FILE *f = fopen(path, "w");
    for (long k = 0; f && k < s->n; k++)
        if (!isnan(s->at[k].took)) fprintf(f, "%s %.1f\n", s->at[k].name, s->at[k].took);
    if (!f || fclose(f) != 0) die("cannot write %s: %s; %s", path, strerror(errno), file_advice(errno));
    free(path);
}

/* The longest first, so that the last ones end together; those that are not known before them. */
static int longest_first(const void *a, const void *b)
{
    const check_program *x = *(check_program *const *)a, *y = *(check_program *const *)b;
    const double of_x = isnan(x->took) ? INFINITY : x->took, of_y = isnan(y->took) ? INFINITY : y->took;
    return of_x != of_y ? (of_x < of_y ? 1 : -1) : strcmp(x->name, y->name);
}

static stage first_stage(const check_program *p)
{
    return p->runs ? STAGE_RUN : p->certifies ? STAGE_CERTIFY : STAGE_PROVE;
}

int suite_run(check_suite *s)
{
    work w = { .s = s, .live = false };
    check_program **todo = must_calloc((size_t)s->n + 1, sizeof(check_program *));
    long n = 0, next = 0;
    read_took(s);
    for (long k = 0; k < s->n; k++) {
        check_program *p = &s->at[k];
        if (p->runs || p->certifies || p->proves) todo[n++] = p;
        w.runs += p->runs;
        w.unknown |= p->runs && isnan(p->took);
        w.left += p->runs && !isnan(p->took) ? p->took : 0;
    }
    qsort(todo, (size_t)n, sizeof(check_program *), longest_first);
    w.line = progress_begin(s->o->quiet || !isatty(STDOUT_FILENO) ? PROGRESS_NONE : PROGRESS_TERMINAL, NULL);
    w.live = w.line.terminal;
    w.begun = monotonic_seconds();
    w.crew = crew_begin(s->o->jobs);
    w.at = must_calloc((size_t)s->o->jobs, sizeof *w.at);
    while ((next < n && !crew_signal()) || w.crew.active) {
        int status;
        if (next < n && !crew_signal() && w.crew.active < w.crew.jobs) {
            begin(&w, todo[next], first_stage(todo[next]));
            next++;
            continue;
        }
        const long at = crew_wait(&w.crew, &status);
        if (at >= 0) ended(&w, at, status);
        else if (w.live && progress_due(&w.line, monotonic_seconds())) show(&w);
        end_late_ones(&w);
    }
    progress_clear(&w.line);
    if (n) write_took(s);
    const int stopped = crew_signal();
    crew_end(&w.crew);
    free(w.at);
    free(todo);
    return stopped;
}
