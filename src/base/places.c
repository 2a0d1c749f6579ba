/* SPDX-License-Identifier: GPL-3.0-or-later
 * places.c - see places.h. */
#include "src/base/places.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST = 4096 };

/* The folder of the running program into to[LONGEST]; false where the system does not say. */
static bool program_folder(char *to)
{
    const ssize_t n = readlink("/proc/self/exe", to, LONGEST - 1);
    if (n <= 0) return false;
    to[n] = '\0';
    char *slash = strrchr(to, '/');
    if (!slash) return false;
    *slash = '\0';
    return true;
}

/* PROGRAM/BELOW/NAME without its dots, to be freed; NULL: it is not there, or not executable though it has to be. */
static char *beside_program(const char *below, const char *name, int mode)
{
    char folder[LONGEST];
    if (!program_folder(folder)) return NULL;
    char *path = must_format("%s/%s/%s", folder, below, name), *whole = NULL;
    if (access(path, mode) == 0) whole = realpath(path, NULL);
    free(path);
    return whole;
}

char *data_place(const char *given, const char *name)
{
    static const char *const below[] = { "../reports", "../share/provably" };
    const char *named = getenv("PROVABLY_DATA");
    char folder[LONGEST];
    if (given) return must_strdup(given);
    if (named && *named) return must_format("%s/%s", named, name);
    for (size_t k = 0; k < COUNT(below); k++) {
        char *path = beside_program(below[k], name, F_OK);
        if (path) return path;
    }
    char *path = must_format("reports/%s", name);
    if (access(path, F_OK) == 0) return path;
    if (!program_folder(folder)) snprintf(folder, sizeof folder, "the folder of this program");
    die("cannot find %s: it is neither in %s/../reports nor in %s/../share/provably nor in reports; name its folder "
        "in the environment variable PROVABLY_DATA", name, folder, folder);
}

char *architectures_place(void)
{
    static const char here[] = "src/checkpoint/architectures";
    static const char *const below[] = { "../src/checkpoint", "../../src/checkpoint", "../share/provably" };
    char folder[LONGEST];
    for (size_t k = 0; k < COUNT(below); k++) {
        char *path = beside_program(below[k], "architectures", R_OK);
        if (path) return path;
    }
    if (access(here, R_OK) == 0) return must_strdup(here);
    if (!program_folder(folder)) snprintf(folder, sizeof folder, "the folder of this program");
    die("cannot find the architectures of files of weights: neither %s/../%s nor %s/../share/provably/architectures is "
        "there; install the whole program again", folder, here, folder);
}

char *commit_place(void)
{
    /* build/provably, build/theorems/NAME, build/tests/false/NAME; PREFIX/bin/provably,
     * PREFIX/libexec/provably/theorems/NAME */
    static const char *const below[] = { ".", "..", "../..", "../share/provably", "../../../share/provably" };
    for (size_t k = 0; k < COUNT(below); k++) {
        char *path = beside_program(below[k], "commit", R_OK);
        if (path) return path;
    }
    return NULL;
}

char *programs_place(const char *given)
{
    static const char *const below[] = { ".", "../libexec/provably" };
    char folder[LONGEST];
    if (given) return must_strdup(given);
    for (size_t k = 0; k < COUNT(below); k++) {
        char *path = beside_program(below[k], "theorems", R_OK);
        if (path) return path;
    }
    if (!program_folder(folder)) snprintf(folder, sizeof folder, "the folder of this program");
    die("cannot find the programs of the claims: neither %s/theorems nor %s/../libexec/provably/theorems is there; "
        "name their folder with --programs", folder, folder);
}

char *evidence_place(const char *given)
{
    struct stat s;
    if (given) return must_strdup(given);
    char *path = beside_program(".", "evidence", R_OK);
    if (path && stat(path, &s) == 0 && S_ISDIR(s.st_mode)) return path;
    free(path);
    return must_strdup("build/evidence");
}
