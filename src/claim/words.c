/* SPDX-License-Identifier: GPL-3.0-or-later
 * words.c - one table of words for each closed set: see words.h. */
#include "src/claim/words.h"
#include <string.h>

const char *const arith_names[ARITHS] = {
    [A_F64] = "f64", [A_MPFR] = "mpfr", [A_ARB] = "arb", [A_FP] = "fp", [A_Q] = "q", [A_SYM] = "sym" };

static const char *const truths[] = { [HOLDS] = "holds", [REFUTED] = "refuted", [UNDECIDED] = "undecided" };
static const char *const kinds[PART_KINDS] = {
    [PART_IDENTITY] = "identity", [PART_COUNTEREXAMPLE] = "counterexample", [PART_SLIP] = "slip", [PART_GAP] = "gap",
    [PART_HYPOTHESIS] = "hypothesis", [PART_MEASURED] = "measured", [PART_INFORMAL] = "informal",
    [PART_UNCHECKABLE] = "uncheckable", [PART_BESIDE] = "beside", [PART_MEASURED_BESIDE] = "measured-beside" };
static const char *const abouts[ABOUTS] = { [ABOUT_ALL] = "all", [ABOUT_FINITE] = "finite" };
static const char *const scopes[SCOPES] = {
    [SCOPE_INSTANCE] = "this instance", [SCOPE_SIZE] = "this size", [SCOPE_ALL_SIZES] = "all sizes" };
static const char *const depths[DEPTHS] = { [DEPTH_NONE] = "none", [DEPTH_RUN] = "run", [DEPTH_EVERY] = "every" };
static const char *const sides[] = { [SIDE_UNASKED] = "unasked", [SIDE_SHARED] = "shared", [SIDE_OTHER] = "other" };

static int find(const char *word, const char *const words[], int n)
{
    for (int k = 0; k < n; k++) if (strcmp(words[k], word) == 0) return k;
    return -1;
}

const char *truth_word      (truth is)         { return truths[is]; }
const char *part_kind_word  (part_kind kind)   { return kinds[kind]; }
const char *quantifier_word (quantifier about) { return abouts[about]; }
const char *trial_scope_word(trial_scope is)   { return scopes[is]; }
const char *depth_word      (model_depth is)   { return depths[is]; }
const char *shared_side_word(shared_side is)   { return sides[is]; }

bool part_measures   (part_kind kind) { return kind == PART_MEASURED || kind == PART_MEASURED_BESIDE; }
bool part_shows_facts(part_kind kind) { return kind != PART_IDENTITY && !part_measures(kind); }
bool part_illustrates(part_kind kind) { return kind == PART_BESIDE || kind == PART_MEASURED_BESIDE; }

part_role part_role_of(const char *name, part_kind kind)
{
    static const char begins[] = "corrected";
    const bool corrected = strncmp(name, begins, sizeof begins - 1) == 0;
    if (part_illustrates(kind)) return corrected ? ROLE_CORRECTED_ILLUSTRATION : ROLE_ILLUSTRATION;
    return corrected ? ROLE_CORRECTED : ROLE_SENTENCE;
}

bool part_role_illustrates(part_role role) { return role == ROLE_ILLUSTRATION || role == ROLE_CORRECTED_ILLUSTRATION; }

int arith_index      (const char *name) { return find(name, arith_names, ARITHS); }
int truth_index      (const char *word) { return find(word, truths, (int)COUNT(truths)); }
int part_kind_index  (const char *word) { return find(word, kinds, PART_KINDS); }
int quantifier_index (const char *word) { return find(word, abouts, ABOUTS); }
int trial_scope_index(const char *word) { return find(word, scopes, SCOPES); }
int depth_index      (const char *word) { return find(word, depths, DEPTHS); }
int shared_side_index(const char *word) { return find(word, sides, SIDES); }
