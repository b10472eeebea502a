import type { HttpEnvironment } from './httpSession.js';

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end, { once: true });
  });
}

/** Requests of Node, which shows redirects. */
export const nodeHttp: HttpEnvironment = { fetch: (...request) => fetch(...request), followsRedirects: false, pause };
