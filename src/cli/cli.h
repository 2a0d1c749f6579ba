/* cli.h - the commands of `provably`, one file each: argv[0] is the command, the exit status is returned. */
#ifndef CLI_H
#define CLI_H

int absorb_main(int argc, char **argv);
int audit_main (int argc, char **argv);
int basis_main (int argc, char **argv);
int rank_main  (int argc, char **argv);
int train_main (int argc, char **argv);
int train_vision_main(int argc, char **argv);
int sample_main(int argc, char **argv);
#endif
