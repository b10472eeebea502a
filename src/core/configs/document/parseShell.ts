import { type ConfigDocument, emptyMap } from './configNode.js';

/** A launch script as text: its flags as a map. */
export function parseShellText(_text: string): ConfigDocument {
  return { syntax: 'shell', root: emptyMap, problems: [], programs: [] };
}
