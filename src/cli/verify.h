/* verify.h - what the parts of `provably verify` share: the question (verify.c) and its certificates
 * (verify_certificate.c). */
#ifndef CLI_VERIFY_H
#define CLI_VERIFY_H
#include "src/checkpoint/compare.h"
#include "src/checkpoint/gradients.h"
#include "src/checkpoint/structure.h"

typedef enum { UP_TO_LOGITS, UP_TO_SOFTMAX, UP_TO_ARGMAX, UP_TOS } up_to;
extern const char *const up_to_name[UP_TOS];

typedef struct { weights w; transformer D; } opened;

/* What is stated about the two files: any of three. */
typedef struct {
    bool   numbers;                      /* all parts hold the same numbers                             */
    bool   image;                        /* B is an image of A, up to this distance (gauge_found.h)     */
    double distance;
    long   bits;
    up_to  relation;
    long   n;                            /* token lists, 0: nothing is stated about tokens              */
    const token_list *lists;
    double low, high;                    /* the gap on them, enclosed                                   */
} statement;

/* Writes a file that binds the statement to the SHA-256 of both; dies where it cannot. */
void verify_write(const char *path, const opened *A, const opened *B, const statement *s);
/* Reads one and dies unless it is about these two files, byte for byte.  The lists are the caller's. */
statement verify_read(const char *path, const opened *A, const opened *B);
#endif
