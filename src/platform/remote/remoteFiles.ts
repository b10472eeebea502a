import type { PathStats } from '../../app/platform.js';
import { FormatError } from '../../core/bytes/formatError.js';
import { readWhole } from '../../core/bytes/readWhole.js';
import type { FileTree } from '../../core/files/fileTree.js';
import type { HeaderCache } from './headerCache.js';
import { HttpSession, type HttpEnvironment } from './httpSession.js';
import { openRemoteTree } from './openRemoteTree.js';
import type { RemoteAccess } from './remoteAccess.js';
import { type BudgetQuestion, RequestBudget, type RequestCounts } from './requestBudget.js';

/** What is at addresses. One for each inspection, as it counts what that costs. */
export class RemoteFiles {
  readonly #session: HttpSession;
  readonly #trees = new Map<string, Promise<FileTree>>();

  constructor(
    environment: HttpEnvironment,
    private readonly access: RemoteAccess,
    question: BudgetQuestion,
    private readonly cache: HeaderCache | null = null,
  ) {
    this.#session = new HttpSession(environment, new RequestBudget(question));
  }

  get counts(): RequestCounts {
    return this.#session.budget.counts;
  }

  /** @throws FormatError as `openRemoteTree` */
  openTree(address: string): Promise<FileTree> {
    const known = this.#trees.get(address);
    if (known !== undefined) return known;
    const tree = openRemoteTree(address, this.#session, this.access, this.cache);
    this.#trees.set(address, tree);
    tree.catch(() => this.#trees.delete(address));
    return tree;
  }

  /** What an address is, by what a listing has of it. @throws FormatError as `openRemoteTree` */
  async stat(address: string): Promise<PathStats> {
    const tree = await this.openTree(address);
    if (tree.isFile !== true) return { kind: 'folder', sizeBytes: 0 };
    const { entries } = await tree.list();
    const own = entries.find(({ path }) => path === tree.rootName);
    return { kind: 'file', sizeBytes: own?.sizeBytes ?? 0 };
  }

  /** A whole file. @throws FormatError as `openRemoteTree`, `limit-exceeded` above `mostBytes` */
  async readBytes(address: string, mostBytes: number): Promise<Uint8Array> {
    const tree = await this.openTree(address);
    if (tree.isFile !== true) throw new FormatError('io', 'it is a folder');
    const source = await (tree.cached?.() ?? tree).open(tree.rootName);
    return readWhole(source, mostBytes, 'the file', undefined);
  }
}
