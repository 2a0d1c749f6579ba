/* SPDX-License-Identifier: GPL-3.0-or-later
 * encode.c - see encode.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "numerics/random.h"
#include "src/base/clock.h"
#include "src/base/outfile.h"
#include "src/base/progress.h"
#include "src/data/bpe.h"
#include "src/data/documents.h"
#include "src/data/encode.h"

/* ---- a file of tokens ------------------------------------------------------------------------------------- */

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "tokens are written in the byte order of memory");

enum { HEADER = 256, MAGIC = 20240520, VERSION = 1 };
typedef struct { outfile f; bool llmc; uint64_t n; } token_file;

static void put(token_file *t, const void *bytes, size_t n)
{
    if (fwrite(bytes, 1, n, t->f.f) != n) outfile_close(&t->f);                /* dies with the reason */
}

static token_file token_file_open(const char *path, bool llmc)
{
    if (llmc && outfile_is_direct(path))
        die("cannot write a shard of llm.c to %s: its header is written last; name a regular file, or use "
            "--format=nanogpt", path);
    token_file t = { .f = outfile_open(path), .llmc = llmc };
    const uint32_t head[HEADER] = { 0 };
    if (llmc) put(&t, head, sizeof head);
    return t;
}

static void token_file_close(token_file *t)
{
    if (t->llmc) {
        const uint32_t head[HEADER] = { MAGIC, VERSION, (uint32_t)t->n };
        if (t->n > INT32_MAX)
            die("%s: %ju tokens do not fit into a shard of llm.c (2^31 - 1); use --format=nanogpt", t->f.path,
                (uintmax_t)t->n);
        if (fseek(t->f.f, 0, SEEK_SET) == 0) put(t, head, sizeof head);
    }
    outfile_close(&t->f);
}

/* ---- documents to tokens ---------------------------------------------------------------------------------- */

typedef struct {
    const encode_config *c;
    bpe *b;
    uint16_t code[256];                  /* of a byte, at byte and char level                           */
    bool seen[256];
    token_list list;
    token_file train, val;
    uint64_t key[2];
    bool open, for_val;                  /* a document has begun; where it goes                         */
    encode_result r;
    progress line;
} encoder;

static void flush_list(encoder *e)
{
    token_file *to = e->for_val ? &e->val : &e->train;
    put(to, e->list.at, e->list.n * sizeof *e->list.at);
    to->n += e->list.n;
    e->list.n = 0;
}

static void add_bytes(encoder *e, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) token_list_add(&e->list, &e->code[(unsigned char)text[i]], 1);
}

static void begin_document(encoder *e)
{
    const uint64_t parts = UINT64_C(1) << 53;
    e->for_val = (double)random_below(e->key, e->r.documents, parts) < e->c->val * (double)parts;
    e->open = true;
    e->r.documents++;
    e->r.val_documents += e->for_val;
}

static void show(encoder *e)
{
    if (!progress_due(&e->line, monotonic_seconds())) return;
    progress_show(&e->line, NAN, "%s: %ju MB, %ju documents, %ju tokens", e->c->in,
                  (uintmax_t)(e->r.bytes / 1000000), (uintmax_t)e->r.documents, (uintmax_t)(e->train.n + e->val.n));
}

static void encode_piece(void *self, const char *text, size_t n, bool ends)
{
    static const char line[] = END_OF_TEXT "\n";
    encoder *e = self;
    if (!e->open) begin_document(e);
    show(e);
    e->r.bytes += n;
    if (e->b) bpe_encode(e->b, text, n, &e->list);
    else add_bytes(e, text, n);
    if (ends && e->b) token_list_add(&e->list, (uint16_t[]){ bpe_end_of_text(e->b) }, 1);
    else if (ends) add_bytes(e, line, sizeof line - 1);
    flush_list(e);
    e->open = !ends;
}

static void see_piece(void *self, const char *text, size_t n, bool ends)
{
    encoder *e = self;
    for (size_t i = 0; i < n; i++) e->seen[(unsigned char)text[i]] = true;
    if (ends) for (const char *s = END_OF_TEXT "\n"; *s; s++) e->seen[(unsigned char)*s] = true;
}

/* Numbers the bytes that occur, in their order, and writes them down. */
static void number_chars(encoder *e)
{
    char known[256];
    documents_read(e->c->in, see_piece, e);
    for (int b = 0; b < 256; b++)
        if (e->seen[b]) {
            known[e->r.V] = (char)b;
            e->code[b] = (uint16_t)e->r.V++;
        }
    if (!e->c->chars_out) return;
    outfile f = outfile_open(e->c->chars_out);
    fwrite(known, 1, (size_t)e->r.V, f.f);
    outfile_close(&f);
    outfile_input(e->c->chars_out);                        /* nor do the tokens replace it               */
}

encode_result encode_text(const encode_config *c)
{
    REQUIRE(0 <= c->val && c->val < 1 && (c->val > 0) == (c->val_out != NULL), "validation share %g", c->val);
    encoder e = { .c = c, .line = progress_begin(c->progress ? PROGRESS_TERMINAL : PROGRESS_NONE, NULL) };
    outfile_input(c->in);
    random_key_derive(e.key, (uint64_t[]){ c->seed, 0 }, "validation documents");
    if (c->level == LEVEL_BPE) {
        outfile_input(c->bpe);
        e.b = bpe_open(c->bpe);
        e.r.V = bpe_vocabulary(e.b);
    } else if (c->level == LEVEL_CHARS) {
        number_chars(&e);
    } else {
        e.r.V = 256;
        for (int b = 0; b < 256; b++) e.code[b] = (uint16_t)b;
    }
    e.train = token_file_open(c->out, c->llmc);
    if (c->val_out) e.val = token_file_open(c->val_out, c->llmc);
    documents_read(c->in, encode_piece, &e);
    progress_clear(&e.line);
    const bool divided = e.r.val_documents > 0 && e.r.val_documents < e.r.documents;
    if (!e.r.bytes) die("%s contains no text", c->in);
    if (c->val_out && !divided)
        die("%s: %ju of %ju documents would be for validation; choose another --val, or leave it out: train takes the "
            "last tenth of a text", c->in, (uintmax_t)e.r.val_documents, (uintmax_t)e.r.documents);
    e.r.tokens = e.train.n, e.r.val_tokens = e.val.n;
    token_file_close(&e.train);
    if (c->val_out) token_file_close(&e.val);
    if (e.b) bpe_close(e.b);
    token_list_free(&e.list);
    return e.r;
}
