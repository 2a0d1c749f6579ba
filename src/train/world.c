/* SPDX-License-Identifier: GPL-3.0-or-later
 * world.c - see world.h; nothing else knows of MPI. */
#include "src/train/world.h"

#ifndef USE_MPI

long world_rank(void) { return 0; }
long world_size(void) { return 1; }
void world_sum_wide(const ops *o, void *x, size_t n) { (void)o; (void)x; (void)n; }
void world_sum_doubles(double *x, size_t n) { (void)x; (void)n; }

#else
#include <mpi.h>
#include <stdlib.h>

enum { PIECE = 1 << 20 };                /* numbers per message                                         */

static void finish(void) { MPI_Finalize(); }

/* Joins the others at the first call; without a launcher there are none. */
static bool joined(void)
{
    static int state;                    /* 0: not known, 1: alone, 2: joined                           */
    if (state == 0) {
        state = getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMIX_RANK") || getenv("PMI_RANK") ? 2 : 1;
        if (state == 2) {
            if (MPI_Init(NULL, NULL) != MPI_SUCCESS) die("MPI does not start; try without mpirun");
            atexit(finish);              /* die() leaves without it, by which the launcher knows          */
        }
    }
    return state == 2;
}

long world_rank(void)
{
    int rank = 0;
    if (joined()) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

long world_size(void)
{
    int size = 1;
    if (joined()) MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

extern bool gpu_sum(const ops *o, void *x, size_t n) __attribute__((weak));       /* cuda/nccl.c, where it is linked */

void world_sum_wide(const ops *o, void *x, size_t n)
{
    if (world_size() == 1 || (gpu_sum && gpu_sum(o, x, n))) return;
    REQUIRE(o->real == 4 || o->real == 8, "numbers of %zu bytes", o->real);
    void *piece = must_calloc(PIECE, o->real);
    for (size_t from = 0; from < n; from += PIECE) {
        const size_t m = n - from < PIECE ? n - from : PIECE;
        o->download(piece, at(o, x, from), m * o->real);
        MPI_Allreduce(MPI_IN_PLACE, piece, (int)m, o->real == 4 ? MPI_FLOAT : MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        o->upload(at(o, x, from), piece, m * o->real);
    }
    free(piece);
}

void world_sum_doubles(double *x, size_t n)
{
    if (world_size() == 1) return;
    for (size_t from = 0; from < n; from += PIECE)
        MPI_Allreduce(MPI_IN_PLACE, x + from, (int)(n - from < PIECE ? n - from : PIECE), MPI_DOUBLE, MPI_SUM,
                      MPI_COMM_WORLD);
}
#endif
