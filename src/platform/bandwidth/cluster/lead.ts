import { randomBytes } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { CheckError } from '../../../core/bandwidth/checkError.js';
import type { CheckRequest, Measurement } from '../../../core/bandwidth/measurement.js';
import type { NodesMeasurement } from '../../../core/bandwidth/nodes.js';
import { limits } from '../../../core/bytes/limits.js';
import { asCheckError } from './asCheckError.js';
import { LeadHandshake } from './handshake.js';
import { readLines, sendLine } from './messageLines.js';
import { leadAddressVariable, leadTokenVariable, memberMessageOf, type LeadMessage } from './messages.js';

export interface LeadOptions {
  nodes: number;
  /** What each node does. */
  request: CheckRequest;
  /** This machine's address, at which the nodes reach it: the only one that is listened at. */
  host: string;
  /** Starts a member on each node, with these variables in its environment. */
  startMembers(environment: Record<string, string>): StartedMembers;
  /** Called when all nodes have begun a phase. */
  onPhase?(phase: string, spreadSeconds: number): void;
}

export interface StartedMembers {
  /** Fulfilled once all processes have ended, with what they said where one failed. */
  ended: Promise<{ isFailure: boolean; detail: string }>;
  /** Asks them to end. */
  end(): void;
}

/** Until the last node has joined: a large allocation's daemons and Node on a slow shared file system take a minute. */
const joinSeconds = 180;
/** From a connection to the proof that it is of this check: a node answers in milliseconds, one in swap in seconds. */
const handshakeSeconds = 20;
/** For nodes to remove what they wrote: Slurm kills what is still there 30 s after it asked a job to end (KillWait). */
const removalSeconds = 25;

/**
 * Has several nodes make the same check at the same time: waits for all of them, lets all begin each phase together, and gathers what
 * they measured. When one fails, is lost or the check is cancelled, all nodes end; each removes what it wrote.
 * @throws CheckError `other-nodes` naming the node that was lost, or the code with which a node failed
 */
export async function runLead(options: LeadOptions, signal: AbortSignal): Promise<NodesMeasurement> {
  const token = randomBytes(32);
  const nodes = new Nodes(options, token);
  const server = createServer({ noDelay: true, keepAlive: true }, (socket) => nodes.accept(socket));
  const port = await listen(server, options.host);
  const members = options.startMembers({
    [leadAddressVariable]: `${options.host}:${port}`,
    [leadTokenVariable]: token.toString('hex'),
  });
  // Their last words may still be on the way, and say more than that they ended.
  void members.ended
    .then((ending) => delay(lastWordsMs, ending, { ref: false }))
    .then(({ isFailure, detail }) => nodes.processesEnded(isFailure, detail));
  const cancel = (): void => nodes.fail(new CheckError('cancelled', 'the check was cancelled'));
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  const join = setTimeout(() => nodes.failUnlessJoined(joinSeconds), joinSeconds * 1000);
  const outcome = await nodes.result.catch((error: unknown) => asCheckError(error));
  clearTimeout(join);
  signal.removeEventListener('abort', cancel);
  nodes.stop();
  // Politely first: a node that is asked by its process manager as well may be killed before it has removed everything.
  await Promise.race([members.ended, delay(removalSeconds * 1000, undefined, { ref: false })]);
  await Promise.race([nodes.allHeard(), delay(lastWordsMs, undefined, { ref: false })]);
  members.end();
  nodes.disconnect();
  server.close();
  if (CheckError.is(outcome)) throw nodes.withLeftovers(outcome);
  return outcome;
}

async function listen(server: Server, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new CheckError('other-nodes', `no port at ${host}: ${error.message}`)));
    server.listen({ host, port: 0 }, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new CheckError('other-nodes', `no port at ${host}`);
  return address.port;
}

/** From the end of a process to what it had sent before. */
const lastWordsMs = 2_000;

interface Node {
  name: string;
  rank: number;
  socket: Socket;
  /** The phase that it is ready for. */
  met: string | null;
  measurement: Measurement | null;
}

/** The nodes that have joined, and where they are. */
class Nodes {
  readonly result: Promise<NodesMeasurement>;
  readonly #options: LeadOptions;
  readonly #token: Buffer;
  readonly #nodes: Node[] = [];
  readonly #sockets = new Set<Socket>();
  /** Connections that have not shown yet that they are of this check, the oldest first. */
  readonly #waiting = new Set<Socket>();
  readonly #began = new Map<string, number[]>();
  readonly #notRemoved: string[] = [];
  #startSpreadSeconds = 0;
  #resolve!: (measurement: NodesMeasurement) => void;
  #reject!: (error: CheckError) => void;
  #isOver = false;

  constructor(options: LeadOptions, token: Buffer) {
    this.#options = options;
    this.#token = token;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Somebody may cancel before it is awaited.
    this.result.catch(() => undefined);
  }

  accept(socket: Socket): void {
    let node: Node | null = null;
    const handshake = new LeadHandshake(this.#token);
    const endWaiting = setTimeout(() => socket.destroy(), handshakeSeconds * 1000).unref();
    this.#sockets.add(socket);
    this.#waiting.add(socket);
    this.#limitWaiting();
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(endWaiting);
      this.#sockets.delete(socket);
      this.#waiting.delete(socket);
      if (node !== null && node.measurement === null) this.fail(lost(node));
    });
    readLines(socket, {
      maximumBytes: () => (node === null ? limits.clusterHelloBytes : limits.clusterMessageBytes),
      onMessage: (message) => {
        try {
          if (node !== null) return this.#hear(node, message);
          node = this.#welcome(handshake.admit(message), socket);
          clearTimeout(endWaiting);
          this.#waiting.delete(socket);
        } catch (error) {
          this.fail(asCheckError(error));
        }
      },
    });
    say(socket, handshake.challenge);
  }

  /** All nodes may come at once; the longest wait ends first, as those of this check wait for milliseconds. */
  #limitWaiting(): void {
    if (this.#waiting.size <= this.#options.nodes + limits.clusterStrangers) return;
    for (const socket of this.#waiting) {
      this.#waiting.delete(socket);
      socket.destroy();
      return;
    }
  }

  /** What was not removed matters more than why the check ended. */
  withLeftovers(error: CheckError): CheckError {
    if (this.#notRemoved.length === 0) return error;
    return new CheckError('not-removed', [...new Set([...this.#notRemoved, error.detail])].join('; '));
  }

  /** Ends the check for all nodes. Errors after the first are dropped: they follow from it. */
  fail(error: CheckError): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#reject(error);
  }

  failUnlessJoined(seconds: number): void {
    const { nodes } = this.#options;
    if (this.#nodes.length < nodes) {
      this.fail(new CheckError('other-nodes', `${this.#nodes.length} of ${nodes} nodes have joined after ${seconds} s`));
    }
  }

  processesEnded(isFailure: boolean, detail: string): void {
    if (isFailure) this.fail(new CheckError('other-nodes', detail));
    else this.fail(new CheckError('other-nodes', 'the processes on the nodes ended before the check did'));
  }

  stop(): void {
    for (const { socket } of this.#nodes) say(socket, { type: 'stop' });
  }

  /** Once all connections are closed by the other side, nothing more is on its way. */
  async allHeard(): Promise<void> {
    await Promise.all([...this.#sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
  }

  disconnect(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** A connection that is not of this check is closed, and no reason to end the check. */
  #welcome(admitted: ReturnType<LeadHandshake['admit']>, socket: Socket): Node | null {
    if (admitted === null || this.#nodes.length >= this.#options.nodes) {
      socket.destroy();
      return null;
    }
    const { name, rank, welcome } = admitted;
    say(socket, welcome);
    const node: Node = { name, rank, socket, met: null, measurement: null };
    this.#nodes.push(node);
    this.#nodes.sort((a, b) => a.rank - b.rank);
    if (this.#isOver) say(socket, { type: 'stop' });
    else if (this.#nodes.length === this.#options.nodes) {
      for (const each of this.#nodes) say(each.socket, { type: 'run', request: this.#options.request });
    }
    return node;
  }

  #hear(node: Node, received: Record<string, unknown>): void {
    const message = memberMessageOf(received, node.name);
    switch (message.type) {
      case 'met':
        node.met = message.phase;
        return this.#letGo();
      case 'began':
        return this.#noteBegin(message.phase);
      case 'done':
        node.measurement = message.measurement;
        this.#letGo();
        return this.#finish();
      case 'failed': {
        const error = new CheckError(message.code, `${node.name}: ${message.detail}`);
        if (error.code === 'not-removed') this.#notRemoved.push(error.detail);
        return this.fail(error);
      }
    }
  }

  /** Once all that still measure are ready for the same phase, they begin it. */
  #letGo(): void {
    const measuring = this.#nodes.filter(({ measurement }) => measurement === null);
    const phase = measuring[0]?.met ?? null;
    if (this.#isOver || phase === null || measuring.some(({ met }) => met === null)) return;
    const other = measuring.find(({ met }) => met !== phase);
    if (other !== undefined) {
      return this.fail(new CheckError('other-nodes', `${other.name} is at ${other.met} while others are at ${phase}`));
    }
    for (const node of measuring) node.met = null;
    for (const { socket } of measuring) say(socket, { type: 'go', phase });
  }

  /** The way of the message is in it, which is far below what a file system takes. */
  #noteBegin(phase: string): void {
    const times = this.#began.get(phase) ?? [];
    times.push(performance.now());
    this.#began.set(phase, times);
    if (times.length !== this.#options.nodes) return;
    this.#began.delete(phase);
    const spreadSeconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000;
    this.#startSpreadSeconds = Math.max(this.#startSpreadSeconds, spreadSeconds);
    this.#options.onPhase?.(phase, spreadSeconds);
  }

  #finish(): void {
    const nodes = this.#nodes.flatMap(({ name, measurement }) => (measurement === null ? [] : { name, measurement }));
    if (this.#isOver || nodes.length < this.#options.nodes) return;
    this.#isOver = true;
    this.#resolve({ nodes, startSpreadSeconds: this.#startSpreadSeconds });
  }
}

function say(socket: Socket, message: LeadMessage): void {
  sendLine(socket, message);
}

function lost({ name }: Node): CheckError {
  return new CheckError('other-nodes', `the connection to ${name} was lost`);
}
