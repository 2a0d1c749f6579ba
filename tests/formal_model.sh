#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Is the formal model the model that our programs run?  formal_model.sh BUILD SEED, after make has compiled src/formal into
# BUILD/formal: small random models with rational weights, one for each group of switches, and their logits by
# src/model/model.c over Q become examples for Coq, which evaluates src/formal/transformer.v on the same weights.  The file
# compiles if all logits are equal; one that is off by 1 must not.
set -eu
B=$1 seed=$2 at=$1/formal/model
mkdir -p "$at"
compile() { timeout --foreground 300 coqc -q -w none -Q "$B/formal/Provably" Provably "$1" > "$1.said" 2>&1; }
"$B/tests/formal/dump_model" "$seed" > "$at/models.v"
compile "$at/models.v" || {
    cat "$at/models.v.said" >&2
    echo "make formal: src/formal/transformer.v and src/model/model.c give different logits for seed $seed, see $at/models.v" >&2
    exit 1
}
n=$(grep -c '^Example same' "$at/models.v")
number=$((seed % n))
"$B/tests/formal/dump_model" "$seed" $number > "$at/spoiled.v"
if compile "$at/spoiled.v" || ! grep -q 'Unable to unify "true" with "false"' "$at/spoiled.v.said"; then
    cat "$at/spoiled.v.said" >&2
    echo "make formal: a model with a wrong logit was not refused, or not because of the logit: $at/spoiled.v" >&2
    exit 1
fi
echo "$n models: the formal logits are those of src/model over Q, and a wrong one is refused"
