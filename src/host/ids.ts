/** Every id under which the manifest and the code know the same thing. Those of commands and editors are those of their tables. */
import { editorNames, viewTypeOf, type EditorName } from './manifest/editorTable.js';

export { hasLookedForRuns, hasSelectedForCompare } from './manifest/contextKeys.js';
export { panelIds } from './manifest/panelIds.js';
export { viewIds } from './manifest/viewTable.js';

export const editorIds = Object.fromEntries(editorNames.map((name) => [name, viewTypeOf(name)])) as {
  readonly [K in EditorName]: `stowage.${K}`;
};

/** Settings, with their names as users write them. */
export const settingIds = {
  codeLens: 'stowage.configs.codeLens',
  diagnostics: 'stowage.configs.diagnostics',
  badge: 'stowage.checkpoints.badge',
  log: 'stowage.integrity.log',
  headerCache: 'stowage.remote.headerCache',
} as const;

/** Editors of others that files are opened with, where they are installed. */
export const foreignIds = {
  hexEditorExtension: 'ms-vscode.hexeditor',
  hexEditor: 'hexEditor.hexedit',
} as const;
