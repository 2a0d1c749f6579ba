/* rank.h - `provably rank`: the dimension of one transformer's function family. */
#ifndef CLI_RANK_H
#define CLI_RANK_H
int rank_command(int argc, char **argv);         /* 0: bounds meet and no formula contradicts; 1: not; 2: bad input */
#endif
