/** Each layout of checkpoints and of datasets, by the fixtures: whole directories, of which files are mutated. */
import type { FixtureKind } from '../../test/builders/frameworkFixtures.js';
import { filesBelow } from '../../test/builders/diskTree.js';
import type { FuzzTarget, Input } from '../target.js';
import { fixtureInputs, type FixtureInput } from './fixtureInputs.js';
import { formByName } from './forms.js';
import { inspectInput } from './inspected.js';

const dictionary = [
  ...[
    'PAR1',
    'ARROW1',
    '\xff\xff\xff\xff',
    'PK\x03\x04',
    'MMIDIDX\0\0',
    '\x1f\x8b\x08',
    '\x28\xb5\x2f\xfd',
    'ustar',
    '\x93NUMPY',
  ],
  ...[
    '\x0c\xdb\x3a\x2a',
    '\x0c\xdb\x20\xde',
    '\x57\xfb\x80\x8b\x24\x75\x47\xdb',
    'weight_map',
    'total_size',
    'params',
    'optimizer',
    'rank_0',
    '__0_0.distcp',
  ],
  ...['"shape":[0]', '"chunks":[1]', 'step', 'global_step', 'zarr_format', 'mds', 'shards', 'samples', 'raw_data', 'basename'],
];

export function layoutTargets(): FuzzTarget[] {
  const groups = new Map<string, FixtureInput[]>();
  for (const kind of ['checkpoint', 'dataset'] as const satisfies FixtureKind[])
    for (const input of fixtureInputs(kind)) {
      const name = kind === 'dataset' ? `dataset-${input.layoutId ?? 'others'}` : `layout-${input.layoutId ?? input.family}`;
      groups.set(name, [...(groups.get(name) ?? []), input]);
    }
  const targets = [...groups].map(([name, inputs]) => target(name, () => inputs.map(({ files }) => files)));
  return [...targets, target('dataset-text-tables', tables)];
}

function target(name: string, seeds: () => Input[]): FuzzTarget {
  return { name, seeds, formOf: formByName, isDirectory: true, dictionary, execute: inspectInput };
}

/** Tables in every codec and version of their pages. */
function tables(): Input[] {
  const files = filesBelow('test/fixtures/text-tables');
  return Object.entries(files)
    .filter(([name]) => /\.(parquet|arrow)$/.test(name))
    .map(([name, bytes]) => ({ [name]: bytes }));
}
