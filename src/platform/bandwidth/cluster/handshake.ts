/**
 * Both sides of a connection show that they know the token of the check, without sending it: each answers the other's nonce with an
 * HMAC-SHA-256 (RFC 2104) over both nonces. What follows on the connection is neither encrypted nor signed.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { LeadMessage, MemberMessage } from './messages.js';

const nonceBytes = 32;
const nonceForm = /^[0-9a-f]{64}$/;

/** What is signed: the role is part of it, so that no answer of one side can be sent back as that of the other. */
interface Signed {
  role: 'lead' | 'member';
  leadNonce: string;
  memberNonce: string;
  name: string;
  rank: number;
}

/** The side of the one that leads, for one connection. */
export class LeadHandshake {
  /** To be sent first. */
  readonly challenge: LeadMessage & { type: 'challenge' };
  readonly #key: Buffer;

  /** @param key the token of the check */
  constructor(key: Buffer) {
    this.#key = key;
    this.challenge = { type: 'challenge', nonce: newNonce() };
  }

  /** The node that a first message proves to be one of the check, with the answer to it; null for any other message. */
  admit(message: Record<string, unknown>): { name: string; rank: number; welcome: LeadMessage } | null {
    const { type, name, rank, nonce, proof } = message;
    if (type !== 'hello' || typeof name !== 'string' || typeof rank !== 'number' || !isNonce(nonce)) return null;
    const both = { leadNonce: this.challenge.nonce, memberNonce: nonce, name, rank };
    if (!isProof(proof, this.#key, { ...both, role: 'member' })) return null;
    return { name, rank, welcome: { type: 'welcome', proof: proofOf(this.#key, { ...both, role: 'lead' }) } };
  }
}

/** The side of a node. */
export class MemberHandshake {
  readonly #key: Buffer;
  readonly #name: string;
  readonly #rank: number;
  readonly #nonce = newNonce();
  #leadNonce: string | null = null;

  constructor({ key, name, rank }: { key: Buffer; name: string; rank: number }) {
    this.#key = key;
    this.#name = name;
    this.#rank = rank;
  }

  /** The answer to the first challenge; null for any other message. */
  hello(message: Record<string, unknown>): MemberMessage | null {
    const { type, nonce } = message;
    if (this.#leadNonce !== null || type !== 'challenge' || !isNonce(nonce)) return null;
    this.#leadNonce = nonce;
    const proof = proofOf(this.#key, this.#signed('member', nonce));
    return { type: 'hello', name: this.#name, rank: this.#rank, nonce: this.#nonce, proof };
  }

  /** Whether the message proves that the one that leads knows the token too. */
  isWelcome({ type, proof }: Record<string, unknown>): boolean {
    return type === 'welcome' && this.#leadNonce !== null && isProof(proof, this.#key, this.#signed('lead', this.#leadNonce));
  }

  #signed(role: Signed['role'], leadNonce: string): Signed {
    return { role, leadNonce, memberNonce: this.#nonce, name: this.#name, rank: this.#rank };
  }
}

function newNonce(): string {
  return randomBytes(nonceBytes).toString('hex');
}

function isNonce(value: unknown): value is string {
  return typeof value === 'string' && nonceForm.test(value);
}

function proofOf(key: Buffer, { role, leadNonce, memberNonce, name, rank }: Signed): string {
  return createHmac('sha256', key)
    .update(JSON.stringify(['stowage', role, leadNonce, memberNonce, name, rank]))
    .digest('hex');
}

function isProof(given: unknown, key: Buffer, signed: Signed): boolean {
  if (typeof given !== 'string') return false;
  const [actual, expected] = [Buffer.from(given), Buffer.from(proofOf(key, signed))];
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
