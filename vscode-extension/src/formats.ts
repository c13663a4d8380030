// What the files of the formats are called. A test of the Go program compares these
// lists, and those of package.json, with the table that the server has.
import type { TextDocument, Uri } from 'vscode';

export const languages = ['aiger', 'blif', 'btor2'];
/** Files of Horn clauses, which have no circuit. */
export const clauseLanguages = ['smt2'];
export const clauseFiles = '**/*.smt2';
const textExtensions = ['aag', 'blif', 'eblif', 'btor2', 'btor'];
/** Of files whose bytes are not the text: binary and packed ones. */
const encodedExtensions = ['aig', 'aag.gz', 'aig.gz'];

const glob = (extensions: readonly string[]) => `**/*.{${extensions.join(',')}}`;
export const circuits = glob([...textExtensions, ...encodedExtensions]);
/** Files that have properties to check. */
export const checkedFiles = glob([...textExtensions, ...encodedExtensions, 'smt2']);
export const encodedCircuits = glob(encodedExtensions);

/** Files whose models circuits in other files may use. */
export const models = '**/*.{blif,eblif}';

export function holdsModels({ path }: Pick<Uri, 'path'>): boolean {
  return /\.e?blif$/i.test(path);
}

export function isModels({ languageId }: Pick<TextDocument, 'languageId'>): boolean {
  return languageId === 'blif';
}

export function isCircuit({ languageId }: Pick<TextDocument, 'languageId'>): boolean {
  return languages.includes(languageId);
}

/** Whether a text holds Horn clauses, which have no circuit. */
export function isClauses({ languageId }: Pick<TextDocument, 'languageId'>): boolean {
  return clauseLanguages.includes(languageId);
}

export function isBTOR2({ languageId }: Pick<TextDocument, 'languageId'>): boolean {
  return languageId === 'btor2';
}

/** Whether a file is called like one of BTOR2. */
export function isCalledBTOR2({ path }: Pick<Uri, 'path'>): boolean {
  return /\.btor2?$/i.test(path);
}

/** Whether a file is called like one of Verilog, which the server reads through Yosys. */
export function isVerilog({ path }: Pick<Uri, 'path'>): boolean {
  return /\.s?v$/i.test(path);
}

export function isEncoded({ scheme, path }: Uri): boolean {
  return scheme !== 'untitled' && encodedExtensions.some((extension) => path.toLowerCase().endsWith(`.${extension}`));
}
