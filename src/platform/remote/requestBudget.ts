import { limits } from '../../core/bytes/limits.js';
import { UnreachableError } from '../../core/files/reachableFiles.js';
import { counted } from '../../core/text/quantities.js';
import { formatBytes } from '../../core/text/units.js';

/** What was asked of servers so far. */
export interface RequestCounts {
  requests: number;
  /** Of answers, without their headers. */
  receivedBytes: number;
  /** Of the files that were listed so far: what all of it would take. */
  listedFiles: number;
  listedBytes: number;
}

/** Says whether an inspection may go on that has come to its bound. */
export type BudgetQuestion = (sofar: RequestCounts) => Promise<boolean>;

/** What an inspection, or an explorer, fetches before the first question. */
const usualBounds = { requests: limits.remoteQuestionRequests, bytes: limits.remoteQuestionBytes };

/** So many times more before the next question. */
const growth = 8;

/** Requests and bytes that one inspection takes without a question: what they cost is the user's. */
export class RequestBudget {
  readonly counts: RequestCounts = { requests: 0, receivedBytes: 0, listedFiles: 0, listedBytes: 0 };
  #mostRequests: number;
  #mostBytes: number;
  #asked: Promise<void> | null = null;

  constructor(
    private readonly question: BudgetQuestion,
    bounds: { requests: number; bytes: number } = usualBounds,
  ) {
    this.#mostRequests = bounds.requests;
    this.#mostBytes = bounds.bytes;
  }

  /**
   * Counts a request that is about to be sent.
   * @param expectedBytes what it will bring, as far as that is known
   * @throws UnreachableError where the answer to the question is no
   */
  async take(expectedBytes: number): Promise<void> {
    while (this.#isSpent(expectedBytes)) {
      this.#asked ??= this.#ask(expectedBytes);
      await this.#asked;
    }
    this.counts.requests += 1;
  }

  /** Notes files that were listed. */
  listed(files: number, bytes: number): void {
    this.counts.listedFiles += files;
    this.counts.listedBytes += bytes;
  }

  #isSpent(expectedBytes: number): boolean {
    const { requests, receivedBytes } = this.counts;
    return requests >= this.#mostRequests || receivedBytes + expectedBytes > this.#mostBytes;
  }

  async #ask(expectedBytes: number): Promise<void> {
    const { requests, receivedBytes } = this.counts;
    try {
      if (!(await this.question({ ...this.counts }))) throw new UnreachableError(spentWords(this.counts));
      if (requests >= this.#mostRequests) this.#mostRequests *= growth;
      this.#mostBytes = Math.max(this.#mostBytes * growth, receivedBytes + expectedBytes);
    } finally {
      this.#asked = null;
    }
  }
}

function spentWords({ requests, receivedBytes, listedFiles, listedBytes }: RequestCounts): string {
  const there = listedFiles === 0 ? '' : `; there are ${counted(listedFiles, 'file')} of ${formatBytes(listedBytes)}`;
  return `it takes more requests or bytes than were agreed to: ${requests} requests have brought ${formatBytes(receivedBytes)}${there}`;
}
