#compdef provably
# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of provably for zsh.  What may stand next, the program itself says: `provably complete`.
_provably()
{
    local -a all open
    all=(${(f)"$(${words[1]} complete ${(@)words[2,CURRENT]} 2>/dev/null)"})
    open=(${(M)all:#*=})
    all=(${all:#*=})
    (( $#open )) && compadd -S '' -a open
    (( $#all )) && compadd -a all
    (( $#open + $#all )) || _files
}
_provably "$@"
