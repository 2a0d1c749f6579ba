/* SPDX-License-Identifier: GPL-3.0-or-later
 * nearest.c - see nearest.h. */
#include "src/base/nearest.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static long least(long a, long b) { return a < b ? a : b; }
static int small(char c) { return tolower((unsigned char)c); }

/* Row i of the table holds the distances between the first i letters of a and the beginnings of b. */
long word_distance(const char *a, const char *b)
{
    const long n = (long)strlen(a), m = (long)strlen(b), width = m + 1;
    long *row = must_calloc((size_t)((n + 1) * width), sizeof *row);
    for (long j = 0; j <= m; j++) row[j] = j;
    for (long i = 1; i <= n; i++) {
        long *now = row + i * width, *before = now - width;
        now[0] = i;
        for (long j = 1; j <= m; j++) {
            const bool same = small(a[i - 1]) == small(b[j - 1]);
            now[j] = least(least(before[j], now[j - 1]) + 1, before[j - 1] + !same);
            const bool swapped = i > 1 && j > 1 && small(a[i - 1]) == small(b[j - 2])
                              && small(a[i - 2]) == small(b[j - 1]);
            if (swapped) now[j] = least(now[j], before[j - 2 - width] + 1);
        }
    }
    const long distance = row[n * width + m];
    free(row);
    return distance;
}

const char *nearest_word(const char *word, const char *const *words, long n)
{
    const long letters = (long)strlen(word), most = letters < 6 ? 1 + (letters > 3) : letters / 3;
    const char *best = NULL;
    long distance = most + 1;
    for (long k = 0; k < n; k++) {
        const long is = word_distance(word, words[k]);
        if (is >= distance) continue;
        distance = is;
        best = words[k];
    }
    return best;
}

char *nearest_hint(const char *word, const char *const *words, long n)
{
    const char *near = nearest_word(word, words, n);
    return near ? must_format("; did you mean `%s`?", near) : must_strdup("");
}
