import * as vscode from 'vscode';
import { readHistory, writeHistory } from '../../core/bandwidth/bandwidthHistory.js';
import type { BandwidthReport } from '../../core/bandwidth/bandwidthReport.js';

/** Earlier results of each directory, in the storage of the workspace, or of the extension where there is no workspace. */
export class CheckHistory {
  /** Results that come at the same time are written one after the other. */
  private writes: Promise<unknown> = Promise.resolve();

  constructor(private readonly context: Pick<vscode.ExtensionContext, 'storageUri' | 'globalStorageUri'>) {}

  /** The newest last; empty where there are none or they cannot be read. */
  async of(target: string): Promise<unknown[]> {
    try {
      return readHistory(new TextDecoder().decode(await vscode.workspace.fs.readFile(await this.fileOf(target))));
    } catch {
      return [];
    }
  }

  /** Answers all results, this one the last. @throws where the storage cannot be written */
  add(target: string, report: BandwidthReport): Promise<unknown[]> {
    const written = this.writes.then(async () => {
      const reports = [...(await this.of(target)), report];
      await this.write(await this.fileOf(target), writeHistory(reports));
      return reports;
    });
    this.writes = written.catch(() => undefined);
    return written;
  }

  /** Renamed in place, so that a crash leaves the old file or the new one, never half of it. */
  private async write(file: vscode.Uri, text: string): Promise<void> {
    const beside = file.with({ path: `${file.path}.new` });
    await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(file, '..'));
    await vscode.workspace.fs.writeFile(beside, new TextEncoder().encode(text));
    await vscode.workspace.fs.rename(beside, file, { overwrite: true });
  }

  /** Named by a hash, as a path has characters and a length that no file name may have. */
  private async fileOf(target: string): Promise<vscode.Uri> {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(target));
    const name = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
    const { storageUri, globalStorageUri } = this.context;
    return vscode.Uri.joinPath(storageUri ?? globalStorageUri, 'bandwidth', `${name}.json`);
  }
}
