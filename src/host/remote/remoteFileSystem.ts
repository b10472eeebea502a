import * as vscode from 'vscode';
import { FormatError } from '../../core/bytes/formatError.js';
import { limits } from '../../core/bytes/limits.js';
import type { RemoteFolders } from '../../platform/remote/remoteFolders.js';
import { storeSchemes } from '../manifest/storeSchemes.js';
import { addressOf } from './remoteUri.js';

/** Folders and files of stores for the editor's Explorer: to look at and to inspect, never to write. */
class RemoteFileSystem implements vscode.FileSystemProvider {
  readonly onDidChangeFile = new vscode.EventEmitter<vscode.FileChangeEvent[]>().event;

  constructor(private readonly folders: () => Promise<RemoteFolders>) {}

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    return this.#ask(uri, async (folders, address) => {
      const file = await folders.file(address);
      const time = file?.modifiedMs ?? 0;
      return {
        type: file === null ? vscode.FileType.Directory : vscode.FileType.File,
        ctime: time,
        mtime: time,
        size: file?.sizeBytes ?? 0,
        permissions: vscode.FilePermission.Readonly,
      };
    });
  }

  readDirectory(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
    return this.#ask(uri, async (folders, address) => {
      const found = await folders.folder(address);
      return [
        ...[...found.folders].map((name): [string, vscode.FileType] => [name, vscode.FileType.Directory]),
        ...[...found.files.keys()].map((name): [string, vscode.FileType] => [name, vscode.FileType.File]),
      ];
    });
  }

  readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return this.#ask(uri, (folders, address) => folders.read(address, limits.remoteOpenedBytes));
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  async #ask<Result>(uri: vscode.Uri, work: (folders: RemoteFolders, address: string) => Promise<Result>): Promise<Result> {
    const address = addressOf(uri);
    if (address === null) throw vscode.FileSystemError.FileNotFound(uri);
    try {
      return await work(await this.folders(), address);
    } catch (error) {
      if (!FormatError.is(error)) throw error;
      if (/^there is no such/.test(error.detail)) throw vscode.FileSystemError.FileNotFound(uri);
      throw vscode.FileSystemError.Unavailable(error.detail);
    }
  }
}

/** @param folders asked for with the first folder that is opened */
export function registerRemoteFileSystem(folders: () => Promise<RemoteFolders>): vscode.Disposable {
  const provider = new RemoteFileSystem(folders);
  const options = { isReadonly: true, isCaseSensitive: true };
  return vscode.Disposable.from(
    ...storeSchemes.map((scheme) => vscode.workspace.registerFileSystemProvider(scheme, provider, options)),
  );
}
