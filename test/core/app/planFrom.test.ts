/** A plan from whatever is at a path, a preset and single inputs. */
import { describe, expect, it } from 'vitest';
import { planTextOfPreset } from '../../../src/app/plans/presetPlan.js';
import { planFrom } from '../../../src/app/plans/planFrom.js';
import { InputError, PathError } from '../../../src/app/useCaseError.js';
import { bandwidthReport } from '../../builders/bandwidthCheck.js';
import { llamaConfig } from '../../builders/estimateText.js';
import { memoryPlatform } from '../../builders/memoryPlatform.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';

const weights = buildSafetensors({ tensors: { 'layer.weight': { dtype: 'BF16', shape: [2, 3] } } });
const planFile = { kind: 'stowage-plan', schemaVersion: 1, name: 'mine', inputs: { gpus: 64, bogus: 1 } };
const platform = memoryPlatform({
  '/mine.stowage-plan.json': JSON.stringify(planFile),
  '/broken.stowage-plan.json': '{',
  '/later.json': JSON.stringify({ ...planFile, schemaVersion: 99 }),
  '/check.json': JSON.stringify(bandwidthReport()),
  '/llama/config.json': llamaConfig(),
  '/saved/config.json': llamaConfig(),
  '/saved/model.safetensors': weights,
  '/main.c': 'int x;',
  '/share/a/model.safetensors': weights,
  '/share/b/model.safetensors': weights,
});

describe('planFrom', () => {
  it('takes a plan file, and reports the entries that it ignored', async () => {
    const { report, problems, document } = await planFrom(platform, { path: '/mine.stowage-plan.json' });
    expect(document).toMatchObject({ name: 'mine', inputs: { gpus: 64 } });
    expect(problems).toEqual([{ key: 'bogus', text: 'is no input of a plan' }]);
    expect(report).toMatchObject({ kind: 'plan', inputs: { gpus: 64 } });
  });

  it('takes the systems of a sites file, and reports what it could not use by file and key', async () => {
    const systems = { scratch: { basedOn: 'nfs', writeBytesPerSecond: 8e9 }, old: { basedOn: 'nfs', pricePerGBMonth: -1 } };
    const own = memoryPlatform({
      '/sites.json': JSON.stringify({ kind: 'stowage-sites', schemaVersion: 1, systems }),
      '/plan.json': '{}',
    });
    const { report, problems } = await planFrom(own, {
      sites: '/sites.json',
      set: { store: 'scratch', objectStore: 's3-standard' },
    });
    expect(report.inputs).toMatchObject({ store: 'nfs', writeBytesPerSecond: 8e9, objectStore: 's3-standard' });
    expect(report.origins.store).toEqual({ kind: 'site', text: 'scratch' });
    expect(problems).toEqual([{ key: 'sites.json: systems.old.pricePerGBMonth', text: 'must not be below 0' }]);
    await expect(planFrom(own, { sites: '/sites.json', set: { store: 'shelf' } })).rejects.toThrow(InputError);
    await expect(planFrom(own, { set: { store: 'scratch' } })).rejects.toThrow(InputError);
    await expect(planFrom(own, { sites: '/plan.json' })).rejects.toThrow('is no sites file: its kind is not stowage-sites');
    await expect(planFrom(own, { sites: '/none.json' })).rejects.toThrow(PathError);
  });

  it('asks for one of several things', async () => {
    await expect(planFrom(platform, { path: '/share' })).rejects.toThrow('it holds several things. Name one: a, b');
  });

  it('takes the report of a plan, as JSON prints it', async () => {
    const { json } = await planFrom(platform, { preset: '8b' });
    const again = await planFrom(memoryPlatform({ '/plan.json': json() }), { path: '/plan.json' });
    expect(again.report.inputs).toEqual((await planFrom(platform, { preset: '8b' })).report.inputs);
  });

  it('takes the report of a bandwidth check', async () => {
    const { document } = await planFrom(platform, { path: '/check.json' });
    expect(document.inputs).toMatchObject({ writeBytesPerSecond: bandwidthReport().write.medianBytesPerSecond });
    expect(document.origins.writeBytesPerSecond?.kind).toBe('measured');
  });

  it('takes a config, also of a folder without a checkpoint', async () => {
    for (const path of ['/llama/config.json', '/llama']) {
      const { document } = await planFrom(platform, { path });
      expect(document.inputs.parameters, path).toBe(8_030_261_248);
      expect(document.origins.parameters?.kind, path).toBe('read');
    }
  });

  it('takes a checkpoint rather than the config in it', async () => {
    const { document } = await planFrom(platform, { path: '/saved' });
    expect(document.inputs.parameters).toBe(6);
    expect(document.origins.parameters?.kind).toBe('measured');
  });

  it('puts a preset below the file, and inputs above it', async () => {
    const input = {
      path: '/mine.stowage-plan.json',
      preset: '70b',
      set: { intervalSeconds: '90min', zeroStage: '1', layers: 4 },
    };
    const { document } = await planFrom(platform, input);
    expect(document.inputs).toMatchObject({
      gpus: 64,
      parameters: 70_553_706_496,
      intervalSeconds: 5400,
      zeroStage: '1',
      layers: 4,
    });
    expect(document).toMatchObject({
      name: 'mine',
      origins: { intervalSeconds: { kind: 'set' }, parameters: { kind: 'preset' } },
    });
  });

  it('is called like its preset, or Plan, without a file', async () => {
    expect((await planFrom(platform, { preset: '70b' })).document.name).toBe('Llama 3 70B');
    expect((await planFrom(platform, {})).document.name).toBe('Plan');
  });

  it('takes the text of a plan that names a preset', async () => {
    const file = planTextOfPreset({ id: '8b', name: 'Llama 3 8B' });
    const { report, problems } = await planFrom(memoryPlatform({ '/a.stowage-plan.json': file }), {
      path: '/a.stowage-plan.json',
    });
    expect(problems).toEqual([]);
    expect(report).toEqual((await planFrom(platform, { preset: '8b' })).report);
  });

  it('answers every form', async () => {
    const { markdown, terminal } = await planFrom(platform, { preset: '8b' });
    expect(markdown()).toMatch(/^# /);
    expect(terminal({ width: 100, color: false })).toContain('Llama 3 8B');
  });

  it.each([
    [{ preset: 'no such' }, 'preset takes one of 7b, 8b'],
    [{ set: { bogus: '1' } }, 'set: bogus is no input of a plan'],
    [{ set: Object.fromEntries([['__proto__', '1']]) }, 'set: __proto__ is no input of a plan'],
    [{ set: { gpus: 'many' } }, 'set gpus takes an amount such as 16,384 or 405B, not many'],
    [{ set: { gpus: true } }, 'set gpus must be a number'],
    [{ set: { zeroStage: '9' } }, 'set zeroStage must be one of'],
  ])('refuses %o', async (input, message) => {
    const failed = planFrom(platform, input);
    await expect(failed).rejects.toThrow(InputError);
    await expect(failed).rejects.toThrow(message);
  });

  it.each([
    ['/nowhere', 'it does not exist'],
    ['/main.c', 'it is neither a plan, a config, a checkpoint nor a dataset'],
    ['/broken.stowage-plan.json', 'it is no JSON object'],
    ['/later.json', 'it is of version 99'],
  ])('names what is wrong with %s', async (path, message) => {
    const failed = planFrom(platform, { path });
    await expect(failed).rejects.toThrow(PathError);
    await expect(failed).rejects.toThrow(`${path} cannot be planned from: ${message}`);
  });
});
