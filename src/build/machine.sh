# SPDX-License-Identifier: GPL-3.0-or-later
# machine.sh - how the records name a machine.  Scripts that write them read it: . "${0%/*}/machine.sh"
#   hardware              the processor's name, with AMD's generation, which the name can hide: AMD EPYC (Zen 5)
#   features              avx2, avx512f and avx512ifma, as far as it has them
#   machine_kind WORD...  prints the last of these features that it has, or other, and AMD's generation: avx512_bf16_zen5,
#                         part of the names of records that there are one of for each kind of machine
# The features' names are those of /proc/cpuinfo (CPUINFO: another file).  AMD's family 25 is Zen 3, and Zen 4 where it has
# AVX-512; 26 is Zen 5.
cpu_line() { sed -n "s/^$1[^:]*: //p" "${CPUINFO:-/proc/cpuinfo}" | head -n 1; }
cpu_has() { cpu_line flags | grep -qw "$1"; }

hardware=$(cpu_line 'model name')
features=$(cpu_line flags | tr ' ' '\n' | grep -xE 'avx2|avx512f|avx512ifma' | tr '\n' ' ' | sed 's/ $//')
zen=
[ "$(cpu_line vendor_id)" != AuthenticAMD ] || case $(cpu_line 'cpu family') in
    25) zen=3; ! cpu_has avx512f || zen=4 ;;
    26) zen=5 ;;
esac
hardware=${hardware:-unknown}${zen:+ (Zen $zen)}

machine_kind()
{
    kind=other
    for feature; do
        ! cpu_has "$feature" || kind=$(echo "$feature" | sed 's/512f/512/; s/512ifma/512_ifma/; s/^amx_bf16/amx/')
    done
    echo "$kind${zen:+_zen$zen}"
}
