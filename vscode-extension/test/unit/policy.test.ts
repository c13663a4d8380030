// The pages of webviews: what their content security policy allows, and that there is
// no page without one.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { Pages } from '../../src/circuit/pages';
import { DifferencePanel } from '../../src/comparison/panel';
import { Panels } from '../../src/counterexample/panel';
import { Redirection } from '../../src/decoded';
import { page } from '../../src/page';
import { Schematic } from '../../src/schematic/schematic';
import { Uri, window, workspace } from './vscode';

/** What is wrong with a page: nothing, in those that are shown. */
function faultsOf(html: string): string[] {
  const faults: string[] = [];
  const meta = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(html);
  if (meta === null) return ['no policy'];
  if (/<(script|style|link|img)\b/.test(html.slice(0, meta.index))) faults.push('something stands before the policy');
  const directives = new Map(meta[1]!.split(';').map((one) => one.trim().split(/ +/)).map(([name = '', ...sources]) => [name, sources]));
  if (directives.get('default-src')?.join() !== "'none'") faults.push('what is not named is allowed');
  for (const [name, sources] of directives) {
    for (const source of sources) {
      if (/unsafe|\*|^https?:|^data:|^blob:/.test(source)) faults.push(`${name} allows ${source}`);
      if (name.startsWith('script-src') && !/^'nonce-[0-9a-f]{32}'$/.test(source)) faults.push(`scripts from ${source}`);
    }
  }
  const nonce = /'nonce-([^']*)'/.exec(meta[1]!)?.[1];
  for (const [, attributes, inline] of html.matchAll(/<script\b([^>]*)>([^]*?)<\/script>/g)) {
    if (nonce === undefined || !attributes!.includes(`nonce="${nonce}"`)) faults.push('a script without nonce');
    if (inline !== '') faults.push('a script in the page');
  }
  if (/<style\b|<[^>]*\sstyle=/.test(html)) faults.push('a style in the page');
  if (/<[^>]*\son\w+=/.test(html)) faults.push('a handler in the page');
  if (/(src|href)="?(https?:|\/\/|javascript:|data:)/.test(html)) faults.push('an address elsewhere');
  return faults;
}

test('faults are found', () => {
  const nonce = '0'.repeat(32);
  expect(faultsOf(page({ styles: 'csp:', nonce }, 'x', '', `<script nonce="${nonce}" src="csp:x"></script>`))).toEqual([]);
  expect(faultsOf('<p>hello</p>')).toEqual(['no policy']);
  expect(faultsOf(page({ styles: "csp: 'unsafe-inline'" }, 'x', '', '<p style="top: 0">'))).toEqual(["style-src allows 'unsafe-inline'", 'a style in the page']);
  expect(faultsOf(page({ nonce: 'n' }, 'x', '', '<script>1</script>'))).toEqual(["scripts from 'nonce-n'", 'a script without nonce', 'a script in the page']);
  expect(faultsOf(page({}, 'x', '', '<p onclick="x()"><img src="https://x.test/">'))).toEqual(['a handler in the page', 'an address elsewhere']);
});

beforeEach(() => vi.clearAllMocks());

test('the trace panel has a policy, and another nonce each time', async () => {
  window.createStatusBarItem.mockReturnValue({ hide: vi.fn(), show: vi.fn() });
  const nothing = { onDidChange: vi.fn() };
  new Panels(Uri.parse('file:///extension') as never, {} as never, nothing as never, nothing as never, {} as never, {} as never, {} as never, nothing as never);
  const [, serializer] = window.registerWebviewPanelSerializer.mock.lastCall as unknown as [string, { deserializeWebviewPanel(view: unknown, state: unknown): Promise<void> }];
  const shown: string[] = [];
  for (const property of ['bad:0', 'bad:1']) {
    const webview = { html: '', options: {}, cspSource: 'csp:', asWebviewUri: (one: Uri) => one, onDidReceiveMessage: vi.fn() };
    await serializer.deserializeWebviewPanel({ webview, onDidDispose: vi.fn(), onDidChangeViewState: vi.fn() }, { uri: 'file:///a.aag', property });
    expect(faultsOf(webview.html)).toEqual([]);
    expect(webview.options).toMatchObject({ localResourceRoots: [{ path: '/extension/dist' }] });
    shown.push(webview.html);
  }
  expect(shown[0]).not.toBe(shown[1]);
});

test('the panel of a difference has a policy, and another nonce each time', async () => {
  const shown: string[] = [];
  for (let time = 0; time < 2; time++) {
    const webview = { html: '', options: {}, cspSource: 'csp:', asWebviewUri: (one: Uri) => one, onDidReceiveMessage: vi.fn() };
    window.createWebviewPanel.mockReturnValueOnce({ webview, onDidDispose: vi.fn(), onDidChangeViewState: vi.fn(), dispose: vi.fn() });
    const panel = new DifferencePanel(Uri.parse('file:///extension') as never, { about: {}, onDidChange: () => ({ dispose: vi.fn() }) } as never, async () => undefined);
    await panel.show();
    expect(faultsOf(webview.html)).toEqual([]);
    expect(webview.options).toMatchObject({ localResourceRoots: [{ path: '/extension/dist' }] });
    shown.push(webview.html);
    panel.dispose();
  }
  expect(shown[0]).not.toBe(shown[1]);
});

test('the schematic has a policy that allows no more than to compile what its script holds', async () => {
  const shown: string[] = [];
  for (let time = 0; time < 2; time++) {
    const webview = { html: '', options: {}, cspSource: 'csp:', asWebviewUri: (one: Uri) => one, onDidReceiveMessage: vi.fn() };
    window.createWebviewPanel.mockReturnValueOnce({ webview, onDidDispose: vi.fn(), onDidChangeViewState: vi.fn(), dispose: vi.fn() });
    const nothing = { onDidChange: () => ({ dispose: vi.fn() }) };
    const panel = new Schematic(Uri.parse('file:///extension') as never, {} as never, nothing as never, nothing as never);
    await panel.show({ uri: 'file:///a.aag' });
    // Graphviz is WebAssembly, which is not a script: no text becomes one.
    expect(faultsOf(webview.html)).toEqual(["script-src allows 'wasm-unsafe-eval'", "scripts from 'wasm-unsafe-eval'"]);
    expect(webview.options).toMatchObject({ localResourceRoots: [{ path: '/extension/dist' }] });
    shown.push(webview.html);
  }
  expect(shown[0]).not.toBe(shown[1]);
});

test('the Circuit view has the policy of the schematic, whose pictures it draws', () => {
  const pages = new Pages(Uri.parse('file:///extension') as never, { shown: vi.fn(), received: vi.fn(), subject: vi.fn() });
  const shown: string[] = [];
  for (let time = 0; time < 2; time++) {
    const webview = { html: '', options: {}, cspSource: 'csp:', asWebviewUri: (one: Uri) => one, onDidReceiveMessage: vi.fn() };
    pages.resolveWebviewView({ webview, onDidDispose: vi.fn(), onDidChangeVisibility: vi.fn() } as never);
    expect(faultsOf(webview.html)).toEqual(["script-src allows 'wasm-unsafe-eval'", "scripts from 'wasm-unsafe-eval'"]);
    expect(webview.options).toMatchObject({ localResourceRoots: [{ path: '/extension/dist' }] });
    shown.push(webview.html);
  }
  expect(shown[0]).not.toBe(shown[1]);
});

test('a binary file that cannot be shown says so on a page with a policy', async () => {
  workspace.openTextDocument.mockRejectedValueOnce(new Error('<script>alert(1)</script>'));
  const webview = { html: '' };
  await new Redirection().resolveCustomEditor({ uri: Uri.parse('file:///a.aig') } as never, { webview } as never);
  expect(faultsOf(webview.html)).toEqual([]);
  expect(webview.html).toContain('&#60;script&#62;alert(1)');
});

test('there are no other pages, and all are written by one module', () => {
  const root = resolve(import.meta.dirname, '../../src');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts') && !file.includes('webview/'));
  const withPages = [];
  for (const file of files) {
    const source = readFileSync(join(root, file), 'utf8');
    if (/\bcreateWebviewPanel|\bregister(CustomEditor|WebviewView)Provider|\bregisterWebviewPanelSerializer|\bwebview\.html\b/.test(source)) withPages.push(file);
    for (const [, value] of source.matchAll(/\bhtml = (\w+)/g)) expect(['circuitHtml', 'pageHtml', 'pictureHtml', 'sentencePage'], file).toContain(value);
    if (file !== 'page.ts') expect(source, file).not.toMatch(/<(html|body|head)\b/);
  }
  expect(withPages.sort()).toEqual(['circuit/pages.ts', 'comparison/panel.ts', 'counterexample/panel.ts', 'decoded.ts', 'schematic/panel.ts']);
});
