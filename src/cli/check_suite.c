/* SPDX-License-Identifier: GPL-3.0-or-later
 * check_suite.c - the programs of all claims, and what of their evidence is out of date: see check.h. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "numerics/plain.h"
#include "src/base/admitted.h"
#include "src/base/child.h"
#include "src/base/file.h"
#include "src/base/intern.h"
#include "src/base/lines.h"
#include "src/base/nearest.h"
#include "src/base/outfile.h"
#include "src/base/places.h"
#include "src/claim/claim.h"
#include "src/cli/check.h"

/* What there may be of a program in the folder of evidence: of its run, of its certificates, and of what proofcheck
 * said of them. */
static const char *const of_runs[] = { "done", "csv", "ladder.csv", "figures.csv", "csv.part", "ladder.csv.part",
                                       "figures.csv.part", "failed", "meta", "log" };
static const char *const of_certificates[] = { "certified", "certificates" };
static const char *const of_proofs[] = { "proved", "accepted", "proofcheck", "unproved" };

static void forget(const check_suite *s, const char *name, const char *const kinds[], size_t n)
{
    for (size_t k = 0; k < n; k++) {
        char *path = evidence_path(s, name, kinds[k]);
        if (unlink(path) != 0 && errno != ENOENT) die("cannot remove %s: %s", path, strerror(errno));
        free(path);
    }
}

void suite_forget_run(const check_suite *s, const char *name) { forget(s, name, of_runs, COUNT(of_runs)); }

char *suite_certificates(const check_suite *s, const char *name)
{
    return must_format("%s/certificates/%s", s->root, name);
}

static int is_certificate(const struct dirent *d)
{
    const size_t n = strlen(d->d_name);
    return n > 5 && strcmp(d->d_name + n - 5, ".cert") == 0;
}

static int is_of_certificate(const struct dirent *d)           /* or a part of one */
{
    const size_t n = strlen(d->d_name);
    return is_certificate(d) || (n > 10 && strcmp(d->d_name + n - 10, ".cert.part") == 0);
}

char **suite_certificate_files(const check_suite *s, const char *name, int first, int *n)
{
    struct dirent **file;
    char *folder = suite_certificates(s, name);
    *n = scandir(folder, &file, is_certificate, alphasort);
    if (*n < 0) die("cannot read %s: %s", folder, strerror(errno));
    char **paths = must_calloc((size_t)(first + *n) + 1, sizeof *paths);
    for (int k = 0; k < *n; k++) {
        paths[first + k] = must_format("%s/%s", folder, file[k]->d_name);
        free(file[k]);
    }
    free(file);
    free(folder);
    return paths;
}

void suite_forget_proofs(const check_suite *s, const char *name) { forget(s, name, of_proofs, COUNT(of_proofs)); }

void suite_forget_certificates(const check_suite *s, const char *name)
{
    struct dirent **file = NULL;
    char *folder = suite_certificates(s, name);
    suite_forget_proofs(s, name);
    forget(s, name, of_certificates, COUNT(of_certificates));
    for (int k = scandir(folder, &file, is_of_certificate, NULL); k-- > 0;) {
        char *path = must_format("%s/%s", folder, file[k]->d_name);
        if (unlink(path) != 0) die("cannot remove %s: %s", path, strerror(errno));
        free(path);
        free(file[k]);
    }
    free(file);
    free(folder);
}

/* ---- which programs there are ---------------------------------------------------------------------------- */

static int is_program(const struct dirent *d) { return admitted_program(d->d_name); }

/* The id of a program that is not linked into this one, as --describe says it; without a word of it, the name. */
static const char *described_id(const check_suite *s, const char *name)
{
    char *path = must_format("%s/%s", s->o->programs, name);
    const char *id = NULL;
    text_line line = { 0 };
    child from = child_begin((const char *const[]){ path, "--describe", NULL }, true);
    while (line_next(&line, from.f, path))
        if (!id && strncmp(line.at, "id: ", 4) == 0 && admitted_name(line.at + 4)) id = intern(line.at + 4);
    child_end(&from);
    text_line_free(&line);
    free(path);
    return id ? id : name;
}

static bool is_called(const check_program *p, const char *name)
{
    return strcmp(name, p->name) == 0 || strcasecmp(name, p->id) == 0;
}

static bool is_asked_for(const check_options *o, const check_program *p)
{
    bool asked = !o->onlys;
    for (long k = 0; k < o->onlys; k++) asked |= is_called(p, o->only[k]);
    return asked;
}

static void refuse_unknown(const check_suite *s, const check_program *all, long n)
{
    const char **names = must_calloc((size_t)n + 1, sizeof *names);
    for (long k = 0; k < n; k++) names[k] = all[k].id;
    for (long i = 0; i < s->o->onlys; i++) {
        bool found = false;
        for (long k = 0; k < n; k++) found |= is_called(&all[k], s->o->only[i]);
        if (!found) die("--only=%s: no program of that name, and none of a claim of that id%s", s->o->only[i],
                        nearest_hint(s->o->only[i], names, n));
    }
    free(names);
}

/* The chosen ones of the executable files in the folder of programs; linked ones need not run to be known. */
static void find_programs(check_suite *s)
{
    struct dirent **file;
    const int files = scandir(s->o->programs, &file, is_program, alphasort);
    if (files < 0) die("cannot read %s: %s; name the folder of the programs with --programs", s->o->programs,
                       strerror(errno));
    check_program *all = must_calloc((size_t)files + 1, sizeof *all);
    for (int k = 0; k < files; k++) {
        char *path = must_format("%s/%s", s->o->programs, file[k]->d_name);
        struct stat is;
        if (stat(path, &is) == 0 && S_ISREG(is.st_mode) && access(path, X_OK) == 0) {
            check_program *p = &all[s->all++];
            p->name = intern(file[k]->d_name);
            const claim *C = claim_of_program(p->name);
            p->id = C ? C->id : described_id(s, p->name);
            p->took = NAN;
        }
        free(path);
        free(file[k]);
    }
    free(file);
    if (!s->all) die("%s has no programs of claims; name their folder with --programs", s->o->programs);
    refuse_unknown(s, all, s->all);
    for (long k = 0; k < s->all; k++) if (is_asked_for(s->o, &all[k])) all[s->n++] = all[k];
    s->at = all;
}

/* ---- what is out of date --------------------------------------------------------------------------------- */

/* A file beside the programs where they were built, or where they are installed; to be freed. */
static char *beside(const check_options *o, const char *built, const char *installed)
{
    char *path = must_format("%s/../%s", o->programs, built);
    if (access(path, F_OK) == 0) return path;
    free(path);
    return must_format("%s/../../../%s", o->programs, installed);
}

static char *parameters(const check_options *o)
{
    char *trials = o->trials ? must_format("%ld", o->trials) : must_strdup("as planned");
    char *text = must_format("seed %" PRIu64 ", scale %s, trials %s%s\n", o->seed, o->scale, trials,
                             plain_only() ? ", plain" : "");
    free(trials);
    return text;
}

static bool is_there(const check_suite *s, const char *name, const char *kind)
{
    char *path = evidence_path(s, name, kind);
    const bool there = access(path, F_OK) == 0;
    free(path);
    return there;
}

static void set_records(check_suite *s)
{
    const check_options *o = s->o;
    char *library = beside(o, "libprovably.so", "lib/provably/libprovably.so"), *of_library = made_of(library);
    char *of_proofcheck = made_of(s->proofcheck), *of_list = made_of(s->statements), *with = parameters(o);
    for (long k = 0; k < s->n; k++) {
        check_program *p = &s->at[k];
        char *path = must_format("%s/%s", o->programs, p->name), *of_program = made_of(path);
        char *source = must_format("program %s\nlibrary %s\n", of_program, of_library);
        p->run = must_format("%s%s", source, with);
        p->certified = must_format("%sseed %" PRIu64 "\n", source, o->seed);
        p->proved = must_format("%sproofcheck %s\nstatements %s\n", p->certified, of_proofcheck, of_list);
        char *folder = suite_certificates(s, p->name);
        const bool certified = record_says(s, p, "certified", p->certified) && access(folder, R_OK) == 0;
        p->runs = !o->certificates && (o->all || !record_says(s, p, "done", p->run) || !is_there(s, p->name, "csv"));
        p->certifies = !p->runs && (!certified || (o->certificates && o->all));
        p->proves = !p->runs && !p->certifies
            && (o->certificates || !record_says(s, p, "proved", p->proved) || !is_there(s, p->name, "accepted"));
        free(folder);
        free(source);
        free(of_program);
        free(path);
    }
    free(of_library);
    free(library);
    free(of_proofcheck);
    free(of_list);
    free(with);
}

/* Evidence of programs that are no more: `done` or `failed` says that they once were. */
static int is_record(const struct dirent *d)
{
    const char *dot = strchr(d->d_name, '.');
    return dot && (strcmp(dot, ".done") == 0 || strcmp(dot, ".failed") == 0);
}

static void forget_gone(const check_suite *s)
{
    struct dirent **file;
    const int files = scandir(s->o->evidence, &file, is_record, alphasort);
    if (files < 0) die("cannot read %s: %s", s->o->evidence, strerror(errno));
    for (int k = 0; k < files; k++) {
        bool known = false;
        file[k]->d_name[strcspn(file[k]->d_name, ".")] = '\0';
        for (long i = 0; i < s->n; i++) known |= strcmp(s->at[i].name, file[k]->d_name) == 0;
        if (!known) {
            suite_forget_run(s, file[k]->d_name);
            suite_forget_certificates(s, file[k]->d_name);
        }
        free(file[k]);
    }
    free(file);
}

check_suite suite_open(const check_options *o)
{
    check_suite s = { .o = o };
    const char *slash = strrchr(o->evidence, '/');
    s.root = slash && slash > o->evidence ? must_format("%.*s", (int)(slash - o->evidence), o->evidence)
                                          : must_strdup(slash ? "/" : ".");
    find_programs(&s);
    return s;
}

void suite_begin(check_suite *s)
{
    char *certificates = suite_certificates(s, "");
    make_parents(certificates);
    free(certificates);
    s->proofcheck = beside(s->o, "proofcheck", "bin/proofcheck");
    if (access(s->proofcheck, X_OK) != 0)
        die("cannot run %s: %s; make build/proofcheck", s->proofcheck, strerror(errno));
    s->statements = data_place(NULL, "statements.csv");
    set_records(s);
    if (!s->o->onlys) forget_gone(s);
    for (long k = 0; k < s->n; k++) {
        const check_program *p = &s->at[k];
        if (p->runs) suite_forget_run(s, p->name);
        if (p->runs || p->certifies) suite_forget_certificates(s, p->name);
        if (p->proves) suite_forget_proofs(s, p->name);
    }
    if (!outfile_sync_folder(s->o->evidence))              /* or a stamp could come back with the power */
        die("cannot empty %s: %s", s->o->evidence, strerror(errno));
}

void suite_close(check_suite *s)
{
    for (long k = 0; k < s->n; k++) {
        free(s->at[k].run);
        free(s->at[k].certified);
        free(s->at[k].proved);
    }
    free(s->at);
    free(s->root);
    free(s->proofcheck);
    free(s->statements);
    *s = (check_suite){ 0 };
}

/* ---- afterwards ------------------------------------------------------------------------------------------ */

void suite_print_kept(const check_suite *s)
{
    enum { DATE = 32 };
    time_t first = 0, last = 0;
    long kept = 0;
    char from[DATE], to[DATE];
    for (long k = 0; k < s->n; k++) {
        struct stat is;
        char *path = evidence_path(s, s->at[k].name, "done");
        if (!s->at[k].runs && stat(path, &is) == 0) {
            if (!kept || is.st_mtime < first) first = is.st_mtime;
            if (!kept || is.st_mtime > last) last = is.st_mtime;
            kept++;
        }
        free(path);
    }
    if (!kept) return;
    strftime(from, sizeof from, "%Y-%m-%d %H:%M", localtime(&first));
    strftime(to, sizeof to, "%Y-%m-%d %H:%M", localtime(&last));
    const bool one = strcmp(from, to) == 0;
    printf("Unchanged and not run again: %ld of %ld programs, evidence of %s%s%s (`make recheck` runs all)\n", kept,
           s->all, from, one ? "" : " to ", one ? "" : to);
}

char *suite_failed(const check_suite *s)
{
    text_buffer list = { 0 };
    for (long k = 0; k < s->n; k++) {
        const char *name = s->at[k].name;
        if (!s->o->certificates && !is_there(s, name, "done")) text_add(&list, " %s.failed", name);
        if (!is_there(s, name, "accepted")) text_add(&list, " %s.unproved", name);
    }
    return text_take(&list);
}
