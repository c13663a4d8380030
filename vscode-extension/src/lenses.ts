// Lenses and marks in step. VS Code asks for lenses a quarter of a second after it was
// told that they have changed, and draws them another quarter later; what an extension
// draws by itself shows at once. So what is new of a property whose lens is in view waits
// until VS Code is about to draw that lens. Then gutter, status bar and tests say it at
// the same moment. What no lens shows does not wait, and nothing waits for long.
import { type CodeLens, type Command, type Disposable, type TextDocument, Uri, window, workspace } from 'vscode';
import type { CodeLensMiddleware, Range } from 'vscode-languageclient/node';
import { documentUri } from './places';
import type { LensData, PropertyID, PropertyStatus, StatusParams } from './protocol';
import { type Mark, markOf, type StatusModel, type Shade } from './status';

/** Milliseconds after which something is shown whether or not its lens is. */
export const patience = 1500;
/** Milliseconds within which VS Code asks for lenses, or draws them; or else it never will. */
const answered = 400;
/** How often VS Code is told again that lenses have changed, when it does not ask. */
const attempts = 3;

/** What is new of a property, the oldest first, and since when. */
interface Held {
  news: PropertyStatus[];
  since: number;
}

type Shown = Mark | 'none';

export class Lenses {
  private readonly held = new Map<string, Map<PropertyID, Held>>();
  /** What the lenses show that VS Code has drawn, by document. */
  private readonly drawn = new Map<string, Map<PropertyID, Shown>>();
  /** What was taken from lenses, so that VS Code asks for it when it is about to draw them. */
  private readonly taken = new WeakMap<CodeLens, { command: Command; document: string }>();
  private readonly listener: Disposable;
  private release: NodeJS.Timeout | undefined;
  private again: NodeJS.Timeout | undefined;
  private wanted = false;
  /** VS Code was told so often that lenses have changed, and has not asked. */
  private unasked = 0;
  private busyUntil = 0;

  /** @param tell has VS Code ask for the lenses, in a while */
  constructor(
    private readonly model: StatusModel,
    private readonly tell: () => void,
  ) {
    this.listener = model.onDidClear(() => this.clear());
    model.waits = (uri, status) => {
      const shown = model.file(uri)?.properties.get(status.property);
      return shown !== undefined && this.isToWait(uri, shown, this.held.get(uri)?.get(status.property), status);
    };
  }

  /** What the server says of properties. */
  receive(sent: StatusParams): void {
    const params = { ...sent, uri: Uri.parse(sent.uri).toString() };
    const file = this.model.file(params.uri);
    if (params.whole || file === undefined) {
      this.held.delete(params.uri);
      return this.model.apply(params);
    }
    const properties: PropertyStatus[] = [];
    const moved: PropertyStatus[] = [];
    for (const status of params.properties) {
      const shown = file.properties.get(status.property);
      const held = this.held.get(params.uri)?.get(status.property);
      if (shown === undefined || !this.isToWait(params.uri, shown, held, status)) {
        this.forget(params.uri, status.property);
        properties.push(status);
        continue;
      }
      this.hold(params.uri, held, status);
      moved.push({ ...shown, name: status.name, range: status.range });
    }
    this.model.apply({ ...params, properties }, { moved });
  }

  /** Has VS Code ask for lenses, unless it is about to: told too often it would not get to it. */
  refresh(): void {
    this.wanted = true;
    this.unasked = 0;
    this.proceed();
  }

  readonly middleware: CodeLensMiddleware = {
    provideCodeLenses: async (document, token, next) => {
      this.unasked = 0;
      this.busyUntil = Date.now() + answered;
      const lenses = await next(document, token);
      if (lenses == null || token.isCancellationRequested) return lenses;
      this.busyUntil = Date.now() + answered;
      const uri = document.uri.toString();
      const first = !this.drawn.has(uri); // which VS Code draws at once
      const resolvable = lenses.some((lens) => dataOf(lens) !== undefined);
      if (first) this.drawn.set(uri, new Map());
      for (const lens of lenses) {
        const { command } = lens;
        if (first || command === undefined || !resolvable || !inView(uri, lens.range)) {
          this.shows(uri, lens);
          continue;
        }
        this.taken.set(lens, { command, document: uri });
        delete lens.command;
      }
      return lenses;
    },
    resolveCodeLens: (lens, token, next) => {
      const taken = this.taken.get(lens);
      if (taken === undefined) return next(lens, token);
      this.shows(taken.document, lens);
      lens.command = taken.command;
      this.busyUntil = 0;
      this.proceed();
      return lens;
    },
  };

  dispose(): void {
    this.clear();
    this.listener.dispose();
  }

  private clear(): void {
    clearTimeout(this.release);
    clearTimeout(this.again);
    this.release = this.again = undefined;
    this.held.clear();
    this.wanted = false;
  }

  /** Whether a lens is in view that shows something else of the property. */
  private isToWait(uri: string, shown: PropertyStatus, held: Held | undefined, status: PropertyStatus): boolean {
    const document = documentUri(uri).toString();
    const drawn = this.drawn.get(document);
    if (drawn === undefined || drawn.size === 0 || !inView(document, status.range)) return false;
    if (held === undefined && look(shown) === look(status)) return false;
    return drawn.get(status.property) !== look(status);
  }

  private hold(uri: string, held: Held | undefined, status: PropertyStatus): void {
    let file = this.held.get(uri);
    if (file === undefined) this.held.set(uri, (file = new Map()));
    const before = held ?? { news: [], since: Date.now() };
    const { name, range } = status;
    const news = before.news.filter((one) => look(one) !== look(status)).map((one) => ({ ...one, name, range }));
    file.set(status.property, { ...before, news: [...news, status] });
    this.release ??= setTimeout(() => this.releaseOld(), patience);
    this.refresh();
  }

  private forget(uri: string, property: PropertyID): void {
    const file = this.held.get(uri);
    file?.delete(property);
    if (file?.size === 0) this.held.delete(uri);
  }

  /** VS Code is about to draw a lens: what it shows is shown everywhere. */
  private shows(document: string, lens: CodeLens): void {
    const properties = dataOf(lens)?.properties;
    if (properties === undefined) return;
    const drawn = this.drawn.get(document);
    for (const status of properties) drawn?.set(status.property, look(status));
    this.showDrawn(document);
  }

  private showDrawn(document: string): void {
    const drawn = this.drawn.get(document);
    for (const [uri, file] of this.held) {
      if (documentUri(uri).toString() !== document) continue;
      const properties: PropertyStatus[] = [];
      for (const [property, held] of [...file]) {
        const at = held.news.findIndex((status) => look(status) === drawn?.get(property));
        if (at < 0) continue;
        properties.push(held.news[at]!);
        held.news.splice(0, at + 1);
        held.since = Date.now();
        if (held.news.length === 0) this.forget(uri, property);
      }
      this.show(uri, properties);
    }
  }

  private releaseOld(): void {
    this.release = undefined;
    const now = Date.now();
    let oldest = Number.POSITIVE_INFINITY;
    for (const [uri, file] of this.held) {
      const properties: PropertyStatus[] = [];
      for (const [property, { news, since }] of [...file]) {
        if (since + patience > now) {
          oldest = Math.min(oldest, since);
          continue;
        }
        properties.push(news.at(-1)!);
        this.forget(uri, property);
      }
      this.show(uri, properties);
    }
    if (oldest < Number.POSITIVE_INFINITY) this.release = setTimeout(() => this.releaseOld(), oldest + patience - now);
  }

  private show(uri: string, properties: PropertyStatus[]): void {
    const file = this.model.file(uri);
    if (file !== undefined && properties.length > 0) this.model.apply({ uri, version: file.version, whole: false, properties }, { drawn: true });
  }

  /** Tells VS Code one thing after the other. Out of focus an editor forgets to ask: then it is told again. */
  private proceed(): void {
    clearTimeout(this.again);
    this.again = undefined;
    const wait = this.busyUntil - Date.now();
    if (wait > 0) {
      if (this.wanted || this.unasked > 0) this.again = setTimeout(() => this.proceed(), wait);
      return;
    }
    if (!this.wanted && (this.unasked === 0 || this.unasked >= attempts)) return;
    this.wanted = false;
    this.unasked++;
    this.busyUntil = Date.now() + answered;
    this.again = setTimeout(() => this.proceed(), answered);
    this.tell();
  }
}

/** What marks and lenses show of a status, apart from numbers. */
function look(status: Shade): Shown {
  return markOf(status) ?? 'none';
}

/** What the server has added to a lens. A server of another version may add nothing, and resolves nothing. */
function dataOf(lens: CodeLens): Partial<LensData> | undefined {
  return (lens as { data?: Partial<LensData> }).data;
}

/** Whether an editor shows lenses in the row of a document. */
function inView(document: string, { start }: Range): boolean {
  return window.visibleTextEditors.some(
    (editor) =>
      editor.document.uri.toString() === document &&
      editor.visibleRanges.some((lines) => lines.start.line <= start.line && start.line <= lines.end.line) &&
      showsLenses(editor.document),
  );
}

function showsLenses(document: TextDocument): boolean {
  return workspace.getConfiguration('editor', document).get('codeLens', true);
}
