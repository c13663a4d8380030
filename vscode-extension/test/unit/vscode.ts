// As much of the module vscode as the client needs outside of an editor. Tests
// fill in what they look at.
import { vi } from 'vitest';

export class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
}

export class Selection {
  readonly start: Position;
  readonly end: Position;
  constructor(startLine: number, startCharacter: number, endLine: number, endCharacter: number) {
    this.start = new Position(startLine, startCharacter);
    this.end = new Position(endLine, endCharacter);
  }
}

export const Uri = { parse: (text: string) => ({ toString: () => text }) };
export const ViewColumn = { Active: -1 };
export const TextEditorRevealType = { InCenterIfOutsideViewport: 2, AtTop: 3 };

export const window = {
  activeTextEditor: undefined as unknown,
  visibleTextEditors: [] as unknown[],
  createQuickPick: vi.fn(),
  showInformationMessage: vi.fn(async () => undefined),
  showWarningMessage: vi.fn(async () => undefined),
  showErrorMessage: vi.fn(async () => undefined),
  showTextDocument: vi.fn(),
};

/** What the settings say below aiglens. */
export const configured = new Map<string, unknown>();

export const workspace = {
  openTextDocument: vi.fn(async (uri: unknown) => ({ uri })),
  getConfiguration: () => ({
    ...Object.fromEntries(configured),
    get: (name: string, otherwise: unknown) => configured.get(name) ?? otherwise,
  }),
};

export const commands = { registerCommand: vi.fn(), executeCommand: vi.fn() };
