/** Members of a group: symbol tables of the old style, link messages and heaps of links of the new one (IV.A.2.c, g, r; III.A.1, B, D). */
import { appendAll } from '../../bytes/appendAll.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { eachHeapObject } from './fractalHeap.js';
import type { Fields, Hdf5Bytes } from './hdf5Bytes.js';
import { message, type Message } from './objectHeader.js';

export interface Member {
  name: string;
  /** Of its object header. */
  address: number;
}

const HARD_LINK = 0;
const SOFT_LINK_CACHE = 2;

/** Members of the group whose header has these messages; undefined for an object that is no group. Soft and external links are left out. */
export async function membersOf(file: Hdf5Bytes, messages: readonly Message[]): Promise<Member[] | undefined> {
  let members: Member[] | undefined;
  for (const { type, data } of messages) {
    if (type === message.symbolTable) members = await readSymbolTable(file, data);
    else if (type === message.linkInfo) appendAll((members ??= []), await readLinkInfo(file, data));
    else if (type === message.link) appendAll((members ??= []), linkOf(file, data));
  }
  return members;
}

async function readLinkInfo(file: Hdf5Bytes, fields: Fields): Promise<Member[]> {
  fields.skip(1);
  const flags = fields.u8();
  if ((flags & 1) !== 0) fields.skip(8);
  const heap = fields.address();
  const index = fields.address();
  const members: Member[] = [];
  if (heap === undefined || index === undefined) return members;
  await eachHeapObject(file, heap, index, (link) => appendAll(members, linkOf(file, link)));
  return members;
}

const EXTERNAL_LINK = 64;

function linkOf(file: Hdf5Bytes, fields: Fields): [] | [Member] {
  fields.skip(1);
  const flags = fields.u8();
  const type = (flags & 8) === 0 ? HARD_LINK : fields.u8();
  if ((flags & 4) !== 0) fields.skip(8);
  if ((flags & 16) !== 0) fields.skip(1);
  const name = fields.text(fields.uint(1 << (flags & 3)));
  if (type === EXTERNAL_LINK && file.linkedFiles.size < limits.linkedFiles) {
    // Length, version and flags; then the names of the file and of the object, each with a zero behind it.
    const length = fields.u16();
    fields.skip(1);
    file.linkedFiles.add(fields.text(length - 1).slice(0, limits.objectTextLength));
  }
  const address = type === HARD_LINK ? fields.address() : undefined;
  return address === undefined ? [] : [{ name, address }];
}

async function readSymbolTable(file: Hdf5Bytes, fields: Fields): Promise<Member[]> {
  const tree = fields.address();
  const heapAddress = fields.address();
  if (tree === undefined || heapAddress === undefined) return [];
  const names = await readLocalHeap(file, heapAddress);
  const members: Member[] = [];
  const { lengthBytes } = file.sizes;
  for await (const child of eachTreeLeaf(file, tree, 0, lengthBytes))
    appendAll(members, await readSymbolNode(file, child.address, names));
  return members;
}

async function readLocalHeap(file: Hdf5Bytes, address: number): Promise<Fields> {
  const { offsetBytes, lengthBytes } = file.sizes;
  const fields = await file.read(address, 8 + 2 * lengthBytes + offsetBytes);
  fields.expect('HEAP');
  fields.skip(4);
  const bytes = fields.length();
  fields.skip(lengthBytes);
  const data = fields.address();
  if (data === undefined || bytes > limits.hdf5StructureBytes)
    throw new FormatError('corrupt', 'a damaged heap of names', { offset: file.offsetOf(address) });
  return file.read(data, bytes);
}

async function readSymbolNode(file: Hdf5Bytes, address: number, names: Fields): Promise<Member[]> {
  const { offsetBytes } = file.sizes;
  const prefix = await file.read(address, 8);
  prefix.expect('SNOD');
  prefix.skip(2);
  const count = prefix.u16();
  const entries = await file.read(address + 8, count * (2 * offsetBytes + 24));
  const members: Member[] = [];
  for (let index = 0; index < count; index++) {
    const nameAt = entries.uint(offsetBytes);
    const object = entries.address();
    const cache = entries.u32();
    entries.skip(20);
    if (object === undefined || cache === SOFT_LINK_CACHE) continue;
    if (nameAt >= names.bytes.byteLength)
      throw new FormatError('corrupt', 'a name lies outside of its heap', { offset: entries.fileOffset });
    names.at = nameAt;
    members.push({ name: names.text(names.left), address: object });
  }
  return members;
}

export interface TreeLeaf {
  address: number;
  /** The key before the child. */
  key: Fields;
}

/** Children of the lowest nodes of a version 1 B-tree (III.A.1), in order. `type` is 0 for groups, 1 for chunks. */
export async function* eachTreeLeaf(file: Hdf5Bytes, root: number, type: number, keyBytes: number): AsyncGenerator<TreeLeaf> {
  const { offsetBytes } = file.sizes;
  const headerBytes = 8 + 2 * offsetBytes;
  const seen = new Set<number>();
  const open = [root];
  let leaves = 0;
  for (let address = open.pop(); address !== undefined; address = open.pop()) {
    if (seen.has(address)) throw new FormatError('corrupt', 'an index contains itself', { offset: file.offsetOf(address) });
    seen.add(address);
    const header = await file.read(address, headerBytes);
    header.expect('TREE');
    const nodeType = header.u8();
    const level = header.u8();
    const count = header.u16();
    if (nodeType !== type) throw new FormatError('corrupt', 'an index of another kind', { offset: file.offsetOf(address) });
    const entries = await file.read(address + headerBytes, count * (keyBytes + offsetBytes));
    const children: number[] = [];
    for (let index = 0; index < count; index++) {
      const key = entries.part(keyBytes);
      const child = entries.address();
      if (child === undefined) continue;
      if (level > 0) children.push(child);
      else {
        leaves += 1;
        if (leaves > limits.hdf5Objects)
          throw new FormatError('limit-exceeded', `more than ${limits.hdf5Objects} chunks or members`);
        yield { address: child, key };
      }
    }
    for (const child of children.reverse()) open.push(child);
  }
}
