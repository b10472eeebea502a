import { describe, expect, it } from 'vitest';
import { previewCheck } from '../../src/core/bandwidth/checkPreview.js';
import { restoreOpened } from '../../webview/shared/openedState.js';
import { limits } from '../../src/core/bytes/limits.js';
import { readStreams } from '../../webview/bandwidth/readStreams.js';
import { amountKeys, derivedSetting, hiddenKeys, settingFields } from '../../webview/bandwidth/settingFields.js';
import { derivedText, readText } from '../../webview/shared/inputText.js';
import { checkSettings, targetFacts } from '../builders/bandwidthCheck.js';

const preview = previewCheck(checkSettings(), targetFacts(), null);

describe('settings of a check', () => {
  it('take only what a check takes', () => {
    for (const key of amountKeys) {
      const { minimum, maximum } = settingFields[key];
      for (const value of [minimum, maximum]) {
        // With one stream, so that the memory of all their blocks is not what refuses a large one.
        const checked = previewCheck(checkSettings({ streams: 1, [key]: value }), targetFacts(), null);
        expect(checked.refusal?.code, `${key} ${value}`).not.toBe('bad-setting');
      }
    }
  });

  it('read units', () => {
    expect(readText('112', settingFields.sizeBytes)).toEqual({ value: 112e9 });
    expect(readText('1 GiB', settingFields.spaceBytes)).toEqual({ value: 2 ** 30 });
    expect(readText('16', settingFields.blockBytes)).toEqual({ value: 16 * 2 ** 20 });
    expect(readText('', settingFields.streams)).toEqual({ value: null });
    expect(readText('', settingFields.repeats)).toHaveProperty('problem');
  });

  it('show what is used where nothing is set', () => {
    const shown = amountKeys.map((key) => {
      const derived = derivedSetting(key, preview);
      return derived === null ? '' : derivedText(derived, settingFields[key]);
    });
    expect(Object.fromEntries(amountKeys.map((key, index) => [key, shown[index]]))).toEqual({
      sizeBytes: '4.29',
      intervalSeconds: '60',
      seconds: '',
      spaceBytes: '4.29',
      repeats: '',
      streams: '8',
      blockBytes: '4',
      sustainedBytes: '300',
      sustainedSeconds: '5',
    });
    expect(derivedSetting('streams', null)).toBeNull();
  });
});

describe('a list of streams', () => {
  it.each([
    ['1,2,4', [1, 2, 4]],
    [' 8 , 1 ', [8, 1]],
    // As it is while the next one is typed.
    ['1, 2,', [1, 2]],
    ['0', [0]],
  ])('%j is %j', (text, streams) => expect(readStreams(text)).toEqual(streams));

  it.each(['', ',', 'two', '1;2', '1,,2', '-1', '1.5', '9999999', '1e3'])('%j is none', (text) =>
    expect(readStreams(text)).toBeNull(),
  );

  it('keeps one more than may be of many, so that they are refused', () => {
    const read = readStreams(Array.from({ length: 1e5 }, () => '1').join(','));
    expect(read).toHaveLength(limits.sweepPoints + 1);
  });
});

describe('inputs that are not shown', () => {
  it('are those of what is not asked for', () => {
    expect(hiddenKeys(checkSettings())).toEqual(['sweepStreams', 'sustainedBytes', 'sustainedSeconds']);
    expect(hiddenKeys(checkSettings({ replayOf: 'x', sweepStreams: [1, 2], isSustained: true }))).toEqual(['sizeBytes']);
  });
});

describe('restoreOpened', () => {
  it('leaves out what does not fit', () => {
    for (const saved of [undefined, null, 7, {}, { opened: null }, { opened: 'a' }]) expect(restoreOpened(saved)).toEqual({});
    expect(restoreOpened({ opened: { a: true, b: 'yes' } })).toEqual({ a: true });
  });
});
