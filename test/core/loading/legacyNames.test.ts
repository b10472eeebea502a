/** Names that norms had before they were torch's. transformers 5.24 renames `LayerNorm.gamma` and `LayerNorm.beta` alone. */
import { expect, it } from 'vitest';
import { inspectModel, renamed, tinyBert, tinyGpt2, tinyLlama, type TinyModel } from '../../builders/tinyModels.js';

const older = (name: string): string => name.replace(/\.weight$/, '.gamma').replace(/\.bias$/, '.beta');

/** Verdict, and how many tensors are missing and unexpected. */
async function checked({ config, tensors }: TinyModel, rename: (name: string) => string): Promise<unknown> {
  const { load } = await inspectModel(config, renamed(tensors, rename));
  return [load?.verdict, load?.counts.missing, load?.counts.unexpected];
}

it('norms of BERT are known by their older names', async () => {
  expect(await checked(tinyBert, (name) => (/LayerNorm\.\w+$/.test(name) ? older(name) : name))).toEqual(['loads', 0, 0]);
});

it.each<[string, TinyModel, RegExp]>([
  ['Llama', tinyLlama, /norm\.weight$/],
  ['GPT-2', tinyGpt2, /\.ln_\w+\.\w+$/],
  ['BERT, in its matrices', tinyBert, /intermediate\.dense\.\w+$/],
])('those of %s are not', async (_, model, names) => {
  const count = Object.keys(model.tensors).filter((name) => names.test(name)).length;
  const rename = (name: string): string => (names.test(name) ? older(name) : name);
  expect(await checked(model, rename)).toEqual(['loads-with-warnings', count, count]);
});
