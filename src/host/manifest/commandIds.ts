import { commandIdOf } from './commandId.js';
import { commandRows, type CommandName } from './commandTable.js';

/** The ids of all commands by their names. */
export const commandIds = Object.fromEntries(commandRows.map(([name]) => [name, commandIdOf(name)])) as {
  readonly [K in CommandName]: `stowage.${K}`;
};
