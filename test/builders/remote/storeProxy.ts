import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a proxy does with a request: answers it itself, loses the answer of the store, says nothing at all, or null for neither. */
export type StoreFault = { status: number; body: string } | 'lost' | 'silent' | null;

/** A server between a client and a store, which sees each request, and may answer in the store's place or lose its answer. */
export interface StoreProxy {
  /** Without a slash at its end. */
  address: string;
  close(): void;
}

/** @param origin of the store, on this machine */
export async function storeProxy(
  origin: string,
  answer: (seen: http.IncomingMessage) => StoreFault,
  { onLost = (): unknown => undefined } = {},
): Promise<StoreProxy> {
  const { hostname, port } = new URL(origin);
  const proxy = http.createServer((seen, response) => {
    // Whoever takes this for the proxy of all addresses names the whole one.
    seen.url = seen.url?.replace(/^http:\/\/[^/]+/, '') ?? '';
    const own = answer(seen);
    if (own === 'silent') {
      seen.resume();
      return;
    }
    if (own !== null && own !== 'lost') {
      seen.resume();
      seen.on('end', () => response.writeHead(own.status, { 'content-type': 'application/xml' }).end(own.body));
      return;
    }
    // The host is signed, and is the store's to check.
    const onward = http.request({ port, host: hostname, method: seen.method, path: seen.url, headers: seen.headers }, (back) => {
      if (own === 'lost') {
        onLost();
        response.destroy();
        back.resume();
        return;
      }
      response.writeHead(back.statusCode ?? 500, back.headers);
      back.pipe(response);
    });
    onward.on('error', () => response.destroy());
    seen.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    close() {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}
