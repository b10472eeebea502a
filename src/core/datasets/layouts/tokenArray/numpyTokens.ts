/** Tokens in NumPy's own files: the header says everything. */
import { FormatError } from '../../../bytes/formatError.js';
import { elementCount } from '../../../bytes/checkedInteger.js';
import { baseName } from '../../../files/paths.js';
import { readNpyHeader, type NpyHeader } from '../../../formats/numpy/npyHeader.js';
import { readNumpyMembers, type NumpyMember } from '../../../formats/numpy/numpyArchive.js';
import { isNotRead, isStored } from '../../../formats/zipRecord.js';
import { isTokenName, kindOfRole, roleOfColumn } from '../../columnRole.js';
import type { DatasetAccess } from '../../datasetLayout.js';
import type { ShardColumn } from '../../datasetParts.js';
import { splitOf } from '../../splitName.js';
import type { ColumnRole } from '../../datasetReport.js';
import { isIndexName, isTokenArray, nameInArchive } from './tokenNames.js';
import { sizeFinding } from '../../sizeFinding.js';

/** One array in one file. */
export async function readNumpy(path: string, turn: () => Promise<void>, access: DatasetAccess): Promise<void> {
  const header = await access.withSource(path, (source) =>
    readNpyHeader((length) => source.read(0, Math.min(length, source.sizeBytes), access.signal)),
  );
  if (header === undefined)
    throw new FormatError('truncated', 'the file ends in its header', { offset: access.entry(path)?.sizeBytes ?? 0 });
  const zeros = await access.contentError(path, header.headerBytes);
  if (zeros !== undefined) throw zeros;
  await turn();
  const sizeBytes = access.entry(path)?.sizeBytes ?? 0;
  const expectedBytes = header.dataBytes === undefined ? sizeBytes : header.headerBytes + header.dataBytes;
  access.describe(path, { format: 'npy', role: 'array', restKind: 'framing' });
  if (sizeBytes !== expectedBytes) {
    const detail = `${expectedBytes} bytes by its header, ${sizeBytes} in the file`;
    access.finding({ path, ...sizeFinding({ expectedBytes, bytes: sizeBytes, detail }) });
    if (sizeBytes > expectedBytes) access.bytes(path, 'unexplained', sizeBytes - expectedBytes);
  }
  const { headerBytes, dtype, isBigEndian } = header;
  const isTokens = isTokenArray(nameOfArray(path), header);
  const name = isTokens ? columnOfFile(path) : nameOfArray(path);
  if (isTokens && !isBigEndian && sizeBytes >= expectedBytes)
    access.span({ path, offset: headerBytes, bytes: expectedBytes - headerBytes, dtype, role: 'tokens' });
  addArrays(path, [toArray(name, header, header.dataBytes ?? 0, isTokens ? 'tokens' : otherRole(name, header))], access);
}

/** The name of an array in a file of its own. */
export function nameOfArray(path: string): string {
  return baseName(path).replace(/\.npy$/, '');
}

/** Of integers that are no tokens: masks and labels by their names. */
function otherRole(name: string, header: NpyHeader): ColumnRole {
  const role = isIntegers(header) ? roleOfColumn(name, 'integers') : 'value';
  return role === 'tokens' ? 'value' : role;
}

/** The array's name, where the file's is one (`input_ids.npy`). Names of splits and numbered shards are none: all hold one column. */
function columnOfFile(path: string): string {
  const name = nameOfArray(path);
  return /\d$/.test(name) || splitOf(name) === name ? 'tokens' : name;
}

/** Several arrays in an archive: tokens by their names, else the only ones that may be. */
export async function readNumpyArrays(path: string, turn: () => Promise<void>, access: DatasetAccess): Promise<void> {
  const { members, others } = await access.withSource(path, (source) => readNumpyMembers(source, access));
  await turn();
  access.describe(path, { format: 'npz', role: 'arrays', restKind: 'framing' });
  const readable: { member: NumpyMember; header: NpyHeader }[] = [];
  for (const member of members) {
    if (FormatError.is(member.header))
      access.finding({
        code: isNotRead(member.header) ? 'unsupported-version' : 'shard-corrupt',
        path,
        offset: member.entry.headerOffset,
        facts: { detail: `${member.name}: ${member.header.detail}` },
      });
    else readable.push({ member, header: member.header });
    if (!FormatError.is(member.header)) compareMember(path, member, member.header, access);
    else access.bytes(path, 'unexplained', member.entry.compressedBytes);
  }
  for (const entry of others) access.bytes(path, 'unexplained', entry.compressedBytes);
  const hasNamed = readable.some(({ member, header }) => isTokenName(member.name) && isIntegers(header));
  const arrays = readable.map(({ member, header }) => {
    const isTokens = hasNamed
      ? isTokenName(member.name) && isIntegers(header)
      : isTokenArray(nameInArchive(path, member.name), header);
    return toArray(
      member.name,
      header,
      Math.max(0, member.entry.compressedBytes - (isStored(member.entry) ? header.headerBytes : 0)),
      isTokens ? 'tokens' : otherRole(member.name, header),
    );
  });
  if (arrays.every(({ column }) => column.role !== 'tokens'))
    access.notDone(`tokens of ${path}: no array is one by its name, dtype and shape`);
  addArrays(path, arrays, access);
}

function compareMember(path: string, { entry, name }: NumpyMember, header: NpyHeader, access: DatasetAccess): void {
  if (header.dataBytes === undefined) return;
  const expectedBytes = header.headerBytes + header.dataBytes;
  if (entry.bytes === expectedBytes) return;
  const detail = `${name} has ${entry.bytes} bytes, its header speaks of ${expectedBytes}`;
  access.finding({ code: 'shard-corrupt', path, offset: entry.headerOffset, facts: { detail } });
}

interface FoundArray {
  column: ShardColumn;
  shape: readonly number[];
}

function isIntegers({ dtype, shape }: NpyHeader): boolean {
  return /^[iu](8|16|32|64)$/.test(dtype) && (shape.length === 1 || shape.length === 2);
}

function toArray(name: string, header: NpyHeader, bytes: number, role: ColumnRole): FoundArray {
  const { dtype, shape } = header;
  // The number of rows is the shard's own.
  const type = shape.length < 2 ? `array<${dtype}>` : `array<${dtype}>[n, ${shape.slice(1).join(', ')}]`;
  const values = elementCount(shape) ?? null;
  return { shape, column: { name, type, dtype, role, values, bytes, logicalBytes: header.dataBytes ?? null } };
}

function addArrays(path: string, arrays: readonly FoundArray[], access: DatasetAccess): void {
  const tokenArrays = arrays.filter(({ column }) => column.role === 'tokens');
  const tokens = tokenArrays.reduce((sum, { column }) => sum + (column.values ?? 0), 0);
  const rows = tokenArrays.find(({ shape }) => shape.length === 2)?.shape[0];
  const split = splitOf(path);
  for (const { column } of arrays) if (column.role === 'value' && isIndexName(column.name)) moveToIndex(path, column, access);
  access.shard({
    path,
    samples: rows ?? null,
    tokens: tokenArrays.length === 0 || !Number.isSafeInteger(tokens) ? null : tokens,
    ...(split === undefined ? {} : { split }),
    columns: arrays.map(({ column }) => column),
  });
  access.tokenMethod('shapes of the arrays, and sizes of files of bare tokens over the width of a token');
}

/** What an index takes counts as index: taken off the values, where the shard puts it. */
function moveToIndex(path: string, column: ShardColumn, access: DatasetAccess): void {
  if (kindOfRole[column.role] !== 'values') return;
  access.bytes(path, 'index', column.bytes ?? 0);
  column.bytes = null;
}
