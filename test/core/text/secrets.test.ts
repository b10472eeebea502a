import { describe, expect, it } from 'vitest';
import { isSecret, maskedText, withoutSecrets } from '../../../src/core/text/secrets.js';

const token = `hf_${'aB3'.repeat(12)}`;

describe('a setting', () => {
  it.each([
    ['hub_token', token],
    ['token', 'f00dfeedc0ffee1234567890'],
    ['WANDB_API_KEY', 'abc'],
    ['wandbApiKey', 'abc'],
    ['wandb.api_key', 'abc'],
    ['neptune_api_token', 'abc'],
    ['aws_secret_access_key', 'abc'],
    ['AWS_ACCESS_KEY_ID', 'abc'],
    ['password', 'hunter2'],
    ['db.passwd', 'x'],
    ['pass', 'x'],
    ['mongo-password', 'x'],
    ['client_secret', 'x'],
    ['connection_string', 'x'],
    ['Authorization', 'Bearer x'],
  ])('%s is a secret', (key, value) => expect(isSecret(key, value)).toBe(true));

  it.each([
    ['hub_token', ''],
    ['bos_token', '<|begin_of_text|>'],
    ['eos_token', '</s>'],
    ['token', '<s>'],
    ['token', 'internationalization'],
    ['pad_token_id', '128001'],
    ['tokenizer', 'meta-llama/Llama-3-8B'],
    ['hub_token_usage', 'never'],
    ['num_key_value_heads', '8'],
    ['key', 'value'],
    ['keyword', 'x'],
    ['passes', '3'],
    ['bypass', 'x'],
    ['secretary', 'Ana'],
    ['max_tokens', '4096'],
  ])('%s = %s is none', (key, value) => expect(isSecret(key, value)).toBe(false));
});

describe('a text', () => {
  it.each([
    [`login(${token})`, `login(${maskedText})`],
    ['curl -H x ghp_0123456789012345678901234567890123', `curl -H x ${maskedText}`],
    ['AKIAIOSFODNN7EXAMPLE', maskedText],
    ['postgres://ana:pw123@db:5432/runs', `postgres://ana:${maskedText}@db:5432/runs`],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----', `${maskedText} RSA PRIVATE KEY-----`],
    ['python train.py --hub-token abc123def --lr 1e-4', `python train.py --hub-token ${maskedText} --lr 1e-4`],
    ['--token=abc123def', `--token=${maskedText}`],
    ['--wandb_api_key abc123def', `--wandb_api_key ${maskedText}`],
    ['mysql --password hunter22', `mysql --password ${maskedText}`],
    ['WANDB_API_KEY=abc123 NCCL_DEBUG=INFO torchrun', `WANDB_API_KEY=${maskedText} NCCL_DEBUG=INFO torchrun`],
    ['AWS_SECRET_ACCESS_KEY=abc/123+x', `AWS_SECRET_ACCESS_KEY=${maskedText}`],
    [`nvapi-${'aB3'.repeat(20)}`, maskedText],
    [`SG.${'aB3'.repeat(7)}.${'cD4'.repeat(12)}`, maskedText],
    ['AccountName=a;AccountKey=abc123DEF456==;EndpointSuffix=x', `AccountName=a;AccountKey=${maskedText};EndpointSuffix=x`],
    ['https://a.blob.core.windows.net/c?sv=1&sig=abcDEF123456%3D', `https://a.blob.core.windows.net/c?sv=1&sig=${maskedText}`],
    ['authorization: Bearer abcdef123456', `authorization: Bearer ${maskedText}`],
  ])('%s', (text, shown) => expect(withoutSecrets(text)).toBe(shown));

  it.each([
    'https://huggingface.co/meta-llama',
    'sk-learn',
    'model.layers.0',
    'hf_hub',
    's3://bucket/a@b',
    '--eos-token </s> --pad-token <pad>',
    '--max-tokens 4096',
    'the secret sauce',
    'password reset',
    '--use-api-key --lr 1',
    'tokenizer=x',
    'num_tokens=5',
  ])('is left alone: %s', (text) => expect(withoutSecrets(text)).toBe(text));

  it('takes linear time whatever is in it', () => {
    const long = [
      '-----BEGIN PRIVATE KEY-----',
      '://a:',
      'eyJaaaaaaaaaaaa.eyJ',
      'hf_',
      '--',
      '--api-key',
      'a-',
      'api_key= ',
      'bearer ',
    ].map((part) => part.repeat(20_000));
    for (const text of long) expect(withoutSecrets(text).length).toBeLessThanOrEqual(text.length);
  });
});
