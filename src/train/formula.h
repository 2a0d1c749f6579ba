/* SPDX-License-Identifier: GPL-3.0-or-later
 * formula.h - formulas of one number, compiled for the CPU and for CUDA alike, in float and in double. */
#ifndef TRAIN_FORMULA_H
#define TRAIN_FORMULA_H
#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __CUDACC__
#define BOTH __host__ __device__ static inline
#else
#define BOTH static inline
#endif

/* exp(x) for x <= 0, relative error about 2^-22 down to x = -87, then 0.  On a GPU 2^t is one instruction, of an error
 * below 2^-22; x / log 2 = t + rest, and 2^rest = 1 + rest log 2. */
#ifdef __CUDA_ARCH__
BOTH float exp2_f32(float t)
{
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(t));
    return power;
}
BOTH float exp_nonpositive_f32(float x)
{
    const float log2_e = 1.44269504f, t = x * log2_e, rest = __fmaf_rn(x, log2_e, -t) + x * 1.92596299e-8f;
    const float power = exp2_f32(t);
    return x < -87.0f ? 0.0f : __fmaf_rn(power, rest * 0.693147181f, power);
}
#else
BOTH float exp2_f32(float t) { return exp2f(t); }
/* Without a call, so that loops vectorise: x = k log 2 + r, |r| <= log(2)/2, exp(r) by its Taylor polynomial of degree
 * 7 (remainder below 2^-27), 2^k by the exponent's bits. */
BOTH float exp_nonpositive_f32(float x)
{
    const float t = x < -87.0f ? -87.0f : x;
    const float shifted = t * 1.44269504f + 12582912.0f;               /* 1.5 2^23: rounds to an integer */
    const float k = shifted - 12582912.0f;
    const float r = (t - k * 0.693145752f) - k * 1.42860677e-6f;       /* log 2 in two parts */
    float p = 1.0f / 5040;
    p = p * r + 1.0f / 720;
    p = p * r + 1.0f / 120;
    p = p * r + 1.0f / 24;
    p = p * r + 1.0f / 6;
    p = p * r + 0.5f;
    p = p * r + 1.0f;
    p = p * r + 1.0f;
    int32_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (int32_t)((uint32_t)(bits + 127) << 23);                    /* the low bits of `shifted` are k */
    float power;
    memcpy(&power, &bits, sizeof power);
    return x < -87.0f ? 0.0f : p * power;
}
#endif
BOTH double exp_nonpositive_f64(double x) { return exp(x); }

/* Phi(y), the normal distribution function, = erfc(-y / sqrt 2) / 2, with GELU(y) = y Phi(y) and
 * GELU'(y) = Phi(y) + y phi(y). */
BOTH double normal_cdf_f64(double y) { return 0.5 * erfc(-y * 0.70710678118654752440); }
BOTH double gelu_f64(double y)  { return y * normal_cdf_f64(y); }
BOTH double dgelu_f64(double y) { return normal_cdf_f64(y) + y * 0.39894228040143267794 * exp(-0.5 * y * y); }
/* In float Phi(-|y|) = exp(-y^2/2) t Q(t), t = 1 / (1 + 0.26 |y|): Phi and phi share one exponential.  Q, of degree 8,
 * is the quotient at Chebyshev's nodes of 0 <= |y| <= 14, and between them within 7e-8 of it.  A GPU's t is within
 * 2^-23. */
#ifdef __CUDA_ARCH__
BOTH float tail_argument_f32(float y)
{
    float t;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(t) : "f"(__fmaf_rn(fabsf(y), 0.26f, 1.0f)));
    return t;
}
BOTH float normal_bell_f32(float y)   { return exp2_f32(y * y * -0.721347520f); }
BOTH float positive_part_f32(float y) { return fmaxf(y, 0.0f); }
#else
BOTH float tail_argument_f32(float y) { return 1.0f / (1.0f + 0.26f * fabsf(y)); }
BOTH float normal_bell_f32(float y)   { return exp_nonpositive_f32(-0.5f * y * y); }
BOTH float positive_part_f32(float y) { return y > 0 ? y : 0.0f; }     /* fmaxf would be a call */
#endif
BOTH float normal_tail_f32(float y, float bell)                            /* bell = exp(-y^2/2) */
{
    const float t = tail_argument_f32(y);
    float q = 0.0321890587f;
    q = q * t - 0.160858160f;
    q = q * t + 0.267731232f;
    q = q * t - 0.169100441f;
    q = q * t + 0.173176696f;
    q = q * t + 0.0459559995f;
    q = q * t + 0.104291785f;
    q = q * t + 0.102844979f;
    q = q * t + 0.103768854f;
    return bell * t * q;
}
BOTH float gelu_f32(float y) { return positive_part_f32(y) - fabsf(y) * normal_tail_f32(y, normal_bell_f32(y)); }
BOTH float dgelu_f32(float y)
{
    const float bell = normal_bell_f32(y), tail = normal_tail_f32(y, bell);
    return (y > 0 ? 1.0f - tail : tail) + y * 0.398942280f * bell;
}

/* LayerNorm of one number, and its gradient's share: with z the normed number and e = dy gain,
 * dx = rstd (e - mean(e) - z mean(e z)). */
BOTH float  normed_f32(float x, float mean, float rstd)    { return (x - mean) * rstd; }
BOTH double normed_f64(double x, double mean, double rstd) { return (x - mean) * rstd; }
BOTH float  norm_slope_f32(float e, float z, float e_mean, float ez_mean, float rstd)
{
    return rstd * (e - e_mean - z * ez_mean);
}
BOTH double norm_slope_f64(double e, double z, double e_mean, double ez_mean, double rstd)
{
    return rstd * (e - e_mean - z * ez_mean);
}

/* Softmax's gradient at one score: P probability, dP its gradient, delta = sum of P dP over the row. */
BOTH float  score_slope_f32(float P, float dP, float delta, float scale)     { return scale * P * (dP - delta); }
BOTH double score_slope_f64(double P, double dP, double delta, double scale) { return scale * P * (dP - delta); }

/* Largest number of a part of a row, and the sum of exp(x - top) over it: parts are put together in one pass
 * over the row (Milakov & Gimelshein 2018).  The empty part's top is finite, so that no difference is NaN. */
typedef struct { float top, sum; } soft_f32;
BOTH soft_f32 soft_empty_f32(void)
{
    const soft_f32 none = { -3e38f, 0.0f };
    return none;
}
BOTH soft_f32 soft_merged_f32(soft_f32 a, soft_f32 b)
{
    soft_f32 s;
    s.top = a.top > b.top ? a.top : b.top;
    s.sum = a.sum * exp_nonpositive_f32(a.top - s.top) + b.sum * exp_nonpositive_f32(b.top - s.top);
    return s;
}

/* bfloat16, the upper half of a float: its value, and a float rounded to it, ties to even. */
BOTH float bf16_value(uint16_t bits)
{
    const uint32_t word = (uint32_t)bits << 16;
    float x;
    memcpy(&x, &word, sizeof x);
    return x;
}
BOTH uint16_t bf16_rounded(float x)
{
    uint32_t word;
    memcpy(&word, &x, sizeof word);
    if ((word & 0x7fffffffu) > 0x7f800000u) return (uint16_t)(word >> 16 | 0x40u);      /* stays NaN */
    return (uint16_t)((word + 0x7fffu + (word >> 16 & 1u)) >> 16);
}

/* One parameter of AdamW: m, v are the running means of g and g^2.  What does not depend on the parameter stands
 * in brackets, so that a loop has one root and one division. */
BOTH double adamw_one(double w, double *m, double *v, double g, double lr, double beta1, double beta2, double eps,
                      double decay, double bias1, double bias2)
{
    *m = beta1 * *m + (1 - beta1) * g;
    *v = beta2 * *v + (1 - beta2) * g * g;
    return w * (1 - lr * decay) - (lr / bias1) * *m / (sqrt(*v) * (1 / sqrt(bias2)) + eps);
}

/* Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011): four random words from a counter and a key. */
BOTH void philox4x32(uint32_t out[4], const uint32_t counter[4], const uint32_t key[2])
{
    uint32_t x[4] = { counter[0], counter[1], counter[2], counter[3] }, k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; round++) {
        const uint64_t a = (uint64_t)0xD2511F53u * x[0], b = (uint64_t)0xCD9E8D57u * x[2];
        const uint32_t y[4] = { (uint32_t)(b >> 32) ^ x[1] ^ k0, (uint32_t)b,
                                (uint32_t)(a >> 32) ^ x[3] ^ k1, (uint32_t)a };
        for (int i = 0; i < 4; i++) x[i] = y[i];
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    for (int i = 0; i < 4; i++) out[i] = x[i];
}
/* Two standard normal numbers from two words (Box & Muller 1958); never infinite, for u > 0. */
BOTH void normal_pair(double out[2], uint32_t a, uint32_t b)
{
    const double u = ((double)a + 0.5) * 0x1p-32, angle = 6.28318530717958647693 * (((double)b + 0.5) * 0x1p-32);
    const double radius = sqrt(-2 * log(u));
    out[0] = radius * cos(angle);
    out[1] = radius * sin(angle);
}

/* The same pair in float, without a call or a branch, so that loops vectorise.  bits_of and float_of: the same 32 bits
 * as the other type. */
BOTH uint32_t bits_of(float x) { uint32_t bits; memcpy(&bits, &x, sizeof bits); return bits; }
BOTH float float_of(uint32_t bits) { float x; memcpy(&x, &bits, sizeof x); return x; }

/* k log 2 + log(1 + f), sqrt(1/2) <= 1 + f < sqrt 2, by log(1 + f) = 2 artanh(s), s = f / (2 + f), |s| <= 0.172, its
 * series (remainder below 2^-28 of it). */
BOTH float log_of_parts_f32(float k, float f)
{
    const float s = f / (2.0f + f), z = s * s;
    float p = 2.0f / 9;
    p = p * z + 2.0f / 7;
    p = p * z + 2.0f / 5;
    p = p * z + 2.0f / 3;
    return k * 0.693147181f + (2 * s + s * z * p);
}
/* log((a + 1/2) / 2^32).  Where no power of two is taken out, f is counted down from 1, so that no digit of the
 * logarithm is lost near 0. */
BOTH float log_word_f32(uint32_t a)
{
    const uint32_t root = 0x3f3504f3u, top = 0u - (uint32_t)(a >= 0xb504f334u);       /* sqrt(1/2); all bits or none */
    const uint32_t above = bits_of(((float)a + 0.5f) * 0x1p-32f) - root;
    const float k = (float)((int32_t)(above & ~top) >> 23);
    const float below = float_of((above & 0x7fffffu) + root) - 1.0f, down = ((float)~a + 0.5f) * -0x1p-32f;
    const float f = float_of((bits_of(down) & top) | (bits_of(below) & ~top));
    return log_of_parts_f32(k, f);
}
/* log x, x >= 1, in the same way: sums of exponentials one of which is 1. */
BOTH float log_from_one_f32(float x)
{
    const uint32_t root = 0x3f3504f3u, above = bits_of(x) - root;
    const float k = (float)(int32_t)(above >> 23), f = float_of((above & 0x7fffffu) + root) - 1.0f;
    return log_of_parts_f32(k, f);
}
BOTH double log_from_one_f64(double x) { return log(x); }
/* The angle is q quarters of a turn and a rest |x| <= pi/4, split in whole numbers; sine and cosine of x by their
 * Taylor polynomials (remainders below 2^-25). */
BOTH void normal_pair_f32(float out[2], uint32_t a, uint32_t b)
{
    const float radius = sqrtf(-2.0f * log_word_f32(a));
    const uint32_t q = (b + 0x20000000u) >> 30;
    const float x = ((float)(int32_t)(b - (q << 30)) + 0.5f) * 1.46291808e-9f, z = x * x;      /* pi/2 2^-30 */
    float sine = 1.0f / 362880, cosine = 1.0f / 40320;
    sine = sine * z - 1.0f / 5040;
    sine = sine * z + 1.0f / 120;
    sine = sine * z - 1.0f / 6;
    sine = sine * z * x + x;
    cosine = cosine * z - 1.0f / 720;
    cosine = cosine * z + 1.0f / 24;
    cosine = cosine * z - 0.5f;
    cosine = cosine * z + 1.0f;
    const uint32_t exchange = (bits_of(sine) ^ bits_of(cosine)) & (0u - (q & 1));      /* odd q: sine and cosine */
    out[0] = radius * float_of(bits_of(cosine) ^ exchange ^ ((q + 1) & 2) << 30);      /* their signs            */
    out[1] = radius * float_of(bits_of(sine) ^ exchange ^ (q & 2) << 30);
}
#endif
