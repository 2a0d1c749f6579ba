/* emulate.c - the engine of emulate.h: fibers for threads, barriers, and shadows of the memory.
 *
 * A shadow word stands for 4 bytes of shared memory, a shadow mark for 2 bytes of a global buffer.  Time in a
 * block is counted in barriers (epochs), time in a warp in __syncwarp()s (steps): two accesses of one word, at
 * least one of them a write, by two threads, are ordered if the epoch has changed between them, or if the
 * threads are of one warp and its step has changed; else they are a race.                                  */
#undef _FORTIFY_SOURCE                   /* its longjmp refuses to change stacks */
#include "cuda/emulate.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include "src/base/base.h"
#if defined __SANITIZE_ADDRESS__
#define SANITIZED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifdef SANITIZED
#include <sanitizer/common_interface_defs.h>
#endif

enum { LANES = 32, THREADS = 1024, STACK = 1 << 18, COPIES = 512, BUFFERS = 64 };

typedef enum { READY, AT_WARP, AT_BLOCK, DONE } fiber_state;
typedef struct { unsigned char *to; const unsigned char *from; size_t bytes, valid; int group; } copy;
typedef struct {
    emulated_place place;
    fiber_state    state;
    ucontext_t     start;
    jmp_buf        at;
    bool           started;
    void          *operands;             /* of the instruction of the warp it waits in */
    emulated_warp *all;
    copy           copies[COPIES];
    int            ncopies, groups, value;
} fiber;
typedef struct {                         /* 4 bytes of shared memory */
    int      writer;                     /* thread + 1; 0: never written */
    int      write_epoch, write_step;
    int      read_epoch;                 /* the readers since: */
    uint32_t read_warps;                 /* which warps, in read_epoch */
    int      reader, read_warp, read_step;   /* the last lane, -1: several in its step; its warp; the step */
    int      copier;                     /* thread + 1 whose asynchronous copy is under way */
} word;
typedef struct { unsigned char *p; size_t bytes; bool writable; uint32_t *writer; } buffer;   /* writer: see mark */

emulated_place *emulated_here;

static fiber     *fibers[THREADS];
static int        nthreads, running, epoch, steps[THREADS / LANES];
static jmp_buf    scheduler;
static unsigned   order_of;
static unsigned char *stacks, *shared_bytes;
static size_t     shared_size;
static word      *shadow;
static buffer     buffers[BUFFERS];
static int        nbuffers;
static uint32_t   block_mark, launch_first;        /* marks of this launch are >= launch_first */
static long       faults, launches;
static char       first_fault[256];
static bool       strict_faults;
static void     (*kernel_of)(void *);
static void      *kernel_with;
static uint64_t   random_state;

static void fault(const char *what, ...) __attribute__((format(printf, 1, 2)));
static void fault(const char *what, ...)
{
    if (faults++) return;
    va_list list;
    va_start(list, what);
    const int n = vsnprintf(first_fault, sizeof first_fault, what, list);
    va_end(list);
    if (emulated_here && n >= 0 && (size_t)n < sizeof first_fault)
        snprintf(first_fault + n, sizeof first_fault - (size_t)n, ", thread %d of block %u", running,
                 emulated_here->block.x);
    REQUIRE(!strict_faults, "%s", first_fault);
}
void        emulate_strict(bool strict) { strict_faults = strict; }
long        emulate_faults(void)   { return faults; }
const char *emulate_fault(void)    { return first_fault; }
long        emulate_launches(void) { return launches; }
void        emulate_order(unsigned order) { order_of = order; }

static uint64_t draw(void)               /* xorshift64 */
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* ---- global memory --------------------------------------------------------------------------------------- */

void emulate_buffer(const void *p, size_t bytes, bool writable)
{
    REQUIRE(nbuffers < BUFFERS, "at most %d buffers", BUFFERS);
    buffers[nbuffers++] = (buffer){ (unsigned char *)(uintptr_t)p, bytes, writable,
                                    must_calloc(bytes / 2 + 1, sizeof(uint32_t)) };
}

void emulate_forget(void)
{
    while (nbuffers) free(buffers[--nbuffers].writer);
    faults = 0;
    first_fault[0] = 0;
}

static const buffer *buffer_of(const void *p, size_t bytes, const char *what)
{
    const uintptr_t a = (uintptr_t)p;
    if (a % bytes) { fault("%s of %zu bytes is not aligned", what, bytes); return NULL; }
    for (int i = 0; i < nbuffers; i++)
        if (a >= (uintptr_t)buffers[i].p && a + bytes <= (uintptr_t)buffers[i].p + buffers[i].bytes) return buffers + i;
    fault("%s of %zu bytes outside all buffers", what, bytes);
    return NULL;
}

static bool may_load(const void *from, size_t bytes)
{
    const buffer *b = buffer_of(from, bytes, "load");
    if (!b) return false;
    const size_t first = (size_t)((const unsigned char *)from - b->p);
    for (size_t k = first / 2; k < (first + bytes + 1) / 2; k++)
        if (b->writer[k] >= launch_first && b->writer[k] != block_mark) fault("load of what another block writes");
    return true;
}

void emulate_load(void *to, const void *from, size_t bytes)
{
    if (may_load(from, bytes)) memcpy(to, from, bytes);
    else memset(to, 0, bytes);
}

void emulate_store(void *to, const void *from, size_t bytes)
{
    const buffer *b = buffer_of(to, bytes, "store");
    if (!b) return;
    if (!b->writable) { fault("store to what is only read"); return; }
    const size_t first = (size_t)((unsigned char *)to - b->p);
    for (size_t k = first / 2; k < (first + bytes + 1) / 2; k++) {
        if (b->writer[k] >= launch_first && b->writer[k] != block_mark) fault("two blocks store to one place");
        b->writer[k] = block_mark;
    }
    memcpy(to, from, bytes);
}

/* ---- shared memory --------------------------------------------------------------------------------------- */

static word *words_of(const void *p, size_t bytes, const char *what)
{
    const size_t at = (size_t)((const unsigned char *)p - shared_bytes);
    if ((const unsigned char *)p < shared_bytes || at + bytes > shared_size || at % bytes) {
        fault("%s of %zu bytes outside shared memory or not aligned", what, bytes);
        return NULL;
    }
    return shadow + at / 4;
}

static bool ordered(int thread, int other, int other_epoch, int other_step)
{
    if (other_epoch != epoch || other == thread) return true;
    return other / LANES == thread / LANES && other_step != steps[thread / LANES];
}

static void note_read(word *w, int thread)
{
    const int warp = thread / LANES;
    if (w->copier) fault("shared word read while a copy to it is under way");
    if (!w->writer) fault("shared word read before it is written");
    else if (!ordered(thread, w->writer - 1, w->write_epoch, w->write_step))
        fault("race: shared word read after a write");
    if (w->read_epoch != epoch) w->read_warps = 0;
    const bool again = w->read_epoch == epoch && w->read_warp == warp && w->read_step == steps[warp];
    w->reader = again && w->reader != thread % LANES ? -1 : thread % LANES;
    w->read_epoch = epoch;
    w->read_warp = warp;
    w->read_step = steps[warp];
    w->read_warps |= UINT32_C(1) << warp;
}

static void note_write(word *w, int thread)
{
    const int warp = thread / LANES;
    if (w->copier && w->copier != thread + 1) fault("shared word written while a copy to it is under way");
    if (w->writer && !ordered(thread, w->writer - 1, w->write_epoch, w->write_step))
        fault("race: shared word written twice");
    if (w->read_epoch == epoch) {
        const bool other = w->read_warps & ~(UINT32_C(1) << warp);
        const bool same_step = w->read_warp == warp && w->read_step == steps[warp];
        if (other || (same_step && w->reader != thread % LANES)) fault("race: shared word written after a read");
    }
    w->writer = thread + 1;
    w->write_epoch = epoch;
    w->write_step = steps[warp];
}

void emulate_shared_load_by(int lane, void *to, const void *from, size_t bytes)
{
    word *w = words_of(from, bytes, "shared load");
    if (!w) { memset(to, 0, bytes); return; }
    for (size_t k = 0; k < (bytes + 3) / 4; k++) note_read(w + k, running / LANES * LANES + lane);
    memcpy(to, from, bytes);
}
void emulate_shared_load(void *to, const void *from, size_t bytes)
{
    emulate_shared_load_by(running % LANES, to, from, bytes);
}

void emulate_shared_store(void *to, const void *from, size_t bytes)
{
    word *w = words_of(to, bytes, "shared store");
    if (!w) return;
    for (size_t k = 0; k < (bytes + 3) / 4; k++) note_write(w + k, running);
    memcpy(to, from, bytes);
}

void emulate_copy_async(void *to, const void *from, size_t bytes, size_t valid)
{
    fiber *f = fibers[running];
    word *w = words_of(to, bytes, "asynchronous copy");
    if (!w || (valid && !may_load(from, bytes))) return;
    REQUIRE(f->ncopies < COPIES, "at most %d copies under way", COPIES);
    for (size_t k = 0; k < bytes / 4; k++) {
        note_write(w + k, running);
        w[k].copier = running + 1;
    }
    memset(to, 0xff, bytes);             /* NaN until it lands */
    f->copies[f->ncopies++] = (copy){ to, from, bytes, valid, f->groups };
}
void emulate_copy_commit(void) { fibers[running]->groups++; }
void emulate_copy_wait(int groups)
{
    fiber *f = fibers[running];
    int left = 0;
    for (int i = 0; i < f->ncopies; i++) {
        const copy c = f->copies[i];
        if (c.group >= f->groups - groups) { f->copies[left++] = c; continue; }
        memset(c.to, 0, c.bytes);
        if (c.valid) memcpy(c.to, c.from, c.valid);
        word *w = shadow + (c.to - shared_bytes) / 4;
        for (size_t k = 0; k < c.bytes / 4; k++) {
            w[k].copier = 0;
            note_write(w + k, running);
        }
    }
    f->ncopies = left;
}

unsigned char *emulate_shared(void) { return shared_bytes; }

/* ---- fibers ---------------------------------------------------------------------------------------------- */

#ifdef SANITIZED
static void *main_fake;
static const void *main_stack;
static size_t main_size;
#endif

static void wait_here(fiber_state state)
{
    fiber *f = fibers[running];
    f->state = state;
#ifdef SANITIZED
    void *fake = NULL;
    __sanitizer_start_switch_fiber(&fake, main_stack, main_size);
#endif
    if (!_setjmp(f->at)) _longjmp(scheduler, 1);
#ifdef SANITIZED
    __sanitizer_finish_switch_fiber(fake, NULL, NULL);
#endif
}

static void enter(void)                  /* the bottom of every fiber's stack */
{
#ifdef SANITIZED
    __sanitizer_finish_switch_fiber(NULL, &main_stack, &main_size);
#endif
    for (;;) {                           /* kernel after kernel */
        kernel_of(kernel_with);
        if (fibers[running]->ncopies) fault("a thread ends while its copies are under way");
        wait_here(DONE);
    }
}

static void run_fiber(int t)
{
    fiber *f = fibers[t];
    running = t;
    emulated_here = &f->place;
#ifdef SANITIZED
    __sanitizer_start_switch_fiber(&main_fake, stacks + (size_t)t * STACK, STACK);
#endif
    if (!_setjmp(scheduler)) {
        if (f->started) _longjmp(f->at, 1);
        f->started = true;
        setcontext(&f->start);
    }
#ifdef SANITIZED
    __sanitizer_finish_switch_fiber(main_fake, NULL, NULL);
#endif
    emulated_here = NULL;
}

void emulate_warp_do(emulated_warp *all, void *mine)
{
    fiber *f = fibers[running];
    const int first = running / LANES * LANES;
    void *lane[LANES];
    int arrived = 1;
    bool alike = true;
    f->operands = mine;
    f->all = all;
    for (int l = 0; l < LANES; l++) {
        const fiber *other = fibers[first + l];
        lane[l] = other->operands;
        if (first + l == running || other->state != AT_WARP) continue;
        alike &= other->all == all;
        arrived++;
    }
    if (arrived < LANES) { wait_here(AT_WARP); return; }
    if (alike) all(lane);
    else fault("the lanes of a warp meet in different instructions");
    for (int l = 0; l < LANES; l++) fibers[first + l]->state = READY;
}

static void one_step(void *const lane[LANES]) { (void)lane; steps[running / LANES]++; }
void emulate_warp_sync(void) { int nothing = 0; emulate_warp_do(one_step, &nothing); }

static void release_block(void)
{
    int any = 0;
    for (int t = 0; t < nthreads; t++) if (fibers[t]->state == AT_BLOCK) any |= fibers[t]->value;
    for (int t = 0; t < nthreads; t++) {
        if (fibers[t]->state == DONE) fault("a barrier that thread %d does not reach", t);
        if (fibers[t]->state != AT_BLOCK) continue;
        fibers[t]->state = READY;
        fibers[t]->value = any;
    }
    epoch++;
}
int emulate_block_any(int value)
{
    fiber *f = fibers[running];
    f->value = value != 0;
    wait_here(AT_BLOCK);
    return f->value;
}
void emulate_block_sync(void) { (void)emulate_block_any(0); }

/* ---- order ----------------------------------------------------------------------------------------------- */

/* The k-th of n in the chosen order; a new draw of `key` is another shuffle. */
static int turn(int k, int n, uint64_t key)
{
    if (order_of == 0) return k;
    if (order_of == 1) return n - 1 - k;
    int power = 1;
    while (power < n) power *= 2;
    uint64_t x = (uint64_t)k;            /* an affine permutation of the next power of 2, walked until it is in range */
    do x = (x * (key | 1) * 5 + (key >> 20)) & (uint64_t)(power - 1); while (x >= (uint64_t)n);
    return (int)x;
}

static bool run_warp(int warp)           /* each lane to its next stop; false when none could run */
{
    bool moved = false;
    const uint64_t key = draw() & ~UINT64_C(0xffff0000000);
    for (int l = 0; l < LANES; l++) {
        const int t = warp * LANES + turn(l, LANES, key);
        if (fibers[t]->state != READY) continue;
        run_fiber(t);
        moved = true;
    }
    return moved;
}

/* Runs the warps to the next barrier: in turn, or interleaved, each draw picking the warp that takes one step. */
static void run_block(void)
{
    const int warps = nthreads / LANES;
    for (;;) {
        bool moved = false;
        const uint64_t key = draw() & ~UINT64_C(0xffff0000000);
        for (int k = 0; k < warps; k++) {
            const int w = turn(k, warps, key);
            if (order_of < 2) while (run_warp(w)) moved = true;
            else if (draw() & 64) moved |= run_warp(w);
        }
        if (moved) continue;
        int ready = 0, barrier = 0, done = 0;
        for (int t = 0; t < nthreads; t++) {
            ready += fibers[t]->state == READY;
            barrier += fibers[t]->state == AT_BLOCK;
            done += fibers[t]->state == DONE;
        }
        if (ready) continue;
        if (done == nthreads) return;
        if (barrier + done < nthreads || !barrier) {
            fault("deadlock: some lanes of a warp wait for others that never come");
            return;
        }
        release_block();
    }
}

static ucontext_t any_context;
static void take_context(void) { getcontext(&any_context); }         /* returns twice: without variables around it */

static void begin_block(emulated_dim blocks, emulated_dim threads, unsigned block)
{
    epoch++;
    if (shared_size) {
        memset(shared_bytes, 0xff, shared_size);
        memset(shadow, 0, (shared_size / 4 + 1) * sizeof *shadow);
    }
    block_mark++;
    for (int t = 0; t < nthreads; t++) {
        fiber *f = fibers[t];
        const unsigned u = (unsigned)t, plane = blocks.x * blocks.y;
        f->place.thread = (emulated_dim){ u % threads.x, u / threads.x % threads.y, u / threads.x / threads.y };
        f->place.block = (emulated_dim){ block % blocks.x, block % plane / blocks.x, block / plane };
        f->place.threads = threads;
        f->place.blocks = blocks;
        f->ncopies = f->groups = 0;
        if (f->started && f->state == DONE) { f->state = READY; continue; }
        f->state = READY;                /* a new fiber; so is one that a fault left inside a kernel */
        f->started = false;
        f->start = any_context;
        f->start.uc_stack.ss_sp = stacks + (size_t)t * STACK;
        f->start.uc_stack.ss_size = STACK;
        f->start.uc_link = NULL;
        makecontext(&f->start, enter, 0);
    }
}

void emulate_launch(emulated_dim blocks, emulated_dim threads, size_t shared, void (*kernel)(void *), void *with)
{
    nthreads = (int)(threads.x * threads.y * threads.z);
    const unsigned nblocks = blocks.x * blocks.y * blocks.z;
    REQUIRE(nthreads > 0 && nthreads <= THREADS && nthreads % LANES == 0, "%d threads in a block", nthreads);
    REQUIRE(blocks.x > 0 && blocks.y > 0 && blocks.z > 0 && blocks.y < 65536 && blocks.z < 65536, "grid out of range");
    if (!stacks) {
        stacks = mmap(NULL, (size_t)THREADS * STACK, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        REQUIRE(stacks != MAP_FAILED, "no memory for stacks");
    }
    for (int t = 0; t < nthreads; t++) if (!fibers[t]) fibers[t] = must_calloc(1, sizeof(fiber));
    free(shadow);
    free(shared_bytes);
    shared_size = shared;
    shadow = must_calloc(shared / 4 + 1, sizeof *shadow);
    shared_bytes = aligned_alloc(128, (shared / 128 + 1) * 128);
    REQUIRE(shared_bytes, "no memory");
    take_context();
    kernel_of = kernel;
    kernel_with = with;
    launches++;
    launch_first = block_mark + 1;
    random_state = UINT64_C(0x9e3779b97f4a7c15) * (order_of + 1);
    const uint64_t key = draw() & ~UINT64_C(0xffff0000000);
    for (unsigned b = 0; b < nblocks; b++) {
        begin_block(blocks, threads, (unsigned)turn((int)b, (int)nblocks, key));
        run_block();
    }
}
