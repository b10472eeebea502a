/**
 * NeMo's .nemo (nemo/core/connectors/save_restore_connector.py): a tar archive of `model_config.yaml`, tokenizer files, and the weights as
 * `model_weights.ckpt` of torch.save or as a distributed checkpoint in `model_weights/`. All are read in place.
 */
import type { ByteSource } from '../bytes/byteSource.js';
import { FormatError } from '../bytes/formatError.js';
import { limits } from '../bytes/limits.js';
import { decodeText } from '../bytes/text.js';
import { sliceSource } from '../bytes/sliceSource.js';
import { baseName, parentPath } from '../files/paths.js';
import { defineFormat, type RolesByName } from '../formats/fileFormat.js';
import { codeOfYaml } from '../formats/loaderCode/targetCode.js';
import { noteArchiveCode } from '../formats/loaderCode/archiveCode.js';
import { FileImports } from '../formats/pickle/imports/fileImports.js';
import type { FileSink } from '../formats/sink/fileSink.js';
import { nestedSink } from '../formats/sink/nestedSink.js';
import { sinkWith } from '../formats/sink/sinkWith.js';
import { readTar, type TarMember } from '../formats/tar.js';
import { readTorchFile } from '../formats/torch/torchFile.js';
import { componentOfPath } from '../tensors/componentOfPath.js';
import { distributedFiles } from './fileSets/distributedFiles.js';
import type { FileSetAccess } from './fileSets/fileSet.js';

export const nemoFormat = defineFormat({
  id: 'nemo',
  label: 'tar',
  names: [{ extensions: ['nemo'], isOwn: true }],
  role: 'model',
  component: 'weights',
  tensors: componentOfPath,
  checks: 'NeMo archives: headers of the members, torch files and indexes inside',
  read: readNemoArchive,
});

/**
 * Lists the tensors of the archive's members; bytes of other members belong to the component that their names tell.
 * @throws FormatError `unsupported` for a compressed archive, and what `readTar` throws
 */
async function readNemoArchive(source: ByteSource, sink: FileSink, roles: RolesByName): Promise<string> {
  const head = await source.read(0, Math.min(2, source.sizeBytes), sink.signal);
  if (head[0] === 0x1f && head[1] === 0x8b)
    throw new FormatError('unsupported', 'the archive is compressed with gzip', { offset: 0 });
  const { members, expectedBytes } = await readTar(source, sink.signal);
  if (members.length === 0) throw new FormatError('not-this-format', 'a tar archive without members', { offset: 0 });
  await sink.turn();
  if (expectedBytes > source.sizeBytes)
    sink.finding({
      code: 'file-truncated',
      offset: source.sizeBytes,
      facts: { expectedBytes, bytes: source.sizeBytes },
    });
  const archive = new Archive(
    source,
    sink,
    roles,
    members.filter((member) => member.isFile && member.offset + member.bytes <= source.sizeBytes),
  );
  await archive.list();
  noteArchiveCode(members, 'a program that unpacks the archive; NeMo imports the class that model_config.yaml names', sink);
  return 'tar';
}

class Archive {
  private readonly byName: ReadonlyMap<string, number>;

  constructor(
    private readonly source: ByteSource,
    private readonly sink: FileSink,
    private readonly roles: RolesByName,
    private readonly members: readonly TarMember[],
  ) {
    this.byName = new Map(members.map(({ name }, index) => [name, index]));
  }

  async list(): Promise<void> {
    const distributed = this.members.find(({ name }) => baseName(name) === '.metadata');
    const root = distributed === undefined ? undefined : parentPath(distributed.name);
    const ofSet: string[] = [];
    const imports = new FileImports(this.sink);
    for (const member of this.members) {
      const { name } = member;
      if (root !== undefined && parentPath(name) === root && (baseName(name) === '.metadata' || name.endsWith('.distcp')))
        ofSet.push(name);
      else if (this.roles.of(name).reader === 'torch') await this.guard(member, () => this.readTorch(member));
      else {
        this.claim(member);
        if (/\.ya?ml$/i.test(name)) await this.readYaml(member);
        await imports.scanPart(this.sourceOf(member), name, member.offset);
      }
    }
    await imports.report(this.sink);
    if (distributed === undefined || root === undefined) return;
    const paths = [distributed.name, ...ofSet.filter((name) => name !== distributed.name)];
    await this.guard(distributed, () => distributedFiles.read({ root, paths }, this.access()));
  }

  private claim({ name, headerOffset, offset, bytes }: TarMember): void {
    this.sink.claim(headerOffset, offset + bytes - headerOffset, this.roles.of(name).component);
  }

  /** Configs name the classes that NeMo instantiates, and may name anything. */
  private async readYaml(member: TarMember): Promise<void> {
    const { offset, bytes } = member;
    if (bytes > limits.codeTextBytes)
      return this.sink.finding({ code: 'code-not-checked', offset, facts: { bytes, detail: 'larger than what is read' } });
    const text = decodeText(await this.sourceOf(member).read(0, bytes, this.sink.signal));
    for (const finding of codeOfYaml(text)) this.sink.finding({ ...finding, offset });
  }

  private async readTorch(member: TarMember): Promise<void> {
    await readTorchFile(this.sourceOf(member), this.sinkOf(member));
  }

  private sourceOf({ offset, bytes }: TarMember): ByteSource {
    return sliceSource(this.source, offset, bytes);
  }

  private sinkOf({ name, offset }: TarMember): FileSink {
    return sinkWith(nestedSink(this.sink, offset, []), { classify: this.roles.of(name).tensors });
  }

  /** One damaged member does not take the others with it. */
  private async guard({ name, offset, bytes }: TarMember, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!FormatError.is(error) || error.code === 'cancelled' || error.code === 'io') throw error;
      this.sink.finding({ code: 'header-corrupt', offset, facts: { detail: `${name}: ${error.detail}` } });
      this.sink.unexplained(offset, bytes);
    }
  }

  private member(path: string): TarMember {
    const member = this.members[this.byName.get(path) ?? -1];
    if (member === undefined) throw new FormatError('io', `${path} is not in the archive`);
    return member;
  }

  /** The members as the files of a set; pieces that name a member by its position become stretches of the archive. */
  private access(): FileSetAccess {
    const sinkOf = (path: string): FileSink => {
      const member = this.member(path);
      const inner = this.sinkOf(member);
      return {
        ...inner,
        tensor: (tensor) => {
          const pieces = tensor.pieces.map(({ file, offset, ...rest }) => ({
            ...rest,
            offset: offset + (this.members[file ?? -1] ?? member).offset,
          }));
          this.sink.tensor({ ...tensor, pieces });
        },
      };
    };
    return {
      signal: this.sink.signal,
      unpackBudget: this.sink.unpackBudget,
      entry: (path) => {
        const member = this.members[this.byName.get(path) ?? -1];
        return member === undefined ? undefined : { path, sizeBytes: member.bytes, modifiedMs: null };
      },
      fileNumber: (path) => this.byName.get(path),
      read: (path, offset, length) => this.sourceOf(this.member(path)).read(offset, length, this.sink.signal),
      withSource: (path, use) => use(this.sourceOf(this.member(path))),
      sinkOf,
      describe: () => undefined,
      turn: () => Promise.resolve(),
      guard: (path, work) => this.guard(this.member(path), work),
      // Members of the archive are no files of the listing.
      giveBack: () => undefined,
      onProgress: () => undefined,
    };
  }
}
