/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_faults.c - a run whose writes fail, are cut in two, or are the last thing it does.
 *
 * A child trains while a thread of its own answers for the kernel: every write, fsync and rename stops there
 * (seccomp's notifications) and is let through, cut, refused, or answered by SIGKILL, at the n-th call for all n.
 * Run again without faults, the folder must end with the bits of a run that was left alone. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "src/train/train.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

enum { NOT_HERE = 77, MOST_CALLS = 4096 };
typedef enum { PASS, KILL, TEAR, SHORTEN, REFUSE } fault;
typedef enum { CALL_WRITE, CALL_FSYNC, CALL_FSYNC_FOLDER, CALL_RENAME } call;
typedef struct {                         /* shared by the test and the child that trains                */
    const char *folder;
    fault how;
    long  nth;                           /* the call that it happens to, from 0                         */
    int   error;                         /* of a refused one                                            */
    long  calls;
    call  seen[MOST_CALLS];
    bool  checkpoint[MOST_CALLS];        /* a rename to last.ckpt                                       */
    long  kept;                          /* checkpoints so far                                          */
} plan;

/* ---- the thread that answers ------------------------------------------------------------------------------ */

static int listener = -1;

static void send_back(struct seccomp_notif_resp *r) { ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, r); }

static call kind_of(const struct seccomp_data *d)
{
    struct stat s;
    if (d->nr == __NR_write) return CALL_WRITE;
    if (d->nr != __NR_fsync) return CALL_RENAME;
    return fstat((int)d->args[0], &s) == 0 && S_ISDIR(s.st_mode) ? CALL_FSYNC_FOLDER : CALL_FSYNC;
}

static bool is_checkpoint(const struct seccomp_data *d)
{
    const uint64_t to = d->args[
#ifdef __NR_rename
        d->nr == __NR_rename ? 1 :
#endif
        3];
    return strstr((const char *)(uintptr_t)to, "last.ckpt") != NULL;
}

/* Lets the call through; in a run without faults every checkpoint is kept under a second name. */
static void pass(plan *p, const struct seccomp_notif *n, struct seccomp_notif_resp *r)
{
    if (p->calls < MOST_CALLS && p->checkpoint[p->calls]) {
        p->kept++;
        if (p->how == PASS) {
            char *part = temp_format("%s/last.ckpt.part", p->folder), *kept = temp_format("%s/kept.%ld", p->folder, p->kept);
            if (link(part, kept) != 0) _exit(78);
        }
    }
    r->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    (void)n;
}

static void answer(plan *p, const struct seccomp_notif *n)
{
    const struct seccomp_data *d = &n->data;
    struct seccomp_notif_resp r = { .id = n->id };
    const call is = kind_of(d);
    if (is == CALL_WRITE && d->args[0] <= 2) {                     /* words, no files */
        r.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
        send_back(&r);
        return;
    }
    if (p->calls < MOST_CALLS) {
        p->seen[p->calls] = is;
        p->checkpoint[p->calls] = is == CALL_RENAME && is_checkpoint(d);
    }
    const bool now = p->calls == p->nth && p->how != PASS, cut = now && is == CALL_WRITE && d->args[2] > 1;
    if (now && p->how == KILL) kill(getpid(), SIGKILL);
    if (now && p->how == REFUSE) r.error = -p->error;
    else if (cut && (p->how == TEAR || p->how == SHORTEN)) {
        r.val = write((int)d->args[0], (const void *)(uintptr_t)d->args[1], d->args[2] / 2);
        if (p->how == TEAR) kill(getpid(), SIGKILL);
    } else {
        pass(p, n, &r);
    }
    p->calls++;
    send_back(&r);
}

static void *answer_all(void *with)
{
    while (__atomic_load_n(&listener, __ATOMIC_ACQUIRE) < 0) usleep(100);
    for (;;) {
        struct seccomp_notif n = { .id = 0 };
        if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &n) == 0) answer(with, &n);
        else if (errno != EINTR && errno != ENOENT) _exit(79);
    }
    return NULL;
}

/* From here on the calls of this thread, not those of the other one, stop and are answered. */
static void be_answered(plan *p)
{
    static const unsigned stops[] = { __NR_write, __NR_fsync,
#ifdef __NR_rename
        __NR_rename,
#endif
        __NR_renameat2 };
    struct sock_filter f[2 + 2 * COUNT(stops)];
    size_t n = 0;
    f[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (size_t k = 0; k < COUNT(stops); k++) {
        f[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, stops[k], 0, 1);
        f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    }
    f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    const struct sock_fprog program = { (unsigned short)n, f };
    pthread_t thread;
    if (pthread_create(&thread, NULL, answer_all, p) != 0) _exit(NOT_HERE);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) _exit(NOT_HERE);
    const long fd = syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
    if (fd < 0) _exit(NOT_HERE);
    __atomic_store_n(&listener, (int)fd, __ATOMIC_RELEASE);
}

/* ---- runs ------------------------------------------------------------------------------------------------- */

static void train_in(void *folder)
{
    tokens all = tokens_synthetic(3, 1000), train = tokens_part(&all, 0, 0.9), val = tokens_part(&all, 0.9, 1);
    const train_config c = { .model = { .L = 1, .d = 8, .h = 2, .m = 8, .T = 8, .V = 256, .factor = 1,
                                        .tied = true, .norm = true, .attn_skip = true, .mlp_skip = true, .init_std = 0.1 },
                             .optim = { .peak = 1e-2, .least = 1e-3, .warmup = 2, .steps = 5, .beta1 = 0.9, .beta2 = 0.99,
                                        .eps = 1e-8, .decay = 0.1, .clip = 1 },
                             .batch = 2, .micro = 2, .eval_every = 2, .save_every = 2, .seed = 1, .data_seed = 2,
                             .out = folder, .quiet = true };
    const run_result r = train_gpt(&c, ops_cpu_f32(), &train, &val);
    tokens_free(&all); tokens_free(&train); tokens_free(&val);
    if (!r.finished) _exit(9);
}

static void train_with_faults(void *with)
{
    plan *p = with;
    be_answered(p);
    train_in((void *)(uintptr_t)p->folder);
}

static plan *plan_of(const char *folder, fault how, long nth, int error)
{
    plan *p = mmap(NULL, sizeof *p, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert(p != MAP_FAILED);
    p->folder = folder;
    p->how = how;
    p->nth = nth;
    p->error = error;
    return p;
}

static bool same(const char *a, const char *name, const char *b, const char *other)
{
    size_t n = 0, m = 0;                     /* no file: no bytes */
    const char *x = temp_exists(a, name) ? temp_read(a, name, &n) : "", *y = temp_exists(b, other) ? temp_read(b, other, &m) : "";
    return n == m && memcmp(x, y, n) == 0;
}

static const char *const file[] = { "last.ckpt", "steps.csv", "evals.csv" };

#define RUN "@(last.ckpt|steps.csv|evals.csv|last.ckpt.part|steps.csv.part|evals.csv.part|kept.[1-8])"

static char *whole;                      /* the folder of the run that was left alone                   */
static plan *course;                     /* its calls                                                   */

/* The course of a run without faults, once; false where the kernel does not let us. */
static bool have_course(void)
{
    if (course) return true;
    char output[512];
    whole = temp_folder();
    course = plan_of(whole, PASS, -1, 0);
    const int status = run_child(train_with_faults, course, output, sizeof output);
    if (status == NOT_HERE) {
        fprintf(stderr, "t_faults: this system has no seccomp notifications: faults are not tried here\n");
        temp_only(whole, RUN);
        course = NULL;
        return false;
    }
    ck_assert_msg(status == 0, "%d: %s", status, output);
    ck_assert(course->calls > 30 && course->calls < MOST_CALLS);
    return true;
}

static void ends_the_same(char *folder, const char *what, long n)
{
    char output[512];
    const int status = run_child(train_in, folder, output, sizeof output);
    ck_assert_msg(status == 0, "%s at call %ld: %d, %s", what, n, status, output);
    for (size_t k = 0; k < COUNT(file); k++)
        ck_assert_msg(same(whole, file[k], folder, file[k]), "%s at call %ld: %s differs", what, n, file[k]);
}

/* What last.ckpt must be when the calls before n went through: the checkpoint renamed last. */
static void holds_the_last(const char *folder, const char *what, long n)
{
    long kept = 0;
    for (long k = 0; k < n; k++) kept += course->checkpoint[k];
    char *name = temp_format("kept.%ld", kept);                    /* kept.0 and no file: both of no bytes */
    ck_assert_msg(same(whole, name, folder, "last.ckpt"), "%s at call %ld: last.ckpt is not number %ld", what, n, kept);
}

/* Numbers are on the disk before the name, and the name's folder before anything else. */
START_TEST(order_of_calls)
{
    if (!have_course()) return;
    long renames = 0, flushed = 0;
    for (long k = 0; k < course->calls; k++) {
        flushed += course->seen[k] == CALL_FSYNC;
        if (course->seen[k] != CALL_RENAME) continue;
        ck_assert(k > 1 && k + 1 < course->calls);
        ck_assert_msg(course->seen[k - 1] == CALL_FSYNC && course->seen[k - 2] == CALL_WRITE, "rename at %ld: before", k);
        ck_assert_msg(course->seen[k + 1] == CALL_FSYNC_FOLDER, "rename at %ld: after", k);
        renames++;
        if (course->checkpoint[k]) ck_assert_int_eq(flushed, 3);   /* both logs before the checkpoint */
        flushed = 0;
    }
    ck_assert_int_eq(renames, 2 + 3);                              /* two logs; after steps 2, 4 and 5 */
    ck_assert_int_eq(course->kept, 3);
    for (size_t k = 0; k < COUNT(file); k++) {
        size_t n;
        temp_read(whole, file[k], &n);
        ck_assert_uint_gt(n, 0);
    }
}
END_TEST

static void kill_everywhere(fault how, const char *what)
{
    if (!have_course()) return;
    long killed = 0;
    for (long n = 0; n < course->calls; n++) {
        if (how == TEAR && course->seen[n] != CALL_WRITE) continue;
        char *folder = temp_folder(), output[512];
        plan *p = plan_of(folder, how, n, 0);
        ck_assert_int_eq(run_child(train_with_faults, p, output, sizeof output), 128 + SIGKILL);
        holds_the_last(folder, what, n);
        ends_the_same(folder, what, n);
        munmap(p, sizeof *p);
        temp_only(folder, RUN);
        killed++;
    }
    ck_assert_int_gt(killed, 20);
}

START_TEST(killed_at_every_call)         { kill_everywhere(KILL, "killed"); } END_TEST
START_TEST(killed_within_every_write)    { kill_everywhere(TEAR, "torn"); } END_TEST

START_TEST(every_call_refused)           /* exit 2, a message, the checkpoint of before */
{
    if (!have_course()) return;
    static const int error[] = { [CALL_WRITE] = ENOSPC, [CALL_FSYNC] = EIO, [CALL_FSYNC_FOLDER] = EIO, [CALL_RENAME] = EIO };
    for (long n = 0; n < course->calls; n++) {
        char *folder = temp_folder(), output[512];
        plan *p = plan_of(folder, REFUSE, n, error[course->seen[n]]);
        const int status = run_child(train_with_faults, p, output, sizeof output);
        ck_assert_msg(status == 2 && strstr(output, folder) && strstr(output, strerror(p->error)), "call %ld: status %d, %s", n, status, output);
        holds_the_last(folder, "refused", n);
        ends_the_same(folder, "refused", n);
        munmap(p, sizeof *p);
        temp_only(folder, RUN);
    }
}
END_TEST

/* Some file systems know no fsync, some none of a folder: the run goes on.  What a file's descriptor refuses is an error. */
START_TEST(file_systems_without_fsync)
{
    if (!have_course()) return;
    static const struct { call at; int error, status; } all[] = {
        { CALL_FSYNC_FOLDER, EBADF, 0 }, { CALL_FSYNC_FOLDER, ENOTSUP, 0 }, { CALL_FSYNC_FOLDER, EINVAL, 0 },
        { CALL_FSYNC, ENOTSUP, 0 }, { CALL_FSYNC, EINVAL, 0 }, { CALL_FSYNC, EBADF, 2 } };
    for (size_t k = 0; k < COUNT(all); k++) {
        long n = 0;
        while (n < course->calls && course->seen[n] != all[k].at) n++;
        ck_assert_int_lt(n, course->calls);
        char *folder = temp_folder(), output[512];
        plan *p = plan_of(folder, REFUSE, n, all[k].error);
        const int status = run_child(train_with_faults, p, output, sizeof output);
        ck_assert_msg(status == all[k].status, "%s at call %ld: %d, %s", strerror(all[k].error), n, status, output);
        for (size_t i = 0; i < COUNT(file) && !status; i++) ck_assert(same(whole, file[i], folder, file[i]));
        munmap(p, sizeof *p);
        temp_only(folder, RUN);
    }
}
END_TEST

START_TEST(short_writes_go_on)           /* a write may take less than it is given */
{
    if (!have_course()) return;
    for (long n = 0; n < course->calls; n++) {
        if (course->seen[n] != CALL_WRITE) continue;
        char *folder = temp_folder(), output[512];
        plan *p = plan_of(folder, SHORTEN, n, 0);
        ck_assert_int_eq(run_child(train_with_faults, p, output, sizeof output), 0);
        for (size_t k = 0; k < COUNT(file); k++) ck_assert_msg(same(whole, file[k], folder, file[k]), "short at call %ld: %s", n, file[k]);
        munmap(p, sizeof *p);
        temp_only(folder, RUN);
    }
    temp_only(whole, RUN);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("faults");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 300);
    tcase_add_test(all, order_of_calls);
    tcase_add_test(all, killed_at_every_call);
    tcase_add_test(all, killed_within_every_write);
    tcase_add_test(all, every_call_refused);
    tcase_add_test(all, file_systems_without_fsync);
    tcase_add_test(all, short_writes_go_on);
    return run_suite(suite, argc, argv);
}
