/* tokens.c - see tokens.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "numerics/random.h"
#include "src/nn/tokens.h"

static const uint64_t HASH_KEY[2] = { 0x70726f7661626c79, 0x746f6b656e73 };

static tokens finish(tokens t)
{
    t.hash = siphash(HASH_KEY, t.at, t.n * sizeof *t.at);
    return t;
}

static unsigned char *read_all(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    struct stat s;
    if (!f || fstat(fileno(f), &s) != 0) die("cannot read %s: %s", path, strerror(errno));
    if (!S_ISREG(s.st_mode)) die("%s is no file", path);
    unsigned char *bytes = must_calloc((size_t)s.st_size + 1, 1);
    *n = fread(bytes, 1, (size_t)s.st_size, f);
    if (*n != (size_t)s.st_size) die("cannot read %s: it ended early", path);
    fclose(f);
    return bytes;
}

tokens tokens_bytes(const char *path)
{
    tokens t = { .V = 256 };
    unsigned char *bytes = read_all(path, &t.n);
    if (!t.n) die("%s is empty", path);
    t.at = must_calloc(t.n, sizeof *t.at);
    for (size_t i = 0; i < t.n; i++) t.at[i] = bytes[i];
    free(bytes);
    return finish(t);
}

tokens tokens_chars(const char *path)
{
    tokens t = tokens_bytes(path);
    uint16_t code[256] = { 0 };
    bool seen[256] = { false };
    for (size_t i = 0; i < t.n; i++) seen[t.at[i]] = true;
    t.V = 0;
    for (int b = 0; b < 256; b++) if (seen[b]) code[b] = (uint16_t)t.V++;
    if (t.V < 2) die("%s has only one character; there is nothing to learn", path);
    for (size_t i = 0; i < t.n; i++) t.at[i] = code[t.at[i]];
    return finish(t);
}

static tokens from_words(const char *path, const unsigned char *bytes, size_t n, long V)
{
    tokens t = { .n = n, .V = V, .at = must_calloc(n, sizeof *t.at) };
    for (size_t i = 0; i < n; i++) {
        t.at[i] = (uint16_t)(bytes[2 * i] | bytes[2 * i + 1] << 8);
        if (t.at[i] >= V) die("%s: token %zu is %u, the vocabulary is %ld; give the vocabulary it was made with",
                              path, i, t.at[i], V);
    }
    return finish(t);
}

tokens tokens_nanogpt(const char *path, long V)
{
    size_t n;
    unsigned char *bytes = read_all(path, &n);
    if (!n || n % 2) die("%s: not a file of 16-bit tokens (%zu bytes)", path, n);
    tokens t = from_words(path, bytes, n / 2, V);
    free(bytes);
    return t;
}

static uint32_t word_at(const unsigned char *b, int k)
{
    b += 4 * k;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

tokens tokens_llmc(const char *path, long V)
{
    enum { HEADER = 1024 };
    size_t n;
    unsigned char *bytes = read_all(path, &n);
    if (n < HEADER || word_at(bytes, 0) != 20240520 || word_at(bytes, 1) != 1)
        die("%s: not a token shard of version 1 (its first words must be 20240520 and 1)", path);
    const size_t count = word_at(bytes, 2);
    if (!count || n != HEADER + 2 * count)
        die("%s: cut off or too long: %zu tokens announced, %zu bytes", path, count, n);
    tokens t = from_words(path, bytes + HEADER, count, V);
    free(bytes);
    return t;
}

/* ---- a made-up language ---------------------------------------------------------------------------------- */

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
    key_derive(d.key, (uint64_t[]){ seed, 0 }, "synthetic corpus");
    lexeme noun[NOUNS], verb[VERBS];
    for (int k = 0; k < NOUNS; k++) noun[k] = invent(&d);
    for (int k = 0; k < VERBS; k++) verb[k] = invent(&d);
    tokens t = { .n = n, .V = 256, .at = must_calloc(n, sizeof *t.at) };
    for (size_t at = 0; at < n;) {
        char line[128];
        const int length = sentence(line, sizeof line, &d, noun, verb);
        for (int i = 0; i < length && at < n; i++) t.at[at++] = (unsigned char)line[i];
    }
    return finish(t);
}

tokens tokens_part(const tokens *t, double from, double to)
{
    REQUIRE(0 <= from && from < to && to <= 1, "part from %g to %g", from, to);
    const size_t first = (size_t)(from * (double)t->n), last = (size_t)(to * (double)t->n);
    tokens p = { .at = must_calloc(last - first + 1, sizeof *p.at), .n = last - first, .V = t->V };
    memcpy(p.at, t->at + first, p.n * sizeof *p.at);
    return finish(p);
}

void tokens_free(tokens *t)
{
    free(t->at);
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
    key_derive(key, (uint64_t[]){ seed, (uint64_t)step }, "window");
    return (size_t)random_below(key, (uint64_t)row, t->n - (size_t)T);
}
