/* check_record.h - what the files check*.c share: a check that was decided, and the minimal control of a model. */
#ifndef CHECK_RECORD_H
#define CHECK_RECORD_H
#include "src/claim/check.h"

void check_record(trial *t, const char *what, bool want_equal, comparison is, certainty by);
/* Names the weights of R for the control `minimal`, as claim_reduced does. */
void check_nudge_model(trial *t, model *R);
#endif
