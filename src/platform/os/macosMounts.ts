import type { Mount } from '../../core/bandwidth/mountTable.js';

/**
 * Reads what `mount` of macOS writes, a line a mount (mount(8)): `SOURCE on MOUNT POINT (TYPE, OPTION, …)`. Names may hold blanks and
 * brackets: the last bracket opens the type, and the first ` on /` ends the source. Lines that are not understood are left out.
 */
export function parseMacosMounts(text: string): Mount[] {
  return text.split('\n').flatMap((line) => {
    const middle = line.indexOf(' on /');
    const bracket = line.lastIndexOf(' (');
    if (middle <= 0 || bracket <= middle || !line.endsWith(')')) return [];
    const [type = '', ...options] = line.slice(bracket + 2, -1).split(', ');
    if (!/^[\w.]+$/.test(type)) return [];
    return [{ mountPoint: line.slice(middle + 4, bracket), type, source: line.slice(0, middle), options }];
  });
}
