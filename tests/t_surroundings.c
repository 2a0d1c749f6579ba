/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_surroundings.c - what lies beside two models, file by file: tokenizers, templates and settings of generation that are
 * equal, differ in one place, or are beside one model alone. */
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/surroundings.h"
#include "src/checkpoint/weights.h"
#include "tests/support/files.h"
#include "tests/support/small_model.h"
#include "tests/support/suite.h"

static char *folder[2];

/* NAME beside each model with these texts, NULL: no file; what is said of it must hold `says`, NULL: nothing is said. */
static void beside(const char *name, const char *a, const char *b, const char *says)
{
    const char *text[2] = { a, b };
    char all[4096] = "";
    long n;
    for (int k = 0; k < 2; k++) if (text[k]) temp_text(folder[k], name, text[k]);
    weights A = weights_open(folder[0]), B = weights_open(folder[1]);
    char **line = surroundings_differ(&A, &B, &n);
    for (long k = 0; k < n; k++) {
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s\n", line[k]);
        free(line[k]);
    }
    free(line);
    ck_assert_msg(says ? strstr(all, says) != NULL : n == 0, "%s: wanted %s: %s", name, says ? says : "nothing", all);
    weights_close(&A);
    weights_close(&B);
    for (int k = 0; k < 2; k++) if (text[k]) ck_assert_int_eq(remove(temp_path(folder[k], name)), 0);
}

START_TEST(files_beside)
{
    static const struct { const char *name, *a, *b, *says; } all[] = {
        { "tokenizer_config.json", "{\"a\":1}", "{\"a\": 1}", NULL }, { "tokenizer_config.json", "{\"a\":1}", "{\"a\":2}", "tokenizer_config.json: a is 1 in A and 2 in B" },
        { "tokenizer_config.json", "{\"a\":{\"b\":[1,2]}}", "{\"a\":{\"b\":[1,3]}}", "a.b[1] is 2 in A and 3 in B" },
        { "tokenizer_config.json", "{\"a\":[1]}", "{\"a\":[1,2]}", "a[1] is nothing in A and 2 in B" }, { "tokenizer_config.json", "{\"a\":[1,2]}", "{\"a\":[1]}", "a[1] is 2 in A and nothing in B" },
        { "tokenizer_config.json", "{\"a\":1}", "{\"b\":1}", "a is 1 in A and nothing in B" }, { "tokenizer_config.json", "{}", "{\"b\":1}", "b is nothing in A and 1 in B" },
        { "tokenizer_config.json", "{\"a\":[]}", "{\"a\":{}}", "a is [] in A and {} in B" }, { "tokenizer_config.json", "{\"name_or_path\":\"x\"}", "{\"name_or_path\":\"y\"}", NULL },
        { "tokenizer_config.json", "{\"_commit_hash\":\"x\"}", "{}", NULL }, { "tokenizer_config.json", "{", "{\"a\":1}", "tokenizer_config.json differs: 1 bytes in A, 7 in B" },
        { "tokenizer_config.json", "{\"a\":1}", "[", "tokenizer_config.json differs: 7 bytes in A, 1 in B" }, { "chat_template.jinja", "a", "b", "chat_template.jinja differs: 1 bytes in A, 1 in B" },
        { "chat_template.jinja", "a", "ab", "1 bytes in A, 2 in B" }, { "chat_template.jinja", "a", "a", NULL }, { "merges.txt", "a", NULL, "A has a vocabulary beside it, B has none" },
        { "merges.txt", NULL, "a", "B has a vocabulary beside it, A has none" }, { "generation_config.json", "{}", NULL, "generation_config.json is beside A only" },
        { "generation_config.json", NULL, "{}", "generation_config.json is beside B only" } };
    for (size_t k = 0; k < COUNT(all); k++) beside(all[k].name, all[k].a, all[k].b, all[k].says);
}
END_TEST

static void setup(void)
{
    small_model m = small_model_draw(SMALL_LLAMA, NUMBERS_BF16);
    for (int k = 0; k < 2; k++) folder[k] = small_model_save(&m, NUMBERS_BF16);
    small_model_free(&m);
}

int main(int argc, char **argv)
{
    Suite *suite = suite_create("surroundings");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_add_unchecked_fixture(all, setup, NULL);
    tcase_set_timeout(all, 0);
    tcase_add_test(all, files_beside);
    return run_suite(suite, argc, argv);
}
