/* SPDX-License-Identifier: GPL-3.0-or-later
 * data.c - `provably data`: lists, downloads and checks data sets. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "src/base/nearest.h"
#include "src/cli/cli.h"
#include "src/cli/command.h"
#include "src/cli/data.h"
#include "src/data/get.h"

static const char usage[] =
    "Usage: provably data COMMAND [OPTION...]\n"
    "\n"
    "  list                    list the data sets: contents, size, source, licence\n"
    "  get NAME... --to=DIR    download, check and unpack; interrupted downloads are resumed\n"
    "  check DIR [NAME...]     check that the files in DIR are the published ones\n"
    "  encode --in=TEXT --out=FILE   turn text into tokens; `provably data encode --help`\n"
    "  decode --in=FILE        turn tokens into text; `provably data decode --help`\n"
    "  synthetic --out=FILE    write a synthetic text; `provably data synthetic --help`\n"
    "\n"
    "  -h, --help              this text; after a command: its own\n"
    "      --version           version, commit, compiler and libraries\n"
    "\n"
    "Exit status: 0 everything as expected, 1 a file is missing or differs (check), 2 bad input or no network.\n";

/* ---- list ------------------------------------------------------------------------------------------------- */

static int list(void)
{
    for (const data_set *s = data_sets; s < data_sets + DATA_SETS; s++) {
        printf("%s: %s\n    from %s; licence: %s\n", s->name, s->what, s->from, s->licence);
        for (const data_file *f = s->file; f->file; f++)
            if (!f->bytes) printf("    %s\n", f->file);
            else printf("    %-28s %12ju bytes%s\n", f->file, (uintmax_t)f->bytes, f->inside ? ", inside" : "");
    }
    return 0;
}

/* ---- get -------------------------------------------------------------------------------------------------- */

enum { OPT_TO = 256, OPT_MIRROR, OPT_FROM, OPT_QUIET };
static const struct argp_option get_flags[] = {
    { "to", OPT_TO, "DIR", 0, "folder for the files; created if it does not exist", 0 },
    { "mirror", OPT_MIRROR, "URL", 0, "download URL/FILE instead of the published address; checksums must agree", 0 },
    { "from", OPT_FROM, "DIR", 0, "copy the files from this folder", 0 },
    { "quiet", OPT_QUIET, NULL, 0, "no progress line", 0 },
    { 0 } };

enum { MOST_NAMES = 64 };
typedef struct { data_places p; const char *from; const data_set *set[MOST_NAMES]; long sets; } get_options;

static const data_set *set_called(const char *name)
{
    const data_set *s = data_set_find(name);
    if (!s) die("no data set is called `%s`; `provably data list` lists them", name);
    return s;
}

static error_t parse_get(int key, char *arg, struct argp_state *state)
{
    get_options *o = state->input;
    switch (key) {
    case OPT_TO:       o->p.to = arg; return 0;
    case OPT_MIRROR:   o->p.mirror = arg; return 0;
    case OPT_FROM:     o->from = arg; return 0;
    case OPT_QUIET:    o->p.quiet = true; return 0;
    case ARGP_KEY_ARG:
        if (o->sets == MOST_NAMES) die("get takes up to %d names", MOST_NAMES);
        o->set[o->sets++] = set_called(arg);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static int get(int argc, char **argv)
{
    static const struct argp parser = { get_flags, parse_get, "NAME...", "Downloads data sets; `provably data list` "
        "lists their names.  Files that exist already are checked and kept.\n"
        "Exit status: 0 done, 2 bad input, no network, or a file that is not the published one.", NULL, NULL, NULL };
    get_options o = { .p.wait = 1 };
    command_parse(&parser, argc, argv, 0, &o, NULL);
    if (!o.sets) die("get takes the names of data sets; `provably data list` lists them");
    if (!o.p.to) die("get needs --to=DIR, the folder for the files");
    if (o.p.mirror && o.from) die("--mirror and --from exclude each other");
    char *url = o.from ? data_folder_url(o.from) : NULL;
    if (url) o.p.mirror = url;
    for (long k = 0; k < o.sets; k++) data_get(o.set[k], &o.p);
    free(url);
    return 0;
}

/* ---- check ------------------------------------------------------------------------------------------------ */

static int check_set(const data_set *s, const char *folder, bool wanted)
{
    int status = 0;
    for (const data_file *f = s->file; f->file; f++) {
        static const char *const word[] = { "missing", "correct", "NOT the published file" };
        char *path = must_format("%s/%s", folder, f->file);
        const presence is = data_file_presence(f, path);
        const bool needed = is != MISSING || (wanted && !data_unpacked(s, f, folder));
        if (needed) printf("%-16s %-28s %s\n", s->name, f->file, word[is]);
        if (needed && is != RIGHT) status = 1;
        free(path);
    }
    return status;
}

static int check(int argc, char **argv)
{
    if (command_answers(argc, argv, usage)) return 0;
    if (argc < 2 || argv[1][0] == '-') die("check takes the folder of the files, then names of data sets");
    struct stat s;
    if (stat(argv[1], &s) != 0) die("cannot read %s: %s", argv[1], strerror(errno));
    if (!S_ISDIR(s.st_mode)) die("%s is not a folder", argv[1]);
    int status = 0;
    for (int k = 2; k < argc; k++) status |= check_set(set_called(argv[k]), argv[1], true);
    if (argc == 2) for (size_t k = 0; k < DATA_SETS; k++) status |= check_set(&data_sets[k], argv[1], false);
    return status;
}

int data_main(int argc, char **argv)
{
    const char *command = argc > 1 ? argv[1] : "";
    if (command_answers(argc, argv, usage)) return 0;
    static char name[64];                               /* "provably data encode", for argp's usage line */
    if (argc > 1 && snprintf(name, sizeof name, "%s %s", argv[0], command) < (int)sizeof name) argv[1] = name;
    if (strcmp(command, "list") == 0 && command_answers(argc - 1, argv + 1, usage)) return 0;
    if (strcmp(command, "list") == 0 && argc == 2) return list();
    if (strcmp(command, "list") == 0)      die("list takes no argument, not `%s`", argv[2]);
    if (strcmp(command, "get") == 0)       return get(argc - 1, argv + 1);
    if (strcmp(command, "check") == 0)     return check(argc - 1, argv + 1);
    if (strcmp(command, "encode") == 0)    return data_encode_main(argc - 1, argv + 1);
    if (strcmp(command, "decode") == 0)    return data_decode_main(argc - 1, argv + 1);
    if (strcmp(command, "synthetic") == 0) return data_synthetic_main(argc - 1, argv + 1);
    static const char *const commands[] = { "list", "get", "check", "encode", "decode", "synthetic", "help" };
    const char *const hint = nearest_hint(command, commands, COUNT(commands));
    if (argc > 1) die("data has no command `%s`%s%s", command, hint, *hint ? "" : "; `provably data help` lists them");
    die("data needs a command; `provably data help` lists them");
}
