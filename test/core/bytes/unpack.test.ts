/** Compressions that Node does not have, against what Python's modules packed. */
import { ofBeginning } from '../../../src/core/bytes/unpackBudget.js';
import { describe, expect, it } from 'vitest';
import { FormatError } from '../../../src/core/bytes/formatError.js';
import { unpack, type PackedFormat } from '../../../src/core/bytes/unpack.js';

const fromBase64 = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, 'base64'));

/** `b''.join(b'line %d of a text that repeats itself\n' % i for i in range(400)) + bytes(3000)` */
const lines = Array.from({ length: 400 }, (_, index) => `line ${index} of a text that repeats itself\n`).join('');
const plain = Buffer.concat([Buffer.from(lines), Buffer.alloc(3000)]);

const packed: [PackedFormat, Uint8Array][] = [
  [
    'bzip2',
    fromBase64(
      'QlpoOTFBWSZTWdXcA5wAE2lZiMAQQAB/4CNl3EAAAIAIUAQ+gD16lUqVcBFD9RqP/VKUiMEyYKNDQAAADSP9VJqk/8qo0AMgMP9Sn6o3qhoAABSqapkaYTaTBo01pjBGYRZhFkEWgRZ7sq5Z78fL5/5/vjkA7OgFiAbDQNA2EAsdAOzkA8UAHanQDxyAdnQCxANhoGgbCAWOgHZyAeKAC1EA8cgHZ0AsQDYaBoGwgFjoB2cgHigA2GgaBsIBY6AdnIB4oAP/qqriq4+tVVcVXHNVVcVXH199r33333334eOQDsxtttJJKUpAAAAAAAAAOKIhgzMyszMzMPHIG973veCVxU5k6rimjcqNG5UaNyo0blRo3KjRuVGpOq4qcydVxWa1zrMzMx4oBmZmVmZmZvfnnnnwy73KjRuVDbUqG2pUNtSobalQ21KhtqVDbUqG2pUznObzMzMv0u9AHigMu7u7PHNcVJ1Oa4qTqc1xUhVQKqBVQKqBVQKqBVTOc1kzMzFjoB2cgvLu7seSSSSQAAAAZznMzmZmX5d3a7u7vt3e7u773O9727v0AAAABJJJM1rWZm8zGgaBsILu8u7HQAAAAAM5zmZmdzLAbDQNF3d5djckkkkkkkkkkkkkkkkkma1rMzM7x0AsQDbve97nbu+AAAAAAc1rN73mZmdnQCxAN73ve+++8kkkkgAAANaNySVJX4kkqSvrJJF4CLQIugRegi6BFoEXoIsBFgIv0ItwRa6VQvYRbAi2BFkEX2CLyEWoRfQIsBFtCLaEXsvgu5IpwoSGruAc4A==',
    ),
  ],
  [
    'lzma',
    fromBase64(
      'XQAAgAD//////////wA2GkofCKAmA00Gne/tjKE/yDjPbYUvmmiZny/2wNKjAjboejd8I+/NQluM1mMDBfBSeJzgIH6OtYVo61Cy0Fm0YA4Pgx3E4Yv/3Jj9W5Vsw1irMDc+FAE9FuEFCBzpF/YJ19YgqmAKSW1kDgFMZZNVUtF96HZh/c11J8fTk9olyyLJcTYRzEzhixogYjJZutFKdCN7iNC6oRVn3EZbLZuq0tH8Zfk/knGxdGH/G5AsULttP2ugUuyT211BCHup0A+Xdse8jv1Fcolf15UuMtT7p1vHRN0k2WT4RUnprQEu7GTzHA3LFlHpME8scl+gTt0sPxgflQOgJZeiZG5NahyPUlHYt0TQM+29OOPKbcfKm4UQU3dSf9taZ4JfDBnoDjDAM2RmLZ3fPk7Sldp8VcDLnX6mBWEH9U2m92nL4M+ApKAMMfEVWsMQZbzTYlnWLelEpRBmQtlenJiEfU97Rw7gWbixxZP+KSyZbS7G4bjB6XN12z3EJ5QcJbP/5rrR4A==',
    ),
  ],
  [
    'xz',
    fromBase64(
      '/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4Eg5AXpdADYaSh8IoCYDTQad7+2MoT/IOM9thS+aaJmfL/bA0qMCNuh6N3wj781CW4zWYwMF8FJ4nOAgfo61hWjrULLQWbRgDg+DHcThi//cmP1blWzDWKswNz4UAT0W4QUIHOkX9gnX1iCqYApJbWQOAUxlk1VS0X3odmH9zXUnx9OT2iXLIslxNhHMTOGLGiBiMlm60Up0I3uI0LqhFWfcRlstm6rS0fxl+T+ScbF0Yf8bkCxQu20/a6BS7JPbXUEIe6nQD5d2x7yO/UVyiV/XlS4y1PunW8dE3STZZPhFSemtAS7sZPMcDcsWUekwTyxyX6BO3Sw/GB+VA6All6Jkbk1qHI9SUdi3RNAz7b0448ptx8qbhRBTd1J/21pngl8MGegOMMAzZGYtnd8+TtKV2nxVwMudfqYFYQf1Tab3acvgz4CkoAwx8RVawxBlvNNiWdYt6USlEGZC2V6cmIR9T3tHDuBZuLHFk/4pLJltLsbhuMHpc3XbPcQnU0OwAAAAAOq7JflVfkSpAAGWA7qQAQAcfA3ZscRn+wIAAAAABFla',
    ),
  ],
];

describe.each(packed)('%s', (compression, bytes) => {
  it('gives back what was packed', async () => {
    const unpacked = await unpack(bytes, compression, 1 << 20, ofBeginning(undefined));
    expect(unpacked.isWhole).toBe(true);
    expect(Buffer.compare(unpacked.bytes, plain)).toBe(0);
  });

  it('stops at the bound', async () => {
    const unpacked = await unpack(bytes, compression, 1000, ofBeginning(undefined));
    expect(unpacked.isWhole).toBe(false);
    expect(unpacked.bytes.byteLength).toBeLessThanOrEqual(1000);
  });

  it('every cut is an error or a part', async () => {
    for (let end = 0; end < bytes.byteLength; end++) {
      try {
        const part = await unpack(bytes.subarray(0, end), compression, 1 << 20, ofBeginning(undefined));
        expect(part.bytes.byteLength).toBeLessThanOrEqual(plain.byteLength);
      } catch (error) {
        expect(error).toBeInstanceOf(FormatError);
      }
    }
  });

  it('every changed byte is an error or other bytes', async () => {
    for (let at = 0; at < bytes.byteLength; at++) {
      const changed = Uint8Array.from(bytes);
      changed[at] = 0xff - (changed[at] as number);
      try {
        expect((await unpack(changed, compression, 1 << 16, ofBeginning(undefined))).bytes.byteLength).toBeLessThanOrEqual(
          1 << 16,
        );
      } catch (error) {
        expect(error).toBeInstanceOf(FormatError);
      }
    }
  });
});
