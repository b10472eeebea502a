/** hyparquet's own reading of a footer, as `asyncBufferFromFile` and `parquetMetadataAsync` do it. usage: hyparquetMetadata FILE */
import { asyncBufferFromFile, parquetMetadataAsync } from 'hyparquet';

async function main(file: string) {
  const begin = performance.now();
  const metadata = await parquetMetadataAsync(await asyncBufferFromFile(file));
  const workMs = performance.now() - begin;
  const chunks = metadata.row_groups.reduce((sum, { columns }) => sum + columns.length, 0);
  return { workMs, samples: Number(metadata.num_rows), chunks };
}

main(process.argv[2] ?? '').then(
  (result) => process.stdout.write(JSON.stringify(result)),
  (error: unknown) => {
    process.stderr.write(String(error));
    process.exitCode = 1;
  },
);
