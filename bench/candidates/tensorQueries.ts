/** What the inspection worker answers of 200,000 tensors, each from a view that has answered nothing before. usage: tensorQueries */
import { TensorTable } from '../../src/core/tensors/tensorTable.js';
import { TensorView } from '../../src/core/tensors/tensorView.js';

const count = 200_000;
const files = Array.from({ length: 100 }, (_none, index) => ({ path: `model-${index}.safetensors` }));

/** Names of a mixture of experts by their row, and of experts that are numbered through: of these no two modules are equal. */
const names = {
  'mixture of experts': (row: number) => {
    const projection = ['gate_proj', 'up_proj', 'down_proj'][row % 3] ?? '';
    return `model.layers.${Math.floor(row / 768)}.mlp.experts.${Math.floor(row / 3) % 256}.${projection}.weight`;
  },
  'experts numbered through': (row: number) => `model.layers.${row % 96}.experts.${String(row).padStart(6, '0')}.weight`,
};

const questions: Readonly<Record<string, (view: TensorView) => unknown>> = {
  'first rows': (view) => view.page({}, 0, 256),
  search: (view) => view.page({ search: 'experts 12' }, 0, 256),
  'sort by bytes': (view) => view.page({ sort: { column: 'bytes', descending: true } }, 0, 256),
  'sort by name': (view) => view.page({ sort: { column: 'name', descending: true } }, 0, 256),
  filters: (view) => view.facets(),
  modules: (view) => view.modulePage({}, [], 0, 256),
};

function tableOf(nameOf: (row: number) => string): TensorTable {
  const table = new TensorTable();
  for (let row = 0; row < count; row++) {
    table.add({ name: nameOf(row), dtype: 'bf16', shape: [1 + (row % 4096), 64], bytes: 128, component: 'weights' });
    table.addPiece(Math.floor(row / 2000), 128 * row, 128);
  }
  return table;
}

/** Milliseconds of processor time, as the machine may be busy with other things. */
function processorMs(act: () => unknown): number {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const answers = Object.entries(names).flatMap(([of, nameOf]) => {
  const table = tableOf(nameOf);
  return Object.entries(questions).map(([question, ask]) => ({
    of,
    question,
    processorMs: processorMs(() => ask(new TensorView(table, files))),
  }));
});
process.stdout.write(JSON.stringify(answers));
