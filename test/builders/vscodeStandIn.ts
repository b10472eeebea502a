/**
 * A thin stand-in for the module `vscode` in unit tests of src/host: values, events, registries and an in-memory file system. What it
 * lacks is undefined, so that a test which needs more fails loudly. Behavior of the editor itself is tested in test/host.
 */
import type * as vscode from 'vscode';
import { FakePanel, FakeUri, Disposable, EventEmitter, textDocument } from './vscodeValues.js';

export * from './vscodeValues.js';
export { FakeUri as Uri } from './vscodeValues.js';

interface Message {
  text: string;
  items: readonly string[];
  /** Below the text, of a modal one. */
  detail?: string;
}

/** What a test sets up and looks at. */
class StandIn {
  readonly commands = new Map<string, (...args: unknown[]) => unknown>();
  readonly editors = new Map<string, vscode.CustomReadonlyEditorProvider>();
  /** By the type of their panels. */
  readonly serializers = new Map<string, vscode.WebviewPanelSerializer>();
  readonly hovers: { selector: vscode.DocumentFilter[]; provider: vscode.HoverProvider }[] = [];
  readonly lenses: vscode.CodeLensProvider[] = [];
  readonly links: vscode.DocumentLinkProvider[] = [];
  /** By their schemes. */
  readonly fileSystems = new Map<string, vscode.FileSystemProvider>();
  readonly panels: FakePanel[] = [];
  /** Trees of the side bar by their ids. */
  readonly trees = new Map<string, { provider: vscode.TreeDataProvider<unknown>; badge: vscode.ViewBadge | undefined }>();
  /** Texts of documents that are in no file, by their schemes. */
  readonly contents = new Map<string, vscode.TextDocumentContentProvider>();
  /** What the status bar shows, in the order of the items. */
  readonly statusBar: { text: string; isShown: boolean }[] = [];
  /** Files were written below a folder that is watched. */
  readonly written = new EventEmitter<FakeUri>();
  readonly messages: Message[] = [];
  readonly openedWith: unknown[][] = [];
  /** Documents that were shown as text. */
  readonly shown: { document: vscode.TextDocument; options: vscode.TextDocumentShowOptions }[] = [];
  /** Files by their whole URI. */
  readonly files = new Map<string, Uint8Array>();
  readonly documents: vscode.TextDocument[] = [];
  readonly settings = new Map<string, unknown>();
  readonly opened = new EventEmitter<vscode.TextDocument>();
  readonly changed = new EventEmitter<{ document: vscode.TextDocument }>();
  readonly closed = new EventEmitter<vscode.TextDocument>();
  isTrusted = true;
  hasLanguageModels = false;
  readonly tools = new Map<string, vscode.LanguageModelTool<unknown>>();
  /** The only folder of the workspace. */
  folder: { uri: FakeUri; name: string; index: 0 } | null = null;
  /** What was copied last. */
  clipboard = '';
  /** What a list to choose from had last. */
  offered: readonly vscode.QuickPickItem[] = [];
  /** What a dialog or a message is answered with; a number is a place in a list without its headings, true the file that a dialog offers. */
  answer: unknown = undefined;

  /** Back to a new window. */
  reset(): void {
    for (const registry of [
      this.commands,
      this.editors,
      this.serializers,
      this.files,
      this.settings,
      this.tools,
      this.trees,
      this.contents,
    ])
      registry.clear();
    for (const list of [
      this.hovers,
      this.lenses,
      this.links,
      this.panels,
      this.messages,
      this.openedWith,
      this.shown,
      this.documents,
      this.statusBar,
    ])
      list.length = 0;
    this.isTrusted = true;
    this.hasLanguageModels = false;
    this.folder = null;
    this.clipboard = '';
    this.answer = undefined;
    this.offered = [];
  }

  /** Runs a command as a menu does. */
  run(command: string, ...args: unknown[]): unknown {
    const found = this.commands.get(command);
    if (found === undefined) throw new Error(`${command} is not registered`);
    return found(...args);
  }

  write(uri: string, content: string | Uint8Array): vscode.Uri {
    const parsed = FakeUri.parse(uri);
    this.files.set(parsed.toString(), typeof content === 'string' ? new TextEncoder().encode(content) : content);
    return parsed as unknown as vscode.Uri;
  }

  /** Opens a text in the editor. */
  open(uri: string, text: string): vscode.TextDocument {
    const document = textDocument(FakeUri.parse(uri), text);
    this.documents.push(document);
    this.opened.fire(document);
    return document;
  }

  /** Types a text in place of a document's own. */
  edit(before: vscode.TextDocument, text: string): vscode.TextDocument {
    const document = textDocument(before.uri, text, before.version + 1);
    this.documents.splice(this.documents.indexOf(before), 1, document);
    this.changed.fire({ document });
    return document;
  }

  /** Puts a panel in front, as a click on its tab does. */
  bringToFront(panel: FakePanel): void {
    for (const other of this.panels) other.active = other === panel;
  }

  newPanel(title: string): FakePanel {
    const panel = new FakePanel(title);
    this.panels.push(panel);
    this.bringToFront(panel);
    return panel;
  }
}

export const standIn = new StandIn();

const registered = <T>(list: T[], item: T): Disposable => {
  list.push(item);
  return new Disposable(() => void list.splice(list.indexOf(item), 1));
};

const put = <T>(map: Map<string, T>, key: string, value: T): Disposable => {
  if (map.has(key)) throw new Error(`${key} is registered already`);
  map.set(key, value);
  return new Disposable(() => void map.delete(key));
};

const never = new EventEmitter<never>().event;

export const commands = {
  registerCommand: (id: string, run: (...args: unknown[]) => unknown) => put(standIn.commands, id, run),
  executeCommand: (id: string, ...args: unknown[]) => {
    standIn.openedWith.push([id, ...args]);
    return Promise.resolve(undefined);
  },
};

const said = (text: string, ...rest: unknown[]): Promise<unknown> => {
  const [options] = rest.filter((item): item is vscode.MessageOptions => typeof item === 'object' && item !== null);
  standIn.messages.push({
    text,
    items: rest.filter((item): item is string => typeof item === 'string'),
    ...(options?.detail === undefined ? {} : { detail: options.detail }),
  });
  return Promise.resolve(standIn.answer);
};

export const window = {
  tabGroups: { activeTabGroup: { activeTab: undefined } },
  activeTextEditor: undefined,
  showWarningMessage: said,
  showInformationMessage: said,
  showErrorMessage: said,
  showOpenDialog: () => Promise.resolve(standIn.answer),
  showSaveDialog: (options: vscode.SaveDialogOptions) =>
    Promise.resolve(standIn.answer === true ? options.defaultUri : standIn.answer),
  showInputBox: (options: vscode.InputBoxOptions) => {
    const { answer } = standIn;
    if (typeof answer !== 'string') return Promise.resolve(undefined);
    return Promise.resolve(options.validateInput?.(answer) == null ? answer : undefined);
  },
  showQuickPick: (items: readonly vscode.QuickPickItem[]) => {
    standIn.offered = items;
    const chosen = items.filter(({ kind }) => (kind as number | undefined) !== QuickPickItemKind.Separator);
    return Promise.resolve(typeof standIn.answer === 'number' ? chosen[standIn.answer] : standIn.answer);
  },
  visibleTextEditors: [],
  showTextDocument: (document: vscode.TextDocument, options: vscode.TextDocumentShowOptions) => {
    standIn.shown.push({ document, options });
    return Promise.resolve(undefined);
  },
  registerWebviewPanelSerializer: (id: string, serializer: vscode.WebviewPanelSerializer) =>
    put(standIn.serializers, id, serializer),
  createWebviewPanel: (_type: string, title: string) => standIn.newPanel(title),
  registerCustomEditorProvider: (id: string, provider: vscode.CustomReadonlyEditorProvider) => put(standIn.editors, id, provider),
  createTreeView: (id: string, { treeDataProvider }: { treeDataProvider: vscode.TreeDataProvider<unknown> }) => {
    const tree = { provider: treeDataProvider, badge: undefined, dispose: () => void standIn.trees.delete(id) };
    standIn.trees.set(id, tree);
    return tree;
  },
  createStatusBarItem: () => {
    const item = { text: '', isShown: false, show: () => (item.isShown = true), dispose: () => (item.isShown = false) };
    standIn.statusBar.push(item);
    return item;
  },
  withProgress: (_options: unknown, task: (progress: unknown, token: unknown) => unknown) =>
    task({ report: () => undefined }, { onCancellationRequested: never }),
  createOutputChannel: () => ({ info: () => undefined, error: () => undefined, show: () => undefined, dispose: () => undefined }),
};

export const languages = {
  registerHoverProvider: (selector: vscode.DocumentFilter[], provider: vscode.HoverProvider) =>
    registered(standIn.hovers, { selector, provider }),
  registerDocumentLinkProvider: (_selector: unknown, provider: vscode.DocumentLinkProvider) =>
    registered(standIn.links, provider),
  registerCodeLensProvider: (_selector: unknown, provider: vscode.CodeLensProvider) => registered(standIn.lenses, provider),
  registerCodeActionsProvider: () => new Disposable(() => undefined),
  createDiagnosticCollection: () => ({ set: () => undefined, delete: () => undefined, dispose: () => undefined }),
};

const fileType = (uri: vscode.Uri): number => {
  const key = uri.toString();
  if (standIn.files.has(key)) return FileType.File;
  const isFolder = [...standIn.files.keys()].some((file) => file.startsWith(`${key}/`));
  if (isFolder) return FileType.Directory;
  throw new FileSystemError(`there is no ${key}`);
};

const fs = {
  delete(uri: FakeUri): Promise<void> {
    for (const file of standIn.files.keys()) if (file.startsWith(`${uri.toString()}/`)) standIn.files.delete(file);
    return Promise.resolve();
  },
  writeFile: (uri: vscode.Uri, content: Uint8Array) => {
    standIn.files.set(uri.toString(), content);
    return Promise.resolve();
  },
  stat: (uri: vscode.Uri) =>
    Promise.resolve().then(() => {
      const type = fileType(uri);
      return { type, size: standIn.files.get(uri.toString())?.length ?? 0, mtime: 1, ctime: 1 };
    }),
  readFile: (uri: vscode.Uri) =>
    Promise.resolve().then(() => {
      fileType(uri);
      return standIn.files.get(uri.toString());
    }),
  readDirectory: (uri: vscode.Uri) => {
    const prefix = `${uri.toString()}/`;
    const below = [...standIn.files.keys()].filter((file) => file.startsWith(prefix)).map((file) => file.slice(prefix.length));
    const types = new Map(below.map((path) => [path.split('/')[0], path.includes('/') ? FileType.Directory : FileType.File]));
    return Promise.resolve([...types]);
  },
};

export const workspace = {
  fs,
  /** All files there are: which of them a pattern means is the editor's business. */
  findFiles: () => Promise.resolve([...standIn.files.keys()].map((uri) => FakeUri.parse(uri))),
  asRelativePath: ({ path }: vscode.Uri) => path.replace(/^\//, ''),
  get workspaceFolders() {
    return standIn.folder === null ? undefined : [standIn.folder];
  },
  getWorkspaceFolder: ({ scheme, path }: vscode.Uri) => {
    const { folder } = standIn;
    return folder?.uri.scheme === scheme && `${path}/`.startsWith(`${folder.uri.path}/`) ? folder : undefined;
  },
  get isTrusted() {
    return standIn.isTrusted;
  },
  get textDocuments() {
    return standIn.documents;
  },
  createFileSystemWatcher: () => ({
    onDidCreate: standIn.written.event,
    onDidChange: never,
    onDidDelete: never,
    dispose: () => undefined,
  }),
  registerFileSystemProvider: (scheme: string, provider: vscode.FileSystemProvider) => {
    standIn.fileSystems.set(scheme, provider);
    return new Disposable(() => standIn.fileSystems.delete(scheme));
  },
  registerTextDocumentContentProvider: (scheme: string, provider: vscode.TextDocumentContentProvider) =>
    put(standIn.contents, scheme, provider),
  onDidOpenTextDocument: standIn.opened.event,
  onDidChangeTextDocument: standIn.changed.event,
  onDidCloseTextDocument: standIn.closed.event,
  onDidSaveTextDocument: never,
  onDidChangeConfiguration: never,
  getConfiguration: () => ({ get: (key: string, standard: unknown) => standIn.settings.get(key) ?? standard }),
  openTextDocument: (uri: vscode.Uri) => {
    const document = standIn.documents.find((open) => open.uri.toString() === uri.toString());
    return document === undefined ? Promise.reject(new Error(`there is no ${uri.toString()}`)) : Promise.resolve(document);
  },
};

export const env = {
  language: 'en',
  clipboard: {
    writeText: (text: string) => {
      standIn.clipboard = text;
      return Promise.resolve();
    },
  },
};
export const extensions = { getExtension: () => undefined };
/** Without anything in it as in editors without language models. */
export const lm = {
  get registerTool() {
    return standIn.hasLanguageModels
      ? (name: string, tool: vscode.LanguageModelTool<unknown>) => put(standIn.tools, name, tool)
      : undefined;
  },
};
export class LanguageModelTextPart {
  constructor(readonly value: string) {}
}
export class LanguageModelToolResult {
  constructor(readonly content: LanguageModelTextPart[]) {}
}

/** Fills `{name}` and `{0}` like the editor does without a translation. */
export const l10n = {
  t: (text: string, ...values: unknown[]) => {
    const [first] = values;
    const named = typeof first === 'object' && first !== null ? (first as Record<string, unknown>) : { ...values };
    return text.replaceAll(/\{(\w+)\}/g, (_all, key: string) => String(named[key]));
  },
};

export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 };
export class FileSystemError extends Error {
  readonly code = 'FileNotFound';
}
export class ThemeIcon {
  constructor(readonly id: string) {}
}
export class ThemeColor {
  constructor(readonly id: string) {}
}
export class RelativePattern {
  constructor(
    readonly base: unknown,
    readonly pattern: string,
  ) {}
}
export class TreeItem {
  constructor(
    readonly label: string,
    readonly collapsibleState: number,
  ) {}
}
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };
export const ProgressLocation = { Notification: 15 };
export const StatusBarAlignment = { Left: 1, Right: 2 };
export const ViewColumn = { Active: -1, Beside: -2, One: 1 };
export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2 };
export const CodeActionKind = { QuickFix: 'quickfix' };
export const QuickPickItemKind = { Separator: -1 };
