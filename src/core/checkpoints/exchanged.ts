/** Files whose content is that of another role: exchanged, or renamed. Only shapes of objects that are beyond doubt count. */
import { entriesOf } from '../formats/pickle/pickleAccess.js';
import { calleeName, type PickleValue } from '../formats/pickle/pickleValue.js';
import { tensorOf } from '../formats/torchTensor.js';
import type { Finding } from '../report/finding.js';
import type { Parts } from './parts.js';

/** What a pickled object is, by its root. */
type Content = 'optimizer state' | 'a scheduler' | 'random state' | 'training arguments' | 'model weights';

const contentOfRole: Record<string, Content> = {
  'optimizer state': 'optimizer state',
  'learning-rate scheduler': 'a scheduler',
  'random state': 'random state',
  'training arguments': 'training arguments',
  'model weights': 'model weights',
  'adapter weights': 'model weights',
};

/** A finding for each file that holds something else than its name says. */
export function findExchanged({ files, objects }: Parts): Finding[] {
  const roles = new Map(files.map((file) => [file.path, file.role]));
  return objects.flatMap(({ path, value }): Finding[] => {
    const role = roles.get(path) ?? '';
    const expected = Object.hasOwn(contentOfRole, role) ? contentOfRole[role] : undefined;
    const content = value.kind === 'pickle' ? contentOf(value.root) : undefined;
    if (expected === undefined || content === undefined || content === expected) return [];
    return [{ code: 'content-not-its-role', path, facts: { role, content } }];
  });
}

function contentOf(root: PickleValue): Content | undefined {
  if (calleeName(root)?.endsWith('TrainingArguments') === true) return 'training arguments';
  const dict = entriesOf(root);
  if (dict === undefined || dict.keys.length === 0) return undefined;
  const keys = new Set(dict.keys);
  if (keys.has('state') && keys.has('param_groups')) return 'optimizer state';
  if (keys.has('last_epoch')) return 'a scheduler';
  if ((keys.has('python') && keys.has('cpu')) || keys.has('numpy_random_seed')) return 'random state';
  return dict.values.slice(0, MAX_LOOKED_AT).every((value) => tensorOf(value) !== undefined) ? 'model weights' : undefined;
}

const MAX_LOOKED_AT = 50;
