import type { RemoteAccess } from '../remoteAccess.js';
import { azureAccess } from './azureAccess.js';
import { googleAccess } from './googleAccess.js';
import { hubAccess } from './hubAccess.js';
import { noChoices, type RemoteChoices } from './remoteChoices.js';
import { s3Access } from './s3Access.js';

/**
 * How this machine reaches stores: the environment and the files that the stores' own programs keep. Nothing is executed.
 * @param hubToken of the Hub, where the environment has none
 */
export function nodeRemoteAccess(choices: RemoteChoices = noChoices, hubToken: string | null = null): RemoteAccess {
  return {
    hub: () => hubAccess(process.env, hubToken),
    s3: (_, session) => s3Access(process.env, session, choices),
    google: (_, session) => googleAccess(process.env, session),
    azure: (address) => azureAccess(process.env, address),
  };
}
