/* SPDX-License-Identifier: GPL-3.0-or-later
 * verify_tokens.c - the token sequences that `provably verify` compares two models on: given, drawn, or of a text. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/base/file.h"
#include "src/base/outfile.h"
#include "src/checkpoint/forward.h"
#include "src/cli/verify.h"
#include "src/cli/verify_text.h"

static long *numbers_of(const char *option, const char *text, long *n, long most)
{
    long room = 16, *x = must_calloc((size_t)room, sizeof *x);
    for (*n = 0; ; ) {
        text += strspn(text, " ,\t\r\n");
        if (!*text) break;
        char *end;
        const long v = strtol(text, &end, 10);
        if (end == text || v < 0 || (*end && !strchr(" ,\t\r\n", *end)))
            die("%s: `%.20s` is not a list of whole numbers", option, text);
        if (*n == most) die("%s has more than %ld numbers", option, most);
        if (*n == room) x = must_realloc(x, (size_t)(room *= 2), sizeof *x);
        x[(*n)++] = v;
        text = end;
    }
    if (!*n) die("%s is an empty list", option);
    return x;
}

void verify_require(const char *where, const opened m[2], long n, const token_list *lists)
{
    for (long k = 0; k < n; k++)
        for (long i = 0; i < lists[k].n; i++)
            for (int of = 0; of < 2; of++) {
                const transformer *D = &m[of].D;
                const long at = lists[k].position ? lists[k].position[i] : i;
                if (lists[k].token[i] >= D->V)
                    die("%s: token %ld is not in the vocabulary of %ld", where, lists[k].token[i], D->V);
                if (i && lists[k].position && at <= lists[k].position[i - 1])
                    die("%s: positions must increase, and %ld follows %ld", where, at, lists[k].position[i - 1]);
                if (D->T && at >= D->T)
                    die("%s: position %ld is beyond the %ld of %s; take fewer", where, at, D->T, m[of].w.path);
            }
}

void verify_free_lists(long n, const token_list *lists)
{
    for (long k = 0; k < n; k++) {
        free((void *)(uintptr_t)lists[k].token);
        free((void *)(uintptr_t)lists[k].position);
    }
}

enum { LAST_POSITION = 4096 };           /* of models that do not say how many positions they have   */

static long positions_of_both(const opened m[2])
{
    long T = m[0].D.T;
    if (!T || (m[1].D.T && m[1].D.T < T)) T = m[1].D.T;
    return T ? T : LAST_POSITION;
}

static long tokens_of_both(const opened m[2]) { return m[0].D.V < m[1].D.V ? m[0].D.V : m[1].D.V; }

void verify_length(const opened m[2], long length)
{
    for (int of = 0; of < 2; of++)
        if (m[of].D.T && length > m[of].D.T)
            die("--length is %ld, but %s has %ld positions; take fewer", length, m[of].w.path, m[of].D.T);
}

void verify_draw(const opened m[2], long length, uint64_t seed, token_list lists[VERIFY_LISTS])
{
    const long T = positions_of_both(m), n = length < T ? length : T;
    for (int k = 0; k < VERIFY_LISTS; k++) {
        const uint64_t key[2] = { seed, (uint64_t)k };
        long *token = must_calloc((size_t)n, sizeof *token), *at = must_calloc((size_t)n, sizeof *at);
        for (long i = 0; i < n; i++) {
            token[i] = (long)random_below(key, (uint64_t)i, (uint64_t)tokens_of_both(m));
            at[i] = k == 0 || i < n / 2 ? i : n / 2 + (i - n / 2 + 1) * (T - n / 2) / (n - n / 2) - 1;
        }
        lists[k] = (token_list){ n, token, at, 0 };
    }
}

/* Are the two rows further apart than one rounding to the coarser of the two types? */
static bool other_row(const weight_tensor *a, const weight_tensor *b, long row, double *x)
{
    const long n = a->shape[1];
    const rounding by = rounding_of(a->numbers, b->numbers);
    double units = 0;
    weight_numbers(a, (size_t)(row * n), (size_t)n, x);
    weight_numbers(b, (size_t)(row * n), (size_t)n, x + n);
    for (long k = 0; k < n; k++) units = fmax(units, rounding_units(&by, fabs(x[k] - x[n + k]), fabs(x[n + k])));
    return units > ROUNDING_UNITS;
}

bool verify_changed_rows(const opened m[2], const structure *t, token_list *list)
{
    static const tensor_role roles[] = { ROLE_EMBED, ROLE_HEAD };
    const long T = positions_of_both(m), most = VERIFY_ROWS < T ? VERIFY_ROWS : T;
    long *token = must_calloc((size_t)most, sizeof *token), n = 0;
    for (size_t k = 0; k < COUNT(roles); k++) {
        const finding *f = structure_at(t, roles[k], -1);
        const weight_tensor *a = tensor_of_part(&m[0].D, roles[k], -1), *b = tensor_of_part(&m[1].D, roles[k], -1);
        if (roles[k] == ROLE_HEAD && !has_token_logits(&m[0].D)) continue;         /* its rows are no tokens    */
        if (!f || f->kind == RELATION_ROUNDED || !a || !b || a->rank != 2 || b->rank != 2
            || a->shape[1] != b->shape[1]) continue;
        double *x = must_calloc((size_t)(2 * a->shape[1]), sizeof *x);
        for (long row = 0; row < tokens_of_both(m) && n < most; row++) {
            bool there = false;
            for (long i = 0; i < n; i++) there = there || token[i] == row;
            if (!there && other_row(a, b, row, x)) token[n++] = row;
        }
        free(x);
    }
    *list = (token_list){ .n = n, .token = token };
    if (!n) free(token);
    return n > 0;
}

void verify_given(const opened m[2], const char *tokens, const char *positions, token_list *list)
{
    long n, places;
    if (*tokens == '@') outfile_input(tokens + 1);
    char *text = *tokens == '@' ? file_read(tokens + 1, 10000000, NULL) : must_strdup(tokens);
    *list = (token_list){ .token = numbers_of("--tokens", text, &n, VERIFY_TOKENS) };
    list->n = n;
    free(text);
    if (positions) {
        list->position = numbers_of("--positions", positions, &places, VERIFY_TOKENS);
        if (places != n) die("--positions has %ld numbers for %ld tokens", places, n);
    }
    verify_require("--tokens", m, 1, list);
}

enum { TEXT_LOGITS = 1 << 26 };          /* of a text that are kept: 8 bytes each, for three runs at a time     */

long verify_text(const opened m[2], const char *path, const char *bpe, const char *chars, long length,
                 token_list **lists)
{
    const long V = tokens_of_both(m), T = positions_of_both(m), room = TEXT_LOGITS / V;
    long most = room < VERIFY_TOKENS ? room : VERIFY_TOKENS, n = 0;
    if (most < 1) most = 1;
    long *token = verify_tokens_of_text(path, bpe, chars, V, &most);
    const long each = length && length < T ? length : T;
    token_list *to = must_calloc((size_t)(most / each + 1), sizeof *to);
    for (long first = 0; first < most; first += each) {
        const long count = most - first < each ? most - first : each;
        long *piece = must_calloc((size_t)count, sizeof *piece);
        memcpy(piece, token + first, (size_t)count * sizeof *piece);
        to[n] = (token_list){ .n = count, .token = piece };
        n++;
    }
    *lists = to;
    free(token);
    verify_require(path, m, n, *lists);
    return n;
}
