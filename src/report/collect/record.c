/* SPDX-License-Identifier: GPL-3.0-or-later
 * record.c - how a claim is named and where the papers have it: see evidence_set.h. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "src/report/collect/evidence_set.h"

const claim_record *evidence_set_find(const evidence_set *all, const char *id)
{
    for (long k = 0; k < all->n; k++) if (strcmp(all->at[k].id, id) == 0) return &all->at[k];
    return NULL;
}

bool record_is_built(const claim_record *c) { return c->own.n > 0; }

const char *record_title(const claim_record *c)
{
    return c->entry ? c->entry->title : c->text.title ? c->text.title : c->id;
}

bool record_is_identity(const claim_record *c, const char *part)
{
    for (long p = 0; p < c->v.parts; p++)
        if (strcmp(c->v.part[p].name, part) == 0) return c->v.part[p].kind == PART_IDENTITY;
    return false;
}

void record_program(char *to, size_t size, const claim_record *c)
{
    cell_copy(to, size, c->entry && c->entry->program[0] ? c->entry->program : c->id);
    for (char *p = to; *p; p++) *p = isalnum((unsigned char)*p) ? (char)tolower((unsigned char)*p) : '_';
}

/* "Thm 4.4" -> "4.4", "Rem 7" -> "R7", "Table 2" -> "T2", "App F" -> "F" */
static void short_number(char *to, size_t size, const char *number)
{
    const char *last = strrchr(number, ' '), *mark = "";
    if (strncmp(number, "Rem ", 4) == 0) mark = "R";
    if (strncmp(number, "Table", 5) == 0) mark = "T";
    snprintf(to, size, "%s%s", last ? mark : "", last ? last + 1 : number);
}

void record_paper(char *to, size_t size, const claim_record *c)
{
    const claim_entry *e = c->entry;
    to[0] = '\0';
    if (!e) return;
    if (e->source == SOURCE_BERMEITINGER) { snprintf(to, size, "002 %s", e->n003); return; }
    if (e->source != SOURCE_KARBEVSKI) { cell_copy(to, size, e->paper); return; }
    const char *const number[] = { [TEXT_001] = e->n001, [TEXT_003] = e->n003, [TEXT_000] = e->n000 };
    size_t used = 0;
    for (size_t k = e->n003[0] && e->n000[0] ? TEXT_003 : TEXT_001; k < COUNT(number); k++) {    /* two of three */
        char few[24];
        if (!number[k][0]) continue;
        short_number(few, sizeof few, number[k]);
        const int n = snprintf(to + used, size - used, "%s%s %s", used ? ", " : "", papers[k].called, few);
        if (n < 0 || (size_t)n >= size - used) { to[used] = '\0'; return; }         /* only what fits whole */
        used += (size_t)n;
    }
}

void record_places(char *to, size_t size, const claim_record *c, bool every)
{
    const claim_entry *e = c->entry;
    to[0] = '\0';
    if (!e) return;
    const char *const number[] = { [TEXT_001] = e->n001, [TEXT_003] = e->n003, [TEXT_000] = e->n000 };
    size_t used = 0;
    if (e->source == SOURCE_BERMEITINGER)
        snprintf(to, size, "%s%s%s", papers[TEXT_002].cited, e->n003[0] ? " " : "", e->n003);
    else if (e->source == SOURCE_OURS) snprintf(to, size, "ours");
    else if (e->source != SOURCE_KARBEVSKI) cell_copy(to, size, e->paper);
    else for (size_t k = !every && e->n003[0] && e->n000[0] ? TEXT_003 : TEXT_001; k < COUNT(number); k++) {
        const bool both = k + 1 < COUNT(number) && strcmp(number[k], number[k + 1]) == 0;
        if (!number[k][0]) continue;
        const int n = snprintf(to + used, size - used, "%s%s%s (%s%s%s)", used ? ", " : "",
                               isdigit((unsigned char)number[k][0]) ? "Section " : "", number[k], papers[k].label,
                               both ? ", " : "", both ? papers[k + 1].label : "");
        if (n < 0 || (size_t)n >= size - used) { to[used] = '\0'; return; }         /* only what fits whole */
        used += (size_t)n;
        k += both;
    }
}

void record_group_evidence(char *to, size_t size, const evidence_set *all, const claim_verdict *v, bool corrected)
{
    const part_verdict *p = judge_speaker(v, corrected);
    to[0] = '\0';
    if (!p || all->partial) return;
    part_verdict whole = *p;
    whole.log2 = judge_log2(v, corrected);
    evidence_text(to, size, &whole);
}

void record_group_scope(char *to, size_t size, const evidence_set *all, const claim_verdict *v, bool corrected)
{
    const part_verdict *p = judge_speaker(v, corrected);
    to[0] = '\0';
    if (p && !all->partial) judge_scope_text(to, size, v, corrected);
}

const char *verdict_shown(const evidence_set *all, verdict v)
{
    return all->partial && v != V_NONE && v != V_PENDING ? "PARTIAL" : verdict_word(v);
}

bool record_needs_runs(const claim_record *c)
{
    char *command = results_claim_command(c->id);
    const bool is = command && !c->own.n && c->entry;
    free(command);
    return is;
}

/* ---- titles of the index: plain text, but for names such as W_Q and d_k^2 ---------------------------------- */

static size_t word_length(const char *p)
{
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '_' || p[n] == '^') n++;
    return n;
}

char *record_title_as_latex(const char *title)
{
    const size_t size = 6 * strlen(title) + 1;                     /* each _x grows by four at most */
    char *to = must_calloc(size, 1);
    size_t used = 0;
    for (const char *p = title; *p; ) {
        const size_t n = word_length(p), under = strcspn(p, "_");
        const bool math = under > 0 && under + 1 < n;
        if (!math) {
            const size_t plain = n ? n : 1;
            memcpy(to + used, p, plain);
            used += plain;
            p += plain;
            continue;
        }
        const char *sub = p + under + 1;
        size_t script = 0;
        while (isalnum((unsigned char)sub[script])) script++;
        used += (size_t)snprintf(to + used, size - used, "$%.*s_{%.*s}%.*s$", (int)under, p, (int)script, sub,
                                 (int)(n - under - 1 - script), sub + script);
        p += n;
    }
    return to;
}

char *record_title_latex(const claim_record *c) { return record_title_as_latex(record_title(c)); }
