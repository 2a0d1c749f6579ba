#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what was built and builds nothing, so that it may run as another user:
#   install.sh install|uninstall BUILD PREFIX
# $DESTDIR stands before PREFIX, for packages; $STRIP is the program that strips (`:` does not).  Modes follow the umask.
#   bin/            provably, proofcheck
#   lib/provably/   libprovably.so, which provably runs
#   libexec/provably/theorems/    the program of each claim: a link to provably, which is that program when called so
#   share/provably/ the data: claims.csv, verdicts.csv, ..., models, results, architectures, the theorems of Coq; `installed`, the
#                   list for uninstall
#   share/man/man1/ share/doc/provably/, and completion for bash, zsh and fish
# Nothing is replaced before everything new lies beside it, as NAME.provably-new: then each file is renamed.  The list is
# written before the first of them, so that uninstall knows of what was interrupted.  uninstall removes the files of that
# list, and its folders where they are empty: those that were not there before.
set -eu
export LC_ALL=C
unset CDPATH POSIXLY_CORRECT
trap '' XFSZ                            # a limit on the size of files is an error of write, as a full disk is
what=$1 build=$2 prefix=${3%/} stage=${DESTDIR:-} list=${DESTDIR:-}${3%/}/share/provably/installed
fail() { printf 'make %s: %s\n' "$what" "$1" >&2; exit 2; }
case $prefix in /*) ;; *) fail "PREFIX must begin with /, not '$prefix'" ;; esac

work=$(mktemp -d) || exit 2
: > "$work/new"                         # files of ours that are not yet renamed
tidy() {
    while IFS= read -r file; do rm -f "$file" || :; done < "$work/new"
    rm -rf "$work"
}
trap tidy EXIT
trap 'exit 130' INT TERM HUP

# COMMAND...: runs it; where it fails, the last line that it says, without its name, is in $reason.
try() {
    reason=$( { "$@"; } 2>&1 ) && return
    reason=$(printf '%s\n' "$reason" | tail -n 1 | sed 's/^.*: //')
    case $reason in
        *'No space'*|*quota*)      reason="$reason; free some space, or say another PREFIX" ;;
        *'too large'*)             reason="$reason; raise \`ulimit -f\`" ;;
        *)                         reason="$reason; install as root, or say PREFIX=\$HOME/.local" ;;
    esac
    return 1
}
copy() { cat "$1" > "$2"; }
programs() { ls theorems | sed -n 's/[.]c$//p'; }
needed() {
    printf '%s\n' "$build/provably" "$build/libprovably.so" "$build/proofcheck" "$build/man/provably.1"
}
# SOURCE <tab> PATH below PREFIX <tab> x for programs and libraries, l for links to SOURCE
files() {
    printf '%s\t%s\tx\n' "$build/provably" bin/provably "$build/proofcheck" bin/proofcheck \
        "$build/libprovably.so" lib/provably/libprovably.so
    programs | while read -r p; do printf '%s\tlibexec/provably/theorems/%s\tl\n' ../../../bin/provably "$p"; done
    [ ! -f "$build/commit" ] || printf '%s\tshare/provably/commit\t\n' "$build/commit"
    for f in $(find reports -type f ! -path 'reports/out/*' ! -name '*.md' | sort); do
        printf '%s\tshare/provably/%s\t\n' "$f" "${f#reports/}"
    done
    for f in src/checkpoint/architectures/*; do printf '%s\tshare/provably/%s\t\n' "$f" "${f#src/checkpoint/}"; done
    # the theorems of Coq, and the programs that somebody has read: both count while their hashes are as recorded
    read=$(sed '1d; s|^[^,]*,[^,]*,\([^,]*\),.*|theorems/\1.c|' reports/body_read.csv | sort -u)
    for f in $(ls src/formal/*.v theorems/*.v $read 2>/dev/null); do
        printf '%s\tshare/provably/%s\t\n' "$f" "$f"
    done
    for f in "$build"/man/*.1; do printf '%s\tshare/man/man1/%s\t\n' "$f" "${f##*/}"; done
    for f in *.md LICENSE CITATION.cff reports/*.md; do printf '%s\tshare/doc/provably/%s\t\n' "$f" "${f##*/}"; done
    printf '%s\t%s\t\n' src/cli/complete.bash share/bash-completion/completions/provably \
        src/cli/complete.zsh share/zsh/site-functions/_provably \
        src/cli/complete.fish share/fish/vendor_completions.d/provably.fish
}
# FOLDER: the line `folder X` of each folder down to it that is not there
missing_folders() {
    [ ! -d "$stage$1" ] || return 0
    [ -z "${1%/*}" ] || missing_folders "${1%/*}"
    printf 'folder %s\n' "$1"
}
make_folder() { try mkdir -p "$stage$1" || fail "cannot make $stage$1: $reason"; }
noted() { sed -n "s/^$1 //p" "$2" | sort -u; }

# Writes the list with $work/installed in place of what it says.
write_list() {
    printf '%s\n' "$list.provably-new" >> "$work/new"
    try copy "$work/installed" "$list.provably-new" && try mv -fT "$list.provably-new" "$list" ||
        fail "cannot write $list, and nothing was replaced: $reason"
}
begin_list() {
    folders=$(missing_folders "$prefix/share/provably")
    if ! try mkdir -p "$stage$prefix/share/provably"; then
        printf '%s\n' "$folders" | sed -n 's/^folder //p' | sort -r |
            while IFS= read -r path; do rmdir "$stage$path" 2>/dev/null || :; done
        fail "cannot make $stage$prefix/share/provably: $reason"
    fi
    : > "$work/before"
    [ ! -f "$list" ] || cp "$list" "$work/before"
    {
        cat "$work/before"
        [ -z "$folders" ] || printf '%s\n' "$folders"
        cut -f 2 "$work/files" | sed 's|/[^/]*$||' | sort -u |
            while IFS= read -r path; do missing_folders "$prefix/$path"; done
        cut -f 2 "$work/files" | while IFS= read -r path; do printf 'file %s/%s\n' "$prefix" "$path"; done
    } | awk '!seen[$0]++' > "$work/installed"
    write_list
}
# SOURCE PATH x|l: the file or link beside the one that it will replace; programs without their symbols
put() {
    from=$1 new=$stage$2.provably-new
    make_folder "${2%/*}"
    if [ "$3" = l ]; then
        printf '%s\n' "$new" >> "$work/new"
        try ln -sfn "$from" "$new" || fail "cannot write $new, and nothing was replaced: $reason"
        return
    fi
    if [ -n "$3" ]; then
        rm -f "$work/stripped"
        "${STRIP:-strip}" -o "$work/stripped" "$from" 2>/dev/null && [ -s "$work/stripped" ] && from=$work/stripped || :
    fi
    printf '%s\n' "$new" >> "$work/new"
    try copy "$from" "$new" || fail "cannot write $new, and nothing was replaced: $reason"
    [ -z "$3" ] || try chmod +x "$new" || fail "cannot write $new, and nothing was replaced: $reason"
}
# Each file of what was installed before and is no more; then the list says what there is.
end_list() {
    cut -f 2 "$work/files" | while IFS= read -r path; do printf '%s/%s\n' "$prefix" "$path"; done | sort > "$work/now"
    noted file "$work/before" | comm -23 - "$work/now" | while IFS= read -r path; do
        try rm -f "$stage$path" || fail "cannot remove $stage$path: $reason"
    done
    { grep '^folder ' "$work/installed" || :; sed 's/^/file /' "$work/now"; } > "$work/list"
    mv "$work/list" "$work/installed"
    write_list
}

case $what in
install)
    missing=$(needed | while IFS= read -r f; do [ -e "$f" ] || echo "$f"; done | head -n 1)
    [ -z "$missing" ] || fail "$missing is not built; run make check first"
    files > "$work/files"
    begin_list
    tab=$(printf '\t')
    while IFS="$tab" read -r from path program; do put "$from" "$prefix/$path" "$program"; done < "$work/files"
    while IFS="$tab" read -r from path program; do
        try mv -fT "$stage$prefix/$path.provably-new" "$stage$prefix/$path" || fail "cannot write $stage$prefix/$path: $reason"
    done < "$work/files"
    end_list
    echo "make install: $(wc -l < "$work/files") files in $stage$prefix" ;;
uninstall)
    [ -f "$list" ] || fail "nothing is installed in $stage$prefix: there is no $list"
    cp "$list" "$work/installed"
    noted file "$work/installed" > "$work/files"
    while IFS= read -r path; do
        try rm -f "$stage$path" "$stage$path.provably-new" || fail "cannot remove $stage$path: $reason"
    done < "$work/files"
    try rm -f "$list" "$list.provably-new" || fail "cannot remove $list: $reason"
    noted folder "$work/installed" | sort -r | while IFS= read -r path; do rmdir "$stage$path" 2>/dev/null || :; done
    echo "make uninstall: removed from $stage$prefix" ;;
*)  echo "install.sh takes install or uninstall" >&2; exit 2 ;;
esac
