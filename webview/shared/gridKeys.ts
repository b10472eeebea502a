/** Where a key moves the active row of a table or tree; null when the key is none of these. Rows that do not exist are never returned. */
export function rowAfterKey(key: string, active: number, count: number, page: number): number | null {
  if (count === 0) return null;
  const clamp = (row: number): number => Math.min(count - 1, Math.max(0, row));
  switch (key) {
    case 'ArrowDown':
      return clamp(active + 1);
    case 'ArrowUp':
      return clamp(active - 1);
    case 'PageDown':
      return clamp(active + page);
    case 'PageUp':
      return clamp(active - page);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}
