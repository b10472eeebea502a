/**
 * Names in configs that a loader imports and calls: `_target_` of Hydra (hydra/_internal/instantiate/_instantiate2.py, _resolve_target), which NeMo
 * and others instantiate from, and the `!!python/...` tags that `yaml.unsafe_load` and `yaml.Loader` construct (PyYAML, constructor.py). Nothing is imported.
 */
import { callRank } from '../../findings/callRank.js';
import { BoundedFindings } from '../../findings/boundedFindings.js';
import type { FileFinding } from '../../findings/finding.js';
import { limits } from '../../bytes/limits.js';
import { globalKind, importKindOf } from '../pickle/imports/globalKind.js';

/** Packages whose classes configs of frameworks name: those are no news. */
const frameworkPackages =
  /^(?:nemo|nemo_run|torch|torchvision|torchaudio|torchmetrics|pytorch_lightning|lightning|lightning_fabric|omegaconf|hydra|megatron|transformers|diffusers|datasets|tokenizers|peft|trl|apex|transformer_engine|numpy|sklearn|torchtune|torchdata|wandb|composer|streaming|llmfoundry|deepspeed|accelerate)(?:\.|$)/;
const opening = /^(?:shutil|socket|ssl|urllib|requests|ftplib|smtplib|http)\./;
const harmless =
  /^(?:(?:os|posix|nt)\.path|posixpath|operator|_operator|functools|types|platform|sys)\.|^os\.(?:getenv|getcwd|cpu_count|environ\.get)$/;
const running =
  /^(?:operator\.(?:methodcaller|attrgetter)|types\.(?:CodeType|FunctionType|LambdaType)|sys\.(?:settrace|setprofile|exit))$/;

/** Findings of one config. */
export class TargetCode {
  private readonly found = new BoundedFindings();
  private readonly needed = new Map<string, string>();

  /** Notes a name that a loader imports. @param key where the config has it */
  add(name: string, key: string): void {
    const dot = name.lastIndexOf('.');
    const [module, member] = dot === -1 ? ['builtins', name] : [name.slice(0, dot), name.slice(dot + 1)];
    if (isUnexpected(module, member))
      this.found.add({ code: 'config-import-unexpected', facts: { name: shown(name), key: shown(key) } });
    else if (
      importKindOf(globalKind(module, member)) === 'own' &&
      !frameworkPackages.test(name) &&
      this.needed.size < limits.pickleScanKept
    )
      this.needed.set(shown(name), this.needed.get(shown(name)) ?? shown(key));
  }

  findings(): FileFinding[] {
    const [first] = this.needed;
    if (first === undefined) return this.found.kept;
    const names = [...this.needed.keys()];
    const facts = { first: names.slice(0, 3).join(', '), names: names.length, key: first[1] };
    return [...this.found.kept, { code: 'config-needs-code', facts }];
  }
}

function isUnexpected(module: string, name: string): boolean {
  const fullName = `${module}.${name}`;
  if (running.test(fullName)) return true;
  if (globalKind(module, name) !== 'unexpected' && module !== 'builtins') return false;
  if (module === 'builtins')
    return /^(?:eval|exec|compile|open|__import__|getattr|setattr|delattr|breakpoint|input|execfile)$/.test(name);
  return !harmless.test(fullName) && (opening.test(fullName) || callRank(`${fullName}(`) === 0);
}

/** Targets in a value of JSON. @param place what reports call the root */
export function codeOfTargets(root: unknown, place: string): FileFinding[] {
  const code = new TargetCode();
  const open: [value: unknown, key: string][] = [[root, place]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, key] = next;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, item] of Object.entries(value)) {
      if (typeof item === 'object' && item !== null)
        open.push([item, shown(Array.isArray(value) ? `${key}[${name}]` : `${key}.${name}`)]);
      else if (name === '_target_' && typeof item === 'string') code.add(item.trim(), shown(`${key}.${name}`));
    }
  }
  return code.findings();
}

const target = /(?:^|[\s{,?[])["']?_target_["']?[ \t]*:\s*(?:[&!][^\s]*\s+)*["']?([^\s"',}\]#]{1,512})/g;
const tag =
  /(?:^|[\s,:[{-])(?:!!|!<tag:yaml\.org,2002:)python\/((?:object\/apply|object\/new|object|name|module)):([\w.]{1,512})/g;

/** Targets and tags of Python in YAML, or in JSON that is text. Only what is at the place of a key or a tag counts. */
export function codeOfYaml(text: string): FileFinding[] {
  const code = new TargetCode();
  const plain = withoutHandles(withoutEscapes(text.replace(/^[ \t]*#.*$/gm, '')));
  for (const [, name = ''] of plain.matchAll(target)) code.add(name, '_target_');
  for (const [, kind = '', name = ''] of plain.matchAll(tag)) {
    const key = `!!python/${kind}`;
    // A module is imported, and no more.
    if (kind === 'module') code.add(`${name}.__init__`, key);
    else code.add(name, key);
  }
  return code.findings();
}

/** Escapes of double-quoted texts, and of characters in tags. */
function withoutEscapes(text: string): string {
  if (!/\\[xu]|%[\da-f]/i.test(text)) return text;
  return text.replace(
    /\\x([\da-f]{2})|\\u([\da-f]{4})|%([2-7][\da-f])/gi,
    (_, hex?: string, unicode?: string, percent?: string) =>
      String.fromCharCode(Number.parseInt(hex ?? unicode ?? percent ?? '20', 16)),
  );
}

const directive = /^%TAG[ \t]+(!\w{0,64}!?)[ \t]+tag:yaml\.org,2002:(python[\w/:.]{0,64})/gm;
const handled = /(^|[\s,:[{-])(!\w{0,64}!?)(?=[\w/])/gm;

/** `%TAG !p! tag:yaml.org,2002:python/` makes `!p!object` one of Python's tags. In one pass, however many there are. */
function withoutHandles(text: string): string {
  const prefixes = new Map<string, string>();
  for (const [, handle = '', prefix = ''] of text.matchAll(directive)) prefixes.set(handle, prefix);
  if (prefixes.size === 0) return text;
  return text.replace(handled, (whole, before: string, handle: string) => {
    const prefix = prefixes.get(handle);
    if (prefix !== undefined) return `${before}!!${prefix}`;
    // The primary handle is the sign alone, before any word.
    const primary = handle.endsWith('!') ? undefined : prefixes.get('!');
    return primary === undefined ? whole : `${before}!!${primary}${handle.slice(1)}`;
  });
}

function shown(text: string): string {
  return text.length > limits.objectTextLength ? `${text.slice(0, limits.objectTextLength)}…` : text;
}
