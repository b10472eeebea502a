/** Random access to the bytes of one file. Implementations live in `platform`; wrappers (counting, paging) compose. */
export interface ByteSource {
  /** What to call it in findings: the path relative to the inspected root. */
  readonly name: string;
  /** Size in bytes when it was opened. */
  readonly sizeBytes: number;
  /**
   * Exactly `length` bytes from `offset`. A short read throws `truncated`: zeros never stand in for bytes that are not there.
   * @throws FormatError `truncated`, `io` or `cancelled`
   */
  read(offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array>;
  /**
   * The same into bytes that the caller has, all of them: who reads gigabytes need not make and drop them. Absent where it would save nothing.
   * @throws FormatError as `read`
   */
  readInto?(target: Uint8Array, offset: number, signal?: AbortSignal): Promise<void>;
  /** Releases the handle. Safe to call twice. */
  close(): Promise<void>;
}
