import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import type { ConfigSources } from '../../../src/core/configs/configAccess.js';
import { sourcePaths } from '../../../src/core/configs/document/sourcePath.js';
import { readText } from './readConfigFixture.js';

/** Files by their paths, and which of them were asked for. */
function filesOf(files: Readonly<Record<string, string>>): { sources: ConfigSources; asked: string[] } {
  const asked: string[] = [];
  const read = (path: string) => {
    asked.push(path);
    const text = Object.hasOwn(files, path) ? files[path] : undefined;
    return Promise.resolve(text === undefined ? null : { path, text });
  };
  return { sources: { read, readCached: () => Promise.resolve(null) }, asked };
}

const sizes = (layers: string): string =>
  `MODEL_ARGS=(\n  --num-layers ${layers}\n  --hidden-size 64\n  --num-attention-heads 4\n  --vocab-size 256\n  --disable-bias-linear\n)\n`;
const launch = 'torchrun --nproc_per_node 8 pretrain_gpt.py ${MODEL_ARGS[@]} --seq-length 128 --save out --save-interval 50\n';

describe('files that a launch script sources', () => {
  it('bring the arguments of the model', async () => {
    const { sources } = filesOf({ 'models/small.sh': sizes('2') });
    const text = `HERE="$(cd -- "$(dirname -- "\${BASH_SOURCE[0]}")" &>/dev/null && pwd)"\nsource "\${HERE}/models/small.sh"\n${launch}`;
    const read = await readText('run.sh', text, sources);
    expect(read?.id).toBe('megatron');
    expect(read?.file.fields.integer('num_layers')).toBe(2);
    expect(read?.reading).toMatchObject({ model: { kind: 'tensors' }, plan: { saveIntervalSteps: 50, gpusPerNode: 8 } });
    // What was read elsewhere has no place in the script.
    expect(read?.file.document.root.members.get('hidden_size')?.keySpan).toEqual({ start: 0, end: 0 });
    expect(read?.file.document.problems.map(({ detail }) => detail)).not.toContain('${MODEL_ARGS[@]}');
  });

  it('see the variables that are set before them, and source files of their own folder', async () => {
    const { sources } = filesOf({
      'models/tiny.sh': 'LAYERS=3 . "$(dirname "$0")/base.sh"\n',
      'models/base.sh': sizes('${LAYERS:-12}'),
    });
    const read = await readText('run.sh', `. models/tiny.sh\n${launch}`, sources);
    expect(read?.file.fields.integer('num_layers')).toBe(3);
  });

  it('give way to what stands behind them', async () => {
    const { sources } = filesOf({ 'a.sh': sizes('2') });
    const read = await readText('run.sh', `source a.sh\nMODEL_ARGS+=(--num-layers 7)\n${launch}`, sources);
    expect(read?.file.fields.integer('num_layers')).toBe(7);
  });

  it('are not opened where they are no scripts, and none is opened without end', async () => {
    const { sources, asked } = filesOf({ 'loop.sh': 'source loop.sh\nsource loop.sh\nA="$A --x 1"\n' });
    const text = `source ~/.bashrc\nsource venv/bin/activate\n. /etc/profile\nsource "$WHERE.sh"\nsource loop.sh\npython t.py $A\n`;
    await readText('run.sh', text, sources);
    expect([...new Set(asked)]).toEqual(['loop.sh']);
    const many = filesOf({});
    await readText('run.sh', Array.from({ length: 500 }, (_, index) => `source f${index}.sh`).join('\n'), many.sources);
    expect(many.asked).toHaveLength(limits.configSources);
  });
});

it('a sourced file is looked for below the folder that a script computes, and from each folder of an absolute path', () => {
  expect(sourcePaths('$(cd "$(dirname "$0")" && pwd)/../models/a.sh')).toEqual(['../models/a.sh']);
  expect(sourcePaths('${DIR}/models/a.sh')).toEqual(['models/a.sh']);
  expect(sourcePaths('/data/slime/scripts/a.sh')).toEqual([
    '/data/slime/scripts/a.sh',
    'slime/scripts/a.sh',
    'scripts/a.sh',
    'a.sh',
  ]);
  expect(sourcePaths('models/$NAME.sh')).toEqual([]);
  expect(sourcePaths('~/.bashrc')).toEqual([]);
});
