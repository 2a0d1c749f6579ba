/* SPDX-License-Identifier: GPL-3.0-or-later
 * safetensors.h - weights in the file format that other programs read and write.
 *
 *   8 bytes      the length of the header, little-endian
 *   header       JSON: {"__metadata__": {NAME: TEXT, ...}, NAME: {"dtype": "F32", "shape": [2, 3],
 *                "data_offsets": [0, 24]}, ...}, blanks at its end; written so that the numbers begin at 8 k
 *   numbers      row-major, little-endian, without gaps; the offsets count from their beginning
 *
 * F32 is written; F32, F16 and BF16 are read, all of which a float holds exactly. */
#ifndef DATA_SAFETENSORS_H
#define DATA_SAFETENSORS_H
#include "src/base/base.h"

enum { SAFETENSORS_RANK = 8 };
typedef struct {
    char  *name;
    int    rank;                         /* 0: one number                                               */
    long   shape[SAFETENSORS_RANK];
    size_t n;                            /* product of shape                                            */
    float *x;
    char   type[16];                     /* as the file says, "BF16"; empty in one that is written      */
    size_t from, bytes;                  /* safetensors_index: where its numbers lie in the file        */
} safetensor;
typedef struct { char *name, *value; } safetensors_note;
typedef struct {
    safetensor       *tensor;            /* in the order of the file's header                           */
    long              tensors;
    safetensors_note *note;              /* __metadata__                                                */
    long              notes;
} safetensors;

/* Copies what it is given.  Contract: names are new, 1 to 255 bytes of UTF-8 without control characters. */
void safetensors_text  (safetensors *s, const char *name, const char *value);
void safetensors_tensor(safetensors *s, const char *name, int rank, const long *shape, const float *x);
const char       *safetensors_value(const safetensors *s, const char *name);      /* NULL: not there    */
const safetensor *safetensors_find (const safetensors *s, const char *name);      /* NULL: not there    */
void safetensors_write(const safetensors *s, const char *path);                   /* whole, or dies     */
/* Dies with the reason where the file is damaged: length of the header, JSON, names given twice, types, shapes,
 * offsets that overlap, leave gaps or lead out of the file.  Reads no more memory than the file is long. */
safetensors safetensors_read(const char *path);
/* The header alone, with the same checks; x stays NULL.  All types of the format, those of less than a byte
 * included. */
safetensors safetensors_index(const char *path);
void safetensors_free(safetensors *s);
/* The numbers that 16 bits stand for: IEEE half precision; bfloat16. */
float safetensors_half (uint16_t bits);
float safetensors_brain(uint16_t bits);
#endif
