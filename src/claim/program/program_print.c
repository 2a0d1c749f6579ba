/* SPDX-License-Identifier: GPL-3.0-or-later
 * program_print.c - what a program prints: its parts, its description, its verdicts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/claim/program/program.h"

void program_list(void)
{
    const claim *C = program.C;
    printf("%s  %s\n", C->id, C->title);
    for (size_t p = 0; p < C->nparts; p++) {
        if (!program_chooses(&C->parts[p])) continue;
        printf("part %s\n  assumes: %s\n  models: %s\n  case claim\n", C->parts[p].name,
               claim_part_assumes(C, &C->parts[p]), claim_part_models(C, &C->parts[p]));
        for (long c = 0; c < program_control_count(&C->parts[p]); c++)
            printf("  case %s: %s\n", program_control(&C->parts[p], c)->name, program_control(&C->parts[p], c)->why);
        if (!C->parts[p].no_minimal) printf("  case minimal: one reduced entry times 1 + 2^-40\n");
        if (program_left_out(&C->parts[p]))
            printf("  not over %s: %s\n", program_left_out(&C->parts[p]), program_why_left_out(&C->parts[p]));
        for (long k = 0; k < program_shape_count(&C->parts[p]); k++) {
            char text[256];
            const shape_case s = program_shape_at(k, &C->parts[p]);
            if (s.large && C->parts[p].no_large) continue;
            shape_print(text, sizeof text, &s.sh);
            printf("  shape \"%s\"%s\n", text, s.large == ONLY_AT_LARGE ? "  (with --scale=large: claim once)"
                   : s.large ? "  (large: claim once; controls over fp)" : "");
        }
    }
}

const char program_minimal_why[] = "one entry of one reduced matrix times $1+2^{-40}$";

/* "quote: 003 | Theorem 4.4 | TEXT" */
static void print_quotations(FILE *f, const char *key, const quotation *q, size_t n)
{
    for (size_t k = 0; k < n; k++) fprintf(f, "%s: %s | %s | %s\n", key, papers[q[k].in].tag, q[k].place, q[k].says);
}

void program_describe(FILE *f)
{
    const claim *C = program.C;
    fprintf(f, "id: %s\ntitle: %s\nwhere: %s\n", C->id, C->title, C->where);
    print_quotations(f, "quote", C->quotes, C->nquotes);
    for (size_t k = 0; k < C->njudged; k++) fprintf(f, "judged: %s\n", C->judged[k]);
    print_quotations(f, "standing", C->standing, C->nstanding);
    fprintf(f, "hypotheses: %s\nconstruction: %s\nwhy: %s\ndepends: %s\n",
           C->hypotheses ? C->hypotheses : "", C->construction ? C->construction : "", C->why ? C->why : "",
           C->depends ? C->depends : "");
    for (size_t p = 0; p < C->nparts; p++) {
        const part *P = &C->parts[p];
        fprintf(f, "part: %s\nkind: %s\nstatement: %s\nabout: %s\nassumes: %s\nmodels: %s\nbasis: %s\nby-proof: %s\n"
               "without: %s\nwhy-without: %s\n", P->name,
               part_kind_word(P->kind), P->statement ? P->statement : "", P->about == ABOUT_FINITE ? "finite" : "all",
               claim_part_assumes(C, P), claim_part_models(C, P), P->basis ? P->basis : "",
               P->by_proof ? P->by_proof : "",
               program_left_out(P) ? program_left_out(P) : "", program_left_out(P) ? program_why_left_out(P) : "");
        char *prepares = program_prepares(P), *reshapes = program_reshapes(P);
        fprintf(f, "sets: %s\nsets-reduced: %s\n", prepares, reshapes);
        free(prepares);
        free(reshapes);
        if (part_shows_facts(P->kind)) fprintf(f, "quantity: %s\nshown-by: %s\n", P->quantity, P->shown_by);
        for (size_t c = 0; c < P->ncontrols; c++)
            fprintf(f, "control: %s: %s\n", P->controls[c].name, P->controls[c].why);
        if (!P->no_minimal) fprintf(f, "control: minimal: %s\n", program_minimal_why);
    }
}

static void print_answer(const part_verdict *p, int k)
{
    const answer *a = &p->by_arith[k];
    if (a->holds + a->refuted + a->undecided == 0) return;
    printf("  %s %ld/%ld", arith_names[k], a->holds, a->holds + a->refuted + a->undecided);
    if (!a->holds || isinf(a->worst)) { printf("%s", a->exact ? " exact" : ""); return; }
    if (k == A_MPFR) printf(" slope %.3f", a->worst);
    else printf(" 2^%.0f", a->worst);
}

/* What the facts of a part say of its sentence: a reader compares the two. */
static void print_subject(const char *name)
{
    for (size_t k = 0; k < program.C->nparts; k++) {
        const part *P = &program.C->parts[k];
        if (strcmp(P->name, name) == 0 && part_shows_facts(P->kind))
            printf("%-14s %-16s of %s, by `%s`\n", "", "", P->quantity, P->shown_by);
    }
}

/* Prints what the rows say; true when the program passed. */
bool program_summarise(int failed)
{
    rows all = { 0 };
    evidence_rows_read(&all, program_rows_path());
    const claim_verdict c = judge_claim(&all, NULL, NULL, NULL, program.C->id);
    bool good = failed == 0 && all.n > 0;
    for (long p = 0; p < c.parts; p++) {
        const part_verdict *v = &c.part[p];
        char behind[64];
        evidence_text(behind, sizeof behind, v);
        printf("%-14s %-16s %-17s %-14s", c.id, v->name, program_is_partial() ? "PARTIAL" : verdict_word(v->is),
               behind);
        for (int k = 0; k < ARITHS; k++) print_answer(v, k);
        if (v->controls && !program.which) printf("  controls refuted %ld/%ld", v->refuted, v->controls);
        putchar('\n');
        print_subject(v->name);
        if (!program_is_partial() && verdict_fails(v->is)) {
            printf("%-14s %-16s %s\n", "", "", v->why);
            good = false;
        }
    }
    for (size_t k = 0; k < program.C->nparts && !program_is_partial(); k++) {
        bool decided = false;
        for (long p = 0; p < c.parts; p++) decided |= strcmp(c.part[p].name, program.C->parts[k].name) == 0;
        if (decided || (program_streams() && !program_streams_part(&program.C->parts[k]))) continue;
        printf("%-14s %-16s no trial was run\n", c.id, program.C->parts[k].name);
        good = false;
    }
    for (size_t k = 0; k < program.C->nparts && !program_is_partial(); k++) {
        const part *P = &program.C->parts[k];
        if (P->kind != PART_IDENTITY || P->ncontrols) continue;
        printf("%-14s %-16s names no control: add one that breaks the construction\n", c.id, P->name);
        good = false;
    }
    if (c.corrected == V_REFUTED || c.corrected == V_CAVEAT) {
        printf("%s: the corrected statement is refuted\n", c.id);
        good = false;
    }
    if (!program_is_partial() && c.log2logit > 12) {               /* beyond, softmax saturates and hides errors */
        printf("%s: logits reach 2^%.1f; scale the draws down\n", c.id, c.log2logit);
        good = false;
    }
    if (!all.n) printf("%s: nothing was run: no part, case or shape matches the options\n", c.id);
    if (program_streams() && !program_is_partial())
        printf("This is of the sizes and the weights that were drawn, and of no others; at most %ld MB of memory\n",
               memory_peak());
    if (all.n) program_print_words(&c, &all, good);
    evidence_rows_free(&all);
    return good;
}
