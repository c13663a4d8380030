// What tests in the extension host share: files to work on, and waiting for
// what the server does in its own time.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { patience } from '../lib/patience.mjs';

export interface OpenFile {
  document: vscode.TextDocument;
  editor: vscode.TextEditor;
  /** Replaces the first occurrence of a text. */
  replace(text: string, by: string): Promise<void>;
}

/** Opens an example; under another name it is a copy that the test may save. */
export async function openExample(name: string, copy = name): Promise<OpenFile> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  if (folder === undefined) throw new Error('no workspace');
  if (copy !== name) copyFileSync(join(folder, name), join(folder, copy));
  const document = await vscode.workspace.openTextDocument(join(folder, copy));
  const editor = await vscode.window.showTextDocument(document);
  const replace = async (text: string, by: string) => {
    const start = document.getText().indexOf(text);
    if (start < 0) throw new Error(`there is no ${text}`);
    const range = new vscode.Range(document.positionAt(start), document.positionAt(start + text.length));
    const change = new vscode.WorkspaceEdit();
    change.replace(document.uri, range, by);
    if (!(await vscode.workspace.applyEdit(change))) throw new Error('the edit was refused');
  };
  return { document, editor, replace };
}

/** The first answer that is neither false nor undefined. */
export async function eventually<T>(what: string, ask: () => T | Promise<T>): Promise<Exclude<T, false | undefined>> {
  const end = Date.now() + patience;
  for (;;) {
    const answer = await ask();
    if (answer !== false && answer !== undefined) return answer as Exclude<T, false | undefined>;
    if (Date.now() > end) throw new Error(`never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export async function lenses(document: vscode.TextDocument): Promise<vscode.Command[]> {
  const all = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 1000);
  return all.flatMap(({ command }) => command ?? []);
}

export async function lensTitled(document: vscode.TextDocument, title: RegExp): Promise<vscode.Command | undefined> {
  return (await lenses(document)).find((lens) => title.test(lens.title));
}

export function errorsOf(document: vscode.TextDocument): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(document.uri).filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error);
}

export async function hoverText(document: vscode.TextDocument, at: vscode.Position): Promise<string> {
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', document.uri, at);
  return hovers
    .flatMap(({ contents }) => contents)
    .map((content) => (typeof content === 'string' ? content : content.value))
    .join('\n');
}

/**
 * A place in the line with exactly this text: its beginning, the first
 * occurrence of a word in it, or a column.
 */
export function position(document: vscode.TextDocument, row: string, word?: string, column = 0): vscode.Position {
  const line = document.getText().split('\n').indexOf(row);
  if (line < 0) throw new Error(`there is no line ${row}`);
  return new vscode.Position(line, word === undefined ? column : row.indexOf(word));
}

export const rowOf = (document: vscode.TextDocument, range: vscode.Range) => document.lineAt(range.start.line).text;

/** What VS Code gives agents, later than the version that its types here are of. */
const lm = vscode.lm as typeof vscode.lm & {
  tools: readonly { name: string }[];
  invokeTool(name: string, options: { input: object; toolInvocationToken: undefined }): Promise<{ content: { value?: string }[] }>;
};

/** The tools of aiglens that agents of the editor may call, once its server runs, if there is one. */
export async function agentTools(): Promise<string[]> {
  await vscode.commands.executeCommand('workbench.mcp.startServer', '*', { waitForLiveTools: true });
  return lm.tools.flatMap(({ name }) => (name.startsWith('mcp_aiglens_') ? name : []));
}

export async function callAgentTool(name: string, input: object): Promise<string> {
  const { content } = await lm.invokeTool(name, { input, toolInvocationToken: undefined });
  return content.map(({ value }) => value).join('');
}
