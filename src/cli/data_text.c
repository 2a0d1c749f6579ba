/* SPDX-License-Identifier: GPL-3.0-or-later
 * data_text.c - `provably data encode`, `decode` and `synthetic`: texts and files of tokens. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/shown.h"
#include "src/cli/command.h"
#include "src/cli/data.h"
#include "src/data/bpe.h"
#include "src/data/encode.h"
#include "src/data/unpack.h"
#include "src/data/tokens.h"
#include "src/base/option.h"
#include "src/base/outfile.h"

enum { OPT_IN = 256, OPT_OUT, OPT_BPE, OPT_LEVEL, OPT_CHARS, OPT_FORMAT, OPT_VAL, OPT_VAL_OUT, OPT_SEED, OPT_BYTES };

static const char *const levels[] = { "bpe", "bytes", "chars" };               /* as text_level */
static const char *const formats[] = { "nanogpt", "llmc" };

/* ---- encode ----------------------------------------------------------------------------------------------- */

static const struct argp_option encode_flags[] = {
    { "in", OPT_IN, "TEXT", 0, "input text, or a .tar of texts; both may be compressed (gzip, bzip2, xz)", 0 },
    { "out", OPT_OUT, "FILE", 0, "output file of tokens", 0 },
    { "bpe", OPT_BPE, "FILE", 0, "GPT-2's merges: the file vocab.bpe of `provably data get gpt2`", 0 },
    { "level", OPT_LEVEL, "WORD", 0, "bpe (default); bytes: vocabulary 256; chars: one token per distinct byte", 0 },
    { "chars-out", OPT_CHARS, "FILE", 0, "with --level=chars: write the characters in the order of their tokens", 0 },
    { "format", OPT_FORMAT, "WORD", 0, "nanogpt (default): 16-bit tokens without a header; llmc: with its header", 0 },
    { "val", OPT_VAL, "SHARE", 0, "share of the documents for validation, chosen by hash", 0 },
    { "val-out", OPT_VAL_OUT, "FILE", 0, "output file of the validation tokens", 0 },
    { "seed", OPT_SEED, "N", 0, "seed of the choice of validation documents (2357)", 0 },
    { 0 } };

static error_t parse_encode(int key, char *arg, struct argp_state *state)
{
    encode_config *c = state->input;
    switch (key) {
    case OPT_IN:       c->in = arg; return 0;
    case OPT_OUT:      c->out = arg; return 0;
    case OPT_BPE:      c->bpe = arg; return 0;
    case OPT_LEVEL:    c->level = (text_level)option_word(arg, "--level", levels, COUNT(levels)); return 0;
    case OPT_CHARS:    c->chars_out = arg; return 0;
    case OPT_FORMAT:   c->llmc = option_word(arg, "--format", formats, COUNT(formats)) == 1; return 0;
    case OPT_VAL:      c->val = option_number(arg, "--val", 0, 0.999999); return 0;
    case OPT_VAL_OUT:  c->val_out = arg; return 0;
    case OPT_SEED:     c->seed = option_seed(arg, "--seed"); return 0;
    case ARGP_KEY_ARG: die("encode takes options only, not `%s`; see `provably data encode --help`", arg);
    default: return ARGP_ERR_UNKNOWN;
    }
}

int data_encode_main(int argc, char **argv)
{
    static const struct argp parser = { encode_flags, parse_encode, NULL,
        "Turns a text into a file of tokens for `provably train --data=nanogpt:FILE`.  A line <|endoftext|>, or the "
        "end of a file in an archive, ends a document; it becomes one token, or this line with --level=bytes and "
        "chars.  Bytes that are not UTF-8 are kept, so that `data decode` restores every text.\n"
        EXIT_USUAL, NULL, NULL, NULL };
    encode_config c = { .seed = 2357, .progress = true };
    command_parse(&parser, argc, argv, 0, &c, NULL);
    if (!c.in || !c.out) die("encode needs --in=TEXT and --out=FILE");
    if (c.level == LEVEL_BPE && !c.bpe)
        die("encode needs --bpe=FILE, GPT-2's vocab.bpe (`provably data get gpt2 --to=DIR`), or another --level");
    if (c.level != LEVEL_BPE && c.bpe) die("--bpe needs --level=bpe");
    if (c.level != LEVEL_CHARS && c.chars_out) die("--chars-out needs --level=chars");
    if ((c.val > 0) != (c.val_out != NULL)) die("--val=SHARE and --val-out=FILE need each other");
    const encode_result r = encode_text(&c);
    shown_print(stdout, "%ju bytes, %ju documents, vocabulary %ld\n%s: %ju tokens\n", (uintmax_t)r.bytes,
                (uintmax_t)r.documents,
           r.V, c.out, (uintmax_t)r.tokens);
    if (c.val_out)
        shown_print(stdout, "%s: %ju tokens of %ju documents\n", c.val_out, (uintmax_t)r.val_tokens,
                    (uintmax_t)r.val_documents);
    return 0;
}

/* ---- decode ----------------------------------------------------------------------------------------------- */

static const struct argp_option decode_flags[] = {
    { "in", OPT_IN, "FILE", 0, "input file of tokens", 0 },
    { "bpe", OPT_BPE, "FILE", 0, "the merges that it was encoded with", 0 },
    { "chars", OPT_CHARS, "FILE", 0, "the file that --chars-out wrote (without --bpe or --chars, tokens are bytes)",
      0 },
    { "format", OPT_FORMAT, "WORD", 0, "format of the input: nanogpt (default) or llmc", 0 },
    { 0 } };

typedef struct { const char *in, *bpe, *chars; bool llmc; } decode_options;

static error_t parse_decode(int key, char *arg, struct argp_state *state)
{
    decode_options *o = state->input;
    switch (key) {
    case OPT_IN:       o->in = arg; return 0;
    case OPT_BPE:      o->bpe = arg; return 0;
    case OPT_CHARS:    o->chars = arg; return 0;
    case OPT_FORMAT:   o->llmc = option_word(arg, "--format", formats, COUNT(formats)) == 1; return 0;
    case ARGP_KEY_ARG: die("decode takes options only, not `%s`; see `provably data decode --help`", arg);
    default: return ARGP_ERR_UNKNOWN;
    }
}

int data_decode_main(int argc, char **argv)
{
    static const struct argp parser = { decode_flags, parse_decode, NULL,
        "Prints the text of a file of tokens; the end of a document becomes a line <|endoftext|>.  A terminal gets "
        "control characters escaped, a pipe the text.\n"
        EXIT_USUAL,
        NULL, NULL, NULL };
    decode_options o = { .in = NULL };
    command_parse(&parser, argc, argv, 0, &o, NULL);
    if (!o.in) die("decode needs --in=FILE");
    if (o.bpe && o.chars) die("--bpe and --chars exclude each other");
    bpe *b = o.bpe ? bpe_open(o.bpe) : NULL;
    size_t known = 256;
    unsigned char *chars = o.chars ? unpack_file(o.chars, &known) : NULL;
    if (known > 256) die("%s: more than 256 characters; --chars takes the file that --chars-out wrote", o.chars);
    const long V = b ? bpe_vocabulary(b) : (long)known;
    tokens t = o.llmc ? tokens_llmc(o.in, V) : tokens_nanogpt(o.in, V);
    FILE *out = shown_terminal(stdout);
    for (size_t i = 0; i < t.n; i++) {
        if (b) {
            size_t n;
            const char *bytes = bpe_decode(b, t.at[i], &n);
            fwrite(bytes, 1, n, out);
            if (t.at[i] == bpe_end_of_text(b)) putc('\n', out);
        } else putc(chars ? chars[t.at[i]] : t.at[i], out);
    }
    if (fflush(out) != 0 || ferror(out)) die("cannot write the text: %s", strerror(errno));
    tokens_free(&t);
    free(chars);
    if (b) bpe_close(b);
    return 0;
}

/* ---- synthetic -------------------------------------------------------------------------------------------- */

static const struct argp_option synthetic_flags[] = {
    { "out", OPT_OUT, "FILE", 0, "output file", 0 },
    { "bytes", OPT_BYTES, "N", 0, "length of the text (1048576)", 0 },
    { "seed", OPT_SEED, "N", 0, "seed of the text (1)", 0 },
    { 0 } };

typedef struct { const char *out; long bytes; uint64_t seed; } synthetic_options;

static error_t parse_synthetic(int key, char *arg, struct argp_state *state)
{
    synthetic_options *o = state->input;
    switch (key) {
    case OPT_OUT:      o->out = arg; return 0;
    case OPT_BYTES:    o->bytes = option_whole(arg, "--bytes", 1, 1L << 32); return 0;
    case OPT_SEED:     o->seed = option_seed(arg, "--seed"); return 0;
    case ARGP_KEY_ARG: die("synthetic takes options only, not `%s`; see `provably data synthetic --help`", arg);
    default: return ARGP_ERR_UNKNOWN;
    }
}

int data_synthetic_main(int argc, char **argv)
{
    static const struct argp parser = { synthetic_flags, parse_synthetic, NULL,
        "Writes the synthetic text that `provably train --data=synthetic:SEED` trains on: sentences that agree in "
        "number, and correct sums.\n"
        EXIT_USUAL, NULL, NULL, NULL };
    synthetic_options o = { .bytes = 1 << 20, .seed = 1 };
    command_parse(&parser, argc, argv, 0, &o, NULL);
    if (!o.out) die("synthetic needs --out=FILE");
    tokens t = tokens_synthetic(o.seed, (size_t)o.bytes);
    outfile f = outfile_open(o.out);
    for (size_t i = 0; i < t.n; i++) putc(t.at[i], f.f);
    outfile_close(&f);
    shown_print(stdout, "%s: %zu bytes\n", o.out, t.n);
    tokens_free(&t);
    return 0;
}
