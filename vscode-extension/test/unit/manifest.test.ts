// What package.json promises and the sources must keep.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import manifest from '../../package.json';
import { registerCommands } from '../../src/commands';
import { registerCounterexamples } from '../../src/counterexample/register';
import { StatusModel } from '../../src/status';
import * as protocol from '../../src/protocol';
import { commands, window } from './vscode';

const file = (path: string) => new URL(`../../${path}`, import.meta.url);
const { contributes } = manifest;
const declared = contributes.commands.map(({ command }) => command).sort();

test('every command of the manifest is registered, and no other', () => {
  commands.registerCommand.mockReset();
  registerCommands({} as never, {} as never, {} as never, {} as never, { show: vi.fn() } as never);
  window.createStatusBarItem.mockReturnValueOnce({ hide: vi.fn() });
  registerCounterexamples({} as never, { listen: vi.fn() } as never, new StatusModel());
  expect(commands.registerCommand.mock.calls.map(([id]) => id).sort()).toEqual(declared);
});

test('no command has an id that the server announces', () => {
  const page = readFileSync(file('../docs/protocol.md'), 'utf8');
  const ids = [...page.matchAll(/^\| `(aiglens\.\w+)` \|/gm)].map(([, id]) => id);
  const { check, stop, checkWorkspace, recheckFailed, properties, compare, stats, proof, history, latches, goToLatch, step, trace, why, goToCause, exportTrace, importWitness } = protocol;
  expect([check, stop, checkWorkspace, recheckFailed, properties, compare, stats, proof, history, latches, goToLatch, step, trace, why, goToCause, exportTrace, importWitness].sort()).toEqual(ids.sort());
  for (const id of ids) expect(declared).not.toContain(id);
});

test('menus and keys name commands of the manifest', () => {
  for (const { command } of [...Object.values(contributes.menus).flat(), ...contributes.keybindings]) expect(declared).toContain(command);
});

test('keys that do not begin a check are taken only where there is a counterexample', () => {
  const keys: { command: string; key: string; mac: string; when: string }[] = contributes.keybindings;
  for (const { command, when } of keys) {
    if (!/^aiglens\.(check\w+|pickLatch)$/.test(command)) expect(when, command).toMatch(/editorTextFocus.*aiglens\.hasCounterexample/);
  }
  const chords = keys.map(({ key, when }) => `${key} ${/!?aiglens\.stepShown$/.exec(when)?.[0] ?? ''}`);
  expect(new Set(chords).size).toBe(chords.length);
});

test('every file that the manifest names is there', () => {
  const named = [
    ...contributes.languages.map(({ configuration }) => configuration),
    ...contributes.grammars.map(({ path }) => path),
    manifest.icon,
    'README.md',
  ];
  for (const path of named) expect(existsSync(file(path)), path).toBe(true);
});

test('the README shows every command and every setting with its default', () => {
  const readme = readFileSync(file('README.md'), 'utf8');
  for (const { title } of contributes.commands) expect(readme).toContain(`| ${title} |`);
  for (const [name, { default: value }] of Object.entries(contributes.configuration.properties)) {
    expect(readme).toContain(value === '' ? `| \`${name}\` | |` : `| \`${name}\` | \`${value}\` |`);
  }
});

test('the settings of the specification are those of the manifest', () => {
  const [, section = ''] = readFileSync(file('../docs/protocol.md'), 'utf8').split('## Settings');
  const properties: Record<string, { default: unknown; enum?: string[] }> = contributes.configuration.properties;
  const rows = [...section.matchAll(/^\| `([\w.]+)` \| (.*?) \| ?`?([^|`]*?)`? ?\|$/gm)];
  const ofClient = /^aiglens\.(gutter|statusBar|tests|server|trace)\./;
  expect(rows.map(([, name]) => `aiglens.${name}`).sort()).toEqual(Object.keys(properties).filter((name) => !ofClient.test(name)).sort());
  for (const [, name, values, value] of rows) {
    const setting = properties[`aiglens.${name}`];
    expect(String(setting?.default), name).toBe(value);
    for (const one of setting?.enum ?? []) expect(values, name).toContain(`\`${one}\``);
  }
});

test('a launch configuration has the attributes that the page on debugging names', () => {
  const [, section = ''] = readFileSync(file('../docs/debugging.md'), 'utf8').split('## Launch configuration');
  const { properties } = contributes.debuggers[0]!.configurationAttributes.launch;
  const rows = [...section.matchAll(/^\| `(\w+)` \| (\w+) \| (.*) \|$/gm)];
  expect(rows.map(([, name]) => name).sort()).toEqual(Object.keys(properties).sort());
  const types: Record<string, { type: string }> = properties;
  for (const [, name = '', type] of rows) expect(types[name]?.type, name).toBe(type === 'path' ? 'string' : type);
  const [, , , blif = ''] = rows.find(([, name]) => name === 'blif') ?? [];
  const members = [...blif.split(':').slice(1).join(':').matchAll(/`(\w+)`/g)].map(([, name]) => name);
  expect(Object.keys(properties.blif.properties).sort()).toEqual(members.sort());
  const settings = Object.keys(contributes.configuration.properties).flatMap((name) => /^aiglens\.blif\.(\w+)$/.exec(name)?.[1] ?? []);
  expect(members.sort()).toEqual(settings.sort());
});

test('a folder that is not trusted chooses no file that is run or read', () => {
  const { supported, restrictedConfigurations, description } = manifest.capabilities.untrustedWorkspaces;
  expect(supported).toBe('limited');
  const properties: Record<string, { markdownDescription: string }> = contributes.configuration.properties;
  const paths = Object.entries(properties).flatMap(([name, { markdownDescription }]) => (/\bpath\b/i.test(markdownDescription) ? name : []));
  expect(paths.sort()).toEqual([...restrictedConfigurations].sort());
  for (const word of ['nothing is checked', '.search', 'cell library', 'program']) expect(description).toContain(word);
});

test('the lockfile names no registry', () => {
  expect(readFileSync(file('package-lock.json'), 'utf8')).not.toContain('"resolved"');
});
