/* SPDX-License-Identifier: GPL-3.0-or-later
 * get.c - see get.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "src/base/shown.h"
#include "src/base/file.h"
#include "src/base/outfile.h"
#include "src/data/checksum.h"
#include "src/data/download.h"
#include "src/data/get.h"
#include "src/data/tar.h"

presence data_file_presence(const data_file *f, const char *path)
{
    char sum[SHA256_HEX];
    struct stat s;
    if (stat(path, &s) != 0) {
        if (errno == ENOENT || errno == ENOTDIR) return MISSING;
        die("cannot read %s: %s", path, strerror(errno));
    }
    if (f->bytes && (uint64_t)s.st_size != f->bytes) return OTHER;
    if (!checksum_sha256(path, sum)) die("cannot read %s: %s", path, strerror(errno));
    return strcmp(sum, f->sha256) == 0 ? RIGHT : OTHER;
}

static void make_folders(const char *path)
{
    char *copy = must_strdup(path);
    for (char *at = copy + 1;; at++) {
        const char c = *at;
        if (c && c != '/') continue;
        *at = 0;
        make_folder(copy);
        if (!(*at = c)) break;
    }
    free(copy);
}

/* The absolute path as a URL; all but letters, digits and -._~/ is escaped. */
char *data_folder_url(const char *folder)
{
    char *path = realpath(folder, NULL), *url;
    if (!path) die("cannot read %s: %s", folder, strerror(errno));
    url = must_calloc(3 * strlen(path) + 8, 1);
    char *to = stpcpy(url, "file://");
    for (const char *s = path; *s; s++) {
        const char c = *s;
        const bool plain = ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9');
        if (plain || strchr("-._~/", c)) *to++ = c;
        else to += snprintf(to, 4, "%%%02X", (unsigned char)c);
    }
    free(path);
    return url;
}

static void get_file(const data_file *f, const char *path, const data_places *p)
{
    char *given = p->mirror ? must_format("%s/%s", p->mirror, f->file) : NULL, *reason = must_strdup("");
    const char *const one[] = { given, NULL }, *const *url = given ? one : f->url;
    for (bool there = false; *url && !there; url++) {
        const download d = { .url = *url, .path = path, .sha256 = f->sha256, .bytes = f->bytes, .tries = 5,
                             .wait = p->wait, .patience = 30, .quiet = p->quiet };
        char *why = download_file(&d);
        there = !why;
        char *both = there ? must_strdup("") : must_format("%s%s%s", reason, *reason ? "; " : "", why);
        free(reason);
        free(why);
        reason = both;
    }
    if (*reason) die("cannot get %s: %s.  To get it from elsewhere: --mirror=URL or --from=DIR", f->file, reason);
    free(reason);
    free(given);
}

static void unpack_member(const char *archive, const data_file *f, const char *path)
{
    static unsigned char bytes[1 << 16];
    unpacker *u = unpack_open(archive);
    tar_reader t = { .from = { .read = unpack_reads, .self = u, .name = archive } };
    for (;;) {
        if (!tar_next(&t)) die("%s has no file %s", archive, f->file);
        const char *slash = strrchr(t.name, '/');
        if (strcmp(slash ? slash + 1 : t.name, f->file) == 0) break;
    }
    outfile o = outfile_open(path);
    for (size_t n; (n = tar_read(&t, bytes, sizeof bytes)) > 0;)
        if (fwrite(bytes, 1, n, o.f) != n) outfile_close(&o);   /* dies with the reason */
    outfile_close(&o);
    unpack_close(u);
    if (data_file_presence(f, path) != RIGHT) {
        unlink(path);
        die("%s: its file %s is not the published one", archive, f->file);
    }
}

bool data_unpacked(const data_set *s, const data_file *archive, const char *folder)
{
    const data_file *f = archive + 1;
    if (f == s->file + COUNT(s->file) || !f->file || !f->inside) return false;
    for (; f < s->file + COUNT(s->file) && f->file && f->inside; f++) {
        char *path = must_format("%s/%s", folder, f->file);
        const presence is = data_file_presence(f, path);
        free(path);
        if (is != RIGHT) return false;
    }
    return true;
}

void data_get(const data_set *s, const data_places *p)
{
    char *archive = NULL;
    make_folders(p->to);
    for (const data_file *f = s->file; f < s->file + COUNT(s->file) && f->file; f++) {
        static const char *const became[] = { "exists", "unpacked", "downloaded", "copied", "not needed" };
        char *path = must_format("%s/%s", p->to, f->file);
        const presence is = data_file_presence(f, path);
        int how = 0;
        if (is == OTHER) die("%s exists but is not the published file; move it away and run the command again", path);
        if (is == MISSING && f->inside) {
            unpack_member(archive, f, path);
            how = 1;
        } else if (is == MISSING && !data_unpacked(s, f, p->to)) {
            get_file(f, path, p);
            how = p->mirror && strncmp(p->mirror, "file:", 5) == 0 ? 3 : 2;
        } else if (is == MISSING) how = 4;
        shown_print(stdout, "%s: %s\n", path, became[how]);
        fflush(stdout);
        if (f->inside) { free(path); continue; }
        free(archive);
        archive = path;
    }
    free(archive);
}
