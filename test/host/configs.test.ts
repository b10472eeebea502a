import * as vscode from 'vscode';
import { settingIds } from '../../src/host/ids.js';
import { commandIds } from '../../src/host/manifest/commandIds.js';
import { assertEqual, assertTrue } from './support/assert.js';
import { closeAllEditors, inWorkspace, stowage, waitFor } from './support/extension.js';
import { note } from './support/runMocha.js';

/** Names of files that are beside a config and not the config itself. */
const besides = ['PROVENANCE.md', 'README.md'];

async function filesBelow(folder: vscode.Uri): Promise<vscode.Uri[]> {
  const entries = await vscode.workspace.fs.readDirectory(folder);
  return entries
    .filter(([name, type]) => type === vscode.FileType.File && !besides.includes(name))
    .map(([name]) => vscode.Uri.joinPath(folder, name));
}

/** Titles of our line above a document. */
async function lensesOf(uri: vscode.Uri): Promise<string[]> {
  await stowage();
  await vscode.workspace.openTextDocument(uri);
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 10);
  return lenses.flatMap(({ command }) => (command?.command === commandIds.estimate ? [command.title] : []));
}

async function cardAt(uri: vscode.Uri, position: vscode.Position): Promise<vscode.MarkdownString | undefined> {
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', uri, position);
  return hovers
    .flatMap(({ contents }) => contents)
    .filter((content) => content instanceof vscode.MarkdownString)
    .find(({ value }) => value.includes(`command:${commandIds.estimate}`));
}

/** The card over a word of a document. */
async function cardOver(uri: vscode.Uri, word: string): Promise<string> {
  await stowage();
  const document = await vscode.workspace.openTextDocument(uri);
  const offset = document.getText().indexOf(word);
  assertTrue(offset !== -1, `${word} is not in ${uri.path}`);
  return (await cardAt(uri, document.positionAt(offset + 1)))?.value ?? '';
}

const anyWord = /[A-Za-z_][\w-]{2,}/g;
/** A key is the first word of its line. */
const firstWords = /^\W*[A-Za-z_][\w-]{2,}/gm;

/** The first card that a document has over the last letter of what is matched, looked for from its start as a reader would. */
async function anyCard(uri: vscode.Uri, words: RegExp): Promise<vscode.MarkdownString | undefined> {
  const document = await vscode.workspace.openTextDocument(uri);
  for (const match of document.getText().slice(0, 20_000).matchAll(words)) {
    const card = await cardAt(uri, document.positionAt(match.index + match[0].length - 1));
    if (card !== undefined) return card;
  }
  return undefined;
}

/** Waits until our diagnostics of a document satisfy. */
async function diagnosticsOf(uri: vscode.Uri, satisfied: (codes: string[]) => boolean): Promise<vscode.Diagnostic[]> {
  const find = (): vscode.Diagnostic[] | undefined => {
    const ours = vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'stowage');
    return satisfied(ours.map(({ code }) => (typeof code === 'string' ? code : ''))) ? ours : undefined;
  };
  return waitFor(vscode.languages.onDidChangeDiagnostics, find, `diagnostics of ${uri.path}`);
}

/** A config that is written for one test. */
async function written(name: string, text: string): Promise<vscode.Uri> {
  const uri = inWorkspace('written-configs', name);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  return uri;
}

/** Applies the quick fix of a finding and answers the text after it. */
async function fixed(uri: vscode.Uri, code: string): Promise<string> {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document);
  const [diagnostic] = (await diagnosticsOf(uri, (codes) => codes.includes(code))).filter((found) => found.code === code);
  assertTrue(diagnostic !== undefined, `no ${code}`);
  const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    'vscode.executeCodeActionProvider',
    uri,
    diagnostic.range,
  );
  const action = actions.find(({ edit, title }) => edit !== undefined && /^(Add|Change to) /.test(title));
  assertTrue(action?.edit !== undefined, `no fix for ${code}: ${actions.map(({ title }) => title).join()}`);
  assertTrue(await vscode.workspace.applyEdit(action.edit), 'the fix is not applied');
  await diagnosticsOf(uri, (codes) => !codes.includes(code));
  const text = document.getText();
  await document.save();
  return text;
}

describe('configs', () => {
  afterEach(closeAllEditors);

  it('have a line above and a card in a config of every kind', async () => {
    const folders = await vscode.workspace.fs.readDirectory(inWorkspace('configs'));
    const silent: string[] = [];
    for (const [name, type] of folders) {
      if (type !== vscode.FileType.Directory) continue;
      const uris = await filesBelow(inWorkspace('configs', name));
      const titles = (await Promise.all(uris.map(lensesOf))).flat();
      if (titles.length === 0 || !titles.every((title) => /checkpoint .*B\/param|^Plan storage$/.test(title)))
        silent.push(`${name}: ${titles.join()}`);
      let card: vscode.MarkdownString | undefined;
      for (const uri of uris) card ??= await anyCard(uri, anyWord);
      if (card === undefined) silent.push(`${name} has no card`);
      else if (card.value.split('\n').length > 12) silent.push(`${name} has a long card: ${card.value}`);
    }
    assertEqual(silent, [], 'kinds without a word');
    assertTrue(folders.length >= 20, `only ${folders.length} kinds`);
  });

  it('say what a key is worth', async () => {
    const uri = inWorkspace('configs', 'train-megatron-llama3-8b', 'train_llama3_8b.sh');
    const card = await cardOver(uri, '--num-layers');
    assertTrue(card.includes('8,030,261,248 parameters'), card);
    assertTrue(card.includes('one more layer = +218,112,000 parameters, +3.05 GB a checkpoint'), card);
    assertEqual(await cardOver(uri, '--lr-decay-style'), '', 'a key that does not matter');
    const started = performance.now();
    for (let times = 0; times < 20; times++) await cardOver(uri, '--num-layers');
    note(`a warm card: ${((performance.now() - started) / 20).toFixed(1)} ms, with the editor's own way to it`);
  });

  it('say what a model takes that is served, and plan no storage for it', async () => {
    const uri = await written('serve.sh', 'vllm serve meta-llama/Llama-3.1-8B --max-model-len 8192 --max-num-seqs 16\n');
    assertEqual(await lensesOf(uri), ['8.03 B parameters · weights 16.1 GB · cache 131 kB a token'], 'the line above');
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 10);
    assertEqual(lenses.filter(({ command }) => command?.command === commandIds.plan).length, 0, 'lenses of plans');
    const card = await cardOver(uri, '--max-model-len');
    assertTrue(
      card.includes(
        'Weights in memory **16.1 GB** (bf16, assumed) + 131 kB of cache a token, 1.07 GB at 8,192, 17.2 GB for 16 sequences',
      ),
      card,
    );
  });

  it('say nothing of other files', async () => {
    for (const uri of await filesBelow(inWorkspace('other-files'))) {
      assertEqual(await lensesOf(uri), [], uri.path);
      assertEqual(await anyCard(uri, firstWords), undefined, uri.path);
    }
  });

  it('follow what is typed, and can be turned off', async () => {
    const uri = await written(
      'typed.json',
      JSON.stringify({
        dim: 4096,
        n_layers: 32,
        n_heads: 32,
        n_kv_heads: 8,
        vocab_size: 128256,
        multiple_of: 1024,
        ffn_dim_multiplier: 1.3,
      }),
    );
    assertEqual((await lensesOf(uri))[0]?.split(' · ')[0], '8.03 B parameters', 'before');
    const document = await vscode.workspace.openTextDocument(uri);
    const edit = new vscode.WorkspaceEdit();
    const at = document.getText().indexOf('32');
    edit.replace(uri, new vscode.Range(document.positionAt(at), document.positionAt(at + 2)), '16');
    await vscode.workspace.applyEdit(edit);
    assertEqual((await lensesOf(uri))[0]?.split(' · ')[0], '4.54 B parameters', 'after');
    const settings = vscode.workspace.getConfiguration();
    await settings.update(settingIds.codeLens, false, vscode.ConfigurationTarget.Global);
    assertEqual(await lensesOf(uri), [], 'turned off');
    await settings.update(settingIds.codeLens, undefined, vscode.ConfigurationTarget.Global);
    await document.save();
  });

  it('mark what will hurt, with a fix where one is safe', async () => {
    const trainer = 'per_device_train_batch_size: 4\nlearning_rate: 1.0e-4\nmax_steps: 100000\n';
    const endless = await written('endless.yaml', `${trainer}save_steps: 100 # often\n`);
    const limited = await fixed(endless, 'every-checkpoint-kept');
    assertTrue(limited.includes('save_steps: 100 # often\nsave_total_limit: 3\n'), `no limit: ${limited}`);
    const resumed = await written(
      'resumed.yaml',
      `${trainer}save_only_model: true\nresume_from_checkpoint: out/checkpoint-100\n`,
    );
    assertTrue((await fixed(resumed, 'weights-only-cannot-resume')).includes('save_only_model: false\n'), 'the state is saved');
    const sharded = await written(
      'ds_config.json',
      JSON.stringify(
        { train_batch_size: 32, bf16: { enabled: true }, zero_optimization: { stage: 3, overlap_comm: true } },
        null,
        2,
      ),
    );
    const gathered = JSON.parse(await fixed(sharded, 'sharded-weights-not-gathered')) as {
      zero_optimization: Record<string, unknown>;
    };
    assertEqual(gathered.zero_optimization['stage3_gather_16bit_weights_on_model_save'], true, 'weights are gathered');
  });

  it('offer no fix for a script, whose flags are their own values', async () => {
    const flags =
      '--per_device_train_batch_size 1 --learning_rate 1e-4 --output_dir out --save_only_model --resume_from_checkpoint out/c';
    const script = await written('launch.sh', `torchrun train.py ${flags}\n`);
    await vscode.workspace.openTextDocument(script);
    const [found] = await diagnosticsOf(script, (codes) => codes.includes('weights-only-cannot-resume'));
    assertTrue(found !== undefined, 'no mark');
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      script,
      found.range,
    );
    assertEqual(actions.filter(({ title }) => /^(Add|Change to) /.test(title)).length, 0, 'fixes');
  });

  it('mark a vocabulary that the data cannot hold, and values that are none', async () => {
    const olmo = new TextDecoder().decode(
      await vscode.workspace.fs.readFile(inWorkspace('configs', 'train-olmo-1b', 'OLMo-1B.yaml')),
    );
    const uri = await written(
      'large-vocabulary.yaml',
      olmo.replace('vocab_size: 50280', 'vocab_size: 100278').replace('embedding_size: 50304', 'embedding_size: 100352'),
    );
    await vscode.workspace.openTextDocument(uri);
    await diagnosticsOf(uri, (codes) => codes.includes('vocabulary-exceeds-token-dtype'));
    const negative = await written('negative.json', JSON.stringify({ dim: -4096, n_layers: 32, n_heads: 32, vocab_size: 1 }));
    await vscode.workspace.openTextDocument(negative);
    await diagnosticsOf(negative, (codes) => codes.includes('value-unusable'));
  });
});
