// What the server understands beyond the language server protocol: the commands
// of workspace/executeCommand and their arguments. The mirror of lsp/ in Go.
import type { Location, Position, Range } from 'vscode-languageclient/node';

/** A property as the server names it: kind and index, as in `bad:0`. */
export type PropertyId = string;

export interface PropertyParams {
  uri: string;
  /** Which property; without it the one at the position. */
  property?: PropertyId;
  position?: Position;
}

export interface GoToLatchParams extends PropertyParams {
  /** A number of one latch, as quick fixes name it; without it the user chooses. */
  latch?: number;
}

/** Checks a property, or every property of the file. */
export const check = 'aiglens.check';

/** Ends the checks of a property, of a file, or without a file all of them. */
export const stop = 'aiglens.stop';

/** Checks every circuit in the folders of the workspace; answers with `WorkspaceCheck`. */
export const checkWorkspace = 'aiglens.checkWorkspace';

/** Checks what is refuted or unknown again, of a file or of all that are known. */
export const recheckFailed = 'aiglens.recheckFailed';

/** Answers with the status of each property of a file: `PropertyStatus[]`. */
export const properties = 'aiglens.properties';

/** Answers with the verdicts that were found for a file: `HistoryEntry[]`, the newest first. */
export const history = 'aiglens.history';

/** Answers with the latches of the counterexample of a property: `LatchTrace[]`. */
export const latches = 'aiglens.latches';

/** What the lens of a refuted property sends; answered by this client. */
export const goToLatch = 'aiglens.goToLatch';

/** Shows the values of a step of a counterexample in the text: `StepCommand` to `ShownStep`. */
export const step = 'aiglens.step';

/** From the server: which step is shown, as `ShownStep`. */
export const stepShown = 'aiglens/step';

/** Answers with the signals of a counterexample: `TraceParams` to `Trace`. */
export const trace = 'aiglens.trace';

/** Answers with why a signal has its value: `WhyParams` to `Cause`. */
export const why = 'aiglens.why';

/** Shows a step in the text and where a signal is defined; answers with the place. */
export const goToCause = 'aiglens.goToCause';

/** Writes a counterexample: `ExportParams` to `Exported`. */
export const exportTrace = 'aiglens.exportTrace';

/** Replays a witness on a circuit and shows it: `ImportParams` to `Imported`. */
export const importWitness = 'aiglens.importWitness';

/** The words for steps that are no numbers. */
export type Move = 'first' | 'last' | 'next' | 'previous' | 'nextChange' | 'previousChange' | 'hide';

export interface StepCommand extends PropertyParams {
  /** A number, or where to go from the step that is shown; changes are those of the signal at the position. */
  to: Move | `${number}`;
}

export interface ShownStep {
  uri: string;
  /** Missing where no step is shown. */
  property?: PropertyId;
  name?: string;
  step: number;
  /** How many there are; in the last one the property fails. */
  steps: number;
}

export interface TraceParams extends PropertyParams {
  /** Of signals to be shown as well. */
  positions?: Position[];
}

export type SignalGroup = 'property' | 'constraints' | 'latches' | 'inputs' | 'gates';

export interface TraceSignal {
  group: SignalGroup;
  name: string;
  /** By which `why` asks; of one version of the text. */
  signal: number;
  /** One character a step, `0`, `1` or `x`. */
  values: string;
  /** Of latches: has a part in why the property fails. */
  relevant: boolean;
  /** Null where the present text has it no more. */
  location: Location | null;
}

export interface Trace {
  uri: string;
  property: PropertyId;
  name: string;
  steps: number;
  /** That is shown in the text. */
  step: number | null;
  /** It is about an earlier text. */
  stale: boolean;
  /** Of that text. */
  version: number;
  signals: TraceSignal[];
  /** Signals that were left out, because they are too many. */
  more: number;
}

/** Without signal and position: why the property fails. */
export interface WhyParams extends PropertyParams {
  signal?: number;
  step?: number;
  depth?: number;
}

/** The value of a signal at a step, with the values that force it. */
export interface Cause {
  name: string;
  value: string;
  step: number;
  signal: number;
  /** What the value is due to where it has no causes. */
  reason: string;
  location: Location | null;
  /** Its causes stand at an earlier node. */
  repeated?: boolean;
  /** There are causes beyond the limit. */
  cut?: boolean;
  causes: Cause[];
}

export type TraceFormat = 'aiger' | 'vcd' | 'json' | 'wavedrom' | 'markdown';

export interface ExportParams extends PropertyParams {
  format: TraceFormat;
}

export interface Exported {
  /** For a file. */
  name: string;
  text: string;
}

export interface ImportParams extends PropertyParams {
  /** Of a file where the server runs; or the witness itself. */
  path?: string;
  text?: string;
}

export interface Imported {
  property: PropertyId;
  steps: number;
}

/** One latch over the steps of a counterexample. */
export interface LatchTrace {
  /** The symbol, or what the server calls a latch without one. */
  name: string;
  /** In a format that numbers its signals. */
  literal?: number;
  /** One character a step, `0`, `1` or `x`; the last step is the one that fails. */
  values: string;
  /** Where the latch is defined. */
  location: Location;
}

/** Asks for a binary or packed file on disk as text: `{ uri }` to `Decoded`. */
export const decoded = 'aiglens/decoded';

export interface Decoded {
  text: string;
}

/** How much `checkWorkspace` is about. */
export interface WorkspaceCheck {
  files: number;
}

export type Verdict = 'none' | 'proved' | 'refuted' | 'unknown';
export type Freshness = 'fresh' | 'stale' | 'queued' | 'running';

/** What is known of a property, and what is being done about it. */
export interface PropertyStatus {
  property: PropertyId;
  /** From the text, else like `bad 0`. */
  name: string;
  /** Its row. */
  range: Range;
  /** What was last found. */
  verdict: Verdict;
  /** Whether that speaks of the present text, and whether a check is on its way. */
  freshness: Freshness;
  /** The words of the lens. */
  text: string;
  /** The verdict in words; empty when there is none. */
  message: string;
  /** Of the run that found the verdict. */
  seconds?: number;
  /** While running of the run, else of the verdict. */
  depth?: number;
  /** The verdict was found by an earlier run of the program. */
  cached?: boolean;
}

/** From the server: what it knows of the properties of a file. */
export const status = 'aiglens/status';

export interface StatusParams {
  uri: string;
  /** Null for a file that is not open. */
  version: number | null;
  /** These are all properties, rather than the ones that differ. */
  whole: boolean;
  properties: PropertyStatus[];
}

/** To the server: where the user is, as `CursorParams`; what is there is checked before others. */
export const cursor = 'aiglens/cursor';

export interface CursorParams {
  uri: string;
  position: Position;
}

/** A verdict that was found for a property of a file. */
export interface HistoryEntry {
  /** As RFC 3339 has it. */
  time: string;
  property: PropertyId;
  name: string;
  verdict: Exclude<Verdict, 'none'>;
  message: string;
  seconds: number;
  engine: string;
  cached: boolean;
  /** What of an earlier result the answer rests on. */
  reused?: 'trace' | 'lemmas';
  /** Of the text that was checked. */
  version: number;
}

/** What the server answers to a command it cannot follow: a sentence for the user. */
export class Refusal extends Error {}
