import type * as vscode from 'vscode';
import { CheckError } from '../../../src/core/bandwidth/checkError.js';
import { previewCheck } from '../../../src/core/bandwidth/checkPreview.js';
import type { OtherCheck } from '../../../src/core/bandwidth/targetFacts.js';
import { BegunCheck } from '../../../src/host/bandwidth/begunCheck.js';
import type { Log } from '../../../src/host/log.js';
import type { BandwidthChecker } from '../../../src/platform/bandwidth/bandwidthChecker.js';
import { targetFacts } from '../../builders/bandwidthCheck.js';

export const target = '/data/runs';

export function memento(): vscode.Memento {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: <T>(key: string) => values.get(key) as T | undefined,
    update: (key, value) => Promise.resolve(void values.set(key, value)),
  };
}

/** Keeps the errors only. */
export function errorLog(): Log & { errors: string[] } {
  const errors: string[] = [];
  return { errors, info: () => undefined, error: (message) => void errors.push(message), show: () => undefined };
}

/** A checker that writes nothing and notes what it was asked for. */
export function fakeChecker(changes: Partial<BandwidthChecker> = {}): BandwidthChecker & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    preview: (settings) => Promise.resolve(previewCheck(settings, targetFacts({ loginNode: 'its name' }), null)),
    check: ({ target: checked }) => {
      asked.push(`check ${checked}`);
      return Promise.reject(new CheckError('cancelled', 'the check was cancelled'));
    },
    others: () => Promise.resolve([other('a', 'left'), other('b', 'running'), other('c', 'elsewhere'), other('d', 'left')]),
    removeLeft: (path) => Promise.resolve(void asked.push(`remove ${path}`)),
    dispose: () => undefined,
    ...changes,
  };
}

export function other(path: string, state: OtherCheck['state']): OtherCheck {
  return { path, startedAt: '2026-01-02T03:04:05.678Z', host: 'node-1', bytes: 1, files: 1, state };
}

export async function begunCheck(): Promise<BegunCheck> {
  const begun = new BegunCheck(memento());
  await begun.begin(target);
  return begun;
}
