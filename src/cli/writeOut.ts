/** Writes all of a text to standard output, also into a slow pipe; a reader that went away (`| head`) is no error. */
export function writeOut(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EPIPE' ? resolve() : reject(error)));
    process.stdout.write(text, () => resolve());
  });
}
