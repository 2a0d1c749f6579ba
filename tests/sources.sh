#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# SHA-256 of the C sources in the folders (or files) given, their names and contents: what a recorded figure was made from.
#     sources.sh FOLDER...
set -eu
unset CDPATH
export LC_ALL=C
find "$@" -type f \( -name '*.[ch]' -o -path '*/seeds/*' \) | sort | xargs sha256sum | sha256sum | cut -c1-64
