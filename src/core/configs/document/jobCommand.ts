/**
 * The command of a job for a cluster, as a script: `run` of a SkyPilot task, `command` and `args` of the containers of a Kubernetes object (Pod, Job, JobSet,
 * PyTorchJob, RayJob, ...), `command` of a service of Docker Compose, `commands` of dstack. All else of the file becomes blanks, so that places in the script are places in the file.
 */
import { limits } from '../../bytes/limits.js';
import { isServerImage, vllmImage } from './servers.js';
import { isLauncher } from './shellFlags.js';
import type { ConfigList, ConfigMap, ConfigNode, Span } from './configNode.js';

/** Levels below which containers are looked for: JobSet has nine. */
const deepest = 14;

/** Keys of SkyPilot's tasks beside `run` (docs.skypilot.co, Task YAML). */
const taskKeys = ['resources', 'setup', 'num_nodes', 'workdir', 'file_mounts', 'envs', 'secrets', 'volumes'] as const;

/** Null for a file that is no job. */
export function jobCommand(root: ConfigMap, text: string): string | null {
  const run = scalarText(root, 'run');
  if (run !== null && taskKeys.some((key) => root.members.has(key)))
    return masked(text, [run.span], assignments(memberOf(root, 'envs')));
  // Tasks and services of dstack, lines of a script.
  const lines = scalarText(root, 'type') === null ? [] : itemsOf(root, 'commands');
  if (lines.length > 0) return masked(text, lines, assignmentsIn(memberOf(root, 'env')));
  const services = memberOf(root, 'services');
  if (services?.kind === 'map') return serviceCommand(services, text);
  if (scalarText(root, 'apiVersion') === null || scalarText(root, 'kind') === null) return null;
  // RayJob: the program that is submitted to the cluster.
  const submitted = root.members.get('spec')?.value;
  const entry = submitted?.kind === 'map' ? scalarText(submitted, 'entrypoint') : null;
  if (entry !== null) return masked(text, [entry.span], []);
  for (const container of containersOf(root)) {
    const own = itemsOf(container, 'command');
    const words = [...own, ...itemsOf(container, 'args')];
    if (words.length === 0) continue;
    const server = own.length === 0 ? serverOf(container) : null;
    // A script of several lines stands by itself: what is before it is the shell that runs it.
    const script = words.find(({ start, end }) => isBlock(text, start) || text.slice(start, end).includes('\n'));
    return masked(
      text,
      script === undefined ? words : [script],
      listedAssignments(memberOf(container, 'env')),
      script === undefined ? { server } : null,
    );
  }
  return null;
}

/** The program of a container whose image serves by itself; null of others. */
function serverOf(container: ConfigMap): string | null {
  return isServerImage(scalarText(container, 'image')?.value ?? '') ? vllmImage : null;
}

/** The first service that runs a server's image, else the first that launches something (Compose Specification). */
function serviceCommand(services: ConfigMap, text: string): string | null {
  const all = [...services.members.values()].map(({ value }) => value).filter((value) => value.kind === 'map');
  const launches = (one: ConfigMap): boolean =>
    [...wordsOf(one, 'entrypoint'), ...wordsOf(one, 'command')].some(({ start, end }) =>
      text
        .slice(start, end)
        .split(/[\s"']+/)
        .some((word) => isLauncher(word)),
    );
  const service = all.find((one) => serverOf(one) !== null) ?? all.find(launches);
  if (service === undefined) return null;
  const entry = wordsOf(service, 'entrypoint');
  const words = [...entry, ...wordsOf(service, 'command')];
  if (words.length === 0) return null;
  return masked(text, words, assignmentsIn(memberOf(service, 'environment')), {
    server: entry.length > 0 ? null : serverOf(service),
  });
}

/** Of a list, or of one text. */
function wordsOf(map: ConfigMap, key: string): Span[] {
  const written = scalarText(map, key);
  return written === null ? itemsOf(map, key) : [written.span];
}

/** Level by level, as containers of workers and of what starts them are equally deep. */
function* containersOf(root: ConfigMap): Generator<ConfigMap> {
  let left: number = limits.jobNodes;
  let level: readonly ConfigNode[] = [root];
  for (let depth = 0; depth <= deepest && level.length > 0; depth++) {
    const below: ConfigNode[] = [];
    for (const node of level) {
      if (left-- <= 0) return;
      if (node.kind === 'map') yield* listOf(node, 'containers').filter((item) => item.kind === 'map');
      if (node.kind === 'list') for (const item of node.items.slice(0, left)) below.push(item);
      if (node.kind === 'map') for (const { value } of node.members.values()) if (below.length <= left) below.push(value);
    }
    level = below.filter(({ kind }) => kind !== 'scalar');
  }
}

function memberOf(map: ConfigMap, key: string): ConfigNode | undefined {
  return map.members.get(key)?.value;
}

function scalarText(map: ConfigMap, key: string): { value: string; span: Span } | null {
  const node = memberOf(map, key);
  return node?.kind === 'scalar' && typeof node.value === 'string' ? { value: node.value, span: node.span } : null;
}

function listOf(map: ConfigMap, key: string): ConfigList['items'] {
  const node = memberOf(map, key);
  return node?.kind === 'list' ? node.items : [];
}

/** Where the words of a command are. */
function itemsOf(container: ConfigMap, key: string): Span[] {
  return listOf(container, key)
    .slice(0, limits.jobNodes)
    .filter((item) => item.kind === 'scalar')
    .map(({ span }) => span);
}

function isBlock(text: string, start: number): boolean {
  return text.charAt(start) === '|' || text.charAt(start) === '>';
}

/** Words that need no quotation marks: other values are left to the job. */
const plain = /^[\w./:@%+,=-]*$/;

function assignments(node: ConfigNode | undefined): string[] {
  if (node?.kind !== 'map') return [];
  return [...node.members.values()].flatMap(({ key, value }) => assignmentOf(key, value));
}

function listedAssignments(node: ConfigNode | undefined): string[] {
  if (node?.kind !== 'list') return [];
  return node.items.flatMap((item) => {
    const name = item.kind === 'map' ? scalarText(item, 'name') : null;
    return item.kind === 'map' && name !== null ? assignmentOf(name.value, memberOf(item, 'value')) : [];
  });
}

/** Of a map, or of a list of `NAME=VALUE`. */
function assignmentsIn(node: ConfigNode | undefined): string[] {
  if (node?.kind !== 'list') return assignments(node);
  return node.items.flatMap((item) => {
    const written = item.kind === 'scalar' && typeof item.value === 'string' ? item.value : '';
    const at = written.indexOf('=');
    return at < 1
      ? []
      : assignmentOf(written.slice(0, at), { ...item, kind: 'scalar', value: written.slice(at + 1), isQuoted: true });
  });
}

function assignmentOf(name: string, value: ConfigNode | undefined): string[] {
  const text = value?.kind === 'scalar' && value.value !== null ? String(value.value) : null;
  return text !== null && plain.test(text) && /^[A-Za-z_]\w{0,100}$/.test(name) ? [`${name}=${text}\n`] : [];
}

/**
 * The text with blanks for all that is not in one of the spans. Assignments go in front, into the blanks, as far as there is room.
 * @param command where the spans are words of one command, rather than lines of a script: the program of its image, where they are its options alone
 */
function masked(
  text: string,
  spans: readonly Span[],
  environment: readonly string[],
  command: { server: string | null } | null = null,
): string {
  const isOneCommand = command !== null;
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    // Behind the sign of a block and what it says of its end.
    const from = isBlock(text, start) ? Math.max(start, text.indexOf('\n', start) + 1) : start;
    if (from < at || end <= from) continue;
    parts.push(blank(text.slice(at, from), isOneCommand), asShell(text.slice(from, end), text.charAt(start) === '>'));
    at = end;
  }
  const [lead = '', ...rest] = parts;
  let head = '';
  const server = command?.server == null ? '' : `${command.server} `;
  for (const line of environment) if (head.length + line.length + server.length < lead.length) head += line;
  if (head.length + server.length <= lead.length) head += server;
  return `${head}${lead.slice(head.length)}${rest.join('')}${blank(text.slice(at), false)}`;
}

/**
 * What a shell sees, with every place where it was: the lines of a folded block are one, and Kubernetes puts in `$(NAME)` what a shell would for `${NAME}`. A name that
 * the job does not set stays open in either.
 */
function asShell(text: string, isFolded: boolean): string {
  const named = text.replace(/\$\(([A-Za-z_]\w{0,100})\)/g, '${$1}');
  return isFolded ? named.replace(/\n(?=[^\n]*\S)/g, ' ') : named;
}

/** Lines stay lines unless words of one command are on either side. */
function blank(text: string, isWithin: boolean): string {
  return text.replace(isWithin ? /./gs : /[^\n]/g, ' ');
}
