import { beforeEach, expect, test } from 'vitest';
import { countsOf, markOf, lensCommands, StatusFeature, StatusModel, type StatusChange } from '../../src/status';
import { bad, delta, uri, whole } from './statuses';

let model: StatusModel;
let changes: StatusChange[];

beforeEach(() => {
  model = new StatusModel();
  changes = [];
  model.onDidChange((change) => changes.push(change));
});

const ids = () => [...(model.file(uri)?.properties.keys() ?? [])];

test('a whole message replaces what was known, in its order', () => {
  model.apply(whole([bad(1), bad(0)]));
  expect(ids()).toEqual(['bad:1', 'bad:0']);
  model.apply(whole([bad(0)], 2));
  expect(ids()).toEqual(['bad:0']);
  expect(model.file(uri)?.version).toBe(2);
});

test('a difference renews what it names and keeps the rest and its order', () => {
  model.apply(whole([bad(0), bad(1)]));
  model.apply(delta([bad(0, { verdict: 'proved' })], 2));
  expect(ids()).toEqual(['bad:0', 'bad:1']);
  expect([...(model.file(uri)?.properties.values() ?? [])].map(({ verdict }) => verdict)).toEqual(['proved', 'none']);
});

test('listeners hear whether properties came, went or moved, or only look different', () => {
  model.apply(whole([bad(0), bad(1)]));
  model.apply(delta([bad(0, { freshness: 'running' })]));
  model.apply(whole([bad(0), bad(1)]));
  model.apply(whole([bad(1), bad(0)]));
  model.apply(delta([bad(2)]));
  expect(changes.map((change) => change.whole)).toEqual([true, false, false, true, true]);
});

test('a file without properties is forgotten, a new map is made for each message', () => {
  model.apply(whole([bad(0)]));
  const before = model.file(uri);
  model.apply(delta([bad(0, { verdict: 'refuted' })]));
  expect(before?.properties.get('bad:0')?.verdict).toBe('none');
  model.apply(whole([]));
  expect(model.file(uri)).toBeUndefined();
  expect([...model.files]).toEqual([]);
});

test('a uri is the same however the server escapes it', () => {
  model.apply(whole([bad(0)], 1, 'file:///c:/a.aag'));
  model.apply(delta([bad(0, { verdict: 'proved' })], 1, 'file:///c%3A/a.aag'));
  expect([...model.files]).toHaveLength(1);
});

test('the client says that it wants statuses, and keeps what else is experimental', () => {
  const capabilities = { experimental: { other: 1 } };
  new StatusFeature(model).fillClientCapabilities(capabilities);
  expect(capabilities).toEqual({ experimental: { other: 1, aiglens: { status: true, decoded: true, commands: lensCommands } } });
});

test('statuses count from the start of the server to its end', () => {
  const feature = new StatusFeature(model);
  let cleared = 0;
  model.onDidClear(() => cleared++);
  feature.initialize();
  feature.receive(whole([bad(0)]));
  expect(ids()).toEqual(['bad:0']);
  feature.clear();
  feature.receive(whole([bad(0)])); // said while it ended
  expect(ids()).toEqual([]);
  expect(cleared).toBe(1);
});

test.each([
  ['none', 'fresh', undefined],
  ['none', 'stale', undefined],
  ['none', 'queued', 'queued'],
  ['proved', 'running', 'running'],
  ['proved', 'fresh', 'proved'],
  ['refuted', 'fresh', 'refuted'],
  ['unknown', 'fresh', 'unknown'],
  ['proved', 'stale', 'staleProved'],
  ['refuted', 'stale', 'staleRefuted'],
  ['unknown', 'stale', 'staleUnknown'],
] as const)('%s and %s is marked as %s', (verdict, freshness, mark) => {
  expect(markOf(bad(0, { verdict, freshness }))).toBe(mark);
});

test('each property is counted once', () => {
  model.apply(
    whole([
      bad(0, { verdict: 'proved' }),
      bad(1, { verdict: 'proved', freshness: 'stale' }),
      bad(2, { verdict: 'refuted', freshness: 'running' }),
      bad(3, { freshness: 'queued' }),
      bad(4),
      bad(5, { verdict: 'unknown' }),
      bad(6, { verdict: 'refuted' }),
    ]),
  );
  expect(countsOf(...model.files)).toEqual({ proved: 1, refuted: 1, reached: 0, unreached: 0, unknown: 1, stale: 1, none: 1, queued: 1, running: 1 });
});
