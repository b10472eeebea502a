import { panelIds } from './panelIds.js';
import { storeSchemes } from './storeSchemes.js';

/**
 * What loads the extension besides its own commands, editors and tools, for which VS Code derives the events itself.
 *
 * Whether a file is a config of a model or a training run shows in its text alone: `config.json`, `llama3.yaml` and `train.py` are
 * names of all kinds of projects. So the line above configs, their cards and their marks need the extension once a document of such a
 * language is opened: a folder that merely has a JSON file loads nothing. What it costs a project without configs was measured with the
 * bundle that is shipped (68 kB, five runs each in a new process): 9 to 10 ms of processor time to load and activate, 0.8 MB of heap.
 * The worker that reads configs (70 ms, 19 MB) starts with the first document that may be one; manifests and settings of other programs
 * are not (configSelector.ts).
 *
 * The alternatives cost more. `workspaceContains` with a pattern walks the whole workspace in each window until a file matches or seven
 * seconds are over, which on a parallel file system with millions of files is load on its metadata server; and it misses files that are
 * opened from outside of the workspace. `onStartupFinished` loads the extension in every window.
 *
 * A folder of a store in the workspace is listed by the extension's own file system.
 *
 * Panels that were open when a window was closed or reloaded are given back to the extension, each once its tab is shown.
 */
export const activationEvents: readonly string[] = [
  ...storeSchemes.map((scheme) => `onFileSystem:${scheme}`),
  `onWebviewPanel:${panelIds.report}`,
  `onWebviewPanel:${panelIds.estimate}`,
  `onWebviewPanel:${panelIds.run}`,
  `onWebviewPanel:${panelIds.compare}`,
  'onLanguage:json',
  'onLanguage:jsonc',
  'onLanguage:yaml',
  // The language of `.toml` where an extension for it is installed. VS Code itself has none and opens the files as plain text:
  // contributing the language here would take the name, and with it the colors, from whatever is installed later.
  'onLanguage:toml',
  'onLanguage:plaintext',
  'onLanguage:shellscript',
  'onLanguage:python',
];
