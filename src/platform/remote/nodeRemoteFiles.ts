import { nodeRemoteAccess } from './access/nodeRemoteAccess.js';
import { noChoices, type RemoteChoices } from './access/remoteChoices.js';
import { nodeHeaderCache } from './nodeHeaderCache.js';
import type { HttpEnvironment } from './httpSession.js';
import { nodeHttp } from './nodeHttp.js';
import { RemoteFiles } from './remoteFiles.js';
import { RemoteFolders } from './remoteFolders.js';
import type { BudgetQuestion } from './requestBudget.js';

/** How stores are asked. */
export interface RemoteOptions {
  choices: RemoteChoices;
  /** Asked where an inspection takes many requests or bytes; without it, it ends there. */
  question: BudgetQuestion;
  /** What sends the requests; this process by itself without it. */
  http: HttpEnvironment;
  /** The folder where headers are kept for later; null where none are. */
  cacheFolder: string | null;
  /** Of the Hub, where the environment has none. */
  hubToken: string | null;
}

/** What is at addresses, as this machine reaches them. */
export function nodeRemoteFiles({
  choices = noChoices,
  question = () => Promise.resolve(false),
  cacheFolder = null,
  hubToken = null,
  http = nodeHttp,
}: Partial<RemoteOptions>): RemoteFiles {
  const cache = cacheFolder === null ? null : nodeHeaderCache(cacheFolder);
  return new RemoteFiles(http, nodeRemoteAccess(choices, hubToken), question, cache);
}

/** The same folder by folder, for an explorer. */
export function nodeRemoteFolders({ question, hubToken }: Pick<RemoteOptions, 'question' | 'hubToken'>): RemoteFolders {
  return new RemoteFolders(nodeHttp, nodeRemoteAccess(noChoices, hubToken), question);
}
