/* SPDX-License-Identifier: GPL-3.0-or-later
 * cli.h - the commands of `provably`, one file each: argv[0] is the command, the exit status is returned. */
#ifndef CLI_H
#define CLI_H
#include "src/experiments/sweep.h"

typedef struct {
    const char *name, *with, *does;      /* `with`: its arguments, "NAME [OPTION...]"; name NULL: `does` is a heading */
    int (*main)(int argc, char **argv);
    const char *example;                 /* a command line, for the manual; NULL of headings                      */
} cli_command;

int list_main  (int argc, char **argv);
int show_main  (int argc, char **argv);
int run_main   (int argc, char **argv);
int check_main (int argc, char **argv);
int report_command(int argc, char **argv);
int absorb_main(int argc, char **argv);
int audit_main (int argc, char **argv);
int data_main  (int argc, char **argv);
int export_main(int argc, char **argv);
int inspect_main(int argc, char **argv);
int reduce_main(int argc, char **argv);
int verify_main(int argc, char **argv);
int basis_main (int argc, char **argv);
int rank_main  (int argc, char **argv);
int train_main (int argc, char **argv);
int train_vision_main(int argc, char **argv);
int sample_main(int argc, char **argv);
int sweep_main (int argc, char **argv);
int reproduce_main(int argc, char **argv);
/* Prints what the last word may become: complete.c.  n rows of commands. */
int complete_main(int argc, char **argv, const cli_command *commands, size_t n);

/* The commands that train into a folder, for lists of work and presets: kinds.c. */
extern const run_kind run_kinds[];
run_cost train_cost(int argc, char **argv);
run_cost basis_cost(int argc, char **argv);
run_cost train_vision_cost(int argc, char **argv);
#endif
