/** Entries of pytorch_model.bin that are no tensors, as `from_pretrained` of transformers 5.24 answered for each. */
import { describe, expect, it } from 'vitest';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { tinyLlama } from '../../builders/tinyModels.js';
import { codes, inspectFiles, json } from '../../builders/torchDirectory.js';
import { torchState, type State } from '../../builders/torchStateBuilder.js';

type Report = Awaited<ReturnType<typeof inspectFiles>>;

const names = Object.keys(tinyLlama.tensors);

function inspected(around: (state: Record<string, State>) => State, others: Record<string, Uint8Array> = {}): Promise<Report> {
  const file = torchState((tensor) =>
    around(Object.fromEntries(Object.entries(tinyLlama.tensors).map(([name, shape]) => [name, tensor(shape)]))),
  );
  return inspectFiles({ 'config.json': json(tinyLlama.config), 'pytorch_model.bin': file, ...others });
}

describe('a dict around the state', () => {
  it.each(['model', 'state_dict', 'module'])('is one name, %s, and the whole model is random', async (key) => {
    const report = await inspected((state) => ({ [key]: state, epoch: 3 }));
    const { load } = report;
    expect(load).toMatchObject({ verdict: 'loads-with-warnings', counts: { missing: names.length, unexpected: 2 } });
    expect(load?.unexpected.map(({ name }) => name)).toEqual([key, 'epoch']);
    expect(load?.why).toContain(`a dict in pytorch_model.bin: ${key}.`);
    expect(load?.why).toContain('All 12 tensors of the model would be random.');
    expect(codes(report)).toContain('tensor-names-wrapped');
  });

  it('in a file that stays closed is none', async () => {
    const shapes = Object.entries(tinyLlama.tensors).map(([name, shape]) => [name, { dtype: 'F32', shape }] as const);
    const { load } = await inspected((state) => ({ model: state }), {
      'model.safetensors': buildSafetensors({ metadata: { format: 'pt' }, tensors: Object.fromEntries(shapes) }),
    });
    expect(load).toMatchObject({ verdict: 'loads', counts: { missing: 0, unexpected: 0 } });
  });
});

it.each<[what: string, value: State]>([
  ['global_step', 7],
  ['none', null],
])('a value beside the tensors is left out: %s', async (key, value) => {
  const { load } = await inspected((state) => ({ ...state, [key]: value }));
  expect(load).toMatchObject({ verdict: 'loads-with-warnings', counts: { missing: 0, unexpected: 1 } });
  expect(load?.unexpected).toEqual([{ name: key, shape: [] }]);
});

it('tensors alone load', async () => {
  expect((await inspected((state) => state)).load).toMatchObject({ verdict: 'loads', counts: { unexpected: 0 } });
});
