import { type ConfigDocument, emptyMap } from './configNode.js';

/** A Python file of assignments as text: the names at its top level as a map. */
export function parsePythonText(_text: string): ConfigDocument {
  return { syntax: 'python', root: emptyMap, problems: [], programs: [] };
}
