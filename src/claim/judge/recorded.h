/* SPDX-License-Identifier: GPL-3.0-or-later
 * recorded.h - what recorded runs show of a claim that only runs can decide; its verdict: verdict.h. */
#ifndef CLAIM_RECORDED_H
#define CLAIM_RECORDED_H

typedef enum {
    RECORDED_NONE,
    RECORDED_SOME,                       /* there are figures, and they decide nothing                    */
    RECORDED_STATED,                     /* every printed row has runs of its own model, all that were planned, as long
                                            as printed or for a stated length, and an interval: measured, whatever they
                                            show; words say which and how many agree                      */
    RECORDED_AGREE,                      /* every part about it at full size, with the preset's own commands, three
                                            seeds or more; every printed figure agrees, every planned comparison is
                                            as printed                                                     */
} recorded_standing;
#endif
