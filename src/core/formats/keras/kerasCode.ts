/**
 * Code in the config of a Keras model, as `config.json` of a `.keras` archive, `model_config` of an HDF5 file and `keras_metadata.pb` of a
 * SavedModel have it:
 *
 *   Lambda layers            marshalled bytecode in base64: `"function": ["4wEA...", defaults, closure]` of Keras 2, with `__tuple__` around it in
 *                            a SavedModel; `{"class_name": "__lambda__", "config": {"code": "4wEA..."}}` of Keras 3 (keras/src/utils/python_utils.py)
 *   objects by their module  `{"module": "os", "class_name": "function", "config": "system", "registered_name": ...}`, which Keras imports
 *                            (keras/src/saving/serialization_lib.py, _retrieve_class_or_fn)
 *   registered classes       `registered_name` `package>Name`, also as the class name of Keras 2 (keras/src/saving/object_registration.py)
 *
 * Nothing is decoded, imported or looked up.
 */
import { limits } from '../../bytes/limits.js';
import { BoundedFindings } from '../../findings/boundedFindings.js';
import type { FileFinding } from '../../findings/finding.js';
import { globalKind, importKindOf } from '../pickle/imports/globalKind.js';
import { memberOf } from '../text/jsonMember.js';

/** How a file is loaded: `keras` refuses lambdas unless it is asked for them; `legacy` did not until version 3.11.3. */
export type KerasContainer = 'keras' | 'legacy';

/** @param place what reports call the root: `config.json`, `model_config` */
export function codeOfKerasConfig(root: unknown, place: string, container: KerasContainer): FileFinding[] {
  const walk = new ConfigWalk(container);
  walk.run(root, place);
  return walk.findings();
}

/** A value of the config with its place. */
interface Open {
  value: unknown;
  key: string;
  /** Name of the layer around it. */
  layer: string;
}

class ConfigWalk {
  private readonly found = new BoundedFindings();
  private readonly needed = new Map<string, string>();

  constructor(private readonly container: KerasContainer) {}

  run(root: unknown, place: string): void {
    const open: Open[] = [{ value: root, key: place, layer: '' }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { value, key } = next;
      if (typeof value !== 'object' || value === null) continue;
      const layer = layerName(value) ?? next.layer;
      if (!Array.isArray(value)) this.look(value, key, layer);
      const entries: [string, unknown][] = Array.isArray(value)
        ? value.map((item, index): [string, unknown] => [`${key}[${index}]`, item])
        : Object.entries(value).map(([name, item]) => [joined(key, name), item]);
      for (const [inner, item] of entries.reverse())
        if (typeof item === 'object' && item !== null) open.push({ value: item, key: inner, layer });
    }
  }

  findings(): FileFinding[] {
    const [first] = this.needed;
    if (first === undefined) return this.found.kept;
    const names = [...this.needed.keys()];
    const facts = { first: names.slice(0, 3).join(', '), names: names.length, key: first[1] };
    return [...this.found.kept, { code: 'keras-needs-code', facts }];
  }

  private look(value: object, key: string, layer: string): void {
    const className = textOf(memberOf(value, 'class_name'));
    const config = memberOf(value, 'config');
    if (className === '__lambda__') {
      this.addCode(memberOf(config, 'code') ?? memberOf(value, 'code'), joined(key, 'config.code'), layer);
      return;
    }
    if (className === 'TorchModuleWrapper') this.lookAtModule(config, joined(key, 'config.module'), layer);
    if (className === 'Lambda') this.lookAtLambda(config, joined(key, 'config'), layer);
    this.lookAtName(value, className, config, key);
  }

  /** keras.layers.TorchModuleWrapper has its module as torch.save writes it, in base64 or as the bytes that Keras serializes. */
  private lookAtModule(config: unknown, key: string, layer: string): void {
    const module = memberOf(config, 'module');
    const text = textOf(module) ?? textOf(memberOf(memberOf(module, 'config'), 'value'));
    if (text === undefined) return;
    this.found.add({ code: 'keras-pickle-guarded', facts: { layer: shown(layer), key: shown(key), bytes: decodedBytes(text) } });
  }

  /** Keras 2: the function, the shape and the mask of a Lambda layer are a name or bytecode. */
  private lookAtLambda(config: unknown, key: string, layer: string): void {
    for (const name of ['function', 'output_shape', 'mask']) {
      const value = memberOf(config, name);
      const kind = textOf(memberOf(config, `${name}_type`));
      const items = Array.isArray(value) ? (value as unknown[]) : memberOf(value, 'items');
      const code = Array.isArray(items) ? (items as unknown[])[0] : kind === 'lambda' ? value : undefined;
      const isFunction = name === 'function';
      if (typeof code === 'string' && (kind === 'lambda' || (isFunction && kind !== 'function')))
        this.addCode(code, joined(key, name), layer);
      else if (typeof value === 'string' && (kind === 'function' || (isFunction && kind === undefined)))
        this.need(value, joined(key, name));
    }
  }

  private lookAtName(value: object, className: string | undefined, config: unknown, key: string): void {
    const module = textOf(memberOf(value, 'module'));
    const registered = textOf(memberOf(value, 'registered_name'));
    if (className === undefined) return;
    const isFunction = className === 'function';
    const name = isFunction ? (textOf(config) ?? '') : (textOf(memberOf(value, 'spec_name')) ?? className);
    // Classes of Keras have a module and no registered name, those of a main module a registered name alone.
    const own = registered?.includes('>') === true ? registered : className;
    const isNamed = own.includes('>') || (module === undefined && registered !== undefined);
    if (isNamed && !ofKerasPackages.test(own)) this.need(own, key);
    if (module === undefined) return;
    const kind = kindOfName(module, name, isFunction);
    const fullName = `${module}.${name}`;
    if (kind === 'unexpected')
      this.found.add({ code: 'keras-import-unexpected', facts: { name: shown(fullName), key: shown(key) } });
    else if (kind === 'own' && registered?.includes('>') !== true) this.need(module === 'builtins' ? name : fullName, key);
  }

  private addCode(code: unknown, key: string, layer: string): void {
    const text = textOf(code);
    if (text === undefined) return;
    const facts = { layer: shown(layer), key: shown(key), bytes: decodedBytes(text) };
    this.found.add({ code: this.container === 'keras' ? 'keras-lambda-guarded' : 'keras-lambda-code', facts });
  }

  private need(name: string, key: string): void {
    if (name !== '' && this.needed.size < limits.pickleScanKept && !this.needed.has(shown(name)))
      this.needed.set(shown(name), shown(key));
  }
}

/** Modules of Keras in which functions compute, and do nothing else. */
const computing =
  /^(?:tf_keras|keras|tensorflow\.(?:python\.)?keras)\.(?:(?:src|api|_tf_keras|legacy|saving|v\d)\.)*(?:activations|initializers|losses|metrics|ops|regularizers|constraints|layers|applications|optimizers|random|backend\.common)(?:\.|$)/;
/** Registered by Keras and its own packages. */
const ofKerasPackages =
  /^(?:(?:keras|keras_hub|keras_nlp|keras_cv)>|Custom>(?:Ada(?:delta|factor|grad|m|mW|max)|Ftrl|Lion|LossScaleOptimizer|Nadam|RMSprop|SGD)$)/;
const ofKeras = /^(?:keras|tf_keras|keras_hub|keras_nlp|keras_cv|tensorflow|tf|jax)(?:\.|$)/;
/** Functions of Python that run code, open files or reach into objects. */
const hazards = new Set([
  ...['eval', 'exec', 'compile', 'open', '__import__', 'getattr', 'setattr', 'delattr', 'globals', 'vars', 'breakpoint', 'input'],
  ...['execfile', 'apply', 'memoryview', 'help'],
]);

function kindOfName(module: string, name: string, isFunction: boolean): 'usual' | 'own' | 'unexpected' {
  // A function of the main module has no module that a loader could import: it is looked for by its name.
  if (module === 'builtins' || module === '__builtin__') return hazards.has(name) ? 'unexpected' : isFunction ? 'own' : 'usual';
  if (ofKeras.test(module)) return isFunction && !computing.test(module) && isKerasProper(module) ? 'unexpected' : 'usual';
  return importKindOf(globalKind(module, name)) === 'unexpected' ? 'unexpected' : 'own';
}

/** `keras` itself: functions of TensorFlow are operations. */
function isKerasProper(module: string): boolean {
  return /^(?:tf_)?keras(?:\.|$)/.test(module);
}

function layerName(value: object): string | undefined {
  return textOf(memberOf(value, 'name')) ?? textOf(memberOf(memberOf(value, 'config'), 'name'));
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Bytes of a text in base64. */
function decodedBytes(text: string): number {
  const digits = text.replace(/[\s=]/g, '').length;
  return Math.floor((digits * 3) / 4);
}

function joined(key: string, name: string): string {
  return shown(`${key}.${name}`);
}

function shown(text: string): string {
  return text.length > limits.objectTextLength ? `${text.slice(0, limits.objectTextLength)}…` : text;
}
