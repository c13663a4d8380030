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
  ['semaphore.smt2', ['proved', 'proved']],
])('%s gets its verdicts', async (name, expected) => {
  const one = start();
  await one.open(address(name), example(name));
  expect(await one.verdicts(address(name), expected.length)).toEqual(expected);
});

test('a model in another file of a folder that lies on no disk is found', async () => {
  const one = start();
  one.files.set(address('account.blif'), example('account.blif'));
  await one.open(address('vending.blif'), example('vending.blif'));
  expect((await one.verdicts(address('vending.blif'), 2)).sort()).toEqual(['proved', 'refuted']);
  const line = example('vending.blif').split('\n').findIndex((text) => text.startsWith('.subckt account'));
  const places = await one.request('textDocument/definition', { textDocument: { uri: address('vending.blif') }, position: { line, character: 10 } });
  expect(JSON.stringify(places)).toContain(address('account.blif'));

  // A change that is told is read, also where size and time of the file are as before.
  one.files.set(address('account.blif'), example('account.blif').replace('.latch next1 q1 0', '.latch next1 q1 1'));
  one.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: address('account.blif'), type: 2 }] });
  expect(await one.verdicts(address('vending.blif'), 2)).toEqual(['refuted', 'refuted']);
});

test('the client leaves, and the program ends', async () => {
  const one = start();
  await one.open(address('a.aag'), example('semaphore2.aag'));
  expect(await one.request('shutdown', null)).toBe(null);
  one.notify('exit', null);
  expect(await one.ended).toBe(undefined);
});

test('a program of checks that cannot be loaded is told by each check, and the rest works', async () => {
  const one = start({ checker: new Uint8Array([1, 2, 3]) });
  await one.open(address('a.aag'), example('semaphore2.aag'));
  const told = one.next((message) => message.method === 'aiglens/status' && JSON.stringify(message.params).includes('"unknown"'));
  one.notify('textDocument/didSave', { textDocument: { uri: address('a.aag') } });
  expect(JSON.stringify((await told).params)).toContain('its program cannot be loaded');
  expect(await one.request('textDocument/hover', { textDocument: { uri: address('a.aag') }, position: { line: 1, character: 0 } })).not.toBe(null);
});

test('a program that cannot be loaded is an end with its reason', async () => {
  const one = start({ module: new Uint8Array([1, 2, 3]) });
  expect(await one.ended).toContain('the program cannot be started');
});

test('a debug adapter walks through a counterexample', async () => {
  const one = start({ role: 'debug' });
  let seq = 0;
  const ask = (command: string, args: object) => {
    const answer = one.next((message) => message.type === 'response' && message.command === command);
    one.post({ seq: ++seq, type: 'request', command, arguments: args });
    return answer;
  };
  one.files.set('file:///semaphore2_broken.aag', example('semaphore2_broken.aag'));
  expect((await ask('initialize', { adapterID: 'aiglens' })).success).toBe(true);
  const stopped = one.next((message) => message.event === 'stopped');
  expect(await ask('launch', { program: '/semaphore2_broken.aag', stopOnEntry: true })).toMatchObject({ success: true });
  await ask('configurationDone', {});
  await stopped;
  const { body } = await ask('stackTrace', { threadId: 1 });
  expect(body.stackFrames.length).toBeGreaterThan(0);
});
