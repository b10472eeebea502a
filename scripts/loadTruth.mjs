/**
 * The load check against transformers: `npm run truth:load -- PYTHON` asks the transformers of that Python about every model type, writes
 * the table of docs/load.md and the sample that the tests repeat. With a file of answers in place of PYTHON (`*.jsonl`) it asks nobody.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { importSource } from './generate/importSource.mjs';
import { projectRoot } from './host/project.mjs';
import { replaceSection } from './sections.mjs';

/** @typedef {import('../test/builders/loadTruth.ts').LoadTruth} LoadTruth */

/** Types of the sample: one for each way in which tensors are named, merged, tied or left out. */
const sampled = new Set([
  'bert',
  'deepseek_v3',
  'falcon',
  'gemma3',
  'gpt2',
  'gpt_neox',
  'gpt_oss',
  'llama',
  'lfm2',
  'mamba2',
  'mixtral',
  'mt5',
  'phi3',
  'qwen2_vl',
  'qwen3_moe',
  'vit',
]);

const [given] = process.argv.slice(2);
if (given === undefined) {
  console.error('npm run truth:load -- PYTHON: a Python with torch, transformers and safetensors');
  process.exit(2);
}
const file = given.endsWith('.jsonl') ? given : ask(given);
const truths = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => /** @type {LoadTruth} */ (JSON.parse(line)));
const { differencesFrom } = /** @type {typeof import('../test/builders/loadTruth.ts')} */ (
  await importSource('test/builders/loadTruth.ts')
);

/** @type {Map<string, { equal: number, other: number, refused: number }>} */
const changes = new Map();
/** @type {string[]} */
const deviations = [];
for (const truth of truths)
  for (const one of truth.cases) {
    const found = differencesFrom(truth, one);
    const row = changes.get(one.change) ?? { equal: 0, other: 0, refused: 0 };
    changes.set(one.change, row);
    if (found === null) row.refused += 1;
    else if (found.length === 0) row.equal += 1;
    else {
      row.other += 1;
      deviations.push(`${truth.modelType}, ${one.change}${one.change === 'switched' ? ` ${JSON.stringify(one.config)}` : ''}`);
    }
  }
const sum = { equal: 0, other: 0, refused: 0 };
for (const row of changes.values()) for (const key of /** @type {const} */ (['equal', 'other', 'refused'])) sum[key] += row[key];
const table = [
  `${truths.length} model types, ${sum.equal + sum.other} loads: ${((100 * sum.equal) / (sum.equal + sum.other)).toFixed(2)} % equal.`,
  '',
  '| change | equal | other | refused by its own config class |',
  '| --- | ---: | ---: | ---: |',
  ...[...changes, /** @type {const} */ (['all', sum])].map(
    ([change, { equal, other, refused }]) => `| ${change} | ${equal} | ${other} | ${refused} |`,
  ),
].join('\n');
const page = path.join(projectRoot, 'docs/load.md');
writeFileSync(page, replaceSection(readFileSync(page, 'utf8'), 'load truth', table));
writeSample(truths.filter(({ modelType }) => sampled.has(modelType)));
console.log(`${table}\n\nOther:\n${deviations.join('\n')}`);

/** @param {string} python */
function ask(python) {
  const output = path.join(projectRoot, '.cache/load.jsonl');
  mkdirSync(path.dirname(output), { recursive: true });
  rmSync(output, { force: true });
  const script = path.join(projectRoot, 'test/fixtures/load/make_load.py');
  execFileSync(python, [script, path.join(projectRoot, 'test/fixtures/model-configs'), output], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, HF_HUB_DISABLE_PROGRESS_BARS: '1' },
  });
  return output;
}

/**
 * Without switched settings, which would be too many.
 * @param {readonly LoadTruth[]} truths
 */
function writeSample(truths) {
  const lines = truths.map(({ modelType, config, tensors, cases }) => {
    const kept = cases
      .filter(({ change }) => change !== 'switched')
      .map(({ answer, ...one }) => ({
        ...one,
        answer:
          'error' in answer
            ? { error: answer.error }
            : { missing: answer.missing, unexpected: answer.unexpected, mismatched: answer.mismatched },
      }));
    return JSON.stringify({ modelType, config, tensors, cases: kept });
  });
  const bytes = Buffer.from(lines.join('\n'));
  writeFileSync(
    path.join(projectRoot, 'test/fixtures/load/models.jsonl.br'),
    brotliCompressSync(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_LGWIN]: 24,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  );
}
