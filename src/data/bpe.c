/* SPDX-License-Identifier: GPL-3.0-or-later
 * bpe.c - see bpe.h.
 *
 * Most words of a text have come before: a table keeps the tokens of up to WORDS short words, and merges.c is asked
 * for the others. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/data/bpe.h"
#include "src/data/merges.h"

enum { WORDS = 1 << 19, SLOTS = 2 * WORDS, SHORT = 64 };

typedef struct { uint64_t hash; uint32_t text, token; uint16_t bytes, tokens; } word;          /* bytes 0: free */

struct bpe {
    merges *m;
    pcre2_code *pattern;
    pcre2_match_data *match;
    word *seen;                                                 /* [SLOTS]: text and token are places in: */
    size_t words, text_used, text_room;
    char *text;
    token_list tokens, fresh;
};

/* GPT-2's pattern.  Unicode's White_Space is spelled out, since PCRE2's \s is not quite it. */
#define SPACE "\\t-\\r \\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}"
static const char PATTERN[] = "'(?:[sdmt]|ll|ve|re)| ?\\p{L}+| ?\\p{N}+| ?[^" SPACE "\\p{L}\\p{N}]+"
                              "|[" SPACE "]+(?![^" SPACE "])|[" SPACE "]+";

bpe *bpe_open(const char *path)
{
    bpe *b = must_calloc(1, sizeof *b);
    int error;
    PCRE2_SIZE at;
    b->m = merges_read(path);
    b->pattern = pcre2_compile((PCRE2_SPTR)PATTERN, PCRE2_ZERO_TERMINATED, PCRE2_UTF | PCRE2_ANCHORED, &error, &at,
                               NULL);
    REQUIRE(b->pattern, "pattern: error %d at %zu", error, at);
    pcre2_jit_compile(b->pattern, PCRE2_JIT_COMPLETE);          /* without a JIT it is only slower */
    b->match = pcre2_match_data_create_from_pattern(b->pattern, NULL);
    if (!b->match) die("out of memory for PCRE2");
    b->seen = must_calloc(SLOTS, sizeof *b->seen);
    return b;
}

void bpe_close(bpe *b)
{
    merges_free(b->m);
    pcre2_match_data_free(b->match);
    pcre2_code_free(b->pattern);
    token_list_free(&b->tokens);
    token_list_free(&b->fresh);
    free(b->text);
    free(b->seen);
    free(b);
}

long bpe_vocabulary(const bpe *b)      { return merges_tokens(b->m) + 1; }
uint16_t bpe_end_of_text(const bpe *b) { return (uint16_t)merges_tokens(b->m); }

const char *bpe_decode(const bpe *b, uint16_t token, size_t *n)
{
    if (token != bpe_end_of_text(b)) return merges_bytes(b->m, token, n);
    *n = strlen(END_OF_TEXT);
    return END_OF_TEXT;
}

static void grow(token_list *to, size_t n)                      /* room for n more */
{
    if (to->n + n > to->room) to->at = must_realloc(to->at, to->room = 2 * (to->n + n), sizeof *to->at);
}

void token_list_add(token_list *to, const uint16_t *token, size_t n)
{
    grow(to, n);
    memcpy(to->at + to->n, token, n * sizeof *token);
    to->n += n;
}

void token_list_free(token_list *to)
{
    free(to->at);
    *to = (token_list){ .at = NULL };
}

/* ---- words ------------------------------------------------------------------------------------------------ */

static void remember(bpe *b, word *slot, uint64_t hash, const char *text, size_t n, const uint16_t *token,
                     size_t tokens)
{
    if (b->text_used + n > b->text_room) b->text = must_realloc(b->text, b->text_room = 2 * (b->text_used + n), 1);
    memcpy(b->text + b->text_used, text, n);
    *slot = (word){ hash, (uint32_t)b->text_used, (uint32_t)b->tokens.n, (uint16_t)n, (uint16_t)tokens };
    token_list_add(&b->tokens, token, tokens);
    b->text_used += n;
    b->words++;
}

static void encode_word(bpe *b, const char *text, size_t n, token_list *to)
{
    static const uint64_t key[2] = { 0x776f7264, 0x62706 };
    const uint64_t hash = n <= SHORT ? random_siphash(key, text, n) : 0;
    word *slot = b->seen + hash % SLOTS;
    if (n <= SHORT)
        for (; slot->bytes; slot = slot + 1 < b->seen + SLOTS ? slot + 1 : b->seen)
            if (slot->hash == hash && slot->bytes == n && memcmp(b->text + slot->text, text, n) == 0) {
                token_list_add(to, b->tokens.at + slot->token, slot->tokens);
                return;
            }
    grow(to, n);
    const size_t tokens = merges_apply(b->m, text, n, to->at + to->n);
    if (n <= SHORT && b->words < WORDS) remember(b, slot, hash, text, n, to->at + to->n, tokens);
    to->n += tokens;
}

/* ---- cutting ---------------------------------------------------------------------------------------------- */

/* Bytes of the character at s, n >= 1 bytes left; 0: not UTF-8. */
static size_t character(const unsigned char *s, size_t n)
{
    if (s[0] < 0x80) return 1;
    const size_t length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4 || length > n) return 0;
    for (size_t i = 1; i < length; i++) if ((s[i] & 0xc0) != 0x80) return 0;
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90)) return 0;              /* overlong         */
    if ((s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf4 && s[1] > 0x8f)) return 0;              /* surrogate, above */
    return length;
}

static size_t utf8_run(const char *text, size_t n, bool valid)  /* how far it is valid, or how far it is not */
{
    size_t at = 0;
    while (at < n) {
        const size_t length = character((const unsigned char *)text + at, n - at);
        if ((length > 0) != valid) break;
        at += valid ? length : 1;
    }
    return at;
}

static void encode_valid(bpe *b, const char *text, size_t n, token_list *to)
{
    const PCRE2_SIZE *found = pcre2_get_ovector_pointer(b->match);
    for (size_t at = 0; at < n; at = found[1]) {
        const int is = pcre2_match(b->pattern, (PCRE2_SPTR)text, n, at, PCRE2_NO_UTF_CHECK, b->match, NULL);
        REQUIRE(is > 0 && found[1] > at, "PCRE2's error %d", is);
        encode_word(b, text + at, found[1] - at, to);
    }
}

void bpe_encode(bpe *b, const char *text, size_t n, token_list *to)
{
    for (size_t at = 0; at < n;) {
        const size_t valid = utf8_run(text + at, n - at, true);
        encode_valid(b, text + at, valid, to);
        at += valid;
        const size_t other = utf8_run(text + at, n - at, false);
        if (other) encode_word(b, text + at, other, to);
        at += other;
    }
}
