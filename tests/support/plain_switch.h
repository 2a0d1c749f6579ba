/* SPDX-License-Identifier: GPL-3.0-or-later
 * plain_switch.h - PROVABLY_REFERENCE is read once, so what it switches off is looked at in a child that has just begun. */
#ifndef PLAIN_SWITCH_H
#define PLAIN_SWITCH_H

enum { PLAIN_VALUES = 4 };               /* of the variable: two that switch off, two that do not */

/* Runs f in a child with value k of the variable; f gets a const bool, is it off?, and must exit with status 0.  Before
 * this process has asked plain_only(). */
void check_plain_switch(int k, void (*f)(void *off));
#endif
