/* SPDX-License-Identifier: GPL-3.0-or-later
 * nccl.c - sums over processes that stay on the GPUs: NCCL, whose id MPI carries.  Built with NCCL=1 CUDA=1 MPI=1;
 * without it sums go through host memory.  world.c calls gpu_sum if the program has it.  The library is loaded at the
 * first sum over the GPUs of several processes: where there is none, the program starts and trains on the CPU.
 *
 * NCCL sums in a fixed order for a given number of processes and GPUs; with one process x stays as it is. */
#include <dlfcn.h>
#include <mpi.h>
#include <nccl.h>
#include <string.h>
#include "cuda/device.h"

bool gpu_sum(const ops *o, void *x, size_t n);

#define CALLS(X) X(GetErrorString) X(GetUniqueId) X(CommInitRank) X(AllReduce) X(CommGetAsyncError) X(CommAbort)
#define POINTER(name) __typeof__(&nccl##name) name;
#define NAMED(name)   { "nccl" #name, &nccl.name },
static struct { CALLS(POINTER) } nccl;

static void load(void)
{
    static const struct { const char *name; void *to; } call[] = { CALLS(NAMED) };
    void *so = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!so)
        die("%s; install NCCL 2, or name its folder in LD_LIBRARY_PATH; a build without NCCL=1 sums in host memory",
            dlerror());
    for (size_t k = 0; k < COUNT(call); k++) {
        void *f = dlsym(so, call[k].name);
        if (!f) die("libnccl.so.2 has no %s; install a later NCCL", call[k].name);
        memcpy(call[k].to, &f, sizeof f);
    }
}

static void checked(ncclResult_t r, const char *what)
{
    if (r != ncclSuccess)
        die("NCCL: %s: %s; NCCL_DEBUG=INFO says more; every process needs a GPU of its own", what,
            nccl.GetErrorString(r));
}
#define NCCL(call) checked(call, #call)

static ncclComm_t all;

/* A sum that another process has left never ends by itself. */
static void watch(void)
{
    ncclResult_t state;
    NCCL(nccl.CommGetAsyncError(all, &state));
    if (state == ncclSuccess || state == ncclInProgress) return;
    nccl.CommAbort(all);
    die("NCCL: another process is gone or cannot be reached: %s; the same command resumes from the last checkpoint",
        nccl.GetErrorString(state));
}

static ncclComm_t join(void)
{
    static bool joined;
    int rank, size;
    ncclUniqueId id;
    if (joined) return all;
    load();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    memset(&id, 0, sizeof id);
    if (rank == 0) NCCL(nccl.GetUniqueId(&id));
    MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD);
    NCCL(nccl.CommInitRank(&all, size, id, rank));
    joined = true;
    cuda_watch(watch);
    return all;
}

/* x += the other processes' x, n floats of the GPU's table o; false: o is another backend's. */
bool gpu_sum(const ops *o, void *x, size_t n)
{
    if (strncmp(o->name, "cuda", 4) != 0) return false;
    REQUIRE(!cuda_recording(), "sums over processes are not recorded");
    ncclComm_t comm = join();
    NCCL(nccl.AllReduce(x, x, n, ncclFloat, ncclSum, comm, cuda_stream()));
    return true;
}
