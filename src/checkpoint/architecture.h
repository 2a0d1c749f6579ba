/* SPDX-License-Identifier: GPL-3.0-or-later
 * architecture.h - what the models of one kind have in common, as one file of data says it: architectures/README.md has
 * every field.  The code has what these fields switch; no code asks what a model is called.
 *
 * Built in are the files of architectures_place (src/base/places.h).  Each of them must be there, since a model whose
 * file were missing would be compared by less than is known of it: the program ends where one is not.  A user's folder
 * adds more, under names that are not built in.  Whatever the files say lives as long as the program. */
#ifndef CHECKPOINT_ARCHITECTURE_H
#define CHECKPOINT_ARCHITECTURE_H
#include "src/checkpoint/transformer.h"

/* What a configuration says, under whatever key.  The words of the files are in architecture.c. */
typedef enum {
    SETTING_WIDTH, SETTING_LAYERS, SETTING_HEADS, SETTING_KEY_HEADS, SETTING_HEAD_WIDTH, SETTING_MLP_WIDTH,
    SETTING_POSITIONS, SETTING_SKIPPED, SETTING_EMBED_WIDTH, SETTING_VOCABULARY,
    SETTING_EPS, SETTING_ACTIVATION, SETTING_THETA, SETTING_LOCAL_THETA, SETTING_ROTARY_PART, SETTING_ROTARY_WIDTH,
    SETTING_ORIGINAL_POSITIONS, SETTING_PARALLEL, SETTING_TIED,
    SETTING_QKV_BIAS, SETTING_O_BIAS, SETTING_MLP_BIAS, SETTING_NORM_BIAS, SETTING_HEAD_BIAS, SETTING_QK_GAINS,
    SETTING_WINDOW, SETTING_WINDOW_SWITCH, SETTING_FULL_EVERY, SETTING_FULL_FIRST,
    SETTING_KINDS, SETTING_TURNS, SETTING_STILL_EVERY,
    SETTING_DIVIDED_SCORES, SETTING_SCORE_FACTOR, SETTING_SCORE_ROOT, SETTING_SCORE_CAP, SETTING_LOGIT_CAP,
    SETTING_EXPERTS, SETTING_CHOSEN, SETTING_EXPERT_WIDTH, SETTING_SHARED_WIDTH, SETTING_EXPERTS_EVERY,
    SETTING_DENSE_LAYERS, SETTING_CHOSEN_SUM,
    SETTING_TOKEN_TYPES, SETTING_PAD, SETTING_HEAD_ACTIVATION,
    SETTING_EMBED_FACTOR, SETTING_ADDED_FACTOR, SETTING_LOGIT_FACTOR, SETTING_LOGIT_DIVISOR, SETTINGS
} setting_name;
enum { SETTING_KEYS = 3 };
typedef struct {
    const char   *key[SETTING_KEYS + 1]; /* in the order in which they are read; the last is the one to write; NULL  */
    const json_t *unsaid;                /* what the class takes where none of them is there; NULL: nothing          */
    bool          required;              /* the class has no one default, or programs refuse to do without           */
} setting_rule;

/* A key that is part of no description here: unless it says `usual`, the model is not computed. */
typedef struct {
    const char   *key, *what;
    const json_t *usual;                 /* a value, or an array of them; null: the key must not be there   */
    bool          width_over_heads;      /* usual is that quotient, said as "width / heads"                 */
    bool          theorems;              /* they hold all the same, for any mask, scale of the scores and angles */
} beyond_rule;

/* Of a layer, or of no one (NAMES_LAYER); of an expert; of the one that all tokens meet (experts.h). */
typedef enum { NAMES_LAYER, NAMES_EXPERT, NAMES_SHARED } named_part;
/* #: the layer, and then the expert; bare: without the prefixes of the architecture */
typedef struct { char *name; tensor_role role; named_part of; const char *bare; } tensor_name;

typedef struct architecture {
    const char *name;                    /* "gemma2", "gguf:llama": what a file says that it is         */
    const char *title, *path;            /* "Gemma 2"; the file of data                                 */
    const char *family;                  /* what is shown, and written as model_type                    */
    bool user, gguf, described;          /* of the user's folder; described: not its settings alone     */
    bool run;                            /* of provably train: its configuration is a text of its own   */
    const char *class_name;              /* in `architectures`; NULL: such files have none              */
    const char *headless_name;           /* the class that ends with the stream; NULL: there is none    */
    bool buckets;                        /* scores have biases by distance and head                     */
    bool encoder, one_logit;             /* one_logit: its head gives one number for each token         */
    norm_of_model norm;
    norm_places   norms;
    qk_norms      qk;
    position_kind positions;
    rotary_pairs  pairs;
    fused_qkv     fused;
    bool embed_norm;                     /* a norm follows the embedding                                */
    bool gate_over_up;                   /* gate and up are one tensor                                  */
    bool gated, offset_gain, root_of_width, in_out;      /* in_out: matrices are written in x out       */
    bool gains_of_heads;                 /* of queries and keys: heads x width                          */
    bool layer_kinds;                    /* layer_types says which layers have a window                 */
    bool kinds_end_window;               /* where it is there, all of them are full                     */
    bool still_where_full;               /* layers without a window do not turn                         */
    bool original_beside;                /* original positions count that are said beside rope_parameters */
    bool rope_table;                     /* rope_freqs.weight divides frequencies                       */
    setting_rule setting[SETTINGS];
    setting_name *in_order;              /* [SETTINGS]: as the file has them                            */
    beyond_rule *beyond;
    long         beyonds;
    tensor_name *tensor;
    long         tensors;
    const json_t *prefixes, *null_keys, *harmless;       /* arrays of texts, or NULL                    */
    const json_t *rope_kinds;            /* the only kinds of scaling that the class knows, by its words; NULL */
    const json_t *whole;                 /* tensors of several parts whose order is known (fused_order.h)    */
    const json_t *said_by;               /* keys that a configuration without model_type must have; NULL     */
    const json_t *form;                  /* settings_form.h; NULL: none                                      */
    const char *as_safetensors, *as_gguf;                /* the architecture that it is written as; NULL: none */
    const json_t *switches;              /* {"KEY": what it is where it is absent}: `variants` go by it */
    const json_t *file;                  /* all of it, with what it is `like`                                */
    const struct architecture *before;   /* the one that was read before this one                            */
} architecture;

/* Of the user, before the first use; NULL: of the environment variable PROVABLY_ARCHITECTURES, if it is set.  A file of
 * that folder that is no architecture ends the program, as does one that is built in. */
void architectures_also(const char *folder);
const char *architectures_asked_for(void);      /* the folder of architectures_also; NULL: there was none   */
/* NULL: none is called that. */
const architecture *architecture_called(const char *name);
/* Of a file that does not say its model_type; NULL: none. */
const architecture *architecture_without_type(const json_t *config);
/* In turn, from 0; NULL: no more.  Those that are built in come first. */
const architecture *architecture_at(long k);
/* With the variants that the configuration's switches ask for; A itself where there are none.
 * Contract: each switch that is there is of the kind that the file says. */
const architecture *architecture_variant(const architecture *A, const json_t *config);
const char *architecture_of_user(const transformer *D);   /* the file that describes it, of the user's folder; NULL */
bool architecture_has(const architecture *A, tensor_role role);          /* a name for that part        */
/* Whether the class reads that key. */
bool architecture_reads(const architecture *A, const char *key);
/* The file with what it takes from the one that it is `like`, to be freed. */
json_t *architecture_like(const json_t *parent, const json_t *file);
bool text_among(const json_t *texts, const char *text);                   /* texts: an array, or NULL   */
/* The architecture of a file whose `like` is followed; dies, naming the file and what is wrong in it. */
const architecture *architecture_read(const char *path, json_t *file, bool user);
extern const char *const architectures_built_in[];        /* files, sorted, then NULL                  */
#endif
