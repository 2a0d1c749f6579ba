#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# make bench-gpu: our own figures, and the same model under torch.compile in the same run where PyTorch sees the GPU.
set -eu
B=$1
"$B/gpu-bench"
if python3 -c 'import torch, sys; sys.exit(not torch.cuda.is_available())' 2>/dev/null; then
    python3 tests/reference/gpt_speed.py
else
    echo "PyTorch is not here: nothing to compare with"
fi
