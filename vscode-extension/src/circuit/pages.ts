// The pages that show a circuit: one in a view, which people put where they like, and one beside the text.
import { commands, Disposable, Uri, ViewColumn, type Webview, type WebviewPanel, type WebviewView, type WebviewViewProvider, window } from 'vscode';
import { circuitHtml } from './html';
import { isAbout, partsOf, type Subject } from '../pages';
import type { FromPage, ToPage } from './messages';

export const view = 'aiglens.circuit';
const beside = 'aiglens.circuitBeside';

interface Page {
  readonly host: WebviewPanel | WebviewView;
  readonly webview: Webview;
  isReady: boolean;
}

/** What happens to pages. */
interface Events {
  /** One is to be filled, or is in view again. */
  shown(): void;
  received(message: Exclude<FromPage, { type: 'ready' }>): unknown;
  /** What the pages are about. */
  subject(): Subject | undefined;
}

export class Pages implements WebviewViewProvider {
  private readonly all = new Set<Page>();
  private panel: WebviewPanel | undefined;
  private view: WebviewView | undefined;
  private readonly registered: Disposable;

  constructor(
    private readonly extension: Uri,
    private readonly events: Events,
  ) {
    this.registered = Disposable.from(
      window.registerWebviewViewProvider(view, this, { webviewOptions: { retainContextWhenHidden: true } }),
      window.registerWebviewPanelSerializer(beside, { deserializeWebviewPanel: async (panel) => (this.panel === undefined ? this.adopt(panel) : panel.dispose()) }),
    );
  }

  get areVisible(): boolean {
    return [...this.all].some(({ host }) => host.visible);
  }

  /** Shows one, and leaves the focus where it is. */
  async show(): Promise<void> {
    if (this.panel !== undefined) this.panel.reveal(undefined, true);
    else if (this.view !== undefined) this.view.show(true);
    else await commands.executeCommand(`${view}.focus`, { preserveFocus: true });
  }

  showBeside(): void {
    if (this.panel !== undefined) this.panel.reveal(undefined, true);
    else this.adopt(window.createWebviewPanel(beside, 'Circuit', { viewColumn: ViewColumn.Beside, preserveFocus: true }, { retainContextWhenHidden: true }));
  }

  resolveWebviewView(shown: WebviewView): void {
    this.view = shown;
    const page = this.fill(shown);
    shown.onDidChangeVisibility(() => shown.visible && this.events.shown());
    shown.onDidDispose(() => {
      this.view = undefined;
      this.all.delete(page);
    });
  }

  send(message: ToPage): void {
    for (const { webview, isReady } of this.all) if (isReady) void webview.postMessage(message);
  }

  dispose(): void {
    this.registered.dispose();
    this.panel?.dispose();
  }

  private adopt(panel: WebviewPanel): void {
    this.panel = panel;
    isAbout(panel, () => this.events.subject());
    const page = this.fill(panel);
    panel.onDidChangeViewState(() => panel.visible && this.events.shown());
    panel.onDidDispose(() => {
      this.panel = undefined;
      this.all.delete(page);
    });
  }

  private fill(host: WebviewPanel | WebviewView): Page {
    const { webview } = host;
    const page: Page = { host, webview, isReady: false };
    this.all.add(page);
    webview.onDidReceiveMessage((message: FromPage) => {
      if (message.type !== 'ready') return this.events.received(message);
      page.isReady = true;
      return this.events.shown();
    });
    webview.html = circuitHtml(partsOf(webview, this.extension, 'circuit', 'graphviz'));
    return page;
  }
}
