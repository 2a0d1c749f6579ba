/* SPDX-License-Identifier: GPL-3.0-or-later
 * verify.h - what the parts of `provably verify` share: the question (verify.c), its tokens (verify_tokens.c), what is
 * printed for people (verify_print.c) and for machines (verify_json.c), and certificates (verify_certificate.c). */
#ifndef CLI_VERIFY_H
#define CLI_VERIFY_H
#include <jansson.h>
#include "src/base/screen.h"
#include "src/checkpoint/compare.h"
#include "src/checkpoint/expansion.h"
#include "src/checkpoint/gauge_file.h"
#include "src/checkpoint/gradients.h"
#include "src/checkpoint/listing.h"
#include "src/checkpoint/replay.h"
#include "src/checkpoint/structure.h"
#include "src/checkpoint/surroundings.h"
#include "src/checkpoint/symmetry.h"

typedef enum { UP_TO_LOGITS, UP_TO_SOFTMAX, UP_TO_ARGMAX, UP_TOS } up_to;
extern const char *const up_to_name[UP_TOS];

/* why: NULL, or why its function is not computed here; to be freed. */
typedef struct { weights w; transformer D; char *why; } opened;

typedef enum {
    ANSWER_SAME,                         /* the same function for all inputs                            */
    ANSWER_ROUNDED,                      /* the same up to rounding, for all inputs                     */
    ANSWER_QUANTISED,                    /* B's numbers are A's, some rounded to blocks (quantised_apart.h) */
    ANSWER_NUMBERS,                      /* the same numbers and settings; the function is not known here */
    ANSWER_AS_ASKED,                     /* what was asked for holds on the token sequences             */
    ANSWER_DIFFERENT, ANSWER_UNDECIDED, ANSWERS
} answer;

/* All that one comparison finds; filled in from above to below. */
typedef struct {
    const opened *m;                     /* [2]                                                         */
    const transformer *of[2];            /* whose tensors are compared: m's, or what is left of them    */
    const transformer *on[2];            /* whose logits: m's, or their common tokens and positions     */
    bool   in_common;                    /* a vocabulary, or a learned table of positions, is longer: then common */
    contracted common[2];
    bool   undone;                       /* parts that do nothing, or are there twice, are left out in `left` */
    contracted left[2];
    bool   in_order;                     /* A's heads and neurons are in the order of B's, in `ordered` */
    contracted ordered;
    const char *base, *adapter;          /* the file of --base, the folder of --adapter, or NULL        */
    up_to  relation;
    uint64_t seed;
    long   bits, n;
    const token_list *lists;             /* [n]                                                         */
    const char *tokens;                  /* where they come from: "drawn"                               */
    bool   sizes;                        /* of `of` equal: else only the logits were compared           */
    structure t;
    bool   alike;                        /* all parts hold the same numbers, and the settings agree     */
    bool   identical;                    /* all files are byte-identical                                */
    listing listed;                      /* where a function is not computed here: all else is left empty */
    bool   by_name;                      /* then                                                        */
    bool   of_numbers;                   /* the answer is about numbers and settings: the function is not known here */
    gauge_file gauges;                   /* that came with B; path NULL: none did                       */
    char  *passed;                       /* NULL, or the file of gauges beside B that is not used, and why */
    char  *gauges_why;                   /* NULL, or why `gauges` do not make B of A                    */
    gauge_found image;                   /* sought where sizes are equal and the numbers are not        */
    replayed replay;                     /* sought where there is neither                               */
    symmetry_found scaled;               /* likewise                                                    */
    bool   figures;                      /* g was computed                                              */
    token_gaps g;
    bool   certified;                    /* c was asked for                                             */
    certified_gaps c;
    bool   differentiated, corresponds;  /* gradients were asked for; they correspond                   */
    gradient_gap gradient[GRADIENT_ROLES];
    long   gradients;                    /* how many there are                                          */
    double gap, tolerance;               /* of the relation, on the tokens                              */
    double asked_tolerance;              /* of --tolerance; negative: none                              */
    double units, allowed;               /* how far B is from an exact image of A, in roundings; NAN: none was found */
    long   ties;                         /* tokens with another most likely one where rounding explains the gap */
    char **around;                       /* where what surrounds the weights differs: surroundings.h    */
    long   arounds;
    answer is;
    char  *because;                      /* of the answer                                               */
    int    status;
} verified;

/* The part where the two differ first, in the order in which a token meets the tensors, or the first stage of the
 * streams; NULL: none, or other sizes. */
const finding   *verify_first_tensor(const verified *v);
const stage_gap *verify_first_stage (const verified *v);
/* Is the answer about the tokens and positions that both have, and not about all of both? */
bool             verify_in_common(const verified *v);
bool             verify_same_gradient(const gradient_gap *g);
/* Of the parts that are A's rounded to blocks. */
typedef struct {
    char  *types;                        /* "Q4_K and Q6_K", to be freed                                */
    long   parts;
    const finding *within, *beyond;      /* the part of the farthest number, and of the farthest that is cut off; NULL:
                                            there is none                                               */
    size_t cut_off;                      /* numbers that their block cuts off                           */
} quantised_parts;
quantised_parts  verify_quantised_parts(const structure *t);

/* ---- the answer (verify_answer.c) --------------------------------------------------------------------------- */

/* Fills in v->is, because, units, allowed, ties and status from what the tensors, the settings and, where that was
 * asked for, the tokens show. */
void verify_answer(verified *v);
bool verify_asked (const verified *v);   /* for behaviour on the token sequences                        */
bool verify_proved(verified *v);         /* do tensors and settings alone prove the same function, or numbers? */

/* ---- tokens: dies, naming the option, where they do not fit both models ------------------------------------- */

enum { VERIFY_LISTS = 2, VERIFY_TOKENS = 4096, VERIFY_ROWS = 16 };       /* drawn lists; tokens in a list, or in a text;
                                                                            of tokens whose rows differ     */
/* Drawn tokens at positions 0, 1, 2, ...; and half of them there, the others spread up to the last position. */
/* Dies where one of the two has fewer positions than --length asks for. */
void verify_length(const opened m[2], long length);
void verify_draw(const opened m[2], long length, uint64_t seed, token_list lists[VERIFY_LISTS]);
/* Up to VERIFY_ROWS tokens whose rows of the embedding or the head are further apart than rounding; false: none. */
bool verify_changed_rows(const opened m[2], const structure *t, token_list *list);
/* "1,5,7", "@FILE"; positions may be NULL. */
void verify_given(const opened m[2], const char *tokens, const char *positions, token_list *list);
/* The beginning of a text, in pieces of as many tokens as both models have positions, or of `length`; 0: that many.
 * Returns how many lists, to be freed. */
long verify_text(const opened m[2], const char *path, const char *bpe, const char *chars, long length,
                 token_list **lists);
void verify_require(const char *where, const opened m[2], long n, const token_list *lists);
void verify_free_lists(long n, const token_list *lists);

/* ---- for people --------------------------------------------------------------------------------------------- */

void verify_print_listing  (const screen *s, const verified *v, bool all);
char *verify_fused_words(const listing *l);      /* of tensors that are several in the other file; NULL: none */
void verify_print_models   (const screen *s, const verified *v);
void verify_print_undone   (const screen *s, const verified *v);
void verify_print_order    (const screen *s, const verified *v);
void verify_print_structure(const screen *s, const verified *v, bool all);    /* all: every line              */
void verify_print_gauges(const screen *s, const verified *v);
void verify_print_replay(const screen *s, const verified *v);
void verify_print_image    (const screen *s, const verified *v);
void verify_print_scaled   (const screen *s, const verified *v);
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
    /* the same in roundings of each entry; the unit roundoff of B's coarsest type */
    double units, unit;
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
