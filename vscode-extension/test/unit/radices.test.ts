// The radices of words: kept with the workspace, told to each server that runs.
import { expect, test, vi } from 'vitest';
import * as protocol from '../../src/protocol';
import { Radices } from '../../src/radices';
import { EventEmitter } from './vscode';

const uri = 'file:///a.aag';

function workspaceState() {
  const kept = new Map<string, unknown>();
  return { get: (key: string, otherwise?: unknown) => kept.get(key) ?? otherwise, update: async (key: string, value: unknown) => void kept.set(key, value) };
}

function started(state = workspaceState()) {
  const changed = new EventEmitter<void>();
  const execute = vi.fn(async (): Promise<unknown> => null);
  const server: { running: object | undefined; execute: typeof execute; onDidChangeState: unknown } = { running: undefined, execute, onDidChangeState: changed.event };
  const radices = new Radices(state as never, server as never);
  const seen: string[] = [];
  radices.onDidChange((one) => seen.push(one));
  const run = (running: object | undefined) => {
    server.running = running;
    changed.fire();
  };
  return { radices, execute, seen, run };
}

test('a choice is kept by file and word, and default ends it', async () => {
  const state = workspaceState();
  const { radices, seen } = started(state);
  await radices.choose(uri, 'q', 'hex');
  await radices.choose(uri, 'constructor', 'binary');
  await radices.choose('file:///b.aag', 'q', 'signed');
  await radices.choose(uri, 'q', 'decimal');
  expect(seen).toEqual([uri, uri, 'file:///b.aag', uri]);
  const again = started(state).radices;
  expect([again.ofWord(uri, 'q'), again.ofWord(uri, 'constructor'), again.ofWord('file:///b.aag', 'q'), again.ofWord(uri, 'toString')]).toEqual(['decimal', 'binary', 'signed', 'default']);
  await again.choose(uri, 'q', 'default');
  expect(again.of(uri)).toEqual([{ word: 'constructor', radix: 'binary' }]);
});

test('each server that runs is told once of all files, in the order of the choices', async () => {
  const { radices, execute, run } = started();
  await radices.choose(uri, 'q', 'hex');
  expect(execute).not.toHaveBeenCalled();
  const first = {};
  run(first);
  run(first);
  await vi.waitFor(() => expect(execute.mock.calls).toEqual([[protocol.radices, { uri, words: [{ word: 'q', radix: 'hex' }] }]]));
  let answer: () => void = () => undefined;
  execute.mockImplementationOnce(() => new Promise((resolve) => (answer = () => resolve(null))));
  const choices = [radices.choose(uri, 'q', 'binary'), radices.choose(uri, 'q', 'signed')];
  await vi.waitFor(() => expect(execute).toHaveBeenCalledTimes(2));
  answer();
  await Promise.all(choices);
  expect(execute.mock.lastCall).toEqual([protocol.radices, { uri, words: [{ word: 'q', radix: 'signed' }] }]);
  execute.mockClear();
  run(undefined);
  run({});
  await vi.waitFor(() => expect(execute).toHaveBeenCalledTimes(1));
});


test('views show a choice that the server has refused, and it is kept for the next one', async () => {
  const { radices, execute, seen, run } = started();
  execute.mockRejectedValue(new Error('refused'));
  run({});
  await expect(radices.choose(uri, 'q', 'hex')).rejects.toThrow('refused');
  expect([seen, radices.ofWord(uri, 'q')]).toEqual([[uri], 'hex']);
  run({});
  await vi.waitFor(() => expect(execute).toHaveBeenCalledTimes(2));
  expect(seen).toEqual([uri, uri]);
});
