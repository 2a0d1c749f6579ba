/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_constrained.c - every weight of a model that is set, not drawn, is found, whatever it was drawn under and whatever
 * part of a table sets it; and one name for two matrices is no hypothesis. */
#include <string.h>
#include "numerics/symbolic/arith_sym.h"
#include "src/claim/reduce.h"
#include "src/claim/runner/runner.h"
#include "src/model/constrained.h"
#include "src/model/denorm.h"
#include "src/model/dual.h"
#include "src/model/stack.h"
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
static void function(scope *s, model *M)     { (void)s; M->at[1].expert[1].function = 0; }
static void slightly(scope *s, model *M)     { M->at[0].Q = mat_nudge(s, M->at[0].Q, 0, 0); }

static const struct { change *set; const char *words; } cases[] = {
    { nothing, "" }, { equal_matrix, "" },
    { keys, "constrained W_K = W_Q" }, { values, "constrained W_V = 0" }, { alias, "constrained W_V" },
    { other_layer, "constrained W_O" }, { gains, "constrained gain1 = I; constrained gain2 = I" },
    { both_layers, "constrained W_Q" }, { router, "constrained W_router = none" }, { expert, "constrained W_down" },
    { extra, "constrained b_up" }, { biases, "constrained b_Q = 0" }, { head_gains, "constrained gain_k = I" },
    { ends, "constrained E; constrained gain_f = I" }, { head, "constrained W_LM" }, { tokens, "constrained T" },
    { positions, "constrained P = none" }, { all_visible, "constrained mask" },
    { one_more_visible, "constrained mask" }, { function, "constrained phi" },
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
    const struct { const induction *how; const char *inverts, *words, *width; } tables[] = {
        { &layers, of_queries, "constrained W_V = 0", "" }, { &unseen, of_queries, "constrained W_V = 0", "" },
        { &at_ends, of_queries, "constrained W_LM = 0", "" }, { &stacks, of_any, "constrained W_V = 0", "; d = h d_k" } };
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
        char wide[160];
        snprintf(wide, sizeof wide, "%s%s", all, tables[k].width);
        r = run_table(tables[k].how, wide, sh, PART_IDENTITY);
        ck_assert_msg(r.verdict == HOLDS, "%ld: %s", (long)k, r.note);
        ck_assert_msg(!strstr(r.drawn->text, "h="), "the derivation is of h = 2, not of %s", r.drawn->text);
        ck_assert_str_eq(r.uses->text, temp_format("%s%s%s", all, models, tables[k].width));
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

/* ---- which side of an equation speaks for its models --------------------------------------------------------- */

typedef struct { scope *s; model drawn, keys, values; const mat *X; } evaluated;
static const mat *of(evaluated *e, const model *M) { return model_attention(e->s, M, 0, e->X); }
static const mat *reduced(evaluated *e, const model *M)
{
    e->s->reduced = true;
    const mat *A = mat_mark(of(e, M), MARK_REDUCED);
    e->s->reduced = false;
    return A;
}
static const mat *more(evaluated *e, const mat *A) { return mat_add(e->s, A, of(e, &e->drawn)); }

/* claim_equal of these: what must be declared. */
static void drawn_and_keys(trial *t, evaluated *e)   { claim_equal(t, "e", of(e, &e->drawn), reduced(e, &e->keys)); }
static void keys_and_drawn(trial *t, evaluated *e)   { claim_equal(t, "e", reduced(e, &e->keys), of(e, &e->drawn)); }
static void keys_and_values(trial *t, evaluated *e)  { claim_equal(t, "e", of(e, &e->keys), reduced(e, &e->values)); }
static void unnamed(trial *t, evaluated *e)          /* neither is known to be reduced */
{
    const mat *keys = of(e, &e->keys);
    claim_equal(t, "e", keys, of(e, &e->values));
}
static void two_words(trial *t, evaluated *e)        /* the reduced side has fewer */
{
    model M = e->keys;
    M.at[0].V = mat_zero(e->s, t->sh.d, t->sh.d);
    claim_equal(t, "e", of(e, &M), reduced(e, &e->values));
}
static void both_named(trial *t, evaluated *e)
{
    const mat *keys = reduced(e, &e->keys);
    claim_equal(t, "e", keys, reduced(e, &e->values));
}
static void named_behind(trial *t, evaluated *e)     /* something named is added to what was not computed from it */
{
    mat_mark(e->X, MARK_REDUCED);
    const mat *Y = mat_draw(e->s, "Y", e->X->rows, e->X->cols, 0);
    const mat *keys = mat_add(e->s, model_attention(e->s, &e->keys, 0, Y), e->X);
    claim_equal(t, "e", keys, model_attention(e->s, &e->drawn, 0, Y));
}
static void one_token(trial *t, evaluated *e)
{
    const mat *X = mat_rows(e->s, e->X, 0, 1);
    claim_equal(t, "e", model_attention(e->s, &e->drawn, 0, X), model_attention(e->s, &e->drawn, 0, X));
}
static void one_head(trial *t, evaluated *e)
{
    shape sh = t->sh;
    sh.h = sh.h_kv = 1;
    sh.dk = sh.scale_den = sh.d;
    const layer W = model_layer(e->s, &sh, 7);           /* whose weights alone are used */
    claim_equal(t, "e", mat_mul(e->s, e->X, W.Q), mat_mul(e->s, e->X, W.Q));
}
static void named_draw(trial *t, evaluated *e)       /* what was drawn is no reduction */
{
    model M = e->drawn;
    M.at[0].Q = M.at[0].K = mat_draw(e->s, "B", t->sh.d, t->sh.d, 0);
    claim_reduced(t, 1, (const mat **[]){ &e->values.at[0].Q });
    const mat *keys = of(e, &M);
    claim_equal(t, "e", keys, of(e, &e->values));
}
static void unscaled(trial *t, evaluated *e)
{
    model M = e->drawn;
    M.s.scale_num = M.s.scale_den = 1;
    claim_equal(t, "e", of(e, &M), of(e, &M));
}
static void one_function(trial *t, evaluated *e)
{
    model M = e->drawn;
    M.at[0].expert[0].function = 3;
    claim_equal(t, "e", model_mlp(e->s, &M, 0, e->X), model_mlp(e->s, &M, 0, e->X));
}
static void later_layer(trial *t, evaluated *e)      /* the weights of layer 0 in place of layer 1 */
{
    model M = e->drawn;
    M.first = 1;
    claim_equal(t, "e", of(e, &M), of(e, &M));
}
static const mat *behind(evaluated *e, const model *M) { return model_attention(e->s, M, 0, of(e, M)); }
static void behind_itself(trial *t, evaluated *e) { claim_equal(t, "e", behind(e, &e->drawn), behind(e, &e->drawn)); }
static void in_one_place(trial *t, evaluated *e)     /* two layers with weights of the body */
{
    model M = e->drawn, N = e->drawn;
    M.at[0].V = mat_draw(e->s, "B", t->sh.d, t->sh.d, 0);
    N.at[0].V = mat_draw(e->s, "C", t->sh.d, t->sh.d, 0);
    const mat *A = of(e, &M), *B = of(e, &N);
    claim_equal(t, "e", mat_add(e->s, A, B), mat_add(e->s, B, A));
}
static void in_two_models(trial *t, evaluated *e)    /* a draw of the body ties what it is in one model and in another */
{
    model M = e->drawn, N = e->drawn;
    M.at[0].V = mat_draw(e->s, "B", t->sh.d, t->sh.d, 0);
    N.at[1].V = M.at[0].V;
    const mat *A = of(e, &M), *B = model_attention(e->s, &N, 1, e->X);
    claim_equal(t, "e", mat_add(e->s, A, B), mat_add(e->s, B, A));
}
static const mat *by_hand(evaluated *e)
{
    const layer *W = &e->drawn.at[0];
    const rowmap how = { .kind = ROWMAP_LINEAR, .scale_num = 1, .scale_den = 1 };
    const mat *scores = mat_mul(e->s, mat_mul(e->s, e->X, W->Q), mat_t(e->s, mat_mul(e->s, e->X, W->K)));
    return mat_rowmap(e->s, scores, &how, (place){ 0, PLACE_ATTENTION, 0 });
}
static void attention_by_hand(trial *t, evaluated *e) { claim_equal(t, "e", by_hand(e), by_hand(e)); }
static void given_keys(trial *t, evaluated *e)
{
    const layer *W = &e->drawn.at[0];
    const mat *Q = mat_mul(e->s, e->X, W->Q), *V = mat_mul(e->s, e->X, W->V);
    claim_equal(t, "e", model_attention_of(e->s, &e->drawn, 0, Q, Q, V), model_attention_of(e->s, &e->drawn, 0, Q, Q, V));
}
static void own_functions(trial *t, evaluated *e)    /* of what is no model's, nothing is said */
{
    const place at = { 0, PLACE_MLP, 0 };
    claim_equal(t, "e", mat_phi(e->s, e->X, ACT_RELU, at), mat_phi(e->s, e->X, ACT_RELU, at));
}
static void dual_values(trial *t, evaluated *e)
{
    model M = e->keys;
    M.head = mat_zero(e->s, t->sh.d, t->sh.V);
    M.s.act = ACT_TANH;
    const model along = dual_no_direction(&M);
    claim_equal(t, "e", dual_derivative(e->s, &M, &along).v, dual_derivative(e->s, &M, &along).v);
}
static void dual_slopes(trial *t, evaluated *e)
{
    model M = e->keys, along = dual_no_direction(&M);
    M.s.act = ACT_TANH;
    M.at[1].expert[0].up = mat_zero(e->s, t->sh.d, t->sh.m);
    along.at[0].V = mat_draw(e->s, "B", t->sh.d, t->sh.d, 0);
    claim_equal(t, "e", dual_derivative(e->s, &M, &along).d, dual_derivative(e->s, &M, &along).d);
}
static void denorm_head(trial *t, evaluated *e)
{
    shape sh = t->sh;
    sh.biases = sh.mlp_skip = sh.attn_skip = true;
    model M = denorm_random(e->s, sh);
    M.head = mat_zero(e->s, t->sh.d, t->sh.V);
    claim_equal(t, "e", denorm_forward(e->s, &M), denorm_forward(e->s, &M));
}
static void keys_alone(trial *t, evaluated *e)       { claim_equal(t, "e", mat_mul(e->s, e->X, e->drawn.at[0].Q), of(e, &e->keys)); }
static void keys_beside(trial *t, evaluated *e)
{
    of(e, &e->drawn);
    claim_equal(t, "e", of(e, &e->keys), of(e, &e->keys));
}
static void drawn_on_both(trial *t, evaluated *e)
{
    claim_equal(t, "e", more(e, of(e, &e->keys)), more(e, of(e, &e->keys)));
}
static void another_is_true(trial *t, evaluated *e)
{
    claim_equal(t, "e", of(e, &e->drawn), of(e, &e->drawn));
    claim_equal(t, "e", of(e, &e->values), of(e, &e->values));
}
static void values_and_keys(trial *t, evaluated *e)  /* the other is evaluated last */
{
    const mat *values = of(e, &e->values);
    claim_equal(t, "e", values, reduced(e, &e->keys));
}
static const mat *stacked(evaluated *e)
{
    const mat *A = of(e, &e->keys), *parts[] = { mat_rows(e->s, A, 0, 1), mat_rows(e->s, A, 1, A->rows - 1) };
    return mat_t(e->s, mat_t(e->s, mat_vcat(e->s, 2, parts)));
}
static const mat *put(evaluated *e)
{
    const mat *A = of(e, &e->keys);
    mat *B = mat_blank(e->s, A->rows, A->cols);
    mat_put(B, 0, 0, A, 0, 0, A->rows, A->cols);
    return mat_given(e->s, B);
}
static void parts_beside(trial *t, evaluated *e)
{
    of(e, &e->drawn);
    claim_equal(t, "e", stacked(e), stacked(e));
}
static void blocks_beside(trial *t, evaluated *e)
{
    of(e, &e->drawn);
    claim_equal(t, "e", put(e), put(e));
}
static void heads_beside(trial *t, evaluated *e)
{
    model M = e->drawn;
    M.head = mat_zero(e->s, t->sh.d, t->sh.V);
    model_head(e->s, &e->drawn, e->X);
    claim_equal(t, "e", model_head(e->s, &M, e->X), model_head(e->s, &M, e->X));
}
static void weights_beside(trial *t, evaluated *e)
{
    stack_weights(e->s, &e->drawn, 0, 0, e->X);
    claim_equal(t, "e", stack_weights(e->s, &e->keys, 0, 0, e->X), stack_weights(e->s, &e->keys, 0, 0, e->X));
}
static void halves(trial *t, evaluated *e)           /* the MLP is on one side alone */
{
    model M = e->drawn;
    M.at[0].expert[0].up = mat_zero(e->s, t->sh.d, t->sh.m);
    claim_equal(t, "e", of(e, &e->drawn), model_mlp(e->s, &M, 0, e->X));
}
static void drawn_for_two(trial *t, evaluated *e)    /* one draw of the body in two layers: no two free weights */
{
    model M = e->drawn;
    M.at[0].V = M.at[1].V = mat_draw(e->s, "B", t->sh.d, t->sh.d, 0);
    claim_equal(t, "e", of(e, &M), of(e, &M));
}
static void drawn_for_one(trial *t, evaluated *e)
{
    model M = e->drawn;
    M.at[0].V = mat_draw(e->s, "B", t->sh.d, t->sh.d, 0);
    claim_equal(t, "e", of(e, &M), of(e, &M));
}
static void moved(trial *t, evaluated *e)            /* W_V of the second layer, which stands nowhere else here */
{
    model M = e->drawn;
    M.at[0].V = e->drawn.at[1].V;
    M.at[1].V = mat_draw(e->s, "B", t->sh.d, t->sh.d, 0);
    claim_equal(t, "e", of(e, &M), of(e, &M));
}
static void other_layers(trial *t, evaluated *e)     /* the second layer is on one side alone */
{
    model second = e->drawn;
    second.at[1].V = mat_zero(e->s, t->sh.d, t->sh.d);
    claim_equal(t, "e", of(e, &e->drawn), model_attention(e->s, &second, 1, reduced(e, &e->keys)));
}
static void none_compared(trial *t, evaluated *e)    /* the rule for what no equation has: the most drawn */
{
    of(e, &e->keys);
    of(e, &e->drawn);
    claim_equal(t, "e", e->X, mat_neg(e->s, mat_neg(e->s, e->X)));
}
static void neither_compared(trial *t, evaluated *e)
{
    of(e, &e->keys);
    claim_equal(t, "e", e->X, mat_neg(e->s, mat_neg(e->s, e->X)));
}
static const struct { void (*make)(trial *t, evaluated *e); const char *words; } equations[] = {
    { drawn_and_keys, "" }, { keys_and_drawn, "" }, { keys_and_values, "constrained W_K = W_Q" },
    { unnamed, "constrained W_K = W_Q; constrained W_V = 0" }, { two_words, "constrained W_K = W_Q; constrained W_V = 0" },
    { both_named, "constrained W_K = W_Q; constrained W_V = 0" }, { named_behind, "constrained W_K = W_Q" },
    { one_token, "another n" }, { one_head, "h = 1; d_k = d" }, { unscaled, "scale = 1" },
    { named_draw, "constrained W_Q; constrained W_K = W_Q; constrained W_V = 0" },
    { dual_slopes, "constrained W_up = 0; constrained W_K = W_Q; act = tanh" },
    { one_function, "constrained phi" }, { later_layer, "constrained W_Q; constrained W_K; constrained W_V; constrained W_O" },
    { behind_itself, "given layers in one place" }, { in_one_place, "given layers in one place" },
    { in_two_models, "constrained W_V" }, { attention_by_hand, "given attention; attention = linear" },
    { given_keys, "given attention" }, { own_functions, "" }, { dual_values, "constrained W_LM = 0; constrained W_K = W_Q; act = tanh" },
    { denorm_head, "constrained W_LM = 0; constrained gain_f; constrained bias_f; constrained gain1; constrained gain2; "
                   "constrained bias1; constrained bias2; biases = 1; norm = layer" },
    { keys_alone, "constrained W_K = W_Q" }, { keys_beside, "constrained W_K = W_Q" },
    { drawn_on_both, "given layers in one place; constrained W_K = W_Q" }, { another_is_true, "constrained W_V = 0" },
    { values_and_keys, "constrained W_V = 0" }, { parts_beside, "constrained W_K = W_Q" },
    { blocks_beside, "constrained W_K = W_Q" }, { heads_beside, "constrained W_LM = 0" },
    { weights_beside, "constrained W_K = W_Q" }, { halves, "constrained W_up = 0" }, { drawn_for_two, "constrained W_V" },
    { drawn_for_one, "" }, { moved, "constrained W_V" }, { other_layers, "constrained W_V = 0" }, { none_compared, "" },
    { neither_compared, "constrained W_K = W_Q" } };
static size_t equation;
static char declared[CONSTRAINED_SIZE];

static void one_equation(trial *t)
{
    scope *s = &t->s;
    evaluated e = { s, model_random(s, t->sh), .X = mat_draw(s, "X", t->sh.n, t->sh.d, 0) };
    e.keys = e.values = e.drawn;
    e.keys.at[0].K = e.keys.at[0].Q;
    e.values.at[0].V = mat_zero(s, t->sh.d, t->sh.d);
    equations[equation].make(t, &e);
    memcpy(declared, t->record.constrained, sizeof declared);
    constrained_add_rest(s, declared);
}

START_TEST(the_sides_of_an_equation_speak_for_it)
{
    equation = (size_t)_i;
    const part P = { .name = "as-stated", .kind = PART_IDENTITY, .run = one_equation };
    const claim C = { .id = "T", .parts = &P, .nparts = 1 };
    job j = { .claim = &C, .part = &P, .seed = 1, .over = { .kind = A_SYM },
              .sh = { .n = 3, .d = 4, .h = 2, .m = 4, .V = 5, .L = 2 } };
    ck_assert_ptr_null(shape_complete(&j.sh));
    reduce_switches(&j.sh, ONE_LAYER);
    runner_run(&j, NULL, NULL);
    ck_assert_str_eq(declared, equations[_i].words);
}
END_TEST

/* How deep: the longest chain of halves of one kind that led to a matrix, whatever the numbers of the layers. */
START_TEST(depth_is_the_longest_chain)
{
    static const struct { long attentions, mlps, depth; } chains[] = { { 1, 1, 0 }, { 3, 0, 3 }, { 2, 4, 4 }, { 0, 2, 2 } };
    for (size_t k = 0; k < COUNT(chains); k++) {
        const uint64_t key[2] = { 1, 2 };
        arith R = arith_fp((1UL << 61) - 1, key);
        scope s = scope_open(&R, 1, 0);
        shape sh = { .n = 3, .d = 4, .h = 2, .m = 4, .V = 5, .L = 1 };
        ck_assert_ptr_null(shape_complete(&sh));
        const model M = model_random(&s, sh);
        const mat *X = mat_draw(&s, "X", 3, 4, 0), *Z = mat_add(&s, X, X);
        for (long i = 0; i < chains[k].attentions; i++) X = model_attention(&s, &M, 0, X);
        for (long i = 0; i < chains[k].mlps; i++) X = mat_add(&s, Z, model_mlp(&s, &M, 0, X));
        ck_assert_int_eq(s.depth, chains[k].depth);
        ck_assert_int_eq(mat_chain(X), chains[k].depth ? chains[k].depth : 1);
        scope_close(&s);
        arith_close(&R);
    }
}
END_TEST

/* 64 layers, each with four of its weights set in turn: more than there are marks. */
START_TEST(more_ways_than_marks)
{
    arith R = arith_sym();
    scope s = scope_open(&R, 1, 0);
    shape sh = { .n = 3, .d = 4, .h = 2, .m = 4, .V = 5, .L = MAX_LAYERS };
    ck_assert_ptr_null(shape_complete(&sh));
    s.draws = DRAWN_BY_BODY;
    const model M = model_random(&s, sh);
    const mat *X = mat_draw(&s, "X", 3, 4, 0), *zero = mat_zero(&s, 4, 4);
    for (long i = 0; i < sh.L; i++) {
        ck_assert_int_eq(s.status, HOLDS);
        model with[4] = { M, M, M, M };
        with[0].at[i].Q = with[1].at[i].K = with[2].at[i].V = with[3].at[i].O = zero;
        for (int k = 0; k < 4; k++) model_attention(&s, &with[k], i, X);
    }
    ck_assert_int_eq(s.status, HOLDS);                       /* 256 */
    model_attention(&s, &M, 0, X);
    ck_assert_int_eq(s.status, UNDECIDED);
    ck_assert_str_eq(s.why, "evaluates more layers, in more ways, than are compared with what was drawn");
    scope_close(&s);
    arith_close(&R);
}
END_TEST

/* Marks of matrices: one of each operand, kept through a sum; none of what nothing marked. */
START_TEST(marks_follow_operands)
{
    arith R = arith_sym();
    scope s = scope_open(&R, 1, 0);
    const mat *A = mat_draw(&s, "A", 2, 2, 0), *B = mat_draw(&s, "B", 2, 2, 0), *C = mat_draw(&s, "C", 2, 2, 0);
    ck_assert_ptr_eq(mat_mark(A, 0), A);
    mat_mark(B, 255);
    const mat *sum = mat_sub(&s, mat_mul(&s, A, C), B);
    ck_assert(mat_is_of(sum, 0) && mat_is_of(sum, 255) && !mat_is_of(sum, 64) && !mat_is_of(sum, 191));
    ck_assert(mat_is_of(A, 0) && !mat_is_of(A, 255) && !mat_is_of(C, 0));
    scope_close(&s);
    arith_close(&R);
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
    tcase_add_loop_test(all, the_sides_of_an_equation_speak_for_it, 0, COUNT(equations));
    tcase_add_test(all, depth_is_the_longest_chain);
    tcase_add_test(all, more_ways_than_marks);
    tcase_add_test(all, marks_follow_operands);
    tcase_add_test(all, one_name_for_two_matrices);
    tcase_add_test(all, what_switches_are_set_is_described);
    return run_suite(suite, argc, argv);
}
