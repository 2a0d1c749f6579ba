/* layout.h - what a rewritten checkpoint looks like as a file: its tensors, their names, and its configuration.
 *
 * Safetensors and our own runs keep their names, their layout and their types.  GGUF, llama2.c and llm.c become
 * safetensors with the names and the layout of Hugging Face's Llama, Qwen or GPT-2: rotary pairs (2i, 2i + 1) become
 * (i, i + rotary/2) in each head of W_Q and W_K, as many as each of them has. */
#ifndef CHECKPOINT_LAYOUT_H
#define CHECKPOINT_LAYOUT_H
#include "src/checkpoint/rewrite.h"

typedef struct {
    char        *name;
    const char  *type;                   /* "F32"                                                        */
    int          rank;
    long         shape[WEIGHT_RANK];
    tensor_role  role;
    long         layer;
    size_t       n;
    const weight_tensor *copy;           /* its bytes are those of the file; NULL: computed              */
} new_tensor;

typedef struct {
    new_tensor *tensor;
    long        tensors;
    bool        in_out, to_halves;       /* matrices of GPT-2 stored in x out; pairs as above            */
    fused_qkv   fused;
    json_t     *config;                  /* config.json; NULL: none (our own runs)                       */
    char       *model;                   /* of our own runs: __metadata__'s "model"; NULL                */
} file_layout;

/* NULL, or why that format is not written, a sentence. */
const char *layout_refuses(const weights *w, const transformer *D);
/* NULL, or why identities cannot be left out, a sentence: only the configuration of our own runs can say so, and for
 * all layers at once. */
const char *layout_refuses_compact(const rewrite *r);
/* type: NULL, or of all tensors but buffers.  compact: W_Q that is the identity in all layers is left out. */
file_layout layout_of(const weights *w, const rewrite *r, const char *type, bool compact);
void        layout_free(file_layout *l);
#endif
