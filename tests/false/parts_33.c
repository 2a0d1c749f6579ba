/* SPDX-License-Identifier: GPL-3.0-or-later
 * parts_33.c - thirty-three parts, one more than a claim may have, and the last is false.
 * Caught by the contract of a claim: has 33 parts */
#include "tests/false/many_parts.h"

int main(int argc, char **argv) {
    return many_parts("F-33", "thirty-three parts, one more than a claim may have", 33, argc, argv);
}
