/* SPDX-License-Identifier: GPL-3.0-or-later
 * weights.h - a file of weights as a list of named tensors, whatever its format.
 *
 * Formats, known by their content: safetensors (a file, several files with an index, or a folder of them), PyTorch's
 * (likewise; torch.c), GGUF, llama2.c (versions 0 and 1), llm.c, and the checkpoints of `provably train`.  Files are
 * mapped, never read as a whole; numbers come as doubles, a range at a time. */
#ifndef CHECKPOINT_WEIGHTS_H
#define CHECKPOINT_WEIGHTS_H
#include <jansson.h>
#include "src/base/base.h"
#include "src/checkpoint/quantised.h"
#include "src/data/checksum.h"

enum { WEIGHT_RANK = 8 };
typedef enum { NUMBERS_OTHER, NUMBERS_F32, NUMBERS_F64, NUMBERS_F16, NUMBERS_BF16, NUMBERS_QUANTISED } numbers_type;

typedef struct {
    char        *name;
    char         type[16];               /* as the file says: "BF16", "Q4_K"                            */
    numbers_type numbers;                /* NUMBERS_OTHER: listed, its numbers cannot be read           */
    const block_type *blocks;            /* of NUMBERS_QUANTISED, whose rows are whole blocks; else NULL */
    int          rank;
    long         shape[WEIGHT_RANK];     /* row-major: the last side is contiguous                      */
    size_t       n, bytes;               /* numbers; bytes in the file (0: a type of unknown size)      */
    const unsigned char *at;             /* in the mapped file, or in memory (made)                     */
    bool         made;                   /* its numbers lie so nowhere in the file: weights_own         */
    long         file;                   /* which of weights.file                                       */
    const char  *path;                   /* its path, for messages                                      */
    int          role;                   /* transformer.h; 0: unknown                                       */
    long         layer;                  /* or the place of an expert (experts.h); -1: of none           */
    long         added;                  /* of how many numbers of a file each is a sum, at most; 0: of none */
    numbers_type parts;                  /* then: their type                                            */
    double      *sizes;                  /* and of each sum the sizes of its parts added up, 0 of one part; in x out */
} weight_tensor;

typedef struct { unsigned char *at; size_t bytes; char *path; } mapped_file;

typedef struct {
    const char    *format;               /* "GGUF", "llama2.c", "llm.c", "provably train", ...         */
    char          *path;                 /* as the user gave it                                         */
    weight_tensor *tensor;               /* sorted by name                                              */
    long           tensors;
    mapped_file   *file;
    long           files;
    json_t        *config;               /* config.json, GGUF's keys, or what takes their place; NULL: none */
    json_t        *twice;                /* NULL, or the keys that config.json has twice with different values */
    char          *config_path;          /* for messages                                                */
    char           config_sha256[SHA256_HEX];    /* of config.json as it was read; "": there is none    */
    struct { size_t at, bytes; uint64_t n, alignment; uint32_t version; } keys;      /* of GGUF, in file 0      */
    long           split;                /* of GGUF: how many files, 0: one                             */
    char         **note;                 /* sentences about the file: what is shared, what is not read  */
    long           notes;
    unsigned char **own;                 /* of tensors that are made                                    */
    long           owns;
    bool           changed;              /* tensors are not those of the files: adapter.h               */
} weights;

/* A file or a folder.  Dies, naming the file and the tensor or the offset, where something is damaged. */
weights weights_open(const char *path);
void    weights_close(weights *w);
/* Of the bytes that are mapped, whatever has its name by now. */
void    weights_sha256(const weights *w, long file, char hex[SHA256_HEX]);
const weight_tensor *weights_find(const weights *w, const char *name);     /* NULL: not there           */

/* Numbers from ... from + n - 1 of the tensor, row-major.  Contract: a type whose numbers can be read; the range. */
void weight_numbers(const weight_tensor *t, size_t from, size_t n, double *x);

/* ---- for the readers of the formats ------------------------------------------------------------------------ */

/* Maps the file, which no output replaces any more.  Dies where it cannot, also later, where the file is cut while it
 * is mapped.  Returns its number. */
long weights_map(weights *w, const char *path);
void weights_unmap(weights *w);          /* all of them                                                 */
/* A tensor of `file` whose numbers begin at `from`.  The caller has checked that they lie in the file. */
weight_tensor *weights_add(weights *w, const char *name, const char *type, int rank, const long *shape, long file,
                           size_t from, size_t bytes);
/* A sentence for w->note. */
void weights_note(weights *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
unsigned char *weights_own(weights *w, size_t bytes);    /* memory that lives as long as w                     */
/* Tensors are called as Hugging Face's classes call them, and config.json says which class it is. */
bool weights_of_class(const weights *w);
void weights_read_torch(weights *w, long file);          /* which is mapped, and one of PyTorch's              */
bool weights_is_torch(const mapped_file *f);
void weights_read_gguf(weights *w);      /* file 0 is mapped                                            */
long weights_gguf_type(const char *type); /* its number in GGUF; -1: it has none                         */
void weights_read_llama2c(weights *w);
void weights_read_llmc(weights *w);
bool weights_is_llama2c(const mapped_file *f);
int  weights_llama2c_version(const mapped_file *f);      /* 0 or 1, of a file of that format            */
bool weights_is_llmc(const mapped_file *f);
#endif
