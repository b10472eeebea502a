/** A name for files, workloads and volumes: what DNS takes (RFC 1123) is taken everywhere, and nothing in it is expanded. */
const longestName = 50;

/** `Llama 3 70B` as `llama-3-70b`; `plan` where no letter or digit of ASCII is left. */
export function exportName(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, longestName).replace(/-$/, '') || 'plan';
}
