"""Writes FILE, a Parquet file of token lists and columns beside them: 2,000 row groups of 50 rows, 11 columns. usage: writeParquet.py FILE"""

import os
import sys

import pyarrow as pa
import pyarrow.parquet as pq

GROUPS, ROWS, LENGTH = 2000, 50, 64
names = ["input_ids", "attention_mask", "labels", "position_ids"] + [f"feature_{index}" for index in range(7)]

partial = sys.argv[1] + ".partial"
schema = pa.schema([(name, pa.list_(pa.int32())) for name in names])
with pq.ParquetWriter(partial, schema) as writer:
    for group in range(GROUPS):
        tokens = pa.array([[(group * 31 + row * 7 + at) % 50_000 for at in range(LENGTH)] for row in range(ROWS)], pa.list_(pa.int32()))
        writer.write_table(pa.table([tokens] * len(names), schema=schema))
os.replace(partial, sys.argv[1])
