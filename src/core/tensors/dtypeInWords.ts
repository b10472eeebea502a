import { visibleText } from '../text/visibleText.js';

/** `uint16` for `u16`: in sentences dtypes have the names that numpy and Megatron write. */
export function dtypeInWords(dtype: string): string {
  const [, kind, bits] = /^([ui])(8|16|32|64)$/.exec(dtype) ?? [];
  if (kind !== undefined) return `${kind === 'u' ? 'uint' : 'int'}${bits}`;
  return visibleText(dtype);
}
