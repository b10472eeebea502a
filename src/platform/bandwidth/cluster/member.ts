import { connect, type Socket } from 'node:net';
import { CheckError } from '../../../core/bandwidth/checkError.js';
import type { CheckRequest, Measurement } from '../../../core/bandwidth/measurement.js';
import { limits } from '../../../core/bytes/limits.js';
import type { BandwidthService } from '../../../app/bandwidth/bandwidthService.js';
import { asCheckError } from './asCheckError.js';
import { MemberHandshake } from './handshake.js';
import { leadMessageOf, type MemberMessage } from './messages.js';
import { readLines, sendLine } from './messageLines.js';

export interface MemberOptions {
  /** `host:port` of the one that leads. */
  leadAddress: string;
  /** That of the check, 64 hexadecimal digits; it is never sent. */
  token: string;
  /** As the cluster calls this node. */
  name: string;
  /** Place among the nodes. */
  rank: number;
  service: Pick<BandwidthService, 'run'>;
}

/** For the one that leads to show that it knows the token too. */
const handshakeSeconds = 30;

/**
 * One node's part of a check: once both sides have shown that they know the token, does what the one that leads asks for, and begins each phase when it says so. A connection that is lost
 * ends the check, with everything removed.
 * @throws CheckError, after it was sent to the one that leads
 */
export async function runMember(options: MemberOptions, signal: AbortSignal): Promise<void> {
  const handshake = new MemberHandshake({ key: keyOf(options.token), name: options.name, rank: options.rank });
  const socket = await connected(options.leadAddress, signal);
  const send = (message: MemberMessage): void => sendLine(socket, message);
  const link = new LeadLink(socket, handshake, signal);
  try {
    const request = await link.request;
    const measurement = await measured(options.service, request, link, send);
    send({ type: 'done', measurement });
  } catch (error) {
    const { code, detail } = asCheckError(error);
    send({ type: 'failed', code, detail });
    throw asCheckError(error);
  } finally {
    link.dispose();
    socket.end();
  }
}

function measured(
  service: MemberOptions['service'],
  request: CheckRequest,
  link: LeadLink,
  send: (message: MemberMessage) => void,
): Promise<Measurement> {
  const barrier = async (phase: string): Promise<void> => {
    send({ type: 'met', phase });
    await link.go(phase);
    send({ type: 'began', phase });
  };
  return service.run(request, { onProgress: () => undefined, barrier }, link.signal);
}

/** What the one that leads has said, as promises. */
class LeadLink {
  /** Ends when the check has to: by a signal, by the one that leads, or because the connection is lost. */
  readonly signal: AbortSignal;
  readonly request: Promise<CheckRequest>;
  readonly #socket: Socket;
  readonly #handshake: MemberHandshake;
  readonly #handshakeTimer: NodeJS.Timeout;
  readonly #ending = new AbortController();
  readonly #gone = new Set<string>();
  #resolveRequest!: (request: CheckRequest) => void;
  #rejectRequest!: (error: CheckError) => void;
  #wake = (): void => undefined;
  #isProven = false;
  #isDisposed = false;

  constructor(socket: Socket, handshake: MemberHandshake, signal: AbortSignal) {
    this.#socket = socket;
    this.#handshake = handshake;
    this.signal = AbortSignal.any([signal, this.#ending.signal]);
    this.request = new Promise((resolve, reject) => {
      this.#resolveRequest = resolve;
      this.#rejectRequest = reject;
    });
    this.signal.addEventListener('abort', () => this.#rejectRequest(reasonOf(this.signal)), { once: true });
    this.#handshakeTimer = setTimeout(() => this.#end(notProven()), handshakeSeconds * 1000);
    readLines(socket, {
      maximumBytes: () => (this.#isProven ? limits.clusterMessageBytes : limits.clusterHelloBytes),
      onMessage: (message) => (this.#isProven ? this.#hear(message) : this.#prove(message)),
    });
    // It is awaited at once by the one who made this; without that a signal before it would be unhandled.
    this.request.catch(() => undefined);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#end(new CheckError('other-nodes', 'the connection to the node that leads was lost')));
    if (signal.aborted) this.#end(reasonOf(signal));
  }

  /** Ends when all nodes are at this phase. */
  async go(phase: string): Promise<void> {
    while (!this.#gone.has(phase)) {
      await new Promise<void>((resolve, reject) => {
        this.#wake = resolve;
        if (this.signal.aborted) reject(reasonOf(this.signal));
        this.signal.addEventListener('abort', () => reject(reasonOf(this.signal)), { once: true });
      });
    }
    this.#gone.delete(phase);
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#handshakeTimer);
  }

  /** Nothing is done for a side that has not shown that it knows the token. */
  #prove(message: Record<string, unknown>): void {
    const hello = this.#handshake.hello(message);
    if (hello !== null) return sendLine(this.#socket, hello);
    if (!this.#handshake.isWelcome(message)) return this.#end(notProven());
    this.#isProven = true;
    clearTimeout(this.#handshakeTimer);
  }

  /** Whatever is sent in place of a message ends the check: this node removes what it wrote. */
  #hear(received: Record<string, unknown>): void {
    try {
      const message = leadMessageOf(received);
      if (message.type === 'run') this.#resolveRequest(message.request);
      else if (message.type === 'go') {
        this.#gone.add(message.phase);
        this.#wake();
      } else this.#end(new CheckError('other-nodes', 'the check was ended for all nodes'));
    } catch (error) {
      this.#rejectRequest(asCheckError(error));
      this.#end(asCheckError(error));
    }
  }

  #end(reason: CheckError): void {
    if (!this.#isDisposed) this.#ending.abort(reason);
  }
}

function keyOf(token: string): Buffer {
  if (!/^[0-9a-f]{64}$/.test(token)) throw new CheckError('other-nodes', 'the token of the check is missing');
  return Buffer.from(token, 'hex');
}

function notProven(): CheckError {
  return new CheckError('other-nodes', 'what answers in place of the node that leads does not know the token of the check');
}

function reasonOf(signal: AbortSignal): CheckError {
  return CheckError.is(signal.reason) ? signal.reason : new CheckError('cancelled', 'the check was cancelled');
}

async function connected(address: string, signal: AbortSignal): Promise<Socket> {
  const at = address.lastIndexOf(':');
  const socket = connect({ host: address.slice(0, at), port: Number(address.slice(at + 1)), noDelay: true, keepAlive: true });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
      signal.addEventListener('abort', () => reject(reasonOf(signal)), { once: true });
    });
    return socket;
  } catch (error) {
    socket.destroy();
    if (CheckError.is(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new CheckError('other-nodes', `the node that leads cannot be reached at ${address}: ${reason}`, { cause: error });
  }
}
