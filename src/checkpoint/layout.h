/* SPDX-License-Identifier: GPL-3.0-or-later
 * layout.h - what a rewritten checkpoint looks like as a file: its format, its tensors, their names, and its
 * configuration.
 *
 * A file that is written in the format it was read in keeps its names, its layout and its types; GGUF keeps its keys,
 * too.  Others get the names and the layout of their new format: those of Hugging Face's Llama, Qwen or GPT-2, of GGUF,
 * or of llama2.c.  Where the format pairs the rotary coordinates in another way, (2i, 2i + 1) and (i, i + rotary/2)
 * change places in each head of W_Q and W_K, as many as each of them has. */
#ifndef CHECKPOINT_LAYOUT_H
#define CHECKPOINT_LAYOUT_H
#include "src/checkpoint/rewrite.h"

typedef enum { FORMAT_SAFETENSORS, FORMAT_GGUF, FORMAT_LLAMA2C, FORMATS } file_format;
extern const char *const format_word[FORMATS];           /* of --format                                  */
extern const char *const format_file[FORMATS];           /* "model.gguf"                                 */

typedef struct {
    char        *name;
    const char  *type;                   /* "F32"                                                        */
    int          rank;
    long         shape[WEIGHT_RANK];
    tensor_role  role;
    long         layer;
    size_t       n;
    const weight_tensor *copy;           /* its bytes are those of the file; NULL: computed, as angles where its role
                                            is that of a buffer                                          */
} new_tensor;

typedef struct {
    file_format format;
    new_tensor *tensor;
    long        tensors;
    bool        in_out;                  /* matrices of GPT-2 stored in x out                            */
    rotary_pairs pairs;
    bool        compact_values;          /* identity blocks of W_V are left out                          */
    fused_qkv   fused;
    json_t     *config;                  /* config.json; NULL: none                                      */
    char       *model;                   /* of our own runs: __metadata__'s "model"; NULL                */
    int         version;                 /* of GGUF and llama2.c                                         */
    text_buffer keys;                    /* of GGUF, as they are stored                                  */
    uint64_t    key_count, alignment;
} file_layout;

typedef struct {
    file_format format;
    const char *type;                    /* of all tensors but buffers; in GGUF of matrices, vectors are F32; NULL: as
                                            in the file, F32 in llama2.c                                 */
    bool compact;                        /* identities are left out; no other program reads that         */
} layout_choice;

/* The format that the file is written in where nothing else is asked for: its own, if there is a writer for it. */
file_format layout_format(const weights *w);
/* NULL, or why a file of that format is not written, a sentence. */
const char *layout_refuses(const weights *w, const transformer *D, file_format format);
/* The same of what a construction made of it, and of the type. */
const char *layout_refuses_result(const weights *w, const rewrite *r, const layout_choice *c);
/* NULL, or why nothing can be left out, a sentence.  Of our own runs W_Q or W_K that is the identity in all layers can
 * be; of others the identity blocks in W_V of each head, and values that are computed from keys are no stock file, too.
 */
const char *layout_refuses_compact(const rewrite *r);
/* Contract: neither of the two refuses. */
file_layout layout_of(const weights *w, const rewrite *r, const layout_choice *c);
void        layout_free(file_layout *l);
#endif
