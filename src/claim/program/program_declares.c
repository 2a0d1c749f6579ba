/* SPDX-License-Identifier: GPL-3.0-or-later
 * program_declares.c - what the tables of a claim must be before anything is run, listed or written: see program.h. */
#include <ctype.h>
#include <string.h>
#include <strings.h>
#include "src/claim/judge/readings.h"
#include "src/claim/program/program.h"

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/* Names that differ in case alone are one: a reader takes the statement of one for that of the other. */
static bool one_name(const char *a, const char *b) { return strcasecmp(a, b) == 0; }

/* Rows, statements and certificates know a part and a case by their names, and parts name files. */
static void require_name(const char *what, const char *name, const char *marks)
{
    REQUIRE(strlen(name) <= NAME_MOST, "%s %s is longer than %d characters", what, name, NAME_MOST);
    REQUIRE(*name && strchr(letters, *name), "%s `%s`: a name begins with a letter or a digit", what, name);
    for (const char *at = name; *at; at++)
        REQUIRE(strchr(letters, *at) || strchr(marks, *at), "%s: a name of letters, digits and %s has the character %d",
                what, marks, (unsigned char)*at);
    REQUIRE(!one_name(name, CASE_CLAIM) && !one_name(name, CASE_MINIMAL) && !one_name(name, READ_UNBROKEN),
            "%s `%s`: claim and minimal are cases of every part, unbroken is what a reader answers for", what, name);
}

static void require_parts_differ(const claim *C, size_t p)
{
    for (size_t k = 0; k < p; k++)
        REQUIRE(!one_name(C->parts[k].name, C->parts[p].name), "%s has two parts called %s", C->id, C->parts[p].name);
}

static void require_controls(const claim *C, const part *P)
{
    for (size_t c = 0; c < P->ncontrols; c++) {
        require_name("control", P->controls[c].name, "._+=-^()<>");
        for (size_t k = 0; k < c; k++)
            REQUIRE(!one_name(P->controls[k].name, P->controls[c].name), "%s %s has two controls called %s", C->id,
                    P->name, P->controls[c].name);
    }
}

/* A repair alone is no verdict on the sentence. */
static void require_as_stated(const claim *C)
{
    bool stated = false;
    for (size_t p = 0; p < C->nparts; p++) stated |= part_role_of(C->parts[p].name, PART_IDENTITY) == ROLE_SENTENCE;
    REQUIRE(stated, "%s has no part that judges the sentence as stated, only corrected ones", C->id);
}

/* A description has a field on each line: a text of two would be the next field as well. */
static void require_text(const claim *C, const char *text)
{
    REQUIRE(!text || !strchr(text, '\n'), "%s: `%s` has an end of line", C->id, text);
}

static void require_texts(const claim *C)
{
    const char *const own[] = { C->title, C->where, C->hypotheses, C->construction, C->why };
    for (size_t k = 0; k < COUNT(own); k++) require_text(C, own[k]);
    for (size_t p = 0; p < C->nparts; p++) {
        const part *P = &C->parts[p];
        const char *const of_part[] = { P->statement, claim_part_assumes(C, P), claim_part_models(C, P), P->by_proof };
        for (size_t k = 0; k < COUNT(of_part); k++) require_text(C, of_part[k]);
        for (size_t c = 0; c < P->ncontrols; c++) require_text(C, P->controls[c].why);
    }
}

/* Does the text have it as a whole, not as a part of a word or number? */
static bool has_symbols(const char *text, const char *of)
{
    const size_t n = strlen(of);
    for (const char *at = text; (at = strstr(at, of)) != NULL; at++) {
        const bool begins = at == text || !isalnum((unsigned char)at[-1]) || !isalnum((unsigned char)*of);
        if (begins && (!isalnum((unsigned char)at[n]) || !isalnum((unsigned char)of[n - 1]))) return true;
    }
    return false;
}

/* What the facts of a part have to do with its sentence, and how wide a figure may be, is said before the run. */
static void require_subject(const claim *C, const part *P)
{
    if (part_shows_facts(P->kind)) {
        REQUIRE(P->quantity && *P->quantity && P->shown_by && *P->shown_by,
                "%s %s shows facts: name in .quantity what of its statement they are about, in .shown_by the check",
                C->id, P->name);
        REQUIRE(P->statement && has_symbols(P->statement, P->quantity) && strpbrk(P->quantity, letters),
                "%s %s: its statement does not contain `%s`", C->id, P->name, P->quantity);
    }
    REQUIRE(!part_measures(P->kind) || (P->widest > 0 && P->widest <= WIDEST_MOST),
            "%s %s: .widest is %g; a figure's interval is at most %g of its prediction", C->id, P->name, P->widest,
            WIDEST_MOST);
}

void program_require_declarations(const claim *C)
{
    REQUIRE(C->nparts <= MAX_PARTS, "%s has %zu parts; a claim has at most %d", C->id, C->nparts, MAX_PARTS);
    require_name("claim", C->id, "._+=-");
    require_as_stated(C);
    require_texts(C);
    for (size_t p = 0; p < C->nparts; p++) {
        const part *P = &C->parts[p];
        bool anywhere = false;
        require_name("part", P->name, "._=-");               /* + is between a part and its control: readings.h */
        REQUIRE(!one_name(P->name, READ_AS_MEANT) && !one_name(P->name, READ_AS_QUOTED),
                "%s: a part called %s would be taken for a reading of its sentences", C->id, P->name);
        require_parts_differ(C, p);
        require_controls(C, P);
        require_subject(C, P);
        for (int k = 0; k < ARITHS; k++) anywhere |= program_runs_over(P, k);
        REQUIRE(anywhere, "%s %s excludes every arithmetic", C->id, P->name);
        REQUIRE(!P->basis || (!strstr(P->basis, "proof") && !strstr(P->basis, "cited")),
                "%s %s: a step that no program checks is named in .by_proof, not in .basis", C->id, P->name);
    }
}
