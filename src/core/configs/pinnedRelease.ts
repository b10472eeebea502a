/** Which release of transformers a project asks for: requirements.txt, pyproject.toml or environment.yml beside a config or above it, or the script's own lines. */
import type { ConfigAccess, ConfigFile } from './configKind.js';

/** The releases whose ways of loading differ: before 5, and from 5 on. */
export interface PinnedRelease {
  major: 4 | 5;
  /** What is asked for, as it is written: `transformers==4.51.3`. */
  requirement: string;
  /** The file that asks for it, as seen from the config. */
  path: string;
}

/** Files that name what a project needs, of pip, of Python projects and of conda. */
const files = ['requirements.txt', 'pyproject.toml', 'environment.yml', 'environment.yaml'] as const;

/** Characters of such a file that are looked at. */
const mostCharacters = 200_000;

/** Null where none says it, or what is said allows both. The nearest file that decides it counts; the config's own lines go before. */
export async function pinnedTransformers(
  { name, text, document }: ConfigFile,
  access: ConfigAccess,
): Promise<PinnedRelease | null> {
  const own = document.syntax === 'python' ? ownRequirements(text) : document.syntax === 'shell' ? installedIn(text) : '';
  const pinned = pinIn(own, name);
  if (pinned !== null) return pinned;
  let nearest: { levels: number; release: PinnedRelease } | null = null;
  for (const file of files) {
    const found = await access.read(file);
    const release = found === null ? null : pinIn(found.text.slice(0, mostCharacters), found.path);
    const levels = found === null ? 0 : found.path.split(/[\\/]/).length;
    if (release !== null && (nearest === null || levels < nearest.levels)) nearest = { levels, release };
  }
  return nearest?.release ?? null;
}

/** Dependencies at the head of a script (packaging.python.org, Inline script metadata). */
function ownRequirements(text: string): string {
  const start = text.indexOf('# /// script');
  const end = start === -1 ? -1 : text.indexOf('\n# ///', start + 1);
  return end === -1 ? '' : text.slice(start, Math.min(end, start + mostCharacters)).replace(/^#[ \t]?/gm, '');
}

/** Lines of a script that install packages. */
function installedIn(text: string): string {
  return text
    .slice(0, mostCharacters)
    .split('\n')
    .filter((line) => /\b(?:pip3?|uv|conda|mamba)\b[^#\n]{0,200}\binstall\b/.test(line))
    .join('\n');
}

/** What all mentions in a text come to; null where they differ, or leave it open. */
function pinIn(text: string, path: string): PinnedRelease | null {
  const uncommented = text.replace(/(^|[ \t])#[^\n]*/gm, '$1');
  const mentions = [...uncommented.matchAll(/(?<![\w./-])transformers(?![\w-])(?:\[[\w ,.-]{0,100}\])?([^;\n]{0,120})/g)];
  const releases = mentions.flatMap((match) => {
    const written = requirementIn(match[1] ?? '');
    const major = written === null ? null : majorOf(written);
    return written === null || major === null ? [] : [{ major, requirement: `transformers${written}`, path }];
  });
  const [first] = releases;
  return first === undefined || releases.some(({ major }) => major !== first.major) ? null : first;
}

/** The versions behind a name: `>=4.51,<5`, ` = "^4.51"` and `= {version = "…"}` of Poetry, `=4.51` of conda, ` @ git+…@v4.51.3`. */
function requirementIn(rest: string): string | null {
  const poetry = /^\s*=\s*(?:\{[^}]{0,80}\bversion\s*=\s*)?["']([^"']{1,60})["']/.exec(rest)?.[1];
  if (poetry !== undefined) return /^\d/.test(poetry) ? `==${poetry}` : poetry;
  const tag = /^\s*@\s*git\+[^\s"']{1,100}@v(\d[\w.]{0,20})/.exec(rest)?.[1];
  if (tag !== undefined) return `==${tag}`;
  return /^\s*([=<>!~^][=<>!~^\d.*,\s\w]{0,60})/.exec(rest)?.[1]?.trim() ?? null;
}

/** Null for what allows releases on both sides of 5. */
function majorOf(requirement: string): 4 | 5 | null {
  let isBelow = false;
  let isAbove = false;
  for (const clause of requirement.split(',')) {
    const match = /^\s*(===?|=|>=|>|<=|<|~=|~|\^)\s*(\d{1,4})((?:\.(?:\d{1,4}|\*))*)/.exec(clause);
    if (match === null) continue;
    const [, operator = '', first = '', rest = ''] = match;
    const major = Number(first);
    const isFirstOfMajor = /^(?:\.0|\.\*)*$/.test(rest);
    if (operator === '<') isBelow ||= major < 5 || (major === 5 && isFirstOfMajor);
    else if (operator === '<=') isBelow ||= major < 5;
    else if (operator === '>=' || operator === '>') isAbove ||= major >= 5;
    else if (major < 5) isBelow = true;
    else isAbove = true;
  }
  return isBelow === isAbove ? null : isBelow ? 4 : 5;
}
