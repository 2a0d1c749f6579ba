/* SPDX-License-Identifier: GPL-3.0-or-later
 * listing_names.c - see listing_names.h. */
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/listing_names.h"

enum { MOST = 8 };                       /* prefixes in front of a name                                 */

static size_t prefix_of(const char *name)
{
    static const char *const before[] = { "module.", "_orig_mod.", "base_model.", "model.", "language_model.",
                                          "transformer." };
    for (size_t k = 0; k < COUNT(before); k++)
        if (strncmp(name, before[k], strlen(before[k])) == 0) return strlen(before[k]);
    return 0;
}

/* Lengths of what all names begin with: of no prefix, of one, ...  Returns how many. */
static int shared_prefixes(const named_tensors *l, size_t length[MOST + 1])
{
    int n = 1;
    length[0] = 0;
    for (size_t more; n <= MOST && l->n && (more = prefix_of(l->at[0].name + length[n - 1])); n++) {
        length[n] = length[n - 1] + more;
        for (long k = 1; k < l->n; k++) if (strncmp(l->at[k].name, l->at[0].name, length[n]) != 0) return n;
    }
    return n;
}

/* How many names are in both lists without their first characters: both stay sorted. */
static long matches(const named_tensors *a, size_t of_a, const named_tensors *b, size_t of_b)
{
    long n = 0;
    for (long i = 0, k = 0; i < a->n && k < b->n; ) {
        const int order = strcmp(a->at[i].name + of_a, b->at[k].name + of_b);
        n += order == 0;
        i += order <= 0;
        k += order >= 0;
    }
    return n;
}

static void take_off(named_tensors *l, size_t length) { for (long k = 0; k < l->n; k++) l->at[k].name += length; }

/* Does a name that both files have begin with the first characters of those of the list? */
static bool tells_apart(const named_tensors *l, size_t length, const weights *A, const weights *B)
{
    for (long k = 0; k < A->tensors && length; k++)
        if (strncmp(A->tensor[k].name, l->at[0].name, length) == 0 && weights_find(B, A->tensor[k].name)) return true;
    return false;
}

void names_strip(named_tensors *a, named_tensors *b, const weights *A, const weights *B)
{
    size_t of_a[MOST + 1], of_b[MOST + 1], from_a = 0, from_b = 0;
    const int all_a = shared_prefixes(a, of_a), all_b = shared_prefixes(b, of_b);
    long most = 0;
    for (int i = 0; i < all_a; i++)
        for (int k = 0; k < all_b; k++) {
            const long n = matches(a, of_a[i], b, of_b[k]);
            if (n <= most || tells_apart(a, of_a[i], A, B) || tells_apart(b, of_b[k], A, B)) continue;
            most = n;
            from_a = of_a[i];
            from_b = of_b[k];
        }
    take_off(a, from_a);
    take_off(b, from_b);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const named_tensor *)a)->name, ((const named_tensor *)b)->name);
}

named_tensors names_left_over(const weights *w, const weights *other, const weight_tensor *without)
{
    named_tensors to = { must_calloc((size_t)w->tensors + 1, sizeof *to.at), 0 };
    for (long k = 0; k < w->tensors; k++) {                              /* which are sorted                    */
        const weight_tensor *t = &w->tensor[k];
        if (t != without && !weights_find(other, t->name)) to.at[to.n++] = (named_tensor){ t->name, t };
    }
    return to;
}

void names_free(named_tensors *l)
{
    free(l->at);
    *l = (named_tensors){ .n = 0 };
}

const weight_tensor *names_find(const named_tensors *l, const char *name)
{
    const named_tensor key = { name, NULL };
    const named_tensor *at = l->n ? bsearch(&key, l->at, (size_t)l->n, sizeof *l->at, by_name) : NULL;
    return at ? at->tensor : NULL;
}
