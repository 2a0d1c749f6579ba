/* SPDX-License-Identifier: GPL-3.0-or-later
 * program_chosen.c - --part, --case and --arith name what is there, or they are refused: see program.h. */
#include <string.h>
#include "src/base/text.h"
#include "src/claim/program/program.h"

bool program_chooses(const part *P)
{
    return (!program.part || strcmp(program.part, P->name) == 0) && (!program_streams() || program_streams_part(P));
}

static void refuse_unknown_part(void)
{
    const claim *C = program.C;
    text_buffer names = { 0 };
    for (size_t p = 0; p < C->nparts; p++) {
        if (!program.part || strcmp(program.part, C->parts[p].name) == 0) goto known;
        text_add(&names, "%s%s", p ? ", " : "", C->parts[p].name);
    }
    die("--part=%s: %s has no such part; it has %s", program.part, C->id, names.at);
known:
    text_clear(&names);
}

static bool has_named_case(const part *P, const arith_spec *over)
{
    for (long c = -1; c <= program_control_count(P); c++)
        if (program_has_case(P, c, over) && (!program.which || strcmp(program_case_name(P, c), program.which) == 0))
            return true;
    return false;
}

static void refuse_unknown_case(void)
{
    text_buffer names = { 0 };
    const arith_spec any = { .kind = A_ARB };            /* has every case */
    if (!program.which) return;
    for (size_t p = 0; p < program.C->nparts; p++) {
        const part *P = &program.C->parts[p];
        if (!program_chooses(P)) continue;
        if (has_named_case(P, &any)) {
            text_clear(&names);
            return;
        }
        for (long c = -1; c <= program_control_count(P); c++)
            if (program_has_case(P, c, &any) && (!names.at || !strstr(names.at, program_case_name(P, c))))
                text_add(&names, "%s%s", names.length ? ", " : "", program_case_name(P, c));
    }
    die("--case=%s: %s has no such case; it has %s", program.which, program.C->id, names.length ? names.at : "none");
}

/* Every arithmetic that was asked for runs some chosen part and case. */
static void refuse_idle_arithmetic(const arith_spec *over)
{
    const part *last = NULL;
    bool runs = false;
    for (size_t p = 0; p < program.C->nparts; p++) {
        const part *P = &program.C->parts[p];
        if (!program_chooses(P)) continue;
        last = P;
        runs |= program_runs_over(P, over->kind);
        if (program_runs_over(P, over->kind) && has_named_case(P, over)) return;
    }
    if (!last) return;                                   /* program_prepare_streams says why */
    if (runs) die("--arith=%s: the case %s does not run there: it changes an entry by less than doubles resolve; "
                  "choose mpfr, arb, fp or q", arith_names[over->kind], program.which);
    die("--arith=%s: %s %s does not run there: %s", arith_names[over->kind], program.C->id, last->name,
        program_why_left_out(last));
}

void program_refuse_unused_choices(void)
{
    refuse_unknown_part();
    if (program.list || program.describe || program_only_certifies()) return;
    refuse_unknown_case();
    for (int a = 0; a < program.arithmetics && !program.all_arithmetics; a++) refuse_idle_arithmetic(&program.over[a]);
}
