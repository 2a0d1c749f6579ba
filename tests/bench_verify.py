# SPDX-License-Identifier: GPL-3.0-or-later
# bench_verify.py A B - what people write instead of `verify`: each tensor of two safetensors files of bfloat16 in float32, and
# np.allclose.  Exit status 1: some tensor is not close.
import json
import sys
import numpy as np


def tensors(path):
    data = np.memmap(path, dtype=np.uint8, mode="r")
    length = int(data[:8].view(np.uint64)[0])
    header = json.loads(bytes(data[8:8 + length]))
    for name, of in header.items():
        if name != "__metadata__":
            begin, end = (8 + length + at for at in of["data_offsets"])
            bits = data[begin:end].view(np.uint16)
            yield name, (bits.astype(np.uint32) << 16).view(np.float32).reshape(of["shape"])


other = 0
for (name, a), (same, b) in zip(tensors(sys.argv[1]), tensors(sys.argv[2])):
    assert name == same and a.shape == b.shape, name
    other += not np.allclose(a, b)
print(other, "tensors are not close")
sys.exit(other > 0)
