import { homedir } from 'node:os';
import path from 'node:path';
import { limits } from '../../core/bytes/limits.js';
import { type EnvironmentValues, givenText } from '../environmentValues.js';
import { readRegularText } from '../regularFile.js';

/** The name of the profile that holds: the chosen one, that of the environment, or null for the default. */
export function profileName(chosen: string | null, environment: EnvironmentValues): string | null {
  return chosen ?? givenText(environment['AWS_PROFILE']);
}

/** A profile of both shared files; that of the credentials goes first. Empty where there is none. */
export async function readAwsProfile(name: string, environment: EnvironmentValues): Promise<EnvironmentValues> {
  const sections = name === 'default' ? ['default', 'profile default'] : [`profile ${name}`];
  return { ...(await readAwsSection(sections, environment)), ...(await readSection(credentialsFile(environment), [name])) };
}

/** Settings of sections of the shared config, such as `sso-session name`. */
export function readAwsSection(names: readonly string[], environment: EnvironmentValues): Promise<EnvironmentValues> {
  return readSection(environment['AWS_CONFIG_FILE'] ?? path.join(awsFolder(), 'config'), names);
}

/** Where the programs of AWS keep what they know of a user. */
export function awsFolder(): string {
  return path.join(homedir(), '.aws');
}

function credentialsFile(environment: EnvironmentValues): string {
  return environment['AWS_SHARED_CREDENTIALS_FILE'] ?? path.join(awsFolder(), 'credentials');
}

/** Values of a section of an INI file, those of nested settings (indented lines) left out. */
async function readSection(file: string, names: readonly string[]): Promise<EnvironmentValues> {
  const content = await readRegularText(file, limits.awsProfileBytes).catch(() => '');
  const values = Object.create(null) as Record<string, string>;
  let isIn = false;
  for (const line of content.split(/\r?\n/)) {
    if (line.startsWith('[')) isIn = names.includes(sectionName(line));
    const at = line.indexOf('=');
    if (!isIn || at < 0 || /^[\s#;[]/.test(line)) continue;
    values[line.slice(0, at).trim().toLowerCase()] = line.slice(at + 1).trim();
  }
  return values;
}

/** `[profile my-name]`; a name may be in quotes. */
function sectionName(line: string): string {
  const inner = line.slice(1, Math.max(1, line.indexOf(']')));
  return inner.trim().replace(/\s+/g, ' ').replaceAll('"', '').replaceAll("'", '');
}
