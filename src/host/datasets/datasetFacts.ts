import * as vscode from 'vscode';
import type { Workers } from '../../platform/inspector.js';
import type { Log } from '../log.js';
import { targetOf, type FileReach } from '../inspectedPath.js';

/** Texts that are kept; a hover is asked for again and again while the pointer rests. */
const keptTexts = 100;
/** Names in a folder above which a hover does not look at it: the listing alone would keep the reader waiting. */
const mostNames = 2_000;
/** How long a hover may take before it says only what the file itself says. */
const longestMs = 3_000;

/** What hovers say of datasets, each computed once for a version of its index file, in a worker. */
export class DatasetFacts {
  private readonly known = new Map<string, string | null>();

  constructor(
    private readonly workers: Workers,
    private readonly reach: FileReach,
    private readonly log: Log,
  ) {}

  /**
   * What lies at `target`, in a few lines of Markdown; null where it is no dataset, too large or too slow for a hover, or was cancelled.
   * @param index the file whose change makes it stale
   * @param link target of the link that opens the report
   */
  async of(target: vscode.Uri, index: vscode.Uri, token: vscode.CancellationToken, link: string): Promise<string | null> {
    const { mtime, size } = await vscode.workspace.fs.stat(index);
    const key = `${target.toString()}\n${mtime}\n${size}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    if (await isLarge(target)) return this.keep(key, null);
    const { text, isFinal } = await this.inspect(target, token, link);
    return isFinal ? this.keep(key, text) : null;
  }

  private keep(key: string, text: string | null): string | null {
    for (const oldest of this.known.keys()) {
      if (this.known.size < keptTexts) break;
      this.known.delete(oldest);
    }
    this.known.set(key, text);
    return text;
  }

  /** `isFinal` is false for what another try may answer: it was cancelled, or failed. */
  private async inspect(
    target: vscode.Uri,
    token: vscode.CancellationToken,
    link: string,
  ): Promise<{ text: string | null; isFinal: boolean }> {
    const inspector = this.workers.startInspector(targetOf(target, this.reach));
    const abort = new AbortController();
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      abort.abort();
    }, longestMs);
    const cancelled = token.onCancellationRequested(() => abort.abort());
    try {
      return { text: await inspector.endpoint.request('describeDataset', { link }, abort.signal), isFinal: true };
    } catch (error) {
      if (!abort.signal.aborted)
        this.log.info(`hover over ${target.path}: ${error instanceof Error ? error.message : String(error)}`);
      return { text: null, isFinal: isSlow };
    } finally {
      clearTimeout(timer);
      cancelled.dispose();
      inspector.dispose();
    }
  }
}

async function isLarge(target: vscode.Uri): Promise<boolean> {
  const { type } = await vscode.workspace.fs.stat(target);
  if ((type & vscode.FileType.Directory) === 0) return false;
  return (await vscode.workspace.fs.readDirectory(target)).length > mostNames;
}
