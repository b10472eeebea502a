/** What the readers of one checkpoint share: its files by their paths, what was found so far, and how a file is opened. */
import type { FileEntry } from '../../files/fileTree.js';
import { joinPath, parentPath } from '../../files/paths.js';
import { emptyParts, type FilePart } from '../parts.js';
import { PartsSink, type SharedParts } from '../partsSink.js';
import type { FileRole, RolesOfPaths } from '../roles/fileRule.js';
import { ShardedTensors } from '../shardedTensors.js';
import type { ReadContext, SideFiles } from './readContext.js';

export class ReadState {
  readonly files: FilePart[] = [];
  readonly side: SideFiles = { json: new Map(), indexes: new Map(), texts: new Map() };
  /** Files that may be anything and are left closed, as there are too many. */
  readonly left: Set<FileEntry>;
  readonly parts = emptyParts(this.files);
  readonly shared: SharedParts;
  /** Places in the listing, by path. */
  readonly numbers: ReadonlyMap<string, number>;

  constructor(
    readonly context: ReadContext,
    readonly roles: RolesOfPaths,
    left: ReadonlySet<FileEntry>,
    readonly isAlone: boolean,
  ) {
    this.left = new Set(left);
    this.numbers = new Map(context.entries.map((entry, index) => [entry.path, index]));
    const { signal, unpackBudget } = context;
    this.shared = { parts: this.parts, sharded: new ShardedTensors(), rankObjects: new Map(), signal, unpackBudget };
  }

  /** Enters a file at its place in the listing. */
  addPart(entry: FileEntry, index: number, role: Pick<FilePart, 'format' | 'role' | 'component' | 'rank'>): FilePart {
    const part: FilePart = {
      path: entry.path,
      sizeBytes: entry.sizeBytes,
      modifiedMs: entry.modifiedMs,
      format: role.format,
      role: role.role,
      component: role.component,
      ...(entry.link === undefined ? {} : { link: entry.link.target }),
      ...(entry.link?.isDirectory === true && entry.link.inside ? { isWithin: true } : {}),
      ...(entry.fileId === undefined ? {} : { fileId: entry.fileId }),
      ...(role.rank === undefined ? {} : { rank: role.rank }),
      claims: [],
      unexplained: [],
    };
    this.files[index] = part;
    return part;
  }

  /** Where a file that is no part of a set puts what it holds. */
  sinkFor(part: FilePart, number: number, role: FileRole, turn: () => Promise<void>): PartsSink {
    return new PartsSink(this.shared, { part, number, role, isOfSet: false, turn });
  }

  /** Where a file beside another one is. */
  placeOf(path: string, file: string): 'here' | 'missing' | 'unknown' {
    if (this.numbers.has(joinPath(parentPath(path), file))) return 'here';
    return this.isAlone ? 'unknown' : 'missing';
  }
}
