/* SPDX-License-Identifier: GPL-3.0-or-later
 * image_sets.c - training and validation sets by name: see images.h. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "src/data/images.h"
#include "src/base/option.h"

/* DIR/NAME, or that with .gz, .xz or .bz2 appended; NULL: none of them exists. */
static char *found(const char *folder, const char *name)
{
    static const char *const ending[] = { "", ".gz", ".xz", ".bz2" };
    for (size_t k = 0; k < COUNT(ending); k++) {
        char *path = must_format("%s/%s%s", folder, name, ending[k]);
        if (access(path, F_OK) == 0) return path;
        free(path);
    }
    return NULL;
}

/* "train-images-idx3-ubyte" is also called "train-images.idx3-ubyte". */
static char *must_find(const char *folder, const char *name)
{
    char *path = found(folder, name), *dotted = must_strdup(name), *at = strstr(dotted, "-idx");
    if (at) *at = '.';
    if (!path && at) path = found(folder, dotted);
    free(dotted);
    if (!path) die("%s has no %s (nor .gz, .xz, .bz2); `provably data get` fetches it", folder, name);
    return path;
}

static images mnist(const char *folder, const char *image_file, const char *label_file)
{
    char *a = must_find(folder, image_file), *b = must_find(folder, label_file);
    images x = images_idx(a, b);
    free(a);
    free(b);
    return x;
}

static void cifar(image_sets *s, const char *folder, bool held_out)
{
    char *path[6];
    for (long k = 0; k < 5; k++) {
        char name[48];
        snprintf(name, sizeof name, "data_batch_%ld.bin", k + 1);
        path[k] = must_find(folder, name);
    }
    if (held_out) path[5] = must_strdup(path[4]);
    else {
        path[5] = found(folder, "test_batch.bin");
        if (!path[5]) path[5] = must_find(folder, "test_batch_first1000.bin");
    }
    s->train = images_cifar(path, held_out ? 4 : 5);
    s->val   = images_cifar(path + 5, 1);
    if (held_out)                snprintf(s->val_name, sizeof s->val_name, "data_batch_5, held out");
    else if (s->val.n == 10000)  snprintf(s->val_name, sizeof s->val_name, "test_batch");
    else snprintf(s->val_name, sizeof s->val_name, "the first %ld of the 10000 test pictures", s->val.n);
    for (long k = 0; k < 6; k++) free(path[k]);
}

image_sets image_sets_open(const char *what, bool held_out)
{
    enum { TRAIN = 10000, VAL = 2000 };
    image_sets s = { .name = "" };
    const char *colon = strchr(what, ':');
    snprintf(s.name, sizeof s.name, "%.*s", colon ? (int)(colon - what) : (int)strlen(what), what);
    if (held_out && strcmp(s.name, "cifar10") != 0) die("only CIFAR-10 has a batch to hold out, not `%s`", what);
    if (strcmp(s.name, "mnist") == 0 && colon) {
        s.train = mnist(colon + 1, "train-images-idx3-ubyte", "train-labels-idx1-ubyte");
        s.val   = mnist(colon + 1, "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte");
        snprintf(s.val_name, sizeof s.val_name, "t10k");
    } else if (strcmp(s.name, "cifar10") == 0 && colon) {
        cifar(&s, colon + 1, held_out);
    } else if (strcmp(s.name, "digits") == 0) {
        const uint64_t seed = colon ? option_seed(colon + 1, "--data=digits:") : 1;
        s.train = images_digits(seed, 0, TRAIN);
        s.val   = images_digits(seed, TRAIN, VAL);
        snprintf(s.name, sizeof s.name, "digits:%llu", (unsigned long long)seed);
        snprintf(s.val_name, sizeof s.val_name, "made-up digits %d to %d", TRAIN, TRAIN + VAL - 1);
    } else {
        die("--data takes mnist:DIR, cifar10:DIR or digits[:SEED], not `%s`", what);
    }
    if (s.train.side != s.val.side)
        die("%s: training and validation images differ in size, %ld and %ld", what, s.train.side, s.val.side);
    return s;
}

void image_sets_free(image_sets *s)
{
    images_free(&s->train);
    images_free(&s->val);
}
