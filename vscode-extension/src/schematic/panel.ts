// The schematic panel: what a property or signal depends on as a picture. The server says what
// is drawn, the page lays it out (webview/); here places and cursor are brought together. A picture
// of an earlier text is marked until it is drawn again, which saving does.
import { randomBytes } from 'node:crypto';
import { Disposable, type TextDocumentContentChangeEvent, type TextEditor, Uri, ViewColumn, type WebviewPanel, window, workspace } from 'vscode';
import type { Location } from 'vscode-languageclient/node';
import type { Steps } from '../counterexample/steps';
import { moveLocation, movePosition } from '../counterexample/tracked';
import { isCircuit } from '../formats';
import { documentUri, fileName, reveal } from '../places';
import * as protocol from '../protocol';
import { Refusal } from '../refusal';
import type { Server } from '../server';
import type { StatusModel } from '../status';
import { schematicHtml } from './html';
import type { FromPage, Kept, ToPage } from './messages';

const viewType = 'aiglens.schematic';
const settled = 200; // milliseconds without news before the picture is asked for again

export class Schematic {
  /** What the page shows, at most one picture. */
  picture: protocol.Picture | undefined;
  /** The text has changed since the picture. */
  isOld = false;
  private panel: WebviewPanel | undefined;
  private about: protocol.PropertyParams | undefined;
  /** What a picture is called that came back with the window, until it is drawn. */
  private returning: string | undefined;
  private expand: number[] = [];
  private locations: (Location | null)[] = [];
  private ready = false;
  /** Counts what was asked, so that an answer that is late is not shown. */
  private asked = 0;
  private looked = 0;
  private timer: NodeJS.Timeout | undefined;
  private readonly listeners: Disposable;

  constructor(
    private readonly extension: Uri,
    private readonly server: Pick<Server, 'execute'>,
    model: Pick<StatusModel, 'onDidChange'>,
    steps: Pick<Steps, 'onDidChange'>,
  ) {
    this.listeners = Disposable.from(
      window.registerWebviewPanelSerializer(viewType, {
        deserializeWebviewPanel: async (panel, kept: Kept | null | undefined) => {
          if (kept == null || this.panel !== undefined) panel.dispose();
          else this.restore(panel, kept);
        },
      }),
      steps.onDidChange(({ uri }) => this.follow(uri, 0)),
      model.onDidChange(({ uri }) => this.follow(uri, settled)),
      window.onDidChangeTextEditorSelection(({ textEditor }) => void this.followCursor(textEditor)),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => this.followEdit(document.uri.toString(), contentChanges)),
      workspace.onDidSaveTextDocument((document) => {
        if (isCircuit(document) && this.isOld) void this.ask();
      }),
    );
  }

  async show(about: protocol.PropertyParams): Promise<void> {
    this.about = about;
    this.expand = [];
    this.picture = this.returning = undefined;
    if (this.panel === undefined) {
      this.panel = window.createWebviewPanel(viewType, 'Schematic', { viewColumn: ViewColumn.Beside, preserveFocus: true }, { retainContextWhenHidden: true });
      this.fill(this.panel);
    } else {
      this.panel.reveal(undefined, true);
      await this.ask();
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.listeners.dispose();
    this.panel?.dispose();
  }

  private restore(panel: WebviewPanel, { about, title }: Kept): void {
    this.about = about;
    this.returning = title;
    this.panel = panel;
    this.fill(panel);
  }

  /** What is drawn, where the text has it still. */
  private get kept(): { kept?: Kept } {
    const { about, picture, returning } = this;
    const title = returning ?? picture?.title;
    return about === undefined || title === undefined ? {} : { kept: { about, title } };
  }

  private fill(panel: WebviewPanel): void {
    const page = Uri.joinPath(this.extension, 'dist');
    panel.webview.options = { enableScripts: true, localResourceRoots: [page] };
    panel.webview.onDidReceiveMessage((message: FromPage) => this.receive(message));
    panel.onDidDispose(() => {
      this.panel = this.picture = this.about = undefined;
      this.ready = false;
    });
    const address = (name: string) => panel.webview.asWebviewUri(Uri.joinPath(page, name)).toString();
    panel.webview.html = schematicHtml({
      script: address('schematic.js'),
      style: address('schematic.css'),
      source: panel.webview.cspSource,
      nonce: randomBytes(16).toString('hex'),
    });
  }

  private async receive(message: FromPage): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.ready = true;
        return this.ask();
      case 'renew':
        return this.ask();
      case 'go': {
        const location = this.locations[message.node];
        if (location != null) await reveal(location.uri, location.range, !message.focus);
        return;
      }
      case 'expand': {
        const [signal] = this.picture?.nodes[message.node]?.signals ?? [];
        if (signal === undefined || this.isOld) return;
        this.expand.push(signal);
        return this.ask();
      }
      case 'failed':
        void window.showErrorMessage(`aiglens: the picture could not be laid out: ${message.message}`);
    }
  }

  /** Asks again after news of a file: values, verdicts. */
  private follow(uri: string, pause: number): void {
    if (uri !== this.about?.uri || this.isOld || !this.ready) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.ask(), pause);
  }

  private followEdit(uri: string, edits: readonly TextDocumentContentChangeEvent[]): void {
    if (edits.length === 0 || this.about === undefined) return;
    this.locations = this.locations.map((location) => moveLocation(location, uri, edits));
    // Models of other files are a part of the picture.
    const isPart = uri === this.about.uri || this.picture?.nodes.some(({ location }) => location?.uri === uri) === true;
    if (!isPart) return;
    this.asked++; // an answer on its way is about the text before, or cannot be told from one
    clearTimeout(this.timer);
    if (uri === this.about.uri) this.moveSubject(edits);
    this.isOld = true;
    this.send({ type: 'old', ...this.kept });
    if (this.picture === undefined) this.timer = setTimeout(() => void this.ask(), settled);
  }

  private moveSubject(edits: readonly TextDocumentContentChangeEvent[]): void {
    for (const edit of edits) {
      const position = this.about?.position;
      if (this.about === undefined || position === undefined) return;
      const moved = movePosition(position, edit);
      // What was at a place that is gone is drawn no more: the picture stays as it was.
      this.about = moved === undefined ? undefined : { ...this.about, position: moved };
    }
  }

  private async followCursor(editor: TextEditor): Promise<void> {
    const uri = editor.document.uri.toString();
    if (uri !== this.picture?.uri || this.isOld) return;
    const look = ++this.looked;
    const { line, character } = editor.selection.active;
    const there = await this.server.execute(protocol.signalsAt, { uri, position: { line, character } }).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      return undefined;
    });
    if (look !== this.looked || there === undefined || there.version !== this.picture?.version) return;
    const at = (position: (signals: number[], signal: number) => boolean) =>
      this.picture!.nodes.flatMap(({ signals }, index) => (there.signals.some((signal) => position(signals, signal)) ? [index] : []));
    const own = at((signals, signal) => signals[0] === signal);
    this.send({ type: 'select', nodes: own.length > 0 ? own : at((signals, signal) => signals.includes(signal)) });
  }

  private send(message: ToPage): void {
    void this.panel?.webview.postMessage(message);
  }

  private async ask(): Promise<void> {
    clearTimeout(this.timer);
    const { about } = this;
    if (!this.ready) return;
    if (about === undefined) return this.send({ type: 'nothing', message: 'What was drawn is no longer in the text.' });
    const ask = ++this.asked;
    try {
      // The server knows files that are open.
      await workspace.openTextDocument(documentUri(about.uri));
      const version = this.picture?.version;
      const answer = await this.server.execute(protocol.draw, { ...about, ...(version !== undefined && this.expand.length > 0 ? { version, expand: this.expand } : {}) });
      if (ask === this.asked && answer !== undefined) this.take(answer);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (ask === this.asked) this.send({ type: 'nothing', message: `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.` });
    }
  }

  private take(picture: protocol.Picture): void {
    const { about, returning } = this;
    if (about === undefined) return;
    this.returning = undefined;
    if (returning !== undefined && returning !== picture.title) {
      // The file was changed while the window was closed: another thing stands at the place now.
      this.about = undefined;
      return this.send({ type: 'nothing', message: `The text is another one since ${returning} was drawn. “Draw Cone” draws what is at the cursor.` });
    }
    if (picture.version !== this.picture?.version) this.expand = [];
    this.picture = picture;
    this.isOld = false;
    this.locations = picture.nodes.map(({ location }) => location);
    if (this.panel !== undefined) this.panel.title = `${picture.title} – ${fileName(picture.uri)}`;
    const { title, dot, errors, values } = picture;
    const nodes = picture.nodes.map(({ id, name, kind, cut, location }) => ({ id, words: name === '' ? kind : `${kind} ${name}`, cut, placed: location !== null }));
    this.send({ type: 'picture', kept: { about, title }, title, dot, errors, nodes, values });
    const editor = window.visibleTextEditors.find(({ document }) => document.uri.toString() === picture.uri);
    if (editor !== undefined) void this.followCursor(editor);
  }
}
