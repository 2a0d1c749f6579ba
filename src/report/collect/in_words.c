/* SPDX-License-Identifier: GPL-3.0-or-later
 * in_words.c - see in_words.h. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/text.h"
#include "src/report/collect/answer_cell.h"
#include "src/report/collect/in_words.h"
#include "src/report/collect/measured.h"
#include "src/report/document/plain_text.h"

/* ---- verdicts ---------------------------------------------------------------------------------------------- */

static char *supported_in_words(const part_verdict *p)
{
    static const char says[] = "Every exact test agrees, but there is no checked proof of the whole statement";
    if (!p || !p->missing[0]) return must_format("%s.", says);
    const bool step = p->by_proof[0] != '\0';
    char *missing = latex_as_text(step ? p->by_proof : p->missing);
    char *text = must_format("%s: %s%s.", says, step ? "one step has a proof that no program checks, " : "",
                             missing);
    free(missing);
    return text;
}

char *verdict_in_words(verdict v, evidence_kind by, const part_verdict *p)
{
    switch (v) {
    case V_NONE:      return must_strdup("");
    case V_PROVED:
        return must_strdup(by == E_FORMAL ? "True: Coq's kernel accepts a theorem that states it."
                           : by == E_DERIVED ? "True: a checked proof covers the whole statement."
                           : "True: it speaks of finitely many cases, and each of them was decided.");
    case V_SUPPORTED: return supported_in_words(p);
    case V_CAVEAT:    return must_strdup("True after a repair, which is stated below; a witness shows that it is "
                                         "needed.");
    case V_SLIP:      return must_strdup("A slip (a misprint, a miscount or a wrong reference), which its context "
                                         "corrects; the corrected form is stated below.");
    case V_REFUTED:   return must_strdup("False as printed: an exact witness contradicts it.");
    case V_HYPOTHESIS_FAILED:
        return must_strdup("A theorem is applied where its hypotheses do not hold, and its construction fails there.");
    case V_MEASURED:  return must_strdup("A figure that was measured, with its interval; a measurement proves "
                                         "nothing.");
    case V_INFORMAL:  return must_strdup("It states nothing that can be decided; checked facts are shown with it.");
    case V_UNCHECKABLE:
        return must_strdup("The paper, or our copy of it, does not say enough to decide it; what is missing is shown.");
    case V_PENDING:   return must_strdup("Not decided: only training runs can, and those that count have not been "
                                         "run.");
    default:
        return must_format("The run fails: %s%s%s.", verdict_means(v), p && p->why[0] ? ": " : "", p ? p->why : "");
    }
}

/* ---- scope and sizes --------------------------------------------------------------------------------------- */

/* "1 to 4 and 8 heads", to be freed; "" where no number is known. */
static char *heads_in_words(unsigned long heads)
{
    text_buffer text = { 0 };
    for (int h = 1; h <= 64; h++) {
        if (!(heads >> (h - 1) & 1)) continue;
        int last = h;
        while (last < 64 && heads >> last & 1) last++;
        const char *before = text.length ? " and " : "";
        if (last > h) text_add(&text, "%s%d to %d", before, h, last);
        else text_add(&text, "%s%d", before, h);
        h = last;
    }
    if (text.length) text_add(&text, strcmp(text.at, "1") == 0 ? " head" : " heads");
    return text_take(&text);
}

/* Numbers that are printed, of which none is drawn. */
static bool is_recount(const part_verdict *p) { return strcmp(p->basis, BASIS_RECOUNT) == 0; }

char *scope_in_words(const part_verdict *p)
{
    const evidence_scope *s = &p->scope;
    if (p->by == E_NONE) return must_strdup("");
    if (p->by == E_FORMAL) return must_strdup(p->theorem->quantifiers);
    if (s->witness) return must_strdup("one instance is enough");
    if (p->finite) return must_strdup("all the cases that it speaks of");
    if (is_recount(p)) return must_strdup("the numbers that were counted again");
    if (!s->sizes && p->by == E_VERIFIED) return must_strdup("the sizes that were tried, for almost all weights");
    if (!s->sizes && !s->trials) return must_strdup("the sizes at which runs are recorded");
    if (!s->sizes) return must_format("the %ld instance%s that %s tried", s->trials, s->trials == 1 ? "" : "s",
                                      s->trials == 1 ? "was" : "were");
    char *heads = heads_in_words(s->heads), depth[48] = "";
    if (s->depth > 0) snprintf(depth, sizeof depth, ", with %ld layers", s->depth);
    if (s->depth < 0) snprintf(depth, sizeof depth, " and every depth");
    char *text = must_format("every size%s%s%s", depth, *heads ? ", with " : "", heads);
    free(heads);
    return text;
}

/* ---- evidence ---------------------------------------------------------------------------------------------- */

/* " (BASIS)" without its first word `witness`; to be freed. */
static char *basis_of(const part_verdict *p)
{
    const char *basis = p->basis;
    if (strncmp(basis, "witness: ", 9) == 0) basis += 9;
    if (!*basis || strcmp(basis, "witness") == 0) return must_strdup("");
    char *plain = latex_as_text(basis), *text = must_format(" (%s)", plain);
    free(plain);
    return text;
}

static char *exact_in_words(const part_verdict *p, const char *basis)
{
    const char *drawn = p->scope.trials == 1 ? "instance" : "instances";
    if (p->scope.witness)
        return p->is == V_UNCHECKABLE ? must_format("What is missing was looked for exactly%s.", basis)
             : must_format("By an exact witness%s%s.",
                           p->is == V_HYPOTHESIS_FAILED ? ", against the construction" : "", basis);
    if (p->finite) return must_format("Every case was decided exactly, over the rationals%s.", basis);
    if (is_recount(p))
        return must_strdup("The printed numbers were counted again, exactly, over the rationals; what the sentence "
                           "says beside them is not covered.");
    return must_format("Decided exactly, over the rationals, at %ld drawn %s%s; others are not covered.",
                       p->scope.trials, drawn, basis);
}

static char *enclosed_in_words(const part_verdict *p, double log2, const char *basis)
{
    if (!isfinite(p->log2))
        return must_format("By facts in certified intervals, which prove signs, ranks and differences%s.", basis);
    return must_format("In certified intervals both sides meet, at most 2^%.0f wide, at %ld drawn instances%s; that is "
                       "close, and proves no equality.", ceil(log2), p->scope.trials, basis);
}

/* "theorem hull of theorems/b_14.v, which Coq's kernel accepts without axioms" */
static void add_theorem(text_buffer *text, const formal_theorem *t)
{
    const bool none = strcmp(t->axioms, "none") == 0;
    text_add(text, "theorem %s of %s, which Coq's kernel accepts %s%s", t->theorem, t->file,
             none ? "without axioms" : "with the axioms ", none ? "" : t->axioms);
}

/* "  The parts a, b: by theorem t of f.", of the parts that have the k-th part's theorem; nothing where an earlier one
 * has it.  What the kernel says is not repeated where it is the same as of `first`. */
static void add_parts(text_buffer *text, const claim_record *c, bool corrected, long k, const formal_theorem *first)
{
    const formal_theorem *t = judge_theorem(&c->v, corrected, k)->theorem;
    const part_verdict *other;
    text_buffer names = { 0 };
    long n = 0;
    for (long i = 1; (other = judge_theorem(&c->v, corrected, i)); i++) {
        if (strcmp(other->theorem->theorem, t->theorem) != 0 || strcmp(other->theorem->file, t->file) != 0) continue;
        if (i < k) return;
        text_add(&names, "%s%s", n++ ? ", " : "", other->name);
    }
    text_add(text, "  The part%s %s: by ", n > 1 ? "s" : "", names.at);
    if (strcmp(t->axioms, first->axioms) == 0) text_add(text, "theorem %s of %s", t->theorem, t->file);
    else add_theorem(text, t);
    text_add(text, ".");
    text_clear(&names);
}

static char *formal_in_words(const claim_record *c, const part_verdict *p)
{
    const bool corrected = judge_speaks_for(&c->v, p, true);
    text_buffer text = { 0 };
    text_add(&text, "By ");
    add_theorem(&text, p->theorem);
    if (p->unformal_by == E_DERIVED)
        text_add(&text, ", and by a symbolic derivation whose certificate proofcheck accepts");
    text_add(&text, ".");
    for (long k = 1; judge_theorem(&c->v, corrected, k); k++) add_parts(&text, c, corrected, k, p->theorem);
    return text_take(&text);
}

char *evidence_in_words(const claim_record *c, const part_verdict *p)
{
    char *basis = basis_of(p), *text = NULL, headline[64];
    const double log2 = fmax(p->log2, judge_log2(&c->v, judge_speaks_for(&c->v, p, true)));
    switch (p->by) {
    case E_FORMAL:
        text = formal_in_words(c, p);
        break;
    case E_DERIVED:
        text = must_strdup("By a symbolic derivation, written down as a certificate and checked by proofcheck, a small "
                           "program that shares no code with the rest.");
        break;
    case E_VERIFIED:
        text = must_format("Decided modulo random primes, at random weights and the sizes that were tried%s; the "
                           "chance of an error is at most 2^%.0f.", basis, ceil(log2));
        break;
    case E_EXACT:    text = exact_in_words(p, basis); break;
    case E_ENCLOSED: text = enclosed_in_words(p, log2, basis); break;
    case E_CHECKED:
        text = must_format("The gap between both sides falls as the precision grows, as rounding does%s; nothing is "
                           "proved by that.", basis);
        break;
    case E_MEASURED: {
        const bool any = record_headline(c, judge_speaks_for(&c->v, p, true), headline, sizeof headline);
        text = must_format("%s%s%s%s.", p->trained ? "Measured by training, in the arithmetic that the records name"
                                                : "Measured in doubles", basis, any ? "; " : "", any ? headline : "");
        break;
    }
    default: text = must_strdup("");
    }
    free(basis);
    return text;
}

char *evidence_kind_in_words(evidence_kind by)
{
    static const char *const words[EVIDENCES] = {
        [E_NONE] = "",
        [E_MEASURED] = "By a measurement.",
        [E_CHECKED]  = "By gaps that fall as the precision grows, as rounding does.",
        [E_ENCLOSED] = "By certified intervals.",
        [E_EXACT]    = "By exact computation over the rationals.",
        [E_VERIFIED] = "By tests modulo random primes, with a bounded chance of error.",
        [E_DERIVED]  = "By a symbolic derivation, a certificate of which proofcheck accepts.",
        [E_FORMAL]   = "By a theorem that Coq's kernel accepts." };
    return must_strdup(words[by]);
}

static const char *const where[ARITHS] = {
    [A_F64] = "in doubles", [A_MPFR] = "at rising precision", [A_ARB] = "in certified intervals",
    [A_FP] = "modulo random primes", [A_Q] = "over the rationals", [A_SYM] = "in symbols" };

const char *arithmetic_in_words(int over) { return where[over]; }

/* One arithmetic as a clause, to be freed; NULL: it says nothing of the group. */
static char *clause(answer_cell x, int over)
{
    char number[32];
    answer_cell_text(number, sizeof number, x);
    if (x.kind == CELL_NONE || over == A_SYM) return NULL;
    switch (x.kind) {
    case CELL_UNDECIDED: return must_format("%s undecided", where[over]);
    case CELL_DIFFERENT: return must_format("%s both sides differ", where[over]);
    case CELL_EQUAL:     return must_format("%s every check holds exactly", where[over]);
    case CELL_DECIMAL:   return must_format("%s the largest gap is %s, within rounding", where[over], number);
    case CELL_SLOPE:     return must_format("%s the gap falls proportionally (slope %s)", where[over], number);
    case CELL_POWER:
        return over == A_FP ? must_format("%s equal (chance of error at most %s)", where[over], number)
                            : must_format("%s both sides meet, at most %s wide", where[over], number);
    default:
        if (x.x >= (double)x.of) return must_format("%s all %ld trials agree", where[over], x.of);
        return must_format("%s %.0f of %ld trials agree, the rest undecided", where[over], x.x, x.of);
    }
}

/* But for what evidence_in_words has said. */
char *arithmetics_in_words(const claim_record *c, bool corrected)
{
    const part_verdict *p = judge_speaker(&c->v, corrected);
    if (p && p->finite) return must_strdup("");          /* the same cases again, whatever was drawn beside them */
    const double log2 = judge_log2(&c->v, corrected);
    const char *between = "";
    text_buffer text = { 0 };
    for (int k = 0; k < ARITHS; k++) {
        const answer_cell x = answer_cell_of_group(&c->v, corrected, k);
        const int spoken = !p ? ARITHS : p->by == E_VERIFIED ? A_FP : p->by == E_ENCLOSED ? A_ARB : ARITHS;
        const bool said = x.kind == CELL_POWER && k == spoken && ceil(x.x) == ceil(log2);
        const bool like_next = x.kind == CELL_EQUAL && k + 1 < A_SYM
                            && answer_cell_of_group(&c->v, corrected, k + 1).kind == CELL_EQUAL;
        char *words = said ? NULL : like_next ? must_strdup(where[k]) : clause(x, k);
        if (!words) continue;
        if (!text.length) words[0] = (char)toupper((unsigned char)words[0]);
        text_add(&text, "%s%s", text.length ? between : "", words);
        between = like_next ? ", " : "; ";
        free(words);
    }
    if (text.length) text_add(&text, ".");
    return text_take(&text);
}

char *breaks_in_words(const claim_record *c)
{
    const long n = c->v.controls, caught = c->v.refuted;
    if (!n) return must_strdup("");
    if (caught < n) return must_format("Of %ld variants with a deliberate error only %ld were caught.", n, caught);
    if (n == 1) return must_strdup("The variant with a deliberate error was caught.");
    if (n == 2) return must_strdup("Both variants with a deliberate error were caught.");
    return must_format("All %ld variants with a deliberate error were caught.", n);
}

const char *trust_in_words(evidence_kind by)
{
    static const char *const words[EVIDENCES] = {
        [E_NONE] = "",
        [E_MEASURED] = "a measurement, no proof; it trusts the program, BLAS, the compiler and the processor",
        [E_CHECKED]  = "nothing is proved by it; it trusts the program, MPFR, the compiler and the processor",
        [E_ENCLOSED] = "as sure as our program for the construction, Arb's intervals, the compiler and the processor",
        [E_EXACT]    = "as sure as our program for the construction, the exact arithmetic of FLINT and GMP, the "
                       "compiler and the processor",
        [E_VERIFIED] = "as sure as the random draws, our program for the construction, the arithmetic of FLINT and "
                       "GMP, the compiler and the processor",
        [E_FORMAL]   = "as sure as Coq's kernel; that the theorem states what the sentence says, and that its model "
                       "is the papers' transformer, is for people to judge",
        [E_DERIVED]  = "as sure as proofcheck, GMP, the compiler and the processor; that the certificate states what "
                       "the sentence says is for people to judge" };
    return words[by];
}

/* ---- papers ------------------------------------------------------------------------------------------------ */

enum { TAG = 3 };

/* Does a place in the text follow: "Theorem 4.4", "Table 2", "5.1", "abstract"? */
static bool place_follows(const char *p)
{
    static const char *const words[] = { "Theorem", "Thm", "Lemma", "Proposition", "Corollary", "Remark", "Observation",
                                         "Section", "Appendix", "Table", "Figure", "Eq", "abstract", "Def", "Cor" };
    paper_text next;
    char tag[TAG + 1];
    if (sscanf(p, ", %3[0-9]", tag) == 1 && papers_find_tag(&next, tag)) return place_follows(p + 2 + TAG);
    if (*p != ' ') return false;
    if (isdigit((unsigned char)p[1]) && p[2] && (p[2] == '.' || !isalnum((unsigned char)p[2]))) return true;
    for (size_t k = 0; k < COUNT(words); k++) if (strncmp(p + 1, words[k], strlen(words[k])) == 0) return true;
    return false;
}

static bool stands_alone(const char *text, const char *p)
{
    const char before = p > text ? p[-1] : ' ', after = p[TAG];
    if (isalnum((unsigned char)before) || strchr(".,-_^$\\{}/+=", before)) return false;
    if (before == ' ' && p - text > 1 && isdigit((unsigned char)p[-2])) return false;              /* 124 000 */
    if (isalnum((unsigned char)after) || strchr("-_^$/%", after ? after : ' ')) return false;
    return (after != '.' && after != ',') || !isdigit((unsigned char)p[TAG + 1]);
}

/* "the middle version"; of a paper with one version "Bermeitinger et al.": to be freed. */
static char *name_of(paper_text of)
{
    return papers[of].label[0] ? must_format("the %s version", papers[of].label) : must_strdup(papers[of].cited);
}

char *papers_in_words(const char *text)
{
    text_buffer t = { 0 };
    for (const char *p = text; *p; ) {
        char tag[TAG + 1];
        paper_text of;
        snprintf(tag, sizeof tag, "%.*s", TAG, p);
        if (!papers_find_tag(&of, tag) || !stands_alone(text, p)) {
            text_bytes(&t, p++, 1);
            continue;
        }
        char *whole = name_of(of), *name = whole;
        const char *before = p;
        while (before > text && before[-1] == ' ') before--;
        const bool located = place_follows(p + TAG), begins = p == text || (before < p && before[-1] == '.');
        const bool label = located && (p == text || strchr(";,(", p[p - text > 1 ? -2 : -1]));
        if (label && strncmp(name, "the ", 4) == 0) name += 4;
        if (begins && (!label || p == text)) text_add(&t, "%c%s", toupper((unsigned char)*name), name + 1);
        else text_add(&t, "%s", name);
        if (located && p[TAG] != ',') text_add(&t, ",");
        free(whole);
        p += TAG;
    }
    return text_take(&t);
}


char *place_in_words(const char *number)
{
    static const struct { const char *of, *whole; } kinds[] = {
        { "Thm ", "Theorem " }, { "Lem ", "Lemma " }, { "Prop ", "Proposition " }, { "Rem ", "Remark " },
        { "Cor ", "Corollary " },
        { "Obs ", "Observation " }, { "App ", "Appendix " }, { "Eqs ", "Equations " }, { "Eq ", "Equation " } };
    for (size_t k = 0; k < COUNT(kinds); k++)
        if (strncmp(number, kinds[k].of, strlen(kinds[k].of)) == 0)
            return must_format("%s%s", kinds[k].whole, number + strlen(kinds[k].of));
    return must_format("%s%s", isdigit((unsigned char)number[0]) ? "Section " : "", number);
}
