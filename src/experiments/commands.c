/* commands.c - see commands.h. */
#include <stdlib.h>
#include <string.h>
#include "src/experiments/commands.h"

char *command_option(const char *command, const char *name)
{
    char *value = NULL;
    const size_t n = strlen(name);
    for (const char *at = command; (at = strstr(at, name)); at += n) {
        if (at[n] != '=' || (at > command && at[-1] != ' ')) continue;
        free(value);
        value = must_format("%.*s", (int)strcspn(at + n + 1, " "), at + n + 1);
    }
    return value;
}

bool command_made_up(const char *command)
{
    return strstr(command, " --data=digits") || strstr(command, " --data=synthetic");
}

/* Options that leave the model, its text and its steps as they are. */
static const char *const harmless[] = { "--backend", "--attn", "--pad", "--micro", "--chunk", "--losses",
                                        "--save-every" };

/* All words of `more`.  Not where the options before them, NULL for none, have one themselves: by it the rows of a part
 * may differ. */
static bool all_harmless(const char *more, const char *options)
{
    for (more += strspn(more, " "); *more; more += strcspn(more, " "), more += strspn(more, " ")) {
        const size_t name = strcspn(more, "= ");
        size_t k = 0;
        while (k < COUNT(harmless) && (strlen(harmless[k]) != name || strncmp(more, harmless[k], name) != 0)) k++;
        if (k == COUNT(harmless) || (options && strstr(options, harmless[k]))) return false;
    }
    return true;
}

bool command_same_run(const char *done, const char *asked)
{
    const size_t n = strlen(asked);
    return strncmp(done, asked, n) == 0 && all_harmless(done + n, asked);
}

/* If *text begins with the words of `must`, moves past them. */
static bool begins_with(const char **text, const char *must)
{
    for (must += strspn(must, " "); *must; must += strspn(must, " ")) {
        const size_t n = strcspn(must, " ");
        *text += strspn(*text, " ");
        if (strcspn(*text, " ") != n || strncmp(*text, must, n) != 0) return false;
        *text += n;
        must += n;
    }
    return true;
}

static bool is_value(const grid_axis *a, const char *value)
{
    for (size_t k = 0; k < COUNT(a->value) && a->value[k]; k++) if (strcmp(a->value[k], value) == 0) return true;
    return false;
}

/* " --rate=4e-3 --decay=0.1": what the command has of the grid by which a part is tuned, to be freed; NULL: not all, or
 * values that the grid lacks. */
static char *tuned_in(const experiment *e, const char *command)
{
    if (!e->tuned_by) return must_strdup("");
    const experiment *tuner = &preset_find(e->tuned_by)->part[0];
    text_buffer all = { 0 };
    bool good = true;
    for (long k = 0; k < tuner->axes && good; k++) {
        const grid_axis *a = &tuner->grid[k];
        if (e->tuned_axis && strcmp(e->tuned_axis, a->option) != 0) continue;
        char *name = must_format("--%s", a->option), *value = command_option(command, name);
        good = value && is_value(a, value);
        if (good) text_add(&all, " %s=%s", name, value);
        free(name);
        free(value);
    }
    char *tuned = text_take(&all);
    if (good) return tuned;
    free(tuned);
    return NULL;
}

bool command_own(const experiment *e, long k, const char *command)
{
    char *tuned = tuned_in(e, command);
    if (!tuned) return false;
    char *options = experiment_options(e, k, tuned, "DATA");
    char *order = e->order ? must_format(" --data-seed=%ld", e->order) : must_strdup("");
    char *must = must_format("provably %s %s --seed=%ld%s", e->command, options, e->seed, order);
    const char *text = command;
    const bool own = begins_with(&text, must) && all_harmless(text, experiment_row(e, k)->options);
    free(tuned);
    free(options);
    free(order);
    free(must);
    return own;
}
