#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# picture.sh PAGE PICTURE SHOWN: the first screen of a report's page as a PNG, by chromium or google-chrome.  PICTURE.sha256
# has the hash of the picture and of what of SHOWN it shows, the lines of `practice` in findings.csv, so that a test sees
# when it is out of date (t_findings).
set -eu
unset CDPATH
page=$1 picture=$2 shown=$3
browser=
for b in chromium chromium-browser google-chrome; do
    if command -v "$b" > /dev/null; then browser=$b; break; fi
done
[ -n "$browser" ] || { echo "make picture: chromium or google-chrome is missing; make deps-dev installs chromium" >&2; exit 2; }
[ -f "$page" ] || { echo "make picture: there is no $page; run make check" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
page=$(cd "$(dirname "$page")" && pwd)/$(basename "$page")
timeout 120 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --disable-lcd-text --force-device-scale-factor=1 \
    --user-data-dir="$work/profile" --window-size=960,600 --screenshot="$work/picture.png" "file://$page" > "$work/log" 2>&1 &&
    [ -s "$work/picture.png" ] || { cat "$work/log" >&2; echo "make picture: $browser has drawn no picture of $page" >&2; exit 1; }
of() { sha256sum | cut -c1-64; }
{ echo "$(of < "$work/picture.png")  picture"; echo "$(grep '^practice,' "$shown" | of)  shows"; } > "$work/sha256"
mv "$work/picture.png" "$picture"
mv "$work/sha256" "$picture.sha256"
echo "$picture: $(($(wc -c < "$picture") / 1000)) kB, by $browser"
