import { describe, expect, it } from 'vitest';
import { valuesPage } from '../../../../src/core/pages/values/valuesPage.js';
import { memoryTree } from '../../../builders/memoryTree.js';
import { buildSafetensors, type SafetensorsTensor } from '../../../builders/safetensorsBuilder.js';
import { scannedValues } from '../../../builders/scannedValues.js';

function f32(...values: number[]): SafetensorsTensor {
  return { dtype: 'F32', shape: [values.length / 8, 8], data: new Uint8Array(Float32Array.from(values).buffer) };
}

const ramp = Array.from({ length: 64 }, (_, at) => at / 64);
const tensors = {
  small: f32(...ramp),
  'large.weight': f32(...ramp.map((value) => -100 * value)),
  'zero.weight': f32(...ramp.map(() => 0)),
  'broken.weight': f32(...ramp.slice(2), NaN, NaN),
  'packed.qweight': { dtype: 'I32', shape: [2], data: Uint8Array.of(1, 0, 0, 0, 2, 0, 0, 0) },
  text: { dtype: 'F6_E2M3', shape: [4] },
} satisfies Record<string, SafetensorsTensor>;
const scan = (own: Readonly<Record<string, SafetensorsTensor>>, share?: number) =>
  scannedValues(memoryTree('m', { 'model.safetensors': buildSafetensors({ tensors: own }) }), {
    ...(share !== undefined && { sample: { share, seed: 1 } }),
  });

describe('a page of values', () => {
  it('has what matters on top', async () => {
    const { decision, reasons, table } = valuesPage(await scan(tensors));
    expect(decision).toBe('NaN or Inf in 1 tensor of 5 that were read (1.03 kB). Of 6 tensors 1 was not read.');
    expect(reasons[0]).toMatch(
      /^error: 2 NaN among 64 values of broken\.weight, the first at \[7, 6\]\. \(model\.safetensors:\d+\)$/,
    );
    expect(reasons).toContain('Not read: 1 tensor, 3 B: values of their types are not known (f6_e2m3).');
    expect(table.rows.map(([name]) => name)).toEqual(['broken.weight', 'zero.weight', 'large.weight', 'small', 'packed.qweight']);
    expect(table.rows.at(-1)?.[1]).toBe('i32*');
    expect(table.note).toBe('Types with * are stored codes, before any scale.');
    expect(table.rows[3]?.slice(3, 10)).toEqual(['', '', '1.6 %', '0', '0.9844', '0.4922', '0.2886']);
    expect(table.rows[3]?.[10]).toMatch(/^[▅▆▇█]{16}$/);
  });

  it('has single numbers, as the step of an optimizer, behind tensors', async () => {
    const step = { dtype: 'F32', shape: [], data: new Uint8Array(Float32Array.of(30_000).buffer) };
    const { decision, table } = valuesPage(await scan({ step, small: f32(...ramp) }));
    expect(table.rows.map(([name]) => name)).toEqual(['small', 'step']);
    expect(decision).toBe('Weights and optimizer state have no NaN and no Inf: 2 tensors (260 B).');
  });

  it('says what is not known of a sample, and counts rows that it leaves out', async () => {
    const report = await scan({ a: f32(...ramp), b: f32(...ramp) }, 0.01);
    const { decision, table } = valuesPage(report, 1);
    expect(decision).toContain('What was not read is not known.');
    expect(table.rows).toHaveLength(1);
    expect(table.note).toBe('1 more tensor: see --json.');
  });

  it('says where nothing was read', async () => {
    expect(valuesPage(await scan({ t: tensors.text })).decision).toBe('The values of this tensor were not read.');
    expect(valuesPage(await scan({})).decision).toMatch(/^There are no tensors here\. The inspection has 1 error: No weights/);
  });

  it('has integers whole, and no zeros in the place of digits', async () => {
    const of = (dtype: string, data: ArrayBuffer) => ({ dtype, shape: [2], data: new Uint8Array(data) });
    const report = await scan({
      u16: of('U16', Uint16Array.of(0, 65_535).buffer),
      u64: of('U64', BigUint64Array.of(1n, 2n ** 64n - 1n).buffer),
      i32: of('I32', Int32Array.of(-2_147_483_648, 123_456).buffer),
      f64: of('F64', Float64Array.of(99_999_999.995, 100_000_000.005).buffer),
    });
    const rows = new Map(valuesPage(report).table.rows.map(([name = '', ...cells]) => [name, cells.slice(5, 7)]));
    expect(Object.fromEntries<string[]>(rows)).toEqual({
      u16: ['0', '65535'],
      u64: ['1', '18446744073709551615'],
      i32: ['-2147483648', '123456'],
      f64: ['1.000e+8', '1.000e+8'],
    });
  });
});
