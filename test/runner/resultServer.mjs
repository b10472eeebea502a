import http from 'node:http';

/**
 * Receives the results of tests that run inside an extension host: one POST with JSON. The web host has no other way out, so that
 * both kinds of host use this one.
 * @returns {Promise<{ url: string, results: Promise<HostResults>, close: () => void }>}
 *
 * @typedef {object} HostResults
 * @property {string[]} passed
 * @property {{ name: string, error: string }[]} failures
 * @property {string[]} notes
 * @property {{ name: string, seconds: number }[]} timings
 */
export async function startResultServer() {
  /** @type {(results: HostResults) => void} */
  let receive;
  /** @type {Promise<HostResults>} */
  const results = new Promise((resolve) => (receive = resolve));
  const server = http.createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', '*');
    if (request.method !== 'POST') return void response.end();
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      response.end();
      receive(JSON.parse(body));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}/results`, results, close: () => void server.close() };
}
