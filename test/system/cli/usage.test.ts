/** What the command line says of itself, as its users see it. */
import { describe, expect, it } from 'vitest';
import { stowage } from './stowage.js';

describe('the usage of the command line', () => {
  it.each([['--help'], ['-h'], ['help']])('is printed by %s', (flag) => {
    const { status, stdout } = stowage(flag);
    expect(status).toBe(0);
    for (const command of ['inspect', 'estimate', 'plan', 'bandwidth'])
      expect(stdout).toMatch(new RegExp(`stowage ${command} [^[]{1,200}\\[`));
    expect(stdout).toContain('exit codes: 0');
  });

  it.each(['inspect', 'estimate', 'plan', 'bandwidth'])('of %s has each of the flags that are called', (command) => {
    const { status, stdout } = stowage(command, '--help');
    expect(status).toBe(0);
    const [synopsis = '', , ...rest] = stdout.split('\n\n');
    const explained = rest.join('\n');
    const flags = new Set(synopsis.match(/--[a-z-]+/g));
    expect(flags.size).toBeGreaterThan(3);
    for (const flag of flags) expect(explained).toContain(flag);
  });

  it('is that of the command where its flags are wrong, and of all where there is no such command', () => {
    expect(stowage('plan', '--faster')).toMatchObject({ status: 2, stdout: '' });
    expect(stowage('plan', '--faster').stderr).toContain('--preset NAME');
    expect(stowage('plan', '--faster').stderr).not.toContain('--tokenizer');
    expect(stowage('sail').stderr).toContain('there is no command sail');
    expect(stowage().stderr).toContain('a command is missing');
  });

  it.each([
    ['inspect', ''],
    ['inspect', 'README.md', ''],
    ['estimate', ''],
    ['runs', ''],
    ['retention', ''],
    ['verify', ''],
    ['values', ''],
    ['compare', 'README.md', ''],
    ['plan', ''],
    ['bandwidth', ''],
  ])('refuses an empty path, which a variable that is not set leaves: %j', (...args) => {
    const { status, stdout, stderr } = stowage(...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain('stowage: a path is empty');
  });

  it.each(['hf://gpt2', 'https://user:hush@host/file'])('says what bandwidth takes in place of %s', (address) => {
    const { status, stderr } = stowage('bandwidth', address, '--yes');
    expect(status).toBe(2);
    expect(stderr).toContain('s3://bucket/prefix');
    expect(stderr).not.toContain('hush');
  });

  it.each([
    ['retention', 'README.md', '--policy'],
    ['runs', '--telemetry'],
    ['verify', 'README.md', '--against'],
    ['plan', '--sites'],
    ['inspect', 'README.md', '--part'],
  ])('refuses a flag with an empty value: %s', (...args) => {
    const { status, stdout, stderr } = stowage(...args, '');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(`${args.at(-1)} is empty`);
  });
});
