/* cli.h - the subcommands of provably; argv[0] is the subcommand's name.  Each returns the exit status. */
#ifndef CLI_H
#define CLI_H
int absorb_main(int argc, char **argv);
#endif
