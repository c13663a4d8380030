// Draws what stands at the ends of rows: VS Code's own hints have one style for all of
// their text, and move with what is typed. In a high contrast theme that style is the one
// of code, so there all hints are drawn here.
import {
  type DecorationOptions,
  Disposable,
  EventEmitter,
  type InlayHint,
  Range,
  type TextDocument,
  type TextEditor,
  type TextEditorDecorationType,
  ThemeColor,
  window,
  workspace,
} from 'vscode';
import type { Middleware } from 'vscode-languageclient';
import type { Steps } from './counterexample/steps';
import * as protocol from './protocol';
import type { Server } from './server';
import type { StatusModel } from './status';
import { isHighContrast } from './theme';

const most = 24; // pieces of one note; what is left over is one
const gap = 3; // characters before a note that has no column
const together = 4; // hints at one position

/** A style for the pieces at one place of their notes, and what was drawn with it last. */
interface Place {
  type: TextEditorDecorationType;
  drawn: WeakMap<TextEditor, string>;
}

export class Notes {
  private readonly hintPlaces: Place[];
  private readonly places: Place[];
  /** The style of what stands after all notes of a row. */
  readonly last: TextEditorDecorationType;
  private readonly hints = new WeakMap<TextDocument, { version: number; all: readonly InlayHint[] }>();
  private readonly notes = new WeakMap<TextEditor, readonly protocol.Note[]>();
  private contrast = isHighContrast();
  private readonly listeners: Disposable;
  /** Documents at whose rows something else stands for now. */
  private hushed: ReadonlySet<string> = new Set();
  private readonly hushings = new EventEmitter<void>();
  /** Something else stands at the rows of other documents than before. */
  readonly onDidHush = this.hushings.event;
  /** The documents that are being asked about; true where there is news meanwhile. */
  private readonly asking = new Map<TextDocument, boolean>();

  constructor(
    private readonly server: Pick<Server, 'running' | 'request'>,
    steps: Pick<Steps, 'onDidChange'>,
    model: StatusModel,
  ) {
    // What stands at one place of a text is drawn in the order of these names.
    const types = Array.from({ length: together + most + 2 }, () => window.createTextEditorDecorationType({}));
    types.sort((a, b) => (a.key < b.key ? -1 : 1));
    this.last = types.pop()!;
    const places = types.map((type) => ({ type, drawn: new WeakMap() }));
    this.hintPlaces = places.splice(0, together);
    this.places = places;
    this.listeners = Disposable.from(
      steps.onDidChange(({ uri }) => this.refreshAll((document) => document.uri.toString() === uri)),
      model.onDidClear(() => {
        for (const editor of window.visibleTextEditors) {
          this.draw(editor, []);
          this.drawHints(editor, []);
        }
      }),
      window.onDidChangeActiveColorTheme(() => this.themeChanged()),
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('editor.inlayHints.enabled')) this.refreshAll(() => true);
      }),
    );
  }

  /** Leaves to VS Code the hints that are not drawn here, and asks again when it does. */
  readonly middleware: Middleware = {
    provideInlayHints: async (document, range, token, next) => {
      if (this.hushed.has(document.uri.toString())) return [];
      if (!areDrawn(document)) return next(document, range, token);
      this.refresh(document);
      const { version } = document;
      const hints = (await next(document, range, token))?.filter((hint) => !isNote(hint));
      if (!this.contrast || hints === undefined) return hints;
      if (document.version !== version) return []; // VS Code asks for those of this text
      const before = this.hints.get(document);
      const others = before?.version === version ? before.all.filter(({ position }) => !range.contains(position)) : [];
      const all = [...others, ...hints];
      this.hints.set(document, { version, all });
      editorsOf(document).forEach((editor) => this.drawHints(editor, all));
      return [];
    },
  };

  /** What is drawn in an editor, a text for each note. */
  textsIn(editor: TextEditor): string[] {
    return (this.notes.get(editor) ?? []).map((note) => pieces(note).map(({ text }) => text).join(''));
  }

  isHushed(document: TextDocument): boolean {
    return this.hushed.has(document.uri.toString());
  }

  /** Leaves all that is drawn here, and hints, out of some documents, and of no others. */
  hush(uris: readonly string[]): void {
    const before = this.hushed;
    this.hushed = new Set(uris);
    const features = this.server.running?.getFeature('textDocument/inlayHint');
    for (const document of workspace.textDocuments) {
      const uri = document.uri.toString();
      if (before.has(uri) === this.hushed.has(uri)) continue;
      this.hints.delete(document);
      this.refresh(document);
      features?.getProvider(document)?.onDidChangeInlayHints.fire();
    }
    this.hushings.fire();
  }

  dispose(): void {
    this.listeners.dispose();
    this.hushings.dispose();
    [...this.hintPlaces, ...this.places].forEach(({ type }) => type.dispose());
    this.last.dispose();
  }

  /** Draws hints like VS Code does, or has it draw them. */
  private themeChanged(): void {
    if (this.contrast === isHighContrast()) return;
    this.contrast = isHighContrast();
    const features = this.server.running?.getFeature('textDocument/inlayHint');
    for (const editor of window.visibleTextEditors) {
      this.hints.delete(editor.document);
      this.drawHints(editor, []);
      features?.getProvider(editor.document)?.onDidChangeInlayHints.fire();
    }
  }

  private refreshAll(wanted: (document: TextDocument) => boolean): void {
    new Set(window.visibleTextEditors.map(({ document }) => document).filter(wanted)).forEach((document) => this.refresh(document));
  }

  /** Asks for what is visible of a document; while an answer is on its way once more after it. */
  private refresh(document: TextDocument): void {
    if (this.asking.has(document)) {
      this.asking.set(document, true);
      return;
    }
    this.asking.set(document, false);
    void this.ask(document).finally(() => {
      const again = this.asking.get(document);
      this.asking.delete(document);
      if (again === true) this.refresh(document);
    });
  }

  private async ask(document: TextDocument): Promise<void> {
    for (const editor of editorsOf(document)) {
      if (!areDrawn(document) || this.hushed.has(document.uri.toString())) {
        this.draw(editor, []);
        this.drawHints(editor, []);
        continue;
      }
      if (this.server.running === undefined || editor.visibleRanges.length === 0) return;
      // A server that gives no answer is being stopped, or will be asked again.
      const answer = await this.server.request(protocol.notes, { uri: document.uri.toString(), range: around(editor) }).catch(() => undefined);
      // Of an earlier text: VS Code asks for hints of this one.
      if (answer?.version === document.version && !this.hushed.has(document.uri.toString())) this.draw(editor, answer.notes);
    }
  }

  private draw(editor: TextEditor, notes: readonly protocol.Note[]): void {
    if (notes.length === 0 && !this.notes.has(editor)) return;
    this.notes.set(editor, notes);
    const { document } = editor;
    const options: DecorationOptions[][] = this.places.map(() => []);
    for (const note of notes.filter(({ line }) => line < document.lineCount)) {
      const { end } = document.lineAt(note.line).range;
      const range = new Range(end.line, end.character, end.line, end.character);
      [before(note), ...pieces(note)].forEach((after, place) => options[place]!.push({ range, renderOptions: { after } }));
    }
    apply(editor, this.places, options);
  }

  private drawHints(editor: TextEditor, hints: readonly InlayHint[]): void {
    const options: DecorationOptions[][] = this.hintPlaces.map(() => []);
    const at = new Map<string, number>();
    for (const { position, label, paddingLeft } of hints) {
      const key = `${position.line}:${position.character}`;
      const place = at.get(key) ?? 0;
      at.set(key, place + 1);
      const text = typeof label === 'string' ? label : label.map(({ value }) => value).join('');
      const after = { ...drawnAs(text, 'text'), margin: paddingLeft === true ? '0 0 0 0.5ch' : '0' };
      options[place]?.push({ range: new Range(position.line, position.character, position.line, position.character), renderOptions: { after } });
    }
    apply(editor, this.hintPlaces, options);
  }
}

/** Draws what is not drawn yet. After an edit that is all: VS Code may have moved it. */
function apply(editor: TextEditor, places: readonly Place[], options: readonly DecorationOptions[][]): void {
  places.forEach(({ type, drawn }, place) => {
    const before = drawn.get(editor);
    const now = `${editor.document.version} ${JSON.stringify(options[place])}`;
    if (before === now || (before === undefined && options[place]!.length === 0)) return;
    drawn.set(editor, now);
    editor.setDecorations(type, options[place]!);
  });
}

function editorsOf(document: TextDocument): TextEditor[] {
  return window.visibleTextEditors.filter((editor) => editor.document === document);
}


type Attachment = NonNullable<NonNullable<DecorationOptions['renderOptions']>['after']>;
interface Piece extends Attachment {
  text: string;
}

const colours: Record<protocol.Look, string> = {
  text: 'aiglens.noteForeground',
  number: 'aiglens.noteNumberForeground',
  blank: 'aiglens.noteForeground',
  unchanged: 'aiglens.valueForeground',
  changed: 'aiglens.changedValueForeground',
  undetermined: 'aiglens.undeterminedValueForeground',
  next: 'aiglens.nextValueForeground',
};

/**
 * The room before a note. A tab ends at the column wherever the row ends, so that a note
 * stays where it is while its row is typed.
 */
function before({ column }: protocol.Note): Attachment {
  return column > 0 ? { contentText: '\t', textDecoration: `none; white-space: pre; tab-size: ${column}` } : { contentText: '\u00a0'.repeat(gap) };
}

/** The pieces of a note in the order in which they are drawn. */
export function pieces({ value, words }: protocol.Note): Piece[] {
  const spaced = words.map(({ text, look }, index) => ({ look, text: index === 0 && value.length > 0 ? ` ${text}` : text }));
  const rest = spaced.slice(most - value.length - 1);
  const shown = rest.length > 1 ? [...spaced.slice(0, -rest.length), { look: 'text' as const, text: rest.map(({ text }) => text).join('') }] : spaced;
  return [
    ...value.map(({ text, look }) => ({ ...drawnAs(text, look), width: `${[...text].length}ch` })),
    ...shown.map(({ text, look }) => drawnAs(text, look)),
  ];
}

function drawnAs(text: string, look: protocol.Look): Piece {
  return {
    text,
    contentText: text.replaceAll(' ', '\u00a0'),
    color: new ThemeColor(colours[look]),
    ...(look === 'changed' ? { fontWeight: 'bold' } : {}),
    ...(look === 'number' || look === 'undetermined' ? { fontStyle: 'italic' } : {}),
  };
}

/** Where VS Code is to show hints only while keys are held, that is its own business. */
function areDrawn(document: TextDocument): boolean {
  return workspace.getConfiguration('editor', document).get('inlayHints.enabled') === 'on';
}

function isNote(hint: InlayHint & { data?: unknown }): boolean {
  return hint.data === 'note';
}

/** What is visible in an editor, and as much above and below. */
function around({ visibleRanges }: TextEditor): protocol.NotesParams['range'] {
  const first = Math.min(...visibleRanges.map(({ start }) => start.line));
  const last = Math.max(...visibleRanges.map(({ end }) => end.line));
  const height = last - first + 1;
  return { start: { line: Math.max(0, first - height), character: 0 }, end: { line: last + height, character: 0 } };
}
