import { CheckError, checkErrorCodes, type CheckErrorCode } from '../../../core/bandwidth/checkError.js';
import type { CheckRequest, Measurement } from '../../../core/bandwidth/measurement.js';
import { readCheckRequest, readMeasurement } from '../../../core/bandwidth/measurementSchema.js';

/** What a node says to the one that leads; each is one line of JSON. `hello` comes first, in answer to the challenge. */
export type MemberMessage =
  | { type: 'hello'; name: string; rank: number; nonce: string; proof: string }
  /** Ready to begin a phase. */
  | { type: 'met'; phase: string }
  /** The phase's clock starts now. */
  | { type: 'began'; phase: string }
  | { type: 'done'; measurement: Measurement }
  /** After everything was removed. */
  | { type: 'failed'; code: CheckErrorCode; detail: string };

/** What the one that leads says to a node. */
export type LeadMessage =
  /** Comes first: the other side shows with it that it knows the token. */
  | { type: 'challenge'; nonce: string }
  /** The node is one of the check, and this side knows the token too. */
  | { type: 'welcome'; proof: string }
  | { type: 'run'; request: CheckRequest }
  /** All nodes are ready to begin this phase. */
  | { type: 'go'; phase: string }
  /** Remove everything and end. */
  | { type: 'stop' };

/** Variables of the environment by which a node finds the one that leads. */
export const leadAddressVariable = 'STOWAGE_LEAD_ADDRESS';
export const leadTokenVariable = 'STOWAGE_LEAD_TOKEN';

/** What follows the handshake, which has checks of its own. */
type FurtherMemberMessage = Exclude<MemberMessage, { type: 'hello' }>;
type FurtherLeadMessage = Exclude<LeadMessage, { type: 'challenge' | 'welcome' }>;

/**
 * A message out of a connection, as one of a node that has joined.
 * @param sender what to call the node in an error
 * @throws CheckError for anything else
 */
export function memberMessageOf(message: Record<string, unknown>, sender = 'a node'): FurtherMemberMessage {
  const { type, phase, code, detail } = message;
  if ((type === 'met' || type === 'began') && typeof phase === 'string') return { type, phase };
  if (type === 'done') return { type, measurement: readMeasurement(message['measurement']) };
  if (type === 'failed') return { type, code: knownCode(code), detail: textOf(detail) };
  throw new CheckError('other-nodes', `${sender} sent an unknown message`);
}

/**
 * A message out of a connection, as one of the node that leads.
 * @throws CheckError for anything else
 */
export function leadMessageOf(message: Record<string, unknown>): FurtherLeadMessage {
  const { type, phase } = message;
  if (type === 'run') return { type, request: readCheckRequest(message['request']) };
  if (type === 'go' && typeof phase === 'string') return { type, phase };
  if (type === 'stop') return { type };
  throw new CheckError('other-nodes', 'the node that leads sent an unknown message');
}

/** The code of an error that another process sent; `other-nodes` for an unknown one. */
export function knownCode(code: unknown): CheckErrorCode {
  return checkErrorCodes.find((known) => known === code) ?? 'other-nodes';
}

/** The text of an error that another process sent. Any JSON value may be in its place, and not each of them becomes a text. */
export function textOf(detail: unknown): string {
  return typeof detail === 'string' ? detail : (JSON.stringify(detail) ?? '');
}
