/**
 * torch.save before 0.2: a tar of `sys_info`, `pickle`, `tensors` and `storages` (torch/serialization.py, legacy_load inside of
 * _legacy_load). Its members are accounted for; that it is one, and how to convert it, is a finding.
 */
import type { ByteSource } from '../../bytes/byteSource.js';
import { decodeLatin1 } from '../../bytes/text.js';
import { sliceSource } from '../../bytes/sliceSource.js';
import { FileImports } from '../pickle/imports/fileImports.js';
import type { FileSink } from '../sink/fileSink.js';
import { hasTarHeader, readTar } from '../tar.js';

const members = ['sys_info', 'pickle', 'tensors', 'storages'];
const NAME_BYTES = 64;
const HEADER_BYTES = 512;

/** By the name of the first member: any of the four, in the field that a tar begins with. */
export function isTorchTar(head: Uint8Array): boolean {
  const [name = '', ...rest] = decodeLatin1(head, 0, Math.min(NAME_BYTES, head.byteLength)).split('\0');
  return (
    members.includes(name) &&
    rest.every((part) => part === '') &&
    hasTarHeader(head.byteLength < HEADER_BYTES ? new Uint8Array(0) : head)
  );
}

/** @throws FormatError as `readTar` */
export async function readTorchTar(source: ByteSource, sink: FileSink): Promise<void> {
  const { members: found } = await readTar(source, sink.signal);
  const imports = new FileImports(sink);
  for (const { name, offset, bytes } of found) {
    const available = Math.max(0, Math.min(bytes, source.sizeBytes - offset));
    if (available > 0) await imports.scanPart(sliceSource(source, offset, available), name, offset);
  }
  await sink.turn();
  await imports.report(sink);
  let end = 0;
  let storageBytes = 0;
  for (const { name, offset, bytes } of found) {
    sink.claim(end, Math.min(offset, source.sizeBytes) - end, 'container');
    end = Math.min(offset + bytes, source.sizeBytes);
    if (name === 'storages') storageBytes += bytes;
    if (name === 'storages') sink.unexplained(offset, end - offset);
    else sink.claim(offset, end - offset, 'container');
  }
  sink.claim(end, source.sizeBytes - end, 'container');
  sink.finding({ code: 'torch-tar-file', offset: 0, facts: { bytes: storageBytes } });
}
