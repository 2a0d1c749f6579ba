/* emulated.cc - see emulated.h. */
#include <setjmp.h>
#include <sys/mman.h>
#include <ucontext.h>
#include "cuda/device.h"
#include "cuda/product.h"

uint3 threadIdx, blockIdx;
dim3 blockDim(1), gridDim(1);

enum { MOST = 1024, STACK = 64 << 10 };
enum state { READY, AT_BARRIER, AT_WARP, DONE };

static struct {
    ucontext_t here, fiber;              /* to enter a fiber for the first time; jumps afterwards        */
    jmp_buf    scheduler, place[MOST];
    state      is[MOST];
    char      *stacks;
    unsigned   n, running;               /* fibers that take part, the one that runs                     */
    bool       begun[MOST], reversed;
    const std::function<void()> *kernel;
    alignas(16) char slot[MOST][16];
} E;

void emulate_reversed(bool reversed) { E.reversed = reversed; }
unsigned emulate_lane(void) { return E.running % 32; }

/* Back to the scheduler, until it comes back here. */
static void leave(state s)
{
    const unsigned k = E.running;
    E.is[k] = s;
    if (_setjmp(E.place[k]) == 0) _longjmp(E.scheduler, 1);
}

static void fiber(void)
{
    for (;;) {                                              /* kernel after kernel */
        (*E.kernel)();
        leave(DONE);
    }
}

static void enter(unsigned k)
{
    E.running = k;
    threadIdx = uint3{ k % blockDim.x, k / blockDim.x % blockDim.y, k / (blockDim.x * blockDim.y) };
    if (_setjmp(E.scheduler) != 0) return;
    if (E.begun[k]) _longjmp(E.place[k], 1);
    E.begun[k] = true;
    getcontext(&E.fiber);
    E.fiber.uc_stack.ss_sp = E.stacks + (size_t)k * STACK;
    E.fiber.uc_stack.ss_size = STACK;
    E.fiber.uc_link = NULL;
    makecontext(&E.fiber, fiber, 0);
    swapcontext(&E.here, &E.fiber);
}

void __syncthreads() { leave(AT_BARRIER); }
void __syncwarp()    { leave(AT_WARP); }

void emulate_exchange(void *to, const void *x, size_t bytes, unsigned lane)
{
    REQUIRE(bytes <= sizeof E.slot[0], "%zu bytes between threads", bytes);
    memcpy(E.slot[E.running], x, bytes);
    __syncwarp();
    memcpy(to, E.slot[E.running / 32 * 32 + lane], bytes);
    __syncwarp();
}

/* All threads of [from, to) are in state s, or done where that is allowed. */
static bool all_are(unsigned from, unsigned to, state s)
{
    for (unsigned k = from; k < to; k++) if (E.is[k] != s) return false;
    return true;
}

static void run_block(void)
{
    for (unsigned k = 0; k < E.n; k++) E.is[k] = READY;
    for (;;) {
        bool moved = false;
        for (unsigned i = 0; i < E.n; i++) {
            const unsigned k = E.reversed ? E.n - 1 - i : i;
            if (E.is[k] != READY) continue;
            enter(k);
            moved = true;
        }
        for (unsigned w = 0; w < E.n; w += 32) {
            const unsigned end = w + 32 < E.n ? w + 32 : E.n;
            if (!all_are(w, end, AT_WARP)) continue;
            for (unsigned k = w; k < end; k++) E.is[k] = READY;
            moved = true;
        }
        if (all_are(0, E.n, AT_BARRIER)) {
            for (unsigned k = 0; k < E.n; k++) E.is[k] = READY;
            moved = true;
        }
        if (all_are(0, E.n, DONE)) return;
        REQUIRE(moved, "block %u: not all threads reach a barrier", blockIdx.x);
    }
}

void emulate(dim3 grid, dim3 block, const std::function<void()> &kernel)
{
    if (!E.stacks) {
        void *m = mmap(NULL, (size_t)MOST * STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (m == MAP_FAILED) die("no memory for the threads of a block");
        E.stacks = (char *)m;
        const char *order = getenv("EMULATE");
        E.reversed = order && strcmp(order, "reversed") == 0;
    }
    E.n = block.x * block.y * block.z;
    REQUIRE(0 < E.n && E.n <= MOST && grid.y <= 65535 && grid.z <= 65535 && grid.x <= INT32_MAX && grid.x && grid.y,
            "a launch of %u x %u x %u blocks of %u threads", grid.x, grid.y, grid.z, E.n);
    E.kernel = &kernel;
    blockDim = block;
    gridDim = grid;
    const unsigned long blocks = (unsigned long)grid.x * grid.y * grid.z;
    for (unsigned long i = 0; i < blocks; i++) {
        const unsigned long b = E.reversed ? blocks - 1 - i : i;
        blockIdx = uint3{ (unsigned)(b % grid.x), (unsigned)(b / grid.x % grid.y),
                          (unsigned)(b / ((unsigned long)grid.x * grid.y)) };
        run_block();
    }
}

/* ---- the device that is none ------------------------------------------------------------------------------- */

extern "C" {
const char *cuda_open(void)
{
    const char *as = getenv("EMULATE");
    return as && strcmp(as, "missing") == 0 ? "none is emulated" : NULL;
}
const char *cuda_device_name(void) { return "emulated on the CPU"; }
cudaStream_t cuda_stream(void)     { return NULL; }
bool cuda_recording(void)          { return false; }
void cuda_wait(void)               { }
bool product_lt(const product *p)  { (void)p; return false; }
static void graph_run(void **recording, void (*body)(void *), void *self)
{
    (void)recording;
    body(self);
}
static void graph_free(void **recording) { (void)recording; }
void cuda_fill_device(ops *o)
{
    o->graph_run = graph_run;
    o->graph_free = graph_free;
}
void *cuda_scratch(size_t bytes)
{
    static void *memory;
    static size_t room;
    if (bytes > room) {
        free(memory);
        memory = must_calloc(room = bytes, 1);
    }
    memset(memory, 0xff, room);                             /* NaN, or a token that is none */
    return memory;
}
void cuda_checked(cudaError_t e, const char *file, int line, const char *call)
{
    REQUIRE(e == cudaSuccess, "%s:%d: %s", file, line, call);
}
}
