/** Code among the members of an archive, by their names alone: Python, and libraries of machine code. */
import type { FileSink } from '../sink/fileSink.js';

/** A member of a zip or a tar archive. */
interface Member {
  name: string;
  bytes: number;
}

const python = /\.(?:py|pyc|pyo)$/i;
const native = /\.(?:so(?:\.\d+)*|dll|dylib|pyd|cubin|hsaco)$/i;

/** Reports code among the members of an archive. @param runBy what runs the Python files, and when */
export function noteArchiveCode(members: Iterable<Member>, runBy: string, sink: Pick<FileSink, 'finding'>): void {
  const found = { python: emptyGroup(), native: emptyGroup() };
  for (const { name, bytes } of members) {
    const group = python.test(name) ? found.python : native.test(name) ? found.native : undefined;
    if (group === undefined) continue;
    group.files += 1;
    group.bytes += bytes;
    group.first ??= name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
  }
  const { python: scripts, native: libraries } = found;
  if (scripts.first !== undefined)
    sink.finding({
      code: 'archive-has-code',
      facts: { files: scripts.files, first: scripts.first, bytes: scripts.bytes, runBy },
    });
  if (libraries.first !== undefined)
    sink.finding({
      code: 'archive-has-native-code',
      facts: { files: libraries.files, first: libraries.first, bytes: libraries.bytes },
    });
}

const MAX_NAME = 300;

interface Group {
  files: number;
  bytes: number;
  first: string | undefined;
}

function emptyGroup(): Group {
  return { files: 0, bytes: 0, first: undefined };
}
