/* t_constrained.c - every weight of a model that is set, not drawn, is found, whatever it was drawn under and whatever
 * part of a table sets it; and one name for two matrices is no hypothesis. */
#include <string.h>
#include "numerics/symbolic/arith_sym.h"
#include "src/claim/reduce.h"
#include "src/claim/runner/runner.h"
#include "src/model/constrained.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

static const shape with_all = { .n = 3, .d = 4, .h = 2, .m = 5, .V = 6, .L = 2, .norm = NORM_LAYER, .biases = true,
                                .gated = true, .qk_norm = true, .experts = 2, .mask = MASK_CAUSAL, .attn_skip = true };

/* What is set in a drawn model, and the words for it. */
typedef void change(scope *s, model *M);
static const mat *any(scope *s, const mat *like) { return mat_draw(s, "any", like->rows, like->cols, 0); }
static void nothing(scope *s, model *M)      { (void)s; (void)M; }
static void equal_matrix(scope *s, model *M) { M->at[1].Q = mat_add(s, M->at[1].Q, mat_zero(s, 4, 4)); }
static void keys(scope *s, model *M)         { (void)s; M->at[0].K = M->at[0].Q; }
static void values(scope *s, model *M)       { M->at[1].V = mat_zero(s, 4, 4); }
static void alias(scope *s, model *M)        { M->at[0].V = mat_draw_at(s, "W_Q", 77, -1, 4, 4, 0); }
static void other_layer(scope *s, model *M)  { (void)s; M->at[1].O = M->at[0].O; }
static void gains(scope *s, model *M)        { M->at[0].gain1 = M->at[0].gain2 = mat_identity(s, 4); }
static void both_layers(scope *s, model *M)
{
    for (long i = 0; i < 2; i++) M->at[i].Q = mat_add(s, M->at[i].Q, M->at[i].K);
}
static void router(scope *s, model *M)       { (void)s; M->at[0].router = NULL; }
static void expert(scope *s, model *M)       { M->at[0].expert[1].down = any(s, M->at[0].expert[1].down); }
static void extra(scope *s, model *M)        { M->at[0].expert[2].b_up = mat_ones(s, 1, 5); }
static void biases(scope *s, model *M)       { M->at[0].bQ = mat_zero(s, 1, 4); }
static void head_gains(scope *s, model *M)   { M->at[1].gain_k = mat_identity(s, M->s.dk); }
static void ends(scope *s, model *M)         { M->E = any(s, M->E); M->gain_f = mat_identity(s, 4); }
static void head(scope *s, model *M)         { M->head = mat_t(s, M->E); }
static void tokens(scope *s, model *M)       { M->tokens = any(s, M->tokens); }
static void positions(scope *s, model *M)    { (void)s; M->P = NULL; }
static void all_visible(scope *s, model *M)  { (void)s; M->visible = NULL; }
static void one_more_visible(scope *s, model *M)
{
    unsigned char *visible = scope_alloc(s, 9);
    memcpy(visible, M->visible, 9);
    visible[2] = 1;
    M->visible = visible;
}
static void slightly(scope *s, model *M)     { M->at[0].Q = mat_nudge(s, M->at[0].Q, 0, 0); }

static const struct { change *set; const char *words; } cases[] = {
    { nothing, "" }, { equal_matrix, "" },
    { keys, "constrained W_K = W_Q" }, { values, "constrained W_V = 0" }, { alias, "constrained W_V" },
    { other_layer, "constrained W_O" }, { gains, "constrained gain1 = I; constrained gain2 = I" },
    { both_layers, "constrained W_Q" }, { router, "constrained W_router = none" }, { expert, "constrained W_down" },
    { extra, "constrained b_up" }, { biases, "constrained b_Q = 0" }, { head_gains, "constrained gain_k = I" },
    { ends, "constrained E; constrained gain_f = I" }, { head, "constrained W_LM" }, { tokens, "constrained T" },
    { positions, "constrained P = none" }, { all_visible, "constrained mask" },
    { one_more_visible, "constrained mask" },
};

static void expect(const arith *R, change *set, const char *words)
{
    scope s = scope_open(R, 1, 0);
    model M = model_random(&s, with_all);
    char list[CONSTRAINED_SIZE] = "";
    set(&s, &M);
    constrained_model(&s, &M, list);
    ck_assert_str_eq(list, words);
    scope_close(&s);
}

START_TEST(every_slot_is_compared)
{
    arith R = arith_sym();
    expect(&R, cases[_i].set, cases[_i].words);
    arith_close(&R);
    const uint64_t key[2] = { 1, 2 };
    R = arith_fp((1UL << 61) - 1, key);
    expect(&R, cases[_i].set, cases[_i].words);
    expect(&R, slightly, "constrained W_Q");
    arith_close(&R);
}
END_TEST

/* ---- what tables set ---------------------------------------------------------------------------------------- */

#define SKIPLESS "norm = none; mlp_skip = 0; parallel = 0"        /* what eliminated queries need of a model */
#define STACKED  "norm = none; tied = 0; biases = 0"
static row run_table(const induction *how, const char *assumes, shape sh, part_kind kind)
{
    const part P = { .name = "as-stated", .kind = kind, .run = claim_by_induction, .induction = how,
                     .assumes = assumes, .models = how->attention_only ? STACKED : SKIPLESS };
    const claim C = { .id = "T", .parts = &P, .nparts = 1 };
    job j = { .claim = &C, .part = &P, .seed = 1, .over = { .kind = A_SYM }, .sh = sh };
    ck_assert_ptr_null(shape_complete(&j.sh));
    return runner_run(&j, NULL, NULL);
}

static void values_zero(const layer_site *at, layer *W) { W->V = mat_zero(at->s, at->sh.d, at->sh.d); }
static void zero_head(scope *s, model *M)               { M->head = mat_zero(s, M->s.d, M->s.V); }
#define QUERIES .chooses = reduce_query_basis, .reduce = reduce_query_to_identity
static const layer_kind of_layers[] = { { .name = "a layer", QUERIES, .plant = values_zero } };
static const layer_kind of_second[] = { { .name = "a layer", QUERIES }, { .name = "never first", QUERIES,
                                                                          .plant = values_zero } };
static const layer_kind plain[] = { { .name = "a layer", QUERIES } };
static long always_first(const shape *sh, long i) { (void)sh; (void)i; return 0; }
static const induction layers = { .kinds = of_layers, .nkinds = 1, .bases = BASIS_EACH };
static const induction unseen = { .kinds = of_second, .nkinds = 2, .bases = BASIS_EACH, .kind_of = always_first };
static const induction at_ends = { .kinds = plain, .nkinds = 1, .bases = BASIS_EACH, .plant_ends = zero_head };
static const layer_kind of_stacks[] = { { .name = "a layer", .plant = values_zero } };
static const induction stacks = { .kinds = of_stacks, .nkinds = 1, .bases = BASIS_ONE, .attention_only = true };

START_TEST(what_a_table_sets_is_declared)
{
    static const char of_queries[] = "invertible W_Q", of_any[] = "invertible Theta";
    const struct { const induction *how; const char *inverts, *words; } tables[] = {
        { &layers, of_queries, "constrained W_V = 0" }, { &unseen, of_queries, "constrained W_V = 0" },
        { &at_ends, of_queries, "constrained W_LM = 0" }, { &stacks, of_any, "constrained W_V = 0" } };
    for (size_t k = 0; k < COUNT(tables); k++) {
        shape sh = { .n = 3, .d = 4, .h = 2, .m = 4, .V = 5 };
        reduce_switches(&sh, ATTENTION_SKIP);
        char all[128], note[128];
        snprintf(all, sizeof all, "%s; %s", tables[k].inverts, tables[k].words);
        const char *models = tables[k].how->attention_only ? "; " STACKED : "; " SKIPLESS;
        snprintf(note, sizeof note, "uses a hypothesis that is not declared: %s", tables[k].words);
        row r = run_table(tables[k].how, tables[k].inverts, sh, PART_IDENTITY);
        ck_assert_int_eq(r.verdict, UNDECIDED);
        ck_assert_msg(r.undeclared, "%ld: %s", (long)k, r.note);
        ck_assert_str_eq(r.note, note);
        r = run_table(tables[k].how, all, sh, PART_IDENTITY);
        ck_assert_msg(r.verdict == HOLDS, "%ld: %s", (long)k, r.note);
        ck_assert_str_eq(r.uses->text, temp_format("%s%s", all, models));
        r = run_table(tables[k].how, tables[k].inverts, sh, PART_GAP);       /* a witness is of set weights */
        ck_assert_int_eq(r.verdict, HOLDS);
    }
}
END_TEST

/* A body that compares blocks alone, and one that compares whole stacks. */
static void one_block(trial *t)
{
    model M = model_random(&t->s, t->sh);
    M.at[0].V = M.at[0].K;
    model R = M;
    R.at[0].Q = mat_add(&t->s, M.at[0].Q, mat_zero(&t->s, t->sh.d, t->sh.d));
    const basis I = gauge_identity(&t->s, t->sh.d);
    claim_step(t, &M, &R, 0, I, I);
}

static void whole_stacks(trial *t) { claim_built(t, t->sh, &stacks); }

START_TEST(what_a_body_sets_is_declared)
{
    body *const bodies[] = { one_block, whole_stacks };
    const part P = { .name = "as-stated", .kind = PART_IDENTITY, .run = bodies[_i], .assumes = "invertible Theta" };
    const claim C = { .id = "T", .parts = &P, .nparts = 1 };
    job j = { .claim = &C, .part = &P, .seed = 1, .over = { .kind = A_SYM },
              .sh = { .n = 3, .d = 4, .h = 2, .m = 4, .V = 5, .L = 1 } };
    ck_assert_ptr_null(shape_complete(&j.sh));
    reduce_switches(&j.sh, ONE_LAYER);
    ck_assert_str_eq(runner_run(&j, NULL, NULL).note, _i ? "uses a hypothesis that is not declared: constrained W_V = 0"
                     : "uses a hypothesis that is not declared: constrained W_V = W_K");
}
END_TEST

START_TEST(one_name_for_two_matrices)
{
    for (int other = 0; other < 3; other++) {                /* of another name, of the same, of a longer one */
        static const char *const names[] = { "B", "A", "A2" };
        arith R = arith_sym();
        scope s = scope_open(&R, 1, 0);
        const mat *U = mat_draw_orthogonal(&s, "A.3", 4), *A = mat_draw(&s, names[other], 4, 4, 0);
        const mat *I = mat_mul(&s, U, mat_t(&s, U));
        ck_assert_int_eq(mat_compare(mat_mul(&s, A, I), A, -INFINITY).is, HOLDS);
        ck_assert_str_eq(arith_sym_uses(&R), other == 1 ? "two matrices called A" : "orthogonal A");
        scope_close(&s);
        arith_close(&R);
    }
}
END_TEST

/* What `prepare` and `reshape` set is seen in the description. */
START_TEST(what_switches_are_set_is_described)
{
    char said[16384];
    ck_assert_int_eq(run_command(said, sizeof said, "%s/theorems/k_x_tied --describe", build_folder()), 0);
    ck_assert_ptr_nonnull(strstr(said, "tied=1"));
    ck_assert_ptr_nonnull(strstr(said, "sets-reduced: tied=0\n"));
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("constrained");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_add_loop_test(all, every_slot_is_compared, 0, COUNT(cases));
    tcase_add_test(all, what_a_table_sets_is_declared);
    tcase_add_loop_test(all, what_a_body_sets_is_declared, 0, 2);
    tcase_add_test(all, one_name_for_two_matrices);
    tcase_add_test(all, what_switches_are_set_is_described);
    return run_suite(suite, argc, argv);
}
