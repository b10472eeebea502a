/** Files that mean something together only: a file that is inspected by itself brings the others along where they lie beside it. */

/** Names beside a file that belong to it: the index of data, the data of an index. */
export function companionNames(name: string): string[] {
  const dot = name.lastIndexOf('.');
  const stem = name.slice(0, dot);
  if (dot <= 0) return [];
  switch (name.slice(dot)) {
    case '.idx':
      return [`${stem}.bin`];
    case '.bin':
      return [`${stem}.idx`];
    case '.index':
      return bundleData(stem);
    case '.ds':
      return [`${name}.index`, `${name}.metadata`];
    default:
      return [];
  }
}

/** How many shards of a TensorFlow bundle are looked for beside its index: those of one host, and of eight. */
const shardCounts = [1, 2, 4, 8];

function bundleData(prefix: string): string[] {
  const number = (value: number): string => String(value).padStart(5, '0');
  return shardCounts.flatMap((count) =>
    Array.from({ length: count }, (_, shard) => `${prefix}.data-${number(shard)}-of-${number(count)}`),
  );
}
