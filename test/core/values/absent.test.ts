/** Checkpoints of which something is missing: what was not read is never said to be fine. */
import { describe, expect, it } from 'vitest';
import { headline } from '../../../src/core/pages/values/valuesPage.js';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { scannedValues } from '../../builders/scannedValues.js';

const data = new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer);
const names = Array.from({ length: 12 }, (_, at) => `layers.${at}.weight`);
const shardName = (shard: number, extension = 'safetensors'): string => `model-0000${shard + 1}-of-00003.${extension}`;
const shardOf = (shard: number): Uint8Array =>
  buildSafetensors({
    tensors: Object.fromEntries(
      names.filter((_, at) => at % 3 === shard).map((name) => [name, { dtype: 'F32', shape: [2, 2], data }]),
    ),
  });

function indexed(shards: Readonly<Record<number, Uint8Array>>): Record<string, Uint8Array> {
  const weightMap = Object.fromEntries(names.map((name, at) => [name, shardName(at % 3)]));
  const index = new TextEncoder().encode(JSON.stringify({ metadata: { total_size: 192 }, weight_map: weightMap }));
  const files: Record<string, Uint8Array> = { 'model.safetensors.index.json': index };
  for (const [shard, bytes] of Object.entries(shards)) files[shardName(Number(shard))] = bytes;
  return files;
}

describe('shards of an index', () => {
  it('are named with their tensors where they are missing or empty', async () => {
    const report = await scannedValues(memoryTree('m', indexed({ 1: shardOf(1), 2: new Uint8Array(0) })));
    expect(report.tensors).toHaveLength(4);
    expect(report.notRead).toHaveLength(8);
    expect(report.notRead).toContainEqual({
      name: 'layers.0.weight',
      dtype: '',
      bytes: 0,
      code: 'no-file',
      detail: shardName(0),
    });
    expect(report.notRead.every(({ code }) => code === 'no-file')).toBe(true);
    expect(headline(report)).toMatch(
      /^Weights and optimizer state that were read have no NaN and no Inf: 4 tensors \(64 B\)\. Of 12 tensors 8 are not here\. The inspection has \d errors: /,
    );
    expect(report.findings.map(({ code }) => code)).toContain('index-shard-missing');
  });

  it('leave their tensors where there is nothing but the index', async () => {
    const report = await scannedValues(memoryTree('m', indexed({})));
    expect(report.notRead).toHaveLength(12);
    expect(headline(report)).toMatch(/^Values of none of 12 tensors were read\. Of 12 tensors 12 are not here\./);
    const some = await scannedValues(memoryTree('m', indexed({})), { tensors: 'layers.1*' });
    expect(some.notRead.map(({ name }) => name)).toEqual(['layers.1.weight', 'layers.10.weight', 'layers.11.weight']);
  });

  it('leave open nothing where all are here', async () => {
    const report = await scannedValues(memoryTree('m', indexed({ 0: shardOf(0), 1: shardOf(1), 2: shardOf(2) })));
    expect(headline(report)).toBe('Weights and optimizer state have no NaN and no Inf: 12 tensors (192 B).');
    expect(report).toMatchObject({ notRead: [], findings: [] });
  });

  it('are cut at any byte without a claim about what is gone', async () => {
    const whole = shardOf(0);
    for (const bytes of [0, 4, 8, 100, whole.byteLength - 65, whole.byteLength - 1]) {
      const cut = indexed({ 0: whole.subarray(0, bytes), 1: shardOf(1), 2: shardOf(2) });
      const report = await scannedValues(memoryTree('m', cut));
      expect(report.tensors.length + report.notRead.length, String(bytes)).toBe(12);
      expect(headline(report), String(bytes)).toContain('that were read');
      expect(report.findings.some(({ severity }) => severity === 'error')).toBe(true);
    }
  });
});

it('says that a shard is missing where its name alone tells', async () => {
  const report = await scannedValues(memoryTree('m', { [shardName(0)]: shardOf(0), [shardName(1)]: shardOf(1) }));
  expect(headline(report)).toContain('state that were read have no NaN and no Inf: 8 tensors');
  expect(headline(report)).toContain('The inspection has 1 error: 1 of 3 shards of model-*-of-00003.safetensors missing');
});

describe.each(['dcp/fsdp2-app-2r', 'dcp/titan-last-bf16'])('%s', (name) => {
  it('makes no claim about a file of a rank that is missing', async () => {
    const files = fixtureBelow(name);
    const whole = await scannedValues(memoryTree('m', files));
    const lost = Object.keys(files).find((file) => file.endsWith('.distcp')) ?? '';
    const { [lost]: _, ...rest } = files;
    const report = await scannedValues(memoryTree('m', rest));
    expect(report.tensors.length + report.notRead.length).toBe(whole.tensors.length + whole.notRead.length);
    expect(report.tensors.length).toBeLessThan(whole.tensors.length);
    expect(headline(report)).toMatch(/^Values of none|that were read/);
    expect(headline(report)).toContain('The inspection has');
  });
});

it.each(['dcp/hf-writer-sharded-only', 'torch/dtensor-2r', 'misc/tf-bundle-sharded'])(
  'says of %s which tensors are here only in part',
  async (name) => {
    const files = fixtureBelow(name);
    const lost = Object.keys(files).find((file) => /rank_1|shard-00002|00002-of/.test(file)) ?? '';
    const { [lost]: _, ...rest } = files;
    const whole = await scannedValues(memoryTree('m', files));
    expect(whole.tensors.filter(({ sampled }) => sampled !== null)).toEqual([]);
    const report = await scannedValues(memoryTree('m', rest));
    const isCut = ({ count, shape }: { count: number; shape: number[] }): boolean => count < shape.reduce((a, b) => a * b, 1);
    const inPart = report.tensors.filter(({ sampled }) => sampled !== null);
    expect(inPart.length).toBeGreaterThan(0);
    expect(inPart).toEqual(report.tensors.filter(isCut));
    expect(headline(report)).toMatch(/that were read have no .* here only in part\./s);
  },
);

it('a tensor whose shape is no size is never said to be fine', async () => {
  const header = {
    a: { dtype: 'F32', shape: [2, 2], data_offsets: [0, 16] },
    b: { dtype: 'F32', shape: [2 ** 52, 2 ** 52], data_offsets: [16, 32] },
  };
  const text = new TextEncoder().encode(JSON.stringify(header));
  const file = new Uint8Array(8 + text.length + 32);
  new DataView(file.buffer).setBigUint64(0, BigInt(text.length), true);
  file.set(text, 8);
  const report = await scannedValues(memoryTree('m', { 'model.safetensors': file }));
  expect(headline(report)).toMatch(/The inspection has 1 error: /);
  expect(report.findings.map(({ code }) => code)).toContain('tensor-shape-overflow');
});
