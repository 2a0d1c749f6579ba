#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# One line on the terminal, rewritten in place: progress.sh COLUMNS DONE OF LEFT TEXT...
# LEFT: the seconds that the rest will take; @BEGAN: each takes as long as since that second of the epoch; or nothing, where
# nobody knows.  OF may be 0: then there is no count.
columns=$1 done=$2 of=$3 left=$4
shift 4
case $left in
@*) took=$(($(date +%s) - ${left#@})) left=
    if [ $took -ge 5 ] && [ "$done" -ge 10 ] && [ "$done" -le "$of" ]; then left=$((took * (of - done) / done)); fi ;;
esac
case $left in
''|0)     about= ;;
?|[1-8]?) about=", about $(((left + 9) / 10 * 10)) s left" ;;
*)        about=", about $(((left + 30) / 60)) min left" ;;
esac
case $of in
0) count= ;;
*) count="[$done/$of$about] " ;;
esac
[ "$columns" -ge 20 ] || columns=80
printf "\r\033[K%.$((columns - 1))s" "$count$*"
