/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_47.c - B-47, a wrong answer costs at least ln 2.
 *
 * A model that gives the right class less than the largest probability gives it at most 1/2, for the two do not exceed
 * 1.  So each image that is classified wrongly adds at least ln 2 = 0.6931 to the cross-entropy, the others at least 0:
 *     loss >= (1 - accuracy) ln 2.
 * The same holds for averages over an epoch.  This is what any printed pair of loss and accuracy must obey, in nats;
 * all 35 runs of Tables 1 to 3 of 002 do, on both sets, and by a factor of 3.4 at least, whatever was rounded.
 *
 * One run says more: 12 encoders, 1 head, with MLP on CIFAR-10 has validation loss 2.3026 = ln 10 and accuracy 10.00,
 * which is what the same ten probabilities 1/10 for every image give.  It did not learn.
 *
 * How ln 2 and ln 10 are decided.  ln 2 = 2 artanh(1/3), ln 5/4 = 2 artanh(1/9), and the partial sums of
 *     artanh x = x + x^3/3 + x^5/5 + ...
 * miss less than x^(2K+1)/((2K+1)(1 - x^2)), so both lie between two fractions, and only these are used. */
#include <string.h>
#include "src/methods/counts/recount.h"
#include "src/claim/certificate/certificate.h"

enum { TERMS = 16 };                                                            /* 3^-33: about 2^-52       */
typedef struct { mpq_t low, high; } between;

static void between_init(between *b)  { mpq_inits(b->low, b->high, (mpq_ptr)NULL); }
static void between_clear(between *b) { mpq_clears(b->low, b->high, (mpq_ptr)NULL); }

/* Adds c artanh(1/q), c > 0, q > 1. */
static void add_artanh(between *b, unsigned long c, unsigned long q)
{
    mpq_t power, term;
    mpq_inits(power, term, (mpq_ptr)NULL);
    mpq_set_ui(power, c, q);
    for (unsigned long k = 0; k <= TERMS; k++) {                                /* power = c q^-(2k+1)      */
        mpq_set_ui(term, 1, 2 * k + 1);
        mpq_mul(term, term, power);
        if (k == TERMS) {                                                       /* the rest, 1/(1 - q^-2)   */
            mpq_t rest;
            mpq_init(rest);
            mpq_set_ui(rest, q * q, q * q - 1);
            mpq_mul(term, term, rest);
            mpq_clear(rest);
        } else mpq_add(b->low, b->low, term);
        mpq_add(b->high, b->high, term);
        mpq_set_ui(term, 1, q * q);
        mpq_mul(power, power, term);
    }
    mpq_clears(power, term, (mpq_ptr)NULL);
}

/* ln 2, and ln 10 = 3 ln 2 + ln 5/4. */
static void ln_2(between *b)  { between_init(b); add_artanh(b, 2, 3); }
static void ln_10(between *b) { between_init(b); add_artanh(b, 6, 3); add_artanh(b, 2, 9); }

static printed_number cell(const char *text)
{
    printed_number p;
    const char *wrong = printed_parse(&p, text);
    REQUIRE(!wrong, "`%s`: %s", text, wrong);
    return p;
}

/* Is loss >= times (1 - accuracy/100) ln 2, whatever was rounded by half a last place? */
static bool costs(const char *loss, const char *accuracy, long times)
{
    printed_number l = cell(loss), a = cell(accuracy);
    between ln2;
    mpq_t half, wrong;
    mpq_inits(half, wrong, (mpq_ptr)NULL);
    ln_2(&ln2);
    mpq_set_si(wrong, 100, 1);
    mpq_sub(wrong, wrong, a.value);
    mpq_div_2exp(half, a.step, 1);
    mpq_add(wrong, wrong, half);
    mpq_set_si(half, times, 100);
    mpq_canonicalize(half);
    mpq_mul(wrong, wrong, half);
    mpq_mul(wrong, wrong, ln2.high);
    mpq_div_2exp(half, l.step, 1);
    mpq_sub(l.value, l.value, half);
    const bool is = mpq_cmp(l.value, wrong) >= 0;
    mpq_clears(half, wrong, (mpq_ptr)NULL);
    between_clear(&ln2);
    printed_clear(&l);
    printed_clear(&a);
    return is;
}

/* Of how many runs does it hold on both sets?  `shift`: the accuracy is that of the run so many lines below. */
static long holding(long times, size_t shift)
{
    long n = 0;
    for (size_t k = 0; k < printed_runs_count; k++) {
        const printed_run *r = &printed_runs[k], *other = &printed_runs[(k + shift) % printed_runs_count];
        n += costs(r->train_loss, other->train_acc, times) && costs(r->val_loss, other->val_acc, times);
    }
    return n;
}

static const char all_hold[] = "loss >= (1 - accuracy) ln 2 in all 35 runs, on both sets";
static void every_run(trial *t)
{
    between ln2;
    ln_2(&ln2);
    mpq_t width;
    mpq_init(width);
    mpq_sub(width, ln2.high, ln2.low);
    mpq_mul_2exp(width, width, 50);
    claim_decided(t, "ln 2 to 2^-50", mpq_sgn(width) > 0 && mpq_cmp_ui(width, 1, 1) < 0);
    mpq_clear(width);
    between_clear(&ln2);
    claim_decided(t, "35 runs are printed", printed_runs_count == 35);
    claim_decided(t, all_hold, holding(1, 0) == 35);
}
static void shifted(trial *t)  { claim_decided(t, all_hold, holding(1, 1) == 35); }
static void ten_fold(trial *t) { claim_decided(t, all_hold, holding(10, 0) == 35); }

static const printed_run *run_of(const char *name)
{
    for (size_t k = 0; k < printed_runs_count; k++)
        if (strcmp(printed_runs[k].name, name) == 0) return &printed_runs[k];
    REQUIRE(false, "no run %s", name);
    return NULL;
}

static bool is_ln_10(const char *printed)
{
    between ln10;
    ln_10(&ln10);
    printed_number p = cell(printed);
    const bool is = printed_agrees(&p, ln10.low) && printed_agrees(&p, ln10.high);
    printed_clear(&p);
    between_clear(&ln10);
    return is;
}

static const char constant_loss[] = "validation loss ln 10", constant_accuracy[] = "validation accuracy 1/10";
static void constant_output(trial *t, const char *name)
{
    const printed_run *r = run_of(name);
    claim_decided(t, constant_loss, is_ln_10(r->val_loss));
    claim_decided(t, constant_accuracy, strcmp(r->val_acc, "10.00") == 0);
}
static void did_not_learn(trial *t) { constant_output(t, "cifar_12_1_mlp_full"); }
static void four_heads(trial *t)    { constant_output(t, "cifar_12_4_mlp_full"); }

static const control of_all[] = {
    { "next-run", shifted,  "the accuracy of the next run in the tables" },
    { "ten-fold", ten_fold, "$10\\ln 2$, as for a decimal point that is misplaced" },
};
static const control of_one[] = { { "four-heads", four_heads, "the same of the run with four heads" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .about = ABOUT_FINITE, .run = every_run,
      CONTROLS(of_all), .basis = "recount", RECOUNT_ONLY_Q,
      .statement = "$\\mathrm{loss} \\ge (1 - \\mathrm{accuracy})\\ln 2$ in all 35 printed lines (27 runs: 8 are "
                   "printed twice), on the training and the validation set" },
    { .name = "as-stated-12-encoders-1-head", .kind = PART_IDENTITY, .about = ABOUT_FINITE, .run = did_not_learn,
      CONTROLS(of_one), .basis = "recount", RECOUNT_ONLY_Q,
      .statement = "CIFAR-10, 12 encoders, 1 head, with MLP: the validation loss 2.3026 is $\\ln 10$ to its four "
                   "places, the loss of ten equal probabilities, and the accuracy is 10.00\\%" },
};
static const claim B_47 = {
    .id = "B-47", .title = "a wrong answer costs at least ln 2", .where = "new; for 002 Tables 1 to 3",
    .hypotheses = "cross-entropy in nats; the class of largest probability is the answer",
    .why = "The probability of the right class is at most that of the class that was chosen, so at most $1/2$. The "
           "printed losses are 3.4 to 9.1 times what this asks for. $\\ln 2 = 2\\,\\mathrm{artanh}(1/3)$ and $\\ln 10 "
           "= 3\\ln 2 + 2\\,\\mathrm{artanh}(1/9)$ lie between partial sums and partial sums with their rests.",
    .shapes = recount_shapes, .nshapes = COUNT(recount_shapes), .parts = parts, .nparts = COUNT(parts), .depends = "",
};
THEOREM_PROGRAM(B_47)
