/* SPDX-License-Identifier: GPL-3.0-or-later
 * complete.c - what may stand next on a command line of provably, for the completion of shells: complete.bash,
 * complete.zsh and complete.fish.
 *
 * `provably complete WORD...` takes the words after `provably`, the last one as far as it is typed, and prints what it
 * may become, one a line.  `provably complete --commands` prints the table of commands, NAME, WHAT-IT-DOES and EXAMPLE
 * with tabs between them, for the manual.  Nothing means: a file, or nothing.  Commands and what they take come from
 * their table, options from what `--help` prints, ids from the index, presets from theirs: there is no list of its
 * own. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "src/base/child.h"
#include "src/base/lines.h"
#include "src/base/places.h"
#include "src/claim/judge/verdict.h"
#include "src/cli/cli.h"
#include "src/experiments/presets.h"

static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }
static void offer(const char *before, const char *word, const char *typed)
{
    if (begins(word, typed)) printf("%s%s\n", before, word);
}

static void offer_ids(const char *before, const char *typed)
{
    char *path = data_place(NULL, "claims.csv");
    claim_index x = index_read(path);
    for (long k = 0; k < x.n; k++) offer(before, x.at[k].id, typed);
    index_free(&x);
    free(path);
}

/* What this program says about a command, `COMMAND [OF] --help`. */
static child help_of(const char *command, const char *of)
{
    static const char help[] = "--help";
    return child_begin((const char *const[]){ "/proc/self/exe", command, *of ? of : help, *of ? help : NULL, NULL },
                       true);
}

/* The options at the beginnings of the lines of a help text: `-h, --help`, `--seed=N`. */
static void offer_options(const char *command, const char *of, const char *typed)
{
    text_line line = { 0 };
    child from = help_of(command, of);
    while (line_next(&line, from.f, "--help")) {
        char *at = line.at + strspn(line.at, " ");
        if (at == line.at || at - line.at > 8 || *at != '-') continue;
        if (at[1] != '-') at = strstr(at, "--");
        if (!at) continue;
        size_t n = 2 + strspn(at + 2, "abcdefghijklmnopqrstuvwxyz0123456789-");
        if (at[n] == '=') n++;
        at[n] = '\0';
        offer("", at, typed);
    }
    text_line_free(&line);
    child_end(&from);
}

/* The commands of a command: the first words of the indented lines. */
static void offer_commands_of(const char *command, const char *typed)
{
    text_line line = { 0 };
    child from = help_of(command, "");
    while (line_next(&line, from.f, "--help")) {
        if (!begins(line.at, "  ") || !islower((unsigned char)line.at[2])) continue;
        line.at[2 + strcspn(line.at + 2, " ")] = '\0';
        offer("", line.at + 2, typed);
    }
    text_line_free(&line);
    child_end(&from);
}

static bool takes_a_claim(const cli_command *c) { return begins(c->with, "NAME") || begins(c->with, "[NAME]"); }
static void offer_argument(const cli_command *c, const char *typed)
{
    if (takes_a_claim(c)) offer_ids("", typed);
    else if (begins(c->with, "COMMAND")) offer_commands_of(c->name, typed);
    else if (begins(c->with, "[PRESET]"))
        for (const preset *p = presets; p->name; p++) offer("", p->name, typed);
}

int complete_main(int argc, char **argv, const cli_command *commands, size_t n)
{
    if (argc < 2) return 0;
    const char *typed = argv[argc - 1];
    const cli_command *c = NULL;
    if (argc == 2 && strcmp(typed, "--commands") == 0)
        for (size_t k = 0; k < n; k++)
            if (commands[k].name) printf("%s\t%s\t%s\n", commands[k].name, commands[k].does, commands[k].example);
    if (argc == 2)
        for (size_t k = 0; k < n; k++) if (commands[k].name) offer("", commands[k].name, typed);
    for (size_t k = 0; k < n && argc > 2; k++)
        if (commands[k].name && strcmp(commands[k].name, argv[1]) == 0) c = &commands[k];
    if (!c) return 0;
    const bool subject = takes_a_claim(c) || begins(c->with, "COMMAND");   /* has options of its own */
    if (begins(typed, "--claim=")) offer_ids("--claim=", typed + 8);
    else if (begins(typed, "--only=")) offer_ids("--only=", typed + 7);
    else if (*typed == '-') offer_options(c->name, subject && argc > 3 ? argv[2] : "", typed);
    else if (argc == 3) offer_argument(c, typed);
    return 0;
}
