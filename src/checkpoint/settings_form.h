/* SPDX-License-Identifier: GPL-3.0-or-later
 * settings_form.h - a configuration in one form: of models whose classes in transformers are known here, what the file
 * leaves to their defaults is said, and what they do not read is left out.  Of all others it is as it was. */
#ifndef CHECKPOINT_SETTINGS_FORM_H
#define CHECKPOINT_SETTINGS_FORM_H
#include "src/checkpoint/settings.h"

/* To be freed.  config: an object, or NULL; then the form is NULL, too. */
json_t *settings_form(const json_t *config);
#endif
