/* SPDX-License-Identifier: GPL-3.0-or-later
 * settings.h - which settings of a configuration each architecture's own code reads, and their values.
 *
 * A value is one of three things: absent, readable, or there and unreadable (NaN, infinite, too long, not UTF-8, of
 * another type, given twice with different values).  The last is never taken for the first: whoever asks for it dies,
 * naming the key.  A setting that an architecture's code does not read is absent there, whatever it says. */
#ifndef CHECKPOINT_SETTINGS_H
#define CHECKPOINT_SETTINGS_H
#include "src/checkpoint/architecture.h"

typedef struct {
    const json_t *keys;                  /* an object, or NULL                                          */
    const json_t *twice;                 /* of weights                                                  */
    const char   *before;                /* of GGUF's keys, "llama."; "" otherwise                      */
    const char   *path;                  /* for messages                                                */
    const architecture *of;
} settings;

settings settings_of(const weights *w, const char *before, const architecture *of);
/* The object at that key, in which the same keys are looked up; keys NULL: absent or null. */
settings settings_within(const settings *s, const json_t *object);

/* ---- by key ------------------------------------------------------------------------------------------------------ */

/* NULL: absent, or not read by this architecture.  Dies where it is unreadable, or null where null means nothing.
 * Contract: some architecture, or the table of keys of all, has the key. */
const json_t *key_value(const settings *s, const char *key);
/* 1 ... most; 0: absent.  Of GGUF, an array of equal numbers, one for each layer, counts as one. */
long   key_whole (const settings *s, const char *key, long most);
double key_number(const settings *s, const char *key);                    /* positive, finite; 0: absent */
bool   key_truth (const settings *s, const char *key, bool usual);
const char *key_text(const settings *s, const char *key);                 /* NULL: absent                 */

/* ---- by what it means -------------------------------------------------------------------------------------------- */

/* Does the class know such a setting, by a key or as something that is always so? */
bool   setting_is_known(const settings *s, setting_name what);
const char *setting_key(const settings *s, setting_name what);   /* the first that is there, or the last; NULL       */
const json_t *setting_value(const settings *s, setting_name what);
long   setting_whole (const settings *s, setting_name what, long most);   /* as the file says; 0: it does not    */
double setting_number(const settings *s, setting_name what);
/* What the class takes where nothing is said; 0: nothing. */
double setting_usual (const settings *s, setting_name what);
double setting_number_or_usual(const settings *s, setting_name what);
long   setting_whole_or_usual (const settings *s, setting_name what, long most);
bool   setting_truth (const settings *s, setting_name what);              /* or what the class takes; false: nothing */
const char *setting_text(const settings *s, setting_name what);           /* likewise; NULL: nothing             */
/* Dies, naming the key, where GGUF's programs require one that is not there. */
void   settings_require(const settings *s);

/* Settings that the architecture's code is not known to read nor to ignore: "KEY = VALUE", in the order of the file;
 * *n: how many.  To be freed, each and the list. */
char **settings_unknown(const settings *s, long *n);

/* ---- of any architecture ------------------------------------------------------------------------------------- */

/* A key that has no effect on the function, whatever the architecture. */
bool settings_harmless_anywhere(const char *key);
/* The default of that key in the class from which all configurations of transformers are derived: null, {} or false,
 * of keys whose default the classes leave as it is. */
bool settings_means_absent(const char *key, const json_t *value);
#endif
