/* SPDX-License-Identifier: GPL-3.0-or-later
 * proofcheck.h - what the files of proofcheck share: see main.c.
 *
 * Everything that is known about the file under examination is in one struct checker.  Its memory comes from
 * new_bytes and is freed when the file is done; so is GMP's.  Nothing here is shared with the programs that write
 * certificates: a mistake of theirs is not repeated here. */
#ifndef PROOFCHECK_H
#define PROOFCHECK_H
#include <gmp.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Limits; what exceeds them is rejected. */
enum {
    FILE_BYTES = 1 << 24,
    MEMORY     = 1 << 30,                /* bytes                                        */
    WORDS      = 4096,                   /* in a line                                    */
    DIGITS     = 4096,                   /* of a number                                  */
    BITS       = 1 << 15,                /* of a number that is computed                 */
    DIM        = 256,                    /* rows or columns of a matrix of numbers       */
    NAMES      = 1024,                   /* matrices and values, or functions            */
    SIZES      = 64,
    NODES      = 1 << 14,
    FACTORS    = 1 << 12,                /* of a word                                    */
    LONG       = 1 << 14,                /* terms of a product that is multiplied out    */
    SUBSETS_OF = 16,                     /* neurons all of whose subsets are tried       */
};

/* ---- sha256.c ---- */

typedef struct {
    uint32_t      state[8];
    unsigned char block[64];
    uint64_t      bytes;
} sha256;

enum { HASH_TEXT = 65 };                 /* 64 hexadecimal digits and a NUL              */

void sha256_begin(sha256 *h);
void sha256_add  (sha256 *h, const void *text, size_t n);
void sha256_end  (sha256 *h, char hex[HASH_TEXT]);

/* ---- the state ---- */

typedef struct checker {
    char   *at, *end;                    /* what has not been read yet                   */
    long    line;                        /* number of the line that was read last        */
    char   *word[WORDS];                 /* its words                                    */
    int     words;
    sha256  statement;                   /* of all lines but rows of drawn matrices      */

    char   *claim, *part, *kind;         /* the lines of these names                     */
    char   *heads, *depth;               /* kind sym only, else NULL                     */
    char    proved[200];                 /* in words                                     */
    char   *assumes;                     /* "invertible A; orthogonal U", or NULL        */

    const char *agreed;                  /* the hash that the list has; NULL: none       */
    const char *drawn, *demands;         /* names of matrices, and what of them; or ""   */
    bool    drawn_zero, drawn_zero_row;  /* such a matrix is 0, has a row of zeros       */
    long    kinks, neurons;              /* of the network W1, W2; kinks -1: not counted */
    bool    one_skip;                    /* both networks of `relu-eq` have the same Z   */

    mpq_t   x, y, z;                     /* scratch; z is product's own                  */
    struct symbols *symbols;             /* kind sym: see words.c                        */

    jmp_buf out;                         /* the way out of a rejected file               */
    char    why[200];
    long    work;                        /* elementary steps that are left               */
    long    memory;                      /* bytes that are in use                        */
    struct chunk *chunks;
} checker;

/* ---- state.c ---- */

void  checker_open (checker *c);
void  checker_close(checker *c);
/* Rejects the file: prints the reason and what it is about ("": nothing). */
_Noreturn void check_reject(checker *c, const char *reason, const char *what);
void  check_that (checker *c, bool is_so, const char *otherwise);            /* or rejects it        */
void  check_spend(checker *c, long steps);                                   /* of the limit on work */
void *check_alloc(checker *c, size_t n);                                     /* zeros                */
char *check_join (checker *c, const char *a, const char *b, const char *d);  /* one after the other  */

/* ---- text.c ---- */

bool  text_equal        (const char *a, const char *b);
void  text_next_line    (checker *c);                     /* its words; part of the statement                    */
void  text_next_row     (checker *c, bool fixed);         /* the same for rows of matrices; part only if fixed   */
void  text_next_line_is (checker *c, const char *word, int words);        /* reads a line; rejects any other   */
bool  text_line_is      (const checker *c, const char *word, int words);  /* begins with word, has so many words */
char *text_line_word    (checker *c, int k);              /* or there are too few                                  */
char *text_line_name    (checker *c, int k);              /* a letter, then letters, digits, _ . :                 */
long  text_read_whole   (checker *c, const char *text, long most);        /* 0 .. most                             */
void  text_read_rational(checker *c, mpq_t q, const char *text);          /* 0, -12 or 3/4                         */

/* ---- matrix.c ---- */

typedef struct {
    char  *name;
    long   r, c;
    mpq_t *at;                           /* row after row                                */
} matrix;

#define AT(A, i, j) ((A).at[(i) * (A).c + (j)])

matrix matrix_zero      (checker *c, long rows, long cols);
matrix matrix_product   (checker *c, matrix A, matrix B);
matrix matrix_transposed(checker *c, matrix A);
matrix matrix_stacked   (checker *c, matrix A, matrix B);            /* (A; B)      */
matrix matrix_plus      (checker *c, matrix A, matrix B, long sign); /* A + sign B  */
matrix matrix_row       (matrix A, long i);                          /* shares its entries with A */
bool   matrix_is_zero   (matrix A);
/* The matrix that begins in this line; called "" and 0 rows or columns: any. */
matrix matrix_read      (checker *c, const char *called, long rows, long cols);
matrix matrix_read_next (checker *c, const char *called, long rows, long cols);      /* in the next line */
void   check_bits       (checker *c, const mpq_t q);                 /* rejects numbers of too many bits */

/* ---- list.c ---- */

void list_find   (checker *c, const char *list, const char *path);   /* the line of this claim, part and file        */
bool list_draws  (const checker *c, const char *name);               /* are the numbers of this matrix drawn?        */
void list_demands(checker *c);                                       /* rejects drawn numbers that are worth nothing */

/* ---- the kinds; each reads the data of its certificate up to `end` ---- */

void check_formulas(checker *c);                     /* formula.c: matrix, recount      */
void check_relu    (checker *c, bool want_equal);    /* relu.c: relu-eq, relu-neq       */
void check_no_j    (checker *c);                     /* relu.c: no-j                    */
void check_sym     (checker *c);                     /* sym.c                           */
#endif
