/* SPDX-License-Identifier: GPL-3.0-or-later
 * program.h - a theorem program: options, the plan of trials, a suite of tests, files of evidence, what is printed.
 *
 * One group of tests for each arithmetic, one test for each part and case.  A test runs its trials, writes their rows,
 * and makes one assertion about them; the summary at the end is judged from the file of all rows, so it is the same
 * whether tests are forked or not.  The files program_*.c share what is declared here; bodies see none of it. */
#ifndef PROGRAM_H
#define PROGRAM_H
#include "src/claim/runner/runner.h"

enum { SCALE_QUICK, SCALE_DEFAULT, SCALE_LARGE, SCALE_GPT2_SMALL };
typedef struct {
    const claim *C;
    arith_spec   over[ARITHS * 2];
    int          arithmetics;
    long         trials, only_trial;     /* 0: the plan's; -1: all                                     */
    uint64_t     seed;
    bool         seed_given;
    const char  *shape, *part, *which, *out, *certificates, *agreed;
    int          scale, gain;
    corner       corner;
    /* the last: --arith was not given */
    bool         list, describe, fork, strict, suite, all_logits, all_arithmetics;
} program_settings;
extern program_settings program;         /* set by program_parse and program_begin alone               */
void program_begin(const claim *C);      /* this claim, and no options: for what is asked of its plan  */
void program_parse(const claim *C, int argc, char **argv);           /* dies on a bad option           */
bool program_only_certifies(void);       /* --certificates without --out: no trial is run              */

/* ---- program_declares.c */

/* Contract of every claim: names of parts differ, also without regard to case, and so do those of the controls of a
 * part; none is `claim` or `minimal`; every part runs somewhere. */
void program_require_declarations(const claim *C);

/* ---- program_plan.c */

long       program_shape_count(const part *P);
shape_case program_shape_at(long k, const part *P);      /* with the hypotheses of the part set, complete */
/* What --shape is read on top of: the sizes of the part's first shape, every switch at its default. */
shape      program_plain_shape(const part *P);
/* Over sym a claim is also run with other numbers of heads, up to this many: the plan's first shape with h heads;
 * false: its sizes or the hypotheses of the part do not leave that open. */
enum { MAX_SYM_HEADS = 5 };
bool       program_shape_with_heads(const part *P, long h, shape_case *s);
/* The arithmetics a part leaves out, "q sym", and why; NULL: none. */
const char *program_left_out    (const part *P);
const char *program_why_left_out(const part *P);
bool       program_runs_over(const part *P, int kind);
/* Is this whole shape one of the part's plan, or what q or sym take for one, as in a row that is replayed?  Has one of
 * them this value of the key k (src/model/shape_keys.h)? */
bool       program_plans      (const part *P, const shape *sh);
bool       program_plans_value(const part *P, long k, long value);
/* Cases of a part: -1 the claim, from 0 its controls, then `minimal`. */
long       program_control_count(const part *P);
const control *program_control(const part *P, long c);
bool       program_has_case (const part *P, long c, const arith_spec *over);
const char *program_case_name(const part *P, long c);
/* How many trials of a case; 0: the plan leaves it out. */
long       program_trials(const part *P, const arith_spec *over, bool is_claim, const shape_case *s, long k);
bool       program_is_partial(void);                     /* the options leave something out: no verdict */

/* ---- program_sets.c */

/* What `prepare` sets in the part's first shape, "norm=none; mlp_skip=0", and what the `reshape` of its table sets in
 * that of the reduced model; "": nothing.  To be freed. */
char *program_prepares(const part *P) MUST_USE;
char *program_reshapes(const part *P) MUST_USE;

/* ---- program_asked.c */

/* Dies where a key of --shape is one that a hypothesis of a chosen part fixes, that no chosen arithmetic takes, or that
 * the part does not use: says which, what to look at instead, and which parts take the shape. */
void program_refuse_unused_shape(void);

/* ---- program_probe.c */

typedef struct {
    bool     ran, late;                                  /* neither: the body refused the shape by a contract; late: it
                                                            took more than five seconds                       */
    bool     decided, fails;                             /* some trial; one is refuted, or needs a hypothesis that the
                                                            part does not declare                             */
    double   seconds;
    /* matrices that it drew by a gain or in a corner, and as they are */
    long     altered, draws;
    uint64_t fingerprint;                                /* of what it checked (numerics/fingerprint.h)       */
} probe_outcome;
/* Does anything that is checked change with an option, or with a key of --shape? */
typedef enum { USED, UNUSED, UNKNOWN } option_use;
/* Of so many trials from j->trial on, in a process of its own: nothing of it is seen but the outcome. */
probe_outcome program_probe(const job *j, long trials);
/* Smaller sizes for a probe: whether a body uses a key does not depend on how large the others are. */
void       program_shrink(shape *sh);

/* ---- program_idle.c */

/* Dies where --seed, --trials, --gain or --corner changes nothing that a chosen part checks; with --suite it is passed
 * over. */
void program_refuse_idle_options(void);

/* ---- program_chosen.c */

bool program_chooses(const part *P);                     /* --part, and --scale=gpt2-small, leave the part in */
/* Dies where --part, --case or an arithmetic of --arith names nothing that this program has or can run: says what there
 * is, or why. */
void program_refuse_unused_choices(void);

/* ---- program_scale.c: --scale=gpt2-small */

struct stream_plan;
bool       program_streams(void);                        /* is that the scale?                         */
bool       program_streams_part(const part *P);          /* is it among the parts that run at that scale? */
shape      program_stream_sizes(void);                   /* those of GPT-2-small, as --shape finds them */
/* The shape 0 of that scale, GPT-2-small's or --shape on top of it, and 1, small: for three trials of each case. */
shape_case program_stream_shape(long k);
const struct stream_plan *program_stream_plan(void);     /* NULL at any other scale                    */
/* Dies where an option has no meaning at that scale; chooses the precision of arb and f64, and says so. */
void       program_prepare_streams(void);

/* ---- program_files.c: the rows, beside them rungs and figures */

typedef struct { FILE *rows, *rungs, *figures; } program_output;
const program_output *program_open_files(void);          /* with their headers                         */
void        program_check_written(void);                 /* dies, and removes them, if a write failed  */
const char *program_rows_path(void);
void        program_keep_files(void);                    /* they become what --out names               */

/* ---- program_suite.c */

int  program_run_suite(const program_output *to);        /* how many tests failed                      */
/* Runs the trials of test k and writes their rows; NULL: all is as expected, else what is not, to be freed. */
char *program_test_run(int k) MUST_USE;

/* ---- program_tests.c: how the tests of a suite are run, `fork`: each in a process of its own; how many failed.
 * theorem_program.c has another one, by Check. */

typedef struct { const char *group, *name; } program_test;       /* group: the arithmetic; of one it is one pointer */
typedef int program_tests_runner(const char *id, const program_test *tests, int n, bool fork);
extern program_tests_runner *program_tests_run;

/* ---- program_print.c, program_words.c, program_certify.c */

void program_list(void);
extern const char program_minimal_why[]; /* what the control `minimal` breaks, LaTeX                   */
void program_describe(FILE *f);
bool program_summarise(int failed);                      /* prints what the rows say; did it pass?     */
/* The end of a run in plain text: what is undecided and why, then the verdict of the tests beside the recorded one, or,
 * of a partial run, whether all held.  good: nothing above says otherwise. */
void program_print_words(const claim_verdict *c, const rows *all, bool good);
/* False: with --strict, a part is the same steps on both sides, so that its certificate would state nothing. */
bool program_certify(void);
#endif
