/* SPDX-License-Identifier: GPL-3.0-or-later
 * unpack.c - see unpack.h.
 *
 * The three libraries have one shape: give them input and room, they say how far they came in both.
 * So a format is one function, and the loop around them is written once. */
#include <bzlib.h>
#include <errno.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>
#include "src/base/file.h"
#include "src/data/unpack.h"

enum { ROOM = 1 << 16, MOST_MEMORY = 1 << 29 };               /* xz -9 asks for 65 MB */
/* What is kept in memory whole: a kilobyte may unpack to a gigabyte, text and images to ten times their length. */
enum { MOST_TIMES = 200, FREE_BYTES = 1 << 26 };
typedef enum { MORE, END, DAMAGED, NO_MEMORY } progress;

struct unpacker {
    byte_source source;
    FILE *f;                                                    /* of unpack_open; else NULL            */
    char *path;
    progress (*decode)(unpacker *u, bool at_end);               /* NULL: the file is not compressed */
    unsigned char in[ROOM], *from, *to;                         /* from[given]: input not yet used  */
    size_t given, room;                                         /* to[room]: where output goes      */
    bool ended;                                                 /* behind the end of a part         */
    z_stream gz;
    bz_stream bz;
    lzma_stream xz;
};

static void fill(unpacker *u)
{
    if (u->given) return;
    u->from = u->in;
    u->given = u->source.read(u->source.self, u->in, ROOM);
}

/* Zeros behind a part fill up a block of the medium, as gzip and bzip2 have it; true: something else is there. */
static bool pass_padding(unpacker *u)
{
    for (fill(u); u->given; fill(u)) {
        while (u->given && *u->from == 0) u->from++, u->given--;
        if (u->given) return true;
    }
    return false;
}

static progress decode_gz(unpacker *u, bool at_end)
{
    (void)at_end;
    if (u->ended && inflateReset(&u->gz) != Z_OK) return DAMAGED;
    u->gz.next_in = u->from, u->gz.avail_in = (uInt)u->given;
    u->gz.next_out = u->to, u->gz.avail_out = (uInt)u->room;
    const int is = inflate(&u->gz, Z_NO_FLUSH);
    u->given = u->gz.avail_in, u->room = u->gz.avail_out;
    return is == Z_STREAM_END ? END : is == Z_OK || is == Z_BUF_ERROR ? MORE : is == Z_MEM_ERROR ? NO_MEMORY : DAMAGED;
}

static progress decode_bz2(unpacker *u, bool at_end)
{
    (void)at_end;
    if (u->ended && (BZ2_bzDecompressEnd(&u->bz) != BZ_OK || BZ2_bzDecompressInit(&u->bz, 0, 0) != BZ_OK))
        return NO_MEMORY;
    u->bz.next_in = (char *)u->from, u->bz.avail_in = (unsigned)u->given;
    u->bz.next_out = (char *)u->to, u->bz.avail_out = (unsigned)u->room;
    const int is = BZ2_bzDecompress(&u->bz);
    u->given = u->bz.avail_in, u->room = u->bz.avail_out;
    return is == BZ_STREAM_END ? END : is == BZ_OK ? MORE : is == BZ_MEM_ERROR ? NO_MEMORY : DAMAGED;
}

static progress decode_xz(unpacker *u, bool at_end)             /* joins parts by itself; ends with the file */
{
    u->xz.next_in = u->from, u->xz.avail_in = u->given;
    u->xz.next_out = u->to, u->xz.avail_out = u->room;
    const lzma_ret is = lzma_code(&u->xz, at_end ? LZMA_FINISH : LZMA_RUN);
    u->given = u->xz.avail_in, u->room = u->xz.avail_out;
    if (is == LZMA_MEMLIMIT_ERROR)
        die("%s asks for more than %d MB of memory to unpack; pack it again with a smaller dictionary", u->path,
            MOST_MEMORY >> 20);
    return is == LZMA_STREAM_END ? END : is == LZMA_OK || is == LZMA_BUF_ERROR ? MORE
         : is == LZMA_MEM_ERROR ? NO_MEMORY : DAMAGED;
}

/* gzip: 1f 8b, deflate; bzip2: BZh and a digit; xz: fd 7zXZ 0. */
static void choose(unpacker *u)
{
    const unsigned char *b = u->from;
    int failed = 0;
    if (u->given >= 3 && memcmp(b, "\x1f\x8b\x08", 3) == 0) {
        u->decode = decode_gz;
        failed = inflateInit2(&u->gz, 15 + 16) != Z_OK;         /* window bits; + 16: gzip only */
    } else if (u->given >= 4 && memcmp(b, "BZh", 3) == 0 && '1' <= b[3] && b[3] <= '9') {
        u->decode = decode_bz2;
        failed = BZ2_bzDecompressInit(&u->bz, 0, 0) != BZ_OK;
    } else if (u->given >= 6 && memcmp(b, "\xfd" "7zXZ\0", 6) == 0) {
        u->decode = decode_xz;
        failed = lzma_stream_decoder(&u->xz, MOST_MEMORY, LZMA_CONCATENATED) != LZMA_OK;
    }
    if (failed) die("cannot unpack %s: out of memory", u->path);
}

static size_t read_file(void *self, void *to, size_t n)
{
    const unpacker *u = self;
    const size_t got = fread(to, 1, n, u->f);
    if (ferror(u->f)) die("cannot read %s: %s", u->path, strerror(errno));
    return got;
}

static unpacker *begin(unpacker *u)
{
    fill(u);
    choose(u);
    return u;
}

unpacker *unpack_open(const char *path)
{
    unpacker *u = must_calloc(1, sizeof *u);
    u->path = must_strdup(path);
    struct stat s;
    u->f = file_open(path);
    if (!u->f || fstat(fileno(u->f), &s) != 0) die("cannot read %s: %s", path, strerror(errno));
    if (!S_ISREG(s.st_mode)) die("%s is not a regular file", path);
    u->source = (byte_source){ read_file, u, u->path };
    return begin(u);
}

unpacker *unpack_source(byte_source from)
{
    unpacker *u = must_calloc(1, sizeof *u);
    u->path = must_strdup(from.name);
    u->source = from;
    return begin(u);
}

static size_t read_plain(unpacker *u, unsigned char *to, size_t n)
{
    size_t done = 0;
    for (fill(u); u->given && done < n; fill(u)) {
        const size_t k = u->given < n - done ? u->given : n - done;
        memcpy(to + done, u->from, k);
        u->from += k, u->given -= k, done += k;
    }
    return done;
}

size_t unpack_read(unpacker *u, void *to, size_t n)
{
    if (!u->decode) return read_plain(u, to, n);
    size_t done = 0;
    while (done < n) {
        fill(u);
        if (u->ended && !pass_padding(u)) break;
        const bool at_end = u->given == 0;
        const size_t given = u->given, room = n - done < 1u << 30 ? n - done : 1u << 30;
        u->to = (unsigned char *)to + done, u->room = room;
        const progress p = u->decode(u, at_end);
        u->from += given - u->given;
        done += room - u->room;
        u->ended = p == END;
        if (p == NO_MEMORY) die("cannot unpack %s: out of memory", u->path);
        if (p == DAMAGED) die("%s is damaged: it does not unpack; download it again", u->path);
        if (p == MORE && at_end && u->room == room)
            die("%s is cut off: it does not unpack to the end; download it again", u->path);
    }
    return done;
}

size_t unpack_reads(void *u, void *to, size_t n) { return unpack_read(u, to, n); }

void unpack_close(unpacker *u)
{
    if (u->decode == decode_gz) inflateEnd(&u->gz);
    if (u->decode == decode_bz2) BZ2_bzDecompressEnd(&u->bz);
    if (u->decode == decode_xz) lzma_end(&u->xz);
    if (u->f) fclose(u->f);
    free(u->path);
    free(u);
}

unsigned char *unpack_file(const char *path, size_t *n)
{
    unpacker *u = unpack_open(path);
    struct stat s;
    if (fstat(fileno(u->f), &s) != 0) die("cannot read %s: %s", path, strerror(errno));
    const size_t most = FREE_BYTES + MOST_TIMES * (size_t)s.st_size;
    size_t size = 1 << 20, used = 0, got;
    unsigned char *bytes = must_calloc(size, 1);
    while ((got = unpack_read(u, bytes + used, size - used)) == size - used) {
        used += got;
        if (u->decode && used > most)
            die("%s unpacks to more than %d times its length, which no data set does; unpack it yourself if that is "
                "right, and name what you get", path, MOST_TIMES);
        bytes = must_realloc(bytes, size *= 2, 1);
    }
    used += got;
    unpack_close(u);
    bytes = must_realloc(bytes, used + 1, 1);
    bytes[used] = 0;
    *n = used;
    return bytes;
}
