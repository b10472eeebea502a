import * as vscode from 'vscode';
import { companionNames } from '../core/files/companions.js';
import { isPartOfFolder } from '../core/files/readableFiles.js';
import type { RangedFiles } from '../platform/rangedFileTree.js';
import type { InspectionTarget } from '../platform/inspectionTarget.js';
import { addressOf, shownAddress } from './remote/remoteUri.js';
import type { WorkspaceFileSystem, WorkspaceFileType } from '../platform/workspaceFileTree.js';

/** Last part of the path: what a panel is called. */
export function nameOf(uri: vscode.Uri): string {
  const parts = uri.path.split('/').filter((part) => part !== '');
  return parts.at(-1) ?? uri.toString();
}

/** The argument of a command: menus give a Uri, views the line that was clicked, links and lenses its text; undefined from the palette. */
export function uriOfArgument(argument: unknown): vscode.Uri | undefined {
  if (argument instanceof vscode.Uri) return argument;
  if (typeof argument === 'object' && argument !== null && 'uri' in argument && argument.uri instanceof vscode.Uri)
    return argument.uri;
  return typeof argument === 'string' && argument !== '' ? vscode.Uri.parse(argument, true) : undefined;
}

/** What is inspected for a file: the file, or the folder around it where it is readable only together with the files beside it. */
export function reportRoot(uri: vscode.Uri): vscode.Uri {
  return isPartOfFolder(nameOf(uri)) ? vscode.Uri.joinPath(uri, '..') : uri;
}

/** What people call it: the local path, or the whole address. */
export function displayPath(uri: vscode.Uri): string {
  return uri.scheme === 'file' ? uri.fsPath : (shownAddress(uri) ?? uri.toString(true));
}

/**
 * The directories that links and configs may lead to: any in a trusted workspace; else those of the workspace, and of what the user chose
 * outside of them.
 */
export function rootPathsFor(chosen: vscode.Uri): string[] | null {
  if (vscode.workspace.isTrusted) return null;
  const folders = (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => uri.fsPath);
  return vscode.workspace.getWorkspaceFolder(chosen) === undefined ? [...folders, chosen.fsPath] : folders;
}

/** What an extension host gets at. */
export interface FileReach {
  /** False in the web extension host, which reaches files only through the editor, and reads no values. */
  hasLocalFiles: boolean;
  /** The files at an address. */
  remote: (address: string) => RangedFiles;
}

/** How an inspector gets at it: directly where it lies on this machine's disk, by ranges in a store, else through the editor. */
export function targetOf(uri: vscode.Uri, { hasLocalFiles, remote }: FileReach): InspectionTarget {
  const address = addressOf(uri);
  if (address !== null) return { kind: 'remote', path: displayPath(uri), files: remote(address) };
  if (uri.scheme === 'file' && hasLocalFiles) return { kind: 'local', path: uri.fsPath, rootPaths: rootPathsFor(uri) };
  return { kind: 'virtual', path: displayPath(uri), files: filesBelow(uri) };
}

function filesBelow(root: vscode.Uri): WorkspaceFileSystem {
  const companions = new Set(companionNames(nameOf(root)).map((name) => `../${name}`));
  const resolve = (path: string): vscode.Uri => {
    if (path === '') return root;
    const parts = path.split('/');
    // Nothing above the root but what belongs to a file that is the root.
    if (parts.includes('..') && !companions.has(path)) throw new Error('the path leaves the inspected folder');
    return vscode.Uri.joinPath(root, ...parts);
  };
  return {
    stat: async ({ path }) => {
      const stats = await vscode.workspace.fs.stat(resolve(path));
      return { type: typeOf(stats.type), sizeBytes: stats.size, modifiedMs: stats.mtime > 0 ? stats.mtime : null };
    },
    readDirectory: async ({ path }) => {
      const names = await vscode.workspace.fs.readDirectory(resolve(path));
      return names.map(([name, type]) => ({ name, type: typeOf(type) }));
    },
    readFile: async ({ path }) => vscode.workspace.fs.readFile(resolve(path)),
  };
}

function typeOf(type: vscode.FileType): WorkspaceFileType {
  const isLink = (type & vscode.FileType.SymbolicLink) !== 0;
  if ((type & vscode.FileType.Directory) !== 0) return { kind: 'folder', isLink };
  return { kind: (type & vscode.FileType.File) !== 0 ? 'file' : 'other', isLink };
}
