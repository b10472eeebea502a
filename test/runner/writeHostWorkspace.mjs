import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../scripts/host/project.mjs';

/** Tensors of the large checkpoint, over all of its shards. */
const manyTensors = 192_000;
const manyShards = 64;

/**
 * The workspace that host tests work on. It is made for each run, so that tests may change it.
 * @param {string} folder
 */
export function writeHostWorkspace(folder) {
  writeCheckpoint(path.join(folder, 'checkpoint-30'), 30);
  for (const step of [10, 20]) writeCheckpoint(path.join(folder, 'run', `checkpoint-${step}`), step);
  writeMany(path.join(folder, 'many'));
  mkdirSync(path.join(folder, 'empty'), { recursive: true });
  writeDatasets(folder);
  writeConfigs(folder);
  const odd = path.join(folder, 'odd');
  mkdirSync(odd, { recursive: true });
  writeFileSync(path.join(odd, 'cut.safetensors'), safetensors({ weight: [64, 64] }).subarray(0, 40));
  writeFileSync(path.join(odd, '<img src=x>.safetensors'), safetensors({ '</script><img src=x>': [2, 2] }));
  symlinkSync('missing.safetensors', path.join(odd, 'dangling.safetensors'));
}

/**
 * One config of each kind, each in a folder called as its kind or its case, and files of others with the same endings.
 * @param {string} folder
 */
function writeConfigs(folder) {
  const fixtures = path.join(projectRoot, 'test', 'fixtures');
  const cases = path.join(fixtures, 'frameworks', 'configs');
  for (const { name } of readdirSync(cases, { withFileTypes: true }).filter((entry) => entry.isDirectory()))
    cpSync(path.join(cases, name, 'data'), path.join(folder, 'configs', name), { recursive: true });
  const others = path.join(folder, 'other-files');
  for (const { name } of readdirSync(path.join(fixtures, 'configs'), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  ))
    cpSync(path.join(fixtures, 'configs', name), name === 'not-configs' ? others : path.join(folder, 'configs', name), {
      recursive: true,
    });
}

/**
 * Datasets of the samples, and files of others that have the names of their indexes.
 * @param {string} folder
 */
function writeDatasets(folder) {
  const samples = path.join(projectRoot, 'samples');
  for (const name of ['megatron-corpus', 'streaming-mds'])
    cpSync(path.join(samples, name), path.join(folder, name), { recursive: true });
  cpSync(path.join(samples, 'streaming-mds', 'val'), path.join(folder, 'changing'), { recursive: true });
  const tokenizer = path.join(samples, 'llama-tiny-sharded', 'tokenizer.json');
  mkdirSync(path.join(folder, 'raw-text'));
  writeFileSync(path.join(folder, 'raw-text', 'part-0.txt'), 'words of a text\n'.repeat(500));
  mkdirSync(path.join(folder, 'models'));
  cpSync(tokenizer, path.join(folder, 'models', 'tokenizer.json'));
  const app = path.join(folder, 'app');
  mkdirSync(app);
  writeFileSync(path.join(app, 'index.json'), JSON.stringify({ name: 'app', version: '1.0.0', shards: 3 }));
  writeFileSync(path.join(app, 'state.json'), JSON.stringify({ open: true }));
}

/**
 * @param {string} folder
 * @param {number} step
 */
function writeCheckpoint(folder, step) {
  mkdirSync(folder, { recursive: true });
  const tensors = Object.fromEntries(
    [0, 1].flatMap((layer) => [
      [`model.layers.${layer}.mlp.weight`, [16, 16]],
      [`model.layers.${layer}.norm.weight`, [16]],
    ]),
  );
  writeFileSync(path.join(folder, 'model.safetensors'), safetensors({ 'model.embed_tokens.weight': [32, 16], ...tensors }));
  writeFileSync(path.join(folder, 'config.json'), JSON.stringify({ model_type: 'llama', hidden_size: 16 }, null, 2));
  writeFileSync(path.join(folder, 'trainer_state.json'), JSON.stringify({ global_step: step, log_history: [] }, null, 2));
}

/** @param {string} folder */
function writeMany(folder) {
  mkdirSync(folder, { recursive: true });
  const each = manyTensors / manyShards;
  for (let shard = 0; shard < manyShards; shard++) {
    /** @type {Record<string, number[]>} */
    const tensors = {};
    for (let index = 0; index < each; index++) tensors[`model.layers.${shard}.mlp.experts.${index}.down_proj.weight`] = [1];
    const name = `model-${String(shard + 1).padStart(5, '0')}-of-${String(manyShards).padStart(5, '0')}.safetensors`;
    writeFileSync(path.join(folder, name), safetensors(tensors));
  }
}

/**
 * A safetensors file of zeros in float32.
 * @param {Record<string, number[]>} shapes
 */
function safetensors(shapes) {
  let offset = 0;
  const header = Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => {
      const end = offset + shape.reduce((product, size) => product * size, 4);
      const entry = { dtype: 'F32', shape, data_offsets: [offset, end] };
      offset = end;
      return [name, entry];
    }),
  );
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, Buffer.alloc(offset)]);
}
