// The page of a picture that is laid out while the text changes.
import { expect, test } from 'vitest';
import { Changes } from '../../src/schematic/webview/changes';

test('a change that comes after a picture is one since then, one before is not', () => {
  const changes = new Changes();
  changes.happened();
  const first = changes.sinceNow();
  expect(first()).toBe(false);
  changes.happened();
  const second = changes.sinceNow();
  expect([first(), second()]).toEqual([true, false]);
});
