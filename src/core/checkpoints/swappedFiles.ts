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
 * torch.save names an archive's folder after the file. A file that was renamed or copied differs too, which is no damage, unless two
 * each have the other's name, or it is one part of the save and has the name of another part: nothing copies one over the other by intent.
 */
function findSwappedNames({ files, metadata }: Parts): Finding[] {
  const archives = new Map<string, Archive>();
  for (const { path, role, rank } of files) {
    const name = metadata.get(path)?.get('archive');
    const isPart = rank !== undefined || rolesOfParts.has(role) || rngOfRank.test(path);
    if (name !== undefined) archives.set(stemOf(path), { path, role, isPart, name: joinPath(parentPath(path), name) });
  }
  return [...archives].flatMap(([stem, { path, role, isPart, name }]): Finding[] => {
    const other = archives.get(name);
    if (name === stem || other === undefined || (other.name !== stem && !(isPart && other.isPart))) return [];
    const content = `what was saved as ${baseName(other.path)}`;
    return [{ code: 'content-not-its-role', path, facts: { role: roleLabels[role], content } }];
  });
}

interface Archive {
  path: string;
  role: RoleId;
  /** One of several files that together are a save: of a rank, a layer or an expert. */
  isPart: boolean;
  /** Path of the file, without its extension, that the archive was saved as. */
  name: string;
}

/** Trainer's RNG states, one of each process. */
const rngOfRank = /(?:^|\/)rng_state_\d+\.pth$/;

/** Roles of which a save has several files in a directory, each with its share. */
const rolesOfParts = new Set<RoleId>([
  'model-weights-of-rank',
  'model-state-of-rank',
  'training-state-of-rank',
  'optimizer-state-of-rank',
  'optimizer-state-of-experts',
  'rng-state-of-rank',
  'trainer-state-of-rank',
  'pipeline-layer',
  'expert-weights',
]);

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
