/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_data.c - compressed files, archives, byte pairs, texts to tokens, and PyTorch's order of windows. */
#include <bzlib.h>
#include <fcntl.h>
#include <lzma.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include "numerics/random.h"
#include "src/data/bpe.h"
#include "src/data/documents.h"
#include "src/data/encode.h"
#include "src/data/merges.h"
#include "src/data/unpack.h"
#include "src/data/tokens.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"


/* Random bytes, some of them in runs and rows, so that compressing has something to do. */
static unsigned char *noise(uint64_t seed, size_t n)
{
    unsigned char *b = must_calloc(n + 1, 1);
    const uint64_t key[2] = { seed, 1 };
    for (size_t i = 0; i < n; i++) b[i] = i % 1000 < 500 ? (unsigned char)random_below(key, i, 256) : b[i - 500];
    return b;
}

/* ---- compressed files --------------------------------------------------------------------------------------- */

typedef enum { GZ, BZ2, XZ } packing;

static size_t pack(packing how, const unsigned char *from, size_t n, unsigned char *to, size_t room)
{
    size_t used = 0;
    if (how == XZ) {
        ck_assert_int_eq(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, NULL, from, n, to, &used, room), LZMA_OK);
    } else if (how == BZ2) {
        unsigned length = (unsigned)room;
        ck_assert_int_eq(BZ2_bzBuffToBuffCompress((char *)to, &length, (char *)(uintptr_t)from, (unsigned)n, 9, 0, 0), BZ_OK);
        used = length;
    } else {
        z_stream z = { .next_in = (Bytef *)(uintptr_t)from, .avail_in = (uInt)n, .next_out = to, .avail_out = (uInt)room };
        ck_assert_int_eq(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
        ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
        used = z.total_out;
        deflateEnd(&z);
    }
    return used;
}

static void unpack_it(void *path)
{
    size_t n;
    free(unpack_file(path, &n));
}

/* A few kilobytes take no gigabyte: 128 MB of zeros in every format, and 60 MB, which are let through. */
START_TEST(bombs)
{
    enum { MOST = 1 << 27, SOME = 60000000 };
    char *folder = temp_folder(), output[512];
    unsigned char *x = must_calloc(MOST, 1), *z = must_calloc(1 << 20, 1);
    for (int how = GZ; how <= XZ; how++) {
        char *path = temp_write(folder, "packed", z, pack(how, x, MOST, z, 1 << 20));
        ck_assert_int_eq(run_child(unpack_it, path, output, sizeof output), 2);
        ck_assert_msg(strstr(output, "unpacks to more than 200 times its length"), "%d: %s", how, output);
        temp_write(folder, "packed", z, pack(how, x, SOME, z, 1 << 20));
        size_t got;
        free(unpack_file(path, &got));
        ck_assert_uint_eq(got, SOME);
    }
    free(x);
    free(z);
}
END_TEST

/* Two parts, one behind the other, larger than all buffers; cut anywhere and damaged in the middle. */
START_TEST(packed_files)
{
    enum { N = 300000, ROOM = 2 * N };
    char *folder = temp_folder(), output[512];
    unsigned char *x = noise(1, N), *z = must_calloc(ROOM, 1);
    for (int how = GZ; how <= XZ; how++) {
        const size_t first = pack(how, x, 1000, z, ROOM), n = first + pack(how, x + 1000, N - 1000, z + first, ROOM - first);
        char *path = temp_write(folder, "packed", z, n);
        size_t got;
        unsigned char *y = unpack_file(path, &got);
        ck_assert_uint_eq(got, N);
        ck_assert(memcmp(x, y, N) == 0 && y[N] == 0);
        free(y);
        for (size_t k = 1; k < 5; k++) {
            temp_write(folder, "packed", z, n * k / 5);
            ck_assert_int_eq(run_child(unpack_it, path, output, sizeof output), 2);
            ck_assert_msg(strstr(output, "is cut off") != NULL, "%d: %s", how, output);
        }
        memset(z + n, 0, 1024);                                           /* filled up, as tapes and other programs do */
        temp_write(folder, "packed", z, n + 1024);
        y = unpack_file(path, &got);
        ck_assert(got == N && memcmp(x, y, N) == 0);
        free(y);
        const size_t third = n + 1024 + (how == XZ ? 0 : pack(how, x, 1000, z + n + 1024, ROOM - n - 1024));      /* and a part behind it */
        if (how != XZ) {
            temp_write(folder, "packed", z, third);
            y = unpack_file(path, &got);
            ck_assert(got == N + 1000 && memcmp(x, y + N, 1000) == 0);
            free(y);
        }
        z[n + 1000] = 7;                                                  /* neither zeros nor a part */
        temp_write(folder, "packed", z, n + 1024);
        ck_assert_int_eq(run_child(unpack_it, path, output, sizeof output), 2);
        memset(z + n / 2, 0, 100);
        temp_write(folder, "packed", z, n);
        ck_assert_int_eq(run_child(unpack_it, path, output, sizeof output), 2);
        ck_assert_msg(strstr(output, "is damaged") != NULL, "%d: %s", how, output);
        temp_write(folder, "packed", z, pack(how, x, 0, z, ROOM));        /* of nothing */
        y = unpack_file(path, &got);
        ck_assert_uint_eq(got, 0);
        free(y);
    }
    /* The header of xz data may ask for any memory: its dictionary is 4 GB here.  Behind the stream's header of 12 bytes stands
     * the block's: its length / 4 - 1, flags, sizes, the filter's name and one byte for the dictionary, zeros, CRC-32. */
    const size_t packed = pack(XZ, x, 1000, z, ROOM), length = 4 * ((size_t)z[12] + 1);
    unsigned char *filter = memmem(z + 14, length, "\x21\1", 2);
    ck_assert_ptr_nonnull(filter);
    filter[2] = 40;
    const uint32_t sum = (uint32_t)crc32(0, z + 12, (unsigned)(length - 4));
    memcpy(z + 12 + length - 4, &sum, 4);
    ck_assert_int_eq(run_child(unpack_it, temp_write(folder, "packed", z, packed), output, sizeof output), 2);
    ck_assert_msg(strstr(output, "asks for more than 512 MB of memory to unpack") != NULL, "%s", output);
    char *path = temp_write(folder, "plain", x, N);
    size_t got;
    unsigned char *y = unpack_file(path, &got);
    ck_assert(got == N && memcmp(x, y, N) == 0);
    ck_assert_int_eq(run_child(unpack_it, folder, output, sizeof output), 2);
    ck_assert_ptr_nonnull(strstr(output, "is not a regular file"));
    ck_assert_int_eq(run_child(unpack_it, (void *)(uintptr_t)"/no/such/file", output, sizeof output), 2);
    ck_assert_ptr_nonnull(strstr(output, "cannot read /no/such/file"));
    free(x); free(y); free(z);
}
END_TEST

/* ---- byte pairs --------------------------------------------------------------------------------------------- */

static const char MERGES[] =             /* token 256, 257, ... */
    "#version: 0.2\n"
    "a b\nab c\n\xc4\xa0 a\n\xc4\xa0 \xc4\xa0\na a\n' s\n1 1\na 1\n\xc4\x8a \xc4\x8a\n"       /* G: space, C: \n */
    "\xc3\x82 \xc5\x82\nb \xc4\xa0\n\xc4\xa0 \xc3\xa1\n! \xc3\xa1\nb c\n' S\na '\n! \xc3\xad\n! \xc3\x80\n";

typedef struct { const char *text; int n; int token[8]; } spelling;
enum { A = 64, B = 65, C = 66, SPACE = 220, NEWLINE = 198, QUOTE = 6, ONE = 16, S = 82, BIG_S = 50 };
static const spelling spellings[] = {
    { "abc", 1, { 257 } }, { "abcabc", 2, { 257, 257 } }, { "ab", 1, { 256 } }, { "bc", 1, { 269 } },
    { "aab", 2, { A, 256 } },                                   /* (a b) is earlier than (a a) */
    { "aaa", 2, { 260, A } }, { "aaaa", 2, { 260, 260 } },      /* leftmost first */
    { "a a", 2, { A, 258 } }, { "  a", 2, { SPACE, 258 } }, { "a  ", 2, { A, 259 } }, { "   a", 2, { 259, 258 } },
    { "a1", 2, { A, ONE } }, { "11", 1, { 262 } }, { " 11", 2, { SPACE, 262 } },                /* not over kinds */
    { "a's", 2, { A, 261 } }, { "a'S", 3, { A, QUOTE, BIG_S } }, { "b a", 2, { B, 258 } },
    { "\n\na", 3, { NEWLINE, NEWLINE, A } }, { "\n\n", 1, { 264 } }, { "a\n\n", 2, { A, 264 } },
    { "a\xc2\xa0" "a", 3, { A, 265, A } },                      /* U+00A0 is white space */
    { " \xe1\xa0\x8e", 3, { 267, 254, 236 } }, { "!\xe1\xa0\x8e", 3, { 268, 254, 236 } },       /* U+180E is none */
    { "!\xed\xa0\x80", 4, { 0, 169, 254, 222 } }, { "!\xc0\xaf", 3, { 0, 124, 107 } },      /* no UTF-8: a word of its own */
    { "'S", 2, { QUOTE, BIG_S } }, { "s", 1, { S } },
};

/* The token of a byte in GPT-2's order, by its definition. */
static int byte_token(int byte)
{
    int plain = 0, before = 0;
    for (int b = 0; b < 256; b++) {
        const bool is = ('!' <= b && b <= '~') || (0xa1 <= b && b <= 0xac) || (0xae <= b && b <= 0xff);
        const bool mine = ('!' <= byte && byte <= '~') || (0xa1 <= byte && byte <= 0xac) || (0xae <= byte && byte <= 0xff);
        plain += is;
        before += b < byte && is == mine;
    }
    const bool mine = ('!' <= byte && byte <= '~') || (0xa1 <= byte && byte <= 0xac) || (0xae <= byte && byte <= 0xff);
    return mine ? before : plain + before;
}

START_TEST(words_and_merges)
{
    char *folder = temp_folder(), *path = temp_write(folder, "merges", MERGES, sizeof MERGES - 1);
    bpe *b = bpe_open(path);
    ck_assert_int_eq(bpe_vocabulary(b), 256 + 18 + 1);
    ck_assert_uint_eq(bpe_end_of_text(b), 274);
    for (int byte = 0; byte < 256; byte++) {
        token_list l = { .at = NULL };
        bpe_encode(b, (char[]){ (char)byte }, 1, &l);
        size_t n;
        ck_assert(l.n == 1 && l.at[0] == byte_token(byte));
        ck_assert(*bpe_decode(b, l.at[0], &n) == (char)byte && n == 1);
        token_list_free(&l);
    }
    for (size_t k = 0; k < COUNT(spellings); k++) {
        const spelling *s = &spellings[k];
        for (int twice = 0; twice < 2; twice++) {               /* the second time from the table of words */
            token_list l = { .at = NULL };
            bpe_encode(b, s->text, strlen(s->text), &l);
            ck_assert_msg((int)l.n == s->n, "%s: %zu tokens, first %u", s->text, l.n, l.at[0]);
            for (int i = 0; i < s->n; i++) ck_assert_msg(l.at[i] == s->token[i], "%s: token %d is %u", s->text, i, l.at[i]);
            token_list_free(&l);
        }
    }
    size_t n;
    ck_assert(memcmp(bpe_decode(b, 257, &n), "abc", 3) == 0 && n == 3);
    ck_assert_str_eq(bpe_decode(b, 274, &n), "<|endoftext|>");
    bpe_close(b);
}
END_TEST

static void open_merges(void *path) { bpe_close(bpe_open(path)); }

START_TEST(bad_merges)
{
    static const struct { const char *text, *says; } bad[] = {
        { "", "has no merges" }, { "#version: 0.2\n", "has no merges" }, { "a b\nabc d\n", "line 2" },
        { "a b\na b\n", "line 2" }, { "a b\nb c\nab c\na bc\n", "line 4" }, { "ab\n", "line 1" }, { "a \n", "line 1" },
        { " a\n", "line 1" }, { "a b\n\nb c\n", "line 2" }, { "a b\nx\ty\n", "line 2" }, { "a \xe2\x82\xac\n", "line 1" },
        { "a b\n#version: 0.2\n", "line 2" }, { "a \xc4", "line 1" }, { "a \xc5\xbf\n", "line 1" },
    };
    char *folder = temp_folder(), output[512];
    for (size_t k = 0; k < COUNT(bad); k++) {
        char *path = temp_write(folder, "merges", bad[k].text, strlen(bad[k].text));
        ck_assert_int_eq(run_child(open_merges, path, output, sizeof output), 2);
        ck_assert_msg(strstr(output, bad[k].says) != NULL && strstr(output, "vocab.bpe"), "%zu: %s", k, output);
    }
    char *many = must_calloc(70000, 16), *to = many;            /* 676 tokens of two letters, then of four */
    for (int k = 0; k < 66000; k++)
        to += k < 26 * 26 ? sprintf(to, "%c %c\n", 'a' + k / 26, 'a' + k % 26)
                          : sprintf(to, "%c%c %c%c\n", 'a' + (k - 676) / 26 % 26, 'a' + (k - 676) % 26,
                                    'a' + (k - 676) / 676 / 26 % 26, 'a' + (k - 676) / 676 % 26);
    char *path = temp_write(folder, "merges", many, (size_t)(to - many));
    ck_assert_int_eq(run_child(open_merges, path, output, sizeof output), 2);
    ck_assert_msg(strstr(output, "more than 65279 merges") != NULL, "%s", output);
    char *end = many;
    for (int k = 0; k < 65279; k++) end = strchr(end, '\n') + 1;
    path = temp_write(folder, "merges", many, (size_t)(end - many));
    bpe *most = bpe_open(path);                                 /* so many fit */
    ck_assert_int_eq(bpe_vocabulary(most), 65536);
    ck_assert_uint_eq(bpe_end_of_text(most), 65535);
    bpe_close(most);
    free(many);
}
END_TEST

/* GPT-2's rule word for word: of all neighbours the pair that is earliest in the list, at all places; again. */
static size_t by_the_rule(const int *left, const int *right, int count, int *token, size_t n)
{
    for (;;) {
        int best = count;
        for (size_t i = 0; i + 1 < n; i++)
            for (int k = 0; k < best; k++) if (left[k] == token[i] && right[k] == token[i + 1]) best = k;
        if (best == count) return n;
        size_t m = 0;
        for (size_t i = 0; i < n; i++) {
            const bool here = i + 1 < n && token[i] == left[best] && token[i + 1] == right[best];
            token[m++] = here ? 256 + best : token[i];
            i += here;
        }
        n = m;
    }
}

START_TEST(merging_is_the_rule)          /* random lists over a, b, c; random words up to 120 letters */
{
    enum { MOST = 40, LONGEST = 120 };
    char *folder = temp_folder();
    uint64_t at = 0;
    const uint64_t key[2] = { 5, 6 };
    for (int round = 0; round < 40; round++) {
        char text[256 + MOST][64] = { "" }, list[MOST * 140] = "", *to = list;
        int left[MOST], right[MOST], count = 0;
        for (int b = 0; b < 3; b++) text[A + b][0] = (char)('a' + b);
        for (int k = 0; k < 400 && count < MOST; k++) {
            const uint64_t known = 3 + (uint64_t)count, x = random_below(key, at++, known), y = random_below(key, at++, known);
            const int l = x < 3 ? A + (int)x : 253 + (int)x, r = y < 3 ? A + (int)y : 253 + (int)y;
            if (strlen(text[l]) + strlen(text[r]) > 12) continue;
            char joined[64];
            snprintf(joined, sizeof joined, "%.20s%.20s", text[l], text[r]);
            bool old = false;
            for (int m = 0; m < count; m++) old |= strcmp(text[256 + m], joined) == 0;
            if (old) continue;
            to += sprintf(to, "%s %s\n", text[l], text[r]);
            strcpy(text[256 + count], joined);
            left[count] = l, right[count++] = r;
        }
        char *path = temp_write(folder, "merges", list, strlen(list));
        merges *const m = merges_read(path);
        ck_assert_int_eq(merges_tokens(m), 256 + count);
        for (int k = 0; k < 50; k++) {
            char word[LONGEST];
            int slow[LONGEST];
            uint16_t fast[LONGEST];
            const size_t n = 1 + random_below(key, at++, LONGEST);
            for (size_t i = 0; i < n; i++) slow[i] = word[i] = (char)('a' + random_below(key, at++, 3));
            for (size_t i = 0; i < n; i++) slow[i] += A - 'a';
            const size_t want = by_the_rule(left, right, count, slow, n), got = merges_apply(m, word, n, fast);
            ck_assert_uint_eq(got, want);
            for (size_t i = 0; i < got; i++) ck_assert_int_eq(fast[i], slow[i]);
        }
        merges_free(m);
    }
}
END_TEST

START_TEST(every_byte_comes_back)        /* random bytes, random Unicode, damaged Unicode; cuts at words change nothing */
{
    char *folder = temp_folder(), *path = temp_write(folder, "merges", MERGES, sizeof MERGES - 1);
    bpe *b = bpe_open(path);
    const uint64_t key[2] = { 9, 9 };
    uint64_t at = 0;
    for (int round = 0; round < 300; round++) {
        char text[600], back[600];
        size_t n = 0;
        while (n < 500)
            switch (random_below(key, at++, 4)) {
            case 0: text[n++] = (char)random_below(key, at++, 256); break;
            case 1: text[n++] = "ab c1's\n! "[random_below(key, at++, 10)]; break;
            case 2: n += (size_t)sprintf(text + n, "%s", (const char *[]){ "\xc2\xa0", "\xe2\x80\x83", "\xf0\x9f\x98\x80", "\xc3\xa9" }[random_below(key, at++, 4)]); break;
            default: n += (size_t)sprintf(text + n, "%s", (const char *[]){ "\xed\xa0\x80", "\xc0\xaf", "\xf5", "\xe2\x82" }[random_below(key, at++, 4)]);
            }
        token_list l = { .at = NULL }, parts = { .at = NULL };
        bpe_encode(b, text, n, &l);
        size_t m = 0;
        for (size_t i = 0; i < l.n; i++) {
            size_t k;
            const char *bytes = bpe_decode(b, l.at[i], &k);
            memcpy(back + m, bytes, k);
            m += k;
        }
        ck_assert(m == n && memcmp(text, back, n) == 0);
        size_t from = 0;
        for (size_t i = 1; i < n; i++)
            if ('!' <= text[i - 1] && text[i - 1] <= '~' && (text[i] == ' ' || text[i] == '\n')) {
                bpe_encode(b, text + from, i - from, &parts);
                from = i;
            }
        bpe_encode(b, text + from, n - from, &parts);
        ck_assert(parts.n == l.n && memcmp(parts.at, l.at, l.n * sizeof *l.at) == 0);
        token_list_free(&l);
        token_list_free(&parts);
    }
    bpe_close(b);
}
END_TEST

/* ---- documents ---------------------------------------------------------------------------------------------- */

typedef struct { char *text; size_t n; long ends, pieces; size_t end_at[16]; } heard;

static void hear(void *self, const char *text, size_t n, bool ends)
{
    heard *h = self;
    if (h->n) {                          /* a cut, or the beginning of a document */
        const bool at_word = text[0] == ' ' || text[0] == '\n' || h->end_at[(h->ends + 15) % 16] == h->n;
        ck_assert(at_word || n == 0);
    }
    h->text = must_realloc(h->text, h->n + n + 1, 1);
    memcpy(h->text + h->n, text, n);
    h->n += n;
    h->pieces++;
    if (ends) h->end_at[h->ends++ % 16] = h->n;
}

static heard listen(const char *path)
{
    heard h = { .text = NULL };
    documents_read(path, hear, &h);
    return h;
}

START_TEST(separators)                   /* only a whole line separates */
{
    static const struct { const char *text, *without; long ends; } cases[] = {
        { "one\n<|endoftext|>\ntwo\n", "one\ntwo\n", 1 }, { "one\n<|endoftext|>\ntwo\n<|endoftext|>", "one\ntwo\n", 2 },
        { "<|endoftext|>\n<|endoftext|>\n", "", 2 }, { "one <|endoftext|>\n", "one <|endoftext|>\n", 0 },
        { "one\n<|endoftext|> two\n", "one\n<|endoftext|> two\n", 0 }, { "<|endoftext|", "<|endoftext|", 0 },
        { "<|endoftext|><|endoftext|>\n", "<|endoftext|><|endoftext|>\n", 0 }, { "one", "one", 0 },
    };
    char *folder = temp_folder();
    for (size_t k = 0; k < COUNT(cases); k++) {
        char *path = temp_write(folder, "text", cases[k].text, strlen(cases[k].text));
        heard h = listen(path);
        ck_assert_msg(h.ends == cases[k].ends, "%zu: %ld ends", k, h.ends);
        ck_assert_uint_eq(h.n, strlen(cases[k].without));
        ck_assert(h.n == 0 || memcmp(h.text, cases[k].without, h.n) == 0);
        free(h.text);
    }
}
END_TEST

START_TEST(long_documents)               /* 13 MB in pieces, separators on all sides of the buffer's ends; 9 MB without a blank */
{
    enum { N = 13 << 20, LINE = 997 };
    char *folder = temp_folder(), *text = must_calloc(N + 64, 1), *plain = must_calloc(N + 64, 1);
    size_t n = 0, m = 0;
    long ends = 0;
    for (long line = 0; n + LINE + 20 < N; line++) {
        for (int k = 0; k < LINE - 1; k++) plain[m++] = text[n++] = (char)(k % 7 == 6 ? ' ' : 'a' + (line + k) % 26);
        plain[m++] = text[n++] = '\n';
        if (line % 3 == 0 && line < 4500) {
            n += (size_t)sprintf(text + n, "<|endoftext|>\n");
            ends++;
        }
    }
    char *path = temp_write(folder, "text", text, n);
    heard h = listen(path);
    ck_assert_int_eq(h.ends, ends);
    ck_assert(h.n == m && memcmp(h.text, plain, m) == 0);
    ck_assert_int_gt(h.pieces, ends + 1);                       /* the end was given on in several pieces */
    free(h.text);
    char *out = temp_path(folder, "out");
    const encode_result r = encode_text(&(encode_config){ .in = path, .out = out, .level = LEVEL_BYTES });
    ck_assert(r.documents == (uint64_t)ends + 1 && r.bytes == m && r.tokens == n);
    memset(text, 'x', 9 << 20);
    temp_write(folder, "text", text, 9 << 20);
    h = listen(path);
    ck_assert(h.n == 9 << 20 && h.pieces == 1 && h.ends == 0 && memcmp(h.text, text, h.n) == 0);
    free(h.text);
    free(text); free(plain);
}
END_TEST

static void listen_to(void *path) { free(listen(path).text); }

START_TEST(archives)                     /* each file in it is a document, also in archives within */
{
    char *folder = temp_folder(), output[512];
    const int made = run_command(output, sizeof output, "cd '%s' && d=in/deep/$(printf %%0120d 1) && mkdir -p $d && printf one >in/a && printf ' two\\n' >in/b.txt && : >in/empty &&"
        "printf ' three' >$d/c && ln -s a in/link && tar czf x.tgz in/a in/b.txt in/link &&"
        "tar cf y.tar in/deep in/empty && tar czf all.tgz x.tgz y.tar && tar cf 0.tar in/a && head -c 514 0.tar >cut.tar &&"
        "tar cf bad.tar in/a in/b.txt && printf X | dd of=bad.tar bs=1 seek=1030 conv=notrunc 2>&1 && tar cf 1.tar in/a && for k in 1 2 3 4 5; do tar cf $((k+1)).tar $k.tar; done",
        folder);
    ck_assert_msg(made == 0, "%s", output);
    char *all = temp_path(folder, "all.tgz"), *cut = temp_path(folder, "cut.tar"), *deep = temp_path(folder, "6.tar");
    char *bad = temp_path(folder, "bad.tar");
    heard h = listen(all);
    ck_assert_msg(h.n == 14 && memcmp(h.text, "one two\n three", 14) == 0, "%.*s", (int)h.n, h.text);
    ck_assert_int_eq(h.ends, 4);
    ck_assert(h.end_at[0] == 3 && h.end_at[1] == 8 && h.end_at[2] == 14 && h.end_at[3] == 14);
    free(h.text);
    ck_assert_int_eq(run_child(listen_to, cut, output, sizeof output), 2);
    ck_assert_msg(strstr(output, "is cut off within in/a") != NULL, "%s", output);
    ck_assert_int_eq(run_child(listen_to, bad, output, sizeof output), 2);
    ck_assert_msg(strstr(output, "damaged behind in/a") != NULL, "%s", output);
    ck_assert_int_eq(run_child(listen_to, deep, output, sizeof output), 2);
    ck_assert_msg(strstr(output, "unpack it first") != NULL, "%s", output);
}
END_TEST

/* ---- files of tokens ---------------------------------------------------------------------------------------- */

static void encode_it(void *c) { encode_text(c); }

START_TEST(texts_to_tokens)
{
    static const char text[] = "abc a\n<|endoftext|>\nab\n";
    char *folder = temp_folder();
    char *in = temp_write(folder, "in", text, sizeof text - 1), *merges_file = temp_write(folder, "merges", MERGES, sizeof MERGES - 1);
    char *out = temp_path(folder, "out"), *chars = temp_path(folder, "chars");
    encode_config c = { .in = in, .out = out, .bpe = merges_file };
    const uint16_t want[] = { 257, 258, NEWLINE, 274, 256, NEWLINE };
    for (int llmc = 0; llmc < 2; llmc++) {
        c.llmc = llmc;
        const encode_result r = encode_text(&c);
        ck_assert(r.V == 275 && r.tokens == COUNT(want) && r.documents == 2 && r.bytes == 9);
        tokens t = llmc ? tokens_llmc(out, 275) : tokens_nanogpt(out, 275);
        ck_assert(t.n == COUNT(want) && memcmp(t.at, want, sizeof want) == 0);
        tokens_free(&t);
    }
    c = (encode_config){ .in = in, .out = out, .level = LEVEL_BYTES };
    ck_assert(encode_text(&c).V == 256);
    tokens t = tokens_nanogpt(out, 256), same = tokens_bytes(in);
    ck_assert(t.n == sizeof text - 1 && t.hash == same.hash);   /* the separator is text here */
    tokens_free(&t); tokens_free(&same);
    c = (encode_config){ .in = in, .out = out, .level = LEVEL_CHARS, .chars_out = chars };
    const encode_result r = encode_text(&c);
    t = tokens_nanogpt(out, r.V), same = tokens_chars(in);
    ck_assert(t.hash == same.hash && t.V == same.V);
    size_t n;
    unsigned char *known = unpack_file(chars, &n);
    ck_assert_str_eq((char *)known, "\n <>abcdefnotx|");
    tokens_free(&t); tokens_free(&same);
    free(known);
}
END_TEST

START_TEST(validation_documents)         /* whole documents, each on one side, about the share; another seed, others */
{
    enum { DOCUMENTS = 2000 };
    char *folder = temp_folder(), *text = must_calloc(DOCUMENTS, 32), *to = text;
    for (int k = 0; k < DOCUMENTS; k++) to += sprintf(to, "%05d\n<|endoftext|>\n", k);
    char *in = temp_write(folder, "in", text, (size_t)(to - text)), *out = temp_path(folder, "out"), *val = temp_path(folder, "val");
    bool first[DOCUMENTS] = { false };
    for (uint64_t seed = 1; seed <= 2; seed++) {
        const encode_config c = { .in = in, .out = out, .level = LEVEL_BYTES, .val = 0.2, .val_out = val, .seed = seed };
        const encode_result r = encode_text(&c);
        ck_assert(r.documents == DOCUMENTS && r.tokens + r.val_tokens == (size_t)(to - text));
        ck_assert(r.val_documents > 310 && r.val_documents < 490);             /* 400 +- 5 standard deviations */
        tokens a = tokens_nanogpt(out, 256), b = tokens_nanogpt(val, 256);
        ck_assert(a.n == r.tokens && b.n == r.val_tokens && b.n == 20 * r.val_documents);
        bool seen[DOCUMENTS] = { false };
        int changed = 0;
        for (const tokens *t = &a;; t = &b) {
            for (size_t i = 0; i < t->n; i += 20) {
                int k = 0;
                for (size_t j = 0; j < 5; j++) k = 10 * k + t->at[i + j] - '0';
                ck_assert(!seen[k]);
                seen[k] = true;
                changed += first[k] != (t == &b);
                first[k] = t == &b;
            }
            if (t == &b) break;
        }
        if (seed == 2) ck_assert_int_gt(changed, DOCUMENTS / 5);
        tokens_free(&a); tokens_free(&b);
    }
    free(text);
}
END_TEST

static void encode_on_full_disk(void *c)
{
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){ 30000, 30000 });
    encode_text(c);
}

START_TEST(nothing_half_written)
{
    char *folder = temp_folder(), output[512], *out = temp_path(folder, "out"), *part = temp_format("%s.part", out);
    char *val = temp_path(folder, "val"), *val_part = temp_format("%s.part", val);
    unsigned char *x = noise(3, 100000);
    char *in = temp_write(folder, "in", x, 100000), *empty = temp_write(folder, "empty", "", 0);
    char *pipe_name = temp_path(folder, "pipe");
    ck_assert_int_eq(mkfifo(pipe_name, 0600), 0);
    const int reader = open(pipe_name, O_RDONLY | O_NONBLOCK);
    struct { encode_config c; void (*f)(void *); const char *says; } bad[] = {
        { { .in = in, .out = out, .level = LEVEL_BYTES }, encode_on_full_disk, "raise the limit" },
        { { .in = in, .out = out, .level = LEVEL_BYTES, .llmc = true }, encode_on_full_disk, "raise the limit" },
        { { .in = in, .out = out, .level = LEVEL_BYTES, .val = 0.5, .val_out = val }, encode_it, "of 1 documents" },
        { { .in = empty, .out = out, .level = LEVEL_BYTES }, encode_it, "contains no text" },
        { { .in = empty, .out = pipe_name, .level = LEVEL_BYTES, .llmc = true }, encode_it, "its header is written last" },
        { { .in = "/no/such", .out = out, .level = LEVEL_BYTES }, encode_it, "cannot read /no/such" },
        { { .in = in, .out = "/no/such/out", .level = LEVEL_BYTES }, encode_it, "cannot write /no/such/out" },
        { { .in = in, .out = out, .level = LEVEL_BPE, .bpe = in }, encode_it, "vocab.bpe" },
    };
    for (size_t k = 0; k < COUNT(bad); k++) {
        ck_assert_int_eq(run_child(bad[k].f, &bad[k].c, output, sizeof output), 2);
        ck_assert_msg(strstr(output, bad[k].says) != NULL, "%zu: %s", k, output);
        ck_assert(!temp_exists(NULL, out) && !temp_exists(NULL, val) && !temp_exists(NULL, val_part));
        ck_assert(!temp_exists(NULL, part));
    }
    close(reader);
    free(x);
}
END_TEST

/* ---- PyTorch's order ---------------------------------------------------------------------------------------- */

/* Printed by PyTorch 2.15.0 (CPU): g = torch.Generator(); g.manual_seed(42); torch.randint(high, (12,), generator=g).
 * The two last highs are those of the papers' corpus: 9,035,582,489 - 1024 and 4,434,606 - 1024 places. */
static const struct { uint64_t high, number[12]; } printed[] = {
    { 1000, { 542, 67, 876, 414, 26, 335, 620, 924, 950, 113, 378, 14 } },
    { 268435455, { 266460267, 199900607, 56755051, 250975504, 191100021, 127521875, 155299525, 147532829, 133224040,
                   35788928, 133120468, 160953559 } },
    { 268435456, { 199900595, 250975502, 127521863, 147532820, 35788921, 160953558, 93410762, 91090292, 76737383,
                   111190146, 242285876, 148171095 } },
    { 4294967296, { 3421126067, 787846414, 3348747335, 2563451924, 1914837113, 429389014, 1972458954, 1433267572,
                    613608295, 2795544706, 242285876, 3100961111 } },
    { 4433582, { 3680858, 2834345, 4391436, 3102400, 480388, 1392925, 4174642, 841528, 624068, 3963271, 520496, 3765142 } },
    { 9035581465, { 7437025534, 3165344765, 4525110961, 3700562764, 8621107393, 8529562862, 2079571344, 8274904943,
                    4985780455, 4657931973, 3907790165, 4373999724 } },
};

START_TEST(draws_of_torch)
{
    torch_draws d = torch_draws_seed(42);
    for (size_t k = 0; k < COUNT(printed); k++)                 /* upwards, then down: any order gives the same */
        for (uint64_t i = 0; i < 24; i++) {
            const uint64_t n = i < 12 ? i : 23 - i;
            ck_assert_uint_eq(torch_draws_randint(&d, printed[k].high, n), printed[k].number[n]);
        }
    /* The same generator's torch.randint(9035581465, (600000, 480)) at [59999, 479], and at [2, 100] */
    ck_assert_uint_eq(torch_draws_randint(&d, 9035581465, 59999 * 480 + 479), 5467227865);
    ck_assert_uint_eq(torch_draws_randint(&d, 9035581465, 3), 3700562764);
    /* mt19937's own word 10,000 from seed 5489 is 4123659995 (the C++ standard says so) */
    torch_draws e = torch_draws_seed(5489);
    ck_assert_uint_eq(torch_draws_randint(&e, 100000000, 9999), 4123659995 % 100000000);
    torch_draws f = torch_draws_seed((UINT64_C(7) << 32) + 42);
    ck_assert_uint_eq(torch_draws_randint(&f, 1000, 0), 542);   /* 32 bits of the seed */
}
END_TEST

START_TEST(orders_of_windows)
{
    tokens t = tokens_synthetic(1, 1100);
    tokens_order torch = tokens_order_torch(42, 4), later = tokens_order_torch(42, 4);
    tokens_order counter = tokens_order_counter(7);
    for (long k = 0; k < 12; k++)
        ck_assert_uint_eq(tokens_order_at(&torch, &t, k / 4, k % 4, 100), printed[0].number[k]);
    ck_assert_uint_eq(tokens_order_at(&later, &t, 2, 1, 100), printed[0].number[9]);         /* a resumed run */
    for (long k = 0; k < 12; k++)
        ck_assert_uint_eq(tokens_order_at(&counter, &t, k / 4, k % 4, 100), tokens_place(&t, 7, k / 4, k % 4, 100));
    tokens_free(&t);
}
END_TEST

static void read_a_cut_file(void *path)
{
    tokens t = tokens_nanogpt(path, 1000);
    if (truncate(path, 0) != 0) _exit(1);
    _exit(t.at[999] == 999 ? 3 : 4);
}

START_TEST(mapped_files)                 /* parts are within the whole; compressed text is text */
{
    char *folder = temp_folder();
    uint16_t word[1000];
    for (int k = 0; k < 1000; k++) word[k] = (uint16_t)k;
    char *path = temp_write(folder, "bin", word, sizeof word);
    tokens t = tokens_nanogpt(path, 1000), p = tokens_part(&t, 0.9, 1), q = tokens_part(&t, 0, 0.9);
    ck_assert(t.mapped == sizeof word && p.n == 100 && p.at == t.at + 900 && q.n == 900 && q.at == t.at);
    ck_assert(p.hash != t.hash && p.V == 1000 && p.at[99] == 999);
    tokens_free(&p); tokens_free(&q);
    ck_assert_uint_eq(t.at[999], 999);                          /* a part's end is not the whole's */
    tokens_free(&t);
    char output[512];
    ck_assert_int_eq(run_child(read_a_cut_file, path, output, sizeof output), 2);
    ck_assert_msg(strstr(output, "/bin: it became shorter while it was read") && strstr(output, "resumes from its last checkpoint"), "%s", output);
    unsigned char z[256];
    char *packed = temp_write(folder, "text.xz", z, pack(XZ, (const unsigned char *)"banana", 6, z, sizeof z));
    t = tokens_bytes(packed);
    ck_assert(t.n == 6 && t.at[0] == 'b' && t.mapped == 0);
    tokens_free(&t);
}
END_TEST

/* ---- contracts ---------------------------------------------------------------------------------------------- */

static void break_contract(void *which)
{
    char merges_text[] = "a b\n", *at = temp_folder(), *path = temp_write(at, "m", merges_text, 4);
    merges *m = merges_read(path);
    torch_draws d = torch_draws_seed(1);
    tokens t = tokens_synthetic(1, 10);
    tokens_order o = tokens_order_torch(1, 2);
    size_t n;
    uint16_t token;
    contract_set_handler(contract_exits);
    switch (*(const int *)which) {
    case 0: torch_draws_randint(&d, 0, 0); break;
    case 1: tokens_order_torch(1, 0); break;
    case 2: tokens_order_at(&o, &t, 0, 2, 5); break;
    case 3: tokens_order_at(&o, &t, 0, 0, 10); break;
    case 4: merges_bytes(m, 257, &n); break;
    case 5: merges_apply(m, "", 0, &token); break;
    case 6: encode_text(&(encode_config){ .in = "x", .out = "x", .val = 0.5 }); break;
    case 7: encode_text(&(encode_config){ .in = "x", .out = "x", .val = 1, .val_out = "y" }); break;
    default: break;
    }
}

START_TEST(contracts)
{
    static const char *const says[] = { "a number below 0", "0 rows", "row 2", "windows of 10", "token 257 of 257",
                                        "a word of 0 bytes", "validation share 0.5", "validation share 1" };
    char output[512];
    for (int k = 0; k < (int)COUNT(says); k++) {
        ck_assert_int_eq(run_child(break_contract, &k, output, sizeof output), CONTRACT_STATUS);
        ck_assert_msg(strstr(output, says[k]) != NULL, "%d: %s", k, output);
    }
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("data");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 120);
    tcase_add_test(all, packed_files);
    tcase_add_test(all, bombs);
    tcase_add_test(all, words_and_merges);
    tcase_add_test(all, bad_merges);
    tcase_add_test(all, merging_is_the_rule);
    tcase_add_test(all, every_byte_comes_back);
    tcase_add_test(all, separators);
    tcase_add_test(all, long_documents);
    tcase_add_test(all, archives);
    tcase_add_test(all, texts_to_tokens);
    tcase_add_test(all, validation_documents);
    tcase_add_test(all, nothing_half_written);
    tcase_add_test(all, draws_of_torch);
    tcase_add_test(all, orders_of_windows);
    tcase_add_test(all, mapped_files);
    tcase_add_test(all, contracts);
    return run_suite(suite, argc, argv);
}
