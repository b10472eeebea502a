/** DeepSpeed's state in a checkpoint of Trainer is of the model beside it. */
import { expect, it } from 'vitest';
import { fixtureBelow } from '../../../builders/frameworkFixtures.js';
import { inspectCheckpoint } from '../../../builders/inspectCheckpoint.js';
import { memoryTree } from '../../../builders/memoryTree.js';
import { buildSafetensors } from '../../../builders/safetensorsBuilder.js';
import { inspectFiles, json } from '../../../builders/torchDirectory.js';

type Form = [name: string, shape: number[]];

const save = fixtureBelow('deepspeed/zero1-bf16-w2');

/** The parameters as the model state has them. */
async function formsOfState(): Promise<Form[]> {
  const { report, tensors } = await inspectCheckpoint(memoryTree('run', save), { path: 'run' });
  const forms: Form[] = [];
  for (let row = 0; row < tensors.size; row++) {
    const file = report.files[tensors.pieceFile(tensors.firstPieceOf(row))];
    if (tensors.componentOf(row) === 'weights' && file?.path.endsWith('model_states.pt') === true)
      forms.push([tensors.nameOf(row).replace(/^module\./, ''), [...tensors.shapeOf(row)]]);
  }
  return forms;
}

async function findingsBeside(weights: Form[]): Promise<unknown[]> {
  const model = buildSafetensors({
    tensors: Object.fromEntries(weights.map(([name, shape]) => [name, { dtype: 'F32', shape }])),
  });
  const files = { ...save, 'trainer_state.json': json({ global_step: 6 }), 'model.safetensors': model };
  const { findings } = await inspectFiles(files, 'checkpoint-6');
  return findings.flatMap(({ code, severity, path }) => (code === 'deepspeed-of-other-model' ? [[severity, path]] : []));
}

const ofOther = [['error', 'global_step6/mp_rank_00_model_states.pt']];

it('agrees with the weights', async () => {
  expect((await formsOfState()).length).toBeGreaterThan(0);
  expect(await findingsBeside(await formsOfState())).toEqual([]);
});

it('is of another model where names and shapes are others', async () => {
  expect(await findingsBeside([['other.weight', [3, 5]]])).toEqual(ofOther);
});

it('is of another model where the names are the same and the shapes others', async () => {
  const larger = (await formsOfState()).map(([name, shape]): Form => [name, shape.map((size) => size * 2)]);
  expect(await findingsBeside(larger)).toEqual(ofOther);
});

it('is of the same model under other names', async () => {
  const renamed = (await formsOfState()).map(([name, shape]): Form => [`base.${name}`, shape]);
  expect(await findingsBeside(renamed)).toEqual([]);
});
