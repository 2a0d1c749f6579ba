/* SPDX-License-Identifier: GPL-3.0-or-later
 * ptx.h - an interpreter of PTX: runs what nvcc makes of the kernels in cuda/ where there is no GPU.
 *
 * The meaning of each instruction is that of "PTX ISA 9.0" (NVIDIA, 2025).  A kernel is decoded once: every register,
 * constant and special register is a slot, 32 numbers of 4 or 8 bytes side by side, one for each lane of a warp.  The
 * lanes of a warp that are at the same instruction execute it together; where they part, those that are furthest behind
 * go first, and an instruction of the whole warp waits until all of its lanes have come.
 *
 *   parse.c    text -> kernels, slots and decoded instructions
 *   lanes.c    arithmetic, comparisons and conversions: each lane by itself
 *   memory.c   global buffers and shared memory, with a shadow of both; asynchronous copies
 *   warp.c     loads, stores and what lanes do together: shuffles, ldmatrix, mma, votes
 *   run.c      branches, barriers, blocks, launches
 *   launch.h   LAUNCH of the host's half of cuda/, compiled for the host; what tests ask
 *   device.c   the interface of cuda/device.h, and of CUDA's runtime what the host's half calls
 *   attention.c    the kernels of attention against loops in double
 *
 * A fault is reported with the kernel, the line of the PTX, the thread and the block.  Faults: an address outside all
 * buffers or shared arrays, or not aligned; a store to what is only read; what two blocks store, or one stores and
 * another loads; shared or scratch memory read before it is written; a register that was never written where it counts:
 * stored, an address, a condition, a number for other lanes (nvcc computes in advance what it may then not use); a race in shared memory; a copy that
 * is used before it is waited for; lanes that never meet; a barrier that a thread does not reach.  An instruction that
 * is not known ends the program when its kernel is read.                                                        */
#ifndef TESTS_PTX_H
#define TESTS_PTX_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LANES = 32, OPERANDS = 16, SELECTS = 's' };
#define ALL_LANES UINT32_C(0xffffffff)

/* at: bytes from the start of a warp's registers; numbers of 2 bytes are kept in 4 */
typedef struct { uint32_t at, id; uint8_t bytes; } slot;
typedef struct warp warp;
typedef struct instruction instruction;
typedef void operation(warp *w, const instruction *i, uint32_t lanes);

typedef enum {
    PURE,                                /* a function of registers: unknown where one that counts was not written */
    PLAIN,                               /* memory: everything that is read must have been written               */
    TOGETHER,                            /* all lanes of the mask in o[n - 1] (none: all 32) must have come      */
    JUMPS, RETURNS, BLOCK_BARRIER
} instruction_kind;

struct instruction {
    operation       *run;
    instruction_kind kind;
    const char      *name;               /* the opcode                                                          */
    int              line, target;
    bool             guarded, negated;   /* @%p, @!%p: guard                                                    */
    slot             guard;
    int              written, n;         /* o[0..written) are written, o[written..n) are read                   */
    slot             o[OPERANDS];
    long             offset[2];          /* of the first and second address                                     */
    int              bytes, count;       /* of one number; how many numbers of a vector                         */
    bool             is_signed;
    long             reached;
};

typedef struct { const char *name; size_t at, bytes; } symbol;   /* a parameter, or an array in shared memory   */
/* A slot that is filled before a block runs: a number, a special register, or the address of array `value`. */
typedef enum { NUMBER, ARRAY, TID_X, TID_Y, TID_Z, NTID_X, NTID_Y, NTID_Z, CTAID_X, CTAID_Y, CTAID_Z, NCTAID_X, NCTAID_Y,
               NCTAID_Z, LANEID } preset_kind;
typedef struct { slot s; preset_kind kind; uint64_t value; } preset;

typedef struct {
    char        *name;                   /* as in cuda/kernels.txt                                              */
    int          line;
    instruction *code;
    int          instructions;
    symbol      *params, *arrays;
    int          nparams, narrays;
    int          dynamic;                /* the array whose size the launch gives, or -1: the last one             */
    size_t       param_bytes;
    size_t       allowed;                /* bytes of dynamic shared memory that were asked for beyond 48 KiB        */
    preset      *presets;
    int          npresets;
    uint32_t     registers, register_bytes;
    long         launches;
} kernel;

/* Reads a file that nvcc --ptx has written (several may be put together); ends the program at what it does not know. */
void    ptx_read(const char *path);
kernel *ptx_kernel(const char *name);    /* NULL: there is none                                                 */
int     ptx_kernels(kernel **all);
/* lanes.c: by opcode, with the bytes of the operands; NULL: not there. */
operation *lanes_operation(const char *opcode, int bytes[5], int *operands);

/* ---- while a kernel runs */
struct warp {
    char     *registers;
    uint32_t *defined;                   /* for each slot, the lanes in which it was written                    */
    uint32_t  alive, waiting, in_barrier;/* waiting: at an instruction of the whole warp                        */
    int       pc[LANES], step, first;    /* step: counts bar.warp.sync; first: the first lane's number in the block */
    uint32_t  stamp;                     /* another one for each warp, step and epoch                           */
};
extern const kernel *ptx_running;
extern uint32_t ptx_stamps;              /* how many were given                                                 */
extern unsigned char *ptx_params;
/* The lane is one of the warp, or -1. */
_Noreturn void ptx_fault(const warp *w, int lane, const char *what, ...) __attribute__((format(printf, 3, 4)));

/* memory.c; addresses in shared memory count from SHARED_BASE, so that 0 is none */
enum { SHARED_BASE = 1024 };
void  memory_begin_launch(void);
void  memory_begin_block(const kernel *k, size_t dynamic, int threads);
void  memory_end_thread(const warp *w, int lane);
void  memory_epoch(void);                                            /* a barrier of the block                  */
const void *global_load (const warp *w, int lane, uint64_t at, size_t bytes);
void  global_store(const warp *w, int lane, uint64_t at, const void *from, size_t bytes, bool atomic);
const void *global_atomic(const warp *w, int lane, uint64_t at, size_t bytes);
void *shared_access(const warp *w, int lane, uint64_t at, size_t bytes, bool write);
void  shared_words(const warp *w, uint32_t lanes, const uint32_t *at, long offset, uint32_t *to);
void  copy_begin (const warp *w, int lane, uint64_t to, uint64_t from, size_t bytes, size_t valid);
void  copy_group (const warp *w, int lane);
void  copy_finish(const warp *w, int lane, int groups);

/* warp.c: the operation of i->name with n operands, the first in braces or not; constants: the bytes of a constant among
 * them; false: not known */
bool warp_decode(instruction *i, int n, bool braces, int *constants);

#define SLOT(type, w, s) ((type *)(void *)((w)->registers + (s).at))
#endif
