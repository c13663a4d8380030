// Comparisons: why there is no last commit, and what they say.
import { expect, test } from 'vitest';
import { whyNot } from '../../src/node/git';
import { wordsOf } from '../../src/comparison/lens';
import type { Comparison, Sameness } from '../../src/protocol';

test.each([
  [{ code: 'ENOENT' }, '', /git is not installed/],
  [{ killed: true }, '', /no answer in time/],
  [{ code: 128 }, 'fatal: not a git repository (or any of the parent directories): .git\n', 'a.aag is in no git repository'],
  [{ code: 128 }, "fatal: Not a valid object name HEAD:./a.aag\n", 'the repository has no commit yet'],
  [{ code: 128 }, "fatal: invalid object name 'HEAD'.\n", 'the repository has no commit yet'],
  [{ code: 128 }, "fatal: path './a.aag' exists on disk, but not in 'HEAD'\n", /^a\.aag is not in the last commit/],
  [{ code: 128 }, "fatal: path 'a.aag' does not exist in 'HEAD'\n", /^a\.aag is not in the last commit/],
  [{ code: 128 }, "fatal: detected dubious ownership in repository at '/x'\nTo add an exception\n", "git refuses: detected dubious ownership in repository at '/x'"],
  [{ code: 1 }, '', 'git refuses: 1'],
])('git says %j %j', (error, said, words) => {
  expect(whyNot('a.aag', error, said)).toEqual(typeof words === 'string' ? words : expect.stringMatching(words));
});

test('what a comparison says names the other side', () => {
  const baseline = { words: 'HEAD', short: 'HEAD', other: {}, document: {} as never };
  const said = (verdict: Sameness, message: string) => wordsOf({ verdict, message, pairs: [], alone: [], otherAlone: [], version: 1 } satisfies Comparison, baseline);
  expect(said('equal', 'same function')).toBe('same function as HEAD');
  expect(said('equal', 'same function; y is compared as an output')).toBe('same function as HEAD; y is compared as an output');
  expect(wordsOf({ ...{ verdict: 'equal', message: 'same function' }, pairs: [], alone: [], otherAlone: [], version: 1 }, { ...baseline, words: "a$&$'.aag" })).toBe("same function as a$&$'.aag");
  expect(said('different', 'differs at step 3 in y')).toBe('differs from HEAD at step 3 in y');
  expect(said('unknown', 'unknown: timeout')).toBe('not known to be the same as HEAD: timeout');
});
