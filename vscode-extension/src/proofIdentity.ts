// Which circuit an answer about a proof refers to, held against what the server says of the property.
import type { Answer } from './protocol';
import type { StatusModel } from './status';

/** What an answer is about, and whether it is a proof. */
export type About = Pick<Answer, 'property' | 'name' | 'circuit'> & { readonly isProof: boolean };

/**
 * Whether the server's last word is that the answer is about the present text. Files and settings
 * other than the text may change the circuit, so its version does not say so.
 *
 * @param uri as VS Code writes it; nothing is held against an answer about a file of which nothing is known
 */
export function isPresent(model: StatusModel, uri: string, { property, name, circuit, isProof }: About): boolean {
  const file = model.file(uri);
  if (file === undefined) return true;
  const status = file.properties.get(property);
  if (status === undefined || status.name !== name || (isProof && status.verdict !== 'proved')) return false;
  // Without a circuit the verdict is about an earlier text, or its text is unknown.
  return status.circuit !== undefined && status.circuit === circuit;
}
