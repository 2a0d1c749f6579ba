#!/bin/sh
# Installs what was built and builds nothing, so that it may run as another user:
#   install.sh install|uninstall BUILD PREFIX
# $DESTDIR stands before PREFIX, for packages; $STRIP is the program that strips (`:` does not).  Modes follow the umask.
#   bin/            provably, proofcheck
#   libexec/provably/theorems/    the program of each claim
#   share/provably/ the data: claims.csv, verdicts.csv, ..., models, results, the theorems of Coq; `installed`, the list for uninstall
#   share/man/man1/ share/doc/provably/, and completion for bash, zsh and fish
# uninstall removes the files of that list, and its folders where they are empty: those that were not there before.
set -eu
export LC_ALL=C
what=$1 build=$2 prefix=${3%/} stage=${DESTDIR:-} list=${DESTDIR:-}${3%/}/share/provably/installed
case $prefix in /*) ;; *) echo "make $what: PREFIX must begin with /, not '$prefix'" >&2; exit 2 ;; esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: > "$work/installed"                   # lines `file PATH` and `folder PATH`, without $DESTDIR

programs() { ls theorems | sed -n 's/[.]c$//p'; }
needed() {
    printf '%s\n' "$build/provably" "$build/proofcheck" "$build/man/provably.1"
    programs | sed "s|^|$build/theorems/|"
}
# SOURCE <tab> PATH below PREFIX <tab> x, for programs
files() {
    printf '%s\t%s\tx\n' "$build/provably" bin/provably "$build/proofcheck" bin/proofcheck
    programs | while read -r p; do printf '%s\tlibexec/provably/theorems/%s\tx\n' "$build/theorems/$p" "$p"; done
    for f in $(find reports -type f ! -path 'reports/out/*' ! -name '*.md' | sort); do
        printf '%s\tshare/provably/%s\t\n' "$f" "${f#reports/}"
    done
    for f in $(ls src/formal/*.v theorems/*.v 2>/dev/null); do printf '%s\tshare/provably/%s\t\n' "$f" "$f"; done
    for f in "$build"/man/*.1; do printf '%s\tshare/man/man1/%s\t\n' "$f" "${f##*/}"; done
    for f in *.md LICENSE CITATION.cff reports/*.md; do printf '%s\tshare/doc/provably/%s\t\n' "$f" "${f##*/}"; done
    printf '%s\t%s\t\n' src/cli/complete.bash share/bash-completion/completions/provably \
        src/cli/complete.zsh share/zsh/site-functions/_provably \
        src/cli/complete.fish share/fish/vendor_completions.d/provably.fish
}
folder() {                              # like mkdir -p; what was not there is noted
    [ ! -d "$stage$1" ] || return 0
    [ -z "${1%/*}" ] || folder "${1%/*}"
    mkdir -p "$stage$1" 2>/dev/null || { echo "make install: cannot make $stage$1; $advice" >&2; exit 2; }
    echo "folder $1" >> "$work/installed"
}
advice="install as root, or say PREFIX=\$HOME/.local"
put() {                                 # SOURCE PATH x: a new file, never one that somebody else has open
    folder "${2%/*}"
    rm -f "$stage$2" && cat "$1" > "$stage$2" || { echo "make install: cannot write $stage$2; $advice" >&2; exit 2; }
    if [ -n "$3" ]; then chmod +x "$stage$2"; "${STRIP:-strip}" "$stage$2" 2>/dev/null || :; fi
    echo "file $2" >> "$work/installed"
}
noted() { sed -n "s/^$1 //p" "$2" | sort; }

case $what in
install)
    missing=$(needed | while IFS= read -r f; do [ -e "$f" ] || echo "$f"; done | head -n 1)
    [ -z "$missing" ] || { echo "make install: $missing is not built; run make check first" >&2; exit 2; }
    files > "$work/files"
    folder "$prefix/share/provably"
    : > "$work/before"
    if [ -f "$list" ]; then
        cp "$list" "$work/before"
        grep '^folder ' "$list" >> "$work/installed" || :
    fi
    tab=$(printf '\t')
    while IFS="$tab" read -r from path program; do put "$from" "$prefix/$path" "$program"; done < "$work/files"
    noted file "$work/installed" > "$work/now"
    noted file "$work/before" | comm -23 - "$work/now" | while IFS= read -r path; do rm -f "$stage$path"; done
    cat "$work/installed" > "$list"
    echo "make install: $(wc -l < "$work/files") files in $stage$prefix" ;;
uninstall)
    [ -f "$list" ] || { echo "make uninstall: nothing is installed in $stage$prefix: there is no $list" >&2; exit 2; }
    cp "$list" "$work/installed"
    noted file "$work/installed" | while IFS= read -r path; do rm -f "$stage$path"; done
    rm -f "$list"
    noted folder "$work/installed" | sort -r | while IFS= read -r path; do rmdir "$stage$path" 2>/dev/null || :; done
    echo "make uninstall: removed from $stage$prefix" ;;
*)  echo "install.sh takes install or uninstall" >&2; exit 2 ;;
esac
