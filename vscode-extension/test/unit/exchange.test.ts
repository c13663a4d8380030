// Counterexamples that leave and enter.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Exchange } from '../../src/counterexample/exchange';
import { findProgram, InstalledViewers } from '../../src/node/viewers';
import * as protocol from '../../src/protocol';
import { Refusal } from '../../src/refusal';
import { commands, env, extensions, Uri, window, workspace } from './vscode';

const about = { uri: 'file:///c/a.aag', property: 'bad:0' };

beforeEach(() => vi.clearAllMocks());

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'aiglens-exchange-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('a program is found where it can be started, never in the current folder', async () => {
  const folder = temporary();
  const program = join(folder, 'gtkwave');
  writeFileSync(program, '');
  expect(await findProgram('gtkwave', folder, 'linux')).toBeUndefined();
  chmodSync(program, 0o755);
  expect(await findProgram('gtkwave', ['.', '', folder].join(delimiter), 'linux')).toBe(program);
  expect(await findProgram('gtkwave', '.', 'linux')).toBeUndefined();
});

test('the clipboard gets a table', async () => {
  const server = { execute: vi.fn(async () => ({ name: 'a.md', text: '| a |' })) };
  await new Exchange(server as never).copy(about);
  expect(server.execute).toHaveBeenCalledWith(protocol.exportTrace, { ...about, format: 'markdown' });
  expect(env.clipboard.writeText).toHaveBeenCalledWith('| a |');
});

test.each([['bad:0', true], ['justice:1', true], ['lemma:0', false], ['cover:0', false]])('%s: a witness is offered: %s', async (property, offered) => {
  window.showQuickPick.mockResolvedValueOnce(undefined);
  await new Exchange({ execute: vi.fn() } as never).choose({ ...about, property });
  const labels = (window.showQuickPick.mock.calls[0]?.[0] as { label: string }[]).map(({ label }) => label);
  expect(labels.includes('$(save) Save as AIGER witness…')).toBe(offered);
  expect(labels).toContain('$(save) Save as VCD…');
});

test.each([['aiger', 'AIGER'], ['blif', 'AIGER'], ['btor2', 'BTOR2']])('the menus say what a witness of %s is', async (languageId, name) => {
  workspace.textDocuments = [{ uri: Uri.parse(about.uri), languageId }] as never;
  onTestFinished(() => void (workspace.textDocuments = []));
  window.showQuickPick.mockResolvedValue(undefined);
  const exchange = new Exchange({ execute: vi.fn() } as never);
  await exchange.choose(about);
  await exchange.chooseForRun(about.uri, {} as never);
  const first = window.showQuickPick.mock.calls.map(([items]) => (items as { label: string }[])[0]!.label);
  expect(first).toEqual([`$(save) Save as ${name} witness…`, `$(save) Save as ${name} stimulus or witness…`]);
});

test('the witness of a BTOR2 file that is not open is one of BTOR2', async () => {
  window.showQuickPick.mockResolvedValueOnce(undefined);
  await new Exchange({ execute: vi.fn() } as never).choose({ ...about, uri: 'file:///c/a.btor' });
  expect((window.showQuickPick.mock.calls[0]?.[0] as { label: string }[])[0]?.label).toBe('$(save) Save as BTOR2 witness…');
});

test('VaporView gets a file of its own, which goes with the extension', async () => {
  vi.stubEnv('PATH', '');
  onTestFinished(() => void vi.unstubAllEnvs());
  extensions.getExtension.mockReturnValue({});
  commands.executeCommand.mockResolvedValue(undefined);
  const viewers = new InstalledViewers();
  const exchange = new Exchange({ execute: vi.fn(async () => ({ name: 'a.vcd', text: '$end' })) } as never, viewers);
  await exchange.openWaves(about);
  const [command, uri, editor] = commands.executeCommand.mock.calls[0] as [string, { path: string }, string];
  expect([command, editor]).toEqual(['vscode.openWith', 'vaporview.waveformViewer']);
  expect(readFileSync(uri.path, 'utf8')).toBe('$end');
  viewers.dispose();
  await vi.waitFor(() => expect(existsSync(uri.path)).toBe(false));
});

test('without a viewer the file is offered', async () => {
  vi.stubEnv('PATH', '');
  onTestFinished(() => void vi.unstubAllEnvs());
  extensions.getExtension.mockReturnValue(undefined);
  const server = { execute: vi.fn() };
  await new Exchange(server as never, new InstalledViewers()).openWaves(about);
  expect(window.showInformationMessage).toHaveBeenCalledWith(expect.stringContaining('VaporView'), 'Save as VCD…');
  expect(server.execute).not.toHaveBeenCalled();
});

test('a witness that is refused is told with the reason', async () => {
  const server = { execute: vi.fn(async () => Promise.reject(new Refusal('at step 2 no property is violated'))) };
  expect(await new Exchange(server as never).openWitness(about.uri, Uri.file('/c/other.wit') as never)).toBeUndefined();
  expect(server.execute).toHaveBeenCalledWith(protocol.importWitness, { uri: about.uri, path: '/c/other.wit' });
  expect(window.showErrorMessage).toHaveBeenCalledWith('aiglens: other.wit is not a counterexample of a.aag: at step 2 no property is violated');
});
