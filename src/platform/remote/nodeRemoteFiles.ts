import { nodeRemoteAccess } from './access/nodeRemoteAccess.js';
import { noChoices, type RemoteChoices } from './access/remoteChoices.js';
import { nodeHttp } from './nodeHttp.js';
import { RemoteFiles } from './remoteFiles.js';
import { RemoteFolders } from './remoteFolders.js';
import type { BudgetQuestion } from './requestBudget.js';

/** How stores are asked. */
export interface RemoteOptions {
  choices: RemoteChoices;
  /** Asked where an inspection takes many requests or bytes; without it, it ends there. */
  question: BudgetQuestion;
}

/** What is at addresses, as this machine reaches them. */
export function nodeRemoteFiles({
  choices = noChoices,
  question = () => Promise.resolve(false),
}: Partial<RemoteOptions>): RemoteFiles {
  return new RemoteFiles(nodeHttp, nodeRemoteAccess(choices), question);
}

/** The same folder by folder, for an explorer. */
export function nodeRemoteFolders(question: BudgetQuestion): RemoteFolders {
  return new RemoteFolders(nodeHttp, nodeRemoteAccess(), question);
}
