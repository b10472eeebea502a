"""torch.load of one file. usage: torchLoad.py FILE mmap|meta"""

import json
import resource
import sys
import time

import torch

file, mode = sys.argv[1], sys.argv[2]
begin = time.perf_counter()
loaded = torch.load(file, weights_only=True, **({"mmap": True, "map_location": "cpu"} if mode == "mmap" else {"map_location": "meta"}))
work = (time.perf_counter() - begin) * 1000


def count(value):
    if isinstance(value, torch.Tensor):
        return 1
    if isinstance(value, dict):
        return sum(map(count, value.values()))
    return sum(map(count, value)) if isinstance(value, (list, tuple)) else 0


scale = 1 if sys.platform == "darwin" else 1024
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale
print(json.dumps({"workMs": work, "tensors": count(loaded), "peakBytes": peak}))
