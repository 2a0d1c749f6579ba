/* checkpoint.c - see checkpoint.h. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "src/base/outfile.h"
#include "src/train/checkpoint.h"

enum { LINE = 560 };                     /* bytes of the longest line of a header, and 1                */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "tensors are written as they are in memory");

uint32_t checkpoint_crc32(uint32_t before, const void *data, size_t n)
{
    static uint32_t table[256];
    const unsigned char *byte = data;
    if (!table[1])
        for (uint32_t k = 0; k < 256; k++) {
            uint32_t c = k;
            for (int bit = 0; bit < 8; bit++) c = c & 1 ? 0xEDB88320u ^ c >> 1 : c >> 1;
            table[k] = c;
        }
    uint32_t c = ~before;
    for (size_t i = 0; i < n; i++) c = table[(c ^ byte[i]) & 255] ^ c >> 8;
    return ~c;
}

void checkpoint_text(checkpoint *c, const char *name, const char *fmt, ...)
{
    c->text = must_realloc(c->text, (size_t)c->texts + 1, sizeof *c->text);
    stored_text *t = &c->text[c->texts++];
    va_list ap;
    va_start(ap, fmt);
    const int n = vsnprintf(t->value, sizeof t->value, fmt, ap);
    va_end(ap);
    const int m = snprintf(t->name, sizeof t->name, "%s", name);
    REQUIRE(n < (int)sizeof t->value && m < (int)sizeof t->name && !strpbrk(name, " \n") && !strchr(t->value, '\n'),
            "text %s", name);
}

void checkpoint_tensor(checkpoint *c, const char *name, long rows, long cols, const float *x)
{
    c->tensor = must_realloc(c->tensor, (size_t)c->tensors + 1, sizeof *c->tensor);
    stored *t = &c->tensor[c->tensors++];
    *t = (stored){ .rows = rows, .cols = cols, .x = must_calloc((size_t)(rows * cols), sizeof *x) };
    const int m = snprintf(t->name, sizeof t->name, "%s", name);
    REQUIRE(m < (int)sizeof t->name && !strpbrk(name, " \n"), "tensor %s", name);
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

/* ---- writing --------------------------------------------------------------------------------------------- */

static void put(outfile *o, uint32_t *crc, const void *data, size_t n)
{
    *crc = checkpoint_crc32(*crc, data, n);
    if (fwrite(data, 1, n, o->f) != n) die("cannot write %s: %s; free some space", o->path, strerror(errno));
}

static void put_line(outfile *o, uint32_t *crc, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void put_line(outfile *o, uint32_t *crc, const char *fmt, ...)
{
    char line[LINE];
    va_list ap;
    va_start(ap, fmt);
    const int n = vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    REQUIRE(n > 0 && n < (int)sizeof line, "line of %d bytes", n);
    put(o, crc, line, (size_t)n);
}

void checkpoint_write(const checkpoint *c, const char *path)
{
    outfile o = outfile_open(path);
    uint32_t crc = 0;
    put_line(&o, &crc, "PROVABLY 1\n");
    for (long k = 0; k < c->texts; k++) put_line(&o, &crc, "text %s %s\n", c->text[k].name, c->text[k].value);
    for (long k = 0; k < c->tensors; k++)
        put_line(&o, &crc, "tensor %s %ld %ld\n", c->tensor[k].name, c->tensor[k].rows, c->tensor[k].cols);
    put_line(&o, &crc, "end\n");
    for (long k = 0; k < c->tensors; k++)
        put(&o, &crc, c->tensor[k].x, (size_t)(c->tensor[k].rows * c->tensor[k].cols) * sizeof(float));
    const uint32_t sum = crc;
    put(&o, &crc, &sum, sizeof sum);
    outfile_close(&o);
}

/* ---- reading --------------------------------------------------------------------------------------------- */

typedef struct { const char *path, *at, *end; long line; } reader;

static _Noreturn void damaged(const reader *r, const char *why)
{
    die("%s:%ld: %s; this checkpoint is damaged or of another kind: remove it or take an older one",
        r->path, r->line, why);
}

/* One line of at most LINE - 1 bytes, without its end. */
static void text_next_line(reader *r, char line[LINE])
{
    r->line++;
    size_t n = 0;
    for (; r->at + n < r->end && n < LINE - 1 && r->at[n] != '\n'; n++) line[n] = r->at[n];
    line[n] = '\0';
    if (r->at + n == r->end || r->at[n] != '\n') damaged(r, "a line of the header is cut off");
    if (strlen(line) != n) damaged(r, "a zero byte in the header");
    r->at += n + 1;
}

static void must_be_name(const reader *r, const char *name, bool known)
{
    if (known) damaged(r, "a name given twice");
    for (const char *k = name; *k; k++) if (*k < 33 || *k > 126) damaged(r, "a name with odd characters");
}

static void read_header(reader *r, checkpoint *c)
{
    char line[LINE], name[48];
    text_next_line(r, line);
    if (strcmp(line, "PROVABLY 1") != 0) damaged(r, "the first line is not `PROVABLY 1`");
    for (;;) {
        long rows, cols;
        int used = 0;
        text_next_line(r, line);
        if (strcmp(line, "end") == 0) return;
        if (sscanf(line, "text %31s %n", name, &used) == 1 && used && strlen(line + used) < sizeof c->text->value) {
            must_be_name(r, name, checkpoint_value(c, name) != NULL);
            checkpoint_text(c, name, "%s", line + used);
        } else if (sscanf(line, "tensor %47s %ld %ld%n", name, &rows, &cols, &used) == 3 && !line[used]) {
            if (rows < 1 || cols < 1 || rows > 1L << 36 || cols > (1L << 36) / rows)
                damaged(r, "a tensor of absurd size");
            must_be_name(r, name, checkpoint_find(c, name) != NULL);
            c->tensor = must_realloc(c->tensor, (size_t)c->tensors + 1, sizeof *c->tensor);
            stored *t = &c->tensor[c->tensors++];
            *t = (stored){ .rows = rows, .cols = cols };
            snprintf(t->name, sizeof t->name, "%s", name);
        } else {
            damaged(r, "a line that is neither text, tensor nor end");
        }
        if (c->texts + c->tensors > 100000) damaged(r, "too many lines");
    }
}

checkpoint checkpoint_read(const char *path)
{
    FILE *f = fopen(path, "rb");
    struct stat s;
    if (!f || fstat(fileno(f), &s) != 0) die("cannot read %s: %s", path, strerror(errno));
    if (!S_ISREG(s.st_mode)) die("%s is not a regular file", path);
    const size_t n = (size_t)s.st_size;
    char *all = must_calloc(n + 1, 1);
    if (fread(all, 1, n, f) != n) die("cannot read %s: unexpected end of file", path);
    fclose(f);
    reader r = { .path = path, .at = all, .end = all + n };
    checkpoint c = { .tensor = NULL };
    read_header(&r, &c);
    size_t numbers = 0;
    for (long k = 0; k < c.tensors; k++) numbers += (size_t)(c.tensor[k].rows * c.tensor[k].cols);
    if ((size_t)(r.end - r.at) != numbers * sizeof(float) + 4) damaged(&r, "its length is not what its header says");
    uint32_t sum;
    memcpy(&sum, r.end - 4, 4);
    if (checkpoint_crc32(0, all, n - 4) != sum) damaged(&r, "its checksum is wrong");
    for (long k = 0; k < c.tensors; k++) {
        stored *t = &c.tensor[k];
        const size_t count = (size_t)(t->rows * t->cols);
        t->x = must_calloc(count, sizeof *t->x);
        memcpy(t->x, r.at, count * sizeof *t->x);
        r.at += count * sizeof *t->x;
    }
    free(all);
    return c;
}

checkpoint checkpoint_of(const char *path)
{
    struct stat s;
    if (stat(path, &s) != 0 || !S_ISDIR(s.st_mode)) return checkpoint_read(path);
    char *file = must_format("%s/last.ckpt", path);
    checkpoint c = checkpoint_read(file);
    free(file);
    return c;
}
