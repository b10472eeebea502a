/** What the reader has opened. Survives a reload of the page; holds nothing of what was measured. */
export type Opened = Readonly<Record<string, boolean>>;

/** Reads a state that an earlier version of the page may have written: whatever does not fit is left out. */
export function restoreOpened(saved: unknown): Opened {
  if (typeof saved !== 'object' || saved === null || !('opened' in saved)) return {};
  const { opened } = saved;
  if (typeof opened !== 'object' || opened === null) return {};
  return Object.fromEntries(Object.entries(opened).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean'));
}
