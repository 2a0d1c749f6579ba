/* SPDX-License-Identifier: GPL-3.0-or-later
 * lanes.c - what each lane does by itself.  A row: the opcode, the types of result and operands, and the value.
 * Numbers of 16 bits and predicates are kept in 32 bits, the upper ones 0.  Rounding is to nearest even, as the
 * host's; -ffp-contract=off keeps products and sums apart. */
#include <math.h>
#include <string.h>
#include "tests/ptx/ptx.h"

typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t  s32;
typedef int64_t  s64;
typedef float    f32;
typedef double   f64;

static f32 as_f32(u32 x) { f32 y; memcpy(&y, &x, 4); return y; }
static u32 of_f32(f32 x) { u32 y; memcpy(&y, &x, 4); return y; }
static f64 as_f64(u64 x) { f64 y; memcpy(&y, &x, 8); return y; }
static u64 of_f64(f64 x) { u64 y; memcpy(&y, &x, 8); return y; }

static u32 bf16_nearest(f32 x)
{
    const u32 u = of_f32(x);
    return isnan(x) ? 0x7fff : (u + 0x7fff + (u >> 16 & 1)) >> 16;
}
static f32 flushed(f32 x) { return fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x; }
/* The gross approximation: the upper half of 1/x, the lower 32 bits 0. */
static f64 reciprocal_start(f64 x)
{
    if (fpclassify(x) == FP_SUBNORMAL) x = copysign(0, x);
    const f64 y = 1 / x;
    return fpclassify(y) == FP_SUBNORMAL ? copysign(0, y) : as_f64(of_f64(y) & UINT64_C(0xffffffff00000000));
}
static f32 most_f32 (f32 a, f32 b) { return a == 0 && b == 0 ? as_f32(of_f32(a) & of_f32(b)) : fmaxf(a, b); }
static f32 least_f32(f32 a, f32 b) { return a == 0 && b == 0 ? as_f32(of_f32(a) | of_f32(b)) : fminf(a, b); }
static u32 field_put(u32 a, u32 b, u32 at, u32 length)               /* a in bits [at, at + length) of b */
{
    at &= 255;
    length &= 255;
    const u64 mask = ((UINT64_C(1) << (length > 32 ? 32 : length)) - 1) << (at > 32 ? 32 : at);
    return (u32)((b & ~mask) | (((u64)a << (at > 32 ? 32 : at)) & mask));
}
static u32 bytes_picked(u32 a, u32 b, u32 how)                       /* prmt without a mode */
{
    const u64 both = (u64)b << 32 | a;
    u32 y = 0;
    for (int k = 0; k < 4; k++) {
        const u32 which = how >> 4 * k & 15, x = (u32)(both >> 8 * (which & 7)) & 255;
        y |= (which & 8 ? (x & 128 ? 255u : 0) : x) << 8 * k;
    }
    return y;
}
static u32 any_of_three(u32 a, u32 b, u32 c, u32 table)              /* lop3 */
{
    u32 y = 0;
    for (int k = 0; k < 8; k++)
        if (table >> k & 1) y |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
    return y;
}
/* A shift by the width or more gives 0, or the sign. */
#define SHL(a, b, bits) ((b) >= (bits) ? 0 : (a) << (b))
#define SHR(a, b, bits) ((b) >= (bits) ? 0 : (a) >> (b))
#define SAR(a, b, bits) ((a) >> ((b) >= (bits) ? (bits) - 1 : (b)))
/* By 0: whatever the machine gives. */
#define DIV(a, b) ((b) == 0 ? ~(a) * 0 - 1 : (a) / (b))
#define REM(a, b) ((b) == 0 ? (a) : (a) % (b))
#define SDIV(a, b, u) ((b) == 0 ? -1 : (b) == -1 ? (__typeof__(a))(0 - (u)(a)) : (a) / (b))
#define SREM(a, b) ((b) == 0 ? (a) : (b) == -1 ? 0 : (a) % (b))

#define INTEGERS(n, s, u) \
    TWO(add_s##n, "add.s" #n, u, u, u, a + b) TWO(sub_s##n, "sub.s" #n, u, u, u, a - b) \
    TWO(mul_s##n, "mul.lo.s" #n, u, u, u, a * b) THREE(mad_s##n, "mad.lo.s" #n, u, u, u, u, a * b + c) \
    TWO(div_u##n, "div.u" #n, u, u, u, DIV(a, b)) TWO(rem_u##n, "rem.u" #n, u, u, u, REM(a, b)) \
    TWO(div_s##n, "div.s" #n, s, s, s, SDIV(a, b, u)) TWO(rem_s##n, "rem.s" #n, s, s, s, SREM(a, b)) \
    TWO(min_u##n, "min.u" #n, u, u, u, a < b ? a : b) TWO(max_u##n, "max.u" #n, u, u, u, a > b ? a : b) \
    TWO(min_s##n, "min.s" #n, s, s, s, a < b ? a : b) TWO(max_s##n, "max.s" #n, s, s, s, a > b ? a : b) \
    ONE(neg_s##n, "neg.s" #n, u, u, 0 - a) ONE(not_b##n, "not.b" #n, u, u, ~a) \
    TWO(and_b##n, "and.b" #n, u, u, u, a & b) TWO(or_b##n, "or.b" #n, u, u, u, a | b) TWO(xor_b##n, "xor.b" #n, u, u, u, a ^ b) \
    TWO(shl_b##n, "shl.b" #n, u, u, u32, SHL(a, b, n)) TWO(shr_u##n, "shr.u" #n, u, u, u32, SHR(a, b, n)) \
    TWO(shr_s##n, "shr.s" #n, s, s, u32, SAR(a, b, n)) \
    TWO(eq_s##n, "setp.eq.s" #n, u32, u, u, a == b) TWO(ne_s##n, "setp.ne.s" #n, u32, u, u, a != b) \
    TWO(lt_s##n, "setp.lt.s" #n, u32, s, s, a < b) TWO(le_s##n, "setp.le.s" #n, u32, s, s, a <= b) \
    TWO(gt_s##n, "setp.gt.s" #n, u32, s, s, a > b) TWO(ge_s##n, "setp.ge.s" #n, u32, s, s, a >= b) \
    TWO(lt_u##n, "setp.lt.u" #n, u32, u, u, a < b) TWO(le_u##n, "setp.le.u" #n, u32, u, u, a <= b) \
    TWO(gt_u##n, "setp.gt.u" #n, u32, u, u, a > b) TWO(ge_u##n, "setp.ge.u" #n, u32, u, u, a >= b)
#define FLOATS(n, t, fma, sqrt) \
    TWO(add_f##n, "add.f" #n, t, t, t, a + b) TWO(sub_f##n, "sub.f" #n, t, t, t, a - b) \
    TWO(mul_f##n, "mul.f" #n, t, t, t, a * b) THREE(fma_f##n, "fma.rn.f" #n, t, t, t, t, fma(a, b, c)) \
    TWO(addrn_f##n, "add.rn.f" #n, t, t, t, a + b) TWO(mulrn_f##n, "mul.rn.f" #n, t, t, t, a * b) \
    TWO(div_f##n, "div.rn.f" #n, t, t, t, a / b) ONE(rcp_f##n, "rcp.rn.f" #n, t, t, 1 / a) \
    ONE(sqrt_f##n, "sqrt.rn.f" #n, t, t, sqrt(a)) ONE(neg_f##n, "neg.f" #n, t, t, -a) \
    TWO(eq_f##n, "setp.eq.f" #n, u32, t, t, a == b) TWO(neu_f##n, "setp.neu.f" #n, u32, t, t, a != b) \
    TWO(ne_f##n, "setp.ne.f" #n, u32, t, t, a < b || a > b) TWO(nan_f##n, "setp.nan.f" #n, u32, t, t, isnan(a) || isnan(b)) \
    TWO(lt_f##n, "setp.lt.f" #n, u32, t, t, a < b) TWO(le_f##n, "setp.le.f" #n, u32, t, t, a <= b) \
    TWO(gt_f##n, "setp.gt.f" #n, u32, t, t, a > b) TWO(ge_f##n, "setp.ge.f" #n, u32, t, t, a >= b) \
    TWO(ltu_f##n, "setp.ltu.f" #n, u32, t, t, !(a >= b)) TWO(leu_f##n, "setp.leu.f" #n, u32, t, t, !(a > b)) \
    TWO(gtu_f##n, "setp.gtu.f" #n, u32, t, t, !(a <= b)) TWO(geu_f##n, "setp.geu.f" #n, u32, t, t, !(a < b))
#define OTHERS \
    ONE(abs_f32, "abs.f32", f32, f32, fabsf(a)) ONE(abs_f64, "abs.f64", f64, f64, fabs(a)) \
    TWO(max_f32, "max.f32", f32, f32, f32, most_f32(a, b)) TWO(min_f32, "min.f32", f32, f32, f32, least_f32(a, b)) \
    ONE(ex2, "ex2.approx.ftz.f32", f32, f32, flushed(exp2f(flushed(a)))) \
    ONE(rcp_fast, "rcp.approx.ftz.f32", f32, f32, flushed(1 / flushed(a))) \
    ONE(rcp_start, "rcp.approx.ftz.f64", f64, f64, reciprocal_start(a)) \
    TWO(wide_u32, "mul.wide.u32", u64, u32, u32, (u64)a * b) TWO(wide_s32, "mul.wide.s32", s64, s32, s32, (s64)a * b) \
    TWO(wide_u16, "mul.wide.u16", u32, u32, u32, (a & 0xffff) * (b & 0xffff)) \
    TWO(high_u32, "mul.hi.u32", u32, u32, u32, (u32)((u64)a * b >> 32)) \
    TWO(and_b16, "and.b16", u32, u32, u32, a & b & 0xffff) \
    TWO(eq_s16, "setp.eq.s16", u32, u32, u32, (a & 0xffff) == (b & 0xffff)) \
    TWO(ne_s16, "setp.ne.s16", u32, u32, u32, (a & 0xffff) != (b & 0xffff)) \
    TWO(eq_b32, "setp.eq.b32", u32, u32, u32, a == b) TWO(eq_b64, "setp.eq.b64", u32, u64, u64, a == b) \
    TWO(and_pred, "and.pred", u32, u32, u32, a & b) TWO(or_pred, "or.pred", u32, u32, u32, a | b) \
    TWO(xor_pred, "xor.pred", u32, u32, u32, a ^ b) ONE(not_pred, "not.pred", u32, u32, !a) \
    FOUR(bfi, "bfi.b32", u32, u32, u32, u32, u32, field_put(a, b, c, d)) \
    THREE(prmt, "prmt.b32", u32, u32, u32, u32, bytes_picked(a, b, c)) \
    FOUR(lop3, "lop3.b32", u32, u32, u32, u32, u32, any_of_three(a, b, c, d)) \
    ONE(u16_u32, "cvt.u16.u32", u32, u32, a & 0xffff) ONE(u32_u16, "cvt.u32.u16", u32, u32, a & 0xffff) \
    ONE(u16_u64, "cvt.u16.u64", u32, u64, (u32)a & 0xffff) ONE(u64_u16, "cvt.u64.u16", u64, u32, a & 0xffff) \
    ONE(u32_u64, "cvt.u32.u64", u32, u64, (u32)a) ONE(u64_u32, "cvt.u64.u32", u64, u32, a) \
    ONE(s64_s32, "cvt.s64.s32", s64, s32, a) \
    ONE(s64_wide, "cvt.s64.s32 of 64", s64, u64, (s32)(u32)a) \
    ONE(f64_f32, "cvt.f64.f32", f64, f32, (f64)a) ONE(f32_f64, "cvt.rn.f32.f64", f32, f64, (f32)a) \
    ONE(f32_s32, "cvt.rn.f32.s32", f32, s32, (f32)a) ONE(f32_u32, "cvt.rn.f32.u32", f32, u32, (f32)a) \
    ONE(f32_s64, "cvt.rn.f32.s64", f32, s64, (f32)a) ONE(f32_u64, "cvt.rn.f32.u64", f32, u64, (f32)a) \
    ONE(f32_u16, "cvt.rn.f32.u16", f32, u32, (f32)(a & 0xffff)) \
    ONE(f64_s64, "cvt.rn.f64.s64", f64, s64, (f64)a) ONE(f64_s32, "cvt.rn.f64.s32", f64, s32, (f64)a) \
    ONE(bf16_f32, "cvt.rn.bf16.f32", u32, f32, bf16_nearest(a)) \
    TWO(bf16x2, "cvt.rn.bf16x2.f32", u32, f32, f32, bf16_nearest(a) << 16 | bf16_nearest(b))
#define OPERATIONS INTEGERS(32, s32, u32) INTEGERS(64, s64, u64) FLOATS(32, f32, fmaf, sqrtf) FLOATS(64, f64, fma, sqrt) OTHERS

#define ONE(id, name, r, ta, ...)                 RUN(id, r, ta, ta, ta, ta, 1, __VA_ARGS__)
#define TWO(id, name, r, ta, tb, ...)             RUN(id, r, ta, tb, ta, ta, 2, __VA_ARGS__)
#define THREE(id, name, r, ta, tb, tc, ...)       RUN(id, r, ta, tb, tc, ta, 3, __VA_ARGS__)
#define FOUR(id, name, r, ta, tb, tc, td, ...)    RUN(id, r, ta, tb, tc, td, 4, __VA_ARGS__)
/* An operand that the operation does not have is read as the first one. */
#define RUN(id, r, ta, tb, tc, td, n, ...) \
    static void run_##id(warp *w, const instruction *i, uint32_t lanes) \
    { \
        r *y = SLOT(r, w, i->o[0]); \
        const ta *pa = SLOT(const ta, w, i->o[1]); \
        const tb *pb = SLOT(const tb, w, i->o[n > 1 ? 2 : 1]); \
        const tc *pc = SLOT(const tc, w, i->o[n > 2 ? 3 : 1]); \
        const td *pd = SLOT(const td, w, i->o[n > 3 ? 4 : 1]); \
        if (lanes == ALL_LANES) { \
            for (int l = 0; l < LANES; l++) { ONE_LANE(r, ta, tb, tc, td, __VA_ARGS__) } \
        } else \
            for (int l = 0; l < LANES; l++) if (lanes >> l & 1) { ONE_LANE(r, ta, tb, tc, td, __VA_ARGS__) } \
    }
#define ONE_LANE(r, ta, tb, tc, td, ...) \
    const ta a = pa[l]; const tb b = pb[l]; const tc c = pc[l]; const td d = pd[l]; \
    (void)a; (void)b; (void)c; (void)d; y[l] = (r)(__VA_ARGS__);
OPERATIONS
#undef ONE
#undef TWO
#undef THREE
#undef FOUR

#define ONE(id, name, r, ta, ...)              { name, run_##id, 1, { sizeof(r), sizeof(ta) } },
#define TWO(id, name, r, ta, tb, ...)          { name, run_##id, 2, { sizeof(r), sizeof(ta), sizeof(tb) } },
#define THREE(id, name, r, ta, tb, tc, ...)    { name, run_##id, 3, { sizeof(r), sizeof(ta), sizeof(tb), sizeof(tc) } },
#define FOUR(id, name, r, ta, tb, tc, td, ...) \
    { name, run_##id, 4, { sizeof(r), sizeof(ta), sizeof(tb), sizeof(tc), sizeof(td) } },
static const struct { const char *name; operation *run; int operands, bytes[5]; } table[] = { OPERATIONS };

operation *lanes_operation(const char *opcode, int bytes[5], int *operands)
{
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        if (strcmp(table[k].name, opcode) != 0) continue;
        memcpy(bytes, table[k].bytes, sizeof table[k].bytes);
        *operands = table[k].operands + 1;
        return table[k].run;
    }
    return NULL;
}
