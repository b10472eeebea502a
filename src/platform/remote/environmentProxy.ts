import type http from 'node:http';

/** Whether the environment names a proxy of any kind of address: HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, in capitals or not. */
export function namesProxy(): boolean {
  return ['https_proxy', 'http_proxy', 'all_proxy'].some(
    (name) => (process.env[name] ?? process.env[name.toUpperCase()] ?? '') !== '',
  );
}

/**
 * Connections by the proxy that the environment names for an address (NO_PROXY counts); null without one. What speaks to it is loaded only then.
 * @throws FormatError `io` for a proxy that is not spoken
 */
export async function environmentProxy(url: string): Promise<http.Agent | null> {
  return namesProxy() ? (await import('./throughProxy.js')).proxyAgent(url) : null;
}
