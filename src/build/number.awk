# SPDX-License-Identifier: GPL-3.0-or-later
# number(text): what a column of evidence says, hexadecimal ("-0x1.8p+1" is -3) or decimal; awk itself reads decimals alone.
function number(text,    sign, at, whole, value, place, k) {
    sign = sub(/^-/, "", text) ? -1 : 1
    if (text == "inf") return sign * 1e300
    if (text !~ /^0x/) return sign * text
    at = index(text, "p")
    whole = substr(text, 3, at - 3)
    value = index("123456789abcdef", substr(whole, 1, 1))
    place = 1
    for (k = 3; k <= length(whole); k++) value += index("123456789abcdef", substr(whole, k, 1)) * (place /= 16)
    return sign * value * 2 ^ substr(text, at + 1)
}
