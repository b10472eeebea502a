import * as vscode from 'vscode';
import type { BandwidthChecker } from '../../platform/bandwidth/bandwidthChecker.js';
import type { Log } from '../log.js';
import { checkFailure } from './checkFailure.js';

const key = 'stowage.bandwidth.begun';

/** Remembers where a check has begun until it has ended, so that what a crash leaves behind is found at the next start. */
export class BegunCheck {
  constructor(private readonly state: vscode.Memento) {}

  target(): string | null {
    const target = this.state.get<unknown>(key);
    return typeof target === 'string' ? target : null;
  }

  async begin(target: string): Promise<void> {
    await this.state.update(key, target);
  }

  async end(): Promise<void> {
    await this.state.update(key, undefined);
  }
}

/** Offers to remove what a check left that has never ended. Nothing is removed unasked. */
export async function offerLeftovers(begun: BegunCheck, checker: BandwidthChecker, log: Log): Promise<void> {
  const target = begun.target();
  if (target === null || !vscode.workspace.isTrusted) return;
  try {
    const left = (await checker.others(target)).filter(({ state }) => state === 'left');
    if (left.length > 0 && !(await isRemovalWanted(target, left.length))) return;
    for (const { path } of left) await checker.removeLeft(path);
    await begun.end();
  } catch (error) {
    // The directory may not be mounted yet: it is asked about again at the next start.
    log.error(`${target}: what a bandwidth check left could not be removed: ${checkFailure(error).detail}`);
  }
}

async function isRemovalWanted(target: string, count: number): Promise<boolean> {
  const remove = vscode.l10n.t('Remove');
  const message =
    count === 1
      ? vscode.l10n.t('A bandwidth check of {0} ended before it could remove what it had written.', target)
      : vscode.l10n.t('{0} bandwidth checks of {1} ended before they could remove what they had written.', count, target);
  return (await vscode.window.showWarningMessage(message, remove)) === remove;
}
