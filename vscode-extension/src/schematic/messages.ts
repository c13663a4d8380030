// What the panel of a picture and its page say to each other. Nodes go by their position.
import type { PropertyParams } from '../protocol';

/** A box as the page draws it. */
export interface PageNode {
  id: string;
  /** In words, for users who cannot see the shape: "and 12". */
  words: string;
  /** More than that, in a tooltip. */
  tip?: string;
  cut: boolean;
  /** There is a place or a step to go to. */
  placed: boolean;
  /** It is an instance, with what lies inside or without; missing where it is none. */
  open?: boolean;
  /** What it goes by in the next picture, where it may have other words. */
  name?: string;
}

/** What changes on a box while the picture stays as it is laid out. */
export interface PageMark {
  /** Above its edge; empty for nothing. */
  badge: string;
  /** Of the box. */
  classes: string[];
  /** Class of the wires that leave it; empty for none. */
  wire: string;
  /** Classes of the wires that leave its pins, by the ids of the pins. */
  pins?: [string, string][];
  /** In words: "value 1, a cause". */
  words: string;
}

/** A sample of a look, and what it means. */
export interface PageLegend {
  look: string;
  words: string;
}

/** What VS Code keeps of the panel while its window is closed: what was drawn, and its title. */
export interface Kept {
  about: PropertyParams;
  title: string;
}

export interface PagePicture {
  title: string;
  /** Which step is shown, in words; empty for none. */
  at: string;
  dot: string;
  /** A sentence above the picture; empty for none. */
  note: string;
  /** Each bit of a word is a box of its own; missing where that cannot be chosen. */
  bits?: boolean;
  legend: PageLegend[];
  nodes: PageNode[];
  /** By node; empty for none at all. */
  marks: PageMark[];
  /** The node that is to be in view; missing where it does not matter. */
  look?: number;
  /** The same, of a picture that is laid out again. */
  first?: number;
}

export type ToPage =
  /** Count tells the picture from the one before. */
  | ({ type: 'picture'; kept: Kept; count: number } & PagePicture)
  /** The text has changed since, and what was drawn may have moved, or be gone. */
  | { type: 'old'; kept?: Kept }
  /** The nodes at the cursor of the text. */
  | { type: 'select'; nodes: number[] }
  | { type: 'nothing'; message: string };

export type FromPage =
  | { type: 'ready' }
  /** Of is the count of the picture that has the node. */
  | { type: 'go'; of: number; node: number; focus: boolean }
  | { type: 'expand'; of: number; node: number }
  | { type: 'renew' }
  /** Words are to be drawn as boxes, or their bits. */
  | { type: 'bits' }
  /** The page cannot draw it. */
  | { type: 'failed'; message: string };
