/* SPDX-License-Identifier: GPL-3.0-or-later
 * ratchet.c - reports/verdicts.csv, the verdicts that were agreed on: a run that says anything else fails. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/csv.h"
#include "src/base/file.h"
#include "src/claim/judge/verdict.h"

static const char header[] = "id,as_stated,evidence,corrected,corrected_evidence,as_meant";

static bool parse_verdict(const char *word, verdict *is)
{
    *is = verdict_of_word(word);
    return !*word || *is != V_NONE;
}

static bool parse_evidence(const char *word, evidence_kind *by)
{
    for (int e = E_NONE; e < EVIDENCES; e++)
        if (strcmp(evidence_word((evidence_kind)e), word) == 0) { *by = (evidence_kind)e; return true; }
    return false;
}

ratchet ratchet_read(const char *path)
{
    ratchet r = { 0 };
    FILE *f = file_open(path);
    if (!f && errno == ENOENT) return r;
    if (!f) die("cannot read %s: %s", path, strerror(errno));
    csv_file c = csv_from(f, path, header, "write the file again with `make verdicts`");
    while (csv_next(&c)) {
        agreed a = { .id = "" };
        csv_name(&c, 0, a.id, sizeof a.id);
        for (int k = 0; k < 2; k++)
            if (!parse_verdict(c.cell[1 + 2 * k], &a.is[k]) || !parse_evidence(c.cell[2 + 2 * k], &a.by[k]))
                csv_wrong(&c, "not a line of agreed verdicts");
        a.as_meant = strcmp(c.cell[5], "yes") == 0;
        if (!a.as_meant && *c.cell[5]) csv_wrong(&c, "not a line of agreed verdicts: as_meant is yes, or empty");
        r.at = must_realloc(r.at, (size_t)r.n + 1, sizeof *r.at);
        r.at[r.n++] = a;
    }
    csv_close(&c);
    return r;
}

void ratchet_free(ratchet *r)
{
    free(r->at);
    *r = (ratchet){ 0 };
}

static agreed now(const claim_verdict *c)
{
    agreed a = { .is = { c->as_stated, c->corrected }, .as_meant = c->as_meant };
    cell_copy(a.id, sizeof a.id, c->id);
    for (int k = 0; k < 2; k++) {
        const part_verdict *p = judge_speaker(c, k == 1);
        a.by[k] = p ? p->by : E_NONE;
    }
    return a;
}

char *ratchet_differs(const ratchet *r, const claim_verdict *c)
{
    static const char *const what[2] = { "as stated", "corrected" };
    const agreed is = now(c), *was = NULL;
    for (long k = 0; k < r->n && !was; k++) if (strcmp(r->at[k].id, c->id) == 0) was = &r->at[k];
    if (!was) return must_format("%s: no agreed verdict; `make verdicts` writes one", c->id);
    for (int k = 0; k < 2; k++)
        if (was->is[k] != is.is[k] || was->by[k] != is.by[k])
            return must_format("%s, %s: %s %s, but %s %s was agreed; if that is meant, `make verdicts` and a line "
                               "in the CHANGELOG", c->id, what[k], verdict_word(is.is[k]), evidence_word(is.by[k]),
                               verdict_word(was->is[k]), evidence_word(was->by[k]));
    if (was->as_meant != is.as_meant)
        return must_format("%s: the verdict is of the sentence as it is %s, but as it is %s was agreed; if that is "
                           "meant, `make verdicts` and a line in the CHANGELOG", c->id,
                           is.as_meant ? "meant" : "printed", was->as_meant ? "meant" : "printed");
    return NULL;
}

void ratchet_line(FILE *f, const claim_verdict *c)
{
    if (!c) {
        fprintf(f, "%s\n", header);
        return;
    }
    const agreed a = now(c);
    fprintf(f, "%s,%s,%s,%s,%s,%s\n", a.id, verdict_word(a.is[0]), evidence_word(a.by[0]), verdict_word(a.is[1]),
            evidence_word(a.by[1]), a.as_meant ? "yes" : "");
}
