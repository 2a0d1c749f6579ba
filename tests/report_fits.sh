#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# report_fits.sh LOG: no line or table of the PDF stands out of its column by more than a millimetre, as TeX's log says.
log=${1:?name the log of TeX, reports/out/report.log}
[ -f "$log" ] || { echo "report_fits.sh: there is no $log: run make report first" >&2; exit 2; }
awk '/^Overfull \\hbox/ { wide = substr($3, 2) + 0; if (wide > 3) { print FILENAME ": " $0; bad = 1 } } END { exit bad }' "$log"
