"""torch.load of one file. usage: torchLoad.py FILE mmap|meta"""

import json
import resource
import sys
import time

import torch

file, mode = sys.argv[1], sys.argv[2]
options = {"mmap": True, "map_location": "cpu"} if mode == "mmap" else {"map_location": "meta"}
result = {}
begin = time.perf_counter()
try:
    loaded = torch.load(file, weights_only=True, **options)
except Exception as error:
    result["error"] = str(error).replace(file, "the file")
result["workMs"] = (time.perf_counter() - begin) * 1000


def count(value):
    if isinstance(value, torch.Tensor):
        return 1
    if isinstance(value, dict):
        return sum(map(count, value.values()))
    return sum(map(count, value)) if isinstance(value, (list, tuple)) else 0


if "error" not in result:
    result["tensors"] = count(loaded)
scale = 1 if sys.platform == "darwin" else 1024
result["peakBytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale
print(json.dumps(result))
