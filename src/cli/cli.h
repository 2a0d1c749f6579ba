/* cli.h - the commands of `provably`, one file each: argv[0] is the command, the exit status is returned. */
#ifndef CLI_H
#define CLI_H

int audit_command (int argc, char **argv);
int train_command (int argc, char **argv);
int sample_command(int argc, char **argv);
#endif
