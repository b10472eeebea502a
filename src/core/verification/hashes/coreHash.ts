import { crc32cTables } from '../../bytes/crc32c.js';
import { crcTables, updateCrc } from '../../bytes/slicedCrc.js';
import { encodeText } from '../../bytes/text.js';
import { Adler32 } from './adler32.js';
import { Fletcher32 } from './fletcher32.js';
import { type CheckName, hexOf32, type RunningHash } from './hash.js';
import { HighwayHash64 } from './highwayHash64.js';
import { Lookup3 } from './lookup3.js';
import { Xxh64 } from './xxh64.js';

/** riegeli/chunk_encoding/hash.cc, kHashKey. */
const riegeliKey = encodeText('Riegeli/records\n'.repeat(2));

const crc32Tables = crcTables(0xedb88320);

/** The checksums that containers have of themselves. */
export function coreHash(name: CheckName): RunningHash {
  switch (name) {
    case 'crc32':
      return new Crc(crc32Tables);
    case 'crc32c':
      return new Crc(crc32cTables);
    case 'adler32':
      return new Adler32();
    case 'fletcher32':
      return new Fletcher32();
    case 'lookup3':
      return new Lookup3();
    case 'riegeli':
      return new HighwayHash64(riegeliKey);
    case 'xxh64':
      return new Xxh64();
  }
}

class Crc implements RunningHash {
  private value = 0xffffffff;

  constructor(private readonly tables: Uint32Array) {}

  update(bytes: Uint8Array): void {
    this.value = updateCrc(this.tables, this.value, bytes);
  }

  digest(): string {
    return hexOf32(~this.value);
  }
}
