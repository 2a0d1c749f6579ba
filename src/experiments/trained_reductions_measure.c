/* SPDX-License-Identifier: GPL-3.0-or-later
 * trained_reductions_measure.c - see trained_reductions_measure.h. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "src/checkpoint/compare.h"
#include "src/checkpoint/plan.h"
#include "src/experiments/trained_reductions_measure.h"

enum { SEQUENCES = 4, SEED = 1 };

typedef struct {
    weights w;
    transformer D;
    layer_condition *c;                  /* NULL: not computed                                          */
} model;

static model model_open(const char *path, bool conditions)
{
    model m = { .w = weights_open(path) };
    m.D = transformer_of(&m.w);
    if (m.D.unknown) die("%s: %s", path, m.D.unknown);
    if (!conditions) return m;
    m.c = must_calloc((size_t)m.D.L, sizeof *m.c);
    for (long i = 0; i < m.D.L; i++) m.c[i] = layer_conditions(&m.D, i);
    return m;
}

static void model_close(model *m)
{
    for (long i = 0; m->c && i < m->D.L; i++) layer_conditions_free(&m->c[i]);
    free(m->c);
    transformer_free(&m->D);
    weights_close(&m->w);
}

static void remove_file(const char *folder, const char *name)
{
    char *path = must_format("%s/%s", folder, name);
    if (unlink(path) != 0 && errno != ENOENT) die("cannot remove %s: %s", path, strerror(errno));
    free(path);
}

/* `program reduce folder --out=to --apply=word`, silent; whether it wrote the file, or refused.  compact: without
 * identities, as some constructions need. */
static bool reduce(const char *program, const char *folder, const char *to, const reduction_finding *f, bool compact)
{
    char *out = must_format("--out=%s", to), *apply = must_format("--apply=%s", f->word);
    const char *argv[9] = { "provably", "reduce", folder, out, apply };
    int n = 5, status = 0;
    if (f->untied) argv[n++] = "--untie";
    if (!f->applies) argv[n++] = "--force";
    if (compact) argv[n++] = "--compact";
    fflush(NULL);
    const pid_t child = fork();
    if (child < 0) die("cannot start a process: %s", strerror(errno));
    if (child == 0) {
        const int to_nowhere = open("/dev/null", O_WRONLY);
        dup2(to_nowhere, STDOUT_FILENO);
        dup2(to_nowhere, STDERR_FILENO);
        execv(program ? program : "/proc/self/exe", (char *const *)argv);
        _exit(127);
    }
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) die("cannot wait for a process: %s", strerror(errno));
    free(out);
    free(apply);
    if (!WIFEXITED(status) || (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != 2))
        die("%s: `provably reduce --apply=%s` failed; run it by hand to see why", folder, f->word);
    return WEXITSTATUS(status) == 0;
}

/* SEQUENCES of them, evenly spaced, each as long as the model allows. */
static long *lists_of(const tokens *text, const transformer *D, token_list lists[SEQUENCES])
{
    const long T = D->T;
    if (text->n < (size_t)(SEQUENCES * T)) die("the text has no %d sequences of %ld tokens", SEQUENCES, T);
    long *token = must_calloc((size_t)(SEQUENCES * T), sizeof *token);
    for (long i = 0; i < SEQUENCES; i++) {
        const size_t from = (size_t)i * (text->n / SEQUENCES);
        for (long k = 0; k < T; k++) token[i * T + k] = text->at[from + (size_t)k];
        lists[i] = (token_list){ .n = T, .token = token + i * T };
    }
    return token;
}

static void compare(reduction_finding *f, const model *A, const char *path, const token_list *lists)
{
    model B = model_open(path, false);
    token_gaps g = compare_on_tokens(&A->D, &B.D, NULL, SEQUENCES, lists, SEED,
                                     (compare_watch){ NULL, NULL, 0 });
    f->gap = g.logits;
    f->rounding = g.logits_tolerance;
    f->largest = g.most;
    f->tokens = g.tokens;
    f->same_first = g.same_first;
    token_gaps_free(&g);
    model_close(&B);
}

/* As inspect judges it; of a tied model, as if it were not where that is all that is in the way. */
static reduction_finding finding_of(const char *setting, long step, const model *m, const reduction_row *row,
                                    const reduction_row *untied)
{
    reduction_finding f = { .step = step, .of = (double)m->D.parameters, .gap = NAN, .rounding = NAN, .largest = NAN };
    f.untied = m->D.tied && untied->applies && (!row->applies || plan_needs_untied(&m->D, row));
    if (f.untied) row = untied;
    const char *word = plan_word(row);
    snprintf(f.setting, sizeof f.setting, "%s", setting);
    snprintf(f.what, sizeof f.what, "%s", row->name);
    snprintf(f.claims, sizeof f.claims, "%s", row->claims);
    snprintf(f.why, sizeof f.why, "%s", row->why);
    snprintf(f.word, sizeof f.word, "%s", word ? word : "");
    f.applies = row->applies;
    f.parameters = row->parameters;
    f.bits = row->bits;
    return f;
}

void trained_reductions_measure(reduction_findings *all, const char *setting, long step, const char *folder,
                                const char *reduced, const tokens *text, const char *program)
{
    model m = model_open(folder, true);
    transformer as_if = m.D;
    as_if.tied = false;
    reduction_list rows = reductions_of(&m.D, m.c), untied = reductions_of(&as_if, m.c);
    if (rows.nothing) die("%s: nothing applies because %s", folder, rows.nothing);
    token_list lists[SEQUENCES];
    long *token = lists_of(text, &m.D, lists);
    for (long k = 0; k < rows.n; k++) {
        reduction_finding f = finding_of(setting, step, &m, &rows.at[k], &untied.at[k]);
        char *to = must_format("%s/%s", reduced, f.word);
        if (*f.word) {
            remove_file(to, "model.safetensors");
            remove_file(to, "config.json");
            if (reduce(program, folder, to, &f, false) || reduce(program, folder, to, &f, true))
                compare(&f, &m, to, lists);
        }
        free(to);
        all->at = must_realloc(all->at, (size_t)all->n + 1, sizeof *all->at);
        all->at[all->n++] = f;
    }
    free(token);
    reductions_free(&rows);
    reductions_free(&untied);
    model_close(&m);
}
