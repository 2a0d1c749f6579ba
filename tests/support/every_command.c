/* SPDX-License-Identifier: GPL-3.0-or-later
 * every_command.c - see every_command.h. */
#include "tests/support/every_command.h"
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "src/base/clock.h"
#include "src/base/file.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

enum { PATIENCE = 60, MOST_WORDS = 24 };

const every_command every_commands[] = {
    { "%2$s/provably --help", "help", 0, WHOLE },
    { "%2$s/provably help reduce", "help reduce", 0, WHOLE },
    { "%2$s/provably show K-T4.4 --evidence=%1$s/e", "show", 0, WHOLE },
    { "%2$s/provably list", "list", 0, WHOLE },
    { "%2$s/provably run K-E2 --scale=quick --out=%1$s/out/x.csv", "run", 0, WHOLE },
    { "%2$s/provably run K-E2 --scale=quick --fork --out=%1$s/out/x.csv", "run --fork", 0, WHOLE },
    { "%2$s/provably check --only=K-E2 --scale=quick --quiet --evidence=%1$s/out/evidence", "check", 0, MANY },
    { "%2$s/provably report --partial --quiet --evidence=%1$s/e --index=%1$s/claims.csv --out=%1$s/out", "report", 1, MANY },
    { "%2$s/provably audit --claim=B-P", "audit", 0, WHOLE },
    { "%2$s/provably inspect %1$s/m.safetensors", "inspect", 0, WHOLE },
    { "%2$s/provably inspect %1$s/m.safetensors --json", "inspect --json", 0, WHOLE },
    { "%2$s/provably reduce %1$s/m.safetensors --out=%1$s/out/r", "reduce", 0, WHOLE },
    { "%2$s/provably reduce %1$s/m.safetensors --out=%1$s/out/r.gguf", "reduce to GGUF", 0, WHOLE },
    { "%2$s/provably verify %1$s/m.safetensors %1$s/r", "verify", 0, WHOLE },
    { "%2$s/provably verify %1$s/m.safetensors %1$s/r --certified --output=%1$s/out/v.cert", "verify --certified", 0, WHOLE },
    { "%2$s/provably absorb %1$s/W1.csv %1$s/W2.csv --out=%1$s/out/x", "absorb", 0, WHOLE },
    { "%2$s/provably rank --arch=all-skip --d=2 --h=1 --L=1 --n=2 --m=2 --V=2", "rank", 1, WHOLE },
    { "%2$s/provably reproduce small-basis --seeds=1 --rows=128 --out=%1$s/out --results=%1$s/out -- --steps=2 --fits=128 --tests=64", "reproduce", 0, MANY },
    { "%2$s/provably sweep %1$s/list --out=%1$s/out", "sweep", 0, MANY },
    { "%2$s/provably train --steps=2 --width=8 --heads=1 --layers=1 --window=8 --batch=1 --quiet --out=%1$s/out", "train", 0, MANY },
    { "%2$s/provably train-vision --data=digits:1 --backend=cpu --epochs=1 --encoders=1 --batch=1000 --quiet --out=%1$s/out", "train-vision", 0, MANY },
    { "%2$s/provably basis-transfer --steps=2 --width=8 --fits=16 --tests=16 --backend=cpu --quiet --out=%1$s/out", "basis-transfer", 0, MANY },
    { "%2$s/provably sample --from=%1$s/m --length=4 --prompt=a", "sample", 0, WHOLE },
    { "%2$s/provably export --from=%1$s/m --out=%1$s/out/x.safetensors", "export", 0, WHOLE },
    { "%2$s/provably data list", "data list", 0, WHOLE },
    { "%2$s/provably data encode --in=%1$s/list --bpe=%1$s/vocab.bpe --out=%1$s/out/x.bin", "data encode", 0, MANY },
    { "%2$s/provably complete show K-T", "complete", 0, WHOLE },
    { "%2$s/provably complete train --", "complete --", 0, WHOLE },
    { "%2$s/theorems/k_e2 --scale=quick --out=%1$s/out/x.csv", "a claim's program", 0, WHOLE },
    { "%2$s/theorems/k_e2 --help", "a claim's program, --help", 0, WHOLE },
    { "%2$s/theorems/k_e2 --certificates=%1$s/out", "certificates", 0, MANY },
    { "%2$s/proofcheck --statements=reports/statements.csv %1$s/c/K-E2-as-stated-explicit.cert", "proofcheck", 0, GOES_ON },
};
const int every_commands_n = COUNT(every_commands);

static char *root;

static void must_run(const char *format)
{
    char said[4096];
    const int is = run_command(said, sizeof said, format, root, build_folder());
    ck_assert_msg(is == 0, "%s: exit status %d:\n%.2000s", format, is, said);
}

const char *every_command_folder(void)
{
    root = temp_folder();
    must_run("mkdir %1$s/out %1$s/e %1$s/c");
    must_run("%2$s/theorems/k_e2 --scale=quick --out=%1$s/e/k_e2.csv && %2$s/theorems/k_e2 --describe > %1$s/e/k_e2.meta");
    must_run("%2$s/theorems/k_e2 --certificates=%1$s/c");
    must_run("awk -F, 'NR == 1 || /^K-E2,/' reports/claims.csv > %1$s/claims.csv && "
                "sed -n '1p; /^K-E2,/p' reports/body_read.csv > %1$s/body_read.csv && "
                "mkdir -p %1$s/src/formal %1$s/theorems && cp theorems/k_e2.c %1$s/theorems && "
                "printf 'about,sentence,rows\\n' > %1$s/findings.csv");
    must_run("%2$s/provably train --steps=2 --width=8 --heads=2 --layers=1 --window=8 --batch=1 --quiet --out=%1$s/m && "
                "%2$s/provably export --from=%1$s/m --out=%1$s/m.safetensors && "
                "%2$s/provably reduce %1$s/m.safetensors --out=%1$s/r");
    must_run("printf '1,0\\n0,1\\n' > %1$s/W1.csv; printf -- '-1,0\\n0,-1\\n' > %1$s/W2.csv; "
                "printf 'a basis-transfer --steps=2 --width=8 --fits=16 --tests=16\\n' > %1$s/list; "
                "printf '#version: 0.2\\nt r\\na s\\n' > %1$s/vocab.bpe");
    return root;
}

const char *every_command_library(const char *name)
{
    char said[4096], *library = temp_format("%s/%s.so", root, name);
    setenv("OMP_NUM_THREADS", "1", 1);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    ck_assert_msg(run_command(said, sizeof said, "cc -O1 -shared -fPIC tests/faults/%s.c -o %s -ldl", name, library) == 0,
                  "%s", said);
    return library;
}

const char *every_command_renamed(const char *name)
{
    char *to = temp_path(temp_folder(), name);
    ck_assert_int_eq(rename(root, to), 0);
    return root = to;
}

static _Noreturn void become(const char *line, int errors)
{
    char *word[MOST_WORDS], *save = NULL, *copy = must_strdup(line);
    int n = 0;
    for (char *w = strtok_r(copy, " ", &save); w && n < MOST_WORDS - 1; w = strtok_r(NULL, " ", &save))
        word[n++] = must_format(w, root, build_folder());          /* a folder may have blanks */
    word[n] = NULL;
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    dup2(open(temp_path(root, "output"), O_WRONLY | O_CREAT | O_TRUNC, 0666), STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    unsetenv("CK_RUN_CASE");
    unsetenv("CK_RUN_SUITE");
    alarm(PATIENCE);
    execv(word[0], word);
    _exit(126);
}

command_end every_command_run(const every_command *c, void (*before)(void *), void *with)
{
    int errors[2], status;
    command_end e = { .status = 0 };
    size_t used = 0;
    ck_assert_int_eq(pipe2(errors, O_CLOEXEC), 0);
    fflush(NULL);
    const double begun = monotonic_seconds();
    const pid_t child = fork();
    if (child == 0) {
        if (before) before(with);
        become(c->command, errors[1]);
    }
    ck_assert_int_gt(child, 0);
    close(errors[1]);
    for (ssize_t n; (n = read(errors[0], e.errors + used, sizeof e.errors - 1 - used)) != 0 && used + 1 < sizeof e.errors; )
        if (n > 0) used += (size_t)n;
        else if (errno != EINTR) break;
    close(errors[0]);
    while (waitpid(child, &status, 0) < 0) ck_assert_int_eq(errno, EINTR);
    e.seconds = monotonic_seconds() - begun;
    e.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    e.output = temp_read(root, "output", NULL);
    return e;
}

/* ---- what is left ------------------------------------------------------------------------------------------ */

static char left[512];                       /* files and folders below the one that is written to */
static bool only_parts;

static int note(const char *path, const struct stat *s, int kind, struct FTW *at)
{
    const size_t n = strlen(path), m = strlen(left);
    const bool part = n > 5 && strcmp(path + n - 5, ".part") == 0;
    (void)s; (void)kind;
    if (at->level > 0 && (part || !only_parts)) snprintf(left + m, sizeof left - m, "%s ", path + strlen(root) + 1);
    return 0;
}

static int take_away(const char *path, const struct stat *s, int kind, struct FTW *at)
{
    (void)s; (void)kind; (void)at;
    return remove(path);
}

void every_command_empty(void)
{
    char *out = temp_path(root, "out");
    nftw(out, take_away, 16, FTW_DEPTH | FTW_PHYS);
    make_folder(out);
}

void every_command_nothing_left(const every_command *c, const char *where)
{
    left[0] = '\0';
    only_parts = c->is == MANY;
    nftw(temp_path(root, "out"), note, 16, FTW_PHYS);
    ck_assert_msg(!left[0], "%s, %s: left: %s", c->name, where, left);
    every_command_empty();
}
