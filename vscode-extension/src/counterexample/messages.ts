// What the trace panel and the page within it say to each other. The page knows
// neither files nor places: it names signals by their index.
import type { ChosenRadix, FoundRun, PlayedRun, PropertyID, RunOutcome, Settable, SignalGroup, TraceWord } from '../protocol';
import type { Radix } from '../radices';

/** Of a comparison there are what differs, and gates that do not. */
export type PageGroup = SignalGroup | 'differ' | 'others';

export interface PageSignal {
  group: PageGroup;
  name: string;
  /** One character a step, `0`, `1` or `x`. */
  values: string;
  relevant: boolean;
  /** The present text has it; an expression is in none. */
  inText: boolean;
  /** How the text computes what it gives no name. */
  formula?: string;
  /** What is wrong with an expression, which has no values then. */
  error?: string;
  /** Where another value can be chosen. */
  settable?: Settable;
  /** The instances around it, and what it is called there. */
  scope?: string[];
  local?: string;
}

/** Signals that people read as one value; its bits are by index. */
export interface PageWord extends Omit<TraceWord, 'group'> {
  group: PageGroup;
}

/** What there is to say of a run that is played. */
export interface PagePlay {
  words: string;
  outcome: RunOutcome;
  /** The property whose counterexample it was, to which the way leads back. */
  origin?: string;
}

/** The other runs of a property. */
export interface PageRuns {
  /** They can be looked for. */
  others?: true;
  /** Which of several that are known is shown. */
  among?: FoundRun;
}

export interface PageTrace {
  /** Of the property. */
  name: string;
  file: string;
  steps: number;
  /** Of a loop that repeats for ever: how many steps a round has, and how many rounds the steps end with. */
  loop?: number;
  rounds?: number;
  /** A run that makes a cover 1, and no counterexample. */
  reached?: true;
  /** A run of two circuits that tells them apart. */
  compared?: true;
  stale: boolean;
  /** A run of no property. */
  play?: PagePlay;
  signals: PageSignal[];
  words?: PageWord[];
  /** Signals that were left out. */
  more: number;
}

export type ToPage =
  | { type: 'trace'; about: PropertyRef; trace: PageTrace; runs?: PageRuns; step: number | null; noDebugger?: true; radix?: Radix; /** Words with a radix of their own. */ chosen?: readonly ChosenRadix[]; hidden?: string[]; run?: PlayedRun }
  /** The same trace; what the present text has of it has changed. */
  | { type: 'places'; stale: boolean; inText: boolean[]; runs?: PageRuns }
  | { type: 'nothing'; message: string }
  | { type: 'step'; step: number | null }
  | { type: 'select'; signal: number }
  /** The names of the signals that the user has hidden in another panel of the file. */
  | { type: 'hidden'; hidden: string[] }
  /** The words that have a radix of their own now. */
  | { type: 'chosen'; chosen: readonly ChosenRadix[] }
  /** What is looked for now, in words, and the buttons that have to wait for it; none once all is over. */
  | { type: 'searching'; buttons: SearchButton[]; words: string }
  /** The waves, or what stands in their place, take the keyboard. */
  | { type: 'focus' };

export type Action = 'add' | 'export' | 'debug' | 'check' | 'why' | 'another' | 'shortest' | 'first';

/** Buttons, by what they are called in the page, that begin what can take long. */
export const searchButtons = ['another', 'shortest', 'first', 'check', 'play-until'] as const;
export type SearchButton = (typeof searchButtons)[number];

/** A property of a file, and so its counterexample. */
export interface PropertyRef {
  readonly uri: string;
  readonly property: PropertyID;
}

/** What VS Code keeps for a panel while its window is closed. */
export interface PageState extends PropertyRef {
  /** The run that was played. */
  run?: PlayedRun;
  view?: ViewState;
}

export interface ViewState {
  filter: string;
  hideUnchanged: boolean;
  hideIrrelevant: boolean;
  collapsed: PageGroup[];
  markers: number[];
  stepWidth: number | null; // null: fitted
  namesWidth: number;
  asTable: boolean;
  radix?: Radix;
  /** Keys of words whose bits are shown. */
  openBuses?: string[];
  /** Keys of instances whose signals are hidden. */
  closedScopes?: string[];
  /** The list of signals to choose from stands beside the waves. */
  choosing?: boolean;
}

export type FromPage =
  | { type: 'ready' }
  /** What is drawn first after a trace came. */
  | { type: 'shown'; signals: number; steps: number; rows: number; /** Rows that the page has room for. */ room: number }
  | { type: 'step'; step: number }
  | { type: 'go'; signal: number; focus: boolean }
  | { type: 'why'; signal: number; step: number }
  | { type: 'remove'; signal: number }
  /** An expression was typed, in the place of another or as a new one. */
  | { type: 'expression'; text: string; instead?: string }
  | { type: 'radix'; radix: Radix }
  /** A word, by its name, is to have a radix of its own. */
  | { type: 'wordRadix'; word: string; radix: Radix }
  /** The names of all signals that the user has hidden. */
  | { type: 'hide'; hidden: string[] }
  /** The loop is to be shown once more. */
  | { type: 'round' }
  /** A value of a run is to be the other one. */
  | { type: 'flip'; signal: number; step: number }
  /** A word of a run, by its position, is to have a value that the user types. */
  | { type: 'set'; word: number; step: number; value: string }
  | { type: 'play'; move: PlayMove; step: number; signal?: number }
  | { type: 'action'; action: Action };

/** What a button does with a run: `on` plays on from a step of a counterexample, `back` leads to it again. */
export type PlayMove = 'add' | 'random' | 'until' | 'cut' | 'reset' | 'carry' | 'on' | 'back';
