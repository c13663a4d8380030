// Searches for lemmas, for hard latches and for other counterexamples.
import { beforeEach, expect, test, vi } from 'vitest';
import { addLemma } from '../../src/advice';
import { registerCommands } from '../../src/commands';
import * as protocol from '../../src/protocol';
import { registerProofs } from '../../src/proof';
import { StatusModel } from '../../src/status';
import { commands, window, workspace } from './vscode';

const about = { uri: 'file:///a.aag', property: 'bad:0' };
const execute = vi.fn();

/** What a command does. */
function commandOf(id: string): (argument: unknown) => Promise<void> {
  commands.registerCommand.mockReset();
  registerCommands({ execute } as never, {} as never, new StatusModel(), {} as never, { show: vi.fn() } as never);
  return commands.registerCommand.mock.calls.find(([name]) => name === id)?.[1] as (argument: unknown) => Promise<void>;
}

beforeEach(() => {
  execute.mockReset();
  window.activeTextEditor = undefined;
});

test('what makes a property hard is asked for once, and shown as it was answered', async () => {
  const answer: protocol.Answer = { property: 'bad:0', version: 1, name: 'never', text: 'with this latch left free', circuit: 'c1', links: [] };
  execute.mockResolvedValue(answer);
  workspace.openTextDocument.mockImplementation(async (uri: unknown) => ({ uri }));
  await commandOf('aiglens.showWhatIsHard')(about);
  expect(execute.mock.calls).toEqual([[protocol.isolate, about]]);
  const shown = workspace.openTextDocument.mock.lastCall?.[0] as never;
  workspace.registerTextDocumentContentProvider.mockReset();
  registerProofs({ execute } as never, new StatusModel());
  const provider = workspace.registerTextDocumentContentProvider.mock.lastCall?.at(1) as unknown as { provideTextDocumentContent(uri: unknown): Promise<string> };
  expect(await provider.provideTextDocumentContent(shown)).toBe(answer.text);
  expect(execute).toHaveBeenCalledOnce();
});

const found: protocol.Suggestions = {
  property: 'bad:0',
  name: 'never',
  version: 7,
  others: 0,
  lemmas: [
    { title: 'x is always 0', detail: 'no violation in 4 steps', facts: ['x is always 0'] },
    { title: 'not both y and z and 1 more', detail: 'inductive by itself', facts: ['not both y and z', 'u equals v'] },
  ],
};

test('of the lemmas that are suggested those that are chosen are added to the text they are about', async () => {
  execute.mockResolvedValueOnce(found).mockResolvedValueOnce(null);
  window.showQuickPick.mockImplementationOnce(async (items: never) => (items as unknown[]).slice(1));
  await commandOf('aiglens.suggestLemmas')(about);
  const items = window.showQuickPick.mock.lastCall?.at(0) as unknown as { label: string; detail: string }[];
  expect(items.map(({ label, detail }) => [label, detail])).toEqual([
    ['x is always 0', 'no violation in 4 steps'],
    ['not both y and z and 1 more', 'inductive by itself: not both y and z; u equals v'],
  ]);
  expect(execute.mock.calls).toEqual([
    [protocol.suggest, about],
    [protocol.addLemmas, { ...about, version: 7, lemmas: [1] }],
  ]);
});

test('nothing is added where nothing is chosen, or suggested', async () => {
  execute.mockResolvedValueOnce(found).mockResolvedValueOnce({ ...found, lemmas: [], others: 2 });
  window.showQuickPick.mockImplementationOnce(async () => undefined);
  await commandOf('aiglens.suggestLemmas')(about);
  await commandOf('aiglens.suggestLemmas')(about);
  expect(execute.mock.calls).toEqual([[protocol.suggest, about], [protocol.suggest, about]]);
  expect(window.showInformationMessage.mock.lastCall?.at(0)).toBe('aiglens: no lemma is suggested for never that the text has words for (2 others).');
});

test('an expression that is typed becomes a lemma of the text', async () => {
  const editor = { document: { uri: { toString: () => 'file:///a.aag' }, version: 7 } } as never;
  window.showInputBox.mockResolvedValueOnce(' count <= 9 ' as never);
  await addLemma({ execute } as never, editor);
  expect(execute.mock.calls).toEqual([[protocol.addLemmas, { uri: 'file:///a.aag', version: 7, lemmas: [], expression: 'count <= 9' }]]);
  window.showInputBox.mockResolvedValueOnce(undefined as never);
  await addLemma({ execute } as never, editor);
  expect(execute.mock.calls.length).toBe(1);
});
