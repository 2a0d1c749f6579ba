/* SPDX-License-Identifier: GPL-3.0-or-later
 * data.c - readers of texts, tokens, images, archives and matrices. */
#include <stdlib.h>
#include <string.h>
#include "src/data/bpe.h"
#include "src/data/documents.h"
#include "src/data/images.h"
#include "src/data/matrix_file.h"
#include "src/data/tokens.h"
#include "src/data/unpack.h"
#include "src/methods/counts/count.h"
#include "tests/readers/readers.h"

/* What was accepted prints and reads back. */
static void read_matrix(const char *path)
{
    fmpq_mat_t A, B;
    char *printed;
    size_t size;
    matrix_read(A, path);
    FILE *f = open_memstream(&printed, &size);
    if (!f) die("no memory");
    matrix_print(f, A);
    fclose(f);
    matrix_parse_csv(B, &(matrix_bytes){ "printed", (unsigned char *)printed, size });
    if (!fmpq_mat_equal(A, B)) abort();
    fmpq_mat_clear(A);
    fmpq_mat_clear(B);
    free(printed);
}

static void count(void *self, const char *text, size_t n, bool ends)
{
    size_t *bytes = self;
    if (n && text[n - 1] == 'x') *bytes += ends;
    *bytes += n;
}
static void read_documents(const char *path)
{
    size_t bytes = 0;
    documents_read(path, count, &bytes);
}

static void read_packed(const char *path)
{
    size_t n;
    free(unpack_file(path, &n));
}

/* The text that the list itself is, to tokens and back. */
static void read_merges(const char *path)
{
    size_t n, k = 0;
    bpe *b = bpe_open(path);
    unsigned char *text = unpack_file(path, &n);
    token_list t = { 0 };
    bpe_encode(b, (const char *)text, n, &t);
    for (size_t i = 0; i < t.n; i++) {
        size_t m;
        const char *piece = bpe_decode(b, t.at[i], &m);
        if (k + m > n || memcmp(text + k, piece, m) != 0) abort();
        k += m;
    }
    if (k != n) abort();
    token_list_free(&t);
    free(text);
    bpe_close(b);
}

/* Images and labels in one input: the first two bytes say where the labels begin. */
static void read_idx(const char *path)
{
    size_t n;
    unsigned char *all = unpack_file(path, &n);
    char *folder = reader_folder(path), *pixels = must_format("%s/pixels", folder), *labels = must_format("%s/labels", folder);
    const size_t cut = n < 2 ? n : 2 + (all[0] << 8 | all[1]) % (n - 1);
    reader_put(folder, "pixels", n < 2 ? all : all + 2, n < 2 ? n : cut - 2);
    reader_put(folder, "labels", all + cut, n - cut);
    free(all);
    images x = images_idx(pixels, labels);
    images_free(&x);
    free(folder);
    free(pixels);
    free(labels);
}

static void read_cifar(const char *path)
{
    images x = images_cifar(&(char *){ (char *)path }, 1);
    images_free(&x);
}

static void read_tokens(const char *path)
{
    tokens t = tokens_nanogpt(path, 50257);
    tokens_free(&t);
}
static void read_shard(const char *path)
{
    tokens t = tokens_llmc(path, 50257);
    tokens_free(&t);
}
static void read_text(const char *path)
{
    unsigned char letter[256];
    tokens t = tokens_bytes(path);
    tokens_free(&t);
    t = tokens_chars(path);
    tokens_free(&t);
    (void)tokens_alphabet(path, letter);
}

static void read_description(const char *path)
{
    removal all[COUNT_REMOVALS];
    const description m = describe_read(path);
    count_removals(&m, all);
}

const file_reader readers_of_data[] = {
    { "matrix", "W.csv", NULL, read_matrix },
    { "npy", "W.npy", NULL, read_matrix },
    { "documents", "texts.tar", NULL, read_documents },
    { "packed", "file.gz", NULL, read_packed },
    { "merges", "vocab.bpe", NULL, read_merges },
    { "idx", "both", NULL, read_idx },
    { "cifar", "data_batch_1.bin", NULL, read_cifar },
    { "tokens", "train.bin", NULL, read_tokens },
    { "shard", "shard.bin", NULL, read_shard },
    { "text", "text", NULL, read_text },
    { "description", "model.txt", NULL, read_description },
    { NULL, NULL, NULL, NULL } };
