/* SPDX-License-Identifier: GPL-3.0-or-later
 * bench_llmc.c - seconds per training step of llm.c's CPU program: its own functions, on a model of our size.
 *
 *     gcc -Ofast -march=native -fopenmp -DOMP -I PEER bench_llmc.c -lm        as its Makefile compiles it
 *     bench_llmc L d h T V B STEPS
 *
 * Prints the seconds of each step after one that is not counted.  Weights are random: speed alone is asked. */
#define TESTING                          /* leaves out its main */
#include "train_gpt2.c"

int main(int argc, char **argv)
{
    if (argc != 8) {
        fprintf(stderr, "bench_llmc L d h T V B STEPS\n");
        return 2;
    }
    const int L = atoi(argv[1]), d = atoi(argv[2]), h = atoi(argv[3]), T = atoi(argv[4]), V = atoi(argv[5]);
    const int B = atoi(argv[6]), steps = atoi(argv[7]);
    GPT2 model = { .config = { .max_seq_len = T, .vocab_size = V, .padded_vocab_size = V, .num_layers = L, .num_heads = h,
                               .channels = d }, .mean_loss = -1 };
    fill_in_parameter_sizes(model.param_sizes, model.config);
    for (int k = 0; k < NUM_PARAMETER_TENSORS; k++) model.num_parameters += model.param_sizes[k];
    model.params_memory = malloc_and_point_parameters(&model.params, model.param_sizes);
    for (size_t i = 0; i < model.num_parameters; i++)
        model.params_memory[i] = 0.04f * ((float)((i * 2654435761u) % 65536u) / 65536.0f - 0.5f);
    int *token = malloc((size_t)(B * T) * sizeof *token);
    for (int r = 0; r < B * T; r++) token[r] = (int)(r * 7919L % V);
    for (int step = 0; step <= steps; step++) {
        struct timespec start, end;
        clock_gettime(CLOCK_MONOTONIC, &start);
        gpt2_forward(&model, token, token, (size_t)B, (size_t)T);
        gpt2_zero_grad(&model);
        gpt2_backward(&model);
        gpt2_update(&model, 1e-4f, 0.9f, 0.95f, 1e-8f, 0.1f, step + 1);
        clock_gettime(CLOCK_MONOTONIC, &end);
        if (step) printf("%.6f\n", (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec));
    }
    free(token);
    gpt2_free(&model);
    return 0;
}
