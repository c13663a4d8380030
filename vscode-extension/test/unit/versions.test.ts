import { expect, test } from 'vitest';
import { difference, isNew } from '../../src/versions';

test.each([
  ['0.2.0', '0.1.9', 'Update the server'],
  ['0.2.0', '0.10.0', 'Update the extension'],
  ['1.0.0', 'v0.9.12', 'Update the server'],
  ['0.2.1', '0.2.2', 'Update the extension'],
])('%s with a server %s', (client, server, advice) => {
  const text = difference(client, server, '/usr/bin/aiglens');
  expect(text).toContain(`extension is of version ${client}`);
  expect(text).toContain(`/usr/bin/aiglens of version ${server.replace('v', '')}`);
  expect(text).toContain(advice);
});

test.each([['0.2.0'], ['v0.2.0'], ['devel'], ['v0.0.0-20261123225601-1a130e5b0c11'], ['v0.0.0-20261123225601-1a130e5b0c11+dirty'], ['0.1.0-rc.1'], [''], [undefined]])(
  'nothing is said of a server %s',
  (server) => expect(difference('0.2.0', server, '/usr/bin/aiglens')).toBeUndefined(),
);

test('the same is said once, whatever window asks', async () => {
  const kept = new Map<string, unknown>();
  const state = { get: (key: string) => kept.get(key), update: async (key: string, value: unknown) => void kept.set(key, value) } as never;
  expect(await isNew(state, 'older')).toBe(true);
  expect(await isNew(state, 'older')).toBe(false);
  expect(await isNew(state, 'newer')).toBe(true);
});
