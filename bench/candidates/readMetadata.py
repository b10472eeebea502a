"""torch's own reader of a distributed checkpoint's index. usage: readMetadata.py FOLDER"""

import json
import resource
import sys
import time

from torch.distributed.checkpoint import FileSystemReader

begin = time.perf_counter()
metadata = FileSystemReader(sys.argv[1]).read_metadata()
result = {"workMs": (time.perf_counter() - begin) * 1000, "tensors": len(metadata.state_dict_metadata)}
scale = 1 if sys.platform == "darwin" else 1024
result["peakBytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale
print(json.dumps(result))
