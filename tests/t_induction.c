/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_induction.c - "every depth" is granted to tables that are right for every layer, and to no others. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "src/claim/reduce.h"
#include "src/claim/runner/runner.h"
#include "src/model/stack.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

/* ---- running a table as a part --------------------------------------------------------------------- */

static shape plain(reduction which)
{
    shape sh = { .n = 4, .d = 4, .h = 2, .m = 8, .V = 7, .L = 2 };
    reduce_switches(&sh, which);
    return sh;
}

static row run_at(const induction *how, shape sh, body *run, const char *assumes, int arithmetic)
{
    const part P = { .name = "as-stated", .kind = PART_IDENTITY, .run = run, .induction = how, .assumes = assumes };
    const claim C = { .id = "T", .parts = &P, .nparts = 1 };
    job j = { .claim = &C, .part = &P, .seed = 1, .over = { .kind = arithmetic }, .sh = sh,
              .certifies = true };                       /* without the models that runner_guards.c adds */
    ck_assert_ptr_null(shape_complete(&j.sh));
    return runner_run(&j, NULL, NULL);
}

static row prove(const induction *how, shape sh)
{
    return run_at(how, sh, claim_by_induction,
                  "invertible W_Q; invertible W_K; invertible W_V; invertible W_O; invertible Theta; orthogonal Omega", A_SYM);
}

static bool every(row r) { return r.verdict == HOLDS && r.depth == DEPTH_EVERY && r.scope == SCOPE_ALL_SIZES; }

/* ---- layers ------------------------------------------------------------------------------------------ */

static const mat *key_chooses(const layer_site *at, const layer *W)    { (void)at; return W->K; }
static const mat *value_chooses(const layer_site *at, const layer *W)  { (void)at; return W->V; }
static const mat *output_chooses(const layer_site *at, const layer *W) { return mat_inv(at->s, W->O); }
static void key_goes(const layer_site *at, const layer *W, layer *R)   { (void)W; R->K = mat_identity(at->s, at->sh.d); }
static void value_goes(const layer_site *at, const layer *W, layer *R) { (void)W; R->V = mat_identity(at->s, at->sh.d); }
static void output_goes(const layer_site *at, const layer *W, layer *R) { (void)W; R->O = mat_identity(at->s, at->sh.d); }
static void value_left(const layer_site *at, const layer *W, layer *R)
{
    reduce_query_to_identity(at, W, R);
    R->V = W->V;
}
/* The MLP writes in the basis of layer 1 by its name: right in layer 0 of two layers, and nowhere else. */
static void out_by_name(const layer_site *at, const layer *W, layer *R)
{
    reduce_query_to_identity(at, W, R);
    const mat *next = mat_draw(at->s, "W_Q.1", at->sh.d, at->sh.d, mat_log2_fan_in(at->sh.d));
    R->expert[0].down = mat_mul(at->s, W->expert[0].down, next);
}
static const mat *same_as_first(scope *s, const shape *sh, basis first) { (void)s; (void)sh; return first.to; }
static void key_of_layer_0(const layer_site *at, const layer *W, layer *R)
{
    reduce_query_to_identity(at, W, R);
    R->K = mat_mul(at->s, at->in.from, mat_draw(at->s, "W_K.0", at->sh.d, at->sh.d, mat_log2_fan_in(at->sh.d)));
}
static const mat *query_of_layer_1(scope *s, const shape *sh, basis first)
{
    (void)first;
    return mat_draw(s, "W_Q.1", sh->d, sh->d, mat_log2_fan_in(sh->d));
}
#define QUERY   { .name = "query", .chooses = reduce_query_basis, .reduce = reduce_query_to_identity }
#define KEY     { .name = "key", .chooses = key_chooses, .reduce = key_goes }
#define VALUE   { .name = "value", .chooses = value_chooses, .reduce = value_goes }
#define BROKEN  { .name = "value left alone", .chooses = reduce_query_basis, .reduce = value_left }
#define OTHER   { .name = "other" }
#define BY_NAME { .name = "out by name", .chooses = reduce_query_basis, .reduce = out_by_name }
static const layer_kind one[]     = { QUERY, OTHER },        mixed[]   = { QUERY, KEY, VALUE };
static const layer_kind bad[]     = { QUERY, BROKEN },       by_name[] = { BY_NAME };
static const layer_kind twice[]   = { QUERY, { .name = "chooses as well", .chooses = reduce_query_basis, .reduce = reduce_query_to_identity } };
static const layer_kind knowing[] = { { .name = "knowing", .chooses = reduce_query_basis, .reduce = key_of_layer_0 } };
static const layer_kind outputs[] = { { .name = "output", .chooses_out = output_chooses, .reduce = output_goes } };
static const layer_kind clash[]   = { { .name = "both", .chooses = reduce_query_basis, .chooses_out = output_chooses } };

static long in_turn(const shape *sh, long i)  { (void)sh; return i % 3; }
static long third_bad(const shape *sh, long i)  { (void)sh; return i == 2; }
static long eighth_bad(const shape *sh, long i) { (void)sh; return i == 7; }
static long deep_chooses(const shape *sh, long i) { return !(sh->L > 2 && i == 0); }
static long deep_bad(const shape *sh, long i)   { return sh->L > 8 && i == 0; }

/* ---- ends --------------------------------------------------------------------------------------------- */

static void embedding_left(scope *s, const model *M, model *R, basis first, basis last)
{
    (void)s; (void)first; (void)last;
    R->E = M->E;
}
static void positions_left(scope *s, const model *M, model *R, basis first, basis last)
{
    (void)s; (void)first; (void)last;
    R->P = M->P;
}
static void head_left(scope *s, const model *M, model *R, basis first, basis last)
{
    (void)s; (void)first; (void)last;
    R->head = M->head;
}
/* W_Q of layer 0 by its name in place of the basis: right in every model whose layer 0 chooses. */
static const mat *query_0(scope *s, const model *M) { return mat_draw(s, "W_Q.0", M->s.d, M->s.d, mat_log2_fan_in(M->s.d)); }
static void embedding_by_name(scope *s, const model *M, model *R, basis first, basis last)
{
    (void)first; (void)last;
    R->E = mat_mul(s, M->E, query_0(s, M));
}
static void head_by_name(scope *s, const model *M, model *R, basis first, basis last)
{
    (void)first; (void)last;
    R->head = mat_mul(s, mat_inv(s, query_0(s, M)), M->head);
}
static const mat *not_transposed(scope *s, const shape *sh, basis first) { (void)s; (void)sh; return first.from; }

/* ---- tables --------------------------------------------------------------------------------------------- */

#define TABLE(kinds_, n, plan, ...) { .kinds = kinds_, .nkinds = n, .bases = plan, __VA_ARGS__ }
static const induction each = TABLE(one, 1, BASIS_EACH, .free = FREE_ANY);
static const induction single = TABLE(one, 2, BASIS_ONE, .free = FREE_ANY);
static const induction middle = TABLE(one, 2, BASIS_ONE, .which = LAYER_MIDDLE);
static const induction any = TABLE(one, 2, BASIS_ONE, .which = LAYER_ANY);
static const induction shared = TABLE(one, 1, BASIS_ONE, .free = FREE_ANY);
static const induction three = TABLE(mixed, 3, BASIS_EACH, .kind_of = in_turn);
static const induction writing = TABLE(outputs, 1, BASIS_EACH, .free = FREE_IDENTITY);

static shape tied(shape sh)              { sh.tied = true; return sh; }
static shape periodic(shape sh, long p)  { sh.shared = p; sh.L = 2 * p; return sh; }
static shape deep(shape sh, long L)      { sh.L = L; return sh; }
static shape mlp_skip_only(shape sh)     { sh.attn_skip = false; sh.mlp_skip = true; return sh; }

START_TEST(right_tables_hold_at_every_depth)
{
    ck_assert(every(prove(&each, plain(ATTENTION_SKIP))));
    ck_assert(every(prove(&each, tied(plain(ATTENTION_SKIP)))));
    ck_assert(every(prove(&single, plain(ONE_LAYER))));
    ck_assert(every(prove(&middle, plain(ONE_LAYER))));
    ck_assert(every(prove(&any, deep(plain(ONE_LAYER), 12))));
    ck_assert(every(prove(&shared, plain(SHARED_BLOCK))));
    ck_assert(every(prove(&three, plain(ATTENTION_SKIP))));
    ck_assert(every(prove(&three, deep(plain(ATTENTION_SKIP), 1))));
    ck_assert(every(prove(&writing, mlp_skip_only(plain(ATTENTION_SKIP)))));
    ck_assert(every(prove(&single, periodic(plain(ONE_LAYER), 3))));         /* the first of three, in all its copies */
    ck_assert(every(prove(&reduction_single_head, (shape){ .n = 4, .d = 4, .h = 1, .m = 8, .V = 7, .L = 2 })));
}
END_TEST

/* Whatever the hypotheses are, they come from the layers and the chain, not from the fresh bases between them. */
START_TEST(fresh_bases_are_no_hypotheses)
{
    ck_assert_str_eq(prove(&each, plain(ATTENTION_SKIP)).uses->text, "invertible W_Q");
    ck_assert_str_eq(prove(&three, plain(ATTENTION_SKIP)).uses->text, "invertible W_K; invertible W_Q; invertible W_V");
    ck_assert_str_eq(prove(&reduction_single_head, (shape){ .n = 4, .d = 4, .h = 1, .m = 8, .V = 7, .L = 2 }).uses->text, "");
}
END_TEST

static const struct { const char *what; induction how; reduction which; bool is_tied; long L, period; bool stack_holds; } wrong[] = {
    { "the second kind is broken",        TABLE(bad, 2, BASIS_EACH, .free = FREE_ANY), ATTENTION_SKIP, false, 2, 0, false },
    { "layer 3 is broken",                TABLE(bad, 2, BASIS_EACH, .kind_of = third_bad), ATTENTION_SKIP, false, 2, 0, true },
    { "layer 8 is broken",                TABLE(bad, 2, BASIS_EACH, .kind_of = eighth_bad), ATTENTION_SKIP, false, 2, 0, true },
    { "broken in models of 9 layers",     TABLE(bad, 2, BASIS_EACH, .kind_of = deep_bad), ATTENTION_SKIP, false, 2, 0, true },
    { "two layers choose one basis",      TABLE(twice, 2, BASIS_ONE, .free = FREE_ANY), ONE_LAYER, false, 2, 0, false },
    { "they do, but not at this depth",   TABLE(twice, 2, BASIS_ONE, .free = FREE_ANY), ONE_LAYER, false, 1, 0, true },
    { "two of three shared layers",       TABLE(one, 1, BASIS_ONE, .free = FREE_ANY), ONE_LAYER, false, 6, 3, false },
    { "unshared layers, one basis",       TABLE(one, 1, BASIS_ONE, .free = FREE_ANY), ONE_LAYER, false, 2, 0, false },
    { "own bases across the MLP's skip",  TABLE(one, 1, BASIS_EACH, .free = FREE_ANY), ONE_LAYER, false, 2, 0, false },
    { "that, at depth 1",                 TABLE(one, 1, BASIS_EACH, .last = same_as_first), ONE_LAYER, false, 1, 0, true },
    { "it knows the weights of layer 0",  TABLE(knowing, 1, BASIS_EACH, .free = FREE_ANY), ATTENTION_SKIP, false, 1, 0, true },
    { "the embedding is left alone",      TABLE(one, 1, BASIS_EACH, .ends = embedding_left), ATTENTION_SKIP, false, 2, 0, false },
    { "the positions are left alone",     TABLE(one, 1, BASIS_EACH, .ends = positions_left), ATTENTION_SKIP, false, 2, 0, false },
    { "the head is left alone",           TABLE(one, 2, BASIS_ONE, .ends = head_left), ONE_LAYER, false, 2, 0, false },
    { "the embedding knows one basis",    TABLE(one, 1, BASIS_EACH, .ends = embedding_by_name), ATTENTION_SKIP, false, 2, 0, true },
    { "the head knows one basis",         TABLE(one, 2, BASIS_ONE, .ends = head_by_name), ONE_LAYER, false, 2, 0, true },
    { "the out basis is not passed on",   TABLE(by_name, 1, BASIS_EACH, .last = query_of_layer_1), ATTENTION_SKIP, false, 2, 0, true },
    { "tied, not transposed",             TABLE(one, 1, BASIS_EACH, .last = not_transposed), ATTENTION_SKIP, true, 2, 0, false },
    { "tied, one basis not orthogonal",   TABLE(one, 2, BASIS_ONE, .free = FREE_ANY), ONE_LAYER, true, 2, 0, false },
    { "orthogonal, but one is chosen",    TABLE(one, 2, BASIS_ONE, .free = FREE_ORTHOGONAL, .kind_of = deep_chooses), ONE_LAYER,
      true, 2, 0, true },
    { "two masters of an interface",      TABLE(clash, 1, BASIS_EACH, .free = FREE_ANY), ATTENTION_SKIP, false, 2, 0, true },
};

static shape shape_of_wrong(size_t k)
{
    shape sh = plain(wrong[k].which);
    sh.tied = wrong[k].is_tied;
    sh.shared = wrong[k].period;
    sh.L = wrong[k].L;
    return sh;
}

START_TEST(wrong_tables_get_nothing)
{
    const row r = prove(&wrong[_i].how, shape_of_wrong((size_t)_i));
    ck_assert_msg(!every(r), "%s: granted", wrong[_i].what);
}
END_TEST

/* What the two layers alone would have let pass: the induction is what refuses it. */
static const induction *table_of_body;
static void stack_alone(trial *t) { claim_built(t, t->sh, table_of_body); }

START_TEST(the_stack_alone_would_pass)
{
    table_of_body = &wrong[_i].how;
    const row r = run_at(NULL, shape_of_wrong((size_t)_i), stack_alone,
                         "invertible W_Q; invertible W_O; invertible Theta; orthogonal Omega", A_SYM);
    ck_assert_msg((r.verdict == HOLDS) == wrong[_i].stack_holds, "%s: %s", wrong[_i].what, r.note);
    ck_assert_int_eq(r.depth, DEPTH_RUN);
}
END_TEST

/* ---- bodies that go round the table ------------------------------------------------------------------------ */

static void by_hand(trial *t) { claim_built(t, t->sh, &each); }
static void table_and_more(trial *t)
{
    claim_by_induction(t);
    claim_built(t, t->sh, &each);
}
static void looks_at_depth(trial *t)
{
    if (t->sh.L < 3) claim_by_induction(t);
    else             claim_built(t, t->sh, &wrong[0].how);
}
static void whole_stack(trial *t)
{
    const mat *A = mat_draw(&t->s, "A", 3, 3, 0), *B = mat_draw(&t->s, "B", 3, 3, 0);
    claim_whole(t, "stack", mat_add(&t->s, A, B), mat_add(&t->s, B, A));
}

START_TEST(only_the_table_of_the_part_counts)
{
    static const struct { body *run; model_depth depth; } is[] = {
        { claim_by_induction, DEPTH_EVERY }, { by_hand, DEPTH_RUN }, { table_and_more, DEPTH_RUN },
        { whole_stack, DEPTH_RUN } };
    for (size_t k = 0; k < COUNT(is); k++) {
        const row r = run_at(&each, plain(ATTENTION_SKIP), is[k].run, "invertible W_Q", A_SYM);
        ck_assert_int_eq(r.verdict, HOLDS);
        ck_assert_int_eq(r.depth, is[k].depth);
    }
}
END_TEST

/* ---- models that a body evaluates itself, beside the induction or without it ------------------------------- */

static const mat *input(scope *s, const model *M) { return mat_draw(s, "X", M->s.n, M->s.d, 0); }
static const mat *forward(scope *s, const model *M)      { return model_forward(s, M); }
static const mat *stacked(scope *s, const model *M)      { return stack_output(s, M, input(s, M)); }
static const mat *second_block(scope *s, const model *M) { return model_block(s, M, 1, input(s, M)); }
static const mat *second_mlp(scope *s, const model *M)   { return model_mlp(s, M, 1, input(s, M)); }
static const mat *second_stack(scope *s, const model *M) { return stack_weights(s, M, 1, 0, input(s, M)); }
static const mat *first_block(scope *s, const model *M)  { return model_block(s, M, 0, input(s, M)); }
static const struct { const mat *(*value)(scope *s, const model *M); long L; bool deep; } seen[] = {
    { forward, 2, true }, { forward, 1, true }, { stacked, 2, true }, { stacked, 1, true }, { second_block, 2, true },
    { second_mlp, 2, true }, { second_stack, 2, true }, { first_block, 2, false },
};
static int seen_now;
static bool with_induction;
static void twice_the_same(trial *t)                      /* Y + 0 = Y: an equation of matrices, not of functions */
{
    const model M = model_random(&t->s, t->sh);
    const mat *Y = seen[seen_now].value(&t->s, &M);
    claim_equal(t, "the same", mat_add(&t->s, Y, mat_zero(&t->s, Y->rows, Y->cols)), mat_scale(&t->s, 1, 0, Y));
    if (with_induction) claim_by_induction(t);
}

START_TEST(what_was_seen_at_one_depth)
{
    seen_now = _i;
    for (int with = 0; with < 2; with++) {
        with_induction = with;
        const row r = run_at(&each, deep(plain(ATTENTION_SKIP), seen[_i].L), twice_the_same, "invertible W_Q", A_SYM);
        ck_assert_int_eq(r.verdict, HOLDS);
        ck_assert_int_eq(r.depth, seen[_i].deep ? DEPTH_RUN : with ? DEPTH_EVERY : DEPTH_NONE);
    }
}
END_TEST

/* A table's facts are shown of one layer; two models that they compare were seen at their depth. */
static void compares_models(trial *t, const layer_site *at, const layer *R)
{
    (void)at; (void)R;
    const model M = model_random(&t->s, t->sh);
    const mat *Y = model_forward(&t->s, &M);
    claim_whole(t, "whole", mat_add(&t->s, Y, Y), mat_scale(&t->s, 2, 0, Y));
}
static void compares_stacks(trial *t, const layer_site *at, const layer *R)
{
    (void)at; (void)R;
    const mat *A = mat_draw(&t->s, "A", 3, 3, 0);
    claim_whole(t, "whole", mat_add(&t->s, A, A), mat_scale(&t->s, 2, 0, A));
}
static void chosen_beside(trial *t)
{
    claim_chosen_attention(t);
    claim_by_induction(t);
}

START_TEST(what_functions_of_a_table_compare)
{
    void (*const compare[])(trial *, const layer_site *, const layer *) = { compares_models, compares_stacks };
    for (size_t k = 0; k < COUNT(compare); k++) {
        const layer_kind kind = { .name = "query", .chooses = reduce_query_basis, .reduce = reduce_query_to_identity,
                                  .facts = compare[k] };
        const induction how = { .kinds = &kind, .nkinds = 1, .bases = BASIS_EACH };
        const row r = run_at(&how, plain(ATTENTION_SKIP), claim_by_induction, "invertible W_Q", A_SYM);
        ck_assert_int_eq(r.verdict, HOLDS);
        ck_assert_int_eq(r.depth, DEPTH_RUN);
    }
    const row r = run_at(&middle, plain(ONE_LAYER), chosen_beside, "invertible W_Q", A_SYM);
    ck_assert_msg(every(r), "%s, depth %s: %s", truth_word(r.verdict), depth_word(r.depth), r.note);
}
END_TEST

/* Such a body proves its table, and is refuted by numbers at the depth where it does something else. */
START_TEST(a_body_that_looks_at_the_depth)
{
    ck_assert_int_eq(run_at(&each, plain(ATTENTION_SKIP), looks_at_depth, "invertible W_Q", A_FP).verdict, HOLDS);
    ck_assert_int_eq(run_at(&each, deep(plain(ATTENTION_SKIP), 3), looks_at_depth, "invertible W_Q", A_FP).verdict, REFUTED);
}
END_TEST

/* Numbers at one depth prove no other. */
START_TEST(numbers_are_of_one_depth)
{
    static const int over[] = { A_F64, A_MPFR, A_ARB, A_FP };
    for (size_t k = 0; k < COUNT(over); k++) {
        const row r = run_at(&each, plain(ATTENTION_SKIP), claim_by_induction, "invertible W_Q", over[k]);
        ck_assert_int_eq(r.verdict, HOLDS);
        ck_assert_int_eq(r.depth, DEPTH_RUN);
    }
}
END_TEST

/* ---- no function of a table sees the depth ------------------------------------------------------------------ */

static long deepest;
static void look(const shape *sh)
{
    if (sh->L > deepest) deepest = sh->L;
    if (sh->shared > deepest) deepest = sh->shared;
}
static void looking_plant(const layer_site *at, layer *W)                          { (void)W; look(&at->sh); }
static const mat *looking_choice(const layer_site *at, const layer *W)             { look(&at->sh); return W->Q; }
static void looking_reduce(const layer_site *at, const layer *W, layer *R)         { look(&at->sh); reduce_query_to_identity(at, W, R); }
static void looking_fact(trial *t, const layer_site *at, const layer *R)           { (void)t; (void)R; look(&at->sh); }
static void looking_plant_ends(scope *s, model *M)                                 { (void)s; look(&M->s); }
static const mat *looking_last(scope *s, const shape *sh, basis first)             { (void)s; look(sh); return first.to; }
static void looking_shape(shape *sh)                                               { look(sh); }
static long looking_count(const shape *sh)                                         { look(sh); return 1; }
static void looking_ends(scope *s, const model *M, model *R, basis first, basis last)
{
    (void)s; (void)first; (void)last;
    look(&M->s);
    look(&R->s);
    ck_assert_ptr_null(M->at[0].Q);
    ck_assert_ptr_null(R->at[0].Q);
}
static const layer_kind looking_layers[] = { { .name = "looking", .plant = looking_plant, .chooses = looking_choice,
                                               .reduce = looking_reduce, .facts = looking_fact } };
static const induction looking = {
    .kinds = looking_layers, .nkinds = 1, .bases = BASIS_EACH, .count = looking_count, .plant_ends = looking_plant_ends,
    .last = looking_last, .reshape = looking_shape, .ends = looking_ends };

START_TEST(tables_see_no_depth)
{
    for (int kind = 0; kind < 2; kind++) {
        deepest = 0;
        const row r = run_at(&looking, periodic(plain(ATTENTION_SKIP), 3), claim_by_induction,
                             "invertible W_Q", kind ? A_SYM : A_FP);
        ck_assert_int_eq(r.verdict, HOLDS);
        ck_assert_int_eq(deepest, 1);
    }
}
END_TEST

/* ---- heads and sizes ----------------------------------------------------------------------------------------- */

/* A full D in place of a block-diagonal one: true with one head. */
static void full_D(const layer_site *at, const layer *W, layer *R)
{
    const long width = at->sh.h * at->sh.dk;
    const mat *D = induction_layer_draw(at, "D", 0, width, width);
    R->Q = mat_mul(at->s, W->Q, D);
    R->K = mat_mul(at->s, W->K, mat_t(at->s, mat_inv(at->s, D)));
}
static const layer_kind full_layers[] = { { .name = "full D", .reduce = full_D } };
static const induction full = { .kinds = full_layers, .nkinds = 1, .bases = BASIS_NONE };
static const part full_part = { .name = "as-stated", .kind = PART_IDENTITY, .run = claim_by_induction, .induction = &full,
                                .assumes = "invertible D", .models = "biases = 0; rope = 0; qk_norm = 0",
                                .no_minimal = true };
static const shape_case one_head_alone[] = { { { .n = 4, .d = 4, .h = 1, .m = 8, .V = 7, .L = 2 }, 0 } };
static const claim full_claim = { .id = "T", .parts = &full_part, .nparts = 1, .shapes = one_head_alone, .nshapes = 1 };
static void run_program(void *with)
{
    char *argv[] = { "t_induction", "--arith=sym", "--out=-", NULL };
    const int status = theorem_main(with, 3, argv);
    fflush(stdout);
    _exit(status);
}

START_TEST(one_head_in_the_plan_is_not_enough)
{
    static char output[1 << 16];
    run_child(run_program, (void *)&full_claim, output, sizeof output);
    /* With one head it holds: of 1, 2, 3, 5, which are run, and of 2 that the runner tries beside one. */
    ck_assert_msg(strstr(output, "sym 0/4") && strstr(output, "not declared: h = 1 (with h = 2"), "%s", output);
    for (int h = 1; h <= 5; h++) {
        char *text = temp_format(" h=%d dk=", h);
        ck_assert_msg(!strstr(output, text) == (h == 4), "%s", text);
    }
}
END_TEST

static void at_one_size(trial *t)                                 /* true but for the last vector */
{
    scope *s = &t->s;
    const mat *A = mat_draw(s, "A", 3, 3, 0), *B = mat_draw(s, "B", 3, 3, 0);
    const bool swap = t->sh.n < 200;
    claim_equal(t, "AB = BA but for large sizes", mat_mul(s, A, B), swap ? mat_mul(s, A, B) : mat_mul(s, B, A));
}
static void more_checks(trial *t)
{
    scope *s = &t->s;
    const mat *A = mat_draw(s, "A", 3, 3, 0), *B = mat_draw(s, "B", 3, 3, 0);
    for (long i = 0; i < t->sh.dk; i++) claim_equal(t, "A + B = B + A", mat_add(s, A, B), mat_add(s, B, A));
}

START_TEST(every_vector_of_sizes_counts)
{
    ck_assert_int_eq(run_at(NULL, plain(ONE_LAYER), at_one_size, "", A_SYM).verdict, UNDECIDED);
    const row r = run_at(NULL, plain(ONE_LAYER), more_checks, "", A_SYM);
    ck_assert_int_eq(r.verdict, UNDECIDED);
    ck_assert_str_eq(r.note, "not the same checks at every size");
}
END_TEST

/* No size of a vector may be equal to another one of it, nor to a d_k. */
START_TEST(sizes_differ_where_they_may)
{
    for (int v = 0; v < SIZE_VECTORS; v++)
        for (long h = 1; h <= 8; h++)
            for (int k = 0; k < 4; k++) {
                shape sh = { .n = 4, .d = h * 2 + k % 2, .h = h, .dk = 2, .m = 8, .V = 7, .L = 2, .rope = k / 2 };
                ck_assert_ptr_null(shape_complete(&sh));
                runner_sym_sizes(&sh, v);
                ck_assert_int_eq(sh.d > sh.h * sh.dk, k % 2);
                ck_assert_int_eq(sh.dk % 2, k / 2 == 0);
                long all[16] = { sh.n, sh.m, sh.V, k % 2 ? sh.d : -1 }, n = 4;
                for (long a = 1; a <= h; a++) all[n++] = a * sh.dk;
                for (long i = 0; i < n; i++)
                    for (long j = 0; j < i; j++) ck_assert_msg(all[i] != all[j], "vector %d, h=%ld: %ld", v, h, all[i]);
                for (long i = 0; i < n; i++) ck_assert(all[i] == -1 || all[i] > 5);
            }
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("induction");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 120);
    suite_add_tcase(suite, all);
    tcase_add_test(all, right_tables_hold_at_every_depth);
    tcase_add_test(all, fresh_bases_are_no_hypotheses);
    tcase_add_loop_test(all, wrong_tables_get_nothing, 0, COUNT(wrong));
    tcase_add_loop_test(all, the_stack_alone_would_pass, 0, COUNT(wrong));
    tcase_add_test(all, only_the_table_of_the_part_counts);
    tcase_add_loop_test(all, what_was_seen_at_one_depth, 0, COUNT(seen));
    tcase_add_test(all, what_functions_of_a_table_compare);
    tcase_add_test(all, a_body_that_looks_at_the_depth);
    tcase_add_test(all, numbers_are_of_one_depth);
    tcase_add_test(all, tables_see_no_depth);
    tcase_add_test(all, one_head_in_the_plan_is_not_enough);
    tcase_add_test(all, every_vector_of_sizes_counts);
    tcase_add_test(all, sizes_differ_where_they_may);
    return run_suite(suite, argc, argv);
}
