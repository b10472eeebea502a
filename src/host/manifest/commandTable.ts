/**
 * Commands, one row each: the manifest's commands and menus, their titles and the README's table follow from it by `npm run generate`.
 * What a command does is in ../commandFunctions.ts.
 */
import { conditions } from './conditions.js';

/** Where a command is shown besides the command palette. `stowage` is the submenu in the Explorer's context menu. */
export type MenuId =
  | 'explorer/context'
  | 'stowage'
  | 'editor/title'
  | 'editor/title/context'
  | 'webview/context'
  | 'view/title'
  | 'view/item/context';

interface MenuPlace {
  readonly menu: MenuId;
  /** Group and order within the menu. */
  readonly group: string;
  readonly when: string;
}

interface CommandRow {
  readonly title: string;
  /** Name of a codicon. */
  readonly icon?: string;
  /** When it can be run; always unless given. */
  readonly enablement?: string;
  readonly places: readonly MenuPlace[];
  /** When the command palette lists it; always unless given. */
  readonly palette?: string;
  /** All places, for the README. */
  readonly where: string;
}

/** The rows by the name of the command; its id is `stowage.<name>`. */
export const commandTable = {
  inspect: {
    title: 'Inspect Checkpoint or Dataset',
    icon: 'package',
    places: [
      { menu: 'explorer/context', group: 'navigation@50', when: conditions.isFolderOrReadableFile },
      { menu: 'editor/title/context', group: '1_open@50', when: conditions.isReadableFile },
      { menu: 'view/item/context', group: 'inline@2', when: conditions.isRunLine },
      { menu: 'view/item/context', group: '1_open@1', when: conditions.isCheckpointsView },
    ],
    where:
      'context menu of folders and files in the Explorer, of editor tabs and of the Checkpoints view; command palette (asks for a folder)',
  },
  inspectRemote: {
    title: 'Inspect Remote…',
    icon: 'cloud',
    places: [],
    where: 'command palette (asks for an address on the Hub, in an object store or of a web server)',
  },
  openRemoteFolder: {
    title: 'Open Remote Folder in Explorer…',
    icon: 'cloud',
    places: [],
    where: 'command palette (asks for an address on the Hub or in an object store, and adds it to the workspace, to look at)',
  },
  setHubToken: {
    title: 'Set Hugging Face Token…',
    icon: 'key',
    places: [],
    where: 'command palette (keeps a token for private and gated repositories in the secret storage of the editor)',
  },
  estimate: {
    title: 'Estimate Checkpoint Size',
    icon: 'graph',
    places: [
      { menu: 'stowage', group: '1_configs@1', when: conditions.isConfigFile },
      { menu: 'editor/title/context', group: '1_open@51', when: conditions.isConfigFile },
    ],
    where:
      "submenu **Stowage** of configs in the Explorer, context menu of their tabs, the line above them, the card's links; command palette (for the active editor, or a config to choose)",
  },
  plan: {
    title: 'Plan Checkpoint Storage',
    icon: 'database',
    places: [
      { menu: 'stowage', group: '1_configs@2', when: conditions.isConfigFile },
      { menu: 'editor/title/context', group: '1_open@52', when: conditions.isConfigFile },
    ],
    where:
      "the report's button, the line above configs, the card's link, submenu **Stowage** of configs in the Explorer, context menu of their tabs; command palette (a report, a config or a model to begin with)",
  },
  checkBandwidth: {
    title: 'Check Checkpoint Bandwidth…',
    icon: 'dashboard',
    enablement: conditions.canWrite,
    places: [{ menu: 'stowage', group: '2_folders@1', when: conditions.isWritableFolder }],
    where:
      "the report's button, submenu **Stowage** of folders in the Explorer; command palette (asks for a directory, a report or an object store). Not in Restricted Mode",
  },
  compareCheckpoints: {
    title: 'Compare Checkpoints…',
    icon: 'compare-changes',
    places: [],
    where: "command palette (asks for two folders). The report's button **Compare…** asks for the other one",
  },
  selectForCompare: {
    title: 'Select Checkpoint for Compare',
    places: [
      { menu: 'explorer/context', group: '3_compare@50', when: conditions.isOneAlone },
      { menu: 'editor/title/context', group: '3_compare@50', when: conditions.isReadableFile },
    ],
    where: 'context menu of folders and files in the Explorer and of editor tabs; command palette (asks for a folder)',
  },
  compareWithSelected: {
    title: 'Compare Checkpoint with Selected',
    places: [
      { menu: 'explorer/context', group: '3_compare@51', when: conditions.isOneBesideSelected },
      { menu: 'editor/title/context', group: '3_compare@51', when: conditions.isFileBesideSelected },
    ],
    palette: conditions.hasSelectedForCompare,
    where: 'the same places, once one was selected; command palette (asks for a folder)',
  },
  compareSelected: {
    title: 'Compare Selected Checkpoints',
    places: [{ menu: 'explorer/context', group: '3_compare@52', when: conditions.isOneOfTwo }],
    palette: conditions.never,
    where: 'context menu of two folders or files that are selected in the Explorer',
  },
  verify: {
    title: 'Verify Checkpoint or Dataset',
    icon: 'shield',
    places: [
      { menu: 'stowage', group: '2_folders@2', when: conditions.isFolderOrReadableFile },
      { menu: 'view/item/context', group: '1_open@4', when: conditions.isAnyCheckpointLine },
    ],
    where:
      "the report's button and its tab **Integrity**, submenu **Stowage** of folders and files in the Explorer, checkpoints of the Checkpoints view; command palette (for the report in front, or a folder to choose)",
  },
  showSaves: {
    title: 'Show Saves Over Time',
    icon: 'history',
    places: [
      { menu: 'stowage', group: '2_folders@0', when: conditions.isFolder },
      { menu: 'view/item/context', group: 'inline@1', when: conditions.isRunLine },
      { menu: 'view/item/context', group: '1_open@2', when: conditions.isRunLine },
    ],
    where: 'runs of the Checkpoints view, submenu **Stowage** of folders in the Explorer; command palette (asks for a folder)',
  },
  findRuns: {
    title: 'Look for Checkpoints',
    icon: 'refresh',
    enablement: conditions.hasWorkspace,
    places: [{ menu: 'view/title', group: 'navigation@1', when: conditions.isCheckpointsView }],
    where: "the Checkpoints view's title bar, command palette",
  },
  holdCheckpoint: {
    title: 'Hold Checkpoint…',
    icon: 'lock',
    places: [{ menu: 'view/item/context', group: '3_keep@1', when: conditions.isCheckpointLine }],
    palette: conditions.never,
    where: 'checkpoints of the Checkpoints view: no retention policy lets them go',
  },
  releaseCheckpoint: {
    title: 'Take Back Hold',
    icon: 'unlock',
    places: [{ menu: 'view/item/context', group: '3_keep@1', when: conditions.isHeldLine }],
    palette: conditions.never,
    where: 'held checkpoints of the Checkpoints view',
  },
  planRetention: {
    title: 'Plan Retention',
    icon: 'archive',
    places: [{ menu: 'view/item/context', group: '3_keep@2', when: conditions.isCheckpointsView }],
    palette: conditions.never,
    where: 'runs of the Checkpoints view: what their policy lets go, and the scripts for it',
  },
  compareLine: {
    title: 'Compare With…',
    places: [{ menu: 'view/item/context', group: '1_open@3', when: conditions.isAnyCheckpointLine }],
    palette: conditions.never,
    where: 'checkpoints of the Checkpoints view: asks for the other one',
  },
  revealLine: {
    title: 'Reveal in Explorer View',
    places: [{ menu: 'view/item/context', group: '2_files@1', when: conditions.isCheckpointsView }],
    palette: conditions.never,
    where: 'context menu of the Checkpoints view',
  },
  copyLinePath: {
    title: 'Copy Path',
    places: [{ menu: 'view/item/context', group: '2_files@2', when: conditions.isCheckpointsView }],
    palette: conditions.never,
    where: 'context menu of the Checkpoints view',
  },
  refreshReport: {
    title: 'Refresh Report',
    icon: 'refresh',
    enablement: conditions.isReportInFront,
    places: [{ menu: 'editor/title', group: 'navigation', when: conditions.isReportInFront }],
    palette: conditions.isReportInFront,
    where: "the report's title bar, command palette",
  },
  copyReportJson: {
    title: 'Copy Report as JSON',
    enablement: conditions.isReportInFront,
    places: [],
    palette: conditions.isReportInFront,
    where: 'command palette (for the report in front)',
  },
  copyCell: {
    title: 'Copy Cell',
    places: [{ menu: 'webview/context', group: '1_copy@1', when: conditions.isTableRow }],
    palette: conditions.never,
    where: 'context menu of rows in the tables of reports',
  },
  copyRow: {
    title: 'Copy Row',
    places: [{ menu: 'webview/context', group: '1_copy@2', when: conditions.isTableRow }],
    palette: conditions.never,
    where: 'context menu of rows in the tables of reports',
  },
  copySelectedRows: {
    title: 'Copy Selected Rows',
    places: [{ menu: 'webview/context', group: '1_copy@3', when: conditions.isTableRow }],
    palette: conditions.never,
    where: 'context menu of rows in the tables of reports; Ctrl+C',
  },
  showLog: { title: 'Show Log', places: [], where: 'command palette' },
} as const satisfies Record<string, CommandRow>;

export type CommandName = keyof typeof commandTable;

/** The rows with the type that all of them have. */
export const commandRows: readonly (readonly [CommandName, CommandRow])[] = Object.entries(commandTable) as [
  CommandName,
  CommandRow,
][];
