/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_download.c - downloads from a server of our own on 127.0.0.1 that breaks off, sends wrong data, refuses and recovers. */
#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "numerics/random.h"
#include "src/data/checksum.h"
#include "src/data/download.h"
#include "src/data/get.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

/* ---- the server ------------------------------------------------------------------------------------------- */

enum { SIZE = 300000, MOST_REQUESTS = 64 };
typedef enum { GOOD, CUT, CUT_ALWAYS, NO_RANGES, LIE, LONGER, REFUSE, ERROR_ONCE, ERROR_ALWAYS, MOVED, SILENT } manner;

/* Shared with the child that serves: what it does, and what it was asked. */
typedef struct {
    manner how;
    char file[SIZE + 1000];
    long requests, from[MOST_REQUESTS];  /* first byte asked for; -1: no range */
    char path[MOST_REQUESTS][64];
} stage;

static stage *on;
static pid_t server;
static int port;

static void answer(int to, const char *head, long length, const char *body, long n)
{
    char *text = temp_format("HTTP/1.1 %s\r\nContent-Length: %ld\r\nConnection: close\r\n\r\n", head, length);
    if (write(to, text, strlen(text)) < 0) {}
    for (ssize_t k; n > 0 && (k = write(to, body, (size_t)n)) > 0; n -= k) body += k;
}

static void serve_one(int to)
{
    char request[4096] = "";
    size_t n = 0;
    for (ssize_t k; n + 1 < sizeof request && !strstr(request, "\r\n\r\n"); n += (size_t)k)
        if ((k = read(to, request + n, sizeof request - 1 - n)) <= 0) return;
    const char *range = strstr(request, "Range: bytes=");
    long from = range ? strtol(range + 13, NULL, 10) : 0;
    const long k = on->requests++ % MOST_REQUESTS;
    on->from[k] = range ? from : -1;
    sscanf(request, "GET %63s", on->path[k]);
    const bool first = on->requests == 1;
    if (on->how == REFUSE || strstr(on->path[k], "missing")) { answer(to, "404 Not Found", 4, "none", 4); return; }
    if (on->how == ERROR_ALWAYS || (on->how == ERROR_ONCE && first)) { answer(to, "503 Busy", 4, "busy", 4); return; }
    if (on->how == MOVED && first) { answer(to, "302 Found\r\nLocation: /elsewhere", 0, "", 0); return; }
    if (on->how == SILENT) { while (read(to, request, 1) > 0) {} return; }     /* until the other gives up */
    if (on->how == NO_RANGES) { range = NULL; from = 0; }
    const long size = on->how == LONGER ? SIZE + 1000 : SIZE;
    if (from >= size) { answer(to, "416 Range Not Satisfiable", 0, "", 0); return; }
    char *head = range ? must_format("206 Partial Content\r\nContent-Range: bytes %ld-%ld/%ld", from, size - 1, size)
                       : must_strdup("200 OK");
    const long cut = on->how == CUT_ALWAYS ? 1 : on->how == CUT && first ? SIZE / 3 : size - from;
    answer(to, head, size - from, on->file + from, cut);
    free(head);
}

static void serve(int at)
{
    signal(SIGPIPE, SIG_IGN);
    for (;;) {
        const int to = accept(at, NULL, NULL);
        if (to < 0) continue;
        serve_one(to);
        shutdown(to, SHUT_WR);
        char rest[256];
        while (read(to, rest, sizeof rest) > 0) {}              /* a close with bytes unread would be a reset */
        close(to);
    }
}

static void begin_server(void)
{
    on = mmap(NULL, sizeof *on, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(on, MAP_FAILED);
    const uint64_t key[2] = { 1, 2 };
    for (size_t i = 0; i < sizeof on->file; i++) on->file[i] = (char)random_below(key, i, 256);
    const int at = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t length = sizeof a;
    ck_assert(at >= 0 && bind(at, (struct sockaddr *)&a, length) == 0 && listen(at, 16) == 0);
    ck_assert_int_eq(getsockname(at, (struct sockaddr *)&a, &length), 0);
    port = ntohs(a.sin_port);
    fflush(NULL);
    server = fork();
    if (server < 0) ck_abort_msg("cannot start a process");     /* an assertion would be the child's, too */
    if (server == 0) serve(at);
    close(at);
}

static void end_server(void)
{
    kill(server, SIGKILL);
    waitpid(server, NULL, 0);
    munmap(on, sizeof *on);
}

static void act(manner how) { on->how = how, on->requests = 0; }

/* ---- one file --------------------------------------------------------------------------------------------- */

static char *folder, *path, *part, *url;
static char sum[SHA256_HEX];

static void set_stage(void)
{
    setenv("no_proxy", "127.0.0.1", 1);
    begin_server();
    folder = temp_folder();
    path = must_format("%s/file", folder);
    part = must_format("%s.part", path);
    url = must_format("http://127.0.0.1:%d/file", port);
    temp_write(folder, "file", on->file, SIZE);
    ck_assert(checksum_sha256(path, sum));
    unlink(path);
}

static void clear_stage(void)
{
    end_server();
    free(path);
    free(part);
    free(url);
}

static download wanted(void)
{
    return (download){ .url = url, .path = path, .sha256 = sum, .bytes = SIZE, .tries = 4, .wait = 0.001, .patience = 2,
                       .quiet = true };
}

static long size_of(const char *name)    /* -1: no such file */
{
    FILE *f = fopen(name, "rb");
    if (!f) return -1;
    fseek(f, 0, SEEK_END);
    const long n = ftell(f);
    fclose(f);
    return n;
}

/* As an earlier call left it: outfile_part_open marks what it begins. */
static void write_part(const char *bytes, size_t n)
{
    temp_write(NULL, part, bytes, n);
    ck_assert_int_eq(chmod(part, 01644), 0);
}

/* The file is right, and there is nothing beside it. */
static void arrives(long requests)
{
    const download d = wanted();
    char *why = download_file(&d), is[SHA256_HEX];
    ck_assert_msg(!why, "%s", why);
    ck_assert(checksum_sha256(path, is));
    ck_assert_str_eq(is, sum);
    ck_assert_int_eq(size_of(part), -1);
    ck_assert_int_eq(on->requests, requests);
    unlink(path);
}

static void fails(const download *d, const char *says, long requests, long left)
{
    char *why = download_file(d);
    ck_assert_msg(why && strstr(why, says), "%s", why);
    ck_assert_int_eq(size_of(path), -1);
    ck_assert_int_eq(size_of(part), left);
    ck_assert_int_eq(on->requests, requests);
    free(why);
}

START_TEST(checksums)
{
    FILE *f = fopen(path, "wb");
    fputs("abc", f);
    fclose(f);
    char is[SHA256_HEX];
    ck_assert(checksum_sha256(path, is));      /* FIPS 180-4's example */
    ck_assert_str_eq(is, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    ck_assert(!checksum_sha256("/no/such/file", is) && errno == ENOENT);
    ck_assert(!checksum_sha256("/", is));
}
END_TEST

START_TEST(files_that_arrive)
{
    act(GOOD);
    arrives(1);
    ck_assert_int_eq(on->from[0], -1);
    act(MOVED);
    arrives(2);
    ck_assert_str_eq(on->path[1], "/elsewhere");
    act(ERROR_ONCE);
    arrives(2);
    act(CUT);                                  /* resumes where it broke off */
    arrives(2);
    ck_assert_int_eq(on->from[1], SIZE / 3);
    act(CUT_ALWAYS);                           /* each try brings a byte; after the last they stay */
    const download d = wanted();
    fails(&d, "with 299996 bytes", 4, 4);         /* words of libcurl, which differ between its versions */
    act(GOOD);                                 /* a later call resumes */
    arrives(1);
    ck_assert_int_eq(on->from[0], 4);
}
END_TEST

START_TEST(parts_of_earlier_calls)
{
    act(NO_RANGES);                            /* begins again */
    write_part(on->file, 1000);
    arrives(2);
    ck_assert(on->from[0] == 1000 && on->from[1] == -1);
    act(GOOD);
    write_part(on->file, SIZE);                /* all is there: nothing to ask for */
    arrives(0);
    act(GOOD);
    write_part(on->file + 1, 1000);            /* of another file: noticed by the sum, then once more */
    arrives(2);
    ck_assert(on->from[0] == 1000 && on->from[1] == -1);
    act(GOOD);
    write_part(on->file, SIZE + 1);            /* too long */
    arrives(1);
    ck_assert_int_eq(on->from[0], -1);
    write_part("", 0);
    act(GOOD);
    arrives(1);
}
END_TEST

START_TEST(files_that_do_not)
{
    download d = wanted();
    act(REFUSE);
    fails(&d, "404, no such file", 1, -1);
    act(ERROR_ALWAYS);
    fails(&d, "the server answered 503", 4, -1);
    act(SILENT);
    d.patience = 1, d.tries = 1;
    fails(&d, "Operation too slow", 1, -1);
    d = wanted();
    act(GOOD);
    on->file[SIZE / 2] ^= 1;                   /* the right size with other bytes */
    fails(&d, "this is a different file and was removed", 1, -1);
    on->file[SIZE / 2] ^= 1;
    act(LONGER);
    fails(&d, "received more than 300000 bytes", 1, -1);
    act(GOOD);
    d.bytes = SIZE + 1;
    fails(&d, "received 300000 bytes, not 300001", 1, -1);
    d.bytes = 0;                               /* not known: the sum decides */
    char *why = download_file(&d);
    ck_assert_msg(!why, "%s", why);
    unlink(path);
    act(LONGER);
    fails(&d, "this is a different file", 1, -1);
    d = wanted();
    d.url = "http://127.0.0.1:1/file";
    act(GOOD);
    fails(&d, "connect", 0, -1);
    d.url = "gopher://127.0.0.1/file";
    fails(&d, "rotocol", 0, -1);
    d = wanted();
    d.path = "/no/such/folder/file";
    fails(&d, "cannot write /no/such/folder/file.part", 0, -1);
    d = wanted();
    write_part("abc", 3);
    FILE *f = fopen(part, "rb");
    ck_assert_int_eq(flock(fileno(f), LOCK_EX), 0);
    fails(&d, "another process is writing it", 0, 3);
    fclose(f);
}
END_TEST

/* A file that is called like a part is neither continued nor emptied, nor what a link leads to; nor where the sum is
 * wrong, the one case in which a part is emptied. */
START_TEST(files_of_others_called_like_a_part)
{
    const download d = wanted();
    char *precious = temp_text(folder, "precious", "precious");
    for (int k = 0; k < 3; k++) {
        act(GOOD);
        if (k == 0) ck_assert_int_eq(symlink("precious", part), 0);
        if (k == 1) ck_assert_int_eq(link(precious, part), 0);
        if (k == 2) temp_text(NULL, part, "precious");
        if (k == 1) on->file[SIZE / 2] ^= 1;
        char *why = download_file(&d);
        if (k == 1) on->file[SIZE / 2] ^= 1;
        ck_assert_msg(why && strstr(why, k == 0 ? "file.part is not a file; remove it" : "file.part was not begun by this program"), "%s", why);
        ck_assert_str_eq(temp_read(NULL, k == 2 ? part : precious, NULL), "precious");
        ck_assert_int_eq(on->requests, 0);
        ck_assert_int_eq(unlink(part), 0);
        free(why);
    }
    arrives(1);
    char *why = download_file(&d);
    struct stat s;
    ck_assert(!why && stat(path, &s) == 0 && (s.st_mode & S_ISVTX) == 0);
    unlink(path);
}
END_TEST

static void on_full_disk(void *with)
{
    const download *d = with;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){ 100000, 100000 });
    die("%s", download_file(d));
}

START_TEST(full_disks)                         /* what was received stays, and a later call resumes */
{
    download d = wanted();
    char output[512];
    act(GOOD);
    ck_assert_int_eq(run_child(on_full_disk, &d, output, sizeof output), 2);
    ck_assert_msg(strstr(output, "free some space") != NULL, "%s", output);
    ck_assert(size_of(part) == 100000 && size_of(path) == -1);
    act(GOOD);
    arrives(1);
    ck_assert_int_eq(on->from[0], 100000);
}
END_TEST

/* ---- sets ------------------------------------------------------------------------------------------------- */

typedef struct { const data_set *s; const data_places *p; } getting;
static void get_it(void *with) { const getting *g = with; data_get(g->s, g->p); }
static char *messages_of(const data_set *s, const data_places *p, int status)
{
    static char output[2048];
    ck_assert_int_eq(run_child(get_it, &(getting){ s, p }, output, sizeof output), status);
    return output;
}

START_TEST(sets_from_mirrors)                  /* the second publisher; --mirror; a folder with an odd name */
{
    char *bad = temp_format("http://127.0.0.1:%d/missing", port), *to = temp_path(folder, "to/here");
    char *mirror = temp_format("http://127.0.0.1:%d/some/where", port), *odd = temp_format("%s/50 %%", folder);
    const data_set s = { .name = "s", .file = { { "file", { bad, url, NULL }, SIZE, sum, false } } };
    const data_set none = { .name = "s", .file = { { "file", { bad, bad, NULL }, SIZE, sum, false } } };
    data_places p = { .to = to, .wait = 0.001, .quiet = true };
    act(GOOD);
    ck_assert_ptr_nonnull(strstr(messages_of(&none, &p, 2), "no such file; http"));
    act(GOOD);
    ck_assert_ptr_nonnull(strstr(messages_of(&s, &p, 0), "file: downloaded"));
    ck_assert_int_eq(on->requests, 2);
    ck_assert_ptr_nonnull(strstr(messages_of(&s, &p, 0), "file: exists"));
    ck_assert_int_eq(on->requests, 2);
    char *there = temp_path(to, "file");
    ck_assert_int_eq(truncate(there, 5), 0);
    ck_assert_ptr_nonnull(strstr(messages_of(&s, &p, 2), "is not the published file; move it away"));
    ck_assert_int_eq(size_of(there), 5);       /* never overwritten */
    unlink(there);
    act(GOOD);
    p.mirror = mirror;
    ck_assert_ptr_nonnull(strstr(messages_of(&s, &p, 0), "downloaded"));
    ck_assert_str_eq(on->path[0], "/some/where/file");
    char *command = temp_format("mkdir '%s' && mv '%s' '%s'", odd, there, odd), *from = NULL;
    ck_assert_int_eq(run_shell(command, NULL, 0), 0);
    p.mirror = from = data_folder_url(odd);
    act(GOOD);
    ck_assert_ptr_nonnull(strstr(messages_of(&s, &p, 0), "file: copied"));
    ck_assert_int_eq(on->requests, 0);
    ck_assert_int_eq(data_file_presence(&s.file[0], there), RIGHT);
    free(from);
}
END_TEST

START_TEST(sets_in_archives)
{
    ck_assert_int_eq(run_command(NULL, 0, "cd '%s' && mkdir in from && printf one >in/1 && printf two >in/2 && tar czf from/x.tgz in", folder), 0);
    char *archive = temp_path(folder, "from/x.tgz"), *one = temp_path(folder, "in/1"), *two = temp_path(folder, "in/2");
    char sums[3][SHA256_HEX], *to = temp_path(folder, "to"), *from = temp_path(folder, "from");
    ck_assert(checksum_sha256(archive, sums[0]) && checksum_sha256(one, sums[1]) && checksum_sha256(two, sums[2]));
    char *mirror = data_folder_url(from);
    data_set s = { .name = "s", .file = { { "x.tgz", { url }, 0, sums[0], false }, { "1", { NULL }, 3, sums[1], true },
                                          { "2", { NULL }, 3, sums[2], true } } };
    const data_places p = { .to = to, .mirror = mirror, .quiet = true };
    ck_assert(!data_unpacked(&s, &s.file[0], to));
    ck_assert_ptr_nonnull(strstr(messages_of(&s, &p, 0), "/2: unpacked"));
    char *unpacked = temp_path(to, "2"), *copy = temp_path(to, "x.tgz");
    ck_assert_int_eq(data_file_presence(&s.file[2], unpacked), RIGHT);
    ck_assert(data_unpacked(&s, &s.file[0], to) && !data_unpacked(&s, &s.file[2], to));
    unlink(copy);
    ck_assert_ptr_nonnull(strstr(messages_of(&s, &p, 0), "x.tgz: not needed"));
    unlink(unpacked);
    s.file[2].sha256 = sums[1];                /* the archive holds something else: it does not stay */
    ck_assert_ptr_nonnull(strstr(messages_of(&s, &p, 2), "file 2 is not the published one"));
    ck_assert_int_eq(size_of(unpacked), -1);
    s.file[2].file = "3";
    ck_assert_ptr_nonnull(strstr(messages_of(&s, &p, 2), "has no file 3"));
    free(mirror);
}
END_TEST

START_TEST(the_catalogue)                      /* every row complete; archives before what is in them */
{
    for (size_t k = 0; k < DATA_SETS; k++) {
        const data_set *s = &data_sets[k];
        ck_assert_ptr_eq(data_set_find(s->name), s);
        ck_assert(s->what && s->from && s->licence && s->file[0].file && !s->file[0].inside);
        for (const data_file *f = s->file; f->file; f++) {
            ck_assert_uint_eq(strspn(f->sha256, "0123456789abcdef"), 64);
            ck_assert_uint_eq(strlen(f->sha256), 64);
            ck_assert_int_eq(f->inside, f->url[0] == NULL);
            ck_assert(f->inside || strncmp(f->url[0], "https://", 8) == 0);
            ck_assert_ptr_null(f->url[COUNT(f->url) - 1]);
            ck_assert_ptr_null(strchr(f->file, '/'));
        }
    }
    ck_assert_ptr_null(data_set_find("imagenet"));
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("download");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 60);
    tcase_add_checked_fixture(all, set_stage, clear_stage);
    tcase_add_test(all, checksums);
    tcase_add_test(all, files_that_arrive);
    tcase_add_test(all, parts_of_earlier_calls);
    tcase_add_test(all, files_of_others_called_like_a_part);
    tcase_add_test(all, files_that_do_not);
    tcase_add_test(all, full_disks);
    tcase_add_test(all, sets_from_mirrors);
    tcase_add_test(all, sets_in_archives);
    tcase_add_test(all, the_catalogue);
    return run_suite(suite, argc, argv);
}
