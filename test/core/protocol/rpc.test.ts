import { describe, expect, it, vi } from 'vitest';
import { RpcEndpoint, type RpcMessage } from '../../../src/protocol/rpc.js';

interface Requests {
  double(params: { value: number }): number;
  wait(params: Record<string, never>): null;
  fail(params: Record<string, never>): null;
}
interface Events {
  tick: number;
}

/** Two ends that talk through structured clones, as a worker or a webview does. */
function connect(handlers: object) {
  const ends: { asker?: RpcEndpoint<Requests, Events, Events>; answerer?: RpcEndpoint<object, Events, Events> } = {};
  const post = (to: () => { receive(data: unknown): void } | undefined) => ({
    post: (message: RpcMessage) => {
      const copy = structuredClone(message);
      queueMicrotask(() => to()?.receive(copy));
    },
  });
  ends.asker = new RpcEndpoint(post(() => ends.answerer));
  ends.answerer = new RpcEndpoint(
    post(() => ends.asker),
    handlers,
  );
  return ends as Required<typeof ends>;
}

describe('requests', () => {
  it('are answered', async () => {
    const { asker } = connect({ double: ({ value }: { value: number }) => value * 2 });
    await expect(asker.request('double', { value: 21 })).resolves.toBe(42);
  });

  it('that fail carry code and message', async () => {
    const { asker } = connect({ fail: () => Promise.reject(Object.assign(new Error('no'), { code: 'truncated' })) });
    await expect(asker.request('fail', {})).rejects.toMatchObject({ code: 'truncated', message: 'no' });
  });

  it('for a method that is not there are refused, also for names that every object has', async () => {
    const { asker } = connect({});
    await expect(asker.request('double', { value: 1 })).rejects.toMatchObject({ code: 'unknown-method' });
    await expect(
      (asker as RpcEndpoint<{ toString(params: object): string }, Events, Events>).request('toString', {}),
    ).rejects.toMatchObject({ code: 'unknown-method' });
  });

  it('that are cancelled end at once, here and at the other end', async () => {
    const stopped = vi.fn();
    const { asker } = connect({
      wait: (_: unknown, signal: AbortSignal) =>
        new Promise((resolve) => signal.addEventListener('abort', () => (stopped(), resolve(null)))),
    });
    const controller = new AbortController();
    const request = asker.request('wait', {}, controller.signal);
    await Promise.resolve();
    controller.abort();
    await expect(request).rejects.toMatchObject({ code: 'cancelled' });
    await vi.waitFor(() => expect(stopped).toHaveBeenCalledOnce());
  });

  it('that were aborted before are never sent', async () => {
    const double = vi.fn();
    const { asker } = connect({ double });
    await expect(asker.request('double', { value: 1 }, AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
    expect(double).not.toHaveBeenCalled();
  });

  it('are all rejected when the connection closes', async () => {
    const { asker } = connect({ wait: () => new Promise(() => undefined) });
    const pending = [asker.request('wait', {}), asker.request('wait', {})];
    asker.dispose();
    for (const request of pending) await expect(request).rejects.toMatchObject({ code: 'disposed' });
    await expect(asker.request('wait', {})).rejects.toMatchObject({ code: 'disposed' });
  });

  it('are rejected when posting throws', async () => {
    const broken = new RpcEndpoint<Requests, Events, Events>({
      post() {
        throw new Error('the port is closed');
      },
    });
    await expect(broken.request('double', { value: 1 })).rejects.toMatchObject({ code: 'post-failed' });
  });

  it('ignore a second reply, a reply to no request, and what is no message', async () => {
    const sent: RpcMessage[] = [];
    const end = new RpcEndpoint<Requests, Events, Events>({ post: (message) => void sent.push(message) });
    const request = end.request('double', { value: 1 });
    const id = (sent[0] as { id: number }).id;
    for (const message of [
      null,
      'text',
      7,
      { type: 'reply', id: 99, result: 0 },
      { type: 'reply', id, result: 2 },
      { type: 'reply', id, result: 3 },
    ])
      end.receive(message);
    await expect(request).resolves.toBe(2);
  });
});

describe('events', () => {
  it('reach listeners until they stop listening', async () => {
    const { asker, answerer } = connect({});
    const heard: number[] = [];
    const stop = asker.on('tick', (value) => heard.push(value));
    answerer.send('tick', 1);
    await vi.waitFor(() => expect(heard).toEqual([1]));
    stop();
    answerer.send('tick', 2);
    await Promise.resolve();
    expect(heard).toEqual([1]);
  });
});
