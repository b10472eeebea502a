/** Numbers of errors that libuv has no names for. They are written down as node:os, which tells them, is not there in a browser. */
const unnamed: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  linux: { [-116]: 'ESTALE', [-122]: 'EDQUOT' },
  darwin: { [-70]: 'ESTALE', [-69]: 'EDQUOT' },
};

/** The system's name of an error, also of those that Node only calls `Unknown system error` and their number; null without one. */
export function systemErrorCode(error: unknown): string | null {
  const { code, errno } = (error ?? {}) as { code?: unknown; errno?: unknown };
  const platform = typeof process === 'undefined' ? '' : process.platform;
  const name = typeof errno === 'number' ? unnamed[platform]?.[errno] : undefined;
  return name ?? (typeof code === 'string' ? code : null);
}
