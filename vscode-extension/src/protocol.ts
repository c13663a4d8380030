// What the server understands beyond the language server protocol: the commands
// of workspace/executeCommand and their arguments. The mirror of lsp/ in Go.
import type { Location, Position } from 'vscode-languageclient/node';

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

/** Ends the running checks of a property, or of the file. */
export const stop = 'aiglens.stop';

/** Answers with the latches of the counterexample of a property: `LatchTrace[]`. */
export const latches = 'aiglens.latches';

/** What the lens of a refuted property sends; answered by this client. */
export const goToLatch = 'aiglens.goToLatch';

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

/** What the server answers to a command it cannot follow: a sentence for the user. */
export class Refusal extends Error {}
