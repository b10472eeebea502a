/** Values in sharded saves of torch, whose items are archives: against the same model in safetensors. */
import { expect, it } from 'vitest';
import { sliceOf } from '../../../src/app/values/sliceOf.js';
import { valuesOf } from '../../../src/app/values/valuesOf.js';
import type { TensorValues } from '../../../src/core/values/valuesReport.js';
import { filesBelow } from '../../builders/diskTree.js';
import { memoryPlatform } from '../../builders/memoryPlatform.js';

const below = (name: string): Record<string, Uint8Array> =>
  Object.fromEntries(
    Object.entries(filesBelow(`test/fixtures/comparison/${name}`)).map(([file, bytes]) => [`/${name}/${file}`, bytes]),
  );
const platform = memoryPlatform({ ...below('sharded-20'), ...below('step-20') });

async function summaries(path: string): Promise<Map<string, Partial<TensorValues>>> {
  const { report } = await valuesOf(platform, { path });
  expect(report.notRead).toEqual([]);
  return new Map(
    report.tensors.map(({ name, min, max, mean, count }) => [name.replace(/^app\.model\./, ''), { min, max, mean, count }]),
  );
}

it('are those of the tensors, and not of the archives around them', async () => {
  const [own, others] = [await summaries('/sharded-20'), await summaries('/step-20')];
  expect([...own.keys()].sort()).toEqual([...others.keys()].sort());
  for (const [name, { min, max, mean, count }] of own) {
    const other = others.get(name);
    expect({ min, max, count }, name).toEqual({ min: other?.min, max: other?.max, count: other?.count });
    expect(mean).toBeCloseTo(other?.mean as number, 12);
  }
});

it('of a slice are those of the tensor', async () => {
  const whole = await sliceOf(platform, { path: '/step-20', tensor: 'model.norm.weight', slice: ':' });
  expect(whole.report.values).toHaveLength(6);
  // Both ranks have a part of it, whose order a slice does not follow.
  await expect(sliceOf(platform, { path: '/sharded-20', tensor: 'app.model.model.norm.weight', slice: ':' })).rejects.toThrow(
    'part',
  );
});

it('are not read from an item that is none', async () => {
  const files = below('sharded-20');
  const file = (files['/sharded-20/__0_0.distcp'] as Uint8Array).slice();
  file.fill(0, 0, 64);
  const { report } = await valuesOf(memoryPlatform({ ...files, '/sharded-20/__0_0.distcp': file }), { path: '/sharded-20' });
  expect(report.notRead).toMatchObject([{ code: 'unreadable', detail: expect.stringContaining('no plain tensor') as string }]);
});

it('are read or not, and nothing else, whatever byte of an archive is damaged', async () => {
  const files = below('sharded-20');
  const name = '/sharded-20/__0_0.distcp';
  for (let at = 0; at < 760; at += 5) {
    const file = (files[name] as Uint8Array).slice();
    file[at] = (file[at] as number) ^ 0xff;
    const { report } = await valuesOf(memoryPlatform({ ...files, [name]: file }), { path: '/sharded-20' });
    expect(report.tensors.length + report.notRead.length, `byte ${at}`).toBe(4);
  }
});
