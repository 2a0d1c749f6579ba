/* recorded.h - what recorded runs show of a claim that only runs can decide; its verdict: verdict.h. */
#ifndef CLAIM_RECORDED_H
#define CLAIM_RECORDED_H

typedef enum {
    RECORDED_NONE,
    RECORDED_SOME,                       /* there are figures, and they decide nothing                    */
    RECORDED_AGREE,                      /* every part about it at full size, with the preset's own commands, three
                                            seeds or more; every printed figure agrees, every planned comparison is
                                            as printed                                                     */
} recorded_standing;
#endif
