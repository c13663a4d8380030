import { describe, expect, it } from 'vitest';

import { formatting } from '../../src/formatting';
import { CodeAction, EndOfLine, Range, TextEdit, workspace } from './vscode';

const uri = { toString: () => 'file:///a.aag' };

/** What an action changes, after the client has seen it. */
async function seen(eol: number, edit: TextEdit): Promise<TextEdit[]> {
  workspace.textDocuments = [{ uri, eol, languageId: 'aiger' }];
  const all = new Map([[uri, [edit]]]);
  const action = Object.assign(new CodeAction('Normalise'), { edit: { entries: () => [...all], set: (to: typeof uri, edits: TextEdit[]) => all.set(to, edits) } });
  await formatting.provideCodeActions?.(undefined as never, undefined as never, undefined as never, undefined as never, async () => [action] as never);
  await formatting.resolveCodeAction?.(action as never, undefined as never, async () => action as never);
  return all.get(uri)!;
}

describe('code actions and line ends', () => {
  const end = new TextEdit(new Range(0, 3, 1, 0), '\n');
  const word = new TextEdit(new Range(0, 0, 0, 2), '2');
  it('sets the line ends where an action replaces one', async () => {
    expect(await seen(EndOfLine.CRLF, end)).toEqual([end, TextEdit.setEndOfLine(EndOfLine.LF)]);
  });
  it('leaves them alone elsewhere', async () => {
    expect(await seen(EndOfLine.LF, end)).toEqual([end]);
    expect(await seen(EndOfLine.CRLF, word)).toEqual([word]);
  });
});
