/* SPDX-License-Identifier: GPL-3.0-or-later
 * data.h - the subcommands of `provably data` that work on texts (data_text.c): argv[0] is the subcommand. */
#ifndef CLI_DATA_H
#define CLI_DATA_H

int data_encode_main   (int argc, char **argv);
int data_decode_main   (int argc, char **argv);
int data_synthetic_main(int argc, char **argv);
#endif
