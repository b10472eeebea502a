import { expect, it } from 'vitest';
import { addressesIn } from '../../../../src/core/files/remote/addressesIn.js';

const of = (text: string, most = 100) => addressesIn(text, most).map(({ start, end }) => text.slice(start, end));

it('addresses of stores are found in configs and scripts of every kind', () => {
  expect(of('{"base_model": "hf://meta-llama/Llama-3.1-8B@main", "save": "s3://bucket/run-7/"}')).toEqual([
    'hf://meta-llama/Llama-3.1-8B@main',
    's3://bucket/run-7/',
  ]);
  expect(of('save_folder: gs://my-bucket/runs/{run_name}\nload: az://container/step-5 # see hf://org/name.')).toEqual([
    'gs://my-bucket/runs/',
    'az://container/step-5',
    'hf://org/name',
  ]);
  expect(of("torchrun train.py --save='abfs://c01@account.dfs.core.windows.net/a' --load s3://bucket/$RUN")).toEqual([
    'abfs://c01@account.dfs.core.windows.net/a',
  ]);
});

it('what names nothing is none, and there is a most', () => {
  expect(of('s3:// hf://datasets x-s3://.. s3://bucket/../a https://example.com file:///a')).toEqual([]);
  expect(of('s3://bb/1 s3://bb/2 s3://bb/3', 2)).toEqual(['s3://bb/1', 's3://bb/2']);
  expect(of(`s3://${'a'.repeat(100_000)}`)).toEqual([]);
});
