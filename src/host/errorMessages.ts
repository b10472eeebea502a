import * as vscode from 'vscode';
import type { FormatErrorCode } from '../core/bytes/formatError.js';

/** Codes of a failed inspection: those of core, and what can happen to the worker. */
export type FailureCode = FormatErrorCode | 'worker-died' | 'out-of-memory' | 'failed';

const codes: Record<FailureCode, true> = {
  'not-this-format': true,
  truncated: true,
  corrupt: true,
  'limit-exceeded': true,
  unsupported: true,
  io: true,
  cancelled: true,
  'worker-died': true,
  'out-of-memory': true,
  failed: true,
};

/** The code of an error that an inspector answered with. */
export function failureCodeOf(error: unknown): FailureCode {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && Object.hasOwn(codes, code) ? (code as FailureCode) : 'failed';
}

/**
 * The sentence for a failed inspection: what happened and what to do.
 * @param detail from core or the system, in plain words and without a path
 * @param isRemote of an address, whose stores say themselves what helps
 */
export function failureMessage(code: FailureCode, detail: string, isRemote = false): string {
  switch (code) {
    case 'not-this-format':
      return vscode.l10n.t('This is not a file that Stowage can read ({0}). Inspect the folder it belongs to instead.', detail);
    case 'truncated':
      return vscode.l10n.t('File truncated ({0}). If it is still being written or copied, refresh when that is done.', detail);
    case 'corrupt':
      return vscode.l10n.t('A file is damaged ({0}). Compare it with its source, or copy it again.', detail);
    case 'limit-exceeded':
      return vscode.l10n.t(
        'A size in the file is beyond what Stowage accepts ({0}). The file is damaged or has another format.',
        detail,
      );
    case 'unsupported':
      return vscode.l10n.t(
        'This cannot be inspected here ({0}). Copy it to a local disk, or open a remote window on the machine that has it.',
        detail,
      );
    case 'io':
      if (isRemote) return vscode.l10n.t('It cannot be read: {0}.', detail);
      return vscode.l10n.t('It cannot be read: {0}. Check the path and its permissions, then refresh.', detail);
    case 'cancelled':
      return vscode.l10n.t('The inspection was cancelled. Refresh to start again.');
    case 'worker-died':
      return vscode.l10n.t('The inspection ended unexpectedly ({0}). Refresh to try again; see the Stowage log.', detail);
    case 'out-of-memory':
      return vscode.l10n.t('The inspection needs more memory than the {0} that it may take.', detail);
    case 'failed':
      return vscode.l10n.t('The inspection failed ({0}). See the Stowage log.', detail);
  }
}
