/* SPDX-License-Identifier: GPL-3.0-or-later
 * readings.c - reads the list, and hashes the programs that it names: see readings.h. */
#include "src/claim/judge/readings.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "src/base/admitted.h"
#include "src/base/csv.h"
#include "src/data/checksum.h"

static const char header[] = "claim,part,program,reading,lacks";
enum { CLAIM, PART, PROGRAM, READING, LACKS };

static void must_be_reread(readings *r, const csv_file *c, const char *hex)
{
    r->reread = must_realloc(r->reread, (size_t)r->rereads + 1, sizeof *r->reread);
    r->reread[r->rereads++] = must_format("%s:%ld: theorems/%s.c has changed since somebody read the body of %s %s "
                                          "beside its statement; read both again, and if the body shows all that is "
                                          "stated, write %s", c->path, c->number, c->cell[PROGRAM], c->cell[CLAIM],
                                          c->cell[PART], hex);
}

static void take_reading(readings *r, const csv_file *c, const char *root)
{
    body_reading one = { .claim = "" };
    char hex[SHA256_HEX] = "";
    csv_name(c, CLAIM, one.claim, sizeof one.claim);
    csv_label(c, PART, one.part, sizeof one.part);
    csv_text(c, PROGRAM, one.program, sizeof one.program);
    csv_text(c, LACKS, one.lacks, sizeof one.lacks);
    if (!admitted_program(c->cell[PROGRAM])) csv_wrong(c, "`%s` is no program of a claim", c->cell[PROGRAM]);
    char *path = must_format("%s/theorems/%s.c", root, c->cell[PROGRAM]);
    const bool same = checksum_sha256(path, hex) && strcmp(hex, c->cell[READING]) == 0;
    free(path);
    if (!same) {
        must_be_reread(r, c, *hex ? hex : "nothing: there is no such file");
        return;
    }
    r->at = must_realloc(r->at, (size_t)r->n + 1, sizeof *r->at);
    r->at[r->n++] = one;
}

readings readings_read(const char *path, const char *root)
{
    readings r = { 0 };
    if (access(path, F_OK) != 0) return r;
    csv_file c = csv_open(path, header, "see src/claim/judge/readings.h");
    while (csv_next(&c)) take_reading(&r, &c, root);
    csv_close(&c);
    return r;
}

void readings_free(readings *r)
{
    for (long k = 0; k < r->rereads; k++) free(r->reread[k]);
    free(r->reread);
    free(r->at);
    *r = (readings){ 0 };
}

const body_reading *readings_find(const readings *r, const char *claim, const char *part)
{
    for (long k = 0; r && k < r->n; k++)
        if (strcmp(r->at[k].claim, claim) == 0 && strcmp(r->at[k].part, part) == 0) return &r->at[k];
    return NULL;
}
