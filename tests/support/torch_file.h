/* SPDX-License-Identifier: GPL-3.0-or-later
 * torch_file.h - files as torch.save writes them: a zip archive of stored entries, among them a pickle, for tests.
 *
 *   torch_file f = { 0 };
 *   torch_file_begin(&f);                                         an empty dictionary
 *   torch_file_tensor(&f, "w", "FloatStorage", "0", 6, 0, 2, (long[]){ 2, 3 }, (long[]){ 3, 1 });
 *   torch_file_entry(&f, "data/0", x, sizeof x);
 *   torch_file_end(&f);
 *   char *path = torch_file_write(&f, folder, "model.pt");
 *
 * Between begin and end a test may append opcodes of its own to f.pickle. */
#ifndef TORCH_FILE_H
#define TORCH_FILE_H
#include "src/base/text.h"

enum { TORCH_FILE_ENTRIES = 96 };
typedef struct {
    text_buffer pickle;
    struct { char *name; char *bytes; size_t n; } entry[TORCH_FILE_ENTRIES];     /* beside data.pkl, in "archive/" */
    int  entries;
    bool zip64;                          /* with the fields of files of more than 4 GB                          */
} torch_file;

void  torch_file_begin (torch_file *f);
void  torch_file_text  (torch_file *f, const char *text);
void  torch_file_whole (torch_file *f, long x);
void  torch_file_global(torch_file *f, const char *module, const char *name);
/* The key and the tensor, to be members of an open dictionary.  numbers: of the storage. */
void  torch_file_tensor(torch_file *f, const char *name, const char *type, const char *key, long numbers, long first,
                        int rank, const long *shape, const long *stride);
void  torch_file_entry (torch_file *f, const char *name, const void *bytes, size_t n);
void  torch_file_end   (torch_file *f);
char *torch_file_bytes (const torch_file *f, size_t *n);                 /* to be freed                         */
char *torch_file_write (const torch_file *f, const char *folder, const char *name);     /* its path             */
void  torch_file_free  (torch_file *f);
/* Tensors from ... end - 1 of a file of safetensors, under the same names; prefix: in front of each. */
void  torch_file_take  (torch_file *f, const char *safetensors, const char *prefix, long from, long end);
#endif
