# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of provably for fish.  What may stand next, the program itself says: `provably complete`.
function __provably_complete
    set -l words (commandline -opc) (commandline -ct)
    $words[1] complete $words[2..-1] 2>/dev/null
end
complete -c provably -a '(__provably_complete)'
