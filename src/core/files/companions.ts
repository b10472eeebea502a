/** Files that mean something together only: a file that is inspected by itself brings the others along where they lie beside it. */

/** Names beside a file that belong to it: the index of data, the data of an index. */
export function companionNames(name: string): string[] {
  const dot = name.lastIndexOf('.');
  const stem = name.slice(0, dot);
  if (dot <= 0) return [];
  const shard = shardName.exec(name);
  if (shard !== null) return shardsBeside(name, shard);
  if (/^adapter_model\.(safetensors|bin)$/.test(name)) return ['adapter_config.json'];
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

/** `model-00001-of-00003.safetensors`: one of several files of one model (transformers, mlx, llama.cpp's split). */
const shardName = /^(.*?-)?(\d{5})-of-(\d{5})(\.(?:safetensors|bin|gguf))$/s;
/** More are looked for in their directory only. */
const MOST_SHARDS = 1_000;
/** What transformers writes beside the shards of a model. */
const besideShards = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'tokenizer.model'];

/** The other shards, the index of all, and the files that say what model it is. */
function shardsBeside(name: string, [, stem = '', , total = '', extension = '']: readonly string[]): string[] {
  const count = Number(total);
  if (count < 2 || count > MOST_SHARDS) return [];
  const shards = Array.from({ length: count }, (_, at) => `${stem}${String(at + 1).padStart(5, '0')}-of-${total}${extension}`);
  const others = shards.filter((shard) => shard !== name);
  return extension === '.gguf' ? others : [...others, `${stem.slice(0, -1)}${extension}.index.json`, ...besideShards];
}
