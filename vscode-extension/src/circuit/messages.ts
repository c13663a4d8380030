// What the Circuit view and its page say to each other. The page names what it was sent by the path
// there, such as `answer.property.actions.0`.
import type { Cause, Place, ProofTopic } from '../protocol';
import type { Radix } from '../radices';
import type { PagePicture } from '../schematic/messages';

/** The parts of the view, from above. Each folds. */
export const sections = ['property', 'what', 'now', 'always', 'around'] as const;
export type Section = (typeof sections)[number];

/** What grows by a level. */
export type Grown = 'formula' | 'cone';

/** What a place may have several of, one of which is shown: instances of a model, properties of a row. */
export type Choice = 'instance' | 'property';

/** What a run is asked: what it does with another value at the step, and when something comes to hold. */
export type Question = 'flip' | 'set' | 'until' | 'untilValue';

/** The trees of causes, by where they stand in what the page is sent. Each is about a run of its own. */
export const causeTrees = ['answer.property.why', 'answer.now.why'] as const;
export type CauseTree = (typeof causeTrees)[number];

/** The causes of a value that the answer has left out. */
export interface MoreCauses {
  tree: CauseTree;
  signal: number;
  step: number;
  causes: Cause[];
}

/** What the page shows of a place. */
export interface Shown {
  answer: Place;
  /** Its name. */
  file: string;
  /** Each with its causes, for those that were asked for later. */
  more: MoreCauses[];
  /** All that the proof of the property says, once that was asked for. */
  topics?: ProofTopic[];
  /** That the user has chosen for the word of Now. */
  radix: Radix;
  picture?: Pick<PagePicture, 'dot' | 'nodes' | 'marks'>;
  /** Levels of the picture. */
  cone: number;
  /** The formula has more levels than it had at first. */
  isGrown: boolean;
}

export type ToPage =
  | { type: 'state'; folded: Section[]; isPinned: boolean; canGoBack: boolean }
  /** Another answer is on its way: of another place, or of the same in another text or step. */
  | { type: 'moved'; isSame: boolean }
  | ({ type: 'answer'; count: number } & Shown)
  /** A sentence stands where there is no answer. */
  | { type: 'nothing'; message: string }
  /** A part is to be in view, and not folded. */
  | { type: 'look'; section: Section };

/** Of is the count of the answer that the page shows. */
export type FromPage =
  | { type: 'ready' }
  | { type: 'fold'; section: Section; isFolded: boolean }
  /** To a place in the text, and its step. */
  | { type: 'go'; of: number; path: string; focus: boolean }
  /** A button of the answer. */
  | { type: 'run'; of: number; path: string }
  /** To another step of the run that is shown. */
  | { type: 'step'; of: number; to: string }
  /** To another run. */
  | { type: 'change'; of: number; what: Question }
  | { type: 'grow'; of: number; what: Grown; by: number }
  | { type: 'choose'; of: number; what: Choice; chosen: string }
  /** The word of Now is to be written in a radix of its own. */
  | { type: 'radix'; of: number; radix: Radix }
  /** The causes of a value, which the answer has left out. */
  | { type: 'causes'; of: number; path: string }
  | { type: 'proof'; of: number }
  | { type: 'node'; of: number; node: number; focus: boolean }
  | { type: 'schematic'; of: number }
  | { type: 'pin' }
  | { type: 'back' };
