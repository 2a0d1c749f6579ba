/* SPDX-License-Identifier: GPL-3.0-or-later
 * tokens.c - see tokens.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/base/mapped.h"
#include "src/data/unpack.h"
#include "src/data/tokens.h"

static const uint64_t HASH_KEY[2] = { 0x70726f7661626c79, 0x746f6b656e73 };

static tokens finish(tokens t)
{
    t.hash = random_siphash(HASH_KEY, t.at, t.n * sizeof *t.at);
    return t;
}

tokens tokens_bytes(const char *path)
{
    tokens t = { .V = 256 };
    unsigned char *bytes = unpack_file(path, &t.n);
    if (!t.n) die("%s is empty", path);
    uint16_t *at = t.memory = must_calloc(t.n, sizeof *at);
    for (size_t i = 0; i < t.n; i++) at[i] = bytes[i];
    free(bytes);
    t.at = at;
    return finish(t);
}

/* The bytes of t that occur, in their order; returns how many. */
static long alphabet_of(const tokens *t, unsigned char letter[256])
{
    bool seen[256] = { false };
    long n = 0;
    for (size_t i = 0; i < t->n; i++) seen[t->at[i]] = true;
    for (int b = 0; b < 256; b++) if (seen[b]) letter[n++] = (unsigned char)b;
    return n;
}

long tokens_alphabet(const char *path, unsigned char letter[256])
{
    tokens t = tokens_bytes(path);
    const long n = alphabet_of(&t, letter);
    tokens_free(&t);
    return n;
}

uint64_t tokens_alphabet_hash(const unsigned char *letter, long n)
{
    return random_siphash(HASH_KEY, letter, (size_t)n) | 1;
}

tokens tokens_chars(const char *path)
{
    tokens t = tokens_bytes(path);
    unsigned char letter[256];
    uint16_t code[256] = { 0 }, *at = t.memory;
    t.V = alphabet_of(&t, letter);
    if (t.V < 2) die("%s has only one character; there is nothing to learn", path);
    t.alphabet = tokens_alphabet_hash(letter, t.V);
    for (long k = 0; k < t.V; k++) code[letter[k]] = (uint16_t)k;
    for (size_t i = 0; i < t.n; i++) at[i] = code[at[i]];
    return finish(t);
}

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "files of tokens are mapped as they are");

/* The file's bytes, in t.memory[t.mapped]. */
static tokens map_file(const char *path)
{
    tokens t = { .V = 0 };
    t.memory = mapped_open(path, &t.mapped, "put it back as it was, and give the same command again: a training run "
                           "resumes from its last checkpoint");
    return t;
}

/* t: mapped; its n tokens begin at byte `from`. */
static tokens from_words(const char *path, tokens t, size_t from, size_t n, long V)
{
    t.at = (const uint16_t *)((const char *)t.memory + from), t.n = n, t.V = V;
    for (size_t i = 0; i < n; i++)
        if (t.at[i] >= V) die("%s: token %zu is %u, the vocabulary is %ld; give the vocabulary it was made with",
                              path, i, t.at[i], V);
    return finish(t);
}

tokens tokens_nanogpt(const char *path, long V)
{
    const tokens t = map_file(path);
    if (t.mapped % 2) die("%s: not a file of 16-bit tokens (%zu bytes)", path, t.mapped);
    return from_words(path, t, 0, t.mapped / 2, V);
}

tokens tokens_llmc(const char *path, long V)
{
    enum { HEADER = 1024 };
    const tokens t = map_file(path);
    const uint32_t *head = t.memory;
    if (t.mapped < HEADER || head[0] != 20240520 || head[1] != 1)
        die("%s: not a token shard of version 1 (its first words must be 20240520 and 1)", path);
    const size_t count = head[2];
    if (!count || t.mapped != HEADER + 2 * count)
        die("%s: cut off or too long: %zu tokens announced, %zu bytes", path, count, t.mapped);
    return from_words(path, t, HEADER, count, V);
}

/* ---- a synthetic language --------------------------------------------------------------------------------- */

typedef struct { uint64_t key[2], counter; } dice;
static uint64_t roll(dice *d, uint64_t bound) { return random_below(d->key, d->counter++, bound); }

enum { NOUNS = 64, VERBS = 32, LETTERS = 12 };
typedef struct { char word[LETTERS]; } lexeme;

static lexeme invent(dice *d)
{
    static const char consonant[] = "bdfgklmnprstvz", vowel[] = "aeiou";
    lexeme w = { "" };
    const uint64_t syllables = 1 + roll(d, 3);
    size_t n = 0;
    for (uint64_t k = 0; k < syllables; k++) {
        w.word[n++] = consonant[roll(d, sizeof consonant - 1)];
        w.word[n++] = vowel[roll(d, sizeof vowel - 1)];
    }
    return w;
}

/* Zipf's law: rank r with probability about 1/r, by an exponential of a uniform number. */
static uint64_t rank_of(dice *d, uint64_t words)
{
    const double u = (double)roll(d, 1u << 20) / (1u << 20);
    return (uint64_t)(pow((double)words + 1, u)) - 1;
}

/* "the NOUN[s] VERB[s] the NOUN." - a plural noun takes no s at its verb; or "12+30=42." */
static int sentence(char *to, size_t size, dice *d, const lexeme *noun, const lexeme *verb)
{
    if (roll(d, 4) == 0) {
        const uint64_t a = roll(d, 50), b = roll(d, 50);
        return snprintf(to, size, "%d+%d=%d.\n", (int)a, (int)b, (int)(a + b));
    }
    const bool plural = roll(d, 2);
    const uint64_t who = rank_of(d, NOUNS), does = rank_of(d, VERBS), what = rank_of(d, NOUNS);
    return snprintf(to, size, "the %s%s %s%s the %s.\n", noun[who].word, plural ? "s" : "", verb[does].word,
                    plural ? "" : "s", noun[what].word);
}

tokens tokens_synthetic(uint64_t seed, size_t n)
{
    REQUIRE(n > 0, "%zu tokens", n);
    dice d = { .counter = 0 };
    random_key_derive(d.key, (uint64_t[]){ seed, 0 }, "synthetic corpus");
    lexeme noun[NOUNS], verb[VERBS];
    for (int k = 0; k < NOUNS; k++) noun[k] = invent(&d);
    for (int k = 0; k < VERBS; k++) verb[k] = invent(&d);
    uint16_t *to = must_calloc(n, sizeof *to);
    for (size_t at = 0; at < n;) {
        char line[128];
        const int length = sentence(line, sizeof line, &d, noun, verb);
        for (int i = 0; i < length && at < n; i++) to[at++] = (unsigned char)line[i];
    }
    return finish((tokens){ .at = to, .n = n, .V = 256, .memory = to });
}

tokens tokens_part(const tokens *t, double from, double to)
{
    REQUIRE(0 <= from && from < to && to <= 1, "part from %g to %g", from, to);
    const size_t first = (size_t)(from * (double)t->n), last = (size_t)(to * (double)t->n);
    return finish((tokens){ .at = t->at + first, .n = last - first, .V = t->V, .alphabet = t->alphabet });
}

void tokens_free(tokens *t)
{
    if (t->mapped) mapped_close(t->memory, t->mapped);
    else free(t->memory);
    *t = (tokens){ .at = NULL };
}

void tokens_window(const tokens *t, size_t from, long T, int32_t *token, int32_t *target)
{
    REQUIRE(from + (size_t)T < t->n, "window of %ld at %zu of %zu", T, from, t->n);
    for (long k = 0; k < T; k++) {
        token[k]  = t->at[from + (size_t)k];
        target[k] = t->at[from + (size_t)k + 1];
    }
}

size_t tokens_place(const tokens *t, uint64_t seed, long step, long row, long T)
{
    REQUIRE(t->n > (size_t)T, "%zu tokens, windows of %ld", t->n, T);
    uint64_t key[2];
    random_key_derive(key, (uint64_t[]){ seed, (uint64_t)step }, "window");
    return (size_t)random_below(key, (uint64_t)row, t->n - (size_t)T);
}

tokens_order tokens_order_counter(uint64_t seed)
{
    return (tokens_order){ .seed = seed };
}

tokens_order tokens_order_torch(uint64_t seed, long batch)
{
    REQUIRE(batch > 0, "%ld rows", batch);
    return (tokens_order){ .torch = true, .seed = seed, .batch = batch, .draws = torch_draws_seed(seed) };
}

size_t tokens_order_at(tokens_order *o, const tokens *t, long step, long row, long T)
{
    if (!o->torch) return tokens_place(t, o->seed, step, row, T);
    REQUIRE(t->n > (size_t)T && 0 <= row && row < o->batch, "%zu tokens, windows of %ld, row %ld", t->n, T, row);
    const uint64_t k = (uint64_t)step * (uint64_t)o->batch + (uint64_t)row;
    return (size_t)torch_draws_randint(&o->draws, t->n - (size_t)T, k);
}
