/** Several nodes of one check over real connections; what they measure is made up here, so that each of them can be watched. */
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { CheckError } from '../../../../../src/core/bandwidth/checkError.js';
import type { CheckHooks, CheckRequest, Measurement } from '../../../../../src/core/bandwidth/measurement.js';
import { limits } from '../../../../../src/core/bytes/limits.js';
import { LeadHandshake } from '../../../../../src/platform/bandwidth/cluster/handshake.js';
import { runLead, type StartedMembers } from '../../../../../src/platform/bandwidth/cluster/lead.js';
import { readLines, sendLine } from '../../../../../src/platform/bandwidth/cluster/messageLines.js';
import { runMember } from '../../../../../src/platform/bandwidth/cluster/member.js';
import { leadAddressVariable, leadTokenVariable } from '../../../../../src/platform/bandwidth/cluster/messages.js';
import { checkRequest, nodeMeasurement } from '../../../../core/bandwidth/measurements.js';

type Run = (hooks: CheckHooks, signal: AbortSignal, node: number, request: CheckRequest) => Promise<Measurement>;

/** One member on each of so many "nodes" of this process. */
function members(
  count: number,
  run: Run,
  leave = new AbortController().signal,
): (environment: Record<string, string>) => StartedMembers {
  return (environment) => {
    const all = Array.from({ length: count }, (_, node) =>
      runMember(
        {
          leadAddress: environment[leadAddressVariable] ?? '',
          token: environment[leadTokenVariable] ?? '',
          name: `node${node + 1}`,
          // They join in another order than that of their ranks.
          rank: node,
          service: { run: (request, hooks, signal) => run(hooks, signal, node, request) },
        },
        leave,
      ).then(
        () => '',
        (error: CheckError) => error.detail,
      ),
    );
    const ended = Promise.all(all).then((details) => ({
      isFailure: details.some((text) => text !== ''),
      detail: details.join(';'),
    }));
    return { ended, end: () => undefined };
  };
}

function lead(nodes: number, startMembers: (environment: Record<string, string>) => StartedMembers, signal?: AbortSignal) {
  return runLead({ nodes, request: checkRequest, host: '127.0.0.1', startMembers }, signal ?? new AbortController().signal);
}

const toEnd: AbortSignal = new AbortController().signal;

/** Waits until it is cancelled, as a check does. */
function untilEnded(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => reject(new CheckError('cancelled', 'removed everything'));
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
  });
}

describe('a check on several nodes', () => {
  it('begins each phase only when all nodes are ready for it, and gathers by rank', async () => {
    const events: string[] = [];
    const run: Run = async (hooks, signal, node) => {
      for (const phase of ['write 1', 'read 1', 'write 2']) {
        await delay(node * 20);
        events.push(`ready ${phase}`);
        await hooks.barrier?.(phase, signal);
        events.push(`began ${phase}`);
      }
      return nodeMeasurement({ bytesPerSecond: 100 * (node + 1) });
    };
    const { nodes, startSpreadSeconds } = await lead(3, members(3, run));
    expect(nodes.map(({ name }) => name)).toEqual(['node1', 'node2', 'node3']);
    expect(nodes.map(({ measurement }) => measurement.write.samples[0]?.bytes)).toEqual([100, 200, 300]);
    expect(startSpreadSeconds).toBeGreaterThan(0);
    for (const phase of ['write 1', 'read 1', 'write 2']) {
      expect(events.lastIndexOf(`ready ${phase}`)).toBeLessThan(events.indexOf(`began ${phase}`));
      expect(events.filter((event) => event === `began ${phase}`)).toHaveLength(3);
    }
  });

  it('hands the whole request to every node', async () => {
    const seen: CheckRequest[] = [];
    await lead(
      2,
      members(2, async (_, __, ___, request) => (seen.push(request), nodeMeasurement({}))),
    );
    expect(seen).toEqual([checkRequest, checkRequest]);
  });

  it('ends all nodes when one fails, with its name and its reason', async () => {
    let ended = 0;
    const run: Run = async (hooks, signal, node) => {
      await hooks.barrier?.('write 1', signal);
      if (node === 1) throw new CheckError('space-ran-out', 'no space is left');
      return untilEnded(signal).finally(() => (ended += 1));
    };
    await expect(lead(3, members(3, run))).rejects.toMatchObject({ code: 'space-ran-out', detail: 'node2: no space is left' });
    expect(ended).toBe(2);
  });

  it('tells of what a node could not remove, whatever ended the check', async () => {
    const run: Run = async (hooks, signal, node) => {
      await hooks.barrier?.('write 1', signal);
      if (node === 0) throw new CheckError('io', 'the disk failed');
      await untilEnded(signal).catch(() => undefined);
      throw new CheckError('not-removed', '/data/.check is still there');
    };
    const detail = 'node2: /data/.check is still there; node1: the disk failed';
    await expect(lead(2, members(2, run))).rejects.toMatchObject({ code: 'not-removed', detail });
  });

  it('does not wait for a phase that one of the nodes does not come to', async () => {
    const run: Run = async (hooks, signal, node) => {
      await hooks.barrier?.(node === 0 ? 'write 1' : 'read 1', signal);
      return nodeMeasurement({});
    };
    await expect(lead(2, members(2, run))).rejects.toMatchObject({ code: 'other-nodes' });
  });

  it('lets the others go on when one had fewer repeats', async () => {
    const run: Run = async (hooks, signal, node) => {
      for (const phase of node === 0 ? ['write 1'] : ['write 1', 'write 2']) await hooks.barrier?.(phase, signal);
      return nodeMeasurement({});
    };
    expect((await lead(3, members(3, run))).nodes).toHaveLength(3);
  });

  it('says when the processes end before the check does', async () => {
    const startMembers = () => ({
      ended: Promise.resolve({ isFailure: true, detail: 'srun: no such program' }),
      end: () => undefined,
    });
    await expect(lead(2, startMembers)).rejects.toMatchObject({ code: 'other-nodes', detail: 'srun: no such program' });
  });

  it('refuses who does not know the token, and goes on without', async () => {
    const strangers: Promise<string>[] = [];
    const start = members(2, async (hooks, signal) => (await hooks.barrier?.('write 1', signal), nodeMeasurement({})));
    const { nodes } = await lead(2, (environment) => {
      const [host = '', port = ''] = (environment[leadAddressVariable] ?? '').split(':');
      for (const hello of [
        `{"type":"hello","nonce":"${'0'.repeat(64)}","proof":"${'0'.repeat(64)}","name":"evil","rank":0}\n`,
        `{"type":"hello","token":"${environment[leadTokenVariable]}","name":"evil","rank":0}\n`,
        '{"type":"hello"}\n',
        'GET / HTTP/1.1\r\n\r\n',
        '[]\n',
        'x'.repeat(100_000),
        `{"type":"met","phase":"write 1"}\n`,
      ]) {
        const socket = connect(Number(port), host);
        socket.resume().write(hello);
        strangers.push(new Promise((resolve) => socket.on('close', () => resolve('closed')).on('error', () => undefined)));
      }
      const late = new AbortController();
      const ended = Promise.all(strangers).then(() => start(environment).ended);
      return { ended, end: () => late.abort() };
    });
    expect(nodes.map(({ name }) => name)).toEqual(['node1', 'node2']);
    expect(await Promise.all(strangers)).toEqual(Array.from({ length: 7 }, () => 'closed'));
  });

  it('never sends the token, and leaves no place to a connection that waits without a proof', async () => {
    const strangers: Socket[] = [];
    let heard = '';
    const start = members(2, async () => nodeMeasurement({}));
    const { nodes } = await lead(2, (environment) => {
      const [host = '', port = ''] = (environment[leadAddressVariable] ?? '').split(':');
      const silent = Array.from({ length: limits.clusterStrangers + 10 }, () => {
        const socket = connect(Number(port), host).on('error', () => undefined);
        strangers.push(socket);
        socket.on('data', (chunk) => (heard += chunk.toString()));
        return new Promise<void>((resolve) => socket.once('data', () => resolve()).once('close', () => resolve()));
      });
      expect(environment[leadTokenVariable]).toMatch(/^[0-9a-f]{64}$/);
      const ended = Promise.all(silent).then(() => {
        expect(heard).not.toContain(environment[leadTokenVariable]);
        expect(strangers.filter(({ readableEnded, destroyed }) => readableEnded || destroyed).length).toBeGreaterThan(0);
        return start(environment).ended;
      });
      return { ended, end: () => undefined };
    });
    expect(nodes).toHaveLength(2);
  });

  it('cancels every node', async () => {
    const cancelling = new AbortController();
    let begun = 0;
    let ended = 0;
    const run: Run = async (hooks, signal, node) => {
      if (++begun === 3) cancelling.abort();
      // Two of them wait for the others when it happens.
      if (node > 0) await hooks.barrier?.('write 1', signal).finally(() => (ended += 1));
      return untilEnded(signal).finally(() => (ended += 1));
    };
    await expect(lead(3, members(3, run), cancelling.signal)).rejects.toMatchObject({ code: 'cancelled' });
    expect(ended).toBe(3);
  });

  it('is cancelled before it has begun', async () => {
    await expect(
      lead(
        2,
        members(2, (_, signal) => untilEnded(signal)),
        AbortSignal.abort(),
      ),
    ).rejects.toMatchObject({
      code: 'cancelled',
    });
  });

  it('cannot be led at an address that is none of this machine', async () => {
    const options = {
      nodes: 1,
      request: checkRequest,
      host: '192.0.2.1',
      startMembers: members(1, async () => nodeMeasurement({})),
    };
    await expect(runLead(options, toEnd)).rejects.toMatchObject({ code: 'other-nodes' });
  });
});

const token = 'ab'.repeat(32);

/** The side that leads, on a connection: what it says after the proof, or in place of it. */
function fakeLead(socket: Socket, { key, then }: { key: string; then: readonly string[] }): void {
  const handshake = new LeadHandshake(Buffer.from(key, 'hex'));
  socket.on('error', () => undefined);
  sendLine(socket, handshake.challenge);
  readLines(socket, {
    maximumBytes: () => limits.clusterHelloBytes,
    onMessage: (message) => {
      const welcome = handshake.admit(message)?.welcome ?? { type: 'welcome', proof: String(message['proof']) };
      socket.write([JSON.stringify(welcome), ...then, ''].join('\n'));
    },
  });
}

describe('a node', () => {
  it('ends when the one that leads cannot be reached', async () => {
    const options = { leadAddress: '127.0.0.1:1', token, name: 'node1', rank: 0, service: { run: () => untilEnded(toEnd) } };
    await expect(runMember(options, toEnd)).rejects.toMatchObject({ code: 'other-nodes' });
  });

  it('ends, with everything removed, when the connection is lost', async () => {
    const order = JSON.stringify({ type: 'run', request: checkRequest });
    const server = createServer((socket) => fakeLead(socket, { key: token, then: [order] }));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    let isRemoved = false;
    const run = (_: unknown, __: unknown, signal: AbortSignal) => {
      server.close();
      setTimeout(() => (server as unknown as { closeAllConnections?: () => void }).closeAllConnections?.(), 0);
      socketsOf(server).forEach((socket) => socket.destroy());
      return untilEnded(signal).finally(() => (isRemoved = true));
    };
    const sockets = new Set<{ destroy(): void }>();
    server.on('connection', (socket) => sockets.add(socket));
    const socketsOf = (_: unknown) => [...sockets];
    const options = { leadAddress: `127.0.0.1:${port}`, token, name: 'node1', rank: 0, service: { run } };
    await expect(runMember(options, toEnd)).rejects.toMatchObject({ code: 'cancelled' });
    expect(isRemoved).toBe(true);
  });

  const order = JSON.stringify({ type: 'run', request: checkRequest });

  it.each([
    { what: 'an order without fields', key: token, then: ['{"type":"run","request":{}}'] },
    { what: 'an order with a wrong field', key: token, then: ['{"type":"run","request":{"target":5}}'] },
    { what: 'no JSON', key: token, then: ['no JSON'] },
    { what: 'a list', key: token, then: ['[1]'] },
    { what: 'a lead that sends the proof of the node back', key: 'cd'.repeat(32), then: [order] },
  ])('does nothing for $what', async ({ key, then }) => {
    await expectRefusal((socket) => fakeLead(socket, { key, then }));
  });

  it.each([
    ['an order without a challenge', order],
    ['a welcome without a challenge', `{"type":"welcome","proof":"${'0'.repeat(64)}"}\n${order}`],
    ['a nonce of another form', `{"type":"challenge","nonce":"../.."}\n${order}`],
  ])('does nothing for %s', async (_, lines) => {
    await expectRefusal((socket) => void socket.on('error', () => undefined).write(`${lines}\n`));
  });

  it('does not join without a token', async () => {
    const options = { leadAddress: '127.0.0.1:1', token: '', name: 'node1', rank: 0, service: { run: () => untilEnded(toEnd) } };
    await expect(runMember(options, toEnd)).rejects.toMatchObject({ detail: 'the token of the check is missing' });
  });
});

/** Expects that a node ends without having begun anything. */
async function expectRefusal(onConnection: (socket: Socket) => void): Promise<void> {
  const server = createServer(onConnection);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  let runs = 0;
  const service = { run: () => ((runs += 1), untilEnded(toEnd)) };
  const options = { leadAddress: `127.0.0.1:${port}`, token, name: 'node1', rank: 0, service };
  await expect(runMember(options, toEnd)).rejects.toBeInstanceOf(CheckError);
  expect(runs).toBe(0);
  server.close();
}
