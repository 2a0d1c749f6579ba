/* SPDX-License-Identifier: GPL-3.0-or-later
 * answered.c - see answered.h. */
#include "tests/support/answered.h"
#include <linux/filter.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "tests/support/suite.h"

enum { MOST_CALLS = 48 };

static void *answer_all(void *with)
{
    answered *a = with;
    char byte, room[CMSG_SPACE(sizeof(int))];
    struct iovec v = { &byte, 1 };
    struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room };
    int listener;
    if (recvmsg(a->ends[0], &m, MSG_CMSG_CLOEXEC) != 1 || !CMSG_FIRSTHDR(&m)) return NULL;
    memcpy(&listener, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof listener);
    for (struct pollfd p = { .fd = listener, .events = POLLIN }; poll(&p, 1, -1) > 0 && !(p.revents & POLLHUP); ) {
        struct seccomp_notif n = { .id = 0 };
        if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &n) != 0) continue;
        struct seccomp_notif_resp r = { .id = n.id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE };
        a->answer(a->with, &n, &r);
        ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &r);
    }
    close(listener);
    return NULL;
}

void answered_begin(answered *a)
{
    ck_assert_uint_le(a->calls, MOST_CALLS);
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, a->ends), 0);
    ck_assert_int_eq(pthread_create(&a->thread, NULL, answer_all, a), 0);
}

void answered_child(void *with)
{
    answered *a = with;
    struct sock_filter f[2 + 2 * MOST_CALLS];
    size_t n = 0;
    f[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (size_t k = 0; k < a->calls; k++) {
        f[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)a->call[k], 0, 1);
        f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    }
    f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    const struct sock_fprog program = { (unsigned short)n, f };
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) _exit(ANSWERED_NOT_HERE);
    const int listener = (int)syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
    if (listener < 0) _exit(ANSWERED_NOT_HERE);
    char byte = 0, room[CMSG_SPACE(sizeof listener)] = { 0 };
    struct iovec v = { &byte, 1 };
    struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room };
    *CMSG_FIRSTHDR(&m) = (struct cmsghdr){ .cmsg_len = CMSG_LEN(sizeof listener), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS };
    memcpy(CMSG_DATA(CMSG_FIRSTHDR(&m)), &listener, sizeof listener);
    if (sendmsg(a->ends[1], &m, 0) != 1) _exit(ANSWERED_NOT_HERE);
    close(listener);
}

void answered_end(answered *a)
{
    shutdown(a->ends[1], SHUT_WR);                       /* where nothing was sent */
    pthread_join(a->thread, NULL);
    close(a->ends[0]);
    close(a->ends[1]);
}
