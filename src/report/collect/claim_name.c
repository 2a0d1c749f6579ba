/* SPDX-License-Identifier: GPL-3.0-or-later
 * claim_name.c - see claim_name.h. */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/nearest.h"
#include "src/base/places.h"
#include "src/claim/papers.h"
#include "src/report/collect/claim_name.h"
#include "src/report/collect/evidence_set.h"

/* ---- ids --------------------------------------------------------------------------------------------------- */

/* In small letters, words and pieces apart by one hyphen, to be freed: "K_T4.4 " -> "k-t4-4". */
static char *squashed(const char *name)
{
    text_buffer to = { 0 };
    for (const char *p = name; *p; p++) {
        const bool part = isalnum((unsigned char)*p);
        if (part) text_add(&to, "%c", tolower((unsigned char)*p));
        else if (to.length && to.at[to.length - 1] != '-') text_add(&to, "-");
    }
    if (to.length && to.at[to.length - 1] == '-') to.at[--to.length] = '\0';
    return text_take(&to);
}

static bool is_id(const claim_entry *e, const char *name)
{
    char *id = squashed(e->id), *program = squashed(e->program);
    const bool of_paper = strncmp(id, "k-", 2) == 0 || strncmp(id, "b-", 2) == 0;
    const bool is = strcmp(id, name) == 0 || (*program && strcmp(program, name) == 0)
                 || (of_paper && !isdigit((unsigned char)*name) && strcmp(id + 2, name) == 0);
    free(id);
    free(program);
    return is;
}

/* ---- printed numbers --------------------------------------------------------------------------------------- */

/* "Theorem 4.4" is t and "4.4"; "Tables 2-3" tab and "2-3"; "5.1" has no kind. */
typedef struct { char kind[8], number[32]; bool in[TEXTS]; } printed_name;

static const char *kind_of(const char *word)
{
    static const struct { const char *word, *kind; } kinds[] = {
        { "theorem", "t" }, { "thm", "t" }, { "t", "t" }, { "lemma", "l" }, { "lem", "l" }, { "l", "l" },
        { "corollary", "c" }, { "cor", "c" }, { "c", "c" }, { "proposition", "p" }, { "prop", "p" }, { "p", "p" },
        { "remark", "r" }, { "rem", "r" }, { "r", "r" }, { "observation", "o" }, { "obs", "o" }, { "appendix", "app" },
        { "app", "app" }, { "table", "tab" }, { "tables", "tab" }, { "tab", "tab" }, { "equation", "eq" },
        { "eq", "eq" },
        { "eqs", "eq" }, { "eqn", "eq" }, { "section", "s" }, { "sec", "s" }, { "s", "s" } };
    for (size_t k = 0; k < COUNT(kinds); k++) if (strcmp(word, kinds[k].word) == 0) return kinds[k].kind;
    return NULL;
}

static bool take_version(printed_name *to, const char *word)
{
    static const struct { const char *word; paper_text in; } versions[] = {
        { "v1", TEXT_001 }, { "v7", TEXT_000 }, { "bermeitinger", TEXT_002 } };
    paper_text in;
    bool known = papers_find_tag(&in, word);
    for (size_t k = 0; k < COUNT(versions) && !known; k++) {
        known = strcmp(word, versions[k].word) == 0;
        if (known) in = versions[k].in;
    }
    for (int k = 0; k < TEXTS && !known; k++) {
        known = papers[k].label[0] && strcmp(word, papers[k].label) == 0;
        if (known) in = (paper_text)k;
    }
    if (!known) return false;
    to->in[in] = true;
    return true;
}

/* "v3": a version number of the public record, where which of our texts it is is not known; *word: where it stands.
 * The number of the first version is 1; the abstract of the latest is that of version 7. */
static bool has_unknown_version(const char *name, const char **word, int *length)
{
    for (const char *at = name; *at; at += *length) {
        at += strspn(at, " ,;:()");
        *word = at;
        *length = (int)strcspn(at, " ,;:()");
        printed_name of = { .kind = "" };
        char *small = must_format("%.*s", *length, at);
        for (char *p = small; *p; p++) *p = (char)tolower((unsigned char)*p);
        const bool number = *small == 'v' && small[1] && strspn(small + 1, "0123456789") == strlen(small + 1);
        const bool unknown = number && !take_version(&of, small);
        free(small);
        if (unknown) return true;
    }
    return false;
}

/* "te.1" is t and "e.1", "lc.1" l and "c.1". */
static bool take_letter_and_number(printed_name *to, const char *word)
{
    const char letter[2] = { word[0], '\0' }, *kind = kind_of(letter);
    const bool number = isdigit((unsigned char)word[1]) || (isalpha((unsigned char)word[1]) && word[2] == '.');
    if (!kind || !number || to->kind[0]) return false;
    cell_copy(to->kind, sizeof to->kind, kind);
    cell_copy(to->number, sizeof to->number, word + 1);
    return true;
}

/* False: these words name no place in a paper. */
static bool take_word(printed_name *to, const char *word)
{
    static const char *const passed[] = { "of", "in", "the", "version", "paper", "al", "et" };
    const char *kind = kind_of(word);
    for (size_t k = 0; k < COUNT(passed); k++) if (strcmp(word, passed[k]) == 0) return true;
    if (take_version(to, word)) return true;
    if (kind && !to->kind[0]) return cell_copy(to->kind, sizeof to->kind, kind), true;
    if (!to->number[0] && take_letter_and_number(to, word)) return true;
    const bool number = isdigit((unsigned char)word[0]) || !word[1] || word[1] == '.' || strcmp(word, "abstract") == 0;
    if (!number || to->number[0] || strlen(word) >= sizeof to->number) return false;
    cell_copy(to->number, sizeof to->number, word);
    return true;
}

static bool parse_printed(printed_name *to, const char *name)
{
    char *copy = must_strdup(name), *save = NULL;
    *to = (printed_name){ .kind = "" };
    for (char *p = copy; *p; p++) *p = (char)tolower((unsigned char)*p);
    bool known = true;
    for (char *word = strtok_r(copy, " ,;:()", &save); word && known; word = strtok_r(NULL, " ,;:()", &save)) {
        char *dot = word + strlen(word) - 1;
        if (*dot == '.') *dot = '\0';                           /* "Thm. 4.4" */
        known = take_word(to, word);
    }
    free(copy);
    return known && to->number[0];
}

/* Is `number` the printed one, or within printed "2-3"? */
static bool covers(const char *printed, const char *number)
{
    long from, to, is;
    char more;
    if (strcmp(printed, number) == 0) return true;
    return sscanf(printed, "%ld-%ld%c", &from, &to, &more) == 2 && sscanf(number, "%ld%c", &is, &more) == 1
        && from <= is && is <= to;
}

static bool is_printed(const printed_name *asked, const char *cell)
{
    printed_name printed;
    if (!*cell || !parse_printed(&printed, cell) || !covers(printed.number, asked->number)) return false;
    if (!printed.kind[0]) cell_copy(printed.kind, sizeof printed.kind, "s");         /* a section */
    return !asked->kind[0] || strcmp(asked->kind, printed.kind) == 0;
}

static bool is_number_of(const claim_entry *e, const printed_name *asked)
{
    const bool second = e->source == SOURCE_BERMEITINGER;
    const char *const number[TEXTS] = {
        [TEXT_001] = second ? "" : e->n001, [TEXT_003] = second ? "" : e->n003, [TEXT_000] = second ? "" : e->n000,
        [TEXT_002] = second ? e->n003 : "" };
    bool any = false, is = false;
    for (int k = 0; k < TEXTS; k++) any |= asked->in[k];
    for (int k = 0; k < TEXTS; k++) if (!any || asked->in[k]) is |= is_printed(asked, number[k]);
    return is;
}

claim_index claims_index(const char *given)
{
    char *path = data_place(given, "claims.csv");
    const claim_index x = index_read(path);
    free(path);
    return x;
}

/* ---- claims ------------------------------------------------------------------------------------------------ */

long claims_called(const claim_index *x, const char *name, long **out)
{
    char *plain = squashed(name);
    printed_name asked;
    long n = 0;
    *out = must_calloc((size_t)x->n + 1, sizeof **out);
    for (long k = 0; k < x->n; k++) if (*plain && is_id(&x->at[k], plain)) (*out)[n++] = k;
    const bool number = !n && parse_printed(&asked, name);
    for (long k = 0; k < x->n && number; k++) if (is_number_of(&x->at[k], &asked)) (*out)[n++] = k;
    free(plain);
    return n;
}

static _Noreturn void several(const claim_index *x, const char *name, const long *at, long n)
{
    enum { SHOWN = 16 };
    fflush(stdout);
    fprintf(stderr, "%s: `%s` may be one of %ld claims; give its id:\n", program_name, name, n);
    for (long k = 0; k < n && k < SHOWN; k++) {
        const claim_record c = { .entry = &x->at[at[k]] };
        char places[96];
        record_places(places, sizeof places, &c, true);
        fprintf(stderr, "  %-14s %s: %s\n", c.entry->id, places, c.entry->title);
    }
    if (n > SHOWN) fprintf(stderr, "  and %ld more; `provably list` shows all claims\n", n - SHOWN);
    exit(2);
}

static long least(long a, long b) { return a < b ? a : b; }

/* From a printed number of the same kind. */
static long distance_to_number(const printed_name *asked, const char *cell)
{
    printed_name printed;
    const bool same = parse_printed(&printed, cell) && asked->kind[0] && strcmp(printed.kind, asked->kind) == 0;
    return same ? word_distance(asked->number, printed.number) : LONG_MAX;
}

/* From the id, with or without the letter of the paper, and from what the versions print. */
static long distance_to(const claim_entry *e, const char *name)
{
    const bool of_paper = strncmp(e->id, "K-", 2) == 0 || strncmp(e->id, "B-", 2) == 0;
    const char *const number[] = { e->n001, e->n003, e->n000 };
    long distance = word_distance(name, e->id);
    printed_name asked;
    if (of_paper) distance = least(distance, word_distance(name, e->id + 2));
    if (!parse_printed(&asked, name)) return distance;
    for (size_t k = 0; k < COUNT(number); k++) distance = least(distance, distance_to_number(&asked, number[k]));
    return distance;
}

static bool in_title(const claim_entry *e, const char *name) { return strlen(name) > 3 && strcasestr(e->title, name); }

/* "K-T4.4 (TITLE), K-T4.2 (TITLE)": titles that have the words, then ids spelt alike; to be freed. */
static char *alike(const claim_index *x, const char *name)
{
    enum { FEW = 3 };
    text_buffer text = { 0 };
    const long most = strlen(name) > 5 ? 2 : 1;
    long n = 0;
    for (long distance = 0; distance <= most + 1; distance++)           /* 0: titles */
        for (long k = 0; x->at && k < x->n && n < FEW; k++) {
            const claim_entry *e = &x->at[k];
            const bool titled = in_title(e, name);
            if (distance ? titled || distance_to(e, name) != distance : !titled) continue;
            text_add(&text, "%s%s (%s)", n++ ? ", " : "", e->id, e->title);
        }
    return text_take(&text);
}

const claim_entry *claim_called(const claim_index *x, const char *name)
{
    long *at;
    const long n = claims_called(x, name, &at);
    if (n > 1) several(x, name, at, n);
    const claim_entry *e = n ? &x->at[at[0]] : NULL;
    free(at);
    if (e) return e;
    const char *word;
    int length;
    if (has_unknown_version(name, &word, &length))
        die("`%s`: which of the texts is %.*s in the public record is not known; say first, middle or latest, as in "
            "`middle Theorem 4.4`", name, length, word);
    const char *const near = alike(x, name);
    die("no claim is called `%s`%s%s; `provably list` shows all", name, *near ? "; near are " : "", near);
}
