"""Writes what `Dataset.save_to_disk` writes: FOLDER with SHARDS Arrow streams of 8 batches, each of 1,000 rows of 512 tokens. Tokens are 0,
so that nearly all of it is holes. usage: writeArrowShards.py FOLDER SHARDS"""

import json
import os
import sys

import pyarrow as pa

BATCHES, ROWS, LENGTH, BLOCK = 8, 1000, 512, 4096


def stream(features):
    schema = pa.schema([("input_ids", pa.list_(pa.int32()))]).with_metadata({"huggingface": json.dumps({"info": {"features": features}})})
    values = pa.array(memoryview(bytes(4 * ROWS * LENGTH)).cast("i"), pa.int32())
    offsets = pa.array(range(0, ROWS * LENGTH + 1, LENGTH), pa.int32())
    batch = pa.record_batch([pa.ListArray.from_arrays(offsets, values)], schema=schema)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, schema) as writer:
        for _ in range(BATCHES):
            writer.write_batch(batch)
    return sink.getvalue().to_pybytes()


def without_holes(content):
    blocks = ((at, content[at : at + BLOCK]) for at in range(0, len(content), BLOCK))
    return [(at, block) for at, block in blocks if block.count(0) < len(block)]


def write_sparse(path, size, blocks):
    with open(path, "wb") as file:
        file.truncate(size)
        for at, block in blocks:
            file.seek(at)
            file.write(block)


def main():
    folder, shards = sys.argv[1], int(sys.argv[2])
    partial = folder + ".partial"
    os.makedirs(partial, exist_ok=True)
    features = {"input_ids": {"feature": {"dtype": "int32", "_type": "Value"}, "_type": "List"}}
    content = stream(features)
    names = [f"data-{index:05d}-of-{shards:05d}.arrow" for index in range(shards)]
    blocks = without_holes(content)
    for name in names:
        write_sparse(os.path.join(partial, name), len(content), blocks)
    info = {"citation": "", "description": "", "features": features, "homepage": "", "license": ""}
    state = {
        "_data_files": [{"filename": name} for name in names],
        "_fingerprint": "0123456789abcdef",
        "_format_columns": None,
        "_format_kwargs": {},
        "_format_type": None,
        "_output_all_columns": False,
        "_split": None,
    }
    for name, root in {"dataset_info.json": info, "state.json": state}.items():
        with open(os.path.join(partial, name), "w", encoding="utf-8") as file:
            json.dump(root, file, indent=2)
    os.replace(partial, folder)


main()
