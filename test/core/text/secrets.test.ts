import { describe, expect, it } from 'vitest';
import { isSecret, isSecretArgument, maskedText, withoutSecrets } from '../../../src/core/text/secrets.js';

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
    ['wandb_key', 'abc'],
    ['wandbKey', 'abc'],
    ['OPENAI_KEY', 'abc'],
    ['MYSQL_PWD', 'x'],
    ['PGPASSWORD', 'x'],
    ['RSYNC_PASSWORD', 'x'],
    ['SSHPASS', 'x'],
    ['pw', 'hunter2'],
    ['pwd', 'hunter2'],
    ['db_pw', 'hunter2'],
    ['passwd', 'x'],
    ['smtp-pass', 'x'],
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
    ['pad_token', '<pad>'],
    ['key_dim', '64'],
    ['sort_key', 'length'],
    ['storage_key', 'layers.0.weight'],
    ['hf_key', 'model.embed_tokens'],
    ['pw_conv', 'same'],
    ['conv.pw', 'same'],
    ['PWD', '/srv/ana'],
    ['OLDPWD', '/srv/ana'],
    ['monkey', 'x'],
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
    ['--wandb_key=abc123def', `--wandb_key=${maskedText}`],
    ['--password x', `--password ${maskedText}`],
    ['["mysql", "--password", "hunter2", "-h", "db"]', `["mysql", "--password", "${maskedText}", "-h", "db"]`],
    [`['--token', 'abc']`, `['--token', '${maskedText}']`],
    ['PASSWORD="hunter2" run', `PASSWORD="${maskedText}" run`],
    [`{'password': 'hunter2'}`, `{'password': '${maskedText}'}`],
    ['{"wandb_key":"hunter2"}', `{"wandb_key":"${maskedText}"}`],
    ['MYSQL_PWD=hunter2 mysql', `MYSQL_PWD=${maskedText} mysql`],
    ['PGPASSWORD=hunter2 psql', `PGPASSWORD=${maskedText} psql`],
    ['--pw hunter2', `--pw ${maskedText}`],
    ['sshpass=hunter2', `sshpass=${maskedText}`],
    ...(
      [
        ['sk', 'live'],
        ['sk', 'test'],
        ['rk', 'live'],
      ] as const
    ).map(([kind, mode]): [string, string] => [`${kind}_${mode}_${'aB3'.repeat(8)}`, maskedText]),
    [`npm_${'aB3'.repeat(12)}`, maskedText],
    [`pypi-${'aB3'.repeat(20)}`, maskedText],
    [`gsk_${'aB3'.repeat(12)}`, maskedText],
    [`r8_${'aB3'.repeat(12)}`, maskedText],
    [`glpat-${'aB3'.repeat(7)}`, maskedText],
    [`dop_v1_${'ab3'.repeat(20)}`, maskedText],
    [`shpat_${'ab3'.repeat(11)}`, maskedText],
    [`xoxb-${'123'.repeat(5)}`, maskedText],
    [`AIza${'aB3de'.repeat(7)}`, maskedText],
    [`eyJ${'aB3'.repeat(5)}.eyJ${'aB3'.repeat(5)}.${'aB3'.repeat(5)}`, maskedText],
    [`https://hooks.slack.com/services/T0/B0/${'aB3'.repeat(8)}`, `https://hooks.slack.com/services/${maskedText}`],
    ['-----BEGIN PGP PRIVATE KEY BLOCK-----\nlQ', maskedText],
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
    'multi-task-classification-head-of-2023',
    'risk-adjusted-return-prediction-v2',
    'sk-learn-contrib-imbalanced-learn',
    'npm_config_cache=/tmp',
    'pypi-mirror',
    'r8_conv',
    'key_dim=64 pw_conv=1 PWD=/srv',
    '--sort-key length',
    "['--pad-token', '<pad>', '--max-tokens', '5']",
    "{'eos_token': '</s>', 'pad_token': '<pad>'}",
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
      'sk-',
      'a_',
      "--password','",
      "password': '",
      '//hooks.slack.com/services/',
    ].map((part) => part.repeat(20_000));
    for (const text of long) expect(withoutSecrets(text).length).toBeLessThanOrEqual(text.length);
  });
});

describe('an argument of a command line', () => {
  it.each([
    ['--password', 'x'],
    ['--wandb_key', 'abc'],
    ['--hub-token', 'abc'],
    ['--token', 'abc'],
    ['-pw', 'hunter2'],
  ])('behind %s is a secret: %s', (before, value) => expect(isSecretArgument(before, value)).toBe(true));

  it.each([
    ['--password', '--verbose'],
    ['--pad-token', '<pad>'],
    ['--eos_token', 'word'],
    ['--max-tokens', '4096'],
    ['password', 'reset'],
    ['--tokenizer', 'meta-llama/Llama-3-8B'],
  ])('behind %s is none: %s', (before, value) => expect(isSecretArgument(before, value)).toBe(false));
});
