/** Conditions of menus, in the language of `when` clauses. Each is written here once; `npm run generate` puts it into the manifest. */
import { readablePattern } from '../../core/files/readableFiles.js';
import { indexNames } from '../../core/datasets/indexFiles.js';
import { reportEditors, viewTypeOf } from './editorTable.js';
import { hasSelectedForCompare } from './contextKeys.js';
import { panelIds } from './panelIds.js';
import { viewIds } from './viewTable.js';

const indexes = indexNames.filter((name) => name !== 'state.json').map((name) => name.slice(0, -'.json'.length));

/** A file with a report of its own, or the index of a dataset. `state.json` is the name of too many other files. */
const isReadableFile = `resourceFilename =~ /${readablePattern.source}|^(${indexes.join('|')})\\.json$/i`;

const isFolderOrReadableFile = `explorerResourceIsFolder || ${isReadableFile}`;

/** By the names that configs of models and of training runs have; what is in the file decides. */
const isConfigFile =
  'resourceFilename =~ /\\.(ya?ml|toml|sbatch|slurm)$|config.*\\.jsonc?$|^params\\.json$|(train|pretrain|finetune|launch|run).*\\.(sh|bash|py)$/i';

const reportEditorIds = reportEditors.map((name) => viewTypeOf(name).slice('stowage.'.length));

/** The conditions by name. */
export const conditions = {
  isReadableFile,
  isConfigFile,
  isFolder: 'explorerResourceIsFolder',
  isFolderOrReadableFile,
  /** Two lines of the Explorer are selected, of which this is one; the kind of the other is not known to a menu. */
  isOneOfTwo: `listDoubleSelection && (${isFolderOrReadableFile})`,
  isOneAlone: `!listMultiSelection && (${isFolderOrReadableFile})`,
  isOneBesideSelected: `!listMultiSelection && ${hasSelectedForCompare} && (${isFolderOrReadableFile})`,
  isFileBesideSelected: `${hasSelectedForCompare} && ${isReadableFile}`,
  hasSelectedForCompare,
  /** Plans have no Refresh: they are computed anew with each change. */
  isReportInFront: `activeWebviewPanelId == ${panelIds.report} || activeCustomEditorId =~ /^stowage\\.(${reportEditorIds.join('|')})$/`,
  /** What the page says of a row of a table under the pointer. */
  isTableRow: 'webviewSection == stowageTableRow',
  isCheckpointsView: `view == ${viewIds.checkpoints}`,
  isRunLine: `view == ${viewIds.checkpoints} && viewItem == run`,
  isCheckpointLine: `view == ${viewIds.checkpoints} && viewItem == checkpoint`,
  isAnyCheckpointLine: `view == ${viewIds.checkpoints} && viewItem =~ /heckpoint$/`,
  isHeldLine: `view == ${viewIds.checkpoints} && viewItem == heldCheckpoint`,
  hasWorkspace: 'workbenchState != empty',
  /** For the command palette, of what needs a place that was pointed at. */
  never: 'false',
  /** Bandwidth checks write files, and need a machine to run on. */
  canWrite: 'isWorkspaceTrusted && (!isWeb || remoteName)',
  isWritableFolder:
    'explorerResourceIsFolder && isWorkspaceTrusted && (resourceScheme == file || resourceScheme == vscode-remote)',
} as const;
