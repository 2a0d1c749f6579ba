# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of provably for bash.  What may stand next, the program itself says: `provably complete`.
_provably()
{
    local line=${COMP_LINE:0:COMP_POINT} words whole typed=${COMP_WORDS[COMP_CWORD]}
    read -ra words <<< "$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    whole=${words[-1]}
    # Bash cuts words at = and : and replaces only what is behind the last of them.
    case $typed in =|:) typed= ;; esac
    local before=${whole%"$typed"}
    mapfile -t COMPREPLY < <("${words[0]}" complete "${words[@]:1}" 2>/dev/null)
    COMPREPLY=("${COMPREPLY[@]#"$before"}")
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
    return 0
}
complete -o default -F _provably provably
