import { beforeEach, expect, test, vi } from 'vitest';
import { answerEarly } from '../../src/early';
import { CodeAction, CodeActionTriggerKind, languages } from './vscode';

type Provide = (...args: unknown[]) => Promise<unknown>;
type Provider = Record<string, Provide>;

let registered: Map<string, Provider>;
/** The server runs, or, with undefined, does not start. */
let begin: (client: unknown) => void;
let early: { dispose(): void };

beforeEach(() => {
  registered = new Map();
  for (const name of ['CompletionItem', 'Hover', 'Definition', 'Reference', 'Rename', 'DocumentFormattingEdit', 'CodeActions', 'WorkspaceSymbol']) {
    (languages as unknown as Record<string, unknown>)[`register${name}Provider`] = vi.fn((...args: unknown[]) => {
      registered.set(name, args.at(-1) as Provider);
      return { dispose: () => registered.delete(name) };
    });
  }
  const ready = new Promise((resolve) => (begin = resolve));
  early = answerEarly([], () => ready as never);
});

const document = { uri: 'a.aag' };
const invoked = { triggerKind: CodeActionTriggerKind.Invoke };

/** A client with the providers of one kind of request, which must be given the arguments unchanged. */
function client(method: string, name: string, answer: (...args: unknown[]) => unknown, more: Record<string, unknown> = {}) {
  const provider = { [name]: answer, ...more };
  return {
    getFeature: (asked: string) => {
      expect(asked).toBe(method);
      return { getProvider: (about: unknown) => (about === document ? provider : undefined), getProviders: () => [provider, provider] };
    },
  };
}

test('what is asked before the server runs is answered once it does', async () => {
  const answers: unknown[] = [];
  const asked = registered.get('Hover')!['provideHover']!(document, 3, 'token').then((answer) => answers.push(answer));
  const { provideHover } = registered.get('Hover')!;
  early.dispose(); // the client has providers of its own now
  expect(registered.size).toBe(0);
  await Promise.resolve();
  expect(answers).toEqual([]);
  begin(client('textDocument/hover', 'provideHover', (...args) => ['hover', ...args]));
  await asked;
  expect(answers).toEqual([['hover', document, 3, 'token']]);
  expect(await provideHover!({ uri: 'other' }, 3, 'token')).toBeUndefined(); // of no language of ours
});

test('completions are those of the server, offered once', async () => {
  const { provideCompletionItems } = registered.get('CompletionItem')!;
  const provide = (token: object) => provideCompletionItems!(document, 0, token, 'context');
  const kept = { isCancellationRequested: false };
  const asked = provide(kept);
  const askedAnew = provide({ isCancellationRequested: true });
  begin(client('textDocument/completion', 'provideCompletionItems', (...args) => args));
  expect(await asked).toEqual([document, 0, kept, 'context']);
  expect(await askedAnew).toBeUndefined();
  expect(await provide(kept)).toBeUndefined(); // the client has a provider now, which is asked, too
});

test('a rename goes on with the provider that it began with', async () => {
  const rename = registered.get('Rename')!;
  const prepared = rename['prepareRename']!(document, 3, 'token');
  early.dispose();
  begin(client('textDocument/rename', 'prepareRename', () => 'range', { provideRenameEdits: (...args: unknown[]) => ['edits', ...args] }));
  expect(await prepared).toBe('range');
  expect(registered.get('Rename')).toBe(rename); // VS Code asks no other provider for the edits
  expect(rename['prepareRename']!(document, 4, 'token')).toBeUndefined(); // the client answers by itself now
  expect(await rename['provideRenameEdits']!(document, 3, 'x', 'token')).toEqual(['edits', document, 3, 'x', 'token']);
  expect(registered.size).toBe(0);
});

test('code actions come with their edits, because nothing can resolve them later', async () => {
  const action = (title: string, more: object = {}) => Object.assign(new CodeAction(title), more);
  const found = [action('whole', { edit: 1 }), action('command', { command: 2 }), { command: 'plain' }, action('later'), action('refused')];
  const resolveCodeAction = async (one: CodeAction, token: unknown) => {
    if (one.title === 'refused') throw new Error('the text has changed');
    return Object.assign(one, { edit: token });
  };
  const asked = registered.get('CodeActions')!['provideCodeActions']!(document, 'range', invoked, 'token');
  begin(client('textDocument/codeAction', 'provideCodeActions', async () => found, { resolveCodeAction }));
  expect(await asked).toEqual([...found.slice(0, 3), action('later', { edit: 'token' })]);
});

test('a light bulb is not waited for: VS Code asks again', () => {
  expect(registered.get('CodeActions')!['provideCodeActions']!(document, 'range', { triggerKind: CodeActionTriggerKind.Automatic }, 'token')).toBeUndefined();
});

test('symbols of the workspace are those of all providers of the client', async () => {
  const asked = registered.get('WorkspaceSymbol')!['provideWorkspaceSymbols']!('q', 'token');
  begin(client('workspace/symbol', 'provideWorkspaceSymbols', async (query) => [query]));
  expect(await asked).toEqual(['q', 'q']);
});

test('a server that does not start answers nothing', async () => {
  const asked = [...registered].flatMap(([, provider]) => Object.values(provider).map((provide) => provide(document, 'range', invoked, 'token')));
  begin(undefined);
  expect(await Promise.all(asked)).toEqual(asked.map((_, index) => (index === asked.length - 1 ? [] : undefined)));
});
