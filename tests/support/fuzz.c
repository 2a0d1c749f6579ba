/* SPDX-License-Identifier: GPL-3.0-or-later
 * fuzz.c - see fuzz.h. */
#include "tests/support/fuzz.h"
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "numerics/random.h"
#include "tests/support/suite.h"

enum { DRAWS = 8, BATCH = 2000, CPU_SECONDS = 600 };

size_t fuzz_text(char *text, size_t n, const uint64_t key[2], uint64_t number)
{
    static const char *const word[] = { "-1", "0", "1", "2", "1e9", "1e-320", "18446744073709551616", "9223372036854775807",
        "2147483648", "[", "]", "{", "}", "\"", ",", ":", "\\u0000", "\\ud800", "null", "true", "0.5", "\"F32\"", "\"F16\"",
        "\"x\"", "\xff", "[[[[", "data_offsets", "__metadata__", " ", "\n", "%s%n" };
    const uint64_t k = DRAWS * number;
    const size_t at = random_below(key, k, n), part = 1 + random_below(key, k + 1, 12), end = at + part < n ? at + part : n;
    const char *w = word[random_below(key, k + 2, COUNT(word))];
    const size_t m = strlen(w);
    switch (random_below(key, k + 3, 5)) {
    case 0: text[at] = (char)random_below(key, k + 4, 256); return n;
    case 1: memmove(text + at + m, text + at, n - at); memcpy(text + at, w, m); return n + m;
    case 2: memmove(text + at, text + end, n - end); return n - (end - at);
    case 3: memmove(text + end, text + at, n - at); return n + (end - at);
    default: memcpy(text + at, w, m < n - at ? m : n - at); return n;
    }
}

void fuzz_bytes(char *bytes, size_t most, const uint64_t key[2], uint64_t number)
{
    static const uint64_t spice[] = { 0, 1, 2, 7, 255, 1ULL << 31, INT32_MAX, UINT32_MAX, 1ULL << 32, INT64_MAX, UINT64_MAX,
                                      1ULL << 62, 1ULL << 63 };
    const uint64_t k = DRAWS * number;
    const size_t at = random_below(key, k, most);
    const uint64_t x = spice[random_below(key, k + 1, COUNT(spice))];
    switch (random_below(key, k + 2, 4)) {
    case 0: memcpy(bytes + at, &x, 4); break;
    case 1: memcpy(bytes + at, &x, 8); break;
    case 2: bytes[at] = (char)(bytes[at] ^ 1 << random_below(key, k + 3, 8)); break;
    default: bytes[at] = (char)random_below(key, k + 3, 256);
    }
}

/* ---- the loop ----------------------------------------------------------------------------------------------------- */

typedef struct { volatile uint64_t at, taken; } progress;                /* shared with the child */
static jmp_buf next;

static void back_to_the_loop(void) { longjmp(next, 1); }

static _Noreturn void batch(fuzz_run *run, void *with, progress *p, uint64_t end)
{
    const int spare = dup(STDERR_FILENO);                                 /* files that a refusal leaves open come from here on */
    setrlimit(RLIMIT_CPU, &(struct rlimit){ CPU_SECONDS, CPU_SECONDS });
    die_after(back_to_the_loop);
    for (; p->at < end; p->at++) {
        if (setjmp(next) == 0) p->taken += run(with, p->at);
        else close_range((unsigned)spare, ~0U, 0);
    }
    _exit(0);
}

uint64_t fuzz_loop(fuzz_run *run, void *with, uint64_t from, uint64_t n)
{
    progress *p = mmap(NULL, sizeof *p, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) die("mmap: %s", strerror(errno));
    for (*p = (progress){ from, 0 }; p->at < from + n;) {
        const uint64_t begin = p->at, left = from + n - begin;
        fflush(NULL);
        const pid_t child = fork();
        if (child < 0) die("fork: %s", strerror(errno));
        if (child == 0) batch(run, with, p, begin + (left < BATCH ? left : BATCH));
        int status;
        while (waitpid(child, &status, 0) < 0) if (errno != EINTR) die("waitpid: %s", strerror(errno));
        ck_assert_msg(status == 0, "execution %llu of the batch that begins with %llu: wait status %d",
                      (unsigned long long)p->at, (unsigned long long)begin, status);
    }
    const uint64_t taken = p->taken;
    munmap(p, sizeof *p);
    return taken;
}

uint64_t fuzz_number(const char *variable, uint64_t usual)
{
    const char *text = getenv(variable);
    return text ? strtoull(text, NULL, 10) : usual;
}
