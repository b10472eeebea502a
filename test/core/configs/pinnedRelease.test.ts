/** The release of transformers that a project asks for decides in what weights are loaded. */
import { describe, expect, it } from 'vitest';
import { configFile, createConfigAccess } from '../../../src/core/configs/configAccess.js';
import { pinnedTransformers } from '../../../src/core/configs/pinnedRelease.js';
import { estimateText, type FilesBeside, llamaConfig } from '../../builders/estimateText.js';

const parameters = 8_030_261_248;
const launch =
  'python run_clm.py --model_name_or_path ./llama --output_dir out --per_device_train_batch_size 1 --save_steps 10 --max_steps 100 --bf16\n';

async function estimateOf(beside: FilesBeside, { name = 'run.sh', text = launch } = {}) {
  const { report } = await estimateText(name, text, { beside: { 'llama/config.json': llamaConfig(), ...beside } });
  return { bytes: report.checkpoint.bytes, words: report.assumptions.map((line) => line.text).join('\n') };
}

describe('a project that asks for transformers', () => {
  it.each([
    ['requirements.txt', 'torch\ntransformers==4.51.3  # newest that works\npeft\n', 'transformers==4.51.3'],
    ['requirements.txt', 'transformers[torch]<5; python_version > "3.9"\n', 'transformers<5'],
    ['requirements.txt', 'transformers ~= 4.51\n', 'transformers~= 4.51'],
    ['requirements.txt', 'transformers>=4.40,<5.0.0\n', 'transformers>=4.40,<5.0.0'],
    ['requirements.txt', 'transformers @ git+https://github.com/huggingface/transformers.git@v4.51.3\n', 'transformers==4.51.3'],
    ['pyproject.toml', '[project]\ndependencies = ["torch>=2", "transformers>=4.40,<5", "peft"]\n', 'transformers>=4.40,<5'],
    ['pyproject.toml', '[tool.poetry.dependencies]\ntransformers = "^4.51"\n', 'transformers^4.51'],
    [
      'pyproject.toml',
      '[tool.poetry.dependencies]\ntransformers = {version = "4.51", extras = ["torch"]}\n',
      'transformers==4.51',
    ],
    ['environment.yml', 'dependencies:\n  - python=3.11\n  - transformers=4.51.3\n', 'transformers=4.51.3'],
    ['environment.yaml', 'dependencies:\n  - pip:\n      - transformers==4.*\n', 'transformers==4.*'],
  ])('before 5 in %s %j loads 32 bits', async (file, text, requirement) => {
    const { bytes, words } = await estimateOf({ [file]: text });
    expect(bytes).toBe(12 * parameters);
    expect(words).toContain(`${requirement} (${file}) loads them in 32 bits`);
    expect(words).not.toContain('transformers 5');
  });

  it.each([
    ['requirements.txt', 'transformers>=5\n'],
    ['requirements.txt', 'transformers==5.2.0\n'],
    ['pyproject.toml', 'dependencies = [\n  "transformers >= 5.0, < 6",\n]\n'],
  ])('from 5 on in %s %j loads what the model has', async (file, text) => {
    const { bytes, words } = await estimateOf({ [file]: text });
    expect(bytes).toBe(6 * parameters);
    expect(words).toContain(`(${file}) loads them in that of the model: bf16`);
    expect(words).not.toContain('transformers 4');
  });

  it.each([
    ['nothing', {}],
    ['a range of both', { 'requirements.txt': 'transformers>=4.40\n' }],
    ['one that leaves 5 out of nothing', { 'requirements.txt': 'transformers!=4.48.0\n' }],
    ['up to a later release', { 'requirements.txt': 'transformers<6\ntransformers>4.0\n' }],
    ['another package', { 'requirements.txt': 'sentence-transformers==4.1\ntransformers-stream-generator==0.0.4\n' }],
    ['a comment', { 'requirements.txt': '# transformers==4.51\ntorch  # transformers==4.51\n' }],
    ['two that differ', { 'pyproject.toml': 'old = ["transformers<5"]\nnew = ["transformers>=5"]\n' }],
    ['a path', { 'requirements.txt': './transformers==4.51\n' }],
  ])('or does not, with %s, has both', async (_, beside) => {
    const { bytes, words } = await estimateOf(beside);
    expect(bytes).toBe(6 * parameters);
    expect(words).toContain('transformers 4 loads them in 32 bits: 96.4 GB');
  });

  it('is asked first where it says it in the script itself', async () => {
    const beside = { 'requirements.txt': 'transformers==4.51\n' };
    const installed = await estimateOf(beside, { text: `pip install -q "transformers>=5" torch\n${launch}` });
    expect(installed.bytes).toBe(6 * parameters);
    expect(installed.words).toContain('transformers>=5 (run.sh)');
    const text = `# /// script
# dependencies = ["trl", "transformers<5"]
# ///
model = AutoModelForCausalLM.from_pretrained("./llama")
trainer = Trainer(model=model, args=TrainingArguments(output_dir="out", max_steps=10, bf16=True))
trainer.train()
`;
    const own = await estimateOf({}, { name: 'train.py', text });
    expect(own.bytes).toBe(12 * parameters);
    expect(own.words).toContain('transformers<5 (train.py)');
  });

  it('is not asked where the run sets a dtype', async () => {
    const beside = { 'requirements.txt': 'transformers==4.51\n' };
    const { bytes, words } = await estimateOf(beside, { text: launch.replace('\n', ' --torch_dtype bfloat16\n') });
    expect(bytes).toBe(6 * parameters);
    expect(words).not.toContain('requirements.txt');
  });
});

it('is asked of the nearest file, wherever that is', async () => {
  const files: Record<string, string> = {
    '../../requirements.txt': 'transformers<5\n',
    '../pyproject.toml': 'dependencies = ["transformers>=5"]\n',
    'environment.yml': 'dependencies:\n  - transformers\n',
  };
  const read = (name: string) => {
    const path = Object.keys(files).find((one) => one.endsWith(`/${name}`) || one === name);
    return Promise.resolve(path === undefined ? null : { path, text: files[path] ?? '' });
  };
  const access = createConfigAccess({ read, readCached: () => Promise.resolve(null) });
  const file = await configFile('a.yaml', 'a: 1\n');
  expect(file === null ? null : await pinnedTransformers(file, access)).toEqual({
    major: 5,
    requirement: 'transformers>=5',
    path: '../pyproject.toml',
  });
});
