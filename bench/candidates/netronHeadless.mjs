/**
 * Netron's own model loader and file stream, without its window: only the host it asks for files and modules is ours.
 * usage: netronHeadless.mjs NETRON FILE [count]
 */
import { statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder = '', file = '', count = ''] = process.argv.slice(2);
const load = (/** @type {string} */ name) => import(pathToFileURL(path.join(folder, `${name.replace(/^\.\//, '')}.js`)).href);
const { ModelFactoryService } = await load('view');
const { FileStream } = await load('node');

/** @type {unknown[]} */
const errors = [];
const host = {
  environment: () => undefined,
  require: load,
  event: () => {},
  exception: (/** @type {unknown} */ error) => errors.push(error),
};

/** @param {string} target */
function streamOf(target) {
  const { size, mtimeMs } = statSync(target);
  return new FileStream(target, 0, size, mtimeMs);
}

const context = {
  identifier: path.basename(file),
  stream: streamOf(file),
  entries: new Map(),
  tags: new Map(),
  require: load,
  error: (/** @type {unknown} */ error) => errors.push(error),
  asset: () => Promise.reject(new Error('no assets here')),
  fetch: (/** @type {string} */ name) => Promise.resolve(streamOf(path.join(path.dirname(file), name))),
};

/**
 * Tensors below anything the model object exposes, each tensor object once. Not part of what is timed.
 * @param {any} model
 */
function countTensors(model) {
  const seen = new Set();
  const tensors = new Set();
  const pending = [model];
  while (pending.length > 0) {
    const value = pending.pop();
    if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value) || seen.has(value)) continue;
    seen.add(value);
    // A tensor has a type with a data type and a shape, and a getter for its values, which is left alone.
    if (value.type?.dataType && value.type.shape && 'values' in value) tensors.add(value);
    if (value instanceof Map) pending.push(...value.values());
    else if (Symbol.iterator in value) for (const item of value) pending.push(item);
    else {
      const getters = Object.getPrototypeOf(value) === null ? [] : Object.getOwnPropertyNames(Object.getPrototypeOf(value));
      for (const key of new Set([...Object.keys(value), ...getters])) {
        if (key === 'values' || key === 'constructor') continue;
        try {
          pending.push(value[key]);
        } catch {
          // A getter that needs more than there is.
        }
      }
    }
  }
  return tensors.size;
}

const begin = performance.now();
try {
  const model = await new ModelFactoryService(host).open(context);
  const workMs = performance.now() - begin;
  process.stdout.write(JSON.stringify({ workMs, tensors: count === 'count' ? countTensors(model) : null, format: model.format }));
} catch (error) {
  process.stdout.write(JSON.stringify({ workMs: performance.now() - begin, tensors: 0, error: String(error) }));
}
