#!/bin/sh
# Prints the commit of the source in the current folder: the first 12 digits, with -dirty when files were changed.
# A tarball of `make dist` has it in .commit, with the SHA-256 hash of every file.  A folder inside somebody's repository
# is not that repository: there, and without git, it is unknown.
if [ -f .commit ]; then
    commit=$(sed -n 's/^commit //p' .commit)
    sed 1d .commit | sha256sum --check --status 2>/dev/null || commit=$commit-dirty
    echo "$commit"
elif [ "$(git rev-parse --show-cdup 2>/dev/null || echo none)" = "" ]; then
    git describe --always --dirty --abbrev=12 --exclude='*' 2>/dev/null || echo unknown
else
    echo unknown
fi
