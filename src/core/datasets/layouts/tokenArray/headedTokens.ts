/** Shards of llm.c and modded-nanogpt. */
import { parseTokenFile, TOKEN_HEADER_BYTES } from '../../../formats/llmc/tokenFile.js';
import { bytesOfElements } from '../../../tensors/dtype.js';
import type { DatasetAccess } from '../../datasetLayout.js';
import { splitOf } from '../../splitName.js';
import { sizeFinding } from '../../sizeFinding.js';

/** @param head the file's first 1,024 bytes */
export async function readHeadedTokens(
  path: string,
  head: Uint8Array,
  turn: () => Promise<void>,
  access: DatasetAccess,
): Promise<void> {
  const header = parseTokenFile(head);
  const zeros = await access.contentError(path, TOKEN_HEADER_BYTES);
  if (zeros !== undefined) throw zeros;
  await turn();
  const sizeBytes = access.entry(path)?.sizeBytes ?? 0;
  const split = splitOf(path);
  const common = { path, ...(split === undefined ? {} : { split }) };
  if (header.kind === 'evaluation') {
    access.describe(path, { format: 'llm.c evaluation', role: 'examples', restKind: 'values' });
    access.bytes(path, 'framing', TOKEN_HEADER_BYTES);
    access.shard({ ...common, samples: header.examples, tokens: null, columns: [] });
    return;
  }
  const { dtype } = header;
  const itemBytes = bytesOfElements(dtype, 1) ?? 2;
  const expectedBytes = TOKEN_HEADER_BYTES + header.tokens * itemBytes;
  const tokens = Math.min(header.tokens, Math.floor((sizeBytes - TOKEN_HEADER_BYTES) / itemBytes));
  access.describe(path, { format: 'llm.c tokens', role: 'tokens', restKind: 'framing' });
  if (sizeBytes !== expectedBytes) {
    const detail = `${header.tokens} tokens take ${expectedBytes} bytes, the file has ${sizeBytes}`;
    access.finding({ path, ...sizeFinding({ expectedBytes, bytes: sizeBytes, detail }) });
    access.bytes(path, 'unexplained', Math.max(0, sizeBytes - expectedBytes));
  }
  access.upperBound(path, { samples: null, tokens: Math.max(header.tokens, tokens) });
  const bytes = tokens * itemBytes;
  access.span({ path, offset: TOKEN_HEADER_BYTES, bytes, dtype, role: 'tokens' });
  access.shard({
    ...common,
    samples: null,
    tokens,
    columns: [{ name: 'tokens', type: `array<${dtype}>`, dtype, role: 'tokens', values: tokens, bytes, logicalBytes: bytes }],
  });
  access.tokenMethod('number of tokens in the header of each shard, no more than the file has room for');
}
