/** Every id under which the manifest and the code know the same thing. A contract test compares both. */
export const commandIds = {
  inspect: 'stowage.inspect',
  estimate: 'stowage.estimate',
  plan: 'stowage.plan',
  checkBandwidth: 'stowage.checkBandwidth',
  refreshReport: 'stowage.refreshReport',
  showLog: 'stowage.showLog',
} as const;

export const editorIds = {
  /** Opens by default, for formats that only checkpoints have. */
  checkpoint: 'stowage.checkpointEditor',
  /** Offered under "Reopen Editor With…", for extensions that other tools use as well. */
  checkpointOption: 'stowage.checkpointEditorOption',
  /** The same for files of datasets. */
  datasetOption: 'stowage.datasetEditorOption',
  /** For plan files, which are text and may be edited as text as well. */
  plan: 'stowage.planEditor',
} as const;

export const panelIds = {
  report: 'stowage.report',
  bandwidth: 'stowage.bandwidth',
} as const;

/** Settings, with their names as users write them. */
export const settingIds = {
  codeLens: 'stowage.configs.codeLens',
  diagnostics: 'stowage.configs.diagnostics',
} as const;

/** Schemes of documents that lie in no file. */
export const pageSchemes = {
  estimate: 'stowage-estimate',
} as const;

/** Editors of others that files are opened with, where they are installed. */
export const foreignIds = {
  hexEditorExtension: 'ms-vscode.hexeditor',
  hexEditor: 'hexEditor.hexedit',
} as const;

/** Extensions of files that may be inspected by themselves; the menus of the manifest name the same ones. */
export const inspectableExtensions: readonly string[] = [
  'safetensors',
  'pt',
  'pth',
  'bin',
  'ckpt',
  'pt2',
  'npy',
  'npz',
  'pkl',
  'pickle',
  'gguf',
  'onnx',
  'h5',
  'hdf5',
  'keras',
  'msgpack',
  'nemo',
  'arrow',
  'parquet',
  'feather',
  'mds',
  'idx',
  'ds',
  'tar',
  'tfrecord',
  'tfrecords',
  'array_record',
  'arrayrecord',
  'jsonl',
  'ndjson',
];
