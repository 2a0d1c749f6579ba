/* SPDX-License-Identifier: GPL-3.0-or-later
 * program_certify.c - --certificates: what a program leaves behind for proofcheck. */
#include <string.h>
#include "src/claim/certificate/certificate.h"
#include "src/claim/program/program.h"

/* Whether sym proves this part at this shape, and what it uses: only then is there something to certify. */
static bool sym_proves(const part *P, const shape *sh, const hypotheses **uses)
{
    const job j = { .claim = program.C, .part = P, .sh = *sh, .over = { .kind = A_SYM }, .seed = program.seed,
                    .certifies = true };
    const row r = runner_run(&j, NULL, NULL);
    *uses = r.uses;
    return r.verdict == HOLDS;
}

/* False: with --strict, a part is the same steps on both sides, so that its certificate would state nothing. */
bool program_certify(void)
{
    bool good = true;
    for (size_t p = 0; p < program.C->nparts; p++) {
        const part *P = &program.C->parts[p];
        if (program.part && strcmp(program.part, P->name) != 0) continue;
        certifier c = { .folder = program.certificates, .id = program.C->id, .part = P };
        const char *why = NULL;
        long proved = 0, lacking = 0;
        for (long k = 0; k < program_shape_count(P); k++) {
            const shape_case s = program_shape_at(k, P);
            if (s.large) continue;
            if (program_runs_over(P, A_SYM) && sym_proves(P, &s.sh, &c.uses)) {
                const char *failed = certify_symbolic(&c, program.C, P, s.sh);
                proved++;
                lacking += failed != NULL;
                if (failed) why = failed;
            }
            if (P->certifies) certify_exact(&c, P, s.sh, program.seed);
            certifier_clear(&c);
        }
        printf("%-14s %-16s %ld certificates; sym proves %ld shapes", program.C->id, P->name, c.written, proved);
        if (why) printf("; %ld of them lack one: %s", lacking, why);
        putchar('\n');
        if (program.strict && why == certify_same_steps && !c.written) good = false;
    }
    return good;
}
