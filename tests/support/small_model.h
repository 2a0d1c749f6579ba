/* SPDX-License-Identifier: GPL-3.0-or-later
 * small_model.h - a small decoder of a known architecture that a test can change part by part and save in any type.
 *
 *   small_model A = small_model_draw(SMALL_LLAMA, NUMBERS_BF16);        numbers of that type
 *   small_model B = small_model_copy(&A);
 *   small_part(&B, ROLE_Q, 1)->x[0] += 1;
 *   char *folder = small_model_save(&B, NUMBERS_BF16);                  rounds each number once, to nearest
 *
 * Matrices are in x out, whatever the architecture's file stores: Q, K and V are apart, the head is d x V. */
#ifndef SMALL_MODEL_H
#define SMALL_MODEL_H
#include "src/checkpoint/transformer.h"

typedef enum { SMALL_LLAMA, SMALL_GPT2, SMALL_QWEN2, SMALL_QWEN3, SMALL_NEOX, SMALL_ARCHITECTURES } small_architecture;
extern const char *const small_architecture_name[SMALL_ARCHITECTURES];

typedef struct { double *x; long rows, cols; } small_matrix;             /* x NULL: the model has none          */
enum { SMALL_LAYERS = 6 };                                               /* at most                             */
typedef struct {
    small_architecture of;
    long L, d, h, kv, dk, m, V, T, window;                               /* window 0: all positions             */
    double eps, theta, rotary;                                           /* rotary: share of a head (GPT-NeoX)  */
    const char *activation;
    bool tied, parallel;
    bool attention_biases;                                               /* Llama: it says so; the test makes them */
    bool unscaled;                                                       /* GPT-2: scores are not divided by sqrt(dk) */
    small_matrix part[SMALL_LAYERS + 1][ROLES];                          /* [layer + 1][role]                   */
} small_model;

/* L = 3, d = 32, 4 heads of 8 (2 key heads in Llama and Qwen), MLP 48, V = 24, T = 64; gains around 1, biases around 0. */
small_model   small_model_draw(small_architecture of, numbers_type type);
small_model   small_model_copy(const small_model *m);
void          small_model_free(small_model *m);
small_matrix *small_part(small_model *m, tensor_role role, long layer);  /* layer -1: of none                   */
/* The part becomes rows x cols of zeros; what was there is freed. */
small_matrix *small_part_new(small_model *m, tensor_role role, long layer, long rows, long cols);
void          small_part_drop(small_model *m, tensor_role role, long layer);
char         *small_model_save(const small_model *m, numbers_type type); /* a new folder                        */
double        small_round(numbers_type type, double x);                  /* to nearest, ties to even            */
double        small_ulp(numbers_type type, double x);                    /* distance to the next larger number  */
#endif
