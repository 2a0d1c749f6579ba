/* nccl.c - sums over processes that stay on the GPUs: NCCL, whose id MPI carries.  Built with NCCL=1 CUDA=1 MPI=1;
 * without it sums go through host memory.  world.c calls gpu_sum if the program has it.
 *
 * NCCL sums in a fixed order for a given number of processes and GPUs; with one process x stays as it is. */
#include <mpi.h>
#include <nccl.h>
#include <string.h>
#include "cuda/device.h"

bool gpu_sum(const ops *o, void *x, size_t n);

static void checked(ncclResult_t r, const char *what)
{
    if (r != ncclSuccess)
        die("NCCL: %s: %s; NCCL_DEBUG=INFO says more; every process needs a GPU of its own", what,
            ncclGetErrorString(r));
}
#define NCCL(call) checked(call, #call)

static ncclComm_t all;

/* A sum that another process has left never ends by itself. */
static void watch(void)
{
    ncclResult_t state;
    NCCL(ncclCommGetAsyncError(all, &state));
    if (state == ncclSuccess || state == ncclInProgress) return;
    ncclCommAbort(all);
    die("NCCL: another process is gone or cannot be reached: %s; the same command resumes from the last checkpoint",
        ncclGetErrorString(state));
}

static ncclComm_t join(void)
{
    static bool joined;
    int rank, size;
    ncclUniqueId id;
    if (joined) return all;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    memset(&id, 0, sizeof id);
    if (rank == 0) NCCL(ncclGetUniqueId(&id));
    MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD);
    NCCL(ncclCommInitRank(&all, size, id, rank));
    joined = true;
    cuda_watch(watch);
    return all;
}

/* x += the other processes' x, n floats of the GPU's table o; false: o is another backend's. */
bool gpu_sum(const ops *o, void *x, size_t n)
{
    if (strncmp(o->name, "cuda", 4) != 0) return false;
    REQUIRE(!cuda_recording(), "sums over processes are not recorded");
    NCCL(ncclAllReduce(x, x, n, ncclFloat, ncclSum, join(), cuda_stream()));
    return true;
}
