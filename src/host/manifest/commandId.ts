import type { CommandName } from './commandTable.js';

/** The id of a command: what the manifest and `executeCommand` call it. */
export function commandIdOf<K extends CommandName>(name: K): `stowage.${K}` {
  return `stowage.${name}`;
}
