import { afterEach, describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import { nodeHttp } from '../../../src/platform/remote/nodeHttp.js';
import { type HttpEnvironment, HttpSession } from '../../../src/platform/remote/httpSession.js';
import { endsReader } from '../../../src/platform/remote/endsReader.js';
import { RangeSource } from '../../../src/platform/remote/rangeSource.js';
import { RequestBudget } from '../../../src/platform/remote/requestBudget.js';
import { type LocalServer, localServer } from '../../builders/remote/localServer.js';

let server: LocalServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const plenty = { requests: 1_000, bytes: 1e9 };

function sessionOf(environment: Partial<HttpEnvironment> = {}): HttpSession {
  return new HttpSession(
    { ...nodeHttp, pause: () => Promise.resolve(), ...environment },
    new RequestBudget(() => Promise.resolve(false), plenty),
  );
}

describe('requests', () => {
  it('are few at once', async () => {
    let under = 0;
    let most = 0;
    const ends: (() => void)[] = [];
    server = await localServer((_, response) => {
      under += 1;
      most = Math.max(most, under);
      ends.push(() => {
        under -= 1;
        response.end('x');
      });
      // All that may be under way have come, or these are the last.
      if (ends.length === limits.remoteRequests || most < limits.remoteRequests)
        setImmediate(() => ends.splice(0).forEach((end) => end()));
    });
    const { origin } = server;
    const session = sessionOf();
    await Promise.all(Array.from({ length: limits.remoteRequests * 5 }, (_, at) => session.send({ url: `${origin}/${at}` })));
    expect(most).toBeLessThanOrEqual(limits.remoteRequests);
    expect(server.requests).toHaveLength(limits.remoteRequests * 5);
  });

  it('wait as long as the server asks for, and not for a server that asks for hours', async () => {
    let answers = 0;
    server = await localServer((_, response) => {
      answers += 1;
      if (answers === 1) response.writeHead(429, { 'retry-after': '7' }).end();
      else if (answers === 2) response.writeHead(503, { ratelimit: '"api";r=0;t=9' }).end();
      else if (answers === 3) response.end('there');
      else response.writeHead(503, { 'retry-after': '7200' }).end();
    });
    const pauses: number[] = [];
    const session = sessionOf({
      pause: (milliseconds) => {
        pauses.push(milliseconds);
        return Promise.resolve();
      },
    });
    expect(new TextDecoder().decode((await session.send({ url: server.origin })).bytes)).toBe('there');
    expect(pauses).toEqual([7_000, 9_000]);
    await expect(session.send({ url: server.origin })).rejects.toMatchObject({ status: 503 });
    expect(answers).toBe(4);
  });

  it('end at once when they are cancelled', async () => {
    server = await localServer(() => undefined);
    const cancel = new AbortController();
    const sent = sessionOf().send({ url: server.origin, signal: cancel.signal });
    cancel.abort();
    await expect(sent).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('carry what proves who asks to the same host alone', async () => {
    const other = await localServer((_, response) => response.end('there'));
    server = await localServer((request, response) => {
      const to = request.url === '/near' ? '/here' : other.origin;
      if (request.url === '/here') response.end('here');
      else response.writeHead(302, { location: to }).end();
    });
    const session = sessionOf();
    const headers = { authorization: 'Bearer secret', 'x-amz-security-token': 'secret' };
    await session.send({ url: `${server.origin}/near`, headers });
    await session.send({ url: `${server.origin}/far`, headers });
    expect(server.requests.map(({ headers: { authorization } }) => authorization)).toEqual(Array(3).fill('Bearer secret'));
    expect(JSON.stringify(other.requests)).not.toContain('secret');
    await other.close();
  });

  it.each([
    ['a redirect to another scheme', 302, { location: 'file:///etc/passwd' }],
    ['a redirect in a circle', 302, { location: '/' }],
  ])('do not follow %s', async (_, status, headers) => {
    server = await localServer((__, response) => response.writeHead(status, headers).end());
    await expect(sessionOf().send({ url: server.origin })).rejects.toMatchObject({
      code: 'io',
      detail: 'the server redirects to nowhere',
    });
    expect(server.requests.length).toBeLessThan(8);
  });

  it('have answers of a bounded length', async () => {
    server = await localServer((_, response) => response.end(Buffer.alloc(100_000)));
    await expect(sessionOf().send({ url: server.origin, mostBytes: 50_000 })).rejects.toMatchObject({ code: 'limit-exceeded' });
  });
});

describe('the bound of an inspection', () => {
  it('is asked about once by all that have come to it, and then lies higher', async () => {
    let questions = 0;
    const budget = new RequestBudget(
      () => {
        questions += 1;
        return Promise.resolve(true);
      },
      { requests: 2, bytes: limits.remoteQuestionBytes },
    );
    await Promise.all(Array.from({ length: 16 }, () => budget.take(0)));
    expect(questions).toBe(1);
    await budget.take(limits.remoteQuestionBytes + 1);
    expect(questions).toBe(2);
  });

  it('ends it where the answer is no', async () => {
    const budget = new RequestBudget(() => Promise.resolve(false), { requests: 1, bytes: 10 });
    await budget.take(10);
    await expect(budget.take(0)).rejects.toThrow('it takes more requests or bytes than were agreed to');
  });
});

describe('reads of a file', () => {
  const bytes = Uint8Array.from({ length: 20_000_000 }, (_, at) => at % 251);
  const asked: [number, number][] = [];
  const source = () => {
    asked.length = 0;
    return new RangeSource('file', bytes.length, (offset, length) => {
      asked.push([offset, length]);
      return Promise.resolve(bytes.slice(offset, offset + length));
    });
  };

  it('that are near each other come by one request', async () => {
    const file = source();
    const far = 100 + limits.remoteGapBytes + 10;
    const places: [number, number][] = [
      [0, 100],
      [50, 20],
      [100 + limits.remoteGapBytes, 10],
      [far + limits.remoteGapBytes + 1, 5],
    ];
    const read = await Promise.all(places.map(([offset, length]) => file.read(offset, length)));
    expect(read).toEqual(places.map(([offset, length]) => bytes.slice(offset, offset + length)));
    expect(asked).toEqual([
      [0, far],
      [far + limits.remoteGapBytes + 1, 5],
    ]);
  });

  it('are joined up to a bound', async () => {
    const file = source();
    const length = limits.remoteJoinedBytes / 2;
    await Promise.all([0, 1, 2].map((at) => file.read(at * length, length)));
    expect(asked).toEqual([
      [0, 2 * length],
      [2 * length, length],
    ]);
  });

  it('at its beginning and its end come once, whoever asks', async () => {
    source();
    const read = endsReader(bytes.length, (offset, length) => {
      asked.push([offset, length]);
      return asked.length === 1 ? Promise.reject(new Error('broken')) : Promise.resolve(bytes.slice(offset, offset + length));
    });
    const { remoteEndBytes } = limits;
    await expect(read(0, 4)).rejects.toThrow('broken');
    const places: [number, number][] = [
      [0, 4],
      [100, 50],
      [bytes.length - 22, 22],
      [bytes.length - remoteEndBytes, remoteEndBytes],
      [0, remoteEndBytes],
      [0, remoteEndBytes + 1],
      [9_000_000, 3],
    ];
    for (const [offset, length] of places) expect(await read(offset, length)).toEqual(bytes.slice(offset, offset + length));
    expect(asked).toEqual([
      [0, remoteEndBytes],
      [0, remoteEndBytes],
      [bytes.length - remoteEndBytes, remoteEndBytes],
      [0, remoteEndBytes + 1],
      [9_000_000, 3],
    ]);
  });

  it('beyond its end are refused, and none asks for nothing', async () => {
    const file = source();
    await expect(file.read(bytes.length - 1, 2)).rejects.toMatchObject({ code: 'truncated' });
    expect(await file.read(5, 0)).toEqual(new Uint8Array(0));
    expect(asked).toEqual([]);
  });
});
