#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints the commit of the source in the current folder: the first 12 digits, with -dirty where a file was changed that the
# programs need: documents and recorded results are none.  A file that git does not know counts where it would be compiled.
# A tarball of `make dist` has the commit in .commit, with the SHA-256 hash of every file.  A folder inside somebody's
# repository is not that repository: there, and without git, it is unknown; where git refuses, standard error says why.
# Variables that name another repository, as git's own hooks set them, are not read.
export LC_ALL=C
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_COMMON_DIR GIT_NAMESPACE GIT_CEILING_DIRECTORIES \
    GIT_LITERAL_PATHSPECS GIT_GLOB_PATHSPECS GIT_NOGLOB_PATHSPECS GIT_ICASE_PATHSPECS CDPATH

from_tarball() {
    commit=$(sed -n 's/^commit //p' .commit)
    sed '1d; /  reports\/results\//d; /[.]md$/d; /  LICENSE$/d' .commit | sha256sum --check --status 2>/dev/null ||
        commit=$commit-dirty
    echo "$commit"
}
changed() {
    ! git diff --quiet HEAD -- . ':(exclude)reports/results' ':(exclude)*.md' ':(exclude)LICENSE' ||
        [ -n "$(git ls-files --others --exclude-standard -- src numerics cuda theorems)" ]
}
from_git() {
    commit=$(git rev-parse --short=12 --verify --quiet HEAD) || { echo unknown; return; }
    if changed; then commit=$commit-dirty; fi
    echo "$commit"
}

if [ -f .commit ]; then
    from_tarball
elif ! command -v git > /dev/null; then
    echo unknown
elif top=$(git rev-parse --show-cdup 2>&1); then
    if [ "$top" = "" ]; then from_git; else echo unknown; fi
else
    case $top in
        *'not a git repository'*) ;;
        *) echo "the commit of the source is unknown: git says: $top" >&2 ;;
    esac
    echo unknown
fi
