/* settings.h - which settings of a configuration each family's own code reads, and their values.
 *
 * A value is one of three things: absent, readable, or there and unreadable (NaN, infinite, too long, not UTF-8, of
 * another type, given twice with different values).  The last is never taken for the first: whoever asks for it dies,
 * naming the key.  A setting that a family's code does not read is absent for that family, whatever it says. */
#ifndef CHECKPOINT_SETTINGS_H
#define CHECKPOINT_SETTINGS_H
#include "src/checkpoint/weights.h"

/* Sets of families: Hugging Face's, then those of GGUF by general.architecture. */
enum { OF_GPT2 = 1, OF_NANOGPT = 2, OF_LLAMA = 4, OF_MISTRAL = 8, OF_QWEN2 = 16, OF_QWEN3 = 32, OF_NEOX = 64,
       OF_LLAMA2C = 128, OF_GGUF_GPT2 = 256, OF_GGUF_LLAMA = 512, OF_GGUF_QWEN2 = 1024, OF_GGUF_QWEN3 = 2048,
       OF_GGUF_NEOX = 4096,
       OF_GEMMA = 8192, OF_GEMMA2 = 16384, OF_PHI3 = 32768, OF_SMOLLM3 = 65536, OF_GRANITE = 131072,
       OF_STABLELM = 262144, OF_OLMO2 = 524288, OF_GEMMA3 = 1 << 20, OF_STARCODER2 = 1 << 21, OF_COHERE = 1 << 22,
       OF_PHI = 1 << 23, OF_OLMO3 = 1 << 24, OF_COHERE2 = 1 << 25,
       OF_COHERES = OF_COHERE | OF_COHERE2, OF_OLMOS = OF_OLMO2 | OF_OLMO3,
       OF_OWN_ANGLES = OF_GEMMA3 | OF_OLMO3,              /* layers within a window have angles of their own */
       OF_GEMMAS = OF_GEMMA | OF_GEMMA2 | OF_GEMMA3,
       OF_GGUF = OF_GGUF_GPT2 | OF_GGUF_LLAMA | OF_GGUF_QWEN2 | OF_GGUF_QWEN3 | OF_GGUF_NEOX,
       OF_GPT = OF_GPT2 | OF_NANOGPT, OF_QWEN = OF_QWEN2 | OF_QWEN3,
       OF_LLAMAS = OF_LLAMA | OF_MISTRAL | OF_QWEN2 | OF_QWEN3 | OF_LLAMA2C | OF_GEMMAS | OF_PHI3 | OF_SMOLLM3
                   | OF_GRANITE | OF_STABLELM | OF_OLMOS | OF_STARCODER2 | OF_COHERES | OF_PHI,
       OF_CENTRED = OF_STABLELM | OF_STARCODER2 | OF_COHERES | OF_PHI,    /* of these, those with LayerNorm  */
       OF_PARTIAL = OF_NEOX | OF_STABLELM | OF_PHI3 | OF_PHI,      /* a part of each head turns                    */
       OF_HUB = OF_GPT | OF_LLAMAS | OF_NEOX };

typedef struct {
    const json_t *keys;                  /* an object, or NULL                                          */
    const json_t *twice;                 /* of weights                                                  */
    const char   *before;                /* of GGUF's keys, "llama."; "" otherwise                      */
    const char   *path;                  /* for messages                                                */
    unsigned      family;                /* one of the above                                            */
} settings;

settings settings_of(const weights *w, const char *before, unsigned family);
/* The object at that key, in which the same settings are looked up; keys NULL: absent or null. */
settings settings_within(const settings *s, const json_t *object);

/* NULL: absent, or not read by this family.  Dies where it is unreadable, or null where null means nothing.
 * Contract: the table has the key. */
const json_t *setting_value(const settings *s, const char *name);
/* 1 ... most; 0: absent.  Of GGUF, an array of equal numbers, one for each layer, counts as one. */
long   setting_whole (const settings *s, const char *name, long most);
double setting_number(const settings *s, const char *name);               /* positive, finite; 0: absent */
bool   setting_truth (const settings *s, const char *name, bool usual);
const char *setting_text(const settings *s, const char *name);            /* NULL: absent                 */
/* Dies, naming the key, where GGUF's programs require one that is not there. */
void   settings_require(const settings *s);

/* Settings that the family's code is not known to read nor to ignore: "KEY = VALUE", in the order of the file; *n: how
 * many.  To be freed, each and the list. */
char **settings_unknown(const settings *s, long *n);

/* ---- of any architecture ------------------------------------------------------------------------------------- */

/* A key that has no effect on the function, whatever the architecture. */
bool settings_harmless_anywhere(const char *key);
/* The default of that key in the class from which all configurations of transformers are derived: null, {} or false,
 * of keys whose default the classes leave as it is. */
bool settings_means_absent(const char *key, const json_t *value);
#endif
