// The schematic: what a property or signal depends on as a picture, with the values of the step
// that is shown. Here places and cursor are brought together.
import { type CancellationToken, type TextDocumentContentChangeEvent, type TextEditor, type Uri, window } from 'vscode';
import type { Location } from 'vscode-languageclient';
import type { Steps } from '../counterexample/steps';
import { moveLocation } from '../counterexample/tracked';
import { reveal } from '../places';
import * as protocol from '../protocol';
import { Refusal } from '../refusal';
import type { Server } from '../server';
import type { StatusModel } from '../status';
import type { PageMark, PageNode, PagePicture } from './messages';
import { errorsNote, PicturePanel } from './panel';

export class Schematic extends PicturePanel<protocol.Picture> {
  private expand: number[] = [];
  private bits = false;
  /** How instances are drawn, once one is opened or closed, and those that are drawn in the other way. */
  private instances: string | undefined;
  private except: string[] = [];
  private locations: (Location | null)[] = [];
  private looked = 0;

  constructor(
    extension: Uri,
    private readonly server: Pick<Server, 'execute'>,
    model: Pick<StatusModel, 'onDidChange'>,
    steps: Pick<Steps, 'onDidChange'>,
  ) {
    super(
      extension,
      { viewType: 'aiglens.schematic', title: 'Schematic', command: 'Draw Cone' },
      model,
      steps,
      window.onDidChangeTextEditorSelection(({ textEditor }) => void this.followCursor(textEditor)),
    );
  }

  protected override forget(): void {
    this.expand = this.except = [];
    this.instances = undefined;
  }

  protected request(about: protocol.PropertyParams, token: CancellationToken): Promise<protocol.Picture | undefined> {
    const version = this.picture?.version;
    return this.server.execute(protocol.draw, { ...about, ...(this.bits ? { bits: true } : {}), ...this.shownInstances, ...(version !== undefined && this.expand.length > 0 ? { version, expand: this.expand } : {}) }, token);
  }

  private get shownInstances(): Partial<protocol.DrawParams> {
    return this.instances === undefined ? {} : { instances: this.instances, except: this.except };
  }

  protected override took(picture: protocol.Picture): void {
    if (picture.version !== this.picture?.version) this.expand = [];
    this.locations = picture.nodes.map(({ location }) => location);
  }

  protected page(picture: protocol.Picture): PagePicture {
    const { title, errors, nodes, values } = picture;
    return {
      title,
      at: values?.at ?? '',
      note: errorsNote(errors) || (nodes.some(({ cut }) => cut) ? 'The picture ends at what is dashed; a click there draws more.' : ''),
      ...(this.bits || nodes.some(({ kind }) => isWord(kind)) ? { bits: this.bits } : {}),
      legend: [],
      ...pictureOf(picture),
      first: 0,
    };
  }

  protected override showed({ uri }: protocol.Picture): void {
    const editor = window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri);
    if (editor !== undefined) void this.followCursor(editor);
  }

  protected override moved(uri: string, edits: readonly TextDocumentContentChangeEvent[]): void {
    this.locations = this.locations.map((location) => moveLocation(location, uri, edits));
  }

  /** Models of other files are a part of the picture. */
  protected isPart(uri: string): boolean {
    return this.picture?.nodes.some(({ location }) => location?.uri === uri) === true;
  }

  protected async go(node: number, focus: boolean): Promise<void> {
    const { kind = '', name = '' } = this.picture?.nodes[node] ?? {};
    if (isInstance(kind)) return this.turn(name, kind === 'instance');
    const location = this.locations[node];
    if (location != null) await reveal(location.uri, location.range, !focus);
  }

  protected override async expandAt(node: number): Promise<void> {
    const [signal] = this.picture?.nodes[node]?.signals ?? [];
    if (signal === undefined || this.isOld) return;
    this.expand.push(signal);
    return this.ask();
  }

  /** Opens an instance, or closes it with those inside of it. */
  private turn(name: string, opens: boolean): Promise<void> {
    if (this.instances === undefined) this.instances = this.picture?.instances || 'open';
    const isInside = (other: string) => other === name || other.startsWith(`${name}/`) || other.startsWith(`${name}.`);
    const others = this.except.filter((other) => (opens ? other !== name : !isInside(other)));
    this.except = opens === (this.instances === 'closed') ? [...others, name] : others;
    return this.ask();
  }

  protected override async changeBits(): Promise<void> {
    this.bits = !this.bits;
    this.expand = [];
    return this.ask();
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
}

/** The boxes of a picture, with what is drawn at them. */
export function pictureOf({ dot, nodes, values }: protocol.Picture): Pick<PagePicture, 'dot' | 'nodes' | 'marks'> {
  return {
    dot,
    nodes: nodes.map(({ id, name, kind, cut, location }) => ({ id, ...wordsOf(kind, name), cut: cut && !isInstance(kind), placed: location !== null })),
    marks: values === null ? [] : nodes.map((node, index) => markOf(node, values, index)),
  };
}

const isWord = (kind: string) => kind === 'bus' || kind === 'register' || kind === 'word';

const isInstance = (kind: string) => kind === 'instance' || kind === 'scope';

/** Boxes have names of Yosys in short: the tooltip has them as they are. */
function wordsOf(kind: string, name: string): Pick<PageNode, 'words' | 'tip' | 'open' | 'name'> {
  if (isInstance(kind)) {
    const open = kind === 'scope';
    return { words: `instance ${name}`, tip: `instance ${name}: a click ${open ? 'closes' : 'opens'} it`, open, name };
  }
  const words = name === '' ? kind : `${kind} ${name}`;
  return { words, tip: words };
}

/** The wires of a word have values of their own. */
function markOf({ kind, pins = [] }: protocol.PictureNode, values: protocol.PictureStep, index: number): PageMark {
  const value = values.values[index] ?? '';
  const isCause = values.causes[index] === true;
  const state = value === '' || isWord(kind) ? '' : `is-${value}`;
  const ofPins = values.pins[index] ?? [];
  return {
    badge: value,
    classes: [state, isCause ? 'cause' : ''].filter(Boolean),
    wire: state,
    pins: pins.flatMap(({ id }, pin): [string, string][] => (/^[01x]$/.test(ofPins[pin] ?? '') ? [[id, `is-${ofPins[pin]}`]] : [])),
    words: [value && `value ${value}`, ...pins.map(({ name }, pin) => ofPins[pin] && `${name} ${ofPins[pin]}`), isCause && 'a cause'].filter(Boolean).join(', '),
  };
}
