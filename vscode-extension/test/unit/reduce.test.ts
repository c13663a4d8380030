// What a counterexample leaves of a circuit, opened and checked.
import { expect, test, vi } from 'vitest';
import { reduceToCounterexample } from '../../src/reduce';
import { Uri, window, workspace } from './vscode';

test('what is left is checked at once, so that it says that it is refuted', async () => {
  const done: string[] = [];
  const document = { uri: Uri.parse('untitled:Untitled-1'), languageId: 'aiger' };
  window.withProgress = vi.fn(async (_options: unknown, task: (progress: unknown, token: unknown) => unknown) => task({}, { isCancellationRequested: false })) as never;
  workspace.openTextDocument.mockImplementationOnce(async () => document as never);
  vi.mocked(window.showTextDocument).mockImplementationOnce((async () => done.push('shown')) as never);
  const execute = vi.fn(async (command: string) => {
    done.push(command);
    return { name: 'a.bad0.aag', text: 'aag 0 0 0 1 0\n1\n', message: '0 gates are left of 9' };
  });
  await reduceToCounterexample({ execute } as never, { uri: 'file:///a.aag', property: 'bad:0' });
  expect(done).toEqual(['aiglens.reduce', 'shown', 'aiglens.check']);
  expect(execute).toHaveBeenLastCalledWith('aiglens.check', { uri: 'untitled:Untitled-1' });
});
