/** Files whose content is that of another role: exchanged, or renamed. Only shapes of objects that are beyond doubt count. */
import { baseName, joinPath, parentPath } from '../files/paths.js';
import { entriesOf } from '../formats/pickle/pickleAccess.js';
import { calleeName, type PickleValue } from '../formats/pickle/pickleValue.js';
import { tensorOf } from '../formats/torch/torchTensor.js';
import type { Finding } from '../findings/finding.js';
import type { Parts } from './parts.js';
import { roleLabels, type RoleId } from '../files/roleLabels.js';

const contentLabels = {
  'optimizer-state': 'optimizer state',
  scheduler: 'a scheduler',
  'gradient-scaler': 'a gradient scaler',
  'rng-state': 'RNG state',
  'training-arguments': 'training arguments',
  'model-weights': 'model weights',
} as const;

/** What a pickled object is, by its root. */
type Content = keyof typeof contentLabels;

const contentOfRole: Partial<Record<RoleId, Content>> = {
  'optimizer-state': 'optimizer-state',
  scheduler: 'scheduler',
  'gradient-scaler': 'gradient-scaler',
  'rng-state': 'rng-state',
  'training-arguments': 'training-arguments',
  'model-weights': 'model-weights',
  'adapter-weights': 'model-weights',
  'averaged-weights': 'model-weights',
};

/** A finding for each file that holds something else than its name says. */
export function findSwappedFiles(parts: Parts): Finding[] {
  const byContent = findOtherContent(parts);
  const known = new Set(byContent.map((finding) => finding.path));
  return [...byContent, ...findSwappedNames(parts).filter((finding) => !known.has(finding.path))];
}

function findOtherContent({ files, objects }: Parts): Finding[] {
  const roles = new Map(files.map((file) => [file.path, file.role]));
  return objects.flatMap(({ path, value }): Finding[] => {
    const role = roles.get(path);
    const expected = role === undefined ? undefined : contentOfRole[role];
    const content = value.kind === 'pickle' ? contentOf(value.root) : undefined;
    if (role === undefined || expected === undefined || content === undefined || content === expected) return [];
    return [{ code: 'content-not-its-role', path, facts: { role: roleLabels[role], content: contentLabels[content] } }];
  });
}

/**
 * torch.save names an archive's folder after the file. A file that was renamed or copied differs too, which is no damage; only two
 * that each have the other's name were exchanged.
 */
function findSwappedNames({ files, metadata }: Parts): Finding[] {
  const archives = new Map<string, { path: string; role: RoleId; name: string }>();
  for (const { path, role } of files) {
    const name = metadata.get(path)?.get('archive');
    if (name !== undefined) archives.set(stemOf(path), { path, role, name: joinPath(parentPath(path), name) });
  }
  return [...archives].flatMap(([stem, { path, role, name }]): Finding[] => {
    const other = archives.get(name);
    if (name === stem || other?.name !== stem) return [];
    const content = `what was saved as ${baseName(other.path)}`;
    return [{ code: 'content-not-its-role', path, facts: { role: roleLabels[role], content } }];
  });
}

function stemOf(path: string): string {
  return path.replace(/\.[^./]*$/, '');
}

function contentOf(root: PickleValue): Content | undefined {
  if (calleeName(root)?.endsWith('TrainingArguments') === true) return 'training-arguments';
  const dict = entriesOf(root);
  if (dict === undefined || dict.keys.length === 0) return undefined;
  const keys = new Set(dict.keys);
  if (keys.has('state') && keys.has('param_groups')) return 'optimizer-state';
  if (keys.has('last_epoch')) return 'scheduler';
  if (keys.has('scale') && keys.has('growth_factor')) return 'gradient-scaler';
  if ((keys.has('python') && keys.has('cpu')) || keys.has('numpy_random_seed')) return 'rng-state';
  return dict.values.slice(0, MAX_LOOKED_AT).every((value) => tensorOf(value) !== undefined) ? 'model-weights' : undefined;
}

const MAX_LOOKED_AT = 50;
