/** Object headers, versions 1 and 2 (HDF5 File Format Specification, IV.A): the messages that describe a group or a dataset. */
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import type { Fields, Hdf5Bytes } from './hdf5Bytes.js';

export const message = {
  dataspace: 0x01,
  linkInfo: 0x02,
  datatype: 0x03,
  link: 0x06,
  externalFiles: 0x07,
  layout: 0x08,
  filters: 0x0b,
  attribute: 0x0c,
  continuation: 0x10,
  symbolTable: 0x11,
} as const;

export interface Message {
  type: number;
  /** The data are elsewhere: a datatype that several datasets share. */
  isShared: boolean;
  data: Fields;
}

/** Prefix of version 1. */
const FIRST_BYTES = 16;
const CHECKSUM_BYTES = 4;
/** Prefix of version 2 at most: signature, version, flags, times, phase change, size of the first block. */
const PREFIX_BYTES = 34;

/**
 * All messages of the object at an address.
 * @throws FormatError `corrupt`, `truncated`, `unsupported`
 */
export async function readObjectHeader(file: Hdf5Bytes, address: number): Promise<Message[]> {
  const prefix = await file.read(address, Math.min(PREFIX_BYTES, Math.max(0, file.fileBytes - file.offsetOf(address))));
  const version = prefix.u8();
  if (version === 1) return readVersion1(file, address, prefix);
  prefix.at = 0;
  prefix.expect('OHDR');
  return readVersion2(file, address, prefix);
}

interface Block {
  address: number;
  bytes: number;
}

async function readVersion1(file: Hdf5Bytes, address: number, prefix: Fields): Promise<Message[]> {
  prefix.skip(1);
  const count = prefix.u16();
  prefix.skip(4);
  const first = { address: address + FIRST_BYTES, bytes: prefix.u32() };
  return readBlocks(file, first, (fields, messages) => {
    while (messages.length < count && fields.left >= 8) {
      const type = fields.u16();
      const bytes = fields.u16();
      const flags = fields.u8();
      fields.skip(3);
      addMessage(messages, { type, isShared: (flags & 2) !== 0, data: fields.part(bytes) });
    }
  });
}

/** `start` is behind the signature of the prefix. */
async function readVersion2(file: Hdf5Bytes, address: number, start: Fields): Promise<Message[]> {
  start.skip(1);
  const flags = start.u8();
  if ((flags & 0x20) !== 0) start.skip(16);
  if ((flags & 0x10) !== 0) start.skip(4);
  const bytes = start.uint(1 << (flags & 3));
  const first = { address: address + start.at, bytes };
  file.sums?.metadata(start.fileOffset, start.at + bytes + CHECKSUM_BYTES);
  const messageBytes = (flags & 4) === 0 ? 4 : 6;
  let isFirst = true;
  return readBlocks(file, first, (block, messages) => {
    let fields = block;
    // A continuation has a signature and a checksum of its own.
    if (!isFirst) {
      block.expect('OCHK');
      file.sums?.metadata(block.fileOffset, block.at + block.left);
      fields = block.part(Math.max(0, block.left - CHECKSUM_BYTES));
    }
    isFirst = false;
    while (fields.left >= messageBytes) {
      const type = fields.u8();
      const length = fields.u16();
      const messageFlags = fields.u8();
      fields.skip(messageBytes - 4);
      addMessage(messages, { type, isShared: (messageFlags & 2) !== 0, data: fields.part(length) });
    }
  });
}

function addMessage(messages: Message[], added: Message): void {
  if (messages.length === limits.hdf5Messages)
    throw new FormatError('limit-exceeded', `more than ${limits.hdf5Messages} messages in an object header`);
  messages.push(added);
}

/** Reads a header's first block and those that continue it. */
async function readBlocks(
  file: Hdf5Bytes,
  first: Block,
  parse: (fields: Fields, messages: Message[]) => void,
): Promise<Message[]> {
  const messages: Message[] = [];
  const blocks = [first];
  const seen = new Set<number>();
  let total = 0;
  for (let next = 0; next < blocks.length; next++) {
    const { address, bytes } = blocks[next] as Block;
    total += bytes;
    if (seen.has(address))
      throw new FormatError('corrupt', 'an object header continues in itself', { offset: file.offsetOf(address) });
    if (total > limits.hdf5StructureBytes) throw new FormatError('limit-exceeded', `an object header of ${total} bytes`);
    seen.add(address);
    const from = messages.length;
    parse(await file.read(address, bytes), messages);
    for (const { type, data } of messages.slice(from)) {
      if (type !== message.continuation) continue;
      const continued = data.address();
      if (continued !== undefined) blocks.push({ address: continued, bytes: data.length() });
    }
  }
  return messages;
}
