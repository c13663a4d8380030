// The state graph: all states that runs reach, with the path of the counterexample. The state of
// the step that is shown is marked, and a click on a state of the path leads to its step.
import { type CancellationToken, Uri } from 'vscode';
import type { Steps } from '../counterexample/steps';
import { holdsModels } from '../formats';
import * as protocol from '../protocol';
import type { Server } from '../server';
import type { StatusChange, StatusModel } from '../status';
import type { PageLegend, PageMark, PageNode, PagePicture } from './messages';
import { errorsNote, PicturePanel, settled } from './panel';

const listedLatches = 16; // one below the other in a tooltip
const shownSteps = 3; // in the badge of a state that a path visits again

export class StateGraph extends PicturePanel<protocol.StateGraph> {
  /** What the verdicts of the file were when a graph was asked for, by property. */
  private requested = new Map<string, string>();
  /** What that of the property was when its graph was asked for. */
  private verdict = '';

  constructor(
    extension: Uri,
    private readonly server: Pick<Server, 'execute'>,
    private readonly model: Pick<StatusModel, 'onDidChange' | 'file'>,
    private readonly steps: Pick<Steps, 'onDidChange' | 'follow'>,
  ) {
    super(extension, { viewType: 'aiglens.states', title: 'State Graph', command: 'Draw State Graph' }, model, steps);
  }

  protected request(about: protocol.PropertyParams, token: CancellationToken): Promise<protocol.StateGraph | undefined> {
    this.requested = this.verdictsOf(about.uri);
    return this.server.execute(protocol.states, about, token);
  }

  /** From now on it is about this property, wherever its row moves. */
  protected override took({ property, position }: protocol.StateGraph): void {
    this.verdict = this.requested.get(property) ?? '';
    if (this.about !== undefined) this.about = { uri: this.about.uri, property, position };
  }

  /** The verdict may have come while the graph was searched. */
  protected override showed({ uri }: protocol.StateGraph): void {
    if (this.isNews(uri)) this.follow(uri, settled);
  }

  /**
   * All states are searched again for a counterexample that has come or gone, and for whatever
   * other files may have changed, not for the progress of a check.
   */
  protected override isNews(uri: string, change?: StatusChange): boolean {
    const now = this.verdictsOf(uri);
    const { picture } = this;
    if (picture !== undefined && (now.get(picture.property) ?? '') !== this.verdict) return true;
    if (picture === undefined && !sameEntries(now, this.requested)) return true;
    // Models of other files can change the circuit and leave the verdict as it is.
    return change !== undefined && picture?.others !== false && !isProgress(change);
  }

  private verdictsOf(uri: string): Map<string, string> {
    const properties = [...(this.model.file(uri)?.properties ?? [])];
    return new Map(properties.map(([property, { verdict, freshness, message, steps }]) => [property, JSON.stringify([verdict, freshness, message, steps])]));
  }

  /** Any other circuit may have a model that is used here. */
  protected isPart(uri: string): boolean {
    return this.picture?.others === true && holdsModels(Uri.parse(uri));
  }

  /** A state of the counterexample leads to its step; of several to the one after the step that is shown. */
  protected async go(node: number): Promise<void> {
    const { picture, about } = this;
    if (picture?.isCounterexample !== true || this.isOld || about === undefined) return;
    const at = stepsOf(picture.path, node);
    const step = at.find((one) => one > (picture.shown?.step ?? -1)) ?? at[0];
    if (step !== undefined) this.steps.follow({ uri: about.uri, property: picture.property, to: `${step}` });
  }

  protected page(picture: protocol.StateGraph): PagePicture {
    const { title, dot, errors, states, path, shown } = picture;
    return {
      title,
      at: shown?.at ?? '',
      dot,
      note: errorsNote(errors),
      legend: legendOf(picture),
      nodes: states.map((state, index) => nodeOf(picture, state, index)),
      marks: states.map((_, index) => markOf(stepsOf(path, index), shown === null ? undefined : path[shown.step] === index)),
      first: path[0] ?? 0,
      ...(shown !== null && path[shown.step] !== undefined ? { look: path[shown.step] } : {}),
    };
  }
}

/** Only checks that run or wait are reported. */
function isProgress({ sent }: StatusChange): boolean {
  return sent.length > 0 && sent.every(({ freshness }) => freshness === 'running' || freshness === 'queued');
}

function sameEntries(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}

function stepsOf(path: readonly number[], state: number): number[] {
  return path.flatMap((at, step) => (at === state ? [step] : []));
}

/** What is said where the property is 1: a cover does not fail there. */
const outcome = ({ property }: protocol.StateGraph) => (property.startsWith('cover') ? 'is reached' : 'fails');

function nodeOf(picture: protocol.StateGraph, state: protocol.GraphState, index: number): PageNode {
  const { path, isCounterexample } = picture;
  const { id, initial, bad } = state;
  const words = picture.words.map(({ name }, word) => `${name} = ${state.words[word]}`);
  const isBit = new Set(picture.words.flatMap(({ latches }) => latches));
  const [latches, values] = [picture.latches, [...state.values]].map((all) => all.filter((_, latch) => !isBit.has(latch))) as [string[], string[]];
  const ones = latches.filter((_, latch) => values[latch] === '1');
  const more = [initial && 'a start', bad && `${outcome(picture)} here`].filter((words) => words !== false);
  const listed = latches.map((name, latch) => `${name} = ${values[latch]}`);
  const zeros = latches.filter((_, latch) => values[latch] === '0');
  const lines = latches.length <= listedLatches ? listed : [`1: ${ones.join(', ') || 'none'}`, `0: ${zeros.join(', ') || 'none'}`];
  const said = [...words, ...(ones.length > 0 ? [ones.join(' ')] : [])].join(', ');
  return {
    id,
    words: [`state ${said || 'all 0'}`, ...more].join(', '),
    tip: [...words, ...lines, ...(more.length > 0 ? [`(${more.join(', ')})`] : [])].join('\n'),
    cut: false,
    placed: isCounterexample && path.includes(index),
  };
}

function markOf(steps: readonly number[], isShown: boolean | undefined): PageMark {
  const numbers = steps.length > shownSteps ? [...steps.slice(0, shownSteps), '…'] : steps;
  return {
    badge: numbers.join(' '),
    classes: isShown === true ? ['current'] : [],
    wire: '',
    words: [steps.length > 0 && `step ${steps.join(', ')}`, isShown === true && 'shown'].filter(Boolean).join(', '),
  };
}

function legendOf(picture: protocol.StateGraph): PageLegend[] {
  const { states, path, isCounterexample, property } = picture;
  const count = states.length === 1 ? '1 state' : `${states.length} states`;
  const way = property.startsWith('cover') ? 'shortest run that reaches it' : 'shortest run into a failure';
  return [
    { look: '', words: count },
    { look: 'initial', words: 'start' },
    ...(states.some(({ bad }) => bad) ? [{ look: 'bad', words: outcome(picture) }] : []),
    ...(path.length > 0 ? [{ look: 'path', words: `${isCounterexample ? 'counterexample' : way}, with its steps` }] : []),
  ];
}
