/** Writes all of a text to standard output, also into a slow pipe; a reader that went away (`| head`) is no error. */
export function writeOut(text: string): Promise<void> {
  return writePieces([text]);
}

/** The same for a text in pieces, each of which is made once the one before is written. */
export async function writePieces(pieces: Iterable<string>): Promise<void> {
  const { stdout } = process;
  const ended = new Promise<NodeJS.ErrnoException>((resolve) => stdout.once('error', resolve));
  for (const piece of pieces) {
    const written = new Promise<null>((resolve) => stdout.write(piece, (error) => error ?? resolve(null)));
    const error = await Promise.race([written, ended]);
    if (error === null) continue;
    if (error.code === 'EPIPE') return;
    throw error;
  }
}
