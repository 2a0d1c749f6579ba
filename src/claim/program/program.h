/* program.h - a theorem program: options, the plan of trials, a Check suite, files of evidence, what is printed.
 *
 * One TCase for each arithmetic, one test for each part and case.  A test runs its trials, writes their rows, and makes
 * one assertion about them; the summary at the end is judged from the file of all rows, so it is the same whether Check
 * forks or not.  The files program_*.c share what is declared here; bodies see none of it. */
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
    const char  *shape, *part, *which, *out, *certificates;
    int          scale, gain;
    corner       corner;
    bool         list, describe, fork, strict, all_logits;
} program_settings;
extern program_settings program;         /* set by program_parse alone                                 */
void program_parse(const claim *C, int argc, char **argv);           /* dies on a bad option           */

/* ---- program_plan.c */

long       program_shape_count(const part *P);
shape_case program_shape_at(long k, const part *P);      /* with the hypotheses of the part set, complete */
/* Over sym a claim is also run with other numbers of heads: the plan's first shape with h heads; false: its sizes or
 * the hypotheses of the part do not leave that open. */
bool       program_shape_with_heads(const part *P, long h, shape_case *s);
/* The arithmetics a part leaves out, "q sym", and why; NULL: none. */
const char *program_left_out    (const part *P);
const char *program_why_left_out(const part *P);
bool       program_runs_over(const part *P, int kind);
/* Cases of a part: -1 the claim, from 0 its controls, then `minimal`. */
long       program_control_count(const part *P);
const control *program_control(const part *P, long c);
bool       program_has_case (const part *P, long c, const arith_spec *over);
const char *program_case_name(const part *P, long c);
/* How many trials of a case; 0: the plan leaves it out. */
long       program_trials(const part *P, const arith_spec *over, bool is_claim, const shape_case *s, long k);
bool       program_is_partial(void);                     /* the options leave something out: no verdict */

/* ---- program_scale.c: --scale=gpt2-small */

struct stream_plan;
bool       program_streams(void);                        /* is that the scale?                         */
bool       program_streams_part(const part *P);          /* is it among the parts that run at that scale? */
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

/* ---- program_print.c, program_certify.c */

void program_list(void);
void program_describe(void);
bool program_summarise(int failed);                      /* prints what the rows say; did it pass?     */
/* False: with --strict, a part is the same steps on both sides, so that its certificate would state nothing. */
bool program_certify(void);
#endif
