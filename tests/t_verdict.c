/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_verdict.c - the whole table of verdict rules, on hand-made rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "src/claim/judge/verdict.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

static row rows_made[96];
static rows made = { rows_made, 0 };

static proof proofs_made[16];
static proofs accepted = { proofs_made, 0 };

static formal_theorem theorems_made[4];
static formal_list theorems = { .at = theorems_made };

static body_reading readings_made[MAX_PARTS + 1];
static readings bodies_read = { .at = readings_made };

static row *add(const char *part, const char *kind, const char *which, const char *over, const char *sizes, truth is)
{
    row *r = &rows_made[made.n++];
    *r = evidence_row_blank();
    evidence_row_name(r, "K-X", part, (part_kind)part_kind_index(kind), which);
    r->shares_side = r->subject == ROW_OF_CONTROL;
    r->verdict = is;
    r->log2gap = is == REFUTED ? 0 : -INFINITY;
    r->log2bound = -INFINITY;
    r->slope = r->log2logit = NAN;
    r->trial = made.n;
    r->over = arith_index(over);
    r->shape = evidence_sizes(sizes);
    if (strcmp(over, "fp") == 0 && is == HOLDS) r->log2bound = -83;
    r->what = cell_keep("logits");
    evidence_row_add_truth(r, is, "W_Q = I", 1);
    evidence_row_add_truth(r, is, "logits", 1);
    return r;
}

static bool nobody_reads;
static void begin(void)
{
    made.n = accepted.n = theorems.n = bodies_read.n = 0;
    nobody_reads = false;
}
/* A row of a part that is finite, whose body somebody has read. */
static row *read_finite(row *r)
{
    r->finite = true;
    body_reading *one = &readings_made[bodies_read.n++];
    *one = (body_reading){ .claim = "K-X" };
    cell_copy(one->part, sizeof one->part, r->part);
    return r;
}
static row *claim_row(const char *over, const char *sizes, truth is) { return add("as-stated", "identity", "claim", over, sizes, is); }
static void control_rows(const char *part, const char *name, int n, truth is)
{
    for (int k = 0; k < n; k++) add(part, "identity", name, "q", "a", is);
}
static proof *certificate(const char *part, long heads, long depth)
{
    proof *p = &proofs_made[accepted.n++];
    *p = (proof){ .id = "K-X", .kind = "sym", .derivation = true, .heads = heads, .depth = depth, .assumes = hypotheses_of("") };
    cell_copy(p->part, sizeof p->part, part);
    return p;
}
/* Bodies were read, but for nobody_reads; those of finite parts where read_finite says so. */
static claim_verdict judged(void)
{
    static body_reading all[MAX_PARTS + 1 + COUNT(rows_made)];
    readings read = { .at = all, .n = bodies_read.n };
    memcpy(all, readings_made, (size_t)bodies_read.n * sizeof *all);
    for (long k = 0; k < made.n && !nobody_reads; k++) {
        if (rows_made[k].finite) continue;
        all[read.n] = (body_reading){ .claim = "K-X" };
        cell_copy(all[read.n].part, sizeof all->part, rows_made[k].part);
        read.n++;
    }
    return judge_claim(&made, &accepted, &theorems, &read, "K-X");
}
static verdict stated(void)                { return judged().as_stated; }
static evidence_kind behind(void)               { const claim_verdict c = judged(); return judge_speaker(&c, false)->by; }
static void expect_text(const char *by, const char *scope)
{
    char text[128];
    const claim_verdict c = judged();
    evidence_text(text, sizeof text, judge_speaker(&c, false));
    ck_assert_str_eq(text, by);
    evidence_scope_text(text, sizeof text, judge_speaker(&c, false));
    ck_assert_str_eq(text, scope);
}

/* Symbols show it with another number of heads, too, of which no certificate is written. */
static void shown_with_six_heads(const char *part) { add(part, "identity", "claim", "sym", "d=24 h=6 L=2", HOLDS); }

/* A derivation that proofcheck has accepted at one number of heads, with a trial of another arithmetic beside it. */
static row *derived_alone_at(const char *part, long h, long depth)
{
    char sizes[32];
    snprintf(sizes, sizeof sizes, "d=4 h=%ld L=2", h);
    row *r = add(part, "identity", "claim", "sym", sizes, HOLDS);
    r->depth = depth < 0 ? DEPTH_EVERY : depth ? DEPTH_RUN : DEPTH_NONE;
    add(part, "identity", "claim", "fp", sizes, HOLDS);
    certificate(part, h, depth);
    return r;
}
static void derived_at(const char *part, long h, long depth)
{
    derived_alone_at(part, h, depth);
    shown_with_six_heads(part);
}

START_TEST(evidence_of_each_arithmetic)
{
    const struct { const char *over; verdict is; evidence_kind by; } table[] = {
        { "fp", V_SUPPORTED, E_VERIFIED }, { "q", V_SUPPORTED, E_EXACT }, { "arb", V_SUPPORTED, E_ENCLOSED },
        { "mpfr", V_MEASURED, E_CHECKED }, { "f64", V_MEASURED, E_MEASURED } };
    for (size_t k = 0; k < COUNT(table); k++) {
        begin();
        claim_row(table[k].over, "a", HOLDS);
        ck_assert_msg(stated() == table[k].is, "%s gives %s", table[k].over, verdict_word(stated()));
        ck_assert_int_eq(behind(), table[k].by);
    }
    begin();
    for (size_t k = 0; k < COUNT(table); k++) claim_row(table[k].over, "a", HOLDS);
    ck_assert_int_eq(stated(), V_SUPPORTED);
    expect_text("verified 2^-83", "these sizes");
    ck_assert_str_eq(judged().part[0].missing, "no derivation for all sizes");
}
END_TEST

START_TEST(proofcheck_alone_makes_derived)
{
    begin();
    claim_row("sym", "d=4 h=2 L=2", HOLDS);
    shown_with_six_heads("as-stated");
    claim_row("fp", "a", HOLDS);
    ck_assert_int_eq(stated(), V_SUPPORTED);
    ck_assert_ptr_nonnull(strstr(judged().part[0].missing, "proofcheck"));
    certificate("as-stated", 3, 0);                             /* of another number of heads */
    ck_assert_int_eq(stated(), V_SUPPORTED);
    certificate("corrected", 2, 0);                             /* of another part */
    ck_assert_int_eq(stated(), V_SUPPORTED);
    cell_copy(certificate("as-stated", 2, 0)->id, 40, "K-Y");    /* of another claim */
    ck_assert_int_eq(stated(), V_SUPPORTED);
    certificate("as-stated", 2, 0)->derivation = false;
    ck_assert_int_eq(stated(), V_SUPPORTED);
    certificate("as-stated", 2, 0)->assumes = hypotheses_of("invertible W_Q");
    ck_assert_int_eq(stated(), V_PROVED);
    expect_text("derived", "any size, h = 2");
    ck_assert_str_eq(judged().part[0].assumes->text, "invertible W_Q");
    row *other = claim_row("sym", "d=4 h=3 L=2", HOLDS);        /* no certificate at three heads: not named */
    ck_assert_int_eq(stated(), V_PROVED);
    expect_text("derived", "any size, h = 2-3");
    accepted.at[0].heads = 5;
    expect_text("derived", "any size, h = 2");
    other->verdict = UNDECIDED;                                 /* one number of heads of two */
    ck_assert_int_eq(stated(), V_SUPPORTED);
}
END_TEST

START_TEST(a_derivation_alone_does_not_suffice)
{
    begin();
    claim_row("sym", "d=4 h=2 L=2", HOLDS);
    shown_with_six_heads("as-stated");
    certificate("as-stated", 2, 0);
    ck_assert_int_eq(stated(), V_UNDECIDED);
    claim_row("f64", "a", HOLDS);
    ck_assert_int_eq(stated(), V_MEASURED);                     /* doubles are no second opinion on a proof */
    claim_row("q", "a", HOLDS);
    ck_assert_int_eq(stated(), V_PROVED);
}
END_TEST

START_TEST(depth_and_heads_of_a_derivation)
{
    begin();
    derived_at("as-stated", 1, -1);
    derived_at("as-stated", 3, -1);
    ck_assert_int_eq(stated(), V_PROVED);
    expect_text("derived", "any size and depth, h = 1 3");
    ck_assert_int_eq(judged().part[0].scope.trials, 2);
    derived_at("as-stated", 2, 2);                              /* one shape at L = 2 alone */
    ck_assert_int_eq(stated(), V_SUPPORTED);
    expect_text("derived", "any size, L = 2, h = 1-3");
    ck_assert_str_eq(judged().part[0].missing, "no induction on the depth");
    begin();
    derived_at("as-stated", 2, -1);
    certificate("as-stated", 0, 2);                             /* no scope names these */
    certificate("as-stated", 65, 2);
    certificate("as-stated", 2, 2);                             /* of two of one number of heads the first counts */
    ck_assert_int_eq(stated(), V_PROVED);
}
END_TEST

/* One number of heads proves no other, unless it is a hypothesis. */
START_TEST(one_number_of_heads)
{
    begin();
    row *one = derived_alone_at("as-stated", 1, -1);
    ck_assert_int_eq(stated(), V_SUPPORTED);
    ck_assert_str_eq(judged().part[0].missing, "derived for h = 1 alone, no declared hypothesis");
    one->uses = hypotheses_of("h = 1; invertible W_Q");
    ck_assert_int_eq(stated(), V_PROVED);
    ck_assert_str_eq(judged().part[0].assumes->text, "h = 1");                    /* the rest is proofcheck's to say */
    proofs_made[0].assumes = hypotheses_of("invertible W_K");
    ck_assert_str_eq(judged().part[0].assumes->text, "h = 1; invertible W_K");    /* heads come first */
    one->uses = hypotheses_of("half-odd activation");
    ck_assert_int_eq(stated(), V_SUPPORTED);
    one->drawn = evidence_sizes("h=1-2");                      /* its models had one and two */
    ck_assert_int_eq(stated(), V_PROVED);
    one->drawn = evidence_sizes("");
    row *other = claim_row("sym", "d=24 h=6 L=2", UNDECIDED);
    other->skipped = true;
    ck_assert_int_eq(stated(), V_SUPPORTED);
    ck_assert_str_eq(judged().part[0].missing, "the body skips h = 6");
    row *later = claim_row("sym", "d=28 h=7 L=2", UNDECIDED);
    later->skipped = true;
    ck_assert_str_eq(judged().part[0].missing, "the body skips h = 6");     /* the first of them */
    one->uses = hypotheses_of("h = 1");                        /* then six heads are not its question */
    ck_assert_int_eq(stated(), V_PROVED);
    one->uses = hypotheses_of("");
    *other = *later = *one;
    ck_assert_str_eq(judged().part[0].missing, "derived for h = 1 alone, no declared hypothesis");
    other->shape = evidence_sizes("d=24 h=6 L=2");
    ck_assert_int_eq(stated(), V_PROVED);
}
END_TEST

START_TEST(hypotheses_of_a_derivation)
{
    begin();
    derived_at("as-stated", 1, -1);
    derived_at("as-stated", 2, -1);
    proofs_made[0].assumes = hypotheses_of("invertible W_K; invertible W_Q");
    proofs_made[1].assumes = hypotheses_of("invertible W; invertible W_Q");
    ck_assert_str_eq(judged().part[0].assumes->text, "invertible W_K; invertible W_Q; invertible W");
    made.at[0].undeclared = true;
    made.at[0].note = cell_keep("uses a hypothesis that is not declared: invertible W_K");
    ck_assert_int_eq(stated(), V_HYPOTHESIS_UNDECLARED);
    ck_assert_ptr_nonnull(strstr(judged().part[0].why, "invertible W_K"));
}
END_TEST

START_TEST(a_step_by_proof_is_named_and_supports_at_best)
{
    begin();
    derived_at("as-stated", 2, -1);
    for (long k = 0; k < made.n; k++) made.at[k].by_proof = cell_keep("Dobrushin's inequality");
    ck_assert_int_eq(stated(), V_SUPPORTED);
    ck_assert_ptr_nonnull(strstr(judged().part[0].missing, "Dobrushin's inequality"));
    begin();
    row *r = claim_row("q", "a", HOLDS);
    read_finite(r);
    r->by_proof = cell_keep("Dobrushin's inequality");
    ck_assert_int_eq(stated(), V_SUPPORTED);
}
END_TEST

START_TEST(finite_statements_are_decided_exactly)
{
    const struct { const char *over; double gap; verdict is; } table[] = {
        { "q", -INFINITY, V_PROVED }, { "arb", -INFINITY, V_PROVED }, { "arb", -100, V_SUPPORTED },
        { "fp", -INFINITY, V_SUPPORTED }, { "mpfr", -INFINITY, V_MEASURED }, { "f64", -40, V_MEASURED } };
    for (size_t k = 0; k < COUNT(table); k++) {
        begin();
        row *r = claim_row(table[k].over, "a", HOLDS);
        read_finite(r);
        r->log2gap = table[k].gap;
        ck_assert_msg(stated() == table[k].is, "%s gives %s", table[k].over, verdict_word(stated()));
    }
    begin();
    read_finite(claim_row("q", "a", HOLDS));
    expect_text("exact", "all cases");
    read_finite(claim_row("fp", "a", HOLDS));              /* beside Q, primes take nothing away      */
    ck_assert_int_eq(stated(), V_PROVED);
    expect_text("exact", "all cases");
}
END_TEST

/* Which inverses were taken proofcheck knows better than sym; which weights are set it cannot know. */
START_TEST(what_is_set_is_assumed)
{
    begin();
    derived_at("as-stated", 2, -1);
    certificate("as-stated", 2, 0)->assumes = hypotheses_of("invertible W_Q");
    proofs_made[0].assumes = hypotheses_of("invertible W_Q");
    rows_made[0].uses = hypotheses_of("invertible W_K; constrained W_V = 0; constrained W_Q");
    ck_assert_int_eq(stated(), V_PROVED);
    ck_assert_str_eq(judged().part[0].assumes->text, "invertible W_Q; constrained W_V = 0; constrained W_Q");
    rows_made[0].uses = hypotheses_of("invertible W_K; d >= 2");              /* nor which sizes are left out */
    ck_assert_str_eq(judged().part[0].assumes->text, "invertible W_Q; d >= 2");
    rows_made[0].uses = hypotheses_of("invertible W_K; norm = none; h_kv < h");       /* nor which switches it needs */
    ck_assert_str_eq(judged().part[0].assumes->text, "invertible W_Q; norm = none; h_kv < h");
    add("as-stated-other", "identity", "claim", "sym", "d=8 h=2 L=2", HOLDS)->uses = hypotheses_of("tied = 0");
    ck_assert_str_eq(judged().part[0].assumes->text, "invertible W_Q; norm = none; h_kv < h");        /* another part's */
}
END_TEST

/* What a body says of finitely many cases proves nothing until somebody has compared it with the sentence. */
START_TEST(finite_statements_are_read)
{
    begin();
    claim_row("q", "a", HOLDS)->finite = true;
    ck_assert_int_eq(stated(), V_SUPPORTED);
    expect_text("exact", "all cases");
    ck_assert_ptr_nonnull(strstr(judged().part[0].missing, "nobody is on record as having read"));
    certificate("as-stated", 0, 0)->derivation = false;
    ck_assert_int_eq(stated(), V_SUPPORTED);                    /* which may state something else */
    begin();
    read_finite(claim_row("q", "a", HOLDS));
    ck_assert_int_eq(stated(), V_PROVED);
    cell_copy(readings_made[0].lacks, sizeof readings_made[0].lacks, "the second half");
    ck_assert_int_eq(stated(), V_SUPPORTED);
    ck_assert_str_eq(judged().part[0].missing, "its program does not show all of the sentence");
    ck_assert_str_eq(judged().part[0].lacks, "the second half");
    begin();
    read_finite(claim_row("q", "a", HOLDS));
    cell_copy(readings_made[0].part, sizeof readings_made[0].part, "as-stated-b");
    ck_assert_int_eq(stated(), V_SUPPORTED);
    read_finite(claim_row("q", "a", HOLDS));
    cell_copy(readings_made[1].claim, sizeof readings_made[1].claim, "K-Y");
    ck_assert_int_eq(stated(), V_SUPPORTED);
    begin();
    read_finite(claim_row("q", "a", HOLDS))->finite = false;    /* a reading proves nothing universal   */
    ck_assert_int_eq(stated(), V_SUPPORTED);
}
END_TEST

/* Facts and figures have no certificate that says what they show of the sentence. */
START_TEST(facts_and_figures_are_read)
{
    static const char *const kinds[] = { "counterexample", "slip", "gap", "uncheckable", "informal", "measured" };
    for (size_t k = 0; k < COUNT(kinds); k++) {
        begin();
        for (int trial = 0; trial < 3; trial++) {
            row *r = add("as-stated", kinds[k], "claim", "q", "a", HOLDS);
            r->log2gap = trial;
        }
        ck_assert_msg(!verdict_fails(judged().part[0].is), "%s: %s", kinds[k], judged().part[0].why);
        nobody_reads = true;
        ck_assert_int_eq(judged().part[0].is, V_UNDECIDED);
        ck_assert_ptr_nonnull(strstr(judged().part[0].why, "nobody is on record as having read the body"));
        ck_assert(!verdict_fails(judge_claim(&made, &accepted, &theorems, NULL, "K-X").part[0].is));  /* nobody was asked */
    }
    begin();
    for (int trial = 0; trial < 3; trial++) add("as-stated", "hypothesis", "claim", "q", "a", REFUTED);
    ck_assert_int_eq(stated(), V_HYPOTHESIS_FAILED);
    nobody_reads = true;
    ck_assert_int_eq(stated(), V_UNDECIDED);
}
END_TEST

/* A fact that a body decides beside a derivation is in no certificate: it counts in a body that was read. */
START_TEST(facts_beside_a_derivation_are_read)
{
    begin();
    derived_at("as-stated", 2, -1);
    for (long k = 0; k < made.n; k++)
        rows_made[k].truths = evidence_truths(rows_made[k].over == A_SYM ? "holds decided by the body: AB = BA" : "holds AB = BA");
    ck_assert_int_eq(stated(), V_PROVED);
    for (long k = 0; k < made.n; k++)                           /* another check of that row, first: which says nothing of this */
        if (rows_made[k].over == A_SYM)
            rows_made[k].truths = evidence_truths("undecided AB = BA;holds decided by the body: CB = BC;holds decided by the body: AB = BA");
    ck_assert_int_eq(stated(), V_PROVED);
    for (long k = 0; k < made.n; k++)
        if (rows_made[k].over == A_SYM) rows_made[k].truths = evidence_truths("undecided AB = BA;holds decided by the body: CB = BC");
    ck_assert_int_eq(stated(), V_SUPPORTED);
    for (long k = 0; k < made.n; k++)
        if (rows_made[k].over == A_SYM) rows_made[k].truths = evidence_truths("holds decided by the body: AB = BA");
    nobody_reads = true;
    ck_assert_int_eq(stated(), V_SUPPORTED);
    ck_assert_str_eq(judged().part[0].missing, "the derivation leaves out `AB = BA`");
    for (long k = 0; k < made.n; k++) rows_made[k].truths = evidence_truths("holds AB = BA");
    ck_assert_int_eq(stated(), V_SUPPORTED);                    /* nor a derivation, of whose body nobody knows */
    ck_assert_ptr_nonnull(strstr(judged().part[0].missing, "nobody is on record as having read"));
    read_finite(&rows_made[0])->finite = false;
    ck_assert_int_eq(stated(), V_PROVED);
    cell_copy(readings_made[0].lacks, sizeof readings_made[0].lacks, "one half");
    ck_assert_int_eq(stated(), V_SUPPORTED);
    ck_assert_str_eq(judged().part[0].missing, "its program does not show all of the sentence");
}
END_TEST

START_TEST(every_trial_of_the_speaking_arithmetic_holds)
{
    begin();
    for (int k = 0; k < 11; k++) claim_row("fp", "a", UNDECIDED);
    claim_row("fp", "a", HOLDS);
    ck_assert_int_eq(stated(), V_UNDECIDED);
    claim_row("arb", "a", HOLDS);
    ck_assert_int_eq(stated(), V_SUPPORTED);
    ck_assert_int_eq(behind(), E_ENCLOSED);
}
END_TEST

START_TEST(weakest_part_speaks)
{
    begin();
    derived_at("as-stated", 2, -1);
    ck_assert_int_eq(stated(), V_PROVED);
    add("as-stated-b", "identity", "claim", "q", "a", HOLDS);
    ck_assert_int_eq(stated(), V_SUPPORTED);
    expect_text("exact", "these instances");
    begin();
    read_finite(add("as-stated-b", "identity", "claim", "q", "a", HOLDS));
    derived_at("as-stated", 2, -1);
    ck_assert_int_eq(stated(), V_PROVED);
    expect_text("derived", "any size and depth, h = 2");        /* a case that was decided does not speak for the rest */
}
END_TEST

/* The part of least trials speaks; the error is that of the worst. */
START_TEST(the_error_of_a_group)
{
    begin();
    claim_row("fp", "a", HOLDS)->log2bound = -97;
    for (int k = 0; k < 2; k++) add("as-stated-b", "identity", "claim", "fp", "a", HOLDS)->log2bound = -94;
    add("corrected", "identity", "claim", "fp", "a", HOLDS)->log2bound = -80;
    read_finite(add("as-stated-c", "identity", "claim", "q", "a", HOLDS));
    ck_assert_int_eq(stated(), V_SUPPORTED);
    expect_text("verified 2^-97", "these sizes");
    const claim_verdict c = judged();
    ck_assert_double_eq(judge_log2(&c, false), -94);
    ck_assert_double_eq(judge_log2(&c, true), -80);
    ck_assert_double_eq(judge_log2(&(claim_verdict){ .parts = 0 }, false), -INFINITY);
    const claim_verdict none = { .parts = 0 };
    ck_assert_ptr_null(judge_theorem(&none, false, 0));
    begin();
    claim_row("q", "a", HOLDS);
    add("as-stated-b", "identity", "claim", "fp", "a", HOLDS);
    const claim_verdict exact = judged();
    ck_assert_double_eq(judge_log2(&exact, false), -INFINITY);          /* what is exact has no error */
    ck_assert_ptr_null(judge_theorem(&exact, false, 0));
    ck_assert_ptr_null(judge_theorem(&exact, false, 1));
}
END_TEST

START_TEST(an_error_that_is_too_large_is_no_evidence)
{
    begin();
    claim_row("fp", "a", HOLDS)->log2bound = -59;
    ck_assert_int_eq(stated(), V_UNDECIDED);
    claim_row("fp", "a", HOLDS)->log2bound = NAN;
    ck_assert_int_eq(stated(), V_UNDECIDED);
    claim_row("f64", "a", HOLDS);
    ck_assert_int_eq(stated(), V_MEASURED);
    begin();
    claim_row("fp", "a", HOLDS)->log2bound = -70;
    claim_row("fp", "b", HOLDS)->log2bound = -90;
    expect_text("verified 2^-70", "these sizes");
}
END_TEST

/* Facts over a prime field that need no probability speak for their instances alone. */
START_TEST(certain_facts_over_a_field)
{
    begin();
    row *first = claim_row("fp", "a", HOLDS), *second = claim_row("fp", "a", HOLDS);
    first->log2bound = second->log2bound = -INFINITY;
    first->certain = second->certain = true;
    expect_text("exact x2", "these instances");
    ck_assert_int_eq(stated(), V_SUPPORTED);
    second->certain = false;
    second->log2bound = -70;
    expect_text("verified 2^-70", "these sizes");
}
END_TEST

START_TEST(every_shape_is_decided)
{
    begin();
    claim_row("fp", "a", HOLDS);
    claim_row("arb", "b", UNDECIDED);
    ck_assert_int_eq(stated(), V_UNDECIDED);
    claim_row("q", "b", HOLDS);
    ck_assert_int_eq(stated(), V_SUPPORTED);
    claim_row("q", "c", HOLDS)->id = cell_keep("K-Y");          /* another claim's is not its own */
    claim_row("arb", "c", UNDECIDED);
    ck_assert_int_eq(stated(), V_UNDECIDED);
    made.n--;
    for (int k = 0; k < 2; k++) claim_row("arb", k ? "e" : "d", UNDECIDED);
    ck_assert_int_eq(stated(), V_UNDECIDED);
}
END_TEST

START_TEST(what_the_arithmetic_cannot_say_is_skipped)
{
    begin();
    claim_row("arb", "a", HOLDS);
    claim_row("q", "b", UNDECIDED)->skipped = true;
    ck_assert_int_eq(stated(), V_SUPPORTED);
    made.at[1].skipped = false;                                 /* the words of a note decide nothing */
    made.at[1].note = cell_keep("this arithmetic has no such row map");
    ck_assert_int_eq(stated(), V_UNDECIDED);
    begin();
    claim_row("q", "b", UNDECIDED)->skipped = true;
    ck_assert_int_eq(stated(), V_UNDECIDED);
}
END_TEST

/* Every pair of arithmetics that disagree, in either order. */
START_TEST(contradictions)
{
    for (int a = 0; a < ARITHS; a++)
        for (int b = 0; b < ARITHS; b++) {
            if (a == b || b == A_SYM) continue;
            begin();
            claim_row(arith_names[a], "a", HOLDS);
            claim_row(arith_names[b], "b", REFUTED);
            ck_assert_msg(stated() == V_INCONSISTENT, "%s against %s: %s", arith_names[a], arith_names[b], verdict_word(stated()));
        }
    begin();
    claim_row("arb", "a", HOLDS);
    claim_row("arb", "a", REFUTED);
    ck_assert_int_eq(stated(), V_INCONSISTENT);
}
END_TEST

START_TEST(a_construction_that_fails_refutes_nothing)
{
    for (int a = 0; a < ARITHS; a++) {
        begin();
        claim_row(arith_names[a], "a", REFUTED);
        ck_assert_int_eq(stated(), V_FAILED);
    }
}
END_TEST

START_TEST(controls)
{
    begin();
    read_finite(claim_row("q", "a", HOLDS));
    control_rows("as-stated", "broken", 3, REFUTED);
    ck_assert_int_eq(stated(), V_PROVED);
    control_rows("as-stated", "broken", 1, UNDECIDED);          /* not decided: does not count */
    ck_assert_int_eq(stated(), V_PROVED);
    control_rows("as-stated", "broken", 1, HOLDS);
    ck_assert_int_eq(stated(), V_UNCONTROLLED);
    begin();
    claim_row("q", "a", HOLDS);
    control_rows("as-stated", "broken", 2, REFUTED);            /* fewer than three */
    ck_assert_int_eq(stated(), V_UNCONTROLLED);
    begin();
    claim_row("q", "a", HOLDS);
    control_rows("as-stated", "broken", 3, REFUTED);
    control_rows("as-stated", "other", 3, UNDECIDED);
    const claim_verdict c = judged();
    ck_assert_int_eq(c.as_stated, V_UNCONTROLLED);
    ck_assert_int_eq(c.controls, 2);
    ck_assert_int_eq(c.refuted, 1);
    ck_assert_str_eq(c.part[0].unrefuted, "other");
}
END_TEST

/* Of several trials at one shape the first that makes the check counts, and of no other shape. */
START_TEST(the_first_trial_with_a_check_is_the_twin)
{
    static const char *const beside[] = { "one more", "another" };
    for (int k = 0; k < 8; k++) {
        begin();
        row *first = claim_row("q", "a", HOLDS), *second = claim_row("q", "a", HOLDS);
        evidence_row_add_truth(first, HOLDS, beside[k & 1], 1);
        if (k & 2) evidence_row_add_truth(second, HOLDS, beside[!(k & 1)], 1);
        (k & 4 ? second : first)->depth = DEPTH_RUN;
        claim_row("q", "b", HOLDS)->depth = DEPTH_RUN;
        evidence_row_add_truth(claim_row("q", "a", HOLDS), HOLDS, beside[k & 1], 1);
        for (int i = 0; i < 3; i++) add("as-stated", "identity", "broken", "q", "a", REFUTED);
        ck_assert_int_eq(judged().refuted, 1);
        ck_assert_int_eq(judged().broken, k & 4 ? 0 : 3);
        for (int i = 0; i < 3; i++) rows_made[4 + i].what = cell_keep(beside[!(k & 1)]);
        ck_assert_int_eq(judged().refuted, k & 2 ? 1 : 0);
    }
}
END_TEST

/* Of two that fail the later of the file is named, wherever their names lie. */
START_TEST(the_last_control_that_fails_is_named)
{
    static const char *const name[] = { "one", "another" };
    for (int k = 0; k < 2; k++) {
        begin();
        claim_row("q", "a", HOLDS);
        control_rows("as-stated", name[k], 3, HOLDS);
        control_rows("as-stated", name[!k], 3, HOLDS);
        control_rows("as-stated", name[k], 3, REFUTED);
        ck_assert_str_eq(judged().part[0].unrefuted, name[!k]);
    }
}
END_TEST

/* Three trials of a control over one arithmetic beside the claim, which holds over `claim`. */
static claim_verdict with_control(const char *claim, const char *over, const char *sizes, const char *what)
{
    char copy[32], *save = NULL;
    begin();
    snprintf(copy, sizeof copy, "%s", claim);
    for (char *a = strtok_r(copy, " ", &save); a; a = strtok_r(NULL, " ", &save)) claim_row(a, "a", HOLDS);
    for (int k = 0; k < 3; k++) {
        row *r = add("as-stated", "identity", "broken", over, sizes, REFUTED);
        r->what = cell_keep(what);
    }
    return judged();
}

/* A refuted trial counts where a trial of the claim, of the same shape and arithmetic, holds and makes the check. */
START_TEST(a_control_has_a_positive_twin)
{
    static const struct { const char *claim, *over, *sizes, *what, *says; } table[] = {
        { "q",    "q",   "a", "logits",    NULL },
        { "q",    "q",   "a", "W_Q = I",   NULL },
        { "arb",  "arb", "a", "logits",    NULL },
        { "fp",   "fp",  "a", "logits",    NULL },                       /* the claim, too, is one of formal functions */
        { "q",    "q",   "a", "1 = 2",     "over q breaks `1 = 2`, which is none of the claim's checks" },
        { "q",    "q",   "a", "logit",     "which is none of the claim's checks" },
        { "q",    "q",   "a", "ogits",     "which is none of the claim's checks" },
        { "q",    "q",   "b", "logits",    "fewer than three" },                        /* no trial of this shape holds */
        { "q fp", "f64", "a", "logits",    "fewer than three" },
        { "q fp", "fp",  "a", "logits",    "prime fields or doubles alone" },
        { "arb f64", "f64", "a", "logits", "prime fields or doubles alone" },
    };
    for (size_t k = 0; k < COUNT(table); k++) {
        const claim_verdict c = with_control(table[k].claim, table[k].over, table[k].sizes, table[k].what);
        ck_assert_int_eq(c.refuted, table[k].says == NULL);
        ck_assert_msg((c.as_stated == V_UNCONTROLLED) == (table[k].says != NULL), "%zu: %s", k, verdict_word(c.as_stated));
        if (table[k].says) ck_assert_msg(strstr(c.part[0].why, table[k].says) != NULL, "%zu: %s", k, c.part[0].why);
    }
    with_control("q fp", "fp", "a", "logits");
    control_rows("as-stated", "broken", 1, REFUTED);                      /* one over q is enough */
    ck_assert_int_eq(stated(), V_SUPPORTED);
    add("as-stated", "identity", "broken", "fp", "a", REFUTED)->what = "";
    ck_assert_int_eq(stated(), V_UNCONTROLLED);                            /* and one that breaks another check too many */
}
END_TEST

/* It breaks one side of the claim's equation, or somebody has read it. */
START_TEST(a_control_shares_a_side_or_was_read)
{
    with_control("q fp", "q", "a", "logits");
    for (long k = 2; k < 5; k++) rows_made[k].shares_side = k == 3 ? SIDE_SHARED : SIDE_UNASKED;
    ck_assert(stated() == V_SUPPORTED && judged().refuted == 1);
    rows_made[2].shares_side = SIDE_OTHER;                               /* one that does not outweighs one that does */
    ck_assert(stated() == V_UNCONTROLLED && judged().refuted == 0);
    rows_made[2].shares_side = rows_made[3].shares_side = SIDE_UNASKED;
    rows_made[0].shares_side = SIDE_SHARED;                              /* the claim's own row says nothing */
    ck_assert(stated() == V_UNCONTROLLED && judged().refuted == 0);
    ck_assert_ptr_nonnull(strstr(judged().part[0].why, "control broken shares no side of each equation of that name with the claim"));
    body_reading *one = &readings_made[bodies_read.n++];
    *one = (body_reading){ .claim = "K-X", .part = "as-stated+brok" };
    ck_assert(stated() == V_UNCONTROLLED);
    cell_copy(one->part, sizeof one->part, "as-stated+broken");
    ck_assert(stated() == V_SUPPORTED && judged().refuted == 1);
    bodies_read.n = 0;
    ck_assert_int_eq(judge_claim(&made, &accepted, &theorems, NULL, "K-X").refuted, 1);          /* nobody asks */
    for (long k = 2; k < 5; k++) evidence_row_name(&rows_made[k], "K-X", "as-stated", PART_IDENTITY, "minimal");
    ck_assert_int_eq(judged().refuted, 1);                                   /* the runner's own */
}
END_TEST

/* Each equation of a derivation is broken by something at some shape, or somebody has read it. */
START_TEST(equations_that_nothing_breaks_are_read)
{
    with_control("q", "q", "a", "logits");
    row *r = add("as-stated", "identity", "claim", "sym", "a", HOLDS);
    ck_assert_int_eq(stated(), V_SUPPORTED);
    r->unbroken = "W_Q = I; logits";
    ck_assert_int_eq(stated(), V_UNCONTROLLED);
    ck_assert_ptr_nonnull(strstr(judged().part[0].why, "no control breaks all of `W_Q = I`"));
    row *other = add("as-stated", "identity", "claim", "sym", "b", HOLDS);
    other->unbroken = "logits";
    ck_assert_int_eq(stated(), V_UNCONTROLLED);                                 /* of two that are left one is broken there */
    ck_assert_ptr_nonnull(strstr(judged().part[0].why, "no control breaks all of `logits`"));
    other->unbroken = "";
    ck_assert_int_eq(stated(), V_SUPPORTED);
    other->verdict = UNDECIDED;                                                 /* what does not hold breaks nothing */
    ck_assert_ptr_nonnull(strstr(judged().part[0].uncontrolled, "no control breaks all of `W_Q = I`"));
    other->verdict = HOLDS;
    other->part = "corrected";                    /* nor does another part */
    ck_assert_ptr_nonnull(strstr(judged().part[0].uncontrolled, "no control breaks all of `W_Q = I`"));
    ck_assert_ptr_null(strstr(judge_claim(&made, &accepted, &theorems, NULL, "K-X").part[0].uncontrolled, "W_Q"));
    other->part = "as-stated";
    other->truths = evidence_truths("holds W_Q = I");                           /* where it is not made it is not broken */
    ck_assert_int_eq(stated(), V_UNCONTROLLED);
    body_reading *one = &readings_made[bodies_read.n++];
    *one = (body_reading){ .claim = "K-X", .part = "as-stated+broken" };
    ck_assert_int_eq(stated(), V_UNCONTROLLED);
    cell_copy(one->part, sizeof one->part, "as-stated+unbroken");
    ck_assert_int_eq(stated(), V_SUPPORTED);
    bodies_read.n = 0;
    r->over = other->over = A_FP;                                               /* only a derivation is asked */
    ck_assert_int_eq(stated(), V_SUPPORTED);
}
END_TEST

/* Of controls of whole functions: in how many trials does only a step fail? */
START_TEST(local_failures_are_counted)
{
    begin();
    row *holds = claim_row("q", "a", HOLDS);
    control_rows("as-stated", "broken", 3, REFUTED);
    ck_assert(judged().broken == 0 && judged().local == 0);               /* nothing whole is compared */
    holds->depth = DEPTH_RUN;
    ck_assert(judged().broken == 3 && judged().local == 3);
    rows_made[1].whole = rows_made[3].whole = true;
    const claim_verdict c = judged();
    ck_assert(c.broken == 3 && c.local == 1 && c.part[0].broken == 3 && c.part[0].local == 1);
    add("as-stated-b", "identity", "claim", "q", "a", HOLDS)->depth = DEPTH_RUN;
    control_rows("as-stated-b", "broken", 3, REFUTED);
    ck_assert(judged().broken == 6 && judged().local == 4);
}
END_TEST

START_TEST(witnesses)
{
    const struct { const char *kind, *over; verdict is; } table[] = {
        { "counterexample", "q", V_REFUTED }, { "counterexample", "arb", V_REFUTED }, { "counterexample", "sym", V_FAILED },
        { "slip", "q", V_SLIP }, { "slip", "arb", V_SLIP },
        { "counterexample", "fp", V_FAILED }, { "gap", "fp", V_FAILED }, { "slip", "fp", V_FAILED },
        { "counterexample", "mpfr", V_FAILED }, { "counterexample", "f64", V_FAILED } };
    for (size_t k = 0; k < COUNT(table); k++) {
        begin();
        add("as-stated", table[k].kind, "claim", table[k].over, "a", HOLDS);
        ck_assert_msg(stated() == table[k].is, "%s over %s: %s", table[k].kind, table[k].over, verdict_word(stated()));
    }
    begin();
    add("as-stated", "counterexample", "claim", "q", "a", HOLDS);
    expect_text("exact", "a witness");
    made.at[0].by_proof = cell_keep("that no other model exists");
    ck_assert_int_eq(stated(), V_FAILED);                               /* such a step is no witness */
    made.at[0].by_proof = "";
    add("as-stated", "counterexample", "claim", "q", "a", UNDECIDED);   /* every trial holds */
    ck_assert_int_eq(stated(), V_FAILED);
    made.at[1].verdict = REFUTED;
    ck_assert_int_eq(stated(), V_FAILED);
}
END_TEST

/* Balls that meet show no equality, so each row in balls must be made of facts; a part with the width of one fails,
 * unless Q or a derivation decides it. */
START_TEST(equalities_of_a_witness)
{
    const char *const kinds[] = { "counterexample", "slip", "gap", "uncheckable" };
    const char *const balls = "the witness contains an equality that was decided in balls alone";
    for (size_t k = 0; k < COUNT(kinds); k++) {
        begin();
        add("as-stated", kinds[k], "claim", "arb", "d=4 h=2", HOLDS);
        add("as-stated", kinds[k], "claim", "arb", "d=4 h=2", HOLDS)->log2gap = -240;
        ck_assert_int_eq(stated(), V_FAILED);
        ck_assert_str_eq(judged().part[0].why, balls);
        add("as-stated", kinds[k], "claim", "sym", "d=7 h=2", HOLDS);
        ck_assert_int_eq(stated(), V_FAILED);
        ck_assert_str_eq(judged().part[0].why, "proofcheck has accepted no certificate of the witness");
        ck_assert_int_eq(judge_part(&made, NULL, NULL, NULL, "K-X", "as-stated").by, E_EXACT);   /* it has not been asked */
        certificate("as-stated", 2, 0);
        ck_assert(!verdict_fails(judged().part[0].is));
        expect_text("derived", "a witness");
        accepted.n = 0;
        add("as-stated", kinds[k], "claim", "q", "d=4 h=2", HOLDS);
        ck_assert(!verdict_fails(judged().part[0].is));
        expect_text("exact", "a witness");
        made.at[made.n - 1].verdict = UNDECIDED;
        ck_assert_int_eq(stated(), V_FAILED);
    }
    begin();
    add("as-stated", "gap", "claim", "arb", "a", HOLDS);
    ck_assert_int_eq(judged().part[0].is, V_CAVEAT);
    expect_text("enclosed", "a witness");
}
END_TEST

START_TEST(a_gap_needs_its_repair)
{
    begin();
    add("as-stated", "gap", "claim", "q", "a", HOLDS);
    ck_assert_int_eq(stated(), V_UNDECIDED);
    add("corrected", "identity", "claim", "f64", "a", HOLDS);
    ck_assert_int_eq(stated(), V_UNDECIDED);
    add("corrected", "identity", "claim", "arb", "a", HOLDS);
    ck_assert_int_eq(stated(), V_CAVEAT);
    ck_assert_int_eq(judged().corrected, V_SUPPORTED);
}
END_TEST

START_TEST(hypotheses_that_fail)
{
    begin();
    for (int k = 0; k < 3; k++) add("as-stated", "hypothesis", "claim", "fp", "a", REFUTED);
    ck_assert_int_eq(stated(), V_HYPOTHESIS_FAILED);
    add("as-stated", "hypothesis", "claim", "arb", "a", HOLDS);
    ck_assert_int_eq(stated(), V_INCONSISTENT);
    begin();
    add("as-stated", "hypothesis", "claim", "fp", "a", REFUTED);
    ck_assert_int_eq(stated(), V_UNDECIDED);
}
END_TEST

/* MEASURED at most, whatever arithmetic claims it; a missed prediction fails and refutes nothing. */
START_TEST(measurements)
{
    for (int a = 0; a < ARITHS; a++) {
        begin();
        add("as-stated", "measured", "claim", arith_names[a], "a", HOLDS);
        ck_assert_msg(stated() == V_MEASURED, "%s gives %s", arith_names[a], verdict_word(stated()));
    }
    begin();
    add("as-stated", "measured", "claim", "f64", "a", HOLDS);
    row *wide = add("as-stated", "measured", "claim", "f64", "a", UNDECIDED);
    wide->log2gap = -3;
    ck_assert_int_eq(stated(), V_MEASURED);
    add("as-stated", "measured", "claim", "f64", "b", UNDECIDED);       /* one shape with nothing but wide intervals */
    ck_assert_int_eq(stated(), V_UNDECIDED);
    ck_assert_ptr_nonnull(strstr(judged().part[0].why, "too wide"));
    begin();
    for (int k = 0; k < 5; k++) add("as-stated", "measured", "claim", "f64", "a", HOLDS);
    add("as-stated", "measured", "claim", "f64", "a", REFUTED);         /* one trial of six */
    ck_assert_int_eq(stated(), V_FAILED);
    begin();
    add("as-stated", "measured", "claim", "f64", "a", HOLDS);
    add("as-stated", "measured", "swapped", "f64", "a", REFUTED);
    add("as-stated", "measured", "swapped", "f64", "a", REFUTED);
    ck_assert_int_eq(stated(), V_UNCONTROLLED);
    add("as-stated", "measured", "swapped", "f64", "a", REFUTED);
    ck_assert_int_eq(stated(), V_MEASURED);
    add("as-stated", "measured", "swapped", "f64", "a", HOLDS);
    ck_assert_int_eq(stated(), V_UNCONTROLLED);
}
END_TEST

/* Two trials draw other numbers: figures that are the same to the last bit were typed.  One trial shows nothing of that,
 * nor do trials of two shapes. */
START_TEST(figures_that_were_not_drawn)
{
    begin();
    add("as-stated", "measured", "claim", "f64", "a", HOLDS)->log2bound = -4;
    add("as-stated", "measured", "claim", "f64", "b", HOLDS)->log2bound = -4;
    ck_assert_int_eq(stated(), V_MEASURED);
    row *second = add("as-stated", "measured", "claim", "f64", "a", HOLDS);
    second->log2bound = -4;
    ck_assert_int_eq(stated(), V_FAILED);
    ck_assert_ptr_nonnull(strstr(judged().part[0].why, "the same in every trial"));
    second->log2bound = -3;
    ck_assert_int_eq(stated(), V_MEASURED);
    second->log2bound = -4;
    second->log2gap = -9;                                               /* another figure, as wide */
    ck_assert_int_eq(stated(), V_MEASURED);
    second->log2gap = -INFINITY;
    second->trial = rows_made[0].trial;                                 /* one trial, in two arithmetics */
    ck_assert_int_eq(stated(), V_MEASURED);
    begin();
    add("corrected", "measured", "claim", "f64", "a", HOLDS)->log2bound = -4;
    add("as-stated", "measured", "claim", "f64", "a", HOLDS)->log2bound = -4;     /* the other part's is not its own */
    ck_assert_int_eq(stated(), V_MEASURED);
    begin();
    add("as-stated", "measured", "claim", "f64", "a", HOLDS);           /* facts that were decided: nothing is measured */
    add("as-stated", "measured", "claim", "f64", "a", HOLDS);
    ck_assert_int_eq(stated(), V_MEASURED);
    rows_made[1].log2bound = -4;
    ck_assert_int_eq(stated(), V_MEASURED);
}
END_TEST

/* What figures_that_were_not_drawn means, pair by pair: of two trials of a shape the later decides whether it is a fact. */
static bool some_again_and_none_other(void)
{
    bool again = false;
    for (long k = 0; k < made.n; k++)
        for (long i = 0; i < k; i++) {
            const row *r = &rows_made[k], *o = &rows_made[i];
            if (o->shape != r->shape || o->trial == r->trial || (isinf(r->log2gap) && isinf(r->log2bound))) continue;
            if (o->log2gap != r->log2gap || o->log2bound != r->log2bound) return false;
            again = true;
        }
    return again;
}

START_TEST(figures_are_compared_pair_by_pair)
{
    static const double figures[][2] = { { -INFINITY, -INFINITY }, { -9, -4 }, { -9, -4 }, { -9, -3 }, { -8, -4 }, { NAN, -4 } };
    uint64_t state = 20261121;
    long failed = 0;
    for (long round = 0; round < 3000; round++) {
        begin();
        for (long n = 2 + round % 5; n > 0; n--) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            const unsigned draw = (unsigned)(state >> 40);
            row *r = add("as-stated", "measured", "claim", "f64", draw % 3 ? "a" : "b", HOLDS);
            const double *figure = figures[draw / 3 % (round % 7 ? 3 : COUNT(figures))];
            r->log2gap = figure[0];
            r->log2bound = figure[1];
            r->trial = draw / 1024 % 3;
        }
        const bool again = some_again_and_none_other();
        failed += again;
        ck_assert_msg((stated() == V_FAILED) == again, "round %ld: %s", round, verdict_word(stated()));
    }
    ck_assert(failed > 300 && failed < 2700);
}
END_TEST

START_TEST(a_measurement_is_the_weakest_of_its_group)
{
    begin();
    add("as-stated", "counterexample", "claim", "arb", "a", HOLDS);
    add("corrected", "identity", "claim", "arb", "a", HOLDS);
    add("corrected-exp", "measured", "claim", "f64", "a", HOLDS);
    ck_assert_int_eq(stated(), V_REFUTED);
    ck_assert_int_eq(judged().corrected, V_MEASURED);
    begin();
    add("as-stated", "gap", "claim", "q", "a", HOLDS);
    add("corrected", "measured", "claim", "f64", "a", HOLDS);
    ck_assert_int_eq(stated(), V_UNDECIDED);                            /* a measurement repairs no statement */
}
END_TEST

static formal_theorem *theorem(const char *part, bool current, bool whole)
{
    formal_theorem *t = &theorems_made[theorems.n++];
    *t = (formal_theorem){ .claim = "K-X", .theorem = "of_all", .file = "theorems/k_x.v", .quantifiers = "all n, h",
                           .axioms = "none", .current = current, .whole = whole };
    cell_copy(t->part, sizeof t->part, part);
    return t;
}
static void supported_part(void)
{
    begin();
    claim_row("q", "a", HOLDS);
}
/* Two parts with theorems about different things: the scope of the first is not that of both. */
START_TEST(each_theorem_for_its_part)
{
    char text[SCOPE_ROOM];
    begin();
    derived_at("as-stated", 2, -1);
    derived_at("as-stated-b", 2, -1);
    derived_at("as-stated-c", 2, -1);
    for (int k = 0; k < 3; k++) theorem(k ? k == 1 ? "as-stated-b" : "as-stated-c" : "as-stated", true, true);
    claim_verdict c = judged();
    ck_assert_ptr_eq(judge_theorem(&c, false, 0), &c.part[0]);
    ck_assert_ptr_null(judge_theorem(&c, false, 1));                  /* all of them speak of the same */
    judge_scope_text(text, sizeof text, &c, false);
    ck_assert_str_eq(text, "all n, h");
    for (int k = 1; k < 3; k++) cell_copy(theorems_made[k].quantifiers, sizeof theorems_made[k].quantifiers, "h > 1");
    c = judged();
    ck_assert_ptr_eq(judge_theorem(&c, false, 1), &c.part[1]);
    ck_assert_ptr_null(judge_theorem(&c, false, 2));                  /* the third as the second */
    ck_assert_ptr_null(judge_theorem(&c, true, 0));
    judge_scope_text(text, sizeof text, &c, false);
    ck_assert_str_eq(text, "all n, h; other parts: by theorems of their own");
}
END_TEST

START_TEST(a_theorem_is_evidence_of_what_is_proved)
{
    begin();
    derived_at("as-stated", 2, -1);
    ck_assert_int_eq(stated(), V_PROVED);
    expect_text("derived", "any size and depth, h = 2");
    theorem("as-stated-other", true, true);
    ck_assert_int_eq(behind(), E_DERIVED);
    theorem("as-stated", false, true);                                /* its file has changed */
    ck_assert_int_eq(behind(), E_DERIVED);
    const claim_verdict c = judged();
    char *why = evidence_formal_text(judge_speaker(&c, false));
    ck_assert_ptr_nonnull(strstr(why, "theorems/k_x.v"));
    ck_assert_ptr_nonnull(strstr(why, "make formal"));
    free(why);
    formal_theorem *unread = theorem("as-stated", true, false);
    ck_assert_int_eq(stated(), V_PROVED);
    ck_assert_int_eq(behind(), E_DERIVED);
    const claim_verdict beside = judged();
    why = evidence_formal_text(judge_speaker(&beside, false));
    ck_assert_ptr_nonnull(strstr(why, "no reading beside the sentence"));
    free(why);
    unread->whole = true;
    ck_assert_int_eq(stated(), V_PROVED);
    expect_text("formal", "all n, h");
    const claim_verdict formal = judged();
    ck_assert_int_eq(formal.part[0].unformal, V_PROVED);
    ck_assert_int_eq(formal.part[0].unformal_by, E_DERIVED);
    why = evidence_formal_text(&formal.part[0]);
    ck_assert_str_eq(why, "formal: of_all (all n, h)");
    free(why);
}
END_TEST
/* What numbers check and symbols do not, no derivation proves; a theorem beside it may. */
START_TEST(a_derivation_that_leaves_out_a_check_supports)
{
    static const char name[] = "0 below the diagonal; and beside it";
    begin();
    derived_at("as-stated", 2, -1);
    ck_assert_int_eq(stated(), V_PROVED);
    row *more = claim_row("fp", "a", HOLDS);
    evidence_row_add_truth(more, HOLDS, name, 3);
    evidence_row_add_truth(more, HOLDS, "a later one", 1);
    ck_assert_int_eq(stated(), V_SUPPORTED);
    ck_assert_str_eq(judged().part[0].missing, "the derivation leaves out `0 below the diagonal; and beside it`");
    ck_assert_int_eq(behind(), E_DERIVED);
    theorem("as-stated", false, false);                              /* its file has changed */
    ck_assert_int_eq(stated(), V_SUPPORTED);
    theorem("as-stated", true, false)->whole = true;
    ck_assert_int_eq(stated(), V_PROVED);
    expect_text("formal", "all n, h");
    ck_assert_int_eq(judged().part[0].unformal, V_SUPPORTED);
    theorems_made[theorems.n - 1].whole = false;                     /* which nobody has read as the sentence */
    ck_assert_int_eq(stated(), V_SUPPORTED);
    theorems.n = 0;
    for (long k = 0; k < made.n; k++)
        if (made.at[k].over == A_SYM) {
            evidence_row_add_truth(&made.at[k], HOLDS, name, 1);
            evidence_row_add_truth(&made.at[k], HOLDS, "a later one", 1);
        }
    ck_assert_int_eq(stated(), V_PROVED);
}
END_TEST

static void expect_beside(const char *words)
{
    const claim_verdict c = judged();
    char *beside = evidence_formal_text(&c.part[0]);
    ck_assert_msg(strstr(beside, words), "%s", beside);
    free(beside);
}
/* SUPPORTED becomes PROVED only by a theorem that somebody has read as the whole sentence; nothing that fails does. */
START_TEST(only_a_theorem_that_says_all_proves)
{
    supported_part();
    ck_assert_int_eq(stated(), V_SUPPORTED);
    formal_theorem *t = theorem("as-stated", true, false);
    ck_assert_int_eq(stated(), V_SUPPORTED);
    ck_assert_int_eq(behind(), E_EXACT);
    const claim_verdict c = judged();
    char *beside = evidence_formal_text(&c.part[0]);
    ck_assert_ptr_nonnull(strstr(beside, "decides nothing"));
    free(beside);
    t->whole = true;
    ck_assert_int_eq(stated(), V_PROVED);
    expect_text("formal", "all n, h");
    ck_assert_str_eq(judged().part[0].missing, "");
    ck_assert_int_eq(judged().part[0].unformal, V_SUPPORTED);
    t->current = false;
    ck_assert_int_eq(stated(), V_SUPPORTED);
    t->current = true;
    claim_row("fp", "a", REFUTED);                                 /* whatever a theorem says */
    ck_assert_int_eq(stated(), V_INCONSISTENT);
    supported_part();
    theorem("as-stated", true, true);
    control_rows("as-stated", "unbroken", 3, HOLDS);
    ck_assert_int_eq(stated(), V_UNCONTROLLED);
    begin();
    claim_row("q", "a", UNDECIDED);
    theorem("as-stated", true, true);
    ck_assert_int_eq(stated(), V_UNDECIDED);
    begin();
    add("as-stated", "counterexample", "claim", "q", "a", HOLDS);
    t = theorem("as-stated", true, true);
    ck_assert_int_eq(stated(), V_REFUTED);
    ck_assert_int_eq(behind(), E_EXACT);
    expect_beside("it decides nothing here");
    t->whole = false;
    expect_beside("no reading beside the sentence is recorded");
    static char lacks[] = "the second clause";
    t->lacks = lacks;
    expect_beside("it does not say all that the sentence says");
}
END_TEST
START_TEST(informal_parts_show_facts)
{
    const char *const over[] = { "q", "arb", "fp", "f64" };
    for (size_t k = 0; k < COUNT(over); k++) {
        begin();
        add("as-stated", "informal", "claim", over[k], "a", HOLDS);
        ck_assert_int_eq(stated(), V_INFORMAL);
    }
    add("as-stated-fig", "measured", "claim", "f64", "a", HOLDS);
    ck_assert_int_eq(stated(), V_INFORMAL);
    add("as-stated", "informal", "claim", "q", "a", REFUTED);
    ck_assert_int_eq(stated(), V_FAILED);
    begin();
    add("as-stated", "informal", "claim", "q", "a", UNDECIDED);
    ck_assert_int_eq(stated(), V_UNDECIDED);
    begin();
    add("as-stated", "informal", "claim", "q", "a", HOLDS);
    add("as-stated", "informal", "broken", "q", "a", HOLDS);
    ck_assert_int_eq(stated(), V_UNCONTROLLED);
}
END_TEST

static void read_as_meant(const char *lacks)
{
    long k = 0;
    while (k < bodies_read.n && strcmp(readings_made[k].part, READ_AS_MEANT) != 0) k++;
    if (k == bodies_read.n) bodies_read.n++;
    readings_made[k] = (body_reading){ .claim = "K-X", .part = READ_AS_MEANT };
    cell_copy(readings_made[k].lacks, sizeof readings_made[k].lacks, lacks);
}

/* What only illustrates decides nothing; where nothing else is said of the printed sentence, "corrected" says it, once somebody
 * read it so. */
START_TEST(illustrations_decide_nothing)
{
    begin();
    derived_at("as-stated", 2, -1);
    add("as-stated-sign", "beside", "claim", "q", "a", HOLDS);
    add("as-stated-drawn", "measured-beside", "claim", "f64", "a", HOLDS);
    ck_assert_int_eq(stated(), V_PROVED);
    ck_assert_int_eq(behind(), E_DERIVED);
    ck_assert_int_eq(judged().part[1].is, V_INFORMAL);
    ck_assert_int_eq(judged().part[2].is, V_MEASURED);
    claim_verdict c = judged();
    ck_assert(!c.as_meant);
    ck_assert(c.part[1].role == ROLE_ILLUSTRATION && c.part[0].role == ROLE_SENTENCE);
    ck_assert_int_eq(part_role_of("corrected-drawn", PART_MEASURED_BESIDE), ROLE_CORRECTED_ILLUSTRATION);
    ck_assert(judge_speaks_for(&c, &c.part[0], false) && !judge_speaks_for(&c, &c.part[0], true));
    ck_assert(!judge_speaks_for(&c, &c.part[1], false) && !judge_speaks_for(&c, &c.part[1], true));
    add("as-stated-sign", "beside", "claim", "arb", "a", REFUTED);
    ck_assert_int_eq(stated(), V_FAILED);                              /* but it must be so */
    begin();
    add("as-stated", "beside", "claim", "f64", "a", HOLDS);
    ck_assert_int_eq(stated(), V_FAILED);                              /* and be shown exactly */

    begin();
    add("as-stated", "beside", "claim", "q", "a", HOLDS);
    ck_assert_int_eq(stated(), V_INFORMAL);                            /* facts alone */
    derived_at("corrected", 2, -1);
    c = judged();
    ck_assert_int_eq(c.as_stated, V_INFORMAL);                         /* nobody read "corrected" as what is meant */
    ck_assert_int_eq(c.corrected, V_PROVED);
    ck_assert(!c.as_meant);
    read_as_meant("half of it");
    ck_assert(!judged().as_meant);
    read_as_meant("");
    c = judged();
    ck_assert_int_eq(c.as_stated, V_PROVED);
    ck_assert_int_eq(c.corrected, V_NONE);
    ck_assert(c.as_meant);
    ck_assert_str_eq(judge_speaker(&c, false)->name, "corrected");
    ck_assert_ptr_null(judge_speaker(&c, true));
    add("corrected-other", "counterexample", "claim", "q", "a", HOLDS);
    ck_assert(!judged().as_meant);
    ck_assert_int_eq(stated(), V_UNDECIDED);                           /* a repair that is false is what nobody means */
    made.n--;
    add("as-stated-gap", "gap", "claim", "q", "a", HOLDS);
    c = judged();
    ck_assert_int_eq(c.as_stated, V_CAVEAT);                           /* a fault is no illustration */
    ck_assert_int_eq(c.corrected, V_PROVED);
    ck_assert_str_eq(judge_speaker(&c, false)->name, "as-stated-gap");
    begin();
    derived_at("corrected", 2, -1);
    c = judged();
    ck_assert_int_eq(c.as_stated, V_NONE);                             /* nothing illustrates a sentence that nothing states */
    ck_assert(!c.as_meant && c.corrected == V_PROVED);
}
END_TEST

START_TEST(what_cannot_be_checked)
{
    begin();
    add("as-stated", "uncheckable", "claim", "f64", "a", HOLDS);
    ck_assert_int_eq(stated(), V_FAILED);                              /* what is missing must be shown exactly */
    add("as-stated", "uncheckable", "claim", "q", "a", HOLDS);
    ck_assert_int_eq(stated(), V_UNCHECKABLE);
    control_rows("as-stated", "not-missing", 3, HOLDS);
    ck_assert_int_eq(stated(), V_UNCONTROLLED);
    begin();
    add("as-stated", "uncheckable", "claim", "q", "a", REFUTED);
    ck_assert_int_eq(stated(), V_FAILED);
}
END_TEST

START_TEST(variants_are_judged_together)
{
    begin();
    claim_row("fp", "a", HOLDS);
    add("as-stated-tied", "identity", "claim", "arb", "a", HOLDS);
    ck_assert_int_eq(stated(), V_SUPPORTED);
    ck_assert_int_eq(behind(), E_ENCLOSED);
    derived_at("corrected", 2, -1);
    ck_assert_int_eq(judged().corrected, V_PROVED);
    ck_assert_int_eq(stated(), V_SUPPORTED);
    add("as-stated-third", "identity", "claim", "f64", "a", REFUTED);
    ck_assert_int_eq(stated(), V_FAILED);
}
END_TEST

START_TEST(a_refutation_outranks_a_slip)
{
    begin();
    add("as-stated", "slip", "claim", "q", "a", HOLDS);
    add("as-stated-b", "identity", "claim", "q", "a", HOLDS);
    ck_assert_int_eq(stated(), V_SLIP);
    add("as-stated-c", "counterexample", "claim", "q", "a", HOLDS);
    ck_assert_int_eq(stated(), V_REFUTED);
}
END_TEST

/* Rows of more parts than a verdict holds fail; none is left out in silence. */
START_TEST(too_many_parts_fail)
{
    begin();
    for (int k = 0; k <= MAX_PARTS; k++) {
        char name[32];
        snprintf(name, sizeof name, "as-stated-%d", k);
        read_finite(add(name, "identity", "claim", "q", "a", HOLDS));
        ck_assert_int_eq(stated(), k < MAX_PARTS ? V_PROVED : V_FAILED);
    }
}
END_TEST

/* A file of agreed verdicts, read back; what differs from it is named. */
START_TEST(ratchet_names_what_changed)
{
    char *path = temp_path(temp_folder(), "verdicts.csv");
    begin();
    derived_at("as-stated", 2, -1);
    claim_verdict c = judged();
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    ratchet_line(f, NULL);
    ratchet_line(f, &c);
    fclose(f);
    ratchet r = ratchet_read(path);
    ck_assert_int_eq(r.n, 1);
    ck_assert_ptr_null(ratchet_differs(&r, &c));
    const evidence_kind by = r.at[0].by[0];
    r.at[0].by[0] = E_NONE;                                     /* the same verdict by other evidence */
    char *differs = ratchet_differs(&r, &c);
    ck_assert_msg(differs && strstr(differs, "PROVED derived, but PROVED "), "%s", differs ? differs : "nothing differs");
    free(differs);
    r.at[0].by[0] = by;
    r.at[0].as_meant = true;                                    /* of another reading of the sentence */
    differs = ratchet_differs(&r, &c);
    ck_assert_msg(differs && strstr(differs, "as it is printed, but as it is meant"), "%s", differs ? differs : "-");
    free(differs);
    r.at[0].as_meant = false;
    c.as_meant = true;
    differs = ratchet_differs(&r, &c);
    ck_assert_msg(differs && strstr(differs, "as it is meant, but as it is printed"), "%s", differs ? differs : "-");
    free(differs);
    c.as_meant = false;
    accepted.n = 0;                                             /* the certificate is gone */
    c = judged();
    differs = ratchet_differs(&r, &c);
    ck_assert_ptr_nonnull(differs);
    ck_assert_msg(strstr(differs, "SUPPORTED verified") && strstr(differs, "PROVED derived"), "%s", differs);
    free(differs);
    begin();
    derived_at("as-stated", 2, -1);
    add("corrected", "identity", "claim", "q", "a", HOLDS);
    c = judged();
    differs = ratchet_differs(&r, &c);
    ck_assert_msg(differs && strstr(differs, "corrected"), "%s", differs ? differs : "nothing differs");
    free(differs);
    cell_copy(c.id, sizeof c.id, "K-Z");
    differs = ratchet_differs(&r, &c);
    ck_assert_msg(differs && strstr(differs, "no agreed verdict"), "%s", differs ? differs : "nothing differs");
    free(differs);
    ratchet_free(&r);
    c.as_meant = true;
    f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    ratchet_line(f, NULL);
    ratchet_line(f, &c);
    fclose(f);
    r = ratchet_read(path);
    ck_assert_int_eq(r.n, 1);
    ck_assert(r.at[0].as_meant);
    ratchet_free(&r);
    unlink(path);
    r = ratchet_read(path);
    ck_assert_int_eq(r.n, 0);
}
END_TEST

/* What one arithmetic says: of the trials that it decided, the worst. */
START_TEST(answers_of_an_arithmetic)
{
    begin();
    claim_row("f64", "a", HOLDS)->log2gap = -40;
    claim_row("f64", "a", HOLDS)->log2gap = -50;
    claim_row("f64", "a", UNDECIDED)->log2gap = 3;
    claim_row("fp", "a", HOLDS)->log2bound = -83;
    claim_row("fp", "a", HOLDS)->log2bound = -97;
    const double slopes[] = { -1.001, -0.98, -0.99, NAN };
    for (size_t k = 0; k < COUNT(slopes); k++) claim_row("mpfr", "a", HOLDS)->slope = slopes[k];
    claim_row("q", "a", HOLDS);
    claim_row("q", "b", UNDECIDED)->skipped = true;
    const claim_verdict c = judged();
    const answer *by = c.part[0].by_arith;
    ck_assert_double_eq(by[A_F64].worst, -40);
    ck_assert(by[A_F64].holds == 2 && by[A_F64].undecided == 1);
    ck_assert_double_eq(by[A_FP].worst, -83);
    ck_assert_double_eq(by[A_MPFR].worst, -0.98);
    ck_assert(by[A_MPFR].exact && !by[A_F64].exact);
    ck_assert(by[A_Q].holds == 1 && by[A_Q].undecided == 0);
    begin();
    claim_row("q", "a", REFUTED);
    const claim_verdict d = judged();
    by = d.part[0].by_arith;
    ck_assert(by[A_Q].refuted == 1 && by[A_Q].undecided == 0 && by[A_Q].holds == 0);
}
END_TEST

/* A scope is that of the trials that hold, of the numbers of heads that their shapes name, and no more. */
START_TEST(a_scope_says_no_more_than_its_trials)
{
    begin();
    claim_row("q", "a", HOLDS);
    claim_row("q", "b", UNDECIDED)->skipped = true;
    expect_text("exact", "these instances");                    /* one trial, not two */
    begin();
    claim_row("arb", "a", HOLDS)->log2gap = -100;
    claim_row("arb", "a", HOLDS)->log2gap = -240;
    expect_text("enclosed 2^-100", "these instances");
    begin();
    claim_row("fp", "a", HOLDS)->log2bound = -82.5;
    expect_text("verified 2^-82", "these sizes");               /* rounded to the larger error */
    static const struct { const char *sizes; unsigned long heads; } table[] = {
        { "d=4 h=2", 2 }, { "d=4 hx=7 h=2", 2 }, { "d=128 h=64", 1UL << 63 }, { "d=130 h=65", 0 }, { "d=4", 0 } };
    for (size_t k = 0; k < COUNT(table); k++) {
        begin();
        claim_row("fp", table[k].sizes, HOLDS);
        ck_assert_msg(judged().part[0].scope.heads == table[k].heads, "%s", table[k].sizes);
    }
    begin();
    /* the shape at L = 2 first: it narrows what comes later */
    derived_at("as-stated", 2, 2);
    derived_at("as-stated", 1, -1);
    expect_text("derived", "any size, L = 2, h = 1-2");
    begin();
    derived_at("as-stated", 1, -1);
    add("as-stated", "identity", "claim", "sym", "d=4 h=2 L=2", UNDECIDED)->skipped = true;
    certificate("as-stated", 2, -1);
    expect_text("derived", "any size and depth, h = 1");        /* no trial of two heads */
    begin();
    derived_at("as-stated", 65, -1);
    ck_assert_int_eq(stated(), V_SUPPORTED);                    /* no such number of heads can be named */
    begin();
    for (int k = 0; k < 3; k++) add("as-stated", "hypothesis", "claim", "q", "a", REFUTED);
    expect_text("exact x3", "a witness");
}
END_TEST

START_TEST(scopes_in_words_and_in_order)
{
    const struct { unsigned long heads; const char *says; } table[] = {
        { 1UL << 63, "any size, h = 64" }, { 3UL << 62, "any size, h = 63-64" }, { 1UL << 62, "any size, h = 63" },
        { 0xfUL | 1UL << 7, "any size, h = 1-4 8" }, { 0, "any size" } };
    for (size_t k = 0; k < COUNT(table); k++) {
        const part_verdict p = { .by = E_DERIVED, .scope = { .sizes = true, .heads = table[k].heads } };
        char text[SCOPE_ROOM];
        evidence_scope_text(text, sizeof text, &p);
        ck_assert_str_eq(text, table[k].says);
    }
    const evidence_scope order[] = {                            /* from the narrowest to the widest */
        { .witness = true, .sizes = true, .heads = 7, .trials = 9 }, { .depth = -1, .heads = 7, .trials = 9 },
        { .sizes = true, .depth = 2, .heads = 7, .trials = 9 }, { .sizes = true, .heads = 1, .trials = 9 },
        { .sizes = true, .heads = 6, .trials = 1 }, { .sizes = true, .heads = 6, .trials = 2 } };
    for (int i = 0; i < (int)COUNT(order); i++)
        for (int j = 0; j < (int)COUNT(order); j++) {
            const int is = evidence_scope_compare(&order[i], &order[j]);
            ck_assert_msg((is > 0) - (is < 0) == (i > j) - (i < j), "%d and %d: %d", i, j, is);
        }
}
END_TEST

/* Evidence that is worth nothing decides no shape, and what is missing is named as it is. */
START_TEST(what_decides_a_shape)
{
    begin();
    claim_row("q", "a", HOLDS);
    claim_row("arb", "b", UNDECIDED);
    claim_row("fp", "b", HOLDS)->log2bound = -59;
    ck_assert_int_eq(stated(), V_UNDECIDED);
    add("as-stated", "identity", "broken", "q", "b", HOLDS);     /* a control decides no shape of the claim */
    add("as-stated-b", "identity", "claim", "q", "b", HOLDS);    /* nor does another part */
    ck_assert_int_eq(judged().part[0].is, V_UNDECIDED);
    made.n -= 2;
    claim_row("f64", "b", HOLDS);
    ck_assert_int_eq(stated(), V_SUPPORTED);
    begin();
    claim_row("fp", "a", HOLDS);
    claim_row("sym", "a", HOLDS);
    ck_assert_str_eq(judged().part[0].missing, "proofcheck has accepted no certificate of the derivation");
    claim_row("sym", "b", UNDECIDED);
    ck_assert_str_eq(judged().part[0].missing, "no derivation for all sizes");
    begin();
    derived_at("as-stated", 2, -1);
    evidence_row_add_truth(claim_row("arb", "d=4 h=2 L=2", UNDECIDED), UNDECIDED, "another check", 1);
    ck_assert_int_eq(stated(), V_PROVED);                       /* a trial that decided nothing has shown no check */
    begin();
    add("as-stated", "measured", "claim", "f64", "a", UNDECIDED)->skipped = true;
    ck_assert_int_eq(stated(), V_UNDECIDED);                    /* nothing at all was measured */
}
END_TEST

/* What speaks for a group: its errors, its logits and its theorems are those of the parts that are meant. */
START_TEST(what_a_group_is_told_of_its_parts)
{
    begin();
    claim_row("q", "a", HOLDS)->log2logit = 2;
    add("as-stated", "identity", "broken", "q", "a", REFUTED)->log2logit = 9;
    ck_assert_double_eq(judged().log2logit, 2);
    begin();
    claim_row("arb", "a", HOLDS)->log2gap = -240;
    add("as-stated-b", "identity", "claim", "fp", "a", HOLDS)->log2bound = -83;
    const claim_verdict c = judged();
    ck_assert_double_eq(judge_log2(&c, false), -240);           /* an error of fp is no width */
    begin();
    row *few = claim_row("arb", "a", HOLDS);
    read_finite(few);
    few->log2gap = -100;
    add("as-stated-b", "identity", "claim", "q", "a", HOLDS);
    ck_assert_int_eq(behind(), E_ENCLOSED);                     /* a case that was not decided speaks */
    begin();
    read_finite(add("as-stated-case", "identity", "claim", "q", "a", HOLDS));
    derived_at("as-stated", 2, -1);
    derived_at("as-stated-c", 2, -1);
    derived_at("corrected", 2, -1);
    derived_at("corrected-b", 2, -1);
    (void)theorem("corrected", true, true);
    cell_copy(theorem("corrected-b", true, true)->quantifiers, 16, "all m");
    theorem("as-stated", true, true);
    cell_copy(theorem("as-stated-c", true, true)->quantifiers, 16, "all n");
    const claim_verdict d = judged();
    ck_assert_str_eq(judge_theorem(&d, false, 0)->name, "as-stated");
    ck_assert_str_eq(judge_theorem(&d, false, 1)->name, "as-stated-c");
    ck_assert_ptr_null(judge_theorem(&d, false, 2));
    ck_assert_str_eq(judge_theorem(&d, true, 1)->name, "corrected-b");
    ck_assert_ptr_null(judge_theorem(&d, true, 2));
}
END_TEST

/* Which trials of the claim and of a control stand against each other. */
START_TEST(trials_that_make_a_control)
{
    begin();
    claim_row("arb", "a", HOLDS);
    claim_row("arb", "b", HOLDS);
    claim_row("q", "b", UNDECIDED);
    for (int k = 0; k < 3; k++) add("as-stated", "identity", "broken", "q", "b", REFUTED);
    ck_assert_int_eq(stated(), V_UNCONTROLLED);                 /* over q the claim itself was not decided there */
    ck_assert_ptr_nonnull(strstr(judged().part[0].why, "fewer than three"));
    begin();
    claim_row("fp", "a", HOLDS);
    claim_row("q", "a", UNDECIDED);
    for (int k = 0; k < 3; k++) add("as-stated", "identity", "broken", "fp", "a", REFUTED);
    ck_assert_int_eq(stated(), V_SUPPORTED);                    /* over the reals there is nothing to break */
    begin();
    claim_row("f64", "a", HOLDS);
    const double gaps[] = { -3, -9, -5 };
    for (size_t k = 0; k < COUNT(gaps); k++) {
        row *r = add("as-stated", "identity", "broken", "f64", "a", REFUTED);
        r->log2gap = gaps[k];
        r->log2bound = -20;
    }
    ck_assert_double_eq(judged().part[0].smallest_control, 11);
}
END_TEST

/* A theorem counts for the claim that it names; of several the one that was found to say all. */
START_TEST(whose_theorem_it_is)
{
    supported_part();
    cell_copy(theorem("as-stated", true, true)->claim, 4, "K-Y");
    ck_assert_int_eq(stated(), V_SUPPORTED);
    ck_assert_ptr_null(judged().part[0].theorem);
    supported_part();
    (void)theorem("as-stated", true, false);
    (void)theorem("as-stated", true, true);
    ck_assert_int_eq(stated(), V_PROVED);
    ck_assert_ptr_eq(judged().part[0].theorem, &theorems_made[1]);
    (void)theorem("as-stated", true, false);
    ck_assert_ptr_eq(judged().part[0].theorem, &theorems_made[1]);
    (void)theorem("as-stated", false, true);
    ck_assert_ptr_null(judged().part[0].stale);                 /* what stands needs no other */
}
END_TEST

static void read_agreed(void *path)
{
    ratchet r = ratchet_read(path);
    ratchet_free(&r);
}

START_TEST(agreed_verdicts_are_words_of_ours)
{
    static const char *const bad[] = { "K-X,PROVEN,derived,,,", "K-X,PROVED,proven,,,", "K-X,PROVED,derived,TRUE,,",
                                       "K-X,PROVED,derived,,sure,", "K-X,PROVED,derived,,,no" };
    static const char columns[] = "id,as_stated,evidence,corrected,corrected_evidence,as_meant\n";
    char *path = temp_path(temp_folder(), "bad.csv"), said[512];
    for (size_t k = 0; k < COUNT(bad); k++) {
        char *text = temp_format("%s%s\n", columns, bad[k]);
        temp_write(NULL, path, text, strlen(text));
        ck_assert_int_eq(run_child(read_agreed, path, said, sizeof said), 2);
        ck_assert_msg(strstr(said, "not a line of agreed verdicts") != NULL, "%s: %s", bad[k], said);
    }
    const char *good = temp_format("%sK-A,,,,,\nK-X,PENDING,,,,\nK-Z,,,,,\n", columns);
    temp_write(NULL, path, good, strlen(good));
    ratchet r = ratchet_read(path);
    begin();
    const claim_verdict c = judged();
    ck_assert(r.n == 3 && !ratchet_differs(&r, &c));
    ratchet_free(&r);
    ck_assert_int_eq(run_child(read_agreed, temp_folder(), said, sizeof said), 2);
    ck_assert_msg(strstr(said, "cannot read ") != NULL, "%s", said);
    ck_assert_int_eq(run_child(read_agreed, temp_format("%s/below", path), said, sizeof said), 2);      /* of a file */
    ck_assert_msg(strstr(said, "cannot read ") != NULL, "%s", said);
}
END_TEST

/* Every order of every kind of verdict in a group. */
START_TEST(every_pair_of_a_group)
{
    static const struct { const char *kind, *over; verdict is; } of[] = {
        { "informal", "q", V_INFORMAL }, { "identity", "f64", V_MEASURED }, { "identity", "q", V_SUPPORTED },
        { "uncheckable", "q", V_UNCHECKABLE }, { "slip", "q", V_SLIP }, { "counterexample", "q", V_REFUTED },
        { "hypothesis", "q", V_INCONSISTENT } };
    /* A verdict that fails, else one that is not of the three, the largest of them, else the weaker of the three. */
    for (size_t i = 0; i < COUNT(of); i++)
        for (size_t j = 0; j < COUNT(of); j++) {
            begin();
            add("as-stated", of[i].kind, "claim", of[i].over, "a", HOLDS);
            ck_assert_int_eq(stated(), of[i].is);
            add("as-stated-b", of[j].kind, "claim", of[j].over, "a", HOLDS);
            const verdict a = of[i].is, b = of[j].is;
            const bool plain_a = a >= V_MEASURED && a <= V_PROVED, plain_b = b >= V_MEASURED && b <= V_PROVED;
            const verdict wanted = plain_a && plain_b ? (a < b ? a : b) : plain_a ? b : plain_b ? a : a > b ? a : b;
            ck_assert_msg(stated() == wanted, "%s and %s: %s", verdict_word(a), verdict_word(b),
                verdict_word(stated()));
        }
    begin();
    add("as-stated", "gap", "claim", "q", "a", HOLDS);
    derived_at("corrected", 2, -1);
    ck_assert_int_eq(stated(), V_CAVEAT);
    ck_assert_int_eq(judged().corrected, V_PROVED);
    begin();
    for (int k = 0; k < 2; k++) claim_row("q", "a", HOLDS);
    add("as-stated-b", "identity", "claim", "q", "a", HOLDS);
    expect_text("exact", "these instances");                    /* the part of one trial, though it comes last */
}
END_TEST

/* Hypotheses that fail, by each arithmetic that shows it, with controls of their own; and rows of others are not
 * theirs. */
START_TEST(what_shows_that_hypotheses_fail)
{
    static const struct { const char *over, *by; } of[] = { { "q", "exact x3" }, { "arb", "enclosed" }, { "fp",
        "verified" },
                                                            { "f64", "measured" } };
    for (size_t k = 0; k < COUNT(of); k++) {
        begin();
        for (int i = 0; i < 3; i++) add("as-stated", "hypothesis", "claim", of[k].over, "a", REFUTED);
        ck_assert_int_eq(stated(), V_HYPOTHESIS_FAILED);
        expect_text(of[k].by, "a witness");
        ck_assert_int_eq(judged().part[0].over, arith_index(of[k].over));
        for (int i = 0; i < 3; i++) add("as-stated", "hypothesis", "broken", of[k].over, "a", REFUTED);
        ck_assert(judged().controls == 1 && judged().refuted == 1);
        for (int i = 0; i < 2; i++) add("as-stated-b", "hypothesis", "broken", of[k].over, "a", REFUTED);
        ck_assert(judged().controls == 2 && judged().refuted == 1);              /* of another part: fewer than three */
    }
    begin();
    claim_row("q", "a", HOLDS);
    const part_verdict other = judge_part(&made, &accepted, NULL, NULL, "K-Y", "as-stated");
    ck_assert(other.by == E_NONE && other.by_arith[A_Q].holds == 0);
    begin();
    claim_row("q", "a", REFUTED);
    control_rows("as-stated", "broken", 1, REFUTED);
    ck_assert_int_eq(stated(), V_FAILED);                       /* and not UNCONTROLLED */
}
END_TEST

/* Shapes, depths and hypotheses that are written in other ways. */
START_TEST(odd_rows)
{
    begin();
    claim_row("fp", "a", HOLDS)->log2bound = -INFINITY;
    made.at[0].certain = true;
    claim_row("fp", "a", UNDECIDED)->skipped = true;
    expect_text("exact", "these instances");
    begin();
    claim_row("fp", "", HOLDS)->depth = DEPTH_EVERY;
    ck_assert(judged().part[0].scope.depth == -1 && judged().part[0].scope.heads == 0);
    begin();
    claim_row("sym", "b", HOLDS);
    claim_row("fp", "a", HOLDS);
    claim_row("arb", "b", UNDECIDED);
    ck_assert_int_eq(stated(), V_SUPPORTED);                    /* a derivation decides the shape */
    begin();
    derived_at("as-stated", 2, -1);
    proofs_made[0].assumes = hypotheses_of("invertible W; ; invertible W;");
    ck_assert_str_eq(judged().part[0].assumes->text, "invertible W");
    begin();
    claim_row("q", "a", HOLDS)->uses = hypotheses_of("invertible W");
    ck_assert_str_eq(judged().part[0].assumes->text, "invertible W");
    begin();
    add("as-stated", "informal", "claim", "q", "a", HOLDS);
    add("as-stated", "informal", "claim", "q", "b", UNDECIDED);
    add("as-stated", "informal", "claim", "fp", "a", UNDECIDED);
    add("as-stated", "informal", "claim", "fp", "b", HOLDS);
    ck_assert_int_eq(stated(), V_INFORMAL);
    expect_text("", "");                                        /* shown, and by no arithmetic everywhere */
    begin();
    add("as-stated", "counterexample", "claim", "mpfr", "a", HOLDS);
    ck_assert_int_eq(judge_part(&made, NULL, NULL, NULL, "K-X", "as-stated").is, V_FAILED);
    supported_part();
    for (int k = 0; k < 3; k++) (void)theorem("as-stated", true, k > 0);
    ck_assert_ptr_eq(judged().part[0].theorem, &theorems_made[1]);
}
END_TEST

START_TEST(words_of_a_part)
{
    part_verdict p = { .by = E_DERIVED, .scope = { .sizes = true, .heads = 0x5555555555555555UL } };
    char text[SCOPE_ROOM];
    evidence_scope_text(text, sizeof text, &p);                 /* as many numbers as there is room for, each whole */
    ck_assert_str_eq(text, "any size, h = 1 3 5 7 9 11 13 15 17 19 21 23 25 27 29 31 33 35 37 39 41");
    supported_part();
    char *said = evidence_formal_text(&judged().part[0]);
    ck_assert_str_eq(said, "");
    free(said);
    (void)theorem("as-stated", false, true);
    said = evidence_formal_text(&judged().part[0]);
    ck_assert_msg(strstr(said, "formal no longer: theorems/k_x.v") == said, "%s", said);
    free(said);
}
END_TEST

START_TEST(recorded_runs)
{
    static const struct { recorded_standing runs; const char *basis; } of[] = {
        { RECORDED_NONE, NULL }, { RECORDED_SOME, NULL }, { RECORDED_STATED, "not all as printed" },
        { RECORDED_AGREE, "at full scale" } };
    for (size_t k = 0; k < COUNT(of); k++) {
        begin();
        claim_verdict c = judged();
        judge_recorded(&c, of[k].runs);
        ck_assert_int_eq(c.as_stated, of[k].basis ? V_MEASURED : V_PENDING);
        ck_assert_int_eq(c.parts, of[k].basis != NULL);
        ck_assert(!of[k].basis || (c.part[0].trained && strstr(c.part[0].basis, of[k].basis)));
    }
}
END_TEST

START_TEST(no_rows_is_pending)
{
    begin();
    ck_assert_int_eq(stated(), V_PENDING);
    claim_row("q", "a", HOLDS);
    ck_assert_int_eq(judge_claim(&made, &accepted, &theorems, &bodies_read, "K-Y").as_stated, V_PENDING);
}
END_TEST

START_TEST(verdicts_that_fail_the_run)
{
    const verdict fail[] = { V_UNDECIDED, V_UNCONTROLLED, V_INCONSISTENT, V_HYPOTHESIS_UNDECLARED, V_FAILED };
    for (verdict v = V_NONE; v < VERDICTS; v++) {
        bool expected = false;
        for (size_t k = 0; k < COUNT(fail); k++) expected |= v == fail[k];
        ck_assert_int_eq(verdict_fails(v), expected);
        ck_assert_int_eq(verdict_word(v)[0] != '\0', v != V_NONE);
        ck_assert_int_eq(verdict_means(v)[0] != '\0', v != V_NONE);
        if (v != V_NONE) ck_assert_int_eq(verdict_of_word(verdict_word(v)), v);
    }
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("verdict");
    TCase *all = tcase_create("rules");
    suite_add_tcase(suite, all);
    tcase_add_test(all, what_the_arithmetic_cannot_say_is_skipped);
    tcase_add_test(all, contradictions);
    tcase_add_test(all, a_construction_that_fails_refutes_nothing);
    tcase_add_test(all, controls);
    tcase_add_test(all, the_first_trial_with_a_check_is_the_twin);
    tcase_add_test(all, the_last_control_that_fails_is_named);
    tcase_add_test(all, a_control_has_a_positive_twin);
    tcase_add_test(all, a_control_shares_a_side_or_was_read);
    tcase_add_test(all, equations_that_nothing_breaks_are_read);
    tcase_add_test(all, local_failures_are_counted);
    tcase_add_test(all, a_gap_needs_its_repair);
    tcase_add_test(all, hypotheses_that_fail);
    tcase_add_test(all, measurements);
    tcase_add_test(all, a_measurement_is_the_weakest_of_its_group);
    tcase_add_test(all, figures_that_were_not_drawn);
    tcase_add_test(all, figures_are_compared_pair_by_pair);
    tcase_add_test(all, a_theorem_is_evidence_of_what_is_proved);
    tcase_add_test(all, each_theorem_for_its_part);
    tcase_add_test(all, the_error_of_a_group);
    tcase_add_test(all, only_a_theorem_that_says_all_proves);
    tcase_add_test(all, informal_parts_show_facts);
    tcase_add_test(all, what_cannot_be_checked);
    tcase_add_test(all, variants_are_judged_together);
    tcase_add_test(all, answers_of_an_arithmetic);
    tcase_add_test(all, a_scope_says_no_more_than_its_trials);
    tcase_add_test(all, scopes_in_words_and_in_order);
    tcase_add_test(all, what_decides_a_shape);
    tcase_add_test(all, what_a_group_is_told_of_its_parts);
    tcase_add_test(all, trials_that_make_a_control);
    tcase_add_test(all, whose_theorem_it_is);
    tcase_add_test(all, agreed_verdicts_are_words_of_ours);
    tcase_add_test(all, every_pair_of_a_group);
    tcase_add_test(all, what_shows_that_hypotheses_fail);
    tcase_add_test(all, odd_rows);
    tcase_add_test(all, words_of_a_part);
    tcase_add_test(all, recorded_runs);
    tcase_add_test(all, no_rows_is_pending);
    tcase_add_test(all, verdicts_that_fail_the_run);
    tcase_add_test(all, evidence_of_each_arithmetic);
    tcase_add_test(all, proofcheck_alone_makes_derived);
    tcase_add_test(all, a_derivation_alone_does_not_suffice);
    tcase_add_test(all, depth_and_heads_of_a_derivation);
    tcase_add_test(all, one_number_of_heads);
    tcase_add_test(all, hypotheses_of_a_derivation);
    tcase_add_test(all, a_step_by_proof_is_named_and_supports_at_best);
    tcase_add_test(all, a_derivation_that_leaves_out_a_check_supports);
    tcase_add_test(all, finite_statements_are_decided_exactly);
    tcase_add_test(all, finite_statements_are_read);
    tcase_add_test(all, facts_and_figures_are_read);
    tcase_add_test(all, facts_beside_a_derivation_are_read);
    tcase_add_test(all, what_is_set_is_assumed);
    tcase_add_test(all, every_trial_of_the_speaking_arithmetic_holds);
    tcase_add_test(all, weakest_part_speaks);
    tcase_add_test(all, an_error_that_is_too_large_is_no_evidence);
    tcase_add_test(all, certain_facts_over_a_field);
    tcase_add_test(all, every_shape_is_decided);
    tcase_add_test(all, witnesses);
    tcase_add_test(all, equalities_of_a_witness);
    tcase_add_test(all, a_refutation_outranks_a_slip);
    tcase_add_test(all, illustrations_decide_nothing);
    tcase_add_test(all, too_many_parts_fail);
    tcase_add_test(all, ratchet_names_what_changed);
    return run_suite(suite, argc, argv);
}
