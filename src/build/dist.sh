#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Writes the source of the last commit to FOLDER/provably-VERSION.tar.gz, the same bits for the same commit whoever does
# it and whenever: dist.sh VERSION FOLDER
set -eu
export LC_ALL=C TZ=UTC
unset CDPATH GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_COMMON_DIR GIT_NAMESPACE GIT_CEILING_DIRECTORIES
version=$1 folder=$2 name=provably-$1
if [ -f .commit ] || [ "$(git rev-parse --show-cdup 2>/dev/null || echo none)" != "" ]; then
    echo "make dist: needs the repository of the suite: git archives its last commit" >&2; exit 2
fi
[ -z "$(git status --porcelain --untracked-files=no)" ] ||
    echo "make dist: changes that are not committed are left out" >&2
mkdir -p "$folder"
work=$(mktemp -d "$folder/dist.XXXXXX")
trap 'rm -rf "$work"' EXIT
git archive --format=tar --prefix="$name/" HEAD | tar -x -C "$work" -f -
(cd "$work/$name" && find . -type f | sed 's|^\./||' | sort | tr '\n' '\0' | xargs -0 sha256sum) > "$work/hashes"
{ echo "commit $(git rev-parse --short=12 HEAD)"; cat "$work/hashes"; } > "$work/$name/.commit"
tar -c -C "$work" --format=ustar --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
    --mtime="@$(git log -1 --format=%ct)" "$name" | gzip -9n > "$work/tar.gz"
mv "$work/tar.gz" "$folder/$name.tar.gz"
echo "$folder/$name.tar.gz"
