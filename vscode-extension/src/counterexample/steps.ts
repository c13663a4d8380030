// Which step of a counterexample is shown in the text of each file: as the
// server says it, with the status bar item that follows from it.
import { Disposable, EventEmitter, StatusBarAlignment, type StatusBarItem, type TextEditor, Uri, window } from 'vscode';
import { activeSubject } from '../pages';
import { isClauses } from '../formats';
import { circuitEditor, revealRow } from '../places';
import * as protocol from '../protocol';
import { Refusal } from '../refusal';
import type { Server } from '../server';
import type { StatusModel } from '../status';
import type { PropertyRef } from './messages';
import { tell } from '../telling';

export class Steps {
  private readonly known = new Map<string, protocol.ShownStep>();
  private readonly changes = new EventEmitter<protocol.ShownStep>();
  /** After another step is shown, or none any more. */
  readonly onDidChange = this.changes.event;
  private readonly item: StatusBarItem;
  private readonly listeners: Disposable;
  private pinned: PropertyRef | undefined;
  /** Of each file the last request that waits until the one before it is answered. */
  private readonly waiting = new Map<string, protocol.StepParams>();
  private asking: Promise<unknown> | undefined;

  constructor(
    private readonly server: Pick<Server, 'execute' | 'listen'>,
    private readonly model: StatusModel,
  ) {
    this.item = window.createStatusBarItem('aiglens.step', StatusBarAlignment.Left, 49);
    this.item.name = 'aiglens step of a counterexample';
    this.item.command = 'aiglens.goToStep';
    this.listeners = Disposable.from(
      server.listen(protocol.stepShown, (shown) => this.apply(shown)),
      window.onDidChangeActiveTextEditor(() => this.draw()),
      window.onDidChangeVisibleTextEditors(() => this.draw()),
      model.onDidChange(({ uri }) => this.statusChanged(uri)),
      model.onDidClear(() => {
        this.known.clear();
        this.waiting.clear();
        this.pinned = undefined;
        this.draw();
      }),
    );
  }

  /** The step that is shown in a file. */
  shownIn(uri: string): protocol.ShownStep | undefined {
    return this.known.get(uri);
  }

  /** The property whose step stays shown, whatever else is looked at. */
  get pin(): PropertyRef | undefined {
    return this.pinned;
  }

  /** The words of the status bar item; empty where none is shown. */
  get text(): string {
    return this.known.size > 0 ? this.item.text : '';
  }

  /** From the server. */
  apply(sent: protocol.ShownStep): void {
    const uri = Uri.parse(sent.uri).toString();
    const shown = { ...sent, uri };
    const before = this.known.get(uri);
    if (sent.property === undefined) {
      this.known.delete(uri);
    } else {
      this.known.set(uri, shown);
    }
    this.draw();
    this.changes.fire(shown);
    // A pinned step comes back when another took its place, unless its counterexample is gone.
    const { pinned } = this;
    if (pinned?.uri === uri && shown.property !== undefined && shown.property !== pinned.property && before?.property === pinned.property) {
      this.follow({ ...pinned, to: `${before.step}` });
    }
  }

  /**
   * Shows a step. Where the step of another property is pinned, the text keeps it.
   *
   * @throws Refusal
   */
  async show(params: protocol.StepParams): Promise<protocol.ShownStep | undefined> {
    if (this.isOtherPinned(params)) return undefined;
    this.waiting.delete(params.uri); // asked for before, it would undo this one
    return this.execute(params);
  }

  /** Shows a step, and the clause of one of a derivation. */
  private async execute(params: protocol.StepParams): Promise<protocol.ShownStep | undefined> {
    const shown = await this.server.execute(protocol.step, params);
    if (shown?.range !== undefined) revealRow(params.uri, shown.range);
    return shown;
  }

  /** Shows a step as soon as the server has answered for the one before; of several in a file only the last. */
  follow(params: protocol.StepParams): void {
    if (this.isOtherPinned(params)) return;
    this.waiting.set(params.uri, params);
    this.asking ??= this.followAll().finally(() => (this.asking = undefined));
  }

  /** Shows the values of an instance where the text of its model shows those of another. */
  enter(about: { uri: string; property: protocol.PropertyID }, instance: string): void {
    const shown = this.known.get(about.uri);
    if (shown?.property === about.property && shown.instance !== instance) this.follow({ ...about, to: `${shown.step}`, instance });
  }

  /** Takes the values from a text, and ends a pin there, as hiding does: it may show no run but the one that is looked at. */
  clear(uri: string): void {
    if (this.pinned?.uri === uri) this.unpin();
    this.follow({ uri, to: 'hide' });
  }

  togglePin(uri: string): boolean {
    const shown = this.known.get(uri);
    if (this.pinned !== undefined || shown?.property === undefined) {
      this.pinned = undefined;
    } else {
      this.pinned = { uri, property: shown.property };
    }
    this.draw();
    return this.pinned !== undefined;
  }

  /** Ends a pin, as hiding does. */
  unpin(): void {
    this.pinned = undefined;
    this.draw();
  }

  dispose(): void {
    this.listeners.dispose();
    this.changes.dispose();
    this.item.dispose();
  }

  /** Another property of the file is pinned. */
  private isOtherPinned({ uri, property }: protocol.StepParams): boolean {
    return this.pinned !== undefined && this.pinned.uri === uri && property !== undefined && property !== this.pinned.property;
  }

  private async followAll(): Promise<void> {
    // A file that comes to wait meanwhile has its turn, too.
    for (const [uri, params] of this.waiting) {
      this.waiting.delete(uri);
      try {
        await this.execute(params);
      } catch (error) {
        // Old counterexamples have no step in the present text: the panel says so.
        if (!(error instanceof Refusal)) throw error;
      }
    }
  }

  private statusChanged(uri: string): void {
    if (this.pinned?.uri === uri && this.model.file(uri) === undefined) this.pinned = undefined;
    if (this.model.file(uri) === undefined) this.known.delete(uri);
    if (circuitEditor()?.document.uri.toString() === uri) this.draw();
  }

  private draw(): void {
    const uri = circuitEditor()?.document.uri.toString();
    const shown = uri === undefined ? undefined : this.known.get(uri);
    if (shown?.property !== undefined) {
      const icon = this.pinned?.uri === uri ? '$(pinned)' : '$(debug-step-over)';
      const last = lastOf(shown);
      const loops = isLasso(shown);
      this.item.text = `${icon} ${loops && shown.words !== undefined ? shown.words : `step ${shown.step} of ${last}`}`;
      const isDerivation = firstOf(shown) === 1;
      const fails = loops ? ', which repeats its loop for ever' : shown.step !== last ? '' : isDerivation ? ', which is reached in this step' : ', which fails in this step';
      this.item.tooltip = `Values of the ${isDerivation ? 'derivation' : 'counterexample'} of ${shown.name ?? shown.property}${fails}. Click to go to another step.`;
      this.item.show();
    } else {
      this.item.hide();
    }
  }
}

/** The number of the first step: 1 in a derivation. */
export function firstOf({ first = 0 }: Pick<protocol.ShownStep, 'first'>): number {
  return first;
}

/** The number of the last step, but for those of a loop that repeats. */
export function lastOf(shown: Pick<protocol.ShownStep, 'first' | 'steps'>): number {
  return firstOf(shown) + shown.steps - 1;
}

/** Whether a counterexample repeats its last steps for ever. */
export function isLasso({ loop = 0 }: Pick<protocol.ShownStep, 'loop'>): boolean {
  return loop > 0;
}

/** The refuted properties of a file, those of an earlier text too. */
export function refutedIn(model: StatusModel, uri: string): protocol.PropertyStatus[] {
  return [...(model.file(uri)?.properties.values() ?? [])].filter(({ verdict }) => verdict === 'refuted');
}

/** The properties in a row of a file. */
export function propertiesAt(model: StatusModel, uri: string, line: number): protocol.PropertyStatus[] {
  return [...(model.file(uri)?.properties.values() ?? [])].filter(({ range }) => range.start.line <= line && line <= range.end.line);
}

/** What a command about the active editor is about. */
export function atCursor(editor: TextEditor): Required<Pick<protocol.PropertyParams, 'uri' | 'position'>> {
  const { line, character } = editor.selection.active;
  return { uri: editor.document.uri.toString(), position: { line, character } };
}

/**
 * The property whose counterexample a command is about: that of the active page, the pinned one, that of the
 * row at the cursor, the one whose step is shown, the only one that is refuted; else
 * the user says which.
 */
export async function chooseProperty(model: StatusModel, steps: Steps, editor: TextEditor | undefined): Promise<PropertyRef | undefined> {
  const uri = editor?.document.uri.toString();
  const refuted = uri === undefined ? [] : refutedIn(model, uri);
  if (editor === undefined || uri === undefined || refuted.length === 0) {
    void tell('information', editor !== undefined && isClauses(editor.document) ? 'there is no derivation here. Only a query that is reached has one.' : 'there is no counterexample here. Only a refuted property has one.');
    return undefined;
  }
  const { line } = editor.selection.active;
  const page = activeSubject()?.property;
  const certain =
    refuted.find(({ property }) => property === page)?.property ??
    (steps.pin?.uri === uri ? steps.pin.property : undefined) ??
    refuted.find(({ range }) => range.start.line <= line && line <= range.end.line)?.property ??
    steps.shownIn(uri)?.property ??
    (refuted.length === 1 ? refuted[0]!.property : undefined);
  if (certain !== undefined) return { uri, property: certain };
  const chosen = await window.showQuickPick(
    refuted.map(({ name, property, text }) => ({ label: name, description: text, property })),
    { title: 'Counterexample of which property?' },
  );
  return chosen === undefined ? undefined : { uri, property: chosen.property };
}
