/* SPDX-License-Identifier: GPL-3.0-or-later
 * judge.h - the steps from rows to the verdict of a part; for the files judge_*.c alone. */
#ifndef JUDGE_H
#define JUDGE_H
#include "src/claim/judge/verdict.h"

/* ---- judge_evidence.c: what the rows of a part are worth */

bool judge_of_part (const row *r, const char *id, const char *name);
bool judge_of_claim(const row *r, const char *id, const char *name);         /* of its case `claim`              */
void judge_note_answer(answer *a, const row *r);
/* Does every trial of this arithmetic hold, and at least one?  Trials that were skipped do not count. */
bool judge_all_hold(const rows *all, const part_verdict *p, const char *id, int over, evidence_kind at_least);
/* The strongest arithmetic whose trials all hold, and what they are worth; E_NONE: none. */
typedef struct { int over; evidence_kind is; } voice;
voice judge_speaking(const rows *all, const part_verdict *p, const char *id);
/* The rows of the case `claim` of a part, *n of them, those of one shape together in their order in the file; to be
 * freed. */
const row **judge_rows_by_shape(const rows *all, const char *id, const char *name, long *n);
/* Is there a shape that no trial decided? */
bool judge_shape_undecided(const rows *all, const char *id, const char *name);
/* p->scope and p->log2, from the trials of this arithmetic that hold. */
void judge_set_scope(const rows *all, part_verdict *p, const char *id, int over);
/* Each symbolic trial holds, and proofcheck has accepted a derivation: then p is DERIVED. */
bool judge_set_derived(const rows *all, const proofs *accepted, part_verdict *p, const char *id);
/* At which numbers of heads did symbols show it?  ONE: at *h alone, and no hypothesis says that there are no others;
 * SKIPPED: the body left out some, *h, without such a hypothesis. */
typedef enum { HEADS_UNKNOWN, HEADS_DECLARED, HEADS_SEVERAL, HEADS_ONE, HEADS_SKIPPED } heads_shown;
heads_shown judge_heads_shown(const rows *all, const char *id, const char *name, long *h);
/* A check that another arithmetic makes and no symbolic trial does: then the derivation is one of the rest. */
const char *judge_left_out(const rows *all, const part_verdict *p, const char *id);          /* NULL: there is none */

/* ---- judge_control.c */

/* Judges each control of the part, and notes in p what its trials came to. */
void judge_controls(const rows *all, const readings *read, part_verdict *p, const char *id);

/* ---- judge_formal.c */

/* Notes in p the theorem that a kernel accepts of it, and what follows for its verdict. */
void judge_formal(part_verdict *p, const formal_list *formal, const char *id);

/* ---- judge_claim.c */

/* The part joins its group: a witness speaks for it, otherwise the weakest counts. */
void judge_add_part(claim_verdict *c, const part_verdict *p);
#endif
