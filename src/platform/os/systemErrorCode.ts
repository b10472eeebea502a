import { systemName, type SystemName } from './systemName.js';

/** Numbers of errors that libuv has no names for. They are written down as node:os, which has them, is not there in a browser. */
const unnamed: Readonly<Partial<Record<SystemName, Readonly<Record<number, string>>>>> = {
  linux: { [-116]: 'ESTALE', [-122]: 'EDQUOT' },
  macos: { [-70]: 'ESTALE', [-69]: 'EDQUOT' },
};

/** The system's name of an error, also of those that Node only calls `Unknown system error` and their number; null without one. */
export function systemErrorCode(error: unknown): string | null {
  const { code, errno } = (error ?? {}) as { code?: unknown; errno?: unknown };
  const name = typeof errno === 'number' ? unnamed[systemName()]?.[errno] : undefined;
  return name ?? (typeof code === 'string' ? code : null);
}
