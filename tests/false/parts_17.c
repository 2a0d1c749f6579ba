/* SPDX-License-Identifier: GPL-3.0-or-later
 * parts_17.c - seventeen parts, and the last is false: AB = BA.
 * Caught by the seventeenth part: FAILED */
#include "tests/false/many_parts.h"

int main(int argc, char **argv) { return many_parts("F-17", "seventeen parts, and the last is false", 17, argc, argv); }
