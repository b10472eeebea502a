import { homedir } from 'node:os';
import path from 'node:path';
import { FormatError } from '../../../core/bytes/formatError.js';
import { type EnvironmentValues, givenText } from '../../environmentValues.js';
import { readRegularText } from '../../regularFile.js';
import type { HubAccess } from '../stores/hubStore.js';

const tokenBytes = 64 * 1024;

/**
 * The Hub and the token as `huggingface_hub` finds them (its environment variables, and the file that `hf auth login` writes).
 * @param ownToken where the environment has none
 * @throws FormatError `io` for an HF_ENDPOINT that is no address
 */
export async function hubAccess(environment: EnvironmentValues, ownToken: string | null = null): Promise<HubAccess> {
  const endpoint = (givenText(environment['HF_ENDPOINT']) ?? 'https://huggingface.co').replace(/\/+$/, '');
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol) || new URL(endpoint).search !== '')
    throw new FormatError('io', 'HF_ENDPOINT is no address of a Hub');
  return { endpoint, token: (await tokenOf(environment)) ?? ownToken };
}

async function tokenOf(environment: EnvironmentValues): Promise<string | null> {
  const isOff = /^(1|on|yes|true)$/i.test(environment['HF_HUB_DISABLE_IMPLICIT_TOKEN'] ?? '');
  if (isOff) return null;
  const set = givenText(environment['HF_TOKEN']) ?? givenText(environment['HUGGING_FACE_HUB_TOKEN']);
  if (set !== null) return set;
  const cache = givenText(environment['XDG_CACHE_HOME']) ?? path.join(homedir(), '.cache');
  const home = givenText(environment['HF_HOME']) ?? path.join(cache, 'huggingface');
  const file = givenText(environment['HF_TOKEN_PATH']) ?? path.join(home, 'token');
  return givenText(await readRegularText(file, tokenBytes).catch(() => ''));
}
