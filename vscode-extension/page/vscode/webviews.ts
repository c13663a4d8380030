/// <reference lib="dom" />
// Webviews: pages in frames of their own, which have no origin, run no script but that of their bundle, and reach
// nothing. Scripts and styles stand within the page, because nothing is loaded for a frame without an origin while
// there is no connection; the policy of the page around it allows these texts and no others, by their hashes.
import { Emitter, Uri } from 'monaco-editor/editor/editor.api.js';
import type { FrameStart, FromFrame } from '../frame';
import type { Pane, Panes } from '../panes';
import { unique } from '../unique';
import { activeTextEditor, setActive } from './editors';
import { onDidChangeActiveColorTheme, panelLook } from './theme';
import { Disposable } from './values';

/** Gives the texts of bundles by their names: `trace.js`, `trace.css`. */
export type Bundle = (name: string) => Promise<string>;

const scheme = 'bundle';

class Webview {
  options: object = {};
  readonly cspSource: string;
  private readonly messages = new Emitter<unknown>();
  readonly onDidReceiveMessage = this.messages.event;
  private state: unknown;
  private readonly nonce = unique();
  readonly frame = document.createElement('iframe');

  constructor(
    title: string,
    private readonly bundle: Bundle,
    private readonly key: (key: string, shift: boolean) => void,
  ) {
    this.cspSource = `'nonce-${this.nonce}'`;
    this.frame.title = title;
    this.frame.setAttribute('sandbox', 'allow-scripts');
    frames.add(this);
  }

  asWebviewUri(uri: Uri): Uri {
    return Uri.from({ scheme, path: uri.path.slice(uri.path.lastIndexOf('/')) });
  }

  set html(html: string) {
    this.load(html).catch((error: unknown) => {
      const text = document.createElement('p'); // the frame has no script: this is all that is in it
      text.textContent = `This panel cannot be shown: ${error instanceof Error ? error.message : String(error)}. Close it, and open it again once the page can be reached.`;
      const { color, background, font } = getComputedStyle(document.body);
      Object.assign(text.style, { color, background, font, margin: '1rem' });
      this.frame.srcdoc = text.outerHTML;
    });
  }

  /** Puts what the page names into it. */
  private async load(html: string): Promise<void> {
    const parts = html.split(/(<script nonce="[^"]*" src="[^"]*"><\/script>|<link rel="stylesheet" href="[^"]*">|<body>)/);
    this.frame.srcdoc = (await Promise.all(parts.map((part) => this.filled(part, /script nonce="([^"]*)"/.exec(html)?.[1])))).join('');
  }

  private async filled(part: string, nonce: string | undefined): Promise<string> {
    const [, address] = /^<(?:script|link) .*(?:src|href)="([^"]*)">/.exec(part) ?? [];
    const text = async (name: string) => this.bundle(name.slice(name.lastIndexOf('/') + 1));
    if (address !== undefined) return part.startsWith('<link') ? `<style nonce="${this.nonce}">${await text(address)}</style>` : `<script nonce="${nonce}">${await text(address)}</script>`;
    if (part !== '<body>' || nonce === undefined) return part;
    const start: FrameStart = { look: panelLook(), state: this.state };
    return `<body><script type="application/json" id="start">${JSON.stringify(start).replaceAll('<', '\\u003c')}</script><script nonce="${nonce}">${await text('frame.js')}</script>`;
  }

  async postMessage(panel: unknown): Promise<boolean> {
    this.frame.contentWindow?.postMessage({ panel }, '*');
    return true;
  }

  follow(): void {
    this.frame.contentWindow?.postMessage({ look: panelLook() }, '*');
  }

  receive(message: FromFrame): void {
    if ('panel' in message) this.messages.fire(message.panel);
    else if ('key' in message) this.key(message.key, message.shift);
    else this.state = message.state;
  }

  dispose(): void {
    frames.delete(this);
  }
}

const frames = new Set<Webview>();
onDidChangeActiveColorTheme(() => frames.forEach((one) => one.follow()));
addEventListener('message', ({ source, data }: MessageEvent<FromFrame>) => {
  for (const one of frames) if (one.frame.contentWindow === source) one.receive(data);
});

/** Both a panel and a view, which differ in little. */
class Panel implements Pane {
  readonly webview: Webview;
  readonly element: HTMLElement;
  private readonly disposed = new Emitter<void>();
  private readonly changes = new Emitter<object>();
  readonly onDidDispose = this.disposed.event;
  readonly onDidChangeViewState = this.changes.event;
  readonly onDidChangeVisibility = this.changes.event;
  active = false;
  readonly viewColumn = 2;
  private isGone = false;

  constructor(
    readonly viewType: string,
    private name: string,
    private readonly panes: Panes,
    bundle: Bundle,
    key: (key: string, shift: boolean) => void,
  ) {
    this.webview = new Webview(name, bundle, key);
    this.element = this.webview.frame;
    panels.add(this);
  }
  get title(): string {
    return this.name;
  }
  set title(to: string) {
    this.name = to;
    this.webview.frame.title = to;
    this.panes.draw();
  }
  get visible(): boolean {
    return this.panes.isVisible(this);
  }
  reveal(_column?: unknown, preserveFocus = false): void {
    this.panes.show(this, !preserveFocus);
  }
  /** Of a view. */
  show(preserveFocus = false): void {
    this.reveal(undefined, preserveFocus);
  }
  /** Now, and once more when its page is there: a list that closes meanwhile gives the keyboard back to the text. */
  focus(): void {
    const { frame } = this.webview;
    frame.focus();
    frame.addEventListener('load', () => frame.contentWindow?.focus(), { once: true });
  }
  shown(): void {
    this.changed();
  }
  closed(): void {
    this.dispose();
  }
  changed(): void {
    this.changes.fire({ webviewPanel: this });
  }
  dispose(): void {
    if (this.isGone) return;
    this.isGone = true;
    panels.delete(this);
    this.panes.remove(this);
    this.webview.dispose();
    this.disposed.fire();
  }
}

const panels = new Set<Panel>();

/** The frame that has the keyboard, in the document of the page. */
function followFocus(): void {
  for (const panel of panels) {
    const has = document.activeElement === panel.element;
    if (panel.active === has) continue;
    panel.active = has;
    // A panel takes the place of the active editor; a view does not.
    if (has && !views.has(panel.viewType) && activeTextEditor() !== undefined) setActive(undefined);
    panel.changed();
  }
}
addEventListener('blur', () => setTimeout(followFocus));
addEventListener('focusin', followFocus);

export interface Surroundings {
  below: Panes;
  beside: Panes;
  bundle: Bundle;
  /** A key that leads out of a panel. */
  key(key: string, shift: boolean): void;
}

let around: Surroundings;
export function provideWebviews(given: Surroundings): void {
  around = given;
}

/** Panels of waveforms are wide, and stand below the text. */
const wide = ['aiglens.trace', 'aiglens.difference'];

export function createWebviewPanel(viewType: string, title: string, column: number | { preserveFocus?: boolean }): Panel {
  const { below, beside, bundle, key } = around;
  const panes = wide.includes(viewType) ? below : beside;
  const panel = new Panel(viewType, title, panes, bundle, key);
  panes.show(panel, typeof column === 'number' || column.preserveFocus !== true);
  return panel;
}

const views = new Map<string, { resolveWebviewView(view: Panel): void }>();

export function registerWebviewViewProvider(id: string, provider: { resolveWebviewView(view: Panel): void }): Disposable {
  views.set(id, provider);
  return new Disposable(() => views.delete(id));
}

/** Shows a view, which is made when it is shown first, or after it was closed. */
export function showView(id: string, title: string, preserveFocus: boolean): void {
  const there = [...panels].find(({ viewType }) => viewType === id);
  if (there !== undefined) return there.show(preserveFocus);
  const { beside, bundle, key } = around;
  const view = new Panel(id, title, beside, bundle, key);
  views.get(id)?.resolveWebviewView(view);
  beside.show(view, !preserveFocus);
}

/** Panels do not come back with the page: an address says which are open. */
export const registerWebviewPanelSerializer = (): Disposable => new Disposable(() => undefined);
export const registerCustomEditorProvider = registerWebviewPanelSerializer;
