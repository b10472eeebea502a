/** Entries of a log of verifications, and what a report has of them. */
import type { LoggedCheck } from '../../src/core/findings/loggedCheck.js';
import type { LogEntry } from '../../src/core/verification/log/verifiedLog.js';

export const loggedAt = '2026-11-20T12:00:00.000Z';
const state = { files: 12, newestMs: 1000, digest: '0'.repeat(16) };

const verified = {
  what: 'verify',
  matched: 12,
  failed: 0,
  unverifiable: 0,
  extra: 0,
  coveredBytes: 940,
  ofBytes: 1000,
  by: ['zip-crc32'],
  manifest: null,
} as const;
const valued = { what: 'values', tensors: 291, notRead: 0, notFinite: 0, errors: 0, bytesRead: 2_000_000 } as const;

type Of<What extends LogEntry['what']> = Extract<LogEntry, { what: What }>;
type CheckOf<What extends LoggedCheck['what']> = Extract<LoggedCheck, { what: What }>;

export function verifyEntry(more: Partial<Of<'verify'>> = {}): LogEntry {
  return { name: 'checkpoint-30', at: loggedAt, state, ...verified, by: [...verified.by], ...more };
}

export function valuesEntry(more: Partial<Of<'values'>> = {}): LogEntry {
  return { name: 'checkpoint-30', at: loggedAt, state, ...valued, ...more };
}

export function verifyCheck(more: Partial<CheckOf<'verify'>> = {}): LoggedCheck {
  return { path: '', at: loggedAt, files: 12, changed: null, ...verified, by: [...verified.by], ...more };
}

export function valuesCheck(more: Partial<CheckOf<'values'>> = {}): LoggedCheck {
  return { path: '', at: loggedAt, files: 12, changed: null, ...valued, ...more };
}
