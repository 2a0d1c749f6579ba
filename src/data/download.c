/* SPDX-License-Identifier: GPL-3.0-or-later
 * download.c - see download.h. */
#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>
#include "src/base/clock.h"
#include "src/base/outfile.h"
#include "src/base/progress.h"
#include "src/data/checksum.h"
#include "src/data/download.h"

typedef struct {
    const download *d;
    int part;                            /* PATH.part, open and locked                                  */
    uint64_t before, now;                /* its bytes when this attempt began, and now                  */
    int write_error;                     /* errno                                                       */
    bool too_long;
    double began;                        /* of monotonic_seconds                                        */
    progress line;
} transfer;

static size_t receive(char *bytes, size_t size, size_t n, void *with)
{
    transfer *t = with;
    n *= size;
    if (t->d->bytes && t->now + n > t->d->bytes) { t->too_long = true; return 0; }
    for (size_t done = 0; done < n;) {
        const ssize_t k = write(t->part, bytes + done, n - done);
        if (k < 0 && errno == EINTR) continue;
        if (k <= 0) { t->write_error = errno; return 0; }
        done += (size_t)k;
        t->now += (uint64_t)k;
    }
    return n;
}

static int show(void *with, curl_off_t total, curl_off_t now, curl_off_t up_total, curl_off_t up)
{
    (void)now, (void)up_total, (void)up;
    transfer *t = with;
    const double clock = monotonic_seconds();
    if (!progress_due(&t->line, clock)) return 0;
    const double all = total > 0 ? (double)t->before + (double)total : (double)t->d->bytes, has = (double)t->now;
    const double rate = (has - (double)t->before) / (clock - t->began);
    progress_show(&t->line, rate > 0 && all > has ? (all - has) / rate : 0, "%s: %.1f of %.1f MB, %.1f MB/s",
                  t->d->path, has / 1e6, all / 1e6, rate / 1e6);
    return 0;
}

static void set_up(CURL *c, transfer *t, char *why)
{
    curl_easy_setopt(c, CURLOPT_URL, t->d->url);
    curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https,file");
    curl_easy_setopt(c, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(c, CURLOPT_MAXREDIRS, 10L);
    curl_easy_setopt(c, CURLOPT_USERAGENT, "provably");
    curl_easy_setopt(c, CURLOPT_FAILONERROR, 1L);
    curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT, t->d->patience);
    curl_easy_setopt(c, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(c, CURLOPT_LOW_SPEED_TIME, t->d->patience);
    curl_easy_setopt(c, CURLOPT_RESUME_FROM_LARGE, (curl_off_t)t->before);
    curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, receive);
    curl_easy_setopt(c, CURLOPT_WRITEDATA, t);
    curl_easy_setopt(c, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(c, CURLOPT_XFERINFOFUNCTION, show);
    curl_easy_setopt(c, CURLOPT_XFERINFODATA, t);
    curl_easy_setopt(c, CURLOPT_ERRORBUFFER, why);
}

typedef enum { ARRIVED, BROKEN, HOPELESS } attempt_result;      /* BROKEN: another try may help */

/* One request; *reason, to be freed, is set unless ARRIVED. */
static attempt_result attempt(transfer *t, char **reason)
{
    const off_t end = lseek(t->part, 0, SEEK_END);
    t->before = t->now = end > 0 ? (uint64_t)end : 0;
    t->write_error = 0, t->too_long = false;
    if (t->d->bytes && t->before >= t->d->bytes) return ARRIVED;
    char why[CURL_ERROR_SIZE] = "";
    CURL *c = curl_easy_init();
    if (!c) die("cannot initialise libcurl");
    t->began = monotonic_seconds();
    set_up(c, t, why);
    const CURLcode is = curl_easy_perform(c);
    long status = 0;
    curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_cleanup(c);
    if (is == CURLE_OK) return ARRIVED;                         /* also 416: nothing is left to transfer */
    if (t->too_long) return ARRIVED;                            /* too long: the checksum is not computed */
    const char *url = t->d->url;
    if (t->write_error) {
        *reason = must_format("cannot write %s.part: %s; free some space and run the command again to resume",
                              t->d->path, strerror(t->write_error));
        return HOPELESS;
    }
    if (is == CURLE_HTTP_RETURNED_ERROR) {
        *reason = must_format("%s: the server answered %ld%s", url, status,
                              status == 404 || status == 410 ? ", no such file" : "");
        return status >= 500 || status == 429 || status == 408 ? BROKEN : HOPELESS;
    }
    *reason = must_format("%s: %s", url, why[0] ? why : curl_easy_strerror(is));
    if (is == CURLE_RANGE_ERROR || is == CURLE_BAD_DOWNLOAD_RESUME)            /* the server cannot continue */
        return ftruncate(t->part, 0) == 0 ? BROKEN : HOPELESS;
    const bool passes = is == CURLE_PARTIAL_FILE || is == CURLE_OPERATION_TIMEDOUT || is == CURLE_GOT_NOTHING ||
                        is == CURLE_RECV_ERROR || is == CURLE_SEND_ERROR || is == CURLE_HTTP2_STREAM;
    return passes ? BROKEN : HOPELESS;
}

/* NULL: size and checksum are correct. */
static char *wrong_file(const download *d, const char *path, uint64_t has)
{
    char sum[SHA256_HEX];
    if (d->bytes && has != d->bytes)
        return must_format("%s: received %ju bytes, not %ju; this is a different file and was removed", d->url,
                           (uintmax_t)has, (uintmax_t)d->bytes);
    if (!checksum_sha256(path, sum)) return must_format("cannot read %s: %s", path, strerror(errno));
    if (strcmp(sum, d->sha256) == 0) return NULL;
    return must_format("%s: SHA-256 is %.16s..., not %.16s...; this is a different file and was removed", d->url, sum,
                       d->sha256);
}

static void rest(double seconds)
{
    const double whole = floor(seconds);
    const struct timespec t = { (time_t)whole, (long)((seconds - whole) * 1e9) };
    nanosleep(&t, NULL);
}

/* The part of an earlier call may belong to a different file: then download again from the beginning. */
static char *fetch(transfer *t, const char *part)
{
    char *reason = NULL;
    const bool continued = lseek(t->part, 0, SEEK_END) > 0;
    double wait = t->d->wait;
    for (long n = 1;; n++, wait *= 2) {
        free(reason);
        reason = NULL;
        const attempt_result is = attempt(t, &reason);
        if (is == ARRIVED) break;
        if (is == HOPELESS || n >= t->d->tries) return reason;
        rest(wait);
    }
    reason = !t->too_long ? wrong_file(t->d, part, t->now)
             : must_format("%s: received more than %ju bytes; this is a different file and was removed", t->d->url,
                           (uintmax_t)t->d->bytes);
    if (!reason) return NULL;
    if (ftruncate(t->part, 0) != 0 || !continued) return reason;
    free(reason);
    return fetch(t, part);
}

/* Its new name is on the disk, too. */
static bool is_safe(const char *path)
{
    char *copy = must_strdup(path);
    const bool safe = outfile_sync_folder(dirname(copy));
    const int why = errno;
    free(copy);
    errno = why;
    return safe;
}

char *download_file(const download *d)
{
    static bool ready;
    if (!ready && curl_global_init(CURL_GLOBAL_DEFAULT) != 0) die("cannot initialise libcurl");
    ready = true;
    const char *strange;
    char *part = must_format("%s.part", d->path), *reason = NULL;
    transfer t = { .d = d, .part = outfile_part_open(part, O_RDWR | O_APPEND, &strange),
                   .line = progress_begin(d->quiet ? PROGRESS_NONE : PROGRESS_TERMINAL, NULL) };
    if (t.part < 0 && strange == outfile_busy) reason = must_format("cannot write %s: %s", d->path, strange);
    else if (t.part < 0 && strange) reason = must_format("cannot write %s: %s %s", d->path, part, strange);
    else if (t.part < 0) reason = must_format("cannot write %s: %s", part, strerror(errno));
    else {
        reason = fetch(&t, part);
        progress_clear(&t.line);
        if (reason && lseek(t.part, 0, SEEK_END) == 0) unlink(part);
        if (!reason && (fsync(t.part) != 0 || rename(part, d->path) != 0 || !is_safe(d->path)))
            reason = must_format("cannot finish %s: %s", d->path, strerror(errno));
        if (!reason) outfile_part_renamed(d->path);
    }
    if (t.part >= 0) close(t.part);
    free(part);
    return reason;
}
