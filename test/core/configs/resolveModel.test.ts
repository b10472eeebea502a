import { describe, expect, it } from 'vitest';
import { createConfigAccess } from '../../../src/core/configs/configAccess.js';
import { resolveModel } from '../../../src/core/configs/resolveModel.js';

const config = (layers: number) => JSON.stringify({ model_type: 'llama', num_hidden_layers: layers });

function accessTo(files: Readonly<Record<string, string>>, cached: Readonly<Record<string, string>> = {}) {
  const found = (texts: Readonly<Record<string, string>>, pathOf: (name: string) => string) => (name: string) => {
    const text = Object.hasOwn(texts, name) ? texts[name] : undefined;
    return Promise.resolve(text === undefined ? null : { path: pathOf(name), text });
  };
  return createConfigAccess({
    read: found(files, (name) => name),
    readCached: found(cached, (name) => `/hub/${name}/config.json`),
  });
}

const named = (name: string) => ({ kind: 'named', name, key: 'model' }) as const;

describe('models that are named', () => {
  it('is the config of a folder beside, of the cache, or of the table, in this order', async () => {
    const name = 'Qwen/Qwen3-8B';
    const both = await resolveModel(named(name), accessTo({ [`${name}/config.json`]: config(1) }, { [name]: config(2) }));
    expect(both?.origin).toEqual({ kind: 'file', path: `${name}/config.json` });
    const cached = await resolveModel(named(name), accessTo({}, { [name]: config(2) }));
    expect(cached?.origin).toEqual({ kind: 'hub-cache', name });
    expect(cached?.kind === 'fields' && cached.fields.integer('num_hidden_layers')).toBe(2);
    const published = await resolveModel(named(name), accessTo({}));
    expect(published?.origin).toEqual({ kind: 'published', name });
  });

  it('takes the file itself, and a folder with a slash at its end', async () => {
    const access = accessTo({ 'm/config.json': config(3), 'sizes.json': config(4) });
    expect((await resolveModel(named('./m/'.slice(2)), access))?.origin).toEqual({ kind: 'file', path: 'm/config.json' });
    expect((await resolveModel(named('sizes.json'), access))?.origin).toEqual({ kind: 'file', path: 'sizes.json' });
  });

  it('takes no file that describes no model', async () => {
    const access = accessTo({ 'gpt2/config.json': '{"name": "package"}' });
    expect((await resolveModel(named('gpt2'), access))?.origin).toEqual({ kind: 'published', name: 'openai-community/gpt2' });
    expect(await resolveModel(named('my-model'), accessTo({ 'my-model/config.json': '[]' }))).toBeNull();
    for (const name of ['', ' ', '/', '${base}', '../..', 'unknown/model'])
      expect(await resolveModel(named(name), accessTo({}))).toBeNull();
  });
});
