import { FormatError } from '../../core/bytes/formatError.js';
import type { HttpEnvironment } from './httpSession.js';
import { nodeHttp } from './nodeHttp.js';
import type { RemoteAccess } from './remoteAccess.js';
import { RemoteFiles } from './remoteFiles.js';
import { RemoteFolders } from './remoteFolders.js';
import type { BudgetQuestion } from './requestBudget.js';

/** Requests of a browser, which follows redirects by itself, and sends no credentials on to another host (Fetch, "HTTP-redirect fetch"). */
const browserHttp: HttpEnvironment = { ...nodeHttp, followsRedirects: true };

/** What everybody may read, and the Hub with a token: a browser has neither an environment nor files with logins. */
const publicAccess = (hubToken: string | null): RemoteAccess => ({
  hub: () => Promise.resolve({ endpoint: 'https://huggingface.co', token: hubToken }),
  s3: () => Promise.resolve({ region: 'us-east-1', endpoint: null, keys: null, requesterPays: false }),
  google: () => Promise.resolve({ endpoint: 'https://storage.googleapis.com', token: null, payingProject: null }),
  azure: ({ account, signature }) => {
    if (account === null)
      throw new FormatError('io', 'it names no storage account: abfs://container@account.dfs.core.windows.net/…');
    const proof = signature === null ? { kind: 'anonymous' as const } : { kind: 'signature' as const, query: signature };
    return Promise.resolve({ account, endpoint: `https://${account}.blob.core.windows.net`, proof });
  },
});

/** What a page has for its requests. */
interface BrowserSupport {
  question: BudgetQuestion;
  /** Of the Hub, as the user gave it the editor. */
  hubToken: string | null;
}

/** What is at addresses, as a page of a browser reaches them: where a store lets pages of other origins ask. */
export function browserRemoteFiles({ question, hubToken }: BrowserSupport): RemoteFiles {
  return new RemoteFiles(browserHttp, publicAccess(hubToken), question);
}

/** The same folder by folder, for an explorer. */
export function browserRemoteFolders({ question, hubToken }: BrowserSupport): RemoteFolders {
  return new RemoteFolders(browserHttp, publicAccess(hubToken), question);
}
