/** The imports of pickles, as terminals and Markdown show them. */
import type { PickleImport } from '../../formats/pickle/imports/importList.js';
import { formatCount } from '../../text/units.js';
import { visibleText } from '../../text/visibleText.js';

const MAX_NAMES = 10;

/** What pickles import, in a line; none without imports. */
export function importLines(imports: readonly PickleImport[] = []): string[] {
  if (imports.length === 0) return [];
  const namesOf = (kind: PickleImport['kind']): string[] =>
    imports.filter((item) => item.kind === kind).map((item) => visibleText(item.name));
  const [own, unexpected] = [namesOf('own'), namesOf('unexpected')];
  const listed = (names: readonly string[]): string =>
    `${names.slice(0, MAX_NAMES).join(', ')}${names.length > MAX_NAMES ? ` and ${formatCount(names.length - MAX_NAMES)} more` : ''}`;
  const parts = [
    ...(unexpected.length === 0 ? [] : [`${unexpected.length} unexpected: ${listed(unexpected)}`]),
    ...(own.length === 0 ? [] : [`${own.length} of code that loading needs: ${listed(own)}`]),
  ];
  return [`Pickle imports: ${imports.length}, ${parts.length === 0 ? 'all usual' : parts.join('; ')}`];
}
