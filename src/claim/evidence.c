/* evidence.c - rows as CSV: see evidence.h. */
#include "src/claim/evidence.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = { [HOLDS] = "holds", [REFUTED] = "refuted", [UNDECIDED] = "undecided" };
static const char header[] =
    "id,part,kind,case,arith,param,shape,seed,trial,verdict,log2gap,log2bound,slope,checks,log2logit,"
    "kappa,seconds,threads,blas,scope,depth,uses,undeclared,skipped,about,what,whole,note,basis,by_proof,truths,build";
enum { MOST_LINE = 16384 };                                    /* of a row with the truths of all its checks */
static const char *const about_words[] = { "all", "finite" };
static const char *const depth_words[] = { [DEPTH_NONE] = "none", [DEPTH_RUN] = "run", [DEPTH_EVERY] = "every" };

const char *truth_word(truth is) { return words[is]; }
const char *depth_word(model_depth is) { return depth_words[is]; }

void evidence_row_text(char *to, size_t size, const char *from)
{
    size_t n = 0;
    for (; from && *from && n + 1 < size; from++)
        to[n++] = *from == ',' || *from == '"' || *from == '\n' ? ';' : *from;
    to[n] = '\0';
}

/* Few are different: the rows of one part make the same checks. */
const char *evidence_keep_text(const char *text)
{
    static char **kept;
    static size_t n;
    for (size_t k = n; k > 0; k--) if (strcmp(kept[k - 1], text) == 0) return kept[k - 1];
    if ((n & (n - 1)) == 0) kept = must_realloc(kept, n ? 2 * n : 1, sizeof *kept);
    return kept[n++] = must_strdup(text);
}

static const char *row_says(const row *r) { return r->truths ? r->truths : ""; }

void evidence_row_header(FILE *f) { fprintf(f, "%s\n", header); }

void evidence_row_write(FILE *f, const row *r)
{
    fprintf(f, "%s,%s,%s,%s,%s,%s,%s,%llu,%ld,%s,%a,%a,%a,%ld,%a,%a,%a,%d,%s,%s,%s,%s,%d,%d,%s,%s,%d,%s,%s,%s,%s,%s\n",
            r->id, r->part, r->kind, r->which, r->arith, r->param, r->shape, (unsigned long long)r->seed,
            r->trial, words[r->verdict], r->log2gap, r->log2bound, r->slope, r->checks, r->log2logit,
            r->kappa, r->seconds, r->threads, r->blas, r->scope, depth_words[r->depth], r->uses,
            r->undeclared, r->skipped, about_words[r->finite], r->what, r->whole, r->note, r->basis, r->by_proof,
            row_says(r), r->build);
    fflush(f);
}

/* The next field of a line, cut out in place; NULL after the last. */
static char *next_field(char **line)
{
    char *start = *line, *comma;
    if (!start) return NULL;
    comma = strchr(start, ',');
    if (comma) *comma++ = '\0';
    *line = comma;
    return start;
}

static bool take_text(char **line, char *to, size_t size)
{
    const char *text = next_field(line);
    if (!text || strlen(text) >= size) return false;
    memcpy(to, text, strlen(text) + 1);
    return true;
}

static bool take_kept(char **line, const char **to)
{
    const char *text = next_field(line);
    if (text) *to = evidence_keep_text(text);
    return text != NULL;
}

static bool take_double(char **line, double *x)
{
    char *text = next_field(line), *end;
    if (!text || !*text) return false;
    *x = strtod(text, &end);
    return *end == '\0';
}

static bool take_long(char **line, long *x)
{
    char *text = next_field(line), *end;
    if (!text || !*text) return false;
    errno = 0;
    *x = strtol(text, &end, 10);
    return *end == '\0' && !errno;
}

static bool take_u64(char **line, uint64_t *x)
{
    char *text = next_field(line), *end;
    if (!text || !*text || *text == '-') return false;
    errno = 0;
    *x = strtoull(text, &end, 10);
    return *end == '\0' && !errno;
}

/* The next field as one of n words: its number, or -1. */
static int take_word(char **line, const char *const word[], size_t n)
{
    const char *text = next_field(line);
    for (size_t k = 0; text && k < n; k++) if (strcmp(text, word[k]) == 0) return (int)k;
    return -1;
}

static bool take_truth(char **line, truth *is)
{
    const int k = take_word(line, words, COUNT(words));
    if (k >= 0) *is = (truth)k;
    return k >= 0;
}

static bool take_depth(char **line, model_depth *is)
{
    const int k = take_word(line, depth_words, COUNT(depth_words));
    if (k >= 0) *is = (model_depth)k;
    return k >= 0;
}

static bool take_flag(char **line, bool *is)
{
    const int k = take_word(line, (const char *const[]){ "0", "1" }, 2);
    *is = k == 1;
    return k >= 0;
}

static bool take_about(char **line, bool *finite)
{
    const int k = take_word(line, about_words, COUNT(about_words));
    *finite = k == 1;
    return k >= 0;
}

/* ---- the truths of all checks ------------------------------------------------------------------------------- */

/* An item "holds*2 one block" at `at`: its truth, how often, where its name begins; false: it is none. */
typedef struct { truth is; long times; const char *name; } item;
static bool item_at(item *to, const char *at)
{
    for (size_t k = 0; k < COUNT(words); k++) {
        const size_t n = strlen(words[k]);
        if (strncmp(at, words[k], n) != 0) continue;
        const char *space = at + n;
        *to = (item){ .is = (truth)k, .times = 1 };
        if (*space == '*') to->times = atol(space + 1), space += 1 + strspn(space + 1, "0123456789");
        to->name = space + 1;
        return *space == ' ' && to->times > 0;
    }
    return false;
}

/* Where the item that begins at `at` ends: names may hold "; ", but not before a truth. */
static const char *item_end(const char *at)
{
    item next;
    const char *end = strstr(at, "; ");
    while (end && !item_at(&next, end + 2)) end = strstr(end + 2, "; ");
    return end ? end : at + strlen(at);
}

static void put_item(FILE *f, bool first, truth is, long times, const char *name, int length)
{
    fprintf(f, "%s%s", first ? "" : "; ", words[is]);
    if (times > 1) fprintf(f, "*%ld", times);
    fprintf(f, " %.*s", length, name);
}

void evidence_row_add_truth(row *r, truth is, const char *what, long times)
{
    char name[128], *text = NULL;
    size_t size;
    bool found = false;
    FILE *f = open_memstream(&text, &size);
    if (!f) die("no memory for the truths of a row");
    evidence_row_text(name, sizeof name, what);
    for (const char *at = row_says(r), *end; *at; at = *end ? end + 2 : end) {
        item old;
        REQUIRE(item_at(&old, at), "no truths: %s", r->truths);
        end = item_end(at);
        const int length = (int)(end - old.name);
        const bool same = old.is == is && (size_t)length == strlen(name)
                       && strncmp(old.name, name, (size_t)length) == 0;
        put_item(f, at == r->truths, old.is, old.times + (same ? times : 0), old.name, length);
        found |= same;
    }
    if (!found) put_item(f, !*row_says(r), is, times, name, (int)strlen(name));
    if (fclose(f) != 0) die("no memory for the truths of a row");
    r->truths = evidence_keep_text(text);
    free(text);
}

long evidence_row_count_truths(const row *r, truth is)
{
    long n = 0;
    for (const char *at = row_says(r); *at; ) {
        item one;
        if (!item_at(&one, at)) return -1;
        if (one.is == is) n += one.times;
        at = item_end(at);
        at += *at ? 2 : 0;
    }
    return n;
}

bool evidence_row_shows(const row *r, const char *what)
{
    const size_t n = strlen(what), most = sizeof r->what - 1;      /* row.what may have been cut */
    for (const char *at = row_says(r), *end; *at; at = *end ? end + 2 : end) {
        item one;
        if (!item_at(&one, at)) return false;
        end = item_end(at);
        const size_t length = (size_t)(end - one.name);
        if (one.is != HOLDS || strncmp(one.name, what, n) != 0) continue;
        if (length == n || (n == most && length > n)) return true;
    }
    return false;
}

static bool agrees_with_truths(const row *r)
{
    const long holds = evidence_row_count_truths(r, HOLDS), refuted = evidence_row_count_truths(r, REFUTED), undecided = evidence_row_count_truths(r, UNDECIDED);
    if (holds < 0 || holds + refuted + undecided != r->checks) return false;
    return r->verdict == HOLDS ? holds > 0 && holds == r->checks : r->verdict == REFUTED ? refuted > 0 : true;
}

/* ---- rows --------------------------------------------------------------------------------------------------- */

static bool parse(row *r, char *line)
{
    long threads = 0;
    bool ok = take_text(&line, r->id, sizeof r->id) && take_text(&line, r->part, sizeof r->part)
        && take_text(&line, r->kind, sizeof r->kind) && take_text(&line, r->which, sizeof r->which)
        && take_text(&line, r->arith, sizeof r->arith) && take_text(&line, r->param, sizeof r->param)
        && take_text(&line, r->shape, sizeof r->shape) && take_u64(&line, &r->seed) && take_long(&line, &r->trial)
        && take_truth(&line, &r->verdict) && take_double(&line, &r->log2gap) && take_double(&line, &r->log2bound)
        && take_double(&line, &r->slope) && take_long(&line, &r->checks) && take_double(&line, &r->log2logit)
        && take_double(&line, &r->kappa) && take_double(&line, &r->seconds) && take_long(&line, &threads)
        && take_text(&line, r->blas, sizeof r->blas) && take_text(&line, r->scope, sizeof r->scope)
        && take_depth(&line, &r->depth) && take_text(&line, r->uses, sizeof r->uses)
        && take_flag(&line, &r->undeclared) && take_flag(&line, &r->skipped) && take_about(&line, &r->finite)
        && take_text(&line, r->what, sizeof r->what) && take_flag(&line, &r->whole)
        && take_text(&line, r->note, sizeof r->note) && take_text(&line, r->basis, sizeof r->basis)
        && take_text(&line, r->by_proof, sizeof r->by_proof) && take_kept(&line, &r->truths)
        && take_text(&line, r->build, sizeof r->build)
        && line == NULL;
    r->threads = (int)threads;
    return ok && agrees_with_truths(r);
}

void evidence_rows_read(rows *all, const char *path)
{
    FILE *f = fopen(path, "r");
    if (!f) die("cannot read %s: %s; run `make check` first", path, strerror(errno));
    char line[MOST_LINE];
    for (long number = 1; fgets(line, sizeof line, f); number++) {
        char *end = strchr(line, '\n');
        if (!end) die("%s:%ld: line too long or cut off; remove the file and run `make check` again", path, number);
        *end = '\0';
        if (number == 1) {
            if (strcmp(line, header) != 0)
                die("%s: not an evidence file of this version; remove it and run `make check` again", path);
            continue;
        }
        row r = { .verdict = UNDECIDED };
        if (!parse(&r, line)) die("%s:%ld: malformed row; remove the file and run `make check` again", path, number);
        if ((all->n & (all->n - 1)) == 0)                     /* grow at powers of two */
            all->at = must_realloc(all->at, all->n ? 2 * (size_t)all->n : 1, sizeof *all->at);
        all->at[all->n++] = r;
    }
    if (ferror(f)) die("cannot read %s: %s", path, strerror(errno));
    fclose(f);
}

void evidence_rows_free(rows *all)
{
    free(all->at);
    *all = (rows){ 0 };
}

void evidence_rung_header(FILE *f) { fprintf(f, "id,part,case,shape,seed,trial,bits,log2gap\n"); }

void evidence_rung_write(FILE *f, const rung *r)
{
    fprintf(f, "%s,%s,%s,%s,%llu,%ld,%ld,%a\n", r->id, r->part, r->which, r->shape,
            (unsigned long long)r->seed, r->trial, r->bits, r->log2gap);
    fflush(f);
}

static const char measured_head[] = "id,part,case,shape,seed,trial,figure,x,value,low,high,predicted";

void evidence_figure_header(FILE *f) { fprintf(f, "%s\n", measured_head); }

void evidence_figure_write(FILE *f, const measured *m)
{
    fprintf(f, "%s,%s,%s,%s,%llu,%ld,%s,%a,%a,%a,%a,%a\n", m->id, m->part, m->which, m->shape,
            (unsigned long long)m->seed, m->trial, m->name, m->x, m->value, m->low, m->high, m->predicted);
    fflush(f);
}

static bool parse_measured(measured *m, char *line)
{
    return take_text(&line, m->id, sizeof m->id) && take_text(&line, m->part, sizeof m->part)
        && take_text(&line, m->which, sizeof m->which) && take_text(&line, m->shape, sizeof m->shape)
        && take_u64(&line, &m->seed) && take_long(&line, &m->trial) && take_text(&line, m->name, sizeof m->name)
        && take_double(&line, &m->x) && take_double(&line, &m->value) && take_double(&line, &m->low)
        && take_double(&line, &m->high) && take_double(&line, &m->predicted) && line == NULL;
}

void evidence_figures_read(measures *all, const char *path)
{
    char line[1024];
    FILE *f = fopen(path, "r");
    if (!f) die("cannot read %s: %s", path, strerror(errno));
    for (long number = 1; fgets(line, sizeof line, f); number++) {
        measured m = { .x = NAN };
        char *end = strchr(line, '\n');
        if (end) *end = '\0';
        if (end && number == 1 && strcmp(line, measured_head) == 0) continue;
        if (!end || number == 1 || !parse_measured(&m, line))
            die("%s:%ld: malformed figure; remove the file and run `make check` again", path, number);
        if ((all->n & (all->n - 1)) == 0)
            all->at = must_realloc(all->at, all->n ? 2 * (size_t)all->n : 1, sizeof *all->at);
        all->at[all->n++] = m;
    }
    if (ferror(f)) die("cannot read %s: %s", path, strerror(errno));
    fclose(f);
}
