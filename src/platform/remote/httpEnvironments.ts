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

/** Requests of a browser, which follows redirects by itself, and sends no credentials on to another host (Fetch, "HTTP-redirect fetch"). */
export const browserHttp: HttpEnvironment = { ...nodeHttp, followsRedirects: true };
