/* t_oom.c - out of memory: an allocation of a command is refused, once, or that and all after it.
 *
 * Whatever asked for it, ours or a library, the command ends with status 2 and one line, never by a signal; no file is
 * left, and a run that was interrupted keeps no unfinished one.  Every command of `provably help` is here, each format
 * that `reduce` writes, a claim's program, and proofcheck.
 * OOM_POINTS=N allocations are tried of each command, in both ways (0: all); with OOM_RECORD=FILE a line is added there
 * for each. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "src/base/file.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

enum { PATIENCE = 60, MOST_WORDS = 24 };     /* seconds after which a command hangs */

/* MANY: of its files those that are finished may stay.  GOES_ON: it has no malloc of ours; what the C library asks for in
 * vain it may do without, and then all must be said. */
typedef enum { WHOLE, MANY, GOES_ON } manner;
/* %1$s: the folder of the test, %2$s: that of the programs */
typedef struct { const char *command, *name; int status; manner is; } command;
static const command commands[] = {
    { "%2$s/provably --help", "help", 0, WHOLE },
    { "%2$s/provably help reduce", "help reduce", 0, WHOLE },
    { "%2$s/provably show K-T4.4 --evidence=%1$s/e", "show", 0, WHOLE },
    { "%2$s/provably list", "list", 0, WHOLE },
    { "%2$s/provably run K-E2 --scale=quick --out=%1$s/out/x.csv", "run", 0, WHOLE },
    { "%2$s/provably report --partial --quiet --evidence=%1$s/e --index=%1$s/claims.csv --out=%1$s/out", "report", 1, MANY },
    { "%2$s/provably audit --claim=B-P", "audit", 0, WHOLE },
    { "%2$s/provably inspect %1$s/m.safetensors", "inspect", 0, WHOLE },
    { "%2$s/provably inspect %1$s/m.safetensors --json", "inspect --json", 0, WHOLE },
    { "%2$s/provably reduce %1$s/m.safetensors --out=%1$s/out/r", "reduce", 0, WHOLE },
    { "%2$s/provably reduce %1$s/m.safetensors --out=%1$s/out/r.gguf", "reduce to GGUF", 0, WHOLE },
    { "%2$s/provably verify %1$s/m.safetensors %1$s/r", "verify", 0, WHOLE },
    { "%2$s/provably verify %1$s/m.safetensors %1$s/r --certified --output=%1$s/out/v.cert", "verify --certified", 0, WHOLE },
    { "%2$s/provably absorb %1$s/W1.csv %1$s/W2.csv --out=%1$s/out/", "absorb", 0, WHOLE },
    { "%2$s/provably rank --arch=all-skip --d=2 --h=1 --L=1 --n=2 --m=2 --V=2", "rank", 1, WHOLE },
    { "%2$s/provably reproduce small-basis --seeds=1 --rows=128 --out=%1$s/out --results=%1$s/out -- --steps=2 --fits=128 --tests=64", "reproduce", 0, MANY },
    { "%2$s/provably sweep %1$s/list --out=%1$s/out", "sweep", 0, MANY },
    { "%2$s/provably train --steps=2 --width=8 --heads=1 --layers=1 --window=8 --batch=1 --quiet --out=%1$s/out", "train", 0, MANY },
    { "%2$s/provably train-vision --data=digits:1 --backend=cpu --epochs=1 --encoders=1 --batch=16 --quiet --out=%1$s/out", "train-vision", 0, MANY },
    { "%2$s/provably basis-transfer --steps=2 --width=8 --fits=16 --tests=16 --backend=cpu --quiet --out=%1$s/out", "basis-transfer", 0, MANY },
    { "%2$s/provably sample --from=%1$s/m --length=4 --prompt=a", "sample", 0, WHOLE },
    { "%2$s/provably export --from=%1$s/m --out=%1$s/out/x.safetensors", "export", 0, WHOLE },
    { "%2$s/provably data list", "data list", 0, WHOLE },
    { "%2$s/provably data encode --in=%1$s/list --bpe=%1$s/vocab.bpe --out=%1$s/out/x.bin", "data encode", 0, WHOLE },
    { "%2$s/provably complete show K-T", "complete", 0, WHOLE },
    { "%2$s/provably complete train --", "complete --", 0, WHOLE },
    { "%2$s/theorems/k_e2 --scale=quick --out=%1$s/out/x.csv", "a claim's program", 0, WHOLE },
    { "%2$s/theorems/k_e2 --help", "a claim's program, --help", 0, WHOLE },
    { "%2$s/theorems/k_e2 --certificates=%1$s/out", "certificates", 0, MANY },
    { "%2$s/proofcheck --statements=reports/statements.csv %1$s/c/K-E2-as-stated-explicit.cert", "proofcheck", 0, GOES_ON },
};

static char *root, *library;

static void must_run(int status, const char *format)
{
    char said[4096];
    const int is = run_command(said, sizeof said, format, root, build_folder());
    ck_assert_msg(is == status, "%s: exit status %d:\n%.2000s", format, is, said);
}

/* ---- one call --------------------------------------------------------------------------------------------- */

typedef struct { long at; bool on, others; } refusal;              /* at 0: none, they are counted              */
typedef struct { int status; bool refused; long made; char *output, errors[2048]; } ending;

static _Noreturn void become(const char *line, refusal r, pid_t parent, int errors, int tell)
{
    char *word[MOST_WORDS], *save = NULL, *copy = must_format(line, root, build_folder());
    int n = 0;
    for (char *w = strtok_r(copy, " ", &save); w && n < MOST_WORDS - 1; w = strtok_r(NULL, " ", &save)) word[n++] = w;
    word[n] = NULL;
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    dup2(open(temp_path(root, "output"), O_WRONLY | O_CREAT | O_TRUNC, 0666), STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    setenv("MEMORY_PARENT", must_format("%ld", (long)parent), 1);
    setenv("MEMORY_AT", must_format("%ld", r.at), 1);
    setenv("MEMORY_ON", r.on ? "1" : "0", 1);
    setenv("MEMORY_TELL", must_format("%d", tell), 1);
    if (r.others) setenv("MEMORY_OF", "others", 1);
    setenv("LD_PRELOAD", library, 1);
    unsetenv("CK_RUN_CASE");
    unsetenv("CK_RUN_SUITE");
    alarm(PATIENCE);
    execv(word[0], word);
    _exit(126);
}

static size_t read_all(int from, char *to, size_t size)
{
    size_t used = 0;
    for (ssize_t n; used + 1 < size && (n = read(from, to + used, size - 1 - used)) != 0; )
        if (n > 0) used += (size_t)n;
        else if (errno != EINTR) break;
    to[used] = '\0';
    close(from);
    return used;
}

static ending call(const char *line, refusal r)
{
    int errors[2], tell[2], status;
    char told[256];
    const pid_t parent = getpid();
    ending e = { .made = 0 };
    ck_assert(pipe(errors) == 0 && pipe(tell) == 0);
    fflush(NULL);
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        close(errors[0]);
        close(tell[0]);
        become(line, r, parent, errors[1], tell[1]);
    }
    close(errors[1]);
    close(tell[1]);
    read_all(errors[0], e.errors, sizeof e.errors);
    read_all(tell[0], told, sizeof told);
    while (waitpid(child, &status, 0) < 0) ck_assert_int_eq(errno, EINTR);
    e.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    e.refused = told[0] == '.';
    e.output = file_read(temp_path(root, "output"), 1 << 24, NULL);
    for (const char *p = told; *p; p += strcspn(p, "\n") + (strchr(p, '\n') != NULL)) {
        const long made = strtol(p, NULL, 10);
        if (made > e.made) e.made = made;
    }
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

static void out_empty(void)
{
    char *out = temp_path(root, "out");
    nftw(out, take_away, 16, FTW_DEPTH | FTW_PHYS);
    make_folder(out);
}

static void nothing_left(const command *c, const char *where)
{
    left[0] = '\0';
    only_parts = c->is == MANY;
    nftw(temp_path(root, "out"), note, 16, FTW_PHYS);
    ck_assert_msg(!left[0], "%s, %s: left: %s", c->name, where, left);
    out_empty();
}

/* ---- the walk ---------------------------------------------------------------------------------------------- */

static long points(void)
{
    const char *text = getenv("OOM_POINTS");
    return text ? strtol(text, NULL, 10) : 3;
}

/* The k-th of n points of [1, made]: the first ones all, then spread by the golden ratio, where no period of the program
 * can hide. */
static long point(long k, long n, long made)
{
    const long first = n / 2;
    if (n >= made || k < first) return k + 1;
    const double share = (double)k * 0.6180339887498949;
    return first + 1 + (long)((share - (double)(long)share) * (double)(made - first));
}

START_TEST(every_command)
{
    const command *c = &commands[_i];
    const ending whole = call(c->command, (refusal){ 0 });
    ck_assert_msg(whole.status == c->status, "%s: status %d: %s", c->name, whole.status, whole.errors);
    ck_assert_msg(whole.made > 0, "%s: no allocation was seen", c->name);
    out_empty();
    const long asked = points(), n = asked && asked < whole.made ? asked : whole.made;
    long tried = 0, refused = 0;
    for (long k = 0; k < 2 * n; k++) {
        const refusal r = { .at = point(k / 2, n, whole.made), .on = k % 2 };
        char *where = must_format("allocation %ld of %ld%s", r.at, whole.made, r.on ? " and all after it" : "");
        const ending e = call(c->command, r);
        tried++;
        refused += e.refused;
        const char *line = strchr(e.errors, '\n');
        if (e.refused && e.status == c->status && c->is == GOES_ON) {
            ck_assert_msg(strcmp(e.output, whole.output) == 0 && !line, "%s, %s: it says %s%s", c->name, where, e.output, e.errors);
        } else if (e.refused) {
            ck_assert_msg(e.status == 2, "%s, %s: status %d: %s", c->name, where, e.status, e.errors);
            ck_assert_msg(line && !line[1] && strstr(e.errors, "memory"), "%s, %s: not one line: %s", c->name, where, e.errors);
            nothing_left(c, where);
        } else {
            ck_assert_msg(e.status == c->status, "%s, %s: status %d: %s", c->name, where, e.status, e.errors);
            out_empty();
        }
        free(where);
        free(e.output);
    }
    free(whole.output);
    ck_assert_msg(10 * refused >= 9 * tried, "%s: %ld of %ld allocations were refused", c->name, refused, tried);
    if (getenv("OOM_RECORD")) {
        FILE *f = fopen(getenv("OOM_RECORD"), "a");
        ck_assert(f && fprintf(f, "%s\t%ld\t%ld\n", c->name, whole.made, refused) > 0 && fclose(f) == 0);
    }
}
END_TEST

/* What a command calls may find no memory, either. */
START_TEST(children)
{
    static const char *const calls[] = { "show", "report", "reproduce", "sweep" };
    const command *c = commands;
    while (strcmp(c->name, calls[_i]) != 0) c++;
    const ending whole = call(c->command, (refusal){ .others = true });
    ck_assert_msg(whole.status == c->status && whole.made > 0, "%s: status %d, %ld allocations", c->name, whole.status, whole.made);
    out_empty();
    long refused = 0;
    for (long k = 0; k < points(); k++) {
        const refusal r = { .at = point(k, points(), whole.made), .on = k % 2, .others = true };
        const ending e = call(c->command, r);
        refused += e.refused;
        ck_assert_msg(!e.refused || e.status == 1 || e.status == 2,
                      "%s, allocation %ld of a child: status %d: %s%s", c->name, r.at, e.status, e.output, e.errors);
        nothing_left(c, "a child");
        free(e.output);
    }
    ck_assert_int_gt(refused, 0);
    free(whole.output);
}
END_TEST

/* What `provably help` lists is above. */
START_TEST(no_command_is_missing)
{
    char said[16384];
    long found = 0;
    ck_assert_int_eq(run_command(said, sizeof said, "%s/provably help | sed -n 's/^  \\([a-z][a-z-]*\\) .*/\\1/p'", build_folder()), 0);
    for (char *save = NULL, *name = strtok_r(said, "\n", &save); name; name = strtok_r(NULL, "\n", &save), found++) {
        char *want = temp_format("%%2$s/provably %s", name);
        const size_t n = strlen(want);
        bool is = strcmp(name, "help") == 0;
        for (size_t k = 0; k < COUNT(commands); k++)
            is = is || (strncmp(commands[k].command, want, n) == 0 && strchr(" ", commands[k].command[n]));
        ck_assert_msg(is, "no allocation of `provably %s` is refused here", name);
    }
    ck_assert_int_gt(found, 15);
}
END_TEST

static void setup(void)
{
    root = temp_folder();
    library = temp_path(root, "memory.so");
    setenv("OMP_NUM_THREADS", "1", 1);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    must_run(0, "cc -O1 -shared -fPIC tests/faults/memory.c -o %1$s/memory.so -ldl && mkdir %1$s/out %1$s/e %1$s/c");
    must_run(0, "%2$s/theorems/k_e2 --scale=quick --out=%1$s/e/k_e2.csv && %2$s/theorems/k_e2 --describe > %1$s/e/k_e2.meta");
    must_run(0, "%2$s/theorems/k_e2 --certificates=%1$s/c");
    must_run(0, "awk -F, 'NR == 1 || /^K-E2,/' reports/claims.csv > %1$s/claims.csv && "
                "sed -n '1p; /^K-E2,/p' reports/body_read.csv > %1$s/body_read.csv && "
                "mkdir -p %1$s/src/formal %1$s/theorems && cp theorems/k_e2.c %1$s/theorems && "
                "printf 'about,sentence,rows\\n' > %1$s/findings.csv");
    must_run(0, "%2$s/provably train --steps=2 --width=8 --heads=2 --layers=1 --window=8 --batch=1 --quiet --out=%1$s/m && "
                "%2$s/provably export --from=%1$s/m --out=%1$s/m.safetensors && "
                "%2$s/provably reduce %1$s/m.safetensors --out=%1$s/r");
    must_run(0, "printf '1,0\\n0,1\\n' > %1$s/W1.csv; printf '1,0\\n0,1\\n' > %1$s/W2.csv; "
                "printf 'a basis-transfer --steps=2 --width=8 --fits=16 --tests=16\\n' > %1$s/list; "
                "printf '#version: 0.2\\nt r\\na s\\n' > %1$s/vocab.bpe");
}

int main(int argc, char **argv)
{
    Suite *suite = suite_create("oom");
    TCase *all = tcase_create("commands");
    suite_add_tcase(suite, all);
    tcase_add_unchecked_fixture(all, setup, NULL);
    tcase_set_timeout(all, 0);
    tcase_add_loop_test(all, every_command, 0, COUNT(commands));
    tcase_add_loop_test(all, children, 0, 4);
    tcase_add_test(all, no_command_is_missing);
    return run_suite(suite, argc, argv);
}
