// What the server knows of every property, as it was last sent. Gutter, status
// bar, Test Explorer and commands read it here and nowhere else, so that none of
// them can say what another does not. Lens, hover and diagnostics come from the
// same value in the server.
import { EventEmitter, Uri } from 'vscode';
import type { ClientCapabilities, FeatureState, StaticFeature } from 'vscode-languageclient';
import type { ClientCommand, ExperimentalCapabilities, NoProperties, PropertyID, PropertyStatus, StatusParams } from './protocol';

export interface FileStatus {
  /** As VS Code writes it, whatever the server escapes. */
  readonly uri: string;
  /** The version of the text that the ranges are about; null for a file that is not open. */
  readonly version: number | null;
  /** In text order. */
  readonly properties: ReadonlyMap<PropertyID, PropertyStatus>;
}

export interface StatusChange {
  readonly uri: string;
  /** The properties are others, or stand in another order; false when some only look different. */
  readonly whole: boolean;
  /** What was sent, whether or not it differs. */
  readonly sent: readonly PropertyStatus[];
}

export class StatusModel {
  private readonly known = new Map<string, FileStatus>();
  private readonly empty = new Map<string, NoProperties>();
  private readonly announced = new Map<string, string>();
  private readonly changes = new EventEmitter<StatusChange>();
  private readonly clearings = new EventEmitter<void>();
  private lastMessage = Date.now();
  /** After each message. */
  readonly onDidChange = this.changes.event;
  /** The server stopped: nothing is known any more. */
  readonly onDidClear = this.clearings.event;

  /** The files with properties, in the order in which they became known. */
  get files(): Iterable<FileStatus> {
    return this.known.values();
  }

  /** Milliseconds since the last message, 0 while a check is on its way. */
  get quietFor(): number {
    for (const { properties } of this.known.values()) {
      for (const status of properties.values()) if (isActive(status)) return 0;
    }
    return Date.now() - this.lastMessage;
  }

  file(uri: string): FileStatus | undefined {
    return this.known.get(uri);
  }

  /** Why an open file has no properties; undefined as long as nothing is known of it. */
  without(uri: string): NoProperties | undefined {
    return this.empty.get(uri);
  }

  /** That an open file announces properties of which it has no row, in few words. */
  unwritten(uri: string): string | undefined {
    return this.announced.get(uri);
  }

  /** Takes what the server says of a file. */
  apply({ uri: sent, version, whole, properties, without, unwritten }: StatusParams): void {
    this.lastMessage = Date.now();
    const uri = Uri.parse(sent).toString();
    const before = this.known.get(uri);
    const merged = new Map(whole ? [] : before?.properties);
    for (const status of properties) merged.set(status.property, status);
    if (merged.size > 0) {
      this.known.set(uri, { uri, version, properties: merged });
    } else {
      this.known.delete(uri);
    }
    if (without === undefined) this.empty.delete(uri);
    else this.empty.set(uri, without);
    if (unwritten === undefined) this.announced.delete(uri);
    else this.announced.set(uri, unwritten);
    const same = before !== undefined && before.properties.size === merged.size;
    this.changes.fire({ uri, whole: !same || (whole && !sameKeys(before.properties, merged)), sent: properties });
  }

  clear(): void {
    this.known.clear();
    this.empty.clear();
    this.announced.clear();
    this.clearings.fire();
  }

  dispose(): void {
    this.changes.dispose();
    this.clearings.dispose();
  }
}

function sameKeys(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): boolean {
  const others = b.keys();
  for (const key of a.keys()) if (key !== others.next().value) return false;
  return true;
}

/** The commands that lenses of this client name; each takes PropertyParams. */
export const lensCommands: ClientCommand[] = ['aiglens.showTrace', 'aiglens.whyFails', 'aiglens.debugCounterexample', 'aiglens.showProof', 'aiglens.explainNoProperties', 'aiglens.verifyEdit', 'aiglens.showObstacle', 'aiglens.reduceToCounterexample', 'aiglens.drawCone', 'aiglens.drawStates', 'aiglens.showWhatIsHard', 'aiglens.suggestLemmas', 'aiglens.showReaching'];

/** Has the server send its statuses, as long as it runs. */
export class StatusFeature implements StaticFeature {
  private live = false;

  constructor(
    private readonly model: Pick<StatusModel, 'apply' | 'clear'>,
    private readonly begin: () => void = () => {},
    private readonly absent: ReadonlySet<string> = new Set(),
  ) {}

  fillClientCapabilities(capabilities: ClientCapabilities): void {
    const ours: ExperimentalCapabilities = { aiglens: { status: true, decoded: true, commands: lensCommands.filter((command) => !this.absent.has(command)) } };
    capabilities.experimental = { ...capabilities.experimental, ...ours };
  }

  initialize(): void {
    this.live = true;
    this.begin();
  }

  /** For aiglens/status. What a server says while it ends is of no use. */
  receive(params: StatusParams): void {
    if (this.live) this.model.apply(params);
  }

  getState(): FeatureState {
    return { kind: 'static' };
  }

  clear(): void {
    this.live = false;
    this.model.clear();
  }
}

/** The verdict is about the present text. */
export function isFresh({ freshness }: PropertyStatus): boolean {
  return freshness === 'fresh';
}

/** There is a proof, of the present text. */
export function hasProof(status: PropertyStatus): boolean {
  return status.verdict === 'proved' && isFresh(status);
}

/** A check of the present text has ended without an answer. */
export function isLeftUnknown(status: PropertyStatus): boolean {
  return status.verdict === 'unknown' && isFresh(status);
}

/** A check of the property is on its way. */
export function isActive({ freshness }: PropertyStatus): boolean {
  return freshness === 'queued' || freshness === 'running';
}

/** What a mark shows: what is being done, else what is known; undefined where there is nothing to show. */
export type Mark = 'queued' | 'running' | 'proved' | 'refuted' | 'unknown' | 'staleProved' | 'staleRefuted' | 'staleUnknown';

const staleMarks = { proved: 'staleProved', refuted: 'staleRefuted', unknown: 'staleUnknown' } as const;

/** What of a status decides about colours and counts. */
export type Shade = Pick<PropertyStatus, 'verdict' | 'standing' | 'freshness'>;

const shades = { passed: 'proved', failed: 'refuted', useless: 'unknown', open: 'unknown' } as const;

export function markOf({ verdict, standing, freshness }: Shade): Mark | undefined {
  if (freshness === 'queued' || freshness === 'running') return freshness;
  if (verdict === 'none') return undefined;
  const shade = shades[standing];
  return freshness === 'stale' ? staleMarks[shade] : shade;
}

/** Each property but lemmas is counted once: by what is being done, else by its fresh verdict. */
export interface Counts {
  proved: number;
  refuted: number;
  /** Covers that a run reaches, and those that none does. */
  reached: number;
  unreached: number;
  unknown: number;
  /** With a verdict about an earlier text. */
  stale: number;
  /** Without a verdict. */
  none: number;
  queued: number;
  running: number;
}

export function countsOf(...files: Pick<FileStatus, 'properties'>[]): Counts {
  const counts = { proved: 0, refuted: 0, reached: 0, unreached: 0, unknown: 0, stale: 0, none: 0, queued: 0, running: 0 };
  for (const { properties } of files) {
    for (const status of properties.values()) {
      if (isActive(status) || !status.property.startsWith('lemma:')) counts[countedAs(status)]++;
    }
  }
  return counts;
}

function countedAs(status: PropertyStatus): keyof Counts {
  if (status.freshness === 'queued' || status.freshness === 'running') return status.freshness;
  if (status.verdict === 'none') return 'none';
  if (status.freshness === 'stale') return 'stale';
  const shade = shades[status.standing];
  if (!status.property.startsWith('cover:') || shade === 'unknown') return shade;
  return shade === 'proved' ? 'reached' : 'unreached';
}
