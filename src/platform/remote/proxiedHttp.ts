import { namesProxy } from './environmentProxy.js';
import type { HttpEnvironment } from './httpSession.js';
import { nodeHttp } from './nodeHttp.js';

/** Requests of a program of its own, which go by the proxy that the environment names. An editor sends those of its extensions by the proxy of its settings. */
export const proxiedHttp: HttpEnvironment = {
  ...nodeHttp,
  async fetch(url, request) {
    if (!namesProxy()) return nodeHttp.fetch(url, request);
    const { throughProxy } = await import('./throughProxy.js');
    return throughProxy(url, request);
  },
};
