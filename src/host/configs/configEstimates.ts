import * as vscode from 'vscode';
import { limits } from '../../core/bytes/limits.js';
import { createConfigAccess } from '../../core/configs/configAccess.js';
import type { ConfigAccess } from '../../core/configs/configKind.js';
import { syntaxOf } from '../../core/configs/document/parseConfig.js';
import { estimate, openConfig, type Estimate } from '../../core/estimate.js';
import { buildEstimate } from '../../core/report/buildEstimate.js';
import type { EstimateReport } from '../../core/report/estimateReport.js';
import type { Platform } from '../../platform/inspector.js';
import type { Log } from '../log.js';
import { displayPath, nameOf } from '../report/inspectedPath.js';
import { configSourcesAround } from './workspaceConfigSources.js';

/** An estimate of a document as it was at a version. */
export interface DocumentEstimate {
  estimate: Estimate;
  report: EstimateReport;
  /** To ask what a change would do. */
  access: ConfigAccess;
}

/** Documents whose estimates are kept. */
const keptDocuments = 50;
/** How long files that a config names are taken as they were: a hover follows a hover, but a saved file should show soon. */
const accessMs = 10_000;

/** Estimates of open documents, each made once for a version. What is no config is remembered as null. */
export class ConfigEstimates {
  private readonly known = new Map<string, { version: number; result: Promise<DocumentEstimate | null>; madeMs: number }>();

  constructor(
    private readonly platform: Platform,
    private readonly hasLocalFiles: boolean,
    private readonly log: Log,
  ) {}

  /** Null for a document that is no config, or too large to be looked at while it is edited. */
  of(document: vscode.TextDocument): Promise<DocumentEstimate | null> {
    const key = document.uri.toString();
    const known = this.known.get(key);
    if (known?.version === document.version && Date.now() - known.madeMs < accessMs) return known.result;
    const result = this.make(document).catch((error: unknown) => {
      this.log.error(
        `estimate of ${document.uri.path}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
      return null;
    });
    this.known.delete(key);
    this.known.set(key, { version: document.version, result, madeMs: Date.now() });
    for (const oldest of this.known.keys()) {
      if (this.known.size <= keptDocuments) break;
      this.known.delete(oldest);
    }
    return result;
  }

  forget(document: vscode.TextDocument): void {
    this.known.delete(document.uri.toString());
  }

  /** An estimate of a file that need not be open. */
  async ofUri(uri: vscode.Uri): Promise<DocumentEstimate | null> {
    return this.of(await vscode.workspace.openTextDocument(uri));
  }

  private async make(document: vscode.TextDocument): Promise<DocumentEstimate | null> {
    const { uri } = document;
    if (syntaxOf(nameOf(uri)) === null || lengthOf(document) > limits.liveConfigCharacters) return null;
    const config = await openConfig(nameOf(uri), document.getText());
    if (config === null) return null;
    const access = createConfigAccess(configSourcesAround(uri, this.platform, this.hasLocalFiles));
    const first = await estimate(config, access);
    const freeBytes = await this.freeBytes(uri, first.plan.outputFolder);
    const whole = freeBytes === null ? first : await estimate(config, access, { freeBytes });
    return { estimate: whole, report: buildEstimate(whole, displayPath(uri)), access };
  }

  /** Of the file system on which the run's folder is or will be. */
  private async freeBytes(uri: vscode.Uri, outputFolder: string | undefined): Promise<number | null> {
    if (uri.scheme !== 'file' || !this.hasLocalFiles) return null;
    const folder = vscode.Uri.joinPath(uri, '..');
    const isAbsolute = outputFolder !== undefined && /^(\/|[A-Za-z]:[\\/])/.test(outputFolder);
    const place = outputFolder === undefined || !isAbsolute ? folder : vscode.Uri.file(outputFolder);
    return this.platform.configs?.freeBytes(place.fsPath) ?? null;
  }
}

function lengthOf(document: vscode.TextDocument): number {
  return document.offsetAt(document.lineAt(document.lineCount - 1).range.end);
}
