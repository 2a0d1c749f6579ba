/* theorem_main.c - the main of every theorem program: options, the plan of trials, a Check suite.
 *
 * One TCase per arithmetic, one test per part and case.  A test runs its trials, writes their rows,
 * reads the rows back and makes one assertion about them; the summary at the end is judged from
 * the file alone, so it is the same whether Check forks or not. */
#include <argp.h>
#include <check.h>
#include <cblas.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "numerics/libraries.h"
#include "src/claim/certificate.h"
#include "src/base/option.h"
#include "src/base/outfile.h"
#include "src/claim/runner.h"

/* ---- the standard shapes ----------------------------------------------------------------------- */

static const shape_case standard_shapes[] = {
    { { .n = 4, .d = 4, .h = 2, .m = 8, .V = 7, .L = 2, .mask = MASK_CAUSAL }, false },
    { { .n = 5, .d = 6, .h = 3, .m = 9, .V = 11, .L = 3, .mask = MASK_FULL }, false },
    { { .n = 3, .d = 3, .h = 1, .m = 7, .V = 5, .L = 2, .mask = MASK_CAUSAL }, false },
    { { .n = 6, .d = 16, .h = 4, .m = 32, .V = 13, .L = 3, .mask = MASK_ARBITRARY }, false },
    { { .n = 32, .d = 64, .h = 1, .m = 256, .V = 97, .L = 6, .mask = MASK_CAUSAL }, true },
    { { .n = 32, .d = 64, .h = 2, .m = 256, .V = 97, .L = 6, .mask = MASK_FULL }, true },
    { { .n = 32, .d = 64, .h = 4, .m = 256, .V = 97, .L = 6, .mask = MASK_ARBITRARY }, true },
    { { .n = 32, .d = 64, .h = 8, .m = 256, .V = 97, .L = 6, .mask = MASK_CAUSAL }, true },
};
/* --scale=large adds these. */
static const shape_case larger_shapes[] = {
    { { .n = 64, .d = 128, .h = 8, .m = 512, .V = 211, .L = 8, .mask = MASK_CAUSAL }, true },
    { { .n = 64, .d = 256, .h = 4, .m = 1024, .V = 211, .L = 12, .mask = MASK_CAUSAL }, true },
};

/* ---- options ------------------------------------------------------------------------------------- */

enum { SCALE_QUICK, SCALE_DEFAULT, SCALE_LARGE };
static struct {
    const claim *C;
    arith_spec   over[ARITHS * 2];
    int          arithmetics;
    long         trials, only_trial;     /* 0: the plan's; -1: all                                     */
    uint64_t     seed;
    const char  *shape, *part, *which, *out, *certificates;
    int          scale, gain;
    corner       corner;
    bool         list, describe, fork, strict;
} opt = { .only_trial = -1, .seed = 20261121, .scale = SCALE_DEFAULT };

enum { OPT_LIST = 256, OPT_DESCRIBE, OPT_ARITH, OPT_TRIALS, OPT_TRIAL, OPT_SEED, OPT_SHAPE, OPT_PART, OPT_CASE,
       OPT_SCALE, OPT_GAIN, OPT_CORNER, OPT_OUT, OPT_CERTIFICATES, OPT_FORK,
       OPT_STRICT };
static const struct argp_option options[] = {
    { "arith", OPT_ARITH, "LIST", 0, "arithmetics, comma-separated: f64 mpfr[:bits] arb[:bits] fp[:prime] q sym", 0 },
    { "trials", OPT_TRIALS, "N", 0, "random models per shape (default 3)", 0 },
    { "seed", OPT_SEED, "N", 0, "seed of all draws (default 20261121); random: the system draws one", 0 },
    { "scale", OPT_SCALE, "S", 0, "quick, default or large", 0 },
    { "shape", OPT_SHAPE, "TEXT", 0, "one shape instead of the plan's, as --list prints them", 0 },
    { "part", OPT_PART, "NAME", 0, "only this part", 0 },
    { "case", OPT_CASE, "NAME", 0, "only `claim`, `minimal` or this control", 0 },
    { "trial", OPT_TRIAL, "K", 0, "only trial K of each shape: replays an evidence row", 0 },
    { "gain", OPT_GAIN, "G", 0, "multiply every draw by 2^G", 0 },
    { "corner", OPT_CORNER, "C", 0, "draws that are sparse, repeated or near-singular", 0 },
    { "out", OPT_OUT, "FILE", 0, "write the evidence rows to FILE; `-` prints them", 0 },
    { "certificates", OPT_CERTIFICATES, "FOLDER", 0, "write certificates for proofcheck to FOLDER, no more", 0 },
    { "list", OPT_LIST, NULL, 0, "parts, cases and shapes", 0 },
    { "describe", OPT_DESCRIBE, NULL, 0, "the claim in full, for reports", 0 },
    { "strict", OPT_STRICT, NULL, 0, "with --certificates: fail also where a certificate would state nothing", 0 },
    { "fork", OPT_FORK, NULL, 0, "run each test in a process of its own", 0 },
    { 0 } };

static void parse_ariths(const char *text)
{
    char *copy = must_strdup(text), *save = NULL;
    for (char *item = strtok_r(copy, ",", &save); item; item = strtok_r(NULL, ",", &save)) {
        if (opt.arithmetics == (int)COUNT(opt.over)) die("--arith: at most %zu arithmetics", COUNT(opt.over));
        const char *wrong = arith_spec_parse(&opt.over[opt.arithmetics++], item);
        if (wrong) die("--arith=%s: %s", item, wrong);
    }
    free(copy);
    if (!opt.arithmetics) die("--arith: choose among f64 mpfr[:bits] arb[:bits] fp[:prime] q sym");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    switch (key) {
    case OPT_LIST:     opt.list = true; break;
    case OPT_DESCRIBE: opt.describe = true; break;
    case OPT_FORK:     opt.fork = true; break;
    case OPT_STRICT:   opt.strict = true; break;
    case OPT_ARITH:    parse_ariths(arg); break;
    case OPT_TRIALS:   opt.trials = option_whole(arg, "--trials", 1, 1000000); break;
    case OPT_TRIAL:    opt.only_trial = option_whole(arg, "--trial", 0, 1000000); break;
    case OPT_GAIN:     opt.gain = (int)option_whole(arg, "--gain", -40, 40); break;
    case OPT_SHAPE:    opt.shape = arg; break;
    case OPT_PART:     opt.part = arg; break;
    case OPT_CASE:     opt.which = arg; break;
    case OPT_OUT:      opt.out = arg; break;
    case OPT_CERTIFICATES: opt.certificates = arg; break;
    case OPT_SEED:     opt.seed = option_seed(arg, "--seed"); break;
    case OPT_SCALE:
        opt.scale = (int)option_word(arg, "--scale", (const char *const[]){ "quick", "default", "large" }, 3);
        break;
    case OPT_CORNER:
        opt.corner = (corner)(1 + option_word(arg, "--corner",
                                              (const char *const[]){ "sparse", "repeated", "near-singular" }, 3));
        break;
    case ARGP_KEY_ARG: die("no arguments are taken, only options: see --help (`%s`)", arg);
    default: return ARGP_ERR_UNKNOWN;
    }
    (void)state;
    return 0;
}

/* ---- the plan -------------------------------------------------------------------------------------- */

/* The shapes of a part: its own, its claim's, or the standard ones. */
static const shape_case *shapes_of(const part *P, long *n)
{
    const claim *C = opt.C;
    *n = P->shapes ? (long)P->nshapes : C->shapes ? (long)C->nshapes : (long)COUNT(standard_shapes);
    return P->shapes ? P->shapes : C->shapes ? C->shapes : standard_shapes;
}

static long shape_count(const part *P)
{
    long n;
    if (opt.shape) return 1;
    return shapes_of(P, &n) == standard_shapes && opt.scale == SCALE_LARGE ? n + (long)COUNT(larger_shapes) : n;
}

/* Shape k of the plan with the hypotheses of the part set, complete. */
static shape_case shape_at(long k, const part *P)
{
    const claim *C = opt.C;
    long n;
    const shape_case *own = shapes_of(P, &n);
    shape_case s = opt.shape ? own[0] : k >= n ? larger_shapes[k - n] : own[k];
    if (opt.shape)                       /* sizes come from the first shape, switches from the text alone */
        s.sh = (shape){ .n = s.sh.n, .d = s.sh.d, .h = s.sh.h, .m = s.sh.m, .V = s.sh.V, .L = s.sh.L };
    const char *wrong = opt.shape ? shape_parse(&s.sh, opt.shape) : shape_complete(&s.sh);
    if (wrong) die("--shape: %s", wrong);
    void (*prepare)(shape *) = P->prepare ? P->prepare : C->prepare;
    if (prepare) prepare(&s.sh);
    wrong = shape_complete(&s.sh);
    if (wrong) die("--shape: with the hypotheses of %s set: %s", C->id, wrong);
    if (opt.shape) s.large = 0;
    return s;
}

/* Over sym a claim is also run with these numbers of heads; the width of a head is a symbol there. */
static const long sym_heads[] = { 1, 2, 3, 5 };

/* The plan's first shape with h heads, where its sizes and the hypotheses of the part leave that open. */
static bool shape_with_heads(const part *P, long h, shape_case *s)
{
    long n;
    const shape_case *own = shapes_of(P, &n);
    void (*prepare)(shape *) = P->prepare ? P->prepare : opt.C->prepare;
    if (opt.shape || own[0].large || own[0].sh.dk) return false;
    *s = own[0];
    s->sh.h = h;
    s->sh.d = 4 * h;                                      /* d_k = 4: sym takes another one */
    if (shape_complete(&s->sh)) return false;
    if (prepare) prepare(&s->sh);
    return !shape_complete(&s->sh);
}

static bool names(const char *list, const char *name)       /* "q sym" names q */
{
    const size_t n = strlen(name);
    for (const char *at = list; at && (at = strstr(at, name)); at += n)
        if ((at == list || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0')) return true;
    return false;
}

/* The arithmetics a part leaves out; figures are measured in doubles alone, witnesses not over prime fields. */
static const char *left_out(const part *P)
{
    static char with_fp[32];
    if (P->kind == PART_MEASURED) return "mpfr arb fp q sym";
    if (runner_decides_over_fp(P->kind) || names(P->without, "fp")) return P->without;
    snprintf(with_fp, sizeof with_fp, "%s%sfp", P->without ? P->without : "", P->without ? " " : "");
    return with_fp;
}

static const char *why_left_out(const part *P)
{
    if (P->kind == PART_MEASURED) return "a measured figure is evidence in doubles, and no more";
    return P->why_without ? P->why_without : "a witness is decided over the rationals or in balls";
}

static bool runs_over(const part *P, int kind) { return !names(left_out(P), arith_names[kind]); }

static bool only_over(const part *P, int kind)
{
    for (int k = 0; k < ARITHS; k++) if (runs_over(P, k) != (k == kind)) return false;
    return true;
}

/* How many trials of a case; 0: the plan leaves it out.  What the user asks for by --shape, --trial or
 * --trials is run as asked. */
static long planned(const part *P, const arith_spec *over, bool is_claim, const shape_case *s, long k)
{
    const bool asked = opt.shape || opt.only_trial >= 0;
    const long many = opt.trials ? opt.trials : opt.scale == SCALE_QUICK ? 1 : 3;
    if (s->large == ONLY_AT_LARGE && opt.scale != SCALE_LARGE && !opt.shape) return 0;
    if (asked) return many;
    if (s->large) {
        if (P->no_large || opt.scale == SCALE_QUICK || over->kind == A_MPFR || over->kind == A_Q) return 0;
        return is_claim || over->kind == A_FP ? 1 : 0;
    }
    switch (over->kind) {
    case A_SYM:  return 1;
    case A_Q:    return s->sh.d > 6 ? 0 : is_claim || !runner_decides_over_fp(P->kind) ? many : 1;
    case A_MPFR: return k == 0 && is_claim ? many : k == 0 || is_claim;
    case A_ARB:  return is_claim || only_over(P, A_ARB) ? many : s->sh.d <= 8 ? 1 : 0;
    default:     return many;
    }
}

/* The minimal control changes an entry by 2^-40: below what doubles resolve. */
static bool has_case(const part *P, long c, const arith_spec *over)
{
    if (c < 0) return true;                                         /* the claim */
    if (c < (long)P->ncontrols) return true;
    return !P->no_minimal && over->kind != A_F64;
}

static const char *case_name(const part *P, long c)
{
    return c < 0 ? "claim" : c < (long)P->ncontrols ? P->controls[c].name : "minimal";
}

/* ---- the suite -------------------------------------------------------------------------------------- */

typedef struct { const part *P; long c; const arith_spec *over; TTest test; } item;     /* c: -1 claim, else control */
static item *items;
static int   nitems;
static const char *rows_path, *rungs_path, *figures_path;
static outfile kept_rows, kept_rungs, kept_figures;            /* of --out: what the paths above become        */

static bool filtered(void)
{
    return opt.part || opt.which || opt.shape || opt.only_trial >= 0 || opt.arithmetics != ARITHS
        || opt.scale == SCALE_QUICK || opt.corner != CORNER_NONE || opt.gain || (opt.trials && opt.trials < 3);
}

static FILE *append_to(const char *path)
{
    FILE *f = fopen(path, "a");
    if (!f) die("cannot write %s: %s; make the folder or choose another with --out", path, strerror(errno));
    return f;
}

static void close_written(FILE *f, const char *path)        /* a half-written file does not stay */
{
    const bool bad = ferror(f) != 0;
    if (fclose(f) == 0 && !bad) return;
    const int why = errno;
    unlink(rows_path);
    unlink(rungs_path);
    unlink(figures_path);
    die("cannot write %s: %s; free some space", path, strerror(why));
}

typedef struct { FILE *rows, *rungs, *figures; } output;

static void run_trials(const item *it, const shape *sh, long n, const output *to)
{
    for (long nth = 0; nth < n; nth++) {
        job j = { .claim = opt.C, .part = it->P, .sh = *sh, .over = *it->over, .seed = opt.seed,
                  .trial = opt.only_trial >= 0 ? opt.only_trial : nth, .gain = opt.gain, .corner = opt.corner,
                  .control = it->c >= 0 && it->c < (long)it->P->ncontrols ? &it->P->controls[it->c] : NULL,
                  .minimal = it->c == (long)it->P->ncontrols };
        const row r = runner_run(&j, to->rungs, to->figures);
        evidence_row_write(to->rows, &r);
        if (opt.only_trial >= 0) break;
    }
}

/* The shapes that sym has seen of an item, adapted: sizes of the plan that differ there are one. */
typedef struct { char (*text)[224]; long n; } seen_shapes;

static bool is_new(seen_shapes *seen, shape sh)
{
    char text[sizeof *seen->text];
    runner_adapt_shape(A_SYM, &sh);
    shape_print(text, sizeof text, &sh);
    for (long k = 0; k < seen->n; k++) if (strcmp(seen->text[k], text) == 0) return false;
    seen->text = must_realloc(seen->text, (size_t)seen->n + 1, sizeof *seen->text);
    memcpy(seen->text[seen->n++], text, sizeof text);
    return true;
}

static void run_item(const item *it)
{
    const output to = { append_to(rows_path), append_to(rungs_path), append_to(figures_path) };
    const bool sym = it->over->kind == A_SYM;
    seen_shapes seen = { 0 };
    for (long k = 0; k < shape_count(it->P); k++) {
        const shape_case s = shape_at(k, it->P);
        const long n = planned(it->P, it->over, it->c < 0, &s, k);
        if (!sym || (n && is_new(&seen, s.sh))) run_trials(it, &s.sh, n, &to);
    }
    shape_case s;
    for (size_t h = 0; sym && it->c < 0 && h < COUNT(sym_heads); h++)            /* with the switches of the first */
        if (shape_with_heads(it->P, sym_heads[h], &s) && is_new(&seen, s.sh)) run_trials(it, &s.sh, 1, &to);
    free(seen.text);
    close_written(to.figures, figures_path);
    close_written(to.rungs, rungs_path);
    close_written(to.rows, rows_path);
}

static void replay_line(char *to, size_t size, const row *r)
{
    snprintf(to, size, "%s --part=%s --case=%s --arith=%s --shape=\"%s\" --seed=%llu --trial=%ld", program_name,
             r->part, r->which, r->arith, r->shape, (unsigned long long)r->seed, r->trial);
}

/* One trial cannot be skipped where another of the same shape is not: the question arises or it does not. */
static const row *skipped_here_only(const rows *all, const row *r)
{
    for (long k = 0; k < all->n; k++) {
        const row *other = &all->at[k];
        if (strcmp(other->part, r->part) == 0 && strcmp(other->which, r->which) == 0
            && strcmp(other->arith, r->arith) == 0 && strcmp(other->shape, r->shape) == 0
            && other->skipped && !r->skipped) return other;
    }
    return NULL;
}

/* Whether the rows of one test are as they must be; the reason and the replay command otherwise. */
static bool as_it_must(const item *it, char *why, size_t size)
{
    rows all = { 0 };
    long holds = 0, seen = 0, skipped = 0;
    char note[sizeof ((row *)0)->note] = "";
    const row *bad = NULL, *undeclared = NULL, *skips = NULL;
    const bool must_hold = it->c < 0 && it->P->kind != PART_HYPOTHESIS;
    evidence_rows_read(&all, rows_path);
    for (long k = 0; k < all.n; k++) {
        const row *r = &all.at[k];
        if (strcmp(r->part, it->P->name) != 0 || strcmp(r->which, case_name(it->P, it->c)) != 0
            || strcmp(r->arith, arith_names[it->over->kind]) != 0) continue;
        seen++;
        holds += r->verdict == HOLDS;
        skipped += r->skipped;
        if (r->verdict == UNDECIDED && !r->skipped) evidence_row_text(note, sizeof note, r->note);
        if (r->undeclared) undeclared = r;
        if (!skips) skips = skipped_here_only(&all, r);
        if (r->verdict == (must_hold ? REFUTED : HOLDS)) bad = r;
    }
    char replay[640] = "";
    if (bad) replay_line(replay, sizeof replay, bad);
    const bool nothing = !bad && must_hold && seen > skipped && holds == 0 && it->over->kind != A_SYM
                      && opt.corner == CORNER_NONE;
    if (bad) snprintf(why, size, "%s %s over %s %s; replay: %s", it->P->name, case_name(it->P, it->c),
                      arith_names[it->over->kind], must_hold ? "is refuted" : "holds although it is broken", replay);
    if (nothing) snprintf(why, size, "%s %s over %s: no trial was decided%s%s", it->P->name, case_name(it->P, it->c),
                          arith_names[it->over->kind], note[0] ? ": " : "", note);
    if (undeclared) snprintf(why, size, "%s over sym %s; say so in its statement and in .assumes", it->P->name,
                             undeclared->note);
    if (skips) snprintf(why, size, "%s %s over %s: trial %ld is skipped and another of its shape is not", it->P->name,
                        skips->which, skips->arith, skips->trial);
    evidence_rows_free(&all);
    return !bad && !nothing && !undeclared && !skips;
}

static void test_case(int k)
{
    char why[1024] = "";
    run_item(&items[k]);
    ck_assert_msg(as_it_must(&items[k], why, sizeof why), "%s", why);
}

/* What a program must be before anything runs. */
static void check_declarations(const claim *C)
{
    REQUIRE(C->nparts <= MAX_PARTS, "%s has %zu parts; a claim has at most %d", C->id, C->nparts, MAX_PARTS);
    for (size_t p = 0; p < C->nparts; p++) {
        bool anywhere = false;
        for (int k = 0; k < ARITHS; k++) anywhere |= runs_over(&C->parts[p], k);
        REQUIRE(anywhere, "%s %s excludes every arithmetic", C->id, C->parts[p].name);
        REQUIRE(!C->parts[p].basis || !strstr(C->parts[p].basis, "proof"),
                "%s %s: a step that no program checks is named in .by_proof, not in .basis", C->id, C->parts[p].name);
    }
}

static Suite *build_suite(void)
{
    const claim *C = opt.C;
    check_declarations(C);
    Suite *suite = suite_create(C->id);
    size_t most = 0;
    for (size_t p = 0; p < C->nparts; p++) {
        most += C->parts[p].ncontrols + 2;
        REQUIRE(strlen(C->parts[p].name) < sizeof ((row *)0)->part, "part name %s is too long", C->parts[p].name);
        for (size_t c = 0; c < C->parts[p].ncontrols; c++)
            REQUIRE(strlen(C->parts[p].controls[c].name) < sizeof ((row *)0)->which, "control name %s is too long",
                    C->parts[p].controls[c].name);
    }
    items = must_calloc(most * (size_t)opt.arithmetics, sizeof *items);
    for (int a = 0; a < opt.arithmetics; a++) {
        TCase *over = tcase_create(arith_names[opt.over[a].kind]);
        tcase_set_timeout(over, 0);
        suite_add_tcase(suite, over);
        for (size_t p = 0; p < C->nparts; p++)
            for (long c = -1; c <= (long)C->parts[p].ncontrols; c++) {
                const part *P = &C->parts[p];
                if (!has_case(P, c, &opt.over[a]) || !runs_over(P, opt.over[a].kind)) continue;
                if (opt.part && strcmp(opt.part, P->name) != 0) continue;
                if (opt.which && strcmp(opt.which, case_name(P, c)) != 0) continue;
                const char *name = must_format("%s %s", P->name, case_name(P, c));
                items[nitems] = (item){ P, c, &opt.over[a], { name, test_case, __FILE__, __LINE__ } };
                tcase_add_loop_test(over, &items[nitems].test, nitems, nitems + 1);
                nitems++;
            }
    }
    return suite;
}

/* ---- what is printed ---------------------------------------------------------------------------------- */

static void list(void)
{
    const claim *C = opt.C;
    printf("%s  %s\n", C->id, C->title);
    for (size_t p = 0; p < C->nparts; p++) {
        printf("part %s\n  assumes: %s\n  case claim\n", C->parts[p].name, claim_part_assumes(C, &C->parts[p]));
        for (size_t c = 0; c < C->parts[p].ncontrols; c++)
            printf("  case %s: %s\n", C->parts[p].controls[c].name, C->parts[p].controls[c].why);
        if (!C->parts[p].no_minimal) printf("  case minimal: one reduced entry times 1 + 2^-40\n");
        if (left_out(&C->parts[p]))
            printf("  not over %s: %s\n", left_out(&C->parts[p]), why_left_out(&C->parts[p]));
        for (long k = 0; k < shape_count(&C->parts[p]); k++) {
            char text[256];
            const shape_case s = shape_at(k, &C->parts[p]);
            if (s.large && C->parts[p].no_large) continue;
            shape_print(text, sizeof text, &s.sh);
            printf("  shape \"%s\"%s\n", text, s.large == ONLY_AT_LARGE ? "  (with --scale=large: claim once)"
                   : s.large ? "  (large: claim once; controls over fp)" : "");
        }
    }
}

/* "quote: 003 | Theorem 4.4 | TEXT" */
static void print_quotations(const char *key, const quotation *q, size_t n)
{
    for (size_t k = 0; k < n; k++) printf("%s: %s | %s | %s\n", key, papers[q[k].in].tag, q[k].place, q[k].says);
}

static void describe(void)
{
    const claim *C = opt.C;
    printf("id: %s\ntitle: %s\nwhere: %s\n", C->id, C->title, C->where);
    print_quotations("quote", C->quotes, C->nquotes);
    print_quotations("standing", C->standing, C->nstanding);
    printf("hypotheses: %s\nconstruction: %s\nwhy: %s\ndepends: %s\n",
           C->hypotheses ? C->hypotheses : "", C->construction ? C->construction : "", C->why ? C->why : "",
           C->depends ? C->depends : "");
    for (size_t p = 0; p < C->nparts; p++) {
        const part *P = &C->parts[p];
        printf("part: %s\nkind: %s\nstatement: %s\nabout: %s\nassumes: %s\nbasis: %s\nby-proof: %s\n"
               "without: %s\nwhy-without: %s\n", P->name,
               part_kind_word(P->kind), P->statement ? P->statement : "", P->about == ABOUT_FINITE ? "finite" : "all",
               claim_part_assumes(C, P), P->basis ? P->basis : "",
               P->by_proof ? P->by_proof : "",
               left_out(P) ? left_out(P) : "", left_out(P) ? why_left_out(P) : "");
        for (size_t c = 0; c < P->ncontrols; c++) printf("control: %s: %s\n", P->controls[c].name, P->controls[c].why);
        if (!P->no_minimal) printf("control: minimal: one entry of one reduced matrix times $1+2^{-40}$\n");
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

/* Prints what the rows say; true when the program passed. */
static bool summarise(int failed)
{
    rows all = { 0 };
    evidence_rows_read(&all, rows_path);
    const claim_verdict c = judge_claim(&all, NULL, opt.C->id);
    bool good = failed == 0 && all.n > 0;
    for (long p = 0; p < c.parts; p++) {
        const part_verdict *v = &c.part[p];
        char behind[64];
        evidence_text(behind, sizeof behind, v);
        printf("%-14s %-16s %-17s %-14s", c.id, v->name, filtered() ? "PARTIAL" : verdict_word(v->is), behind);
        for (int k = 0; k < ARITHS; k++) print_answer(v, k);
        printf("  breaks caught %ld/%ld\n", v->refuted, v->controls);
        if (!filtered() && verdict_fails(v->is)) {
            printf("%-14s %-16s %s\n", "", "", v->why);
            good = false;
        }
    }
    for (size_t k = 0; k < opt.C->nparts && !filtered(); k++) {
        bool decided = false;
        for (long p = 0; p < c.parts; p++) decided |= strcmp(c.part[p].name, opt.C->parts[k].name) == 0;
        if (decided) continue;
        printf("%-14s %-16s no trial was run\n", c.id, opt.C->parts[k].name);
        good = false;
    }
    for (size_t k = 0; k < opt.C->nparts && !filtered(); k++) {
        const part *P = &opt.C->parts[k];
        if (P->kind != PART_IDENTITY || P->ncontrols) continue;
        printf("%-14s %-16s names no control: add one that breaks the construction\n", c.id, P->name);
        good = false;
    }
    if (c.corrected == V_REFUTED || c.corrected == V_CAVEAT) {
        printf("%s: the corrected statement is refuted\n", c.id);
        good = false;
    }
    if (!filtered() && c.log2logit > 12) {               /* beyond, softmax saturates and hides errors */
        printf("%s: logits reach 2^%.1f; scale the draws down\n", c.id, c.log2logit);
        good = false;
    }
    if (!all.n) printf("%s: nothing was run: no part, case or shape matches the options\n", c.id);
    if (filtered()) printf("PARTIAL run of %s: no verdict\n", c.id);
    evidence_rows_free(&all);
    return good;
}

static void print_rows(const char *path, FILE *to)
{
    char line[2048];
    FILE *f = fopen(path, "r");
    if (!f) die("cannot read %s: %s", path, strerror(errno));
    while (fgets(line, sizeof line, f)) fputs(line, to);
    fclose(f);
}

static void start_file(const char *path, void (*head)(FILE *))
{
    FILE *f = fopen(path, "w");
    if (!f) die("cannot write %s: %s; make the folder or choose another with --out", path, strerror(errno));
    head(f);
    close_written(f, path);
}

/* NAME.csv -> NAME.KIND.csv */
static char *beside(const char *path, const char *kind)
{
    const size_t n = strlen(path);
    const bool csv = n > 4 && strcmp(path + n - 4, ".csv") == 0;
    return must_format("%.*s.%s.csv", (int)(csv ? n - 4 : n), path, kind);
}

static bool measures_anything(void)
{
    for (size_t p = 0; p < opt.C->nparts; p++) if (opt.C->parts[p].kind == PART_MEASURED) return true;
    return false;
}

/* The part of a file beside --out, or a file of our own where nothing of the kind is kept. */
static const char *collect_in(outfile *kept, const char *kind, bool keep)
{
    if (!keep) return must_format("%s.%s", rows_path, kind);
    char *path = beside(opt.out, kind);
    *kept = outfile_open(path);
    if (!kept->part) die("cannot write %s: it is no regular file; choose another --out", path);
    free(path);
    return must_strdup(kept->part);
}

/* Rows are collected beside the final file, which appears whole or not at all; for a pipe, in a file of our own. */
static void open_rows(void)
{
    const char *folder = getenv("TMPDIR");
    if (opt.out && strcmp(opt.out, "-") != 0) kept_rows = outfile_open(opt.out);
    const bool kept = kept_rows.part != NULL;
    rows_path = kept ? must_strdup(kept_rows.part)
                     : must_format("%s/provably-%ld.csv", folder ? folder : "/tmp", (long)getpid());
    rungs_path = collect_in(&kept_rungs, "ladder", kept);
    figures_path = collect_in(&kept_figures, "figures", kept && measures_anything());
    start_file(rows_path, evidence_row_header);
    start_file(rungs_path, evidence_rung_header);
    start_file(figures_path, evidence_figure_header);
}

static void keep_rows(void)
{
    if (opt.out && !kept_rows.part) print_rows(rows_path, kept_rows.f ? kept_rows.f : stdout);
    if (kept_rows.part && opt.out) {
        char *figures = beside(opt.out, "figures");
        if (kept_figures.f) outfile_close(&kept_figures);
        else unlink(figures);                               /* none may outlive its program's figures */
        outfile_close(&kept_rungs);
        free(figures);
    } else {
        unlink(rows_path);
        unlink(rungs_path);
    }
    if (kept_rows.f) outfile_close(&kept_rows);
    unlink(figures_path);
}

/* Whether sym proves this part at this shape: only then is there something to certify. */
static bool sym_proves(const part *P, const shape *sh)
{
    const job j = { .claim = opt.C, .part = P, .sh = *sh, .over = { .kind = A_SYM }, .seed = opt.seed };
    return runner_run(&j, NULL, NULL).verdict == HOLDS;
}

/* False: with --strict, a part is the same steps on both sides, so that its certificate would state nothing. */
static bool certify(void)
{
    bool good = true;
    for (size_t p = 0; p < opt.C->nparts; p++) {
        const part *P = &opt.C->parts[p];
        if (opt.part && strcmp(opt.part, P->name) != 0) continue;
        certifier c = { .folder = opt.certificates, .id = opt.C->id, .part = P };
        const char *why = NULL;
        long proved = 0, lacking = 0;
        for (long k = 0; k < shape_count(P); k++) {
            const shape_case s = shape_at(k, P);
            if (s.large) continue;
            if (runs_over(P, A_SYM) && sym_proves(P, &s.sh)) {
                const char *failed = certify_symbolic(&c, opt.C, P, s.sh);
                proved++;
                lacking += failed != NULL;
                if (failed) why = failed;
            }
            if (P->certifies) certify_exact(&c, P, s.sh, opt.seed);
            certifier_clear(&c);
        }
        printf("%-14s %-16s %ld certificates; sym proves %ld shapes", opt.C->id, P->name, c.written, proved);
        if (why) printf("; %ld of them lack one: %s", lacking, why);
        putchar('\n');
        if (opt.strict && why == certify_same_steps && !c.written) good = false;
    }
    return good;
}

int theorem_main(const claim *C, int argc, char **argv)
{
    static const struct argp parser = { options, parse, NULL,
        "Decides one claim of the papers in every arithmetic.  Exit status: 0 as it must be, 1 not, 2 bad input.",
        NULL, NULL, NULL };
    base_init(argc, argv);
    libraries_init();
    argp_err_exit_status = 2;
    opt.C = C;
    argp_parse(&parser, argc, argv, 0, NULL, NULL);
    if (!opt.arithmetics) parse_ariths("f64,mpfr,arb,fp,q,sym");
    if (opt.list)     { list(); return 0; }
    if (opt.describe) { describe(); return 0; }
    if (opt.certificates) {
        const bool good = certify();
        libraries_clear();
        return good ? 0 : 1;
    }
    open_rows();
    Suite *suite = build_suite();
    SRunner *runner = srunner_create(suite);
    if (opt.fork) {                                 /* BLAS makes its threads before the first fork */
        double one = 1;
        cblas_dscal(1, 1.0, &one, 1);
    }
    srunner_set_fork_status(runner, opt.fork ? CK_FORK : CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const bool good = summarise(srunner_ntests_failed(runner));
    srunner_free(runner);
    keep_rows();
    for (int k = 0; k < nitems; k++) free((char *)items[k].test.name);
    free(items);
    free((char *)rows_path);
    free((char *)rungs_path);
    free((char *)figures_path);
    libraries_clear();
    return good ? 0 : 1;
}
