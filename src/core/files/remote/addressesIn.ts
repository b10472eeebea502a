import { parseRemoteAddress } from './remoteAddress.js';

/** An address within a text. */
export interface AddressInText {
  start: number;
  end: number;
  address: string;
}

/** Up to a space, a quote or a sign that ends a value. Editors link addresses of web servers themselves. */
const inText = /\b(?:hf|s3a?|gs|az|abfss?):\/\/[^\s"'`<>|;,(){}[\]\\]{1,1000}/g;

/** Addresses of stores in a config or script, in their order; at most so many. A variable within one (`s3://bucket/$RUN`) leaves none. */
export function addressesIn(text: string, most: number): AddressInText[] {
  const found: AddressInText[] = [];
  for (const { 0: match, index } of text.matchAll(inText)) {
    // A sentence ends behind it.
    const address = match.replace(/[.:!?]+$/, '');
    if (found.length >= most) break;
    if (isAddress(address)) found.push({ start: index, end: index + address.length, address });
  }
  return found;
}

function isAddress(text: string): boolean {
  if (/[$*%]/.test(text)) return false;
  try {
    parseRemoteAddress(text);
    return true;
  } catch {
    return false;
  }
}
