/* SPDX-License-Identifier: GPL-3.0-or-later
 * dual.c - the forward pass of src/model/model.c over dual matrices: see dual.h. */
#include "src/model/dual.h"
#include <string.h>

static const mat *sum_of(scope *s, const mat *A, const mat *B) { return !A ? B : !B ? A : mat_add(s, A, B); }

static dual add(scope *s, dual A, dual B) { return (dual){ mat_add(s, A.v, B.v), sum_of(s, A.d, B.d) }; }

static dual mul(scope *s, dual A, dual B)
{
    return (dual){ mat_mul(s, A.v, B.v),
                   sum_of(s, A.d ? mat_mul(s, A.d, B.v) : NULL, B.d ? mat_mul(s, A.v, B.d) : NULL) };
}

static dual transposed(scope *s, dual A) { return (dual){ mat_t(s, A.v), A.d ? mat_t(s, A.d) : NULL }; }

static dual cols(scope *s, dual A, long j, long n)
{
    return (dual){ mat_cols(s, A.v, j, n), A.d ? mat_cols(s, A.d, j, n) : NULL };
}

static dual hcat(scope *s, long n, const dual part[])
{
    const mat *v[MAX_HEADS], *d[MAX_HEADS];
    bool moves = false;
    for (long k = 0; k < n; k++) {
        v[k] = part[k].v;
        moves |= part[k].d != NULL;
        d[k] = part[k].d ? part[k].d : mat_zero(s, part[k].v->rows, part[k].v->cols);
    }
    return (dual){ mat_hcat(s, n, v), moves ? mat_hcat(s, n, d) : NULL };
}

/* c A on the visible entries, 0 on the others */
static const mat *scaled_visible(scope *s, const mat *A, const rowmap *how)
{
    rowmap linear = *how;
    linear.kind = ROWMAP_LINEAR;
    return mat_rowmap(s, A, &linear, (place){ 0, PLACE_ATTENTION, 0 });
}

static dual row_map(scope *s, dual A, const rowmap *how, place at)
{
    const mat *P = mat_rowmap(s, A.v, how, at);
    if (!A.d) return (dual){ P, NULL };
    const mat *d = scaled_visible(s, A.d, how);
    if (how->kind == ROWMAP_LINEAR) return (dual){ P, d };
    const mat *weighted = mat_hadamard(s, P, d), *ones = mat_ones(s, P->cols, 1);
    return (dual){ P, mat_sub(s, weighted, mat_scale_rows(s, mat_mul(s, weighted, ones), P)) };
}

static dual activate(scope *s, dual A, activation kind, place at)
{
    const mat *Y = mat_phi(s, A.v, kind, at);
    if (!A.d || kind == ACT_IDENTITY) return (dual){ Y, A.d };
    const mat *slope = mat_sub(s, mat_ones(s, Y->rows, Y->cols), mat_hadamard(s, Y, Y));
    return (dual){ Y, mat_hadamard(s, slope, A.d) };
}

/* Value and derivative of half a layer. */
static dual of_layer(scope *s, const model *M, long i, layer_half half, dual A)
{
    model_note_layer(s, M, i, half, M->s.n, A.v);
    if (A.d) model_note_layer(s, M, i, half, M->s.n, A.d);
    return A;
}

static dual of_end(scope *s, const model *M, bool head, dual A)
{
    model_note_end(s, M, head, A.v);
    if (A.d) model_note_end(s, M, head, A.d);
    return A;
}

static dual attend(scope *s, const model *M, const layer *W, const layer *H, long i, dual X)
{
    const shape *sh = &M->s;
    const rowmap how = { .kind = sh->attention, .visible = M->visible,
                         .scale_num = sh->scale_num, .scale_den = sh->scale_den };
    const dual Q = mul(s, X, (dual){ W->Q, H->Q }), K = mul(s, X, (dual){ W->K, H->K });
    const dual V = mul(s, X, (dual){ W->V, H->V });
    dual head[MAX_HEADS];
    for (long a = 0; a < sh->h; a++) {
        const long g = a / (sh->h / sh->h_kv);
        const dual k = cols(s, K, g * sh->dk, sh->dk), v = cols(s, V, g * sh->dk, sh->dk);
        const dual scores = mul(s, cols(s, Q, a * sh->dk, sh->dk), transposed(s, k));
        head[a] = mul(s, row_map(s, scores, &how, (place){ (int)i, PLACE_ATTENTION, (int)a }), v);
    }
    return mul(s, of_layer(s, M, i, HALF_ATTENTION, hcat(s, sh->h, head)), (dual){ W->O, H->O });
}

dual dual_derivative(scope *s, const model *M, const model *along)
{
    const shape *sh = &M->s;
    REQUIRE(sh->norm == NORM_NONE && !sh->biases && !sh->gated && !sh->experts && !sh->rope && !sh->qk_norm && !sh->tied
            && !sh->parallel && !sh->shared && !sh->no_positions,
            "a derivative with switches that dual.h does not have");
    REQUIRE(sh->act == ACT_TANH || sh->act == ACT_IDENTITY, "the derivative of activation %d", (int)sh->act);
    const dual T = { M->tokens, NULL };
    const drawn_by whose = scope_draws(s, DRAWN_BY_MODEL);
    dual X = add(s, of_end(s, M, false, mul(s, T, (dual){ M->E, along->E })), (dual){ M->P, along->P });
    model_note_depth(s, sh->L);
    for (long i = 0; i < sh->L; i++) {
        const layer *W = &M->at[i], *H = &along->at[i];
        const dual A = attend(s, M, W, H, i, X), Y = sh->attn_skip ? add(s, X, A) : A;
        const mlp *F = &W->expert[0], *G = &H->expert[0];
        const dual up = mul(s, Y, (dual){ F->up, G->up });
        const dual hidden = activate(s, up, sh->act, (place){ (int)i, PLACE_MLP, 0 });
        const dual out = of_layer(s, M, i, HALF_MLP, mul(s, hidden, (dual){ F->down, G->down }));
        X = sh->mlp_skip ? add(s, Y, out) : out;
    }
    const dual logits = of_end(s, M, true, mul(s, X, (dual){ M->head, along->head }));
    s->draws = whose;
    return (dual){ logits.v, logits.d ? logits.d : mat_zero(s, logits.v->rows, logits.v->cols) };
}

model dual_no_direction(const model *M)
{
    model none;
    memset(&none, 0, sizeof none);
    none.s = M->s;
    return none;
}

const mat **dual_weight(model *M, long i, weight_kind which)
{
    layer *W = &M->at[i];
    const mat **const all[WEIGHTS] = { [QUERY] = &W->Q, [KEY] = &W->K, [VALUE] = &W->V, [OUTPUT] = &W->O,
                                       [UP] = &W->expert[0].up, [DOWN] = &W->expert[0].down,
                                       [EMBED] = &M->E, [PLACES] = &M->P, [HEAD] = &M->head };
    return all[which];
}

bool dual_weight_writes(weight_kind which)
{
    return which == OUTPUT || which == DOWN || which == EMBED || which == PLACES;
}

const mat *dual_gradient(scope *s, model *M, long i, weight_kind which, const mat *Y)
{
    const mat *W = *dual_weight(M, i, which), *error = mat_sub(s, model_forward(s, M), Y);
    const mat *left = mat_ones(s, 1, Y->rows), *right = mat_ones(s, Y->cols, 1);
    const mat *G = NULL;
    for (long r = 0; r < W->rows; r++) {
        const mat *row = NULL;
        for (long c = 0; c < W->cols; c++) {
            model along = dual_no_direction(M);
            long *unit = scope_alloc(s, (size_t)(W->rows * W->cols) * sizeof *unit);
            unit[r * W->cols + c] = 1;
            *dual_weight(&along, i, which) = mat_from_si(s, W->rows, W->cols, unit);
            const mat *entry = mat_mul3(s, left, mat_hadamard(s, error, dual_derivative(s, M, &along).d), right);
            row = row ? mat_hcat(s, 2, (const mat *const[]){ row, entry }) : entry;
        }
        G = G ? mat_vcat(s, 2, (const mat *const[]){ G, row }) : row;
    }
    return G;
}
