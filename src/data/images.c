/* SPDX-License-Identifier: GPL-3.0-or-later
 * images.c - see images.h. */
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/data/unpack.h"
#include "src/data/images.h"

static const uint64_t HASH_KEY[2] = { 0x70726f7661626c79, 0x696d61676573 };

static size_t pixels(const images *x) { return (size_t)(x->side * x->side * x->channels); }

images images_hashed(images x)
{
    const uint64_t part[] = { (uint64_t)x.n, (uint64_t)x.side, (uint64_t)x.channels,
                              random_siphash(HASH_KEY, x.pixel, (size_t)x.n * pixels(&x)),
                              random_siphash(HASH_KEY, x.label, (size_t)x.n) };
    x.hash = random_siphash_words(HASH_KEY, COUNT(part), part);
    return x;
}

void images_free(images *x)
{
    free(x->pixel);
    free(x->label);
    *x = (images){ .pixel = NULL };
}

/* ---- MNIST -------------------------------------------------------------------------------------------------- */

static long word_at(const unsigned char *b) { return (long)b[0] << 24 | b[1] << 16 | b[2] << 8 | b[3]; }

images images_idx(const char *image_path, const char *label_path)
{
    size_t size, label_size;
    unsigned char *bytes = unpack_file(image_path, &size);
    if (size < 16 || word_at(bytes) != 2051)
        die("%s: not an IDX file of images (it must begin with 2051)", image_path);
    const long n = word_at(bytes + 4), rows = word_at(bytes + 8), columns = word_at(bytes + 12);
    if (rows != columns || rows < 1 || rows > 4096)
        die("%s: images of %ld x %ld, not square", image_path, rows, columns);
    if (!n || size != 16 + (size_t)n * (size_t)(rows * columns))
        die("%s: cut off or too long: %ld images of %ld x %ld announced, %zu bytes", image_path, n, rows, columns,
            size);
    unsigned char *label = unpack_file(label_path, &label_size);
    if (label_size < 8 || word_at(label) != 2049)
        die("%s: not an IDX file of labels (it must begin with 2049)", label_path);
    if (word_at(label + 4) != n || label_size != 8 + (size_t)n)
        die("%s: cut off, or labels of other images: %ld labels announced, %zu bytes, %ld images", label_path,
            word_at(label + 4), label_size, n);
    memmove(bytes, bytes + 16, size - 16);
    memmove(label, label + 8, (size_t)n);
    for (long i = 0; i < n; i++) if (label[i] > 9) die("%s: label %ld is %d, not a digit", label_path, i, label[i]);
    return images_hashed((images){ .pixel = bytes, .label = label, .n = n, .side = rows, .channels = 1,
                                   .classes = 10 });
}

/* ---- CIFAR-10 ------------------------------------------------------------------------------------------------ */

enum { SIDE = 32, PLANE = SIDE * SIDE, RECORD = 1 + 3 * PLANE };

static void append_cifar(images *x, const char *path)
{
    size_t size;
    unsigned char *bytes = unpack_file(path, &size);
    if (!size || size % RECORD) die("%s: not whole CIFAR-10 records of %d bytes: %zu bytes", path, RECORD, size);
    const long more = (long)(size / RECORD);
    x->pixel = must_realloc(x->pixel, (size_t)(x->n + more), 3 * PLANE);
    x->label = must_realloc(x->label, (size_t)(x->n + more), 1);
    for (long i = 0; i < more; i++) {
        const unsigned char *record = bytes + i * RECORD;
        unsigned char *pixel = x->pixel + (x->n + i) * 3 * PLANE;
        if (record[0] > 9) die("%s: label %ld is %d; CIFAR-10 has 0 to 9", path, i, record[0]);
        x->label[x->n + i] = record[0];
        for (long p = 0; p < PLANE; p++) for (long c = 0; c < 3; c++) pixel[3 * p + c] = record[1 + c * PLANE + p];
    }
    x->n += more;
    free(bytes);
}

images images_cifar(char *const path[], long files)
{
    images x = { .side = SIDE, .channels = 3, .classes = 10 };
    for (long k = 0; k < files; k++) append_cifar(&x, path[k]);
    return images_hashed(x);
}

/* ---- order --------------------------------------------------------------------------------------------------- */

void images_order(int32_t *order, long n, uint64_t seed, long epoch)
{
    uint64_t key[2];
    random_key_derive(key, (uint64_t[]){ seed, (uint64_t)epoch }, "epoch");
    for (long i = 0; i < n; i++) {                         /* Fisher & Yates, inside out */
        const long j = (long)random_below(key, (uint64_t)i, (uint64_t)i + 1);
        order[i] = order[j];
        order[j] = (int32_t)i;
    }
}

void images_pick(const images *x, const int32_t *order, long n, unsigned char *image, int32_t *label)
{
    const size_t size = pixels(x);
    for (long i = 0; i < n; i++) {
        REQUIRE(order[i] >= 0 && order[i] < x->n, "image %ld of %ld", (long)order[i], x->n);
        memcpy(image + (size_t)i * size, x->pixel + (size_t)order[i] * size, size);
        label[i] = x->label[order[i]];
    }
}

void images_permute_labels(images *x, uint64_t seed)
{
    int32_t *order = must_calloc((size_t)x->n, sizeof *order);
    unsigned char *label = must_calloc((size_t)x->n, 1);
    images_order(order, x->n, seed, -1);                   /* the order of no epoch */
    for (long i = 0; i < x->n; i++) label[i] = x->label[order[i]];
    free(order);
    free(x->label);
    x->label = label;
    *x = images_hashed(*x);
}
