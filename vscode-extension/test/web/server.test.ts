import { afterEach, expect, test } from 'vitest';
import { Client, example } from './client';

let client: Client | undefined;

function start(options?: ConstructorParameters<typeof Client>[0]): Client {
  client = new Client(options);
  return client;
}

afterEach(async () => {
  await client?.close();
});

const address = (name: string) => `vscode-vfs://github/owner/circuits/${name}`;

// The verdicts of examples/EXPECTED.csv.
test.each([
  ['semaphore2.aag', ['proved']],
  ['semaphore2_broken.aag', ['refuted']],
  ['arbiter2.blif', ['proved', 'proved']],
  ['semaphore.smt2', ['proved']],
])('%s gets its verdicts', async (name, expected) => {
  const one = start();
  await one.open(address(name), example(name));
  expect(await one.verdicts(address(name), expected.length)).toEqual(expected);
});

test('the client leaves, and the program ends', async () => {
  const one = start();
  await one.open(address('a.aag'), example('semaphore2.aag'));
  expect(await one.request('shutdown', null)).toBe(null);
  one.notify('exit', null);
  expect(await one.ended).toBe(undefined);
});
