/* SPDX-License-Identifier: GPL-3.0-or-later
 * merges.c - see merges.h. */
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/data/merges.h"
#include "src/data/unpack.h"

enum { BYTES = 256, MOST = 65535, SLOTS = 1 << 18, NONE = 0 };  /* a merge's number is at least 256, so 0 is free */

struct merges {
    long n;                              /* tokens                                                      */
    char *bytes;                         /* token t: bytes[from[t] .. from[t + 1])                      */
    size_t from[MOST + 2];
    uint16_t left[MOST + 1], right[MOST + 1];                   /* of a merge                           */
    uint16_t of_byte[BYTES], of_pair[SLOTS], of_text[SLOTS];    /* hash tables, open, NONE: free        */
    bool known[BYTES];
    uint32_t *before, *after;            /* the word in work: neighbours of each spot                   */
    uint64_t *heap;                      /* pairs, the earliest and leftmost on top: merge, spot        */
    size_t room, waiting;
};

static const uint64_t KEY[2] = { 0x6d65726765, 0x62706 };

static size_t slot_of_text(const merges *m, const char *text, size_t n)
{
    size_t at = random_siphash(KEY, text, n) % SLOTS;
    for (; m->of_text[at] != NONE; at = (at + 1) % SLOTS) {
        const uint16_t t = m->of_text[at];
        if (m->from[t + 1] - m->from[t] == n && memcmp(m->bytes + m->from[t], text, n) == 0) break;
    }
    return at;
}

static size_t slot_of_pair(const merges *m, uint16_t left, uint16_t right)
{
    size_t at = ((uint32_t)left << 16 | right) * UINT64_C(0x9e3779b97f4a7c15) >> 46;           /* 18 bits */
    while (m->of_pair[at] != NONE && (m->left[m->of_pair[at]] != left || m->right[m->of_pair[at]] != right))
        at = (at + 1) % SLOTS;
    return at;
}

/* ---- reading ---------------------------------------------------------------------------------------------- */

/* GPT-2's alphabet: printable bytes of Latin-1 stand for themselves, the others are 256, 257, ... in order.
 * Tokens 0..255 are the bytes in the order of their letters. */
static bool printable(int b) { return ('!' <= b && b <= '~') || (0xa1 <= b && b <= 0xac) || 0xae <= b; }

static void alphabet(merges *m, int letter[BYTES])
{
    int plain = 0, other = 0;
    for (int b = 0; b < BYTES; b++) plain += printable(b);
    uint16_t next = 0, late = (uint16_t)plain;
    for (int b = 0; b < BYTES; b++) {
        letter[b] = printable(b) ? b : BYTES + other++;
        m->of_byte[b] = printable(b) ? next++ : late++;
        m->bytes[m->of_byte[b]] = (char)b;
    }
    for (size_t t = 0; t <= BYTES; t++) m->from[t] = t;
    m->n = BYTES;
}

/* The bytes that text[n] spells, one or two bytes of UTF-8 a letter; false: not a word of the alphabet. */
static bool spell(const unsigned char *text, size_t n, const int byte_of[2 * BYTES], char *to, size_t *length)
{
    *length = 0;
    for (size_t i = 0; i < n;) {
        int letter = text[i++];
        if (letter >= 0x80) {
            if ((letter & 0xe0) != 0xc0 || i == n || (text[i] & 0xc0) != 0x80) return false;
            letter = (letter & 0x1f) << 6 | (text[i++] & 0x3f);
        }
        if (letter >= 2 * BYTES || byte_of[letter] < 0) return false;
        to[(*length)++] = (char)byte_of[letter];
    }
    return *length > 0;
}

static bool find_token(const merges *m, const char *text, size_t n, uint16_t *token)
{
    if (n == 1) { *token = m->of_byte[(unsigned char)*text]; return true; }
    *token = m->of_text[slot_of_text(m, text, n)];
    return *token != NONE;
}

/* One line, "left right"; false where it is something else. */
static bool add_merge(merges *m, const unsigned char *line, size_t n, const int byte_of[2 * BYTES])
{
    const unsigned char *gap = memchr(line, ' ', n);
    char *to = m->bytes + m->from[m->n];
    size_t a, b;
    uint16_t left, right;
    if (!gap || !spell(line, (size_t)(gap - line), byte_of, to, &a) || !find_token(m, to, a, &left)) return false;
    if (!spell(gap + 1, n - (size_t)(gap - line) - 1, byte_of, to + a, &b) || !find_token(m, to + a, b, &right))
        return false;
    const size_t slot = slot_of_text(m, to, a + b);
    if (m->of_text[slot] != NONE) return false;
    m->of_text[slot] = (uint16_t)m->n;
    m->left[m->n] = left, m->right[m->n] = right;
    m->of_pair[slot_of_pair(m, left, right)] = (uint16_t)m->n;
    m->from[m->n + 1] = m->from[m->n] + a + b;
    m->n++;
    return true;
}

merges *merges_read(const char *path)
{
    size_t n;
    unsigned char *text = unpack_file(path, &n), *at = text, *const end = text + n;
    merges *m = must_calloc(1, sizeof *m);
    m->bytes = must_calloc(n + BYTES, 1);                       /* a letter takes at least a byte of the file */
    int letter[BYTES], byte_of[2 * BYTES];
    alphabet(m, letter);
    for (int l = 0; l < 2 * BYTES; l++) byte_of[l] = -1;
    for (int b = 0; b < BYTES; b++) byte_of[letter[b]] = b;
    for (long line = 1; at < end; line++) {
        const unsigned char *stop = memchr(at, '\n', (size_t)(end - at));
        const size_t length = (size_t)((stop ? stop : end) - at);
        const bool title = line == 1 && length >= 8 && memcmp(at, "#version", 8) == 0;
        if (m->n == MOST) die("%s: more than %d merges; tokens have 16 bits", path, MOST - BYTES);
        if (!title && !add_merge(m, at, length, byte_of))
            die("%s, line %ld: not a new merge of two tokens known before; this must be GPT-2's vocab.bpe, or a file "
                "like it", path, line);
        at += length + 1;
    }
    free(text);
    if (m->n == BYTES) die("%s has no merges; this must be GPT-2's vocab.bpe, or a file like it", path);
    return m;
}

void merges_free(merges *m)
{
    free(m->bytes);
    free(m->before);
    free(m->after);
    free(m->heap);
    free(m);
}

long merges_tokens(const merges *m) { return m->n; }

const char *merges_bytes(const merges *m, uint16_t token, size_t *n)
{
    REQUIRE(token < m->n, "token %u of %ld", token, m->n);
    *n = m->from[token + 1] - m->from[token];
    return m->bytes + m->from[token];
}

/* ---- one word --------------------------------------------------------------------------------------------- */

static void push(merges *m, uint64_t x)
{
    size_t k = m->waiting++;
    for (; k > 0 && m->heap[(k - 1) / 2] > x; k = (k - 1) / 2) m->heap[k] = m->heap[(k - 1) / 2];
    m->heap[k] = x;
}

static uint64_t pop(merges *m)
{
    const uint64_t top = m->heap[0], x = m->heap[--m->waiting];
    size_t k = 0;
    for (size_t child; (child = 2 * k + 1) < m->waiting; k = child) {
        if (child + 1 < m->waiting && m->heap[child + 1] < m->heap[child]) child++;
        if (m->heap[child] >= x) break;
        m->heap[k] = m->heap[child];
    }
    m->heap[k] = x;
    return top;
}

static void propose(merges *m, const uint16_t *token, size_t spot, size_t n)
{
    if (m->after[spot] >= n) return;
    const uint16_t merge = m->of_pair[slot_of_pair(m, token[spot], token[m->after[spot]])];
    if (merge != NONE) push(m, (uint64_t)merge << 32 | spot);
}

/* A spot whose token went into its left neighbour has after[spot] = 0.  What the heap says about a spot is out
 * of date if the two tokens there are not the merge's any more. */
size_t merges_apply(merges *m, const char *word, size_t n, uint16_t *token)
{
    REQUIRE(0 < n && n < UINT32_MAX, "a word of %zu bytes", n);
    if (n > m->room) {
        m->room = 2 * n;
        m->before = must_realloc(m->before, m->room, sizeof *m->before);
        m->after = must_realloc(m->after, m->room, sizeof *m->after);
        m->heap = must_realloc(m->heap, 3 * m->room, sizeof *m->heap);         /* n - 1 pairs, 2 new ones a merge */
    }
    for (size_t i = 0; i < n; i++) {
        token[i] = m->of_byte[(unsigned char)word[i]];
        m->before[i] = (uint32_t)(i - 1), m->after[i] = (uint32_t)(i + 1);
    }
    m->waiting = 0;
    for (size_t i = 0; i < n; i++) propose(m, token, i, n);
    while (m->waiting) {
        const uint64_t top = pop(m);
        const size_t spot = (uint32_t)top, gone = m->after[spot];
        const uint16_t merge = (uint16_t)(top >> 32);
        if (!gone || gone >= n || token[spot] != m->left[merge] || token[gone] != m->right[merge]) continue;
        token[spot] = merge;
        m->after[spot] = m->after[gone];
        m->after[gone] = 0;
        if (m->after[spot] < n) m->before[m->after[spot]] = (uint32_t)spot;
        propose(m, token, spot, n);
        if (spot > 0) propose(m, token, m->before[spot], n);
    }
    size_t count = 0;
    for (size_t i = 0; i < n; i = m->after[i]) token[count++] = token[i];
    return count;
}
