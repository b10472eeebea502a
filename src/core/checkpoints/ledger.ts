/**
 * The byte account: every byte of every file belongs to one component. Tensors claim the extents in which they lie, layouts claim
 * what they know, what nobody understands is `unexplained`, and the rest of a file is its framing. Sums are exact by
 * construction: a sweep over each file never counts a byte twice and never one that is not there.
 */
import type { ComponentTotals } from './checkpointReport.js';
import { componentIds, tensorParts, type ComponentId, type TensorPart } from '../tensors/component.js';
import type { TensorTable } from '../tensors/tensorTable.js';
import type { FilePart, Parts } from './parts.js';

export interface FileAccount {
  tensorBytes: Partial<Record<ComponentId, number>>;
  otherBytes: Partial<Record<ComponentId, number>>;
}

export interface Ledger {
  totalBytes: number;
  /** In the order of `parts.files`. */
  files: FileAccount[];
  components: Partial<Record<ComponentId, ComponentTotals>>;
}

/** A stretch of a file that is not a tensor's piece. */
interface Claim {
  offset: number;
  bytes: number;
  component: ComponentId;
}

/** Accounts for every byte of the parts. */
export function accountBytes(parts: Pick<Parts, 'files' | 'tensors'>): Ledger {
  const totals = new Totals();
  const pieces = piecesByFile(parts.tensors, parts.files.length);
  const files = parts.files.map((file, index) => {
    const account = accountFile(file, parts.tensors, pieces, index, totals);
    totals.addFile(account);
    return account;
  });
  totals.countTensors(parts.tensors);
  return { totalBytes: parts.files.reduce((sum, file) => sum + file.sizeBytes, 0), files, components: totals.components };
}

/** Pieces sorted by file (counting sort): piece numbers of file f are order[starts[f] .. starts[f + 1]). */
interface PiecesByFile {
  order: Uint32Array;
  starts: Uint32Array;
  rows: Uint32Array;
}

function piecesByFile(table: TensorTable, fileCount: number): PiecesByFile {
  return sortedPieces(table, fileCount) ?? sortPieces(table, fileCount);
}

/** The usual case of formats without storages: one piece a tensor, file after file. Then nothing has to be sorted. */
function sortedPieces(table: TensorTable, fileCount: number): PiecesByFile | undefined {
  if (table.pieceCount !== table.size) return undefined;
  const starts = new Uint32Array(fileCount + 1);
  let file = 0;
  for (let row = 0; row < table.size; row++) {
    if (table.endPieceOf(row) !== row + 1 || table.pieceFile(row) < file) return undefined;
    while (file < table.pieceFile(row)) starts[++file] = row;
  }
  starts.fill(table.size, file + 1);
  const identity = new Uint32Array(table.size);
  for (let row = 0; row < table.size; row++) identity[row] = row;
  return { order: identity, starts, rows: identity };
}

function sortPieces(table: TensorTable, fileCount: number): PiecesByFile {
  const starts = new Uint32Array(fileCount + 1);
  const rows = new Uint32Array(table.pieceCount);
  for (let row = 0; row < table.size; row++) {
    for (let piece = table.firstPieceOf(row); piece < table.endPieceOf(row); piece++) {
      rows[piece] = row;
      const next = table.pieceFile(piece) + 1;
      starts[next] = (starts[next] ?? 0) + 1;
    }
  }
  for (let file = 0; file < fileCount; file++) starts[file + 1] = (starts[file + 1] ?? 0) + (starts[file] ?? 0);
  const cursors = starts.slice();
  const order = new Uint32Array(table.pieceCount);
  for (let piece = 0; piece < table.pieceCount; piece++) {
    const file = table.pieceFile(piece);
    const at = cursors[file] ?? 0;
    order[at] = piece;
    cursors[file] = at + 1;
  }
  return { order, starts, rows };
}

/** Piece numbers of a file by offset; writers store them in order, so that sorting is the exception. */
function piecesInOrder(table: TensorTable, pieces: PiecesByFile, index: number): Uint32Array {
  const own = pieces.order.subarray(pieces.starts[index], pieces.starts[index + 1]);
  for (let at = 1; at < own.length; at++) {
    if (table.pieceOffset(own[at] as number) < table.pieceOffset(own[at - 1] as number)) {
      return own.slice().sort((a, b) => table.pieceOffset(a) - table.pieceOffset(b) || a - b);
    }
  }
  return own;
}

function claimsInOrder(file: FilePart): Claim[] {
  const unexplained = file.unexplained.map((span): Claim => ({ ...span, component: 'unexplained' }));
  return [...file.claims, ...unexplained].sort((a, b) => a.offset - b.offset);
}

/**
 * Sweeps over a file: each byte goes to the first tensor that covers it, else to the first claim that does, and extents are cut at
 * the end of the file. A claim around tensors is what lies between them: the archive of a stored object.
 */
function accountFile(file: FilePart, table: TensorTable, pieces: PiecesByFile, index: number, totals: Totals): FileAccount {
  const account: FileAccount = { tensorBytes: {}, otherBytes: {} };
  const order = piecesInOrder(table, pieces, index);
  const claims = claimsInOrder(file);
  let cursor = 0;
  let covered = 0;
  const take = (offset: number, length: number): number => {
    const start = Math.max(offset, cursor);
    const end = Math.min(offset + length, file.sizeBytes);
    if (end <= start) return 0;
    cursor = end;
    covered += end - start;
    return end - start;
  };
  let nextClaim = 0;
  const takeClaimsBefore = (offset: number): void => {
    for (let claim = claims[nextClaim]; claim !== undefined && claim.offset < offset; claim = claims[++nextClaim]) {
      const end = claim.offset + claim.bytes;
      add(account.otherBytes, claim.component, take(claim.offset, Math.min(end, offset) - claim.offset));
      if (end > offset) return;
    }
  };
  // Neighbours are nearly always of one kind: their bytes are summed before they are booked.
  let runGroup = -1;
  let runRow = 0;
  let runBytes = 0;
  const endRun = (): void => {
    if (runBytes === 0) return;
    add(account.tensorBytes, table.componentOf(runRow), runBytes);
    totals.addPart(table.componentOf(runRow), table.partOf(runRow), runBytes);
    runBytes = 0;
  };
  for (const piece of order) {
    if (claims.length > 0) takeClaimsBefore(table.pieceOffset(piece));
    const bytes = take(table.pieceOffset(piece), table.pieceSize(piece));
    const row = pieces.rows[piece] ?? 0;
    if (table.hasCompressedPieces && bytes === table.pieceSize(piece))
      totals.addLogical(table.componentOf(row), table.pieceLogicalSize(piece) - bytes);
    if (bytes === 0) continue;
    if (table.groupOf(row) !== runGroup) {
      endRun();
      runGroup = table.groupOf(row);
      runRow = row;
    }
    runBytes += bytes;
  }
  endRun();
  takeClaimsBefore(Infinity);
  if (covered < file.sizeBytes) add(account.otherBytes, framingComponent(file, account), file.sizeBytes - covered);
  return account;
}

/** Framing belongs to the one component of its file; where several share a file, or the file is a container's, it is the container's. */
function framingComponent(file: FilePart, account: FileAccount): ComponentId {
  if (file.component === 'container') return 'container';
  const components = Object.keys(account.tensorBytes) as ComponentId[];
  if (components.length === 1) return components[0] as ComponentId;
  return components.length === 0 ? file.component : 'container';
}

class Totals {
  readonly components: Partial<Record<ComponentId, ComponentTotals>> = {};

  addPart(component: ComponentId, part: TensorPart, bytes: number): void {
    const totals = this.of(component);
    const parts = (totals.parts ??= {});
    parts[part] = (parts[part] ?? 0) + bytes;
  }

  /** What a compressed piece holds beyond the bytes that it takes. */
  addLogical(component: ComponentId, bytes: number): void {
    this.of(component).logicalBytes += bytes;
  }

  addFile(account: FileAccount): void {
    for (const component of componentIds) {
      const tensorBytes = account.tensorBytes[component] ?? 0;
      const otherBytes = account.otherBytes[component] ?? 0;
      if (tensorBytes + otherBytes === 0) continue;
      const totals = this.of(component);
      totals.tensorBytes += tensorBytes;
      totals.logicalBytes += tensorBytes;
      totals.otherBytes += otherBytes;
      totals.files += 1;
    }
  }

  countTensors(table: TensorTable): void {
    const counts = new Uint32Array(componentIds.length * tensorParts.length);
    for (let row = 0; row < table.size; row++) counts[table.groupOf(row)] = (counts[table.groupOf(row)] as number) + 1;
    counts.forEach((count, group) => {
      if (count > 0) this.of(componentIds[Math.floor(group / tensorParts.length)] as ComponentId).tensors += count;
    });
    for (const totals of Object.values(this.components)) if (Object.keys(totals.parts ?? {}).length < 2) delete totals.parts;
  }

  private of(component: ComponentId): ComponentTotals {
    return (this.components[component] ??= { tensorBytes: 0, otherBytes: 0, logicalBytes: 0, tensors: 0, files: 0 });
  }
}

function add(into: Partial<Record<ComponentId, number>>, component: ComponentId, bytes: number): void {
  if (bytes > 0) into[component] = (into[component] ?? 0) + bytes;
}
