import { counted } from '../core/text/quantities.js';
import { formatBytes } from '../core/text/units.js';
import { proxiedHttp } from '../platform/remote/proxiedHttp.js';
import type { RemoteOptions } from '../platform/remote/nodeRemoteFiles.js';
import { ask } from './ask.js';

/** Flags of commands that read what is at an address. */
export const remoteFlags = {
  'fetch-all': { type: 'boolean' },
  profile: { type: 'string' },
  anonymous: { type: 'boolean' },
  'requester-pays': { type: 'boolean' },
  'header-cache': { type: 'string' },
} as const;

interface RemoteValues {
  'fetch-all'?: boolean | undefined;
  profile?: string | undefined;
  anonymous?: boolean | undefined;
  'requester-pays'?: boolean | undefined;
  'header-cache'?: string | undefined;
}

/** How stores are asked, by the flags of a command; what costs much is asked for on the terminal. */
export function remoteOptions({
  'fetch-all': fetchAll,
  profile,
  anonymous,
  'requester-pays': requesterPays,
  'header-cache': cacheFolder,
}: RemoteValues): RemoteOptions {
  return {
    choices: { profile: profile ?? null, isAnonymous: anonymous === true, requesterPays: requesterPays === true },
    cacheFolder: cacheFolder ?? null,
    hubToken: null,
    http: proxiedHttp,
    question: ({ requests, receivedBytes, listedFiles, listedBytes }) =>
      fetchAll === true
        ? Promise.resolve(true)
        : askOrHint(
            `${requests} requests have brought ${formatBytes(receivedBytes)}, and more are needed: there are ${counted(listedFiles, 'file')} of ${formatBytes(listedBytes)}, and headers take one to three requests a file. Go on?`,
          ),
  };
}

/** Without a terminal to answer on, how to answer beforehand. */
async function askOrHint(question: string): Promise<boolean> {
  const isYes = await ask(question);
  if (!isYes && !process.stdin.isTTY) process.stderr.write('stowage: --fetch-all answers yes beforehand\n');
  return isYes;
}
