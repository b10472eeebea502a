import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fixtureRoot } from '../../builders/frameworkFixtures.js';
import { type HubServer, hubServer } from '../../builders/remote/hubServer.js';
import { stowageAt } from '../../builders/remote/stowageAt.js';

/** A proxy that keeps what it was asked for. */
interface Proxy {
  address: string;
  asked: string[];
  close(): Promise<void>;
}

let hub: HubServer;
let proxy: Proxy;

beforeEach(async () => {
  hub = await hubServer(path.join(fixtureRoot, 'hf/trainer-sharded-safetensors/data/checkpoint-2'), 'org/name');
  proxy = await startProxy();
});
afterEach(async () => {
  await hub.close();
  await proxy.close();
});

/** @param login that is asked for; none where it is null */
async function startProxy(login: string | null = null): Promise<Proxy> {
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    asked.push(request.url ?? '');
    const sent = request.headers['proxy-authorization'];
    if (login !== null && sent !== `Basic ${Buffer.from(login).toString('base64')}`) {
      response.writeHead(407).end();
      return;
    }
    const { 'proxy-authorization': _, 'proxy-connection': __, ...headers } = request.headers;
    const onward = http.request(request.url ?? '', { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  server.on('connect', (request, socket: Socket) => {
    asked.push(`CONNECT ${request.url}`);
    socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const inspect = (environment: Record<string, string>, address = 'hf://org/name') =>
  stowageAt({ HOME: '/none', HF_ENDPOINT: hub.origin, ...environment }, 'inspect', address, '--json');

it('the command line asks by the proxy of the environment', async () => {
  const direct = await inspect({});
  expect([direct.status, proxy.asked.length]).toEqual([0, 0]);
  const byProxy = await inspect({ HTTP_PROXY: `http://${proxy.address}` });
  expect(byProxy.status).toBe(0);
  expect(proxy.asked.length).toBeGreaterThan(10);
  expect(proxy.asked.every((url) => url.startsWith(hub.origin))).toBe(true);
  const report = (text: string): unknown => ({ ...(JSON.parse(text) as object), io: null });
  expect(report(byProxy.stdout)).toEqual(report(direct.stdout));
});

it('hosts of NO_PROXY are asked without it', async () => {
  const { status } = await inspect({ http_proxy: `http://${proxy.address}`, no_proxy: '127.0.0.1' });
  expect([status, proxy.asked.length]).toEqual([0, 0]);
});

it('a proxy that asks for a login gets the one of its address, which is in no output', async () => {
  await proxy.close();
  proxy = await startProxy('user:pa55word');
  const refused = await inspect({ http_proxy: `http://${proxy.address}` });
  expect(refused.status).toBe(3);
  expect(refused.stderr).toContain('the proxy asks for a login');
  const wrong = await inspect({ http_proxy: `http://user:wr0ng@${proxy.address}` });
  expect(`${wrong.stdout}${wrong.stderr}`).not.toContain('wr0ng');
  expect((await inspect({ http_proxy: `http://user:pa55word@${proxy.address}` })).status).toBe(0);
});

it('of hosts by https it is asked for a tunnel', async () => {
  const { status, stderr } = await inspect({ https_proxy: `http://${proxy.address}`, HF_ENDPOINT: 'https://hub.example' });
  expect(status).toBe(3);
  expect(proxy.asked[0]).toBe('CONNECT hub.example:443');
  expect(stderr).toContain('the proxy asks for a login');
});

it('a proxy of another kind is refused with words', async () => {
  const { status, stderr } = await inspect({ all_proxy: 'socks5://user:secret@127.0.0.1:1' });
  expect(status).toBe(3);
  expect(stderr).toContain('not one by http:// or https://');
  expect(stderr).not.toContain('secret');
});
