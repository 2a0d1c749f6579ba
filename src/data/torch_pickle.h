/* SPDX-License-Identifier: GPL-3.0-or-later
 * torch_pickle.h - what torch.save wrote, without executing anything: the tensors of an archive, and the dictionaries,
 * lists, numbers and texts around them.
 *
 * torch.save (since PyTorch 1.6) writes a zip archive (stored_zip.h) whose entries are in one folder:
 *
 *   NAME/data.pkl       a pickle, a program of a stack machine that builds the object
 *   NAME/data/KEY       the numbers of a storage, which several tensors may share
 *   NAME/byteorder      "little" (absent before PyTorch 2.1)
 *
 * The machine here knows what tensors need: texts, numbers, tuples, lists, dictionaries, the memo, OrderedDict, and
 * torch's functions that make a tensor of a storage, an offset, sides and strides.  Any other name, call or opcode ends
 * the program with a message that says which; none is looked up, imported or called. */
#ifndef DATA_TORCH_PICKLE_H
#define DATA_TORCH_PICKLE_H
#include "src/base/base.h"

enum { TORCH_RANK = 8 };
typedef enum {
    TORCH_NONE, TORCH_TRUTH, TORCH_WHOLE, TORCH_REAL, TORCH_TEXT, TORCH_TUPLE, TORCH_LIST, TORCH_DICT, TORCH_TENSOR,
    TORCH_STORAGE, TORCH_GLOBAL          /* in between, and never in what is returned as a tensor's part        */
} torch_kind;

typedef struct {
    const char *type;                    /* as safetensors calls it: "BF16"; "C128" has no name there           */
    size_t size;                         /* bytes of a number                                                   */
    const unsigned char *at;             /* in the archive                                                      */
    size_t n;                            /* numbers                                                             */
} torch_storage;

typedef struct {
    torch_storage storage;
    int    rank;
    size_t n, first;                     /* numbers; the first one's place in the storage                       */
    long   shape[TORCH_RANK], stride[TORCH_RANK];        /* in numbers                                          */
    bool   contiguous;                   /* row-major, one number behind the other                              */
} torch_tensor;

typedef struct torch_value {
    torch_kind kind;
    int64_t whole;                       /* of TORCH_TRUTH (0, 1), TORCH_WHOLE                                  */
    double  real;
    const char *text;                    /* n bytes in the archive, UTF-8; no zero behind them                  */
    size_t n;                            /* bytes, or members                                                   */
    struct torch_value **at;             /* members; of a dictionary keys and values by turns: n counts both    */
    torch_tensor *tensor;
    const void *known;                   /* of TORCH_GLOBAL, TORCH_STORAGE                                      */
} torch_value;

typedef struct { torch_value *root; torch_value **all; size_t n; } torch_object;

bool torch_is_archive(const unsigned char *bytes, size_t n);             /* a zip archive                       */
/* NULL, or what else of PyTorch's or Python's the file is, and what to do: the end of a sentence. */
const char *torch_not_read(const unsigned char *bytes, size_t n);
/* Dies, naming the path, where the archive is damaged, is none of torch.save's, or holds more than is read here. */
torch_object torch_read(const unsigned char *bytes, size_t n, const char *path);
void         torch_free(torch_object *o);
/* The last value of that key of a dictionary; NULL: it is not there, or `dict` is none. */
torch_value *torch_find(const torch_value *dict, const char *key);
#endif
