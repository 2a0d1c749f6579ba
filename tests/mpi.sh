#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Training in several processes: mpi.sh PROGRAM, a build with MPI.  Two and three processes have the losses of one;
# a killed process ends the job, a stopped one stops all, and another number of processes resumes.
set -eu
program=$1
if ! command -v mpirun >/dev/null; then echo "mpi: mpirun is missing, nothing was tried; run make deps-dev"; exit 0; fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 OMPI_MCA_rmaps_base_oversubscribe=1
[ "$(id -u)" -ne 0 ] || export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fail() { echo "mpi: $1"; [ ! -s "$folder/output" ] || sed 's/^/  /' "$folder/output" | head -n 20; exit 1; }
train() {                                # PROCESSES FOLDER [OPTION...]
    n=$1 out=$2; shift 2
    set -- "$program" train "--out=$folder/$out" --layers=2 --width=48 --heads=2 --window=32 --batch=10 --micro=2 \
        --steps=80 --eval-every=20 --save-every=10 --eval-windows=40 --data=synthetic:3 --quiet "$@"
    if [ "$n" -gt 1 ]; then set -- mpirun --bind-to none -np "$n" "$@"; fi
    status=0; timeout 120 "$@" > "$folder/output" 2>&1 || status=$?
}
# Column c of two logs agrees to 1e-6: same FILE COLUMN A B
same() {
    paste -d, "$folder/$3/$1" "$folder/$4/$1" | awk -F, -v c="$2" '
        /^[0-9]/ { a = $c; b = $(NF / 2 + c); gap = a - b; if (gap < 0) gap = -gap; if (!(gap <= 1e-6 * a)) bad++
                   if ($1 != $(NF / 2 + 1)) bad++; rows++ }
        END { exit !(rows > 3 && !bad) }' || fail "$1 of $3 and $4 differ in column $2"
}
# Sends signal $2 to process $3 of the job in folder $1 when the first checkpoint is there.
hit() {
    for i in $(seq 600); do [ ! -e "$folder/$1/last.ckpt" ] || break; sleep 0.05; done
    for p in $(pgrep -f "out=$folder/$1 "); do
        tr '\0' '\n' < "/proc/$p/environ" 2>/dev/null | grep -qx "OMPI_COMM_WORLD_RANK=$3" || continue
        kill "-$2" "$p"
    done
}
train 1 one --losses
[ $status -eq 0 ] || fail "one process: status $status"
for n in 2 3; do
    train $n "by$n" --losses
    [ $status -eq 0 ] && [ "$(grep -c finished "$folder/output")" -eq 1 ] || fail "$n processes: status $status"
    grep -q "processes=$n" "$folder/by$n/steps.csv" || fail "$n processes: the log does not say so"
    same steps.csv 3 one "by$n"; same evals.csv 2 one "by$n"; same losses.csv 2 one "by$n"
done
hit killed KILL 1 &
train 3 killed
[ $status -ne 0 ] && [ $status -ne 124 ] || fail "killed: the job's status is $status"
grep -qi "signal 9\|killed" "$folder/output" || fail "killed: no message"
train 2 killed
grep -q "processes=3.*processes=2" "$folder/output" || fail "killed: the other number of processes was not announced"
[ $status -eq 0 ] || fail "killed: two do not resume"
same steps.csv 3 one killed
hit stopped TERM 2 &
train 3 stopped
[ $status -eq 1 ] && grep -q "stopped at step" "$folder/output" || fail "stopped: status $status, not 1"
train 1 stopped
[ $status -eq 0 ] || fail "stopped: one does not resume"
same steps.csv 3 one stopped
train 2 one --steps=81
[ $status -eq 2 ] && grep -q "is another run" "$folder/output" || fail "another recipe: status $status, not 2"
echo "mpi: the losses of 2 and 3 processes are those of one; after a kill and a stop another number resumes"
