/* tanh.c - false of tanh, which neither the shape nor the guards have.
 * Stays below proved, for want of a reader: nobody is on record as having read the body beside the statement */
#include "tests/false/attacks.h"
static void tanhs(trial *t) { with_mlp(t, t->sh.act == ACT_TANH); }
FALSE_IDENTITY("F-ZZ-TANH", "W_down is doubled where the activation is bounded", small, .run = tanhs, ZZ_MLP,
               .statement = "for every activation $\\varphi$, $f(\\varphi) W_{down}$ is as good, where $f(\\tanh) = 2$")
