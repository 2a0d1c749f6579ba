/* SPDX-License-Identifier: GPL-3.0-or-later
 * attn_cudnn.c - the graphs of attention, written node by node as cuDNN recognises them.
 *
 * All tensors are [B,H,rows,columns].  Forward: S = scale Q K'; where key > query -infinity (causal);
 * m = max S; Z = sum exp(S - m); lse = m + log Z; O = (exp(S - m) / Z) V.
 * Backward: P = exp(S - lse); dV = P' dO; dS = scale P o (dO V' - sum dO o O); dK = dS' Q; dQ = dS K.
 * Transposes are tensors with other strides (K', V' are read so), or reshapes (P', dS'), as cuDNN wants them.
 * The status of every call is checked: the first failure records its step and skips the rest (`bad`). */
#include "cuda/attn_cudnn.h"
#if __has_include(<cudnn.h>)
#include <cudnn.h>
#include <dlfcn.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

static char why[512] = "";
const char *attn_cudnn_why(void) { return why; }

/* ---- the library ----------------------------------------------------------------------------------------- */

static struct {
    bool tried, there;
    size_t        (*version)(void);
    void          (*last_error)(char *, size_t);
    const char   *(*error)(cudnnStatus_t);
    cudnnStatus_t (*open)(cudnnHandle_t *);
    cudnnStatus_t (*set_stream)(cudnnHandle_t, cudaStream_t);
    cudnnStatus_t (*create)(cudnnBackendDescriptorType_t, cudnnBackendDescriptor_t *);
    cudnnStatus_t (*destroy)(cudnnBackendDescriptor_t);
    cudnnStatus_t (*set)(cudnnBackendDescriptor_t, cudnnBackendAttributeName_t, cudnnBackendAttributeType_t, int64_t,
                         const void *);
    cudnnStatus_t (*get)(cudnnBackendDescriptor_t, cudnnBackendAttributeName_t, cudnnBackendAttributeType_t, int64_t,
                         int64_t *, void *);
    cudnnStatus_t (*finalize)(cudnnBackendDescriptor_t);
    cudnnStatus_t (*execute)(cudnnHandle_t, cudnnBackendDescriptor_t, cudnnBackendDescriptor_t);
} cudnn;

static bool library(void)
{
    if (cudnn.tried) return cudnn.there;
    cudnn.tried = true;
    void *so = dlopen("libcudnn.so.9", RTLD_NOW | RTLD_LOCAL);
    if (!so) { snprintf(why, sizeof why, "%s", dlerror()); return false; }
    const struct { const char *name; void *to; } all[] = {
        { "cudnnGetVersion", &cudnn.version }, { "cudnnGetLastErrorString", &cudnn.last_error },
        { "cudnnGetErrorString", &cudnn.error }, { "cudnnCreate", &cudnn.open },
        { "cudnnSetStream", &cudnn.set_stream },
        { "cudnnBackendCreateDescriptor", &cudnn.create }, { "cudnnBackendDestroyDescriptor", &cudnn.destroy },
        { "cudnnBackendSetAttribute", &cudnn.set }, { "cudnnBackendGetAttribute", &cudnn.get },
        { "cudnnBackendFinalize", &cudnn.finalize }, { "cudnnBackendExecute", &cudnn.execute },
    };
    for (size_t i = 0; i < COUNT(all); i++) {
        void *f = dlsym(so, all[i].name);
        if (!f) { snprintf(why, sizeof why, "libcudnn.so.9 has no %s", all[i].name); return false; }
        memcpy(all[i].to, &f, sizeof f);
    }
    if (cudnn.version() < 91600) {       /* older ones need a padding mask in the backward pass for most T */
        snprintf(why, sizeof why, "cuDNN %zu is older than 9.16", cudnn.version());
        return false;
    }
    cudnn.there = true;
    return true;
}

/* ---- a graph under construction --------------------------------------------------------------------------- */

typedef cudnnBackendDescriptor_t thing;
typedef struct { int64_t n[4], step[4]; cudnnDataType_t type; thing is; } tensor;

enum { NODES = 32, THINGS = 160 };
typedef struct {
    int64_t B, H, T, D;
    thing   all[THINGS], node[NODES];    /* everything made, in order; the operations among them */
    int     count, nodes;
    int64_t id;                          /* of the next inner tensor */
    bool    bad;
} graph;

/* What the caller's memory is called in the variant pack. */
enum { ID_Q = 1, ID_K, ID_V, ID_O, ID_LSE, ID_DO, ID_DQ, ID_DK, ID_DV, ID_DELTA, ID_SCALE, ID_LEAST, ID_ONE,
       ID_INNER = 100 };

static bool failed(cudnnStatus_t e, const char *step)
{
    if (e == CUDNN_STATUS_SUCCESS) return false;
    char text[400] = "";
    cudnn.last_error(text, sizeof text);
    text[strcspn(text, "\n")] = 0;
    snprintf(why, sizeof why, "%.60s: %.40s %.380s", step, cudnn.error(e), text);
    return true;
}

static thing make(graph *g, cudnnBackendDescriptorType_t kind, const char *step)
{
    thing x = NULL;
    if (g->bad) return NULL;
    REQUIRE(g->count < THINGS, "at most %d descriptors", THINGS);
    g->bad = failed(cudnn.create(kind, &x), step);
    if (!g->bad) g->all[g->count++] = x;
    return x;
}
static void set(graph *g, thing x, cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, int64_t n,
                const void *value, const char *step)
{
    if (!g->bad) g->bad = failed(cudnn.set(x, name, type, n, value), step);
}
static void set_thing(graph *g, thing x, cudnnBackendAttributeName_t name, thing value, const char *step)
{
    set(g, x, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &value, step);
}
static void finish(graph *g, thing x, const char *step)
{
    if (!g->bad) g->bad = failed(cudnn.finalize(x), step);
}
static void node(graph *g, thing x, const char *step)
{
    finish(g, x, step);
    if (g->bad) return;
    REQUIRE(g->nodes < NODES, "at most %d nodes", NODES);
    g->node[g->nodes++] = x;
}
static void graph_free(graph *g)
{
    while (g->count) cudnn.destroy(g->all[--g->count]);
}

/* id 0: an inner tensor, that never is in memory. */
static tensor tensor_of(graph *g, int64_t id, cudnnDataType_t type, const int64_t n[4], const int64_t step[4],
                        bool value)
{
    tensor t = { { n[0], n[1], n[2], n[3] }, { step[0], step[1], step[2], step[3] }, type,
                 make(g, CUDNN_BACKEND_TENSOR_DESCRIPTOR, "tensor") };
    const int64_t name = id ? id : ID_INNER + g->id++, alignment = 16;
    const bool inner = id == 0;
    set(g, t.is, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1, &name, "tensor id");
    set(g, t.is, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &type, "tensor type");
    set(g, t.is, CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, 4, n, "tensor shape");
    set(g, t.is, CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, 4, step, "tensor strides");
    set(g, t.is, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, 1, &alignment, "tensor alignment");
    set(g, t.is, CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, 1, &inner, "tensor virtual");
    set(g, t.is, CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, 1, &value, "tensor by value");
    finish(g, t.is, "tensor");
    return t;
}
static tensor inner(graph *g, cudnnDataType_t type, int64_t rows, int64_t columns)
{
    const int64_t plane = rows * columns;
    return tensor_of(g, 0, type, (int64_t[]){ g->B, g->H, rows, columns },
                     (int64_t[]){ g->H * plane, plane, columns, 1 }, false);
}
/* The same memory order as of `of`, read as its transpose. */
static tensor inner_transpose(graph *g, cudnnDataType_t type, const tensor *of)
{
    return tensor_of(g, 0, type, (int64_t[]){ of->n[0], of->n[1], of->n[3], of->n[2] },
                     (int64_t[]){ of->step[0], of->step[1], of->step[3], of->step[2] }, false);
}
static tensor heads_tensor(graph *g, int64_t id, heads x)           /* [B,H,T,D] */
{
    return tensor_of(g, id, CUDNN_DATA_BFLOAT16, (int64_t[]){ g->B, g->H, g->T, g->D },
                     (int64_t[]){ g->T * x.row, x.head, x.row, 1 }, false);
}
static tensor heads_transposed(graph *g, int64_t id, heads x)       /* [B,H,D,T] */
{
    return tensor_of(g, id, CUDNN_DATA_BFLOAT16, (int64_t[]){ g->B, g->H, g->D, g->T },
                     (int64_t[]){ g->T * x.row, x.head, 1, x.row }, false);
}
static tensor row_numbers(graph *g, int64_t id)                     /* [B,H,T,1] in memory */
{
    return tensor_of(g, id, CUDNN_DATA_FLOAT, (int64_t[]){ g->B, g->H, g->T, 1 },
                     (int64_t[]){ g->H * g->T, g->T, 1, 1 }, false);
}
static tensor constant(graph *g, int64_t id)                        /* one number, given by value */
{
    return tensor_of(g, id, CUDNN_DATA_FLOAT, (int64_t[]){ 1, 1, 1, 1 }, (int64_t[]){ 1, 1, 1, 1 }, true);
}

/* ---- nodes ------------------------------------------------------------------------------------------------ */

static void matmul(graph *g, tensor a, tensor b, tensor c, const char *step)
{
    const cudnnDataType_t f32 = CUDNN_DATA_FLOAT;
    thing how = make(g, CUDNN_BACKEND_MATMUL_DESCRIPTOR, step);
    set(g, how, CUDNN_ATTR_MATMUL_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &f32, step);
    finish(g, how, step);
    thing x = make(g, CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR, step);
    set_thing(g, x, CUDNN_ATTR_OPERATION_MATMUL_ADESC, a.is, step);
    set_thing(g, x, CUDNN_ATTR_OPERATION_MATMUL_BDESC, b.is, step);
    set_thing(g, x, CUDNN_ATTR_OPERATION_MATMUL_CDESC, c.is, step);
    set_thing(g, x, CUDNN_ATTR_OPERATION_MATMUL_DESC, how, step);
    node(g, x, step);
}

/* y = f(a), f(a, b), or for BINARY_SELECT t ? a : b; axis only for GEN_INDEX */
static void pointwise_node(graph *g, cudnnPointwiseMode_t f, const tensor *a, const tensor *b, const tensor *t,
                           tensor y, int64_t axis, const char *step)
{
    const cudnnDataType_t type = f == CUDNN_POINTWISE_GEN_INDEX ? CUDNN_DATA_INT32
                               : f == CUDNN_POINTWISE_CMP_GE ? CUDNN_DATA_BOOLEAN : CUDNN_DATA_FLOAT;
    thing how = make(g, CUDNN_BACKEND_POINTWISE_DESCRIPTOR, step);
    set(g, how, CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, 1, &f, step);
    set(g, how, CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, 1, &type, step);
    if (f == CUDNN_POINTWISE_GEN_INDEX) set(g, how, CUDNN_ATTR_POINTWISE_AXIS, CUDNN_TYPE_INT64, 1, &axis, step);
    finish(g, how, step);
    thing x = make(g, CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR, step);
    set_thing(g, x, CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, how, step);
    set_thing(g, x, CUDNN_ATTR_OPERATION_POINTWISE_XDESC, a->is, step);
    if (b) set_thing(g, x, CUDNN_ATTR_OPERATION_POINTWISE_BDESC, b->is, step);
    if (t) set_thing(g, x, CUDNN_ATTR_OPERATION_POINTWISE_TDESC, t->is, step);
    set_thing(g, x, CUDNN_ATTR_OPERATION_POINTWISE_YDESC, y.is, step);
    node(g, x, step);
}
static tensor pointwise(graph *g, cudnnPointwiseMode_t f, tensor a, tensor b, cudnnDataType_t type, const char *step)
{
    const tensor y = inner(g, type, a.n[2], a.n[3]);
    pointwise_node(g, f, &a, &b, NULL, y, 0, step);
    return y;
}
static tensor function(graph *g, cudnnPointwiseMode_t f, tensor a, const char *step)
{
    const tensor y = inner(g, CUDNN_DATA_FLOAT, a.n[2], a.n[3]);
    pointwise_node(g, f, &a, NULL, NULL, y, 0, step);
    return y;
}

static tensor reduce(graph *g, cudnnReduceTensorOp_t f, tensor a, const char *step)         /* over columns */
{
    const cudnnDataType_t f32 = CUDNN_DATA_FLOAT;
    const tensor y = inner(g, f32, a.n[2], 1);
    thing how = make(g, CUDNN_BACKEND_REDUCTION_DESCRIPTOR, step);
    set(g, how, CUDNN_ATTR_REDUCTION_OPERATOR, CUDNN_TYPE_REDUCTION_OPERATOR_TYPE, 1, &f, step);
    set(g, how, CUDNN_ATTR_REDUCTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &f32, step);
    finish(g, how, step);
    thing x = make(g, CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR, step);
    set_thing(g, x, CUDNN_ATTR_OPERATION_REDUCTION_XDESC, a.is, step);
    set_thing(g, x, CUDNN_ATTR_OPERATION_REDUCTION_YDESC, y.is, step);
    set_thing(g, x, CUDNN_ATTR_OPERATION_REDUCTION_DESC, how, step);
    node(g, x, step);
    return y;
}

static tensor transpose(graph *g, tensor a, const char *step)        /* as bf16, for a product */
{
    const tensor y = inner_transpose(g, CUDNN_DATA_BFLOAT16, &a);
    thing x = make(g, CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR, step);
    set_thing(g, x, CUDNN_ATTR_OPERATION_RESHAPE_XDESC, a.is, step);
    set_thing(g, x, CUDNN_ATTR_OPERATION_RESHAPE_YDESC, y.is, step);
    node(g, x, step);
    return y;
}

/* S where key <= query, else the least number. */
static tensor masked(graph *g, tensor S)
{
    const tensor row = inner(g, CUDNN_DATA_INT32, g->T, g->T), column = inner(g, CUDNN_DATA_INT32, g->T, g->T);
    pointwise_node(g, CUDNN_POINTWISE_GEN_INDEX, &S, NULL, NULL, row, 2, "row index");
    pointwise_node(g, CUDNN_POINTWISE_GEN_INDEX, &S, NULL, NULL, column, 3, "column index");
    const tensor seen = pointwise(g, CUDNN_POINTWISE_CMP_GE, row, column, CUDNN_DATA_BOOLEAN, "row >= column");
    const tensor least = constant(g, ID_LEAST), y = inner(g, CUDNN_DATA_FLOAT, g->T, g->T);
    pointwise_node(g, CUDNN_POINTWISE_BINARY_SELECT, &S, &least, &seen, y, 0, "mask");
    return y;
}

/* ---- the two graphs ---------------------------------------------------------------------------------------- */

static void forward_graph(graph *g, bool causal, const attn_cudnn_layout *at)
{
    const tensor Q = heads_tensor(g, ID_Q, at->Q), Kt = heads_transposed(g, ID_K, at->K);
    const tensor V = heads_tensor(g, ID_V, at->V);
    tensor S = inner(g, CUDNN_DATA_FLOAT, g->T, g->T);
    matmul(g, Q, Kt, S, "Q K'");
    S = pointwise(g, CUDNN_POINTWISE_MUL, S, constant(g, ID_SCALE), CUDNN_DATA_FLOAT, "scale");
    if (causal) S = masked(g, S);
    const tensor top = reduce(g, CUDNN_REDUCE_TENSOR_MAX, S, "max");
    S = pointwise(g, CUDNN_POINTWISE_SUB, S, top, CUDNN_DATA_FLOAT, "S - max");
    const tensor E = function(g, CUDNN_POINTWISE_EXP, S, "exp");
    const tensor Z = reduce(g, CUDNN_REDUCE_TENSOR_ADD, E, "sum"), log_Z = function(g, CUDNN_POINTWISE_LOG, Z, "log");
    pointwise_node(g, CUDNN_POINTWISE_ADD, &top, &log_Z, NULL, row_numbers(g, ID_LSE), 0, "lse");
    const tensor P = pointwise(g, CUDNN_POINTWISE_DIV, E, Z, CUDNN_DATA_BFLOAT16, "P");
    matmul(g, P, V, heads_tensor(g, ID_O, at->O), "P V");
}

static void backward_graph(graph *g, bool causal, const attn_cudnn_layout *at)
{
    const tensor Q = heads_tensor(g, ID_Q, at->Q), Kt = heads_transposed(g, ID_K, at->K);
    const tensor Vt = heads_transposed(g, ID_V, at->V), O = heads_tensor(g, ID_O, at->O);
    const tensor dO = heads_tensor(g, ID_DO, at->dO);
    const tensor scale = constant(g, ID_SCALE), one = constant(g, ID_ONE), delta = row_numbers(g, ID_DELTA);

    const tensor both = pointwise(g, CUDNN_POINTWISE_MUL, dO, O, CUDNN_DATA_FLOAT, "dO o O");
    const tensor sum = reduce(g, CUDNN_REDUCE_TENSOR_ADD, both, "sum dO o O");
    pointwise_node(g, CUDNN_POINTWISE_MUL, &sum, &one, NULL, delta, 0, "delta");

    tensor S = inner(g, CUDNN_DATA_FLOAT, g->T, g->T);
    matmul(g, Q, Kt, S, "Q K'");
    S = pointwise(g, CUDNN_POINTWISE_MUL, S, scale, CUDNN_DATA_FLOAT, "scale");
    S = pointwise(g, CUDNN_POINTWISE_SUB, S, row_numbers(g, ID_LSE), CUDNN_DATA_FLOAT, "S - lse");
    if (causal) S = masked(g, S);
    const tensor P = function(g, CUDNN_POINTWISE_EXP, S, "P");
    matmul(g, transpose(g, P, "P'"), dO, heads_tensor(g, ID_DV, at->dV), "P' dO");

    tensor dS = inner(g, CUDNN_DATA_FLOAT, g->T, g->T);
    matmul(g, dO, Vt, dS, "dO V'");
    dS = pointwise(g, CUDNN_POINTWISE_SUB, dS, delta, CUDNN_DATA_FLOAT, "dP - delta");
    dS = pointwise(g, CUDNN_POINTWISE_MUL, dS, P, CUDNN_DATA_FLOAT, "dS");
    /* bf16 where dQ = dS K follows as a product of its own: the deterministic form */
    dS = pointwise(g, CUDNN_POINTWISE_MUL, dS, scale, CUDNN_DATA_BFLOAT16, "scale dS");
    matmul(g, transpose(g, dS, "dS'"), Q, heads_tensor(g, ID_DK, at->dK), "dS' Q");
    matmul(g, dS, transpose(g, Kt, "K"), heads_tensor(g, ID_DQ, at->dQ), "dS K");
}

/* ---- from graph to plan ------------------------------------------------------------------------------------ */

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"          /* the two attributes that take the handle */

/* handle: of the device to run on; or device: a description of one (to try without). */
typedef struct { cudnnHandle_t handle; thing device; } target;

static thing operation_graph(graph *g, const target *on)
{
    thing x = make(g, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR, "operation graph");
    set(g, x, CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR, g->nodes, g->node, "operations");
    if (on->handle) set(g, x, CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, 1, &on->handle, "graph's handle");
    finish(g, x, "operation graph");
    return x;
}

enum { OFFERS = 8 };

/* Up to OFFERS engine configurations, the best first; their number. */
static int offers(graph *g, const target *on, thing config[OFFERS])
{
    thing operations = operation_graph(g, on), x = make(g, CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR, "heuristics");
    const cudnnBackendHeurMode_t mode = CUDNN_HEUR_MODE_A;
    set_thing(g, x, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, operations, "heuristics' graph");
    set(g, x, CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, 1, &mode, "heuristics' mode");
    if (on->device) set_thing(g, x, CUDNN_ATTR_ENGINEHEUR_DEVICEPROP, on->device, "heuristics' device");
    finish(g, x, "heuristics");
    int64_t n = 0;
    for (int i = 0; i < OFFERS; i++) config[i] = make(g, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, "configuration");
    if (!g->bad) g->bad = failed(cudnn.get(x, CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, OFFERS, &n,
                                           config), "heuristics' results");
    if (!g->bad && n == 0) snprintf(why, sizeof why, "cuDNN offers no engine for this graph");
    return g->bad ? 0 : (int)n;
}

static bool deterministic(graph *g, thing config)
{
    thing engine = make(g, CUDNN_BACKEND_ENGINE_DESCRIPTOR, "engine");
    cudnnBackendNumericalNote_t note[CUDNN_NUMERICAL_NOTE_TYPE_COUNT];
    int64_t n = 0;
    if (g->bad || cudnn.get(config, CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &n, &engine)
        || cudnn.get(engine, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE,
                     CUDNN_NUMERICAL_NOTE_TYPE_COUNT, &n, note)) return false;
    for (int64_t i = 0; i < n; i++) if (note[i] == CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC) return false;
    return true;
}

/* A plan, to be destroyed by the caller; NULL when it cannot be made. */
static thing plan_of(const target *on, thing config)
{
    thing x = NULL;
    if (failed(cudnn.create(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR, &x), "plan")) return NULL;
    if ((on->handle && failed(cudnn.set(x, CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, 1, &on->handle),
                              "plan's handle"))
        || (on->device && failed(cudnn.set(x, CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1,
                                           &on->device), "plan's device"))
        || failed(cudnn.set(x, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &config),
                  "plan's configuration")
        || failed(cudnn.finalize(x), "plan")) {
        cudnn.destroy(x);
        return NULL;
    }
    return x;
}

static graph graph_of(bool back, const attn_shape *s, const attn_cudnn_layout *at)
{
    graph g = { .B = s->B, .H = s->H, .T = s->T, .D = s->D };
    if (back) backward_graph(&g, s->causal, at);
    else forward_graph(&g, s->causal, at);
    return g;
}

int attn_cudnn_try(const char *json, bool back, const attn_shape *s, const attn_cudnn_layout *at, int *nodes,
                   int *compiled)
{
    *nodes = *compiled = 0;
    if (!library()) return 0;
    target on = { 0 };
    graph g = { 0 };
    on.device = make(&g, CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR, "device");
    set(&g, on.device, CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION, CUDNN_TYPE_CHAR, (int64_t)strlen(json) + 1, json,
        "device from JSON");
    finish(&g, on.device, "device");
    if (g.bad) { graph_free(&g); return 0; }
    graph of = graph_of(back, s, at);
    thing config[OFFERS];
    int good = 0;
    const int n = offers(&of, &on, config);
    for (int i = 0; i < n; i++) {
        if (back && !deterministic(&of, config[i])) continue;
        good++;
        why[0] = 0;
        thing plan = plan_of(&on, config[i]);
        if (plan) cudnn.destroy(plan);
        *compiled += plan || strstr(why, "cuLibraryLoadData") || strstr(why, "cuModuleLoadData");
    }
    *nodes = of.nodes;
    graph_free(&of);
    graph_free(&g);
    return good;
}

/* ---- the plan cache ------------------------------------------------------------------------------------------ */

typedef struct { bool back; attn_shape s; attn_cudnn_layout at; } attn_key;
typedef struct { attn_key key; thing plan; int64_t workspace; } cached_plan;      /* plan NULL: refused */

static cached_plan *plans;
static size_t nplans;
static cudnnHandle_t handle;

static bool handle_open(void)
{
    static bool tried = false;
    if (!library()) return false;
    if (!tried) {
        tried = true;
        if (failed(cudnn.open(&handle), "cudnnCreate")) handle = NULL;
    }
    return handle != NULL;
}

static void put_strides(heads *to, long row, long head)
{
    to->row = row;
    to->head = head;
}

static bool same_strides(heads a, heads b) { return a.row == b.row && a.head == b.head; }

/* Addresses and the scale do not matter: they are given with each call. */
static bool same_key(const attn_key *a, const attn_key *b)
{
    const attn_cudnn_layout *x = &a->at, *y = &b->at;
    return a->back == b->back && a->s.B == b->s.B && a->s.T == b->s.T && a->s.H == b->s.H && a->s.D == b->s.D &&
           a->s.causal == b->s.causal && same_strides(x->Q, y->Q) && same_strides(x->K, y->K) &&
           same_strides(x->V, y->V) && same_strides(x->O, y->O) && same_strides(x->dO, y->dO) &&
           same_strides(x->dQ, y->dQ) && same_strides(x->dK, y->dK) && same_strides(x->dV, y->dV);
}

static const cached_plan *plan_for(const attn_key *key)
{
    for (size_t i = 0; i < nplans; i++) if (same_key(&plans[i].key, key)) return plans + i;
    cached_plan new = { .key = *key };
    const target on = { .handle = handle };
    graph g = graph_of(key->back, &key->s, &key->at);
    thing config[OFFERS];
    const int n = offers(&g, &on, config);
    bool tried = false;
    for (int i = 0; i < n && !new.plan; i++) {
        if (key->back && !deterministic(&g, config[i])) continue;
        tried = true;
        new.plan = plan_of(&on, config[i]);
    }
    if (n > 0 && !tried && !g.bad) snprintf(why, sizeof why, "cuDNN has no deterministic engine for this shape");
    graph_free(&g);
    int64_t one = 0;
    if (new.plan && failed(cudnn.get(new.plan, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1, &one,
                                     &new.workspace), "workspace")) {
        cudnn.destroy(new.plan);
        new.plan = NULL;
    }
    plans = must_realloc(plans, nplans + 1, sizeof *plans);
    plans[nplans] = new;
    return plans + nplans++;
}

static void key_begin(attn_key *k, bool back, const attn_shape *s)
{
    memset(k, 0, sizeof *k);
    k->back = back;
    k->s.B = s->B;
    k->s.T = s->T;
    k->s.H = s->H;
    k->s.D = s->D;
    k->s.causal = s->causal;             /* the scale is given with each call */
}

static size_t delta_bytes(const attn_shape *s)
{
    return ((size_t)(s->B * s->H * s->T) * sizeof(float) + 255) / 256 * 256;
}

/* Q, K, V side by side, as the models have them: workspaces do not depend on strides (checked in each call). */
size_t attn_cudnn_work(const attn_shape *s)
{
    if (!handle_open()) return 0;
    size_t most = 0;
    for (int back = 0; back < 2; back++) {
        attn_key k;
        key_begin(&k, back, s);
        heads *wide[] = { &k.at.Q, &k.at.K, &k.at.V }, *thin[] = { &k.at.O, &k.at.dO };
        heads *gradient[] = { &k.at.dQ, &k.at.dK, &k.at.dV };
        for (int i = 0; i < 3; i++) put_strides(wide[i], 3 * s->H * s->D, s->D);
        for (int i = 0; i < 1 + back; i++) put_strides(thin[i], s->H * s->D, s->D);
        for (int i = 0; i < 3 && back; i++) put_strides(gradient[i], 3 * s->H * s->D, s->D);
        const cached_plan *p = plan_for(&k);
        if (!p->plan) return 0;
        if ((size_t)p->workspace > most) most = (size_t)p->workspace;
    }
    return delta_bytes(s) + most;
}

static bool run(const attn_key *key, const attn_shape *s, int n, const int64_t *id, void *const *memory, void *work,
                void *stream)
{
    for (int i = 0; i < n; i++) if ((uintptr_t)memory[i] % 16 && id[i] < ID_SCALE) {
        snprintf(why, sizeof why, "an address is not a multiple of 16");
        return false;
    }
    const cached_plan *p = plan_for(key);
    if (!p->plan) return false;
    if (delta_bytes(s) + (size_t)p->workspace > s->room) {
        snprintf(why, sizeof why, "these strides need a workspace of %lld bytes", (long long)p->workspace);
        return false;
    }
    graph g = { 0 };
    void *workspace = (char *)work + delta_bytes(s);
    thing pack = make(&g, CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR, "variant pack");
    set(&g, pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, n, id, "ids");
    set(&g, pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, n, memory, "addresses");
    set(&g, pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, &workspace, "workspace");
    finish(&g, pack, "variant pack");
    if (!g.bad) g.bad = failed(cudnn.set_stream(handle, stream), "stream");
    if (!g.bad && failed(cudnn.execute(handle, p->plan, pack), "execute")) die("cuDNN: %s", why);
    graph_free(&g);
    return !g.bad;
}

static void *plain(const void *p) { return (void *)(uintptr_t)p; }

bool attn_cudnn_fwd(heads_out O, float *lse, heads Q, heads K, heads V, const attn_shape *s, void *work, void *stream)
{
    if (O.add) { snprintf(why, sizeof why, "cuDNN does not add to its outputs"); return false; }
    if (!handle_open()) return false;
    attn_key k;
    key_begin(&k, false, s);
    put_strides(&k.at.Q, Q.row, Q.head);
    put_strides(&k.at.K, K.row, K.head);
    put_strides(&k.at.V, V.row, V.head);
    put_strides(&k.at.O, O.row, O.head);
    float scale = (float)s->scale, least = -FLT_MAX;
    const int64_t id[] = { ID_Q, ID_K, ID_V, ID_O, ID_LSE, ID_SCALE, ID_LEAST };
    void *const memory[] = { plain(Q.p), plain(K.p), plain(V.p), O.p, lse, &scale, &least };
    return run(&k, s, s->causal ? 7 : 6, id, memory, work, stream);
}

bool attn_cudnn_bwd(heads_out dQ, heads_out dK, heads_out dV, heads dO, heads O, const float *lse,
                    heads Q, heads K, heads V, const attn_shape *s, void *work, void *stream)
{
    if (dQ.add || dK.add || dV.add) { snprintf(why, sizeof why, "cuDNN does not add to its outputs"); return false; }
    if (!handle_open()) return false;
    attn_key k;
    key_begin(&k, true, s);
    put_strides(&k.at.Q, Q.row, Q.head);
    put_strides(&k.at.K, K.row, K.head);
    put_strides(&k.at.V, V.row, V.head);
    put_strides(&k.at.O, O.row, O.head);
    put_strides(&k.at.dO, dO.row, dO.head);
    put_strides(&k.at.dQ, dQ.row, dQ.head);
    put_strides(&k.at.dK, dK.row, dK.head);
    put_strides(&k.at.dV, dV.row, dV.head);
    float scale = (float)s->scale, one = 1, least = -FLT_MAX;
    const int64_t id[] = { ID_Q, ID_K, ID_V, ID_O, ID_DO, ID_LSE, ID_DQ, ID_DK, ID_DV, ID_DELTA,
                           ID_SCALE, ID_ONE, ID_LEAST };
    void *const memory[] = { plain(Q.p), plain(K.p), plain(V.p), plain(O.p), plain(dO.p), plain(lse), dQ.p, dK.p, dV.p,
                             work, &scale, &one, &least };
    return run(&k, s, s->causal ? 13 : 12, id, memory, work, stream);
}

#else                                    /* built without cuDNN's headers */
const char *attn_cudnn_why(void) { return "built without cuDNN's headers"; }
int attn_cudnn_try(const char *json, bool back, const attn_shape *s, const attn_cudnn_layout *at, int *nodes,
                   int *compiled)
{
    (void)json; (void)back; (void)s; (void)at;
    return *nodes = *compiled = 0;
}
size_t attn_cudnn_work(const attn_shape *s) { (void)s; return 0; }
bool attn_cudnn_fwd(heads_out O, float *lse, heads Q, heads K, heads V, const attn_shape *s, void *work, void *stream)
{
    (void)O; (void)lse; (void)Q; (void)K; (void)V; (void)s; (void)work; (void)stream;
    return false;
}
bool attn_cudnn_bwd(heads_out dQ, heads_out dK, heads_out dV, heads dO, heads O, const float *lse,
                    heads Q, heads K, heads V, const attn_shape *s, void *work, void *stream)
{
    (void)dQ; (void)dK; (void)dV; (void)dO; (void)O; (void)lse; (void)Q; (void)K; (void)V; (void)s; (void)work;
    (void)stream;
    return false;
}
#endif
