/* SPDX-License-Identifier: GPL-3.0-or-later
 * dump_model.c - small random models over Q, by src/model/model.c, as examples for Coq:
 *
 *     dump_model SEED                 a file of Coq on standard output: each model, and its logits
 *     dump_model SEED NUMBER          only this model, with its last logit off by 1
 *
 * The file says that the formal model (src/formal/transformer.v, through src/formal/evaluate.v) has these logits; it
 * compiles if and only if that is so. */
#include <stdlib.h>
#include "src/model/model.h"

static void write_entry(const mat *A, long i, long j)
{
    mpq_t x;
    mpq_init(x);
    REQUIRE(mat_get_exact(x, A, i, j), "no exact entry");
    gmp_printf("Qmake (%Zd) %Zd", mpq_numref(x), mpq_denref(x));
    mpq_clear(x);
}

/* "(of_rows [:: [:: Qmake (1) 2; ..]; ..])"; NULL: zeros. */
static void write_table(const mat *A)
{
    printf("(of_rows [::");
    for (long i = 0; A && i < A->rows; i++) {
        printf("%s[::", i ? ";\n  " : " ");
        for (long j = 0; j < A->cols; j++) {
            printf(j ? "; " : " ");
            write_entry(A, i, j);
        }
        printf("]");
    }
    printf("])");
}

static void define(const char *name, const mat *A)
{
    printf("Definition %s := ", name);
    write_table(A);
    printf(".\n");
}

/* Names are of layer i, expert e. */
static void write_mlp(const mlp *F, long i, long e)
{
    printf("Definition mlp_%ld_%ld := EMlp %ld ", i, e, F->up->cols);
    write_table(F->up);
    write_table(F->b_up);
    if (F->gate) {
        printf("(Some (");
        write_table(F->gate);
        printf(", ");
        write_table(F->b_gate);
        printf("))");
    } else printf("None");
    write_table(F->down);
    write_table(F->b_down);
    printf(".\n");
}

static void write_layer(const model *M, long i)
{
    const layer *W = &M->at[i];
    const mat *const table[] = { W->Q, W->bQ, W->K, W->bK, W->V, W->bV, W->O, W->bO };
    const long experts = M->s.experts ? M->s.experts : 1;
    for (long e = 0; e < experts; e++) write_mlp(&W->expert[e], i, e);
    printf("Definition layer_%ld := ELayer ", i);
    for (size_t k = 0; k < COUNT(table); k++) write_table(table[k]);
    if (W->router) {
        printf("(Some ");
        write_table(W->router);
        printf(")");
    } else printf("None");
    printf(" [::");
    for (long e = 0; e < experts; e++) printf("%s mlp_%ld_%ld", e ? ";" : "", i, e);
    printf("].\n");
}

/* Row j of the rotation of position t: what RoPE makes of the j-th unit vector there. */
static void write_rotations(scope *s, const shape *sh)
{
    printf("Definition rotations (t : nat) : nat -> nat -> Q := nth (of_rows [::]) [::\n");
    for (long t = 0; t < sh->n; t++) {
        const mat *row[MAX_HEADS];
        for (long j = 0; j < sh->dk; j++) {
            const mat *unit = mat_rows(s, mat_identity(s, sh->dk), j, 1), *all[MAX_HEADS];
            for (long k = 0; k < sh->n; k++) all[k] = unit;
            const mat *A = mat_vcat(s, sh->n, all);
            row[j] = mat_rows(s, sh->rope ? mat_rotate(s, A) : A, t, 1);
        }
        write_table(mat_vcat(s, sh->dk, row));
        printf(t + 1 < sh->n ? ";\n" : "] t.\n");
    }
}

static void write_mask(const model *M)
{
    printf("Definition see (i j : nat) : bool := nth false (nth [::] [::");
    for (long i = 0; i < M->s.n; i++) {
        printf("%s[::", i ? "; " : " ");
        for (long j = 0; j < M->s.n; j++)
            printf("%s %s", j ? ";" : "", !M->visible || M->visible[i * M->s.n + j] ? "true" : "false");
        printf("]");
    }
    printf("] i) j.\n");
}

static const char *truth_of(bool is) { return is ? "true" : "false"; }

static void write_example(const model *M)
{
    const shape *sh = &M->s;
    const long kv = sh->h_kv, r = sh->h / kv;
    const bool root = sh->scale_num == 1 && (sh->scale_den == 1 || sh->scale_den == 4);
    REQUIRE(root, "a scale of %ld/%ld", sh->scale_num, sh->scale_den);
    printf("Definition group (a : 'I_%ld) : 'I_%ld := inord (a %%/ %ld).\n", sh->h, kv, r);
    printf("Lemma groupE a : group a = (a %%/ %ld)%%N :> nat.\n"
           "Proof. by rewrite inordK //; case: a => -[|[|[|[|]]]]. Qed.\n", r);
    printf("Definition sh := shape_of rat_of %ld %ld %ld %s %s %s see (Qmake 1 %d) rotations group.\n",
           sh->n, sh->d, sh->dk, truth_of(sh->attn_skip), truth_of(sh->mlp_skip), truth_of(sh->parallel),
           sh->scale_den == 4 ? 2 : 1);
    printf("Definition M := model_of Q0 rat_of %ld %ld %ld %ld %ld %ld relu E P %s [::", sh->n, sh->d, sh->h, kv, sh->dk,
           sh->V, sh->tied ? "None" : "(Some H)");
    for (long i = 0; i < sh->L; i++) printf("%s layer_%ld", i ? ";" : "", i);
    printf("].\nExample same : model_forward sh M (mx rat_of %ld %ld tokens) = mx rat_of %ld %ld logits.\nProof.\n"
           "rewrite /sh /M (evaluates rat_zero rat_add rat_mul _ _ _ _ _ _ _ _ _ _ rat_relu groupE).\n"
           "apply: mx_same; vm_compute.\nreflexivity.\nQed.\n", sh->n, sh->V, sh->n, sh->V);
}

static const shape shapes[] = {
    { .n = 3, .d = 4, .h = 1, .m = 3, .V = 3, .L = 1, .attn_skip = true, .mlp_skip = true },
    { .n = 3, .d = 4, .h = 2, .m = 5, .V = 3, .L = 2, .attn_skip = true, .biases = true, .mask = MASK_FULL },
    { .n = 3, .d = 4, .h = 2, .h_kv = 1, .m = 3, .V = 4, .L = 2, .mlp_skip = true, .tied = true, .gated = true },
    { .n = 4, .d = 8, .h = 4, .h_kv = 2, .dk = 2, .m = 3, .V = 3, .L = 1, .attn_skip = true, .mlp_skip = true,
      .mask = MASK_ARBITRARY, .rope = true },
    { .n = 3, .d = 4, .h = 2, .m = 3, .V = 3, .L = 2, .attn_skip = true, .parallel = true, .gated = true, .biases = true },
    { .n = 3, .d = 4, .h = 2, .m = 3, .V = 3, .L = 1, .attn_skip = true, .mlp_skip = true, .experts = 2, .biases = true },
    { .n = 2, .d = 3, .h = 2, .dk = 2, .m = 2, .V = 5, .L = 3, .rope = true, .no_positions = true, .tied = true },
};

/* The last logit plus 1. */
static const mat *spoiled(scope *s, const mat *logits)
{
    const int64_t one = 1;
    const long n = logits->rows, V = logits->cols;
    const mat *row = mat_rows(s, logits, n - 1, 1), *unit = mat_dyadic(s, 1, 1, &one, 0);
    const mat *last = mat_add(s, mat_cols(s, row, V - 1, 1), unit);
    row = mat_hcat(s, 2, (const mat *const[]){ mat_cols(s, row, 0, V - 1), last });
    return mat_vcat(s, 2, (const mat *const[]){ mat_rows(s, logits, 0, n - 1), row });
}

static void write_model(uint64_t seed, long number, bool broken)
{
    const uint64_t key[2] = { seed, (uint64_t)number };
    arith R = arith_q(key);
    scope s = scope_open(&R, seed, (uint64_t)number);
    shape sh = shapes[number];
    sh.act = ACT_RELU;
    sh.attention = ROWMAP_LINEAR;
    sh.scale_num = 1;
    sh.scale_den = number % 2 ? 4 : 1;
    const model M = model_random(&s, sh);
    const mat *logits = model_forward(&s, &M);
    REQUIRE(s.status == HOLDS, "the logits of model %ld are not exact", number);
    char text[512];
    shape_print(text, sizeof text, &M.s);
    printf("(* %s *)\nModule model_%ld.\n", text, number);
    define("tokens", M.tokens);
    define("E", M.E);
    define("P", M.P);
    if (M.head) define("H", M.head);
    for (long i = 0; i < M.s.L; i++) write_layer(&M, i);
    write_rotations(&s, &M.s);
    write_mask(&M);
    define("logits", broken ? spoiled(&s, logits) : logits);
    write_example(&M);
    printf("End model_%ld.\n", number);
    scope_close(&s);
    arith_close(&R);
}

int main(int argc, char **argv)
{
    const long broken = argc == 3 ? strtol(argv[2], NULL, 10) : -1;
    if (argc < 2 || argc > 3 || broken >= (long)COUNT(shapes)) {
        fprintf(stderr, "dump_model SEED [NUMBER of a model from 0 to %zu, to be spoiled]\n", COUNT(shapes) - 1);
        return 2;
    }
    printf("From Coq Require Import ZArith QArith.\nFrom mathcomp Require Import all_ssreflect all_algebra.\n"
           "From Provably Require Import matrices transformer evaluate.\nLocal Open Scope ring_scope.\n"
           "Local Open Scope nat_scope.\n");
    for (long k = 0; k < (long)COUNT(shapes); k++)
        if (argc == 2 || k == broken) write_model(strtoull(argv[1], NULL, 10), k, argc == 3);
    return 0;
}
