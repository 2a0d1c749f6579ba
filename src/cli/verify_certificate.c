/* SPDX-License-Identifier: GPL-3.0-or-later
 * verify_certificate.c - what `provably verify` found, in a file that names both models by their SHA-256. */
#include <stdlib.h>
#include <string.h>
#include "src/base/shown.h"
#include "src/base/file.h"
#include "src/base/outfile.h"
#include "src/checkpoint/gauge_fit.h"
#include "src/cli/json.h"
#include "src/cli/verify.h"

enum { MOST_CERTIFICATE = 100000000 };

static json_t *named(const char *path, const char *hex)
{
    const char *slash = strrchr(path, '/');
    return json_pack("{s:s, s:s}", "name", slash ? slash + 1 : path, "sha256", hex);
}

/* All files of a model, config.json among them, as they were when they were opened. */
json_t *verify_files(const opened *m)
{
    json_t *list = json_array();
    for (long k = 0; k < m->w.files; k++) {
        char hex[SHA256_HEX];
        weights_sha256(&m->w, k, hex);
        json_array_append_new(list, named(m->w.file[k].path, hex));
    }
    if (*m->w.config_sha256) json_array_append_new(list, named(m->w.config_path, m->w.config_sha256));
    return list;
}

json_t *verify_lists(long n, const token_list *lists)
{
    json_t *all = json_array();
    for (long k = 0; k < n; k++) {
        const token_list *t = &lists[k];
        json_t *list = json_object();
        json_put(list, "tokens", json_of_longs(t->token, t->n));
        if (t->position) json_put(list, "positions", json_of_longs(t->position, t->n));
        json_array_append_new(all, list);
    }
    return all;
}

void verify_write(const char *path, const opened *A, const opened *B, const statement *s)
{
    json_t *o = json_object();
    json_put(o, "provably", json_string("verify 2"));
    json_put(o, "A", verify_files(A));
    json_put(o, "B", verify_files(B));
    json_put(o, "bits", json_integer(s->bits));
    if (s->numbers)
        json_put(o, "same numbers", json_string("All parts of the two models hold the same numbers and their settings "
            "agree: as formulas over the real numbers they are the same function, for all inputs."));
    if (s->image) {
        json_put(o, "image", json_string("An image of A under gauges of heads, orders of heads and neurons and bases "
            "of the residual stream is the same function as A for all inputs, and each number of B is at most "
            "`distance` times the largest of its tensor away from it, with the gains of B multiplied into the matrices "
            "behind them where A's norms have others.  0: B is that image.  `units`: the same in roundings of each "
            "number to the coarser of its types, of |b|, or of |G| |A| |G'| where matrices are multiplied in."));
        json_put(o, "distance", json_real(s->distance));
        json_put(o, "units", json_real(s->units));
        json_put(o, "unit roundoff", json_real(s->unit));
    }
    if (s->n) {
        json_put(o, "on tokens", json_string("On these lists of tokens, and for no others, the real numbers that the "
            "two formulas give are at most `high` apart, and somewhere at least `low`."));
        json_put(o, "relation", json_string(up_to_name[s->relation]));
        json_put(o, "lists", verify_lists(s->n, s->lists));
        json_put(o, "low", json_real(s->low));
        json_put(o, "high", json_real(s->high));
    }
    char *text = json_dumps(o, JSON_INDENT(1) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(17));
    if (!text) die("the bound is not a number; nothing is written to %s", path);
    outfile f = outfile_open(path);
    shown_json(f.f, text);
    fputc('\n', f.f);
    outfile_close(&f);
    free(text);
    json_decref(o);
}

static void require_files(const char *path, const json_t *want, const opened *m, const char *which)
{
    json_t *have = verify_files(m);
    if (!json_is_array(want) || !json_array_size(want)) die("%s does not name the files of %s", path, which);
    for (size_t k = 0; k < json_array_size(have) || k < json_array_size(want); k++) {
        const json_t *a = json_object_get(json_array_get(want, k), "sha256");
        const json_t *b = json_object_get(json_array_get(have, k), "sha256");
        const char *name = json_string_value(json_object_get(json_array_get(have, k), "name"));
        if (!a || !b || !json_equal(a, b))
            die("%s is about other files: the SHA-256 of %s, %s, is not the one it names", path, which,
                name ? name : "a file that is missing");
    }
    json_decref(have);
}

static long *read_numbers(const char *path, const json_t *list, size_t n)
{
    if (!json_is_array(list) || json_array_size(list) != n) die("%s: a list of tokens or positions is damaged", path);
    long *x = must_calloc(n, sizeof *x);
    for (size_t k = 0; k < n; k++) {
        const json_t *v = json_array_get(list, k);
        if (!json_is_integer(v) || json_integer_value(v) < 0 || json_integer_value(v) > 1L << 40)
            die("%s: a token or a position is not a whole number", path);
        x[k] = (long)json_integer_value(v);
    }
    return x;
}

/* The numbers must be there: a certificate without them states nothing that can be checked. */
static double number_in(const char *path, const json_t *o, const char *name)
{
    const json_t *x = json_object_get(o, name);
    if (!json_is_number(x) || !(json_number_value(x) >= 0)) die("%s: `%s` is missing or damaged", path, name);
    return json_number_value(x);
}

static void read_lists(const char *path, const json_t *o, statement *s)
{
    const char *what = json_string_value(json_object_get(o, "relation"));
    const json_t *lists = json_object_get(o, "lists");
    s->relation = UP_TOS;
    for (int k = 0; k < UP_TO_ARGMAX && what; k++) if (strcmp(what, up_to_name[k]) == 0) s->relation = (up_to)k;
    if (s->relation == UP_TOS) die("%s: `%s` is not a relation that is certified", path, what ? what : "nothing");
    s->high = number_in(path, o, "high");
    s->n = (long)json_array_size(lists);
    if (s->n < 1) die("%s: its lists of tokens are missing or damaged", path);
    token_list *t = must_calloc((size_t)s->n, sizeof *t);
    for (long k = 0; k < s->n; k++) {
        const json_t *list = json_array_get(lists, (size_t)k), *tokens = json_object_get(list, "tokens");
        t[k].n = (long)json_array_size(tokens);
        if (t[k].n < 1) die("%s: a list of tokens is empty", path);
        t[k].token = read_numbers(path, tokens, (size_t)t[k].n);
        const json_t *at = json_object_get(list, "positions");
        if (at) t[k].position = read_numbers(path, at, (size_t)t[k].n);
    }
    s->lists = t;
}

statement verify_read(const char *path, const opened *A, const opened *B)
{
    char *text = file_read(path, MOST_CERTIFICATE, NULL);
    json_error_t e;
    json_t *o = json_loads(text, JSON_REJECT_DUPLICATES, &e);
    free(text);
    if (!o) die("%s: line %d: %s; it should be a certificate of `provably verify`", path, e.line, e.text);
    const char *kind = json_string_value(json_object_get(o, "provably"));
    if (!kind || strcmp(kind, "verify 2") != 0) die("%s is not a certificate of `provably verify`", path);
    require_files(path, json_object_get(o, "A"), A, "A");
    require_files(path, json_object_get(o, "B"), B, "B");
    statement s = { .numbers = json_object_get(o, "same numbers"), .image = json_object_get(o, "image") };
    const double bits = number_in(path, o, "bits");
    if (!(bits >= 53 && bits <= 65536)) die("%s: `bits` must be from 53 to 65536", path);
    s.bits = (long)bits;
    if (s.image) {
        s.distance = number_in(path, o, "distance");
        s.units = number_in(path, o, "units");
        if (!(s.units <= PRODUCT_UNITS && s.distance <= ROUNDING_MOST))
            die("%s is vacuous: a distance of %.3g of the largest number, %.3g units, says nothing about B; compare "
                "the files again", path, s.distance, s.units);
    }
    if (json_object_get(o, "on tokens")) read_lists(path, o, &s);
    if (!s.numbers && !s.image && !s.n) die("%s states nothing", path);
    json_decref(o);
    return s;
}
