/* verify.h - what the parts of `provably verify` share: the question (verify.c), its tokens (verify_tokens.c), what is
 * printed for people (verify_print.c) and for machines (verify_json.c), and certificates (verify_certificate.c). */
#ifndef CLI_VERIFY_H
#define CLI_VERIFY_H
#include <jansson.h>
#include "src/base/screen.h"
#include "src/checkpoint/compare.h"
#include "src/checkpoint/gradients.h"
#include "src/checkpoint/structure.h"

typedef enum { UP_TO_LOGITS, UP_TO_SOFTMAX, UP_TO_ARGMAX, UP_TOS } up_to;
extern const char *const up_to_name[UP_TOS];

typedef struct { weights w; transformer D; } opened;

typedef enum { SAME, NOT_THE_SAME, NOT_KNOWN, ANSWERS } answer;

/* All that one comparison finds; filled in from above to below. */
typedef struct {
    const opened *m;                     /* [2]                                                         */
    const char *base;                    /* the file of --base, or NULL                                 */
    up_to  relation;
    uint64_t seed;
    long   bits, n;
    const token_list *lists;             /* [n]                                                         */
    const char *tokens;                  /* where they come from: "drawn"                               */
    bool   sizes;                        /* equal: else only the logits were compared                   */
    structure t;
    bool   alike;                        /* all parts hold the same numbers                             */
    gauge_found image;                   /* sought where sizes are equal and the numbers are not        */
    token_gaps g;
    bool   certified;                    /* c was asked for                                             */
    certified_gaps c;
    bool   differentiated, corresponds;  /* gradients were asked for; they correspond                   */
    gradient_gap gradient[GRADIENT_ROLES];
    long   gradients;                    /* how many there are                                          */
    double gap, tolerance;               /* of the relation, on the tokens                              */
    const char *all;                     /* NULL, or why they are the same function for all inputs      */
    answer is;
    int    status;
} verified;

/* The part where the two differ first, in the order in which a token meets the tensors, or the first stage of the
 * streams; NULL: none, or other sizes. */
const finding   *verify_first_tensor(const verified *v);
const stage_gap *verify_first_stage (const verified *v);
bool             verify_same_gradient(const gradient_gap *g);

/* ---- tokens: dies, naming the option, where they do not fit both models ------------------------------------- */

enum { VERIFY_LISTS = 2, VERIFY_TOKENS = 4096 };         /* drawn lists; tokens in a list, or in a text         */
/* Drawn tokens at positions 0, 1, 2, ...; and half of them there, the others spread up to the last position. */
void verify_draw(const opened m[2], long length, uint64_t seed, token_list lists[VERIFY_LISTS]);
/* "1,5,7", "@FILE"; positions may be NULL. */
void verify_given(const opened m[2], const char *tokens, const char *positions, token_list *list);
/* The beginning of a text, in pieces of as many tokens as both models have positions, or of `length`; 0: that many.
 * Returns how many lists, to be freed. */
long verify_text(const opened m[2], const char *path, const char *bpe, const char *chars, long length,
                 token_list **lists);
void verify_require(const char *where, const opened m[2], long n, const token_list *lists);
void verify_free_lists(long n, const token_list *lists);

/* ---- for people --------------------------------------------------------------------------------------------- */

void verify_print_models   (const screen *s, const verified *v);
void verify_print_structure(const screen *s, const verified *v, bool all);    /* all: every line              */
void verify_print_image    (const screen *s, const verified *v);
void verify_print_gaps     (const screen *s, const verified *v);
void verify_print_certified(const screen *s, const verified *v);
void verify_print_gradients(const screen *s, const verified *v);
void verify_print_answer   (const screen *s, const verified *v);

/* ---- for machines ------------------------------------------------------------------------------------------- */

void    verify_print_json(FILE *f, const verified *v);
json_t *verify_files(const opened *m);   /* [{name, sha256}, ...]: all files of a model                 */
json_t *verify_lists(long n, const token_list *lists);

/* ---- certificates ------------------------------------------------------------------------------------------- */

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
