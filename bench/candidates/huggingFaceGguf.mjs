/** @huggingface/gguf on a local file. usage: huggingFaceGguf.mjs PACKAGES FILE */
import { createRequire } from 'node:module';
import path from 'node:path';

const [packages = '', file = ''] = process.argv.slice(2);
const { gguf } = createRequire(path.join(packages, 'package.json'))('@huggingface/gguf');

const begin = performance.now();
try {
  const { tensorInfos } = await gguf(file, { allowLocalFile: true });
  process.stdout.write(JSON.stringify({ workMs: performance.now() - begin, tensors: tensorInfos.length }));
} catch (error) {
  process.stdout.write(JSON.stringify({ workMs: performance.now() - begin, tensors: 0, error: String(error) }));
}
