#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# make gpu-check: the check itself, then its small part under compute-sanitizer, where that is installed: with our own
# kernels alone, since the libraries' are slow under it, and not ours to judge.
# The whole report is in BUILD/gpu-check.log; exit status 0, 1 something is wrong, 2 no device.
set -u
unset OMP_NUM_THREADS OPENBLAS_NUM_THREADS       # it runs alone: make's are for programs side by side
B=$1 sanitizer=${2:-}
log=$B/gpu-check.log
"$B/gpu-check" > "$log" 2>"$log.err"
status=$?
cat "$log.err" "$log"
cat "$log.err" >> "$log"
rm -f "$log.err"
[ $status -ne 2 ] || exit 2
if [ -z "$sanitizer" ]; then
    echo "gpu-check: compute-sanitizer is not installed; memory and races were not checked" | tee -a "$log"
    exit $status
fi
for tool in memcheck racecheck initcheck; do
    if "$sanitizer" --tool $tool --error-exitcode 9 "$B/gpu-check" --small --own > "$log.$tool" 2>&1; then
        echo "ok   compute-sanitizer $tool" | tee -a "$log"
    else
        echo "BAD  compute-sanitizer $tool, see $log.$tool" | tee -a "$log"
        status=1
    fi
done
exit $status
