/* SPDX-License-Identifier: GPL-3.0-or-later
 * checkpoint.c - see checkpoint.h. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>
#include "src/base/file.h"
#include "src/base/lines.h"
#include "src/base/outfile.h"
#include "src/base/shown.h"
#include "src/train/checkpoint.h"

enum { LINE = 560,                       /* bytes of the longest line of a header, and 1                */
       PIECE = 1 << 16 };                /* numbers at a time, or one row where it has more             */
static const char SUM[] = "text sum ";
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "tensors are written as they are in memory");

void checkpoint_text(checkpoint *c, const char *name, const char *fmt, ...)
{
    c->text = must_realloc(c->text, (size_t)c->texts + 1, sizeof *c->text);
    stored_text *t = &c->text[c->texts++];
    va_list ap;
    va_start(ap, fmt);
    const int n = vsnprintf(t->value, sizeof t->value, fmt, ap);
    va_end(ap);
    const int m = snprintf(t->name, sizeof t->name, "%s", name);
    REQUIRE(n < (int)sizeof t->value && m < (int)sizeof t->name && !strpbrk(name, " \n") && !strchr(t->value, '\n')
            && strcmp(name, "sum") != 0, "text %s", name);
}

static bool is_weight(const stored *t) { return !strchr(t->name, ':'); }

static long weights_of(const checkpoint *c)
{
    long n = 0;
    while (n < c->tensors && is_weight(&c->tensor[n])) n++;
    return n;
}

void checkpoint_declare(checkpoint *c, const char *name, long rows, long cols)
{
    c->tensor = must_realloc(c->tensor, (size_t)c->tensors + 1, sizeof *c->tensor);
    stored *t = &c->tensor[c->tensors++];
    *t = (stored){ .rows = rows, .cols = cols };
    const int m = snprintf(t->name, sizeof t->name, "%s", name);
    REQUIRE(m < (int)sizeof t->name && !strpbrk(name, " \n"), "tensor %s", name);
    REQUIRE(c->tensors == 1 || !is_weight(t) || is_weight(t - 1), "the weight %s after %s", name, t[-1].name);
}

void checkpoint_tensor(checkpoint *c, const char *name, long rows, long cols, const float *x)
{
    checkpoint_declare(c, name, rows, cols);
    stored *t = &c->tensor[c->tensors - 1];
    t->x = must_calloc((size_t)(rows * cols), sizeof *x);
    memcpy(t->x, x, (size_t)(rows * cols) * sizeof *x);
}

const char *checkpoint_value(const checkpoint *c, const char *name)
{
    for (long k = 0; k < c->texts; k++) if (strcmp(c->text[k].name, name) == 0) return c->text[k].value;
    return NULL;
}

const stored *checkpoint_find(const checkpoint *c, const char *name)
{
    for (long k = 0; k < c->tensors; k++) if (strcmp(c->tensor[k].name, name) == 0) return &c->tensor[k];
    return NULL;
}

void checkpoint_free(checkpoint *c)
{
    for (long k = 0; k < c->tensors; k++) free(c->tensor[k].x);
    free(c->tensor);
    free(c->text);
    *c = (checkpoint){ .tensor = NULL };
}

/* ---- pieces of tensors ------------------------------------------------------------------------------------ */

static size_t count_of(const stored *t) { return (size_t)(t->rows * t->cols); }
static long rows_at_once(const stored *t) { return t->cols < PIECE ? PIECE / t->cols : 1; }

static size_t longest_piece(const checkpoint *c)
{
    size_t most = PIECE;
    for (long k = 0; k < c->tensors; k++) if ((size_t)c->tensor[k].cols > most) most = (size_t)c->tensor[k].cols;
    return most;
}

typedef void use_piece(void *self, const stored *t, long k, long from, long rows);
static void each_piece(const checkpoint *c, long tensors, use_piece *use, void *self)
{
    for (long k = 0; k < tensors; k++) {
        const stored *t = &c->tensor[k];
        const long step = rows_at_once(t);
        for (long from = 0; from < t->rows; from += step)
            use(self, t, k, from, t->rows - from < step ? t->rows - from : step);
    }
}

static uint32_t crc(uint32_t before, const void *data, size_t n) { return (uint32_t)crc32_z(before, data, n); }

/* ---- writing --------------------------------------------------------------------------------------------- */

typedef struct {
    outfile   o;
    uint32_t  crc;                       /* of all that was written; in a first pass, of the weights' numbers */
    checkpoint_numbers *numbers;         /* NULL: the tensors' own                                      */
    void     *self;
    float    *x;                         /* room for a piece                                            */
} writer;

static void put(writer *w, const void *data, size_t n)
{
    w->crc = crc(w->crc, data, n);
    if (fwrite(data, 1, n, w->o.f) != n) die("cannot write %s: %s; %s", w->o.path, strerror(errno), file_advice(errno));
}

static void put_line(writer *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void put_line(writer *w, const char *fmt, ...)
{
    char line[LINE];
    va_list ap;
    va_start(ap, fmt);
    const int n = vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    REQUIRE(n > 0 && n < (int)sizeof line, "line of %d bytes", n);
    put(w, line, (size_t)n);
}

static const float *piece(const writer *w, const stored *t, long k, long from, long rows)
{
    if (!w->numbers) return t->x + from * t->cols;
    w->numbers(w->self, k, from, rows, w->x);
    return w->x;
}

static void sum_piece(void *self, const stored *t, long k, long from, long rows)
{
    writer *w = self;
    w->crc = crc(w->crc, piece(w, t, k, from, rows), (size_t)(rows * t->cols) * sizeof(float));
}

static void put_piece(void *self, const stored *t, long k, long from, long rows)
{
    put(self, piece(self, t, k, from, rows), (size_t)(rows * t->cols) * sizeof(float));
}

void checkpoint_stream(const checkpoint *c, const char *path, checkpoint_numbers *numbers, void *self)
{
    const long weights = weights_of(c);
    writer w = { .numbers = numbers, .self = self, .x = must_calloc(longest_piece(c), sizeof *w.x) };
    each_piece(c, weights, sum_piece, &w);
    const uint32_t weights_crc = w.crc;
    w.crc = 0;
    w.o = outfile_open(path);
    put_line(&w, "PROVABLY 1\n");
    for (long k = 0; k < c->texts; k++) put_line(&w, "text %s %s\n", c->text[k].name, c->text[k].value);
    for (long k = 0; k < c->tensors; k++)
        put_line(&w, "tensor %s %ld %ld\n", c->tensor[k].name, c->tensor[k].rows, c->tensor[k].cols);
    const uint32_t header_crc = w.crc;
    put_line(&w, "%s%08x %ld %08x\n", SUM, header_crc, weights, weights_crc);
    put_line(&w, "end\n");
    each_piece(c, c->tensors, put_piece, &w);
    const uint32_t sum = w.crc;
    put(&w, &sum, sizeof sum);
    outfile_close(&w.o);
    free(w.x);
}

void checkpoint_write(const checkpoint *c, const char *path) { checkpoint_stream(c, path, NULL, NULL); }

/* ---- reading --------------------------------------------------------------------------------------------- */

typedef struct { checkpoint_file *f; long line; } reader;

static _Noreturn void damaged(const checkpoint_file *f, long line, const char *why)
{
    char *at = line ? must_format(":%ld", line) : must_strdup("");
    die("%s%s: %s; this checkpoint is damaged or of another kind: remove it or take an older one", f->path, at, why);
}

/* One line of at most LINE - 1 bytes, without its end; counted in header_crc unless it is the sums'. */
static void text_next_line(reader *r, char line[LINE])
{
    checkpoint_file *f = r->f;
    r->line++;
    size_t n = 0;
    int c = EOF;
    while (n < LINE - 1 && (c = getc(f->f)) != EOF && c != '\n') line[n++] = (char)c;
    line[n] = '\0';
    if (ferror(f->f)) die("cannot read %s: %s", f->path, strerror(errno));
    if (c != '\n') damaged(f, r->line, "a line of the header is cut off");
    if (strlen(line) != n) damaged(f, r->line, "a zero byte in the header");
}

static void must_be_name(const reader *r, const char *name, bool known)
{
    if (known) damaged(r->f, r->line, "a name given twice");
    for (const char *k = name; *k; k++)
        if (*k < 33 || *k > 126) damaged(r->f, r->line, "a name with odd characters");
}

/* `text sum HEADER N WEIGHTS`, whose first sum must be that of the lines so far. */
static void read_sums(reader *r, const char *line)
{
    checkpoint_file *f = r->f;
    unsigned header;
    int used = 0;
    if (f->has_sum || sscanf(line + strlen(SUM), "%8x %ld %8x%n", &header, &f->weights, &f->weights_crc, &used) != 3
        || line[strlen(SUM) + (size_t)used] || f->weights != weights_of(&f->head))
        damaged(f, r->line, "not two sums and a number of tensors");
    if (header != f->header_crc) damaged(f, r->line, "the checksum of its header is wrong");
    f->has_sum = true;
}

static void read_tensor_line(reader *r, const char *name, long rows, long cols)
{
    checkpoint *c = &r->f->head;
    if (rows < 1 || cols < 1 || rows > 1L << 36 || cols > (1L << 36) / rows)
        damaged(r->f, r->line, "a tensor of absurd size");
    must_be_name(r, name, checkpoint_find(c, name) != NULL);
    c->tensor = must_realloc(c->tensor, (size_t)c->tensors + 1, sizeof *c->tensor);
    stored *t = &c->tensor[c->tensors++];
    *t = (stored){ .rows = rows, .cols = cols };
    snprintf(t->name, sizeof t->name, "%s", name);
    if (c->tensors > 1 && is_weight(t) && !is_weight(t - 1)) damaged(r->f, r->line, "a weight after PREFIX:NAME");
}

static void read_header(reader *r)
{
    checkpoint_file *f = r->f;
    checkpoint *c = &f->head;
    char line[LINE], name[48];
    text_next_line(r, line);
    if (strcmp(line, "PROVABLY 1") != 0) damaged(f, r->line, "the first line is not `PROVABLY 1`");
    for (;;) {
        f->header_crc = crc(crc(f->header_crc, line, strlen(line)), "\n", 1);
        long rows, cols;
        int used = 0;
        text_next_line(r, line);
        if (strcmp(line, "end") == 0) break;
        if (strncmp(line, SUM, strlen(SUM)) == 0) {
            read_sums(r, line);
        } else if (f->has_sum) {
            damaged(f, r->line, "a line between the sums and `end`");
        } else if (sscanf(line, "text %31s %n", name, &used) == 1 && used && strcmp(name, "sum") != 0
                   && strlen(line + used) < sizeof c->text->value) {
            must_be_name(r, name, checkpoint_value(c, name) != NULL);
            if (!shown_as_is(line + used)) damaged(f, r->line, "a text with characters that command a terminal");
            checkpoint_text(c, name, "%s", line + used);
        } else if (sscanf(line, "tensor %47s %ld %ld%n", name, &rows, &cols, &used) == 3 && !line[used]) {
            read_tensor_line(r, name, rows, cols);
        } else {
            damaged(f, r->line, "a line that is neither text, tensor nor end");
        }
        if (c->texts + c->tensors > 100000) damaged(f, r->line, "too many lines");
    }
    f->header_crc = crc(f->header_crc, "end\n", 4);
}

typedef struct {
    checkpoint_file  *f;
    checkpoint_taker *take;
    void     *self;
    float    *x;                         /* room for a piece                                            */
    uint32_t  crc;
} taking;

static void read_bytes(checkpoint_file *f, void *x, size_t n)
{
    if (fread(x, 1, n, f->f) != n) die("cannot read %s: %s", f->path, ferror(f->f) ? strerror(errno)
                                                                                   : "unexpected end of file");
}

static void take_piece(void *self, const stored *t, long k, long from, long rows)
{
    taking *s = self;
    const size_t bytes = (size_t)(rows * t->cols) * sizeof(float);
    read_bytes(s->f, s->x, bytes);
    s->crc = crc(s->crc, s->x, bytes);
    if (s->take) s->take(s->self, k, from, rows, s->x);
}

/* From where the numbers begin. */
static void take_all(checkpoint_file *f, bool all, checkpoint_taker *take, void *self)
{
    taking s = { f, take, self, must_calloc(longest_piece(&f->head), sizeof *s.x), all ? f->header_crc : 0 };
    each_piece(&f->head, all ? f->head.tensors : f->weights, take_piece, &s);
    uint32_t sum = f->weights_crc;
    if (all) read_bytes(f, &sum, sizeof sum);
    if (s.crc != sum) damaged(f, 0, all ? "its checksum is wrong" : "the checksum of its weights is wrong");
    free(s.x);
}

/* Another file is not called damaged. */
static void require_checkpoint(const checkpoint_file *f)
{
    static const char first[] = "PROVABLY ";
    if (!line_begins(f->f, f->path, first))
        die("%s is not a checkpoint of a training run; name the folder of such a run", f->path);
    rewind(f->f);
}

checkpoint_file checkpoint_open(const char *path)
{
    checkpoint_file f = { .f = file_open(path), .path = must_strdup(path) };
    struct stat s;
    if (!f.f || fstat(fileno(f.f), &s) != 0) die("cannot read %s: %s", path, strerror(errno));
    require_checkpoint(&f);
    reader r = { .f = &f };
    read_header(&r);
    size_t numbers = 0;
    for (long k = 0; k < f.head.tensors; k++) numbers += count_of(&f.head.tensor[k]);
    if ((size_t)s.st_size - (size_t)ftell(f.f) != numbers * sizeof(float) + 4)
        damaged(&f, r.line, "its length is not what its header says");
    if (!f.has_sum) {
        const long begin = ftell(f.f);
        take_all(&f, true, NULL, NULL);
        if (fseek(f.f, begin, SEEK_SET) != 0) die("cannot read %s: %s", path, strerror(errno));
        f.weights = f.head.tensors;
    }
    return f;
}

void checkpoint_take(checkpoint_file *f, checkpoint_part part, checkpoint_taker *take, void *self)
{
    take_all(f, part == CHECKPOINT_ALL || !f->has_sum, take, self);
}

void checkpoint_close(checkpoint_file *f)
{
    fclose(f->f);
    free(f->path);
    checkpoint_free(&f->head);
}

static void keep_piece(void *self, long k, long from, long rows, const float *x)
{
    stored *t = &((checkpoint *)self)->tensor[k];
    if (!t->x) t->x = must_calloc(count_of(t), sizeof *t->x);
    memcpy(t->x + from * t->cols, x, (size_t)(rows * t->cols) * sizeof *x);
}

checkpoint checkpoint_read(const char *path, checkpoint_part part)
{
    checkpoint_file f = checkpoint_open(path);
    checkpoint_take(&f, part, keep_piece, &f.head);
    checkpoint c = f.head;
    f.head = (checkpoint){ .tensor = NULL };
    checkpoint_close(&f);
    if (part == CHECKPOINT_ALL) return c;
    long kept = 0;
    for (long k = 0; k < c.tensors; k++) {
        if (is_weight(&c.tensor[k])) c.tensor[kept++] = c.tensor[k];
        else free(c.tensor[k].x);
    }
    c.tensors = kept;
    return c;
}

char *checkpoint_path(const char *folder_or_file)
{
    struct stat s;
    if (stat(folder_or_file, &s) != 0 || !S_ISDIR(s.st_mode)) return must_strdup(folder_or_file);
    char *file = must_format("%s/last.ckpt", folder_or_file);
    if (stat(file, &s) != 0 && errno == ENOENT)
        die("%s holds no last.ckpt: it is not the folder of a training run; name such a folder", folder_or_file);
    return file;
}
