import * as vscode from 'vscode';
import type { RemoteFiles } from '../../platform/remote/remoteFiles.js';
import type { RemoteFolders } from '../../platform/remote/remoteFolders.js';
import type { BudgetQuestion } from '../../platform/remote/requestBudget.js';
import { settingIds } from '../ids.js';
import { hubToken } from './hubToken.js';

/** What the editor has for requests to stores. */
export interface RemoteSupport {
  question: BudgetQuestion;
  /** The folder where headers are kept for later; null where none are. */
  cacheFolder: string | null;
  /** Of the Hub, where the environment has none. */
  hubToken: string | null;
}

/** What an extension host asks stores with. */
export interface RemoteClient {
  files(support: RemoteSupport): Promise<RemoteFiles>;
  folders(support: RemoteSupport): Promise<RemoteFolders>;
}

/** Makes what asks stores. */
export interface RemoteMaker {
  /** Each inspection has its own, as it counts what that costs. */
  files(question: BudgetQuestion): Promise<RemoteFiles>;
  folders(question: BudgetQuestion): Promise<RemoteFolders>;
}

type Context = Pick<vscode.ExtensionContext, 'globalStorageUri' | 'secrets'>;

/** Gives what asks stores what the user has set in this editor. */
export function remoteMakerFor(context: Context, client: RemoteClient): RemoteMaker {
  const support = async (question: BudgetQuestion): Promise<RemoteSupport> => ({
    question,
    cacheFolder: await cacheFolder(context),
    hubToken: await hubToken(context),
  });
  return {
    files: async (question) => client.files(await support(question)),
    folders: async (question) => client.folders(await support(question)),
  };
}

/** Null where nothing is to be kept; what was kept before is removed then. */
async function cacheFolder({ globalStorageUri }: Context): Promise<string | null> {
  if (globalStorageUri.scheme !== 'file') return null;
  const folder = vscode.Uri.joinPath(globalStorageUri, 'headers');
  if (vscode.workspace.getConfiguration().get<boolean>(settingIds.headerCache, true)) return folder.fsPath;
  await vscode.workspace.fs.delete(folder, { recursive: true }).then(undefined, () => undefined);
  return null;
}
