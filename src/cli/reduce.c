/* SPDX-License-Identifier: GPL-3.0-or-later
 * reduce.c - `provably reduce`: the constructions of the theorems, applied to a file of weights. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "src/base/shown.h"
#include "src/base/clock.h"
#include "src/base/file.h"
#include "src/base/option.h"
#include "src/base/progress.h"
#include "src/base/screen.h"
#include "src/checkpoint/architecture.h"
#include "src/checkpoint/loss.h"
#include "src/checkpoint/plan.h"
#include "src/checkpoint/reduced_note.h"
#include "src/checkpoint/side_files.h"
#include "src/checkpoint/writer.h"
#include "src/cli/cli.h"
#include "src/cli/command.h"
#include "src/cli/inspect.h"
#include "src/data/checksum.h"
#include "src/data/safetensors.h"

enum { OPT_APPLY = 256, OPT_UNTIE, OPT_FORCE, OPT_TYPE, OPT_FORMAT, OPT_STOCK, OPT_COMPACT,     /* parse: first, last */
       OPT_ARCHITECTURES };
static const struct argp_option flags[] = {
    { "out", 'o', "DIR", 0, "folder to write to: model.safetensors and config.json, model.gguf, or model.bin", 0 },
    { "apply", OPT_APPLY, "LIST", 0, "constructions from the list below, with commas between them (those that "
      "apply)", 0 },
    { "untie", OPT_UNTIE, NULL, 0, "give a tied head a matrix of its own where a construction needs one", 0 },
    { "type", OPT_TYPE, "TYPE", 0, "F32, F64, F16 or BF16 for all tensors (as in FILE)", 0 },
    { "format", OPT_FORMAT, "FORMAT", 0, "safetensors, gguf or llama2c (that of FILE where it can hold the result, "
      "else safetensors)", 0 },
    { "stock", OPT_STOCK, NULL, 0, "keep all tensors, identities too, for loaders of FILE's kind (the default)", 0 },
    { "compact", OPT_COMPACT, NULL, 0, "leave out identities: of runs of `provably train` W_Q or W_K that is one in "
      "every layer, of others the blocks in W_V of each head; config.json says which, and no other program reads it",
      0 },
    { "force", OPT_FORCE, NULL, 0, "apply what the theorems do not cover: the result is another function", 0 },
    { "architectures", OPT_ARCHITECTURES, "FOLDER", 0, "also know the architectures that the files in FOLDER describe "
      "(those of PROVABLY_ARCHITECTURES)", 0 },
    { 0 } };
static const char doc[] =
    "Rewrites a file of weights by the constructions of the theorems: the same function, with identities, zeros or "
    "ones where numbers were.\v"
    "FILE is what `provably inspect` reads, and is not changed. Safetensors, GGUF (F32, F16, BF16) and llama2.c "
    "(versions 0 and 1) are written in the format of FILE: names, types, layout and GGUF's keys stay. --format asks "
    "for another: Llama's kind goes from each to each, GPT-2 and Qwen between safetensors and GGUF; llm.c's and "
    "PyTorch's files become safetensors, Meta's Llama with the names of Hugging Face's. A tokenizer beside safetensors "
    "is copied; a GGUF file made from another format has none. "
    "Without --apply, all gauges of heads that apply are applied, and the change of basis that removes most, but none "
    "that would write a bias of the head, for which files of GPT-2's kind have no place.\n\n"
    "Weights are computed in interval arithmetic with as many bits as the condition numbers ask for, and rounded once. "
    "Nothing is claimed about the file that is written before `provably verify FILE DIR` has compared the two.\n\n"
    "A model that was written by reduce is left as it is; with --apply, --format or another option it is refused: give "
    "these options with the original.\n\n"
    "Where they are changes of basis, of the residual stream or inside heads, these are written, too: to "
    "gauges.safetensors, with the SHA-256 of both models. With it verify has nothing to search: it checks that these "
    "make the result of FILE.\n\n"
    "Refused: architectures whose readers and writers of the residual stream are not all known, quantised weights "
    "(they would have to be rounded again: take the file that they were made from), norms that a theorem does not "
    "cover, gains that multiply by 1 + w, tied heads without --untie; slim where W_K is not square, or has "
    "a bias that W_V could not take up.\n\n"
    EXIT_USUAL;

typedef struct {
    const char *file, *out, *type;
    int format;                          /* a file_format; -1: not asked for                            */
    bool compact, asked;                 /* asked: for more than to reduce what is not reduced yet      */
    plan_request ask;
} options;

static error_t parse(int key, char *arg, struct argp_state *state)
{
    static const char *const types[] = { "F32", "F64", "F16", "BF16" };
    options *o = state->input;
    o->asked = o->asked || (key >= OPT_APPLY && key <= OPT_COMPACT);
    switch (key) {
    case 'o':       o->out = arg; return 0;
    case OPT_APPLY: o->ask.apply = arg; return 0;
    case OPT_UNTIE: o->ask.untie = true; return 0;
    case OPT_STOCK: o->compact = false; return 0;
    case OPT_COMPACT: o->compact = true; return 0;
    case OPT_FORCE: o->ask.force = true; return 0;
    case OPT_ARCHITECTURES: architectures_also(arg); return 0;
    case OPT_TYPE:  o->type = types[option_word(arg, "--type", types, COUNT(types))]; return 0;
    case OPT_FORMAT: o->format = (int)option_word(arg, "--format", format_word, FORMATS); return 0;
    case ARGP_KEY_ARG:
        if (o->file) die("reduce takes one file or folder, not `%s` as well; see `provably reduce --help`", arg);
        o->file = arg;
        return 0;
    case ARGP_KEY_END:
        if (!o->file) die("reduce takes a file of weights or its folder; see `provably reduce --help`");
        if (!o->out || !*o->out) die("reduce needs a folder to write to: --out=DIR");
        if (o->ask.force && !o->ask.apply) die("--force takes --apply, which says what is to be forced");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static void words_help(FILE *f)
{
    fprintf(f, "\nConstructions for --apply:\n");
    plan_print_words(f);
}

/* ---- what is there already ---------------------------------------------------------------------------------- */

/* Of a run that was killed when it gave its files their names: the numbers, which come last, are missing. */
static bool is_left_over(const char *config)
{
    struct stat s;
    if (stat(config, &s) != 0 || !S_ISREG(s.st_mode) || s.st_size > REDUCED_MOST_NOTE) return false;
    json_t *o = json_load_file(config, 0, NULL);
    const bool own = json_object_get(json_object_get(o, "provably"), "reduced");
    json_decref(o);
    return own;
}

static void require_new(const options *o)
{
    struct stat s;
    if (stat(o->out, &s) == 0 && !S_ISDIR(s.st_mode)) die("%s is a file; name a folder with --out", o->out);
    static const char *const more[] = { "model.safetensors.index.json", "config.json", GAUGE_FILE };
    for (int k = 0; k < FORMATS + (int)COUNT(more); k++) {
        const char *name = k < FORMATS ? format_file[k] : more[k - FORMATS];
        char *path = must_format("%s/%s", o->out, name);
        if (access(path, F_OK) == 0 && !(k > FORMATS && is_left_over(path)))
            die("%s is there already; name another folder with --out, or remove it", path);
        free(path);
    }
    char *run = must_format("%s/last.ckpt", o->out);
    if (access(run, F_OK) == 0) die("%s is the folder of a training run; name another with --out", o->out);
    free(run);
}

/* Files of the same name that are copied must be the same files. */
static void require_same(const options *o, const side_files *side)
{
    for (long k = 0; k < side->n; k++) {
        char *to = must_format("%s/%s", o->out, strrchr(side->copy[k], '/') + 1), a[SHA256_HEX], b[SHA256_HEX];
        if (access(to, F_OK) == 0
            && (!checksum_sha256(to, a) || !checksum_sha256(side->copy[k], b) || strcmp(a, b) != 0))
            die("%s is there already and differs from %s; name another folder with --out, or remove it", to,
                side->copy[k]);
        free(to);
    }
}

/* FILE SHA256, of each file. */
static char *source_of(const weights *w)
{
    text_buffer t = { 0 };
    for (long k = 0; k < w->files; k++) {
        char hex[SHA256_HEX];
        const char *path = w->file[k].path, *slash = strrchr(path, '/');
        weights_sha256(w, k, hex);
        char *name = shown_text(slash ? slash + 1 : path);
        text_add(&t, "%s%s sha256 %s", k ? ", " : "", name, hex);
        free(name);
    }
    return text_take(&t);
}

/* ---- the work -------------------------------------------------------------------------------------------------- */

static progress writing;

static void show_share(double share)
{
    if (!progress_due(&writing, monotonic_seconds())) return;
    progress_show(&writing, progress_left(&writing, share), "writing  %2.0f %% of the numbers", 100 * share);
}

enum { MOST_BITS = 4096 };

/* What is asked for, or the format of the file where that can hold the result; *because: NULL, or why it cannot. */
static layout_choice choose(const weights *w, const rewrite *r, const options *o, const char **because)
{
    const file_format own = layout_format(w), usual = o->format < 0 ? own : (file_format)o->format;
    layout_choice c = { usual, o->type, o->compact };
    *because = layout_refuses(w, r->D, c.format);
    if (!*because) *because = layout_refuses_result(w, r, &c);
    if (*because && (o->format >= 0 || own == FORMAT_SAFETENSORS)) die("%s: %s", o->file, *because);
    if (*because) {
        c.format = FORMAT_SAFETENSORS;
        const char *neither = layout_refuses(w, r->D, c.format);
        if (neither) die("%s: %s, and %s", o->file, *because, neither);
    }
    return c;
}

typedef struct { long bits; file_format format; const char *because, *no_gauges; } outcome;

/* Again with twice the bits where they were not enough. */
static outcome write_it(const weights *w, const transformer *D, const reduction_plan *p, const options *o,
                        const writer_task *task)
{
    for (long bits = plan_bits(p, o->type && strcmp(o->type, "F64") == 0); bits <= MOST_BITS; bits *= 2) {
        arith R = arith_arb(bits);
        rewrite *r = rewrite_open(D, p->plan, &R);
        bool good = !rewrite_undecided(r);
        writing = progress_begin(PROGRESS_TERMINAL, NULL);
        if (o->compact && layout_refuses_compact(r))
            die("%s: --compact leaves out nothing: %s", o->file, layout_refuses_compact(r));
        outcome is = { .bits = bits };
        const layout_choice c = choose(w, r, o, &is.because);
        is.format = c.format;
        is.no_gauges = task->original ? rewrite_no_gauges(r) : "it is another function";
        if (good) {
            file_layout l = layout_of(w, r, &c);
            good = writer_write(r, &l, task);
            layout_free(&l);
        }
        progress_clear(&writing);
        rewrite_close(r);
        arith_close(&R);
        if (good) return is;
    }
    die("%s: %d bits are not enough to invert its matrices: one of them is singular; apply less with --apply", o->file,
        MOST_BITS);
}

static void print_files(const weights *w, const outcome *is, const side_files *side)
{
    const screen s = screen_of(stdout, 0, COLOUR_AUTO);
    text_buffer t = { 0 };
    if (is->because) text_add(&t, "Written as safetensors, because %s.\n", is->because);
    if (is->format == FORMAT_GGUF && layout_format(w) != FORMAT_GGUF)
        text_add(&t, "There is no tokenizer in the GGUF file (tokenizer.ggml.model = no_vocab).\n");
    for (long k = 0; k < side->n; k++)
        text_add(&t, "%s%s", k ? ", " : "copied beside it: ", strrchr(side->copy[k], '/') + 1);
    if (side->n) text_add(&t, "\n");
    if (side->left) text_add(&t, "not copied: %s\n", side->left);
    if (is->no_gauges) text_add(&t, "There is no %s: %s.\n", GAUGE_FILE, is->no_gauges);
    else text_add(&t, "%s: the changes of basis, for verify to check instead of a search\n", GAUGE_FILE);
    char *text = text_take(&t);
    for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        screen_wrapped(stdout, s.width, "", line, 0, "");
    }
    free(text);
}

static void print_summary(const transformer *D, const reduction_plan *p, const options *o,
                          const outcome *is)
{
    const screen s = screen_of(stdout, 0, COLOUR_AUTO);
    bool forced = false;
    for (long k = 0; k < p->n; k++) {
        const planned *t = &p->at[k];
        const bool one = p->plan.stream != STREAM_KEPT && k == p->n - 1 && p->plan.stream != STREAM_EVERY_QUERY
                         && p->plan.stream != STREAM_SHARED_QUERY;
        char *layer = one ? must_format(", layer %ld", p->plan.layer) : must_strdup("");
        char *gain = t->forced ? must_format("FORCED: %s", t->why)
                   : must_format("%.0f numbers less", t->parameters);
        char *lost = isnan(t->bits) ? must_strdup("")
                   : must_format("; condition number %.3g", exp2(t->bits));
        char *kept = t->kept ? must_format("; %ld of %ld heads keep their columns, which are dependent as far as their "
                                           "digits tell", t->kept, t->heads) : must_strdup("");
        char *text = must_format("%s%s (%s): %s%s%s", t->what, layer, t->claims, gain, lost, kept);
        screen_wrapped(stdout, s.width, "", text, 2, "");
        forced = forced || t->forced;
        free(layer), free(gain), free(lost), free(kept), free(text);
    }
    if (p->left) screen_wrapped(stdout, s.width, "", p->left, 2, "");
    if (p->plan.untie) printf("The head, tied so far, is a matrix of its own: %ld numbers more.\n", D->V * D->d);
    if (p->plan.stream == STREAM_NO_LAYERNORM)
        screen_wrapped(stdout, s.width, "",
                       "The file has no norms (\"provably\": {\"norm\": \"none\"} in config.json): "
                       "programs that do not know that compute something else. Left out with them is a factor of at "
                       "most 1 + variance / (2 eps).", 0, "");
    shown_print(stdout, "%s/%s: computed with %ld bits, rounded once\n", o->out, format_file[is->format], is->bits);
    if (forced) printf("FORCED: this is a different function.\n");
}

/* The theorems speak of the function that is described here. */
static void require_own_function(const options *o, const weights *w, const transformer *D)
{
    if (D->own_code)
        die("%s: nothing is reduced because it has code of its own (auto_map: %s), so its function is not known here",
            o->file, D->own_code);
    if (D->views)
        die("%s: nothing is reduced because %s is a part of a larger tensor, and such are not written here", o->file,
            D->view[0].name);
    if (D->unknown_keys && strcmp(w->format, "GGUF") == 0)
        die("%s: nothing is reduced because of the key %s, %s known here: it may change the function, and would be "
            "lost in another format", o->file, D->unknown_key[0],
            D->unknown_keys > 1 ? "the first of several that are not" : "which is not");
}

/* ---- what it came to --------------------------------------------------------------------------------------------- */

/* The files that this run gave their names, until they are judged.  A tokenizer that was copied stays: it is the same
 * as FILE's. */
static char *written_file[4];
static const char *written_folder;

static void take_back(void)
{
    for (size_t k = 0; k < COUNT(written_file); k++) if (written_file[k]) unlink(written_file[k]);
    rmdir(written_folder);               /* where it is empty                                           */
}

static void take_back_if_it_fails(const options *o, const outcome *is)
{
    const char *of[COUNT(written_file)] = { format_file[is->format], "config.json", WRITER_NOTE, GAUGE_FILE };
    for (size_t k = 0; k < COUNT(of); k++) {
        char *path = must_format("%s/%s", o->out, of[k]);
        if (strcmp(of[k], "config.json") != 0 || is_left_over(path)) written_file[k] = path;
        else free(path);
    }
    written_folder = o->out;
    die_after(take_back);
}

/* The loss, measured on the file as it was written; more than rounding explains is refused, and the file is removed. */
static void measure(const options *o, const reduction_plan *p, const transformer *A,
                    const transformer *B)
{
    for (long k = 0; k < p->n; k++) if (p->at[k].forced) return;
    progress line = progress_begin(PROGRESS_TERMINAL, "measuring the loss");
    const reduction_loss l = reduction_loss_of(A, B, 1, (compare_watch){ progress_share, &line, 0 });
    progress_clear(&line);
    if (!reduction_loss_is_rounding(&l)) {
        const bool double_already = o->type && strcmp(o->type, "F64") == 0;
        die("%s: its weights are too badly conditioned for this: on %ld tokens the logits would move by %.3g of %.3g, "
            "and rounding explains %.3g; nothing was written%s", o->file, l.tokens, l.gap, l.most, l.rounding,
            double_already ? ": apply less with --apply" : ": say --type=F64, or apply less with --apply");
    }
    const screen s = screen_of(stdout, 0, COLOUR_AUTO);
    char *text = must_format("measured on %ld tokens: the logits move by %.3g, where the largest is %.3g; rounding "
                             "FILE's own numbers once more would move them by %.3g", l.tokens, l.gap, l.most,
                                 l.rounding);
    screen_wrapped(stdout, s.width, "", text, 0, "");
    free(text);
}

static double bytes_of(const weights *w)
{
    double bytes = 0;
    for (long k = 0; k < w->files; k++) bytes += (double)w->file[k].bytes;
    return bytes;
}

static void print_sum(const weights *w, const weights *written, const reduction_plan *p)
{
    double removed = 0, all = 0;
    for (long k = 0; k < p->n; k++) removed += p->at[k].parameters;
    for (long k = 0; k < w->tensors; k++) all += (double)w->tensor[k].n;
    const screen s = screen_of(stdout, 0, COLOUR_AUTO);
    char *text = must_format("In all %.0f of %.0f numbers are now 0 or 1 (%.2g %%); the file had %.0f bytes and has "
                             "%.0f.", removed, all,
                             100 * removed / all, bytes_of(w), bytes_of(written));
    screen_wrapped(stdout, s.width, "", text, 0, "");
    free(text);
}

/* What was written, read again: its loss, its size, and what is left to do, as far as that will work. */
static void judge_written(const weights *w, const transformer *A, const options *o, const reduction_plan *p)
{
    weights written = weights_open(o->out);
    transformer B = transformer_of(&written);
    char *why = forward_refuses(&B);
    if (!why) measure(o, p, A, &B);
    print_sum(w, &written, p);
    if (!why) {
        char *called = shell_word(provably_called), *original = shell_word(w->path), *reduced = shell_word(o->out);
        char *also = architectures_asked_for() ? shell_word(architectures_asked_for()) : NULL;
        printf("next: %s verify %s%s%s%s %s\n", called, also ? "--architectures=" : "", also ? also : "",
               also ? " " : "", original, reduced);
        free(also);
        free(called);
        free(original);
        free(reduced);
    } else {
        const screen s = screen_of(stdout, 0, COLOUR_AUTO);
        char *text = must_format("The loss was not measured, and verify cannot compare on tokens, because its function "
                                 "is not computed here: %s.", why);
        screen_wrapped(stdout, s.width, "", text, 0, "");
        free(text);
    }
    free(why);
    transformer_free(&B);
    weights_close(&written);
}

int reduce_main(int argc, char **argv)
{
    static const struct argp parser = { flags, parse, "FILE --out=DIR", doc, NULL, NULL, NULL };
    options o = { .format = -1 };
    command_parse(&parser, argc, argv, 0, &o, words_help);
    memory_keep();
    weights w = weights_open(o.file);
    char *before = reduced_note(&w);
    if (before) {
        if (o.asked)
            die("%s was written by `provably reduce` (%s); reduce the original with these options instead", o.file,
                before);
        shown_print(stdout, "%s was written by `provably reduce` (%s): nothing is left to do, and nothing was "
                            "written.\n", o.file,
               before);
        free(before);
        weights_close(&w);
        return 0;
    }
    require_new(&o);
    transformer D = transformer_of(&w);
    if (D.unknown) die("%s: nothing is reduced because %s", o.file, D.unknown);
    require_own_function(&o, &w, &D);
    const char *refused = o.format < 0 ? NULL : layout_refuses(&w, &D, (file_format)o.format);
    if (refused) die("%s: %s", o.file, refused);
    layer_condition *c = D.unreadable ? NULL : inspect_conditions(&D, true);
    reduction_plan p = plan_of(&w, &D, c, &o.ask);
    if (p.refused) die("%s", p.refused);
    if (p.nothing) die("%s: no construction applies:%s", o.file, p.nothing);
    bool forced = false;
    for (long k = 0; k < p.n; k++) forced = forced || p.at[k].forced;
    char *words = plan_words(&p), *source = source_of(&w), *sums = gauge_file_sums(&w);
    side_files side = side_files_of(&w, o.format < 0 || o.format == FORMAT_SAFETENSORS);
    require_same(&o, &side);
    const writer_task task = { o.out, words, source, side.copy, side.n, show_share, 0,
                               forced ? NULL : sums };
    const outcome is = write_it(&w, &D, &p, &o, &task);
    take_back_if_it_fails(&o, &is);
    print_summary(&D, &p, &o, &is);
    print_files(&w, &is, &side);
    judge_written(&w, &D, &o, &p);
    die_after(NULL);
    for (size_t k = 0; k < COUNT(written_file); k++) free(written_file[k]);
    for (long i = 0; i < D.L; i++) layer_conditions_free(&c[i]);
    free(c);
    free(words);
    free(source);
    free(sums);
    side_files_free(&side);
    plan_free(&p);
    transformer_free(&D);
    weights_close(&w);
    return 0;
}
