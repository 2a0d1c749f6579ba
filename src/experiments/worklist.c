/* SPDX-License-Identifier: GPL-3.0-or-later
 * worklist.c - lists of runs, and their errors: see sweep.h. */
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "src/base/admitted.h"
#include "src/base/file.h"
#include "src/base/lines.h"
#include "src/experiments/sweep.h"

const run_kind *run_kind_find(const run_kind *kinds, const char *command)
{
    for (; kinds->command; kinds++) if (strcmp(kinds->command, command) == 0) return kinds;
    return NULL;
}

static char *commands_of(const run_kind *kinds)
{
    text_buffer all = { 0 };
    for (; kinds->command; kinds++) {
        text_add(&all, "%s%s", all.length ? ", " : "", kinds->command);
    }
    return text_take(&all);
}

/* ---- checking options: in a child process, because the command dies of bad ones ------------------------- */

enum { GOOD = 77 };                      /* else the command ended by itself, as after --help           */

static _Noreturn void ask(const run_kind *kind, const work *w, int to)
{
    dup2(to, STDERR_FILENO);
    dup2(to, STDOUT_FILENO);
    argp_err_exit_status = 2;
    kind->cost(w->words, w->word);
    fflush(NULL);
    _exit(GOOD);
}

/* The first line that the child wrote, without the name of the program. */
static char *first_line(int from)
{
    char text[1024];
    size_t n = 0;
    for (ssize_t got; n < sizeof text - 1 && (got = read(from, text + n, sizeof text - 1 - n)) != 0; ) {
        if (got < 0 && errno != EINTR) break;
        if (got > 0) n += (size_t)got;
    }
    text[n] = '\0';
    text[strcspn(text, "\n")] = '\0';
    const char *colon = strstr(text, ": ");
    return must_strdup(colon ? colon + 2 : text);
}

static char *wrong_options(const run_kind *kind, const work *w)
{
    int ends[2], status;
    if (pipe(ends) != 0) die("pipe: %s", strerror(errno));
    fflush(NULL);
    const pid_t child = fork();
    if (child < 0) die("cannot start a process: %s", strerror(errno));
    if (child == 0) ask(kind, w, ends[1]);
    close(ends[1]);
    char *output = first_line(ends[0]);
    close(ends[0]);
    while (waitpid(child, &status, 0) < 0) if (errno != EINTR) die("waitpid: %s", strerror(errno));
    const bool exited = WIFEXITED(status), good = exited && WEXITSTATUS(status) == GOOD;
    if (!good && !(exited && WEXITSTATUS(status) == 0)) return output;
    free(output);
    return good ? NULL : must_strdup("its options train nothing: a run takes no --help, --usage or --version");
}

/* ---- lists --------------------------------------------------------------------------------------------- */

static void free_work(work *w)
{
    for (int k = 0; k < w->words; k++) free(w->word[k]);
    free(w->word);
    free(w->name);
}

static void split(work *w, const char *line)
{
    char *copy = must_strdup(line), *rest = NULL;
    for (char *p = strtok_r(copy, " \t\n", &rest); p; p = strtok_r(NULL, " \t\n", &rest)) {
        w->word = must_realloc(w->word, (size_t)w->words + 2, sizeof *w->word);
        w->word[w->words++] = must_strdup(p);
        w->word[w->words] = NULL;
    }
    free(copy);
}

/* Or the beginning of one, as getopt_long takes it; of one letter it would be ambiguous. */
static bool is_option(const char *word, const char *name)
{
    const size_t n = strcspn(word, "=");
    return n > 3 && strncmp(word, name, n) == 0;
}

static char *wrong_work(const worklist *list, const run_kind *kinds, const work *w)
{
    if (!admitted_name(w->name))
        return must_format("`%s` cannot name a folder: use letters, digits and -._+= only, and begin with a letter or "
                           "digit", w->name);
    for (long k = 0; k < list->n; k++)
        if (strcmp(list->at[k].name, w->name) == 0) return must_format("duplicate run name `%s`", w->name);
    if (!w->words) return must_format("run `%s` has no command", w->name);
    const run_kind *kind = run_kind_find(kinds, w->word[0]);
    if (!kind) {
        char *all = commands_of(kinds);
        char *text = must_format("unknown command `%s`; a run is one of %s", w->word[0], all);
        free(all);
        return text;
    }
    for (int k = 1; k < w->words; k++) {
        const char *word = w->word[k], *next = k + 1 < w->words ? w->word[k + 1] : "", *value = strchr(word, '=');
        if (is_option(word, "--out"))
            return must_strdup("--out is not allowed here: the sweep sets the folder of each run");
        if (is_option(word, "--estimate"))
            return must_strdup("--estimate is not allowed here: it trains nothing");
        if (!is_option(word, "--seed") && (is_option(word, "--data") || !is_option(word, "--data-seed"))) continue;
        if (strcmp(value ? value : next, value ? "=random" : "random") == 0)
            return must_format("%s%s is not allowed here: a run that is resumed needs the same seed", word,
                               value ? "" : " random");
    }
    return wrong_options(kind, w);
}

char *worklist_add(worklist *list, const run_kind *kinds, const char *name, const char *line)
{
    work w = { .name = must_strdup(name) };
    split(&w, line);
    char *wrong = wrong_work(list, kinds, &w);
    if (wrong) {
        free_work(&w);
        return wrong;
    }
    list->at = must_realloc(list->at, (size_t)list->n + 1, sizeof *list->at);
    list->at[list->n++] = w;
    return NULL;
}

worklist worklist_read(const char *path, const run_kind *kinds)
{
    worklist list = { NULL, 0 };
    text_line line = { 0 };
    FILE *f = file_open(path);
    if (!f) die("cannot read the list %s: %s", path, strerror(errno));
    for (long number = 1; line_next(&line, f, path); number++) {
        if (line_has_zero(&line)) die("%s:%ld: the line has a byte 0; a list is a text", path, number);
        line.at[strcspn(line.at, "#\r")] = '\0';
        char *name = line.at + strspn(line.at, " \t"), *rest = name + strcspn(name, " \t");
        if (!*name) continue;
        if (*rest) *rest++ = '\0';
        char *wrong = worklist_add(&list, kinds, name, rest);
        if (wrong) die("%s:%ld: %s", path, number, wrong);
    }
    text_line_free(&line);
    fclose(f);
    if (!list.n) die("%s contains no run; a line is NAME COMMAND OPTION...", path);
    return list;
}

void worklist_free(worklist *list)
{
    for (long k = 0; k < list->n; k++) free_work(&list->at[k]);
    free(list->at);
    *list = (worklist){ NULL, 0 };
}
