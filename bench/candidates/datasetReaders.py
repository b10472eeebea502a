"""Readers of tokenized datasets in Python: what each needs to tell how many tokens, rows or members there are. usage: datasetReaders.py READER PATH"""

import json
import os
import resource
import sys
import time


def arrow_streams(folder):
    import pyarrow as pa

    yield
    names = sorted(name for name in os.listdir(folder) if name.endswith(".arrow"))
    rows = tokens = 0
    for name in names:
        with pa.memory_map(os.path.join(folder, name)) as file:
            for batch in pa.ipc.open_stream(file):
                rows += batch.num_rows
                tokens += len(batch.column(0).values)
    yield {"samples": rows, "tokens": tokens}


def load_from_disk(folder):
    from datasets import load_from_disk

    yield
    column = load_from_disk(folder).data.column("input_ids")
    yield {"samples": len(column), "tokens": sum(len(chunk.values) for chunk in column.chunks)}


def megatron(prefix):
    import numpy
    from megatron.core.datasets.indexed_dataset import IndexedDataset

    yield
    dataset = IndexedDataset(prefix)
    yield {"samples": len(dataset), "tokens": int(dataset.sequence_lengths.sum(dtype=numpy.int64))}


def mapped_lengths(prefix):
    import numpy

    return numpy.memmap(prefix + ".idx", numpy.int32, "r", 34, int.from_bytes(open(prefix + ".idx", "rb").read(26)[18:], "little"))


def numpy_sum(prefix):
    import numpy

    yield
    lengths = mapped_lengths(prefix)
    yield {"samples": len(lengths), "tokens": int(lengths.sum(dtype=numpy.int64))}


def numpy_histogram(prefix):
    import numpy

    yield
    lengths = mapped_lengths(prefix)
    counts, _ = numpy.histogram(lengths, bins=256)
    yield {"samples": int(counts.sum()), "tokens": int(lengths.sum(dtype=numpy.int64))}


def parquet(file):
    import pyarrow.parquet as pq

    yield
    metadata = pq.ParquetFile(file).metadata
    groups = (metadata.row_group(index) for index in range(metadata.num_row_groups))
    chunks = sum(group.column(index).num_values > 0 for group in groups for index in range(metadata.num_columns))
    yield {"samples": metadata.num_rows, "chunks": chunks}


def tar(file):
    import tarfile

    yield
    with tarfile.open(file) as archive:
        yield {"members": len(archive.getmembers())}


def main():
    reader = globals()[sys.argv[1]](sys.argv[2])
    next(reader)  # imports
    begin = time.perf_counter()
    result = next(reader)
    result["workMs"] = (time.perf_counter() - begin) * 1000
    result["peakBytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    print(json.dumps(result))


main()
