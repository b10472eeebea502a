/** Pickled states under names that say nothing of them: those whose keys identify them are counted as what they are. */
import { entriesOf } from '../formats/pickle/pickleAccess.js';
import type { RoleId } from '../files/roleLabels.js';
import type { ComponentId } from '../tensors/component.js';
import type { FilePart, Parts } from './parts.js';

/** Roles of files of which only the format is known. */
const openRoles: ReadonlySet<RoleId> = new Set<RoleId>(['unrecognised', 'torch-file', 'pickled-object']);

interface KnownState {
  /** Keys that all of its kind have. */
  keys: readonly string[];
  role: RoleId;
  component: ComponentId;
}

const knownStates: readonly KnownState[] = [
  // torch/optim/lr_scheduler.py: LRScheduler.state_dict
  { keys: ['last_epoch', '_step_count'], role: 'scheduler', component: 'scheduler' },
  // torch/amp/grad_scaler.py: GradScaler.state_dict
  { keys: ['scale', 'growth_factor', 'backoff_factor'], role: 'gradient-scaler', component: 'gradScaler' },
];

/** Names the states among files without tensors. */
export function describeStates({ files, objects, tensors }: Parts): void {
  const open = new Map(files.flatMap((file, at) => (openRoles.has(file.role) ? [[file.path, { file, at }] as const] : [])));
  if (open.size === 0) return;
  const withTensors = new Set<number>();
  for (let piece = 0; piece < tensors.pieceCount; piece++) withTensors.add(tensors.pieceFile(piece));
  for (const { path, value } of objects) {
    const found = open.get(path);
    if (found === undefined || withTensors.has(found.at) || value.kind !== 'pickle') continue;
    const keys = new Set(entriesOf(value.root)?.keys);
    const state = knownStates.find((each) => each.keys.every((key) => keys.has(key)));
    if (state === undefined) continue;
    const { role, component } = state;
    Object.assign(found.file, { role, component } satisfies Partial<FilePart>);
  }
}
