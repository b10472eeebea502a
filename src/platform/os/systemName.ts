/** The operating systems whose behaviour is known here; `other` is a Unix of which nothing is taken for granted, `browser` has no Node. */
export type SystemName = 'linux' | 'macos' | 'windows' | 'other' | 'browser';

const names: Readonly<Record<string, SystemName>> = { linux: 'linux', darwin: 'macos', win32: 'windows' };

/** The one place that reads `process.platform`. It imports nothing of Node, as the web extension uses it too. */
export function systemName(): SystemName {
  if (typeof process === 'undefined' || typeof process.platform !== 'string') return 'browser';
  return names[process.platform] ?? 'other';
}
