# child.sh - read by a script that runs a long command:  . src/build/child.sh
#   child COMMAND...    runs it; its status.  INT, TERM or HUP of the script, from a terminal or from make, end the command
#                       first, then `undo`, which the script defines, runs, and the script ends by the same signal.
child_id=
child_signal() {
    trap '' INT TERM HUP
    [ -z "$child_id" ] || { kill -TERM "$child_id" 2>/dev/null; wait "$child_id" 2>/dev/null; }
    undo
    trap - INT TERM HUP
    kill -"$1" $$
}
for child_of in INT TERM HUP; do trap "child_signal $child_of" $child_of; done
child() {
    "$@" &
    child_id=$!
    wait "$child_id"
    set -- $?
    child_id=
    return "$1"
}
