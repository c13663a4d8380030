// The panel of a picture of a circuit. The server says what is drawn, the page lays it out
// (webview/); what it shows is left to the classes that extend it. A picture of an earlier text is marked until it
// is drawn again, which saving does.
import { CancellationTokenSource, type CancellationToken, Disposable, type TextDocumentContentChangeEvent, Uri, ViewColumn, type WebviewPanel, window, workspace } from 'vscode';
import type { Steps } from '../counterexample/steps';
import { movePosition } from '../counterexample/tracked';
import { isCircuit } from '../formats';
import { isAbout, partsOf } from '../pages';
import { documentUri, fileName } from '../places';
import type { PropertyParams } from '../protocol';
import { Refusal } from '../refusal';
import type { StatusChange, StatusModel } from '../status';
import { pictureHtml } from './html';
import type { FromPage, Kept, PagePicture, ToPage } from './messages';
import { tell } from '../telling';

export const settled = 200; // milliseconds without news before the picture is asked for again

/** What a panel shows. */
export interface Kind {
  viewType: string;
  /** Of the panel, before there is a picture. */
  title: string;
  /** The command that opens it, as the palette has it. */
  command: string;
}

/** What the server answers, of whatever picture. */
export interface Answer {
  uri: string;
  version: number;
  title: string;
}

export abstract class PicturePanel<A extends Answer> {
  /** What the page shows, at most one picture. */
  picture: A | undefined;
  /** The text has changed since the picture. */
  isOld = false;
  protected about: PropertyParams | undefined;
  private panel: WebviewPanel | undefined;
  /** What a picture is called that came back with the window, until it is drawn. */
  private returning: string | undefined;
  /** What was drawn last is called. */
  private title: string | undefined;
  /** Of the picture that the page was sent last: a click on an earlier one means other nodes. */
  private count = 0;
  private ready = false;
  /** Counts what was asked, so that an answer that is late is not shown. */
  private asked = 0;
  /** Ends what was asked last. */
  private asking: CancellationTokenSource | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly listeners: Disposable;

  constructor(
    private readonly extension: Uri,
    private readonly kind: Kind,
    model: Pick<StatusModel, 'onDidChange'>,
    steps: Pick<Steps, 'onDidChange'>,
    ...more: Disposable[]
  ) {
    this.listeners = Disposable.from(
      window.registerWebviewPanelSerializer(kind.viewType, {
        deserializeWebviewPanel: async (panel, kept: Kept | null | undefined) => {
          if (kept == null || this.panel !== undefined) panel.dispose();
          else this.restore(panel, kept);
        },
      }),
      steps.onDidChange(({ uri }) => this.follow(uri, 0)),
      model.onDidChange((change) => {
        const { uri } = change;
        if (uri === this.about?.uri && this.isNews(uri, change)) this.follow(uri, settled);
      }),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => this.followEdit(document.uri.toString(), contentChanges)),
      workspace.onDidSaveTextDocument((document) => {
        if (isCircuit(document) && (this.isOld || this.picture === undefined)) void this.ask();
      }),
      ...more,
    );
  }

  /** Asks the server what to draw. The token ends when the answer is no longer wanted. */
  protected abstract request(about: PropertyParams, token: CancellationToken): Promise<A | undefined>;
  /** What the page is told of it. */
  protected abstract page(picture: A): PagePicture;
  /** A box was clicked. */
  protected abstract go(node: number, focus: boolean): Promise<void>;
  /** Whether an edit of another file can change the picture. */
  protected abstract isPart(uri: string): boolean;

  /** Before a picture of something else. */
  protected forget(): void {}
  /** Before a picture is shown. */
  protected took(_picture: A): void {}
  /** After it is shown. */
  protected showed(_picture: A): void {}
  /** With each edit. */
  protected moved(_uri: string, _edits: readonly TextDocumentContentChangeEvent[]): void {}
  /** Whether the verdicts of the file that is drawn say what can change the picture. */
  protected isNews(_uri: string, _change: StatusChange): boolean {
    return true;
  }
  /** Words are to be drawn as boxes, or their bits. */
  protected async changeBits(): Promise<void> {}
  /** What is behind a dashed box is wanted. */
  protected async expandAt(_node: number): Promise<void> {}

  async show(about: PropertyParams): Promise<void> {
    this.about = about;
    this.forget();
    this.picture = this.returning = this.title = undefined;
    if (this.panel === undefined) {
      const { viewType, title } = this.kind;
      this.panel = window.createWebviewPanel(viewType, title, { viewColumn: ViewColumn.Beside, preserveFocus: true }, { retainContextWhenHidden: true });
      this.fill(this.panel);
    } else {
      this.panel.reveal(undefined, true);
      await this.ask();
    }
  }

  dispose(): void {
    this.stop();
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
    const { about } = this;
    const title = this.returning ?? this.title;
    return about === undefined || title === undefined ? {} : { kept: { about, title } };
  }

  private fill(panel: WebviewPanel): void {
    panel.webview.onDidReceiveMessage((message: FromPage) => this.receive(message));
    isAbout(panel, () => this.about && { uri: Uri.parse(this.about.uri).toString(), ...(this.about.property === undefined ? {} : { property: this.about.property }) });
    panel.onDidDispose(() => {
      this.stop();
      this.panel = this.picture = this.about = this.title = undefined;
      this.ready = false;
    });
    panel.webview.html = pictureHtml(partsOf(panel.webview, this.extension, 'schematic', 'graphviz'), this.kind.title);
  }

  private async receive(message: FromPage): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.ready = true;
        return this.ask();
      case 'bits':
        return this.changeBits();
      case 'renew':
        return this.ask();
      case 'go':
        return message.of === this.count ? this.go(message.node, message.focus) : undefined;
      case 'expand':
        return message.of === this.count ? this.expandAt(message.node) : undefined;
      case 'failed':
        void tell('error', `the picture could not be laid out: ${message.message}`);
    }
  }

  /** Asks again after news of a file: values, verdicts. */
  protected follow(uri: string, pause: number): void {
    if (uri !== this.about?.uri || this.isOld || !this.ready) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.ask(), pause);
  }

  /** Values are written otherwise than before. */
  renew(uri: string): void {
    this.follow(uri, 0);
  }

  private followEdit(uri: string, edits: readonly TextDocumentContentChangeEvent[]): void {
    if (edits.length === 0 || this.about === undefined) return;
    this.moved(uri, edits);
    if (uri !== this.about.uri && !this.isPart(uri)) return;
    this.stop(); // an answer on its way is about the text before, or cannot be told from one
    if (uri === this.about.uri) this.moveSubject(edits);
    this.isOld = true;
    this.send({ type: 'old', ...this.kept });
    if (this.picture === undefined) this.timer = setTimeout(() => void this.ask(), settled);
  }

  /** Nothing is asked any more, and no answer taken. */
  private stop(): void {
    this.asked++;
    clearTimeout(this.timer);
    this.asking?.cancel();
    this.asking = undefined;
  }

  private moveSubject(edits: readonly TextDocumentContentChangeEvent[]): void {
    for (const edit of edits) {
      const position = this.about?.position;
      if (this.about === undefined || position === undefined) return;
      const moved = movePosition(position, edit);
      // What was at a place that is gone is no longer drawn: the picture stays as it was.
      this.about = moved === undefined ? undefined : { ...this.about, position: moved };
    }
  }

  protected send(message: ToPage): void {
    void this.panel?.webview.postMessage(message);
  }

  protected async ask(): Promise<void> {
    if (!this.ready) return;
    this.stop();
    const { about, asked } = this;
    if (about === undefined) return this.drawNothing('What was drawn is no longer in the text.');
    const asking = (this.asking = new CancellationTokenSource());
    try {
      // The server knows files that are open.
      await workspace.openTextDocument(documentUri(about.uri));
      const answer = await this.request(about, asking.token);
      if (asked === this.asked && answer !== undefined) this.take(answer);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (asked === this.asked) this.drawNothing(`${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`);
    }
  }

  /** There is no picture, and the next edit asks for one. */
  private drawNothing(message: string): void {
    this.picture = undefined;
    this.isOld = false;
    this.count++;
    if (this.panel !== undefined) this.panel.title = this.kind.title;
    this.send({ type: 'nothing', message });
  }

  private take(picture: A): void {
    const { returning } = this;
    if (this.about === undefined) return;
    this.returning = undefined;
    if (returning !== undefined && returning !== picture.title) {
      // The file was changed while the window was closed: another thing stands at the place now.
      this.about = undefined;
      return this.drawNothing(`The text has changed since ${returning} was drawn. “${this.kind.command}” draws what is at the cursor.`);
    }
    this.took(picture);
    this.picture = picture;
    this.title = picture.title;
    this.count++;
    this.isOld = false;
    if (this.panel !== undefined) this.panel.title = `${picture.title} – ${fileName(picture.uri)}`;
    this.send({ type: 'picture', kept: { about: this.about, title: picture.title }, count: this.count, ...this.page(picture) });
    this.showed(picture);
  }
}

/** What is said of errors of a text; empty for none. */
export function errorsNote(errors: number): string {
  return errors === 0 ? '' : `The text has ${errors === 1 ? '1 error' : `${errors} errors`}: what is left open there is drawn as an input.`;
}
