/* SPDX-License-Identifier: GPL-3.0-or-later
 * quoted.c - see quoted.h. */
#include <ctype.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include "tests/support/files.h"
#include "tests/support/quoted.h"
#include "tests/support/suite.h"

const char *papers_folder(void)
{
    const char *folder = getenv("PAPERS");
    return folder && *folder ? folder : "papers";
}

bool papers_paths(char *path[TEXTS])
{
    long here = 0;
    for (int k = 0; k < TEXTS; k++) {
        glob_t found;
        char *pattern = temp_format("%s/%s_*.txt", papers_folder(), papers[k].tag);
        if (glob(pattern, 0, NULL, &found) == 0) {
            ck_assert_msg(found.gl_pathc == 1, "%s: %zu files", pattern, found.gl_pathc);
            path[k] = temp_format("%s", found.gl_pathv[0]);
            here++;
        }
        globfree(&found);
    }
    ck_assert_msg(here == 0 || here == TEXTS, "%s holds %ld of the %d texts", papers_folder(), here, TEXTS);
    return here == TEXTS;
}

bool papers_read(char *text[TEXTS])
{
    char *path[TEXTS];
    if (!papers_paths(path)) return false;
    for (int k = 0; k < TEXTS; k++) {
        text[k] = temp_read(NULL, path[k], NULL);
        ck_assert_msg(*text[k], "%s is empty", path[k]);
        text_collapse(text[k]);
    }
    return true;
}

void text_collapse(char *text)
{
    char *to = text;
    for (const char *p = text; *p; p++) {
        if (!isspace((unsigned char)*p)) *to++ = *p;
        else if (to > text && to[-1] != ' ') *to++ = ' ';
    }
    if (to > text && to[-1] == ' ') to--;
    *to = '\0';
}

const char *quoted_at(const char *text, const char *says)
{
    const size_t n = strlen(says);
    for (const char *at = text; (at = strstr(at, says)); at++) {
        const bool begins = at == text || !isalnum((unsigned char)at[-1]) || !isalnum((unsigned char)*says);
        const bool ends = !isalnum((unsigned char)at[n]) || !isalnum((unsigned char)says[n - 1]);
        if (begins && ends) return at;
    }
    return NULL;
}

bool quoted_in(const char *text, const char *says)
{
    return quoted_at(text, says) != NULL;
}

static claim_text *claims;
static size_t nclaims;

static claim_text described(const char *source, const char *scratch)
{
    char output[512], *name = must_strdup(strrchr(source, '/') + 1);
    name[strlen(name) - 2] = '\0';
    char *command = temp_format("%s/theorems/%s --describe > %s", build_folder(), name, scratch);
    if (run_shell(command, output, sizeof output) != 0) die("%s: %s", command, output);
    free(name);
    return claim_text_read(scratch);
}

const claim_text *described_claims(size_t *n)
{
    char *folder = temp_folder(), *scratch = temp_path(folder, "meta");
    glob_t sources;
    if (glob("theorems/*.c", 0, NULL, &sources) != 0) die("no theorems here: run it in the folder of the Makefile");
    nclaims = sources.gl_pathc;
    claims = must_calloc(nclaims, sizeof *claims);
    for (size_t k = 0; k < nclaims; k++) claims[k] = described(sources.gl_pathv[k], scratch);
    globfree(&sources);
    *n = nclaims;
    return claims;
}

void described_forget(void)
{
    for (size_t k = 0; k < nclaims; k++) claim_text_free(&claims[k]);
    free(claims);
    claims = NULL;
    nclaims = 0;
}
