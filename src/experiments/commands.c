/* SPDX-License-Identifier: GPL-3.0-or-later
 * commands.c - see commands.h. */
#include <stdlib.h>
#include <string.h>
#include "src/base/text.h"
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

/* ---- a command as a configuration: what runs, and each option with the value that it was given last ----------- */

typedef struct { const char *name, *value; size_t name_length, value_length; } setting;         /* in the text */
typedef struct {
    char    *verb;                       /* "provably train": the words that are no options            */
    setting *at;                         /* value NULL: a flag                                          */
    long     n;
} configuration;

static setting *setting_of(const configuration *c, const setting *like)
{
    for (long k = 0; k < c->n; k++)
        if (c->at[k].name_length == like->name_length && memcmp(c->at[k].name, like->name, like->name_length) == 0)
            return &c->at[k];
    return NULL;
}

/* The last of one name takes the place of those before. */
static void add_setting(configuration *c, const setting *is)
{
    setting *before = setting_of(c, is);
    if (before) {
        c->n--;
        memmove(before, before + 1, (size_t)(c->at + c->n - before) * sizeof *before);
    }
    c->at = must_realloc(c->at, (size_t)c->n + 1, sizeof *c->at);
    c->at[c->n++] = *is;
}

static const char *next_word(const char *at) { return at + strspn(at, " "); }

/* "--rate=4e-3" or "--rate 4e-3"; of "--rate" alone the value is NULL.  The end of it. */
static const char *take_setting(configuration *c, const char *word)
{
    const char *end = word + strcspn(word, " "), *after = next_word(end);
    const size_t n = (size_t)(end - word), name = strcspn(word, "= ");
    setting is = { word, NULL, name, 0 };
    if (name < n) is = (setting){ word, word + name + 1, name, n - name - 1 };
    else if (*after && strncmp(after, "--", 2) != 0) {
        end = after + strcspn(after, " ");
        is = (setting){ word, after, name, (size_t)(end - after) };
    }
    add_setting(c, &is);
    return end;
}

/* Points into the text. */
static configuration configuration_of(const char *command)
{
    configuration c = { .n = 0 };
    text_buffer verb = { 0 };
    for (const char *at = next_word(command); *at; at = next_word(at)) {
        const size_t n = strcspn(at, " ");
        if (strncmp(at, "--", 2) == 0) at = take_setting(&c, at);
        else {
            text_add(&verb, "%s%.*s", verb.length ? " " : "", (int)n, at);
            at += n;
        }
    }
    c.verb = text_take(&verb);
    return c;
}

static void configuration_free(configuration *c)
{
    free(c->verb);
    free(c->at);
}

/* "4e-3" is "0.004"; whole numbers are compared as they stand, for a seed has more digits than a double. */
static bool same_value(const setting *a, const setting *b)
{
    if (!a->value || !b->value) return !a->value && !b->value;
    if (a->value_length == b->value_length && memcmp(a->value, b->value, a->value_length) == 0) return true;
    char *end_a, *end_b;
    const double x = strtod(a->value, &end_a), y = strtod(b->value, &end_b);
    const bool numbers = a->value_length && b->value_length && end_a == a->value + a->value_length
                      && end_b == b->value + b->value_length;
    const bool whole = strspn(a->value, "0123456789") >= a->value_length
                    && strspn(b->value, "0123456789") >= b->value_length;
    return numbers && !whole && x == y;
}

/* Options that leave the model, its text and its steps as they are. */
static bool is_harmless(const setting *is)
{
    static const char *const names[] = { "--backend", "--attn", "--pad", "--micro", "--chunk", "--losses",
                                         "--save-every" };
    for (size_t k = 0; k < COUNT(names); k++) if (text_is(is->name, is->name_length, names[k])) return true;
    return false;
}

static bool begins_another(const setting *a, const setting *b)
{
    return a->name_length < b->name_length && memcmp(a->name, b->name, a->name_length) == 0;
}

/* Options may be cut off, "--rat" for "--rate", and the last one counts: where one name begins another, the order of
 * the two is part of the run. */
static bool same_order(const configuration *done, const configuration *asked)
{
    for (long i = 0; i < asked->n; i++)
        for (long k = i + 1; k < asked->n; k++) {
            const setting *a = &asked->at[i], *b = &asked->at[k];
            if (!begins_another(a, b) && !begins_another(b, a)) continue;
            if (setting_of(done, a) > setting_of(done, b)) return false;
        }
    return true;
}

/* `done` has all settings of `asked`, and at most harmless ones besides. */
static bool same_run(const configuration *done, const configuration *asked)
{
    bool same = strcmp(done->verb, asked->verb) == 0;
    for (long k = 0; k < asked->n && same; k++) {
        const setting *is = setting_of(done, &asked->at[k]);
        same = is && same_value(is, &asked->at[k]);
    }
    same = same && same_order(done, asked);
    for (long k = 0; k < done->n && same; k++) same = setting_of(asked, &done->at[k]) || is_harmless(&done->at[k]);
    return same;
}

bool command_same_run(const char *done, const char *asked)
{
    configuration of_done = configuration_of(done), of_asked = configuration_of(asked);
    const bool same = same_run(&of_done, &of_asked);
    configuration_free(&of_done);
    configuration_free(&of_asked);
    return same;
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
    const bool own = command_same_run(command, must);
    free(tuned);
    free(options);
    free(order);
    free(must);
    return own;
}
