// A run is looked for in which a signal is 1, or an expression holds.
import { beforeEach, expect, test, vi } from 'vitest';
import { showReachingExpression } from '../../src/counterexample/play';
import * as protocol from '../../src/protocol';
import { window } from './vscode';

beforeEach(() => vi.clearAllMocks());

const editor = { document: { uri: { toString: () => 'file:///c/a.aag' } } } as never;
const panels = { play: vi.fn(async () => undefined) };

async function ask(typed: string | undefined, answer?: Partial<protocol.Reached>): Promise<unknown[]> {
  window.showInputBox.mockResolvedValue(typed as never);
  window.withProgress.mockImplementation((async (_: unknown, run: (progress: unknown, token: unknown) => unknown) => run(undefined, {})) as never);
  const execute = vi.fn(async () => answer);
  await showReachingExpression({ execute } as never, panels as never, editor);
  return execute.mock.calls;
}

test('the run in which an expression holds is played', async () => {
  const run = { steps: 4 } as protocol.PlayedRun;
  const calls = await ask(' count == 3 ', { verdict: 'reached', message: 'count == 3 holds in step 3.', run });
  expect(calls).toEqual([[protocol.reach, { uri: 'file:///c/a.aag', position: { line: 0, character: 0 }, expression: 'count == 3' }, {}]]);
  expect(panels.play).toHaveBeenCalledWith('file:///c/a.aag', { run });
});

test('an expression that never holds is told', async () => {
  await ask('count == 7', { verdict: 'never', message: 'count == 7 never holds.' });
  expect(window.showInformationMessage).toHaveBeenCalledWith('aiglens: count == 7 never holds.');
  expect(panels.play).not.toHaveBeenCalled();
});

test('nothing is asked without an expression', async () => {
  expect(await ask(undefined)).toEqual([]);
  expect(await ask('  ')).toEqual([]);
});
