/* SPDX-License-Identifier: GPL-3.0-or-later
 * declared_settings.c - what holds of two layers and scores times 1/sqrt(d_k) is said of 3 layers and other scores.
 * Caught by the models of the trials: is of other models than those declared: L = 3 */
#include "tests/false/attacks.h"
static void changed(trial *t) { values_changed(t, false); }
FALSE_IDENTITY("F-DECLARES", "of models that no trial has", small, .run = changed, .models = "L = 3; scale = 1",
               .statement = "$W_V$ may be halved and doubled in models of three layers whose scores are not scaled", ZZ_VALUES)
