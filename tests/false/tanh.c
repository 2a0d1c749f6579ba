/* SPDX-License-Identifier: GPL-3.0-or-later
 * tanh.c - false of tanh, which the shape does not have.
 * Caught by another activation: hypothesis that is not declared: act = gelu */
#include "tests/false/attacks.h"
static void tanhs(trial *t) { with_mlp(t, t->sh.act == ACT_TANH); }
FALSE_IDENTITY("F-ZZ-TANH", "W_down is doubled where the activation is bounded", small, .run = tanhs, ZZ_MLP,
               .statement = "for every activation $\\varphi$, $f(\\varphi) W_{down}$ is as good, where $f(\\tanh) = 2$")
