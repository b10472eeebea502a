/** Custom editors, one row each: the manifest, the README and the registration follow from it. */
import { globsOf, type ReadableFiles } from '../../core/files/namePattern.js';
import { readableFiles } from '../../core/files/readableRows.js';
import { planSuffix } from '../../core/planning/inputs/planDocument.js';

interface EditorRow {
  /** As "Reopen Editor With…" lists it. */
  readonly name: string;
  readonly shows: 'report' | 'plan';
  /** `default` opens the files; `option` is offered under "Reopen Editor With…", for extensions that other tools use as well. */
  readonly priority: 'default' | 'option';
  readonly patterns: readonly string[];
}

/** The rows by the name of the editor; its view type is `stowage.<name>`. */
export const editorTable = {
  planEditor: { name: 'Storage Plan', shows: 'plan', priority: 'default', patterns: [`*${planSuffix}`] },
  checkpointEditor: {
    name: 'Checkpoint Report',
    shows: 'report',
    priority: 'default',
    patterns: patternsOf('checkpoint', true),
  },
  checkpointEditorOption: {
    name: 'Checkpoint Report',
    shows: 'report',
    priority: 'option',
    patterns: patternsOf('checkpoint', false),
  },
  datasetEditor: { name: 'Dataset Report', shows: 'report', priority: 'default', patterns: patternsOf('dataset', true) },
  datasetEditorOption: { name: 'Dataset Report', shows: 'report', priority: 'option', patterns: patternsOf('dataset', false) },
} as const satisfies Record<string, EditorRow>;

export type EditorName = keyof typeof editorTable;

export const editorNames = Object.keys(editorTable) as EditorName[];

/** The editors that show reports. */
export const reportEditors = editorNames.filter((name) => editorTable[name].shows === 'report');

/** The view type of an editor: what the manifest and `vscode.openWith` call it. */
export function viewTypeOf<K extends EditorName>(name: K): `stowage.${K}` {
  return `stowage.${name}`;
}

function patternsOf(kind: ReadableFiles['kind'], isOwn: boolean): readonly string[] {
  return readableFiles.filter((files) => files.kind === kind && files.isOwn === isOwn).flatMap(globsOf);
}
