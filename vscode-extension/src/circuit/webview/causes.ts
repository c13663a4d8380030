// Why a signal has its value, as entries of a tree: what forces it, in turn with its causes.
import type { Cause } from '../../protocol';
import type { CauseTree, MoreCauses } from '../messages';
import { type Child, h } from './nodes';
import type { Entry } from './tree';

/** @param path where the cause stands in what the page was sent */
export function causeEntry(cause: Cause, tree: CauseTree, more: readonly MoreCauses[], path: string = tree, above = ''): Entry {
  const key = `${above}/${cause.name} ${cause.signal}@${cause.step}`;
  return { key, path, label: labelOf(cause), said: spoken(cause), tip: tipOf(cause), children: childrenOf(cause, tree, more, path, key) };
}

function childrenOf(cause: Cause, tree: CauseTree, more: readonly MoreCauses[], path: string, key: string): Entry[] | undefined {
  const under = (causes: readonly Cause[], at: string) => causes.map((one, index) => causeEntry(one, tree, more, `${at}.causes.${index}`, key));
  if (cause.cut !== true) return under(cause.causes, path);
  const found = more.findIndex((one) => one.tree === tree && one.signal === cause.signal && one.step === cause.step);
  return found < 0 ? undefined : under(more[found]!.causes, `more.${found}`);
}

function labelOf(cause: Cause): Child[] {
  const { name, value, at, formula = '' } = cause;
  const rest = [at === '' ? 'fails in the loop' : at, noteOf(cause), name === formula ? '' : formula].filter((part) => part !== '').join(' · ');
  return [h('code', {}, name), ...(at === '' || value === '' ? [] : [' = ', h('span', { class: 'value' }, value)]), h('span', { class: 'faint' }, ` · ${rest}`)];
}

/** In words, for screen readers. */
export function spoken(cause: Cause): string {
  const { name, value, at } = cause;
  const note = noteOf(cause);
  const what = at === '' ? `${name} fails in the loop` : value === '' ? `${name} at ${at}` : `${name} is ${value} at ${at}`;
  return `${what}${note === '' ? '' : `, ${note}`}`;
}

function noteOf({ repeated, reason, location }: Cause): string {
  return [repeated === true ? 'causes as above' : reason, location === null ? 'not in the text' : ''].filter((part) => part !== '').join(', ');
}

const listed = 8; // causes in a tooltip

function tipOf(cause: Cause): string {
  const { causes, formula } = cause;
  const what = `${spoken(cause)}${formula === undefined ? '' : `, which is ${formula}`}`;
  if (causes.length === 0) return what;
  const more = causes.length > listed ? [`and ${causes.length - listed} more`] : [];
  return [`${what}, because`, ...causes.slice(0, listed).map((one) => `– ${spoken(one)}`), ...more].join('\n');
}
