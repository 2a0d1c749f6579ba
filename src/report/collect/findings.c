/* SPDX-License-Identifier: GPL-3.0-or-later
 * findings.c - reads reports/findings.csv: see findings.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/admitted.h"
#include "src/base/csv.h"
#include "src/base/file.h"
#include "src/claim/judge/verdict.h"
#include "src/report/collect/findings.h"

static const char header[] = "about,sentence,rows";
const finding_group finding_groups[FINDING_GROUPS] = {
    [ABOUT_PRACTICE] = { "practice", "For a model of your own" }, [ABOUT_THEORY] = { "theory", "The theory" },
    [ABOUT_EXPERIMENTS] = { "experiments", "The experiments and the printed numbers" } };

bool findings_next_row(const char **left, char id[NAME_SIZE], char word[24])
{
    int end = 0;
    *left += strspn(*left, " ");
    if (sscanf(*left, "%15[^= ]=%23[^ ]%n", id, word, &end) != 2) return false;
    *left += end;
    return true;
}

/* FINDING_GROUPS: it is no group. */
static finding_about about_of(const char *word)
{
    int k = 0;
    while (k < FINDING_GROUPS && strcmp(word, finding_groups[k].about) != 0) k++;
    return (finding_about)k;
}

static const char *malformed(const finding *x)
{
    char id[NAME_SIZE], word[24];
    const char *left = x->rows;
    if (x->about == FINDING_GROUPS) return "a sentence is about practice, theory or experiments";
    if (!x->sentence[0]) return "the sentence is missing";
    if (!findings_next_row(&left, id, word)) return "a sentence depends on rows, as in K-L3.1=PROVED";
    do {
        if (verdict_of_word(word) == V_NONE) return "there is no such verdict";
        if (!admitted_name(id)) return "a row is not the name of a claim";
    } while (findings_next_row(&left, id, word));
    return left[strspn(left, " ")] ? "rows are written as K-L3.1=PROVED, separated by spaces" : NULL;
}

findings findings_read(const char *path)
{
    findings all = { 0 };
    FILE *f = file_open(path);
    if (!f && errno == ENOENT) return all;
    if (!f) die("cannot read %s: %s", path, strerror(errno));
    csv_file c = csv_from(f, path, header, "correct the sentence");
    while (csv_next(&c)) {
        finding x = { .about = about_of(c.cell[0]) };
        csv_text(&c, 1, x.sentence, sizeof x.sentence);
        csv_text(&c, 2, x.rows, sizeof x.rows);
        const char *why = malformed(&x);
        if (why) csv_wrong(&c, "%s", why);
        all.at = must_realloc(all.at, (size_t)all.n + 1, sizeof *all.at);
        all.at[all.n++] = x;
    }
    csv_close(&c);
    return all;
}

void findings_free(findings *all)
{
    free(all->at);
    *all = (findings){ 0 };
}

