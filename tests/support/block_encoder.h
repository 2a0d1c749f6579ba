/* SPDX-License-Identifier: GPL-3.0-or-later
 * block_encoder.h - a plain encoder of the block types of GGUF, for tests: least and largest numbers make the scales, and
 * each code is the nearest one.  Between block_choose and block_pack a test may change what is stored. */
#ifndef BLOCK_ENCODER_H
#define BLOCK_ENCODER_H
#include <stddef.h>
#include <stdint.h>
#include "src/base/text.h"
#include "src/checkpoint/quantised.h"

/* d, m: as half floats hold them; m is also dmin.  sc, sm: of each group. */
typedef struct { double d, m; int sc[16], sm[16], code[256]; } block_parts;

uint16_t    block_half(double x);                        /* the nearest half float, ties to even                */
double      block_of_half(uint16_t bits);
block_parts block_choose(const block_type *type, const double *x);       /* of type->numbers numbers            */
void        block_pack(const block_type *type, const block_parts *p, unsigned char *to);        /* type->bytes  */
/* n numbers, a multiple of a block's, behind what is there. */
void        block_encode(text_buffer *to, const block_type *type, const double *x, size_t n);
#endif
