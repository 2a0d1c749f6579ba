#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# lines.sh: calls that end early without a word where memory or the disk fails, silent where the product makes none.
#   What reads lines is src/base/lines.c, what parses options src/base/option.c, and no shell stands between us and a
#   program whose output we read (src/base/child.h).
set -eu
cd "${1:-.}"
found=$(find src numerics theorems cuda \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name '*.cc' \) |
    xargs grep -HnE '(^|[^a-zA-Z0-9_])(getline|getdelim|fgets|fgetws|argp_parse|popen)[[:space:]]*\(' |
    grep -vE '^src/base/option\.c:[0-9]+:.*[^a-zA-Z0-9_]argp_parse\(' || true)
[ -z "$found" ] || { echo "$found"; echo "lines.sh: use line_next (src/base/lines.h), option_parse (option.h), child_begin (child.h)"; exit 1; }
