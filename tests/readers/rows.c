/* SPDX-License-Identifier: GPL-3.0-or-later
 * rows.c - readers of evidence, of the lists of reports/, and of what proofcheck and Coq have accepted. */
#include <stdlib.h>
#include <string.h>
#include "src/claim/certificate/formal.h"
#include "src/claim/certificate/proofs.h"
#include "src/claim/evidence/evidence_figures.h"
#include "src/claim/judge/readings.h"
#include "src/claim/judge/verdict.h"
#include "src/report/collect/bearing.h"
#include "src/report/collect/claim_text.h"
#include "src/report/collect/findings.h"
#include "tests/readers/readers.h"

static void read_evidence(const char *path)
{
    rows all = { 0 };
    evidence_rows_read(&all, path);
    if (all.n) (void)judge_claim(&all, NULL, NULL, NULL, all.at[0].id);
    evidence_rows_free(&all);
}
static void read_ladder(const char *path)
{
    rung_list all = { 0 };
    evidence_rungs_read(&all, path);
    free(all.at);
}
static void read_figures(const char *path)
{
    measures all = { 0 };
    evidence_figures_read(&all, path);
    free(all.at);
}

static void read_claims(const char *path)
{
    claim_index x = index_read(path);
    index_free(&x);
}
static void read_verdicts(const char *path)
{
    ratchet r = ratchet_read(path);
    ratchet_free(&r);
}
static void read_findings(const char *path)
{
    findings all = findings_read(path);
    for (long k = 0; k < all.n; k++) {
        const char *left = all.at[k].rows;
        char id[NAME_SIZE], word[24];
        while (findings_next_row(&left, id, word)) ;
    }
    findings_free(&all);
}
static void read_bearing(const char *path)
{
    bearings all = bearings_read(path);
    bearings_free(&all);
}
static void read_meta(const char *path)
{
    claim_text x = claim_text_read(path);
    claim_text_free(&x);
}

static void read_accepted(const char *path)
{
    proofs all = { 0 };
    proofs_read(&all, path);
    proofs_free(&all);
}
static void read_formal(const char *path)
{
    char *folder = reader_folder(path);
    formal_list all = formal_list_read(path, NULL, NULL, folder);
    formal_list_free(&all);
    free(folder);
}
static void read_readings(const char *path)
{
    char *folder = reader_folder(path);
    readings all = readings_read(path, folder);
    readings_free(&all);
    free(folder);
}

const file_reader readers_of_rows[] = {
    { "evidence", "k_x.csv", NULL, read_evidence },
    { "ladder", "k_x.ladder.csv", NULL, read_ladder },
    { "figures", "k_x.figures.csv", NULL, read_figures },
    { "claims", "claims.csv", NULL, read_claims },
    { "verdicts", "verdicts.csv", NULL, read_verdicts },
    { "findings", "findings.csv", NULL, read_findings },
    { "bearing", "bearing.csv", NULL, read_bearing },
    { "meta", "k_x.meta", NULL, read_meta },
    { "accepted", "k_x.accepted", NULL, read_accepted },
    { "formal", "formal.csv", NULL, read_formal },
    { "readings", "body_read.csv", NULL, read_readings },
    { NULL, NULL, NULL, NULL } };
