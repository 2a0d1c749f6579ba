# SPDX-License-Identifier: GPL-3.0-or-later
# How long the trials of all evidence files took, by arithmetic; after number.awk.
$1 != "id" && NF > 20 { took[$5] += number($17); all += number($17) }
END { for (over in took) printf "%-6s %6.1f s\n", over, took[over]; printf "claims %6.1f s of one core\n", all }
