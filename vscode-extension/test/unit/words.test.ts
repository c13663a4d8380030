// What a double click selects, and what completion and rename take for a word.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

function words(language: string, line: string): string[] {
  const path = new URL(`../../language-configuration/${language}.json`, import.meta.url);
  const { wordPattern } = JSON.parse(readFileSync(path, 'utf8')) as { wordPattern: string };
  return line.match(new RegExp(wordPattern, 'g')) ?? [];
}

test.each([
  ['aiger', '12 2 7', ['12', '2', '7']],
  ['aiger', 'l0 count[0]', ['l0', 'count[0]']],
  ['blif', '.names a[0] $abc$4$n57_ \\esc y<3> # note', ['.names', 'a[0]', '$abc$4$n57_', '\\esc', 'y<3>', 'note']],
  ['blif', '.subckt child x=a.b y=^out~0', ['.subckt', 'child', 'x', 'a.b', 'y', '^out~0']],
])('%s: %s', (language, line, expected) => {
  expect(words(language, line)).toEqual(expected);
});
