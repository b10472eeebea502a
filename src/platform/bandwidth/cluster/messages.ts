import type { CheckErrorCode } from '../../../core/bandwidth/checkError.js';
import type { CheckRequest, Measurement } from '../../../core/bandwidth/measurement.js';

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
