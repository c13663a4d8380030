// What the user reads when the server refuses a command.
import { beforeEach, expect, test, vi } from 'vitest';
import { register } from '../../src/commands';
import { Refusal } from '../../src/refusal';
import { commands, window } from './vscode';

const about = { uri: 'file:///c/a.aag', property: 'bad:0' };

beforeEach(() => vi.clearAllMocks());

async function refuse(refusal: Refusal): Promise<void> {
  register('aiglens.test', async () => {
    throw refusal;
  });
  const run = commands.registerCommand.mock.calls[0]![1] as (argument: unknown) => Promise<void>;
  await run(undefined);
}

test('a refusal is said', async () => {
  await refuse(new Refusal('no'));
  expect(window.showWarningMessage.mock.calls).toEqual([['aiglens: no']]);
  expect(commands.executeCommand).not.toHaveBeenCalled();
});

test('the counterexample of an earlier text is offered', async () => {
  window.showWarningMessage.mockResolvedValueOnce('Show the Trace' as never);
  await refuse(new Refusal('of an earlier text', about));
  expect(window.showWarningMessage.mock.calls).toEqual([['aiglens: of an earlier text', 'Show the Trace']]);
  await vi.waitFor(() => expect(commands.executeCommand).toHaveBeenCalledWith('aiglens.showTrace', about));
});
