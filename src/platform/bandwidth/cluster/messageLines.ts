import type { Socket } from 'node:net';

/** Sends one message as a line. Nothing happens on a connection that is gone. */
export function sendLine(socket: Socket, message: object): void {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
}

/**
 * Hands over each line that is a JSON object. A line that is longer than `maximumBytes()` at that time, or that is no JSON object,
 * ends the connection: whoever sends it is none of ours.
 */
export function readLines(
  socket: Socket,
  { maximumBytes, onMessage }: { maximumBytes: () => number; onMessage: (message: Record<string, unknown>) => void },
): void {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  socket.on('data', (chunk: Buffer) => {
    let rest = chunk;
    for (let end = rest.indexOf('\n'); end >= 0 && !socket.destroyed; end = rest.indexOf('\n')) {
      const line = Buffer.concat([...pending, rest.subarray(0, end)]);
      pending = [];
      pendingBytes = 0;
      rest = rest.subarray(end + 1);
      const message = line.length > maximumBytes() ? null : parsed(line);
      if (message === null) socket.destroy();
      else onMessage(message);
    }
    pending.push(rest);
    pendingBytes += rest.length;
    if (pendingBytes > maximumBytes()) socket.destroy();
  });
}

function parsed(line: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
