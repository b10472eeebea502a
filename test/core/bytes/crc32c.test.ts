import { expect, it } from 'vitest';
import { crc32c } from '../../../src/core/bytes/crc32c.js';
import { utf8 } from '../../builders/byteWriter.js';

it('is the checksum of RFC 3720', () => {
  expect(crc32c(utf8('123456789'))).toBe(0xe3069283);
  expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa);
  expect(crc32c(new Uint8Array(32).fill(0xff))).toBe(0x62a8ab43);
  expect(crc32c(new Uint8Array(0))).toBe(0);
});
