/* device.c - the interface of cuda/device.h where kernels are run from their PTX. */
#include "cuda/device.h"
#include "cuda/product.h"
#include "tests/ptx/memory.h"

const char *cuda_open(void)
{
    const char *as = getenv("EMULATE");  /* "reversed", or not set */
    emulate_strict(true);
    emulate_order(as && strcmp(as, "reversed") == 0);
    return NULL;
}
const char *cuda_device_name(void) { return "PTX interpreted on the CPU"; }
const char *gemm_open(void)        { return NULL; }
size_t cuda_memory(void)           { return (size_t)8 << 30; }
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
void *cuda_scratch(size_t bytes)         /* every time as if nothing had been written to it */
{
    static void *memory;
    if (memory) memory_remove(memory);
    free(memory);
    memory = must_calloc(bytes ? bytes : 1, 1);
    memset(memory, 0xff, bytes);
    memory_scratch(memory, bytes);
    return memory;
}
void cuda_checked(cudaError_t e, const char *file, int line, const char *call)
{
    REQUIRE(e == cudaSuccess, "%s:%d: %s", file, line, call);
}
