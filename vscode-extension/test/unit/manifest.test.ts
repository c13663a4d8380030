// What package.json promises and the sources must keep.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import manifest from '../../package.json';
import { registerCommands } from '../../src/commands';
import { comparisonCommands } from '../../src/comparison/register';
import { registerCounterexamples } from '../../src/counterexample/register';
import { registerPictures } from '../../src/schematic/register';
import { StatusModel } from '../../src/status';
import { rows, Walkthrough } from '../../src/walkthrough';
import * as protocol from '../../src/protocol';
import { commands, window } from './vscode';

const file = (path: string) => new URL(`../../${path}`, import.meta.url);
const { contributes } = manifest;
/** The settings of all groups. */
const settings = Object.assign({}, ...contributes.configuration.map(({ properties }) => properties)) as Record<string, { order: number; default: unknown; enum?: string[]; scope?: string; markdownDescription: string }>;
const menus = contributes.menus as Record<string, { command?: string; submenu?: string; when: string }[]>;
const entries = Object.values(menus).flat();
const declared = contributes.commands.map(({ command }) => command).sort();

test('every command of the manifest is registered, and no other', () => {
  commands.registerCommand.mockReset();
  registerCommands({} as never, {} as never, {} as never, {} as never, { show: vi.fn() } as never);
  window.createStatusBarItem.mockReturnValueOnce({ hide: vi.fn() });
  comparisonCommands({} as never, {} as never, {} as never);
  const { steps, radices } = registerCounterexamples({ workspaceState: { get: (_: string, otherwise: unknown) => otherwise } } as never, {} as never, { listen: vi.fn(), onDidChangeState: vi.fn() } as never, new StatusModel());
  registerPictures({} as never, {} as never, new StatusModel(), steps, radices);
  new Walkthrough({} as never, {} as never, new StatusModel());
  expect(commands.registerCommand.mock.calls.map(([id]) => id).sort()).toEqual(declared);
});

test('no command has an id that the server announces', () => {
  const page = readFileSync(file('../docs/protocol.md'), 'utf8');
  const ids = [...page.matchAll(/^\| `(aiglens\.\w+)` \|/gm)].map(([, id]) => id);
  const declaredOnes = Object.values(protocol).filter((name) => typeof name === 'string').filter((name) => /^aiglens\.\w+$/.test(name));
  expect(declaredOnes.length).toBeGreaterThan(20);
  expect(declaredOnes.sort()).toEqual(ids.sort());
  for (const id of ids) expect(declared).not.toContain(id);
});

test('menus and keys name commands of the manifest', () => {
  for (const { command } of [...entries, ...contributes.keybindings]) if (command !== undefined) expect(declared).toContain(command);
});

test('the palette lists at most forty commands, each under its task and only where it can succeed', () => {
  const palette = menus['commandPalette']!;
  expect(palette.map(({ command }) => command).sort()).toEqual(declared); // without an entry a command is listed everywhere
  const listed = palette.filter(({ when }) => when !== 'false');
  expect(listed.length).toBeLessThanOrEqual(40);
  const ofProgram = ['aiglens.restartServer', 'aiglens.showLog', 'aiglens.openExample'];
  for (const { command, when } of listed) {
    expect(when, command).toMatch(/\baiglens\.\w+|workspaceFolderCount/);
    const { category, title } = contributes.commands.find((one) => one.command === command)!;
    if (!ofProgram.includes(command!)) expect(`${category} ${title}`).toMatch(/^aiglens (Check|Trace|Proof|Ask|Compare|Picture|Edit) /);
  }
});

test('a context that decides about a menu or a key is one that the extension sets', () => {
  const sources = ['contexts', 'statusMenu', 'comparison/sideBySide', 'walkthrough', 'web/main'].map((name) => readFileSync(file(`src/${name}.ts`), 'utf8')).join();
  const named = [...JSON.stringify([entries, contributes.keybindings, contributes.views, contributes.walkthroughs]).matchAll(/"(?:when|onContext)[^"]*":"([^"]*)"/g)].flatMap(([, when = '']) => [...when.matchAll(/(?<!config\.|== )\baiglens\.(\w+)/g)].map(([, name = '']) => name));
  expect(new Set(named).size).toBeGreaterThan(10);
  for (const name of new Set(named)) expect(sources, name).toMatch(new RegExp(`\\b${name}\\b`));
});

test('the menu of a text has at most twelve rows, and so has each menu below it', () => {
  const top = menus['editor/context']!;
  const below = contributes.submenus.map(({ id }) => id);
  expect(top.flatMap(({ submenu }) => submenu ?? []).sort()).toEqual(below.sort());
  for (const menu of ['editor/context', ...below]) {
    expect(menus[menu]!.length, menu).toBeLessThanOrEqual(12);
    for (const { when } of menus[menu]!) expect(when, menu).toContain('editorLangId');
  }
});

test('a command that the palette does not list is in a menu, has a key, or belongs to a view or to the walkthrough', () => {
  const hidden = menus['commandPalette']!.flatMap(({ command, when }) => (when === 'false' ? command! : []));
  const others = Object.entries(menus).flatMap(([menu, rows]) => (menu === 'commandPalette' ? [] : rows.map(({ command }) => command)));
  const keys = contributes.keybindings.map(({ command }) => command);
  const steps = JSON.stringify(contributes.walkthroughs);
  const byClick = ['aiglens.openComparison']; // of a lens
  const byMenuOfStatus = ['aiglens.previousRefuted', 'aiglens.comparisonStep'];
  for (const command of hidden) expect(others.includes(command) || keys.includes(command) || steps.includes(`command:${command})`) || [...byClick, ...byMenuOfStatus].includes(command), command).toBe(true);
});

test('keys that do not begin a check are taken only where there is a counterexample', () => {
  const keys: { command: string; key: string; mac: string; when: string }[] = contributes.keybindings;
  for (const { command, when } of keys) {
    if (!/^aiglens\.(check\w+|pickLatch|showCircuit)$/.test(command)) expect(when, command).toMatch(/editorTextFocus.*aiglens\.hasSteps/);
  }
  const chords = keys.map(({ key, when }) => `${key} ${/!?aiglens\.stepShown$/.exec(when)?.[0] ?? ''}`);
  expect(new Set(chords).size).toBe(chords.length);
});

test('a trace is shown of a counterexample of an earlier text, too', () => {
  const rows = Object.values(menus).flat().filter(({ command }) => command === 'aiglens.showTrace');
  expect(rows).toHaveLength(3);
  for (const { when } of rows) expect(when).toMatch(/aiglens\.(hasTrace|traceHere)$/);
});

test('settings stand in an order of their own', () => {
  const orders = Object.values(settings).map(({ order }) => order);
  expect(orders.toSorted((a, b) => a - b)).toEqual(orders.map((_, i) => i + 1));
});

test('every file that the manifest names is there', () => {
  const named = [
    ...contributes.languages.map(({ configuration }) => configuration),
    ...contributes.grammars.map(({ path }) => path),
    ...contributes.languages.flatMap(({ icon }) => Object.values(icon)),
    ...contributes.walkthroughs.flatMap(({ icon, steps }) => [icon, ...steps.flatMap(({ media }) => Object.values(media.image))]),
    manifest.icon,
    'README.md',
  ];
  for (const path of named) expect(existsSync(file(path)), path).toBe(true);
});

test('the README shows every command and every setting with its default', () => {
  const readme = readFileSync(file('README.md'), 'utf8');
  for (const { title } of contributes.commands) expect(readme).toContain(`| ${title} |`);
  for (const [name, { default: value }] of Object.entries(settings)) {
    expect(readme).toContain(String(value) === '' ? `| \`${name}\` | |` : `| \`${name}\` | \`${value}\` |`);
  }
});

test('the settings of the specification are those of the manifest', () => {
  const [, section = ''] = readFileSync(file('../docs/protocol.md'), 'utf8').split('## Settings');
  const properties: Record<string, { default: unknown; enum?: string[] }> = settings;
  const rows = [...section.matchAll(/^\| `([\w.]+)` \| (.*?) \| ?`?([^|`]*?)`? ?\|$/gm)];
  const ofClient = /^aiglens\.(agents|compare|gutter|statusBar|tests|server|trace)\./;
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
  const ofBlif = Object.keys(settings).flatMap((name) => /^aiglens\.blif\.(\w+)$/.exec(name)?.[1] ?? []);
  expect(members.sort()).toEqual(ofBlif.sort());
});

test('a folder that is not trusted chooses no file that is run or read, and no cluster', () => {
  const { supported, restrictedConfigurations, description } = manifest.capabilities.untrustedWorkspaces;
  expect(supported).toBe('limited');
  const properties: Record<string, { markdownDescription: string }> = settings;
  const paths = Object.entries(properties).flatMap(([name, { markdownDescription }]) => (/\bpath\b/i.test(markdownDescription) || name.startsWith('aiglens.cluster.') ? name : []));
  expect(paths.sort()).toEqual([...restrictedConfigurations].sort());
  for (const word of ['nothing is checked', '.search', 'cell library', 'program', 'cluster']) expect(description).toContain(word);
});

test('no folder chooses a cluster, trusted or not, and there is none by default', () => {
  const properties: Record<string, { scope?: string; default: unknown }> = settings;
  const ofCluster = Object.entries(properties).filter(([name]) => name.startsWith('aiglens.cluster.'));
  expect(ofCluster).toHaveLength(5);
  for (const [name, { scope, default: value }] of ofCluster) expect([scope, value], name).toEqual(['machine', '']);
});

test('the lockfile names no registry', () => {
  expect(readFileSync(file('package-lock.json'), 'utf8')).not.toContain('"resolved"');
});

test('each group of settings has a title of its own, and what it holds stands together', () => {
  const titles = contributes.configuration.map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
  for (const { properties } of contributes.configuration) {
    const orders = Object.values(properties as Record<string, { order: number }>).map(({ order }) => order);
    expect(orders).toEqual(orders.toSorted((a, b) => a - b));
  }
});

test('the steps of the walkthrough lead to commands, and its example is that of the examples', () => {
  const steps = contributes.walkthroughs.flatMap((walkthrough) => walkthrough.steps);
  expect(steps.map(({ id }) => id)).toEqual(['open', 'break', 'read', 'repair']);
  for (const { description } of steps) expect(declared).toContain(/\(command:([\w.]+)\)/.exec(description)?.[1]);
  const example = readFileSync(file('walkthrough/semaphore2.aag'), 'utf8');
  expect(example).toBe(readFileSync(file('../examples/semaphore2.aag'), 'utf8'));
  expect(example.split('\n')[24]).toBe(rows.right);
});

test('the page of the extension says that there is no telemetry, and fetches no picture', () => {
  const readme = readFileSync(file('README.md'), 'utf8');
  expect(readme).toContain('There is no telemetry');
  // VS Code shows neither pictures of the package there nor such that are data.
  expect(readme).not.toMatch(/!\[|<img/);
});
